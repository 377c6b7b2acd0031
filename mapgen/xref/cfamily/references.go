package cfamily

import (
	"cmp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if r.outlines[doc] == nil {
		return out
	}
	start := len(out)
	j := job{r: r, doc: int32(doc), f: f, uses: uses, local: newLocal(r, f), out: out}
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
	local *local
	out   []edges.Edge
}

func (j *job) add(ref int32, d def, mark edges.Mark, rule string) {
	j.out = append(j.out, edges.Edge{Ref: ref, Doc: d.doc, Symbol: d.sym, Mark: mark, Rule: rule})
}

// inMacro tells whether a reference stands in the text of a macro.
func (j *job) inMacro(enclosing int32) bool {
	return enclosing >= 0 && j.f.Symbols[enclosing].Kind == facts.KindMacro
}

func (j *job) reference(i int32, ref *facts.Reference) {
	c := &context{r: j.r, at: def{j.doc, ref.Enclosing}, local: j.local, scope: j.local.scopes.At(ref.Start), offset: ref.Start, uses: j.uses}
	w := wantRead
	switch ref.Kind {
	case facts.RefType, facts.RefInherit:
		w = wantType
	case facts.RefCall:
		w = wantCall
	}
	switch {
	case ref.Kind == facts.RefImport:
		if ref.Qualifier != "" {
			q := j.r.qualified(c.at, strings.Split(ref.Qualifier, "."), ref.Name, wantRead, j.uses)
			j.list(i, q.list, ruleImport, edges.MarkOf(q.how != byScope), c, nil)
		}
	case ref.Qualifier == "" || ref.Qualifier == "struct" || ref.Qualifier == "union" || ref.Qualifier == "enum":
		if c.bound(ref.Name) != nil || j.r.templateParam(c.at, ref.Name, j.uses) != nil {
			return
		}
		if ref.Kind == facts.RefInherit && ref.Enclosing >= 0 { // stands before the class
			c.at.sym = j.f.Symbols[ref.Enclosing].Parent
		}
		m := c.bare(ref.Name, w, ref.Qualifier)
		j.list(i, m.list, m.rule, m.mark, c, c.this())
	default:
		j.member(i, ref, w, c)
	}
}

// member resolves a name behind a value or a scope.
func (j *job) member(i int32, ref *facts.Reference, w want, c *context) {
	if w == wantType && plain(ref.Qualifier) {
		q := j.r.qualified(c.at, strings.Split(ref.Qualifier, "."), ref.Name, w, j.uses)
		j.list(i, q.list, ruleQualified, edges.MarkOf(q.how != byScope), c, nil)
		return
	}
	t := c.eval(j.r.shape(ref.Qualifier))
	list, _, weak := c.membersOf(t, ref.Name, w == wantCall)
	if len(list) > 0 {
		rule := ruleQualified
		if t.kind == instance {
			rule = ruleOf(cmp.Or(t.via, viaDeclared))
		} else if t.kind == external {
			rule = ruleOf(viaDeclared)
		}
		j.list(i, list, rule, edges.MarkOf(weak || t.weak), c, t)
		return
	}
	if nothingKnown(t) && (!plain(ref.Qualifier) || c.bound(ref.Qualifier) != nil || j.f.Language == "c") {
		j.byName(i, ref, w)
	}
}

func nothingKnown(t *typ) bool { return t.kind == unknown || t.kind == spaceOf || t.kind == variable }

func plain(q string) bool { return q != "" && !strings.ContainsAny(q, "()[]{}#?\"* &") }

// maxCandidates bounds the definitions of one name that are told apart.
const maxCandidates = 100

