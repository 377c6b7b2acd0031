package cmake

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneCommand damages one line of a file of many commands at a time.
func TestDamageCostsOneCommand(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "add_library(lib%d STATIC\n  a%d.c\n  b.c)\n\noption(OPT%d \"Help\" ON)\n\n", i, i, i)
		fmt.Fprintf(&b, "function(fun%d a)\n  message(\"x ${a}\")\nendfunction()\n\n", i)
	}
	langtest.DamageLines(t, b.String(), 20, 60, 1, langtest.Reader(Language(), ".cmake"), langtest.UsualDamage())
}
