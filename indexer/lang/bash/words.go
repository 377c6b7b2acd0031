package bash

import "bytes"

// word reads a word at a position and the substitutions in it.
func (s *scanner) word(i, end int) (word, int) {
	w := word{start: i}
	for i < end {
		c := s.src[i]
		switch c {
		case ' ', '\t', '\n', '\r', ';', '&', '|', ')':
			w.end = i
			return w, i
		case '<', '>':
			if i > w.start || i+1 >= end || s.src[i+1] != '(' {
				w.end = i
				return w, i
			}
			i = s.substitution(i+2, end, &w)
			continue
		case '(':
			text := s.src[w.start:i]
			k := skipBlank(s.src, i+1, end)
			switch {
			case len(text) == 0:
				w.end = i
				return w, i
			case text[len(text)-1] == '=':
				i = s.array(i+1, end, &w)
				continue
			case k < end && s.src[k] == ')':
				w.end = i
				return w, i
			}
			// A glob: +(a|b), *(.N), file(s).
			stop := balanced(s.src, i, min(end, i+maxArithmetic))
			if stop == 0 || bytes.IndexByte(s.src[i:stop], '\n') >= 0 {
				w.end = i
				return w, i
			}
			i = stop
			continue
		}
		i = s.part(i, end, &w, false)
	}
	w.end = min(i, end)
	return w, w.end
}

// array reads the elements of name=( ... ).
func (s *scanner) array(i, end int, w *word) int {
	for i < end {
		switch c := s.src[i]; c {
		case ')':
			return i + 1
		case ' ', '\t', '\n', '\r', ';', '&', '|', '<', '>':
			if (c == '<' || c == '>') && i+1 < end && s.src[i+1] == '(' {
				i = s.substitution(i+2, end, w)
				continue
			}
			if c == '\n' && s.resync && isHeader(s.src[i+1:end]) {
				return i
			}
			i++
			continue
		case '#':
			if p := s.src[i-1]; p == ' ' || p == '\t' || p == '\n' || p == '(' {
				i = s.comment(i, end)
				continue
			}
		case '(':
			if stop := balanced(s.src, i, min(end, i+maxArithmetic)); stop > 0 {
				i = stop
				continue
			}
		}
		i = s.part(i, end, w, false)
	}
	s.unclosed = true
	return end
}

// part reads one character or one quoted or substituted stretch.
func (s *scanner) part(i, end int, w *word, quoted bool) int {
	switch s.src[i] {
	case '\\':
		return min(i+2, end)
	case '\'':
		if !quoted {
			return s.quoted(i, end, w)
		}
	case '"':
		if !quoted {
			return s.quoted(i, end, w)
		}
	case '`':
		return s.backticks(i, end, w)
	case '$':
		return s.dollar(i, end, w, quoted)
	}
	return i + 1
}

// quoted reads a string in single or double quotes.
func (s *scanner) quoted(i, end int, w *word) int {
	quote := s.src[i]
	i++
	for i < end {
		switch c := s.src[i]; {
		case c == quote:
			return i + 1
		case s.resync && c == '\n' && isHeader(s.src[i+1:end]):
			return i
		case quote == '\'':
			i++
		default:
			i = s.part(i, end, w, true)
		}
	}
	s.unclosed = true
	return end
}

// dollar reads an expansion.
func (s *scanner) dollar(i, end int, w *word, quoted bool) int {
	if i+1 >= end {
		return i + 1
	}
	switch c := s.src[i+1]; {
	case c == '(':
		if i+2 < end && s.src[i+2] == '(' {
			if stop := s.arithmetic(i+1, end); stop > 0 {
				s.text(i+3, stop-2, w, true)
				return stop
			}
		}
		return s.substitution(i+2, end, w)
	case c == '{':
		return s.braces(i+2, end, w, quoted)
	case c == '\'' && !quoted:
		for i += 2; i < end && s.src[i] != '\''; i++ {
			if s.src[i] == '\\' {
				i++
			}
		}
		return min(i+1, end)
	case isNameByte(c) && !('0' <= c && c <= '9'):
		k := i + 1
		for k < end && isNameByte(s.src[k]) && s.src[k] < 0x80 {
			k++
		}
		if k == i+1 {
			return k
		}
		if w != nil {
			w.reads = append(w.reads, read{string(s.src[i+1 : k]), i + 1})
		}
		return k
	case c == '$' || c == '#' || c == '?' || c == '!':
		return i + 2
	}
	return i + 1
}

// braces reads ${ }, whose first characters are flags in zsh.
func (s *scanner) braces(i, end int, w *word, quoted bool) int {
	if s.depth > maxDepth {
		return i
	}
	s.depth++
	defer func() { s.depth-- }()
	if i < end && s.src[i] == '(' {
		if stop := bytes.IndexByte(s.src[i:min(end, i+200)], ')'); stop > 0 {
			i += stop + 1
		}
	}
	for i < end && bytes.IndexByte([]byte("#!=^~+"), s.src[i]) >= 0 {
		i++
	}
	at := i
	for i < end && isNameByte(s.src[i]) && s.src[i] < 0x80 {
		i++
	}
	if i > at && w != nil && !('0' <= s.src[at] && s.src[at] <= '9') {
		w.reads = append(w.reads, read{string(s.src[at:i]), at})
	}
	for i < end {
		switch c := s.src[i]; {
		case c == '}':
			return i + 1
		case c == '\n' && s.resync && isHeader(s.src[i+1:end]):
			return i
		case c == '\'' && quoted:
			i++
		case c == '"':
			i = s.quoted(i, end, w)
		default:
			i = s.part(i, end, w, quoted)
		}
	}
	s.unclosed = true
	return end
}

// substitution reads commands up to the closing parenthesis.
func (s *scanner) substitution(i, end int, w *word) int {
	if s.depth > maxDepth {
		return i
	}
	s.depth++
	items, next := s.program(i, end, ')')
	s.depth--
	if w != nil {
		w.subs = append(w.subs, items...)
	}
	return next
}

func (s *scanner) backticks(i, end int, w *word) int {
	for k := i + 1; k < end; k++ {
		switch s.src[k] {
		case '\\':
			k++
		case '`':
			if s.depth <= maxDepth && k > i+1 {
				s.depth++
				items, _ := s.program(i+1, k, 0)
				s.depth--
				if w != nil {
					w.subs = append(w.subs, items...)
				}
			}
			return k + 1
		}
	}
	return i + 1
}

// text reads the substitutions in a stretch that is no command: a heredoc,
// arithmetic, a test.
func (s *scanner) text(i, end int, w *word, quoted bool) {
	for i < end {
		i = s.part(i, end, w, quoted)
	}
}