// list adds edges to definitions of one name, members of recv where that is known.
func (j *job) list(i int32, list []def, rule string, mark edges.Mark, c *context, recv *typ) {
	if len(list) == 0 || len(list) > maxCandidates || j.r.symbol(list[0]).Kind == facts.KindModule {
		return
	}
	if len(list) > 1 && isClass(j.r.symbol(list[0]).Kind) && j.r.specialised(list[0]) {
		// Specialisations without their template, which the facts do not tell apart.
		rule, mark = ruleOverloads, edges.ByName
	}
	all := j.r.entities(j.doc, list, j.uses)
	ref := &j.f.Refs[i]
	if ref.Kind != facts.RefCall {
		j.entities(i, all, rule, mark)
		return
	}
	args, told := j.arguments(i, c)
	if class := j.classOf(list); class != noDef {
		for _, e := range all {
			j.targets(i, e, rule, mark)
		}
		j.constructor(i, class, args, told, mark, c)
		return
	}
	picked, byTypes := c.choose(all, args, told)
	if len(picked) == 2 && recv != nil && recv.kind == instance {
		picked = c.byConst(picked, recv.constant)
		byTypes = byTypes || len(picked) == 1
	}
	if byTypes && len(picked) == 1 {
		rule, mark = ruleOverload, min(mark, edges.Likely)
	}
	j.entities(i, picked, rule, mark)
}

// classOf is the class that a call of a type constructs.
func (j *job) classOf(list []def) def {
	d := list[0]
	s := j.r.symbol(d)
	if s.Kind == facts.KindType {
		if t := j.r.alias(d, j.uses); t.kind == instance && t.stars == 0 {
			return t.def
		}
	}
	if isClass(s.Kind) {
		return d
	}
	return noDef
}

func (j *job) constructor(i int32, class def, args []*typ, told bool, mark edges.Mark, c *context) {
	list := j.r.constructors(class, j.uses)
	if !told || len(list) == 0 {
		return
	}
	picked, byTypes := c.choose(j.r.entities(j.doc, list, j.uses), args, told)
	if len(picked) != 1 {
		return
	}
	if h := j.r.head(picked[0].like); len(args) < h.least || len(args) > h.most {
		return
	}
	rule := ruleConstructor
	if byTypes {
		rule, mark = ruleOverload, min(mark, edges.Likely)
	}
	j.targets(i, picked[0], rule, mark)
}

func (j *job) targets(i int32, e entity, rule string, mark edges.Mark) {
	for _, d := range e.targets {
		j.add(i, d, mark, rule)
	}
}

// maxOverloads caps how many overloads may be left for their name to tell
// something.
const maxOverloads = 4

func (j *job) entities(i int32, list []entity, rule string, mark edges.Mark) {
	functions := 0
	for _, e := range list {
		if isFunction(j.r.symbol(e.like).Kind) {
			functions++
		}
	}
	if functions > maxOverloads {
		return
	}
	if functions > 1 {
		rule, mark = ruleOverloads, edges.ByName
	}
	for _, e := range list {
		j.targets(i, e, rule, mark)
	}
}

// maxByName caps how many classes may have a member for its name to tell
// something.
const maxByName = 3

// byName resolves a member of a value of which nothing is known.
func (j *job) byName(i int32, ref *facts.Reference, w want) {
	seen := j.r.visible(j.doc, j.uses)
	var list []def
	for _, d := range j.r.fields[ref.Name] {
		s := j.r.symbol(d)
		if !seen.has(d.doc) || w == wantCall && s.Kind == facts.KindField && !strings.Contains(s.Type, "(") && j.f.Language != "c" {
			continue
		}
		if list = append(list, d); len(list) > maxByName {
			return
		}
	}
	rule, mark := ruleByName, edges.ByName
	if len(list) == 1 && j.f.Language == "c" {
		rule, mark = ruleOnly, edges.Likely
	}
	for _, e := range j.r.membersApart(j.doc, list, j.uses) {
		j.targets(i, e, rule, mark)
	}
}

// membersApart takes members of several classes each by itself.
func (r *Resolver) membersApart(doc int32, list []def, uses *edges.Uses) []entity {
	var out []entity
	for _, d := range list {
		out = append(out, r.entities(doc, []def{d}, uses)...)
	}
	return out
}
