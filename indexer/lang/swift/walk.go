package swift

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxDepth bounds the recursion into blocks; deeper ones are read flat.
const maxDepth = 800

// place is what the walk stands in.
type place uint8

const (
	inFile place = iota
	inType
	inEnum
	inProtocol
	inBody
)

// context is the type whose members are read.
type context struct {
	place      place
	name       string
	container  string           // of an extension, which is no definition
	visibility facts.Visibility // of members that state none
	main       bool             // the program starts in the type
}

type walker struct {
	b       *lang.Builder
	x       *lexer
	toks    []token
	depth   int
	damaged bool
	ctx     context
	// blocks are the braces of statements, which make no closure.
	blocks map[int]bool
	// shaping is the depth of shapes in shapes.
	shaping int
	// described says that the first type at the level of the file has been met,
	// statements that the file does something, manifest that it describes a
	// package.
	described, statements, manifest bool
}

// tok is the token at an index; outside there are empty ones.
func (w *walker) tok(i int) *token {
	if i < 0 || i >= len(w.toks) {
		return &token{kind: tOp, nl: true, match: -1, up: -1, doc: -1}
	}
	return &w.toks[i]
}

func (w *walker) is(i int, text string) bool {
	t := w.tok(i)
	return t.text == text && t.kind != tQuoted && t.kind != tString
}

// isName tells an identifier from a keyword.
func (w *walker) isName(i int) bool {
	t := w.tok(i)
	return t.kind == tQuoted || t.kind == tWord && !isKeyword(t.text) && t.text[0] != '$'
}

func (w *walker) isWord(i int) bool { return w.tok(i).kind <= tQuoted }

// touches tells whether a token stands right behind the one before.
func (w *walker) touches(i int) bool {
	return i > 0 && i < len(w.toks) && w.toks[i-1].end == w.toks[i].start && !w.toks[i].nl
}

func (w *walker) name(i int) string { return strings.Trim(w.tok(i).text, "`") }

// closeOf is the index of the bracket that ends the one at an index.
func (w *walker) closeOf(i int) int {
	if t := w.tok(i); t.kind == tOpen && int(t.match) > i {
		return int(t.match)
	}
	return i
}

func (w *walker) span(i, end int) facts.Span {
	if i >= end {
		return facts.Span{Start: w.tok(i).start, End: w.tok(i).start}
	}
	return facts.Span{Start: w.tok(i).start, End: max(w.tok(i).start, w.tok(end-1).end)}
}

// isKeyword tells the words that are no names.
func isKeyword(word string) bool {
	switch word {
	case "class", "deinit", "enum", "extension", "func", "import", "init", "inout", "let", "operator", "precedencegroup", "protocol",
		"struct", "subscript", "typealias", "associatedtype", "var", "fileprivate", "internal", "private", "public", "static",
		"break", "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat",
		"return", "throw", "switch", "where", "while", "as", "false", "is", "nil", "self", "super", "throws", "true", "try", "rethrows", "_":
		return true
	}
	return false
}

// items walks declarations and statements.
func (w *walker) items(i, end int) {
	level := int32(-1) // indentation of the declarations
	for i < end {
		t := w.tok(i)
		if w.damaged && t.nl && w.ctx.place != inBody && w.x.startsDeclarationOf(w.toks, i) {
			if level >= 0 && t.indent > level {
				// Left over from a body that lost its brace.
				next := i
				w.body(i, end, func() { next = w.item(i, end) })
				i = max(next, i+1)
				continue
			}
			level = t.indent
		}
		i = w.item(i, end)
	}
}

func (x *lexer) startsDeclarationOf(toks []token, i int) bool {
	y := lexer{toks: toks}
	return y.startsDeclaration(i)
}

// item walks one declaration or one step of an expression and gives the index
// after it, which is always greater.
func (w *walker) item(i, end int) int {
	if t := w.tok(i); (t.kind == tWord || t.text == "@" && t.kind == tOp) && w.statementStarts(i) {
		if next := w.declaration(i, end); next > i {
			return next
		}
		if w.ctx.place == inFile && t.up < 0 && t.nl && t.text != "@" {
			w.statements = true
		}
	} else if w.ctx.place == inFile && t.up < 0 && t.nl && t.kind == tWord {
		w.statements = true
	}
	return max(w.step(i, end), i+1)
}

// statementStarts tells whether a declaration can stand at a token.
func (w *walker) statementStarts(i int) bool {
	t, last := w.tok(i), w.tok(i-1)
	if last.kind == tOp {
		switch last.text {
		case ";":
			return true
		case ":": // of a case
			return t.nl || w.b.InBody()
		case ".", "\\", "&", "->", "=":
			// Valid text has none here, an unfinished one may.
			return t.nl && w.declares(i)
		case ",":
			return t.nl && t.text != "let" && t.text != "var" && t.text != "@" && t.text != "case" && w.declares(i)
		}
		return t.nl
	}
	if last.kind == tWord {
		switch last.text {
		case "in":
			return true
		case "if", "guard", "while", "case", "for", "catch", "switch", "is", "as":
			return false
		}
	}
	return t.nl || last.kind == tOpen && last.text == "{" || last.kind == tClose && (last.text == "}" || last.text == ")" && t.kind == tWord && isDeclarator(t.text))
}

// declares tells whether the tokens from an index on are a whole head of a
// declaration.
func (w *walker) declares(i int) bool {
	if !w.x.startsDeclarationOf(w.toks, i) {
		return false
	}
	_, _, ok := w.header(i, len(w.toks))
	return ok
}

