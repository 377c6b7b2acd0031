package csharp

import (
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is a class in the order in which members are looked for.
type ancestor struct {
	class int32 // noClass: outside
	// args are its type arguments, in the type parameters of the class asked.
	args []*typ
	out  *typ // of a class outside
}

const (
	maxBases     = 64
	maxAncestors = 200
	// maxMembers bounds how many members of one name a class has.
	maxMembers = 200
)

// order is a class, what it extends and what it implements, superclasses first.
func (r *Resolver) order(c int32, uses *edges.Uses) []ancestor {
	if list, ok := r.quick.orders[c]; ok && uses == r.quick.uses {
		return list
	}
	list := r.orderOf(c, uses)
	if uses == r.quick.uses && uses != nil && len(list) > 0 {
		r.quick.orders[c] = list
	}
	return list
}

func (r *Resolver) orderOf(c int32, uses *edges.Uses) []ancestor {
	return r.orders.Get(c, uses, func(uses *edges.Uses) []ancestor {
		k := r.read(c, uses)
		out := []ancestor{{class: c, args: r.own(c, "").args}}
		seen := map[int32]bool{c: true}
		for _, part := range k.parts {
			bases := r.symbol(part).Bases
			for _, base := range bases[:min(len(bases), maxBases)] {
				t := r.typeFrom(part.doc, r.symbol(part).Parent, r.typeText(base), uses)
				if t.kind != instance {
					out = append(out, ancestor{class: noClass, out: r.baseType(part, base, t, uses)})
					continue
				}
				t = r.baseType(part, base, t, uses)
				for _, a := range r.order(t.class, uses) {
					if len(out) >= maxAncestors || a.class != noClass && seen[a.class] {
						continue
					}
					seen[a.class] = true
					list := make([]*typ, len(a.args))
					for i := range a.args {
						list[i] = subst(a.args[i], r.owner(t.class), t.args)
					}
					a.args = list
					if a.out != nil {
						a.out = subst(a.out, r.owner(t.class), t.args)
					}
					out = append(out, a)
				}
			}
		}
		return out
	})
}

// baseType reads a base in front of the body of a class: its type parameters are
// seen, its members are not.
func (r *Resolver) baseType(part def, base string, t *typ, uses *edges.Uses) *typ {
	text := r.typeText(base)
	if len(t.args) == 0 || len(text.path) == 0 {
		return t
	}
	last := text.path[len(text.path)-1].args
	if len(last) != len(t.args) {
		return t
	}
	list := make([]*typ, len(t.args))
	for i := range list {
		list[i] = r.baseArgument(part, last[i], t.args[i], uses, 0)
	}
	return with(t, list)
}

func (r *Resolver) baseArgument(part def, a text, t *typ, uses *edges.Uses, depth int) *typ {
	if len(a.path) == 1 && len(a.path[0].args) == 0 && a.dims == 0 {
		if v := r.typeVariable(part.doc, part.sym, a.path[0].name, uses); v != nil {
			return v
		}
	}
	if n := len(a.path); n > 0 && a.dims == 0 && depth < maxTypeDepth && len(a.path[n-1].args) == len(t.args) && len(t.args) > 0 {
		list := make([]*typ, len(t.args))
		for i := range list {
			list[i] = r.baseArgument(part, a.path[n-1].args[i], t.args[i], uses, depth+1)
		}
		return with(t, list)
	}
	return t
}

// found is a member of a class.
type found struct {
	def   def
	owner ancestor
	// weak tells that a class outside, which may have the member too, comes
	// first.
	weak bool
	// extends tells that it is an extension method, whose first parameter is the
	// receiver.
	extends bool
}

type memberName struct {
	class int32
	name  string
}

// members are all members of a name that a class has or inherits, nearest first.
// A method that is overridden counts only once, as the nearest.
func (r *Resolver) members(c int32, name string, uses *edges.Uses) []found {
	key := memberName{c, name}
	if list, ok := r.quick.found[key]; ok && uses == r.quick.uses {
		return list
	}
	list := r.found.Get(key, uses, func(uses *edges.Uses) *[]found {
		list := r.membersNamed(key, uses)
		return &list
	})
	if list == nil {
		return nil // cut short
	}
	if uses == r.quick.uses && uses != nil {
		r.quick.found[key] = *list
	}
	return *list
}

func (r *Resolver) membersNamed(key memberName, uses *edges.Uses) []found {
	c, name := key.class, key.name
	var out []found
	seen := map[string]bool{}
	weak := false
	for _, a := range r.order(c, uses) {
		if a.class == noClass {
			weak = weak || !inert(a.out)
			continue
		}
		if len(out) > 0 && r.kindOf(a.class) == facts.KindInterface && r.kindOf(c) != facts.KindInterface {
			continue // a class is not seen through its interfaces
		}
		for _, d := range r.children(a.class, name, uses) {
			s := r.symbol(d)
			key := "variable"
			switch {
			case isMethod(s.Kind):
				key = r.parameters(d)
			case s.Kind == facts.KindConstructor:
				continue
			case isType(s.Kind):
				key = "type"
			case len(s.Params) > 0:
				key = "this " + r.parameters(d)
			}
			if a.class != c && (s.Visibility == facts.Private && !r.nests(a.class, c) || seen[key]) || explicit(s) {
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
}

// nests tells whether a class lies in another one, whose private members it
// sees then.
func (r *Resolver) nests(outer, inner int32) bool {
	return strings.HasPrefix(r.classes[inner].full, r.classes[outer].full+".")
}

// explicit tells a member that implements one of an interface by the name of
// that and is seen through it only.
func explicit(s *facts.Symbol) bool {
	i := strings.Index(s.Signature, "."+s.Name)
	if i < 0 || s.Kind == facts.KindEnumMember {
		return false
	}
	end := i + 1 + len(s.Name)
	if s.Kind == facts.KindProperty {
		return end == len(s.Signature)
	}
	return isMethod(s.Kind) && end < len(s.Signature) && (s.Signature[end] == '(' || s.Signature[end] == '<') && !strings.Contains(s.Signature[:i], "(")
}

// parameters is the key by which a method overrides another: the types of its
// parameters without arguments, type parameters as such.
func (r *Resolver) parameters(d def) string {
	var out strings.Builder
	s := r.symbol(d)
	out.WriteString(withArity("", len(r.typeParams(d))))
	for _, p := range s.Params {
		t := r.typeText(p.Type)
		name := "?"
		if n := len(t.path); n > 0 {
			name = withArity(t.path[n-1].name, len(t.path[n-1].args))
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
func (r *Resolver) open(c int32, uses *edges.Uses) bool {
	for _, a := range r.order(c, uses) {
		if a.class == noClass && !inert(a.out) {
			return true
		}
	}
	return false
}

// inert tells bases outside that hide nothing: interfaces, which a class has to
// implement itself, and those whose members are few.
func inert(t *typ) bool {
	if t.kind != external {
		return true
	}
	if len(t.name) > 1 && t.name[0] == 'I' {
		if second, _ := utf8.DecodeRuneInString(t.name[1:]); second >= 'A' && second <= 'Z' {
			return true
		}
	}
	return t.name == "Attribute" || t.name == "EventArgs" || strings.HasSuffix(t.name, "Exception")
}

// constructors are those that a class declares.
func (r *Resolver) constructors(c int32, uses *edges.Uses) []def {
	var out []def
	for _, d := range r.children(c, r.symbol(r.owner(c)).Name, uses) {
		if s := r.symbol(d); s.Kind == facts.KindConstructor && s.Flags&facts.Static == 0 {
			out = append(out, d)
		}
	}
	return out
}

// distance is how far behind a class one of its bases stands in its order, or -1
// where it is none.
func (r *Resolver) distance(c, base int32, uses *edges.Uses) int {
	for i, a := range r.order(c, uses) {
		if a.class == base {
			return i
		}
	}
	return -1
}
