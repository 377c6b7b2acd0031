package ruby

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const (
	// maxOpenings bounds how many definitions of a constant are kept: modules
	// that only hold others are opened in every file.
	maxOpenings = 8
	// maxNames bounds how many definitions of one name are kept.
	maxNames = 200
)

// tables say what the definitions of the revision are called in full.
type tables struct {
	// paths of classes, modules and constants ("A::B"), owners of all else ("A"
	// for a method of A, "" where it is not known), by document and symbol.
	paths, owners [][]string
	// consts are the foremost definitions of each path, the first one first.
	consts map[string][]def
	// members by "A#m" for those of instances, "A.m" for those of the class.
	members map[string][]def
	// bases are the openings of a class that give it bases, heirs the openings
	// by the last name of a base.
	bases, heirs map[string][]def
	// functions are the methods at the level of files, names all methods.
	functions, names map[string][]def
	// mixed are the modules that files include at their level, hence into
	// every object.
	mixed []mixed
	// classes are the paths of classes by their last name, sorted.
	classes map[string][]string
}

// mixed is a module that a file includes at its level.
type mixed struct {
	doc  int32
	name string
}

func (t *tables) fill(p *edges.Program) {
	*t = tables{
		paths: make([][]string, len(p.Files)), owners: make([][]string, len(p.Files)), consts: map[string][]def{}, members: map[string][]def{},
		bases: map[string][]def{}, heirs: map[string][]def{}, functions: map[string][]def{}, names: map[string][]def{}, classes: map[string][]string{},
	}
	// Paths that need no search come first, for the others are found by them.
	simple := map[string]bool{}
	later := false
	for doc := range p.Files {
		f := p.Files[doc].File
		if !covers(f) {
			continue
		}
		paths := make([]string, len(f.Symbols))
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if !isConstant(s.Kind) {
				continue
			}
			around, known := t.around(f, paths, s.Parent)
			head, ok := written(f, i)
			switch {
			case !known:
				later = true
				continue
			case !ok:
				paths[i] = joined(around, s.Name)
			case s.Parent < 0:
				paths[i] = joined(head, s.Name)
			default:
				later = true
				continue
			}
			simple[paths[i]] = true
		}
		t.paths[doc] = paths
	}
	if later {
		t.searchPaths(p, simple)
	}
	for doc := range p.Files {
		if covers(p.Files[doc].File) {
			t.enter(p, int32(doc))
		}
	}
	t.rank(p)
	for path, list := range t.consts {
		s := &p.Files[list[0].doc].File.Symbols[list[0].sym]
		if k := s.Kind; (k == facts.KindClass || k == facts.KindStruct) && !aside(&p.Files[list[0].doc]) {
			t.classes[s.Name] = append(t.classes[s.Name], path)
		}
	}
	for _, paths := range t.classes {
		slices.Sort(paths)
	}
}

// searchPaths gives paths to definitions like class A::B inside of a module,
// where A is looked for in the modules around.
func (t *tables) searchPaths(p *edges.Program, simple map[string]bool) {
	for doc := range p.Files {
		f := p.Files[doc].File
		if !covers(f) {
			continue
		}
		paths := t.paths[doc]
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if !isConstant(s.Kind) {
				continue
			}
			head, ok := written(f, i)
			if !ok {
				paths[i] = joined(t.enclosing(f, paths, s.Parent), s.Name)
				continue
			}
			paths[i] = joined(lexical(t.nesting(f, paths, s.Parent), head, func(p string) bool { return simple[p] }), s.Name)
		}
	}
}

// lexical is the path that a written one means by the modules around alone.
func lexical(nesting []string, name string, exists func(path string) bool) string {
	if rest, ok := strings.CutPrefix(name, "::"); ok {
		return rest
	}
	first, rest, more := strings.Cut(name, "::")
	for _, n := range nesting {
		if exists(joined(n, first)) {
			if more {
				return joined(joined(n, first), rest)
			}
			return joined(n, first)
		}
	}
	return name
}

// written is the path in front of the name of a definition, where one is
// written: A of class A::B.
func written(f *facts.File, i int) (string, bool) {
	s := &f.Symbols[i]
	if s.Container == "" || s.Parent >= 0 && f.Symbols[s.Parent].Name == s.Container {
		return "", false
	}
	if s.Parent < 0 {
		return strings.TrimPrefix(s.Container, "::"), true
	}
	return s.Container, true
}

