package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// eval is the type of an expression by its shape.
func (c *context) eval(shape string) *typ {
	if c.local != nil && shape != "" && (shape[0] == '$' || strings.HasPrefix(shape, "this.")) && !strings.ContainsAny(shape, "()[]# ") {
		if t := c.bound(shape); t != nil {
			return t
		}
	}
	steps := c.r.shape(shape)
	t := unknownType
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		called := i+1 < len(steps) && steps[i+1].Op == edges.Call
		switch s.Op {
		case edges.Root:
			if called {
				t = c.callOf(s.Name)
				i++
				continue
			}
			t = c.value(s.Name)
			// What a condition tells of $x.y counts also where more follows.
			if path := s.Name; c.local != nil && (path == "this" || path[0] == '$') {
				for i+1 < len(steps) && steps[i+1].Op == edges.Member && (i+2 >= len(steps) || steps[i+2].Op != edges.Call) {
					path += "." + steps[i+1].Name
					told := c.bound(path)
					if told == nil {
						break
					}
					t = told
					i++
				}
			}
		case edges.Member:
			if called {
				t = c.call(t, s.Name)
				i++
				continue
			}
			t = c.read(t, s.Name)
		case edges.Index:
			t = c.element(t, "offsetget")
		case edges.Range:
			t = c.element(t, "current")
		case edges.New:
			t = c.constructed(s.Name)
		case edges.Basic:
			t = basicType
			if s.Name == "[]" {
				t = arrayType
			}
		case edges.Convert:
			// The class named in a call: see called in the extraction.
			if t.kind == unknown || t.kind == external {
				t = learned(weakened(c.r.typeOf(c.doc, c.sym, s.Name, c.uses)), viaArgument)
			}
		case edges.Result:
			// A list of values of one type.
			t = c.element(t, "offsetget")
		default:
			t = unknownType
		}
	}
	return t
}

// constructed is what new gives.
func (c *context) constructed(name string) *typ {
	switch strings.ToLower(name) {
	case "self", "static":
		return learned(c.this(), viaConstructed)
	case "parent":
		return learned(c.parent(c.this()), viaConstructed)
	}
	if name[0] == '$' {
		t := c.value(name)
		if t.kind != classOf {
			return unknownType
		}
		return &typ{kind: instance, def: t.def, open: t.open, weak: t.weak, via: viaConstructed}
	}
	return learned(c.r.typeOf(c.doc, c.sym, name, c.uses), viaConstructed)
}

// parent is what parent means where this is a value.
func (c *context) parent(this *typ) *typ {
	switch this.kind {
	case instance:
		if c.r.isTrait(this.def) {
			return unknownType
		}
		return c.r.parentOf(this.def, c.uses)
	case anonymous:
		if len(this.args) > 0 {
			return this.args[0]
		}
	}
	return unknownType
}

// value is the type of what a bare name means.
func (c *context) value(name string) *typ {
	switch strings.ToLower(name) {
	case "this":
		return c.this()
	case "self", "static":
		t := c.this()
		if t.kind == instance {
			return &typ{kind: classOf, def: t.def, open: t.open, via: viaThis}
		}
		return t
	case "super":
		return c.parent(c.this())
	}
	if name[0] == '$' {
		if t := c.bound(name); t != nil {
			return t
		}
		if c.local != nil {
			return c.global(name)
		}
		return unknownType
	}
	if list := c.r.classes(c.doc, name, c.uses); len(list) > 0 {
		return &typ{kind: classOf, def: list[0], via: viaClass, weak: len(list) > 1}
	}
	for _, d := range c.r.named(c.doc, ofConstant, name, c.uses) {
		return c.typeOf(d)
	}
	return externalType
}

// global is the type of a variable at the level of the file.
func (c *context) global(name string) *typ {
	for s := c.local.function(c.scope); s >= 0; s = c.local.f.Scopes[s].Parent {
		if sym := c.local.f.Scopes[s].Symbol; sym >= 0 {
			return unknownType
		}
	}
	for i := range c.local.f.Symbols {
		if s := &c.local.f.Symbols[i]; s.Kind == facts.KindVariable && s.Name == name && s.Span.Start <= c.at {
			return c.typeOf(def{c.doc, int32(i)})
		}
	}
	return unknownType
}

