package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/bundle/pack/session"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/mapgen/tokens/exact"
)

// defaultPackBudget is a twentieth of what small models read at once.
const defaultPackBudget = 8000

func packCommand() *cli.Command {
	return &cli.Command{
		Name:      "pack",
		Usage:     "assemble a context pack from a session's entries",
		ArgsUsage: " ",
		Description: `Reads entries as JSON Lines from standard input, oldest first, and prints the
context pack that fits the budget: JSON, or with --format markdown a prompt.

   {"id":"e1","layer":"L1","content":"…","sourceType":"toolLog","sourceId":"grep"}

Layers: L0 now, L1 this stage, L2 the session so far, L3 the project, L4 the
archive. Source types with rules of their own: toolLog, conversation, artifact,
steeringNote, eventHistory. The last two and all of L0 are never dropped; the
rest leaves L3 first, then L2, then L1, the oldest first.

What happened is appended to the session's event log, and the inputs are kept,
so that --replay can build the pack again and prove it the same.

   project-map pack --session s1 --stage plan --budget 8000 < entries.jsonl
   project-map pack --session s1 --stage edit --query "retry limit" < entries.jsonl
   project-map pack --session s1 --format markdown --tokenizer o200k_base < entries.jsonl
   project-map pack --session s1 --policy RULES.md --decision-point < entries.jsonl
   project-map pack --session s1 --explain < entries.jsonl >pack.json
   project-map pack --replay pack-0123456789abcdef0123456789abcdef`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "session", Usage: "the session's `NAME`"},
			&cli.StringFlag{Name: "stage", Value: "main", Usage: "the stage's `NAME`"},
			&cli.IntFlag{Name: "budget", Value: defaultPackBudget, Usage: "keep the pack under `N` tokens"},
			&cli.StringFlag{Name: "query", Usage: "add what project-map finds for a `TASK`: maps as L3, files and symbols as L1"},
			&cli.IntFlag{Name: "limit", Value: bundle.DefaultLimit, Usage: "with --query: at most `N` files"},
			&cli.StringSliceFlag{Name: "policy", Usage: "add the text of `FILE` as a pinned entry"},
			&cli.StringFlag{Name: "tokenizer", Value: tokens.NameEstimate, EnvVars: []string{"PROJECT_MAP_TOKENIZER"},
				Usage: "count with `" + strings.Join(exact.Names(), "|") + "`"},
			&cli.BoolFlag{Name: "recount", Usage: "count every entry, whatever its tokenEstimate says"},
			&cli.IntFlag{Name: "turns", Value: pack.DefaultKeepTurns, Usage: "the last `N` turns of a conversation leave after older ones"},
			&cli.BoolFlag{Name: "decision-point", Usage: "print L0 and L1 only"},
			&cli.BoolFlag{Name: "explain", Usage: "say on standard error what was kept and dropped, and why"},
			&cli.StringFlag{Name: "replay", Usage: "build the recorded pack `PACKID` again and compare"},
		},
		Action: runPack,
	}
}

func runPack(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("pack takes no arguments (got %q); entries are read from standard input", c.Args().First())
	}
	if c.IsSet("replay") {
		return runReplay(c)
	}
	a, err := packAssembly(c)
	if err != nil {
		return err
	}
	defer a.con.end()
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	if w.out == "" {
		return w.errBare("run it in a work tree")
	}
	if a.store, err = session.Open(w.out); err != nil {
		return err
	}
	defer a.store.Close()
	log, err := a.store.Log(a.record.SessionID, pack.NewEventCodec())
	if err != nil {
		return err
	}
	// The log is finished even when the run is interrupted.
	ctx := context.WithoutCancel(c.Context)
	torn, err := log.Append(ctx, pack.ContextBuildingStartedEvent{SessionID: a.record.SessionID, StageID: a.record.StageID})
	if err != nil {
		return err
	}
	if torn != nil {
		a.con.say("the log of session %s: %v", a.record.SessionID, torn)
	}
	p, events, err := a.assemble(c)
	if err != nil {
		failed := pack.ContextBuildingFailedEvent{SessionID: a.record.SessionID, StageID: a.record.StageID, Reason: err.Error()}
		if _, logErr := log.Append(ctx, failed); logErr != nil {
			a.con.say("%v", logErr)
		}
		return err
	}
	if _, err := log.Append(ctx, events[1:]...); err != nil {
		return err
	}
	if p.OverBudget != "" {
		a.con.say("over budget: %s; raise --budget, or shorten entries of L0, steering notes and event history", p.OverBudget)
	}
	return printPack(c, p)
}

// assembly is the making of a pack.
type assembly struct {
	con     *console
	store   *session.Store
	record  *session.Record
	counter tokens.Tokenizer
	entries []pack.ContextEntry
}

// packAssembly checks the call.
func packAssembly(c *cli.Context) (*assembly, error) {
	if c.String("session") == "" {
		return nil, usagef("pack: name the session: project-map pack --session NAME < entries.jsonl")
	}
	for _, name := range []string{"session", "stage"} {
		if err := pack.CheckName(name, c.String(name)); err != nil {
			return nil, usagef("--%s: %v", name, err)
		}
	}
	for _, name := range []string{"budget", "turns", "limit"} {
		if n := c.Int(name); n < 1 {
			return nil, usagef("--%s %d: give a number of at least 1", name, n)
		}
	}
	counter, err := packCounter(c)
	if err != nil {
		return nil, err
	}
	if isTerminal(c.App.Reader) {
		return nil, usagef("pack: give the entries on standard input, one JSON object a line: project-map pack --session NAME < entries.jsonl")
	}
	r := &session.Record{
		SessionID: pack.SessionID(c.String("session")), StageID: pack.StageID(c.String("stage")), Budget: c.Int("budget"),
		Tokenizer: counter.Name(), KeepTurns: c.Int("turns"), Recount: c.Bool("recount"), Inputs: []session.Input{},
	}
	if c.String("format") == "markdown" {
		r.Framing = pack.Markdown
	}
	return &assembly{con: newConsole(c), record: r, counter: counter}, nil
}

