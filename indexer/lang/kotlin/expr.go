package kotlin

import "github.com/project-map/project-map/indexer/facts"

// expression walks an expression in which definitions are local.
func (w *walker) expression(i, end int) {
	if i < 0 || i >= end {
		return
	}
	was := w.ctx.place
	w.ctx.place = inBody
	for i < end {
		i = w.item(i, end)
	}
	w.ctx.place = was
}

// step walks one token of an expression, or a block, and gives the index after
// it.
func (w *walker) step(i, end int) int {
	t := w.tok(i)
	switch t.kind {
	case tOpen:
		if t.text == "{" && w.depth < maxDepth {
			w.depth++
			w.block(i)
			w.depth--
			return w.closeOf(i) + 1
		}
		return i + 1
	case tOp:
		if t.text == "::" {
			return w.callable(i)
		}
		return i + 1
	case tQuoted:
		return w.use(i, end)
	case tWord:
	default:
		return i + 1
	}
	switch t.text {
	case "when":
		k := i + 1
		if w.is(k, "(") {
			k = w.closeOf(k) + 1
		}
		if w.is(k, "{") {
			if w.whens == nil {
				w.whens = map[int]bool{}
			}
			w.whens[k] = true
		}
	case "for":
		if w.is(i+1, "(") && i+1 < end && w.depth < maxDepth {
			w.depth++
			next := w.loop(i, end)
			w.depth--
			return next
		}
	case "catch":
		if w.is(i+1, "(") && w.is(i-1, "}") && w.depth < maxDepth {
			open := i + 1
			stop := w.closeOf(open) + 1
			last := stop
			if w.is(stop, "{") && stop < end {
				last = w.closeOf(stop) + 1
			}
			w.depth++
			w.b.Scope(w.span(i, last), func() {
				w.bindParameters(w.parameters(open, w.closeOf(open)))
				if last > stop {
					w.block(stop)
				}
			})
			w.depth--
			return last
		}
		return w.use(i, end)
	case "finally":
		if !w.is(i+1, "{") {
			return w.use(i, end)
		}
	case "object":
		return w.anonymous(i, end)
	case "is", "as":
		k := i + 1
		for w.is(k, "?") {
			k++
		}
		return max(w.typeExpr(k, end, facts.RefType), i+1)
	case "super", "this":
		if t.text == "super" && w.is(i+1, "<") {
			return w.typeArguments(i+1, end)
		}
	default:
		if !isKeyword(t.text) {
			return w.use(i, end)
		}
	}
	return i + 1
}

// anonymous walks an object without a name; its members belong to the
// definition around.
func (w *walker) anonymous(i, end int) int {
	bases := w.supertypes(i+1, end)
	k := i + 1
	if len(bases) > 0 {
		k = bases[len(bases)-1].end
	}
	for _, x := range bases {
		w.typeExpr(x.typ, x.typEnd, facts.RefInherit)
		w.expression(x.typEnd, x.end)
	}
	if !w.is(k, "{") || k >= end || w.depth >= maxDepth {
		return k
	}
	w.depth++
	c := context{place: inClass}
	if len(bases) > 0 {
		c.superclass = w.baseName(bases[0])
	}
	w.inside(c, func() {
		w.b.Body(w.span(k, w.closeOf(k)+1), func() { w.items(k+1, w.closeOf(k)) })
	})
	w.depth--
	return w.closeOf(k) + 1
}

// arrow is the index of the arrow behind the parameters of the lambda at an
// index, or -1.
func (w *walker) arrow(open int) int {
	if w.whens[open] {
		return -1
	}
	stop := w.closeOf(open)
	for k := open + 1; k < stop && k < open+120; k++ {
		t := w.tok(k)
		switch {
		case t.text == "->" && t.kind == tOp:
			return k
		case t.kind == tWord && isKeyword(t.text):
			return -1
		case t.kind <= tQuoted:
		case t.kind == tOpen && t.text == "(":
			k = w.closeOf(k)
		case t.kind == tOp:
			switch t.text {
			case ",", ":", ".", "?", "<", ">", "*", "@", "&":
			default:
				return -1
			}
		default:
			return -1
		}
	}
	return -1
}

