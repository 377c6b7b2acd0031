package ruby

import (
	"slices"

	"github.com/project-map/project-map/mapgen/xref/edges"
)

const (
	// maxHeirs bounds how many classes that inherit from one are looked at.
	maxHeirs = 80
	// maxOfHeirs caps how many definitions a name may have among them to tell
	// something.
	maxOfHeirs = 5
)

// ofHeirs are the definitions of a method that a module or class calls on itself
// without having it: those that the classes have which it is mixed into or which
// inherit from it. There are none where they are too many.
func (r *Resolver) ofHeirs(class, name string, uses *edges.Uses) []def {
	return r.lower.Get(memberName{class, name}, uses, func(uses *edges.Uses) []def {
		var out []def
		for _, h := range r.heirsOf(class, uses) {
			for _, m := range r.search(r.order(h, uses), name, false, uses) {
				if !slices.Contains(out, m.def) {
					out = append(out, m.def)
				}
			}
			if len(out) > maxOfHeirs {
				return nil
			}
		}
		return out
	})
}

// heirsOf are the classes that inherit from a class or mix a module in, nearest
// first.
func (r *Resolver) heirsOf(class string, uses *edges.Uses) []string {
	queue := []string{class}
	seen := map[string]bool{class: true}
	var out []string
	for len(queue) > 0 && len(out) < maxHeirs {
		next := queue[0]
		queue = queue[1:]
		leaf := leafOf(next)
		uses.Key(heirsKey + leaf)
		for _, d := range r.heirs[leaf] {
			p := r.paths[d.doc][d.sym]
			if seen[p] {
				continue
			}
			for _, b := range r.basesOf(p, uses) {
				if b.how != "extend" && leafOf(b.name) == leaf && r.resolveBase(b, uses) == next {
					seen[p] = true
					queue = append(queue, p)
					out = append(out, p)
					break
				}
			}
			if len(out) >= maxHeirs {
				break
			}
		}
	}
	return out
}
