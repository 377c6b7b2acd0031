// Command impact asks, for commits of a real history, what an edit of one of the
// definitions that the commit changed reaches, at the state before the commit,
// and counts how many of the other files that it changed are among the first ten
// that the answer cites. Beside it stands a plain text search for the name of the
// definition, the files with the most matches first.
//
//	go run ./benchmarks/impact -bin project-map -n 100 REPOSITORY
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// Commits that change more files than this are sweeps.
const maxFiles = 12

// first is how many files of an answer count.
const first = 10

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	n := flag.Int("n", 100, "commits to measure")
	start := flag.String("start", "HEAD", "the newest of them")
	skip := flag.Int("skip", 0, "newest commits to leave out")
	verbose := flag.Bool("v", false, "print each commit")
	flag.Parse()
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	scratch, err := os.MkdirTemp("", "impact")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	work, err := origin.Clone(filepath.Join(scratch, "work"))
	lab.Fail(err)
	list, err := origin.Git("rev-list", "--no-merges", "--first-parent", *start)
	lab.Fail(err)
	commits := strings.Fields(list)
	m := &meter{repo: work, verbose: *verbose}
	for _, c := range commits[min(*skip, len(commits)):] {
		if m.commits == *n {
			break
		}
		lab.Fail(m.measure(c))
	}
	fmt.Printf("| repository | commits | other files | editImpact, recall of the first %d | text search |\n|---|---|---|---|---|\n", first)
	fmt.Printf("| %s | %d | %d | %.1f %% | %.1f %% |\n", origin.Name(), m.commits, m.others, 100*m.ours/float64(max(1, m.commits)), 100*m.search/float64(max(1, m.commits)))
}

type meter struct {
	repo            *lab.Repo
	verbose         bool
	commits, others int
	// ours and search are sums of recalls, a commit one.
	ours, search float64
}

// measure asks about one commit. It counts only where a definition that was there
// before is changed along with other files that were.
func (m *meter) measure(commit string) error {
	parent := commit + "^"
	if _, err := m.repo.Git("rev-parse", "-q", "--verify", parent); err != nil {
		return nil
	}
	status, err := m.repo.Git("diff", "--name-status", "--no-renames", parent, commit)
	if err != nil {
		return err
	}
	var changed []string
	for _, line := range strings.Split(status, "\n") {
		if kind, p, ok := strings.Cut(line, "\t"); ok && kind == "M" {
			changed = append(changed, p)
		}
	}
	if len(changed) < 2 || len(changed) > maxFiles {
		return nil
	}
	if _, err := m.repo.Git("checkout", "-q", "-f", "--detach", parent); err != nil {
		return err
	}
	if _, err := m.repo.Map("--quiet", "index"); err != nil {
		return err
	}
	for _, p := range sources(changed) {
		line, err := m.touched(parent, commit, p)
		if err != nil {
			return err
		}
		if line == 0 {
			continue
		}
		files, name, err := m.ask(p, line)
		if err != nil || name == "" {
			continue // no definition stands there
		}
		others := slices.DeleteFunc(slices.Clone(changed), func(x string) bool { return x == p })
		found, err := m.grep(parent, name, p)
		if err != nil {
			return err
		}
		a, b := recall(files, others), recall(found, others)
		m.commits++
		m.others += len(others)
		m.ours += a
		m.search += b
		if m.verbose {
			fmt.Printf("%.10s %s:%d %s: %.2f, text search %.2f of %s\n", commit, p, line, name, a, b, strings.Join(others, " "))
		}
		return nil
	}
	return nil
}

// sources lists the files of programs, tests last.
func sources(paths []string) []string {
	var code, tests []string
	for _, p := range paths {
		switch filepath.Ext(p) {
		case ".go", ".py", ".js", ".ts", ".tsx", ".vue", ".java", ".kt", ".rb", ".rs", ".c", ".h", ".cc", ".cpp", ".cs", ".php":
		default:
			continue
		}
		if strings.Contains(strings.ToLower(p), "test") || strings.Contains(strings.ToLower(p), "spec") {
			tests = append(tests, p)
		} else {
			code = append(code, p)
		}
	}
	return append(code, tests...)
}

// touched is the first line of the old text that a commit changes inside what
// could be a definition.
func (m *meter) touched(parent, commit, p string) (int, error) {
	diff, err := m.repo.Git("diff", "-U0", "--no-renames", parent, commit, "--", p)
	if err != nil {
		return 0, err
	}
	for _, line := range strings.Split(diff, "\n") {
		if !strings.HasPrefix(line, "@@ -") {
			continue
		}
		head, _, _ := strings.Cut(strings.TrimPrefix(line, "@@ -"), " ")
		at, _, _ := strings.Cut(head, ",")
		if n, err := strconv.Atoi(at); err == nil && n > 0 {
			return n, nil
		}
	}
	return 0, nil
}

// ask gives the files that an answer cites, in its order, and the name of the
// definition.
func (m *meter) ask(p string, line int) (files []string, name string, err error) {
	request, err := json.Marshal(map[string]any{"action": "editImpact", "file": p, "line": line})
	if err != nil {
		return nil, "", err
	}
	out, err := m.repo.Map("oracle", "--no-cache", "--format", "json", "--request", string(request))
	if err != nil {
		return nil, "", err
	}
	var a struct {
		Evidence []struct{ File, Symbol string }
	}
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return nil, "", fmt.Errorf("%s:%d: %w", p, line, err)
	}
	for i, e := range a.Evidence {
		if i == 0 && e.File == p {
			name = e.Symbol[strings.LastIndexAny(e.Symbol, ".:")+1:]
		}
		if e.File != "" && e.File != p && !strings.HasSuffix(e.File, "CODEOWNERS") && !slices.Contains(files, e.File) {
			files = append(files, e.File)
		}
	}
	return files[:min(first, len(files))], name, nil
}

// grep gives the files that hold a name as a word, those with the most lines
// first.
func (m *meter) grep(rev, name, except string) ([]string, error) {
	out, _ := m.repo.Git("grep", "-c", "-I", "-w", "-F", "-e", name, rev) // nothing found is an error
	type hit struct {
		path string
		n    int
	}
	var hits []hit
	for _, line := range strings.Split(out, "\n") {
		line = strings.TrimPrefix(line, rev+":")
		i := strings.LastIndexByte(line, ':')
		if i < 0 || line[:i] == except || lab.IsPage(line[:i]) {
			continue
		}
		n, err := strconv.Atoi(line[i+1:])
		if err != nil {
			return nil, fmt.Errorf("git grep: %q", line)
		}
		hits = append(hits, hit{line[:i], n})
	}
	slices.SortFunc(hits, func(x, y hit) int { return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(x.path, y.path)) })
	var files []string
	for _, h := range hits[:min(first, len(hits))] {
		files = append(files, h.path)
	}
	return files, nil
}

func recall(found, want []string) float64 {
	n := 0
	for _, w := range want {
		if slices.Contains(found, w) {
			n++
		}
	}
	return float64(n) / float64(len(want))
}
