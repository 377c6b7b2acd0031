package mapgen_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/mapgen/artifact"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden shows all pages of a small repository.
func TestGolden(t *testing.T) {
	pages := shop(t).pages(t)
	var a txtar.Archive
	for _, p := range slices.Sorted(maps.Keys(pages)) {
		a.Files = append(a.Files, txtar.File{Name: p, Data: []byte(pages[p])})
		if state := artifact.Inspect([]byte(pages[p])); state != artifact.Canonical {
			t.Errorf("%s is %v", p, state)
		}
	}
	got := txtar.Format(&a)
	golden := filepath.Join("testdata", "shop.golden")
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := diff.Diff(golden, want, "got", got); d != nil {
		t.Errorf("pages differ; see what -update changes\n%s", d)
	}
}

// TestMapsLinkOnlyWhatIsThere follows every link, target and import of the pages.
func TestMapsLinkOnlyWhatIsThere(t *testing.T) {
	r := shop(t)
	pages := r.pages(t)
	dirs := map[string]bool{}
	for p := range pages {
		dirs[strings.TrimSuffix(strings.TrimSuffix(p, artifact.IndexName), "/")] = true
	}
	exists := func(p string) bool {
		_, page := pages[p]
		return page || r[p] != "" || dirs[p]
	}
	check := func(page, p string) {
		if !exists(p) {
			t.Errorf("%s names %s, which is not there", page, p)
		}
	}
	links := 0
	for name, text := range pages {
		if strings.HasSuffix(name, artifact.IndexName) {
			x, err := artifact.ParseIndex([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if x.Parent != "" {
				check(name, x.Parent)
			}
			for _, c := range x.Children {
				check(name, artifact.IndexPath(filepath.ToSlash(filepath.Join(x.Dir, c.Name))))
			}
			for _, h := range x.Hints {
				for _, target := range h.Targets {
					links++
					check(name, target.Path)
				}
			}
			for _, w := range x.Workflows {
				for _, target := range w.Targets {
					links++
					check(name, target.Path)
				}
			}
			continue
		}
		m, err := artifact.ParseMap([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range m.DependsOn {
			check(name, d)
		}
		for _, f := range m.Files {
			for _, i := range f.Imports {
				links++
				check(name, i.Target)
			}
			for _, p := range f.Tests {
				links++
				check(name, p)
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links found", links)
	}
}

// TestSummaries: what the front page of a directory has to say.
func TestSummaries(t *testing.T) {
	pages := shop(t).pages(t)
	for dir, want := range map[string]string{
		"":                  "A shop with a server, a library and a front end.",
		"cmd":               "Go in subdirectories",
		"cmd/server":        "Command server sells things.",
		"internal/queue":    "Package queue is a bounded queue.",
		"py":                "The library that partners use.",
		"py/src/shoplib":    "Python package shoplib",
		"py/tests":          "Python tests",
		"web":               "The front end of the shop.",
		"web/src":           "Sources of the package @shop/web",
		"web/src/__tests__": "TypeScript tests",
		".github/workflows": "Configuration",
	} {
		x, err := artifact.ParseIndex([]byte(pages[artifact.IndexPath(dir)]))
		if err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		if x.Summary != want {
			t.Errorf("%s: %q, want %q", dir, x.Summary, want)
		}
	}
	if _, ok := pages["node_modules/left-pad/.pi-map.md"]; ok {
		t.Error("a vendored directory has a map")
	}
}
