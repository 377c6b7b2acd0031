package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is a class or module in the order in which methods are looked for.
type ancestor struct {
	path string // "" for one outside
	name string // of one outside
	// super tells a class from modules that are mixed in.
	super bool
}

const (
	maxAncestors = 200
	// maxMembers bounds how many definitions of one name a class has.
	maxMembers = 50
)

// base is one of the bases of a class with how it got there.
type base struct {
	def         // the opening
	name string // as written
	how  string // "<", "include", "extend", "prepend"
}

// basesOf are the bases of a class in all its openings.
func (r *Resolver) basesOf(class string, uses *edges.Uses) []base {
	uses.Key(basesKey + class)
	var out []base
	for _, d := range r.bases[class] {
		s := r.symbol(d)
		for i, b := range s.Bases {
			how := "include"
			if i == 0 && hasSuperclass(s) {
				how = "<"
			}
			if kind, name, ok := strings.Cut(b, " "); ok && (kind == "extend" || kind == "prepend") {
				how, b = kind, name
			}
			out = append(out, base{d, b, how})
			if len(out) >= maxAncestors {
				return out
			}
		}
	}
	return out
}

// resolveBase is the path of a base: a superclass is looked for outside of the
// class, a module inside.
func (r *Resolver) resolveBase(b base, uses *edges.Uses) string {
	if b.name == "self" {
		return r.paths[b.doc][b.sym]
	}
	nesting := r.nestingOf(b.def)
	p := ""
	if len(nesting) > 0 {
		// The ancestors of the class itself are what is asked for.
		if first, rest, _ := strings.Cut(b.name, "::"); b.how != "<" && r.exists(joined(nesting[0], first), uses) {
			p = r.within(joined(nesting[0], first), rest, uses)
		}
		nesting = nesting[1:]
	}
	if p == "" {
		p = r.constant(nesting, b.name, r.paths[b.doc][b.sym], uses)
	}
	if p == "" {
		return ""
	}
	return r.target(p, uses)
}

// order is a class with its ancestors.
func (r *Resolver) order(class string, uses *edges.Uses) []ancestor {
	return r.orders.Get(class, uses, func(uses *edges.Uses) []ancestor {
		bases := r.basesOf(class, uses)
		var out []ancestor
		seen := map[string]bool{}
		add := func(b base) {
			p := r.resolveBase(b, uses)
			if p == class {
				return
			}
			if p == "" {
				out = append(out, ancestor{name: b.name, super: b.how == "<"})
				return
			}
			list := r.order(p, uses)
			if list == nil { // a circle
				list = []ancestor{{path: p}}
			}
			for _, a := range list {
				if len(out) >= maxAncestors || a.path != "" && seen[a.path] {
					continue
				}
				seen[a.path] = a.path != ""
				a.super = a.super && b.how == "<"
				out = append(out, a)
			}
		}
		for i := len(bases) - 1; i >= 0; i-- {
			if bases[i].how == "prepend" {
				add(bases[i])
			}
		}
		seen[class] = true
		out = append(out, ancestor{path: class, super: true})
		for i := len(bases) - 1; i >= 0; i-- {
			if bases[i].how == "include" {
				add(bases[i])
			}
		}
		for _, b := range bases {
			if b.how == "<" {
				add(b)
				break
			}
		}
		return out
	})
}

// found is a member of a class.
type found struct {
	def def
	// owner is the class that has it.
	owner string
	// weak tells that a class outside, which may have it too, comes first.
	weak bool
}

type memberName struct {
	class string
	// name with # or . before it.
	name string
}

func (r *Resolver) direct(class, name string, uses *edges.Uses) []def {
	key := class + name
	uses.Key(memberKey + key)
	return r.members[key]
}

// ofInstance are the definitions of a method of the nearest ancestor of a class
// that has it.
func (r *Resolver) ofInstance(class, name string, uses *edges.Uses) []found {
	return r.ask(memberName{class, "#" + name}, uses, func(uses *edges.Uses) []found {
		return r.search(r.order(class, uses), "#"+name, false, uses)
	})
}

