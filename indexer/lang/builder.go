package lang

import (
	"cmp"
	"slices"
	"sort"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// Builder collects what an extraction finds in one file.
//
// It keeps the stack of enclosing definitions and of scopes, so that an
// extraction only says where it enters and leaves them, and fills in lines,
// parents, containers and the InBody flag.
type Builder struct {
	// Source is the decoded, masked text. Tree is nil without a grammar.
	Source []byte
	Tree   *syntax.Tree
	// Extension of the file, lower case with its dot, for languages whose rules
	// differ by it.
	Extension string

	file      facts.File
	lines     []uint32 // byte offset of each line's start
	enclosing []int32
	scopes    []int32
	local     [][]string     // names bound in each open scope
	bound     map[string]int // how many open scopes bind a name
	body      int
	docs      []facts.Span
}

// NewBuilder starts the facts of a text.
func NewBuilder(source []byte, extension string) *Builder {
	b := &Builder{Source: source, Extension: extension}
	b.lines = append(b.lines, 0)
	for i, c := range source {
		if c == '\n' {
			b.lines = append(b.lines, uint32(i+1))
		}
	}
	return b
}

// Line is the line of a byte offset, from 1.
func (b *Builder) Line(offset uint32) uint32 {
	return uint32(sort.Search(len(b.lines), func(i int) bool { return b.lines[i] > offset }))
}

// LineCount is the number of lines, an unfinished last one included.
func (b *Builder) LineCount() uint32 {
	n := uint32(len(b.lines))
	if n > 0 && int(b.lines[n-1]) == len(b.Source) {
		n--
	}
	return n
}

// SpanOf is the span of a node.
func SpanOf(n syntax.Node) facts.Span { return facts.Span{Start: n.Start(), End: n.End()} }

// SetPackage and SetSummary describe the file; the first call that gives text
// wins.
func (b *Builder) SetPackage(name string) {
	if b.file.Package == "" {
		b.file.Package = clip(name, facts.MaxName)
	}
}

func (b *Builder) SetSummary(text string) {
	if b.file.Summary == "" {
		b.file.Summary = clip(FirstSentence(text), facts.MaxDoc)
	}
}

// AddTrait marks the file.
func (b *Builder) AddTrait(t facts.Traits) { b.file.Traits |= t }

// MarkDoc says that the words of a span are documentation, whatever leaves
// they stand in (a docstring, say).
func (b *Builder) MarkDoc(s facts.Span) { b.docs = append(b.docs, s) }

// Symbol adds a definition and returns its index. The caller sets Name, Kind,
// Span, NameSpan and what else it knows; Parent, Line and EndLine are filled
// in, Container too where it is empty and the parent is a container, and InBody
// where the definition stands in a body. A definition without a name gives -1.
func (b *Builder) Symbol(s facts.Symbol) int32 {
	if s.Name == "" || s.Span.End > uint32(len(b.Source)) || s.Span.Start > s.Span.End {
		return -1
	}
	s.Name = clip(s.Name, facts.MaxName)
	s.Parent = b.Enclosing()
	if s.Container == "" && s.Parent >= 0 {
		s.Container = b.file.Symbols[s.Parent].Name
	}
	if b.body > 0 {
		s.Flags |= facts.InBody
	}
	s.Signature = clip(Collapse(s.Signature), facts.MaxSignature)
	s.Doc = clip(FirstSentence(s.Doc), facts.MaxDoc)
	s.Type = clip(s.Type, facts.MaxSignature)
	s.Line = b.Line(s.Span.Start)
	s.EndLine = b.Line(max(s.Span.Start, s.Span.End-min(s.Span.End, 1)))
	b.file.Symbols = append(b.file.Symbols, s)
	return int32(len(b.file.Symbols) - 1)
}

// At is the symbol at an index, to be completed in place.
func (b *Builder) At(i int32) *facts.Symbol { return &b.file.Symbols[i] }

// FindSymbol is the index of the last symbol of that name at the level of the
// file, or -1.
func (b *Builder) FindSymbol(name string) int32 {
	for i := len(b.file.Symbols) - 1; i >= 0; i-- {
		if s := &b.file.Symbols[i]; s.Name == name && s.Parent < 0 {
			return int32(i)
		}
	}
	return -1
}

// Enclosing is the index of the innermost definition entered, or -1.
func (b *Builder) Enclosing() int32 {
	if len(b.enclosing) == 0 {
		return -1
	}
	return b.enclosing[len(b.enclosing)-1]
}

// Within runs walk inside a definition; -1 runs it where it stands.
func (b *Builder) Within(symbol int32, walk func()) {
	if symbol < 0 {
		walk()
		return
	}
	b.enclosing = append(b.enclosing, symbol)
	walk()
	b.enclosing = b.enclosing[:len(b.enclosing)-1]
}

// Body runs walk inside the body of a function: definitions there get InBody,
// imports ImportInBody. It opens a scope over the span.
func (b *Builder) Body(span facts.Span, walk func()) {
	b.body++
	b.Scope(span, walk)
	b.body--
}

// InBody tells whether the walk stands inside a body.
func (b *Builder) InBody() bool { return b.body > 0 }

// Scope runs walk inside a new scope.
func (b *Builder) Scope(span facts.Span, walk func()) {
	span.End = max(span.Start, span.End) // a missing body ends before it starts
	parent := int32(-1)
	if n := len(b.scopes); n > 0 {
		parent = b.scopes[n-1]
	}
	b.file.Scopes = append(b.file.Scopes, facts.Scope{Span: span, Parent: parent, Symbol: b.Enclosing()})
	b.scopes = append(b.scopes, int32(len(b.file.Scopes)-1))
	b.local = append(b.local, nil)
	walk()
	last := len(b.scopes) - 1
	for _, name := range b.local[last] {
		b.bound[name]--
	}
	b.scopes, b.local = b.scopes[:last], b.local[:last]
}

// Bound tells whether an open scope binds the name so far, so that a use of it
// is no reference to a definition.
func (b *Builder) Bound(name string) bool { return b.bound[name] > 0 }

// Bind adds a local name to the innermost scope; at the level of the file it
// does nothing, for names there are symbols.
func (b *Builder) Bind(name string, start uint32, typ, init string) {
	if len(b.scopes) == 0 || name == "" || name == "_" {
		return
	}
	if b.bound == nil {
		b.bound = map[string]int{}
	}
	b.bound[name]++
	top := len(b.local) - 1
	b.local[top] = append(b.local[top], name)
	b.file.Bindings = append(b.file.Bindings, facts.Binding{
		Name: clip(name, facts.MaxName), Scope: b.scopes[len(b.scopes)-1], Start: start,
		Type: clip(typ, facts.MaxSignature), Init: init,
	})
}

// Reference adds a use of a name inside the innermost definition.
func (b *Builder) Reference(kind facts.RefKind, name, qualifier string, start uint32) {
	if name == "" {
		return
	}
	b.file.Refs = append(b.file.Refs, facts.Reference{
		Name: clip(name, facts.MaxName), Kind: kind, Qualifier: qualifier,
		Enclosing: b.Enclosing(), Start: start, Line: b.Line(start),
	})
}

// Import adds an import clause that stands at a byte offset.
func (b *Builder) Import(i facts.Import, start uint32) {
	if i.Module == "" {
		return
	}
	i.Module = clip(i.Module, facts.MaxName)
	if b.body > 0 {
		i.Flags |= facts.ImportInBody
	}
	i.Line = b.Line(start)
	b.file.Imports = append(b.file.Imports, i)
}

// Export adds an exported name.
func (b *Builder) Export(e facts.Export) { b.file.Exports = append(b.file.Exports, e) }

// Damage records a range that could not be read.
func (b *Builder) Damage(s facts.Span) { b.file.Damage = append(b.file.Damage, s) }

// DocSpans are the spans given to MarkDoc, sorted.
func (b *Builder) DocSpans() []facts.Span {
	slices.SortFunc(b.docs, func(x, y facts.Span) int { return cmp.Compare(x.Start, y.Start) })
	return b.docs
}

// Finish puts the facts in their order (symbols, references and bindings by
// place, parents before children) and drops what was found twice. The builder
// must not be used afterwards.
func (b *Builder) Finish() *facts.File {
	f := &b.file
	f.Lines = b.LineCount()
	order := make([]int32, len(f.Symbols))
	for i := range order {
		order[i] = int32(i)
	}
	depth := func(i int32) (d int) {
		for ; i >= 0; i = f.Symbols[i].Parent {
			d++
		}
		return d
	}
	slices.SortStableFunc(order, func(x, y int32) int {
		p, q := &f.Symbols[x], &f.Symbols[y]
		return cmp.Or(cmp.Compare(p.Span.Start, q.Span.Start), cmp.Compare(depth(x), depth(y)),
			cmp.Compare(p.NameSpan.Start, q.NameSpan.Start), cmp.Compare(p.Name, q.Name))
	})
	moved := make([]int32, len(f.Symbols))
	sorted := make([]facts.Symbol, 0, len(f.Symbols))
	type identity struct {
		name string
		at   facts.Span
	}
	seen := make(map[identity]int32, len(order))
	for _, old := range order {
		s := f.Symbols[old]
		key := identity{s.Name, s.NameSpan}
		if first, dup := seen[key]; dup {
			moved[old] = first
			continue
		}
		moved[old] = int32(len(sorted))
		seen[key] = moved[old]
		sorted = append(sorted, s)
	}
	at := func(i int32) int32 {
		if i < 0 {
			return -1
		}
		return moved[i]
	}
	for i := range sorted {
		if p := at(sorted[i].Parent); p < int32(i) {
			sorted[i].Parent = p
		} else {
			sorted[i].Parent = -1
		}
	}
	f.Symbols = sorted
	for i := range f.Refs {
		f.Refs[i].Enclosing = at(f.Refs[i].Enclosing)
	}
	for i := range f.Scopes {
		f.Scopes[i].Symbol = at(f.Scopes[i].Symbol)
	}
	slices.SortStableFunc(f.Refs, func(x, y facts.Reference) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.Kind, y.Kind))
	})
	f.Refs = slices.CompactFunc(f.Refs, func(x, y facts.Reference) bool {
		return x.Start == y.Start && x.Kind == y.Kind && x.Name == y.Name
	})
	slices.SortStableFunc(f.Imports, func(x, y facts.Import) int { return cmp.Compare(x.Line, y.Line) })
	slices.SortFunc(f.Damage, func(x, y facts.Span) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	f.Damage = slices.Compact(f.Damage)
	if len(f.Damage) > 0 {
		dropRepeated(f)
	}
	// A pointer into the builder would keep the source and the tree alive.
	done := *f
	*f = facts.File{}
	return &done
}

// dropRepeated drops what several walks over parts of a damaged text found more
// than once; the first finding stays.
func dropRepeated(f *facts.File) {
	type place struct {
		name string
		at   uint32
	}
	bound := make(map[place]bool, len(f.Bindings))
	f.Bindings = slices.DeleteFunc(f.Bindings, func(b facts.Binding) bool {
		key := place{b.Name, b.Start}
		again := bound[key]
		bound[key] = true
		return again
	})
	f.Imports = slices.CompactFunc(f.Imports, func(x, y facts.Import) bool {
		return x.Line == y.Line && x.Module == y.Module && x.Alias == y.Alias && slices.Equal(x.Names, y.Names)
	})
	exported := make(map[facts.Export]bool, len(f.Exports))
	f.Exports = slices.DeleteFunc(f.Exports, func(e facts.Export) bool {
		again := exported[e]
		exported[e] = true
		return again
	})
}

// clip cuts a string at a character border so that it has at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "…"
	n -= len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}
