package ruby

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
	const behind = "\nclass Behind\n  def m; end\nend\n"
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	for name, text := range map[string]string{
		"parentheses": "x = " + strings.Repeat("(\n", 20000) + "1" + strings.Repeat(")\n", 20000),
		"sum":         "x = " + strings.Repeat("a +\n", 50000) + "1",
		"chain":       "x = a" + strings.Repeat(".b(\n1)", 20000),
		"arrays":      "x = " + strings.Repeat("[\n", 10000) + strings.Repeat("]\n", 10000),
		"blocks":      strings.Repeat("a {\n", 5000) + strings.Repeat("}\n", 5000),
		"modules":     strings.Repeat("module A\n", 1000) + strings.Repeat("end\n", 1000),
		"open":        strings.Repeat("class A\n", 3000),
		"broken":      strings.Repeat("def a(\n", 3000),
		"nested":      strings.Repeat("def a(\n def b\n  def c\n", 2000) + strings.Repeat("x = (1\n", 20000),
		"flat":        strings.Repeat("a.b(c)\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte(text + behind)
			start := time.Now()
			f := x.Extract(source, extract.Plan{Language: l, Extension: ".rb"})
			if d := time.Since(start); d > langtest.TimeLimit(30*time.Second) {
				t.Errorf("took %v", d)
			}
			langtest.Check(t, f, source)
			if f.Depth != facts.Parsed || name == "open" || name == "nested" || name == "broken" {
				return
			}
			if s := f.Symbols[len(f.Symbols)-1]; s.Name != "m" || s.Container != "Behind" {
				t.Errorf("the last definition is %s in %s", s.Name, s.Container)
			}
		})
	}
}
