package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/indexer"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/symbolindex"
	"github.com/project-map/project-map/ranker"
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

func catalogOf(pages []mapgen.Page) (*store.Catalog, []string, error) { return mapgen.FromArtifacts(pages) }

// docState compares a document of the catalog with the file on disk.
func (s *querySource) docState(d store.Doc) (bundle.State, bool) {
	if d.Mode > facts.ModeExecutable || d.Blob == (facts.BlobID{}) {
		return "", false
	}
	root, err := os.OpenRoot(s.sources)
	if err != nil {
		return "", false
	}
	defer root.Close()
	name := filepath.FromSlash(d.Path)
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return bundle.Deleted, true
	case err != nil:
		return "", false
	case !info.Mode().IsRegular():
		return bundle.Modified, true
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return "", false
	}
	if revision.BlobID(data) == revision.ID(d.Blob) {
		return "", false
	}
	// Git may have written the file with other line endings.
	if bytes.Contains(data, []byte("\r\n")) && revision.BlobID(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))) == revision.ID(d.Blob) {
		return "", false
	}
	return bundle.Modified, true
}

// allStale lists every file that differs between the catalog and the work tree.
func (s *querySource) allStale(c *cli.Context) ([]bundle.StaleFile, error) {
	snap, err := s.work.repo.Snapshot(c.Context, revision.Options{Kind: revision.Worktree, IndexFile: os.Getenv("GIT_INDEX_FILE")})
	if err != nil {
		return nil, err
	}
	cfg, _, err := loadConfig(c, snap)
	if err != nil {
		return nil, err
	}
	exclude, err := excluder(snap, cfg)
	if err != nil {
		return nil, err
	}
	var out []bundle.StaleFile
	entries := indexer.Selected(snap, exclude)
	i, n := 0, s.catalog.NumDocs()
	for i < n || len(entries) > 0 {
		switch {
		case len(entries) == 0 || i < n && s.catalog.Path(i) < entries[0].Path:
			out = append(out, bundle.StaleFile{Path: s.catalog.Path(i), State: bundle.Deleted})
			i++
		case i == n || entries[0].Path < s.catalog.Path(i):
			out = append(out, bundle.StaleFile{Path: entries[0].Path, State: bundle.Added})
			entries = entries[1:]
		default:
			if revision.ID(s.catalog.Doc(i).Blob) != entries[0].Blob {
				out = append(out, bundle.StaleFile{Path: entries[0].Path, State: bundle.Modified})
			}
			i++
			entries = entries[1:]
		}
	}
	return out, nil
}

// searchNames turns matches of the symbol index into those of the ranker.
func searchNames(x *symbolindex.Index, q string, limit int) []ranker.NameMatch {
	matches, err := x.Search(q, symbolindex.Options{Limit: limit})
	if err != nil {
		return nil
	}
	out := make([]ranker.NameMatch, len(matches))
	for i, m := range matches {
		out[i] = ranker.NameMatch{Name: m.Name, Score: m.Score}
	}
	return out
}
