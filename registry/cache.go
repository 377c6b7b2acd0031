package registry

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Cache keeps manifests and layers on disk by their digests, so that what was
// fetched once is not fetched again. It holds no tags: what a tag means is asked
// anew each time. What is read from it is compared with its digest; what does not
// agree counts as missing. Several processes may use one directory.
type Cache struct {
	dir string
	max int64
}

// DefaultCacheSize bounds a cache, in bytes.
const DefaultCacheSize = 2 << 30

// NewCache uses a directory, which is made when the first thing is kept, for at
// most so many bytes.
func NewCache(dir string, max int64) *Cache { return &Cache{dir: dir, max: max} }

const cachePrefix, cacheTemp = "sha256-", "tmp-"

// tempAge is how old a temporary file of a cache is when it counts as the leftover
// of a crash.
const tempAge = time.Hour

func cacheName(sum string) string { return cachePrefix + strings.TrimPrefix(sum, "sha256:") }

// get reads the content with a digest, at most so many bytes; nil where there is
// none that agrees.
func (c *Cache) get(sum string, most int64) []byte {
	if c == nil || !digestText.MatchString(sum) {
		return nil
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	name := cacheName(sum)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil || digestOf(data) != sum {
		_ = root.Remove(name)
		return nil
	}
	// The time of the last use decides what leaves first.
	now := time.Now()
	_ = root.Chtimes(name, now, now)
	return data
}

// put keeps content by its digest. What is larger than the cache is not kept.
func (c *Cache) put(contents ...[]byte) error {
	if c == nil {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	defer root.Close()
	var keep []string
	for _, data := range contents {
		if int64(len(data)) > c.max {
			continue
		}
		name := cacheName(digestOf(data))
		keep = append(keep, name)
		if err := writeAside(root, name, data); err != nil {
			return fmt.Errorf("keep what was fetched: %w", err)
		}
	}
	if err := c.prune(root, keep); err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	return nil
}

// writeAside writes a file under another name first, so that nobody sees half.
func writeAside(root *os.Root, name string, data []byte) error {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	tmp := cacheTemp + hex.EncodeToString(random[:])
	f, err := root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(tmp, name)
	}
	if err != nil {
		_ = root.Remove(tmp)
	}
	return err
}

// prune removes what was used longest ago until the rest fits.
func (c *Cache) prune(root *os.Root, keep []string) error {
	type file struct {
		name string
		size int64
		used time.Time
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	var files []file
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // gone meanwhile, or none of ours
		}
		switch {
		case strings.HasPrefix(e.Name(), cacheTemp) && time.Since(info.ModTime()) > tempAge:
			_ = root.Remove(e.Name())
		case strings.HasPrefix(e.Name(), cachePrefix):
			files = append(files, file{e.Name(), info.Size(), info.ModTime()})
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(x, y file) int { return cmp.Or(x.used.Compare(y.used), strings.Compare(x.name, y.name)) })
	for _, f := range files {
		if total <= c.max {
			break
		}
		if slices.Contains(keep, f.name) {
			continue
		}
		if err := root.Remove(f.name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= f.size
	}
	return nil
}

// UserCacheDir is where the program keeps what it fetched, "" where the user has no
// place for it.
func UserCacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "project-map", "archives")
}
