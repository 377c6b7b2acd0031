package revision

import (
	"context"
	"fmt"
	"path"
)

// Add adds patterns of gitignore syntax, relative to the root, that are weaker
// than those of any directory's file and stronger than those added before.
// source is what messages name. It must not be called once the matcher is
// shared.
func (m *IgnoreMatcher) Add(source string, patterns []byte) { m.addGlobal(source, patterns) }

// isArtifact reports whether a path is one of the two artifacts of a directory.
// Pages inside a store are not.
func isArtifact(p string) bool { return isArtifactName(path.Base(p)) && !inStore(p) }

// StagedArtifacts lists the artifacts in the index, which snapshots leave out,
// sorted by path. A Reader of a staged snapshot reads them. Artifacts with
// conflicts give ErrUnmerged, an artifact that is no regular file an error that
// names it.
func (r *Repository) StagedArtifacts(o Options) ([]Entry, error) {
	idx, err := readIndex(r.indexFile(o))
	if err != nil {
		return nil, err
	}
	or := r.objects.reader()
	defer or.Close()
	if err := idx.expandSparse(&treeLister{ctx: context.Background(), or: or, artifacts: true}); err != nil {
		return nil, err
	}
	var out []Entry
	var unmerged []string
	for _, e := range idx.entries {
		if !isArtifact(e.path) || e.intentToAdd || checkPath(e.path) != "" {
			continue
		}
		if e.stage != 0 {
			if len(unmerged) == 0 || unmerged[len(unmerged)-1] != e.path {
				unmerged = append(unmerged, e.path)
			}
			continue
		}
		mode, ok := modeOf(e.mode)
		if !ok || mode != Regular && mode != Executable {
			return nil, fmt.Errorf("staged artifact %s is not a regular file; remove it from the index", e.path)
		}
		out = append(out, Entry{Path: e.path, Mode: mode, Blob: e.id, Size: -1})
	}
	if len(unmerged) > 0 {
		return nil, fmt.Errorf("%w: %s; regenerate them with `project-map validate --worktree --fix` and `git add` them", ErrUnmerged, listSome(unmerged))
	}
	sortEntries(out)
	return out, nil
}
