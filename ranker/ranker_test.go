package ranker

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

func parse(text string) *query.Query { return query.Parse(text) }

// sample is a small repository with most kinds of files.
func sample(t testing.TB) *store.Catalog {
	t.Helper()
	everything := "queue put block retry backoff jitter parse header theme colour login session token expire cache evict release workflow docker lint config"
	files := []file{
		{path: "internal/queue/queue.go", pkg: "queue", symbols: append(symbolsOf(facts.KindStruct, "", "Queue"), methods("Queue", "Put", "Get")...), doc: "Queue hands items between goroutines.", body: "put block cond wait signal"},
		{path: "internal/queue/queue_test.go", pkg: "queue", role: facts.RoleTest, symbols: fn("TestQueuePut", "TestQueueBlocks"), body: "queue put block wait deadlock put block"},
		{path: "internal/queue/stack.go", pkg: "queue", symbols: append(symbolsOf(facts.KindStruct, "", "Stack"), methods("Stack", "Put", "Pop")...), body: "put pop"},
		{path: "internal/retry/retry.go", pkg: "retry", symbols: fn("Do", "backoffWithJitter"), doc: "Package retry repeats calls with exponential backoff.", body: "sleep attempts jitter"},
		{path: "internal/retry/retry_test.go", pkg: "retry", role: facts.RoleTest, symbols: fn("TestDo"), body: "backoff jitter attempts retry retry"},
		{path: "internal/cache/cache.go", pkg: "cache", symbols: append(symbolsOf(facts.KindStruct, "", "Cache"), methods("Cache", "Get", "Evict")...), body: "lru entries"},
		{path: "internal/cache/lru.go", pkg: "cache", symbols: fn("newList"), body: "cache list front back"},
		{path: "internal/http/header.go", pkg: "http", symbols: fn("parseHeader", "canonical"), body: "colon trim"},
		{path: "internal/http/server.go", pkg: "http", symbols: fn("Serve"), body: "parseHeader listener accept session token", size: 4000},
		{path: "internal/auth/session.go", pkg: "auth", symbols: append(symbolsOf(facts.KindStruct, "", "Session"), fn("expireTokens")...), strings: "session expired, log in again", body: "login cookie token"},
		{path: "cmd/app/main.go", pkg: "main", symbols: fn("main"), body: "flags run serve"},
		{path: "web/src/theme.ts", symbols: fn("applyTheme", "darkColours"), body: "document style colour palette", size: 900},
		{path: "web/src/login.ts", symbols: fn("LoginForm"), body: "form submit password session", size: 900},
		{path: "web/types/index.d.ts", role: facts.RoleDeclaration | facts.RolePackageInit, symbols: fn("applyTheme", "LoginForm"), size: 300},
		{path: "web/dist/bundle.js", role: facts.RoleGenerated, body: everything + " applyTheme LoginForm " + everything, size: 90000},
		{path: "vendor/github.com/x/all/all.go", role: facts.RoleVendored, body: everything + " " + everything, symbols: fn("parseHeader", "Do"), size: 90000},
		{path: "testdata/results.json", role: facts.RoleTest | facts.RoleGenerated, body: everything + " " + everything, size: 90000},
		{path: "README.md", role: facts.RoleDoc, symbols: symbolsOf(facts.KindHeading, "", "Install"), doc: "Install with go. A queue and a cache for services."},
		{path: "docs/retries.md", role: facts.RoleDoc, doc: "How retries work: backoff, jitter and the maximum of attempts."},
		{path: "docs/themes.md", role: facts.RoleDoc, doc: "Colour themes of the web page."},
		{path: "Makefile", role: facts.RoleBuild, symbols: symbolsOf(facts.KindTarget, "", "lint", "release"), body: "go build docker push"},
		{path: ".github/workflows/release.yml", role: facts.RoleBuild | facts.RoleConfig, body: "on push tags jobs docker publish release steps"},
		{path: ".golangci.yml", role: facts.RoleConfig, body: "linters enable govet staticcheck"},
		{path: "config/app.toml", role: facts.RoleConfig, body: "listen address session timeout cache size"},
		{path: "locales/de.json", role: facts.RoleLocale, strings: "session expired", body: "login session expired theme"},
		{path: "名前/設定.py", symbols: fn("読み込み"), doc: "設定ファイルを読み込む", size: 200},
		{path: "docs/my notes/it's \"quoted\".md", role: facts.RoleDoc, doc: "notes of meetings about sharding"},
	}
	return catalog(t, extras{
		summaries: map[string]string{"internal/queue": "Bounded queues between goroutines", "internal/auth": "Login and sessions"},
		workflows: []artifact.Workflow{{Name: "release", Source: "Makefile", Command: "make release", Targets: []artifact.Target{{Path: "Makefile"}}}},
	}, files...)
}

