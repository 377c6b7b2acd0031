package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// figures are the counts of a set of results.
type figures struct {
	n, right, cited           int
	high, highRight           int
	absent, absentTold, wrong int // wrong: stated absent where it is there
	p50                       float64
}

func count(results []result) figures {
	f := figures{n: len(results)}
	var ms []float64
	for _, r := range results {
		ms = append(ms, r.ms)
		truly := r.c.Want.State == absent
		if truly {
			f.absent++
		}
		if r.answer == nil {
			continue
		}
		right := len(r.lacks) == 0
		if right {
			f.right++
			if cited(r.answer) {
				f.cited++
			}
		}
		if r.answer.Confidence == "high" {
			f.high++
			if right {
				f.highRight++
			}
		}
		if r.answer.state() == absent {
			if truly {
				f.absentTold++
			} else {
				f.wrong++
			}
		}
	}
	if len(ms) > 0 {
		slices.Sort(ms)
		f.p50 = ms[(len(ms)-1)/2]
	}
	return f
}

// report prints a table by action, one by repository, and what failed.
func report(w io.Writer, results []result) {
	table := func(head string, key func(result) string, order []string) {
		fmt.Fprintf(w, "| %s | n | right | right with citation | high given | high right | absent stated where true | absent stated wrongly | p50 ms |\n|---|---|---|---|---|---|---|---|---|\n", head)
		row := func(name string, some []result) {
			f := count(some)
			fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %s | %d of %d | %d | %.0f |\n", name, f.n, share(f.right, f.n), share(f.cited, f.n),
				share(f.high, f.n), share(f.highRight, f.high), f.absentTold, f.absent, f.wrong, f.p50)
		}
		for _, name := range order {
			var some []result
			for _, r := range results {
				if key(r) == name {
					some = append(some, r)
				}
			}
			if len(some) > 0 {
				row(name, some)
			}
		}
		row("all", results)
		fmt.Fprintln(w)
	}
	table("action", func(r result) string { return r.c.Request.Action }, actions)
	byRepo := func(r result) string { return r.c.Repo + " (" + r.c.Split + ")" }
	var repos []string
	for _, r := range results {
		if !slices.Contains(repos, byRepo(r)) {
			repos = append(repos, byRepo(r))
		}
	}
	table("repository", byRepo, repos)
	for _, r := range results {
		if len(r.lacks) == 0 {
			continue
		}
		confidence := "no answer"
		if r.answer != nil {
			confidence = r.answer.Confidence
		}
		fmt.Fprintf(w, "%s (%s): %s\n", r.c.ID, confidence, strings.Join(r.lacks, "; "))
	}
	for _, s := range belowFloor(results) {
		fmt.Fprintln(w, "below the floor:", s)
	}
}

// belowFloor lists the figures that are lower than they have to be.
func belowFloor(results []result) []string {
	f := count(results)
	var below []string
	least := func(what string, n, of int, floor float64) {
		if float64(n) < floor*float64(of) {
			below = append(below, fmt.Sprintf("%s: %s, at least %.0f %%", what, share(n, of), 100*floor))
		}
	}
	least("right with citation", f.cited, f.n, 0.90)
	least("high right", f.highRight, f.high, 0.95)
	least("high given", f.high, f.n, 0.40)
	least("absent stated where true", f.absentTold, f.absent, 25.0/30)
	if f.wrong > 0 {
		below = append(below, fmt.Sprintf("absent stated wrongly: %d, never", f.wrong))
	}
	return below
}

func share(n, of int) string {
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(of))
}
