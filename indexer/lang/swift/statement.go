package swift

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// maxCondition bounds the tokens between a statement's keyword and its block.
const maxCondition = 3000

// braceOf is the index of the brace that opens the block of the statement at an
// index, or -1.
func (w *walker) braceOf(i, end int) int {
	guard := w.is(i, "guard")
	for k := i + 1; k < end && k < i+maxCondition; k++ {
		t := w.tok(k)
		switch {
		case t.kind == tOpen && t.text == "{":
			if guard {
				if w.is(k-1, "else") {
					return k
				}
			} else if next := w.tok(w.closeOf(k) + 1); next.nl || next.text != "{" && next.text != "," && next.text != "." && next.text != "&&" && next.text != "||" {
				return k
			}
			k = w.closeOf(k)
		case t.kind == tOpen:
			k = w.closeOf(k)
		case t.kind == tClose, t.text == ";":
			return -1
		case t.nl && t.kind == tWord && isDeclarator(t.text) && t.text != "let" && t.text != "var":
			return -1
		}
	}
	return -1
}

// statement walks if, guard, while, for and switch with their conditions and
// first block.
func (w *walker) statement(i, end int) int {
	open := w.braceOf(i, end)
	if open < 0 {
		return i + 1
	}
	w.blocks[open] = true
	stop := w.closeOf(open) + 1
	walk := func() {
		switch w.tok(i).text {
		case "for":
			w.loop(i+1, open)
		case "guard":
			w.expression(i+1, open-1)
		default:
			w.expression(i+1, open)
		}
		w.block(open)
	}
	if w.is(i, "guard") {
		walk()
	} else {
		w.b.Scope(w.span(i, stop), walk)
	}
	return stop
}

// loop walks what stands between for and its block.
func (w *walker) loop(i, end int) {
	in := i
	for in < end && !w.is(in, "in") {
		in = w.closeOf(in) + 1
	}
	if in >= end {
		w.expression(i, end)
		return
	}
	where := in + 1
	for where < end && !w.is(where, "where") {
		where = w.closeOf(where) + 1
	}
	w.expression(in+1, min(where, end))
	for w.is(i, "try") || w.is(i, "await") || w.is(i, "unsafe") {
		i++
	}
	switch {
	case w.is(i, "case"):
		w.expression(i, in)
	case w.isName(i) && i+1 == in:
		w.b.Bind(w.name(i), w.tok(i).start, "", short("range "+w.shape(in+1, min(where, end))))
	case w.isName(i) && w.is(i+1, ":"):
		w.typeExpr(i+2, in, facts.RefType)
		w.b.Bind(w.name(i), w.tok(i).start, w.sign(i+2, in), "")
	default:
		for _, n := range w.patternNames(i, in) {
			w.b.Bind(w.name(n), w.tok(n).start, "", lang.Unknown)
		}
	}
	w.expression(where, end)
}

func (w *walker) catch(i, end int) int {
	open := w.braceOf(i, end)
	if open < 0 || !w.is(i-1, "}") {
		return w.use(i, end)
	}
	w.blocks[open] = true
	stop := w.closeOf(open) + 1
	w.b.Scope(w.span(i, stop), func() {
		if open == i+1 {
			w.b.Bind("error", w.tok(i).start, "", lang.Unknown)
		}
		w.expression(i+1, open)
		w.block(open)
	})
	return stop
}

