// Package rust resolves references of Rust: from the uses of names to the
// definitions that they mean.
//
// It follows the rules of the language as far as declared types lead: crates and
// the tree of modules that mod declares, use clauses with globs, aliases and
// reexports, impl blocks wherever they stand, traits with their bounds,
// associated items, fields and variants, and chains of methods whose results are
// declared. Nothing is inferred from bodies of other files, so the outlines of
// those are enough. Macros are not expanded.
//
// The files follow the questions: modules.go says which file is which module,
// outline.go indexes one file, names.go says what a path means, typetext.go
// reads a type expression, generics.go the parameters of a definition, types.go
// says what values are and library.go what those of the standard library give,
// members.go what a type has, values.go and literals.go what an expression gives,
// references.go turns all that into edges, and rules.go says what each rule is
// worth.
package rust

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// language is the name of the language and of its family.
const language = "rust"

// def is a definition of the revision. A module is the symbol of an inline one,
// or sym -1 for what a file holds.
type def struct{ doc, sym int32 }

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p        *edges.Program
	outlines []*outline // by document, made when first asked
	// groups are the documents that the keys of groups stand for.
	groups map[string][]int32
	// parents are the mod declarations that lead to a file.
	parents map[int32][]def
	// owned are the items of impl blocks by the name of the type and their own,
	// byMember those and fields by name, macros by name.
	owned    map[ownedName][]def
	byMember map[string][]def
	macros   map[string][]def
	// implementing are items of impl blocks of traits, one a block, by the name of
	// the type.
	implementing map[string][]def
	libraries    map[string]int32  // crates by name: the document of the library
	packages     map[string]string // names of libraries by those of their packages
	// renamed are the names that the manifest of a directory gives packages.
	renamed map[string]map[string]string

	shapes   map[string][]edges.Step
	texts    map[string]*text
	headers  map[string]*header
	generics map[def][]param

	stack edges.Stack
	named edges.Memo[scopedName, named]
	found edges.Memo[memberName, []member]
	selfs edges.Memo[def, []def] // by item of an impl block
	has   edges.Memo[def, []def] // traits by type
}

type ownedName struct{ owner, name string }

// Keys of groups: with a name or path behind them.
const (
	fileKey    = "rust file "    // the file of a path, if it is there
	parentKey  = "rust parent "  // the files that declare a file as a module
	crateKey   = "rust crate "   // the manifest and the root of a library
	packageKey = "rust package " // the manifest of a package
	renameKey  = "rust rename "  // the manifests that give a package this name
	ownedKey   = "rust impl "    // the files with an impl of TYPE.ITEM
	traitsKey  = "rust traits "  // the files that implement traits for TYPE
	memberKey  = "rust member "  // the files with a method or field
	macroKey   = "rust macro "   // the files that define a macro
)

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)), groups: map[string][]int32{}, parents: map[int32][]def{},
		owned: map[ownedName][]def{}, byMember: map[string][]def{}, macros: map[string][]def{},
		implementing: map[string][]def{}, libraries: map[string]int32{}, packages: map[string]string{}, renamed: map[string]map[string]string{},
		shapes: map[string][]edges.Step{}, texts: map[string]*text{}, headers: map[string]*header{}, generics: map[def][]param{},
	}
	r.named.Stack, r.found.Stack, r.selfs.Stack, r.has.Stack = &r.stack, &r.stack, &r.stack, &r.stack
	for i := range p.Files {
		if f := p.Files[i].File; f.Family == language {
			r.index(int32(i), f)
		}
		r.manifest(int32(i))
	}
	for i := range p.Files {
		if f := p.Files[i].File; f.Family == language {
			r.declared(int32(i), f)
		}
	}
	for key, docs := range r.groups {
		slices.Sort(docs)
		r.groups[key] = slices.Compact(docs)
	}
	return r
}

// index enters the definitions of a file into the tables.
func (r *Resolver) index(doc int32, f *facts.File) {
	lastHead := ""
	for k := range f.Symbols {
		s := &f.Symbols[k]
		d := def{doc, int32(k)}
		switch {
		case isOwned(f, int32(k)):
			r.owned[ownedName{s.Container, s.Name}] = append(r.owned[ownedName{s.Container, s.Name}], d)
			r.enter(ownedKey+s.Container+"."+s.Name, doc)
			if head := s.Container + s.Init; strings.Contains(s.Init, " for ") && head != lastHead {
				lastHead = head
				r.implementing[s.Container] = append(r.implementing[s.Container], d)
				r.enter(traitsKey+s.Container, doc)
			}
		case s.Kind == facts.KindMacro:
			r.macros[s.Name] = append(r.macros[s.Name], d)
			r.enter(macroKey+s.Name, doc)
		}
		if s.Kind == facts.KindMethod || s.Kind == facts.KindField {
			r.byMember[s.Name] = append(r.byMember[s.Name], d)
			r.enter(memberKey+s.Name, doc)
		}
	}
}

func (r *Resolver) enter(key string, doc int32) {
	if l := r.groups[key]; len(l) == 0 || l[len(l)-1] != doc {
		r.groups[key] = append(l, doc)
	}
}

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	if path, ok := strings.CutPrefix(key, fileKey); ok {
		if doc, ok := r.p.ByPath[path]; ok {
			return []int{doc}
		}
		return nil
	}
	var out []int
	for _, d := range r.groups[key] {
		out = append(out, int(d))
	}
	return out
}

func (r *Resolver) file(doc int32) *facts.File { return r.p.Files[doc].File }

// symbol is the definition itself, not to be asked of the module of a file.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.file(d.doc).Symbols[d.sym] }

// shape takes a shape apart, once. A shape that starts with a cast gets
// something to cast.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		t := s
		if strings.HasPrefix(s, "(") {
			t = "?." + s
		}
		steps = rangeFirst(edges.ParseShape(t))
		r.shapes[s] = steps
	}
	return steps
}

// rangeFirst puts the iteration of a loop, which a shape has in front of all,
// before the patterns that take apart what it yields.
func rangeFirst(steps []edges.Step) []edges.Step {
	last := len(steps) - 1
	if last < 1 || steps[last].Op != edges.Range {
		return steps
	}
	at := last
	for at > 1 {
		s := &steps[at-1]
		if s.Op != edges.Result && (s.Op != edges.Member || s.Name != "Some" && s.Name != "Ok" && s.Name != "Err") {
			break
		}
		at--
	}
	return slices.Insert(steps[:last:last], at, steps[last])
}

// isOwned tells whether a symbol is an item of an impl block.
func isOwned(f *facts.File, sym int32) bool {
	s := &f.Symbols[sym]
	switch s.Kind {
	case facts.KindMethod, facts.KindConstant, facts.KindType, facts.KindVariable, facts.KindMacro:
	default:
		return false
	}
	if s.Container == "" || !strings.HasPrefix(s.Init, "impl ") && !strings.HasPrefix(s.Init, "impl<") {
		return false
	}
	return s.Parent < 0 || f.Symbols[s.Parent].Kind != facts.KindInterface
}

func isType(k facts.Kind) bool {
	return k == facts.KindStruct || k == facts.KindEnum || k == facts.KindInterface || k == facts.KindType
}

func isFunction(k facts.Kind) bool { return k == facts.KindFunction || k == facts.KindMethod }

func isValue(k facts.Kind) bool { return k == facts.KindConstant || k == facts.KindVariable }
