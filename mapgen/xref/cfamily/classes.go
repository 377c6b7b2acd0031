package cfamily

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is a class in the order in which members are looked for.
type ancestor struct {
	class def // noDef: outside
	// args are its template arguments, in the parameters of the class asked.
	args []*typ
}

const (
	maxBases     = 32
	maxAncestors = 100
)

// order is a class and its bases.
func (r *Resolver) order(class def, uses *edges.Uses) []ancestor {
	return r.orders.Get(class, uses, func(uses *edges.Uses) []ancestor {
		uses.Doc(int(class.doc))
		s := r.symbol(class)
		out := []ancestor{{class: class}}
		seen := map[def]bool{class: true}
		for _, base := range s.Bases[:min(len(s.Bases), maxBases)] {
			t := r.baseType(class, base, uses)
			if t.kind != instance {
				out = append(out, ancestor{class: noDef})
				continue
			}
			for _, a := range r.order(t.def, uses) {
				if len(out) >= maxAncestors || a.class != noDef && seen[a.class] {
					continue
				}
				seen[a.class] = true
				if a.class == t.def {
					a.args = t.args
				} else {
					a.args = r.substAll(a.args, t.def, t.args)
				}
				out = append(out, a)
			}
		}
		return out
	})
}

// membership is what a name means in a class.
type membership struct {
	list  []def
	owner ancestor
	// weak tells that a base outside of the revision, which may have the member
	// too, comes first.
	weak bool
}

// members are the members of a name that a class has, or the first of its bases
// that has any.
func (r *Resolver) members(class def, name string, uses *edges.Uses) membership {
	weak := false
	for _, a := range r.order(class, uses) {
		if a.class == noDef {
			weak = true
			continue
		}
		if r.symbol(a.class).Name == name { // the name of a class is one inside it
			return membership{[]def{a.class}, a, weak}
		}
		var out []def
		for _, c := range r.children(a.class, name, uses) {
			out = append(out, def{a.class.doc, c})
		}
		if len(out) > 0 {
			return membership{out, a, weak}
		}
	}
	return membership{}
}

// open tells whether a class has a base of which nothing is known.
func (r *Resolver) open(class def, uses *edges.Uses) bool {
	for _, a := range r.order(class, uses) {
		if a.class == noDef {
			return true
		}
	}
	return false
}

func (r *Resolver) derives(class, base def, uses *edges.Uses) bool {
	for _, a := range r.order(class, uses) {
		if a.class == base {
			return true
		}
	}
	return false
}

// constructors are those that a class declares.
func (r *Resolver) constructors(class def, uses *edges.Uses) []def {
	var out []def
	for _, c := range r.children(class, r.symbol(class).Name, uses) {
		if r.file(class.doc).Symbols[c].Kind == facts.KindConstructor {
			out = append(out, def{class.doc, c})
		}
	}
	return out
}
