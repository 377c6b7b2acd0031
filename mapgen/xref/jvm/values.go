package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// eval is the type of an expression.
func (c *context) eval(steps []edges.Step) *typ {
	t := unknownType
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		called := i+1 < len(steps) && steps[i+1].Op == edges.Call
		switch s.Op {
		case edges.Root:
			if called {
				list, _ := c.methods(s.Name)
				t = c.resultOfAll(list, c.this())
				if len(list) == 0 {
					t = c.constructed(s.Name)
					if !known(t) && c.outside(s.Name) {
						t = externalType
					}
				}
				i++
				continue
			}
			t = c.value(s.Name)
		case edges.Member:
			switch {
			case s.Name == "this" && t.kind == classOf:
				t = c.r.own(t.def, viaThis)
			case s.Name == "class" && (t.kind == classOf || t.kind == external):
				t = with(&typ{kind: external, name: "Class"}, []*typ{c.instanceOf(t)})
			case s.Name == "super" && t.kind == classOf:
				// X.super is that of the class around for an interface X.
				t = &typ{kind: instance, def: t.def, via: viaSuper, super: c.encloses(t.def)}
			case called:
				t = c.call(t, s.Name)
				i++
			default:
				t = c.read(t, s.Name)
			}
		case edges.Index:
			t = c.element(t)
		case edges.Range:
			t = c.element(t)
		case edges.New, edges.Literal:
			t = learned(c.r.typeOf(c.doc, c.sym, s.Name, c.uses), viaConstructed)
		case edges.Convert:
			t = c.r.typeOf(c.doc, c.sym, s.Name, c.uses)
		case edges.Basic:
			switch s.Name {
			case `""`:
				t = stringType
			case "0":
				t = numberType
			case "true":
				t = booleanType
			case "nil":
				t = nullType
			case "func":
				t = lambdaType
			default:
				t = array(unknownType)
			}
		default:
			t = unknownType
		}
	}
	return t
}

func (c *context) encloses(class def) bool {
	for _, l := range c.levels() {
		if l.class == class {
			return true
		}
	}
	return false
}

// this is the class around as a value, the receiver of a bare call.
func (c *context) this() *typ {
	if around := c.levels(); len(around) > 0 {
		return c.typeOfLevel(around[0])
	}
	return unknownType
}

// constructed is what a call of a type gives, as in Kotlin.
func (c *context) constructed(name string) *typ {
	if !looksLikeType(name) {
		return unknownType
	}
	return learned(c.r.typeOf(c.doc, c.sym, name, c.uses), viaConstructed)
}

// value is the type of what a bare name means.
func (c *context) value(name string) *typ {
	switch name {
	case "this":
		return c.this()
	case "super":
		around := c.levels()
		switch {
		case len(around) == 0:
			return unknownType
		case around[0].class == noDef:
			return around[0].base
		}
		t := c.r.own(around[0].class, viaSuper)
		t.super = true
		return t
	}
	if t := c.bound(name); t != nil {
		return t
	}
	if m, _, ok := c.variable(name); ok {
		return c.typeOfMember(m, c.this())
	}
	if list := c.r.typeName(c.doc, c.sym, name, c.uses); len(list) > 0 {
		return c.classes(list)
	}
	if looksLikeType(name) {
		return &typ{kind: external, name: name}
	}
	if c.outside(name) {
		return externalType
	}
	return &typ{kind: packageOf, name: name}
}

// outside tells whether a bare name that was not found is most likely one from
// outside: imported, or of a base.
func (c *context) outside(name string) bool {
	for _, l := range c.levels() {
		if c.openLevel(l) {
			return true
		}
	}
	o := c.r.outline(c.doc, c.uses)
	if len(o.single[name]) > 0 || o.f.Language == kotlin {
		return true
	}
	for _, from := range o.whole {
		if looksLikeType(from[strings.LastIndexByte(from, '.')+1:]) && len(c.r.qualified(c.doc, strings.Split(from, "."), c.uses)) == 0 {
			return true
		}
	}
	return false
}

func (c *context) classes(list []def) *typ {
	d := list[0]
	if s := c.r.symbol(d); s.Kind == facts.KindType {
		t := c.r.erased(c.r.typeOf(d.doc, s.Parent, s.Type, c.uses), c.uses)
		if t.kind != instance {
			return externalType
		}
		d = t.def
	}
	return &typ{kind: classOf, def: d, via: viaClass, weak: len(list) > 1}
}

// call is what a call of a method of a value gives.
func (c *context) call(t *typ, name string) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case external:
		if got := library(t, name); got != nil {
			return got
		}
		if list := c.extensions(t, name); len(list) > 0 {
			return c.resultOfAll(list, t)
		}
		return libraryResult(t, name)
	case arrayOf, basic, lambda, null:
		return externalType
	case unknown:
		return unknownType
	}
	list := c.methodsOf(t, name)
	if len(list) == 0 {
		list = c.accessor(t, name)
	}
	if len(list) == 0 {
		list = c.extensions(t, name)
	}
	if len(list) > 0 {
		return c.resultOfAll(list, t)
	}
	if t.kind == classOf || t.kind == packageOf {
		if n := c.nested(t, name); known(n) {
			return learned(c.instanceOf(n), viaConstructed)
		}
		if e := c.r.symbolOrNil(t); e != nil && e.Kind == facts.KindEnum && (name == "valueOf" || name == "values") {
			v := &typ{kind: instance, def: t.def, via: viaResult, weak: t.weak}
			if name == "values" {
				return array(v)
			}
			return v
		}
	}
	if t.kind == packageOf {
		return unknownType
	}
	return c.outsideOf(t)
}

func (r *Resolver) symbolOrNil(t *typ) *facts.Symbol {
	if t.kind != classOf && t.kind != instance {
		return nil
	}
	return r.symbol(t.def)
}

