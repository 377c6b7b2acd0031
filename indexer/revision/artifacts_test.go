package revision

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func stagedPaths(t *testing.T, g *gitRepo, o Options) ([]string, error) {
	t.Helper()
	r := g.open()
	entries, err := r.StagedArtifacts(o)
	var out []string
	for _, e := range entries {
		if e.Blob.IsZero() || e.Mode > Executable {
			t.Errorf("%s: no content or not a file", e.Path)
		}
		out = append(out, e.Path)
	}
	return out, err
}

func TestStagedArtifacts(t *testing.T) {
	g := newRepo(t)
	for _, p := range []string{
		"a.go", ".pi-map.md", ".pi-map.index.md", "z/.pi-map.md", "a-b/.pi-map.md", "a/.pi-map.md", "a/pi-map.md",
		".project-map/.pi-map.md", ".project-map/gen/.pi-map.md", ".project-map/gen/deep/.pi-map.index.md", "x/.project-map/g/.pi-map.md",
		"x/.project-map-tmp-00", "mine/.project-mapping/.pi-map.md",
	} {
		g.write(p, "content of "+p)
	}
	g.git("add", "-A", "-f")
	g.write("new/.pi-map.md", "x")
	g.git("add", "-N", "-f", "new/.pi-map.md")
	got, err := stagedPaths(t, g, Options{Kind: Staged})
	if err != nil {
		t.Fatal(err)
	}
	want := ".pi-map.index.md .pi-map.md a-b/.pi-map.md a/.pi-map.md mine/.project-mapping/.pi-map.md z/.pi-map.md"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}

	// A reader of the snapshot reads them.
	r := g.open()
	s, err := r.Snapshot(context.Background(), Options{Kind: Staged})
	if err != nil {
		t.Fatal(err)
	}
	rd, err := s.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	entries, err := r.StagedArtifacts(Options{Kind: Staged})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if data, err := rd.Read(e); err != nil || string(data) != "content of "+e.Path {
			t.Errorf("%s: %q, %v", e.Path, data, err)
		}
	}
}

func TestStagedArtifactsOfOtherIndex(t *testing.T) {
	g := newRepo(t)
	g.write(".pi-map.md", "x")
	g.commit("one")
	other := filepath.Join(g.dir, ".git", "other-index")
	only := g.at(g.dir)
	only.env = append(append([]string(nil), g.env...), "GIT_INDEX_FILE="+other)
	g.write("b/.pi-map.md", "y")
	only.git("add", "b/.pi-map.md")
	got, err := stagedPaths(t, g, Options{Kind: Staged, IndexFile: other})
	if err != nil || strings.Join(got, " ") != "b/.pi-map.md" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestStagedArtifactsUnmerged(t *testing.T) {
	g := newRepo(t)
	g.write("a/.pi-map.md", "base\n")
	g.write("b/.pi-map.md", "base\n")
	g.commit("base")
	g.git("checkout", "-q", "-b", "side")
	g.write("a/.pi-map.md", "side\n")
	g.write("b/.pi-map.md", "side\n")
	g.commit("side")
	g.git("checkout", "-q", "main")
	g.write("a/.pi-map.md", "main\n")
	g.write("b/.pi-map.md", "main\n")
	g.commit("main")
	if _, err := g.try("", "merge", "side"); err == nil {
		t.Fatal("the merge did not conflict")
	}
	_, err := stagedPaths(t, g, Options{Kind: Staged})
	if !errors.Is(err, ErrUnmerged) {
		t.Fatalf("got %v", err)
	}
	for _, p := range []string{"a/.pi-map.md", "b/.pi-map.md"} {
		if strings.Count(err.Error(), p) != 1 {
			t.Errorf("%s is not named once: %v", p, err)
		}
	}
}

func TestStagedArtifactsRefusesLinks(t *testing.T) {
	g := newRepo(t)
	g.symlink("elsewhere", "d/.pi-map.md")
	g.git("add", "-A", "-f")
	_, err := stagedPaths(t, g, Options{Kind: Staged})
	if err == nil || !strings.Contains(err.Error(), "d/.pi-map.md is not a regular file") {
		t.Errorf("got %v", err)
	}
}

func TestStagedArtifactsInSparseIndex(t *testing.T) {
	g := newRepo(t)
	for _, d := range []string{"in", "out", "out/deep", "out/.project-map"} {
		g.write(d+"/f.txt", d)
		g.write(d+"/.pi-map.md", d)
	}
	g.git("add", "-A", "-f")
	g.commit("all")
	g.git("sparse-checkout", "set", "--cone", "--sparse-index", "in")
	got, err := stagedPaths(t, g, Options{Kind: Staged})
	if err != nil || strings.Join(got, " ") != "in/.pi-map.md out/.pi-map.md out/deep/.pi-map.md" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestStagedArtifactsDamagedIndex(t *testing.T) {
	g := newRepo(t)
	g.write(".git/index", "not an index, and long enough to have a checksum at its end")
	if _, err := stagedPaths(t, g, Options{Kind: Staged}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestIgnoreMatcherAdd(t *testing.T) {
	m := NewIgnoreMatcher(false)
	if !m.Empty() {
		t.Error("a new matcher is not empty")
	}
	m.addDir("keep/", "keep/.projectmapignore", []byte("!*.gen\n"))
	m.Add("first", []byte("*.gen\n/docs/\n"))
	m.Add("config", []byte("!b.gen\nvendor/\n\n# a comment\n"))
	for p, want := range map[string]string{
		"a.gen":         "first:1",
		"b.gen":         "",
		"keep/a.gen":    "",
		"docs/x.md":     "first:2",
		"sub/docs/x.md": "",
		"x/vendor/y.go": "config:2",
		"a.go":          "",
	} {
		why, ignored := m.Match(p, false)
		if ignored != (want != "") || ignored && why != want {
			t.Errorf("%s: ignored %v by %q, want %q", p, ignored, why, want)
		}
	}
	if m.Empty() {
		t.Error("a matcher with patterns is empty")
	}
}
