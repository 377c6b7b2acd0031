package oracle

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/ranker"
)

// editImpact answers what an edit of a definition, a file or a whole change
// reaches.
func (o *Oracle) editImpact(r *Request) (*draft, error) {
	if err := o.checkPlace(r); err != nil {
		return nil, err
	}
	a := &draft{confidence: High}
	if len(r.Change) > 0 {
		return a, o.impactOfChange(a, r.Change)
	}
	if r.Symbol == "" && r.Line == 0 {
		doc, ok := o.c.DocByPath(r.File)
		if !ok {
			return nil, badRequest("%s is not a file of the revision%s", r.File, o.didYouMean(r.File))
		}
		o.impact(a, o.definitionsOf(doc, 0, 0), map[int]bool{doc: true}, r.File)
		return a, nil
	}
	o.impactOf(a, nameOf(r), o.lookUp(r.Symbol, r.File, r.Line))
	return a, nil
}

// impactOf answers for what a name means.
func (o *Oracle) impactOf(a *draft, name string, f found) {
	switch len(f.definitions) {
	case 0:
		o.undefined(a, name, f)
	case 1:
		d := &f.definitions[0]
		o.citeDefinition(a, d)
		o.impact(a, []store.Definition{d.Definition}, map[int]bool{d.Doc: true}, d.qualified())
	default:
		// Overloads of one thing are edited together; anything else has to be chosen.
		if same := oneThing(f.definitions); same {
			var defs []store.Definition
			for i := range f.definitions {
				defs = append(defs, f.definitions[i].Definition)
			}
			o.citeDefinition(a, &f.definitions[0])
			o.impact(a, defs, map[int]bool{f.definitions[0].Doc: true}, f.definitions[0].qualified())
			return
		}
		o.severalSymbols(a, name, f)
	}
}

// oneThing tells whether definitions are variants of one: in one file, with one
// container.
func oneThing(list []definitionInfo) bool {
	for _, d := range list[1:] {
		if d.Doc != list[0].Doc || d.Container != list[0].Container {
			return false
		}
	}
	return true
}

// definitionsOf lists the definitions of a file that lines touch; all that others
// can see for no lines.
func (o *Oracle) definitionsOf(doc int, from, to uint32) []store.Definition {
	var out []store.Definition
	symbols := o.symbols(doc)
	for i := range symbols {
		s := &symbols[i]
		switch {
		case from == 0 && s.Flags&facts.InBody == 0 && s.Kind != facts.KindHeading && s.Kind != facts.KindKey:
			out = append(out, store.Definition{Doc: doc, Symbol: i})
		case from > 0 && s.Line <= to && s.EndLine >= from:
			// A class that only holds the touched method is not itself touched.
			if inner := slices.ContainsFunc(symbols[i+1:], func(x store.Symbol) bool {
				return x.Line >= s.Line && x.EndLine <= s.EndLine && x.Line <= from && to <= x.EndLine
			}); !inner {
				out = append(out, store.Definition{Doc: doc, Symbol: i})
			}
		}
	}
	return out
}

// impactOfChange joins the impacts of all definitions that a change touches.
func (o *Oracle) impactOfChange(a *draft, change []Touched) error {
	docs := map[int]bool{}
	var defs []store.Definition
	var unknown []string
	for _, t := range change {
		p, err := cleanPath(t.File)
		if err != nil {
			return err
		}
		doc, ok := o.c.DocByPath(p)
		if !ok {
			unknown = append(unknown, p)
			continue
		}
		docs[doc] = true
		for _, d := range o.definitionsOf(doc, uint32(max(0, t.StartLine)), uint32(max(t.StartLine, t.EndLine))) {
			if !slices.Contains(defs, d) {
				defs = append(defs, d)
			}
		}
	}
	if len(docs) == 0 && len(unknown) > 0 {
		return badRequest("none of the changed files is in the store: %s; bring it up to date with: project-map index", listOf(unknown, 3))
	}
	for _, d := range defs[:min(len(defs), maxListed)] {
		if i, ok := o.info(d); ok {
			o.citeDefinition(a, &i)
		}
	}
	o.impact(a, defs, docs, fmt.Sprintf("The change of %s in %s", plural(len(defs), "definition"), plural(len(docs), "file")))
	if len(unknown) > 0 {
		a.say("Not in the store: %s.", listOf(unknown, 3))
		a.confidence = Medium
	}
	return nil
}

