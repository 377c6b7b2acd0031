package dirfacts

import (
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/xref"
)

func TestIsSentence(t *testing.T) {
	for s, want := range map[string]bool{
		"Package queue is a queue.":     true,
		"Core API -----":                false,
		"===== Section one two =====":   false,
		"@vue/reactivity":               false,
		"A simple framework":            true,
		"":                              false,
		"这是一个队列":                        true,
		"x y z":                         false,
		"http://example.com/a/b/c/d":    false,
		"Ce fichier décrit la commande": true,
	} {
		if got := isSentence(s); got != want {
			t.Errorf("isSentence(%q) = %v", s, got)
		}
	}
}

func TestTestedName(t *testing.T) {
	for name, want := range map[string]string{
		"queue_test.go": "queue", "test_queue.py": "queue", "queue.spec.ts": "queue", "queue.test.tsx": "queue",
		"QueueTest.java": "queue", "QueueTests.cs": "queue", "queue_spec.rb": "queue", "queue-test.js": "queue",
		"Latest.java": "", "contest.py": "", "a/tests/contest.py": "contest", "test/router.js": "router", "benchmarks/router.js": "",
	} {
		if got := testedName(name); got != want {
			t.Errorf("testedName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestIsTestName(t *testing.T) {
	for name, want := range map[string]bool{
		"TestPut": true, "test_put": true, "BenchmarkX": true, "FuzzParse": true, "ExampleQueue_Put": true, "Test": true, "QueueTest": true,
		"Testing": false, "testify": false, "tester": false, "makeQueue": false, "Example": true, "examples": false, "": false,
	} {
		if got := isTestName(name); got != want {
			t.Errorf("isTestName(%q) = %v", name, got)
		}
	}
}

// source is a parsed file with public functions.
func source(p, language, summary string, role facts.Role, names ...string) facts.Entry {
	f := &facts.File{Depth: facts.Parsed, Summary: summary}
	all.Table().Describe(f, language)
	for _, n := range names {
		f.Symbols = append(f.Symbols, facts.Symbol{Name: n, Kind: facts.KindFunction, Parent: -1})
	}
	return facts.Entry{Path: p, Role: role, File: f}
}

func fold(t *testing.T, files ...facts.Entry) map[string]Directory {
	t.Helper()
	slices.SortFunc(files, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	out := map[string]Directory{}
	for _, d := range Fold(Input{Files: files, Imports: make([][]xref.Target, len(files))}) {
		out[d.Path] = d
	}
	return out
}

func TestSummaryPrefersWhatDocumentsTheWhole(t *testing.T) {
	readme := source("a/README.md", "markdown", "Read me first, please.", facts.RoleDoc)
	manifest := source("a/package.json", "json", "A package of things.", facts.RoleConfig|facts.RoleBuild)
	manifest.File.Package = "@x/a"
	title := source("a/package.json", "json", "@x/a", facts.RoleConfig|facts.RoleBuild)
	title.File.Package = "@x/a"
	index := source("a/index.ts", "typescript", "Everything that users need.", facts.RolePackageInit)
	banner := source("a/index.ts", "typescript", "---- Core API ----", facts.RolePackageInit)
	code, more := source("a/code.ts", "typescript", "", 0), source("a/more.ts", "typescript", "Helps a little bit.", 0)
	for _, c := range []struct {
		name  string
		files []facts.Entry
		want  string
	}{
		{"package documentation", []facts.Entry{readme, manifest, index, code}, "Everything that users need."},
		{"manifest before README", []facts.Entry{readme, manifest, banner, code}, "A package of things."},
		{"a name is no description", []facts.Entry{readme, title, code, more}, "Read me first, please."},
		{"name of the package", []facts.Entry{title, code, more}, "TypeScript package @x/a"},
		{"one documented source of several", []facts.Entry{code, more}, "TypeScript sources"},
		{"the only source", []facts.Entry{more}, "Helps a little bit."},
		{"generated sources do not count", []facts.Entry{source("a/x.go", "go", "Package x is generated.", facts.RoleGenerated), code}, "TypeScript sources"},
	} {
		if got := fold(t, c.files...)["a"].Map.Summary; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNotes(t *testing.T) {
	exports := source("a/index.ts", "typescript", "", facts.RolePackageInit)
	exports.File.Exports = []facts.Export{{Name: "*", Module: "./x"}, {Name: "ref"}, {Name: "default"}}
	types := source("a/t.go", "go", "", 0, "run", "T", "T_shell", "Stop")
	types.File.Symbols = append(types.File.Symbols, facts.Symbol{Name: "Queue", Kind: facts.KindStruct, Parent: -1},
		facts.Symbol{Name: "hidden", Kind: facts.KindStruct, Parent: -1, Visibility: facts.Private})
	for _, c := range []struct {
		entry facts.Entry
		want  string
	}{
		{exports, "ref"},
		{types, "Queue, run, Stop"},
		{source("a/many.go", "go", "", 0, "aa", "bb", "cc", "dd", "ee"), "aa, bb, cc, dd"},
		{source("a/doc.go", "go", "Package a does it.", 0, "aa"), "Package a does it."},
		{source("a/banner.go", "go", "-----", 0, "aa"), "aa"},
		{source("a/a_test.go", "go", "", facts.RoleTest, "TestA"), "test"},
		{source("a/x.go", "go", "", 0), ""},
	} {
		if got := noteOf(&c.entry); got != c.want {
			t.Errorf("%s: %q, want %q", c.entry.Path, got, c.want)
		}
	}
}

func TestRelatedTestsAreTheNearest(t *testing.T) {
	files := []facts.Entry{
		source("a/fs.go", "go", "", 0),
		source("a/fs_test.go", "go", "", facts.RoleTest),
		source("b/deep/fs.go", "go", "", 0),
		source("py/src/app.py", "python", "", 0),
		source("py/tests/test_app.py", "python", "", facts.RoleTest),
		source("web/app.ts", "typescript", "", 0),
		source("web/app.spec.tsx", "tsx", "", facts.RoleTest),
		source("py/src/__init__.py", "python", "", 0),
		source("py/tests/__init__.py", "python", "", facts.RoleTest),
		source("src/main/java/p/Foo.java", "java", "", 0),
		source("src/test/java/p/FooTest.java", "java", "", facts.RoleTest),
	}
	got := relatedTests(files)
	if got[2] != nil {
		t.Errorf("a test of another package is related: %q", got[2])
	}
	if got[7] != nil {
		t.Errorf("a test is related by a name that every package has: %q", got[7])
	}
	for i, want := range map[int]string{0: "a/fs_test.go", 3: "py/tests/test_app.py", 5: "web/app.spec.tsx", 9: "src/test/java/p/FooTest.java"} {
		if !slices.Equal(got[i], []string{want}) {
			t.Errorf("%s: %q, want %q", files[i].Path, got[i], want)
		}
	}
}

func TestHintsRouteToChildren(t *testing.T) {
	dirs := fold(t,
		source("Makefile", "makefile", "", facts.RoleBuild),
		source(".gitignore", "", "", facts.RoleConfig),
		source("cmd/tool/main.go", "go", "", 0),
		source("docs/guide.md", "markdown", "A guide to it.", facts.RoleDoc),
		source("lib/x.py", "python", "", 0),
		source("testdata/case.json", "json", "", facts.RoleTest),
		source("tests/test_x.py", "python", "", facts.RoleTest, "test_x"),
		source("more/check.py", "python", "", facts.RoleTest, "check"),
	)
	var got []string
	for _, h := range dirs[""].Index.Hints {
		for _, target := range h.Targets {
			got = append(got, h.Topic+" "+target.Kind.String()+" "+target.Path)
		}
	}
	want := []string{
		"build and CI files Makefile", "configuration files .gitignore", "documentation index docs/.pi-map.index.md",
		"start of the program index cmd/.pi-map.index.md", "tests index more/.pi-map.index.md", "tests index tests/.pi-map.index.md",
	}
	// A parsed file that configures is worth a hint, one that is not parsed is not.
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if s := dirs["tests"].Map.Files[0].Symbols; len(s) != 0 {
		t.Errorf("a map lists test cases: %v", s)
	}
}

func TestWorkflows(t *testing.T) {
	target := func(p, language string, role facts.Role, names ...string) facts.Entry {
		e := source(p, language, "", role)
		for _, n := range names {
			e.File.Symbols = append(e.File.Symbols, facts.Symbol{Name: n, Kind: facts.KindTarget, Parent: -1})
		}
		return e
	}
	program := source("server/main.go", "go", "Command server serves.", 0)
	program.File.Package, program.File.Traits = "main", facts.EntryPoint
	deep := source("cmd/tool/main.go", "go", "", 0)
	deep.File.Package, deep.File.Traits = "main", facts.EntryPoint
	tasks := source("pyproject.toml", "toml", "", facts.RoleBuild)
	tasks.File.Symbols = []facts.Symbol{
		{Name: "tool.poe.tasks", Kind: facts.KindKey, Parent: -1}, {Name: "types", Kind: facts.KindTarget, Parent: 0},
		{Name: "project.scripts", Kind: facts.KindKey, Parent: -1}, {Name: "shop", Kind: facts.KindTarget, Parent: 2},
	}
	dirs := fold(t,
		tasks,
		target("Makefile", "makefile", facts.RoleBuild, "test"),
		target("package.json", "json", facts.RoleBuild, "dev"),
		target("web/package.json", "json", facts.RoleBuild, "other"),
		target("yarn.lock", "", facts.RoleGenerated),
		target(".github/workflows/ci.yml", "yaml", facts.RoleBuild, "lint"),
		program, deep,
	)
	var got []string
	for _, w := range dirs[""].Index.Workflows {
		got = append(got, w.Name+" | "+w.Source+" | "+w.Command)
	}
	slices.Sort(got)
	want := []string{"ci: lint | CI | ", "dev |  | yarn run dev", "server | main package | go run ./server", "shop |  | ", "test |  | make test", "types |  | poe types"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if len(dirs["web"].Index.Workflows) > 0 {
		t.Error("workflows outside the root")
	}
}

// TestFoldIsPure: what people wrote wins, and every rendered page
// is the same each time.
func TestFoldIsPure(t *testing.T) {
	files := []facts.Entry{
		source("a/b/c.go", "go", "Package c is deep.", 0, "C"), source("a/x.py", "python", "", 0, "x"), source("z.ts", "typescript", "", 0, "z"),
	}
	in := Input{Files: files, Imports: make([][]xref.Target, 3), Written: Written{
		Summaries: map[string]string{"a": "By hand."},
		Hints:     map[string][]artifact.Hint{"": {{Topic: "z", Targets: []artifact.Target{{Path: "z.ts"}}}}},
	}}
	first := ""
	for range 20 {
		var b strings.Builder
		for _, d := range Fold(in) {
			b.Write(artifact.RenderIndex(d.Index, artifact.Limits{}))
			b.Write(artifact.RenderMap(d.Map, artifact.Limits{}))
		}
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Fatal("two folds of one input differ")
		}
	}
	if !strings.Contains(first, "> By hand.") || !strings.Contains(first, "for z read files: `z.ts`") {
		t.Errorf("what people wrote is missing:\n%s", first)
	}
}