// isDeclarator tells the keywords that introduce a declaration and nothing else.
func isDeclarator(word string) bool {
	switch word {
	case "func", "var", "let", "struct", "class", "enum", "protocol", "extension", "typealias", "import":
		return true
	}
	return false
}

// sign is the text of some tokens on one line, without comments and
// attributes.
func (w *walker) sign(i, end int) string {
	var out strings.Builder
	last := -1
	for i < end && out.Len() < 2*facts.MaxSignature {
		t := w.tok(i)
		if t.text == "@" && t.kind == tOp {
			if next := w.skipAttribute(i, end); next > i {
				i = next
				continue
			}
		}
		// A comma before the closing bracket is of the layout.
		if t.text == "," && w.is(i+1, ")") && i+1 < end {
			i++
			continue
		}
		if last >= 0 && t.start > w.tok(last).end && !(w.is(last, "(") || t.text == ")" && t.kind == tClose) {
			out.WriteByte(' ')
		}
		if t.kind == tOpen && (t.text == "$" || t.text == `"`) {
			return lang.Collapse(out.String())
		}
		out.WriteString(t.text)
		if t.kind == tOpen && t.text == "{" {
			// What a block holds is of no declaration.
			if w.closeOf(i) > i+1 {
				out.WriteString("…")
			}
			i = w.closeOf(i)
			if w.tok(i).start == w.tok(i).end {
				break
			}
			out.WriteString("}")
			last = i
			i++
			continue
		}
		last = i
		i++
	}
	return lang.Collapse(out.String())
}

// skipAttribute is the index after the attribute at an index, which it gives
// back where there is none.
func (w *walker) skipAttribute(i, end int) int {
	k := i + 1
	if k >= end || !w.isWord(k) {
		return i
	}
	for k+2 < end && w.is(k+1, ".") && w.isWord(k+2) && !w.tok(k+2).nl {
		k += 2
	}
	k++
	if w.is(k, "<") && w.touches(k) {
		if next := w.skipAngles(k, end); next > 0 {
			k = next
		}
	}
	// Arguments follow at once; before Swift 6 a blank was allowed for some.
	if w.is(k, "(") && w.touches(k) {
		k = w.closeOf(k) + 1
	}
	return min(k, end)
}

// attribute records the references of an attribute and gives its simple name.
func (w *walker) attribute(i, end int) string {
	next := w.skipAttribute(i, end)
	last := ""
	if w.depth > maxDepth {
		return last
	}
	w.depth++
	defer func() { w.depth-- }()
	for k := i + 1; k < next; k++ {
		switch {
		case w.is(k, "("):
			if looksLikeType(last) {
				w.expression(k+1, w.closeOf(k))
			}
			k = w.closeOf(k)
		case w.isWord(k) && !w.is(k+1, "."):
			last = w.name(k)
			if looksLikeType(last) {
				w.typeName(k, facts.RefType, "")
			}
		}
	}
	return last
}

// skipAngles is the index after the type arguments or parameters at an index,
// or 0 where they are none.
func (w *walker) skipAngles(i, end int) int {
	depth := 0
	for k := i; k < end && k < i+400; k++ {
		t := w.tok(k)
		switch {
		case t.kind <= tQuoted:
			if isKeyword(t.text) && t.text != "class" && t.text != "inout" && t.text != "where" && t.text != "let" && t.text != "self" && t.text != "throws" && t.text != "_" {
				return 0
			}
		case t.kind == tNumber:
		case t.text == "<":
			depth++
		case t.text == ">":
			if depth--; depth == 0 {
				return k + 1
			}
		case t.text == "(" || t.text == "[":
			k = w.closeOf(k)
		case t.kind == tOp && (strings.Contains(". , ? ! -> : @ & ~ == ...", t.text)):
		default:
			return 0
		}
	}
	return 0
}

// typeName records a type by its name, but for type parameters.
func (w *walker) typeName(i int, kind facts.RefKind, qualifier string) {
	name := w.name(i)
	if qualifier == "" && (w.b.Bound(name) || predeclared(name)) {
		return
	}
	w.b.Reference(kind, name, qualifier, w.tok(i).start)
}

// predeclared lists names that need no import and that programs do not define:
// as references they would only drown others.
func predeclared(name string) bool {
	switch name {
	case "_", "Any", "AnyObject", "Void", "Never", "Self", "String", "Substring", "Character", "Int", "Int8", "Int16", "Int32", "Int64",
		"UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Bool", "Double", "Float", "CGFloat", "Array", "Dictionary", "Set", "Optional",
		"Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable", "Sendable", "Error", "Copyable", "Escapable",
		"CustomStringConvertible", "CaseIterable", "Identifiable", "Sequence", "Collection", "IteratorProtocol", "AnyClass":
		return true
	}
	return false
}

// looksLikeType tells Name from name and NAME.
func looksLikeType(name string) bool {
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		return false
	}
	return utf8.RuneCountInString(name) == 1 || strings.ToUpper(name) != name
}

// body walks something in which definitions are local.
func (w *walker) body(i, end int, walk func()) {
	was := w.ctx
	w.ctx.place = inBody
	w.b.Body(w.span(i, end), walk)
	w.ctx = was
}

// inside walks the members of a type.
func (w *walker) inside(c context, walk func()) {
	was := w.ctx
	w.ctx = c
	walk()
	w.ctx = was
}
