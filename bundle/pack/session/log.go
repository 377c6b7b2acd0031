package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/project-map/project-map/bundle/pack"
)

var (
	// ErrNone says that a session has no log.
	ErrNone = errors.New("there is no such session")
	// ErrCorrupt says that a log holds something that no event is, before its last
	// line.
	ErrCorrupt = errors.New("the log is damaged")
	// ErrForeign says that an event belongs to another session.
	ErrForeign = errors.New("the event belongs to another session")
)

// Torn is an unfinished last line.
type Torn struct {
	Line  int // number, from 1
	Bytes int
}

func (t *Torn) String() string {
	return fmt.Sprintf("line %d was not finished (%d bytes), probably by a crash; it does not count", t.Line, t.Bytes)
}

// Log is the log of one session.
type Log struct {
	session pack.SessionID
	codec   *pack.EventCodec
	dir     string // of the logs
	name    string // of the file without its extension
}

// Log gives the log of a session, which need not be there yet.
func (s *Store) Log(id pack.SessionID, codec *pack.EventCodec) (*Log, error) {
	if err := pack.CheckName("session", string(id)); err != nil {
		return nil, err
	}
	return &Log{id, codec, filepath.Join(s.dir, eventsName), fileName(id)}, nil
}

// fileName is readable as far as a session's name is simple, and different for
// different names, on file systems that ignore case as well.
func fileName(id pack.SessionID) string {
	const most = 40
	var b strings.Builder
	for _, r := range strings.ToLower(string(id)) {
		if b.Len() == most {
			break
		}
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if n := b.Len(); n > 0 && b.String()[n-1] != '-' {
			b.WriteByte('-')
		}
	}
	sum := sha256.Sum256([]byte(id))
	return strings.TrimLeft(strings.Trim(b.String(), "-")+"-"+hex.EncodeToString(sum[:16]), "-")
}

// Path is where the log is, for messages.
func (l *Log) Path() string { return filepath.Join(l.dir, l.name+".jsonl") }

// Append adds events by one write. It waits for others that append. An
// unfinished last line that a crash left is taken away and reported.
func (l *Log) Append(ctx context.Context, events ...pack.Event) (*Torn, error) {
	torn, err := l.append(ctx, events)
	if err != nil {
		return torn, fmt.Errorf("append to the log of session %q: %w", l.session, err)
	}
	return torn, nil
}

func (l *Log) append(ctx context.Context, events []pack.Event) (*Torn, error) {
	var lines []byte
	for _, e := range events {
		if id, ok := pack.SessionOf(e); ok && id != l.session {
			return nil, fmt.Errorf("%w, %q", ErrForeign, id)
		}
		line, err := l.codec.Encode(e)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, line...), '\n')
	}
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	lockName := l.name + ".lock"
	if err := regularOrNone(root, lockName); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(l.dir, lockName), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return nil, fmt.Errorf("take the lock: %w", err)
	}
	defer lock.Unlock()

	f, err := openRegular(root, l.name+".jsonl", os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	tail, err := tailOf(f, size)
	if err != nil {
		return nil, err
	}
	var torn *Torn
	if len(tail) > 0 {
		if _, err := l.codec.Decode(tail); !unfinished(err) {
			lines = append([]byte{'\n'}, lines...) // whole, but for its line break
		} else {
			before, err := linesBefore(f, size-int64(len(tail)))
			if err != nil {
				return nil, err
			}
			torn = &Torn{before + 1, len(tail)}
			size -= int64(len(tail))
			if err := f.Truncate(size); err != nil {
				return torn, err
			}
		}
	}
	if len(lines) == 0 {
		return torn, nil
	}
	if _, err := f.Write(lines); err != nil {
		// Half a batch must not stay: it would be read as if the rest never was.
		_ = f.Truncate(size)
		return torn, err
	}
	return torn, f.Sync()
}

// unfinished tells from what decoding a last line without a line break gave
// whether it was cut. No proper beginning of a JSON object is one, so an event
// that decodes, or would in a newer program, is whole.
func unfinished(err error) bool { return err != nil && !errors.Is(err, pack.ErrUnknownEvent) }

// tailOf reads what stands behind the last line break.
func tailOf(f *os.File, size int64) ([]byte, error) {
	const step = 64 << 10
	var tail []byte
	for at := size; at > 0; {
		n := min(at, step)
		at -= n
		buf := make([]byte, n)
		if _, err := f.ReadAt(buf, at); err != nil {
			return nil, err
		}
		if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
			return append(buf[i+1:], tail...), nil
		}
		tail = append(buf, tail...)
	}
	return tail, nil
}

func linesBefore(f *os.File, end int64) (int, error) {
	data, err := io.ReadAll(io.NewSectionReader(f, 0, end))
	return bytes.Count(data, []byte{'\n'}), err
}

// Reading is what a log holds.
type Reading struct {
	Events []pack.Event
	// Torn is the unfinished last line, nil if there is none.
	Torn *Torn
}

// Read reads the whole log. Errors wrap ErrNone when there is none, ErrCorrupt
// or ErrForeign when a whole line is not an event of this session.
func (l *Log) Read() (*Reading, error) {
	r, err := l.read()
	if err != nil {
		return nil, fmt.Errorf("read the log of session %q: %w", l.session, err)
	}
	return r, nil
}

func (l *Log) read() (*Reading, error) {
	root, err := os.OpenRoot(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := openRegular(root, l.name+".jsonl", os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	return l.decode(data)
}

// decode reads the bytes of a log.
func (l *Log) decode(data []byte) (*Reading, error) {
	out := &Reading{Events: []pack.Event{}}
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte{'\n'})
		data = rest
		e, err := l.codec.Decode(line)
		switch {
		case !whole && unfinished(err):
			out.Torn = &Torn{n, len(line)}
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("%w: line %d: %w", ErrCorrupt, n, err)
		}
		if id, ok := pack.SessionOf(e); ok && id != l.session {
			return nil, fmt.Errorf("line %d: %w, %q", n, ErrForeign, id)
		}
		out.Events = append(out.Events, e)
	}
	return out, nil
}

// Source makes a log an EventSource, for its own session alone.
type Source struct {
	Log *Log
	// Torn is told of an unfinished last line; may be nil.
	Torn func(*Torn)
}

// Events implements pack.EventSource.
func (s Source) Events(id pack.SessionID) ([]pack.Event, error) {
	if id != s.Log.session {
		return nil, fmt.Errorf("session %q was asked for in the log of %q: %w", id, s.Log.session, ErrForeign)
	}
	r, err := s.Log.Read()
	if err != nil {
		return nil, err
	}
	if r.Torn != nil && s.Torn != nil {
		s.Torn(r.Torn)
	}
	return r.Events, nil
}

// regularOrNone refuses what is there and is not a regular file.
func regularOrNone(root *os.Root, name string) error {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file; remove it and run again", filepath.Join(root.Name(), name))
	}
	return err
}

// openRegular opens a file without following a link, not even one that appears
// in between.
func openRegular(root *os.Root, name string, flag int) (*os.File, error) {
	if err := regularOrNone(root, name); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, flag, 0o600)
	if err != nil {
		return nil, err
	}
	opened, err := f.Stat()
	if err == nil {
		var now fs.FileInfo
		if now, err = root.Lstat(name); err == nil && !os.SameFile(opened, now) {
			err = fmt.Errorf("%s changed while it was opened; run again", filepath.Join(root.Name(), name))
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
