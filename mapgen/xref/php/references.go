package php

import (
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

// addAll adds what one name means. Several definitions in one file are there
// under conditions, and all are meant; of several files one is right.
func (j *job) addAll(ref int32, list []def, rule string) {
	for _, d := range list {
		j.add(ref, d, edges.MarkOf(d.doc != list[0].doc || list[len(list)-1].doc != list[0].doc), rule)
	}
}

func (j *job) reference(i int32, ref *facts.Reference) {
	c := &context{r: j.r, doc: j.doc, sym: ref.Enclosing, local: j.local, scope: j.local.scopes.At(ref.Start), at: ref.Start, uses: j.uses, reference: true}
	// A name behind a namespace is one name.
	plain := ref.Qualifier == "" || strings.HasSuffix(ref.Qualifier, `\`)
	written := ref.Qualifier + ref.Name
	switch {
	case ref.Kind == facts.RefImport:
		j.imported(i, joined(ref.Qualifier, ref.Name))
	case ref.Kind == facts.RefType || ref.Kind == facts.RefInherit:
		j.addAll(i, j.r.classes(j.doc, written, j.uses), ruleClass)
	case ref.Kind == facts.RefCall && plain:
		if list := j.r.classes(j.doc, written, j.uses); looksLikeClass(ref.Name) && len(list) > 0 {
			j.addAll(i, list, ruleClass)
			for _, m := range j.r.members(list[0], key{ofMethod, "__construct"}, j.uses) {
				j.add(i, m.def, edges.MarkOf(m.weak || len(list) > 1), ruleConstructor)
			}
			return
		}
		j.addAll(i, j.r.named(j.doc, ofFunction, written, j.uses), ruleFunction)
	case plain:
		j.addAll(i, j.r.named(j.doc, ofConstant, written, j.uses), ruleConstant)
	default:
		j.member(i, ref, c)
	}
}

// imported resolves a name in a use clause. Classes, functions and constants
// have clauses of their own, but what is imported tells as well.
func (j *job) imported(i int32, whole string) {
	for _, of := range []sort{ofClass, ofFunction, ofConstant} {
		j.addAll(i, j.r.top(j.doc, of, whole, j.uses), ruleImport)
	}
}

func (j *job) member(i int32, ref *facts.Reference, c *context) {
	t := c.r.erased(c.eval(ref.Qualifier), j.uses)
	var list []found
	if ref.Kind == facts.RefCall {
		list = c.membersOf(t, ofMethod, ref.Name)
	} else {
		list = c.variables(t, ref.Name)
	}
	via := t.via
	if t.kind == anonymous {
		via = viaAnonymous
	}
	for _, m := range list {
		rule := m.rule
		if rule == "" {
			rule = ruleOf(via)
		}
		j.add(i, m.def, edges.MarkOf(m.weak), rule)
	}
	if t.kind == unknown {
		j.byName(i, ref)
	}
}

// maxByName caps how many classes may have a member for its name to tell
// something.
const maxByName = 3

func (j *job) byName(i int32, ref *facts.Reference) {
	n := key{ofMethod, strings.ToLower(ref.Name)}
	if ref.Kind != facts.RefCall {
		n = key{ofProperty, ref.Name}
	}
	if common(n.name) {
		return
	}
	j.uses.Key(n.group(memberKey))
	var list []def
	for _, d := range j.r.byMember[n] {
		s := j.r.symbol(d)
		if s.Visibility != facts.Public && d.doc != j.doc {
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

// common are names that so many classes of libraries have that they tell
// nothing.
func common(name string) bool {
	switch name {
	case "get", "set", "add", "remove", "has", "count", "current", "next", "key", "valid", "rewind", "offsetget", "offsetset", "offsetexists", "getmessage",
		"getcode", "getname", "getfile", "getline", "getprevious", "format", "modify", "close", "open", "read", "write", "run", "call", "invoke", "__tostring",
		"id", "name", "value", "type", "data", "length", "all", "first", "last", "create", "make", "build", "handle", "method", "with", "andreturn", "once",
		"shouldreceive", "never", "willreturn", "expects", "contains", "filter", "map", "each":
		return true
	}
	return false
}
