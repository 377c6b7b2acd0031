package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// The rules of this file are those of README.md, in its words. Each takes places
// out on both sides and is counted.

// mergeRedefinitions: where we have a definition and the truth a reference to a
// symbol of the same name and no definition, the truth keeps the first of
// several definitions only. The place becomes one more definition of its symbol.
func (c *comparison) mergeRedefinitions() {
	for doc := range c.ours.Files {
		if !c.truth.indexed[doc] {
			continue
		}
		f := c.ours.Files[doc].File
		for i := range f.Symbols {
			s := &f.Symbols[i]
			p := c.symbolPlace(doc, s)
			if len(c.refs[p]) == 0 || len(c.definitionsAt(p)) > 0 || c.redefined[p] {
				continue
			}
			for _, t := range c.refs[p] {
				if t.name == s.Name || t.name == strings.TrimPrefix(s.Name, "#") {
					t.defs = append(t.defs, p)
					c.redefined[p] = true
				}
			}
			if c.redefined[p] {
				c.drop(p, "redefinition")
			}
		}
	}
}

// withdraw takes a symbol out of those that count.
func (c *comparison) withdraw(s *truthSymbol, rule string) {
	for _, p := range sortedPlaces(c.refs) {
		if i := slices.Index(c.refs[p], s); i >= 0 {
			c.cleaned[rule]++
			if c.refs[p] = slices.Delete(c.refs[p], i, i+1); len(c.refs[p]) == 0 {
				delete(c.refs, p)
			}
		}
	}
	s.kind = kindLocal
}

// repairGo: from another module scip-go writes a method of an interface with
// brackets, where it is defined without.
func repairGo(t *truth, _ *program) (repaired int) {
	for _, id := range slices.Sorted(maps.Keys(t.symbols)) {
		s := t.symbols[id]
		base, ok := strings.CutSuffix(id, "().")
		if s.kind != kindExternal || !ok {
			continue
		}
		if d := t.symbols[base+"."]; d != nil && d.kind == kindMethod {
			repaired += t.replace(s, d)
		}
	}
	return repaired
}

// cleanGo: scip-go gives some variables and parameters of functions symbols of
// their own, as if they stood at the level of the package.
func cleanGo(c *comparison) {
	bodies := map[int][][2]int{}
	for doc := range c.truth.indexed {
		bodies[doc] = functionsOf(c.ours.texts[doc])
	}
	for _, id := range slices.Sorted(maps.Keys(c.truth.symbols)) {
		s := c.truth.symbols[id]
		if s.kind != kindVariable {
			continue
		}
		inside := slices.ContainsFunc(s.defs, func(p place) bool {
			return slices.ContainsFunc(bodies[p.doc], func(b [2]int) bool { return b[0] <= p.at && p.at < b[1] })
		})
		if inside {
			c.withdraw(s, "variable of a function as a symbol of the package")
		}
	}
}

// functionsOf lists the ranges of functions and function literals in Go source,
// from their types on, so that parameters are inside.
func functionsOf(text []byte) [][2]int {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var out [][2]int
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			out = append(out, [2]int{fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset})
		}
		return true
	})
	return out
}

// anonymousDefault tells whether a symbol of ours stands for "export default
// EXPRESSION", for which scip-typescript has none.
func anonymousDefault(f *facts.File, s *facts.Symbol) bool {
	return f.Family == "javascript" && s.Name == "default" && s.Flags&facts.DefaultExport != 0
}

// keyWithoutType tells a key of an object literal, from which we lead to a member
// of the type that the literal has to have, where scip-typescript has the key as
// a symbol of its own (a local one for a method), or, for {name}, nothing but the variable. It does so
// wherever that type is a union, also one with undefined, as in every optional
// parameter, and in what an async function returns. No reference of the truth is
// taken out.
func (c *comparison) keyWithoutType(p place, qualifier string, target facts.Kind) bool {
	short := strings.HasSuffix(qualifier, ".(@short)")
	if c.truth.tool != "scip-typescript" || target != facts.KindField && target != facts.KindMethod && target != facts.KindProperty ||
		!short && !strings.HasSuffix(qualifier, ".(@key)") {
		return false
	}
	for _, s := range c.refs[p] {
		if s.kind == kindField || s.kind == kindMethod {
			return false
		}
	}
	return len(c.truth.at[p]) > 0 && (short || slices.ContainsFunc(c.truth.at[p], func(o occurrence) bool {
		return o.definition && (o.symbol.kind == kindKey || o.symbol.kind == kindLocal)
	}))
}

