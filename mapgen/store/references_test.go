package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// randomReferences makes references among documents of ten symbols each.
func randomReferences(r *rand.Rand, docs int) *ReferenceInput {
	in := &ReferenceInput{
		Sites: make([][]edges.Site, docs), Resolutions: make([]Resolution, docs),
		Extras: make([][]Extra, docs), Findings: make([][]Finding, docs), Notes: make([][]SymbolNote, docs),
	}
	for doc := range docs {
		in.Resolutions[doc] = Resolution(r.IntN(int(resolutionCount)))
		at := edges.Site{Line: 1}
		for range r.IntN(30) {
			at.Start += uint32(r.IntN(300))
			at.Line += uint32(r.IntN(20))
			at.Kind, at.Mark = facts.RefKind(r.IntN(5)), edges.Mark(r.IntN(4))
			at.Doc, at.Symbol = int32(r.IntN(docs)), int32(r.IntN(10))
			in.Sites[doc] = append(in.Sites[doc], at)
		}
		edges.SortSites(in.Sites[doc])
		if r.IntN(3) == 0 {
			in.Extras[doc] = []Extra{{Name: "x", Kind: facts.KindField, Line: 3, Start: 9}}
			in.Findings[doc] = []Finding{{Line: 2, Level: "error", Tool: "lint", Rule: "R1", Message: "no"}}
			in.Notes[doc] = []SymbolNote{{Symbol: 1, Doc: "says"}, {Symbol: 4, Signature: "f()"}}
		}
	}
	for range r.IntN(20) {
		in.Relations = append(in.Relations, RelationInput{
			Derived: Definition{r.IntN(docs), r.IntN(10)}, Base: Definition{r.IntN(docs), r.IntN(10)}, Mark: edges.Mark(r.IntN(4)),
		})
	}
	return in
}

// What is compiled reads back, by place, by definition, and along relations both
// ways.
func TestReferencesGiveBackWhatWasCompiled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		docs := 1 + r.IntN(12)
		in := randomReferences(r, docs)
		data, err := CompileReferences(in)
		if err != nil {
			t.Fatal(err)
		}
		refs, err := OpenReferences(data, docs)
		if err != nil {
			t.Fatal(err)
		}
		uses := map[Definition][]Use{}
		for doc := range docs {
			if got := refs.Sites(doc); !slices.Equal(got, in.Sites[doc]) {
				t.Fatalf("sites of %d are %v, were %v", doc, got, in.Sites[doc])
			}
			for _, s := range in.Sites[doc] {
				d := Definition{int(s.Doc), int(s.Symbol)}
				uses[d] = append(uses[d], Use{doc, s})
			}
			if refs.Resolution(doc) != in.Resolutions[doc] || !slices.Equal(refs.Extras(doc), in.Extras[doc]) || !slices.Equal(refs.Findings(doc), in.Findings[doc]) {
				t.Fatalf("document %d is told otherwise", doc)
			}
			if n, ok := refs.Note(Definition{doc, 4}); ok != (in.Notes[doc] != nil) || ok && n.Signature != "f()" {
				t.Fatalf("note of %d: %+v, %v", doc, n, ok)
			}
		}
		for doc := range docs {
			for symbol := range 11 {
				d := Definition{doc, symbol}
				if got := refs.UsesOf(d); !slices.Equal(got, uses[d]) {
					t.Fatalf("uses of %v are %v, were %v", d, got, uses[d])
				}
				for _, b := range refs.Bases(d) {
					if !slices.ContainsFunc(refs.Derived(b.Definition), func(x Relation) bool { return x.Definition == d && x.Mark == b.Mark }) {
						t.Fatalf("%v has the base %v, which does not have it", d, b)
					}
				}
			}
		}
		for _, rel := range in.Relations {
			if !slices.ContainsFunc(refs.Bases(rel.Derived), func(x Relation) bool { return x.Definition == rel.Base && x.Mark >= rel.Mark }) {
				t.Fatalf("%v is lost: %v", rel, refs.Bases(rel.Derived))
			}
		}
	}
}

// The order in which relations were found does not show.
func TestReferencesAreTheSameBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	in := randomReferences(r, 9)
	want, err := CompileReferences(in)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		r.Shuffle(len(in.Relations), func(i, k int) { in.Relations[i], in.Relations[k] = in.Relations[k], in.Relations[i] })
		if got, err := CompileReferences(in); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("other bytes, %v", err)
		}
	}
}

