package revision

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// treeEntry is one row of a git tree object.
type treeEntry struct {
	name string
	mode uint32
	id   ID
}

func (e treeEntry) isDir() bool { return e.mode&0o170000 == 0o040000 }

// parseTree decodes a tree object: "<octal mode> <name>\0<20 bytes>" repeated.
func parseTree(data []byte) ([]treeEntry, error) {
	entries := make([]treeEntry, 0, len(data)/36)
	for len(data) > 0 {
		space := bytes.IndexByte(data, ' ')
		nul := bytes.IndexByte(data, 0)
		if space < 1 || nul < space || len(data) < nul+21 {
			return nil, fmt.Errorf("%w: malformed row %d", ErrCorrupt, len(entries))
		}
		mode, err := strconv.ParseUint(string(data[:space]), 8, 32)
		if err != nil {
			return nil, fmt.Errorf("%w: malformed mode in row %d", ErrCorrupt, len(entries))
		}
		entries = append(entries, treeEntry{
			name: string(data[space+1 : nul]),
			mode: uint32(mode),
			id:   ID(data[nul+1 : nul+21]),
		})
		data = data[nul+21:]
	}
	return entries, nil
}

func readTree(or *objectReader, id ID) ([]treeEntry, error) {
	data, err := or.readAs(plumbing.TreeObject, id, maxMetaObject)
	if err != nil {
		return nil, err
	}
	entries, err := parseTree(data)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", id, err)
	}
	return entries, nil
}

// treeLister collects the files below a tree.
type treeLister struct {
	ctx     context.Context
	or      *objectReader
	entries []Entry
	notes   []Note
	trees   int
	limit   int // of entries, notes and trees together; 0 is MaxEntries
	// artifacts lists the artifacts too, which are left out otherwise.
	artifacts bool
}

// list appends everything below the tree, whose path is prefix ("" or ending in
// a slash). Entries with paths that git would not check out become notes.
func (l *treeLister) list(prefix string, id ID) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	limit := l.limit
	if limit == 0 {
		limit = MaxEntries
	}
	if l.trees++; l.trees+len(l.entries)+len(l.notes) > limit {
		return fmt.Errorf("%w: more than %d", ErrTooManyEntries, limit)
	}
	rows, err := readTree(l.or, id)
	if err != nil {
		return fmt.Errorf("list %q: %w", strings.TrimSuffix(prefix, "/"), err)
	}
	seen := make(map[string]struct{}, len(rows))
	for _, row := range rows {
		p := prefix + row.name
		reason := checkName(row.name)
		if reason == "" && len(p) > maxPathLen {
			reason = checkPath(p)
		}
		if _, dup := seen[row.name]; dup && reason == "" {
			reason = "name occurs twice in its tree"
		}
		if reason != "" {
			l.notes = append(l.notes, Note{p, reason})
			continue
		}
		seen[row.name] = struct{}{}
		if IsOwnOutput(p) && !(l.artifacts && !row.isDir() && isArtifact(p)) {
			continue
		}
		if row.isDir() {
			if err := l.list(p+"/", row.id); err != nil {
				return err
			}
			continue
		}
		mode, ok := modeOf(row.mode)
		if !ok {
			l.notes = append(l.notes, Note{p, fmt.Sprintf("unknown file mode %o", row.mode)})
			continue
		}
		l.entries = append(l.entries, Entry{Path: p, Mode: mode, Blob: row.id, Size: -1})
	}
	return nil
}

func sortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
}

func sortNotes(notes []Note) {
	slices.SortFunc(notes, func(a, b Note) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Reason, b.Reason)
	})
}

// DirTrees returns, for every directory of the snapshot ("" is the root), the
// id of the git tree that holds exactly its entries: git's own tree id wherever
// nothing was left out (own output, unreadable or hostile paths). Two
// directories with equal ids hold the same files, whatever the kinds of the
// snapshots. It is computed anew by each call.
func (s *Snapshot) DirTrees() map[string]ID {
	ids := make(map[string]ID)
	rest := s.Entries
	buildTree(ids, "", &rest)
	return ids
}

