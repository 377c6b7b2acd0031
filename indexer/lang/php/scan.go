package php

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

// suspicious is a line that seldom stands in a string: where a quote runs up to
// one, its end is missing.
var suspicious = lazyregexp.New(`^[ \t]*(?:(?:abstract|final|readonly|public|protected|private|static)[ \t]+)*(?:function[ \t]+&?\w+[ \t]*\(|(?:class|interface|trait)[ \t]+\w+[ \t\r]*(?:\{|$|extends|implements))`)

// maxUnclosed bounds the heredocs without an end that a text may hold.
const maxUnclosed = 50

// maskCode is a copy of a text of the same length in which all but the code is
// blank: HTML, comments, strings and heredocs. Ends of lines stay.
func maskCode(source []byte) []byte {
	out := bytes.Clone(source)
	n := len(source)
	wipe := func(from, to int) { blank(out[min(from, n):min(to, n)]) }
	at := func(i int, s string) bool { return bytes.HasPrefix(source[i:], []byte(s)) }
	find := func(from int, s string) int {
		if from >= n {
			return n
		}
		if k := bytes.Index(source[from:], []byte(s)); k >= 0 {
			return from + k
		}
		return n
	}
	unclosed := 0
	for i := 0; i < n; {
		open := find(i, "<?")
		wipe(i, open+2)
		i = open + 2
		switch {
		case i < n && at(i, "php"):
			wipe(i, i+3)
			i += 3
		case i < n && source[i] == '=':
			wipe(i, i+1)
			i++
		}
	code:
		for i < n {
			switch c := source[i]; {
			case c == '?' && at(i, "?>"):
				wipe(i, i+2)
				i += 2
				break code
			case c == '#' && !at(i, "#["), c == '/' && at(i, "//"):
				end := find(i, "\n")
				if k := bytes.Index(source[i:end], []byte("?>")); k >= 0 {
					end = i + k
				}
				wipe(i, end)
				i = end
			case c == '/' && at(i, "/*"):
				end := min(find(i+2, "*/")+2, n)
				wipe(i, end)
				i = end
			case c == '\'' || c == '"' || c == '`':
				end := quoted(source, i)
				wipe(i, end)
				i = end
			case c == '<' && unclosed < maxUnclosed && at(i, "<<<"):
				end := heredoc(source, i)
				if end == i {
					unclosed++
				}
				wipe(i, end)
				i = max(end, i+3)
			default:
				i++
			}
		}
	}
	return out
}

// quoted is the end of the string that starts at an offset. One whose end is
// missing ends with its line.
func quoted(source []byte, start int) int {
	lineEnd := -1
	for i := start + 1; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case source[start]:
			return i + 1
		case '\n':
			if lineEnd < 0 {
				lineEnd = i
			}
			line, _, _ := bytes.Cut(source[i+1:], []byte("\n"))
			if len(line) < 400 && suspicious.Match(line) {
				return lineEnd
			}
		}
	}
	if lineEnd >= 0 {
		return lineEnd
	}
	return len(source)
}

// heredoc is the end of the heredoc that starts at an offset, or the offset
// where none does.
func heredoc(source []byte, start int) int {
	line, _, found := bytes.Cut(source[start+3:], []byte("\n"))
	id := bytes.Trim(bytes.TrimSpace(line), `'"`)
	if !found || len(id) == 0 || len(id) > 80 {
		return start
	}
	for i := start + 3 + len(line) + 1; i < len(source); {
		rest, _, more := bytes.Cut(source[i:], []byte("\n"))
		trimmed := bytes.TrimLeft(rest, " \t")
		if bytes.HasPrefix(trimmed, id) && (len(trimmed) == len(id) || !isWord(trimmed[len(id)])) {
			return i + len(rest) - len(trimmed) + len(id)
		}
		if !more {
			break
		}
		i += len(rest) + 1
	}
	return start
}

func isWord(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// brackets gives for every opening bracket of a masked text the offset of the
// one that closes it, -1 where none does and for all other characters.
func brackets(mask []byte) []int32 {
	out := make([]int32, len(mask))
	var open []int32
	for i, c := range mask {
		out[i] = -1
		switch c {
		case '{', '(', '[':
			open = append(open, int32(i))
		case '}', ')', ']':
			if k := len(open); k > 0 {
				out[open[k-1]] = int32(i)
				open = open[:k-1]
			}
		}
	}
	return out
}

// closing is the offset of the bracket that closes the one at an offset in a
// masked text, or -1.
func closing(mask []byte, open int) int {
	depth := 0
	for i := open; i < len(mask); i++ {
		switch mask[i] {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
