package jvm

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Names of bindings by which the extraction of Java tells more of a place than
// names: see the package java.
const (
	bindArguments = "()"
	bindThisCall  = "this()"
	bindSuperCall = "super()"
	bindSwitch    = "switch"
	bindAnonymous = "this"
)

// local knows the file that is resolved.
type local struct {
	f      *facts.File
	scopes *edges.Scopes
	// arguments of calls by the place of the name, words of this(…) and super(…).
	arguments map[uint32]int32
	words     map[uint32]string
	anonymous map[int32]int32 // by scope
	types     edges.Memo[int32, *typ]
}

func newLocal(r *Resolver, f *facts.File) *local {
	l := &local{f: f, scopes: edges.NewScopes(f), arguments: map[uint32]int32{}, words: map[uint32]string{}, anonymous: map[int32]int32{}}
	l.types.Stack = &r.stack
	for i := range f.Bindings {
		b := &f.Bindings[i]
		switch b.Name {
		case bindArguments:
			l.arguments[b.Start] = int32(i)
		case bindThisCall, bindSuperCall:
			l.arguments[b.Start] = int32(i)
			l.words[b.Start] = b.Name
		case bindAnonymous:
			l.anonymous[b.Scope] = int32(i)
		}
	}
	return l
}

// context is where an expression stands, which decides what its names mean.
type context struct {
	r        *Resolver
	doc, sym int32
	// local knows parameters and local variables of the file at hand; nil where
	// only outlines may be used.
	local *local
	scope int32
	at    uint32
	uses  *edges.Uses
}

// level is a class around a place.
type level struct {
	class def  // noDef for an anonymous one and a receiver
	base  *typ // of those
	// owner is the definition that the members of an anonymous class belong to,
	// span its body; -1 for a receiver.
	owner int32
	span  facts.Span
}

// levels are the classes around a place, from the inside out.
func (c *context) levels() []level {
	f := c.r.file(c.doc)
	var out []level
	last := int32(-1)
	add := func(sym int32) {
		if sym < 0 || sym == last {
			return
		}
		last = sym
		s := &f.Symbols[sym]
		switch {
		case isType(s.Kind):
			out = append(out, level{class: def{c.doc, sym}})
		case f.Language == kotlin && s.Container != "" && (isMethod(s.Kind) || s.Kind == facts.KindProperty) && (s.Parent < 0 || f.Symbols[s.Parent].Name != s.Container && s.Flags&facts.Static == 0):
			out = append(out, level{class: noDef, owner: -1, base: weakened(c.r.typeOf(c.doc, s.Parent, s.Container, c.uses))})
		}
	}
	if c.local == nil || c.scope < 0 {
		for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
			add(s)
		}
		return out
	}
	for s := c.scope; s >= 0; s = c.local.f.Scopes[s].Parent {
		scope := &c.local.f.Scopes[s]
		if b, ok := c.local.anonymous[s]; ok {
			out = append(out, level{class: noDef, owner: scope.Symbol, span: scope.Span, base: c.r.typeOf(c.doc, scope.Symbol, c.local.f.Bindings[b].Type, c.uses)})
		}
		add(scope.Symbol)
	}
	return out
}

// memberAt are the members that a class around has by a name.
func (c *context) memberAt(l level, name string) []found {
	if l.class != noDef {
		return c.r.members(l.class, name, c.uses)
	}
	var out []found
	if l.owner >= 0 {
		for _, i := range c.r.children(def{c.doc, l.owner}, name, c.uses) {
			if s := &c.r.file(c.doc).Symbols[i]; l.span.Contains(s.Span) {
				out = append(out, found{def: def{c.doc, i}, owner: ancestor{class: noDef}})
			}
		}
	}
	if base := c.r.erased(l.base, c.uses); base.kind == instance {
		seen := map[string]bool{}
		for _, m := range out {
			seen[c.r.parameters(m.def)] = true
		}
		for _, m := range c.r.members(base.def, name, c.uses) {
			if !isMethod(c.r.symbol(m.def).Kind) || !seen[c.r.parameters(m.def)] {
				m.weak = m.weak || base.weak
				out = append(out, m)
			}
		}
	}
	return out
}

// type of a class around seen as a value.
func (c *context) typeOfLevel(l level) *typ {
	if l.class != noDef {
		return c.r.own(l.class, viaThis)
	}
	if l.owner < 0 {
		return l.base
	}
	return &typ{kind: anonymous, def: def{c.doc, l.owner}, base: l.base, via: viaThis}
}

// openLevel tells whether a class around may have members that are not known.
func (c *context) openLevel(l level) bool {
	if l.class != noDef {
		return c.r.open(l.class, c.uses)
	}
	base := c.r.erased(l.base, c.uses)
	switch base.kind {
	case instance:
		return c.r.open(base.def, c.uses)
	case external:
		return !inert(base.name)
	}
	return false
}

// bound is the type of a local variable, or nil where there is none of the name.
func (c *context) bound(name string) *typ {
	if c.local == nil {
		return nil
	}
	i := c.local.scopes.Lookup(c.scope, name, c.at, false)
	if i < 0 {
		return nil
	}
	return c.binding(i)
}

// binding is the type that a binding gives its name.
func (c *context) binding(i int32) *typ {
	return some(c.local.types.Get(i, c.uses, func(uses *edges.Uses) *typ {
		b := &c.local.f.Bindings[i]
		sym := c.local.f.Scopes[b.Scope].Symbol
		if b.Type != "" {
			return c.r.typeOf(c.doc, sym, b.Type, uses)
		}
		if b.Init == "" {
			return unknownType
		}
		in := context{r: c.r, doc: c.doc, sym: sym, local: c.local, scope: b.Scope, at: max(b.Start, 1) - 1, uses: uses}
		return in.eval(c.r.shape(b.Init))
	}))
}
