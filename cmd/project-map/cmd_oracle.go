package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle/oracle"
	"github.com/project-map/project-map/bundle/oracle/answers"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/plaintext"
)

func oracleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "request", Usage: "the request as `JSON`, instead of standard input"},
		&cli.StringFlag{Name: "file", Usage: "a `PATH` that narrows a symbol"},
		&cli.IntFlag{Name: "line", Usage: "a `LINE` of the file, from 1"},
		&cli.StringFlag{Name: "scope", Usage: "a `PATTERN` of paths for diagnostics, such as \"src/**/*.ts\""},
		&cli.BoolFlag{Name: "staged", Usage: "editImpact: of the staged change"},
		&cli.StringFlag{Name: "diff", Usage: "editImpact: of the change `A..B`"},
		&cli.StringFlag{Name: "session", Usage: "share cached answers within the session `NAME` only"},
		&cli.BoolFlag{Name: "no-cache", Usage: "answer from the store, not from cached answers"},
		&cli.IntFlag{Name: "max-output-tokens", Usage: "keep the answer under `N` tokens"},
		&cli.IntFlag{Name: "max-input-tokens", Usage: "read at most `N` tokens of sources"},
		&cli.StringFlag{Name: "stale", Value: staleWarn, Usage: "what to do about files that changed since the store was made: `warn|refresh|error|ignore`"},
		&cli.StringSliceFlag{Name: "artifacts", Usage: "answer from what index or pull wrote to a directory, or an archive of publish: `DIR|FILE|oci://…`"},
		plainHTTPFlag(),
		&cli.BoolFlag{Name: "artifacts-only", Usage: "answer from the maps alone, without the store"},
	}
}

// oracleVerbs are the actions by the names that people type.
var oracleVerbs = []struct {
	name, args, usage string
	action            oracle.Action
}{
	{"ask", `"<question>"`, "a question in plain words", oracle.Ask},
	{"symbol", "NAME", "what a name means, where it is used, what implements it", oracle.Symbol},
	{"file", "PATH", "what a file or directory is and holds, who depends on it", oracle.File},
	{"diagnostics", "[PATTERN]", "what linters, compilers and parsing found", oracle.Diagnostics},
	{"edit-impact", "[NAME]", "what an edit reaches: dependants, tests, owners, risk", oracle.EditImpact},
}

func oracleCommand() *cli.Command {
	c := &cli.Command{
		Name:      "oracle",
		Usage:     "answer a narrow question with cited evidence",
		ArgsUsage: "[ask|symbol|file|diagnostics|edit-impact] [arguments]",
		Description: `Answers from the store alone: no server, no model. Without a verb it reads a
request as JSON from standard input or --request; a terminal gets text, a pipe
JSON.

   project-map oracle ask "who calls Queue.Put?"
   project-map oracle symbol Put --file queue/queue.go
   project-map oracle file queue/queue.go
   project-map oracle diagnostics "queue/**"
   project-map oracle edit-impact Put
   project-map oracle edit-impact --staged
   echo '{"action":"symbol","symbol":"Put"}' | project-map oracle

An answer says what was found, that it is absent (everything that could hold it
was analysed), or that it was not analysed, and cites files and lines.`,
		Flags:  oracleFlags(),
		Action: func(c *cli.Context) error { return runOracle(c, "") },
	}
	for _, v := range oracleVerbs {
		c.Subcommands = append(c.Subcommands, &cli.Command{
			Name: v.name, ArgsUsage: v.args, Usage: v.usage, Flags: oracleFlags(), HideHelpCommand: true,
			Action: func(c *cli.Context) error { return runOracle(c, v.action) },
		})
	}
	return c
}

// maxRequest bounds a request, in bytes.
const maxRequest = 1 << 20

