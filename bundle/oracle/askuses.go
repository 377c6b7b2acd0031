package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
)

// askUses answers who uses a definition; for an ambiguous name, who uses each.
func (o *Oracle) askUses(a *draft, t target) {
	if len(t.definitions) > 1 && oneThing(t.definitions) {
		o.variants(a, found{definitions: t.definitions, folded: t.folded})
		return
	}
	if len(t.definitions) == 1 {
		o.oneSymbol(a, &t.definitions[0], found{definitions: t.definitions, folded: t.folded})
		if !certain(t) && a.confidence == High {
			a.confidence = Medium
		}
		return
	}
	o.severalSymbols(a, t.name, found{definitions: t.definitions})
	for i := range t.definitions[:min(4, len(t.definitions))] {
		uses, _ := o.usesOf(t.definitions[i].Definition)
		o.citeUses(a, uses[:min(len(uses), 5)])
	}
}

// askUsesIn answers who uses a definition in one file.
func (o *Oracle) askUsesIn(a *draft, t target) {
	var in []usesByFile
	for i := range t.definitions {
		uses, _ := o.usesOf(o.alike(t.definitions[i].Definition)...)
		for _, u := range uses {
			if u.doc == t.doc {
				in = append(in, u)
			}
		}
	}
	o.citeUses(a, in)
	n := 0
	for _, u := range in {
		n += len(u.sites)
	}
	if n > 0 {
		a.say("In %s it is used in %s.", o.c.Path(t.doc), plural(n, "place"))
	} else {
		a.say("In %s no use of it was resolved.", o.c.Path(t.doc))
		a.confidence = Medium
	}
	o.askUses(a, t)
}

// askImplementations answers what implements, extends or overrides a definition.
func (o *Oracle) askImplementations(a *draft, t target) {
	total := 0
	var names []string
	for i := range t.definitions {
		d := &t.definitions[i]
		o.citeDefinition(a, d)
		if o.refs == nil {
			continue
		}
		names = append(names, o.citeRelations(a, o.refs.Derived(d.Definition), "implements, extends or overrides "+d.qualified())...)
		total = len(names)
	}
	d := &t.definitions[0]
	cov := o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == o.doc(d.Doc).Family }, o.unresolved)
	if total > 0 {
		cov.State = Found
		a.say("%s is implemented, extended or overridden by %s: %s.", t.name, plural(total, "definition"), listOf(names, 8))
	} else if len(t.definitions) > 1 && !oneThing(t.definitions) {
		// Nothing derives from them, but each of them is an implementation of the name.
		for i := range t.definitions {
			names = append(names, t.definitions[i].qualified())
		}
		cov.State = Found
		a.say("%s is defined %d times: %s.", t.name, len(names), listOf(names, 8))
		a.confidence = Medium
	} else {
		cov.conclude()
		a.say("Nothing was found that implements, extends or overrides %s.", t.name)
		a.coverage = cov
		a.sayCoverage()
		if cov.State != Absent {
			a.confidence = Medium
		}
		for i := range t.definitions {
			o.citeRelations(a, o.refs.Bases(t.definitions[i].Definition), "base of "+t.definitions[i].qualified())
		}
	}
	a.coverage = cov
	if len(t.definitions) > 1 && a.confidence == High {
		a.confidence = Medium
	}
}

