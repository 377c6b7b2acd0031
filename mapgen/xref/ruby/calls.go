package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxByName caps how many definitions a name may have for it to tell something.
const maxByName = 5

// call resolves the name of a method that is called.
func (j *job) call(i int32, ref *facts.Reference, c *context) {
	switch ref.Qualifier {
	case "":
		j.ownCall(i, ref, c)
		return
	case "self":
		j.selfCall(i, ref, c)
		return
	case "super":
		if m := c.method(); m != noDef {
			if self := c.self(); self.path != "" {
				j.all(i, j.r.above(self.path, ref.Name, self.kind == classOf, j.uses), false, ruleSuper)
			}
		}
		return
	}
	t := c.eval(j.r.shape(ref.Qualifier))
	if ref.Name == "new" && t.kind == classOf {
		j.constructor(i, t)
		return
	}
	if t.via == viaName && core(ref.Name) && !j.isAttribute(c.methodsOf(t, ref.Name)) {
		return
	}
	if j.all(i, c.methodsOf(t, ref.Name), t.weak || t.via >= viaValue, ruleOf(t)) {
		return
	}
	switch {
	case t.kind == instance && t.via != viaName && !core(ref.Name):
		j.ofHeirs(i, t.path, "#"+ref.Name)
	case t.kind == unknown, t.via == viaName && t.kind == instance && !j.r.open(t.path, j.uses):
		j.byName(i, ref)
	}
}

// isAttribute tells accessors and members of a Struct, which a class seldom has
// by chance.
func (j *job) isAttribute(list []found) bool {
	if len(list) == 0 {
		return false
	}
	k := j.r.symbol(list[0].def).Kind
	return k == facts.KindProperty || k == facts.KindField
}

func ruleOf(t typ) string {
	switch t.via {
	case viaSelf:
		return ruleOwn
	case viaClass:
		return ruleClass
	case viaConstructed:
		return ruleConstructed
	case viaName:
		return ruleNamed
	}
	return ruleValue
}

// selfCall resolves a method that an object calls on itself.
func (j *job) selfCall(i int32, ref *facts.Reference, c *context) bool {
	self := c.self()
	if self.kind == unknown {
		return false
	}
	if ref.Name == "new" && self.kind == classOf {
		j.constructor(i, self)
		return true
	}
	if j.all(i, c.methodsOf(self, ref.Name), self.weak, ruleOwn) {
		return true
	}
	atClass := self.kind == classOf && c.method() == noDef
	if atClass && c.inBlock() && j.all(i, j.r.ofInstance(self.path, ref.Name, j.uses), true, ruleOwn) {
		return true
	}
	if core(ref.Name) {
		return false
	}
	if self.kind == instance || atClass && c.inBlock() {
		return j.ofHeirs(i, self.path, "#"+ref.Name)
	}
	return false
}

// ofHeirs adds the members that only heirs of a class have.
func (j *job) ofHeirs(i int32, class, name string) bool {
	var list []def
	for _, d := range j.r.ofHeirs(class, name, j.uses) {
		if j.r.visible(j.doc, d) {
			list = append(list, d)
		}
	}
	for _, d := range list {
		if len(list) == 1 {
			j.add(i, d, edges.Likely, ruleHeir)
		} else {
			j.add(i, d, edges.ByName, ruleHeirs)
		}
	}
	return len(list) > 0
}

// ownCall resolves a call without a receiver.
func (j *job) ownCall(i int32, ref *facts.Reference, c *context) {
	if j.selfCall(i, ref, c) {
		return
	}
	list := c.functions(ref.Name)
	if len(list) > maxByName || len(list) != 1 && core(ref.Name) {
		return
	}
	for _, d := range list {
		switch {
		case d.doc == j.doc && j.r.symbol(d).Flags&facts.InBody == 0:
			j.add(i, d, edges.Exact, ruleFunction)
		case d.doc == j.doc || len(list) == 1:
			j.add(i, d, edges.Likely, ruleFunction)
		default:
			j.add(i, d, edges.ByName, ruleByName)
		}
	}
	if len(list) > 0 {
		return
	}
	self := c.self()
	if self.kind != unknown && !j.r.open(self.path, j.uses) {
		return
	}
	mark := edges.ByName
	if list = c.helpers(ref.Name); len(list) == 1 && (self.kind == unknown || aside(&j.r.p.Files[list[0].doc])) {
		mark = edges.Likely
	}
	for _, d := range list {
		j.add(i, d, mark, ruleHelper)
	}
}

// isTestBase tells the classes that tests inherit from by their names.
func isTestBase(path string) bool {
	leaf := leafOf(path)
	return leaf == "Test" || leaf == "Spec" || strings.HasSuffix(leaf, "TestCase") || strings.HasSuffix(leaf, "ExampleGroup")
}

