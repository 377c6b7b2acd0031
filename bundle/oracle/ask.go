package oracle

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// kind is what a question is after.
type kind int

const (
	anything kind = iota
	whereIs
	whoUses
	whoImplements
	whatIn
	whyDoes
	whichTests
	whatChanged
	howDoes
	whatImports
	whoOwns
	whatFaults
)

// cues are words that tell a kind, in the order in which they are tried; each is
// a list of alternatives, all of whose words have to stand in the question in
// their order.
var cues = []struct {
	kind  kind
	words []string
}{
	{whichTests, []string{"which test", "what test", "tests cover", "test covers", "tests for", "tests of", "tested by", "tests exercise", "tests reach", "where is * tested", "where are * tested", "covered by", "test coverage", "is there a test", "are there tests", "any tests", "unit test"}},
	{whoImplements, []string{"implements", "implement", "extend", "override", "implementation of", "implementations of", "implementers", "implementors", "extends", "subclass", "subclasses", "derive from", "derives from", "inherit", "inherits", "overrides", "override the", "overridden", "satisfies", "satisfy"}},
	{whatImports, []string{"what does * import", "what do * import", "imports of", "which modules does", "dependencies of", "what does * depend on", "depends on what"}},
	{whoUses, []string{"who uses", "what uses", "who calls", "what calls", "which * use", "which * uses", "which * call", "which * calls", "where is * used", "where are * used", "where is * called", "where are * called", "where do we call", "where do we use", "callers of", "caller of", "users of", "usages of", "usage of", "uses of", "references to", "referenced", "call sites", "calls to", "is * used", "are * used", "invoke", "invokes", "invoked", "depend on", "depends on", "who imports", "what imports", "which files import", "imported by", "importers", "imports", "anything call", "anything use", "anyone use", "anyone call"}},
	{whatFaults, []string{"syntax error", "lint", "diagnostics", "warnings in", "errors in", "findings"}},
	{whoOwns, []string{"who owns", "owner of", "owners of", "code owner", "codeowners", "responsible for"}},
	{whatChanged, []string{"what changed", "changed last", "last change", "last changed", "recent change", "recently", "history of", "latest commit", "last commit", "recent commit", "which commit", "what commit", "when was", "when did", "last modified", "last touched", "changes in", "commits touched", "commit touched"}},
	{whyDoes, []string{"why"}},
	{whatIn, []string{"what is in", "what's in", "whats in", "contents of", "what does * contain", "what does * hold", "outline of", "which symbols", "which functions", "which classes", "which methods", "what functions", "what classes", "what methods", "list the", "members of", "methods of", "fields of", "what is inside", "which files are in", "what do we have in", "overview of", "summary of", "summarise", "summarize"}},
	{whereIs, []string{"where is", "where are", "where's", "where do", "where does", "where can", "which file", "what file", "in which file", "defined", "declared", "definition of", "location of", "find the", "locate", "show me", "where"}},
	{howDoes, []string{"how does", "how do", "how is", "how are", "how to", "how can", "how"}},
	{whatIn, []string{"what is", "what are", "what does", "signature of", "describe", "explain"}},
}

// kindOf tells the kinds of questions apart.
func kindOf(text string) kind {
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !(r == '_' || r == '\'' || r == '.' || r == '/' || r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80)
	}), " ") + " "
	for _, c := range cues {
		for _, w := range c.words {
			if matchesCue(words, w) {
				return c.kind
			}
		}
	}
	return anything
}

// matchesCue looks for the parts of a cue, which stars separate, in their order.
func matchesCue(words, cue string) bool {
	for i, part := range strings.Split(cue, " * ") {
		at := strings.Index(words, " "+part+" ")
		if at < 0 && i == 0 && !strings.Contains(cue, "*") {
			// A plural or another form of the last word.
			at = strings.Index(words, " "+part+"s ")
		}
		if at < 0 {
			return false
		}
		words = words[at+len(part)+1:]
	}
	return true
}

// target is what a question is about.
type target struct {
	// names are those that could be definitions, as they were written.
	names []string
	// definitions of the first of them that has any.
	name        string
	definitions []definitionInfo
	folded      bool
	// doc and dir are the file or directory that is named, -1 for none; line the
	// line in it.
	doc, dir, line int
	// missing is a path that is named and not there.
	missing string
	// commit is a hash that is named.
	commit string
}

