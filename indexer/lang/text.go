package lang

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Collapse puts a text on one line: runs of white space become one space, ends
// are trimmed.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// FirstSentence is the first sentence of the first paragraph of a text on one
// line. A sentence ends at a full stop, question or exclamation mark that is
// followed by white space and no lower-case letter, or at an ideographic full
// stop.
func FirstSentence(s string) string {
	var para []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" {
			if len(para) > 0 {
				break
			}
			continue
		}
		para = append(para, line)
		if len(para) > 40 {
			break
		}
	}
	text := Collapse(strings.Join(para, " "))
	for i, r := range text {
		switch r {
		case '。', '！', '？':
			return text[:i+utf8.RuneLen(r)]
		case '.', '!', '?':
			rest := text[i+1:]
			if rest == "" {
				return text
			}
			if rest[0] != ' ' || len(rest) < 2 {
				continue
			}
			next, _ := utf8.DecodeRuneInString(rest[1:])
			if unicode.IsLower(next) || isAbbreviation(text[:i]) {
				continue
			}
			return text[:i+1]
		}
	}
	return text
}

func isAbbreviation(before string) bool {
	word := before[strings.LastIndexByte(before, ' ')+1:]
	switch strings.ToLower(strings.TrimLeft(word, "(")) {
	case "e.g", "i.e", "etc", "vs", "cf", "no", "fig", "st", "mr", "dr":
		return true
	}
	return len(word) == 1 && unicode.IsUpper(rune(word[0]))
}

// CleanComment strips the marks of a comment in any of the common styles: //,
// ///, #, --, ;, /* */ with leading stars, <!-- -->, """ """.
func CleanComment(s string) string {
	s = strings.TrimSpace(s)
	for _, p := range [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`"""`, `"""`}, {"'''", "'''"}} {
		if strings.HasPrefix(s, p[0]) {
			s = strings.TrimSuffix(strings.TrimPrefix(s, p[0]), p[1])
			s = strings.TrimLeft(s, "*!")
			break
		}
	}
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		for _, p := range []string{"///", "//!", "//", "##", "#", "--", "*", ";;", ";"} {
			if rest, ok := strings.CutPrefix(line, p); ok {
				line = strings.TrimPrefix(rest, " ")
				break
			}
		}
		out = append(out, strings.TrimRight(line, " \t"))
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// LooksLikeLicense tells whether a header comment is a copyright or license
// notice or a directive for a tool rather than a description.
func LooksLikeLicense(s string) bool {
	l := strings.ToLower(s[:min(len(s), 400)])
	for _, w := range []string{"copyright", "(c) ", "©", "licensed under", "license", "spdx-", "all rights reserved", "@license", "@preserve"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(l), "\n")
	for _, w := range []string{"!/", "eslint", "tslint", "jshint", "jslint", "global ", "globals ", "@flow", "@ts-", "prettier-", "istanbul", "-*-", "vim:", "pylint", "flake8", "mypy:", "type:", "noqa", "go:", "+build", "nolint", "@jsx", "<reference", "coding:", "coding="} {
		if strings.HasPrefix(first, w) {
			return true
		}
	}
	return false
}

// Shape grammar
//
// The shape of an expression keeps what a resolver needs to find its type, as
// text: a chain of
//
//	name        an identifier
//	.name       a member
//	()          a call
//	[] [:]      an index, a slice
//	(T)         a conversion or assertion to type T
//	T{}         a composite literal of type T
//	new T()     a construction
//	&x *x       address and indirection
//	await x     the awaited value
//	range x     what iteration over x yields
//	x#n         the n-th of several results, from 0
//
// The row of Go keeps more, which its own resolver reads: arguments of calls
// (f(x, y)), instantiations (f[T]()), results of receiving (x[<-]), map literals
// by key (T{}[#]{}) and types without a name by their place (struct@8:95).
//
// and, for literals, "" string, 0 number, true boolean, nil, [] list, {} map,
// func function. Anything else is "?", and so is a shape over MaxShape bytes.

// MaxShape caps a shape, in bytes.
const MaxShape = 160

// Unknown is the shape of an expression that has none of the forms.
const Unknown = "?"

// Shape bounds a shape; extractions pass what they composed through it.
func Shape(s string) string {
	if len(s) > MaxShape {
		return Unknown
	}
	return s
}
