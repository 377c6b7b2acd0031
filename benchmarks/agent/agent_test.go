package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// endpoint answers with what it is given, in turn.
func endpoint(t *testing.T, replies ...string) *httptest.Server {
	t.Helper()
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s %s", r.URL.Path, r.Header)
		}
		reply := replies[n]
		n++
		if status, text, ok := strings.Cut(reply, "!"); ok {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(map[string]int{"429": http.StatusTooManyRequests}[status])
			_, _ = io.WriteString(w, text)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, reply)
	}))
	t.Cleanup(s.Close)
	return s
}

// letters counts a token a byte.
type letters struct{}

func (letters) Name() string          { return "letters" }
func (letters) Count(text string) int { return len(text) }

func post(t *testing.T, url, body string) (*http.Response, string) {
	t.Helper()
	got, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got, string(data)
}

const streamed = `: waiting

data: {"choices":[{"delta":{"role":"assistant","content":"Look"}}]}

data: {"choices":[{"delta":{"content":"ing.","tool_calls":[{"index":0,"id":"a","function":{"name":"grep","arguments":"{\"pat"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"tern\":\"x\"}"}},{"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":50,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":20}}}

data: [DONE]

`

const whole = `{"choices":[{"message":{"role":"assistant","content":"It is x."},"finish_reason":"stop"}],"usage":{"prompt_tokens":70,"completion_tokens":4}}`

func TestProxy(t *testing.T) {
	up := endpoint(t, "429!slow down", streamed, whole, "data: {\"choices\":[{\"delta\":{\"content\":\"cut\"}}]}\n\n")
	p := &proxy{base: up.URL + "/v1/", key: "secret", count: letters{}}
	s := httptest.NewServer(p)
	defer s.Close()
	url := s.URL + "/v1/chat/completions"
	first := `{"messages":[{"role":"system","content":"sys"},{"role":"user","content":[{"type":"text","text":"where"}]}],"tools":[{"a":1}]}`
	if got, text := post(t, url, first); got.StatusCode != http.StatusTooManyRequests || got.Header.Get("Retry-After") != "7" || text != "slow down" {
		t.Errorf("%s %q", got.Status, text)
	}
	if _, text := post(t, url, first); text != streamed {
		t.Errorf("the stream is passed on as %q", text)
	}
	second := `{"messages":[{"role":"system","content":"sys"},{"role":"user","content":"where"},
		{"role":"assistant","content":"Looking.","tool_calls":[{"id":"a","function":{"name":"grep","arguments":"{}"}},{"id":"b","function":{"name":"ls","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"b","content":"one\ntwo\n"},{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"found"}]}],"tools":[{"a":1}]}`
	post(t, url, second)
	post(t, url, second)
	want := []turn{
		{Input: input{System: 3, Tools: 7, Messages: 5}, Output: 8 + len(`grep{"pattern":"x"}`) + len(`ls{}`), Text: "Looking.",
			Calls: []call{
				{Name: "grep", Arguments: `{"pattern":"x"}`, ResultTokens: 5, ResultBytes: 5, ResultLines: 1},
				{Name: "ls", Arguments: "{}", ResultTokens: 8, ResultBytes: 8, ResultLines: 2},
			}, Reported: &reported{Input: 50, Cached: 20, Output: 9}},
		{Input: input{System: 3, Tools: 7, Messages: 5 + 8 + len("grep{}ls{}"), Results: 13}, Output: 8, Text: "It is x.", Reported: &reported{Input: 70, Output: 4}},
	}
	for i := range p.turns {
		p.turns[i].ModelMS = 0
	}
	if !reflect.DeepEqual(p.turns, want) {
		t.Errorf("the turns are\n%+v, want\n%+v", p.turns, want)
	}
	if len(p.failed) != 2 || !strings.Contains(p.failed[0], "429 Too Many Requests: slow down") || !strings.Contains(p.failed[1], "no end") {
		t.Errorf("failed: %q", p.failed)
	}
	total := sum(p.turns)
	if total.Turns != 2 || total.Input != 15+46 || total.Peak != 54 || total.Calls != 2 || total.Results != 13 || total.Reported == nil || total.Reported.Input != 120 {
		t.Errorf("the sums are %+v", total)
	}
	var said []map[string]any
	data, _ := json.Marshal(p.messages)
	if err := json.Unmarshal(data, &said); err != nil || len(said) != 6 || said[5]["content"] != "It is x." {
		t.Errorf("the transcript is %s", data)
	}
	if got, _ := post(t, s.URL+"/v1/models", "{}"); got.StatusCode != http.StatusNotFound {
		t.Errorf("another path: %s", got.Status)
	}
}

