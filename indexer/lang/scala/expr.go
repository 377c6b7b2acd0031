package scala

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// expression walks an expression in which definitions are local.
func (w *walker) expression(i, end int) {
	if i < 0 || i >= end {
		return
	}
	was := w.ctx
	w.ctx = context{place: inBody, name: was.name}
	w.items(i, end)
	w.ctx = was
}

// step walks one token of an expression, or a block, and gives the index after
// it.
func (w *walker) step(i, end int) int {
	t := w.tok(i)
	switch t.kind {
	case tOpen:
		return w.bracket(i, end)
	case tQuoted:
		return w.use(i, end)
	case tSymbol:
		if w.is(i, ":") {
			if w.tok(i+1).nl || w.is(i+1, "_") {
				return i + 1
			}
			// A type ascribed to what stands before, or a block given to it.
			if k := w.arrow(i+1, end); k > 0 && w.tok(k+1).nl {
				return i + 1
			}
			next := w.skipType(i+1, end)
			w.types(i+1, next, facts.RefType)
			return max(next, i+1)
		}
		if !isReserved(t.text) && len(t.text) > 1 && len(t.text) < 6 && !commonOperator(t.text) && w.operandEnds(i-1) {
			w.b.Reference(facts.RefCall, t.text, w.before(i-1), t.start)
		}
		return i + 1
	case tWord:
	default:
		return i + 1
	}
	switch t.text {
	case "new":
		return w.construct(i, end)
	case "for":
		next := i + 1
		w.nested(func() { next = w.comprehension(i, end) })
		return next
	case "implicit":
		return i + 1
	case "this", "super":
		if t.text == "super" && w.is(i+1, "[") {
			return w.closeOf(i+1) + 1
		}
		return i + 1
	}
	if isKeyword(t.text) && !(t.text == "given" && w.is(i+1, "(")) {
		return i + 1
	}
	return w.use(i, end)
}

// commonOperator tells operators that are methods of what everything is made of:
// as references they would only drown others.
func commonOperator(op string) bool {
	switch op {
	case "==", "!=", "<=", ">=", "&&", "||", "++", "::", "+=", "-=", "*=", "/=", "|=", "&=", "->", ":::", "<<", ">>", ">>>", ":+", "+:", "++=", "--", "--=", ":=", "%%", "%%%", "===", "!==", "=!=", "???":
		return true
	}
	return false
}

// bracket walks what stands in brackets.
func (w *walker) bracket(i, end int) int {
	stop := w.closeOf(i)
	after := stop + 1
	if w.depth > maxDepth {
		return i + 1
	}
	switch {
	case w.is(i, "[") && w.isArrow(after) && after < end:
		w.bindTypes([]int{i})
	case w.is(i, "["):
		w.types(i+1, stop, facts.RefType)
	case w.is(i, "(") && w.isArrow(after) && after < end:
		return w.lambda(i, after, end)
	case w.is(i, "{"):
		w.nested(func() { w.block(i) })
	case w.is(i, "(") && w.arrow(i+1, stop) > 0:
		w.nested(func() { w.items(i+1, stop) })
	default:
		return i + 1
	}
	return after
}

// arrow is the index of the arrow of a function whose parameters start at an
// index, or 0.
func (w *walker) arrow(i, end int) int {
	if w.is(i, "implicit") || w.is(i, "using") {
		i++
	}
	if w.is(i, "(") && w.isArrow(w.closeOf(i)+1) && w.closeOf(i)+1 < end {
		return w.closeOf(i) + 1
	}
	if !w.isWord(i) || i+1 >= end {
		return 0
	}
	k := i + 1
	if w.is(k, ":") && !w.tok(k+1).nl {
		// The type of a parameter without brackets holds no arrow.
		k++
		for k < end && (w.isName(k) || w.is(k, ".")) {
			k++
			if w.is(k, "[") && k < end {
				k = w.closeOf(k) + 1
			}
		}
	}
	if k < end && w.isArrow(k) {
		return k
	}
	return 0
}

// block walks a block of statements or of cases, or a function in braces.
func (w *walker) block(open int) {
	stop := w.closeOf(open)
	w.body(open, stop+1, func() {
		i := open + 1
		if k := w.arrow(i, stop); k > 0 {
			w.bindLambda(i, k)
			i = k + 1
		}
		w.items(i, stop)
	})
}

