package revision

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitRepo drives the real git program in a directory of its own, isolated from
// the machine's and the user's configuration.
type gitRepo struct {
	t   testing.TB
	dir string
	env []string
}

func isolatedEnv(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "xdg"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z",
		"GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1",
	}
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not installed")
	}
}

func newRepo(t testing.TB, initArgs ...string) *gitRepo {
	t.Helper()
	needGit(t)
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &gitRepo{t: t, dir: filepath.Join(base, "repo"), env: isolatedEnv(base)}
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	g.git(append([]string{"init", "-q", "-b", "main"}, initArgs...)...)
	return g
}

// at returns a driver for another directory with the same environment.
func (g *gitRepo) at(dir string) *gitRepo { return &gitRepo{t: g.t, dir: dir, env: g.env} }

func (g *gitRepo) try(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = g.dir, g.env, strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return stderr.String(), err
	}
	return string(out), nil
}

// git runs git and returns its output without the last line ending.
func (g *gitRepo) git(args ...string) string {
	g.t.Helper()
	return g.gitIn("", args...)
}

func (g *gitRepo) gitIn(stdin string, args ...string) string {
	g.t.Helper()
	out, err := g.try(stdin, args...)
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(out, "\n")
}

func (g *gitRepo) write(path, content string) {
	g.t.Helper()
	full := filepath.Join(g.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gitRepo) symlink(target, path string) {
	g.t.Helper()
	full := filepath.Join(g.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.Symlink(target, full); err != nil {
		g.t.Skip("symbolic links are not available")
	}
}

func (g *gitRepo) remove(path string) {
	g.t.Helper()
	if err := os.RemoveAll(filepath.Join(g.dir, filepath.FromSlash(path))); err != nil {
		g.t.Fatal(err)
	}
}

// commit commits everything and returns the commit's id.
func (g *gitRepo) commit(message string) string {
	g.t.Helper()
	g.git("add", "-A")
	g.git("commit", "-q", "--allow-empty", "-m", message)
	return g.git("rev-parse", "HEAD")
}

func (g *gitRepo) getenv(name string) string {
	for _, kv := range g.env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

func (g *gitRepo) open() *Repository {
	g.t.Helper()
	r, err := OpenEnv(g.dir, g.getenv)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { r.Close() })
	return r
}

func (g *gitRepo) snapshot(o Options) *Snapshot {
	g.t.Helper()
	s, err := g.open().Snapshot(context.Background(), o)
	if err != nil {
		g.t.Fatal(err)
	}
	return s
}

// contents reads every entry and checks the promise that ids fit bytes.
func contents(t testing.TB, s *Snapshot) map[string]string {
	t.Helper()
	rd, err := s.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	all := make(map[string]string)
	for _, e := range s.Entries {
		if e.Mode == Submodule {
			continue
		}
		data, err := rd.Read(e)
		if err != nil {
			t.Errorf("read %s: %v", e.Path, err)
			continue
		}
		if BlobID(data) != e.Blob {
			t.Errorf("%s: bytes hash to %s, entry says %s", e.Path, BlobID(data), e.Blob)
		}
		all[e.Path] = string(data)
	}
	return all
}

// listing renders entries the way `git ls-tree -r` and `git ls-files -s` do.
func listing(s *Snapshot) string {
	var b strings.Builder
	for _, e := range s.Entries {
		b.WriteString(e.Mode.git() + " " + e.Blob.String() + "\t" + e.Path + "\n")
	}
	return b.String()
}

// lsTree is the listing that git gives of a commit.
func (g *gitRepo) lsTree(rev string) string {
	g.t.Helper()
	var b strings.Builder
	for row := range strings.SplitSeq(g.git("ls-tree", "-r", "-z", rev), "\x00") {
		if f := strings.Fields(strings.SplitN(row, "\t", 2)[0]); len(f) == 3 {
			b.WriteString(f[0] + " " + f[2] + "\t" + strings.SplitN(row, "\t", 2)[1] + "\n")
		}
	}
	return b.String()
}

// lsFiles is the listing that git gives of the index.
func (g *gitRepo) lsFiles() string {
	g.t.Helper()
	var b strings.Builder
	for row := range strings.SplitSeq(g.git("ls-files", "-s", "-z"), "\x00") {
		if f := strings.Fields(strings.SplitN(row, "\t", 2)[0]); len(f) == 3 {
			b.WriteString(f[0] + " " + f[1] + "\t" + strings.SplitN(row, "\t", 2)[1] + "\n")
		}
	}
	return b.String()
}

func paths(s *Snapshot) []string {
	var all []string
	for _, e := range s.Entries {
		all = append(all, e.Path)
	}
	return all
}

func noteFor(s *Snapshot, path string) string {
	for _, n := range s.Notes {
		if n.Path == path {
			return n.Reason
		}
	}
	return ""
}
