package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/dirfacts"
	"github.com/project-map/project-map/mapgen/mapdiff"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref"
)

// diffLimit keeps a comment under the 65,536 characters that forges allow, with
// lines of three hundred.
const diffLimit = 80

func diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "what changed between the maps of two revisions",
		ArgsUsage: "A [B]",
		Description: `Makes the maps of two revisions in memory and says which directories, public
symbols and dependencies between directories were added, removed or changed.
No artifact and no store is read or written. B is HEAD unless told otherwise.

   project-map diff main HEAD                      what a branch changes
   project-map diff v1.2..v1.3                     the same for two releases
   project-map diff HEAD --worktree                what is not committed yet
   project-map diff HEAD --staged                  what the next commit changes
   project-map diff --format markdown main HEAD    for a pull request's comment
   project-map diff --format json main HEAD        all of it, for programs

Private symbols, symbols of tests, keys of configuration files and documentation
are left out.`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "staged", Usage: "B is what is staged"},
			&cli.BoolFlag{Name: "worktree", Usage: "B is the work tree as it is on disk"},
			&cli.IntFlag{Name: "limit", Value: diffLimit, Usage: "print at most `N` lines of each section (JSON holds all)"},
		},
		Action: runDiff,
	}
}

// diffReport is what diff prints with --format json.
type diffReport struct {
	Version int            `json:"version"`
	From    store.Revision `json:"from"`
	To      store.Revision `json:"to"`
	*mapdiff.Diff
}

// diffVersion changes when a reader of the old JSON would misread the new.
const diffVersion = 1

func runDiff(c *cli.Context) error {
	from, to, err := diffRevisions(c)
	if err != nil {
		return err
	}
	if c.Int("limit") < 1 {
		return usagef("--limit %d: give a number of at least 1", c.Int("limit"))
	}
	con := newConsole(c)
	defer con.end()
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	r, err := w.diff(c, con, from, to)
	con.end()
	if err != nil {
		return err
	}
	return output(c, func(out io.Writer) error {
		o := mapdiff.Options{From: diffName(from), To: diffName(to), Limit: c.Int("limit")}
		text := r.Text
		switch c.String("format") {
		case "json":
			return printJSON(out, r)
		case "markdown":
			text = r.Markdown
		}
		_, err := out.Write(text(o))
		return err
	})
}

// diffRevisions reads A, B, A..B, --staged and --worktree.
func diffRevisions(c *cli.Context) (from, to revision.Options, err error) {
	args := c.Args().Slice()
	if len(args) == 1 {
		if a, b, ok := strings.Cut(args[0], ".."); ok {
			if strings.HasPrefix(b, ".") {
				return from, to, usagef("diff %s: give two revisions; the first one of A...B is: git merge-base A B", args[0])
			}
			args = []string{a, b}
		}
	}
	from, to = stateOf(revision.Commit), stateOf(revision.Commit)
	states := 0
	if c.Bool("staged") {
		to.Kind = revision.Staged
		states++
	}
	if c.Bool("worktree") {
		to.Kind = revision.Worktree
		states++
	}
	switch {
	case states > 1:
		return from, to, usagef("--staged and --worktree exclude each other; give one")
	case len(args) == 0:
		return from, to, usagef("diff: name the revisions to compare: project-map diff A B")
	case len(args) > 2:
		return from, to, usagef("diff takes two revisions (got %d arguments)", len(args))
	case len(args) == 2 && states > 0:
		return from, to, usagef("diff: --staged and --worktree stand for the second revision; leave %s out", args[1])
	}
	from.Rev = args[0]
	if len(args) == 2 {
		to.Rev = args[1]
	}
	if from.Rev == "" || to.Rev == "" {
		return from, to, usagef("diff: name the revisions to compare: project-map diff A B")
	}
	return from, to, nil
}

// diffName names a side for people.
func diffName(o revision.Options) string {
	switch o.Kind {
	case revision.Staged:
		return "the staged index"
	case revision.Worktree:
		return "the work tree"
	}
	return o.Rev
}

// diff compares the maps of two states, which are made in memory from the same
// cache. They are not cut to the size of pages, so nothing is missing from them.
func (w *workspace) diff(c *cli.Context, con *console, from, to revision.Options) (*diffReport, error) {
	// What is wrong with the second revision is said before the first is read.
	var inputs [2]*buildInput
	for i, opt := range []revision.Options{from, to} {
		var err error
		if inputs[i], err = w.readInput(c, opt); err != nil {
			return nil, err
		}
	}
	cache := w.openCache(con.say)
	defer cache.Close()
	var states [2]mapdiff.State
	for i, in := range inputs {
		var err error
		states[i], err = in.maps(c.Context, cache, con)
		if saveErr := cache.Commit(); saveErr != nil {
			con.say("the fact cache was not saved: %v", saveErr)
		}
		if err != nil {
			return nil, fmt.Errorf("make the maps of %s: %w", diffName([]revision.Options{from, to}[i]), err)
		}
	}
	return &diffReport{diffVersion, inputs[0].revision(), inputs[1].revision(), mapdiff.Compare(states[0], states[1])}, nil
}

// maps makes the models of all pages of a snapshot.
func (in *buildInput) maps(ctx context.Context, cache *factstore.Store, con *console) (mapdiff.State, error) {
	r, err := indexer.Run(ctx, in.snapshot, indexer.Options{
		Table: in.table, Limits: extract.DefaultLimits, Workers: runtime.GOMAXPROCS(0), Cache: cache,
		Exclude: in.exclude, Progress: con.progress,
	})
	con.end()
	if err != nil {
		return mapdiff.State{}, err
	}
	files := facts.WithoutAsides(r.Files)
	dirs := dirfacts.Fold(dirfacts.Input{Files: files, Imports: xref.Imports(files), Written: in.config.Written})
	var s mapdiff.State
	for _, d := range dirs {
		s.Indexes = append(s.Indexes, d.Index.Normalized())
		s.Maps = append(s.Maps, d.Map.Normalized())
	}
	return s, nil
}
