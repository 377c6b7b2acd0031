package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const (
	// maxParents bounds how many declarations of one file are followed.
	maxParents = 6
	// maxDeep bounds how deep modules are nested.
	maxDeep = 40
)

// manifest enters the library that a Cargo.toml describes and the names that it
// gives to those of others.
func (r *Resolver) manifest(doc int32) {
	e := &r.p.Files[doc]
	if path.Base(e.Path) != "Cargo.toml" {
		return
	}
	dir := facts.DirOf(e.Path)
	if names := xref.RenamedCrates(e.File); names != nil {
		r.renamed[dir] = names
		for name := range names {
			r.enter(renameKey+name, doc)
		}
	}
	if e.File.Package == "" {
		return
	}
	name, root := e.File.Package, "src/lib.rs"
	for i := range e.File.Symbols {
		s := &e.File.Symbols[i]
		if s.Container != "lib" || s.Parent < 0 || e.File.Symbols[s.Parent].Name != "lib" {
			continue
		}
		switch {
		case s.Init == "":
		case s.Name == "name":
			name = s.Init
		case s.Name == "path":
			root = s.Init
		}
	}
	name = xref.CrateName(name)
	r.enter(crateKey+name, doc)
	pkg := xref.CrateName(e.File.Package)
	r.enter(packageKey+pkg, doc)
	if _, taken := r.packages[pkg]; !taken {
		r.packages[pkg] = name
	}
	lib, ok := r.p.ByPath[joined(dir, root)]
	if !ok || r.file(int32(lib)).Family != language {
		return
	}
	r.enter(crateKey+name, int32(lib))
	if _, taken := r.libraries[name]; !taken {
		r.libraries[name] = int32(lib)
	}
}

// library is the root of a library of the revision.
func (r *Resolver) library(name string, uses *edges.Uses) (def, bool) {
	uses.Key(crateKey + name)
	doc, ok := r.libraries[name]
	return def{doc, -1}, ok
}

// renaming is the library that the nearest manifest above a file means by a name
// which it gives to a package, "" for a package outside of the revision.
func (r *Resolver) renaming(doc int32, name string, uses *edges.Uses) (string, bool) {
	uses.Key(renameKey + name)
	if len(r.groups[renameKey+name]) == 0 {
		return "", false
	}
	for dir := facts.DirOf(r.p.Files[doc].Path); ; dir = facts.DirOf(dir) {
		if pkg, ok := r.renamed[dir][name]; ok {
			uses.Key(packageKey + pkg)
			return r.packages[pkg], true
		}
		if dir == "" {
			return "", false
		}
	}
}

// joined joins paths; one that leaves the repository is none of its files.
func joined(dir, rel string) string {
	p := path.Join(dir, rel)
	if strings.HasPrefix(rel, "/") || p == ".." || strings.HasPrefix(p, "../") {
		return "../"
	}
	return p
}

// candidates are the paths where the file of a mod declaration may lie, the
// first that is there counts.
func candidates(file string, f *facts.File, sym int32) []string {
	s := &f.Symbols[sym]
	var inner []string
	for p := s.Parent; p >= 0 && len(inner) < maxDeep; p = f.Symbols[p].Parent {
		if f.Symbols[p].Kind == facts.KindModule {
			inner = append(inner, f.Symbols[p].Name)
		}
	}
	slices.Reverse(inner)
	within := strings.Join(inner, "/")
	dir := facts.DirOf(file)
	stem := strings.TrimSuffix(path.Base(file), ".rs")
	own := stem == "lib" || stem == "main" || stem == "mod"
	for i := range f.Imports {
		m := &f.Imports[i]
		if rel, ok := strings.CutPrefix(m.Module, "./"); ok && m.Alias == s.Name && m.Line == s.Line {
			return []string{joined(joined(dir, within), rel)}
		}
	}
	var out []string
	add := func(base string) {
		p := joined(joined(base, within), s.Name)
		out = append(out, p+".rs", p+"/mod.rs")
	}
	// A file that is not called mod.rs has its modules in a folder of its name,
	// but for roots of crates and files that an attribute names.
	if !own {
		add(joined(dir, stem))
	}
	add(dir)
	return out
}

// declared notes which files the mod declarations of a file lead to.
func (r *Resolver) declared(doc int32, f *facts.File) {
	for k := range f.Symbols {
		if s := &f.Symbols[k]; s.Kind != facts.KindModule || s.Flags&facts.Declaration == 0 {
			continue
		}
		for _, p := range candidates(r.p.Files[doc].Path, f, int32(k)) {
			if child, ok := r.p.ByPath[p]; ok && int32(child) != doc {
				r.parents[int32(child)] = append(r.parents[int32(child)], def{doc, int32(k)})
				r.enter(parentKey+p, doc)
				break
			}
		}
	}
}

// body is what a symbol of a module holds: the module itself if it is inline, or
// that of the file that it declares.
func (r *Resolver) body(d def, uses *edges.Uses) (def, bool) {
	if d.sym < 0 {
		return d, true
	}
	uses.Doc(int(d.doc))
	f := r.file(d.doc)
	if f.Symbols[d.sym].Flags&facts.Declaration == 0 {
		return d, true
	}
	for _, p := range candidates(r.p.Files[d.doc].Path, f, d.sym) {
		uses.Key(fileKey + p)
		if child, ok := r.p.ByPath[p]; ok {
			return def{int32(child), -1}, int32(child) != d.doc && r.file(int32(child)).Family == language
		}
	}
	return def{}, false
}

// around are the modules that hold a module, more than one where several mod
// declarations lead to its file.
func (r *Resolver) around(m def, uses *edges.Uses) []def {
	if m.sym >= 0 {
		return []def{r.moduleAround(m.doc, r.symbol(m).Parent, uses)}
	}
	uses.Key(parentKey + r.p.Files[m.doc].Path)
	var out []def
	for _, d := range r.parents[m.doc][:min(len(r.parents[m.doc]), maxParents)] {
		out = append(out, r.moduleAround(d.doc, r.symbol(d).Parent, uses))
	}
	return out
}

// moduleAround is the innermost module that holds a symbol, itself included.
func (r *Resolver) moduleAround(doc, sym int32, uses *edges.Uses) def {
	uses.Doc(int(doc))
	f := r.file(doc)
	for ; sym >= 0; sym = f.Symbols[sym].Parent {
		if s := &f.Symbols[sym]; s.Kind == facts.KindModule && s.Flags&facts.Declaration == 0 {
			break
		}
	}
	return def{doc, max(sym, -1)}
}

// roots are the roots of the crates that a module belongs to.
func (r *Resolver) roots(m def, uses *edges.Uses) []def {
	list := []def{m}
	seen := map[def]bool{m: true}
	var out []def
	for depth := 0; len(list) > 0 && depth < maxDeep; depth++ {
		var next []def
		for _, d := range list {
			up := r.around(d, uses)
			if len(up) == 0 {
				out = append(out, d)
			}
			for _, u := range up {
				if !seen[u] {
					seen[u] = true
					next = append(next, u)
				}
			}
		}
		list = next
	}
	return out[:min(len(out), maxParents)]
}

// within tells whether a module is another one or lies in it.
func (r *Resolver) within(m, outer def, uses *edges.Uses) bool {
	list := []def{m}
	for depth := 0; len(list) > 0 && depth < maxDeep; depth++ {
		var next []def
		for _, d := range list {
			if d == outer {
				return true
			}
			next = append(next, r.around(d, uses)...)
		}
		list = next[:min(len(next), maxParents)]
	}
	return false
}
