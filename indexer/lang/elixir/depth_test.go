package elixir

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
	const behind = "\ndefmodule Behind do\n  def m, do: 1\nend\n"
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	for name, text := range map[string]string{
		"parentheses": "x = " + strings.Repeat("(\n", 20000) + "1" + strings.Repeat(")\n", 20000),
		"sum":         "x = " + strings.Repeat("a +\n", 50000) + "1",
		"matches":     strings.Repeat("a =\n", 20000) + "1",
		"pipes":       "x" + strings.Repeat("\n|> b(1)", 20000),
		"concat":      "@doc \"a\"" + strings.Repeat(" <>\n \"b\"", 20000) + "\ndef f(" + strings.Repeat("a <> ", 20000) + "b), do: 1",
		"unions":      "@type t :: " + strings.Repeat("a |\n ", 20000) + "b",
		"bits":        "<<a::" + strings.Repeat("b-\n", 20000) + "c>> = x",
		"chain":       "x = a" + strings.Repeat(".b(\n1)", 10000),
		"lists":       "x = " + strings.Repeat("[\n", 10000) + strings.Repeat("]\n", 10000),
		"blocks":      strings.Repeat("a do\n", 5000) + strings.Repeat("end\n", 5000),
		"quotes":      strings.Repeat("quote do\n", 1000) + strings.Repeat("end\n", 1000),
		"functions":   strings.Repeat("fn x ->\n", 5000) + strings.Repeat("end\n", 5000),
		"modules":     strings.Repeat("defmodule A do\n", 1000) + strings.Repeat("end\n", 1000),
		"open":        strings.Repeat("defmodule A do\n", 3000),
		"broken":      strings.Repeat("def a(\n", 3000),
		"nested":      strings.Repeat("def a(\n def b\n  def c\n", 1000) + strings.Repeat("x = (1\n", 10000),
		"heredocs":    strings.Repeat("  @doc \"\"\"\n  text\n", 1500),
		"flat":        strings.Repeat("A.b(c)\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte(text + behind)
			start := time.Now()
			f := x.Extract(source, extract.Plan{Language: l, Extension: ".ex"})
			d := time.Since(start)
			if d > langtest.TimeLimit(30*time.Second) {
				t.Errorf("took %v", d)
			}
			t.Log(d, f.Depth, len(f.Symbols))
			langtest.Check(t, f, source)
			if f.Depth != facts.Parsed || name == "open" || name == "nested" || name == "broken" || name == "heredocs" {
				return
			}
			if s := f.Symbols[len(f.Symbols)-1]; s.Name != "m" || s.Container != "Behind" {
				t.Errorf("the last definition is %s in %s", s.Name, s.Container)
			}
		})
	}
}
