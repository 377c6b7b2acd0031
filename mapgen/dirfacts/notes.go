package dirfacts

import (
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// Lengths of notes.
const (
	maxNoteWords = 12
	maxNoteNames = 4
)

// noteOf is the few words of an index about a file: the beginning of its
// summary, else the names of its public types and functions, else what it is.
func noteOf(e *facts.Entry) string {
	if s := e.File.Summary; isSentence(s) || !isCode(e) && s != "" {
		w := strings.Fields(s)
		if len(w) > maxNoteWords {
			return strings.Join(w[:maxNoteWords], " ") + " …"
		}
		return strings.Join(w, " ")
	}
	if e.File.Depth == facts.Listed {
		return string(e.File.Reason)
	}
	roles := strings.Join(e.Role.Names(), ", ")
	if !isCode(e) || e.Role.Has(facts.RoleTest) {
		if targets := names(e, func(s *facts.Symbol) bool { return s.Kind == facts.KindTarget }); len(targets) > 0 {
			return strings.Join(targets, ", ")
		}
		return roles
	}
	list := names(e, func(s *facts.Symbol) bool { return isType(s.Kind) })
	list = append(list, names(e, func(s *facts.Symbol) bool { return isFunction(s.Kind) })...)
	list = append(list, names(e, func(s *facts.Symbol) bool { return !isType(s.Kind) && !isFunction(s.Kind) })...)
	for _, x := range e.File.Exports {
		list = append(list, x.Name)
	}
	list = slices.DeleteFunc(list, func(n string) bool { return n == "*" || n == "default" })
	var out []string
	for _, n := range list {
		if !slices.Contains(out, n) && len(out) < maxNoteNames {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return roles
	}
	return strings.Join(out, ", ")
}

// names lists the public definitions at top level that keep wants, in the order
// of the source. Type parameters and the like (T, K, F) say nothing.
func names(e *facts.Entry, keep func(*facts.Symbol) bool) []string {
	var out []string
	for i := range e.File.Symbols {
		s := &e.File.Symbols[i]
		placeholder := len(s.Name) < 2 || strings.HasPrefix(s.Name, "T_")
		if s.Parent < 0 && s.Visibility == facts.Public && !placeholder && shown(e, s) && keep(s) {
			out = append(out, s.Name)
		}
	}
	return out
}

// isSentence tells a text that says something from a title, a banner or a row of
// signs.
func isSentence(s string) bool {
	letters, signs, words, short := 0, 0, 0, 0
	for _, w := range strings.Fields(s) {
		n := 0
		for _, r := range w {
			switch {
			case r > 0x2e80: // ideographs, syllables: a few make a sentence
				letters, words = letters+1, words+1
			case r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7f:
				letters++
				n++
			default:
				signs++
			}
		}
		switch {
		case n > 1:
			words++
		case n == 1:
			short++
		}
	}
	return words >= 2 && words+short >= 3 && signs*2 <= letters
}

func isType(k facts.Kind) bool {
	switch k {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindType, facts.KindModule:
		return true
	}
	return false
}

func isFunction(k facts.Kind) bool {
	switch k {
	case facts.KindFunction, facts.KindMethod, facts.KindConstructor, facts.KindMacro:
		return true
	}
	return false
}
