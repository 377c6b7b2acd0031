package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
)

// repository is a git repository in a directory of its own.
type repository struct {
	t   *testing.T
	dir string
	env []string
}

func (r *repository) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// program prepares a run of the program in a process of its own.
func (r *repository) program(args ...string) (cmd *exec.Cmd, stderr *lockedBuffer) {
	r.t.Helper()
	self, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	stderr = &lockedBuffer{}
	cmd = exec.Command(self, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = r.dir, append(r.env, asProgram+"=1"), stderr
	return cmd, stderr
}

// must runs the program, which has to end with a code.
func (r *repository) must(code int, args ...string) (stderr string) {
	r.t.Helper()
	cmd, buf := r.program(args...)
	err := cmd.Run()
	if got := codeOf(r.t, err); got != code {
		r.t.Fatalf("project-map %s: exit code %d, want %d\n%s", strings.Join(args, " "), got, code, buf)
	}
	return buf.String()
}

func codeOf(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return 0
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newRepository makes a repository of small Go packages.
func newRepository(t *testing.T, packages, files int) *repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not installed")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{t: t, dir: filepath.Join(base, "repo"), env: append(gitEnvironment(base), "PATH="+os.Getenv("PATH"))}
	for p := range packages {
		dir := filepath.Join(r.dir, fmt.Sprintf("group%02d", p%20), fmt.Sprintf("pkg%03d", p))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for f := range files {
			var b strings.Builder
			fmt.Fprintf(&b, "// Package pkg%03d is number %d.\npackage pkg%03d\n", p, p, p)
			for i := range 20 {
				fmt.Fprintf(&b, "\n// Handle%d_%d handles case %d of file %d.\nfunc Handle%d_%d(value int) (int, error) { return value + %d, nil }\n", f, i, i, f, f, i, p)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%d.go", f)), []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.git("init", "-q", "-b", "main")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "one")
	return r
}

// pages reads the artifacts of a tree, all of which have to be whole, and lists
// temporary files.
func pagesOf(t *testing.T, dir string) (pages map[string]string, temps []string) {
	t.Helper()
	pages = map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == store.DirName):
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), safefs.TempPrefix):
			temps = append(temps, rel)
		case isArtifactName(d.Name()):
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			if s := artifact.Inspect(data); s != artifact.Canonical {
				t.Errorf("%s is %v", rel, s)
			}
			pages[rel] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages, temps
}

func samePages(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d pages, want %d", len(got), len(want))
	}
	for p, text := range want {
		if got[p] != text {
			t.Errorf("%s differs from that of an undisturbed run", p)
		}
	}
}

// undisturbed gives the pages of a run that nothing happens to.
func (r *repository) undisturbed() map[string]string {
	r.t.Helper()
	out := filepath.Join(r.t.TempDir(), "maps")
	r.must(0, "index", "--out", out)
	pages, _ := pagesOf(r.t, out)
	if err := os.RemoveAll(filepath.Join(r.dir, ".git", "project-map")); err != nil {
		r.t.Fatal(err)
	}
	return pages
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// writtenBy reads the artifacts and the current generation of the store.
func writtenBy(t *testing.T, dir string) (pages, generation map[string]string) {
	t.Helper()
	pages, _ = pagesOf(t, dir)
	generation = map[string]string{}
	for _, name := range []string{"current", "catalog", "manifest.json"} {
		at := filepath.Join(dir, store.DirName)
		if name != "current" {
			at = filepath.Join(at, strings.TrimSpace(generation["current"]))
		}
		data, err := os.ReadFile(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		generation[name] = string(data)
	}
	return pages, generation
}
