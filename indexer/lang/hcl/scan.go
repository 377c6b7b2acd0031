package hcl

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

type tokenKind uint8

const (
	tokenName tokenKind = iota
	tokenString
	tokenOther // a single character
	tokenNewline
)

// token is a lexical unit. A string is followed by the tokens of what it
// interpolates.
type token struct {
	kind       tokenKind
	start, end int
	// template counts the strings around the token.
	template int32
	// partner is the index of the other bracket of a pair, or -1.
	partner int32
}

// mode is what the scanner stands in.
type mode struct {
	kind   byte // '"' string, '<' here-document, '$' interpolation, or the bracket that is open
	token  int  // that opened it
	marker string
}

type scanner struct {
	src    []byte
	at     int
	tokens []token
	docs   []facts.Span
	open   []mode
	depth  int32 // of templates
	failed int
}

// maxFailed bounds how often the end of a here-document or block comment is
// looked for in vain, each time through the rest of the text.
const maxFailed = 20

func (s *scanner) add(k tokenKind, start, end int) {
	s.tokens = append(s.tokens, token{kind: k, start: start, end: end, template: s.depth, partner: -1})
}

// scan cuts the text into tokens. A block of a well-known type in the first
// column closes what was left open before it.
func (s *scanner) scan() {
	for s.at < len(s.src) {
		if n := len(s.open); n > 0 {
			switch s.open[n-1].kind {
			case '"':
				s.inString()
				continue
			case '<':
				s.inHeredoc()
				continue
			}
		}
		s.inCode()
	}
	for len(s.open) > 0 {
		s.pop(len(s.src))
	}
}

func (s *scanner) push(kind byte, marker string) {
	s.open = append(s.open, mode{kind, len(s.tokens) - 1, marker})
}

// pop leaves the innermost mode, which ends at an offset.
func (s *scanner) pop(end int) {
	m := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if m.kind == '"' || m.kind == '<' {
		s.depth--
		s.tokens[m.token].end = end
	}
}

func (s *scanner) lineEnd(at int) int {
	k := bytes.IndexByte(s.src[at:], '\n')
	if k < 0 {
		return len(s.src)
	}
	if k > 0 && s.src[at+k-1] == '\r' {
		k--
	}
	return at + k
}

func (s *scanner) inCode() {
	c := s.src[s.at]
	switch {
	case c == '\n':
		s.at++
		if len(s.open) > 0 && resumes(s.src[s.at:]) {
			for len(s.open) > 0 {
				s.pop(s.at - 1)
			}
		}
		s.add(tokenNewline, s.at-1, s.at)
	case c == '#' || c == '/' && s.at+1 < len(s.src) && s.src[s.at+1] == '/':
		end := s.lineEnd(s.at)
		s.docs = append(s.docs, facts.Span{Start: uint32(s.at), End: uint32(end)})
		s.at = end
	case c == '/' && s.at+1 < len(s.src) && s.src[s.at+1] == '*':
		end := s.lineEnd(s.at)
		if s.failed < maxFailed {
			if k := bytes.Index(s.src[s.at+2:], []byte("*/")); k >= 0 {
				end = s.at + 2 + k + 2
			} else {
				s.failed++
			}
		}
		s.docs = append(s.docs, facts.Span{Start: uint32(s.at), End: uint32(end)})
		s.at = end
	case c == '"':
		s.add(tokenString, s.at, s.at+1)
		s.push('"', "")
		s.depth++
		s.at++
	case c == '<' && s.heredoc():
	case isStart(c):
		start := s.at
		for s.at < len(s.src) && isWord(s.src[s.at]) {
			s.at++
		}
		s.add(tokenName, start, s.at)
	case c == '(' || c == '[' || c == '{':
		s.add(tokenOther, s.at, s.at+1)
		s.push(c, "")
		s.at++
	case c == ')' || c == ']' || c == '}':
		s.close(c)
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	default:
		s.add(tokenOther, s.at, s.at+1)
		s.at++
	}
}

var opening = map[byte]byte{')': '(', ']': '[', '}': '{'}

