package kotlin

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
	tNumber
	tChar
	tString // literal without templates
	tOp
	tOpen  // ( [ {, the start of a literal with templates, ${ in it
	tClose // the ends of those
)

// token is a lexeme. The tokens of a text are balanced: every tOpen has its
// tClose, which is empty where the text lacks it.
type token struct {
	kind       tokenKind
	nl         bool // first of its line
	start, end uint32
	match      int32 // index of the other bracket
	indent     int32 // of its line, in bytes
	doc        int32 // index in lexer.docs of the KDoc right before it, or -1
	text       string
}

// maxTemplates bounds templates in templates, and maxRetries the literals that
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
	behind   bool // the KDoc pending stands behind code
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
		x.pos = x.lineEnd(x.pos)
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

// code reads tokens up to the end of the text or, in a template, up to the brace
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
		if k := bytes.Index(x.src[start+2:], []byte("*/")); k >= 0 {
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

var operators = []string{
	"===", "!==", "..<", "?.", "?:", "!!", "::", "->", "..", "==", "!=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "<=",
}

func (x *lexer) token(c byte) {
	start := x.pos
	switch {
	case c == '"':
		x.literal(0)
		return
	case c == '$':
		k := start
		for k < len(x.src) && x.src[k] == '$' {
			k++
		}
		if k < len(x.src) && x.src[k] == '"' {
			x.literal(k - start)
			return
		}
		x.emit(tWord, start, k)
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
	case c == '@' && start > 0 && len(x.toks) > 0 && int(x.toks[len(x.toks)-1].end) == start && x.toks[len(x.toks)-1].kind <= tQuoted:
		x.label()
		return
	}
	if end := wordEnd(x.src, start); end > start {
		x.emit(tWord, start, end)
		return
	}
	if !x.at("?::") {
		for _, op := range operators {
			if x.at(op) {
				x.emit(tOp, start, start+len(op))
				return
			}
		}
	}
	_, n := utf8.DecodeRune(x.src[start:])
	x.emit(tOp, start, start+n)
}

// wordEnd is the end of the identifier at an offset, or the offset.
func wordEnd(src []byte, at int) int {
	for at < len(src) {
		c := src[at]
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			at++
		case c < utf8.RuneSelf:
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

// label drops "name@" before a loop or lambda and "@name" behind a jump, this
// or super.
func (x *lexer) label() {
	last := &x.toks[len(x.toks)-1]
	switch last.text {
	case "return", "break", "continue", "this", "super":
		x.pos = max(x.pos+1, wordEnd(x.src, x.pos+1))
	default:
		x.nl, x.pending = last.nl, last.doc
		x.toks = x.toks[:len(x.toks)-1]
		x.pos++
	}
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

func (x *lexer) character() {
	for k := x.pos + 1; k < len(x.src) && k < x.pos+14 && x.src[k] != '\n'; k++ {
		switch x.src[k] {
		case '\\':
			k++
		case '\'':
			x.emit(tChar, x.pos, k+1)
			return
		}
	}
	x.damage = append(x.damage, facts.Span{Start: uint32(x.pos), End: uint32(x.pos + 1)})
	x.emit(tOp, x.pos, x.pos+1)
}

// literal reads a string; dollars counts those before its quote, which say how
// many start a template (Kotlin 2.2), 0 for one.
func (x *lexer) literal(dollars int) {
	start := x.pos
	x.pos += dollars
	raw := x.at(`"""`)
	quote := 1
	if raw {
		quote = 3
	}
	mark := len(x.toks)
	nl, pending, indent := x.nl, x.pending, x.indent
	if x.templates(start, quote, max(dollars, 1), raw) {
		return
	}
	// No end: the quote is stray or one is missing. What is on its line goes.
	x.retries++
	x.toks = x.toks[:mark]
	x.nl, x.pending, x.indent = nl, pending, indent
	end := x.lineEnd(start)
	x.damage = append(x.damage, facts.Span{Start: uint32(start), End: uint32(end)})
	x.emit(tString, start, end)
}

// templates reads a literal up to its end, with the code in it, and tells
// whether it has one.
func (x *lexer) templates(start, quote, dollars int, raw bool) bool {
	open := -1
	body := start
	k := x.pos + quote
	begin := func() {
		if open < 0 {
			open = len(x.toks)
			x.emit(tOpen, start, body)
			x.toks[open].text = `"`
		}
	}
	finish := func(end int) bool {
		if open < 0 {
			x.emit(tString, start, end)
			return true
		}
		x.emit(tClose, end-quote, end)
		x.toks[len(x.toks)-1].text = `"`
		return true
	}
	for k < len(x.src) {
		c := x.src[k]
		switch {
		case c == '\\' && !raw:
			k += 2
		case c == '\n' && !raw:
			return false
		case c == '"' && !raw:
			return finish(k + 1)
		case c == '"' && strings.HasPrefix(x.all[k:], `"""`):
			k += 3
			for k < len(x.src) && x.src[k] == '"' {
				k++
			}
			return finish(k)
		case c == '$':
			from := k
			for k < len(x.src) && x.src[k] == '$' {
				k++
			}
			if k-from < dollars || k >= len(x.src) || x.depth >= maxTemplates || x.retries > maxRetries {
				continue
			}
			body = k
			if end := wordEnd(x.src, k); end > k && (x.src[k] < '0' || x.src[k] > '9') {
				begin()
				x.bracket(tOpen, k, k)
				x.emit(tWord, k, end)
				x.bracket(tClose, end, end)
				k = end
			} else if x.src[k] == '{' {
				begin()
				x.bracket(tOpen, k, k+1)
				x.depth++
				closed := x.code(true)
				x.depth--
				if !closed {
					return false
				}
				x.bracket(tClose, x.pos, x.pos+1)
				k = x.pos
			}
		default:
			k++
		}
	}
	return false
}

func (x *lexer) bracket(kind tokenKind, start, end int) {
	x.emit(kind, start, end)
	x.toks[len(x.toks)-1].text = "$"
}
