// Package hierarchy finds which definitions implement, extend or override which:
// types by what they declare, or in Go by the methods they have, and members by
// their names along the hierarchy of their types.
package hierarchy

import (
	"cmp"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Definition is a symbol of a document.
type Definition struct{ Doc, Symbol int32 }

// Relation says that Derived implements, extends or overrides Base.
type Relation struct {
	Derived, Base Definition
	Mark          edges.Mark
}

// maxLevels bounds how far a hierarchy is followed, maxBases how many types one
// type can have above it.
const (
	maxLevels = 24
	maxBases  = 400
)

// Relations lists what implements, extends or overrides what in a program whose
// references are resolved; sites is parallel to its files. The list is sorted
// and depends on nothing but the input.
func Relations(p *edges.Program, sites [][]edges.Site) []Relation {
	h := &hierarchy{p: p, bases: map[Definition][]above{}}
	h.declared(sites)
	var out []Relation
	for _, d := range h.types {
		for _, b := range h.bases[d] {
			if h.file(d).Family != goFamily || h.symbol(d).Kind == facts.KindInterface {
				out = append(out, Relation{d, b.Definition, b.mark})
			}
		}
		if h.file(d).Family != goFamily {
			out = h.overrides(d, out)
		}
	}
	out = append(out, h.goImplementations()...)
	slices.SortFunc(out, func(a, b Relation) int {
		return cmp.Or(compare(a.Derived, b.Derived), compare(a.Base, b.Base), cmp.Compare(b.Mark, a.Mark))
	})
	return slices.CompactFunc(out, func(a, b Relation) bool { return a.Derived == b.Derived && a.Base == b.Base })
}

func compare(a, b Definition) int {
	return cmp.Or(cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Symbol, b.Symbol))
}

type hierarchy struct {
	p *edges.Program
	// types that declare bases, sorted.
	types []Definition
	bases map[Definition][]above
}

// above is a type that another one declares as its base.
type above struct {
	Definition
	mark edges.Mark
}

func (h *hierarchy) file(d Definition) *facts.File     { return h.p.Files[d.Doc].File }
func (h *hierarchy) symbol(d Definition) *facts.Symbol { return &h.file(d).Symbols[d.Symbol] }

// isType tells whether a symbol can have bases and members.
func isType(s *facts.Symbol) bool {
	switch s.Kind {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindType, facts.KindModule:
		return true
	}
	return false
}

// declared collects the bases that types declare, from the edges of inheriting
// references.
func (h *hierarchy) declared(sites [][]edges.Site) {
	for doc, list := range sites {
		f := h.p.Files[doc].File
		for _, s := range list {
			if s.Kind != facts.RefInherit || s.Mark < edges.Likely {
				continue
			}
			base := Definition{s.Doc, s.Symbol}
			if int(base.Symbol) >= len(h.file(base).Symbols) || !isType(h.symbol(base)) {
				continue
			}
			symbol := enclosing(f, s.Start)
			d := Definition{int32(doc), symbol}
			if symbol < 0 || d == base {
				continue
			}
			if len(h.bases[d]) == 0 {
				h.types = append(h.types, d)
			}
			h.bases[d] = append(h.bases[d], above{base, s.Mark})
		}
	}
	slices.SortFunc(h.types, compare)
	for _, d := range h.types {
		l := h.bases[d]
		slices.SortFunc(l, func(a, b above) int { return cmp.Or(compare(a.Definition, b.Definition), cmp.Compare(b.mark, a.mark)) })
		h.bases[d] = slices.CompactFunc(l, func(a, b above) bool { return a.Definition == b.Definition })
	}
}

// enclosing is the innermost type that holds an offset, or -1.
func enclosing(f *facts.File, at uint32) int32 {
	// Parents stand before their children, so the last one that holds it is the
	// innermost.
	for i := len(f.Symbols) - 1; i >= 0; i-- {
		if s := &f.Symbols[i]; s.Span.Start <= at && at < s.Span.End && isType(s) {
			return int32(i)
		}
	}
	return -1
}

// members lists what a type declares.
func (h *hierarchy) members(d Definition, yield func(int32, *facts.Symbol)) {
	symbols := h.file(d).Symbols
	for i := int(d.Symbol) + 1; i < len(symbols) && symbols[i].Span.Start < symbols[d.Symbol].Span.End; i++ {
		if symbols[i].Parent == d.Symbol {
			yield(int32(i), &symbols[i])
		}
	}
}

// overridable tells whether a member can be overridden by one of a subtype.
func overridable(s *facts.Symbol) bool {
	switch s.Kind {
	case facts.KindMethod, facts.KindFunction, facts.KindProperty:
		return s.Visibility != facts.Private && s.Flags&facts.InBody == 0
	}
	return false
}

// overrides leads the members of a type to those that they override: along each
// chain of bases the first of their name with as many parameters; where the
// language does not overload, with any number.
func (h *hierarchy) overrides(d Definition, out []Relation) []Relation {
	h.members(d, func(i int32, s *facts.Symbol) {
		if !overridable(s) {
			return
		}
		seen := map[Definition]bool{d: true}
		var climb func(of Definition, mark edges.Mark, level int)
		climb = func(of Definition, mark edges.Mark, level int) {
			for _, b := range h.bases[of] {
				if seen[b.Definition] || level > maxLevels || len(seen) > maxBases {
					continue
				}
				seen[b.Definition] = true
				m := min(mark, b.mark)
				found := h.overridden(b.Definition, s)
				for _, k := range found {
					out = append(out, Relation{Definition{d.Doc, i}, Definition{b.Doc, k}, m})
				}
				if len(found) == 0 {
					climb(b.Definition, m, level+1)
				}
			}
		}
		climb(d, edges.Exact, 0)
	})
	return out
}

// overloads tells whether members of one name are told apart by their parameters.
func overloads(f *facts.File) bool {
	switch f.Family {
	case "java", "csharp", "c", "swift":
		return true
	}
	return false
}

// overridden lists the members of a base that a member of that name overrides.
func (h *hierarchy) overridden(base Definition, s *facts.Symbol) []int32 {
	var named, fitting []int32
	h.members(base, func(i int32, b *facts.Symbol) {
		if b.Name != s.Name || !overridable(b) || b.Flags&facts.Static != s.Flags&facts.Static {
			return
		}
		named = append(named, i)
		if len(b.Params) == len(s.Params) {
			fitting = append(fitting, i)
		}
	})
	if len(fitting) > 0 || overloads(h.file(base)) {
		return fitting
	}
	return named
}
