package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/urfave/cli/v2"

	read "github.com/project-map/project-map/indexer/evidence"
	"github.com/project-map/project-map/indexer/facts/evidence"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/indexer/sarif"
	"github.com/project-map/project-map/indexer/scip"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/store"
)

// evidenceFlags name indexes and reports of other programs.
func evidenceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "scip", Usage: "take references from the SCIP index `FILE[@REV]`, made at REV; \"none\" forgets those of earlier runs (repeatable)"},
		&cli.StringSliceFlag{Name: "sarif", Usage: "take findings from the SARIF report `FILE[@REV]`; \"none\" forgets those of earlier runs (repeatable)"},
	}
}

// evidencePlan says what other programs found and where it comes from. Evidence
// of earlier runs stays until other evidence of its kind, or "none", is given:
// it is bound to blobs, so of a file that changes nothing of it is used.
type evidencePlan struct {
	requests []read.Request
	// replaced kinds are not kept.
	replaced map[string]bool
}

// evidenceNone is the argument that forgets evidence.
const evidenceNone = "none"

// planEvidence reads --scip, --sarif and the patterns of the configuration.
func (w *workspace) planEvidence(c *cli.Context, in *buildInput) (*evidencePlan, error) {
	p := &evidencePlan{replaced: map[string]bool{}}
	for _, kind := range []string{evidence.KindSCIP, evidence.KindSARIF} {
		args := c.StringSlice(kind)
		if len(args) > 0 {
			p.replaced[kind] = true
		}
		for _, a := range args {
			if a == evidenceNone {
				continue
			}
			q, err := w.evidenceFile(c.Context, kind, a, in)
			if err != nil {
				return nil, err
			}
			p.requests = append(p.requests, *q)
		}
	}
	return p, nil
}

// evidenceFile reads FILE[@REV]. A file whose name holds an @ is taken as it is.
func (w *workspace) evidenceFile(ctx context.Context, kind, arg string, in *buildInput) (*read.Request, error) {
	q := &read.Request{Kind: kind, Path: arg, Snapshot: in.snapshot}
	if _, err := os.Stat(arg); err != nil {
		at := strings.LastIndexByte(arg, '@')
		if at <= 0 {
			return nil, usagef("--%s %s: %v", kind, arg, reasonOf(err))
		}
		q.Path = arg[:at]
		if _, err := os.Stat(q.Path); err != nil {
			return nil, usagef("--%s %s: %v", kind, arg, reasonOf(err))
		}
		s, err := w.repo.Snapshot(ctx, revision.Options{Kind: revision.Commit, Rev: arg[at+1:]})
		if err != nil {
			return nil, fmt.Errorf("--%s %s: %w", kind, arg, err)
		}
		q.Snapshot, q.Revision = s, s.Commit
	}
	w.locate(q)
	return q, nil
}

// reasonOf takes the path out of an error that is printed beside it.
func reasonOf(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// locate notes what paths in a file may be relative to.
func (w *workspace) locate(q *read.Request) {
	root := w.repo.WorktreeRoot()
	if root == "" {
		return
	}
	q.Roots = []string{root}
	dir, err := realPath(filepath.Dir(q.Path))
	if err != nil {
		return
	}
	if rel, err := filepath.Rel(root, dir); err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		q.Prefixes = []string{filepath.ToSlash(rel)}
	}
}

// configured lists the files that match the patterns of the configuration. They
// belong to the repository, so links are not followed and nothing outside is
// looked at.
func (w *workspace) configured(in *buildInput) ([]read.Request, error) {
	root := w.repo.WorktreeRoot()
	var out []read.Request
	for _, k := range []struct {
		kind     string
		patterns []string
	}{{evidence.KindSCIP, in.config.SCIP}, {evidence.KindSARIF, in.config.SARIF}} {
		if root == "" || len(k.patterns) == 0 {
			continue
		}
		dir, err := os.OpenRoot(root)
		if err != nil {
			return nil, fmt.Errorf("look for %s files: %w", k.kind, err)
		}
		seen := map[string]bool{}
		for _, pattern := range k.patterns {
			found, err := doublestar.Glob(dir.FS(), pattern, doublestar.WithFilesOnly(), doublestar.WithNoFollow())
			if err != nil {
				_ = dir.Close()
				return nil, fmt.Errorf("%s: %s: pattern %q: %w: %w", config.Name, k.kind, pattern, err, config.ErrInvalid)
			}
			for _, f := range found {
				if info, err := dir.Lstat(f); err == nil && info.Mode().IsRegular() {
					seen[f] = true
				}
			}
		}
		_ = dir.Close()
		paths := make([]string, 0, len(seen))
		for p := range seen {
			paths = append(paths, p)
		}
		slices.Sort(paths)
		for _, p := range paths {
			q := read.Request{Kind: k.kind, Path: filepath.Join(root, filepath.FromSlash(p)), Snapshot: in.snapshot}
			w.locate(&q)
			out = append(out, q)
		}
	}
	return out, nil
}

