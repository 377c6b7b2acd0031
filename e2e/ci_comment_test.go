//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// forge plays the part of a forge's API that comments need.
type forge struct {
	*httptest.Server
	mu       sync.Mutex
	comments []comment
	calls    []string
	// fails gives the answer to a call, the first status 0 is for the rest.
	fails func(call string, n int) (status int, header map[string]string, body string)
}

type comment struct {
	ID   int               `json:"id"`
	Body string            `json:"body"`
	User map[string]string `json:"user"`
}

func newForge(t *testing.T) *forge {
	f := &forge{}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// add puts a comment of somebody there.
func (f *forge) add(login, body string) int {
	f.comments = append(f.comments, comment{ID: 1000 + len(f.comments), Body: body, User: map[string]string{"login": login}})
	return f.comments[len(f.comments)-1].ID
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	call := r.Method + " " + r.URL.Path
	f.calls = append(f.calls, call)
	if f.fails != nil {
		if status, header, body := f.fails(call, len(f.calls)); status != 0 {
			for k, v := range header {
				w.Header().Set(k, v)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
			return
		}
	}
	if r.Header.Get("Authorization") != "Bearer s3cret" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	const list = "/repos/o/r/issues/7/comments"
	reply := func(status int, v any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	var in comment
	if r.Method != http.MethodGet {
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			reply(http.StatusBadRequest, map[string]string{"message": err.Error()})
			return
		}
		if len(in.Body) > 65536 {
			reply(http.StatusUnprocessableEntity, map[string]string{"message": "body is too long"})
			return
		}
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Path == list:
		per, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min((page-1)*per, len(f.comments))
		reply(http.StatusOK, append([]comment{}, f.comments[from:min(from+per, len(f.comments))]...))
	case r.Method == http.MethodPost && r.URL.Path == list:
		f.add("github-actions[bot]", in.Body)
		reply(http.StatusCreated, f.comments[len(f.comments)-1])
	case r.Method == http.MethodPatch:
		for i := range f.comments {
			if r.URL.Path == fmt.Sprintf("/repos/o/r/issues/comments/%d", f.comments[i].ID) {
				f.comments[i].Body = in.Body
				reply(http.StatusOK, f.comments[i])
				return
			}
		}
		fallthrough
	default:
		reply(http.StatusNotFound, map[string]string{"message": "Not Found"})
	}
}

// writes counts the calls that change something.
func (f *forge) writes() (n int) {
	for _, c := range f.calls {
		if !strings.HasPrefix(c, "GET ") {
			n++
		}
	}
	return n
}

const marker = "<!-- project-map: map changes -->"

// commentRepo is a repository at a pull request that changes maps.
func commentRepo(t *testing.T) (*repo, *runner, *forge, string) {
	r, ci := ciRepo(t)
	base := r.head()
	r.write("queue/more.go", "package queue\n\n// Drain empties the queue.\nfunc Drain(limit int) error { return nil }\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "drain")
	f := newForge(t)
	ci.kind, ci.event, ci.env = "pull_request", pullRequest(base, "o/r"), []string{"GITHUB_API_URL=" + f.URL}
	for k, v := range map[string]string{"publish": "false", "cache": "false", "validate": "false"} {
		ci.inputs[k] = v
	}
	return r, ci, f, base
}

func TestCIComment(t *testing.T) {
	r, ci, f, base := commentRepo(t)
	run := func() {
		t.Helper()
		if err := ci.run(r.path()); err != nil {
			t.Fatal(err)
		}
	}
	// More than a page of others, one of whom begins a comment like ours.
	forged := f.add("mallory", marker+"\nmine")
	quoted := f.add("github-actions[bot]", "> "+marker+"\nanother action")
	for i := range 230 {
		f.add("bob", fmt.Sprint("remark ", i))
	}
	run()
	if f.writes() != 1 || len(f.comments) != 233 {
		t.Fatalf("calls: %v", f.calls)
	}
	ours := &f.comments[232]
	contains(t, ours.Body, marker+"\n", "## Map changes from `"+base[:12]+"` to `"+r.head()[:12]+"`", "- added: `func Drain(limit int) error`")
	contains(t, ci.summary, "added: `func Drain(limit int) error`")
	if ci.outputs["comment"] != fmt.Sprint(ours.ID) || ci.outputs["changed"] != "true" {
		t.Errorf("outputs: %v", ci.outputs)
	}
	// Again: found on the third page, and nothing to write.
	run()
	if f.writes() != 1 || ci.outputs["comment"] != fmt.Sprint(ours.ID) {
		t.Errorf("calls: %v", f.calls)
	}
	contains(t, ci.log, "The comment is up to date.")
	// Forges give comments back with other line ends.
	ours.Body = strings.ReplaceAll(strings.TrimSpace(ours.Body), "\n", "\r\n")
	run()
	if f.writes() != 1 {
		t.Errorf("calls: %v", f.calls)
	}
	// More changes: updated in place.
	r.write("store/more.go", "package store\n\nfunc Forget() {}\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "forget")
	run()
	if f.writes() != 2 || len(f.comments) != 233 {
		t.Errorf("calls: %v", f.calls)
	}
	contains(t, ours.Body, "`func Forget()`", "`func Drain(limit int) error`")
	// All of it taken back: the comment says so in a line.
	r.run("git", "rm", "-q", "queue/more.go", "store/more.go")
	r.run("git", "commit", "-q", "-m", "back")
	run()
	if ours.Body != marker+"\nNo map changes any more.\n" || ci.outputs["changed"] != "false" {
		t.Errorf("the comment is %q", ours.Body)
	}
	if f.comments[0].Body != marker+"\nmine" || f.comments[0].ID != forged || f.comments[1].ID != quoted || !strings.HasPrefix(f.comments[1].Body, "> ") {
		t.Error("a comment of somebody else was changed")
	}
}

func TestCICommentNothingChanged(t *testing.T) {
	r, ci, f, _ := commentRepo(t)
	ci.event = pullRequest(r.head(), "o/r")
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if f.writes() != 0 || len(f.calls) != 1 {
		t.Errorf("calls: %v", f.calls)
	}
	contains(t, ci.summary, "Nothing changed that maps tell of.")
	// Not asked for: the forge is not called at all.
	ci.inputs["comment"] = "false"
	if err := ci.run(r.path()); err != nil || len(f.calls) != 1 {
		t.Errorf("%v, calls: %v", err, f.calls)
	}
}

func TestCICommentKeys(t *testing.T) {
	r, ci, f, _ := commentRepo(t)
	for _, key := range []string{"", "api", "web"} {
		ci.inputs["comment-key"] = key
		for range 2 {
			if err := ci.run(r.path()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(f.comments) != 3 || f.writes() != 3 {
		t.Errorf("comments: %v", f.comments)
	}
	ci.inputs["comment-key"] = "--> <b>"
	if err := ci.run(r.path()); err == nil {
		t.Error("a key that ends the marker was taken")
	}
}

func TestCICommentOfForks(t *testing.T) {
	r, ci, f, base := commentRepo(t)
	for _, event := range []string{pullRequest(base, "mallory/r"),
		// The repository is gone.
		fmt.Sprintf(`{"pull_request": {"number": 7, "base": {"sha": %q, "repo": {"full_name": "o/r"}}, "head": {"repo": null}}}`, base),
	} {
		ci.event = event
		if err := ci.run(r.path()); err != nil {
			t.Fatal(err)
		}
		contains(t, ci.summary, "func Drain", "This pull request comes from a fork, whose token may not comment: the changes are shown here only.")
	}
	ci.event, ci.inputs["token"] = pullRequest(base, "o/r"), ""
	before := len(f.calls)
	if err := ci.run(r.path()); err != nil || len(f.calls) != before {
		t.Errorf("without a token: %v, calls %v", err, f.calls)
	}
	contains(t, ci.summary, "There is no token to comment with")
}

// TestCICommentErrors: whatever the forge answers, the job goes on, and the
// summary says why there is no comment.
func TestCICommentErrors(t *testing.T) {
	r, ci, _, _ := commentRepo(t)
	always := func(status int, body string, header map[string]string) func(string, int) (int, map[string]string, string) {
		return func(string, int) (int, map[string]string, string) { return status, header, body }
	}
	onWrite := func(status int) func(string, int) (int, map[string]string, string) {
		return func(call string, _ int) (int, map[string]string, string) {
			if strings.HasPrefix(call, "GET ") {
				return 0, nil, ""
			}
			return status, nil, `{"message": "no"}`
		}
	}
	for _, c := range []struct {
		name  string
		fails func(string, int) (int, map[string]string, string)
		calls int
		says  string // "" where the comment is written
	}{
		{"no permission", always(403, `{"message": "Resource not accessible by integration"}`, nil), 1, `needs "pull-requests: write" (HTTP 403 (Resource not accessible by integration))`},
		{"no permission to write", onWrite(403), 2, "was not written: the token may not comment"},
		{"not visible", always(404, `{"message": "Not Found"}`, nil), 1, "does not see the pull request"},
		{"broken", always(500, "<html>oops", nil), 3, "HTTP 500"},
		{"broken when writing", onWrite(502), 2, "HTTP 502"},
		{"broken once", func(_ string, n int) (int, map[string]string, string) {
			if n == 1 {
				return 503, nil, ""
			}
			return 0, nil, ""
		}, 3, ""},
		{"rate limit", always(403, `{"message": "API rate limit exceeded"}`, map[string]string{"X-RateLimit-Remaining": "0"}), 1, "the rate limit is used up"},
		{"rate limit, wait", func(_ string, n int) (int, map[string]string, string) {
			if n == 1 {
				return 429, map[string]string{"Retry-After": "0"}, ""
			}
			return 0, nil, ""
		}, 3, ""},
		{"rate limit, for an hour", always(429, "", map[string]string{"Retry-After": "3600"}), 1, "the rate limit is used up"},
		{"no list", always(200, `{"a": 1}`, nil), 1, "is no list"},
		{"no JSON", always(200, "\x00<html>", nil), 1, "is no list"},
		{"hostile message", always(403, `{"message": "a\n::error::x\u001b[31m<img src=x>`+"`"+`"}`, nil), 1, "pull-requests: write"},
		{"redirected", always(302, "", map[string]string{"Location": "http://127.0.0.1:1/"}), 1, "HTTP 302"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newForge(t)
			f.fails = c.fails
			run := *ci
			run.t, run.env = t, []string{"GITHUB_API_URL=" + f.URL}
			if err := run.run(r.path()); err != nil {
				t.Fatal(err)
			}
			if len(f.calls) != c.calls {
				t.Errorf("calls: %v", f.calls)
			}
			contains(t, run.summary, "func Drain")
			if c.says == "" {
				if len(f.comments) != 1 {
					t.Errorf("no comment:\n%s", run.log)
				}
				return
			}
			contains(t, run.summary, c.says)
			contains(t, run.log, "::warning title=project-map::")
			for _, bad := range []string{"\n::error", "\x1b", "<img", "s3cret"} {
				if strings.Contains(run.log+run.summary, bad) {
					t.Errorf("log or summary hold %q:\n%s", bad, run.log)
				}
			}
		})
	}
	ci.env = []string{"GITHUB_API_URL=http://127.0.0.1:1"}
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	contains(t, ci.summary, "the forge does not answer")
}

// TestCICommentOfHostileNames: names and texts of a pull request forge nothing.
func TestCICommentOfHostileNames(t *testing.T) {
	r, ci, f, _ := commentRepo(t)
	for i, name := range []string{
		"evil/$(touch owned).go", "evil/`touch owned`.go", "evil/a\n::error::x.go", "evil/-->\n" + marker + ".go", "evil/\"; touch owned; \".go", "-rf/x.go",
	} {
		r.write(name, fmt.Sprintf("// Package evil @alice #12 <img src=x> $(touch owned)\npackage evil\n\n// F%d does ${{ github.token }}.\nfunc F%d() {}\n", i, i))
	}
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "evil")
	r.run("git", "checkout", "-q", "-b", "a;touch${IFS}owned;$(touch${IFS}owned)")
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if len(f.comments) != 1 {
		t.Fatalf("comments: %v\n%s", f.comments, ci.log)
	}
	body := f.comments[0].Body
	contains(t, body, "`func F0()`", "`func F5()`")
	if strings.Count(body, "\n"+marker) != 0 || strings.Contains(body, "@alice") {
		t.Errorf("the comment was forged:\n%s", body)
	}
	if strings.Contains(ci.log, "\n::error") {
		t.Errorf("the log was forged:\n%s", ci.log)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "owned")); err == nil {
		t.Error("a name was executed")
	}
}

// TestCICommentFits: a change of everything is cut to what a comment can hold.
func TestCICommentFits(t *testing.T) {
	r, ci, f, _ := commentRepo(t)
	var b bytes.Buffer
	long := strings.Repeat("Long", 60)
	for d := range 90 {
		b.Reset()
		fmt.Fprintf(&b, "// Package d%d %s\npackage d%d\n", d, strings.Repeat("says much ", 30), d)
		for i := range 10 {
			fmt.Fprintf(&b, "\nfunc %s%dx%d(%s int) {}\n", long, d, i, strings.ToLower(long))
		}
		r.write(fmt.Sprintf("%s/d%d/a.go", strings.Repeat("deep/", 30), d), b.String())
	}
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "all")
	if err := ci.run(r.path()); err != nil {
		t.Fatal(err)
	}
	if len(f.comments) != 1 || len(f.comments[0].Body) > 65536 || len(f.comments[0].Body) < 1000 {
		t.Errorf("%d comments\n%s", len(f.comments), ci.log)
	}
}
