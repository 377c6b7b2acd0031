package cfamily

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// eval is the type of an expression. Scopes and members read the same: a.b is a::b,
// a.b or a->b.
func (c *context) eval(steps []edges.Step) *typ {
	t := unknownType
	for i := 0; i < len(steps); i++ {
		s := &steps[i]
		called := i+1 < len(steps) && steps[i+1].Op == edges.Call
		switch s.Op {
		case edges.Root:
			if called {
				t = c.called(s.Name)
				i++
				continue
			}
			t = c.value(s.Name)
		case edges.Member:
			t = c.member(t, s.Name, called)
			if called {
				i++
			}
		case edges.Call:
			t = c.call(t)
		case edges.Index, edges.Range:
			t = c.element(t, s.Op == edges.Range)
		case edges.Deref:
			t = c.deref(t)
		case edges.Address:
			t = starred(t, 1)
		case edges.Result:
			t = c.part(t, s.N)
		case edges.New:
			t = starred(learned(c.r.typeOf(c.at, s.Name, c.uses), viaConstructed), 1)
		case edges.Literal:
			t = learned(c.r.typeOf(c.at, s.Name, c.uses), viaConstructed)
		case edges.Convert:
			t = learned(c.r.typeOf(c.at, s.Name, c.uses), viaDeclared)
		case edges.Basic:
			t = basicOf(s.Name)
		default:
			t = unknownType
		}
	}
	return t
}

func basicOf(shape string) *typ {
	switch shape {
	case `""`:
		return &typ{kind: basic, name: "char", stars: 1}
	case "0":
		return &typ{kind: basic, name: "int"}
	case "true":
		return &typ{kind: basic, name: "bool"}
	}
	return unknownType
}

// value is the type of what a bare name means.
func (c *context) value(name string) *typ {
	if name == "this" {
		return c.this()
	}
	if t := c.bound(name); t != nil {
		return t
	}
	m := c.bare(name, wantRead, "")
	if len(m.list) == 0 {
		return &typ{kind: spaceOf, name: name}
	}
	return weakenedIf(c.typeOfAll(m.list, m.owner, nil), m.mark < edges.Exact)
}

// this is the class around as a value.
func (c *context) this() *typ {
	for _, l := range c.r.chain(c.at, c.uses).levels {
		if l.class {
			return &typ{kind: instance, def: l.def, stars: 1, via: viaThis, constant: c.inConst()}
		}
	}
	return unknownType
}

// inConst tells whether the place is in a method that is const.
func (c *context) inConst() bool {
	for s := c.at.sym; s >= 0; s = c.r.file(c.at.doc).Symbols[s].Parent {
		if d := (def{c.at.doc, s}); isFunction(c.r.symbol(d).Kind) {
			return strings.HasSuffix(c.r.parameters(d), constMark)
		}
	}
	return false
}

// part is the n-th part of a value that is taken apart: of a library pair, or of
// a class by its fields.
func (c *context) part(t *typ, n int) *typ {
	switch {
	case t.stars > 0:
	case t.kind == external && n < len(t.args):
		return t.args[n]
	case t.kind == instance:
		c.uses.Doc(int(t.def.doc))
		f := c.r.file(t.def.doc)
		for i := int(t.def.sym) + 1; i < len(f.Symbols) && f.Symbols[i].Span.Start < f.Symbols[t.def.sym].Span.End; i++ {
			if s := &f.Symbols[i]; s.Parent != t.def.sym || s.Kind != facts.KindField {
				continue
			}
			if n == 0 {
				return c.place(c.typeOfSymbol(def{t.def.doc, int32(i)}), ancestor{class: t.def}, t, viaField)
			}
			n--
		}
	}
	return unknownType
}

// called is what a call of a bare name gives.
func (c *context) called(name string) *typ {
	if t := c.bound(name); t != nil {
		return c.call(t)
	}
	m := c.bare(name, wantCall, "")
	return weakenedIf(c.resultOfAll(m.list, m.owner, nil), m.mark < edges.Exact)
}

