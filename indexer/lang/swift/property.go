package swift

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// property walks let and var: of a type, of the file, or local.
func (w *walker) property(h head, end int) int {
	i := h.keyword + 1
	for n := 0; i < end; n++ {
		next := w.pattern(h, n, i, end)
		if next <= i {
			break
		}
		i = next
		if !w.is(i, ",") || i+1 >= end || !(w.isWord(i+1) || w.is(i+1, "(")) {
			break
		}
		i++
	}
	return i
}

// pattern walks the n-th pattern of a let or var, with its type, value and
// accessors, and gives the index after it.
func (w *walker) pattern(h head, n, i, end int) int {
	var names []int
	at := i
	tuple := w.is(i, "(")
	switch {
	case tuple:
		names = w.patternNames(i+1, w.closeOf(i))
		i = w.closeOf(i) + 1
	case w.isName(i) || w.is(i, "_") || w.isWord(i) && !isDeclarator(w.tok(i).text):
		names = []int{i}
		i++
	default:
		return i
	}
	typ := [2]int{}
	if w.is(i, ":") && i < end {
		typ = [2]int{i + 1, max(i+1, w.skipType(i+1, end))}
		i = typ[1]
	}
	headEnd := i
	from, stop := -1, i
	if w.is(i, "=") && i < end {
		from = i + 1
		stop = max(w.exprEnd(from, end), from)
		i = stop
	}
	open := -1
	if w.is(i, "{") && i < end && (from < 0 || w.observes(i)) {
		open = i
		i = w.closeOf(i) + 1
	}
	text := w.sign(typ[0], typ[1])
	shape := ""
	if from >= 0 && from < stop {
		shape = w.shape(from, stop)
	}
	walk := func() {
		w.typeExpr(typ[0], typ[1], facts.RefType)
		if from >= 0 {
			w.expression(from, stop)
		}
		if open >= 0 && !w.accessors(open+1, w.closeOf(open)) {
			w.body(open, i, func() { w.items(open+1, w.closeOf(open)) })
		}
	}
	if w.ctx.place == inBody {
		walk()
		for k, name := range names {
			t, s := text, shape
			if tuple {
				t, s = "", lang.Unknown
				if shape != "" && shape != lang.Unknown && k < 10 {
					s = shape + "#" + string(rune('0'+k))
				}
			}
			w.b.Bind(w.name(name), w.tok(name).start, t, short(s))
		}
		return i
	}
	symbol := int32(-1)
	for k, name := range names {
		if w.is(name, "_") {
			continue
		}
		s := facts.Symbol{
			Name: w.name(name), Kind: w.propertyKind(h, from >= 0, open), Span: w.span(h.first, i), NameSpan: w.span(name, name+1),
			Signature: w.sign(h.first, headEnd), Type: text, Init: shape,
		}
		hh := h
		if n > 0 || k > 0 {
			s.Span = w.span(at, i)
			s.Signature = w.tok(h.keyword).text + " " + w.sign(at, headEnd)
		}
		if tuple {
			s.Type, s.Init = "", lang.Unknown
		}
		if open >= 0 && from < 0 && !w.observes(open) {
			hh.flags |= facts.Getter
			if w.settable(open) {
				hh.flags |= facts.Setter
			}
		}
		if w.ctx.place == inProtocol {
			hh.flags |= facts.Abstract
		}
		symbol = w.add(hh, s)
	}
	w.b.Within(symbol, func() { w.b.Scope(w.span(at, i), walk) })
	return i
}

func (w *walker) propertyKind(h head, valued bool, open int) facts.Kind {
	static := h.flags&facts.Static != 0
	constant := w.is(h.keyword, "let") && valued
	switch {
	case open >= 0 && !valued && !w.observes(open):
		return facts.KindProperty
	case w.ctx.place == inFile && constant, static && constant:
		return facts.KindConstant
	case w.ctx.place == inFile:
		return facts.KindVariable
	}
	return facts.KindField
}

// observes tells whether the braces at an index hold observers of a stored
// property.
func (w *walker) observes(open int) bool {
	at, ok := w.accessor(open+1, w.closeOf(open))
	if !ok {
		return false
	}
	switch w.tok(at).text {
	case "willSet", "didSet":
		return true
	}
	// With a value, an init accessor or a getter stands here at most.
	return w.is(at, "init")
}

// settable tells whether the braces at an index hold a setter.
func (w *walker) settable(open int) bool {
	stop := w.closeOf(open)
	for k := open + 1; k < stop; k++ {
		if t := w.tok(k); t.kind == tWord && (t.text == "set" || t.text == "_modify") {
			if _, ok := w.accessor(k, stop); ok || k+1 == stop {
				return true
			}
		}
		k = w.closeOf(k)
	}
	return false
}

// patternNames lists the names that a pattern between two indexes binds.
func (w *walker) patternNames(i, end int) []int {
	var out []int
	for ; i < end && len(out) < 50; i++ {
		switch {
		case !w.isName(i), w.is(i-1, "."), w.is(i+1, "."), w.is(i+1, "("):
			if w.is(i, ".") && w.is(i-1, ":") {
				continue
			}
		case w.is(i+1, ":"):
			// A label, or a type behind a name.
			if k := w.skipType(i+2, end); k == i+3 && looksLikeType(w.name(i+2)) {
				out = append(out, i)
				i = k - 1
			}
		case w.is(i, "let") || w.is(i, "var"):
		default:
			out = append(out, i)
		}
	}
	return out
}
