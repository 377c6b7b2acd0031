package jvm

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if !covers(r.file(int32(doc))) {
		return out
	}
	start := len(out)
	j := job{r: r, doc: int32(doc), f: f, uses: uses, local: newLocal(r, f), out: out, results: map[int32]*typ{}}
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
	// results are what calls give, by the reference to what is called.
	results map[int32]*typ
}

func (j *job) add(ref int32, d def, mark edges.Mark, rule string) {
	j.out = append(j.out, edges.Edge{Ref: ref, Doc: d.doc, Symbol: d.sym, Mark: mark, Rule: rule})
}

func (j *job) reference(i int32, ref *facts.Reference) {
	c := &context{r: j.r, doc: j.doc, sym: ref.Enclosing, local: j.local, scope: j.local.scopes.At(ref.Start), at: ref.Start, uses: j.uses}
	switch {
	case ref.Kind == facts.RefImport:
		j.imported(i, ref)
	case strings.HasSuffix(ref.Qualifier, "{}"):
		j.element(i, ref, c)
	case ref.Kind == facts.RefType || ref.Kind == facts.RefInherit:
		j.typeRef(i, ref, c)
	case ref.Kind == facts.RefCall:
		j.call(i, ref, c)
	default:
		j.read(i, ref, c)
	}
}

func (j *job) imported(i int32, ref *facts.Reference) {
	var path []string
	if ref.Qualifier != "" {
		path = strings.Split(ref.Qualifier, ".")
	}
	for _, d := range j.r.qualified(j.doc, append(path, ref.Name), j.uses) {
		j.add(i, d, edges.Exact, ruleImport)
	}
	for _, d := range j.r.membersOf(j.doc, ref.Qualifier, ref.Name, j.uses) {
		j.add(i, d, edges.Exact, ruleImport)
	}
}

func (j *job) element(i int32, ref *facts.Reference, c *context) {
	path := strings.Split(strings.TrimSuffix(ref.Qualifier, "{}"), ".")
	for _, d := range j.r.typePath(j.doc, c.sym, path, j.uses) {
		for _, m := range j.r.members(d, ref.Name, j.uses) {
			j.add(i, m.def, edges.MarkOf(m.weak), ruleElement)
		}
	}
}

// types are the types that a reference with its qualifier names.
func (j *job) types(ref *facts.Reference, c *context) []def {
	if ref.Qualifier == "" {
		return j.r.typeName(j.doc, c.sym, ref.Name, j.uses)
	}
	if strings.ContainsAny(ref.Qualifier, "([#{?\"") {
		return nil
	}
	path := j.r.typeText(ref.Qualifier).path
	return j.r.typePath(j.doc, c.sym, append(path[:len(path):len(path)], ref.Name), j.uses)
}

func (j *job) typeRef(i int32, ref *facts.Reference, c *context) {
	list := j.types(ref, c)
	for _, d := range list {
		j.add(i, d, edges.MarkOf(len(list) > 1), ruleType)
	}
	if len(list) == 0 && ref.Kind == facts.RefType {
		j.read(i, ref, c)
	}
}

