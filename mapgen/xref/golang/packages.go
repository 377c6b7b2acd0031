package golang

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// symRef is a symbol of a document.
type symRef struct{ doc, sym int32 }

// pkg is the files of a directory with one package clause. A name may have
// several definitions: alternatives that build tags choose between.
type pkg struct {
	dir, name string
	key       string // of the group that a search of it depends on
	names     map[string][]symRef
	methods   map[methodName][]symRef
}

type methodName struct{ container, name string }

type pkgKey struct{ dir, name string }

// source is what the resolver keeps of a Go file.
type source struct {
	dir  string
	test bool
	// first and next chain the children of symbols, made when first asked.
	first, next []int32
	// imports by the name that the file uses, made when first asked.
	imports map[string]imported
	dots    []imported
	keys    []string // groups that the imports depend on
}

// imported is what an import clause brings in.
type imported struct {
	path string
	key  string // of the group that it depends on
	dir  string
	in   bool // leads to a directory of the revision
}

func (r *Resolver) symbol(s symRef) *facts.Symbol { return &r.p.Files[s.doc].File.Symbols[s.sym] }

// packageOf is the package that a document belongs to.
func (r *Resolver) packageOf(doc int32) *pkg {
	return r.pkg(r.sources[doc].dir, r.p.Files[doc].File.Package)
}

func (r *Resolver) pkg(dir, name string) *pkg {
	key := pkgKey{dir, name}
	if p, ok := r.pkgs[key]; ok {
		r.uses.Key(p.key)
		return p
	}
	p := &pkg{dir: dir, name: name, key: groupPackage + dir, names: map[string][]symRef{}, methods: map[methodName][]symRef{}}
	r.pkgs[key] = p
	r.uses.Key(p.key)
	for _, doc := range r.dirs[dir] {
		f := r.p.Files[doc].File
		if f.Package != name {
			continue
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if s.Parent >= 0 || s.Flags&facts.InBody != 0 {
				continue
			}
			ref := symRef{doc, int32(i)}
			if s.Kind == facts.KindMethod {
				key := methodName{s.Container, s.Name}
				p.methods[key] = append(p.methods[key], ref)
			} else if s.Kind != facts.KindFunction || s.Name != "init" {
				p.names[s.Name] = append(p.names[s.Name], ref)
			}
		}
	}
	r.methodsOfAliases(p)
	return p
}

// methodsOfAliases gives the methods that are declared for an alias to the type
// that it stands for.
func (r *Resolver) methodsOfAliases(p *pkg) {
	var moved []symRef
	for _, doc := range r.dirs[p.dir] {
		f := r.p.Files[doc].File
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if s.Kind == facts.KindMethod && s.Parent < 0 && f.Package == p.name && len(p.names[s.Container]) > 0 && isAlias(r.symbol(p.names[s.Container][0])) {
				moved = append(moved, symRef{doc, int32(i)})
			}
		}
	}
	for _, m := range moved {
		s := r.symbol(m)
		name := s.Container
		for range 8 {
			refs := p.names[name]
			if len(refs) == 0 || !isAlias(r.symbol(refs[0])) {
				break
			}
			e := r.parse(r.symbol(refs[0]).Type)
			if e == nil || e.form != formName || e.pkg != "" {
				break
			}
			name = e.name
		}
		if key := (methodName{name, s.Name}); name != s.Container {
			p.methods[key] = append(p.methods[key], m)
		}
	}
}

// visible leaves out the definitions in tests, which only the tests of their
// directory can see. It does not change the list.
func (r *Resolver) visible(refs []symRef, from int32) []symRef {
	hidden := func(s symRef) bool {
		t := r.sources[s.doc]
		return t.test && !(r.sources[from].test && r.sources[from].dir == t.dir)
	}
	if !slices.ContainsFunc(refs, hidden) {
		return refs
	}
	return slices.DeleteFunc(slices.Clone(refs), hidden)
}

// importable is the package of a directory that others import: not the external
// tests, and of several the one with the most files (the others are programs
// that build tags keep out).
func (r *Resolver) importable(dir string) *pkg {
	r.uses.Key(groupPackage + dir)
	name, known := r.main[dir]
	if !known {
		count := map[string]int{}
		for _, doc := range r.dirs[dir] {
			if n := r.p.Files[doc].File.Package; n != "" && !r.sources[doc].test {
				count[n]++
			}
		}
		for _, doc := range r.dirs[dir] {
			n := r.p.Files[doc].File.Package
			better := count[n] > count[name] || count[n] == count[name] && n < name
			if count[n] > 0 && (name == "" || name == "main" || n != "main" && better) {
				name = n
			}
		}
		r.main[dir] = name
	}
	if name == "" {
		return nil
	}
	return r.pkg(dir, name)
}

// importOf finds an import of a document by the name that the file uses.
func (r *Resolver) importOf(doc int32, name string) (imported, bool) {
	s := r.importsOf(doc)
	i, ok := s.imports[name]
	if ok {
		r.uses.Key(i.key)
		return i, true
	}
	for _, k := range s.keys {
		r.uses.Key(k)
	}
	return i, false
}

// importsOf reads the imports of a document.
func (r *Resolver) importsOf(doc int32) *source {
	s := r.sources[doc]
	if s.imports == nil {
		s.imports = map[string]imported{}
		f := r.p.Files[doc].File
		for k := range f.Imports {
			m := &f.Imports[k]
			i := imported{path: m.Module, key: importKey(s.dir, m.Module)}
			s.keys = append(s.keys, i.key)
			for _, t := range r.p.Targets[doc] {
				if t.Import == k {
					i.dir, i.in = t.Dir, true
				}
			}
			switch {
			case m.Alias == ".":
				s.dots = append(s.dots, i)
			case m.Alias == "_":
			case m.Alias != "":
				s.imports[m.Alias] = i
			case i.in:
				if p := r.importable(i.dir); p != nil {
					s.imports[p.name] = i
				}
			default:
				for _, name := range externalNames(m.Module) {
					if _, taken := s.imports[name]; !taken {
						s.imports[name] = i
					}
				}
			}
		}
	}
	return s
}

// externalNames are the names that a package outside may have by its path.
func externalNames(importPath string) []string {
	base := path.Base(importPath)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(importPath))
	}
	if i := strings.LastIndex(base, ".v"); i > 0 {
		base = base[:i]
	}
	out := []string{base}
	add := func(name string) {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, part := range strings.FieldsFunc(base, func(c rune) bool { return c == '-' || c == '.' }) {
		add(part)
	}
	add(strings.NewReplacer("-", "", ".", "").Replace(base))
	add(strings.NewReplacer("-", "_", ".", "_").Replace(base))
	return out
}

// children yields the direct children of a symbol.
func (r *Resolver) children(s symRef, yield func(child symRef, c *facts.Symbol) bool) {
	src := r.sources[s.doc]
	symbols := r.p.Files[s.doc].File.Symbols
	if src.first == nil {
		src.first, src.next = make([]int32, len(symbols)), make([]int32, len(symbols))
		for i := range symbols {
			src.first[i] = -1
		}
		for i := len(symbols) - 1; i >= 0; i-- {
			if p := symbols[i].Parent; p >= 0 {
				src.next[i], src.first[p] = src.first[p], int32(i)
			}
		}
	}
	if int(s.sym) >= len(src.first) {
		return
	}
	for i := src.first[s.sym]; i >= 0; i = src.next[i] {
		if !yield(symRef{s.doc, i}, &symbols[i]) {
			return
		}
	}
}
