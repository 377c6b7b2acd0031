// Command confidence fits the ranker's confidence on a report of eval, each
// repository left out in turn: the rule is fitted on the cases of the others and
// judged on its own. Beside it stands what the shipped rule said.
//
//	project-map eval --cases FILE --repos DIR --format json > report.json
//	go run ./benchmarks/confidence report.json [more.json …]
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/ranker/eval"
)

// rule is a fitted judge of answers.
type rule struct {
	// weights of the features of a row; see features.
	weights [numFeatures]float64
	// high is the least margin of high confidence.
	high float64
}

// Goal: high is right nine times in ten, with something to spare for cases not
// seen.
const highGoal = .915

const numFeatures = 6

// features of an answer: one, the leads over the second, third and fifth file,
// direct evidence, a link.
func features(r *eval.Row) [numFeatures]float64 {
	s := &r.Shape
	return [...]float64{1, s.Second, s.Third, s.Fifth, s.Direct, s.Linked}
}

func (u *rule) margin(r *eval.Row) float64 {
	sum := 0.0
	for i, v := range features(r) {
		sum += u.weights[i] * v
	}
	return sum
}

// fit fits the weights by logistic regression (gradient descent, a little
// shrinkage) to whether the first file is right, and picks the margin from which
// most answers are high within the goal.
func fit(rows []*eval.Row) *rule {
	u := &rule{}
	for range 3000 {
		var gradient [numFeatures]float64
		for _, r := range rows {
			p := 1 / (1 + math.Exp(-u.margin(r)))
			if r.Rank == 1 {
				p--
			}
			for i, v := range features(r) {
				gradient[i] += p * v
			}
		}
		for i := range u.weights {
			u.weights[i] -= .5 * (gradient[i]/float64(len(rows)) + .0005*u.weights[i])
		}
	}
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b *eval.Row) int { return cmp.Compare(u.margin(b), u.margin(a)) })
	u.high = math.Inf(1)
	right := 0
	for i, r := range sorted {
		if r.Rank == 1 {
			right++
		}
		if float64(right) >= highGoal*float64(i+1) && i >= 9 {
			u.high = u.margin(r)
		}
	}
	return u
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
	var high, shipped, low count
	fmt.Println("| left out | cases | high | as shipped: high | low |\n|---|---|---|---|---|")
	for _, source := range sources {
		var others, own []*eval.Row
		for _, r := range rows {
			if r.Source == source {
				own = append(own, r)
			} else {
				others = append(others, r)
			}
		}
		u := fit(others)
		h := tally(own, func(r *eval.Row) bool { return u.margin(r) >= u.high })
		s := tally(own, func(r *eval.Row) bool { return r.Confidence == "high" })
		l := tally(own, func(r *eval.Row) bool { return r.Confidence == "low" })
		for _, p := range []struct {
			sum *count
			one count
		}{{&high, h}, {&shipped, s}, {&low, l}} {
			p.sum.n += p.one.n
			p.sum.right += p.one.right
		}
		fmt.Printf("| %s | %d | %d of %d | %d of %d | %d of %d |\n", source, len(own), h.right, h.n, s.right, s.n, l.right, l.n)
	}
	share := func(c count) string {
		return fmt.Sprintf("%.1f %% of the answers, right %.1f %%", 100*float64(c.n)/float64(max(len(rows), 1)), 100*c.share())
	}
	fmt.Printf("\nFitted with each repository left out: high %s.\nAs shipped: high %s; low %s.\n", share(high), share(shipped), share(low))
	u := fit(rows)
	fmt.Printf("Fitted on all: weights %.2f (constant, second, third, fifth, direct, linked), high from %.2f\n", u.weights, u.high)
}
