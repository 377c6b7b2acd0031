package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

// pageTree is where artifacts are compared and written.
type pageTree struct {
	root *safefs.Root
	dir  string
	// mirror is set when the tree holds nothing but artifacts, so that missing
	// directories are made and all of it is searched for orphans.
	mirror bool
	// places remembers what stands where the directory of a page should be.
	places map[string]place
}

// place is what stands where a directory of the revision should be.
type place int

const (
	present place = iota
	absent        // a commit can hold directories that the work tree has lost
	linked        // a symbolic link, which is never followed
)

func openPageTree(dir string, mirror bool) (*pageTree, error) {
	root, err := safefs.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &pageTree{root: root, dir: dir, mirror: mirror, places: map[string]place{"": present}}, nil
}

func (t *pageTree) close() { _ = t.root.Close() }

// read returns nil for a page that is not there.
func (t *pageTree) read(p string) ([]byte, error) {
	data, err := t.root.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// place looks at a directory, and at those above it first.
func (t *pageTree) place(dir string) place {
	if p, ok := t.places[dir]; ok {
		return p
	}
	p := t.place(facts.DirOf(dir))
	if p == present {
		info, err := os.Lstat(filepath.Join(t.dir, filepath.FromSlash(dir)))
		switch {
		case err == nil && info.Mode()&fs.ModeSymlink != 0:
			p = linked
		case err != nil || !info.IsDir():
			p = absent
		}
	}
	t.places[dir] = p
	return p
}

// placed tells whether a page has a directory to stand in, or can get one.
func (t *pageTree) placed(page string) bool {
	p := t.place(facts.DirOf(page))
	return p == present || p == absent && t.mirror
}

// homeless lists the directories of pages that cannot be written.
func (t *pageTree) homeless(pages []mapgen.Page) (dirs []string) {
	for _, p := range pages {
		if d := facts.DirOf(p.Path); !t.placed(p.Path) && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// guard refuses to replace what project-map did not write, or a newer version
// did, before anything is written. With force only links and the like are
// refused.
func (t *pageTree) guard(pages []mapgen.Page, force bool) error {
	var foreign, newer []string
	for _, p := range pages {
		if t.place(facts.DirOf(p.Path)) != present {
			continue
		}
		have, err := t.read(p.Path)
		if err != nil {
			return err
		}
		if len(have) == 0 || slices.Equal(have, p.Data) {
			continue
		}
		switch artifact.Inspect(have) {
		case artifact.Foreign:
			foreign = append(foreign, p.Path)
		case artifact.Newer:
			newer = append(newer, p.Path)
		}
	}
	switch {
	case force:
		return nil
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

// write brings pages to the disk and lists those that changed. Pages without a
// place are left out.
func (t *pageTree) write(ctx context.Context, pages []mapgen.Page) (changed []string, err error) {
	for _, p := range pages {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		if !t.placed(p.Path) {
			continue
		}
		if dir := facts.DirOf(p.Path); t.place(dir) == absent {
			if err := t.root.MkdirAll(dir); err != nil {
				return changed, err
			}
			clear(t.places)
			t.places[""] = present
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

// pageState notes a page for the manifest. Paths that JSON cannot hold, which are
// those that are no UTF-8, are quoted.
func pageState(p mapgen.Page) store.PageState {
	name := p.Path
	if !utf8.ValidString(name) || strings.HasPrefix(name, `"`) {
		name = strconv.QuoteToASCII(name)
	}
	return store.PageState{Path: name, Digest: store.Digest(p.Data)}
}

// pagePath undoes pageState.
func pagePath(a store.PageState) string {
	if strings.HasPrefix(a.Path, `"`) {
		if p, err := strconv.Unquote(a.Path); err == nil {
			return p
		}
	}
	return a.Path
}

// asLeft tells whether the artifacts are what a manifest says the last run
// wrote.
func (t *pageTree) asLeft(m *store.Manifest) bool {
	for _, a := range m.Artifacts {
		p := pagePath(a)
		if !t.placed(p) {
			continue
		}
		data, err := t.read(p)
		if err != nil || data == nil || store.Digest(data) != a.Digest {
			return false
		}
	}
	return true
}

// orphans finds artifacts whose directory should have none: those of directories
// that vanished, were excluded or hold no source any more. want tells which
// artifacts belong; dirs are the directories of the revision. Below them
// artifacts can only lie in directories that have artifacts themselves, so the
// search stays small. Other repositories and the output of other runs are left
// alone, and so is whatever says that it describes another directory.
func (t *pageTree) orphans(want map[string]bool, dirs []string) ([]string, error) {
	s := orphanSearch{tree: t, want: want, known: make(map[string]bool, len(dirs))}
	for _, d := range dirs {
		s.known[d] = true
	}
	if err := s.visit(""); err != nil {
		return nil, err
	}
	slices.Sort(s.found)
	return s.found, nil
}

type orphanSearch struct {
	tree  *pageTree
	want  map[string]bool
	known map[string]bool
	found []string
}

func (s *orphanSearch) visit(dir string) error {
	entries, err := os.ReadDir(filepath.Join(s.tree.dir, filepath.FromSlash(dir)))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for old artifacts: %w", err)
	}
	if dir != "" && slices.ContainsFunc(entries, ownedByOthers) {
		return nil
	}
	pair := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isArtifactName(e.Name()) })
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		switch {
		case isArtifactName(e.Name()):
			err = s.look(p, e)
		case !e.IsDir() || e.Name() == ".git" || e.Name() == store.DirName:
		case s.known[p] || s.tree.mirror || pair && s.tree.hasPair(p):
			err = s.visit(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *orphanSearch) look(p string, e fs.DirEntry) error {
	if s.want[p] || !e.Type().IsRegular() {
		return nil
	}
	data, err := s.tree.read(p)
	if err != nil {
		return err
	}
	if artifact.Inspect(data) != artifact.Foreign && belongs(p, data) {
		s.found = append(s.found, p)
	}
	return nil
}

// ownedByOthers recognises what makes a directory another repository's, or the
// output of another run.
func ownedByOthers(e fs.DirEntry) bool { return e.Name() == ".git" || e.Name() == store.DirName }

func isArtifactName(name string) bool { return name == artifact.IndexName || name == artifact.MapName }

// belongs tells whether an artifact describes the directory it lies in. A page
// that cannot be read counts as one that does.
func belongs(p string, data []byte) bool {
	dir := ""
	if path.Base(p) == artifact.IndexName {
		x, err := artifact.ParseIndex(data)
		if err != nil {
			return true
		}
		dir = x.Dir
	} else {
		m, err := artifact.ParseMap(data)
		if err != nil {
			return true
		}
		dir = m.Dir
	}
	return dir == facts.DirOf(p)
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

// sweep removes the temporary files that a killed run left beside pages. The
// caller holds the lock, so none of them can be another run's work.
func (t *pageTree) sweep(pages []string) {
	later := time.Now().Add(2 * safefs.TempAge)
	swept := ""
	for i, p := range pages {
		d := facts.DirOf(p)
		if i > 0 && d == swept || t.place(d) != present {
			continue
		}
		swept = d
		_, _ = t.root.SweepTemp(path.Clean("./"+d), later)
	}
}

// directories lists the directories of paths and all above them.
func directories(paths []string) []string {
	seen := map[string]bool{"": true}
	for _, p := range paths {
		for d := facts.DirOf(p); !seen[d]; d = facts.DirOf(d) {
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
