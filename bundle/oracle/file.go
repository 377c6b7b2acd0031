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
)

// Bounds of what is cited of a file.
const (
	maxOutline    = 24
	firstOutline  = 6
	maxDependants = 8
	maxHistory    = 4
	maxFindings   = 6
)

// file answers what a file, or a directory, is and holds.
func (o *Oracle) file(r *Request) (*draft, error) {
	a := &draft{confidence: High}
	doc, ok := o.c.DocByPath(r.File)
	if !ok {
		if dir, ok := o.c.DirByPath(strings.TrimSuffix(r.File, "/")); ok {
			o.directory(a, dir)
			return a, nil
		}
		o.noFile(a, r.File)
		return a, nil
	}
	if err := o.checkPlace(r); err != nil {
		return nil, err
	}
	d := o.doc(doc)
	what := cmp.Or(d.Language, "plain")
	roles := roleWords(d.Role)
	text := fmt.Sprintf("%s is a %s file of %s", d.Path, what, plural(int(d.Lines), "line"))
	if len(roles) > 0 {
		text += " (" + strings.Join(roles, ", ") + ")"
	}
	summary := d.Summary
	if summary != "" {
		a.say("%s: %s", text, strings.TrimSuffix(summary, ".")+".")
	} else {
		a.say("%s.", text)
	}
	o.cite(a, FromSummary, doc, 1, max(1, d.Lines), "", cmp.Or(summary, text))
	o.suggest(a, doc, 0)
	a.coverage = Coverage{State: Found, Searched: 1, Analysed: 1}
	if why := o.unparsed(doc, &d); why != "" {
		a.coverage.Analysed = 0
		a.coverage.Missing = []Missing{{d.Path, why}}
		a.say("Its definitions are not known: %s.", why)
		if d.Depth != facts.Parsed {
			a.coverage.State = NotAnalysed
			a.confidence = Medium
		}
	}
	// The first definitions, then everything around the file, then the others: what
	// is cut to the budget is the end of a long outline.
	rest := o.sayOutline(a, doc)
	o.sayNeighbours(a, doc)
	o.sayHistory(a, map[int]bool{doc: true}, "It")
	o.sayFindings(a, doc)
	for i := range rest {
		o.citeDefinitionOnly(a, &rest[i])
	}
	return a, nil
}

func roleWords(r facts.Role) []string {
	var out []string
	for _, x := range []struct {
		role facts.Role
		word string
	}{{facts.RoleTest, "test"}, {facts.RoleDoc, "documentation"}, {facts.RoleExample, "example"}, {facts.RoleVendored, "vendored"},
		{facts.RoleGenerated, "generated"}, {facts.RoleConfig, "configuration"}, {facts.RoleBuild, "build"}, {facts.RoleLocale, "translation"}, {facts.RoleDeclaration, "declaration"}} {
		if r.Has(x.role) {
			out = append(out, x.word)
		}
	}
	return out
}

// noFile answers for a path that the revision does not have: all of them are
// known.
func (o *Oracle) noFile(a *draft, p string) {
	a.coverage = Coverage{State: Absent, Searched: o.c.NumDocs(), Analysed: o.c.NumDocs()}
	a.say("There is no file %s among the %s of the revision.", p, plural(o.c.NumDocs(), "file"))
	like := o.pathsLike(p, 3)
	if len(like) > 0 {
		a.say("Similar paths: %s.", strings.Join(like, ", "))
	}
	for _, l := range like {
		if doc, ok := o.c.DocByPath(l); ok {
			o.suggest(a, doc, 0)
		}
	}
}

// pathsLike lists paths of the same name, then of a similar one, nearest first.
func (o *Oracle) pathsLike(p string, most int) []string {
	type like struct {
		path  string
		score int
	}
	base, stem := path.Base(p), ranker.Stem(p)
	var list []like
	for doc := range o.c.NumDocs() {
		x := o.c.Path(doc)
		score := 0
		switch {
		case strings.EqualFold(path.Base(x), base):
			score = 100
		case stem != "" && ranker.Stem(x) == stem:
			score = 50
		default:
			continue
		}
		a, b := strings.Split(x, "/"), strings.Split(p, "/")
		for i := 1; i <= min(len(a), len(b)) && strings.EqualFold(a[len(a)-i], b[len(b)-i]); i++ {
			score += 5
		}
		for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
			score += 3
		}
		list = append(list, like{x, score})
	}
	slices.SortFunc(list, func(x, y like) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.path, y.path)) })
	var out []string
	for _, l := range list[:min(most, len(list))] {
		out = append(out, l.path)
	}
	return out
}

