package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// def is a definition of the revision.
type def struct{ doc, sym int32 }

var noDef = def{-1, -1}

// target is one thing that a name means: a definition, or else a module, or
// else something outside of the revision.
type target struct {
	def     def
	module  module
	outside bool
}

var outside = target{def: noDef, outside: true}

// moduleName is what a module binds a name to. Several definitions (branches,
// overloads) are all given; plain variables do not count beside functions,
// classes and imports, for they hold what stands in where an import fails.
func (r *Resolver) moduleName(doc int32, name string, uses *edges.Uses) []target {
	return r.names.Get(docName{doc, name}, uses, func(uses *edges.Uses) []target {
		o := r.outline(doc, uses)
		if found := r.entries(doc, o.names[name], uses); len(found) > 0 {
			return found
		}
		for i := len(o.stars) - 1; i >= 0; i-- {
			from := r.clause(doc, o.stars[i], uses)
			if !from.known || from.module.doc < 0 || from.module.doc == doc || !r.exports(from.module.doc, name, uses) {
				continue
			}
			if t := r.attribute(from.module, name, doc, uses); len(t) > 0 {
				return t
			}
		}
		return nil
	})
}

// maxMeanings bounds how many places that bind one name are looked at.
const maxMeanings = 40

// entries are the meanings of the places that bind one name.
func (r *Resolver) entries(doc int32, list []entry, uses *edges.Uses) []target {
	var out []target
	firm := false
	if len(list) > maxMeanings {
		list = list[:maxMeanings]
	}
	for _, e := range list {
		if e.sym >= 0 {
			out = append(out, target{def: def{doc, e.sym}})
			firm = firm || !isVariable(r.p.Files[doc].File.Symbols[e.sym].Kind)
			continue
		}
		for _, t := range r.imported(doc, e.clause, e.name, uses) {
			out = append(out, t)
			firm = firm || !t.outside
		}
	}
	if firm {
		kept := out[:0]
		for _, t := range out {
			if t.outside || t.def != noDef && t.def.doc == doc && isVariable(r.symbol(t.def).Kind) {
				continue
			}
			kept = append(kept, t)
		}
		if len(kept) > 0 {
			out = kept
		}
	}
	return distinct(out)
}

func distinct(list []target) []target {
	out := list[:0]
next:
	for _, t := range list {
		for _, u := range out {
			if t == u {
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}

// exports tells whether `from module import *` brings in a name.
func (r *Resolver) exports(doc int32, name string, uses *edges.Uses) bool {
	return r.exported.Get(docName{doc, name}, uses, func(uses *edges.Uses) bool {
		o := r.outline(doc, uses)
		if len(o.f.Exports) == 0 {
			return !strings.HasPrefix(name, "_")
		}
		for _, e := range o.f.Exports {
			if e.Name == name {
				return true
			}
		}
		for _, e := range o.f.Exports {
			if e.Name == "*" && r.exportsOf(o, e.Module, name, uses) {
				return true
			}
		}
		return false
	})
}

// exportsOf tells whether the list of another module, which the file imports
// and adds to its own, holds a name.
func (r *Resolver) exportsOf(o *outline, module, name string, uses *edges.Uses) bool {
	for i := range o.f.Imports {
		m := &o.f.Imports[i]
		if m.Module == module {
			from := r.clause(o.doc, int32(i), uses)
			if from.known && from.module.doc >= 0 && r.exports(from.module.doc, name, uses) {
				return true
			}
		}
		for k, n := range m.Names {
			if joined(m.Module, n.Name) != module {
				continue
			}
			for _, t := range r.imported(o.doc, int32(i), int32(k), uses) {
				if t.def == noDef && !t.outside && t.module.doc >= 0 && r.exports(t.module.doc, name, uses) {
					return true
				}
			}
		}
	}
	return false
}

func joined(module, name string) string {
	if strings.HasSuffix(module, ".") {
		return module + name
	}
	return module + "." + name
}

// scopeAt is where a name stands, which decides what it means.
type scopeAt struct {
	doc   int32
	sym   int32 // innermost definition around, -1 for the module
	class bool  // whether sym, where it is a class, is seen
	at    uint32
}

// lookup is what a name means at a place by the rules of scope, leaving
// parameters and local variables aside: what the definition around binds, then
// the functions around that, then the module. Bodies of classes are not seen
// from functions inside them, and run from top to bottom: what stands further
// down in them counts only where nothing else has the name.
func (r *Resolver) lookup(at scopeAt, name string, uses *edges.Uses) ([]target, place) {
	o := r.outline(at.doc, uses)
	var later []target
	for s := at.sym; s >= 0; s = o.f.Symbols[s].Parent {
		class := isClass(o.f.Symbols[s].Kind)
		if class && s != at.sym {
			continue
		}
		list := o.inner[scopedName{s, name}]
		if len(list) == 0 {
			continue
		}
		if !class {
			if t := r.entries(at.doc, list, uses); len(t) > 0 {
				return t, inFunction
			}
			continue
		}
		before, after := boundByBody(o.f, list, at.at)
		if !at.class {
			// In a comprehension only what is iterated first sees the class.
			later = r.entries(at.doc, before, uses)
			continue
		}
		if t := r.entries(at.doc, before, uses); len(t) > 0 {
			return t, inClass
		}
		later = r.entries(at.doc, after, uses)
	}
	if t := r.moduleName(at.doc, name, uses); len(t) > 0 || len(later) == 0 || builtin(name) {
		return t, inModule
	}
	return later, inClass
}

// place is where a name was found.
type place uint8

const (
	inModule place = iota
	inClass
	inFunction
)

// boundByBody are the places in the body of a class that bind a name, in front
// of an offset and behind it. The attributes that methods set are left out: they
// are members of instances, and no names of the body.
func boundByBody(f *facts.File, list []entry, at uint32) (before, after []entry) {
	for _, e := range list {
		front := false
		if e.sym >= 0 {
			s := &f.Symbols[e.sym]
			if setByMethod(f, s) {
				continue
			}
			front = s.Span.End <= at
		} else {
			front = true // imports in the body of a class stand at its top
		}
		if front {
			before = append(before, e)
		} else {
			after = append(after, e)
		}
	}
	return before, after
}

// setByMethod tells an attribute that a method sets from one that the body of
// its class has.
func setByMethod(f *facts.File, s *facts.Symbol) bool {
	return s.Kind == facts.KindField && s.Flags&facts.InBody != 0 && s.Parent >= 0 && isClass(f.Symbols[s.Parent].Kind) && strings.Contains(s.Signature, "."+s.Name)
}