// packCounter is the tokenizer of --tokenizer, else of the environment, else of
// the configuration.
func packCounter(c *cli.Context) (pack.TokenCounter, error) {
	name, from := c.String("tokenizer"), "--tokenizer"
	if !c.IsSet("tokenizer") {
		w, err := openWorkspace(c)
		if err != nil {
			return nil, err
		}
		defer w.close()
		cfg, err := (&querySource{sources: w.repo.WorktreeRoot()}).repositoryConfig(c)
		if err != nil {
			return nil, err
		}
		if cfg != nil && cfg.Tokenizer != "" {
			name, from = cfg.Tokenizer, config.Name+": tokenizer"
		}
	}
	counter, err := exact.New(cmp.Or(name, tokens.NameEstimate))
	if err != nil {
		return nil, usagef("%s: %v", from, err)
	}
	return counter, nil
}

// assemble gathers the inputs, keeps them, builds the pack and records it.
// Policies and what is stable come first, what a query finds now comes last.
func (a *assembly) assemble(c *cli.Context) (*pack.ContextPack, []pack.Event, error) {
	policies, err := readPolicies(c.StringSlice("policy"))
	if err != nil {
		return nil, nil, err
	}
	var memory, found, question []pack.ContextEntry
	if q := strings.TrimSpace(c.String("query")); q != "" {
		if memory, found, err = retrieve(c, a.con, q); err != nil {
			return nil, nil, err
		}
		question = []pack.ContextEntry{{Layer: pack.L0, Content: q, SourceType: "query"}}
	}
	// The events of the session are its archive: the pack names the log and holds
	// nothing of it.
	archive := []pack.ContextEntry{{Layer: pack.L4, SourceType: "sessionLog", SourceID: string(a.record.SessionID)}}

	for _, x := range []struct {
		name    string
		entries []pack.ContextEntry
	}{{"policies", policies}, {"project memory", memory}, {"session log", archive}} {
		if err := a.add(x.name, x.entries); err != nil {
			return nil, nil, err
		}
	}
	if err := a.readEntries(c.App.Reader); err != nil {
		return nil, nil, err
	}
	for _, x := range []struct {
		name    string
		entries []pack.ContextEntry
	}{{"retrieval", found}, {"query", question}} {
		if err := a.add(x.name, x.entries); err != nil {
			return nil, nil, err
		}
	}
	p, events, err := buildRecorded(a.record, a.counter, a.entries)
	if err != nil {
		return nil, nil, usagef("%v", err)
	}
	data, err := p.JSON()
	if err != nil {
		return nil, nil, err
	}
	a.record.PackID, a.record.PackSHA256 = p.ID, session.Digest(data)
	return p, events, a.store.Record(a.record)
}

// buildRecorded builds what a record and its entries say.
func buildRecorded(r *session.Record, counter tokens.Tokenizer, entries []pack.ContextEntry) (*pack.ContextPack, []pack.Event, error) {
	if r.Recount {
		for i := range entries {
			entries[i].TokenEstimate = 0
		}
	}
	return pack.NewBuilder(counter, r.KeepTurns).Build(pack.BuildRequest{
		SessionID: r.SessionID, StageID: r.StageID, Budget: r.Budget, Entries: entries, Framing: r.Framing,
	})
}

func readPolicies(files []string) ([]pack.ContextEntry, error) {
	var out []pack.ContextEntry
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usagef("--policy: %v", err)
		}
		out = append(out, pack.Policy(filepath.ToSlash(filepath.Clean(name)), strings.ToValidUTF8(string(data), "\uFFFD")))
	}
	return out, nil
}

// retrieve asks the maps.
func retrieve(c *cli.Context, con *console, q string) (memory, found []pack.ContextEntry, err error) {
	src, err := openSource(c, con, staleWarn)
	if err != nil {
		return nil, nil, err
	}
	defer src.close()
	b, err := src.answer(c, q, staleWarn)
	if err != nil {
		return nil, nil, err
	}
	memory, found = b.Retrieval(sourceDir{src.dir}.ReadSource)
	return memory, found, nil
}

// printPack prints a pack in the format asked for.
func printPack(c *cli.Context, p *pack.ContextPack) error {
	if c.Bool("explain") && c.String("format") != "text" {
		if _, err := io.WriteString(c.App.ErrWriter, p.Explain()); err != nil {
			return fmt.Errorf("print the explanation: %w", err)
		}
	}
	shown := p
	if c.Bool("decision-point") {
		shown = pack.DefaultDecisionPointBuilder{}.Build(p)
	}
	return output(c, func(w io.Writer) error {
		var data []byte
		var err error
		switch f := c.String("format"); {
		case f == "text":
			data = []byte(p.Explain())
		case f == "markdown" || f == "auto" && p.Framing == pack.Markdown:
			data = shown.Markdown()
			if isTerminal(c.App.Writer) {
				data = []byte(plaintext.Terminal(string(data)))
			}
		default:
			data, err = shown.JSON()
		}
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
}
