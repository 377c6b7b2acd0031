package oracle

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// ownerFiles are where forges look for owners, in their order.
var ownerFiles = []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"}

// owners are those of a path by the last rule of CODEOWNERS that matches it, with
// the file and the line of the rule; doc is -1 where nobody is named.
func (o *Oracle) owners(p string) (names []string, doc, line int) {
	for _, f := range ownerFiles {
		d, ok := o.c.DocByPath(f)
		if !ok {
			continue
		}
		lines := o.source(d)
		for n := len(lines) - 1; n >= 0; n-- {
			pattern, who := ownerRule(lines[n])
			if pattern != "" && ownerMatches(pattern, p) {
				return who, d, n + 1
			}
		}
		return nil, -1, 0
	}
	return nil, -1, 0
}

// ownerRule takes a line apart; the pattern is "" where there is none.
func ownerRule(line string) (pattern string, who []string) {
	if i := strings.Index(line, " #"); i >= 0 {
		line = line[:i]
	}
	f := strings.Fields(line)
	if len(f) == 0 || strings.HasPrefix(f[0], "#") || strings.HasPrefix(f[0], "[") || strings.HasPrefix(f[0], "^[") {
		return "", nil
	}
	return f[0], f[1:]
}

// ownerMatches follows the rules of .gitignore as far as CODEOWNERS has them: a
// pattern without an inner slash matches at any depth, one that ends in a slash
// all below a directory.
func ownerMatches(pattern, p string) bool {
	anchored := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	pattern = strings.TrimPrefix(pattern, "/")
	dir := strings.HasSuffix(pattern, "/")
	pattern = strings.TrimSuffix(pattern, "/")
	if pattern == "" {
		return false
	}
	if !anchored {
		pattern = "**/" + pattern
	}
	below, err := doublestar.Match(pattern+"/**", p)
	if err != nil {
		return false
	}
	if dir {
		return below
	}
	// "docs/*" is for the files of docs, not for those below.
	if strings.HasSuffix(pattern, "/*") {
		below = false
	}
	exact, _ := doublestar.Match(pattern, p)
	return exact || below
}
