package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// historyRepo has a merge, nested and annotated tags, a remote and odd names.
func historyRepo(t testing.TB) *gitRepo {
	g := newRepo(t)
	g.write("a", "1")
	g.commit("one")
	g.git("tag", "v1")
	g.write("a", "2")
	g.commit("two")
	g.git("tag", "-a", "-m", "annotated", "v2")
	g.git("tag", "-a", "-m", "nested", "v2n", "v2")
	g.git("checkout", "-q", "-b", "feature/x", "HEAD~1")
	g.write("b", "1")
	g.commit("side")
	g.git("checkout", "-q", "main")
	g.git("merge", "-q", "--no-ff", "-m", "merge", "feature/x")
	g.write("a", "3")
	g.commit("three")
	g.git("tag", "-a", "-m", "a blob", "blobtag", g.git("rev-parse", "HEAD:a"))
	g.git("tag", "treetag", g.git("rev-parse", "HEAD^{tree}"))
	g.git("tag", "both", "v1")
	g.git("branch", "both", "main")
	g.git("branch", "deadbeef", "v1")
	g.git("branch", "v9-g"+g.git("rev-parse", "v1")[:8], "v2")
	g.git("update-ref", "refs/remotes/origin/main", "v2^{commit}")
	g.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	g.git("update-ref", "refs/notes/x/y", "v1")
	g.git("update-ref", "ORIG_HEAD", "v1")
	return g
}

func TestResolveAgreesWithGit(t *testing.T) {
	g := historyRepo(t)
	full := g.git("rev-parse", "HEAD")
	exprs := []string{
		"HEAD", "@", "@~1", "main", "heads/main", "refs/heads/main", "feature/x", "v1", "v2", "v2n", "tags/v2", "refs/tags/v2n",
		"both", "deadbeef", "origin", "origin/main", "remotes/origin/main", "refs/remotes/origin/HEAD", "notes/x/y", "ORIG_HEAD",
		full, strings.ToUpper(full), full[:12], full[:7], strings.ToUpper(full[:9]), full + "~1", full[:10] + "^",
		"HEAD~", "HEAD~0", "HEAD~1", "HEAD~3", "HEAD^", "HEAD^0", "HEAD^1", "HEAD~1^2", "HEAD~1^2~1", "HEAD^^", "HEAD^^2", "HEAD~~", "HEAD~1^1~1",
		"v2^{}", "v2^{commit}", "v2n^{}~1", "v2n~1", "v2^0", "HEAD^{commit}^{}~1", "v1^{commit}",
		g.git("describe", "--tags", "--long"), "anything-3-g" + full[:8], "v9-g" + g.git("rev-parse", "v1")[:8],
		// These fail in git, too.
		"", "nope", "HEAD~9", "HEAD^3", "v1^", "refs/heads", "config", "index", "refs/heads/nope", "blobtag", "treetag", "HEAD^{commit}5",
		"HEAD~x", "HEAD^{", strings.Repeat("0", 40), "0123456", "main/", "/main", "main.lock", "a b", "HEAD~99999999999999999999", "../HEAD", "refs/../HEAD",
		g.git("rev-parse", "HEAD^{tree}"), g.git("rev-parse", "HEAD:a")[:10], "-q",
	}
	for _, packed := range []bool{false, true} {
		if packed {
			g.git("gc", "-q", "--prune=now")
			g.git("pack-refs", "--all")
		}
		r := g.open()
		for _, expr := range exprs {
			want, gitErr := g.try("", "rev-parse", "--verify", "--quiet", "--end-of-options", expr+"^{commit}")
			if expr == "" {
				gitErr = errors.New("empty")
			}
			want = strings.TrimSpace(want)
			if i := strings.LastIndexByte(want, '\n'); i >= 0 {
				want = want[i+1:]
			}
			got, err := r.Resolve(expr)
			switch {
			case gitErr != nil && err == nil:
				t.Errorf("packed=%v %q: got %s, git refuses", packed, expr, got)
			case gitErr == nil && err != nil:
				t.Errorf("packed=%v %q: %v, git says %s", packed, expr, err, want)
			case gitErr == nil && got.String() != want:
				t.Errorf("packed=%v %q: got %s, git says %s", packed, expr, got, want)
			case err != nil && !errors.Is(err, ErrUnknownRevision) && !(strings.Contains(expr, "..") && errors.Is(err, ErrUnsupportedRevision)):
				t.Errorf("packed=%v %q: unexpected error %v", packed, expr, err)
			}
		}
	}
}

