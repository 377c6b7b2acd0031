package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
)

// workspace is the repository that a command works on and where it puts things.
type workspace struct {
	repo *revision.Repository
	// out is where artifacts and store go: the work tree, or --out.
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
		if w.out, err = filepath.Abs(o); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
		w.mirrored = w.out != repo.WorktreeRoot()
	}
	return w, nil
}

func (w *workspace) close() { _ = w.repo.Close() }

func (w *workspace) storeDir() string { return filepath.Join(w.out, store.DirName) }

func (w *workspace) factsDir() string {
	return filepath.Join(w.repo.CommonDir(), "project-map", "facts")
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

// probe tells whether a directory, or the nearest one above it that is there,
// can be written.
func probe(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".project-map-tmp-")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// snapshotOptions reads --rev, --staged and --worktree.
func snapshotOptions(c *cli.Context) (revision.Options, error) {
	o := revision.Options{Kind: revision.Commit, Rev: c.String("rev"), IndexFile: os.Getenv("GIT_INDEX_FILE")}
	n := 0
	if c.IsSet("rev") {
		n++
	}
	if c.Bool("staged") {
		o.Kind = revision.Staged
		n++
	}
	if c.Bool("worktree") {
		o.Kind = revision.Worktree
		n++
	}
	if n > 1 {
		return o, usagef("--rev, --staged and --worktree exclude each other; give one")
	}
	if o.Rev == "" {
		o.Rev = "HEAD"
	}
	return o, nil
}

// loadConfig reads the configuration that goes with a snapshot: --config, or
// the file of the snapshot itself, so that a revision always has its own.
func loadConfig(c *cli.Context, s *revision.Snapshot) (*config.Config, []byte, error) {
	text, err := configText(c, s)
	if err != nil {
		return nil, nil, err
	}
	parsed, err := config.Parse(text)
	return parsed, text, err
}

func configText(c *cli.Context, s *revision.Snapshot) ([]byte, error) {
	if name := c.String("config"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, usagef("--config: %v", err)
		}
		return text, nil
	}
	return snapshotConfigText(s)
}

// snapshotConfig reads the configuration of the snapshot itself.
func snapshotConfig(s *revision.Snapshot) (*config.Config, []byte, error) {
	text, err := snapshotConfigText(s)
	if err != nil {
		return nil, nil, err
	}
	parsed, err := config.Parse(text)
	return parsed, text, err
}

func snapshotConfigText(s *revision.Snapshot) ([]byte, error) {
	e, ok := s.Find(config.Name)
	if !ok || e.Mode > revision.Executable {
		return nil, nil
	}
	r, err := s.Reader(revision.WithMaxSize(2 << 20))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", config.Name, err)
	}
	defer r.Close()
	text, err := r.Read(e)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", config.Name, err)
	}
	return text, nil
}

// excluder combines .projectmapignore files with the configuration's patterns.
func excluder(s *revision.Snapshot, c *config.Config) (func(string) bool, error) {
	m, err := s.ProjectIgnore()
	if err != nil {
		return nil, err
	}
	if len(c.Exclude) > 0 {
		m.Add(config.Name, []byte(strings.Join(c.Exclude, "\n")))
	}
	if m.Empty() {
		return nil, nil
	}
	return func(p string) bool { return m.Ignored(p, false) }, nil
}

// checkPin refuses to write where the configuration pins another version, so
// that two machines do not rewrite each other's maps.
func checkPin(c *config.Config) error {
	pin := strings.TrimPrefix(c.Version, "v")
	if pin == "" || version == pin || strings.HasPrefix(version, pin+".") {
		return nil
	}
	return withHint(fmt.Errorf("%s pins project-map %s, this is %s", config.Name, c.Version, version),
		"install version %s, or change the pin and let everybody follow", c.Version)
}

// openStore opens the store of a workspace.
func (w *workspace) openStore() (*store.Store, error) {
	if w.out == "" {
		return nil, withHint(fmt.Errorf("%w: %s", revision.ErrBare, w.repo.GitDir()), "give the directory that index wrote with --out")
	}
	return store.Open(w.storeDir())
}

// lock takes the writer's lock and says so when it has to wait.
func (w *workspace) lock(ctx context.Context, say func(string, ...any)) (func(), error) {
	unlock, err := store.Lock(ctx, w.storeDir(), func() {
		say("another project-map is writing to %s; waiting for it", w.storeDir())
	})
	if errors.Is(err, context.Canceled) {
		return nil, context.Canceled
	}
	return unlock, err
}
