package edges

import (
	"cmp"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
)

// Scopes finds what a name is bound to at a place of a file.
type Scopes struct {
	f *facts.File
	// bindings of each scope, in the order of their places.
	bindings [][]int32
	segments []segment
}

// NewScopes indexes the scopes and bindings of a file.
func NewScopes(f *facts.File) *Scopes {
	s := &Scopes{f: f, bindings: make([][]int32, len(f.Scopes)), segments: segmentsOf(f.Scopes)}
	for i := range f.Bindings {
		b := f.Bindings[i].Scope
		s.bindings[b] = append(s.bindings[b], int32(i))
	}
	for _, l := range s.bindings {
		slices.SortStableFunc(l, func(a, b int32) int { return int(f.Bindings[a].Start) - int(f.Bindings[b].Start) })
	}
	return s
}

// At is the innermost scope that holds an offset, or -1.
func (s *Scopes) At(offset uint32) int32 {
	i, found := slices.BinarySearchFunc(s.segments, offset, func(g segment, at uint32) int { return cmp.Compare(g.start, at) })
	if !found {
		i--
	}
	if i < 0 {
		return -1
	}
	return s.segments[i].scope
}

// segment is a run of bytes with one innermost scope; it reaches to the next.
type segment struct {
	start uint32
	scope int32
}

// segmentsOf cuts a file at the ends of its scopes.
func segmentsOf(scopes []facts.Scope) []segment {
	order := make([]int32, len(scopes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := scopes[a].Span, scopes[b].Span
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(y.End, x.End))
	})
	var out []segment
	var open []int32
	set := func(at uint32) {
		scope := int32(-1)
		if len(open) > 0 {
			scope = open[len(open)-1]
		}
		if n := len(out); n > 0 && out[n-1].start == at {
			out[n-1].scope = scope
			return
		}
		out = append(out, segment{at, scope})
	}
	closeUpTo := func(at uint32) {
		for len(open) > 0 && scopes[open[len(open)-1]].Span.End <= at {
			end := scopes[open[len(open)-1]].Span.End
			open = open[:len(open)-1]
			set(end)
		}
	}
	for _, i := range order {
		closeUpTo(scopes[i].Span.Start)
		open = append(open, i)
		set(scopes[i].Span.Start)
	}
	closeUpTo(1<<32 - 1)
	return out
}

// Lookup finds the binding that a name has in a scope or those around it. Within
// each the last one that starts before the offset counts, or, where hoisted is
// set, any one. It returns the index of the binding, or -1.
func (s *Scopes) Lookup(scope int32, name string, offset uint32, hoisted bool) int32 {
	for ; scope >= 0; scope = s.f.Scopes[scope].Parent {
		found := int32(-1)
		for _, i := range s.bindings[scope] {
			b := &s.f.Bindings[i]
			if b.Name != name {
				continue
			}
			if b.Start <= offset || hoisted && found < 0 {
				found = i
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}
