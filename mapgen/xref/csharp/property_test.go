package csharp

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Whatever was resolved before, and by however many at once, edges and uses are
// the same.
func TestOrderDoesNotMatter(t *testing.T) {
	all := archives(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, name := range sortedNames(all) {
		a := all[name]
		p, full := program(a.Files), details(a.Files)
		want, wantUses := resolveAll(New(p), p, full, ascending(len(p.Files)))
		for range 5 {
			order := rnd.Perm(len(p.Files))
			got, uses := resolveAll(New(p), p, full, order)
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
				got[doc] = New(p).Resolve(doc, full[p.Files[doc].Path], &edges.Uses{}, nil)
			}()
		}
		wait.Wait()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: other edges with a resolver for each file", name)
		}
	}
}

// namedEdge is an edge without numbers, which edits move.
type namedEdge struct {
	ref  int32
	to   string
	at   facts.Span
	mark edges.Mark
	rule string
}

func namedEdges(p *edges.Program, list []edges.Edge) []namedEdge {
	var out []namedEdge
	for _, e := range list {
		out = append(out, namedEdge{e.Ref, qualified(p, e.Doc, e.Symbol), facts.Span{}, e.Mark, e.Rule})
	}
	return out
}

// edit changes one file of a program: it drops, repeats, swaps or renames lines,
// or takes the file away.
func edit(rnd *rand.Rand, files []txtar.File) ([]txtar.File, string) {
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
		fresh := name[:at+1] + [...]string{"Extra.cs", "Base.cs", "New.csproj", "Usings.cs", "Directory.Build.props"}[rnd.IntN(5)]
		if !slices.ContainsFunc(out, func(f txtar.File) bool { return f.Name == fresh }) {
			return append(out, txtar.File{Name: fresh, Data: out[i].Data}), fresh
		}
	}
	out[i].Data = bytes.Join(lines, nil)
	return out, name
}

// Files whose uses do not include an edited file, and whose searched groups did
// not change, keep their edges: the incremental run relies on it.
func TestUsesAreComplete(t *testing.T) {
	all := archives(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, name := range sortedNames(all) {
		a := all[name]
		p := program(a.Files)
		r := New(p)
		full := details(a.Files)
		before, uses := resolveAll(r, p, full, ascending(len(p.Files)))
		for range 60 {
			files, edited := edit(rnd, a.Files)
			q := program(files)
			s := New(q)
			after, _ := resolveAll(s, q, details(files), ascending(len(q.Files)))
			for doc := range p.Files {
				file := p.Files[doc].Path
				now, still := q.ByPath[file]
				if file == edited || !still || mayChange(p, r, q, s, uses[doc], doc, now, edited) {
					continue
				}
				if x, y := namedEdges(p, before[doc]), namedEdges(q, after[now]); !reflect.DeepEqual(x, y) {
					t.Fatalf("%s: after an edit of %s, %s changes from\n%v to\n%v\nalthough it uses %s", name, edited, file, x, y, describeUses(uses[doc]))
				}
			}
		}
	}
}

// mayChange tells whether what a file uses is touched by an edit: a document, a
// target of an import clause, or a group.
func mayChange(p *edges.Program, r *Resolver, q *edges.Program, s *Resolver, uses *edges.Uses, doc, now int, edited string) bool {
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
		for _, d := range s.Group(key) {
			y = append(y, q.Files[d].Path)
		}
		if !slices.Equal(x, y) || slices.Contains(y, edited) {
			return true
		}
	}
	return false
}
