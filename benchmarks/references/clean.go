package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
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
