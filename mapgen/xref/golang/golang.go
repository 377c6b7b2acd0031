// Package golang resolves references of Go from stored facts: scopes, packages
// and imports, and the declared types of everything that a selector stands
// behind, inferred from initialisers where none is declared.
//
// What the compiler would call an error does not occur here: a program is taken
// to be right, and where it is not, some reference leads nowhere.
package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Language is the name of the language in facts.
const Language = "go"

// Keys of the groups of files that answers depend on.
const (
	groupPackage = "go package "
	groupImport  = "go import "
	groupMember  = "go member "
)

func importKey(dir, importPath string) string { return groupImport + dir + "\x00" + importPath }

type uses = edges.Uses

// Resolver resolves the Go files of a program. See edges.Resolver.
type Resolver struct {
	p *edges.Program
	// dirs lists the Go files of each directory, sources what is kept of each.
	dirs    map[string][]int32
	sources []*source
	modules []int // go.mod and go.work files
	// unparsed lists the Go files of each directory that say nothing: those
	// over a limit, and vendored ones.
	unparsed map[string][]int32

	pkgs       map[pkgKey]*pkg
	main       map[string]string // importable package of a directory
	exprs      map[string]*expr
	plain      map[symRef]*typ
	generics   map[symRef][]typeParam
	signatures map[symRef]*expr
	byName     map[string][]symRef // members, made when first asked
	imports    map[string][]int    // groups of imports, made when first asked
	variables  edges.Memo[symRef, inferred]

	local *local
	uses  *uses
	depth int
	cut   int // answers that a circle or the depth cut short
	// unsure is set where a shape went through a member that may be another one.
	unsure bool
}

// New prepares a resolver for the outlines of a program.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, dirs: map[string][]int32{}, sources: make([]*source, len(p.Files)), pkgs: map[pkgKey]*pkg{}, main: map[string]string{},
		exprs: map[string]*expr{}, plain: map[symRef]*typ{}, generics: map[symRef][]typeParam{}, signatures: map[symRef]*expr{},
		local: &local{doc: -1}, unparsed: map[string][]int32{},
	}
	r.variables.Stack = &edges.Stack{}
	for i := range p.Files {
		e := &p.Files[i]
		switch {
		case e.File == nil:
		case e.File.Language == Language && e.File.Outlined():
			dir := facts.DirOf(e.Path)
			r.sources[i] = &source{dir: dir, test: strings.HasSuffix(e.Path, "_test.go")}
			r.dirs[dir] = append(r.dirs[dir], int32(i))
		case e.File.Language == Language:
			dir := facts.DirOf(e.Path)
			r.unparsed[dir] = append(r.unparsed[dir], int32(i))
		case path.Base(e.Path) == "go.mod" || path.Base(e.Path) == "go.work":
			r.modules = append(r.modules, i)
		}
	}
	return r
}

// Resolve appends the edges of a document. See edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, u *edges.Uses, out []edges.Edge) []edges.Edge {
	if doc < 0 || doc >= len(r.sources) || r.sources[doc] == nil || f == nil {
		return out
	}
	r.local, r.uses, r.depth, r.cut = newLocal(int32(doc), f), u, 0, 0
	from := len(out)
	for i := range f.Refs {
		out = r.reference(int32(i), &f.Refs[i], out)
	}
	sorted := edges.Sort(out[from:])
	r.local, r.uses = &local{doc: -1}, nil
	return out[:from+len(sorted)]
}

// Group lists the documents of a group. See edges.Grouper.
func (r *Resolver) Group(key string) []int {
	if dir, ok := strings.CutPrefix(key, groupPackage); ok {
		return r.files(dir)
	}
	if name, ok := strings.CutPrefix(key, groupMember); ok {
		var out []int
		for _, s := range r.membersNamed(name) {
			out = append(out, int(s.doc))
		}
		return slices.Compact(out)
	}
	if strings.HasPrefix(key, groupImport) {
		if r.imports == nil {
			r.readImports()
		}
		// Modules decide where an import leads; so may a directory that appears.
		out := slices.Concat(r.imports[key], r.modules)
		slices.Sort(out)
		return slices.Compact(out)
	}
	return nil
}

func (r *Resolver) readImports() {
	r.imports = map[string][]int{}
	for doc, s := range r.sources {
		if s == nil {
			continue
		}
		for _, t := range r.p.Targets[doc] {
			key := importKey(s.dir, r.p.Files[doc].File.Imports[t.Import].Module)
			if _, known := r.imports[key]; !known {
				r.imports[key] = r.files(t.Dir)
			}
		}
	}
}

// files lists the Go files of a directory, parsed or not.
func (r *Resolver) files(dir string) []int {
	var out []int
	for _, d := range slices.Concat(r.dirs[dir], r.unparsed[dir]) {
		out = append(out, int(d))
	}
	slices.Sort(out)
	return out
}

// membersNamed lists fields and methods of the program by their name, but for
// those of bodies.
func (r *Resolver) membersNamed(name string) []symRef {
	if r.byName == nil {
		r.byName = map[string][]symRef{}
		for doc, src := range r.sources {
			if src == nil {
				continue
			}
			symbols := r.p.Files[doc].File.Symbols
			for i := range symbols {
				s := &symbols[i]
				if (s.Kind == facts.KindField || s.Kind == facts.KindMethod) && s.Flags&facts.InBody == 0 {
					r.byName[s.Name] = append(r.byName[s.Name], symRef{int32(doc), int32(i)})
				}
			}
		}
	}
	return r.byName[name]
}
