package scala

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
	inObject
	inBody
)

// context is the type whose members are read.
type context struct {
	place     place
	name      string
	container string // stands in for the name of the enclosing definition
	prefix    string // of the signatures: the extension clause
}

type walker struct {
	b     *lang.Builder
	x     *lexer
	toks  []token
	depth int
	ctx   context
	// packages says that a package is a definition of its own, for it is one of
	// several.
	packages bool
	// infix is the token of the last infix call.
	infix int
	// shaping is the depth of shapes in shapes.
	shaping int
}

// tok is the token at an index; outside there are empty ones.
func (w *walker) tok(i int) *token {
	if i < 0 || i >= len(w.toks) {
		return &token{kind: tOp, nl: true, match: -1, doc: -1}
	}
	return &w.toks[i]
}

func (w *walker) is(i int, text string) bool {
	t := w.tok(i)
	return t.text == text && t.kind != tQuoted && t.kind != tString
}

// isName tells an identifier from a keyword; operators are names too.
func (w *walker) isName(i int) bool {
	t := w.tok(i)
	return t.kind == tQuoted || t.kind == tWord && !isKeyword(t.text) || t.kind == tSymbol && !isReserved(t.text)
}

// isDefined is isName for what follows a keyword of Scala 2, which knew no given
// and no then.
func (w *walker) isDefined(i int) bool { return w.isName(i) || w.is(i, "given") || w.is(i, "then") }

// isWord is isName without operators.
func (w *walker) isWord(i int) bool { return w.tok(i).kind != tSymbol && w.isName(i) }

// isReserved tells the operators that are no names.
func isReserved(op string) bool {
	switch op {
	case ":", "=", "=>", "<-", "<:", ">:", "<%", "#", "@", "?=>", "=>>", "⇒", "←":
		return true
	}
	return false
}

func (w *walker) isArrow(i int) bool { return w.is(i, "=>") || w.is(i, "⇒") || w.is(i, "?=>") }

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

func (w *walker) file() {
	if s := w.x.header; s.End > 0 && (len(w.toks) == 0 || w.is(0, "package")) {
		text := lang.CleanComment(string(w.b.Source[s.Start:s.End]))
		if !lang.LooksLikeLicense(text) {
			w.b.SetSummary(describe(text))
		}
	}
	w.items(0, len(w.toks))
}

// items walks definitions and expressions.
func (w *walker) items(i, end int) {
	for i < end {
		i = max(w.item(i, end), i+1)
	}
}

// starts tells whether a statement can start at a token.
func (w *walker) starts(i int) bool {
	if w.tok(i).nl {
		return true
	}
	switch w.tok(i - 1).text {
	case ";", "{", "=>", "":
		return true
	}
	return false
}

// item walks one definition or one step of an expression and gives the index
// after it.
func (w *walker) item(i, end int) int {
	t := w.tok(i)
	switch {
	case t.kind == tWord:
		switch t.text {
		case "package":
			if !w.is(i+1, "object") {
				return w.packageClause(i, end)
			}
		case "import":
			return w.importClause(i, end, false)
		case "export":
			if w.starts(i) && (w.isName(i+1) || w.is(i+1, "this")) && !w.is(i+1, "=") {
				return w.importClause(i, end, true)
			}
		case "end":
			if t.nl && !w.tok(i+1).nl && w.tok(i+1).kind <= tSymbol && (w.tok(i+2).nl || i+2 >= end) {
				return i + 2
			}
		case "case":
			if !w.is(i+1, "class") && !w.is(i+1, "object") {
				if w.ctx.place == inEnum {
					return w.enumCase(i, end)
				}
				return w.clause(i, end)
			}
		}
		fallthrough
	case t.text == "@" && t.kind == tSymbol:
		if next := w.declaration(i, end); next > i {
			return next
		}
	}
	return w.step(i, end)
}

// lineIndent is the indentation over which the lines below a statement belong to
// it.
func (w *walker) lineIndent(i int) int32 {
	t := w.tok(i)
	if !t.nl && (w.is(i-1, "{") || w.isArrow(i-1)) {
		for k := i + 1; k < len(w.toks) && k < i+200; k++ {
			if w.tok(k).nl {
				return w.tok(k).indent
			}
		}
	}
	return t.indent
}

// statementEnd is the index after the statement that starts at an index: it ends
// at the first line that is not indented deeper than its own and does not go on
// with it.
func (w *walker) statementEnd(i, end int, base int32) int {
	cases := int32(-1)
	for k := i; k < end; {
		t := w.tok(k)
		if t.nl && k > i && t.indent <= base {
			last := w.tok(k - 1)
			switch {
			case t.text == "case" && t.kind == tWord && (last.text == "match" || last.text == "catch"):
				cases = t.indent
			case t.text == "case" && t.kind == tWord && t.indent == cases:
			case w.goesOn(k):
			default:
				return k
			}
		}
		switch {
		case t.kind == tClose, t.text == ";" && t.kind == tOp:
			return k
		case t.kind == tOpen:
			k = w.closeOf(k)
		}
		k++
	}
	return end
}

