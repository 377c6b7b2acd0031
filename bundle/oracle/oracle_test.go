package oracle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/tokens"
)

// TestAnswers asks a small repository, as people and agents ask.
func TestAnswers(t *testing.T) {
	f := newFixture(t)
	ask := func(q string) Request { return Request{Action: Ask, Query: q} }
	for _, c := range []struct {
		r     Request
		state State
		says  string   // in the answer
		cites []string // path:line, or path
	}{
		{ask("where is clean defined"), Found, "go/store/store.go:27", []string{"go/store/store.go:27"}},
		{ask("callers of Store.Save?"), Found, "", []string{"go/server/server.go:7", "go/store/store_test.go:6"}},
		{ask("who calls `forgotten`"), Absent, "Nothing in", nil},
		{ask("does anybody call Shop::Registry::addHandler"), Found, "", []string{"php/src/NullHandler.php:8"}},
		{ask("list subclasses of ShopError"), Found, "Retry", []string{"py/shop/errors.py:8"}},
		{ask("any implementaton of Handler"), Found, "NullHandler", []string{"php/src/NullHandler.php:4"}},
		{ask("what breaks if I rename place_order"), Found, "Tests to run", []string{"py/tests/test_orders.py"}},
		{ask("wich tests cover Builder#insert_after"), Found, "", []string{"ruby/spec/shop/builder_spec.rb"}},
		{ask("what is included by c/main.c"), Found, "imports", []string{"c/pool.h"}},
		{ask("which files include c/pool.h"), Found, "", []string{"c/main.c", "c/pool.c"}},
		{ask("who maintains go/store/store.go"), Found, "@gophers", []string{".github/CODEOWNERS:3"}},
		{ask("when did py/shop/orders.py last change and why"), Found, "Raise Gone", []string{"py/shop/orders.py"}},
		{ask("when was DefaultLimit added"), Found, "names DefaultLimit is: 0200000000", []string{"go/store/store.go"}},
		{ask("what is the default limit of orders"), Found, "DefaultLimit", []string{"go/store/store.go:5"}},
		{ask("signature of place_order"), Found, "times: int = 3", []string{"py/shop/orders.py:5"}},
		{ask("js/lib/view.js:17 whats this"), Found, "tryStat", []string{"js/lib/view.js:17"}},
		{ask("py/shop/errors.py:12"), Found, "Gone", []string{"py/shop/errors.py:12"}},
		{ask("go/store/store.go:27"), Found, "clean", []string{"go/store/store.go:27"}},
		{ask("unused functions in go/store/store.go"), Found, "forgotten", []string{"go/store/store.go:29"}},
		{ask("does c/main.c depend on c/pool.h"), Found, "c/main.c uses definitions of c/pool.h", []string{"c/main.c"}},
		{ask("does go/server/server.go use js/lib/app.js"), Absent, "Nothing in", nil},
		{ask("which handlers implement handle"), Found, "handle", []string{"php/src/NullHandler.php:6"}},
		{ask("c/main.c imports?"), Found, "imports 1 file", []string{"c/pool.h"}},
		{ask("where does js/lib/app.js use View"), Found, "In js/lib/app.js it is used in", []string{"js/lib/app.js:6"}},
		{ask("View.prototype.lookup"), Found, "lookup", []string{"js/lib/view.js:13"}},
		{ask("is Vary defined?"), Absent, "Nothing called Vary", nil},
		{ask("how do I run the tests"), Found, "No target of a build file is called so", nil},
		{ask("where is KafkaHandler"), Absent, "Nothing called KafkaHandler", nil},
		{ask("explain lib/nowhere.js"), Absent, "There is no file", nil},
		{ask("what is in go/store"), Found, "directory", []string{"go/store/store.go"}},
		{ask("why are orders without a name Gone"), Found, "Raise Gone", []string{"py/shop/orders.py"}},
		{Request{Action: Symbol, Symbol: "(*Store).Save"}, Found, "method of Store", []string{"go/store/store.go:22", "go/server/server.go:7"}},
		{Request{Action: Symbol, Symbol: "Handler.handle"}, Found, "", []string{"php/src/Handler.php:6", "php/src/NullHandler.php:6"}},
		{Request{Action: Symbol, Symbol: "handle", File: "php/src/NullHandler.php", Line: 6}, Found, "", []string{"php/src/NullHandler.php:6"}},
		{Request{Action: Symbol, Symbol: "Save", File: "go/store/store.go", Line: 22}, Found, "Store", []string{"go/store/store.go:22"}},
		{Request{Action: Symbol, Symbol: "Registry.nothing"}, Absent, "Nothing called", nil},
		{Request{Action: File, File: "c/pool.h"}, Found, "POOL_free", []string{"c/pool.c", "c/main.c"}},
		{Request{Action: File, File: "go"}, Found, "directory", []string{"go/store"}},
		{Request{Action: File, File: "py/none.py"}, Absent, "There is no file", nil},
		{Request{Action: Diagnostics, Scope: "docs/**"}, Found, "2 files of the scope were not analysed (2 binary)", []string{"docs/logo.png", "docs/data.bin"}},
		{Request{Action: Diagnostics, Scope: "py/*.py"}, Found, "error", []string{"py/broken.py"}},
		{Request{Action: Diagnostics, Scope: "js/**"}, Found, "warning", []string{"js/lib/view.js:4"}},
		{Request{Action: Diagnostics, Scope: "go/**"}, Absent, "nothing was found", nil},
		{Request{Action: Diagnostics, Scope: "rust/**"}, Absent, "No file", nil},
		{Request{Action: EditImpact, Symbol: "Retry"}, Found, "must follow: Gone", []string{"py/shop/errors.py:12"}},
		{Request{Action: EditImpact, Symbol: "Store.Save"}, Found, "Owners: @gophers", []string{"go/server/server.go:7", ".github/CODEOWNERS:3"}},
		{Request{Action: EditImpact, Change: []Touched{{File: "py/shop/orders.py", StartLine: 6, EndLine: 6}}}, Found, "1 definition", []string{"py/tests/test_orders.py"}},
		{Request{Action: EditImpact, Symbol: "nobody_knows"}, Absent, "Nothing called", nil},
	} {
		name := string(c.r.Action) + " " + c.r.Query + c.r.Symbol + c.r.File + c.r.Scope
		a, err := f.oracle(4000).Answer(c.r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if a.Coverage.State != c.state {
			t.Errorf("%s: %s, not %s: %s", name, a.Coverage.State, c.state, a.Answer)
		}
		if !strings.Contains(a.Answer, c.says) {
			t.Errorf("%s does not say %q: %s", name, c.says, a.Answer)
		}
		for _, want := range c.cites {
			if !cites(a, want) {
				t.Errorf("%s does not cite %s: %s\n%+v", name, want, a.Answer, places(a))
			}
		}
	}
}

func cites(a *Answer, place string) bool {
	return slices.ContainsFunc(a.Evidence, func(e Evidence) bool {
		file, line, at := strings.Cut(place, ":")
		if e.File != file || !at {
			return e.File == file
		}
		if e.Range == nil {
			return false
		}
		n := 0
		for _, c := range line {
			n = 10*n + int(c-'0')
		}
		return e.Range.StartLine <= n && n <= e.Range.EndLine
	})
}

func places(a *Answer) (out []string) {
	for _, e := range a.Evidence {
		s := e.File
		if e.Range != nil {
			s += ":" + string(rune('0'+e.Range.StartLine/10)) + string(rune('0'+e.Range.StartLine%10))
		}
		out = append(out, s+" "+e.Detail)
	}
	return out
}

func TestBadRequests(t *testing.T) {
	o := newFixture(t).oracle(0)
	for _, r := range []Request{
		{}, {Action: "guess"}, {Action: Ask}, {Action: Ask, Query: "  "}, {Action: Symbol}, {Action: File}, {Action: EditImpact},
		{Action: File, File: "../x"}, {Action: File, File: "/etc/passwd"}, {Action: Symbol, Symbol: "x", Line: -1},
		{Action: Symbol, File: "c/pool.h", Line: 999}, {Action: Diagnostics, Scope: "[a-"}, {Action: Diagnostics, Scope: "../**"},
		{Action: Symbol, Symbol: strings.Repeat("x", maxField+1)}, {Action: Ask, Query: strings.Repeat("x", maxQuery+1)},
		{Action: EditImpact, File: "none.go"}, {Action: EditImpact, Change: []Touched{{File: "none.go"}}},
	} {
		if a, err := o.Answer(r); !errors.Is(err, ErrRequest) {
			t.Errorf("%.60s %.60s: %v, %v", r.Action, r.Query+r.Symbol+r.File, a, err)
		}
	}
}

// randomRequest asks something about what is there, and about what is not.
func randomRequest(r *rand.Rand) Request {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	names := []string{"Save", "Store.Save", "Store", "New", "clean", "forgotten", "DefaultLimit", "ShopError", "Retry", "place_order", "handle", "Handler", "Registry::addHandler", "Builder#insert_after",
		"View.prototype.lookup", "tryStat", "POOL_create", "POOL_ctx", "nobody_knows", "KafkaHandler", "Shop\\Registry", "x"}
	files := []string{"go/store/store.go", "go/server/server.go", "py/shop/errors.py", "py/broken.py", "js/lib/view.js", "c/pool.h", "docs/logo.png", "docs/README.md", "py", "none/x.go", ".github/CODEOWNERS"}
	name, file := pick(names...), pick(files...)
	switch r.IntN(6) {
	case 0:
		return Request{Action: Symbol, Symbol: name}
	case 1:
		return Request{Action: File, File: file}
	case 2:
		return Request{Action: Diagnostics, Scope: pick("**", "docs/**", "py/*.py", "js/**", "go/**", "none/**", "*.png", file)}
	case 3:
		return Request{Action: EditImpact, Symbol: name}
	case 4:
		return Request{Action: Symbol, Symbol: name, File: file, Line: r.IntN(5)}
	}
	return Request{Action: Ask, Query: pick("where is %", "callers of %?", "who uses `%`", "what implements %", "what is in %", "why does % fail", "which tests cover %", "what changed in %", "how does % work",
		"what does % import", "who owns %", "errors in %", "what breaks if I rename %", "%", "explain %", "is % dead code", "when was % added", "the % default limit", "%:3 whats this", "rate limiting near %")}.with(pick(name, file))
}

func (r Request) with(x string) Request {
	r.Query = strings.ReplaceAll(r.Query, "%", x)
	return r
}

// TestAnswersAreBoundedAndCited holds for every question and every budget: an
// answer is never longer than it may be, what is not absent is cited, and the
// state is one of three.
func TestAnswersAreBoundedAndCited(t *testing.T) {
	f := newFixture(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		request := randomRequest(r)
		budget := 100 + r.IntN(500)
		if r.IntN(4) == 0 {
			budget = 100 + r.IntN(20)
		}
		a, err := f.oracle(budget).Answer(request)
		if err != nil {
			if !errors.Is(err, ErrRequest) {
				t.Fatalf("%+v: %v", request, err)
			}
			continue
		}
		if n := tokens.Estimate(string(encode(a))); n > budget || a.TokenEstimate > budget {
			t.Errorf("%+v: %d tokens, said to be %d, of %d: %s", request, n, a.TokenEstimate, budget, encode(a))
		}
		if a.Coverage == nil {
			t.Errorf("%+v of %d tokens: no coverage", request, budget)
			continue
		}
		if s := a.Coverage.State; s != Found && s != Absent && s != NotAnalysed {
			t.Errorf("%+v: state %q", request, s)
		}
		if a.Coverage.State != Absent && !slices.ContainsFunc(a.Evidence, func(e Evidence) bool { return e.File != "" }) {
			t.Errorf("%+v of %d tokens is %s and cites nothing: %s", request, budget, a.Coverage.State, encode(a))
		}
		if a.Confidence != High && a.Confidence != Medium && a.Confidence != Low {
			t.Errorf("%+v: confidence %q", request, a.Confidence)
		}
		if a.Answer == "" {
			t.Errorf("%+v: says nothing", request)
		}
		if b, err := f.oracle(budget).Answer(request); err != nil || string(encode(a)) != string(encode(b)) {
			t.Errorf("%+v: two answers", request)
		}
	}
}
