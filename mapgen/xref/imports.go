// Package xref connects facts of different files: so far, import clauses with
// the files and directories of the revision that they lead to.
package xref

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// Target is where an import clause leads inside the revision.
type Target struct {
	// Import is the index of the clause in File.Imports.
	Import int
	// Doc is the number of the file, or -1 where the clause names a directory
	// as a whole (a Go package).
	Doc int
	// Dir is the directory of the file, or the directory itself.
	Dir string
}

// Imports resolves the import clauses of all files, which are sorted by path.
// The result is parallel to files; clauses that lead outside the revision have
// no target, and a clause may have several (from package import module).
func Imports(files []facts.Entry) [][]Target {
	r := newResolver(files)
	out := make([][]Target, len(files))
	for i := range files {
		f := files[i].File
		for k := range f.Imports {
			for _, t := range r.resolve(i, &f.Imports[k]) {
				t.Import = k
				if t.Doc != i {
					out[i] = append(out[i], t)
				}
			}
		}
	}
	return out
}

type resolver struct {
	byBase map[string][]int  // by base name, made when first asked
	crates map[string]string // Rust crates of the revision, by name
	// renamed are the names that the Cargo.toml of a directory gives packages.
	renamed map[string]map[string]string
	files   []facts.Entry
	byPath  map[string]int
	dirs    map[string]bool // directories that hold a file, at any depth
	sources map[string]bool // directories that directly hold a Go file with an outline
	modules []module        // Go modules, deepest directory first
	scopes  []tsconfig      // of tsconfig.json and its like, deepest directory first
	configs []tsconfig      // those and what they can extend
	npm     map[string]int  // documents of package.json, by the name of the package
	npmDirs map[string]int  // the same by directory

	packages  map[string]*packages // by family, made when first asked
	swiftDirs map[string][]string  // directories that hold Swift, by their name
}

// module is a Go module of the revision.
type module struct {
	dir, path string
	replace   map[string]string // module path -> directory
}

func newResolver(files []facts.Entry) *resolver {
	r := &resolver{
		files: files, byPath: make(map[string]int, len(files)),
		dirs: map[string]bool{"": true}, sources: map[string]bool{}, npm: map[string]int{}, npmDirs: map[string]int{}, crates: map[string]string{}, renamed: map[string]map[string]string{},
	}
	for i := range files {
		e := &files[i]
		r.byPath[e.Path] = i
		for d := facts.DirOf(e.Path); !r.dirs[d]; d = facts.DirOf(d) {
			r.dirs[d] = true
		}
		switch base := path.Base(e.Path); {
		case e.File.Language == "go" && e.File.Outlined():
			r.sources[facts.DirOf(e.Path)] = true
		case base == "go.mod" && e.File.Package != "":
			m := module{dir: facts.DirOf(e.Path), path: e.File.Package, replace: map[string]string{}}
			for _, x := range e.File.Imports {
				m.replace[x.Alias] = join(m.dir, x.Module)
			}
			r.modules = append(r.modules, m)
		case base == "Cargo.toml":
			if e.File.Package != "" {
				r.crates[CrateName(e.File.Package)] = facts.DirOf(e.Path)
			}
			if names := RenamedCrates(e.File); names != nil {
				r.renamed[facts.DirOf(e.Path)] = names
			}
		case base == "package.json":
			r.npmDirs[facts.DirOf(e.Path)] = i
			if _, taken := r.npm[e.File.Package]; !taken && e.File.Package != "" {
				r.npm[e.File.Package] = i
			}
		case e.File.Language == "json" && configures(e.File):
			c := readTSConfig(e)
			r.configs = append(r.configs, c)
			if strings.HasPrefix(base, "tsconfig") || base == "jsconfig.json" {
				r.scopes = append(r.scopes, c)
			}
		}
	}
	deepest := func(x, y string) int {
		if n := strings.Count(y, "/") - strings.Count(x, "/"); n != 0 && x != "" && y != "" {
			return n
		}
		if (x == "") != (y == "") {
			return len(y) - len(x)
		}
		return strings.Compare(x, y)
	}
	slices.SortStableFunc(r.modules, func(x, y module) int { return deepest(x.dir, y.dir) })
	slices.SortStableFunc(r.scopes, func(x, y tsconfig) int { return deepest(x.dir, y.dir) })
	return r
}

func (r *resolver) resolve(doc int, m *facts.Import) []Target {
	f := r.files[doc].File
	switch f.Language {
	case "go":
		return r.goImport(doc, m.Module)
	case "rust":
		return r.rustImport(doc, m)
	case "swift":
		return r.swiftImport(doc, m.Module)
	case "lua":
		return r.luaImport(doc, m.Module)
	case "bash":
		return r.shellImport(doc, m.Module)
	case "protobuf", "thrift", "flatbuffers":
		return r.schemaImport(doc, m.Module)
	case "starlark":
		return r.labelImport(doc, m.Module)
	case "xml":
		// A project imports namespaces for all its C# files, and files by path.
		if m.Flags&facts.ImportReexport != 0 {
			return r.namespaceImport(doc, m)
		}
	case "ejs":
		return r.pathImport(doc, m.Module)
	}
	switch f.Family {
	case "python":
		return r.pythonImport(doc, m)
	case "javascript":
		return r.scriptImport(doc, m.Module)
	case "java":
		if t := r.jvmImport(doc, m); t != nil {
			return t
		}
	case "c":
		return r.include(doc, m.Module)
	case "csharp":
		return r.namespaceImport(doc, m)
	case "elixir":
		return r.moduleImport(doc, m.Module)
	case "ruby":
		return r.rubyImport(doc, m.Module)
	case "php":
		return r.phpImport(doc, m.Module)
	}
	return r.pathImport(doc, m.Module)
}

