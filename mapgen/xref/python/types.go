package python

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// kind is what sort of value an expression gives.
type kind uint8

const (
	unknown  kind = iota // nobody knows
	external             // something from outside of the revision
	none
	basic      // a string, a number or the like
	moduleOf   // a module
	classOf    // a class itself
	instanceOf // an instance of a class
	functionOf // functions; recv is what they are bound to
	iterableOf // args[0] is what iteration and subscripts give
	mappingOf  // args: key, value
	tupleOf    // args: the parts
	callableOf // args[0] is what a call gives
	awaitable  // args[0] is what awaiting gives
	superOf    // the classes behind def in the order of recv
	boxOf      // args[0] is what get() gives
	selfType   // an instance of the receiver, not known yet
	unionOf    // args: any one of them
)

// typ is a type as far as it matters here. It is never changed once made.
type typ struct {
	kind   kind
	def    def   // class
	defs   []def // functions
	module module
	args   []*typ
	recv   *typ
	weight int // of how many types it is made, 0 for one
	// via names how the type was learned, for the rule of edges that use it.
	via string
	// ordered tells of a union that the first alternative with a member counts.
	ordered bool
	// weak tells that a step on the way may be wrong at run time.
	weak bool
}

var (
	unknownType  = &typ{kind: unknown}
	externalType = &typ{kind: external}
	noneType     = &typ{kind: none}
	basicType    = &typ{kind: basic}
)

func instance(class def, via string) *typ { return &typ{kind: instanceOf, def: class, via: via} }

func classType(class def) *typ { return &typ{kind: classOf, def: class, via: viaClass} }

// maxWeight bounds how many types one type is made of.
const maxWeight = 64

// container is a type made of others; nothing is known of one that is made of
// too many.
func container(k kind, args ...*typ) *typ {
	weight := 1
	for _, a := range args {
		weight += max(1, a.weight)
	}
	if weight > maxWeight {
		return unknownType
	}
	return &typ{kind: k, args: args, weight: weight}
}

func known(t *typ) bool { return t.kind != unknown }

// some is an answer that may have been cut short: then nothing is known.
func some(t *typ) *typ {
	if t == nil {
		return unknownType
	}
	return t
}

// weakened marks a type as uncertain.
func weakened(t *typ) *typ {
	if t.weak || t.kind <= basic {
		return t
	}
	c := *t
	c.weak = true
	return &c
}

// learned says anew how a type was learned.
func learned(t *typ, via string) *typ {
	switch t.kind {
	case instanceOf, classOf:
		if t.via != via {
			c := *t
			c.via = via
			return &c
		}
	case unionOf, iterableOf, mappingOf, tupleOf, awaitable, callableOf:
		c := *t
		c.args = make([]*typ, len(t.args))
		for i, a := range t.args {
			c.args[i] = learned(a, via)
		}
		return &c
	}
	return t
}

