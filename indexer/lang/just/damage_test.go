package just

import (
	"fmt"
	"strings"
	"testing"

	extractor "github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneDefinition damages one line of a file of many definitions at a time.
func TestDamageCostsOneDefinition(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "v%d := \"x\"\n\n# Runs it.\nr%d a='b': dep\n  echo {{v%d}}\n  done\n\n", i, i, i)
	}
	l := Language()
	x := extractor.New(lang.NewTable(l), extractor.DefaultLimits)
	read := func(source string) *facts.File {
		return x.Extract([]byte(source), extractor.Plan{Language: l, Extension: ".just"})
	}
	langtest.DamageLines(t, b.String(), 14, 50, 1, read, map[string]func(string) string{
		"no line":    func(string) string { return "" },
		"open brace": func(line string) string { return strings.TrimSuffix(line, "\n") + " {\n" },
		"open quote": func(line string) string { return strings.TrimSuffix(line, "\n") + " \"\n" },
		"closing":    func(line string) string { return "}])" + line },
		"conflict":   func(line string) string { return "<<<<<<< HEAD\n" + line },
	})
}
