// Command merges takes merges of a repository's history, regenerates the maps
// on both sides and lets git merge them beside their sources. It counts the
// maps that conflict where the sources do not, by cause, and checks that
// validate --fix turns every result into what a fresh run gives.
//
//	go run ./benchmarks/merges -bin project-map -n 40 REPOSITORY
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	n := flag.Int("n", 40, "merges to measure")
	halves := flag.Int("halves", 0, "instead of merges, deal runs of this many commits to two branches in turn")
	settle := flag.Bool("settle", true, "check validate --fix after every merge")
	union := flag.Bool("union", false, "with .pi-map*.md merge=union in the attributes")
	verbose := flag.Bool("v", false, "print every conflict")
	start := flag.String("start", "HEAD", "where history starts")
	flag.Parse()
	scratch, err := os.MkdirTemp("", "merges")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	repo, err := origin.Clone(filepath.Join(scratch, "repo"))
	lab.Fail(err)
	if *union {
		lab.Fail(os.WriteFile(filepath.Join(repo.Dir, ".git/info/attributes"), []byte(".pi-map*.md merge=union\n"), 0o666))
	}
	m := &meter{repo: repo, scratch: scratch, trees: map[string]string{}, causes: map[string]int{}, settle: *settle, verbose: *verbose}
	head, err := origin.Git("rev-parse", *start)
	lab.Fail(err)
	if *halves > 0 {
		lab.Fail(m.dealt(head, *halves, *n))
	} else {
		lab.Fail(m.merges(head, *n))
	}
	m.print(origin.Name())
}

type meter struct {
	repo    *lab.Repo
	scratch string
	trees   map[string]string // commit -> tree of its sources and maps
	causes  map[string]int
	settle  bool
	verbose bool

	merged, sourceConflicts         int // merges measured; and those left out
	conflicted, across              int // merges with a conflict in maps; of those, across directories
	pages, pageConflicts, pageStale int
	unsettled                       int
}

// merges measures merge commits, newest first, whose sides both changed
// something since their only common ancestor.
func (m *meter) merges(head string, n int) error {
	list, err := m.repo.Git("rev-list", "--merges", "--min-parents=2", "--max-parents=2", "--parents", head)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(list, "\n") {
		f := strings.Fields(line)
		if len(f) != 3 || m.merged >= n {
			continue
		}
		bases, err := m.repo.Git("merge-base", "--all", f[1], f[2])
		if err != nil || strings.Contains(bases, "\n") || bases == f[1] || bases == f[2] {
			continue
		}
		if err := m.measure(bases, f[1], f[2]); err != nil {
			return err
		}
	}
	return nil
}

// dealt applies the commits of runs of first-parent history to two branches in
// turn; those that do not apply are left out.
func (m *meter) dealt(head string, run, n int) error {
	list, err := m.repo.Git("rev-list", "--first-parent", "--no-merges", head)
	if err != nil {
		return err
	}
	commits := strings.Split(list, "\n")
	for at := run; at < len(commits) && m.merged < n; at += run {
		base := commits[at]
		sides := [2]string{base, base}
		for i := range run {
			c := commits[at-1-i]
			tree, err := m.apply(c, sides[i%2])
			if err != nil {
				continue
			}
			next, err := m.repo.Git("commit-tree", "-p", sides[i%2], "-m", "dealt", tree)
			if err != nil {
				return err
			}
			sides[i%2] = next
		}
		if sides[0] == base || sides[1] == base {
			continue
		}
		if err := m.measure(base, sides[0], sides[1]); err != nil {
			return err
		}
	}
	return nil
}

// apply returns the tree of onto with what commit c changed, or an error where
// that conflicts.
func (m *meter) apply(c, onto string) (string, error) {
	var made [3]string
	for i, rev := range []string{c + "^", c, onto} {
		args := []string{"commit-tree", "-m", "side", rev + "^{tree}"}
		if i > 0 {
			args = append(args, "-p", made[0])
		}
		var err error
		if made[i], err = m.repo.Git(args...); err != nil {
			return "", err
		}
	}
	return m.repo.Git("merge-tree", "--write-tree", made[1], made[2])
}

