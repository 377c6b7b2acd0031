package csharp

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// argument is one of a call.
type argument struct {
	name string // of the parameter, where it is written
	t    *typ
	// A lambda has a number of parameters and the shape of its result, which
	// stands at a place; block says that it is one of statements.
	lambda, async, block bool
	params               int
	at                   uint32
	shape                string
}

// choice is what a call may call.
type choice struct {
	recv *typ
	args []argument
	// list are the members of the name, picked those of them that fit; byTypes
	// tells that the types of the arguments decided.
	list, picked []found
	byTypes      bool
	rule         string
	// made is the class that is constructed.
	made *typ
}

// maxArguments bounds how many arguments are looked at.
const maxArguments = 24

// passed are the arguments of the call at a place.
func (j *job) passed(c *context, at uint32) []argument {
	p, ok := j.arguments[at]
	if !ok || p.shapes == "" {
		return nil
	}
	var out []argument
	for _, s := range strings.Split(p.shapes, ";") {
		if s == "=" && p.word == bindAttribute || len(out) == maxArguments {
			continue // sets a property
		}
		out = append(out, j.argument(c, s))
	}
	return out
}

func (j *job) argument(c *context, s string) argument {
	a := argument{t: unknownType}
	if name, rest, ok := strings.Cut(s, ": "); ok && !strings.ContainsAny(name, "(<\"@=") {
		a.name, s = name, rest
	}
	rest, lambda := strings.CutPrefix(s, "=>")
	switch {
	case lambda:
		a.lambda = true
		if rest, a.async = strings.CutPrefix(rest, "a"); a.async {
			s = rest
		}
		rest, a.block = strings.CutPrefix(rest, "b")
		count, tail, _ := strings.Cut(rest, ":")
		place, shape, _ := strings.Cut(tail, ":")
		n, _ := strconv.Atoi(count)
		at, _ := strconv.ParseUint(place, 10, 32)
		a.params, a.at, a.shape = n, uint32(at), shape
	case s == "out":
	default:
		a.t = c.eval(j.r.shape(s))
	}
	return a
}

// choice finds what the call or construction at a place means.
func (j *job) choice(at uint32) *choice {
	return j.choices.get(j, at, func() *choice {
		i, ok := j.calls[at]
		if !ok {
			return nil
		}
		ref := &j.f.Refs[i]
		c := j.place(ref.Enclosing, at)
		ch := &choice{recv: unknownType, args: j.passed(c, at)}
		switch j.arguments[at].word {
		case bindNew:
			ch.made = learned(j.madeAt(ref, c), viaConstructed)
			c.constructor(ch)
			return ch
		case bindThisCall, bindBaseCall:
			ch.made = c.this()
			if j.arguments[at].word == bindBaseCall {
				ch.made = c.value("base", nil)
			}
			c.constructor(ch)
			return ch
		}
		if ref.Qualifier == "" {
			ch.recv = c.this()
			ch.list, ch.rule = c.methods(ref.Name)
		} else {
			ch.recv = j.receiver(ref, c)
			ch.list = c.methodsOf(ch.recv, ref.Name)
			ch.rule = c.ruleOf(ch.recv)
		}
		ch.picked, ch.byTypes = c.choose(ch.list, ch.args, ch.recv, j.writtenAt(at, c))
		if len(ch.picked) == 0 && ref.Qualifier != "" {
			if list := c.extensions(ch.recv, ref.Name); len(list) > 0 {
				picked, byTypes := c.choose(list, ch.args, ch.recv, j.writtenAt(at, c))
				if len(picked) > 0 || len(ch.list) == 0 {
					ch.list, ch.picked, ch.byTypes, ch.rule = list, picked, byTypes, ruleExtension
				}
			}
		}
		return ch
	})
}

// writtenAt are the type arguments of a call.
func (j *job) writtenAt(at uint32, c *context) []*typ {
	if t := j.generics[at]; t != "" {
		return c.arguments(parseArguments(t, 0))
	}
	return nil
}

// madeAt is the type that a construction names.
func (j *job) madeAt(ref *facts.Reference, c *context) *typ {
	if t := j.arguments[ref.Start].typ; t != "" {
		return c.r.typeOf(j.doc, c.sym, t, c.uses)
	}
	name := ref.Name + j.generics[ref.Start]
	if ref.Qualifier != "" {
		name = ref.Qualifier + "." + name
	}
	return c.r.typeOf(j.doc, c.sym, name, c.uses)
}

