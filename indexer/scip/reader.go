package scip

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"

	"google.golang.org/protobuf/encoding/protowire"
)

var (
	// ErrFormat: the file is no SCIP index, or damaged.
	ErrFormat = errors.New("no valid SCIP index")
	// ErrLimit: the index is larger than the limits allow.
	ErrLimit = errors.New("SCIP index exceeds a limit")
)

// Limits bound what is read of an index.
type Limits struct {
	// Index is the size of the whole index in bytes.
	Index int64
	// Message is the size of one document in bytes.
	Message int
	// Documents is their number.
	Documents int
	// Occurrences, Symbols and Details count within one document; details are
	// diagnostics, relationships and parts of documentation.
	Occurrences, Symbols, Details int
	// String is the size of a symbol or other name in bytes, Prose that of a
	// signature or a part of documentation.
	String, Prose int
}

// DefaultLimits hold for any index that a real repository gives: a document of
// Message bytes stands for a source file of about a quarter of that. Reading
// needs at most about 450 MB with them; real ones need some 20 MB.
var DefaultLimits = Limits{
	Index: 16 << 30, Message: 64 << 20, Documents: 2_000_000,
	Occurrences: 1_000_000, Symbols: 300_000, Details: 600_000,
	String: 64 << 10, Prose: 1 << 20,
}

// maxSamples bounds the refused paths that are kept.
const maxSamples = 20

// Reader reads the documents of an index one after the other. It is used by one
// goroutine.
type Reader struct {
	name   string
	in     *bufio.Reader
	limits Limits
	read   int64
	buf    []byte
	docs   int
	meta   Metadata
	err    error

	refused []string
	refuses int
}

// NewReader starts to read an index: it reads the metadata, which stand first.
// name is the file, for errors.
func NewReader(name string, r io.Reader, limits Limits) (*Reader, error) {
	out := &Reader{name: name, in: bufio.NewReaderSize(r, 64<<10), limits: limits}
	if err := out.start(); err != nil {
		return nil, out.fail(err)
	}
	return out, nil
}

// Metadata is what the index says of itself.
func (r *Reader) Metadata() Metadata { return r.meta }

// Refused is the number of documents that were left out because their paths are
// absolute or lead out of the repository, with a few of the paths.
func (r *Reader) Refused() (int, []string) { return r.refuses, r.refused }

// Next reads the next document. At the end of the index the error is io.EOF;
// after any error it stays the same. The document is the caller's.
func (r *Reader) Next() (*Document, error) {
	for r.err == nil {
		field, body, err := r.message()
		if err != nil {
			r.err = r.fail(err)
			break
		}
		if field != fieldDocuments {
			continue
		}
		if r.docs++; r.docs > r.limits.Documents {
			r.err = r.fail(fmt.Errorf("%w: more than %d documents", ErrLimit, r.limits.Documents))
			break
		}
		d, err := decodeDocument(body, &r.limits, r.meta.Tool)
		if err != nil {
			r.err = r.fail(fmt.Errorf("document %d: %w", r.docs, err))
			break
		}
		clean, ok := cleanPath(d.Path)
		if !ok {
			if r.refuses++; len(r.refused) < maxSamples {
				r.refused = append(r.refused, d.Path)
			}
			continue
		}
		d.Path = clean
		return d, nil
	}
	return nil, r.err
}

