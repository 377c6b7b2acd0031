package kotlin

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// cleanDoc is the text of a KDoc comment.
func cleanDoc(comment string) string { return lang.CleanComment(comment[:min(len(comment), 16384)]) }

var (
	docLink = lazyregexp.New(`\[([^\[\]\n]+)\](?:\[[^\[\]\n]+\]|\([^()\n]*\))?`)
	docTag  = lazyregexp.New(`</?[a-zA-Z][^<>\n]*>|\{@[a-z]+\s+([^{}\n]*)\}`)
)

// describe strips block tags, links and HTML of a KDoc text.
func describe(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "@") {
			break
		}
		kept = append(kept, l)
	}
	s := strings.ToValidUTF8(strings.Join(kept, "\n"), "")
	s = docLink.ReplaceAllString(s, "$1")
	return strings.TrimSpace(docTag.ReplaceAllString(s, "$1"))
}
