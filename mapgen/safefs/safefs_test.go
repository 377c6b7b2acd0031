package safefs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func openRoot(t testing.TB) (*Root, string) {
	t.Helper()
	dir := t.TempDir()
	r, err := OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r, dir
}

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func symlink(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip("symbolic links are not available:", err)
	}
}

func content(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantNoTemp checks that no temporary file is left anywhere below dir.
func wantNoTemp(t testing.TB, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(d.Name(), TempPrefix) {
			t.Errorf("temporary file left: %s", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestWriteFile(t *testing.T) {
	for _, sync := range []bool{false, true} {
		r, dir := openRoot(t)
		r.Sync = sync
		file := filepath.Join(dir, "a", "b", "x.md")
		if _, err := r.WriteFile("a/b/x.md", []byte("one")); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("write without a parent: %v, want not exist", err)
		}
		if err := r.MkdirAll("a/b"); err != nil {
			t.Fatal(err)
		}
		for i, step := range []struct {
			data    string
			changed bool
		}{{"one", true}, {"one", false}, {"two", true}, {"", true}, {"", false}, {"longer", true}} {
			changed, err := r.WriteFile("a/b/x.md", []byte(step.data))
			if err != nil || changed != step.changed {
				t.Errorf("step %d: changed %v, %v; want %v", i, changed, err, step.changed)
			}
			if got := content(t, file); got != step.data {
				t.Errorf("step %d: content %q, want %q", i, got, step.data)
			}
			if got, err := r.ReadFile("a/b/x.md"); err != nil || string(got) != step.data {
				t.Errorf("step %d: ReadFile = %q, %v", i, got, err)
			}
		}
		wantNoTemp(t, dir)
	}
}

func TestUnchangedFileIsNotTouched(t *testing.T) {
	r, dir := openRoot(t)
	file := filepath.Join(dir, "x")
	write(t, file, "same")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(file)
	if changed, err := r.WriteFile("x", []byte("same")); changed || err != nil {
		t.Fatalf("WriteFile = %v, %v", changed, err)
	}
	after, _ := os.Stat(file)
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("the file was touched")
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits")
	}
	r, dir := openRoot(t)
	if _, err := r.WriteFile("new", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(filepath.Join(dir, "new")); info.Mode().Perm()&^0o644 != 0 || info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("new file has mode %v", info.Mode())
	}
	for _, mode := range []fs.FileMode{0o600, 0o444, 0o755, 0o666} {
		name := fmt.Sprintf("m%o", mode)
		file := filepath.Join(dir, name)
		write(t, file, "old")
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if changed, err := r.WriteFile(name, []byte("new")); !changed || err != nil {
			t.Errorf("mode %v: %v, %v", mode, changed, err)
		}
		if info, _ := os.Stat(file); info.Mode().Perm() != mode {
			t.Errorf("mode %v became %v", mode, info.Mode())
		}
	}
}

func TestReplacingLeavesHardLinksAlone(t *testing.T) {
	r, dir := openRoot(t)
	other := filepath.Join(t.TempDir(), "outside")
	write(t, other, "outside")
	if err := os.Link(other, filepath.Join(dir, "x")); err != nil {
		t.Skip("no hard links:", err)
	}
	if _, err := r.WriteFile("x", []byte("inside")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, other); got != "outside" {
		t.Errorf("the other name of the file now reads %q", got)
	}
}

// TestRefusals tries every operation on every kind of path that must be refused
// and checks that nothing changed anywhere.
func TestRefusals(t *testing.T) {
	r, dir := openRoot(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "f"), "outside")
	write(t, filepath.Join(dir, "real", "f"), "inside")
	write(t, filepath.Join(dir, "plain"), "plain")
	symlink(t, outside, filepath.Join(dir, "out"))
	symlink(t, "real", filepath.Join(dir, "in"))
	symlink(t, filepath.Join(outside, "f"), filepath.Join(dir, "outfile"))
	symlink(t, "real/f", filepath.Join(dir, "infile"))
	symlink(t, "nowhere", filepath.Join(dir, "dangling"))
	symlink(t, "loop", filepath.Join(dir, "loop"))

	tests := []struct {
		rel  string
		want error
	}{
		{"out/f", ErrSymlink}, {"out/new", ErrSymlink}, {"out/deep/new", ErrSymlink},
		{"in/f", ErrSymlink}, {"in/new", ErrSymlink},
		{"outfile", ErrSymlink}, {"infile", ErrSymlink}, {"dangling", ErrSymlink}, {"loop", ErrSymlink}, {"loop/x", ErrSymlink},
		{"real", ErrNotRegular}, {"plain/x", nil},
		{"", ErrInvalidPath}, {".", ErrInvalidPath}, {"..", ErrInvalidPath}, {"../x", ErrInvalidPath}, {"a/../x", ErrInvalidPath},
		{"/etc/x", ErrInvalidPath}, {"a//x", ErrInvalidPath}, {"a/", ErrInvalidPath}, {"./x", ErrInvalidPath}, {"a\x00b", ErrInvalidPath},
	}
	for _, tt := range tests {
		_, writeErr := r.WriteFile(tt.rel, []byte("changed"))
		_, readErr := r.ReadFile(tt.rel)
		removeErr := r.Remove(tt.rel)
		for op, err := range map[string]error{"WriteFile": writeErr, "ReadFile": readErr, "Remove": removeErr} {
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%s(%q): %v, want %v", op, tt.rel, err, tt.want)
			} else if strings.Contains(err.Error(), TempPrefix) {
				t.Errorf("%s(%q) names a temporary file: %v", op, tt.rel, err)
			}
		}
	}
	for _, rel := range []string{"out/sub", "in/sub", "dangling", "dangling/sub", "plain/sub", "../sub"} {
		if err := r.MkdirAll(rel); err == nil {
			t.Errorf("MkdirAll(%q) succeeded", rel)
		}
	}
	for _, rel := range []string{"out", "in", "../x"} {
		if n, err := r.SweepTemp(rel, time.Now()); err == nil || n != 0 {
			t.Errorf("SweepTemp(%q) = %d, %v; want an error", rel, n, err)
		}
		if removed, err := r.RemoveDir(rel); err == nil || removed {
			t.Errorf("RemoveDir(%q) = %v, %v; want an error", rel, removed, err)
		}
	}
	if got := content(t, filepath.Join(outside, "f")) + content(t, filepath.Join(dir, "real", "f")); got != "outsideinside" {
		t.Errorf("content changed: %q", got)
	}
	for _, d := range []string{outside, filepath.Join(dir, "real")} {
		if entries, _ := os.ReadDir(d); len(entries) != 1 {
			t.Errorf("%s has %d entries, want 1", d, len(entries))
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "dangling")); err != nil {
		t.Error("a link was removed")
	}
	wantNoTemp(t, dir)
}

