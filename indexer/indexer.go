// Package indexer turns a snapshot of a repository into a sorted list of files
// with their facts.
//
// It plans how deep each entry is read, fetches what the fact cache lacks,
// extracts in parallel and hands the words of every file on as it goes, so that
// only outlines stay in memory. Order of work never shows: results stand in the
// order of their paths.
package indexer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/indexer/roles"
)

// Options say how a snapshot is read.
type Options struct {
	Table  *lang.Table
	Limits extract.Limits
	// Workers is the number of goroutines that extract; at least 1.
	Workers int
	// Cache holds facts by recipe and blob; factstore.Disabled() for none.
	Cache *factstore.Store
	// Exclude leaves out a path altogether. Optional.
	Exclude func(path string) bool
	// Terms receives the words of every document; calls of different workers
	// (numbered from 0) come at the same time. The text is valid during the
	// call only. Optional.
	Terms func(worker, doc int, text string, counts [facts.NumFields]uint16)
	// Progress is told how many distinct blobs are done, from any goroutine.
	// Optional.
	Progress func(done, total int)
}

// Result is a snapshot with its facts.
type Result struct {
	// Files are sorted by path. Their facts hold no terms, references, scopes
	// or bindings; those are in the cache under Keys, which is parallel. The key
	// of a file that is only listed may have no record.
	Files []facts.Entry
	Keys  []factstore.Key
	// Extracted counts the distinct blobs whose facts were made, not found in
	// the cache.
	Extracted int
	// Bytes is the size of all blobs that were read, cached ones included.
	Bytes int64
}

// Selected lists the entries of a snapshot that are neither own output nor
// excluded.
func Selected(s *revision.Snapshot, exclude func(string) bool) []revision.Entry {
	out := make([]revision.Entry, 0, len(s.Entries))
	for _, e := range s.Entries {
		if exclude == nil || !exclude(e.Path) {
			out = append(out, e)
		}
	}
	return out
}

// job is a distinct pair of blob and recipe with the documents that have it.
type job struct {
	entry revision.Entry
	key   factstore.Key
	plan  extract.Plan
	docs  []int
}

