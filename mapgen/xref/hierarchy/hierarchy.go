// Package hierarchy finds which definitions implement, extend or override which:
// types by what they declare, or in Go by the methods they have, and members by
// their names along the hierarchy of their types.
package hierarchy

import (
	"cmp"
	"slices"
	"strings"

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
	h := &hierarchy{p: p, bases: map[Definition][]above{}, parts: map[Definition][]Definition{}, included: map[int32]map[int32]bool{}}
	out := h.declared(sites)
	h.join()
	for _, d := range h.types {
		f := h.file(d)
		for _, b := range h.bases[d] {
			if f.Family != goFamily || h.symbol(d).Kind == facts.KindInterface {
				out = append(out, Relation{d, b.Definition, b.mark})
			}
		}
		if f.Family != goFamily && f.Family != rustFamily && h.leads(d) {
			out = h.overrides(d, out)
		}
	}
	h.linked(out)
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
	// parts are all definitions of a type that has several, see join.
	parts map[Definition][]Definition
	// included are the files that one of C and C++ includes, directly or not.
	included map[int32]map[int32]bool
}

// above is a type that another one declares as its base.
type above struct {
	Definition
	mark edges.Mark
	way  way
}

// way is how a base is taken in.
type way uint8

const (
	inherited way = iota
	// prepended: a module of Ruby that comes before the class itself.
	prepended
	// extended: a module of Ruby whose methods become those of the class object.
	extended
)

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
// references. It returns the relations of the items of Rust's impl blocks.
func (h *hierarchy) declared(sites [][]edges.Site) []Relation {
	var out []Relation
	for doc, list := range sites {
		f := h.p.Files[doc].File
		for i, s := range list {
			if s.Kind != facts.RefInherit || s.Mark < edges.Likely {
				continue
			}
			base := Definition{s.Doc, s.Symbol}
			if int(base.Symbol) >= len(h.file(base).Symbols) || !isType(h.symbol(base)) {
				continue
			}
			symbol := enclosing(f, s.Start)
			if f.Family == rustFamily && (symbol < 0 || f.Symbols[symbol].Kind == facts.KindModule || !isType(&f.Symbols[symbol])) {
				out = h.implBlock(int32(doc), list[i:], base, out)
				continue
			}
			// What stands in a member is the base of a class without a name.
			if symbol < 0 || !isType(&f.Symbols[symbol]) {
				continue
			}
			h.derive(Definition{int32(doc), symbol}, above{base, s.Mark, wayOf(&f.Symbols[symbol], h.symbol(base).Name)})
		}
	}
	slices.SortFunc(h.types, compare)
	for _, d := range h.types {
		l := h.bases[d]
		slices.SortFunc(l, func(a, b above) int {
			return cmp.Or(compare(a.Definition, b.Definition), cmp.Compare(b.mark, a.mark), cmp.Compare(a.way, b.way))
		})
		h.bases[d] = slices.CompactFunc(l, func(a, b above) bool { return a.Definition == b.Definition })
	}
	return out
}

func (h *hierarchy) derive(d Definition, b above) {
	if d == b.Definition {
		return
	}
	if len(h.bases[d]) == 0 {
		h.types = append(h.types, d)
	}
	h.bases[d] = append(h.bases[d], b)
}

// wayOf tells how a type takes in a base of a name.
func wayOf(s *facts.Symbol, base string) way {
	way := inherited
	for _, b := range s.Bases {
		how, name, ok := strings.Cut(b, " ")
		if !ok {
			how, name = "", b
		}
		if name[strings.LastIndexByte(name, ':')+1:] != base {
			continue
		}
		switch how {
		case "extend":
			way = extended
		case "prepend":
			way = prepended
		default:
			return inherited
		}
	}
	return way
}

