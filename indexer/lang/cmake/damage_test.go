package cmake

import (
	"fmt"
	"strings"
	"testing"

	extractor "github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneCommand damages one line of a file of many commands at a time.
func TestDamageCostsOneCommand(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "add_library(lib%d STATIC\n  a%d.c\n  b.c)\n\noption(OPT%d \"Help\" ON)\n\n", i, i, i)
		fmt.Fprintf(&b, "function(fun%d a)\n  message(\"x ${a}\")\nendfunction()\n\n", i)
	}
	l := Language()
	x := extractor.New(lang.NewTable(l), extractor.DefaultLimits)
	read := func(source string) *facts.File {
		return x.Extract([]byte(source), extractor.Plan{Language: l, Extension: ".cmake"})
	}
	langtest.DamageLines(t, b.String(), 20, 60, 1, read, map[string]func(string) string{
		"no line":    func(string) string { return "" },
		"open brace": func(line string) string { return strings.TrimSuffix(line, "\n") + " {\n" },
		"open quote": func(line string) string { return strings.TrimSuffix(line, "\n") + " \"\n" },
		"closing":    func(line string) string { return "}])" + line },
		"conflict":   func(line string) string { return "<<<<<<< HEAD\n" + line },
	})
}
