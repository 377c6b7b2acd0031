package swift

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
	tMacro                   // #name
	tNumber
	tString // literal without interpolation, or a regular expression
	tOp
	tOpen  // ( [ {, the start of a literal with interpolation, \( in it
	tClose // the ends of those
)

// token is a lexeme. The tokens of a text are balanced: every tOpen has its
// tClose, which is empty where the text lacks it.
type token struct {
	kind       tokenKind
	nl         bool // first of its line
	start, end uint32
	match      int32 // index of the other bracket
	up         int32 // index of the bracket it stands in, or -1
	line       int32 // counts the lines of code, those in literals left out
	indent     int32 // of its line, in bytes
	doc        int32 // index in lexer.docs of the comment right before it, or -1
	text       string
}

// maxNested bounds interpolations in interpolations, and maxRetries the
// literals that are read again because they have no end.
const (
	maxNested  = 60
	maxRetries = 40
)

type lexer struct {
	src      []byte
	all      string
	pos      int
	toks     []token
	docs     []facts.Span
	damage   []facts.Span
	header   facts.Span // first run of comments of the file
	comments []facts.Span
	pending  int32
	behind   bool // the comment pending stands behind code
	nl       bool
	line     int32
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
		kind: kind, nl: x.nl, start: uint32(start), end: uint32(end), match: -1, up: -1, line: x.line, indent: x.indent, doc: x.pending, text: x.all[start:end],
	})
	x.nl, x.pending, x.behind = false, -1, false
	x.pos = end
}

// code reads tokens up to the end of the text or, in an interpolation, up to the
// bracket that closes it, and tells whether it met that.
func (x *lexer) code(nested bool) bool {
	open := 0
	lineStart := bytes.LastIndexByte(x.src[:x.pos], '\n') + 1
	for x.pos < len(x.src) {
		c := x.src[x.pos]
		switch {
		case c == '\n':
			if x.behind {
				x.pending, x.behind = -1, false
			}
			x.pos++
			x.line++
			lineStart = x.pos
			x.nl = true
			x.conflict()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			x.pos++
		case c == '/' && x.at("//"):
			x.lineComment()
		case c == '/' && x.at("/*"):
			x.comment()
			lineStart = max(lineStart, bytes.LastIndexByte(x.src[:x.pos], '\n')+1)
		case c == '#' && x.nl && x.directive():
		default:
			if x.nl {
				line := x.src[lineStart:]
				x.indent = int32(len(line) - len(bytes.TrimLeft(line, " \t")))
			}
			if nested && c == ')' && open == 0 {
				return true
			}
			switch c {
			case '(':
				open++
			case ')':
				open--
			}
			x.token(c)
		}
	}
	return false
}

func (x *lexer) at(s string) bool { return strings.HasPrefix(x.all[x.pos:], s) }

// conflict skips a line with which version control marks a conflict.
func (x *lexer) conflict() {
	for _, mark := range []string{"<<<<<<< ", "=======\n", "=======\r", ">>>>>>> ", "||||||| "} {
		if x.at(mark) {
			end := x.lineEnd(x.pos)
			x.damage = append(x.damage, facts.Span{Start: uint32(x.pos), End: uint32(end)})
			x.pos = end
			return
		}
	}
}

// directive skips the line of a conditional compilation, each branch of which
// holds whole declarations or statements.
func (x *lexer) directive() bool {
	end := wordEnd(x.src, x.pos+1)
	switch x.all[x.pos+1 : end] {
	case "if", "elseif", "else", "endif", "sourceLocation":
	default:
		return false
	}
	for end = x.lineEnd(x.pos); end < len(x.src); end = x.lineEnd(end + 1) {
		line := bytes.TrimRight(x.src[x.pos:end], " \t\r")
		if !bytes.HasSuffix(line, []byte("&&")) && !bytes.HasSuffix(line, []byte("||")) {
			break
		}
	}
	x.pos = end
	x.pending = -1
	return true
}

