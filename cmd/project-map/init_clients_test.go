package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// clientText reads a client's configuration, "" if there is none.
func clientText(t testing.TB, root, kind string) (string, bool) {
	t.Helper()
	c, err := clientOf(kind)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.path)))
	if errors.Is(err, os.ErrNotExist) {
		return "", false
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data), true
}

func putClientText(t testing.TB, root, kind, text string) {
	t.Helper()
	c, err := clientOf(kind)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(root, filepath.FromSlash(c.path))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A new file holds the server as the client expects it, and goes again with its
// directory.
func TestClientFromNothing(t *testing.T) {
	for _, kind := range clientKinds() {
		root := t.TempDir()
		change, err := writeClient(kind, root)
		if err != nil || change.Outcome != clientWritten || change.Note == "" {
			t.Fatalf("%s: %+v, %v", kind, change, err)
		}
		text, _ := clientText(t, root, kind)
		var value struct {
			Servers    map[string]map[string]any `json:"servers"`
			MCPServers map[string]map[string]any `json:"mcpServers"`
			Tables     map[string]map[string]any `toml:"mcp_servers"`
		}
		if kind == "codex" {
			err = toml.Unmarshal([]byte(text), &value)
		} else {
			err = json.Unmarshal([]byte(text), &value)
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, text)
		}
		servers := map[string]map[string]map[string]any{"vscode": value.Servers, "codex": value.Tables}[kind]
		if servers == nil {
			servers = value.MCPServers
		}
		s := servers["project-map"]
		args, _ := s["args"].([]any)
		if s["command"] != "project-map" || len(args) == 0 || args[len(args)-1] != "--text-only" {
			t.Errorf("%s: %s", kind, text)
		}
		if change, err := writeClient(kind, root); err != nil || change.Outcome != clientUnchanged {
			t.Errorf("%s again: %+v, %v", kind, change, err)
		}
		if change, err := removeClient(kind, root); err != nil || change.Outcome != clientRemoved {
			t.Errorf("%s removed: %+v, %v", kind, change, err)
		}
		if left, _ := os.ReadDir(root); len(left) != 0 {
			t.Errorf("%s: %v is left", kind, left)
		}
		if change, err := removeClient(kind, root); err != nil || change.Outcome != clientUnchanged {
			t.Errorf("%s removed twice: %+v, %v", kind, change, err)
		}
	}
}

