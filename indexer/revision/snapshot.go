package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// maxRuleFile bounds an ignore or attributes file.
const maxRuleFile = 16 << 20

// projectIgnoreName is the base name of project-map's own ignore files.
const projectIgnoreName = ".projectmapignore"

// Options says which state of the repository a snapshot shows.
type Options struct {
	Kind Kind
	Rev  string // Kind Commit only: see Repository.Resolve; "" is HEAD
	// IndexFile replaces the repository's index (git's GIT_INDEX_FILE, which
	// is not read here). A relative path is relative to the work tree's root.
	IndexFile string
}

// Snapshot is the list of files of one state of the repository. Its exported
// fields must not be modified; its methods are safe for concurrent use.
type Snapshot struct {
	Kind    Kind
	Commit  string  // hexadecimal id; "" unless Kind is Commit
	Tree    string  // hexadecimal id of the commit's root tree; "" likewise
	Entries []Entry // sorted bytewise by path, paths unique, without own output
	Notes   []Note  // sorted; paths left out or unreadable, and why

	repo       *Repository
	attributes *Attributes
	offDisk    map[string]bool // Worktree: paths outside the sparse checkout
}

// Snapshot lists a state of the repository. Errors that callers branch on:
// those of Resolve, ErrBare, ErrUnmerged, ErrUnsupportedIndex, ErrMissing (a
// tree is not in the clone), ErrCorrupt, and the context's.
func (r *Repository) Snapshot(ctx context.Context, o Options) (*Snapshot, error) {
	s := &Snapshot{Kind: o.Kind, repo: r}
	or := r.objects.reader()
	defer or.Close()
	var err error
	switch o.Kind {
	case Commit:
		err = s.listCommit(ctx, or, o.Rev)
	case Staged:
		// An index that is not there reads as empty, which for a work tree means
		// that nothing is staged yet.
		if _, statErr := os.Stat(r.indexFile(o)); statErr != nil && r.worktree == "" {
			return nil, fmt.Errorf("%w: %s has no index; name a revision with --rev", ErrBare, r.gitDir)
		}
		err = s.listStaged(ctx, or, r.indexFile(o))
	case Worktree:
		if r.worktree == "" {
			return nil, fmt.Errorf("%w: %s has no work tree; name a revision with --rev", ErrBare, r.gitDir)
		}
		if err := s.listWorktree(ctx, or, r.indexFile(o)); err != nil {
			return nil, err
		}
		return s, nil
	default:
		err = fmt.Errorf("unknown snapshot kind %d", o.Kind)
	}
	if err != nil {
		return nil, err
	}
	s.finish()
	s.attributes = r.baseAttributes(false)
	s.eachRuleFile(".gitattributes", func(dir string, e Entry) error {
		data, err := or.readAs(blobObject, e.Blob, maxRuleFile)
		if err == nil {
			s.attributes.addDir(dir, data)
		}
		return err
	})
	sortNotes(s.Notes)
	return s, nil
}

func (r *Repository) indexFile(o Options) string {
	switch {
	case o.IndexFile == "":
		return filepath.Join(r.gitDir, "index")
	case filepath.IsAbs(o.IndexFile) || r.worktree == "":
		return o.IndexFile
	}
	return filepath.Join(r.worktree, o.IndexFile)
}

func (s *Snapshot) listCommit(ctx context.Context, or *objectReader, rev string) error {
	if rev == "" {
		rev = "HEAD"
	}
	c, err := s.repo.resolve(or, rev)
	if err != nil {
		return err
	}
	s.Commit, s.Tree = c.id.String(), c.tree.String()
	l := treeLister{ctx: ctx, or: or}
	if err := l.list("", c.tree); err != nil {
		if errors.Is(err, ErrMissing) {
			err = fmt.Errorf("%w (a partial clone? `git fetch --refetch --no-filter` completes it, `git fsck` finds damage)", err)
		}
		return fmt.Errorf("revision %q: %w", rev, err)
	}
	s.Entries, s.Notes = l.entries, l.notes
	return nil
}

func (s *Snapshot) listStaged(ctx context.Context, or *objectReader, indexFile string) error {
	idx, err := readIndex(indexFile)
	if err != nil {
		return err
	}
	if paths := idx.unmerged(); len(paths) > 0 {
		return fmt.Errorf("%w: %s; resolve the conflicts and `git add` them", ErrUnmerged, listSome(paths))
	}
	l := treeLister{ctx: ctx, or: or}
	if err := idx.expandSparse(&l); err != nil {
		return err
	}
	s.Notes = l.notes
	for _, e := range idx.entries {
		if reason := checkPath(e.path); reason != "" {
			s.Notes = append(s.Notes, Note{e.path, reason})
			continue
		}
		if IsOwnOutput(e.path) {
			continue
		}
		if e.intentToAdd {
			s.Notes = append(s.Notes, Note{e.path, "intent to add: no content is staged"})
			continue
		}
		mode, ok := modeOf(e.mode)
		if !ok {
			s.Notes = append(s.Notes, Note{e.path, fmt.Sprintf("unknown file mode %o", e.mode)})
			continue
		}
		s.Entries = append(s.Entries, Entry{Path: e.path, Mode: mode, Blob: e.id, Size: -1})
	}
	return nil
}

