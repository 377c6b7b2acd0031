package scala

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// head is what stands before the keyword of a definition.
type head struct {
	start      int // token where it starts, with annotations
	first      int // token where it starts, behind annotations
	keyword    int
	doc        int32
	base       int32 // indentation of its first line
	visibility facts.Visibility
	flags      facts.SymbolFlags
	words      map[string]bool
	marks      []int // annotations
}

// maxHead bounds the annotations and modifiers of a definition.
const maxHead = 60

// header reads annotations and modifiers up to a keyword that defines, and tells
// whether there is one. It records nothing.
func (w *walker) header(i, end int) (h head, ok bool) {
	h = head{start: i, first: -1, doc: -1, base: w.lineIndent(i)}
	soft := false // a word that is a modifier only before a definition
	for n := 0; i < end && n < maxHead; n++ {
		t := w.tok(i)
		if t.doc >= 0 {
			h.doc = t.doc
		}
		if t.text == "@" && t.kind == tSymbol && h.first < 0 {
			next := w.skipAnnotation(i, end)
			if next <= i {
				return h, false
			}
			h.marks = append(h.marks, i)
			i = next
			continue
		}
		if t.kind != tWord || soft && t.nl {
			return h, false
		}
		if h.first < 0 {
			h.first = i
		}
		h.keyword = i
		switch t.text {
		case "def", "class", "trait", "object":
			return h, (w.isDefined(i+1) || t.text == "def" && w.is(i+1, "this")) && i+1 < end
		case "val", "var":
			return h, i+1 < end && (w.isDefined(i+1) || w.is(i+1, "("))
		case "type":
			return h, w.isName(i+1) && i+1 < end && !w.is(i-1, ".") && !w.is(i-1, "#")
		case "package":
			return h, w.is(i+1, "object") && w.isName(i+2)
		case "case":
			if !w.is(i+1, "class") && !w.is(i+1, "object") {
				return h, false
			}
		case "given":
			return h, (i == h.start || len(h.words) > 0 || len(h.marks) > 0) && w.startsHere(h) && w.isGiven(i, end, h.base)
		case "enum":
			return h, w.startsHere(h) && w.isName(i+1) && !w.tok(i+1).nl && i+1 < end && (w.isWord(i+1) || w.tok(i+2).kind == tOpen)
		case "extension":
			return h, w.startsHere(h) && w.isExtension(i, end)
		default:
			if !isModifier(t.text) && !isSoftModifier(t.text) {
				return h, false
			}
			soft = isSoftModifier(t.text)
			if soft && len(h.words) == 0 && !w.startsHere(h) {
				return h, false
			}
		}
		if h.words == nil {
			h.words = map[string]bool{}
		}
		h.words[t.text] = true
		switch t.text {
		case "private":
			h.visibility = facts.Private
			if w.is(i+1, "[") && !w.is(i+2, "this") {
				h.visibility = facts.Protected
			}
		case "protected":
			h.visibility = facts.Protected
		case "abstract":
			h.flags |= facts.Abstract
		}
		i++
		if (t.text == "private" || t.text == "protected") && w.is(i, "[") {
			i = w.closeOf(i) + 1
		}
	}
	return h, false
}

// startsHere tells whether a definition may start where the head does, also
// behind the clause of an extension.
func (w *walker) startsHere(h head) bool { return w.starts(h.start) || w.is(h.start-1, ")") }

// isGiven tells a given definition from a name of Scala 2.
func (w *walker) isGiven(i, end int, base int32) bool {
	if i+1 >= end || w.tok(i+1).nl {
		return false
	}
	switch {
	case w.is(i+1, "["):
		return true
	case w.is(i+1, "("):
		return w.is(i+2, "using") || w.isWord(i+2) && w.is(i+3, ":") || w.isArrow(w.closeOf(i+1)+1)
	case !w.isName(i + 1):
		return false
	}
	stop := w.statementEnd(i, end, base)
	return w.find(i+1, stop, "=") >= 0 || w.find(i+1, stop, "with") >= 0 || w.find(i+1, stop, ":") >= 0 || w.isWord(i+1) && looksLikeType(w.name(i+1))
}

func (w *walker) isExtension(i, end int) bool {
	k := i + 1
	if w.is(k, "[") {
		k = w.closeOf(k) + 1
	}
	receiver := false
	for w.is(k, "(") && k < end {
		receiver = receiver || w.isName(k+1) && w.is(k+2, ":")
		k = w.closeOf(k) + 1
	}
	t := w.tok(k)
	return receiver && (t.nl || t.text == "{" || t.text == "@" || t.kind == tWord && (startsDeclaration(t.text) || isSoftModifier(t.text)))
}

