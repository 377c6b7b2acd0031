package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/project-map/project-map/mapgen/archive"
)

// TestUnpackedIsBounded: what was used longest ago leaves, and nothing that is in
// use.
func TestUnpackedIsBounded(t *testing.T) {
	r := newRepository(t, 1, 1)
	file := filepath.Join(t.TempDir(), "a.tar.zst")
	r.must(exitOK, "publish", "--out", file)
	a, _, err := readArchive(file, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	u := &unpackedCache{dir: filepath.Join(t.TempDir(), "u"), max: 1}
	digest := func(i int) string { return fmt.Sprintf("sha256:%064d", i) }
	there := func(i int) bool { return usable(filepath.Join(u.dir, digest(i)[7:])) }
	fetched := 0
	open := func(i int) func() {
		t.Helper()
		dir, done, err := u.open(context.Background(), digest(i), func() (*archive.Archive, error) { fetched++; return a, nil })
		if err != nil || !usable(dir) {
			t.Fatalf("%s, %v", dir, err)
		}
		return done
	}
	inUse := open(1)
	open(1)() // by two at once
	if fetched != 1 {
		t.Errorf("it was fetched %d times", fetched)
	}
	open(2)()
	if !there(1) || !there(2) {
		t.Errorf("the one in use: %v, the one just made: %v", there(1), there(2))
	}
	inUse()
	open(3)()
	if there(1) || there(2) || !there(3) {
		t.Errorf("after the third: %v, %v, %v", there(1), there(2), there(3))
	}
	u.max = 1 << 30
	open(4)()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(u.dir, digest(3)[7:]+".lock"), past, past); err != nil {
		t.Fatal(err)
	}
	open(3)() // used again
	if !there(3) || !there(4) {
		t.Error("something left that had room")
	}
	if info, err := os.Stat(u.dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	// A failed fetch leaves nothing, and the next one is tried.
	failed := errors.New("failed")
	if _, _, err := u.open(context.Background(), digest(5), func() (*archive.Archive, error) { return nil, failed }); !errors.Is(err, failed) || there(5) {
		t.Errorf("%v", err)
	}
	open(5)()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := u.open(ctx, digest(6), func() (*archive.Archive, error) { return a, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
