package csharp

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// generic parts a name from its type arguments.
func generic(name string) (string, []text) {
	i := strings.IndexByte(name, '<')
	if i <= 0 {
		return name, nil
	}
	return name[:i], parseArguments(name[i:], 0)
}

func (c *context) arguments(list []text) []*typ {
	var out []*typ
	for _, a := range list {
		out = append(out, c.r.typeFrom(c.doc, c.sym, a, c.uses))
	}
	return out
}

// eval is the type of an expression.
func (c *context) eval(steps []edges.Step) *typ {
	t := unknownType
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		called := i+1 < len(steps) && steps[i+1].Op == edges.Call
		switch s.Op {
		case edges.Root:
			name, args := generic(s.Name)
			switch {
			case strings.HasPrefix(name, "@"):
				t = unknownType
				call, argument, isArgument := strings.Cut(name[1:], ":")
				at, err := strconv.ParseUint(call, 10, 32)
				k, err2 := strconv.Atoi(argument)
				switch {
				case err != nil || c.job == nil:
				case !isArgument:
					t = c.resultOfCall(uint32(at))
				case err2 == nil:
					t = learned(c.parameterOfCall(uint32(at), k, 0, false), viaConstructed)
				}
			case called:
				i++
				if l := c.local(name); l != nil {
					t = c.invoked(l)
				} else {
					list, _ := c.methods(name)
					t = c.resultOfAll(list, c.this(), c.arguments(args))
				}
			default:
				t = c.value(name, args)
			}
		case edges.Member:
			name, args := generic(s.Name)
			if called {
				i++
				t = c.call(t, name, c.arguments(args))
			} else {
				t = c.member(t, name, args)
			}
		case edges.Call:
			t = c.invoked(t)
		case edges.Index:
			t = c.indexed(t)
		case edges.Range:
			t = c.element(t)
		case edges.Await:
			t = c.awaited(t)
		case edges.Result:
			if t.kind == tuple && s.N < len(t.args) {
				t = t.args[s.N]
			} else {
				t = unknownType
			}
		case edges.New, edges.Literal:
			t = c.r.typeOf(c.doc, c.sym, s.Name, c.uses)
			if t.kind == external {
				// An attribute is named without its ending.
				if a := c.r.typeOf(c.doc, c.sym, s.Name+"Attribute", c.uses); a.kind == instance {
					t = a
				}
			}
			t = learned(t, viaConstructed)
		case edges.Convert:
			t = c.r.typeOf(c.doc, c.sym, s.Name, c.uses)
		case edges.Basic:
			switch s.Name {
			case `""`:
				t = stringType
			case "0":
				t = intType
			case "true":
				t = boolType
			case "nil":
				t = nullType
			case "[]":
				t = array(unknownType)
			default:
				t = unknownType
			}
		default:
			t = unknownType
		}
	}
	return t
}

// value is the type of what a bare name means.
func (c *context) value(name string, args []text) *typ {
	switch name {
	case "this":
		return c.this()
	case "base":
		around := c.levels()
		if len(around) == 0 {
			return unknownType
		}
		for _, a := range c.r.order(around[0], c.uses) {
			switch {
			case a.class == around[0]:
			case a.class == noClass && inert(a.out):
			case a.class == noClass:
				return externalType
			case c.r.kindOf(a.class) != facts.KindInterface:
				return with(&typ{kind: instance, class: a.class, via: viaBase}, a.args)
			}
		}
		return externalType
	}
	if len(args) == 0 {
		if t := c.local(name); t != nil {
			return t
		}
		if m, _, ok := c.variable(name); ok {
			return c.typeOfMember(m, c.this())
		}
		if k := keyword(name); k != "" {
			return &typ{kind: basic, name: k}
		}
	}
	if list, guessed := c.types(name, len(args)); len(list) > 0 {
		t := &typ{kind: classOf, class: list[0], via: viaClass, weak: guessed || len(list) > 1}
		return with(t, c.arguments(args))
	}
	if v := c.r.typeVariable(c.doc, c.sym, name, c.uses); v != nil && len(args) == 0 {
		return v
	}
	if !upper(name) {
		return unknownType
	}
	if list, _ := c.methods(name); len(list) > 0 {
		return groupType
	}
	if len(args) > 0 {
		return named(name, c.arguments(args)...)
	}
	space := name
	if a, ok := c.r.env(c.doc, c.uses).aliases[name]; ok {
		space = strings.TrimPrefix(a, "global::")
	}
	return &typ{kind: namespace, name: space}
}

