package meson

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenString
	tokenOther   // a single character
	tokenNewline // outside of brackets only
)

type token struct {
	kind       tokenKind
	start, end int // of a string with its quotes
	// depth counts the brackets around the token; partner is the index of the
	// other bracket of a pair, or -1.
	depth   int32
	partner int32
	format  bool // a string f'…', or one with a prefix
}

// scan cuts a text into tokens and gives the spans of its comments. Strings
// that have no end stop with their line. A statement at the start of a line
// closes brackets that were left open before it.
func scan(src []byte) (tokens []token, docs []facts.Span) {
	var open []int
	noTriple := false
	add := func(k tokenKind, start, end int) {
		tokens = append(tokens, token{kind: k, start: start, end: end, depth: int32(len(open)), partner: -1})
	}
	for at := 0; at < len(src); {
		c := src[at]
		switch {
		case c == '\n':
			if len(open) > 0 && resumes(src[at+1:]) {
				open = open[:0]
			}
			if len(open) == 0 {
				add(tokenNewline, at, at+1)
			}
			at++
		case c == ' ' || c == '\t' || c == '\r':
			at++
		case c == '\\' && at+1 < len(src) && (src[at+1] == '\n' || src[at+1] == '\r'):
			if at++; src[at] == '\r' && at+1 < len(src) {
				at++
			}
			at++
		case c == '#':
			end := lineEnd(src, at)
			docs = append(docs, facts.Span{Start: uint32(at), End: uint32(end)})
			at = end
		case c == '\'':
			format := len(tokens) > 0 && tokens[len(tokens)-1].end == at && tokens[len(tokens)-1].kind == tokenName && at > 0 && src[at-1] == 'f'
			end := 0
			if bytes.HasPrefix(src[at:], []byte("'''")) {
				if !noTriple {
					if k := bytes.Index(src[at+3:], []byte("'''")); k >= 0 {
						end = at + 3 + k + 3
					}
				}
				if end == 0 {
					noTriple, end = true, lineEnd(src, at)
				}
			} else {
				end = stringEnd(src, at)
			}
			add(tokenString, at, end)
			tokens[len(tokens)-1].format = format
			at = end
		case isStart(c):
			start := at
			for at < len(src) && (isStart(src[at]) || src[at] >= '0' && src[at] <= '9') {
				at++
			}
			add(tokenName, start, at)
		case c == '(' || c == '[' || c == '{':
			add(tokenOther, at, at+1)
			open = append(open, len(tokens)-1)
			at++
		case c == ')' || c == ']' || c == '}':
			if n := len(open); n > 0 {
				i := open[n-1]
				open = open[:n-1]
				add(tokenOther, at, at+1)
				tokens[i].partner, tokens[len(tokens)-1].partner = int32(len(tokens)-1), int32(i)
			}
			at++
		default:
			add(tokenOther, at, at+1)
			at++
		}
	}
	return tokens, docs
}

func lineEnd(src []byte, at int) int {
	k := bytes.IndexByte(src[at:], '\n')
	if k < 0 {
		return len(src)
	}
	if k > 0 && src[at+k-1] == '\r' {
		k--
	}
	return at + k
}

func stringEnd(src []byte, at int) int {
	for k := at + 1; k < len(src); k++ {
		switch src[k] {
		case '\\':
			if k+1 < len(src) && src[k+1] != '\n' && src[k+1] != '\r' {
				k++
			}
		case '\'':
			return k + 1
		case '\n':
			return lineEnd(src, at)
		}
	}
	return len(src)
}

var starts = []string{"project", "executable", "library", "shared_library", "static_library", "custom_target", "test", "subdir",
	"option", "if", "endif", "foreach", "endforeach", "install_headers", "pkgconfig", "meson"}

// resumes tells whether a line starts with what only stands outside of
// brackets: a well-known call or an assignment.
func resumes(line []byte) bool {
	if len(line) == 0 || !isStart(line[0]) {
		return false
	}
	k := 0
	for k < len(line) && k < 200 && (isStart(line[k]) || line[k] >= '0' && line[k] <= '9') {
		k++
	}
	rest := bytes.TrimLeft(line[k:min(len(line), k+20)], " ")
	if len(rest) > 0 && rest[0] == '=' {
		return len(rest) == 1 || rest[1] != '='
	}
	word := string(line[:k])
	for _, s := range starts {
		if s == word {
			return s == "endif" || s == "endforeach" || s == "if" || s == "foreach" || len(rest) > 0 && (rest[0] == '(' || s == "meson" && rest[0] == '.')
		}
	}
	return false
}

func isStart(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
