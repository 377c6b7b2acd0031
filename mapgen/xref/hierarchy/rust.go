package hierarchy

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// implBlock relates the type of an impl block of Rust to its trait, and the items
// of the block to those of the trait. sites begin with the reference to the trait
// in the head of the block. The block itself is no definition: its items say what
// they stand in.
func (h *hierarchy) implBlock(doc int32, sites []edges.Site, trait Definition, out []Relation) []Relation {
	f := h.p.Files[doc].File
	at := sites[0].Start
	item := implItem(f, at, h.symbol(trait).Name)
	if item < 0 {
		// A block without items: only where the head is as short as can be.
		next := at + uint32(len(h.symbol(trait).Name)+len(" for "))
		for _, s := range sites[1:] {
			if s.Start == next && s.Kind == facts.RefType {
				h.implement(s, above{trait, min(s.Mark, sites[0].Mark), inherited})
			}
		}
		return out
	}
	mark, known := sites[0].Mark, false
	for _, s := range sites[1:] {
		if s.Start >= f.Symbols[item].Span.Start {
			break
		}
		d := Definition{s.Doc, s.Symbol}
		if s.Kind == facts.RefType && s.Mark >= edges.Likely && int(d.Symbol) < len(h.file(d).Symbols) && h.symbol(d).Name == f.Symbols[item].Container {
			mark, known = min(mark, s.Mark), true
			h.implement(s, above{trait, mark, inherited})
			break
		}
	}
	if !known {
		mark = sites[0].Mark // a type from outside
	}
	head, parent := f.Symbols[item].Init, f.Symbols[item].Parent
	for i := item; int(i) < len(f.Symbols); i++ {
		s := &f.Symbols[i]
		if s.Parent != parent {
			if s.Parent < item {
				break
			}
			continue // inside an item
		}
		if s.Init != head || s.Container != f.Symbols[item].Container {
			break
		}
		h.members(trait, func(k int32, b *facts.Symbol) {
			if b.Name == s.Name && b.Kind == s.Kind {
				out = append(out, Relation{Definition{doc, i}, Definition{trait.Doc, k}, mark})
			}
		})
	}
	return out
}

func (h *hierarchy) implement(s edges.Site, b above) {
	d := Definition{s.Doc, s.Symbol}
	if s.Mark >= edges.Likely && int(d.Symbol) < len(h.file(d).Symbols) && isType(h.symbol(d)) && h.symbol(d).Kind != facts.KindModule {
		h.derive(d, b)
	}
}

// implItem is the first item of the impl block of a trait whose head holds an
// offset, or -1.
func implItem(f *facts.File, at uint32, trait string) int32 {
	best := int32(-1)
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Span.Start <= at || best >= 0 && s.Span.Start >= f.Symbols[best].Span.Start {
			continue
		}
		best = int32(i)
	}
	if best < 0 || !implements(f.Symbols[best].Init, trait) {
		return -1
	}
	return best
}

// implements tells whether the head of an impl block names a trait so, as in
// impl<T> a::Trait<T> for Type<T>.
func implements(head, trait string) bool {
	rest, ok := strings.CutPrefix(head, "impl")
	if !ok || !strings.Contains(rest, " for ") {
		return false
	}
	if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "<") {
		rest = behindBrackets(rest)
	}
	if i := strings.IndexAny(rest, "<( "); i >= 0 {
		rest = rest[:i]
	}
	return rest[strings.LastIndexByte(rest, ':')+1:] == trait
}

// behindBrackets is what follows the angle brackets at the start of a text.
func behindBrackets(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && s[i-1] == '-' {
				break
			}
			if depth--; depth == 0 {
				return strings.TrimSpace(s[i+1:])
			}
		}
	}
	return ""
}
