// Package edgetest is the suite that a resolver must pass: programs whose comments
// say what each reference leads to, and what every resolver promises whatever the
// program: the same edges in any order of work, uses that are complete, edges that
// lead somewhere.
package edgetest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Resolver is what the suite tests: one that searches groups of files.
type Resolver interface {
	edges.Resolver
	edges.Grouper
}

// Suite describes a resolver and the archives below testdata that it is tested
// with.
type Suite struct {
	Table *lang.Table
	New   func(*edges.Program) Resolver
	// Rules lists the rules of the resolver: each has to occur in an archive, and
	// no other.
	Rules []string
	// Comment begins a comment of the language.
	Comment string
	// IsFile tells whether a word of a comment names a file.
	IsFile func(word string) bool
	// Fresh are the base names of files that edits add.
	Fresh []string
	// Qualified is a definition as the archives write it; nil for the names of all
	// that is around it.
	Qualified func(f *facts.File, symbol int32) string
	// Copy changes a file for the n-th copy of a program; nil leaves it.
	Copy func(n int, text []byte) []byte
}

func (s *Suite) entryOf(p string, text []byte) facts.Entry {
	row := s.Table.ByPath(p)
	return facts.Entry{
		Path: p, Role: roles.Of(p, row, nil, roles.Hints{}),
		File: extract.New(s.Table, extract.DefaultLimits).Extract(text, extract.Plan{Language: row, Extension: path.Ext(p)}),
	}
}

