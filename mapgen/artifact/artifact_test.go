package artifact

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for name, data := range map[string][]byte{
		"queue.index":   RenderIndex(queueIndex(), Limits{}),
		"queue.map":     RenderMap(queueMap(), Limits{}),
		"root.index":    RenderIndex(rootIndex(), Limits{}),
		"hostile.index": RenderIndex(hostileIndex(), Limits{IndexCap: 1 << 20, IndexAim: 1 << 20}),
		"hostile.map":   RenderMap(hostileMap(), Limits{MapCap: 1 << 20}),
		"empty.index":   RenderIndex(&Index{}, Limits{}),
		"empty.map":     RenderMap(&Map{}, Limits{}),
		"big6.map":      RenderMap(bigMap(6, 20), Limits{}),
		"big24.map":     RenderMap(bigMap(24, 20), Limits{}),
		"big120.map":    RenderMap(bigMap(120, 20), Limits{}),
		"big2000.map":   RenderMap(bigMap(2000, 3), Limits{}),
		"big.index":     RenderIndex(bigIndex(30, 60), Limits{}),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".md")
			if *update {
				if err := os.WriteFile(file, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(data, want) {
				t.Errorf("differs from %s; see what -update changes\n%s", file, data)
			}
			if got := Inspect(data); got != Canonical {
				t.Errorf("Inspect = %v", got)
			}
		})
	}
}

func TestRoundTrip(t *testing.T) {
	limits := Limits{IndexAim: 1 << 30, IndexCap: 1 << 30, MapCap: 1 << 30}
	for seed := range uint64(1000) {
		g := gen{rand.New(rand.NewPCG(seed, 1))}
		x := g.index()
		norm := x.Normalized()
		if again := norm.Normalized(); !reflect.DeepEqual(norm, again) {
			t.Fatalf("seed %d: Normalized is not idempotent\n%#v\n%#v", seed, norm, again)
		}
		data := RenderIndex(x, limits)
		got, err := ParseIndex(data)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, data)
		}
		if want := unweighIndex(norm); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: index changed\n got %#v\nwant %#v\n%s", seed, got, want, data)
		}
		checkPage(t, seed, data)

		m := g.aMap()
		normMap := m.Normalized()
		if again := normMap.Normalized(); !reflect.DeepEqual(normMap, again) {
			t.Fatalf("seed %d: Normalized is not idempotent\n%#v\n%#v", seed, normMap, again)
		}
		data = RenderMap(m, limits)
		gotMap, err := ParseMap(data)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, data)
		}
		if want := unweighMap(normMap); !reflect.DeepEqual(gotMap, want) {
			t.Fatalf("seed %d: map changed\n got %#v\nwant %#v\n%s", seed, gotMap, want, data)
		}
		checkPage(t, seed, data)
	}
}

// checkPage asserts what no text from a repository may change about a page.
func checkPage(t *testing.T, seed uint64, data []byte) {
	t.Helper()
	if state := Inspect(data); state != Canonical {
		t.Fatalf("seed %d: Inspect = %v\n%s", seed, state, data)
	}
	if n := bytes.Count(data, []byte("\n"+headerPrefix)); n > 0 {
		t.Fatalf("seed %d: forged header\n%s", seed, data)
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(string(data), "\n") {
		for _, r := range line {
			if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0xfeff || r >= 0x200b && r <= 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Fatalf("seed %d: line %d holds %U\n%s", seed, i+1, r, data)
			}
		}
		if strings.HasPrefix(line, "## ") {
			if seen[line] {
				t.Fatalf("seed %d: section %q twice\n%s", seed, line, data)
			}
			seen[line] = true
		}
	}
}

// unweighIndex drops what a page does not hold.
func unweighIndex(x *Index) *Index {
	for i := range x.Children {
		x.Children[i].Weight = 0
	}
	for i := range x.Files {
		x.Files[i].Weight = 0
	}
	for i := range x.Hints {
		x.Hints[i].Weight = 0
	}
	for i := range x.Workflows {
		x.Workflows[i].Weight = 0
	}
	return x
}

func unweighMap(m *Map) *Map {
	for _, list := range [][]FileNote{m.Others, m.Unanalysed} {
		for i := range list {
			list[i].Weight = 0
		}
	}
	return m
}

