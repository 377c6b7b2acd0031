package jsonlang

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// maxMembers bounds what is remembered of one document, without what stands in
// the entries of exports and imports, for which maxDeep does: a long table of
// them takes nothing from the keys behind it.
const (
	maxMembers = 20_000
	maxDeep    = 10_000
)

type scanner struct {
	src     []byte
	at      int
	members []member
	// open holds, for the outermost objects, the member that each belongs to;
	// depth counts all brackets. A document nested deeper than levels() needs no
	// more memory.
	open    []int
	depth   int
	deep    int // members in entries of exports and imports
	arrays  int // depth of the outermost open array, 0 for none
	pending int // member whose value comes next, or -1
}

// scan reads a document in one pass without recursion. It never fails: what is
// malformed is skipped byte by byte.
func scan(src []byte) []member {
	s := &scanner{src: src, pending: -1}
	for s.at < len(src) {
		c := src[s.at]
		switch {
		case c == '"' || c == '\'':
			s.stringToken(c)
		case c == '{' || c == '[':
			s.openBracket(c)
		case c == '}' || c == ']':
			s.closeBracket()
		case c == '/' && s.at+1 < len(src) && src[s.at+1] == '/':
			if k := bytes.IndexByte(src[s.at:], '\n'); k >= 0 {
				s.at += k
			} else {
				s.at = len(src)
			}
		case c == '/' && s.at+1 < len(src) && src[s.at+1] == '*':
			if k := bytes.Index(src[s.at+2:], []byte("*/")); k >= 0 {
				s.at += k + 4
			} else {
				s.at = len(src)
			}
		case isBare(c):
			s.bareToken()
		case c == ',':
			s.pending = -1 // a key without a value
			s.at++
		default:
			s.at++
		}
	}
	for len(s.open) > 0 {
		s.popObject(len(src))
	}
	return s.members
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '-' || c == '+' || c == '.' || c >= 0x80
}

// reading tells whether keys at the current place are members to report.
func (s *scanner) reading() bool {
	return s.arrays == 0 && s.depth >= 1 && s.depth <= s.levels() && len(s.open) == s.depth
}

// levels is how deep keys are read at the current place.
func (s *scanner) levels() int {
	if s.inTable() {
		return entryLevels
	}
	return keyLevels
}

// inTable tells whether the current place is in the exports or imports of a
// package, inEntry whether it is in an entry of them.
func (s *scanner) inTable() bool {
	if len(s.open) < 2 || s.open[1] < 0 {
		return false
	}
	name := s.members[s.open[1]].name
	return name == "exports" || name == "imports"
}

func (s *scanner) inEntry() bool { return s.depth > 2 && s.inTable() }

// room tells whether one more member at the current place is remembered.
func (s *scanner) room() bool {
	if s.inEntry() {
		return s.deep < maxDeep
	}
	return len(s.members)-s.deep < maxMembers
}

func (s *scanner) stringToken(quote byte) {
	start := s.at
	i := start + 1
	for i < len(s.src) && s.src[i] != quote && s.src[i] != '\n' {
		if s.src[i] == '\\' {
			i++
		}
		i++
	}
	i = min(i, len(s.src))
	inner := facts.Span{Start: uint32(start + 1), End: uint32(max(i, start+1))}
	if i < len(s.src) && s.src[i] == quote {
		i++
	}
	s.at = i
	s.token(inner, uint32(start), true)
}

func (s *scanner) bareToken() {
	start := s.at
	for s.at < len(s.src) && isBare(s.src[s.at]) {
		s.at++
	}
	s.token(facts.Span{Start: uint32(start), End: uint32(s.at)}, uint32(start), false)
}

