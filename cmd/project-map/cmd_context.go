package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

func contextCommand() *cli.Command {
	return &cli.Command{
		Name:      "context",
		Usage:     "what to read for a task",
		ArgsUsage: `"<query>"`,
		Description: `Ranks directories, files and symbols for a task in plain words, an issue's text,
a stack trace, a symbol or a path, and prints a compact bundle. The query is
the arguments, or standard input when there are none (or just -).

   project-map context "validation of stale signatures"
   project-map context --excerpts --limit 5 "Queue.Put blocks forever"
   project-map context --format json "where is the retry limit set"
   gh issue view 12 | project-map context
   project-map context --staged              the change that is staged
   project-map context --diff main..HEAD     the change of a branch
   project-map context --artifacts DIR "…"   from what index --out DIR wrote
   project-map context --artifacts api.tar.zst --artifacts web.tar.zst "…"
   project-map context --artifacts oci://registry.example.com/owner/maps:main "…"

Only a name that begins with oci:// makes it talk to the network: what its tag
means is asked each time; what was fetched is kept in the user's cache.`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "limit", Value: bundle.DefaultLimit, Usage: "show at most `N` files"},
			&cli.IntFlag{Name: "budget", Value: bundle.DefaultBudget, Usage: "keep the bundle under `N` tokens"},
			&cli.BoolFlag{Name: "explain", Usage: "say which signals put each candidate where it is"},
			&cli.BoolFlag{Name: "excerpts", Usage: "add the best lines of source where the budget allows"},
			&cli.StringFlag{Name: "stale", Value: staleWarn, Usage: "what to do about files that changed since the store was made: `warn|refresh|error|ignore`"},
			&cli.BoolFlag{Name: "staged", Usage: "the query is what is staged"},
			&cli.StringFlag{Name: "diff", Usage: "the query is the change `A..B`"},
			&cli.StringSliceFlag{Name: "artifacts", Usage: "answer from what index or pull wrote to a directory, or an archive of publish: `DIR|FILE|oci://…` (repeatable: across repositories)"},
			plainHTTPFlag(),
			&cli.BoolFlag{Name: "artifacts-only", Usage: "answer from the maps alone, without the store"},
			&cli.StringFlag{Name: "out", Hidden: true, Usage: "the same as --artifacts"},
		},
		Action: runContext,
	}
}

func runContext(c *cli.Context) error {
	mode, err := checkContextFlags(c)
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	if len(c.StringSlice("artifacts")) > 1 {
		return contextAcross(c, con, mode)
	}
	src, err := openSource(c, con, mode)
	if err != nil {
		return err
	}
	defer src.close()
	text, err := queryText(c, src)
	if err != nil {
		return err
	}
	b, err := src.answer(c, text, mode)
	if err != nil {
		return err
	}
	return output(c, func(w io.Writer) error {
		if c.String("format") != "json" {
			_, err := w.Write(b.Markdown())
			return err
		}
		data, err := b.JSON()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
}

// checkContextFlags checks the call and returns the mode of --stale.
func checkContextFlags(c *cli.Context) (mode string, err error) {
	for _, name := range []string{"limit", "budget"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return "", usagef("--%s %d: give a number of at least 1", name, c.Int(name))
		}
	}
	if c.Bool("staged") && c.String("diff") != "" {
		return "", usagef("--staged and --diff exclude each other; give one")
	}
	switch mode = c.String("stale"); mode {
	case staleWarn, staleRefresh, staleError, staleIgnore:
		return mode, nil
	}
	return "", usagef("--stale %s: give warn, refresh, error or ignore", mode)
}

// answer ranks and assembles.
func (s *querySource) answer(c *cli.Context, text, mode string) (*bundle.Bundle, error) {
	q := query.Parse(text)
	names := &nameSearcher{store: s.store}
	defer names.close()
	limit := c.Int("limit")
	result := ranker.New(s.catalog, ranker.Options{Names: names, MaxFiles: max(200, limit)}).Rank(q)
	o := bundle.Options{
		Limit: limit, Budget: c.Int("budget"), Explain: c.Bool("explain"), Excerpts: c.Bool("excerpts"),
		TestCommand: s.catalog.Meta().Test, ArtifactsOnly: s.catalog.Meta().FromArtifacts,
		ArtifactExists: s.exists, Origin: s.origin, Notes: s.notes,
	}
	if note := names.note(); note != "" {
		o.Notes = append(o.Notes, note)
	}
	if o.Excerpts && s.sources != "" {
		o.Source = sourceDir{s.sources}
	}
	if s.store != nil {
		refs, err := s.store.References()
		if o.References = refs; unlessNone(err) != nil {
			o.Notes = append(o.Notes, "References of the store are damaged, so that nothing beside the likely files is named; rebuild them with project-map index.")
		}
	}
	if err := s.freshness(c, &o, result, limit, mode); err != nil {
		return nil, err
	}
	return bundle.Build(q, s.catalog, result, o), nil
}

// queryText is the text of the task: arguments, standard input, or a change.
func queryText(c *cli.Context, s *querySource) (string, error) {
	text := strings.TrimSpace(strings.Join(c.Args().Slice(), " "))
	if c.Bool("staged") || c.String("diff") != "" {
		if s.work == nil {
			return "", usagef("--staged and --diff need the repository; leave --artifacts out")
		}
		changed, title, err := s.work.change(c)
		if err != nil {
			return "", err
		}
		if len(changed) == 0 {
			return "", withHint(fmt.Errorf("%s: nothing is changed there", title), "stage a change first, or say what the task is in words")
		}
		if text == "" {
			text = title
		}
		return text + "\n\n" + strings.Join(changed, "\n"), nil
	}
	if text != "" && text != "-" {
		return text, nil
	}
	if text == "" && isTerminal(c.App.Reader) {
		return "", errNoQuery
	}
	data, err := io.ReadAll(io.LimitReader(c.App.Reader, 4<<20))
	if err != nil {
		return "", fmt.Errorf("read the query from standard input: %w", err)
	}
	if text = strings.TrimSpace(string(data)); text == "" {
		return "", errNoQuery
	}
	return text, nil
}

var errNoQuery = usagef(`context: say what the task is: project-map context "<query>"`)
