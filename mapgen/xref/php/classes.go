package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// ancestor is a class in the order in which members are looked for.
type ancestor struct {
	class def // noDef: outside
	// mixed tells that the class is mixed in, as the documentation says.
	mixed bool
}

const (
	maxBases     = 64
	maxAncestors = 200
	// maxMembers bounds the definitions of one member of a class.
	maxMembers = 8
	mixin      = "@mixin "
)

// order is a class, its traits, what it extends, what it implements, and what is
// mixed in, each with what comes behind it.
func (r *Resolver) order(c def, uses *edges.Uses) []ancestor {
	return r.orders.Get(c, uses, func(uses *edges.Uses) []ancestor {
		var out []ancestor
		seen := map[def]bool{}
		var add func(c def, mixed bool, depth int)
		add = func(c def, mixed bool, depth int) {
			if c != noDef && seen[c] || len(out) >= maxAncestors || depth > maxAncestors {
				return
			}
			out = append(out, ancestor{class: c, mixed: mixed})
			if c == noDef {
				return
			}
			seen[c] = true
			b := r.bases(c, uses)
			for _, t := range b.traits {
				add(t, mixed, depth+1)
			}
			for _, t := range b.bases {
				add(t, mixed, depth+1)
			}
			for _, t := range b.mixins {
				add(t, true, depth+1)
			}
		}
		add(c, false, 0)
		return out
	})
}

// bases are what a class says that it is made of; noDef for one outside that may
// have members of any name.
type bases struct{ traits, bases, mixins []def }

func (r *Resolver) bases(c def, uses *edges.Uses) bases {
	return r.based.Get(c, uses, func(uses *edges.Uses) bases {
		uses.Doc(int(c.doc))
		return r.basesOf(c, uses)
	})
}

func (r *Resolver) basesOf(c def, uses *edges.Uses) (b bases) {
	s := r.symbol(c)
	for _, base := range s.Bases[:min(len(s.Bases), maxBases)] {
		if rest, ok := strings.CutPrefix(base, mixin); ok {
			switch t := r.typeOf(c.doc, c.sym, rest, uses); t.kind {
			case instance:
				b.mixins = append(b.mixins, t.def)
			case external:
				b.mixins = append(b.mixins, noDef)
			}
			continue
		}
		list := r.classes(c.doc, base, uses)
		switch {
		case len(list) == 0:
			if !inert(base) {
				b.bases = append(b.bases, noDef)
			}
		case r.isTrait(list[0]):
			b.traits = append(b.traits, list[0])
		default:
			b.bases = append(b.bases, list[0])
		}
	}
	return b
}

// parentOf is the class that a class extends, with what comes behind it.
func (r *Resolver) parentOf(c def, uses *edges.Uses) *typ {
	s := r.symbol(c)
	if len(s.Bases) == 0 || s.Kind != facts.KindClass || !strings.Contains(s.Signature, " extends ") {
		return externalType
	}
	list := r.classes(c.doc, s.Bases[0], uses)
	if len(list) == 0 {
		return externalType
	}
	return &typ{kind: instance, def: list[0], via: viaParent, weak: len(list) > 1}
}

// found is a member of a class.
type found struct {
	def def
	// weak tells that a class outside, which may have the member too, comes
	// first; rule names what is more than that.
	weak bool
	rule string
}

type memberName struct {
	class def
	key
}

// members are the members of a name that a class has or inherits: those of the
// nearest class. What only documentation defines comes last.
func (r *Resolver) members(c def, n key, uses *edges.Uses) []found {
	return r.found.Get(memberName{c, n}, uses, func(uses *edges.Uses) []found {
		var told []found
		weak := false
		for _, a := range r.order(c, uses) {
			if a.class == noDef {
				weak = true
				continue
			}
			var out []found
			for _, i := range r.children(a.class, n, uses) {
				d := def{a.class.doc, i}
				s := r.symbol(d)
				switch {
				case s.Visibility == facts.Private && a.class != c && !r.isTrait(a.class):
					continue
				case documented(s):
					if len(told) == 0 {
						told = append(told, found{def: d, weak: true, rule: ruleDocumented})
					}
					continue
				}
				m := found{def: d, weak: weak}
				if a.mixed {
					m.weak, m.rule = true, ruleMixin
				}
				if len(out) < maxMembers {
					out = append(out, m)
				}
			}
			if len(out) == 0 {
				continue
			}
			if told != nil && a.mixed {
				return told
			}
			for i := range out {
				out[i].weak = out[i].weak || len(out) > 1
			}
			return out
		}
		return told
	})
}

// derives tells whether a class is, extends or implements another one.
func (r *Resolver) derives(c, base def, uses *edges.Uses) bool {
	for _, a := range r.order(c, uses) {
		if a.class == base {
			return true
		}
	}
	return false
}

// outside tells whether a class has a base outside, or takes any call, so that
// it may have members of any name.
func (r *Resolver) outside(c def, of sort, uses *edges.Uses) bool {
	for _, a := range r.order(c, uses) {
		if a.class == noDef {
			return true
		}
	}
	for _, magic := range []string{"__call", "__callstatic", "__get"} {
		if len(r.members(c, key{ofMethod, magic}, uses)) > 0 && (magic == "__get") == (of == ofProperty) {
			return true
		}
	}
	return false
}

// inert tells bases outside whose members are few and known, so that they hide
// nothing.
func inert(name string) bool {
	switch strings.ToLower(strings.TrimPrefix(name, `\`)) {
	case "countable", "arrayaccess", "iteratoraggregate", "iterator", "traversable", "jsonserializable", "stringable", "serializable", "unitenum",
		"backedenum", "throwable", "exception", "error", "runtimeexception", "logicexception", "invalidargumentexception", "badmethodcallexception",
		"unexpectedvalueexception", "outofboundsexception", "domainexception", "typeerror", "errorexception", "lengthexception", "rangeexception",
		"datetimeinterface", "outofrangeexception", "overflowexception", "underflowexception", "badfunctioncallexception", "attribute", "stdclass":
		return true
	}
	return false
}
