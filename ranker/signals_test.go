package ranker

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
)

// near tells whether two numbers agree to a thousandth.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-3 }

// filler makes a word rare: without other documents every word is common.
func filler(n int) []file {
	var out []file
	for i := range n {
		out = append(out, file{path: "other/" + string(rune('a'+i)) + "x.go", body: "unrelated filler text"})
	}
	return out
}

func TestSignalTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range signalTable() {
		if s.name == "" || seen[s.name] || s.weight == 0 || s.compute == nil {
			t.Errorf("bad row %q, weight %g", s.name, s.weight)
		}
		seen[s.name] = true
	}
}

// TestSignals checks what each signal measures, by path; "*" stands for any
// positive value.
func TestSignals(t *testing.T) {
	// Shares of a name that two or three files define.
	half, third := 1/math.Sqrt2, 1/math.Sqrt(3)
	for _, c := range []struct {
		name, signal, query string
		files               []file
		extras              extras
		names               NameSearcher
		want                map[string]float64
	}{
		{
			name: "title apart from the text below", signal: "title words", query: "backoff loops\n\nThe jitter is odd.",
			files: append(filler(4), file{path: "a.go", body: "backoff"}, file{path: "b.go", body: "jitter"}),
			want:  map[string]float64{"a.go": 1},
		},
		{
			name: "code apart from the text", signal: "code words", query: "It loops\n\n```\nbackoff(3)\n```\njitter",
			files: append(filler(4), file{path: "a.go", body: "backoff"}, file{path: "b.go", body: "jitter"}),
			want:  map[string]float64{"a.go": 1},
		},
		{
			name: "path words", signal: "path words", query: "why does backoff loop",
			files: append(filler(4), file{path: "net/backoff.go", body: "x1"}, file{path: "b.go", body: "backoff"}),
			want:  map[string]float64{"net/backoff.go": 1},
		},
		{
			name: "definitions, not uses", signal: "defined words", query: "why does backoff loop",
			files: append(filler(4), file{path: "a.go", symbols: fn("newBackoff")}, file{path: "b.go", body: "newBackoff backoff"}),
			want:  map[string]float64{"a.go": 1},
		},
		{
			name: "longest common end wins", signal: "named path", query: "It loops\n\nbroken since pkg/cache/store.go changed",
			files: []file{{path: "src/pkg/cache/store.go"}, {path: "pkg/db/store.go"}, {path: "cache/x.go"}},
			want:  map[string]float64{"src/pkg/cache/store.go": 1},
		},
		{
			name: "ambiguity is shared", signal: "named path", query: "It loops\n\nbroken since store.go changed",
			files: []file{{path: "a/store.go"}, {path: "b/store.go"}},
			want:  map[string]float64{"a/store.go": .5, "b/store.go": .5},
		},
		{
			name: "a bare name means the file at the root", signal: "named path", query: "update README.md now",
			files: []file{{path: "README.md"}, {path: "a/README.md"}},
			want:  map[string]float64{"README.md": 1, "a/README.md": .25},
		},
		{
			name: "only the last component agrees", signal: "named path", query: "It loops\n\nbroken since other/store.go changed",
			files: []file{{path: "a/store.go"}}, want: map[string]float64{"a/store.go": looseMatch},
		},
		{
			name: "foreign leading directories", signal: "named path", query: "It loops\n\nsee /home/u/proj/pkg/store.go there",
			files: []file{{path: "pkg/store.go"}, {path: "db/store.go"}}, want: map[string]float64{"pkg/store.go": 1},
		},
		{
			name: "case of a path", signal: "named path", query: `broken in Src\Store.go`,
			files: []file{{path: "src/store.go"}}, want: map[string]float64{"src/store.go": 1},
		},
		{
			name: "module path without extension", signal: "named path", query: "import x from './lib/frob'",
			files: []file{{path: "src/lib/frob.ts"}, {path: "src/frob.ts"}}, want: map[string]float64{"src/lib/frob.ts": guessedEnd},
		},
		{
			name: "directory and the file that stands for it", signal: "named path", query: "internal/cache",
			files: []file{{path: "internal/cache/a.go"}, {path: "internal/cache/cache.go"}, {path: "cache/b.go"}},
			want:  map[string]float64{"internal/cache/cache.go": guessedEnd, "internal/cache/a.go": .5},
		},
		{
			name: "link to a source browser", signal: "linked file", query: "It loops\n\nsee https://github.com/o/r/blob/main/src/a.go#L10",
			files: []file{{path: "src/a.go"}, {path: "b.go"}}, want: map[string]float64{"src/a.go": 1},
		},
		{
			name: "innermost project frame, python", signal: "stack frame",
			query: "It fails\n\nTraceback (most recent call last):\n  File \"/x/app/main.py\", line 3, in f\n    g()\n  File \"/x/app/db/q.py\", line 5, in g\n    h()\n  File \"/usr/lib/python3/site-packages/req/api.py\", line 9, in h\nKeyError: 'x'",
			files: []file{{path: "app/main.py"}, {path: "app/db/q.py"}, {path: "vendor/req/api.py", role: facts.RoleVendored}},
			want:  map[string]float64{"app/db/q.py": 1, "app/main.py": .5},
		},
		{
			name: "dotted module", signal: "module name", query: "It loops\n\nthe value of pkg.util.clean.run is lost",
			files: []file{{path: "pkg/util/clean.py"}, {path: "tools/clean.py"}}, want: map[string]float64{"pkg/util/clean.py": .5},
		},
		{
			name: "symbol of the title by rarity", signal: "symbol in title", query: "parseRow loops",
			files: []file{{path: "a.go", symbols: fn("parseRow")}, {path: "b.go", symbols: fn("parseRow")}, {path: "c.go", symbols: fn("ParseRow")}, {path: "d.go", body: "parseRow"}},
			want:  map[string]float64{"a.go": third, "b.go": third, "c.go": third * foldedMatch},
		},
		{
			name: "kind of a symbol", signal: "symbol in title", query: "parseRow loops",
			files: []file{{path: "a.go", symbols: fn("parseRow")}, {path: "b.go", symbols: methods("T", "parseRow")}, {path: "c.go", symbols: symbolsOf(facts.KindField, "T", "parseRow")}},
			want:  map[string]float64{"a.go": third, "b.go": third * .6, "c.go": third * .4},
		},
		{
			name: "functions of a trace", signal: "symbol in trace",
			query: "It fails\n\nTraceback (most recent call last):\n  File \"/x/lib/q.py\", line 5, in run_query\n    h()\nKeyError: 'x'",
			files: []file{{path: "a.py", symbols: fn("run_query")}, {path: "b.py", symbols: fn("other")}}, want: map[string]float64{"a.py": 1},
		},
		{
			name: "container and member", signal: "qualified symbol", query: "Queue.Put blocks forever today",
			files: []file{{path: "a.go", symbols: methods("Queue", "Put")}, {path: "b.go", symbols: methods("Stack", "Put")}},
			want:  map[string]float64{"a.go": 1},
		},
		{
			name: "module and member", signal: "qualified symbol", query: "cache.open fails in the new build",
			files: []file{{path: "lib/cache.py", symbols: fn("open")}, {path: "db.py", symbols: fn("open")}},
			want:  map[string]float64{"lib/cache.py": 1},
		},
		{
			name: "one rare name beats a common one", signal: "rare symbol", query: "It loops\n\nin parse_row and to_text",
			files: []file{{path: "a.py", symbols: fn("parse_row")}, {path: "b.py", symbols: fn("to_text")}, {path: "c.py", symbols: fn("to_text")}},
			want:  map[string]float64{"a.py": 1, "b.py": .5, "c.py": .5},
		},
		{
			name: "bare symbol", signal: "definition", query: "parseRow",
			files: []file{{path: "a.go", symbols: fn("parseRow")}, {path: "b.go", symbols: fn("ParseRow")}, {path: "parserow.go", body: "parseRow"}},
			want:  map[string]float64{"a.go": half, "b.go": foldedMatch * half},
		},
		{
			name: "bare qualified symbol", signal: "definition", query: "Queue.Put",
			files: []file{{path: "a.go", symbols: methods("Queue", "Put")}, {path: "b.go", symbols: methods("Stack", "Put")}},
			want:  map[string]float64{"a.go": 1},
		},
		{
			name: "sentence is no bare symbol", signal: "definition", query: "why does parseRow loop",
			files: []file{{path: "a.go", symbols: fn("parseRow")}}, want: map[string]float64{},
		},
		{
			name: "similar name when nothing is called so", signal: "similar name", query: "parseRwo",
			files: []file{{path: "a.go", symbols: fn("parseRow")}, {path: "b.go", symbols: fn("other")}},
			names: fakeNames{"parseRwo": {{"parseRow", .8}}}, want: map[string]float64{"a.go": .8},
		},
		{
			name: "no similar name beside an exact one", signal: "similar name", query: "parseRow",
			files: []file{{path: "a.go", symbols: fn("parseRow")}, {path: "b.go", symbols: fn("parseRows")}},
			names: fakeNames{"parseRow": {{"parseRows", .8}}}, want: map[string]float64{},
		},
		{
			name: "routing hint", signal: "routing hint", query: "how are retries with backoff configured for uploads",
			files: []file{{path: "net/a.go"}, {path: "up/b.go"}, {path: "up/c.go"}, {path: "d.go"}},
			extras: extras{hints: map[string][]artifact.Hint{"": {
				{Topic: "retry and backoff", Targets: []artifact.Target{{Kind: artifact.TargetFile, Path: "net/a.go"}}},
				{Topic: "upload quota", Targets: []artifact.Target{{Kind: artifact.TargetIndex, Path: "up"}}},
				{Topic: "colour themes of the shell", Targets: []artifact.Target{{Kind: artifact.TargetFile, Path: "d.go"}}},
			}}},
			want: map[string]float64{"net/a.go": 1, "up/b.go": .5 * throughDirectory, "up/c.go": .5 * throughDirectory},
		},
		{
			name: "workflow by its description", signal: "workflow", query: "publish the docker image",
			files: []file{{path: "scripts/ship.sh"}, {path: "d.go"}},
			extras: extras{workflows: []artifact.Workflow{
				{Name: "ship", Source: "Makefile", Command: "make ship", Description: "Publish the docker image", Targets: []artifact.Target{{Path: "scripts/ship.sh"}}},
				{Name: "lint", Source: "Makefile", Command: "make lint", Targets: []artifact.Target{{Path: "d.go"}}},
			}},
			want: map[string]float64{"scripts/ship.sh": 1},
		},
		{
			name: "summary of a directory", signal: "directory summary", query: "backoff of uploads",
			files:  []file{{path: "net/a.go", body: "uploads"}, {path: "up/b.go", body: "uploads"}, {path: "net/z.go", body: "other"}},
			extras: extras{summaries: map[string]string{"net": "Backoff and jitter", "up": "Colour themes"}},
			want:   map[string]float64{"net/a.go": idf(3, 1) / (idf(3, 1) + idf(3, 0))},
		},
		{
			name: "source of a matching test", signal: "matching test", query: "backoff jitter",
			files: append(filler(3), file{path: "net/retry.go", body: "sleep"}, file{path: "net/retry_test.go", role: facts.RoleTest, body: "backoff jitter"}, file{path: "db/retry.go", body: "sleep"}),
			want:  map[string]float64{"net/retry.go": 1},
		},
		{
			name: "test prior", signal: "test", query: "backoff of uploads",
			files: []file{{path: "a_test.go", role: facts.RoleTest}, {path: "a.go"}}, want: map[string]float64{"a_test.go": 1},
		},
		{
			name: "test prior falls where tests are asked for", signal: "test", query: "which tests cover backoff",
			files: []file{{path: "a_test.go", role: facts.RoleTest}, {path: "a.go"}}, want: map[string]float64{},
		},
		{
			name: "test prior falls where the test is named", signal: "test", query: "why is a_test.go so slow",
			files: []file{{path: "a_test.go", role: facts.RoleTest}, {path: "b_test.go", role: facts.RoleTest}}, want: map[string]float64{"b_test.go": 1},
		},
		{
			name: "minified files count as generated", signal: "generated", query: "backoff",
			files: []file{{path: "a.js", reason: facts.ReasonMinified}, {path: "b.js", role: facts.RoleGenerated}, {path: "c.js"}},
			want:  map[string]float64{"a.js": 1, "b.js": 1},
		},
		{
			name: "main language by bytes of product code", signal: "main language", query: "backoff",
			files: []file{
				{path: "a.go", size: 9000}, {path: "b.ts", size: 900}, {path: "c.js", size: 100},
				{path: "vendor/d.py", size: 90000, role: facts.RoleVendored}, {path: "e.md", size: 90000, role: facts.RoleDoc},
			},
			want: map[string]float64{"a.go": 1, "b.ts": 1. / 3, "c.js": 1. / 3},
		},
		{
			name: "main language by files where sizes are unknown", signal: "main language", query: "backoff",
			files:  append(filler(4), file{path: "b.ts"}, file{path: "c.md", role: facts.RoleDoc}),
			extras: extras{artifacts: true},
			want:   map[string]float64{"other/ax.go": 1, "other/bx.go": 1, "other/cx.go": 1, "other/dx.go": 1, "b.ts": .5},
		},
		{
			name: "a report's title alone meets the topics of hints", signal: "routing hint",
			query: "Colours are wrong\n\n" + strings.Repeat("We upload and retry with backoff and the quota is gone. ", 8),
			files: []file{{path: "a.go"}, {path: "b.go"}},
			extras: extras{hints: map[string][]artifact.Hint{"": {
				{Topic: "retry and backoff", Targets: []artifact.Target{{Path: "a.go"}}},
				{Topic: "colours", Targets: []artifact.Target{{Path: "b.go"}}},
			}}},
			want: map[string]float64{"b.go": 1},
		},
		{
			name: "running tests asks for no tests", signal: "asked for", query: "how do I run the tests",
			files: []file{{path: "a_test.go", role: facts.RoleTest}, {path: "Makefile", role: facts.RoleBuild}},
			want:  map[string]float64{},
		},
		{
			name: "path alone", signal: "path alone", query: "cache/lru.go",
			files: []file{{path: "internal/cache/lru.go"}, {path: "lru.go"}}, want: map[string]float64{"internal/cache/lru.go": 1},
		},
		{
			name: "a sentence that literals hold", signal: "message",
			query: "It stops\n\nconnection refused after seven attempts\nunrelated words of another sentence",
			files: append(filler(4),
				file{path: "a.go", strings: "connection refused after seven attempts"},
				file{path: "b.go", body: "connection refused after seven attempts"},
				file{path: "c.go", strings: "connection"}),
			want: map[string]float64{"a.go": .2289},
		},
		{
			name: "three words are no message", signal: "message", query: "It stops\n\nconnection refused seven",
			files: append(filler(4), file{path: "a.go", strings: "connection refused seven"}), want: map[string]float64{},
		},
		{
			name: "a definition made of words of the query", signal: "defined phrase", query: "the size of a frame header is wrong",
			files: append(filler(4),
				file{path: "a.go", symbols: fn("FrameHeaderSize")}, file{path: "b.go", symbols: fn("FrameHeaderDump", "frame")},
				file{path: "c.go", symbols: symbolsOf(facts.KindHeading, "", "FrameHeaderSize")}),
			want: map[string]float64{"a.go": 1},
		},
		{
			name: "asked for", signal: "asked for", query: "where is backoff documented",
			files: []file{{path: "a.md", role: facts.RoleDoc}, {path: "vendor/b.md", role: facts.RoleDoc | facts.RoleVendored}, {path: "a.go"}},
			want:  map[string]float64{"a.md": 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := values(t, catalog(t, c.extras, c.files...), Options{Names: c.names}, c.signal, c.query)
			if len(got) != len(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
				return
			}
			for p, v := range c.want {
				if !near(got[p], v) {
					t.Errorf("%s has %.4f, want %.4f", p, got[p], v)
				}
			}
		})
	}
}

