package dockerfile

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
		fmt.Fprintf(&b, "FROM image:%d AS s%d\nRUN a \\\n  b\nCOPY x y\n\n", i, i)
	}
	langtest.DamageLines(t, b.String(), 14, 50, 1, langtest.Reader(Language(), ""), langtest.UsualDamage())
}
