// Package php resolves references of PHP: from the uses of names to the
// definitions that they mean.
//
// It follows the rules of the language as far as declared and documented types
// lead: namespaces and use clauses, classes with their traits, members of values
// whose types are written down in the code or in documentation comments, what
// instanceof tells of a value. Where a file lies plays no part; the namespaces
// that files declare decide. Nothing is inferred from bodies of other files, so
// the outlines of those are enough.
//
// The files follow the questions: outline.go indexes one file, names.go says
// what class, function or constant a name means, typetext.go reads a type
// expression, types.go what it means as a type, classes.go what a class inherits
// and has for members, users.go what the classes that use a trait have, local.go
// what stands around a place of the file at hand, values.go what an expression
// gives, references.go turns all that into edges, and rules.go says what each
// rule is worth.
package php

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const family = "php"

// def is a definition of the revision.
type def struct{ doc, sym int32 }

var noDef = def{-1, -1}

// sort is what a name can be the name of: each sort has names of its own.
type sort byte

const (
	ofClass    sort = 'c'
	ofFunction sort = 'f'
	ofConstant sort = 'k'
	ofMethod   sort = 'm'
	ofProperty sort = 'p'
	// other is what no name of an expression means.
	ofOther sort = 0
)

// folded is a name as it is compared: those of classes, functions and methods
// are the same in upper and lower case.
func folded(of sort, name string) string {
	switch of {
	case ofClass, ofFunction, ofMethod:
		return strings.ToLower(name)
	}
	return name
}

// key is a name of a sort, folded.
type key struct {
	of   sort
	name string
}

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p        *edges.Program
	outlines []*outline // by document, made when first asked
	tops     map[key][]def
	byMember map[key][]def
	// byBase are the classes by the last part of the name of a base.
	byBase map[string][]def
	shapes map[string][]edges.Step
	texts  map[string]text

	stack   edges.Stack
	orders  edges.Memo[def, []ancestor]
	based   edges.Memo[def, bases]
	found   edges.Memo[memberName, []found]
	types   edges.Memo[def, *typ]
	users   edges.Memo[def, []def]
	through edges.Memo[memberName, []found]
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)), tops: map[key][]def{}, byMember: map[key][]def{}, byBase: map[string][]def{},
		shapes: map[string][]edges.Step{}, texts: map[string]text{},
	}
	r.orders.Stack, r.based.Stack, r.found.Stack, r.types.Stack, r.users.Stack, r.through.Stack = &r.stack, &r.stack, &r.stack, &r.stack, &r.stack, &r.stack
	for i := range p.Files {
		f := p.Files[i].File
		if f.Family != family {
			continue
		}
		for k := range f.Symbols {
			s := &f.Symbols[k]
			d := def{int32(i), int32(k)}
			for _, base := range s.Bases {
				b := strings.ToLower(lastPart(base))
				r.byBase[b] = append(r.byBase[b], d)
			}
			of := sortOf(s)
			switch {
			case of == ofMethod || of == ofProperty || of == ofConstant && s.Parent >= 0:
				if s.Flags&facts.InBody == 0 {
					n := key{of, folded(of, s.Name)}
					r.byMember[n] = append(r.byMember[n], d)
				}
			case of != ofOther:
				n := key{of, folded(of, wholeName(f, s))}
				r.tops[n] = append(r.tops[n], d)
			}
		}
	}
	return r
}

// sortOf is what the name of a definition is the name of.
func sortOf(s *facts.Symbol) sort {
	switch s.Kind {
	case facts.KindClass, facts.KindInterface, facts.KindEnum:
		return ofClass
	case facts.KindFunction:
		return ofFunction
	case facts.KindMethod, facts.KindConstructor:
		return ofMethod
	case facts.KindField, facts.KindProperty:
		return ofProperty
	case facts.KindConstant, facts.KindEnumMember:
		return ofConstant
	}
	return ofOther
}

// wholeName is the name of a definition at the level of a file behind its
// namespace; define() takes whole names.
func wholeName(f *facts.File, s *facts.Symbol) string {
	if s.Kind == facts.KindConstant && !strings.HasPrefix(s.Signature, "const") {
		return strings.TrimPrefix(strings.ReplaceAll(s.Name, `\\`, `\`), `\`)
	}
	return joined(f.Package, s.Name)
}

func joined(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + `\` + name
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '\\')+1:] }

// Keys of groups.
const (
	// topKey with a sort and a whole name: the files that define it.
	topKey = "php top "
	// memberKey with a sort and a name: the files with a class that has such a
	// member.
	memberKey = "php member "
	// baseKey with the last part of a name: the files with a class that has such
	// a base.
	baseKey = "php base "
)

func (n key) group(prefix string) string { return prefix + string(n.of) + " " + n.name }

// Group implements edges.Grouper.
func (r *Resolver) Group(group string) []int {
	var list []def
	if rest, ok := strings.CutPrefix(group, baseKey); ok {
		list = r.byBase[rest]
	} else if rest, ok := strings.CutPrefix(group, topKey); ok && len(rest) > 2 {
		list = r.tops[key{sort(rest[0]), rest[2:]}]
	} else if rest, ok := strings.CutPrefix(group, memberKey); ok && len(rest) > 2 {
		list = r.byMember[key{sort(rest[0]), rest[2:]}]
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

// shape takes a shape apart, once.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		steps = edges.ParseShape(s)
		r.shapes[s] = steps
	}
	return steps
}

func (r *Resolver) isTrait(d def) bool {
	s := r.symbol(d)
	return s.Kind == facts.KindInterface && strings.HasPrefix(s.Signature, "trait ")
}
