package store

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
)

// Builder compiles a catalog. Documents are added by Shards, which may work at
// the same time; the bytes that Bytes returns depend only on what was added.
type Builder struct {
	docs    []docInput
	dirs    []Dir
	imports [][]int
	meta    Meta
	shards  []*Shard
	commits []PastCommit
}

type docInput struct {
	doc     Doc
	symbols []Symbol
}

// Shard collects the words of documents. Each belongs to one goroutine.
type Shard struct {
	ids    map[string]uint32
	terms  []string
	chunks [][]entry // all but the last are full
}

// chunkEntries is the size of a chunk: growing one large array would hold two
// copies of it in memory at times.
const chunkEntries = 1 << 15

func (s *Shard) append(e entry) {
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last]) == chunkEntries {
		s.chunks = append(s.chunks, make([]entry, 0, chunkEntries))
		last++
	}
	s.chunks[last] = append(s.chunks[last], e)
}

type entry struct {
	term, doc uint32
	counts    [NumFields]uint8
}

// NewBuilder starts a catalog of documents whose paths are given in byte
// order.
func NewBuilder(paths []string) *Builder {
	b := &Builder{docs: make([]docInput, len(paths)), imports: make([][]int, len(paths))}
	seen := map[string]bool{"": true}
	for i, p := range paths {
		b.docs[i].doc.Path = p
		for d := path.Dir(p); d != "." && d != "/" && !seen[d]; d = path.Dir(d) {
			seen[d] = true
		}
	}
	for d := range seen {
		b.dirs = append(b.dirs, Dir{Path: d})
	}
	slices.SortFunc(b.dirs, func(x, y Dir) int { return cmp.Compare(x.Path, y.Path) })
	for i := range b.dirs {
		b.dirs[i].Parent = -1
		if i > 0 {
			b.dirs[i].Parent = b.dirOf(b.dirs[i].Path)
		}
	}
	for i, p := range paths {
		b.docs[i].doc.Dir = b.dirOf(p)
	}
	return b
}

// dirOf is the number of the directory that holds a path.
func (b *Builder) dirOf(p string) int {
	d := path.Dir(p)
	if d == "." || d == "/" {
		d = ""
	}
	i, _ := slices.BinarySearchFunc(b.dirs, d, func(x Dir, p string) int { return cmp.Compare(x.Path, p) })
	return i
}

// Dirs lists the directories, parents first; SetDir describes one.
func (b *Builder) Dirs() []Dir { return b.dirs }

// SetDir sets what the index of a directory says.
func (b *Builder) SetDir(i int, summary string, tags []string, hasMap bool) {
	b.dirs[i].Summary, b.dirs[i].Tags, b.dirs[i].HasMap = summary, tags, hasMap
}

// SetUsers sets the directories that use a directory, sorted.
func (b *Builder) SetUsers(i int, users []string) { b.dirs[i].UsedBy = users }

// SetImports sets the documents that a document's imports resolve to.
func (b *Builder) SetImports(doc int, targets []int) { b.imports[doc] = targets }

// Meta is to be filled in before Bytes, but for what the builder itself sets.
func (b *Builder) Meta() *Meta { return &b.meta }

// NewShard makes a shard. It must not be called while shards are at work.
func (b *Builder) NewShard() *Shard {
	s := &Shard{ids: map[string]uint32{}}
	b.shards = append(b.shards, s)
	return s
}

// Set describes a document; at most one call a document.
func (b *Builder) Set(i int, e *facts.Entry) {
	d := &b.docs[i]
	f := e.File
	d.doc.Role, d.doc.Mode, d.doc.Blob = e.Role, e.Mode, e.Blob
	d.doc.Language, d.doc.Family, d.doc.Nature = f.Language, f.Family, f.Nature
	d.doc.Package, d.doc.Summary = f.Package, f.Summary
	d.doc.Depth, d.doc.Reason, d.doc.Traits = f.Depth, f.Reason, f.Traits
	if len(f.Damage) > 0 {
		d.doc.Traits |= facts.Damaged
	}
	d.doc.Size, d.doc.Lines = f.Size, f.Lines
	copy(d.doc.Lengths[:], f.FieldLengths[:])
	d.symbols = make([]Symbol, len(f.Symbols))
	for k := range f.Symbols {
		s := &f.Symbols[k]
		d.symbols[k] = Symbol{
			Name: s.Name, Container: s.Container, Signature: s.Signature, Summary: s.Doc, Kind: s.Kind,
			Visibility: s.Visibility, Flags: s.Flags, Doc: i, Line: s.Line, EndLine: s.EndLine,
		}
	}
}

