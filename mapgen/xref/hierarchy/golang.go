package hierarchy

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const goFamily = "go"

// Go's types say nothing of the interfaces that they implement: they have the
// methods. Signatures are compared by their types without package names, since
// a type is called otherwise outside its package; so two types of one name in
// different packages can be taken for each other, and the relation is Likely
// where a signature names a package.

// methodSet maps names of methods to them.
type methodSet map[string]method

type method struct {
	Definition
	signature string
	// qualified: the signature names a type by its package.
	qualified bool
}

// goTypes are the named types of Go's packages with their methods.
type goTypes struct {
	h *hierarchy
	// own are the methods that are declared for a type.
	own map[Definition]methodSet
	// all are the methods of a type with those of what it embeds, made when first
	// asked.
	all map[Definition]methodSet
	// open tells which interfaces embed one from outside the program.
	open map[Definition]bool
}

// goImplementations relates the types of Go to the interfaces whose methods they
// have.
func (h *hierarchy) goImplementations() []Relation {
	g := &goTypes{h: h, own: map[Definition]methodSet{}, all: map[Definition]methodSet{}, open: map[Definition]bool{}}
	types, interfaces := g.collect()
	// Types by the name of a method, so that an interface looks only at those that
	// have its rarest one.
	byMethod := map[string][]Definition{}
	for _, t := range types {
		for name := range g.methods(t, 0) {
			byMethod[name] = append(byMethod[name], t)
		}
	}
	var out []Relation
	for _, i := range interfaces {
		want := g.methods(i, 0)
		if len(want) == 0 {
			continue
		}
		names := make([]string, 0, len(want))
		for n := range want {
			names = append(names, n)
		}
		slices.SortFunc(names, func(a, b string) int {
			if n := len(byMethod[a]) - len(byMethod[b]); n != 0 {
				return n
			}
			return strings.Compare(a, b)
		})
		for _, t := range byMethod[names[0]] {
			out = g.implements(t, i, want, names, out)
		}
	}
	return out
}

// collect lists the types and the interfaces of Go, sorted, and their own
// methods.
func (g *goTypes) collect() (types, interfaces []Definition) {
	type place struct{ dir, pkg, name string }
	named := map[place]Definition{}
	for doc := range g.h.p.Files {
		e := &g.h.p.Files[doc]
		if e.File == nil || e.File.Family != goFamily {
			continue
		}
		for i := range e.File.Symbols {
			s := &e.File.Symbols[i]
			d := Definition{int32(doc), int32(i)}
			switch {
			case s.Flags&facts.InBody != 0 || s.Parent >= 0:
			case s.Kind == facts.KindInterface:
				interfaces = append(interfaces, d)
				g.own[d] = g.declared(d)
				g.open[d] = len(s.Bases) > len(g.h.bases[d])
			case isType(s) && s.Kind != facts.KindModule:
				types = append(types, d)
				named[place{facts.DirOf(e.Path), e.File.Package, s.Name}] = d
				g.own[d] = methodSet{}
			}
		}
	}
	for doc := range g.h.p.Files {
		e := &g.h.p.Files[doc]
		if e.File == nil || e.File.Family != goFamily {
			continue
		}
		for i := range e.File.Symbols {
			s := &e.File.Symbols[i]
			if s.Kind != facts.KindMethod || s.Container == "" || s.Parent >= 0 && g.h.p.Files[doc].File.Symbols[s.Parent].Kind == facts.KindInterface {
				continue
			}
			if t, ok := named[place{facts.DirOf(e.Path), e.File.Package, s.Container}]; ok {
				g.own[t][s.Name] = newMethod(Definition{int32(doc), int32(i)}, s)
			}
		}
	}
	return types, interfaces
}

// declared lists the methods that an interface spells out.
func (g *goTypes) declared(d Definition) methodSet {
	out := methodSet{}
	g.h.members(d, func(i int32, s *facts.Symbol) {
		if s.Kind == facts.KindMethod {
			out[s.Name] = newMethod(Definition{d.Doc, i}, s)
		}
	})
	return out
}

// methods are those of a type and of what it embeds; its own hide the others.
func (g *goTypes) methods(d Definition, level int) methodSet {
	if out, ok := g.all[d]; ok {
		return out
	}
	out := methodSet{}
	if level < maxLevels {
		for _, b := range g.h.bases[d] {
			for name, m := range g.methods(b.Definition, level+1) {
				// Of two embedded types with a method of one name neither is promoted;
				// such a program seldom means to implement anything by it.
				if _, taken := out[name]; !taken {
					out[name] = m
				}
			}
		}
	}
	for name, m := range g.own[d] {
		out[name] = m
	}
	if level == 0 {
		g.all[d] = out
	}
	return out
}

// implements relates a type and its methods to an interface and those of it.
func (g *goTypes) implements(t, i Definition, want methodSet, names []string, out []Relation) []Relation {
	have := g.methods(t, 0)
	mark := edges.Exact
	if g.open[i] {
		mark = edges.Likely
	}
	for _, n := range names {
		m, ok := have[n]
		if !ok || m.signature != want[n].signature {
			return out
		}
		if m.qualified || want[n].qualified {
			mark = edges.Likely
		}
	}
	out = append(out, Relation{t, i, mark})
	for _, n := range names {
		out = append(out, Relation{have[n].Definition, want[n].Definition, mark})
	}
	return out
}

func newMethod(d Definition, s *facts.Symbol) method {
	var b strings.Builder
	m := method{Definition: d}
	add := func(t string) {
		t, q := bare(t)
		b.WriteString(t)
		b.WriteByte(',')
		m.qualified = m.qualified || q
	}
	for _, p := range s.Params {
		add(p.Type)
	}
	b.WriteByte(')')
	for _, r := range results(s.Type) {
		add(r)
	}
	m.signature = b.String()
	return m
}

// results splits the declared results of a function and drops their names.
func results(t string) []string {
	t = strings.TrimSpace(t)
	if t == "" {
		return nil
	}
	if !strings.HasPrefix(t, "(") || !strings.HasSuffix(t, ")") {
		return []string{t}
	}
	parts := splitTop(t[1 : len(t)-1])
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	// Results are named all or not at all, and a name without a type has that of
	// the next.
	named := slices.ContainsFunc(parts, func(p string) bool {
		head, rest, ok := strings.Cut(p, " ")
		return ok && isName(head) && head != "chan" && head != "func" && head != "struct" && head != "interface" && strings.TrimSpace(rest) != ""
	})
	if !named {
		return parts
	}
	last := ""
	for i := len(parts) - 1; i >= 0; i-- {
		if _, rest, ok := strings.Cut(parts[i], " "); ok {
			last = strings.TrimSpace(rest)
		}
		parts[i] = last
	}
	return parts
}

func splitTop(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func isName(s string) bool {
	for i, r := range s {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80 || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != ""
}

// bare drops the packages of the types in an expression and all space; qualified
// tells whether there were any.
func bare(t string) (out string, qualified bool) {
	var b strings.Builder
	word := 0 // where the present identifier begins in b
	for _, r := range t {
		switch {
		case r == '.' && b.Len() > word && !strings.HasSuffix(b.String(), "."):
			qualified = true
			s := b.String()[:word]
			b.Reset()
			b.WriteString(s)
		case r == ' ' || r == '\t':
			word = b.Len()
		default:
			b.WriteRune(r)
			if !isName(string(r)) && !(r >= '0' && r <= '9') {
				word = b.Len()
			}
		}
	}
	s := b.String()
	if s == "any" {
		s = "interface{}"
	}
	return s, qualified
}
