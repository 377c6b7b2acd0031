package nix

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
)

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenString
	tokenPath
	tokenOther // a single character, "..." or a keyword
)

// token is a lexical unit. What a string interpolates has no tokens of its own,
// so that no definition is found there.
type token struct {
	kind       tokenKind
	start, end int
	// partner is the index of the token that closes a bracket or let, or of
	// the one that it closes; -1 where there is none.
	partner int32
	// computed marks a string or path with an interpolation.
	computed bool
}

type scanner struct {
	src    []byte
	at     int
	tokens []token
	docs   []facts.Span
	open   []int
	// noComment and noIndented tell that the rest of the text ends no comment
	// and no indented string.
	noComment, noIndented bool
	// work is what may still be spent on looking for ends of strings, which
	// nest, so that hostile text stays linear.
	work int
}

func (s *scanner) add(k tokenKind, start, end int) *token {
	s.tokens = append(s.tokens, token{kind: k, start: start, end: end, partner: -1})
	return &s.tokens[len(s.tokens)-1]
}

func (s *scanner) scan() {
	for s.at < len(s.src) {
		c := s.src[s.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '#':
			end := s.lineEnd(s.at)
			s.docs = append(s.docs, facts.Span{Start: uint32(s.at), End: uint32(end)})
			s.at = end
		case c == '/' && s.peek(1) == '*':
			s.comment()
		case c == '"':
			s.quoted()
		case c == '\'' && s.peek(1) == '\'':
			s.indented()
		case isPathStart(s.src[s.at:]):
			s.path()
		case isStart(c):
			start := s.at
			for s.at < len(s.src) && isWord(s.src[s.at]) {
				s.at++
			}
			switch string(s.src[start:min(s.at, start+10)]) {
			case "let":
				s.add(tokenOther, start, s.at)
				if s.next() != '{' { // let { } is an old form of rec { }
					s.open = append(s.open, len(s.tokens)-1)
				}
			case "in":
				s.close(start, s.at, 'l')
			case "with", "rec", "if", "then", "else", "assert", "inherit":
				s.add(tokenOther, start, s.at)
			default:
				s.add(tokenName, start, s.at)
			}
		case c == '(' || c == '[' || c == '{':
			s.add(tokenOther, s.at, s.at+1)
			s.open = append(s.open, len(s.tokens)-1)
			s.at++
		case c == '$' && s.peek(1) == '{':
			s.add(tokenOther, s.at, s.at+2)
			s.open = append(s.open, len(s.tokens)-1)
			s.at += 2
		case c == ')' || c == ']' || c == '}':
			s.close(s.at, s.at+1, c)
			s.at++
		case bytes.HasPrefix(s.src[s.at:], []byte("...")):
			s.add(tokenOther, s.at, s.at+3)
			s.at += 3
		case c == '=' && s.peek(1) == '=', c == '!' && s.peek(1) == '=', c == '<' && s.peek(1) == '=', c == '>' && s.peek(1) == '=', c == '-' && s.peek(1) == '>':
			s.add(tokenOther, s.at+1, s.at+1) // no character that counts
			s.at += 2
		default:
			s.add(tokenOther, s.at, s.at+1)
			s.at++
		}
	}
}

func (s *scanner) peek(n int) byte {
	if s.at+n < len(s.src) {
		return s.src[s.at+n]
	}
	return 0
}

