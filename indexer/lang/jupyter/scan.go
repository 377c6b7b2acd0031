package jupyter

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

type span = facts.Span

// cell is one cell of a notebook. lines are the string tokens of its source
// with their quotes, which are its lines, or one for all of them.
type cell struct {
	kind, language string
	lines          []span
}

// scan finds the cells of formats 3 and 4 and the language of the kernel,
// "python" where the document does not say. It reads as far as the document is
// well-formed.
func scan(source []byte) (cells []cell, language string) {
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	type level struct {
		key   string // of the value that stands here, in an object
		array bool
		value bool // the next token of an object is a value
	}
	var stack []level
	// path is "cells", "cells/source" and so on: the keys down to here.
	path := func() string {
		var keys []string
		for _, l := range stack {
			if !l.array {
				keys = append(keys, l.key)
			}
		}
		return strings.TrimPrefix(strings.Join(keys, "/"), "worksheets/")
	}
	// A document cannot nest deeper than this in what is looked at.
	const maxDepth = 7
	open, inCell := cell{}, 0
	for {
		before := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			break
		}
		if delim, ok := token.(json.Delim); ok {
			switch delim {
			case '{', '[':
				if len(stack) < maxDepth && delim == '{' && inCell == 0 && len(stack) > 0 && stack[len(stack)-1].array && path() == "cells" {
					open, inCell = cell{}, len(stack)
				}
				stack = append(stack, level{array: delim == '['})
			case '}', ']':
				stack = stack[:len(stack)-1]
				if inCell > 0 && len(stack) == inCell {
					cells = append(cells, open)
					inCell = 0
				}
				if n := len(stack); n > 0 {
					stack[n-1].value = false
				}
			}
			continue
		}
		if len(stack) == 0 {
			break // a document of one word
		}
		l := &stack[len(stack)-1]
		if !l.array && !l.value {
			l.key, _ = token.(string)
			l.value = true
			continue
		}
		l.value = false
		text, isString := token.(string)
		if !isString || len(stack) > maxDepth {
			continue
		}
		switch p := path(); {
		case inCell > 0 && len(stack) == inCell+1 && p == "cells/cell_type":
			open.kind = text
		case inCell > 0 && len(stack) == inCell+1 && p == "cells/language":
			open.language = text
		case inCell > 0 && len(stack) <= inCell+2 && (p == "cells/source" || p == "cells/input"):
			end := d.InputOffset()
			if at := bytes.IndexByte(source[before:end], '"'); at >= 0 {
				open.lines = append(open.lines, span{Start: uint32(before) + uint32(at), End: uint32(end)})
			}
		case p == "metadata/language_info/name", p == "metadata/kernelspec/language" && language == "":
			language = strings.ToLower(text)
		}
	}
	if inCell > 0 {
		cells = append(cells, open) // cut short
	}
	if language == "" {
		language = "python"
	}
	return cells, language
}

// unescape lays the characters of a string token out over its bytes: the first
// quote becomes a line break, each escape its character and blanks. In Python,
// what IPython adds to the language becomes comments, and a line that a
// backslash continues is joined to the next; continued says so from string to
// string.
func unescape(token []byte, language string, continued bool) (text []byte, continues bool) {
	out := bytes.Repeat([]byte{' '}, len(token))
	if !continued {
		out[0] = '\n'
	}
	python := language == "python"
	lineStart := true
	end := len(token)
	if end > 1 && token[end-1] == '"' {
		end--
	}
	for i := 1; i < end; {
		c := token[i]
		if c != '\\' || i+1 >= end {
			if c == '\n' || c == '\r' {
				c = ' ' // not in well-formed JSON
			}
			if python && lineStart && c != ' ' {
				if c == '%' || c == '!' || c == '?' {
					c = '#'
				}
				lineStart = false
			}
			out[i] = c
			i++
			continue
		}
		switch e := token[i+1]; e {
		case 'n':
			last := i+2 == end
			switch {
			case last: // the next string breaks the line
			default:
				out[i+1] = '\n'
			}
			if python {
				out[i] = ' '
				trailingQuestion(out[:i])
			}
			lineStart = true
			i += 2
		case 'u':
			n := i + 6
			if n > end {
				i = end
				break
			}
			if r, err := strconv.ParseUint(string(token[i+2:n]), 16, 32); err == nil && utf8.ValidRune(rune(r)) && r >= ' ' {
				utf8.EncodeRune(out[i:n], rune(r))
			}
			lineStart = false
			i = n
		case '\\', '"':
			if python && bytes.HasPrefix(token[i:end], []byte(`\\\n`)) {
				continues = i+4 == end
				i += 4
				break
			}
			i += quotes(out[i:], token[i:end])
			lineStart = false
		case 't':
			out[i] = '\t'
			i += 2
		case 'r', 'b', 'f':
			i += 2
		default:
			out[i] = e
			lineStart = false
			i += 2
		}
	}
	if python {
		trailingQuestion(out)
	}
	return out, continues
}

// quotes lays out a run of escaped quotes and backslashes and returns its length.
// The characters stay together, for triple quotes and escapes within the
// language; blanks follow a quote, which can have a prefix before it, and
// precede a backslash, which belongs to what follows.
func quotes(out, token []byte) int {
	n := 0
	for n+1 < len(token) && token[n] == '\\' && (token[n+1] == '"' || token[n+1] == '\\') {
		if n > 0 && bytes.HasPrefix(token[n:], []byte(`\\\n`)) {
			break
		}
		n += 2
	}
	at := 0
	if token[1] == '\\' {
		at = n / 2
	}
	for k := 1; k < n; k += 2 {
		out[at] = token[k]
		at++
	}
	return n
}

// trailingQuestion blanks the question marks that ask IPython for help at the
// end of a line.
func trailingQuestion(line []byte) {
	line = bytes.TrimRight(line, " ")
	for len(line) > 1 && line[len(line)-1] == '?' {
		line[len(line)-1] = ' '
		line = line[:len(line)-1]
	}
}
