package main

import (
	"regexp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// whyBash explains tags of shells.
func whyBash(_ *corpus, f *file, t tag) verdict {
	if name, ok := strings.CutSuffix(t.name, "="); ok && strings.Contains(f.line(t.line), name+"=(") {
		return verdict{noDefinition, "arrays without elements: NAME=()"}
	}
	q := regexp.QuoteMeta(t.name)
	switch {
	case t.kind == "alias" && strings.HasPrefix(t.name, "-"):
		return verdict{noDefinition, "options of alias"}
	case t.kind == "alias" && f.has(t.name+"!", t.line):
		return verdict{held, "aliases whose last mark ctags cuts off"}
	case t.kind == "alias" && !regexp.MustCompile(`\balias\s+(-\w+\s+|--\s+)*['"]?`+q+`['"!]*=`).MatchString(f.line(t.line)):
		return verdict{noDefinition, "words behind alias where nothing is assigned"}
	case t.kind != "function":
		return verdict{}
	case t.name == "{":
		return verdict{noDefinition, "functions without a name"}
	case strings.HasPrefix(t.name, "{"):
		return verdict{held, "several names in braces, each of which is a definition"}
	case f.quoted(t.line):
		return verdict{left, "functions in the text of a string"}
	}
	if !regexp.MustCompile(`^\s*(function\s+)?`+q+`\s*(\(\s*\)|\{|$)`).MatchString(f.line(t.line)) && !regexp.MustCompile(`(;|&&|\{|^)\s*(function\s+)?`+q+`\s*\(\s*\)`).MatchString(f.line(t.line)) {
		return verdict{noDefinition, "words of other languages in strings and here documents"}
	}
	return verdict{}
}

var openedString = regexp.MustCompile(`(?:\beval\s+|=)(['"])\s*$`)

// quoted tells, roughly, whether a line stands in a string of a shell that opens
// at the end of a line above it.
func (f *file) quoted(line int) bool {
	for n := line - 1; n > 0 && n > line-60; n-- {
		m := openedString.FindStringSubmatch(f.line(n))
		if m == nil {
			continue
		}
		for k := n + 1; k < line; k++ {
			if strings.HasPrefix(f.line(k), m[1]) {
				return false
			}
		}
		return true
	}
	return false
}

// hereBash explains definitions that ctags lacks.
func hereBash(f *file, x extra, _ *tagged) string {
	line := strings.TrimSpace(f.line(x.line))
	switch {
	case strings.HasPrefix(line, "@test"):
		return "tests of bats"
	case x.symbol.Kind == facts.KindMacro:
		return "aliases with marks in their names or behind an option"
	case regexp.MustCompile(`^(function\s+)?([\w:.-]+\s+)+(\{\s*\}?)?\\?$|^[\w-]+ \\$`).MatchString(line), strings.Contains(line, "{") && strings.Contains(line, ","):
		return "functions with several names at once"
	}
	return ""
}

// whyLua explains tags of Lua.
func whyLua(_ *corpus, f *file, t tag) verdict {
	line := f.line(t.line)
	q := regexp.QuoteMeta(bareName(t.name))
	switch {
	case strings.Contains(t.name, "]") && regexp.MustCompile(`\]\s*=\s*function\b`).MatchString(f.code(t.line, maskLua)):
		return verdict{noDefinition, "functions under computed names, for which ctags has the expression"}
	case !wholeWord(bareName(t.name)).MatchString(f.code(t.line, maskLua)):
		return verdict{noDefinition, "words of comments and strings"}
	case !regexp.MustCompile(`\bfunction\s+([\w.:]*[.:])?`+q+`\s*\(`).MatchString(line) &&
		!regexp.MustCompile(`(^|[^\w])`+q+`["'\]]*\s*=\s*function\b`).MatchString(line):
		return verdict{noDefinition, "what stands before = or ( where a function is an argument or a word of the line"}
	}
	return verdict{}
}

// maskLua blanks the comments and string literals of a text of Lua.
func maskLua(text string) string {
	return maskWith(text, func(rest string) int {
		comment := strings.HasPrefix(rest, "--")
		at := 0
		if comment {
			at = 2
		}
		if m := longBracket.FindString(rest[at:]); m != "" {
			return literalEnd(rest, at+len(m), "]"+m[1:len(m)-1]+"]", 0)
		}
		switch {
		case comment:
			return literalEnd(rest, 2, "\n", 0)
		case rest[0] == '"' || rest[0] == '\'':
			return literalEnd(rest, 1, rest[:1], '\\')
		}
		return 0
	})
}

var longBracket = regexp.MustCompile(`^\[=*\[`)

// hereLua explains definitions that ctags lacks.
func hereLua(f *file, x extra, _ *tagged) string {
	line := f.line(x.line)
	if regexp.MustCompile(`\[[\w.]+\.` + regexp.QuoteMeta(x.symbol.Name) + `\]\s*=\s*function`).MatchString(line) {
		return "functions in a table under [a.name]"
	}
	if regexp.MustCompile(`\bfunction\b.*\bfunction\b`).MatchString(line) || strings.Contains(line, "_function = function") {
		return "lines with the word function twice"
	}
	if strings.Contains(line, "{") && strings.Index(line, "{") < strings.Index(line, x.symbol.Name) || strings.Contains(line[strings.Index(line, x.symbol.Name)+1:], x.symbol.Name) {
		return "functions on a line with other names, of which ctags takes one"
	}
	if regexp.MustCompile(`function .*\{.*=.*\}.*end$`).MatchString(line) {
		return "functions on one line with a table in them"
	}
	if regexp.MustCompile(`\[\s*["']` + regexp.QuoteMeta(x.symbol.Name) + `["']\s*\]\s*=`).MatchString(line) {
		return `functions in a table under ["name"]`
	}
	return ""
}

// whyPHP explains tags of PHP.
func whyPHP(_ *corpus, f *file, t tag) verdict {
	switch {
	case t.kind == "alias" && f.imports(t.name):
		return importedName
	case t.kind == "variable" && len(f.named[t.name]) > 0 && f.facts.Symbols[f.named[t.name][0]].Kind == facts.KindVariable:
		return verdict{held, "later assignments to a name, which is listed once"}
	case t.kind == "variable" && strings.Contains(f.line(t.line), "::$"+t.name):
		return verdict{noDefinition, "static properties of other classes"}
	case t.kind == "variable" && t.name == "this":
		return verdict{noDefinition, "the word $this"}
	case t.kind == "variable" && f.inFunction(t.line) && !regexp.MustCompile(`\b(public|protected|private|static|var|const|readonly)\s[^;=]*\$`).MatchString(f.line(t.line)):
		return verdict{noDefinition, "assignments in bodies of functions"}
	}
	return verdict{}
}

var promoted = regexp.MustCompile(`\b(public|protected|private|readonly)\b[^;]*\$\w+[^;]*$`)

// herePHP explains definitions that ctags lacks.
func herePHP(f *file, x extra, theirs *tagged) string {
	if x.symbol.Kind == facts.KindField && promoted.MatchString(f.line(x.line)) {
		return "promoted parameters of constructors"
	}
	for n := x.line; n > 0 && (n == x.line || !theirs.definedAt(n)); n-- {
		if attributeInside.MatchString(f.line(n)) {
			return "behind an attribute inside parentheses, which ctags reads as a comment to the end of the line"
		}
	}
	return ""
}

// attributeInside finds an attribute of a parameter.
var attributeInside = regexp.MustCompile(`[(,]\s*#\[|^\s+#\[.*\]\s*[^\s]*.*\$\w+`)

// whyRuby explains tags of Ruby.
func whyRuby(_ *corpus, f *file, t tag) verdict {
	line := f.line(t.line)
	q := regexp.QuoteMeta(t.name)
	reader := strings.TrimSuffix(t.name, "=")
	switch {
	case f.inHeredoc(t.line):
		return verdict{noDefinition, "code in here documents"}
	case t.kind == "accessor" && reader != t.name && f.has(reader, t.line):
		return verdict{held, "writers of attributes, listed once with the reader"}
	case t.kind == "alias" && (f.has(t.name+"?", t.line) || f.has(t.name+"!", t.line) || f.has(t.name+"=", t.line)):
		return verdict{held, "aliases whose last mark ctags cuts off"}
	case t.kind == "constant" && regexp.MustCompile(q+`\s*(=>|==|=~)`).MatchString(line):
		return verdict{noDefinition, "constants before =>, == and =~"}
	case t.kind == "singletonMethod" && t.name == "self":
		return verdict{noDefinition, "the word self of a method that is named behind it"}
	case strings.Contains(line, "#{") && strings.HasPrefix(strings.TrimSpace(line), "def "):
		return verdict{noDefinition, "names with code in them"}
	}
	return verdict{}
}

var heredocStart = regexp.MustCompile(`<<[~-]?(['"\x60]?)([A-Z_][A-Z0-9_]*)(['"\x60]?)`)

// inHeredoc tells whether a line stands in a here document of Ruby.
func (f *file) inHeredoc(line int) bool {
	if f.heredocs == nil {
		f.heredocs = heredocLines(f.lines)
	}
	return f.heredocs[line]
}

// heredocLines lists the lines, from 1, that are text of here documents.
func heredocLines(lines []string) map[int]bool {
	out := map[int]bool{}
	var open []string
	for i, line := range lines {
		if len(open) > 0 {
			if strings.TrimSpace(line) == open[0] {
				open = open[1:]
			} else {
				out[i+1] = true
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, m := range heredocStart.FindAllStringSubmatch(line, -1) {
			open = append(open, m[2])
		}
	}
	return out
}

// hereRuby explains definitions that ctags lacks.
func hereRuby(f *file, x extra, theirs *tagged) string {
	if x.symbol.Kind == facts.KindProperty && len(theirs.named[x.symbol.Name+"="]) > 0 {
		return "attributes with a writer only, which ctags lists with ="
	}
	line := f.line(x.line)
	switch {
	case strings.Contains(line, "alias "):
		return "aliases with ? or an operator, which ctags cuts off"
	case strings.Contains(line, "def self."):
		return "a method of self, which ctags calls self"
	case regexp.MustCompile(regexp.QuoteMeta(x.symbol.Name) + ` = if\b`).MatchString(line):
		return "constants assigned from if"
	}
	for n := x.line; n > 0 && n > x.line-8; n-- {
		if regexp.MustCompile(`\b(def_delegators?|def_instance_delegators?|delegate|def_node_matcher|def_node_search|define_method|attr_writer|attr_reader|attr_accessor|Struct\.new)\b`).MatchString(f.line(n)) {
			return "methods made by def_delegators, define_method, attributes over several lines and the like"
		}
	}
	return ""
}
