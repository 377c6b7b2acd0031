package ranker

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
)

// phraseDocs is the number of files, best by words, whose definitions are
// compared with the query.
const phraseDocs = 120

// definedPhrase is the best definition of a file whose name is made of words of
// the query alone, of two at the least: "the frame header size" finds
// frame_header_size without naming it. Its words count as in the whole query.
// Weight .15: names of two common words are made of nearly any query.
func definedPhrase(x *run, out []float64) {
	weight := make(map[string]float64, len(x.terms))
	for i := range x.terms {
		if x.lex.found[i] {
			weight[x.terms[i].text] = x.lex.potential[i]
		}
	}
	for _, d := range topDocs(x.lex.all, phraseDocs) {
		for _, s := range x.ranked(x.cat.SymbolsOf(d)) {
			if s.Kind == facts.KindHeading || s.Kind == facts.KindKey {
				continue
			}
			parts, whole := words.Split(s.Name)
			if whole == "" || len(parts) < 2 {
				continue
			}
			sum := 0.0
			for i, p := range parts {
				w := weight[p]
				if w == 0 {
					sum = 0
					break
				}
				if !slices.Contains(parts[:i], p) {
					sum += w
				}
			}
			out[d] = max(out[d], sum)
		}
	}
}
