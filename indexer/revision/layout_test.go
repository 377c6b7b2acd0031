package revision

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// want fails unless the repository's HEAD lists and reads as git has it.
func (g *gitRepo) wantHead() *Snapshot {
	g.t.Helper()
	s := g.snapshot(Options{})
	if got, want := listing(s), withoutOwn(g.lsTree("HEAD")); got != want || got == "" {
		g.t.Errorf("got\n%swant\n%s", got, want)
	}
	contents(g.t, s)
	return s
}

func TestOpenFromAnywhere(t *testing.T) {
	g := sampleRepo(t)
	git := filepath.Join(g.dir, ".git")
	for _, dir := range []string{"", "a", "a/b", ".git", ".git/objects", ".git/refs/heads"} {
		r := g.at(filepath.Join(g.dir, dir)).open()
		if r.WorktreeRoot() != g.dir || r.GitDir() != git || r.CommonDir() != git {
			t.Errorf("%q: root %s, git dir %s, common dir %s", dir, r.WorktreeRoot(), r.GitDir(), r.CommonDir())
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(g.dir, "a"), link); err == nil {
		if r := g.at(link).open(); r.WorktreeRoot() != g.dir {
			t.Errorf("through a link: root %s", r.WorktreeRoot())
		}
	}
	// GIT_DIR must not redirect the package.
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
	if r, err := Open(g.dir); err != nil || r.GitDir() != git {
		t.Errorf("with GIT_DIR set: %v", err)
	}
}

func TestLinkedWorktree(t *testing.T) {
	g := sampleRepo(t)
	g.git("config", "extensions.worktreeConfig", "true")
	linked := g.at(filepath.Join(filepath.Dir(g.dir), "linked"))
	g.git("worktree", "add", "-q", "-b", "topic", linked.dir)
	linked.write("only-here", "x")
	linked.commit("topic")
	linked.git("update-ref", "refs/worktree/mine", "HEAD~1")
	linked.git("pack-refs", "--all")
	g.write(".git/info/exclude", "excluded\n")
	linked.write("excluded", "x")
	linked.write("untracked", "x")
	s := linked.wantHead()
	if _, ok := s.Find("only-here"); !ok {
		t.Error("the linked work tree shows another HEAD")
	}
	r := linked.open()
	if r.WorktreeRoot() != linked.dir || r.CommonDir() != filepath.Join(g.dir, ".git") || r.GitDir() != filepath.Join(g.dir, ".git", "worktrees", "linked") {
		t.Errorf("root %s, common dir %s, git dir %s", r.WorktreeRoot(), r.CommonDir(), r.GitDir())
	}
	if id, err := r.Resolve("refs/worktree/mine"); err != nil || id.String() != linked.git("rev-parse", "refs/worktree/mine") {
		t.Errorf("refs/worktree/mine: %v %v", id, err)
	}
	w := linked.snapshot(Options{Kind: Worktree})
	if _, ok := w.Find("untracked"); !ok {
		t.Error("untracked file is missing")
	}
	if _, ok := w.Find("excluded"); ok {
		t.Error("info/exclude is not shared")
	}
	if r := g.at(r.GitDir()).open(); r.WorktreeRoot() != linked.dir {
		t.Errorf("opened by its git directory: root %s", r.WorktreeRoot())
	}
	// A bare repository with linked work trees.
	bare := g.at(filepath.Join(filepath.Dir(g.dir), "bare.git"))
	g.git("clone", "-q", "--bare", g.dir, bare.dir)
	second := g.at(filepath.Join(filepath.Dir(g.dir), "second"))
	bare.git("worktree", "add", "-q", second.dir, "topic")
	second.wantHead()
	if r := second.open(); r.WorktreeRoot() != second.dir {
		t.Errorf("work tree of a bare repository: root %s", r.WorktreeRoot())
	}
	if r := bare.open(); r.WorktreeRoot() != "" {
		t.Errorf("bare repository: root %s", r.WorktreeRoot())
	}
	bare.wantHead()
}

func TestSubmoduleGitFile(t *testing.T) {
	lib := newRepo(t)
	lib.write("lib.go", "package lib\n")
	lib.commit("lib")
	g := sampleRepo(t)
	g.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.dir, "vendored/lib")
	g.git("commit", "-q", "-m", "submodule")
	g.wantHead()
	sub := g.at(filepath.Join(g.dir, "vendored", "lib"))
	sub.wantHead()
	want := sub.dir
	for _, dir := range []string{sub.dir, filepath.Join(g.dir, ".git", "modules", "vendored", "lib")} {
		if r := g.at(dir).open(); r.WorktreeRoot() != want {
			t.Errorf("%s: root %s, want %s", dir, r.WorktreeRoot(), want)
		}
	}
	s := g.snapshot(Options{Kind: Worktree})
	if e, ok := s.Find("vendored/lib"); !ok || e.Mode != Submodule || e.Blob.String() != sub.git("rev-parse", "HEAD") {
		t.Errorf("submodule entry %v %v", e, ok)
	}
}