// targetOf finds what a question names.
func (o *Oracle) targetOf(text string, q *query.Query) target {
	t := target{doc: -1, dir: -1}
	paths := map[string]bool{}
	for _, p := range q.Paths {
		clean, err := cleanPath(strings.TrimSuffix(p.Path, "/"))
		if err != nil || clean == "" {
			continue
		}
		paths[strings.ToLower(clean)] = true
		if doc, ok := o.findPath(clean); ok {
			if t.doc < 0 {
				t.doc, t.line = doc, p.Line
			}
			continue
		}
		if dir, ok := o.findDir(clean); ok {
			if t.dir < 0 {
				t.dir = dir
			}
			continue
		}
		if first, _, nested := strings.Cut(clean, "/"); t.missing == "" {
			// A dotted name can be anything; below a directory that is there it is a path.
			if _, ok := o.c.DirByPath(first); nested && ok || strings.Contains(clean, ".") && !nested || nested && path.Ext(clean) != "" {
				t.missing = clean
			}
		}
	}
	if t.doc < 0 && t.dir < 0 {
		// "the mapgen/store directory", "package store"
		words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ?,;:!\"'`()", r) })
		for i, w := range words {
			low := strings.ToLower(w)
			near := i > 0 && isDirWord(words[i-1]) || i+1 < len(words) && isDirWord(words[i+1])
			if near || strings.Contains(low, "/") {
				if dir, ok := o.findDir(strings.Trim(w, "/.")); ok {
					t.dir = dir
					break
				}
			}
		}
	}
	t.names = namesIn(text, q, paths)
	for i, n := range t.names {
		// A plain word among others is a word.
		if !hasShape(n) && !strings.ContainsAny(n, ".:#") && !strings.Contains(text, "`"+n+"`") && (i > 0 || len(t.names) > 1) && n == strings.ToLower(n) {
			continue
		}
		f := o.lookUp(n, o.pathOf(t.doc), t.line)
		if len(f.definitions) > 0 && (!f.folded || hasShape(n)) {
			t.name, t.definitions, t.folded = n, f.definitions, f.folded
			break
		}
	}
	return t
}

func (o *Oracle) pathOf(doc int) string {
	if doc < 0 {
		return ""
	}
	return o.c.Path(doc)
}

func isDirWord(w string) bool {
	switch strings.ToLower(strings.Trim(w, "?,.")) {
	case "directory", "dir", "folder", "package", "module", "packages", "subpackage":
		return true
	}
	return false
}

// findPath finds the file that a path means: exactly, or the only one that ends
// in it.
func (o *Oracle) findPath(p string) (int, bool) {
	if doc, ok := o.c.DocByPath(p); ok {
		return doc, true
	}
	found := -1
	for doc := range o.c.NumDocs() {
		if x := o.c.Path(doc); strings.HasSuffix(x, "/"+p) {
			if found >= 0 {
				// Of several the one that is nearest to the root, if there is one.
				a, b := strings.Count(o.c.Path(found), "/"), strings.Count(x, "/")
				if a == b {
					return -1, false
				}
				if a < b {
					continue
				}
			}
			found = doc
		}
	}
	return found, found >= 0
}

func (o *Oracle) findDir(p string) (int, bool) {
	if p == "" {
		return 0, false
	}
	if dir, ok := o.c.DirByPath(p); ok {
		return dir, true
	}
	found := -1
	for i, d := range o.c.Dirs() {
		if strings.HasSuffix(d.Path, "/"+p) {
			if found >= 0 {
				return -1, false
			}
			found = i
		}
	}
	return found, found >= 0
}

