package sql

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/idl"
)

// Kinds of tokens besides those of the package idl.
const (
	quoted   = idl.Punct + 1 + iota // "x", `x`, [x]
	body                            // $$ … $$
	template                        // {{ … }}, {% … %}, ${ … }
)

const (
	keptOfData      = 40 // tokens of an INSERT
	keptOfStatement = 20_000
	// maxOpen bounds how often the end of a dollar quote is searched in vain.
	maxOpen  = 64
	maxMarks = 4000
)

// statement is a range of tokens. end is the offset behind its last token,
// which may be one that was not kept.
type statement struct {
	from, to int
	end      uint32
}

// mark is a comment or template that names something: a query, a migration's
// direction, a macro.
type mark struct {
	name, text string
	span       facts.Span
	token      int // index of the next token
	query      bool
}

// lexer splits a text into statements of any dialect. What it cannot know
// without the dialect it decides by what the text shows, and every decision
// that can go wrong ends at the next line that starts with CREATE.
type lexer struct {
	t          *idl.Tokens
	src        []byte
	at         int
	first      bool // no token on this line yet
	lineStart  int
	delim      string
	whole      bool // between StatementBegin and StatementEnd of goose
	escapes    bool // backslashes escape in strings
	from       int  // first token of the statement
	last       uint32
	parens     int
	block      blocks
	do         string // tag of the dollar quotes around a DO block
	openTags   int
	noComment  bool // no */ follows
	noTemplate [3]bool
	statements []statement
	marks      []mark
	imports    []importLine
	macros     []macro
	models     []model
}

type importLine struct {
	file string
	at   uint32
}

func scan(src []byte) *lexer {
	l := &lexer{
		t: &idl.Tokens{Source: src}, src: src, delim: ";", first: true,
		escapes: bytes.IndexByte(src, '`') >= 0,
	}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		l.at, l.lineStart = 3, 3
	}
	for l.at < len(src) {
		l.next()
	}
	l.endStatement()
	return l
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 || c == '@' || c == '#' || c == '$'
}

func (l *lexer) lineEnd() int {
	if k := bytes.IndexByte(l.src[l.at:], '\n'); k >= 0 {
		return l.at + k
	}
	return len(l.src)
}

// line is the rest of the line without its end.
func (l *lexer) line() string {
	end := min(l.lineEnd(), l.at+400)
	return strings.TrimRight(strings.ToValidUTF8(string(l.src[l.at:end]), ""), "\r")
}

func (l *lexer) add(k idl.Kind, end int) {
	start := l.at
	first, flush := l.first, start == l.lineStart
	l.at, l.first = end, false
	l.last = uint32(end)
	if n := bytes.LastIndexByte(l.src[start:end], '\n'); n >= 0 {
		l.lineStart = start + n + 1
	}
	n := len(l.t.All) - l.from
	if n >= keptOfStatement || n >= keptOfData && l.isData() {
		return
	}
	l.t.All = append(l.t.All, idl.Token{
		Kind: k, First: first, Flush: flush, Start: uint32(start), End: uint32(end), Comment: int32(len(l.t.Comments)),
	})
}

// isData tells statements that hold rows rather than structure.
func (l *lexer) isData() bool {
	return l.is(l.from, "insert") || l.is(l.from, "replace") || l.is(l.from, "upsert") || l.is(l.from, "values") || l.is(l.from, "copy")
}

func (l *lexer) is(i int, word string) bool { return isKeyword(l.t, i, word) }

func isKeyword(t *idl.Tokens, i int, word string) bool {
	k := t.At(i)
	return int(k.End-k.Start) == len(word) && (k.Kind == idl.Word || k.Kind == idl.Punct) &&
		strings.EqualFold(string(t.Source[k.Start:k.End]), word)
}

func (l *lexer) endStatement() {
	if n := len(l.t.All); n > l.from {
		l.statements = append(l.statements, statement{l.from, n, l.last})
		if l.is(l.from, "copy") && l.at < len(l.src) {
			l.rows(n)
		}
	}
	l.from = len(l.t.All)
	l.parens = 0
	l.block = blocks{}
}

