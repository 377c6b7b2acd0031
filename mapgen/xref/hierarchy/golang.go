package hierarchy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

const goFamily = "go"

// Go's types say nothing of the interfaces that they implement: they have the
// methods. Signatures are compared by their types with the packages that these
// come from. The relation is Likely where a package is not known for sure.

// methodSet maps names of methods to them.
type methodSet map[string]method

type method struct {
	Definition
	signature signature
}

// goTypes are the named types of Go's packages with their methods.
type goTypes struct {
	h *hierarchy
	// own are the methods that are declared for a type.
	own map[Definition]methodSet
	// all are the methods of a type with those of what it embeds, made when first
	// asked.
	all map[Definition]methodSet
	// open tells which types and interfaces embed one from outside the program that
	// is not known.
	open  map[Definition]bool
	names *goNames
}

// goImplementations relates the types of Go to the interfaces whose methods they
// have.
func (h *hierarchy) goImplementations() []Relation {
	g := &goTypes{h: h, own: map[Definition]methodSet{}, all: map[Definition]methodSet{}, open: map[Definition]bool{}, names: newGoNames(h.p)}
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
			// A type may embed something from outside that has those of the library.
			if x, y := want[a].Definition == noDefinition, want[b].Definition == noDefinition; x != y {
				if x {
					return 1
				}
				return -1
			}
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
	named := map[goName]Definition{}
	for doc := range g.h.p.Files {
		e := &g.h.p.Files[doc]
		if e.File.Family != goFamily {
			continue
		}
		for i := range e.File.Symbols {
			s := &e.File.Symbols[i]
			d := Definition{int32(doc), int32(i)}
			switch {
			case s.Flags&facts.InBody != 0 || s.Parent >= 0:
			case s.Kind == facts.KindInterface:
				interfaces = append(interfaces, d)
				g.own[d], g.open[d] = g.declared(d), g.embeds(d)
			case isType(s) && s.Kind != facts.KindModule:
				types = append(types, d)
				named[g.names.own(int32(doc), s.Name)] = d
				g.own[d], g.open[d] = methodSet{}, g.embeds(d)
			}
		}
	}
	for doc := range g.h.p.Files {
		f := g.h.p.Files[doc].File
		if f.Family != goFamily {
			continue
		}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			if s.Kind != facts.KindMethod || s.Container == "" || s.Parent >= 0 && f.Symbols[s.Parent].Kind == facts.KindInterface {
				continue
			}
			if t, ok := named[g.names.own(int32(doc), s.Container)]; ok {
				g.own[t][s.Name] = g.method(Definition{int32(doc), int32(i)}, s)
			}
		}
	}
	return types, interfaces
}

// embeds tells whether a type or interface embeds one from outside whose methods
// are not known.
func (g *goTypes) embeds(d Definition) bool {
	outside := len(g.h.symbol(d).Bases) - len(g.h.bases[d])
	for _, b := range g.h.symbol(d).Bases {
		if _, ok := g.names.wellKnown(d.Doc, b); ok {
			outside--
		}
	}
	return outside > 0
}

// declared lists the methods that an interface spells out.
func (g *goTypes) declared(d Definition) methodSet {
	out := methodSet{}
	g.h.members(d, func(i int32, s *facts.Symbol) {
		if s.Kind == facts.KindMethod {
			out[s.Name] = g.method(Definition{d.Doc, i}, s)
		}
	})
	return out
}

// noDefinition stands for what is defined outside of the program.
var noDefinition = Definition{-1, -1}

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
	for _, b := range g.h.symbol(d).Bases {
		list, _ := g.names.wellKnown(d.Doc, b)
		for _, m := range list {
			if _, taken := out[m.name]; !taken {
				out[m.name] = method{noDefinition, m.signature}
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
	// What declares no method may be a set of types besides, which the facts do
	// not hold.
	if g.open[i] || !slices.ContainsFunc(names, func(n string) bool { return want[n].Definition != noDefinition }) {
		mark = edges.Likely
	}
	for _, n := range names {
		m, ok := have[n]
		if !ok && want[n].Definition == noDefinition && g.open[t] {
			mark = edges.Likely // that of what is embedded, perhaps
			continue
		}
		if !ok || !exported(n) && !g.together(m.Definition, want[n].Definition) {
			return out
		}
		same, sure := m.signature.same(want[n].signature)
		if !same {
			return out
		}
		if !sure {
			mark = edges.Likely
		}
	}
	out = append(out, Relation{t, i, mark})
	for _, n := range names {
		// A type can have the methods by embedding the interface itself.
		m, ok := have[n]
		if d, b := m.Definition, want[n].Definition; ok && d != b && d != noDefinition && b != noDefinition {
			out = append(out, Relation{d, b, mark})
		}
	}
	return out
}

func exported(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(first)
}

// together tells whether two methods are defined in one package: of others those
// that are not exported are not the same.
func (g *goTypes) together(a, b Definition) bool {
	return a != noDefinition && b != noDefinition && g.names.own(a.Doc, "") == g.names.own(b.Doc, "")
}

func (g *goTypes) method(d Definition, s *facts.Symbol) method {
	m := method{Definition: d}
	for _, p := range s.Params {
		m.signature = g.names.append(d.Doc, p.Type, m.signature)
	}
	m.signature = append(m.signature, part{text: ")"})
	for _, r := range results(s.Type) {
		m.signature = g.names.append(d.Doc, r, m.signature)
	}
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
