package java

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// item is a definition of the outline.
type item struct {
	name     string
	kind     facts.Kind
	nameSpan facts.Span
	// head is where the declaration starts behind its annotations, headEnd where
	// its body or value starts, end where it ends.
	head, headEnd, end uint32
	// owner is the index of the type it is a member of, -1 for the file.
	owner int
	bases []string
	doc   facts.Span
	// typ is the type of a field and the result of a method.
	typ    facts.Span
	params []facts.Param
}

// region is something in braces that the scan stands in.
type region struct {
	item   int // the type or member whose body it is, -1
	isType bool
	// constants says that the body of an enum is still at its constants.
	constants bool
	indent    int // of the line on which its declaration starts
}

// maxNested caps the types inside types that the outline follows.
const maxNested = 400

// token is a word or sign of a declaration's head.
type token struct {
	start, end uint32
	word       bool
}

// scanner reads the outline of a text: the types and their members, without
// what stands in bodies. Braces nest them; where a line that starts like a
// member stands no deeper than the member before it, that one has lost its
// closing brace.
type scanner struct {
	src     []byte
	at      int
	items   []item
	stack   []region
	head    []token
	parens  int
	value   bool // behind the = of a field
	indent  int  // of the line of at
	first   bool // nothing but white space before at on its line
	doc     facts.Span
	started int // indent of the line on which the head starts
}

// outline lists the definitions of a text in the order of their names.
func outline(src []byte) []item {
	// Around a damaged part all is blank.
	src = bytes.TrimRight(src, " \t\r\n")
	s := &scanner{src: src, first: true}
	s.at = len(src) - len(bytes.TrimLeft(src, " \t\r\n"))
	s.at = bytes.LastIndexByte(src[:s.at], '\n') + 1
	s.run()
	end := uint32(len(src))
	for i := range s.items {
		if s.items[i].end == 0 {
			s.items[i].end = end
		}
	}
	for len(s.stack) > 0 {
		s.pop(end)
	}
	return s.items
}

func (s *scanner) run() {
	for s.at < len(s.src) {
		c := s.src[s.at]
		rest := s.src[s.at:]
		switch {
		case c == '\n':
			s.at++
			s.indent, s.first = 0, true
		case c == ' ' || c == '\r' || c == '\f':
			s.at++
			if s.first {
				s.indent++
			}
		case c == '\t':
			s.at++
			if s.first {
				s.indent += 8 - s.indent%8
			}
		case bytes.HasPrefix(rest, []byte("//")):
			s.at += lineLength(rest)
		case bytes.HasPrefix(rest, []byte("/*")):
			s.comment(rest)
		default:
			if s.first {
				s.line(rest)
				s.first = false
			}
			s.token(c, rest)
		}
	}
}

func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

func (s *scanner) comment(rest []byte) {
	end := bytes.Index(rest[2:], []byte("*/"))
	n := len(rest)
	if end >= 0 {
		n = end + 4
	}
	if bytes.HasPrefix(rest, []byte("/**")) && n > len("/**/") && len(s.head) == 0 {
		s.doc = facts.Span{Start: uint32(s.at), End: uint32(s.at + n)}
	}
	s.at += n
}

// line looks at the first token of a line: it may show that something above
// has lost its end.
func (s *scanner) line(rest []byte) {
	text := rest[:lineLength(rest)]
	word := wordAt(text)
	if s.indent > s.started && s.top() && s.parens == 0 && s.headIsType() && !s.headGoesOn(text, string(word)) {
		s.open() // the type has lost its opening brace
		return
	}
	isMember := text[0] == '@' && len(text) > 1 || isModifier(string(word))
	if !isMember && !isTypeKeyword(string(word)) {
		return
	}
	declaresType := false
	for _, f := range bytes.Fields(text) {
		declaresType = declaresType || isTypeKeyword(string(f))
	}
	cut := false
	for len(s.stack) > 0 {
		top := s.stack[len(s.stack)-1]
		if top.isType {
			if s.indent > top.indent || s.indent == top.indent && s.indent == 0 && !declaresType {
				break
			}
		} else if s.indent > top.indent {
			break
		}
		s.pop(uint32(s.at))
		cut = true
	}
	// The head above goes on over lines of its own indentation: annotations and
	// modifiers. Only one with more in it has lost its end.
	if cut || s.value && s.indent <= s.started || s.parens > 0 && s.indent <= s.started {
		s.finish(uint32(s.at), true)
	}
}

// headIsType tells whether the head so far names a type.
func (s *scanner) headIsType() bool {
	for i := 0; i+1 < len(s.head); i++ {
		if s.head[i].word && s.head[i+1].word && isTypeKeyword(s.text(s.head[i])) {
			return true
		}
	}
	return false
}

// headGoesOn tells whether a line belongs to the head of the type above it.
func (s *scanner) headGoesOn(text []byte, word string) bool {
	switch word {
	case "", "extends", "implements", "permits":
		return text[0] != '@'
	}
	switch s.text(s.head[len(s.head)-1]) {
	case ",", "<", "&", ".", "?", "extends", "implements", "permits", "super", "class", "interface", "enum", "record":
		return true
	}
	return false
}

func wordAt(text []byte) []byte {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !isWordRune(r) && !(r == '-' && n == len("non")) {
			break
		}
		n += size
	}
	return text[:n]
}

func isWordRune(r rune) bool {
	return r == '_' || r == '$' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r))
}

func isModifier(w string) bool {
	switch w {
	case "public", "protected", "private", "static", "abstract", "native", "sealed", "non-sealed", "strictfp", "transient", "volatile":
		return true
	}
	return false
}

func isTypeKeyword(w string) bool {
	switch w {
	case "class", "interface", "enum", "record", "@interface":
		return true
	}
	return false
}