// binding walks the pattern behind let or var in a condition or a case, and
// binds its names. It gives the index of the value.
func (w *walker) binding(i, end int) int {
	init := ""
	k := i + 1
	if k >= end {
		return k
	}
	if w.is(k, "(") || w.is(k, ".") || w.isName(k) && (w.is(k+1, ".") || w.is(k+1, "(")) {
		for k < end && (w.is(k, ".") || w.isWord(k)) {
			if w.isName(k) && looksLikeType(w.name(k)) && !w.is(k-1, ".") {
				w.typeName(k, facts.RefType, "")
			} else if w.isName(k) && w.is(k-1, ".") && !w.is(k+1, ".") {
				w.b.Reference(facts.RefRead, w.name(k), w.qualifier(k), w.tok(k).start)
			}
			k++
		}
		if w.is(k, "(") && k < end {
			for _, n := range w.patternNames(k+1, w.closeOf(k)) {
				w.b.Bind(w.name(n), w.tok(n).start, "", lang.Unknown)
			}
			k = w.closeOf(k) + 1
		}
		return k
	}
	if !w.isWord(k) {
		return k
	}
	name := k
	k++
	typ := ""
	if w.is(k, "?") && w.touches(k) {
		k++
	}
	if w.is(k, ":") && k < end && w.assigned(k+1, end) {
		stop := w.typeExpr(k+1, end, facts.RefType)
		typ = w.sign(k+1, stop)
		k = stop
	}
	switch {
	case w.is(k, "=") && k < end:
		stop := k + 1
		for stop < end && stop < k+maxCondition && !w.is(stop, ",") && w.tok(stop).kind != tClose && !(w.is(stop, "else") && w.is(stop+1, "{")) {
			stop = w.closeOf(stop) + 1
		}
		stop = min(stop, end)
		init = w.shape(k+1, stop)
		w.expression(k+1, stop)
		k = stop
	case w.is(k, "as") && k+1 < end:
		stop := w.typeExpr(k+1, end, facts.RefType)
		typ = w.sign(k+1, stop)
		k = stop
	case w.is(name-2, "if"), w.is(name-2, "guard"), w.is(name-2, "while"), w.is(name-2, ",") && w.is(k, "{"):
		init = w.name(name) // if let x
	}
	if init == "" && typ == "" {
		init = lang.Unknown
	}
	if w.isName(name) {
		w.b.Bind(w.name(name), w.tok(name).start, typ, init)
	}
	return max(k, i+1)
}

// assigned tells whether a value follows the type at an index.
func (w *walker) assigned(i, end int) bool {
	k := w.skipType(i, end)
	return k < end && w.is(k, "=")
}

// closureIn is the index of the word in behind the parameters of the closure at
// an index, or -1.
func (w *walker) closureIn(open int) int {
	if w.blocks[open] {
		return -1
	}
	stop := w.closeOf(open)
	for k := open + 1; k < stop && k < open+200; k++ {
		t := w.tok(k)
		switch {
		case t.text == "in" && t.kind == tWord:
			return k
		case t.kind == tWord && isKeyword(t.text) && t.text != "throws" && t.text != "inout" && t.text != "_" && t.text != "self":
			return -1
		case t.kind <= tQuoted:
		case t.kind == tOpen && (t.text == "(" || t.text == "["):
			k = w.closeOf(k)
		case t.kind == tOp:
			switch t.text {
			case ",", ":", ".", "?", "!", "<", ">", "@", "&", "->", "...":
			default:
				return -1
			}
		default:
			return -1
		}
	}
	return -1
}

// block walks a closure or the block of a statement.
func (w *walker) block(open int) {
	stop := w.closeOf(open)
	w.body(open, stop+1, func() {
		i := open + 1
		if in := w.closureIn(open); in >= 0 {
			w.closureHead(i, in)
			i = in + 1
		}
		w.items(i, stop)
	})
}

// closureHead walks the captures, parameters and result of a closure.
func (w *walker) closureHead(i, in int) {
	for w.is(i, "@") {
		next := w.skipAttribute(i, in)
		if next <= i {
			break
		}
		i = next
	}
	if w.is(i, "[") {
		stop := w.closeOf(i)
		w.expression(i+1, stop)
		for k := i + 1; k < stop; k++ {
			if w.isName(k) && (w.is(k+1, "=") || w.is(k+1, ",") && !w.is(k-1, "=") && !w.is(k-1, ".") || k+1 == stop && !w.is(k-1, "=") && !w.is(k-1, ".")) {
				w.b.Bind(w.name(k), w.tok(k).start, "", lang.Unknown)
			}
			k = w.closeOf(k)
		}
		i = stop + 1
	}
	if w.is(i, "(") && i < in {
		for _, p := range w.parameters(i, w.closeOf(i)) {
			if p.name < 0 && p.typ == 0 && w.isName(p.start) {
				w.b.Bind(w.name(p.start), w.tok(p.start).start, "", lang.Unknown)
			}
		}
		w.bindParameters(w.parameters(i, w.closeOf(i)))
		i = w.closeOf(i) + 1
	} else {
		for i < in && (w.isWord(i) || w.is(i, ",")) && !w.is(i, "async") && !w.is(i, "throws") {
			if w.isName(i) {
				w.b.Bind(w.name(i), w.tok(i).start, "", lang.Unknown)
			}
			i++
		}
	}
	for ; i < in; i++ {
		if w.is(i, "->") {
			w.typeExpr(i+1, in, facts.RefType)
			return
		}
	}
}
