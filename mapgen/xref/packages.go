package xref

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// maxPackageDirs is over how many directories a package or namespace may be
// spread so that an import of all of it still says something.
const maxPackageDirs = 4

// packages knows what the files of an ecosystem say they belong to.
type packages struct {
	// members are the documents that define a name in a package, by the two
	// joined with a dot.
	members map[string][]int
	// dirs are the directories of a package, sorted.
	dirs map[string][]string
}

// packagesOf indexes the packages of an ecosystem, once.
func (r *resolver) packagesOf(family string) *packages {
	if p := r.packages[family]; p != nil {
		return p
	}
	p := &packages{members: map[string][]int{}, dirs: map[string][]string{}}
	for i := range r.files {
		f := r.files[i].File
		if f.Family != family || !f.Outlined() {
			continue
		}
		// Tests share the package of what they test and give nothing away.
		if dir := facts.DirOf(r.files[i].Path); f.Package != "" && !r.files[i].Role.Has(facts.RoleTest) && !slices.Contains(p.dirs[f.Package], dir) {
			p.dirs[f.Package] = append(p.dirs[f.Package], dir)
		}
		for k := range f.Symbols {
			s := &f.Symbols[k]
			name := dotted(f.Package, s.Name)
			switch {
			case s.Parent < 0:
			case s.Kind == facts.KindModule && s.Flags&facts.InBody == 0:
				name = dotted(dotted(f.Package, s.Container), s.Name)
			default:
				continue
			}
			if family == "elixir" {
				name = dotted(s.Container, s.Name)
			}
			if d := p.members[name]; len(d) == 0 || d[len(d)-1] != i {
				p.members[name] = append(d, i)
			}
		}
	}
	if r.packages == nil {
		r.packages = map[string]*packages{}
	}
	r.packages[family] = p
	return p
}

func dotted(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}

// member finds the file that defines a qualified name or what encloses it:
// a.b.C.d where C is defined in the package a.b.
func (r *resolver) member(p *packages, doc int, name string) []Target {
	for {
		if found := p.members[name]; len(found) > 0 {
			if d := r.nearest(doc, found); d >= 0 {
				return []Target{{Doc: d, Dir: facts.DirOf(r.files[d].Path)}}
			}
			return nil
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return nil
		}
		name = name[:i]
	}
}

// nearest picks, of several files that define one name, the one that shares the
// longest beginning of its path with the importing one, or -1 where two do: the
// variants of a project for several platforms, or several projects of one
// repository.
func (r *resolver) nearest(doc int, found []int) int {
	best, length, tie := -1, -1, false
	for _, d := range found {
		n := facts.CommonDirs(r.files[doc].Path, r.files[d].Path)
		switch {
		case n > length:
			best, length, tie = d, n, false
		case n == length:
			tie = true
		}
	}
	if tie {
		return -1
	}
	return best
}

// wholePackage leads to the directories of a package, where they are few.
func (p *packages) wholePackage(name string) []Target {
	dirs := p.dirs[name]
	if len(dirs) > maxPackageDirs {
		return nil
	}
	var out []Target
	for _, d := range dirs {
		out = append(out, Target{Doc: -1, Dir: d})
	}
	return out
}