func TestAlternates(t *testing.T) {
	g := sampleRepo(t)
	g.git("gc", "-q")
	base := filepath.Dir(g.dir)
	first, second := g.at(filepath.Join(base, "first")), g.at(filepath.Join(base, "second"))
	g.git("clone", "-q", "--shared", g.dir, first.dir)
	first.write("more", "loose here")
	first.commit("more")
	g.git("clone", "-q", "--shared", first.dir, second.dir)
	first.wantHead()
	second.wantHead()
	// Relative alternates are relative to the objects directory.
	alternates := filepath.Join(second.dir, ".git", "objects", "info", "alternates")
	if err := os.WriteFile(alternates, []byte("# comment\n/no/such/directory\n../../../first/.git/objects\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	second.wantHead()
	// A cycle must end.
	if err := os.WriteFile(filepath.Join(g.dir, ".git", "objects", "info", "alternates"), []byte("../../../second/.git/objects\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	second.wantHead()
}

func TestShallowClone(t *testing.T) {
	g := sampleRepo(t)
	for range 3 {
		g.commit("more")
	}
	shallow := g.at(filepath.Join(filepath.Dir(g.dir), "shallow"))
	g.git("clone", "-q", "--depth=2", "file://"+g.dir, shallow.dir)
	shallow.wantHead()
	r := shallow.open()
	if _, err := r.Resolve("HEAD~1"); err != nil {
		t.Error(err)
	}
	for _, rev := range []string{"HEAD~2", g.git("rev-parse", "HEAD~3"), "nope"} {
		if _, err := r.Resolve(rev); !errors.Is(err, ErrUnknownRevision) || !strings.Contains(err.Error(), "--unshallow") {
			t.Errorf("%s: %v, want ErrUnknownRevision with the way out", rev, err)
		}
	}
}

func TestPartialClone(t *testing.T) {
	g := sampleRepo(t)
	g.git("config", "uploadpack.allowFilter", "true")
	partial := g.at(filepath.Join(filepath.Dir(g.dir), "partial"))
	g.git("clone", "-q", "--no-checkout", "--filter=blob:limit=100", "file://"+g.dir, partial.dir)
	s := partial.snapshot(Options{})
	if got, want := listing(s), withoutOwn(g.lsTree("HEAD")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	rd, err := s.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	big, _ := s.Find("big.txt")
	if _, err := rd.Read(big); !errors.Is(err, ErrMissing) {
		t.Errorf("filtered blob: %v, want ErrMissing", err)
	}
	small, _ := s.Find("README.md")
	if data, err := rd.Read(small); err != nil || string(data) != "# Sample\n" {
		t.Errorf("present blob: %q %v", data, err)
	}
}

func TestExtensions(t *testing.T) {
	g := sampleRepo(t)
	g.git("config", "core.repositoryFormatVersion", "1")
	for _, kv := range []string{"extensions.preciousObjects=true", "extensions.worktreeConfig=true", "extensions.noop=x", "extensions.partialClone=origin", "extensions.objectFormat=sha1"} {
		key, value, _ := strings.Cut(kv, "=")
		g.git("config", key, value)
		g.wantHead()
	}
	for _, c := range []struct{ key, value, says string }{
		{"extensions.objectFormat", "sha256", "--object-format=sha1"},
		{"extensions.refStorage", "reftable", "--ref-format=files"},
		{"extensions.future", "x", "extensions.future"},
		{"core.repositoryFormatVersion", "2", "newer"},
		{"core.repositoryFormatVersion", "x", "repositoryformatversion"},
	} {
		g := newRepo(t)
		g.git("config", "core.repositoryFormatVersion", "1")
		g.git("config", c.key, c.value)
		_, err := OpenEnv(g.dir, g.getenv)
		if !errors.Is(err, ErrUnsupportedRepository) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s=%s: %v, want ErrUnsupportedRepository that says %q", c.key, c.value, err, c.says)
		}
	}
	sha256 := newRepo(t, "--object-format=sha256")
	if _, err := OpenEnv(sha256.dir, g.getenv); !errors.Is(err, ErrUnsupportedRepository) {
		t.Errorf("SHA-256 repository: %v", err)
	}
}

func TestReplaceRefsAreIgnored(t *testing.T) {
	g := sampleRepo(t)
	first := g.git("rev-parse", "HEAD")
	g.write("a-b", "changed")
	second := g.commit("second")
	g.git("replace", second, first)
	if s := g.wantHead(); s.Commit != second {
		t.Errorf("commit %s, want %s", s.Commit, second)
	}
}

func TestPackFormats(t *testing.T) {
	g := sampleRepo(t)
	for i := range 5 {
		g.write("big.txt", strings.Repeat("0123456789abcdef\n", 2000+i)+"end")
		g.commit("more")
	}
	for _, args := range [][]string{
		{"repack", "-q", "-a", "-d", "-f"},
		{"-c", "pack.writeReverseIndex=true", "repack", "-q", "-a", "-d", "-f"},
		{"-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f"}, // REF_DELTA
		{"-c", "pack.indexVersion=2", "repack", "-q", "-a", "-d", "-f", "-b"},
		{"multi-pack-index", "write"},
		{"commit-graph", "write", "--reachable"},
	} {
		g.git(args...)
		g.wantHead()
		for _, rev := range []string{"HEAD~2", "HEAD~5"} {
			s := g.snapshot(Options{Rev: rev})
			if got := len(contents(t, s)); got < 10 {
				t.Errorf("%v %s: %d files", args, rev, got)
			}
		}
	}
	g.git("-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d", "-f")
	if _, err := OpenEnv(g.dir, g.getenv); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "git repack") {
		t.Errorf("pack index of version 1: %v, want an error with the way out", err)
	}
}

// TestRepackWhileReading repacks between listing and reading.
func TestRepackWhileReading(t *testing.T) {
	g := sampleRepo(t)
	s := g.snapshot(Options{})
	g.git("gc", "-q", "--prune=now")
	contents(t, s)
	s = g.snapshot(Options{})
	g.write("more", "x")
	g.commit("more")
	g.git("gc", "-q", "--prune=now")
	contents(t, s)
}

func TestCorruptObjects(t *testing.T) {
	g := sampleRepo(t)
	s := g.snapshot(Options{})
	e, _ := s.Find("README.md")
	file := filepath.Join(g.dir, ".git", "objects", e.Blob.String()[:2], e.Blob.String()[2:])
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	other, _ := s.Find("a/b.go")
	swapped, err := os.ReadFile(filepath.Join(g.dir, ".git", "objects", other.Blob.String()[:2], other.Blob.String()[2:]))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"empty": {}, "cut": good[:len(good)-6], "garbage": []byte("garbage"), "other object": swapped} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		rd, err := s.Reader()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := rd.Read(e); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %q, %v; want ErrCorrupt", name, got, err)
		}
		rd.Close()
	}
	if err := os.WriteFile(file, good, 0o644); err != nil {
		t.Fatal(err)
	}
	g.git("repack", "-q", "-a", "-d")
	s = g.snapshot(Options{})
	pack := g.packs()[0]
	data, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(pack, 0o644); err != nil {
		t.Fatal(err)
	}
	// Damage every region in turn: each read is right or an error.
	for at := 12; at < len(data)-20; at += 97 {
		damaged := bytes.Clone(data)
		damaged[at] ^= 0x55
		if err := os.WriteFile(pack, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		rd, err := s.Reader(WithMaxSize(1 << 20))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range s.Entries {
			if content, err := rd.Read(e); err == nil && BlobID(content) != e.Blob {
				t.Errorf("byte %d: wrong content of %s", at, e.Path)
			}
		}
		rd.Close()
	}
}

func TestParallelReaders(t *testing.T) {
	g := sampleRepo(t)
	g.git("gc", "-q")
	s := g.snapshot(Options{})
	var wg sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			rd, err := s.Reader()
			if err != nil {
				t.Error(err)
				return
			}
			defer rd.Close()
			for range 5 {
				for _, e := range s.Entries {
					if e.Mode == Submodule {
						continue
					}
					if data, err := rd.Read(e); err != nil || BlobID(data) != e.Blob {
						t.Errorf("%s: %v", e.Path, err)
					}
				}
			}
		})
	}
	wg.Wait()
}

