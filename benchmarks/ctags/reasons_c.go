package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// whyC explains tags of C and C++.
func whyC(c *corpus, f *file, t tag) verdict {
	line := f.line(t.line)
	call := regexp.MustCompile(`(^|\W)` + regexp.QuoteMeta(t.name) + `\s*\(`).MatchString(line)
	function := t.kind == "function" || t.kind == "prototype" || strings.HasSuffix(t.kind, "var") || t.kind == "variable"
	switch {
	case strings.Contains(line, "@"+t.name) || strings.Contains(line, t.name+"@"):
		return verdict{left, "names with @placeholders@ of configure before them"}
	case t.kind == "typedef" && regexp.MustCompile(`typedef\s+\w+\s*\(`).MatchString(line):
		return verdict{left, "typedefs of a use of a macro"}
	case t.kind == "typedef" && f.has(t.name, t.line):
		return verdict{held, "typedefs that repeat the name of their struct, which is listed once"}
	case function && c.macros[t.name]:
		return verdict{noDefinition, "uses of macros of the repository"}
	case strings.Contains(line, "static_assert") && call:
		return verdict{noDefinition, "calls in static_assert"}
	case function && call && isCapitals(t.name):
		return verdict{noDefinition, "uses of macros in capitals"}
	case t.kind == "prototype" && call && f.inFunction(t.line):
		return verdict{noDefinition, "calls in bodies of functions"}
	case t.kind == "prototype" && strings.HasPrefix(strings.TrimSpace(line), t.name) && strings.Contains(line, "->"):
		return verdict{noDefinition, "deduction guides, which define no name"}
	case (t.kind == "member" || t.kind == "prototype") && (strings.Contains(line, "requires") || strings.HasPrefix(strings.TrimSpace(line), "typename ") || f.within(t.line, facts.KindInterface)):
		return verdict{noDefinition, "expressions and types in requires"}
	}
	return verdict{}
}

func isCapitals(name string) bool {
	return strings.ToUpper(name) == name && strings.ToLower(name) != name
}

var (
	macroTyped     = regexp.MustCompile(`^\s*\w+\s*\([^()]*\)\s*\w+\s*;`)
	emptyNamespace = regexp.MustCompile(`^\s*(inline\s+)?namespace\s+\w+\s*\{\s*\}`)
	overridden     = regexp.MustCompile(`~\w+\s*\(\s*\)\s*(noexcept\s+)?override`)
)

// hereC explains definitions that ctags lacks.
func hereC(f *file, x extra, _ *tagged) string {
	line := f.line(x.line)
	switch {
	case regexp.MustCompile(`\bstruct\s+\w+\s*(<[^{]*)?:`).MatchString(line) || regexp.MustCompile(`template\s*<.*>\s*struct`).MatchString(line):
		return "templates of structs without a body or with a partial specialisation"
	case x.symbol.Kind == facts.KindField && macroTyped.MatchString(line):
		return "members whose type is a use of a macro"
	case emptyNamespace.MatchString(line):
		return "empty namespaces"
	case overridden.MatchString(line):
		return "destructors declared with override"
	case regexp.MustCompile(`\bfriend\b`).MatchString(line):
		return "friend declarations"
	case x.symbol.Kind == facts.KindFunction && strings.Contains(x.symbol.Signature, `"`+x.symbol.Name+`"`):
		return "tests named by their titles; ctags has the name of the macro, once a file at most"
	case strings.Contains(line, "(&&") || strings.Contains(line, "(&"):
		return "functions with references to arrays among their parameters"
	case otherBranch(f.lines, x.line):
		return "in #if 0 or behind #else, where ctags reads one branch"
	case regexp.MustCompile(`\}\s*` + regexp.QuoteMeta(x.symbol.Name) + `\s*\{`).MatchString(line):
		return "names behind a type with braces and an initialiser in braces"
	case regexp.MustCompile(`^\s*(extern\s+)?(static\s+)?\w+\s*\([^()]*\)\s*(\w+\s+)*`+regexp.QuoteMeta(x.symbol.Name)+`\s*[;=]`).MatchString(line) || regexp.MustCompile(`\w\s*=\s*\w+\(`).MatchString(line) && x.symbol.Kind == facts.KindVariable:
		return "variables whose type or initialiser is a use of a macro"
	case strings.Contains(line, "@"):
		return "names with @placeholders@ of configure before them"
	case x.symbol.Kind == facts.KindFunction && strings.Contains(line, "("+x.symbol.Name+")"):
		return "functions with their name in parentheses"
	case strings.Contains(line, "^ "):
		return "functions with pointers of C++/CLI among their parameters"
	case behindMacro(f, x.line):
		return "behind the use of a macro without a semicolon"
	case strings.HasPrefix(x.symbol.Name, "operator ") || strings.Contains(x.symbol.Name, "::operator "):
		return "conversion operators, which ctags names otherwise or not at all"
	}
	return ""
}

// behindMacro tells whether the last line of code above a definition, or above the
// line of its type, is a word alone, with or without arguments.
func behindMacro(f *file, line int) bool {
	for n, types := line-1, 0; n > 0 && n > line-30; n-- {
		l := strings.TrimSpace(f.line(n))
		switch {
		case l == "", strings.HasPrefix(l, "#"), strings.HasPrefix(l, "//"), strings.HasPrefix(l, "/*"), strings.HasPrefix(l, "*"):
		case macroAlone.MatchString(l):
			return true
		case types == 0 && !strings.ContainsAny(l, ";{},"):
			types++
		default:
			return false
		}
	}
	return false
}

var macroAlone = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*\s*(\([^;{}]*\)?)?[^;{},]*$`)

// otherBranch tells whether a line stands in #if 0 or in a branch of conditional
// compilation that is not the first.
func otherBranch(lines []string, line int) bool {
	var other []bool
	for _, l := range lines[:min(line, len(lines))] {
		m := conditional.FindStringSubmatch(l)
		switch {
		case m == nil:
		case m[1] == "endif":
			other = other[:max(0, len(other)-1)]
		case strings.HasPrefix(m[1], "if"):
			other = append(other, strings.TrimSpace(m[2]) == "0")
		case len(other) > 0:
			other[len(other)-1] = true
		}
	}
	return slices.Contains(other, true)
}

var conditional = regexp.MustCompile(`^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b(.*)`)
