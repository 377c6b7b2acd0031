package ranker

import (
	"math"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
)

// lexical holds the scores of the query's words, by document.
type lexical struct {
	all, title, code []float64 // BM25F over all fields
	path, defs       []float64 // BM25 of one field
	idf              []float64 // of each term
	potential        []float64 // weight times idf of each term
	found            []bool    // term occurs in the catalog
	// inStrings are the documents with a term in a string literal.
	inStrings [][]int32
}

// negligible is the part of the largest possible contribution below which a
// word is not looked up.
const negligible = .01

// searchWords scores all documents by BM25F:
//
//	tf(w, d) = sum over fields of weight * count / (1 - b + b*length/mean)
//	score(d) = sum over words of weight(w) * idf(w) * tf / (tf + k1)
//
// with idf = ln(1 + (N - df + 0.5) / (df + 0.5)).
func (x *run) searchWords() *lexical {
	n := x.n
	l := &lexical{
		all: make([]float64, n), title: make([]float64, n), code: make([]float64, n), path: make([]float64, n), defs: make([]float64, n),
		idf: make([]float64, len(x.terms)), potential: make([]float64, len(x.terms)), found: make([]bool, len(x.terms)),
		inStrings: make([][]int32, len(x.terms)),
	}
	top := 0.0
	for i := range x.terms {
		df := x.docFreq(&x.terms[i])
		l.found[i] = df > 0
		l.idf[i] = idf(n, df)
		l.potential[i] = x.terms[i].weight * l.idf[i]
		if l.found[i] {
			top = max(top, l.potential[i])
		}
	}
	var list, other []store.Posting
	for i := range x.terms {
		t := &x.terms[i]
		if !l.found[i] || l.potential[i] < negligible*top {
			continue
		}
		list, other = x.postings(t, list[:0], other[:0])
		inPath, inDefs := 0, 0
		for k := range list {
			if list[k].Counts[store.FieldPath] > 0 {
				inPath++
			}
			if list[k].Counts[store.FieldDefs] > 0 {
				inDefs++
			}
			if list[k].Counts[store.FieldStrings] > 0 {
				l.inStrings[i] = append(l.inStrings[i], int32(list[k].Doc))
			}
		}
		inverse := l.idf[i]
		pathWeight, defsWeight := t.weight*idf(n, inPath), t.weight*idf(n, inDefs)
		for k := range list {
			p := &list[k]
			d := p.Doc
			tf := 0.0
			for f, c := range p.Counts {
				if c == 0 {
					continue
				}
				v := float64(c) * float64(x.norm[f][d])
				tf += fieldWeight[f] * v
				switch f {
				case store.FieldPath:
					l.path[d] += pathWeight * v / (v + fieldSaturation)
				case store.FieldDefs:
					l.defs[d] += defsWeight * v / (v + fieldSaturation)
				}
			}
			s := inverse * tf / (tf + saturation)
			l.all[d] += t.weight * s
			l.title[d] += t.title * s
			l.code[d] += t.code * s
			if t.content {
				x.touch(d)
			}
		}
	}
	return l
}

// docFreq is how many documents hold a word in either form, at the most.
func (x *run) docFreq(t *term) int {
	df := x.cat.DocFreq(t.text)
	if t.also != "" {
		df += x.cat.DocFreq(t.also)
	}
	return min(df, x.n)
}

// postings appends where a word stands in either form to list, by document.
// spare is memory to work with; both slices are returned for the next word.
func (x *run) postings(t *term, list, spare []store.Posting) (merged, rest []store.Posting) {
	x.cat.Postings(t.text, func(p store.Posting) { list = append(list, p) })
	if t.also == "" || x.cat.DocFreq(t.also) == 0 {
		return list, spare
	}
	k := 0
	x.cat.Postings(t.also, func(p store.Posting) {
		for k < len(list) && list[k].Doc < p.Doc {
			spare = append(spare, list[k])
			k++
		}
		if k < len(list) && list[k].Doc == p.Doc {
			for f, c := range list[k].Counts {
				p.Counts[f] += min(c, math.MaxUint16-p.Counts[f])
			}
			k++
		}
		spare = append(spare, p)
	})
	return append(spare, list[k:]...), list[:0]
}

func idf(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+.5)/(float64(df)+.5))
}

// matchedWords lists the words of the query that a few documents hold, those
// that weigh most first, at most six a document.
func (x *run) matchedWords(docs []int) map[int][]string {
	const perDoc, looked = 6, 24
	order := make([]int, 0, len(x.terms))
	for i := range x.terms {
		if x.lex.found[i] && x.terms[i].content {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x.lex.potential[a] > x.lex.potential[b]:
			return -1
		case x.lex.potential[a] < x.lex.potential[b]:
			return 1
		}
		return 0
	})
	want := make(map[int][]string, len(docs))
	for _, d := range docs {
		want[d] = nil
	}
	for _, i := range order[:min(len(order), looked)] {
		text := strings.TrimPrefix(x.terms[i].text, words.WholePrefix)
		x.cat.Postings(x.terms[i].text, func(p store.Posting) {
			if list, ok := want[p.Doc]; ok && len(list) < perDoc && !slices.Contains(list, text) {
				want[p.Doc] = append(list, text)
			}
		})
	}
	return want
}

// coverage is the part of the query's words, by weight, that a document holds.
// Words that occur nowhere in the catalog count as missing.
func (x *run) coverage(doc int) float64 {
	have, all := 0.0, 0.0
	for i := range x.terms {
		if !x.terms[i].content {
			continue
		}
		all += x.lex.potential[i]
		if !x.lex.found[i] {
			continue
		}
		x.cat.Postings(x.terms[i].text, func(p store.Posting) {
			if p.Doc == doc {
				have += x.lex.potential[i]
			}
		})
	}
	if all == 0 {
		return 0
	}
	return have / all
}