// lineComment takes a comment of one line; lines of documentation one below the
// other are one comment.
func (x *lexer) lineComment() {
	start := x.pos
	x.pos = x.lineEnd(x.pos)
	span := facts.Span{Start: uint32(start), End: uint32(x.pos)}
	if len(x.toks) == 0 && (x.header.End == 0 || x.header.End > 0 && blank(x.all[x.header.End:start])) {
		if x.header.End == 0 {
			x.header.Start = span.Start
		}
		x.header.End = span.End
	}
	x.comments = append(x.comments, span)
	if !strings.HasPrefix(x.all[start:], "///") || strings.HasPrefix(x.all[start:], "////") {
		return
	}
	if x.pending >= 0 && !x.behind {
		if last := &x.docs[x.pending]; x.src[last.Start+1] == '/' && blank(x.all[last.End:start]) {
			last.End = span.End
			return
		}
	}
	x.docs = append(x.docs, span)
	x.pending = int32(len(x.docs) - 1)
	x.behind = !x.nl && len(x.toks) > 0
}

// blank tells whether a text is the white space between two lines.
func blank(s string) bool {
	return strings.TrimSpace(s) == "" && strings.Count(s, "\n") <= 1
}

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

func (x *lexer) token(c byte) {
	start := x.pos
	switch {
	case c == '"':
		x.literal(0)
		return
	case c == '#':
		k := start
		for k < len(x.src) && x.src[k] == '#' {
			k++
		}
		if k < len(x.src) && x.src[k] == '"' {
			x.literal(k - start)
			return
		}
		if k < len(x.src) && x.src[k] == '/' && x.extendedRegex(k-start) {
			return
		}
		if end := wordEnd(x.src, start+1); end > start+1 {
			x.emit(tMacro, start, end)
			return
		}
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
	case c == '/' && x.regex():
		return
	}
	if end := wordEnd(x.src, start); end > start {
		x.emit(tWord, start, end)
		return
	}
	x.operator(c)
}

// operator reads an operator. Signs that brackets of types and optional chains
// are made of stand alone.
func (x *lexer) operator(c byte) {
	start := x.pos
	for _, op := range []string{"->", "...", "..<", "<=", ">=", "<<=", "<<", "??", "!==", "!=", "&&", "||"} {
		if x.at(op) && !(c == '!' && x.touches() && !strings.HasPrefix(op, "!=")) {
			x.emit(tOp, start, start+len(op))
			return
		}
	}
	if strings.IndexByte("<>?!.,:;@\\", c) >= 0 {
		x.emit(tOp, start, start+1)
		return
	}
	k := start
	for k < len(x.src) && strings.IndexByte("=-+*%&|^~/<>!?", x.src[k]) >= 0 {
		if k > start && x.src[k] == '/' && k+1 < len(x.src) && (x.src[k+1] == '/' || x.src[k+1] == '*') {
			break
		}
		// The last of A&, B= and the like before a type.
		if k > start && (x.src[k] == '>' || x.src[k] == '<' || x.src[k] == '?') && x.src[k-1] != '=' && x.src[k-1] != '~' && x.src[k-1] != '^' {
			break
		}
		k++
	}
	if k > start {
		x.emit(tOp, start, k)
		return
	}
	_, n := utf8.DecodeRune(x.src[start:])
	x.emit(tOp, start, start+n)
}

// touches tells whether the last token ends right here.
func (x *lexer) touches() bool {
	n := len(x.toks)
	return n > 0 && int(x.toks[n-1].end) == x.pos && !x.nl
}

// wordEnd is the end of the identifier at an offset, or the offset.
func wordEnd(src []byte, at int) int {
	for at < len(src) {
		c := src[at]
		switch {
		case c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			at++
		case c < utf8.RuneSelf:
			return at
		default:
			r, n := utf8.DecodeRune(src[at:])
			// Emoji may stand in names.
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r < 0x1F000 && r != 0x200D && r != 0xFE0F {
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
