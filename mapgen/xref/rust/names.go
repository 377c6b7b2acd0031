package rust

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// scopedName is a name asked in a module or in the body of a function.
type scopedName struct {
	scope def
	name  string
}

// named is what a name or path means: definitions of all namespaces, modules
// among them. outside tells that it is bound to something outside of the
// revision, so that no other meaning may be tried.
type named struct {
	defs    []def
	outside bool
}

func (n named) known() bool { return len(n.defs) > 0 || n.outside }

// maxNamed bounds how many definitions a name has.
const maxNamed = 60

func (n *named) add(list ...def) {
	for _, d := range list {
		if len(n.defs) < maxNamed && !slices.Contains(n.defs, d) {
			n.defs = append(n.defs, d)
		}
	}
}

// lookup is what a name means in a module, or in the body of a function where
// names of the module are not asked for: items and single imports first, then
// what globs bring in.
func (r *Resolver) lookup(scope def, name string, uses *edges.Uses) named {
	return r.named.Get(scopedName{scope, name}, uses, func(uses *edges.Uses) named {
		var out named
		o := r.outline(scope.doc, uses)
		out.add(r.children(scope, name, uses)...)
		// A name can be an item of one namespace and an import of another.
		for _, l := range o.leaves[innerName{scope.sym, name}] {
			out.follow(r.path(scope.doc, scope.sym, l.path, uses))
		}
		if out.known() {
			return out
		}
		for _, g := range o.globs[scope.sym] {
			out.add(r.glob(scope, g, name, uses)...)
		}
		return out
	})
}

// follow adds what an imported name leads to.
func (n *named) follow(o named) {
	n.add(o.defs...)
	n.outside = n.outside || o.outside || len(o.defs) == 0
}

// glob is what a name means in what a glob of a module brings in.
func (r *Resolver) glob(scope def, g leaf, name string, uses *edges.Uses) []def {
	var out named
	for _, d := range r.path(scope.doc, scope.sym, g.path, uses).defs {
		if d.sym >= 0 && r.symbol(d).Kind == facts.KindEnum {
			out.add(r.variants(d, name, uses)...)
			continue
		}
		if d.sym >= 0 && r.symbol(d).Kind != facts.KindModule {
			continue
		}
		m, ok := r.body(d, uses)
		if !ok || m == scope {
			continue
		}
		// Private names are seen by modules inside only.
		inside := r.within(r.moduleAround(scope.doc, scope.sym, uses), m, uses)
		o := r.outline(m.doc, uses)
		if inside || len(r.children(m, name, uses)) > 0 || slices.ContainsFunc(o.leaves[innerName{m.sym, name}], func(l leaf) bool { return l.reexport }) {
			for _, f := range r.lookup(m, name, uses).defs {
				if inside || f.sym < 0 || f.doc != m.doc || r.symbol(f).Parent != m.sym || r.symbol(f).Visibility != facts.Private {
					out.add(f)
				}
			}
			continue
		}
		for _, inner := range o.globs[m.sym] {
			if inner.reexport {
				out.add(r.globOnce(m, inner, name, uses)...)
			}
		}
	}
	return out.defs
}

// globOnce is what a reexporting glob brings in, remembered, for chains of them
// can form circles.
func (r *Resolver) globOnce(m def, g leaf, name string, uses *edges.Uses) []def {
	return r.named.Get(scopedName{m, "*" + joinPath(g.path) + " " + name}, uses, func(uses *edges.Uses) named {
		return named{defs: r.glob(m, g, name, uses)}
	}).defs
}

func joinPath(path []string) string {
	out := ""
	for i, p := range path {
		if i > 0 {
			out += "."
		}
		out += p
	}
	return out
}

func (r *Resolver) variants(enum def, name string, uses *edges.Uses) []def {
	var out []def
	for _, d := range r.children(enum, name, uses) {
		if r.symbol(d).Kind == facts.KindEnumMember {
			out = append(out, d)
		}
	}
	return out
}

// lexical is what a bare name means at a place: in the functions around, then in
// the module.
func (r *Resolver) lexical(doc, sym int32, name string, uses *edges.Uses) named {
	uses.Doc(int(doc))
	f := r.file(doc)
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		k := f.Symbols[s].Kind
		if k == facts.KindModule && f.Symbols[s].Flags&facts.Declaration == 0 {
			return r.lookup(def{doc, s}, name, uses)
		}
		if isFunction(k) || isValue(k) {
			if n := r.lookup(def{doc, s}, name, uses); n.known() {
				return n
			}
		}
	}
	return r.lookup(def{doc, -1}, name, uses)
}

// maxPath bounds the parts of a path.
const maxPath = 24

