package mapgen_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func pair(dirs ...string) []string {
	var out []string
	for _, d := range dirs {
		if d != "" {
			d += "/"
		}
		out = append(out, d+".pi-map.index.md", d+".pi-map.md")
	}
	slices.Sort(out)
	return out
}

// TestEdits lists edits and all the pages that they may change.
func TestEdits(t *testing.T) {
	base := shop(t)
	before := base.pages(t)
	insert := func(p, at, text string) repo {
		if !strings.Contains(base[p], at) {
			t.Fatalf("%s has no %q", p, at)
		}
		return base.with(repo{p: strings.Replace(base[p], at, at+text, 1)})
	}
	for _, c := range []struct {
		name string
		repo repo
		want []string // may change
		must []string // has to change
	}{
		{"statement in a Go function", insert("internal/queue/queue.go", "func (q *Queue) Len() int {\n", "\tvar cache = map[string]int{}\n\t_ = cache\n"), nil, nil},
		{"closure and local type in a Go function", insert("internal/queue/queue.go", "func New(size int) *Queue {\n", "\ttype local struct{ a int }\n\tf := func(b local) int { return b.a }\n\t_ = f\n"), nil, nil},
		{"call of another package in a Go function", insert("cmd/server/main.go", "q := queue.New(8)\n", "\tfmt.Println(queue.ErrFull)\n"), nil, nil},
		{"import inside a Python function", insert("py/src/shoplib/client.py", "Fetch a path.\"\"\"\n", "        from shoplib import errors\n        def inner(): pass\n"), nil, nil},
		{"attribute set in a Python method", insert("py/src/shoplib/client.py", "self.url = url\n", "        self.other = {}\n"), nil, nil},
		{"statement in a TypeScript method", insert("web/src/cart.ts", "this.items.push(item)\n", "    const helper = async (x: number) => { class Inner { run() {} } ; return x }\n    void helper(1)\n"), nil, nil},
		{"require inside a TypeScript arrow function", insert("web/src/cart.ts", "(): Cart => {\n", "  const t = require('./types')\n"), nil, nil},
		{"test case", insert("internal/queue/queue_test.go", "import \"testing\"\n", "\nfunc TestMore(t *testing.T) {}\n"), nil, nil},
		{"exported Go function", insert("internal/queue/queue.go", "package queue\n", "\nfunc Added() {}\n"), pair("internal/queue"), []string{"internal/queue/.pi-map.md"}},
		{"exported Python function", insert("py/src/shoplib/wire.py", "T = 1\n", "\n\ndef added() -> None:\n    pass\n"), pair("py/src/shoplib"), []string{"py/src/shoplib/.pi-map.md"}},
		{"exported TypeScript function", insert("web/src/price.ts", "'./types'\n", "\nexport function added() {}\n"), pair("web/src"), []string{"web/src/.pi-map.md"}},
		{"import of another directory", insert("web/src/__tests__/cart.spec.ts", "'../cart'\n", "import { total } from '../price'\n"), pair("web/src/__tests__"), pair("web/src/__tests__")[1:]},
		{"new Go package that imports others", base.with(repo{"internal/stock/stock.go": "package stock\n\nimport \"example.com/shop/internal/queue\"\n\nvar Q = queue.New(1)\n"}), pair("internal", "internal/stock"), pair("internal/stock")},
		{"new program", base.with(repo{"cmd/tool/main.go": "package main\n\nfunc main() {}\n"}), pair("cmd", "cmd/tool"), pair("cmd/tool")},
		{"new Python package", base.with(repo{"py/src/shoplib/admin/__init__.py": "from shoplib.client import Client\n"}), pair("py/src/shoplib", "py/src/shoplib/admin"), pair("py/src/shoplib/admin")},
		{"new TypeScript directory", base.with(repo{"web/src/ui/button.ts": "import { Cart } from '@/cart'\nexport class Button { cart = new Cart() }\n"}), pair("web/src", "web/src/ui"), pair("web/src/ui")},
		{"directory removed", base.with(repo{"docs/guide.md": ""}), pair("", "docs"), pair("docs")},
		{"vendored file", base.with(repo{"node_modules/left-pad/index.js": "module.exports = 2\n"}), nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := changed(before, c.repo.pages(t))
			for _, p := range got {
				if !slices.Contains(c.want, p) {
					t.Errorf("%s changes too:\n%s", p, c.repo.pages(t)[p])
				}
			}
			for _, p := range c.must {
				if !slices.Contains(got, p) {
					t.Errorf("%s does not change", p)
				}
			}
		})
	}
}

// TestBodies puts statements of many kinds at the start of every function body
// of the repository, at random, and expects no page to change.
func TestBodies(t *testing.T) {
	base := shop(t)
	before := base.pages(t)
	statements := map[string][]string{
		"go":         {"x := 1; _ = x;", "func() { type T struct{}; var t T; _ = t }();", "for i := range 3 { _ = i };", "const k = 2;", "switch v := any(1).(type) { case int: _ = v };"},
		"python":     {"x = 1", "import os", "from shoplib import wire as w", "def inner(a): return a", "class Local: pass", "global G", "y = [i for i in range(3)]", "z = lambda q: q"},
		"typescript": {"const x = 1;", "function inner() { return 1 }", "class Local { run() {} }", "const f = async (a: number) => a;", "const m = require('./types');", "void import('./price');", "type Here = string;", "enum E { A }"},
	}
	r := rand.New(rand.NewPCG(5, 5))
	entries := base.facts()
	edits := 0
	for range 60 {
		edited := repo{}
		for i := range entries {
			e := &entries[i]
			list := statements[e.File.Language]
			if len(list) == 0 || r.IntN(2) == 0 {
				continue
			}
			text := base[e.Path]
			// From the end, so that earlier places stay where they are.
			for k := len(e.File.Symbols) - 1; k >= 0; k-- {
				s := &e.File.Symbols[k]
				at := bodyStart(e.File.Language, text, s)
				if at < 0 || r.IntN(2) == 0 {
					continue
				}
				edits++
				statement := list[r.IntN(len(list))]
				if e.File.Language == "python" {
					line := text[at:]
					indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
					statement = indent + statement + "\n"
				}
				text = text[:at] + statement + text[at:]
			}
			edited[e.Path] = text
		}
		if got := changed(before, base.with(edited).pages(t)); len(got) > 0 {
			t.Fatalf("edited bodies change %v:\n%s", got, describe(edited))
		}
	}
	if edits < 200 {
		t.Errorf("only %d bodies edited", edits)
	}
}

// bodyStart finds where the body of a function begins, -1 for none.
func bodyStart(language, text string, s *facts.Symbol) int {
	if s.Kind != facts.KindFunction && s.Kind != facts.KindMethod && s.Kind != facts.KindConstructor {
		return -1
	}
	whole := text[s.Span.Start:s.Span.End]
	mark := "{\n"
	if language == "python" {
		mark = ":\n"
	}
	i := strings.Index(whole, mark)
	if i < 0 || strings.Contains(whole[:i], "\n") && language != "python" {
		return -1
	}
	at := int(s.Span.Start) + i + len(mark)
	if language == "python" && strings.HasPrefix(strings.TrimLeft(text[at:], " "), `"""`) {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at
}

func describe(r repo) string {
	var b strings.Builder
	for p, text := range r {
		fmt.Fprintf(&b, "-- %s --\n%s", p, text)
	}
	return b.String()
}
