package ranker

import (
	"path"
	"strings"
)

// familyOf groups languages that are written and imported together, so that a
// project in JavaScript and TypeScript, or in C and C++, has one main language.
// It falls back to the extension where nothing reads the language yet, and is
// "" for what is not code (documents, data, configuration, style sheets).
func familyOf(language, p string) string {
	switch language {
	case "":
		return familyOfExtension(strings.ToLower(path.Ext(p)))
	case "javascript", "jsx", "typescript", "tsx", "vue", "svelte", "astro", "coffeescript":
		return "javascript"
	case "c", "cpp", "c++", "cuda", "objective-c", "objc", "objective-c++":
		return "c"
	case "markdown", "restructuredtext", "rst", "asciidoc", "text", "org", "html", "xml", "css", "scss", "sass", "less", "svg",
		"yaml", "toml", "json", "jsonc", "json5", "ini", "properties", "csv", "makefile", "make", "dockerfile", "cmake", "hcl", "nix", "diff":
		return ""
	}
	return language
}

func familyOfExtension(ext string) string {
	switch ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro", ".coffee":
		return "javascript"
	case ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".inl", ".ipp", ".cu", ".cuh", ".m", ".mm":
		return "c"
	case ".go":
		return "go"
	case ".py", ".pyx", ".pxd", ".pyi":
		return "python"
	case ".rs":
		return "rust"
	case ".java":
		return "java"
	case ".kt", ".kts":
		return "kotlin"
	case ".scala":
		return "scala"
	case ".groovy":
		return "groovy"
	case ".rb", ".rake", ".erb":
		return "ruby"
	case ".php", ".phtml":
		return "php"
	case ".cs":
		return "csharp"
	case ".fs":
		return "fsharp"
	case ".swift":
		return "swift"
	case ".dart":
		return "dart"
	case ".lua":
		return "lua"
	case ".ex", ".exs":
		return "elixir"
	case ".erl", ".hrl":
		return "erlang"
	case ".hs":
		return "haskell"
	case ".ml", ".mli":
		return "ocaml"
	case ".clj", ".cljs", ".cljc":
		return "clojure"
	case ".jl":
		return "julia"
	case ".r":
		return "r"
	case ".zig":
		return "zig"
	case ".nim":
		return "nim"
	case ".pl", ".pm":
		return "perl"
	case ".sh", ".bash", ".zsh", ".fish":
		return "shell"
	case ".ps1":
		return "powershell"
	case ".sql":
		return "sql"
	case ".el":
		return "elisp"
	case ".v", ".sv", ".vhd":
		return "hdl"
	case ".f90", ".f", ".f95":
		return "fortran"
	case ".sol":
		return "solidity"
	}
	return ""
}