// call resolves the name of a call: a method, or a type that is constructed.
func (j *job) call(i int32, ref *facts.Reference, c *context) {
	args, told := j.arguments(i, c, 0)
	if word := j.local.words[ref.Start]; word != "" {
		j.wordCall(i, word, args, c)
		return
	}
	if looksLikeType(ref.Name) {
		if list := j.types(ref, c); len(list) > 0 {
			for _, d := range list {
				j.add(i, d, edges.MarkOf(len(list) > 1), ruleType)
			}
			j.constructor(i, list[0], args, told, len(list) > 1, c)
			return
		}
	}
	if ref.Qualifier == "" {
		list, rule := c.methods(ref.Name)
		if len(list) > 0 {
			j.chosen(i, list, args, told, rule, c)
		} else if c.r.file(j.doc).Language == kotlin {
			j.variable(i, ref, c)
		}
		return
	}
	t := j.receiver(i, c)
	if list := c.methodsOf(t, ref.Name); len(list) > 0 {
		j.chosen(i, list, args, told, j.ruleOf(t, c), c)
		return
	}
	if list := c.accessor(t, ref.Name); len(list) > 0 {
		j.chosen(i, list, nil, false, ruleAccessor, c)
		return
	}
	if n := c.nested(t, ref.Name); n.kind == classOf {
		j.add(i, n.def, edges.MarkOf(n.weak), ruleType)
		j.constructor(i, n.def, args, told, n.weak, c)
		return
	}
	if c.r.file(j.doc).Language == kotlin {
		if list := c.extensions(t, ref.Name); len(list) > 0 {
			j.chosen(i, list, nil, false, ruleExtension, c)
			return
		}
		if m, ok := c.variableOf(t, ref.Name); ok {
			j.add(i, m.def, edges.MarkOf(m.weak), j.ruleOf(t, c))
			return
		}
	}
	if nothingKnown(t) {
		j.byName(i, ref, len(args), told, c)
	}
}

func (j *job) ruleOf(t *typ, c *context) string {
	if t.kind == variable {
		return ruleOf(viaBound)
	}
	if t.kind == packageOf {
		return ruleImported
	}
	via := c.r.erased(t, j.uses).via
	if via == "" {
		via = viaDeclared
	}
	return ruleOf(via)
}

// nothingKnown tells a receiver of which nothing is known from one outside.
func nothingKnown(t *typ) bool { return t.kind == unknown || t.kind == packageOf }

// chosen adds the overloads that fit.
func (j *job) chosen(i int32, list []found, args []*typ, told bool, rule string, c *context) {
	picked, byTypes := c.choose(list, args, told)
	if byTypes || len(picked) > 1 {
		rule = ruleOverload
	}
	for _, m := range picked {
		j.add(i, m.def, edges.MarkOf(m.weak || byTypes || len(picked) > 1), rule)
	}
}

func (j *job) constructor(i int32, class def, args []*typ, told, weak bool, c *context) {
	if !told {
		return
	}
	var list []found
	for _, d := range j.r.constructors(class, j.uses) {
		list = append(list, found{def: d, owner: ancestor{class: noDef}, weak: weak})
	}
	picked, byTypes := c.choose(list, args, told)
	rule := ruleConstructor
	if byTypes || len(picked) > 1 {
		rule = ruleOverload
	}
	for _, m := range picked {
		j.add(i, m.def, edges.MarkOf(m.weak || byTypes || len(picked) > 1), rule)
	}
}

// wordCall resolves this(…) and super(…).
func (j *job) wordCall(i int32, word string, args []*typ, c *context) {
	around := c.levels()
	if len(around) == 0 || around[0].class == noDef {
		return
	}
	class := around[0].class
	if word == bindThisCall {
		j.constructor(i, class, args, true, false, c)
		return
	}
	bases := j.r.symbol(class).Bases
	if len(bases) == 0 {
		return
	}
	if t := j.r.baseType(class, bases[0], j.uses); t.kind == instance && j.r.symbol(t.def).Kind != facts.KindInterface {
		j.constructor(i, t.def, args, true, t.weak, c)
	}
}

// arguments are the types of the arguments of a call, and whether they are told:
// only those of Java are.
func (j *job) arguments(i int32, c *context, depth int) ([]*typ, bool) {
	ref := &j.f.Refs[i]
	if j.f.Language != java || !j.f.Outlined() {
		return nil, false
	}
	b, ok := j.local.arguments[ref.Start]
	if !ok || j.f.Bindings[b].Init == "" {
		return nil, true
	}
	var out []*typ
	for _, s := range strings.Split(j.f.Bindings[b].Init, ";") {
		out = append(out, j.argument(i, s, c, depth))
	}
	return out, true
}

// variable resolves a bare name as a field, property or constant.
func (j *job) variable(i int32, ref *facts.Reference, c *context) bool {
	m, rule, ok := c.variable(ref.Name)
	if ok {
		j.add(i, m.def, edges.MarkOf(m.weak || rule == ruleReceiver), rule)
	}
	return ok
}

