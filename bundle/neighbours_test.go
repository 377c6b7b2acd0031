package bundle

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// TestNeighbours: what one file alone uses stands before what all use; tests,
// guesses by name and listed files are left out.
func TestNeighbours(t *testing.T) {
	f := &fixture{files: map[string]*facts.Entry{
		"a/run.go":      sourceFile("go", "", 0, definition("Run", facts.KindFunction, "", 1, 2), definition("stop", facts.KindFunction, "", 3, 4)),
		"a/outline.go":  sourceFile("go", "", 0, definition("outline", facts.KindFunction, "", 1, 2)),
		"a/guess.go":    sourceFile("go", "", 0, definition("guess", facts.KindFunction, "", 1, 2)),
		"a/run_test.go": sourceFile("go", "", facts.RoleTest),
		"b/main.go":     sourceFile("go", "", 0),
		"util/log.go":   sourceFile("go", "", 0, definition("Log", facts.KindFunction, "", 1, 2)),
	}}
	for i := range 12 {
		f.files[fmt.Sprintf("c/c%02d.go", i)] = sourceFile("go", "", 0)
	}
	c := f.build(t)
	doc := func(p string) int {
		d, ok := c.DocByPath(p)
		if !ok {
			t.Fatal(p)
		}
		return d
	}
	in := &store.ReferenceInput{Resolutions: make([]store.Resolution, c.NumDocs()), Sites: make([][]edges.Site, c.NumDocs())}
	refer := func(from, to string, symbol int32, mark edges.Mark) {
		d := doc(from)
		in.Sites[d] = append(in.Sites[d], edges.Site{
			Start: uint32(10 * len(in.Sites[d])), Line: uint32(1 + len(in.Sites[d])), Kind: facts.RefCall, Mark: mark, Doc: int32(doc(to)), Symbol: symbol,
		})
	}
	refer("a/run.go", "util/log.go", 0, edges.Exact)
	refer("a/run.go", "a/outline.go", 0, edges.Exact)
	refer("a/run.go", "a/guess.go", 0, edges.ByName)
	refer("a/run_test.go", "a/run.go", 0, edges.Exact)
	refer("b/main.go", "a/run.go", 0, edges.Exact)
	for i := range 12 {
		refer(fmt.Sprintf("c/c%02d.go", i), "util/log.go", 0, edges.Exact)
	}
	data, err := store.CompileReferences(in)
	if err != nil {
		t.Fatal(err)
	}
	refs, err := store.OpenReferences(data, c.NumDocs())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		level ranker.Level
		files []string
		want  []beside
	}{
		{ranker.High, []string{"a/run.go"}, []beside{{"a/run.go", []string{"a/outline.go"}, []string{"b/main.go"}}}},
		{ranker.Medium, []string{"a/run.go", "a/outline.go"}, []beside{{"a/run.go", []string{"util/log.go"}, []string{"b/main.go"}}}},
		{ranker.High, []string{"a/run_test.go"}, nil},
		{ranker.Low, []string{"a/run.go"}, nil},
	} {
		s := selectFrom(query.Parse("x"), c, f.result(t, x.level, nil, x.files...), &Options{Limit: 10})
		if got := s.neighbours(c, refs); !reflect.DeepEqual(got, x.want) {
			t.Errorf("%q: %+v, not %+v", x.files, got, x.want)
		}
		if got := s.neighbours(c, nil); got != nil {
			t.Errorf("without references: %v", got)
		}
	}
}
