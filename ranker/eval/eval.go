// Package eval measures a ranker on cases: a query, the revision it was asked
// at, and the files that the answer changed.
package eval

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/ranker"
)

// Case is a question with its right answer. On disk it is a line of JSON.
type Case struct {
	ID       string `json:"id"`
	Language string `json:"language"`
	Repo     string `json:"repo"`
	// Source names where the public repository is; the first place to look for
	// it below a directory of repositories.
	Source   string `json:"source"`
	Revision string `json:"revision"`
	Query    string `json:"query"`
	// Gold are paths of the revision.
	Gold []string `json:"gold"`
}

// ReadCases reads JSON Lines. Errors name the line.
func ReadCases(r io.Reader) ([]Case, error) {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<20), 64<<20)
	var out []Case
	for n := 1; s.Scan(); n++ {
		if len(s.Bytes()) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if c.ID == "" || c.Query == "" || c.Revision == "" || len(c.Gold) == 0 {
			return nil, fmt.Errorf("line %d: a case needs id, query, revision and gold", n)
		}
		out = append(out, c)
	}
	return out, s.Err()
}

// Answer is what a ranker said to a case.
type Answer struct {
	Case *Case
	// Files are the ranked paths, as many as the measures look at (see Depth).
	Files []string
	// Dirs are the ranked directories, at most three.
	Dirs       []string
	Confidence string // high, medium, low
	// Plain are the ranked paths of plain BM25 over the same files.
	Plain []string
	// Symbols are the files of the listed symbols.
	Symbols []string
	// Shape is what the confidence was judged by.
	Shape  ranker.Shape
	Millis float64
	Tokens int // of the bundle
}

// Depth is how many files of an answer the measures look at.
const Depth = 1000

// Cutoffs of the measures.
var (
	fileCutoffs   = []int{1, 3, 5, 10}
	recallCutoffs = []int{5, 10}
	dirCutoffs    = []int{1, 3}
)

// Measures are shares from 0 to 1 over n cases.
type Measures struct {
	N int `json:"n"`
	// Hit@k: all gold files are among the first k. Any@k: one of them is.
	Hit map[string]float64 `json:"hit"`
	Any map[string]float64 `json:"any"`
	// Recall@k: share of the gold files among the first k.
	Recall map[string]float64 `json:"recall"`
	// MRR is the mean of 1/rank of the best gold file.
	MRR float64 `json:"mrr"`
	// Dir@k: the directory of a gold file is among the first k directories.
	Dir map[string]float64 `json:"dir"`
	// OneGold looks at the cases with a single gold file.
	OneGold Group `json:"oneGold"`
	// High are the answers of high confidence; right when a gold file is first.
	High   Confidence `json:"high"`
	Medium Confidence `json:"medium"`
	Low    Confidence `json:"low"`
	// Symbols counts the answers that list symbols; right when one of them is
	// defined in a gold file.
	Symbols Confidence `json:"symbols"`
	// MillisP50 is the median time of a query, TokensMean the mean size of a
	// bundle.
	MillisP50  float64 `json:"msP50"`
	TokensMean float64 `json:"tokensMean"`
}

// Group is a part of the cases.
type Group struct {
	N   int                `json:"n"`
	Hit map[string]float64 `json:"hit"`
}

// Confidence counts the answers of one level.
type Confidence struct {
	N     int `json:"n"`
	Right int `json:"right"`
}

// Row is one case of a report.
type Row struct {
	ID       string   `json:"id"`
	Source   string   `json:"source,omitempty"`
	Language string   `json:"language"`
	Gold     []string `json:"gold"`
	Top      []string `json:"top"`
	// Rank of the best gold file, from 1; 0 when none was found.
	Rank       int          `json:"rank"`
	Confidence string       `json:"confidence"`
	Shape      ranker.Shape `json:"shape"`
	Millis     float64      `json:"ms"`
}

// Report is the outcome of a run.
type Report struct {
	Overall   Measures            `json:"overall"`
	Languages map[string]Measures `json:"languages"`
	// Plain is the same for plain BM25 over the same files.
	Plain *Plain `json:"plain,omitempty"`
	Cases []Row  `json:"cases"`
}

// Plain measures plain BM25, without confidence, symbols and bundles.
type Plain struct {
	Overall   Measures            `json:"overall"`
	Languages map[string]Measures `json:"languages"`
}

// Summarize measures answers, overall and by language.
func Summarize(answers []Answer) *Report {
	r := &Report{Overall: measure(answers), Languages: map[string]Measures{}, Cases: []Row{}}
	byLanguage := map[string][]Answer{}
	for _, a := range answers {
		byLanguage[a.Case.Language] = append(byLanguage[a.Case.Language], a)
		r.Cases = append(r.Cases, Row{
			ID: a.Case.ID, Source: cmp.Or(a.Case.Source, a.Case.Repo), Language: a.Case.Language, Gold: a.Case.Gold, Top: a.Files[:min(len(a.Files), 10)],
			Rank: bestRank(a), Confidence: a.Confidence, Shape: a.Shape, Millis: a.Millis,
		})
	}
	for l, as := range byLanguage {
		r.Languages[l] = measure(as)
	}
	if slices.ContainsFunc(answers, func(a Answer) bool { return a.Plain != nil }) {
		r.Plain = &Plain{Overall: measure(plain(answers)), Languages: map[string]Measures{}}
		for l, as := range byLanguage {
			r.Plain.Languages[l] = measure(plain(as))
		}
	}
	slices.SortStableFunc(r.Cases, func(x, y Row) int { return cmp.Compare(x.ID, y.ID) })
	return r
}