// headStop is the end of a statement whose head starts before an index: a line
// below it that defines something ends a head without an equals sign.
func (w *walker) headStop(i, stop int) int {
	for k := i; k < stop; k++ {
		t := w.tok(k)
		switch {
		case t.nl && (t.kind == tWord && startsDeclaration(t.text) || t.text == "@"):
			return k
		case w.is(k, "="):
			return stop
		}
		k = w.closeOf(k)
	}
	return stop
}

// goesOn tells whether a line that starts with a token goes on with the
// statement before, though its indentation says nothing of it.
func (w *walker) goesOn(k int) bool {
	t, last := w.tok(k), w.tok(k-1)
	if t.kind == tWord && (startsDeclaration(t.text) || isSoftModifier(t.text) && w.tok(k+1).kind == tWord && (startsDeclaration(w.tok(k+1).text) || isSoftModifier(w.tok(k+1).text))) {
		return false
	}
	switch t.text {
	case "@", "given", "enum", "extension", "end":
		return false
	}
	if last.kind == tSymbol && last.text != ":" && last.text != "*" && last.text != "?" && last.text != "???" || last.text == "," || last.kind == tWord && (last.text == "extends" || last.text == "with") {
		return true
	}
	switch t.kind {
	case tWord:
		switch t.text {
		case "else", "catch", "finally", "yield", "then", "with", "extends", "match":
			return true
		case "derives":
			return w.isWord(k + 1)
		case "do":
			return w.is(k-1, ")") || !w.is(k+1, "{")
		}
	case tSymbol:
		return t.text != "@" && t.text != "#"
	case tOp:
		return t.text == "." || t.text == ","
	case tOpen:
		return t.text == "{" && w.b.Line(t.start) <= w.b.Line(last.end)+1
	}
	return false
}

// find is the index of an operator between brackets of a region, or -1.
func (w *walker) find(i, end int, op string) int {
	for ; i < end; i++ {
		t := w.tok(i)
		if t.kind == tOpen {
			i = w.closeOf(i)
			continue
		}
		if t.text == op && t.kind != tQuoted && t.kind != tString {
			return i
		}
	}
	return -1
}

// dotted is the index after "a.b.c".
func (w *walker) dotted(i, end int) int {
	for i < end && w.tok(i).kind <= tSymbol && w.is(i+1, ".") && w.tok(i+2).kind <= tSymbol && i+2 < end {
		i += 2
	}
	return min(i+1, end)
}

func (w *walker) packageClause(i, end int) int {
	var names []string
	next := i
	for k := i; k < end && w.is(k, "package") && w.isName(k+1); {
		next = w.dotted(k+1, end)
		name := strings.ReplaceAll(w.sign(k+1, next), "`", "")
		braced := w.is(next, "{")
		if !braced && !(w.is(next, ":") && w.tok(next+1).nl) {
			names = append(names, name)
			k = next
			continue
		}
		body, stop, last := next+1, 0, 0
		if braced {
			stop = w.closeOf(next)
			last = stop + 1
		} else {
			stop = w.statementEnd(body, end, w.tok(k).indent)
			last = w.endMarker(stop, end, w.tok(k).indent)
		}
		if last >= len(w.toks) && !w.packages && w.ctx.place == inFile && w.b.Enclosing() < 0 && k < 40 {
			// It is that of the file.
			names = append(names, name)
			w.b.SetPackage(strings.Join(names, "."))
			w.items(body, stop)
			return last
		}
		if len(names) > 0 {
			w.b.SetPackage(strings.Join(names, "."))
		}
		w.packages = true
		w.nested(func() {
			s := w.b.Symbol(facts.Symbol{
				Name: name, Kind: facts.KindModule, Span: w.span(k, last), NameSpan: w.span(k+1, next), Signature: w.sign(k, next),
			})
			w.b.Within(s, func() { w.items(body, stop) })
		})
		return last
	}
	if len(names) > 0 && w.ctx.place == inFile {
		w.b.SetPackage(strings.Join(names, "."))
	}
	return max(next, i+1)
}

// nested runs walk unless the nesting is too deep.
func (w *walker) nested(walk func()) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	walk()
	w.depth--
}

