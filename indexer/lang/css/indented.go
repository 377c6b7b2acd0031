package css

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// line is a line of an indented sheet that is neither blank nor comment, joined
// with those that its list of selectors or its brackets go on over.
type line struct {
	indent int
	span   facts.Span
	block  bool // ends with a brace, which Stylus allows
}

// readIndented reads a sheet in which indentation delimits blocks. A line is a
// block when the next one is indented deeper.
func (s *sheet) readIndented() {
	var indents []int // of the open blocks
	var held *line
	lastEnd := 0
	var comments []facts.Span // before the line to come
	flush := func(next int) {
		if held == nil {
			return
		}
		for len(indents) > 0 && indents[len(indents)-1] >= held.indent {
			indents = indents[:len(indents)-1]
			s.close(lastEnd)
		}
		if next > held.indent || held.block {
			s.open(held.span)
			indents = append(indents, held.indent)
		} else {
			s.declaration(held.span)
		}
		lastEnd = int(held.span.End)
		held = nil
	}
	for at := 0; at < len(s.src); {
		start, indent := at, 0
		for at < len(s.src) && (s.src[at] == ' ' || s.src[at] == '\t') {
			if s.src[at] == '\t' {
				indent += 7
			}
			indent++
			at++
		}
		end := s.lineEnd(at)
		text := bytes.TrimSpace(s.src[at:end])
		switch {
		case len(text) == 0 || text[0] == '}':
			at = end + 1
		case s.commentAt(at):
			// Whether the held line opens a block, the next line of code tells.
			stop := s.indentedComment(at, indent)
			comments = append(comments, facts.Span{Start: uint32(at), End: uint32(stop)})
			at = max(stop, start+1)
		default:
			flush(indent)
			s.takeComments(comments)
			comments = comments[:0]
			l := line{indent: indent}
			stop := s.logicalEnd(at, start)
			l.span = trimSpan(s.src, at, s.code(max(at, s.lineStart(stop)), stop))
			for l.span.End > l.span.Start && (s.src[l.span.End-1] == ';' || s.src[l.span.End-1] == '{') {
				l.block = l.block || s.src[l.span.End-1] == '{'
				l.span = trimSpan(s.src, int(l.span.Start), int(l.span.End-1))
			}
			at = stop + 1
			if l.span.Len() == 0 {
				break
			}
			held = &l
			if k := bytes.IndexByte(s.src[l.span.Start:l.span.End], '{'); k > 0 && s.src[l.span.End-1] == '}' && s.dialect == stylus && s.src[int(l.span.Start)+k-1] == ' ' {
				// A whole rule on a line.
				l.span, l.block = trimSpan(s.src, int(l.span.Start), int(l.span.Start)+k), true
			}
		}
	}
	flush(0)
	s.takeComments(comments)
	for range indents {
		s.close(lastEnd)
	}
}

func (s *sheet) takeComments(spans []facts.Span) {
	for _, c := range spans {
		s.comment(int(c.Start), int(c.End))
	}
}

func (s *sheet) lineEnd(at int) int {
	if at < len(s.src) {
		if k := bytes.IndexByte(s.src[at:], '\n'); k >= 0 {
			return at + k
		}
	}
	return len(s.src)
}

func (s *sheet) lineStart(at int) int { return bytes.LastIndexByte(s.src[:at], '\n') + 1 }

// code is where the code of a line ends: before a comment behind it.
func (s *sheet) code(at, end int) int {
	for i := at; i < end; i++ {
		switch s.src[i] {
		case '"', '\'':
			i = s.stringEnd(i) - 1
		case '/':
			if s.commentAt(i) && i > at && isSpace(s.src[i-1]) {
				return i
			}
		}
	}
	return end
}

// logicalEnd is the end of the statement at an offset: it goes on behind a comma
// and inside parentheses, unless the next line is indented no deeper than the
// one that begins at start.
func (s *sheet) logicalEnd(at, start int) int {
	indent := at - start
	const most = 200 // lines
	depth := 0
	for range most {
		end := s.lineEnd(at)
		text := s.src[at:s.code(at, end)]
		for i := 0; i < len(text); i++ {
			switch text[i] {
			case '(':
				depth++
			case ')':
				depth = max(0, depth-1)
			case '"', '\'':
				i = s.stringEnd(at+i) - at - 1
			}
		}
		text = bytes.TrimSpace(text)
		if end >= len(s.src) || depth == 0 && !bytes.HasSuffix(text, []byte(",")) {
			return end
		}
		if len(text) == 0 {
			return end
		}
		next := s.src[end+1 : s.lineEnd(end+1)]
		body := bytes.TrimLeft(next, " \t")
		if depth > 0 && len(next)-len(body) <= indent && !bytes.HasPrefix(body, []byte(")")) {
			return end
		}
		at = end + 1
	}
	return s.lineEnd(at)
}

// indentedComment is the end of a comment: a block comment ends with its mark,
// or in Sass, as a line comment does, with the lines indented deeper.
func (s *sheet) indentedComment(at, indent int) int {
	end := s.lineEnd(at)
	if s.src[at+1] == '*' {
		if s.dialect == stylus {
			return s.commentEnd(at)
		}
		if k := bytes.Index(s.src[at+2:max(end, at+2)], []byte("*/")); k >= 0 {
			return at + 4 + k
		}
	}
	if s.dialect == stylus {
		return end
	}
	for end < len(s.src) {
		next := end + 1
		stop := s.lineEnd(next)
		text := string(s.src[next:stop])
		body := strings.TrimLeft(text, " \t")
		if strings.TrimSpace(body) != "" && len(text)-len(body) <= indent {
			return end
		}
		if strings.TrimSpace(body) == "" {
			return end
		}
		end = stop
	}
	return end
}
