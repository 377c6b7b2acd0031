package python

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// outline indexes one file: which names its module, classes and functions bind.
type outline struct {
	doc  int32
	f    *facts.File
	stem string
	// pkg tells that the file stands for its directory.
	pkg bool
	// names are what the module binds, in the order of lines.
	names map[string][]entry
	// stars are the clauses `from m import *` at the level of the module.
	stars []int32
	// inner are the definitions and imports inside classes and functions.
	inner map[scopedName][]entry
}

// scopedName is a name inside a class or function.
type scopedName struct {
	sym  int32
	name string
}

// entry is one place that binds a name: a definition, or an import clause.
type entry struct {
	sym    int32 // -1 for an import
	clause int32
	name   int32 // index in Import.Names, -1 for the module itself
	line   uint32
}

// outline gives the index of a file and notes that it is needed.
func (r *Resolver) outline(doc int32, uses *edges.Uses) *outline {
	uses.Doc(int(doc))
	if o := r.outlines[doc]; o != nil {
		return o
	}
	o := newOutline(doc, &r.p.Files[doc])
	r.outlines[doc] = o
	return o
}

func newOutline(doc int32, e *facts.Entry) *outline {
	o := &outline{
		doc: doc, f: e.File, stem: stemOf(e.Path), pkg: e.Role.Has(facts.RolePackageInit) || isInit(e.Path),
		names: map[string][]entry{}, inner: map[scopedName][]entry{},
	}
	f := e.File
	add := func(owner int32, name string, x entry) {
		list := o.names[name]
		key := scopedName{owner, name}
		if owner >= 0 {
			list = o.inner[key]
		}
		at := len(list)
		for at > 0 && list[at-1].line > x.line {
			at--
		}
		list = append(list, entry{})
		copy(list[at+1:], list[at:])
		list[at] = x
		if owner >= 0 {
			o.inner[key] = list
		} else {
			o.names[name] = list
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		add(s.Parent, s.Name, entry{sym: int32(i), clause: -1, name: -1, line: s.Line})
	}
	var functions []int32
	for i := range f.Imports {
		m := &f.Imports[i]
		if m.Flags&facts.ImportDynamic != 0 {
			continue
		}
		owner := int32(-1)
		if m.Flags&facts.ImportInBody != 0 {
			if functions == nil {
				functions = functionsByLine(f)
			}
			if int(m.Line) < len(functions) {
				owner = functions[m.Line]
			}
		}
		if len(m.Names) == 0 {
			add(owner, localName(m), entry{sym: -1, clause: int32(i), name: -1, line: m.Line})
			continue
		}
		for k, n := range m.Names {
			if n.Name == "*" {
				if owner < 0 {
					o.stars = append(o.stars, int32(i))
				}
				continue
			}
			local := n.Alias
			if local == "" {
				local = n.Name
			}
			add(owner, local, entry{sym: -1, clause: int32(i), name: int32(k), line: m.Line})
		}
	}
	return o
}

// localName is the name that `import a.b` or `import a.b as c` binds.
func localName(m *facts.Import) string {
	if m.Alias != "" {
		return m.Alias
	}
	return firstPart(m.Module)
}

// functionsByLine gives the innermost function that holds each line, or -1.
func functionsByLine(f *facts.File) []int32 {
	out := make([]int32, f.Lines+2)
	for i := range out {
		out[i] = -1
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !isFunction(s.Kind) {
			continue
		}
		// What is nested stands behind what holds it.
		for line := s.Line; line <= s.EndLine && int(line) < len(out); line++ {
			out[line] = int32(i)
		}
	}
	return out
}

func isClass(k facts.Kind) bool {
	return k == facts.KindClass || k == facts.KindInterface || k == facts.KindEnum || k == facts.KindStruct
}

func isFunction(k facts.Kind) bool {
	return k == facts.KindFunction || k == facts.KindMethod || k == facts.KindConstructor || k == facts.KindProperty
}

func isVariable(k facts.Kind) bool {
	return k == facts.KindVariable || k == facts.KindConstant || k == facts.KindField
}
