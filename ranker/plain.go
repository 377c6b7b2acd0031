package ranker

import (
	"math"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// Parameters of plain BM25, the usual ones.
const (
	plainK1 = 1.2
	plainB  = .75
)

// Plain orders the documents by textbook BM25 over their words, without fields,
// priors, mentions or anything else: what the ranker is measured against. It
// looks at the same documents and the same words (compounds aside, which count
// with their parts), the whole query counting alike.
//
// Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond
// (2009), with idf = ln(1 + (N - df + 0.5) / (df + 0.5)).
func (r *Ranker) Plain(q *query.Query) []int {
	k := r.corpus
	counts := map[string]int{}
	var order []string
	for s := range query.NumSegments {
		for _, w := range words.Of(q.Segments[s]) {
			if strings.HasPrefix(w, words.WholePrefix) {
				continue
			}
			if counts[w]++; counts[w] == 1 {
				order = append(order, w)
			}
		}
	}
	lengths := make([]float64, k.n)
	mean := 0.0
	for d := range lengths {
		for f, n := range k.cat.Doc(d).Lengths {
			if f < int(facts.NumFields) {
				lengths[d] += float64(n)
			}
		}
		mean += lengths[d]
	}
	mean = max(mean/float64(max(k.n, 1)), 1)
	scores := make([]float64, k.n)
	for _, w := range order {
		inverse := idf(k.n, k.cat.DocFreq(w)) * float64(counts[w])
		k.cat.Postings(w, func(p store.Posting) {
			tf := 0.0
			for f := range int(facts.NumFields) {
				tf += float64(p.Counts[f])
			}
			if tf > 0 {
				scores[p.Doc] += inverse * tf * (plainK1 + 1) / (tf + plainK1*(1-plainB+plainB*lengths[p.Doc]/mean))
			}
		})
	}
	out := make([]int, 0, k.n)
	for d, s := range scores {
		if s > 0 && !math.IsNaN(s) {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return a - b
	})
	return out
}
