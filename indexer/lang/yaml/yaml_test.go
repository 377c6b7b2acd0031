package yaml

import (
	"bytes"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"many keys":   strings.Repeat("key: value\n", 100_000),
		"many thirds": "a:\n" + strings.Repeat("  b:\n    c: 1\n", 50_000),
		"staircase": func() string {
			var b strings.Builder
			for i := range 1000 {
				b.WriteString(strings.Repeat(" ", i) + "k:\n")
			}
			return b.String()
		}(),
		"dashes":        strings.Repeat("- ", 500_000),
		"dash lines":    strings.Repeat("-\n", 500_000),
		"open quotes":   strings.Repeat("\"\n", 500_000),
		"open brackets": strings.Repeat("a: [\n", 200_000),
		"open braces":   strings.Repeat("{", 1_000_000),
		"documents":     strings.Repeat("---\na: 1\n", 100_000),
		"comments":      strings.Repeat("# x\n\n", 200_000),
		"one line":      strings.Repeat("a: ", 300_000),
		"blocks":        strings.Repeat("a: |\n  x\n", 100_000),
	} {
		b := lang.NewBuilder([]byte(src), ".yaml")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("on: push\njobs:\n  a:\n    steps:\n    - name: x\n      run: |\n        go test\n"))
	f.Add([]byte("a: &x {b: [1, 'c: d']}\n<<: *x\n\"q: r\": |-\n  k: v\n---\nkind: A\nmetadata: {name: b}\n"))
	f.Add([]byte("? x\n: y\n- - a: 1\n  - b\nkind: A\nmetadata:\n  name: b\nspec:\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder(bytes.ToValidUTF8(src, nil), ".yaml")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if s.NameSpan.Start > s.NameSpan.End || !s.Span.Contains(s.NameSpan) || len(s.Init) > maxValue {
				t.Fatalf("%q: %v in %v, init %q", s.Name, s.NameSpan, s.Span, s.Init)
			}
		}
	})
}