// schemaImport finds a schema relative to the file or to a directory that the
// compiler is told.
func (r *resolver) schemaImport(doc int, module string) []Target {
	if t := r.pathImport(doc, module); t != nil {
		return t
	}
	if t := r.file(module); t != nil {
		return t
	}
	return r.bySuffix(path.Clean(module))
}

// labelImport follows labels of Bazel: //dir:file, //dir:target, //dir, :file.
// Repositories before the slashes are other people's, but for the empty one.
func (r *resolver) labelImport(doc int, label string) []Target {
	label = strings.TrimPrefix(label, "@")
	rest, rooted := strings.CutPrefix(label, "//")
	if !rooted && !strings.HasPrefix(label, ":") && !strings.HasPrefix(label, "./") {
		return nil
	}
	dir, name, _ := strings.Cut(rest, ":")
	if !rooted {
		dir, name = facts.DirOf(r.files[doc].Path), strings.TrimPrefix(strings.TrimPrefix(label, ":"), "./")
	}
	if t := r.file(join(dir, name)); t != nil && name != "" {
		return t
	}
	for _, index := range indexFiles["starlark"] {
		if t := r.file(join(dir, index)); t != nil {
			return t
		}
	}
	if r.dirs[dir] && rooted {
		return []Target{{Doc: -1, Dir: dir}}
	}
	return nil
}

func (r *resolver) has(p string) bool {
	_, ok := r.byPath[p]
	return ok
}

// file is the target of an exact path, if it is there.
func (r *resolver) file(p string) []Target {
	if i, ok := r.byPath[p]; ok {
		return []Target{{Doc: i, Dir: facts.DirOf(p)}}
	}
	return nil
}

// goImport follows the module of the importing file first, so that its
// replacements hold, then every module of the revision.
func (r *resolver) goImport(doc int, importPath string) []Target {
	from := facts.DirOf(r.files[doc].Path)
	try := func(prefix, dir string) []Target {
		rest, ok := strings.CutPrefix(importPath, prefix)
		if !ok || rest != "" && rest[0] != '/' {
			return nil
		}
		if target := join(dir, strings.TrimPrefix(rest, "/")); r.sources[target] {
			return []Target{{Doc: -1, Dir: target}}
		}
		return nil
	}
	for _, m := range r.modules {
		if !within(from, m.dir) {
			continue
		}
		for _, prefix := range sortedKeys(m.replace) {
			if t := try(prefix, m.replace[prefix]); t != nil {
				return t
			}
		}
		break
	}
	// The longest module path that fits wins.
	best, found := -1, []Target(nil)
	for _, m := range r.modules {
		if t := try(m.path, m.dir); t != nil && len(m.path) > best {
			best, found = len(m.path), t
		}
	}
	return found
}

// pythonImport finds modules relative to the importing package, or, for
// absolute names, below each directory that encloses the importing file and is
// no package itself, and below the usual source roots.
func (r *resolver) pythonImport(doc int, m *facts.Import) []Target {
	from := facts.DirOf(r.files[doc].Path)
	name := strings.TrimLeft(m.Module, ".")
	parts := strings.ReplaceAll(name, ".", "/")
	if dots := len(m.Module) - len(name); dots > 0 {
		base := from
		for range dots - 1 {
			base = facts.DirOf(base)
		}
		return r.pythonModule(join(base, parts), m)
	}
	dir := from
	for dir != "" && (r.has(join(dir, "__init__.py")) || r.has(join(dir, "__init__.pyi"))) {
		// Modules of a package are imported by its name, so that a module called
		// json does not hide the one of the standard library.
		dir = facts.DirOf(dir)
	}
	for ; ; dir = facts.DirOf(dir) {
		for _, root := range []string{"", "src", "lib", "python"} {
			if t := r.pythonModule(join(join(dir, root), parts), m); t != nil {
				return t
			}
		}
		if dir == "" {
			return nil
		}
	}
}

// pythonModule resolves a module path and, where it is a package, those of the
// imported names that are modules of it.
func (r *resolver) pythonModule(p string, m *facts.Import) []Target {
	for _, ext := range []string{".py", ".pyi"} {
		if t := r.file(p + ext); t != nil && p != "" {
			return t
		}
	}
	if !r.dirs[p] {
		return nil
	}
	var out []Target
	init := r.file(join(p, "__init__.py"))
	out = append(out, init...)
	for _, n := range m.Names {
		for _, c := range []string{n.Name + ".py", n.Name + "/__init__.py", n.Name + ".pyi"} {
			if t := r.file(join(p, c)); t != nil {
				out = append(out, t...)
				break
			}
		}
	}
	return out
}

// join joins and cleans; "" is the root, and so is everything above it.
func join(dir, rel string) string {
	p := path.Join("/", dir, rel)
	if strings.Contains(rel, "..") {
		// path.Join stops at the root, which would turn a path that leaves the
		// repository into one inside it.
		if up := path.Join(dir, rel); up == ".." || strings.HasPrefix(up, "../") {
			return "../outside"
		}
	}
	return strings.TrimPrefix(p, "/")
}

// within tells whether dir is base or below it.
func within(dir, base string) bool {
	return base == "" || dir == base || strings.HasPrefix(dir, base+"/")
}

func sortedKeys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
