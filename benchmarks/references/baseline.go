package main

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// byName leads every reference to all definitions of its name: what tools
// without a resolver do.
type byName struct {
	p    *edges.Program
	defs map[string][]edges.Edge
}

func newByName(family string) func(*edges.Program) edges.Resolver {
	return func(p *edges.Program) edges.Resolver {
		r := &byName{p, map[string][]edges.Edge{}}
		for doc := range p.Files {
			f := p.Files[doc].File
			if f.Family != family {
				continue
			}
			for i := range f.Symbols {
				if s := &f.Symbols[i]; kindOf(s) != "" {
					r.defs[s.Name] = append(r.defs[s.Name], edges.Edge{Doc: int32(doc), Symbol: int32(i), Rule: "name"})
				}
			}
		}
		return r
	}
}

func (r *byName) Resolve(_ int, f *facts.File, _ *edges.Uses, out []edges.Edge) []edges.Edge {
	for i := range f.Refs {
		for _, e := range r.defs[f.Refs[i].Name] {
			e.Ref = int32(i)
			out = append(out, e)
		}
	}
	return out
}
