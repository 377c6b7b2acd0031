package ranker

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

// TestDraw: what a leading file uses, and what changes with it, follows it more
// closely; tests and vendored files do not.
func TestDraw(t *testing.T) {
	files := append(filler(6),
		file{path: "lead.go", body: "backoff jitter retry"},
		file{path: "low.go", body: "retry"}, file{path: "same.go", body: "retry"},
		file{path: "low_test.go", body: "retry", role: facts.RoleTest},
		file{path: "vendor/low.go", body: "retry", role: facts.RoleVendored})
	const text = "backoff jitter retry"
	for _, c := range []struct {
		name, signal string
		extras       extras
		want         []string
	}{
		{"imports", "used by leader", extras{imports: map[string][]string{"lead.go": {"low.go", "low_test.go", "vendor/low.go"}}}, []string{"low.go"}},
		{"importers", "used by leader", extras{imports: map[string][]string{"low.go": {"lead.go"}}}, nil},
		{"commits", "changes with leader", extras{commits: [][]string{{"lead.go", "low.go"}, {"lead.go", "low.go", "low_test.go"}}}, []string{"low.go"}},
		{"one commit", "changes with leader", extras{commits: [][]string{{"lead.go", "low.go"}}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := values(t, catalog(t, c.extras, files...), Options{}, c.signal, text)
			var paths []string
			for p := range got {
				paths = append(paths, p)
			}
			slices.Sort(paths)
			if !slices.Equal(paths, c.want) {
				t.Errorf("drawn: %v, want %v", got, c.want)
			}
		})
	}
}

// TestFollowersNeverOvertake: in made-up repositories with random links the
// first source is the same as without any link.
func TestFollowersNeverOvertake(t *testing.T) {
	sum := 0.0
	for _, s := range signalTable() {
		if s.scale == following {
			sum += s.weight
		}
	}
	if sum >= 1 {
		t.Errorf("signals that draw weigh %g together, which lets files overtake", sum)
	}
	random := rand.New(rand.NewPCG(1, 2))
	list := []string{"backoff", "jitter", "retry", "quota", "upload"}
	for range 200 {
		var files []file
		for i := range 8 {
			f := file{path: string(rune('a'+i)) + ".go"}
			for _, w := range list {
				if random.IntN(3) == 0 {
					f.body += " " + w
				}
			}
			files = append(files, f)
		}
		e := extras{imports: map[string][]string{}}
		for _, f := range files {
			for _, o := range files {
				if f.path != o.path && random.IntN(3) == 0 {
					e.imports[f.path] = append(e.imports[f.path], o.path)
				}
			}
		}
		plain, linked := rank(catalog(t, extras{}, files...), "backoff jitter retry quota"), rank(catalog(t, e, files...), "backoff jitter retry quota")
		if plain.NothingMatched {
			continue
		}
		if a, b := plain.Files[0], linked.Files[0]; a.Path != b.Path {
			t.Fatalf("%s %.3f is first without links, %s %.3f with %v", a.Path, a.Score, b.Path, b.Score, e.imports)
		}
	}
}
