package csharp

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const razor = "razor"

// codeClass is the name that the row of Razor gives the class of what @code and
// @functions hold. Each file has its own.
const codeClass = "code"

// sharedImports are files whose directives count for all Razor files below.
var sharedImports = [...]string{"_Imports.razor", "_ViewImports.cshtml"}

// shared lists the files of sharedImports in a directory and above.
func (r *Resolver) shared(dir string) []int32 {
	var out []int32
	for ; ; dir = facts.DirOf(dir) {
		for _, name := range sharedImports {
			if i, ok := r.p.ByPath[joinPath(dir, name)]; ok {
				out = append(out, int32(i))
			}
		}
		if dir == "" {
			return out
		}
	}
}

// folderSpace is the namespace of a Razor file that does not say it: that of the
// class behind it, or of a file above or the name of the project, with the folders
// between.
func (r *Resolver) folderSpace(doc int32) string {
	p := r.p.Files[doc].Path
	if i, ok := r.p.ByPath[p+".cs"]; ok {
		return r.p.Files[i].File.Package
	}
	between := ""
	for dir := facts.DirOf(p); ; dir = facts.DirOf(dir) {
		for _, name := range sharedImports {
			if i, ok := r.p.ByPath[joinPath(dir, name)]; ok && r.p.Files[i].File.Package != "" {
				return joined(r.p.Files[i].File.Package, between)
			}
		}
		if list := r.projects[dir]; len(list) > 0 {
			file := path.Base(r.p.Files[list[0]].Path)
			return joined(strings.TrimSuffix(file, path.Ext(file)), between)
		}
		if dir == "" {
			return ""
		}
		between = joined(path.Base(dir), between)
	}
}

// componentName is the full and the simple name of the class that a Razor file
// is.
func (r *Resolver) componentName(doc int32) (full, simple string) {
	p := r.p.Files[doc].Path
	simple = strings.TrimSuffix(path.Base(p), path.Ext(p))
	if space := r.namespace(def{doc, -1}); space != "" {
		return space + "." + simple, simple
	}
	return p + "." + simple, simple // no part of another one
}

// component lists the classes whose members the markup of a Razor file sees: its
// own code and the class behind it, which stands in the file of the same name
// with .cs.
func (r *Resolver) component(doc int32, uses *edges.Uses) []int32 {
	var out []int32
	f := r.file(doc)
	for i := range f.Symbols {
		if s := &f.Symbols[i]; s.Parent < 0 && s.Name == codeClass {
			if c, ok := r.classAt[def{doc, int32(i)}]; ok {
				out = append(out, c)
			}
		}
	}
	p := r.p.Files[doc].Path
	_, name := r.componentName(doc)
	uses.Key(typeKey + name)
	for _, c := range r.bySimple[name] {
		for _, d := range r.classes[c].parts {
			if r.p.Files[d.doc].Path == p+".cs" && !slices.Contains(out, c) {
				return append(out, c)
			}
		}
	}
	return out
}

// injected are the properties that the directives of a Razor file declare.
func (c *context) injected(name string, want func(def) bool) []found {
	f := c.r.file(c.doc)
	if f.Language != razor {
		return nil
	}
	var out []found
	for i := range f.Symbols {
		d := def{c.doc, int32(i)}
		if s := &f.Symbols[i]; s.Parent < 0 && s.Name == name && s.Flags&facts.InBody == 0 && !isType(s.Kind) && want(d) {
			out = append(out, found{def: d, owner: ancestor{class: noClass}})
		}
	}
	return out
}
