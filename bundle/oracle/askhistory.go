package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/ranker/query"
)

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
	what := o.scopePath(t)
	if what == "" {
		// History is known of files: what it says of a definition are the commits that
		// name it.
		what = "Its file " + o.c.Path(t.definitions[0].Doc)
		o.askNaming(a, t, docs, text)
	}
	if first := o.firstCommit(docs); first >= 0 && asksForBeginning(text) {
		a.say("%s came with: %s.", what, strings.TrimSuffix(o.commitWords(first), "."))
		o.citeCommit(a, first, docs)
	}
	if len(o.commitsOf(docs, 1)) == 0 {
		a.say("The known history holds no commit of it.")
		for _, doc := range sortedKeys(docs)[:min(3, len(docs))] {
			o.cite(a, FromSummary, doc, 0, 0, "", o.summaryOf(doc))
		}
		a.confidence = Medium
		a.coverage = Coverage{State: NotAnalysed}
		return true
	}
	o.sayHistory(a, docs, what)
	if strings.Contains(cueWords(text), " who ") {
		a.say("Names of authors are not kept.")
		a.confidence = Medium
	}
	a.coverage.State = Found
	return true
}

// askNaming cites the commits of files whose messages name a definition, the
// newest first; the oldest where its beginning is asked for.
func (o *Oracle) askNaming(a *draft, t target, docs map[int]bool, text string) {
	a.confidence = Medium
	o.citeDefinition(a, &t.definitions[0])
	list := o.namingCommits(t.definitions[0].Name, docs)
	if len(list) == 0 {
		list = o.namingCommits(t.definitions[0].Name, nil)
	}
	if len(list) == 0 {
		a.say("No commit of the known history names %s.", t.name)
		return
	}
	if asksForBeginning(text) {
		slices.Reverse(list)
		a.say("The first commit that names %s is: %s.", t.name, strings.TrimSuffix(o.commitWords(list[0]), "."))
	} else {
		a.say("The last commit that names %s is: %s.", t.name, strings.TrimSuffix(o.commitWords(list[0]), "."))
	}
	for _, c := range list[:min(2, len(list))] {
		o.citeCommit(a, c, docs)
	}
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
			a.say("%s came with: %s.", cmp.Or(o.scopePath(t), "Its file"), strings.TrimSuffix(o.commitWords(first), "."))
			o.citeCommit(a, first, docs)
		}
	case len(docs) > 0:
		// What is named may be touched by a reason that stands elsewhere.
		commits := o.fittingCommits(q, docs)
		if len(commits) == 0 {
			commits = o.fittingCommits(q, nil)
		}
		if len(commits) == 0 {
			commits = o.commitsOf(docs, maxCommits)
		}
		o.citeCommits(a, commits, docs)
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
