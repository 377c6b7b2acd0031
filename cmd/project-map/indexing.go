package main

import (
	"context"
	"errors"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/store"
)

// maxCache is the size over which the fact cache drops its oldest segments, in
// bytes.
const maxCache = 2 << 30

type indexOptions struct {
	force bool
	jobs  int
	con   *console
	// storeOnly leaves the artifacts alone.
	storeOnly bool
	// evidence that is new, or nil.
	evidence *evidencePlan
}

// indexReport is what index prints with --format json.
type indexReport struct {
	Revision  store.Revision `json:"revision"`
	Out       string         `json:"out"`
	UpToDate  bool           `json:"upToDate"`
	Written   []string       `json:"written"`
	Removed   []string       `json:"removed"`
	Unchanged int            `json:"unchanged"`
	// Skipped are directories that the revision has and the work tree has not,
	// or has as symbolic links; their artifacts were not written.
	Skipped   []string      `json:"skipped"`
	Extracted int           `json:"extracted"`
	Summary   store.Summary `json:"summary"`
	// Evidence says what became of indexes and reports of other programs.
	Evidence []store.EvidenceSummary `json:"evidence,omitempty"`
	Millis   int64                   `json:"milliseconds"`
}

// index brings artifacts and store to the state of the input. Artifacts come
// first: a run that dies in between leaves a store of the old input, so that
// the next one does not take the work for done. The caller holds the lock.
func (w *workspace) index(ctx context.Context, in *buildInput, opt indexOptions) (*indexReport, error) {
	r := &indexReport{Out: w.out, Revision: in.revision(), Written: []string{}, Removed: []string{}, Skipped: []string{}}
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	before, err := store.Open(w.storeDir())
	if err != nil && !errors.Is(err, store.ErrNone) {
		opt.con.say("the store is rebuilt: %v", err)
	}
	if before != nil {
		defer before.Close()
	}
	if err := w.gatherEvidence(ctx, in, opt.evidence, before, opt.con.say); err != nil {
		return nil, err
	}
	if before != nil {
		done, err := w.upToDate(before, tree, in, opt)
		if err != nil {
			return nil, err
		}
		if done {
			return w.refresh(before, r, opt.storeOnly)
		}
	}
	cache := w.openCache(opt.con.say)
	defer cache.Close()
	b, err := compile(ctx, in, buildOptions{cache: cache, workers: opt.jobs, progress: opt.con.progress, before: before})
	if err != nil {
		// What was read so far need not be read again.
		_ = cache.Commit()
		return nil, err
	}
	r.Summary, r.Extracted, r.Evidence = b.manifest.Summary, b.result.Extracted, b.evidence
	if !opt.storeOnly {
		pages := b.pages
		if in.placement == placeNone {
			pages = nil
		}
		if err := r.place(ctx, tree, pages, in, opt.force); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opt.storeOnly {
		b.manifest.Placement, b.manifest.Artifacts = placeStoreOnly, nil
		if before != nil {
			b.manifest.Artifacts = before.Manifest.Artifacts
		}
	}
	if err := store.Write(w.storeDir(), b.manifest, b.contents); err != nil {
		return nil, err
	}
	saveCache(cache, opt.con)
	return r, nil
}

// saveCache keeps what was extracted. Failing to costs time in the next run,
// nothing else.
func saveCache(cache *factstore.Store, con *console) {
	if err := cache.Commit(); err != nil {
		con.say("the fact cache was not saved: %v", err)
	} else if _, err := cache.Compact(nil, maxCache); err != nil && !errors.Is(err, factstore.ErrReadOnly) {
		con.say("the fact cache was not tidied: %v", err)
	}
}

// place writes the artifacts and removes those that should not be.
func (r *indexReport) place(ctx context.Context, tree *pageTree, pages []mapgen.Page, in *buildInput, force bool) error {
	if err := tree.guard(pages, force); err != nil {
		return err
	}
	want := wanted(pages)
	orphans, err := tree.orphans(want, in.directories())
	if err != nil {
		return err
	}
	paths := make([]string, len(pages))
	for i, p := range pages {
		paths[i] = p.Path
	}
	tree.sweep(paths)
	changed, err := tree.write(ctx, pages)
	if err != nil {
		return err
	}
	if err := tree.remove(orphans); err != nil {
		return err
	}
	r.Written, r.Removed = append(r.Written, changed...), append(r.Removed, orphans...)
	r.Skipped = append(r.Skipped, tree.homeless(pages)...)
	r.Unchanged = len(pages) - len(changed)
	for _, p := range pages {
		if !tree.placed(p.Path) {
			r.Unchanged--
		}
	}
	return nil
}

// upToDate tells whether the store is whole and of this very input, the
// artifacts are as the last run left them, and none has to be removed.
func (w *workspace) upToDate(before *store.Store, tree *pageTree, in *buildInput, opt indexOptions) (bool, error) {
	m := before.Manifest
	if opt.force || m.Input != in.digest() {
		return false, nil
	}
	names, err := before.Names()
	if err != nil {
		opt.con.say("the store is rebuilt: %v", err)
		return false, nil
	}
	_ = names.Close()
	if err := verifyReferences(before); err != nil {
		opt.con.say("the store is rebuilt: %v", err)
		return false, nil
	}
	if opt.storeOnly {
		return true, nil
	}
	if m.Placement != in.placement || !tree.asLeft(m) {
		return false, nil
	}
	want := make(map[string]bool, len(m.Artifacts))
	paths := make([]string, len(m.Artifacts))
	for i, a := range m.Artifacts {
		paths[i] = pagePath(a)
		want[paths[i]] = true
	}
	orphans, err := tree.orphans(want, in.directories())
	if err == nil && len(orphans) == 0 {
		tree.sweep(paths)
		return true, nil
	}
	return false, err
}

// refresh notes a new name for a state that is already there. With storeOnly
// the name stays: a work tree like the commit is the commit.
func (w *workspace) refresh(before *store.Store, r *indexReport, storeOnly bool) (*indexReport, error) {
	m := *before.Manifest
	r.UpToDate, r.Summary, r.Unchanged = true, m.Summary, len(m.Artifacts)
	if refs, err := before.References(); err == nil {
		r.Evidence = refs.Meta().Evidence
	}
	if m.Revision == r.Revision || storeOnly {
		return r, nil
	}
	m.Revision = r.Revision
	return r, before.Rewrite(&m)
}