// call is what a call of a value gives.
func (c *context) call(t *typ) *typ {
	switch t.kind {
	case callable:
		if len(t.args) == 1 {
			return learned(t.args[0], viaResult)
		}
	case classOf:
		return learned(&typ{kind: instance, def: t.def, weak: t.weak}, viaConstructed)
	case instance:
		if m := c.r.members(t.def, "operator()", c.uses); len(m.list) > 0 {
			return c.resultOfAll(m.list, m.owner, t)
		}
	}
	return unknownType
}

// member is what t.name or t.name() gives.
func (c *context) member(t *typ, name string, called bool) *typ {
	list, owner, weak := c.membersOf(t, name, called)
	if len(list) > 0 {
		if called {
			return weakenedIf(c.resultOfAll(list, owner, t), weak || t.weak)
		}
		return weakenedIf(c.typeOfAll(list, owner, t), weak || t.weak)
	}
	switch t.kind {
	case external:
		return library(t, name)
	case spaceOf:
		if t.name == "std" || strings.HasPrefix(t.name, "std::") {
			return externalType
		}
		if called {
			return unknownType
		}
		return &typ{kind: spaceOf, name: joined(t.name, name)}
	}
	return unknownType
}

// pointee is what a value that acts as a pointer leads to, or nil.
func (c *context) pointee(t *typ) *typ {
	switch t.kind {
	case external:
		if isPointer(t.name) && len(t.args) > 0 {
			return t.args[0]
		}
	case instance:
		m := c.r.members(t.def, "operator->", c.uses)
		if len(m.list) == 0 {
			return nil
		}
		p := c.resultOfAll(m.list, m.owner, t)
		if p.kind == instance && p.def == t.def {
			return nil
		}
		return p
	}
	return nil
}

// membersOf are the members of a name that a value, class or namespace has.
func (c *context) membersOf(t *typ, name string, called bool) (list []def, owner ancestor, weak bool) {
	w := wantRead
	if called {
		w = wantCall
	}
	none := ancestor{class: noDef}
	for range 4 {
		switch t.kind {
		case instance, classOf:
			s := c.r.symbol(t.def)
			if s.Kind == facts.KindEnum {
				q := c.r.within(t.def, name, c.uses)
				return q.list, none, t.weak
			}
			m := c.r.members(t.def, name, c.uses)
			if len(m.list) > 0 {
				return c.r.fits(m.list, w, ""), m.owner, m.weak || t.weak
			}
			if t.kind == classOf && name == s.Name {
				return []def{t.def}, none, t.weak
			}
		case unnamed:
			return c.r.unnamedMember(t, name, c.uses), none, t.weak
		case spaceOf:
			q := c.r.qualified(c.at, strings.Split(t.name, "::"), name, w, c.uses)
			return q.list, none, q.how != byScope
		}
		p := c.pointee(t)
		if p == nil {
			return nil, none, false
		}
		t = p
	}
	return nil, none, false
}

// resultOfAll is what a call of one of several functions gives: nothing is known
// where they differ.
func (c *context) resultOfAll(list []def, owner ancestor, recv *typ) *typ {
	return c.common(list, func(d def) *typ {
		s := c.r.symbol(d)
		switch {
		case isFunction(s.Kind):
			return c.place(c.typeOfSymbol(d), owner, recv, viaResult)
		case isType(s.Kind):
			return c.call(c.class(d))
		case s.Kind == facts.KindMacro:
			return unknownType
		}
		return c.call(c.place(c.typeOfSymbol(d), owner, recv, viaField))
	})
}

