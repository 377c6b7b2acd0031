package revision

import (
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// maxConvertSize bounds the files whose line endings are normalised, which
// needs them in memory. git's own limit (core.bigFileThreshold) is as large.
const maxConvertSize = 512 << 20

// worktreeLister walks a work tree once: directories are listed, never followed
// through symbolic links, and what is found is looked up in the index. So a
// tracked file behind a symbolic link counts as deleted, as in git.
type worktreeLister struct {
	ctx      context.Context
	s        *Snapshot
	or       *objectReader
	root     string
	idx      *index
	tracked  map[string]*indexEntry
	dirs     map[string]bool // directories with tracked files below
	seen     map[string]bool // tracked paths found on disk
	ignore   *IgnoreMatcher
	attrs    *Attributes
	files    []candidate
	lost     []string // directories that could not be listed
	fileMode bool     // core.fileMode
	symlinks bool     // core.symlinks
}

// candidate is a file found on disk.
type candidate struct {
	entry   Entry
	info    fs.FileInfo
	tracked *indexEntry
	drop    bool
	note    string
}

func (s *Snapshot) listWorktree(ctx context.Context, or *objectReader, indexFile string) error {
	r := s.repo
	idx, err := readIndex(indexFile)
	if err != nil {
		return err
	}
	tl := treeLister{ctx: ctx, or: or}
	if err := idx.expandSparse(&tl); err != nil {
		return err
	}
	s.Notes = tl.notes
	w := &worktreeLister{
		ctx: ctx, s: s, or: or, root: r.worktree, idx: idx,
		tracked:  make(map[string]*indexEntry, len(idx.entries)),
		dirs:     make(map[string]bool),
		seen:     make(map[string]bool, len(idx.entries)),
		ignore:   r.standardIgnore(),
		attrs:    r.baseAttributes(true),
		fileMode: r.config.bool("core", "fileMode", true),
		symlinks: r.config.bool("core", "symlinks", true),
	}
	for i := range idx.entries {
		e := &idx.entries[i]
		if reason := checkPath(e.path); reason != "" {
			s.Notes = append(s.Notes, Note{e.path, reason})
			continue
		}
		if w.tracked[e.path] == nil {
			w.tracked[e.path] = e
		}
		for dir := dirOf(e.path); dir != ""; dir = dirOf(dir[:len(dir)-1]) {
			if w.dirs[dir] {
				break
			}
			w.dirs[dir] = true
		}
	}
	if err := w.walk("", false); err != nil {
		return err
	}
	w.absent()
	s.attributes = w.attrs
	if err := w.hash(); err != nil {
		return err
	}
	for _, c := range w.files {
		if c.note != "" {
			s.Notes = append(s.Notes, Note{c.entry.Path, c.note})
		}
		if !c.drop {
			s.Entries = append(s.Entries, c.entry)
		}
	}
	s.finish()
	return nil
}

// standardIgnore returns the rules that stand outside the work tree.
func (r *Repository) standardIgnore() *IgnoreMatcher {
	m := NewIgnoreMatcher(r.foldCase())
	if data, ok := r.userFile("excludesFile", "ignore"); ok {
		m.addGlobal("core.excludesFile", data)
	}
	if data, err := readLimited(filepath.Join(r.commonDir, "info", "exclude"), maxRuleFile); err == nil {
		m.addGlobal("info/exclude", data)
	}
	return m
}

// walk lists a directory ("" or ending in a slash). In an ignored one only
// tracked files count.
func (w *worktreeLister) walk(dir string, ignored bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	children, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(dir)))
	if err != nil {
		if dir == "" {
			return fmt.Errorf("list work tree: %w", err)
		}
		w.lost = append(w.lost, dir)
		w.note(strings.TrimSuffix(dir, "/"), "directory cannot be listed: "+reason(err))
		return nil
	}
	w.loadRules(dir, children, ignored)
	for _, child := range children {
		p := dir + child.Name()
		if checkName(child.Name()) != "" || IsOwnOutput(p) {
			continue
		}
		if len(p) > maxPathLen {
			w.note(p, checkPath(p))
			continue
		}
		e := w.tracked[p]
		if child.IsDir() {
			if e != nil && e.mode&0o170000 == 0o160000 {
				w.seen[p] = true
				w.add(candidate{entry: Entry{Path: p, Mode: Submodule, Blob: e.id, Size: -1}})
				continue
			}
			below := ignored
			if !below {
				_, below = w.ignore.decide(p, true)
			}
			if !w.dirs[p+"/"] {
				if below {
					continue
				}
				if _, err := os.Lstat(filepath.Join(w.root, filepath.FromSlash(p), ".git")); err == nil {
					w.note(p, "nested repository: not entered")
					continue
				}
			}
			if err := w.walk(p+"/", below); err != nil {
				return err
			}
			continue
		}
		if e == nil {
			if ignored {
				continue
			}
			if _, skip := w.ignore.decide(p, false); skip {
				continue
			}
		}
		if err := w.file(p, e); err != nil {
			return err
		}
	}
	return nil
}