// outsideOf is what a member gives that a value was not found to have.
func (c *context) outsideOf(t *typ) *typ {
	switch t.kind {
	case instance, classOf:
		if !c.r.open(t.def, c.uses) {
			return unknownType
		}
	case anonymous:
		return unknownType
	}
	return externalType
}

func (c *context) instanceOf(t *typ) *typ {
	if t.kind == classOf {
		return &typ{kind: instance, def: t.def, via: viaDeclared, weak: t.weak}
	}
	return t
}

// nested is the type that a name means inside a class or package.
func (c *context) nested(t *typ, name string) *typ {
	var list []def
	switch t.kind {
	case classOf:
		list = c.r.memberTypes(t.def, name, c.uses)
	case packageOf:
		list = c.r.onlyTypes(c.r.top(c.doc, joined(t.name, name), c.uses))
	}
	if len(list) == 0 {
		return unknownType
	}
	return weakenedIf(c.classes(list), t.weak)
}

// read is what a field or property of a value gives, or a type inside another.
func (c *context) read(t *typ, name string) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case external:
		if got := library(t, name); got != nil && c.r.file(c.doc).Language == kotlin {
			return got
		}
		return libraryConstant(t, name)
	case arrayOf:
		if name == "length" {
			return &typ{kind: basic, name: "int"}
		}
		return externalType
	case basic, lambda, null:
		return externalType
	case unknown:
		return unknownType
	}
	if m, ok := c.variableOf(t, name); ok {
		return c.typeOfMember(m, t)
	}
	if n := c.nested(t, name); known(n) {
		return n
	}
	if list := c.accessor(t, name); len(list) > 0 {
		return c.resultOfAll(list, t)
	}
	if list := c.extensions(t, name); len(list) > 0 {
		return c.typeOfMember(list[0], t)
	}
	if t.kind == packageOf {
		if looksLikeType(name) {
			return &typ{kind: external, name: name}
		}
		return &typ{kind: packageOf, name: joined(t.name, name)}
	}
	return c.outsideOf(t)
}

// element is what an index or iteration gives.
func (c *context) element(t *typ) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case arrayOf:
		return t.args[0]
	case external:
		switch {
		case isCollection(t.name) && len(t.args) == 1:
			return weakened(t.args[0])
		case isMap(t.name) && len(t.args) == 2:
			return weakened(t.args[1])
		}
		return externalType
	case instance:
		// A class of the revision that iterates says so by its base.
		for _, a := range c.r.order(t.def, c.uses) {
			if a.class == noDef {
				continue
			}
			for _, base := range c.r.symbol(a.class).Bases {
				b := c.r.baseType(a.class, base, c.uses)
				if b.kind == external && isCollection(b.name) && len(b.args) == 1 {
					return weakened(subst(subst(b.args[0], a.class, a.args), t.def, t.args))
				}
			}
		}
	}
	return unknownType
}

// resultOfAll is what a call of one of several overloads gives.
func (c *context) resultOfAll(list []found, recv *typ) *typ {
	out := unknownType
	weak := false
	for _, m := range list {
		var t *typ
		if s := c.r.symbol(m.def); isMethod(s.Kind) {
			t = c.place(c.result(m.def), m, recv, viaResult)
		} else {
			t = c.typeOfMember(m, recv)
		}
		switch {
		case !known(t):
			weak = true
		case !known(out):
			out = t
		case same(out, t):
		case out.kind == basic || t.kind == basic:
			return unknownType
		default:
			weak = true
		}
	}
	return weakenedIf(out, weak)
}

// place puts the type arguments of a receiver into the type of its member.
func (c *context) place(t *typ, m found, recv *typ, via string) *typ {
	if m.owner.class != noDef {
		t = subst(t, m.owner.class, m.owner.args)
	}
	recv = c.r.erased(recv, c.uses)
	if recv.kind == anonymous && recv.base != nil {
		recv = recv.base
	}
	if recv.kind == instance {
		t = subst(t, recv.def, recv.args)
	}
	if t.kind == variable && isMethod(c.r.symbol(t.def).Kind) {
		t = weakened(c.r.erased(t, c.uses))
	}
	return weakenedIf(learned(t, via), m.weak)
}

// result is what a method declares to give.
func (c *context) result(d def) *typ {
	return some(c.r.results.Get(d, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		s := c.r.symbol(d)
		if s.Type == "" {
			// A builder of Kotlin gives itself: fun name(…) = apply { … }.
			if s.Parent >= 0 && c.r.file(d.doc).Language == kotlin && strings.HasSuffix(c.r.file(d.doc).Symbols[s.Parent].Name, "Builder") {
				return weakened(c.r.own(def{d.doc, s.Parent}, viaResult))
			}
			return unknownType
		}
		return c.r.typeOf(d.doc, d.sym, s.Type, uses)
	}))
}

// typeOfMember is the type of a field, property or constant.
func (c *context) typeOfMember(m found, recv *typ) *typ {
	t := some(c.r.types.Get(m.def, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(m.def.doc))
		s := c.r.symbol(m.def)
		switch {
		case s.Kind == facts.KindEnumMember && s.Parent >= 0:
			return &typ{kind: instance, def: def{m.def.doc, s.Parent}, via: viaEnum}
		case s.Type != "":
			return learned(c.r.typeOf(m.def.doc, m.def.sym, s.Type, uses), viaField)
		case s.Init != "":
			in := context{r: c.r, doc: m.def.doc, sym: s.Parent, scope: -1, at: s.Span.Start, uses: uses}
			return learned(weakened(in.eval(c.r.shape(s.Init))), viaInferred)
		}
		return unknownType
	}))
	return c.place(t, m, recv, t.via)
}
