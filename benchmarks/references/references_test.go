package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// checkout is a repository of one file of each name.
func checkout(t *testing.T, files map[string]string) *lab.Repo {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return &lab.Repo{Dir: dir}
}

// use is an occurrence: the n-th word of a line, both from 0.
type use struct {
	line, word int
	symbol     string
	def        bool
}

func index(t *testing.T, tool string, files map[string]string, uses map[string][]use) string {
	t.Helper()
	out := &scip.Index{Metadata: &scip.Metadata{ToolInfo: &scip.ToolInfo{Name: tool}}}
	for name, l := range uses {
		d := &scip.Document{RelativePath: name}
		for _, u := range l {
			line := strings.Split(files[name], "\n")[u.line]
			word := strings.FieldsFunc(line, func(r rune) bool {
				return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", r)
			})[u.word]
			start := int32(wordStart(line, u.word))
			o := &scip.Occurrence{Symbol: u.symbol}
			o.SetSourceRange(scip.Range{Start: scip.Position{Line: int32(u.line), Character: start}, End: scip.Position{Line: int32(u.line), Character: start + int32(len(word))}})
			if u.def {
				o.SymbolRoles = int32(scip.SymbolRole_Definition)
			}
			d.Occurrences = append(d.Occurrences, o)
		}
		out.Documents = append(out.Documents, d)
	}
	b, err := proto.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "index.scip")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func wordStart(line string, n int) int {
	in := false
	for i, c := range line {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if letter && !in {
			if n == 0 {
				return i
			}
			n--
		}
		in = letter
	}
	return -1
}

// scripted leads references to what a test says.
type scripted struct {
	p  *edges.Program
	to map[string][]answer // by name of the reference
}

type answer struct {
	symbol string
	mark   edges.Mark
	rule   string
}

func (r *scripted) Resolve(_ int, f *facts.File, _ *edges.Uses, out []edges.Edge) []edges.Edge {
	for i := range f.Refs {
		for _, a := range r.to[f.Refs[i].Name] {
			for doc := range r.p.Files {
				for k := range r.p.Files[doc].File.Symbols {
					if r.p.Files[doc].File.Symbols[k].Name == a.symbol {
						out = append(out, edges.Edge{Ref: int32(i), Doc: int32(doc), Symbol: int32(k), Mark: a.mark, Rule: a.rule})
					}
				}
			}
		}
	}
	return edges.Sort(out)
}

func measured(t *testing.T, family, tool string, files map[string]string, uses map[string][]use, to map[string][]answer) *result {
	t.Helper()
	f := familyNamed(family)
	p, err := extractAll(checkout(t, files), family)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := readTruth(index(t, tool, files, uses), p, f)
	if err != nil {
		t.Fatal(err)
	}
	p.resolveAll(func(p *edges.Program) edges.Resolver { return &scripted{p, to} })
	r := compareAll(p, truth, f)
	if text := r.markdown(p, options{samples: 5, groups: 5}); !strings.Contains(text, "## Edges") {
		t.Error(text)
	}
	return r
}

const goPrefix = "scip-go gomod x v0 `x`/"

func TestCompare(t *testing.T) {
	files := map[string]string{"go.mod": "module x\n", "a.go": `package x
func save() {}
func load() {}
func use() {
	save()
	load()
	save()
	other()
}
`}
	uses := map[string][]use{"a.go": {
		{1, 1, goPrefix + "save().", true}, {2, 1, goPrefix + "load().", true}, {3, 1, goPrefix + "use().", true},
		{4, 0, goPrefix + "save().", false}, {5, 0, goPrefix + "load().", false}, {6, 0, goPrefix + "save().", false}, {7, 0, "scip-go gomod std v1 builtin/other().", false},
	}}
	r := measured(t, "go", "scip-go", files, uses, map[string][]answer{
		"save": {{"save", edges.Exact, "one"}}, "load": {{"save", edges.Likely, "two"}}, "other": {{"use", edges.ByName, "three"}}})
	if d := r.Definitions[0]; d.Precision != (ratio{3, 3}) || d.Recall != (ratio{3, 3}) {
		t.Errorf("definitions %+v", d)
	}
	sets := r.Edges.Sets
	if sets[0].Precision != (ratio{2, 4}) || sets[0].Recall != (ratio{2, 3}) || sets[1].Precision != (ratio{2, 3}) || sets[2].Precision != (ratio{2, 2}) || sets[2].PlaceRecall != (ratio{2, 3}) {
		t.Errorf("sets %+v", sets)
	}
	var wrong []string
	for _, g := range r.Edges.Wrong {
		wrong = append(wrong, g.What)
	}
	if want := []string{"by name, three: the truth has an external there", "likely, two: another function is meant"}; !reflect.DeepEqual(wrong, want) {
		t.Errorf("wrong %q", wrong)
	}
	if m := r.Edges.Misses; len(m) != 1 || m[0].What != "function, call: leads elsewhere" || m[0].Count != 1 {
		t.Errorf("misses %+v", m)
	}
	if len(r.Cleaned) != 0 || r.TruthBefore != 3 {
		t.Errorf("cleaned %v of %d", r.Cleaned, r.TruthBefore)
	}
}

