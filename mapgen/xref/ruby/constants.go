package ruby

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// exists tells whether the revision defines a constant.
func (r *Resolver) exists(path string, uses *edges.Uses) bool {
	uses.Key(constKey + path)
	return len(r.consts[path]) > 0
}

// nestingOf are the modules around a definition, innermost first, itself
// included.
func (r *Resolver) nestingOf(d def) []string {
	return r.nesting(r.file(d.doc), r.paths[d.doc], d.sym)
}

// constant is the path that a written constant means inside of modules, "" for
// none of the revision. It is none that is being defined, but.
func (r *Resolver) constant(nesting []string, name, but string, uses *edges.Uses) string {
	if rest, ok := strings.CutPrefix(name, "::"); ok {
		return r.within("", rest, uses)
	}
	first, rest, more := strings.Cut(name, "::")
	p := r.simple(nesting, first, but, uses)
	switch {
	case p == "" && more && r.exists(name, uses): // class A::B, with A outside
		return name
	case p == "" || !more:
		return p
	}
	return r.within(p, rest, uses)
}

// simple is the path of a constant without a qualifier: of the modules around,
// of the ancestors of the innermost one, of the top level.
func (r *Resolver) simple(nesting []string, name, but string, uses *edges.Uses) string {
	for _, n := range nesting {
		if p := joined(n, name); p != but && r.exists(p, uses) {
			return p
		}
	}
	if len(nesting) > 0 {
		if p := r.inherited(nesting[0], name, uses); p != "" {
			return p
		}
	}
	if r.exists(name, uses) {
		return name
	}
	return ""
}

// constant is the path that a written constant means at a place. Modules that
// a file includes at its level count last, those of tests for tests only.
func (c *context) constant(nesting []string, name, but string) string {
	r := c.r
	if p := r.constant(nesting, name, but, c.uses); p != "" && len(r.near(c.doc, r.consts[p])) > 0 || strings.HasPrefix(name, "::") {
		return p
	}
	c.uses.Key(mixedKey)
	for _, m := range r.mixed {
		if aside(&r.p.Files[m.doc]) && !aside(&r.p.Files[c.doc]) {
			continue
		}
		first, _, _ := strings.Cut(name, "::")
		if p := strings.TrimPrefix(m.name, "::"); r.exists(joined(p, first), c.uses) {
			return r.within(p, name, c.uses)
		}
	}
	return ""
}

// inherited is the path of a constant of an ancestor.
func (r *Resolver) inherited(class, name string, uses *edges.Uses) string {
	for _, a := range r.order(class, uses) {
		if a.path == "" || a.path == class {
			continue
		}
		if p := joined(a.path, name); r.exists(p, uses) {
			return p
		}
	}
	return ""
}

// within is the path of a constant inside of another one.
func (r *Resolver) within(p, rest string, uses *edges.Uses) string {
	for rest != "" {
		var name string
		name, rest, _ = strings.Cut(rest, "::")
		next := joined(p, name)
		if !r.exists(next, uses) {
			if p == "" {
				return ""
			}
			p = r.target(p, uses)
			if next = joined(p, name); !r.exists(next, uses) {
				if next = r.inherited(p, name, uses); next == "" {
					return ""
				}
			}
		}
		p = next
	}
	return p
}

// target follows a constant that stands for another one: A = B::C.
func (r *Resolver) target(p string, uses *edges.Uses) string {
	for range 5 {
		uses.Key(constKey + p)
		list := r.consts[p]
		if len(list) == 0 {
			return p
		}
		s := r.symbol(list[0])
		if s.Kind != facts.KindConstant || !isPath(s.Init) {
			return p
		}
		next := r.constant(r.nestingOf(list[0]), s.Init, p, uses)
		if next == "" || next == p {
			return p
		}
		p = next
	}
	return p
}

// isClassPath tells whether a path is that of a class or module.
func (r *Resolver) isClassPath(p string, uses *edges.Uses) bool {
	if !r.exists(p, uses) {
		return false
	}
	return isClass(r.symbol(r.consts[p][0]).Kind)
}

// definitions are those that a reference in a document to a constant leads to:
// of a class the opening that stands for it, of a constant all beside each other.
func (r *Resolver) definitions(doc int32, p string, uses *edges.Uses) []def {
	uses.Key(constKey + p)
	list := r.near(doc, r.consts[p])
	if len(list) < 2 {
		return list
	}
	best := list[0]
	if isClass(r.symbol(best).Kind) {
		return []def{best}
	}
	var out []def
	for _, d := range list {
		if d.doc == best.doc {
			out = append(out, d)
		}
	}
	return out
}

// visible tells whether a document can mean a definition: what stands in tests
// and the like is seen there only, near by.
func (r *Resolver) visible(doc int32, d def) bool {
	to, from := &r.p.Files[d.doc], &r.p.Files[doc]
	if d.doc == doc || !aside(to) {
		return true
	}
	return aside(from) && (facts.CommonDirs(from.Path, to.Path) > 0 || facts.DirOf(from.Path) == facts.DirOf(to.Path))
}

// near puts the definition first that a document most likely means: one of its
// own where all others are of tests, else the foremost; where a tree holds
// several programs, that of its own.
func (r *Resolver) near(doc int32, list []def) []def {
	program := false
	for _, d := range list {
		program = program || !aside(&r.p.Files[d.doc])
	}
	var kept []def
	for _, d := range list {
		switch {
		case !r.visible(doc, d), program && aside(&r.p.Files[d.doc]):
		case !program && d.doc == doc:
			return []def{d}
		default:
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	best, most := 0, -1
	for i, d := range kept {
		if n := facts.CommonDirs(r.p.Files[doc].Path, r.p.Files[d.doc].Path); n > most && r.rival(kept[0], d) {
			best, most = i, n
		}
	}
	kept[0], kept[best] = kept[best], kept[0]
	return kept
}

// rival tells whether a definition can stand for a constant as well as the
// foremost one: it lies in a file of the same name.
func (r *Resolver) rival(first, d def) bool {
	return baseName(r.p.Files[first.doc].Path) == baseName(r.p.Files[d.doc].Path)
}

func baseName(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

func isConstantName(name string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(name, "::"))
	return unicode.IsUpper(first)
}

// isPath tells whether a shape is a constant or a path of constants.
func isPath(shape string) bool {
	return isConstantName(shape) && !strings.ContainsAny(shape, ".()[]{}#? ")
}
