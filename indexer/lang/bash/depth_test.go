package bash

import (
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDeep reads texts that a program wrote; none may exhaust the stack or take
// more than a moment, and what stands behind them is found.
func TestDeep(t *testing.T) {
	const behind = "\nbehind() {\n  :\n}\n"
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	for name, text := range map[string]string{
		"parentheses":   strings.Repeat("(\n", 20000) + strings.Repeat(")\n", 20000),
		"joined":        strings.Repeat("(", 20000) + strings.Repeat(")", 20000),
		"sum":           "x=$((1" + strings.Repeat(" +\n1", 50000) + "))",
		"substitutions": strings.Repeat("$(a\n", 20000) + strings.Repeat(")\n", 20000),
		"quoted":        strings.Repeat("\"$(a\n", 20000),
		"braced":        strings.Repeat("${a:-\n", 20000),
		"mixed":         strings.Repeat("\"${a:-\"$(\n", 5000),
		"backticks":     strings.Repeat("`a\n", 20001),
		"arithmetic":    strings.Repeat("$((\n", 20000),
		"functions":     strings.Repeat("a() {\n", 5000) + strings.Repeat("}\n", 5000),
		"open":          strings.Repeat("a() {\n", 5000),
		"cases":         strings.Repeat("case a in b)\n", 5000),
		"tests":         strings.Repeat("[[ \"$( [[ '\n", 5000),
		"arrays":        strings.Repeat("a=( $(\n", 5000),
		"globs":         strings.Repeat("a(b\n", 20000),
		"heredocs":      strings.Repeat("a <<E\n", 3000),
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte(text + behind)
			start := time.Now()
			f := x.Extract(source, extract.Plan{Language: l, Extension: ".sh"})
			d := time.Since(start)
			t.Log(d)
			if d > langtest.TimeLimit(10*time.Second) {
				t.Errorf("took %v", d)
			}
			langtest.Check(t, f, source)
			if f.Depth != facts.Parsed || name == "heredocs" {
				return
			}
			if n := len(f.Symbols); n == 0 || f.Symbols[n-1].Name != "behind" && name != "functions" && name != "open" {
				t.Errorf("the last definition is lost: %d", n)
			}
		})
	}
}
