package nix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneDefinition damages one line of a file of many definitions at a time.
func TestDamageCostsOneDefinition(t *testing.T) {
	var b strings.Builder
	b.WriteString("{ lib }:\n{\n")
	for i := range 12 {
		fmt.Fprintf(&b, "  v%d = 1;\n  f%d = x: [\n    x\n  ];\n", i, i)
	}
	b.WriteString("}\n")
	langtest.DamageLines(t, b.String(), 14, 46, 1, langtest.Reader(Language(), ".nix"), langtest.UsualDamage())
}