// file adds a path that is not a directory.
func (w *worktreeLister) file(p string, e *indexEntry) error {
	info, err := os.Lstat(filepath.Join(w.root, filepath.FromSlash(p)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // vanished; if tracked, absent notes it
	}
	if e != nil {
		w.seen[p] = true
	}
	if err != nil {
		w.note(p, "cannot be examined: "+reason(err))
		return nil
	}
	c := candidate{entry: Entry{Path: p, Size: info.Size()}, info: info, tracked: e}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		c.entry.Mode = Symlink
	case info.Mode().IsRegular():
		c.entry.Mode = w.regularMode(info, e)
	default:
		if e != nil {
			w.note(p, "not a regular file")
		}
		return nil
	}
	if len(w.files) >= MaxEntries {
		return fmt.Errorf("%w: more than %d", ErrTooManyEntries, MaxEntries)
	}
	w.add(c)
	return nil
}

func (w *worktreeLister) add(c candidate) { w.files = append(w.files, c) }

func (w *worktreeLister) note(p, reason string) { w.s.Notes = append(w.s.Notes, Note{p, reason}) }

// regularMode is the mode of a regular file, which on some file systems only
// the index knows.
func (w *worktreeLister) regularMode(info fs.FileInfo, e *indexEntry) Mode {
	if e != nil {
		indexed, _ := modeOf(e.mode)
		if indexed == Symlink && !w.symlinks {
			return Symlink
		}
		if !w.fileMode && indexed == Executable {
			return Executable
		}
	}
	if w.fileMode && info.Mode()&0o100 != 0 {
		return Executable
	}
	return Regular
}

// loadRules reads the ignore and attributes files of a directory.
func (w *worktreeLister) loadRules(dir string, children []fs.DirEntry, ignored bool) {
	present := make(map[string]bool, 2)
	for _, c := range children {
		if c.Name() == ".gitignore" || c.Name() == ".gitattributes" {
			present[c.Name()] = true
		}
	}
	load := func(name string, add func(data []byte)) {
		p := dir + name
		var data []byte
		var err error
		if present[name] {
			data, err = readWithin(w.root, p, maxRuleFile)
		} else if e := w.tracked[p]; e != nil && e.skipWorktree {
			data, err = w.or.readAs(blobObject, e.id, maxRuleFile)
		} else {
			return
		}
		switch {
		case err == nil:
			add(data)
		case !errors.Is(err, errNotRegular): // git ignores links of these names, too
			w.note(p, "its rules are not applied: "+reason(err))
		}
	}
	if !ignored {
		load(".gitignore", func(data []byte) { w.ignore.addDir(dir, dir+".gitignore", data) })
	}
	load(".gitattributes", func(data []byte) { w.attrs.addDir(dir, data) })
}

// absent accounts for tracked paths that the walk did not meet.
func (w *worktreeLister) absent() {
	for i := range w.idx.entries {
		e := &w.idx.entries[i]
		if w.tracked[e.path] != e || w.seen[e.path] || IsOwnOutput(e.path) {
			continue
		}
		mode, ok := modeOf(e.mode)
		switch {
		case e.skipWorktree && ok && e.stage == 0:
			if w.s.offDisk == nil {
				w.s.offDisk = make(map[string]bool)
			}
			w.s.offDisk[e.path] = true
			w.add(candidate{entry: Entry{Path: e.path, Mode: mode, Blob: e.id, Size: -1}})
		case w.isLost(e.path):
			w.note(e.path, "cannot be examined: its directory cannot be listed")
		default:
			w.note(e.path, "deleted on disk")
		}
	}
}

