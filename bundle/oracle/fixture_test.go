package oracle

import (
	"errors"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/dirfacts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/resolve"
)

// fixture is the store of the repository of testdata/fixture.txtar, with a past.
type fixture struct {
	catalog *store.Catalog
	refs    *store.References
	log     *store.Log
	text    map[string]string
}

// ReadSource makes a fixture a source reader.
func (f *fixture) ReadSource(p string) ([]byte, error) {
	if s, ok := f.text[p]; ok {
		return []byte(s), nil
	}
	return nil, errors.New("no such file")
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/fixture.txtar")
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{text: map[string]string{"docs/logo.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "docs/data.bin": "\x00\x01\x02\x00"}}
	for _, x := range archive.Files {
		f.text[x.Name] = string(x.Data)
	}
	f.build(t, func(at func(p string) int) []store.PastCommit {
		return []store.PastCommit{
			{ID: [20]byte{3}, Time: 1_700_000_200, Message: "Raise Gone for orders without a name", Files: 2, Docs: []int{at("py/shop/orders.py"), at("py/tests/test_orders.py")}},
			{ID: [20]byte{2}, Time: 1_700_000_100, Message: "Keep at most DefaultLimit orders", Files: 1, Docs: []int{at("go/store/store.go")}},
			{ID: [20]byte{1}, Time: 1_700_000_000, Message: "Begin", Files: 3, Docs: []int{at("go/store/store.go"), at("py/shop/errors.py"), at("py/shop/orders.py")}},
		}
	})
	return f
}

// build makes the store of the texts, with the commits that past gives; at is the
// document of a path.
func (f *fixture) build(t testing.TB, past func(at func(p string) int) []store.PastCommit) {
	t.Helper()
	var paths []string
	for p := range f.text {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var files []facts.Entry
	for _, p := range paths {
		l := table.ByPath(p)
		file := x.Extract([]byte(f.text[p]), extract.Plan{Language: l, Extension: strings.ToLower(path.Ext(p))})
		files = append(files, facts.Entry{Path: p, File: file, Role: roles.Of(p, table.ByName(file.Language), file, roles.Hints{})})
	}
	g, err := mapgen.Pages(t.Context(), files, dirfacts.Written{})
	if err != nil {
		t.Fatal(err)
	}
	b := store.NewBuilder(paths)
	shard := b.NewShard()
	for i, p := range paths {
		counts := map[string]uint16{}
		var order []string
		for _, w := range words.Of(f.text[p]) {
			if counts[w]++; counts[w] == 1 {
				order = append(order, w)
			}
		}
		for _, w := range order {
			var c [facts.NumFields]uint16
			c[facts.FieldBody] = counts[w]
			shard.AddTerm(i, w, c)
		}
	}
	if err := mapgen.Describe(b, files, g); err != nil {
		t.Fatal(err)
	}
	commits := past(func(p string) int { return slices.Index(paths, p) })
	b.SetCommits(commits)
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if f.catalog, err = store.OpenCatalog(data); err != nil {
		t.Fatal(err)
	}
	r, err := mapgen.ResolveReferences(t.Context(), mapgen.ReferenceInput{
		Files: files, Imports: g.Imports, Workers: 1,
		Keys:    func(doc int) resolve.Digest { return resolve.Digest{byte(doc + 1)} },
		Details: func(doc int) (*facts.File, error) { return files[doc].File, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.refs, err = store.OpenReferences(r.Data, len(files)); err != nil {
		t.Fatal(err)
	}
	if data, err = store.CompileLog(commits); err != nil {
		t.Fatal(err)
	}
	if f.log, err = store.OpenLog(data); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) oracle(budget int) *Oracle {
	return New(f.catalog, f.refs, f.log, Options{MaxOutputTokens: budget, Source: f})
}