// affected is a file that an edit reaches, with why.
type affected struct {
	doc   int
	score float64
	hop   int // 0: not along references
	line  uint32
	names []string
	mark  edges.Mark
	why   []string
}

const (
	// maxPlaces bounds the places that are cited of the file in question.
	maxPlaces = 4
	// maxUsers bounds the files that an answer names with their uses.
	maxUsers = 16
)

// impact fills an answer in: who depends on the definitions, near to far, what
// must follow, which tests to run, what history changes along, owners, risk.
func (o *Oracle) impact(a *draft, defs []store.Definition, docs map[int]bool, what string) {
	for _, d := range slices.Clone(defs) {
		for _, x := range o.alike(d) {
			if !slices.Contains(defs, x) {
				defs = append(defs, x)
			}
		}
	}
	reached, cut := o.dependants(defs, maxHops-1)
	files := map[int]*affected{}
	of := func(doc int) *affected {
		f := files[doc]
		if f == nil {
			f = &affected{doc: doc}
			files[doc] = f
		}
		return f
	}
	uses, sites := o.directUses(defs, docs)
	direct, far, inside := 0, 0, 0
	outsideDirs := map[string]bool{}
	for _, r := range reached {
		if r.hop == 1 {
			direct++
		} else {
			far++
		}
		if docs[r.Doc] {
			if inside++; r.hop == 1 && inside <= maxPlaces {
				name := ""
				if d, ok := o.info(r.Definition); ok {
					name = d.qualified()
				}
				o.cite(a, FromFile, r.Doc, r.line, r.line, name, "1 step away in the same file ("+markWords(r.mark)+")")
			}
			continue
		}
		f := of(r.Doc)
		if f.hop == 0 {
			f.hop, f.line, f.mark = r.hop, r.line, r.mark
			f.score += []float64{0, 1, .35, .15}[min(r.hop, 3)] * markWeight(r.mark)
			if used := sites[r.Doc]; r.hop == 1 && len(used) > 0 {
				f.why = append(f.why, fmt.Sprintf("%s (%s)%s", kindsOf(used), markWords(r.mark), onLines(used)))
			} else {
				f.why = append(f.why, fmt.Sprintf("%s away (%s)", plural(r.hop, "step"), markWords(r.mark)))
			}
		} else if r.hop == f.hop {
			f.score += .1 * markWeight(r.mark)
		}
		if d, ok := o.info(r.Definition); ok && r.hop == f.hop && len(f.names) < 4 {
			f.names = append(f.names, d.qualified())
		}
		if r.hop == 1 {
			outsideDirs[path.Dir(o.c.Path(r.Doc))] = true
		}
	}
	public := o.publicReach(defs)
	follow := o.mustFollow(defs)
	var following []string
	for _, r := range follow {
		if d, ok := o.info(r.Definition); ok {
			following = append(following, d.qualified())
			if docs[r.Doc] {
				if len(following) <= maxPlaces {
					o.cite(a, FromFile, r.Doc, d.Line, d.EndLine, d.qualified(), "must follow, in the same file ("+markWords(r.Mark)+")")
				}
				continue
			}
			f := of(r.Doc)
			f.score += .8
			f.why = append(f.why, "must follow: "+d.qualified())
			f.line = cmp.Or(f.line, d.Line)
		}
	}
	tests := o.testsReaching(defs)
	for _, t := range tests {
		if !docs[t.doc] {
			f := of(t.doc)
			f.score += []float64{.2, .5, .25, .1, .1}[min(t.hop, 4)]
			if t.hop == 0 || t.hop > f.hop {
				f.why = append(f.why, "a test of it")
			}
		}
	}
	for doc := range docs {
		o.scoreNeighbours(doc, of)
	}
	companions := o.companions(docs)
	for _, c := range companions {
		f := of(c.doc)
		f.score += 2 * c.share * float64(c.together) / float64(c.together+1)
		f.why = append(f.why, fmt.Sprintf("changed along in %s (%.0f %%)", plural(c.together, "commit"), 100*c.share))
	}
	order := make([]*affected, 0, len(files))
	for _, f := range files {
		if len(f.why) > 0 {
			order = append(order, f)
		}
	}
	slices.SortFunc(order, func(x, y *affected) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.doc, y.doc)) })

	cov := o.searched(func(doc int, x *store.Doc) bool {
		return isCode(doc, x) && slices.ContainsFunc(defs, func(d store.Definition) bool { return o.doc(d.Doc).Family == x.Family })
	}, o.unresolved)
	cov.Bounded = cut
	cov.State = Found
	a.coverage = cov
	switch {
	case direct+far == 0 && cov.Analysed == cov.Searched && cov.Searched > 0:
		a.say("%s: nothing in the %s that were analysed depends on it.", what, plural(cov.Analysed, "file"))
	case direct+far == 0:
		a.say("%s: no dependant was found.", what)
		c := cov
		c.State = NotAnalysed
		a.coverage = c
		a.sayCoverage()
		a.confidence = Medium
	default:
		a.say("%s: %s %s on it directly, %d more within %d steps, in %s.", what, plural(direct, "definition"), verb(direct, "depend"), far, maxHops-1, plural(countHops(order)+btoi(inside > 0)*len(docs), "file"))
	}
	if len(uses) > 0 {
		a.say("%s.", o.countedUses(uses))
	}
	o.sayStandsFor(a, defs)
	if public {
		a.say("It can be seen from outside its package.")
	} else {
		a.say("It is internal.")
	}
	if len(follow) > 0 {
		a.say("%s must follow: %s.", plural(len(follow), "related definition"), listOf(following, 6))
	}
	if len(tests) > 0 {
		a.say("Tests to run: %s.", o.testsWords(tests, 4))
	} else {
		a.say("No test was found that reaches it.")
	}
	risk, reasons := riskOf(direct+far, len(outsideDirs), public, len(follow), len(tests), len(companions))
	a.say("Risk: %s (%s).", risk, strings.Join(reasons, "; "))
	for _, f := range order {
		t := FromFile
		if f.mark == edges.Precise && f.hop > 0 {
			t = FromLSP
		}
		if f.hop == 0 && len(f.why) > 0 && strings.HasPrefix(f.why[0], "changed along") {
			t = FromSummary
		}
		if len(f.names) > 1 && len(sites[f.doc]) > 0 {
			f.why[0] += " in " + listOf(f.names, 3)
		}
		o.cite(a, t, f.doc, f.line, f.line, firstOf(f.names), strings.Join(f.why, "; "))
		o.suggest(a, f.doc, f.line)
	}
	for _, doc := range sortedKeys(docs) {
		if who, in, line := o.owners(o.c.Path(doc)); in >= 0 && len(who) > 0 {
			o.citeFirst(a, FromFile, in, uint32(line), fmt.Sprintf("owners of %s: %s", o.c.Path(doc), strings.Join(who, " ")))
			a.say("Owners: %s.", strings.Join(who, " "))
			break
		}
	}
	if len(a.evidence) == 0 {
		for _, doc := range sortedKeys(docs) {
			o.cite(a, FromFile, doc, 0, 0, "", "the file in question: nothing that depends on it was found")
		}
	}
}

