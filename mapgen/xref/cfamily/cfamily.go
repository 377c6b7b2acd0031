// Package cfamily resolves references of C and C++: from the uses of names to the
// definitions that they mean.
//
// What a file sees is what it includes, directly or not. Names are looked up by
// the rules of the languages as far as declared types lead: scopes of functions,
// classes with their bases, namespaces, members of values whose types are
// written down or follow from an initialiser. Nothing is preprocessed, so
// variants of a name under #if count side by side, each with an edge.
//
// A use leads to the definition. Where a file sees a declaration only, that is the
// definition elsewhere that is linked with it: the one that is not static, of
// several the ones whose files include the declaration. It leads to a declaration
// only where the revision has no definition.
//
// The files follow the questions: outline.go says where definitions stand and what
// stands around a place, visible.go what a file includes, typetext.go reads a type
// expression, types.go says what it means, names.go what a name means at a place,
// classes.go what members a class has, linking.go which definition a declaration
// stands for, overload.go which overload a call means, values.go and library.go
// what an expression gives, references.go turns all that into edges, and rules.go
// says what each rule is worth.
package cfamily

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const family = "c"

// def is a definition of the revision.
type def struct{ doc, sym int32 }

var noDef = def{-1, -1}

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p        *edges.Program
	outlines []*outline // by document; nil for other languages
	// tops are the definitions at the level of namespaces by their names, outer
	// the members defined outside of their class by "Class.name", fields the
	// members of classes by their names, all in the order of documents.
	tops   map[string][]def
	outer  map[string][]def
	fields map[string][]def

	// includers are the files that include one.
	includers map[int32][]int32

	globals  map[globalName]known
	closures map[int32]*closure
	shapes   map[string][]edges.Step
	texts    map[string]text
	heads    map[def]head
	keys     map[def]string
	lists    map[def][]string
	around   edges.Memo[def, *scopeChain]
	stack    edges.Stack
	orders   edges.Memo[def, []ancestor]
	aliases  edges.Memo[def, *typ]
	named    edges.Memo[nameAt, []def]
	types    edges.Memo[def, *typ]
	owners   edges.Memo[def, def]
}

// nameAt is the path of a type asked inside a definition.
type nameAt struct {
	at   def
	path string
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)), tops: map[string][]def{}, outer: map[string][]def{}, fields: map[string][]def{},
		includers: map[int32][]int32{}, globals: map[globalName]known{}, closures: map[int32]*closure{}, shapes: map[string][]edges.Step{}, texts: map[string]text{}, heads: map[def]head{},
		keys: map[def]string{}, lists: map[def][]string{},
	}
	r.orders.Stack, r.aliases.Stack, r.named.Stack, r.types.Stack = &r.stack, &r.stack, &r.stack, &r.stack
	r.owners.Stack, r.around.Stack = &r.stack, &r.stack
	for i := range p.Files {
		if f := p.Files[i].File; covers(f) {
			r.index(int32(i), f)
		}
	}
	for i := range p.Files {
		for _, d := range r.included(int32(i)) {
			if l := r.includers[d]; len(l) == 0 || l[len(l)-1] != int32(i) {
				r.includers[d] = append(l, int32(i))
			}
		}
	}
	return r
}

// covers tells whether a file is of a language that this package knows.
func covers(f *facts.File) bool {
	return f.Family == family && (f.Language == "c" || f.Language == "cpp")
}

// Keys of groups.
const (
	// includeKey with a path: the file and all that it includes.
	includeKey = "c include "
	// includerKey with a path: the files that include it.
	includerKey = "c includer "
	// topKey with a name: the files that define it at the level of namespaces.
	topKey = "c top "
	// outerKey with "Class.name": the files that define the member outside of its
	// class.
	outerKey = "c outer "
	// fieldKey with a name: the files with a class that has such a member.
	fieldKey = "c field "
)

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	var out []int
	add := func(list []def) {
		for _, d := range list {
			out = append(out, int(d.doc))
		}
	}
	if name, ok := strings.CutPrefix(key, includeKey); ok {
		if doc, ok := r.p.ByPath[name]; ok && r.outlines[doc] != nil {
			for _, d := range r.closureOf(int32(doc)).docs {
				out = append(out, int(d))
			}
		}
	} else if name, ok := strings.CutPrefix(key, includerKey); ok {
		if doc, ok := r.p.ByPath[name]; ok {
			for _, d := range r.includers[int32(doc)] {
				out = append(out, int(d))
			}
		}
	} else if name, ok := strings.CutPrefix(key, topKey); ok {
		add(r.tops[name])
	} else if name, ok := strings.CutPrefix(key, outerKey); ok {
		add(r.outer[name])
	} else if name, ok := strings.CutPrefix(key, fieldKey); ok {
		add(r.fields[name])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Resolver) file(doc int32) *facts.File { return r.p.Files[doc].File }

// symbol is the definition itself.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.file(d.doc).Symbols[d.sym] }

// plainC tells whether a document is C, where there are no overloads and no
// scopes of classes.
func (r *Resolver) plainC(doc int32) bool { return r.file(doc).Language == "c" }

// shape takes a shape apart, once. A shape that starts with a cast gets something
// to cast.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		text := s
		if strings.HasPrefix(strings.TrimLeft(s, "*&"), "(") {
			marks := s[:len(s)-len(strings.TrimLeft(s, "*&"))]
			text = marks + "?" + s[len(marks):]
		}
		steps = edges.ParseShape(text)
		r.shapes[s] = steps
	}
	return steps
}

func isClass(k facts.Kind) bool { return k == facts.KindClass || k == facts.KindStruct }

func isType(k facts.Kind) bool {
	return isClass(k) || k == facts.KindEnum || k == facts.KindType || k == facts.KindInterface
}

func isFunction(k facts.Kind) bool {
	return k == facts.KindFunction || k == facts.KindMethod || k == facts.KindConstructor
}

func isVariable(k facts.Kind) bool {
	return k == facts.KindVariable || k == facts.KindConstant || k == facts.KindField || k == facts.KindEnumMember
}