// namesIn lists what could be names of definitions, the most code-like first:
// what stands in backticks, qualified names, names of a shape that words do not
// have, and then all words that are no part of plain English questions.
func namesIn(text string, q *query.Query, paths map[string]bool) []string {
	var ticked, qualified, shaped, plain []string
	add := func(list *[]string, s string) {
		s = strings.Trim(s, "`'\"?!.,;:()[]{}<>")
		if s != "" && !paths[strings.ToLower(s)] && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 {
			add(&ticked, part)
		}
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '\n' || r == '\t' || r == ',' || r == '?' || r == '"' || r == '`' || r == ';'
	}) {
		w = strings.TrimSuffix(w, "'s")
		clean := strings.Trim(w, "'\"!.,;:()[]{}<>")
		switch {
		case clean == "" || paths[strings.ToLower(clean)] || strings.Contains(clean, "/"):
		case strings.Contains(clean, "::") || strings.Contains(clean, "#") || strings.Contains(clean, "->") || strings.Contains(clean, ".") && hasLetter(clean):
			add(&qualified, clean)
		case hasShape(clean):
			add(&shaped, clean)
		case !isQuestionWord(strings.ToLower(clean)):
			add(&plain, clean)
		}
	}
	return slices.Concat(ticked, qualified, shaped, plain)
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' })
}

// hasShape tells names from words: an underscore, an inner capital, a digit behind
// a letter, or a call.
func hasShape(s string) bool {
	if strings.HasSuffix(s, "()") || strings.Contains(s, "_") || strings.HasPrefix(s, "$") || strings.HasPrefix(s, "@") {
		return true
	}
	lower := false
	for i, r := range s {
		if i > 0 && r >= 'A' && r <= 'Z' && lower {
			return true
		}
		lower = lower || r >= 'a' && r <= 'z'
	}
	// XMLReader, ABC: capitals followed by a word, or all capitals.
	upper := 0
	for _, r := range s {
		if r >= 'A' && r <= 'Z' {
			upper++
		}
	}
	return upper >= 2
}

// isQuestionWord tells the words that questions are made of.
func isQuestionWord(w string) bool {
	switch w {
	case "a", "an", "the", "is", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had", "can", "could", "should", "would", "will",
		"i", "we", "you", "it", "its", "they", "them", "this", "that", "these", "those", "there", "here", "me", "us", "our", "my", "your",
		"what", "where", "which", "who", "whom", "whose", "when", "why", "how",
		"in", "on", "at", "of", "to", "for", "from", "by", "with", "without", "into", "as", "and", "or", "not", "no", "if", "than", "then", "so", "but",
		"file", "files", "function", "functions", "class", "classes", "method", "methods", "type", "types", "interface", "interfaces", "struct", "structs",
		"module", "modules", "package", "packages", "directory", "directories", "folder", "code", "codebase", "repo", "repository", "project", "symbol", "symbols",
		"variable", "variables", "constant", "constants", "field", "fields", "enum", "trait", "macro", "definition", "definitions", "source", "implementation",
		"defined", "declared", "implemented", "implements", "used", "uses", "use", "using", "called", "calls", "call", "caller", "callers", "located", "found", "find",
		"show", "tell", "give", "list", "all", "any", "every", "each", "about", "anything", "anyone", "something", "someone", "everything",
		"test", "tests", "tested", "cover", "covers", "covering", "exercise", "exercises", "unit", "change", "changed", "changes", "last", "recent", "recently", "latest",
		"commit", "commits", "history", "added", "removed", "made", "reason", "import", "imports", "imported", "importing", "depend", "depends", "dependency", "dependencies",
		"reference", "references", "referenced", "usages", "usage", "extend", "extends", "subclass", "subclasses", "inherit", "inherits", "override", "overrides",
		"work", "works", "handled", "happens", "named", "name", "exist", "exists", "contain", "contains", "inside", "place", "places", "line", "lines", "owner", "owners", "owns":
		return true
	}
	return false
}

