package script

import "slices"

// typeKind is the form of a type.
type typeKind uint8

const (
	typeExternal  typeKind = iota + 1 // known to lead outside: nothing inside is a member of it
	typeInstance                      // of a class, interface, enum or an alias of an object type
	typeClass                         // the class or enum itself
	typeFunction                      // a function that is a definition
	typeSignature                     // a function that is a type expression
	typeModule                        // what a document exports
	typeNamespace
	typeObject  // an object type as it is written
	typeResult  // an object literal that a function, at, gives
	typeValue   // an object literal that is the value of a definition
	typeList    // arrays, sets, iterators: args[0] is the element, or all of a tuple
	typePromise // args[0] is what is promised
	typeMap     // args[0] and args[1] are key and value
	typeUnion
	typeIntersection
	typeParameter // at, name; args[0] is its constraint or nil
	typeBuiltin   // a method of the language: name of self
	typeKey       // a literal string: name
)

// typ is a type. The nil type is one that nobody knows. Types are never changed
// once they are made.
type typ struct {
	kind typeKind
	// at is the definition of instances, classes, functions, namespaces and
	// values, the definition whose text an object type or a signature stands in,
	// or the definition of a type parameter; at.doc is the document of a module.
	at   ref
	name string
	args []*typ
	// expr, place and bound are of what is a type expression still: bound are
	// the types of type parameters in it.
	expr  *expr
	place place
	bound []binding
	// self is what this is in a function, and the receiver of a builtin.
	self *typ
	// likely: a rule that can be wrong was needed to find it.
	likely bool
	// partial: a value can be something else as well: null, undefined, something
	// outside.
	partial bool
	// without are names of members that are taken away, as by Omit.
	without []string
}

// binding is what stands for a type parameter.
type binding struct {
	at   ref
	name string
	typ  *typ
}

var external = &typ{kind: typeExternal}

// unlikely marks a type as found by a rule that can be wrong.
func unlikely(t *typ) *typ {
	if t == nil || t.likely {
		return t
	}
	c := *t
	c.likely = true
	return &c
}

// optional marks a type whose value can be missing.
func optional(t *typ) *typ {
	if t == nil || t.partial {
		return t
	}
	c := *t
	c.partial = true
	return &c
}

// omitting takes the members away that a type of literal strings names.
func omitting(t, keys *typ) *typ {
	if t == nil || keys == nil {
		return t
	}
	all := []*typ{keys}
	if keys.kind == typeUnion {
		all = keys.args
	}
	var names []string
	for _, k := range all {
		if k.kind != typeKey {
			return t
		}
		names = append(names, k.name)
	}
	return omittingNames(t, names)
}

func omittingNames(t *typ, names []string) *typ {
	if t == nil || len(names) == 0 || t.kind == typeExternal {
		return t
	}
	c := *t
	c.without = append(slices.Clone(t.without), names...)
	return &c
}

func listOf(t *typ) *typ { return &typ{kind: typeList, args: []*typ{t}} }

// maxParts bounds the parts of a union.
const maxParts = 64

// union joins types; what is unknown or external adds nothing.
func union(kind typeKind, parts []*typ) *typ {
	var out []*typ
	outside := false
	likely := false
	for _, t := range parts {
		switch {
		case t == nil:
		case t.kind == typeExternal || t.kind == typeKey && kind == typeIntersection:
			outside = true
		case t.kind == kind:
			likely = likely || t.likely
			outside = outside || t.partial
			for _, u := range t.args {
				out = addPart(out, u)
			}
		default:
			out = addPart(out, t)
		}
		if len(out) > maxParts {
			break
		}
	}
	partial := outside && kind == typeUnion
	switch {
	case len(out) == 1:
		t := out[0]
		if likely {
			t = unlikely(t)
		}
		if partial {
			t = optional(t)
		}
		return t
	case len(out) > 0:
		return &typ{kind: kind, args: out, likely: likely, partial: partial}
	case outside:
		return external
	}
	return nil
}

func addPart(out []*typ, t *typ) []*typ {
	for _, o := range out {
		if o == t || o.kind == t.kind && o.at == t.at && o.name == t.name && o.expr == t.expr && len(o.args) == 0 && len(t.args) == 0 && slices.Equal(o.without, t.without) {
			return out
		}
	}
	return append(out, t)
}

// subst puts types in the place of type parameters.
func subst(t *typ, bound []binding) *typ { return substAt(t, bound, 0) }

