package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/blevesearch/mmap-go"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// The references of a generation are a file beside its catalog, which is opened
// when first asked for: what the references of each document lead to, who uses
// each definition, what implements or overrides what, and what tools found.
//
//	magic     "PMREF", two zero bytes and the format version, a byte
//	checksum  uint32, CRC-32C of everything after it
//	toc       numRefSections times (offset uint32, length uint32) from the start
//	sections
//
// A definition is a document and the place of the symbol among those of the
// document, as in the catalog. Places behind these are the extras: definitions
// that only a precise index knows.
const (
	referencesMagic  = "PMREF\x00\x00"
	referencesFormat = 1
	referencesName   = "references"
)

// Sections of the references. Those of lists begin with an offset, uint32, for
// each document and one for the end.
const (
	refResolutions = iota // a byte a document: Resolution
	refSites              // by document: where it refers to what
	refUsers              // by document: who refers to its definitions
	refBases              // by document: what its definitions implement or override
	refDerived            // by document: what implements or overrides its definitions
	refExtras             // by document: JSON, []Extra
	refFindings           // by document: JSON, []Finding
	refNotes              // by document: JSON, what a precise index says of symbols
	refMeta               // JSON: ReferenceMeta

	numRefSections
)

// Resolution tells how the references of a document were led to definitions.
type Resolution uint8

const (
	// Unresolved: the document was not parsed, or its language has no
	// references. Nothing is known of what it uses.
	Unresolved Resolution = iota
	// ByNames: no resolver knows the rules of its language.
	ByNames
	// ByRules: a resolver of its language followed its rules.
	ByRules
	// ByIndex: a precise index of the very blob says so.
	ByIndex

	resolutionCount
)

func (r Resolution) String() string {
	return [...]string{"not resolved", "by name", "by the rules of the language", "by a precise index", "unknown"}[min(r, resolutionCount)]
}

// Definition names a definition: a document and the place of the symbol in it.
type Definition struct{ Doc, Symbol int }

// Extra is a definition that the program's own parser does not know.
type Extra struct {
	Name      string     `json:"name"`
	Kind      facts.Kind `json:"kind"`
	Container string     `json:"container,omitempty"`
	Start     uint32     `json:"start"`
	Line      uint32     `json:"line"`
}

// SymbolNote is what a precise index says of a definition.
type SymbolNote struct {
	Symbol    int    `json:"symbol"`
	Signature string `json:"signature,omitempty"`
	Doc       string `json:"doc,omitempty"`
}

// Finding is what a tool found fault with.
type Finding struct {
	Line    uint32 `json:"line"` // from 1, 0 for the file as a whole
	EndLine uint32 `json:"endLine,omitempty"`
	// Offset and OffsetEnd stand for the lines where only the bytes are known.
	Offset    uint32 `json:"offset,omitempty"`
	OffsetEnd uint32 `json:"offsetEnd,omitempty"`
	// Level is error, warning, note or none.
	Level   string `json:"level"`
	Tool    string `json:"tool"`
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"`
	// Suppressed: somebody decided that it be so.
	Suppressed bool `json:"suppressed,omitempty"`
}

// Relation leads from a definition to one that it implements or overrides, or
// back.
type Relation struct {
	Definition
	// Mark is how sure it is.
	Mark edges.Mark
}

// ReferenceMeta is what the references say of themselves.
type ReferenceMeta struct {
	// Evidence are the indexes and reports of others that were used.
	Evidence []EvidenceSummary `json:"evidence,omitempty"`
	// Sites counts edges by mark.
	Sites map[string]int `json:"sites,omitempty"`
}

// EvidenceSummary says what became of an index or a report.
type EvidenceSummary struct {
	Name     string `json:"name"`
	Kind     string `json:"kind"` // scip or sarif
	Tool     string `json:"tool"`
	Digest   string `json:"digest"`
	Revision string `json:"revision,omitempty"`
	// Files are those whose blob is the one it was made of, Changed the others.
	Files   int `json:"files"`
	Changed int `json:"changed,omitempty"`
	// Used counts the occurrences or results that were accepted on import.
	Used    int       `json:"used"`
	Refused []Refused `json:"refused,omitempty"`
}

