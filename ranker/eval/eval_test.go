package eval

import (
	"math"
	"strings"
	"testing"
)

func TestSummarize(t *testing.T) {
	one := &Case{ID: "1", Language: "go", Gold: []string{"a/x.go"}}
	two := &Case{ID: "2", Language: "go", Gold: []string{"a/x.go", "b/y.go"}}
	none := &Case{ID: "3", Language: "python", Gold: []string{"z.py"}}
	r := Summarize([]Answer{
		{Case: one, Files: []string{"a/x.go"}, Dirs: []string{"a"}, Confidence: "high", Millis: 1, Tokens: 10},
		{Case: two, Files: []string{"q.go", "b/y.go", "r.go", "s.go", "t.go", "u.go", "a/x.go"}, Dirs: []string{"", "b"}, Confidence: "high", Millis: 3, Tokens: 20},
		{Case: none, Files: nil, Confidence: "low", Millis: 2, Tokens: 30},
	})
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	m := r.Overall
	near("hit@1", m.Hit["1"], 1.0/3)
	near("hit@5", m.Hit["5"], 1.0/3)
	near("hit@10", m.Hit["10"], 2.0/3)
	near("any@3", m.Any["3"], 2.0/3)
	near("recall@5", m.Recall["5"], (1+0.5+0)/3)
	near("mrr", m.MRR, (1+0.5+0)/3)
	near("dir@1", m.Dir["1"], 1.0/3)
	near("dir@3", m.Dir["3"], 2.0/3)
	near("one gold hit@1", m.OneGold.Hit["1"], 0.5)
	near("p50", m.MillisP50, 2)
	near("tokens", m.TokensMean, 20)
	if m.High != (Confidence{2, 1}) || m.Low != (Confidence{1, 0}) || m.OneGold.N != 2 || m.N != 3 {
		t.Errorf("%+v", m)
	}
	if r.Languages["python"].N != 1 || r.Cases[1].Rank != 2 || r.Cases[2].Rank != 0 {
		t.Errorf("%+v", r)
	}
	worse := Summarize([]Answer{{Case: one, Files: []string{"q.go", "a/x.go"}}, {Case: none, Files: []string{"z.py"}}})
	gained, lost := Compare(r, worse, 1)
	if len(gained) != 1 || gained[0].ID != "3" || len(lost) != 1 || lost[0].ID != "1" || lost[0].After != 2 {
		t.Errorf("gained %v, lost %v", gained, lost)
	}
}

func TestReadCases(t *testing.T) {
	good := `{"id":"a","query":"q","revision":"r","gold":["x"]}`
	cases, err := ReadCases(strings.NewReader(good + "\n\n" + good + "\n"))
	if err != nil || len(cases) != 2 {
		t.Fatalf("%v, %v", cases, err)
	}
	for _, bad := range []string{"{", `{"id":"a"}`} {
		if _, err := ReadCases(strings.NewReader(good + "\n" + bad)); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
