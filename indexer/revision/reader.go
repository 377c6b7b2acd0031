package revision

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

const blobObject = plumbing.BlobObject

// Reader returns the bytes of entries. It belongs to one goroutine.
type Reader interface {
	// Read returns bytes whose BlobID is the entry's: a file's content, a
	// link's target. The caller owns them. The errors are ErrMissing,
	// ErrTooLarge, ErrChanged, ErrNoContent (a submodule), ErrCorrupt, and
	// those of the file system.
	Read(e Entry) ([]byte, error)
	Close() error
}

// ReaderOption configures a Reader.
type ReaderOption func(*readerConfig)

type readerConfig struct{ maxSize int64 }

// WithMaxSize makes Read return ErrTooLarge for contents of more than n bytes,
// without loading them. 0 means no limit.
func WithMaxSize(n int64) ReaderOption { return func(c *readerConfig) { c.maxSize = n } }

// Reader opens a reader of the snapshot's entries. Each goroutine needs its
// own; several share no more than the repository's pack indexes.
func (s *Snapshot) Reader(options ...ReaderOption) (Reader, error) {
	var c readerConfig
	for _, o := range options {
		o(&c)
	}
	blobs := &blobReader{or: s.repo.objects.reader(), limit: c.maxSize}
	if s.Kind != Worktree {
		return blobs, nil
	}
	root, err := os.OpenRoot(s.repo.worktree)
	if err != nil {
		return nil, fmt.Errorf("open work tree: %w", err)
	}
	return &diskReader{s: s, root: root, blobs: blobs}, nil
}

// blobReader reads from the object store.
type blobReader struct {
	or    *objectReader
	limit int64
}

func (b *blobReader) Read(e Entry) ([]byte, error) {
	if e.Mode == Submodule {
		return nil, fmt.Errorf("read %q: %w: it is a submodule", e.Path, ErrNoContent)
	}
	data, err := b.or.readAs(blobObject, e.Blob, b.limit)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", e.Path, err)
	}
	return data, nil
}

func (b *blobReader) Close() error { return b.or.Close() }

// diskReader reads from the work tree.
type diskReader struct {
	s     *Snapshot
	root  *os.Root
	blobs *blobReader
}

func (d *diskReader) Close() error { return errors.Join(d.root.Close(), d.blobs.Close()) }

// Read prefers the disk. Where the bytes there do not have the entry's id - a
// clean filter lies between, or the file has changed or vanished since - the
// object store may hold the listed content still.
func (d *diskReader) Read(e Entry) ([]byte, error) {
	if e.Mode == Submodule || d.s.offDisk[e.Path] {
		return d.blobs.Read(e)
	}
	data, err := readInRoot(d.root, e.Path, d.blobs.limit)
	if errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("read %q: %w", e.Path, err)
	}
	if err == nil {
		if BlobID(data) == e.Blob {
			return data, nil
		}
		if e.Mode != Symlink {
			if c := d.s.repo.conversion(d.s.attributes, e.Path); c != convertNone {
				if data = normalise(data, c); BlobID(data) == e.Blob {
					return data, nil
				}
			}
		}
		err = ErrChanged
	} else if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		err = ErrMissing
	}
	if !e.Blob.IsZero() {
		stored, storeErr := d.blobs.Read(e)
		if storeErr == nil || errors.Is(storeErr, ErrTooLarge) {
			return stored, storeErr
		}
	}
	if errors.Is(err, ErrMissing) {
		return nil, fmt.Errorf("read %q: %w: it vanished after it was listed", e.Path, ErrMissing)
	}
	return nil, fmt.Errorf("read %q: %w", e.Path, err)
}

var errNotRegular = errors.New("not a regular file")

// readWithin reads a regular file below root, never through a link out of it.
func readWithin(root, path string, limit int64) ([]byte, error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	f, _, err := openRegular(r, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAllLimited(f, limit)
}

// readInRoot reads a regular file, or the target of a symbolic link.
func readInRoot(root *os.Root, path string, limit int64) ([]byte, error) {
	local := filepath.FromSlash(path)
	info, err := root.Lstat(local)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := root.Readlink(local)
		if err != nil {
			return nil, err
		}
		return []byte(filepath.ToSlash(target)), nil
	}
	f, size, err := openRegular(root, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if limit > 0 && size > limit {
		return nil, fmt.Errorf("%d bytes, limit %d: %w", size, limit, ErrTooLarge)
	}
	// A file that grows while it is read must not fill the memory.
	data := make([]byte, size+1)
	n, err := io.ReadFull(f, data)
	switch {
	case err == nil:
		return nil, ErrChanged
	case err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, err
	}
	return data[:n:n], nil
}

// openRegular opens a regular file without following a link at its end and
// without waiting on a pipe.
func openRegular(root *os.Root, path string) (*os.File, int64, error) {
	local := filepath.FromSlash(path)
	before, err := root.Lstat(local)
	if err != nil {
		return nil, 0, err
	}
	if !before.Mode().IsRegular() {
		return nil, 0, errNotRegular
	}
	f, err := root.OpenFile(local, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, 0, err
	}
	// The path may have been replaced in between.
	after, err := f.Stat()
	if err == nil && !os.SameFile(before, after) {
		err = ErrChanged
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, after.Size(), nil
}
