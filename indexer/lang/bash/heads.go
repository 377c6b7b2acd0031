package bash

import "bytes"

func skipBlank(src []byte, i, end int) int {
	for i < end && (src[i] == ' ' || src[i] == '\t') {
		i++
	}
	return i
}

func onlyBlank(src []byte, i, end int) bool {
	for i < end && (src[i] == ' ' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i >= end || src[i] == '\n'
}

func lastText(src []byte, i int) int {
	for i > 0 && (src[i-1] == ' ' || src[i-1] == '\t' || src[i-1] == '\n' || src[i-1] == '\r') {
		i--
	}
	return i
}

// definable tells whether words can be the names of a function.
func definable(src []byte, words []word) bool {
	for _, w := range words {
		t := src[w.start:w.end]
		if len(t) == 0 || bytes.ContainsAny(t, "$`\"'=*?[]{}<>~") || len(words) > 8 {
			return false
		}
	}
	return true
}

func (s *scanner) is(w word, text string) bool { return string(s.src[w.start:w.end]) == text }

func isAssignment(t []byte) bool {
	k := bytes.IndexByte(t, '=')
	if k <= 0 || '0' <= t[0] && t[0] <= '9' {
		return false
	}
	for i, c := range t[:k] {
		if c == '[' {
			return true
		}
		if !isNameByte(c) && !(c == '+' && i == k-1) {
			return false
		}
	}
	return true
}

// isHeader tells whether a line starts a function in the first column.
func isHeader(text []byte) bool {
	line, _, _ := bytes.Cut(text[:min(len(text), 300)], []byte("\n"))
	rest, keyword := bytes.CutPrefix(line, []byte("function "))
	rest = bytes.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && (isNameByte(rest[n]) || n > 0 && bytes.IndexByte([]byte("-:.+@/"), rest[n]) >= 0) {
		n++
	}
	if n == 0 {
		return false
	}
	after := bytes.TrimSpace(rest[n:])
	after, paren := bytes.CutPrefix(after, []byte("()"))
	after = bytes.TrimSpace(after)
	return (paren || keyword) && (len(after) == 0 || after[0] == '{' || after[0] == '(' || after[0] == '#')
}

// skipString gives the position behind a string. Strings in substitutions in it
// are not told apart; their quotes come in pairs.
func (s *scanner) skipString(i, end int) int {
	quote := s.src[i]
	for i++; i < end; i++ {
		switch {
		case s.src[i] == quote:
			return i + 1
		case s.src[i] == '\\' && quote == '"':
			i++
		case s.resync && s.src[i] == '\n' && isHeader(s.src[i+1:end]):
			return i
		}
	}
	return end
}

// caseHead reads the word and the in of a case.
func (s *scanner) caseHead(i, end int, w *word) int {
	i = skipBlank(s.src, i, end)
	if i >= end || s.src[i] == '\n' {
		return 0
	}
	*w, i = s.word(i, end)
	for i < end && bytes.IndexByte([]byte(" \t\r\n"), s.src[i]) >= 0 {
		i++
	}
	if bytes.HasPrefix(s.src[i:end], []byte("in")) && (i+2 >= end || !isNameByte(s.src[i+2])) {
		return i + 2
	}
	return 0
}

// function reads the names behind the keyword.
func (s *scanner) function(start, i, end int) (*item, int) {
	f := &item{start: start, function: true}
	for {
		i = skipBlank(s.src, i, end)
		if i+1 < end && s.src[i] == '\\' && s.src[i+1] == '\n' {
			i += 2
			continue
		}
		if i+2 < end && s.src[i] == '\\' && s.src[i+1] == '\r' {
			i += 3
			continue
		}
		if i < end && s.src[i] == '-' && i+2 < end && s.src[i+2] == ' ' { // zsh: function -T name
			i += 2
			continue
		}
		if i >= end || bytes.IndexByte([]byte("\n\r{(;#"), s.src[i]) >= 0 || len(f.names) > 8 {
			break
		}
		at := i
		for i < end && bytes.IndexByte([]byte(" \t\r\n(;{"), s.src[i]) < 0 {
			i++
		}
		if i == at {
			break
		}
		f.names = append(f.names, word{start: at, end: i})
	}
	if len(f.names) == 0 && !(s.zsh && i < end && s.src[i] == '{') {
		return nil, 0
	}
	f.headEnd = lastText(s.src, i)
	f.end = f.headEnd
	return f, i
}

// batsTest reads @test "title".
func (s *scanner) batsTest(start, i, end int) (*item, int) {
	i = skipBlank(s.src, i, end)
	if i >= end || s.src[i] == '\n' {
		return nil, 0
	}
	w, stop := s.word(i, end)
	if n := stop - i; n > 2 && (s.src[i] == '"' || s.src[i] == '\'') {
		w.start, w.end = w.start+1, w.end-1
	}
	return &item{start: start, function: true, test: true, names: []word{w}, headEnd: stop, end: stop}, stop
}

// test finds the end of [[ ]], which holds words alone.
func (s *scanner) test(i, end int) int {
	for i < end {
		switch c := s.src[i]; {
		case c == '\\':
			i++
		case c == '\'' || c == '"':
			i = s.skipString(i, end)
			continue
		case c == ']' && bytes.HasPrefix(s.src[i:end], []byte("]]")) && bytes.IndexByte([]byte(" \t\n"), s.src[i-1]) >= 0:
			return i + 2
		case s.resync && c == '\n' && isHeader(s.src[i+1:end]):
			return i
		}
		i++
	}
	return min(i, end)
}

// arithmetic finds the end of (( )), or 0 where it is two subshells.
func (s *scanner) arithmetic(i, end int) int {
	if i < s.arithEnd {
		return 0
	}
	depth := 0
	for k := i; k < min(end, i+maxArithmetic); k++ {
		switch s.src[k] {
		case '\\':
			k++
		case '(':
			depth++
		case ')':
			depth--
			if depth == 1 && k+1 < end && s.src[k+1] == ')' {
				return k + 2
			}
			if depth <= 1 {
				return 0
			}
		}
	}
	s.arithEnd = i + maxArithmetic/2
	return 0
}

// balanced finds the position behind the parenthesis that closes the one at i,
// on the same line or, for a list, on later ones; 0 where there is none.
func balanced(src []byte, i, end int) int {
	depth := 0
	for ; i < end; i++ {
		switch src[i] {
		case '\\':
			i++
		case '\'', '"':
			if k := bytes.IndexByte(src[i+1:end], src[i]); k >= 0 {
				i += k + 1
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