// Program reads the outlines of files.
func (s *Suite) Program(files []txtar.File) *edges.Program {
	var out []facts.Entry
	for _, f := range files {
		out = append(out, s.entryOf(f.Name, f.Data))
	}
	slices.SortFunc(out, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	return edges.NewProgram(outlinesOf(out))
}

// Details are files with everything, by path.
func (s *Suite) Details(files []txtar.File) map[string]*facts.File {
	out := map[string]*facts.File{}
	for _, f := range files {
		out[f.Name] = s.entryOf(f.Name, f.Data).File
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

// Archives reads the archives of the package under test, by name.
func Archives(t testing.TB) map[string]*txtar.Archive {
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

// qualified is a definition as the archives write it: "A.java Class.name".
func (s *Suite) qualified(p *edges.Program, doc, sym int32) string {
	f := p.Files[doc].File
	if s.Qualified != nil {
		return p.Files[doc].Path + " " + s.Qualified(f, sym)
	}
	return p.Files[doc].Path + " " + Nested(f, sym)
}

// Nested is the name of a definition behind those of all that is around it.
func Nested(f *facts.File, sym int32) string {
	name := f.Symbols[sym].Name
	for s := f.Symbols[sym].Parent; s >= 0; s = f.Symbols[s].Parent {
		name = f.Symbols[s].Name + "." + name
	}
	return name
}

// resolvedAs lists the edges of a reference as the archives write them.
func (s *Suite) resolvedAs(p *edges.Program, list []edges.Edge, ref int32) string {
	var out []string
	for _, e := range list {
		if e.Ref == ref {
			out = append(out, s.qualified(p, e.Doc, e.Symbol)+" "+e.Mark.String())
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
func (s *Suite) expectations(t *testing.T, name string, text []byte) []expectation {
	t.Helper()
	var out []expectation
	for i, line := range strings.Split(string(text), "\n") {
		code, comment, ok := strings.Cut(line, s.Comment+" ref: ")
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
				if first, _, _ := strings.Cut(w, " "); w != "nothing" && !s.IsFile(first) {
					w = name + " " + w
				}
				want = append(want, w)
			}
			out = append(out, expectation{at, strings.TrimSpace(ref), strings.Join(want, ", ")})
		}
	}
	return out
}

// Archives resolves the programs in testdata, whose comments say what each
// reference leads to, and demands that every rule occurs in one of them.
func (s *Suite) Archives(t *testing.T) {
	rules := map[string]bool{}
	all := Archives(t)
	for _, name := range sortedNames(all) {
		t.Run(name, func(t *testing.T) {
			a := all[name]
			p, full := s.Program(a.Files), s.Details(a.Files)
			r := s.New(p)
			for _, f := range a.Files {
				doc := p.ByPath[f.Name]
				got := r.Resolve(doc, full[f.Name], &edges.Uses{}, nil)
				for _, e := range got {
					rules[e.Rule] = true
				}
				for _, x := range s.expectations(t, f.Name, f.Data) {
					seen := false
					for i := range full[f.Name].Refs {
						ref := &full[f.Name].Refs[i]
						if ref.Line != x.line || ref.Name != x.name {
							continue
						}
						seen = true
						if as := s.resolvedAs(p, got, int32(i)); as != x.want {
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
	for _, rule := range s.Rules {
		if !rules[rule] {
			t.Errorf("no archive has an edge by the rule %q", rule)
		}
	}
	for rule := range rules {
		if !slices.Contains(s.Rules, rule) {
			t.Errorf("the rule %q is not listed", rule)
		}
	}
}

func resolveAll(r Resolver, p *edges.Program, full map[string]*facts.File, order []int) ([][]edges.Edge, []*edges.Uses) {
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

// OrderDoesNotMatter holds that edges and uses are the same whatever was resolved
// before, and by however many at once.
func (s *Suite) OrderDoesNotMatter(t *testing.T) {
	all := Archives(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, name := range sortedNames(all) {
		a := all[name]
		p, full := s.Program(a.Files), s.Details(a.Files)
		want, wantUses := resolveAll(s.New(p), p, full, ascending(len(p.Files)))
		for range 5 {
			order := rnd.Perm(len(p.Files))
			got, uses := resolveAll(s.New(p), p, full, order)
			for doc := range p.Files {
				if !reflect.DeepEqual(got[doc], want[doc]) {
					t.Fatalf("%s: %s has other edges in the order %v", name, p.Files[doc].Path, order)
				}
				if describeUses(uses[doc]) != describeUses(wantUses[doc]) {
					t.Fatalf("%s: %s has other uses in the order %v: %s, was %s", name, p.Files[doc].Path, order, describeUses(uses[doc]), describeUses(wantUses[doc]))
				}
			}
		}
		var wait sync.WaitGroup
		got := make([][]edges.Edge, len(p.Files))
		for doc := range p.Files {
			wait.Add(1)
			go func() {
				defer wait.Done()
				got[doc] = s.New(p).Resolve(doc, full[p.Files[doc].Path], &edges.Uses{}, nil)
			}()
		}
		wait.Wait()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: other edges with a resolver for each file", name)
		}
	}
}

// named is an edge without numbers, which edits move.
type named struct {
	ref  int32
	to   string
	at   facts.Span
	mark edges.Mark
	rule string
}

func (s *Suite) namedEdges(p *edges.Program, list []edges.Edge) []named {
	var out []named
	for _, e := range list {
		out = append(out, named{e.Ref, s.qualified(p, e.Doc, e.Symbol), facts.Span{}, e.Mark, e.Rule})
	}
	return out
}

// edit changes one file of a program: it drops, repeats, swaps or renames lines,
// or takes the file away.
func (s *Suite) edit(rnd *rand.Rand, files []txtar.File) ([]txtar.File, string) {
	out := slices.Clone(files)
	i := rnd.IntN(len(out))
	name := out[i].Name
	lines := bytes.SplitAfter(out[i].Data, []byte("\n"))
	lines = slices.Clone(lines)
	k := rnd.IntN(len(lines))
	switch rnd.IntN(6) {
	case 0:
		lines = slices.Delete(lines, k, k+1)
	case 1:
		lines = slices.Insert(lines, k, lines[rnd.IntN(len(lines))])
	case 2:
		o := rnd.IntN(len(lines))
		lines[k], lines[o] = lines[o], lines[k]
	case 3:
		words := bytes.Fields(lines[k])
		if len(words) > 0 {
			lines[k] = bytes.Replace(lines[k], words[rnd.IntN(len(words))], []byte("renamed"), 1)
		}
	case 4:
		if len(out) > 1 {
			return slices.Delete(out, i, i+1), name
		}
	case 5:
		at := strings.LastIndexByte(name, '/')
		fresh := name[:at+1] + s.Fresh[rnd.IntN(len(s.Fresh))]
		if !slices.ContainsFunc(out, func(f txtar.File) bool { return f.Name == fresh }) {
			return append(out, txtar.File{Name: fresh, Data: out[i].Data}), fresh
		}
	}
	out[i].Data = bytes.Join(lines, nil)
	return out, name
}

// UsesAreComplete holds that files whose uses do not include an edited file, and
// whose searched groups did not change, keep their edges: the incremental run
// relies on it.
func (s *Suite) UsesAreComplete(t *testing.T) {
	all := Archives(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range sortedNames(all) {
		a := all[name]
		p := s.Program(a.Files)
		r := s.New(p)
		full := s.Details(a.Files)
		before, uses := resolveAll(r, p, full, ascending(len(p.Files)))
		for range 60 {
			files, edited := s.edit(rnd, a.Files)
			q := s.Program(files)
			again := s.New(q)
			after, _ := resolveAll(again, q, s.Details(files), ascending(len(q.Files)))
			for doc := range p.Files {
				file := p.Files[doc].Path
				now, still := q.ByPath[file]
				if file == edited || !still || mayChange(p, r, q, again, uses[doc], doc, now, edited) {
					continue
				}
				if x, y := s.namedEdges(p, before[doc]), s.namedEdges(q, after[now]); !reflect.DeepEqual(x, y) {
					t.Fatalf("%s: after an edit of %s, %s changes from\n%v to\n%v\nalthough it uses %s", name, edited, file, x, y, describeUses(uses[doc]))
				}
			}
		}
	}
}

// mayChange tells whether what a file uses is touched by an edit: a document, a
// target of an import clause, or a group.
func mayChange(p *edges.Program, r Resolver, q *edges.Program, again Resolver, uses *edges.Uses, doc, now int, edited string) bool {
	targets := func(p *edges.Program, doc int) []string {
		var out []string
		for _, t := range p.Targets[doc] {
			if t.Doc >= 0 {
				out = append(out, p.Files[t.Doc].Path)
			}
		}
		return out
	}
	if !slices.Equal(targets(p, doc), targets(q, now)) {
		return true
	}
	for _, d := range uses.Docs() {
		o, ok := q.ByPath[p.Files[d].Path]
		if !ok || p.Files[d].Path == edited || !slices.Equal(targets(p, d), targets(q, o)) {
			return true
		}
	}
	for _, key := range uses.Keys() {
		var x, y []string
		for _, d := range r.Group(key) {
			x = append(x, p.Files[d].Path)
		}
		for _, d := range again.Group(key) {
			y = append(y, q.Files[d].Path)
		}
		if !slices.Equal(x, y) || slices.Contains(y, edited) {
			return true
		}
	}
	return false
}

// Texts resolves files and holds what every resolver promises: edges
// lead from references to definitions that are there, in order, each once.
func (s *Suite) Texts(t testing.TB, files ...txtar.File) [][]edges.Edge {
	t.Helper()
	p, full := s.Program(files), s.Details(files)
	r := s.New(p)
	var out [][]edges.Edge
	for doc := range p.Files {
		f := full[p.Files[doc].Path]
		got := r.Resolve(doc, f, &edges.Uses{}, nil)
		for _, e := range got {
			if e.Ref < 0 || int(e.Ref) >= len(f.Refs) || e.Doc < 0 || int(e.Doc) >= len(p.Files) || e.Symbol < 0 || int(e.Symbol) >= len(p.Files[e.Doc].File.Symbols) {
				t.Fatalf("edge %+v leads nowhere", e)
			}
		}
		if again := edges.Sort(slices.Clone(got)); !slices.Equal(again, got) {
			t.Fatal("edges are not in order")
		}
		out = append(out, got)
	}
	return out
}

// Seed gives the files of the archives, in pairs, to a fuzz target of two texts.
func Seed(f *testing.F) {
	f.Helper()
	all := Archives(f)
	for _, name := range sortedNames(all) {
		files := all[name].Files
		for i := range files {
			f.Add(string(files[i].Data), string(files[(i+1)%len(files)].Data))
		}
	}
}

// Benchmark resolves the programs of the archives, n times over in directories of
// their own, from nothing each time.
func (s *Suite) Benchmark(b *testing.B, n int) {
	all := Archives(b)
	var files []txtar.File
	for copies := range n {
		for _, name := range sortedNames(all) {
			for _, f := range all[name].Files {
				text := f.Data
				if s.Copy != nil {
					text = s.Copy(copies, text)
				}
				files = append(files, txtar.File{Name: fmt.Sprintf("copy%d/%s/%s", copies, name, f.Name), Data: text})
			}
		}
	}
	p, full := s.Program(files), s.Details(files)
	var lines uint32
	var order []*facts.File
	for i := range p.Files {
		lines += p.Files[i].File.Lines
		order = append(order, full[p.Files[i].Path])
	}
	b.ResetTimer()
	for range b.N {
		r := s.New(p)
		for doc, f := range order {
			r.Resolve(doc, f, &edges.Uses{}, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)*10_000/float64(lines), "ms/10k-lines")
}

// File is one file of a program.
func File(name, text string) txtar.File { return txtar.File{Name: name, Data: []byte(text)} }
