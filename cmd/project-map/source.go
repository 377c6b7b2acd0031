package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/symbolindex"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/registry"
)

// querySource is where an answer comes from.
type querySource struct {
	work    *workspace // nil where there is no repository
	store   *store.Store
	catalog *store.Catalog
	// dir holds the artifacts, sources the files that the catalog describes; ""
	// where they are not at hand.
	dir, sources string
	// broken says why there is no store.
	broken error
	notes  []string
	// unpacked is a directory to remove in the end, "" for none.
	unpacked string
	// done ends the use of a directory that others may remove; nil for none.
	done func()
	// from names what was asked, with the digest of what a registry gave; "" for
	// the work tree.
	from string
	// origin is from where the artifacts are in there only, "" otherwise.
	origin string
}

func (s *querySource) close() {
	if s.store != nil {
		_ = s.store.Close()
	}
	if s.work != nil {
		s.work.close()
	}
	if s.unpacked != "" {
		_ = os.RemoveAll(s.unpacked)
	}
	if s.done != nil {
		s.done()
	}
}

func (s *querySource) exists(p string) bool {
	info, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(p)))
	return err == nil && info.Mode().IsRegular()
}

func openSource(c *cli.Context, con *console, mode string) (*querySource, error) {
	dirs := c.StringSlice("artifacts")
	if o := c.String("out"); o != "" {
		dirs = append(dirs, o)
	}
	if len(dirs) > 1 {
		return nil, usagef("--artifacts: give one directory or archive; several of them can be asked with: project-map context")
	}
	only := c.Bool("artifacts-only")
	if (len(dirs) == 1 || only) && (mode == staleRefresh || mode == staleError) {
		return nil, usagef("--stale %s needs the store of the work tree; leave --artifacts and --artifacts-only out", mode)
	}
	if len(dirs) == 1 {
		return openArtifacts(c, dirs[0], only, con)
	}
	w, err := openWorkspace(c)
	if err != nil {
		return nil, err
	}
	s := &querySource{work: w, dir: w.out, sources: w.repo.WorktreeRoot()}
	if err := s.openHere(c, con, mode, only); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openHere opens the store beside the sources, or the artifacts there.
func (s *querySource) openHere(c *cli.Context, con *console, mode string, only bool) error {
	if s.dir == "" {
		return s.work.errBare("give the directory that index wrote with --artifacts DIR")
	}
	if mode == staleRefresh {
		if err := s.work.refreshStore(c, con); err != nil {
			return err
		}
	}
	if !only {
		opened, err := s.openStore(con)
		if opened {
			return nil
		}
		if mode == staleError {
			return err
		}
	}
	return s.readArtifacts()
}

// openStore opens the store in the directory of the artifacts. One that cannot
// be read is remarked on, there and in the answer.
func (s *querySource) openStore(con *console) (opened bool, err error) {
	st, err := store.Open(filepath.Join(s.dir, store.DirName))
	if err == nil {
		s.store, s.catalog = st, st.Catalog
		return true, nil
	}
	s.broken = err
	if errors.Is(err, store.ErrNone) {
		return false, err
	}
	con.say("answering from the maps alone: %v; rebuild the store with: project-map index", err)
	why := "cannot be read"
	for _, known := range []error{store.ErrVersion, store.ErrCorrupt} {
		if errors.Is(err, known) {
			why = strings.TrimPrefix(known.Error(), "the store ")
		}
	}
	s.notes = append(s.notes, "The store "+why+"; this answer is from the maps alone. Rebuild it with: project-map index")
	return false, err
}

// openArtifacts opens a directory that index --out or pull wrote, a checkout of
// maps alone, an archive of publish, or one in a registry.
func openArtifacts(c *cli.Context, name string, only bool, con *console) (*querySource, error) {
	if registry.IsReference(name) {
		return openRemote(c, name, only, con)
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.Mode().IsRegular():
		a, _, err := readArchive(name, nil, "")
		if err != nil {
			return nil, fmt.Errorf("--artifacts %s: %w", name, err)
		}
		return openUnpacked(c.Context, a, name, only, con)
	case err != nil || !info.IsDir():
		return nil, usagef("--artifacts %s: there is no such directory or archive", name)
	}
	return (&querySource{dir: name, from: name}).openDir(only, con)
}

// openRemote answers from an archive of a registry, or from what was fetched of it
// before. What a tag means is asked each time.
func openRemote(c *cli.Context, name string, only bool, con *console) (*querySource, error) {
	ref, err := namedReference("--artifacts", name)
	if err != nil {
		return nil, err
	}
	digest, err := registryClient(c, con, "fetching").Resolve(c.Context, ref)
	if err != nil {
		return nil, fmt.Errorf("--artifacts: %w", registryError(err))
	}
	ref = ref.Pinned(digest)
	var fetchError error
	fetch := func() (*archive.Archive, error) {
		f, err := fetchArchive(c, con, ref, nil, registry.PullOptions{Cache: archiveCache()})
		if err != nil {
			fetchError = fmt.Errorf("--artifacts: %w", err)
			return nil, fetchError
		}
		return f.archive, nil
	}
	if u := userUnpacked(); u != nil {
		dir, done, err := u.open(c.Context, digest, fetch)
		switch {
		case err == nil:
			s := &querySource{dir: dir, from: ref.String(), origin: ref.String(), done: done}
			return s.openDir(only, con)
		case fetchError != nil:
			return nil, fetchError
		case c.Context.Err() != nil:
			return nil, c.Context.Err()
		}
		con.say("it is unpacked for this question only: %v", err)
	}
	a, err := fetch()
	if err != nil {
		return nil, err
	}
	return openUnpacked(c.Context, a, ref.String(), only, con)
}

// openUnpacked unpacks an archive for the time of one answer.
func openUnpacked(ctx context.Context, a *archive.Archive, from string, only bool, con *console) (*querySource, error) {
	tmp, err := os.MkdirTemp("", "project-map-")
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", from, err)
	}
	s := &querySource{dir: filepath.Join(tmp, "maps"), unpacked: tmp, from: from}
	if err := a.Unpack(ctx, s.dir); err != nil {
		s.close()
		return nil, archiveError(err)
	}
	s.origin = from
	return s.openDir(only, con)
}

