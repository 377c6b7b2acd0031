package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/project-map/project-map/indexer/facts"
)

// The catalog is the compiled form of all that a query ranks by. It is one
// file that is mapped into memory and read in place, so opening costs no
// parsing.
//
//	magic     "PMCAT", two zero bytes and the format version, a byte
//	checksum  uint32, CRC-32C of everything after it
//	toc       numSections times (offset uint32, length uint32) from the start
//	sections
//
// All integers are little endian. A string is the offset, into the section
// strings, of its length as a uvarint and its bytes; every distinct string
// stands there once. Records are rows of uint32. Documents are numbered by
// their path in byte order, directories likewise.
const (
	catalogMagic  = "PMCAT"
	catalogFormat = 2
)

// Sections of the catalog.
const (
	secStrings      = iota // bytes
	secDocs                // docSize a document
	secDirs                // dirSize a directory
	secSymbols             // symbolSize a symbol, by document and place
	secNames               // nameSize a distinct symbol name, in byte order
	secNameRefs            // uint32 symbol numbers, grouped by name
	secFolded              // uint32 name numbers, ordered by lower-cased name
	secBlocks              // uint32 offset into secTerms of each block of terms
	secTerms               // blocks of front-coded terms
	secPostings            // postings, see encodePostings
	secImports             // uint32 document numbers, grouped by importing document
	secBlobs               // the git object id of each document, 20 bytes
	secCommits             // commitSize a commit of the past, newest first
	secCommitDocs          // uint32 document numbers, grouped by commit
	secCommitBlocks        // as secBlocks, secTerms and secPostings, with commits in
	secCommitTerms         // place of documents and one count
	secCommitLists
	secMeta // JSON: Meta

	numSections
)

// blockTerms is how many terms are front-coded together.
const blockTerms = 16

// Columns of a document, a directory, a symbol and a name.
const (
	docPath    = iota
	docKinds   // language << 16 | reason, both numbers of Meta.Enums
	docPackage // string
	docSummary // string
	docBytes
	docLines
	docDir
	docSymbols // number of its first symbol
	docFlags   // traits << 16 | role
	docState   // nature << 16 | mode << 8 | depth
	docFamily  // number of Meta.Enums
	docLengths // NumFields columns

	docSize = 4 * (docLengths + NumFields)

	dirPath   = 0
	dirParent = 1
	dirSize   = 4 * 2

	symName      = 0 // number of a name
	symContainer = 1
	symSignature = 2
	symSummary   = 3
	symBits      = 4 // visibility << 24 | kind << 16 | flags
	symLine      = 5
	symEndLine   = 6
	symDoc       = 7
	symbolSize   = 4 * 8

	commitTime  = 0 // seconds since 1970
	commitWords = 1
	commitFiles = 2 // how many it touched, those that are gone included
	commitDocs  = 3 // place of the first in secCommitDocs
	commitSize  = 4 * 4

	nameText  = 0
	nameFirst = 1 // place in secNameRefs
	nameCount = 2
	nameSize  = 4 * 3
)

// Fields of the words of a document: those of the facts, and two that follow
// from its path.
const (
	FieldDefs    = int(facts.FieldDefs)
	FieldDoc     = int(facts.FieldDoc)
	FieldStrings = int(facts.FieldStrings)
	FieldImports = int(facts.FieldImports)
	FieldBody    = int(facts.FieldBody)
	// FieldPath holds the words of the path without its extension.
	FieldPath = int(facts.NumFields)
	// FieldName holds the words of the file's name, or of its directory's where
	// the file stands for it (index.js, __init__.py).
	FieldName = int(facts.NumFields) + 1

	NumFields = int(facts.NumFields) + 2
)

// ErrCorrupt says that a file of the store is damaged or cut short.
var ErrCorrupt = errors.New("the store is damaged")

// ErrVersion says that the store was written by another version.
var ErrVersion = errors.New("the store was written by another version of project-map")

