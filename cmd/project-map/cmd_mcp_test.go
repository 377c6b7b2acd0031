package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/project-map/project-map/bundle/oracle"
)

// mcpSession is a client of "project-map mcp" in a process of its own. A line on
// the server's standard output that is not the protocol's ends it.
type mcpSession struct {
	*mcp.ClientSession
	t      *testing.T
	stderr *lockedBuffer
}

// serveMCP starts the server in the repository's directory.
func (r *repository) serveMCP(args ...string) *mcpSession {
	r.t.Helper()
	cmd, stderr := r.program(append([]string{"mcp"}, args...)...)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(r.t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: 20 * time.Second}, nil)
	if err != nil {
		r.t.Fatalf("%v\n%s", err, stderr)
	}
	r.t.Cleanup(func() { _ = s.Close() })
	return &mcpSession{s, r.t, stderr}
}

func (s *mcpSession) call(name, arguments string) *mcp.CallToolResult {
	s.t.Helper()
	result, err := s.CallTool(s.t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(arguments)})
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", name, arguments, err, s.stderr)
	}
	return result
}

// answer calls a tool, which must not fail, and gives its text and its value.
func (s *mcpSession) answer(name, arguments string, value any) (text string) {
	s.t.Helper()
	result := s.call(name, arguments)
	text = resultText(s.t, result)
	if result.IsError {
		s.t.Fatalf("%s %s: %s", name, arguments, text)
	}
	data, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		s.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return text
}

func resultText(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("%d contents", len(r.Content))
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("the content is a %T", r.Content[0])
	}
	return text.Text
}

// schemaOf compiles a schema as a client gets it.
func schemaOf(t *testing.T, schema any) *jsonschema.Resolved {
	t.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	if s.ID != "" || s.Schema != "" || s.Type != "object" {
		t.Errorf("a schema has id %q, dialect %q, type %q", s.ID, s.Schema, s.Type)
	}
	resolved, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestMCPTextOnly finds the same text, and nothing that a client could show in
// its place.
func TestMCPTextOnly(t *testing.T) {
	r := newRepository(t, 2, 2)
	r.must(0, "index")
	whole, texts := r.serveMCP(), r.serveMCP("--text-only")
	list, err := texts.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 2 {
		t.Errorf("%d tools", len(list.Tools))
	}
	for _, tool := range list.Tools {
		if tool.OutputSchema != nil || tool.InputSchema == nil {
			t.Errorf("%s has the schemas %v and %v", tool.Name, tool.InputSchema, tool.OutputSchema)
		}
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"project_map_context", `{"query": "Handle1_1"}`, "# Context bundle: Handle1_1"},
		{"context_oracle", `{"action": "symbol", "symbol": "Handle1_1"}`, `"confidence"`},
	} {
		a, b := whole.call(c.tool, c.arguments), texts.call(c.tool, c.arguments)
		if b.IsError || b.StructuredContent != nil || a.StructuredContent == nil {
			t.Errorf("%s: %+v", c.tool, b)
		}
		// The oracle's second answer says that there was a first.
		if text := resultText(t, b); !strings.Contains(text, c.want) || c.tool == "project_map_context" && text != resultText(t, a) {
			t.Errorf("%s says %s", c.tool, text)
		}
	}
}

