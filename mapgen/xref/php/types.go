package php

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// kind is what sort of value an expression gives.
type kind uint8

const (
	unknown  kind = iota // nobody knows
	external             // something from outside of the revision
	basic                // a number, string, truth value, null, closure
	instance             // an instance of a class
	classOf              // a class itself
	// anonymous is an instance of the anonymous class of the file at hand whose
	// body is the scope n; args are its bases.
	anonymous
	arrayOf // args[0] is the element
	// late is static or $this, of a class or the trait def: the class of the
	// value that a member is of.
	late
	union    // of args
	callable // with args
	// variable is a type parameter of the class def, by its name.
	variable
)

// typ is a type as far as it matters here. It is never changed once made.
type typ struct {
	kind kind
	def  def
	args []*typ
	n    int32
	name string // of variable
	// open tells of a trait that the classes that use it are meant too.
	open bool
	// via names how the type was learned, for the rule of edges that use it.
	via string
	// weak tells that a step on the way may be wrong.
	weak   bool
	weight int
}

var (
	unknownType  = &typ{kind: unknown}
	externalType = &typ{kind: external}
	basicType    = &typ{kind: basic}
	arrayType    = array(unknownType)
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
	if t.via == via || t.kind != instance && t.kind != classOf && t.kind != union {
		return t
	}
	c := *t
	c.via = via
	return &c
}

// maxWeight bounds of how many types one type is made.
const maxWeight = 48

// with gives a type arguments; of too many nothing is kept.
func with(t *typ, args []*typ) *typ {
	weight := 1
	for _, a := range args {
		weight += max(1, a.weight)
	}
	c := *t
	c.args, c.weight = args, weight
	if weight > maxWeight {
		if t.kind == union || t.kind == arrayOf {
			return unknownType
		}
		c.args, c.weight = nil, 0
	}
	return &c
}

func array(t *typ) *typ { return with(&typ{kind: arrayOf}, []*typ{t}) }

func same(a, b *typ) bool {
	if a == b {
		return true
	}
	return a.kind == b.kind && a.def == b.def && a.n == b.n && a.name == b.name && slices.EqualFunc(a.args, b.args, same)
}

// either is a value of one of several types. What has no members of the revision
// says nothing, but that the value may be of nothing known.
func either(list []*typ) *typ {
	var out []*typ
	for _, t := range list {
		parts := []*typ{t}
		if t.kind == union {
			parts = t.args
		}
		for _, p := range parts {
			if p.kind != basic && !slices.ContainsFunc(out, func(o *typ) bool { return same(o, p) }) {
				out = append(out, p)
			}
		}
	}
	switch len(out) {
	case 0:
		return basicType
	case 1:
		return out[0]
	}
	return with(&typ{kind: union}, out)
}

// typeOf is the type that an expression names inside a definition.
func (r *Resolver) typeOf(doc, sym int32, s string, uses *edges.Uses) *typ {
	return r.typeFrom(doc, sym, r.typeText(s), uses)
}

func (r *Resolver) typeFrom(doc, sym int32, t text, uses *edges.Uses) *typ {
	var args []*typ
	if t.op != 0 || len(t.parts) > 0 {
		args = make([]*typ, len(t.parts))
		for i := range t.parts {
			args[i] = r.typeFrom(doc, sym, t.parts[i], uses)
		}
	}
	switch t.op {
	case '[':
		return array(args[0])
	case '(':
		return with(&typ{kind: callable}, args)
	case '|', '&':
		return either(collections(args))
	}
	switch lower := strings.ToLower(t.name); lower {
	case "", "mixed", "object", "*":
		return unknownType
	case "array", "iterable", "list", "non-empty-array", "non-empty-list":
		if len(args) == 0 {
			return arrayType
		}
		return array(args[len(args)-1])
	case "self", "static", "$this":
		c := r.classAround(doc, sym, uses)
		switch {
		case c == noDef:
			return unknownType
		case lower == "self" && !r.isTrait(c):
			return &typ{kind: instance, def: c, via: viaDeclared}
		}
		return &typ{kind: late, def: c}
	case "parent":
		c := r.classAround(doc, sym, uses)
		if c == noDef {
			return unknownType
		}
		return r.parentOf(c, uses)
	}
	if lower := strings.ToLower(t.name); lower == "class-string" || lower == "interface-string" {
		if len(args) == 1 {
			if a := r.erased(args[0], uses); a.kind == instance {
				return &typ{kind: classOf, def: a.def, via: viaClass, weak: true}
			}
		}
		return basicType
	}
	if isBasic(t.name) {
		return basicType
	}
	if c := r.classAround(doc, sym, uses); c != noDef && r.template(c, t.name) != nil {
		return &typ{kind: variable, def: c, name: t.name}
	}
	list := r.classes(doc, t.name, uses)
	if len(list) == 0 {
		switch strings.ToLower(lastPart(t.name)) {
		case "generator", "traversable", "iterator", "iteratoraggregate", "arrayiterator", "arrayobject", "splobjectstorage":
			if len(args) > 1 {
				return array(args[1])
			} else if len(args) == 1 {
				return array(args[0])
			}
		}
		return externalType
	}
	return weakenedIf(with(&typ{kind: instance, def: list[0], via: viaDeclared}, args), len(list) > 1)
}

