package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/lang/all"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/store"
)

// diagnosis is what doctor prints with --format json.
type diagnosis struct {
	OK     bool    `json:"ok"`
	Checks []check `json:"checks"`
}

// check is one line of doctor.
type check struct {
	What   string `json:"what"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Mend   string `json:"mend,omitempty"`
}

func (d *diagnosis) add(what, detail string, err error) {
	k := check{What: what, OK: err == nil, Detail: detail}
	if err != nil {
		k.Detail, k.Mend, d.OK = err.Error(), hintOf(err), false
	}
	d.Checks = append(d.Checks, k)
}

// diagnose checks everything that a command needs. It writes nothing.
func (w *workspace) diagnose(c *cli.Context) *diagnosis {
	d := &diagnosis{OK: true, Checks: []check{}}
	d.add("repository", w.repo.GitDir(), nil)
	in, err := w.readInput(c, stateOf(revision.Commit))
	switch {
	case in != nil:
		d.add("revision", fmt.Sprintf("HEAD is %.12s, %s", in.snapshot.Commit, plural(len(in.snapshot.Entries), "file")), nil)
		d.add("configuration", "valid", checkPin(in.config))
	default:
		what := "revision"
		if exitCode(err) == exitUsage {
			what = "configuration"
		}
		d.add(what, "", err)
	}
	w.diagnoseStore(d, in)
	report, err := factstore.Check(w.factsDir())
	if err == nil && len(report.Problems) > 0 {
		err = withHint(fmt.Errorf("%s damaged: %s", plural(len(report.Problems), "segment"), report.Problems[0]),
			"it costs time only; remove %s to start afresh", w.factsDir())
	}
	d.add("fact cache", w.factsDir(), err)
	n := 0
	for range all.Table().All() {
		n++
	}
	d.add("languages", plural(n, "language"), nil)
	return d
}

// diagnoseStore checks the store and the artifacts that it knows of.
func (w *workspace) diagnoseStore(d *diagnosis, in *buildInput) {
	s, err := w.openStore()
	if err != nil {
		d.add("store", "", err)
		return
	}
	defer s.Close()
	m := s.Manifest
	d.add("store", fmt.Sprintf("%s, %s, %s", revisionName(m.Revision), plural(s.Catalog.NumDocs(), "file"), plural(s.Catalog.NumSymbols(), "symbol")),
		errors.Join(verifyNames(s), verifyReferences(s), sameRevision(m, in)))
	switch m.Placement {
	case placeNone:
		d.add("maps", "none, the configuration keeps only the store", nil)
		return
	case placeStoreOnly:
		d.add("maps", "not looked at, the store was refreshed by a query since", nil)
		return
	}
	tree, err := openPageTree(w.out, w.mirrored)
	if err == nil {
		defer tree.close()
		if !tree.asLeft(m) {
			err = withHint(errors.New("some are not as the last run left them"), "see which with: project-map validate%s", kindFlag(m.Revision.Kind))
		}
	}
	d.add("maps", plural(len(m.Artifacts), "artifact"), err)
}

// verifyReferences opens what lies beside the catalog.
func verifyReferences(s *store.Store) error {
	_, refs := s.References()
	_, log := s.Log()
	return errors.Join(unlessNone(refs), unlessNone(log))
}

func unlessNone(err error) error {
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	return err
}

func verifyNames(s *store.Store) error {
	names, err := s.Names()
	if err != nil {
		return err
	}
	return errors.Join(names.Verify(), names.Close())
}

// sameRevision compares what a store was made from with HEAD, as far as that
// means anything.
func sameRevision(m *store.Manifest, in *buildInput) error {
	if in != nil {
		in.evidenceDigest = m.Evidence
	}
	if in == nil || m.Placement == placeOut || m.Revision.Kind != in.revision().Kind || m.Input == in.digest() {
		return nil
	}
	err := fmt.Errorf("the store is of %s, not of HEAD", revisionName(m.Revision))
	if m.Revision.Commit == in.snapshot.Commit {
		err = errors.New("the store was made by another version, or with another configuration")
	}
	return withHint(err, "bring it up to date with: project-map index")
}
