package meson

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
		"targets":       strings.Repeat("a = executable('a', 'b.c')\n", 50_000),
		"one line":      strings.Repeat("executable('a', 'b.c') ", 50_000),
		"one call":      "executable('a', " + strings.Repeat("'b.c', ", 150_000) + ")",
		"nested calls":  strings.Repeat("executable('a', ", 50_000),
		"nesting":       "a = " + strings.Repeat("[", 1_000_000),
		"closed":        "a = " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"open calls":    strings.Repeat("executable(\n", 100_000),
		"open strings":  strings.Repeat("a = 'x\n", 100_000),
		"open triples":  strings.Repeat("a = '''\n'''' '''", 50_000),
		"open assign":   strings.Repeat("a =", 300_000),
		"many names":    strings.Repeat("a ", 500_000),
		"comment block": strings.Repeat("# c\n", 200_000) + "a = 1\n",
	} {
		b := lang.NewBuilder([]byte(src), ".build")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
		}
	}
}
