package component

import (
	"bytes"
	"strings"
)

// Tag is a start tag. All numbers are offsets in the source.
type Tag struct {
	Name               string // as written
	Start, NameAt, End int
	SelfClosing        bool
	Attributes         []Attribute
	source             []byte
}

// Attribute is one attribute of a tag. For {name} and {...rest} the name is
// empty and the value is what stands in the braces.
type Attribute struct {
	Name       string
	Start, End int
	// ValueStart and ValueEnd bound the value without its quotes or braces; both
	// are 0 where there is none.
	ValueStart, ValueEnd int
	// Mark is the character before the value: a quote, '{', '`' or 0.
	Mark byte
}

// Quoted tells a value that is text rather than an expression.
func (a *Attribute) Quoted() bool { return a.ValueStart > 0 && a.Mark != '{' && a.Mark != '`' }

// Attribute is the attribute of a name, or nil.
func (t *Tag) Attribute(name string) *Attribute {
	for i := range t.Attributes {
		if t.Attributes[i].Name == name {
			return &t.Attributes[i]
		}
	}
	return nil
}

// Value is the text of an attribute, or "".
func (t *Tag) Value(name string) string {
	a := t.Attribute(name)
	if a == nil || !a.Quoted() {
		return ""
	}
	return strings.TrimSpace(string(t.source[a.ValueStart:a.ValueEnd]))
}