// TestOrderDoesNotMatter: the same facts in any order give the same bytes, and
// rendering leaves its input alone.
func TestOrderDoesNotMatter(t *testing.T) {
	for seed := range uint64(200) {
		g := gen{rand.New(rand.NewPCG(seed, 2))}
		// Entries that share a name and differ otherwise are the caller's
		// error, so names are made unique here.
		m := g.aMap()
		for i := range m.Files {
			m.Files[i].Name = fmt.Sprint("f", i)
		}
		before := fmt.Sprintf("%#v", m)
		a := RenderMap(m, Limits{MapCap: 300})
		if fmt.Sprintf("%#v", m) != before {
			t.Fatalf("seed %d: RenderMap changed its input", seed)
		}
		g.Shuffle(len(m.Files), func(i, j int) { m.Files[i], m.Files[j] = m.Files[j], m.Files[i] })
		g.Shuffle(len(m.DependsOn), func(i, j int) { m.DependsOn[i], m.DependsOn[j] = m.DependsOn[j], m.DependsOn[i] })
		for _, f := range m.Files {
			g.Shuffle(len(f.Symbols), func(i, j int) { f.Symbols[i], f.Symbols[j] = f.Symbols[j], f.Symbols[i] })
			g.Shuffle(len(f.Imports), func(i, j int) { f.Imports[i], f.Imports[j] = f.Imports[j], f.Imports[i] })
		}
		if b := RenderMap(m, Limits{MapCap: 300}); !bytes.Equal(a, b) {
			t.Fatalf("seed %d: order changed the page\n%s\n%s", seed, a, b)
		}
		x := g.index()
		before = fmt.Sprintf("%#v", x)
		RenderIndex(x, Limits{IndexCap: 200})
		if fmt.Sprintf("%#v", x) != before {
			t.Fatalf("seed %d: RenderIndex changed its input", seed)
		}
	}
}

func TestCaps(t *testing.T) {
	third := func(s string) int { return (len(s) + 2) / 3 }
	long := strings.Repeat("x", 10_000)
	bidi := strings.Repeat("\u202e", 3_000)
	maps := map[string]*Map{
		"10,000 files":      bigMap(10_000, 2),
		"one huge file":     bigMap(1, 5_000),
		"long names":        {Dir: long, Summary: long, Tags: []string{long}, Files: []MapFile{{Name: long}, {Name: "a", Summary: long, Symbols: []MapSymbol{{Name: long, Signature: long, Doc: long, Container: long}}}}},
		"hidden characters": {Dir: bidi, Summary: bidi, Tags: []string{bidi}, DependsOn: []string{bidi}, Files: []MapFile{{Name: bidi}}},
		"hostile":           hostileMap(),
	}
	lists := &Map{Dir: strings.Repeat("日本", 90)}
	for i := range 3_000 {
		name := fmt.Sprintf("%s%d", strings.Repeat("名", 50), i)
		lists.DependsOn = append(lists.DependsOn, name)
		lists.DependsOn = append(lists.DependsOn, name)
		lists.Tags = append(lists.Tags, name)
		lists.Unanalysed = append(lists.Unanalysed, FileNote{Name: name, Note: name})
		lists.Omitted = append(lists.Omitted, Omission(name))
	}
	lists.Files = []MapFile{{Name: "a.go", Tests: lists.DependsOn, Imports: []ImportNote{{"b", lists.DependsOn}}, Names: lists.DependsOn}}
	maps["long lists"] = lists
	for name, m := range maps {
		limits := []int{4000, 600}
		if len(m.Files) > 1000 {
			limits = limits[:1]
		}
		for _, limit := range limits {
			data := RenderMap(m, Limits{MapCap: limit})
			if got := third(string(data)); got > limit {
				t.Errorf("%s: %d tokens, cap %d", name, got, limit)
			}
			checkFitted(t, name, data, len(data) < len(encodeMap(m.Normalized())))
		}
	}
	indexes := map[string]*Index{
		"10,000 children": bigIndex(10_000, 0),
		"10,000 files":    bigIndex(0, 10_000),
		"both":            bigIndex(2_000, 2_000),
		"long names":      {Dir: long, Summary: long, Tags: []string{long}, Children: []Child{{Name: long}, {Name: "a", Summary: long}}, Files: []FileNote{{Name: long, Note: long}}},
		"hostile":         hostileIndex(),
	}
	work := &Index{Dir: bidi}
	for i := range 2_000 {
		name := fmt.Sprintf("%s%d", strings.Repeat("名", 50), i)
		work.Hints = append(work.Hints, Hint{Topic: name, Targets: []Target{{TargetFile, name}, {TargetMap, name}}})
		work.Workflows = append(work.Workflows, Workflow{Name: name, Command: name, Description: name})
		work.Children = append(work.Children, Child{Name: name, Summary: name})
		work.Omitted = append(work.Omitted, Omission(name))
	}
	indexes["work"] = work
	for name, x := range indexes {
		for _, limit := range []int{800, 400} {
			data := RenderIndex(x, Limits{IndexCap: limit})
			if got := third(string(data)); got > limit {
				t.Errorf("%s: %d tokens, cap %d\n%s", name, got, limit, data)
			}
			checkFitted(t, name, data, len(x.Children)+len(x.Files)+len(x.Hints) > 200)
		}
	}
}

