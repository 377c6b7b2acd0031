package hcl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneBlock damages one line of a file of many blocks at a time.
func TestDamageCostsOneBlock(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "resource \"a_b\" \"r%d\" {\n  name = \"x-${var.v%d}\"\n  tags = {\n    a = [1, 2]\n  }\n}\n\n", i, i)
		fmt.Fprintf(&b, "variable \"v%d\" {\n  type = string\n}\n\n", i)
	}
	langtest.DamageLines(t, b.String(), 22, 66, 1, langtest.Reader(Language(), ".tf"), langtest.UsualDamage())
}