// collections reads Collection|Item[] as documentation has meant it for long: a
// collection of such elements.
func collections(list []*typ) []*typ {
	if len(list) != 2 {
		return list
	}
	c, a := list[0], list[1]
	if c.kind == arrayOf {
		c, a = a, c
	}
	if c.kind != instance || a.kind != arrayOf || !known(a.args[0]) || len(c.args) > 0 {
		return list
	}
	return []*typ{with(c, a.args)}
}

// classAround is the innermost class that a definition stands in, or is.
func (r *Resolver) classAround(doc, sym int32, uses *edges.Uses) def {
	o := r.outline(doc, uses)
	f := o.f
	if owner, ok := o.owner[sym]; ok {
		return def{doc, owner}
	}
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		switch {
		case sortOf(&f.Symbols[s]) == ofClass:
			return def{doc, s}
		case f.Symbols[s].Kind == facts.KindMethod && (f.Symbols[s].Parent < 0 || sortOf(&f.Symbols[f.Symbols[s].Parent]) != ofClass):
			return noDef // of an anonymous class
		}
	}
	return noDef
}

// template is the type parameter of a class by a name, or nil.
func (r *Resolver) template(c def, name string) *facts.Param {
	s := r.symbol(c)
	for i := range s.Params {
		if s.Params[i].Name == name {
			return &s.Params[i]
		}
	}
	return nil
}

// erased is the bound of a type parameter, and any other type itself.
func (r *Resolver) erased(t *typ, uses *edges.Uses) *typ {
	for range maxTextDepth {
		if t.kind != variable {
			return t
		}
		uses.Doc(int(t.def.doc))
		p := r.template(t.def, t.name)
		if p == nil || p.Type == "" {
			return unknownType
		}
		t = weakenedIf(r.typeOf(t.def.doc, t.def.sym, p.Type, uses), t.weak)
	}
	return unknownType
}

// argument is what a value has for a type parameter. That the classes around its
// own have called it by the same name is likely.
func (r *Resolver) argument(recv *typ, name string) *typ {
	if recv.kind != instance || len(recv.args) == 0 {
		return nil
	}
	params := r.symbol(recv.def).Params
	for i := range params {
		// Of several, the first may be left out: Collection<Item>.
		if k := i + len(recv.args) - len(params); params[i].Name == name && k >= 0 && k < len(recv.args) {
			return weakened(recv.args[k])
		}
	}
	return nil
}

// own is a class inside itself.
func (r *Resolver) own(c def, via string) *typ {
	return &typ{kind: instance, def: c, via: via, open: r.isTrait(c)}
}

// place puts the value that a member is of in the place of static and $this.
func (r *Resolver) place(t, recv *typ, depth int) *typ {
	switch {
	case t.kind == variable:
		if a := r.argument(recv, t.name); a != nil {
			return a
		}
		return t
	case t.kind == late:
		switch recv.kind {
		case classOf:
			return &typ{kind: instance, def: recv.def, open: recv.open, weak: t.weak || recv.weak}
		case instance, anonymous, union:
			c := *recv
			c.via, c.weak = "", recv.weak || t.weak
			return &c
		}
		return unknownType
	case len(t.args) == 0 || depth > maxTextDepth:
		return t
	}
	args := make([]*typ, len(t.args))
	changed := false
	for i, a := range t.args {
		args[i] = r.place(a, recv, depth+1)
		changed = changed || args[i] != a
	}
	switch {
	case !changed:
		return t
	case t.kind == union:
		return either(args)
	}
	return with(t, args)
}

func isBasic(name string) bool {
	switch strings.ToLower(name) {
	case "int", "integer", "float", "double", "string", "bool", "boolean", "true", "false", "null", "void", "never", "resource", "callable", "numeric",
		"scalar", "array-key", "class-string", "interface-string", "enum-string", "callable-string", "numeric-string", "non-empty-string", "positive-int",
		"negative-int", "non-negative-int", "literal-string", "key-of", "value-of", "int-mask", "int-mask-of", "noreturn", "never-return", "no-return",
		"lowercase-string", "truthy-string", "non-falsy-string", "trait-string", "closed-resource", "open-resource":
		return true
	}
	return name != "" && name[0] >= '0' && name[0] <= '9' || strings.Contains(name, "::")
}