func TestUnsupportedSyntaxIsRefused(t *testing.T) {
	g := historyRepo(t)
	r := g.open()
	for expr, what := range map[string]string{
		"HEAD@{1}":         "reflog",
		"@{0}":             "reflog",
		"main@{upstream}":  "upstream",
		"@{u}":             "upstream",
		"@{-1}":            "checked out before",
		"main@{yesterday}": "reflog",
		"v2^{tree}":        "^{tree}",
		"v2^{blob}":        "^{blob}",
		"v2^{tag}":         "^{tag}",
		"HEAD^{/side}":     "message",
		":/side":           "message",
		":a":               "path in the index",
		":0:a":             "path in the index",
		"HEAD:a":           "path in a revision",
		"v1..v2":           "range",
		"v1...v2":          "range",
		"^v1":              "exclusion",
		"HEAD^@":           "parents",
		"HEAD^!":           "range",
		"HEAD^-1":          "range",
	} {
		_, err := r.Resolve(expr)
		if !errors.Is(err, ErrUnsupportedRevision) {
			t.Errorf("%q: error %v, want ErrUnsupportedRevision", expr, err)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, what) || !strings.Contains(msg, "git rev-parse") {
			t.Errorf("%q: message %q does not name %q and the way out", expr, msg, what)
		}
	}
}

func TestAmbiguousShortHash(t *testing.T) {
	g := newRepo(t)
	g.commit("root")
	// Commits on one tree, until two share their first four digits.
	seen := make(map[string]string)
	prefix := ""
	var stream strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&stream, "commit refs/heads/b%d\ncommitter C <c@example.com> %d +0000\ndata 1\nx\n\n", i, 1e9+i)
	}
	g.gitIn(stream.String(), "fast-import", "--quiet", "--force")
	for id := range strings.FieldsSeq(g.git("for-each-ref", "--format=%(objectname)", "refs/heads/b*")) {
		if seen[id[:4]] != "" && seen[id[:4]] != id {
			prefix = id[:4]
		}
		seen[id[:4]] = id
	}
	if prefix == "" {
		t.Skip("no two commits with a common prefix")
	}
	_, err := g.open().Resolve(prefix)
	if !errors.Is(err, ErrAmbiguousRevision) || !strings.Contains(err.Error(), seen[prefix]) {
		t.Errorf("error %v, want ErrAmbiguousRevision naming %s", err, seen[prefix])
	}
}

func TestUnbornAndEmpty(t *testing.T) {
	g := newRepo(t)
	r := g.open()
	if _, err := r.Resolve("HEAD"); !errors.Is(err, ErrUnbornHead) || !strings.Contains(err.Error(), "branch main") {
		t.Errorf("HEAD: %v, want ErrUnbornHead naming the branch", err)
	}
	if _, err := r.Snapshot(context.Background(), Options{}); !errors.Is(err, ErrUnbornHead) {
		t.Errorf("snapshot: %v, want ErrUnbornHead", err)
	}
	if _, err := r.Resolve("main"); !errors.Is(err, ErrUnknownRevision) {
		t.Errorf("main: %v, want ErrUnknownRevision", err)
	}
	for _, k := range []Kind{Staged, Worktree} {
		if s := g.snapshot(Options{Kind: k}); len(s.Entries) != 0 {
			t.Errorf("%v: entries %v, want none", k, s.Entries)
		}
	}
	g.write("a", "x")
	g.git("add", "a")
	s := g.snapshot(Options{Kind: Staged})
	if changed, err := s.ChangedFromHead(context.Background()); err != nil || strings.Join(changed, " ") != "a" {
		t.Errorf("changed from an unborn HEAD: %v, %v; want a", changed, err)
	}
}

func TestNotARepository(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenEnv(dir, func(string) string { return "" }); !errors.Is(err, ErrNotRepository) || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want ErrNotRepository naming %s", err, dir)
	}
	if _, err := OpenEnv(filepath.Join(dir, "none"), os.Getenv); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing directory: %v, want ErrNotExist", err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: nowhere\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenEnv(dir, os.Getenv); !errors.Is(err, ErrNotRepository) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("dangling .git file: %v, want ErrNotRepository naming the target", err)
	}
}

func FuzzResolve(f *testing.F) {
	g := historyRepo(f)
	r := g.open()
	for _, s := range []string{"HEAD~1^2", "v2^{}", "@{u}", "a..b", "HEAD^{/x}", "origin", "x-g1234567", "refs/heads/../../config"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		id, err := r.Resolve(expr)
		if (err == nil) == id.IsZero() {
			t.Errorf("%q: id %s, error %v", expr, id, err)
		}
	})
}
