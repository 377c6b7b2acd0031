package csharp

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// nameAt is a name of a type with its number of arguments, asked inside a
// definition.
type nameAt struct {
	doc, sym int32
	name     string
}

// maxPath bounds the parts of a qualified name.
const maxPath = 16

// typePath are the types that a dotted name means inside a definition: a type
// with types inside it, or one behind the name of its namespace.
func (r *Resolver) typePath(doc, sym int32, path []segment, uses *edges.Uses) []int32 {
	if len(path) == 0 || len(path) > maxPath {
		return nil
	}
	if list := r.typeName(doc, sym, path[0].name, len(path[0].args), uses); len(list) > 0 {
		return r.innerTypes(list, path[1:], uses)
	}
	if len(path) == 1 {
		return nil
	}
	prefix := path[0].name
	spaces := r.around(def{doc, sym})
	if a, ok := r.env(doc, uses).aliases[prefix]; ok {
		prefix, spaces = strings.TrimPrefix(a, "global::"), []string{""}
	}
	for _, space := range spaces {
		name := joined(space, prefix)
		for i, seg := range path[1:] {
			if list := r.find(doc, name+"."+withArity(seg.name, len(seg.args)), uses); len(list) > 0 {
				return r.innerTypes(list, path[i+2:], uses)
			}
			name += "." + seg.name
		}
	}
	return nil
}

func (r *Resolver) innerTypes(list []int32, path []segment, uses *edges.Uses) []int32 {
	for _, seg := range path {
		var next []int32
		for _, c := range list {
			next = append(next, r.memberTypes(c, withArity(seg.name, len(seg.args)), uses)...)
		}
		list = next
	}
	return list
}

// memberTypes are the types of a name inside a class or what it inherits from.
func (r *Resolver) memberTypes(c int32, name string, uses *edges.Uses) []int32 {
	uses.Key(typeKey + name)
	if len(r.bySimple[name]) == 0 {
		return nil
	}
	for _, a := range r.order(c, uses) {
		if a.class == noClass {
			continue
		}
		if list := r.byFull[r.classes[a.class].full+"."+name]; len(list) > 0 {
			return r.nearest(r.owner(a.class).doc, list, uses)[:1]
		}
	}
	return nil
}

// typeName are the types that a simple name means inside a definition: those
// around it and what is inside them or their bases, then of the namespaces
// around, aliases, and imported namespaces.
func (r *Resolver) typeName(doc, sym int32, name string, arity int, uses *edges.Uses) []int32 {
	full := withArity(name, arity)
	f := r.file(doc)
	for sym >= 0 && f.Symbols[sym].Kind != facts.KindModule && !isType(f.Symbols[sym].Kind) {
		sym = f.Symbols[sym].Parent // what is no type has none inside
	}
	key := nameAt{doc, sym, full}
	list, ok := r.quick.named[key]
	if ok && uses == r.quick.uses {
		return list
	}
	found := r.named.Get(key, uses, func(uses *edges.Uses) *[]int32 {
		list := r.typeNamed(doc, sym, name, arity, uses)
		return &list
	})
	if found == nil {
		return nil // cut short
	}
	if uses == r.quick.uses && uses != nil {
		r.quick.named[key] = *found
	}
	return *found
}

func (r *Resolver) typeNamed(doc, sym int32, name string, arity int, uses *edges.Uses) []int32 {
	f, full := r.file(doc), withArity(name, arity)
	uses.Doc(int(doc))
	uses.Key(typeKey + full)
	for s := sym; s >= 0; s = f.Symbols[s].Parent {
		c, ok := r.classAt[def{doc, s}]
		if !ok {
			continue
		}
		if k := &f.Symbols[s]; k.Name == name && len(r.typeParams(def{doc, s})) == arity {
			return []int32{c}
		}
		if list := r.memberTypes(c, full, uses); len(list) > 0 {
			return list
		}
	}
	e := r.env(doc, uses)
	for _, space := range r.around(def{doc, sym}) {
		if a, ok := e.aliases[name]; ok && space == "" && arity == 0 {
			t := r.typeText(strings.TrimPrefix(a, "global::"))
			if len(t.path) == 1 && t.path[0].name == name {
				break
			}
			return r.typePath(doc, -1, t.path, uses)
		}
		if list := r.byFull[joined(space, full)]; len(list) > 0 {
			return r.nearest(doc, list, uses)
		}
	}
	if len(r.bySimple[full]) == 0 {
		return nil
	}
	var out []int32
	for _, n := range e.namespaces {
		for _, space := range r.around(def{doc, sym}) {
			if list := r.byFull[joined(space, n)+"."+full]; len(list) > 0 {
				out = append(out, r.nearest(doc, list, uses)...)
				break
			}
		}
	}
	for _, n := range e.statics {
		for _, c := range r.typePath(doc, -1, r.typeText(n).path, uses) {
			out = append(out, r.memberTypes(c, full, uses)...)
		}
	}
	return r.usable(doc, distinct(out), uses)
}