// measure merges two commits with their maps.
func (m *meter) measure(base, ours, theirs string) error {
	var commits [3]string
	var plain [3]string
	for i, c := range []string{base, ours, theirs} {
		tree, err := m.mapped(c)
		if err != nil {
			return err
		}
		sources, err := m.repo.Git("rev-parse", c+"^{tree}")
		if err != nil {
			return err
		}
		args, plainArgs := []string{"commit-tree", "-m", "side", tree}, []string{"commit-tree", "-m", "side", sources}
		if i > 0 {
			args, plainArgs = append(args, "-p", commits[0]), append(plainArgs, "-p", plain[0])
		}
		if commits[i], err = m.repo.Git(args...); err != nil {
			return err
		}
		if plain[i], err = m.repo.Git(plainArgs...); err != nil {
			return err
		}
	}
	if commits[1] == commits[2] {
		return nil
	}
	if _, conflicts, err := m.merge(plain[1], plain[2]); err != nil {
		return err
	} else if len(conflicts) > 0 {
		m.sourceConflicts++
		return nil
	}
	tree, conflicts, err := m.merge(commits[1], commits[2])
	if err != nil {
		return err
	}
	m.merged++
	ourDirs, err := m.touched(plain[0], plain[1])
	if err != nil {
		return err
	}
	theirDirs, err := m.touched(plain[0], plain[2])
	if err != nil {
		return err
	}
	if len(conflicts) > 0 {
		m.conflicted++
		m.pageConflicts += len(conflicts)
		crossing := false
		for _, p := range conflicts {
			where := "within a directory"
			if !ourDirs[dirOf(p)] || !theirDirs[dirOf(p)] {
				where, crossing = "across directories", true
			}
			text, err := m.repo.Git("show", tree+":"+p)
			if err != nil {
				return err
			}
			for _, c := range causes(text) {
				m.causes[where+": "+c.what]++
				if m.verbose {
					fmt.Printf("%.10s %.10s %s: %s, %s\n%s\n", ours, theirs, p, where, c.what, c.text)
				}
			}
		}
		if crossing {
			m.across++
		}
	}
	if !m.settle {
		return nil
	}
	return m.settles(tree, commits[1], commits[2], conflicts)
}

// mapped returns the tree of a commit with its maps beside the sources.
func (m *meter) mapped(commit string) (string, error) {
	if t, ok := m.trees[commit]; ok {
		return t, nil
	}
	out := filepath.Join(m.scratch, "out")
	if err := os.RemoveAll(out); err != nil {
		return "", err
	}
	if _, err := m.repo.Map("index", "--rev", commit, "--out", out); err != nil {
		return "", err
	}
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(m.scratch, "git-index"), "GIT_WORK_TREE=" + out, "GIT_DIR=" + filepath.Join(m.repo.Dir, ".git")}
	if _, err := m.repo.GitEnv(env, "read-tree", commit); err != nil {
		return "", err
	}
	add := exec.Command("git", "add", "-f", "--", ":(glob)**/.pi-map.md", ":(glob)**/.pi-map.index.md")
	add.Dir = out
	add.Env = append(os.Environ(), env...)
	if msg, err := add.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git add: %w: %s", err, msg)
	}
	tree, err := m.repo.GitEnv(env, "write-tree")
	m.trees[commit] = tree
	return tree, err
}

// merge returns the tree that git makes of two commits and the paths in
// conflict.
func (m *meter) merge(a, b string) (tree string, conflicts []string, err error) {
	out, err := m.repo.Git("merge-tree", "--write-tree", "--name-only", "--no-messages", a, b)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return "", nil, err
	}
	lines := strings.Split(out, "\n")
	return lines[0], lines[1:], nil
}

// touched lists the directories in which a side changed a file.
func (m *meter) touched(base, side string) (map[string]bool, error) {
	out, err := m.repo.Git("diff-tree", "-r", "--name-only", "--no-renames", base, side)
	dirs := map[string]bool{}
	for _, p := range strings.Split(out, "\n") {
		dirs[dirOf(p)] = true
	}
	return dirs, err
}

