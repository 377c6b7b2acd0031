package php

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// bindAnonymous is the name under which the body of an anonymous class binds
// each of its bases: see the package php of the extraction.
const bindAnonymous = "this"

// Names under which functions bind what they return without saying so, and,
// before the name of a property, what they assign to it.
const (
	bindReturn   = "return"
	bindProperty = "="
)

// local knows the file that is resolved. Variables live in functions, not in
// blocks; only what a condition or catch tells of one ends with its block.
type local struct {
	f      *facts.File
	scopes *edges.Scopes
	// narrow are the scopes of such blocks.
	narrow    map[int32]bool
	anonymous map[int32][]int32 // bindings of bases by scope
	// variables are the bindings of a name in a function, in their order.
	variables map[boundName][]int32
	// returns are the bindings of what functions return, assigned those of what
	// properties are, by the name of the binding.
	returns  map[int32][]int32
	assigned map[string][]int32
	types    edges.Memo[int32, *typ]
	inferred edges.Memo[int32, *typ]
	asked    map[int32]*typ
}

type boundName struct {
	scope int32 // of the function
	name  string
}

func newLocal(r *Resolver, f *facts.File) *local {
	l := &local{
		f: f, scopes: edges.NewScopes(f), narrow: map[int32]bool{}, anonymous: map[int32][]int32{}, variables: map[boundName][]int32{},
		returns: map[int32][]int32{}, assigned: map[string][]int32{}, asked: map[int32]*typ{},
	}
	l.types.Stack, l.inferred.Stack = &r.stack, &r.stack
	for i := range f.Bindings {
		b := &f.Bindings[i]
		switch b.Name {
		case b.Init:
			l.narrow[b.Scope] = true
		case bindAnonymous:
			l.anonymous[b.Scope] = append(l.anonymous[b.Scope], int32(i))
		}
	}
	for i := range f.Bindings {
		b := &f.Bindings[i]
		root := l.function(b.Scope)
		switch {
		case b.Name == bindReturn:
			scope := &f.Scopes[root]
			if scope.Parent >= 0 && f.Scopes[scope.Parent].Symbol != scope.Symbol {
				l.returns[scope.Symbol] = append(l.returns[scope.Symbol], int32(i))
			}
		case strings.HasPrefix(b.Name, bindProperty):
			l.assigned[b.Name] = append(l.assigned[b.Name], int32(i))
		default:
			v := boundName{root, b.Name}
			l.variables[v] = append(l.variables[v], int32(i))
		}
	}
	for _, list := range l.variables {
		slices.SortStableFunc(list, func(a, b int32) int { return cmp.Compare(f.Bindings[a].Start, f.Bindings[b].Start) })
	}
	return l
}

// function is the scope of the function, closure or file that a scope is in.
func (l *local) function(scope int32) int32 {
	for scope >= 0 && l.narrow[scope] {
		scope = l.f.Scopes[scope].Parent
	}
	return scope
}

// maxClosures bounds how many closures a variable is looked for in.
const maxClosures = 50

// lookup finds the bindings that a variable has at a place: the last one before
// it, and those before that in the same function, up to a number of all. What a
// condition tells stands alone.
func (l *local) lookup(scope int32, name string, at uint32, limit int) []int32 {
	for range maxClosures {
		root := l.function(scope)
		if root < 0 {
			return nil
		}
		var out []int32
		list := l.variables[boundName{root, name}]
		for k := len(list) - 1; k >= 0 && len(out) < limit; k-- {
			b := &l.f.Bindings[list[k]]
			narrow := b.Init == b.Name
			if b.Start > at || narrow && (len(out) > 0 || !l.within(scope, b.Scope)) {
				continue
			}
			if out = append(out, list[k]); narrow {
				break
			}
		}
		if len(out) > 0 {
			return out
		}
		parent := l.f.Scopes[root].Parent
		// A function does not see what is around it, a closure does.
		if parent < 0 || l.f.Scopes[parent].Symbol != l.f.Scopes[root].Symbol {
			return nil
		}
		scope = parent
	}
	return nil
}

func (l *local) within(scope, outer int32) bool {
	for ; scope >= 0; scope = l.f.Scopes[scope].Parent {
		if scope == outer {
			return true
		}
	}
	return false
}

// context is where an expression stands, which decides what its names mean.
type context struct {
	r        *Resolver
	doc, sym int32
	// local knows the variables of the file at hand; nil where only outlines may
	// be used.
	local *local
	scope int32
	at    uint32
	uses  *edges.Uses
	// reference tells that a reference of the file at hand asks, not a value.
	reference bool
}

// this is the class around a place as a value.
func (c *context) this() *typ {
	if c.local != nil {
		f := c.local.f
		for s := c.scope; s >= 0; s = f.Scopes[s].Parent {
			if len(c.local.anonymous[s]) > 0 {
				return c.anonymous(s)
			}
			if sym := f.Scopes[s].Symbol; sym >= 0 && sortOf(&f.Symbols[sym]) == ofClass {
				return c.r.own(def{c.doc, sym}, viaThis)
			}
		}
	}
	if around := c.r.classAround(c.doc, c.sym, c.uses); around != noDef {
		return c.r.own(around, viaThis)
	}
	return unknownType
}