type fakeNames map[string][]NameMatch

func (f fakeNames) Search(q string, limit int) []NameMatch { return f[q][:min(len(f[q]), limit)] }

// TestPriors checks that each role holds its file down by its weight.
func TestPriors(t *testing.T) {
	for role, signal := range map[facts.Role]string{
		facts.RoleTest: "test", facts.RoleDoc: "documentation", facts.RoleExample: "example", facts.RoleVendored: "vendored",
		facts.RoleGenerated: "generated", facts.RoleLocale: "translation", facts.RoleDeclaration: "declaration file", facts.RolePackageInit: "package file",
	} {
		c := catalog(t, extras{}, file{path: "a.go", body: "backoff"}, file{path: "b.go", body: "backoff", role: role})
		r := rank(c, "why does backoff loop")
		if got := pathsOf(r); !slices.Equal(got, []string{"a.go", "b.go"}) {
			t.Fatalf("%s: %v", signal, got)
		}
		if got, want := r.Files[1].Score-r.Files[0].Score, weightOf(t, signal); !near(got, want) {
			t.Errorf("%s: difference %.3f, want its weight %.3f", signal, got, want)
		}
	}
}

// TestScoreIsSumOfReasons checks the promise of Candidate.Reasons.
func TestScoreIsSumOfReasons(t *testing.T) {
	c := sample(t)
	for _, q := range sampleQueries {
		for _, f := range rank(c, q).Files {
			sum, positive := 0.0, 0.0
			for _, r := range f.Reasons {
				sum += r.Value * r.Weight
				positive += max(r.Share, 0)
			}
			if !near(sum, f.Score) {
				t.Errorf("%q: %s: reasons add up to %.4f, score %.4f", q, f.Path, sum, f.Score)
			}
			if f.Score > 0 && !near(positive, 1) {
				t.Errorf("%q: %s: shares add up to %.4f", q, f.Path, positive)
			}
			if !slices.IsSortedFunc(f.Reasons, func(a, b Reason) int {
				switch p, q := math.Abs(a.Share), math.Abs(b.Share); {
				case p > q:
					return -1
				case p < q:
					return 1
				}
				return 0
			}) {
				t.Errorf("%q: %s: reasons are not in order", q, f.Path)
			}
		}
	}
}

