package php

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	phprow "github.com/project-map/project-map/indexer/lang/php"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

var (
	table     = lang.NewTable(phprow.Language())
	extractor = extract.New(table, extract.DefaultLimits)
)

func entryOf(p string, text []byte) facts.Entry {
	row := table.ByPath(p)
	return facts.Entry{
		Path: p, Role: roles.Of(p, row, nil, roles.Hints{}),
		File: extractor.Extract(text, extract.Plan{Language: row, Extension: path.Ext(p)}),
	}
}

// program reads the files of an archive.
func program(files []txtar.File) *edges.Program {
	var out []facts.Entry
	for _, f := range files {
		out = append(out, entryOf(f.Name, f.Data))
	}
	slices.SortFunc(out, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	return edges.NewProgram(outlinesOf(out))
}

// details are the files with everything, by path.
func details(files []txtar.File) map[string]*facts.File {
	out := map[string]*facts.File{}
	for _, f := range files {
		out[f.Name] = entryOf(f.Name, f.Data).File
	}
	return out
}

// outlinesOf drops what a resolver must not need of other files.
func outlinesOf(files []facts.Entry) []facts.Entry {
	for i := range files {
		f := *files[i].File
		f.Refs, f.Scopes, f.Bindings, f.Terms = nil, nil, nil, nil
		files[i].File = &f
	}
	return files
}

func archives(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	out := map[string]*txtar.Archive{}
	for _, n := range names {
		a, err := txtar.ParseFile(n)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(n), ".txtar")] = a
	}
	return out
}

func sortedNames[V any](m map[string]V) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// qualified is a definition as the archives write it: "A.php Class.name".
func qualified(p *edges.Program, doc, sym int32) string {
	symbols := p.Files[doc].File.Symbols
	name := symbols[sym].Name
	for s := symbols[sym].Parent; s >= 0; s = symbols[s].Parent {
		name = symbols[s].Name + "." + name
	}
	if symbols[sym].Parent < 0 && symbols[sym].Container != "" {
		name = symbols[sym].Container + "." + name
	}
	return p.Files[doc].Path + " " + name
}

// resolvedAs lists the edges of a reference as the archives write them.
func resolvedAs(p *edges.Program, list []edges.Edge, ref int32) string {
	var out []string
	for _, e := range list {
		if e.Ref == ref {
			out = append(out, qualified(p, e.Doc, e.Symbol)+" "+e.Mark.String())
		}
	}
	out = slices.Compact(out)
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}

// expectation is what one comment says of the references of a line.
type expectation struct {
	line uint32
	name string
	want string
}

// expectations reads the comments of a file: "// ref: NAME -> FILE DEFINITION
// MARK, …; NAME -> nothing". FILE may be left out for the file itself. A comment
// on a line of its own speaks of the next line.
func expectations(t *testing.T, name string, text []byte) []expectation {
	t.Helper()
	var out []expectation
	for i, line := range strings.Split(string(text), "\n") {
		code, comment, ok := strings.Cut(line, "// ref: ")
		if !ok {
			continue
		}
		at := uint32(i + 1)
		if strings.TrimSpace(code) == "" {
			at++
		}
		for _, part := range strings.Split(comment, ";") {
			ref, to, ok := strings.Cut(part, " -> ")
			if !ok {
				t.Fatalf("%s:%d: no arrow in %q", name, i+1, part)
			}
			var want []string
			for _, w := range strings.Split(to, ",") {
				w = strings.TrimSpace(w)
				if first, _, _ := strings.Cut(w, " "); w != "nothing" && !strings.HasSuffix(first, ".php") {
					w = name + " " + w
				}
				want = append(want, w)
			}
			out = append(out, expectation{at, strings.TrimSpace(ref), strings.Join(want, ", ")})
		}
	}
	return out
}

// TestArchives resolves the programs in testdata, whose comments say what each
// reference leads to, and demands that every rule occurs in one of them.
func TestArchives(t *testing.T) {
	rules := map[string]bool{}
	all := archives(t)
	for _, name := range sortedNames(all) {
		t.Run(name, func(t *testing.T) {
			a := all[name]
			p, full := program(a.Files), details(a.Files)
			r := New(p)
			for _, f := range a.Files {
				doc := p.ByPath[f.Name]
				got := r.Resolve(doc, full[f.Name], &edges.Uses{}, nil)
				for _, e := range got {
					rules[e.Rule] = true
				}
				for _, x := range expectations(t, f.Name, f.Data) {
					seen := false
					for i := range full[f.Name].Refs {
						ref := &full[f.Name].Refs[i]
						if ref.Line != x.line || ref.Name != x.name {
							continue
						}
						seen = true
						if as := resolvedAs(p, got, int32(i)); as != x.want {
							t.Errorf("%s:%d: %s leads to %s, want %s", f.Name, x.line, x.name, as, x.want)
						}
					}
					if !seen && x.want != "nothing" {
						t.Errorf("%s:%d: no reference to %s", f.Name, x.line, x.name)
					}
				}
			}
		})
	}
	for _, rule := range Rules() {
		if !rules[rule] {
			t.Errorf("no archive has an edge by the rule %q", rule)
		}
	}
	for rule := range rules {
		if !slices.Contains(Rules(), rule) {
			t.Errorf("the rule %q is not listed", rule)
		}
	}
}

func resolveAll(r *Resolver, p *edges.Program, full map[string]*facts.File, order []int) ([][]edges.Edge, []*edges.Uses) {
	out, uses := make([][]edges.Edge, len(p.Files)), make([]*edges.Uses, len(p.Files))
	for _, doc := range order {
		uses[doc] = &edges.Uses{}
		out[doc] = r.Resolve(doc, full[p.Files[doc].Path], uses[doc], nil)
	}
	return out, uses
}

func describeUses(u *edges.Uses) string { return fmt.Sprint(u.Docs(), u.Keys()) }

func ascending(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
