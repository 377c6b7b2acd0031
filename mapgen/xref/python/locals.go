package python

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const staticFlag = facts.Static

// locals knows the parameters and local variables of the file that is resolved.
type locals struct {
	r      *Resolver
	doc    int32
	f      *facts.File
	scopes *edges.Scopes
	bound  map[boundName][]int32
	// body is where the body of each function starts, by symbol; 0 where it has
	// none.
	body []uint32
	// generic tells scopes of type parameters, which span whole definitions.
	generic []bool
	// dotted tells that conditions narrow attributes somewhere.
	dotted bool
	types  edges.Memo[int32, *typ]
}

type boundName struct {
	scope int32
	name  string
}

func newLocals(r *Resolver, doc int32, f *facts.File) *locals {
	l := &locals{
		r: r, doc: doc, f: f, scopes: edges.NewScopes(f), bound: make(map[boundName][]int32, len(f.Bindings)),
		body: make([]uint32, len(f.Symbols)), generic: make([]bool, len(f.Scopes)),
	}
	l.types.Stack = &r.stack
	for i := range f.Bindings {
		b := &f.Bindings[i]
		l.dotted = l.dotted || strings.Contains(b.Name, ".")
		key := boundName{b.Scope, b.Name}
		l.bound[key] = append(l.bound[key], int32(i))
	}
	for _, list := range l.bound {
		slices.SortStableFunc(list, func(a, b int32) int { return int(f.Bindings[a].Start) - int(f.Bindings[b].Start) })
	}
	end := make([]uint32, len(f.Symbols))
	for i := range f.Scopes {
		s := &f.Scopes[i]
		if s.Symbol < 0 {
			continue
		}
		of := &f.Symbols[s.Symbol]
		if s.Span.Start <= of.NameSpan.Start {
			l.generic[i] = true
			continue
		}
		if s.Span.End > end[s.Symbol] {
			end[s.Symbol], l.body[s.Symbol] = s.Span.End, s.Span.Start
		}
	}
	return l
}

// contextAt is where a place in the file stands.
func (l *locals) contextAt(enclosing int32, at uint32, uses *edges.Uses) context {
	sym := enclosing
	// Decorators, defaults and annotations belong to what is around.
	for sym >= 0 && !isClass(l.f.Symbols[sym].Kind) && at < l.body[sym] {
		sym = l.f.Symbols[sym].Parent
	}
	c := context{r: l.r, scopeAt: scopeAt{l.doc, sym, true, at}, local: l, scope: l.scopes.At(at), uses: uses}
	if sym >= 0 && isClass(l.f.Symbols[sym].Kind) && c.scope >= 0 {
		// A comprehension or lambda in the body of a class does not see it.
		c.class = l.f.Scopes[c.scope].Symbol != sym || l.generic[c.scope]
	}
	return c
}

// typeOf is the type of a local variable at a place. Within the scope of the
// place the last binding before it counts, in a function around any of them.
func (l *locals) typeOf(c *context, name string) (*typ, bool) {
	for scope := c.scope; scope >= 0; scope = l.f.Scopes[scope].Parent {
		list := l.bound[boundName{scope, name}]
		if len(list) == 0 {
			continue
		}
		if l.defines(scope, name) {
			return nil, false
		}
		var at int
		for at < len(list) && l.f.Bindings[list[at]].Start < c.at {
			at++
		}
		if l.crosses(c.scope, scope) || at == 0 {
			return l.anyOf(list, c.uses), true
		}
		return l.lastOf(list[:at], c.uses), true
	}
	return nil, false
}

// narrowed is the type that a condition around a place, or an assertion before
// it, gives an attribute in dotted form.
func (l *locals) narrowed(c *context, path string) (*typ, bool) {
	for scope := c.scope; scope >= 0; scope = l.f.Scopes[scope].Parent {
		list := l.bound[boundName{scope, path}]
		for i := len(list) - 1; i >= 0; i-- {
			if l.f.Bindings[list[i]].Start < c.at {
				return l.binding(list[i], c.uses), true
			}
		}
		if s := l.f.Scopes[scope].Symbol; s >= 0 && l.f.Scopes[scope].Span.Start == l.body[s] {
			break // functions inside may run later
		}
	}
	return nil, false
}

