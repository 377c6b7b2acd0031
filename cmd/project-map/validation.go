package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
)

// pageStatus is how an artifact compares with what it should be.
type pageStatus string

const (
	statusFresh    pageStatus = "fresh"
	statusStale    pageStatus = "stale"
	statusMissing  pageStatus = "missing"
	statusOrphaned pageStatus = "orphaned"
	statusEdited   pageStatus = "edited"
	statusConflict pageStatus = "conflict"
	statusVersion  pageStatus = "other version"
	statusForeign  pageStatus = "foreign"
)

// pageFinding is an artifact that is not fresh.
type pageFinding struct {
	Path   string     `json:"path"`
	Status pageStatus `json:"status"`
	page   mapgen.Page
	have   []byte
}

// comparePage tells how the bytes of an artifact compare with what they should
// be. edited tells whether somebody changed them since the last run.
func comparePage(have []byte, want []byte, edited func([]byte) bool) pageStatus {
	switch {
	case have == nil:
		return statusMissing
	case slices.Equal(have, want):
		return statusFresh
	case len(have) == 0:
		return statusStale
	}
	switch artifact.Inspect(have) {
	case artifact.Newer, artifact.Older:
		return statusVersion
	case artifact.Foreign:
		return statusForeign
	case artifact.Conflicted:
		return statusConflict
	case artifact.Edited:
		return statusEdited
	}
	if edited(have) {
		return statusEdited
	}
	return statusStale
}

// validateReport is what validate prints with --format json.
type validateReport struct {
	Revision store.Revision `json:"revision"`
	Checked  int            `json:"checked"`
	Fresh    int            `json:"fresh"`
	Findings []pageFinding  `json:"findings"`
	// Skipped are directories that the revision has and the work tree has not.
	Skipped []string `json:"skipped"`
	Fixed   bool     `json:"fixed"`

	staged   bool   // the artifacts of git's index were compared
	lastKind string // the state that the last run indexed, "" if unknown
}

// pageSource is where validate finds the artifacts: on disk, or in git's index.
type pageSource struct {
	read func(path string) ([]byte, error)
	// placed tells whether the place has a directory for a page.
	placed  func(path string) bool
	orphans []string
}

func wanted(pages []mapgen.Page) map[string]bool {
	want := make(map[string]bool, len(pages))
	for _, p := range pages {
		want[p.Path] = true
	}
	return want
}

// compareAll compares the artifacts of a source with what they should be.
func compareAll(pages []mapgen.Page, src pageSource, edited func(path string, data []byte) bool) (*validateReport, error) {
	r := &validateReport{Findings: []pageFinding{}, Skipped: []string{}}
	for _, p := range pages {
		if !src.placed(p.Path) {
			if d := facts.DirOf(p.Path); !slices.Contains(r.Skipped, d) {
				r.Skipped = append(r.Skipped, d)
			}
			continue
		}
		r.Checked++
		have, err := src.read(p.Path)
		if err != nil {
			return nil, err
		}
		status := comparePage(have, p.Data, func(data []byte) bool { return edited(p.Path, data) })
		if status == statusFresh {
			r.Fresh++
			continue
		}
		r.Findings = append(r.Findings, pageFinding{p.Path, status, p, have})
	}
	for _, p := range src.orphans {
		r.Checked++
		r.Findings = append(r.Findings, pageFinding{Path: p, Status: statusOrphaned})
	}
	slices.SortFunc(r.Findings, func(x, y pageFinding) int { return strings.Compare(x.Path, y.Path) })
	return r, nil
}

// diff shows how the artifacts that are there differ from what they should be.
func (r *validateReport) diff() []byte {
	var out []byte
	for _, f := range r.Findings {
		if f.have != nil {
			out = append(out, diff.Diff(f.Path+" (is)", f.have, f.Path+" (should be)", f.page.Data)...)
		}
	}
	return out
}

// fix regenerates what is not fresh and removes what is orphaned, on disk. The
// caller holds the lock.
func (r *validateReport) fix(ctx context.Context, tree *pageTree, force bool) error {
	var pages []mapgen.Page
	var orphans []string
	for _, f := range r.Findings {
		switch {
		case f.Status == statusOrphaned:
			orphans = append(orphans, f.Path)
		default:
			pages = append(pages, f.page)
		}
	}
	if err := tree.guard(pages, force); err != nil {
		return err
	}
	if _, err := tree.write(ctx, pages); err != nil {
		return err
	}
	if err := tree.remove(orphans); err != nil {
		return err
	}
	r.Fixed = true
	return nil
}

// onDisk finds the artifacts of the work tree or of --out.
func (t *pageTree) source(pages []mapgen.Page, in *buildInput) (pageSource, error) {
	orphans, err := t.orphans(wanted(pages), in.directories())
	return pageSource{read: t.read, placed: t.placed, orphans: orphans}, err
}

// stagedSource finds the artifacts in git's index.
func (w *workspace) stagedSource(in *buildInput, opt revision.Options, pages []mapgen.Page) (pageSource, error) {
	src := pageSource{placed: func(string) bool { return true }}
	entries, err := w.repo.StagedArtifacts(opt)
	if err != nil {
		return src, err
	}
	reader, err := in.snapshot.Reader()
	if err != nil {
		return src, err
	}
	defer reader.Close()
	want := wanted(pages)
	staged := make(map[string][]byte, len(entries))
	for _, e := range entries {
		data, err := reader.Read(e)
		if errors.Is(err, revision.ErrMissing) {
			continue
		}
		if err != nil {
			return src, fmt.Errorf("read staged %s: %w", e.Path, err)
		}
		switch {
		case want[e.Path]:
			staged[e.Path] = append([]byte{}, data...)
		case artifact.Inspect(data) != artifact.Foreign && belongs(e.Path, data):
			src.orphans = append(src.orphans, e.Path)
		}
	}
	src.read = func(p string) ([]byte, error) { return staged[p], nil }
	return src, nil
}

// editedByHand tells whether somebody changed an artifact since the last run,
// where the store still says what that wrote. What git's index holds came from
// a checkout or a merge and counts as stale.
func (w *workspace) editedByHand(opt revision.Options) func(path string, data []byte) bool {
	no := func(string, []byte) bool { return false }
	s, err := w.openStore()
	if err != nil {
		return no
	}
	defer s.Close()
	written := make(map[string]string, len(s.Manifest.Artifacts))
	for _, a := range s.Manifest.Artifacts {
		written[pagePath(a)] = a.Digest
	}
	tracked := map[string]revision.ID{}
	if entries, err := w.repo.StagedArtifacts(opt); err == nil && !w.mirrored {
		for _, e := range entries {
			tracked[e.Path] = e.Blob
		}
	}
	return func(path string, data []byte) bool {
		digest, known := written[path]
		return known && digest != store.Digest(data) && tracked[path] != revision.BlobID(data)
	}
}
