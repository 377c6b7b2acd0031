package csharp

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// maskCode is a copy of a text in which comments and the insides of literals
// are blank, so that what is left is code. Offsets and lines stay.
func maskCode(src []byte) []byte {
	out := bytes.Clone(src)
	lineStart := true
	for at := 0; at < len(src); {
		n := 1
		switch c := src[at]; {
		case c == '#' && lineStart:
			// A directive is no code, but its quotes open no literal either.
			at += lineLength(src[at:])
			continue
		case bytes.HasPrefix(src[at:], []byte("//")):
			n = lineLength(src[at:])
			blank(out[at : at+n])
		case bytes.HasPrefix(src[at:], []byte("/*")):
			n = len(src) - at
			if end := bytes.Index(src[at+2:], []byte("*/")); end >= 0 {
				n = end + 4
			}
			blank(out[at : at+n])
		case c == '\'':
			n = charLength(src[at:])
			blank(out[at : at+n])
		case c == '"' || c == '$' || c == '@':
			if k := literalLength(src[at:], 0); k > 0 {
				n = k
				blank(out[at : at+n])
				out[at] = '0' // a value stands here
			}
		}
		for _, c := range src[at:min(at+n, len(src))] {
			if c == '\n' {
				lineStart = true
			} else if c != ' ' && c != '\t' && c != '\r' {
				lineStart = false
			}
		}
		at += n
	}
	return out
}

func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

// charLength is the length of a character literal, 1 for a lone quote.
func charLength(text []byte) int {
	for i := 1; i < len(text) && i < 14; i++ {
		switch text[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		case '\n':
			return 1
		}
	}
	return 1
}

// maxHoles bounds strings inside the holes of strings.
const maxHoles = 20

// literalLength is the length of the string that starts a text with its $ and
// @, 0 where none does. A string without its end stops at the end of its line,
// or of the text where it may hold lines.
func literalLength(text []byte, depth int) int {
	dollars, verbatim, at := 0, false, 0
	for at < len(text) && (text[at] == '$' || text[at] == '@') {
		if text[at] == '$' {
			dollars++
		} else {
			verbatim = true
		}
		at++
	}
	if at >= len(text) || text[at] != '"' {
		return 0
	}
	quotes := 0
	for at+quotes < len(text) && text[at+quotes] == '"' {
		quotes++
	}
	if quotes >= 3 && !verbatim {
		end := bytes.Index(text[at+quotes:], bytes.Repeat([]byte{'"'}, quotes))
		if end < 0 {
			return at + quotes
		}
		n := at + quotes + end + quotes
		for n < len(text) && text[n] == '"' {
			n++
		}
		return n
	}
	for i := at + 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && !verbatim:
			i++
		case c == '"' && verbatim && i+1 < len(text) && text[i+1] == '"':
			i++
		case c == '"':
			return i + 1
		case c == '\n' && !verbatim:
			return i
		case c == '{' && dollars > 0:
			if i+1 < len(text) && text[i+1] == '{' {
				i++
				continue
			}
			i += holeLength(text[i:], depth) - 1
		}
	}
	return len(text)
}

// holeLength is the length of {expression} in an interpolated string.
func holeLength(text []byte, depth int) int {
	open := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '(', '[':
			open++
		case '}', ')', ']':
			if open--; open <= 0 {
				return i + 1
			}
		case '\n':
			return i
		case '"', '$', '@':
			if depth >= maxHoles {
				return 1
			}
			if n := literalLength(text[i:], depth+1); n > 0 {
				i += n - 1
			}
		}
	}
	return len(text)
}

// closing is the offset of the bracket that closes the one at an offset of a
// masked text, -1 for none.
func closing(mask []byte, at int) int {
	depth := 0
	for i := at; i < len(mask); i++ {
		switch mask[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func wordAt(text []byte) []byte {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !isWordRune(r) && !(r == '@' && n == 0) {
			break
		}
		n += size
	}
	return text[:n]
}

func isWordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}