// bindLambda binds the parameters of a function before its arrow.
func (w *walker) bindLambda(i, arrow int) {
	for w.is(i, "implicit") || w.is(i, "using") {
		i++
	}
	bind := func(p parameter) {
		typ, init := "", "?"
		if p.typ > 0 {
			w.types(p.typ, p.typEnd, facts.RefType)
			typ, init = w.sign(p.typ, p.typEnd), ""
		}
		if p.name >= 0 && w.name(p.name) != "_" {
			w.b.Bind(w.name(p.name), w.tok(p.name).start, typ, init)
		}
	}
	if w.is(i, "(") {
		for _, p := range w.parameters(i, w.closeOf(i)) {
			if p.name < 0 { // a pattern in it
				for _, k := range w.patternNames(p.start, p.end) {
					w.b.Bind(w.name(k), w.tok(k).start, "", "?")
				}
				continue
			}
			bind(p)
		}
		return
	}
	p := parameter{name: i}
	if w.is(i+1, ":") {
		p.typ, p.typEnd = i+2, arrow
	}
	bind(p)
}

// lambda walks a function: it reaches as far as its brackets or its lines do.
func (w *walker) lambda(i, arrow, end int) int {
	next := arrow + 1
	w.nested(func() {
		stop := w.lambdaEnd(i, arrow+1, end)
		w.b.Scope(w.span(i, stop), func() {
			w.bindLambda(i, arrow)
			w.items(arrow+1, stop)
		})
		next = stop
	})
	return max(next, arrow+1)
}

func (w *walker) lambdaEnd(i, body, end int) int {
	base := w.tok(i).indent
	for k := body; k < end; k++ {
		t := w.tok(k)
		switch {
		case t.nl && k > body && t.indent <= base && !w.goesOn(k), t.kind == tOp && (t.text == "," || t.text == ";"), t.kind == tClose, t.text == "case" && t.nl:
			return k
		case t.kind == tOpen:
			k = w.closeOf(k)
		}
	}
	return end
}

// clause walks one case of a match or of a function: its pattern, its guard and
// its body in one scope.
func (w *walker) clause(i, end int) int {
	if w.depth > maxDepth {
		return i + 1
	}
	t := w.tok(i)
	arrow := -1
	for k := i + 1; k < end && k < i+2000; k++ {
		if w.tok(k).kind == tOpen {
			k = w.closeOf(k)
			continue
		}
		if w.isArrow(k) {
			arrow = k
			break
		}
		if w.is(k, "case") {
			break
		}
	}
	if arrow < 0 {
		return i + 1
	}
	stop := end
	for k := arrow + 1; k < end; k++ {
		n := w.tok(k)
		if n.kind == tOpen {
			k = w.closeOf(k)
			continue
		}
		if n.text == "case" && n.kind == tWord && !w.is(k+1, "class") && !w.is(k+1, "object") {
			if n.nl && (n.indent <= t.indent || !t.nl) || !n.nl && w.is(k-1, ";") || !n.nl && !w.is(k-1, "catch") && w.b.Line(n.start) == w.b.Line(t.start) {
				stop = k
				break
			}
			continue
		}
		if t.nl && n.nl && n.indent < t.indent && !w.goesOn(k) {
			stop = k
			break
		}
	}
	guard := w.find(i+1, arrow, "if")
	patternEnd := arrow
	if guard >= 0 {
		patternEnd = guard
	}
	w.depth++
	w.b.Scope(w.span(i, stop), func() {
		w.patternRefs(i+1, patternEnd)
		for _, k := range w.patternNames(i+1, patternEnd) {
			typ := ""
			if w.is(k+1, ":") && k+2 < patternEnd {
				typ = w.sign(k+2, w.skipType(k+2, patternEnd))
			}
			init := ""
			if typ == "" {
				init = lang.Unknown
			}
			w.b.Bind(w.name(k), w.tok(k).start, typ, init)
		}
		if guard >= 0 {
			w.expression(guard+1, arrow)
		}
		w.expression(arrow+1, stop)
	})
	w.depth--
	return max(stop, i+1)
}

// patternNames lists the names that a pattern binds: those in lower case that are
// no stable identifier, type or extractor.
func (w *walker) patternNames(i, end int) []int {
	var out []int
	for k := i; k < end; k++ {
		t := w.tok(k)
		if t.kind == tOpen && (t.text == "[" || t.text == "{" || t.text == `"`) {
			k = w.closeOf(k)
			continue
		}
		if w.is(k, ":") {
			k = max(k, w.skipType(k+1, end)-1)
			continue
		}
		if t.kind != tWord || isKeyword(t.text) || t.text == "_" || w.is(k-1, ".") || w.is(k+1, ".") && k+1 < end {
			continue
		}
		if k+1 < end && (w.is(k+1, "(") || w.is(k+1, "[")) {
			continue
		}
		if r := t.text[0]; r >= 'A' && r <= 'Z' && !w.is(k+1, "@") {
			continue
		}
		out = append(out, k)
	}
	return out
}

