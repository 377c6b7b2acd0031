package sarif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
)

var (
	// ErrFormat: the file is no SARIF report, or damaged.
	ErrFormat = errors.New("no valid SARIF report")
	// ErrLimit: the report is larger than the limits allow.
	ErrLimit = errors.New("SARIF report exceeds a limit")
)

// Limits bound what is read of a report.
type Limits struct {
	// Size is that of the file in bytes.
	Size int64
	// Depth is how deep values may be nested.
	Depth int
	// Runs and Results are numbers in the whole report.
	Runs, Results int
	// Declared is the memory in bytes for what all runs declare: rules, files and
	// base uris.
	Declared int
	// Message is the length of a message in bytes; a longer one is cut.
	Message int
	// Details is how many related locations, arguments and fingerprints of a
	// result are kept; further ones are left out.
	Details int
}

// DefaultLimits hold for any report of a real tool. Reading needs at most about
// 300 MB with them; real reports need some 5 MB.
var DefaultLimits = Limits{
	Size: 16 << 30, Depth: 1000, Runs: 10_000, Results: 50_000_000,
	Declared: 128 << 20, Message: 16 << 10, Details: 100,
}

// maxSamples bounds the samples that are kept for a reason.
const maxSamples = 5

// Reader reads the results of a report one after the other. It is used by one
// goroutine.
type Reader struct {
	name   string
	in     io.ReaderAt
	roots  []string
	limits Limits
	kept   int
	runs   []*run

	current int // run
	lex     *lexer
	started bool // within the array of results
	read    int
	left    int // bytes of messages that may still be kept of a result
	err     error

	refused [reasonCount]Refusal
}

// NewReader checks the whole report and reads what its runs declare. name is the
// file, for errors. roots are absolute paths or file uris of directories whose
// contents are the repository's, on this machine or where the report was made;
// absolute uris count below them only.
func NewReader(name string, r io.ReaderAt, roots []string, limits Limits) (*Reader, error) {
	out := &Reader{name: name, in: r, limits: limits}
	for _, root := range roots {
		if p, ok := normalRoot(root); ok {
			out.roots = append(out.roots, p)
		} else {
			return nil, out.fail(fmt.Errorf("root %q: give an absolute path or a file uri", root))
		}
	}
	for i := range out.refused {
		out.refused[i].Reason = Reason(i)
	}
	if err := out.survey(); err != nil {
		return nil, out.fail(err)
	}
	return out, nil
}

func normalRoot(root string) (string, bool) {
	if !strings.HasPrefix(strings.ToLower(root), "file:") {
		// A path is no uri: what looks like an escape is part of a name.
		root = strings.ReplaceAll(root, "%", "%25")
	}
	p, kind := decodeURI(root)
	return path.Clean(p), kind == absoluteURI
}

// Runs are the runs of the report in its order.
func (r *Reader) Runs() []Run {
	out := make([]Run, len(r.runs))
	for i, one := range r.runs {
		out[i] = one.Run
	}
	return out
}

// Refused counts the results that were left out so far, by reason.
func (r *Reader) Refused() []Refusal {
	var out []Refusal
	for _, f := range r.refused {
		if f.Count > 0 {
			out = append(out, f)
		}
	}
	return out
}

func (r *Reader) refuse(why Reason, sample string) {
	f := &r.refused[why]
	if f.Count++; len(f.Samples) < maxSamples {
		f.Samples = append(f.Samples, cut(sample, 256))
	}
}

// Results yields the results that are left. It ends after an error.
func (r *Reader) Results() iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		for {
			one, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(one, err) || err != nil {
				return
			}
		}
	}
}