// read resolves the use of a name as a value.
func (j *job) read(i int32, ref *facts.Reference, c *context) {
	if ref.Qualifier == "" {
		if j.variable(i, ref, c) || j.label(i, ref, c) {
			return
		}
		list := j.r.typeName(j.doc, c.sym, ref.Name, j.uses)
		for _, d := range list {
			j.add(i, d, edges.MarkOf(len(list) > 1), ruleType)
		}
		if len(list) == 0 && c.bound(ref.Name) == nil && j.f.Language == kotlin {
			methods, rule := c.methods(ref.Name)
			j.chosen(i, methods, nil, false, rule, c)
		}
		return
	}
	t := j.receiver(i, c)
	if m, ok := c.variableOf(t, ref.Name); ok {
		rule := j.ruleOf(t, c)
		j.add(i, m.def, edges.MarkOf(m.weak), rule)
		return
	}
	if n := c.nested(t, ref.Name); n.kind == classOf {
		j.add(i, n.def, edges.MarkOf(n.weak), ruleType)
		return
	}
	if list := c.methodsOf(t, ref.Name); len(list) > 0 {
		j.chosen(i, list, nil, false, j.ruleOf(t, c), c)
		return
	}
	if list := c.accessor(t, ref.Name); len(list) > 0 {
		j.chosen(i, list, nil, false, ruleAccessor, c)
		return
	}
	if list := c.extensions(t, ref.Name); len(list) > 0 {
		j.chosen(i, list, nil, false, ruleExtension, c)
		return
	}
	if nothingKnown(t) {
		j.byName(i, ref, 0, false, c)
	}
}

// label resolves a constant of the enum that a switch around looks at.
func (j *job) label(i int32, ref *facts.Reference, c *context) bool {
	for scope := c.scope; scope >= 0; {
		b := j.local.scopes.Lookup(scope, bindSwitch, ref.Start, false)
		if b < 0 {
			return false
		}
		in := *c
		in.scope = j.f.Bindings[b].Scope
		t := j.r.erased(in.binding(b), j.uses)
		if t.kind == instance && j.r.symbol(t.def).Kind == facts.KindEnum {
			if m, ok := in.variableOf(t, ref.Name); ok {
				j.add(i, m.def, edges.MarkOf(m.weak), ruleLabel)
				return true
			}
		}
		scope = j.f.Scopes[in.scope].Parent
	}
	return false
}

// maxByName caps how many classes may have a member for its name to tell
// something.
const maxByName = 3

func (j *job) byName(i int32, ref *facts.Reference, args int, told bool, c *context) {
	if common(ref.Name) || j.f.Language == kotlin && len(ref.Name) < 4 {
		return
	}
	j.uses.Key(memberKey + ref.Name)
	var list []def
	for _, d := range j.r.byMember[ref.Name] {
		s := j.r.symbol(d)
		if s.Kind == facts.KindEnumMember || s.Visibility == facts.Private && d.doc != j.doc {
			continue
		}
		if ref.Kind == facts.RefCall && told && (!isMethod(s.Kind) || !c.takes(d, args)) {
			continue
		}
		if list = append(list, d); len(list) > maxByName {
			return
		}
	}
	for _, d := range list {
		j.add(i, d, edges.ByName, ruleByName)
	}
}

// common are names that so many library types have that they tell nothing.
func common(name string) bool {
	switch name {
	case "get", "set", "put", "add", "remove", "size", "isEmpty", "contains", "clear", "equals", "hashCode", "toString", "close", "next", "hasNext",
		"iterator", "length", "charAt", "append", "write", "read", "flush", "run", "call", "apply", "accept", "test", "of", "getName", "getClass", "name",
		"ordinal", "value", "values", "valueOf", "key", "keySet", "entrySet", "stream", "map", "filter", "forEach", "collect", "join", "start", "stop",
		"getMessage", "getCause", "compareTo", "compare", "invoke", "first", "last", "let", "also", "use", "with", "build", "create", "isEqualTo", "index", "count":
		return true
	}
	return false
}
