package jvm

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// kind is what sort of value an expression gives.
type kind uint8

const (
	unknown   kind = iota // nobody knows
	external              // something from outside of the revision, by its name
	basic                 // a number or truth value; name says which
	null                  // null
	lambda                // a lambda or method reference
	instance              // an instance of a class
	classOf               // a class itself
	anonymous             // an instance of an anonymous class of the file at hand
	packageOf             // a package, or what may be one
	arrayOf               // args[0] is the element
	variable              // a type parameter: the n-th of def
)

// typ is a type as far as it matters here. It is never changed once made.
type typ struct {
	kind kind
	def  def
	args []*typ
	name string // of external, basic, packageOf
	n    int
	// base is what an anonymous class extends.
	base *typ
	// super tells that members are looked for behind the class itself.
	super bool
	// via names how the type was learned, for the rule of edges that use it.
	via string
	// weak tells that a step on the way may be wrong.
	weak   bool
	weight int
}

var (
	unknownType  = &typ{kind: unknown}
	externalType = &typ{kind: external}
	nullType     = &typ{kind: null}
	lambdaType   = &typ{kind: lambda}
	stringType   = &typ{kind: external, name: "String"}
	numberType   = &typ{kind: basic, name: "0"}
	booleanType  = &typ{kind: basic, name: "boolean"}
)

func known(t *typ) bool { return t.kind != unknown }

// some is an answer that may have been cut short: then nothing is known.
func some(t *typ) *typ {
	if t == nil {
		return unknownType
	}
	return t
}

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

func learned(t *typ, via string) *typ {
	if t.via == via || t.kind != instance && t.kind != classOf {
		return t
	}
	c := *t
	c.via = via
	return &c
}

// maxWeight bounds of how many types one type is made.
const maxWeight = 64

// with gives a type arguments; of too many nothing is kept.
func with(t *typ, args []*typ) *typ {
	weight := 1
	for _, a := range args {
		weight += max(1, a.weight)
	}
	c := *t
	c.args, c.weight = args, weight
	if weight > maxWeight {
		c.args, c.weight = nil, 0
	}
	return &c
}

func array(t *typ) *typ { return with(&typ{kind: arrayOf}, []*typ{t}) }

func same(a, b *typ) bool {
	if a == b {
		return true
	}
	return a.kind == b.kind && a.def == b.def && a.name == b.name && a.n == b.n && slices.EqualFunc(a.args, b.args, same)
}

// subst puts arguments in the place of the type parameters of a definition.
func subst(t *typ, owner def, args []*typ) *typ {
	return substitute(t, owner, args, 0)
}

func substitute(t *typ, owner def, args []*typ, depth int) *typ {
	if depth > maxTypeDepth {
		return t
	}
	if t.kind == variable {
		if t.def == owner && t.n < len(args) && known(args[t.n]) {
			return args[t.n]
		}
		return t
	}
	if len(t.args) == 0 || len(args) == 0 {
		return t
	}
	list := make([]*typ, len(t.args))
	changed := false
	for i, a := range t.args {
		list[i] = substitute(a, owner, args, depth+1)
		changed = changed || list[i] != a
	}
	if !changed {
		return t
	}
	return with(t, list)
}

// erased is the bound of a type parameter, and any other type itself.
func (r *Resolver) erased(t *typ, uses *edges.Uses) *typ {
	for range maxTypeDepth {
		if t.kind != variable {
			return t
		}
		list := r.typeParams(t.def)
		if t.n >= len(list) || list[t.n].bound == "" {
			return externalType
		}
		uses.Doc(int(t.def.doc))
		t = learned(r.typeOf(t.def.doc, t.def.sym, list[t.n].bound, uses), viaBound)
	}
	return unknownType
}

// own is the type of a class inside itself: its parameters stand for themselves.
func (r *Resolver) own(d def, via string) *typ {
	t := &typ{kind: instance, def: d, via: via}
	for i := range r.typeParams(d) {
		t.args = append(t.args, &typ{kind: variable, def: d, n: i})
	}
	return t
}

// typeOf is the type that an expression names inside a definition.
func (r *Resolver) typeOf(doc, sym int32, s string, uses *edges.Uses) *typ {
	return r.typeFrom(doc, sym, r.typeText(s), uses)
}

func (r *Resolver) typeFrom(doc, sym int32, t text, uses *edges.Uses) *typ {
	if t.dims > 0 {
		dims := t.dims
		t.dims = 0
		out := r.typeFrom(doc, sym, t, uses)
		for range min(dims, maxTypeDepth) {
			out = array(out)
		}
		return out
	}
	if len(t.path) == 0 {
		return externalType
	}
	last := t.path[len(t.path)-1]
	if len(t.path) == 1 {
		if isPrimitive(last) {
			return &typ{kind: basic, name: last}
		}
		if v := r.typeVariable(doc, sym, last, uses); v != nil {
			return v
		}
	}
	var args []*typ
	for _, a := range t.args {
		args = append(args, r.typeFrom(doc, sym, a, uses))
	}
	if last == "Array" && len(args) == 1 {
		return array(args[0])
	}
	defs := r.typePath(doc, sym, t.path, uses)
	if len(defs) == 0 {
		return with(&typ{kind: external, name: last}, args)
	}
	d := defs[0]
	if s := r.symbol(d); s.Kind == facts.KindType {
		if d.doc == doc && d.sym == sym {
			return externalType
		}
		return some(r.types.Get(d, uses, func(uses *edges.Uses) *typ {
			uses.Doc(int(d.doc))
			return r.typeOf(d.doc, s.Parent, s.Type, uses)
		}))
	}
	return weakenedIf(with(&typ{kind: instance, def: d, via: viaDeclared}, args), len(defs) > 1)
}

// typeVariable is the type parameter that a name means inside a definition.
func (r *Resolver) typeVariable(doc, sym int32, name string, uses *edges.Uses) *typ {
	f := r.file(doc)
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		for i, p := range r.typeParams(def{doc, s}) {
			if p.name == name {
				uses.Doc(int(doc))
				return &typ{kind: variable, def: def{doc, s}, n: i}
			}
		}
	}
	return nil
}

func isPrimitive(name string) bool {
	switch name {
	case "int", "long", "short", "byte", "char", "float", "double", "boolean", "void",
		"Int", "Long", "Short", "Byte", "Char", "Float", "Double", "Boolean", "Unit":
		return true
	}
	return false
}