func TestPipeIsNotOpened(t *testing.T) {
	r, dir := openRoot(t)
	if err := mkfifo(filepath.Join(dir, "pipe")); err != nil {
		t.Skip("no pipes:", err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := r.WriteFile("pipe", []byte("x"))
		_, err2 := r.ReadFile("pipe")
		done <- errors.Join(err, err2)
	}()
	select {
	case err := <-done:
		if !errors.Is(err, ErrNotRegular) {
			t.Errorf("got %v, want ErrNotRegular", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("blocked on a pipe")
	}
}

// TestSwappedDirectory replaces a parent by a link to a directory outside and
// back while files are written through it: nothing may appear outside.
func TestSwappedDirectory(t *testing.T) {
	r, dir := openRoot(t)
	outside := filepath.Join(dir, "elsewhere") // inside the root, so that os.Root alone would follow
	if err := os.MkdirAll(filepath.Join(outside, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := r.MkdirAll("d/sub"); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		d, aside := filepath.Join(dir, "d"), filepath.Join(dir, "aside")
		for {
			select {
			case <-stop:
				return
			default:
			}
			if os.Rename(d, aside) == nil {
				if os.Symlink("elsewhere", d) == nil {
					runtime.Gosched()
					_ = os.Remove(d)
				}
				_ = os.Rename(aside, d)
			}
		}
	})
	written := 0
	for i := range 3000 {
		if changed, err := r.WriteFile("d/sub/f", fmt.Appendf(nil, "%d", i)); err == nil && changed {
			written++
		}
	}
	close(stop)
	wg.Wait()
	if entries, err := os.ReadDir(filepath.Join(outside, "sub")); err != nil || len(entries) > 0 {
		t.Errorf("written through the link: %v %v", entries, err)
	}
	if written == 0 {
		t.Error("no write succeeded, so the test shows nothing")
	}
}

func TestConcurrentWritersAndReader(t *testing.T) {
	r, dir := openRoot(t)
	a, b := bytes.Repeat([]byte("a"), 50_000), bytes.Repeat([]byte("b"), 70_000)
	if _, err := r.WriteFile("x", a); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, data := range [][]byte{a, b} {
		wg.Go(func() {
			for range 100 {
				if _, err := r.WriteFile("x", data); err != nil {
					t.Errorf("WriteFile: %v", err)
				}
			}
		})
	}
	for range 300 {
		got, err := os.ReadFile(filepath.Join(dir, "x"))
		if err != nil || !bytes.Equal(got, a) && !bytes.Equal(got, b) {
			t.Errorf("half-written content of %d bytes, %v", len(got), err)
			break
		}
	}
	wg.Wait()
	wantNoTemp(t, dir)
}

func TestRemove(t *testing.T) {
	r, dir := openRoot(t)
	write(t, filepath.Join(dir, "d", "x"), "x")
	if removed, err := r.RemoveDir("d"); removed || err != nil {
		t.Errorf("RemoveDir of a full directory = %v, %v", removed, err)
	}
	for range 2 { // the second time it is gone already
		if err := r.Remove("d/x"); err != nil {
			t.Errorf("Remove: %v", err)
		}
	}
	for i, want := range []bool{true, false} {
		if removed, err := r.RemoveDir("d"); removed != want || err != nil {
			t.Errorf("RemoveDir call %d = %v, %v; want %v", i+1, removed, err, want)
		}
	}
	if err := r.Remove("d/x"); err != nil {
		t.Errorf("Remove below a missing directory: %v", err)
	}
}

func TestSweepTemp(t *testing.T) {
	r, dir := openRoot(t)
	now := time.Now()
	for name, age := range map[string]time.Duration{
		"d/" + TempPrefix + "old":       2 * TempAge,
		"d/" + TempPrefix + "new":       time.Minute,
		"d/" + TempPrefix + "future":    -time.Hour,
		"d/old.md":                      48 * time.Hour,
		"d/below/" + TempPrefix + "old": 2 * TempAge,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		write(t, file, "x")
		if err := os.Chtimes(file, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := r.SweepTemp("d", now); n != 1 || err != nil {
		t.Errorf("SweepTemp = %d, %v; want 1", n, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "d", TempPrefix+"old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the leftover is still there: %v", err)
	}
	if n, err := r.SweepTemp(".", now); n != 0 || err != nil {
		t.Errorf("SweepTemp of the root = %d, %v", n, err)
	}
	if n, err := r.SweepTemp("missing", now); n != 0 || err != nil {
		t.Errorf("SweepTemp of a missing directory = %d, %v", n, err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	r, dir := openRoot(t)
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&fs.PathError{Op: "openat", Path: TempPrefix + "1", Err: syscall.ENOSPC}, "free some space"},
		{&fs.PathError{Op: "openat", Path: TempPrefix + "1", Err: syscall.EACCES}, "make the directory writable"},
		{&fs.PathError{Op: "openat", Path: TempPrefix + "1", Err: syscall.EROFS}, "read-only"},
		{&os.LinkError{Op: "renameat", Old: TempPrefix + "1", New: "x", Err: syscall.ENOSPC}, "free some space"},
	} {
		got := r.wrap("write", "a/x.md", tt.err).Error()
		if !strings.Contains(got, tt.want) || !strings.Contains(got, filepath.Join(dir, "a", "x.md")) || strings.Contains(got, TempPrefix) {
			t.Errorf("error %q, want the path and %q", got, tt.want)
		}
		if !errors.Is(r.wrap("write", "x", tt.err), errors.Unwrap(tt.err)) {
			t.Errorf("%v is no longer recognised", tt.err)
		}
	}
}

func TestReadFileIsBounded(t *testing.T) {
	r, dir := openRoot(t)
	file := filepath.Join(dir, "big")
	write(t, file, "")
	if err := os.Truncate(file, MaxFile+1); err != nil {
		t.Skip(err)
	}
	if _, err := r.ReadFile("big"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("ReadFile = %v, want ErrTooLarge", err)
	}
}

func TestOpenRootMissing(t *testing.T) {
	if _, err := OpenRoot(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenRoot = %v, want not exist", err)
	}
}

func FuzzPaths(f *testing.F) {
	for _, s := range []string{"a", "a/b", "../a", "/a", "a/..", ".", "link/x", "a\\b", "C:x", "NUL", "a\x00", "\xff"} {
		f.Add(s)
	}
	base := f.TempDir()
	dir := filepath.Join(base, "root")
	write(f, filepath.Join(dir, "file"), "x")
	write(f, filepath.Join(base, "link-target", "x"), "untouched")
	symlink(f, "../link-target", filepath.Join(dir, "link"))
	f.Fuzz(func(t *testing.T, rel string) {
		r, err := OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if _, err := r.WriteFile(rel, []byte("y")); err == nil {
			if got, err := r.ReadFile(rel); err != nil || string(got) != "y" {
				t.Errorf("read back %q: %q, %v", rel, got, err)
			}
			_ = r.Remove(rel)
		}
		if entries, _ := os.ReadDir(base); len(entries) != 2 {
			t.Fatalf("%q escaped the root", rel)
		}
		if got := content(t, filepath.Join(base, "link-target", "x")); got != "untouched" {
			t.Fatalf("%q went through the link", rel)
		}
	})
}

func BenchmarkWriteFile(b *testing.B) {
	r, _ := openRoot(b)
	if err := r.MkdirAll("a/b/c/d"); err != nil {
		b.Fatal(err)
	}
	data := bytes.Repeat([]byte("x"), 4000)
	b.Run("unchanged", func(b *testing.B) {
		for range b.N {
			if _, err := r.WriteFile("a/b/c/d/x", data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		for i := range b.N {
			data[i%len(data)]++
			if _, err := r.WriteFile("a/b/c/d/x", data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