// close ends the bracket or interpolation that a closing one belongs to.
// Brackets that were left open inside it are dropped; without a bracket of its
// kind the closing one is passed over.
func (s *scanner) close(c byte) {
	n := len(s.open)
	s.at++
	if n == 0 {
		return
	}
	// How far to look is bounded, so that a text of closing brackets alone
	// stays linear.
	for k := n - 1; k >= 0 && k >= n-8; k-- {
		m := s.open[k]
		if m.kind == '"' || m.kind == '<' {
			return
		}
		if m.kind == '$' && c == '}' {
			s.open = s.open[:k]
			return
		}
		if m.kind == opening[c] {
			s.add(tokenOther, s.at-1, s.at)
			s.tokens[m.token].partner, s.tokens[len(s.tokens)-1].partner = int32(len(s.tokens)-1), int32(m.token)
			s.open = s.open[:k]
			return
		}
		if m.kind == '$' {
			return
		}
	}
}

// inString reads on in a string up to its end or an interpolation. A string
// ends with its line.
func (s *scanner) inString() {
	for s.at < len(s.src) {
		switch c := s.src[s.at]; c {
		case '\\':
			if s.at++; s.at < len(s.src) && s.src[s.at] != '\n' && s.src[s.at] != '\r' {
				s.at++
			}
		case '"':
			s.at++
			s.pop(s.at)
			return
		case '\n', '\r':
			s.pop(s.at)
			return
		case '$', '%':
			if s.interpolates() {
				return
			}
		default:
			s.at++
		}
	}
	s.at = len(s.src)
}

// interpolates enters ${ or %{; $${ stands for itself.
func (s *scanner) interpolates() bool {
	c := s.src[s.at]
	rest := s.src[s.at:]
	switch {
	case len(rest) > 2 && rest[1] == c && rest[2] == '{':
		s.at += 3
	case len(rest) > 1 && rest[1] == '{':
		s.at += 2
		s.push('$', "")
		return true
	default:
		s.at++
	}
	return false
}

// heredoc enters a here-document whose end is in the text.
func (s *scanner) heredoc() bool {
	rest := s.src[s.at:]
	if len(rest) < 4 || rest[1] != '<' {
		return false
	}
	k := 2
	if rest[k] == '-' || rest[k] == '~' {
		k++
	}
	from := k
	for k < len(rest) && k < 200 && isWord(rest[k]) {
		k++
	}
	if k == from || !isStart(rest[from]) || k < len(rest) && rest[k] != '\n' && rest[k] != '\r' || s.failed >= maxFailed {
		return false
	}
	marker := string(rest[from:k])
	if !s.ends(s.at+k, marker) {
		s.failed++
		return false
	}
	s.add(tokenString, s.at, s.at+k)
	s.push('<', marker)
	s.depth++
	s.at += k
	return true
}

// ends tells whether a line of its own holds the marker.
func (s *scanner) ends(at int, marker string) bool {
	for at < len(s.src) {
		k := bytes.Index(s.src[at:], []byte(marker))
		if k < 0 {
			return false
		}
		at += k
		line := at
		for line > 0 && (s.src[line-1] == ' ' || s.src[line-1] == '\t') {
			line--
		}
		at += len(marker)
		if line > 0 && s.src[line-1] == '\n' && (at == len(s.src) || s.src[at] == '\n' || s.src[at] == '\r') {
			return true
		}
	}
	return false
}

// inHeredoc reads on in a here-document up to its end or an interpolation.
func (s *scanner) inHeredoc() {
	marker := s.open[len(s.open)-1].marker
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case '\n':
			s.at++
			end := s.lineEnd(s.at)
			if string(bytes.TrimSpace(s.src[s.at:min(end, s.at+500)])) == marker {
				s.at = end
				s.pop(end)
				return
			}
		case '$', '%':
			if s.interpolates() {
				return
			}
		default:
			s.at++
		}
	}
}

// resumes tells whether a line starts with a block of the level of the file.
func resumes(line []byte) bool {
	k := 0
	for k < len(line) && k < 40 && isWord(line[k]) {
		k++
	}
	if k == 0 || !isBlock(string(line[:k])) {
		return false
	}
	rest := line[k:min(len(line), k+400)]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	text := strings.TrimSpace(string(rest))
	return strings.HasSuffix(text, "{") && !strings.HasPrefix(text, "=") || strings.HasPrefix(text, `"`) && strings.HasSuffix(text, "}")
}

func isBlock(word string) bool {
	switch word {
	case "resource", "data", "module", "variable", "output", "provider", "locals", "terraform", "moved", "import", "check", "removed",
		"ephemeral", "source", "build", "packer", "job", "target", "group", "function", "run", "dependency", "include":
		return true
	}
	return false
}

func isStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isWord(c byte) bool { return isStart(c) || c >= '0' && c <= '9' || c == '-' }
