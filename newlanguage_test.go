package projectmap_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tiny is the folder of a made-up language: "def name: what it does" defines,
// "call name" calls, "use path" imports.
const tiny = `// Package tiny reads a made-up language.
package tiny

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{Name: "tiny", Version: 1, Extensions: []string{".tiny"}, Interpreters: []string{"tiny"}, Extract: extract}
}

func extract(b *lang.Builder) {
	at, open := uint32(0), int32(-1)
	for line := range bytes.Lines(b.Source) {
		word, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		start := at + uint32(len(word)) + 1
		switch word {
		case "def":
			name, doc, _ := strings.Cut(rest, ": ")
			open = b.Symbol(facts.Symbol{
				Name: name, Kind: facts.KindFunction, Signature: "def " + name, Doc: doc,
				Span: facts.Span{Start: at, End: at + uint32(len(line))}, NameSpan: facts.Span{Start: start, End: start + uint32(len(name))},
			})
		case "call":
			b.Within(open, func() { b.Reference(facts.RefCall, rest, "", start) })
		case "use":
			b.Import(facts.Import{Module: rest}, at)
		}
		at += uint32(len(line))
	}
}
`

// A language is one folder and one line in the table: with both in place of what
// is on disk, the program reads, maps and finds a language that nobody knew, by
// extension and by "#!" line, with its imports and tests.
func TestNewLanguageIsOneFolderAndOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("links the program")
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	table := filepath.Join(root, "indexer", "lang", "all", "all.go")
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	// The line of the table, and the import that it needs.
	line := regexp.MustCompile(`(?m)^\t\ttoml\.Language\(\),\n`)
	use := regexp.MustCompile(`(?m)^\t"[^"\n]*/indexer/lang/toml"\n`)
	changed := line.ReplaceAllString(string(text), "${0}\t\ttiny.Language(),\n")
	changed = use.ReplaceAllString(changed, "${0}\t\"github.com/project-map/project-map/indexer/lang/tiny\"\n")
	if strings.Count(changed, "\n") != strings.Count(string(text), "\n")+2 {
		t.Fatalf("%s has another shape than this test knows", table)
	}
	write := func(name, text string) string {
		p := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		table: write("new/all.go", changed),
		filepath.Join(root, "indexer", "lang", "tiny", "tiny.go"): write("new/tiny.go", tiny),
	}})
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(tmp, "project-map")
	run := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "XDG_CONFIG_HOME="+tmp)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(root, "go", "build", "-overlay", write("overlay.json", string(overlay)), "-o", program, "./cmd/project-map")

	repo := filepath.Join(tmp, "repo")
	write("repo/shop/order.tiny", "def place_order: places an order\nuse ../stock/store\ncall reserve\n")
	write("repo/stock/store.tiny", "def reserve: takes goods off the shelf\n")
	write("repo/stock/store_test.tiny", "def test_reserve: checks it\nuse ./store\n")
	write("repo/stock/run", "#!/usr/bin/env tiny\ndef start: starts the shop\n")
	run(repo, "git", "init", "-q")
	run(repo, "git", "add", ".")
	run(repo, program, "index", "--worktree", "-q")

	page := func(name string) string {
		text, err := os.ReadFile(filepath.Join(repo, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, want := range []struct{ page, text string }{
		{"shop/.pi-map.md", "### `order.tiny` tiny"},
		{"shop/.pi-map.md", "function `def place_order` — places an order"},
		{"shop/.pi-map.md", "Imports: `stock/store.tiny`"},
		{"shop/.pi-map.md", "`stock`"},
		{"stock/.pi-map.md", "`store_test.tiny` tiny; test"},
		{"stock/.pi-map.md", "function `def start` — starts the shop"},
		{"stock/.pi-map.md", "Tested by: `stock/store_test.tiny`"},
	} {
		if !strings.Contains(page(want.page), want.text) {
			t.Errorf("%s does not say %q:\n%s", want.page, want.text, page(want.page))
		}
	}
	if got := run(repo, program, "context", "where are goods taken off the shelf"); !strings.Contains(got, "stock/store.tiny") {
		t.Errorf("the answer does not name stock/store.tiny:\n%s", got)
	}
}
