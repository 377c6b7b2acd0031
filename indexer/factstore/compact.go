package factstore

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	// maxSegments is how many segments a lookup may have to search before
	// compaction merges them.
	maxSegments = 16
	// tempAge is how long a temporary file may go unwritten before it counts
	// as left behind by a crash. Its owner, if alive after all, gets an error
	// at Commit and loses no more than cached work.
	tempAge = 24 * time.Hour
)

// CompactStats says what a compaction found and did.
type CompactStats struct {
	Busy     bool // another process is compacting; nothing was done
	Merged   bool // the segments were merged into at most one
	Segments int  // sound segments before
	Records  int  // records that were kept, when merged
	Dropped  int  // duplicate, dead, damaged and surplus records, when merged
	Before   int64
	After    int64 // bytes of all sound segments
}

// Compact merges the segments when there are more than 16, when more than half
// of their bytes are garbage (records that are duplicate or not live), or when
// together they exceed maxBytes; then the newest records are kept up to three
// quarters of maxBytes, so that the next few commits fit. It removes damaged
// segments and temporary files left behind by crashes, but none written in
// another format version. A nil live keeps every key; maxBytes <= 0 is no limit.
// live may be called several times for a key.
//
// A file lock keeps compactions apart; one that finds it taken returns at once
// with Busy set. Readers and writers are not blocked. What was put and not
// committed is left alone.
func (s *Store) Compact(live func(Key) bool, maxBytes int64) (CompactStats, error) {
	var stats CompactStats
	switch {
	case s.disabled:
		return stats, nil
	case s.readOnly:
		return stats, ErrReadOnly
	}
	if live == nil {
		live = func(Key) bool { return true }
	}
	if _, err := os.Stat(s.dir); errors.Is(err, os.ErrNotExist) {
		return stats, nil
	}
	lock := flock.New(filepath.Join(s.dir, lockName))
	locked, err := lock.TryLock()
	if err != nil {
		return stats, fmt.Errorf("lock fact cache: %w%s", err, hint(err))
	}
	if !locked {
		stats.Busy = true
		return stats, nil
	}
	defer func() { _ = lock.Close() }()

	segments, problems, err := openDir(s.dir)
	if err != nil {
		return stats, fmt.Errorf("compact fact cache: %w", err)
	}
	defer closeAll(segments)
	s.sweep(problems)
	stats.Segments = len(segments)
	var garbage int64
	stats.Before, garbage = measure(segments, live)
	stats.After = stats.Before
	overfull := maxBytes > 0 && stats.Before > maxBytes
	if len(segments) <= maxSegments && garbage*2 <= stats.Before && !overfull {
		return stats, nil
	}
	limit := int64(0)
	if overfull {
		limit = maxBytes / 4 * 3
	}
	name, err := merge(s.dir, segments, live, limit, &stats)
	if err != nil {
		return stats, fmt.Errorf("compact fact cache %s: %w%s", s.dir, err, hint(err))
	}
	stats.Merged = true
	return stats, s.replace(segments, name)
}

// measure returns the bytes of all segments and how many of them are garbage.
func measure(segments []*segment, live func(Key) bool) (total, garbage int64) {
	seen := map[Key]bool{}
	for _, seg := range segments {
		total += seg.size
		for i := range seg.len() {
			e := seg.entry(i)
			if seen[e.key] || !live(e.key) {
				garbage += int64(e.len) + entrySize
			}
			seen[e.key] = true
		}
	}
	return total, garbage
}

// merge publishes the live records of segments, newest first, up to limit bytes
// if limit > 0. Without any it publishes nothing and returns "".
func merge(dir string, segments []*segment, live func(Key) bool, limit int64, stats *CompactStats) (string, error) {
	w, err := newWriter(dir)
	if err != nil {
		return "", err
	}
	var buf []byte
	total, full := 0, false
	for _, seg := range segments {
		// Offset order is age order within a segment, and reads sequentially.
		entries := make([]entry, seg.len())
		for i := range entries {
			entries[i] = seg.entry(i)
		}
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.off, b.off) })
		for _, e := range entries {
			total++
			if _, ok := w.entries[e.key]; ok || full || !live(e.key) {
				continue
			}
			size := w.size() + int64(len(w.entries)+1)*entrySize + int64(e.len) + footerSize
			if limit > 0 && size > limit {
				full = true
				continue
			}
			if buf, err = readStored(seg.r, e, buf); err != nil {
				continue // damaged: an older segment may have a good copy
			}
			if err := w.add(e.key, buf); err != nil {
				w.discard()
				return "", err
			}
		}
	}
	stats.Records = len(w.entries)
	stats.Dropped = total - stats.Records
	stats.After = 0
	if stats.Records == 0 {
		w.discard()
		return "", nil
	}
	name, err := w.publish()
	if err != nil {
		w.discard()
		return "", err
	}
	stats.After = w.written
	return name, nil
}

// replace deletes merged segments other than keep and reopens the directory.
// The store's own descriptors are closed first, because some systems do not
// delete open files.
func (s *Store) replace(merged []*segment, keep string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	closeAll(s.segments)
	s.segments = nil
	closeAll(merged)
	for _, seg := range merged {
		if seg.name != keep {
			// One that cannot be deleted now is merged again by the next run.
			_ = os.Remove(filepath.Join(s.dir, seg.name))
		}
	}
	if s.closed {
		return nil
	}
	return s.reopen()
}

// sweep deletes damaged segments and temporary files of crashed writers.
func (s *Store) sweep(problems []Problem) {
	for _, p := range problems {
		if errors.Is(p.Err, errDamaged) {
			_ = os.Remove(filepath.Join(s.dir, p.Segment))
		}
	}
	files, err := listDir(s.dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if strings.HasPrefix(f.name, tempPrefix) && f.regular && s.now().Sub(f.mtime) > tempAge {
			_ = os.Remove(filepath.Join(s.dir, f.name))
		}
	}
}
