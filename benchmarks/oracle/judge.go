package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Case is a question and what is known of its answer.
type Case struct {
	ID       string  `json:"id"`
	Repo     string  `json:"repo"`     // owner/name
	Revision string  `json:"revision"` // 40 hex digits
	Split    string  `json:"split"`    // dev or held
	Request  Request `json:"request"`
	Truth    string  `json:"truth"` // where the answer is known from
	Want     Want    `json:"want"`
}

// Request is a question in the form that the program reads.
type Request struct {
	Action string `json:"action"`
	Query  string `json:"query,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Scope  string `json:"scope,omitempty"`
}

// Want is what an answer has to hold to be right; all of it.
type Want struct {
	Files   []string `json:"files,omitempty"`   // each is cited
	Lines   []Line   `json:"lines,omitempty"`   // each is covered by a cited range
	Any     []string `json:"any,omitempty"`     // at least one is cited
	Not     []string `json:"not,omitempty"`     // none is cited
	Symbols []string `json:"symbols,omitempty"` // each is the last part of a cited symbol
	Answer  []string `json:"answer,omitempty"`  // each stands in the answer or in a detail
	State   string   `json:"state"`             // found or absent
}

// Line is a line of a file, which a cited range has to cover within Slack lines.
type Line struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Slack int    `json:"slack"`
}

// Answer is what the program printed.
type Answer struct {
	Answer     string     `json:"answer"`
	Confidence string     `json:"confidence"`
	Evidence   []Evidence `json:"evidence"`
	Coverage   *struct {
		State string `json:"state"`
	} `json:"coverage"`
}

// Evidence is one thing that an answer cites.
type Evidence struct {
	Type  string `json:"type"`
	File  string `json:"file"`
	Range *struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine"`
	} `json:"range"`
	Symbol string `json:"symbol"`
	Detail string `json:"detail"`
}

const (
	found       = "found"
	absent      = "absent"
	notAnalysed = "notAnalysed"
)

var actions = []string{"ask", "symbol", "file", "diagnostics", "editImpact"}

// state is the state of an answer. One without coverage is found where it cites
// something, and never absent.
func (a *Answer) state() string {
	switch {
	case a.Coverage != nil && a.Coverage.State != "":
		return a.Coverage.State
	case len(a.Evidence) > 0:
		return found
	}
	return notAnalysed
}

func (a *Answer) cites(file string) bool {
	return slices.ContainsFunc(a.Evidence, func(e Evidence) bool { return e.File == file })
}

func (a *Answer) covers(l Line) bool {
	return slices.ContainsFunc(a.Evidence, func(e Evidence) bool {
		return e.File == l.File && e.Range != nil && e.Range.StartLine-l.Slack <= l.Line && l.Line <= e.Range.EndLine+l.Slack
	})
}

func (a *Answer) names(symbol string) bool {
	return slices.ContainsFunc(a.Evidence, func(e Evidence) bool { return lastPart(e.Symbol) == symbol })
}

func (a *Answer) says(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(strings.ToLower(a.Answer), text) || slices.ContainsFunc(a.Evidence, func(e Evidence) bool {
		return strings.Contains(strings.ToLower(e.Detail), text)
	})
}

// lastPart is the last name of a qualified one: "Save" of "pkg/store.Store.Save()".
func lastPart(symbol string) string {
	symbol = strings.TrimRight(symbol, "().# ")
	return symbol[strings.LastIndexAny(symbol, ".#/:")+1:]
}

// judge lists what an answer lacks; nothing where it is right.
func judge(w Want, a *Answer) []string {
	var lacks []string
	lack := func(format string, args ...any) { lacks = append(lacks, fmt.Sprintf(format, args...)) }
	if s := a.state(); s != w.State {
		lack("state %s, not %s", s, w.State)
	}
	for _, f := range w.Files {
		if !a.cites(f) {
			lack("%s is not cited", f)
		}
	}
	for _, l := range w.Lines {
		if !a.covers(l) {
			lack("no cited range covers %s:%d", l.File, l.Line)
		}
	}
	if len(w.Any) > 0 && !slices.ContainsFunc(w.Any, a.cites) {
		lack("none of %s is cited", strings.Join(w.Any, ", "))
	}
	for _, f := range w.Not {
		if a.cites(f) {
			lack("%s is cited", f)
		}
	}
	for _, s := range w.Symbols {
		if !a.names(s) {
			lack("no evidence for the symbol %s", s)
		}
	}
	for _, s := range w.Answer {
		if !a.says(s) {
			lack("does not say %q", s)
		}
	}
	return lacks
}

// cited tells whether an answer shows what it rests on: evidence in a file, or
// that the thing is absent.
func cited(a *Answer) bool {
	return a.state() == absent || slices.ContainsFunc(a.Evidence, func(e Evidence) bool { return e.File != "" })
}

// parse reads what the program printed.
func parse(out []byte) (*Answer, error) {
	var a Answer
	if err := json.Unmarshal(out, &a); err != nil {
		return nil, fmt.Errorf("the output is not the JSON of an answer: %w", err)
	}
	if !slices.Contains([]string{"high", "medium", "low"}, a.Confidence) {
		return nil, fmt.Errorf("there is no confidence %q", a.Confidence)
	}
	if s := a.state(); s != found && s != absent && s != notAnalysed {
		return nil, fmt.Errorf("there is no state %q", s)
	}
	return &a, nil
}

var hex40 = regexp.MustCompile(`^[0-9a-f]{40}$`)

// load reads the cases of a directory, in the order of the names of its files.
func load(dir string) ([]Case, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no *.jsonl in %s: give the directory of the cases with -cases", dir)
	}
	slices.Sort(names)
	var all []Case
	seen := map[string]bool{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			dec.DisallowUnknownFields()
			var c Case
			if err := dec.Decode(&c); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			if err := c.check(); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", name, n, c.ID, err)
			}
			if seen[c.ID] {
				return nil, fmt.Errorf("%s:%d: a second case %s", name, n, c.ID)
			}
			seen[c.ID] = true
			all = append(all, c)
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

func (c *Case) check() error {
	w := c.Want
	switch {
	case c.ID == "" || c.Truth == "":
		return fmt.Errorf("a case needs an id and a truth")
	case strings.Count(c.Repo, "/") != 1 || strings.Contains(c.Repo, ".."):
		return fmt.Errorf("repo %q is not owner/name", c.Repo)
	case !hex40.MatchString(c.Revision):
		return fmt.Errorf("revision %q is not 40 hex digits", c.Revision)
	case c.Split != "dev" && c.Split != "held":
		return fmt.Errorf("split %q is neither dev nor held", c.Split)
	case !slices.Contains(actions, c.Request.Action):
		return fmt.Errorf("there is no action %q", c.Request.Action)
	case w.State != found && w.State != absent:
		return fmt.Errorf("state %q is neither found nor absent", w.State)
	case w.State == found && len(w.Files)+len(w.Lines)+len(w.Any) == 0:
		return fmt.Errorf("nothing has to be cited")
	}
	return nil
}
