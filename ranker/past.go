package ranker

import (
	"cmp"
	"math"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
)

// Bounds of what the past is asked.
const (
	// recentCommits are those that count for more: a project's words change.
	recentCommits = 2000
	// focused is how many files a commit may touch to say something of each.
	focused = 30
	// together is how many files a commit may touch to say that they belong
	// together.
	together = 20
)

// past is the history of a catalog in the form that signals read.
type past struct {
	commits   []pastCommit // newest first
	meanWords float64
	byDoc     [][]int32 // commits of a document, newest first
	last      []int64   // time of a document's newest commit, 0 for none
	words     []float64 // length of all messages of a document's focused commits
	tip       int64     // time of the newest commit
}

type pastCommit struct {
	docs    []int32
	files   int
	words   float64
	damping float64 // 1 for a commit of one file, less for wide ones
}

func (k *corpus) newPast() *past {
	n := k.cat.NumCommits()
	p := &past{commits: make([]pastCommit, n), byDoc: make([][]int32, k.n), last: make([]int64, k.n), words: make([]float64, k.n)}
	for i := range n {
		c := k.cat.Commit(i)
		files := max(c.Files, 1)
		pc := pastCommit{files: files, words: float64(c.Words), damping: 1 / (1 + .5*math.Log(float64(files)))}
		if i == 0 {
			p.tip = c.Time
		}
		p.meanWords += float64(c.Words)
		for _, d := range c.Docs {
			pc.docs = append(pc.docs, int32(d))
			p.byDoc[d] = append(p.byDoc[d], int32(i))
			p.last[d] = max(p.last[d], c.Time)
			if files <= focused {
				p.words[d] += float64(c.Words)
			}
		}
		p.commits[i] = pc
	}
	if n > 0 {
		p.meanWords = max(p.meanWords/float64(n), 1)
	}
	return p
}

// pastEvidence is what the messages of commits say of a query, by document.
type pastEvidence struct {
	similar       []float64 // best commit that resembles the query
	similarRecent []float64 // the same among the recent ones
	words         []float64 // BM25 of the messages of all its commits
}

// searchCommits scores every commit against the query by BM25 over its message
// and hands the score on to the files that it touched, less to each of many:
//
//	score(c) = sum over words of weight * idf * tf / (tf + 1.2*(0.4 + 0.6*length/mean))
//
// A file receives the best of its commits. Its messages together are one more
// field of words.
func (x *run) searchCommits() *pastEvidence {
	p := x.past()
	e := &pastEvidence{similar: make([]float64, x.n), similarRecent: make([]float64, x.n), words: make([]float64, x.n)}
	nc := len(p.commits)
	if nc == 0 {
		return e
	}
	score := make([]float64, nc)
	mean := 0.0
	for _, w := range p.words {
		mean += w
	}
	mean = max(mean/float64(max(x.n, 1)), 1e-9)
	field := make([]float64, x.n)
	var touched []int32
	for i := range x.terms {
		t := &x.terms[i]
		type hit struct{ commit, count int }
		var hits []hit
		x.cat.CommitPostings(t.text, func(commit, count int) { hits = append(hits, hit{commit, count}) })
		if len(hits) == 0 {
			continue
		}
		inverse := idf(nc, len(hits))
		touched = touched[:0]
		for _, h := range hits {
			c := &p.commits[h.commit]
			tf := float64(h.count)
			score[h.commit] += t.weight * inverse * tf / (tf + 1.2*(.4+.6*c.words/p.meanWords))
			if c.files > focused {
				continue
			}
			for _, d := range c.docs {
				if field[d] == 0 {
					touched = append(touched, d)
				}
				field[d] += c.damping
			}
		}
		weight := t.weight * idf(x.n, len(touched))
		for _, d := range touched {
			v := field[d] / (.3 + .7*p.words[d]/mean)
			e.words[d] += weight * v / (v + fieldSaturation)
			field[d] = 0
		}
	}
	for i := range p.commits {
		if score[i] == 0 {
			continue
		}
		c := &p.commits[i]
		v := score[i] * c.damping
		for _, d := range c.docs {
			e.similar[d] = max(e.similar[d], v)
			if i < recentCommits {
				e.similarRecent[d] = max(e.similarRecent[d], v)
			}
		}
	}
	return e
}

// companions scores the files that changed along with the tests and documents
// whose words fit the query best: a test is found by its words, and history
// knows what it tests.
func (x *run) companions(out []float64) {
	p := x.past()
	if len(p.commits) == 0 {
		return
	}
	const looked, used = 60, 12
	order := make([]int32, 0, 256)
	for d, s := range x.lex.all {
		if s > 0 {
			order = append(order, int32(d))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.lex.all[b], x.lex.all[a]), cmp.Compare(a, b))
	})
	if len(order) == 0 {
		return
	}
	top := x.lex.all[order[0]]
	count := make([]float64, x.n)
	var seen []int32
	asides := 0
	for _, d := range order[:min(len(order), looked)] {
		if x.roles[d]&(facts.RoleTest|facts.RoleDoc) == 0 {
			continue
		}
		if asides++; asides > used {
			break
		}
		share := x.lex.all[d] / top
		seen = seen[:0]
		for _, i := range p.byDoc[d] {
			c := &p.commits[i]
			if c.files > together || c.files < 2 {
				continue
			}
			for _, o := range c.docs {
				if o == d {
					continue
				}
				if count[o] == 0 {
					seen = append(seen, o)
				}
				count[o]++
			}
		}
		n := float64(len(p.byDoc[d]))
		for _, o := range seen {
			out[o] += share * share * count[o] / (n + 5) / math.Sqrt(float64(len(p.byDoc[o]))+10)
			count[o] = 0
		}
	}
}
