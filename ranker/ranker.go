// Package ranker orders the files, directories and symbols of a revision by how
// likely a task touches them.
//
// A score is a weighted sum of signals. Each signal stands in a file of its own
// (signal_*.go), says in its comment what it means and why it weighs what it
// does, and fills one number per document; weights.go is the one table of all
// of them. Files are scored, directories and symbols are read off the files
// that lead: scoring the text of a directory first and looking inside it
// afterwards finds far less.
//
// The ranker sees nothing but the compiled catalog and the parsed query. It
// runs no program, opens no file, and gives the same answer for the same input
// whatever the machine: sums run in a fixed order and ties go by path.
package ranker

import (
	"slices"
	"sync"

	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// NameSearcher finds symbol names that resemble a text: by prefix, by words or
// with a typing error. It lets a name that nobody spelled exactly count.
type NameSearcher interface {
	// Search returns at most limit matches, best first.
	Search(q string, limit int) []NameMatch
}

// NameMatch is a symbol name of the catalog.
type NameMatch struct {
	Name string
	// Score tells how close the name is, 1 for equal and 0 for unrelated.
	Score float64
}

// Options change what a Ranker returns. The zero value is fit for use.
type Options struct {
	// Names finds names that resemble those of the query; may be nil.
	Names NameSearcher
	// MaxFiles, MaxDirs and MaxSymbols bound the lists of a result; 0 stands
	// for 200, 3 and 12. They cut the lists and change nothing else.
	MaxFiles, MaxDirs, MaxSymbols int
}

// Ranker ranks the documents of one catalog. It is safe for concurrent use.
type Ranker struct {
	corpus  *corpus
	options Options
	signals []signal
	scratch sync.Pool // of *[]float64, one block of all signals' values
}

// New prepares a catalog for ranking, which takes time linear in its documents.
// The catalog must stay open as long as the Ranker is in use.
func New(c *store.Catalog, o Options) *Ranker {
	if o.MaxFiles <= 0 {
		o.MaxFiles = 200
	}
	if o.MaxDirs <= 0 {
		o.MaxDirs = 3
	}
	if o.MaxSymbols <= 0 {
		o.MaxSymbols = 12
	}
	return &Ranker{corpus: newCorpus(c), options: o, signals: signalTable()}
}

// Level is a step of confidence.
type Level uint8

// The levels of confidence.
const (
	Low Level = iota
	Medium
	High
)

// String returns the lower-case name of the level.
func (l Level) String() string {
	switch l {
	case High:
		return "high"
	case Medium:
		return "medium"
	}
	return "low"
}

// Result is the answer to one query.
type Result struct {
	// Files, best first; equal scores by path.
	Files []Candidate
	// Dirs are the directories of the leading files, best first.
	Dirs []DirCandidate
	// Symbols are definitions that the query names; empty where a list of them
	// would say nothing (see symbolCandidates).
	Symbols []SymbolCandidate
	// Matched is the number of files with any evidence, before the cut.
	Matched int
	// Confidence is judged on the whole list, before any cut.
	Confidence Level
	// Shape is what the confidence was judged by.
	Shape Shape
	// NothingMatched is set when no word, path or name of the query occurs in
	// the catalog. All lists are empty then.
	NothingMatched bool
}

// Candidate is a file with the reasons for its score.
type Candidate struct {
	Doc     int // number in the catalog
	Path    string
	Score   float64 // sum of Value*Weight over the reasons
	Reasons []Reason
}

// Reason is the part of a score that one signal gave.
type Reason struct {
	Signal string
	// Value is what the signal measured, mostly from 0 to 1.
	Value  float64
	Weight float64
	// Share is Value*Weight relative to the sum of all positive parts of the
	// score; the shares of what speaks for a file add up to 1, and what speaks
	// against it is negative.
	Share float64
	// Detail says what matched, where the signal can tell. It holds text of the
	// repository and of the query.
	Detail string
}

// DirCandidate is a directory.
type DirCandidate struct {
	Dir   int // number in the catalog
	Path  string
	Score float64 // relative to the best directory, which has 1
	// Files are documents of the directory among the leading files, best first.
	Files []int
}

// SymbolCandidate is a definition.
type SymbolCandidate struct {
	store.Symbol
	Path  string
	Score float64
	// Match is the name in the query that led to the symbol.
	Match string
}

// Rank ranks the files of the catalog for a query. It accepts any query and
// never fails.
func (r *Ranker) Rank(q *query.Query) *Result {
	if q == nil || r.corpus.n == 0 {
		return &Result{NothingMatched: true}
	}
	x := newRun(r, q)
	if !x.matched() {
		return &Result{NothingMatched: true}
	}
	scores, release := r.score(x)
	defer release()

	order := make([]int32, 0, x.hits)
	for d := range x.hit {
		if x.hit[d] {
			order = append(order, int32(d))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		switch {
		case scores.total[a] > scores.total[b]:
			return -1
		case scores.total[a] < scores.total[b]:
			return 1
		}
		return int(a - b) // documents are numbered by path
	})
	res := &Result{Matched: len(order)}
	res.Shape = x.shape(scores, order)
	res.Confidence = x.confidence(res.Shape)
	res.Dirs = x.dirCandidates(scores, order, r.options.MaxDirs)
	res.Symbols = x.symbolCandidates(order, r.options.MaxSymbols)
	res.Files = x.fileCandidates(scores, order[:min(len(order), r.options.MaxFiles)])
	return res
}
