package revision

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

const (
	maxRefFile    = 1 << 16 // bytes of one loose reference
	maxPackedRefs = 1 << 30 // bytes of packed-refs
	maxSymrefs    = 5       // git's limit on symbolic references
)

var errNoRef = errors.New("no such reference")

// validRefName applies git's check-ref-format. Names become file names, so this
// also keeps lookups inside the git directory.
func validRefName(name string) bool {
	if name == "" || name == "@" || strings.HasSuffix(name, ".") || strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c == 0x7f || strings.IndexByte("~^:?*[\\", c) >= 0 {
			return false
		}
	}
	return true
}

// pseudoRef reports whether a name without a slash may be a reference: HEAD,
// FETCH_HEAD and their kind. Other files of the git directory are not.
func pseudoRef(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'A' || c > 'Z') && c != '_' {
			return false
		}
	}
	return name == "HEAD" || strings.HasSuffix(name, "_HEAD")
}

// readRef follows a full reference name to an object id. The last name tried is
// returned with errNoRef, so that an unborn branch can be named.
func (r *Repository) readRef(name string) (ID, string, error) {
	for range maxSymrefs {
		id, target, err := r.readRefOnce(name)
		if err != nil {
			return ID{}, name, err
		}
		if target == "" {
			return id, name, nil
		}
		if !validRefName(target) || !strings.HasPrefix(target, "refs/") {
			return ID{}, name, fmt.Errorf("reference %s: %w: it points to %q", name, ErrCorrupt, target)
		}
		name = target
	}
	return ID{}, name, fmt.Errorf("reference %s: %w: symbolic references nest too deeply", name, ErrCorrupt)
}

func (r *Repository) readRefOnce(name string) (id ID, target string, err error) {
	dir := r.commonDir
	if !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/bisect/") ||
		strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/rewritten/") {
		dir = r.gitDir
	}
	data, err := readLimited(filepath.Join(dir, filepath.FromSlash(name)), maxRefFile)
	if err == nil {
		text := string(data)
		if target, ok := strings.CutPrefix(text, "ref:"); ok {
			return ID{}, strings.TrimSpace(target), nil
		}
		// FETCH_HEAD has more on the line.
		if len(text) >= 40 {
			if id, ok := parseID(text[:40]); ok && (len(text) == 40 || text[40] == '\n' || text[40] == '\r' || text[40] == ' ' || text[40] == '\t') {
				return id, "", nil
			}
		}
		return ID{}, "", fmt.Errorf("reference %s: %w: not an object id; delete or repair the file", name, ErrCorrupt)
	}
	// A directory of that name says nothing: the reference may be packed.
	var pathErr *fs.PathError
	if !errors.As(err, &pathErr) || errors.Is(err, fs.ErrPermission) {
		return ID{}, "", fmt.Errorf("reference %s: %w", name, err)
	}
	if strings.HasPrefix(name, "refs/") {
		return r.packedRef(name)
	}
	return ID{}, "", errNoRef
}

func (r *Repository) packedRef(name string) (ID, string, error) {
	data, err := readLimited(filepath.Join(r.commonDir, "packed-refs"), maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return ID{}, "", errNoRef
	}
	if err != nil {
		return ID{}, "", fmt.Errorf("read packed references: %w", err)
	}
	// Lines are "<id> <name>", comments and "^<peeled id>".
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > 41 && line[40] == ' ' && line[41:] == name {
			if id, ok := parseID(line[:40]); ok {
				return id, "", nil
			}
		}
	}
	return ID{}, "", errNoRef
}

// findRef applies git's rules for abbreviated reference names, first match wins.
func (r *Repository) findRef(name string) (ID, error) {
	if !validRefName(name) {
		return ID{}, errNoRef
	}
	for _, rule := range [...]string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		full := strings.Replace(rule, "%s", name, 1)
		if !strings.HasPrefix(full, "refs/") && !pseudoRef(full) {
			continue
		}
		id, last, err := r.readRef(full)
		if errors.Is(err, errNoRef) {
			if full == "HEAD" && last != "HEAD" {
				return ID{}, fmt.Errorf("%w: branch %s; make a first commit, or use --staged or --worktree", ErrUnbornHead, strings.TrimPrefix(last, "refs/heads/"))
			}
			continue
		}
		return id, err
	}
	return ID{}, errNoRef
}

// shallow returns the commits whose parents a shallow clone does not have.
func (r *Repository) shallow() (map[ID]bool, error) {
	data, err := readLimited(filepath.Join(r.commonDir, "shallow"), maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read shallow boundary: %w", err)
	}
	ids := make(map[ID]bool)
	for line := range strings.Lines(string(data)) {
		if id, ok := parseID(strings.TrimSpace(line)); ok {
			ids[id] = true
		}
	}
	return ids, nil
}
