package xref

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// RenamedCrates reads from a Cargo.toml which dependencies have names of their
// own: foo to bar in foo = { package = "bar" }, those that a workspace gives its
// members included. Names are as Rust writes them, with underscores.
func RenamedCrates(manifest *facts.File) map[string]string {
	var out map[string]string
	add := func(name, pkg string) {
		if name == "" || pkg == "" {
			return
		}
		if out == nil {
			out = map[string]string{}
		}
		if _, taken := out[CrateName(name)]; !taken {
			out[CrateName(name)] = CrateName(pkg)
		}
	}
	symbols := manifest.Symbols
	for i := range symbols {
		s := &symbols[i]
		if s.Parent < 0 || s.Init == "" {
			continue
		}
		up := &symbols[s.Parent]
		name, dotted := strings.CutSuffix(s.Name, ".package")
		switch {
		case dotted && isDependencies(up.Name): // foo.package = "bar"
			add(name, s.Init)
		case s.Name != "package":
		case up.Parent >= 0 && isDependencies(symbols[up.Parent].Name): // foo = { package = "bar" }
			add(up.Name, s.Init)
		case up.Parent < 0: // [dependencies.foo] package = "bar"
			if k := strings.LastIndexByte(up.Name, '.'); k >= 0 && isDependencies(up.Name[:k]) {
				add(up.Name[k+1:], s.Init)
			}
		}
	}
	return out
}

// CrateName is the name that Rust gives a package.
func CrateName(pkg string) string { return strings.ReplaceAll(pkg, "-", "_") }

func isDependencies(table string) bool { return strings.HasSuffix(table, "dependencies") }

// crate is the directory of the crate of the revision that a name means in a
// file: what the nearest manifest that renames a package so says, or the package
// of the name.
func (r *resolver) crate(doc int, name string) (string, bool) {
	for dir := facts.DirOf(r.files[doc].Path); ; dir = facts.DirOf(dir) {
		if pkg, ok := r.renamed[dir][name]; ok {
			name = pkg
			break
		}
		if dir == "" {
			break
		}
	}
	dir, ok := r.crates[name]
	return dir, ok
}
