package script_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
	"github.com/project-map/project-map/mapgen/xref/script"
)

// program is an archive read as a revision.
type program struct {
	files []facts.Entry
	texts map[string]string
}

// reader extracts files; it is not safe for concurrent use.
type reader struct {
	table *lang.Table
	x     *extract.Extractor
}

func newReader() *reader {
	table := all.Table()
	return &reader{table, extract.New(table, extract.DefaultLimits)}
}

func (r *reader) file(name string, data []byte) facts.Entry {
	l := r.table.ByPath(name)
	return facts.Entry{Path: name, Role: roles.Of(name, l, nil, roles.Hints{}), File: r.x.Extract(data, extract.Plan{Language: l, Extension: strings.ToLower(filepath.Ext(name))})}
}

func read(a *txtar.Archive) *program {
	x := newReader()
	p := &program{texts: map[string]string{}}
	for _, f := range a.Files {
		p.files = append(p.files, x.file(f.Name, f.Data))
		p.texts[f.Name] = string(f.Data)
	}
	slices.SortFunc(p.files, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	return p
}

// outlines is the program as resolvers see other files.
func outlines(files []facts.Entry) *edges.Program {
	out := slices.Clone(files)
	for i := range out {
		f := *out[i].File
		f.Refs, f.Scopes, f.Bindings, f.Terms = nil, nil, nil, nil
		out[i].File = &f
	}
	return edges.NewProgram(out)
}

func symbolPath(f *facts.File, i int32) string {
	s := &f.Symbols[i]
	switch {
	case s.Parent >= 0:
		return symbolPath(f, s.Parent) + "." + s.Name
	case s.Container != "":
		return s.Container + "." + s.Name
	}
	return s.Name
}

// A want stands in a comment above a line:
//
//	// ref: save -> store.ts Store.save
//	// ref: id#2 -> User.id likely, Team.id likely
//	// ref: gone -> nothing
//
// It says where all edges of the references to a name in the next other line
// lead: to definitions by their path, in another file where one is named, exact
// unless said otherwise. #2 is the second reference to the name in the line.
var want = regexp.MustCompile(`^\s*(?://|\{?/\*|<!--) ref: (\S+) -> (.*?)(?:\s*\*/\}?|\s*-->)?$`)

func wanted(file, list string) []string {
	var out []string
	if list == "nothing" {
		return nil
	}
	for w := range strings.SplitSeq(list, ",") {
		f := strings.Fields(w)
		mark := "exact"
		if last := strings.Join(f[max(0, len(f)-2):], " "); last == "by name" {
			mark, f = last, f[:len(f)-2]
		} else if f[len(f)-1] == "likely" || f[len(f)-1] == "exact" {
			mark, f = f[len(f)-1], f[:len(f)-1]
		}
		if len(f) == 1 {
			f = []string{file, f[0]}
		}
		out = append(out, fmt.Sprintf("%s %s %s", f[0], f[1], mark))
	}
	slices.Sort(out)
	return out
}

func TestReferences(t *testing.T) {
	rules := map[string]int{}
	for name, a := range edgetest.Archives(t) {
		t.Run(name, func(t *testing.T) {
			p := read(a)
			view := outlines(p.files)
			r := script.New(view)
			for doc := range p.files {
				e := &p.files[doc]
				found := r.Resolve(doc, e.File, &edges.Uses{}, nil)
				for _, x := range found {
					rules[x.Rule]++
				}
				checked := 0
				lines := strings.Split(p.texts[e.Path], "\n")
				for i := range lines {
					m := want.FindStringSubmatch(lines[i])
					if m == nil {
						continue
					}
					at := i + 1
					for want.MatchString(lines[at]) {
						at++
					}
					ref, nth, _ := strings.Cut(m[1][1:], "#")
					ref = m[1][:1] + ref
					n, _ := strconv.Atoi(nth)
					got := edgesAt(p, e.File, found, ref, uint32(at+1), max(n, 1))
					if w := wanted(e.Path, m[2]); !slices.Equal(got, w) {
						t.Errorf("%s:%d: %s leads to %v, want %v\n\t%s", e.Path, at+1, m[1], got, w, lines[at])
					}
					checked++
				}
				if checked == 0 && strings.Contains(p.texts[e.Path], "ref: ") {
					t.Errorf("%s: no want was read", e.Path)
				}
			}
		})
	}
	for _, rule := range script.Rules() {
		if rules[rule] == 0 {
			t.Errorf("no archive has an edge of the rule %q", rule)
		}
	}
}

func edgesAt(p *program, f *facts.File, found []edges.Edge, name string, line uint32, nth int) []string {
	var out []string
	starts := map[uint32]bool{}
	for i := range f.Refs {
		x := &f.Refs[i]
		if x.Name != name || x.Line != line {
			continue
		}
		if starts[x.Start] = true; len(starts) != nth {
			continue
		}
		for _, e := range found {
			if e.Ref == int32(i) {
				d := &p.files[e.Doc]
				out = append(out, fmt.Sprintf("%s %s %s", d.Path, symbolPath(d.File, e.Symbol), e.Mark))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// all resolves every file in an order.
func resolveAll(view *edges.Program, files []facts.Entry, order []int) ([][]edges.Edge, []*edges.Uses) {
	r := script.New(view)
	out, uses := make([][]edges.Edge, len(files)), make([]*edges.Uses, len(files))
	for _, doc := range order {
		uses[doc] = &edges.Uses{}
		out[doc] = r.Resolve(doc, files[doc].File, uses[doc], nil)
	}
	return out, uses
}

func ascending(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// What a resolver answers does not depend on what it was asked before, nor on
// how many others run.
func TestOrderAndParallelism(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, a := range edgetest.Archives(t) {
		p := read(a)
		view := outlines(p.files)
		want, wantUses := resolveAll(view, p.files, ascending(len(p.files)))
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range runtime.GOMAXPROCS(0) + 2 {
			order := r.Perm(len(p.files))
			wg.Go(func() {
				got, gotUses := resolveAll(view, p.files, order)
				mu.Lock()
				defer mu.Unlock()
				for d := range got {
					if !reflect.DeepEqual(got[d], want[d]) {
						t.Errorf("%s: %s differs in the order %v", name, p.files[d].Path, order)
					}
					if !slices.Equal(gotUses[d].Docs(), wantUses[d].Docs()) || !slices.Equal(gotUses[d].Keys(), wantUses[d].Keys()) {
						t.Errorf("%s: uses of %s differ in the order %v", name, p.files[d].Path, order)
					}
				}
			})
		}
		wg.Wait()
	}
}

// Edges are sorted, lead to definitions that exist and are not repeated.
func TestEdgesAreSound(t *testing.T) {
	for name, a := range edgetest.Archives(t) {
		p := read(a)
		got, _ := resolveAll(outlines(p.files), p.files, ascending(len(p.files)))
		for d, list := range got {
			sorted := edges.Sort(slices.Clone(list))
			if !reflect.DeepEqual(sorted, list) && len(list) > 0 {
				t.Errorf("%s: edges of %s are not sorted", name, p.files[d].Path)
			}
			for _, e := range list {
				if int(e.Ref) >= len(p.files[d].File.Refs) || int(e.Doc) >= len(p.files) || int(e.Symbol) >= len(p.files[e.Doc].File.Symbols) || e.Symbol < 0 {
					t.Fatalf("%s: edge %v of %s leads nowhere", name, e, p.files[d].Path)
				}
			}
		}
	}
}

// After an edit of one file, files whose uses include neither it nor a group that
// it enters or leaves keep their edges.
func TestUsesCoverWhatEdgesDependOn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := newReader()
	kept := 0
	for name, a := range edgetest.Archives(t) {
		p := read(a)
		view := outlines(p.files)
		before := script.New(view)
		want, uses := resolveAll(view, p.files, ascending(len(p.files)))
		for range 25 {
			edited := r.IntN(len(p.files))
			text := edit(r, p.texts[p.files[edited].Path])
			files := slices.Clone(p.files)
			files[edited] = x.file(files[edited].Path, []byte(text))
			changed := outlines(files)
			after := script.New(changed)
			for doc := range files {
				if doc == edited || slices.Contains(uses[doc].Docs(), edited) || !reflect.DeepEqual(view.Targets[doc], changed.Targets[doc]) ||
					slices.ContainsFunc(uses[doc].Keys(), func(k string) bool {
						return slices.Contains(before.Group(k), edited) || slices.Contains(after.Group(k), edited)
					}) {
					continue
				}
				kept++
				if got := script.New(changed).Resolve(doc, files[doc].File, &edges.Uses{}, nil); !sameEdges(files, p.files, got, want[doc]) {
					t.Fatalf("%s: an edit of %s changes %s, which does not use it\n%s\n%v\n%v", name, files[edited].Path, files[doc].Path, text, got, want[doc])
				}
			}
		}
	}
	if kept < 100 {
		t.Errorf("only %d files kept their edges: the test shows nothing", kept)
	}
}

// sameEdges compares by what edges lead to.
func sameEdges(files, old []facts.Entry, got, want []edges.Edge) bool {
	name := func(files []facts.Entry, l []edges.Edge) []string {
		var out []string
		for _, e := range l {
			out = append(out, fmt.Sprint(e.Ref, files[e.Doc].Path, symbolPath(files[e.Doc].File, e.Symbol), e.Mark, e.Rule))
		}
		return out
	}
	return slices.Equal(name(files, got), name(old, want))
}

var word = regexp.MustCompile(`[A-Za-z_]\w+`)

// edit drops, doubles or renames something in a text.
func edit(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	i := r.IntN(len(lines))
	switch r.IntN(4) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, lines[i])
	case 2:
		lines = slices.Insert(lines, i, fmt.Sprintf("export class Added%d { open() {} save() {} }", r.IntN(3)))
	default:
		if at := word.FindStringIndex(lines[i]); at != nil {
			lines[i] = lines[i][:at[0]] + "renamed" + lines[i][at[1]:]
		}
	}
	return strings.Join(lines, "\n")
}

func BenchmarkResolve(b *testing.B) {
	var files []facts.Entry
	for n := range 20 {
		for _, a := range edgetest.Archives(b) {
			for _, e := range read(a).files {
				e.Path = fmt.Sprintf("p%d/%s", n, e.Path)
				files = append(files, e)
			}
		}
		if len(files) > 400 {
			break
		}
	}
	slices.SortFunc(files, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	files = slices.CompactFunc(files, func(a, b facts.Entry) bool { return a.Path == b.Path })
	view := outlines(files)
	lines := 0
	for i := range files {
		lines += int(files[i].File.Lines)
	}
	b.ResetTimer()
	for range b.N {
		r := script.New(view)
		for doc := range files {
			r.Resolve(doc, files[doc].File, &edges.Uses{}, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/float64(lines)*10000, "ms/10klines")
}