var sampleQueries = []string{
	"Queue.Put", "internal/cache", "parseHeader", "queue", "why does put block when the queue is full",
	"where are retries documented", "which tests cover the queue", "update the README", "the release workflow", "Makefile",
	"session expired too early\n\nAfter login the token expires. See `internal/auth/session.go` and\n```\nexpireTokens()\n```", "設定", "sharding",
}

// TestBehaviour checks what users of such tools report most, by what must come
// first; above lists pairs of which the first must be ahead of the second.
func TestBehaviour(t *testing.T) {
	c := sample(t)
	for _, x := range []struct {
		name, query, first string
		above              [][2]string
	}{
		{"a bundle with every word stays behind the source (1)", "put blocks when the queue is full", "internal/queue/queue.go", [][2]string{
			{"internal/queue/stack.go", "vendor/github.com/x/all/all.go"}, {"internal/queue/queue.go", "web/dist/bundle.js"}, {"internal/queue/queue.go", "testdata/results.json"}}},
		{"also in the second language (1)", "dark colour theme is not applied", "web/src/theme.ts", [][2]string{{"web/src/theme.ts", "web/types/index.d.ts"}}},
		{"a named configuration file (2)", "what is it that we have to do so that the one in .golangci.yml is on and not off", ".golangci.yml", nil},
		{"path forms (13)", "./internal/cache/", "internal/cache/cache.go", nil},
		{"path forms (13)", `internal\cache\lru.go`, "internal/cache/lru.go", nil},
		{"path forms (13)", "../internal/cache/lru.go", "internal/cache/lru.go", nil},
		{"names in Japanese (14)", "設定", "名前/設定.py", nil},
		{"path in Japanese (14)", "名前/設定.py", "名前/設定.py", nil},
		{"spaces and quotes (14)", "meeting notes about sharding", "docs/my notes/it's \"quoted\".md", nil},
		{"a document (25)", "where are retries documented", "docs/retries.md", nil},
		{"a document by its name (25)", "update the README", "README.md", nil},
		{"a build file (25)", "Makefile", "Makefile", nil},
		{"a CI file (25)", "the release workflow pushes the wrong docker tag", ".github/workflows/release.yml", nil},
		{"a configuration (25)", "which linters are enabled in the golangci config", ".golangci.yml", nil},
		{"a configuration by its path (25)", "config/app.toml", "config/app.toml", nil},
		{"a test (25)", "which tests cover put on a full queue", "internal/queue/queue_test.go", nil},
		{"a qualified symbol", "Queue.Put", "internal/queue/queue.go", [][2]string{{"internal/queue/queue.go", "internal/queue/stack.go"}}},
		{"a symbol", "parseHeader", "internal/http/header.go", [][2]string{{"internal/http/header.go", "vendor/github.com/x/all/all.go"}}},
		{"a symbol in another case", "ParseHeader", "internal/http/header.go", nil},
		{"a call", "parseHeader()", "internal/http/header.go", nil},
		{"a path fragment", "internal/cache", "internal/cache/cache.go", nil},
		{"a path with a name in it", "cache/lru.go", "internal/cache/lru.go", nil},
		{"the readme, in lower case", "what does the readme say about the cache", "README.md", nil},
		{"a file name", "session.go", "internal/auth/session.go", nil},
		{"a word", "retry", "internal/retry/retry.go", nil},
		{"a message", "users see \"session expired, log in again\" too early", "internal/auth/session.go", [][2]string{{"internal/auth/session.go", "locales/de.json"}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := rank(c, x.query)
			if len(r.Files) == 0 || r.Files[0].Path != x.first {
				t.Errorf("%q: first is %q, want %q", x.query, pathsOf(r)[:min(3, len(r.Files))], x.first)
			}
			for _, p := range x.above {
				a, b := place(r, p[0]), place(r, p[1])
				if a == 0 || b != 0 && b < a {
					t.Errorf("%q: %s is %d, %s is %d", x.query, p[0], a, p[1], b)
				}
			}
		})
	}
}