// helpers are the methods that a bare call in a block can mean whose self is not
// known: modules are mixed into what it runs in, and tests add methods to what
// they inherit from. There are none where they are too many.
func (c *context) helpers(name string) []def {
	c.uses.Key(nameKey + name)
	self := c.self()
	var list []def
	for _, d := range c.r.names[name] {
		owner := c.r.owners[d.doc][d.sym]
		if owner == "" || !c.r.visible(c.doc, d) || testWord(name) && !aside(&c.r.p.Files[d.doc]) {
			continue
		}
		module := c.r.symbol(d).Flags&facts.Static == 0 && c.r.isModule(owner, c.uses)
		if module || self.kind == unknown && isTestBase(owner) {
			list = append(list, d)
		}
	}
	if list = c.r.nearest(c.doc, list); len(list) > maxByName {
		return nil
	}
	return list
}

// nearest keeps the definitions that share most of their path with a document.
func (r *Resolver) nearest(doc int32, list []def) []def {
	var out []def
	best := -1
	for _, d := range list {
		switch n := facts.CommonDirs(r.p.Files[doc].Path, r.p.Files[d.doc].Path); {
		case n > best:
			best, out = n, []def{d}
		case n == best:
			out = append(out, d)
		}
	}
	return r.preferred(doc, out)
}

// functions are the methods at the level of files that a bare call can mean:
// those of the file, else those of all. What a group of examples defines is seen
// in its file only.
func (c *context) functions(name string) []def {
	c.uses.Key(functionKey + name)
	var own, all []def
	innermost := int64(-1)
	for _, d := range c.r.functions[name] {
		if d.doc == c.doc {
			switch at := c.around(d); {
			case at < 0 || at < innermost:
			case at > innermost:
				innermost, own = at, []def{d}
			default:
				own = append(own, d)
			}
		} else if c.r.visible(c.doc, d) && (c.r.symbol(d).Flags&facts.InBody == 0 || c.r.support(d.doc)) {
			all = append(all, d)
		}
	}
	if len(own) > 0 {
		return own
	}
	return all
}

// support tells files that tests use and that hold none: what a block there
// defines, of RSpec.configure say, is for all.
func (r *Resolver) support(doc int32) bool {
	e := &r.p.Files[doc]
	stem, _, _ := strings.Cut(baseName(e.Path), ".")
	return aside(e) && !strings.HasSuffix(stem, "_spec") && !strings.HasSuffix(stem, "_test") && !strings.HasPrefix(stem, "test_")
}

// around is where the block starts that a function of the file stands in, -1
// where a place lies outside of it.
func (c *context) around(d def) int64 {
	if c.local == nil || c.r.symbol(d).Flags&facts.InBody == 0 {
		return 0
	}
	scopes := c.local.f.Scopes
	body := c.local.scopes.At(c.local.f.Symbols[d.sym].Span.Start)
	if body < 0 || scopes[body].Parent < 0 {
		return 0
	}
	span := scopes[scopes[body].Parent].Span
	if c.at < span.Start || c.at >= span.End {
		return -1
	}
	return int64(span.Start)
}

// symbol resolves a symbol that may name a method, and what alias names.
func (j *job) symbol(i int32, ref *facts.Reference, c *context) {
	if ref.Qualifier != "self" {
		t := c.eval(j.r.shape(ref.Qualifier))
		if !j.all(i, c.methodsOf(t, ref.Name), true, ruleSymbol) && t.kind == unknown {
			j.byName(i, ref)
		}
		return
	}
	self := c.self()
	if self.kind == classOf && c.method() == noDef {
		self.kind = instance
	}
	j.all(i, c.methodsOf(self, ref.Name), !j.isAlias(ref.Enclosing), ruleSymbol)
}

// isAlias tells the definition that alias or alias_method makes.
func (j *job) isAlias(sym int32) bool {
	return sym >= 0 && strings.HasPrefix(j.f.Symbols[sym].Signature, "alias")
}

// byName resolves a method of a value of which nothing is known.
func (j *job) byName(i int32, ref *facts.Reference) {
	if core(ref.Name) {
		return
	}
	any := j.named(i, ref.Name, func(s *facts.Symbol, _ def) bool {
		return s.Flags&facts.Static == 0 && s.Kind != facts.KindFunction && s.Visibility != facts.Private
	})
	if !any {
		j.named(i, ref.Name, func(s *facts.Symbol, _ def) bool { return s.Flags&facts.Static != 0 && s.Visibility != facts.Private })
	}
}

// named adds the methods of a name that fit, where they are few. It tells whether
// any fits.
func (j *job) named(i int32, name string, fits func(s *facts.Symbol, d def) bool) bool {
	j.uses.Key(nameKey + name)
	var list []def
	for _, d := range j.r.names[name] {
		if j.r.visible(j.doc, d) && fits(j.r.symbol(d), d) {
			list = append(list, d)
		}
	}
	kept := j.r.preferred(j.doc, list)
	if len(kept) <= maxByName {
		for _, d := range kept {
			j.add(i, d, edges.ByName, ruleByName)
		}
	}
	return len(list) > 0
}

// preferred leaves out what stands in tests and the like, but for the document's
// own, where there is anything else.
func (r *Resolver) preferred(doc int32, list []def) []def {
	var kept []def
	for _, d := range list {
		if !aside(&r.p.Files[d.doc]) {
			kept = append(kept, d)
		}
	}
	if len(kept) == 0 {
		return list
	}
	for _, d := range list {
		if d.doc == doc && aside(&r.p.Files[d.doc]) {
			kept = append(kept, d)
		}
	}
	return kept
}