func substAt(t *typ, bound []binding, depth int) *typ {
	if t == nil || len(bound) == 0 || depth > 12 {
		return t
	}
	switch t.kind {
	case typeParameter:
		for i := range bound {
			if b := &bound[i]; b.at == t.at && b.name == t.name {
				if b.typ == nil {
					return t
				}
				found := omittingNames(b.typ, t.without)
				if t.likely {
					return unlikely(found)
				}
				return found
			}
		}
		return t
	case typeObject, typeSignature:
		c := *t
		c.bound = rebound(t.bound, bound, depth)
		if t.self != nil {
			c.self = substAt(t.self, bound, depth+1)
		}
		return &c
	case typeFunction, typeBuiltin:
		c := *t
		c.bound = rebound(t.bound, bound, depth)
		c.self = substAt(t.self, bound, depth+1)
		c.args = substAll(t.args, bound, depth)
		return &c
	case typeInstance, typeList, typePromise, typeMap, typeClass:
		args := substAll(t.args, bound, depth)
		if slices.Equal(args, t.args) {
			return t
		}
		c := *t
		c.args = args
		return &c
	case typeUnion, typeIntersection:
		args := substAll(t.args, bound, depth)
		if slices.Equal(args, t.args) {
			return t
		}
		u := omittingNames(union(t.kind, args), t.without)
		if t.likely {
			u = unlikely(u)
		}
		if t.partial {
			u = optional(u)
		}
		return u
	}
	return t
}

func substAll(args []*typ, bound []binding, depth int) []*typ {
	if len(args) == 0 {
		return nil
	}
	out := args
	for i, a := range args {
		s := substAt(a, bound, depth+1)
		if s == a {
			continue
		}
		if &out[0] == &args[0] {
			out = slices.Clone(args)
		}
		out[i] = s
	}
	return out
}

// rebound is what is bound inside with what is bound outside added.
func rebound(inside, outside []binding, depth int) []binding {
	if len(inside) == 0 {
		return outside
	}
	if len(outside) == 0 {
		return inside
	}
	out := make([]binding, 0, len(inside)+len(outside))
	for _, b := range inside {
		out = append(out, binding{b.at, b.name, substAt(b.typ, outside, depth+1)})
	}
outer:
	for _, b := range outside {
		for _, o := range inside {
			if o.at == b.at && o.name == b.name {
				continue outer
			}
		}
		out = append(out, b)
	}
	if len(out) > 32 {
		out = out[:32]
	}
	return out
}

// lists are the names of the language's types that hold elements.
var lists = map[string]bool{
	"Array": true, "ReadonlyArray": true, "Set": true, "ReadonlySet": true, "WeakSet": true, "Iterable": true, "IterableIterator": true,
	"Iterator": true, "ArrayLike": true, "Generator": true, "AsyncIterable": true, "AsyncGenerator": true, "AsyncIterableIterator": true, "NodeListOf": true,
	"HTMLCollectionOf": true, "ConcatArray": true,
}

// passing are the names of the language's types whose members are those of
// their first argument.
var passing = map[string]bool{
	"Partial": true, "Required": true, "Readonly": true, "Pick": true, "NonNullable": true, "Extract": true, "Exclude": true,
	"NoInfer": true, "ThisType": true, "DeepReadonly": true, "DeepPartial": true, "WeakRef": false,
}

// wrapping are the names of well-known types of libraries (type-fest,
// utility-types, ts-essentials) whose members are those of their first argument,
// omits those that leave some of them out, overriding those whose members are
// those of both.
var (
	wrapping = map[string]bool{
		"Simplify": true, "SimplifyDeep": true, "SetOptional": true, "SetRequired": true, "SetNonNullable": true, "SetReadonly": true,
		"PartialDeep": true, "RequiredDeep": true, "ReadonlyDeep": true, "Writable": true, "WritableDeep": true, "Mutable": true, "Prettify": true,
		"RequireAtLeastOne": true, "RequireExactlyOne": true, "RequireAllOrNone": true, "RequireOneOrNone": true, "PickDeep": true, "OmitDeep": true,
		"DeepPartial": true, "DeepReadonly": true, "DeepRequired": true, "DeepWritable": true, "MarkOptional": true, "MarkRequired": true,
		"StrictExtract": true, "Optional": true, "DistributedPick": true, "ConditionalPick": true,
	}
	omits      = map[string]bool{"Except": true, "StrictOmit": true, "DistributedOmit": true}
	overriding = map[string]bool{"Merge": true, "MergeDeep": true, "Overwrite": true, "Assign": true, "OverrideProperties": true}
)
