package site_test

import (
	"context"
	"crypto/sha256"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/roles"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/dirfacts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/resolve"
	"github.com/project-map/project-map/site"
)

// repo is a repository in memory: path to text.
type repo map[string]string

func shop(t testing.TB) repo {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("..", "testdata", "shop.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	r := repo{}
	for _, f := range a.Files {
		r[f.Name] = string(f.Data)
	}
	return r
}

// input compiles a repository as index does. Each of the commits touches the
// files whose paths begin with its key.
func (r repo) input(t testing.TB, commits ...[2]string) *site.Input {
	t.Helper()
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var files []facts.Entry
	paths := slices.Sorted(maps.Keys(r))
	for _, p := range paths {
		l := table.ByPath(p)
		plan := extract.Plan{Language: l, Extension: strings.ToLower(path.Ext(p))}
		if roles.Of(p, l, nil, roles.Hints{}).Has(facts.RoleVendored) {
			plan.Shallow = facts.ReasonVendored
		}
		f := x.Extract([]byte(r[p]), plan)
		files = append(files, facts.Entry{Path: p, File: f, Role: roles.Of(p, table.ByName(f.Language), f, roles.Hints{})})
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	generated, err := mapgen.Pages(context.Background(), files, dirfacts.Written{})
	must(err)
	b := store.NewBuilder(paths)
	must(mapgen.Describe(b, files, generated))
	var past []store.PastCommit
	for i, c := range commits {
		at := store.PastCommit{ID: [20]byte{byte(i + 1)}, Time: 1_700_000_000 - int64(i)*40*86400, Message: c[1]}
		for k, p := range paths {
			if strings.HasPrefix(p, c[0]) {
				at.Docs = append(at.Docs, k)
			}
		}
		at.Files = len(at.Docs)
		past = append(past, at)
	}
	b.SetCommits(past)
	in := &site.Input{Tool: "test", Revision: store.Revision{Kind: "commit", Commit: strings.Repeat("ab", 20)}}
	data, err := b.Bytes()
	must(err)
	in.Catalog, err = store.OpenCatalog(data)
	must(err)
	log, err := store.CompileLog(past)
	must(err)
	in.Log, err = store.OpenLog(log)
	must(err)
	refs, err := mapgen.ResolveReferences(context.Background(), mapgen.ReferenceInput{
		Files: files, Imports: generated.Imports, Workers: 1,
		Keys: func(doc int) resolve.Digest {
			sum := sha256.Sum256([]byte(r[paths[doc]]))
			return resolve.Digest(sum[:len(resolve.Digest{})])
		},
		Details: func(doc int) (*facts.File, error) { return files[doc].File, nil },
	})
	must(err)
	in.References, err = store.OpenReferences(refs.Data, len(paths))
	must(err)
	for _, p := range generated.Pages {
		if path.Base(p.Path) == artifact.IndexName {
			x, err := artifact.ParseIndex(p.Data)
			must(err)
			in.Indexes = append(in.Indexes, x)
		} else {
			x, err := artifact.ParseMap(p.Data)
			must(err)
			in.Maps = append(in.Maps, x)
		}
	}
	return in
}

// build makes the site, path to text.
func build(t testing.TB, in *site.Input) map[string]string {
	t.Helper()
	files, err := site.Build(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for i, f := range files {
		if i > 0 && files[i-1].Path >= f.Path {
			t.Errorf("%s comes after %s", f.Path, files[i-1].Path)
		}
		out[f.Path] = string(f.Data)
	}
	return out
}