// sayOutline cites the first definitions of a file, the visible ones first, and
// returns the others.
func (o *Oracle) sayOutline(a *draft, doc int) (rest []definitionInfo) {
	symbols := o.symbols(doc)
	var top []definitionInfo
	total := 0
	for i := range symbols {
		s := &symbols[i]
		if s.Flags&facts.InBody != 0 {
			continue
		}
		total++
		if d, ok := o.info(store.Definition{Doc: doc, Symbol: i}); ok {
			top = append(top, d)
		}
	}
	if total == 0 {
		return nil
	}
	slices.SortStableFunc(top, func(x, y definitionInfo) int { return cmp.Compare(outlineRank(x), outlineRank(y)) })
	var names []string
	for i := range top {
		if top[i].Container == "" {
			names = append(names, top[i].Name)
		}
	}
	a.say("It defines %s: %s.", plural(total, "symbol"), listOf(names, 14))
	top = top[:min(len(top), maxOutline)]
	first := min(len(top), firstOutline)
	for i := range top[:first] {
		o.citeDefinitionOnly(a, &top[i])
	}
	return top[first:]
}

func (o *Oracle) citeDefinitionOnly(a *draft, d *definitionInfo) {
	o.cite(a, d.source(), d.Doc, d.Line, d.EndLine, d.qualified(), d.describe())
}

// outlineRank orders definitions: visible ones before others, those of the file
// before members.
func outlineRank(d definitionInfo) int {
	rank := 0
	if d.Visibility != facts.Public {
		rank += 2
	}
	if d.Container != "" {
		rank++
	}
	if d.Kind == facts.KindMacro {
		rank += 2 // guards and switches stand first in a header, and say the least
	}
	return rank
}

// sayNeighbours tells what a file imports, who depends on it, and its tests.
func (o *Oracle) sayNeighbours(a *draft, doc int) {
	imports := o.c.Imports(doc)
	var paths []string
	for _, i := range imports {
		paths = append(paths, o.c.Path(i))
	}
	if len(paths) > 0 {
		a.say("It imports %s.", listOf(paths, 4))
	}
	// What it imports stands in the file itself; who depends on it does not.
	defer func() {
		for i, to := range imports {
			if i < maxDependants {
				o.cite(a, FromFile, to, 0, 0, "", "imported by "+o.c.Path(doc))
			}
		}
	}()
	dependants, tests := o.dependantFiles(doc)
	if len(dependants) > 0 {
		paths = paths[:0]
		for _, u := range dependants {
			paths = append(paths, o.c.Path(u.doc))
		}
		a.say("%s %s on it: %s.", plural(len(dependants), "file"), verb(len(dependants), "depend"), listOf(paths, 4))
		for i, u := range dependants {
			if i == maxDependants {
				break
			}
			line, detail := uint32(0), "imports "+o.c.Path(doc)
			if len(u.sites) > 0 {
				line = u.sites[0].Line
				detail = fmt.Sprintf("%s its definitions %s", "uses", plural(len(u.sites), "time"))
			}
			o.cite(a, FromFile, u.doc, line, line, "", detail)
		}
	} else if o.refs != nil && o.refs.Resolution(doc) >= store.ByRules {
		a.say("No other file depends on it.")
	}
	if len(tests) > 0 {
		paths = paths[:0]
		for _, t := range tests {
			paths = append(paths, o.c.Path(t))
		}
		a.say("Related tests: %s.", listOf(paths, 3))
		for i, t := range tests {
			if i < maxDependants {
				o.cite(a, FromFile, t, 0, 0, "", "a test of it")
			}
		}
	}
}