// declaration walks the definition at an index and gives the index after it, or
// the index where there is none.
func (w *walker) declaration(i, end int) int {
	t := w.tok(i)
	if t.text != "@" && !isDeclarator(t.text) && !isModifier(t.text) && !isSoftModifier(t.text) {
		switch t.text {
		case "case", "package", "given", "enum", "extension":
		default:
			return i
		}
	}
	if w.depth > maxDepth {
		return i
	}
	h, ok := w.header(i, end)
	if !ok {
		if t.text == "@" && t.kind == tSymbol && w.skipAnnotation(i, end) > i {
			w.annotation(i, end)
			return w.skipAnnotation(i, end)
		}
		return i
	}
	w.depth++
	defer func() { w.depth-- }()
	for _, m := range h.marks {
		switch w.annotation(m, end) {
		case "deprecated", "Deprecated":
			h.flags |= facts.Obsolete
		case "main":
			h.flags |= facts.Main
			w.b.AddTrait(facts.EntryPoint)
		case "Test", "ParameterizedTest", "RepeatedTest":
			w.b.AddTrait(facts.TestCode)
		}
	}
	k := h.keyword
	switch w.tok(k).text {
	case "class", "trait", "object", "enum":
		return w.typeDefinition(h, k+1, end)
	case "package":
		return w.typeDefinition(h, k+2, end)
	case "def":
		return w.function(h, end)
	case "val", "var":
		return w.value(h, end)
	case "type":
		return w.alias(h, end)
	case "given":
		return w.given(h, end)
	}
	return w.extension(h, end)
}

