package cfamily

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// want is how a name is used.
type want uint8

const (
	wantType want = iota
	wantCall
	wantRead
	wantSpace
)

// rank tells how well a kind fits a use: 0 well, 1 and 2 in want of better ones,
// -1 not at all.
func (w want) rank(s *facts.Symbol) int {
	k := s.Kind
	switch w {
	case wantType:
		switch {
		case isType(k):
			return 0
		case k == facts.KindMacro:
			return 1
		case isFunction(k) || k == facts.KindModule:
			return -1
		}
		return 2
	case wantSpace:
		if k == facts.KindModule {
			return 0
		}
		return -1
	}
	switch {
	case isFunction(k) || isVariable(k) || k == facts.KindMacro:
		return 0
	case isType(k):
		return 1
	}
	return 2
}

// fits are the definitions of a list that fit a use best.
func (r *Resolver) fits(list []def, w want, tag string) []def {
	best := 3
	for _, d := range list {
		if k := w.rank(r.symbol(d)); k >= 0 {
			best = min(best, k)
		}
	}
	out := make([]def, 0, len(list))
	for _, d := range list {
		s := r.symbol(d)
		if w.rank(s) != best || tag != "" && isType(s.Kind) && (s.Kind == facts.KindType || (tag == "enum") != (s.Kind == facts.KindEnum)) {
			continue
		}
		out = append(out, d)
	}
	if w == wantType && tag == "" {
		out = r.withoutTags(out)
	}
	return r.withoutSpecial(out)
}

// withoutTags drops structures of C that only a tag names where a typedef has the
// name too.
func (r *Resolver) withoutTags(list []def) []def {
	if !slices.ContainsFunc(list, func(d def) bool { return r.symbol(d).Kind == facts.KindType }) {
		return list
	}
	return slices.DeleteFunc(list, func(d def) bool {
		s := r.symbol(d)
		return r.plainC(d.doc) && (isClass(s.Kind) || s.Kind == facts.KindEnum) && !strings.HasPrefix(s.Signature, "typedef ")
	})
}

