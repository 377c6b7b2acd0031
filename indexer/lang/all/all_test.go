package all_test

import (
	"runtime"
	"testing"

	"github.com/project-map/project-map/indexer/lang/all"
)

// Making the table compiles no pattern and no grammar: that is a few kilobytes a
// row, where a single large pattern takes a hundred and the grammars megabytes.
func TestTableIsCheap(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows := len(all.Table().All())
	runtime.ReadMemStats(&after)
	if got := int(after.TotalAlloc - before.TotalAlloc); got > rows*8<<10 {
		t.Errorf("the table of %d rows takes %d bytes: something is built before it is used", rows, got)
	}
}
