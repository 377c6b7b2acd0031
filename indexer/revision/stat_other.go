//go:build !linux

package revision

import "io/fs"

// openFlags is empty: the callers compare the file before and after opening.
const openFlags = 0

// statOf returns what the index would record of a file; without an inode, which
// tells the caller to compare size and modification time only.
func statOf(info fs.FileInfo) fileStat {
	t := info.ModTime()
	return fileStat{
		mtime: [2]uint32{uint32(t.Unix()), uint32(t.Nanosecond())},
		size:  uint32(info.Size()),
	}
}