// Doc is a file of the revision.
type Doc struct {
	Path     string
	Language string
	Family   string // ecosystem of a programming language, else ""
	Nature   facts.Nature
	Package  string
	Summary  string
	Role     facts.Role
	Depth    facts.Depth
	Reason   facts.Reason
	Traits   facts.Traits
	Mode     facts.Mode
	Blob     facts.BlobID
	Size     uint32 // bytes
	Lines    uint32
	Dir      int               // number of the directory
	Lengths  [NumFields]uint32 // words of each field
}

// Aside tells whether the symbols and the package of a file are there for
// look-ups of definitions only, not for ranking: it is generated, and was
// read for its words.
func (d *Doc) Aside() bool { return d.Depth == facts.Words && d.Reason == facts.ReasonGenerated }

// Dir is a directory of the revision, with what its artifacts say.
type Dir struct {
	Path    string // "" is the root
	Parent  int    // -1 for the root
	Summary string
	Tags    []string
	// HasMap tells whether the directory has a pair of artifacts.
	HasMap bool
	// UsedBy are the directories whose maps depend on this one, sorted.
	UsedBy []string
}

// Symbol is a definition.
type Symbol struct {
	Name       string
	Container  string
	Signature  string
	Summary    string // first sentence of the documentation
	Kind       facts.Kind
	Visibility facts.Visibility
	Flags      facts.SymbolFlags
	Doc        int
	Line       uint32
	EndLine    uint32
}

// Posting is how often a term occurs in a document, by field.
type Posting struct {
	Doc    int
	Counts [NumFields]uint16
}

// Catalog is an open catalog. It is safe for concurrent use.
type Catalog struct {
	data []byte
	sec  [numSections][]byte
	meta Meta

	dirs []Dir
}

// OpenCatalog opens the bytes of a catalog, which must not change while it is
// in use. It returns an error that wraps ErrCorrupt or ErrVersion.
func OpenCatalog(data []byte) (*Catalog, error) {
	c := &Catalog{data: data}
	if err := catalogFile.open(data, c.sec[:]); err != nil {
		return nil, err
	}
	for i, size := range map[int]int{secDocs: docSize, secDirs: dirSize, secSymbols: symbolSize, secNames: nameSize, secCommits: commitSize} {
		if len(c.sec[i])%size != 0 {
			return nil, fmt.Errorf("open catalog: section %d: %w", i, ErrCorrupt)
		}
	}
	if err := c.meta.decode(c.sec[secMeta]); err != nil {
		return nil, fmt.Errorf("open catalog: %w: %w", err, ErrCorrupt)
	}
	c.dirs = make([]Dir, len(c.sec[secDirs])/dirSize)
	for i := range c.dirs {
		r := record(c.sec[secDirs][i*dirSize:])
		d := Dir{Path: c.str(r.u32(dirPath)), Parent: int(int32(r.u32(dirParent)))}
		if d.Parent >= i {
			return nil, fmt.Errorf("open catalog: directory %d: %w", i, ErrCorrupt)
		}
		if i < len(c.meta.Dirs) {
			m := c.meta.Dirs[i]
			d.Summary, d.Tags, d.HasMap, d.UsedBy = m.Summary, m.Tags, m.HasMap, m.UsedBy
		}
		c.dirs[i] = d
	}
	return c, nil
}

type record []byte

func (r record) u32(i int) uint32 { return binary.LittleEndian.Uint32(r[4*i:]) }

func (c *Catalog) str(off uint32) string {
	s := c.sec[secStrings]
	if uint64(off) >= uint64(len(s)) {
		return ""
	}
	n, k := binary.Uvarint(s[off:])
	if k <= 0 || n > uint64(len(s))-uint64(off)-uint64(k) {
		return ""
	}
	return string(s[uint64(off)+uint64(k):][:n])
}

// Meta is what was noted of the revision as a whole.
func (c *Catalog) Meta() *Meta { return &c.meta }

// NumDocs is the number of files.
func (c *Catalog) NumDocs() int { return len(c.sec[secDocs]) / docSize }