// constructorWord finds the constructor of a class.
var constructorWord = regexp.MustCompile(`\bconstructor\s*\(`)

// repairScript: scip-typescript gives a constructor with a modifier no
// definition. It stands where the first constructor behind the name of its class
// does.
func repairScript(t *truth, p *program) (repaired int) {
	for _, id := range slices.Sorted(maps.Keys(t.symbols)) {
		s := t.symbols[id]
		class := t.symbols[strings.TrimSuffix(id, "`<constructor>`().")]
		if s.kind != kindExternal || class == nil || class == s || len(class.defs) == 0 {
			continue
		}
		at := class.defs[0]
		found := constructorWord.FindIndex(p.texts[at.doc][at.at:])
		if found == nil {
			continue
		}
		at.at += found[0]
		s.kind, s.defs = kindMethod, []place{at}
		t.at[at] = append(t.at[at], occurrence{s, at.at + len("constructor"), true})
		repaired++
	}
	return repaired
}

var renamed = regexp.MustCompile(`^\s+as\s`)

// cleanScript: the name before "as" in an import or export clause is, where it
// stands for a value, a local symbol without a definition.
func cleanScript(c *comparison) {
	for _, p := range sortedPlaces(c.truth.at) {
		text := c.ours.texts[p.doc]
		if len(c.refs[p]) > 0 || !renamed.Match(text[min(p.at+len(c.ours.wordAt(p)), len(text)):]) {
			continue
		}
		for _, o := range c.truth.at[p] {
			if !o.definition && o.symbol.kind == kindLocal && len(o.symbol.defs) == 0 && !c.faulty[p] {
				c.dropForeign(p, "name before \"as\"")
			}
		}
	}
}

// notBuiltins are classes of the module typing that scip-python names as if they
// were built in, and with them any class of the project of the same name.
var notBuiltins = []string{"TypeVar", "TypeVarTuple", "ParamSpec", "TypeAlias", "TypeAliasType", "Generic", "Protocol"}

// repairPython: scip-python names a variable with a declared type NAME# at some
// of its uses, which it defines nowhere, instead of the NAME. or NAME.NAME. that
// it defines. These uses become uses of the defined symbol.
func repairPython(t *truth, _ *program) (repaired int) {
	for _, id := range slices.Sorted(maps.Keys(t.symbols)) {
		s := t.symbols[id]
		base, ok := strings.CutSuffix(id, "#")
		if s.kind != kindExternal || !ok {
			continue
		}
		name := base[strings.LastIndexAny(base, "/#.")+1:]
		for _, form := range []string{".", "." + name + ".", "()."} {
			if d := t.symbols[base+form]; d != nil && countedKind(d.kind) {
				repaired += t.replace(s, d)
				break
			}
		}
	}
	return repaired
}

// cleanPython takes out faults of scip-python.
func cleanPython(c *comparison) {
	for _, p := range sortedPlaces(c.truth.at) {
		text := c.ours.texts[p.doc]
		word := c.ours.wordAt(p)
		for _, o := range c.truth.at[p] {
			s := o.symbol
			switch {
			case o.definition || c.faulty[p]:
			case p.at > 0 && text[p.at-1] == '.' && s.kind == kindType && word != s.name:
				c.drop(p, "attribute on its class")
			case strings.HasSuffix(s.id, "/__init__:") && s.kind == kindExternal && word != "" && !strings.Contains(s.id, word):
				c.dropForeign(p, "imported name on a module")
			case strings.Contains(s.id, " builtins/") && slices.Contains(notBuiltins, s.name):
				c.dropForeign(p, "class of typing as a builtin")
			}
		}
	}
	c.leaveForeignMembers()
}

