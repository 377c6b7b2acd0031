package revision

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"
)

// gitWorktree is what git would commit with `git add -A`: its own answer to
// what a Worktree snapshot shows.
func (g *gitRepo) gitWorktree() string {
	g.t.Helper()
	index := filepath.Join(g.t.TempDir(), "index")
	if data, err := os.ReadFile(filepath.Join(g.dir, ".git", "index")); err == nil {
		if err := os.WriteFile(index, data, 0o644); err != nil {
			g.t.Fatal(err)
		}
	}
	c := g.at(g.dir)
	c.env = append(slices.Clone(g.env), "GIT_INDEX_FILE="+index)
	c.git("add", "-A")
	return withoutOwn(c.lsFiles())
}

func TestWorktreeSnapshot(t *testing.T) {
	g := sampleRepo(t)
	g.git("update-index", "--force-remove", "sub/module")
	g.write(".gitignore", "*.log\n/build/\n!important.log\n")
	g.write("a/.gitignore", "*.tmp\n")
	g.write("tracked.log", "forced in")
	g.git("add", "-f", "tracked.log", ".gitignore", "a/.gitignore")
	g.write("build/forced", "forced in")
	g.git("add", "-f", "build/forced")
	g.git("commit", "-q", "-m", "more")
	g.write(".git/info/exclude", "excluded\n")
	g.write("../xdg/git/ignore", "by-user\n")

	g.write("a/b.go", "package modified\n")
	g.remove("a.b")
	g.write("untracked/new", "n")
	g.write("x.log", "ignored")
	g.write("important.log", "kept")
	g.write("build/other", "ignored")
	g.write("a/x.tmp", "ignored")
	g.write("excluded", "ignored")
	g.write("by-user", "ignored")
	g.write("z/.pi-map.md", "own")
	g.remove("run.sh")
	g.symlink("README.md", "run.sh") // a file became a link
	g.remove("dangling")
	g.write("dangling/now/dir", "d") // a link became a directory
	g.remove("z/deep")
	g.symlink("../a", "z/deep") // a directory became a link

	want := g.gitWorktree()
	s := g.snapshot(Options{Kind: Worktree})
	if got := listing(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	all := contents(t, s)
	if all["a/b.go"] != "package modified\n" || all["run.sh"] != "README.md" || all["z/deep"] != "../a" || all["evil"] != "/etc/passwd" {
		t.Errorf("contents: %q", all)
	}
	if got := noteFor(s, "a.b"); got != "deleted on disk" {
		t.Errorf("note for a deleted file: %q", got)
	}
	if got := noteFor(s, "z/deep/er/still/x.txt"); got != "deleted on disk" {
		t.Errorf("note for a file behind a link: %q", got)
	}
	for _, e := range s.Entries {
		if e.Mode != Symlink && e.Size != int64(len(all[e.Path])) {
			t.Errorf("%s: size %d, content has %d bytes", e.Path, e.Size, len(all[e.Path]))
		}
	}
	for _, procs := range []int{1, 8} {
		old := runtime.GOMAXPROCS(procs)
		again := g.snapshot(Options{Kind: Worktree})
		runtime.GOMAXPROCS(old)
		if !slices.Equal(again.Entries, s.Entries) || !slices.Equal(again.Notes, s.Notes) {
			t.Errorf("another listing with GOMAXPROCS=%d", procs)
		}
	}
	changed, err := s.ChangedFromHead(context.Background())
	if err != nil || !slices.Contains(changed, "a/b.go") || !slices.Contains(changed, "untracked/new") || slices.Contains(changed, "README.md") {
		t.Errorf("changed from HEAD: %q, %v", changed, err)
	}
}

func TestNestedRepositoriesAndSubmodules(t *testing.T) {
	g := sampleRepo(t)
	g.write("nested/f", "x")
	g.at(filepath.Join(g.dir, "nested")).git("init", "-q")
	g.write("sub/module/.git", "gitdir: elsewhere\n")
	g.write("sub/module/f", "x")
	s := g.snapshot(Options{Kind: Worktree})
	if _, ok := s.Find("nested/f"); ok || noteFor(s, "nested") == "" {
		t.Error("a nested repository was entered, or not noted")
	}
	if e, ok := s.Find("sub/module"); !ok || e.Mode != Submodule || e.Blob.String() != strings.Repeat("ab", 20) {
		t.Errorf("submodule: %v %v", e, ok)
	}
	if _, ok := s.Find("sub/module/f"); ok {
		t.Error("a submodule was entered")
	}
}

// TestRacilyClean writes a file again without a change of its size and restores
// its time, as a fast editor within the clock's resolution does.
func TestRacilyClean(t *testing.T) {
	g := newRepo(t)
	g.write("f", "old")
	g.git("add", "f")
	file, indexFile := filepath.Join(g.dir, "f"), filepath.Join(g.dir, ".git", "index")
	info, err := os.Lstat(file)
	if err != nil {
		t.Fatal(err)
	}
	g.write("f", "new")
	for _, name := range []string{file, indexFile} {
		if err := os.Chtimes(name, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	if got := contents(t, g.snapshot(Options{Kind: Worktree}))["f"]; got != "new" {
		t.Errorf("content %q, want the new one", got)
	}
	// The rule by itself, where the change time does not help.
	e := &indexEntry{mode: 0o100644, id: BlobID([]byte("old")), stat: statOf(info)}
	c := &candidate{entry: Entry{Path: "f", Size: info.Size()}, info: info, tracked: e}
	for after, want := range map[time.Duration]bool{-1: false, 0: false, 1: true} {
		w := worktreeLister{idx: &index{mtime: info.ModTime().Add(after)}}
		if got := w.unchanged(c); got != want {
			t.Errorf("index written %v after the file: unchanged = %v", after, got)
		}
	}
}

func TestUnchangedUsesTheIndex(t *testing.T) {
	g := newRepo(t)
	g.write("f", "content")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(g.dir, "f"), old, old); err != nil {
		t.Fatal(err)
	}
	g.git("add", "f")
	// Swap the id in the index for another: only a listing that trusts the
	// index shows it.
	other := g.gitIn("other", "hash-object", "-w", "--stdin")
	index := filepath.Join(g.dir, ".git", "index")
	data, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	was, is := BlobID([]byte("content")), BlobID([]byte("other"))
	if is.String() != other {
		t.Fatalf("BlobID %s, git says %s", is, other)
	}
	forged := strings.Replace(string(data), string(was[:]), string(is[:]), 1)
	forged = forged[:len(forged)-20] + string(make([]byte, 20))
	if err := os.WriteFile(index, []byte(forged), 0o644); err != nil {
		t.Fatal(err)
	}
	s := g.snapshot(Options{Kind: Worktree})
	if e, _ := s.Find("f"); e.Blob != is {
		t.Errorf("blob %s: the file was read although the index vouches for it", e.Blob)
	}
	// And the reader keeps its promise all the same.
	if got := contents(t, s)["f"]; got != "other" {
		t.Errorf("content %q", got)
	}
	later := old.Add(time.Second)
	if err := os.Chtimes(filepath.Join(g.dir, "f"), later, later); err != nil {
		t.Fatal(err)
	}
	if e, _ := g.snapshot(Options{Kind: Worktree}).Find("f"); e.Blob != was {
		t.Errorf("blob %s: a touched file was not read", e.Blob)
	}
}

func TestLineEndings(t *testing.T) {
	contents := map[string]string{
		"crlf": "a\r\nb\r\n", "lf": "a\nb\n", "mixed": "a\r\nb\n", "lone": "a\rb\r\n", "nul": "a\x00\r\n", "empty": "",
		"eof": "a\r\n\x1a", "ctl": "\x01\x02\r\n", "mostly": strings.Repeat("text ", 100) + "\x01\r\n",
	}
	g := newRepo(t)
	// What was committed with CRLF stays so under auto.
	for name, c := range contents {
		g.write("tracked-"+name, c)
	}
	g.git("add", "-A")
	for name, c := range contents {
		g.write("tracked-"+name, "changed "+c)
		g.write("new-"+name, c)
	}
	config, err := os.ReadFile(filepath.Join(g.dir, ".git", "config"))
	if err != nil {
		t.Fatal(err)
	}
	for _, autocrlf := range []string{"false", "input", "true"} {
		g.write(".git/config", string(config)+"\tsafecrlf = false\n\tautocrlf = "+autocrlf+"\n")
		for _, attr := range []string{"", "* text", "* text=auto", "* -text", "* binary", "* eol=lf", "* eol=crlf", "* text=auto eol=crlf", "* crlf", "* -crlf", "* crlf=input", "* text=other"} {
			g.write(".gitattributes", attr+"\n")
			want := g.gitWorktree()
			s := g.snapshot(Options{Kind: Worktree})
			if got := listing(s); got != want {
				t.Errorf("autocrlf=%s %q: got\n%swant\n%s", autocrlf, attr, got, want)
			}
			readable(t, s)
		}
	}
}

func readable(t *testing.T, s *Snapshot) {
	t.Helper()
	rd, err := s.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	for _, e := range s.Entries {
		if data, err := rd.Read(e); err != nil || BlobID(data) != e.Blob {
			t.Errorf("read %s: %v", e.Path, err)
		}
	}
}

func TestFilteredFilesReadAsStored(t *testing.T) {
	g := newRepo(t)
	g.git("config", "filter.up.clean", "tr a-z A-Z")
	g.git("config", "filter.up.smudge", "tr A-Z a-z")
	g.write(".gitattributes", "f filter=up\n")
	g.write("f", "text")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(g.dir, "f"), old, old); err != nil {
		t.Fatal(err)
	}
	g.commit("c")
	if got := contents(t, g.snapshot(Options{Kind: Worktree}))["f"]; got != "TEXT" {
		t.Errorf("content %q, want what git stores", got)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	g := newRepo(t)
	g.write("vanishes", "v")
	g.write("changes", "c")
	g.write("grows", "g")
	g.write("becomes-link", "l")
	g.write("secret", "s")
	g.write("dir/below", "b")
	s := g.snapshot(Options{Kind: Worktree})
	g.remove("vanishes")
	g.write("changes", "C")
	g.write("grows", "g and more")
	g.remove("becomes-link")
	g.symlink("/etc/passwd", "becomes-link")
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "below"), []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	g.remove("dir")
	g.symlink(outside, "dir")
	rd, err := s.Reader(WithMaxSize(5))
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	for p, want := range map[string]error{"vanishes": ErrMissing, "changes": ErrChanged, "grows": ErrTooLarge, "becomes-link": ErrChanged} {
		e, ok := s.Find(p)
		if _, err := rd.Read(e); !ok || !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", p, err, want)
		}
	}
	// The file outside has the very bytes, and must not be reached.
	e, _ := s.Find("dir/below")
	if data, err := rd.Read(e); err == nil {
		t.Errorf("read %q through a link out of the work tree", data)
	}
	if os.Geteuid() == 0 {
		return // root reads everything
	}
	if err := os.Chmod(filepath.Join(g.dir, "secret"), 0); err != nil {
		t.Fatal(err)
	}
	s = g.snapshot(Options{Kind: Worktree})
	e, ok := s.Find("secret")
	if !ok || !e.Blob.IsZero() || !strings.Contains(noteFor(s, "secret"), "permission denied") {
		t.Errorf("unreadable file: %v %v, note %q", e, ok, noteFor(s, "secret"))
	}
	if _, err := rd.Read(e); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("read an unreadable file: %v", err)
	}
}