// Next reads the next result. At the end of the report the error is io.EOF; after
// any error it stays the same. The result is the caller's. Values of a wrong type
// within a result come to light only here, so a caller keeps no result before the
// last one was read.
func (r *Reader) Next() (*Result, error) {
	for r.err == nil {
		if r.lex == nil && !r.open() {
			r.err = io.EOF
			break
		}
		more, err := r.more()
		if err == nil && !more {
			r.lex = nil
			r.current++
			continue
		}
		if err == nil {
			if r.read++; r.read > r.limits.Results {
				err = fmt.Errorf("%w: more than %d results", ErrLimit, r.limits.Results)
			}
		}
		var out *Result
		if err == nil {
			out, err = r.readResult(r.lex, r.runs[r.current])
		}
		if err != nil {
			r.err = r.fail(err)
			break
		}
		if out != nil {
			out.Run = r.current
			return out, nil
		}
	}
	return nil, r.err
}

// open goes to the results of the next run that has some.
func (r *Reader) open() bool {
	for ; r.current < len(r.runs); r.current++ {
		if at := r.runs[r.current].results; at >= 0 {
			r.lex, r.started = newLexer(r.in, at, &r.limits), false
			return true
		}
	}
	return false
}

// more takes what stands in front of the next result.
func (r *Reader) more() (bool, error) {
	b, err := r.lex.next()
	if err == nil && !r.started {
		r.started = true
		if b != '[' {
			return false, r.changed()
		}
		if b, err = r.lex.peek(); err == nil && b == ']' {
			return false, nil
		}
		return err == nil, err
	}
	if err == nil && b != ',' && b != ']' {
		err = r.changed()
	}
	return err == nil && b == ',', err
}

// changed is the error where the grammar does not hold any more.
func (r *Reader) changed() error {
	return fmt.Errorf("%w: it changed while it was read, try again", ErrFormat)
}

func (r *Reader) fail(err error) error { return fmt.Errorf("read SARIF report %s: %w", r.name, err) }

// foreign names formats that are easily taken for a report.
var foreign = []struct{ magic, advice string }{
	{"\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first"},
	{"PK\x03\x04", "it is a zip archive: unpack it first"},
	{"\xff\xfe", "it is UTF-16: write it as UTF-8"},
	{"\xfe\xff", "it is UTF-16: write it as UTF-8"},
	{"{\x00", "it is UTF-16: write it as UTF-8"},
	{"\x00{", "it is UTF-16: write it as UTF-8"},
	{"<", "it is XML or HTML: let the tool write SARIF"},
	{"version https://git-lfs.github.com/", "it is a Git LFS pointer: fetch the file first"},
}

// survey reads the whole report without its results.
func (r *Reader) survey() error {
	var head [40]byte
	n, err := r.in.ReadAt(head[:], 0)
	if err != nil && err != io.EOF {
		return err
	}
	if n == 0 {
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head[:n], []byte(f.magic)) {
			return fmt.Errorf("%w: %s", ErrFormat, f.advice)
		}
	}
	start := int64(0)
	if bytes.HasPrefix(head[:n], []byte("\xef\xbb\xbf")) {
		start = 3 // against the format, but common
	}
	l := newLexer(r.in, start, &r.limits)
	b, err := l.peek()
	if err != nil {
		return err
	}
	if b != '{' {
		return fmt.Errorf("%w: it begins with %q and not with an object: let the tool write SARIF", ErrFormat, b)
	}
	version, runs := "", false
	err = l.object(func(key string) (err error) {
		switch key {
		case "version":
			if version, err = l.str(maxName); err == nil && !strings.HasPrefix(version, "2.1.") {
				err = fmt.Errorf("%w: its version is %.20q: let the tool write SARIF 2.1.0", ErrFormat, version)
			}
			return err
		case "runs":
			runs = true
			return l.array(func() error {
				if len(r.runs) >= r.limits.Runs {
					return fmt.Errorf("%w: more than %d runs", ErrLimit, r.limits.Runs)
				}
				one, err := r.readRun(l)
				if err == nil {
					r.runs = append(r.runs, one)
				}
				return err
			})
		}
		return l.skip()
	})
	if err == nil {
		err = l.end()
	}
	if err == nil && (version == "" || !runs) {
		err = fmt.Errorf("%w: it is JSON, but without the version or the runs of SARIF: let the tool write SARIF 2.1.0", ErrFormat)
	}
	return err
}
