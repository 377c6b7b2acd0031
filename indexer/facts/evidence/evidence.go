// Package evidence is what programs other than this one found in files: the
// occurrences of symbols that a compiler or type checker knows, and the faults
// that linters and scanners report. Everything is bound to the blob it was found
// in, so that nothing of it outlives a change of the file.
package evidence

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"

	"github.com/project-map/project-map/indexer/facts"
)

// Set is what was imported at one time.
type Set struct {
	Sources []Source
	// Symbols are those that an occurrence of Files names.
	Symbols []Symbol
	// Files are sorted by path; several can be of one path, from several sources.
	Files []File
}

// Kinds of sources.
const (
	KindSCIP  = "scip"
	KindSARIF = "sarif"
)

// Source is an index or a report that was read.
type Source struct {
	Kind string
	// Name is what the user called it, without directories; Digest covers its
	// bytes.
	Name, Digest string
	// Revision is the commit whose files it is about, "" for the state that was
	// indexed.
	Revision string
	Tool     string
	// Accepted counts occurrences or results; Refused those that were not, by
	// reason.
	Accepted int
	Refused  []Refusal
}

// Refusal counts what was refused for one reason.
type Refusal struct {
	Reason string
	Count  int
	// Samples are a few of the paths, rules or symbols.
	Samples []string
}

// File is what a source says of a blob.
type File struct {
	Path string
	Blob facts.BlobID
	// Source is the place in Set.Sources.
	Source int32
	// Occurrences are sorted by place; for a file of a precise index they are all
	// that it refers to.
	Occurrences []Occurrence
	Findings    []Finding
}

// Occurrence is a place where a symbol stands: bytes from the start of the file,
// lines from 1.
type Occurrence struct {
	Start, End, Line uint32
	// Symbol is the place in Set.Symbols.
	Symbol     int32
	Definition bool
	Import     bool
	// Call: a list of arguments follows.
	Call bool
}

// Symbol is a definition, as the tool describes it.
type Symbol struct {
	// ID is what the tool calls it.
	ID              string
	Name, Container string
	Kind            facts.Kind
	Signature, Doc  string
	Implements      []int32 // places in Set.Symbols

	defined bool // for Prune
}

// Finding is a result of a linter or a diagnostic of a compiler.
type Finding struct {
	// Line counts from 1; 0 stands for the file as a whole.
	Line, EndLine uint32
	Level         string // error, warning, note or none
	Tool, Rule    string
	Message       string
	Suppressed    bool
}

// maxEncoded bounds what Decode reads, in bytes.
const maxEncoded = 4 << 30

// ErrFormat says that the bytes are no encoded Set.
var ErrFormat = errors.New("no evidence of this program")

// Encode gives the bytes of a set, the same for the same set.
func (s *Set) Encode() ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		return nil, fmt.Errorf("keep evidence: %w", err)
	}
	return b.Bytes(), nil
}

// Decode reads what Encode wrote. Numbers that lead nowhere are an error.
func Decode(data []byte) (*Set, error) {
	if len(data) > maxEncoded {
		return nil, fmt.Errorf("read evidence: %d bytes: %w", len(data), ErrFormat)
	}
	s := &Set{}
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(s); err != nil {
		return nil, fmt.Errorf("read evidence: %w: %w", err, ErrFormat)
	}
	for i := range s.Files {
		f := &s.Files[i]
		if f.Source < 0 || int(f.Source) >= len(s.Sources) {
			return nil, fmt.Errorf("read evidence of %s: %w", f.Path, ErrFormat)
		}
		for _, o := range f.Occurrences {
			if o.Symbol < 0 || int(o.Symbol) >= len(s.Symbols) {
				return nil, fmt.Errorf("read evidence of %s: %w", f.Path, ErrFormat)
			}
		}
	}
	for i := range s.Symbols {
		for _, t := range s.Symbols[i].Implements {
			if t < 0 || int(t) >= len(s.Symbols) {
				return nil, fmt.Errorf("read evidence of %s: %w", s.Symbols[i].Name, ErrFormat)
			}
		}
	}
	return s, nil
}

// Keep drops the sources of other kinds.
func (s *Set) Keep(keep func(kind string) bool) *Set {
	out := &Set{Symbols: s.Symbols}
	number := make([]int32, len(s.Sources))
	for i, src := range s.Sources {
		number[i] = -1
		if keep(src.Kind) {
			number[i] = int32(len(out.Sources))
			out.Sources = append(out.Sources, src)
		}
	}
	for _, f := range s.Files {
		if n := number[f.Source]; n >= 0 {
			f.Source = n
			out.Files = append(out.Files, f)
		}
	}
	out.Prune()
	return out
}

// Add takes over what another set holds, behind what is there.
func (s *Set) Add(o *Set) {
	sources, symbols := int32(len(s.Sources)), int32(len(s.Symbols))
	s.Sources = append(s.Sources, o.Sources...)
	for _, x := range o.Symbols {
		x.Implements = shift(x.Implements, symbols)
		s.Symbols = append(s.Symbols, x)
	}
	for _, f := range o.Files {
		f.Source += sources
		list := make([]Occurrence, len(f.Occurrences))
		for i, x := range f.Occurrences {
			x.Symbol += symbols
			list[i] = x
		}
		f.Occurrences = list
		s.Files = append(s.Files, f)
	}
	s.sortFiles()
}

func shift(list []int32, by int32) []int32 {
	out := make([]int32, len(list))
	for i, v := range list {
		out[i] = v + by
	}
	return out
}