func (s *querySource) openDir(only bool, con *console) (*querySource, error) {
	if !only {
		if opened, _ := s.openStore(con); opened {
			return s, nil
		}
	}
	if err := s.readArtifacts(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// readArtifacts makes a catalog of the artifacts alone.
func (s *querySource) readArtifacts() error {
	pages, broken, err := readPages(s.dir)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		switch {
		case s.broken != nil && !errors.Is(s.broken, store.ErrNone):
			return s.broken
		case s.store != nil || s.broken == nil:
			return withHint(fmt.Errorf("there is no %s in %s", artifact.IndexName, s.dir), "make the maps with: project-map index")
		}
		return withHint(fmt.Errorf("there is neither a store nor %s in %s", artifact.IndexName, s.dir), "make them with: project-map index")
	}
	c, damaged, err := catalogOf(pages)
	if err != nil {
		return err
	}
	for _, p := range append(broken, damaged...) {
		s.notes = append(s.notes, fmt.Sprintf("%s is damaged and was left out; mend it with: project-map validate --fix", plaintext.Line(p, 200)))
	}
	s.catalog = c
	return nil
}

// sourceDir reads sources below a directory.
type sourceDir struct{ root string }

func (d sourceDir) ReadSource(p string) ([]byte, error) {
	root, err := os.OpenRoot(d.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	const most = 4 << 20
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("read %s: %w", p, fs.ErrInvalid)
	}
	return root.ReadFile(filepath.FromSlash(p))
}

// nameSearcher asks the symbol index, opened at the first question. A damaged
// one costs resembling names, not the answer.
type nameSearcher struct {
	store  *store.Store
	opened bool
	index  *symbolindex.Index
	err    error
}

func (n *nameSearcher) Search(q string, limit int) []ranker.NameMatch {
	if !n.opened && n.store != nil {
		n.opened = true
		n.index, n.err = n.store.Names()
	}
	if n.index == nil || n.err != nil {
		return nil
	}
	matches, err := n.index.Search(q, symbolindex.Options{Limit: limit})
	if err != nil {
		n.err = err
		return nil
	}
	out := make([]ranker.NameMatch, len(matches))
	for i, m := range matches {
		out[i] = ranker.NameMatch{Name: m.Name, Score: m.Score}
	}
	return out
}

// note says what an error of the index costs, "" if there was none.
func (n *nameSearcher) note() string {
	if n.err == nil {
		return ""
	}
	return "The symbol index is damaged, so names that only resemble those of the query are missing. Rebuild it with: project-map index"
}

func (n *nameSearcher) close() {
	if n.index != nil {
		_ = n.index.Close()
	}
}
