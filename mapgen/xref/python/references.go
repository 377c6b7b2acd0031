package python

import (
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if r.p.Files[doc].File.Family != family {
		return out
	}
	start := len(out)
	j := job{r: r, doc: int32(doc), f: f, uses: uses, local: newLocals(r, int32(doc), f), out: out}
	for i := range f.Refs {
		j.reference(int32(i), &f.Refs[i])
	}
	sorted := edges.Sort(j.out[start:])
	return j.out[:start+len(sorted)]
}

// job is the resolving of one file.
type job struct {
	r     *Resolver
	doc   int32
	f     *facts.File
	uses  *edges.Uses
	local *locals
	out   []edges.Edge
}

func (j *job) add(ref int32, d def, mark edges.Mark, rule string) {
	j.out = append(j.out, edges.Edge{Ref: ref, Doc: d.doc, Symbol: d.sym, Mark: mark, Rule: rule})
}

func (j *job) targets(ref int32, list []target, mark edges.Mark, rule string) {
	for _, t := range list {
		if t.def != noDef {
			j.add(ref, t.def, mark, rule)
		}
	}
}

func (j *job) reference(i int32, ref *facts.Reference) {
	switch {
	case ref.Kind == facts.RefImport:
		j.imported(i, ref)
	case ref.Qualifier == "":
		j.name(i, ref)
	case strings.HasSuffix(ref.Qualifier, "{}"):
		j.keyword(i, ref)
	default:
		j.member(i, ref)
	}
}

// maxClauses bounds how many clauses before a reference are looked at: as many as
// can reasonably stand on one line.
const maxClauses = 64

// imported resolves a name in an import clause: that of the last clauses that
// start on its line or before.
func (j *job) imported(i int32, ref *facts.Reference) {
	list := j.f.Imports
	end := sort.Search(len(list), func(k int) bool { return list[k].Line > ref.Line })
	for k := end - 1; k >= max(0, end-maxClauses); k-- {
		m := &list[k]
		if m.Module != ref.Qualifier {
			continue
		}
		if n := namesIndex(m, ref.Name); n >= 0 {
			j.targets(i, j.r.imported(j.doc, int32(k), n, j.uses), edges.Exact, ruleImport)
			return
		}
	}
}

func namesIndex(m *facts.Import, name string) int32 {
	for n := range m.Names {
		if m.Names[n].Name == name {
			return int32(n)
		}
	}
	return -1
}

// name resolves a bare name.
func (j *job) name(i int32, ref *facts.Reference) {
	c := j.local.contextAt(ref.Enclosing, ref.Start, j.uses)
	found, where := j.r.lookup(c.scopeAt, ref.Name, j.uses)
	fallback := false
	for _, t := range found {
		fallback = fallback || t.outside
	}
	for _, t := range found {
		if t.def == noDef {
			continue
		}
		rule := ruleFile
		switch {
		case t.def.doc != j.doc:
			rule = ruleImported
		case where == inClass:
			rule = ruleClassBody
		case where == inFunction:
			rule = ruleNested
		}
		if fallback {
			j.add(i, t.def, edges.Likely, ruleFallback)
			continue
		}
		j.add(i, t.def, edges.Exact, rule)
	}
}

// member resolves an attribute of a value.
func (j *job) member(i int32, ref *facts.Reference) {
	c := j.local.contextAt(ref.Enclosing, ref.Start, j.uses)
	t := c.eval(j.r.shape(ref.Qualifier))
	hits, v := j.r.access(t, ref.Name, j.uses)
	for _, h := range hits {
		rule := ruleModule
		if !h.byModule {
			rule = ruleOf(h.via)
		}
		for _, d := range h.defs {
			j.add(i, d, edges.MarkOf(h.weak), rule)
		}
	}
	if len(hits) == 0 && v.kind == unknown {
		j.byName(i, ref.Name)
	}
}

// maxByName caps how many classes may have a member for its name to tell
// something.
const maxByName = 5

func (j *job) byName(i int32, name string) {
	if common[name] || strings.HasPrefix(name, "__") {
		return
	}
	j.uses.Key(memberKey + name)
	list := j.r.byMember[name]
	classes, last := 0, noDef
	for _, d := range list {
		if owner := (def{d.doc, j.r.symbol(d).Parent}); owner != last {
			classes, last = classes+1, owner
		}
		if classes > maxByName {
			return
		}
	}
	for _, d := range list {
		j.add(i, d, edges.ByName, ruleByName)
	}
}

// keyword resolves Class(name=value), where the class has no constructor of its
// own: then the names are those of its fields.
func (j *job) keyword(i int32, ref *facts.Reference) {
	c := j.local.contextAt(ref.Enclosing, ref.Start, j.uses)
	t := c.eval(j.r.shape(strings.TrimSuffix(ref.Qualifier, "{}")))
	if t.kind != classOf || j.r.hasConstructor(t.def, j.uses) {
		return
	}
	m := j.r.classMember(t.def, noDef, ref.Name, j.uses)
	// cls may be a class that derives from this one, with a constructor.
	open := m.behindExternal || t.via == viaSelf
	for _, a := range j.r.order(t.def, j.uses) {
		open = open || a.class == noDef && !inert(a.name, "__init__")
	}
	for _, d := range m.defs {
		if s := j.r.symbol(d); s.Kind == facts.KindField && s.Flags&facts.InBody == 0 {
			j.add(i, d, edges.MarkOf(open), ruleKeyword)
		}
	}
}
