package csharp

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

// kind is what sort of value an expression gives.
type kind uint8

const (
	unknown   kind = iota // nobody knows
	external              // something from outside of the revision, by its name
	basic                 // a value of a type with a keyword; name says which
	null                  // null
	group                 // methods by their name, which a delegate can hold
	instance              // an instance of a class
	classOf               // a class itself
	namespace             // a namespace, or what may be one
	arrayOf               // args[0] is the element
	tuple                 // args are the elements, names their names
	variable              // a type parameter: the n-th of def
)

// typ is a type as far as it matters here. It is never changed once made.
type typ struct {
	kind  kind
	class int32
	args  []*typ
	names []string
	name  string // of external, basic, namespace
	// def and n are the owner and number of a type parameter. That of a class is
	// owned by its first part.
	def def
	n   int
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
	groupType    = &typ{kind: group}
	stringType   = &typ{kind: basic, name: "string"}
	intType      = &typ{kind: basic, name: "int"}
	boolType     = &typ{kind: basic, name: "bool"}
	voidType     = &typ{kind: basic, name: "void"}
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
		if c.kind == arrayOf || c.kind == tuple {
			return unknownType
		}
	}
	return &c
}

func array(t *typ) *typ { return with(&typ{kind: arrayOf}, []*typ{t}) }

func named(name string, args ...*typ) *typ { return with(&typ{kind: external, name: name}, args) }

func same(a, b *typ) bool {
	if a == b {
		return true
	}
	return a.kind == b.kind && a.class == b.class && a.def == b.def && a.name == b.name && a.n == b.n && slices.EqualFunc(a.args, b.args, same)
}

// subst puts arguments in the place of the type parameters of a definition.
func subst(t *typ, owner def, args []*typ) *typ { return substitute(t, owner, args, 0) }

func substitute(t *typ, owner def, args []*typ, depth int) *typ {
	if depth > maxTypeDepth {
		return t
	}
	if t.kind == variable {
		if t.def == owner && t.n < len(args) && known(args[t.n]) {
			return weakenedIf(args[t.n], t.weak)
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

// erased is the constraint of a type parameter, and any other type itself.
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

// owner is the definition that owns the type parameters of a class.
func (r *Resolver) owner(c int32) def { return r.classes[c].parts[0] }

// own is the type of a class inside itself: its parameters stand for themselves.
func (r *Resolver) own(c int32, via string) *typ {
	t := &typ{kind: instance, class: c, via: via}
	for i := range r.typeParams(r.owner(c)) {
		t.args = append(t.args, &typ{kind: variable, def: r.owner(c), n: i})
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
	if len(t.tuple) > 0 {
		args := make([]*typ, len(t.tuple))
		for i := range args {
			args[i] = r.typeFrom(doc, sym, t.tuple[i], uses)
		}
		return with(&typ{kind: tuple, names: t.names}, args)
	}
	if len(t.path) == 0 {
		return unknownType
	}
	last := t.path[len(t.path)-1]
	if len(t.path) == 1 && len(last.args) == 0 {
		if k := keyword(last.name); k != "" {
			return &typ{kind: basic, name: k}
		}
		if v := r.typeVariable(doc, sym, last.name, uses); v != nil {
			return v
		}
	}
	classes, guessed := r.typesOf(doc, sym, t.path, uses)
	if len(classes) == 0 {
		if k := systemType(last.name); k != "" && len(last.args) == 0 {
			return &typ{kind: basic, name: k}
		}
		if a, ok := r.env(doc, uses).aliases[last.name]; ok && len(t.path) == 1 && len(last.args) == 0 && a != last.name {
			if alias := r.typeText(a); len(alias.path) != 1 || len(alias.path[0].args) > 0 {
				return r.outsideType(doc, sym, alias, uses)
			}
		}
		return r.outsideType(doc, sym, t, uses)
	}
	var args []*typ
	for _, seg := range t.path {
		for _, a := range seg.args {
			args = append(args, r.typeFrom(doc, sym, a, uses))
		}
	}
	out := &typ{kind: instance, class: classes[0], via: viaDeclared}
	if n := len(r.typeParams(r.owner(classes[0]))); len(args) > n {
		args = args[len(args)-n:]
	}
	return weakenedIf(with(out, args), guessed || len(classes) > 1)
}

// outsideType is a type that the revision does not define.
func (r *Resolver) outsideType(doc, sym int32, t text, uses *edges.Uses) *typ {
	if len(t.path) == 0 {
		return externalType
	}
	last := t.path[len(t.path)-1]
	args := make([]*typ, len(last.args))
	for i, a := range last.args {
		args[i] = r.typeFrom(doc, sym, a, uses)
	}
	if last.name == "Nullable" && len(args) == 1 {
		return args[0]
	}
	return named(last.name, args...)
}

// typeVariable is the type parameter that a name means inside a definition.
func (r *Resolver) typeVariable(doc, sym int32, name string, uses *edges.Uses) *typ {
	f := r.file(doc)
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		for i, p := range r.typeParams(def{doc, s}) {
			if p.name != name {
				continue
			}
			uses.Doc(int(doc))
			owner := def{doc, s}
			if c, ok := r.classAt[owner]; ok {
				owner = r.owner(c)
				uses.Key(r.classes[c].key)
			}
			return &typ{kind: variable, def: owner, n: i}
		}
	}
	return nil
}

func keyword(name string) string {
	switch name {
	case "int", "long", "short", "byte", "sbyte", "uint", "ulong", "ushort", "char", "float", "double", "decimal", "bool", "string", "object", "void", "nint", "nuint", "dynamic":
		return name
	}
	return ""
}

// systemType is the keyword for a type of System.
func systemType(name string) string {
	switch name {
	case "Int32":
		return "int"
	case "Int64":
		return "long"
	case "Int16":
		return "short"
	case "UInt32":
		return "uint"
	case "UInt64":
		return "ulong"
	case "UInt16":
		return "ushort"
	case "Single":
		return "float"
	case "Boolean":
		return "bool"
	case "Byte", "SByte", "Char", "Double", "Decimal", "String", "Object":
		return strings.ToLower(name)
	}
	return ""
}
