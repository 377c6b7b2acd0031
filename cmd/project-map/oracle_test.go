package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/bundle/oracle"
	"github.com/project-map/project-map/templates"
)

// The requests in the README are answered about this very repository, each with
// high confidence and the file that it is about.
func TestExamplesOfTheReadme(t *testing.T) {
	root := ownRepository(t)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "Asked of this repository:\n\n```json\n")
	block, _, _ = strings.Cut(block, "```")
	out := filepath.Join(t.TempDir(), "maps")
	if code, _, stderr := invoke("", "project-map", "--repo", root, "-q", "index", "--worktree", "--out", out); code != exitOK {
		t.Fatal(stderr)
	}
	actions := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		code, stdout, stderr := invoke(line, "project-map", "oracle", "--artifacts", out)
		if code != exitOK {
			t.Fatalf("%s: %s", line, stderr)
		}
		var r oracle.Request
		var a oracle.Answer
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(stdout), &a); err != nil {
			t.Fatal(err)
		}
		actions[string(r.Action)] = true
		want := map[oracle.Action]string{oracle.Ask: "mapgen/store/references_build.go", oracle.Symbol: r.File, oracle.File: r.File, oracle.EditImpact: r.File}[r.Action]
		if want != "" && !slices.ContainsFunc(a.Evidence, func(e oracle.Evidence) bool { return e.File == want }) {
			t.Errorf("%s does not cite %s: %s", line, want, stdout)
		}
		if a.Confidence != oracle.High || a.Answer == "" || a.TokenEstimate > oracle.DefaultMaxOutputTokens || !a.DeterministicMode {
			t.Errorf("%s: %s", line, stdout)
		}
	}
	if len(actions) != len(oracle.Actions()) {
		t.Errorf("the README shows %v", actions)
	}
}

// invoke runs the program in this process.
func invoke(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// The published schema has the fields that answers have, and no other.
func TestSchemaOfAnswers(t *testing.T) {
	a := oracle.Answer{
		Answer: "a", Confidence: oracle.High, DeterministicMode: true, ModelConfigured: "m", TokenEstimate: 1, Omitted: 1, SuggestedNextReads: []string{"a:1"},
		Evidence:  []oracle.Evidence{{Type: oracle.FromFile, File: "a", Range: &oracle.Range{StartLine: 1, EndLine: 2}, Symbol: "s", Detail: "d"}},
		Freshness: &oracle.Freshness{State: "stale", Revision: "r", Stale: []bundle.StaleFile{{Path: "a", State: bundle.Modified}}},
		Coverage:  &oracle.Coverage{State: oracle.Found, Searched: 1, Analysed: 1, Missing: []oracle.Missing{{File: "a", Reason: "r"}}, Bounded: true},
	}
	data, err := json.Marshal(&a)
	if err != nil {
		t.Fatal(err)
	}
	var value, schema any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(templates.Text(templates.OracleSchema)), &schema); err != nil {
		t.Fatal(err)
	}
	compareSchema(t, "", value, schema.(map[string]any))
}

// compareSchema holds a value with every field set against a schema.
func compareSchema(t *testing.T, at string, value any, schema map[string]any) {
	t.Helper()
	switch v := value.(type) {
	case map[string]any:
		properties, ok := schema["properties"].(map[string]any)
		if !ok {
			t.Errorf("%s is an object, and not in the schema", at)
			return
		}
		for name, x := range v {
			p, ok := properties[name].(map[string]any)
			if !ok {
				t.Errorf("%s.%s is not in the schema", at, name)
				continue
			}
			compareSchema(t, at+"."+name, x, p)
		}
		for name := range properties {
			if _, ok := v[name]; !ok {
				t.Errorf("%s.%s is in the schema alone", at, name)
			}
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok || len(v) == 0 {
			t.Errorf("%s is a list, and not in the schema", at)
			return
		}
		compareSchema(t, at+"[]", v[0], items)
	case string:
		if list, ok := schema["enum"].([]any); ok {
			if !slices.Contains(list, any(v)) {
				t.Errorf("%s: %q is not among %v", at, v, list)
			}
		} else if schema["type"] != "string" {
			t.Errorf("%s is a string", at)
		}
	case float64:
		if schema["type"] != "integer" {
			t.Errorf("%s is a number", at)
		}
	case bool:
		if schema["type"] != "boolean" {
			t.Errorf("%s is a boolean", at)
		}
	}
}
