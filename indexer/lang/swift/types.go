package swift

import (
	"github.com/project-map/project-map/indexer/facts"
)

// specifier tells the words before a type that are not part of its name.
func (w *walker) specifier(i, end int) bool {
	switch w.tok(i).text {
	case "inout", "borrowing", "consuming", "isolated", "sending", "__owned", "__shared", "some", "any", "each", "repeat", "nonisolated", "_const", "async":
	default:
		return false
	}
	if w.tok(i).kind != tWord || i+1 >= end || w.tok(i+1).nl {
		return false
	}
	return w.isWord(i+1) || w.is(i+1, "(") || w.is(i+1, "[") || w.is(i+1, "@") || w.is(i+1, "~")
}

// typeExpr records the names in the type expression at an index, the outermost
// with a kind, and gives the index after it. With quiet it records nothing.
func (w *walker) typeExpr(i, end int, kind facts.RefKind) int { return w.typeAt(i, end, kind, false) }

// skipType is the index after the type expression at an index.
func (w *walker) skipType(i, end int) int { return w.typeAt(i, end, facts.RefType, true) }

func (w *walker) typeAt(i, end int, kind facts.RefKind, quiet bool) int {
	if w.depth > maxDepth {
		return i
	}
	w.depth++
	defer func() { w.depth-- }()
	for i < end {
		start := i
		switch {
		case w.is(i, "@"):
			if next := w.skipAttribute(i, end); next > i {
				if !quiet {
					w.attribute(i, end)
				}
				i = next
			}
		case w.is(i, "~"):
			i++
		case w.is(i, "nonisolated") && w.is(i+1, "("):
			i = min(w.closeOf(i+1)+1, end)
		case w.specifier(i, end):
			i++
		}
		if i == start {
			break
		}
	}
	if i >= end {
		return end
	}
	switch {
	case w.is(i, "("):
		stop := w.closeOf(i)
		if !quiet {
			for _, p := range w.parameters(i, stop) {
				from := p.start
				if p.typ > 0 {
					from = p.typ
				}
				w.typeAt(from, p.end, facts.RefType, false)
			}
		}
		i = stop + 1
	case w.is(i, "["):
		stop := w.closeOf(i)
		if !quiet {
			k := w.typeAt(i+1, stop, facts.RefType, false)
			if w.is(k, ":") || w.is(k, "of") || w.is(k, "x") {
				w.typeAt(k+1, stop, facts.RefType, false)
			}
		}
		i = stop + 1
	case w.isName(i), w.is(i, "class"), w.is(i, "_"), w.is(i, "self"):
		for {
			dotted := w.is(i+1, ".") && w.isWord(i+2) && i+2 < end && !w.tok(i+2).nl
			if !quiet && w.isName(i) && w.tok(i).text != "Type" && w.tok(i).text != "Protocol" {
				k := kind
				if dotted && !w.is(i+2, "Type") {
					k = facts.RefType
				}
				q := ""
				if w.is(i-1, ".") && w.isWord(i-2) {
					q = w.before(i - 2)
				}
				w.typeName(i, k, q)
			}
			i++
			if w.is(i, "<") && i < end && !w.tok(i).nl {
				next := w.skipAngles(i, end)
				if next == 0 {
					break
				}
				if !quiet {
					w.typeArguments(i, next-1)
				}
				i = next
			}
			if !(w.is(i, ".") && w.isWord(i+1) && i+1 < end && !w.tok(i+1).nl) {
				break
			}
			i++
		}
	default:
		return i
	}
	for i < end && w.touches(i) && (w.is(i, "?") || w.is(i, "!") || w.is(i, "...") || w.is(i, "??")) {
		i++
	}
	for i+1 < end && w.is(i, ".") && w.isWord(i+1) && w.touches(i) {
		i += 2 // [A].Type, (A).Element
	}
	k := i
	for k < end && (w.is(k, "async") || w.is(k, "throws") || w.is(k, "rethrows")) {
		k++
		if w.is(k, "(") && w.is(k-1, "throws") {
			k = w.closeOf(k) + 1
		}
	}
	switch {
	case k < end && w.is(k, "->"):
		if !quiet {
			w.thrown(i, k)
		}
		return w.typeAt(k+1, end, facts.RefType, quiet)
	case i < end && w.is(i, "&") && !w.touches(i+1) || i < end && w.is(i, "&") && w.touches(i):
		return w.typeAt(i+1, end, kind, quiet)
	}
	return min(i, end)
}

// thrown walks the types in throws(…).
func (w *walker) thrown(i, end int) {
	for ; i < end; i++ {
		if w.is(i, "(") {
			w.typeExpr(i+1, w.closeOf(i), facts.RefType)
			i = w.closeOf(i)
		}
	}
}

// typeArguments walks what stands between angle brackets.
func (w *walker) typeArguments(open, stop int) {
	for i := open + 1; i < stop; {
		i = max(w.typeExpr(i, stop, facts.RefType), i+1)
		for w.is(i, ",") {
			i++
		}
	}
}

// typeParameters binds the names of <...> and walks their bounds.
func (w *walker) typeParameters(open, end int) {
	stop := end - 1
	var bounds []int
	for i := open + 1; i < stop; {
		for w.is(i, "each") || w.is(i, "let") || w.is(i, "@") {
			if w.is(i, "@") {
				i = max(i, w.skipAttribute(i, stop)-1)
			}
			i++
		}
		if w.is(i, "where") {
			w.where(i, stop)
			break
		}
		if w.isName(i) {
			w.b.Bind(w.name(i), w.tok(i).start, "", "")
			i++
		}
		if w.is(i, ":") {
			bounds = append(bounds, i+1)
			i = w.skipType(i+1, stop)
		}
		for i < stop && !w.is(i, ",") {
			i = w.closeOf(i) + 1
		}
		i++
	}
	for _, i := range bounds {
		w.typeExpr(i, stop, facts.RefType)
	}
}

// whereEnd is the index after the where clause at an index, or the index.
func (w *walker) whereEnd(i, end int) int {
	if !w.is(i, "where") || i >= end {
		return i
	}
	for i++; i < end && !w.is(i, "{") && !w.is(i, "="); i++ {
		if t := w.tok(i); t.kind == tClose || t.text == ";" || t.nl && !w.continuesType(i) {
			break
		}
		i = w.closeOf(i)
	}
	return min(i, end)
}

func (w *walker) continuesType(i int) bool {
	switch w.tok(i - 1).text {
	case ",", "where", ":", "==", "&", "->", "~":
		return true
	}
	switch w.tok(i).text {
	case ",", ":", "==", "&", "->", ".", "where":
		return true
	}
	return false
}

// where walks the requirements of a where clause.
func (w *walker) where(i, end int) {
	for i++; i < end; {
		next := w.typeExpr(i, end, facts.RefType)
		i = max(next, i+1)
		for w.is(i, ":") || w.is(i, "==") || w.is(i, ",") {
			i++
		}
	}
}