// ask answers a question in plain words.
func (o *Oracle) ask(r *Request) (*draft, error) {
	q := query.Parse(r.Query)
	k := kindOf(r.Query)
	t := o.targetOf(r.Query, q)
	a := &draft{confidence: High}
	// A path that is not there settles what is asked about it.
	if t.missing != "" && t.doc < 0 && len(t.definitions) == 0 && k != whyDoes && k != howDoes {
		o.noFile(a, t.missing)
		return a, nil
	}
	// A name that is written like code and is defined nowhere, likewise.
	if len(t.definitions) == 0 && t.doc < 0 && len(t.names) > 0 && (hasShape(t.names[0]) || strings.Contains(r.Query, "`")) && k != whyDoes && k != whatChanged && k != whatFaults {
		f := o.lookUp(t.names[0], "", 0)
		o.undefined(a, t.names[0], f)
		return a, nil
	}
	switch {
	case k == whatFaults && (t.doc >= 0 || t.dir >= 0 || len(t.definitions) == 0):
		return o.diagnostics(&Request{Action: Diagnostics, Scope: o.scopePath(t)})
	case k == whoOwns:
		if o.askOwners(a, t) {
			return a, nil
		}
	case k == whatChanged:
		if o.askHistory(a, t, q, r.Query) {
			return a, nil
		}
	case k == whyDoes:
		o.askWhy(a, t, q, r.Query)
		return a, nil
	case k == whichTests && (len(t.definitions) > 0 || t.doc >= 0):
		o.askTests(a, t)
		return a, nil
	case k == whoImplements && len(t.definitions) > 0:
		o.askImplementations(a, t)
		return a, nil
	case (k == whoUses || k == whatImports) && t.doc >= 0 && (len(t.definitions) == 0 || t.definitions[0].Doc != t.doc):
		o.askFileUses(a, t, k)
		return a, nil
	case k == whoUses && len(t.definitions) > 0:
		o.askUses(a, t)
		return a, nil
	case k == whatIn && t.doc >= 0 && len(t.definitions) == 0:
		return o.file(&Request{Action: File, File: o.c.Path(t.doc)})
	case (k == whatIn || k == anything || k == howDoes) && t.dir >= 0 && t.doc < 0 && len(t.definitions) == 0:
		o.directory(a, t.dir)
		return a, nil
	case len(t.definitions) > 0 && (certain(t) || k == whereIs) && k != howDoes:
		o.askWhere(a, t, k)
		return a, nil
	case t.doc >= 0 && k != howDoes && len(t.definitions) == 0:
		return o.file(&Request{Action: File, File: o.c.Path(t.doc), Line: t.line})
	}
	o.askRanked(a, t, q, r.Query)
	return a, nil
}

func (o *Oracle) scopePath(t target) string {
	switch {
	case t.doc >= 0:
		return o.c.Path(t.doc)
	case t.dir >= 0:
		return o.c.Dirs()[t.dir].Path
	}
	return ""
}

// certain tells whether the name of a target is surely meant as one.
func certain(t target) bool {
	_, last := splitName(t.name)
	return hasShape(t.name) || strings.ContainsAny(t.name, ".:#") || last != strings.ToLower(last)
}

// askWhere answers where something is defined, and what it is.
func (o *Oracle) askWhere(a *draft, t target, k kind) {
	f := found{definitions: t.definitions, folded: t.folded}
	if len(t.definitions) > 1 {
		o.severalSymbols(a, t.name, f)
		if !certain(t) {
			a.confidence = Medium
		}
		return
	}
	d := &t.definitions[0]
	if k == whatIn && len(o.membersOf(d)) > 0 {
		o.citeDefinition(a, d)
		a.say("%s is %s, defined in %s.", d.qualified(), article(d.Kind.String()), o.place(d.Doc, d.Line))
		o.sayMembers(a, d)
		a.coverage = Coverage{State: Found, Searched: 1, Analysed: 1}
		return
	}
	o.oneSymbol(a, d, f)
	if !certain(t) {
		a.confidence = Medium
	}
}