// withoutConstants drops macros without parameters where a type has the name of
// what is called, for (T)(x) reads like a call.
func (r *Resolver) withoutConstants(list []def, w want) []def {
	if w != wantCall || !slices.ContainsFunc(list, func(d def) bool { return isType(r.symbol(d).Kind) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(d def) bool {
		s := r.symbol(d)
		return s.Kind == facts.KindMacro && len(s.Params) == 0
	})
}

// withoutSpecial drops specialisations of templates of classes where the template
// itself is there.
func (r *Resolver) withoutSpecial(list []def) []def {
	special := func(d def) bool { return isClass(r.symbol(d).Kind) && r.specialised(d) }
	if len(list) < 2 || !slices.ContainsFunc(list, func(d def) bool { return isClass(r.symbol(d).Kind) && !r.specialised(d) }) {
		return list
	}
	return slices.DeleteFunc(list, special)
}

// found is what a name means at the level of namespaces.
type found struct {
	list []def
	// how tells by what rule: in a namespace around, in another one, or in a file
	// that is not included.
	how how
}

type how uint8

const (
	byScope   how = iota
	bySpace       // in a namespace that is not around: named by using, or by an argument
	byProgram     // in a file that is not included
)

// global looks a name up in the namespaces around a place, then in all that the
// file includes, then in the rest of the revision.
func (r *Resolver) global(doc int32, spaces []string, name string, w want, tag string, uses *edges.Uses) found {
	all := r.tops[name]
	if len(all) == 0 {
		uses.Key(topKey + name)
		return found{}
	}
	key := globalName{doc, spaces[0], name, tag, w}
	g, ok := r.globals[key]
	if !ok {
		own := &edges.Uses{}
		g.found = r.findGlobal(doc, spaces, name, w, tag, own)
		g.searched = slices.Contains(own.Keys(), topKey+name)
		r.globals[key] = g
	}
	r.visible(doc, uses)
	if g.searched {
		uses.Key(topKey + name)
	}
	return g.found
}

type globalName struct {
	doc              int32
	space, name, tag string
	w                want
}

// known is what is remembered of a name, and whether all of the revision was
// searched for it.
type known struct {
	found    found
	searched bool
}

func (r *Resolver) findGlobal(doc int32, spaces []string, name string, w want, tag string, uses *edges.Uses) found {
	all := r.tops[name]
	seen := r.visible(doc, uses)
	var visible, others []def
	for _, d := range all {
		if seen.has(d.doc) {
			visible = append(visible, d)
		} else if r.shared(d) {
			others = append(others, d)
		}
	}
	pick := func(list []def) ([]def, bool) {
		list = r.withoutConstants(list, w)
		for rank := 0; rank < 3; rank++ {
			for _, space := range spaces {
				var in []def
				for _, d := range list {
					if r.outlines[d.doc].spaces[d.sym] == space && w.rank(r.symbol(d)) == rank {
						in = append(in, d)
					}
				}
				if in = r.fits(in, w, tag); len(in) > 0 {
					return in, true
				}
			}
		}
		return nil, false
	}
	if in, ok := pick(visible); ok {
		return found{in, byScope}
	}
	if in := r.oneSpace(r.fits(visible, w, tag)); len(in) > 0 {
		return found{in, bySpace}
	}
	uses.Key(topKey + name)
	if in, ok := pick(others); ok {
		if in = r.nearest(doc, in, uses); len(in) > 0 {
			return found{in, byProgram}
		}
	}
	if in := r.nearest(doc, r.oneSpace(r.fits(others, w, tag)), uses); len(in) > 0 && w.rank(r.symbol(in[0])) == 0 {
		return found{in, byProgram}
	}
	return found{}
}

// shared tells whether a definition can be meant by a file that does not include
// it.
func (r *Resolver) shared(d def) bool {
	s := r.symbol(d)
	return s.Visibility != facts.Private || isType(s.Kind) || s.Kind == facts.KindEnumMember
}

// oneSpace gives a list whose definitions all stand in one namespace, or nothing.
func (r *Resolver) oneSpace(list []def) []def {
	for _, d := range list {
		if r.outlines[d.doc].spaces[d.sym] != r.outlines[list[0].doc].spaces[list[0].sym] {
			return nil
		}
	}
	return list
}

// nearest are the definitions of one of the files that are not included: of those
// that the files see which include this one, or else of those in the deepest
// directory that holds the file that asks, too. Nothing where several are as near.
func (r *Resolver) nearest(doc int32, list []def, uses *edges.Uses) []def {
	if len(list) < 2 {
		return list
	}
	uses.Key(includerKey + r.p.Files[doc].Path)
	around := r.includers[doc]
	if len(around) > 0 && len(around) <= maxIncluders {
		var seen []def
		for _, d := range list {
			if slices.ContainsFunc(around, func(i int32) bool { return r.visible(i, uses).has(d.doc) }) {
				seen = append(seen, d)
			}
		}
		if len(seen) > 0 {
			list = seen
		}
	}
	dir := facts.DirOf(r.p.Files[doc].Path)
	best := -1
	var out []def
	for _, d := range list {
		n := commonPrefix(dir, facts.DirOf(r.p.Files[d.doc].Path))
		if n > best {
			best, out = n, nil
		}
		if n == best {
			out = append(out, d)
		}
	}
	// Declarations and their definition are one.
	var real []def
	for _, d := range out {
		if r.symbol(d).Flags&facts.Declaration == 0 {
			real = append(real, d)
		}
	}
	if len(real) > 0 {
		out = real
	}
	for _, d := range out {
		if d.doc != out[0].doc {
			return nil
		}
	}
	return out
}

// maxIncluders bounds the files that include one which are asked what they see.
const maxIncluders = 24

// commonPrefix counts the directories that two paths start with alike.
func commonPrefix(a, b string) int {
	n := 0
	for i := 0; ; i++ {
		endA, endB := i == len(a) || a[i] == '/', i == len(b) || b[i] == '/'
		if endA && endB && i > 0 {
			n++
		}
		if i == len(a) || i == len(b) || a[i] != b[i] {
			return n
		}
	}
}

// typeDefs are the types that a path of names means inside a definition.
func (r *Resolver) typeDefs(at def, path []string, tag string, uses *edges.Uses) []def {
	if len(path) == 0 {
		return nil
	}
	return r.named.Get(nameAt{at, tag + " " + strings.Join(path, "::")}, uses, func(uses *edges.Uses) []def {
		if len(path) > 1 {
			q := r.qualified(at, path[:len(path)-1], path[len(path)-1], wantType, uses)
			return r.onlyTypes(q.list)
		}
		c := r.chain(at, uses)
		for _, l := range c.levels {
			if list := r.onlyTypes(r.inLevel(l, path[0], uses)); len(list) > 0 {
				return r.fits(list, wantType, tag)
			}
		}
		return r.onlyTypes(r.global(at.doc, c.spaces, path[0], wantType, tag, uses).list)
	})
}

// onlyTypes keeps types and macros that may stand for one.
func (r *Resolver) onlyTypes(list []def) []def {
	var out []def
	for _, d := range list {
		if s := r.symbol(d); isType(s.Kind) || s.Kind == facts.KindMacro {
			out = append(out, d)
		}
	}
	return r.withoutSpecial(out)
}

// specialised tells a specialisation of a template.
func (r *Resolver) specialised(d def) bool {
	s := r.symbol(d)
	rest, ok := strings.CutPrefix(s.Signature, "template")
	if !ok {
		return false
	}
	if strings.HasPrefix(strings.ReplaceAll(rest, " ", ""), "<>") {
		return true
	}
	if !isClass(s.Kind) {
		return false
	}
	i := strings.LastIndex(rest, " "+s.Name+"<")
	j := strings.LastIndex(rest, " "+s.Name+" <")
	return i >= 0 || j >= 0
}

// inLevel are the definitions of a name in a class around, or in a body around.
func (r *Resolver) inLevel(l level, name string, uses *edges.Uses) []def {
	if l.class {
		if r.symbol(l.def).Name == name && r.specialised(l.def) {
			return nil
		}
		m := r.members(l.def, name, uses)
		return m.list
	}
	var out []def
	for _, c := range r.children(l.def, name, uses) {
		out = append(out, def{l.def.doc, c})
	}
	return out
}

// qualified is what path::name means inside a definition.
func (r *Resolver) qualified(at def, path []string, name string, w want, uses *edges.Uses) found {
	if path[0] == "std" {
		return found{}
	}
	// A namespace.
	c := r.chain(at, uses)
	space := strings.Join(path, "::")
	var spaces []string
	for _, s := range c.spaces {
		spaces = append(spaces, joined(s, space))
	}
	seen := r.visible(at.doc, uses)
	in := func(visible bool, fit func(string) bool) []def {
		var out []def
		for _, d := range r.tops[name] {
			if seen.has(d.doc) == visible && (visible || r.shared(d)) && fit(r.outlines[d.doc].spaces[d.sym]) {
				out = append(out, d)
			}
		}
		return r.fits(out, w, "")
	}
	for _, s := range spaces {
		if list := in(true, func(x string) bool { return x == s }); len(list) > 0 {
			return found{list, byScope}
		}
	}
	// A class or an enumeration.
	for _, d := range r.typeDefs(at, path, "", uses) {
		if m := r.within(d, name, uses); len(m.list) > 0 {
			return found{r.fits(m.list, w, ""), m.how}
		}
	}
	suffix := func(x string) bool { // inline namespaces, aliases of namespaces
		return x == space || strings.HasSuffix(x, "::"+space) || strings.HasPrefix(x, space+"::") && !strings.Contains(x[len(space)+2:], "::")
	}
	if list := r.oneSpace(in(true, suffix)); len(list) > 0 {
		return found{list, bySpace}
	}
	// A namespace that a macro opens is none to the facts.
	uses.Key(topKey + opened + path[0])
	uses.Key(topKey + path[0])
	if len(r.tops[opened+path[0]]) > 0 || slices.ContainsFunc(r.tops[path[0]], func(d def) bool { return r.symbol(d).Kind == facts.KindModule }) {
		rest := strings.Join(path[1:], "::")
		if list := in(true, func(x string) bool { return x == rest }); len(list) > 0 {
			return found{list, byScope}
		}
		if len(path) > 1 {
			if q := r.qualified(at, path[1:], name, w, uses); len(q.list) > 0 {
				return q
			}
		}
	}
	uses.Key(topKey + name)
	if list := r.nearest(at.doc, in(false, suffix), uses); len(list) > 0 {
		return found{list, byProgram}
	}
	return found{}
}

// within are the definitions of a name inside a type.
func (r *Resolver) within(d def, name string, uses *edges.Uses) found {
	for range 10 {
		s := r.symbol(d)
		uses.Doc(int(d.doc))
		switch {
		case isClass(s.Kind):
			m := r.members(d, name, uses)
			if len(m.list) == 0 && name == s.Name {
				return found{[]def{d}, byScope}
			}
			how := byScope
			if m.weak {
				how = bySpace
			}
			return found{m.list, how}
		case s.Kind == facts.KindEnum:
			var out []def
			for _, c := range r.children(d, name, uses) {
				out = append(out, def{d.doc, c})
			}
			return found{out, byScope}
		case s.Kind == facts.KindType:
			t := r.alias(d, uses)
			if t.kind != instance || t.stars > 0 {
				return found{}
			}
			d = t.def
		default:
			return found{}
		}
	}
	return found{}
}
