// Package tsx reads TypeScript with JSX.
package tsx

import (
	grammar "github.com/smacker/go-tree-sitter/typescript/tsx"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of TypeScript with JSX.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "tsx",
		Family:     "javascript",
		Version:    ecmascript.Version,
		Extensions: []string{".tsx"},
		Grammar:    func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves:     ecmascript.Leaves(),
		Extract:    ecmascript.Extract,
		Resync:     ecmascript.Resync,
		Roles:      ecmascript.Roles,
	}
}
