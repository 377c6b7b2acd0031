// Package answers keeps answers of the oracle on disk, so that a question that
// was asked before is answered from there while nothing that its answer used has
// changed.
//
// An entry is one file, named by a digest of the question and of the generation
// of the store. It is written whole and renamed into place, so several processes
// can read and write at the same time; a damaged one is no entry. Sessions have
// directories of their own and see nothing of each other.
package answers

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/bundle/oracle"
)

// Bounds of a directory of answers.
const (
	maxEntries = 400
	maxBytes   = 8 << 20
	// maxEntry bounds one entry, in bytes.
	maxEntry = 256 << 10
)

// Cache is a directory of answers. The zero value keeps nothing.
type Cache struct {
	// Dir is the directory; "" keeps nothing.
	Dir string
	// Generation and Settings are part of every key: what the store is, and what
	// else decides an answer.
	Generation, Settings string
	// State identifies the present content of a cited file.
	State func(path string) string
}

// DirOf is the directory of the answers of a session below that of the store, or
// of the repository for "".
func DirOf(store, session string) string {
	if session == "" {
		return filepath.Join(store, "answers", "shared")
	}
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(store, "answers", "session-"+hex.EncodeToString(sum[:12]))
}

type entry struct {
	Key    string            `json:"key"`
	States map[string]string `json:"states"`
	Answer *oracle.Answer    `json:"answer"`
}

func (c *Cache) key(r oracle.Request) string {
	q, err := json.Marshal(r)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "1\x00%s\x00%s\x00%s", c.Generation, c.Settings, q))
	return hex.EncodeToString(sum[:16])
}

// Get gives a kept answer whose cited files are as they were, with an item of
// evidence that says so; nil where there is none.
func (c *Cache) Get(r oracle.Request) *oracle.Answer {
	if c.Dir == "" {
		return nil
	}
	key := c.key(r)
	name := filepath.Join(c.Dir, key+".json")
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxEntry {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != key || e.Answer == nil {
		return nil
	}
	for p, state := range e.States {
		if c.State(p) != state {
			return nil
		}
	}
	// What is used stays longest.
	now := time.Now()
	_ = os.Chtimes(name, now, now)
	a := e.Answer
	a.Evidence = append(a.Evidence, oracle.Evidence{Type: oracle.FromCache, Detail: "answered before from the same store; the cited files have not changed since"})
	return a
}

// Put keeps an answer. Failing to costs time at the next question, nothing else.
func (c *Cache) Put(r oracle.Request, a *oracle.Answer) {
	if c.Dir == "" {
		return
	}
	e := entry{Key: c.key(r), States: map[string]string{}, Answer: a}
	for _, x := range a.Evidence {
		if x.File != "" {
			e.States[x.File] = c.State(x.File)
		}
	}
	data, err := json.Marshal(&e)
	if err != nil || len(data) > maxEntry {
		return
	}
	for _, d := range []string{filepath.Dir(c.Dir), c.Dir} {
		if err := os.Mkdir(d, 0o755); err != nil && !os.IsExist(err) {
			return
		}
		// Never through a link.
		if info, err := os.Lstat(d); err != nil || !info.IsDir() {
			return
		}
	}
	f, err := os.CreateTemp(c.Dir, "tmp-")
	if err != nil {
		return
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := cmp.Or(err, f.Close()); err != nil {
		return
	}
	if os.Rename(f.Name(), filepath.Join(c.Dir, e.Key+".json")) == nil {
		c.trim()
	}
}

// trim removes the entries that were not used for longest, and what crashes left,
// while there is too much.
func (c *Cache) trim() {
	list, err := os.ReadDir(c.Dir)
	if err != nil || len(list) <= maxEntries/2 {
		return
	}
	var infos []fs.FileInfo
	total := int64(0)
	for _, d := range list {
		info, err := d.Info()
		if err != nil {
			continue
		}
		if strings.HasPrefix(d.Name(), "tmp-") && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(c.Dir, d.Name()))
			continue
		}
		infos = append(infos, info)
		total += info.Size()
	}
	slices.SortFunc(infos, func(x, y fs.FileInfo) int {
		return cmp.Or(x.ModTime().Compare(y.ModTime()), cmp.Compare(x.Name(), y.Name()))
	})
	for n := len(infos); len(infos) > 0 && (n > maxEntries || total > maxBytes); n-- {
		_ = os.Remove(filepath.Join(c.Dir, infos[0].Name()))
		total -= infos[0].Size()
		infos = infos[1:]
	}
}
