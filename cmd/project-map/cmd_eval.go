package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/eval"
	"github.com/project-map/project-map/ranker/query"
)

func evalCommand() *cli.Command {
	return &cli.Command{
		Name:  "eval",
		Usage: "measure the ranking on cases",
		Description: `Indexes the revision of each case, asks its query, and reports how often the
files that the answer changed come first.

   project-map eval --cases history:100             this repository's own past
   project-map eval --cases cases.jsonl --repos DIR public cases
   project-map eval ... --format json > before.json
   project-map eval ... --baseline before.json      what was gained and lost`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "cases", Usage: "`FILE|history:N`: JSON Lines, or the last N commits of the repository"},
			&cli.StringFlag{Name: "repos", Usage: "`DIR` that holds the repositories of the cases"},
			&cli.StringFlag{Name: "repo-map", Usage: "`FILE`: a JSON object from a case's repo to a git directory"},
			&cli.StringFlag{Name: "baseline", Usage: "compare with the report in `FILE`"},
			&cli.StringFlag{Name: "language", Usage: "only cases of `LANGUAGE`"},
			&cli.BoolFlag{Name: "artifacts-only", Usage: "measure what a fresh clone with maps and no store answers"},
			&cli.IntFlag{Name: "jobs", Aliases: []string{"j"}, Usage: "work on `N` repositories at once (default 1)"},
		},
		Action: runEval,
	}
}

