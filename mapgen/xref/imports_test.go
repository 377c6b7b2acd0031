package xref_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen/xref"
)

// read extracts the files of an archive, sorted by path.
func read(files []txtar.File) []facts.Entry {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var out []facts.Entry
	for _, f := range files {
		l := table.ByPath(f.Name)
		out = append(out, facts.Entry{Path: f.Name, Role: roles.Of(f.Name, l, nil, roles.Hints{}), File: x.Extract(f.Data, extract.Plan{Language: l, Extension: strings.ToLower(filepath.Ext(f.Name))})})
	}
	slices.SortFunc(out, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// resolved lists the targets of a file's imports, sorted; directories end in a
// slash.
func resolved(t *testing.T, files []facts.Entry, from string) []string {
	t.Helper()
	i := slices.IndexFunc(files, func(e facts.Entry) bool { return e.Path == from })
	if i < 0 {
		t.Fatalf("no file %s", from)
	}
	var out []string
	for _, target := range xref.Imports(files)[i] {
		if target.Doc >= 0 {
			out = append(out, files[target.Doc].Path)
		} else {
			out = append(out, target.Dir+"/")
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestImports resolves the imports of the archives in testdata. A file says what
// it expects in comment lines "want: TARGET" or "want nothing".
func TestImports(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := read(a.Files)
			checked := 0
			for _, f := range a.Files {
				var want []string
				said := false
				for line := range strings.Lines(string(f.Data)) {
					if target, ok := strings.CutPrefix(strings.TrimLeft(line, "/#-;<! "), "want: "); ok {
						want, said = append(want, strings.TrimSpace(target)), true
					}
					said = said || strings.Contains(line, "want nothing")
				}
				if !said {
					continue
				}
				checked++
				slices.Sort(want)
				if got := resolved(t, files, f.Name); !slices.Equal(got, want) {
					t.Errorf("%s:\ngot  %q\nwant %q", f.Name, got, want)
				}
			}
			if checked == 0 {
				t.Error("nothing is expected")
			}
		})
	}
}

// TestImportsTakesAnything: names that lead out of the repository or nowhere
// have no target and end no run.
func TestImportsTakesAnything(t *testing.T) {
	modules := []string{"", ".", "..", "...", "/", "//", "./", "../../../../etc/passwd", "a/../../b", "*", "?", "\x00", strings.Repeat(".", 500), strings.Repeat("a/", 500), "@", "@/", "日本"}
	for _, language := range []string{"go", "python", "typescript", "javascript", "markdown", "makefile", "gomod", "none", ""} {
		f := &facts.File{Language: language, Depth: facts.Parsed, Package: "p"}
		for _, m := range modules {
			f.Imports = append(f.Imports, facts.Import{Module: m, Names: []facts.ImportedName{{Name: m}, {Name: "*"}}})
		}
		files := []facts.Entry{{Path: "a/b/x", File: f}, {Path: "a/index.ts", File: &facts.File{}}, {Path: "a/go.mod", File: f}, {Path: "tsconfig.json", File: f}}
		for i, targets := range xref.Imports(files) {
			for _, target := range targets {
				if target.Doc >= len(files) || target.Doc == i || strings.HasPrefix(target.Dir, "..") {
					t.Errorf("%s: impossible target %+v", language, target)
				}
			}
		}
	}
}
