package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/plaintext"
)

func validateCommand() *cli.Command {
	return &cli.Command{
		Name:  "validate",
		Usage: "compare the maps with what they should be",
		Description: `Makes the maps of a revision in memory and compares. Exit code 1 and a list when
some are stale, missing, orphaned, edited by hand, in conflict, of another
version or not written by project-map; 0 when all are fresh.

   project-map validate            the checked-out commit against the work tree
   project-map validate --fix      and regenerate just those
   project-map validate --staged   what is staged against the maps that are staged
   project-map validate --diff     and show how they differ`,
		Flags: append(snapshotFlags(),
			&cli.StringFlag{Name: "out", Usage: "compare with the maps in `DIR`"},
			&cli.BoolFlag{Name: "fix", Usage: "regenerate what is not fresh and remove what is orphaned"},
			&cli.BoolFlag{Name: "force", Usage: "with --fix: overwrite newer versions and files that are no artifacts"},
			&cli.BoolFlag{Name: "diff", Usage: "show how maps differ from what they should be"},
		),
		Action: runValidate,
	}
}

func runValidate(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("validate takes no arguments (got %q)", c.Args().First())
	}
	con := newConsole(c)
	defer con.end()
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	opt, err := snapshotOptions(c)
	if err != nil {
		return err
	}
	if err := w.checkPlacement(opt); err != nil {
		return err
	}
	if info, err := os.Stat(w.out); err != nil || !info.IsDir() {
		return usagef("--out %s: there is no such directory; index makes it", c.String("out"))
	}
	if c.Bool("fix") {
		if err := w.checkOut(); err != nil && !c.Bool("force") {
			return err
		}
		unlock, _, err := w.lock(c.Context, con.say)
		if err != nil {
			return err
		}
		defer unlock()
	}
	r, err := w.validate(c, con, opt)
	if err != nil {
		return err
	}
	err = output(c, func(out io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(out, r)
		}
		printFindings(out, r, c.Bool("diff"))
		return nil
	})
	if err != nil {
		return err
	}
	if c.String("format") != "json" {
		sayVerdict(con, r)
	}
	if len(r.Findings) > 0 && (!r.Fixed || r.staged) {
		return errFindings
	}
	return nil
}

// validate compares, and mends with --fix.
func (w *workspace) validate(c *cli.Context, con *console, opt revision.Options) (*validateReport, error) {
	in, err := w.readInput(c, opt)
	if err != nil {
		return nil, err
	}
	if c.Bool("fix") {
		if err := checkPin(in.config); err != nil {
			return nil, err
		}
	}
	cache := w.openCache(con.say)
	defer cache.Close()
	b, err := compile(c.Context, in, buildOptions{cache: cache, progress: con.progress, pagesOnly: true})
	con.end()
	if saveErr := cache.Commit(); saveErr != nil {
		con.say("the fact cache was not saved: %v", saveErr)
	}
	if err != nil {
		return nil, err
	}
	pages := b.pages
	if in.placement == placeNone {
		pages = nil
	}
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	var src pageSource
	staged := opt.Kind == revision.Staged && !w.mirrored
	if staged {
		src, err = w.stagedSource(in, opt, pages)
	} else {
		src, err = tree.source(pages, in)
	}
	if err != nil {
		return nil, err
	}
	r, err := compareAll(pages, src, w.editedByHand(opt))
	if err != nil {
		return nil, err
	}
	r.Revision, r.staged, r.lastKind = in.revision(), staged, w.lastKind()
	if c.Bool("fix") && len(r.Findings) > 0 {
		return r, r.fix(c.Context, tree, c.Bool("force"))
	}
	return r, nil
}

// lastKind names the state that the last run indexed.
func (w *workspace) lastKind() string {
	s, err := w.openStore()
	if err != nil {
		return ""
	}
	defer s.Close()
	return s.Manifest.Revision.Kind
}

func printFindings(w io.Writer, r *validateReport, differences bool) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%-13s %s\n", f.Status, plaintext.Terminal(f.Path))
	}
	if !differences {
		return
	}
	for line := range strings.Lines(string(r.diff())) {
		fmt.Fprintln(w, plaintext.Terminal(strings.TrimSuffix(line, "\n")))
	}
}

// sayVerdict ends the list for people.
func sayVerdict(con *console, r *validateReport) {
	if n := len(r.Skipped); n > 0 {
		con.say("%s of the revision not on disk, so not compared; the first is %s", plural(n, "directory"), r.Skipped[0])
	}
	n := len(r.Findings)
	switch {
	case r.Checked == 0:
		con.say("There are no artifacts, and there should be none.")
	case n == 0:
		con.say("%s, all fresh.", plural(r.Fresh, "artifact"))
	case r.Fixed && r.staged:
		con.say("%s regenerated or removed on disk; stage them with: git add -A -- '*.pi-map.md' '*.pi-map.index.md'", plural(n, "artifact"))
	case r.Fixed:
		con.say("%s regenerated or removed, %d were fresh already.", plural(n, "artifact"), r.Fresh)
	default:
		con.say("%d of %s not fresh; regenerate with: project-map validate%s --fix", n, plural(r.Checked, "artifact"), kindFlag(r.Revision.Kind))
		if r.lastKind != "" && r.lastKind != r.Revision.Kind {
			con.say("The last run wrote the maps of another state; compare with that: project-map validate%s", kindFlag(r.lastKind))
		}
	}
}

// kindFlag is the option that chooses a state of the repository.
func kindFlag(kind string) string {
	switch kind {
	case revision.Staged.String():
		return " --staged"
	case revision.Worktree.String():
		return " --worktree"
	}
	return ""
}
