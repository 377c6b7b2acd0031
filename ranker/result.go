package ranker

import (
	"math"
	"slices"
	"strings"
)

// fileCandidates explains the scores of documents in their order.
func (x *run) fileCandidates(s *scored, order []int32) []Candidate {
	signals := x.signals
	docs := make([]int, len(order))
	for i, d := range order {
		docs[i] = int(d)
	}
	matched := x.matchedWords(docs)
	out := make([]Candidate, len(docs))
	for i, d := range docs {
		c := &out[i]
		c.Doc, c.Path, c.Score = d, x.paths[d], s.total[d]
		positive := 0.0
		for g := range signals {
			positive += max(signals[g].weight*s.values[g][d], 0)
		}
		for g := range signals {
			v := s.values[g][d]
			if v == 0 {
				continue
			}
			r := Reason{Signal: signals[g].name, Value: v, Weight: signals[g].weight}
			if positive > 0 {
				r.Share = v * r.Weight / positive
			}
			switch {
			case r.Signal == titleWordsName || r.Signal == allWordsName:
				r.Detail = strings.Join(matched[d], ", ")
			case signals[g].detail != nil:
				r.Detail = signals[g].detail(x, d)
			}
			c.Reasons = append(c.Reasons, r)
		}
		// What decided first.
		slices.SortStableFunc(c.Reasons, func(a, b Reason) int {
			switch p, q := math.Abs(a.Share), math.Abs(b.Share); {
			case p > q:
				return -1
			case p < q:
				return 1
			}
			return 0
		})
	}
	return out
}

const (
	// counted is how many of the leading files vote for their directory.
	counted = 20
	// vote is what the file at rank i (from 0) gives: 1/(i+vote). The first
	// file outweighs any number of later ones but a run right behind it.
	vote = .5
)

// dirCandidates reads the directories off the leading files: each file votes
// for the directory it lies in, the better its rank the more, and a hint or a
// workflow that names a directory votes like a leading file.
func (x *run) dirCandidates(s *scored, order []int32, limit int) []DirCandidate {
	dirs := x.cat.Dirs()
	votes := map[int]*DirCandidate{}
	var list []*DirCandidate
	at := func(d int) *DirCandidate {
		c := votes[d]
		if c == nil {
			c = &DirCandidate{Dir: d}
			if d < len(dirs) {
				c.Path = dirs[d].Path
			}
			votes[d] = c
			list = append(list, c)
		}
		return c
	}
	for i, d := range order[:min(len(order), counted)] {
		c := at(int(x.dirs[d]))
		c.Score += 1 / (float64(i) + vote)
		c.Files = append(c.Files, int(d))
	}
	for _, h := range x.hints.dirs {
		c := at(h.doc)
		c.Score = max(c.Score, h.weight/vote)
	}
	slices.SortStableFunc(list, func(a, b *DirCandidate) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return a.Dir - b.Dir
	})
	out := make([]DirCandidate, 0, min(len(list), limit))
	top := list[0].Score
	for _, c := range list[:min(len(list), limit)] {
		c.Score /= top
		out = append(out, *c)
	}
	return out
}
