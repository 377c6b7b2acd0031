package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/bundle/pack/session"
	"github.com/project-map/project-map/mapgen/plaintext"
)

func sessionCommand() *cli.Command {
	return &cli.Command{
		Name:      "session",
		Usage:     "replay a session's event log and print its state",
		ArgsUsage: "NAME",
		Description: `Prints which packs the session built, in order, and whether one is being built.
The state is made from the session's own events alone.

   project-map session s1
   project-map session s1 --format json`,
		Action: runSession,
	}
}

// sessionReport is the JSON of a session.
type sessionReport struct {
	SessionID pack.SessionID `json:"sessionId"`
	pack.ContextState
	Events int `json:"events"`
	// Torn says what is wrong with the last line of the log; empty: nothing.
	Torn string `json:"torn"`
}

func runSession(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return usagef("session: name one session: project-map session NAME")
	}
	id := pack.SessionID(c.Args().First())
	if err := pack.CheckName("session", string(id)); err != nil {
		return usagef("session: %v", err)
	}
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	if w.out == "" {
		return w.errBare("run it in a work tree")
	}
	none := withHint(fmt.Errorf("%w %q", session.ErrNone, id), "record one with: project-map pack --session NAME < entries.jsonl")
	if !session.Exists(w.out) {
		return none
	}
	store, err := session.Open(w.out)
	if err != nil {
		return err
	}
	defer store.Close()
	log, err := store.Log(id, pack.NewEventCodec())
	if err != nil {
		return err
	}
	r := sessionReport{SessionID: id}
	source := counted{session.Source{Log: log, Torn: func(t *session.Torn) { r.Torn = t.String() }}, &r.Events}
	repository := pack.NewContextRepository(pack.Replayer[pack.ContextState]{Source: source, Projection: pack.NewContextProjector()})
	r.ContextState, err = repository.ContextState(id)
	switch {
	case errors.Is(err, session.ErrNone):
		return none
	case errors.Is(err, session.ErrCorrupt):
		return withHint(err, "correct or remove that line in %s", log.Path())
	case err != nil:
		return err
	}
	if r.Torn != "" {
		newConsole(c).say("the log of session %s: %s", id, r.Torn)
	}
	return output(c, func(out io.Writer) error {
		if c.String("format") == "json" {
			return printJSON(out, r)
		}
		progress := "none is being built"
		if r.BuildingInProgress {
			progress = "one is being built, or was cut short"
		}
		fmt.Fprintf(out, "Session %s: %s, %s (%s)\n", plaintext.Terminal(string(id)), plural(len(r.BuiltPackIDs), "pack"), progress, plural(r.Events, "event"))
		for _, p := range r.BuiltPackIDs {
			fmt.Fprintf(out, "  %s\n", plaintext.Terminal(string(p)))
		}
		return nil
	})
}

// counted counts the events of a source.
type counted struct {
	pack.EventSource
	n *int
}

func (s counted) Events(id pack.SessionID) ([]pack.Event, error) {
	events, err := s.EventSource.Events(id)
	*s.n = len(events)
	return events, err
}
