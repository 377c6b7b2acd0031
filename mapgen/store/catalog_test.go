package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

// build compiles a small made-up revision, its words spread over n shards.
func build(t testing.TB, n int) ([]byte, []string, map[string]map[int][facts.NumFields]uint16) {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	var paths []string
	for i := range 60 {
		paths = append(paths, fmt.Sprintf("dir%d/sub-%d/file_%02d.go", i%3, i%7, i))
	}
	paths = append(paths, "README.md", "pkg/index.js", "名前/ファイル.py")
	slices.Sort(paths)
	b := NewBuilder(paths)
	var shards []*Shard
	for range n {
		shards = append(shards, b.NewShard())
	}
	want := map[string]map[int][facts.NumFields]uint16{}
	for i, p := range paths {
		f := &facts.File{
			Language: "go", Depth: facts.Parsed, Size: uint32(10 * i), Lines: uint32(i), Package: "p", Summary: "Sum " + p,
			Symbols: []facts.Symbol{
				{Name: "Common", Kind: facts.KindFunction, Signature: "func Common()", Line: 1, EndLine: 2},
				{Name: fmt.Sprintf("common%d", i%5), Kind: facts.KindMethod, Container: "T", Visibility: facts.Private, Flags: facts.InBody, Line: 3, EndLine: 9},
			},
		}
		b.Set(i, &facts.Entry{Role: facts.RoleTest, Blob: facts.BlobID{byte(i), 7}, File: f})
		for range 40 {
			term := fmt.Sprintf("w%d", r.IntN(300))
			if _, dup := want[term][i]; dup {
				continue
			}
			var c [facts.NumFields]uint16
			for k := range c {
				c[k] = uint16(r.IntN(3) * r.IntN(200))
			}
			if c == ([facts.NumFields]uint16{}) {
				c[0] = 1
			}
			if want[term] == nil {
				want[term] = map[int][facts.NumFields]uint16{}
			}
			want[term][i] = c
			shards[i%n].AddTerm(i, term, c)
		}
		b.SetImports(i, []int{(i + 1) % len(paths)})
	}
	b.SetDir(0, "The root", []string{"go"}, true)
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data, paths, want
}

func TestCatalogGivesBackWhatWasAdded(t *testing.T) {
	data, paths, want := build(t, 1)
	for n := 2; n < 4; n++ {
		if other, _, _ := build(t, n); !bytes.Equal(data, other) {
			t.Fatalf("%d shards give other bytes than one", n)
		}
	}
	c, err := OpenCatalog(data)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumDocs() != len(paths) {
		t.Fatalf("%d documents", c.NumDocs())
	}
	for i, p := range paths {
		d := c.Doc(i)
		if d.Path != p || c.Path(i) != p || d.Language != "go" || d.Summary != "Sum "+p || d.Role != facts.RoleTest || d.Blob != (facts.BlobID{byte(i), 7}) || d.Size != uint32(10*i) {
			t.Errorf("document %d: %+v", i, d)
		}
		if at, ok := c.DocByPath(p); !ok || at != i {
			t.Errorf("DocByPath(%q) = %d, %t", p, at, ok)
		}
		dir := c.Dirs()[d.Dir].Path
		if want, _, _ := cutLast(p); dir != want {
			t.Errorf("%s lies in %q", p, dir)
		}
		if got := c.Imports(i); len(got) != 1 || got[0] != (i+1)%len(paths) {
			t.Errorf("imports of %d: %v", i, got)
		}
		syms := c.SymbolsOf(i)
		if len(syms) != 2 || syms[1].Container != "T" || syms[1].Visibility != facts.Private || syms[1].Flags != facts.InBody || syms[0].Signature != "func Common()" || syms[1].Doc != i {
			t.Errorf("symbols of %d: %+v", i, syms)
		}
	}
	if _, ok := c.DocByPath("dir9"); ok {
		t.Error("found a path that is not there")
	}
	for term, docs := range want {
		if got := c.DocFreq(term); got != len(docs) {
			t.Errorf("DocFreq(%s) = %d, want %d", term, got, len(docs))
		}
		last := -1
		c.Postings(term, func(p Posting) {
			if p.Doc <= last {
				t.Errorf("%s: document %d after %d", term, p.Doc, last)
			}
			last = p.Doc
			for f := range facts.NumFields {
				if w := min(docs[p.Doc][f], 255); p.Counts[f] != w {
					t.Errorf("%s in %d field %d: %d, want %d", term, p.Doc, f, p.Counts[f], w)
				}
			}
		})
	}
	if c.DocFreq("nowhere") != 0 || c.DocFreq("") != 0 {
		t.Error("a term that is not there has documents")
	}
	if got := len(c.SymbolsNamed("Common")); got != len(paths) {
		t.Errorf("%d symbols named Common", got)
	}
	if got := c.SymbolsNamed("common"); got != nil {
		t.Errorf("symbols named common: %v", got)
	}
	if got := len(c.SymbolsFolded("COMMON3")); got != 12 && got != 13 {
		t.Errorf("%d symbols named like COMMON3", got)
	}
	if c.Dirs()[0].Summary != "The root" || !c.Dirs()[0].HasMap {
		t.Errorf("root: %+v", c.Dirs()[0])
	}
	seen := false
	c.Postings("readm", func(p Posting) {
		seen = seen || c.Path(p.Doc) == "README.md" && p.Counts[FieldName] == 1 && p.Counts[FieldPath] == 1
	})
	if !seen {
		t.Error("README.md has no words of its path")
	}
	pkg := false
	c.Postings("pkg", func(p Posting) { pkg = pkg || p.Counts[FieldName] == 1 })
	if !pkg {
		t.Error("pkg/index.js does not go by the name of its directory")
	}
}

func cutLast(p string) (string, string, bool) {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i], p[i+1:], true
	}
	return "", p, false
}

func TestDamageIsNoticed(t *testing.T) {
	data, _, _ := build(t, 1)
	for at := range data {
		if at == 5 || at == 6 {
			continue // reserved
		}
		bad := bytes.Clone(data)
		bad[at] ^= 0x41
		if _, err := OpenCatalog(bad); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d flipped: %v", at, err)
		}
		if at%97 == 0 {
			if _, err := OpenCatalog(data[:at]); !errors.Is(err, ErrCorrupt) {
				t.Fatalf("cut at %d: %v", at, err)
			}
		}
	}
}

// Whatever passes the checksum must not panic a reader.
func FuzzCatalog(f *testing.F) {
	data, _, _ := build(f, 1)
	f.Add(data[catalogFile.header():])
	f.Fuzz(func(t *testing.T, body []byte) {
		forged := append(bytes.Clone(data[:catalogFile.header()]), body...)
		seal(forged)
		c, err := OpenCatalog(forged)
		if err != nil {
			return
		}
		for i := range c.NumDocs() {
			c.Doc(i)
			c.SymbolsOf(i)
			c.Imports(i)
		}
		for i := range c.NumNames() {
			c.SymbolsNamed(c.Name(i))
			c.SymbolsFolded(c.Name(i))
		}
		c.Postings("w1", func(Posting) {})
	})
}
