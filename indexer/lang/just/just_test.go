package just

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"recipes":       strings.Repeat("a b='c':\n  x {{d}}\n", 50_000),
		"open strings":  strings.Repeat("a := '''\n", 100_000) + strings.Repeat("b := \"x\n", 100_000),
		"open brackets": strings.Repeat("a := (\n", 100_000),
		"nesting":       "a := " + strings.Repeat("(", 500_000),
		"one line":      "a: " + strings.Repeat("b ", 500_000),
		"braces":        "a:\n " + strings.Repeat("{{", 500_000),
		"parameters":    "a" + strings.Repeat(" b", 500_000),
		"continuations": strings.Repeat("a \\\n", 200_000),
		"comments":      strings.Repeat("# c\n", 200_000) + "a:\n",
	} {
		b := lang.NewBuilder([]byte(src), ".just")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs {
			t.Errorf("%s: %d symbols, %d references", name, len(f.Symbols), len(f.Refs))
		}
	}
}