// Refused counts what of an index or a report was refused for one reason.
type Refused struct {
	Reason  string   `json:"reason"`
	Count   int      `json:"count"`
	Samples []string `json:"samples,omitempty"`
}

// References are the open references of a generation. Safe for concurrent use.
type References struct {
	sec  [numRefSections][]byte
	docs int
	meta ReferenceMeta
}

// References opens the references of the generation, once. The error wraps
// ErrNone where the store has none, ErrCorrupt or ErrVersion.
func (s *Store) References() (*References, error) {
	s.refsOnce.Do(func() { s.refs, s.refsErr = s.openReferences() })
	return s.refs, s.refsErr
}

func (s *Store) openReferences() (*References, error) {
	if s.Manifest.References == "" {
		return nil, fmt.Errorf("open references: %w", ErrNone)
	}
	f, err := os.Open(filepath.Join(s.dir, s.gen, referencesName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("open references: %w: %w", err, ErrCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("open references: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() < int64(referencesFile.header()) {
		return nil, fmt.Errorf("open references: cut short: %w", ErrCorrupt)
	}
	mapped, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("open references: map: %w", err)
	}
	r, err := OpenReferences(mapped, s.Catalog.NumDocs())
	if err != nil {
		_ = mapped.Unmap()
		return nil, err
	}
	s.refsData = mapped
	return r, nil
}

// OpenReferences opens the bytes of references of so many documents; they must
// not change while they are in use.
func OpenReferences(data []byte, docs int) (*References, error) {
	r := &References{docs: docs}
	if err := referencesFile.open(data, r.sec[:]); err != nil {
		return nil, err
	}
	if len(r.sec[refResolutions]) != docs {
		return nil, fmt.Errorf("open references: they are those of %d documents, not of %d: %w", len(r.sec[refResolutions]), docs, ErrCorrupt)
	}
	if err := json.Unmarshal(r.sec[refMeta], &r.meta); err != nil {
		return nil, fmt.Errorf("open references: %w: %w", err, ErrCorrupt)
	}
	return r, nil
}

// Meta is what the references say of themselves.
func (r *References) Meta() *ReferenceMeta { return &r.meta }

// NumDocs is the number of documents.
func (r *References) NumDocs() int { return r.docs }

// Resolution tells how the references of a document were led to definitions.
func (r *References) Resolution(doc int) Resolution { return Resolution(r.sec[refResolutions][doc]) }

// list is what a section holds of a document.
func (r *References) list(section, doc int) []byte {
	s := r.sec[section]
	if doc < 0 || doc >= r.docs || len(s) < 4*(r.docs+1) {
		return nil
	}
	from, to := binary.LittleEndian.Uint32(s[4*doc:]), binary.LittleEndian.Uint32(s[4*doc+4:])
	if from > to || uint64(to) > uint64(len(s)) {
		return nil
	}
	return s[from:to]
}

// Sites lists what the references of a document lead to, by place.
func (r *References) Sites(doc int) []edges.Site {
	in := lister{data: r.list(refSites, doc)}
	n := in.count(3)
	if n == 0 {
		return nil
	}
	out := make([]edges.Site, 0, n)
	var targets []Definition
	at := edges.Site{}
	before := doc
	for range n {
		bits := in.byte()
		at.Kind, at.Mark = facts.RefKind(bits&7), edges.Mark(bits>>3&3)
		line := uint32(bits >> 5)
		if line == maxLineStep {
			line += uint32(in.uvarint())
		}
		at.Line += line
		at.Start += uint32(in.uvarint())
		k := in.uvarint()
		if k > uint64(len(targets)) {
			return out
		}
		if k == uint64(len(targets)) {
			before += int(in.varint())
			targets = append(targets, Definition{before, int(in.uvarint() & math.MaxInt32)})
		}
		t := targets[k]
		if in.bad || t.Doc < 0 || t.Doc >= r.docs {
			return out
		}
		at.Doc, at.Symbol = int32(t.Doc), int32(t.Symbol)
		out = append(out, at)
	}
	return out
}

// Users lists the documents that refer to a definition, sorted, its own included.
func (r *References) Users(d Definition) []int {
	for symbol, docs := range r.UsersIn(d.Doc) {
		if symbol >= d.Symbol {
			if symbol == d.Symbol {
				return slices.Clone(docs)
			}
			break
		}
	}
	return nil
}

// UsersIn goes through the definitions of a document that are referred to, in
// their order, with the documents that do, sorted. The slice is good until the
// next one.
func (r *References) UsersIn(doc int) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		in := lister{data: r.list(refUsers, doc)}
		symbol := -1
		var users []int
		for len(in.data) > 0 && !in.bad {
			symbol += 1 + int(in.uvarint()&math.MaxInt32)
			users = users[:0]
			user := -1
			for range in.count(1) {
				user += 1 + int(in.uvarint()&math.MaxInt32)
				if user < r.docs && !in.bad {
					users = append(users, user)
				}
			}
			if !yield(symbol, users) {
				return
			}
		}
	}
}

