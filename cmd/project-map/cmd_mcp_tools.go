package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/templates"
)

// Limits of a call. They keep an answer within what clients accept of one tool.
const (
	maxContextLimit  = 100
	maxContextBudget = 20_000
	maxContextQuery  = 1 << 20 // bytes
)

// toolMeta asks clients that show a model only the names of tools, until it looks
// for them, to show these two whole: one that is found by search alone is found
// after searching by hand.
func toolMeta() mcp.Meta { return mcp.Meta{"anthropic/alwaysLoad": true} }

func contextTool() *mcp.Tool {
	return &mcp.Tool{
		Meta: toolMeta(),
		Name: "project_map_context", Title: "What to read for a task",
		Description: `Ranks the repository's directories, files and symbols for a task and returns a compact bundle: indexes and maps to read, likely files with lines, relevant symbols, and what to do next. Use it before searching by hand. It says when the files that it names changed since they were mapped.`,
		Annotations: readOnly("What to read for a task"),
		InputSchema: json.RawMessage(fmt.Sprintf(`{
  "type": "object",
  "additionalProperties": false,
  "required": ["query"],
  "properties": {
    "query": {"type": "string", "minLength": 1, "description": "The task in plain words, an issue's text, a stack trace, a symbol or a path. Exact names help most."},
    "limit": {"type": "integer", "minimum": 1, "maximum": %d, "default": %d, "description": "Likely files shown at most."},
    "budget": {"type": "integer", "minimum": 1, "maximum": %d, "default": %d, "description": "Tokens that the text of the answer may have."}
  }
}`, maxContextLimit, bundle.DefaultLimit, maxContextBudget, bundle.DefaultBudget)),
		OutputSchema: outputSchema(templates.ContextSchema),
	}
}

func oracleTool() *mcp.Tool {
	return &mcp.Tool{
		Meta: toolMeta(),
		Name: "context_oracle", Title: "A narrow question, answered with evidence",
		Description: `Answers one narrow question about the repository with cited files and lines, a confidence, and whether the thing was found, is absent, or was not analysed. Actions: ask (query), symbol (symbol; or file and line), file (file), diagnostics (scope), editImpact (symbol; or file and line; or change).`,
		Annotations: readOnly("A narrow question, answered with evidence"),
		InputSchema: json.RawMessage(`{
  "type": "object",
  "additionalProperties": false,
  "required": ["action"],
  "properties": {
    "action": {"type": "string", "enum": ["ask", "symbol", "file", "diagnostics", "editImpact"], "description": "ask: a question in plain words. symbol: what a name means, where it is used, what implements it. file: what a file or directory is and holds, who depends on it. diagnostics: what linters, compilers and parsing found. editImpact: what an edit reaches: dependants, tests, owners, risk."},
    "query": {"type": "string", "description": "ask: the question."},
    "symbol": {"type": "string", "description": "symbol, editImpact: a name, also qualified: Put, Queue.Put, queue::Queue::Put."},
    "file": {"type": "string", "description": "symbol, file, editImpact: a path in the repository."},
    "line": {"type": "integer", "minimum": 1, "description": "symbol, editImpact: a line of the file, from 1; what is defined there, else what it refers to."},
    "scope": {"type": "string", "description": "diagnostics: a path, a directory or a pattern such as src/**/*.ts; everything by default."},
    "change": {
      "type": "array",
      "description": "editImpact: the parts of files that a change touches.",
      "items": {
        "type": "object",
        "additionalProperties": false,
        "required": ["file"],
        "properties": {
          "file": {"type": "string"},
          "startLine": {"type": "integer", "minimum": 0},
          "endLine": {"type": "integer", "minimum": 0}
        }
      }
    }
  }
}`),
		OutputSchema: outputSchema(templates.OracleSchema),
	}
}

// readOnly are the hints of a tool that changes nothing but its own store.
func readOnly(title string) *mcp.ToolAnnotations {
	no := false
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no}
}

