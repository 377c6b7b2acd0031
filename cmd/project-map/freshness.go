package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/indexer"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
)

// What a query does about files that changed since the store was made.
const (
	staleWarn    = "warn"    // name those among the cited ones
	staleRefresh = "refresh" // bring the store up to the work tree first
	staleError   = "error"   // refuse to answer
	staleIgnore  = "ignore"
)

// freshness finds out which of the files that will be cited changed since the
// catalog was made.
func (s *querySource) freshness(c *cli.Context, o *bundle.Options, r *ranker.Result, limit int, mode string) error {
	o.Freshness.State = bundle.Unverified
	if s.store != nil {
		o.Freshness.Revision = revisionName(s.store.Manifest.Revision)
	}
	if s.store == nil || s.sources == "" || mode == staleIgnore {
		return nil
	}
	if mode == staleError {
		stale, err := s.allStale(c)
		if err != nil {
			return err
		}
		if len(stale) > 0 {
			return withHint(fmt.Errorf("%s changed since the store was made; the first is %s", plural(len(stale), "file"), stale[0].Path),
				"bring it up to date with: project-map index --worktree, or ask with --stale refresh")
		}
		o.Freshness.State = bundle.Fresh
		return nil
	}
	o.Freshness.State = bundle.Fresh
	for _, d := range cited(r, limit) {
		if state, stale := s.docState(s.catalog.Doc(d)); stale {
			o.Freshness.State = bundle.Stale
			o.Stale = append(o.Stale, bundle.StaleFile{Path: s.catalog.Path(d), State: state})
		}
	}
	if note := s.movedOn(c.Context); note != "" {
		o.Notes = append(o.Notes, note)
	}
	return nil
}

// cited lists the documents that a bundle can name, each once.
func cited(r *ranker.Result, limit int) []int {
	seen := map[int]bool{}
	var docs []int
	cite := func(d int) {
		if !seen[d] {
			seen[d] = true
			docs = append(docs, d)
		}
	}
	for i := range min(len(r.Files), limit) {
		cite(r.Files[i].Doc)
	}
	for _, y := range r.Symbols {
		cite(y.Doc)
	}
	return docs
}

// movedOn says what a store of an older commit cannot know: files that were
// added or removed since. It is "" where HEAD differs in nothing but maps.
func (s *querySource) movedOn(ctx context.Context) string {
	m := s.store.Manifest.Revision
	if m.Commit == "" {
		return ""
	}
	head, err := s.work.repo.Resolve("HEAD")
	if err != nil || head.String() == m.Commit {
		return ""
	}
	since := "files added since are unknown"
	if changed, err := s.work.repo.Diff(ctx, m.Commit, head.String()); err == nil {
		if len(changed) == 0 {
			return ""
		}
		since = plural(len(changed), "file") + " changed since"
	}
	return fmt.Sprintf("The store is of commit %.12s, HEAD is %.12s: %s. Bring it up to date with: project-map index", m.Commit, head, since)
}

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
	in, err := s.work.readInput(c, stateOf(revision.Worktree))
	if err != nil {
		return nil, err
	}
	var out []bundle.StaleFile
	entries := indexer.Selected(in.snapshot, in.exclude)
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

// refreshStore brings the store, and only the store, up to the work tree.
func (w *workspace) refreshStore(c *cli.Context, con *console) error {
	unlock, _, err := w.lock(c.Context, con.say)
	if err != nil {
		return err
	}
	defer unlock()
	in, err := w.readInput(c, stateOf(revision.Worktree))
	if err != nil {
		return err
	}
	_, err = w.index(c.Context, in, indexOptions{con: con, storeOnly: true})
	con.end()
	return err
}

// revisionName names what was indexed in words.
func revisionName(r store.Revision) string {
	switch r.Kind {
	case revision.Commit.String():
		return fmt.Sprintf("commit %.12s", r.Commit)
	case revision.Staged.String():
		return "the staged index"
	}
	return "the work tree"
}
