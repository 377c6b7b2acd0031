package ranker

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// Telling are the words of a query with how telling each is: the rarer in the
// files of a catalog, the more. Words that skip refuses are left out; skip may be
// nil.
func Telling(c *store.Catalog, q *query.Query, skip func(word string) bool) map[string]float64 {
	out := map[string]float64{}
	for _, w := range words.Of(q.Raw) {
		if strings.HasPrefix(w, words.WholePrefix) || skip != nil && skip(w) {
			continue
		}
		if n := c.DocFreq(w); n > 0 {
			out[w] = math.Log(1 + float64(c.NumDocs())/float64(n))
		}
	}
	return out
}

// Fitting picks of the symbols of a file at most so many that the telling words
// of a query fit best, as their numbers, the best first: words of the name count
// most, then those of the documentation. Keys and what is defined in bodies are
// left out, and so is what fits less than half as well as the best.
func Fitting(telling map[string]float64, symbols []store.Symbol, most int) []int {
	type fit struct {
		symbol int
		score  float64
	}
	var list []fit
	for i := range symbols {
		s := &symbols[i]
		if s.Kind == facts.KindKey || s.Flags&facts.InBody != 0 {
			continue
		}
		name := sumOf(telling, s.Name)
		if name == 0 && sumOf(telling, s.Summary) == 0 {
			continue
		}
		score := name + .5*sumOf(telling, s.Summary) + .3*sumOf(telling, s.Container) + .2*sumOf(telling, s.Signature)
		// Long names hold many words by chance.
		list = append(list, fit{i, score / (1 + .1*float64(len(words.Of(s.Name))))})
	}
	slices.SortStableFunc(list, func(a, b fit) int { return cmp.Compare(b.score, a.score) })
	var out []int
	for _, f := range list[:min(most, len(list))] {
		if f.score < list[0].score/2 {
			break
		}
		out = append(out, f.symbol)
	}
	return out
}

// sumOf adds the weights of the distinct words of a text, in the order of the
// text, so that the sum is the same everywhere.
func sumOf(telling map[string]float64, text string) float64 {
	total := 0.0
	var seen []string
	for _, w := range words.Of(text) {
		if v := telling[w]; v > 0 && !slices.Contains(seen, w) {
			seen = append(seen, w)
			total += v
		}
	}
	return total
}