// dependantFiles lists the files that refer to definitions of a file or import
// it, those with the most uses first; tests apart.
func (o *Oracle) dependantFiles(doc int) (files []usesByFile, tests []int) {
	var defs []store.Definition
	for i := range o.symbols(doc) {
		defs = append(defs, store.Definition{Doc: doc, Symbol: i})
	}
	uses, _ := o.usesOf(defs...)
	seen := map[int]bool{doc: true}
	for _, u := range uses {
		if seen[u.doc] {
			continue
		}
		seen[u.doc] = true
		files = append(files, u)
	}
	for d := range o.c.NumDocs() {
		if !seen[d] && slices.Contains(o.c.Imports(d), doc) {
			seen[d] = true
			files = append(files, usesByFile{doc: d})
		}
	}
	stem := ranker.Stem(o.c.Path(doc))
	for d := range o.c.NumDocs() {
		if !o.doc(d).Role.Has(facts.RoleTest) || d == doc {
			continue
		}
		if stem != "" && ranker.Stem(o.c.Path(d)) == stem {
			tests = append(tests, d)
		}
	}
	dir := o.doc(doc).Dir
	var sources []usesByFile
	for _, f := range files {
		if o.doc(f.doc).Role.Has(facts.RoleTest) {
			if !slices.Contains(tests, f.doc) {
				tests = append(tests, f.doc)
			}
			continue
		}
		sources = append(sources, f)
	}
	slices.SortStableFunc(tests, func(x, y int) int {
		return btoi(o.doc(x).Dir != dir) - btoi(o.doc(y).Dir != dir)
	})
	return sources, tests
}

// sayHistory cites the newest commits that touched files.
func (o *Oracle) sayHistory(a *draft, docs map[int]bool, subject string) {
	commits := o.commitsOf(docs, maxHistory)
	if len(commits) == 0 {
		return
	}
	a.say("%s changed last on %s: %s.", subject, dateOf(o.c.Commit(commits[0]).Time), strings.TrimSuffix(o.commitWords(commits[0]), "."))
	for _, c := range commits {
		for _, doc := range sortedKeys(docs) {
			if slices.Contains(o.c.Commit(c).Docs, doc) {
				o.cite(a, FromSummary, doc, 0, 0, "", "commit "+o.commitWords(c))
				break
			}
		}
	}
}

func (o *Oracle) sayFindings(a *draft, doc int) {
	if o.refs == nil {
		return
	}
	list := o.refs.Findings(doc)
	if len(list) == 0 {
		return
	}
	a.say("Tools found %s in it.", plural(len(list), "fault"))
	for i, f := range list {
		if i < maxFindings {
			o.citeFinding(a, doc, f)
		}
	}
}

// directory answers for a directory.
func (o *Oracle) directory(a *draft, dir int) {
	d := o.c.Dirs()[dir]
	name := cmp.Or(d.Path, "the root")
	var docs, symbols int
	var files []int
	for doc := range o.c.NumDocs() {
		switch x := o.doc(doc); {
		case x.Dir == dir:
			files = append(files, doc)
			docs++
			symbols += len(o.symbols(doc))
		case d.Path == "" || strings.HasPrefix(x.Path, d.Path+"/"):
			docs++
		}
	}
	a.say("%s is a directory of %s.", name, plural(docs, "file"))
	if d.Summary != "" {
		a.say("%s.", strings.TrimSuffix(d.Summary, "."))
	}
	index := path.Join(d.Path, ".pi-map.index.md")
	a.evidence = append(a.evidence, Evidence{Type: FromSummary, File: index, Detail: cmp.Or(d.Summary, "the index of "+name)})
	a.reads = append(a.reads, index)
	for _, doc := range files {
		o.cite(a, FromSummary, doc, 0, 0, "", o.summaryOf(doc))
	}
	for _, sub := range o.c.Dirs() {
		if sub.Parent == dir && sub.Path != "" {
			a.evidence = append(a.evidence, Evidence{Type: FromSummary, File: sub.Path, Detail: cmp.Or(sub.Summary, "a directory below")})
		}
	}
	if len(d.UsedBy) > 0 {
		a.say("Used by %s.", listOf(d.UsedBy, 4))
	}
	a.coverage = Coverage{State: Found, Searched: docs, Analysed: docs}
}