// rows passes the data that follows COPY … FROM stdin, up to the line \.
func (l *lexer) rows(n int) {
	stdin := false
	for i := l.from; i < n; i++ {
		stdin = stdin || l.is(i, "stdin")
	}
	if !stdin {
		return
	}
	if k := bytes.Index(l.src[l.at:], []byte("\n\\.")); k >= 0 {
		l.at += k + 1
		l.at = l.lineEnd()
	}
}

func (l *lexer) next() {
	src, c := l.src, l.src[l.at]
	rest := src[l.at:]
	switch {
	case c == '\n':
		l.at++
		l.first, l.lineStart = true, l.at
		return
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.at++
		return
	case c == '-' && bytes.HasPrefix(rest, []byte("--")), c == '#' && l.hashComment(rest):
		l.comment(l.lineEnd())
		return
	case c == '/' && bytes.HasPrefix(rest, []byte("/*")):
		l.blockComment(rest)
		return
	case c == '*' && bytes.HasPrefix(rest, []byte("*/")):
		l.at += 2
		return
	case l.first && l.lineCommand(c):
		return
	case c == '{' && l.templates(rest):
		return
	}
	if l.delim != ";" && bytes.HasPrefix(rest, []byte(l.delim)) {
		l.at += len(l.delim)
		l.endStatement()
		return
	}
	if l.first && c == '/' && strings.TrimSpace(l.line()) == "/" {
		l.at++
		l.endStatement()
		return
	}
	switch {
	case c == '\'':
		l.string()
	case c == '"':
		l.doubleQuoted()
	case c == '`':
		l.add(quoted, l.closing('`', 1))
	case c == '[' && l.bracketed(rest):
	case c == '$' && l.dollar(rest):
	case isWord(c):
		l.word()
	case c == ':' && l.variable(rest):
	default:
		l.punct(c)
	}
}

// hashComment tells the comments of MySQL from names of temporary tables and
// operators: at the start of a line, or anywhere among names in backticks.
func (l *lexer) hashComment(rest []byte) bool {
	if !l.first && !(l.escapes && (l.src[l.at-1] == ' ' || l.src[l.at-1] == '\t')) {
		return false
	}
	return len(rest) == 1 || rest[1] == ' ' || rest[1] == '#' || rest[1] == '\n' || rest[1] == '\r' || rest[1] == '!' || rest[1] == '-'
}

func (l *lexer) punct(c byte) {
	switch c {
	case '(':
		l.parens++
	case ')':
		l.parens = max(0, l.parens-1)
	case ';':
		l.block.settle("")
		l.at++
		l.first = false
		if l.delim == ";" && !l.whole && !l.block.open() {
			l.last = uint32(l.at)
			l.endStatement()
		}
		return
	}
	l.block.settle("")
	l.add(idl.Punct, l.at+1)
}

func (l *lexer) word() {
	end := l.at
	for end < len(l.src) && isWord(l.src[end]) {
		end++
	}
	k := idl.Word
	if c := l.src[l.at]; c >= '0' && c <= '9' {
		k = idl.Number
	}
	w := ""
	if end-l.at <= 16 {
		w = strings.ToLower(string(l.src[l.at:end]))
	}
	switch {
	case w == "go" && l.first && onlyCount(l.src[end:min(len(l.src), end+20)]):
		l.at = l.lineEnd()
		l.block.settle("")
		l.endStatement()
		return
	case w == "create" && l.first && l.from < len(l.t.All):
		flush := l.at == l.lineStart
		if flush && startsDefinition(l.src[end:]) || l.parens == 0 && !l.block.open() {
			l.endStatement()
		}
	case w == "alter" && l.first && l.parens == 0 && !l.block.open() && l.from < len(l.t.All) && nextWord(l.src[end:]) == "table":
		l.endStatement()
	}
	l.block.settle(w)
	if l.parens == 0 && len(l.t.All)-l.from < keptOfStatement {
		l.block.word(l, w, l.src[end:])
	} else {
		l.block.nested(w)
	}
	l.add(k, end)
}