// callOf is what a call of a function gives, or of a closure in a variable.
func (c *context) callOf(name string) *typ {
	if name[0] == '$' {
		if t := c.value(name); t.kind == instance {
			return c.call(t, "__invoke")
		}
		return unknownType
	}
	list := c.r.named(c.doc, ofFunction, name, c.uses)
	if len(list) == 0 {
		return externalType
	}
	t := c.typeOf(list[0])
	if !known(t) {
		t = c.inferred(list[0])
	}
	return learned(t, viaResult)
}

// typeOf is the declared type of a variable or constant, or of the result of a
// function; static and $this are left to be placed.
func (c *context) typeOf(d def) *typ {
	return some(c.r.types.Get(d, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		t := c.r.declared(d, uses)
		if !known(t) || t.kind == arrayOf && !known(t.args[0]) {
			if more := c.r.inherited(d, uses); known(more) {
				return more
			}
		}
		return t
	}))
}

// inherited is the type of the member that a member overrides: what says no more
// than that it is one, is documented there.
func (r *Resolver) inherited(d def, uses *edges.Uses) *typ {
	s := r.symbol(d)
	of := sortOf(s)
	if s.Parent < 0 || of != ofMethod && of != ofProperty || sortOf(&r.file(d.doc).Symbols[s.Parent]) != ofClass {
		return unknownType
	}
	n := key{of, folded(of, s.Name)}
	order := r.order(def{d.doc, s.Parent}, uses)
	for _, a := range order[min(1, len(order)):] {
		if a.class == noDef || a.mixed {
			continue
		}
		for _, i := range r.children(a.class, n, uses) {
			if t := r.declared(def{a.class.doc, i}, uses); known(t) && (t.kind != arrayOf || known(t.args[0])) {
				return t
			}
		}
	}
	return unknownType
}

// declared is the type that a definition itself says.
func (r *Resolver) declared(d def, uses *edges.Uses) *typ {
	s := r.symbol(d)
	eval := func() *typ {
		in := context{r: r, doc: d.doc, sym: s.Parent, scope: -1, at: s.Span.Start, uses: uses}
		return in.eval(s.Init)
	}
	switch {
	case s.Kind == facts.KindEnumMember && s.Parent >= 0:
		return &typ{kind: instance, def: def{d.doc, s.Parent}, via: viaEnum}
	case s.Type != "":
		t := r.typeOf(d.doc, d.sym, s.Type, uses)
		if t.kind == basic && strings.HasSuffix(s.Init, className) {
			return weakened(eval())
		}
		return t
	case s.Init == "" || s.Init == "nil" || s.Init == "[]" || sortOf(s) == ofFunction || sortOf(s) == ofMethod:
		return unknownType
	case s.Kind == facts.KindConstant:
		return eval()
	}
	// Something else may be assigned later.
	return weakened(eval())
}

// className ends the shape of the name of a class, X::class, which serves as the
// class itself.
const className = "." + classWord

const classWord = "::class"

// call is what a call of a method of a value gives.
func (c *context) call(t *typ, name string) *typ {
	t = c.r.erased(t, c.uses)
	if t.kind == external || t.kind == unknown {
		return t
	}
	list := c.membersOf(t, ofMethod, name)
	if len(list) == 0 {
		return c.library(t, name)
	}
	return c.resultOfAll(list, t, viaResult)
}

// library is what a method gives that every class of a sort has, or a base
// outside.
func (c *context) library(t *typ, name string) *typ {
	if t.kind == classOf && c.r.symbol(t.def).Kind == facts.KindEnum {
		v := &typ{kind: instance, def: t.def, via: viaEnum, weak: t.weak}
		switch strings.ToLower(name) {
		case "cases":
			return array(v)
		case "from", "tryfrom":
			return v
		}
	}
	out := c.missing(t, ofMethod)
	if t.kind == classOf && out.kind == external && makes(name) {
		return &typ{kind: instance, def: t.def, via: viaResult, weak: true}
	}
	return out
}

// makes tells names of static methods that give an instance of their class.
func makes(name string) bool {
	switch name {
	case "create", "make", "instance", "getInstance", "now", "parse", "new", "of":
		return true
	}
	return strings.HasPrefix(name, "createFrom") || strings.HasPrefix(name, "from") && len(name) > 4 && name[4] >= 'A' && name[4] <= 'Z'
}

// missing is what a member gives that a value was not found to have.
func (c *context) missing(t *typ, of sort) *typ {
	switch t.kind {
	case instance, classOf:
		if !t.open && !c.r.outside(t.def, of, c.uses) {
			return unknownType
		}
	case union, anonymous, arrayOf, unknown:
		return unknownType
	}
	return externalType
}

