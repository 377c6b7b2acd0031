package factstore

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func key(i int) Key { return sha256.Sum256([]byte(fmt.Sprint("key ", i))) }

// val is a compressible value whose size varies with i, the empty one included.
func val(i int) []byte {
	return []byte(strings.Repeat(fmt.Sprintf("value %d;", i), i%50))
}

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func put(t *testing.T, s *Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := s.Put(key(i), val(i)); err != nil {
			t.Fatalf("Put %d: %v", i, err)
		}
	}
}

func commit(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Commit(); err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

// wantRange checks that exactly the keys from..to of 0..limit are present.
func wantRange(t *testing.T, s *Store, from, to, limit int) {
	t.Helper()
	for i := range limit {
		got, ok, err := s.Get(key(i))
		if err != nil {
			t.Fatalf("Get %d: %v", i, err)
		}
		want := i >= from && i < to
		if ok != want || s.Has(key(i)) != want {
			t.Fatalf("record %d: Get found %v, Has %v, want %v", i, ok, s.Has(key(i)), want)
		}
		if want && !bytes.Equal(got, val(i)) {
			t.Fatalf("record %d: got %q, want %q", i, got, val(i))
		}
	}
}

func segmentFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+segmentExt))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func tempFiles(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "facts", "v1")
	s := open(t, dir)
	wantRange(t, s, 0, 0, 5)
	commit(t, s)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty commit created the directory: %v", err)
	}
	put(t, s, 0, 300)
	wantRange(t, s, 0, 300, 310)
	wantRange(t, open(t, dir), 0, 0, 10)
	commit(t, s)
	commit(t, s)
	if n := len(segmentFiles(t, dir)); n != 1 {
		t.Errorf("%d segments after one commit with content, want 1", n)
	}
	wantRange(t, s, 0, 300, 310)
	wantRange(t, open(t, dir), 0, 300, 310)

	put(t, s, 0, 300) // known keys are not written again
	commit(t, s)
	if n := len(segmentFiles(t, dir)); n != 1 {
		t.Errorf("%d segments after putting known keys, want 1", n)
	}
	put(t, s, 300, 310)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if left := tempFiles(t, dir); len(left) > 0 {
		t.Errorf("Close left %v", left)
	}
	wantRange(t, open(t, dir), 0, 300, 310)
	if rep, err := Check(dir); err != nil || len(rep.Problems) > 0 || rep.Records != 300 {
		t.Errorf("Check = %+v, %v; want 300 records and no problems", rep, err)
	}
	if _, _, err := s.Get(key(1)); !errors.Is(err, ErrClosed) {
		t.Errorf("Get after Close: %v, want ErrClosed", err)
	}
	if err := s.Put(key(1000), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Put after Close: %v, want ErrClosed", err)
	}
	if err := s.Commit(); !errors.Is(err, ErrClosed) {
		t.Errorf("Commit after Close: %v, want ErrClosed", err)
	}
}

func TestSpill(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	rng := rand.New(rand.NewSource(1))
	values := make([][]byte, 40)
	for i := range values {
		values[i] = make([]byte, rng.Intn(300_000))
		rng.Read(values[i])
		if err := s.Put(key(i), values[i]); err != nil {
			t.Fatal(err)
		}
		if len(s.pending.buf) > 2*spillSize {
			t.Fatalf("%d bytes held in memory", len(s.pending.buf))
		}
	}
	check := func(s *Store) {
		for i, want := range values {
			if got, ok, err := s.Get(key(i)); err != nil || !ok || !bytes.Equal(got, want) {
				t.Fatalf("value %d differs (found %v, error %v)", i, ok, err)
			}
		}
	}
	check(s)
	commit(t, s)
	check(s)
	check(open(t, dir))
}

func TestEqualContentSharesASegment(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	put(t, a, 0, 50)
	put(t, b, 0, 50)
	commit(t, a)
	commit(t, b)
	if n := len(segmentFiles(t, dir)); n != 1 {
		t.Errorf("%d segments, want 1", n)
	}
	wantRange(t, a, 0, 50, 50)
	wantRange(t, b, 0, 50, 50)
}

