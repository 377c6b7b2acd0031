package bundle

import (
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// TestTestsOfTheFirstFiles finds the tests of files by name, by import and by
// place, and leaves those of other files of the same name alone.
func TestTestsOfTheFirstFiles(t *testing.T) {
	f := &fixture{files: map[string]*facts.Entry{
		"shop/tasks.py":                 sourceFile("python", "", 0),
		"shop/prices.py":                sourceFile("python", "", 0),
		"shop/tests/test_tasks.py":      sourceFile("python", "", facts.RoleTest),
		"shop/tests/test_totals.py":     sourceFile("python", "", facts.RoleTest),
		"mail/tasks.py":                 sourceFile("python", "", 0),
		"mail/tests/test_tasks.py":      sourceFile("python", "", facts.RoleTest),
		"queue/put.go":                  sourceFile("go", "", 0),
		"queue/queue_test.go":           sourceFile("go", "", facts.RoleTest),
		"big/a.go":                      sourceFile("go", "", 0),
		"big/b_test.go":                 sourceFile("go", "", facts.RoleTest),
		"big/c_test.go":                 sourceFile("go", "", facts.RoleTest),
		"big/d_test.go":                 sourceFile("go", "", facts.RoleTest),
		"big/e_test.go":                 sourceFile("go", "", facts.RoleTest),
		"shop/tests/data/test_tasks.md": sourceFile("markdown", "", facts.RoleTest),
	}}
	f.imports = map[string][]string{"shop/tests/test_totals.py": {"shop/prices.py"}, "mail/tests/test_tasks.py": {"shop/tasks.py", "shop/prices.py"}}
	f.build(t)
	for _, c := range []struct {
		files, want []string
	}{
		{[]string{"shop/tasks.py"}, []string{"shop/tests/test_tasks.py"}},
		{[]string{"mail/tasks.py", "shop/prices.py"}, []string{"mail/tests/test_tasks.py", "shop/tests/test_totals.py"}},
		{[]string{"queue/put.go"}, []string{"queue/queue_test.go"}},
		{[]string{"queue/put.go", "queue/queue_test.go"}, nil},
		{[]string{"big/a.go"}, nil},
	} {
		s := selectFrom(query.Parse("x"), f.catalog, f.result(t, ranker.High, nil, c.files...), &Options{Limit: 10})
		if got := s.testsNear(f.catalog); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.files, got, c.want)
		}
	}
}