func TestCorruptIndex(t *testing.T) {
	g := sampleRepo(t)
	file := filepath.Join(g.dir, ".git", "index")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 1
	for name, data := range map[string][]byte{"empty": {}, "cut": good[:len(good)/2], "flipped": flipped} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, k := range []Kind{Staged, Worktree} {
			if _, err := g.open().Snapshot(context.Background(), Options{Kind: k}); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s: %v, want ErrCorrupt", name, err)
			}
		}
	}
}

func FuzzParseIndex(f *testing.F) {
	g := sampleRepo(f)
	for _, version := range []string{"2", "4"} {
		g.git("update-index", "--index-version", version)
		data, err := os.ReadFile(filepath.Join(g.dir, ".git", "index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-20])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		entries, err := parseIndex(append(bytes.Clone(body), make([]byte, 20)...))
		if err == nil && len(body) >= 12 && len(entries) != int(binary.BigEndian.Uint32(body[8:])) {
			t.Errorf("%d entries, header says %d", len(entries), binary.BigEndian.Uint32(body[8:]))
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 a\x0001234567890123456789"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := parseTree(data)
		if err != nil {
			return
		}
		for _, r := range rows {
			if strings.IndexByte(r.name, 0) >= 0 {
				t.Errorf("name %q", r.name)
			}
		}
	})
}

func FuzzPackIndex(f *testing.F) {
	g := sampleRepo(f)
	g.git("repack", "-q", "-a", "-d")
	data, err := os.ReadFile(strings.TrimSuffix(g.packs()[0], ".pack") + ".idx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, uint64(0))
	f.Fuzz(func(t *testing.T, data []byte, off uint64) {
		p, err := parsePackIndex(data)
		if err != nil {
			return
		}
		p.find(BlobID(data))
		p.at(int64(off))
		for row := range p.count {
			p.offset(row)
		}
		if p.count > 0 {
			p.prefix(nil, ID{}, ID{0, 0xff})
		}
	})
}

func FuzzPackedSize(f *testing.F) {
	f.Add([]byte{0x95, 0x0a, 0x78})
	f.Add([]byte{0x65, 0x0a, 0x78, 0x9c})
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := packedSize(bytes.NewReader(data), 0, new(io.ReadCloser)); err == nil && len(data) == 0 {
			t.Error("no error for no bytes")
		}
	})
}
