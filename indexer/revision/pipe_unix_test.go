//go:build unix

package revision

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesAreNotOpened(t *testing.T) {
	g := newRepo(t)
	g.write("tracked", "x")
	g.commit("c")
	g.remove("tracked")
	for _, p := range []string{"tracked", "pipe", ".gitignore"} {
		if err := syscall.Mkfifo(filepath.Join(g.dir, p), 0o644); err != nil {
			t.Skip("no named pipes")
		}
	}
	s := g.snapshot(Options{Kind: Worktree})
	if len(s.Entries) != 0 || noteFor(s, "tracked") != "not a regular file" {
		t.Errorf("entries %v, notes %v", s.Entries, s.Notes)
	}
}
