// Package safefs writes files inside one root directory, atomically and never
// through a symbolic link.
//
// The work tree being written into is untrusted: a repository may hold links
// that point anywhere, inside or outside itself. Every operation descends from
// the root one component at a time, opens each directory and compares it with
// what was there before opening, so that a link that appears in between is
// noticed rather than followed. Files are then named relative to the directory
// that is held open. On top of that an [os.Root] keeps everything inside the
// root whatever happens.
//
// A file is replaced by renaming a temporary file over it: after a crash there
// is the old or the new content, and at most a leftover that [Root.SweepTemp]
// removes. A file whose content would not change is not touched.
//
// Paths are relative to the root, separated by slashes and clean: no leading or
// trailing slash, no "." or ".." components.
package safefs

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// TempPrefix begins the name of every temporary file, so that walks can
	// leave them out and runs can sweep what others left behind.
	TempPrefix = ".project-map-tmp-"

	// TempAge is how old a temporary file has to be before SweepTemp takes it
	// for the leftover of a crash rather than the work of another process.
	TempAge = time.Hour

	// MaxFile is the largest file in bytes that ReadFile and the comparison in
	// WriteFile read.
	MaxFile = 64 << 20
)

var (
	// ErrSymlink is returned where a path, or a parent of it, is a symbolic link.
	ErrSymlink = errors.New("is a symbolic link, which is never followed")
	// ErrNotRegular is returned where a file is expected and something else
	// (a directory, a pipe, a device) stands.
	ErrNotRegular = errors.New("is not a regular file")
	// ErrInvalidPath is returned for a path that is not relative and clean.
	ErrInvalidPath = errors.New("is not a clean path below the root")
	// ErrTooLarge is returned for a file of more than MaxFile bytes.
	ErrTooLarge = errors.New("is too large")
)

// Root is a directory that files are written into. Its methods are safe for
// concurrent use, except that two writers of one path race and either wins whole.
type Root struct {
	dir  string
	root *os.Root

	// Sync makes WriteFile flush each file to the disk before it takes the
	// place of the old one. Without it a power failure, though no crash of the
	// program, may leave a file empty. Set it before the first use.
	Sync bool
}

// OpenRoot opens dir, which has to exist. dir itself may be reached through
// symbolic links; the caller has chosen it.
func OpenRoot(dir string) (*Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open output directory: %w", err)
	}
	return &Root{dir: dir, root: root}, nil
}

// Close releases the directory.
func (r *Root) Close() error { return r.root.Close() }

// Name returns the directory as it was given to OpenRoot.
func (r *Root) Name() string { return r.dir }

// WriteFile makes data the content of the file rel and reports whether that
// changed anything. The parent directory has to exist (see MkdirAll). A new
// file gets mode 0644 (before umask), an existing one keeps its permissions.
func (r *Root) WriteFile(rel string, data []byte) (changed bool, err error) {
	changed, err = r.writeFile(rel, data)
	return changed, r.wrap("write", rel, err)
}

func (r *Root) writeFile(rel string, data []byte) (bool, error) {
	parent, name, err := r.parent(rel, false)
	if err != nil {
		return false, err
	}
	defer parent.close()

	mode := fs.FileMode(0o644)
	info, err := parent.Lstat(name)
	exists := err == nil
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	default:
		if err := regular(info); err != nil {
			return false, err
		}
		mode = info.Mode().Perm()
		if info.Size() == int64(len(data)) {
			if old, err := parent.read(name, info); err == nil && bytes.Equal(old, data) {
				return false, nil
			}
		}
	}
	temp, err := parent.writeTemp(data, mode, exists, r.Sync)
	if err != nil {
		return false, err
	}
	// A link put at name since it was looked at is replaced, not followed.
	if err := parent.Rename(temp, name); err != nil {
		_ = parent.Remove(temp)
		return false, err
	}
	return true, nil
}

// ReadFile returns the content of the file rel, of at most MaxFile bytes.
func (r *Root) ReadFile(rel string) ([]byte, error) {
	data, err := r.readFile(rel)
	return data, r.wrap("read", rel, err)
}

func (r *Root) readFile(rel string) ([]byte, error) {
	parent, name, err := r.parent(rel, false)
	if err != nil {
		return nil, err
	}
	defer parent.close()
	info, err := parent.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := regular(info); err != nil {
		return nil, err
	}
	return parent.read(name, info)
}

// Remove removes the file rel. It is no error if there is none; a symbolic
// link or a directory is refused.
func (r *Root) Remove(rel string) error {
	return r.wrap("remove", rel, r.remove(rel))
}

