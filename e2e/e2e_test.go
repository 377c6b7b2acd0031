//go:build e2e

// Package e2e_test runs the program together with those that call it: hook
// managers and coding agents, as they are released. "make e2e" installs them;
// a test whose program is missing is skipped and says so.
package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tools is where setup.sh installs, an absolute path.
var tools = os.Getenv("E2E_TOOLS")

// program is the project-map under test.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "project-map-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "project-map")
		if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "../cmd/project-map").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// repo is a repository whose commands see the program under test.
type repo struct {
	t   *testing.T
	dir string
	env []string
	// limit ends commands that hang.
	limit time.Duration
}

// newRepo makes a repository with one commit. path goes before PATH.
func newRepo(t *testing.T, path ...string) *repo {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(t.TempDir(), "repo")
	path = append([]string{filepath.Dir(program), filepath.Join(tools, "bin")}, append(path, os.Getenv("PATH"))...)
	r := &repo{t: t, dir: dir, limit: 3 * time.Minute, env: []string{
		"PATH=" + strings.Join(path, string(filepath.ListSeparator)), "HOME=" + home, "TMPDIR=" + os.TempDir(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com",
		"GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true",
	}}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.run("git", "init", "-q", "-b", "main")
	r.write("queue/queue.go", "// Package queue holds messages.\npackage queue\n\n// Put adds a message.\nfunc Put(message string) {}\n")
	r.write("store/store.go", "// Package store keeps messages.\npackage store\n\nfunc Keep() {}\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "one")
	r.run("project-map", "index", "--quiet")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "maps")
	return r
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// command runs a command with a time limit and gives all that it prints.
func (r *repo) command(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.limit)
	defer cancel()
	for _, kv := range r.env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok && !strings.Contains(name, "/") {
			for _, d := range filepath.SplitList(path) {
				if info, err := os.Stat(filepath.Join(d, name)); err == nil && !info.IsDir() {
					name = filepath.Join(d, name)
					break
				}
			}
		}
	}
	cmd := exec.CommandContext(ctx, name, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = r.dir, r.env, &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (r *repo) run(name string, args ...string) string {
	r.t.Helper()
	out, err := r.command(name, args...)
	if err != nil {
		r.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return out
}

func (r *repo) fails(name string, args ...string) string {
	r.t.Helper()
	out, err := r.command(name, args...)
	if err == nil {
		r.t.Fatalf("%s %s went well\n%s", name, strings.Join(args, " "), out)
	}
	return out
}

// holds checks what a file of HEAD holds.
func (r *repo) holds(file, want string) {
	r.t.Helper()
	if out := r.run("git", "show", "HEAD:"+file); !strings.Contains(out, want) {
		r.t.Errorf("%s of HEAD does not hold %q:\n%s", file, want, out)
	}
}

// clean checks that nothing is left over and the maps of HEAD are fresh.
func (r *repo) clean() {
	r.t.Helper()
	if out := r.run("git", "status", "--porcelain"); out != "" {
		r.t.Errorf("left over:\n%s", out)
	}
	r.run("project-map", "validate")
}

// contains checks a text.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("there is no %q in:\n%s", p, text)
		}
	}
}

// installed skips a test without its program.
func installed(t *testing.T, file, name string) {
	t.Helper()
	if tools == "" {
		t.Skip("E2E_TOOLS is not set: run make e2e")
	}
	if strings.Contains(file, "/") {
		if _, err := os.Stat(filepath.Join(tools, filepath.FromSlash(file))); err == nil {
			return
		}
	} else {
		if _, err := exec.LookPath(file); err == nil {
			return
		}
		if _, err := os.Stat(filepath.Join(tools, "bin", file)); err == nil {
			return
		}
	}
	t.Skipf("%s is not installed; make e2e says why", name)
}