func TestMCPTools(t *testing.T) {
	r := newRepository(t, 3, 2)
	r.must(0, "index")
	s := r.serveMCP()
	hello := s.InitializeResult()
	if hello.ServerInfo.Name != "project-map" || hello.ServerInfo.Version != version || !strings.Contains(hello.Instructions, "project_map_context") || hello.Capabilities.Completions == nil {
		t.Errorf("the server says %+v", hello)
	}
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	inputs, outputs := map[string]*jsonschema.Resolved{}, map[string]*jsonschema.Resolved{}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint || !a.IdempotentHint || a.OpenWorldHint == nil || *a.OpenWorldHint || a.Title == "" {
			t.Errorf("%s has the hints %+v", tool.Name, a)
		}
		if tool.Meta["anthropic/alwaysLoad"] != true {
			t.Errorf("%s may be hidden: %v", tool.Name, tool.Meta)
		}
		if tool.Description == "" || tool.Title == "" {
			t.Errorf("%s is not described", tool.Name)
		}
		inputs[tool.Name], outputs[tool.Name] = schemaOf(t, tool.InputSchema), schemaOf(t, tool.OutputSchema)
	}
	if len(inputs) != 2 || inputs["project_map_context"] == nil || inputs["context_oracle"] == nil {
		t.Fatalf("the tools are %v", inputs)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"project_map_context", `{"query": "Handle1_3 of package pkg001"}`, "group01/pkg001/file1.go"},
		{"project_map_context", `{"query": "Handle1_3", "limit": 1, "budget": 400}`, "file1.go"},
		{"project_map_context", `{"query": "-"}`, "## instructions"},
		{"context_oracle", `{"action": "ask", "query": "where is Handle1_3 defined?"}`, "group01/pkg001/file1.go"},
		{"context_oracle", `{"action": "symbol", "symbol": "Handle1_3", "file": "group01/pkg001/file1.go", "line": 14}`, "Handle1_3"},
		{"context_oracle", `{"action": "file", "file": "group02/pkg002/file0.go"}`, "Handle0_13"},
		{"context_oracle", `{"action": "diagnostics", "scope": "group01/**"}`, "nothing was found"},
		{"context_oracle", `{"action": "editImpact", "change": [{"file": "group01/pkg001/file1.go", "startLine": 1, "endLine": 9}]}`, "group01/pkg001/file1.go"},
	} {
		var in, out any
		if err := json.Unmarshal([]byte(c.arguments), &in); err != nil {
			t.Fatal(err)
		}
		if err := inputs[c.tool].Validate(in); err != nil {
			t.Errorf("%s is not by the schema of %s: %v", c.arguments, c.tool, err)
		}
		text := s.answer(c.tool, c.arguments, &out)
		if err := outputs[c.tool].Validate(out); err != nil {
			t.Errorf("%s %s: the answer is not by the schema: %v", c.tool, c.arguments, err)
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s %s: no %q in\n%s", c.tool, c.arguments, c.want, text)
		}
		if c.tool == "context_oracle" {
			var same any
			if err := json.Unmarshal([]byte(text), &same); err != nil || fmt.Sprint(same) != fmt.Sprint(out) {
				t.Errorf("%s: the text is not the answer: %v\n%s", c.arguments, err, text)
			}
		}
	}
	var b struct {
		Files  []struct{ Path string }
		Limits struct{ Limit, Budget int }
	}
	s.answer("project_map_context", `{"query": "Handle1_3", "limit": 2, "budget": 700}`, &b)
	if len(b.Files) != 2 || b.Limits.Limit != 2 || b.Limits.Budget != 700 {
		t.Errorf("limit and budget gave %+v", b)
	}
}

// Each mistake is a tool's error that says what to do, and the server goes on.
func TestMCPBadInput(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.must(0, "index")
	s := r.serveMCP()
	for _, c := range []struct{ tool, arguments, want string }{
		{"project_map_context", `{}`, "say what the task is"},
		{"project_map_context", `{"query": " \n"}`, "say what the task is"},
		{"project_map_context", `{"query": 3}`, "the arguments are wrong"},
		{"project_map_context", `{"query": "x", "limit": 0}`, "give a number from 1 to 100"},
		{"project_map_context", `{"query": "x", "budget": 1000000}`, "give a number from 1 to 20000"},
		{"project_map_context", `{"query": "x", "limit": "3"}`, "as numbers"},
		{"project_map_context", `{"query": "x", "path": "/etc"}`, `unknown field "path"`},
		{"project_map_context", `[]`, "the arguments are wrong"},
		{"project_map_context", `{"query": "` + strings.Repeat("x", maxContextQuery+1) + `"}`, "that say most"},
		{"context_oracle", `{}`, "action"},
		{"context_oracle", `{"action": "delete"}`, "editImpact"},
		{"context_oracle", `{"action": "symbol"}`, "symbol"},
		{"context_oracle", `{"action": "file", "file": "x", "line": -1}`, "line"},
		{"context_oracle", `{"action": "ask", "query": "x", "shell": "id"}`, `unknown field "shell"`},
		{"context_oracle", `{"action": "editImpact", "change": [{"file": 1}]}`, "no JSON of a request"},
	} {
		result := s.call(c.tool, c.arguments)
		if text := resultText(t, result); !result.IsError || !strings.Contains(text, c.want) || result.StructuredContent != nil {
			t.Errorf("%s %.80s: error %v, no %q in %q", c.tool, c.arguments, result.IsError, c.want, text)
		}
	}
	var wire *jsonrpc.Error
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "shell"}); !errors.As(err, &wire) {
		t.Errorf("an unknown tool: %v", err)
	}
	var a oracle.Answer
	if s.answer("context_oracle", `{"action": "symbol", "symbol": "Handle0_0"}`, &a); a.Confidence != oracle.High {
		t.Errorf("after mistakes: %+v", a)
	}
}

// A call answers from the work tree as it is, unless told otherwise.
func TestMCPRefreshes(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.must(0, "index")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, old := r.serveMCP(), r.serveMCP("--stale", "ignore")
	write("added.go", "package main\n\nfunc JustAdded() {}\n")
	for _, c := range []struct {
		s    *mcpSession
		want string
	}{{old, ""}, {s, "found"}} {
		var a oracle.Answer
		c.s.answer("context_oracle", `{"action": "symbol", "symbol": "JustAdded"}`, &a)
		if found := a.Coverage != nil && string(a.Coverage.State) == "found"; found != (c.want != "") {
			t.Errorf("want %q: %+v", c.want, a)
		}
	}
	if text := s.answer("project_map_context", `{"query": "JustAdded"}`, &struct{}{}); !strings.Contains(text, "added.go:3") {
		t.Errorf("no added.go in\n%s", text)
	}
}