// Documents yields the documents that are left. It ends after an error.
func (r *Reader) Documents() iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		for {
			d, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// Fields of the message Index.
const (
	fieldMetadata  = 1
	fieldDocuments = 2
	fieldExternal  = 3
)

func (r *Reader) fail(err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("read SCIP index %s: %w", r.name, err)
}

// foreign names formats that are easily taken for an index.
var foreign = []struct{ magic, advice string }{
	{"\x1f\x8b", "it is compressed with gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", "it is compressed with zstd: unpack it first"},
	{"PK\x03\x04", "it is a zip archive: unpack it first"},
	{"{", "it looks like JSON: a SCIP index is binary (LSIF is not read)"},
	{"version https://git-lfs.github.com/", "it is a Git LFS pointer: fetch the file first"},
}

// start checks the beginning and reads the metadata. Tools write them first, as
// the format asks of streams; the format has no other mark to know it by.
func (r *Reader) start() error {
	head, err := r.in.Peek(40)
	if len(head) == 0 {
		if err != io.EOF {
			return err
		}
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return fmt.Errorf("%w: %s", ErrFormat, f.advice)
		}
	}
	if head[0] != fieldMetadata<<3|byte(protowire.BytesType) {
		return fmt.Errorf("%w: it does not begin with metadata", ErrFormat)
	}
	_, body, err := r.message()
	if err == nil {
		r.meta, err = decodeMetadata(body, &r.limits)
	}
	if err == nil && r.meta.Tool == "" && r.meta.ProjectRoot == "" {
		err = fmt.Errorf("%w: its metadata name no tool", ErrFormat)
	}
	return err
}

// message reads the next field of the index. The body holds until the next
// call and is nil for fields that are not used.
func (r *Reader) message() (protowire.Number, []byte, error) {
	tag, err := r.varint()
	if err != nil {
		return 0, nil, err
	}
	field, kind := protowire.DecodeTag(tag)
	if tag > 1<<32-1 || !field.IsValid() || kind != protowire.BytesType {
		return 0, nil, fmt.Errorf("%w: unexpected field %d of type %d at byte %d", ErrFormat, field, kind, r.read)
	}
	n, err := r.varint()
	if err != nil {
		return 0, nil, truncated(err)
	}
	if n > uint64(max(0, r.limits.Index-r.read)) {
		return 0, nil, fmt.Errorf("%w: it is larger than %d bytes, or damaged at byte %d", ErrLimit, r.limits.Index, r.read)
	}
	if field != fieldMetadata && field != fieldDocuments {
		// External symbols, and what later versions may add.
		skipped, err := io.CopyN(io.Discard, r.in, int64(n))
		r.read += skipped
		return field, nil, truncated(err)
	}
	if n > uint64(r.limits.Message) {
		return 0, nil, fmt.Errorf("%w: a document of %d bytes at byte %d, more than %d", ErrLimit, n, r.read, r.limits.Message)
	}
	body, err := r.body(int(n))
	return field, body, err
}

// body reads n bytes. The buffer grows with what is there, not with what a
// length claims.
func (r *Reader) body(n int) ([]byte, error) {
	const step = 1 << 20
	r.buf = r.buf[:0]
	for len(r.buf) < n {
		old, more := len(r.buf), min(step, n-len(r.buf))
		if cap(r.buf) < old+more {
			grown := make([]byte, old, min(n, max(2*cap(r.buf), old+more)))
			copy(grown, r.buf)
			r.buf = grown
		}
		r.buf = r.buf[:old+more]
		got, err := io.ReadFull(r.in, r.buf[old:])
		r.read += int64(got)
		if err != nil {
			return nil, truncated(err)
		}
	}
	return r.buf, nil
}

// varint reads a number; the error is io.EOF only before its first byte.
func (r *Reader) varint() (uint64, error) {
	before := r.read
	n, err := binary.ReadUvarint(countingReader{r})
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF) && r.read == before:
		return 0, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return 0, truncated(err)
	case r.read-before >= binary.MaxVarintLen64:
		return 0, fmt.Errorf("%w: a number of more than 64 bits at byte %d", ErrFormat, before)
	}
	return 0, err
}

type countingReader struct{ r *Reader }

func (c countingReader) ReadByte() (byte, error) {
	b, err := c.r.in.ReadByte()
	if err == nil {
		c.r.read++
	}
	return b, err
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends in the middle, make it again", ErrFormat)
	}
	return err
}