// top tells whether the scan stands where definitions can: at the level of the
// file or directly in a type.
func (s *scanner) top() bool { return len(s.stack) == 0 || s.stack[len(s.stack)-1].isType }

func (s *scanner) token(c byte, rest []byte) {
	switch {
	case c == '"':
		s.at += stringLength(rest)
		return
	case c == '\'':
		s.at += charLength(rest)
		return
	}
	if word := wordAt(rest); len(word) > 0 {
		if s.top() && !s.value {
			s.add(len(word), true)
		}
		s.at += len(word)
		return
	}
	switch c {
	case '{':
		s.open()
	case '}':
		s.close()
	case ';':
		if s.top() {
			s.finish(uint32(s.at+1), false)
			if n := len(s.stack); n > 0 {
				s.stack[n-1].constants = false
			}
		}
	case '(':
		if s.top() {
			s.add(1, false)
			s.parens++
		}
	case ')':
		if s.top() {
			s.add(1, false)
			s.parens = max(0, s.parens-1)
		}
	case ',':
		if n := len(s.stack); n > 0 && s.stack[n-1].constants && s.parens == 0 {
			s.finish(uint32(s.at), false)
		} else if s.top() {
			s.add(1, false)
		}
	case '=':
		if s.top() && s.parens == 0 {
			s.add(1, false)
			s.value = true
		}
	case '@':
		if s.top() && !s.value && s.annotation(rest) {
			return
		}
	default:
		if s.top() {
			s.add(1, false)
		}
	}
	s.at++
}

// maxHeadTokens caps the tokens of one head.
const maxHeadTokens = 400

func (s *scanner) add(n int, word bool) {
	if s.value && len(s.head) > 0 || len(s.head) >= maxHeadTokens {
		return
	}
	if len(s.head) == 0 {
		s.started = s.indent
	}
	s.head = append(s.head, token{uint32(s.at), uint32(s.at + n), word})
}

// annotation skips an annotation with its arguments; @interface is none.
func (s *scanner) annotation(rest []byte) bool {
	if bytes.HasPrefix(rest, []byte("@interface")) {
		s.add(len("@interface"), true)
		s.at += len("@interface")
		return true
	}
	n := 1
	for n < len(rest) {
		w := wordAt(rest[n:])
		n += len(w)
		if n >= len(rest) || rest[n] != '.' {
			break
		}
		n++
	}
	if n == 1 {
		return false
	}
	depth := 0
	for i := n; i < len(rest) && i < n+4000; {
		switch rest[i] {
		case '"':
			i += stringLength(rest[i:])
			continue
		case '\'':
			i += charLength(rest[i:])
			continue
		case '(':
			depth++
		case ')':
			depth--
		case ' ', '\t':
		default:
			if depth == 0 {
				s.at += n
				return true
			}
		}
		i++
		if depth == 0 && rest[i-1] == ')' {
			s.at += i
			return true
		}
	}
	s.at += n
	return true
}

// stringLength is the length of the string at the start of a text. One without
// its closing quote ends with its line.
func stringLength(text []byte) int {
	if bytes.HasPrefix(text, []byte(`"""`)) {
		for i := 3; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if bytes.HasPrefix(text[i:], []byte(`"""`)) {
				return i + 3
			}
		}
		return 3
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

// charLength is the length of a character literal, 1 for a lone quote.
func charLength(text []byte) int {
	for i := 1; i < len(text) && i < 12; i++ {
		switch text[i] {
		case '\\':
			i++
		case '\'':
			return i + 1
		case '\n':
			return 1
		}
	}
	return 1
}

func (s *scanner) open() {
	isType, at := false, -1
	if s.top() {
		if s.value {
			s.stack = append(s.stack, region{item: -1, indent: s.started})
			return
		}
		at, isType = s.declare(uint32(s.at), false)
	}
	isType = isType && len(s.stack) < maxNested
	r := region{item: at, isType: isType, indent: s.indent}
	if len(s.head) > 0 {
		r.indent = s.started
	}
	if isType {
		r.constants = s.items[at].kind == facts.KindEnum
	}
	s.head, s.parens = nil, 0
	s.stack = append(s.stack, r)
}

func (s *scanner) close() {
	if len(s.stack) == 0 {
		s.head, s.parens, s.value = nil, 0, false
		return
	}
	top := s.stack[len(s.stack)-1]
	if top.isType {
		if s.indent > top.indent && (top.item < 0 || bytes.IndexByte(s.src[s.items[top.item].head:s.at], '\n') >= 0) {
			// A brace too many: the one of the type stands at its own indentation.
			s.finish(uint32(s.at), true)
			return
		}
		s.finish(uint32(s.at), true)
	}
	s.pop(uint32(s.at + 1))
}

// pop leaves the innermost region, which ends at an offset.
func (s *scanner) pop(end uint32) {
	top := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	if top.item >= 0 {
		for end > s.items[top.item].nameSpan.End && bytes.IndexByte([]byte(" \t\r\n"), s.src[end-1]) >= 0 {
			end--
		}
		s.items[top.item].end = end
	}
	s.doc = facts.Span{}
	if s.top() && !s.value {
		s.head, s.parens = nil, 0
	}
}

// finish ends a declaration without a body.
func (s *scanner) finish(end uint32, cut bool) {
	if len(s.head) > 0 {
		if at, _ := s.declare(end, true); at >= 0 {
			for cut && end > s.items[at].nameSpan.End && bytes.IndexByte([]byte(" \t\r\n"), s.src[end-1]) >= 0 {
				end--
			}
			s.items[at].end = end
		}
	}
	s.head, s.parens, s.value, s.doc = nil, 0, false, facts.Span{}
}
