package factstore

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/s2"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// Key names a record: a digest of everything that determines its bytes.
type Key = [KeySize]byte

var (
	// ErrReadOnly is returned by Put, Commit and Compact of a store that was
	// opened for reading.
	ErrReadOnly = errors.New("fact cache is open for reading only")
	// ErrClosed is returned by the methods of a closed store.
	ErrClosed = errors.New("fact cache is closed")
	// ErrTooLarge is returned by Put for a value of more than MaxRecord bytes.
	ErrTooLarge = errors.New("record is too large for the fact cache")
)

// Options adjusts a store. The zero value is the default.
type Options struct {
	// ReadOnly makes Put and Commit fail with ErrReadOnly; nothing is ever
	// created or deleted.
	ReadOnly bool
	// Now is the clock that decides when a temporary file was left behind by a
	// crash; time.Now if nil. Nothing stored depends on it.
	Now func() time.Time
}

// Problem is a segment or a record that was ignored, and why.
type Problem struct {
	Segment string // file name within the directory
	Err     error
}

func (p Problem) String() string { return p.Segment + ": " + p.Err.Error() }

// Store is an open cache. Its methods are safe for concurrent use, and several
// stores, in one process or in many, may use one directory at once: each sees
// the segments that were published when it was opened, plus its own.
type Store struct {
	dir      string
	readOnly bool
	disabled bool
	now      func() time.Time

	// Locks are taken in this order.
	pendingMu sync.Mutex
	pending   *writer // nil until something is put
	failed    error   // first failure to write; from then on nothing is written

	mu       sync.RWMutex
	closed   bool
	segments []*segment // newest first

	problemMu sync.Mutex
	problems  []Problem
	bad       map[Key]bool // keys whose only records are damaged
}

// Open opens the cache in dir. A directory that does not exist is an empty
// cache; the first Put creates it. Damaged, truncated and foreign segments are
// not an error: they are left out and listed by Problems.
func Open(dir string, opts Options) (*Store, error) {
	s := &Store{dir: dir, readOnly: opts.ReadOnly, now: opts.Now, bad: map[Key]bool{}}
	if s.now == nil {
		s.now = time.Now
	}
	segments, problems, err := openDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open fact cache: %w", err)
	}
	s.segments, s.problems = segments, problems
	return s, nil
}

// OpenReadOnly opens the cache in dir for reading.
func OpenReadOnly(dir string) (*Store, error) { return Open(dir, Options{ReadOnly: true}) }

// Disabled returns a store that holds nothing and forgets whatever is put, for
// callers that go on without a cache.
func Disabled() *Store { return &Store{disabled: true} }

// Get returns the value under key, also one that was put and not committed
// yet. A missing or damaged record is absent, not an error. The value belongs
// to the caller.
func (s *Store) Get(key Key) (value []byte, ok bool, err error) {
	if s.disabled {
		return nil, false, nil
	}
	// Pending comes first: Commit publishes under its lock, so a record that is
	// not pending any more is published already.
	s.pendingMu.Lock()
	stored, ok, err := s.pending.read(key)
	s.pendingMu.Unlock()
	if err != nil {
		return nil, false, fmt.Errorf("read fact cache: %w", err)
	}
	if ok {
		value, err = decodeRecord(stored)
		return value, err == nil, err
	}
	return s.getPublished(key)
}

// getPublished looks for a good record of key in the segments, newest first.
func (s *Store) getPublished(key Key) (value []byte, ok bool, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, false, ErrClosed
	}
	damaged := false
	for _, seg := range s.segments {
		e, found := seg.find(&key)
		if !found {
			continue
		}
		value, err := seg.value(e)
		if err == nil {
			return value, true, nil
		}
		damaged = true
		s.report(Problem{seg.name, fmt.Errorf("record %x: %w", key[:8], err)})
	}
	if damaged {
		s.problemMu.Lock()
		s.bad[key] = true
		s.problemMu.Unlock()
	}
	return nil, false, nil
}