func TestConcurrentStores(t *testing.T) {
	dir := t.TempDir()
	const stores, perStore = 6, 200
	var wg sync.WaitGroup
	for w := range stores {
		wg.Go(func() {
			s, err := Open(dir, Options{})
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			defer s.Close()
			var inner sync.WaitGroup
			for g := range 3 { // ranges overlap between stores
				inner.Go(func() {
					for i := w*perStore/2 + g; i < w*perStore/2+perStore; i += 3 {
						if err := s.Put(key(i), val(i)); err != nil {
							t.Errorf("Put: %v", err)
						}
						if got, ok, err := s.Get(key(i)); err != nil || !ok || !bytes.Equal(got, val(i)) {
							t.Errorf("Get %d: %v %v", i, ok, err)
						}
						if i%50 == 0 {
							if err := s.Commit(); err != nil {
								t.Errorf("Commit: %v", err)
							}
						}
					}
				})
			}
			inner.Wait()
			if err := s.Commit(); err != nil {
				t.Errorf("Commit: %v", err)
			}
			if _, err := s.Compact(nil, 0); err != nil {
				t.Errorf("Compact: %v", err)
			}
		})
	}
	wg.Wait()
	s := open(t, dir)
	wantRange(t, s, 0, (stores+1)*perStore/2, (stores+1)*perStore/2+10)
	if p := s.Problems(); len(p) > 0 {
		t.Errorf("problems: %v", p)
	}
	if left := tempFiles(t, dir); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
}

func TestReadOnlyAndDisabled(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir)
	put(t, w, 0, 10)
	commit(t, w)
	r, err := OpenReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantRange(t, r, 0, 10, 12)
	if err := r.Put(key(11), nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Put: %v, want ErrReadOnly", err)
	}
	if err := r.Commit(); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Commit: %v, want ErrReadOnly", err)
	}
	if _, err := r.Compact(nil, 0); !errors.Is(err, ErrReadOnly) {
		t.Errorf("Compact: %v, want ErrReadOnly", err)
	}
	d := Disabled()
	if err := d.Put(key(0), val(0)); err != nil {
		t.Error(err)
	}
	wantRange(t, d, 0, 0, 3)
	if err := errors.Join(d.Commit(), d.Close()); err != nil {
		t.Error(err)
	}
}

// TestUnwritable makes the directory impossible to create, which stands for
// every failure to write.
func TestUnwritable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := &Store{dir: filepath.Join(file, "facts"), now: time.Now, bad: map[Key]bool{}}
	err := s.Put(key(0), val(0))
	if err == nil || !strings.Contains(err.Error(), "write fact cache "+s.dir) {
		t.Fatalf("Put = %v, want an error that names the directory", err)
	}
	if again := s.Put(key(1), val(1)); !errors.Is(again, err) && again.Error() != err.Error() {
		t.Errorf("second Put = %v, want %v", again, err)
	}
	if got := s.Commit(); got == nil {
		t.Error("Commit succeeded")
	}
	if _, ok, err := s.Get(key(0)); ok || err != nil {
		t.Errorf("Get = %v, %v; want absent", ok, err)
	}
}

func TestFailureToSpillDiscards(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	put(t, s, 0, 10)
	commit(t, s)
	put(t, s, 10, 20)
	_ = s.pending.f.Close() // the next write fails, as on a full disk
	if err := s.Commit(); err == nil {
		t.Fatal("Commit succeeded without a file")
	}
	if left := tempFiles(t, dir); len(left) > 0 {
		t.Errorf("temporary files left: %v", left)
	}
	wantRange(t, s, 0, 10, 20)
	if err := s.Put(key(30), val(30)); err == nil {
		t.Error("Put after a failure succeeded")
	}
}

func TestTooLarge(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.Put(key(0), make([]byte, MaxRecord+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Put = %v, want ErrTooLarge", err)
	}
}

func BenchmarkOpen13000(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 13_000 {
		if err := s.Put(key(i), val(i)); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Commit(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for range b.N {
		s, err := Open(dir, Options{})
		if err != nil || s.Len() != 13_000 {
			b.Fatal(err, s.Len())
		}
		_ = s.Close()
	}
}

func BenchmarkGet(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	value := bytes.Repeat([]byte("some facts about a file; "), 400)
	for i := range 2000 {
		if err := s.Put(key(i), value); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Commit(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(value)))
	b.ResetTimer()
	for i := range b.N {
		if _, ok, err := s.Get(key(i % 2000)); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