// AddTerm adds a word of a document; counts is parallel to the fields of
// the facts. The text may be reused after the call.
func (s *Shard) AddTerm(doc int, text string, counts [facts.NumFields]uint16) {
	e := entry{term: s.id(text), doc: uint32(doc)}
	for f, n := range counts {
		e.counts[f] = uint8(min(n, math.MaxUint8))
	}
	s.append(e)
}

func (s *Shard) id(text string) uint32 {
	id, ok := s.ids[text]
	if !ok {
		id = uint32(len(s.terms))
		text = strings.Clone(text)
		s.ids[text] = id
		s.terms = append(s.terms, text)
	}
	return id
}

// addPaths gives every document the words of its path and its name.
func (b *Builder) addPaths() {
	s := b.NewShard()
	for i := range b.docs {
		d := &b.docs[i].doc
		counts := map[string]*[NumFields]uint8{}
		var order []string
		add := func(text string, field int) {
			for _, w := range words.Of(text) {
				c := counts[w]
				if c == nil {
					c = new([NumFields]uint8)
					counts[w] = c
					order = append(order, w)
				}
				if c[field] < math.MaxUint8 {
					c[field]++
				}
				if !strings.HasPrefix(w, words.WholePrefix) {
					d.Lengths[field]++
				}
			}
		}
		add(strings.TrimSuffix(d.Path, path.Ext(d.Path)), FieldPath)
		add(nameOf(d.Path), FieldName)
		for _, w := range order {
			s.append(entry{term: s.id(w), doc: uint32(i), counts: *counts[w]})
		}
	}
}

// nameOf is the word that a file goes by: its name without extension, or the
// name of the directory that it stands for.
func nameOf(p string) string {
	base := path.Base(p)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch stem {
	case "index", "mod", "__init__", "lib", "main":
		dir := path.Dir(p)
		for d := path.Base(dir); d == "src" || d == "lib"; d = path.Base(dir) {
			dir = path.Dir(dir)
		}
		if d := path.Base(dir); d != "." && d != "/" {
			return d
		}
	}
	return stem
}

// Bytes compiles the catalog. The builder must not be used afterwards.
func (b *Builder) Bytes() ([]byte, error) {
	b.addPaths()
	var sec [numSections][]byte
	strs := newStringTable()
	u := func(i int, v ...uint32) {
		for _, x := range v {
			sec[i] = binary.LittleEndian.AppendUint32(sec[i], x)
		}
	}

	enums := map[string]uint32{"": 0}
	b.meta.Enums = []string{""}
	enum := func(s string) uint32 {
		n, ok := enums[s]
		if !ok {
			n = uint32(len(b.meta.Enums))
			enums[s] = n
			b.meta.Enums = append(b.meta.Enums, s)
		}
		return min(n, math.MaxUint16)
	}

	names := b.names(func(*Doc) bool { return true })
	refs := make([][]uint32, len(names))
	symbols := uint32(0)
	for i := range b.docs {
		d := &b.docs[i].doc
		u(secDocs, strs.add(d.Path), enum(d.Language)<<16|enum(string(d.Reason)), strs.add(d.Package), strs.add(d.Summary),
			d.Size, d.Lines, uint32(d.Dir), symbols, uint32(d.Traits)<<16|uint32(d.Role), uint32(d.Nature)<<16|uint32(d.Mode)<<8|uint32(d.Depth), enum(d.Family))
		u(secDocs, d.Lengths[:]...)
		sec[secBlobs] = append(sec[secBlobs], d.Blob[:]...)
		for k := range b.docs[i].symbols {
			s := &b.docs[i].symbols[k]
			n, _ := slices.BinarySearch(names, s.Name)
			refs[n] = append(refs[n], symbols)
			u(secSymbols, uint32(n), strs.add(s.Container), strs.add(s.Signature), strs.add(s.Summary),
				uint32(s.Visibility)<<24|uint32(s.Kind)<<16|uint32(s.Flags), s.Line, s.EndLine, uint32(i))
			symbols++
		}
	}
	b.meta.Dirs = make([]DirMeta, len(b.dirs))
	for i, d := range b.dirs {
		u(secDirs, strs.add(d.Path), uint32(int32(d.Parent)))
		b.meta.Dirs[i] = DirMeta{Summary: d.Summary, Tags: d.Tags, HasMap: d.HasMap, UsedBy: d.UsedBy}
	}
	placed := uint32(0)
	for i, n := range names {
		u(secNames, strs.add(n), placed, uint32(len(refs[i])))
		u(secNameRefs, refs[i]...)
		placed += uint32(len(refs[i]))
	}
	folded := make([]uint32, len(names))
	lower := make([]string, len(names))
	for i, n := range names {
		folded[i] = uint32(i)
		lower[i] = strings.ToLower(n)
	}
	sort.SliceStable(folded, func(x, y int) bool { return lower[folded[x]] < lower[folded[y]] })
	u(secFolded, folded...)

	at := uint32(len(b.docs) + 1)
	for _, targets := range b.imports {
		u(secImports, at)
		at += uint32(len(targets))
	}
	u(secImports, at)
	for _, targets := range b.imports {
		for _, t := range targets {
			u(secImports, uint32(t))
		}
	}

	b.compileCommits(&sec)
	d := b.postings()
	sec[secBlocks], sec[secTerms], sec[secPostings] = d.blocks, d.terms, d.lists
	sec[secStrings] = strs.data
	meta, err := json.Marshal(&b.meta)
	if err != nil {
		return nil, fmt.Errorf("compile catalog: %w", err)
	}
	sec[secMeta] = meta
	return catalogFile.assemble(sec[:])
}