// path is what a path means inside a definition.
func (r *Resolver) path(doc, sym int32, path []string, uses *edges.Uses) named {
	if len(path) == 0 || len(path) > maxPath {
		return named{outside: true}
	}
	var n named
	rest := path[1:]
	switch head := path[0]; head {
	case "crate", "$crate":
		n.add(r.roots(r.moduleAround(doc, sym, uses), uses)...)
	case "self":
		n.add(r.moduleAround(doc, sym, uses))
	case "super":
		n.add(r.around(r.moduleAround(doc, sym, uses), uses)...)
		for len(rest) > 0 && rest[0] == "super" {
			var up named
			for _, d := range n.defs {
				up.add(r.around(d, uses)...)
			}
			n, rest = up, rest[1:]
		}
	case "":
		if len(rest) == 0 {
			return named{outside: true}
		}
		n = r.external(doc, rest[0], uses)
		rest = rest[1:]
	default:
		n = r.lexical(doc, sym, head, uses)
		if !n.known() && len(rest) > 0 {
			// In mod copy; use copy::copy; the name is asked while it is being answered.
			n.add(r.spaces(r.children(r.moduleAround(doc, sym, uses), head, uses))...)
		}
		if len(rest) > 0 {
			// A function of the name is no way on.
			n.defs = slices.DeleteFunc(slices.Clone(n.defs), func(d def) bool { return !r.isSpace(d) })
		}
		if !n.known() {
			n = r.external(doc, head, uses)
			if len(n.defs) == 0 && len(rest) > 0 && head != "std" && head != "core" && head != "alloc" {
				// Before the edition of 2018 paths of use clauses began at the root.
				for _, root := range r.roots(r.moduleAround(doc, sym, uses), uses) {
					n.add(r.spaces(r.children(root, head, uses))...)
				}
			}
		}
	}
	for i, seg := range rest {
		var next named
		for _, d := range n.defs {
			found := r.step(d, seg, uses)
			next.add(found.defs...)
			next.outside = next.outside || found.outside
		}
		next.defs = r.visible(doc, sym, next.defs, uses)
		if i < len(rest)-1 {
			next.defs = r.spaces(next.defs)
		}
		next.outside = next.outside || len(next.defs) == 0
		n = next
	}
	return n
}

// visible leaves out, where several definitions have a name, those that are
// private to a module that the place is not in.
func (r *Resolver) visible(doc, sym int32, list []def, uses *edges.Uses) []def {
	if len(list) < 2 {
		return list
	}
	var out []def
	from := r.moduleAround(doc, sym, uses)
	for _, d := range list {
		if d.sym >= 0 && r.symbol(d).Visibility == facts.Private && !isOwned(r.file(d.doc), d.sym) && (r.symbol(d).Parent < 0 || r.symbol(def{d.doc, r.symbol(d).Parent}).Kind == facts.KindModule) {
			if !r.within(from, r.moduleAround(d.doc, r.symbol(d).Parent, uses), uses) {
				continue
			}
		}
		out = append(out, d)
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// spaces are those definitions that hold names.
func (r *Resolver) spaces(list []def) []def {
	return slices.DeleteFunc(slices.Clone(list), func(d def) bool { return !r.isSpace(d) })
}

func (r *Resolver) isSpace(d def) bool {
	return d.sym < 0 || r.symbol(d).Kind == facts.KindModule || isType(r.symbol(d).Kind)
}

// external is what the name of a crate means in a file.
func (r *Resolver) external(doc int32, name string, uses *edges.Uses) named {
	if library, ok := r.renaming(doc, name, uses); ok {
		name = library
	}
	if root, ok := r.library(name, uses); ok {
		return named{defs: []def{root}}
	}
	return named{outside: true}
}

// step is what a name means behind a path.
func (r *Resolver) step(d def, name string, uses *edges.Uses) named {
	if d.sym >= 0 && r.symbol(d).Kind != facts.KindModule {
		return named{defs: r.associated(d, name, uses)}
	}
	m, ok := r.body(d, uses)
	if !ok {
		return named{}
	}
	out := r.lookup(m, name, uses)
	out.defs = slices.Clip(out.defs)
	if len(out.defs) == 0 {
		uses.Key(macroKey + name)
		for _, c := range r.macros[name] {
			// An exported macro stands at the root of its crate.
			if m.sym < 0 && r.symbol(c).Flags&facts.Exported != 0 && r.sameCrate(c.doc, m, uses) {
				out.add(c)
			}
		}
	}
	return out
}

func (r *Resolver) sameCrate(doc int32, root def, uses *edges.Uses) bool {
	return slices.Contains(r.roots(def{doc, -1}, uses), root)
}
