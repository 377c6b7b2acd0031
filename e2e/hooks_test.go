//go:build e2e

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPreCommit runs the real pre-commit on the hook that init adds.
func TestPreCommit(t *testing.T) {
	installed(t, "pre-commit", "pre-commit")
	r := newRepo(t)
	r.run("project-map", "init", "hooks", "--kind", "pre-commit")
	r.run("pre-commit", "validate-config")
	r.run("pre-commit", "install", "--hook-type", "pre-commit", "--hook-type", "pre-merge-commit")
	r.run("git", "add", ".pre-commit-config.yaml")
	out := r.fails("git", "commit", "-m", "hooks") // the file is new in the root's map
	contains(t, out, "maps of what is staged (project-map)", "Failed", "stage them and commit again")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "hooks")
	r.clean()

	// A new directory: its maps are untracked files, which pre-commit does not see.
	r.write("fresh/fresh.go", "// Package fresh is new.\npackage fresh\n")
	r.run("git", "add", "fresh")
	contains(t, r.fails("git", "commit", "-m", "fresh"), "fresh/.pi-map.index.md")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "fresh")
	r.clean()

	// A partly staged file: pre-commit puts the rest aside meanwhile.
	r.write("queue/queue.go", "package queue\n\nfunc Staged() {}\n")
	r.run("git", "add", "queue")
	r.write("queue/queue.go", "package queue\n\nfunc OnDisk() {}\n")
	r.fails("git", "commit", "-m", "partly")
	r.run("git", "add", "-A", "--", "*.pi-map.md", "*.pi-map.index.md")
	r.run("git", "commit", "-q", "-m", "partly")
	r.holds("queue/queue.go", "Staged")
	r.holds("queue/.pi-map.md", "Staged")
	if out := r.run("git", "status", "--porcelain"); out != " M queue/queue.go\n" {
		t.Errorf("left over:\n%s", out)
	}
	r.run("git", "checkout", "-q", "-f")

	// Nothing that maps are made of changes: it passes.
	r.run("git", "commit", "-q", "--allow-empty", "-m", "empty")
	// commit -a.
	r.write("queue/queue.go", "package queue\n\nfunc WithMinusA() {}\n")
	r.fails("git", "commit", "-a", "-m", "all")
	r.run("git", "commit", "-q", "-a", "-m", "all")
	r.holds("queue/.pi-map.md", "WithMinusA")
	r.clean()
}

// TestPreCommitHooksFile runs the hooks that this repository publishes, those
// that need no build.
func TestPreCommitHooksFile(t *testing.T) {
	installed(t, "pre-commit", "pre-commit")
	data, err := os.ReadFile(filepath.Join("..", ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	hooks := newRepo(t)
	hooks.write(".pre-commit-hooks.yaml", string(data))
	hooks.run("pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")
	hooks.run("git", "add", "-A")
	hooks.run("git", "commit", "-q", "-m", "hooks")
	hooks.run("git", "tag", "v1")
	r := newRepo(t)
	r.write(".pre-commit-config.yaml", "repos:\n- repo: "+hooks.dir+"\n  rev: v1\n  hooks:\n  - id: project-map-validate-system\n")
	r.run("git", "add", "-A")
	contains(t, r.fails("pre-commit", "run"), "check the maps that are staged", "stale")
	r.write(".pre-commit-config.yaml", "repos:\n- repo: "+hooks.dir+"\n  rev: v1\n  hooks:\n  - id: project-map-system\n")
	r.run("git", "add", "-A")
	contains(t, r.fails("pre-commit", "run"), "write the maps of what is staged", "stage them and commit again")
	r.run("git", "add", "-A")
	contains(t, r.run("pre-commit", "run"), "Passed")
}

// TestPreCommitBuilds lets pre-commit build the program from this repository as
// it is here, which takes a minute and more.
func TestPreCommitBuilds(t *testing.T) {
	installed(t, "pre-commit", "pre-commit")
	if os.Getenv("E2E_BUILD") == "" {
		t.Skip("takes minutes; run it with E2E_BUILD=1")
	}
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return name + "=" + strings.TrimSpace(string(out))
	}
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Skipf("this is no git repository: %v", err)
	}
	hooks := newRepo(t)
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if data, err := os.ReadFile(filepath.Join("..", name)); err == nil {
			hooks.write(name, string(data))
		}
	}
	hooks.run("git", "add", "-A")
	hooks.run("git", "commit", "-q", "-m", "program")
	hooks.run("git", "tag", "v1")
	r := newRepo(t)
	r.env = append(r.env, goEnv("GOCACHE"), goEnv("GOMODCACHE"), goEnv("GOPROXY"), "GOFLAGS=-buildvcs=false")
	r.limit = 15 * time.Minute
	r.write(".pre-commit-config.yaml", "repos:\n- repo: "+hooks.dir+"\n  rev: v1\n  hooks:\n  - id: project-map\n")
	r.run("git", "add", "-A")
	contains(t, r.fails("pre-commit", "run"), "write the maps of what is staged", "stage them and commit again")
	r.run("git", "add", "-A")
	contains(t, r.run("pre-commit", "run"), "Passed")
}

// TestLefthook runs the real lefthook, which stages for the user.
func TestLefthook(t *testing.T) {
	installed(t, "lefthook", "lefthook")
	r := newRepo(t)
	r.run("project-map", "init", "hooks", "--kind", "lefthook")
	r.run("lefthook", "install")
	stagingHook(t, r)
}

// TestHusky runs the real husky.
func TestHusky(t *testing.T) {
	installed(t, "husky/node_modules/husky/bin.js", "husky")
	r := newRepo(t)
	r.write("package.json", "{}\n")
	r.run("node", filepath.Join(tools, "husky", "node_modules", "husky", "bin.js"))
	r.run("project-map", "init", "hooks", "--kind", "husky")
	stagingHook(t, r)
}

// stagingHook checks a hook that stages the maps where that is safe.
func stagingHook(t *testing.T, r *repo) {
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "hooks")
	r.clean()
	r.write("queue/queue.go", "package queue\n\nfunc Changed() {}\n")
	r.write("fresh/fresh.go", "// Package fresh is new.\npackage fresh\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "changed")
	r.holds("queue/.pi-map.md", "Changed")
	r.holds("fresh/.pi-map.index.md", "fresh")
	r.clean()
	r.write("queue/queue.go", "package queue\n\nfunc WithMinusA() {}\n")
	r.run("git", "commit", "-q", "-a", "-m", "all")
	r.holds("queue/.pi-map.md", "WithMinusA")
	r.clean()
	r.write("queue/queue.go", "package queue\n\nfunc Partial() {}\n")
	contains(t, r.fails("git", "commit", "-m", "partial", "--", "queue/queue.go"), "YOUR-PATHS")
	r.run("git", "add", "-A", "--", "*.pi-map.md", "*.pi-map.index.md")
	r.run("git", "commit", "-q", "-m", "partial", "--", "queue/queue.go", "*.pi-map.md", "*.pi-map.index.md")
	r.holds("queue/.pi-map.md", "Partial")
	r.clean()
	// A clean merge of sources that touch one directory from two sides.
	r.run("git", "checkout", "-q", "-b", "side")
	r.write("store/a.go", "package store\n\nfunc FromSide() {}\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "side")
	r.run("git", "checkout", "-q", "main")
	r.write("queue/b.go", "package queue\n\nfunc FromMain() {}\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "main")
	r.run("git", "merge", "-q", "--no-edit", "side")
	r.holds("store/.pi-map.md", "FromSide")
	r.holds("queue/.pi-map.md", "FromMain")
	r.clean()
}
