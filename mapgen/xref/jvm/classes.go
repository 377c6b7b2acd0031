package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is a class in the order in which members are looked for.
type ancestor struct {
	class def // noDef: outside
	// args are its type arguments, in the type parameters of the class asked.
	args []*typ
	name string // of a class outside
}

const (
	maxBases     = 64
	maxAncestors = 200
	// maxMembers bounds how many members of one name a class has.
	maxMembers = 200
)

// order is a class, what it extends and what it implements, superclasses first.
func (r *Resolver) order(class def, uses *edges.Uses) []ancestor {
	return r.orders.Get(class, uses, func(uses *edges.Uses) []ancestor {
		uses.Doc(int(class.doc))
		s := r.symbol(class)
		out := []ancestor{{class: class, args: r.own(class, "").args}}
		seen := map[def]bool{class: true}
		for _, base := range s.Bases[:min(len(s.Bases), maxBases)] {
			t := r.baseType(class, base, uses)
			if t.kind != instance {
				out = append(out, ancestor{class: noDef, name: t.name})
				continue
			}
			for _, a := range r.order(t.def, uses) {
				if len(out) >= maxAncestors || a.class != noDef && seen[a.class] {
					continue
				}
				seen[a.class] = true
				list := make([]*typ, len(a.args))
				for i := range a.args {
					list[i] = subst(a.args[i], t.def, t.args)
				}
				a.args = list
				out = append(out, a)
			}
		}
		return out
	})
}

// baseType reads a base in front of the body of a class: its type parameters
// are seen, its members are not.
func (r *Resolver) baseType(class def, base string, uses *edges.Uses) *typ {
	s := r.symbol(class)
	t := r.typeFrom(class.doc, s.Parent, r.typeText(base), uses)
	if t.kind != instance || len(t.args) == 0 {
		return t
	}
	list := make([]*typ, len(t.args))
	text := r.typeText(base)
	for i := range list {
		list[i] = t.args[i]
		if a := text.args[i]; len(a.path) == 1 {
			if v := r.typeVariable(class.doc, class.sym, a.path[0], uses); v != nil {
				list[i] = v
			}
		}
	}
	return with(t, list)
}

// memberTypes are the types of a name inside a class or what it inherits from.
func (r *Resolver) memberTypes(class def, name string, uses *edges.Uses) []def {
	for _, a := range r.order(class, uses) {
		if a.class == noDef {
			continue
		}
		var out []def
		for _, c := range r.children(a.class, name, uses) {
			if isType(r.file(a.class.doc).Symbols[c].Kind) {
				out = append(out, def{a.class.doc, c})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// found is a member of a class.
type found struct {
	def   def
	owner ancestor
	// weak tells that a class outside, which may have the member too, comes
	// first.
	weak bool
}

type memberName struct {
	class def
	name  string
}

// members are all members of a name that a class has or inherits, nearest first.
// A method that is overridden counts only once, as the nearest.
func (r *Resolver) members(class def, name string, uses *edges.Uses) []found {
	return r.found.Get(memberName{class, name}, uses, func(uses *edges.Uses) []found {
		var out []found
		seen := map[string]bool{}
		weak := false
		for _, a := range r.order(class, uses) {
			if a.class == noDef {
				weak = weak || !inert(a.name)
				continue
			}
			list := r.children(a.class, name, uses)
			if companion := r.companion(a.class, uses); companion >= 0 {
				list = append(list[:len(list):len(list)], r.children(def{a.class.doc, companion}, name, uses)...)
			}
			for _, c := range list {
				d := def{a.class.doc, c}
				s := r.symbol(d)
				key := "variable"
				switch {
				case isMethod(s.Kind):
					key = r.parameters(d)
				case s.Kind == facts.KindConstructor:
					continue
				case isType(s.Kind):
					key = "type"
				}
				if a.class != class && s.Visibility == facts.Private && s.Flags&facts.InBody == 0 && class.doc != a.class.doc {
					continue
				}
				if seen[key] && a.class != class {
					continue
				}
				if len(out) == maxMembers {
					return out
				}
				seen[key] = true
				out = append(out, found{def: d, owner: a, weak: weak})
			}
		}
		return out
	})
}

// companion is the companion object with a name of a Kotlin class, or -1.
func (r *Resolver) companion(class def, uses *edges.Uses) int32 {
	if r.file(class.doc).Language != kotlin {
		return -1
	}
	for _, c := range r.children(class, "Companion", uses) {
		return c
	}
	return -1
}

// parameters is the key by which a method overrides another: the types of its
// parameters without arguments, type parameters as such.
func (r *Resolver) parameters(d def) string {
	var out strings.Builder
	s := r.symbol(d)
	for _, p := range s.Params {
		t := r.typeText(p.Type)
		name := "?"
		if len(t.path) > 0 {
			name = t.path[len(t.path)-1]
			if r.typeVariable(d.doc, d.sym, name, nil) != nil {
				name = "?"
			}
		}
		out.WriteString(name)
		for range t.dims {
			out.WriteString("[]")
		}
		out.WriteByte(',')
	}
	return out.String()
}

// open tells whether a class has a base outside that can have members of any
// name.
func (r *Resolver) open(class def, uses *edges.Uses) bool {
	for _, a := range r.order(class, uses) {
		if a.class == noDef && !inert(a.name) {
			return true
		}
	}
	return false
}

// constructors are those that a class declares.
func (r *Resolver) constructors(class def, uses *edges.Uses) []def {
	var out []def
	f := r.outline(class.doc, uses).f
	for _, c := range r.children(class, f.Symbols[class.sym].Name, uses) {
		if f.Symbols[c].Kind == facts.KindConstructor {
			out = append(out, def{class.doc, c})
		}
	}
	return out
}

// derives tells whether a class is, extends or implements another one.
func (r *Resolver) derives(class, base def, uses *edges.Uses) bool {
	for _, a := range r.order(class, uses) {
		if a.class == base {
			return true
		}
	}
	return false
}

// inert tells bases outside whose members are few and known, so that they hide
// nothing.
func inert(name string) bool {
	switch name {
	case "Object", "Any", "Serializable", "Cloneable", "Comparable", "Comparator", "AutoCloseable", "Closeable", "Flushable", "Runnable", "Callable",
		"Iterable", "Iterator", "Supplier", "Consumer", "Function", "Predicate", "Enum", "Record", "Annotation", "Externalizable", "CharSequence", "Appendable",
		"Exception", "RuntimeException", "Error", "Throwable", "IOException", "IllegalArgumentException", "IllegalStateException", "InvocationHandler":
		return true
	}
	return false
}