// TestExpectedScore writes one score out as the sum of named weights.
func TestExpectedScore(t *testing.T) {
	c := catalog(t, extras{}, append(filler(4), file{path: "net/backoff.go", symbols: fn("newBackoff")})...)
	r := rank(c, "backoff")
	// A plain word that is no symbol's name: all words, title, path and
	// definitions at their best, in the main language.
	want := weightOf(t, "words") + weightOf(t, "title words") + weightOf(t, "path words") + weightOf(t, "defined words") + weightOf(t, "main language")
	if len(r.Files) != 1 || !near(r.Files[0].Score, want) {
		t.Errorf("files %v, score %.3f, want %.3f", pathsOf(r), r.Files[0].Score, want)
	}
	var names []string
	for _, x := range r.Files[0].Reasons {
		names = append(names, x.Signal)
	}
	slices.Sort(names)
	if got := strings.Join(names, ", "); got != "defined words, main language, path words, title words, words" {
		t.Errorf("reasons %s", got)
	}
}

// TestBM25F computes one score by hand: two files with the words in their
// bodies only, four without.
func TestBM25F(t *testing.T) {
	c := catalog(t, extras{}, append(filler(4), file{path: "a.go", body: "backoff jitter"}, file{path: "b.go", body: "backoff"})...)
	got := values(t, c, Options{}, "words", "backoff jitter")
	const mean = (4*3 + 2 + 1) / 6.
	tf := func(length float64) float64 {
		v := 1 / (1 - .7 + .7*length/mean)
		return v / (v + saturation)
	}
	backoff, jitter := math.Log(1+(6-2+.5)/2.5), math.Log(1+(6-1+.5)/1.5)
	want := backoff * tf(1) / (backoff*tf(2) + jitter*tf(2))
	if len(got) != 2 || got["a.go"] != 1 || !near(got["b.go"], want) {
		t.Errorf("got %v, want a.go 1 and b.go %.4f", got, want)
	}
}

