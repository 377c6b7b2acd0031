package factstore

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func TestCompactMergesManySegments(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for i := range maxSegments {
		put(t, s, i*10, i*10+10)
		commit(t, s)
	}
	stats, err := s.Compact(nil, 0)
	if err != nil || stats.Merged || stats.Segments != maxSegments {
		t.Fatalf("Compact = %+v, %v; want nothing done with %d segments", stats, err, maxSegments)
	}
	old := open(t, dir) // keeps its descriptors
	put(t, s, 160, 170)
	commit(t, s)
	put(t, s, 170, 180) // pending across the compaction
	if stats, err = s.Compact(nil, 0); err != nil || !stats.Merged || stats.Records != 170 || stats.Dropped != 0 {
		t.Fatalf("Compact = %+v, %v", stats, err)
	}
	if n := len(segmentFiles(t, dir)); n != 1 {
		t.Errorf("%d segments, want 1", n)
	}
	wantRange(t, s, 0, 180, 190)
	wantRange(t, old, 0, 160, 190)
	commit(t, s)
	wantRange(t, open(t, dir), 0, 180, 190)
	if rep, err := Check(dir); err != nil || len(rep.Problems) > 0 {
		t.Errorf("Check = %+v, %v", rep, err)
	}
}

func TestCompactDropsGarbage(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, 0, 100)
	commit(t, s)
	live := map[Key]bool{}
	for i := 70; i < 200; i++ {
		live[key(i)] = true
	}
	isLive := func(k Key) bool { return live[k] }
	stats, err := s.Compact(isLive, 0)
	if err != nil || !stats.Merged || stats.Records != 30 || stats.Dropped != 70 || stats.After >= stats.Before {
		t.Fatalf("Compact = %+v, %v; want 30 kept and 70 dropped", stats, err)
	}
	wantRange(t, s, 70, 100, 110)
	if stats, err = s.Compact(isLive, 0); err != nil || stats.Merged {
		t.Errorf("Compact again = %+v, %v; want nothing done", stats, err)
	}
	if stats, err = s.Compact(func(Key) bool { return false }, 0); err != nil || stats.After != 0 {
		t.Errorf("Compact without live keys = %+v, %v", stats, err)
	}
	wantRange(t, s, 0, 0, 110)
	if n := len(segmentFiles(t, dir)); n != 0 {
		t.Errorf("%d segments left", n)
	}
}

func TestCompactKeepsTheNewest(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	base := time.Now().Add(-time.Hour)
	for i := range 10 {
		put(t, s, i*100, i*100+100)
		commit(t, s)
		at := base.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(filepath.Join(dir, s.segments[0].name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	total, _ := measure(s.segments, func(Key) bool { return true })
	limit := total / 2
	stats, err := s.Compact(nil, limit)
	if err != nil || !stats.Merged || stats.After > limit || stats.After < limit/2 {
		t.Fatalf("Compact = %+v, %v; want at most %d bytes", stats, err, limit)
	}
	for i := 700; i < 1000; i++ {
		if !s.Has(key(i)) {
			t.Fatalf("record %d of the newest segments was dropped", i)
		}
	}
	for i := range 400 {
		if s.Has(key(i)) {
			t.Fatalf("record %d of the oldest segments was kept", i)
		}
	}
	// Age survives the merge: a second cut drops the older part again.
	if _, err := s.Compact(nil, stats.After/2); err != nil {
		t.Fatal(err)
	}
	if !s.Has(key(950)) || s.Has(key(700)) {
		t.Errorf("after the second cut: newest kept %v, older kept %v", s.Has(key(950)), s.Has(key(700)))
	}
}

func TestCompactSweepsOldTempFiles(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, 0, 1)
	commit(t, s)
	fresh, stale := filepath.Join(dir, tempPrefix+"fresh"), filepath.Join(dir, tempPrefix+"stale")
	for _, name := range []string{fresh, stale} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * tempAge)
	if err := os.Chtimes(stale, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Compact(nil, 0); err != nil {
		t.Fatal(err)
	}
	if left := tempFiles(t, dir); len(left) != 1 || left[0] != fresh {
		t.Errorf("left %v, want %v", left, fresh)
	}
}

func TestCompactBusy(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	if stats, err := open(t, filepath.Join(dir, "absent")).Compact(nil, 0); err != nil || stats != (CompactStats{}) {
		t.Errorf("Compact of an absent directory = %+v, %v", stats, err)
	}
	put(t, s, 0, 1)
	commit(t, s)
	lock := flock.New(filepath.Join(dir, lockName))
	if ok, err := lock.TryLock(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer lock.Close()
	if stats, err := s.Compact(nil, 1); err != nil || !stats.Busy || stats.Merged {
		t.Errorf("Compact = %+v, %v; want Busy", stats, err)
	}
}
