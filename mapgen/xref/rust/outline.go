package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// outline indexes one file.
type outline struct {
	f *facts.File
	// inner are the definitions inside a definition, by its number (-1 for the
	// file) and their name, without the items of impl blocks.
	inner map[innerName][]int32
	// leaves are the imported names, by the module or function that the clause
	// stands in and the name they bind; globs the clauses that import all.
	leaves map[innerName][]leaf
	globs  map[int32][]leaf
}

type innerName struct {
	sym  int32
	name string
}

// leaf is one name of a use clause.
type leaf struct {
	path     []string
	reexport bool
}

// outline gives the index of a file and notes that it is needed.
func (r *Resolver) outline(doc int32, uses *edges.Uses) *outline {
	uses.Doc(int(doc))
	if o := r.outlines[doc]; o != nil {
		return o
	}
	f := r.file(doc)
	o := &outline{f: f, inner: make(map[innerName][]int32, len(f.Symbols)), leaves: map[innerName][]leaf{}, globs: map[int32][]leaf{}}
	// The regions that use clauses belong to: inline modules and functions.
	var regions []int32
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if !isOwned(f, int32(i)) {
			key := innerName{s.Parent, s.Name}
			o.inner[key] = append(o.inner[key], int32(i))
		}
		if s.Kind == facts.KindModule && s.Flags&facts.Declaration == 0 || isFunction(s.Kind) {
			regions = append(regions, int32(i))
		}
	}
	for i := range f.Imports {
		o.add(&f.Imports[i], regions)
	}
	r.outlines[doc] = o
	return o
}

func (o *outline) add(m *facts.Import, regions []int32) {
	if strings.HasPrefix(m.Module, "./") {
		return // a module by its path, which is a symbol
	}
	region := int32(-1)
	for _, i := range regions {
		s := &o.f.Symbols[i]
		if isFunction(s.Kind) && m.Flags&facts.ImportInBody == 0 {
			continue
		}
		// Of nested regions the inner one stands behind the outer one.
		if s.Line <= m.Line && m.Line <= s.EndLine && s.Line < s.EndLine {
			region = i
		}
	}
	path := splitPath(m.Module)
	if len(m.Names) == 0 && len(path) == 2 && path[0] == "self" && m.Alias == "" {
		return // what mod declares, which is a symbol
	}
	reexport := m.Flags&facts.ImportReexport != 0
	bind := func(name, alias string, path []string) {
		if alias != "" {
			name = alias
		}
		key := innerName{region, strings.TrimPrefix(name, "r#")}
		o.leaves[key] = append(o.leaves[key], leaf{path, reexport})
	}
	if len(m.Names) == 0 && len(path) > 0 {
		if last := path[len(path)-1]; last != "self" || m.Alias != "" {
			bind(last, m.Alias, path)
		}
		return
	}
	for _, n := range m.Names {
		if n.Name == "*" {
			o.globs[region] = append(o.globs[region], leaf{path, reexport})
			continue
		}
		if n.Alias != "_" {
			bind(n.Name, n.Alias, append(path[:len(path):len(path)], strings.TrimPrefix(n.Name, "r#")))
		} else {
			// A trait without a name still lends its methods.
			o.globs[region] = append(o.globs[region], leaf{append(path[:len(path):len(path)], n.Name), false})
		}
	}
}

// splitPath parts a path at its colons; one that starts with them starts with "".
func splitPath(s string) []string {
	if s == "" {
		return nil
	}
	out := strings.Split(s, "::")
	for i := range out {
		out[i] = strings.TrimPrefix(strings.TrimSpace(out[i]), "r#")
	}
	if out[len(out)-1] == "" && len(out) > 1 {
		out = out[:len(out)-1]
	}
	return out
}

// children are the definitions of a name inside a definition.
func (r *Resolver) children(d def, name string, uses *edges.Uses) []def {
	var out []def
	for _, i := range r.outline(d.doc, uses).inner[innerName{d.sym, name}] {
		out = append(out, def{d.doc, i})
	}
	return out
}