// token takes a string or a bare word: a key if a colon follows, else a value.
func (s *scanner) token(inner facts.Span, start uint32, quoted bool) {
	if s.pending < 0 && s.reading() && s.room() {
		k := s.at
		for k < len(s.src) && (s.src[k] == ' ' || s.src[k] == '\t' || s.src[k] == '\r' || s.src[k] == '\n') {
			k++
		}
		if k < len(s.src) && s.src[k] == ':' {
			s.at = k + 1
			s.members = append(s.members, member{
				name: s.decode(inner, quoted, facts.MaxName), parent: s.open[len(s.open)-1], level: s.depth,
				span: facts.Span{Start: start, End: uint32(k)}, nameSpan: inner,
			})
			s.pending = len(s.members) - 1
			if s.inEntry() {
				s.deep++
			}
			return
		}
	}
	m := s.holder()
	if m == nil {
		return
	}
	switch {
	case s.pending >= 0:
		kind := literal
		if quoted {
			kind = str
		}
		m.value = value{text: s.decode(inner, quoted, maxValue), kind: kind}
		m.span.End = uint32(s.at)
		s.pending = -1
	case quoted:
		if m.value.length == 0 {
			m.value.text = s.decode(inner, true, maxValue)
		}
		m.value.length++
	}
}

// holder is the member that a value belongs to: the one pending, or the one
// whose array is open and directly holds the value.
func (s *scanner) holder() *member {
	if s.pending >= 0 {
		return &s.members[s.pending]
	}
	if s.arrays > 0 && s.arrays == s.depth && len(s.open) > 0 {
		if i := s.open[len(s.open)-1]; i >= 0 && s.members[i].value.kind == array {
			return &s.members[i]
		}
	}
	return nil
}

func (s *scanner) openBracket(c byte) {
	s.at++
	s.depth++
	if s.arrays > 0 {
		s.pending = -1
		return
	}
	owner := s.pending
	s.pending = -1
	if c == '[' {
		s.arrays = s.depth
		if owner >= 0 {
			s.members[owner].value.kind = array
		}
	} else if owner >= 0 {
		s.members[owner].value.kind = object
	}
	if s.depth <= s.levels()+1 && (s.depth == 1 || owner >= 0) && len(s.open) == s.depth-1 {
		s.open = append(s.open, owner)
	}
}

func (s *scanner) closeBracket() {
	s.at++
	s.pending = -1
	if s.depth == 0 {
		return
	}
	if len(s.open) == s.depth {
		s.popObject(s.at)
	}
	if s.arrays == s.depth {
		s.arrays = 0
	}
	s.depth--
}

func (s *scanner) popObject(end int) {
	if i := s.open[len(s.open)-1]; i >= 0 {
		s.members[i].span.End = uint32(end)
	}
	s.open = s.open[:len(s.open)-1]
}

// decode is the text of a token without escapes, at most n bytes of it.
func (s *scanner) decode(at facts.Span, quoted bool, n int) string {
	raw := s.src[at.Start:at.End]
	if len(raw) > 6*n {
		raw = raw[:6*n]
	}
	if !quoted || bytes.IndexByte(raw, '\\') < 0 {
		return clean(string(raw), n)
	}
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 >= len(raw) {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'n', 'r', 't':
			b.WriteByte(' ')
		case 'b', 'f':
		case 'u':
			r, used := unicodeEscape(raw[i+1:])
			i += used
			if r >= ' ' {
				b.WriteRune(r)
			}
		default:
			b.WriteByte(raw[i])
		}
	}
	return clean(strings.ToValidUTF8(b.String(), "\ufffd"), n)
}

// unicodeEscape reads what follows \u, a surrogate pair included.
func unicodeEscape(raw []byte) (rune, int) {
	unit := func(raw []byte) (rune, bool) {
		if len(raw) < 4 {
			return 0, false
		}
		v, err := strconv.ParseUint(string(raw[:4]), 16, 32)
		return rune(v), err == nil
	}
	r, ok := unit(raw)
	if !ok {
		return utf8.RuneError, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(raw) >= 10 && raw[4] == '\\' && raw[5] == 'u' {
		if low, ok := unit(raw[6:]); ok {
			return utf16.DecodeRune(r, low), 10
		}
	}
	return utf8.RuneError, 4
}
