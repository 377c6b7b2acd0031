package cfamily

// token is one lexical token. Comments are kept apart, directives are one token
// each, with their continuation lines.
type token struct {
	kind       byte // tWord and so on, or the character of a punctuator
	line       bool // first on its line
	start, end uint32
}

// Kinds of tokens that are no single character.
const (
	tWord      = 'w'
	tNumber    = '0'
	tString    = 's'
	tDirective = '#'
	tScope     = 'S' // ::
	tArrow     = 'A' // ->
	tEOF       = 'E'
)

// comment is one comment; trailing tells that code stands before it on its line.
type comment struct {
	start, end uint32
	trailing   bool
}

type lexed struct {
	src      []byte
	tokens   []token
	comments []comment
}

func isWordStart(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lex splits a text into tokens. It never fails: a quote that is not closed ends
// with its line, a comment that is not closed with the text.
func lex(src []byte) *lexed {
	l := &lexed{src: src, tokens: make([]token, 0, len(src)/5)}
	n := len(src)
	first := true
	i := 0
	add := func(kind byte, end int) {
		l.tokens = append(l.tokens, token{kind, first, uint32(i), uint32(end)})
		first = false
		i = end
	}
	for i < n {
		c := src[i]
		switch {
		case c == '\n':
			first = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
		case c == '\\':
			i++
		case c == '/' && i+1 < n && (src[i+1] == '/' || src[i+1] == '*'):
			end := skipComment(src, i)
			l.comments = append(l.comments, comment{uint32(i), uint32(end), !first})
			i = end
		case c == '#' && first:
			add(tDirective, directiveEnd(src, i))
		case c == '"' || c == '\'':
			add(tString, quoted(src, i))
		case isWordStart(c):
			end := i + 1
			for end < n && (isWordStart(src[end]) || isDigit(src[end])) {
				end++
			}
			if end < n && (src[end] == '"' || src[end] == '\'') && stringPrefix(src[i:end]) {
				if src[end-1] == 'R' && src[end] == '"' {
					end = rawString(src, end)
				} else {
					end = quoted(src, end)
				}
				add(tString, end)
				continue
			}
			add(tWord, end)
		case isDigit(c):
			end := i + 1
			for end < n {
				d := src[end]
				if isWordStart(d) || isDigit(d) || d == '.' || d == '\'' && end+1 < n && (isDigit(src[end+1]) || isWordStart(src[end+1])) ||
					(d == '+' || d == '-') && (src[end-1]|0x20 == 'e' || src[end-1]|0x20 == 'p') {
					end++
					continue
				}
				break
			}
			add(tNumber, end)
		case c == ':' && i+1 < n && src[i+1] == ':':
			add(tScope, i+2)
		case c == '-' && i+1 < n && src[i+1] == '>':
			add(tArrow, i+2)
		default:
			add(c, i+1)
		}
	}
	return l
}

func stringPrefix(w []byte) bool {
	switch string(w) {
	case "L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R":
		return true
	}
	return false
}

// skipComment gives the end of the comment that starts at i. A line comment goes
// on after a backslash at the end of its line.
func skipComment(src []byte, i int) int {
	n := len(src)
	if src[i+1] == '*' {
		for k := i + 2; k+1 < n; k++ {
			if src[k] == '*' && src[k+1] == '/' {
				return k + 2
			}
		}
		return n
	}
	for k := i + 2; k < n; k++ {
		if src[k] == '\n' && !continued(src, k) {
			if src[k-1] == '\r' {
				return k - 1
			}
			return k
		}
	}
	return n
}

// continued tells whether the line break at k is preceded by a backslash.
func continued(src []byte, k int) bool {
	k--
	if k >= 0 && src[k] == '\r' {
		k--
	}
	return k >= 0 && src[k] == '\\'
}

func directiveEnd(src []byte, i int) int {
	n := len(src)
	for i < n {
		switch {
		case src[i] == '\n' && !continued(src, i):
			if src[i-1] == '\r' {
				return i - 1
			}
			return i
		case src[i] == '/' && i+1 < n && src[i+1] == '/':
			return i
		case src[i] == '/' && i+1 < n && src[i+1] == '*':
			i = skipComment(src, i)
		case src[i] == '"':
			i = quoted(src, i)
		default:
			i++
		}
	}
	return n
}

// quoted gives the end of the string or character that starts at i.
func quoted(src []byte, i int) int {
	q := src[i]
	for k := i + 1; k < len(src); k++ {
		switch src[k] {
		case '\\':
			if k+2 < len(src) && src[k+1] == '\r' && src[k+2] == '\n' {
				k++
			}
			k++
		case q:
			return k + 1
		case '\n':
			return k
		}
	}
	return len(src)
}

// rawString gives the end of R"x(...)x", whose quote stands at i.
func rawString(src []byte, i int) int {
	open := i + 1
	for open < len(src) && src[open] != '(' {
		if open-i > 17 || src[open] == '\n' || src[open] == '"' {
			return quoted(src, i)
		}
		open++
	}
	mark := ")" + string(src[i+1:min(open, len(src))]) + `"`
	for k := open; k+len(mark) <= len(src); k++ {
		if string(src[k:k+len(mark)]) == mark {
			return k + len(mark)
		}
	}
	return len(src)
}

func (l *lexed) text(t token) string { return string(l.src[t.start:t.end]) }

// column is the number of bytes before a token on its line.
func (l *lexed) column(t token) int {
	i := int(t.start)
	for i > 0 && l.src[i-1] != '\n' {
		i--
	}
	return int(t.start) - i
}

// directive gives the keyword of a directive and where its arguments start.
func (l *lexed) directive(t token) (string, uint32) {
	i := t.start + 1
	for i < t.end && (l.src[i] == ' ' || l.src[i] == '\t') {
		i++
	}
	start := i
	for i < t.end && isWordStart(l.src[i]) {
		i++
	}
	return string(l.src[start:i]), i
}