// enclosing is the path of the innermost class around a definition whose parent
// is given.
func (t *tables) enclosing(f *facts.File, paths []string, sym int32) string {
	for ; sym >= 0; sym = f.Symbols[sym].Parent {
		if isClass(f.Symbols[sym].Kind) && paths[sym] != "" {
			return paths[sym]
		}
	}
	return ""
}

// around is enclosing, and whether all classes around have their path.
func (t *tables) around(f *facts.File, paths []string, sym int32) (string, bool) {
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		if isClass(f.Symbols[s].Kind) && paths[s] == "" {
			return "", false
		}
	}
	return t.enclosing(f, paths, sym), true
}

// nesting are the paths of the classes and modules around a place, innermost
// first.
func (t *tables) nesting(f *facts.File, paths []string, sym int32) []string {
	var out []string
	for ; sym >= 0; sym = f.Symbols[sym].Parent {
		if isClass(f.Symbols[sym].Kind) && paths[sym] != "" {
			out = append(out, paths[sym])
		}
	}
	return out
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + "::" + b
}

// enter puts the definitions of a document into the tables.
func (t *tables) enter(p *edges.Program, doc int32) {
	f := p.Files[doc].File
	paths := t.paths[doc]
	owners := make([]string, len(f.Symbols))
	t.owners[doc] = owners
	for _, e := range f.Exports {
		if e.Name == "*" && len(t.mixed) < maxNames {
			t.mixed = append(t.mixed, mixed{doc, e.Module})
		}
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		d := def{doc, int32(i)}
		switch {
		case isConstant(s.Kind):
			if paths[i] == "" {
				continue
			}
			t.consts[paths[i]] = append(t.consts[paths[i]], d)
			if isClass(s.Kind) && len(s.Bases) > 0 {
				t.bases[paths[i]] = append(t.bases[paths[i]], d)
				for _, b := range s.Bases {
					if leaf := leafOf(b); leaf != "self" {
						t.heirs[leaf] = append(t.heirs[leaf], d)
					}
				}
			}
		case s.Kind == facts.KindFunction:
			t.functions[s.Name] = append(t.functions[s.Name], d)
			t.names[s.Name] = append(t.names[s.Name], d)
		case isMember(s.Kind):
			owner := t.owner(f, paths, i)
			owners[i] = owner
			for _, name := range memberNames(s) {
				if !strings.HasPrefix(name, "@") && s.Kind != facts.KindConstructor && len(t.names[name]) < maxNames {
					t.names[name] = append(t.names[name], d)
				}
				if owner == "" {
					continue
				}
				for _, side := range sides(f, s) {
					key := owner + side + name
					if len(t.members[key]) < maxNames {
						t.members[key] = append(t.members[key], d)
					}
				}
			}
		}
	}
}

// owner is the path of the class that a member belongs to.
func (t *tables) owner(f *facts.File, paths []string, i int) string {
	s := &f.Symbols[i]
	parent := s.Parent
	if s.Kind == facts.KindField { // an instance variable stands inside a method
		for parent >= 0 && !isClass(f.Symbols[parent].Kind) {
			parent = f.Symbols[parent].Parent
		}
	} else if s.Flags&facts.InBody != 0 {
		return "" // of a class without a name, or defined by a block
	}
	if parent >= 0 && !isClass(f.Symbols[parent].Kind) {
		return ""
	}
	if s.Container == "" || parent >= 0 && s.Container == f.Symbols[parent].Name {
		if parent < 0 {
			return ""
		}
		return paths[parent]
	}
	return lexical(t.nesting(f, paths, parent), s.Container, func(p string) bool { return len(t.consts[p]) > 0 })
}

// memberNames are the names that a member is called by: a writer has a = behind.
func memberNames(s *facts.Symbol) []string {
	switch {
	case s.Kind == facts.KindField && s.Name[0] != '@':
		return []string{s.Name, s.Name + "="}
	case s.Kind != facts.KindProperty || s.Flags&facts.Setter == 0:
		return []string{s.Name}
	case s.Flags&facts.Getter == 0:
		return []string{s.Name + "="}
	}
	return []string{s.Name, s.Name + "="}
}