func runOracle(c *cli.Context, action oracle.Action) error {
	mode, err := oracleMode(c)
	if err != nil {
		return err
	}
	req, err := oracleRequest(c, action)
	if err != nil {
		return err
	}
	con := newConsole(c)
	defer con.end()
	src, err := openSource(c, con, mode)
	if err != nil {
		return err
	}
	defer src.close()
	layer, err := src.contextLayer(c)
	if err != nil {
		return err
	}
	for _, n := range layer.notes {
		con.say("%s", n)
	}
	if err := src.changeOf(c, req); err != nil {
		return err
	}
	answer, err := src.oracleAnswer(c, con, *req, layer, mode)
	if err != nil {
		return err
	}
	return output(c, func(w io.Writer) error {
		if f := c.String("format"); f == "json" || f == "auto" && !isTerminal(c.App.Writer) {
			return printAnswerJSON(w, answer)
		}
		printAnswer(w, answer)
		return nil
	})
}

// oracleMode checks the flags and returns the mode of --stale.
func oracleMode(c *cli.Context) (string, error) {
	for _, name := range []string{"max-output-tokens", "max-input-tokens", "line"} {
		if c.IsSet(name) && c.Int(name) < 1 {
			return "", usagef("--%s %d: give a number of at least 1", name, c.Int(name))
		}
	}
	if c.Bool("staged") && c.String("diff") != "" {
		return "", usagef("--staged and --diff exclude each other; give one")
	}
	switch mode := c.String("stale"); mode {
	case staleWarn, staleRefresh, staleError, staleIgnore:
		return mode, nil
	default:
		return "", usagef("--stale %s: give warn, refresh, error or ignore", mode)
	}
}

// oracleRequest reads the request from arguments, --request or standard input.
func oracleRequest(c *cli.Context, action oracle.Action) (*oracle.Request, error) {
	text := strings.Join(c.Args().Slice(), " ")
	if action == "" {
		if text != "" {
			var names []string
			for _, v := range oracleVerbs {
				names = append(names, v.name)
			}
			return nil, usagef("oracle: there is no verb %q%s; give one of %s, or a request as JSON on standard input", c.Args().First(), didYouMean(c.Args().First(), names), strings.Join(names, ", "))
		}
		return readRequest(c)
	}
	r := &oracle.Request{Action: action, File: c.String("file"), Line: c.Int("line"), Scope: c.String("scope")}
	switch action {
	case oracle.Ask:
		r.Query = text
	case oracle.Symbol, oracle.EditImpact:
		r.Symbol = text
	case oracle.File:
		if r.File == "" {
			r.File = text
		}
	case oracle.Diagnostics:
		if r.Scope == "" {
			r.Scope = text
		}
	}
	return r, nil
}

func readRequest(c *cli.Context) (*oracle.Request, error) {
	data := []byte(c.String("request"))
	if len(data) == 0 {
		if isTerminal(c.App.Reader) {
			return nil, usagef(`oracle: ask something: project-map oracle ask "<question>", or give a request as JSON with --request`)
		}
		var err error
		if data, err = io.ReadAll(io.LimitReader(c.App.Reader, maxRequest+1)); err != nil {
			return nil, fmt.Errorf("read the request from standard input: %w", err)
		}
	}
	if len(data) > maxRequest {
		return nil, usagef("oracle: the request is larger than %d bytes", maxRequest)
	}
	r := &oracle.Request{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(r); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, usagef(`oracle: the request is empty; give one such as {"action":"ask","query":"where is main?"}`)
		}
		return nil, usagef("oracle: the request is no JSON of a request: %v", err)
	}
	if d.More() {
		return nil, usagef("oracle: there is more behind the request; give one request")
	}
	return r, nil
}

