// Command ctags compares the definitions that the extractor finds in a work tree
// with those of universal-ctags, by file, name and line. Every name that only
// one of the two finds is counted under a reason, or listed where none is
// known. It also tells how many files had damage and what that cost, and the
// speed and memory of the extraction on one processor.
//
//	go run ./benchmarks/ctags -language Go REPOSITORY
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/indexer/lang/all"
)

func main() {
	name := flag.String("language", "Go", strings.Join(languageNames(), ", "))
	list := flag.Int("list", 10, "names of a kind to list where no reason is known")
	sample := flag.Int("sample", 0, "definitions that only we find to list, evenly spread")
	skip := flag.String("skip", "vendor/", "leave out paths that hold this")
	measured := flag.Bool("measure", false, "only extract, and print what that took as JSON (the program starts itself with it)")
	flag.Parse()
	repo, err := lab.Open(flag.Arg(0), "")
	lab.Fail(err)
	l := languageNamed(*name)
	if l == nil {
		lab.Fail(fmt.Errorf("no language %q: give one of %s", *name, strings.Join(languageNames(), ", ")))
	}
	table := all.Table()
	paths, err := filesOf(repo, table, l, *skip)
	lab.Fail(err)
	if *measured {
		lab.Fail(json.NewEncoder(os.Stdout).Encode(measure(repo.Dir, table, paths)))
		return
	}
	// First, while this process is small: see measureApart.
	speed, err := measureApart(os.Args[1:])
	lab.Fail(err)
	commit, err := repo.Git("rev-parse", "--short=10", "HEAD")
	lab.Fail(err)
	ours, err := extractAll(repo.Dir, table, paths)
	lab.Fail(err)
	theirs, err := runCtags(repo.Dir, l, paths)
	lab.Fail(err)
	c := compare(l, ours, theirs)
	lab.Fail(c.alone(l))
	print(report{
		repo: strings.Replace(repo.Name(), "+", "/", 1), commit: commit, language: l,
		files: ours, speed: speed, result: c, list: *list, sample: *sample,
	}.markdown())
}

// filesOf lists the files of a work tree that the extractor reads as a language.
func filesOf(repo *lab.Repo, table tableOfRows, l *language, skip string) ([]string, error) {
	out, err := repo.Git("ls-files")
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range strings.Split(out, "\n") {
		if skip != "" && strings.Contains(p, skip) {
			continue
		}
		if slices.Contains(l.rows, rowOf(table, repo.Dir, p)) {
			paths = append(paths, p)
		}
	}
	return paths, nil
}

func print(s string) { fmt.Fprint(os.Stdout, s) }
