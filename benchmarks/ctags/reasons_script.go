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
	case t.kind != "property" && t.kind != "class" && t.kind != "field" && t.kind != "function" && t.kind != "method":
	case regexp.MustCompile(`^\s*['"]?`+q+`['"]?\s*:`).MatchString(line) && !holdsFunction(line, t.name):
		return verdict{noDefinition, "keys of object literals that hold data"}
	case t.kind == "class" && regexp.MustCompile(`^\s*`+q+`\s*=\s*\{`).MatchString(line):
		return verdict{noDefinition, "assignments of an object to a variable or parameter that is declared above"}
	case regexp.MustCompile(`^\s*` + q + `,?\s*$`).MatchString(line):
		return verdict{noDefinition, "keys of object literals that repeat a variable"}
	case t.kind == "function" && slices.ContainsFunc(f.facts.Bindings, func(b facts.Binding) bool { return b.Name == t.name }):
		return verdict{held, "assignments to a local variable, which facts hold as a binding"}
	case extension(f.path) == ".js" && (holdsFunction(line, t.name) || t.kind == "method"):
		if f.inFunction(t.line) {
			return verdict{left, "functions under keys of an object literal in the body of a function"}
		}
		return verdict{left, "functions under keys of an object literal that is assigned to a member or nested in another"}
	}
	return verdict{}
}

// holdsFunction tells whether a line gives a key of an object literal a function.
func holdsFunction(line, key string) bool {
	return regexp.MustCompile(regexp.QuoteMeta(key) + `['"]?\s*:\s*(async\s+)?(function\b|\w+\s*=>|\([^()]*(\([^()]*\)[^()]*)*\)\s*=>)`).MatchString(line)
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
		case kind == facts.KindVariable && strings.Contains(line, "func("):
			return "variables that hold a function"
		}
	case ".py", ".pyi":
		switch {
		case regexp.MustCompile(`^\s*` + regexp.QuoteMeta(x.symbol.Name) + `\s*:\s*[^=]+$`).MatchString(line):
			return "names with a type and no value"
		case regexp.MustCompile(`^\s*(async\s+)?(for|with)\b`).MatchString(line):
			return "names bound by for and with"
		case regexp.MustCompile(`=\s*` + regexp.QuoteMeta(x.symbol.Name) + `\s*=[^=]`).MatchString(line):
			return "second and further names of a = b = c"
		case strings.Contains(line, "namedtuple("):
			return "fields of named tuples"
		}
	default:
		switch {
		case kind == facts.KindModule:
			return "declare module and declare global"
		case strings.HasPrefix(x.symbol.Name, "["), strings.Contains(line, "'"+x.symbol.Name+"'"):
			return "members under quoted and computed names"
		case x.symbol.Parent >= 0 && f.facts.Symbols[x.symbol.Parent].Kind == facts.KindType:
			return "members of an object type behind type X ="
		case destructured(f, x):
			return "names in patterns of destructuring"
		case kind == facts.KindFunction && extension(f.path) != ".js" && signed(f, x):
			return "overload signatures, of which ctags lists one"
		case x.symbol.Name == "default":
			return "default exports without a name"
		case kind == facts.KindMethod && regexp.MustCompile(`^\s*(static\s+|async\s+|\*\s*|get\s+|set\s+)*['"\x60]?`+regexp.QuoteMeta(x.symbol.Name)+`['"\x60]?\s*[(<]`).MatchString(line):
			return "methods of classes and object literals in short form"
		case regexp.MustCompile(regexp.QuoteMeta(x.symbol.Name) + `['"]?\s*[:=]\s*(async\s*)?(function|\(|\w+\s*=>)`).MatchString(line):
			return "members and variables with a function for a value"
		case x.symbol.Parent < 0 && inDefine(f, x.line):
			return "names of an AMD module, in the function that is given to define"
		case regexp.MustCompile(`=\s*(/|\w+\.\w+\()`).MatchString(line):
			return "names whose value is a regular expression or what a method gives"
		case kind == facts.KindFunction && (x.symbol.Name == "get" || x.symbol.Name == "set"):
			return "functions named get and set"
		case strings.Contains(line, x.symbol.Name+"?:") && x.symbol.Parent >= 0 && (f.facts.Symbols[x.symbol.Parent].Kind == facts.KindClass || x.symbol.Name == "typeof" || x.symbol.Name == "readonly"):
			return "optional fields of classes, and such as are named by a word of the language"
		case strings.HasPrefix(line, "exports."):
			return "members of exports that hold no function"
		}
	}
	return ""
}

// destructured tells whether a definition stands in a pattern, on its line or on
// one of a pattern over several.
func destructured(f *file, x extra) bool {
	if k := x.symbol.Kind; k != facts.KindVariable && k != facts.KindConstant {
		return false
	}
	for n := x.line; n > 0 && n > x.line-8; n-- {
		if pattern.MatchString(f.line(n)) {
			return n == x.line || !strings.Contains(strings.Join(f.lines[n-1:x.line-1], " "), "}")
		}
	}
	return false
}

var pattern = regexp.MustCompile(`^\s*(export\s+)?(const|let|var)\s*[{\[]`)

// signed tells whether another function of the same name stands beside it.
func signed(f *file, x extra) bool {
	return slices.ContainsFunc(f.named[bareName(x.symbol.Name)], func(i int) bool {
		s := &f.facts.Symbols[i]
		return s != x.symbol && s.Kind == x.symbol.Kind && s.Parent == x.symbol.Parent
	})
}

// inDefine tells whether an indented line stands below the head of an AMD module.
func inDefine(f *file, line int) bool {
	if !strings.HasPrefix(f.line(line), "\t") && !strings.HasPrefix(f.line(line), " ") {
		return false
	}
	for n := line - 1; n > 0; n-- {
		if strings.HasPrefix(f.line(n), "define(") {
			return true
		}
	}
	return false
}