func (r *Root) remove(rel string) error {
	parent, name, err := r.parent(rel, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer parent.close()
	info, err := parent.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := regular(info); err != nil {
		return err
	}
	if err := parent.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveDir removes the directory rel if it is empty and reports whether it
// did. A directory that is missing or not empty is no error.
func (r *Root) RemoveDir(rel string) (removed bool, err error) {
	removed, err = r.removeDir(rel)
	return removed, r.wrap("remove", rel, err)
}

func (r *Root) removeDir(rel string) (bool, error) {
	parent, name, err := r.parent(rel, false)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer parent.close()
	d, err := parent.descend(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	entries, err := d.entries(1)
	d.close()
	if err != nil || len(entries) > 0 {
		return false, err
	}
	err = parent.Remove(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// MkdirAll creates the directory rel and its missing parents with mode 0755
// (before umask). "." is the root.
func (r *Root) MkdirAll(rel string) error {
	d, err := r.walk(rel, true)
	if err == nil {
		d.close()
	}
	return r.wrap("create directory", rel, err)
}

// SweepTemp removes temporary files that are older than TempAge at now from the
// directory rel, not from those below it, and returns how many it removed. A
// directory that does not exist has none.
func (r *Root) SweepTemp(rel string, now time.Time) (removed int, err error) {
	removed, err = r.sweepTemp(rel, now)
	return removed, r.wrap("sweep", rel, err)
}

func (r *Root) sweepTemp(rel string, now time.Time) (int, error) {
	d, err := r.walk(rel, false)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer d.close()
	entries, err := d.entries(-1)
	if err != nil {
		return 0, err
	}
	removed := 0
	var errs []error
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), TempPrefix) || !e.Type().IsRegular() {
			continue
		}
		info, err := d.Lstat(e.Name())
		if err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) <= TempAge {
			continue
		}
		switch err := d.Remove(e.Name()); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

// directory is a directory held open during one operation.
type directory struct {
	*os.Root
	owned bool // to be closed after use: not the root itself
}

func (d directory) close() {
	if d.owned {
		_ = d.Root.Close()
	}
}

// parent opens the directory that holds rel and returns the last component.
func (r *Root) parent(rel string, create bool) (directory, string, error) {
	if rel == "." || !valid(rel) {
		return directory{}, "", ErrInvalidPath
	}
	dir, name := path.Split(rel)
	d, err := r.walk(path.Clean("./"+dir), create)
	return d, name, err
}

// walk opens the directory rel component by component.
func (r *Root) walk(rel string, create bool) (directory, error) {
	d := directory{Root: r.root}
	if rel == "." {
		return d, nil
	}
	if !valid(rel) {
		return directory{}, ErrInvalidPath
	}
	at := ""
	for name := range strings.SplitSeq(rel, "/") {
		at = path.Join(at, name)
		next, err := d.descend(name)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err = d.Mkdir(name, 0o755); err == nil || errors.Is(err, fs.ErrExist) {
				next, err = d.descend(name)
			}
		}
		d.close()
		if err != nil {
			if at != rel && !errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("its parent %s: %w", at, err)
			}
			return directory{}, err
		}
		d = next
	}
	return d, nil
}

// descend opens a subdirectory. os.Root would follow a link that stays inside
// the root; comparing the directory before and after rules that out without a
// race.
func (d directory) descend(name string) (directory, error) {
	before, err := d.Lstat(name)
	if err != nil {
		return directory{}, err
	}
	switch {
	case isLink(before):
		return directory{}, ErrSymlink
	case !before.IsDir():
		return directory{}, errors.New("is not a directory")
	}
	sub, err := d.OpenRoot(name)
	if err != nil {
		return directory{}, err
	}
	after, err := sub.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = ErrSymlink
	}
	if err != nil {
		_ = sub.Close()
		return directory{}, err
	}
	return directory{sub, true}, nil
}

// entries lists up to n entries, all if n < 0.
func (d directory) entries(n int) ([]fs.DirEntry, error) {
	f, err := d.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(n)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

// read reads a regular file that was seen as info.
func (d directory) read(name string, info fs.FileInfo) ([]byte, error) {
	f, err := d.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(info, opened) {
		if err := d.stillRegular(name); err != nil {
			return nil, err
		}
		return nil, errors.New("was replaced while it was read; run again")
	}
	size := opened.Size()
	if size > MaxFile {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, size, MaxFile)
	}
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(f, MaxFile+1)); err != nil {
		return nil, err
	}
	if buf.Len() > MaxFile {
		return nil, fmt.Errorf("%w: at most %d bytes", ErrTooLarge, MaxFile)
	}
	return buf.Bytes(), nil
}

func (d directory) stillRegular(name string) error {
	info, err := d.Lstat(name)
	if err != nil {
		return err
	}
	return regular(info)
}

// writeTemp writes data to a new temporary file and returns its name.
func (d directory) writeTemp(data []byte, mode fs.FileMode, exactMode, sync bool) (name string, err error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", err
	}
	name = TempPrefix + hex.EncodeToString(random[:])
	// O_EXCL neither follows a link nor opens what is already there. The owner
	// may write whatever the final mode says, which is set below.
	f, err := d.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err == nil && exactMode {
		err = f.Chmod(mode) // not narrowed by the umask
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		_ = d.Remove(name)
		return "", err
	}
	return name, nil
}

func isLink(info fs.FileInfo) bool {
	// Windows reports junctions and other reparse points as irregular.
	return info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0
}

func regular(info fs.FileInfo) error {
	switch {
	case isLink(info):
		return ErrSymlink
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}

// valid is fs.ValidPath for names that need not be UTF-8: git and most file
// systems hold any bytes.
func valid(rel string) bool {
	if rel == "." {
		return true
	}
	for name := range strings.SplitSeq(rel, "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return !strings.ContainsRune(rel, 0) && filepath.IsLocal(filepath.FromSlash(rel))
}

// wrap names the operation, the path and, where one is known, the next step.
func (r *Root) wrap(op, rel string, err error) error {
	if err == nil {
		return nil
	}
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch { // what they add is the temporary or relative name
	case errors.As(err, &pathErr) && err == error(pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr) && err == error(linkErr):
		err = linkErr.Err
	}
	full := rel
	if valid(rel) {
		full = filepath.Join(r.dir, filepath.FromSlash(rel))
	}
	return fmt.Errorf("%s %q: %w%s", op, full, err, hint(op, err))
}

func hint(op string, err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "; free some space and run again, unfinished files are replaced"
	case errors.Is(err, syscall.EROFS):
		return "; the file system is read-only, choose another output directory"
	case errors.Is(err, fs.ErrPermission) && op == "read":
		return "; make the file readable"
	case errors.Is(err, fs.ErrPermission):
		return "; make the directory writable or choose another output directory"
	case errors.Is(err, ErrSymlink), errors.Is(err, ErrNotRegular):
		return "; remove it or choose another output directory"
	}
	return ""
}