func TestBareHasNoWorktree(t *testing.T) {
	g := newRepo(t, "--bare")
	for _, k := range []Kind{Staged, Worktree} {
		if s, err := g.open().Snapshot(context.Background(), Options{Kind: k}); s != nil || !errors.Is(err, ErrBare) {
			t.Errorf("%v: %v, want ErrBare", k, err)
		}
	}
}

// TestWorktreeAgreesWithGit generates work trees with ignore files and compares
// the files that count with git's own list.
func TestWorktreeAgreesWithGit(t *testing.T) {
	g := newRepo(t)
	r := rand.New(rand.NewPCG(5, 7))
	start := time.Now()
	for round := 0; round < 15 && time.Since(start) < 4*time.Second; round++ {
		entries, err := os.ReadDir(g.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != ".git" {
				g.remove(e.Name())
			}
		}
		g.git("read-tree", "--empty")
		write := func(p, content string) {
			full := filepath.Join(g.dir, p)
			if os.MkdirAll(filepath.Dir(full), 0o755) == nil {
				_ = os.WriteFile(full, []byte(content), 0o644) // a directory may be in the way
			}
		}
		for range 25 {
			write(randomPath(r), fmt.Sprint(r.IntN(3)))
		}
		g.git("add", "-A")
		var ignores []string
		for _, dir := range []string{"", "a/", "a/b/", "b/", "ab/"} {
			var lines []string
			for range r.IntN(4) {
				lines = append(lines, randomPattern(r))
			}
			ignores = append(ignores, dir+": "+strings.Join(lines, "\n"))
			write(dir+".gitignore", strings.Join(lines, "\n")+"\n")
		}
		for range 25 {
			write(randomPath(r), fmt.Sprint(r.IntN(3)))
		}
		var want []string
		for p := range strings.SplitSeq(g.git("ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
			if info, err := os.Lstat(filepath.Join(g.dir, p)); p != "" && err == nil && !info.IsDir() {
				want = append(want, p)
			}
		}
		sort.Strings(want)
		want = slices.Compact(want)
		if got := paths(g.snapshot(Options{Kind: Worktree})); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %q\nwant %q\nignore files %q", round, got, want, ignores)
		}
	}
}
