package oracle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// bestSymbols picks of each ranked file the definition that the words of a query
// fit best.
func (o *Oracle) bestSymbols(r *ranker.Result, q *query.Query) map[int]definitionInfo {
	weight := o.weights(q)
	out := map[int]definitionInfo{}
	for _, f := range r.Files[:min(8, len(r.Files))] {
		for _, best := range ranker.Fitting(weight, o.symbols(f.Doc), 1) {
			if d, ok := o.info(store.Definition{Doc: f.Doc, Symbol: best}); ok {
				out[f.Doc] = d
			}
		}
	}
	return out
}

// weights are the words of a query with how telling each is.
func (o *Oracle) weights(q *query.Query) map[string]float64 {
	return ranker.Telling(o.c, q, isQuestionWord)
}

// maxCommits bounds the commits that are cited.
const maxCommits = 4

// fittingCommits lists the commits whose messages hold most of the telling words
// of a question, best first; with docs only those that touched one of them, and
// there fewer words are enough.
func (o *Oracle) fittingCommits(q *query.Query, docs map[int]bool) []int {
	weight := o.weights(q)
	terms := make([]string, 0, len(weight))
	for w := range weight {
		terms = append(terms, w)
	}
	slices.Sort(terms)
	total := 0.0
	score := map[int]float64{}
	for _, w := range terms {
		total += weight[w]
		o.c.CommitPostings(w, func(commit, _ int) { score[commit] += weight[w] })
	}
	type hit struct {
		commit int
		score  float64
	}
	var hits []hit
	for c, s := range score {
		least := total / 2
		if docs != nil {
			if !slices.ContainsFunc(o.c.Commit(c).Docs, func(d int) bool { return docs[d] }) {
				continue
			}
			least = total / 4
		}
		if s >= least {
			hits = append(hits, hit{c, s / (1 + .01*float64(o.c.Commit(c).Words))})
		}
	}
	slices.SortFunc(hits, func(x, y hit) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.commit, y.commit)) })
	var out []int
	for _, h := range hits[:min(maxCommits, len(hits))] {
		out = append(out, h.commit)
	}
	return out
}

// namingCommits lists the commits whose messages hold all words of a name, newest
// first; with docs only those that touched one of them.
func (o *Oracle) namingCommits(name string, docs map[int]bool) []int {
	terms := words.Of(name)
	if i := slices.IndexFunc(terms, func(t string) bool { return strings.HasPrefix(t, words.WholePrefix) }); i >= 0 {
		terms = terms[i : i+1] // a compound as a whole
	}
	var out []int
	for i, w := range terms {
		var list []int
		o.c.CommitPostings(w, func(commit, _ int) { list = append(list, commit) })
		if i == 0 {
			out = list
			continue
		}
		out = slices.DeleteFunc(out, func(c int) bool { return !slices.Contains(list, c) })
	}
	out = slices.DeleteFunc(out, func(c int) bool {
		return docs != nil && !slices.ContainsFunc(o.c.Commit(c).Docs, func(d int) bool { return docs[d] })
	})
	slices.Sort(out)
	return out
}

// firstCommit is the oldest known commit that touched files, or -1.
func (o *Oracle) firstCommit(docs map[int]bool) int {
	for i := o.c.NumCommits() - 1; i >= 0; i-- {
		if slices.ContainsFunc(o.c.Commit(i).Docs, func(d int) bool { return docs[d] }) {
			return i
		}
	}
	return -1
}

// citeCommits cites commits, the first one in words, too.
func (o *Oracle) citeCommits(a *draft, commits []int, docs map[int]bool) {
	if len(commits) == 0 {
		return
	}
	a.say("The history says: %s.", strings.TrimSuffix(o.commitWords(commits[0]), "."))
	for _, c := range commits {
		o.citeCommit(a, c, docs)
	}
	a.coverage.State = Found
}

// citeCommit cites a commit at the first of the files that it is asked about, or
// that it touched.
func (o *Oracle) citeCommit(a *draft, commit int, docs map[int]bool) {
	touched := o.c.Commit(commit).Docs
	doc := -1
	if len(touched) > 0 {
		doc = touched[0]
	}
	for _, d := range touched {
		if docs[d] {
			doc = d
			break
		}
	}
	o.cite(a, FromSummary, doc, 0, 0, "", "commit "+o.commitWords(commit))
	if docs == nil {
		for _, d := range touched[min(1, len(touched)):min(3, len(touched))] {
			o.cite(a, FromSummary, d, 0, 0, "", "changed by the same commit")
		}
	}
}