// membersOf lists what a type declares.
func (o *Oracle) membersOf(d *definitionInfo) []definitionInfo {
	switch d.Kind {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindModule, facts.KindType:
	default:
		return nil
	}
	dir := o.c.Doc(d.Doc).Dir
	var out []definitionInfo
	for doc := range o.c.NumDocs() {
		if o.c.Doc(doc).Dir != dir {
			continue
		}
		symbols := o.c.SymbolsOf(doc)
		for i := range symbols {
			s := &symbols[i]
			inside := doc == d.Doc && s.Line >= d.Line && s.EndLine <= d.EndLine && s.Container == d.Name
			// Methods of Go and others stand beside their type.
			beside := s.Container == d.Name && s.Kind == facts.KindMethod && o.c.Doc(doc).Package == o.c.Doc(d.Doc).Package
			if (inside || beside) && s.Flags&facts.InBody == 0 {
				if m, ok := o.info(store.Definition{Doc: doc, Symbol: i}); ok {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

func (o *Oracle) sayMembers(a *draft, d *definitionInfo) {
	members := o.membersOf(d)
	var names []string
	for _, m := range members {
		names = append(names, m.Name)
	}
	a.say("It has %s: %s.", plural(len(members), "member"), listOf(names, 12))
	for i := range members[:min(len(members), maxOutline)] {
		m := &members[i]
		o.cite(a, m.source(), m.Doc, m.Line, m.EndLine, m.qualified(), m.describe())
	}
}

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
	cov := o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == o.c.Doc(d.Doc).Family }, o.unresolved)
	if total > 0 {
		cov.State = Found
		a.say("%s is implemented, extended or overridden by %s: %s.", t.name, plural(total, "definition"), listOf(names, 8))
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
	a.say("%s of tests reach %s: %s.", plural(len(tests), "file"), what, listOf(paths, 5))
	o.citeTests(a, tests, maxListed)
	for _, x := range tests[:min(3, len(tests))] {
		o.suggest(a, x.doc, x.line)
	}
	if tests[0].hop == 0 {
		a.confidence = Medium
	}
}

// askFileUses answers who imports a file, or what it imports.
func (o *Oracle) askFileUses(a *draft, t target, k kind) {
	p := o.c.Path(t.doc)
	a.coverage = Coverage{State: Found, Searched: o.c.NumDocs(), Analysed: o.c.NumDocs()}
	o.cite(a, FromSummary, t.doc, 0, 0, "", cmp.Or(o.c.Doc(t.doc).Summary, "the file in question"))
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
		d := o.c.Doc(t.doc)
		a.coverage = o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == d.Family }, o.unresolved)
		a.coverage.conclude()
		a.sayCoverage()
		return
	}
	a.say("%s depend on %s: %s.", plural(len(paths), "file"), p, listOf(paths, 8))
}

// askOwners answers who owns a path.
func (o *Oracle) askOwners(a *draft, t target) bool {
	p := o.scopePath(t)
	if p == "" && len(t.definitions) > 0 {
		p = o.c.Path(t.definitions[0].Doc)
	}
	if p == "" {
		return false
	}
	who, doc, line := o.owners(p)
	if doc < 0 || len(who) == 0 {
		a.say("No rule of a CODEOWNERS file names owners of %s.", p)
		a.coverage = Coverage{State: Absent, Searched: len(ownerFiles), Analysed: len(ownerFiles)}
		return true
	}
	a.say("%s is owned by %s.", p, strings.Join(who, " "))
	o.cite(a, FromFile, doc, uint32(line), uint32(line), "", "owners of "+p+": "+strings.Join(who, " "))
	a.coverage.State = Found
	return true
}

// askHistory answers what changed in a file, a directory, or along a definition.
func (o *Oracle) askHistory(a *draft, t target, q *query.Query, text string) bool {
	docs := map[int]bool{}
	switch {
	case t.doc >= 0:
		docs[t.doc] = true
	case t.dir >= 0:
		prefix := o.c.Dirs()[t.dir].Path
		for doc := range o.c.NumDocs() {
			if p := o.c.Path(doc); strings.HasPrefix(p, prefix+"/") {
				docs[doc] = true
			}
		}
	case len(t.definitions) > 0:
		for _, d := range t.definitions {
			docs[d.Doc] = true
		}
	default:
		hits := o.fittingCommits(q, nil)
		o.citeCommits(a, hits, nil)
		return len(hits) > 0
	}
	if first := o.firstCommit(docs); first >= 0 && asksForBeginning(text) {
		a.say("%s came with: %s.", cmp.Or(o.scopePath(t), t.name), strings.TrimSuffix(o.commitWords(first), "."))
		o.citeCommit(a, first, docs)
	}
	if len(o.commitsOf(docs, 1)) == 0 {
		a.say("The known history holds no commit of it.")
		a.confidence = Medium
		a.coverage = Coverage{State: NotAnalysed}
		return true
	}
	what := cmp.Or(o.scopePath(t), t.name)
	o.sayHistory(a, docs, what)
	a.coverage.State = Found
	return true
}

