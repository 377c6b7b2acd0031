package factstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// openAttempts bounds how often a listing is repeated because a compaction
// deleted a segment between listing and opening it.
const openAttempts = 8

// openDir opens every sound segment in dir, newest first.
func openDir(dir string) ([]*segment, []Problem, error) {
	for attempt := 1; ; attempt++ {
		segments, problems, err := tryOpenDir(dir)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || attempt == openAttempts {
			return segments, problems, err
		}
	}
}

// tryOpenDir fails with fs.ErrNotExist if a segment vanished meanwhile.
func tryOpenDir(dir string) (segments []*segment, problems []Problem, err error) {
	files, err := listDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		if !strings.HasSuffix(f.name, segmentExt) {
			continue
		}
		if !f.regular {
			problems = append(problems, Problem{f.name, errForeign})
			continue
		}
		seg, err := openFile(dir, f.name)
		switch {
		case errors.Is(err, fs.ErrNotExist), isTooManyFiles(err):
			closeAll(segments)
			return nil, nil, err
		case err != nil:
			problems = append(problems, Problem{f.name, err})
		default:
			segments = append(segments, seg)
		}
	}
	return segments, problems, nil
}

type dirFile struct {
	name    string
	regular bool
	size    int64
	mtime   time.Time
}

// listDir lists the files of dir, newest first, ties by name. A directory that
// does not exist is empty.
func listDir(dir string) ([]dirFile, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var files []dirFile
	for _, e := range entries {
		info, err := e.Info()
		if err != nil { // vanished meanwhile
			continue
		}
		files = append(files, dirFile{e.Name(), info.Mode().IsRegular(), info.Size(), info.ModTime()})
	}
	slices.SortFunc(files, func(a, b dirFile) int {
		if c := b.mtime.Compare(a.mtime); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return files, nil
}

func openFile(dir, name string) (*segment, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	seg, err := openSegment(name, f, info.Size())
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return seg, nil
}

// syncDir makes a rename in dir durable. Some systems cannot sync a directory;
// what is lost then is at most the newest part of a cache.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

func isNoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

func isReadOnlyFS(err error) bool { return errors.Is(err, syscall.EROFS) }

func isTooManyFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// Report is the result of Check.
type Report struct {
	Segments int
	Records  int
	Bytes    int64 // of the sound segments, as stored
	Problems []Problem
}

// Check reads and verifies everything in the cache directory: every frame,
// every index, every record and that each segment bears the name of its
// content. It changes nothing. An error means that the directory itself could
// not be read.
func Check(dir string) (Report, error) {
	segments, problems, err := openDir(dir)
	if err != nil {
		return Report{}, fmt.Errorf("check fact cache: %w", err)
	}
	defer closeAll(segments)
	rep := Report{Problems: problems}
	for _, seg := range segments {
		if want := segmentName(seg.index); seg.name != want {
			rep.Problems = append(rep.Problems, Problem{seg.name, fmt.Errorf("name does not match the content, which is that of %s", want)})
		}
		rep.Segments++
		rep.Bytes += seg.size
		for i := range seg.len() {
			e := seg.entry(i)
			if _, err := seg.value(e); err != nil {
				rep.Problems = append(rep.Problems, Problem{seg.name, fmt.Errorf("record %x: %w", e.key[:8], err)})
				continue
			}
			rep.Records++
		}
	}
	return rep, nil
}
