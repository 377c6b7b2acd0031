package cfamily

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

type kind uint8

const (
	unknown  kind = iota
	external      // a type outside of the revision
	basic         // a number, a string
	instance      // a value of a class or enumeration
	classOf       // a class itself
	spaceOf       // a namespace, or a name of which nothing is known
	variable      // a parameter of a template
	unnamed       // a value of a structure without a name, see before
	callable      // a function or a pointer to one; args has its result
)

// typ is what is known of a value.
type typ struct {
	kind kind
	def  def
	n    int    // of a parameter of a template
	name string // of an external type, a namespace
	args []*typ
	// stars counts pointers and arrays around it.
	stars int
	// constant tells that the value, or what it points to, is const.
	constant bool
	// weak tells that a step on the way was no rule of the language.
	weak bool
	// before is where the structure without a name ends, 0 where that is unknown;
	// def holds its members.
	before uint32
	// via is how it was learned, for the rule of an edge.
	via string
}

var (
	unknownType  = &typ{}
	externalType = &typ{kind: external}
	basicType    = &typ{kind: basic}
)

func some(t *typ) *typ {
	if t == nil {
		return unknownType
	}
	return t
}

func (t *typ) change(set func(*typ)) *typ {
	if t.kind == unknown {
		return t
	}
	c := *t
	set(&c)
	return &c
}

func learned(t *typ, via string) *typ { return t.change(func(t *typ) { t.via = via }) }

func weakenedIf(t *typ, weak bool) *typ {
	if !weak || t.weak {
		return t
	}
	return t.change(func(t *typ) { t.weak = true })
}

func starred(t *typ, n int) *typ {
	if n == 0 {
		return t
	}
	return t.change(func(t *typ) { t.stars = max(0, t.stars+n) })
}

// typeOf is the type that an expression means inside a definition.
func (r *Resolver) typeOf(at def, s string, uses *edges.Uses) *typ {
	return r.typeFrom(at, r.typeText(s), uses)
}

func (r *Resolver) typeFrom(at def, t text, uses *edges.Uses) *typ {
	return r.typeIn(at, at, t, uses)
}

// baseType reads a base of a class: the parameters of the class are seen, its
// members are not.
func (r *Resolver) baseType(class def, base string, uses *edges.Uses) *typ {
	return r.typeIn(class, def{class.doc, r.symbol(class).Parent}, r.typeText(base), uses)
}

// typeIn reads a type expression at a definition, whose template parameters are
// seen, with the names that in sees.
func (r *Resolver) typeIn(at, in def, t text, uses *edges.Uses) *typ {
	out := r.nameType(at, in, t, uses)
	if t.constant && out.kind == instance && !out.constant {
		out = out.change(func(t *typ) { t.constant = true })
	}
	if t.function {
		return &typ{kind: callable, args: []*typ{starred(out, t.stars)}}
	}
	return starred(out, t.stars)
}

func (r *Resolver) nameType(at, in def, t text, uses *edges.Uses) *typ {
	if len(t.path) == 0 {
		switch {
		case t.basic:
			return basicType
		case t.tag != "" && t.tag != "enum":
			return r.unnamed(at, uses)
		}
		return unknownType
	}
	if t.path[0] == "std" {
		return r.withArgs(at, in, &typ{kind: external, name: t.path[len(t.path)-1]}, t, uses)
	}
	if len(t.path) == 1 {
		if v := r.templateParam(at, t.path[0], uses); v != nil {
			return v
		}
	}
	list := r.typeDefs(in, t.path, t.tag, uses)
	if len(list) == 0 {
		return r.withArgs(at, in, &typ{kind: external, name: t.path[len(t.path)-1]}, t, uses)
	}
	d := list[0]
	weak := len(list) > 1
	switch s := r.symbol(d); s.Kind {
	case facts.KindType, facts.KindMacro:
		out := r.alias(d, uses)
		if len(t.args) > 0 {
			out = r.subst(out, d, r.withArgs(at, in, &typ{}, t, uses).args, 0)
		}
		return weakenedIf(out, weak)
	case facts.KindInterface:
		return externalType
	}
	return r.withArgs(at, in, &typ{kind: instance, def: d, weak: weak}, t, uses)
}

