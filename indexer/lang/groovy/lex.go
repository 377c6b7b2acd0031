package groovy

import (
	"bytes"
	"strings"
)

type kind uint8

const (
	word kind = iota
	str
	number
	sign
	newline
	comment
)

// token is a piece of the text. A string with "${…}" in it is not plain.
type token struct {
	kind       kind
	c          byte // of a sign
	plain      bool // a string without interpolation
	first      bool // the first token of its line
	column     int32
	start, end int
	pair       int32 // of "(", "[" and "{": index of the closing token, or of what ends it
}

// maxTokens bounds what is remembered of one file.
const maxTokens = 2_000_000

// lex splits a text into tokens and pairs its brackets.
func lex(src []byte) []token {
	var toks []token
	lineStart, fresh := 0, true
	lost := map[string]bool{} // closing marks that are known not to follow
	add := func(t token) {
		t.first, t.column = fresh, int32(t.start-lineStart)
		fresh = false
		toks = append(toks, t)
	}
	for i := 0; i < len(src) && len(toks) < maxTokens; {
		c := src[i]
		switch {
		case c == '\n':
			if n := len(toks); n > 0 && toks[n-1].kind != newline {
				toks = append(toks, token{kind: newline, start: i, end: i})
			}
			i++
			lineStart, fresh = i, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			i++
		case c == '\\' && i+1 < len(src) && (src[i+1] == '\n' || src[i+1] == '\r'):
			i += 2
			if src[i-1] == '\r' && i < len(src) && src[i] == '\n' {
				i++
			}
			lineStart = i
		case c == '#' && i == 0:
			i = lineEnd(src, i)
		case c == '/' && i+1 < len(src) && src[i+1] == '/':
			end := lineEnd(src, i)
			add(token{kind: comment, start: i, end: end})
			i = end
		case c == '/' && i+1 < len(src) && src[i+1] == '*':
			end := behind(src, i+2, "*/", lost)
			if end < 0 {
				end = lineEnd(src, i)
			}
			add(token{kind: comment, start: i, end: end})
			if k := bytes.LastIndexByte(src[i:end], '\n'); k >= 0 {
				lineStart = i + k + 1
			}
			i = end
		case c == '"' || c == '\'':
			end, plain := stringEnd(src, i, lost)
			add(token{kind: str, plain: plain, start: i, end: end})
			i = end
		case c == '$' && i+1 < len(src) && src[i+1] == '/' && operand(src, toks):
			end := behind(src, i+2, "/$", lost)
			if end < 0 {
				end = lineEnd(src, i)
			}
			add(token{kind: str, start: i, end: end})
			i = end
		case c == '/' && operand(src, toks):
			end := slashyEnd(src, i)
			if end < 0 {
				add(token{kind: sign, c: c, start: i, end: i + 1})
				i++
				continue
			}
			add(token{kind: str, start: i, end: end})
			i = end
		case isWord(c):
			start := i
			for i < len(src) && isWord(src[i]) {
				i++
			}
			k := word
			if c >= '0' && c <= '9' {
				k = number
			}
			add(token{kind: k, start: start, end: i})
		default:
			add(token{kind: sign, c: c, start: i, end: i + 1})
			i++
		}
	}
	if !match(toks, false) {
		match(toks, true)
	}
	return toks
}

func lineEnd(src []byte, i int) int {
	k := bytes.IndexByte(src[i:], '\n')
	if k < 0 {
		return len(src)
	}
	if k > 0 && src[i+k-1] == '\r' {
		k--
	}
	return i + k
}

