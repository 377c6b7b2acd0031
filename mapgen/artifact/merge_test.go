package artifact

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// gitMerge merges as git does for a file; clean is false on a conflict.
func gitMerge(t *testing.T, base, ours, theirs []byte) (merged []byte, clean bool) {
	t.Helper()
	dir := t.TempDir()
	var args []string
	for _, side := range []struct {
		name string
		data []byte
	}{{"ours", ours}, {"base", base}, {"theirs", theirs}} {
		file := filepath.Join(dir, side.name)
		if err := os.WriteFile(file, side.data, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	cmd := exec.Command("git", append([]string{"merge-file", "-p", "-q"}, args...)...)
	merged, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return merged, err == nil
}

func needGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is needed to merge as git does")
	}
}

// mapWith renders a map of small files with the given numbers, after edit.
func mapWith(numbers []int, edit func(*Map)) []byte {
	m := &Map{Dir: "pkg", Summary: "A package.", DependsOn: []string{"cmd"}}
	for _, n := range numbers {
		f := MapFile{Name: fmt.Sprintf("file%02d.go", n), Language: "go", Summary: fmt.Sprintf("File %d.", n)}
		for j := range 4 {
			name := fmt.Sprintf("F%dx%d", n, j*10)
			f.Symbols = append(f.Symbols, MapSymbol{Kind: "func", Name: name, Signature: "func " + name + "(a int) error", Doc: name + " does it."})
		}
		m.Files = append(m.Files, f)
	}
	if edit != nil {
		edit(m)
	}
	return RenderMap(m, Limits{})
}

func addSymbol(file int, name string) func(*Map) {
	return func(m *Map) {
		m.Files[file].Symbols = append(m.Files[file].Symbols, MapSymbol{Kind: "func", Name: name, Signature: "func " + name + "()"})
	}
}

func setDoc(file, symbol int, doc string) func(*Map) {
	return func(m *Map) { m.Files[file].Symbols[symbol].Doc = doc }
}

func both(a, b func(*Map)) func(*Map) { return func(m *Map) { a(m); b(m) } }

// TestMergeClean lists the edits that must merge, to the bytes that rendering
// both of them gives.
func TestMergeClean(t *testing.T) {
	needGit(t)
	files := []int{10, 20, 30, 40, 50}
	for _, c := range []struct {
		name         string
		ours, theirs func(*Map)
	}{
		{"symbols added to neighbouring files", addSymbol(1, "Zeta"), addSymbol(2, "Alpha")},
		{"symbols added far apart in a file", addSymbol(1, "A"), addSymbol(1, "Zeta")},
		{"last symbol of a file and first of the next edited", setDoc(1, 3, "New."), setDoc(2, 0, "New.")},
		{"symbols of a file edited, one between", setDoc(1, 0, "New."), setDoc(1, 2, "New.")},
		{"neighbouring files' summaries", func(m *Map) { m.Files[1].Summary = "X." }, func(m *Map) { m.Files[2].Summary = "Y." }},
		{"summary and tags", func(m *Map) { m.Summary = "X." }, func(m *Map) { m.Tags = []string{"go"} }},
		{"file removed, next one edited", func(m *Map) { m.Files = append(m.Files[:1:1], m.Files[2:]...) }, setDoc(2, 0, "New.")},
		{"file removed, previous one edited", func(m *Map) { m.Files = append(m.Files[:2:2], m.Files[3:]...) }, setDoc(1, 3, "New.")},
		{"dependencies added around one", func(m *Map) { m.DependsOn = append(m.DependsOn, "web") }, func(m *Map) { m.DependsOn = append(m.DependsOn, "api") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, clean := gitMerge(t, mapWith(files, nil), mapWith(files, c.ours), mapWith(files, c.theirs))
			want := mapWith(files, func(m *Map) {
				// A side that removes a file moves the indices of the other.
				if len(c.name) > 12 && c.name[:12] == "file removed" {
					c.theirs(m)
					c.ours(m)
					return
				}
				c.ours(m)
				c.theirs(m)
			})
			if !clean || !bytes.Equal(got, want) {
				t.Errorf("clean = %v\n%s", clean, got)
			}
		})
	}
	t.Run("files added in distant places", func(t *testing.T) {
		got, clean := gitMerge(t, mapWith(files, nil), mapWith(append(files, 15), nil), mapWith(append(files, 45), nil))
		if want := mapWith(append(files, 15, 45), nil); !clean || !bytes.Equal(got, want) {
			t.Errorf("clean = %v\n%s", clean, got)
		}
	})
	t.Run("file added before and after an edited one", func(t *testing.T) {
		for _, n := range []int{15, 25} {
			got, clean := gitMerge(t, mapWith(files, nil), mapWith(append(files, n), nil), mapWith(files, both(setDoc(1, 0, "N."), setDoc(1, 3, "N."))))
			want := mapWith(append(files, n), both(setDoc(1, 0, "N."), setDoc(1, 3, "N.")))
			if !clean || !bytes.Equal(got, want) {
				t.Errorf("file%d: clean = %v\n%s", n, clean, got)
			}
		}
	})
}