// constructor finds the constructor that a construction calls: one that the
// class declares, or its head.
func (c *context) constructor(ch *choice) {
	if ch.made.kind != instance {
		return
	}
	ch.recv = ch.made
	owner := ancestor{class: ch.made.class, args: c.r.own(ch.made.class, "").args}
	for _, d := range c.r.constructors(ch.made.class, c.uses) {
		ch.list = append(ch.list, found{def: d, owner: owner, weak: ch.made.weak})
	}
	for _, d := range c.r.read(ch.made.class, c.uses).parts {
		if s := c.r.symbol(d); len(s.Params) > 0 && s.Kind != facts.KindType {
			ch.list = append(ch.list, found{def: d, owner: owner, weak: ch.made.weak})
		}
	}
	ch.picked, ch.byTypes = c.choose(ch.list, ch.args, ch.recv, nil)
	ch.rule = ruleConstructor
}

// receiver is the type of what stands before a reference.
func (j *job) receiver(ref *facts.Reference, c *context) *typ {
	if s, ok := j.receivers[ref.Start]; ok {
		return c.eval(j.r.shape(s))
	}
	return c.eval(j.r.shape(ref.Qualifier))
}

func (c *context) ruleOf(t *typ) string {
	if t.kind == variable {
		return ruleOf(viaBound)
	}
	if t.via == "" {
		return ruleOf(viaDeclared)
	}
	return ruleOf(t.via)
}

// resultOfCall is what the call at a place gives.
func (c *context) resultOfCall(at uint32) *typ {
	j := c.job
	return some(j.results.get(j, at, func() *typ {
		i, ok := j.calls[at]
		if !ok {
			return unknownType
		}
		ref := &j.f.Refs[i]
		in := j.place(ref.Enclosing, at)
		ch := j.choice(at)
		if ch == nil {
			return unknownType
		}
		if ch.made != nil {
			return ch.made
		}
		generics := j.writtenAt(at, in)
		if len(ch.picked) == 0 {
			if len(ch.list) > 0 {
				return in.resultOfAll(ch.list, ch.recv, generics)
			}
			if ref.Qualifier == "" {
				if m, _, ok := in.variable(ref.Name); ok {
					return in.invoked(in.typeOfMember(m, in.this()))
				}
				return unknownType
			}
			return in.outsideCall(in.r.erased(ch.recv, in.uses), ref.Name, generics, ch.args)
		}
		out := unknownType
		for k, m := range ch.picked {
			bound := generics
			if len(bound) == 0 || len(bound) != len(in.r.typeParams(m.def)) {
				bound = in.infer(m, ch.args, ch.recv, true)
			}
			t := in.placed(subst(in.result(m.def), m.def, bound), m, ch.recv, viaResult)
			switch {
			case k == 0:
				out = t
			case !same(out, t):
				return weakenedIf(unknownType, true)
			}
		}
		return weakenedIf(out, len(ch.picked) > 1)
	}))
}

// parameterOfCall is the type of the parameter that takes an argument of the
// call at a place, as far as what is not inferred from lambdas tells it: that of
// all overloads that fit, where they agree in the n-th parameter of the lambda
// that the argument is.
func (c *context) parameterOfCall(at uint32, argument, n int, lambda bool) *typ {
	j := c.job
	ch := j.choice(at)
	if ch == nil || argument >= len(ch.args) {
		return unknownType
	}
	i := j.calls[at]
	in := j.place(j.f.Refs[i].Enclosing, at)
	if len(ch.picked) == 0 {
		recv := in.r.erased(ch.recv, c.uses)
		e := elementOf(recv)
		if e == nil {
			e = in.elementOutside(recv)
		}
		if lambda && e != nil && ch.made == nil && overElements(j.f.Refs[i].Name) {
			return named("Func", weakened(e), weakened(e), externalType)
		}
		return unknownType
	}
	generics := j.writtenAt(at, in)
	var out *typ
	for _, m := range ch.picked {
		bound := generics
		if len(bound) == 0 || len(bound) != len(in.r.typeParams(m.def)) {
			bound = in.infer(m, ch.args, ch.recv, false)
		}
		k := in.parameterOf(m, argument, ch.args)
		if k < 0 {
			return unknownType
		}
		t := in.placed(subst(in.parameterAt(m.def, k, len(ch.args)), m.def, bound), m, ch.recv, viaDeclared)
		switch {
		case out == nil:
			out = t
		case !lambda && !same(out, t):
			return unknownType
		case lambda && !in.agree(out, t, n):
			return unknownType
		}
	}
	return out
}

// agree tells whether two delegates have the same n-th parameter.
func (c *context) agree(a, b *typ, n int) bool {
	x, _, ok1 := c.delegate(a)
	y, _, ok2 := c.delegate(b)
	return ok1 && ok2 && n < len(x) && n < len(y) && same(x[n], y[n])
}

// body is the type of what a lambda gives.
func (c *context) body(a *argument) *typ {
	if a.shape == "" || c.job == nil {
		return voidType
	}
	scope := c.job.scopes.At(a.at)
	if scope < 0 {
		return unknownType
	}
	in := &context{r: c.r, doc: c.doc, sym: c.job.f.Scopes[scope].Symbol, job: c.job, scope: scope, at: a.at, uses: c.uses}
	return in.eval(c.r.shape(a.shape))
}