// plain are the answers of plain BM25; the directories are those of its files in
// their order.
func plain(answers []Answer) []Answer {
	out := make([]Answer, len(answers))
	for i, a := range answers {
		out[i] = Answer{Case: a.Case, Files: a.Plain}
		for _, f := range a.Plain {
			if d := facts.DirOf(f); !slices.Contains(out[i].Dirs, d) && len(out[i].Dirs) < 3 {
				out[i].Dirs = append(out[i].Dirs, d)
			}
		}
	}
	return out
}

// ranks gives the place of each gold file, 0 where it is missing.
func ranks(a Answer) []int {
	out := make([]int, len(a.Case.Gold))
	for i, g := range a.Case.Gold {
		out[i] = slices.Index(a.Files, g) + 1
	}
	return out
}

func bestRank(a Answer) int {
	best := 0
	for _, r := range ranks(a) {
		if r > 0 && (best == 0 || r < best) {
			best = r
		}
	}
	return best
}

func key(k int) string { return fmt.Sprint(k) }

func measure(answers []Answer) Measures {
	m := Measures{
		N: len(answers), Hit: map[string]float64{}, Any: map[string]float64{}, Recall: map[string]float64{},
		Dir: map[string]float64{}, OneGold: Group{Hit: map[string]float64{}},
	}
	var times []float64
	for _, a := range answers {
		rs := ranks(a)
		within := func(k int) (n int) {
			for _, r := range rs {
				if r > 0 && r <= k {
					n++
				}
			}
			return n
		}
		for _, k := range fileCutoffs {
			n := within(k)
			if n == len(rs) {
				m.Hit[key(k)]++
				if len(rs) == 1 {
					m.OneGold.Hit[key(k)]++
				}
			} else {
				m.Hit[key(k)] += 0
			}
			if n > 0 {
				m.Any[key(k)]++
			}
		}
		if len(rs) == 1 {
			m.OneGold.N++
		}
		for _, k := range recallCutoffs {
			m.Recall[key(k)] += float64(within(k)) / float64(len(rs))
		}
		best := bestRank(a)
		if best > 0 {
			m.MRR += 1 / float64(best)
		}
		for _, k := range dirCutoffs {
			for _, g := range a.Case.Gold {
				if slices.Contains(a.Dirs[:min(k, len(a.Dirs))], facts.DirOf(g)) {
					m.Dir[key(k)]++
					break
				}
			}
		}
		level := map[string]*Confidence{"high": &m.High, "medium": &m.Medium, "low": &m.Low}[a.Confidence]
		if level != nil {
			level.N++
			if best == 1 {
				level.Right++
			}
		}
		if len(a.Symbols) > 0 {
			m.Symbols.N++
			if slices.ContainsFunc(a.Symbols, func(p string) bool { return slices.Contains(a.Case.Gold, p) }) {
				m.Symbols.Right++
			}
		}
		times = append(times, a.Millis)
		m.TokensMean += float64(a.Tokens)
	}
	share := func(set map[string]float64, n int, cutoffs []int) {
		for _, k := range cutoffs {
			if n > 0 {
				set[key(k)] /= float64(n)
			} else {
				set[key(k)] = 0
			}
		}
	}
	share(m.Hit, m.N, fileCutoffs)
	share(m.Any, m.N, fileCutoffs)
	share(m.Recall, m.N, recallCutoffs)
	share(m.Dir, m.N, dirCutoffs)
	share(m.OneGold.Hit, m.OneGold.N, fileCutoffs)
	if m.N > 0 {
		m.MRR /= float64(m.N)
		m.TokensMean /= float64(m.N)
		slices.Sort(times)
		m.MillisP50 = times[len(times)/2]
	}
	return m
}

// Change is a case whose best rank differs between two reports.
type Change struct {
	ID       string `json:"id"`
	Before   int    `json:"before"` // 0: not found
	After    int    `json:"after"`
	Language string `json:"language"`
}

// Compare lists the cases that entered or left the first k files.
func Compare(before, after *Report, k int) (gained, lost []Change) {
	old := map[string]int{}
	for _, r := range before.Cases {
		old[r.ID] = r.Rank
	}
	in := func(rank int) bool { return rank > 0 && rank <= k }
	for _, r := range after.Cases {
		b, known := old[r.ID]
		if !known || in(b) == in(r.Rank) {
			continue
		}
		c := Change{ID: r.ID, Before: b, After: r.Rank, Language: r.Language}
		if in(r.Rank) {
			gained = append(gained, c)
		} else {
			lost = append(lost, c)
		}
	}
	return gained, lost
}