// Use is a reference to a definition.
type Use struct {
	// Doc is the document that refers.
	Doc int
	edges.Site
}

// UsesOf lists the references to a definition by document and place.
func (r *References) UsesOf(d Definition) []Use {
	var out []Use
	for _, doc := range r.Users(d) {
		for _, s := range r.Sites(doc) {
			if int(s.Doc) == d.Doc && int(s.Symbol) == d.Symbol {
				out = append(out, Use{doc, s})
			}
		}
	}
	return out
}

// Bases lists what a definition implements, extends or overrides.
func (r *References) Bases(d Definition) []Relation { return r.relations(refBases, d) }

// Derived lists what implements, extends or overrides a definition.
func (r *References) Derived(d Definition) []Relation { return r.relations(refDerived, d) }

func (r *References) relations(section int, d Definition) []Relation {
	in := lister{data: r.list(section, d.Doc)}
	symbol := -1
	for len(in.data) > 0 && !in.bad {
		symbol += 1 + int(in.uvarint()&math.MaxInt32)
		n := in.count(3)
		if symbol > d.Symbol {
			return nil
		}
		var out []Relation
		doc := d.Doc
		for range n {
			mark := edges.Mark(in.byte() & 3)
			doc += int(in.varint())
			s := int(in.uvarint() & math.MaxInt32)
			if doc >= 0 && doc < r.docs && !in.bad {
				out = append(out, Relation{Definition{doc, s}, mark})
			}
		}
		if symbol == d.Symbol {
			return out
		}
	}
	return nil
}

// Extras are definitions of a document that only a precise index knows; the
// first one is numbered behind the last symbol of the catalog.
func (r *References) Extras(doc int) []Extra {
	var out []Extra
	_ = r.decode(refExtras, doc, &out)
	return out
}

// Findings are what tools found fault with in a document.
func (r *References) Findings(doc int) []Finding {
	var out []Finding
	_ = r.decode(refFindings, doc, &out)
	return out
}

// Note is what a precise index says of a definition.
func (r *References) Note(d Definition) (SymbolNote, bool) {
	var list []SymbolNote
	_ = r.decode(refNotes, d.Doc, &list)
	for _, n := range list {
		if n.Symbol == d.Symbol {
			return n, true
		}
	}
	return SymbolNote{}, false
}

func (r *References) decode(section, doc int, out any) error {
	data := r.list(section, doc)
	if len(data) == 0 {
		return nil
	}
	return json.Unmarshal(data, out)
}

// lister reads numbers; bad is set behind the end.
type lister struct {
	data []byte
	bad  bool
}

func (l *lister) byte() byte {
	if len(l.data) == 0 {
		l.bad = true
		return 0
	}
	b := l.data[0]
	l.data = l.data[1:]
	return b
}

func (l *lister) uvarint() uint64 {
	v, n := binary.Uvarint(l.data)
	if n <= 0 {
		l.bad, l.data = true, nil
		return 0
	}
	l.data = l.data[n:]
	return v
}

func (l *lister) varint() int64 {
	v, n := binary.Varint(l.data)
	if n <= 0 {
		l.bad, l.data = true, nil
		return 0
	}
	l.data = l.data[n:]
	return v
}

// count reads the length of a list whose elements take so many bytes at least.
func (l *lister) count(size int) int {
	return int(min(l.uvarint(), uint64(len(l.data)/size)))
}
