// Package ejs is the row of EJS, JavaScript templates.
package ejs

import (
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/html"
	"github.com/project-map/project-map/indexer/lang/template"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "ejs",
		Family:     "javascript",
		Aliases:    []string{"embedded javascript"},
		Version:    1,
		Extensions: []string{".ejs", ".ect"},
		Extract:    html.Language().Extract,
		Parts:      parts,
		Readers:    []string{"javascript"},
	}
}

func parts(source []byte, _ string) []lang.Part {
	return []lang.Part{{Language: "javascript", Pieces: template.Tagged(source, "javascript")}}
}