// TestNothingMatched: no list is better than a random one (4).
func TestNothingMatched(t *testing.T) {
	c := sample(t)
	for _, q := range []string{
		"", " \n", "quantum chromodynamics", "how do I do this", "the and of with", "zzz/yyy/xxx.abc", "Foo::barbaz", "!!! ???", "\x00\xff", "12345",
	} {
		r := rank(c, q)
		if !r.NothingMatched || r.Confidence != Low || len(r.Files)+len(r.Dirs)+len(r.Symbols) != 0 || r.Matched != 0 {
			t.Errorf("%q: %+v, first %v", q, r.Confidence, pathsOf(r))
		}
	}
	if r := New(catalog(t, extras{}), Options{}).Rank(parse("queue")); !r.NothingMatched {
		t.Error("an empty catalog has matches")
	}
	if r := New(c, Options{}).Rank(nil); !r.NothingMatched {
		t.Error("no query has matches")
	}
}

// TestCutChangesNothing: a shorter list is the beginning of a longer one, with
// the same scores, reasons and confidence (3).
func TestCutChangesNothing(t *testing.T) {
	c := sample(t)
	for _, q := range sampleQueries {
		full := New(c, Options{MaxFiles: 1000, MaxDirs: 1000, MaxSymbols: 1000}).Rank(parse(q))
		for _, n := range []int{1, 2, 5} {
			cut := New(c, Options{MaxFiles: n, MaxDirs: n, MaxSymbols: n}).Rank(parse(q))
			if cut.Confidence != full.Confidence || cut.Matched != full.Matched || cut.NothingMatched != full.NothingMatched {
				t.Errorf("%q cut to %d: confidence %s of %d, uncut %s of %d", q, n, cut.Confidence, cut.Matched, full.Confidence, full.Matched)
			}
			if !reflect.DeepEqual(cut.Files, full.Files[:min(n, len(full.Files))]) ||
				!reflect.DeepEqual(cut.Dirs, full.Dirs[:min(n, len(full.Dirs))]) ||
				len(cut.Symbols) != min(n, len(full.Symbols)) || len(cut.Symbols) > 0 && !reflect.DeepEqual(cut.Symbols, full.Symbols[:len(cut.Symbols)]) {
				t.Errorf("%q cut to %d differs from the beginning of the whole list", q, n)
			}
		}
	}
}

// TestSameAnswer: ten repeats, at the same time and on another Ranker, give
// equal results.
func TestSameAnswer(t *testing.T) {
	c := sample(t)
	r := New(c, Options{})
	for _, q := range sampleQueries {
		want := r.Rank(parse(q))
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if got := r.Rank(parse(q)); !reflect.DeepEqual(got, want) {
					t.Errorf("%q: another answer", q)
				}
			})
		}
		wg.Wait()
		if got := rank(sample(t), q); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: another answer of another catalog", q)
		}
	}
}

// TestTiesGoByPath: equal files stand in the order of their paths.
func TestTiesGoByPath(t *testing.T) {
	var files []file
	for i := range 9 {
		files = append(files, file{path: fmt.Sprintf("d/f%d.go", 8-i), body: "backoff"})
	}
	got := pathsOf(rank(catalog(t, extras{}, files...), "backoff"))
	if !slices.IsSorted(got) || len(got) != 9 {
		t.Errorf("order %v", got)
	}
}

