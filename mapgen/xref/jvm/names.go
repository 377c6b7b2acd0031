package jvm

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// top are the definitions of a qualified name at the level of files, as seen
// from a document: of several files that define one (variants for platforms,
// projects side by side) those that share most of their path with it.
func (r *Resolver) top(doc int32, name string, uses *edges.Uses) []def {
	uses.Key(topKey + name)
	list := r.tops[name]
	if len(list) < 2 {
		return list
	}
	var out []def
	best := -1
	for _, d := range list {
		n := facts.CommonDirs(r.p.Files[doc].Path, r.p.Files[d.doc].Path)
		// Overloads in several files of one package count all.
		if isMethod(r.symbol(d).Kind) {
			n = 0
		}
		switch {
		case n > best:
			best, out = n, []def{d}
		case n == best:
			out = append(out, d)
		}
	}
	return out
}

func (r *Resolver) onlyTypes(list []def) []def {
	var out []def
	for _, d := range list {
		if k := r.symbol(d).Kind; isType(k) || k == facts.KindType {
			out = append(out, d)
		}
	}
	return out
}

// typePath are the types that a dotted name means inside a definition: a type
// with types inside it, or one behind the name of its package.
func (r *Resolver) typePath(doc, sym int32, path []string, uses *edges.Uses) []def {
	list := r.typeName(doc, sym, path[0], uses)
	if len(list) > 0 {
		return r.innerTypes(list, path[1:], uses)
	}
	if len(path) > 1 {
		return r.qualified(doc, path, uses)
	}
	return nil
}

func (r *Resolver) innerTypes(list []def, path []string, uses *edges.Uses) []def {
	for _, name := range path {
		var next []def
		for _, d := range list {
			found := r.memberTypes(d, name, uses)
			if len(found) == 0 && name == "Companion" && r.file(d.doc).Language == kotlin {
				found = []def{d} // the members of a companion without a name are those of its class
			}
			next = append(next, found...)
		}
		list = next
	}
	return list
}

// maxPath bounds the parts of a qualified name.
const maxPath = 24

// qualified are the types of a fully qualified name.
func (r *Resolver) qualified(doc int32, path []string, uses *edges.Uses) []def {
	for n := min(len(path), maxPath); n > 0; n-- {
		if list := r.onlyTypes(r.top(doc, strings.Join(path[:n], "."), uses)); len(list) > 0 {
			return r.innerTypes(list, path[n:], uses)
		}
	}
	return nil
}

// typeName are the types that a simple name means inside a definition.
func (r *Resolver) typeName(doc, sym int32, name string, uses *edges.Uses) []def {
	return r.named.Get(nameAt{doc, sym, name}, uses, func(uses *edges.Uses) []def {
		f := r.file(doc)
		for s := sym; s >= 0; s = f.Symbols[s].Parent {
			d := def{doc, s}
			if !isType(f.Symbols[s].Kind) {
				var local []def
				for _, c := range r.children(d, name, uses) {
					if isType(f.Symbols[c].Kind) {
						local = append(local, def{doc, c})
					}
				}
				if len(local) > 0 {
					return local
				}
				continue
			}
			if f.Symbols[s].Name == name {
				return []def{d}
			}
			if list := r.memberTypes(d, name, uses); len(list) > 0 {
				return list
			}
		}
		return r.fileType(doc, name, uses)
	})
}

// fileType are the types that a name means at the level of a file: of a single
// import, of the file, of the package, of an import of a whole package.
func (r *Resolver) fileType(doc int32, name string, uses *edges.Uses) []def {
	o := r.outline(doc, uses)
	if list := o.single[name]; len(list) > 0 {
		var out []def
		outside := false
		for _, c := range list {
			found := r.qualified(doc, append(strings.Split(c.from, "."), c.name), uses)
			outside = outside || len(found) == 0 && looksLikeType(c.name)
			out = append(out, found...)
		}
		if len(out) > 0 || outside {
			return distinct(out)
		}
	}
	var own []def
	for _, i := range o.inner[innerName{-1, name}] {
		own = append(own, def{doc, i})
	}
	if own = r.onlyTypes(own); len(own) > 0 {
		return own
	}
	if list := r.onlyTypes(r.top(doc, joined(o.f.Package, name), uses)); len(list) > 0 {
		return list
	}
	for _, from := range o.whole {
		if list := r.qualified(doc, append(strings.Split(from, "."), name), uses); len(list) > 0 {
			return list
		}
	}
	return nil
}

// imported are the members and top-level functions and properties, no types,
// that a file knows by a simple name: by a single import, from its package
// (Kotlin), by an import of all.
func (r *Resolver) imported(doc int32, name string, uses *edges.Uses) []def {
	o := r.outline(doc, uses)
	var out []def
	for _, c := range o.single[name] {
		out = append(out, r.membersOf(doc, c.from, c.name, uses)...)
	}
	if len(out) > 0 {
		return distinct(out)
	}
	if o.f.Language == kotlin {
		for _, d := range r.top(doc, joined(o.f.Package, name), uses) {
			if !isType(r.symbol(d).Kind) {
				out = append(out, d)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	for _, from := range o.whole {
		if out = r.membersOf(doc, from, name, uses); len(out) > 0 {
			return distinct(out)
		}
	}
	return nil
}

// membersOf are the members of a type, or what is no type of a package, by the
// qualified name of either.
func (r *Resolver) membersOf(doc int32, from, name string, uses *edges.Uses) []def {
	var out []def
	for _, d := range r.top(doc, joined(from, name), uses) {
		if !isType(r.symbol(d).Kind) {
			out = append(out, d)
		}
	}
	if len(out) > 0 || from == "" {
		return out
	}
	for _, d := range r.qualified(doc, strings.Split(from, "."), uses) {
		for _, m := range r.members(d, name, uses) {
			if s := r.symbol(m.def); !isType(s.Kind) && s.Kind != facts.KindConstructor {
				out = append(out, m.def)
			}
		}
	}
	return out
}

func distinct(list []def) []def {
	out := list[:0:0]
	for _, d := range list {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// looksLikeType tells Name from name and NAME.
func looksLikeType(name string) bool {
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		return false
	}
	return len(name) == 1 || strings.ToUpper(name) != name
}
