package just

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang/langtest"
)

// TestDamageCostsOneDefinition damages one line of a file of many definitions at a time.
func TestDamageCostsOneDefinition(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "v%d := \"x\"\n\n# Runs it.\nr%d a='b': dep\n  echo {{v%d}}\n  done\n\n", i, i, i)
	}
	langtest.DamageLines(t, b.String(), 14, 50, 1, langtest.Reader(Language(), ".just"), langtest.UsualDamage())
}
