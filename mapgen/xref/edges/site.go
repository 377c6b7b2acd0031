package edges

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// Site is an edge without its document's references at hand: where the name
// stands and how it is used, and the definition that it means.
type Site struct {
	// Start is the byte offset of the name, Line counts from 1.
	Start, Line uint32
	Kind        facts.RefKind
	Mark        Mark
	// Doc is the number of the document of the definition, Symbol the index in
	// its File.Symbols.
	Doc, Symbol int32
}

// Sites puts the edges of a document in the order of their places, then of their
// definitions. A reference inherits only where its name is that of a base: in
// "extends Base<Item>" Item is a type like any other.
func Sites(f *facts.File, found []Edge, out []Site) []Site {
	from := len(out)
	for _, e := range found {
		r := &f.Refs[e.Ref]
		kind := r.Kind
		if kind == facts.RefInherit && r.Enclosing >= 0 && !isBase(&f.Symbols[r.Enclosing], r.Name) {
			kind = facts.RefType
		}
		out = append(out, Site{Start: r.Start, Line: r.Line, Kind: kind, Mark: e.Mark, Doc: e.Doc, Symbol: e.Symbol})
	}
	SortSites(out[from:])
	return out
}

// isBase tells whether a definition names a base so; one that lists none is
// believed.
func isBase(s *facts.Symbol, name string) bool {
	if len(s.Bases) == 0 {
		return true
	}
	return slices.ContainsFunc(s.Bases, func(b string) bool {
		head := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(b, "*&"), "prepend "), "extend ")
		if i := strings.IndexAny(head, "<[({ "); i >= 0 {
			head = head[:i]
		}
		return head == name || strings.HasSuffix(head, "."+name) || strings.HasSuffix(head, ":"+name) || strings.HasSuffix(head, "\\"+name)
	})
}

// SortSites orders sites by place, then by definition.
func SortSites(sites []Site) {
	slices.SortFunc(sites, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Symbol, b.Symbol), cmp.Compare(b.Mark, a.Mark), cmp.Compare(a.Kind, b.Kind))
	})
}
