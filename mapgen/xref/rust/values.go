package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// context is where an expression stands in the file that is resolved.
type context struct {
	place
	local *local
	scope int32
	at    uint32
}

// local knows the file that is resolved.
type local struct {
	f      *facts.File
	scopes *edges.Scopes
	// macros are the places of the names of macros that are called.
	macros map[uint32]bool
	types  edges.Memo[int32, *typ]
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
	t := c.local.types.Get(i, c.uses, func(uses *edges.Uses) *typ {
		b := &c.local.f.Bindings[i]
		in := context{place: place{r: c.r, doc: c.doc, sym: c.local.symbolOf(b.Scope), uses: uses}, local: c.local, scope: b.Scope, at: max(b.Start, 1) - 1}
		if b.Name == "self" {
			t := in.r.typeText(b.Type)
			if t.args == nil || len(t.path) > 0 && !wraps(t.path[len(t.path)-1]) {
				return in.selfType()
			}
			self := in.selfType()
			return externalOf(t.path[len(t.path)-1], self)
		}
		if b.Type != "" {
			if t := in.typeOf(in.r.typeText(b.Type)); known(t) && !(t.kind == external && t.name == "_") {
				return t
			}
		}
		if b.Init == "" {
			return unknownType
		}
		return in.eval(in.r.shape(b.Init))
	})
	if t == nil {
		return unknownType
	}
	return t
}

// symbolOf is the definition whose body a scope lies in.
func (l *local) symbolOf(scope int32) int32 {
	for s := scope; s >= 0; s = l.f.Scopes[s].Parent {
		if sym := l.f.Scopes[s].Symbol; sym >= 0 {
			return sym
		}
	}
	return -1
}

// eval is the type of an expression.
func (c *context) eval(steps []edges.Step) *typ {
	t := unknownType
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		called := i+1 < len(steps) && steps[i+1].Op == edges.Call
		switch s.Op {
		case edges.Root:
			if called {
				t = c.callOf(c.named(s.Name), s.Name)
				i++
				continue
			}
			t = c.value(s.Name)
		case edges.Member:
			switch {
			case s.Name == "try" || s.Name == "Some" || s.Name == "Ok" || s.Name == "Err":
				if t.kind != static {
					t = c.held(t, s.Name == "Err")
					continue
				}
				t = externalType
			case s.Name == "await":
				t = c.awaited(t)
			case t.kind != static && i+2 < len(steps) && steps[i+1].Op == edges.Member && steps[i+1].Name == "fn" && steps[i+2].Op == edges.Result:
				t = c.passed(t, s.Name, steps[i+2].N)
				i += 2
			case s.Name == "fn":
				t = unknownType
			case t.kind == static && called:
				space := t.defs
				n := c.stepAll(space, s.Name)
				if t = c.derived(space, s.Name); t == nil || len(n.defs) > 0 {
					t = c.callOf(n, s.Name)
				}
				i++
			case t.kind == static:
				t = c.valueOf(c.stepAll(t.defs, s.Name), s.Name)
			case called:
				t = c.call(t, s.Name)
				i++
			default:
				t = c.read(t, s.Name)
			}
		case edges.Result:
			t = c.part(t, s.N)
		case edges.Index:
			t = c.indexed(t)
		case edges.Range:
			t = c.item(t)
		case edges.Literal:
			t = c.literal(s.Name)
			if i+1 < len(steps) && steps[i+1].Op == edges.Result {
				t = c.field(s.Name, steps[i+1].N)
				i++
			}
		case edges.Convert:
			switch s.Name {
			case "Option", "Result":
				t = externalOf(s.Name, t)
			default:
				t = c.typeOf(c.r.typeText(s.Name))
			}
		case edges.Deref:
			// One star takes away the reference that types here do not count.
			if i > 0 && steps[i-1].Op == edges.Deref {
				if next := c.deref(t); next != nil {
					t = next
				}
			}
		case edges.Address, edges.SliceOf:
		case edges.Basic:
			switch s.Name {
			case `""`:
				t = stringType
			case "0":
				t = numberType
			case "true":
				t = boolType
			case "[]":
				t = externalOf("[]", unknownType)
			default:
				t = externalType
			}
		default:
			t = unknownType
		}
	}
	return t
}