// read is what a property or constant of a value gives.
func (c *context) read(t *typ, name string) *typ {
	t = c.r.erased(t, c.uses)
	if t.kind == external || t.kind == unknown {
		return t
	}
	if name == classWord {
		if t.kind == instance {
			return &typ{kind: classOf, def: t.def, open: t.open, weak: true, via: viaClass}
		}
		return t
	}
	list := c.variables(t, name)
	if len(list) == 0 {
		return c.missing(t, ofProperty)
	}
	return c.resultOfAll(list, t, viaField)
}

// resultOfAll is what one of several members gives, its class put in.
func (c *context) resultOfAll(list []found, recv *typ, via string) *typ {
	var types []*typ
	for _, m := range list {
		t := c.typeOf(m.def)
		if !known(t) {
			t = c.inferred(m.def)
		}
		t = c.r.place(t, recv, 0)
		if t.via != viaEnum {
			t = learned(t, via)
		}
		types = append(types, weakenedIf(t, m.weak))
	}
	if len(types) == 1 {
		return types[0]
	}
	return learned(either(types), via)
}

// element is what an index or iteration gives.
func (c *context) element(t *typ, method string) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case arrayOf:
		return learned(weakenedIf(t.args[0], t.weak), viaElement)
	case instance:
		if len(t.args) > 0 {
			return learned(weakened(t.args[len(t.args)-1]), viaElement)
		}
		if list := c.membersOf(t, ofMethod, method); len(list) > 0 {
			return learned(c.resultOfAll(list, t, viaElement), viaElement)
		}
		if list := c.membersOf(t, ofMethod, "getiterator"); len(list) > 0 && method == "current" {
			if it := c.resultOfAll(list, t, viaElement); it.kind == arrayOf || it.kind == instance && it.def != t.def && len(it.args) > 0 {
				return c.element(it, method)
			}
		}
		return c.missing(t, ofMethod)
	case union:
		var out []*typ
		for _, a := range t.args {
			if a.kind == arrayOf || a.kind == instance && len(a.args) > 0 {
				out = append(out, c.element(a, method))
			}
		}
		if len(out) > 0 {
			return either(out)
		}
		return unknownType
	case external:
		return externalType
	}
	return unknownType
}

// membersOf are the members of a name that a value has.
func (c *context) membersOf(t *typ, of sort, name string) []found {
	t = c.r.erased(t, c.uses)
	n := key{of, folded(of, name)}
	var out []found
	switch t.kind {
	case instance, classOf:
		out = c.r.members(t.def, n, c.uses)
		if len(out) == 0 && t.open {
			out = c.r.throughUsers(t.def, n, c.uses)
		}
	case anonymous:
		out = c.anonymousMembers(t, n)
	case union:
		return c.unionMembers(t, of, name)
	}
	if t.weak && len(out) > 0 {
		out = append([]found(nil), out...)
		for i := range out {
			out[i].weak = true
		}
	}
	return out
}

func (c *context) anonymousMembers(t *typ, n key) []found {
	if c.local == nil || int(t.n) >= len(c.local.f.Scopes) {
		return nil
	}
	var out []found
	scope := &c.local.f.Scopes[t.n]
	for _, i := range c.r.children(def{c.doc, scope.Symbol}, n, c.uses) {
		if s := &c.r.file(c.doc).Symbols[i]; scope.Span.Contains(s.Span) {
			out = append(out, found{def: def{c.doc, i}})
		}
	}
	for _, base := range t.args {
		if len(out) > 0 {
			break
		}
		out = c.membersOf(base, n.of, n.name)
	}
	return out
}

// unionMembers are the members of the classes that a value may be of. Where some
// have no such member, the others are only likely.
func (c *context) unionMembers(t *typ, of sort, name string) []found {
	var out []found
	weak := t.weak
	for _, a := range t.args {
		list := c.membersOf(a, of, name)
		weak = weak || len(list) == 0
		for _, m := range list {
			double := false
			for i := range out {
				double = double || out[i].def == m.def
			}
			if !double {
				out = append(out, m)
			}
		}
	}
	if weak || len(out) > 1 {
		for i := range out {
			out[i].weak, out[i].rule = true, ruleUnion
		}
	}
	return out
}

// variables are the properties or constants of a name that a value has: a class
// has both, and what is written does not tell.
func (c *context) variables(t *typ, name string) []found {
	first, second := ofProperty, ofConstant
	if t.kind == classOf {
		first, second = second, first
	}
	if list := c.membersOf(t, first, name); len(list) > 0 {
		return list
	}
	return c.membersOf(t, second, name)
}
