package toml

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxPairs bounds what is remembered of one file.
const maxPairs = 20_000

type scanner struct {
	src    []byte
	at     int
	tables []table
	pairs  int
	header string

	// comment holds the comment lines directly above.
	comment facts.Span
	above   bool
}

// scan reads a document in one pass. A line that is neither table nor key is
// passed over.
func (s *scanner) scan() {
	s.tables = append(s.tables, table{})
	started := false
	for s.at < len(s.src) {
		s.blanks()
		if s.at >= len(s.src) {
			break
		}
		switch c := s.src[s.at]; {
		case c == '\n' || c == '\r':
			if !started && s.above {
				s.takeHeader()
			}
			s.above = false
			s.line()
		case c == '#':
			start := s.at
			end := s.lineEnd()
			if !s.above {
				s.comment.Start = uint32(start)
			}
			s.comment.End, s.above = uint32(end), true
			s.line()
		case c == '[':
			started = true
			s.table()
			s.above = false
		default:
			started = true
			s.pair()
			s.above = false
		}
	}
	s.endTable()
}

func (s *scanner) blanks() {
	for s.at < len(s.src) && (s.src[s.at] == ' ' || s.src[s.at] == '\t') {
		s.at++
	}
}

func (s *scanner) lineEnd() int {
	if k := bytes.IndexByte(s.src[s.at:], '\n'); k >= 0 {
		return s.at + k
	}
	return len(s.src)
}

// line moves to the start of the next line.
func (s *scanner) line() { s.at = min(s.lineEnd()+1, len(s.src)) }

func (s *scanner) takeHeader() {
	text := s.commentText()
	if s.header == "" && !lang.LooksLikeLicense(text) {
		s.header = text
	}
}

func (s *scanner) commentText() string {
	raw := s.src[s.comment.Start:min(s.comment.End, s.comment.Start+1500)]
	return strings.ToValidUTF8(lang.CleanComment(string(raw)), "")
}

func (s *scanner) doc() string {
	if !s.above {
		return ""
	}
	if text := s.commentText(); !lang.LooksLikeLicense(text) {
		return text
	}
	return ""
}

// endTable ends the last table with its last key: blank lines and comments
// before the next header are not part of it.
func (s *scanner) endTable() {
	t := &s.tables[len(s.tables)-1]
	if n := len(t.keys); n > 0 && len(t.path) > 0 {
		t.span.End = t.keys[n-1].span.End
	}
}

// table reads [a.b] or [[a.b]].
func (s *scanner) table() {
	start := s.at
	end := s.lineEnd()
	t := table{doc: s.doc()}
	s.at++
	if s.at < end && s.src[s.at] == '[' {
		t.array = true
		s.at++
	}
	s.blanks()
	nameStart := s.at
	path, nameEnd, ok := s.keyPath(end)
	s.blanks()
	if !ok || s.at >= end || s.src[s.at] != ']' {
		s.line()
		return
	}
	s.at++
	if t.array && s.at < end && s.src[s.at] == ']' {
		s.at++
	}
	t.path = path
	t.span = facts.Span{Start: uint32(start), End: uint32(s.at)}
	t.nameSpan = facts.Span{Start: uint32(nameStart), End: uint32(nameEnd)}
	s.line()
	if len(s.tables) >= maxPairs {
		return
	}
	s.endTable()
	s.tables = append(s.tables, t)
}

// keyPath reads a dotted key and returns the offset behind its last part.
func (s *scanner) keyPath(end int) (path []string, stop int, ok bool) {
	for {
		s.blanks()
		if s.at >= end {
			return nil, 0, false
		}
		switch c := s.src[s.at]; {
		case c == '"' || c == '\'':
			k := closing(s.src[s.at:end])
			if k < 0 {
				return nil, 0, false
			}
			path = append(path, text(s.src[s.at:s.at+k+1]))
			s.at += k + 1
		default:
			from := s.at
			for s.at < end && isBare(s.src[s.at]) {
				s.at++
			}
			if s.at == from {
				return nil, 0, false
			}
			path = append(path, string(s.src[from:s.at]))
		}
		stop = s.at
		s.blanks()
		if s.at >= end || s.src[s.at] != '.' || len(path) > 30 {
			s.at = stop
			return path, stop, true
		}
		s.at++
	}
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c >= 0x80
}

// pair reads key = value; the value may go on over several lines.
func (s *scanner) pair() {
	start := s.at
	end := s.lineEnd()
	path, stop, ok := s.keyPath(end)
	s.blanks()
	if !ok || s.at >= end || s.src[s.at] != '=' {
		s.at = start
		s.line()
		return
	}
	s.at++
	s.blanks()
	p := pair{
		name: clip(strings.Join(path, "."), facts.MaxName), nameSpan: facts.Span{Start: uint32(start), End: uint32(stop)},
		doc: s.doc(),
	}
	if len(path) > 1 && isBare(s.src[start]) {
		p.first, p.firstLen = path[0], uint32(len(path[0]))
	}
	s.value(&p)
	p.span = facts.Span{Start: uint32(start), End: uint32(s.at)}
	s.line()
	if s.pairs >= maxPairs {
		return
	}
	s.pairs++
	t := &s.tables[len(s.tables)-1]
	t.keys = append(t.keys, p)
}

