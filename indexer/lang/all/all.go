// Package all is the table of languages: one line each.
package all

import (
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/bash"
	"github.com/project-map/project-map/indexer/lang/c"
	"github.com/project-map/project-map/indexer/lang/cpp"
	"github.com/project-map/project-map/indexer/lang/csharp"
	"github.com/project-map/project-map/indexer/lang/eex"
	"github.com/project-map/project-map/indexer/lang/ejs"
	"github.com/project-map/project-map/indexer/lang/elixir"
	"github.com/project-map/project-map/indexer/lang/erb"
	"github.com/project-map/project-map/indexer/lang/golang"
	"github.com/project-map/project-map/indexer/lang/gomod"
	"github.com/project-map/project-map/indexer/lang/java"
	"github.com/project-map/project-map/indexer/lang/javascript"
	jsonlang "github.com/project-map/project-map/indexer/lang/json"
	"github.com/project-map/project-map/indexer/lang/jsp"
	"github.com/project-map/project-map/indexer/lang/jupyter"
	"github.com/project-map/project-map/indexer/lang/kotlin"
	"github.com/project-map/project-map/indexer/lang/lua"
	"github.com/project-map/project-map/indexer/lang/makefile"
	"github.com/project-map/project-map/indexer/lang/markdown"
	"github.com/project-map/project-map/indexer/lang/php"
	"github.com/project-map/project-map/indexer/lang/python"
	"github.com/project-map/project-map/indexer/lang/ruby"
	"github.com/project-map/project-map/indexer/lang/rust"
	"github.com/project-map/project-map/indexer/lang/swift"
	"github.com/project-map/project-map/indexer/lang/toml"
	"github.com/project-map/project-map/indexer/lang/tsx"
	"github.com/project-map/project-map/indexer/lang/typescript"
	"github.com/project-map/project-map/indexer/lang/yaml"
)

// Table makes the table of all languages.
func Table() *lang.Table {
	return lang.NewTable(
		bash.Language(),
		c.Language(),
		cpp.Language(),
		csharp.Language(),
		eex.Language(),
		ejs.Language(),
		elixir.Language(),
		erb.Language(),
		golang.Language(),
		gomod.Language(),
		java.Language(),
		javascript.Language(),
		jsonlang.Language(),
		jsp.Language(),
		jupyter.Language(),
		kotlin.Language(),
		kotlin.Plain(),
		lua.Language(),
		makefile.Language(),
		markdown.Language(),
		php.Language(),
		python.Language(),
		ruby.Language(),
		rust.Language(),
		swift.Language(),
		toml.Language(),
		tsx.Language(),
		typescript.Language(),
		yaml.Language(),
	)
}
