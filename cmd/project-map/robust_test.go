package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/factstore"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

func TestInterruptStopsCleanly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	r := newRepository(t, 200, 4)
	want := r.undisturbed()
	interrupted := false
	for _, delay := range []time.Duration{0, 30 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond} {
		lock := filepath.Join(r.dir, store.DirName, "lock")
		if err := os.RemoveAll(lock); err != nil {
			t.Fatal(err)
		}
		cmd, stderr := r.program("index")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the lock", func() bool {
			_, err := os.Stat(lock)
			return err == nil
		})
		time.Sleep(delay)
		_ = cmd.Process.Signal(os.Interrupt)
		start := time.Now()
		code := codeOf(t, cmd.Wait())
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("stopping took %v", took)
		}
		switch code {
		case exitCannot:
			interrupted = true
			if got := stderr.String(); !strings.Contains(got, "project-map: interrupted\n  nothing is half-written; run the command again to finish\n") {
				t.Errorf("message is %q", got)
			}
		case exitOK: // it was done before the signal came
		default:
			t.Fatalf("exit code %d\n%s", code, stderr)
		}
		if _, temps := pagesOf(t, r.dir); len(temps) > 0 {
			t.Errorf("temporary files are left: %v", temps)
		}
		if s, err := store.Open(filepath.Join(r.dir, store.DirName)); err == nil {
			_ = s.Close()
		} else if !errors.Is(err, store.ErrNone) {
			t.Errorf("the store: %v", err)
		}
	}
	if !interrupted {
		t.Error("no run was interrupted")
	}
	r.must(0, "index")
	got, _ := pagesOf(t, r.dir)
	samePages(t, got, want)
	r.must(0, "validate")
}

func TestKilledRunsAreMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	r := newRepository(t, 150, 3)
	want := r.undisturbed()
	for i := range 8 {
		cmd, _ := r.program("index")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// Some runs die early, some while they write pages, some in the store.
		if i%2 == 0 {
			time.Sleep(time.Duration(20+40*i) * time.Millisecond)
		} else {
			last := filepath.Join(r.dir, fmt.Sprintf("group%02d", 2*i), artifact.MapName)
			deadline := time.Now().Add(2 * time.Second)
			for time.Now().Before(deadline) {
				if _, err := os.Stat(last); err == nil {
					break
				}
			}
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		pagesOf(t, r.dir) // what is there is whole
		if s, err := store.Open(filepath.Join(r.dir, store.DirName)); err == nil {
			_ = s.Close()
		} else if !errors.Is(err, store.ErrNone) {
			t.Errorf("the store after kill %d: %v", i, err)
		}
		if i%3 == 2 {
			// Start over, so that later kills hit writing as well.
			if err := os.RemoveAll(filepath.Join(r.dir, store.DirName)); err != nil {
				t.Fatal(err)
			}
			r.git("clean", "-qfdx")
		}
	}
	leftover := filepath.Join(r.dir, "group03", safefs.TempPrefix+"0123456789abcdef")
	if err := os.WriteFile(leftover, []byte("half a pa"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.must(0, "index")
	got, temps := pagesOf(t, r.dir)
	samePages(t, got, want)
	if len(temps) > 0 {
		t.Errorf("temporary files are left: %v", temps)
	}
	entries, err := os.ReadDir(filepath.Join(r.dir, store.DirName))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "tmp-") {
			t.Errorf("%s is left in the store", e.Name())
		}
	}
	r.must(0, "validate")
	r.must(0, "doctor")
}

