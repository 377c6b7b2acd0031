// Command edits makes edits of a real repository's work tree and counts the
// artifacts that change: statements at the start of function bodies (none may
// change), a new exported function (its directory's pair may), a new directory
// (its pair and its parent's may).
//
//	go run ./benchmarks/edits -bin project-map -n 40 REPOSITORY
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// language is how to edit sources of one language.
type language struct {
	body      *regexp.Regexp // the line that opens a body, up to its end
	statement []string       // to put after it, with %s for the indentation
	function  string         // exported, to put at the end of a file
	file      string         // a whole file for a new directory
}

var languages = map[string]language{
	".go": {
		regexp.MustCompile(`(?m)^func [^\n]*\{\n`),
		[]string{"\tvar benchLocal = map[string]int{\"a\": 1}\n\t_ = benchLocal\n", "\tfunc() { type local struct{}; _ = local{} }()\n"},
		"\n// BenchAdded is new.\nfunc BenchAdded(a int) error { return nil }\n",
		"package benchadded\n\n// Added is new.\nfunc Added() {}\n",
	},
	".py": {
		regexp.MustCompile(`(?m)^( *)def [^\n]*:\n`),
		[]string{"%s    bench_local = [1]\n", "%s    def bench_inner(): return 1\n", "%s    import json as bench_json\n"},
		"\n\ndef bench_added(a: int) -> None:\n    \"\"\"Is new.\"\"\"\n",
		"def added():\n    pass\n",
	},
	".ts": {
		regexp.MustCompile(`(?m)^(export )?(async )?function [^\n]*\{\n`),
		[]string{"  const benchLocal = [1]\n  void benchLocal\n", "  class BenchLocal { run() {} }\n  void BenchLocal\n"},
		"\n/** Is new. */\nexport function benchAdded(a: number): void {}\n",
		"export const added = 1\n",
	},
}

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	n := flag.Int("n", 40, "edits of each kind")
	seed := flag.Uint64("seed", 1, "of the choice of places")
	flag.Parse()
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	scratch, err := os.MkdirTemp("", "edits")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	repo, err := origin.Clone(filepath.Join(scratch, "repo"))
	lab.Fail(err)
	_, err = repo.Git("checkout", "-q", "-f", "--detach", "HEAD")
	lab.Fail(err)
	list, err := repo.Git("ls-files")
	lab.Fail(err)
	m := &meter{repo: repo, random: rand.New(rand.NewPCG(*seed, 0))}
	for _, f := range strings.Split(list, "\n") {
		if _, ok := languages[path.Ext(f)]; ok && !strings.Contains(f, "vendor/") && !strings.Contains(f, "testdata") {
			m.files = append(m.files, f)
		}
	}
	_, err = repo.Map("index", "--worktree")
	lab.Fail(err)
	m.before, err = lab.Pages(repo.Dir)
	lab.Fail(err)
	fmt.Printf("| %s | edits | artifacts changed by them | edits that changed others |\n|---|---|---|---|\n", origin.Name())
	m.kind("statements in function bodies (all of a file at once)", *n, m.editBodies)
	m.kind("one new exported function", *n, m.addFunction)
	m.kind("one new directory", *n, m.addDirectory)
	if m.bad > 0 {
		os.Exit(1)
	}
}

type meter struct {
	repo   *lab.Repo
	random *rand.Rand
	files  []string
	before map[string]string
	bad    int
}

// kind makes n edits, each alone.
func (m *meter) kind(name string, n int, edit func(file string) (allowed []string, ok bool)) {
	done, changes, wrong := 0, 0, 0
	for tries := 0; done < n && tries < 20*n; tries++ {
		file := m.files[m.random.IntN(len(m.files))]
		allowed, ok := edit(file)
		if !ok {
			continue
		}
		done++
		_, err := m.repo.Map("index", "--worktree")
		lab.Fail(err)
		after, err := lab.Pages(m.repo.Dir)
		lab.Fail(err)
		differences := lab.Differences(m.before, after)
		changes += len(differences)
		for _, p := range differences {
			if !slices.Contains(allowed, path.Dir(p)) {
				wrong++
				fmt.Fprintf(os.Stderr, "%s: %s changes %s\n", name, file, p)
				break
			}
		}
		_, err = m.repo.Git("checkout", "-q", "-f", "HEAD")
		lab.Fail(err)
		_, err = m.repo.Git("clean", "-fdq", "-e", ".pi-map*", "-e", ".project-map")
		lab.Fail(err)
	}
	_, err := m.repo.Map("index", "--worktree")
	lab.Fail(err)
	m.bad += wrong
	fmt.Printf("| %s | %d | %d | %d |\n", name, done, changes, wrong)
}

func (m *meter) edit(file string, change func(string) string) bool {
	name := filepath.Join(m.repo.Dir, file)
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	text := change(string(data))
	if text == string(data) {
		return false
	}
	lab.Fail(os.WriteFile(name, []byte(text), 0o666))
	return true
}

func (m *meter) editBodies(file string) ([]string, bool) {
	l := languages[path.Ext(file)]
	return nil, m.edit(file, func(text string) string {
		var b strings.Builder
		at := 0
		for _, loc := range l.body.FindAllStringSubmatchIndex(text, -1) {
			rest := text[loc[1]:]
			// A docstring has to stay the first statement, and a body on the
			// next lines only begins where the header is complete.
			first := strings.TrimLeft(rest, " \t")
			if strings.HasPrefix(first, `"""`) || strings.HasPrefix(first, "'''") || strings.HasPrefix(first, `r"""`) || strings.HasPrefix(first, `"`) || inString(text[:loc[0]]) {
				continue
			}
			b.WriteString(text[at:loc[1]])
			statement := l.statement[m.random.IntN(len(l.statement))]
			if strings.Contains(statement, "%s") {
				statement = fmt.Sprintf(statement, text[loc[2]:loc[3]])
			}
			b.WriteString(statement)
			at = loc[1]
		}
		return b.String() + text[at:]
	})
}

// inString tells, roughly, whether a text ends inside a string of several lines.
func inString(text string) bool {
	return strings.Count(text, `"""`)%2 == 1 || strings.Count(text, "`")%2 == 1
}

func (m *meter) addFunction(file string) ([]string, bool) {
	return []string{path.Dir(file)}, m.edit(file, func(text string) string {
		return strings.TrimRight(text, "\n") + "\n" + languages[path.Ext(file)].function
	})
}

func (m *meter) addDirectory(file string) ([]string, bool) {
	parent := path.Dir(file)
	dir := path.Join(parent, "benchadded")
	name := filepath.Join(m.repo.Dir, dir, "added"+path.Ext(file))
	lab.Fail(os.MkdirAll(filepath.Dir(name), 0o777))
	lab.Fail(os.WriteFile(name, []byte(languages[path.Ext(file)].file), 0o666))
	return []string{parent, dir}, true
}
