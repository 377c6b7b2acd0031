package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestDeclaredName(t *testing.T) {
	for _, c := range []struct{ sig, want string }{
		{"func New(dir string) *Queue", "New"},
		{"func (q *Queue[T]) Put(v T)", "Put"},
		{"func (*Queue[T]) Len() int", "Len"},
		{"func Map[T, U any](in []T, f func(T) U) []U", "Map"},
		{"type Queue[T any] struct", "Queue"},
		{"type Reader interface", "Reader"},
		{"type B = string", "B"},
		{"MaxSize = 1 << 20", "MaxSize"},
		{"const MaxSize = 1", "MaxSize"},
		{"var ErrFull error", "ErrFull"},
		{"async def put(self, v: int) -> None", "put"},
		{"class Foo(Bar):", "Foo"},
		{"export default class Foo extends Bar", "Foo"},
		{"export const useThing = (a: string) => void", "useThing"},
		{"get size(): number", "size"},
		{"pub async fn run<T>(x: T) -> Result<()>", "run"},
		{"public static void main(String[] args)", "main"},
		{"static int foo(char *s)", "foo"},
		{"const struct file_ops x", "file_ops"}, // wrong, which costs a name on the line
		{"Promise<void> run()", "Promise"},      // likewise
		{"名前(値)", "名前"},
		{"func (", "func"},
		{"func", "func"},
		{"", ""},
		{"((((", ""},
	} {
		if got := declaredName(c.sig); got != c.want {
			t.Errorf("declaredName(%q) = %q, want %q", c.sig, got, c.want)
		}
	}
}

func TestSymbolLine(t *testing.T) {
	for _, c := range []struct {
		s    MapSymbol
		want string
	}{
		{MapSymbol{Kind: "func", Name: "New", Signature: "func New()"}, "`func New()`"},
		{MapSymbol{Kind: "method", Name: "Put", Signature: "func (q Q) Put()", Doc: "Put puts."}, "method `func (q Q) Put()` — Put puts."},
		{MapSymbol{Kind: "func", Name: "new", Signature: "func new()", Private: true}, "private `func new()`"},
		{MapSymbol{Kind: "var", Name: "X"}, "var `X`"},
		{MapSymbol{Kind: "var", Name: "X", Signature: "int"}, "var `X`: `int`"},
		{MapSymbol{Kind: "method", Name: "operator<<"}, "method `operator<<`:"},
		{MapSymbol{Kind: "method", Name: "operator<<", Signature: "ostream& operator<<(ostream&)"}, "method `operator<<`: `ostream& operator<<(ostream&)`"},
		{MapSymbol{Kind: "heading", Name: "How to `run`", Doc: "x"}, "heading `` How to `run` ``: — x"},
		{MapSymbol{Kind: "symbol", Name: "func", Signature: "func func()"}, "symbol `func func()`"},
	} {
		got := encodeSymbol(&c.s)
		if got != c.want {
			t.Errorf("encodeSymbol(%+v) = %s, want %s", c.s, got, c.want)
		}
		if back, ok := parseSymbol(got); !ok || back != c.s {
			t.Errorf("parseSymbol(%s) = %+v, %v, want %+v", got, back, ok, c.s)
		}
	}
}

func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		n, want int
		words   string
	}{
		{-1, 0, ""}, {0, 0, ""}, {1, 5, "a few"}, {9, 5, "a few"}, {10, 10, "about 10"}, {14, 10, "about 10"}, {15, 20, "about 20"}, {34, 20, "about 20"},
		{35, 50, "about 50"}, {74, 50, "about 50"}, {75, 100, "about 100"}, {340, 200, "about 200"}, {9000, 10000, "about 10000"}, {1 << 40, 1e9, "about 1000000000"},
	} {
		if got := Coarse(c.n); got != c.want || c.n > 0 && coarseWords(c.n) != c.words {
			t.Errorf("Coarse(%d) = %d, %q, want %d, %q", c.n, got, coarseWords(c.n), c.want, c.words)
		}
		if again := Coarse(c.want); again != c.want {
			t.Errorf("Coarse(Coarse(%d)) = %d", c.n, again)
		}
	}
}