// changeOf fills in what --staged or --diff touches.
func (s *querySource) changeOf(c *cli.Context, r *oracle.Request) error {
	if !c.Bool("staged") && c.String("diff") == "" {
		return nil
	}
	if r.Action != oracle.EditImpact {
		return usagef("--staged and --diff belong to edit-impact")
	}
	if s.work == nil {
		return usagef("--staged and --diff need the repository; leave --artifacts out")
	}
	paths, title, err := s.work.change(c)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return withHint(fmt.Errorf("%s: nothing is changed there", title), "stage a change first, or name a symbol")
	}
	from, to := revision.Options{Kind: revision.Commit, Rev: "HEAD"}, stateOf(revision.Staged)
	if spec := c.String("diff"); spec != "" {
		a, b, _ := strings.Cut(spec, "..")
		if b = strings.TrimPrefix(b, "."); b == "" {
			b = "HEAD"
		}
		from.Rev, to = a, revision.Options{Kind: revision.Commit, Rev: b}
	}
	before, err := s.work.repo.Snapshot(c.Context, from)
	if err != nil {
		return err
	}
	after, err := s.work.repo.Snapshot(c.Context, to)
	if err != nil {
		return err
	}
	r.Change, err = s.work.touched(c.Context, before, after, paths)
	return err
}

// oracleAnswer answers from the cache or from the store.
func (s *querySource) oracleAnswer(c *cli.Context, con *console, r oracle.Request, layer *contextLayer, mode string) (*oracle.Answer, error) {
	cache := s.answerCache(c, layer, mode)
	// Only a whole store of this generation gave a kept answer, so it holds
	// whatever became of the references and the log since.
	if a := cache.Get(r); a != nil {
		return a, nil
	}
	if s.store != nil {
		if err := verifyReferences(s.store); err != nil {
			// What is missing now must not be kept for a store that is whole again.
			cache = &answers.Cache{}
			con.say("answering without them: %v; rebuild the store with: project-map index", err)
		}
	}
	names := &nameSearcher{store: s.store}
	defer names.close()
	o := oracle.Options{MaxOutputTokens: layer.MaxOutputTokens, MaxInputTokens: layer.MaxInputTokens, Names: names, Model: layer.Model}
	if s.sources != "" {
		o.Source = sourceDir{s.sources}
		if s.store != nil && mode != staleIgnore {
			o.Changed = s.changed
		}
	}
	if s.store != nil {
		o.Revision = revisionName(s.store.Manifest.Revision)
		o.Pages = s.pageProblems
	}
	if mode == staleError {
		if stale, err := s.allStale(c); err != nil {
			return nil, err
		} else if len(stale) > 0 {
			return nil, withHint(fmt.Errorf("%s changed since the store was made; the first is %s", plural(len(stale), "file"), stale[0].Path),
				"bring it up to date with: project-map index --worktree, or ask with --stale refresh")
		}
	}
	a, err := s.newOracle(o).Answer(r)
	if err != nil {
		return nil, err
	}
	if names.err == nil { // likewise
		cache.Put(r, a)
	}
	return a, nil
}

func (s *querySource) newOracle(o oracle.Options) *oracle.Oracle {
	if s.store == nil {
		return oracle.New(s.catalog, nil, nil, o)
	}
	refs, _ := s.store.References() // without them answers say what is missing
	log, _ := s.store.Log()
	return oracle.New(s.catalog, refs, log, o)
}

// pageProblems lists the artifacts that are not as the last run left them.
func (s *querySource) pageProblems() []oracle.PageProblem {
	if s.work == nil {
		return nil
	}
	tree, err := openPageTree(s.dir, s.work.mirrored)
	if err != nil {
		return nil
	}
	defer tree.close()
	var out []oracle.PageProblem
	for _, p := range s.store.Manifest.Artifacts {
		if problem := tree.problem(p); problem != "" {
			out = append(out, oracle.PageProblem{Path: p.Path, Problem: problem})
		}
	}
	return out
}

func printAnswerJSON(w io.Writer, a *oracle.Answer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(a)
}

