// Command latency times questions to the oracle as whole processes: random
// definitions and files of a repository, each asked once with the cache off, and
// once more from the cache. The first row is what every process takes, that of
// "project-map version".
//
//	go run ./benchmarks/latency -bin project-map -n 30 REPOSITORY
//
// Several programs, separated by commas, get each question in turn, so that a
// busy machine is the same to all of them.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// declared matches definitions of many languages; what it misses is not asked.
var declared = regexp.MustCompile(`^\s*(?:export |public |pub |static |async )*(?:func|def|class|type|interface|fn|struct|function) +(?:\([^)]*\) *)?([A-Za-z_][A-Za-z0-9_]{3,})`)

// thing is what is asked about.
type thing struct {
	name, file string
	line       int
}

var questions = []struct {
	action  string
	request func(thing) map[string]any
}{
	{"symbol", func(x thing) map[string]any {
		return map[string]any{"action": "symbol", "symbol": x.name, "file": x.file, "line": x.line}
	}},
	{"file", func(x thing) map[string]any { return map[string]any{"action": "file", "file": x.file} }},
	{"ask", func(x thing) map[string]any {
		return map[string]any{"action": "ask", "query": "how does " + strings.Join(words(x.name), " ") + " work in " + filepath.Base(filepath.Dir(x.file)) + "?"}
	}},
	{"diagnostics", func(x thing) map[string]any {
		return map[string]any{"action": "diagnostics", "scope": filepath.Dir(x.file) + "/**"}
	}},
	{"editImpact", func(x thing) map[string]any {
		return map[string]any{"action": "editImpact", "symbol": x.name, "file": x.file, "line": x.line}
	}},
}

// times are those of one program, for one kind of question.
type times struct {
	cold, warm []time.Duration
	tokens     int // of the longest answer
}

func main() {
	bin := flag.String("bin", "project-map", "the project-map programs, separated by commas")
	n := flag.Int("n", 30, "questions of each kind")
	flag.Parse()
	scratch, err := os.MkdirTemp("", "latency")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	var repos []*lab.Repo // one for each program
	name := ""
	for i, program := range strings.Split(*bin, ",") {
		origin, err := lab.Open(flag.Arg(0), program)
		lab.Fail(err)
		name = origin.Name()
		repo, err := origin.Clone(filepath.Join(scratch, strconv.Itoa(i)))
		lab.Fail(err)
		_, err = repo.Git("checkout", "-q", "-f")
		lab.Fail(err)
		_, err = repo.Map("index")
		lab.Fail(err)
		repos = append(repos, repo)
	}
	list, err := repos[0].Git("ls-files")
	lab.Fail(err)
	files := strings.Split(list, "\n")
	things := pick(repos[0].Dir, files, *n)

	fmt.Printf("| %s, %d files | median | 90 %% | cached, median | most tokens |\n|---|---|---|---|---|\n", name, len(files))
	start := make([]times, len(repos))
	for range things {
		for i, repo := range repos {
			_, took := run(repo, "version")
			start[i].cold = append(start[i].cold, took)
		}
	}
	for i := range repos {
		fmt.Printf("| start%s | %s | %s | | |\n", of(i, repos), quantile(start[i].cold, .5), quantile(start[i].cold, .9))
	}
	for _, q := range questions {
		asked := make([]times, len(repos))
		for _, x := range things {
			data, err := json.Marshal(q.request(x))
			lab.Fail(err)
			for i, repo := range repos {
				asked[i].ask(repo, string(data))
			}
		}
		for i, t := range asked {
			fmt.Printf("| %s%s | %s | %s | %s | %d |\n", q.action, of(i, repos), quantile(t.cold, .5), quantile(t.cold, .9), quantile(t.warm, .5), t.tokens)
		}
	}
}

// ask asks a question without the cache, for it, and from it.
func (t *times) ask(repo *lab.Repo, request string) {
	args := []string{"oracle", "--format", "json", "--request", request}
	out, took := run(repo, append(args, "--no-cache")...)
	t.cold = append(t.cold, took)
	run(repo, args...)
	_, took = run(repo, args...)
	t.warm = append(t.warm, took)
	var a struct{ TokenEstimate int }
	lab.Fail(json.Unmarshal([]byte(out), &a))
	t.tokens = max(t.tokens, a.TokenEstimate)
}

func run(repo *lab.Repo, args ...string) (string, time.Duration) {
	start := time.Now()
	out, err := repo.Map(args...)
	took := time.Since(start)
	lab.Fail(err)
	return out, took
}

// quantile is the time below which a share of the times lies.
func quantile(list []time.Duration, share float64) string {
	slices.Sort(list)
	return fmt.Sprintf("%.1f ms", float64(list[int(float64(len(list))*share)].Microseconds())/1000)
}

// of names the program of a row where there are several.
func of(i int, repos []*lab.Repo) string {
	if len(repos) == 1 {
		return ""
	}
	return ", " + filepath.Base(repos[i].Bin)
}

// pick chooses n definitions of random files.
func pick(dir string, files []string, n int) []thing {
	r := rand.New(rand.NewPCG(1, 2))
	var things []thing
	for len(things) < n {
		f := files[r.IntN(len(files))]
		text, err := os.Open(filepath.Join(dir, f))
		if err != nil {
			continue
		}
		var here []thing
		s := bufio.NewScanner(text)
		for line := 1; s.Scan(); line++ {
			if m := declared.FindStringSubmatch(s.Text()); m != nil {
				here = append(here, thing{m[1], f, line})
			}
		}
		_ = text.Close()
		if len(here) > 0 {
			things = append(things, here[r.IntN(len(here))])
		}
	}
	return things
}

// words splits an identifier.
func words(name string) []string {
	return strings.Fields(strings.ToLower(regexp.MustCompile(`_|([a-z])([A-Z])`).ReplaceAllString(name, "$1 $2")))
}
