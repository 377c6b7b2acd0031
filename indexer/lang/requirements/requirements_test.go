package requirements

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
		"packages":      strings.Repeat("a==1\n", 200_000),
		"includes":      strings.Repeat("-r a\n-r b\n", 100_000),
		"continuations": strings.Repeat("a \\\n", 250_000),
		"one line":      strings.Repeat("a ", 500_000),
		"comments":      strings.Repeat("# a\n", 250_000),
		"notes":         "a" + strings.Repeat(" #", 500_000),
	} {
		b := lang.NewBuilder([]byte(src), ".txt")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d imports", name, len(f.Symbols), len(f.Imports))
		}
	}
}