// askTests answers which tests reach a definition or a file.
func (o *Oracle) askTests(a *draft, t target) {
	var defs []store.Definition
	what := t.name
	for _, d := range t.definitions {
		defs = append(defs, d.Definition)
	}
	var named []int
	if len(defs) == 0 {
		defs = o.definitionsOf(t.doc, 0, 0)
		what = o.c.Path(t.doc)
		_, named = o.dependantFiles(t.doc)
	}
	tests := o.testsReaching(defs)
	if len(t.definitions) > 0 {
		o.citeDefinition(a, &t.definitions[0])
	}
	for _, d := range named {
		if !slices.ContainsFunc(tests, func(x test) bool { return x.doc == d }) {
			tests = append(tests, test{doc: d})
		}
	}
	if len(tests) == 0 {
		if o.askMentioningTests(a, t, defs, what) {
			return
		}
		a.coverage = o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Role.Has(facts.RoleTest) }, o.unresolved)
		a.coverage.conclude()
		a.say("No test was found that reaches %s.", what)
		a.sayCoverage()
		a.confidence = Medium
		return
	}
	a.coverage.State = Found
	var paths []string
	for _, x := range tests {
		paths = append(paths, o.c.Path(x.doc))
	}
	a.say("%s of tests %s %s: %s.", plural(len(tests), "file"), map[bool]string{true: "reaches", false: "reach"}[len(tests) == 1], what, listOf(paths, 5))
	o.citeTests(a, tests, maxListed)
	for _, x := range tests[:min(3, len(tests))] {
		o.suggest(a, x.doc, x.line)
	}
	if tests[0].hop == 0 {
		a.confidence = Medium
	}
}

// askMentioningTests answers with tests that only the name leads to, where no
// reference does: those whose text has it, those that are called like the file of
// the definition first.
func (o *Oracle) askMentioningTests(a *draft, t target, defs []store.Definition, what string) bool {
	if len(t.definitions) == 0 {
		return false
	}
	_, name := splitName(t.name)
	docs, known := o.wordDocs(name)
	if !known {
		return false
	}
	docs = slices.DeleteFunc(docs, func(d int) bool { return !o.doc(d).Role.Has(facts.RoleTest) })
	stems := map[string]bool{}
	for _, d := range defs {
		stems[ranker.Stem(o.c.Path(d.Doc))] = true
	}
	low := strings.ToLower(name)
	rank := func(doc int) int {
		p := o.c.Path(doc)
		return 2*btoi(!strings.Contains(strings.ToLower(p), low)) + btoi(!stems[ranker.Stem(p)])
	}
	slices.SortStableFunc(docs, func(x, y int) int {
		return rank(x) - rank(y)
	})
	mentions, _ := o.search(name, docs, nil)
	if len(mentions) == 0 {
		return false
	}
	var paths []string
	for _, m := range mentions {
		if p := o.c.Path(m.doc); !slices.Contains(paths, p) {
			paths = append(paths, p)
			o.suggest(a, m.doc, uint32(m.line))
		}
	}
	a.say("No reference from a test to %s was resolved, but %s of tests have its name: %s.", what, plural(len(paths), "file"), listOf(paths, 5))
	o.citeMentions(a, mentions)
	a.coverage = Coverage{State: Found, Searched: len(docs), Analysed: len(docs)}
	a.confidence = Medium
	return true
}

// askFileUses answers who imports a file, or what it imports.
func (o *Oracle) askFileUses(a *draft, t target, k kind) {
	p := o.c.Path(t.doc)
	a.coverage = Coverage{State: Found, Searched: o.c.NumDocs(), Analysed: o.c.NumDocs()}
	o.cite(a, FromSummary, t.doc, 0, 0, "", cmp.Or(o.doc(t.doc).Summary, "the file in question"))
	if k == whatImports {
		imports := o.c.Imports(t.doc)
		var paths []string
		for _, i := range imports {
			paths = append(paths, o.c.Path(i))
			o.cite(a, FromFile, i, 0, 0, "", "imported by "+p)
		}
		if len(paths) == 0 {
			a.say("%s imports nothing of the repository.", p)
			return
		}
		a.say("%s imports %s of the repository: %s.", p, plural(len(paths), "file"), listOf(paths, 8))
		return
	}
	files, tests := o.dependantFiles(t.doc)
	var paths []string
	for _, f := range files {
		paths = append(paths, o.c.Path(f.doc))
		line, detail := uint32(0), "imports "+p
		if len(f.sites) > 0 {
			line = f.sites[0].Line
			detail = fmt.Sprintf("uses its definitions %s", plural(len(f.sites), "time"))
		}
		o.cite(a, FromFile, f.doc, line, line, "", detail)
		o.suggest(a, f.doc, line)
	}
	for _, d := range tests {
		paths = append(paths, o.c.Path(d))
		o.cite(a, FromFile, d, 0, 0, "", "a test of it")
	}
	if len(paths) == 0 {
		a.say("No other file of the repository was found that depends on %s.", p)
		d := o.doc(t.doc)
		a.coverage = o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == d.Family }, o.unresolved)
		a.coverage.conclude()
		a.sayCoverage()
		return
	}
	a.say("%s %s on %s: %s.", plural(len(paths), "file"), verb(len(paths), "depend"), p, listOf(paths, 8))
}