// block walks a lambda or the block of a statement.
func (w *walker) block(open int) {
	stop := w.closeOf(open)
	w.body(open, stop+1, func() {
		i := open + 1
		if k := w.arrow(open); k >= 0 {
			for _, p := range w.parameters(open, k) {
				w.lambdaParameter(p)
			}
			for n := i; n < k; n++ {
				if w.is(n, "(") && (n == i || w.is(n-1, ",")) {
					for _, p := range w.parameters(n, w.closeOf(n)) {
						w.lambdaParameter(p)
					}
				}
			}
			i = k + 1
		}
		w.items(i, stop)
	})
}

func (w *walker) lambdaParameter(p parameter) {
	typ, init := "", "?"
	if p.typ > 0 {
		w.typeExpr(p.typ, p.typEnd, facts.RefType)
		typ, init = w.param(p).Type, ""
	}
	w.b.Bind(w.name(p.name), w.tok(p.name).start, typ, init)
}

// loop walks a for.
func (w *walker) loop(i, end int) int {
	open := i + 1
	stop := w.closeOf(open)
	in := open + 1
	for in < stop && !w.is(in, "in") {
		in = w.closeOf(in) + 1
	}
	last := stop + 1
	braced := w.is(last, "{") && last < end
	if braced {
		last = w.closeOf(last) + 1
	} else {
		last = w.exprEnd(last, end)
	}
	w.b.Scope(w.span(i, last), func() {
		w.expression(in+1, stop)
		shape := w.shape(in+1, stop)
		bind := func(p parameter, init string) {
			typ := ""
			if p.typ > 0 {
				w.typeExpr(p.typ, p.typEnd, facts.RefType)
				typ = w.param(p).Type
			}
			w.b.Bind(w.name(p.name), w.tok(p.name).start, typ, init)
		}
		if w.is(open+1, "(") {
			for _, p := range w.parameters(open+1, w.closeOf(open+1)) {
				bind(p, "?")
			}
		} else {
			for _, p := range w.parameters(open, min(in, stop)) {
				bind(p, short("range "+shape))
			}
		}
		if braced {
			w.block(stop + 1)
		} else {
			w.expression(stop+1, last)
		}
	})
	return max(last, i+1)
}

// callable records what stands behind two colons.
func (w *walker) callable(i int) int {
	k := i + 1
	if w.is(k, "class") {
		return k + 1
	}
	if !w.isName(k) {
		return k
	}
	q := ""
	if !w.tok(i).nl && (w.tok(i-1).kind <= tQuoted || w.tok(i-1).kind == tClose) && w.tok(i-1).end == w.tok(i).start {
		q = w.before(i - 1)
	}
	if q != "" || !w.b.Bound(w.name(k)) {
		w.b.Reference(facts.RefRead, w.name(k), q, w.tok(k).start)
	}
	return k + 1
}

// use records the name at an index as a call, a type or a value.
func (w *walker) use(i, end int) int {
	t := w.tok(i)
	name := w.name(i)
	next := i + 1
	if (w.is(i-1, "(") || w.is(i-1, ",")) && w.is(next, "=") && next < end {
		return next // a named argument
	}
	called := func(k int) bool {
		return k < end && !w.tok(k).nl && (w.is(k, "(") || w.is(k, "{") && w.tok(k).kind == tOpen)
	}
	qualified := w.is(i-1, ".") || w.is(i-1, "?.")
	if w.is(next, "<") && next < end && !w.tok(next).nl {
		if after := w.skipAngles(next, end); after > 0 && (called(after) || w.is(after, "::")) {
			w.record(i, qualified, called(after))
			return max(w.typeArguments(next, end), after)
		}
	}
	if !qualified && !t.nl && next < end && w.infix != i-1 && w.operandEnds(i-1) && !w.tok(next).nl && w.operandStarts(next) {
		w.b.Reference(facts.RefCall, name, w.before(i-1), t.start)
		w.infix = i
		return next
	}
	if !qualified && isPackageRoot(name) && w.is(next, ".") && !w.b.Bound(name) {
		k := i
		for k+2 < end && w.is(k+1, ".") && w.isName(k+2) && !looksLikeType(w.name(k)) {
			k += 2
		}
		if looksLikeType(w.name(k)) || called(k+1) {
			kind := facts.RefType
			if called(k + 1) {
				kind = facts.RefCall
			}
			w.b.Reference(kind, w.name(k), short(w.sign(i, k-1)), w.tok(k).start)
			return k + 1
		}
	}
	w.record(i, qualified, called(next))
	return next
}