// Void elements have no content and no end tag.
func Void(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// Scanner reads the markup of a source.
type Scanner struct {
	Source []byte
	// Braces: attributes may be expressions in braces, as in Svelte and Astro.
	Braces bool
	// Nested: expressions may hold elements, as in Astro. It is given the offset
	// of one and returns where it ends.
	Nested func(at int) (int, bool)
	// budget is how many bytes may still be read in vain.
	budget int
}

// NewScanner makes a scanner over a source.
func NewScanner(source []byte, braces bool) *Scanner {
	return &Scanner{Source: source, Braces: braces, budget: 4*len(source) + 1<<12}
}

// Spent tells that too much was read in vain; the rest is taken as text.
func (s *Scanner) Spent() bool { return s.budget <= 0 }

// Pay takes bytes that were read in vain from the budget.
func (s *Scanner) Pay(n int) { s.budget -= n + 1 }

// IsSpace tells white space between attributes.
func IsSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsWord tells characters of names.
func IsWord(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// OpensTag tells whether a start tag stands at an offset.
func (s *Scanner) OpensTag(at int) bool {
	return at+1 < len(s.Source) && s.Source[at] == '<' && isLetter(s.Source[at+1])
}

// Tag reads the start tag at an offset, which OpensTag has told.
func (s *Scanner) Tag(at int) (*Tag, bool) {
	src := s.Source
	t := &Tag{Start: at, NameAt: at + 1, source: src}
	i := at + 1
	for i < len(src) && !IsSpace(src[i]) && src[i] != '>' && src[i] != '/' && src[i] != '{' && src[i] != '<' {
		i++
	}
	t.Name = string(src[at+1 : i])
	for i < len(src) {
		switch c := src[i]; {
		case IsSpace(c):
			i++
		case c == '>':
			t.End = i + 1
			return t, true
		case c == '/':
			t.SelfClosing = i+1 < len(src) && src[i+1] == '>'
			i++
		case c == '<':
			// A new tag starts: this one was not finished.
			s.Pay(i - at)
			return nil, false
		default:
			a, next, ok := s.attribute(i)
			if !ok {
				s.Pay(len(src) - at)
				return nil, false
			}
			i = next
			t.Attributes = append(t.Attributes, a)
		}
	}
	s.Pay(i - at)
	return nil, false
}

func (s *Scanner) attribute(i int) (a Attribute, next int, ok bool) {
	src := s.Source
	a.Start = i
	if s.Braces && src[i] == '{' {
		end, ok := s.Closing(i)
		a.ValueStart, a.ValueEnd, a.End, a.Mark = i+1, end, end+1, '{'
		return a, end + 1, ok
	}
	depth := 0 // of the brackets of :[name]
	for i < len(src) && (depth > 0 || src[i] != '=' && src[i] != '>' && src[i] != '<' && !IsSpace(src[i]) && (src[i] != '/' || i+1 < len(src) && src[i+1] != '>')) {
		switch src[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '\n', '>':
			depth = 0
			continue
		}
		i++
	}
	if i == a.Start { // "=" without a name
		i++
	}
	a.Name, a.End = string(src[a.Start:i]), i
	j := i
	for j < len(src) && IsSpace(src[j]) {
		j++
	}
	if j >= len(src) || src[j] != '=' {
		return a, i, true
	}
	j++
	for j < len(src) && IsSpace(src[j]) {
		j++
	}
	if j >= len(src) || src[j] == '>' {
		return a, j, true
	}
	switch c := src[j]; {
	case c == '"' || c == '\'':
		end, ok := s.quoted(j)
		a.ValueStart, a.ValueEnd, a.End, a.Mark = j+1, end, end+1, c
		return a, end + 1, ok
	case s.Braces && c == '{':
		end, ok := s.Closing(j)
		a.ValueStart, a.ValueEnd, a.End, a.Mark = j+1, end, end+1, '{'
		return a, end + 1, ok
	case s.Braces && c == '`':
		end, ok := literal(src, j, len(src))
		a.ValueStart, a.ValueEnd, a.End, a.Mark = j+1, end-1, end, '`'
		return a, end, ok
	}
	a.ValueStart = j
	for j < len(src) && !IsSpace(src[j]) && src[j] != '>' {
		if s.Braces && src[j] == '{' {
			end, ok := s.Closing(j)
			if !ok {
				return a, j, false
			}
			j = end
		}
		j++
	}
	a.ValueEnd, a.End = j, j
	return a, j, true
}

// quoted finds the end of a value in quotes; in Svelte it may hold expressions
// with quotes of their own.
func (s *Scanner) quoted(at int) (int, bool) {
	src, quote := s.Source, s.Source[at]
	for i := at + 1; i < len(src); i++ {
		switch {
		case src[i] == quote:
			return i, true
		case s.Braces && s.Nested == nil && src[i] == '{':
			if end, ok := s.Closing(i); ok {
				i = end
			}
		}
	}
	return 0, false
}

// EndTag reads the end tag at an offset and returns its name and end.
func (s *Scanner) EndTag(at int) (name string, end int) {
	src := s.Source
	i := at + 2
	for i < len(src) && !IsSpace(src[i]) && src[i] != '>' && src[i] != '<' {
		i++
	}
	name = string(src[at+2 : i])
	for i < len(src) && IsSpace(src[i]) {
		i++
	}
	if i < len(src) && src[i] == '>' {
		i++
	}
	return name, i
}

// Comment returns the end of the comment at an offset; one that is not closed
// reaches to the end.
func (s *Scanner) Comment(at int) int {
	if end := bytes.Index(s.Source[at+4:], []byte("-->")); end >= 0 {
		return at + 4 + end + 3
	}
	return len(s.Source)
}

// IsComment tells whether a comment stands at an offset.
func (s *Scanner) IsComment(at int) bool {
	return bytes.HasPrefix(s.Source[at:], []byte("<!--"))
}

// RawEnd is where the text of an element ends that holds no markup: at its end
// tag, or where the source ends.
func (s *Scanner) RawEnd(name string, at int) (end int, closed bool) {
	for i := at; ; {
		k := bytes.Index(s.Source[i:], []byte("</"))
		if k < 0 {
			return len(s.Source), false
		}
		i += k
		rest := s.Source[i+2:]
		if len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) &&
			(len(rest) == len(name) || rest[len(name)] == '>' || IsSpace(rest[len(name)])) {
			return i, true
		}
		i += 2
	}
}
