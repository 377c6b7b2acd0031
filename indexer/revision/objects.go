package revision

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// maxAlternateDepth is git's limit on chains of alternates.
const maxAlternateDepth = 5

// objectDB is the set of object directories of a repository: its own and its
// alternates. Pack indexes are mapped once and shared by all readers, which
// each own their file handles and caches: go-git's pack decoder must not be
// shared between goroutines.
type objectDB struct {
	dirs []string // absolute, own directory first

	mu    sync.Mutex
	packs []*packIndex // append only; sorted by file name within one scan
	known map[string]bool
	gen   int // raised whenever packs grows
}

func openObjects(dir string) (*objectDB, error) {
	db := &objectDB{known: make(map[string]bool)}
	if err := db.addDir(dir, 0); err != nil {
		return nil, err
	}
	if _, err := db.rescan(); err != nil {
		return nil, err
	}
	return db, nil
}

// addDir appends a directory and, depth first, its alternates. Relative
// alternates are relative to the objects directory that names them. A missing
// alternate is skipped, as git does: its objects are then missing one by one.
func (db *objectDB) addDir(dir string, depth int) error {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if slices.Contains(db.dirs, dir) || depth > maxAlternateDepth {
		return nil
	}
	db.dirs = append(db.dirs, dir)
	data, err := readLimited(filepath.Join(dir, "info", "alternates"), 1<<20)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read alternates: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '"' {
			if name, _, ok := unquoteC(line); ok {
				line = name
			}
		}
		if !filepath.IsAbs(line) {
			line = filepath.Join(dir, line)
		}
		if info, err := os.Stat(line); err != nil || !info.IsDir() {
			continue
		}
		if err := db.addDir(line, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// rescan maps pack indexes that appeared since the last scan, for git may
// repack while we read; it reports whether there were any.
func (db *objectDB) rescan() (bool, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	grown := false
	for _, dir := range db.dirs {
		files, err := os.ReadDir(filepath.Join(dir, "pack"))
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return false, fmt.Errorf("list packs: %w", err)
		}
		for _, f := range files {
			name := filepath.Join(dir, "pack", f.Name())
			if !strings.HasSuffix(name, ".idx") || db.known[name] {
				continue
			}
			// git writes the .idx last; an .idx without its pack is a leftover.
			if _, err := os.Stat(strings.TrimSuffix(name, ".idx") + ".pack"); err != nil {
				continue
			}
			p, err := openPackIndex(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return false, err
			}
			db.known[name] = true
			db.packs = append(db.packs, p)
			grown = true
		}
	}
	if grown {
		db.gen++
	}
	return grown, nil
}

func (db *objectDB) snapshot() ([]*packIndex, int) {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.packs[:len(db.packs):len(db.packs)], db.gen
}

func (db *objectDB) close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	var errs []error
	for _, p := range db.packs {
		errs = append(errs, p.unmap())
	}
	db.packs, db.known = nil, make(map[string]bool)
	return errors.Join(errs...)
}

// withPrefix returns all object ids that start with the hexadecimal prefix,
// sorted and without duplicates.
func (db *objectDB) withPrefix(prefix string) ([]ID, error) {
	lo, ok := parseID(prefix + strings.Repeat("0", 40-len(prefix)))
	hi, _ := parseID(prefix + strings.Repeat("f", 40-len(prefix)))
	if !ok {
		return nil, nil
	}
	var ids []ID
	packs, _ := db.snapshot()
	for _, p := range packs {
		ids = p.prefix(ids, lo, hi)
	}
	for _, dir := range db.dirs {
		files, err := os.ReadDir(filepath.Join(dir, prefix[:2]))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("list loose objects: %w", err)
		}
		for _, f := range files {
			if id, ok := parseID(prefix[:2] + f.Name()); ok && strings.HasPrefix(id.String(), prefix) {
				ids = append(ids, id)
			}
		}
	}
	slices.SortFunc(ids, func(a, b ID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids), nil
}

// Close releases the mapped pack indexes. No Reader of the repository may be in
// use, then or later.
func (r *Repository) Close() error { return r.objects.close() }

// readAllLimited reads to the end; ErrTooLarge beyond limit bytes, 0 for none.
func readAllLimited(r io.Reader, limit int64) ([]byte, error) {
	if limit > 0 {
		r = io.LimitReader(r, limit+1)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if limit > 0 && int64(len(data)) > limit {
		return nil, fmt.Errorf("%w of %d bytes", ErrTooLarge, limit)
	}
	return data, nil
}

// isNotDir reports that a parent of a path is not a directory.
func isNotDir(err error) bool {
	return errors.Is(err, syscall.ENOTDIR)
}