// settles checks out a merged tree, has validate mend it and compares with a
// fresh run.
func (m *meter) settles(tree, ours, theirs string, conflicts []string) error {
	commit, err := m.repo.Git("commit-tree", "-m", "merge", "-p", ours, "-p", theirs, tree)
	if err != nil {
		return err
	}
	if _, err := m.repo.Git("checkout", "-q", "-f", "--detach", commit); err != nil {
		return err
	}
	before, err := lab.Pages(m.repo.Dir)
	if err != nil {
		return err
	}
	fix, fixErr := m.repo.Map("validate", "--fix")
	after, err := lab.Pages(m.repo.Dir)
	if err != nil {
		return err
	}
	out := filepath.Join(m.scratch, "fresh")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if _, err := m.repo.Map("index", "--rev", commit, "--out", out); err != nil {
		return err
	}
	fresh, err := lab.Pages(out)
	if err != nil {
		return err
	}
	m.pages += len(fresh)
	for _, p := range lab.Differences(before, fresh) {
		if !slices.Contains(conflicts, p) {
			m.pageStale++
		}
	}
	if left := lab.Differences(after, fresh); len(left) > 0 {
		m.unsettled++
		fmt.Println("not settled:", left, fix, fixErr)
	}
	return nil
}

type cause struct{ what, text string }

// causes names the part of the page that each conflict stands in.
func causes(page string) []cause {
	var out []cause
	section, file := "header", ""
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "> "):
			if file == "" {
				section = "summary"
			}
		case strings.HasPrefix(l, "Tags: "):
			section = "tags"
		case strings.HasPrefix(l, "## "):
			section, file = strings.ToLower(l[3:]), ""
		case strings.HasPrefix(l, "### "):
			file = l[4:]
		case strings.HasPrefix(l, "<<<<<<<"):
			from := i
			for i < len(lines)-1 && !strings.HasPrefix(lines[i], ">>>>>>>") {
				i++
			}
			body := lines[from : i+1]
			what := section
			kinds := map[string]bool{}
			for _, b := range body {
				switch {
				case strings.HasPrefix(b, "## "):
					kinds["section "+strings.ToLower(b[3:])] = true
				case strings.HasPrefix(b, "### "):
					kinds["file"] = true
				case strings.HasPrefix(b, "- Imports"), strings.HasPrefix(b, "- Tested by"), strings.HasPrefix(b, "- Symbols"):
					kinds[strings.ToLower(strings.TrimPrefix(b[:strings.IndexByte(b, ':')], "- "))] = true
				case strings.HasPrefix(b, "- "), strings.HasPrefix(b, "  - "):
					kinds["item"] = true
				case strings.HasPrefix(b, "> "):
					kinds["summary"] = true
				case strings.HasPrefix(b, "Tags: "):
					kinds["tags"] = true
				}
			}
			var names []string
			for k := range kinds {
				names = append(names, k)
			}
			slices.Sort(names)
			what += " (" + strings.Join(names, ", ") + ")"
			out = append(out, cause{what, strings.Join(body, "\n")})
		}
	}
	return out
}

func (m *meter) print(name string) {
	share := func(n, of int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(max(of, 1)))
	}
	fmt.Printf("| %s | |\n|---|---|\n", name)
	fmt.Printf("| merges without a conflict in sources | %d (%d others left out) |\n", m.merged, m.sourceConflicts)
	fmt.Printf("| merges with a conflict in maps | %s |\n", share(m.conflicted, m.merged))
	fmt.Printf("| of those, across directories | %d |\n", m.across)
	fmt.Printf("| maps in conflict | %d |\n", m.pageConflicts)
	if m.settle {
		fmt.Printf("| maps merged cleanly, but other than fresh | %s |\n", share(m.pageStale, m.pages))
		fmt.Printf("| not settled by validate --fix | %d |\n", m.unsettled)
	}
	var names []string
	for c := range m.causes {
		names = append(names, c)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(m.causes[b]-m.causes[a], strings.Compare(a, b)) })
	for _, c := range names {
		fmt.Printf("| conflict %s | %d |\n", c, m.causes[c])
	}
}

func dirOf(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}
