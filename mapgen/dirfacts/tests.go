package dirfacts

import (
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// relatedTests finds, for every source file, the tests that go by its name:
// foo_test.go, test_foo.py, foo.spec.ts, FooTest.java and the like. Of several
// with one name those whose path is nearest are taken.
func relatedTests(files []facts.Entry) map[int][]string {
	byName := map[string][]int{}
	for i := range files {
		e := &files[i]
		if e.Role.Has(facts.RoleTest) && isCode(e) && !e.Role.Has(facts.RoleVendored) {
			if name := testedName(e.Path); name != "" && !isGeneric(name) {
				byName[name] = append(byName[name], i)
			}
		}
	}
	const most = 4
	out := map[int][]string{}
	for i := range files {
		e := &files[i]
		if e.Role&(facts.RoleTest|facts.RoleVendored) != 0 || !isCode(e) {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		best := -1
		for _, t := range byName[strings.ToLower(stem)] {
			if files[t].File.Family != e.File.Family || !belongs(files[t].Path, e.Path) || files[t].Role.Has(facts.RoleExample) != e.Role.Has(facts.RoleExample) {
				continue
			}
			n := distance(files[t].Path, e.Path)
			if best < 0 || n < best {
				best, out[i] = n, nil
			}
			if n == best && len(out[i]) < most {
				out[i] = append(out[i], files[t].Path)
			}
		}
	}
	return out
}

// isGeneric tells whether so many files have a name that it relates none.
func isGeneric(stem string) bool {
	switch stem {
	case "__init__", "__main__", "conftest", "doc", "index", "lib", "main", "mod", "setup", "types", "utils":
		return true
	}
	return false
}

// testedName is what a test file's name says it tests, lower case, or "". A name
// without a mark counts where the file lies in a directory of tests.
func testedName(p string) string {
	stem, rest, _ := strings.Cut(path.Base(p), ".")
	for _, mark := range []string{"test", "spec", "e2e", "cy"} {
		if strings.HasPrefix(strings.ToLower(rest), mark+".") {
			return strings.ToLower(stem)
		}
	}
	for _, suffix := range []string{"Tests", "Test", "TestCase", "Spec", "IT"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" {
			return strings.ToLower(s)
		}
	}
	stem = strings.ToLower(stem)
	for _, suffix := range []string{"_test", "_tests", "_spec", "-test", "-spec"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok {
			return s
		}
	}
	for _, prefix := range []string{"test_", "test-"} {
		if s, ok := strings.CutPrefix(stem, prefix); ok {
			return s
		}
	}
	if isTestDir(path.Base(path.Dir(p))) {
		return stem
	}
	return ""
}

func isTestDir(name string) bool {
	switch name {
	case "test", "tests", "__tests__", "spec", "specs":
		return true
	}
	return false
}

// belongs tells whether a test lies where tests of a source do: in its
// directory, or, seen from the nearest directory that holds both, in a
// directory of tests. Elsewhere an equal name says nothing.
func belongs(test, source string) bool {
	x, y := strings.Split(path.Dir(test), "/"), strings.Split(path.Dir(source), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if path.Dir(test) == "." {
		return path.Dir(source) == "."
	}
	return n == len(x) && n == len(y) || n < len(x) && isTestDir(x[n])
}

// distance counts the steps between the directories of two paths.
func distance(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x)-1 && n < len(y)-1 && x[n] == y[n] {
		n++
	}
	return len(x) + len(y) - 2 - 2*n
}
