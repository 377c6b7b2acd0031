package main

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func answer(t *testing.T, text string) *Answer {
	t.Helper()
	a, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const foundAnswer = `{"answer": "Save is defined in store.go.", "confidence": "high", "deterministicMode": true,
	"coverage": {"state": "found"}, "evidence": [
	{"type": "file", "file": "store.go", "range": {"startLine": 10, "endLine": 14}, "symbol": "pkg/store.Store.Save()", "detail": "method of Store"},
	{"type": "file", "file": "main.go", "range": {"startLine": 40, "endLine": 40}, "detail": "call, Exact"},
	{"type": "summary", "file": "doc.go", "detail": "keeps things"}]}`

func TestJudge(t *testing.T) {
	for name, x := range map[string]struct {
		want Want
		lack string // of the one thing that is lacking
	}{
		"all of it": {want: Want{State: found, Files: []string{"store.go", "main.go"}, Any: []string{"a.go", "doc.go"}, Not: []string{"b.go"},
			Lines: []Line{{"store.go", 12, 0}, {"main.go", 42, 2}}, Symbols: []string{"Save"}, Answer: []string{"STORE.GO", "call, exact"}}},
		"state":            {Want{State: absent}, "state found, not absent"},
		"file":             {Want{State: found, Files: []string{"store.go", "b.go"}}, "b.go is not cited"},
		"none of any":      {Want{State: found, Any: []string{"a.go", "b.go"}}, "none of a.go, b.go"},
		"not":              {Want{State: found, Not: []string{"main.go"}}, "main.go is cited"},
		"before the range": {Want{State: found, Lines: []Line{{"store.go", 7, 2}}}, "store.go:7"},
		"behind the range": {Want{State: found, Lines: []Line{{"store.go", 17, 2}}}, "store.go:17"},
		"no range":         {Want{State: found, Lines: []Line{{"doc.go", 1, 99}}}, "doc.go:1"},
		"other file":       {Want{State: found, Lines: []Line{{"b.go", 12, 0}}}, "b.go:12"},
		"container":        {Want{State: found, Symbols: []string{"Store"}}, "symbol Store"},
		"text":             {Want{State: found, Answer: []string{"deleted"}}, `"deleted"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := judge(x.want, answer(t, foundAnswer))
			if x.lack == "" && len(got) > 0 || x.lack != "" && (len(got) != 1 || !strings.Contains(got[0], x.lack)) {
				t.Errorf("lacks %q, want %q", got, x.lack)
			}
		})
	}
}

func TestState(t *testing.T) {
	for text, want := range map[string]string{
		`{"confidence": "low", "evidence": []}`:                                                  notAnalysed,
		`{"confidence": "medium", "evidence": [{"type": "search", "detail": "x"}]}`:              found,
		`{"confidence": "high", "evidence": [], "coverage": {"state": "absent"}}`:                absent,
		`{"confidence": "low", "evidence": [{"type": "file"}], "coverage": {"state": "absent"}}`: absent,
	} {
		if got := answer(t, text).state(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{``, `text`, `{}`, `{"confidence": "sure"}`, `{"confidence": "high", "coverage": {"state": "maybe"}}`} {
		if _, err := parse([]byte(text)); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

func TestLastPart(t *testing.T) {
	for in, want := range map[string]string{
		"Save": "Save", "Store.Save": "Save", "pkg/store.Store.Save()": "Save", "path::Type::run": "run", "Store#Save().": "Save", "T#": "T", "": "",
	} {
		if got := lastPart(in); got != want {
			t.Errorf("lastPart(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	isFound, isAbsent := Case{Want: Want{State: found}}, Case{Want: Want{State: absent}}
	told := answer(t, `{"confidence": "high", "evidence": [], "coverage": {"state": "absent"}}`)
	results := []result{
		{c: isFound, answer: answer(t, foundAnswer), ms: 3},
		{c: isFound, answer: answer(t, foundAnswer), lacks: []string{"x"}, ms: 1},
		{c: isFound, answer: answer(t, `{"confidence": "medium", "evidence": [{"type": "search"}]}`), ms: 2},
		{c: isFound, answer: told, lacks: []string{"state"}, ms: 9},
		{c: isAbsent, answer: told, ms: 4},
		{c: isAbsent, lacks: []string{"failed"}, ms: 5},
	}
	want := figures{n: 6, right: 3, cited: 2, high: 4, highRight: 2, absent: 2, absentTold: 1, wrong: 1, p50: 3}
	if got := count(results); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if below := belowFloor(results); len(below) != 4 {
		t.Errorf("below the floor: %q", below)
	}
	var out bytes.Buffer
	report(&out, results)
	if !strings.Contains(out.String(), "| all | 6 | 3 (50.0 %) | 2 (33.3 %) | 4 (66.7 %) | 2 (50.0 %) | 1 of 2 | 1 | 3 |") {
		t.Error(out.String())
	}
}

// The set is what was promised before the program that answers it was written.
func TestCases(t *testing.T) {
	cases, err := load("cases")
	if err != nil {
		t.Fatal(err)
	}
	byAction, byRepo, splits, missing := map[string]int{}, map[string]string{}, map[string]int{}, 0
	for _, c := range cases {
		byAction[c.Request.Action]++
		if byRepo[c.Repo] == "" {
			splits[c.Split]++
		} else if byRepo[c.Repo] != c.Split+c.Revision {
			t.Errorf("%s: another split or revision than the rest of %s", c.ID, c.Repo)
		}
		byRepo[c.Repo] = c.Split + c.Revision
		if c.Want.State == absent {
			missing++
		}
	}
	if len(cases) != 150 || missing != 30 || len(byRepo) != 6 || splits["dev"] != 3 || splits["held"] != 3 {
		t.Errorf("%d cases, %d absent, %d repositories, splits %v", len(cases), missing, len(byRepo), splits)
	}
	for _, a := range actions {
		if byAction[a] != 30 {
			t.Errorf("%d cases of %s", byAction[a], a)
		}
	}
}

// The second set has questions of its own about repositories of its own.
func TestFreshCases(t *testing.T) {
	first, err := load("cases")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := load("fresh")
	if err != nil {
		t.Fatal(err)
	}
	byAction, missing := map[string]int{}, 0
	for _, c := range fresh {
		byAction[c.Request.Action]++
		if c.Want.State == absent {
			missing++
		}
		for _, f := range first {
			if f.Repo == c.Repo || f.ID == c.ID {
				t.Errorf("%s is of the first set, too: %s", c.ID, f.ID)
				break
			}
		}
	}
	want := map[string]int{"ask": 20, "symbol": 20, "file": 20, "diagnostics": 20, "editImpact": 20}
	if len(fresh) != 100 || missing != 20 || !reflect.DeepEqual(byAction, want) {
		t.Errorf("%d cases, %d absent, by action %v", len(fresh), missing, byAction)
	}
}
