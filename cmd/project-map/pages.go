package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

// readPages reads the artifacts below dir by following the links from each
// index to its children. Pages that cannot be read are returned as broken.
func readPages(dir string) (pages []mapgen.Page, broken []string, err error) {
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	read := func(p string) ([]byte, bool) {
		data, err := root.ReadFile(p)
		if err == nil {
			pages = append(pages, mapgen.Page{Path: p, Data: data})
			return data, true
		}
		if !errors.Is(err, fs.ErrNotExist) {
			broken = append(broken, p)
		}
		return nil, false
	}
	queue := []string{""}
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		read(path.Join(d, artifact.MapName))
		data, ok := read(path.Join(d, artifact.IndexName))
		if !ok {
			continue
		}
		x, err := artifact.ParseIndex(data)
		if err != nil {
			continue // reported when the catalog is compiled
		}
		for _, c := range x.Children {
			queue = append(queue, path.Join(d, c.Name))
		}
		if len(x.Omitted) > 0 {
			// The page was over its cap and may leave out children.
			queue = append(queue, unlisted(dir, d, x)...)
		}
	}
	return pages, broken, nil
}

// unlisted finds the directories with an index that a shortened index leaves
// out.
func unlisted(root, dir string, x *artifact.Index) []string {
	listed := map[string]bool{}
	for _, c := range x.Children {
		listed[c.Name] = true
	}
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() || listed[e.Name()] || e.Name() == ".git" {
			continue
		}
		p := path.Join(dir, e.Name())
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(p), artifact.IndexName)); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func catalogOf(pages []mapgen.Page) (*store.Catalog, []string, error) {
	table := all.Table()
	return mapgen.FromArtifacts(pages, func(f *facts.File, language, p string) {
		table.Describe(f, cmp.Or(language, table.NameByPath(p)))
	})
}
