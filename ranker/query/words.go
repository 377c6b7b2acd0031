package query

// isStopWord reports whether a word says nothing about a task: a keyword or
// ubiquitous built-in of a common language, or one of the most common words of
// English. Words are compared as written; callers lower prose first.
func isStopWord(s string) bool {
	switch s {
	// Keywords and built-ins.
	case "abstract", "alias", "and", "any", "args", "array", "as", "assert", "async", "auto", "await",
		"begin", "bool", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue",
		"crate", "def", "default", "defer", "define", "del", "delete", "dict", "do", "double", "dyn", "echo",
		"elif", "else", "elsif", "end", "endif", "ensure", "enum", "except", "export", "extends", "extern",
		"false", "final", "finally", "float", "fmt", "fn", "for", "foreach", "from", "func", "function", "fun",
		"global", "go", "goto", "if", "ifdef", "ifndef", "impl", "implements", "import", "in", "include",
		"inline", "instanceof", "int", "interface", "is", "lambda", "len", "let", "list", "long", "loop",
		"main", "match", "mod", "module", "mut", "namespace", "new", "nil", "none", "not", "null", "nullptr",
		"object", "of", "or", "override", "package", "pass", "print", "printf", "println", "private",
		"protected", "pub", "public", "puts", "raise", "range", "readonly", "ref", "require", "rescue",
		"return", "self", "short", "signed", "sizeof", "static", "std", "str", "string", "struct", "super",
		"switch", "template", "then", "this", "throw", "throws", "trait", "true", "try", "type", "typedef",
		"typeof", "typename", "undefined", "union", "unless", "unsigned", "until", "use", "using", "val",
		"var", "virtual", "void", "volatile", "when", "where", "while", "with", "yield", "console",
		"True", "False", "None", "String", "Traceback", "ifneq", "wchar_t", "size_t":
		return true
	// English.
	case "a", "about", "above", "actually", "after", "again", "all", "already", "also", "although", "always",
		"am", "an", "another", "anyone", "anything", "are", "aren", "around", "at", "be", "because", "been",
		"before", "behavior", "behaviour", "being", "below", "best", "better", "between", "both", "bug", "but", "by",
		"call", "can", "cannot", "cause", "code", "could", "couldn", "currently", "did", "didn", "different",
		"does", "doesn", "doing", "don", "done", "due", "during", "each", "either", "even", "every",
		"everything", "example", "expect", "expected", "few", "find", "first", "fix", "following", "found",
		"get", "gets", "getting", "give", "given", "gives", "going", "good", "got", "great", "had", "happen",
		"happens", "has", "hasn", "have", "haven", "having", "he", "hello", "help", "here", "hi", "hope", "how",
		"however", "i", "instead", "into", "isn", "issue", "it", "its", "itself", "just", "know", "last", "less",
		"like", "ll", "look", "looks", "made", "make", "makes", "many", "may", "maybe", "me", "might", "more",
		"most", "much", "must", "my", "need", "needs", "never", "no", "nothing", "now", "off", "on", "one",
		"only", "other", "others", "our", "out", "over", "own", "please", "possible", "problem", "put", "quite",
		"rather", "re", "really", "reproduce", "running", "runs", "same", "say", "says", "see", "seem", "seems",
		"seen", "set", "several", "she", "should", "shouldn", "show", "shows", "since", "so", "some", "someone",
		"something", "steps", "still", "such", "sure", "take", "test", "tests", "than", "thank", "thanks", "that",
		"the", "their", "them", "themselves", "there", "therefore", "these", "they", "thing", "things", "think",
		"those", "though", "through", "thus", "to", "too", "tried", "two", "under", "up", "upon", "us", "used",
		"useful", "uses", "ve", "very", "via", "want", "wanted", "was", "wasn", "way", "we", "well", "were",
		"weren", "what", "whatever", "which", "who", "why", "will", "within", "without", "won", "work",
		"working", "works", "would", "wouldn", "wrong", "yes", "yet", "you", "your":
		return true
	}
	return false
}

// extClass classifies a lower-case file extension.
type extClass uint8

const (
	extUnknown extClass = iota
	extKnown            // hardly ever the last part of a qualified name
	extWord             // also a common word or field name: data.json, x.map
)

