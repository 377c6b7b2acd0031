package ranker

import (
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
)

func TestFitting(t *testing.T) {
	telling := map[string]float64{"retry": 4, "limit": 3, "queue": 1}
	symbols := []store.Symbol{
		{Name: "Queue", Kind: facts.KindStruct},
		{Name: "retryLimit", Kind: facts.KindConstant},
		{Name: "wait", Kind: facts.KindFunction, Summary: "wait sleeps until the next retry, up to the limit of the queue."},
		{Name: "retry", Kind: facts.KindVariable, Flags: facts.InBody},
		{Name: "retry-limit", Kind: facts.KindKey},
		{Name: "Retry", Kind: facts.KindFunction},
		{Name: "unrelated", Kind: facts.KindFunction},
	}
	for most, want := range [][]int{nil, {1}, {1, 5}, {1, 5, 2}, {1, 5, 2}} {
		if got := Fitting(telling, symbols, most); !slices.Equal(got, want) {
			t.Errorf("at most %d: %v, not %v", most, got, want)
		}
	}
	if got := Fitting(map[string]float64{}, symbols, 3); got != nil {
		t.Errorf("no telling word: %v", got)
	}
}
