package golang_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	golangrow "github.com/project-map/project-map/indexer/lang/golang"
	"github.com/project-map/project-map/indexer/lang/gomod"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
	"github.com/project-map/project-map/mapgen/xref/golang"
)

type reader struct {
	table *lang.Table
	x     *extract.Extractor
}

func newReader() *reader {
	table := lang.NewTable(golangrow.Language(), gomod.Language())
	return &reader{table, extract.New(table, extract.DefaultLimits)}
}

func (r *reader) entry(name string, text []byte) facts.Entry {
	p := extract.Plan{Language: r.table.ByPath(name), Extension: filepath.Ext(name)}
	if strings.HasSuffix(name, "/vendored.go") {
		p.Shallow = facts.ReasonVendored // stands for all that has no outline
	}
	return facts.Entry{Path: name, File: r.x.Extract(text, p)}
}

// read extracts the files of an archive, sorted by path.
func (r *reader) read(files []txtar.File) []facts.Entry {
	var out []facts.Entry
	for _, f := range files {
		out = append(out, r.entry(f.Name, f.Data))
	}
	slices.SortFunc(out, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// outlines drops what the outlines of a revision lack.
func outlines(files []facts.Entry) []facts.Entry {
	out := slices.Clone(files)
	for i := range out {
		f := *out[i].File
		f.Refs, f.Scopes, f.Bindings, f.Terms = nil, nil, nil, nil
		out[i].File = &f
	}
	return out
}

// show writes where an edge leads: "FILE CONTAINER.NAME MARK, RULE"; of several
// definitions of one name in a file, with "@LINE".
func show(files []facts.Entry, e edges.Edge) string {
	f := files[e.Doc].File
	s := &f.Symbols[e.Symbol]
	name := s.Name
	if s.Container != "" {
		name = s.Container + "." + name
	}
	same := 0
	for i := range f.Symbols {
		if o := &f.Symbols[i]; o.Name == s.Name && o.Container == s.Container {
			same++
		}
	}
	if same > 1 {
		name = fmt.Sprintf("%s@%d", name, s.Line)
	}
	return fmt.Sprintf("%s %s %s, %s", files[e.Doc].Path, name, e.Mark, e.Rule)
}

var want = regexp.MustCompile(`^\s*// ref: (\S+?)(?:#(\d))? -> (.+)$`)

// TestEdges resolves the archives in testdata. A line of code may be followed by
// comments
//
//	// ref: NAME -> FILE CONTAINER.NAME MARK, RULE
//	// ref: NAME#2 -> nothing
//
// each an edge of the reference by that name in the line (the second one), and
// together all edges of it.
func TestEdges(t *testing.T) {
	r := newReader()
	covered := map[string]bool{}
	for name, a := range edgetest.Archives(t) {
		t.Run(name, func(t *testing.T) {
			files := r.read(a.Files)
			resolver := golang.New(edges.NewProgram(outlines(files)))
			checked := 0
			for doc := range files {
				f := files[doc].File
				got := map[int32][]string{}
				for _, e := range resolver.Resolve(doc, f, &edges.Uses{}, nil) {
					got[e.Ref] = append(got[e.Ref], show(files, e))
					covered[e.Rule] = true
				}
				i := slices.IndexFunc(a.Files, func(x txtar.File) bool { return x.Name == files[doc].Path })
				type question struct {
					line       uint32
					name, nth  string
					directions []string
				}
				var questions []question
				line, last := uint32(0), uint32(0)
				for text := range strings.Lines(string(a.Files[i].Data)) {
					line++
					m := want.FindStringSubmatch(strings.TrimRight(text, "\n"))
					if m == nil {
						last = line
						continue
					}
					k := slices.IndexFunc(questions, func(q question) bool { return q.line == last && q.name == m[1] && q.nth == m[2] })
					if k < 0 {
						questions = append(questions, question{line: last, name: m[1], nth: m[2]})
						k = len(questions) - 1
					}
					if m[3] != "nothing" {
						questions[k].directions = append(questions[k].directions, m[3])
					}
				}
				for _, q := range questions {
					checked++
					nth := 1
					if q.nth != "" {
						nth = int(q.nth[0] - '0')
					}
					ref := int32(-1)
					for i := range f.Refs {
						if f.Refs[i].Line == q.line && f.Refs[i].Name == q.name {
							if nth--; nth == 0 {
								ref = int32(i)
							}
						}
					}
					if ref < 0 {
						if len(q.directions) > 0 {
							t.Errorf("%s:%d: no reference %s", files[doc].Path, q.line, q.name)
						}
						continue
					}
					slices.Sort(q.directions)
					slices.Sort(got[ref])
					if !slices.Equal(got[ref], q.directions) {
						t.Errorf("%s:%d: %s of %q leads to\n\t%s\nwant\n\t%s", files[doc].Path, q.line, q.name, f.Refs[ref].Qualifier,
							strings.Join(got[ref], "\n\t"), strings.Join(q.directions, "\n\t"))
					}
				}
			}
			if checked == 0 {
				t.Error("nothing is expected")
			}
		})
	}
	for _, rule := range golang.Rules() {
		if !covered[rule] {
			t.Errorf("no archive has an edge of the rule %q", rule)
		}
	}
}

type answer struct {
	edges []edges.Edge
	docs  []int
	keys  []string
}

func ask(r *golang.Resolver, doc int, f *facts.File) answer {
	u := &edges.Uses{}
	out := r.Resolve(doc, f, u, nil)
	return answer{out, u.Docs(), u.Keys()}
}

func (a answer) equal(o answer) bool {
	return slices.Equal(a.edges, o.edges) && slices.Equal(a.docs, o.docs) && slices.Equal(a.keys, o.keys)
}

// An answer, and what it depends on, is the same whatever was resolved before,
// and in any number of resolvers at once.
func TestSameAnswerInAnyOrder(t *testing.T) {
	r := newReader()
	random := rand.New(rand.NewPCG(5, 6))
	for name, a := range edgetest.Archives(t) {
		files := r.read(a.Files)
		p := edges.NewProgram(outlines(files))
		fresh := make([]answer, len(files))
		for i := range files {
			fresh[i] = ask(golang.New(p), i, files[i].File)
		}
		for range 5 {
			warm := golang.New(p)
			for _, i := range random.Perm(len(files)) {
				if got := ask(warm, i, files[i].File); !got.equal(fresh[i]) {
					t.Errorf("%s: %s: %v, fresh %v", name, files[i].Path, got, fresh[i])
				}
			}
		}
		old := runtime.GOMAXPROCS(4)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				r := golang.New(p)
				for i := range files {
					if got := ask(r, i, files[i].File); !got.equal(fresh[i]) {
						t.Errorf("%s: %s: differs at once with others", name, files[i].Path)
					}
				}
			})
		}
		wg.Wait()
		runtime.GOMAXPROCS(old)
	}
}

