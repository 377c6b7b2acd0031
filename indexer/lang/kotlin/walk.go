package kotlin

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
	inClass
	inInterface
	inObject // members belong to the object or, in a companion, to its class
	inBody
)

// context is the type whose members are read.
type context struct {
	place      place
	name       string
	superclass string
	container  string // stands in for the name of the enclosing definition
}

type walker struct {
	b       *lang.Builder
	x       *lexer
	toks    []token
	depth   int
	damaged bool
	ctx     context
	// whens are the braces of when, in which an arrow makes no lambda.
	whens map[int]bool
	// infix is the token of the last infix call.
	infix int
	// shaping is the depth of shapes in shapes.
	shaping int
	// described says that the first type at the level of the file has been met.
	described bool
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

// isName tells an identifier from a keyword.
func (w *walker) isName(i int) bool {
	t := w.tok(i)
	return t.kind == tQuoted || t.kind == tWord && !isKeyword(t.text)
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

// isKeyword tells the hard keywords.
func isKeyword(word string) bool {
	switch word {
	case "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null", "object",
		"package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var", "when", "while":
		return true
	}
	return false
}

func (w *walker) file() {
	if s := w.x.header; s.End > 0 && (len(w.toks) == 0 || w.is(0, "package") || w.is(0, "@") && w.is(1, "file")) {
		text := lang.CleanComment(string(w.b.Source[s.Start:s.End]))
		if !lang.LooksLikeLicense(text) {
			w.b.SetSummary(describe(text))
		}
	}
	w.items(0, len(w.toks))
}

// items walks declarations and expressions.
func (w *walker) items(i, end int) {
	level := int32(-1) // indentation of the declarations
	for i < end {
		t := w.tok(i)
		if t.nl && t.kind == tWord && startsDeclaration(t.text) && w.damaged && w.ctx.place != inBody {
			if level >= 0 && t.indent > level {
				// Left over from a body that lost its brace.
				next := i
				w.body(i, end, func() { next = w.item(i, end) })
				i = next
				continue
			}
			level = t.indent
		}
		i = w.item(i, end)
	}
}

// item walks one declaration or one step of an expression and gives the index
// after it, which is always greater.
func (w *walker) item(i, end int) int {
	t := w.tok(i)
	if t.kind == tWord || t.text == "@" && t.kind == tOp {
		if w.is(i, "package") && t.nl {
			return w.packageHeader(i, end)
		}
		if w.is(i, "import") && t.nl && w.isName(i+1) {
			return w.importHeader(i, end)
		}
		if next := w.declaration(i, end); next > i {
			return next
		}
	}
	return max(w.step(i, end), i+1)
}

func (w *walker) dotted(i, end int) (next int) {
	for i < end && w.tok(i).kind <= tQuoted && w.is(i+1, ".") && w.tok(i+2).kind <= tQuoted && !w.tok(i+2).nl {
		i += 2
	}
	return i + 1
}

func (w *walker) packageHeader(i, end int) int {
	next := min(w.dotted(i+1, end), end)
	if next > i+1 && w.tok(i+1).kind <= tQuoted {
		w.b.SetPackage(strings.ReplaceAll(w.sign(i+1, next), "`", ""))
	}
	return next
}

func (w *walker) importHeader(i, end int) int {
	next := min(w.dotted(i+1, end), end)
	module := strings.ReplaceAll(w.sign(i+1, next), "`", "")
	imp := facts.Import{Module: module}
	qualifier, last := "", next-1
	if next-2 > i+1 {
		qualifier = strings.ReplaceAll(w.sign(i+1, next-2), "`", "")
	}
	switch {
	case w.is(next, ".") && w.is(next+1, "*") && next+1 < end:
		imp.Names = []facts.ImportedName{{Name: "*"}}
		next += 2
	case w.is(next, "as") && w.isName(next+1) && next+1 < end:
		imp.Alias = w.name(next + 1)
		next += 2
		fallthrough
	default:
		w.b.Reference(facts.RefImport, w.name(last), qualifier, w.tok(last).start)
	}
	w.b.Import(imp, w.tok(i).start)
	return next
}

// sign is the text of some tokens on one line, without comments and
// annotations.
func (w *walker) sign(i, end int) string {
	var out strings.Builder
	last := -1
	for i < end && out.Len() < 2*facts.MaxSignature {
		t := w.tok(i)
		if t.text == "@" && t.kind == tOp {
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
		if last >= 0 && t.start > w.tok(last).end && !(w.is(last, "(") || t.text == ")" && t.kind == tClose) {
			out.WriteByte(' ')
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
		if t.kind == tOpen && (t.text == "$" || t.text == `"`) {
			return lang.Collapse(strings.TrimSuffix(out.String(), t.text))
		}
		last = i
		i++
	}
	return lang.Collapse(out.String())
}

// skipAnnotation is the index after the annotation at an index, which it gives
// back where there is none.
func (w *walker) skipAnnotation(i, end int) int {
	k := i + 1
	if w.isName(k) && w.is(k+1, ":") && !w.is(k+1, "::") && w.useSite(k) {
		k += 2
	}
	if w.is(k, "[") {
		return w.closeOf(k) + 1
	}
	if k >= end || w.tok(k).kind > tQuoted {
		return i
	}
	k = w.dotted(k, end)
	if w.is(k, "<") {
		if next := w.skipAngles(k, end); next > 0 {
			k = next
		}
	}
	if w.is(k, "(") && !w.tok(k).nl && w.tok(k).start == w.tok(k-1).end {
		k = w.closeOf(k) + 1
	}
	return min(k, end)
}

func (w *walker) useSite(i int) bool {
	switch w.tok(i).text {
	case "file", "field", "property", "get", "set", "receiver", "param", "setparam", "delegate", "all":
		return true
	}
	return false
}

// annotation records the references of an annotation and gives its simple name.
func (w *walker) annotation(i, end int) string {
	next := w.skipAnnotation(i, end)
	last := ""
	if w.depth > maxDepth {
		return last
	}
	w.depth++
	defer func() { w.depth-- }()
	for k := i + 1; k < next; k++ {
		t := w.tok(k)
		switch {
		case t.text == "(" && t.kind == tOpen:
			w.items(k+1, w.closeOf(k))
			k = w.closeOf(k)
		case t.kind <= tQuoted && !w.is(k+1, ".") && !(w.is(k+1, ":") && w.useSite(k)):
			last = w.name(k)
			w.typeName(k, facts.RefType, "")
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
			if isKeyword(t.text) && t.text != "in" && t.text != "out" && t.text != "class" {
				return 0
			}
		case t.text == "<":
			depth++
		case t.text == ">":
			if depth--; depth == 0 {
				return k + 1
			}
		case t.text == "(" || t.text == "[":
			k = w.closeOf(k)
		case t.kind == tOp && strings.Contains("., ? * -> : @ & ?.", t.text):
		default:
			return 0
		}
	}
	return 0
}

// typeExpr records the names in the type expression at an index, the outermost
// with a kind, and gives the index after it.
func (w *walker) typeExpr(i, end int, kind facts.RefKind) int {
	if w.depth > maxDepth {
		return i
	}
	w.depth++
	defer func() { w.depth-- }()
	for i < end {
		switch {
		case w.is(i, "@"):
			next := w.skipAnnotation(i, end)
			if next <= i {
				return i
			}
			w.annotation(i, end)
			i = next
			continue
		case w.is(i, "suspend") && (w.is(i+1, "(") || w.isName(i+1) || w.is(i+1, "@")):
			i++
			continue
		}
		break
	}
	if i >= end {
		return i
	}
	switch {
	case w.is(i, "("):
		stop := w.closeOf(i)
		for k := i + 1; k < stop; {
			next := k
			if w.isName(k) && w.is(k+1, ":") {
				next = k + 2
			}
			next = w.typeExpr(next, stop, facts.RefType)
			k = max(next, k+1)
		}
		i = stop + 1
	case w.isName(i):
		for {
			last := !(w.is(i+1, ".") && w.isName(i+2) && i+2 < end)
			if name := w.name(i); last || looksLikeType(name) {
				k := kind
				if !last {
					k = facts.RefType
				}
				q := ""
				if w.is(i-1, ".") && !w.is(i-2, ")") {
					q = w.before(i - 2)
				}
				w.typeName(i, k, q)
			}
			i++
			if w.is(i, "<") {
				i = w.typeArguments(i, end)
			}
			if !(w.is(i, ".") && w.isName(i+1) && i+1 < end) {
				break
			}
			i++
		}
	case w.is(i, "*"):
		return i + 1
	default:
		return i
	}
	for i < end && (w.is(i, "?") && !w.tok(i).nl || w.is(i, "!!")) {
		i++
	}
	switch {
	case i+1 < end && w.is(i, ".") && w.is(i+1, "("):
		return w.typeExpr(i+1, end, facts.RefType)
	case i < end && w.is(i, "->") && w.is(i-1, ")"):
		return w.typeExpr(i+1, end, facts.RefType)
	case i < end && w.is(i, "&") && !w.tok(i).nl:
		return w.typeExpr(i+1, end, kind)
	}
	return i
}

// typeArguments walks <...> and gives the index after it.
func (w *walker) typeArguments(i, end int) int {
	i++
	for i < end && !w.is(i, ">") {
		if t := w.tok(i); t.kind == tOpen && t.text == "{" || t.kind == tClose || t.text == "=" {
			return i
		}
		for w.is(i, "in") || w.is(i, "out") {
			i++
		}
		i = max(w.typeExpr(i, end, facts.RefType), i+1)
		for w.is(i, ",") {
			i++
		}
	}
	return min(i+1, end)
}

// typeParameters binds the names of <...> and walks their bounds.
func (w *walker) typeParameters(i, stop int) {
	depth := 0
	for k := i; k < stop; k++ {
		switch {
		case w.is(k, "<"):
			depth++
		case w.is(k, ">"):
			depth--
		}
		if depth == 1 && w.isName(k) && (w.is(k-1, "<") || w.is(k-1, ",") || w.tok(k-1).kind <= tQuoted) && !modifierOfParameter(w.tok(k).text, w.tok(k+1)) {
			w.b.Bind(w.name(k), w.tok(k).start, "", "")
		}
	}
	depth = 0
	for k := i; k < stop; k++ {
		switch {
		case w.is(k, "<"):
			depth++
		case w.is(k, ">"):
			depth--
		case depth == 1 && w.is(k, ":"):
			k = max(w.typeExpr(k+1, stop, facts.RefType)-1, k)
		}
	}
}

func modifierOfParameter(word string, next *token) bool {
	return (word == "reified" || word == "out") && next.kind <= tQuoted
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
	case "_", "Any", "Unit", "Nothing", "String", "Int", "Long", "Short", "Byte", "Char", "Boolean", "Double", "Float",
		"UInt", "ULong", "UByte", "UShort", "Number", "CharSequence", "Comparable", "Throwable", "Annotation",
		"List", "MutableList", "Set", "MutableSet", "Map", "MutableMap", "Collection", "MutableCollection", "Iterable", "Iterator", "Sequence",
		"Array", "IntArray", "LongArray", "ByteArray", "CharArray", "BooleanArray", "DoubleArray", "FloatArray", "ShortArray", "Pair", "Triple",
		"Override", "Deprecated", "Suppress", "JvmStatic", "JvmField", "JvmOverloads", "JvmName", "Throws", "OptIn":
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