// Doc is the file of a number in [0, NumDocs).
func (c *Catalog) Doc(i int) Doc {
	r := record(c.sec[secDocs][i*docSize:])
	d := Doc{
		Path:     c.str(r.u32(docPath)),
		Language: c.meta.enum(r.u32(docKinds) >> 16),
		Family:   c.meta.enum(r.u32(docFamily)),
		Nature:   facts.Nature(r.u32(docState) >> 16),
		Reason:   facts.Reason(c.meta.enum(r.u32(docKinds) & 0xffff)),
		Package:  c.str(r.u32(docPackage)),
		Summary:  c.str(r.u32(docSummary)),
		Role:     facts.Role(r.u32(docFlags)),
		Traits:   facts.Traits(r.u32(docFlags) >> 16),
		Depth:    facts.Depth(r.u32(docState)),
		Mode:     facts.Mode(r.u32(docState) >> 8 & 0xff),
		Size:     r.u32(docBytes),
		Lines:    r.u32(docLines),
		Dir:      min(int(r.u32(docDir)), len(c.dirs)-1),
	}
	for f := range d.Lengths {
		d.Lengths[f] = r.u32(docLengths + f)
	}
	if ids := c.sec[secBlobs]; len(ids) >= (i+1)*len(d.Blob) {
		copy(d.Blob[:], ids[i*len(d.Blob):])
	}
	return d
}

// Path is the path of a document; cheaper than Doc.
func (c *Catalog) Path(i int) string {
	return c.str(record(c.sec[secDocs][i*docSize:]).u32(docPath))
}

// DocByPath finds a document by its exact path.
func (c *Catalog) DocByPath(path string) (int, bool) {
	n := c.NumDocs()
	i := sort.Search(n, func(i int) bool { return c.Path(i) >= path })
	return i, i < n && c.Path(i) == path
}

// Dirs lists the directories, parents first. The slice must not be changed.
func (c *Catalog) Dirs() []Dir { return c.dirs }

// DirByPath finds a directory; "" is the root.
func (c *Catalog) DirByPath(path string) (int, bool) {
	i := sort.Search(len(c.dirs), func(i int) bool { return c.dirs[i].Path >= path })
	return i, i < len(c.dirs) && c.dirs[i].Path == path
}

// symbolRange gives the half-open range of symbols of a document.
func (c *Catalog) symbolRange(doc int) (int, int) {
	first := func(i int) int {
		if i == c.NumDocs() {
			return c.NumSymbols()
		}
		return int(record(c.sec[secDocs][i*docSize:]).u32(docSymbols))
	}
	from, to := first(doc), first(doc+1)
	if from > to || to > c.NumSymbols() {
		return 0, 0
	}
	return from, to
}

// NumSymbols is the number of definitions.
func (c *Catalog) NumSymbols() int { return len(c.sec[secSymbols]) / symbolSize }

// Symbol is the definition of a number in [0, NumSymbols).
func (c *Catalog) Symbol(i int) Symbol {
	r := record(c.sec[secSymbols][i*symbolSize:])
	bits := r.u32(symBits)
	s := Symbol{
		Container: c.str(r.u32(symContainer)), Signature: c.str(r.u32(symSignature)), Summary: c.str(r.u32(symSummary)),
		Flags: facts.SymbolFlags(bits), Kind: facts.Kind(bits >> 16), Visibility: facts.Visibility(bits >> 24),
		Line: r.u32(symLine), EndLine: r.u32(symEndLine), Doc: min(int(r.u32(symDoc)), c.NumDocs()-1),
	}
	if name := int(r.u32(symName)); name < c.NumNames() {
		s.Name = c.Name(name)
	}
	return s
}

// SymbolsOf lists the definitions of a document in their order.
func (c *Catalog) SymbolsOf(doc int) []Symbol {
	first, last := c.symbolRange(doc)
	out := make([]Symbol, 0, last-first)
	for i := first; i < last; i++ {
		out = append(out, c.Symbol(i))
	}
	return out
}

// NumNames is the number of distinct symbol names; Name gives one, in byte
// order.
func (c *Catalog) NumNames() int { return len(c.sec[secNames]) / nameSize }

func (c *Catalog) Name(i int) string {
	return c.str(record(c.sec[secNames][i*nameSize:]).u32(nameText))
}