// behind is the offset behind a closing mark, or -1.
func behind(src []byte, i int, mark string, lost map[string]bool) int {
	if lost[mark] || i > len(src) {
		return -1
	}
	k := bytes.Index(src[i:], []byte(mark))
	if k < 0 {
		lost[mark] = true
		return -1
	}
	return i + k + len(mark)
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// operand tells whether a value can start behind the last token, so that a
// slash opens a pattern.
func operand(src []byte, toks []token) bool {
	if len(toks) == 0 {
		return true
	}
	t := toks[len(toks)-1]
	switch t.kind {
	case newline:
		return true
	case sign:
		return strings.IndexByte("(,=[!&|?:{};~<>+", t.c) >= 0
	case word:
		switch string(src[t.start:t.end]) {
		case "return", "in", "case", "assert":
			return true
		}
	}
	return false
}

// slashyEnd is the offset behind the pattern that starts at i on its line, or -1.
func slashyEnd(src []byte, i int) int {
	for k := i + 1; k < len(src) && k-i < 2000; k++ {
		switch src[k] {
		case '\\':
			k++
		case '\n':
			return -1
		case '/':
			return k + 1
		}
	}
	return -1
}

// stringEnd is the offset behind the string whose quote stands at i. A string
// without an end goes to the end of its line.
func stringEnd(src []byte, i int, lost map[string]bool) (end int, plain bool) {
	q := src[i]
	plain = true
	if i+2 < len(src) && src[i+1] == q && src[i+2] == q {
		mark := string(src[i : i+3])
		if !lost[mark] {
			for k := i + 3; k < len(src); k++ {
				switch {
				case src[k] == '\\':
					k++
				case src[k] == '$' && q == '"':
					plain = false
				case src[k] == q && bytes.HasPrefix(src[k:], []byte(mark)):
					return k + 3, plain
				}
			}
			lost[mark] = true
		}
		return lineEnd(src, i), plain
	}
	depth := 0 // of ${…}
	inner := byte(0)
	for k := i + 1; k < len(src); k++ {
		c := src[k]
		switch {
		case c == '\\':
			k++
			if k < len(src) && src[k] == '\n' {
				return k, plain
			}
		case c == '\n':
			return lineEnd(src, i), plain
		case depth > 0 && inner != 0:
			if c == inner {
				inner = 0
			}
		case depth > 0:
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			case '"', '\'':
				inner = c
			}
		case c == q:
			return k + 1, plain
		case c == '$' && q == '"':
			plain = false
			if k+1 < len(src) && src[k+1] == '{' {
				depth = 1
				k++
			}
		}
	}
	return len(src), plain
}

// match pairs the brackets and tells whether all of them are. With margins a
// brace also ends before a line that starts no deeper than the line that it was
// opened on, and so does what stands open in it.
func match(toks []token, margins bool) bool {
	type opener struct {
		at     int32
		column int32 // of its line
		c      byte
	}
	var open []opener
	column, whole := int32(0), true
	for i := range toks {
		t := &toks[i]
		if t.kind == newline || t.kind == comment {
			continue
		}
		if t.first {
			column = t.column
			closes := t.kind == sign && (t.c == '}' || t.c == ')' || t.c == ']')
			for margins && len(open) > 0 {
				// Find the brace whose block this line cannot be part of.
				o := open[len(open)-1]
				if column > o.column || closes && column == o.column || o.c != '{' && !closes && t.kind != word {
					break
				}
				toks[o.at].pair = int32(i)
				open = open[:len(open)-1]
			}
		}
		if t.kind != sign {
			continue
		}
		switch t.c {
		case '(', '[', '{':
			open = append(open, opener{int32(i), column, t.c})
		case ')', ']', '}':
			want := map[byte]byte{')': '(', ']': '[', '}': '{'}[t.c]
			n := len(open)
			if n > 0 && open[n-1].c == want {
				toks[open[n-1].at].pair = int32(i)
				open = open[:n-1]
				continue
			}
			whole = false
			// A bracket inside of a block that closes was forgotten.
			if t.c == '}' {
				for k := n - 1; k >= 0 && k > n-20; k-- {
					if open[k].c == want {
						for _, o := range open[k:] {
							toks[o.at].pair = int32(i)
						}
						open = open[:k]
						break
					}
				}
			}
		}
	}
	for _, o := range open {
		toks[o.at].pair = int32(len(toks))
		whole = false
	}
	return whole
}

// text is the content of a string token.
func text(src []byte, t token) string {
	s := string(src[t.start:t.end])
	for _, q := range [][2]string{{`"""`, `"""`}, {"'''", "'''"}, {"$/", "/$"}, {`"`, `"`}, {"'", "'"}, {"/", "/"}} {
		if rest, ok := strings.CutPrefix(s, q[0]); ok {
			return strings.ToValidUTF8(strings.TrimSuffix(rest, q[1]), "")
		}
	}
	return s
}
