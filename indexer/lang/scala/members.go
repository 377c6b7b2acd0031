package scala

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// function walks a def, secondary constructors included.
func (w *walker) function(h head, end int) int {
	name := h.keyword + 1
	stop := w.statementEnd(h.keyword, end, h.base)
	stop = w.headStop(name+1, stop)
	types, params, k := w.lists(name+1, stop)
	s := facts.Symbol{
		Name: w.name(name), Kind: facts.KindMethod, NameSpan: w.span(name, name+1), Params: w.allParams(params),
	}
	if w.ctx.place == inFile && w.ctx.container == "" || w.ctx.place == inBody {
		s.Kind = facts.KindFunction
	}
	if w.is(name, "this") {
		s.Kind, s.Name = facts.KindConstructor, w.ctx.name
		if s.Name == "" {
			s.Name = "this"
		}
	}
	eq := w.find(k, stop, "=")
	typ, typEnd := k, k
	headEnd := eq
	switch {
	case w.is(k, ":") && k < stop:
		typ = k + 1
		typEnd = stop
		if eq >= 0 {
			typEnd = eq
		} else {
			headEnd = stop
		}
		s.Type = w.sign(typ, typEnd)
	case eq < 0 && w.is(k, "{") && k < stop:
		// A procedure of Scala 2.
		stop, headEnd, eq = w.closeOf(k)+1, k, k-1
	case eq < 0:
		stop = k
		headEnd = k
	}
	if eq < 0 && (w.ctx.place == inType || w.ctx.place == inEnum) {
		s.Flags |= facts.Abstract
	}
	last := w.endMarker(stop, end, h.base)
	s.Span = w.span(h.first, last)
	s.Signature = w.sign(h.first, headEnd)
	if s.Name == "main" && (w.ctx.place == inObject && len(s.Params) == 1 && strings.HasPrefix(s.Params[0].Type, "Array[")) {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	w.b.Within(w.add(h, s), func() {
		w.body(h.keyword, stop, func() {
			w.bindTypes(types)
			w.bindParameters(params)
			w.types(typ, typEnd, facts.RefType)
			if eq >= 0 {
				w.items(eq+1, stop)
			}
		})
	})
	return max(last, name+1)
}

// value walks val and var, with patterns.
func (w *walker) value(h head, end int) int {
	at := h.keyword + 1
	stop := w.statementEnd(h.keyword, end, h.base)
	stop = w.headStop(at, stop)
	eq := w.find(at, stop, "=")
	// A generator of old: for (val x <- xs).
	if k := w.find(at, stop, "<-"); k >= 0 && (eq < 0 || k < eq) {
		return at
	}
	left := stop
	if eq >= 0 {
		left = eq
	}
	colon := w.find(at, left, ":")
	names := left
	typ, typEnd := 0, 0
	if colon >= 0 {
		names, typ, typEnd = colon, colon+1, left
	}
	var bound []int
	pattern := false
	if w.tok(at).kind == tOpen || w.tok(at+1).kind == tOpen && at+1 < names {
		pattern = true
		bound = w.patternNames(at, names)
	} else {
		for k := at; k < names; k++ {
			if w.isDefined(k) && w.name(k) != "_" {
				bound = append(bound, k)
			}
			if !w.is(k+1, ",") {
				pattern = k+1 < names
				break
			}
			k++
		}
		if pattern {
			bound = w.patternNames(at, names)
		}
	}
	if eq < 0 && typ == 0 {
		stop = min(stop, max(at+1, w.lineStop(at, stop)))
	}
	typeText := ""
	if typ > 0 {
		typeText = w.sign(typ, typEnd)
	}
	init := ""
	if eq >= 0 && !pattern {
		init = w.shape(eq+1, stop)
	} else if pattern {
		init = "?"
	}
	last := w.endMarker(stop, end, h.base)
	first := int32(-1)
	if w.ctx.place == inBody {
		w.types(typ, typEnd, facts.RefType)
		if pattern {
			w.patternRefs(at, names)
		}
		if eq >= 0 {
			w.nested(func() { w.expression(eq+1, stop) })
		}
		for _, k := range bound {
			w.b.Bind(w.name(k), w.tok(k).start, typeText, init)
		}
		return max(last, at+1)
	}
	for _, k := range bound {
		s := facts.Symbol{
			Name: w.name(k), Kind: w.valueKind(h, k, eq, stop), Span: w.span(h.first, last), NameSpan: w.span(k, k+1),
			Type: typeText, Init: init, Signature: w.sign(h.first, h.keyword+1) + " " + w.tok(k).text,
		}
		if typeText != "" {
			s.Signature += ": " + typeText
		}
		if eq >= 0 && stop == eq+2 && w.tok(eq+1).kind >= tNumber && w.tok(eq+1).kind <= tString {
			s.Signature += " = " + w.tok(eq+1).text
		}
		if eq < 0 && w.ctx.place == inType {
			s.Flags |= facts.Abstract
		}
		if i := w.add(h, s); first < 0 {
			first = i
		}
	}
	w.b.Within(first, func() {
		w.types(typ, typEnd, facts.RefType)
		if pattern {
			w.patternRefs(at, names)
		}
		if eq >= 0 {
			w.nested(func() { w.initialiser(eq+1, stop) })
		}
	})
	return max(last, at+1)
}

// initialiser walks what a member or the file is given, in which definitions are
// local though it is no body of a function.
func (w *walker) initialiser(i, end int) {
	w.body(i, end, func() { w.items(i, end) })
}

// lineStop is the index of the first token of the next line.
func (w *walker) lineStop(i, end int) int {
	for k := i + 1; k < end; k++ {
		if w.tok(k).nl {
			return k
		}
		k = w.closeOf(k)
	}
	return end
}

func (w *walker) valueKind(h head, name, eq, stop int) facts.Kind {
	r, _ := utf8.DecodeRuneInString(w.name(name))
	mutable := w.is(h.keyword, "var")
	top := w.ctx.place == inFile && w.b.Enclosing() < 0 || w.ctx.place == inFile
	switch {
	case !mutable && (h.words["inline"] || (w.ctx.place == inObject || top) && eq >= 0 && unicode.IsUpper(r) && (h.words["final"] || stop == eq+2 && w.tok(eq+1).kind >= tNumber && w.tok(eq+1).kind <= tString)):
		return facts.KindConstant
	case top:
		return facts.KindVariable
	}
	return facts.KindField
}

// alias walks a type member: an alias, an opaque or an abstract one.
func (w *walker) alias(h head, end int) int {
	name := h.keyword + 1
	stop := w.statementEnd(h.keyword, end, h.base)
	stop = w.headStop(name+1, stop)
	types, _, k := w.lists(name+1, stop)
	s := facts.Symbol{Name: w.name(name), Kind: facts.KindType, NameSpan: w.span(name, name+1), Span: w.span(h.first, stop), Signature: w.sign(h.first, stop)}
	eq := w.find(k, stop, "=")
	if eq >= 0 {
		s.Type = w.sign(eq+1, stop)
	} else if w.ctx.place == inType {
		s.Flags |= facts.Abstract
	}
	w.b.Within(w.add(h, s), func() {
		w.b.Scope(w.span(name, stop), func() {
			w.bindTypes(types)
			w.types(k, stop, facts.RefType)
		})
	})
	return max(stop, name+1)
}

// given walks a given instance. One without a name gets that of the compiler:
// given_Ord_Int.
func (w *walker) given(h head, end int) int {
	k := h.keyword + 1
	stop := w.statementEnd(h.keyword, end, h.base)
	name := -1
	if w.isName(k) {
		// The name stands before a colon, with parameters between.
		_, _, after := w.lists(k+1, stop)
		if w.is(after, ":") && !w.tok(after+1).nl && after < stop {
			name = k
			k++
		}
	}
	from := k
	types, params, k := w.lists(k, stop)
	if name >= 0 {
		k++
	} else if w.is(k, ":") {
		k++
	} else if w.isArrow(k) { // given [T] => (o: Ord[T]) => Ord[List[T]]
		types, params, k = nil, nil, from
	} else {
		types, params, k = nil, nil, from
		if w.is(k, "[") {
			types, params, k = w.lists(k, stop)
		}
	}
	for k < stop && (w.is(k, "[") || w.is(k, "(")) && w.is(w.closeOf(k)+1, "=>") {
		if w.is(k, "[") {
			types = append(types, k)
		} else {
			params = append(params, w.parameters(k, w.closeOf(k))...)
		}
		k = w.closeOf(k) + 2
	}
	for a := w.lastArrow(k, stop); a >= 0 && a+1 < stop; a = -1 {
		w.types(k, a, facts.RefType)
		k = a + 1
	}
	typEnd := w.skipTypes(k, stop, false)
	base := w.baseName(k, typEnd)
	s := facts.Symbol{
		Kind: facts.KindConstant, Params: w.allParams(params), Type: w.sign(k, typEnd), Signature: w.sign(h.first, typEnd),
	}
	if name >= 0 {
		s.Name, s.NameSpan = w.name(name), w.span(name, name+1)
	} else {
		s.Name, s.NameSpan = w.givenName(k, typEnd), w.span(k, max(typEnd, k+1))
	}
	open, bodyEnd, after := -1, 0, typEnd
	for after < stop && (w.is(after, "(") || w.is(after, ",") || w.is(after, "with") && !w.is(after+1, "{") && !w.tok(after+1).nl) {
		if w.is(after, "(") {
			after = w.closeOf(after) + 1
			continue
		}
		after = w.skipTypes(after+1, stop, false)
	}
	switch {
	case w.is(after, "=") && after < stop:
	case w.is(after, "{") && after < stop:
		open, bodyEnd = after+1, w.closeOf(after)
		stop = bodyEnd + 1
	case w.is(after, "with") && w.is(after+1, "{") && after < stop:
		open, bodyEnd = after+2, w.closeOf(after+1)
		stop = bodyEnd + 1
	case (w.is(after, "with") || w.is(after, ":")) && w.tok(after+1).nl && after < stop:
		open, bodyEnd = after+1, stop
	default:
		if after >= stop && w.ctx.place == inType {
			s.Flags |= facts.Abstract
		}
	}
	last := w.endMarker(stop, end, h.base)
	s.Span = w.span(h.first, last)
	if open >= 0 && base != "" {
		s.Bases = []string{s.Type}
	}
	w.b.Within(w.add(h, s), func() {
		walk := func() {
			w.bindTypes(types)
			w.bindParameters(params)
			kind := facts.RefType
			if open >= 0 {
				kind = facts.RefInherit
			}
			w.types(k, typEnd, kind)
			if open >= 0 {
				w.inside(context{place: inType, name: base}, func() { w.template(open, bodyEnd) })
			} else {
				w.body(after, stop, func() { w.items(after, stop) })
			}
		}
		w.b.Scope(w.span(h.keyword, stop), walk)
	})
	return max(last, h.keyword+1)
}

// declares tells whether lists of type parameters hold a name.
func (w *walker) declares(opens []int, name string) bool {
	for _, open := range opens {
		for k := open + 1; k < w.closeOf(open); k++ {
			if w.isName(k) && w.name(k) == name {
				return true
			}
			k = w.closeOf(k)
		}
	}
	return false
}

// lastArrow is the last "=>" of the head of a given in the syntax of Scala 3.6,
// or -1.
func (w *walker) lastArrow(i, end int) int {
	at := -1
	for k := i; k < end; k++ {
		t := w.tok(k)
		switch {
		case t.kind == tOpen && t.text != "{":
			k = w.closeOf(k)
		case w.is(k, "=") || w.is(k, "with") || t.text == "{" || w.is(k, ":") && w.tok(k+1).nl:
			return at
		case w.is(k, "=>"):
			at = k
		}
	}
	return at
}

// givenName is the name that the compiler gives an instance of a type.
func (w *walker) givenName(i, end int) string {
	name := "given"
	for k := i; k < end && len(name) < facts.MaxName; k++ {
		if w.isWord(k) && !w.is(k+1, ".") && !w.is(k, "_") {
			name += "_" + w.name(k)
		}
	}
	return name
}

// extension walks the methods of an extension clause, which belong to the type
// that it extends.
func (w *walker) extension(h head, end int) int {
	types, params, k := w.lists(h.keyword+1, end)
	c := context{place: inType, name: w.ctx.name, prefix: w.sign(h.keyword, k) + " "}
	for _, p := range params {
		if p.name >= 0 && p.typ > 0 && !w.is(p.name-1, "using") && !p.implicit {
			c.container = w.baseName(p.typ, p.typEnd)
			if w.b.Bound(c.container) || w.declares(types, c.container) {
				c.container = "" // a type parameter
			}
			break
		}
	}
	body, stop, last := k, 0, 0
	switch {
	case w.is(k, "{"):
		body, stop = k+1, w.closeOf(k)
		last = stop + 1
	default:
		stop = w.statementEnd(k, end, h.base)
		if w.tok(k).nl && w.tok(k).indent <= h.base {
			stop = k
		}
		last = w.endMarker(stop, end, h.base)
	}
	w.b.Scope(w.span(h.keyword, last), func() {
		w.bindTypes(types)
		w.bindParameters(params)
		w.inside(c, func() { w.items(body, stop) })
	})
	return max(last, h.keyword+1)
}
