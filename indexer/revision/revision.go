package revision

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Errors that callers branch on; every one arrives wrapped with its context.
var (
	// ErrNotRepository: no git repository encloses the directory.
	ErrNotRepository = errors.New("not a git repository")
	// ErrUnsupportedRepository: the repository uses a format this package
	// cannot read (SHA-256 objects, reftable, unknown extensions).
	ErrUnsupportedRepository = errors.New("unsupported repository format")
	// ErrUnknownRevision: the expression names no object of the repository.
	ErrUnknownRevision = errors.New("unknown revision")
	// ErrAmbiguousRevision: an abbreviated hash matches several commits.
	ErrAmbiguousRevision = errors.New("ambiguous revision")
	// ErrUnsupportedRevision: git syntax that this package does not resolve.
	ErrUnsupportedRevision = errors.New("unsupported revision syntax")
	// ErrUnbornHead: HEAD names a branch without a commit.
	ErrUnbornHead = errors.New("HEAD has no commit yet")
	// ErrBare: the operation needs a work tree.
	ErrBare = errors.New("bare repository")
	// ErrUnmerged: the index holds conflicts.
	ErrUnmerged = errors.New("unmerged paths in the index")
	// ErrUnsupportedIndex: an index format that cannot be read (split index).
	ErrUnsupportedIndex = errors.New("unsupported index")
	// ErrCorrupt: an object, a pack or the index is damaged.
	ErrCorrupt = errors.New("corrupt git data")
	// ErrMissing: the object is not here (partial or shallow clone), or the
	// file has vanished since it was listed.
	ErrMissing = errors.New("content is missing")
	// ErrChanged: the file changed after it was listed.
	ErrChanged = errors.New("file changed while reading")
	// ErrTooLarge: the content exceeds the reader's limit.
	ErrTooLarge = errors.New("content exceeds the size limit")
	// ErrNoContent: the entry has no bytes in this repository (a submodule).
	ErrNoContent = errors.New("entry has no content")
	// ErrTooManyEntries: a snapshot would exceed MaxEntries.
	ErrTooManyEntries = errors.New("too many entries")
)

// MaxEntries bounds a snapshot. It is far above real repositories; a tree that
// repeats its subtrees a few levels deep names billions of paths in a few bytes.
const MaxEntries = 4_000_000

// maxPathLen bounds a path in bytes, as Linux does (PATH_MAX).
const maxPathLen = 4096

// Kind is the state of the repository that a snapshot shows.
type Kind uint8

const (
	Commit   Kind = iota // the tree of a commit
	Staged               // the index
	Worktree             // tracked and not ignored files as they are on disk
)

func (k Kind) String() string {
	switch k {
	case Commit:
		return "commit"
	case Staged:
		return "staged"
	case Worktree:
		return "worktree"
	}
	return "kind " + strconv.Itoa(int(k))
}

// Mode is the kind of an entry.
type Mode uint8

const (
	Regular    Mode = iota // 100644
	Executable             // 100755
	Symlink                // 120000; the content is the target, never followed
	Submodule              // 160000; the id is a commit, there is no content
)

func (m Mode) String() string {
	switch m {
	case Regular:
		return "regular"
	case Executable:
		return "executable"
	case Symlink:
		return "symlink"
	case Submodule:
		return "submodule"
	}
	return "mode " + strconv.Itoa(int(m))
}

// git returns the mode as git writes it in a tree.
func (m Mode) git() string {
	switch m {
	case Executable:
		return "100755"
	case Symlink:
		return "120000"
	case Submodule:
		return "160000"
	default:
		return "100644"
	}
}

// modeOf maps the file mode of a tree or index entry; false for directories
// and anything git does not store.
func modeOf(m uint32) (Mode, bool) {
	switch m & 0o170000 {
	case 0o100000:
		if m&0o100 != 0 {
			return Executable, true
		}
		return Regular, true
	case 0o120000:
		return Symlink, true
	case 0o160000:
		return Submodule, true
	}
	return 0, false
}

// ID is a git object id: for a blob the SHA-1 of "blob <size>\0" and content.
type ID [sha1.Size]byte

// String returns the id as 40 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// IsZero reports whether the id is unset: the entry could not be read.
func (id ID) IsZero() bool { return id == ID{} }

// BlobID returns the id git gives to a blob of these bytes.
func BlobID(content []byte) ID { return objectID("blob", content) }

func objectID(kind string, content []byte) ID {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	var id ID
	h.Sum(id[:0])
	return id
}

// parseID reads exactly 40 hexadecimal digits.
func parseID(s string) (ID, bool) {
	var id ID
	if len(s) != 2*len(id) {
		return id, false
	}
	if _, err := hex.Decode(id[:], []byte(s)); err != nil {
		return ID{}, false
	}
	return id, true
}

// Entry is one file of a snapshot.
type Entry struct {
	Path string // slash separated, relative to the root; raw bytes as git has them
	Mode Mode
	Blob ID    // content id; zero if the file could not be read (see Snapshot.Notes)
	Size int64 // bytes on disk in a work tree; -1 if unknown
}

// Note says why a path of the snapshot is missing from its entries, or cannot
// be read.
type Note struct {
	Path   string
	Reason string
}

// StoreDir is the base name of the store's directory.
const StoreDir = ".project-map"

// TempPrefix begins the names of the temporary files that a killed run of
// project-map leaves beside its artifacts.
const TempPrefix = ".project-map-tmp-"

// IsOwnOutput reports whether the slash-separated path is written by
// project-map itself: an artifact, anything in a store directory, or a
// temporary file. Such paths are never input.
func IsOwnOutput(p string) bool {
	if base := path.Base(p); isArtifactName(base) || strings.HasPrefix(base, TempPrefix) {
		return true
	}
	return inStore(p)
}

func isArtifactName(base string) bool { return base == ".pi-map.md" || base == ".pi-map.index.md" }

// inStore reports whether a path is a store directory or lies in one.
func inStore(p string) bool {
	for rest := p; rest != ""; {
		var dir string
		dir, rest, _ = strings.Cut(rest, "/")
		if dir == StoreDir {
			return true
		}
	}
	return false
}

// checkPath returns why a path from a tree or an index must not be used, or "".
// git itself refuses to check such paths out.
func checkPath(p string) string {
	if p == "" {
		return "empty path"
	}
	if len(p) > maxPathLen {
		return "path is longer than " + strconv.Itoa(maxPathLen) + " bytes"
	}
	if strings.IndexByte(p, 0) >= 0 {
		return "path holds a NUL byte"
	}
	for rest, more := p, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		if reason := checkName(name); reason != "" {
			return reason
		}
	}
	return ""
}

// checkName is checkPath for one path component.
func checkName(name string) string {
	switch {
	case name == "":
		return "path has an empty component"
	case name == "." || name == "..":
		return "path has a " + strconv.Quote(name) + " component"
	case len(name) == 4 && strings.EqualFold(name, ".git"):
		return "path leads into a .git directory"
	case strings.IndexByte(name, '/') >= 0:
		return "path component holds a slash"
	}
	return ""
}
