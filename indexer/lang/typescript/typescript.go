// Package typescript reads TypeScript.
package typescript

import (
	"bytes"

	grammar "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of TypeScript.
func Language() *lang.Language {
	return &lang.Language{
		Name:         "typescript",
		Family:       "javascript",
		Aliases:      []string{"ts", "typescriptreact"},
		Version:      ecmascript.Version,
		Extensions:   []string{".ts", ".mts", ".cts"},
		Interpreters: []string{"ts-node", "tsx", "deno", "bun"},
		Grammar:      func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves:       ecmascript.Leaves(),
		Extract:      ecmascript.Extract,
		Resync:       ecmascript.Resync,
		Roles:        ecmascript.Roles,
		Reader:       reader,
		Readers:      []string{"xml"},
	}
}

// reader hands on the translations of Qt, which are XML under the same
// extension.
func reader(source []byte, _ string) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(source, []byte("\xef\xbb\xbf")), " \t\r\n")
	for _, start := range []string{"<?xml", "<!DOCTYPE TS", "<TS "} {
		if bytes.HasPrefix(text, []byte(start)) {
			return "xml"
		}
	}
	return ""
}
