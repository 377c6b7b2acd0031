package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
)

func validateCommand() *cli.Command {
	return &cli.Command{
		Name:  "validate",
		Usage: "compare the maps with what they should be",
		Description: `Makes the maps of a revision in memory and compares. Exit code 1 and a list when
some are stale, missing, orphaned, edited by hand, in conflict or of another
version; 0 when all are fresh.

   project-map validate            the checked-out commit against the work tree
   project-map validate --fix      and regenerate just those
   project-map validate --staged   what is staged against the maps that are staged`,
		Flags: append(snapshotFlags(),
			&cli.StringFlag{Name: "out", Usage: "compare with the maps in `DIR`"},
			&cli.BoolFlag{Name: "fix", Usage: "regenerate what is not fresh and remove what is orphaned"},
			&cli.BoolFlag{Name: "force", Usage: "with --fix: overwrite newer versions and files that are no artifacts"},
			&cli.BoolFlag{Name: "diff", Usage: "show how stale maps differ"},
		),
		Action: runValidate,
	}
}

// validateReport is what validate prints with --format json.
type validateReport struct {
	Revision store.Revision `json:"revision"`
	Checked  int            `json:"checked"`
	Fresh    int            `json:"fresh"`
	Findings []pageFinding  `json:"findings"`
	Fixed    bool           `json:"fixed"`
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
	s, err := w.repo.Snapshot(c.Context, opt)
	if err != nil {
		return err
	}
	cfg, text, err := loadConfig(c, s)
	if err != nil {
		return err
	}
	in, err := newInput(s, opt.Rev, cfg, text)
	if err != nil {
		return err
	}
	if cfg.Artifacts == "none" {
		return usagef("the configuration says artifacts: none; there is nothing to validate")
	}
	if c.Bool("fix") {
		if err := checkPin(cfg); err != nil {
			return err
		}
	}
	cache := w.openCache(con.say)
	defer cache.Close()
	b, err := compile(c.Context, in, buildOptions{cache: cache, progress: con.progress, pagesOnly: true})
	if err != nil {
		return err
	}
	con.end()
	if err := cache.Commit(); err != nil {
		con.say("the fact cache was not saved: %v", err)
	}
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return err
	}
	defer tree.close()

	read := tree.read
	var orphans []string
	if opt.Kind == revision.Staged && !w.mirrored {
		if read, orphans, err = stagedPages(w, s, opt, b.pages); err != nil {
			return err
		}
	} else if orphans, err = tree.orphans(b.pages, in.directories()); err != nil {
		return err
	}
	r := &validateReport{Revision: b.manifest.Revision, Checked: len(b.pages) + len(orphans), Findings: []pageFinding{}}
	edited := w.editedByHand()
	var fix []mapgen.Page
	var diffs []byte
	for _, p := range b.pages {
		have, err := read(p.Path)
		if err != nil {
			return err
		}
		status := statusMissing
		if have != nil {
			status = comparePage(have, p.Data, func(data []byte) bool { return edited(p.Path, data) })
		} else if !tree.mirror && opt.Kind != revision.Staged && !tree.hasDir(p.Path) {
			status = statusFresh // the work tree has lost the directory
		}
		if status == statusFresh {
			r.Fresh++
			continue
		}
		r.Findings = append(r.Findings, pageFinding{p.Path, status})
		fix = append(fix, p)
		if have != nil && c.Bool("diff") {
			diffs = append(diffs, diff.Diff(p.Path+" (is)", have, p.Path+" (should be)", p.Data)...)
		}
	}
	for _, p := range orphans {
		r.Findings = append(r.Findings, pageFinding{p, statusOrphaned})
	}
	slices.SortFunc(r.Findings, func(x, y pageFinding) int { return strings.Compare(x.Path, y.Path) })

	if c.Bool("fix") && len(r.Findings) > 0 {
		unlock, err := w.lock(c.Context, con.say)
		if err != nil {
			return err
		}
		defer unlock()
		if err := tree.guard(fix, c.Bool("force")); err != nil {
			return err
		}
		if _, err := tree.write(fix); err != nil {
			return err
		}
		if err := tree.remove(orphans); err != nil {
			return err
		}
		r.Fixed = true
	}
	if c.String("format") == "json" {
		if err := printJSON(c.App.Writer, r); err != nil {
			return err
		}
	} else {
		printValidate(c, con, r, diffs)
	}
	if len(r.Findings) > 0 && !r.Fixed {
		return errFindings
	}
	return nil
}

func printValidate(c *cli.Context, con *console, r *validateReport, diffs []byte) {
	for _, f := range r.Findings {
		fmt.Fprintf(c.App.Writer, "%-13s %s\n", f.Status, plaintext.Terminal(f.Path))
	}
	for line := range strings.Lines(string(diffs)) {
		fmt.Fprintln(c.App.Writer, plaintext.Terminal(strings.TrimSuffix(line, "\n")))
	}
	switch {
	case len(r.Findings) == 0:
		con.say("%s, all fresh.", plural(r.Fresh, "artifact"))
	case r.Fixed:
		con.say("%s regenerated or removed, %d were fresh.", plural(len(r.Findings), "artifact"), r.Fresh)
	default:
		con.say("%d of %s not fresh; regenerate with: project-map validate --fix", len(r.Findings), plural(r.Checked, "artifact"))
	}
}

// editedByHand tells whether an artifact differs from what the last run wrote,
// where the store still says what that was.
func (w *workspace) editedByHand() func(path string, data []byte) bool {
	s, err := w.openStore()
	if err != nil {
		return func(string, []byte) bool { return false }
	}
	defer s.Close()
	written := make(map[string]string, len(s.Manifest.Artifacts))
	for _, a := range s.Manifest.Artifacts {
		written[a.Path] = a.Digest
	}
	return func(path string, data []byte) bool {
		d, known := written[path]
		return known && d != store.Digest(data)
	}
}

// stagedPages reads artifacts from the index of git, and lists those there that
// should not be.
func stagedPages(w *workspace, s *revision.Snapshot, opt revision.Options, pages []mapgen.Page) (func(string) ([]byte, error), []string, error) {
	entries, err := w.repo.StagedArtifacts(opt)
	if err != nil {
		return nil, nil, err
	}
	reader, err := s.Reader()
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	want := make(map[string]bool, len(pages))
	for _, p := range pages {
		want[p.Path] = true
	}
	staged := make(map[string][]byte, len(entries))
	var orphans []string
	for _, e := range entries {
		if !want[e.Path] {
			orphans = append(orphans, e.Path)
			continue
		}
		data, err := reader.Read(e)
		if errors.Is(err, revision.ErrMissing) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read staged %s: %w", e.Path, err)
		}
		staged[e.Path] = data
	}
	return func(p string) ([]byte, error) { return staged[p], nil }, orphans, nil
}
