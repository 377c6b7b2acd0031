package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
)

func indexCommand() *cli.Command {
	return &cli.Command{
		Name:  "index",
		Usage: "write the maps of every directory and the store",
		Description: `Reads a revision (the checked-out commit, unless told otherwise), writes the
pair of maps of every directory beside the sources, and the store that queries
read. Files whose bytes do not change are not touched.

   project-map index                        the checked-out commit
   project-map index --staged               what is staged, for a pre-commit hook
   project-map index --worktree             the files as they are on disk
   project-map index --rev v1.2 --out maps  another revision, into a directory`,
		Flags: append(snapshotFlags(),
			&cli.StringFlag{Name: "out", Usage: "write into `DIR` instead of the work tree"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite artifacts of a newer version and files that are none"},
			&cli.BoolFlag{Name: "stats", Usage: "print every reason for which files were not analysed"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "read with `N` workers (default: one a processor)"},
			&cli.StringFlag{Name: "max-memory", Usage: "soft memory limit, such as `512MiB`"},
		),
		Action: runIndex,
	}
}

func snapshotFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "rev", Usage: "index the commit `REV` (default: HEAD)"},
		&cli.BoolFlag{Name: "staged", Usage: "index what is staged"},
		&cli.BoolFlag{Name: "worktree", Usage: "index the work tree as it is on disk"},
	}
}

// indexReport is what index prints with --format json.
type indexReport struct {
	Revision  store.Revision `json:"revision"`
	Out       string         `json:"out"`
	UpToDate  bool           `json:"upToDate"`
	Written   []string       `json:"written"`
	Removed   []string       `json:"removed"`
	Extracted int            `json:"extracted"`
	Summary   store.Summary  `json:"summary"`
	Millis    int64          `json:"milliseconds"`
}

func runIndex(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("index takes no arguments (got %q); give a revision with --rev", c.Args().First())
	}
	if err := limitMemory(c.String("max-memory")); err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		// A run's live memory only grows; a third less of it for a tenth more
		// time is a good trade beside a developer's other programs.
		debug.SetGCPercent(60)
	}
	start := time.Now()
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
	if err := checkPin(cfg); err != nil {
		return err
	}
	in, err := newInput(s, opt.Rev, cfg, text)
	if err != nil {
		return err
	}
	unlock, err := w.lock(c.Context, con.say)
	if err != nil {
		return err
	}
	defer unlock()
	r, err := w.index(c.Context, in, indexOptions{force: c.Bool("force"), jobs: c.Int("jobs"), con: con})
	if err != nil {
		return err
	}
	con.end()
	r.Millis = time.Since(start).Milliseconds()
	if c.String("format") == "json" {
		return printJSON(c.App.Writer, r)
	}
	printIndex(c.App.Writer, con, r, c.Bool("stats"))
	return nil
}

// checkPlacement refuses to lay maps of another revision beside the sources of
// the checked-out one.
func (w *workspace) checkPlacement(opt revision.Options) error {
	if w.out == "" {
		return withHint(fmt.Errorf("%w: %s has no work tree to put maps into", revision.ErrBare, w.repo.GitDir()), "give a directory with --out DIR")
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
		return usagef("%s is not the checked-out commit; its maps do not belong beside these sources: give a directory with --out DIR", opt.Rev)
	}
	return nil
}

type indexOptions struct {
	force bool
	jobs  int
	con   *console
	// storeOnly leaves the artifacts alone.
	storeOnly bool
}

