package revision

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// maxIndexSize bounds the index file: a million entries take about 100 MB.
const maxIndexSize = 2 << 30

// indexEntry is one row of the index.
type indexEntry struct {
	path         string
	mode         uint32
	id           ID
	stage        uint8 // 0, or 1-3 of a conflict
	skipWorktree bool
	intentToAdd  bool
	stat         fileStat
}

// fileStat is what git remembers of a file to tell whether it has changed. The
// times are seconds and nanoseconds; everything is cut to 32 bits, as in the
// index.
type fileStat struct {
	ctime, mtime [2]uint32
	inode        uint32
	size         uint32
}

// index is a decoded index file.
type index struct {
	entries []indexEntry
	mtime   time.Time // of the file; zero if there is none
}

// readIndex reads an index of version 2 to 4; a missing file is an empty index.
// The decoder is not go-git's, which fails on sparse indexes and on those
// without a checksum (index.skipHash).
func readIndex(file string) (*index, error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &index{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read index: %w", err)
	}
	data, err := readLimited(file, maxIndexSize)
	if err != nil {
		return nil, fmt.Errorf("read index %s: %w", file, err)
	}
	entries, err := parseIndex(data)
	if err != nil {
		return nil, fmt.Errorf("read index %s: %w", file, err)
	}
	return &index{entries: entries, mtime: info.ModTime()}, nil
}

const (
	indexHeader   = 12
	indexRowFixed = 62 // bytes of a row before its name

	flagExtended     = 0x4000
	flagNameMask     = 0x0fff
	flagSkipWorktree = 0x4000 // in the extended flags
	flagIntentToAdd  = 0x2000
)

func parseIndex(data []byte) ([]indexEntry, error) {
	corrupt := func(what string) error {
		return fmt.Errorf("%w: %s; rebuild it with `rm .git/index && git reset`", ErrCorrupt, what)
	}
	if len(data) < indexHeader+sha1.Size || string(data[:4]) != "DIRC" {
		return nil, corrupt("not an index file")
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("%w: version %d; rewrite it with `git update-index --index-version 2`", ErrUnsupportedIndex, version)
	}
	body, sum := data[:len(data)-sha1.Size], data[len(data)-sha1.Size:]
	if !bytes.Equal(sum, make([]byte, sha1.Size)) {
		if got := sha1.Sum(body); !bytes.Equal(got[:], sum) {
			return nil, corrupt("checksum does not match")
		}
	}
	rest := body[indexHeader:]
	// A row takes 63 bytes or more: a forged count must not reserve memory.
	entries := make([]indexEntry, 0, min(int(count), len(rest)/(indexRowFixed+1)))
	previous := ""
	for range count {
		e, n, ok := parseIndexRow(rest, version, previous)
		if !ok {
			return nil, corrupt(fmt.Sprintf("row %d is malformed", len(entries)))
		}
		if len(entries) >= MaxEntries {
			return nil, fmt.Errorf("%w: more than %d", ErrTooManyEntries, MaxEntries)
		}
		previous = e.path
		entries = append(entries, e)
		rest = rest[n:]
	}
	for len(rest) >= 8 {
		name, size := string(rest[:4]), binary.BigEndian.Uint32(rest[4:])
		if uint64(size) > uint64(len(rest)-8) {
			return nil, corrupt("an extension is truncated")
		}
		rest = rest[8+size:]
		// Extensions with a lower-case name change the meaning of the rows.
		switch {
		case name == "link":
			return nil, fmt.Errorf("%w: it is split into a shared and an own part; join them with `git update-index --no-split-index`", ErrUnsupportedIndex)
		case name == "sdir":
			// Rows may be directories; the caller expands them.
		case name[0] < 'A' || name[0] > 'Z':
			return nil, fmt.Errorf("%w: required extension %q; use a newer project-map", ErrUnsupportedIndex, name)
		}
	}
	return entries, nil
}

// parseIndexRow decodes the row at the start of b and returns its length.
func parseIndexRow(b []byte, version uint32, previous string) (e indexEntry, n int, ok bool) {
	if len(b) < indexRowFixed {
		return e, 0, false
	}
	u32 := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	e.stat = fileStat{
		ctime: [2]uint32{u32(0), u32(4)},
		mtime: [2]uint32{u32(8), u32(12)},
		inode: u32(20),
		size:  u32(36),
	}
	e.mode = u32(24)
	e.id = ID(b[40:60])
	flags := binary.BigEndian.Uint16(b[60:])
	e.stage = uint8(flags >> 12 & 3)
	n = indexRowFixed
	if flags&flagExtended != 0 {
		if version < 3 || len(b) < n+2 {
			return e, 0, false
		}
		extended := binary.BigEndian.Uint16(b[n:])
		e.skipWorktree = extended&flagSkipWorktree != 0
		e.intentToAdd = extended&flagIntentToAdd != 0
		n += 2
	}
	if version == 4 {
		strip, used := offsetVarint(b[n:])
		if used == 0 || strip > uint64(len(previous)) {
			return e, 0, false
		}
		n += used
		end := bytes.IndexByte(b[n:], 0)
		if end < 0 {
			return e, 0, false
		}
		e.path = previous[:len(previous)-int(strip)] + string(b[n:n+end])
		// Prefix sharing makes long paths out of few bytes.
		return e, n + end + 1, len(e.path) <= 1<<16
	}
	end := bytes.IndexByte(b[n:], 0)
	if end < 0 || (int(flags&flagNameMask) != end && flags&flagNameMask != flagNameMask) {
		return e, 0, false
	}
	e.path = string(b[n : n+end])
	// Rows are padded with one to eight NUL bytes to a multiple of eight.
	n = (n + end + 8) &^ 7
	return e, n, n <= len(b)
}

// offsetVarint decodes the number format of pack offsets; used is 0 on error.
func offsetVarint(b []byte) (v uint64, used int) {
	for i, c := range b {
		if i > 8 {
			return 0, 0
		}
		v = v<<7 | uint64(c&0x7f)
		if c&0x80 == 0 {
			return v, i + 1
		}
		v++
	}
	return 0, 0
}

// unmerged returns the paths with conflicts, each once.
func (x *index) unmerged() []string {
	var paths []string
	for _, e := range x.entries {
		if e.stage != 0 && (len(paths) == 0 || paths[len(paths)-1] != e.path) {
			paths = append(paths, e.path)
		}
	}
	return paths
}

// expandSparse replaces the directories of a sparse index by their files, which
// are all outside the sparse checkout.
func (x *index) expandSparse(l *treeLister) error {
	sparse := false
	for _, e := range x.entries {
		sparse = sparse || e.mode&0o170000 == 0o040000
	}
	if !sparse {
		return nil
	}
	var entries []indexEntry
	for _, e := range x.entries {
		if e.mode&0o170000 != 0o040000 {
			entries = append(entries, e)
			continue
		}
		dir := strings.TrimSuffix(e.path, "/")
		if reason := checkPath(dir); reason != "" {
			l.notes = append(l.notes, Note{e.path, reason})
			continue
		}
		l.entries = nil
		if err := l.list(dir+"/", e.id); err != nil {
			return fmt.Errorf("expand sparse index: %w", err)
		}
		for _, f := range l.entries {
			entries = append(entries, indexEntry{path: f.Path, mode: gitModes[f.Mode], id: f.Blob, skipWorktree: true})
		}
	}
	x.entries = entries
	return nil
}

var gitModes = [...]uint32{Regular: 0o100644, Executable: 0o100755, Symlink: 0o120000, Submodule: 0o160000}
