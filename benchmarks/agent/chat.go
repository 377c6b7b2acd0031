package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The parts of the chat-completions protocol that are counted.

type chatRequest struct {
	Model    string            `json:"model"`
	Messages []json.RawMessage `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCalls  []chatCall      `json:"tool_calls"`
	ToolCallID string          `json:"tool_call_id"`
}

type chatCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// text joins the texts of a message's content, which is a string or parts.
func (m *chatMessage) text() string {
	var s string
	if json.Unmarshal(m.Content, &s) == nil {
		return s
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &parts)
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// usage is what the endpoint itself counts.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// chatReply is a reply put together from its chunks.
type chatReply struct {
	Text  string
	Calls []chatCall
	Usage *usage
	// Done says that the reply was ended by the model and not cut off.
	Done bool
}

// parseReply reads a reply, a stream of events or a single object.
func parseReply(body []byte) (*chatReply, error) {
	type choice struct {
		Delta   json.RawMessage `json:"delta"`
		Message json.RawMessage `json:"message"`
		Finish  string          `json:"finish_reason"`
	}
	type chunk struct {
		Choices []choice        `json:"choices"`
		Usage   *usage          `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	out := &chatReply{}
	take := func(data []byte) error {
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return fmt.Errorf("the endpoint's reply: %w", err)
		}
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return fmt.Errorf("the endpoint's reply is an error: %s", c.Error)
		}
		if c.Usage != nil {
			out.Usage = c.Usage
		}
		if len(c.Choices) == 0 {
			return nil
		}
		raw := c.Choices[0].Delta
		if len(raw) == 0 {
			raw = c.Choices[0].Message
		}
		out.Done = out.Done || c.Choices[0].Finish != ""
		if len(raw) == 0 {
			return nil
		}
		var m chatMessage
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("the endpoint's reply: %w", err)
		}
		out.Text += m.text()
		for i, call := range m.ToolCalls {
			if len(c.Choices[0].Delta) == 0 {
				call.Index = i
			}
			out.add(call)
		}
		return nil
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '{' {
		return out, take(trimmed)
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, len(body)+1)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		data = strings.TrimSpace(data)
		if !ok || data == "" || data == "[DONE]" {
			continue
		}
		if err := take([]byte(data)); err != nil {
			return out, err
		}
	}
	return out, lines.Err()
}

// add puts a piece of a call to those before it with the same index.
func (r *chatReply) add(piece chatCall) {
	for i := range r.Calls {
		if c := &r.Calls[i]; c.Index == piece.Index {
			c.Function.Name += piece.Function.Name
			c.Function.Arguments += piece.Function.Arguments
			if c.ID == "" {
				c.ID = piece.ID
			}
			return
		}
	}
	r.Calls = append(r.Calls, piece)
}
