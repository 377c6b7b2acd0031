package main

import "strings"

// code is a line without the comments and string literals of its language, some
// of which go over several lines.
func (f *file) code(n int, mask func(string) string) string {
	if f.masked == nil {
		f.masked = strings.Split(mask(string(f.text)), "\n")
	}
	if n < 1 || n > len(f.masked) {
		return ""
	}
	return f.masked[n-1]
}

// maskWith blanks the literals of a text; literal gives the length of the one that
// a text starts with, or 0.
func maskWith(text string, literal func(string) int) string {
	out := []byte(text)
	for i := 0; i < len(text); {
		n := literal(text[i:])
		for k := i; k < i+n; k++ {
			if out[k] != '\n' {
				out[k] = ' '
			}
		}
		i += max(n, 1)
	}
	return string(out)
}

// literalEnd is the length of a literal that opens with some bytes. Before its
// closing, escape takes away the meaning of the next byte; a closing that doubles
// it stands for itself.
func literalEnd(s string, open int, closing string, escape byte) int {
	for i := open; i < len(s); i++ {
		switch {
		case escape == '"' && strings.HasPrefix(s[i:], `""`):
			i++
		case escape == '\\' && s[i] == '\\':
			i++
		case escape == '\\' && s[i] == '\n':
			return i
		case strings.HasPrefix(s[i:], closing):
			return i + len(closing)
		}
	}
	return len(s)
}