// endMarker is the index after "end name" at an index, where it stands.
func (w *walker) endMarker(k, end int, base int32) int {
	t := w.tok(k)
	if k < end && w.is(k, "end") && t.nl && t.indent == base && k+1 < end && !w.tok(k+1).nl && w.tok(k+1).kind <= tSymbol && (w.tok(k+2).nl || k+2 >= end) {
		return k + 2
	}
	return k
}

// sign is the text of some tokens on one line, without comments and
// annotations.
func (w *walker) sign(i, end int) string {
	var out strings.Builder
	last := -1
	for i < end && out.Len() < 2*facts.MaxSignature {
		t := w.tok(i)
		if t.text == "@" && t.kind == tSymbol {
			if next := w.skipAnnotation(i, end); next > i {
				i = next
				continue
			}
		}
		// A comma before the closing bracket is of the layout.
		if t.text == "," && w.is(i+1, ")") && i+1 < end {
			i++
			continue
		}
		if last >= 0 && t.start > w.tok(last).end && !w.is(last, "(") && !w.is(last, "[") && !(t.kind == tClose && t.text != "}") {
			out.WriteByte(' ')
		}
		if t.kind == tOpen && (t.text == "$" || t.text == `"`) {
			break
		}
		out.WriteString(t.text)
		last = i
		i++
	}
	return lang.Collapse(out.String())
}

// skipAnnotation is the index after the annotation at an index, which it gives
// back where there is none.
func (w *walker) skipAnnotation(i, end int) int {
	k := i + 1
	if k >= end || w.tok(k).kind > tQuoted || w.tok(k).nl {
		return i
	}
	k = w.dotted(k, end)
	if w.is(k, "[") && k < end {
		k = w.closeOf(k) + 1
	}
	for w.is(k, "(") && k < end && w.tok(k).start == w.tok(k-1).end {
		k = w.closeOf(k) + 1
	}
	return min(k, end)
}

// annotation records the references of an annotation and gives its simple name.
func (w *walker) annotation(i, end int) string {
	next := w.skipAnnotation(i, end)
	k := w.dotted(i+1, end)
	last := w.name(k - 1)
	w.typeName(k-1, facts.RefType, "")
	for ; k < next; k++ {
		if w.tok(k).kind == tOpen {
			stop := w.closeOf(k)
			if w.is(k, "[") {
				w.types(k+1, stop, facts.RefType)
			} else {
				w.nested(func() { w.expression(k+1, stop) })
			}
			k = stop
		}
	}
	return last
}

// types records the names of a type expression, the outermost with a kind.
func (w *walker) types(i, end int, kind facts.RefKind) {
	depth := 0
	for k := i; k < end; k++ {
		t := w.tok(k)
		switch {
		case t.kind == tOpen:
			depth++
		case t.kind == tClose:
			depth--
		case t.text == "@" && t.kind == tSymbol:
			w.typeAnnotation(k, end)
			k = max(k, w.skipAnnotation(k, end)-1)
		case w.is(k, "as") && w.isWord(k+1) && k+1 < end:
			k++
			w.b.Bind(w.name(k), w.tok(k).start, "", "")
		case !w.isName(k) || t.text == "_" || t.text == "*" || t.text == "&" || t.text == "|" || t.text == "?" || t.text == "+" || t.text == "-":
		case w.is(k+1, ":") && w.is(k-1, "(") || w.is(k+1, ":") && w.is(k-1, ",") || w.is(k-1, "type") || w.is(k-1, "val") || w.is(k-1, "def"):
			// The name of a parameter or of a member of a refinement.
		case (w.is(k+1, ".") || w.is(k+1, "#")) && k+1 < end:
			if looksLikeType(w.name(k)) && !w.is(k-1, ".") {
				w.typeName(k, facts.RefType, "")
			}
		default:
			r := kind
			if depth > 0 {
				r = facts.RefType
			}
			q := ""
			if w.is(k-1, ".") || w.is(k-1, "#") {
				q = w.before(k - 2)
			}
			w.typeName(k, r, q)
		}
	}
}

func (w *walker) typeAnnotation(i, end int) {
	if k := w.dotted(i+1, end); k > i+1 {
		w.typeName(k-1, facts.RefType, "")
	}
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
	case "_", "*", "?", "Any", "AnyRef", "AnyVal", "Unit", "Nothing", "Null", "String", "Int", "Long", "Short", "Byte", "Char", "Boolean", "Double", "Float",
		"Option", "Some", "None", "List", "Nil", "Seq", "Set", "Map", "Vector", "Array", "Iterator", "Iterable", "IterableOnce", "Either", "Left", "Right",
		"Throwable", "Exception", "Product", "Serializable", "Function0", "Function1", "Function2", "PartialFunction", "BigInt", "BigDecimal",
		"tailrec", "main", "inline", "nowarn", "deprecated", "unchecked", "specialized", "switch", "override":
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