func TestMCPResources(t *testing.T) {
	r := newRepository(t, 2, 1)
	odd := filepath.Join(r.dir, "odd #1 ü%")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(odd, "a.py"), []byte("def odd_one():\n    pass\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "group00", ".pi-map.md"), []byte("secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.must(0, "index", "--worktree", "--force")
	s := r.serveMCP()
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, x := range templates.ResourceTemplates {
		patterns = append(patterns, x.URITemplate)
	}
	if slices.Sort(patterns); !slices.Equal(patterns, []string{"project-map://index/{+dir}", "project-map://map/{+dir}"}) {
		t.Errorf("the templates are %v", patterns)
	}
	listed := map[string]bool{}
	for x, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: x.URI})
		if err != nil {
			t.Errorf("%s: %v", x.URI, err)
			continue
		}
		c := got.Contents[0]
		if c.URI != x.URI || c.MIMEType != "text/markdown" || !strings.HasPrefix(c.Text, "<!-- project-map ") || c.Meta["project-map/state"] != "canonical" {
			t.Errorf("%s: %+v", x.URI, c)
		}
		listed[x.URI] = true
	}
	for _, uri := range []string{"project-map://index/", "project-map://map/", "project-map://index/group00/pkg000", "project-map://map/odd%20%231%20%C3%BC%25"} {
		if !listed[uri] {
			t.Errorf("%s is not listed: %v", uri, listed)
		}
	}
	if got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "project-map://map/odd%20%231%20%C3%BC%25/"}); err != nil || !strings.Contains(got.Contents[0].Text, "odd_one") {
		t.Errorf("an odd name: %v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "group01", ".pi-map.md"), []byte("not ours\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]string{
		"project-map://index/nowhere":             "project-map index",
		"project-map://index/../..":               "no path of a directory",
		"project-map://map/%2e%2e/%2e%2e/etc":     "no path of a directory",
		"project-map://map//etc":                  "no path of a directory",
		"project-map://map/group00%00":            "",
		"project-map://map/%zz":                   "",
		"project-map://map/link":                  "",
		"project-map://map/group01":               "was not written by project-map",
		"project-map://source/group00/file0.go":   "",
		"file:///etc/passwd":                      "",
		"project-map://index/group00/.pi-map.md/": "",
	} {
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", uri, got, err)
		}
	}
	if _, err := s.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: "!"}); err == nil {
		t.Error("a wrong cursor was accepted")
	}
	done, err := s.Complete(t.Context(), &mcp.CompleteParams{
		Ref: &mcp.CompleteReference{Type: "ref/resource", URI: "project-map://index/{+dir}"}, Argument: mcp.CompleteParamsArgument{Name: "dir", Value: "group01"},
	})
	if err != nil || !slices.Equal(done.Completion.Values, []string{"group01", "group01/pkg001"}) || done.Completion.HasMore {
		t.Errorf("completion: %+v, %v", done, err)
	}
}

// A list of many directories comes in pages, each directory once.
func TestMCPManyResources(t *testing.T) {
	r := newRepository(t, resourcePage+30, 1)
	r.must(0, "index")
	s := r.serveMCP()
	first, err := s.ListResources(t.Context(), nil)
	if err != nil || len(first.Resources) != 2*resourcePage || first.NextCursor == "" {
		t.Fatalf("the first page has %d resources, cursor %q: %v", len(first.Resources), first.NextCursor, err)
	}
	seen := map[string]int{}
	for x, err := range s.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		seen[x.URI]++
	}
	// The packages, the groups, and the root.
	if want := 2 * (resourcePage + 30 + 20 + 1); len(seen) != want {
		t.Errorf("%d resources, want %d", len(seen), want)
	}
	for uri, n := range seen {
		if n != 1 {
			t.Errorf("%s is listed %d times", uri, n)
		}
	}
}

func TestMCPSwitchedOff(t *testing.T) {
	r := newRepository(t, 1, 1)
	config := filepath.Join(r.dir, ".project-map.yaml")
	if err := os.WriteFile(config, []byte("contextLayer:\n  enabled: false\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.must(0, "index", "--worktree")
	s := r.serveMCP()
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "project_map_context" {
		t.Errorf("the tools are %+v, %v", list, err)
	}
	// Switched off while the server runs, it says so.
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	on := r.serveMCP()
	if err := os.WriteFile(config, []byte("contextLayer:\n  enabled: false\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if result := on.call("context_oracle", `{"action": "ask", "query": "x"}`); !result.IsError || !strings.Contains(resultText(t, result), "set contextLayer.enabled to true") {
		t.Errorf("switched off later: %+v", result)
	}
}

// Where there is nothing to answer from, the server runs and calls say what to do.
func TestMCPWithoutRepository(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.dir = t.TempDir()
	s := r.serveMCP()
	for x, err := range s.Resources(t.Context(), nil) {
		t.Errorf("a resource: %v, %v", x, err)
	}
	if result := s.call("project_map_context", `{"query": "x"}`); !result.IsError || !strings.Contains(resultText(t, result), "project_map_context: ") {
		t.Errorf("%+v", result)
	}
	if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "project-map://index/"}); err == nil {
		t.Error("an index of nothing")
	}
}