// next is the next character that is no white space.
func (s *scanner) next() byte {
	for k := s.at; k < len(s.src) && k < s.at+200; k++ {
		if c := s.src[k]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
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

func (s *scanner) comment() {
	end := s.lineEnd(s.at)
	if !s.noComment {
		if k := bytes.Index(s.src[s.at+2:], []byte("*/")); k >= 0 {
			end = s.at + 2 + k + 2
		} else {
			s.noComment = true
		}
	}
	s.docs = append(s.docs, facts.Span{Start: uint32(s.at), End: uint32(end)})
	s.at = end
}

// close ends the bracket or let that a closing token belongs to. What was left
// open inside it is dropped; without one of its kind the token is passed over.
func (s *scanner) close(start, end int, c byte) {
	if c == 'l' {
		s.at = end
	}
	// How far to look is bounded, so that a text of closing brackets alone
	// stays linear.
	for k := len(s.open) - 1; k >= 0 && k >= len(s.open)-8; k-- {
		i := s.open[k]
		o := s.src[s.tokens[i].start]
		if o == '(' && c == ')' || o == '[' && c == ']' || (o == '{' || o == '$') && c == '}' || o == 'l' && c == 'l' {
			s.add(tokenOther, start, end).partner = int32(i)
			s.tokens[i].partner = int32(len(s.tokens) - 1)
			s.open = s.open[:k]
			return
		}
	}
}

// quoted reads "…", which may go on over lines. Where its end is missing, or
// is followed by what cannot follow a string, it ends with its line.
func (s *scanner) quoted() {
	start := s.at
	k, computed, ok := s.stringEnd(start+1, 0)
	end := k
	if !ok {
		end = s.lineEnd(start)
	}
	s.add(tokenString, start, end).computed = computed
	s.at = end
}

// stringEnd is the offset behind the quote that ends a string whose inside
// starts at an offset.
func (s *scanner) stringEnd(at, depth int) (end int, computed, ok bool) {
	lines := false
	for k := at; k < len(s.src) && s.work > 0; k++ {
		s.work--
		switch s.src[k] {
		case '\\':
			k++
		case '\n':
			lines = true
		case '$':
			if k+1 < len(s.src) && s.src[k+1] == '{' {
				computed = true
				if e := s.interpolation(k+2, depth); e > 0 {
					k = e - 1
				}
			}
		case '"':
			if lines && k+1 < len(s.src) && (isWord(s.src[k+1]) || s.src[k+1] == '$') {
				return 0, computed, false
			}
			return k + 1, computed, true
		}
	}
	return 0, computed, false
}

// interpolation is the offset behind the } that ends an interpolation, or 0.
func (s *scanner) interpolation(at, depth int) int {
	if depth > 8 {
		return 0
	}
	open := 0
	for k := at; k < len(s.src) && k < at+4000 && s.work > 0; k++ {
		s.work--
		switch s.src[k] {
		case '{':
			open++
		case '}':
			if open == 0 {
				return k + 1
			}
			open--
		case '"':
			e, _, ok := s.stringEnd(k+1, depth+1)
			if !ok {
				return 0
			}
			k = e - 1
		case '\'':
			if k+1 < len(s.src) && s.src[k+1] == '\'' {
				e, _ := s.indentedEnd(k+2, depth+1)
				if e == 0 {
					return 0
				}
				k = e - 1
			}
		}
	}
	return 0
}

// indented reads ”…”.
func (s *scanner) indented() {
	start := s.at
	end, computed := 0, false
	if !s.noIndented {
		if end, computed = s.indentedEnd(start+2, 0); end == 0 {
			s.noIndented = true
		}
	}
	if end == 0 {
		end = s.lineEnd(start)
	}
	s.add(tokenString, start, end).computed = computed
	s.at = end
}

func (s *scanner) indentedEnd(at, depth int) (end int, computed bool) {
	for k := at; k+1 < len(s.src) && s.work > 0; k++ {
		s.work--
		switch s.src[k] {
		case '$':
			if s.src[k+1] == '{' && s.src[k-1] != '$' {
				computed = true
				if e := s.interpolation(k+2, depth); e > 0 {
					k = e - 1
				}
			}
		case '\'':
			if s.src[k+1] != '\'' {
				continue
			}
			if k+2 >= len(s.src) {
				return k + 2, computed
			}
			switch s.src[k+2] {
			case '\'', '$':
				k += 2
			case '\\':
				k += 3
			default:
				return k + 2, computed
			}
		}
	}
	return 0, computed
}

// isPathStart tells ./x, ../x, /x, ~/x and <x>.
func isPathStart(b []byte) bool {
	switch {
	case bytes.HasPrefix(b, []byte("./")), bytes.HasPrefix(b, []byte("../")), bytes.HasPrefix(b, []byte("~/")):
		return true
	case b[0] == '/' && len(b) > 1:
		return isWord(b[1]) && b[1] != '\''
	case b[0] == '<' && len(b) > 2 && isStart(b[1]):
		for k := 1; k < len(b) && k < 200; k++ {
			if b[k] == '>' {
				return true
			}
			if !isWord(b[k]) && b[k] != '/' && b[k] != '.' {
				return false
			}
		}
	}
	return false
}

func (s *scanner) path() {
	start := s.at
	if s.src[s.at] == '<' {
		s.at += bytes.IndexByte(s.src[s.at:], '>') + 1
		s.add(tokenPath, start, s.at)
		return
	}
	computed := false
	for s.at < len(s.src) {
		c := s.src[s.at]
		if c == '$' && s.peek(1) == '{' {
			computed = true
			if e := s.interpolation(s.at+2, 0); e > 0 {
				s.at = e
				continue
			}
		}
		if !isWord(c) && c != '/' && c != '.' && c != '+' && c != '~' || c == '\'' {
			break
		}
		s.at++
	}
	if s.at == start {
		s.at++
	}
	s.add(tokenPath, start, s.at).computed = computed
}

func isStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isWord(c byte) bool { return isStart(c) || c >= '0' && c <= '9' || c == '-' || c == '\'' }