// buildTree consumes the entries below prefix and records their tree ids.
func buildTree(ids map[string]ID, prefix string, rest *[]Entry) ID {
	var rows []treeEntry
	for len(*rest) > 0 {
		e := (*rest)[0]
		tail, below := strings.CutPrefix(e.Path, prefix)
		if !below {
			break
		}
		name, _, deeper := strings.Cut(tail, "/")
		if deeper {
			rows = append(rows, treeEntry{name: name, mode: 0o040000, id: buildTree(ids, prefix+name+"/", rest)})
			continue
		}
		*rest = (*rest)[1:]
		rows = append(rows, treeEntry{name: name, mode: uint32(e.Mode), id: e.Blob})
	}
	// git sorts directories as if their names ended in a slash.
	key := func(r treeEntry) string {
		if r.isDir() {
			return r.name + "/"
		}
		return r.name
	}
	sort.SliceStable(rows, func(i, j int) bool { return key(rows[i]) < key(rows[j]) })
	var buf bytes.Buffer
	for _, r := range rows {
		if r.isDir() {
			buf.WriteString("40000 ")
		} else {
			buf.WriteString(Mode(r.mode).git() + " ")
		}
		buf.WriteString(r.name)
		buf.WriteByte(0)
		buf.Write(r.id[:])
	}
	id := objectID("tree", buf.Bytes())
	ids[strings.TrimSuffix(prefix, "/")] = id
	return id
}

// Diff returns the paths that differ between two commits in content, mode or
// kind, sorted. A rename counts as both of its paths; own output is left out.
func (r *Repository) Diff(ctx context.Context, a, b string) ([]string, error) {
	or := r.objects.reader()
	defer or.Close()
	ca, err := r.resolve(or, a)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	cb, err := r.resolve(or, b)
	if err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	return diffTrees(ctx, or, ca.tree, cb.tree)
}

func diffTrees(ctx context.Context, or *objectReader, a, b ID) ([]string, error) {
	d := treeDiffer{ctx: ctx, or: or}
	if err := d.diff("", a, b); err != nil {
		return nil, fmt.Errorf("diff: %w", err)
	}
	slices.Sort(d.changed)
	return slices.Compact(d.changed), nil
}

type treeDiffer struct {
	ctx     context.Context
	or      *objectReader
	changed []string
	visited int
}

// diff compares two trees; a zero id is an empty tree. Equal subtrees are not
// read.
func (d *treeDiffer) diff(prefix string, a, b ID) error {
	if a == b {
		return nil
	}
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if d.visited++; d.visited+len(d.changed) > MaxEntries {
		return fmt.Errorf("%w: more than %d", ErrTooManyEntries, MaxEntries)
	}
	type pair struct{ a, b *treeEntry }
	pairs := make(map[string]*pair)
	for side, id := range [2]ID{a, b} {
		if id.IsZero() {
			continue
		}
		rows, err := readTree(d.or, id)
		if err != nil {
			return fmt.Errorf("list %q: %w", strings.TrimSuffix(prefix, "/"), err)
		}
		for i := range rows {
			row := &rows[i]
			if checkName(row.name) != "" || len(prefix)+len(row.name) > maxPathLen || IsOwnOutput(prefix+row.name) {
				continue
			}
			p := pairs[row.name]
			if p == nil {
				p = new(pair)
				pairs[row.name] = p
			}
			if side == 0 && p.a == nil {
				p.a = row
			} else if side == 1 && p.b == nil {
				p.b = row
			}
		}
	}
	for name, p := range pairs { // the result is sorted at the end
		var dirs [2]ID
		var files [2]treeEntry
		for side, row := range [2]*treeEntry{p.a, p.b} {
			switch {
			case row == nil:
			case row.isDir():
				dirs[side] = row.id
			default:
				if mode, ok := modeOf(row.mode); ok {
					files[side] = treeEntry{name: name, mode: uint32(mode), id: row.id}
				}
			}
		}
		if err := d.diff(prefix+name+"/", dirs[0], dirs[1]); err != nil {
			return err
		}
		if files[0] != files[1] {
			d.changed = append(d.changed, prefix+name)
		}
	}
	return nil
}