// TestHintMovesResult: a hint that somebody wrote puts its target first.
func TestHintMovesResult(t *testing.T) {
	files := append(filler(5), file{path: "a.go", body: "quota upload limit"}, file{path: "plan.go", body: "limit"}, file{path: "deep/b.go", body: "x1"})
	before := rank(catalog(t, extras{}, files...), "upload quota")
	target := []artifact.Target{{Kind: artifact.TargetFile, Path: "plan.go"}}
	after := rank(catalog(t, extras{hints: map[string][]artifact.Hint{"": {{Topic: "upload quota", Targets: target}}}}, files...), "upload quota")
	if place(before, "plan.go") != 0 || place(after, "plan.go") == 0 {
		t.Errorf("plan.go is at %d without the hint and %d with it", place(before, "plan.go"), place(after, "plan.go"))
	}
	i := slices.IndexFunc(after.Files[place(after, "plan.go")-1].Reasons, func(r Reason) bool { return r.Signal == "routing hint" && r.Detail == "upload quota" })
	if i < 0 {
		t.Errorf("reasons %+v", after.Files[0].Reasons)
	}
	dir := rank(catalog(t, extras{hints: map[string][]artifact.Hint{"": {{Topic: "upload quota", Targets: []artifact.Target{{Kind: artifact.TargetMap, Path: "deep/" + artifact.MapName}}}}}}, files...), "upload quota")
	if !slices.ContainsFunc(dir.Dirs, func(d DirCandidate) bool { return d.Path == "deep" }) {
		t.Errorf("directories %+v", dir.Dirs)
	}
}

func TestDirs(t *testing.T) {
	r := rank(sample(t), "put blocks when the queue is full")
	if len(r.Dirs) == 0 || r.Dirs[0].Path != "internal/queue" || r.Dirs[0].Score != 1 {
		t.Fatalf("directories %+v", r.Dirs)
	}
	if len(r.Dirs) > 3 {
		t.Errorf("%d directories", len(r.Dirs))
	}
	for i := 1; i < len(r.Dirs); i++ {
		if r.Dirs[i].Score > r.Dirs[i-1].Score {
			t.Errorf("directories out of order: %+v", r.Dirs)
		}
	}
}

// TestDirsAreInOrder: the best has 1, and no other more than one before it.
func TestDirsAreInOrder(t *testing.T) {
	c := sample(t)
	for _, q := range sampleQueries {
		dirs := New(c, Options{MaxDirs: 100}).Rank(parse(q)).Dirs
		for i, d := range dirs {
			if i == 0 && d.Score != 1 || i > 0 && d.Score > dirs[i-1].Score || len(d.Files) == 0 {
				t.Errorf("%q: directory %d: %+v", q, i, d)
			}
		}
	}
}

func TestSymbols(t *testing.T) {
	c := sample(t)
	for q, want := range map[string][]string{
		"Queue.Put":                            {"internal/queue/queue.go Queue", "internal/queue/queue.go Queue.Put"},
		"parseHeader drops a value":            {"internal/http/header.go parseHeader"},
		"backoff with jitter is too short":     {"internal/retry/retry.go backoffWithJitter"},
		"dark colours are not applied":         {"web/src/theme.ts darkColours"},
		"why is the page slow on Mondays":      nil,
		"internal/auth/session.go":             {"internal/auth/session.go Session"},
		"update the README":                    nil,
		"`Do` waits\n\nand `expireTokens` too": {"internal/retry/retry.go Do", "internal/auth/session.go expireTokens"},
	} {
		var got []string
		for _, s := range rank(c, q).Symbols {
			got = append(got, strings.TrimSpace(s.Path+" "+strings.TrimPrefix(s.Container+"."+s.Name, ".")))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q: symbols %q, want %q", q, got, want)
		}
	}
}

