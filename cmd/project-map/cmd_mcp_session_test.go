package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/project-map/project-map/bundle/oracle"
	"github.com/project-map/project-map/mapgen/store"
)

// Calls that come together are answered together.
func TestMCPParallel(t *testing.T) {
	r := newRepository(t, 5, 2)
	r.must(0, "index")
	s := r.serveMCP()
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			name := fmt.Sprintf("Handle%d_%d", i%2, i)
			result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "project_map_context", Arguments: map[string]any{"query": name}})
			if err != nil || result.IsError || !strings.Contains(resultText(t, result), name) {
				t.Errorf("%s: %+v, %v", name, result, err)
			}
		})
	}
	wg.Wait()
	if strings.Contains(s.stderr.String(), "waiting for it") {
		t.Errorf("calls of one server waited for each other's locks: %s", s.stderr)
	}
}

// A cancelled call stops waiting.
func TestMCPCancel(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.must(0, "index")
	s := r.serveMCP()
	unlock, err := store.Lock(t.Context(), filepath.Join(r.dir, store.DirName), func() {})
	if err != nil {
		t.Fatal(err)
	}
	waiting := func(n int) func() bool {
		return func() bool { return strings.Count(s.stderr.String(), "waiting for it") >= n }
	}
	arguments := map[string]any{"action": "symbol", "symbol": "Handle0_0"}
	for i := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			_, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "context_oracle", Arguments: arguments})
			failed <- err
		}()
		// The second call gets as far only if the first has let go.
		waitFor(t, "the lock to be met", waiting(i+1))
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	unlock()
	var a oracle.Answer
	if s.answer("context_oracle", `{"action": "symbol", "symbol": "Handle0_0"}`, &a); a.Confidence != oracle.High {
		t.Errorf("after cancelling: %+v", a)
	}
}

// A client that asks for it hears that a call goes on; others hear nothing.
func TestMCPProgress(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.must(0, "index")
	unlock, err := store.Lock(t.Context(), filepath.Join(r.dir, store.DirName), func() {})
	if err != nil {
		t.Fatal(err)
	}
	cmd, _ := r.program("mcp")
	told := make(chan *mcp.ProgressNotificationParams, 100)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, n *mcp.ProgressNotificationClientRequest) { told <- n.Params },
	})
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: 20 * time.Second}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ended := make(chan error, 2)
	ask := func(token any) {
		p := &mcp.CallToolParams{Name: "project_map_context", Arguments: json.RawMessage(`{"query": "Handle0_0"}`)}
		if token != nil {
			p.SetProgressToken(token)
		}
		_, err := s.CallTool(t.Context(), p)
		ended <- err
	}
	go ask("mine")
	go ask(nil)
	for want := 1; want <= 2; want++ {
		select {
		case p := <-told:
			if p.ProgressToken != "mine" || p.Progress != float64(want)*progressEvery.Seconds() || p.Message == "" {
				t.Errorf("the client is told %+v", p)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("the client is told nothing")
		}
	}
	unlock()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// A client that leaves, or sends a signal, ends the server and what it waits for.
func TestMCPEnds(t *testing.T) {
	r := newRepository(t, 1, 1)
	r.must(0, "index")
	unlock, err := store.Lock(t.Context(), filepath.Join(r.dir, store.DirName), func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	for _, signal := range []bool{false, true} {
		cmd, stderr := r.program("mcp")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for _, line := range append(slices.Clone(mcpHello), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"project_map_context","arguments":{"query":"x"}}}`) {
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				t.Fatal(err)
			}
		}
		waitFor(t, "the lock to be met", func() bool { return strings.Contains(stderr.String(), "waiting for it") })
		if signal {
			err = cmd.Process.Signal(syscall.SIGTERM)
		} else {
			err = in.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("signal %v: %v\n%s", signal, err, stderr)
			}
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			t.Errorf("signal %v: the server goes on\n%s", signal, stderr)
		}
	}
}

// mcpHello opens a session.
var mcpHello = []string{
	`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
	`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
}

// Standard output holds the protocol's lines and nothing else, in one process
// with whatever else prints.
func TestMCPOutput(t *testing.T) {
	r := newRepository(t, 1, 1)
	in, out := io.Pipe()
	var stdout, stderr lockedBuffer
	ended := make(chan int)
	go func() { ended <- run([]string{"project-map", "--repo", r.dir, "mcp"}, in, &stdout, &stderr) }()
	for _, line := range append(slices.Clone(mcpHello),
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"project_map_context","arguments":{"query":"Handle0_0"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"project_map_context"}}`,
		`{"jsonrpc":"2.0","id":4,"method":"no/such"}`,
	) {
		if _, err := io.WriteString(out, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "four answers", func() bool { return strings.Count(stdout.String(), "\n") == 4 })
	_ = out.Close()
	if code := <-ended; code != exitOK {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
	for line := range bytes.Lines([]byte(stdout.String())) {
		var m struct {
			Version string `json:"jsonrpc"`
			ID      int
		}
		if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || m.ID == 0 {
			t.Errorf("%v: %s", err, line)
		}
	}
}
