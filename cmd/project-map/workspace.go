package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
)

// workspace is the repository that a command works on and where it puts things.
type workspace struct {
	repo *revision.Repository
	// out is where artifacts and store go: the work tree, or --out; "" for a
	// bare repository without --out.
	out string
	// mirrored is set when out is not the work tree.
	mirrored bool
}

func openWorkspace(c *cli.Context) (*workspace, error) {
	dir := c.String("repo")
	if dir == "" {
		dir = "."
	}
	repo, err := revision.Open(dir)
	if err != nil {
		return nil, err
	}
	w := &workspace{repo: repo, out: repo.WorktreeRoot()}
	if o := c.String("out"); o != "" {
		if w.out, err = realPath(o); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
		w.mirrored = w.out != repo.WorktreeRoot()
	} else if c.IsSet("out") {
		return nil, usagef("--out: name a directory")
	}
	return w, nil
}

// realPath resolves symbolic links in as much of a path as is there.
func realPath(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs, nil
	}
	if parent, err = realPath(parent); err != nil {
		return "", err
	}
	return filepath.Join(parent, filepath.Base(abs)), nil
}

func (w *workspace) close() { _ = w.repo.Close() }

func (w *workspace) storeDir() string { return filepath.Join(w.out, store.DirName) }

func (w *workspace) factsDir() string {
	return filepath.Join(w.repo.CommonDir(), "project-map", "facts")
}

// placement is where the artifacts of a configuration go in this workspace.
func (w *workspace) placement(c *config.Config) string {
	if w.mirrored && c.Artifacts != placeNone {
		return placeOut
	}
	return c.Artifacts
}

// Placements of artifacts, as manifests have them.
const (
	placeNone      = "none"
	placeBeside    = "beside"
	placeOut       = "out"
	placeStoreOnly = "store only" // the artifacts are those of an earlier run
)

// checkPlacement refuses to lay maps of another revision beside the sources of
// the checked-out one.
func (w *workspace) checkPlacement(opt revision.Options) error {
	if w.out == "" {
		return w.errBare("give a directory for the maps with --out DIR")
	}
	if w.mirrored || opt.Kind != revision.Commit {
		return nil
	}
	asked, err := w.repo.Resolve(opt.Rev)
	if err != nil {
		return err
	}
	head, err := w.repo.Resolve("HEAD")
	if err != nil {
		return err
	}
	if asked != head {
		return usagef("%s is not the checked-out commit, so its maps do not belong beside these sources; give a directory with --out DIR", opt.Rev)
	}
	return nil
}

func (w *workspace) errBare(hint string) error {
	return withHint(fmt.Errorf("%w: %s has no work tree", revision.ErrBare, w.repo.GitDir()), "%s", hint)
}

// checkOut refuses to write into a directory that holds other things: index
// removes artifacts there that it does not write itself.
func (w *workspace) checkOut() error {
	if !w.mirrored {
		return nil
	}
	entries, err := os.ReadDir(w.out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usagef("--out: %v", err)
	}
	ours := len(entries) == 0
	for _, e := range entries {
		switch e.Name() {
		case store.DirName:
			s, err := store.Open(w.storeDir())
			if err == nil {
				placement := s.Manifest.Placement
				_ = s.Close()
				if placement != placeOut && placement != placeNone {
					return withHint(fmt.Errorf("--out %s holds the maps of a work tree", w.out), "give a directory of its own, or overwrite with --force")
				}
			}
			ours = true
		case artifact.IndexName:
			data, err := os.ReadFile(filepath.Join(w.out, e.Name()))
			if err == nil && belongs(artifact.IndexName, data) {
				ours = true
			}
		}
	}
	if !ours {
		return withHint(fmt.Errorf("--out %s is not empty and holds no maps", w.out), "give an empty or new directory, or write there all the same with --force")
	}
	return nil
}

// openCache opens the fact cache, which linked work trees share. Where it
// cannot be written the run goes on without one; warn is told so.
func (w *workspace) openCache(warn func(string, ...any)) *factstore.Store {
	dir := w.factsDir()
	cache, err := factstore.Open(dir, factstore.Options{})
	if err != nil {
		warn("working without a fact cache: %v", err)
		return factstore.Disabled()
	}
	if err := probe(filepath.Dir(dir)); err != nil {
		warn("working without a fact cache: %v", err)
		_ = cache.Close()
		return factstore.Disabled()
	}
	return cache
}

// probe tells whether files can be made in a directory, which it makes.
func probe(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "probe-")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// openStore opens the store of a workspace.
func (w *workspace) openStore() (*store.Store, error) {
	if w.out == "" {
		return nil, w.errBare("give the directory that index wrote with --out DIR")
	}
	return store.Open(w.storeDir())
}

// lock takes the writer's lock and tells whether it had to wait, which it says.
func (w *workspace) lock(ctx context.Context, say func(string, ...any)) (unlock func(), waited bool, err error) {
	unlock, err = store.Lock(ctx, w.storeDir(), func() {
		waited = true
		say("another project-map is writing to %s; waiting for it", w.storeDir())
	})
	if errors.Is(err, context.Canceled) {
		return nil, waited, context.Canceled
	}
	return unlock, waited, err
}
