package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

type kind uint8

const (
	unknown  kind = iota
	external      // of a library, by its name: primitive types, Vec, slices as "[]"
	instance      // of a type of the revision, or of a trait
	variable      // a type parameter, impl Trait, dyn Trait or one of several variants of a type: what its bounds have
	tuple
	static // no value but a path: a module or type
)

// typ is what is known of a value. Never changed once made.
type typ struct {
	kind kind
	// def is the type of an instance, the definition that declares a variable
	// (noDef for impl Trait).
	def  def
	name string
	args []*typ
	// bounds are the traits of a variable, or its variants.
	bounds []*typ
	assoc  []assoc // of a trait: Item = T
	// defs are what a static path leads to.
	defs []def
	via  string
	weak bool
}

type assoc struct {
	name string
	typ  *typ
}

var (
	noDef        = def{-1, -1}
	unknownType  = &typ{}
	externalType = &typ{kind: external}
	numberType   = &typ{kind: external, name: "i32"}
	stringType   = &typ{kind: external, name: "str"}
	boolType     = &typ{kind: external, name: "bool"}
)

func known(t *typ) bool { return t != nil && t.kind != unknown }

func externalOf(name string, args ...*typ) *typ {
	return &typ{kind: external, name: name, args: args}
}

// weakened marks a type as less than sure.
func weakened(t *typ) *typ {
	if t.weak || t.kind == unknown {
		return t
	}
	c := *t
	c.weak = true
	return &c
}

func weakenedIf(t *typ, weak bool) *typ {
	if weak {
		return weakened(t)
	}
	return t
}

// learned notes how the type was learned.
func learned(t *typ, via string) *typ {
	if t.via == via || t.kind != instance && t.kind != variable {
		return t
	}
	c := *t
	c.via = via
	return &c
}

// arg is a type argument, unknown where there is none.
func (t *typ) arg(n int) *typ {
	if n < len(t.args) {
		return t.args[n]
	}
	return unknownType
}

// place is where names are looked up.
type place struct {
	r        *Resolver
	doc, sym int32
	uses     *edges.Uses
	depth    int // of aliases and associated types followed
}

func (r *Resolver) at(d def, uses *edges.Uses) place {
	return place{r: r, doc: d.doc, sym: d.sym, uses: uses}
}

// deeper is a place one alias further on.
func (p place) deeper(d def) place { return place{p.r, d.doc, d.sym, p.uses, p.depth + 1} }

// typeOf is the type that an expression names at a place.
func (p place) typeOf(t *text) *typ {
	switch {
	case t == nil || p.depth > maxTypeDepth:
		return unknownType
	case len(t.bounds) > 0:
		out := &typ{kind: variable, def: noDef}
		for _, b := range t.bounds {
			out.bounds = append(out.bounds, p.typeOf(b))
		}
		return out
	case t.tuple != nil:
		return &typ{kind: tuple, args: p.all(t.tuple)}
	case t.slice:
		return externalOf("[]", p.all(t.args)...)
	case t.self != nil:
		base := p.typeOf(t.self)
		if len(t.path) == 0 {
			return base
		}
		return p.assocType(base, t.path[len(t.path)-1])
	case len(t.path) == 0:
		return unknownType
	}
	var base *typ
	switch head := t.path[0]; {
	case head == "Self":
		base = p.selfType()
	case len(t.path) == 1 && isPrimitive(head):
		return externalOf(head)
	default:
		base = p.variable(head)
	}
	if base != nil {
		for _, name := range t.path[1:] {
			base = p.assocType(base, name)
		}
		return base
	}
	n := p.r.path(p.doc, p.sym, t.path, p.uses)
	types := p.r.typesOf(n.defs)
	if len(types) == 0 {
		out := externalOf(t.path[len(t.path)-1], p.all(t.args)...)
		for _, a := range t.assoc {
			if a.name == "Item" || a.name == "Output" {
				out.args = []*typ{p.typeOf(a.text)}
			}
		}
		if t.result != nil {
			out = externalOf("fn", p.typeOf(t.result))
			out.args = append(out.args, p.all(t.args)...)
		}
		return out
	}
	if len(types) == 1 || len(types) > maxVariants {
		// A variant from outside may stand beside the one of the revision.
		return weakenedIf(p.named(types[0], t), len(types) > 1 || n.outside)
	}
	// Variants for platforms or features: what each of them has.
	out := &typ{kind: variable, def: noDef, via: viaDeclared, weak: n.outside}
	for _, d := range types {
		out.bounds = append(out.bounds, p.named(d, t))
	}
	return out
}

// maxVariants bounds how many definitions of one name count as variants of a
// type.
const maxVariants = 4

func (p place) all(list []*text) []*typ {
	out := make([]*typ, 0, len(list))
	for _, t := range list {
		out = append(out, p.typeOf(t))
	}
	return out
}

// named is the type of a definition with the arguments of an expression.
func (p place) named(d def, t *text) *typ {
	s := p.r.symbol(d)
	switch s.Kind {
	case facts.KindEnumMember:
		return &typ{kind: instance, def: def{d.doc, s.Parent}, via: viaDeclared}
	case facts.KindType:
		if s.Flags&facts.Abstract != 0 {
			return p.deeper(d).abstract(d)
		}
		out := p.deeper(d).typeOf(p.r.typeText(s.Type))
		if params := p.r.ownParams(d); len(params) > 0 && len(t.args) > 0 {
			out = substitute(out, d, bindAll(params, p.all(t.args)), 0)
		}
		return out
	}
	out := &typ{kind: instance, def: d, args: p.all(t.args), via: viaDeclared}
	for _, a := range t.assoc {
		out.assoc = append(out.assoc, assoc{a.name, p.typeOf(a.text)})
	}
	return out
}

