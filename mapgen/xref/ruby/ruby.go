// Package ruby resolves references of Ruby: from the uses of names to the
// definitions that they mean.
//
// Constants are followed as Ruby does: through the modules around a place, the
// ancestors of the innermost one, and the top level, over all files of the
// revision, for a class can be opened in any of them. Methods are followed
// through ancestors (superclasses, what is included, prepended, extended). What
// a value is tell constructions, plain results of methods, types in their
// documentation and, as a guess, names that are those of classes.
//
// The files follow the questions: tables.go says what definitions of the revision
// are called in full, constants.go what a constant means, classes.go what a class
// inherits and has for members, heirs.go what inherits from it, values.go what an
// expression gives, local.go what stands around a place, references.go and
// calls.go turn all that into edges, core.go knows names of the language's own
// classes, and rules.go says what each rule is worth.
package ruby

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const family = "ruby"

// def is a definition of the revision.
type def struct{ doc, sym int32 }

var noDef = def{-1, -1}

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p *edges.Program
	tables
	shapes map[string][]edges.Step

	stack   edges.Stack
	orders  edges.Memo[string, []ancestor]
	found   edges.Memo[memberName, []found]
	lower   edges.Memo[memberName, []def]
	results edges.Memo[def, typ]

	// answers are the members that were asked for the document at hand, outside of
	// other questions: what they depend on is noted already.
	answers map[memberName][]found
	current *edges.Uses
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{p: p, shapes: map[string][]edges.Step{}}
	r.orders.Stack, r.found.Stack, r.lower.Stack, r.results.Stack = &r.stack, &r.stack, &r.stack, &r.stack
	r.fill(p)
	return r
}

func covers(f *facts.File) bool { return f.Family == family }

// Keys of groups.
const (
	// constKey with a path: the files with its foremost definitions.
	constKey = "ruby const "
	// memberKey with a path, # or . and a name: the files that define such a
	// member of the class.
	memberKey = "ruby member "
	// basesKey with a path: the files that give it bases.
	basesKey = "ruby bases "
	// heirsKey with a name: the files with a class whose base has that name.
	heirsKey = "ruby heirs "
	// functionKey with a name: the files with such a method at their level.
	functionKey = "ruby function "
	// nameKey with a name: the files with such a method anywhere.
	nameKey = "ruby name "
	// mixedKey: the files that include modules at their level.
	mixedKey = "ruby mixed"
	// classKey with a name: the files with the foremost definitions of a class of
	// that name, whatever it is in.
	classKey = "ruby class "
)

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	var list []def
	kind, name := "", key
	for _, k := range []string{constKey, memberKey, basesKey, heirsKey, functionKey, nameKey, classKey} {
		if rest, ok := strings.CutPrefix(key, k); ok {
			kind, name = k, rest
			break
		}
	}
	switch kind {
	case constKey:
		list = r.consts[name]
	case memberKey:
		list = r.members[name]
	case basesKey:
		list = r.bases[name]
	case heirsKey:
		list = r.heirs[name]
	case functionKey:
		list = r.functions[name]
	case nameKey:
		list = r.names[name]
	case classKey:
		for _, p := range r.classes[name] {
			list = append(list, r.consts[p]...)
		}
	}
	var out []int
	for i := range r.mixed {
		if key == mixedKey {
			out = append(out, int(r.mixed[i].doc))
		}
	}
	for _, d := range list {
		out = append(out, int(d.doc))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Resolver) file(doc int32) *facts.File { return r.p.Files[doc].File }

// symbol is the definition itself.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.file(d.doc).Symbols[d.sym] }

// shape takes a shape apart, once.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		steps = edges.ParseShape(s)
		r.shapes[s] = steps
	}
	return steps
}
