package mapdiff

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/artifact"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func state(indexes []*artifact.Index, maps ...*artifact.Map) State {
	var s State
	for _, x := range indexes {
		s.Indexes = append(s.Indexes, x.Normalized())
	}
	for _, m := range maps {
		s.Maps = append(s.Maps, m.Normalized())
	}
	return s
}

func fn(name, signature string) artifact.MapSymbol {
	return artifact.MapSymbol{Kind: "function", Name: name, Signature: signature}
}

// before and after hold one case of every change.
func before() State {
	return state(
		[]*artifact.Index{{Summary: "all"}, {Dir: "a", Summary: "old words"}, {Dir: "gone", Summary: "gone"}, {Dir: "same", Summary: "same"}},
		&artifact.Map{Dir: "a", DependsOn: []string{"same", "gone"}, Files: []artifact.MapFile{
			{Name: "x.go", Symbols: []artifact.MapSymbol{
				fn("Changed", "func Changed()"), fn("Gone", "func Gone()"), fn("Kept", "func Kept()"), fn("Moved", "func Moved()"),
				{Kind: "heading", Name: "Old words"}, {Kind: "key", Name: "old.key"},
				{Kind: "type", Name: "Kind"}, {Kind: "class", Name: "hidden", Private: true}, {Kind: "method", Name: "m", Container: "hidden"},
				{Kind: "function", Name: "private", Private: true},
				fn("Over", "func Over(int)"), fn("Over", "func Over(string)"),
			}},
			{Name: "x_test.go", Roles: []string{"test"}, Symbols: []artifact.MapSymbol{fn("TestOld", "func TestOld()")}},
			{Name: "cut.go", Names: []string{"A"}, More: 10},
		}},
		&artifact.Map{Dir: "same", Files: []artifact.MapFile{{Name: "lost.go", Symbols: []artifact.MapSymbol{fn("Lost", "func Lost()")}}}},
		&artifact.Map{Dir: "gone", Files: []artifact.MapFile{{Name: "g.go", Symbols: []artifact.MapSymbol{fn("Gone2", "")}}}},
	)
}

func after() State {
	return state(
		[]*artifact.Index{{Summary: "all"}, {Dir: "a", Summary: "new words of @alice, see #12 and <b>"}, {Dir: "new"}, {Dir: "same", Summary: "same"}},
		&artifact.Map{Dir: "a", DependsOn: []string{"same", "", "new"}, Files: []artifact.MapFile{
			{Name: "x.go", Symbols: []artifact.MapSymbol{
				fn("Changed", "func Changed(`x` int)"), fn("Kept", "func Kept()"),
				{Kind: "interface", Name: "Kind"}, {Kind: "class", Name: "hidden", Private: true}, {Kind: "method", Name: "n", Container: "hidden"},
				fn("Over", "func Over(int)"), fn("Over", "func Over(bool)"),
			}},
			{Name: "x_test.go", Roles: []string{"test"}, Symbols: []artifact.MapSymbol{fn("TestNew", "func TestNew()")}},
			{Name: "cut.go", Symbols: []artifact.MapSymbol{fn("A", "func A()")}},
		}, Unanalysed: []artifact.FileNote{{Name: "pic.png", Note: "listed: binary"}}},
		&artifact.Map{Dir: "same", Unanalysed: []artifact.FileNote{{Name: "lost.go", Note: "listed: too large"}}},
		&artifact.Map{Dir: "new", Files: []artifact.MapFile{{Name: "m.go", Symbols: []artifact.MapSymbol{
			fn("Moved", "func Moved()"), {Kind: "method", Name: "Add", Container: "Set.Inner", Signature: "Add(x)"},
		}}}},
	)
}

func TestGolden(t *testing.T) {
	d := Compare(before(), after())
	got := bytes.Join([][]byte{
		d.Text(Options{From: "v1", To: "v2"}), d.Markdown(Options{From: "v1", To: "v2"}), d.Markdown(Options{From: "v1", To: "v2", Limit: 2}),
		Compare(after(), before()).Text(Options{From: "v2", To: "v1"}),
	}, []byte("\n----\n"))
	const name = "testdata/diff.golden"
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s; look at it, then run with -update\n%s", name, got)
	}
}

func TestSameIsEmpty(t *testing.T) {
	for _, s := range []State{before(), after(), {}} {
		d := Compare(s, s)
		if !d.Empty() || len(d.NotCompared) > 0 || d.Summary != (Summary{}) {
			t.Errorf("a state differs from itself: %+v", d)
		}
	}
}

