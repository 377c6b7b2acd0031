package kotlin

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// head is what stands before the keyword of a declaration.
type head struct {
	first      int // token where it starts, behind annotations
	keyword    int
	doc        int32
	visibility facts.Visibility
	flags      facts.SymbolFlags
	words      map[string]bool
	notes      []string // simple names of annotations
	context    string   // context(...) in front
}

// maxHead bounds the annotations and modifiers of a declaration.
const maxHead = 80

// header reads annotations and modifiers up to a keyword that declares, and
// tells whether there is one. It records nothing.
func (w *walker) header(i, end int) (h head, marks []int, ok bool) {
	h = head{first: -1, doc: -1, words: map[string]bool{}}
	for n := 0; i < end && n < maxHead; n++ {
		t := w.tok(i)
		if t.doc >= 0 {
			h.doc = t.doc
		}
		switch {
		case t.text == "@" && t.kind == tOp:
			next := w.skipAnnotation(i, end)
			if next <= i {
				return h, nil, false
			}
			marks = append(marks, i)
			i = next
			continue
		case t.kind != tWord:
			return h, nil, false
		case t.text == "context" && w.is(i+1, "(") && h.first < 0:
			stop := w.closeOf(i + 1)
			if n := w.tok(stop + 1); !startsDeclaration(n.text) && n.text != "@" && n.text != "context" {
				return h, nil, false
			}
			h.context += w.sign(i, stop+1) + " "
			marks = append(marks, i)
			i = stop + 1
			continue
		}
		if h.first < 0 {
			h.first = i
		}
		h.keyword = i
		switch t.text {
		case "fun", "val", "var", "typealias", "class":
			return h, marks, true
		case "interface":
			return h, marks, w.isName(i + 1)
		case "object":
			return h, marks, h.words["companion"] || w.isName(i+1) && !w.tok(i+1).nl
		case "constructor":
			return h, marks, w.ctx.place == inClass && w.is(i+1, "(")
		case "init":
			return h, marks, (w.ctx.place == inClass || w.ctx.place == inObject) && w.is(i+1, "{")
		}
		if !modifierWords[t.text] {
			return h, nil, false
		}
		h.words[t.text] = true
		switch t.text {
		case "private":
			h.visibility = facts.Private
		case "protected", "internal":
			h.visibility = facts.Protected
		case "abstract":
			h.flags |= facts.Abstract
		case "suspend":
			h.flags |= facts.Async
		case "expect":
			h.flags |= facts.Declaration
		}
		i++
	}
	return h, nil, false
}

// declaration walks the declaration at an index and gives the index after it,
// or the index where there is none.
func (w *walker) declaration(i, end int) int {
	t := w.tok(i)
	if t.text != "@" && !isDeclarator(t.text) && !modifierWords[t.text] && t.text != "constructor" && t.text != "init" && t.text != "context" {
		return i
	}
	if w.depth > maxDepth {
		return i
	}
	h, marks, ok := w.header(i, end)
	if !ok {
		if t.text == "@" && t.kind == tOp {
			w.annotation(i, end)
			return w.skipAnnotation(i, end)
		}
		return i
	}
	w.depth++
	defer func() { w.depth-- }()
	for _, m := range marks {
		if w.is(m, "context") {
			w.quietTypes(m+1, w.closeOf(m+1))
			continue
		}
		note := w.annotation(m, end)
		h.notes = append(h.notes, note)
		switch note {
		case "Deprecated":
			h.flags |= facts.Obsolete
		case "JvmStatic":
			h.flags |= facts.Static
		case "Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property", "Theory":
			w.b.AddTrait(facts.TestCode)
		}
	}
	k := h.keyword
	switch w.tok(k).text {
	case "class", "interface", "object":
		return w.classLike(h, end)
	case "fun":
		if w.is(k+1, "interface") && w.isName(k+2) {
			h.keyword = k + 1
			return w.classLike(h, end)
		}
		return w.function(h, end)
	case "val", "var":
		return w.property(h, end)
	case "typealias":
		return w.alias(h, end)
	case "constructor":
		return w.constructor(h, end)
	}
	stop := w.closeOf(k + 1)
	w.body(k, stop+1, func() { w.items(k+2, stop) })
	return stop + 1
}

