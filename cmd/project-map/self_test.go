package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/project-map/project-map/ranker/eval"
)

// Short questions about this very repository, of the kind that people ask: the
// right file stands among the first five nearly always, and mostly first.
func TestQuestionsAboutThisRepository(t *testing.T) {
	root := ownRepository(t)
	f, err := os.Open(filepath.Join(root, "benchmarks", "cases", "self.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases, err := eval.ReadCases(f)
	if err != nil {
		t.Fatal(err)
	}
	e, err := openEvaluator(root, false)
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	first, five := 0, 0
	for i := range cases {
		a, err := e.ask(context.Background(), &cases[i])
		if err != nil {
			t.Fatal(err)
		}
		rank := 0
		for k, p := range a.Files {
			if slices.Contains(cases[i].Gold, p) {
				rank = k + 1
				break
			}
		}
		if rank == 1 {
			first++
		}
		if rank > 0 && rank <= 5 {
			five++
		} else {
			t.Logf("%q: %v at %d; first %v", cases[i].Query, cases[i].Gold, rank, a.Files[:min(3, len(a.Files))])
		}
	}
	t.Logf("first %d, first five %d of %d", first, five, len(cases))
	// Room for a rename or two before the cases have to follow.
	if n := len(cases); five*10 < n*8 || first*10 < n*5 {
		t.Errorf("first %d, first five %d of %d", first, five, n)
	}
}

// ownRepository is the root of this repository; a test that indexes it is skipped
// in short runs and outside of git.
func ownRepository(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("indexes the repository")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git repository")
	}
	return root
}
