package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// local knows the file that is resolved.
type local struct {
	f      *facts.File
	scopes *edges.Scopes
	types  edges.Memo[int32, typ]
}

func newLocal(r *Resolver, f *facts.File) *local {
	l := &local{f: f, scopes: edges.NewScopes(f)}
	l.types.Stack = &r.stack
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

// method is the method around, noDef at the level of a class or file.
func (c *context) method() def {
	f := c.r.file(c.doc)
	for s := c.sym; s >= 0; s = f.Symbols[s].Parent {
		k := f.Symbols[s].Kind
		switch {
		case isClass(k):
			return noDef
		case k == facts.KindMethod || k == facts.KindConstructor || k == facts.KindFunction || k == facts.KindProperty:
			return def{c.doc, s}
		}
	}
	return noDef
}

// class is the path of the class around, "" for none.
func (c *context) class() string {
	return c.r.enclosing(c.r.file(c.doc), c.r.paths[c.doc], c.sym)
}

func (c *context) nesting() []string {
	return c.r.nesting(c.r.file(c.doc), c.r.paths[c.doc], c.sym)
}

// self is the object whose method runs.
func (c *context) self() typ {
	m := c.method()
	if t, ok := c.anonymous(m); ok {
		return t
	}
	if m == noDef {
		if p := c.class(); p != "" {
			return typ{kind: classOf, path: p, via: viaSelf}
		}
		return typ{}
	}
	owner := c.r.owners[m.doc][m.sym]
	s := c.r.symbol(m)
	switch {
	case owner == "":
		return typ{}
	case s.Flags&facts.Static != 0 && len(sides(c.r.file(m.doc), s)) == 1:
		return typ{kind: classOf, path: owner, via: viaSelf}
	case s.Flags&facts.Static != 0:
		return typ{kind: classOf, path: owner, via: viaSelf, both: true}
	}
	return typ{kind: instance, path: owner, via: viaSelf}
}

// anonymous is self inside of the block of Class.new(Base), where that is the
// innermost class around a place: something like Base.
func (c *context) anonymous(method def) (typ, bool) {
	if c.local == nil {
		return typ{}, false
	}
	i := c.local.scopes.Lookup(c.scope, "self", c.at, false)
	if i < 0 {
		return typ{}, false
	}
	t := c.binding(i)
	if t.kind != classOf {
		return typ{}, true
	}
	t.weak, t.via = true, viaSelf
	if method != noDef && c.r.symbol(method).Span.Start > c.local.f.Bindings[i].Start && c.r.symbol(method).Flags&facts.Static == 0 {
		t.kind = instance
	}
	return t, true
}

// inBlock tells whether a place at the level of a class stands in a block, which
// may run anywhere.
func (c *context) inBlock() bool {
	if c.local == nil || c.scope < 0 {
		return false
	}
	scopes := c.local.f.Scopes
	sc := &scopes[c.scope]
	if sc.Symbol < 0 || sc.Symbol != c.sym {
		return true
	}
	return sc.Parent >= 0 && scopes[sc.Parent].Symbol == sc.Symbol
}

// bound is the type of a local variable, and whether there is one of the name.
func (c *context) bound(name string) (typ, bool) {
	if c.local == nil {
		return c.parameter(name)
	}
	i := c.local.scopes.Lookup(c.scope, name, c.at, false)
	if i < 0 {
		return typ{}, false
	}
	return c.binding(i), true
}

// parameter is bound where only outlines may be used.
func (c *context) parameter(name string) (typ, bool) {
	m := c.method()
	if m == noDef {
		return typ{}, false
	}
	s := c.r.symbol(m)
	for i := range s.Params {
		if strings.Trim(s.Params[i].Name, "*&:") == name {
			if s.Params[i].Name[0] == '*' || s.Params[i].Name[0] == '&' {
				return externalType, true
			}
			return c.r.documented(m, s.Params[i].Type, c.uses).via1(viaValue), true
		}
	}
	return typ{}, false
}

// binding is the type of a local variable. One that is assigned several things
// may be any of them.
func (c *context) binding(i int32) typ {
	return c.local.types.Get(i, c.uses, func(uses *edges.Uses) typ {
		f := c.local.f
		b := &f.Bindings[i]
		in := *c
		in.uses, in.scope, in.at = uses, b.Scope, b.Start
		in.sym = f.Scopes[b.Scope].Symbol
		if b.Type != "" {
			if t := c.r.documented(def{c.doc, in.sym}, b.Type, uses); t.known() {
				return t.via1(viaValue)
			}
		}
		if b.Init == "" || b.Init == "nil" {
			return typ{}
		}
		t := in.eval(c.r.shape(b.Init))
		for k := range f.Bindings {
			if o := &f.Bindings[k]; int32(k) != i && o.Name == b.Name && o.Scope == b.Scope && o.Start != b.Start && o.Init != b.Init {
				t.weak = true
				break
			}
		}
		return t
	})
}
