// Package template reads what page templates have in common whose code stands
// between <% and %>: ERB, EEx, EJS and Java server pages.
//
// The statements of a page belong to one another ("if" in one tag, "end" in the
// next), so all tags of a page are read together by the row of their language,
// each at its place, with line breaks for the marks.
package template

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/lang"
)

// Tagged finds the code between <% and %>. Comments (<%#, <%--), literal marks
// (<%%) and the directives of server pages (<%@) hold none. A tag that is not
// closed reaches to the end.
func Tagged(source []byte, language string) []lang.Piece {
	var out []lang.Piece
	for at := 0; ; {
		open := bytes.Index(source[at:], []byte("<%"))
		if open < 0 {
			return out
		}
		open += at
		body := open + 2
		if bytes.HasPrefix(source[body:], []byte("--")) { // comment of server pages
			end := bytes.Index(source[body:], []byte("--%>"))
			if end < 0 {
				return out
			}
			at = body + end + 4
			continue
		}
		if bytes.HasPrefix(source[body:], []byte("%")) {
			at = body + 1
			continue
		}
		end := bytes.Index(source[body:], []byte("%>"))
		if end < 0 {
			end = len(source)
		} else {
			end += body
		}
		at = min(end+2, len(source))
		if body < end && (source[body] == '#' || source[body] == '@') {
			continue
		}
		out = append(out, tag(source, open, body, end, at, language))
	}
}

// tag lays one tag out: blanks for its marks, a line break before and after the
// code. Java needs a semicolon after the expression of <%=.
func tag(source []byte, open, body, end, after int, language string) lang.Piece {
	text := bytes.Clone(source[open:after])
	text[0], text[1] = ' ', '\n'
	expression := false
	for body < end && bytes.IndexByte([]byte("=-_!|~/"), source[body]) >= 0 {
		expression = expression || source[body] == '='
		text[body-open] = ' '
		body++
	}
	code := text[body-open : end-open]
	if n := len(code); n > 0 && (code[n-1] == '-' || code[n-1] == '_' && language == "javascript") {
		code[n-1] = ' '
	}
	if after > end {
		text[end-open], text[end-open+1] = '\n', ' '
		if expression && language == "java" {
			text[end-open], text[end-open+1] = ';', '\n'
		}
	}
	return lang.Piece{Start: uint32(open), Text: text}
}

// Relative writes the path of another page as one relative to the page.
func Relative(p string) string {
	if strings.HasPrefix(p, "/") || strings.HasPrefix(p, ".") {
		return p
	}
	return "./" + p
}
