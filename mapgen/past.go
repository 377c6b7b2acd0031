package mapgen

import (
	"path"
	"strings"
)

// Renames finds the present name of files that old commits touched.
//
// A path that is gone is taken for the one document with the same base name
// that shares the most path components at its end, two at least. Git keeps no
// record of renames; this needs none and costs nothing.
type Renames struct {
	byPath map[string]int
	byBase map[string][]string
	known  map[string]int
}

// NewRenames knows the paths of the revision, which are numbered in order.
func NewRenames(paths []string) *Renames {
	r := &Renames{byPath: make(map[string]int, len(paths)), byBase: map[string][]string{}, known: map[string]int{}}
	for i, p := range paths {
		r.byPath[p] = i
		b := path.Base(p)
		r.byBase[b] = append(r.byBase[b], p)
	}
	return r
}

// Doc is the number of the document that a path became, or -1.
func (r *Renames) Doc(p string) int {
	if d, ok := r.byPath[p]; ok {
		return d
	}
	if d, ok := r.known[p]; ok {
		return d
	}
	best, tie, found := 1, false, ""
	for _, candidate := range r.byBase[path.Base(p)] {
		switch n := sharedTail(candidate, p); {
		case n > best:
			best, tie, found = n, false, candidate
		case n == best:
			tie = true
		}
	}
	d := -1
	if found != "" && !tie {
		d = r.byPath[found]
	}
	r.known[p] = d
	return d
}

// sharedTail counts the path components that two paths have in common at their
// ends.
func sharedTail(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] {
		n++
	}
	return n
}