// same tells whether two types lead to the same members.
func same(a, b *typ) bool {
	if a == b {
		return true
	}
	if a.kind != b.kind || a.def != b.def || a.module != b.module || len(a.args) != len(b.args) || !slices.Equal(a.defs, b.defs) {
		return false
	}
	for i := range a.args {
		if !same(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// maxUnion caps the alternatives that are kept.
const maxUnion = 16

// union is any one of some types. None is left out: nothing is asked of it.
func union(list ...*typ) *typ {
	var parts []*typ
	var add func(t *typ)
	add = func(t *typ) {
		if t == nil || t.kind == none {
			return
		}
		if t.kind == unionOf {
			for _, a := range t.args {
				add(a)
			}
			return
		}
		for i, p := range parts {
			if same(p, t) {
				if p.weak && !t.weak {
					parts[i] = t
				}
				return
			}
		}
		if len(parts) < maxUnion {
			parts = append(parts, t)
		}
	}
	for _, t := range list {
		add(t)
	}
	switch len(parts) {
	case 0:
		return noneType
	case 1:
		return parts[0]
	}
	return container(unionOf, parts...)
}

// preferring is the first of some types, or, for what that lacks, one of the
// others: a variable that has been given several values.
func preferring(list []*typ) *typ {
	t := union(list...)
	if t.kind != unionOf {
		return weakened(t)
	}
	c := *t
	c.ordered, c.weak = true, true
	return &c
}

// maxNesting bounds how deep types are looked into.
const maxNesting = 12

// bound puts the receiver in the place of Self.
func bound(t, recv *typ, depth int) *typ {
	if t == nil || depth > maxNesting {
		return unknownType
	}
	if t.kind == selfType {
		if recv == nil {
			return unknownType
		}
		switch recv.kind {
		case classOf:
			return &typ{kind: instanceOf, def: recv.def, via: viaResult, weak: recv.weak}
		case superOf:
			if recv.recv != nil {
				return bound(t, recv.recv, depth+1)
			}
		}
		return learned(recv, viaResult)
	}
	if !mentionsSelf(t, 0) {
		return t
	}
	c := *t
	c.args = make([]*typ, len(t.args))
	for i, a := range t.args {
		c.args[i] = bound(a, recv, depth+1)
	}
	if c.kind == unionOf {
		return union(c.args...)
	}
	return &c
}

func mentionsSelf(t *typ, depth int) bool {
	return t.kind == selfType || depth < maxNesting && slices.ContainsFunc(t.args, func(a *typ) bool { return mentionsSelf(a, depth+1) })
}

// iterated is what iteration over a value gives.
func (r *Resolver) iterated(t *typ, uses *edges.Uses) *typ {
	switch t.kind {
	case external, basic:
		return externalType
	case iterableOf, mappingOf:
		return t.args[0]
	case tupleOf:
		return union(t.args...)
	case instanceOf:
		switch got := r.called(r.attributeOf(t, "__iter__", uses), uses); got.kind {
		case unknown:
			if base := r.containerBase(t.def, uses); base != nil {
				return base.args[0]
			}
			return r.called(r.attributeOf(t, "__getitem__", uses), uses)
		case iterableOf:
			return got.args[0]
		default:
			return r.called(r.attributeOf(got, "__next__", uses), uses)
		}
	case classOf:
		if r.symbol(t.def).Kind == facts.KindEnum {
			return instance(t.def, viaElement)
		}
	case unionOf:
		return r.each(t, func(a *typ) *typ { return r.unless(a, r.iterated(a, uses), uses, "__iter__", "__getitem__") })
	}
	return unknownType
}

// subscripted is what a subscript of a value gives.
func (r *Resolver) subscripted(t *typ, uses *edges.Uses) *typ {
	switch t.kind {
	case external, basic:
		return externalType
	case iterableOf:
		return t.args[0]
	case mappingOf:
		return t.args[1]
	case tupleOf:
		return weakened(union(t.args...))
	case classOf:
		return t // a generic class, or a member of an enum by name
	case instanceOf:
		if got := r.called(r.attributeOf(t, "__getitem__", uses), uses); known(got) && got.kind != external {
			return got
		}
		if base := r.containerBase(t.def, uses); base != nil {
			return r.subscripted(base, uses)
		}
	case unionOf:
		return r.each(t, func(a *typ) *typ { return r.unless(a, r.subscripted(a, uses), uses, "__getitem__") })
	}
	return unknownType
}

// part is one of the parts into which a value is taken apart.
func (r *Resolver) part(t *typ, n int, uses *edges.Uses) *typ {
	if t.kind == tupleOf {
		if n < len(t.args) {
			return t.args[n]
		}
		return unknownType
	}
	if t.kind == unionOf {
		return r.each(t, func(a *typ) *typ { return r.unless(a, r.part(a, n, uses), uses, "__iter__", "__getitem__") })
	}
	return r.iterated(t, uses)
}

func awaited(t *typ) *typ {
	if t.kind == awaitable {
		return t.args[0]
	}
	return t
}

// each applies a step to the alternatives of a union; those of which nothing is
// known make the rest uncertain.
func (r *Resolver) each(t *typ, step func(*typ) *typ) *typ {
	var parts []*typ
	lost := false
	for _, a := range t.args {
		if got := step(a); known(got) {
			parts = append(parts, got)
		} else {
			lost = true
		}
	}
	if len(parts) == 0 {
		return unknownType
	}
	got := union(parts...)
	if lost {
		return weakened(got)
	}
	return got
}
