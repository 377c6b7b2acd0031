package scala

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

type tokenKind uint8

const (
	tWord   tokenKind = iota // identifier or keyword
	tQuoted                  // identifier in backticks
	tSymbol                  // identifier of operator characters, or one of the reserved ones
	tNumber
	tChar
	tString // literal without code in it
	tOp     // punctuation
	tOpen   // ( [ {, the start of a literal with code in it, ${ in it
	tClose  // the ends of those
)

// token is a lexeme. The tokens of a text are balanced: every tOpen has its
// tClose, which is empty where the text lacks it.
type token struct {
	kind       tokenKind
	nl         bool // first of its line
	start, end uint32
	match      int32 // index of the other bracket
	indent     int32 // of its line, in bytes
	doc        int32 // index in lexer.docs of the Scaladoc right before it, or -1
	text       string
}

// maxTemplates bounds code in literals in code, and maxRetries the literals that
// are read again because they have no end.
const (
	maxTemplates = 60
	maxRetries   = 40
)

type lexer struct {
	src      []byte
	all      string
	pos      int
	toks     []token
	docs     []facts.Span
	damage   []facts.Span
	header   facts.Span // first block comment of the file
	comments []facts.Span
	pending  int32
	behind   bool // the Scaladoc pending stands behind code
	nl       bool
	indent   int32
	depth    int
	retries  int
	flat     bool // comments do not nest
}

func lex(src []byte) *lexer {
	x := &lexer{src: src, all: string(src), pending: -1, nl: true}
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		x.pos = 3
	}
	if bytes.HasPrefix(src[x.pos:], []byte("#!")) {
		start := x.pos
		x.pos = x.lineEnd(x.pos)
		// The old form of scripts: shell code up to a line "!#".
		if k := bytes.Index(src[start:], []byte("\n!#")); k >= 0 && k < 2000 {
			x.pos = x.lineEnd(start + k + 1)
		}
	}
	x.code(false)
	x.balance()
	return x
}

func (x *lexer) lineEnd(at int) int {
	if k := bytes.IndexByte(x.src[at:], '\n'); k >= 0 {
		return at + k
	}
	return len(x.src)
}

func (x *lexer) emit(kind tokenKind, start, end int) {
	x.toks = append(x.toks, token{
		kind: kind, nl: x.nl, start: uint32(start), end: uint32(end), match: -1, indent: x.indent, doc: x.pending, text: x.all[start:end],
	})
	x.nl, x.pending, x.behind = false, -1, false
	x.pos = end
}

// code reads tokens up to the end of the text or, in a literal, up to the brace
// that closes it, and tells whether it met that.
func (x *lexer) code(template bool) bool {
	braces := 0
	lineStart := bytes.LastIndexByte(x.src[:x.pos], '\n') + 1
	for x.pos < len(x.src) {
		c := x.src[x.pos]
		switch {
		case c == '\n':
			if x.behind {
				x.pending, x.behind = -1, false
			}
			x.pos++
			lineStart = x.pos
			x.nl = true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			x.pos++
		case c == '/' && x.at("//"):
			start := x.pos
			x.pos = x.lineEnd(x.pos)
			x.comments = append(x.comments, facts.Span{Start: uint32(start), End: uint32(x.pos)})
		case c == '/' && x.at("/*"):
			x.comment()
			lineStart = max(lineStart, bytes.LastIndexByte(x.src[:x.pos], '\n')+1)
		default:
			if x.nl && x.pos == lineStart && isConflict(x.all[x.pos:]) {
				end := x.lineEnd(x.pos)
				x.damage = append(x.damage, facts.Span{Start: uint32(x.pos), End: uint32(end)})
				x.pos = end
				continue
			}
			if x.nl {
				line := x.src[lineStart:]
				x.indent = int32(len(line) - len(bytes.TrimLeft(line, " \t")))
			}
			if template && c == '}' && braces == 0 {
				return true
			}
			switch c {
			case '{':
				braces++
			case '}':
				braces--
			}
			x.token(c)
		}
	}
	return false
}

func (x *lexer) at(s string) bool { return strings.HasPrefix(x.all[x.pos:], s) }

// comment skips a block comment. They nest; where the text ends inside, an
// opening in the comment was none.
func (x *lexer) comment() {
	start, end := x.pos, -1
	depth := 0
	for k := start; k+1 < len(x.src); k++ {
		if x.src[k] == '/' && x.src[k+1] == '*' && (depth == 0 || !x.flat) {
			depth++
			k++
		} else if x.src[k] == '*' && x.src[k+1] == '/' {
			depth--
			k++
			if depth == 0 {
				end = k + 1
				break
			}
		}
	}
	if end < 0 {
		x.flat = true
		end = len(x.src)
		if k := bytes.Index(x.src[min(start+2, end):], []byte("*/")); k >= 0 {
			end = start + 2 + k + 2
		} else {
			x.damage = append(x.damage, facts.Span{Start: uint32(start), End: uint32(end)})
		}
	}
	span := facts.Span{Start: uint32(start), End: uint32(end)}
	x.comments = append(x.comments, span)
	if x.header.End == 0 && len(x.toks) == 0 {
		x.header = span
	}
	if bytes.HasPrefix(x.src[start:end], []byte("/**")) && end-start > len("/**/") {
		x.docs = append(x.docs, span)
		x.pending = int32(len(x.docs) - 1)
		x.behind = !x.nl && len(x.toks) > 0
	}
	if bytes.IndexByte(x.src[start:end], '\n') >= 0 {
		x.nl = true
	}
	x.pos = end
}

