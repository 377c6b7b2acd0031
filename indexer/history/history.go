// Package history reads the past of a revision: for each commit its message and
// the files it touched.
//
// Commits never change, so what was read once is kept in the fact cache, by
// commit, and never read again; a new commit costs itself. Only ancestors of
// the revision are seen.
package history

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
)

const (
	// version changes whenever a record's bytes change.
	version = 1
	// maxMessage bounds what is kept of a message, in bytes.
	maxMessage = 2048
	// maxFiles is how many files of a commit are kept. A commit that touches
	// more says little about any of them: only their number is kept.
	maxFiles = 60
)

// Commit is one ancestor of the revision that is no merge.
type Commit struct {
	ID      revision.ID
	Time    int64 // of the committer, seconds since 1970
	Message string
	// Files are the paths that it changed, by their names of the time; nil when
	// they were more than maxFiles.
	Files []string
	// NumFiles is how many it changed.
	NumFiles int
}

// History is the past of a revision, newest first.
type History struct {
	Commits []Commit
	// Cut is set when a shallow clone ends the history early.
	Cut bool
}

// Source gives the commits that a snapshot stands on, newest first.
type Source interface {
	Log(ctx context.Context, o revision.LogOptions, visit func(revision.LogEntry) error) error
}

// Read reads at most limit commits, merges counted. A history that cannot be
// read to its end (a clone without old objects) is cut there.
func Read(ctx context.Context, src Source, limit int, cache *factstore.Store) (*History, error) {
	h := &History{}
	lookup := func(id revision.ID) (revision.LogEntry, bool) {
		data, ok, err := cache.Get(recordKey(id))
		if err != nil || !ok {
			return revision.LogEntry{}, false
		}
		e, err := decode(data)
		e.ID = id
		return e, err == nil
	}
	known := func(id revision.ID) bool { return cache.Has(recordKey(id)) }
	err := src.Log(ctx, revision.LogOptions{Max: limit, Lookup: lookup}, func(e revision.LogEntry) error {
		if e.Boundary {
			h.Cut = true
			return nil
		}
		e.Message = trim(e.Message)
		if !known(e.ID) {
			if err := cache.Put(recordKey(e.ID), encode(&e)); err != nil {
				return err
			}
		}
		n := len(e.Changed)
		if len(e.Parents) > 1 || n == 0 {
			return nil
		}
		c := Commit{ID: e.ID, Time: e.Time, Message: e.Message, NumFiles: n}
		if n <= maxFiles {
			c.Files = e.Changed
		}
		h.Commits = append(h.Commits, c)
		return nil
	})
	if errors.Is(err, revision.ErrMissing) {
		h.Cut = true
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return h, nil
}

func recordKey(id revision.ID) factstore.Key {
	return sha256.Sum256(fmt.Appendf(nil, "project-map history %d %s", version, id))
}

// trim drops the lines of a message that tools add and cuts it to its cap.
func trim(message string) string {
	var b strings.Builder
	for line := range strings.Lines(message) {
		l := strings.ToLower(strings.TrimSpace(line))
		skip := false
		for _, p := range []string{"co-authored-by", "signed-off-by", "reviewed-by", "acked-by", "tested-by", "git-svn-id", "change-id", "thanks ", "backport of", "cherry picked from", "(cherry picked"} {
			skip = skip || strings.HasPrefix(l, p)
		}
		if !skip {
			b.WriteString(line)
		}
		if b.Len() > maxMessage {
			break
		}
	}
	s := b.String()
	if len(s) > maxMessage {
		n := maxMessage
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(strings.TrimSpace(s), "\uFFFD")
}

// A record is the time, the parents, the message and the changed paths; of more
// than maxFiles paths only as many empty ones, since just their number counts.
func encode(e *revision.LogEntry) []byte {
	b := binary.AppendVarint(nil, e.Time)
	b = binary.AppendUvarint(b, uint64(len(e.Parents)))
	for _, p := range e.Parents {
		b = append(b, p[:]...)
	}
	b = binary.AppendUvarint(b, uint64(len(e.Message)))
	b = append(b, e.Message...)
	b = binary.AppendUvarint(b, uint64(len(e.Changed)))
	if len(e.Changed) <= maxFiles {
		for _, p := range e.Changed {
			b = binary.AppendUvarint(b, uint64(len(p)))
			b = append(b, p...)
		}
	}
	return b
}

var errRecord = errors.New("damaged record of a commit")

func decode(b []byte) (e revision.LogEntry, err error) {
	bad := false
	uvarint := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return v
	}
	take := func(n uint64) string {
		if n > uint64(len(b)) {
			bad, b = true, nil
			return ""
		}
		s := string(b[:n])
		b = b[n:]
		return s
	}
	t, n := binary.Varint(b)
	if n <= 0 {
		return e, errRecord
	}
	e.Time, b = t, b[n:]
	for range min(uvarint(), 64) {
		var id revision.ID
		copy(id[:], take(uint64(len(id))))
		e.Parents = append(e.Parents, id)
	}
	e.Message = take(uvarint())
	changed := uvarint()
	switch {
	case bad || changed > 1<<24:
		return e, errRecord
	case changed > maxFiles:
		e.Changed = make([]string, changed)
	default:
		for range changed {
			e.Changed = append(e.Changed, take(uvarint()))
		}
	}
	if bad || len(b) != 0 {
		return e, errRecord
	}
	return e, nil
}