// jvmImport follows imports of Java, Kotlin, Scala and Groovy: of a class, of a
// member of one, of a top-level function, of all of a package or object. Where
// the package is not the one that the file declares, the layout of the
// directories decides.
func (r *resolver) jvmImport(doc int, m *facts.Import) []Target {
	p := r.packagesOf("java")
	var out []Target
	add := func(t []Target) {
		for _, x := range t {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	for _, n := range m.Names {
		if n.Name == "*" {
			if t := p.wholePackage(m.Module); t != nil {
				add(t)
				continue
			}
			add(r.member(p, doc, m.Module))
			continue
		}
		add(r.member(p, doc, dotted(m.Module, n.Name)))
	}
	if len(m.Names) == 0 {
		add(r.member(p, doc, m.Module))
	}
	if out == nil {
		return r.javaImport(m.Module)
	}
	return out
}

// namespaceImport follows using directives of C#: of a namespace, or of a type
// (using static, aliases).
func (r *resolver) namespaceImport(doc int, m *facts.Import) []Target {
	p := r.packagesOf("csharp")
	if t := p.wholePackage(m.Module); t != nil {
		return t
	}
	name, _, _ := strings.Cut(m.Module, "<")
	if found := p.members[name]; len(found) > 0 {
		return r.member(p, doc, name)
	}
	return nil
}

// moduleImport follows modules of Elixir by their full name.
func (r *resolver) moduleImport(doc int, module string) []Target {
	p := r.packagesOf("elixir")
	if found := p.members[module]; len(found) > 0 {
		return r.member(p, doc, module)
	}
	return nil
}

// sourceDirs are the directories in which the Swift package manager looks for
// the directory of a module.
var sourceDirs = []string{"Sources", "Source", "Tests", "Modules", "Plugins", "src"}

// swiftImport leads to the directory of a module: Sources/Name of the nearest
// package, or the one directory of that name which holds Swift.
func (r *resolver) swiftImport(doc int, module string) []Target {
	for dir := facts.DirOf(r.files[doc].Path); ; dir = facts.DirOf(dir) {
		for _, s := range sourceDirs {
			if d := join(join(dir, s), module); r.dirs[d] {
				return []Target{{Doc: -1, Dir: d}}
			}
		}
		if dir == "" {
			break
		}
	}
	if r.swiftDirs == nil {
		r.swiftDirs = map[string][]string{}
		for i := range r.files {
			if r.files[i].File.Family != "swift" {
				continue
			}
			// The module of a file can be any of the directories above it.
			for d := facts.DirOf(r.files[i].Path); d != ""; d = facts.DirOf(d) {
				if b := path.Base(d); !slices.Contains(r.swiftDirs[b], d) {
					r.swiftDirs[b] = append(r.swiftDirs[b], d)
				}
			}
		}
	}
	if d := r.swiftDirs[module]; len(d) == 1 {
		return []Target{{Doc: -1, Dir: d[0]}}
	}
	return nil
}

// luaImport finds a module by the end of its path, for the search path of a
// program is not known.
func (r *resolver) luaImport(doc int, module string) []Target {
	if strings.HasSuffix(module, ".lua") {
		if t := r.pathImport(doc, module); t != nil {
			return t
		}
		return r.bySuffix(path.Clean(module))
	}
	p := strings.ReplaceAll(module, ".", "/")
	for _, candidate := range []string{p + ".lua", p + "/init.lua"} {
		if t := r.file(join(facts.DirOf(r.files[doc].Path), candidate)); t != nil {
			return t
		}
		if t := r.bySuffix(candidate); t != nil && strings.Contains(candidate, "/") {
			return t
		}
	}
	return nil
}

// shellImport finds a sourced script beside the sourcing one, from the root of
// the repository, where scripts are often started, or by the end of its path,
// for what stands before it may be a variable.
func (r *resolver) shellImport(doc int, module string) []Target {
	if t := r.pathImport(doc, module); t != nil {
		return t
	}
	p := path.Clean(strings.TrimPrefix(module, "/"))
	if strings.HasPrefix(p, "..") || !strings.Contains(module, ".") && !strings.Contains(module, "/") {
		return nil
	}
	if t := r.file(p); t != nil {
		return t
	}
	return r.bySuffix(p)
}

// indexFiles are what a directory stands for, where a path names the directory.
var indexFiles = map[string][]string{
	"cmake": {"CMakeLists.txt"}, "meson": {"meson.build"}, "nix": {"default.nix"}, "just": {"mod.just", "justfile"},
	"xml": {"pom.xml", "build.xml"}, "starlark": {"BUILD.bazel", "BUILD"}, "groovy": {"build.gradle", "build.gradle.kts"},
	"kotlin": {"build.gradle.kts", "build.gradle"}, "sass": {"_index.scss", "_index.sass"}, "scss": {"_index.scss", "_index.sass", "index.scss"},
	"less": {"index.less"}, "html": {"index.html"}, "markdown": {"README.md", "index.md"}, "rst": {"index.rst"},
}

// pathImport follows a module that is written as a path, from the importing file
// or, with a leading slash, from the root of the repository. The extension of
// the importing file may be left out, and so may the underscore before the name
// of a partial style sheet; a path can name a directory.
func (r *resolver) pathImport(doc int, module string) []Target {
	from := r.files[doc].Path
	target := strings.TrimPrefix(module, "/")
	if target == module {
		target = join(facts.DirOf(from), module)
	}
	if t := r.file(target); t != nil || target == "" {
		return t
	}
	if ext := path.Ext(from); ext != "" {
		if t := r.file(target + ext); t != nil {
			return t
		}
		partial := join(facts.DirOf(target), "_"+path.Base(target))
		for _, p := range []string{partial, partial + ext} {
			if t := r.file(p); t != nil && r.files[doc].File.Nature != facts.Prose {
				return t
			}
		}
	}
	if !r.dirs[target] {
		return nil
	}
	for _, index := range indexFiles[r.files[doc].File.Language] {
		if t := r.file(join(target, index)); t != nil {
			return t
		}
	}
	return []Target{{Doc: -1, Dir: target}}
}
