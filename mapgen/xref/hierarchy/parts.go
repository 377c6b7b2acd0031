package hierarchy

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

const (
	// maxParts bounds the definitions of one type; more are taken apart, for then
	// it is a namespace.
	maxParts = 64
	// maxIncluded bounds how many files one is taken to include.
	maxIncluded = 4000
)

// all lists the definitions that make up a type, sorted.
func (h *hierarchy) all(d Definition) []Definition {
	if list := h.parts[d]; list != nil {
		return list
	}
	return []Definition{d}
}

// leads tells whether a definition is the first with bases of those of its type.
func (h *hierarchy) leads(d Definition) bool {
	for _, p := range h.all(d) {
		if p == d {
			return true
		}
		if len(h.bases[p]) > 0 {
			return false
		}
	}
	return true
}

// join finds the definitions that are one type: partial classes of C# in one
// project, and classes and modules of Ruby that are opened again.
func (h *hierarchy) join() {
	projects := map[string]bool{}
	for i := range h.p.Files {
		if p := h.p.Files[i].Path; path.Ext(p) == ".csproj" {
			projects[facts.DirOf(p)] = true
		}
	}
	groups := map[string][]Definition{}
	var keys []string
	for doc := range h.p.Files {
		f := h.p.Files[doc].File
		if f.Family != rubyFamily && f.Family != csharpFamily {
			continue
		}
		project := ""
		if f.Family == csharpFamily {
			for project = facts.DirOf(h.p.Files[doc].Path); project != "" && !projects[project]; {
				project = facts.DirOf(project)
			}
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if !isType(s) || s.Flags&facts.InBody != 0 || f.Family == csharpFamily && !says(s, "partial") {
				continue
			}
			key := f.Family + " " + project + " " + fullName(f, int32(i))
			if len(groups[key]) == 0 {
				keys = append(keys, key)
			}
			groups[key] = append(groups[key], Definition{int32(doc), int32(i)})
		}
	}
	for _, k := range keys {
		if list := groups[k]; len(list) > 1 && len(list) <= maxParts {
			for _, d := range list {
				h.parts[d] = list
			}
		}
	}
}

// fullName is the name of a type with what it lies in. Types of C# with other
// numbers of type parameters are others.
func fullName(f *facts.File, symbol int32) string {
	s := &f.Symbols[symbol]
	name := s.Name
	if n := len(typeParameters(s)); n > 0 && f.Family == csharpFamily {
		name += "`" + string(rune('0'+min(n, 9)))
	}
	switch {
	case s.Parent >= 0:
		return fullName(f, s.Parent) + "." + name
	case f.Family == csharpFamily:
		return f.Package + "." + name
	case s.Container != "":
		return strings.ReplaceAll(s.Container, "::", ".") + "." + name
	}
	return name
}

// linked puts the definitions of functions of C and C++ in the place of what is
// only declared, as the edges of references do.
func (h *hierarchy) linked(relations []Relation) {
	// Functions outside of their class, by its name and theirs; made when first
	// asked.
	var outside map[string][]Definition
	known := map[Definition]Definition{}
	definition := func(d Definition) Definition {
		s, f := h.symbol(d), h.file(d)
		if f.Family != cFamily || s.Flags&facts.Declaration == 0 || s.Kind != facts.KindMethod && s.Kind != facts.KindFunction {
			return d
		}
		if out, ok := known[d]; ok {
			return out
		}
		if outside == nil {
			outside = h.outside()
		}
		known[d] = d
		var found []Definition
		for _, o := range outside[s.Container+"."+s.Name] {
			m := member{f, h.symbol(o), true}
			if len(m.s.Params) == len(s.Params) && m.sameParameters(&facts.Symbol{}, s) && h.includes(o.Doc, d.Doc) {
				found = append(found, o)
			}
		}
		if len(found) > 0 {
			known[d] = found[0] // variants of one function
		}
		return known[d]
	}
	for i := range relations {
		r := &relations[i]
		r.Derived, r.Base = definition(r.Derived), definition(r.Base)
	}
}

func (h *hierarchy) outside() map[string][]Definition {
	out := map[string][]Definition{}
	for doc := range h.p.Files {
		f := h.p.Files[doc].File
		if f.Family != cFamily {
			continue
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if s.Kind != facts.KindMethod && s.Kind != facts.KindFunction || s.Flags&(facts.Declaration|facts.InBody) != 0 || s.Container == "" {
				continue
			}
			if s.Parent < 0 || f.Symbols[s.Parent].Kind == facts.KindModule {
				owner := s.Container[strings.LastIndexByte(s.Container, ':')+1:]
				out[owner+"."+s.Name] = append(out[owner+"."+s.Name], Definition{int32(doc), int32(i)})
			}
		}
	}
	return out
}

// includes tells whether a file includes another one, directly or not.
func (h *hierarchy) includes(from, to int32) bool {
	seen := h.included[from]
	if seen == nil {
		seen = map[int32]bool{from: true}
		queue := []int32{from}
		for i := 0; i < len(queue) && len(queue) < maxIncluded; i++ {
			for _, t := range h.p.Targets[queue[i]] {
				if d := int32(t.Doc); d >= 0 && !seen[d] {
					seen[d] = true
					queue = append(queue, d)
				}
			}
		}
		h.included[from] = seen
	}
	return seen[to]
}
