package ranker

import (
	"path"
	"strings"
)

// Stem is the name of a file without extensions and without what makes it a
// test; "" for names that say nothing.
func Stem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	low := strings.ToLower(base)
	for _, x := range []string{"test_", "tests_"} {
		low = strings.TrimPrefix(low, x)
	}
	for _, x := range []string{"_test", "_tests", "_spec", "-test", "-spec", "tests", "test", "specs", "spec"} {
		if t := strings.TrimSuffix(low, x); t != "" {
			low = t
		}
	}
	switch low {
	case "index", "__init__", "mod", "main", "lib", "readme", "":
		return ""
	}
	return low
}
