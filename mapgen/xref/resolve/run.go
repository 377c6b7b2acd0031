package resolve

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// Input is what a run resolves.
type Input struct {
	Program *edges.Program
	// Keys identify the facts of each document, details included.
	Keys func(doc int) Digest
	// Details reads the facts of a document with references, scopes and bindings.
	// Several goroutines call it at once.
	Details func(doc int) (*facts.File, error)
	// Workers is the number of goroutines, at least 1. Each has tables of its
	// own.
	Workers int
	// Before is what an earlier run left, or nil. Its sites are read with
	// SitesBefore, by the number that a document had then.
	Before      *State
	SitesBefore func(doc int) []edges.Site
}

// Output is what references lead to.
type Output struct {
	// Sites are parallel to the files of the program.
	Sites [][]edges.Site
	State *State
	// Resolved counts the documents that were resolved, not taken over.
	Resolved int
}

// Run resolves the references of all files. What an earlier run found is taken
// over where nothing that it depends on has changed, so that the output is that
// of a run without Before.
func Run(ctx context.Context, in Input) (*Output, error) {
	r := &run{Input: in, out: &Output{Sites: make([][]edges.Site, len(in.Program.Files))}}
	r.describe()
	if err := r.resolve(ctx, r.takeOver()); err != nil {
		return nil, err
	}
	return r.out, nil
}

type run struct {
	Input
	out *Output
	// resolvers lists the names of those that are needed, sorted.
	resolvers []string
}

// describe makes the state of every document, without what it depends on.
func (r *run) describe() {
	p := r.Program
	r.out.State = &State{Docs: make([]DocState, len(p.Files))}
	before := r.Before.byPath()
	outlines := map[Digest]Digest{}
	seen := map[string]bool{}
	for i := range p.Files {
		e := &p.Files[i]
		d := &r.out.State.Docs[i]
		d.Path, d.Key = e.Path, r.Keys(i)
		if n := nameOf(e.File); n != "" && !seen[n] {
			seen[n] = true
			r.resolvers = append(r.resolvers, n)
		}
		var outline Digest
		known := false
		if d.Key != (Digest{}) {
			outline, known = outlines[d.Key]
		}
		if b, ok := before[e.Path]; !known && ok && r.Before.Docs[b].Key == d.Key {
			outline, known = r.Before.Docs[b].Outline, true
		}
		if !known && e.File != nil {
			outline = outlineDigest(e.File)
		}
		outlines[d.Key] = outline
		d.Outline = outline
		d.Version = version(outline, e, p.Targets[i], p.Files)
	}
	slices.Sort(r.resolvers)
}

// takeOver copies what is still true of the earlier run, and lists the documents
// that must be resolved.
func (r *run) takeOver() []int {
	docs := r.out.State.Docs
	before := r.Before.byPath()
	// Without a new, vanished or changed outline only the documents with new
	// details can differ, and no group can.
	same := r.Before != nil && len(r.Before.Docs) == len(docs)
	now := make(map[int32]int32, len(before)) // number before -> number now
	kept := make(map[int32]bool, len(before)) // by number before: same version
	for i := range docs {
		b, ok := before[docs[i].Path]
		if !ok {
			same = false
			continue
		}
		now[b] = int32(i)
		if r.Before.Docs[b].Version == docs[i].Version {
			kept[b] = true
		} else {
			same = false
		}
	}
	groups := r.groupsChanged(same, now, kept)
	var todo []int
	for i := range docs {
		if nameOf(r.Program.Files[i].File) == "" {
			continue
		}
		b, ok := before[docs[i].Path]
		if !ok || r.Before.Docs[b].Key != docs[i].Key || !kept[b] || !r.Before.Docs[b].Resolved ||
			slices.ContainsFunc(r.Before.Docs[b].Uses, func(d int32) bool { return !kept[d] }) ||
			slices.ContainsFunc(r.Before.Docs[b].Groups, func(g int32) bool { return groups[g] }) {
			todo = append(todo, i)
			continue
		}
		old := &r.Before.Docs[b]
		docs[i].Resolved = true
		for _, u := range old.Uses {
			docs[i].Uses = append(docs[i].Uses, now[u])
		}
		slices.Sort(docs[i].Uses)
		for _, g := range old.Groups {
			docs[i].groups = append(docs[i].groups, r.Before.Groups[g])
		}
		sites := r.SitesBefore(int(b))
		for k := range sites {
			sites[k].Doc = now[sites[k].Doc]
		}
		edges.SortSites(sites)
		r.out.Sites[i] = sites
	}
	return todo
}

