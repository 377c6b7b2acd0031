package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
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
the arguments, or standard input when there are none.

   project-map context "validation of stale signatures"
   project-map context --excerpts --limit 5 "Queue.Put blocks forever"
   project-map context --format json "where is the retry limit set"
   gh issue view 12 | project-map context
   project-map context --staged              the change that is staged
   project-map context --diff main..HEAD     the change of a branch`,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "limit", Usage: "show at most `N` files (default 10)"},
			&cli.IntFlag{Name: "budget", Usage: "keep the bundle under `N` tokens (default 1500)"},
			&cli.BoolFlag{Name: "explain", Usage: "say which signals put each candidate where it is"},
			&cli.BoolFlag{Name: "excerpts", Usage: "add the best lines of source where the budget allows"},
			&cli.StringFlag{Name: "stale", Value: "warn", Usage: "what to do when files changed since the store was made: `warn|refresh|error|ignore`"},
			&cli.BoolFlag{Name: "staged", Usage: "the query is what is staged"},
			&cli.StringFlag{Name: "diff", Usage: "the query is the change `A..B`"},
			&cli.StringSliceFlag{Name: "artifacts", Usage: "answer from what index wrote to `DIR`"},
			&cli.BoolFlag{Name: "artifacts-only", Usage: "answer from the maps alone, without the store"},
			&cli.StringFlag{Name: "out", Hidden: true, Usage: "the same as --artifacts"},
		},
		Action: runContext,
	}
}

func runContext(c *cli.Context) error {
	for _, name := range []string{"limit", "budget"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return usagef("--%s %d: give a number of at least 1", name, c.Int(name))
		}
	}
	mode := c.String("stale")
	switch mode {
	case "warn", "refresh", "error", "ignore":
	default:
		return usagef("--stale %s: give warn, refresh, error or ignore", mode)
	}
	con := newConsole(c)
	defer con.end()
	src, err := openSource(c, con, mode)
	if err != nil {
		return err
	}
	defer src.close()
	text, err := queryText(c, src)
	if err != nil {
		return err
	}
	q := query.Parse(text)
	names := &nameSearcher{store: src.store}
	defer names.close()
	limit := c.Int("limit")
	if limit == 0 {
		limit = bundle.DefaultLimit
	}
	result := ranker.New(src.catalog, ranker.Options{Names: names, MaxFiles: max(200, limit)}).Rank(q)
	o := bundle.Options{
		Limit: limit, Budget: c.Int("budget"), Explain: c.Bool("explain"), Excerpts: c.Bool("excerpts"),
		TestCommand: src.catalog.Meta().Test, ArtifactsOnly: src.catalog.Meta().FromArtifacts,
		ArtifactExists: src.exists, Notes: src.notes,
	}
	if o.Excerpts && src.sources != "" {
		o.Source = sourceDir{src.sources}
	}
	if err := src.freshness(c, &o, result, limit, mode); err != nil {
		return err
	}
	b := bundle.Build(q, src.catalog, result, o)
	if c.String("format") == "json" {
		data, err := b.JSON()
		if err != nil {
			return fmt.Errorf("print bundle: %w", err)
		}
		_, err = c.App.Writer.Write(data)
		return err
	}
	_, err = c.App.Writer.Write(b.Markdown())
	return err
}

// querySource is where an answer comes from.
type querySource struct {
	work    *workspace // nil where there is no repository
	store   *store.Store
	catalog *store.Catalog
	// dir holds the artifacts, sources the files that the catalog describes; ""
	// where they are not at hand.
	dir, sources string
	notes        []string
}

func (s *querySource) close() {
	if s.store != nil {
		_ = s.store.Close()
	}
	if s.work != nil {
		s.work.close()
	}
}

func (s *querySource) exists(p string) bool {
	info, err := os.Lstat(filepath.Join(s.dir, filepath.FromSlash(p)))
	return err == nil && info.Mode().IsRegular()
}

func openSource(c *cli.Context, con *console, mode string) (*querySource, error) {
	dirs := c.StringSlice("artifacts")
	if o := c.String("out"); o != "" {
		dirs = append(dirs, o)
	}
	if len(dirs) > 1 {
		return nil, usagef("--artifacts: give one directory")
	}
	if len(dirs) == 1 {
		if mode == "refresh" {
			return nil, usagef("--stale refresh needs the repository; leave --artifacts out")
		}
		return openArtifacts(dirs[0], c.Bool("artifacts-only"))
	}
	w, err := openWorkspace(c)
	if err != nil {
		return nil, err
	}
	s := &querySource{work: w, dir: w.out, sources: w.repo.WorktreeRoot()}
	if w.out == "" {
		s.close()
		return nil, withHint(fmt.Errorf("%w: %s", revision.ErrBare, w.repo.GitDir()), "give the directory that index wrote with --artifacts DIR")
	}
	if mode == "refresh" && !c.Bool("artifacts-only") {
		if err := w.refreshStore(c, con); err != nil {
			s.close()
			return nil, err
		}
	}
	if !c.Bool("artifacts-only") {
		s.store, err = store.Open(w.storeDir())
		switch {
		case err == nil:
			s.catalog = s.store.Catalog
			return s, nil
		case errors.Is(err, store.ErrNone):
		default:
			con.say("answering from the maps alone: %v; rebuild the store with: project-map index", err)
		}
	}
	if err := s.readArtifacts(); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// openArtifacts opens a directory that index --out wrote, or a checkout of maps
// alone.
func openArtifacts(dir string, only bool) (*querySource, error) {
	info, err := os.Stat(dir)
	if err != nil || !info.IsDir() {
		return nil, usagef("--artifacts %s: no such directory", dir)
	}
	s := &querySource{dir: dir}
	if !only {
		st, err := store.Open(filepath.Join(dir, store.DirName))
		if err == nil {
			s.store, s.catalog = st, st.Catalog
			return s, nil
		}
		if !errors.Is(err, store.ErrNone) {
			return nil, err
		}
	}
	return s, s.readArtifacts()
}

func (s *querySource) readArtifacts() error {
	pages, broken, err := readPages(s.dir)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return withHint(fmt.Errorf("there is neither a store nor %s in %s", artifact.IndexName, s.dir), "make them with: project-map index")
	}
	c, damaged, err := catalogOf(pages)
	if err != nil {
		return err
	}
	for _, p := range append(broken, damaged...) {
		s.notes = append(s.notes, fmt.Sprintf("%s is damaged and was left out; mend it with: project-map validate --fix", p))
	}
	s.catalog = c
	return nil
}

// freshness finds out which of the files that will be cited changed since the
// catalog was made.
func (s *querySource) freshness(c *cli.Context, o *bundle.Options, r *ranker.Result, limit int, mode string) error {
	o.Freshness.State = bundle.Unverified
	if s.store != nil {
		o.Freshness.Revision = revisionName(s.store.Manifest.Revision)
	}
	if s.store == nil || s.sources == "" || mode == "ignore" {
		return nil
	}
	if mode == "error" {
		stale, err := s.allStale(c)
		if err != nil {
			return err
		}
		if len(stale) > 0 {
			return withHint(fmt.Errorf("%s since the store was made, the first is %s", plural(len(stale), "file")+" changed", stale[0].Path),
				"bring it up to date with: project-map index --worktree, or ask with --stale refresh")
		}
		o.Freshness.State = bundle.Fresh
		return nil
	}
	cited := map[int]bool{}
	var docs []int
	cite := func(d int) {
		if !cited[d] {
			cited[d] = true
			docs = append(docs, d)
		}
	}
	for i := range min(len(r.Files), limit) {
		cite(r.Files[i].Doc)
	}
	for _, y := range r.Symbols {
		cite(y.Doc)
	}
	o.Freshness.State = bundle.Fresh
	for _, d := range docs {
		if state, stale := s.docState(s.catalog.Doc(d)); stale {
			o.Freshness.State = bundle.Stale
			o.Stale = append(o.Stale, bundle.StaleFile{Path: s.catalog.Path(d), State: state})
		}
	}
	if m := s.store.Manifest.Revision; m.Commit != "" {
		head, err := s.work.repo.Resolve("HEAD")
		if err == nil && head.String() != m.Commit {
			o.Notes = append(o.Notes, fmt.Sprintf("The store is of commit %.12s, HEAD is %.12s: files added since are unknown. Bring it up to date with: project-map index", m.Commit, head))
		}
	}
	return nil
}

func revisionName(r store.Revision) string {
	switch r.Kind {
	case "commit":
		return fmt.Sprintf("commit %.12s", r.Commit)
	case "staged":
		return "the staged index"
	}
	return "the work tree"
}

// queryText is the text of the task: arguments, standard input, or a change.
func queryText(c *cli.Context, s *querySource) (string, error) {
	text := strings.TrimSpace(strings.Join(c.Args().Slice(), " "))
	if c.Bool("staged") && c.String("diff") != "" {
		return "", usagef("--staged and --diff exclude each other; give one")
	}
	if c.Bool("staged") || c.String("diff") != "" {
		if s.work == nil {
			return "", usagef("--staged and --diff need the repository; leave --artifacts out")
		}
		changed, title, err := s.work.change(c)
		if err != nil {
			return "", err
		}
		if len(changed) == 0 {
			return "", usagef("%s: nothing is changed there", title)
		}
		if text == "" {
			text = title
		}
		return text + "\n\n" + strings.Join(changed, "\n"), nil
	}
	if text != "" {
		return text, nil
	}
	if isTerminal(c.App.Reader) {
		return "", usagef(`context: say what the task is: project-map context "<query>"`)
	}
	data, err := io.ReadAll(io.LimitReader(c.App.Reader, 4<<20))
	if err != nil {
		return "", fmt.Errorf("read the query from standard input: %w", err)
	}
	if text = strings.TrimSpace(string(data)); text == "" {
		return "", usagef(`context: say what the task is: project-map context "<query>"`)
	}
	return text, nil
}

// maxChanged bounds the paths of a change that become the query.
const maxChanged = 40

// change lists the paths of the change that --staged or --diff names.
func (w *workspace) change(c *cli.Context) (paths []string, title string, err error) {
	if spec := c.String("diff"); spec != "" {
		a, b, ok := strings.Cut(spec, "..")
		b = strings.TrimPrefix(b, ".")
		if !ok || a == "" {
			return nil, "", usagef("--diff %s: give two revisions as A..B", spec)
		}
		if b == "" {
			b = "HEAD"
		}
		title = "Change " + a + ".." + b
		paths, err = w.repo.Diff(c.Context, a, b)
	} else {
		title = "Staged change"
		var s *revision.Snapshot
		s, err = w.repo.Snapshot(c.Context, revision.Options{Kind: revision.Staged, IndexFile: os.Getenv("GIT_INDEX_FILE")})
		if err == nil {
			paths, err = s.ChangedFromHead(c.Context)
		}
	}
	if err != nil {
		return nil, title, err
	}
	own := paths[:0]
	for _, p := range paths {
		if !revision.IsOwnOutput(p) {
			own = append(own, p)
		}
	}
	return own[:min(len(own), maxChanged)], title, nil
}

// refreshStore brings the store, and only the store, up to the work tree.
func (w *workspace) refreshStore(c *cli.Context, con *console) error {
	s, err := w.repo.Snapshot(c.Context, revision.Options{Kind: revision.Worktree, IndexFile: os.Getenv("GIT_INDEX_FILE")})
	if err != nil {
		return err
	}
	cfg, text, err := loadConfig(c, s)
	if err != nil {
		return err
	}
	in, err := newInput(s, "", cfg, text)
	if err != nil {
		return err
	}
	unlock, err := w.lock(c.Context, con.say)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = w.index(c.Context, in, indexOptions{con: con, storeOnly: true})
	return err
}

// sourceDir reads sources below a directory.
type sourceDir struct{ root string }

func (d sourceDir) ReadSource(p string) ([]byte, error) {
	root, err := os.OpenRoot(d.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(filepath.FromSlash(p))
	if err != nil {
		return nil, err
	}
	const most = 4 << 20
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("read %s: %w", p, fs.ErrInvalid)
	}
	return root.ReadFile(filepath.FromSlash(p))
}

// nameSearcher asks the symbol index, opened at the first question.
type nameSearcher struct {
	store  *store.Store
	opened bool
	index  interface {
		Close() error
	}
	search func(q string, limit int) []ranker.NameMatch
}

func (n *nameSearcher) Search(q string, limit int) []ranker.NameMatch {
	if !n.opened && n.store != nil {
		n.opened = true
		// A damaged symbol index costs resembling names, not the answer.
		if x, err := n.store.Names(); err == nil {
			n.index = x
			n.search = func(q string, limit int) []ranker.NameMatch { return searchNames(x, q, limit) }
		}
	}
	if n.search == nil {
		return nil
	}
	return n.search(q, limit)
}

func (n *nameSearcher) close() {
	if n.index != nil {
		_ = n.index.Close()
	}
}