func TestTwoRunsAtOnce(t *testing.T) {
	r := newRepository(t, 40, 2)
	want := r.undisturbed()

	// Both end well, whoever comes first.
	var runs [3]*exec.Cmd
	var errs [3]*lockedBuffer
	for i := range runs {
		runs[i], errs[i] = r.program("index")
		if err := runs[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i, cmd := range runs {
		if code := codeOf(t, cmd.Wait()); code != 0 {
			t.Errorf("run %d: exit code %d\n%s", i, code, errs[i])
		}
	}
	got, _ := pagesOf(t, r.dir)
	samePages(t, got, want)

	// The one that waits says so, takes the repository as it is afterwards, and
	// can be interrupted.
	unlock, err := store.Lock(context.Background(), filepath.Join(r.dir, store.DirName), nil)
	if err != nil {
		t.Fatal(err)
	}
	waiting, stderr := r.program("index")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	says := "another project-map is writing to " + filepath.Join(r.dir, store.DirName) + "; waiting for it"
	waitFor(t, "the message", func() bool { return strings.Contains(stderr.String(), says) })
	if err := os.WriteFile(filepath.Join(r.dir, "late.go"), []byte("package late\n\nfunc Late() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.git("add", "late.go")
	r.git("commit", "-q", "-m", "late")
	if runtime.GOOS != "windows" {
		impatient, out := r.program("validate", "--fix")
		if err := impatient.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor(t, "the message", func() bool { return strings.Contains(out.String(), says) })
		_ = impatient.Process.Signal(os.Interrupt)
		if code := codeOf(t, impatient.Wait()); code != exitCannot || !strings.Contains(out.String(), "project-map: interrupted") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
	// Who only reads does not wait.
	r.must(0, "context", "handle case")
	unlock()
	if code := codeOf(t, waiting.Wait()); code != 0 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	page, err := os.ReadFile(filepath.Join(r.dir, artifact.MapName))
	if err != nil || !strings.Contains(string(page), "func Late()") {
		t.Errorf("the waiting run wrote the state of before: %v", err)
	}
}

// TestSameBytesEverywhere: neither place, user, processors nor what was there
// before show in what is written.
func TestSameBytesEverywhere(t *testing.T) {
	r := newRepository(t, 30, 2)
	first := filepath.Join(r.dir, "group00", "pkg000", "file0.go")
	if err := os.WriteFile(first, []byte("package pkg000\n\n// New is new.\nfunc New() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.must(0, "index")
	r.git("commit", "-q", "-am", "two")
	r.must(0, "index") // incremental
	want, wantStore := writtenBy(t, r.dir)

	other := &repository{t: t, dir: filepath.Join(t.TempDir(), "another", "place"), env: append(r.env[:len(r.env):len(r.env)], "USER=somebody", "HOME="+t.TempDir(), "TZ=Asia/Tokyo")}
	r.git("clone", "-q", ".", other.dir)
	for _, procs := range []string{"1", "8"} {
		other.env = append(other.env[:len(other.env):len(other.env)], "GOMAXPROCS="+procs)
		for _, d := range []string{store.DirName, filepath.Join(".git", "project-map")} {
			if err := os.RemoveAll(filepath.Join(other.dir, d)); err != nil {
				t.Fatal(err)
			}
		}
		other.must(0, "index")
		got, gotStore := writtenBy(t, other.dir)
		samePages(t, got, want)
		samePages(t, gotStore, wantStore)
	}
}

// mountAt mounts a file system for the test, where that is permitted.
func mountAt(t *testing.T, dir string, args ...string) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("mounting is not permitted")
	}
	if out, err := exec.Command("mount", append(args, dir)...).CombinedOutput(); err != nil {
		t.Skipf("mounting is not permitted: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
}

func TestFullDisk(t *testing.T) {
	r := newRepository(t, 60, 2)
	want := r.undisturbed()
	disk := t.TempDir()
	mountAt(t, disk, "-t", "tmpfs", "-o", "size=200k", "none")
	out := filepath.Join(disk, "maps")
	stderr := r.must(exitCannot, "index", "--out", out)
	if !strings.Contains(stderr, "no space left on device") || !strings.Contains(stderr, "free some space") {
		t.Errorf("message is %q", stderr)
	}
	if _, temps := pagesOf(t, disk); len(temps) > 0 {
		t.Errorf("temporary files are left: %v", temps)
	}
	if outText, err := exec.Command("mount", "-o", "remount,size=20m", disk).CombinedOutput(); err != nil {
		t.Fatalf("remount: %s", outText)
	}
	r.must(0, "index", "--out", out)
	got, _ := pagesOf(t, out)
	samePages(t, got, want)
	r.must(0, "validate", "--out", out)
}

func TestReadOnlyWorkTree(t *testing.T) {
	r := newRepository(t, 4, 1)
	empty := newRepository(t, 4, 1)
	r.must(0, "index")
	for _, x := range []*repository{r, empty} {
		mountAt(t, x.dir, "--bind", x.dir)
		if out, err := exec.Command("mount", "-o", "remount,bind,ro", x.dir).CombinedOutput(); err != nil {
			t.Skipf("read-only mounts are not permitted: %s", out)
		}
	}
	stderr := empty.must(exitCannot, "index")
	if !strings.Contains(stderr, "read-only file system") || !strings.Contains(stderr, "--out DIR") {
		t.Errorf("message is %q", stderr)
	}
	// What only reads works, and a store elsewhere can be made.
	r.must(0, "context", "handle case")
	if stderr := r.must(0, "validate"); !strings.Contains(stderr, "working without a fact cache") {
		t.Errorf("no remark on the cache: %q", stderr)
	}
	empty.must(0, "index", "--out", filepath.Join(t.TempDir(), "maps"))
}

// TestUnwritableDirectory is the read-only case for those who are not root.
func TestUnwritableDirectory(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind root")
	}
	r := newRepository(t, 4, 1)
	if err := os.Chmod(r.dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(r.dir, 0o755) })
	stderr := r.must(exitCannot, "index")
	if !strings.Contains(stderr, "permission denied") || !strings.Contains(stderr, "--out DIR") {
		t.Errorf("message is %q", stderr)
	}
}

// TestFileVanishesWhileReading takes a file away between the listing and the
// reading: a note, and the run goes on.
func TestFileVanishesWhileReading(t *testing.T) {
	r := newRepository(t, 3, 1)
	repo, err := revision.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	// Content that git does not have, so that it can come from the disk only.
	names := []string{"group00/pkg000/file0.go", "group01/pkg001/file0.go", "group02/pkg002/file0.go"}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(r.dir, n), []byte("package changed\n\nfunc Changed() {}\n// "+n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := repo.Snapshot(t.Context(), revision.Options{Kind: revision.Worktree})
	if err != nil {
		t.Fatal(err)
	}
	in, err := newInput(s, "", &config.Config{Artifacts: placeBeside}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.dir, names[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.dir, "group01")); err != nil {
		t.Fatal(err)
	}
	b, err := compile(t.Context(), in, buildOptions{cache: factstore.Disabled()})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range b.result.Files {
		want := facts.Listed
		if i == 2 {
			want = facts.Parsed
		}
		if f.File.Depth != want {
			t.Errorf("%s is %v, want %v", f.Path, f.File.Depth, want)
		}
	}
}