func (x *lexer) token(c byte) {
	start := x.pos
	switch {
	case c == '"':
		x.literal(start, false)
		return
	case c == '\'':
		x.character()
		return
	case c == '`':
		if k := bytes.IndexAny(x.src[start+1:], "`\n"); k > 0 && x.src[start+1+k] == '`' {
			x.emit(tQuoted, start, start+k+2)
			return
		}
	case c >= '0' && c <= '9':
		x.emit(tNumber, start, x.number())
		return
	case c == '(' || c == '[' || c == '{':
		x.emit(tOpen, start, start+1)
		return
	case c == ')' || c == ']' || c == '}':
		x.emit(tClose, start, start+1)
		return
	case c == '<' && x.markup():
		return
	}
	if n := len(x.toks); c == '$' && (n == 0 || !isDeclarator(x.toks[n-1].text) && x.toks[n-1].text != "." && x.toks[n-1].text != "import") {
		x.emit(tOp, start, start+1) // a splice of a macro
		return
	}
	if end := wordEnd(x.src, start); end > start {
		if end < len(x.src) && x.src[end] == '"' {
			x.pos = end
			x.literal(start, true)
			return
		}
		x.emit(tWord, start, end)
		return
	}
	if end := symbolEnd(x.src, start); end > start {
		if x.all[start:end] == ":@" { // x:@unchecked
			end--
		}
		x.emit(tSymbol, start, end)
		return
	}
	_, n := utf8.DecodeRune(x.src[start:])
	x.emit(tOp, start, start+n)
}

// wordEnd is the end of the identifier at an offset, or the offset. After an
// underscore operator characters belong to it: unary_!, value_=.
func wordEnd(src []byte, at int) int {
	start := at
	for at < len(src) {
		c := src[at]
		switch {
		case c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			at++
		case c < utf8.RuneSelf:
			if at > start+1 && src[at-1] == '_' {
				return symbolEnd(src, at)
			}
			return at
		default:
			r, n := utf8.DecodeRune(src[at:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				return at
			}
			at += n
		}
	}
	return at
}

// symbolEnd is the end of the operator at an offset, or the offset.
func symbolEnd(src []byte, at int) int {
	start := at
	for at < len(src) {
		c := src[at]
		switch {
		case strings.IndexByte("!#%&*+-/:<=>?@\\^|~", c) >= 0:
			if c == '/' && at+1 < len(src) && (src[at+1] == '/' || src[at+1] == '*') && at > start {
				return at
			}
			at++
		case c < utf8.RuneSelf:
			return at
		default:
			r, n := utf8.DecodeRune(src[at:])
			if !unicode.IsSymbol(r) || r == utf8.RuneError {
				return at
			}
			at += n
		}
	}
	return at
}

func (x *lexer) number() int {
	k := x.pos
	for k < len(x.src) {
		c := x.src[k]
		switch {
		case c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			k++
		case c == '.' && k+1 < len(x.src) && x.src[k+1] >= '0' && x.src[k+1] <= '9':
			k++
		case (c == '+' || c == '-') && (x.src[k-1] == 'e' || x.src[k-1] == 'E') && !strings.HasPrefix(x.all[x.pos:], "0x"):
			k++
		default:
			return k
		}
	}
	return k
}

// character reads a character, or the quote before a symbol ('name) or quoted
// code ('{ ... }).
func (x *lexer) character() {
	k := x.pos + 1
	if k < len(x.src) && x.src[k] == '\\' {
		for n := k + 2; n < len(x.src) && n < k+12 && x.src[n] != '\n'; n++ {
			if x.src[n] == '\'' {
				x.emit(tChar, x.pos, n+1)
				return
			}
		}
	} else if k < len(x.src) && x.src[k] != '\n' {
		if _, n := utf8.DecodeRune(x.src[k:]); k+n < len(x.src) && x.src[k+n] == '\'' {
			x.emit(tChar, x.pos, k+n+1)
			return
		}
		if end := wordEnd(x.src, k); end > k {
			x.emit(tOp, x.pos, x.pos+1)
			return
		}
	}
	x.emit(tOp, x.pos, x.pos+1)
}

// isConflict tells whether a line is a mark of a merge conflict.
func isConflict(rest string) bool {
	for _, m := range []string{"<<<<<<< ", "=======\n", "=======\r", ">>>>>>> ", "||||||| "} {
		if strings.HasPrefix(rest, m) {
			return true
		}
	}
	return false
}