// TestMergeIndex: directories edited on two branches meet in the index of their
// parent, and must not conflict there.
func TestMergeIndex(t *testing.T) {
	needGit(t)
	render := func(edit func(*Index)) []byte {
		x := bigIndex(6, 6)
		if edit != nil {
			edit(x)
		}
		return RenderIndex(x, Limits{})
	}
	for i := range 5 {
		for name, edits := range map[string][2]func(*Index){
			"neighbouring directories": {func(x *Index) { x.Children[i].Summary = "Ours." }, func(x *Index) { x.Children[i+1].Summary = "Theirs." }},
			"neighbouring files":       {func(x *Index) { x.Files[i].Note = "ours" }, func(x *Index) { x.Files[i+1].Note = "theirs" }},
			"last directory, a file":   {func(x *Index) { x.Children[5].Summary = "Ours." }, func(x *Index) { x.Files[i].Note = "theirs" }},
			"directory and a new one": {
				func(x *Index) { x.Children[i].Summary = "Ours." },
				func(x *Index) { x.Children = append(x.Children, Child{Name: fmt.Sprintf("child%05da", i)}) },
			},
		} {
			got, clean := gitMerge(t, render(nil), render(edits[0]), render(edits[1]))
			want := render(func(x *Index) { edits[0](x); edits[1](x) })
			if !clean || !bytes.Equal(got, want) {
				t.Errorf("%s, %d: clean = %v\n%s", name, i, clean, got)
			}
		}
	}
	// The one conflict that is allowed: two new entries in the same gap.
	add := func(name string) func(*Index) {
		return func(x *Index) { x.Children = append(x.Children, Child{Name: name}) }
	}
	if _, clean := gitMerge(t, render(nil), render(add("child00002a")), render(add("child00004a"))); !clean {
		t.Error("directories added in different places conflict")
	}
	merged, clean := gitMerge(t, render(nil), render(add("child00002a")), render(add("child00002b")))
	if clean {
		t.Log("git merged two additions in the same place")
	} else if state := Inspect(merged); state != Conflicted {
		t.Errorf("Inspect of a conflict = %v", state)
	}
}

// TestMergeRate measures how often two random edits of a map conflict. A clean
// merge must equal the rendering of both edits.
func TestMergeRate(t *testing.T) {
	needGit(t)
	const rounds = 60
	files := []int{10, 20, 30, 40, 50, 60, 70, 80}
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		name string
		max  int // conflicts allowed in rounds
		edit func(side string) func(*Map)
	}{
		{"a new file on both sides", rounds / 4, func(side string) func(*Map) {
			name := fmt.Sprintf("file%02d%s.go", r.IntN(90), side)
			return func(m *Map) {
				m.Files = append(m.Files, MapFile{Name: name, Language: "go", Symbols: []MapSymbol{{Kind: "func", Name: "N" + side}, {Kind: "func", Name: "M" + side}}})
			}
		}},
		{"a new symbol on both sides, any file", rounds / 10, func(side string) func(*Map) {
			file := r.IntN(8)
			return addSymbol(file, fmt.Sprintf("F%dx%d%s", file*10+10, r.IntN(40), side))
		}},
		{"documentation of a symbol on both sides, any file", rounds / 5, func(side string) func(*Map) {
			return setDoc(r.IntN(8), r.IntN(4), "Changed on "+side+".")
		}},
	} {
		conflicts := 0
		for range rounds {
			ours, theirs := c.edit("a"), c.edit("b")
			got, clean := gitMerge(t, mapWith(files, nil), mapWith(files, ours), mapWith(files, theirs))
			if !clean {
				conflicts++
				continue
			}
			if want := mapWith(files, both(ours, theirs)); !bytes.Equal(got, want) {
				t.Errorf("%s: a clean merge differs from a fresh run\n%s\n%s", c.name, got, want)
			}
		}
		t.Logf("%s: %d of %d conflict", c.name, conflicts, rounds)
		if conflicts > c.max {
			t.Errorf("%s: %d of %d conflict, more than %d", c.name, conflicts, rounds, c.max)
		}
	}
}