// outputSchema is an embedded schema without what names it: clients keep the
// schemas of all servers in one place, where an identifier may stand only once,
// and 2020-12 is the dialect that the protocol assumes.
func outputSchema(name string) json.RawMessage {
	var schema map[string]json.RawMessage
	if err := json.Unmarshal([]byte(templates.Text(name)), &schema); err != nil {
		panic(fmt.Sprintf("embedded schema %s: %v", name, err)) // a defect of the build
	}
	delete(schema, "$schema")
	delete(schema, "$id")
	data, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("embedded schema %s: %v", name, err))
	}
	return data
}

// contextArguments are those of project_map_context.
type contextArguments struct {
	Query  string `json:"query"`
	Limit  *int   `json:"limit"`
	Budget *int   `json:"budget"`
}

func (m *mcpServer) contextCall(ctx context.Context, arguments []byte) (*answerText, error) {
	var in contextArguments
	d := json.NewDecoder(bytes.NewReader(arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, usagef(`the arguments are wrong: %s; give {"query": "…"}, and "limit" and "budget" as numbers where wanted`, strings.TrimPrefix(err.Error(), "json: "))
	}
	in.Query = strings.TrimSpace(in.Query)
	switch {
	case in.Query == "":
		return nil, usagef(`query is empty; say what the task is: {"query": "…"}`)
	case len(in.Query) > maxContextQuery:
		return nil, usagef("query has %d bytes; give the %d that say most", len(in.Query), maxContextQuery)
	}
	var options []option
	for _, n := range []struct {
		name  string
		value *int
		most  int
	}{{"limit", in.Limit, maxContextLimit}, {"budget", in.Budget, maxContextBudget}} {
		if n.value == nil {
			continue
		}
		if *n.value < 1 || *n.value > n.most {
			return nil, usagef("%s is %d; give a number from 1 to %d", n.name, *n.value, n.most)
		}
		options = append(options, option{n.name, strconv.Itoa(*n.value)})
	}
	c, err := m.context(ctx, contextCommand(), options...)
	if err != nil {
		return nil, err
	}
	mode, err := checkContextFlags(c)
	if err != nil {
		return nil, err
	}
	con := newConsole(c)
	defer con.end()
	src, err := m.open(c, con, mode)
	if err != nil {
		return nil, err
	}
	// What an answer holds may lie in the store: it is written out before.
	defer src.close()
	b, err := src.answer(c, in.Query, mode)
	if err != nil {
		return nil, err
	}
	data, err := b.JSON()
	if err != nil {
		return nil, err
	}
	return &answerText{text: string(b.Markdown()), json: data}, nil
}

func (m *mcpServer) oracleCall(ctx context.Context, arguments []byte) (*answerText, error) {
	c, err := m.context(ctx, oracleCommand(), option{"request", string(arguments)})
	if err != nil {
		return nil, err
	}
	mode, err := oracleMode(c)
	if err != nil {
		return nil, err
	}
	req, err := readRequest(c)
	if err != nil {
		return nil, err
	}
	con := newConsole(c)
	defer con.end()
	src, err := m.open(c, con, mode)
	if err != nil {
		return nil, err
	}
	defer src.close()
	layer, err := src.contextLayer(c)
	if err != nil {
		return nil, err
	}
	for _, n := range layer.notes {
		con.say("%s", n)
	}
	a, err := src.oracleAnswer(c, con, *req, layer, mode)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	if err := printAnswerJSON(&buf, a); err != nil {
		return nil, fmt.Errorf("print the answer: %w", err)
	}
	return &answerText{text: strings.TrimSpace(buf.String()), json: buf.Bytes()}, nil
}

// rawJSON is JSON without insignificant space, its escapes kept.
func rawJSON(data []byte) json.RawMessage {
	var out bytes.Buffer
	if err := json.Compact(&out, data); err != nil {
		return data
	}
	return out.Bytes()
}