// onlyCount tells whether nothing but a number stands before the line's end.
func onlyCount(rest []byte) bool {
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return len(bytes.Trim(line, " \t\r;0123456789")) == 0
}

// nextWord is the word that follows in lower case, "" for anything else.
func nextWord(rest []byte) string {
	rest = bytes.TrimLeft(rest[:min(len(rest), 200)], " \t\r\n")
	n := 0
	for n < len(rest) && n < 20 && isWord(rest[n]) {
		n++
	}
	return strings.ToLower(string(rest[:n]))
}

// startsDefinition tells whether what follows CREATE makes an object that
// outlives a routine.
func startsDefinition(rest []byte) bool {
	for range 8 {
		rest = bytes.TrimLeft(rest[:min(len(rest), 300)], " \t\r\n")
		w := nextWord(rest)
		if w == "" {
			return false
		}
		rest = rest[len(w):]
		switch w {
		case "table":
			rest = bytes.TrimLeft(rest, " \t")
			return len(rest) > 0 && rest[0] != '#' && rest[0] != '@'
		case "view", "function", "procedure", "proc", "trigger", "package", "schema", "type", "sequence", "index", "domain":
			return true
		case "temp", "temporary", "global", "local":
			return false
		}
	}
	return false
}

func (l *lexer) comment(end int) {
	from := l.at
	if end > from && l.src[end-1] == '\r' {
		end--
	}
	c := idl.Comment{Span: facts.Span{Start: uint32(from), End: uint32(end)}, First: l.first}
	l.at = end
	l.marked(c)
	l.t.Comments = append(l.t.Comments, c)
}

func (l *lexer) blockComment(rest []byte) {
	if bytes.HasPrefix(rest, []byte("/*!")) {
		// MySQL runs what stands in such a comment.
		n := 3
		for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9') {
			n++
		}
		l.at += n
		return
	}
	k := -1
	if !l.noComment {
		k = bytes.Index(rest[2:], []byte("*/"))
		l.noComment = k < 0
	}
	if k < 0 {
		l.at = l.lineEnd()
		return
	}
	start := l.at
	l.comment(l.at + k + 4)
	if n := bytes.LastIndexByte(l.src[start:l.at], '\n'); n >= 0 {
		l.lineStart = start + n + 1
	}
}

// lineCommand reads what clients take for themselves: psql's \i, SQL*Plus'
// @file and PROMPT, DELIMITER and source of mysql, :r of sqlcmd.
func (l *lexer) lineCommand(c byte) bool {
	switch c {
	case '\\', '@', ':', 'd', 'D', 's', 'S', 'p', 'P', 'r', 'R', '!', '.':
	default:
		return false
	}
	line := l.line()
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	start := l.from == len(l.t.All)
	file := ""
	switch lower := strings.ToLower(word); {
	case lower == "delimiter" && rest != "" && len(rest) < 20:
		l.at = l.lineEnd()
		l.delim, _, _ = strings.Cut(rest, " ")
		l.endStatement()
		return true
	case c == '\\':
		switch lower {
		case `\i`, `\ir`, `\include`, `\include_relative`:
			file = rest
		}
	case lower == ":setvar" || lower == ":on" || lower == ":connect" || lower == ":out":
	case lower == ":r" || (lower == "source" || lower == ".read") && start && strings.Contains(rest, "."):
		file = rest
	case c == '@' && start && len(line) > 1 && strings.Contains(line, ".") && !strings.ContainsAny(line, "=("):
		file = strings.TrimLeft(line, "@")
	case (lower == "prompt" || lower == "rem" || lower == "remark") && start, c == '.' && start:
	default:
		return false
	}
	if file = strings.Trim(strings.TrimRight(file, "; "), `'"`); file != "" && !strings.ContainsAny(file, "$%:&") {
		l.imports = append(l.imports, importLine{file, uint32(l.at)})
	}
	l.at = l.lineEnd()
	return true
}
