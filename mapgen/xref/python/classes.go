package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is one class in the order in which members are looked for: a class of
// the revision, or one outside of it.
type ancestor struct {
	class def // noDef: outside
	// name is the name of a class outside.
	name string
}

// maxBases bounds how many bases of a class count.
const maxBases = 32

// order is the order of a class and its bases (C3). Classes outside stand in it
// by their names. Where the bases contradict each other, as Python would refuse,
// it is the order of a walk.
func (r *Resolver) order(class def, uses *edges.Uses) []ancestor {
	return r.orders.Get(class, uses, func(uses *edges.Uses) []ancestor {
		self := ancestor{class: class}
		s := r.symbol(class)
		uses.Doc(int(class.doc))
		var lists [][]ancestor
		var direct []ancestor
		for _, base := range s.Bases[:min(len(s.Bases), maxBases)] {
			t := r.annotation(scopeAt{class.doc, s.Parent, true, s.Span.Start}, base, uses)
			if t.kind == unionOf {
				t = t.args[0]
			}
			a := ancestor{class: noDef, name: lastPart(headOf(base))}
			if t.kind == instanceOf {
				if t.def == class {
					continue
				}
				a = ancestor{class: t.def}
				lists = append(lists, r.order(t.def, uses))
			} else {
				lists = append(lists, []ancestor{a})
			}
			direct = append(direct, a)
		}
		lists = append(lists, direct)
		return merge(self, lists)
	})
}

// maxAncestors bounds the order of one class.
const maxAncestors = 200

func merge(self ancestor, lists [][]ancestor) []ancestor {
	out := []ancestor{self}
	heads := make([]int, len(lists))
	taken := map[ancestor]bool{self: true}
	inTail := func(a ancestor) bool {
		for i, l := range lists {
			for k := heads[i] + 1; k < len(l); k++ {
				if l[k] == a {
					return true
				}
			}
		}
		return false
	}
	for len(out) < maxAncestors {
		next, first := ancestor{}, ancestor{}
		found, any := false, false
		for i, l := range lists {
			for heads[i] < len(l) && taken[l[heads[i]]] {
				heads[i]++
			}
			if heads[i] == len(l) {
				continue
			}
			a := l[heads[i]]
			if !any {
				first, any = a, true
			}
			if !inTail(a) {
				next, found = a, true
				break
			}
		}
		if !any {
			break
		}
		if !found {
			next = first
		}
		taken[next] = true
		out = append(out, next)
	}
	return out
}

// member is what a class has under a name.
type member struct {
	defs []def
	// owner is the class that defines it.
	owner def
	// behindExternal tells that a class outside comes first, which may define it,
	// too.
	behindExternal bool
	// declared is the definition in a class further behind that declares the type
	// of a member to which the first only gives a value; else noDef.
	declared def
	// open tells, where nothing was found, that a class outside may have it.
	open bool
}

// containerBase is the container outside that a class derives from, with what
// it holds: class Rows(list[Row]); nil where there is none.
func (r *Resolver) containerBase(class def, uses *edges.Uses) *typ {
	for _, a := range r.order(class, uses) {
		if a.class == noDef {
			continue
		}
		uses.Doc(int(a.class.doc))
		s := r.symbol(a.class)
		for _, base := range s.Bases[:min(len(s.Bases), maxBases)] {
			if !strings.Contains(base, "[") {
				continue
			}
			t := r.annotation(scopeAt{a.class.doc, s.Parent, true, s.Span.Start}, base, uses)
			if (t.kind == iterableOf || t.kind == mappingOf) && known(t.args[len(t.args)-1]) {
				return t
			}
		}
	}
	return nil
}

// classMember looks a member up in the order of a class; behind skips the order
// up to that class, as super does.
func (r *Resolver) classMember(class, behind def, name string, uses *edges.Uses) member {
	return r.members.Get(memberName{class, behind, name}, uses, func(uses *edges.Uses) member {
		skipping := behind != noDef
		m := member{owner: noDef, declared: noDef}
		for _, a := range r.order(class, uses) {
			if skipping {
				skipping = a.class != behind
				continue
			}
			if a.class == noDef {
				m.open = m.open || !inert(a.name, name)
				continue
			}
			o := r.outline(a.class.doc, uses)
			list := o.inner[scopedName{a.class.sym, name}]
			if len(list) == 0 {
				continue
			}
			var defs []def
			typed := false
			for _, t := range r.entries(a.class.doc, list, uses) {
				if t.def == noDef {
					continue
				}
				defs = append(defs, t.def)
				s := r.symbol(t.def)
				typed = typed || s.Type != "" || s.Kind != facts.KindField
			}
			switch {
			case len(defs) == 0:
				return m
			case m.owner == noDef:
				m.defs, m.owner = defs, a.class
				m.behindExternal, m.open = m.open, false
				if typed {
					return m
				}
			case typed:
				m.declared = defs[0]
				m.open = false
				return m
			}
		}
		m.open = m.open && m.owner == noDef
		return m
	})
}

// hasConstructor tells whether a class of the revision in the order has a
// constructor of its own.
func (r *Resolver) hasConstructor(class def, uses *edges.Uses) bool {
	for _, name := range []string{"__init__", "__new__"} {
		if len(r.classMember(class, noDef, name, uses).defs) > 0 {
			return true
		}
	}
	return false
}

// inertBases are classes outside whose members are known: none that matter, or
// the ones given.
var inertBases = map[string][]string{
	"object": nil, "Generic": nil, "Protocol": nil, "ABC": nil, "NamedTuple": {"count", "index"}, "TypedDict": nil,
	"Enum": {"name", "value"}, "IntEnum": {"name", "value"}, "StrEnum": {"name", "value"}, "Flag": {"name", "value"}, "IntFlag": {"name", "value"},
	"namedtuple":    {"count", "index"},
	"BaseException": {"args", "with_traceback", "add_note"}, "Exception": {"args", "with_traceback", "add_note"},
	"ValueError": {"args"}, "TypeError": {"args"}, "KeyError": {"args"}, "RuntimeError": {"args"}, "AttributeError": {"args", "name", "obj"},
	"NotImplementedError": {"args"}, "LookupError": {"args"}, "IndexError": {"args"}, "Warning": {"args"}, "UserWarning": {"args"}, "DeprecationWarning": {"args"},
	"type": {"mro"},
}

// inert tells that a class outside does not define a member.
func inert(class, name string) bool {
	has, ok := inertBases[class]
	if !ok {
		return false
	}
	for _, n := range has {
		if n == name {
			return false
		}
	}
	// What every object has.
	switch name {
	case "__init__", "__new__", "__call__", "__enter__", "__iter__", "__getitem__", "__next__", "__aenter__":
		return true
	}
	return !(len(name) > 4 && name[:2] == "__" && name[len(name)-2:] == "__")
}

// methodAt is the method whose body holds a definition that is a child of its
// class: an attribute that the method sets.
func methodAt(f *facts.File, field int32) int32 {
	s := &f.Symbols[field]
	found := int32(-1)
	for i := s.Parent + 1; i < int32(len(f.Symbols)); i++ {
		m := &f.Symbols[i]
		if m.Span.Start > s.NameSpan.Start {
			break
		}
		if isFunction(m.Kind) && m.Parent == s.Parent && m.Span.Contains(s.NameSpan) {
			found = i
		}
	}
	return found
}
