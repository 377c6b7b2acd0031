package python

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// module is a module or package of the revision.
type module struct {
	stem string
	doc  int32 // -1 for a directory without a file that stands for it
}

// moduleAt finds a module by its stem.
func (r *Resolver) moduleAt(stem string, uses *edges.Uses) (module, bool) {
	if stem == "" {
		return module{}, false
	}
	uses.Key(moduleKey + stem)
	if doc, ok := r.stems[stem]; ok {
		return module{stem, doc}, true
	}
	return module{stem, -1}, r.dirs[stem]
}

// source is where an import clause leads: the module that it names.
type source struct {
	module module
	known  bool // false: outside of the revision
}

// clause follows an import clause.
func (r *Resolver) clause(doc, clause int32, uses *edges.Uses) source {
	return r.clauses.Get(docIndex{doc, clause}, uses, func(uses *edges.Uses) source {
		uses.Doc(int(doc))
		f := &r.p.Files[doc]
		m := &f.File.Imports[clause]
		name := strings.TrimLeft(m.Module, ".")
		parts := strings.ReplaceAll(name, ".", "/")
		if dots := len(m.Module) - len(name); dots > 0 {
			return r.relative(facts.DirOf(f.Path), dots, parts, uses)
		}
		return r.absolute(doc, clause, parts, m, uses)
	})
}

func (r *Resolver) relative(dir string, dots int, parts string, uses *edges.Uses) source {
	for range dots - 1 {
		if dir == "" {
			return source{}
		}
		dir = facts.DirOf(dir)
	}
	m, ok := r.moduleAt(path.Join(dir, parts), uses)
	return source{m, ok}
}

// absolute finds the module among the files that the clause leads to: that
// whose path ends in the name of the module. The others are modules that the
// clause imports from it.
func (r *Resolver) absolute(doc, clause int32, parts string, m *facts.Import, uses *edges.Uses) source {
	docs := r.p.ImportedDocs(int(doc), int(clause))
	best := ""
	for _, d := range docs {
		stem := stemOf(r.p.Files[d].Path)
		if endsIn(stem, parts) && (best == "" || len(stem) < len(best)) {
			best = stem
		}
	}
	if own := stemOf(r.p.Files[doc].Path); best == "" && own == path.Join(r.sourceRoot(facts.DirOf(r.p.Files[doc].Path), uses), parts) {
		best = own // a module that imports itself
	}
	for _, d := range docs {
		if best != "" {
			break
		}
		stem := stemOf(r.p.Files[d].Path)
		for _, n := range m.Names {
			if endsIn(stem, parts+"/"+n.Name) {
				best = strings.TrimSuffix(stem, "/"+n.Name)
			}
		}
	}
	found, ok := r.moduleAt(best, uses)
	return source{found, ok}
}

// sourceRoot is the directory below which the modules of a directory are
// imported: the first one above that is no package.
func (r *Resolver) sourceRoot(dir string, uses *edges.Uses) string {
	for dir != "" {
		uses.Key(moduleKey + dir)
		if _, pkg := r.stems[dir]; !pkg {
			break
		}
		dir = facts.DirOf(dir)
	}
	return dir
}

func endsIn(stem, parts string) bool {
	rest, ok := strings.CutSuffix(stem, parts)
	return ok && (rest == "" || strings.HasSuffix(rest, "/"))
}

// imported is what one name of an import clause means.
func (r *Resolver) imported(doc, clause, name int32, uses *edges.Uses) []target {
	from := r.clause(doc, clause, uses)
	if !from.known {
		return []target{outside}
	}
	m := &r.p.Files[doc].File.Imports[clause]
	if name >= 0 {
		return r.attribute(from.module, m.Names[name].Name, doc, uses)
	}
	found := from.module
	if m.Alias == "" {
		// import a.b.c binds a.
		for range strings.Count(m.Module, ".") {
			found.stem = facts.DirOf(found.stem)
		}
		if found.stem != from.module.stem {
			var ok bool
			if found, ok = r.moduleAt(found.stem, uses); !ok {
				return []target{outside}
			}
		}
	}
	return []target{{def: noDef, module: found}}
}

// attribute is what a name means as an attribute of a module. An import inside
// the package's own file must not find itself, so that file's own names do not
// count where doc is the module.
func (r *Resolver) attribute(m module, name string, doc int32, uses *edges.Uses) []target {
	if m.doc >= 0 && m.doc != doc {
		if t := r.moduleName(m.doc, name, uses); len(t) > 0 {
			return t
		}
	}
	if m.doc >= 0 && !isInit(r.p.Files[m.doc].Path) {
		return nil
	}
	if sub, ok := r.moduleAt(path.Join(m.stem, name), uses); ok {
		return []target{{def: noDef, module: sub}}
	}
	return nil
}

func isInit(p string) bool {
	base := path.Base(p)
	return base == "__init__.py" || base == "__init__.pyi"
}

func firstPart(dotted string) string {
	first, _, _ := strings.Cut(dotted, ".")
	return first
}

func lastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }
