package ruby

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
	j := job{r: r, doc: int32(doc), f: f, uses: uses, local: newLocal(r, f), out: out}
	r.answers, r.current = map[memberName][]found{}, uses
	j.places()
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

// places notes what decides the paths of the file's own definitions.
func (j *job) places() {
	for i := range j.f.Symbols {
		s := &j.f.Symbols[i]
		if s.Container == "" || s.Parent < 0 || j.f.Symbols[s.Parent].Name == s.Container {
			continue
		}
		first, _, _ := strings.Cut(s.Container, "::")
		for _, n := range j.r.nesting(j.f, j.r.paths[j.doc], s.Parent) {
			j.uses.Key(constKey + joined(n, first))
		}
	}
}

func (j *job) reference(i int32, ref *facts.Reference) {
	c := &context{r: j.r, doc: j.doc, sym: ref.Enclosing, local: j.local, scope: j.local.scopes.At(ref.Start), at: ref.Start, uses: j.uses}
	switch {
	case ref.Name[0] == '@':
		j.variable(i, ref, c)
	case ref.Kind == facts.RefType || ref.Kind == facts.RefInherit:
		j.constant(i, ref, c)
	case isConstantName(ref.Name) && (j.constant(i, ref, c) || ref.Kind == facts.RefRead):
	case ref.Kind == facts.RefCall:
		j.call(i, ref, c)
	default:
		j.symbol(i, ref, c)
	}
}

// constant resolves a constant; where it is called, to its constructor too.
func (j *job) constant(i int32, ref *facts.Reference, c *context) bool {
	var p string
	switch ref.Qualifier {
	case "":
		nesting, but := j.around(ref, c)
		p = c.constant(nesting, ref.Name, but)
	case "::":
		p = j.r.within("", ref.Name, j.uses)
	default:
		t := c.eval(j.r.shape(ref.Qualifier))
		if t.kind != classOf {
			return false
		}
		p = j.r.within(t.path, ref.Name, j.uses)
	}
	if p == "" {
		return false
	}
	if list := j.r.consts[p]; builtin(p) && !hasSuperclass(j.r.symbol(list[0])) { // opened again only
		return true
	}
	for _, d := range j.r.definitions(j.doc, p, j.uses) {
		j.add(i, d, edges.Exact, ruleConstant)
	}
	if ref.Kind == facts.RefCall {
		if t := j.r.constantType(p, j.uses); t.kind == classOf {
			j.constructor(i, t)
		}
	}
	return true
}

// constructor resolves what new of a class runs.
func (j *job) constructor(i int32, t typ) {
	weak := t.weak || t.via >= viaValue
	if list := j.r.ofClass(t.path, "new", j.uses); len(list) > 0 {
		j.all(i, list, weak, ruleClass)
		return
	}
	j.all(i, j.r.ofInstance(t.path, "initialize", j.uses), weak, ruleConstructor)
}

// around are the modules around a reference: those around the class for its
// superclass, which is not the class itself.
func (j *job) around(ref *facts.Reference, c *context) (nesting []string, but string) {
	out := c.nesting()
	if ref.Kind != facts.RefInherit || ref.Enclosing < 0 || len(out) == 0 {
		return out, ""
	}
	s := &j.f.Symbols[ref.Enclosing]
	if isClass(s.Kind) && hasSuperclass(s) && leafOf(s.Bases[0]) == ref.Name && ref.Line == j.f.Symbols[ref.Enclosing].Line {
		return out[1:], out[0]
	}
	return out, ""
}

// all adds the definitions of a method, the nearest ones where files far apart
// define it.
func (j *job) all(i int32, list []found, weak bool, rule string) bool {
	if len(list) == 0 {
		return false
	}
	program := false
	for _, m := range list {
		program = program || !aside(&j.r.p.Files[m.def.doc])
	}
	files := map[int32]bool{}
	var kept []found
	for _, m := range list {
		if !j.r.visible(j.doc, m.def) || program && m.def.doc != j.doc && aside(&j.r.p.Files[m.def.doc]) {
			continue
		}
		files[m.def.doc] = true
		kept = append(kept, m)
	}
	for _, m := range kept {
		j.add(i, m.def, edges.MarkOf(weak || m.weak || len(files) > 1), rule)
	}
	return len(kept) > 0
}

// variable resolves an instance or class variable.
func (j *job) variable(i int32, ref *facts.Reference, c *context) {
	class := c.class()
	if self := c.self(); self.path != "" {
		class = self.path
	}
	if class == "" {
		return
	}
	list := j.r.ofInstance(class, ref.Name, j.uses)
	// The class at hand first, then the file.
	var here, file []found
	for _, m := range list {
		if m.def.doc != j.doc {
			continue
		}
		file = append(file, m)
		if j.r.enclosing(j.f, j.r.paths[j.doc], m.def.sym) == class && j.classSymbol(m.def.sym) == j.classSymbol(ref.Enclosing) {
			here = append(here, m)
		}
	}
	switch {
	case len(here) > 0:
		j.all(i, here[:1], false, ruleVariable)
	case len(file) > 0:
		j.all(i, file[:1], false, ruleVariable)
	case len(list) > 0:
		j.all(i, list[:1], len(list) > 1, ruleVariable)
	default:
		name := strings.TrimLeft(ref.Name, "@")
		for _, m := range j.r.ofInstance(class, name, j.uses) {
			if k := j.r.symbol(m.def).Kind; k == facts.KindProperty {
				j.add(i, m.def, edges.Likely, ruleAccessor)
				return
			}
		}
		for _, m := range j.r.ofInstance(class, name+"=", j.uses) {
			if k := j.r.symbol(m.def).Kind; k == facts.KindProperty {
				j.add(i, m.def, edges.Likely, ruleAccessor)
				return
			}
		}
		j.ofHeirs(i, class, "#"+ref.Name)
	}
}

// classSymbol is the definition of the class around a definition.
func (j *job) classSymbol(sym int32) int32 {
	for ; sym >= 0 && !isClass(j.f.Symbols[sym].Kind); sym = j.f.Symbols[sym].Parent {
	}
	return sym
}
