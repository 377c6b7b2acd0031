// Command confidence calibrates the thresholds of the ranker's confidence on a
// report of eval, each repository left out in turn: the thresholds are chosen on
// the cases of the others and judged on its own.
//
//	project-map eval --cases FILE --repos DIR --format json > report.json
//	go run ./benchmarks/confidence report.json [more.json …]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/ranker/eval"
)

// thresholds are those of ranker/confidence.go.
type thresholds struct {
	// supported and clear are the leads that high confidence needs with and
	// without direct evidence; topic is the part of a question's words that it
	// needs without.
	supported, clear, topic float64
	// weak and behind bound low confidence: no direct evidence, a score below
	// weak, a lead below behind.
	weak, behind float64
}

// Goals: high is right nine times in ten with a margin for cases not seen, low
// less than one time in three.
const (
	highGoal = .92
	lowGoal  = .30
)

func (t *thresholds) high(r *eval.Row) bool {
	s := &r.Shape
	return s.Score > 0 && (s.Direct > 0 && s.Lead >= t.supported || s.Covered >= t.topic && s.Lead >= t.clear)
}

func (t *thresholds) low(r *eval.Row) bool {
	s := &r.Shape
	return s.Score <= 0 || s.Direct == 0 && s.Score < t.weak && s.Lead < t.behind
}

// count is how many answers a rule takes, and how many of them are right.
type count struct{ n, right int }

func (c *count) add(r *eval.Row) {
	c.n++
	if r.Rank == 1 {
		c.right++
	}
}

func (c count) share() float64 { return float64(c.right) / float64(max(c.n, 1)) }

func tally(rows []*eval.Row, rule func(*eval.Row) bool) (c count) {
	for _, r := range rows {
		if rule(r) {
			c.add(r)
		}
	}
	return c
}

// calibrate picks the thresholds with which most answers are high, or low,
// within the goals.
func calibrate(rows []*eval.Row) thresholds {
	best := thresholds{supported: 1, clear: 1, topic: 1}
	most := 0
	for s := 5; s <= 30; s++ {
		for c := s; c <= 45; c++ {
			for _, topic := range []float64{.4, .5, .6} {
				t := thresholds{supported: float64(s) / 100, clear: float64(c) / 100, topic: topic}
				if k := tally(rows, t.high); k.share() >= highGoal && k.n > most {
					best, most = t, k.n
				}
			}
		}
	}
	most = 0
	for w := 8; w <= 32; w++ {
		for b := 1; b <= 10; b++ {
			t := best
			t.weak, t.behind = float64(w)/2, float64(b)/100
			if k := tally(rows, t.low); k.n >= 5 && k.share() <= lowGoal && k.n > most {
				best.weak, best.behind, most = t.weak, t.behind, k.n
			}
		}
	}
	return best
}

func main() {
	var rows []*eval.Row
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		lab.Fail(err)
		var r eval.Report
		lab.Fail(json.Unmarshal(data, &r))
		for i := range r.Cases {
			rows = append(rows, &r.Cases[i])
		}
	}
	var sources []string
	for _, r := range rows {
		if !slices.Contains(sources, r.Source) {
			sources = append(sources, r.Source)
		}
	}
	slices.Sort(sources)
	var high, low count
	fmt.Println("| left out | cases | thresholds | high | low |\n|---|---|---|---|---|")
	for _, source := range sources {
		var others, own []*eval.Row
		for _, r := range rows {
			if r.Source == source {
				own = append(own, r)
			} else {
				others = append(others, r)
			}
		}
		t := calibrate(others)
		h, l := tally(own, t.high), tally(own, func(r *eval.Row) bool { return !t.high(r) && t.low(r) })
		high.n, high.right, low.n, low.right = high.n+h.n, high.right+h.right, low.n+l.n, low.right+l.right
		fmt.Printf("| %s | %d | %.2f %.2f %.1f, %.1f %.2f | %d of %d | %d of %d |\n", source, len(own), t.supported, t.clear, t.topic, t.weak, t.behind, h.right, h.n, l.right, l.n)
	}
	share := func(c count) string {
		return fmt.Sprintf("%.1f %% of the answers, right %.1f %%", 100*float64(c.n)/float64(max(len(rows), 1)), 100*c.share())
	}
	fmt.Printf("\nEach repository left out: high %s; low %s.\n", share(high), share(low))
	all := calibrate(rows)
	fmt.Printf("On all: %+v: high %s; low %s.\n", all, share(tally(rows, all.high)), share(tally(rows, all.low)))
}