// directUses lists the references to definitions by file, in the order of lines.
// Imports do not count, the uses behind them do; nor what the files in question
// say of themselves.
func (o *Oracle) directUses(defs []store.Definition, docs map[int]bool) (uses []usesByFile, sites map[int][]edges.Site) {
	all, _ := o.usesOf(defs...)
	sites = map[int][]edges.Site{}
	for _, u := range all {
		used := slices.DeleteFunc(slices.Clone(u.sites), func(s edges.Site) bool { return s.Kind == facts.RefImport })
		if len(used) == 0 || docs[u.doc] {
			continue
		}
		slices.SortStableFunc(used, func(x, y edges.Site) int { return cmp.Compare(x.Line, y.Line) })
		sites[u.doc] = used
		uses = append(uses, usesByFile{u.doc, used, u.mark})
	}
	return uses, sites
}

// countedUses says how often files use something, tests apart.
func (o *Oracle) countedUses(uses []usesByFile) string {
	var files, tests []string
	var inFiles, inTests []edges.Site
	for _, u := range uses {
		t := fmt.Sprintf("%s (%d)", o.c.Path(u.doc), len(u.sites))
		if o.doc(u.doc).Role.Has(facts.RoleTest) {
			tests, inTests = append(tests, t), append(inTests, u.sites...)
		} else {
			files, inFiles = append(files, t), append(inFiles, u.sites...)
		}
	}
	var parts []string
	if len(files) > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s: %s", kindsOf(inFiles), plural(len(files), "file"), listOf(files, maxUsers)))
	}
	if len(tests) > 0 {
		parts = append(parts, fmt.Sprintf("%s in %s of tests: %s", kindsOf(inTests), plural(len(tests), "file"), listOf(tests, maxUsers/2)))
	}
	return strings.Join(parts, "; ")
}

