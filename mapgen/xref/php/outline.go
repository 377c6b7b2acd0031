package php

import (
	"strings"

	"github.com/project-map/project-map/mapgen/xref/edges"

	"github.com/project-map/project-map/indexer/facts"
)

// outline indexes one file.
type outline struct {
	f *facts.File
	// inner are the definitions inside a definition (-1 for the file), by what
	// they are and their name.
	inner map[innerName][]int32
	// aliases are the whole names that use clauses give a short one, folded.
	aliases map[string]string
	// owner is the class of the members that the documentation above it defines.
	owner map[int32]int32
}

type innerName struct {
	sym int32
	key
}

// outline gives the index of a file and notes that it is needed.
func (r *Resolver) outline(doc int32, uses *edges.Uses) *outline {
	uses.Doc(int(doc))
	if o := r.outlines[doc]; o != nil {
		return o
	}
	f := r.file(doc)
	o := &outline{f: f, inner: make(map[innerName][]int32, len(f.Symbols)), aliases: map[string]string{}, owner: owners(f)}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		of := sortOf(s)
		k := innerName{s.Parent, key{of, folded(of, s.Name)}}
		if owner, ok := o.owner[int32(i)]; ok {
			k.sym = owner
		}
		o.inner[k] = append(o.inner[k], int32(i))
	}
	for i := range f.Imports {
		m := &f.Imports[i]
		if strings.Contains(m.Module, "/") || strings.HasSuffix(m.Module, ".php") {
			continue // a file
		}
		alias := m.Alias
		if alias == "" {
			alias = lastPart(m.Module)
		}
		if short := strings.ToLower(alias); o.aliases[short] == "" {
			o.aliases[short] = m.Module
		}
	}
	r.outlines[doc] = o
	return o
}

// children are the definitions of a name inside a definition.
func (r *Resolver) children(d def, n key, uses *edges.Uses) []int32 {
	return r.outline(d.doc, uses).inner[innerName{d.sym, n}]
}

// documented tells whether only documentation defines a member: that of the
// class, or a clause that gives a method of a trait another name.
func documented(s *facts.Symbol) bool {
	return s.Flags&facts.InBody != 0 && s.Flags&facts.Declaration != 0
}

// owners finds the classes whose documentation above them defines members.
func owners(f *facts.File) map[int32]int32 {
	out := map[int32]int32{}
	next := map[string]int32{}
	for i := len(f.Symbols) - 1; i >= 0; i-- {
		s := &f.Symbols[i]
		if sortOf(s) == ofClass {
			next[s.Name] = int32(i)
		} else if owner, ok := next[s.Container]; ok && s.Parent < 0 && documented(s) {
			out[int32(i)] = owner
		}
	}
	return out
}