// types are the classes of a simple name, those that only the project knows
// last.
func (c *context) types(name string, arity int) (list []int32, guessed bool) {
	if list := c.r.typeName(c.doc, c.sym, name, arity, c.uses); len(list) > 0 {
		return list, false
	}
	return c.r.ofProject(c.doc, name, arity, c.uses), true
}

// member is what a field or property of a value gives, or a type inside another.
func (c *context) member(t *typ, name string, args []text) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case unknown, null, group:
		return unknownType
	case namespace:
		for _, space := range c.r.around(def{c.doc, c.sym}) {
			if list := c.r.find(c.doc, joined(space, t.name)+"."+withArity(name, len(args)), c.uses); len(list) > 0 {
				return with(&typ{kind: classOf, class: list[0], via: viaClass, weak: len(list) > 1}, c.arguments(args))
			}
		}
		if len(t.name) > facts.MaxName {
			return unknownType
		}
		if constant(name) {
			return weakened(named(t.name[strings.LastIndexByte(t.name, '.')+1:]))
		}
		return &typ{kind: namespace, name: t.name + "." + name}
	case tuple:
		for i, n := range t.names {
			if n == name || name == "Item"+strconv.Itoa(i+1) {
				return t.args[i]
			}
		}
		return unknownType
	case instance, classOf:
		if m, ok := c.variableOf(t, name); ok {
			return c.typeOfMember(m, t)
		}
		if t.kind == classOf {
			if list := c.r.memberTypes(t.class, withArity(name, len(args)), c.uses); len(list) > 0 {
				return with(&typ{kind: classOf, class: list[0], via: viaClass, weak: t.weak}, c.arguments(args))
			}
		}
		if len(c.methodsOf(t, name)) > 0 {
			return groupType
		}
		// Of a struct that may be missing.
		if name == "Value" && c.r.kindOf(t.class) != facts.KindClass {
			return t
		}
		return c.outsideOf(t, name)
	}
	if t.kind == basic && constant(name) {
		return t
	}
	if got := library(t, name); got != nil {
		return got
	}
	return externalType
}

// call is what a call of a method of a value gives, whose arguments are not
// known.
func (c *context) call(t *typ, name string, args []*typ) *typ {
	t = c.r.erased(t, c.uses)
	list := c.methodsOf(t, name)
	if len(list) == 0 {
		list = c.extensions(t, name)
	}
	if len(list) > 0 {
		return c.resultOfAll(list, t, args)
	}
	return c.outsideCall(t, name, args, nil)
}

// invoked is what a call of a delegate gives.
func (c *context) invoked(t *typ) *typ {
	_, result, ok := c.delegate(t)
	if !ok {
		return unknownType
	}
	return result
}

// awaited is the value that a task gives in the end.
func (c *context) awaited(t *typ) *typ {
	t = c.r.erased(t, c.uses)
	switch {
	case t.kind == external && (isTask(t.name) || strings.HasSuffix(t.name, "Awaitable")) && len(t.args) == 1:
		return t.args[0]
	case t.kind == external:
		return externalType
	}
	return unknownType
}

// indexed is what an index gives.
func (c *context) indexed(t *typ) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case arrayOf:
		return learned(t.args[0], viaElement)
	case external:
		if isMap(t.name) && len(t.args) == 2 {
			return learned(weakened(t.args[1]), viaElement)
		}
		if e := elementOf(t); e != nil {
			return learned(e, viaElement)
		}
		return externalType
	case instance:
		if list := c.membersOf(t, "this"); len(list) > 0 {
			return c.resultOfAll(list, t, nil)
		}
		if e := c.elementOutside(t); e != nil {
			return learned(e, viaElement)
		}
	}
	return unknownType
}

