package mapgen_test

import (
	"context"
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
	"github.com/project-map/project-map/mapgen/dirfacts"
)

// repo is a repository in memory: path to text.
type repo map[string]string

func shop(t *testing.T) repo {
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

// with is a copy with other texts; an empty one removes the file.
func (r repo) with(files repo) repo {
	out := maps.Clone(r)
	for p, text := range files {
		if text == "" {
			delete(out, p)
		} else {
			out[p] = text
		}
	}
	return out
}

// facts extracts all files, as the indexer does.
func (r repo) facts() []facts.Entry {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	var out []facts.Entry
	for _, p := range slices.Sorted(maps.Keys(r)) {
		l := table.ByPath(p)
		plan := extract.Plan{Language: l, Extension: strings.ToLower(path.Ext(p))}
		if roles.Of(p, l, nil, roles.Hints{}).Has(facts.RoleVendored) {
			plan.Shallow = facts.ReasonVendored
		}
		f := x.Extract([]byte(r[p]), plan)
		out = append(out, facts.Entry{Path: p, File: f, Role: roles.Of(p, table.ByName(f.Language), f, roles.Hints{})})
	}
	return out
}

// pages renders the maps, path to text.
func (r repo) pages(t *testing.T) map[string]string {
	t.Helper()
	g, err := mapgen.Pages(context.Background(), r.facts(), dirfacts.Written{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range g.Pages {
		out[p.Path] = string(p.Data)
	}
	return out
}

// changed lists the pages that differ.
func changed(before, after map[string]string) []string {
	var out []string
	for p, text := range after {
		if before[p] != text {
			out = append(out, p)
		}
	}
	for p := range before {
		if _, ok := after[p]; !ok {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}
