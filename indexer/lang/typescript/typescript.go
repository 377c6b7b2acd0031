// Package typescript reads TypeScript.
package typescript

import (
	grammar "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of TypeScript.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "typescript",
		Family:     "javascript",
		Aliases:    []string{"ts", "typescriptreact"},
		Version:    ecmascript.Version,
		Extensions: []string{".ts", ".mts", ".cts"},
		Grammar:    func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves:     ecmascript.Leaves(),
		Extract:    ecmascript.Extract,
		Resync:     ecmascript.Resync,
		Roles:      ecmascript.Roles,
	}
}
