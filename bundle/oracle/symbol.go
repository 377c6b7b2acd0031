package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// maxListed is how many definitions of an ambiguous name are cited.
const maxListed = 12

// symbol answers what a name means, where it is used, and what implements it.
func (o *Oracle) symbol(r *Request) (*draft, error) {
	if err := o.checkPlace(r); err != nil {
		return nil, err
	}
	f := o.lookUp(r.Symbol, r.File, r.Line)
	a := &draft{confidence: High}
	switch len(f.definitions) {
	case 0:
		o.undefined(a, nameOf(r), f)
	case 1:
		o.oneSymbol(a, &f.definitions[0], f)
		// It is there, whether or not anything uses it.
		a.coverage.State = Found
	default:
		if oneThing(f.definitions) {
			o.variants(a, f)
			a.coverage.State = Found
			return a, nil
		}
		o.severalSymbols(a, nameOf(r), f)
	}
	return a, nil
}

// variants answers for overloads, or for variants of one definition.
func (o *Oracle) variants(a *draft, f found) {
	for i := range f.definitions[:min(len(f.definitions), maxListed)] {
		o.citeDefinition(a, &f.definitions[i])
	}
	a.say("There are %d variants of it.", len(f.definitions))
	o.oneSymbol(a, &f.definitions[0], f)
}

// nameOf is what a request calls the thing that it asks about.
func nameOf(r *Request) string {
	if r.Symbol != "" {
		return r.Symbol
	}
	return fmt.Sprintf("line %d of %s", r.Line, r.File)
}

// checkPlace refuses a file that is not there, or a line behind its end.
func (o *Oracle) checkPlace(r *Request) error {
	if r.File == "" {
		return nil
	}
	doc, ok := o.c.DocByPath(r.File)
	if !ok {
		if r.Symbol == "" && r.Action != File {
			return badRequest("%s is not a file of the revision%s", r.File, o.didYouMean(r.File))
		}
		return nil
	}
	if lines := int(o.doc(doc).Lines); r.Line > 0 && lines > 0 && r.Line > lines+1 {
		return badRequest("line %d is behind the end of %s, which has %s", r.Line, r.File, plural(lines, "line"))
	}
	return nil
}

// didYouMean suggests paths that end like one.
func (o *Oracle) didYouMean(p string) string {
	if like := o.pathsLike(p, 3); len(like) > 0 {
		return "; did you mean " + strings.Join(like, " or ") + "?"
	}
	return ""
}

// undefined answers for a name without a definition.
func (o *Oracle) undefined(a *draft, name string, f found) {
	_, last := splitName(name)
	holding, known := o.wordDocs(last)
	a.coverage = o.searched(isCode, o.unless(holding, known, o.unparsed))
	a.coverage.conclude()
	if f.elsewhere > 0 {
		a.say("No definition of %s is what was asked for; %s of the name %s elsewhere.", name, plural(f.elsewhere, "definition"), last)
		for _, d := range o.infos(o.c.DefinitionsNamed(last, false)) {
			if len(a.evidence) < maxListed {
				o.citeDefinition(a, &d)
			}
		}
		a.confidence = Medium
		a.coverage.State = Found
		return
	}
	mentions, bounded := o.mentionsOf(last)
	a.coverage.Bounded = bounded
	if a.coverage.State == Absent {
		a.say("Nothing called %s is defined in the %s that were analysed.", name, plural(a.coverage.Analysed, "source file"))
	} else {
		a.say("No definition of %s was found.", name)
		a.sayCoverage()
	}
	if len(mentions) > 0 {
		a.say("The text occurs in %s.", plural(countDocs(mentions), "file"))
		o.citeMentions(a, mentions)
		if a.confidence == High {
			a.confidence = Medium
		}
	}
	if like := o.similar(name, 3); len(like) > 0 {
		a.say("Similar names: %s.", strings.Join(like, ", "))
		for _, n := range like {
			if d := o.infos(o.c.DefinitionsNamed(n, false)); len(d) > 0 {
				o.suggest(a, d[0].Doc, d[0].Line)
			}
		}
	}
	if a.coverage.State == NotAnalysed {
		a.confidence = Low
		if len(mentions) > 0 {
			a.confidence = Medium
		}
	}
}

