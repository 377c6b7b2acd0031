package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/project-map/project-map/mapgen/tokens"
)

// proxy forwards requests for chat completions to an endpoint and records them.
type proxy struct {
	base, key string
	count     tokens.Tokenizer
	client    http.Client // no time limit: the model may think

	mu       sync.Mutex
	turns    []turn
	pending  map[string]place // of calls whose result has not been seen
	waited   time.Duration
	failed   []string
	messages []json.RawMessage // of the newest request, and its reply
}

// place is where a call stands in the record.
type place struct{ turn, call int }

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	start := time.Now()
	var reply bytes.Buffer
	err = p.forward(w, r, body, &reply)
	took := time.Since(start)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited += took
	if err == nil {
		err = p.record(body, reply.Bytes(), took)
	}
	if err != nil {
		p.failed = append(p.failed, err.Error())
	}
}

// forward passes the request on and the reply back as it comes.
func (p *proxy) forward(w http.ResponseWriter, r *http.Request, body []byte, keep *bytes.Buffer) error {
	url := strings.TrimSuffix(p.base, "/") + "/chat/completions"
	q, err := http.NewRequestWithContext(r.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", r.Header.Get("Accept"))
	if p.key != "" {
		q.Header.Set("Authorization", "Bearer "+p.key)
	}
	got, err := p.client.Do(q)
	if err != nil {
		http.Error(w, "the endpoint cannot be reached", http.StatusBadGateway)
		return fmt.Errorf("ask the endpoint: %w", err)
	}
	defer got.Body.Close()
	w.Header().Set("Content-Type", got.Header.Get("Content-Type"))
	if after := got.Header.Get("Retry-After"); after != "" {
		w.Header().Set("Retry-After", after)
	}
	w.WriteHeader(got.StatusCode)
	flusher, _ := w.(http.Flusher)
	piece := make([]byte, 32<<10)
	for {
		n, err := got.Body.Read(piece)
		keep.Write(piece[:n])
		if _, err := w.Write(piece[:n]); err != nil {
			return fmt.Errorf("pass the reply on: %w", err)
		}
		if flusher != nil {
			flusher.Flush()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("read the endpoint's reply: %w", err)
		}
	}
	if got.StatusCode != http.StatusOK {
		return fmt.Errorf("the endpoint says %s: %s", got.Status, shorten(keep.String(), 300))
	}
	return nil
}

// record counts a turn: a request and its whole reply.
func (p *proxy) record(request, reply []byte, took time.Duration) error {
	var q chatRequest
	if err := json.Unmarshal(request, &q); err != nil {
		return fmt.Errorf("the request of Pi: %w", err)
	}
	answer, err := parseReply(reply)
	if err != nil {
		return err
	}
	if !answer.Done {
		return fmt.Errorf("the endpoint's reply has no end")
	}
	t := turn{ModelMS: took.Milliseconds(), Text: answer.Text}
	for _, tool := range q.Tools {
		t.Input.Tools += p.count.Count(string(tool))
	}
	for _, raw := range q.Messages {
		var m chatMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("the request of Pi: %w", err)
		}
		n := p.count.Count(m.text())
		for _, c := range m.ToolCalls {
			n += p.count.Count(c.Function.Name) + p.count.Count(c.Function.Arguments)
		}
		switch m.Role {
		case "system", "developer":
			t.Input.System += n
		case "tool":
			t.Input.Results += n
			p.result(m.ToolCallID, n, m.text())
		default:
			t.Input.Messages += n
		}
	}
	t.Output = p.count.Count(answer.Text)
	at := len(p.turns)
	for i, c := range answer.Calls {
		t.Output += p.count.Count(c.Function.Name) + p.count.Count(c.Function.Arguments)
		t.Calls = append(t.Calls, call{Name: c.Function.Name, Arguments: c.Function.Arguments})
		if p.pending == nil {
			p.pending = map[string]place{}
		}
		p.pending[c.ID] = place{at, i}
	}
	if u := answer.Usage; u != nil && u.Prompt > 0 {
		t.Reported = &reported{Input: u.Prompt, Cached: u.Details.Cached, Output: u.Completion}
	}
	p.turns = append(p.turns, t)
	said, err := json.Marshal(map[string]any{"role": "assistant", "content": answer.Text, "tool_calls": answer.Calls})
	if err != nil {
		return err
	}
	p.messages = append(append([]json.RawMessage(nil), q.Messages...), said)
	return nil
}

// result notes the size of a call's result when it is seen first.
func (p *proxy) result(id string, size int, text string) {
	at, ok := p.pending[id]
	if !ok {
		return
	}
	delete(p.pending, id)
	c := &p.turns[at.turn].Calls[at.call]
	c.ResultTokens, c.ResultBytes, c.ResultLines = size, len(text), lineCount(text)
}

func lineCount(text string) int {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return 0
	}
	return strings.Count(text, "\n") + 1
}

func shorten(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
