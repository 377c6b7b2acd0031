package oracle

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// separators between the parts of a name, as languages and people write them.
var separators = []string{"->", "::", "#", ".", "/", "\\", "$", ":"}

// splitName takes a name apart into what qualifies it and itself. Arguments,
// receivers' stars and type parameters are no part of it.
func splitName(name string) (qualifiers []string, last string) {
	name = strings.TrimSpace(name)
	name = strings.Trim(name, "`'\"")
	if strings.HasPrefix(name, "(") {
		// (*Store).Save
		inner, rest, _ := strings.Cut(name[1:], ")")
		name = inner + rest
	}
	if i := strings.IndexByte(name, '('); i >= 0 {
		name = name[:i]
	}
	if !strings.Contains(name, "operator") {
		name = withoutGroups(name)
	}
	name = strings.TrimLeft(name, "*&@")
	for _, s := range separators {
		name = strings.ReplaceAll(name, s, "\x00")
	}
	var parts []string
	for _, p := range strings.Split(name, "\x00") {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil, ""
	}
	return parts[:len(parts)-1], parts[len(parts)-1]
}

// withoutGroups drops type parameters and indexes: <…> and […]. An arrow closes
// nothing, and what is not closed stays.
func withoutGroups(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if c := name[i]; c == '<' || c == '[' {
			if end := groupEnd(name, i); end > i {
				i = end
				continue
			}
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// groupEnd is where the group that begins at a place ends, -1 for nowhere.
func groupEnd(name string, from int) int {
	depth := 0
	for i := from; i < len(name); i++ {
		switch name[i] {
		case '<', '[':
			depth++
		case '>', ']':
			if name[i] == '>' && i > 0 && name[i-1] == '-' {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// isSelf tells qualifiers that name no container: the object itself, or the place
// where a language keeps its methods.
func isSelf(qualifier string) bool {
	switch qualifier {
	case "this", "self", "cls", "static", "parent", "prototype", "exports":
		return true
	}
	return false
}

// found is what a look-up gives.
type found struct {
	definitions []definitionInfo
	// folded: only the case of the name differs.
	folded bool
	// narrowed: file and line chose among others.
	narrowed bool
	// elsewhere are definitions of the name that the file, or the qualifier, left
	// out.
	elsewhere int
}

// lookUp finds the definitions that a name, a file and a line mean.
func (o *Oracle) lookUp(name, file string, line int) found {
	if name == "" {
		return o.at(file, line)
	}
	qualifiers, last := splitName(name)
	qualifiers = slices.DeleteFunc(qualifiers, isSelf)
	var out found
	defs := o.c.DefinitionsNamed(last, false)
	for _, end := range []string{"?", "!"} {
		// Some languages end names so; questions end so, too.
		if more := o.c.DefinitionsNamed(last+end, false); len(defs) == 0 && len(more) > 0 {
			defs, last = more, last+end
		}
	}
	if len(defs) == 0 {
		defs = o.c.DefinitionsNamed(last, true)
		out.folded = len(defs) > 0
	}
	list := o.infos(defs)
	all := len(list)
	if len(qualifiers) > 0 {
		list = o.qualifiedBy(list, qualifiers)
	}
	if file != "" {
		list, out.narrowed = o.narrow(list, last, file, line)
	}
	out.definitions = o.withoutDeclarations(list)
	out.elsewhere = all - len(list)
	return out
}

func (o *Oracle) infos(defs []store.Definition) []definitionInfo {
	var out []definitionInfo
	for _, d := range defs {
		if i, ok := o.info(d); ok {
			switch i.Kind {
			case facts.KindHeading, facts.KindKey:
				continue // not what code names; ask finds them by ranking
			}
			out = append(out, i)
		}
	}
	return out
}

// qualifiedBy keeps the definitions that fit the nearest qualifier: those that it
// is the container of, else those whose file, package or directories have it. The
// qualifiers before it say the rest of a path, which a file seldom repeats word
// for word.
func (o *Oracle) qualifiedBy(list []definitionInfo, qualifiers []string) []definitionInfo {
	nearest := qualifiers[len(qualifiers)-1]
	var members, others []definitionInfo
	for _, d := range list {
		if containsFold(strings.FieldsFunc(d.Container, func(r rune) bool { return strings.ContainsRune(".:<>*&[]() ", r) }), nearest) {
			members = append(members, d)
			continue
		}
		have := pathParts(o.c.Path(d.Doc))
		have = append(have, strings.FieldsFunc(o.doc(d.Doc).Package, func(r rune) bool { return strings.ContainsRune("./:\\", r) })...)
		if containsFold(have, nearest) {
			others = append(others, d)
		}
	}
	if len(members) > 0 {
		return members
	}
	return others
}

// pathParts are the directories and the name of a path without its extension.
func pathParts(p string) []string {
	parts := strings.Split(p, "/")
	base := parts[len(parts)-1]
	parts[len(parts)-1] = strings.TrimSuffix(base, path.Ext(base))
	return parts
}

func containsFold(list []string, s string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return strings.EqualFold(x, s) })
}

// narrow chooses by file and line: the definition that stands there, else the one
// that a reference there leads to, else those of the file.
func (o *Oracle) narrow(list []definitionInfo, name, file string, line int) ([]definitionInfo, bool) {
	doc, ok := o.c.DocByPath(file)
	if !ok {
		return list, false
	}
	if line > 0 {
		var here []definitionInfo
		for _, d := range list {
			if d.Doc == doc && int(d.Line) <= line && line <= int(d.EndLine) {
				here = append(here, d)
			}
		}
		if len(here) > 0 {
			// The innermost.
			slices.SortStableFunc(here, func(a, b definitionInfo) int { return cmp.Compare(b.Line, a.Line) })
			n := 1
			for n < len(here) && here[n].Line == here[0].Line {
				n++
			}
			return here[:n], true
		}
		if to := o.ledTo(doc, line, name); len(to) > 0 {
			return to, true
		}
	}
	var same []definitionInfo
	for _, d := range list {
		if d.Doc == doc {
			same = append(same, d)
		}
	}
	if len(same) > 0 {
		if line > 0 {
			slices.SortStableFunc(same, func(a, b definitionInfo) int {
				return cmp.Compare(distance(int(a.Line), line), distance(int(b.Line), line))
			})
			if distance(int(same[0].Line), line) <= 3 {
				return same[:1], true
			}
		}
		return same, true
	}
	// Not defined there: what the file refers to by that name.
	if to := o.ledTo(doc, 0, name); len(to) > 0 {
		return to, true
	}
	return list, false
}

func distance(a, b int) int { return max(a-b, b-a) }

// ledTo lists the definitions of a name that references of a document lead to, at
// a line or anywhere (0).
func (o *Oracle) ledTo(doc, line int, name string) []definitionInfo {
	if o.refs == nil {
		return nil
	}
	var out []definitionInfo
	seen := map[store.Definition]bool{}
	for _, s := range o.refs.Sites(doc) {
		d := store.Definition{Doc: int(s.Doc), Symbol: int(s.Symbol)}
		if line > 0 && int(s.Line) != line || seen[d] {
			continue
		}
		seen[d] = true
		if i, ok := o.info(d); ok && (name == "" || strings.EqualFold(i.Name, name)) {
			out = append(out, i)
		}
	}
	return out
}

// at finds what stands at a line: the definition that begins there, what the line
// refers to if that is one thing, else the definition around it.
func (o *Oracle) at(file string, line int) found {
	doc, ok := o.c.DocByPath(file)
	if !ok || line <= 0 {
		return found{}
	}
	var around *definitionInfo
	for i, s := range o.symbols(doc) {
		if int(s.Line) > line || line > int(s.EndLine) {
			continue
		}
		if d, ok := o.info(store.Definition{Doc: doc, Symbol: i}); ok {
			if int(s.Line) == line {
				return found{definitions: []definitionInfo{d}, narrowed: true}
			}
			around = &d
		}
	}
	if to := o.ledTo(doc, line, ""); len(to) == 1 {
		return found{definitions: to, narrowed: true}
	}
	if around != nil {
		return found{definitions: []definitionInfo{*around}, narrowed: true}
	}
	return found{}
}

// withoutDeclarations drops forward declarations and ambient twins where the
// definition itself is known, and puts tests, examples and generated files last.
func (o *Oracle) withoutDeclarations(list []definitionInfo) []definitionInfo {
	real := slices.ContainsFunc(list, func(d definitionInfo) bool { return d.Flags&(facts.Declaration|facts.Overload) == 0 })
	out := list[:0:0]
	for _, d := range list {
		if d.Kind == facts.KindConstructor && slices.ContainsFunc(list, func(x definitionInfo) bool {
			return x.Doc == d.Doc && x.Name == d.Name && x.Kind != facts.KindConstructor && x.Line <= d.Line && d.EndLine <= x.EndLine
		}) {
			continue // a class stands for its constructors
		}
		if real && d.Flags&(facts.Declaration|facts.Overload) != 0 {
			continue
		}
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b definitionInfo) int {
		return cmp.Or(cmp.Compare(o.remote(a.Doc), o.remote(b.Doc)), cmp.Compare(inBody(a), inBody(b)))
	})
	return out
}

func inBody(d definitionInfo) int {
	if d.Flags&facts.InBody != 0 {
		return 1
	}
	return 0
}

// remote orders files by how likely a question means them.
func (o *Oracle) remote(doc int) int {
	switch role := o.doc(doc).Role; {
	case role.Has(facts.RoleVendored):
		return 3
	case role.Has(facts.RoleGenerated):
		return 2
	case role.Has(facts.RoleTest) || role.Has(facts.RoleExample) || role.Has(facts.RoleDoc):
		return 1
	}
	return 0
}

// alike lists what is used in place of a definition: the constructors of a type,
// which are called by its name.
func (o *Oracle) alike(d store.Definition) []store.Definition {
	out := []store.Definition{d}
	s, ok := o.c.SymbolOf(d)
	if !ok || s.Kind != facts.KindClass && s.Kind != facts.KindStruct && s.Kind != facts.KindEnum {
		return out
	}
	for i, x := range o.symbols(d.Doc) {
		if x.Kind == facts.KindConstructor && x.Line >= s.Line && x.EndLine <= s.EndLine && (x.Container == s.Name || x.Name == s.Name) {
			out = append(out, store.Definition{Doc: d.Doc, Symbol: i})
		}
	}
	return out
}

// enclosing is the innermost definition of a document that holds a line and is
// not a parameter of something; ok is false at the level of the file.
func (o *Oracle) enclosing(doc int, line uint32) (definitionInfo, bool) {
	best := -1
	symbols := o.symbols(doc)
	for i := range symbols {
		s := &symbols[i]
		if s.Line > line || line > s.EndLine {
			continue
		}
		switch s.Kind {
		case facts.KindFunction, facts.KindMethod, facts.KindConstructor, facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindModule, facts.KindProperty:
			best = i
		case facts.KindVariable, facts.KindConstant, facts.KindField, facts.KindType:
			if s.EndLine > s.Line || best < 0 {
				best = i
			}
		}
	}
	if best < 0 {
		return definitionInfo{}, false
	}
	return o.info(store.Definition{Doc: doc, Symbol: best})
}

// markWords says how an edge was found.
func markWords(m edges.Mark) string {
	if m == edges.Precise {
		return "a precise index"
	}
	return m.String()
}

// similar lists names of definitions that resemble one, best first.
func (o *Oracle) similar(name string, most int) []string {
	_, last := splitName(name)
	if o.o.Names == nil || last == "" {
		return nil
	}
	var out []string
	for _, m := range o.o.Names.Search(last, 4*most) {
		if !strings.EqualFold(m.Name, last) && len(out) < most && !slices.Contains(out, m.Name) && len(o.infos(o.c.DefinitionsNamed(m.Name, false))) > 0 {
			out = append(out, m.Name)
		}
	}
	return out
}
