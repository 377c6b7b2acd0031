package resolve

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// revision is a small program as the run of an index sees it.
type revision struct {
	program *edges.Program
	full    []*facts.File
	keys    []Digest
}

type reader struct {
	table *lang.Table
	x     *extract.Extractor
	known map[string]*facts.File
}

func newReader() *reader {
	table := all.Table()
	return &reader{table: table, x: extract.New(table, extract.DefaultLimits), known: map[string]*facts.File{}}
}

func (r *reader) read(files map[string]string) *revision {
	v := &revision{}
	var outlines []facts.Entry
	for _, p := range sortedPaths(files) {
		ext := strings.ToLower(path.Ext(p))
		id := ext + "\x00" + files[p]
		f, ok := r.known[id]
		if !ok {
			f = r.x.Extract([]byte(files[p]), extract.Plan{Language: r.table.ByPath(p), Extension: ext})
			r.known[id] = f
		}
		outline := *f
		outline.Refs, outline.Scopes, outline.Bindings, outline.Terms = nil, nil, nil, nil
		outlines = append(outlines, facts.Entry{Path: p, File: &outline})
		v.full = append(v.full, f)
		sum := sha256.Sum256([]byte(id))
		v.keys = append(v.keys, Digest(sum[:16]))
	}
	v.program = edges.NewProgram(outlines)
	return v
}

