// Command determinism compares runs that have to give the same bytes: with one
// processor and with eight, in two clones at two paths, and, over consecutive
// commits of real history, a run that carries store and cache forward with one
// that starts from nothing.
//
//	go run ./benchmarks/determinism -bin project-map -n 60 REPOSITORY
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

func main() {
	bin := flag.String("bin", "project-map", "the project-map program")
	n := flag.Int("n", 60, "commits to step through")
	start := flag.String("start", "HEAD", "the newest of them")
	flag.Parse()
	origin, err := lab.Open(flag.Arg(0), *bin)
	lab.Fail(err)
	scratch, err := os.MkdirTemp("", "determinism")
	lab.Fail(err)
	defer os.RemoveAll(scratch)
	head, err := origin.Git("rev-parse", *start)
	lab.Fail(err)

	fmt.Printf("| %s | |\n|---|---|\n", origin.Name())
	one, err := full(origin, scratch, "one", head, "GOMAXPROCS=1")
	lab.Fail(err)
	eight, err := full(origin, scratch, "another place/eight", head, "GOMAXPROCS=8")
	lab.Fail(err)
	fmt.Printf("| GOMAXPROCS 1 and 8, two clones at two paths: files compared | %d |\n", len(one))
	fmt.Printf("| of those, different | %d |\n", report(one, eight))

	list, err := origin.Git("rev-list", "--first-parent", "-n", fmt.Sprint(*n), head)
	lab.Fail(err)
	commits := strings.Split(list, "\n")
	slices.Reverse(commits)
	work, err := origin.Clone(filepath.Join(scratch, "work"))
	lab.Fail(err)
	compared, different := 0, 0
	for i, c := range commits {
		_, err := work.Git("checkout", "-q", "-f", "--detach", c)
		lab.Fail(err)
		_, err = work.Map("index")
		lab.Fail(err)
		carried, err := everything(work.Dir)
		lab.Fail(err)
		fresh, err := full(origin, scratch, fmt.Sprint("fresh", i), c, "GOMAXPROCS=2")
		lab.Fail(err)
		lab.Fail(os.RemoveAll(filepath.Join(scratch, fmt.Sprint("fresh", i))))
		compared += len(fresh)
		different += report(carried, fresh)
	}
	fmt.Printf("| consecutive commits, incremental against full | %d |\n", len(commits))
	fmt.Printf("| files compared | %d |\n| of those, different | %d |\n", compared, different)
	if different > 0 {
		os.Exit(1)
	}
}

// full indexes a commit in a new clone, which has no cache.
func full(origin *lab.Repo, scratch, name, commit, env string) (map[string]string, error) {
	dir := filepath.Join(scratch, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	clone, err := origin.Clone(filepath.Join(dir, "clone"))
	if err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	if _, err := clone.MapEnv([]string{env}, "index", "--rev", commit, "--out", out); err != nil {
		return nil, err
	}
	return everything(out)
}

func everything(dir string) (map[string]string, error) {
	files, err := lab.Pages(dir)
	if err != nil {
		return nil, err
	}
	store, err := lab.Store(dir)
	for name, text := range store {
		files["store: "+name] = text
	}
	return files, err
}

func report(a, b map[string]string) int {
	d := lab.Differences(a, b)
	if len(d) > 0 {
		fmt.Fprintln(os.Stderr, "different:", d)
	}
	return len(d)
}
