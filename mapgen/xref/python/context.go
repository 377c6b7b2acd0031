package python

import (
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// context is where an expression stands, which decides what its names mean.
type context struct {
	r *Resolver
	scopeAt
	// method tells that the parameters of sym are known by its outline.
	method bool
	// local knows parameters and local variables of the file at hand; nil where
	// only outlines may be used.
	local *locals
	scope int32
	uses  *edges.Uses
}

// eval is the type of an expression.
func (c *context) eval(steps []edges.Step) *typ {
	t := unknownType
	r := c.r
	path := ""
	for i := range steps {
		s := &steps[i]
		if t.kind == awaitable && s.Op != edges.Await {
			// The shape of (await x).y is that of await x.y.
			t = t.args[0]
		}
		if c.local != nil && c.local.dotted {
			switch {
			case s.Op == edges.Root:
				path = s.Name
			case s.Op == edges.Member && path != "":
				path += "." + s.Name
				if narrower, ok := c.local.narrowed(c, path); ok {
					t = narrower
					continue
				}
			default:
				path = ""
			}
		}
		switch s.Op {
		case edges.Root:
			if s.Name == "super" && i+1 < len(steps) && steps[i+1].Op == edges.Call {
				t = c.super()
				continue
			}
			t = c.name(s.Name)
		case edges.Member:
			t = r.attributeOf(t, s.Name, c.uses)
		case edges.Call:
			if t.kind == superOf && i == 1 {
				continue
			}
			t = r.called(t, c.uses)
		case edges.Index:
			t = r.subscripted(t, c.uses)
		case edges.Range:
			t = r.iterated(t, c.uses)
		case edges.Result:
			t = r.part(t, s.N, c.uses)
		case edges.Await:
			t = awaited(t)
		case edges.SliceOf, edges.Address, edges.Deref:
		case edges.Literal:
			t = r.annotation(c.scopeAt, s.Name, c.uses)
			t = learned(t, viaConstructed)
		case edges.Convert:
			t = r.annotation(c.scopeAt, s.Name, c.uses)
		case edges.Basic:
			t = basicType
			if s.Name == "nil" {
				t = noneType
			}
		default:
			t = unknownType
		}
	}
	return t
}

// name is the type of what a name means here.
func (c *context) name(name string) *typ {
	if c.local != nil {
		if t, ok := c.local.typeOf(c, name); ok {
			return t
		}
	}
	if c.method {
		if t, ok := c.parameter(name); ok {
			return t
		}
	}
	found, _ := c.r.lookup(c.scopeAt, name, c.uses)
	if len(found) == 0 {
		if builtin(name) {
			return externalType
		}
		return unknownType
	}
	return c.r.value(found, c.uses)
}

// parameter is the type of a parameter of the method around, by its outline.
func (c *context) parameter(name string) (*typ, bool) {
	f := c.r.p.Files[c.doc].File
	s := &f.Symbols[c.sym]
	for i := range s.Params {
		p := &s.Params[i]
		if p.Name != name && p.Name != "*"+name && p.Name != "**"+name {
			continue
		}
		if p.Type == "" {
			if i == 0 && s.Parent >= 0 && isClass(f.Symbols[s.Parent].Kind) {
				return c.r.receiver(c.doc, c.sym), true
			}
			return unknownType, true
		}
		t := c.r.annotation(scopeAt{c.doc, s.Parent, true, s.Span.Start}, p.Type, c.uses)
		switch p.Name[0] {
		case '*':
			if len(p.Name) > 1 && p.Name[1] == '*' {
				return container(mappingOf, externalType, t), true
			}
			return container(iterableOf, t), true
		}
		return t, true
	}
	return nil, false
}

// super stands for the classes behind the one around.
func (c *context) super() *typ {
	f := c.r.p.Files[c.doc].File
	for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
		p := f.Symbols[s].Parent
		if p >= 0 && isClass(f.Symbols[p].Kind) && isFunction(f.Symbols[s].Kind) {
			return &typ{kind: superOf, def: def{c.doc, p}, recv: c.r.receiver(c.doc, s), via: viaSuper}
		}
	}
	return unknownType
}

// receiver is the type of the first parameter of a method.
func (r *Resolver) receiver(doc, method int32) *typ {
	f := r.p.Files[doc].File
	s := &f.Symbols[method]
	class := def{doc, s.Parent}
	if s.Flags&staticFlag != 0 && len(s.Params) > 0 {
		return &typ{kind: classOf, def: class, via: viaSelf}
	}
	return instance(class, viaSelf)
}
