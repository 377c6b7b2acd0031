package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
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
}

// comparePage tells how the bytes of an artifact compare with what they should
// be. written is the digest that the last run left, "" where it is unknown.
func comparePage(have []byte, want []byte, edited func([]byte) bool) pageStatus {
	if slices.Equal(have, want) {
		return statusFresh
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

// pageTree is where artifacts are compared and written.
type pageTree struct {
	root *safefs.Root
	dir  string
	// mirror is set when the tree holds nothing but artifacts, so that missing
	// directories are made and all of it is searched for orphans.
	mirror bool
}

func openPageTree(dir string, mirror bool) (*pageTree, error) {
	if mirror {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("create output directory: %w", err)
		}
	}
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &pageTree{root: root, dir: dir, mirror: mirror}, nil
}

func (t *pageTree) close() { _ = t.root.Close() }

// read returns nil for a page that is not there.
func (t *pageTree) read(p string) ([]byte, error) {
	data, err := t.root.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// hasDir tells whether the directory of a page is there; a commit can hold
// directories that the work tree has lost.
func (t *pageTree) hasDir(p string) bool {
	info, err := os.Lstat(filepath.Join(t.dir, filepath.FromSlash(path.Dir(p))))
	return err == nil && info.IsDir()
}

// guard refuses to replace what project-map did not write, or a newer version
// did, before anything is written.
func (t *pageTree) guard(pages []mapgen.Page, force bool) error {
	if force {
		return nil
	}
	var foreign, newer []string
	for _, p := range pages {
		have, err := t.read(p.Path)
		if err != nil {
			return err
		}
		if have == nil || slices.Equal(have, p.Data) {
			continue
		}
		switch artifact.Inspect(have) {
		case artifact.Foreign:
			if len(have) > 0 {
				foreign = append(foreign, p.Path)
			}
		case artifact.Newer:
			newer = append(newer, p.Path)
		}
	}
	switch {
	case len(newer) > 0:
		return withHint(fmt.Errorf("%s was written by a newer version of project-map%s", newer[0], andMore(newer)),
			"update this program (it is %s), or overwrite with --force", version)
	case len(foreign) > 0:
		return withHint(fmt.Errorf("%s is not an artifact of project-map%s", foreign[0], andMore(foreign)),
			"move it away, or overwrite with --force")
	}
	return nil
}

func andMore(list []string) string {
	if len(list) > 1 {
		return fmt.Sprintf(" (and %d more)", len(list)-1)
	}
	return ""
}

// write brings pages to the disk and counts those that changed. Pages of
// directories that are not there are skipped.
func (t *pageTree) write(pages []mapgen.Page) (changed []string, err error) {
	for _, p := range pages {
		if !t.hasDir(p.Path) {
			if !t.mirror {
				continue
			}
			if err := t.root.MkdirAll(path.Dir(p.Path)); err != nil {
				return changed, err
			}
		}
		did, err := t.root.WriteFile(p.Path, p.Data)
		if err != nil {
			return changed, err
		}
		if did {
			changed = append(changed, p.Path)
		}
	}
	return changed, nil
}

// orphans finds artifacts whose directory should have none: those of directories
// that vanished, were excluded or hold no source any more. dirs are the
// directories of the revision; below them artifacts can only lie in directories
// that have artifacts themselves, so the search stays small.
func (t *pageTree) orphans(pages []mapgen.Page, dirs []string) ([]string, error) {
	want := make(map[string]bool, len(pages))
	for _, p := range pages {
		want[p.Path] = true
	}
	known := make(map[string]bool, len(dirs))
	for _, d := range dirs {
		known[d] = true
	}
	var out []string
	var visit func(dir string) error
	visit = func(dir string) error {
		entries, err := os.ReadDir(filepath.Join(t.dir, filepath.FromSlash(dir)))
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
				return nil
			}
			return fmt.Errorf("look for old artifacts: %w", err)
		}
		own := false
		var below []string
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			switch {
			case e.Name() == artifact.IndexName || e.Name() == artifact.MapName:
				own = true
				if want[p] || !e.Type().IsRegular() {
					continue
				}
				have, err := t.read(p)
				if err != nil {
					return err
				}
				if artifact.Inspect(have) != artifact.Foreign {
					out = append(out, p)
				}
			case e.Name() == ".git" && dir != "":
				return nil // another repository: its maps are its own
			case e.IsDir() && e.Name() != ".git" && e.Name() != ".project-map":
				below = append(below, p)
			}
		}
		for _, p := range below {
			if known[p] || own || t.mirror {
				if !known[p] && !t.mirror && !t.hasPair(p) {
					continue
				}
				if err := visit(p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := visit(""); err != nil {
		return nil, err
	}
	slices.Sort(out)
	return out, nil
}

func (t *pageTree) hasPair(dir string) bool {
	for _, name := range []string{artifact.IndexName, artifact.MapName} {
		if info, err := os.Lstat(filepath.Join(t.dir, filepath.FromSlash(dir), name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// remove deletes orphans and the directories that nothing else is left in.
func (t *pageTree) remove(orphans []string) error {
	for _, p := range orphans {
		if err := t.root.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, p := range slices.Backward(orphans) {
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			if removed, err := t.root.RemoveDir(d); err != nil || !removed {
				break
			}
		}
	}
	return nil
}

// sweep removes temporary files that a crashed run left beside pages.
func (t *pageTree) sweep(pages []mapgen.Page) {
	now := time.Now()
	for i, p := range pages {
		if i%2 == 0 && t.hasDir(p.Path) {
			_, _ = t.root.SweepTemp(path.Dir(p.Path), now)
		}
	}
}

// directories lists the directories of paths and all above them.
func directories(paths []string) []string {
	seen := map[string]bool{"": true}
	for _, p := range paths {
		for d := dirOf(p); !seen[d]; d = dirOf(d) {
			seen[d] = true
		}
	}
	out := make([]string, 0, len(seen))
	for d := range seen {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
