package scala

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
)

// cleanDoc is the text of a Scaladoc comment.
func cleanDoc(comment string) string { return lang.CleanComment(comment[:min(len(comment), 16384)]) }

var (
	docLink = lazyregexp.New(`\[\[(?:[^\]\s]+\s+)?([^\]\n]+)\]\]`)
	docTag  = lazyregexp.New(`(?s)\{\{\{.*?\}\}\}|</?[a-zA-Z][^<>\n]*>|'''|''`)
)

// describe strips block tags, links and markup of a Scaladoc text.
func describe(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "@") {
			break
		}
		if strings.HasPrefix(l, "=") && strings.HasSuffix(l, "=") {
			l = "" // a heading
		}
		kept = append(kept, l)
	}
	s := strings.ToValidUTF8(strings.Join(kept, "\n"), "")
	s = docLink.ReplaceAllString(s, "$1")
	return strings.TrimSpace(docTag.ReplaceAllString(s, ""))
}