// askBetween answers whether one file depends on another.
func (o *Oracle) askBetween(a *draft, from, to int) {
	uses, _ := o.usesOf(o.definitionsOf(to, 0, 0)...)
	n := 0
	for _, u := range uses {
		if u.doc == from {
			n += len(u.sites)
			o.citeUses(a, []usesByFile{u})
		}
	}
	imports := slices.Contains(o.c.Imports(from), to)
	d := o.doc(from)
	a.coverage = Coverage{State: Found, Searched: 1, Analysed: 1}
	switch {
	case n > 0:
		a.say("%s uses definitions of %s in %s.", o.c.Path(from), o.c.Path(to), plural(n, "place"))
	case imports:
		a.say("%s imports %s.", o.c.Path(from), o.c.Path(to))
	default:
		if why := o.unresolved(from, &d); why != "" {
			a.coverage.Analysed, a.coverage.Missing = 0, []Missing{{d.Path, why}}
		}
		a.coverage.conclude()
		a.say("Nothing in %s was found that leads to %s.", o.c.Path(from), o.c.Path(to))
		a.confidence = Medium
	}
	if imports || n > 0 {
		o.cite(a, FromFile, from, 0, 0, "", "depends on "+o.c.Path(to))
	}
	o.cite(a, FromSummary, to, 0, 0, "", o.summaryOf(to))
}

// asksForUnused tells whether a question is about what nothing uses.
func asksForUnused(text string) bool {
	words := cueWords(text)
	return strings.Contains(words, " unused ") || strings.Contains(words, " dead ")
}

// askUnused lists the definitions of a file that nothing uses: no reference was
// resolved, nothing relates them to others, and no text has their names.
func (o *Oracle) askUnused(a *draft, doc int) {
	d := o.doc(doc)
	a.coverage = o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == d.Family }, o.unresolved)
	var unused []definitionInfo
	looked := 0
	for i, s := range o.symbols(doc) {
		switch s.Kind {
		case facts.KindFunction, facts.KindMethod, facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindConstant:
		default:
			continue
		}
		x, ok := o.info(store.Definition{Doc: doc, Symbol: i})
		if !ok || s.Flags&facts.InBody != 0 || s.Flags&facts.Declaration != 0 {
			continue
		}
		looked++
		if _, total := o.usesOf(o.alike(x.Definition)...); total > 0 || o.refs == nil || len(o.refs.Bases(x.Definition))+len(o.refs.Derived(x.Definition)) > 0 {
			continue
		}
		var c Coverage
		if len(o.otherMentions(&x, &c)) == 0 && !c.Bounded {
			unused = append(unused, x)
		}
	}
	o.cite(a, FromSummary, doc, 0, 0, "", o.summaryOf(doc))
	if len(unused) == 0 {
		a.coverage.conclude()
		a.say("Of the %s of %s all are used or named somewhere.", plural(looked, "definition"), d.Path)
		return
	}
	var names []string
	for i := range unused {
		names = append(names, unused[i].qualified())
		o.citeDefinition(a, &unused[i])
	}
	a.say("Nothing was found that uses %s of the %s of %s: %s.", plural(len(unused), "definition"), plural(looked, "definition"), d.Path, listOf(names, 10))
	a.coverage.State = Found
	a.confidence = Medium // what reaches them by their names at run time is not seen
}