// TestBackwards: what is added one way is removed the other way.
func TestBackwards(t *testing.T) {
	there, back := Compare(before(), after()), Compare(after(), before())
	turn := func(n Counts) Counts { n.Added, n.Removed = n.Removed, n.Added; return n }
	if there.Summary.Directories != turn(back.Summary.Directories) || there.Summary.Symbols != turn(back.Summary.Symbols) ||
		there.Summary.Dependencies != turn(back.Summary.Dependencies) {
		t.Errorf("there %+v, back %+v", there.Summary, back.Summary)
	}
	if n := there.Summary.Symbols; n != (Counts{Added: 1, Removed: 2, Changed: 3, Moved: 1}) {
		t.Errorf("symbols %+v", n)
	}
	if len(there.NotCompared) != 2 {
		t.Errorf("not compared: %+v", there.NotCompared)
	}
}

// TestOrderDoesNotMatter shuffles what the maps list.
func TestOrderDoesNotMatter(t *testing.T) {
	want := Compare(before(), after()).Text(Options{})
	a, b := before(), after()
	for _, s := range []State{a, b} {
		slices.Reverse(s.Indexes)
		slices.Reverse(s.Maps)
		for _, m := range s.Maps {
			slices.Reverse(m.Files)
			slices.Reverse(m.DependsOn)
		}
	}
	if got := Compare(a, b).Text(Options{}); !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNotUnique: where several could be meant nothing counts as moved.
func TestNotUnique(t *testing.T) {
	file := func(name string) artifact.MapFile {
		return artifact.MapFile{Name: name, Symbols: []artifact.MapSymbol{fn("F", "func F()")}}
	}
	a := state(nil, &artifact.Map{Files: []artifact.MapFile{file("a.go"), file("b.go")}})
	b := state(nil, &artifact.Map{Files: []artifact.MapFile{file("c.go")}})
	if n := Compare(a, b).Summary.Symbols; n != (Counts{Added: 1, Removed: 2}) {
		t.Errorf("%+v", n)
	}
}

// TestLostFile: what an unreadable file imported is not gone.
func TestLostFile(t *testing.T) {
	a := state(nil, &artifact.Map{Dir: "d", DependsOn: []string{"e"}, Files: []artifact.MapFile{{Name: "a.go"}}})
	b := state(nil, &artifact.Map{Dir: "d", Unanalysed: []artifact.FileNote{{Name: "a.go", Note: "listed: binary"}}})
	for _, d := range []*Diff{Compare(a, b), Compare(b, a)} {
		if !d.Empty() || len(d.NotCompared) != 1 || d.NotCompared[0].Path != "d/a.go" {
			t.Errorf("%+v", d)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("a`b\n# c", "func X()", "@alice #1 <x>")
	f.Fuzz(func(t *testing.T, name, signature, summary string) {
		a := state([]*artifact.Index{{Dir: "d", Summary: "x"}}, &artifact.Map{Dir: "d"})
		b := state([]*artifact.Index{{Dir: "d", Summary: summary}}, &artifact.Map{Dir: "d", DependsOn: []string{name}, Files: []artifact.MapFile{{
			Name: name, Symbols: []artifact.MapSymbol{{Kind: "function", Name: name, Container: name, Signature: signature}},
		}}})
		d := Compare(a, b)
		for i, text := range [][]byte{d.Markdown(Options{From: name, To: "b"}), d.Text(Options{From: name, To: "b"})} {
			for k, line := range strings.Split(string(text), "\n") {
				heading := strings.HasPrefix(line, "#")
				own := k == 0 || slices.Contains([]string{"### Directories", "### Public symbols", "### Dependencies between directories"}, line)
				if heading && (!own || i == 1) || strings.ContainsRune(line, 0x1b) {
					t.Errorf("forged line %q", line)
				}
			}
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	big := func(version int) State {
		var s State
		for d := range 500 {
			m := &artifact.Map{Dir: fmt.Sprintf("d%d", d)}
			for f := range 10 {
				file := artifact.MapFile{Name: fmt.Sprintf("f%d.go", f)}
				for y := range 20 {
					file.Symbols = append(file.Symbols, fn(fmt.Sprintf("F%d", y), fmt.Sprintf("func F%d(%d)", y, version*(d%7/6))))
				}
				m.Files = append(m.Files, file)
			}
			s.Maps = append(s.Maps, m)
		}
		return s
	}
	x, y := big(1), big(2)
	for b.Loop() {
		Compare(x, y)
	}
}
