package factstore

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// spillSize is how many bytes of records a writer holds before it writes them.
const spillSize = 1 << 20

// writer builds one segment in a temporary file. It holds the entries in
// memory and at most about spillSize bytes of records. It is not safe for
// concurrent use. A nil writer is empty.
type writer struct {
	dir     string
	f       *os.File
	buf     []byte // not written yet
	written int64
	entries map[Key]entry
}

// newWriter creates the directory, if need be, and the temporary file.
func newWriter(dir string) (*writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, tempPrefix+hex.EncodeToString(random[:]))
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	return &writer{dir: dir, f: f, buf: appendHeader(nil), entries: map[Key]entry{}}, nil
}

func (w *writer) size() int64 { return w.written + int64(len(w.buf)) }

func (w *writer) find(key Key) (entry, bool) {
	if w == nil {
		return entry{}, false
	}
	e, ok := w.entries[key]
	return e, ok
}

// add appends a record, unless the key has one already.
func (w *writer) add(key Key, stored []byte) error {
	if _, ok := w.entries[key]; ok {
		return nil
	}
	if len(w.entries) == math.MaxUint32 {
		return errors.New("too many records in one segment")
	}
	w.entries[key] = entry{key: key, off: w.size(), len: uint32(len(stored)), sum: recordSum(&key, stored)}
	w.buf = append(w.buf, stored...)
	if len(w.buf) >= spillSize {
		return w.spill()
	}
	return nil
}

func (w *writer) spill() error {
	n, err := w.f.Write(w.buf)
	w.written += int64(n)
	if err != nil {
		return err
	}
	w.buf = w.buf[:0]
	return nil
}

// read returns the stored bytes of a record that was added.
func (w *writer) read(key Key) ([]byte, bool, error) {
	e, ok := w.find(key)
	if !ok {
		return nil, false, nil
	}
	if e.off >= w.written {
		at := e.off - w.written
		return append([]byte(nil), w.buf[at:at+int64(e.len)]...), true, nil
	}
	stored, err := readStored(w.f, e, nil)
	return stored, err == nil, err
}

// publish completes the segment and renames it into place. After an error the
// writer has to be discarded.
func (w *writer) publish() (name string, err error) {
	entries := make([]entry, 0, len(w.entries))
	for _, e := range w.entries {
		entries = append(entries, e)
	}
	indexOff := w.size()
	index := appendIndex(make([]byte, 0, len(entries)*entrySize), entries)
	w.buf = append(w.buf, index...)
	w.buf = appendFooter(w.buf, indexOff, index)
	if err := w.spill(); err != nil {
		return "", err
	}
	if err := w.f.Sync(); err != nil {
		return "", fmt.Errorf("sync %s: %w", filepath.Base(w.f.Name()), err)
	}
	if err := w.f.Close(); err != nil {
		return "", err
	}
	name = segmentName(index)
	if err := os.Rename(w.f.Name(), filepath.Join(w.dir, name)); err != nil {
		return "", err
	}
	syncDir(w.dir)
	return name, nil
}

// discard removes the temporary file.
func (w *writer) discard() {
	if w == nil {
		return
	}
	_ = w.f.Close()
	_ = os.Remove(w.f.Name())
}