func TestDamagedReferencesAreNoticed(t *testing.T) {
	data, err := CompileReferences(randomReferences(rand.New(rand.NewPCG(5, 6)), 7))
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 0x20
		if _, err := OpenReferences(bad, 7); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d is flipped: %v", i, err)
		}
	}
	for n := 0; n < len(data); n += 5 {
		if _, err := OpenReferences(data[:n], 7); err == nil {
			t.Fatalf("%d bytes open", n)
		}
	}
	if _, err := OpenReferences(data, 8); !errors.Is(err, ErrCorrupt) {
		t.Errorf("references of another number of documents: %v", err)
	}
}

// FuzzReferences seals what it changes, so that the checksum does not hide the
// readers.
func FuzzReferences(f *testing.F) {
	data, err := CompileReferences(randomReferences(rand.New(rand.NewPCG(7, 8)), 7))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 12 {
			data = slices.Clone(data)
			binary.LittleEndian.PutUint32(data[8:], checksum(data))
		}
		refs, err := OpenReferences(data, 7)
		if err != nil {
			return
		}
		for doc := range 7 {
			for _, s := range refs.Sites(doc) {
				if s.Doc < 0 || s.Doc >= 7 || s.Symbol < 0 {
					t.Fatalf("a site leads to %d of %d", s.Symbol, s.Doc)
				}
			}
			refs.Findings(doc)
			refs.Extras(doc)
			for symbol := range 12 {
				d := Definition{doc, symbol}
				for _, u := range refs.UsesOf(d) {
					if u.Doc < 0 || u.Doc >= 7 {
						t.Fatalf("used by %d", u.Doc)
					}
				}
				for _, x := range append(refs.Bases(d), refs.Derived(d)...) {
					if x.Doc < 0 || x.Doc >= 7 || x.Symbol < 0 {
						t.Fatalf("related to %v", x)
					}
				}
				refs.Note(d)
			}
		}
	})
}

// References and evidence are part of a generation; what a store promises of them
// survives a new manifest.
func TestReferencesInTheStore(t *testing.T) {
	dir := t.TempDir()
	data, names := generation(t, "Name")
	in := &ReferenceInput{Sites: [][]edges.Site{{{Start: 3, Line: 1, Mark: edges.Exact}}}, Resolutions: []Resolution{ByRules}}
	refs, err := CompileReferences(in)
	if err != nil {
		t.Fatal(err)
	}
	c := Contents{Catalog: data, Names: names, References: refs, Dependencies: []byte("d"), Evidence: []byte("e")}
	if err := Write(dir, &Manifest{Input: "one"}, c); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.References()
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Sites(0), in.Sites[0]) || string(s.Dependencies()) != "d" {
			t.Errorf("%v, %q", r.Sites(0), s.Dependencies())
		}
		if e, err := s.Evidence(); err != nil || string(e) != "e" {
			t.Errorf("%q, %v", e, err)
		}
		m := *s.Manifest
		m.Input = "two"
		if err := s.Rewrite(&m); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "Plain")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.References(); !errors.Is(err, ErrNone) {
		t.Errorf("a generation without references: %v", err)
	}
}

func TestLog(t *testing.T) {
	commits := []PastCommit{{ID: [20]byte{1}, Message: "First line\n\nmore"}, {ID: [20]byte{2}}, {ID: [20]byte{3}, Message: "Third\x1b[31m with " + strings.Repeat("x", 300)}}
	data, err := CompileLog(commits)
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLog(data)
	if err != nil || l.Len() != 3 {
		t.Fatal(l, err)
	}
	for i, want := range []string{"First line", "", "Third"} {
		id, subject := l.Entry(i)
		if id != commits[i].ID || !strings.HasPrefix(subject, want) || len(subject) > maxSubject+4 || strings.ContainsRune(subject, 0x1b) {
			t.Errorf("%d: %x, %q", i, id, subject)
		}
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 4
		if _, err := OpenLog(bad); err == nil {
			t.Fatalf("byte %d is flipped, and the log opens", i)
		}
		if _, err := OpenLog(data[:i]); err == nil {
			t.Fatalf("%d bytes open", i)
		}
	}
}