// abstract is an associated type of a trait: what its bounds have.
func (p place) abstract(d def) *typ {
	s := p.r.symbol(d)
	_, bounds, ok := strings.Cut(s.Signature, s.Name+":")
	if !ok {
		return externalType
	}
	bounds, _, _ = strings.Cut(bounds, " where ")
	b := &typeParser{s: bounds}
	out := &typ{kind: variable, def: noDef}
	for _, t := range b.bounds(0) {
		out.bounds = append(out.bounds, p.typeOf(t))
	}
	return out
}

// selfType is what Self stands for at a place.
func (p place) selfType() *typ {
	f := p.r.file(p.doc)
	p.uses.Doc(int(p.doc))
	for s := p.sym; s >= 0; s = f.Symbols[s].Parent {
		d := def{p.doc, s}
		if isOwned(f, s) {
			h := p.r.header(f.Symbols[s].Init)
			in := place{p.r, p.doc, s, p.uses, p.depth + 1}
			// The type of an impl block cannot speak of itself.
			if len(h.self.path) > 0 && h.self.path[0] == "Self" {
				return unknownType
			}
			return in.typeOf(h.self)
		}
		switch f.Symbols[s].Kind {
		case facts.KindInterface:
			return &typ{kind: variable, def: d, name: "Self", bounds: []*typ{p.r.own(d)}, via: viaSelf}
		case facts.KindStruct, facts.KindEnum:
			return p.r.own(d)
		}
	}
	return unknownType
}

// own is the type of a definition inside itself: its parameters stand for
// themselves.
func (r *Resolver) own(d def) *typ {
	t := &typ{kind: instance, def: d, via: viaSelf}
	for _, q := range r.ownParams(d) {
		t.args = append(t.args, &typ{kind: variable, def: d, name: q.name})
	}
	return t
}

// variable is the type parameter that a name means at a place, or nil.
func (p place) variable(name string) *typ {
	f := p.r.file(p.doc)
	for s := p.sym; s >= 0; s = f.Symbols[s].Parent {
		list := p.r.ownParams(def{p.doc, s})
		if isOwned(f, s) {
			h := p.r.header(f.Symbols[s].Init)
			list = append(list[:len(list):len(list)], h.params...)
		}
		for _, q := range list {
			if q.name != name {
				continue
			}
			out := &typ{kind: variable, def: def{p.doc, s}, name: name}
			if p.depth < maxTypeDepth {
				in := place{p.r, p.doc, s, p.uses, p.depth + 1}
				for _, b := range q.bounds {
					// A bound that names its own parameter is not followed there.
					out.bounds = append(out.bounds, in.typeOf(b))
				}
			}
			return out
		}
		if isFunction(f.Symbols[s].Kind) && f.Symbols[s].Parent >= 0 && isFunction(f.Symbols[f.Symbols[s].Parent].Kind) {
			return nil // functions inside functions do not see their parameters
		}
	}
	return nil
}

// typesOf are those definitions that can be a type.
func (r *Resolver) typesOf(list []def) []def {
	var out []def
	for _, d := range list {
		if d.sym >= 0 && (isType(r.symbol(d).Kind) || r.symbol(d).Kind == facts.KindEnumMember) {
			out = append(out, d)
		}
	}
	return out
}

// binding is the type that a parameter has.
type binding struct {
	name string
	typ  *typ
}

func bindAll(params []param, args []*typ) []binding {
	var out []binding
	for i, q := range params {
		if i < len(args) {
			out = append(out, binding{q.name, args[i]})
		}
	}
	return out
}

// substitute puts types in the place of the parameters of a definition.
func substitute(t *typ, owner def, with []binding, depth int) *typ {
	if depth > maxTypeDepth || len(with) == 0 {
		return t
	}
	if t.kind == variable && t.def == owner {
		for _, b := range with {
			if b.name == t.name && known(b.typ) {
				return weakenedIf(b.typ, t.weak)
			}
		}
	}
	change := false
	list := func(in []*typ) []*typ {
		out := make([]*typ, len(in))
		for i := range in {
			out[i] = substitute(in[i], owner, with, depth+1)
			change = change || out[i] != in[i]
		}
		return out
	}
	args, bounds := list(t.args), list(t.bounds)
	if !change {
		return t
	}
	c := *t
	c.args, c.bounds = args, bounds
	return &c
}

// unify reads the types of parameters of a definition off a type that stands
// where an expression with them does.
func unify(pattern, t *typ, owner def, out []binding, depth int) []binding {
	switch {
	case depth > maxTypeDepth || !known(t) || pattern == nil:
	case pattern.kind == variable && pattern.def == owner:
		out = append(out, binding{pattern.name, t})
	case pattern.kind == t.kind && pattern.def == t.def && len(pattern.args) == len(t.args) && (pattern.kind != external || pattern.name == t.name):
		for i := range pattern.args {
			out = unify(pattern.args[i], t.args[i], owner, out, depth+1)
		}
	}
	return out
}

// forget makes what is left of the parameters of a called function unknown: the
// arguments would tell.
func forget(t *typ, owner def, depth int) *typ {
	if depth > maxTypeDepth {
		return t
	}
	if t.kind == variable && t.def == owner && t.name != "Self" {
		return unknownType
	}
	for i := range t.args {
		if a := forget(t.args[i], owner, depth+1); a != t.args[i] {
			c := *t
			c.args = append([]*typ(nil), t.args...)
			c.args[i] = a
			t = &c
		}
	}
	return t
}

func isPrimitive(name string) bool {
	switch name {
	case "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64":
		return true
	}
	return false
}
