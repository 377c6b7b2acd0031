// Package cpp reads C++.
package cpp

import (
	"github.com/smacker/go-tree-sitter/cpp"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/cfamily"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of C++.
func Language() *lang.Language {
	grammar := func() *syntax.Grammar { return syntax.NewGrammar(cpp.GetLanguage()) }
	return &lang.Language{
		Name:       "cpp",
		Family:     "c",
		Aliases:    []string{"c++", "cxx", "cc"},
		Version:    cfamily.Version,
		Extensions: []string{".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cppm", ".ixx"},
		Grammar:    grammar,
		Leaves:     cfamily.Leaves(),
		Extract:    cfamily.CPP(grammar),
		Rewrite:    cfamily.RewriteCPP,
		Roles:      cfamily.Roles,
	}
}
