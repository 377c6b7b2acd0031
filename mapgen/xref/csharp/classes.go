package csharp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// class is a type of the revision with all its parts. Definitions of one full
// name are one class where they belong to one project: parts, or variants of
// which the build takes one.
type class struct {
	full, project string
	key           string // of the group of its simple name
	parts         []def
	members       map[string][]def // made when first asked
}

const noClass = int32(-1)

func withArity(name string, n int) string {
	if n == 0 {
		return name
	}
	return name + "`" + strconv.Itoa(n)
}

func (r *Resolver) addPart(d def, full, simple, project string) {
	for _, c := range r.byFull[full] {
		if r.classes[c].project == project {
			r.classes[c].parts = append(r.classes[c].parts, d)
			r.classAt[d] = c
			return
		}
	}
	c := int32(len(r.classes))
	r.classes = append(r.classes, class{full: full, project: project, key: typeKey + simple, parts: []def{d}})
	r.byFull[full] = append(r.byFull[full], c)
	r.bySimple[simple] = append(r.bySimple[simple], c)
	r.classAt[d] = c
}

// find are the classes of a full name as seen from a document: that of its
// project, or else those that share most of their path with it.
func (r *Resolver) find(doc int32, full string, uses *edges.Uses) []int32 {
	list := r.byFull[full]
	if len(list) == 1 {
		uses.Key(r.classes[list[0]].key)
		return list
	}
	uses.Key(typeKey + full[strings.LastIndexByte(full, '.')+1:])
	return r.nearest(doc, list, uses)
}

// nearest are those of several classes of one full name that a document means.
func (r *Resolver) nearest(doc int32, list []int32, uses *edges.Uses) []int32 {
	if len(list) < 2 {
		return list
	}
	uses.Key(projectKey + r.dir(doc))
	project := r.project(doc)
	var out []int32
	best := -1
	for _, c := range list {
		if r.classes[c].project == project {
			return []int32{c}
		}
		n := facts.CommonDirs(r.p.Files[doc].Path, r.p.Files[r.classes[c].parts[0].doc].Path)
		switch {
		case n > best:
			best, out = n, []int32{c}
		case n == best:
			out = append(out, c)
		}
	}
	return out
}

// read notes that a class is needed.
func (r *Resolver) read(c int32, uses *edges.Uses) *class {
	k := &r.classes[c]
	uses.Key(k.key)
	for _, d := range k.parts {
		uses.Doc(int(d.doc))
	}
	return k
}

// kindOf is what sort of type a class is.
func (r *Resolver) kindOf(c int32) facts.Kind { return r.symbol(r.classes[c].parts[0]).Kind }

// children are the members that a class itself has by a name, in all its parts.
func (r *Resolver) children(c int32, name string, uses *edges.Uses) []def {
	k := r.read(c, uses)
	if k.members == nil {
		k.members = map[string][]def{}
		for _, d := range k.parts {
			f := r.file(d.doc)
			for _, i := range r.inside(d) {
				if s := &f.Symbols[i]; s.Flags&facts.InBody == 0 {
					k.members[s.Name] = append(k.members[s.Name], def{d.doc, i})
				}
			}
		}
	}
	return k.members[name]
}

// inside are the definitions directly inside one.
func (r *Resolver) inside(d def) []int32 {
	if r.inner[d.doc] == nil {
		symbols := r.file(d.doc).Symbols
		r.inner[d.doc] = make([][]int32, len(symbols))
		for i := range symbols {
			if p := symbols[i].Parent; p >= 0 {
				r.inner[d.doc][p] = append(r.inner[d.doc][p], int32(i))
			}
		}
	}
	return r.inner[d.doc][d.sym]
}

// environment is what the using directives of a file and its project bring.
type environment struct {
	// docs are the files that say so.
	docs []int32
	// namespaces and statics are imported, aliases name namespaces or types.
	namespaces, statics []string
	key                 string // of the group of the project
	aliases             map[string]string
}

// env gives the environment of a file and notes what it depends on.
func (r *Resolver) env(doc int32, uses *edges.Uses) *environment {
	e := r.envs[doc]
	if e == nil {
		e = &environment{aliases: map[string]string{}, key: projectKey + r.dir(doc)}
		r.include(e, doc, false)
		for _, d := range r.shares(r.project(doc)) {
			r.include(e, d, d != doc)
		}
		if r.file(doc).Language == razor {
			for _, d := range r.shared(r.dir(doc)) {
				if d != doc {
					r.include(e, d, false)
				}
			}
		}
		if i, ok := r.p.ByPath[r.p.Files[doc].Path+".cs"]; ok && r.file(doc).Language == razor {
			e.docs = append(e.docs, int32(i))
		}
		r.envs[doc] = e
	}
	uses.Key(e.key)
	for _, d := range e.docs {
		uses.Doc(int(d))
	}
	return e
}

func (r *Resolver) include(e *environment, doc int32, globalOnly bool) {
	if !slices.Contains(e.docs, doc) {
		e.docs = append(e.docs, doc)
	}
	f := r.file(doc)
	for i := range f.Imports {
		m := &f.Imports[i]
		switch {
		case globalOnly && !isGlobal(*m):
		case m.Alias != "":
			if _, taken := e.aliases[m.Alias]; !taken {
				e.aliases[m.Alias] = m.Module
			}
		case len(m.Names) > 0:
			e.statics = append(e.statics, m.Module)
		case !slices.Contains(e.namespaces, m.Module):
			e.namespaces = append(e.namespaces, m.Module)
		}
	}
}

// around lists a namespace and those it lies in, from the inside out, the global
// one last.
func (r *Resolver) around(d def) []string {
	namespace := r.namespace(d)
	out, ok := r.spaces[namespace]
	if !ok {
		for n := namespace; n != ""; n = n[:max(0, strings.LastIndexByte(n, '.'))] {
			out = append(out, n)
		}
		out = append(out, "")
		r.spaces[namespace] = out
	}
	return out
}