func isPackageRoot(name string) bool {
	switch name {
	case "java", "javax", "jakarta", "org", "com", "net", "io", "edu", "kotlin", "kotlinx", "android", "androidx":
		return true
	}
	return false
}

func (w *walker) record(i int, qualified, called bool) {
	t, name := w.tok(i), w.name(i)
	q := ""
	if qualified {
		q = w.before(i - 2)
	}
	next := w.tok(i + 1).text
	switch {
	case called:
		// Functions have names of their own, but a local variable may be called.
		if q != "" || !w.b.Bound(name) {
			w.b.Reference(facts.RefCall, name, q, t.start)
		}
	case !qualified && (name == "it" || name == "field" || name == "_"):
	case !qualified && w.b.Bound(name):
	case looksLikeType(name) && (next == "." || next == "?." || next == "::" || next == "<"):
		w.typeName(i, facts.RefType, q)
	default:
		w.b.Reference(facts.RefRead, name, q, t.start)
	}
}

// operandEnds tells whether a token ends an operand of an infix call.
func (w *walker) operandEnds(i int) bool {
	t := w.tok(i)
	switch t.kind {
	case tNumber, tChar, tString, tQuoted:
		return true
	case tWord:
		return !isKeyword(t.text) && t.text != "by" && t.text != "finally" || t.text == "this" || t.text == "null" || t.text == "true" || t.text == "false"
	case tClose:
		if t.text == ")" {
			switch w.tok(int(t.match) - 1).text {
			case "if", "while", "for", "when", "catch":
				return false
			}
		}
		return t.text == ")" || t.text == "]" || t.text == `"`
	}
	return false
}

func (w *walker) operandStarts(i int) bool {
	t := w.tok(i)
	switch t.kind {
	case tNumber, tChar, tString, tQuoted:
		return true
	case tOpen:
		return t.text != "["
	case tWord:
		switch t.text {
		case "this", "null", "true", "false", "object", "if", "when", "try", "super":
			return true
		}
		return !isKeyword(t.text) && t.text != "by"
	}
	return false
}

// exprEnd is the index after the expression that starts at an index: it ends
// with its line, unless something says that it goes on.
func (w *walker) exprEnd(i, end int) int {
	operand := true // one is due
	for k := i; k < end; {
		t := w.tok(k)
		if t.nl && k > i {
			if !operand && !w.continues(k) {
				return k
			}
			if t.kind == tWord && startsDeclaration(t.text) && (t.text != "object" && t.text != "fun") && (isDeclarator(t.text) || isDeclarator(w.tok(k+1).text)) {
				return k
			}
		}
		switch t.kind {
		case tOpen:
			k = w.closeOf(k) + 1
			operand = false
			continue
		case tClose:
			return k
		case tOp:
			switch t.text {
			case ";", ",":
				return k
			case "!!", "++", "--", "?", "@":
			default:
				operand = true
			}
		case tWord:
			switch t.text {
			case "if", "while", "for", "when", "catch":
				operand = t.text != "catch" || operand
				if w.is(k+1, "(") {
					k = w.closeOf(k + 1)
					operand = true
				}
			case "else", "throw", "try", "do", "finally", "in", "is", "as", "fun":
				operand = true
			case "object":
				operand = true
				if bases := w.supertypes(k+1, end); len(bases) > 0 {
					k = bases[len(bases)-1].end
					continue
				}
			default:
				// A name where none is due is an infix call.
				operand = !operand && !isKeyword(t.text)
				if w.is(k+1, "<") && !w.tok(k+1).nl {
					if next := w.skipAngles(k+1, end); next > 0 {
						k = next - 1
						operand = false
					}
				}
			}
		default:
			operand = false
		}
		k++
	}
	return end
}

// continues tells whether a line that starts with a token goes on with the
// expression before.
func (w *walker) continues(k int) bool {
	switch w.tok(k).text {
	case ".", "?.", "?:", "&&", "||", "as", "->":
		return true
	case "else":
		return !w.is(k+1, "->")
	case "catch":
		return w.is(k+1, "(") && w.is(k-1, "}")
	case "finally":
		return w.is(k+1, "{") && w.is(k-1, "}")
	}
	return false
}