// Imports lists the documents that a document's import clauses resolve to.
func (c *Catalog) Imports(doc int) []int {
	sec := c.sec[secImports]
	n := c.NumDocs()
	if len(sec) < 4*(n+1) {
		return nil
	}
	first, last := binary.LittleEndian.Uint32(sec[4*doc:]), binary.LittleEndian.Uint32(sec[4*doc+4:])
	if first > last || uint64(last) > uint64(len(sec)/4) {
		return nil
	}
	var out []int
	for k := first; k < last; k++ {
		if d := int(binary.LittleEndian.Uint32(sec[4*k:])); d < n {
			out = append(out, d)
		}
	}
	return out
}

// DocFreq is the number of documents that hold a term in any field.
func (c *Catalog) DocFreq(term string) int {
	n, _ := c.documents().find(term)
	return n
}

// Postings calls yield for every document that holds a term, in the order of
// their numbers. Terms are normalised words (see facts/words).
func (c *Catalog) Postings(term string, yield func(Posting)) {
	n, list := c.documents().find(term)
	doc := -1
	for range n {
		delta, k := binary.Uvarint(list)
		if k <= 0 || len(list) <= k {
			return
		}
		list = list[k:]
		doc += int(delta) + 1
		if doc >= c.NumDocs() || doc < 0 {
			return
		}
		p := Posting{Doc: doc}
		mask := list[0]
		list = list[1:]
		for f := range NumFields {
			if mask&(1<<f) == 0 {
				continue
			}
			if mask&0x80 != 0 { // every count is 1
				p.Counts[f] = 1
				continue
			}
			v, k := binary.Uvarint(list)
			if k <= 0 {
				return
			}
			list = list[k:]
			p.Counts[f] = uint16(min(v, math.MaxUint16))
		}
		yield(p)
	}
}

// dictionary is a set of front-coded terms with their lists of postings.
type dictionary struct{ blocks, terms, lists []byte }

func (c *Catalog) documents() dictionary {
	return dictionary{c.sec[secBlocks], c.sec[secTerms], c.sec[secPostings]}
}

// find locates a term and returns how many postings it has, and their bytes.
func (d dictionary) find(term string) (int, []byte) {
	n := len(d.blocks) / 4
	head := func(i int) ([]byte, bool) {
		off := int(binary.LittleEndian.Uint32(d.blocks[4*i:]))
		if off > len(d.terms) {
			return nil, false
		}
		return d.terms[off:], true
	}
	b := sort.Search(n, func(i int) bool {
		data, ok := head(i)
		if !ok {
			return true
		}
		_, name, _, ok := nextTerm(data, nil)
		return !ok || string(name) > term
	}) - 1
	if b < 0 {
		return 0, nil
	}
	data, ok := head(b)
	if !ok {
		return 0, nil
	}
	var name []byte
	for range blockTerms {
		var entry termEntry
		entry, name, data, ok = nextTerm(data, name)
		if !ok {
			return 0, nil
		}
		if string(name) == term {
			if entry.offset > uint64(len(d.lists)) {
				return 0, nil
			}
			// A posting takes two bytes at least.
			return int(min(entry.docs, uint64(len(d.lists)))), d.lists[entry.offset:]
		}
		if string(name) > term {
			return 0, nil
		}
	}
	return 0, nil
}

type termEntry struct{ docs, offset uint64 }

// nextTerm decodes one front-coded term: bytes shared with the term before,
// rest, document frequency, offset of the postings.
func nextTerm(data, before []byte) (e termEntry, name, rest []byte, ok bool) {
	var v [3]uint64
	shared, k := binary.Uvarint(data)
	if k <= 0 || shared > uint64(len(before)) {
		return e, nil, nil, false
	}
	data = data[k:]
	for i := range v {
		var k int
		if v[i], k = binary.Uvarint(data); k <= 0 {
			return e, nil, nil, false
		}
		data = data[k:]
		if i == 0 {
			if v[0] > uint64(len(data)) {
				return e, nil, nil, false
			}
			name = append(append(make([]byte, 0, shared+v[0]), before[:shared]...), data[:v[0]]...)
			data = data[v[0]:]
		}
	}
	return termEntry{docs: v[1], offset: v[2]}, name, data, true
}
