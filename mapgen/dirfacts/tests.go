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
		if e.Role.Has(facts.RoleTest) && isCode(e.File.Language) && !e.Role.Has(facts.RoleVendored) {
			if name := testedName(path.Base(e.Path)); name != "" {
				byName[name] = append(byName[name], i)
			}
		}
	}
	const most = 4
	out := map[int][]string{}
	for i := range files {
		e := &files[i]
		if e.Role&(facts.RoleTest|facts.RoleVendored) != 0 || !isCode(e.File.Language) {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(e.Path), ".")
		best := -1
		for _, t := range byName[strings.ToLower(stem)] {
			if family(files[t].File.Language) != family(e.File.Language) {
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

// family groups the languages of one ecosystem.
func family(language string) string {
	switch language {
	case "tsx", "javascript", "vue", "svelte", "astro":
		return "typescript"
	case "cpp":
		return "c"
	case "kotlin", "scala", "groovy":
		return "java"
	}
	return language
}

// testedName is what a test file's name says it tests, lower case, or "".
func testedName(base string) string {
	stem, rest, _ := strings.Cut(base, ".")
	if rest = strings.ToLower(rest); strings.HasPrefix(rest, "test.") || strings.HasPrefix(rest, "spec.") || strings.HasPrefix(rest, "e2e.") || strings.HasPrefix(rest, "cy.") {
		return strings.ToLower(stem)
	}
	for _, suffix := range []string{"Tests", "Test", "TestCase", "Spec", "IT"} {
		if s, ok := strings.CutSuffix(stem, suffix); ok && s != "" && strings.ToLower(suffix[:1]) != suffix[:1] {
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
	return stem
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