func TestCleaningOfGo(t *testing.T) {
	files := map[string]string{"a.go": `package x
var f = func(item int) int {
	return item
}
`}
	r := measured(t, "go", "scip-go", files, map[string][]use{"a.go": {
		{1, 1, goPrefix + "f.", true}, {1, 3, goPrefix + "item.", true}, {2, 1, goPrefix + "item.", false}}}, nil)
	if r.Cleaned["variable of a function as a symbol of the package"] != 1 || r.Edges.Sets[0].Recall.All != 0 || r.Definitions[0].Recall != (ratio{1, 1}) {
		t.Errorf("cleaned %v, %+v", r.Cleaned, r.Definitions[0])
	}
}

func TestCleaningOfPython(t *testing.T) {
	const m = "scip-python python x v0 `a`/"
	files := map[string]string{"a.py": `def total(): pass
def total(): pass
current: Proxy = make()
print(current)
print(total)
`}
	r := measured(t, "python", "scip-python", files, map[string][]use{"a.py": {
		{0, 1, m + "total().", true}, {1, 1, m + "total().", false}, {2, 0, m + "current.", true}, {3, 1, m + "current#", false}, {4, 1, m + "total().", false}}},
		map[string][]answer{"current": {{"current", edges.Exact, "x"}}, "total": {{"total", edges.Exact, "x"}}})
	if r.Cleaned["redefinition"] != 1 || r.Repaired != 1 || r.TruthBefore != 3 {
		t.Errorf("cleaned %v, repaired %d of %d", r.Cleaned, r.Repaired, r.TruthBefore)
	}
	if s := r.Edges.Sets[2]; s.Precision.Right != s.Precision.All || s.Recall != (ratio{2, 2}) {
		t.Errorf("edges %+v", s)
	}
}

func TestCleaningOfScript(t *testing.T) {
	const m = "scip-typescript npm x 1.0 `a.ts`/"
	files := map[string]string{"a.ts": `class Shop { public constructor() {} }
export function open() {}
`, "b.ts": `import { open as begin } from "./a"
new Shop()
`}
	r := measured(t, "javascript", "scip-typescript", files, map[string][]use{
		"a.ts": {{0, 1, m + "Shop#", true}, {1, 2, m + "open().", true}},
		"b.ts": {{0, 1, "local 2", false}, {0, 3, m + "open().", false}, {1, 1, m + "Shop#`<constructor>`().", false}}},
		map[string][]answer{"Shop": {{"constructor", edges.Exact, "x"}}, "open": {{"open", edges.Exact, "x"}}})
	if r.Cleaned[`name before "as"`] != 1 || r.Repaired != 1 {
		t.Errorf("cleaned %v, repaired %d", r.Cleaned, r.Repaired)
	}
	if s := r.Edges.Sets[2]; s.Precision != (ratio{1, 1}) {
		t.Errorf("edges %+v", s)
	}
}

func TestMergedIndexesHaveOneVersionOfEachModule(t *testing.T) {
	dir := t.TempDir()
	part1 := index(t, "scip-go", map[string]string{"a.go": "f"}, map[string][]use{"a.go": {{0, 0, "scip-go gomod x/core v0.1.2 `x/core`/f().", false}}})
	part2 := index(t, "scip-go", map[string]string{"a.go": "f"}, map[string][]use{"a.go": {{0, 0, "scip-go gomod x/core v0 `x/core`/f().", true}}})
	out := filepath.Join(dir, "index.scip")
	err := mergeIndexes([]part{{part1, func(p string) string { return p }}, {part2, func(p string) string { return "core/" + p }}}, map[string]bool{"x/core": true}, out)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var got scip.Index
	if err := proto.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Documents) != 2 || got.Documents[1].RelativePath != "core/a.go" || got.Documents[0].Occurrences[0].Symbol != got.Documents[1].Occurrences[0].Symbol {
		t.Errorf("got %v", got.Documents)
	}
}
