// Package javascript reads JavaScript.
package javascript

import (
	grammar "github.com/smacker/go-tree-sitter/javascript"
	dialect "github.com/smacker/go-tree-sitter/typescript/tsx"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of JavaScript.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "javascript",
		Aliases:      []string{"js", "jsx", "node", "ecmascript", "js2"},
		Version:      ecmascript.Version,
		Extensions:   []string{".js", ".jsx", ".mjs", ".cjs"},
		Interpreters: []string{"node", "nodejs"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves:       ecmascript.Leaves(),
		Extract:      ecmascript.WithDialect(func() *syntax.Grammar { return syntax.NewGrammar(dialect.GetLanguage()) }),
		Resync:       ecmascript.Resync,
		Roles:        ecmascript.Roles,
	}
}
