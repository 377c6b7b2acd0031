package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// whyCSharp explains tags of C#.
func whyCSharp(_ *corpus, f *file, t tag) verdict {
	line := f.line(t.line)
	q := regexp.QuoteMeta(t.name)
	switch {
	case t.kind == "namespace" && strings.HasPrefix(f.facts.Package, t.name):
		return packageClause
	case t.kind == "typedef" && f.imports(t.name):
		return importedName
	case t.name == "base" || t.name == "this":
		return verdict{noDefinition, "initialisers of constructors"}
	case !wholeWord(bareName(t.name)).MatchString(f.code(t.line, maskCSharp)):
		return verdict{noDefinition, "words of string literals"}
	case regexp.MustCompile(`\bwhere\s+\w+\s*:`).MatchString(line):
		return verdict{noDefinition, "constraints of type parameters"}
	case t.kind == "property" && strings.Contains(line, "."+t.name+" ="), t.kind == "method" && f.inFunction(t.line) && regexp.MustCompile(`^\s*(throw new\s+)?`+q+`\(.*\);\s*$`).MatchString(line):
		return verdict{noDefinition, "statements in bodies of methods"}
	case strings.Contains(t.name, ".") && regexp.MustCompile(`^\s*`+q+`\s*(=|\()`).MatchString(line) && f.inFunction(t.line):
		return verdict{noDefinition, "statements in bodies of methods"}
	}
	return verdict{}
}

// maskCSharp blanks the comments and string literals of a text of C#.
func maskCSharp(text string) string {
	return maskWith(text, func(rest string) int {
		switch {
		case strings.HasPrefix(rest, "//"):
			return literalEnd(rest, 2, "\n", 0)
		case strings.HasPrefix(rest, "/*"):
			return literalEnd(rest, 2, "*/", 0)
		case strings.HasPrefix(rest, `"""`):
			n := len(rest) - len(strings.TrimLeft(rest, `"`))
			return literalEnd(rest, n, rest[:n], 0)
		case strings.HasPrefix(rest, `@"`), strings.HasPrefix(rest, `@$"`), strings.HasPrefix(rest, `$@"`):
			return literalEnd(rest, strings.IndexByte(rest, '"')+1, `"`, '"')
		case rest[0] == '"' || rest[0] == '\'':
			return literalEnd(rest, 1, rest[:1], '\\')
		}
		return 0
	})
}

// hereCSharp explains definitions that ctags lacks.
func hereCSharp(f *file, x extra, theirs *tagged) string {
	line := f.line(x.line)
	switch {
	case x.symbol.Name == "this":
		return "indexers, which ctags calls by no name or by their type"
	case strings.Contains(x.symbol.Signature, "?") || strings.Contains(x.symbol.Signature, "@"):
		return "heads with ? of nullable types or @ before a word"
	case strings.Contains(x.symbol.Signature, " where ") || regexp.MustCompile(`^\s*where\b`).MatchString(f.line(x.line+1)):
		return "heads with constraints of type parameters"
	case strings.Contains(line, ">."+x.symbol.Name):
		return "members of generic interfaces that are implemented explicitly"
	case regexp.MustCompile(`\)\s*=>`).MatchString(line):
		return "members with => for a body"
	case strings.HasPrefix(x.symbol.Name, "operator"):
		return "operators, which ctags names otherwise or not at all"
	case x.symbol.Kind == facts.KindType && strings.Contains(line, "delegate"):
		return "delegates, for which ctags has no kind"
	case regexp.MustCompile(`\bwhere\s+\w+\s*:`).MatchString(line) && slices.Contains([]facts.Kind{facts.KindClass, facts.KindInterface, facts.KindStruct}, x.symbol.Kind):
		return "types with constraints, for which ctags takes the constraint"
	}
	for n := x.line - 1; n > 0 && !theirs.definedAt(n); n-- {
		if verbatim.MatchString(f.line(n)) {
			return "behind verbatim and interpolated strings, before the next name that ctags finds"
		}
		if conditional.MatchString(f.line(n)) {
			return "behind conditional compilation, before the next name that ctags finds"
		}
	}
	return ""
}

var verbatim = regexp.MustCompile("[@$]+\"|\"\"\"|'\"'|\\\\\"")

// whyJava explains tags of Java.
func whyJava(_ *corpus, f *file, t tag) verdict {
	if t.kind == "field" && regexp.MustCompile(`\bdefault\s+`+regexp.QuoteMeta(t.name)+`\s*;`).MatchString(f.line(t.line)) {
		return verdict{noDefinition, "default values of annotation elements"}
	}
	return verdict{}
}

// hereJava explains definitions that ctags lacks.
func hereJava(f *file, x extra, _ *tagged) string {
	if p := x.symbol.Parent; p >= 0 && x.symbol.Flags&facts.InBody == 0 {
		switch f.facts.Symbols[p].Kind {
		case facts.KindField, facts.KindConstant, facts.KindVariable, facts.KindEnumMember:
			return "members of anonymous classes and of enum constants"
		}
	}
	return ""
}

// whyKotlin explains tags of Kotlin.
func whyKotlin(_ *corpus, f *file, t tag) verdict {
	switch {
	case t.name == "<lambda>" || t.name == "<anonymous>":
		return verdict{noDefinition, "lambdas and objects without a name"}
	case strings.Contains(f.line(t.line), "`") && strings.ContainsAny(t.name, `\?`):
		return verdict{noDefinition, "names in backquotes, for which ctags prints stray bytes"}
	case t.kind == "object" && t.name == "Companion" && regexp.MustCompile(`\bcompanion\s+object\b`).MatchString(f.line(t.line)):
		return verdict{left, "companions without a name, whose members facts give to their class"}
	}
	return verdict{}
}

// hereKotlin explains definitions that ctags lacks.
func hereKotlin(f *file, x extra, _ *tagged) string {
	if strings.Contains(f.line(x.line), "`"+strings.Trim(x.symbol.Name, "`")+"`") {
		return "names in backquotes"
	}
	return ""
}
