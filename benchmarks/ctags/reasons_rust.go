package main

import (
	"regexp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// whyRust explains tags of Rust.
func whyRust(_ *corpus, f *file, t tag) verdict {
	if t.kind == "variable" && strings.Contains(f.line(t.line), "'static "+t.name) {
		return verdict{noDefinition, "types behind 'static"}
	}
	return verdict{}
}

// hereRust explains definitions that ctags lacks.
func hereRust(f *file, x extra, _ *tagged) string {
	if f.invocations == nil {
		f.invocations = macroInvocations(string(f.text))
	}
	at := int(x.symbol.NameSpan.Start)
	for _, r := range f.invocations {
		if r[0] < at && at < r[1] {
			return "inside the invocation of a macro"
		}
	}
	s := x.symbol
	switch {
	case s.Parent >= 0 && f.facts.Symbols[s.Parent].Kind == facts.KindEnumMember:
		return "fields of enum variants"
	case s.Kind == facts.KindModule && regexp.MustCompile(`\bmod\s+\w+\s*;`).MatchString(f.line(x.line)):
		return "modules in other files"
	case s.Kind == facts.KindType && s.Parent >= 0:
		return "associated types"
	case s.Kind == facts.KindVariable && strings.Contains(f.line(x.line), "static mut"):
		return "mutable statics"
	}
	return ""
}

var invocation = regexp.MustCompile(`\b[a-z_][\w:]*!\s*(?:\w+\s*)?[({\[]`)

// macroInvocations lists the ranges of bytes between the brackets of macro
// invocations, roughly: quotes and comments are not read.
func macroInvocations(text string) [][2]int {
	out := [][2]int{}
	for _, m := range invocation.FindAllStringIndex(text, -1) {
		depth := 0
		for i := m[1] - 1; i < len(text); i++ {
			switch text[i] {
			case '(', '{', '[':
				depth++
			case ')', '}', ']':
				depth--
			}
			if depth == 0 {
				out = append(out, [2]int{m[1] - 1, i})
				break
			}
		}
	}
	return out
}