// typeOfAll is the type of one of several variables, fields or classes.
func (c *context) typeOfAll(list []def, owner ancestor, recv *typ) *typ {
	if len(list) > 0 && c.r.symbol(list[0]).Kind == facts.KindModule { // of all that open it
		list = list[:1]
	}
	return c.common(list, func(d def) *typ {
		s := c.r.symbol(d)
		switch {
		case s.Kind == facts.KindModule:
			return &typ{kind: spaceOf, name: joined(c.r.outlines[d.doc].spaces[d.sym], s.Name)}
		case isType(s.Kind):
			return c.class(d)
		case isFunction(s.Kind):
			return &typ{kind: callable, args: []*typ{c.place(c.typeOfSymbol(d), owner, recv, viaResult)}}
		case s.Kind == facts.KindMacro:
			t := c.r.alias(d, c.uses)
			if t.kind == instance && t.stars == 0 {
				return &typ{kind: classOf, def: t.def, weak: true}
			}
			return unknownType
		}
		return c.place(c.typeOfSymbol(d), owner, recv, viaField)
	})
}

// maxCommon bounds how many overloads are asked for a common type.
const maxCommon = 24

func (c *context) common(list []def, of func(def) *typ) *typ {
	out := unknownType
	for i, d := range list {
		if i == maxCommon {
			return unknownType
		}
		t := of(d)
		switch {
		case i == 0:
			out = t
		case t.kind != out.kind || t.def != out.def || t.name != out.name:
			// A variant that says nothing does not count.
			if out.kind == unknown {
				out = weakenedIf(t, true)
			} else if t.kind != unknown {
				return unknownType
			} else {
				out = weakenedIf(out, true)
			}
		}
	}
	return out
}

// class is a type by itself, typedefs followed.
func (c *context) class(d def) *typ {
	if k := c.r.symbol(d).Kind; k == facts.KindType {
		t := c.r.alias(d, c.uses)
		if t.kind == instance && t.stars == 0 {
			return &typ{kind: classOf, def: t.def, args: t.args, weak: t.weak}
		}
		return externalType
	}
	return &typ{kind: classOf, def: d}
}

// typeOfSymbol is the declared type of a variable and the result of a function.
func (c *context) typeOfSymbol(d def) *typ {
	return some(c.r.types.Get(d, c.uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		s := c.r.symbol(d)
		switch {
		case s.Kind == facts.KindEnumMember && s.Parent >= 0:
			return &typ{kind: instance, def: def{d.doc, s.Parent}}
		case s.Kind == facts.KindConstructor && s.Parent >= 0:
			return &typ{kind: instance, def: def{d.doc, s.Parent}, via: viaConstructed}
		case s.Type != "" && !strings.HasPrefix(s.Type, "auto"):
			return c.r.typeOf(d, s.Type, uses)
		case s.Init != "" && isVariable(s.Kind):
			in := context{r: c.r, at: def{d.doc, s.Parent}, scope: -1, uses: uses}
			return weakenedIf(in.eval(c.r.shape(s.Init)), true)
		}
		return unknownType
	}))
}

// place puts the template arguments of a receiver into the type of its member.
func (c *context) place(t *typ, owner ancestor, recv *typ, via string) *typ {
	if recv != nil {
		if owner.class != noDef && owner.class != recv.def {
			t = c.r.subst(t, owner.class, owner.args, 0)
		}
		t = c.r.subst(t, recv.def, recv.args, 0)
	}
	return learned(t, via)
}

// element is what an index or iteration gives.
func (c *context) element(t *typ, iterated bool) *typ {
	if t.stars > 0 {
		return starred(t, -1)
	}
	switch t.kind {
	case external:
		return libraryElement(t, iterated)
	case instance:
		name := "operator[]"
		if iterated {
			name = "begin"
		}
		m := c.r.members(t.def, name, c.uses)
		got := c.resultOfAll(m.list, m.owner, t)
		if iterated {
			return c.deref(got)
		}
		return got
	}
	return unknownType
}

func (c *context) deref(t *typ) *typ {
	if t.stars > 0 {
		return starred(t, -1)
	}
	switch t.kind {
	case external:
		if isPointer(t.name) && len(t.args) > 0 {
			return t.args[0]
		}
	case instance:
		m := c.r.members(t.def, "operator*", c.uses)
		return c.resultOfAll(m.list, m.owner, t)
	}
	return unknownType
}