// checkFitted asserts that a shortened page is a page like any other, and says
// that it was shortened.
func checkFitted(t *testing.T, name string, data []byte, shortened bool) {
	t.Helper()
	if state := Inspect(data); state != Canonical {
		t.Errorf("%s: Inspect = %v\n%s", name, state, data)
	}
	if shortened && !bytes.Contains(data, []byte("\n## Omitted\n")) {
		t.Errorf("%s: nothing said about what was left out\n%s", name, data)
	}
}

// TestSteps: every step of the ladder leaves a canonical page, and takes
// something that is not named again by a later one.
func TestSteps(t *testing.T) {
	m := bigMap(40, 12)
	for i := range 40 {
		m.DependsOn = append(m.DependsOn, fmt.Sprint("dir", i))
	}
	m = m.Normalized()
	steps := mapSteps()
	size := 1 << 30
	for level := range len(steps) + 1 {
		data := []byte(encodeMap(cutMap(m, apply(steps, level))))
		if state := Inspect(data); state != Canonical {
			t.Errorf("level %d: %v", level, state)
		}
		// A step may add a line that says so, no more.
		if len(data) > size+60 {
			t.Errorf("level %d: grew from %d to %d bytes", level, size, len(data))
		}
		size = len(data)
	}
	x := bigIndex(100, 100).Normalized()
	indexSteps, _ := indexSteps()
	size = 1 << 30
	for level := range len(indexSteps) + 1 {
		data := []byte(encodeIndex(cutIndex(x, apply(indexSteps, level))))
		if state := Inspect(data); state != Canonical {
			t.Errorf("index level %d: %v", level, state)
		}
		if len(data) > size+60 {
			t.Errorf("index level %d: grew from %d to %d bytes", level, size, len(data))
		}
		size = len(data)
	}
}

func TestSelection(t *testing.T) {
	x := bigIndex(0, 100) // odd files weigh more
	x.Files[99].Weight = 9
	got, err := ParseIndex(RenderIndex(x, Limits{}))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.Files); n == 0 || n > 40 {
		t.Fatalf("%d files kept", n)
	}
	for _, f := range got.Files {
		if f.Name != "file00099.go" && (f.Name[8]-'0')%2 == 0 {
			t.Errorf("kept %s before one that weighs more", f.Name)
		}
	}
	if last := got.Files[len(got.Files)-1].Name; last != "file00099.go" {
		t.Errorf("the heaviest file is missing; last is %s", last)
	}
	if len(got.Omitted) != 1 || got.Omitted[0] != "more files, see the map" {
		t.Errorf("Omitted = %q", got.Omitted)
	}
}

func TestInspect(t *testing.T) {
	page := string(RenderMap(queueMap(), Limits{}))
	index := string(RenderIndex(queueIndex(), Limits{}))
	conflict := strings.Replace(page, "- Tested", "<<<<<<< ours\n- func `A`\n=======\n- func `B`\n>>>>>>> theirs\n- Tested", 1)
	header := "<!-- project-map map format=1 feature=1 -->"
	for _, c := range []struct {
		name, data string
		want       State
	}{
		{"map", page, Canonical},
		{"index", index, Canonical},
		{"CRLF", strings.ReplaceAll(page, "\n", "\r\n"), Canonical},
		{"word changed", strings.Replace(page, "durably", "surely", 1), Canonical}, // only the sources can tell
		{"line appended", page + "hello\n", Edited},
		{"item moved", strings.Replace(page, "- `internal/clock`\n- `internal/queue/disk`", "- `internal/queue/disk`\n- `internal/clock`", 1), Edited},
		{"final newline lost", strings.TrimSuffix(page, "\n"), Edited},
		{"blank line added", strings.Replace(page, "\n## ", "\n\n## ", 1), Edited},
		{"cut short", page[:len(page)/2], Edited},
		{"notice removed", strings.Replace(index, notice, "", 1), Edited},
		{"link elsewhere", strings.Replace(index, "disk/.pi-map", "dusk/.pi-map", 1), Edited},
		{"parent elsewhere", strings.Replace(index, "(../", "(../../", 1), Edited},
		{"conflict", conflict, Conflicted},
		{"conflict in header", "<<<<<<< a\n" + header + "\n=======\n" + header + "\n>>>>>>> b\n", Conflicted},
		{"conflict with newer", "<<<<<<< a\n" + header + "\n=======\n" + strings.Replace(header, "format=1", "format=2", 1) + "\n>>>>>>> b\n", Newer},
		{"newer format", strings.Replace(page, "format=1", "format=2", 1), Newer},
		{"newer feature", strings.Replace(page, "feature=1", "feature=7", 1), Newer},
		{"older feature", strings.Replace(page, "feature=1", "feature=0", 1), Older},
		{"older format", strings.Replace(page, "format=1", "format=0", 1), Older},
		{"foreign", "# Notes\n", Foreign},
		{"foreign conflict", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n", Foreign},
		{"damaged header", strings.Replace(page, "format=1", "format=x", 1), Foreign},
		{"empty", "", Foreign},
	} {
		if got := Inspect([]byte(c.data)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
