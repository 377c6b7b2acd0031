package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/project-map/project-map/mapgen/store"
)

// TestIncrementalIsFull goes through what happens to repositories, and compares
// a run on top of the last one with a run from nothing after each step.
func TestIncrementalIsFull(t *testing.T) {
	r := newRepository(t, 6, 2)
	write := func(name, text string) {
		t.Helper()
		full := filepath.Join(r.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(message string) {
		t.Helper()
		r.git("add", "-A", "--", ".", ":!*.pi-map.md", ":!*.pi-map.index.md")
		r.git("commit", "-q", "--allow-empty", "-m", message)
	}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"nothing", func() {}},
		{"add", func() { write("new/new.go", "package new\n\nfunc New() {}\n"); commit("add") }},
		{"edit", func() { write("new/new.go", "package new\n\nfunc New(n int) {}\n"); commit("edit") }},
		{"import", func() {
			write("go.mod", "module example.com/x\n")
			write("main.go", "package main\n\nimport \"example.com/x/new\"\n\nfunc main() { new.New(1) }\n")
			commit("import")
		}},
		{"rename a directory", func() { r.git("mv", "new/new.go", "main2.go"); r.git("mv", "group01", "group91"); commit("rename") }},
		{"revert", func() { r.git("revert", "--no-edit", "HEAD") }},
		{"delete", func() { r.git("rm", "-q", "-r", "group02"); commit("delete") }},
		{"configure", func() { write(".project-map.yaml", "exclude: [group03/]\n"); commit("configure") }},
		{"attributes", func() { write(".gitattributes", "group04/** linguist-generated\n"); commit("attributes") }},
		{"a copy", func() {
			write("copy/file0.go", "package pkg000\n")
			write("copy2/file0.go", "package pkg000\n")
			commit("copies")
		}},
		{"switch", func() { r.git("checkout", "-q", "-b", "side", "HEAD~3") }},
		{"rebase", func() { write("side.go", "package main\n"); commit("side"); r.git("rebase", "-q", "main") }},
		{"force", func() { r.git("reset", "-q", "--hard", "main~2") }},
		{"amend", func() {
			write("amended.go", "package main\n")
			r.git("add", "amended.go")
			r.git("commit", "-q", "--amend", "-m", "amended")
		}},
		{"maps committed", func() { r.git("add", "-A"); r.git("commit", "-q", "-m", "maps") }},
		{"everything goes", func() {
			r.git("rm", "-q", "-r", ".")
			write("only.md", "# Only\n")
			r.git("add", "only.md")
			r.git("commit", "-q", "-m", "only")
		}},
	} {
		step.do()
		r.must(0, "index")
		r.must(0, "validate")
		got, _ := pagesOf(t, r.dir)
		full := &repository{t: t, dir: filepath.Join(t.TempDir(), "full"), env: r.env}
		r.git("worktree", "add", "-q", "--detach", full.dir)
		full.git("rm", "-q", "-r", "--cached", "--ignore-unmatch", "*.pi-map.md", "*.pi-map.index.md")
		if err := os.Rename(filepath.Join(r.dir, ".git", "project-map"), filepath.Join(r.dir, ".git", "aside")); err != nil {
			t.Fatal(err)
		}
		full.must(0, "index", "--force")
		want, wantStore := writtenBy(t, full.dir)
		_, gotStore := writtenBy(t, r.dir)
		samePages(t, got, want)
		if gotStore["catalog"] != wantStore["catalog"] {
			t.Errorf("after %q the catalog differs from that of a full run", step.name)
		}
		if t.Failed() {
			t.Fatalf("after %q", step.name)
		}
		if err := os.RemoveAll(filepath.Join(r.dir, ".git", "project-map")); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(r.dir, ".git", "aside"), filepath.Join(r.dir, ".git", "project-map")); err != nil {
			t.Fatal(err)
		}
		r.git("worktree", "remove", "--force", full.dir)
	}
	if _, err := os.Stat(filepath.Join(r.dir, store.DirName, "current")); err != nil {
		t.Error(err)
	}
}
