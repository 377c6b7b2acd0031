package css

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
)

// readBraces reads a sheet in which braces delimit blocks, one statement after
// the other.
func (s *sheet) readBraces() {
	for at := 0; at < len(s.src); {
		switch c := s.src[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == ';':
			at++
		case c == '}':
			at++
			s.close(at)
		case s.commentAt(at):
			end := s.commentEnd(at)
			s.comment(at, end)
			at = end
		case bytes.HasPrefix(s.src[at:], []byte("<!--")):
			at += 4
		case bytes.HasPrefix(s.src[at:], []byte("-->")):
			at += 3
		default:
			end := s.statement(at)
			head := trimSpan(s.src, at, end)
			if end < len(s.src) && s.src[end] == '{' {
				s.open(head)
				at = end + 1
			} else {
				s.declaration(head)
				at = end
			}
		}
	}
}

func (s *sheet) commentAt(at int) bool {
	if at+1 >= len(s.src) || s.src[at] != '/' {
		return false
	}
	return s.src[at+1] == '*' || s.src[at+1] == '/' && s.dialect != plain
}

// commentEnd is the offset behind the comment at an offset.
func (s *sheet) commentEnd(at int) int {
	mark := "*/"
	if s.src[at+1] == '/' {
		mark = "\n"
	}
	k := bytes.Index(s.src[at+2:], []byte(mark))
	if k < 0 {
		return len(s.src)
	}
	if mark == "\n" {
		return at + 2 + k
	}
	return at + 4 + k
}

// statement is the offset of the brace or semicolon that ends the statement at
// an offset.
func (s *sheet) statement(at int) int {
	depth := 0
	for i := at; i < len(s.src); i++ {
		switch c := s.src[i]; c {
		case '\\':
			i++
		case '"', '\'':
			i = s.stringEnd(i) - 1
		case '/':
			if s.commentAt(i) && !(s.src[i+1] == '/' && i > at && s.src[i-1] == ':') {
				i = s.commentEnd(i) - 1
			}
		case '(':
			depth++
			if i-at >= 3 && bytes.EqualFold(s.src[i-3:i], []byte("url")) {
				if s.urlEnd <= i {
					s.urlEnd = len(s.src)
					if k := bytes.IndexAny(s.src[i:], ")\n"); k >= 0 {
						s.urlEnd = i + k
					}
				}
				if s.urlEnd < len(s.src) && s.src[s.urlEnd] == ')' && !bytes.ContainsAny(s.src[i+1:min(i+3, len(s.src))], "\"'") {
					i = s.urlEnd - 1
				}
			}
		case ')':
			depth = max(0, depth-1)
		case '#', '@':
			if i+1 < len(s.src) && s.src[i+1] == '{' && s.dialect != plain {
				i = s.interpolation(i+1) - 1
			}
		case ';':
			// Less separates parameters with it.
			if depth == 0 || s.dialect != less || s.endsLine(i+1) {
				return i
			}
		case '{', '}':
			return i
		}
	}
	return len(s.src)
}

func (s *sheet) endsLine(at int) bool {
	for ; at < len(s.src); at++ {
		switch s.src[at] {
		case ' ', '\t', '\r':
		case '\n':
			return true
		default:
			return false
		}
	}
	return true
}

// stringEnd is the offset behind the string at an offset. A string that its line
// does not close ends with the line.
func (s *sheet) stringEnd(at int) int {
	for i := at + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case '\n':
			return i
		case s.src[at]:
			return i + 1
		}
	}
	return len(s.src)
}

// interpolation is the offset behind the braces that open at an offset, or
// behind the opening one when their line does not close them.
func (s *sheet) interpolation(at int) int {
	const most = 300
	depth := 0
	for i := at; i < min(len(s.src), at+most); i++ {
		switch s.src[i] {
		case '{':
			depth++
		case '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '\n':
			return at + 1
		}
	}
	return at + 1
}

// trimSpan is a range of the source without white space at its ends.
func trimSpan(src []byte, start, end int) facts.Span {
	for start < end && isSpace(src[start]) {
		start++
	}
	for end > start && isSpace(src[end-1]) {
		end--
	}
	return facts.Span{Start: uint32(start), End: uint32(end)}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}
