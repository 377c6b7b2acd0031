package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/templates"
)

// crossParts are the answers of two repositories with n files each.
func crossParts(n int) []*part {
	var parts []*part
	for i, name := range []string{"api", "web"} {
		p := &part{crossSource: crossSource{Name: name, From: name + ".tar.zst", Confidence: "high"}, covered: 1 - .5*float64(i), doc: &bundle.Document{Version: 1}}
		p.doc.Instructions = []string{"Read.", "Confidence: high.", "Made from " + name + "."}
		for k := range n {
			p.doc.Files = append(p.doc.Files, bundle.DocumentFile{Path: fmt.Sprintf("d/f%d.go", k), Score: 5 - float64(k)/4, Language: "go", Roles: []string{}, Depth: "parsed", Summary: "does `this` and <that>"})
			p.doc.Symbols = append(p.doc.Symbols, bundle.DocumentSymbol{Name: fmt.Sprintf("F%d", k), Kind: "function", Path: fmt.Sprintf("d/f%d.go", k), Score: 1 / float64(k+1)})
		}
		p.doc.Indexes = []bundle.DocumentPage{{Path: ".pi-map.index.md"}, {Path: "d/.pi-map.index.md", Dir: "d"}}
		p.doc.Maps = []bundle.DocumentPage{{Path: "d/.pi-map.md", Dir: "d", UsedBy: []string{""}}}
		parts = append(parts, p)
	}
	return parts
}

func TestMergeParts(t *testing.T) {
	b := mergeParts(crossParts(8), 8)
	if len(b.Files) != 8 || !slices.IsSortedFunc(b.Files, func(x, y bundle.DocumentFile) int { return int(1e4 * (y.Score - x.Score)) }) {
		t.Errorf("%+v", b.Files)
	}
	// The one that holds half as much of the query weighs three quarters.
	if b.Files[0].Path != "api/d/f0.go" || b.Files[0].Score != 5 || !slices.ContainsFunc(b.Files, func(f bundle.DocumentFile) bool { return f.Path == "web/d/f0.go" && f.Score == 3.75 }) {
		t.Errorf("%+v", b.Files)
	}
	var pages []string
	for _, x := range append(slices.Clone(b.Indexes), b.Maps...) {
		pages = append(pages, x.Path)
	}
	if want := []string{"api/.pi-map.index.md", "web/.pi-map.index.md", "api/d/.pi-map.index.md", "web/d/.pi-map.index.md", "api/d/.pi-map.md", "web/d/.pi-map.md"}; !slices.Equal(pages, want) {
		t.Errorf("pages %q", pages)
	}
	if b.Maps[0].Dir != "api/d" || b.Maps[0].UsedBy[0] != "api" || b.Confidence != "high" {
		t.Errorf("%+v, %s", b.Maps, b.Confidence)
	}
	want := []string{"Read.", "Confidence: high.", "Paths begin with the name of the repository's maps: api (api.tar.zst), web (web.tar.zst).", "In api: Made from api.", "In web: Made from web."}
	if !slices.Equal(b.Instructions, want) {
		t.Errorf("%q", b.Instructions)
	}
	// The order in which repositories are named changes no place.
	turned := crossParts(8)
	slices.Reverse(turned)
	if got := mergeParts(turned, 8); !slices.EqualFunc(got.Files, b.Files, func(x, y bundle.DocumentFile) bool { return x.Path == y.Path && x.Score == y.Score }) {
		t.Error("the order of repositories shows")
	}
	even := crossParts(2)
	even[1].covered = 1
	if got := mergeParts(even, 5).Confidence; got != "medium" {
		t.Errorf("two that are even: %s", got)
	}
}

// TestCrossBudget: no more than the budget, and a larger one holds all that a
// smaller one does.
func TestCrossBudget(t *testing.T) {
	var before []string
	for budget := 60; budget < 1200; budget += 20 {
		b := mergeParts(crossParts(10), 20)
		b.head = "# Context bundle: x\n\n## query\nx\n"
		b.fit(budget)
		if b.Tokens > budget && !b.Limits.OverBudget {
			t.Errorf("%d tokens of %d", b.Tokens, budget)
		}
		var lines []string
		for line := range strings.Lines(b.markdown()) {
			if strings.HasPrefix(line, "- ") && !strings.Contains(line, "Left out") {
				lines = append(lines, line)
			}
		}
		for _, l := range before {
			if !slices.Contains(lines, l) {
				t.Errorf("budget %d lost %q", budget, l)
			}
		}
		before = lines
	}
}

// TestCrossJSON: the answer is JSON of a bundle, and nothing in it is invisible.
func TestCrossJSON(t *testing.T) {
	parts := crossParts(2)
	parts[0].doc.Files[0].Path = "d/\u202egnp.exe"
	parts[0].doc.Files[0].Fitting = []bundle.DocumentFitting{{Name: "F", Container: "C", Line: 7}}
	parts[0].doc.Maps[0].From = []string{"d/f0.go"}
	b := mergeParts(parts, 5)
	b.fit(5000)
	data, err := bundle.Encode(b)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(data, '\u202e') || bytes.Contains(data, []byte("null")) {
		t.Errorf("%s", data)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(templates.Text(templates.ContextSchema)), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(value); err != nil {
		t.Error(err)
	}
	var back crossBundle
	if err := json.Unmarshal(data, &back); err != nil || back.Files[0].Path != "api/d/\u202egnp.exe" || back.Maps[0].From[0] != "api/d/f0.go" {
		t.Errorf("%v: %+v", err, back)
	}
	if text := b.markdown(); strings.ContainsRune(text, '\u202e') || !strings.Contains(text, "(C.F:7)") {
		t.Errorf("%q", text)
	}
}

func TestSourceNames(t *testing.T) {
	got := sourceNames([]string{"x/api.tar.zst", "y/api", "web/", "api-2", "oci://h:5000/owner/api:main", "oci://h/x@sha256:" + strings.Repeat("0", 64)})
	if want := []string{"api", "api-2", "web", "api-2-2", "api-3", "x"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
