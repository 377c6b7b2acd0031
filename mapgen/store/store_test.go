package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
)

// generation compiles a revision of one file whose only symbol is called name.
func generation(t testing.TB, name string) ([]byte, []string) {
	t.Helper()
	b := NewBuilder([]string{"a.go"})
	b.Set(0, &facts.Entry{File: &facts.File{Symbols: []facts.Symbol{{Name: name, Kind: facts.KindFunction, Line: 1, EndLine: 1}}}})
	names := b.SymbolNames()
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data, names
}

func write(t testing.TB, dir, name string) *Manifest {
	t.Helper()
	data, names := generation(t, name)
	m := &Manifest{Tool: "test", Input: name}
	if err := Write(dir, m, Contents{Catalog: data, Names: names}); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOpenGivesWhatWasWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", DirName)
	if _, err := Open(dir); !errors.Is(err, ErrNone) {
		t.Fatalf("no store: %v", err)
	}
	write(t, dir, "First")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Manifest.Input != "First" || s.Catalog.Name(0) != "First" {
		t.Errorf("%+v", s.Manifest)
	}
	names, err := s.Names()
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	if names.Len() != 1 {
		t.Errorf("%d names", names.Len())
	}
	if data, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(data) != "*\n" {
		t.Errorf(".gitignore: %q, %v", data, err)
	}
	m := *s.Manifest
	m.Revision = Revision{Kind: "commit", Commit: "abc"}
	if err := s.Rewrite(&m); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Manifest.Revision.Commit != "abc" || again.Catalog.Name(0) != "First" {
		t.Errorf("after a rewrite: %+v", again.Manifest)
	}
}

func TestOldGenerationsGo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	for i := range 5 {
		write(t, dir, fmt.Sprintf("Name%d", i))
	}
	for _, left := range []string{"tmp-gen-x", "tmp-names-y"} { // of a run that was killed
		if err := os.Mkdir(filepath.Join(dir, left), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "Last")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range entries {
		kind, _, _ := strings.Cut(e.Name(), "-")
		count[kind]++
	}
	if count["gen"] != 2 || count["names"] != 2 || count["tmp"] != 0 {
		t.Errorf("%v", count)
	}
}

func TestDamageIsReported(t *testing.T) {
	for name, harm := range map[string]struct {
		file string
		data string
		want error
	}{
		"current names no generation": {currentName, "../../etc\n", ErrCorrupt},
		"current names a lost one":    {currentName, "gen-lost\n", ErrCorrupt},
		"manifest is no JSON":         {manifestName, "{", ErrCorrupt},
		"manifest of another format":  {manifestName, `{"format": 99}`, ErrVersion},
		"manifest leads elsewhere":    {manifestName, `{"format": 1, "symbols": "../../x"}`, ErrCorrupt},
		"catalog is cut":              {catalogName, "PM", ErrCorrupt},
		"catalog is something else":   {catalogName, strings.Repeat("x", 4096), ErrCorrupt},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), DirName)
			write(t, dir, "Name")
			file := filepath.Join(dir, harm.file)
			if harm.file != currentName {
				gen, err := current(dir)
				if err != nil {
					t.Fatal(err)
				}
				file = filepath.Join(dir, gen, harm.file)
			}
			if err := os.WriteFile(file, []byte(harm.data), 0o644); err != nil {
				t.Fatal(err)
			}
			if s, err := Open(dir); !errors.Is(err, harm.want) {
				t.Errorf("%v, %v", s, err)
			}
			write(t, dir, "Name")
			s, err := Open(dir)
			if err != nil {
				t.Fatalf("writing again does not mend it: %v", err)
			}
			s.Close()
		})
	}
}

// Readers that open while a writer publishes see an old or a new generation,
// whole.
func TestReadersNeverSeeHalf(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	write(t, dir, "Name0")
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !stop.Load() {
				s, err := Open(dir)
				if err != nil {
					t.Error(err)
					return
				}
				if s.Manifest.Input != s.Catalog.Name(0) {
					t.Errorf("manifest of %s with the catalog of %s", s.Manifest.Input, s.Catalog.Name(0))
				}
				s.Close()
			}
		})
	}
	for i := range 25 {
		write(t, dir, fmt.Sprintf("Name%d", i%7))
	}
	stop.Store(true)
	wg.Wait()
}

func TestLockWaits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	unlock, err := Lock(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan struct{})
	got := make(chan error)
	go func() {
		second, err := Lock(t.Context(), dir, func() { close(waited) })
		if err == nil {
			second()
		}
		got <- err
	}()
	<-waited
	unlock()
	if err := <-got; err != nil {
		t.Fatal(err)
	}

	unlock, err = Lock(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, dir, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a wait that is called off: %v", err)
	}
}

func TestStoreIsNoLink(t *testing.T) {
	elsewhere, dir := t.TempDir(), filepath.Join(t.TempDir(), DirName)
	if err := os.Symlink(elsewhere, dir); err != nil {
		t.Skip(err)
	}
	data, names := generation(t, "Name")
	if err := Write(dir, &Manifest{}, Contents{Catalog: data, Names: names}); err == nil {
		t.Fatal("wrote through a symbolic link")
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestCommits(t *testing.T) {
	b := NewBuilder([]string{"a.go", "b.go"})
	for i := range 2 {
		b.Set(i, &facts.Entry{File: &facts.File{}})
	}
	b.SetCommits([]PastCommit{
		{Time: 200, Message: "Fix the queue of the queue", Files: 3, Docs: []int{1, 0, 1}},
		{Time: 100, Message: "Start", Files: 1},
	})
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCatalog(data)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumCommits() != 2 {
		t.Fatalf("%d commits", c.NumCommits())
	}
	first, second := c.Commit(0), c.Commit(1)
	if first.Time != 200 || first.Files != 3 || len(first.Docs) != 2 || first.Docs[0] != 0 || len(second.Docs) != 0 || second.Words != 1 {
		t.Errorf("%+v, %+v", first, second)
	}
	var seen []int
	c.CommitPostings("queu", func(commit, count int) { seen = append(seen, commit, count) })
	if fmt.Sprint(seen) != "[0 2]" {
		t.Errorf("postings of queue: %v", seen)
	}
	c.CommitPostings("nowhere", func(int, int) { t.Error("a term that is not there") })
}
