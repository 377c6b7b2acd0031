package lua

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
	const behind = "\nfunction behind()\nend\n"
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	for name, text := range map[string]string{
		"parentheses":   "x = " + strings.Repeat("(\n", 20000) + "1" + strings.Repeat(")\n", 20000),
		"sum":           "x = a" + strings.Repeat(" +\na", 50000),
		"chain":         "x = a" + strings.Repeat(".b(\n1)", 20000),
		"tables":        "x = " + strings.Repeat("{\n", 20000) + strings.Repeat("}\n", 20000),
		"indexes":       "x = " + strings.Repeat("a[\n", 20000) + "1" + strings.Repeat("]\n", 20000),
		"blocks":        strings.Repeat("do\n", 20000) + strings.Repeat("end\n", 20000),
		"functions":     strings.Repeat("x = function()\n", 20000) + strings.Repeat("end\n", 20000),
		"open blocks":   strings.Repeat("do\n", 20000),
		"open brackets": strings.Repeat("f(\n", 20000),
		"elseif":        "if a then" + strings.Repeat("\nelseif a then", 20000) + "\nend",
		"not":           "x =" + strings.Repeat(" not\n", 50000) + " a",
		"broken":        strings.Repeat("function a(\n", 5000),
	} {
		t.Run(name, func(t *testing.T) {
			source := []byte(text + behind)
			start := time.Now()
			f := x.Extract(source, extract.Plan{Language: l, Extension: ".lua"})
			d := time.Since(start)
			t.Log(d)
			if d > langtest.TimeLimit(10*time.Second) {
				t.Errorf("took %v", d)
			}
			langtest.Check(t, f, source)
			if f.Depth != facts.Parsed {
				return
			}
			if n := len(f.Symbols); n == 0 || f.Symbols[n-1].Name != "behind" {
				t.Errorf("the last definition is lost: %d", n)
			}
		})
	}
}