// mentionsOf searches the text of a name where the words say that it can be.
func (o *Oracle) mentionsOf(name string) ([]mention, bool) {
	docs, known := o.wordDocs(name)
	if !known {
		return nil, false
	}
	slices.SortStableFunc(docs, func(x, y int) int { return cmp.Compare(o.remote(x), o.remote(y)) })
	return o.search(name, docs, nil)
}

func countDocs(list []mention) int {
	seen := map[int]bool{}
	for _, m := range list {
		seen[m.doc] = true
	}
	return len(seen)
}

func (o *Oracle) citeMentions(a *draft, list []mention) {
	for _, m := range list {
		o.cite(a, FromSearch, m.doc, uint32(m.line), uint32(m.line), "", m.text)
	}
}

func (o *Oracle) citeDefinition(a *draft, d *definitionInfo) {
	o.cite(a, d.source(), d.Doc, d.Line, d.EndLine, d.qualified(), d.describe())
	o.suggest(a, d.Doc, d.Line)
}

// severalSymbols lists the definitions of an ambiguous name.
func (o *Oracle) severalSymbols(a *draft, name string, f found) {
	list := f.definitions
	a.confidence = Medium
	var places []string
	for i := range list {
		places = append(places, fmt.Sprintf("%s (%s)", list[i].qualified(), o.place(list[i].Doc, list[i].Line)))
	}
	a.say("%s has %s: %s.", name, plural(len(list), "definition"), listOf(places, 4))
	a.say("Give a file, a line or a container to choose one.")
	for i := range list[:min(len(list), maxListed)] {
		d := &list[i]
		o.citeDefinition(a, d)
		if n := o.countUses(d.Definition); n > 0 {
			a.evidence[len(a.evidence)-1].Detail += fmt.Sprintf(" (%s)", plural(n, "use"))
		}
	}
	a.coverage.State = Found
}

func (o *Oracle) countUses(d store.Definition) int {
	if o.refs == nil {
		return 0
	}
	return len(o.refs.UsesOf(d))
}

// oneSymbol answers for one definition.
func (o *Oracle) oneSymbol(a *draft, d *definitionInfo, f found) {
	o.citeDefinition(a, d)
	kind := d.Kind.String()
	where := o.place(d.Doc, d.Line)
	if d.Container != "" {
		a.say("%s is %s of %s, defined in %s.", d.Name, article(kind), d.Container, where)
	} else {
		a.say("%s is %s, defined in %s.", d.Name, article(kind), where)
	}
	if f.folded {
		a.say("The name is written %s there.", d.Name)
		a.confidence = Medium
	}
	var defs []store.Definition
	for i := range f.definitions {
		defs = append(defs, o.alike(f.definitions[i].Definition)...)
	}
	o.sayUses(a, d, defs)
	o.sayRelations(a, d, defs)
}

// usesByFile are the references of one file to a definition.
type usesByFile struct {
	doc   int
	sites []edges.Site
	mark  edges.Mark // the surest
}

// usesOf groups the references to definitions by file, most relevant first: the
// surest, sources before tests, and the most.
func (o *Oracle) usesOf(defs ...store.Definition) (out []usesByFile, total int) {
	if o.refs == nil {
		return nil, 0
	}
	at := map[int]int{}
	for _, d := range defs {
		for _, u := range o.refs.UsesOf(d) {
			i, ok := at[u.Doc]
			if !ok {
				i = len(out)
				at[u.Doc] = i
				out = append(out, usesByFile{doc: u.Doc})
			}
			out[i].sites = append(out[i].sites, u.Site)
			out[i].mark = max(out[i].mark, u.Mark)
			total++
		}
	}
	slices.SortStableFunc(out, func(x, y usesByFile) int {
		return cmp.Or(cmp.Compare(min(y.mark, edges.Exact), min(x.mark, edges.Exact)), cmp.Compare(o.remote(x.doc), o.remote(y.doc)),
			cmp.Compare(len(y.sites), len(x.sites)), cmp.Compare(x.doc, y.doc))
	})
	return out, total
}