// enclosing is the innermost definition that holds an offset, or -1. In Go an
// embedded type is a field of the one that embeds it, which is meant.
func enclosing(f *facts.File, at uint32) int32 {
	// Parents stand before their children, so the last one that holds it is the
	// innermost.
	for i := len(f.Symbols) - 1; i >= 0; i-- {
		if s := &f.Symbols[i]; s.Span.Start <= at && at < s.Span.End && (f.Family != goFamily || isType(s)) {
			return int32(i)
		}
	}
	return -1
}

// members lists what a definition of a type declares.
func (h *hierarchy) members(d Definition, yield func(int32, *facts.Symbol)) {
	symbols := h.file(d).Symbols
	for i := int(d.Symbol) + 1; i < len(symbols) && symbols[i].Span.Start < symbols[d.Symbol].Span.End; i++ {
		if symbols[i].Parent == d.Symbol {
			yield(int32(i), &symbols[i])
		}
	}
}

// above lists the bases that the parts of a type declare.
func (h *hierarchy) above(d Definition) []above {
	parts := h.all(d)
	if len(parts) == 1 {
		return h.bases[d]
	}
	var out []above
	for _, p := range parts {
		out = append(out, h.bases[p]...)
	}
	return out
}

// overrides leads the members of a type, in all its parts, to those that they
// override: along each chain of bases the first of their name with as many
// parameters; where the language does not overload, with any number.
func (h *hierarchy) overrides(d Definition, out []Relation) []Relation {
	same := map[string]int{}
	for _, part := range h.all(d) {
		h.members(part, func(_ int32, s *facts.Symbol) { same[overloadKey(s)]++ })
	}
	for _, part := range h.all(d) {
		h.members(part, func(i int32, s *facts.Symbol) {
			f := h.file(part)
			if !overrides(f, s) {
				return
			}
			m := member{f, s, same[overloadKey(s)] > 1}
			seen := map[Definition]bool{h.all(d)[0]: true}
			var climb func(of Definition, mark edges.Mark, static bool, level int)
			climb = func(of Definition, mark edges.Mark, static bool, level int) {
				for _, b := range h.above(of) {
					first := h.all(b.Definition)[0]
					if seen[first] || level > maxLevels || len(seen) > maxBases {
						continue
					}
					static, ok := b.static(f, h.symbol(b.Definition), static)
					if !ok {
						continue
					}
					seen[first] = true
					mark := min(mark, b.mark)
					found := h.overridden(b.Definition, m, static)
					for _, o := range found {
						r := Relation{Definition{part.Doc, i}, o, mark}
						if b.way == prepended {
							r.Derived, r.Base = r.Base, r.Derived
						}
						out = append(out, r)
					}
					if len(found) == 0 {
						climb(b.Definition, mark, static, level+1)
					}
				}
			}
			climb(d, edges.Exact, s.Flags&facts.Static != 0, 0)
		})
	}
	return out
}

// static tells whether a member of a type, static or not, meets static members of
// this base, and whether it meets any.
func (b *above) static(f *facts.File, base *facts.Symbol, static bool) (bool, bool) {
	if f.Family != rubyFamily {
		return static, true
	}
	switch {
	case b.way == extended:
		return false, static
	case base.Kind == facts.KindModule && static:
		return false, false // methods of the module object are not given on
	}
	return static, true
}

// overridden lists the members of a base, in all its parts, that a member of its
// name overrides.
func (h *hierarchy) overridden(base Definition, m member, static bool) []Definition {
	var named, fitting []Definition
	for _, part := range h.all(base) {
		h.members(part, func(i int32, b *facts.Symbol) {
			if b.Name != m.s.Name || !m.canOverride(h.symbol(part), b, static) {
				return
			}
			named = append(named, Definition{part.Doc, i})
			if len(b.Params) == len(m.s.Params) {
				fitting = append(fitting, Definition{part.Doc, i})
			}
		})
	}
	if !overloads(m.f) {
		if len(fitting) > 0 {
			return fitting
		}
		return named
	}
	if len(fitting) > 1 || m.overloaded {
		return slices.DeleteFunc(fitting, func(d Definition) bool { return !m.sameParameters(h.symbol(base), h.symbol(d)) })
	}
	return fitting
}