func (w *worktreeLister) isLost(p string) bool {
	for _, dir := range w.lost {
		if strings.HasPrefix(p, dir) {
			return true
		}
	}
	return false
}

// unchanged applies git's rule for trusting the index without reading the file.
// An entry as new as the index itself may have been written after it was
// added, within the clock's resolution ("racily clean"), and is not trusted.
func (w *worktreeLister) unchanged(c *candidate) bool {
	e := c.tracked
	if e == nil || e.stage != 0 || e.intentToAdd {
		return false
	}
	indexed, ok := modeOf(e.mode)
	if !ok || (indexed == Symlink) != (c.entry.Mode == Symlink) || indexed == Submodule {
		return false
	}
	now := statOf(c.info)
	was := e.stat
	if now.size != was.size || now.mtime != was.mtime || (now.size == 0 && e.id != BlobID(nil)) {
		return false
	}
	if now.inode != 0 && (now.inode != was.inode || now.ctime != was.ctime) {
		return false
	}
	return time.Unix(int64(was.mtime[0]), int64(was.mtime[1])).Before(w.idx.mtime)
}

// hash fills in the blob ids, reading only what the index does not vouch for.
func (w *worktreeLister) hash() error {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return fmt.Errorf("open work tree: %w", err)
	}
	defer root.Close()
	var todo []*candidate
	for i := range w.files {
		c := &w.files[i]
		switch {
		case c.info == nil: // submodule, or outside the sparse checkout
		case w.unchanged(c):
			c.entry.Blob = c.tracked.id
		default:
			todo = append(todo, c)
		}
	}
	g, ctx := errgroup.WithContext(w.ctx)
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(todo)) {
		g.Go(func() error {
			or := w.s.repo.objects.reader()
			defer or.Close()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(todo) {
					return nil
				}
				if err := w.hashOne(ctx, root, or, todo[i]); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

// hashOne reads one file. Only cancellation is an error; a file that cannot be
// read is noted.
func (w *worktreeLister) hashOne(ctx context.Context, root *os.Root, or *objectReader, c *candidate) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	id, err := w.blobOf(ctx, root, or, c)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		c.drop, c.note = true, "vanished while it was listed"
	case err != nil:
		c.note = "cannot be read: " + reason(err)
	default:
		c.entry.Blob = id
	}
	return nil
}

func (w *worktreeLister) blobOf(ctx context.Context, root *os.Root, or *objectReader, c *candidate) (ID, error) {
	p := c.entry.Path
	convert := convertNone
	if c.entry.Mode != Symlink {
		convert = w.s.repo.conversion(w.attrs, p)
	}
	if convert != convertNone && c.entry.Size <= maxConvertSize {
		data, err := readInRoot(root, p, maxConvertSize)
		if err != nil {
			return ID{}, err
		}
		if convert == convertAuto && c.tracked != nil && bytes.IndexByte(data, '\r') >= 0 {
			// git leaves a file alone that was committed with CRLF.
			if old, err := or.readAs(blobObject, c.tracked.id, maxConvertSize); err == nil && hasTextCRLF(old) {
				convert = convertNone
			}
		}
		return BlobID(normalise(data, convert)), nil
	}
	if c.entry.Mode == Symlink || c.entry.Size <= 1<<20 {
		data, err := readInRoot(root, p, 0)
		if err != nil {
			return ID{}, err
		}
		return BlobID(data), nil
	}
	f, size, err := openRegular(root, p)
	if err != nil {
		return ID{}, err
	}
	defer f.Close()
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", size)
	n, err := io.Copy(h, &contextReader{ctx, io.LimitReader(f, size+1)})
	if err != nil {
		return ID{}, err
	}
	if n != size {
		return ID{}, ErrChanged
	}
	return ID(h.Sum(nil)), nil
}

// contextReader stops a long read when the context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
