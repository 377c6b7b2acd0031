package csharp

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if r.file(int32(doc)).Family != family {
		return out
	}
	start := len(out)
	j := r.newJob(int32(doc), f, uses, out)
	for i := range f.Refs {
		j.reference(int32(i), &f.Refs[i])
	}
	sorted := edges.Sort(j.out[start:])
	return j.out[:start+len(sorted)]
}

func (j *job) add(ref int32, d def, mark edges.Mark, rule string) {
	j.out = append(j.out, edges.Edge{Ref: ref, Doc: d.doc, Symbol: d.sym, Mark: mark, Rule: rule})
}

// maxParts bounds how many parts of a class a reference leads to.
const maxParts = 4

func (j *job) addClass(ref int32, c int32, weak bool, rule string) {
	for _, d := range j.r.mainParts(c, j.uses) {
		j.add(ref, d, edges.MarkOf(weak), rule)
	}
}

// mainParts are the parts of a class; of many those that say what it extends or
// are documented, or the first.
func (r *Resolver) mainParts(c int32, uses *edges.Uses) []def {
	parts := r.read(c, uses).parts
	if len(parts) <= maxParts {
		return parts
	}
	var out []def
	for _, d := range parts {
		if s := r.symbol(d); (len(s.Bases) > 0 || s.Doc != "") && len(out) < maxParts {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		out = parts[:1]
	}
	return out
}

func (j *job) addClasses(ref int32, list []int32, rule string) {
	for _, c := range list {
		j.addClass(ref, c, len(list) > 1, rule)
	}
}

func (j *job) reference(i int32, ref *facts.Reference) {
	c := j.place(ref.Enclosing, ref.Start)
	switch {
	case ref.Kind == facts.RefImport:
		j.addClasses(i, j.r.typePath(j.doc, -1, j.path(ref), j.uses), ruleImport)
	case j.attributes[ref.Start]:
		j.attribute(i, ref, c)
	case ref.Kind == facts.RefCall && j.arguments[ref.Start].word != "" && j.arguments[ref.Start].word != bindArguments:
		j.construction(i, ref, c)
	case ref.Kind == facts.RefCall:
		j.call(i, ref, c)
	case ref.Kind == facts.RefInherit, ref.Kind == facts.RefType && !j.qualifies(i):
		j.typeRef(i, ref, c)
	default:
		j.read(i, ref, c)
	}
}

// qualifies tells whether a name stands before a dot of an expression, where it
// may be a value: what follows says so.
func (j *job) qualifies(i int32) bool {
	ref := &j.f.Refs[i]
	if ref.Qualifier != "" || int(i)+1 >= len(j.f.Refs) {
		return false
	}
	next := &j.f.Refs[i+1]
	return next.Qualifier == ref.Name && next.Start > ref.Start && next.Start < ref.Start+uint32(len(ref.Name))+80
}

// path is the qualified name of a reference to a type.
func (j *job) path(ref *facts.Reference) []segment {
	own := segment{name: ref.Name}
	if t := j.generics[ref.Start]; t != "" {
		own.args = parseArguments(t, 0)
	}
	if ref.Qualifier == "" {
		return []segment{own}
	}
	if strings.ContainsAny(ref.Qualifier, "([#{?\"") {
		return nil
	}
	path := j.r.typeText(ref.Qualifier).path
	return append(path[:len(path):len(path)], own)
}

func (j *job) typeRef(i int32, ref *facts.Reference, c *context) {
	sym := c.sym
	// The bases of a class are read in front of its body, where what is inside is
	// not seen.
	if ref.Kind == facts.RefInherit && sym >= 0 {
		sym = j.f.Symbols[sym].Parent
	}
	j.addTypes(i, sym, j.path(ref))
}

// addTypes adds the types that a name means.
func (j *job) addTypes(i, sym int32, path []segment) bool {
	list, guessed := j.r.typesOf(j.doc, sym, path, j.uses)
	if !guessed {
		j.addClasses(i, list, ruleType)
	} else {
		for _, k := range list {
			j.addClass(i, k, true, ruleProject)
		}
	}
	return len(list) > 0
}

// attribute resolves the name of an attribute, which may lack its ending.
func (j *job) attribute(i int32, ref *facts.Reference, c *context) {
	path := j.path(ref)
	if len(path) == 0 {
		return
	}
	long := append(path[:len(path)-1:len(path)-1], segment{name: ref.Name + "Attribute", args: path[len(path)-1].args})
	for _, p := range [][]segment{long, path} {
		list := j.r.typePath(j.doc, c.sym, p, j.uses)
		if len(list) == 0 && len(p) == 1 {
			list = j.r.ofProject(j.doc, p[0].name, len(p[0].args), j.uses)
			if len(list) > 0 {
				j.addClass(i, list[0], true, ruleProject)
				return
			}
		}
		if len(list) > 0 {
			j.addClasses(i, list, ruleAttribute)
			ch := &choice{made: &typ{kind: instance, class: list[0], via: viaConstructed, weak: len(list) > 1}, args: j.passed(c, ref.Start)}
			c.constructor(ch)
			j.chosen(i, ch)
			return
		}
	}
}

// construction resolves the name of what is constructed, with its constructor,
// and this(…) and base(…).
func (j *job) construction(i int32, ref *facts.Reference, c *context) {
	ch := j.choice(ref.Start)
	if ch == nil || ch.made == nil || ch.made.kind != instance {
		return
	}
	if j.arguments[ref.Start].word == bindNew {
		rule := ruleType
		if j.arguments[ref.Start].typ == "" && len(j.r.typePath(j.doc, c.sym, j.path(ref), j.uses)) == 0 {
			rule = ruleProject
		}
		j.addClass(i, ch.made.class, ch.made.weak, rule)
	}
	j.chosen(i, ch)
}

// chosen adds what a call was found to mean.
func (j *job) chosen(i int32, ch *choice) {
	rule := ch.rule
	several := len(ch.picked) > 1 && !j.variants(ch.picked)
	if several || ch.byTypes {
		rule = ruleOverload
	}
	if several && len(ch.picked) > maxByName {
		return // nothing tells which
	}
	for _, m := range ch.picked {
		if isType(j.r.symbol(m.def).Kind) {
			continue // the head of a class, which its name has already led to
		}
		mark := edges.MarkOf(m.weak || ch.byTypes)
		if several {
			mark, rule = edges.ByName, ruleAmbiguous
		}
		j.add(i, m.def, mark, rule)
	}
}

// variants tells whether methods are the same one under different conditions.
func (j *job) variants(list []found) bool {
	for _, m := range list[1:] {
		if m.def.doc != list[0].def.doc || j.r.symbol(m.def).Parent != j.r.symbol(list[0].def).Parent || !slices.EqualFunc(j.r.symbol(m.def).Params, j.r.symbol(list[0].def).Params, func(a, b facts.Param) bool { return a.Type == b.Type }) {
			return false
		}
	}
	return true
}

// call resolves the name of a call: a method, or what holds a delegate.
func (j *job) call(i int32, ref *facts.Reference, c *context) {
	ch := j.choice(ref.Start)
	if ch == nil {
		return
	}
	if len(ch.picked) > 0 {
		j.chosen(i, ch)
		return
	}
	if ref.Qualifier == "" {
		if m, rule, ok := c.variable(ref.Name); ok {
			j.add(i, m.def, edges.MarkOf(m.weak), rule)
		}
		return
	}
	if m, ok := c.variableOf(ch.recv, ref.Name); ok {
		j.add(i, m.def, edges.MarkOf(m.weak), c.ruleOf(ch.recv))
		return
	}
	if !known(ch.recv) && len(ch.list) == 0 {
		j.byName(i, ref, ch.args, c)
	}
}

// read resolves the use of a name as a value, or as a type before a dot.
func (j *job) read(i int32, ref *facts.Reference, c *context) {
	if ref.Qualifier == "" {
		if m, rule, ok := c.variable(ref.Name); ok {
			j.add(i, m.def, edges.MarkOf(m.weak), rule)
			return
		}
		if len(j.r.typePath(j.doc, c.sym, j.path(ref), j.uses)) > 0 {
			j.addTypes(i, c.sym, j.path(ref))
			return
		}
		if methods, rule := c.methods(ref.Name); len(methods) > 0 {
			j.group(i, methods, rule)
			return
		}
		j.addTypes(i, c.sym, j.path(ref))
		return
	}
	t := j.receiver(ref, c)
	if m, ok := c.variableOf(t, ref.Name); ok {
		j.add(i, m.def, edges.MarkOf(m.weak), c.ruleOf(t))
		return
	}
	args := []text(nil)
	if g := j.generics[ref.Start]; g != "" {
		args = parseArguments(g, 0)
	}
	if t.kind == classOf || t.kind == namespace {
		if n := c.member(t, ref.Name, args); n.kind == classOf {
			j.addClass(i, n.class, n.weak, ruleType)
			return
		}
	}
	if methods := c.methodsOf(t, ref.Name); len(methods) > 0 {
		j.group(i, methods, c.ruleOf(t))
		return
	}
	if methods := c.extensions(t, ref.Name); len(methods) > 0 {
		j.group(i, methods, ruleExtension)
		return
	}
	if !known(t) {
		j.byName(i, ref, nil, c)
	}
}

// group adds the methods that a name without a call means.
func (j *job) group(i int32, methods []found, rule string) {
	if len(methods) > maxByName {
		return
	}
	for _, m := range methods {
		if len(methods) > 1 {
			j.add(i, m.def, edges.ByName, ruleAmbiguous)
		} else {
			j.add(i, m.def, edges.MarkOf(m.weak), rule)
		}
	}
}

// maxByName caps how many classes may have a member for its name to tell
// something.
const maxByName = 3

func (j *job) byName(i int32, ref *facts.Reference, args []argument, c *context) {
	if common(ref.Name) {
		return
	}
	j.uses.Key(memberKey + ref.Name)
	var list []def
	for _, d := range j.r.byMember[ref.Name] {
		s := j.r.symbol(d)
		if s.Kind == facts.KindEnumMember || s.Visibility == facts.Private && d.doc != j.doc || explicit(s) {
			continue
		}
		if ref.Kind == facts.RefCall && !c.takes(found{def: d, extends: isExtension(s)}, args) {
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
	case "Add", "Remove", "Clear", "Contains", "Count", "Length", "Name", "Value", "Key", "Keys", "Values", "Item", "Items", "Get", "Set", "ToString", "Equals", "GetHashCode", "GetType",
		"Select", "Where", "First", "FirstOrDefault", "Single", "Any", "All", "ToList", "ToArray", "Message", "InnerException", "Dispose", "Close", "Open", "Read", "Write", "WriteLine",
		"Invoke", "Result", "Wait", "Task", "Id", "Type", "Create", "Build", "Start", "Stop", "Run", "Next", "Current", "MoveNext", "Parse", "Format", "Join", "Split", "Insert", "Append",
		"IndexOf", "Replace", "Exception", "Data", "Text", "Title", "Description", "Is", "Be", "Max", "Min", "Sum", "ShouldBe", "Verify", "Setup", "Returns":
		return true
	}
	return false
}