// TestArtifactsOnly: the words of maps alone are ranked by the same rules.
func TestArtifactsOnly(t *testing.T) {
	c := catalog(t, extras{artifacts: true, summaries: map[string]string{"net": "Uploads with retries"}},
		file{path: "net/retry.go", symbols: fn("Do", "withBackoff"), doc: "Repeats calls with backoff."},
		file{path: "net/retry_test.go", role: facts.RoleTest, symbols: fn("TestBackoff"), doc: "Backoff test."},
		file{path: "net/upload.go", symbols: fn("Upload")}, file{path: "main.go", symbols: fn("main")}, file{path: "README.md", role: facts.RoleDoc, doc: "Uploads with backoff."})
	r := rank(c, "backoff is too short")
	if len(r.Files) == 0 || r.Files[0].Path != "net/retry.go" || r.Dirs[0].Path != "net" {
		t.Errorf("files %v, directories %+v", pathsOf(r), r.Dirs)
	}
}

func TestConfidence(t *testing.T) {
	c := sample(t)
	for q, want := range map[string]Level{
		"Queue.Put":               High,
		"parseHeader":             High,
		"internal/cache/lru.go":   High,
		"Makefile":                High,
		"sharding":                Medium, // the only file with the only word, which is but its documentation
		"session":                 High,
		"cache":                   High,
		"colours of the web page": High,
		"login form or session":   High, // two of three, and nothing else holds them
		"retry or cache or queue": Low,  // the first has a third of it
		"quantum sharding":        Low,  // half of the words are nowhere
		"sourdough bread put rye": Low,
	} {
		if got := rank(c, q).Confidence; got != want {
			t.Errorf("%q: %s, want %s", q, got, want)
		}
	}
	// Equal files without direct evidence are never certain.
	if r := rank(catalog(t, extras{}, append(filler(9), file{path: "a.go", body: "limit x1"}, file{path: "b.go", body: "limit x1"})...), "why is the upload limit ignored for guests"); r.Confidence == High {
		t.Errorf("two equal files: %s", r.Confidence)
	}
}

// BenchmarkRank ranks an issue in a catalog of 13,000 files.
func BenchmarkRank(b *testing.B) {
	var files []file
	words := strings.Fields("queue put block retry backoff jitter parse header theme colour login session token expire cache evict release")
	for i := range 13_000 {
		w := func(k int) string { return words[(i*7+k*i/3+k)%len(words)] }
		files = append(files, file{
			path: fmt.Sprintf("pkg%d/%s/%s_%d.go", i%97, w(1), w(2), i), symbols: fn(w(3)+"One", w(4)+"Two", "common"),
			body: strings.Join([]string{w(5), w(6), w(7), w(8), "error return value", fmt.Sprint("unique", i)}, " "),
		})
	}
	c := catalog(b, extras{}, files...)
	r := New(c, Options{})
	q := parse("Session token expires while the queue blocks\n\n" + strings.Repeat("The login error says `sessionOne` has no token in pkg3/cache. ", 20) + "\n```\nqueueTwo(put)\n```")
	b.Run("New", func(b *testing.B) {
		for b.Loop() {
			New(c, Options{})
		}
	})
	b.Run("Rank", func(b *testing.B) {
		for b.Loop() {
			if r.Rank(q).NothingMatched {
				b.Fatal("nothing matched")
			}
		}
	})
}

// FuzzRank: any query gets an answer that keeps its promises.
func FuzzRank(f *testing.F) {
	for _, q := range sampleQueries {
		f.Add(q)
	}
	f.Add("Traceback (most recent call last):\n  File \"internal/http/server.go\", line 3, in f\nKeyError")
	f.Add("a/b/c.go:3 x.y.z::q->w #L1 https://github.com/o/r/blob/main/internal/cache/lru.go#L3")
	c := sample(f)
	r := New(c, Options{Names: fakeNames{}})
	f.Fuzz(func(t *testing.T, text string) {
		res := r.Rank(parse(text))
		if res.NothingMatched != (len(res.Files) == 0) || len(res.Files) > res.Matched {
			t.Fatalf("nothing matched is %v with %d of %d files", res.NothingMatched, len(res.Files), res.Matched)
		}
		for i, x := range res.Files {
			if x.Score != x.Score || i > 0 && x.Score > res.Files[i-1].Score {
				t.Fatalf("score %d is %g", i, x.Score)
			}
		}
	})
}