// Files with other things in them get the server and lose it again to the byte.
func TestClientMerges(t *testing.T) {
	for _, c := range []struct{ name, kind, before, want string }{
		{"empty object", "claude", "{}", `{ "mcpServers": {"project-map": {"type": "stdio", "command": "project-map", "args": ["mcp", "--text-only"]}} }`},
		{"spaced empty object", "gemini", "{ }\n", `{ "mcpServers": {"project-map": {"command": "project-map", "args": ["mcp", "--text-only"]}}  }` + "\n"},
		{"empty section", "gemini", "{\n  \"mcpServers\": {}\n}\n", "{\n  \"mcpServers\": { \"project-map\": {\"command\": \"project-map\", \"args\": [\"mcp\", \"--text-only\"]} }\n}\n"},
		{"other settings", "gemini", "{\n    \"theme\": \"x\"\n}\n",
			"{\n    \"theme\": \"x\",\n    \"mcpServers\": {\n        \"project-map\": {\n            \"command\": \"project-map\",\n            \"args\": [\"mcp\", \"--text-only\"]\n        }\n    }\n}\n"},
		{"other servers", "gemini", "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"}\n\t},\n\t\"z\": 1.50\n}",
			"{\n\t\"mcpServers\": {\n\t\t\"a\": {\"command\": \"a\"},\n\t\t\"project-map\": {\n\t\t\t\"command\": \"project-map\",\n\t\t\t\"args\": [\"mcp\", \"--text-only\"]\n\t\t}\n\t},\n\t\"z\": 1.50\n}"},
		{"comments", "gemini", "// mine\n{\n  /* } */ \"mcpServers\": {\n    \"a\": {} // the \"first\"\n    // no more\n  }\n}\n",
			"// mine\n{\n  /* } */ \"mcpServers\": {\n    \"a\": {}, // the \"first\"\n    // no more\n    \"project-map\": {\n      \"command\": \"project-map\",\n      \"args\": [\"mcp\", \"--text-only\"]\n    }\n  }\n}\n"},
		{"trailing commas", "gemini", "{\n  \"mcpServers\": {\n    \"a\": [1,2,], // x\n  },\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": [1,2,], // x\n    \"project-map\": {\n      \"command\": \"project-map\",\n      \"args\": [\"mcp\", \"--text-only\"]\n    },\n  },\n}\n"},
		{"one line", "gemini", `{"a":1,"mcpServers":{"b":{"command":"b"}}}`,
			`{"a":1,"mcpServers":{"b":{"command":"b"}, "project-map": {"command": "project-map", "args": ["mcp", "--text-only"]}}}`},
		{"line ends", "gemini", "{\r\n  \"a\": true\r\n}\r\n",
			"{\r\n  \"a\": true,\r\n  \"mcpServers\": {\r\n    \"project-map\": {\r\n      \"command\": \"project-map\",\r\n      \"args\": [\"mcp\", \"--text-only\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"byte order mark", "gemini", "\xef\xbb\xbf{\n}\n", "\xef\xbb\xbf{\n  \"mcpServers\": {\n    \"project-map\": {\n      \"command\": \"project-map\",\n      \"args\": [\"mcp\", \"--text-only\"]\n    }\n  }\n}\n"},
		{"escaped names", "vscode", "{\"ser\\u0076ers\": {\"\\\"}\": \"{\\\\\"}, \"n\": -1e3}", ""},
		{"toml", "codex", "model = \"x\"\n\n[mcp_servers.a]\ncommand = \"a\"\n",
			"model = \"x\"\n\n[mcp_servers.a]\ncommand = \"a\"\n\n[mcp_servers.project-map]\ncommand = \"project-map\"\nargs = [\"mcp\", \"--text-only\"]\n"},
		{"toml without a last line end", "codex", "model = \"x\" # c", "model = \"x\" # c\n\n[mcp_servers.project-map]\ncommand = \"project-map\"\nargs = [\"mcp\", \"--text-only\"]"},
		{"toml with empty lines", "codex", "\n\nmodel = \"x\"\r\n\r\n", ""},
		{"toml with an array of tables", "codex", "[[a]]\nb = 1\n[[a]]\nb = 2\n", ""},
	} {
		root := t.TempDir()
		putClientText(t, root, c.kind, c.before)
		change, err := writeClient(c.kind, root)
		got, _ := clientText(t, root, c.kind)
		if err != nil || change.Outcome != clientMerged || c.want != "" && got != c.want {
			t.Errorf("%s: %+v, %v\n%q\nwant\n%q", c.name, change, err, got, c.want)
			continue
		}
		if change, err := writeClient(c.kind, root); err != nil || change.Outcome != clientUnchanged {
			t.Errorf("%s again: %+v, %v", c.name, change, err)
		}
		change, err = removeClient(c.kind, root)
		if got, there := clientText(t, root, c.kind); err != nil || change.Outcome != clientRemoved || !there || got != c.before {
			t.Errorf("%s removed: %+v, %v\n%q\nwant\n%q", c.name, change, err, got, c.before)
		}
	}
}

// What others added around the server since stays when it goes.
func TestClientRemovedFromBetween(t *testing.T) {
	for _, c := range []struct{ kind, before, want string }{
		{"gemini", "{\n  \"mcpServers\": {\n    \"project-map\": {\"command\": \"project-map\", \"args\": [\"mcp\", \"--text-only\"]},\n    \"b\": {}\n  }\n}\n", "{\n  \"mcpServers\": {\n    \"b\": {}\n  }\n}\n"},
		{"gemini", "{\"mcpServers\": {\"a\": {}, \"project-map\": {\"args\": [\"mcp\", \"--text-only\"], \"command\": \"project-map\"}, \"b\": {}}}", "{\"mcpServers\": {\"a\": {}, \"b\": {}}}"},
		{"codex", "[mcp_servers.project-map]\ncommand = \"project-map\"\nargs = [\"mcp\", \"--text-only\"]\n\n[a]\nb = 1\n", "\n[a]\nb = 1\n"},
		{"codex", "x = 1\n[mcp_servers.project-map]\ncommand = \"project-map\"\nargs = [\"mcp\", \"--text-only\"]\n[a]\nb = 1", "x = 1\n[a]\nb = 1"},
	} {
		root := t.TempDir()
		putClientText(t, root, c.kind, c.before)
		change, err := removeClient(c.kind, root)
		if got, _ := clientText(t, root, c.kind); err != nil || change.Outcome != clientRemoved || got != c.want {
			t.Errorf("%q: %+v, %v\n%q\nwant\n%q", c.before, change, err, got, c.want)
		}
	}
}