// value reads a value and leaves at behind it.
func (s *scanner) value(p *pair) {
	if s.at >= len(s.src) {
		return
	}
	from := s.at
	switch c := s.src[s.at]; c {
	case '"', '\'':
		q := s.src[s.at : s.at+1]
		if triple := bytes.Repeat(q, 3); bytes.HasPrefix(s.src[s.at:], triple) {
			s.at = s.multiline(triple)
			inner := bytes.TrimSuffix(s.src[from+3:s.at], triple)
			p.value, p.isString = clip(strings.TrimSpace(string(inner)), maxValue), true
			p.value, _, _ = strings.Cut(p.value, "\n")
			p.value = strings.TrimRight(p.value, "\r \\")
			p.valueSpan = facts.Span{Start: uint32(from), End: uint32(s.at)}
			return
		}
		k := closing(s.src[s.at:s.lineEnd()])
		if k < 0 {
			s.at = s.trimmed(s.lineEnd())
			return
		}
		s.at += k + 1
		p.value, p.isString = clip(text(s.src[from:s.at]), maxValue), true
		p.valueSpan = facts.Span{Start: uint32(from + 1), End: uint32(s.at - 1)}
	case '[', '{':
		s.bracketed(p, c == '{')
	default:
		end := s.lineEnd()
		if k := bytes.IndexByte(s.src[s.at:end], '#'); k >= 0 {
			end = s.at + k
		}
		s.at = s.trimmed(end)
		p.value = clip(string(s.src[from:s.at]), maxValue)
	}
}

// trimmed is end without white space before it.
func (s *scanner) trimmed(end int) int {
	return s.at + len(bytes.TrimRight(s.src[s.at:end], " \t\r"))
}

// multiline is the offset behind a string between triple quotes.
func (s *scanner) multiline(mark []byte) int {
	for k := s.at + 3; k < len(s.src); k++ {
		switch {
		case s.src[k] == '\\' && mark[0] == '"':
			k++
		case s.src[k] == mark[0] && bytes.HasPrefix(s.src[k:], mark):
			return k + 3
		}
	}
	return len(s.src)
}

// bracketed passes an array or inline table. The first string of an array is
// its value, and so is the command of an inline table.
func (s *scanner) bracketed(p *pair, inline bool) {
	depth := 0
	p.nested = true
	key, keySpan := "", facts.Span{}
	for s.at < len(s.src) {
		switch c := s.src[s.at]; c {
		case '[', '{':
			depth++
			s.at++
		case ']', '}':
			depth--
			s.at++
			if depth <= 0 {
				return
			}
		case '#':
			s.at = s.lineEnd()
		case '"', '\'':
			from := s.at
			if triple := bytes.Repeat([]byte{c}, 3); bytes.HasPrefix(s.src[s.at:], triple) {
				s.at = s.multiline(triple)
				continue
			}
			k := closing(s.src[s.at:s.lineEnd()])
			if k < 0 {
				s.at = s.lineEnd()
				continue
			}
			s.at += k + 1
			v := text(s.src[from:s.at])
			if inline && depth == 1 && key == "package" && p.renamed == "" {
				p.renamed, p.renamedSpan = clip(v, maxValue), facts.Span{Start: keySpan.Start, End: uint32(s.at)}
			}
			if p.value == "" && depth == 1 && (!inline || isCommand(key)) {
				p.value = clip(v, maxValue)
			}
		default:
			if inline && isBare(c) {
				from := s.at
				for s.at < len(s.src) && isBare(s.src[s.at]) {
					s.at++
				}
				key = clip(string(s.src[from:s.at]), facts.MaxName)
				keySpan = facts.Span{Start: uint32(from), End: uint32(s.at)}
				continue
			}
			s.at++
		}
	}
}

func isCommand(key string) bool {
	switch key {
	case "cmd", "command", "run", "shell", "script", "callable", "reference", "composite", "call":
		return true
	}
	return false
}

// closing is the offset of the quote that ends the string at the start of a
// line, or -1.
func closing(line []byte) int {
	for k := 1; k < len(line); k++ {
		switch {
		case line[k] == '\\' && line[0] == '"':
			k++
		case line[k] == line[0]:
			return k
		}
	}
	return -1
}

// text is a quoted string without quotes and escapes.
func text(quoted []byte) string {
	in := string(quoted[1 : len(quoted)-1])
	if quoted[0] == '"' && strings.Contains(in, `\`) {
		in = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, " ", `\t`, " ", `\r`, " ").Replace(in)
	}
	return in
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
