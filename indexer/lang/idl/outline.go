package idl

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

const (
	// MaxSymbols bounds the definitions of one file.
	MaxSymbols = 2000
	maxRefs    = 20_000
	maxKept    = 200_000
)

// Outline collects definitions and references and gives them to a builder at
// the end: where there are too many, members are dropped before definitions.
type Outline struct {
	items []item
	refs  []ref
}

type item struct {
	s      facts.Symbol
	parent int
}

type ref struct {
	name, qualifier string
	kind            facts.RefKind
	in              int
	at              uint32
}

// Add adds a definition inside another, -1 for the level of the file, and
// returns its index.
func (o *Outline) Add(parent int, s facts.Symbol) int {
	if len(o.items) >= maxKept || s.Name == "" {
		return parent
	}
	if lang.LooksLikeLicense(s.Doc) {
		s.Doc = ""
	}
	o.items = append(o.items, item{s, parent})
	return len(o.items) - 1
}

// Symbol is the definition at an index, to be completed.
func (o *Outline) Symbol(i int) *facts.Symbol { return &o.items[i].s }

// End ends the definition at an offset.
func (o *Outline) End(i int, at uint32) {
	if i >= 0 && o.items[i].s.Span.End < at {
		o.items[i].s.Span.End = at
	}
}

// Ref adds a use of a name inside a definition, -1 for none.
func (o *Outline) Ref(kind facts.RefKind, name, qualifier string, in int, at uint32) {
	if len(o.refs) < maxRefs && name != "" {
		o.refs = append(o.refs, ref{name, qualifier, kind, in, at})
	}
}

// Emit gives everything to the builder. A parent stands before its members.
func (o *Outline) Emit(b *lang.Builder) {
	keep := make([]bool, len(o.items))
	left := MaxSymbols
	for _, members := range []bool{false, true} {
		for i, it := range o.items {
			if left > 0 && (it.parent >= 0) == members && (it.parent < 0 || keep[it.parent]) {
				keep[i] = true
				left--
			}
		}
	}
	at := make([]int32, len(o.items))
	for i, it := range o.items {
		at[i] = -1
		if it.parent >= 0 {
			at[i] = at[it.parent]
		}
		if keep[i] {
			b.Within(at[i], func() {
				if k := b.Symbol(it.s); k >= 0 {
					at[i] = k
				}
			})
		}
	}
	for _, r := range o.refs {
		in := int32(-1)
		if r.in >= 0 {
			in = at[r.in]
		}
		b.Within(in, func() { b.Reference(r.kind, r.name, r.qualifier, r.at) })
	}
}

// Qualified splits a dotted name into its last part and what stands before.
func Qualified(name string) (last, qualifier string) {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			q := name[:i]
			if len(q) > 0 && q[0] == '.' {
				q = q[1:]
			}
			return name[i+1:], q
		}
	}
	return name, ""
}

// Len is the number of definitions.
func (o *Outline) Len() int { return len(o.items) }
