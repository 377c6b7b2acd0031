package bundle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
)

const (
	// testedFiles is how many of the likely files have their tests named.
	testedFiles = 3
	// testsByFile bounds the tests that are named of each.
	testsByFile = 2
	// fewTests is up to how many tests a directory holds for all of them to count
	// as tests of each file in it.
	fewTests = 3
)

// testsNear names the tests of the first likely files that are no tests
// themselves: of each the nearest of those that are called like it, then those
// that import it and not all its directory, then the tests beside it where these
// are few. What is listed as likely anyway is left out.
func (s *selection) testsNear(c *store.Catalog) []string {
	var files []*file
	listed := map[int]bool{}
	for i := range s.files {
		f := &s.files[i]
		listed[f.doc] = true
		if len(files) < testedFiles && f.about.Nature == facts.Code && !f.about.Role.Has(facts.RoleTest) {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil
	}
	var tests []test
	for doc := range c.NumDocs() {
		if d := c.Doc(doc); d.Role.Has(facts.RoleTest) && d.Nature == facts.Code {
			tests = append(tests, test{doc: doc, dir: d.Dir, path: d.Path, stem: ranker.Stem(d.Path)})
		}
	}
	var out []string
	for _, f := range files {
		for _, t := range testsOf(c, f, tests) {
			if !listed[t.doc] && !slices.Contains(out, t.path) {
				out = append(out, t.path)
			}
		}
	}
	return out
}

type test struct {
	doc, dir   int
	path, stem string
}

// testsOf picks the tests of a file, the best first.
func testsOf(c *store.Catalog, f *file, tests []test) []*test {
	type near struct {
		*test
		score int
	}
	var list []near
	stem, beside := ranker.Stem(f.path), 0
	for i := range tests {
		if tests[i].dir == f.about.Dir {
			beside++
		}
	}
	for i := range tests {
		t := &tests[i]
		switch {
		case stem != "" && t.stem == stem:
			list = append(list, near{t, 1000 + 10*facts.CommonDirs(t.path, f.path) - strings.Count(t.path, "/")})
		case importsAlone(c, t.doc, f):
			list = append(list, near{t, 500 + 10*facts.CommonDirs(t.path, f.path)})
		case t.dir == f.about.Dir && beside <= fewTests:
			list = append(list, near{t, 0})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	var out []*test
	for _, n := range list[:min(len(list), testsByFile)] {
		// Far from the best one of its name it is the test of another file.
		if n.score < 1000 && list[0].score >= 1000 || n.score < list[0].score-5 {
			break
		}
		out = append(out, n.test)
	}
	return out
}

// importsAlone tells whether a document imports a file, and no other of its
// directory: else it imports the package.
func importsAlone(c *store.Catalog, doc int, f *file) bool {
	targets := c.Imports(doc)
	return slices.Contains(targets, f.doc) && !slices.ContainsFunc(targets, func(i int) bool {
		return i != f.doc && c.Doc(i).Dir == f.about.Dir
	})
}
