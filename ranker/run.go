package ranker

import (
	"sync"

	"github.com/project-map/project-map/ranker/query"
)

// run is the state of ranking one query: everything that several signals
// share. Slices with one entry a document are indexed by its number.
type run struct {
	*corpus
	q       *query.Query
	options Options
	signals []signal

	terms     []term
	lex       *lexical
	mentions  *mentions
	symbols   *symbolEvidence
	pastWords *pastEvidence
	intent    intent
	hints     *hintEvidence
	// symbolNames gives the names that led to a document, for explanations.
	symbolNames func() map[int][]string

	// hit marks documents with evidence that is more than grammar; only they
	// are candidates. hits counts them.
	hit  []bool
	hits int
	// named tells how plainly the query names a document, 0 to 1. A named file
	// is not held down for being a test, a document or a data file.
	named []float64

	// leaders and sum are set once all signals but those of the scale following
	// are added up.
	leaders []leader
	sum     []float64
}

func newRun(r *Ranker, q *query.Query) *run {
	n := r.corpus.n
	x := &run{corpus: r.corpus, q: q, options: r.options, signals: r.signals, hit: make([]bool, n), named: make([]float64, n)}
	x.terms = termsOf(q)
	x.intent = intentOf(q)
	x.lex = x.searchWords()
	x.mentions = x.resolveMentions()
	x.symbols = x.lookUpSymbols()
	x.hints = x.matchHints()
	x.pastWords = x.searchCommits()
	x.symbolNames = sync.OnceValue(x.symbols.namesOf)
	return x
}

// touch marks a document as a candidate.
func (x *run) touch(d int) {
	if !x.hit[d] {
		x.hit[d] = true
		x.hits++
	}
}

func (x *run) matched() bool { return x.hits > 0 }

// scored holds the values of all signals for all documents.
type scored struct {
	// values is indexed by signal, then document, and is scaled.
	values [][]float64
	total  []float64
}

// score computes all signals. The result is valid until release is called.
func (r *Ranker) score(x *run) (s *scored, release func()) {
	n := x.n
	size := n * (len(r.signals) + 1)
	block, _ := r.scratch.Get().(*[]float64)
	if block == nil {
		block = new([]float64)
		*block = make([]float64, size)
	}
	clear(*block)
	s = &scored{values: make([][]float64, len(r.signals))}
	s.total = (*block)[len(r.signals)*n:]
	for i := range r.signals {
		g := &r.signals[i]
		s.values[i] = (*block)[i*n : (i+1)*n]
		if g.scale != following {
			g.compute(x, s.values[i])
			x.rescale(g.scale, s.values[i])
			s.add(i, g.weight)
		}
	}
	x.findLeaders(s.total)
	// All of them look at the sums before any of them is added.
	for i := range r.signals {
		if g := &r.signals[i]; g.scale == following {
			g.compute(x, s.values[i])
		}
	}
	for i := range r.signals {
		if g := &r.signals[i]; g.scale == following {
			s.add(i, g.weight)
		}
	}
	return s, func() { r.scratch.Put(block) }
}

// add adds the values of a signal to the sums.
func (s *scored) add(signal int, weight float64) {
	for d, v := range s.values[signal] {
		if v != 0 {
			s.total[d] += weight * v
		}
	}
}

// rescale brings the values of a signal onto its scale.
func (x *run) rescale(by scale, out []float64) {
	if by == absolute {
		return
	}
	top := 0.0
	for d, v := range out {
		if v > top && (by == bounded || !x.noise[d]) {
			top = v
		}
	}
	if by == bounded {
		top = max(top, 1)
	}
	if top == 0 { // only noise has any
		for _, v := range out {
			top = max(top, v)
		}
		if top == 0 {
			return
		}
	}
	for d, v := range out {
		if v != 0 {
			out[d] = min(v/top, 1)
		}
	}
}
