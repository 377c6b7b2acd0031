package main

import (
	"context"
	"errors"

	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/history"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/store"
)

// maxCommits is how much of the past a store holds. The last 500 commits are
// far too few to learn from; beyond 10,000 nothing is gained.
const maxCommits = 10_000

// readPast reads the commits that a snapshot stands on.
func (in *buildInput) readPast(ctx context.Context, cache *factstore.Store) (*history.History, error) {
	h, err := history.Read(ctx, in.snapshot, maxCommits, cache)
	if errors.Is(err, revision.ErrUnbornHead) {
		return &history.History{}, nil
	}
	return h, err
}

// pastCommits gives the documents that each commit touched by their present
// names.
func pastCommits(h *history.History, paths []string) []store.PastCommit {
	renames := mapgen.NewRenames(paths)
	out := make([]store.PastCommit, len(h.Commits))
	for i, c := range h.Commits {
		out[i] = store.PastCommit{ID: c.ID, Time: c.Time, Message: c.Message, Files: c.NumFiles}
		for _, f := range c.Files {
			if d := renames.Doc(f); d >= 0 {
				out[i].Docs = append(out[i].Docs, d)
			}
		}
	}
	return out
}