// defines tells whether a function also defines or imports the name.
func (l *locals) defines(scope int32, name string) bool {
	sym := l.f.Scopes[scope].Symbol
	if sym < 0 || l.f.Scopes[scope].Span.Start != l.body[sym] {
		return false
	}
	o := l.r.outline(l.doc, nil)
	return len(o.inner[scopedName{sym, name}]) > 0 && !isClass(l.f.Symbols[sym].Kind)
}

// crosses tells whether a function lies between two scopes.
func (l *locals) crosses(inner, outer int32) bool {
	for s := inner; s != outer && s >= 0; s = l.f.Scopes[s].Parent {
		if sym := l.f.Scopes[s].Symbol; sym >= 0 && !l.generic[s] && l.f.Scopes[s].Span.Start == l.body[sym] && isFunction(l.f.Symbols[sym].Kind) {
			return true
		}
	}
	return false
}

// lastOf is the type of the last of several bindings.
func (l *locals) lastOf(list []int32, uses *edges.Uses) *typ {
	// Not None, which stands in for a value elsewhere.
	for i := len(list) - 1; i >= 0; i-- {
		t := l.binding(list[i], uses)
		if t.kind == none && i > 0 {
			continue
		}
		if b := &l.f.Bindings[list[i]]; b.Type != "" && !strings.HasPrefix(b.Init, "?.(") {
			return t // declared or told by a condition
		}
		alternatives := []*typ{t}
		for _, before := range list[:i] {
			if u := l.binding(before, uses); u.kind != none && !same(u, t) {
				alternatives = append(alternatives, u)
			}
		}
		if len(alternatives) == 1 || t.kind <= external || t.kind == basic {
			return t
		}
		return preferring(alternatives)
	}
	return unknownType
}

func (l *locals) anyOf(list []int32, uses *edges.Uses) *typ {
	var parts []*typ
	lost := false
	for _, i := range list {
		if t := l.binding(i, uses); known(t) {
			parts = append(parts, t)
		} else {
			lost = true
		}
	}
	if len(parts) == 0 {
		return unknownType
	}
	if t := union(parts...); !lost {
		return t
	} else {
		return weakened(t)
	}
}

// binding is the type that one binding gives a name.
func (l *locals) binding(i int32, uses *edges.Uses) *typ {
	return some(l.types.Get(i, uses, func(uses *edges.Uses) *typ {
		b := &l.f.Bindings[i]
		sc := &l.f.Scopes[b.Scope]
		sym := sc.Symbol
		parameter := b.Start < sc.Span.Start
		at := scopeAt{l.doc, sym, true, b.Start}
		if parameter && sym >= 0 {
			at.sym = l.f.Symbols[sym].Parent
			if isClass(l.f.Symbols[sym].Kind) {
				at.sym = sym
			}
		}
		if b.Type != "" {
			return l.r.annotation(at, b.Type, uses)
		}
		if parameter && sym >= 0 && l.isReceiver(i, sym) {
			t := instance(def{l.doc, l.f.Symbols[sym].Parent}, viaSelf)
			if !strings.HasSuffix(b.Init, "()") {
				t.kind = classOf
			}
			return t
		}
		switch b.Init {
		case "":
			return unknownType
		case "nil":
			if parameter {
				return unknownType
			}
			return noneType
		}
		c := l.contextAt(sym, b.Start, uses)
		c.scope = b.Scope
		if parameter {
			c.scope = sc.Parent
		} else {
			c.sym = sym
		}
		return c.eval(l.r.shape(b.Init))
	}))
}

// isReceiver tells whether a binding is the first parameter of a method: its
// initialiser is the class, or an instance of it.
func (l *locals) isReceiver(i, sym int32) bool {
	s := &l.f.Symbols[sym]
	b := &l.f.Bindings[i]
	if s.Parent < 0 || !isClass(l.f.Symbols[s.Parent].Kind) || !isFunction(s.Kind) || len(s.Params) == 0 || s.Params[0].Name != b.Name {
		return false
	}
	class := lastPart(strings.TrimSuffix(b.Init, "()"))
	return class == l.f.Symbols[s.Parent].Name && l.f.Scopes[b.Scope].Span.Start == l.body[sym]
}