// sayStandsFor names what calls of which can run a definition in its place, and
// gives these calls, apart for each of them.
func (o *Oracle) sayStandsFor(a *draft, defs []store.Definition) (calls [][]usesByFile) {
	var through []string
	for _, d := range defs {
		for _, r := range o.standsFor(d) {
			b, ok := o.info(r.Definition)
			if uses, total := o.usesOf(r.Definition); ok && total > 0 {
				calls = append(calls, uses)
				through = append(through, fmt.Sprintf("%s (%s of %s)", b.qualified(), plural(total, "use"), o.c.Path(uses[0].doc)+others(len(uses)-1)))
			}
		}
	}
	if len(through) > 0 {
		a.say("It can run where this is called: %s.", listOf(through, 3))
	}
	return calls
}

func others(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + plural(n, "other file")
}

// citeFirst puts an item behind the definition, where no budget takes it.
func (o *Oracle) citeFirst(a *draft, t EvidenceType, doc int, line uint32, detail string) {
	o.cite(a, t, doc, line, line, "", detail)
	last := len(a.evidence) - 1
	e := a.evidence[last]
	at := min(1, last)
	copy(a.evidence[at+1:], a.evidence[at:last])
	a.evidence[at] = e
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func countHops(list []*affected) int {
	n := 0
	for _, f := range list {
		if f.hop > 0 {
			n++
		}
	}
	return n
}

func sortedKeys(set map[int]bool) []int {
	out := make([]int, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func markWeight(m edges.Mark) float64 {
	switch m {
	case edges.ByName:
		return .3
	case edges.Likely:
		return .8
	}
	return 1
}

// publicReach tells whether a definition can be seen from outside its package.
func (o *Oracle) publicReach(defs []store.Definition) bool {
	return slices.ContainsFunc(defs, func(d store.Definition) bool {
		s, ok := o.c.SymbolOf(d)
		return ok && s.Visibility == facts.Public && s.Flags&facts.InBody == 0 && !o.doc(d.Doc).Role.Has(facts.RoleTest)
	})
}

// mustFollow lists what implements or overrides definitions, and what they
// implement or override themselves: their signatures go together.
func (o *Oracle) mustFollow(defs []store.Definition) []store.Relation {
	if o.refs == nil {
		return nil
	}
	var out []store.Relation
	add := func(list []store.Relation) {
		for _, r := range list {
			if !slices.ContainsFunc(out, func(x store.Relation) bool { return x.Definition == r.Definition }) && !slices.Contains(defs, r.Definition) {
				out = append(out, r)
			}
		}
	}
	for _, d := range defs {
		add(o.refs.Derived(d))
		add(o.standsFor(d))
	}
	return out
}

// scoreNeighbours adds what usually changes with a file, whoever refers to whom:
// the test that is called like it, and the files of the same name.
func (o *Oracle) scoreNeighbours(doc int, of func(int) *affected) {
	p := o.c.Path(doc)
	stem := ranker.Stem(p)
	for d := range o.c.NumDocs() {
		if d == doc {
			continue
		}
		other := o.c.Path(d)
		if ranker.Stem(other) != stem || stem == "" {
			continue
		}
		near := path.Dir(other) == path.Dir(p)
		test := o.doc(d).Role.Has(facts.RoleTest)
		if !near && !test {
			continue
		}
		f := of(d)
		f.score += .4
		if test {
			f.why = append(f.why, "a test by its name")
		} else {
			f.why = append(f.why, "of the same name")
		}
	}
}

// riskOf sums up, with its reasons.
func riskOf(dependants, dirs int, public bool, follow, tests, companions int) (string, []string) {
	points := 0
	var reasons []string
	add := func(n int, format string, args ...any) {
		points += n
		reasons = append(reasons, fmt.Sprintf(format, args...))
	}
	switch {
	case dependants > 50:
		add(3, "%d dependants", dependants)
	case dependants > 10:
		add(2, "%d dependants", dependants)
	case dependants > 0:
		add(1, "%s", plural(dependants, "dependant"))
	default:
		add(0, "no known dependants")
	}
	if dirs > 2 {
		add(1, "used from %d directories", dirs)
	}
	if public {
		add(1, "public")
	}
	if follow > 0 {
		add(1, "%d to follow", follow)
	}
	if tests == 0 {
		add(1, "no tests")
	} else {
		add(0, "%s of tests", plural(tests, "file"))
	}
	switch {
	case points >= 5:
		return "high", reasons
	case points >= 3:
		return "medium", reasons
	}
	return "low", reasons
}