// index brings artifacts and store to the state of the input. The caller holds
// the lock.
func (w *workspace) index(ctx context.Context, in *buildInput, opt indexOptions) (*indexReport, error) {
	r := &indexReport{Out: w.out, Written: []string{}, Removed: []string{}}
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	placed := in.config.Artifacts != "none" && !opt.storeOnly

	before, err := store.Open(w.storeDir())
	if err != nil && !errors.Is(err, store.ErrNone) {
		opt.con.say("the store is rebuilt: %v", err)
	}
	if before != nil {
		defer before.Close()
		if !opt.force && before.Manifest.Input == in.digest() && (!placed || tree.untouched(before.Manifest, in)) {
			return w.refresh(in, before, r)
		}
	}
	cache := w.openCache(opt.con.say)
	defer cache.Close()
	b, err := compile(ctx, in, buildOptions{cache: cache, workers: opt.jobs, progress: opt.con.progress})
	if err != nil {
		return nil, err
	}
	r.Revision, r.Summary, r.Extracted = b.manifest.Revision, b.manifest.Summary, b.result.Extracted
	if placed {
		if err := tree.guard(b.pages, opt.force); err != nil {
			return nil, err
		}
		orphans, err := tree.orphans(b.pages, in.directories())
		if err != nil {
			return nil, err
		}
		tree.sweep(b.pages)
		changed, err := tree.write(b.pages)
		if err != nil {
			return nil, err
		}
		if err := tree.remove(orphans); err != nil {
			return nil, err
		}
		r.Written, r.Removed = append(r.Written, changed...), append(r.Removed, orphans...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opt.storeOnly {
		// The artifacts are still those of an earlier run.
		b.manifest.Placement, b.manifest.Artifacts = "store only", nil
		if before != nil {
			b.manifest.Artifacts = before.Manifest.Artifacts
		}
	}
	if err := store.Write(w.storeDir(), b.manifest, b.catalog, b.names); err != nil {
		return nil, err
	}
	if err := cache.Commit(); err != nil {
		opt.con.say("the fact cache was not saved: %v", err)
	} else if _, err := cache.Compact(nil, maxCache); err != nil && !errors.Is(err, factstore.ErrReadOnly) {
		opt.con.say("the fact cache was not tidied: %v", err)
	}
	return r, nil
}

// maxCache is the size over which the fact cache drops its oldest segments, in
// bytes.
const maxCache = 2 << 30

// refresh notes a new name for a state that is already there.
func (w *workspace) refresh(in *buildInput, before *store.Store, r *indexReport) (*indexReport, error) {
	m := *before.Manifest
	rev := store.Revision{Kind: in.snapshot.Kind.String(), Commit: in.snapshot.Commit, Tree: in.snapshot.Tree}
	if in.snapshot.Kind == revision.Commit {
		rev.Name = in.name
	}
	r.UpToDate, r.Revision, r.Summary = true, rev, m.Summary
	if m.Revision == rev {
		return r, nil
	}
	m.Revision = rev
	return r, before.Rewrite(&m)
}

// untouched tells whether the artifacts are as the last run left them, and
// nothing has to be removed.
func (t *pageTree) untouched(m *store.Manifest, in *buildInput) bool {
	if m.Placement != in.config.Artifacts || len(m.Artifacts) == 0 {
		return false
	}
	for _, a := range m.Artifacts {
		data, err := t.read(a.Path)
		if err != nil || data == nil && (t.mirror || t.hasDir(a.Path)) || data != nil && store.Digest(data) != a.Digest {
			return false
		}
	}
	return true
}

// directories lists those of the whole snapshot, excluded ones too, where old
// artifacts can lie.
func (in *buildInput) directories() []string {
	paths := make([]string, len(in.snapshot.Entries))
	for i, e := range in.snapshot.Entries {
		paths[i] = e.Path
	}
	return directories(paths)
}

func limitMemory(s string) error {
	if s == "" {
		return nil
	}
	n, err := parseSize(s)
	if err != nil {
		return usagef("--max-memory %s: give a size such as 512MiB", s)
	}
	debug.SetMemoryLimit(n)
	return nil
}

func parseSize(s string) (int64, error) {
	units := []struct {
		suffix string
		shift  uint
	}{{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"K", 10}, {"M", 20}, {"G", 30}, {"B", 0}, {"", 0}}
	for _, u := range units {
		if digits, ok := strings.CutSuffix(s, u.suffix); ok {
			var n int64
			if _, err := fmt.Sscanf(digits, "%d", &n); err != nil || n <= 0 || fmt.Sprint(n) != strings.TrimSpace(digits) {
				return 0, fmt.Errorf("no size: %s", s)
			}
			return n << u.shift, nil
		}
	}
	return 0, fmt.Errorf("no size: %s", s)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printIndex prints the summary of a run: on standard output when it is asked
// for, since it is the result of the command.
func printIndex(w io.Writer, con *console, r *indexReport, stats bool) {
	if con.quiet {
		return
	}
	s := &r.Summary
	rev := r.Revision.Kind
	if r.Revision.Commit != "" {
		rev = "commit " + r.Revision.Commit[:12]
	}
	switch {
	case r.UpToDate:
		fmt.Fprintf(w, "Up to date: %s, %s.\n", rev, plural(s.Files, "file"))
		return
	default:
		fmt.Fprintf(w, "Indexed %s: %s, %s, %s in %.1f s.\n", rev, plural(s.Files, "file"), plural(s.Symbols, "symbol"),
			plural(s.Directories, "directory"), float64(r.Millis)/1000)
	}
	var langs []string
	for _, l := range s.Languages {
		langs = append(langs, fmt.Sprintf("%s %d", l.Language, l.Files))
	}
	if len(langs) > 0 {
		fmt.Fprintf(w, "  parsed       %d: %s\n", s.Parsed, strings.Join(langs, ", "))
	} else {
		fmt.Fprintf(w, "  parsed       0\n")
	}
	for _, depth := range []string{"words only", "listed"} {
		var reasons []string
		total := 0
		for _, k := range s.Skipped {
			if k.Depth == depth {
				total += k.Files
				reasons = append(reasons, fmt.Sprintf("%s %d", k.Reason, k.Files))
			}
		}
		if total > 0 {
			fmt.Fprintf(w, "  %-12s %d: %s\n", depth, total, plaintext.Terminal(strings.Join(reasons, ", ")))
		}
	}
	if s.Damaged > 0 {
		fmt.Fprintf(w, "  damaged      %s with parts that could not be parsed\n", plural(s.Damaged, "file"))
	}
	fmt.Fprintf(w, "  artifacts    %d written, %d removed, %d unchanged\n", len(r.Written), len(r.Removed), max(2*s.Directories-len(r.Written), 0))
	fmt.Fprintf(w, "  read anew    %s, the rest from the cache\n", plural(r.Extracted, "blob"))
	if n := len(s.Notes); n > 0 {
		shown := s.Notes
		if !stats {
			shown = s.Notes[:min(n, 5)]
		}
		for _, note := range shown {
			fmt.Fprintf(w, "  note         %s: %s\n", plaintext.Terminal(note.Path), plaintext.Terminal(note.Reason))
		}
		if len(shown) < n {
			fmt.Fprintf(w, "  note         and %d more; see them with --stats\n", n-len(shown))
		}
	}
	if analysed := s.Parsed + s.WordsOnly; s.Files > 20 && analysed*2 < s.Files {
		con.say("warning: most files were not analysed (%d of %d); the reasons stand above", s.Files-analysed, s.Files)
	} else if s.Files > 20 && s.Parsed*20 < s.Files {
		con.say("warning: only %d of %d files were parsed; answers rest on words", s.Parsed, s.Files)
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok && !slices.Contains([]string{"key"}, noun) {
		return fmt.Sprintf("%d %sies", n, base)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
