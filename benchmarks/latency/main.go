// Command latency times questions to the oracle as whole processes: random
// definitions and files of a repository, each asked once with the cache off, and
// once more from the cache.
//
//	go run ./benchmarks/latency -bin project-map -n 30 REPOSITORY
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
	"strings"
	"time"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// declared matches definitions of many languages; what it misses is not asked.
var declared = regexp.MustCompile(`^\s*(?:export |public |pub |static |async )*(?:func|def|class|type|interface|fn|struct|function) +(?:\([^)]*\) *)?([A-Za-z_][A-Za-z0-9_]{3,})`)

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	n := flag.Int("n", 30, "questions of each kind")
	flag.Parse()
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	scratch, err := os.MkdirTemp("", "latency")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	repo, err := origin.Clone(filepath.Join(scratch, "work"))
	lab.Fail(err)
	_, err = repo.Git("checkout", "-q", "-f")
	lab.Fail(err)
	_, err = repo.Map("index")
	lab.Fail(err)
	list, err := repo.Git("ls-files")
	lab.Fail(err)
	files := strings.Split(list, "\n")
	r := rand.New(rand.NewPCG(1, 2))
	type thing struct {
		name, file string
		line       int
	}
	var things []thing
	for len(things) < *n {
		f := files[r.IntN(len(files))]
		text, err := os.Open(filepath.Join(repo.Dir, f))
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
	fmt.Printf("| %s, %d files | median | 90 %% | cached, median | most tokens |\n|---|---|---|---|---|\n", origin.Name(), len(files))
	for _, k := range []struct {
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
	} {
		var cold, warm []time.Duration
		tokens := 0
		for _, x := range things {
			data, err := json.Marshal(k.request(x))
			lab.Fail(err)
			ask := func(args ...string) time.Duration {
				start := time.Now()
				out, err := repo.Map(append([]string{"oracle", "--format", "json", "--request", string(data)}, args...)...)
				took := time.Since(start)
				lab.Fail(err)
				var a struct{ TokenEstimate int }
				lab.Fail(json.Unmarshal([]byte(out), &a))
				tokens = max(tokens, a.TokenEstimate)
				return took
			}
			cold = append(cold, ask("--no-cache"))
			ask()
			warm = append(warm, ask())
		}
		slices.Sort(cold)
		slices.Sort(warm)
		fmt.Printf("| %s | %d ms | %d ms | %d ms | %d |\n", k.action, cold[len(cold)/2].Milliseconds(), cold[len(cold)*9/10].Milliseconds(), warm[len(warm)/2].Milliseconds(), tokens)
	}
}

// words splits an identifier.
func words(name string) []string {
	return strings.Fields(strings.ToLower(regexp.MustCompile(`_|([a-z])([A-Z])`).ReplaceAllString(name, "$1 $2")))
}