// describe writes the edges of a document without numbers, which change when
// files come and go.
func describe(files []facts.Entry, doc int, list []edges.Edge) []string {
	var out []string
	for _, e := range list {
		ref := &files[doc].File.Refs[e.Ref]
		s := &files[e.Doc].File.Symbols[e.Symbol]
		out = append(out, fmt.Sprintf("%d %s -> %s %s.%s@%d %s, %s", ref.Start, ref.Name, files[e.Doc].Path, s.Container, s.Name, s.Line, e.Mark, e.Rule))
	}
	return out
}

// groups lists the members of the groups that an answer depends on, by path.
func groups(files []facts.Entry, r *golang.Resolver, a answer) map[string]bool {
	out := map[string]bool{}
	for _, d := range a.docs {
		out[files[d].Path] = true
	}
	for _, k := range a.keys {
		for _, d := range r.Group(k) {
			out[files[d].Path] = true
		}
	}
	return out
}

// A file whose uses hold a changed file neither before nor after the change has
// the same edges.
func TestWhatIsNotUsedDoesNotMatter(t *testing.T) {
	rd := newReader()
	random := rand.New(rand.NewPCG(7, 8))
	kept, again := 0, 0
	for name, a := range edgetest.Archives(t) {
		before := rd.read(a.Files)
		rb := golang.New(edges.NewProgram(outlines(before)))
		old := map[string]answer{}
		for i := range before {
			old[before[i].Path] = ask(rb, i, before[i].File)
		}
		for range 40 {
			changed := a.Files[random.IntN(len(a.Files))]
			lines := strings.SplitAfter(string(changed.Data), "\n")
			after := slices.Clone(before)
			at := slices.IndexFunc(after, func(e facts.Entry) bool { return e.Path == changed.Name })
			names := []string{changed.Name}
			switch random.IntN(5) {
			case 0: // delete
				after = slices.Delete(after, at, at+1)
			case 1: // rename
				after[at].Path = filepath.Join(filepath.Dir(changed.Name), "zz_"+filepath.Base(changed.Name))
				names = append(names, after[at].Path)
			case 2: // a file more, with a name that another one has
				e := rd.entry(filepath.Join(filepath.Dir(changed.Name), "more.go"), changed.Data)
				after = append(after, e)
				names = []string{e.Path}
			default: // lines deleted, exchanged, repeated
				for range 1 + random.IntN(3) {
					i, j := random.IntN(len(lines)), random.IntN(len(lines))
					switch random.IntN(3) {
					case 0:
						lines[i] = "\n"
					case 1:
						lines[i], lines[j] = lines[j], lines[i]
					default:
						lines[i] += lines[j]
					}
				}
				after[at] = rd.entry(changed.Name, []byte(strings.Join(lines, "")))
			}
			slices.SortFunc(after, func(a, b facts.Entry) int { return strings.Compare(a.Path, b.Path) })
			ra := golang.New(edges.NewProgram(outlines(after)))
			for i := range after {
				path := after[i].Path
				was, known := old[path]
				if slices.Contains(names, path) || !known {
					continue
				}
				b := slices.IndexFunc(before, func(e facts.Entry) bool { return e.Path == path })
				reads := func(files []facts.Entry, r *golang.Resolver) bool {
					g := groups(files, r, was)
					return slices.ContainsFunc(names, func(n string) bool { return g[n] })
				}
				// The keys are the old answer's; its documents are numbers of then.
				if reads(before, rb) || reads(after, ra) {
					again++
					continue
				}
				kept++
				now := ask(ra, i, after[i].File)
				if x, y := describe(before, b, was.edges), describe(after, i, now.edges); !slices.Equal(x, y) {
					t.Fatalf("%s: %v changed, %s does not use it, but its edges were\n%s\nand are\n%s", name, names, path, strings.Join(x, "\n"), strings.Join(y, "\n"))
				}
			}
		}
	}
	if kept < 100 || again < 100 {
		t.Errorf("%d kept and %d resolved again: the test shows nothing", kept, again)
	}
}

