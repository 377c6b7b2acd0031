// Package c reads C. It owns .h and hands headers of C++ on.
package c

import (
	"github.com/smacker/go-tree-sitter/c"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/cfamily"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of C.
func Language() *lang.Language {
	grammar := func() *syntax.Grammar { return syntax.NewGrammar(c.GetLanguage()) }
	return &lang.Language{
		Name:       "c",
		Aliases:    []string{"objective-c header"},
		Version:    cfamily.Version,
		Extensions: []string{".c", ".h"},
		Grammar:    grammar,
		Leaves:     cfamily.Leaves(),
		Extract:    cfamily.C(grammar),
		Rewrite:    cfamily.RewriteC,
		Roles:      cfamily.Roles,
		Reader: func(source []byte, extension string) string {
			if extension == ".h" && cfamily.LooksLikeCPP(source) {
				return "cpp"
			}
			return ""
		},
		Readers: []string{"cpp"},
	}
}