func runEval(c *cli.Context) error {
	con := newConsole(c)
	defer con.end()
	cases, dirs, err := evalCases(c)
	if err != nil {
		return err
	}
	if l := c.String("language"); l != "" {
		cases = slices.DeleteFunc(cases, func(x eval.Case) bool { return x.Language != l })
	}
	if len(cases) == 0 {
		return usagef("eval: there are no cases")
	}
	// One group a repository, so that its revisions share a fact cache.
	var order []string
	groups := map[string][]int{}
	for i := range cases {
		dir := dirs[i]
		if groups[dir] == nil {
			order = append(order, dir)
		}
		groups[dir] = append(groups[dir], i)
	}
	answers := make([]eval.Answer, len(cases))
	var mu sync.Mutex
	done := 0
	g, ctx := errgroup.WithContext(c.Context)
	g.SetLimit(max(c.Int("jobs"), 1))
	for _, dir := range order {
		g.Go(func() error {
			e, err := openEvaluator(dir, c.Bool("artifacts-only"))
			if err != nil {
				return err
			}
			defer e.close()
			for _, i := range groups[dir] {
				if answers[i], err = e.ask(ctx, &cases[i]); err != nil {
					return fmt.Errorf("case %s: %w", cases[i].ID, err)
				}
				mu.Lock()
				done++
				n := done
				mu.Unlock()
				con.progress(n, len(cases))
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	con.end()
	report := eval.Summarize(answers)
	if c.String("format") == "json" {
		return printJSON(c.App.Writer, report)
	}
	printEval(c.App.Writer, report)
	if name := c.String("baseline"); name != "" {
		return printBaseline(c.App.Writer, name, report)
	}
	return nil
}

// evalCases reads the cases and the git directory of each.
func evalCases(c *cli.Context) ([]eval.Case, []string, error) {
	spec := c.String("cases")
	if n, ok := strings.CutPrefix(spec, "history:"); ok {
		count, err := strconv.Atoi(n)
		if err != nil || count < 1 {
			return nil, nil, usagef("--cases %s: give history:N with N of at least 1", spec)
		}
		return historyCases(c, count)
	}
	if spec == "" {
		return nil, nil, usagef("eval: give --cases FILE or --cases history:N")
	}
	f, err := os.Open(spec)
	if err != nil {
		return nil, nil, usagef("--cases: %v", err)
	}
	defer f.Close()
	cases, err := eval.ReadCases(f)
	if err != nil {
		return nil, nil, usagef("--cases %s: %v", spec, err)
	}
	repoMap := map[string]string{}
	if name := c.String("repo-map"); name != "" {
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &repoMap)
		}
		if err != nil {
			return nil, nil, usagef("--repo-map: %v", err)
		}
	}
	var kept []eval.Case
	var dirs []string
	missing := map[string]bool{}
	for _, x := range cases {
		if l := c.String("language"); l != "" && x.Language != l {
			continue
		}
		dir := cmp.Or(repoMap[x.Repo], findRepo(c.String("repos"), x))
		if dir == "" {
			missing[cmp.Or(x.Source, x.Repo)] = true
			continue
		}
		kept, dirs = append(kept, x), append(dirs, dir)
	}
	if len(missing) > 0 {
		names := make([]string, 0, len(missing))
		for n := range missing {
			names = append(names, n)
		}
		slices.Sort(names)
		if len(kept) == 0 {
			return nil, nil, usagef("eval: no repository found; the first is %s: give --repos or --repo-map", names[0])
		}
		newConsole(c).say("left out the cases of %s, whose repositories are missing: %s", plural(len(names), "repository"), strings.Join(names, ", "))
	}
	return kept, dirs, nil
}

// findRepo looks for a case's repository under its source, then its repo.
func findRepo(root string, x eval.Case) string {
	if root == "" {
		return ""
	}
	for _, name := range []string{strings.TrimPrefix(x.Source, "github:"), x.Repo} {
		if name == "" || strings.Contains(name, "..") {
			continue
		}
		for _, base := range []string{name, strings.ReplaceAll(name, "/", "+")} {
			for _, sub := range []string{"repo", ".git", ""} {
				dir := filepath.Join(root, filepath.FromSlash(base), sub)
				if _, err := os.Stat(filepath.Join(dir, "HEAD")); err == nil {
					return dir
				}
			}
		}
	}
	return ""
}

// errEnough ends the walk of the history.
var errEnough = errors.New("enough commits")

// historyCases makes cases of the last commits: the message is the query, the
// files it changed are the answer, and the parent is the revision.
func historyCases(c *cli.Context, n int) ([]eval.Case, []string, error) {
	w, err := openWorkspace(c)
	if err != nil {
		return nil, nil, err
	}
	defer w.close()
	var cases []eval.Case
	var dirs []string
	const maxFiles = 10 // sweeping commits have no answer
	err = w.repo.Log(c.Context, revision.LogOptions{Rev: "HEAD", Max: 20 * n}, func(commit revision.LogEntry) error {
		if len(cases) == n {
			return errEnough
		}
		var gold []string
		for _, p := range commit.Changed {
			if !revision.IsOwnOutput(p) {
				gold = append(gold, p)
			}
		}
		if len(commit.Parents) != 1 || len(gold) == 0 || len(gold) > maxFiles || strings.TrimSpace(commit.Message) == "" {
			return nil
		}
		cases = append(cases, eval.Case{
			ID: commit.ID.String()[:12], Language: "history", Revision: commit.Parents[0].String(), Query: commit.Message, Gold: gold,
		})
		dirs = append(dirs, w.repo.GitDir())
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, nil, err
	}
	return cases, dirs, nil
}

// evaluator answers the cases of one repository.
type evaluator struct {
	work          *workspace
	cache         *factstore.Store
	artifactsOnly bool
	last          string
	catalog       *store.Catalog
	ranker        *ranker.Ranker
}

func openEvaluator(dir string, artifactsOnly bool) (*evaluator, error) {
	repo, err := revision.Open(dir)
	if err != nil {
		return nil, err
	}
	w := &workspace{repo: repo}
	return &evaluator{work: w, cache: w.openCache(func(string, ...any) {}), artifactsOnly: artifactsOnly}, nil
}

func (e *evaluator) close() {
	_ = e.cache.Commit()
	_ = e.cache.Close()
	e.work.close()
}

func (e *evaluator) ask(ctx context.Context, x *eval.Case) (eval.Answer, error) {
	if err := e.index(ctx, x.Revision); err != nil {
		return eval.Answer{}, err
	}
	start := time.Now()
	q := query.Parse(x.Query)
	r := e.ranker.Rank(q)
	b := bundle.Build(q, e.catalog, r, bundle.Options{})
	a := eval.Answer{Case: x, Confidence: r.Confidence.String(), Tokens: b.Tokens()}
	a.Millis = float64(time.Since(start).Microseconds()) / 1000
	for _, f := range r.Files {
		a.Files = append(a.Files, f.Path)
	}
	for _, d := range r.Dirs {
		a.Dirs = append(a.Dirs, d.Path)
	}
	for i := range r.Symbols {
		a.Symbols = append(a.Symbols, r.Symbols[i].Path)
	}
	a.Shape = r.Shape
	a.Plain = []string{}
	for _, d := range e.ranker.Plain(q) {
		if len(a.Plain) == eval.Depth {
			break
		}
		a.Plain = append(a.Plain, e.catalog.Doc(d).Path)
	}
	return a, nil
}

// index compiles a revision, unless it was the last one.
func (e *evaluator) index(ctx context.Context, rev string) error {
	if e.last == rev {
		return nil
	}
	s, err := e.work.repo.Snapshot(ctx, revision.Options{Kind: revision.Commit, Rev: rev})
	if err != nil {
		return err
	}
	cfg, text, err := snapshotConfig(s)
	if err != nil {
		return err
	}
	in, err := newInput(s, rev, cfg, text)
	if err != nil {
		return err
	}
	b, err := compile(ctx, in, buildOptions{cache: e.cache, workers: 1, pagesOnly: e.artifactsOnly, catalogOnly: true})
	if err != nil {
		return err
	}
	if e.artifactsOnly {
		e.catalog, _, err = catalogOf(b.pages)
	} else {
		e.catalog, err = store.OpenCatalog(b.contents.Catalog)
	}
	if err != nil {
		return err
	}
	e.ranker = ranker.New(e.catalog, ranker.Options{MaxFiles: eval.Depth})
	e.last = rev
	return nil
}

func printEval(w io.Writer, r *eval.Report) {
	fmt.Fprintf(w, "%-12s %4s | %5s %5s %5s %5s | %5s %5s | %5s %5s | %5s | %5s %5s | %4s %5s %5s | %9s | %9s | %9s | %5s %6s\n",
		"language", "n", "any@1", "any@3", "any@5", "@10", "hit@1", "hit@5", "rec@5", "@10", "MRR", "dir@1", "dir@3", "one", "@1", "@5", "high", "medium", "low", "ms", "tokens")
	row := func(name string, m eval.Measures) {
		p := func(x float64) string { return fmt.Sprintf("%.1f", 100*x) }
		level := func(k eval.Confidence) string {
			if k.N == 0 {
				return "0"
			}
			return fmt.Sprintf("%d %.0f%%", k.N, 100*float64(k.Right)/float64(k.N))
		}
		fmt.Fprintf(w, "%-12s %4d | %5s %5s %5s %5s | %5s %5s | %5s %5s | %5.3f | %5s %5s | %4d %5s %5s | %9s | %9s | %9s | %5.1f %6.0f\n",
			name, m.N, p(m.Any["1"]), p(m.Any["3"]), p(m.Any["5"]), p(m.Any["10"]), p(m.Hit["1"]), p(m.Hit["5"]),
			p(m.Recall["5"]), p(m.Recall["10"]), m.MRR, p(m.Dir["1"]), p(m.Dir["3"]),
			m.OneGold.N, p(m.OneGold.Hit["1"]), p(m.OneGold.Hit["5"]), level(m.High), level(m.Medium), level(m.Low), m.MillisP50, m.TokensMean)
	}
	names := make([]string, 0, len(r.Languages))
	for n := range r.Languages {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		row(n, r.Languages[n])
	}
	row("overall", r.Overall)
	if r.Plain == nil {
		return
	}
	fmt.Fprintln(w, "\nplain BM25 over the same files")
	for _, n := range names {
		row(n, r.Plain.Languages[n])
	}
	row("overall", r.Plain.Overall)
}

func printBaseline(w io.Writer, name string, after *eval.Report) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return usagef("--baseline: %v", err)
	}
	var before eval.Report
	if err := json.Unmarshal(data, &before); err != nil {
		return usagef("--baseline %s: %v", name, err)
	}
	for _, k := range []int{1, 5} {
		gained, lost := eval.Compare(&before, after, k)
		fmt.Fprintf(w, "\nfirst %d: %d gained, %d lost\n", k, len(gained), len(lost))
		for _, c := range gained {
			fmt.Fprintf(w, "  + %s %d -> %d\n", c.ID, c.Before, c.After)
		}
		for _, c := range lost {
			fmt.Fprintf(w, "  - %s %d -> %d\n", c.ID, c.Before, c.After)
		}
	}
	return nil
}
