package main

import (
	"io"
	"runtime/debug"
	"slices"
	"time"

	"github.com/urfave/cli/v2"
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
   project-map index --rev v1.2 --out maps  another revision, into a directory
   project-map index --scip index.scip      with the references of a SCIP index`,
		Flags: slices.Concat(snapshotFlags(), evidenceFlags(), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write into `DIR` instead of the work tree"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite artifacts of a newer version and files that are none, and rebuild the store"},
			&cli.BoolFlag{Name: "stats", Usage: "print all languages, remarks and sizes"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, DefaultText: "one a processor", Usage: "read with `N` workers"},
			&cli.StringFlag{Name: "max-memory", Usage: "soft memory `LIMIT`, such as 512MiB"},
		}),
		Action: runIndex,
	}
}

func runIndex(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("index takes no arguments (got %q); give a revision with --rev", c.Args().First())
	}
	if c.IsSet("jobs") && c.Int("jobs") < 1 {
		return usagef("--jobs %d: give a number of at least 1", c.Int("jobs"))
	}
	if s := c.String("max-memory"); s != "" {
		n, err := parseSize(s)
		if err != nil {
			return usagef("--max-memory: %v", err)
		}
		debug.SetMemoryLimit(n)
	}
	start := time.Now()
	con := newConsole(c)
	defer con.end()
	r, err := runIndexing(c, con)
	con.end()
	if err != nil {
		return err
	}
	r.Millis = time.Since(start).Milliseconds()
	if c.String("format") != "json" {
		warnOfGaps(con, r)
	}
	return output(c, func(w io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(w, r)
		}
		if !con.quiet {
			printSummary(w, r, c.Bool("stats"))
		}
		return nil
	})
}

// runIndexing checks the call before anything is written, and then works under
// the lock.
func runIndexing(c *cli.Context, con *console) (*indexReport, error) {
	w, err := openWorkspace(c)
	if err != nil {
		return nil, err
	}
	defer w.close()
	opt, err := snapshotOptions(c)
	if err != nil {
		return nil, err
	}
	if err := w.checkPlacement(opt); err != nil {
		return nil, err
	}
	if !c.Bool("force") {
		if err := w.checkOut(); err != nil {
			return nil, err
		}
	}
	in, err := w.readInput(c, opt)
	if err != nil {
		return nil, err
	}
	if err := checkPin(in.config); err != nil {
		return nil, err
	}
	if !c.IsSet("max-memory") {
		boundMemory(len(in.snapshot.Entries))
	}
	unlock, waited, err := w.lock(c.Context, con.say)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if waited {
		// The repository may have moved on meanwhile.
		if in, err = w.readInput(c, opt); err != nil {
			return nil, err
		}
	}
	plan, err := w.planEvidence(c, in)
	if err != nil {
		return nil, err
	}
	return w.index(c.Context, in, indexOptions{force: c.Bool("force"), jobs: c.Int("jobs"), con: con, evidence: plan})
}
