package revision

import (
	"io/fs"
	"syscall"
)

// openFlags never follow a link at the end of a path, nor wait on a pipe.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// statOf returns what the index would record of a file.
func statOf(info fs.FileInfo) fileStat {
	t := info.ModTime()
	s := fileStat{
		mtime: [2]uint32{uint32(t.Unix()), uint32(t.Nanosecond())},
		size:  uint32(info.Size()),
	}
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ctime = [2]uint32{uint32(sys.Ctim.Sec), uint32(sys.Ctim.Nsec)}
		s.inode = uint32(sys.Ino)
	}
	return s
}
