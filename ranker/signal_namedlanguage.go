package ranker

import "strings"

// namedLanguage marks the sources of a language that the query names, or whose
// place it names ("the web console", "front end"), where that is not the main
// one: in a repository of two languages the words of both are alike. Weight 1.5,
// what the second language lacks in the prior of the main language.
func namedLanguage(x *run, out []float64) {
	if x.intent.families == nil {
		return
	}
	for d, f := range x.families {
		if f == 0 || x.noise[d] || x.share[f] == 1 {
			continue
		}
		out[d] = x.intent.families[x.names[f]]
	}
}

// languageWords are words that name an ecosystem, as it is called in facts.
var languageWords = map[string]string{
	"go": "go", "golang": "go", "python": "python", "javascript": "javascript", "typescript": "javascript", "js": "javascript", "ts": "javascript",
	"react": "javascript", "vue": "javascript", "svelte": "javascript", "frontend": "javascript", "node": "javascript", "nodejs": "javascript",
	"java": "java", "kotlin": "java", "scala": "java", "groovy": "java", "rust": "rust", "ruby": "ruby", "php": "php", "swift": "swift",
	"csharp": "csharp", "dotnet": "csharp", "lua": "lua", "elixir": "elixir", "shell": "bash", "bash": "bash", "terraform": "hcl", "sql": "sql",
	"protobuf": "protobuf", "grpc": "protobuf", "graphql": "graphql",
}

// familiesOf finds the ecosystems that words name.
func familiesOf(tokens []string, strength float64) map[string]float64 {
	var out map[string]float64
	for i, w := range tokens {
		f := languageWords[w]
		switch {
		case w == "end" && i > 0 && tokens[i-1] == "front":
			f = "javascript"
		case (w == "console" || w == "ui" || w == "page" || w == "interface" || w == "client") && i > 0 && (tokens[i-1] == "web" || tokens[i-1] == "browser"):
			f = "javascript"
		case w == "c" && i > 0 && strings.Contains(" the in from ", " "+tokens[i-1]+" "):
			f = "c"
		case w == "go" && !(i > 0 && strings.Contains(" the in from of a ", " "+tokens[i-1]+" ")):
			f = "" // a verb
		}
		if f == "" {
			continue
		}
		if out == nil {
			out = map[string]float64{}
		}
		out[f] = strength
	}
	return out
}
