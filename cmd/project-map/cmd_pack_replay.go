package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/bundle/pack/session"
	"github.com/project-map/project-map/mapgen/tokens/exact"
)

// runReplay builds a recorded pack again from its kept inputs.
func runReplay(c *cli.Context) error {
	for _, name := range []string{"stage", "budget", "query", "limit", "policy", "recount", "turns"} {
		if c.IsSet(name) {
			return usagef("--replay takes everything from the record; leave --%s out", name)
		}
	}
	id := pack.ContextPackID(c.String("replay"))
	if !id.Valid() {
		return usagef("--replay %s: the id of a pack is pack- and 32 hexadecimal digits; project-map session NAME lists those of a session", id)
	}
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	if w.out == "" {
		return w.errBare("run it in a work tree")
	}
	if !session.Exists(w.out) {
		return withHint(fmt.Errorf("%w %s", session.ErrNoRecord, id), "packs are recorded by: project-map pack --session NAME")
	}
	store, err := session.Open(w.out)
	if err != nil {
		return err
	}
	defer store.Close()
	p, r, err := replay(store, id, c.String("session"))
	if err != nil {
		return explainReplay(err)
	}
	newConsole(c).say("%s: built again from %s, identical (SHA-256 %s)", id, plural(len(r.Inputs), "input"), r.PackSHA256)
	return printPack(c, p)
}

// replay gives the pack and its record. It reaches into one session only when
// that is named.
func replay(store *session.Store, id pack.ContextPackID, of string) (*pack.ContextPack, *session.Record, error) {
	r, err := store.Recorded(id)
	if err != nil {
		return nil, nil, err
	}
	if of != "" && r.SessionID != pack.SessionID(of) {
		return nil, nil, fmt.Errorf("%w %s in session %s", session.ErrNoRecord, id, of)
	}
	counter, err := exact.New(r.Tokenizer)
	if err != nil {
		return nil, nil, fmt.Errorf("replay %s: %w", id, err)
	}
	var entries []pack.ContextEntry
	for _, in := range r.Inputs {
		d := newEntryDecoder(nil)
		data, err := store.ReadInput(in)
		if err != nil {
			return nil, nil, fmt.Errorf("replay %s: %w", id, err)
		}
		if err := eachLine(bytes.NewReader(data), d.line); err != nil {
			return nil, nil, fmt.Errorf("replay %s: the input %q %w: %v", id, in.Name, session.ErrAltered, err)
		}
		entries = append(entries, d.entries...)
	}
	p, _, err := buildRecorded(r, counter, entries)
	if err != nil {
		return nil, nil, fmt.Errorf("replay %s: %w", id, err)
	}
	if p.ID != id {
		return nil, nil, fmt.Errorf("replay %s: %w: its inputs are whole and give %s, so the record was altered or the rules of the program have changed", id, session.ErrDiffers, p.ID)
	}
	data, err := p.JSON()
	if err != nil {
		return nil, nil, err
	}
	if got := session.Digest(data); got != r.PackSHA256 {
		return nil, nil, fmt.Errorf("replay %s: %w: SHA-256 %s instead of %s", id, session.ErrDiffers, got, r.PackSHA256)
	}
	return p, r, nil
}

// explainReplay adds the next step.
func explainReplay(err error) error {
	switch {
	case errors.Is(err, session.ErrNoRecord):
		return withHint(err, "project-map session NAME lists the packs of a session")
	case errors.Is(err, session.ErrMissing), errors.Is(err, session.ErrAltered):
		return withHint(err, "restore the file from a backup, or build the pack anew from its entries")
	case errors.Is(err, session.ErrDiffers):
		return withHint(err, "build the pack anew with this program, or replay it with the one that recorded it")
	}
	return err
}
