package starlark

import (
	"bytes"
	"strings"
)

type kind uint8

const (
	word kind = iota
	str
	sign
	newline // end of a logical line: outside of brackets
	comment
)

// token is a piece of the text. The matching bracket of an opening one is
// found by its index in pair.
type token struct {
	kind       kind
	c          byte // of a sign
	column     int32
	start, end int
	pair       int32 // of "(", "[" and "{": index of the closing token
}

// maxTokens bounds what is remembered of one file.
const maxTokens = 2_000_000

// lex splits a text. Brackets that are never closed end where a line starts at
// the left margin with what only a statement can be.
func lex(src []byte) []token {
	var toks []token
	var open []int32
	lineStart := 0
	noTriple := map[byte]bool{} // quotes whose triple is known not to follow
	fresh := true               // nothing of the line was read yet
	for i := 0; i < len(src) && len(toks) < maxTokens; {
		c := src[i]
		switch {
		case c == '\n':
			if len(open) == 0 && len(toks) > 0 && toks[len(toks)-1].kind != newline {
				toks = append(toks, token{kind: newline, start: i, end: i})
			}
			i++
			lineStart, fresh = i, true
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
			continue
		case c == '\\' && i+1 < len(src) && (src[i+1] == '\n' || src[i+1] == '\r'):
			i++
			if src[i] == '\r' {
				i++
			}
			if i < len(src) && src[i] == '\n' {
				i++
			}
			lineStart = i
			continue
		case c == '#':
			end := i + lineLength(src[i:])
			toks = append(toks, token{kind: comment, column: int32(i - lineStart), start: i, end: end})
			i = end
			continue
		}
		if fresh && i == lineStart && len(open) > 0 && isStatement(src[i:]) {
			for _, o := range open {
				toks[o].pair = int32(len(toks))
			}
			open = open[:0]
			toks = append(toks, token{kind: newline, start: i, end: i})
		}
		fresh = false
		t := token{column: int32(i - lineStart), start: i}
		switch {
		case isWord(c):
			for i < len(src) && isWord(src[i]) {
				i++
			}
			t.kind, t.end = word, i
			if i < len(src) && (src[i] == '"' || src[i] == '\'') && i-t.start <= 2 && strings.Trim(string(src[t.start:i]), "rRbB") == "" {
				t.kind = str
				i = stringEnd(src, i, noTriple)
				t.end = i
			}
		case c == '"' || c == '\'':
			i = stringEnd(src, i, noTriple)
			t.kind, t.end = str, i
		default:
			i++
			t.kind, t.c, t.end = sign, c, i
			switch c {
			case '(', '[', '{':
				open = append(open, int32(len(toks)))
			case ')', ']', '}':
				if n := len(open); n > 0 {
					toks[open[n-1]].pair = int32(len(toks))
					open = open[:n-1]
				}
			}
		}
		toks = append(toks, t)
	}
	for _, o := range open {
		toks[o].pair = int32(len(toks))
	}
	return toks
}

func lineLength(s []byte) int {
	k := bytes.IndexByte(s, '\n')
	if k < 0 {
		return len(s)
	}
	if k > 0 && s[k-1] == '\r' {
		k--
	}
	return k
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// isStatement tells a line that is unlikely to go on with an open bracket:
// "def f(", "load(" and "rule_name(" with nothing behind it.
func isStatement(s []byte) bool {
	s = s[:lineLength(s)]
	if len(s) > 300 {
		s = s[:300]
	}
	if bytes.HasPrefix(s, []byte("def ")) || bytes.HasPrefix(s, []byte("load(")) {
		return true
	}
	i := 0
	for i < len(s) && (isWord(s[i]) || s[i] == '.') {
		i++
	}
	if i == 0 || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	rest := bytes.TrimSpace(s[i:])
	if bytes.HasPrefix(rest, []byte("= ")) {
		return bytes.HasSuffix(rest, []byte("(")) || bytes.HasSuffix(rest, []byte("[")) || bytes.HasSuffix(rest, []byte("{"))
	}
	return len(rest) == 1 && rest[0] == '('
}

// stringEnd is the offset behind the string whose quote stands at i. A string
// without an end goes to the end of its line.
func stringEnd(src []byte, i int, noTriple map[byte]bool) int {
	q := src[i]
	if i+2 < len(src) && src[i+1] == q && src[i+2] == q {
		if !noTriple[q] {
			for k := i + 3; k+2 < len(src); k++ {
				switch {
				case src[k] == '\\':
					k++
				case src[k] == q && src[k+1] == q && src[k+2] == q:
					return k + 3
				}
			}
			noTriple[q] = true
		}
		return i + lineLength(src[i:])
	}
	for k := i + 1; k < len(src); k++ {
		switch src[k] {
		case '\\':
			k++
			if k < len(src) && src[k] == '\r' {
				k++
			}
		case '\n':
			if src[k-1] == '\r' {
				k--
			}
			return k
		case q:
			return k + 1
		}
	}
	return len(src)
}

// text is the content of a string token without its quotes.
func text(src []byte, t token) string {
	s := strings.TrimLeft(string(src[t.start:t.end]), "rRbB")
	for _, q := range []string{`"""`, "'''", `"`, "'"} {
		if rest, ok := strings.CutPrefix(s, q); ok {
			return strings.TrimSuffix(rest, q)
		}
	}
	return s
}
