package swift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

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

// label tells whether a word is the label of an argument.
func (w *walker) label(i int) bool {
	if !w.is(i+1, ":") || !w.isWord(i) {
		return false
	}
	last := w.tok(i - 1)
	if last.kind == tOpen && (last.text == "(" || last.text == "$" || last.text == "[") || last.text == "," {
		up := int(w.tok(i).up)
		return w.is(up, "(") || w.is(up, "$") || w.is(up, "[") && w.touches(up)
	}
	// Of a further closure behind a call.
	return last.kind == tClose && last.text == "}" && !w.tok(i).nl && w.is(i+2, "{")
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
	case tQuoted:
		return w.use(i, end)
	case tMacro:
		switch name := t.text[1:]; name {
		case "available", "unavailable", "externalMacro", "error", "warning", "colorLiteral", "imageLiteral", "fileLiteral":
			if w.is(i+1, "(") && i+1 < end {
				return w.closeOf(i+1) + 1
			}
		case "selector", "keyPath", "file", "fileID", "filePath", "line", "function", "column", "dsohandle", "isolation":
		default:
			w.b.Reference(facts.RefCall, name, "", t.start+1)
		}
		return i + 1
	case tWord:
	default:
		return i + 1
	}
	if w.label(i) {
		return i + 1
	}
	if w.is(i-1, ".") {
		return w.use(i, end)
	}
	switch t.text {
	case "if", "guard", "while", "for", "switch":
		if w.depth < maxDepth {
			w.depth++
			next := w.statement(i, end)
			w.depth--
			return next
		}
	case "catch":
		if w.depth < maxDepth {
			w.depth++
			next := w.catch(i, end)
			w.depth--
			return next
		}
	case "let", "var":
		if w.depth < maxDepth {
			w.depth++
			next := w.binding(i, end)
			w.depth--
			return next
		}
	case "is", "as":
		k := i + 1
		for w.is(k, "?") || w.is(k, "!") {
			k++
		}
		if !w.is(i, "is") && w.is(k, ".") {
			return k
		}
		return max(w.typeExpr(k, end, facts.RefType), i+1)
	case "await", "Self":
		return i + 1
	case "any", "some", "each", "consume", "copy", "borrow", "unsafe", "yield", "discard", "async", "weak", "unowned":
		if i+1 < end && !w.tok(i+1).nl && w.isWord(i+1) {
			return i + 1
		}
		return w.use(i, end)
	default:
		if w.isName(i) {
			return w.use(i, end)
		}
	}
	return i + 1
}

// called tells whether the token at an index makes a call of the one before.
func (w *walker) called(k, end int) bool {
	if k >= end || w.tok(k).kind != tOpen || w.tok(k).nl {
		return false
	}
	return w.is(k, "(") && w.touches(k) || w.is(k, "{") && !w.blocks[k]
}

// use records the name at an index as a call, a type or a value.
func (w *walker) use(i, end int) int {
	next := i + 1
	member := w.is(i-1, ".")
	if member {
		switch w.tok(i).text {
		case "self", "Type", "Protocol":
			return next
		}
	} else if !w.isName(i) {
		return next
	}
	k := next
	// foo!(x), foo?(x)
	for k < end && w.touches(k) && (w.is(k, "!") || w.is(k, "?")) {
		k++
	}
	if w.is(k, "<") && k < end && w.touches(k) {
		if after := w.skipAngles(k, end); after > 0 && (w.called(after, end) || w.is(after, ".") || w.is(after, "?") || w.tok(after).kind == tClose || w.is(after, ",")) {
			w.record(i, member, w.called(after, end), after)
			w.typeArguments(k, after-1)
			return after
		}
	}
	w.record(i, member, w.called(k, end), k)
	return next
}

// qualifier is the shape of what a member at an index belongs to.
func (w *walker) qualifier(i int) string {
	if w.operandEnds(i-2) && (w.touches(i-1) || w.tok(i-1).nl) {
		return w.before(i - 2)
	}
	return lang.Unknown
}

func (w *walker) record(i int, member, called bool, next int) {
	t, name := w.tok(i), strings.TrimPrefix(w.name(i), "$")
	q := ""
	if member {
		q = w.qualifier(i)
	}
	switch {
	case called:
		if w.manifest {
			w.target(i)
		}
		if member || !w.b.Bound(name) {
			w.b.Reference(facts.RefCall, name, q, t.start)
		}
	case !member && w.b.Bound(name):
	case looksLikeType(name) && w.is(next, "."):
		w.typeName(i, facts.RefType, q)
	case !member && predeclared(name):
	default:
		w.b.Reference(facts.RefRead, name, q, t.start)
	}
}

// operandEnds tells whether a token ends an operand.
func (w *walker) operandEnds(i int) bool {
	t := w.tok(i)
	switch t.kind {
	case tNumber, tString, tQuoted, tMacro:
		return i >= 0
	case tWord:
		return !isKeyword(t.text) && t.text != "await" || t.text == "self" || t.text == "super" || t.text == "nil" || t.text == "true" || t.text == "false" || w.is(i-1, ".")
	case tClose:
		return true
	case tOp:
		return (t.text == "?" || t.text == "!" || t.text == ">") && w.touches(i)
	}
	return false
}

// exprEnd is the index after the expression that starts at an index: it ends
// with its line, unless something says that it goes on.
func (w *walker) exprEnd(i, end int) int {
	operand := true // one is due
	choices := 0
	for k := i; k < end; {
		t := w.tok(k)
		if t.nl && k > i {
			if !operand && !w.continues(k, choices > 0) {
				return k
			}
		}
		if t.nl && t.kind == tWord && (isDeclarator(t.text) || modifierWords[t.text] && w.declares(k)) {
			return k
		}
		switch t.kind {
		case tOpen:
			if t.text == "{" && !operand && w.observes(k) {
				return k
			}
			k = w.closeOf(k) + 1
			operand = false
			continue
		case tClose:
			return k
		case tOp:
			switch t.text {
			case ";", ",":
				return k
			case ":":
				if choices == 0 {
					return k
				}
				choices--
				operand = true
			case "?", "!":
				if w.touches(k) {
					break
				}
				if t.text == "?" {
					choices++
				}
				operand = true
			case "<":
				if next := w.skipAngles(k, end); next > 0 && w.touches(k) {
					k = next
					operand = false
					continue
				}
				operand = true
			case "@":
			default:
				operand = true
			}
		case tWord:
			switch t.text {
			case "as", "is", "try", "await", "in", "else", "throw", "if", "switch", "do", "catch", "where", "let", "case", "var":
				operand = !w.is(k-1, ".") || k == i
				if t.text == "is" || t.text == "as" {
					n := k + 1
					for w.is(n, "?") || w.is(n, "!") {
						n++
					}
					if next := w.skipType(n, end); next > n {
						k = next
						operand = false
						continue
					}
				}
			default:
				operand = false
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
func (w *walker) continues(k int, choice bool) bool {
	t := w.tok(k)
	switch {
	case t.kind == tOp:
		switch t.text {
		case ".", "->":
			return true
		case "@", "\\", ";", ",":
			return false
		case ":":
			return choice
		}
		return !w.touches(k + 1)
	case t.kind == tWord:
		switch t.text {
		case "as", "is", "else":
			return true
		case "catch":
			return w.is(k-1, "}")
		}
	}
	return false
}