// sides tells whether instances have a member, the class, or both.
func sides(f *facts.File, s *facts.Symbol) []string {
	if s.Kind == facts.KindField {
		return []string{"#"}
	}
	if s.Flags&facts.Static == 0 {
		return []string{"#"}
	}
	// module_function gives a module both; accessors of class variables are both.
	inModule := s.Parent >= 0 && f.Symbols[s.Parent].Kind == facts.KindModule && strings.HasPrefix(s.Signature, "def ") && !strings.HasPrefix(s.Signature, "def self.")
	if inModule || s.Kind == facts.KindProperty && !strings.HasPrefix(s.Signature, "attr") {
		return []string{"#", "."}
	}
	return []string{"."}
}

// rank orders the definitions of each constant and keeps the foremost.
func (t *tables) rank(p *edges.Program) {
	type ranked struct {
		def
		weight int
	}
	var list []ranked
	for name, defs := range t.consts {
		if len(defs) < 2 {
			continue
		}
		list = list[:0]
		conventional := strings.ToLower(strings.ReplaceAll(name, "::", "/"))
		for _, d := range defs {
			list = append(list, ranked{d, t.weight(p, d, conventional)})
		}
		slices.SortFunc(list, func(a, b ranked) int {
			return cmp.Or(b.weight-a.weight, len(p.Files[a.doc].Path)-len(p.Files[b.doc].Path), int(a.doc-b.doc), int(a.sym-b.sym))
		})
		list = list[:min(len(list), maxOpenings)]
		kept := make([]def, len(list))
		for i := range list {
			kept[i] = list[i].def
		}
		t.consts[name] = kept
	}
}

// weight is high for the definition that stands for the constant: in the file
// that is named after it, with a superclass, with much in it.
func (t *tables) weight(p *edges.Program, d def, conventional string) int {
	e := &p.Files[d.doc]
	s := &e.File.Symbols[d.sym]
	w := 0
	if !aside(e) {
		w += 1000
	}
	stem := strings.ToLower(strings.ReplaceAll(strings.TrimSuffix(e.Path, path.Ext(e.Path)), "_", ""))
	conventional = strings.ReplaceAll(conventional, "_", "")
	switch {
	case stem == conventional || strings.HasSuffix(stem, "/"+conventional):
		w += 500
	case path.Base(stem) == path.Base(conventional):
		w += 200
	}
	if hasSuperclass(s) {
		w += 100
	}
	own := 0
	for i := int(d.sym) + 1; i < len(e.File.Symbols) && e.File.Symbols[i].Span.Start < s.Span.End; i++ {
		if c := &e.File.Symbols[i]; c.Parent == d.sym && !isClass(c.Kind) {
			own++
		}
	}
	return w + min(own, 60)
}

// aside tells files that use the program more than they are it.
func aside(e *facts.Entry) bool {
	if e.Role&(facts.RoleVendored|facts.RoleGenerated) == 0 && inLibrary(e.Path) {
		return false // lib/adapter/test.rb
	}
	return e.Role&(facts.RoleTest|facts.RoleExample|facts.RoleVendored|facts.RoleGenerated|facts.RoleDoc) != 0
}

// inLibrary tells files of the program by where they lie: in lib or app at the
// root or one below.
func inLibrary(p string) bool {
	first, rest, _ := strings.Cut(p, "/")
	second, _, below := strings.Cut(rest, "/")
	switch first {
	case "lib", "app":
		return rest != ""
	case "test", "spec", "features", "examples", "example", "benchmark", "fixtures", "vendor", "docs", "doc":
		return false
	}
	return below && (second == "lib" || second == "app")
}

func hasSuperclass(s *facts.Symbol) bool {
	if len(s.Bases) == 0 || s.Kind == facts.KindModule || s.Kind == facts.KindStruct {
		return false
	}
	return strings.Contains(s.Signature, "<") || strings.Contains(s.Signature, ".new")
}

func leafOf(path string) string {
	if i := strings.LastIndexAny(path, ": "); i >= 0 {
		return path[i+1:]
	}
	return path
}

func isClass(k facts.Kind) bool {
	return k == facts.KindClass || k == facts.KindModule || k == facts.KindStruct
}

func isConstant(k facts.Kind) bool { return isClass(k) || k == facts.KindConstant }

func isMember(k facts.Kind) bool {
	return k == facts.KindMethod || k == facts.KindConstructor || k == facts.KindProperty || k == facts.KindField
}