// usable are those of several types that the project of a file defines or
// references, for what it imports under a condition may not hold: all where that
// leaves none.
func (r *Resolver) usable(doc int32, list []int32, uses *edges.Uses) []int32 {
	if len(list) < 2 {
		return list
	}
	near := r.nearProjects(doc, uses)
	var out []int32
	for _, c := range list {
		if _, ok := near.level[r.classes[c].project]; ok || near.linked[r.owner(c).doc] {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		return out
	}
	return list
}

// typesOf are the types that a dotted name means, and whether they are known only
// from the project.
func (r *Resolver) typesOf(doc, sym int32, path []segment, uses *edges.Uses) (list []int32, guessed bool) {
	if list := r.typePath(doc, sym, path, uses); len(list) > 0 || len(path) == 0 {
		return list, false
	}
	if list = r.ofProject(doc, path[0].name, len(path[0].args), uses); len(list) > 0 {
		list = r.innerTypes(list, path[1:], uses)
	}
	return list, true
}

// ofProject are the types of a simple name that the project of a file or one
// that it references defines, for projects can import namespaces for all their
// files: an answer only where one is nearer than all others.
func (r *Resolver) ofProject(doc int32, name string, arity int, uses *edges.Uses) []int32 {
	if !upper(name) {
		return nil
	}
	full := withArity(name, arity)
	uses.Key(typeKey + full)
	list := r.bySimple[full]
	if len(list) == 0 || libraryName(name) {
		return nil
	}
	near := r.nearProjects(doc, uses)
	found, best, tie := noClass, 0, false
	for _, c := range list {
		part := r.symbol(r.classes[c].parts[0])
		level, ok := near.level[r.classes[c].project]
		if near.linked[r.owner(c).doc] {
			level, ok = 0, true
		}
		// What lies inside another type is not imported with a namespace.
		if !ok || part.Parent >= 0 && isType(r.file(r.owner(c).doc).Symbols[part.Parent].Kind) {
			continue
		}
		uses.Doc(int(r.owner(c).doc))
		if part.Visibility != facts.Public && level > 0 {
			level += maxProjects // seen by friends only
		}
		switch {
		case found == noClass || level < best:
			found, best, tie = c, level, false
		case level == best:
			tie = true
		}
	}
	if found == noClass || tie {
		return nil
	}
	return []int32{found}
}

// maxProjects bounds how many projects one references.
const maxProjects = 100

// nearProjects are the project of a file and those that it references, with how
// far they are.
func (r *Resolver) nearProjects(doc int32, uses *edges.Uses) *projects {
	uses.Key(projectKey + r.dir(doc))
	project := r.project(doc)
	near, ok := r.references[project]
	if !ok {
		near = &projects{level: map[string]int{project: 0}, linked: map[int32]bool{}}
		queue := []string{project}
		for i := 0; i < len(queue) && len(queue) < maxProjects; i++ {
			for _, p := range r.projects[queue[i]] {
				near.docs = append(near.docs, p)
				for _, t := range r.p.Targets[p] {
					if i == 0 && t.Doc >= 0 && r.file(int32(t.Doc)).Family == family {
						near.linked[int32(t.Doc)] = true
					}
					if t.Doc < 0 || !strings.HasSuffix(r.p.Files[t.Doc].Path, ".csproj") {
						continue
					}
					if _, seen := near.level[t.Dir]; !seen {
						near.level[t.Dir] = near.level[queue[i]] + 1
						queue = append(queue, t.Dir)
					}
				}
			}
		}
		r.references[project] = near
	}
	for _, p := range near.docs {
		uses.Doc(int(p))
	}
	return near
}

// projects are those that one can use, with how far they are, and the files that
// say so.
type projects struct {
	docs  []int32
	level map[string]int
	// linked are files of other projects that are compiled into this one.
	linked map[int32]bool
}

func (r *Resolver) dir(doc int32) string { return facts.DirOf(r.p.Files[doc].Path) }

func distinct(list []int32) []int32 {
	out := list[:0:0]
	for _, c := range list {
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

// upper tells a name that starts like that of a type or member.
func upper(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}
