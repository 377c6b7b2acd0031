package revision

import (
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
}

// LogOptions says which commits Log visits.
type LogOptions struct {
	Rev string // where to start; "" is HEAD
	Max int    // most commits to visit; 0 for all
	// Known stops the walk at commits that an earlier one has visited: neither
	// they nor, through them, their ancestors are visited.
	Known func(ID) bool
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
	seen := map[ID]bool{start.id: true}
	queue := commitQueue{start}
	for visited := 0; queue.Len() > 0 && (o.Max <= 0 || visited < o.Max); visited++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := heap.Pop(&queue).(*commit)
		if o.Known != nil && o.Known(c.id) {
			visited--
			continue
		}
		if shallow[c.id] {
			c.parents = nil
		}
		var parentTree ID
		for i, id := range c.parents {
			if i > 0 && seen[id] {
				continue
			}
			p, err := readCommit(or, id)
			if err != nil {
				return fmt.Errorf("history of %q: %w", rev, err)
			}
			if i == 0 {
				parentTree = p.tree
			}
			if !seen[id] {
				seen[id] = true
				heap.Push(&queue, p)
			}
		}
		e := LogEntry{ID: c.id, Parents: c.parents, Time: c.time, Message: c.message}
		// Where a shallow clone ends, every file would seem new.
		if len(c.parents) < 2 && !shallow[c.id] {
			e.Changed, err = diffTrees(ctx, or, parentTree, c.tree)
			if errors.Is(err, ErrMissing) {
				err = fmt.Errorf("%w (a clone without trees? `git fetch --refetch --no-filter` completes it)", err)
			}
			if err != nil {
				return fmt.Errorf("history of %q: commit %s: %w", rev, c.id, err)
			}
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// commitQueue is a heap of commits, the newest first; ids break ties, so that
// the order depends on nothing else.
type commitQueue []*commit

func (q commitQueue) Len() int { return len(q) }
func (q commitQueue) Less(i, j int) bool {
	if q[i].time != q[j].time {
		return q[i].time > q[j].time
	}
	return q[i].id.String() < q[j].id.String()
}
func (q commitQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *commitQueue) Push(x any)   { *q = append(*q, x.(*commit)) }
func (q *commitQueue) Pop() any {
	old := *q
	c := old[len(old)-1]
	*q = old[:len(old)-1]
	return c
}