func TestParseReplyErrors(t *testing.T) {
	for _, body := range []string{
		"data: {\"error\":{\"message\":\"no\"}}\n\n", `{"error":{"message":"no"}}`, "data: {\n\n", `{"choices":[{"delta":7}]}`,
	} {
		if _, err := parseReply([]byte(body)); err == nil {
			t.Errorf("%q is read", body)
		}
	}
	if r, err := parseReply([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"error\":null}\n\n")); err != nil || r.Done || r.Text != "a" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestMarkdown(t *testing.T) {
	records := []*record{
		{Setting: withMaps, Question: "What\nis it?", Repository: "some", Revision: strings.Repeat("a", 40), Model: "m", Pi: "1", IndexMS: 1500, WallMS: 2500,
			Turns: []turn{
				{Input: input{System: 1000, Tools: 200, Messages: 34}, Output: 5, Calls: []call{{Name: "bash", Arguments: "{\"command\":\"a `b` | c\"}", ResultTokens: 7}, {Name: "ls", Arguments: "{}"}}},
				{Input: input{System: 1000}, Output: 5},
			}, Answer: "One.\n\nTwo."},
		{Setting: plain, Failed: []string{"one\nfailure"}},
	}
	for _, r := range records {
		r.Totals = sum(r.Turns)
	}
	got := markdown(records)
	for _, want := range []string{
		"some at aaaaaaaaaaaa, Pi 1, model m.", "> What\n> is it?", "|  | with project-map | plain |", "| input tokens, summed over turns | 2,234 | 0 |",
		"| seconds of project-map index before | 1.5 | — |", "| 1 | 1,234 | 5 | `` bash {\"command\":\"a `b` \\| c\"} `` | 7 |", "| | | | `ls {}` | 0 |",
		"| 2 | 1,000 | 5 | (answer) | |", "> One.\n>\n> Two.", "Failed: one failure", "### With project-map", "### Plain",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "endpoint's count") {
		t.Error("a row without values is printed")
	}
	file := filepath.Join(t.TempDir(), "r.json")
	data, _ := json.Marshal(records)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := read([]string{file})
	if err != nil || markdown(again) != got {
		t.Errorf("records that were read print otherwise: %v", err)
	}
	if _, err := read(nil); err == nil {
		t.Error("no records are no error")
	}
}

func TestPlainSetting(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a/.pi-map.md", ".pi-map.index.md", ".project-map/x/y", ".git/.pi-map.md", "a/pi-map.md", "a/a.go"} {
		f = filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(f), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte("x"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeWritten(dir); err != nil {
		t.Fatal(err)
	}
	var left bytes.Buffer
	_ = filepath.WalkDir(dir, func(p string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			fmt.Fprintln(&left, filepath.ToSlash(rel))
		}
		return nil
	})
	if left.String() != ".git/.pi-map.md\na/a.go\na/pi-map.md\n" {
		t.Errorf("left are\n%s", left.String())
	}
	with := t.TempDir()
	if err := os.WriteFile(filepath.Join(with, "project-map"), nil, 0o777); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{dir, with, "/usr/bin"}, string(filepath.ListSeparator))
	if got := withoutProgram(path); !reflect.DeepEqual(got, []string{dir, "/usr/bin"}) {
		t.Errorf("PATH is %q", got)
	}
}

func TestChoose(t *testing.T) {
	for name, want := range map[string]int{"both": 2, withMaps: 1, plain: 1, "": 0, "x": 0} {
		got, err := choose(name)
		if len(got) != want || (err != nil) != (want == 0) {
			t.Errorf("%q gives %v, %v", name, got, err)
		}
	}
}