// printAnswer prints an answer for people.
func printAnswer(w io.Writer, a *oracle.Answer) {
	fmt.Fprintf(w, "%s\n\nConfidence: %s", plaintext.Terminal(a.Answer), a.Confidence)
	if a.Freshness != nil && len(a.Freshness.Stale) > 0 {
		var names []string
		for _, f := range a.Freshness.Stale {
			names = append(names, fmt.Sprintf("%s (%s)", f.Path, f.State))
		}
		fmt.Fprintf(w, "; changed since the store was made: %s", plaintext.Terminal(strings.Join(names, ", ")))
	}
	fmt.Fprintln(w)
	if len(a.Evidence) > 0 {
		fmt.Fprintln(w, "\nEvidence:")
	}
	for _, e := range a.Evidence {
		place := e.File
		if e.Range != nil {
			place += fmt.Sprintf(":%d", e.Range.StartLine)
			if e.Range.EndLine > e.Range.StartLine {
				place += fmt.Sprintf("-%d", e.Range.EndLine)
			}
		}
		text := "  "
		if place != "" {
			text += place + "  "
		}
		if e.Symbol != "" {
			text += e.Symbol + "  "
		}
		fmt.Fprintln(w, plaintext.Terminal(text+e.Detail+" ["+string(e.Type)+"]"))
	}
	if a.Omitted > 0 {
		fmt.Fprintf(w, "  … and %d more; raise --max-output-tokens to see them\n", a.Omitted)
	}
	if len(a.SuggestedNextReads) > 0 {
		fmt.Fprintln(w, plaintext.Terminal("\nRead next: "+strings.Join(a.SuggestedNextReads, ", ")))
	}
}

// contextLayer is how questions are answered: flags, then the environment, then
// the user's configuration, then the repository's.
type contextLayer struct {
	config.ContextLayer
	notes []string
}

// Names of the environment's variables.
const (
	envEnabled   = "PROJECT_MAP_CONTEXT_LAYER"
	envModel     = "PROJECT_MAP_MODEL"
	envMaxInput  = "PROJECT_MAP_MAX_INPUT_TOKENS"
	envMaxOutput = "PROJECT_MAP_MAX_OUTPUT_TOKENS"
	envCache     = "PROJECT_MAP_CACHE"
)

// errSwitchedOff says that the context layer is off.
var errSwitchedOff = errors.New("the context layer is switched off")

// contextLayer gathers the settings. A layer that is switched off is an error.
func (s *querySource) contextLayer(c *cli.Context) (*contextLayer, error) {
	l := &contextLayer{ContextLayer: config.DefaultContextLayer()}
	where := ""
	take := func(name string, f config.ContextLayerSettings) error {
		if f.Enabled != nil && !*f.Enabled {
			where = name
		} else if f.Enabled != nil {
			where = ""
		}
		return l.Apply(f)
	}
	repo, err := s.repositoryConfig(c)
	if err != nil {
		return nil, err
	}
	if repo != nil {
		f := repo.ContextLayer
		if f.Model != nil && *f.Model != "" {
			l.notes = append(l.notes, fmt.Sprintf("contextLayer.model in %s is not used: a model is named in the user's own configuration or %s only", config.Name, envModel))
			f.Model = nil
		}
		if err := take(config.Name, f); err != nil {
			return nil, err
		}
	}
	user, name, err := userConfig()
	if err != nil {
		return nil, err
	}
	if err := take(name, user); err != nil {
		return nil, err
	}
	env, err := config.ContextLayerOf(os.Getenv(envEnabled), os.Getenv(envModel), os.Getenv(envMaxInput), os.Getenv(envMaxOutput), os.Getenv(envCache))
	if err != nil {
		return nil, usagef("environment: %v", err)
	}
	if err := take(envEnabled, env); err != nil {
		return nil, err
	}
	if n := c.Int("max-output-tokens"); n > 0 {
		l.MaxOutputTokens = n
	}
	if n := c.Int("max-input-tokens"); n > 0 {
		l.MaxInputTokens = n
	}
	if c.Bool("no-cache") {
		l.Cache = false
	}
	if !l.Enabled {
		return nil, withHint(fmt.Errorf("%w by %s", errSwitchedOff, where), "set contextLayer.enabled to true there to ask")
	}
	return l, nil
}