// groupsChanged tells for each group of the earlier run whether its members are
// others now, or one of them has another outline.
func (r *run) groupsChanged(same bool, now map[int32]int32, kept map[int32]bool) []bool {
	if r.Before == nil {
		return nil
	}
	changed := make([]bool, len(r.Before.Groups))
	if same {
		return changed
	}
	resolvers := map[string]edges.Resolver{}
	for i, g := range r.Before.Groups {
		name, key, _ := strings.Cut(g.Key, "\x00")
		v, ok := resolvers[name]
		if !ok {
			v = For(r.Program, name)
			resolvers[name] = v
		}
		grouper, ok := v.(edges.Grouper)
		if !ok {
			changed[i] = true
			continue
		}
		changed[i] = g.Members != r.members(grouper, key)
	}
	return changed
}

// members digests the members of a group.
func (r *run) members(g edges.Grouper, key string) Digest {
	w := digestWriter{h: sha256.New()}
	for _, d := range g.Group(key) {
		w.strs(r.out.State.Docs[d].Path)
		w.h.Write(r.out.State.Docs[d].Version[:])
	}
	return w.sum()
}

// resolve resolves documents and completes the state.
func (r *run) resolve(ctx context.Context, todo []int) error {
	r.out.Resolved = len(todo)
	// Resolvers one after the other, so that the tables of one are in memory at a
	// time.
	for _, name := range r.resolvers {
		var docs []int
		for _, d := range todo {
			if nameOf(r.Program.Files[d].File) == name {
				docs = append(docs, d)
			}
		}
		if len(docs) == 0 {
			continue
		}
		if err := r.resolveBy(ctx, name, docs); err != nil {
			return err
		}
	}
	r.out.State.intern()
	return nil
}

// minDocs is the number of documents that pays for the tables of a worker.
const minDocs = 32

func (r *run) resolveBy(ctx context.Context, name string, docs []int) error {
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range max(1, min(r.Workers, (len(docs)+minDocs-1)/minDocs)) {
		group.Go(func() error {
			v := For(r.Program, name)
			grouper, _ := v.(edges.Grouper)
			digests := map[string]Digest{}
			var found []edges.Edge
			for {
				k := int(next.Add(1)) - 1
				if k >= len(docs) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				doc := docs[k]
				f, err := r.Details(doc)
				if err != nil {
					return fmt.Errorf("resolve references of %s: %w", r.Program.Files[doc].Path, err)
				}
				uses := &edges.Uses{}
				found = v.Resolve(doc, f, uses, found[:0])
				r.out.Sites[doc] = edges.Sites(f, found, nil)
				s := &r.out.State.Docs[doc]
				s.Resolved = true
				for _, d := range uses.Docs() {
					if d != doc {
						s.Uses = append(s.Uses, int32(d))
					}
				}
				for _, key := range uses.Keys() {
					d, ok := digests[key]
					if !ok {
						d = r.members(grouper, key)
						digests[key] = d
					}
					s.groups = append(s.groups, Group{Key: name + "\x00" + key, Members: d})
				}
			}
		})
	}
	return group.Wait()
}

// compareGroups orders groups for the state.
func compareGroups(a, b Group) int { return cmp.Compare(a.Key, b.Key) }
