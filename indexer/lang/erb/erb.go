// Package erb is the row of ERB, the Ruby templates of Rails and others.
package erb

import (
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/html"
	"github.com/project-map/project-map/indexer/lang/template"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "erb",
		Family:     "ruby",
		Aliases:    []string{"html+erb", "eruby"},
		Version:    2,
		Extensions: []string{".erb", ".rhtml", ".erubis"},
		Extract:    html.Language().Extract,
		Parts:      parts,
		Readers:    []string{"ruby"},
	}
}

func parts(source []byte, _ string) []lang.Part {
	return []lang.Part{{Language: "ruby", Pieces: template.Tagged(source, "ruby")}}
}
