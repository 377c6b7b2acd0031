package elixir

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// Damage that a hand makes while editing costs the definition it stands in at
// most: every other one is found with its kind and container.
func TestDamageCostsOneDefinition(t *testing.T) {
	var b strings.Builder
	b.WriteString("defmodule Shop.Outer do\n  use GenServer\n\n")
	for _, n := range []string{"one", "two", "three"} {
		b.WriteString("  @timeout_" + n + " 1\n\n  @doc \"\"\"\n  Does it.\n\n      iex> x(1)\n  \"\"\"\n  @spec fun_" + n + "(integer, String.t()) :: integer\n" +
			"  def fun_" + n + "(a, b) do\n    if a > 1 do\n      call(a, \"text\")\n    end\n\n    Enum.map(b, fn x ->\n      x + 2\n    end)\n  end\n\n" +
			"  defp short_" + n + "(x), do: x + 1\n\n")
	}
	b.WriteString("  @kept 1\n\n  defmodule Inner do\n    def deep(x) do\n      run(x)\n    end\n\n    def deeper, do: 1\n  end\nend\n\ndefmodule Last do\n  def last do\n    1\n  end\nend\n")
	source := b.String()
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	read := func(text string) *facts.File {
		return x.Extract([]byte(text), extract.Plan{Language: l, Extension: ".ex"})
	}
	if whole := read(source); len(whole.Damage) > 0 || len(whole.Symbols) != 16 {
		t.Fatalf("the whole text has %d definitions and the damage %v", len(whole.Symbols), whole.Damage)
	}
	once := func(old, new string) func(string) string {
		return func(l string) string { return strings.Replace(l, old, new, 1) }
	}
	langtest.DamageLines(t, source, 2, strings.Count(source, "\n"), 1, read, map[string]func(line string) string{
		"an end lost":       once("end\n", "\n"),
		"an end too many":   once("end\n", "end\nend\n"),
		"a do lost":         once(" do\n", "\n"),
		"a bracket lost":    once(")", ""),
		"an opening gone":   once("(", ""),
		"a quote":           once("\n", "\"\n"),
		"an opening lost":   once(`@doc """`, "@doc"),
		"half an operation": once("+ 2", "+"),
		"half a body":       once("do: x + 1", "do:"),
		"a stray bracket":   once("call(a", "call({a"),
		"conflict":          once("x + 2\n", "\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n"),
	})
}