// element is what iteration gives.
func (c *context) element(t *typ) *typ {
	t = c.r.erased(t, c.uses)
	switch t.kind {
	case arrayOf, external:
		if e := elementOf(t); e != nil {
			return learned(e, viaElement)
		}
		return externalType
	case instance:
		if e := c.elementOutside(t); e != nil {
			return learned(e, viaElement)
		}
	}
	return unknownType
}

// elementOutside is the element of a class of the revision that is a collection
// by a base outside, or nil.
func (c *context) elementOutside(t *typ) *typ {
	if t.kind != instance {
		return nil
	}
	for _, a := range c.r.order(t.class, c.uses) {
		if a.class == noClass {
			if e := elementOf(subst(a.out, c.r.owner(t.class), t.args)); e != nil {
				return weakened(e)
			}
		}
	}
	return nil
}

// delegate gives the types of the parameters and the result of a delegate.
func (c *context) delegate(t *typ) (params []*typ, result *typ, ok bool) {
	t = c.r.erased(t, c.uses)
	if t.kind == external {
		params, ok = parametersOutside(t)
		return params, delegateOutside(t), ok
	}
	if t.kind != instance || c.r.kindOf(t.class) != facts.KindType {
		return nil, nil, false
	}
	d := c.r.owner(t.class)
	c.uses.Doc(int(d.doc))
	for _, p := range c.r.symbol(d).Params {
		params = append(params, subst(c.r.typeOf(d.doc, d.sym, p.Type, c.uses), d, t.args))
	}
	return params, subst(c.r.typeOf(d.doc, d.sym, c.r.symbol(d).Type, c.uses), d, t.args), true
}

// resultOfAll is what a call of one of several overloads gives.
func (c *context) resultOfAll(list []found, recv *typ, generics []*typ) *typ {
	out := unknownType
	weak := false
	for _, m := range list[:min(len(list), maxOverloads)] {
		var t *typ
		if s := c.r.symbol(m.def); isMethod(s.Kind) {
			if len(generics) > 0 && len(c.r.typeParams(m.def)) != len(generics) {
				continue
			}
			bound := generics
			if len(bound) == 0 {
				bound = c.infer(m, nil, recv, false)
			}
			t = c.placed(subst(c.result(m.def), m.def, bound), m, recv, viaResult)
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

// placed puts the type arguments of a receiver into the type of its member.
func (c *context) placed(t *typ, m found, recv *typ, via string) *typ {
	if m.owner.class != noClass {
		t = subst(t, c.r.owner(m.owner.class), m.owner.args)
	}
	recv = c.r.erased(recv, c.uses)
	if (recv.kind == instance || recv.kind == classOf) && len(recv.args) > 0 {
		t = subst(t, c.r.owner(recv.class), recv.args)
	}
	return weakenedIf(learned(t, via), m.weak)
}

// result is what a method declares to give.
func (c *context) result(d def) *typ {
	return some(c.r.results.Get(d, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		return c.r.typeOf(d.doc, d.sym, c.r.symbol(d).Type, uses)
	}))
}

// typeOfMember is the type of a field, property or constant.
func (c *context) typeOfMember(m found, recv *typ) *typ {
	t := some(c.r.types.Get(m.def, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(m.def.doc))
		s := c.r.symbol(m.def)
		if s.Kind == facts.KindEnumMember {
			if class, ok := c.r.classAt[def{m.def.doc, s.Parent}]; ok {
				return &typ{kind: instance, class: class, via: viaField}
			}
		}
		return learned(c.r.typeOf(m.def.doc, m.def.sym, s.Type, uses), viaField)
	}))
	return c.placed(t, m, recv, t.via)
}
