package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/config"
)

// snapshotFlags choose the state of the repository.
func snapshotFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rev", Usage: "the commit `REV` (default: HEAD)"},
		&cli.BoolFlag{Name: "staged", Usage: "what is staged (the index of git)"},
		&cli.BoolFlag{Name: "worktree", Usage: "the work tree as it is on disk, untracked files that git does not ignore included"},
	}
}

// snapshotOptions reads --rev, --staged and --worktree.
func snapshotOptions(c *cli.Context) (revision.Options, error) {
	o := stateOf(revision.Commit)
	n := 0
	if c.IsSet("rev") {
		if o.Rev = c.String("rev"); o.Rev == "" {
			return o, usagef("--rev: name a revision")
		}
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
	return o, nil
}

// stateOf names a state of the repository, with the index that git's hooks see.
func stateOf(k revision.Kind) revision.Options {
	return revision.Options{Kind: k, Rev: "HEAD", IndexFile: os.Getenv("GIT_INDEX_FILE")}
}

// readInput takes a snapshot and reads its configuration.
func (w *workspace) readInput(c *cli.Context, opt revision.Options) (*buildInput, error) {
	s, err := w.repo.Snapshot(c.Context, opt)
	if err != nil {
		return nil, err
	}
	text, err := configText(c, s)
	if err != nil {
		return nil, err
	}
	cfg, err := config.Parse(text)
	if err != nil {
		return nil, err
	}
	in, err := newInput(s, opt.Rev, cfg, text)
	if err == nil {
		in.placement = w.placement(cfg)
	}
	return in, err
}

// newInput prepares a build of a snapshot, with artifacts where the
// configuration wants them.
func newInput(s *revision.Snapshot, name string, cfg *config.Config, text []byte) (*buildInput, error) {
	exclude, err := excluder(s, cfg)
	if err != nil {
		return nil, err
	}
	return &buildInput{
		snapshot: s, name: name, config: cfg, text: text, exclude: exclude,
		table: all.Table(), placement: cfg.Artifacts,
	}, nil
}

// configText reads the configuration that goes with a snapshot: --config, or
// the file of the snapshot itself, so that a revision always has its own.
func configText(c *cli.Context, s *revision.Snapshot) ([]byte, error) {
	if name := c.String("config"); name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, usagef("--config: %v", err)
		}
		return text, nil
	}
	return snapshotText(s)
}

// snapshotConfig reads the configuration that a snapshot holds.
func snapshotConfig(s *revision.Snapshot) (*config.Config, []byte, error) {
	text, err := snapshotText(s)
	if err != nil {
		return nil, nil, err
	}
	cfg, err := config.Parse(text)
	return cfg, text, err
}

func snapshotText(s *revision.Snapshot) ([]byte, error) {
	e, ok := s.Find(config.Name)
	switch {
	case !ok:
		return nil, nil
	case e.Mode > revision.Executable:
		return nil, withHint(fmt.Errorf("%s: %w: not a regular file", config.Name, config.ErrInvalid),
			"links are not followed: make it a file, or give one with --config FILE")
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

// excluder combines .projectmapignore files with the configuration's patterns;
// nil if there are none.
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
