// Package jvm resolves references of Java and Kotlin: from the uses of names to
// the definitions that they mean.
//
// It follows the rules of the languages as far as declared types lead: packages
// and imports, the scopes of types and functions, inheritance, members of
// values whose types are written down, overloads by the arguments of a call.
// Generic types are followed through the program and through the best known
// types of the library. Nothing is inferred from bodies of other files, so the
// outlines of those are enough.
//
// The files follow the questions: outline.go indexes one file, typetext.go reads
// a type expression, names.go says what type or top-level name a name means,
// classes.go what a class inherits and has for members, types.go and library.go
// what values are, members.go what names mean at a place or on a value, values.go and
// chain.go what an expression gives, local.go what stands around a place of the
// file at hand, overload.go which overload a call means,
// references.go turns all that into edges, and rules.go says what each rule is
// worth.
package jvm

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const (
	family = "java"
	java   = "java"
	kotlin = "kotlin"
)

// def is a definition of the revision.
type def struct{ doc, sym int32 }

var noDef = def{-1, -1}

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p        *edges.Program
	outlines []*outline // by document, made when first asked
	// tops are the definitions at the level of files by package and name, in the
	// order of documents.
	tops     map[string][]def
	byMember map[string][]def
	shapes   map[string][]edges.Step
	texts    map[string]text
	vars     map[def][]typeParam

	stack   edges.Stack
	orders  edges.Memo[def, []ancestor]
	found   edges.Memo[memberName, []found]
	types   edges.Memo[def, *typ]
	results edges.Memo[def, *typ]
	named   edges.Memo[nameAt, []def]
}

// nameAt is a name of a type asked inside a definition.
type nameAt struct {
	doc, sym int32
	name     string
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)), tops: map[string][]def{}, byMember: map[string][]def{},
		shapes: map[string][]edges.Step{}, texts: map[string]text{}, vars: map[def][]typeParam{},
	}
	r.orders.Stack, r.found.Stack, r.types.Stack, r.results.Stack, r.named.Stack = &r.stack, &r.stack, &r.stack, &r.stack, &r.stack
	for i := range p.Files {
		f := p.Files[i].File
		if !covers(f) {
			continue
		}
		for k := range f.Symbols {
			s := &f.Symbols[k]
			d := def{int32(i), int32(k)}
			switch {
			case s.Parent < 0:
				name := joined(f.Package, s.Name)
				r.tops[name] = append(r.tops[name], d)
			case isType(f.Symbols[s.Parent].Kind) && !isType(s.Kind) && s.Kind != facts.KindConstructor:
				r.byMember[s.Name] = append(r.byMember[s.Name], d)
			}
		}
	}
	return r
}

// covers tells whether a file is of a language that this package knows; the
// family has others.
func covers(f *facts.File) bool {
	return f.Family == family && (f.Language == java || f.Language == kotlin)
}

func joined(pkg, name string) string {
	if pkg == "" {
		return name
	}
	return pkg + "." + name
}

// Keys of groups.
const (
	// topKey with a package and name: the files that define it at their level.
	topKey = "jvm top "
	// memberKey with a name: the files with a class that has such a member.
	memberKey = "jvm member "
)

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	var list []def
	if name, ok := strings.CutPrefix(key, topKey); ok {
		list = r.tops[name]
	} else if name, ok := strings.CutPrefix(key, memberKey); ok {
		list = r.byMember[name]
	}
	var out []int
	for _, d := range list {
		out = append(out, int(d.doc))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Resolver) file(doc int32) *facts.File { return r.p.Files[doc].File }

// symbol is the definition itself.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.file(d.doc).Symbols[d.sym] }

// shape takes a shape apart, once. A shape that starts with a cast gets
// something to cast.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		text := s
		if strings.HasPrefix(s, "(") {
			text = "?" + s
		}
		steps = edges.ParseShape(text)
		r.shapes[s] = steps
	}
	return steps
}

func isType(k facts.Kind) bool {
	return k == facts.KindClass || k == facts.KindInterface || k == facts.KindEnum || k == facts.KindStruct
}

func isMethod(k facts.Kind) bool { return k == facts.KindMethod || k == facts.KindFunction }

func isVariable(k facts.Kind) bool {
	return k == facts.KindField || k == facts.KindConstant || k == facts.KindVariable || k == facts.KindProperty || k == facts.KindEnumMember
}
