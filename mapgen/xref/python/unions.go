package python

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

// accessUnion finds an attribute of a value that is one of several. Where all
// alternatives that can have it lead to the same definition (classes with one
// base, or one class beside lists and strings), it does not matter which one it
// is. Else all count, or the first that has it, and which one is not sure.
func (r *Resolver) accessUnion(t *typ, name string, uses *edges.Uses) ([]hit, *typ) {
	var hits []hit
	var parts []*typ
	lost, weak := false, false
	for _, a := range t.args {
		found, v := r.access(a, name, uses)
		switch {
		case len(found) == 0 && r.lacks(a, name, uses):
			continue
		case len(found) == 0:
			weak = true
		}
		for _, h := range found {
			weak = weak || h.weak || h.byModule
		}
		if known(v) {
			parts = append(parts, v)
		} else {
			lost = true
		}
		hits = append(hits, found...)
		if t.ordered && weak && len(hits) > 0 {
			break
		}
	}
	alike := len(hits) > 0
	for _, h := range hits {
		alike = alike && slices.Equal(h.defs, hits[0].defs)
	}
	v := unknownType
	if len(parts) > 0 {
		v = union(parts...)
	}
	switch {
	case alike && !weak && (t.ordered || !t.weak):
		if lost {
			v = weakened(v)
		}
		return []hit{{defs: hits[0].defs, via: viaEvery}}, v
	case t.ordered && len(hits) > 0:
		hits[0].weak = true
		if hits = hits[:1]; len(parts) > 0 {
			v = parts[0]
		}
		return hits, weakened(v)
	}
	for i := range hits {
		hits[i] = hit{defs: hits[i].defs, via: viaUnion, weak: true}
	}
	if lost || t.ordered {
		v = weakened(v)
	}
	return hits, v
}

// lacks tells that a value certainly has no attribute of a name: a container or
// string for a name that none has, or a class that is known with all its bases.
func (r *Resolver) lacks(t *typ, name string, uses *edges.Uses) bool {
	switch t.kind {
	case iterableOf, mappingOf, tupleOf, callableOf, basic:
		return !common[name] && !ofBuiltins[name] && !strings.HasPrefix(name, "__")
	case instanceOf:
		m := r.classMember(t.def, noDef, name, uses)
		return len(m.defs) == 0 && !m.open && len(r.classMember(t.def, noDef, "__getattr__", uses).defs) == 0 && !strings.HasPrefix(name, "__")
	}
	return false
}

// unless is what a step gives for one alternative of a union: nothing, as None,
// where the value certainly does not allow it, which leaves the other
// alternatives as sure as they are.
func (r *Resolver) unless(t, got *typ, uses *edges.Uses, needs ...string) *typ {
	if known(got) || t.kind != instanceOf || r.containerBase(t.def, uses) != nil {
		return got
	}
	for _, name := range needs {
		if m := r.classMember(t.def, noDef, name, uses); len(m.defs) > 0 || m.open {
			return got
		}
	}
	return noneType
}
