// Package python resolves references of Python: from the uses of names to the
// definitions that they mean.
//
// It follows the rules of the language as far as they can be followed without
// running anything: imports with their re-exports and stars, the scopes of
// functions and classes, attributes of modules, members of classes in the order
// of C3, and types where the program writes them down (annotations, constructor
// calls, return annotations). Nothing is inferred from bodies of other files,
// so the outlines of those are enough.
//
// The files follow the questions: outline.go indexes one file, modules.go and
// names.go say what a name of a module means, classes.go what a member of a
// class means, types.go and annotation.go what type an annotation writes,
// values.go what type an expression has, unions.go what a value that is one of
// several gives, locals.go what a name means at a place
// of the file at hand, references.go turns all that into edges, and rules.go
// says what each rule is worth.
package python

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolver resolves the files of one revision. It implements edges.Resolver and
// edges.Grouper.
type Resolver struct {
	p        *edges.Program
	outlines []*outline // by document, made when first asked; nil elsewhere
	stems    map[string]int32
	dirs     map[string]bool
	shapes   map[string][]edges.Step

	stack    edges.Stack
	names    edges.Memo[docName, []target]
	exported edges.Memo[docName, bool]
	clauses  edges.Memo[docIndex, source]
	orders   edges.Memo[def, []ancestor]
	members  edges.Memo[memberName, member]
	types    edges.Memo[def, *typ]
	results  edges.Memo[def, *typ]
	byMember map[string][]def
}

// docName is a name at the level of a module.
type docName struct {
	doc  int32
	name string
}

// docIndex is something of a document with a number.
type docIndex struct{ doc, index int32 }

// memberName is a member asked of a class; behind tells that only the classes
// behind it in its order count, as with super().
type memberName struct {
	class  def
	behind def // noDef: all
	name   string
}

// New prepares a program for resolving.
func New(p *edges.Program) *Resolver {
	r := &Resolver{
		p: p, outlines: make([]*outline, len(p.Files)),
		stems: map[string]int32{}, dirs: map[string]bool{}, shapes: map[string][]edges.Step{},
		byMember: map[string][]def{},
	}
	r.names.Stack, r.exported.Stack, r.clauses.Stack, r.orders.Stack = &r.stack, &r.stack, &r.stack, &r.stack
	r.members.Stack, r.types.Stack, r.results.Stack = &r.stack, &r.stack, &r.stack
	for i := range p.Files {
		if p.Files[i].File.Family != family {
			continue
		}
		r.addModule(int32(i))
		r.addMembers(int32(i))
	}
	return r
}

const family = "python"

// addModule enters a file under its stem: the path that an import names.
func (r *Resolver) addModule(doc int32) {
	p := r.p.Files[doc].Path
	for d := facts.DirOf(p); d != "" && !r.dirs[d]; d = facts.DirOf(d) {
		r.dirs[d] = true
	}
	stem := stemOf(p)
	if stem == "" {
		return
	}
	// A module hides a package of its name, a source hides its stub.
	if old, taken := r.stems[stem]; taken && rank(r.p.Files[old].Path) <= rank(p) {
		return
	}
	r.stems[stem] = doc
}

func rank(p string) int {
	n := 0
	if strings.TrimSuffix(path.Base(p), path.Ext(p)) == "__init__" {
		n += 2
	}
	if path.Ext(p) == ".pyi" {
		n++
	}
	return n
}

// stemOf is the path of a module without extension, that of its directory for
// the file that stands for a package; "" where an import cannot name the file.
func stemOf(p string) string {
	ext := path.Ext(p)
	if ext != ".py" && ext != ".pyi" {
		return ""
	}
	stem := strings.TrimSuffix(p, ext)
	if path.Base(stem) == "__init__" {
		return facts.DirOf(stem)
	}
	return stem
}

// addMembers enters the members of all classes of a file by their names.
func (r *Resolver) addMembers(doc int32) {
	symbols := r.p.Files[doc].File.Symbols
	for i := range symbols {
		if p := symbols[i].Parent; p >= 0 && isClass(symbols[p].Kind) && !isClass(symbols[i].Kind) {
			r.byMember[symbols[i].Name] = append(r.byMember[symbols[i].Name], def{doc, int32(i)})
		}
	}
}

// Keys of groups.
const (
	// moduleKey with a stem: the file that stands at the stem, or, where there is
	// none, the files below the directory.
	moduleKey = "python module "
	// memberKey with a name: the files with a class that has such a member.
	memberKey = "python member "
)

// Group implements edges.Grouper.
func (r *Resolver) Group(key string) []int {
	var out []int
	if stem, ok := strings.CutPrefix(key, moduleKey); ok {
		if doc, ok := r.stems[stem]; ok {
			return []int{int(doc)}
		}
		if !r.dirs[stem] {
			return nil
		}
		for i := range r.p.Files {
			if e := &r.p.Files[i]; e.File.Family == family && strings.HasPrefix(e.Path, stem+"/") {
				out = append(out, i)
			}
		}
		return out
	}
	if name, ok := strings.CutPrefix(key, memberKey); ok {
		for _, d := range r.byMember[name] {
			out = append(out, int(d.doc))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return nil
}

// symbol is the definition itself.
func (r *Resolver) symbol(d def) *facts.Symbol { return &r.p.Files[d.doc].File.Symbols[d.sym] }

// shape takes a shape apart, once.
func (r *Resolver) shape(s string) []edges.Step {
	steps, ok := r.shapes[s]
	if !ok {
		steps = edges.ParseShape(s)
		r.shapes[s] = steps
	}
	return steps
}
