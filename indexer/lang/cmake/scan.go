package cmake

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// maxArguments bounds what is kept of one command.
const maxArguments = 5000

// argument is one argument of a command; text is without quotes and escapes.
type argument struct {
	text       string
	start, end int // of the text between the quotes
	quoted     bool
}

// command is one invocation.
type command struct {
	name       string // in lower case
	written    string
	start, end int
	args       []argument
}

type scanner struct {
	src []byte
	at  int
	// docs are the spans of comments.
	docs []facts.Span
	// noBracket holds the closings of brackets that the rest of the text lacks,
	// and noQuote tells that it has no quote any more.
	noBracket map[string]bool
	noQuote   bool
}

// next reads the next command; what is none is passed over. A command whose
// parenthesis stays open ends where a well-known command starts a line.
func (s *scanner) next() (c command, ok bool) {
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case b == '#':
			s.comment()
		case isStart(b):
			start := s.at
			for s.at < len(s.src) && isWord(s.src[s.at]) {
				s.at++
			}
			stop := s.at
			for s.at < len(s.src) && (s.src[s.at] == ' ' || s.src[s.at] == '\t') {
				s.at++
			}
			if s.at >= len(s.src) || s.src[s.at] != '(' {
				continue
			}
			c = command{name: strings.ToLower(string(s.src[start:stop])), written: string(s.src[start:stop]), start: start}
			s.at++
			s.arguments(&c)
			return c, true
		case b == '"':
			// A string outside of a command is what damage left over.
			s.at++
		default:
			s.at++
		}
	}
	return c, false
}

func (s *scanner) comment() {
	start := s.at
	if k := s.bracketEnd(s.at + 1); k > 0 {
		s.at = k
	} else {
		s.at = s.lineEnd(s.at)
	}
	s.docs = append(s.docs, facts.Span{Start: uint32(start), End: uint32(s.at)})
}

func (s *scanner) lineEnd(at int) int {
	if k := bytes.IndexByte(s.src[at:], '\n'); k >= 0 {
		if k > 0 && s.src[at+k-1] == '\r' {
			k--
		}
		return at + k
	}
	return len(s.src)
}

// bracketEnd is the offset behind [==[ … ]==] at an offset, or 0 where none
// stands there.
func (s *scanner) bracketEnd(at int) int {
	k := at
	if k >= len(s.src) || s.src[k] != '[' {
		return 0
	}
	for k++; k < len(s.src) && s.src[k] == '=' && k-at < 100; k++ {
	}
	if k >= len(s.src) || s.src[k] != '[' {
		return 0
	}
	closing := "]" + string(s.src[at+1:k]) + "]"
	if s.noBracket[closing] {
		return 0
	}
	i := bytes.Index(s.src[k+1:], []byte(closing))
	if i < 0 {
		s.noBracket[closing] = true
		return 0
	}
	return k + 1 + i + len(closing)
}

func (s *scanner) arguments(c *command) {
	depth := 1
	add := func(start, end int, quoted bool) {
		if len(c.args) >= maxArguments {
			return
		}
		text := string(s.src[start:min(end, start+4000)])
		if strings.Contains(text, `\`) {
			text = unescape.Replace(text)
		}
		c.args = append(c.args, argument{strings.ToValidUTF8(text, ""), start, end, quoted})
	}
	for s.at < len(s.src) {
		switch b := s.src[s.at]; {
		case b == '(':
			depth++
			s.at++
		case b == ')':
			depth--
			s.at++
			if depth == 0 {
				c.end = s.at
				return
			}
		case b == '#':
			s.comment()
		case b == '\n':
			s.at++
			if s.resumes() {
				c.end = len(bytes.TrimRight(s.src[:s.at], " \t\r\n"))
				return
			}
		case b == ' ' || b == '\t' || b == '\r' || b == ';':
			s.at++
		case b == '"':
			end := s.quoted()
			if end < 0 {
				add(s.at+1, s.lineEnd(s.at), true)
				s.at = s.lineEnd(s.at)
				continue
			}
			add(s.at+1, end, true)
			s.at = end + 1
		default:
			if end := s.bracketEnd(s.at); end > 0 {
				open := bytes.IndexByte(s.src[s.at+1:], '[') + 2
				add(s.at+open, end-open, true)
				s.at = end
				continue
			}
			start := s.at
			for s.at < len(s.src) && strings.IndexByte(" \t\r\n();#\"", s.src[s.at]) < 0 {
				if s.src[s.at] == '\\' && s.at+1 < len(s.src) && s.src[s.at+1] < 0x80 && s.src[s.at+1] != '\n' && s.src[s.at+1] != '\r' {
					s.at++
				}
				// $<…> may hold what would end an argument; its inside is of
				// no interest.
				s.at++
			}
			if s.at == start {
				s.at++
				continue
			}
			add(start, s.at, false)
		}
	}
	c.end = len(bytes.TrimRight(s.src, " \t\r\n"))
	c.end = max(c.end, c.start+len(c.written))
}

var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\;`, `;`, `\n`, " ", `\t`, " ", "\\\r\n", "", "\\\n", "", `\$`, "$", `\(`, "(", `\)`, ")", `\ `, " ", `\#`, "#", `\@`, "@")

// quoted is the offset of the quote that ends the string at s.at, or -1. A
// string over several lines whose end is followed by what cannot follow a
// string has lost its end.
func (s *scanner) quoted() int {
	if s.noQuote {
		return -1
	}
	lines := false
	for k := s.at + 1; k < len(s.src); k++ {
		switch s.src[k] {
		case '\\':
			k++
		case '\n':
			lines = true
		case '"':
			if lines && k+1 < len(s.src) && strings.IndexByte(" \t\r\n();", s.src[k+1]) < 0 {
				return -1
			}
			return k
		}
	}
	s.noQuote = true
	return -1
}

// resumes tells whether a command that is known to start definitions stands at
// the start of the line.
func (s *scanner) resumes() bool {
	if s.at >= len(s.src) || !isStart(s.src[s.at]) {
		return false
	}
	k := s.at
	for k < len(s.src) && isWord(s.src[k]) {
		k++
	}
	if !starts[strings.ToLower(string(s.src[s.at:min(k, s.at+40)]))] {
		return false
	}
	for k < len(s.src) && (s.src[k] == ' ' || s.src[k] == '\t') {
		k++
	}
	return k < len(s.src) && s.src[k] == '('
}

func isStart(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isWord(c byte) bool { return isStart(c) || c >= '0' && c <= '9' }
