// Command references holds the definitions and the resolved references of a
// checkout against a SCIP index of it, and prints precision and recall by kind,
// by mark and by rule, with samples of what is missed and what is wrong.
//
//	go run ./benchmarks/references -family python CHECKOUT
//	go run ./benchmarks/references -family python -only "no edge" CHECKOUT
//	go run ./benchmarks/references -family python -make CACHE CHECKOUT
//
// The cleaning rules are in README.md.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

const usage = `Hold our definitions and edges against a SCIP index.

  go run ./benchmarks/references -family go|python|javascript [flags] CHECKOUT

CHECKOUT is a git work tree. Its index is looked for at CHECKOUT/../index.scip,
or give -index. -only TEXT lists all samples of the groups of misses and wrong edges
whose titles contain TEXT ("no edge", "likely, ", "definitions").
-make DIRECTORY installs the indexer there when it is missing, makes the index
and ends.

`

func main() {
	family := flag.String("family", "", "go, python or javascript")
	index := flag.String("index", "", "the SCIP index (default CHECKOUT/../index.scip)")
	asJSON := flag.Bool("json", false, "print JSON without samples")
	samples := flag.Int("samples", 4, "samples of each group of misses and wrong edges")
	groups := flag.Int("groups", 12, "groups to list")
	only := flag.String("only", "", "list only groups whose titles contain this, with 40 samples each")
	cache := flag.String("make", "", "make the index, with the indexer kept below this directory")
	names := flag.Bool("by-name", false, "measure matching of bare names instead of the resolver")
	imported := flag.Bool("imported", false, "measure the references of a store that the index was imported into")
	edits := flag.Int("edits", 0, "time what follows so many edits of one file instead")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	f := familyNamed(*family)
	if *edits > 0 {
		repo, err := lab.Open(flag.Arg(0), "")
		lab.Fail(err)
		p, err := extractAll(repo, "")
		lab.Fail(err)
		lab.Fail(measureEdits(p, *edits))
		return
	}
	if f == nil {
		lab.Fail(errors.New("give -family go, python or javascript; -h explains"))
	}
	repo, err := lab.Open(flag.Arg(0), "")
	lab.Fail(err)
	if *index == "" {
		*index = filepath.Join(filepath.Dir(repo.Dir), "index.scip")
	}
	if *cache != "" {
		lab.Fail(makeIndex(f, repo, *cache, *index))
		return
	}
	if *names {
		f.resolver = newByName(f.name)
	}
	p, err := extractAll(repo, f.name)
	lab.Fail(err)
	if *imported {
		lab.Fail(importInto(p, repo, *index))
	}
	t, err := readTruth(*index, p, f)
	lab.Fail(err)
	if !*imported {
		p.resolveAll(f.resolver)
	}
	r := compareAll(p, t, f)
	if *asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		lab.Fail(out.Encode(r.withoutSamples()))
		return
	}
	fmt.Print(r.markdown(p, options{*samples, *groups, *only}))
}
