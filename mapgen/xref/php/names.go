package php

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// top are the definitions of a whole name, as seen from a document: its own, or
// of several files that define one (fixtures of tests, variants of a file) those
// that share most of their path with it.
func (r *Resolver) top(doc int32, of sort, whole string, uses *edges.Uses) []def {
	n := key{of, folded(of, whole)}
	uses.Key(n.group(topKey))
	list := r.tops[n]
	if len(list) < 2 {
		return list
	}
	var out []def
	best := -1
	for _, d := range list {
		near := facts.CommonDirs(r.p.Files[doc].Path, r.p.Files[d.doc].Path)
		if d.doc == doc {
			near = 1 << 20
		}
		switch {
		case near > best:
			best, out = near, []def{d}
		case near == best:
			out = append(out, d)
		}
	}
	return out
}

// whole is the whole name that a name of a class means in a file; so it does for
// a name of anything behind a namespace.
func (r *Resolver) whole(doc int32, written string, uses *edges.Uses) string {
	if rest, ok := strings.CutPrefix(written, `\`); ok {
		return rest
	}
	o := r.outline(doc, uses)
	first, rest, more := strings.Cut(written, `\`)
	if strings.EqualFold(first, "namespace") && more {
		return joined(o.f.Package, rest)
	}
	if module := o.aliases[strings.ToLower(first)]; module != "" {
		if more {
			return module + `\` + rest
		}
		return module
	}
	return joined(o.f.Package, written)
}

// classes are the classes that a name means in a file.
func (r *Resolver) classes(doc int32, written string, uses *edges.Uses) []def {
	return r.top(doc, ofClass, r.whole(doc, written, uses), uses)
}

// named are the functions or constants that a name means in a file: a name
// alone means one of a use clause, of the namespace, or of no namespace.
func (r *Resolver) named(doc int32, of sort, written string, uses *edges.Uses) []def {
	if strings.Contains(written, `\`) {
		return r.top(doc, of, r.whole(doc, written, uses), uses)
	}
	o := r.outline(doc, uses)
	// A clause for a class of that name says nothing of functions.
	if module := o.aliases[strings.ToLower(written)]; module != "" {
		if list := r.top(doc, of, module, uses); len(list) > 0 {
			return list
		}
	}
	if o.f.Package != "" {
		if list := r.top(doc, of, joined(o.f.Package, written), uses); len(list) > 0 {
			return list
		}
	}
	return r.top(doc, of, written, uses)
}

func distinct(list []def) []def {
	out := list[:0:0]
	for _, d := range list {
		if !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// looksLikeClass tells Name from name, by which constructions and calls of
// functions are told: they have the same form in the facts.
func looksLikeClass(name string) bool {
	return name != "" && (name[0] >= 'A' && name[0] <= 'Z')
}
