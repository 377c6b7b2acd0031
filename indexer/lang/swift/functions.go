package swift

import (
	"github.com/project-map/project-map/indexer/facts"
)

// functionName finds the name behind func: a word, or an operator up to the
// blank or bracket after it. It gives the index after the name.
func (w *walker) functionName(i, end int) (name string, next int) {
	if w.tok(i).nl {
		return "", i
	}
	if w.isWord(i) {
		return w.name(i), i + 1
	}
	next = i
	for next < end && w.tok(next).kind == tOp && (next == i || w.touches(next)) {
		// func < <T>(…): the second one opens type parameters.
		if next > i && w.is(next, "<") && w.isWord(next+1) {
			break
		}
		next++
	}
	if next == i {
		return "", i
	}
	return w.x.all[w.tok(i).start:w.tok(next-1).end], next
}

// function walks a function, initialiser, deinitialiser, subscript or macro.
func (w *walker) function(h head, end int) int {
	word := w.tok(h.keyword).text
	name, i := word, h.keyword+1
	nameAt, nameEnd := h.keyword, h.keyword+1
	if word == "func" || word == "macro" {
		nameAt = i
		if name, i = w.functionName(i, end); name == "" {
			return h.keyword + 1
		}
		nameEnd = i
	}
	for (word == "init") && (w.is(i, "?") || w.is(i, "!")) {
		i++
	}
	params := [2]int{}
	if w.is(i, "<") && i < end {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	var list []parameter
	if w.is(i, "(") && i < end {
		list = w.parameters(i, w.closeOf(i))
		i = w.closeOf(i) + 1
	}
	effects := i
	for i < end {
		switch {
		case w.is(i, "async"), w.is(i, "reasync"):
			h.flags |= facts.Async
			i++
			continue
		case w.is(i, "throws"), w.is(i, "rethrows"):
			i++
			if w.is(i, "(") && w.is(i-1, "throws") && i < end {
				i = w.closeOf(i) + 1
			}
			continue
		}
		break
	}
	typ := [2]int{}
	effectsEnd := i
	if w.is(i, "->") && i < end {
		typ = [2]int{i + 1, max(i+1, w.skipType(i+1, end))}
		i = typ[1]
	}
	where := i
	i = w.whereEnd(i, end)
	headEnd := i
	from, stop := -1, i
	switch {
	case w.is(i, "{") && i < end:
		from, stop = i+1, w.closeOf(i)
		i = stop + 1
	case word == "macro" && w.is(i, "=") && i < end:
		from = i + 1
		stop = w.exprEnd(from, end)
		i = max(stop, from)
	}
	i = max(i, h.keyword+1)
	s := facts.Symbol{
		Name: name, Kind: facts.KindFunction, Span: w.span(h.first, i), NameSpan: w.span(nameAt, nameEnd),
		Signature: w.sign(h.first, headEnd), Type: w.sign(typ[0], typ[1]), Params: w.params(list),
	}
	switch {
	case word == "init":
		s.Kind = facts.KindConstructor
	case word == "macro":
		s.Kind = facts.KindMacro
	case w.ctx.place != inBody && w.ctx.place != inFile:
		s.Kind = facts.KindMethod
	}
	if w.ctx.place == inProtocol {
		h.flags |= facts.Abstract
	}
	if name == "main" && h.flags&facts.Static != 0 && w.ctx.main && len(list) == 0 {
		h.flags |= facts.Main
	}
	symbol := w.add(h, s)
	w.b.Within(symbol, func() {
		w.body(h.first, i, func() {
			if params[1] > 0 {
				w.typeParameters(params[0], params[1])
			}
			w.bindParameters(list)
			w.thrown(effects, effectsEnd)
			w.typeExpr(typ[0], typ[1], facts.RefType)
			if where < headEnd {
				w.where(where, headEnd)
			}
			switch {
			case from < 0:
			case word == "subscript" && w.accessors(from, stop):
			default:
				w.items(from, stop)
			}
		})
	})
	return i
}

// accessor tells whether one starts at an index, and gives the index of its
// keyword.
func (w *walker) accessor(i, end int) (int, bool) {
	for n := 0; i < end && n < 8; n++ {
		if w.is(i, "@") {
			next := w.skipAttribute(i, end)
			if next <= i {
				return i, false
			}
			i = next
			continue
		}
		switch w.tok(i).text {
		case "mutating", "nonmutating", "__consuming", "consuming", "borrowing", "isolated", "nonisolated", "private", "public", "internal":
			i++
			continue
		}
		break
	}
	if i >= end || w.tok(i).kind != tWord {
		return i, false
	}
	switch w.tok(i).text {
	case "get", "set", "willSet", "didSet", "_read", "_modify", "read", "modify", "unsafeAddress", "unsafeMutableAddress", "addressWithOwner", "mutableAddressWithNativeOwner", "init", "borrow", "mutate", "yielding":
	default:
		return i, false
	}
	k := i + 1
	if k >= end {
		return i, true
	}
	if w.is(k, "(") {
		k = w.closeOf(k) + 1
		return i, w.is(k, "{") || w.is(i, "init")
	}
	switch w.tok(k).text {
	case "{", "async", "throws":
		return i, true
	case "get", "set", "_modify", "mutating", "nonmutating", "@":
		return i, true
	}
	return i, false
}

// accessors walks the accessors between two indexes, and tells whether there
// are any.
func (w *walker) accessors(i, end int) bool {
	at, ok := w.accessor(i, end)
	if !ok {
		return false
	}
	for ok && i < end {
		k := at + 1
		open := -1
		if w.is(k, "(") && k < end {
			open = k
			k = w.closeOf(k) + 1
		}
		effects := k
		for k < end && (w.is(k, "async") || w.is(k, "throws")) {
			k++
			if w.is(k, "(") && k < end {
				k = w.closeOf(k) + 1
			}
		}
		effectsEnd := k
		if w.is(k, "{") && k < end {
			stop := w.closeOf(k)
			w.body(at, stop+1, func() {
				switch w.tok(at).text {
				case "set", "willSet", "init":
					if open >= 0 && w.isName(open+1) {
						w.b.Bind(w.name(open+1), w.tok(open+1).start, "", "?")
					} else {
						w.b.Bind("newValue", w.tok(at).start, "", "?")
					}
				case "didSet":
					w.b.Bind("oldValue", w.tok(at).start, "", "?")
				}
				w.thrown(effects, effectsEnd)
				w.items(k+1, stop)
			})
			k = stop + 1
		}
		i = max(k, i+1)
		at, ok = w.accessor(i, end)
	}
	if i < end {
		w.items(i, end)
	}
	return true
}
