package indexer

import (
	"fmt"
	"sync"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/revision"
)

// Details reads again what a Result leaves out of the facts of its files: their
// references, scopes and bindings. Safe for concurrent use.
type Details struct {
	s       *revision.Snapshot
	r       *Result
	opt     Options
	mu      sync.Mutex
	planner *planner
	free    []*worker
	all     []*worker
}

// NewDetails prepares to read the details of a Result of Run with the same
// snapshot and options. Close releases it.
func NewDetails(s *revision.Snapshot, r *Result, opt Options) *Details {
	return &Details{s: s, r: r, opt: opt, planner: newPlanner(opt, s.Attributes())}
}

// Read gives the facts of a file without its words. They come from the cache,
// else from the blob; of a blob that cannot be read any more there is only the
// outline.
func (d *Details) Read(doc int) (*facts.File, error) {
	e := &d.r.Files[doc]
	data, found, err := d.opt.Cache.Get(d.r.Keys[doc])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Path, err)
	}
	if found {
		// A damaged record is read anew.
		if f, err := facts.DecodeReferences(data); err == nil {
			return f, nil
		}
	}
	entry, ok := d.s.Find(e.Path)
	if !ok {
		return e.File, nil
	}
	w, plan, err := d.take(e.Path)
	if err != nil {
		return nil, err
	}
	defer d.give(w)
	blob, err := w.reader.Read(entry)
	if err != nil {
		if reason, _ := reasonOf(err, entry); reason != "" {
			return e.File, nil
		}
		return nil, fmt.Errorf("%s: %w", e.Path, err)
	}
	return w.extractor.Extract(blob, plan), nil
}

// take lends a worker that nobody else uses.
func (d *Details) take(path string) (*worker, extract.Plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	plan, _ := d.planner.plan(path)
	if n := len(d.free); n > 0 {
		w := d.free[n-1]
		d.free = d.free[:n-1]
		return w, plan, nil
	}
	reader, err := d.s.Reader(revision.WithMaxSize(d.opt.Limits.Read))
	if err != nil {
		return nil, plan, fmt.Errorf("open objects: %w", err)
	}
	w := &worker{opt: d.opt, extractor: extract.New(d.opt.Table, d.opt.Limits), reader: reader}
	d.all = append(d.all, w)
	return w, plan, nil
}

func (d *Details) give(w *worker) {
	d.mu.Lock()
	d.free = append(d.free, w)
	d.mu.Unlock()
}

// Close releases what reading took.
func (d *Details) Close() error {
	var first error
	for _, w := range d.all {
		if err := w.reader.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
