package golang

import "strings"

// What some generic types and functions of the standard library give back;
// without them a chain through one would lose the type that it was made for.

func (r *Resolver) externalRange(t *typ, n int) *typ {
	switch {
	case t.name == "iter.Seq" && n == 0 && len(t.args) == 1:
		return t.args[0]
	case t.name == "iter.Seq2" && n < len(t.args):
		return t.args[n]
	}
	return externalType
}

// externalGeneric tells names of the packages, and predeclared functions, that
// are known here.
func externalGeneric(name string) bool {
	if name == "min" || name == "max" {
		return true
	}
	for _, p := range []string{"slices", "maps", "iter", "cmp", "sync"} {
		if rest, ok := strings.CutPrefix(name, p); ok && (rest == "" || rest[0] == '.' || rest[0] == '/') {
			return true
		}
	}
	return false
}

// externalMember is the type of a member of an external package or type.
func externalMember(t *typ, name string) *typ {
	if t.pkg != nil || !externalGeneric(t.name) {
		return externalType
	}
	return &typ{kind: external, name: t.name + "." + name, args: t.args}
}

// externalCall is what a call of an external function gives.
func (r *Resolver) externalCall(t *typ, args []*typ) *typ {
	switch t.name {
	case "sync/atomic.Pointer.Load", "sync/atomic.Pointer.Swap":
		if len(t.args) == 1 {
			return &typ{kind: pointer, elem: t.args[0]}
		}
	}
	if len(args) == 0 {
		return externalType
	}
	first := args[0]
	u := r.under(first)
	switch t.name {
	case "slices.Clone", "slices.Clip", "slices.Compact", "slices.CompactFunc", "slices.Concat", "slices.Delete",
		"slices.DeleteFunc", "slices.Grow", "slices.Insert", "slices.Replace", "slices.Repeat", "slices.AppendSeq",
		"maps.Clone", "cmp.Or", "min", "max":
		return first
	case "sync.OnceValue", "sync.OnceValues":
		return first
	case "slices.Max", "slices.Min", "slices.MaxFunc", "slices.MinFunc":
		return r.index(first)
	case "slices.Values":
		if u.kind == slice {
			return sequence(u.elem)
		}
	case "slices.All", "slices.Backward":
		if u.kind == slice {
			return sequence(basicType, u.elem)
		}
	case "maps.Keys":
		if u.kind == mapping {
			return sequence(u.key)
		}
	case "maps.Values":
		if u.kind == mapping {
			return sequence(u.elem)
		}
	case "maps.All":
		if u.kind == mapping {
			return sequence(u.key, u.elem)
		}
	case "slices.Collect", "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc":
		if e := r.iterate(first, 0); e.kind != external && e.kind != unknown {
			return &typ{kind: slice, elem: e}
		}
	}
	return externalType
}

func sequence(of ...*typ) *typ {
	name := "iter.Seq"
	if len(of) == 2 {
		name = "iter.Seq2"
	}
	return &typ{kind: external, name: name, args: of}
}