func TestSiblings(t *testing.T) {
	x, err := ParseIndex(RenderIndex(rootIndex(), Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Siblings(x, "internal"), []string{"cmd", "日本語"}; !slices.Equal(got, want) {
		t.Errorf("Siblings = %q, want %q", got, want)
	}
	if got := Siblings(&Index{}, "x"); len(got) != 0 {
		t.Errorf("Siblings of nothing = %q", got)
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ dir, index, aMap, parent string }{
		{"", IndexName, MapName, ""},
		{"a", "a/" + IndexName, "a/" + MapName, IndexName},
		{"a/b", "a/b/" + IndexName, "a/b/" + MapName, "a/" + IndexName},
	} {
		x := (&Index{Dir: c.dir}).Normalized()
		if IndexPath(c.dir) != c.index || MapPath(c.dir) != c.aMap || x.Parent != c.parent {
			t.Errorf("%q: %q, %q, %q", c.dir, IndexPath(c.dir), MapPath(c.dir), x.Parent)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const index, aMap = "<!-- project-map index format=1 feature=1 -->\n", "<!-- project-map map format=1 feature=1 -->\n"
	for _, c := range []struct {
		data string
		line int // of the SyntaxError, or 0
		is   error
	}{
		{"hello", 0, ErrForeign},
		{index + "# `x`\n<<<<<<< ours\n", 0, ErrConflicted},
		{strings.Replace(index, "format=1", "format=2", 1), 0, ErrNewer},
		{index, 1, nil},
		{index + "# x\n", 2, nil},
		{index + "# `x`\n# `y`\n", 3, nil},
		{index + "# `x`\nText.\n", 3, nil},
		{index + "# `x`\n\n## Directories\n\n- [`a`](b/.pi-map.index.md)\n", 6, nil},
		{index + "# `x`\n## Files\n- a.go\n", 4, nil},
		{index + "# `x`\n## Files\n- `a.go` — \n", 4, nil},
		{index + "# `x`\n## Hints\n- for x see `y`\n", 4, nil},
		{index + "# `x`\n## Hints\n- for x read `y`\n", 4, nil},
		{index + "# `x`\n## Workflows\n- `x` run y\n", 4, nil},
		{index + "# `x`\n## What\n- `x`\n", 4, nil},
		{aMap + "# `x`\n## Files\n- func `x`\n", 4, nil},
		{aMap + "# `x`\n## Files\n### `x` go\n  - func `x`\n", 5, nil},
		{aMap + "# `x`\n## Files\n### `x` go\n- `x`\n", 5, nil},
		{aMap + "# `x`\n## Files\n### `x` go\n- Symbols: many\n", 5, nil},
		{aMap + "# `x`\n## Files\n### `x` go\n- Imports: x\n", 5, nil},
		{aMap + "# `x`\n## Depends on\n- x\n", 4, nil},
	} {
		_, err := ParseIndex([]byte(c.data))
		if strings.HasPrefix(c.data, aMap) {
			_, err = ParseMap([]byte(c.data))
		}
		var syntax *SyntaxError
		switch {
		case err == nil:
			t.Errorf("no error for\n%s", c.data)
		case c.is != nil && !errors.Is(err, c.is):
			t.Errorf("%v, want %v, for\n%s", err, c.is, c.data)
		case c.is == nil && (!errors.As(err, &syntax) || syntax.Line != c.line):
			t.Errorf("%v, want an error in line %d, for\n%s", err, c.line, c.data)
		}
	}
	if _, err := ParseMap(RenderIndex(queueIndex(), Limits{})); !errors.Is(err, ErrForeign) {
		t.Errorf("an index read as a map: %v", err)
	}
}

// TestNewerFeatures: a page of a later feature version is read as far as this
// program knows it.
func TestNewerFeatures(t *testing.T) {
	page := string(RenderMap(queueMap(), Limits{}))
	want, err := ParseMap([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	page = strings.Replace(page, "feature=1", "feature=2 extra=yes", 1)
	page = strings.Replace(page, "\n## Not", "\n## Owners\n- `me`\n\n### x\n\n## Not", 1)
	page = strings.Replace(page, "\nIndex:", "\nRating: five\nIndex:", 1)
	got, err := ParseMap([]byte(page))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
}

// TestStable: what an edit changes on pages that are over their limits.
func TestStable(t *testing.T) {
	changed := func(a, b []byte) (n int) {
		old := map[string]int{}
		for line := range strings.Lines(string(a)) {
			old[line]++
		}
		for line := range strings.Lines(string(b)) {
			if old[line]--; old[line] < 0 {
				n++
			}
		}
		return n
	}
	for _, children := range []int{10, 25, 60, 300} {
		base := RenderIndex(bigIndex(children, 50), Limits{})
		x := bigIndex(children, 50)
		x.Children[3].Summary, x.Files[1].Note = "", strings.Repeat("long ", 50)
		x.Summary = strings.Repeat("longer ", 50)
		if n := changed(base, RenderIndex(x, Limits{})); n > 3 {
			t.Errorf("%d children: three edited texts change %d lines", children, n)
		}
	}
	for _, files := range []int{20, 60, 200, 1000} {
		base := RenderMap(bigMap(files, 15), Limits{})
		m := bigMap(files, 15)
		m.Files[1].Symbols = append(m.Files[1].Symbols, MapSymbol{Kind: "func", Name: "Added", Signature: "func Added()"})
		if n := changed(base, RenderMap(m, Limits{})); n > 2 {
			t.Errorf("%d files: one new function changes %d lines", files, n)
		}
	}
}

// TestSteadyLevels: a directory that grows by many small edits is rewritten as a
// whole only a few times.
func TestSteadyLevels(t *testing.T) {
	m := bigMap(14, 15)
	before, rewrites, edits := "", 0, 0
	for file := range 14 {
		for range 10 {
			edits++
			name := fmt.Sprintf("Added%03d", edits)
			m.Files[file].Symbols = append(m.Files[file].Symbols, MapSymbol{
				Kind: "func", Name: name, Signature: "func " + name + "(context.Context, string) error", Doc: name + " was added.",
			})
			after := string(RenderMap(m, Limits{}))
			same := 0
			for line := range strings.Lines(after) {
				if strings.Contains(before, line) {
					same++
				}
			}
			if before != "" && same < strings.Count(after, "\n")-4 {
				rewrites++
			}
			before = after
		}
	}
	t.Logf("%d rewrites in %d edits", rewrites, edits)
	if rewrites > 5 {
		t.Errorf("%d of %d edits rewrite the page", rewrites, edits)
	}
}

func TestUsers(t *testing.T) {
	got := Users([]*Map{{Dir: "b", DependsOn: []string{"", "lib"}}, {Dir: "a", DependsOn: []string{"lib"}}, {Dir: "lib"}})
	want := map[string][]string{"": {"b"}, "lib": {"a", "b"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFormatDocument keeps docs/FORMAT.md true.
func TestFormatDocument(t *testing.T) {
	doc, err := os.ReadFile("../../docs/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for i, block := range bytes.Split(doc, []byte("\n````")) {
		body, isExample := bytes.CutPrefix(block, []byte("markdown\n"))
		if i%2 == 0 || !isExample {
			continue
		}
		examples++
		body = append(bytes.Clone(body), '\n')
		if state := Inspect(body); state != Canonical {
			_, errIndex := ParseIndex(body)
			_, errMap := ParseMap(body)
			t.Errorf("example %d is %v (%v, %v)\n%s", examples, state, errIndex, errMap, body)
		}
	}
	if examples < 3 {
		t.Errorf("%d examples found", examples)
	}
	for _, word := range []string{
		notice, IndexName, MapName, sectionDirectories, sectionFiles, sectionHints, sectionWorkflows, sectionOmitted, sectionDependsOn,
		sectionOthers, sectionUnanalysed, lineImports, lineTests, lineSymbols, lineIn,
		fmt.Sprintf("format version is %d", FormatVersion), fmt.Sprintf("feature version is %d", FeatureVersion),
		fmt.Sprintf("aims at %d", DefaultIndexAim), fmt.Sprintf("never exceeds %d", DefaultIndexCap), fmt.Sprintf("never exceeds %d", DefaultMapCap),
		fmt.Sprintf("| summary of a directory | %d |", summaryRunes), fmt.Sprintf("| summary of a file | %d |", fileSummaryRunes),
		fmt.Sprintf("| summary of a child, description of a workflow | %d |", childRunes), fmt.Sprintf("| note of a file | %d |", noteRunes),
		fmt.Sprintf("| documentation of a symbol | %d |", docRunes), fmt.Sprintf("| signature | %d |", signatureRunes),
		fmt.Sprintf("| topic of a hint, name of a workflow | %d |", topicRunes),
		fmt.Sprintf("| symbol, container, source or command of a workflow, omission | %d |", symbolRunes),
	} {
		if !bytes.Contains(doc, []byte(word)) {
			t.Errorf("docs/FORMAT.md does not say %q", word)
		}
	}
	for word := range declarators {
		if !bytes.Contains(doc, []byte("`"+word+"`")) {
			t.Errorf("docs/FORMAT.md does not list the declarator %q", word)
		}
	}
}

// TestCrowdedFile: a file with many symbols does not cost the others their
// signatures, and imports that "Depends on" repeats go before signatures.
func TestCrowdedFile(t *testing.T) {
	m := bigMap(12, 10)
	for i := range m.Files {
		m.Files[i].Imports = []ImportNote{{Target: "lib/one"}, {Target: "lib/two"}}
	}
	crowd := MapFile{Name: "crowd.go", Language: "go"}
	for i := range 200 {
		name := fmt.Sprintf("Crowded%03d", i)
		crowd.Symbols = append(crowd.Symbols, MapSymbol{Kind: "function", Name: name, Signature: "func " + name + "(ctx context.Context, name string) error"})
	}
	m.Files = append(m.Files, crowd)
	page := RenderMap(m, Limits{})
	if state := Inspect(page); state != Canonical {
		t.Errorf("a page with a long list of names is %v", state)
	}
	got, err := ParseMap(page)
	if err != nil {
		t.Fatal(err)
	}
	signatures := 0
	for _, f := range got.Files {
		if f.Name == "crowd.go" {
			if len(f.Names) != 200 {
				t.Errorf("%d names and %d more of the crowded file", len(f.Names), f.More)
			}
			continue
		}
		if len(f.Imports) > 0 {
			t.Errorf("%s still has imports without names", f.Name)
		}
		for _, s := range f.Symbols {
			if s.Signature != "" {
				signatures++
			}
		}
	}
	if signatures < 60 {
		t.Errorf("%d signatures left", signatures)
	}
}