// patternRefs records the types and extractors of a pattern.
func (w *walker) patternRefs(i, end int) {
	for k := i; k < end; k++ {
		t := w.tok(k)
		switch {
		case w.is(k, ":"):
			next := w.skipType(k+1, end)
			w.types(k+1, next, facts.RefType)
			k = max(k, next-1)
		case t.kind == tQuoted:
			w.b.Reference(facts.RefRead, w.name(k), "", t.start)
		case t.kind == tWord && !isKeyword(t.text) && t.text != "_":
			if w.is(k+1, ".") && k+1 < end {
				continue
			}
			q := ""
			if w.is(k-1, ".") {
				q = w.before(k - 2)
			}
			if q != "" || looksLikeType(t.text) {
				w.typeName(k, facts.RefType, q)
			} else if c := t.text[0]; c >= 'A' && c <= 'Z' && !w.b.Bound(t.text) {
				w.b.Reference(facts.RefRead, t.text, "", t.start)
			}
		}
	}
}

// construct walks new, with the body of an anonymous class.
func (w *walker) construct(i, end int) int {
	k := i + 1
	if w.is(k, "{") {
		return k
	}
	typEnd := w.skipBase(k, end)
	if typEnd == k {
		return k
	}
	after := typEnd
	for after < end && w.is(after, "(") && !w.tok(after).nl {
		after = w.closeOf(after) + 1
	}
	mixins := after
	bases := []supertype{}
	if w.is(mixins, "with") {
		bases, _, mixins = w.supertypes(mixins, end, w.tok(i).indent)
	}
	open, stop, last := -1, 0, mixins
	switch {
	case w.is(mixins, "{") && mixins < end && !w.tok(mixins).nl:
		open, stop = mixins+1, w.closeOf(mixins)
		last = stop + 1
	case w.is(mixins, ":") && w.tok(mixins+1).nl && mixins+1 < end && w.tok(mixins+1).indent > w.tok(i).indent:
		open = mixins + 1
		stop = w.statementEnd(open, end, w.tok(i).indent)
		last = stop
	}
	kind := facts.RefCall
	if open >= 0 {
		kind = facts.RefInherit
	}
	w.types(k, typEnd, kind)
	if w.depth > maxDepth {
		return typEnd
	}
	w.nested(func() {
		w.expression(typEnd, after)
		for _, x := range bases {
			w.types(x.typ, x.typEnd, facts.RefInherit)
			w.expression(x.typEnd, x.end)
		}
		if open >= 0 {
			w.inside(context{place: inType, name: w.baseName(k, typEnd)}, func() {
				w.b.Body(w.span(mixins, last), func() { w.template(open, stop) })
			})
		}
	})
	return max(last, i+1)
}

// comprehension walks a for with its generators and its body.
func (w *walker) comprehension(i, end int) int {
	open := i + 1
	first, stop := open, 0
	body := 0
	if w.is(open, "(") || w.is(open, "{") {
		first, stop = open+1, w.closeOf(open)
		body = stop + 1
	} else {
		for stop = open; stop < end && !w.is(stop, "yield") && !w.is(stop, "do"); stop++ {
			if w.tok(stop).kind == tOpen {
				stop = w.closeOf(stop)
			}
		}
		stop = min(stop, end)
		body = stop
	}
	last := w.lambdaEnd(i, min(body, end), end)
	w.b.Scope(w.span(i, last), func() {
		level := w.tok(first).indent
		for k := first; k < stop; {
			n := w.closeOf(k) + 1
			for n < stop && !w.is(n, ";") && !(w.tok(n).nl && w.tok(n).indent <= level && !w.goesOn(n)) {
				n = w.closeOf(n) + 1
			}
			w.generator(k, min(n, stop))
			k = max(n, k+1)
			for w.is(k, ";") {
				k++
			}
		}
		w.expression(body, last)
	})
	return max(last, i+1)
}

// generator walks "pattern <- expression", "pattern = expression" or a guard.
func (w *walker) generator(i, end int) {
	at := w.find(i, end, "<-")
	if at < 0 {
		at = w.find(i, end, "←")
	}
	prefix := "range "
	if at < 0 {
		at, prefix = w.find(i, end, "="), ""
		if at < 0 || w.is(i, "if") {
			w.expression(i, end)
			return
		}
	}
	for w.is(i, "val") || w.is(i, "case") {
		i++
	}
	guard := w.find(at+1, end, "if")
	if prefix == "" || guard == at+1 || guard < 0 {
		guard = end
	}
	last := end
	defer func() { w.expression(guard, last) }()
	end = guard
	w.expression(at+1, end)
	w.patternRefs(i, at)
	names := w.patternNames(i, at)
	init := lang.Unknown
	if len(names) == 1 && (names[0] == at-1 && i == at-1 || w.is(names[0]+1, ":")) {
		if s := w.shape(at+1, end); s != lang.Unknown && s != "" {
			init = short(prefix + s)
		}
	}
	for _, k := range names {
		typ := ""
		if w.is(k+1, ":") && k+2 < at {
			typ = w.sign(k+2, w.skipType(k+2, at))
		}
		w.b.Bind(w.name(k), w.tok(k).start, typ, init)
	}
}