// Run reads a snapshot. It stops at the first error of the cache or of ctx;
// files that cannot be read are listed with their reason and never end the
// run.
func Run(ctx context.Context, s *revision.Snapshot, opt Options) (*Result, error) {
	entries := Selected(s, opt.Exclude)
	r := &Result{Files: make([]facts.Entry, len(entries)), Keys: make([]factstore.Key, len(entries))}
	planner := newPlanner(opt, s.Attributes())
	jobs := make([]*job, 0, len(entries))
	byKey := make(map[factstore.Key]*job, len(entries))
	hints := make([]roles.Hints, len(entries))
	for i, e := range entries {
		r.Files[i] = facts.Entry{Path: e.Path, Mode: facts.Mode(e.Mode), Blob: facts.BlobID(e.Blob)}
		switch {
		case e.Mode == revision.Symlink:
			r.Files[i].File = extract.Listed(facts.ReasonSymlink, 0)
			continue
		case e.Mode == revision.Submodule:
			r.Files[i].File = extract.Listed(facts.ReasonSubmodule, 0)
			continue
		case e.Blob.IsZero():
			r.Files[i].File = extract.Listed(facts.ReasonUnreadable, max(e.Size, 0))
			continue
		}
		plan, h := planner.plan(e.Path)
		hints[i] = h
		key := planner.key(plan, e.Blob)
		r.Keys[i] = key
		j := byKey[key]
		if j == nil {
			j = &job{entry: e, key: key, plan: plan}
			byKey[key] = j
			jobs = append(jobs, j)
		}
		j.docs = append(j.docs, i)
	}

	var next, done, extracted, read atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range max(opt.Workers, 1) {
		g.Go(func() error {
			reader, err := s.Reader(revision.WithMaxSize(opt.Limits.Read))
			if err != nil {
				return fmt.Errorf("open objects: %w", err)
			}
			defer reader.Close()
			worker := &worker{opt: opt, number: w, extractor: extract.New(opt.Table, opt.Limits), reader: reader}
			for {
				i := next.Add(1) - 1
				if i >= int64(len(jobs)) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				j := jobs[i]
				f, fresh, err := worker.facts(j)
				if err != nil {
					return fmt.Errorf("%s: %w", j.entry.Path, err)
				}
				if fresh {
					extracted.Add(1)
				}
				read.Add(int64(f.Size) * int64(len(j.docs)))
				for _, d := range j.docs {
					e := &r.Files[d]
					e.File = f
					e.Role = roles.Of(e.Path, planner.languageOf(f), f, hints[d])
				}
				if n := done.Add(1); opt.Progress != nil {
					opt.Progress(int(n), len(jobs))
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	r.Extracted, r.Bytes = int(extracted.Load()), read.Load()
	for i := range r.Files {
		if e := &r.Files[i]; e.Role == 0 && e.File.Depth == facts.Listed {
			e.Role = roles.Of(e.Path, nil, nil, hints[i])
		}
	}
	return r, nil
}

type worker struct {
	opt       Options
	number    int
	extractor *extract.Extractor
	reader    revision.Reader
	buffer    []byte
}

// facts gives the outline of a job, from the cache or from the blob, and hands
// on its words.
func (w *worker) facts(j *job) (f *facts.File, fresh bool, err error) {
	data, found, err := w.opt.Cache.Get(j.key)
	if err != nil {
		return nil, false, err
	}
	if found {
		if f, err := facts.DecodeOutline(data); err == nil {
			if err := w.terms(j, data); err == nil {
				return f, false, nil
			}
		}
		// A record of another codec or a damaged one is made anew.
	}
	blob, err := w.reader.Read(j.entry)
	if err != nil {
		if reason, size := reasonOf(err, j.entry); reason != "" {
			f := extract.Listed(reason, size)
			if j.plan.Language != nil {
				j.plan.Language.Describe(f)
			}
			return f, false, nil
		}
		return nil, false, err
	}
	f = w.extractor.Extract(blob, j.plan)
	w.buffer = facts.Append(w.buffer[:0], f)
	if err := w.opt.Cache.Put(j.key, w.buffer); err != nil {
		return nil, false, err
	}
	if err := w.terms(j, w.buffer); err != nil {
		return nil, false, err
	}
	f.Terms, f.Refs, f.Scopes, f.Bindings = nil, nil, nil, nil
	return f, true, nil
}

func (w *worker) terms(j *job, data []byte) error {
	if w.opt.Terms == nil {
		return nil
	}
	return facts.DecodeTerms(data, func(text string, counts [facts.NumFields]uint16) {
		for _, d := range j.docs {
			w.opt.Terms(w.number, d, text, counts)
		}
	})
}

// reasonOf maps an error of reading to the reason that is noted of the file;
// "" for errors that end the run.
func reasonOf(err error, e revision.Entry) (facts.Reason, int64) {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "", 0
	case errors.Is(err, revision.ErrMissing):
		return facts.ReasonMissing, max(e.Size, 0)
	case errors.Is(err, revision.ErrTooLarge):
		return facts.ReasonOversized, max(e.Size, 0)
	}
	return facts.ReasonUnreadable, max(e.Size, 0)
}

// planner decides how each path is read.
type planner struct {
	opt     Options
	attrs   *revision.Attributes
	recipes map[extract.Plan][32]byte
}

func newPlanner(opt Options, attrs *revision.Attributes) *planner {
	return &planner{opt: opt, attrs: attrs, recipes: map[extract.Plan][32]byte{}}
}

func (p *planner) plan(name string) (extract.Plan, roles.Hints) {
	a := p.attrs.Of(name)
	plan := extract.Plan{
		Language:  p.opt.Table.ByPath(name),
		Extension: strings.ToLower(path.Ext(name)),
		Binary:    a.Binary == revision.Set,
	}
	if l := p.opt.Table.ByName(a.Language); l != nil {
		plan.Language = l
	}
	h := roles.Hints{Vendored: state(a.Vendored), Generated: state(a.Generated), Documentation: state(a.Documentation)}
	role := roles.Of(name, plan.Language, nil, h)
	switch {
	case role.Has(facts.RoleVendored):
		plan.Shallow = facts.ReasonVendored
	case role.Has(facts.RoleGenerated):
		plan.Shallow = facts.ReasonGenerated
	}
	return plan, h
}

func state(s revision.AttrState) *bool {
	switch s {
	case revision.Set:
		v := true
		return &v
	case revision.Unset:
		v := false
		return &v
	}
	return nil
}

// key is the digest of recipe and blob.
func (p *planner) key(plan extract.Plan, blob revision.ID) factstore.Key {
	recipe, ok := p.recipes[plan]
	if !ok {
		recipe = extract.Recipe(p.opt.Table, plan, p.opt.Limits)
		p.recipes[plan] = recipe
	}
	var buf [52]byte
	copy(buf[:], recipe[:])
	copy(buf[32:], blob[:])
	return sha256.Sum256(buf[:])
}

// languageOf finds the row that read a file, which the content may have
// chosen. The planner's table is not changed after the planning, so workers may
// ask at the same time.
func (p *planner) languageOf(f *facts.File) *lang.Language { return p.opt.Table.ByName(f.Language) }