// listSome names a few of many paths.
func listSome(paths []string) string {
	const most = 5
	if len(paths) <= most {
		return strings.Join(paths, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(paths[:most], ", "), len(paths)-most)
}

// finish sorts the entries and drops paths that occur twice, which only a
// forged index holds.
func (s *Snapshot) finish() {
	sortEntries(s.Entries)
	kept := s.Entries[:0]
	for i, e := range s.Entries {
		if i > 0 && kept[len(kept)-1].Path == e.Path {
			s.Notes = append(s.Notes, Note{e.Path, "path occurs twice"})
			continue
		}
		kept = append(kept, e)
	}
	s.Entries = kept
	sortNotes(s.Notes)
}

// Find returns the entry of a path.
func (s *Snapshot) Find(p string) (Entry, bool) {
	i, ok := slices.BinarySearchFunc(s.Entries, p, func(e Entry, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return Entry{}, false
	}
	return s.Entries[i], true
}

// Attributes returns the gitattributes of the snapshot: its .gitattributes
// files and the repository's info/attributes; in a work tree also the user's
// core.attributesFile. Files that cannot be read are in Notes.
func (s *Snapshot) Attributes() *Attributes { return s.attributes }

// ProjectIgnore returns the rules of the snapshot's .projectmapignore files,
// which have gitignore syntax and apply to tracked files too.
func (s *Snapshot) ProjectIgnore() (*IgnoreMatcher, error) {
	m := NewIgnoreMatcher(s.repo.foldCase())
	var rd Reader
	var firstErr error
	for _, e := range s.Entries {
		if path.Base(e.Path) != projectIgnoreName || (e.Mode != Regular && e.Mode != Executable) {
			continue
		}
		if rd == nil {
			var err error
			if rd, err = s.Reader(WithMaxSize(maxRuleFile)); err != nil {
				return nil, err
			}
			defer rd.Close()
		}
		data, err := rd.Read(e)
		if err != nil {
			firstErr = errors.Join(firstErr, fmt.Errorf("read %s: %w", e.Path, err))
			continue
		}
		m.addDir(dirOf(e.Path), e.Path, data)
	}
	if firstErr != nil {
		return nil, firstErr
	}
	return m, nil
}

// dirOf returns the directory of a path, "" or ending in a slash.
func dirOf(p string) string { return p[:strings.LastIndexByte(p, '/')+1] }

// eachRuleFile calls f for every regular file of a base name; its errors become
// notes.
func (s *Snapshot) eachRuleFile(name string, f func(dir string, e Entry) error) {
	for _, e := range s.Entries {
		if path.Base(e.Path) != name || (e.Mode != Regular && e.Mode != Executable) {
			continue
		}
		if err := f(dirOf(e.Path), e); err != nil {
			s.Notes = append(s.Notes, Note{e.Path, "its rules are not applied: " + reason(err)})
		}
	}
}

// reason reduces an error to text without machine-dependent paths.
func reason(err error) string {
	for _, known := range []error{ErrMissing, ErrTooLarge, ErrCorrupt, ErrChanged} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

func (r *Repository) foldCase() bool { return r.config.bool("core", "ignoreCase", false) }

// baseAttributes returns the rules that stand outside the snapshot.
func (r *Repository) baseAttributes(user bool) *Attributes {
	a := newAttributes(r.foldCase())
	if data, err := readLimited(filepath.Join(r.commonDir, "info", "attributes"), maxRuleFile); err == nil {
		a.info = parseAttributes("", data, true, a.fold)
	}
	if user {
		if data, ok := r.userFile("attributesFile", "attributes"); ok {
			a.global = append(a.global, parseAttributes("", data, true, a.fold))
		}
	}
	return a
}

// userFile reads the file that core.<key> names, or the default of that name in
// the user's git directory. Unreadable files count as absent, as in git.
func (r *Repository) userFile(key, name string) ([]byte, bool) {
	file, ok := r.config.get("core", key)
	switch {
	case ok && file != "":
		file = expandHome(file, r.home)
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.worktree, file)
		}
	case !ok && r.xdg != "":
		file = filepath.Join(r.xdg, "git", name)
	default:
		return nil, false
	}
	data, err := readLimited(file, maxRuleFile)
	return data, err == nil
}

// ChangedFromHead returns the paths that differ between HEAD and the snapshot
// in content, mode or presence, sorted. Without a commit, that is every path.
func (s *Snapshot) ChangedFromHead(ctx context.Context) ([]string, error) {
	or := s.repo.objects.reader()
	defer or.Close()
	head := &Snapshot{repo: s.repo}
	if err := head.listCommit(ctx, or, "HEAD"); err != nil && !errors.Is(err, ErrUnbornHead) {
		return nil, fmt.Errorf("compare with HEAD: %w", err)
	}
	head.finish()
	var changed []string
	a, b := head.Entries, s.Entries
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Path < b[0].Path:
			changed = append(changed, a[0].Path)
			a = a[1:]
		case len(a) == 0 || b[0].Path < a[0].Path:
			changed = append(changed, b[0].Path)
			b = b[1:]
		default:
			if a[0].Blob != b[0].Blob || a[0].Mode != b[0].Mode {
				changed = append(changed, a[0].Path)
			}
			a, b = a[1:], b[1:]
		}
	}
	return changed, nil
}
