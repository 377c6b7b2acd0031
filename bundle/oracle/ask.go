package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// ask answers a question in plain words.
func (o *Oracle) ask(r *Request) (*draft, error) {
	q := query.Parse(r.Query)
	k := kindOf(r.Query)
	t := o.targetOf(r.Query, q)
	if t.line > 0 && t.doc >= 0 && len(t.definitions) == 0 && (k == whatIn || k == anything || k == whereIs || k == whoUses || k == whatBreaks) {
		// "lib/view.js:197": what stands there.
		if f := o.at(o.c.Path(t.doc), t.line); len(f.definitions) == 1 {
			t.name, t.definitions, t.placed = f.definitions[0].Name, f.definitions, true
			if k == anything {
				k = whatIn
			}
		}
	}
	a := &draft{confidence: High}
	if t.doc < 0 && t.missing == "" && !slices.ContainsFunc(t.names, isCodeLike) && asksToRun(r.Query) && o.askRun(a, t, r.Query) {
		return a, nil
	}
	// A path that is not there settles what is asked about it.
	if t.missing != "" && t.doc < 0 && len(t.definitions) == 0 && k != whyDoes && k != howDoes {
		o.noFile(a, t.missing)
		return a, nil
	}
	// A name that is written like code and is defined nowhere, likewise.
	if len(t.definitions) == 0 && t.doc < 0 && len(t.names) > 0 && meansName(t, r.Query, k) && k != whyDoes && k != whatChanged && k != whatFaults {
		f := o.lookUp(t.names[0], "", 0)
		o.undefined(a, t.names[0], f)
		return a, nil
	}
	switch {
	case k == whatFaults && (t.doc >= 0 || t.dir >= 0 || len(t.definitions) == 0):
		return o.diagnostics(&Request{Action: Diagnostics, Scope: o.scopePath(t)})
	case k == whatBreaks && len(t.definitions) > 0:
		o.askImpact(a, t)
		return a, nil
	case k == whatBreaks && t.doc >= 0:
		return o.editImpact(&Request{Action: EditImpact, File: o.c.Path(t.doc)})
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
	case (k == whoUses || k == whatImports || k == anything) && t.doc >= 0 && t.other >= 0 && len(t.definitions) == 0:
		o.askBetween(a, t.doc, t.other)
		return a, nil
	case k == whoUses && t.doc >= 0 && len(t.definitions) == 0 && asksForUnused(r.Query):
		o.askUnused(a, t.doc)
		return a, nil
	case k == whoUses && t.doc >= 0 && len(t.definitions) > 0 && t.definitions[0].Doc != t.doc && certain(t):
		o.askUsesIn(a, t)
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
	case len(t.definitions) > 0 && (certain(t) || t.joined || k == whereIs || slices.Contains(t.pointed, t.name)) && k != howDoes:
		if k == whereIs {
			o.askPart(a, t, r.Query)
		}
		o.askWhere(a, t, k)
		o.sayOthers(a, t)
		// It is there, whether or not anything uses it.
		a.coverage.State = Found
		return a, nil
	case t.doc >= 0 && k == whereIs && len(t.definitions) == 0 && o.askWithin(a, t.doc, q):
		return a, nil
	case t.doc >= 0 && k != howDoes && len(t.definitions) == 0:
		return o.file(&Request{Action: File, File: o.c.Path(t.doc), Line: t.line})
	}
	o.askRanked(a, t, q, r.Query)
	return a, nil
}

// meansName tells whether the first of the names that a question could hold is
// surely one: it is written like code, or the question where it is defined says so.
func meansName(t target, text string, k kind) bool {
	n := t.names[0]
	return hasShape(n) || strings.Contains(text, "`") || k == whereIs && len(t.pointed) > 0 && n == t.pointed[0] && n != strings.ToLower(n)
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
	if t.joined || t.placed {
		return t.placed
	}
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
	if sig := d.signature(); k == whatIn && sig != "" {
		a.say("Its signature: %s.", strings.TrimSuffix(sig, "."))
	}
	if !certain(t) {
		a.confidence = Medium
	}
}

