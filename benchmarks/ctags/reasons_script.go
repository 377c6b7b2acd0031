package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// whyScript explains tags of Go, Python, TypeScript and JavaScript.
func whyScript(_ *corpus, f *file, t tag) verdict {
	switch {
	case t.name == "_":
		return verdict{noDefinition, "blank names"}
	case t.name == "new" && t.kind == "method":
		return verdict{noDefinition, "construct signatures, which have no name"}
	case t.kind == "variable" && len(f.named[t.name]) > 0 && strings.HasSuffix(t.file, ".py"):
		return verdict{held, "later assignments to a name, which is listed once"}
	case f.binds(t.name, t.line):
		return verdict{held, "local variables, which facts hold as bindings"}
	case t.kind == "alias" && (t.name == "as" || t.name == "from"):
		return verdict{noDefinition, "words of the language"}
	case f.imports(t.name):
		return importedName
	case !declares(f.line(t.line), t.name, t.kind):
		return verdict{noDefinition, "names that their line does not declare"}
	}
	line, q := f.line(t.line), regexp.QuoteMeta(t.name)
	switch {
	case t.kind == "namespace" && strings.Contains(line, "namespace as "):
		return verdict{noDefinition, "words of the language"}
	case t.kind != "property" && t.kind != "class" && t.kind != "field" && t.kind != "function":
	case regexp.MustCompile(`^\s*['"]?`+q+`['"]?\s*:`).MatchString(line) && !strings.Contains(line, "function") && !strings.Contains(line, "=>"):
		return verdict{noDefinition, "keys of object literals that hold data"}
	case regexp.MustCompile(`^\s*` + q + `,?\s*$`).MatchString(line):
		return verdict{noDefinition, "keys of object literals that repeat a variable"}
	case t.kind == "function" && slices.ContainsFunc(f.facts.Bindings, func(b facts.Binding) bool { return b.Name == t.name }):
		return verdict{held, "assignments to a local variable, which facts hold as a binding"}
	}
	return verdict{}
}

// declares tells, roughly, whether a line of source declares a name: after a
// word that declares, or, for members, before what follows such a name. This
// ctags takes many expressions of TypeScript for constants.
func declares(line, name, kind string) bool {
	q := regexp.QuoteMeta(name)
	if regexp.MustCompile(`[{,]\s*`+q+`\s*:`).MatchString(line) || regexp.MustCompile(`\s(of|in)\s.*`+q).MatchString(line) {
		return false // the key of a pattern, what a loop runs over
	}
	if regexp.MustCompile(`(^|[^\w.$])(const|let|var|function\*?|class|interface|type|enum|namespace|module|def|func)\s+([^=;:()]*[^\w$.])?` + q + `($|[^\w$])`).MatchString(" " + line) {
		return true
	}
	switch kind {
	case "constant", "variable":
		return regexp.MustCompile(`^` + q + `\s*(:[^=]*)?=[^=]`).MatchString(line)
	}
	return regexp.MustCompile(`^\s*((export|default|public|private|protected|static|readonly|abstract|async|declare|get|set|override)\s+)*['"\x60]?` + q + `['"\x60]?[?!]?\s*([:(=<]|,?$)`).MatchString(line)
}

// hereScript explains definitions of Go, Python, TypeScript and JavaScript that
// ctags lacks.
func hereScript(f *file, x extra, _ *tagged) string {
	line, kind := f.line(x.line), x.symbol.Kind
	switch extension(f.path) {
	case ".go":
		switch {
		case x.symbol.Parent >= 0 && strings.Contains(f.facts.Symbols[x.symbol.Parent].Signature, "["):
			return "members of generic types, which are newer than ctags"
		case kind == facts.KindMethod && !strings.Contains(line, "func"), kind == facts.KindField:
			return "members of types without a name inside others"
		}
	case ".py", ".pyi":
		switch {
		case regexp.MustCompile(`^\s*` + regexp.QuoteMeta(x.symbol.Name) + `\s*:\s*[^=]+$`).MatchString(line):
			return "names with a type and no value"
		case regexp.MustCompile(`^\s*(async\s+)?(for|with)\b`).MatchString(line):
			return "names bound by for and with"
		}
	default:
		switch {
		case kind == facts.KindModule:
			return "declare module and declare global"
		case x.symbol.Name == "default":
			return "default exports without a name"
		case kind == facts.KindMethod && regexp.MustCompile(`^\s*(static\s+|async\s+|\*\s*|get\s+|set\s+)*['"\x60]?`+regexp.QuoteMeta(x.symbol.Name)+`['"\x60]?\s*[(<]`).MatchString(line):
			return "methods of classes and object literals in short form"
		case regexp.MustCompile(regexp.QuoteMeta(x.symbol.Name) + `['"]?\s*[:=]\s*(async\s*)?(function|\(|\w+\s*=>)`).MatchString(line):
			return "members and variables with a function for a value"
		}
	}
	return ""
}