// sayUses tells where a definition is used, or that nothing uses it.
func (o *Oracle) sayUses(a *draft, d *definitionInfo, defs []store.Definition) {
	uses, total := o.usesOf(defs...)
	family := o.doc(d.Doc).Family
	holding, known := o.wordDocs(d.Name)
	cov := o.searched(func(doc int, x *store.Doc) bool { return isCode(doc, x) && x.Family == family }, o.unless(holding, known, o.unresolved))
	if total > 0 {
		cov.State = Found
		a.coverage = cov
		a.say("It is used in %s of %s (%s).", plural(total, "place"), plural(len(uses), "file"), o.countedUses(uses))
		if uses[0].mark < edges.Likely {
			a.say("The uses are matched by name only.")
			a.confidence = Medium
		}
		if cov.Analysed < cov.Searched {
			a.say("%s could not be searched for more.", plural(cov.Searched-cov.Analysed, "file"))
		}
		o.citeUses(a, uses)
		return
	}
	cov.conclude()
	a.coverage = cov
	if calls := o.sayStandsFor(a, defs); len(calls) > 0 {
		a.say("Nothing names it directly.")
		a.coverage.State = Found
		for _, uses := range calls {
			o.citeUses(a, uses)
		}
		return
	}
	mentions := o.otherMentions(d, &a.coverage)
	switch {
	case len(mentions) > 0:
		a.coverage.State = NotAnalysed
		a.say("No reference to it was resolved, but the name occurs in the text of %s.", plural(countDocs(mentions), "file"))
		o.citeMentions(a, mentions)
		a.confidence = Medium
	case a.coverage.State == Absent:
		a.say("Nothing in the %s that were analysed uses it.", plural(cov.Analysed, "file"))
	default:
		a.say("No use of it was found.")
		a.sayCoverage()
		a.confidence = Medium
	}
	a.coverage.State = cmp.Or(a.coverage.State, Found)
}

// otherMentions looks for the name of a definition where no reference was
// resolved: it could be one that a resolver cannot follow.
func (o *Oracle) otherMentions(d *definitionInfo, c *Coverage) []mention {
	docs, known := o.wordDocs(d.Name)
	if !known {
		return nil
	}
	docs = slices.DeleteFunc(docs, func(doc int) bool { return o.doc(doc).Nature == facts.Prose })
	// What is near comes first: a bounded search should see it.
	dir := o.doc(d.Doc).Dir
	slices.SortStableFunc(docs, func(x, y int) int {
		return cmp.Or(btoi(o.doc(x).Dir != dir)-btoi(o.doc(y).Dir != dir), cmp.Compare(o.remote(x), o.remote(y)))
	})
	type place struct{ doc, line int }
	own := map[place]bool{}
	for _, x := range o.c.DefinitionsNamed(d.Name, false) {
		// Other definitions of the name, and its own, by their lines.
		if s, ok := o.c.SymbolOf(x); ok {
			own[place{x.Doc, int(s.Line)}] = true
		}
	}
	mentions, bounded := o.search(d.Name, docs, func(m mention) bool {
		return !isComment(m.text) && !own[place{m.doc, m.line}]
	})
	if bounded && len(mentions) == 0 {
		c.Bounded = true
		c.conclude()
	}
	return mentions
}

