package hcl

import (
	"fmt"
	"strings"
	"testing"

	extractor "github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneBlock damages one line of a file of many blocks at a time.
func TestDamageCostsOneBlock(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "resource \"a_b\" \"r%d\" {\n  name = \"x-${var.v%d}\"\n  tags = {\n    a = [1, 2]\n  }\n}\n\n", i, i)
		fmt.Fprintf(&b, "variable \"v%d\" {\n  type = string\n}\n\n", i)
	}
	l := Language()
	x := extractor.New(lang.NewTable(l), extractor.DefaultLimits)
	read := func(source string) *facts.File {
		return x.Extract([]byte(source), extractor.Plan{Language: l, Extension: ".tf"})
	}
	langtest.DamageLines(t, b.String(), 22, 66, 1, read, map[string]func(string) string{
		"no line":    func(string) string { return "" },
		"open brace": func(line string) string { return strings.TrimSuffix(line, "\n") + " {\n" },
		"open quote": func(line string) string { return strings.TrimSuffix(line, "\n") + " \"\n" },
		"closing":    func(line string) string { return "}])" + line },
		"conflict":   func(line string) string { return "<<<<<<< HEAD\n" + line },
	})
}