// named is what a bare name means that is no local variable.
func (c *context) named(name string) named {
	switch name {
	case "crate", "super", "self", "$crate":
		return c.r.path(c.doc, c.sym, []string{name}, c.uses)
	}
	// What Self stands for need not be in scope by its name.
	if self := c.selfNamed(name); self != noDef {
		return named{defs: []def{self}}
	}
	n := c.r.lexical(c.doc, c.sym, name, c.uses)
	if !n.known() {
		n = c.r.external(c.doc, name, c.uses)
		n.outside = n.outside && !preludeName(name)
	}
	return n
}

// selfNamed is the type of the block around where it has a name.
func (c *context) selfNamed(name string) def {
	f := c.r.file(c.doc)
	for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
		if f.Symbols[s].Container == name && (isOwned(f, s) || f.Symbols[s].Kind == facts.KindMethod) {
			if t := c.selfType(); t.kind == instance {
				return t.def
			} else if t.kind == variable && t.name == "Self" {
				return t.def
			}
		}
	}
	return noDef
}

func preludeName(name string) bool {
	switch name {
	case "Vec", "String", "Box", "Option", "Result", "ToString", "Default", "Clone", "Iterator", "From", "Into":
		return true
	}
	return false
}

func (c *context) stepAll(list []def, name string) named {
	var out named
	for _, d := range list {
		found := c.r.step(d, name, c.uses)
		out.add(found.defs...)
		out.outside = out.outside || found.outside
	}
	out.outside = out.outside || len(out.defs) == 0
	return out
}

// value is the type of what a bare name means.
func (c *context) value(name string) *typ {
	// Type parameters are bound like variables: T::new() is no value of the name T.
	if v := c.variable(name); v != nil {
		return &typ{kind: static, defs: traitsOf(v)}
	}
	if t := c.bound(name); t != nil {
		return t
	}
	return c.valueOf(c.named(name), name)
}

// traitsOf are the traits that bound a variable.
func traitsOf(t *typ) []def {
	var out []def
	for _, b := range t.bounds {
		if b.kind == instance {
			out = append(out, b.def)
		}
	}
	return out
}

// valueOf is the type of what a path leads to.
func (c *context) valueOf(n named, name string) *typ {
	for _, d := range n.defs {
		if d.sym < 0 {
			continue
		}
		switch s := c.r.symbol(d); {
		case isValue(s.Kind), s.Kind == facts.KindEnumMember:
			return c.typeOfMember(found{member: member{def: d}})
		}
	}
	if spaces := c.r.spaces(n.defs); len(spaces) > 0 {
		return &typ{kind: static, defs: spaces, name: name, weak: n.outside}
	}
	if len(n.defs) == 0 && n.outside {
		return externalOf(name)
	}
	if len(n.defs) == 0 && preludeName(name) {
		return externalOf(name)
	}
	if len(n.defs) > 0 {
		return externalType // a function as a value
	}
	return unknownType
}

// callOf is what a call of what a path leads to gives.
func (c *context) callOf(n named, name string) *typ {
	for _, d := range n.defs {
		if d.sym < 0 {
			continue
		}
		s := c.r.symbol(d)
		switch {
		case isFunction(s.Kind):
			// The parameters of the function and its block are inferred.
			return c.typeOfMember(found{member: member{def: d}})
		case s.Kind == facts.KindEnumMember:
			return c.typeOfMember(found{member: member{def: d}})
		case s.Kind == facts.KindStruct:
			return &typ{kind: instance, def: d, via: viaConstructed}
		}
	}
	if len(n.defs) == 0 && !n.outside {
		return unknownType
	}
	return externalType
}

// derived is what a function of a type gives that no block of it has: one that
// an attribute made, or of a trait of the library.
func (c *context) derived(defs []def, name string) *typ {
	for _, d := range defs {
		if d.sym < 0 || !isType(c.r.symbol(d).Kind) {
			continue
		}
		own := &typ{kind: instance, def: d, via: viaConstructed}
		if c.r.symbol(d).Kind == facts.KindInterface {
			own = &typ{kind: variable, def: d, name: "Self", bounds: []*typ{c.r.own(d)}, via: viaConstructed}
		}
		for _, a := range c.r.aliased([]def{d}, c.uses) {
			if own.kind == instance {
				own.def = a
			}
		}
		switch name {
		case "default", "from", "parse", "from_iter", "parse_from":
			return weakened(own)
		case "try_from", "from_str", "deserialize", "try_parse":
			return externalOf("Result", weakened(own))
		}
	}
	return nil
}