// unnamed is a structure without a name. Its members belong to what holds it and
// stand before what is declared with it.
func (r *Resolver) unnamed(at def, uses *edges.Uses) *typ {
	uses.Doc(int(at.doc))
	if at.sym < 0 {
		return unknownType
	}
	s := r.symbol(at)
	if !isVariable(s.Kind) { // of a local variable
		return &typ{kind: unnamed, def: at}
	}
	return &typ{kind: unnamed, def: def{at.doc, s.Parent}, before: s.NameSpan.Start}
}

// unnamedMember is the member of a structure without a name: of several in what
// holds it, the last before the end of the structure.
func (r *Resolver) unnamedMember(t *typ, name string, uses *edges.Uses) []def {
	best := noDef
	for _, c := range r.children(t.def, name, uses) {
		s := &r.file(t.def.doc).Symbols[c]
		if s.Kind == facts.KindField && (t.before == 0 || s.NameSpan.Start < t.before) {
			best = def{t.def.doc, c}
		}
	}
	if best == noDef {
		return nil
	}
	return []def{best}
}

func (r *Resolver) withArgs(at, in def, out *typ, t text, uses *edges.Uses) *typ {
	for _, a := range t.args {
		out.args = append(out.args, r.typeIn(at, in, a, uses))
	}
	return out
}

// alias is what a typedef, an alias or a macro that stands for a type means.
func (r *Resolver) alias(d def, uses *edges.Uses) *typ {
	return some(r.aliases.Get(d, uses, func(uses *edges.Uses) *typ {
		uses.Doc(int(d.doc))
		s := r.symbol(d)
		if s.Kind == facts.KindMacro {
			value, ok := strings.CutPrefix(s.Signature, "#define "+s.Name+" ")
			if !ok || len(s.Params) > 0 || strings.ContainsAny(value, "(){};\"") {
				return unknownType
			}
			return r.typeOf(def{d.doc, -1}, value, uses)
		}
		t := r.typeText(s.Type)
		if len(t.path) == 1 && t.path[0] == s.Name && t.tag == "" {
			return unknownType
		}
		return r.typeFrom(d, t, uses)
	}))
}

// templateParam is a parameter of a template around, or nil.
func (r *Resolver) templateParam(at def, name string, uses *edges.Uses) *typ {
	if at.sym < 0 || r.plainC(at.doc) {
		return nil
	}
	uses.Doc(int(at.doc))
	f := r.file(at.doc)
	for s := at.sym; s >= 0; s = f.Symbols[s].Parent {
		d := def{at.doc, s}
		if n := slices.Index(r.templateParams(d), name); n >= 0 {
			return &typ{kind: variable, def: d, n: n, name: name}
		}
	}
	return nil
}

func (r *Resolver) templateParams(d def) []string {
	s := r.symbol(d)
	if !strings.HasPrefix(s.Signature, "template") {
		return nil
	}
	list, ok := r.lists[d]
	if !ok {
		list = templateParams(s.Signature)
		r.lists[d] = list
	}
	return list
}

// subst puts the arguments of a template into a type.
func (r *Resolver) subst(t *typ, owner def, args []*typ, depth int) *typ {
	switch {
	case t == nil || len(args) == 0 || depth > maxTypeDepth:
		return some(t)
	case t.kind == variable:
		if t.def == owner && t.n < len(args) {
			return weakenedIf(starred(args[t.n], t.stars), t.weak)
		}
		return t
	case len(t.args) == 0:
		return t
	}
	return t.change(func(c *typ) {
		c.args = make([]*typ, len(t.args))
		for i := range t.args {
			c.args[i] = r.subst(t.args[i], owner, args, depth+1)
		}
	})
}

func (r *Resolver) substAll(list []*typ, owner def, args []*typ) []*typ {
	out := make([]*typ, len(list))
	for i := range list {
		out[i] = r.subst(list[i], owner, args, 1)
	}
	return out
}
