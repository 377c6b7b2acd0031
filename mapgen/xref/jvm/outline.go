package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// outline indexes one file.
type outline struct {
	doc int32
	f   *facts.File
	// inner are the definitions inside a definition, by its number (-1 for the
	// file) and their name.
	inner map[innerName][]int32
	// single are the clauses that import one name, by the name they bind; whole
	// those that import all of a package or type.
	single map[string][]clause
	whole  []string
}

type innerName struct {
	sym  int32
	name string
}

// clause is one imported name: what it is called where it comes from.
type clause struct{ from, name string }

// outline gives the index of a file and notes that it is needed.
func (r *Resolver) outline(doc int32, uses *edges.Uses) *outline {
	uses.Doc(int(doc))
	if o := r.outlines[doc]; o != nil {
		return o
	}
	f := r.file(doc)
	o := &outline{doc: doc, f: f, inner: make(map[innerName][]int32, len(f.Symbols)), single: map[string][]clause{}}
	for i := range f.Symbols {
		key := innerName{f.Symbols[i].Parent, f.Symbols[i].Name}
		o.inner[key] = append(o.inner[key], int32(i))
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		if len(m.Names) == 0 {
			at := strings.LastIndexByte(m.Module, '.')
			c := clause{name: m.Module[at+1:]}
			if at > 0 {
				c.from = m.Module[:at]
			}
			bound := c.name
			if m.Alias != "" {
				bound = m.Alias
			}
			o.single[bound] = append(o.single[bound], c)
			continue
		}
		for _, n := range m.Names {
			if n.Name == "*" {
				o.whole = append(o.whole, m.Module)
				continue
			}
			bound := n.Name
			if n.Alias != "" {
				bound = n.Alias
			}
			o.single[bound] = append(o.single[bound], clause{m.Module, n.Name})
		}
	}
	r.outlines[doc] = o
	return o
}

// children are the definitions of a name inside a definition.
func (r *Resolver) children(d def, name string, uses *edges.Uses) []int32 {
	return r.outline(d.doc, uses).inner[innerName{d.sym, name}]
}