// gatherEvidence makes the evidence of a run: what earlier runs keep, and what is
// new. What is said about damaged evidence goes to say.
func (w *workspace) gatherEvidence(ctx context.Context, in *buildInput, plan *evidencePlan, before *store.Store, say func(string, ...any)) error {
	if plan == nil {
		plan = &evidencePlan{}
	}
	var kept []store.Source
	if before != nil {
		kept = before.Manifest.Sources
	}
	configured, err := w.configured(in)
	if err != nil {
		return err
	}
	requests := slices.Clone(plan.requests)
	replaced := map[string]bool{}
	for k := range plan.replaced {
		replaced[k] = true
	}
	// A configured file that was read before is evidence of the state it was read
	// for; it is read again when it changes.
	for _, kind := range []string{evidence.KindSCIP, evidence.KindSARIF} {
		var fresh []read.Request
		same, n := true, 0
		for _, q := range configured {
			if q.Kind != kind {
				continue
			}
			n++
			digest, err := read.DigestOf(q.Path)
			if err != nil {
				return fmt.Errorf("import %s: %w", q.Path, err)
			}
			same = same && slices.ContainsFunc(kept, func(s store.Source) bool { return s.Kind == kind && s.Digest == digest })
			fresh = append(fresh, q)
		}
		if n > 0 && (!same || replaced[kind]) {
			replaced[kind] = true
			requests = append(requests, fresh...)
		}
	}
	dropped := slices.ContainsFunc(kept, func(s store.Source) bool { return replaced[s.Kind] })
	if len(requests) == 0 && !dropped {
		if before == nil || before.Manifest.Evidence == "" {
			return nil
		}
		data, err := before.Evidence()
		if err != nil || store.Digest(data) != before.Manifest.Evidence {
			say("the evidence of earlier runs is damaged and was dropped; give it again with --scip or --sarif")
			return nil
		}
		in.evidenceDigest, in.sources = before.Manifest.Evidence, kept
		in.evidence = func() ([]byte, error) { return data, nil }
		return nil
	}
	set := &evidence.Set{}
	if before != nil {
		if data, err := before.Evidence(); err == nil && data != nil {
			old, err := evidence.Decode(data)
			if err == nil {
				set = old.Keep(func(kind string) bool { return !replaced[kind] })
			}
		}
	}
	if len(requests) > 0 {
		added, err := read.Import(ctx, requests)
		if err != nil {
			return evidenceError(err)
		}
		set.Add(added)
	}
	if len(set.Sources) == 0 {
		return nil
	}
	data, err := set.Encode()
	if err != nil {
		return err
	}
	in.evidenceDigest = store.Digest(data)
	in.evidence = func() ([]byte, error) { return data, nil }
	for _, s := range set.Sources {
		in.sources = append(in.sources, store.Source{Kind: s.Kind, Name: s.Name, Digest: s.Digest, Revision: s.Revision})
	}
	return nil
}

// evidenceError says what to do about a file that cannot be used.
func evidenceError(err error) error {
	switch {
	case errors.Is(err, scip.ErrFormat):
		return withHint(err, "give an index that a SCIP indexer wrote whole (scip-go, scip-typescript, scip-python, …); the store is as it was")
	case errors.Is(err, sarif.ErrFormat):
		return withHint(err, "give a SARIF 2.1.0 report; the store is as it was")
	case errors.Is(err, scip.ErrLimit), errors.Is(err, sarif.ErrLimit):
		return withHint(err, "make it of a part of the repository; the store is as it was")
	}
	return err
}

// loadEvidence decodes the evidence of a run; nil where there is none.
func (in *buildInput) loadEvidence() (*evidence.Set, []byte, error) {
	if in.evidence == nil || in.evidenceDigest == "" {
		return nil, nil, nil
	}
	data, err := in.evidence()
	if err != nil {
		return nil, nil, err
	}
	if store.Digest(data) != in.evidenceDigest {
		return nil, nil, fmt.Errorf("read the evidence of earlier runs: %w", store.ErrCorrupt)
	}
	set, err := evidence.Decode(data)
	return set, data, err
}
