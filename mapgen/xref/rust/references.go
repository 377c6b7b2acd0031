package rust

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolve implements edges.Resolver.
func (r *Resolver) Resolve(doc int, f *facts.File, uses *edges.Uses, out []edges.Edge) []edges.Edge {
	if r.file(int32(doc)).Family != language {
		return out
	}
	start := len(out)
	j := job{r: r, doc: int32(doc), f: f, uses: uses, local: &local{f: f, scopes: edges.NewScopes(f), macros: map[uint32]bool{}}, out: out}
	for i := range f.Bindings {
		if f.Bindings[i].Name == bindMacro {
			j.local.macros[f.Bindings[i].Start] = true
		}
	}
	j.local.types.Stack = &r.stack
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

func (j *job) reference(i int32, ref *facts.Reference) {
	scope := j.local.scopes.At(ref.Start)
	c := &context{place: place{r: j.r, doc: j.doc, sym: ref.Enclosing, uses: j.uses}, local: j.local, scope: scope, at: ref.Start}
	switch {
	case ref.Kind == facts.RefImport:
		j.imported(i, ref, c)
	case strings.HasSuffix(ref.Qualifier, "{}"):
		j.field(i, ref, c)
	case ref.Qualifier == "":
		j.bare(i, ref, c)
	default:
		j.qualified(i, ref, c)
	}
}

// imported resolves a name in a use clause: all that it means in any namespace.
func (j *job) imported(i int32, ref *facts.Reference, c *context) {
	path := strings.Split(ref.Qualifier, ".")
	if ref.Qualifier == "" {
		path = nil
	}
	path = append(path, ref.Name)
	// A clause of one name leads to a crate or a module beside it, not to itself.
	if len(path) == 1 {
		for _, d := range j.r.children(j.r.moduleAround(j.doc, ref.Enclosing, j.uses), ref.Name, j.uses) {
			j.add(i, d, edges.Exact, ruleImport)
		}
		return
	}
	for _, d := range j.r.path(j.doc, c.sym, path, j.uses).defs {
		if d.sym >= 0 {
			j.add(i, d, edges.Exact, ruleImport)
		}
	}
}

// field resolves a name in a literal or pattern.
func (j *job) field(i int32, ref *facts.Reference, c *context) {
	for _, d := range c.literalDefs(strings.TrimSuffix(ref.Qualifier, "{}")) {
		for _, m := range j.r.children(d, ref.Name, j.uses) {
			if j.r.symbol(m).Kind == facts.KindField {
				j.add(i, m, edges.Exact, ruleLiteral)
			}
		}
	}
}

// fits tells whether a definition can be what a reference of a kind means.
func fits(s *facts.Symbol, kind facts.RefKind) bool {
	switch kind {
	case facts.RefType, facts.RefInherit:
		return isType(s.Kind) || s.Kind == facts.KindEnumMember && kind == facts.RefType
	case facts.RefCall:
		return isFunction(s.Kind) || s.Kind == facts.KindStruct || s.Kind == facts.KindEnumMember || s.Kind == facts.KindMacro || isValue(s.Kind) || s.Kind == facts.KindType
	}
	return s.Kind != facts.KindField && s.Kind != facts.KindModule && s.Kind != facts.KindMacro
}

// fitting are those definitions that a reference can mean, those of values
// before types where it reads or calls.
func (j *job) fitting(list []def, kind facts.RefKind) []def {
	var first, second []def
	for _, d := range list {
		if d.sym < 0 || !fits(j.r.symbol(d), kind) {
			continue
		}
		s := j.r.symbol(d)
		late := s.Kind == facts.KindMacro
		switch kind {
		case facts.RefCall:
			late = !isFunction(s.Kind) && s.Kind != facts.KindEnumMember && s.Kind != facts.KindStruct
		case facts.RefRead:
			late = isType(s.Kind)
		case facts.RefType, facts.RefInherit:
			late = !isType(s.Kind)
		}
		if late {
			second = append(second, d)
		} else {
			first = append(first, d)
		}
	}
	if len(first) > 0 {
		return first
	}
	return second
}

func (j *job) bare(i int32, ref *facts.Reference, c *context) {
	if c.variable(ref.Name) != nil {
		return
	}
	n := c.r.lexical(j.doc, c.sym, ref.Name, j.uses)
	if ref.Kind == facts.RefCall || ref.Kind == facts.RefType || ref.Kind == facts.RefRead {
		// What Self stands for need not be in scope by its name.
		if self := c.selfNamed(ref.Name); self != noDef && j.r.symbol(self).Kind != facts.KindInterface {
			n = named{defs: []def{self}}
		}
	}
	list := j.fitting(j.ofMacros(n.defs, ref, c), ref.Kind)
	rule := ruleName
	for _, d := range list {
		k := j.r.symbol(d).Kind
		switch {
		case k == facts.KindMacro:
			rule = ruleMacro
		case isType(k):
			rule = ruleType
		}
		// Bound to something outside as well: a variant of it, or another namespace.
		j.add(i, d, edges.MarkOf(n.outside && rule != ruleMacro), rule)
	}
	if len(list) == 0 && ref.Kind == facts.RefCall && (c.scope < 0 || j.local.macros[ref.Start]) && !n.outside {
		j.macro(i, ref)
	}
}

// bindMacro is the name of the bindings by which the extraction tells calls of
// macros from those of functions.
const bindMacro = "!"

// ofMacros leaves macros alone where a macro is called, and all but macros where
// not; outside of all scopes nothing tells.
func (j *job) ofMacros(list []def, ref *facts.Reference, c *context) []def {
	if c.scope < 0 {
		return list
	}
	macro := j.local.macros[ref.Start]
	var out []def
	for _, d := range list {
		if d.sym >= 0 && (j.r.symbol(d).Kind == facts.KindMacro) == macro {
			out = append(out, d)
		}
	}
	return out
}

// macro resolves a macro that is no item in scope: one of the file, or of the
// crate.
func (j *job) macro(i int32, ref *facts.Reference) {
	j.uses.Key(macroKey + ref.Name)
	var own, crate []def
	var roots []def
	for _, d := range j.r.macros[ref.Name] {
		if d.doc == j.doc {
			own = append(own, d)
			continue
		}
		if roots == nil {
			roots = j.r.roots(def{j.doc, -1}, j.uses)
		}
		for _, root := range j.r.roots(def{d.doc, -1}, j.uses) {
			if slices.Contains(roots, root) {
				crate = append(crate, d)
				break
			}
		}
	}
	for _, d := range own {
		j.add(i, d, edges.Exact, ruleMacro)
	}
	if len(own) > 0 {
		return
	}
	oneFile := !slices.ContainsFunc(crate, func(d def) bool { return d.doc != crate[0].doc })
	for _, d := range crate {
		j.add(i, d, edges.MarkOf(!oneFile), ruleMacro)
	}
}

func (j *job) qualified(i int32, ref *facts.Reference, c *context) {
	if ref.Kind == facts.RefType || ref.Kind == facts.RefInherit {
		// No type stands behind a local variable, which can have the name of a module.
		if c.bound(firstName(ref.Qualifier)) != nil && c.variable(firstName(ref.Qualifier)) == nil {
			if n := j.pathOf(ref, c); len(n.defs) > 0 {
				j.behind(i, ref, &typ{kind: static, defs: n.defs}, c)
				return
			}
		}
	}
	t := c.eval(j.r.shape(ref.Qualifier))
	if t.kind == static {
		j.behind(i, ref, t, c)
		return
	}
	if ref.Kind == facts.RefType || ref.Kind == facts.RefInherit {
		return
	}
	method := ref.Kind == facts.RefCall
	list := c.membersOf(t, ref.Name, method)
	if len(list) == 0 && method && (t.kind == instance || t.kind == variable) && c.readable(t, ref.Name) {
		// A field that is called: (x.f)(y).
		list = c.membersOf(t, ref.Name, false)
	}
	several := j.several(defsOf(list))
	if several && len(list) > maxSeveral {
		return
	}
	for _, m := range list {
		if several {
			j.add(i, m.def, edges.ByName, ruleSeveral)
			continue
		}
		j.add(i, m.def, edges.MarkOf(m.weak), ruleOf(viaOf(m.recv)))
	}
	if len(list) > 0 {
		return
	}
	// A module and a local variable can have one name.
	if n := j.pathOf(ref, c); len(n.defs) > 0 && j.behind(i, ref, &typ{kind: static, defs: n.defs}, c) {
		return
	}
	switch {
	case method && (t.kind == instance || t.kind == variable || t.kind == external && t.name != ""):
		j.inScope(i, ref, t, c)
	case t.kind == unknown:
		j.byName(i, ref, c)
	}
}

func defsOf(list []found) []def {
	var out []def
	for _, m := range list {
		out = append(out, m.def)
	}
	return out
}

// several tells whether items are those of different blocks of traits, of which
// the types of arguments choose one. Items of equal heads are variants for
// platforms.
func (j *job) several(list []def) bool {
	if len(list) < 2 {
		return false
	}
	first := j.r.symbol(list[0])
	for _, d := range list[1:] {
		s := j.r.symbol(d)
		if (s.Init != first.Init || s.Parent != first.Parent) && (strings.Contains(s.Init, " for ") || strings.Contains(first.Init, " for ")) {
			return true
		}
	}
	return false
}

// pathOf reads a qualifier of names alone as the path of a module or type.
func (j *job) pathOf(ref *facts.Reference, c *context) named {
	if strings.ContainsAny(ref.Qualifier, "()[]{}#?&*\" ") || firstName(ref.Qualifier) == "self" {
		return named{}
	}
	n := j.r.path(j.doc, c.sym, strings.Split(ref.Qualifier, "."), j.uses)
	n.defs = j.r.spaces(n.defs)
	return n
}

func firstName(qualifier string) string {
	name, _, _ := strings.Cut(qualifier, ".")
	return name
}

func (c *context) readable(t *typ, name string) bool { return len(c.membersOf(t, name, false)) > 0 }

func viaOf(t *typ) string {
	if t == nil || t.via == "" {
		return viaDeclared
	}
	return t.via
}

// behind resolves a name behind a path and tells whether it means something.
func (j *job) behind(i int32, ref *facts.Reference, t *typ, c *context) (found bool) {
	for _, d := range t.defs {
		n := j.r.step(d, ref.Name, j.uses)
		list := j.fitting(j.ofMacros(n.defs, ref, c), ref.Kind)
		list = j.sameBlock(list, c)
		several := j.several(list)
		if several && len(list) > maxSeveral {
			continue
		}
		for _, m := range list {
			found = true
			rule := rulePath
			switch s := j.r.symbol(m); {
			case s.Kind == facts.KindEnumMember:
			case s.Kind == facts.KindMacro:
				rule = ruleMacro
			case d.sym >= 0 && isType(j.r.symbol(d).Kind):
				rule = ruleAssociated
			case isType(s.Kind):
				rule = ruleType
			}
			if several {
				j.add(i, m, edges.ByName, ruleSeveral)
				continue
			}
			j.add(i, m, edges.MarkOf(t.weak || n.outside), rule)
		}
	}
	return found
}

// sameBlock prefers, of several items of a type, those of the impl block around.
func (j *job) sameBlock(list []def, c *context) []def {
	if len(list) < 2 {
		return list
	}
	for s := c.sym; s >= 0; s = j.f.Symbols[s].Parent {
		if !isOwned(j.f, s) {
			continue
		}
		var out []def
		for _, d := range list {
			if d.doc == j.doc && j.r.symbol(d).Init == j.f.Symbols[s].Init {
				out = append(out, d)
			}
		}
		if len(out) > 0 {
			return out
		}
		break
	}
	return list
}

// inScope resolves a method that a type is not known to have as one of a trait
// that can be used here.
func (j *job) inScope(i int32, ref *facts.Reference, t *typ, c *context) {
	if t.kind == external && common(ref.Name) {
		return
	}
	j.uses.Key(memberKey + ref.Name)
	var out []def
	for _, d := range j.r.byMember[ref.Name] {
		s := j.r.symbol(d)
		if s.Parent < 0 || s.Flags&facts.Static != 0 || j.r.symbol(def{d.doc, s.Parent}).Kind != facts.KindInterface {
			continue
		}
		trait := def{d.doc, s.Parent}
		// What a trait demands stands in every block of it, so that the type would
		// be known to have it, but for a block that is for all types.
		if s.Flags&facts.Abstract != 0 && !j.forAll(trait, ref.Name) {
			continue
		}
		if j.traitSeen(trait, c) && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) == 1 {
		j.add(i, out[0], edges.Likely, ruleTrait)
	}
}

// forAll tells whether an impl block of a trait is for a type parameter.
func (j *job) forAll(trait def, name string) bool {
	for _, d := range j.r.byMember[name] {
		if !isOwned(j.r.file(d.doc), d.sym) {
			continue
		}
		h := j.r.header(j.r.symbol(d).Init)
		if h.trait == nil || len(h.self.path) != 1 || h.self.ref || !isParam(h.params, h.self.path[0]) {
			continue
		}
		if slices.Contains(j.r.traitsAt(d.doc, j.r.symbol(d).Parent, h.trait, j.uses), trait) {
			return true
		}
	}
	return false
}

// traitSeen tells whether the methods of a trait can be used at a place: it is
// in scope by a name, by a glob or without a name.
func (j *job) traitSeen(trait def, c *context) bool {
	name := j.r.symbol(trait).Name
	if slices.Contains(j.r.lexical(j.doc, c.sym, name, j.uses).defs, trait) {
		return true
	}
	m := j.r.moduleAround(j.doc, c.sym, j.uses)
	for _, g := range j.r.outline(m.doc, j.uses).globs[m.sym] {
		if slices.Contains(j.r.path(m.doc, m.sym, g.path, j.uses).defs, trait) {
			return true
		}
	}
	return false
}

// maxSeveral caps how many items of traits may have a name for it to tell
// something.
const maxSeveral = 3

// maxByName caps how many definitions may have a name for it to tell something.
const maxByName = 3

// byName resolves a member of a value of which nothing is known.
func (j *job) byName(i int32, ref *facts.Reference, c *context) {
	if common(ref.Name) || len(ref.Name) < 3 {
		return
	}
	j.uses.Key(memberKey + ref.Name)
	var list []def
	for _, d := range j.r.byMember[ref.Name] {
		s := j.r.symbol(d)
		if (s.Kind == facts.KindMethod) != (ref.Kind == facts.RefCall) || s.Flags&facts.Static != 0 {
			continue
		}
		if s.Visibility == facts.Private && d.doc != j.doc {
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

// common are names that so many types of the library have that they tell
// nothing.
func common(name string) bool {
	switch name {
	case "get", "set", "new", "len", "is_empty", "push", "pop", "insert", "remove", "contains", "clear", "clone", "next", "iter", "map", "filter", "unwrap",
		"expect", "ok", "err", "as_ref", "as_mut", "into", "from", "to_string", "to_owned", "as_str", "collect", "find", "fold", "any", "all", "count", "join",
		"split", "trim", "parse", "read", "write", "flush", "lock", "borrow", "borrow_mut", "take", "replace", "send", "recv", "spawn", "cmp", "eq", "fmt",
		"hash", "drop", "deref", "index", "extend", "push_str", "starts_with", "ends_with", "path", "name", "kind", "id", "as_bytes", "first", "last", "min",
		"max", "chars", "lines", "bytes", "append", "drain", "sort", "poll", "wait", "close", "open", "start", "end", "default", "enumerate", "zip", "then",
		"and_then", "or_else", "is_some", "is_none", "is_ok", "is_err", "display", "value", "key", "keys", "values", "entry", "status", "arg", "args",
		"output", "load", "store", "swap", "call", "error", "file_name", "extension", "parent", "to_str", "metadata", "exists", "join_all", "body":
		return true
	}
	return false
}
