package cfamily

import (
	"slices"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxClosure bounds how many files one file is taken to include.
const maxClosure = 4000

// closure is a file with all that it includes, directly or not.
type closure struct {
	docs []int32 // sorted
	key  string
}

func (c *closure) has(doc int32) bool {
	_, ok := slices.BinarySearch(c.docs, doc)
	return ok
}

func (r *Resolver) closureOf(doc int32) *closure {
	if c := r.closures[doc]; c != nil {
		return c
	}
	c := &closure{docs: []int32{doc}, key: includeKey + r.p.Files[doc].Path}
	seen := map[int32]bool{doc: true}
	for i := 0; i < len(c.docs) && len(c.docs) < maxClosure; i++ {
		for _, d := range r.included(c.docs[i]) {
			if !seen[d] {
				seen[d] = true
				c.docs = append(c.docs, d)
			}
		}
	}
	slices.Sort(c.docs)
	r.closures[doc] = c
	return c
}

// included are the files that the clauses of a file lead to.
func (r *Resolver) included(doc int32) []int32 {
	if r.outlines[doc] == nil {
		return nil
	}
	var out []int32
	add := func(d int32) {
		if d >= 0 && r.outlines[d] != nil {
			out = append(out, d)
		}
	}
	for _, t := range r.p.Targets[doc] {
		add(int32(t.Doc))
	}
	return out
}

// visible is what a file sees.
func (r *Resolver) visible(doc int32, uses *edges.Uses) *closure {
	c := r.closureOf(doc)
	uses.Key(c.key)
	return c
}