// askWhy answers from messages of commits: those of what the question names, else
// those that its words fit; and from the files that the words lead to.
func (o *Oracle) askWhy(a *draft, t target, q *query.Query, text string) {
	docs := map[int]bool{}
	if t.doc >= 0 {
		docs[t.doc] = true
	}
	for i := range t.definitions[:min(2, len(t.definitions))] {
		if certain(t) {
			o.citeDefinition(a, &t.definitions[i])
			docs[t.definitions[i].Doc] = true
		}
	}
	a.confidence = Medium // a reason is seldom written where the words are
	switch {
	case len(docs) > 0 && asksForBeginning(text):
		if first := o.firstCommit(docs); first >= 0 {
			a.say("It came with: %s.", strings.TrimSuffix(o.commitWords(first), "."))
			o.citeCommit(a, first, docs)
		}
	case len(docs) > 0:
		o.citeCommits(a, o.fittingCommits(q, docs), docs)
	default:
		o.citeCommits(a, o.fittingCommits(q, nil), nil)
	}
	o.askRanked(a, t, q, text)
}

// asksForBeginning tells whether a question is about when something came to be.
func asksForBeginning(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"introduced", "introduce", "created", "added", "first", "originally", "come from", "exist"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// askRanked answers with the files and definitions that a question's words lead
// to.
func (o *Oracle) askRanked(a *draft, t target, q *query.Query, text string) {
	r := ranker.New(o.c, ranker.Options{Names: o.o.Names, MaxFiles: 20}).Rank(q)
	a.coverage = Coverage{State: Found, Searched: o.c.NumDocs(), Analysed: o.c.NumDocs()}
	if r.NothingMatched || len(r.Files) == 0 {
		a.coverage = o.searched(func(_ int, d *store.Doc) bool { return d.Reason != facts.ReasonBinary }, func(_ int, d *store.Doc) string {
			if d.Depth == facts.Listed {
				return cmp.Or(string(d.Reason), "only its path is known")
			}
			return ""
		})
		a.coverage.conclude()
		a.say("No word of the question occurs in the %s that were read.", plural(a.coverage.Analysed, "file"))
		a.sayCoverage()
		if a.coverage.State == Absent {
			a.confidence = Medium
		}
		return
	}
	switch r.Confidence {
	case ranker.High:
	case ranker.Medium:
		a.confidence = min2(a.confidence, Medium)
	default:
		a.confidence = min2(a.confidence, Medium)
	}
	var places []string
	best := o.bestSymbols(r, q)
	for _, f := range r.Files[:min(3, len(r.Files))] {
		line := uint32(0)
		if d, ok := best[f.Doc]; ok {
			line = d.Line
		}
		places = append(places, o.place(f.Doc, line))
	}
	if len(a.text) > 0 {
		a.say("By its words the question leads to %s.", listOf(places, 3))
	} else {
		a.say("Most likely in %s.", listOf(places, 3))
	}
	for i, f := range r.Files[:min(8, len(r.Files))] {
		d, ok := best[f.Doc]
		if ok {
			o.citeDefinition(a, &d)
			continue
		}
		o.cite(a, FromSummary, f.Doc, 0, 0, "", o.summaryOf(f.Doc))
		if i < 3 {
			o.suggest(a, f.Doc, 0)
		}
	}
}

// summaryOf says what a file is in a line.
func (o *Oracle) summaryOf(doc int) string {
	d := o.c.Doc(doc)
	var names []string
	for _, s := range o.c.SymbolsOf(doc) {
		if s.Container == "" && s.Flags&facts.InBody == 0 && s.Visibility == facts.Public && s.Kind != facts.KindKey {
			names = append(names, s.Name)
		}
	}
	detail := cmp.Or(d.Summary, d.Language, d.Depth.String())
	if len(names) > 0 {
		detail += ": " + listOf(names, 6)
	}
	return detail
}

func min2(a, b Confidence) Confidence {
	order := []Confidence{Low, Medium, High}
	if slices.Index(order, a) < slices.Index(order, b) {
		return a
	}
	return b
}