func sortedPaths(files map[string]string) []string {
	out := make([]string, 0, len(files))
	for p := range files {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

func (v *revision) run(t testing.TB, before *Output, workers int) *Output {
	t.Helper()
	in := Input{
		Program: v.program, Workers: workers,
		Keys:    func(doc int) Digest { return v.keys[doc] },
		Details: func(doc int) (*facts.File, error) { return v.full[doc], nil },
	}
	if before != nil {
		// As it comes back from the store.
		in.Before = DecodeState(before.State.Append(nil))
		if in.Before == nil {
			t.Fatal("the state does not decode")
		}
		in.SitesBefore = func(doc int) []edges.Site { return slices.Clone(before.Sites[doc]) }
	}
	out, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mixed is a program in several languages whose files use each other.
var mixed = map[string]string{
	"go.mod":          "module example.org/m\n\ngo 1.22\n",
	"app/run.go":      "package app\n\nimport \"example.org/m/store\"\n\ntype client struct{ *store.Store }\n\nfunc run(c client) {\n\tc.Save()\n\tstore.Open().Save()\n}\n",
	"store/store.go":  "package store\n\ntype Saver interface{ Save() }\n\ntype Store struct{}\n\nfunc Open() *Store { return &Store{} }\n\nfunc (s *Store) Save() {\n\ts.flush()\n}\n\nfunc (s *Store) flush() {}\n",
	"store/other.go":  "package store\n\nfunc use(s Saver) { s.Save(); Open() }\n",
	"py/__init__.py":  "from .base import Base as Root\n",
	"py/base.py":      "class Base:\n    def save(self):\n        return self.load()\n\n    def load(self):\n        return 1\n",
	"py/item.py":      "from py import Root\n\nclass Item(Root):\n    def load(self):\n        return 2\n\ndef go(item: Item):\n    item.save()\n    item.load()\n",
	"web/index.ts":    "export * from './leaf'\nexport { leaf as other } from './leaf'\n",
	"web/leaf.ts":     "export function leaf() {}\nexport class Thing {\n  go() {\n    leaf()\n  }\n}\n",
	"web/use.ts":      "import { other, Thing } from './index'\nother()\nexport class Sub extends Thing { go() { super.go() } }\nnew Sub().go()\n",
	"j/p/Circle.java": "package p;\nclass Circle extends Shape { double area() { return 1; } }\n",
	"j/p/Shape.java":  "package p;\nabstract class Shape { abstract double area(); double twice() {\n  return area() * 2;\n} }\n",
	"j/p/Use.java":    "package p;\nclass Use { void go(Circle c) { c.area(); c.twice(); } }\n",
	"lua/a.lua":       "local M = {}\nfunction M.start() end\nfunction finish() M.start() end\nreturn M\n",
	"lua/b.lua":       "finish()\n",
}

// change edits one file of a program: drops, repeats, swaps or joins lines,
// renames a word, takes the file away, or adds one under another name.
func change(r *rand.Rand, files map[string]string) (map[string]string, string) {
	out := map[string]string{}
	for p, text := range files {
		out[p] = text
	}
	paths := sortedPaths(out)
	p := paths[r.IntN(len(paths))]
	lines := strings.SplitAfter(out[p], "\n")
	k := r.IntN(len(lines))
	switch r.IntN(7) {
	case 0:
		lines = slices.Delete(lines, k, k+1)
	case 1:
		lines = slices.Insert(lines, k, lines[r.IntN(len(lines))])
	case 2:
		o := r.IntN(len(lines))
		lines[k], lines[o] = lines[o], lines[k]
	case 3:
		if words := strings.FieldsFunc(lines[k], func(c rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c)
		}); len(words) > 0 {
			w := words[r.IntN(len(words))]
			lines[k] = strings.ReplaceAll(lines[k], w, w+"X")
		}
	case 4:
		delete(out, p)
		return out, p + " is gone"
	case 5:
		to := path.Join(path.Dir(p), "new"+path.Base(p))
		out[to] = out[p]
		return out, to + " is new"
	case 6:
		lines = slices.Insert(lines, k, "\n", "\n")
	}
	out[p] = strings.Join(lines, "")
	return out, p + " is edited"
}

// What is taken over and what is resolved anew is together what a run from
// nothing gives: sites, and what they depend on.
func TestIncrementalIsFull(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	read := newReader()
	taken := 0
	for round := range 25 {
		files := mixed
		last := read.read(files).run(t, nil, 1)
		for range 8 {
			var what string
			files, what = change(r, files)
			v := read.read(files)
			incremental, full := v.run(t, last, 1), v.run(t, nil, 2)
			for doc := range v.program.Files {
				if !reflect.DeepEqual(nonNil(incremental.Sites[doc]), nonNil(full.Sites[doc])) {
					t.Fatalf("round %d, %s: sites of %s are %v, from nothing %v\n%s", round, what, v.program.Files[doc].Path, incremental.Sites[doc], full.Sites[doc], files[v.program.Files[doc].Path])
				}
			}
			if a, b := incremental.State.Append(nil), full.State.Append(nil); !bytes.Equal(a, b) {
				t.Fatalf("round %d, %s: the states differ", round, what)
			}
			taken += full.Resolved - incremental.Resolved
			last = incremental
		}
	}
	if taken < 1000 {
		t.Errorf("only %d files were taken over", taken)
	}
}

func nonNil(s []edges.Site) []edges.Site {
	if s == nil {
		return []edges.Site{}
	}
	return s
}

// An edit inside a body makes only its file be resolved again, also where it
// moves everything below.
func TestBodyEditResolvesOneFile(t *testing.T) {
	read := newReader()
	last := read.read(mixed).run(t, nil, 1)
	for _, c := range []struct{ path, old, text string }{
		{"store/store.go", "\ts.flush()\n", "\n\n\ts.flush()\n\ts.flush()\n"},
		{"py/base.py", "return self.load()", "x = 1\n        return self.load()"},
		{"web/leaf.ts", "    leaf()\n", "    leaf()\n    leaf()\n"},
		{"j/p/Shape.java", "return area() * 2;", "int n = 2;\nreturn area() * n;"},
	} {
		files := map[string]string{}
		for p, text := range mixed {
			files[p] = text
		}
		files[c.path] = strings.Replace(files[c.path], c.old, c.text, 1)
		if files[c.path] == mixed[c.path] {
			t.Fatalf("%s does not hold %q", c.path, c.old)
		}
		if got := read.read(files).run(t, last, 1); got.Resolved != 1 {
			t.Errorf("%s: %d files were resolved", c.path, got.Resolved)
		}
	}
}

// A new override or re-export makes unchanged callers point elsewhere.
func TestChangesElsewhereAreSeen(t *testing.T) {
	read := newReader()
	last := read.read(mixed).run(t, nil, 1)
	for _, c := range []struct{ path, old, text, at, to string }{
		{"py/item.py", "    def load(self):\n        return 2\n", "    pass\n", "py/item.py:8 load", "py/base.py load"},
		{"py/__init__.py", "from .base import Base as Root", "from .item import Item as Root", "py/item.py:1 Root", "py/item.py Item"},
		{"web/index.ts", "export { leaf as other } from './leaf'", "export { Thing as other } from './leaf'", "web/use.ts:2 other", "web/leaf.ts Thing"},
		{"j/p/Circle.java", "double area() { return 1; }", "", "j/p/Use.java:2 area", "j/p/Shape.java area"},
	} {
		files := map[string]string{}
		for p, text := range mixed {
			files[p] = text
		}
		files[c.path] = strings.Replace(files[c.path], c.old, c.text, 1)
		v := read.read(files)
		out := v.run(t, last, 1)
		var got []string
		for doc, sites := range out.Sites {
			for _, s := range sites {
				to := &v.program.Files[s.Doc]
				got = append(got, fmt.Sprintf("%s:%d %s -> %s %s", v.program.Files[doc].Path, s.Line, nameAt(v.full[doc], s.Start), to.Path, to.File.Symbols[s.Symbol].Name))
			}
		}
		if want := c.at + " -> " + c.to; !slices.Contains(got, want) {
			t.Errorf("%s: no %q in\n\t%s", c.path, want, strings.Join(got, "\n\t"))
		}
	}
}

func nameAt(f *facts.File, at uint32) string {
	for i := range f.Refs {
		if f.Refs[i].Start == at {
			return f.Refs[i].Name
		}
	}
	return "?"
}

// A damaged state is none.
func TestDamagedStates(t *testing.T) {
	data := newReader().read(mixed).run(t, nil, 1).State.Append(nil)
	if DecodeState(data) == nil {
		t.Fatal("a sound state does not decode")
	}
	for i := 0; i < len(data); i += 7 {
		bad := slices.Clone(data)
		bad[i] ^= 0x10
		if DecodeState(bad) != nil {
			t.Fatalf("byte %d is flipped, and the state decodes", i)
		}
		if DecodeState(data[:i]) != nil {
			t.Fatalf("%d bytes decode", i)
		}
	}
}

// FuzzDecodeState seals what it is given, so that the checksum does not hide the
// decoder.
func FuzzDecodeState(f *testing.F) {
	data := newReader().read(mixed).run(f, nil, 1).State.Append(nil)
	f.Add(data[:len(data)-4])
	f.Fuzz(func(t *testing.T, body []byte) {
		if s := DecodeState(sealState(body)); s != nil {
			if again := DecodeState(s.Append(nil)); !reflect.DeepEqual(s, again) {
				t.Errorf("%+v is read back as %+v", s, again)
			}
		}
	})
}