// body walks something in which definitions are local.
func (w *walker) body(i, end int, walk func()) {
	was := w.ctx
	w.ctx = context{place: inBody, name: was.name}
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

// add adds a symbol with what its head says and its surroundings give it.
func (w *walker) add(h head, s facts.Symbol) int32 {
	s.Flags |= h.flags
	s.Visibility = h.visibility
	if h.doc >= 0 {
		d := w.x.docs[h.doc]
		s.Doc = describe(cleanDoc(string(w.b.Source[d.Start:d.End])))
	}
	if s.Container == "" {
		s.Container = w.ctx.container
	}
	if w.ctx.place == inObject {
		s.Flags |= facts.Static
	}
	if at := w.b.Enclosing(); at >= 0 {
		s.Visibility = max(s.Visibility, w.b.At(at).Visibility)
	}
	if w.b.InBody() {
		s.Visibility = facts.Private
	}
	s.Signature = w.ctx.prefix + s.Signature
	return w.b.Symbol(s)
}

// parameter is one of a list, by indexes of tokens.
type parameter struct {
	start, name, typ, typEnd, value, end int
	property, mutable, implicit          bool
	visibility                           facts.Visibility
	first                                int // behind annotations
	doc                                  int32
}

// parameters splits the list in the brackets at an index.
func (w *walker) parameters(open, stop int) []parameter {
	var out []parameter
	for i := open + 1; i < stop; {
		p := parameter{start: i, name: -1, first: -1, doc: -1}
	modifiers:
		for i < stop {
			t := w.tok(i)
			if t.doc >= 0 {
				p.doc = t.doc
			}
			if t.text == "@" && t.kind == tSymbol {
				if next := w.skipAnnotation(i, stop); next > i {
					i = next
					continue
				}
			}
			if t.kind != tWord {
				break
			}
			switch t.text {
			case "val", "var":
				p.property, p.mutable = true, t.text == "var"
			case "implicit":
				p.implicit = true
			case "using", "inline", "erased", "tracked":
				if !(w.tok(i+1).kind <= tQuoted || w.is(i+1, "(")) || i+1 >= stop {
					break modifiers
				}
			case "private":
				p.visibility = facts.Private
				if w.is(i+1, "[") && !w.is(i+2, "this") {
					p.visibility = facts.Protected
				}
			case "protected":
				p.visibility = facts.Protected
			case "override", "final", "lazy":
			default:
				break modifiers
			}
			if p.first < 0 && t.text != "using" && t.text != "implicit" {
				p.first = i
			}
			i++
			if w.is(i, "[") && (t.text == "private" || t.text == "protected") {
				i = w.closeOf(i) + 1
			}
		}
		if p.first < 0 {
			p.first = i
		}
		if i < stop && w.isName(i) && (w.is(i+1, ":") || i+1 >= stop || w.is(i+1, ",") || w.is(i+1, "=")) {
			p.name = i
			i++
			if w.is(i, ":") && i < stop {
				p.typ = i + 1
			}
		} else if i < stop {
			p.typ = i
		}
		for ; i < stop; i++ {
			t := w.tok(i)
			if t.kind == tOpen {
				i = w.closeOf(i)
				continue
			}
			if t.text == "=" && t.kind == tSymbol && p.value == 0 {
				p.value, p.typEnd = i+1, i
			}
			if t.text == "," && t.kind == tOp {
				break
			}
		}
		p.end = min(i, stop)
		if p.typ > 0 && p.typEnd == 0 {
			p.typEnd = p.end
		}
		if p.name >= 0 || p.typ > 0 && p.typ < p.typEnd {
			out = append(out, p)
		}
		i++
	}
	return out
}

func (w *walker) param(p parameter) facts.Param {
	var out facts.Param
	if p.name >= 0 {
		out.Name = w.name(p.name)
	}
	if p.typ > 0 {
		out.Type = w.sign(p.typ, p.typEnd)
	}
	return out
}

// usingTypes tells the parameters of a using clause without names: (using A, B)
// holds types where (implicit a, b) would hold names.
func (w *walker) usingTypes(open int, ps []parameter) {
	if !w.is(open+1, "using") {
		return
	}
	for i := range ps {
		if p := &ps[i]; p.name >= 0 && p.typ == 0 {
			p.typ, p.typEnd, p.name = p.name, p.end, -1
		}
	}
}

// lists reads the type parameters and parameter lists from an index on, and
// gives the index behind them.
func (w *walker) lists(i, end int) (types []int, params []parameter, next int) {
	for i < end && w.tok(i).kind == tOpen {
		switch {
		case w.is(i, "["):
			types = append(types, i)
		case w.is(i, "("):
			ps := w.parameters(i, w.closeOf(i))
			w.usingTypes(i, ps)
			params = append(params, ps...)
		default:
			return types, params, i
		}
		i = w.closeOf(i) + 1
	}
	return types, params, i
}

func (w *walker) allParams(ps []parameter) []facts.Param {
	var out []facts.Param
	for _, p := range ps {
		out = append(out, w.param(p))
	}
	return out
}

// bindTypes binds type parameters and walks their bounds.
func (w *walker) bindTypes(opens []int) {
	for _, open := range opens {
		stop := w.closeOf(open)
		starts := true
		for k := open + 1; k < stop; k++ {
			t := w.tok(k)
			switch {
			case t.kind == tOpen:
				k = w.closeOf(k)
			case t.text == "@" && t.kind == tSymbol:
				k = max(k, w.skipAnnotation(k, stop)-1)
			case t.text == "+" || t.text == "-":
			case starts && w.isName(k):
				w.b.Bind(w.name(k), t.start, "", "")
				starts = false
			}
			if t.text == "," {
				starts = true
			}
		}
	}
	for _, open := range opens {
		stop := w.closeOf(open)
		w.types(open+1, stop, facts.RefType)
	}
}

// bindParameters walks the parts of parameters and binds their names.
func (w *walker) bindParameters(ps []parameter) {
	for _, p := range ps {
		for k := p.start; k < p.first; {
			if next := w.skipAnnotation(k, p.first); w.is(k, "@") && next > k {
				w.annotation(k, p.first)
				k = next
				continue
			}
			k++
		}
		if p.typ > 0 {
			w.types(p.typ, p.typEnd, facts.RefType)
		}
		if p.value > 0 {
			w.expression(p.value, p.end)
		}
		if p.property || p.name < 0 {
			continue
		}
		t := strings.TrimPrefix(w.param(p).Type, "=> ")
		if rest, ok := strings.CutSuffix(t, "*"); ok {
			t = "Seq[" + rest + "]"
		}
		w.b.Bind(w.name(p.name), w.tok(p.name).start, t, "")
	}
}

// baseName is the simple name of the type that a region starts with.
func (w *walker) baseName(i, end int) string {
	for i < end && (w.is(i, "(") || w.isArrow(i) || w.is(i, "@")) {
		if w.is(i, "@") {
			i = max(i, w.skipAnnotation(i, end)-1)
		}
		i++
	}
	if i >= end || !w.isName(i) {
		return ""
	}
	k := w.dotted(i, end)
	// An infix type: A :: B.
	if k+1 < end && w.tok(k).kind == tSymbol && w.isName(k) && !w.is(k, "*") && !w.is(k, "|") && !w.is(k, "&") {
		return w.name(k)
	}
	if w.is(k-1, "type") && k-3 >= i {
		return w.name(k - 3)
	}
	return w.name(k - 1)
}
