package revision

import (
	"bytes"
	"container/heap"
	"context"
	"errors"
	"fmt"
)

// LogEntry is one commit of a history.
type LogEntry struct {
	ID      ID
	Parents []ID
	Time    int64 // of the committer, seconds since 1970
	Message string
	// Changed holds the paths that differ from the first parent (from nothing,
	// in a root commit), sorted, as Diff has them; nil in a merge.
	Changed []string
	// Boundary is set where a shallow clone ends: the parents are not there,
	// and Parents and Changed are nil.
	Boundary bool
}

// LogOptions says which commits Log visits.
type LogOptions struct {
	Rev string // where to start; "" is HEAD
	Max int    // most commits to visit; 0 for all
	// Known stops the walk at commits that an earlier one has visited: neither
	// they nor, through them, their ancestors are visited.
	Known func(ID) bool
	// Lookup gives the entry of a commit that an earlier walk visited, so that
	// neither it nor its trees are read again. Optional.
	Lookup func(ID) (LogEntry, bool)
}

// Log visits a commit and its ancestors by the committer's time, newest first,
// as `git log` does; a commit is visited after one of its children at least. The
// walk ends where a shallow clone does. An error of visit ends it, too, and is
// returned.
func (r *Repository) Log(ctx context.Context, o LogOptions, visit func(LogEntry) error) error {
	or := r.objects.reader()
	defer or.Close()
	rev := o.Rev
	if rev == "" {
		rev = "HEAD"
	}
	start, err := r.resolve(or, rev)
	if err != nil {
		return err
	}
	shallow, err := r.shallow()
	if err != nil {
		return err
	}
	w := &logWalk{or: or, lookup: o.Lookup, seen: map[ID]bool{}}
	if err := w.push(start.id); err != nil {
		return fmt.Errorf("history of %q: %w", rev, err)
	}
	for visited := 0; w.queue.Len() > 0 && (o.Max <= 0 || visited < o.Max); {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := heap.Pop(&w.queue).(*logCommit)
		if o.Known != nil && o.Known(c.entry.ID) {
			continue
		}
		visited++
		if shallow[c.entry.ID] {
			c.entry.Parents, c.entry.Changed, c.entry.Boundary = nil, nil, true
		}
		for _, id := range c.entry.Parents {
			if err := w.push(id); err != nil {
				return fmt.Errorf("history of %q: %w", rev, err)
			}
		}
		// Where a shallow clone ends, every file would seem new.
		if !c.cached && !c.entry.Boundary && len(c.entry.Parents) < 2 {
			if c.entry.Changed, err = w.changed(ctx, c); err != nil {
				return fmt.Errorf("history of %q: commit %s: %w", rev, c.entry.ID, err)
			}
		}
		if err := visit(c.entry); err != nil {
			return err
		}
	}
	return nil
}

// logCommit is a commit of the walk. Its tree is unknown when the entry was
// looked up.
type logCommit struct {
	entry  LogEntry
	tree   ID
	cached bool
}

type logWalk struct {
	or     *objectReader
	lookup func(ID) (LogEntry, bool)
	seen   map[ID]bool
	queue  commitQueue
}

func (w *logWalk) push(id ID) error {
	if w.seen[id] {
		return nil
	}
	w.seen[id] = true
	if w.lookup != nil {
		if e, ok := w.lookup(id); ok {
			heap.Push(&w.queue, &logCommit{entry: e, cached: true})
			return nil
		}
	}
	c, err := readCommit(w.or, id)
	if err != nil {
		return err
	}
	heap.Push(&w.queue, &logCommit{
		entry: LogEntry{ID: c.id, Parents: c.parents, Time: c.time, Message: c.message}, tree: c.tree,
	})
	return nil
}

// changed lists the paths that differ from the first parent.
func (w *logWalk) changed(ctx context.Context, c *logCommit) ([]string, error) {
	var parentTree ID
	if len(c.entry.Parents) > 0 {
		p, err := readCommit(w.or, c.entry.Parents[0])
		if err != nil {
			return nil, err
		}
		parentTree = p.tree
	}
	paths, err := diffTrees(ctx, w.or, parentTree, c.tree)
	if errors.Is(err, ErrMissing) {
		err = fmt.Errorf("%w (a clone without trees? `git fetch --refetch --no-filter` completes it)", err)
	}
	return paths, err
}

// commitQueue is a heap of commits, the newest first; ids break ties, so that
// the order depends on nothing else.
type commitQueue []*logCommit

func (q commitQueue) Len() int { return len(q) }
func (q commitQueue) Less(i, j int) bool {
	if q[i].entry.Time != q[j].entry.Time {
		return q[i].entry.Time > q[j].entry.Time
	}
	return bytes.Compare(q[i].entry.ID[:], q[j].entry.ID[:]) < 0
}
func (q commitQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *commitQueue) Push(x any)   { *q = append(*q, x.(*logCommit)) }
func (q *commitQueue) Pop() any {
	old := *q
	c := old[len(old)-1]
	*q = old[:len(old)-1]
	return c
}

// Tip is the commit that the snapshot stands on: itself, or HEAD for a staged
// index or a work tree. ErrUnbornHead where there is none.
func (s *Snapshot) Tip() (ID, error) {
	if s.Commit != "" {
		return s.repo.Resolve(s.Commit)
	}
	return s.repo.Resolve("HEAD")
}

// Log visits the commits that the snapshot stands on; see Repository.Log, whose
// Rev it sets.
func (s *Snapshot) Log(ctx context.Context, o LogOptions, visit func(LogEntry) error) error {
	tip, err := s.Tip()
	if err != nil {
		return err
	}
	o.Rev = tip.String()
	return s.repo.Log(ctx, o, visit)
}