// askPart looks for what a question describes beside the name that it gives: "the
// default chunk size of StreamHandler" is a constant in its file.
func (o *Oracle) askPart(a *draft, t target, text string) {
	if len(t.definitions) != 1 || t.joined {
		return
	}
	named := words.Of(t.name)
	var telling []string
	for _, w := range strings.Fields(strings.ToLower(text)) {
		w = strings.Trim(w, "'\"!?.,;:()[]{}<>`")
		if isQuestionWord(w) || isAskingWord(w) && w != "default" || strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
			continue
		}
		for _, x := range words.Of(w) {
			if !slices.Contains(named, x) && !slices.Contains(telling, x) {
				telling = append(telling, x)
			}
		}
	}
	if len(telling) < 2 {
		return
	}
	d := &t.definitions[0]
	best, most := -1, 1
	symbols := o.symbols(d.Doc)
	for i := range symbols {
		have := words.Of(symbols[i].Name)
		n := 0
		for _, w := range telling {
			n += btoi(slices.Contains(have, w))
		}
		if n > most && symbols[i].Flags&facts.InBody == 0 {
			best, most = i, n
		}
	}
	if best < 0 {
		return
	}
	if p, ok := o.info(store.Definition{Doc: d.Doc, Symbol: best}); ok {
		o.citeDefinition(a, &p)
		a.say("%s fits the words, %s of %s, in %s.", p.Name, article(p.Kind.String()), cmp.Or(p.Container, o.c.Path(p.Doc)), o.place(p.Doc, p.Line))
		a.confidence = Medium
	}
}

// askWithin answers where in a file something is that words describe.
func (o *Oracle) askWithin(a *draft, doc int, q *query.Query) bool {
	best := o.bestSymbols(&ranker.Result{Files: []ranker.Candidate{{Doc: doc}}}, q)
	d, ok := best[doc]
	if !ok || d.Name == ranker.Stem(o.c.Path(doc)) {
		return false
	}
	o.citeDefinition(a, &d)
	a.say("By the words, most likely at %s: %s.", o.place(doc, d.Line), d.qualified())
	o.cite(a, FromSummary, doc, 0, 0, "", o.summaryOf(doc))
	a.confidence = Medium
	a.coverage = Coverage{State: Found, Searched: 1, Analysed: 1}
	return true
}

// sayOthers tells of further names that a question gives, each in a sentence.
func (o *Oracle) sayOthers(a *draft, t target) {
	said := 0
	for _, n := range t.names {
		if n == t.name || !isCodeLike(n) || said == 2 {
			continue
		}
		if f := o.lookUp(n, "", 0); len(f.definitions) == 1 && !f.folded {
			d := &f.definitions[0]
			if d.Definition == t.definitions[0].Definition {
				continue
			}
			said++
			a.say("%s is %s, defined in %s.", d.qualified(), article(d.Kind.String()), o.place(d.Doc, d.Line))
			o.citeDefinition(a, d)
		}
	}
}

// askImpact answers what an edit of a definition reaches.
func (o *Oracle) askImpact(a *draft, t target) {
	f := found{definitions: t.definitions, folded: t.folded}
	o.impactOf(a, t.name, f)
	if !certain(t) && a.confidence == High {
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
	dir := o.doc(d.Doc).Dir
	var out []definitionInfo
	for doc := range o.c.NumDocs() {
		if o.doc(doc).Dir != dir {
			continue
		}
		symbols := o.symbols(doc)
		for i := range symbols {
			s := &symbols[i]
			inside := doc == d.Doc && s.Line >= d.Line && s.EndLine <= d.EndLine && s.Container == d.Name
			// Methods of Go and others stand beside their type.
			beside := s.Container == d.Name && s.Kind == facts.KindMethod && o.doc(doc).Package == o.doc(d.Doc).Package
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
		a.confidence = Low
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
	d := o.doc(doc)
	var names []string
	for _, s := range o.symbols(doc) {
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