// quietTypes walks the types of a list of parameters.
func (w *walker) quietTypes(open, stop int) {
	for _, p := range w.parameters(open, stop) {
		if p.typ < p.typEnd {
			w.typeExpr(p.typ, p.typEnd, facts.RefType)
		} else if w.isName(p.name) {
			w.typeExpr(p.name, stop, facts.RefType)
		}
	}
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

// add adds a symbol with what its head says and its surroundings give it.
func (w *walker) add(h head, s facts.Symbol) int32 {
	s.Flags |= h.flags
	s.Visibility = h.visibility
	if h.doc >= 0 && s.Doc == "" {
		d := w.x.docs[h.doc]
		text := cleanDoc(string(w.b.Source[d.Start:d.End]))
		s.Doc = describe(text)
	}
	if s.Container == "" {
		s.Container = w.ctx.container
	}
	if w.ctx.place == inObject && w.ctx.container+w.ctx.name != "" {
		s.Flags |= facts.Static
	}
	if at := w.b.Enclosing(); at >= 0 {
		s.Visibility = max(s.Visibility, w.b.At(at).Visibility)
	}
	if w.b.InBody() {
		s.Visibility = facts.Private
	}
	s.Signature = h.context + s.Signature
	return w.b.Symbol(s)
}

// parameter is one of a list, by indexes of tokens.
type parameter struct {
	start, name, typ, typEnd, value, end int
	property                             bool
	head                                 head
}

// parameters splits the list in the brackets at an index.
func (w *walker) parameters(open, stop int) []parameter {
	var out []parameter
	for i := open + 1; i < stop; {
		p := parameter{start: i, name: -1}
		p.head = head{first: -1, doc: -1, words: map[string]bool{}}
		for i < stop {
			t := w.tok(i)
			if t.doc >= 0 {
				p.head.doc = t.doc
			}
			if t.text == "@" && t.kind == tOp {
				next := w.skipAnnotation(i, stop)
				if next > i {
					i = next
					continue
				}
			}
			if t.kind == tWord && (t.text == "val" || t.text == "var" || modifierWords[t.text] && w.tok(i+1).kind <= tQuoted && i+1 < stop) {
				if p.head.first < 0 {
					p.head.first = i
				}
				p.head.words[t.text] = true
				switch t.text {
				case "private":
					p.head.visibility = facts.Private
				case "protected", "internal":
					p.head.visibility = facts.Protected
				case "val", "var":
					p.property = true
				}
				i++
				continue
			}
			break
		}
		if p.head.first < 0 {
			p.head.first = i
		}
		if i < stop && w.isName(i) {
			p.name = i
			i++
		}
		if w.is(i, ":") && i < stop {
			p.typ = i + 1
		}
		angles := 0
		for ; i < stop; i++ {
			t := w.tok(i)
			if t.kind == tOpen {
				i = w.closeOf(i)
				continue
			}
			switch {
			case t.text == "=" && p.value == 0:
				p.value = i + 1
				p.typEnd = i
				angles = 0
			case t.text == "<":
				// Of a type, or of a call that ends like one.
				if p.value == 0 || w.skipAngles(i, stop) > 0 {
					angles++
				}
			case t.text == ">" && angles > 0:
				angles--
			}
			if t.text == "," && t.kind == tOp && angles == 0 {
				break
			}
		}
		p.end = i
		if p.typ > 0 && p.typEnd == 0 {
			p.typEnd = i
		}
		if p.name >= 0 {
			out = append(out, p)
		}
		i++
	}
	return out
}

func (w *walker) param(p parameter) facts.Param {
	out := facts.Param{Name: w.name(p.name)}
	if p.typ > 0 {
		out.Type = w.sign(p.typ, w.skipType(p.typ, p.typEnd))
	}
	if p.head.words["vararg"] {
		out.Type = "vararg " + out.Type
	}
	return out
}

// bindParameters walks the parts of parameters and binds their names.
func (w *walker) bindParameters(ps []parameter) {
	for _, p := range ps {
		for k := p.start; k < p.head.first; {
			if next := w.skipAnnotation(k, p.head.first); w.is(k, "@") && next > k {
				w.annotation(k, p.head.first)
				k = next
				continue
			}
			k++
		}
		if p.typ > 0 {
			w.typeExpr(p.typ, p.typEnd, facts.RefType)
		}
		if p.value > 0 {
			w.expression(p.value, p.end)
		}
		if p.property {
			continue
		}
		t := w.param(p).Type
		if rest, ok := strings.CutPrefix(t, "vararg "); ok {
			t = "Array<out " + rest + ">"
		}
		w.b.Bind(w.name(p.name), w.tok(p.name).start, t, "")
	}
}

// receiver reads "A.B<C>.name" at an index: the name, and the dot before it or
// -1 where there is no receiver.
func (w *walker) receiver(i, end int) (name, dot int) {
	dot = -1
	for w.is(i, "@") {
		next := w.skipAnnotation(i, end)
		if next <= i {
			break
		}
		i = next
	}
	if w.is(i, "(") {
		k := w.closeOf(i) + 1
		for w.is(k, "?") {
			k++
		}
		if !w.is(k, ".") && !w.is(k, "?.") || k+1 >= end {
			return -1, -1
		}
		dot, i = k, k+1
	}
	for i < end && w.isName(i) {
		k := i + 1
		if w.is(k, "<") {
			next := w.skipAngles(k, end)
			if next == 0 {
				break
			}
			k = next
		}
		for w.is(k, "?") && k < end {
			k++
		}
		if k+1 >= end || !w.is(k, ".") && !w.is(k, "?.") || !w.isName(k+1) {
			break
		}
		dot, i = k, k+1
	}
	if i >= end || !w.isName(i) {
		return -1, dot
	}
	return i, dot
}

// receiverName is the simple name of a receiver type, and whether it is the
// companion of it.
func (w *walker) receiverName(i, dot int) (name string, companion bool) {
	if w.is(i, "(") {
		return "", false
	}
	for k := i; k < dot; k++ {
		switch {
		case w.is(k, "@"):
			k = max(k, w.skipAnnotation(k, dot)-1)
		case w.is(k, "<"):
			if next := w.skipAngles(k, dot); next > 0 {
				k = next - 1
			}
		case w.isName(k):
			if name != "" && w.tok(k).text == "Companion" {
				companion = true
			} else {
				name = w.name(k)
			}
		}
	}
	return name, companion
}
