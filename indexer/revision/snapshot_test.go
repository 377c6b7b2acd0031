package revision

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sampleRepo has every mode, odd names and own output.
func sampleRepo(t testing.TB) *gitRepo {
	g := newRepo(t)
	for path, content := range map[string]string{
		"README.md": "# Sample\n", "a.b": "x", "a/b/c.go": "package c\n", "a/b.go": "package a\n", "a-b": "", "z/deep/er/still/x.txt": "deep\n",
		"sp ace/ü\n\t\"q\".txt": "odd", "latin\xe91.txt": "é", "big.txt": strings.Repeat("0123456789abcdef\n", 20000),
		".pi-map.md": "own", "a/.pi-map.index.md": "own", ".project-map/manifest": "own", "a/.project-map/x/y": "own", "a/pi-map.md": "not own",
	} {
		g.write(path, content)
	}
	g.symlink("../README.md", "a/link")
	g.symlink("/etc/passwd", "evil")
	g.symlink("nowhere", "dangling")
	g.write("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(g.dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	g.git("add", "-A")
	g.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("ab", 20)+",sub/module")
	g.git("commit", "-q", "-m", "sample")
	return g
}

func withoutOwn(listing string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(listing, "\n") {
		_, path, found := strings.Cut(line, "\t")
		if found && IsOwnOutput(strings.TrimSuffix(path, "\n")) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestIsOwnOutput(t *testing.T) {
	for p, want := range map[string]bool{
		".pi-map.md": true, "a/b/.pi-map.index.md": true, ".project-map": true, ".project-map/x": true, "a/.project-map/b/c": true, "a/.project-map-tmp-0a": true, ".project-map-tmp-/x": false,
		"pi-map.md": false, "a/.pi-map.md/b": false, ".project-map.yaml": false, ".projectmapignore": false, "a": false, "": false,
	} {
		if got := IsOwnOutput(p); got != want {
			t.Errorf("IsOwnOutput(%q) = %v", p, got)
		}
	}
}

func TestCommitSnapshot(t *testing.T) {
	g := sampleRepo(t)
	want := withoutOwn(g.lsTree("HEAD"))
	for _, packed := range []bool{false, true} {
		if packed {
			g.git("repack", "-q", "-a", "-d", "-f", "--depth=50")
		}
		s := g.snapshot(Options{})
		if got := listing(s); got != want {
			t.Errorf("packed=%v: got\n%swant\n%s", packed, got, want)
		}
		if s.Commit != g.git("rev-parse", "HEAD") || s.Tree != g.git("rev-parse", "HEAD^{tree}") {
			t.Errorf("commit %s tree %s", s.Commit, s.Tree)
		}
		all := contents(t, s)
		if all["evil"] != "/etc/passwd" || all["a/link"] != "../README.md" || all["a-b"] != "" {
			t.Errorf("contents %q %q %q", all["evil"], all["a/link"], all["a-b"])
		}
		rd, err := s.Reader(WithMaxSize(1000))
		if err != nil {
			t.Fatal(err)
		}
		defer rd.Close()
		big, _ := s.Find("big.txt")
		if _, err := rd.Read(big); !errors.Is(err, ErrTooLarge) {
			t.Errorf("big file: %v, want ErrTooLarge", err)
		}
		sub, ok := s.Find("sub/module")
		if _, err := rd.Read(sub); !ok || sub.Mode != Submodule || !errors.Is(err, ErrNoContent) {
			t.Errorf("submodule: %v %v, want ErrNoContent", sub, err)
		}
		if _, err := rd.Read(Entry{Path: "x", Blob: ID{1}}); !errors.Is(err, ErrMissing) {
			t.Errorf("absent blob: %v, want ErrMissing", err)
		}
	}
}

func TestSizeLimitOnDeltas(t *testing.T) {
	g := newRepo(t)
	base := strings.Repeat("line of text that repeats\n", 4000)
	for i := range 4 {
		g.write("f", base+strings.Repeat("x", i))
		g.commit("c")
	}
	g.git("repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50")
	if !strings.Contains(g.git("verify-pack", "-v", g.packs()[0]), "chain length") {
		t.Fatal("the pack holds no deltas")
	}
	for _, rev := range []string{"HEAD", "HEAD~1", "HEAD~2", "HEAD~3"} {
		s := g.snapshot(Options{Rev: rev})
		contents(t, s)
		size := int64(len(contents(t, s)["f"]))
		for limit, want := range map[int64]error{size - 1: ErrTooLarge, size: nil} {
			rd, err := s.Reader(WithMaxSize(limit))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rd.Read(s.Entries[0]); !errors.Is(err, want) {
				t.Errorf("%s of %d bytes, limit %d: %v", rev, size, limit, err)
			}
			rd.Close()
		}
	}
}

func (g *gitRepo) packs() []string {
	g.t.Helper()
	files, err := filepath.Glob(filepath.Join(g.dir, ".git", "objects", "pack", "*.pack"))
	if err != nil || len(files) == 0 {
		g.t.Fatalf("no packs: %v", err)
	}
	return files
}

func TestDirTrees(t *testing.T) {
	g := newRepo(t)
	for _, p := range []string{"a.b", "a/b", "a/c/d", "a-b/x", "ab", "z"} {
		g.write(p, p)
	}
	g.commit("c")
	for _, k := range []Kind{Commit, Staged, Worktree} {
		trees := g.snapshot(Options{Kind: k}).DirTrees()
		if len(trees) != 4 {
			t.Errorf("%v: %d directories, want 4: %v", k, len(trees), trees)
		}
		for dir, id := range trees {
			if want := g.git("rev-parse", "HEAD:"+dir); id.String() != want {
				t.Errorf("%v %q: %s, git says %s", k, dir, id, want)
			}
		}
	}
	before := g.snapshot(Options{}).DirTrees()
	g.write(".pi-map.md", "own")
	g.write("a/.project-map/x", "own")
	g.commit("own output")
	after := g.snapshot(Options{}).DirTrees()
	if before[""] != after[""] || before["a"] != after["a"] {
		t.Error("own output changed the tree ids")
	}
}

func TestStagedSnapshot(t *testing.T) {
	g := sampleRepo(t)
	g.write("a/b.go", "package changed\n")
	g.git("add", "a/b.go")
	g.write("a/b.go", "package unstaged\n")
	g.git("rm", "-q", "--cached", "a.b")
	g.write("new", "n")
	g.git("add", "new")
	g.write("later", "l")
	want := withoutOwn(g.lsFiles())
	g.git("add", "-N", "later")
	for _, version := range []string{"2", "3", "4"} {
		g.git("update-index", "--index-version", version)
		s := g.snapshot(Options{Kind: Staged})
		if got := listing(s); got != want {
			t.Errorf("version %s: got\n%swant\n%s", version, got, want)
		}
		if noteFor(s, "later") == "" {
			t.Errorf("version %s: no note for the intent to add", version)
		}
		if all := contents(t, s); all["a/b.go"] != "package changed\n" || s.Commit != "" {
			t.Errorf("version %s: content %q, commit %q", version, all["a/b.go"], s.Commit)
		}
		changed, err := s.ChangedFromHead(context.Background())
		if err != nil || strings.Join(changed, " ") != "a.b a/b.go new" {
			t.Errorf("version %s: changed %q, %v", version, changed, err)
		}
	}
	g.git("-c", "index.skipHash=true", "update-index", "--force-write-index")
	if got := listing(g.snapshot(Options{Kind: Staged})); got != want {
		t.Errorf("without a checksum: got\n%s", got)
	}
}

func TestIndexFile(t *testing.T) {
	g := sampleRepo(t)
	g.env = append(g.env, "GIT_INDEX_FILE=.git/other-index")
	g.git("read-tree", "--empty")
	g.write("only", "o")
	g.git("add", "only")
	for _, name := range []string{".git/other-index", filepath.Join(g.dir, ".git", "other-index")} {
		if got := strings.Join(paths(g.snapshot(Options{Kind: Staged, IndexFile: name})), " "); got != "only" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestUnmergedIndex(t *testing.T) {
	g := newRepo(t)
	g.write("f", "base\n")
	g.write("g", "base\n")
	g.commit("base")
	g.git("checkout", "-q", "-b", "other")
	g.write("f", "theirs\n")
	g.commit("theirs")
	g.git("checkout", "-q", "main")
	g.write("f", "ours\n")
	g.commit("ours")
	if _, err := g.try("", "merge", "other"); err == nil {
		t.Fatal("the merge did not conflict")
	}
	_, err := g.open().Snapshot(context.Background(), Options{Kind: Staged})
	if !errors.Is(err, ErrUnmerged) || !strings.Contains(err.Error(), ": f;") {
		t.Errorf("error %v, want ErrUnmerged naming f", err)
	}
	s := g.snapshot(Options{Kind: Worktree})
	if all := contents(t, s); !strings.Contains(all["f"], "<<<<<<<") || len(all) != 2 {
		t.Errorf("work tree: %q", all)
	}
}

func TestSplitAndSparseIndex(t *testing.T) {
	g := sampleRepo(t)
	want := withoutOwn(g.lsFiles())
	g.git("update-index", "--split-index")
	_, err := g.open().Snapshot(context.Background(), Options{Kind: Staged})
	if !errors.Is(err, ErrUnsupportedIndex) || !strings.Contains(err.Error(), "--no-split-index") {
		t.Errorf("split index: %v, want ErrUnsupportedIndex with the way out", err)
	}
	g.git("update-index", "--no-split-index")
	g.git("sparse-checkout", "set", "--cone", "--sparse-index", "a")
	data, err := os.ReadFile(filepath.Join(g.dir, ".git", "index"))
	if err != nil || !strings.Contains(string(data), "sdir") {
		t.Fatalf("the index is not sparse: %v", err)
	}
	if got := listing(g.snapshot(Options{Kind: Staged})); got != want {
		t.Errorf("sparse index: got\n%swant\n%s", got, want)
	}
	// What is outside the sparse checkout is unchanged, not deleted.
	s := g.snapshot(Options{Kind: Worktree})
	if got := listing(s); got != want {
		t.Errorf("sparse work tree: got\n%swant\n%s", got, want)
	}
	if all := contents(t, s); all["z/deep/er/still/x.txt"] != "deep\n" {
		t.Error("a file outside the sparse checkout cannot be read")
	}
	g.git("sparse-checkout", "set", "--no-cone", "/a/")
	if got := listing(g.snapshot(Options{Kind: Worktree})); got != want {
		t.Errorf("non-cone sparse work tree: got\n%swant\n%s", got, want)
	}
}

func TestProjectIgnore(t *testing.T) {
	g := newRepo(t)
	g.write(".projectmapignore", "/gen/\n*.min.js\n")
	g.write("a/.projectmapignore", "!keep.min.js\nlocal\n")
	g.write(".gitattributes", "*.pb.go linguist-generated\n")
	g.write("a/.gitattributes", "own.pb.go -linguist-generated\n")
	g.commit("c")
	g.write(".git/info/attributes", "x.md linguist-documentation\n")
	for _, k := range []Kind{Commit, Staged, Worktree} {
		s := g.snapshot(Options{Kind: k})
		m, err := s.ProjectIgnore()
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range map[string]bool{"gen/x": true, "a/gen/x": false, "x.min.js": true, "a/x.min.js": true, "a/keep.min.js": false, "a/b/local": true, "local": false} {
			if got := m.Ignored(p, false); got != want {
				t.Errorf("%v: %s ignored = %v", k, p, got)
			}
		}
		a := s.Attributes()
		if a.Of("d/x.pb.go").Generated != Set || a.Of("a/own.pb.go").Generated != Unset || a.Of("d/x.md").Documentation != Set {
			t.Errorf("%v: attributes %v %v %v", k, a.Of("d/x.pb.go"), a.Of("a/own.pb.go"), a.Of("d/x.md"))
		}
	}
}

func TestDiff(t *testing.T) {
	g := sampleRepo(t)
	g.write("a/b.go", "package changed\n")
	g.git("mv", "z/deep", "z/moved")
	g.remove("a.b")
	g.write("a.b/now/a/dir", "x")
	g.write(".pi-map.md", "changed")
	g.write("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(g.dir, "run.sh"), 0o644); err != nil {
		t.Fatal(err)
	}
	g.commit("changes")
	for _, pair := range [][2]string{{"HEAD~1", "HEAD"}, {"HEAD", "HEAD~1"}, {"HEAD", "HEAD"}} {
		got, err := g.open().Diff(context.Background(), pair[0], pair[1])
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for p := range strings.SplitSeq(g.git("diff", "--name-only", "--no-renames", "-z", pair[0], pair[1]), "\x00") {
			if p != "" && !IsOwnOutput(p) {
				want = append(want, p)
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%v: got %q, git says %q", pair, got, want)
		}
	}
	if _, err := g.open().Diff(context.Background(), "HEAD", "nope"); !errors.Is(err, ErrUnknownRevision) {
		t.Errorf("unknown side: %v", err)
	}
}

func TestHostileTrees(t *testing.T) {
	g := newRepo(t)
	blob := g.gitIn("x", "hash-object", "-w", "--stdin")
	row := func(mode, name, id string) string {
		raw, ok := parseID(id)
		if !ok {
			t.Fatal(id)
		}
		return mode + " " + name + "\x00" + string(raw[:])
	}
	tree := func(rows ...string) string {
		return g.gitIn(strings.Join(rows, ""), "hash-object", "-w", "-t", "tree", "--stdin", "--literally")
	}
	sub := tree(row("100644", "config", blob))
	root := tree(row("100644", "..", blob), row("40000", ".GIT", sub), row("40000", ".git", sub), row("100644", "/abs", blob), row("100644", "", blob),
		row("100644", "a/../b", blob), row("100644", "ok", blob), row("100644", "ok", blob), row("140000", "socket", blob), row("100664", "old", blob))
	commit := g.git("commit-tree", "-m", "hostile", root)
	s := g.snapshot(Options{Rev: commit})
	if got := strings.Join(paths(s), " "); got != "ok old" {
		t.Errorf("entries %q, want only ok and old", got)
	}
	for _, p := range []string{"..", ".GIT", ".git", "/abs", "", "a/../b", "ok", "socket"} {
		if noteFor(s, p) == "" {
			t.Errorf("no note for %q", p)
		}
	}
	// Ten levels of ten times the same subtree name ten billion files.
	bomb := tree(row("100644", "f", blob))
	for range 10 {
		var rows []string
		for i := range 10 {
			rows = append(rows, row("40000", string(rune('a'+i)), bomb))
		}
		bomb = tree(rows...)
	}
	commit = g.git("commit-tree", "-m", "bomb", bomb)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.open().Snapshot(ctx, Options{Rev: commit}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r := g.open()
	or := r.objects.reader()
	defer or.Close()
	root2, _ := parseID(bomb)
	l := treeLister{ctx: context.Background(), or: or, limit: 5000}
	if err := l.list("", root2); !errors.Is(err, ErrTooManyEntries) {
		t.Errorf("bomb: %v, want ErrTooManyEntries", err)
	}
	broken := g.gitIn("100644 x", "hash-object", "-w", "-t", "tree", "--stdin", "--literally")
	commit = g.git("commit-tree", "-m", "broken", broken)
	if _, err := g.open().Snapshot(context.Background(), Options{Rev: commit}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("broken tree: %v, want ErrCorrupt", err)
	}
}
