package component

import "bytes"

// Closing finds the brace that closes the one at an offset, with what
// JavaScript knows of strings, templates, comments and regular expressions.
func (s *Scanner) Closing(at int) (int, bool) {
	if s.Spent() {
		return 0, false
	}
	end, ok := s.scan(at+1, len(s.Source), true)
	if !ok {
		s.Pay(end - at)
	}
	return end, ok
}

// Balanced tells whether a range is code in which every bracket is closed.
func (s *Scanner) Balanced(start, end int) bool {
	at, ok := s.scan(start, end, false)
	return ok && at == end
}

// maxNested bounds the brackets in an expression.
const maxNested = 10_000

// maxRegexp bounds a regular expression, in bytes.
const maxRegexp = 1000

// scan reads code from an offset to the end, or to the closing brace of the
// block it stands in. Where it fails it tells how far it got.
func (s *Scanner) scan(at, end int, inBlock bool) (int, bool) {
	src := s.Source
	var open []byte
	last := -1 // offset of the last character of code
	for i := at; i < end; {
		c := src[i]
		if IsSpace(c) {
			i++
			continue
		}
		switch c {
		case '"', '\'', '`':
			next, ok := literal(src, i, end)
			if !ok {
				return next, false
			}
			last, i = next-1, next
			continue
		case '/':
			next, comment, ok := slash(src, i, end, last)
			if !ok {
				return next, false
			}
			if !comment {
				last = next - 1
			}
			i = next
			continue
		case '{', '(', '[':
			if len(open) >= maxNested {
				return i, false
			}
			open = append(open, c)
		case '}', ')', ']':
			if len(open) == 0 {
				return i, inBlock && c == '}'
			}
			if partner(open[len(open)-1]) != c {
				return i, false
			}
			open = open[:len(open)-1]
		case '<':
			if s.Nested != nil && startsValue(src, last) {
				if next, ok := s.Nested(i); ok {
					last, i = next-1, next
					continue
				}
			}
		}
		last = i
		i++
	}
	return end, !inBlock && len(open) == 0
}

func partner(c byte) byte {
	switch c {
	case '{':
		return '}'
	case '(':
		return ')'
	}
	return ']'
}

// literal returns the end of a string or template. In a template, ${ } may hold
// anything; strings end on their line.
func literal(src []byte, at, end int) (int, bool) {
	quote := src[at]
	if quote != '`' {
		for i := at + 1; i < end; i++ {
			switch src[i] {
			case '\\':
				i++
			case '\n':
				return i, false
			case quote:
				return i + 1, true
			}
		}
		return end, false
	}
	// A stack of open templates and of the braces in their substitutions.
	open := []byte{'`'}
	for i := at + 1; i < end; i++ {
		c := src[i]
		if open[len(open)-1] == '`' {
			switch {
			case c == '\\':
				i++
			case c == '`':
				open = open[:len(open)-1]
				if len(open) == 0 {
					return i + 1, true
				}
			case c == '$' && i+1 < end && src[i+1] == '{':
				open = append(open, '{')
				i++
			}
			continue
		}
		switch c {
		case '`', '{':
			open = append(open, c)
		case '}':
			open = open[:len(open)-1]
		case '"', '\'':
			next, ok := literal(src, i, end)
			if !ok {
				return next, false
			}
			i = next - 1
		}
		if len(open) > maxNested {
			return i, false
		}
	}
	return end, false
}

// slash reads a comment, a regular expression or an operator.
func slash(src []byte, at, end, last int) (next int, comment, ok bool) {
	if at+1 < end {
		switch src[at+1] {
		case '/':
			if k := bytes.IndexByte(src[at:end], '\n'); k >= 0 {
				return at + k, true, true
			}
			return end, true, true
		case '*':
			if k := bytes.Index(src[at+2:end], []byte("*/")); k >= 0 {
				return at + 2 + k + 2, true, true
			}
			return end, true, false
		}
	}
	if !startsValue(src, last) {
		return at + 1, false, true
	}
	class := false
	for i := at + 1; i < min(end, at+maxRegexp); i++ {
		switch src[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return at + 1, false, true // a division after all
		case '/':
			if !class {
				return i + 1, false, true
			}
		}
	}
	return at + 1, false, true
}

// startsValue tells whether a value can stand behind the character at an offset.
func startsValue(src []byte, last int) bool {
	if last < 0 {
		return true
	}
	c := src[last]
	if IsWord(c) {
		start := last
		for start > 0 && IsWord(src[start-1]) && last-start < 12 {
			start--
		}
		switch string(src[start : last+1]) {
		case "return", "typeof", "case", "in", "of", "await", "yield", "default", "else":
			return true
		}
		return false
	}
	return bytes.IndexByte([]byte(")]}\"'`."), c) < 0
}