func TestIntent(t *testing.T) {
	type kinds map[string]float64
	report := "\n\n" + strings.Repeat("It happens every time we run it with real data. ", 10)
	for text, want := range map[string]kinds{
		"which tests cover the queue":                 {"tests": 1},
		"add a regression test for jitter":            {"tests": 1},
		"where is backoff tested":                     {"tests": 1},
		"update the README":                           {"documentation": 1},
		"where is the retry policy documented":        {"documentation": 1},
		"Makefile":                                    {"build and CI": 1},
		"the release workflow fails":                  {"build and CI": 1},
		"fix github actions":                          {"build and CI": 1},
		"change the eslint config":                    {"configuration": .9},
		"add german translations":                     {"translations": .8},
		"workflow scheduler stalls":                   {"build and CI": .2},
		"why does the queue block":                    {},
		"retries are not configured":                  {},
		"Tests fail with a long stack trace" + report: {},
		"Add tests for the queue" + report:            {"tests": inReports},
	} {
		i := intentOf(parse(text))
		got := kinds{}
		for _, k := range i.kinds() {
			if k.strength > 0 {
				got[k.name] = k.strength
			}
		}
		if !maps.EqualFunc(got, want, near) {
			t.Errorf("%.40q asks for %v, want %v", text, got, want)
		}
		if i.any != (len(want) > 0) {
			t.Errorf("%.40q: any is %v", text, i.any)
		}
	}
}