// anonymous is an instance of the anonymous class whose body is a scope.
func (c *context) anonymous(scope int32) *typ {
	t := &typ{kind: anonymous, n: scope}
	for _, i := range c.local.anonymous[scope] {
		b := &c.local.f.Bindings[i]
		if b.Type == "object" {
			continue
		}
		t.args = append(t.args, c.r.typeOf(c.doc, c.local.f.Scopes[scope].Symbol, b.Type, c.uses))
	}
	return t
}

// maxBefore bounds how many earlier values of a variable are looked at.
const maxBefore = 4

// bound is the type of a variable or of what a condition tells of a property,
// or nil where it is not bound. What it was before counts for references only:
// values of values would ask for too much.
func (c *context) bound(name string) *typ {
	if c.local == nil {
		return nil
	}
	limit := 1
	if c.reference {
		limit = maxBefore
	}
	list := c.local.lookup(c.scope, name, c.at, limit)
	if len(list) == 0 {
		return nil
	}
	t := c.remembered(list[0])
	for _, i := range list[1:] {
		switch before := c.remembered(i); {
		case !known(t):
			// A variable seldom changes its class.
			t = weakened(before)
		case before.kind == instance && t.kind == instance && !t.weak && !c.r.derives(t.def, before.def, c.uses):
			// It may still be what it was, if that was in another branch; a
			// condition tells of a class below.
			return weakened(t)
		default:
			return t
		}
	}
	return t
}

// remembered is binding, which the references of a file ask again and again, also
// where its answer was cut short: they all ask from the top.
func (c *context) remembered(i int32) *typ {
	if !c.reference {
		return c.binding(i)
	}
	t, ok := c.local.asked[i]
	if !ok {
		t = c.binding(i)
		c.local.asked[i] = t
	}
	return t
}

// binding is the type that a binding gives its name.
func (c *context) binding(i int32) *typ {
	return some(c.local.types.Get(i, c.uses, func(uses *edges.Uses) *typ {
		b := &c.local.f.Bindings[i]
		in := context{r: c.r, doc: c.doc, sym: c.local.f.Scopes[b.Scope].Symbol, local: c.local, scope: b.Scope, at: max(b.Start, 1) - 1, uses: uses}
		switch {
		case b.Type != "":
			t := c.r.typeOf(c.doc, in.sym, b.Type, uses)
			if len(b.Type) > 3 && b.Type[:3] == "..." {
				t = array(t)
			}
			return c.r.place(t, in.this(), 0)
		case b.Init == "" || b.Init == "nil":
			return unknownType
		}
		if k := strings.LastIndex(b.Init, taken); k >= 0 {
			return in.handed(b.Init[:k], b.Init[k+len(taken):])
		}
		return in.eval(b.Init)
	}))
}

// taken stands before the number of an argument in what tells the parameters of a
// closure: f@1.0 is the first parameter of what f takes second.
const taken = "@"

// handed is what a function hands to a closure that it takes, by what its
// parameter says of that.
func (c *context) handed(callee, place string) *typ {
	first, second, _ := strings.Cut(place, ".")
	argument, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if err != nil || err2 != nil {
		return unknownType
	}
	var list []def
	recv := unknownType
	if k := strings.LastIndexByte(callee, '.'); k >= 0 {
		recv = c.r.erased(c.eval(callee[:k]), c.uses)
		for _, m := range c.membersOf(recv, ofMethod, callee[k+1:]) {
			list = append(list, m.def)
		}
	} else if callee != "" && callee[0] != '$' {
		list = c.r.named(c.doc, ofFunction, callee, c.uses)
	}
	if len(list) == 0 {
		return unknownType
	}
	c.uses.Doc(int(list[0].doc))
	params := c.r.symbol(list[0]).Params
	if argument >= len(params) || params[argument].Type == "" {
		return unknownType
	}
	t := c.r.typeOf(list[0].doc, list[0].sym, params[argument].Type, c.uses)
	alternatives := []*typ{t}
	if t.kind == union {
		alternatives = t.args
	}
	for _, a := range alternatives {
		if a.kind == callable && n < len(a.args) {
			return learned(weakened(c.r.place(a.args[n], recv, 0)), viaClosure)
		}
	}
	return unknownType
}

// maxInferred bounds how many classes a member without a type may be of.
const maxInferred = 3

// inferred is the type of a member of the file at hand that does not say one, by
// what is returned or assigned.
func (c *context) inferred(d def) *typ {
	if c.local == nil || d.doc != c.doc {
		return unknownType
	}
	return some(c.local.inferred.Get(d.sym, c.uses, func(uses *edges.Uses) *typ {
		list := c.local.returns[d.sym]
		s := &c.local.f.Symbols[d.sym]
		if sortOf(s) == ofProperty {
			list = c.local.assigned[bindProperty+s.Name]
		}
		var types []*typ
		for _, i := range list {
			b := &c.local.f.Bindings[i]
			in := context{r: c.r, doc: c.doc, sym: c.local.f.Scopes[b.Scope].Symbol, local: c.local, scope: b.Scope, at: max(b.Start, 1) - 1, uses: uses}
			if this := in.this(); sortOf(s) == ofProperty && (this.kind != instance || this.def != def{c.doc, s.Parent}) {
				continue
			}
			if t := in.eval(b.Init); known(t) {
				types = append(types, t)
			}
		}
		if len(types) == 0 {
			return unknownType
		}
		t := either(types)
		if t.kind == union && len(t.args) > maxInferred {
			return unknownType
		}
		return weakened(t)
	}))
}