// An entry of somebody's own, and a file that cannot be edited, stay.
func TestClientLeavesAlone(t *testing.T) {
	for _, c := range []struct {
		kind, text string
		kept       bool // else refused
	}{
		{"claude", `{"mcpServers": {"project-map": {"command": "/opt/project-map", "args": ["mcp", "--stale", "warn"]}}}`, true},
		{"claude", `{"mcpServers": {"project-map": null}}`, true},
		{"codex", "[mcp_servers.project-map]\ncommand = \"project-map\"\nargs = [\"mcp\", \"--text-only\"]\nenabled = false\n", true},
		{"claude", `{"mcpServers": []}`, false},
		{"claude", `[1]`, false},
		{"claude", `null`, false},
		{"claude", `{"a": 1`, false},
		{"claude", `{,}`, false},
		{"claude", `{"a": 1,, "project-map": 2}`, false},
		{"claude", `{"mcpServers": {,}}`, false},
		{"claude", `{} {}`, false},
		{"claude", `{"a": "x`, false},
		{"claude", `{} /* `, false},
		{"claude", `{"mcpServers": {}, "mcpServers": {}}`, false},
		{"codex", "mcp_servers = {}\n", false},
		{"codex", "mcp_servers = 1\n", false},
		{"codex", "a = \n", false},
	} {
		root := t.TempDir()
		putClientText(t, root, c.kind, c.text)
		change, err := writeClient(c.kind, root)
		switch {
		case c.kept && (err != nil || change.Outcome != clientKept || change.Note == ""):
			t.Errorf("%q: %+v, %v", c.text, change, err)
		case !c.kept && !errors.Is(err, errClientConfig):
			t.Errorf("%q: %+v, %v", c.text, change, err)
		case !c.kept && !strings.Contains(hintOf(err), "mcp"):
			t.Errorf("%q: no hint with what to add: %q", c.text, hintOf(err))
		}
		if change, err := removeClient(c.kind, root); c.kept && (err != nil || change.Outcome != clientKept) {
			t.Errorf("%q removed: %+v, %v", c.text, change, err)
		}
		if got, _ := clientText(t, root, c.kind); got != c.text {
			t.Errorf("%q became %q", c.text, got)
		}
	}
	if _, err := writeClient("claud", t.TempDir()); err == nil || !strings.Contains(err.Error(), "did you mean claude?") {
		t.Errorf("unknown client: %v", err)
	}
}

func TestClientNotThroughLinks(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, ".cursor")); err != nil {
		t.Skip(err)
	}
	if _, err := writeClient("cursor", root); err == nil {
		t.Error("wrote through a link")
	}
	if left, _ := os.ReadDir(outside); len(left) != 0 {
		t.Errorf("%v is outside", left)
	}
}

// FuzzClientJSON edits any text: it is refused, or reads as before with the
// server in it, and is the same to the byte when the server is gone.
func FuzzClientJSON(f *testing.F) {
	for _, s := range []string{"{}", "{ }", "{\n}", "{\"a\":[1,{},],}", "// x\n{\"mcpServers\":{/* y */}}", "{\"mcpServers\":{\n\"a\":1,//\n}}", "{,}", "{\"a\":\"\\\"\"}\r\n", "{\"mcpServers\": {\n  }}"} {
		f.Add(s)
	}
	c := mcpClients[0]
	f.Fuzz(func(t *testing.T, text string) {
		out, outcome, err := c.addJSON([]byte(text))
		if err != nil || outcome != clientMerged {
			return
		}
		d, err := readDocument(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		if servers, _ := d.value[c.section].(map[string]any); !reflect.DeepEqual(servers[serverName], any(c.value())) {
			t.Fatalf("%q became %q", text, out)
		}
		back, outcome, err := c.dropJSON(out)
		if err != nil || outcome != clientRemoved {
			t.Fatalf("%q became %q, which is not undone: %v, %v", text, out, outcome, err)
		}
		again, _, err := c.addJSON(back)
		if err != nil || string(again) != string(out) && string(back) != text {
			t.Fatalf("%q became %q, undone %q, redone %q: %v", text, out, back, again, err)
		}
	})
}
