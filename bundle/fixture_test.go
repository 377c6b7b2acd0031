package bundle

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
)

// fixture is a made-up revision: what its files say and their text.
type fixture struct {
	files   map[string]*facts.Entry
	text    map[string]string
	dirs    map[string]string // summaries of the directories with a pair
	imports map[string][]string
	meta    func(*store.Meta)
	catalog *store.Catalog
}

func (f *fixture) build(t testing.TB) *store.Catalog {
	t.Helper()
	var paths []string
	for p := range f.files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	b := store.NewBuilder(paths)
	shard := b.NewShard()
	for i, p := range paths {
		e := f.files[p]
		e.Path = p
		if e.File == nil {
			e.File = &facts.File{}
		}
		b.Set(i, e)
		var targets []int
		for _, q := range f.imports[p] {
			targets = append(targets, slices.Index(paths, q))
		}
		b.SetImports(i, targets)
		counts := map[string]uint16{}
		var order []string
		for _, w := range words.Of(f.text[p]) {
			if counts[w] == 0 {
				order = append(order, w)
			}
			counts[w]++
		}
		for _, w := range order {
			var c [facts.NumFields]uint16
			c[facts.FieldBody] = counts[w]
			shard.AddTerm(i, w, c)
		}
	}
	for i, d := range b.Dirs() {
		if s, ok := f.dirs[d.Path]; ok {
			b.SetDir(i, s, nil, true)
		}
	}
	if f.meta != nil {
		f.meta(b.Meta())
	}
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	c, err := store.OpenCatalog(data)
	if err != nil {
		t.Fatal(err)
	}
	f.catalog = c
	return c
}

// ReadSource makes a fixture a SourceReader.
func (f *fixture) ReadSource(p string) ([]byte, error) {
	if s, ok := f.text[p]; ok {
		return []byte(s), nil
	}
	return nil, errors.New("no such file")
}

func sourceFile(language, summary string, role facts.Role, symbols ...facts.Symbol) *facts.Entry {
	f := &facts.File{Summary: summary, Depth: facts.Parsed, Symbols: symbols}
	all.Table().Describe(f, language)
	return &facts.Entry{Role: role, File: f}
}

func definition(name string, kind facts.Kind, signature string, line, end uint32) facts.Symbol {
	return facts.Symbol{Name: name, Kind: kind, Signature: signature, Line: line, EndLine: end, Parent: -1}
}

const validateSource = `// Checks signatures.
import { hash } from "./hash"

const limit = 100

export function validateMaps(maps: Map[]): Report {
  const stale = maps.filter((m) => isStale(m))
  const token = "ghp_` + `abcdefghijklmnopqrstuvwxyz0123456789"
  return report(stale)
}

function isStale(m: Map): boolean {
  // a stale signature no longer matches its source
  return m.signature !== hash(m.source)
}
`

// plainFixture is the repository of the representative bundle.
func plainFixture(t testing.TB) *fixture {
	f := &fixture{
		files: map[string]*facts.Entry{
			"AGENTS.md":     sourceFile("markdown", "How to work here.", facts.RoleDoc),
			"Makefile":      sourceFile("makefile", "", facts.RoleBuild),
			"src/AGENTS.md": sourceFile("markdown", "How to work on the sources.", facts.RoleDoc),
			"src/validate.ts": sourceFile("typescript", "Checks signatures.", 0,
				definition("validateMaps", facts.KindFunction, "function validateMaps(maps: Map[]): Report", 6, 10),
				definition("isStale", facts.KindFunction, "function isStale(m: Map): boolean", 12, 15)),
			"src/hash.ts":            sourceFile("typescript", "", 0),
			"src/ast/ast-extract.ts": sourceFile("typescript", "Extracts declarations.", 0),
			"tests/validate.test.ts": sourceFile("typescript", "", facts.RoleTest),
			"docs/notes.txt": {Role: facts.RoleDoc, File: &facts.File{
				Depth: facts.Words, Reason: facts.ReasonNoExtractor,
			}},
		},
		text: map[string]string{
			"src/validate.ts":        validateSource,
			"src/hash.ts":            "export const hash = (s: string) => s\n",
			"tests/validate.test.ts": "test(\"stale\", () => {\n  expect(validateMaps([])).toEqual([])\n})\n",
		},
		dirs: map[string]string{"": "Maps of repositories.", "src": "The library.", "tests": ""},
		meta: func(m *store.Meta) {
			m.Instructions = []string{"AGENTS.md", "docs/AGENTS.md", "src/AGENTS.md"}
			m.Workflows = []artifact.Workflow{
				{Name: "build", Source: "Makefile", Command: "make build"},
				{Name: "test", Source: ".github/workflows/ci.yml"},
				{Name: "test", Source: "Makefile", Command: "make test"},
			}
		},
	}
	f.build(t)
	return f
}

// result ranks the paths in the order given.
func (f *fixture) result(t testing.TB, level ranker.Level, dirs []string, paths ...string) *ranker.Result {
	t.Helper()
	r := &ranker.Result{Confidence: level, Matched: len(paths)}
	for i, p := range paths {
		doc, ok := f.catalog.DocByPath(p)
		if !ok {
			t.Fatalf("no file %q", p)
		}
		r.Files = append(r.Files, ranker.Candidate{Doc: doc, Path: p, Score: 10 / float64(i+1), Reasons: []ranker.Reason{
			{Signal: "title words", Value: 1, Weight: 2, Share: .625, Detail: "stale, valid"},
			{Signal: "test", Value: 1, Weight: -4, Share: -.125},
		}})
	}
	for i, p := range dirs {
		n, ok := f.catalog.DirByPath(p)
		if !ok {
			t.Fatalf("no directory %q", p)
		}
		d := ranker.DirCandidate{Dir: n, Path: p, Score: 1 / float64(i+1)}
		for _, c := range r.Files {
			if f.catalog.Doc(c.Doc).Dir == n {
				d.Files = append(d.Files, c.Doc)
			}
		}
		r.Dirs = append(r.Dirs, d)
	}
	return r
}

func (f *fixture) symbols(r *ranker.Result, names ...string) *ranker.Result {
	for _, n := range names {
		for _, s := range f.catalog.SymbolsNamed(n) {
			r.Symbols = append(r.Symbols, ranker.SymbolCandidate{Symbol: s, Path: f.catalog.Path(s.Doc), Score: 1, Match: n})
		}
	}
	return r
}

var usualFiles = []string{"src/validate.ts", "src/ast/ast-extract.ts", "tests/validate.test.ts", "docs/notes.txt"}

func (f *fixture) usual(t testing.TB) *ranker.Result {
	return f.symbols(f.result(t, ranker.High, []string{"src", "src/ast", "tests"}, usualFiles...), "validateMaps", "isStale")
}

// section returns the lines of a section, nil if there is none.
func section(markdown, title string) []string {
	_, rest, ok := strings.Cut(markdown, "\n## "+title+"\n")
	if !ok {
		return nil
	}
	if i := strings.Index(rest, "\n\n## "); i >= 0 {
		rest = rest[:i+1]
	}
	return strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
}