// names lists the distinct names of the symbols of some documents in byte order.
func (b *Builder) names(of func(*Doc) bool) []string {
	seen := map[string]bool{}
	var out []string
	for i := range b.docs {
		if !of(&b.docs[i].doc) {
			continue
		}
		for k := range b.docs[i].symbols {
			if n := b.docs[i].symbols[k].Name; !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

// SymbolNames lists the distinct names of symbols in byte order, for the symbol
// index. Names that only generated files define are left out: nobody types them,
// and they would crowd out what is meant.
func (b *Builder) SymbolNames() []string { return b.names(func(d *Doc) bool { return !d.Aside() }) }

// postings merges the shards: for every term in byte order its documents in
// theirs.
func (b *Builder) postings() dictionary {
	global := map[string]uint32{}
	var all []string
	for _, s := range b.shards {
		for _, t := range s.terms {
			if _, ok := global[t]; !ok {
				global[t] = uint32(len(all))
				all = append(all, t)
			}
		}
	}
	order := make([]uint32, len(all))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(all[x], all[y]) })
	rank := make([]uint32, len(all))
	for r, id := range order {
		rank[id] = uint32(r)
	}
	total := 0
	for _, s := range b.shards {
		for _, c := range s.chunks {
			total += len(c)
		}
	}
	// A counting sort by the rank of the term, then each term by document.
	start := make([]uint32, len(all)+1)
	for _, s := range b.shards {
		local := make([]uint32, len(s.terms))
		for i, t := range s.terms {
			local[i] = rank[global[t]]
		}
		for _, c := range s.chunks {
			for i := range c {
				e := &c[i]
				e.term = local[e.term]
				start[e.term+1]++
			}
		}
		s.ids, s.terms = nil, nil
	}
	for i := range all {
		start[i+1] += start[i]
	}
	sorted := make([]entry, total)
	next := slices.Clone(start[:len(all)])
	for _, s := range b.shards {
		for i, c := range s.chunks {
			for _, e := range c {
				sorted[next[e.term]] = e
				next[e.term]++
			}
			s.chunks[i] = nil
		}
	}
	var w dictionaryWriter
	for r, id := range order {
		group := sorted[start[r]:start[r+1]]
		slices.SortFunc(group, func(x, y entry) int { return cmp.Compare(x.doc, y.doc) })
		docs, offset, last := 0, len(w.lists), -1
		for i := 0; i < len(group); {
			e := group[i]
			// The words of a document and those of its path come from two
			// shards.
			for i++; i < len(group) && group[i].doc == e.doc; i++ {
				for f, n := range group[i].counts {
					e.counts[f] = uint8(min(int(e.counts[f])+int(n), math.MaxUint8))
				}
			}
			w.lists = appendPosting(w.lists, int(e.doc)-last-1, e.counts)
			last = int(e.doc)
			docs++
		}
		w.add(all[id], docs, offset)
	}
	return w.dictionary
}

// appendPosting encodes a posting: the distance to the document before, a byte
// with a bit for each field that holds the term, and the counts of those
// fields, unless the top bit says that all are 1.
func appendPosting(dst []byte, distance int, counts [NumFields]uint8) []byte {
	dst = binary.AppendUvarint(dst, uint64(distance))
	mask, ones := byte(0), true
	for f, n := range counts {
		if n > 0 {
			mask |= 1 << f
			ones = ones && n == 1
		}
	}
	if ones {
		return append(dst, mask|0x80)
	}
	dst = append(dst, mask)
	for _, n := range counts {
		if n > 0 {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
	}
	return dst
}

type stringTable struct {
	data []byte
	at   map[string]uint32
}

func newStringTable() *stringTable {
	t := &stringTable{at: map[string]uint32{}}
	t.add("")
	return t
}

func (t *stringTable) add(s string) uint32 {
	off, ok := t.at[s]
	if !ok {
		off = uint32(len(t.data))
		t.at[s] = off
		t.data = binary.AppendUvarint(t.data, uint64(len(s)))
		t.data = append(t.data, s...)
	}
	return off
}