// isComment tells lines that are comments in most languages.
func isComment(line string) bool {
	for _, p := range []string{"//", "/*", "*", "# ", "-- ", ";;", "<!--", "##"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// Bounds of how uses are cited: in the first files each user apart, in the others
// all as one item.
const (
	filesApart = 5
	usersApart = 4
)

// citeUses cites the uses of each file, by the definitions that use it.
func (o *Oracle) citeUses(a *draft, uses []usesByFile) {
	for n, u := range uses {
		type user struct {
			name  string
			sites []edges.Site
		}
		var users []user
		for _, s := range u.sites {
			name := ""
			if e, ok := o.enclosing(u.doc, s.Line); ok {
				name = e.qualified()
			}
			if k := slices.IndexFunc(users, func(x user) bool { return x.name == name }); k >= 0 {
				users[k].sites = append(users[k].sites, s)
			} else {
				users = append(users, user{name, []edges.Site{s}})
			}
		}
		t := FromFile
		if u.mark == edges.Precise {
			t = FromLSP
		}
		o.suggest(a, u.doc, u.sites[0].Line)
		if n < filesApart && len(users) <= usersApart {
			for _, x := range users {
				last := x.sites[len(x.sites)-1].Line
				if x.name == "" {
					last = x.sites[0].Line // what stands between is anything
				}
				o.cite(a, t, u.doc, x.sites[0].Line, last, x.name,
					fmt.Sprintf("%s (%s)%s", kindsOf(x.sites), markWords(u.mark), onLines(x.sites)))
			}
			continue
		}
		var in []string
		for _, x := range users {
			if x.name != "" {
				in = append(in, x.name)
			}
		}
		detail := fmt.Sprintf("%s (%s)%s", kindsOf(u.sites), markWords(u.mark), onLines(u.sites))
		if len(in) > 0 {
			detail += " in " + listOf(in, 4)
		}
		o.cite(a, t, u.doc, u.sites[0].Line, u.sites[0].Line, firstOf(in), detail)
	}
}

// onLines lists the distinct lines of several sites.
func onLines(sites []edges.Site) string {
	var at []string
	last := uint32(0)
	for _, s := range sites {
		if s.Line != last {
			at = append(at, fmt.Sprint(s.Line))
		}
		last = s.Line
	}
	if len(at) < 2 {
		return ""
	}
	return " on lines " + listOf(at, 16)
}

func firstOf(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

// kindsOf counts references by what they have in common.
func kindsOf(sites []edges.Site) string {
	k, n := sites[0].Kind, len(sites)
	for _, s := range sites {
		if s.Kind != k {
			return plural(n, "use")
		}
	}
	switch k {
	case facts.RefCall:
		return plural(n, "call")
	case facts.RefImport:
		return plural(n, "import")
	case facts.RefInherit:
		return plural(n, "base")
	case facts.RefType:
		return plural(n, "use") + " as a type"
	}
	return plural(n, "use")
}

// maxRelations bounds what is cited of each side of a hierarchy.
const maxRelations = 8

// sayRelations tells what a definition implements or overrides, what implements
// or overrides it, and which tests reach it.
func (o *Oracle) sayRelations(a *draft, d *definitionInfo, defs []store.Definition) {
	if o.refs == nil {
		return
	}
	word := "overrides"
	switch d.Kind {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindType, facts.KindEnum:
		word = "extends"
	}
	bases, derived := o.refs.Bases(d.Definition), o.refs.Derived(d.Definition)
	if names := o.citeRelations(a, bases, word+" of "+d.qualified()); len(names) > 0 {
		if word == "extends" {
			a.say("It extends or implements %s.", listOf(names, 3))
		} else {
			a.say("It overrides or implements %s.", listOf(names, 3))
		}
	}
	if names := o.citeRelations(a, derived, "implements or "+word+" "+d.qualified()); len(names) > 0 {
		a.say("It is implemented or overridden by %s.", listOf(names, 4))
	}
	if tests := o.testsReaching(defs); len(tests) > 0 {
		a.say("Tests that reach it: %s.", o.testsWords(tests, 3))
		o.citeTests(a, tests, maxRelations)
	}
}

func (o *Oracle) citeRelations(a *draft, list []store.Relation, what string) (names []string) {
	for i, r := range list {
		d, ok := o.info(r.Definition)
		if !ok {
			continue
		}
		names = append(names, d.qualified())
		if i < maxRelations {
			t := FromFile
			if r.Mark == edges.Precise {
				t = FromLSP
			}
			o.cite(a, t, d.Doc, d.Line, d.EndLine, d.qualified(), fmt.Sprintf("%s (%s): %s", what, markWords(r.Mark), d.signature()))
		}
	}
	return names
}