// ask is found.Get, without noting again what the document at hand depends on.
func (r *Resolver) ask(key memberName, uses *edges.Uses, find func(uses *edges.Uses) []found) []found {
	if uses != r.current {
		return r.found.Get(key, uses, find)
	}
	list, known := r.answers[key]
	if !known {
		list = r.found.Get(key, uses, find)
		r.answers[key] = list
	}
	return list
}

// search looks through ancestors for a member. At the end stand those of every
// object.
func (r *Resolver) search(order []ancestor, name string, weak bool, uses *edges.Uses) []found {
	for _, a := range order {
		if a.path == "" {
			weak = weak || !inert(a.name)
			continue
		}
		if list := r.direct(a.path, name, uses); len(list) > 0 {
			return wrap(list, a.path, weak)
		}
	}
	if name[0] == '#' && name[1] != '@' && name != "#initialize" {
		for _, every := range []string{"Object", "Kernel"} {
			if list := r.direct(every, name, uses); len(list) > 0 {
				return wrap(list, every, weak)
			}
		}
	}
	return nil
}

func wrap(list []def, owner string, weak bool) []found {
	out := make([]found, 0, min(len(list), maxMembers))
	for _, d := range list[:min(len(list), maxMembers)] {
		out = append(out, found{d, owner, weak})
	}
	return out
}

// ofClass are the definitions of a method of a class itself: its own, those of
// modules that extend it, those of its superclasses.
func (r *Resolver) ofClass(class, name string, uses *edges.Uses) []found {
	return r.ask(memberName{class, "." + name}, uses, func(uses *edges.Uses) []found {
		return r.searchClass(class, name, false, uses)
	})
}

// searchClass is ofClass without what the class itself has where above is set.
func (r *Resolver) searchClass(class, name string, above bool, uses *edges.Uses) []found {
	weak := false
	var concerns []string
	for _, a := range r.order(class, uses) {
		if a.path == "" {
			weak = weak || a.super && !inert(a.name)
			continue
		}
		if !a.super {
			concerns = append(concerns, a.path)
			continue
		}
		if !above || a.path != class {
			if list := r.direct(a.path, "."+name, uses); len(list) > 0 {
				return wrap(list, a.path, weak)
			}
		}
		bases := r.basesOf(a.path, uses)
		for i := len(bases) - 1; i >= 0; i-- {
			if bases[i].how != "extend" {
				continue
			}
			p := r.resolveBase(bases[i], uses)
			if p == "" {
				weak = weak || !inert(bases[i].name)
				continue
			}
			if list := r.search(r.order(p, uses), "#"+name, weak, uses); len(list) > 0 {
				return list
			}
		}
	}
	// Modules that give a class methods when they are included.
	for _, m := range concerns {
		if list := r.direct(m+"::ClassMethods", "#"+name, uses); len(list) > 0 {
			return wrap(list, m, true)
		}
		for _, b := range r.basesOf(m, uses) {
			if b.how == "extend" && leafOf(b.name) == "Concern" {
				if list := r.direct(m, "."+name, uses); len(list) > 0 {
					return wrap(list, m, true)
				}
			}
		}
	}
	for _, every := range []string{"Class", "Module"} {
		if list := r.direct(every, "#"+name, uses); len(list) > 0 {
			return wrap(list, every, weak)
		}
	}
	return nil
}

// above are the definitions that super means in a method of a class.
func (r *Resolver) above(class, name string, static bool, uses *edges.Uses) []found {
	if static {
		return r.searchClass(class, name, true, uses)
	}
	order := r.order(class, uses)
	for i, a := range order {
		if a.path == class {
			return r.search(order[i+1:], "#"+name, false, uses)
		}
	}
	return nil
}

// open tells whether a class has a base outside that can have members of any
// name.
func (r *Resolver) open(class string, uses *edges.Uses) bool {
	for _, a := range r.order(class, uses) {
		if a.path == "" && !inert(a.name) {
			return true
		}
	}
	return false
}

// isModule tells modules from classes.
func (r *Resolver) isModule(p string, uses *edges.Uses) bool {
	return r.exists(p, uses) && r.symbol(r.consts[p][0]).Kind == facts.KindModule
}
