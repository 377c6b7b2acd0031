package lua

import "bytes"

// token kinds.
const (
	tokEOF byte = iota
	tokName
	tokKeyword
	tokString
	tokNumber
	tokOp
)

type token struct {
	kind       byte
	start, end int
}

type span struct{ start, end int }

// lex splits a program. A string that is not closed ends with its line, and so
// does a long one, so that what follows is still read.
func lex(src []byte) (tokens []token, comments []span) {
	i := 0
	if bytes.HasPrefix(src, []byte("#")) {
		i = lineEnd(src, 0)
	}
	for i < len(src) {
		c := src[i]
		start := i
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			i++
			continue
		case c == '-' && i+1 < len(src) && src[i+1] == '-':
			if stop := long(src, i+2); stop > 0 {
				i = stop
			} else {
				i = lineEnd(src, i)
			}
			comments = append(comments, span{start, i})
			continue
		case isNameByte(c) && !isDigit(c):
			for i < len(src) && isNameByte(src[i]) {
				i++
			}
			kind := tokName
			if isKeyword(string(src[start:i])) {
				kind = tokKeyword
			}
			tokens = append(tokens, token{kind, start, i})
			continue
		case isDigit(c) || c == '.' && i+1 < len(src) && isDigit(src[i+1]):
			for i < len(src) && (isNameByte(src[i]) && src[i] < 0x80 || src[i] == '.' ||
				(src[i] == '+' || src[i] == '-') && bytes.IndexByte([]byte("eEpP"), src[i-1]) >= 0) {
				if src[i] == '.' && i+1 < len(src) && src[i+1] == '.' { // 1..2
					break
				}
				i++
			}
			tokens = append(tokens, token{tokNumber, start, i})
			continue
		case c == '"' || c == '\'':
			i = quoted(src, i)
			tokens = append(tokens, token{tokString, start, i})
			continue
		case c == '[':
			if stop := long(src, i); stop > 0 {
				i = stop
				tokens = append(tokens, token{tokString, start, i})
				continue
			}
		}
		n := 1
		for _, op := range []string{"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"} {
			if bytes.HasPrefix(src[i:], []byte(op)) {
				n = len(op)
				break
			}
		}
		i += n
		tokens = append(tokens, token{tokOp, start, i})
	}
	return append(tokens, token{tokEOF, len(src), len(src)}), comments
}

func lineEnd(src []byte, i int) int {
	for i < len(src) && src[i] != '\n' {
		i++
	}
	if i > 0 && i <= len(src) && src[i-1] == '\r' {
		i--
	}
	return i
}

func quoted(src []byte, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case quote:
			return i + 1
		case '\\':
			i++
			if i < len(src) && src[i] == '\r' {
				i++
			}
			if i < len(src) && src[i] == 'z' {
				for i+1 < len(src) && bytes.IndexByte([]byte(" \t\r\n"), src[i+1]) >= 0 {
					i++
				}
			}
		case '\n':
			return i
		}
	}
	return len(src)
}

// long gives the position behind a [[ ]] or [==[ ]==] that starts at i, the end
// of its first line where nothing closes it, or 0.
func long(src []byte, i int) int {
	if i >= len(src) || src[i] != '[' {
		return 0
	}
	k := i + 1
	for k < len(src) && src[k] == '=' {
		k++
	}
	if k >= len(src) || src[k] != '[' {
		return 0
	}
	closer := append(append([]byte{']'}, src[i+1:k]...), ']')
	if n := bytes.Index(src[k:], closer); n >= 0 {
		return k + n + len(closer)
	}
	return lineEnd(src, k)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return c == '_' || isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

func isKeyword(s string) bool {
	switch s {
	case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not",
		"or", "repeat", "return", "then", "true", "until", "while":
		return true
	}
	return false
}
