package revision

import (
	"fmt"
	"path"
)

// Add adds patterns that are weaker than those of any file, from a source that
// messages name. It must not be called once the matcher is shared.
func (m *IgnoreMatcher) Add(source string, patterns []byte) { m.addGlobal(source, patterns) }

// StagedArtifacts lists the artifacts in the index, which snapshots leave out,
// sorted by path. A Reader of a staged snapshot reads them.
func (r *Repository) StagedArtifacts(o Options) ([]Entry, error) {
	idx, err := readIndex(r.indexFile(o))
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, e := range idx.entries {
		mode, ok := modeOf(e.mode)
		if !ok || mode == Submodule || e.intentToAdd || checkPath(e.path) != "" || path.Base(path.Dir(e.path)) == StoreDir {
			continue
		}
		if !IsOwnOutput(e.path) {
			continue
		}
		if mode == Symlink {
			return nil, fmt.Errorf("staged artifact %s is a symbolic link; remove it from the index", e.path)
		}
		out = append(out, Entry{Path: e.path, Mode: mode, Blob: e.id, Size: -1})
	}
	sortEntries(out)
	return out, nil
}