// Has reports whether key has a record, without reading it: the record may
// still turn out to be damaged.
func (s *Store) Has(key Key) bool {
	if s.disabled {
		return false
	}
	s.pendingMu.Lock()
	_, ok := s.pending.find(key)
	s.pendingMu.Unlock()
	if ok {
		return true
	}
	s.problemMu.Lock()
	bad := s.bad[key]
	s.problemMu.Unlock()
	if bad {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, seg := range s.segments {
		if _, ok := seg.find(&key); ok {
			return true
		}
	}
	return false
}

// compressBuffers holds *[]byte scratch space for Put.
var compressBuffers = sync.Pool{New: func() any { return new([]byte) }}

// Put adds a record to the pending segment, which spills to a temporary file.
// A key that has a record already keeps it. The first failure to write (a
// read-only directory, a full disk) discards the pending segment, and every
// later Put and Commit returns the same error at once; what was published
// stays readable.
func (s *Store) Put(key Key, value []byte) error {
	switch {
	case s.disabled:
		return nil
	case s.readOnly:
		return ErrReadOnly
	case len(value) > MaxRecord:
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(value), MaxRecord)
	case s.Has(key):
		return nil
	}
	buf := compressBuffers.Get().(*[]byte)
	stored := s2.Encode((*buf)[:cap(*buf)], value)
	if cap(stored) <= spillSize {
		*buf = stored
	}
	defer compressBuffers.Put(buf)

	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.pending == nil {
		w, err := newWriter(s.dir)
		if err != nil {
			return s.fail(err)
		}
		s.pending = w
	}
	if err := s.pending.add(key, stored); err != nil {
		return s.fail(err)
	}
	s.problemMu.Lock()
	delete(s.bad, key)
	s.problemMu.Unlock()
	return nil
}

// Commit publishes the pending segment atomically. It does nothing if nothing
// was put. After an error nothing of the pending segment is published.
func (s *Store) Commit() error {
	if s.disabled {
		return nil
	}
	if s.readOnly {
		return ErrReadOnly
	}
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.pending == nil {
		return nil
	}
	name, err := s.pending.publish()
	if err != nil {
		return s.fail(err)
	}
	s.pending = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	seg, err := openFile(s.dir, name)
	if errors.Is(err, os.ErrNotExist) {
		// Another process has merged it into a larger one already.
		return s.reopen()
	}
	if err != nil {
		return fmt.Errorf("reopen the fact segment just written: %w", err)
	}
	s.segments = append([]*segment{seg}, s.segments...)
	return nil
}

// reopen replaces the open segments by those that are published now; mu is held.
func (s *Store) reopen() error {
	closeAll(s.segments)
	s.segments = nil
	segments, _, err := openDir(s.dir)
	if err != nil {
		return fmt.Errorf("reopen fact cache: %w", err)
	}
	s.segments = segments
	return nil
}

// writable returns why nothing can be written; pendingMu is held.
func (s *Store) writable() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return ErrClosed
	}
	return s.failed
}

// fail discards the pending segment for good; pendingMu is held.
func (s *Store) fail(err error) error {
	s.pending.discard()
	s.pending = nil
	s.failed = fmt.Errorf("write fact cache %s: %w%s", s.dir, err, hint(err))
	return s.failed
}

// Len returns the number of published records, counting one that stands in
// several segments several times.
func (s *Store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, seg := range s.segments {
		n += seg.len()
	}
	return n
}

// Problems lists what was ignored so far, in the order it was met.
func (s *Store) Problems() []Problem {
	s.problemMu.Lock()
	defer s.problemMu.Unlock()
	return append([]Problem(nil), s.problems...)
}

// maxProblems bounds the list of a badly damaged cache.
const maxProblems = 100

func (s *Store) report(p Problem) {
	s.problemMu.Lock()
	defer s.problemMu.Unlock()
	if len(s.problems) < maxProblems {
		s.problems = append(s.problems, p)
	}
}

// Close discards what was put and not committed, and releases the descriptors.
// It may be called more than once.
func (s *Store) Close() error {
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.pending.discard()
	s.pending = nil
	closeAll(s.segments)
	s.segments = nil
	return nil
}

func closeAll(segments []*segment) {
	for _, seg := range segments {
		seg.close()
	}
}

// hint says what to do about an error of the file system.
func hint(err error) string {
	switch {
	case isNoSpace(err):
		return " (free some space, or go on without a cache)"
	case isReadOnlyFS(err) || errors.Is(err, os.ErrPermission):
		return " (make the directory writable, or go on without a cache)"
	}
	return ""
}