// memberAsGlobal tells an attribute or keyword argument whose symbol is the
// builtin, or the module of the standard library, of its name. Neither can be
// one, but for attributes of the module builtins.
func memberAsGlobal(text []byte, at int, word, id string) bool {
	attribute := at > 0 && text[at-1] == '.' && !bytes.HasSuffix(text[:at], []byte("builtins."))
	if !attribute && !keyword.Match(text[min(at+len(word), len(text)):]) {
		return false
	}
	return strings.HasSuffix(id, " builtins/"+word+"#") || strings.HasSuffix(id, " builtins/"+word+"().") || strings.HasSuffix(id, " "+word+"/__init__:")
}

// keyword finds what follows the name of a keyword argument, or of a variable
// that is set.
var keyword = regexp.MustCompile(`^\s*=[^=]`)

// leaveForeignMembers takes out members that scip-python does not name where it
// uses them: attributes and keyword arguments as a builtin or module of their
// name, and keyword arguments for the fields of namedtuple("T", "field …"), which
// have no definition, as local symbols without one. Places that we lead nowhere,
// or by name alone, are left alone: they do not touch the goals.
func (c *comparison) leaveForeignMembers() {
	for doc := range c.ours.Files {
		if !c.truth.indexed[doc] {
			continue
		}
		f, text := c.ours.Files[doc].File, c.ours.texts[doc]
		for _, e := range c.ours.edges[doc] {
			p := c.ours.place(doc, int(f.Refs[e.Ref].Start))
			if c.faulty[p] || len(c.truth.at[p]) != 1 || e.Mark == edges.ByName {
				continue
			}
			to := c.symbolPlace(int(e.Doc), &c.ours.Files[e.Doc].File.Symbols[e.Symbol])
			word := c.ours.wordAt(p)
			switch s := c.truth.at[p][0].symbol; {
			case s.kind == kindExternal && memberAsGlobal(text, p.at, word, s.id):
				c.dropForeign(p, "member as a builtin or module of its name")
			case s.kind == kindLocal && len(s.defs) == 0 && len(c.truth.at[to]) == 0 && keyword.Match(text[p.at+len(word):]) &&
				inString(c.ours.texts[to.doc], to.at, c.ours.wordAt(to)):
				c.dropForeign(p, "keyword of a named tuple")
			}
		}
	}
}

// inString tells a word between quotes, commas and blanks.
func inString(text []byte, at int, word string) bool {
	end := at + len(word)
	return at > 0 && end < len(text) && strings.IndexByte("\"' ,", text[at-1]) >= 0 && strings.IndexByte("\"' ,", text[end]) >= 0
}

// dropForeign is drop for a reference that leads out of what counts.
func (c *comparison) dropForeign(p place, rule string) {
	c.before++
	c.cleaned[rule]++
	c.drop(p, rule)
}

// skipped lists the definitions of a file that the tool took for unreachable
// code: it has nothing in them at all, or, as scip-python does, has their names
// as uses of local symbols that are defined nowhere.
func (c *comparison) skipped(doc int) []facts.Span {
	var places []int
	for p := range c.truth.at {
		if p.doc == doc {
			places = append(places, p.at)
		}
	}
	slices.Sort(places)
	var out []facts.Span
	f := c.ours.Files[doc].File
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if k := kindOf(s); k != kindFunction && k != kindMethod && k != kindType {
			continue
		}
		at, _ := slices.BinarySearch(places, int(s.Span.Start))
		nothing := at == len(places) || places[at] >= int(s.Span.End)
		name := c.truth.at[c.symbolPlace(doc, s)]
		dangling := c.truth.tool == "scip-python" && len(name) > 0 && !slices.ContainsFunc(name, func(o occurrence) bool {
			return o.definition || o.symbol.kind != kindLocal || len(o.symbol.defs) > 0
		})
		if nothing || dangling {
			out = append(out, s.Span)
		}
	}
	return out
}

// leaveUnread takes the code that the tool did not read out on both sides.
func (c *comparison) leaveUnread() {
	for doc := range c.truth.indexed {
		c.unread[doc] = c.skipped(doc)
	}
	for _, p := range sortedPlaces(c.refs) {
		if c.inUnread(p) {
			c.drop(p, "code that the tool did not read")
		}
	}
}