// call is what a call of a method of a value gives.
func (c *context) call(t *typ, name string) *typ {
	if list := c.membersOf(t, name, true); len(list) > 0 {
		return c.typeOfMember(list[0])
	}
	switch t.kind {
	case external:
		return library(t, name)
	case instance, variable:
		switch {
		case same(name):
			return t
		case name == "into_iter" || name == "iter" || adapter(name) || iterated(unknownType, name) != externalType:
			if of := c.item(t); known(of) && of.kind != external {
				return iterated(of, name)
			}
		}
		// What stands behind Deref can be of the library.
		for range maxDeref {
			if t = c.deref(t); t == nil {
				break
			}
			if t.kind == external {
				return library(t, name)
			}
		}
		return unknownType
	case tuple:
		if same(name) {
			return t
		}
		return externalType
	}
	return unknownType
}

// read is what a field of a value gives.
func (c *context) read(t *typ, name string) *typ {
	if len(name) > 0 && name[0] >= '0' && name[0] <= '9' {
		n := 0
		for _, d := range name {
			if d < '0' || d > '9' || n > 100 {
				return unknownType
			}
			n = n*10 + int(d-'0')
		}
		for range maxDeref {
			switch t.kind {
			case tuple:
				return t.arg(n)
			case instance:
				if got := c.positional(t.def, n, t); known(got) {
					return got
				}
			}
			if t = c.deref(t); t == nil {
				return unknownType
			}
		}
		return unknownType
	}
	if list := c.membersOf(t, name, false); len(list) > 0 {
		return c.typeOfMember(list[0])
	}
	if t.kind == external {
		return externalType
	}
	return unknownType
}

// indexed is what an index gives.
func (c *context) indexed(t *typ) *typ {
	for range maxDeref {
		if t.kind == external && isMap(t.name) {
			return t.arg(1)
		}
		if t.kind != external || !wraps(t.name) || len(t.args) == 0 {
			break
		}
		t = t.args[0]
	}
	return c.item(t)
}

// item is what iteration gives.
func (c *context) item(t *typ) *typ {
	switch t.kind {
	case external:
		return item(t)
	case instance, variable:
		for _, b := range t.bounds {
			if b.kind == external && isIterator(b.name) {
				return item(b)
			}
		}
		if of := c.assocType(t, "Item"); known(of) && of != externalType {
			return of
		}
		if of := c.assocType(t, "Output"); t.kind == instance && known(of) && of != externalType {
			return of
		}
		if next := c.deref(t); next != nil && next.kind == external {
			return item(next)
		}
	}
	return unknownType
}

// held is what x? and the patterns Some and Ok take out of a value.
func (c *context) held(t *typ, failed bool) *typ {
	if t.kind == variable {
		return unknownType
	}
	return held(t, failed)
}

// awaited is what awaiting a value gives. A call of an async function has its
// declared result for its value already.
func (c *context) awaited(t *typ) *typ {
	if t.kind != variable {
		return t
	}
	for _, b := range t.bounds {
		if b.kind == external && b.name == "Future" {
			return b.arg(0)
		}
	}
	return t
}

// passed is the n-th parameter of a closure that a method of a value gets.
func (c *context) passed(t *typ, name string, n int) *typ {
	if t.kind == external {
		return passed(t, name, n)
	}
	list := c.membersOf(t, name, true)
	if len(list) == 0 {
		if of := c.item(t); known(of) {
			return passed(externalOf("Iter", of), name, n)
		}
		return unknownType
	}
	m := list[0]
	s := c.r.symbol(m.def)
	for _, q := range s.Params {
		text := c.r.typeText(q.Type)
		if len(text.path) == 1 {
			for _, own := range c.r.ownParams(m.def) {
				if own.name == text.path[0] && len(own.bounds) > 0 {
					text = own.bounds[0]
				}
			}
		}
		if len(text.bounds) > 0 {
			text = text.bounds[0]
		}
		if len(text.path) > 0 && strings.HasPrefix(text.path[len(text.path)-1], "Fn") && n < len(text.args) {
			return c.fit(c.deeper(m.def).typeOf(text.args[n]), m)
		}
	}
	return unknownType
}
