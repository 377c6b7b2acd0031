package scip

import (
	"path"
	"strings"
)

// cleanPath cleans the path of a document. It is not ok where the path is empty,
// absolute on any system, leads out of the repository, or cannot name a file.
func cleanPath(p string) (string, bool) {
	if p == "" || strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || strings.Contains(p, "://") {
		return "", false
	}
	if len(p) > 1 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z' {
		return "", false // C:\x, C:/x
	}
	if strings.HasPrefix(p, `..\`) || strings.Contains(p, `\..\`) {
		return "", false
	}
	for i := 0; i < len(p); i++ {
		if p[i] < 0x20 || p[i] == 0x7f {
			return "", false
		}
	}
	c := path.Clean(p)
	if c == "." || c == ".." || strings.HasPrefix(c, "../") || c == ".git" || strings.HasPrefix(c, ".git/") {
		return "", false
	}
	return c, true
}
