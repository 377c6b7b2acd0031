// Package ejs is the row of EJS, JavaScript templates.
package ejs

import (
	"regexp"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
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
		Extract:    includeCalls,
		Parts:      parts,
		Readers:    []string{"javascript"},
	}
}

func parts(source []byte, _ string) []lang.Part {
	return []lang.Part{{Language: "javascript", Pieces: template.Tagged(source, "javascript")}}
}

var included = regexp.MustCompile(`<%[-=_]?\s*include\s*\(?\s*['"]([^'"\n]+)['"]`)

// includeCalls reports the pages that an EJS page includes.
func includeCalls(b *lang.Builder) {
	for _, m := range included.FindAllSubmatchIndex(b.Source, -1) {
		b.Import(facts.Import{Module: template.Relative(string(b.Source[m[2]:m[3]]))}, uint32(m[2]))
	}
}