// Whatever the facts say, resolving ends without a panic, and every edge points
// at something.
func TestTakesAnything(t *testing.T) {
	rd := newReader()
	random := rand.New(rand.NewPCG(9, 10))
	for name, a := range edgetest.Archives(t) {
		for range 60 {
			files := rd.read(a.Files)
			for i := range files {
				corrupt(random, files[i].File)
			}
			r := golang.New(edges.NewProgram(files))
			for doc := range files {
				for _, e := range r.Resolve(doc, files[doc].File, &edges.Uses{}, nil) {
					if int(e.Ref) >= len(files[doc].File.Refs) || int(e.Doc) >= len(files) || int(e.Symbol) >= len(files[e.Doc].File.Symbols) {
						t.Fatalf("%s: %s: impossible edge %+v", name, files[doc].Path, e)
					}
				}
			}
		}
	}
}

// corrupt exchanges types, shapes, names and containers of a file at random.
func corrupt(random *rand.Rand, f *facts.File) {
	odd := []string{"", "[", "]", "(", "func", "func(", "map[", "*", "&", "&&**x", "x[", "x(", "x()()()", "T[T[T]]", "struct@9:1", "struct@x", "interface@0:99999999999",
		"range range x", "x#", "x#99", "?", "...", "...T", "chan", "<-", "a.b.c.d", ".x", "x.", "#", "{}", "[]{}[]{}", "0#1", strings.Repeat("(", 200), strings.Repeat("*", 500), strings.Repeat("x(", 100), "日本.語()"}
	pick := func(s *string, more []string) {
		switch random.IntN(6) {
		case 0:
			*s = odd[random.IntN(len(odd))]
		case 1:
			if len(more) > 0 {
				*s = more[random.IntN(len(more))]
			}
		case 2:
			if len(*s) > 0 {
				*s = (*s)[:random.IntN(len(*s))]
			}
		}
	}
	var texts []string
	for i := range f.Symbols {
		texts = append(texts, f.Symbols[i].Type, f.Symbols[i].Name, f.Symbols[i].Init, f.Symbols[i].Signature)
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		pick(&s.Type, texts)
		pick(&s.Init, texts)
		pick(&s.Signature, texts)
		pick(&s.Container, texts)
		for k := range s.Params {
			pick(&s.Params[k].Type, texts)
		}
		for k := range s.Bases {
			pick(&s.Bases[k], texts)
		}
	}
	for i := range f.Bindings {
		pick(&f.Bindings[i].Type, texts)
		pick(&f.Bindings[i].Init, texts)
	}
	for i := range f.Refs {
		pick(&f.Refs[i].Qualifier, texts)
	}
}

func BenchmarkResolve(b *testing.B) {
	rd := newReader()
	var files []txtar.File
	for name, a := range edgetest.Archives(b) {
		for k := range 60 {
			for _, f := range a.Files {
				files = append(files, txtar.File{Name: fmt.Sprintf("%s%d/%s", name, k, f.Name), Data: f.Data})
			}
		}
	}
	entries := rd.read(files)
	p := edges.NewProgram(entries)
	lines := 0
	for i := range entries {
		lines += int(entries[i].File.Lines)
	}
	for b.Loop() {
		r := golang.New(p)
		for i := range entries {
			r.Resolve(i, entries[i].File, &edges.Uses{}, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/float64(lines)*10000, "ms/10klines")
}
