package revision

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func (g *gitRepo) log(o LogOptions) []LogEntry {
	g.t.Helper()
	var all []LogEntry
	if err := g.open().Log(context.Background(), o, func(e LogEntry) error {
		all = append(all, e)
		return nil
	}); err != nil {
		g.t.Fatal(err)
	}
	return all
}

func TestLogAgreesWithGit(t *testing.T) {
	g := newRepo(t)
	clock := 1_600_000_000
	commit := func(message string) string {
		clock += 60
		g.env = append(g.env, fmt.Sprintf("GIT_COMMITTER_DATE=%d +0200", clock))
		return g.commit(message)
	}
	g.write("a/x", "1")
	g.write("b", "1")
	commit("one\n\nbody\n")
	g.write("a/x", "2")
	middle := commit("two")
	g.git("checkout", "-q", "-b", "side")
	g.write("side/f", "1")
	commit("side")
	g.git("checkout", "-q", "main")
	g.git("mv", "b", "c")
	commit("rename")
	clock += 60
	g.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	g.write(".pi-map.md", "own")
	g.write("a/y", "1")
	commit("last")

	all := g.log(LogOptions{})
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprintf("%s %d %s %v", e.ID, e.Time, strings.TrimSpace(strings.SplitN(e.Message, "\n", 2)[0]), e.Changed))
	}
	var want []string
	for id := range strings.FieldsSeq(g.git("log", "--format=%H")) {
		var changed []string
		if !strings.Contains(g.git("log", "-1", "--format=%P", id), " ") {
			for p := range strings.FieldsSeq(g.git("diff-tree", "--root", "--no-commit-id", "-r", "--name-only", "--no-renames", id)) {
				if !IsOwnOutput(p) {
					changed = append(changed, p)
				}
			}
		}
		want = append(want, fmt.Sprintf("%s %v", g.git("log", "-1", "--format=%H %ct %s", id), changed))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(g.log(LogOptions{Max: 2})); n != 2 {
		t.Errorf("Max: %d commits", n)
	}
	known, _ := parseID(middle)
	if n := len(g.log(LogOptions{Known: func(id ID) bool { return id == known }})); n != len(all)-2 {
		t.Errorf("Known: %d of %d commits", n, len(all))
	}
	stop := errors.New("stop")
	if err := g.open().Log(context.Background(), LogOptions{}, func(LogEntry) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error of visit: %v", err)
	}

	shallow := g.at(filepath.Join(filepath.Dir(g.dir), "shallow"))
	g.git("clone", "-q", "--depth=1", "file://"+g.dir, shallow.dir)
	if all := shallow.log(LogOptions{}); len(all) != 1 || all[0].Changed != nil || len(all[0].Parents) != 0 {
		t.Errorf("shallow clone: %+v", all)
	}
}