func classOfExt(e string) extClass {
	switch e {
	case "js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte", "astro",
		"java", "kt", "kts", "scala", "groovy", "gradle", "clj", "cljs", "cljc",
		"rs", "cc", "cpp", "cxx", "hpp", "hh", "hxx", "ipp", "inl", "cu", "cuh", "mm",
		"rb", "rake", "erb", "gemspec", "haml", "slim", "php", "phtml", "twig", "tpl",
		"py", "pyi", "pyx", "pxd", "ipynb", "swift", "cs", "csproj", "fs", "fsx", "vb", "sln", "xaml", "cshtml",
		"dart", "lua", "jl", "ex", "exs", "eex", "heex", "erl", "hrl", "hs", "ml", "mli", "nim", "zig",
		"pl", "pm", "sh", "bash", "zsh", "fish", "ps1", "bat", "asm", "sol", "tf", "hcl", "nix",
		"proto", "thrift", "graphql", "gql", "cmake", "mk", "bzl", "bazel",
		"rst", "txt", "md", "mdx", "adoc", "htm", "scss", "sass", "styl",
		"cfg", "toml", "ini", "yml", "yaml", "jsonc", "json5", "ndjson", "jsonl", "csv", "tsv", "conf",
		"svg", "png", "jpg", "gif", "pdf", "whl", "jinja", "jinja2", "j2", "hbs", "mustache", "ejs", "pug":
		return extKnown
	case "go", "c", "h", "m", "r", "d", "s", "v", "sql", "css", "less", "html", "xml", "json", "properties",
		"in", "po", "mod", "sum", "lock", "map", "snap", "env", "log", "text", "el", "lisp", "tex", "work", "plist":
		return extWord
	}
	return extUnknown
}

// isMemberWord reports whether an extension of class extWord is, after a chain
// of names in code, far more likely a member: rows.items.map.
func isMemberWord(e string) bool {
	switch e {
	case "json", "html", "xml", "css", "less", "sql", "properties", "lock", "snap", "plist", "tex":
		return false
	}
	return true
}

// isSpecialFile reports whether a bare word is the name of a well-known file
// without extension.
func isSpecialFile(s string) bool {
	switch s {
	case "Makefile", "makefile", "GNUmakefile", "Dockerfile", "Containerfile", "Gemfile", "Rakefile", "Procfile",
		"Jenkinsfile", "Vagrantfile", "Pipfile", "Podfile", "Justfile", "justfile", "Brewfile", "Guardfile",
		"Earthfile", "Tiltfile", "Fastfile", "Dangerfile", "CODEOWNERS", "LICENSE", "README", "CHANGELOG",
		"CONTRIBUTING", "Kconfig", "SConstruct", "SConscript":
		return true
	}
	return false
}

// isDirWord reports whether a first path component makes a two-part path out
// of a phrase that could also mean an alternative ("read/write").
func isDirWord(s string) bool {
	switch s {
	case "src", "lib", "libs", "pkg", "pkgs", "packages", "package", "cmd", "internal", "app", "apps", "test", "tests",
		"spec", "specs", "doc", "docs", "include", "crates", "modules", "module", "scripts", "script", "tools",
		"examples", "vendor", "third_party", "config", "configs", "public", "components", "plugins", "services",
		"controllers", "models", "views", "utils", "util", "helpers", "api", "build", "ci", "deploy", "source",
		"sources", "contrib", "extensions", "resources", "assets", "static", "templates", "migrations", "locales":
		return true
	}
	return false
}

// isMediaType reports whether the first part of a two-part token is a top-level
// media type such as application in application/json.
func isMediaType(s string) bool {
	switch s {
	case "application", "text", "image", "audio", "video", "multipart", "font":
		return true
	}
	return false
}

// isReceiver reports whether a leading component only points to the current
// object and so does not belong to the name.
func isReceiver(s string) bool {
	switch s {
	case "self", "this", "cls", "super", "Self", "it", "window", "global", "globalThis":
		return true
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c | 0x20) }
func isWordByte(c byte) bool {
	return isAlpha(c) || isDigit(c) || c == '_' || c >= 0x80
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
