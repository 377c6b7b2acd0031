package indexer_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/project-map/project-map/indexer"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/revision"
)

// repo is a repository made with the git program, apart from the machine's and
// the user's configuration.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T, files map[string]string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not installed")
	}
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write(files)
	r.commit()
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(files map[string]string) {
	r.t.Helper()
	for p, text := range files {
		full := filepath.Join(r.dir, p)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			r.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *repo) commit() {
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

func (r *repo) snapshot(o revision.Options) *revision.Snapshot {
	r.t.Helper()
	opened, err := revision.Open(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { opened.Close() })
	s, err := opened.Snapshot(context.Background(), o)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func options(cache *factstore.Store) indexer.Options {
	return indexer.Options{Table: all.Table(), Limits: extract.DefaultLimits, Workers: 2, Cache: cache}
}

func openCache(t *testing.T, dir string) *factstore.Store {
	t.Helper()
	c, err := factstore.Open(dir, factstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func run(t *testing.T, s *revision.Snapshot, o indexer.Options) *indexer.Result {
	t.Helper()
	r, err := indexer.Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func entry(t *testing.T, r *indexer.Result, path string) facts.Entry {
	t.Helper()
	for _, e := range r.Files {
		if e.Path == path {
			return e
		}
	}
	t.Fatalf("%s is not in the result", path)
	return facts.Entry{}
}

func TestOneBlobIsParsedOnce(t *testing.T) {
	r := newRepo(t, map[string]string{"a/x.go": "package a\n\nfunc F() {}\n", "b/x.go": "package a\n\nfunc F() {}\n", "c.py": "def g():\n    pass\n"})
	dir := t.TempDir()
	cache := openCache(t, dir)
	first := run(t, r.snapshot(revision.Options{}), options(cache))
	if first.Extracted != 2 {
		t.Errorf("%d extractions of two distinct blobs", first.Extracted)
	}
	if err := cache.Commit(); err != nil {
		t.Fatal(err)
	}
	again := run(t, r.snapshot(revision.Options{}), options(openCache(t, dir)))
	if again.Extracted != 0 || !reflect.DeepEqual(again.Files, first.Files) || !reflect.DeepEqual(again.Keys, first.Keys) {
		t.Errorf("from the cache: %d extractions, other files", again.Extracted)
	}
	// Renamed and copied files are known; so is one that came back.
	r.git("mv", "a/x.go", "moved.go")
	r.write(map[string]string{"copy/of/x.go": "package a\n\nfunc F() {}\n"})
	r.commit()
	moved := run(t, r.snapshot(revision.Options{}), options(openCache(t, dir)))
	if moved.Extracted != 0 || len(moved.Files) != 4 || entry(t, moved, "moved.go").File.Symbols[0].Name != "F" {
		t.Errorf("after a rename and a copy: %d extractions, %d files", moved.Extracted, len(moved.Files))
	}
	// Other limits are another recipe.
	o := options(openCache(t, dir))
	o.Limits.Words--
	if got := run(t, r.snapshot(revision.Options{}), o); got.Extracted != 2 {
		t.Errorf("after a change of limits: %d extractions, want 2", got.Extracted)
	}
}

func TestDamagedRecordsAreMadeAnew(t *testing.T) {
	r := newRepo(t, map[string]string{"x.go": "package a\n\nfunc F() { word() }\n"})
	cache := openCache(t, t.TempDir())
	first := run(t, r.snapshot(revision.Options{}), options(cache))
	good, ok, err := cache.Get(first.Keys[0])
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for name, record := range map[string][]byte{
		"empty": {}, "another codec": append([]byte{facts.CodecVersion + 1}, good[1:]...), "cut in the outline": good[:6], "cut in the terms": good[:len(good)-len(good)/3],
	} {
		cache := openCache(t, t.TempDir())
		if err := cache.Put(first.Keys[0], record); err != nil {
			t.Fatal(err)
		}
		words := map[string]int{}
		o := options(cache)
		o.Terms = func(_, _ int, text string, _ [facts.NumFields]uint16) { words[strings.Clone(text)]++ }
		got := run(t, r.snapshot(revision.Options{}), o)
		if !reflect.DeepEqual(got.Files, first.Files) {
			t.Errorf("%s: other facts", name)
		}
		for w, n := range words {
			if n != 1 {
				t.Errorf("%s: %q was handed on %d times", name, w, n)
			}
		}
		if words["word"] != 1 {
			t.Errorf("%s: words %v", name, words)
		}
	}
}

func TestPlansFollowAttributesNamesAndContent(t *testing.T) {
	code := "package a\n\nfunc F() {}\n"
	r := newRepo(t, map[string]string{
		".gitattributes": "*.foo linguist-language=Python\nhidden/** linguist-vendored\nvendor/keep/** -linguist-vendored\nmade/** linguist-generated\napi.pb.go -linguist-generated\n*.raw binary\n*.nott -text\nlib.txt linguist-documentation=false\n",
		"plain.go":       code, "script.foo": "def g():\n    pass\n", "hidden/a.go": code + "// 1\n", "vendor/x/a.go": code + "// 2\n", "vendor/keep/a.go": code + "// 3\n",
		"made/a.go": code + "// 4\n", "api.pb.go": code + "// 5\n", "other.pb.go": code + "// 6\n", "data.raw": "some text\n", "data.nott": "more text\n", "blob.bin": "\x00\x01\x02",
		"tool": "#!/usr/bin/env python3\ndef h():\n    pass\n", "notes.xyz": "only words\n", "名前 \"q\".go": code + "// 7\n",
	})
	got := run(t, r.snapshot(revision.Options{}), options(factstore.Disabled()))
	for path, want := range map[string]struct {
		language string
		depth    facts.Depth
		reason   facts.Reason
		role     facts.Role
	}{
		"plain.go": {"go", facts.Parsed, "", 0}, "script.foo": {"python", facts.Parsed, "", 0},
		"hidden/a.go":      {"go", facts.Words, facts.ReasonVendored, facts.RoleVendored},
		"vendor/x/a.go":    {"go", facts.Words, facts.ReasonVendored, facts.RoleVendored},
		"vendor/keep/a.go": {"go", facts.Parsed, "", 0},
		"made/a.go":        {"go", facts.Words, facts.ReasonGenerated, facts.RoleGenerated},
		"api.pb.go":        {"go", facts.Parsed, "", 0},
		"other.pb.go":      {"go", facts.Words, facts.ReasonGenerated, facts.RoleGenerated},
		"data.raw":         {"", facts.Listed, facts.ReasonBinary, 0},
		"data.nott":        {"", facts.Words, facts.ReasonNoExtractor, 0}, // -text is about line ends only
		"blob.bin":         {"", facts.Listed, facts.ReasonBinary, 0},
		"tool":             {"python", facts.Parsed, "", 0},
		"notes.xyz":        {"", facts.Words, facts.ReasonNoExtractor, 0},
		"名前 \"q\".go":      {"go", facts.Parsed, "", 0},
	} {
		e := entry(t, got, path)
		if e.File.Language != want.language || e.File.Depth != want.depth || e.File.Reason != want.reason || e.Role != want.role {
			t.Errorf("%s: language %q, %s, reason %q, roles %v", path, e.File.Language, e.File.Depth, e.File.Reason, e.Role.Names())
		}
	}
}

func TestExclude(t *testing.T) {
	r := newRepo(t, map[string]string{"a.go": "package a\n", "b/c.go": "package b\n"})
	o := options(factstore.Disabled())
	o.Exclude = func(p string) bool { return strings.HasPrefix(p, "b/") }
	if got := run(t, r.snapshot(revision.Options{}), o); len(got.Files) != 1 || got.Files[0].Path != "a.go" || len(got.Keys) != 1 {
		t.Errorf("%+v", got.Files)
	}
}

// A file that cannot be read costs that file, with its reason.
func TestUnreadableFilesAreListed(t *testing.T) {
	r := newRepo(t, map[string]string{"gone.go": "package a\n", "here.go": "package b\n", "vanishes.go": "package c\n"})
	if err := os.Symlink("/etc/passwd", filepath.Join(r.dir, "link")); err == nil {
		r.git("add", "-A")
		r.git("commit", "-q", "-m", "link")
	}
	s := r.snapshot(revision.Options{})
	id := r.git("rev-parse", "HEAD:gone.go")
	if err := os.Remove(filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])); err != nil {
		t.Fatal(err)
	}
	got := run(t, s, options(factstore.Disabled()))
	if e := entry(t, got, "gone.go"); e.File.Depth != facts.Listed || e.File.Reason != facts.ReasonMissing || e.File.Language != "go" {
		t.Errorf("missing blob: %+v", e.File)
	}
	if e := entry(t, got, "here.go"); e.File.Depth != facts.Parsed {
		t.Errorf("beside a missing blob: %+v", e.File)
	}
	if got.Extracted != 2 {
		t.Errorf("%d extractions, want 2", got.Extracted)
	}
	for _, e := range got.Files {
		if e.Path == "link" && (e.File.Reason != facts.ReasonSymlink || e.Mode != facts.ModeSymlink) {
			t.Errorf("link: %+v", e.File)
		}
	}
	r.write(map[string]string{"vanishes.go": "package changed\n"})
	w := r.snapshot(revision.Options{Kind: revision.Worktree})
	if err := os.Remove(filepath.Join(r.dir, "vanishes.go")); err != nil {
		t.Fatal(err)
	}
	if e := entry(t, run(t, w, options(factstore.Disabled())), "vanishes.go"); e.File.Depth != facts.Listed || e.File.Reason == "" {
		t.Errorf("a file that vanished: %+v", e.File)
	}
}

func manyFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/f%d.go", i%7, i)] = fmt.Sprintf("// Package d has %d.\npackage d\n\nfunc F%d(a int) { call%d(word) }\n", i, i%50, i)
		files[fmt.Sprintf("p%d/f%d.py", i%5, i)] = fmt.Sprintf("class C%d:\n    def m(self):\n        return %d\n", i, i)
	}
	return files
}

func TestAnyNumberOfWorkersGivesTheSame(t *testing.T) {
	r := newRepo(t, manyFiles(60))
	s := r.snapshot(revision.Options{})
	var want *indexer.Result
	var wantTerms [][]string
	for _, workers := range []int{1, 2, 3, 8} {
		o := options(factstore.Disabled())
		o.Workers = workers
		terms := make([][]string, len(s.Entries))
		o.Terms = func(_, doc int, text string, counts [facts.NumFields]uint16) {
			terms[doc] = append(terms[doc], fmt.Sprint(text, counts))
		}
		var mu sync.Mutex
		most := 0
		o.Progress = func(done, total int) { mu.Lock(); defer mu.Unlock(); most = max(most, done*1000/total) }
		got := run(t, s, o)
		if most != 1000 {
			t.Errorf("%d workers: progress ended at %d of 1000", workers, most)
		}
		if want == nil {
			want, wantTerms = got, terms
			continue
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(terms, wantTerms) {
			t.Errorf("%d workers give other facts than one", workers)
		}
	}
}

func TestCancel(t *testing.T) {
	r := newRepo(t, manyFiles(40))
	s := r.snapshot(revision.Options{})
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	o := options(factstore.Disabled())
	o.Progress = func(done, _ int) {
		if done == 5 {
			cancel()
		}
	}
	got, err := indexer.Run(ctx, s, o)
	if !errors.Is(err, context.Canceled) || got != nil {
		t.Fatalf("got %v, %v", got, err)
	}
	if after := runtime.NumGoroutine(); after > before+1 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// A result holds outlines only, and nothing of the sources: what a run keeps
// does not grow with the bodies of functions.
func TestResultHoldsOutlinesOnly(t *testing.T) {
	body := strings.Repeat("\tcall(wordy, other, \"text\")\n", 4000)
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package a\n\nfunc F%d() {\n%s}\n", i, body)
	}
	r := newRepo(t, files)
	s := r.snapshot(revision.Options{})
	o := options(factstore.Disabled())
	digest := sha256.New()
	var mu sync.Mutex
	o.Terms = func(_, _ int, text string, _ [facts.NumFields]uint16) {
		mu.Lock()
		defer mu.Unlock()
		digest.Write([]byte(text))
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	got := run(t, s, o)
	kept := heap() - before
	for _, e := range got.Files {
		if f := e.File; f.Terms != nil || f.Refs != nil || f.Scopes != nil || f.Bindings != nil || len(f.Symbols) != 1 {
			t.Fatalf("%s keeps more than its outline", e.Path)
		}
	}
	if total := int64(40 * len(body)); kept > total/4 {
		t.Errorf("a run over %d bytes keeps %d", total, kept)
	}
	runtime.KeepAlive(got)
}
