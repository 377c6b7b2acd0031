// Command packs measures how far the estimate of tokens is from exact counts,
// over texts by kind, and prints a Markdown table. Without arguments it takes
// the texts below testdata/corpus; directories are searched for texts, which are
// sorted into kinds by name and shape.
//
//	go run ./benchmarks/packs [-most BYTES] [DIR...]
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	most := flag.Int("most", 2<<20, "stop at this many bytes of a kind")
	flag.Parse()
	var texts []text
	var err error
	if flag.NArg() == 0 {
		texts, err = corpus("testdata/corpus")
	} else {
		texts, err = found(flag.Args(), *most)
	}
	if err == nil {
		_, err = os.Stdout.WriteString(table(measure(texts)))
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "packs: %v\n", err)
		os.Exit(1)
	}
}
