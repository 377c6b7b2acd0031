package xref

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// based are the files of a base name, in the order of their paths.
func (r *resolver) based(name string) []int {
	if r.byBase == nil {
		r.byBase = make(map[string][]int, len(r.files))
		for i := range r.files {
			b := path.Base(r.files[i].Path)
			r.byBase[b] = append(r.byBase[b], i)
		}
	}
	return r.byBase[name]
}

// bySuffix is the one file whose path ends in the given components; none when
// several do. Languages whose imports name a path below a source root that only
// their build tools know are resolved by it.
func (r *resolver) bySuffix(suffix string) []Target {
	found := -1
	for _, i := range r.based(path.Base(suffix)) {
		p := r.files[i].Path
		if p != suffix && !strings.HasSuffix(p, "/"+suffix) {
			continue
		}
		if found >= 0 {
			return nil
		}
		found = i
	}
	if found < 0 {
		return nil
	}
	return []Target{{Doc: found, Dir: facts.DirOf(r.files[found].Path)}}
}

// javaImport finds the file of a class: a.b.C lies in a/b/C.java, and so does
// a.b.C.Inner. Packages imported as a whole are not followed.
func (r *resolver) javaImport(module string) []Target {
	parts := strings.Split(module, ".")
	for n := len(parts); n >= 2; n-- {
		if t := r.bySuffix(strings.Join(parts[:n], "/") + ".java"); t != nil {
			return t
		}
		if last := parts[n-1]; last == "" || last[0] >= 'a' && last[0] <= 'z' {
			return nil // a package: what is left names no class
		}
	}
	return nil
}

// rubyImport follows require_relative ("./x") from the file and require by the
// usual load paths.
func (r *resolver) rubyImport(doc int, module string) []Target {
	if strings.HasPrefix(module, ".") {
		p := join(facts.DirOf(r.files[doc].Path), module)
		if t := r.file(p + ".rb"); t != nil {
			return t
		}
		return r.file(p)
	}
	name := strings.TrimSuffix(module, ".rb") + ".rb"
	for dir := facts.DirOf(r.files[doc].Path); ; dir = facts.DirOf(dir) {
		for _, root := range []string{"lib", "app", "spec", "test"} {
			if t := r.file(join(join(dir, root), name)); t != nil {
				return t
			}
		}
		if dir == "" {
			break
		}
	}
	return nil
}

// phpImport finds the file of a class by the end of its namespace, as PSR-4 lays
// it out below a prefix that composer.json names. The bare class name is enough
// only within the importing file's own top namespace.
func (r *resolver) phpImport(doc int, module string) []Target {
	if strings.HasPrefix(module, "./") || strings.HasSuffix(module, ".php") {
		return r.bySuffix(strings.TrimPrefix(path.Clean(module), "/"))
	}
	parts := strings.Split(strings.Trim(strings.ReplaceAll(module, "/", "\\"), "\\"), "\\")
	own, _, _ := strings.Cut(r.files[doc].File.Package, "\\")
	least := 2
	if own != "" && own == parts[0] {
		least = 1
	}
	for from := 0; len(parts)-from >= least; from++ {
		if t := r.bySuffix(strings.Join(parts[from:], "/") + ".php"); t != nil {
			return t
		}
	}
	return nil
}

// rustImport follows crate, self and super, the modules that mod declares, and
// the crates of the same workspace.
func (r *resolver) rustImport(doc int, m *facts.Import) []Target {
	file := r.files[doc].Path
	if rel, ok := strings.CutPrefix(m.Module, "./"); ok {
		return r.file(join(facts.DirOf(file), rel))
	}
	parts := strings.Split(strings.TrimPrefix(m.Module, "::"), "::")
	dir := rustModuleDir(file)
	switch parts[0] {
	case "crate":
		root, ok := r.crateRoot(file)
		if !ok {
			return nil
		}
		dir, parts = root, parts[1:]
	case "self":
		parts = parts[1:]
	case "super":
		for len(parts) > 0 && parts[0] == "super" {
			if dir == "" {
				return nil
			}
			dir, parts = facts.DirOf(dir), parts[1:]
		}
	default:
		root, ok := r.crate(doc, CrateName(parts[0]))
		if !ok {
			return nil
		}
		dir, parts = join(root, "src"), parts[1:]
		if len(parts) == 0 {
			return r.file(join(dir, "lib.rs"))
		}
	}
	var out []Target
	for _, n := range m.Names {
		out = append(out, r.rustModule(dir, append(parts[:len(parts):len(parts)], n.Name))...)
	}
	if out == nil {
		out = r.rustModule(dir, parts)
	}
	return out
}

// rustModule finds the file of the longest beginning of a module path; what
// follows names an item in it.
func (r *resolver) rustModule(dir string, parts []string) []Target {
	for n := len(parts); n > 0; n-- {
		p := join(dir, strings.Join(parts[:n], "/"))
		for _, candidate := range []string{p + ".rs", join(p, "mod.rs")} {
			if t := r.file(candidate); t != nil {
				return t
			}
		}
	}
	return nil
}

// rustModuleDir is where the child modules of a file lie.
func rustModuleDir(file string) string {
	switch base := path.Base(file); base {
	case "lib.rs", "main.rs", "mod.rs":
		return facts.DirOf(file)
	default:
		return join(facts.DirOf(file), strings.TrimSuffix(base, ".rs"))
	}
}

// crateRoot is the directory of the lib.rs or main.rs that a file belongs to.
func (r *resolver) crateRoot(file string) (string, bool) {
	for dir := facts.DirOf(file); ; dir = facts.DirOf(dir) {
		if r.has(join(dir, "lib.rs")) || r.has(join(dir, "main.rs")) {
			return dir, true
		}
		if dir == "" {
			return "", false
		}
	}
}
