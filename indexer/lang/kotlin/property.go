package kotlin

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// property walks val and var: of a type, of the file, or local.
func (w *walker) property(h head, end int) int {
	i := h.keyword + 1
	params := [2]int{}
	if w.is(i, "<") {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	recv := i
	name, dot := w.receiver(i, end)
	var names []int
	switch {
	case name >= 0:
		names, i = []int{name}, name+1
	case w.is(i, "("):
		names = w.destructured(i)
		i = w.closeOf(i) + 1
	default:
		return i
	}
	typ := [2]int{}
	if w.is(i, ":") && i < end {
		typ = [2]int{i + 1, w.skipType(i+1, end)}
		i = max(typ[1], i+1)
	}
	if w.is(i, "where") && i < end {
		for i < end && !w.is(i, "=") && !w.is(i, "by") && (!w.tok(i).nl || w.is(i-1, ",")) {
			i++
		}
	}
	headEnd := i
	from, stop := -1, i
	delegated := w.is(i, "by") && i < end
	if delegated || w.is(i, "=") && i < end {
		from = i + 1
		stop = w.exprEnd(from, end)
		i = max(stop, from)
	}
	text := w.sign(typ[0], typ[1])
	shape := ""
	if from >= 0 && from < stop {
		shape = w.initial(from, stop, delegated)
	}
	walkHead := func() {
		w.typeParameters(params[0], params[1])
		if dot >= 0 {
			w.typeExpr(recv, dot, facts.RefType)
		}
		w.typeExpr(typ[0], typ[1], facts.RefType)
	}
	if w.ctx.place == inBody {
		walkHead()
		if from >= 0 {
			w.items(from, stop)
		}
		for n, at := range names {
			t, s := text, shape
			if name < 0 {
				if t = ""; w.is(at+1, ":") {
					t = w.sign(at+2, w.skipType(at+2, len(w.toks)))
				}
				if s = "?"; len(shape) > 0 && shape != "?" && n < 10 {
					s = shape + "#" + string(rune('0'+n))
				}
			}
			w.b.Bind(w.name(at), w.tok(at).start, t, s)
		}
		return i
	}
	acc, after := w.accessors(i, end)
	i = after
	symbol := int32(-1)
	for n, at := range names {
		s := facts.Symbol{
			Name: w.name(at), Kind: facts.KindProperty, Span: w.span(h.first, i), NameSpan: w.span(at, at+1),
			Signature: w.sign(h.first, headEnd), Type: text, Init: shape,
		}
		if name < 0 {
			s.Init = "?"
		}
		if n > 0 {
			s.Span = w.span(at, at+1)
		}
		hh := h
		custom := false
		for _, a := range acc {
			if a.set {
				hh.flags |= facts.Setter
			} else {
				hh.flags |= facts.Getter
				custom = true
			}
		}
		upper := strings.ToUpper(s.Name) == s.Name && strings.ToLower(s.Name) != s.Name
		constant := h.words["const"] || upper && w.is(h.keyword, "val") && from >= 0 && !delegated && (w.ctx.place == inFile || w.ctx.place == inObject)
		switch {
		case constant:
			s.Kind = facts.KindConstant
			if h.words["const"] && from >= 0 && stop == from+1 {
				s.Signature += " = " + w.sign(from, stop)
			}
		case w.ctx.place == inFile && dot < 0 && !custom:
			s.Kind = facts.KindVariable
		}
		w.belongs(&s, recv, dot, params)
		if w.ctx.place == inInterface && from < 0 && !custom {
			hh.flags |= facts.Abstract
		}
		symbol = w.add(hh, s)
	}
	w.b.Within(symbol, func() {
		w.b.Scope(w.span(h.first, i), func() {
			walkHead()
			w.expression(from, stop)
			for _, a := range acc {
				w.accessor(a)
			}
		})
	})
	return i
}

// initial is the shape of an initialiser; a property that lazy makes has the
// one of what its lambda yields, where that is a lone expression.
func (w *walker) initial(from, stop int, delegated bool) string {
	if !delegated {
		return w.shape(from, stop)
	}
	k := from + 1
	if w.is(from, "lazy") {
		if w.is(k, "(") {
			k = w.closeOf(k) + 1
		}
		if w.is(k, "{") && k < stop {
			if last := w.closeOf(k); w.exprEnd(k+1, last) == last {
				return w.shape(k+1, last)
			}
		}
	}
	return "?"
}

// destructured lists the names in the brackets at an index.
func (w *walker) destructured(open int) []int {
	var out []int
	for _, p := range w.parameters(open, w.closeOf(open)) {
		out = append(out, p.name)
	}
	return out
}

// accessor is a get or set of a property, by indexes of tokens.
type accessor struct {
	set                     bool
	start, open, typ, i, to int // from the first token to the body at i and its end
}

// accessors reads those behind a property.
func (w *walker) accessors(i, end int) ([]accessor, int) {
	var out []accessor
	for len(out) < 2 {
		k := i
		if w.is(k, ";") && k < end {
			k++
		}
		a := accessor{start: k, open: -1, typ: -1, i: -1}
		for k < end {
			if w.is(k, "@") {
				next := w.skipAnnotation(k, end)
				if next <= k {
					break
				}
				k = next
			} else if w.tok(k).kind == tWord && modifierWords[w.tok(k).text] {
				k++
			} else {
				break
			}
		}
		if k >= end || !w.is(k, "get") && !w.is(k, "set") {
			break
		}
		a.set = w.is(k, "set")
		modified := k > a.start
		k++
		a.to = k
		if w.is(k, "(") && k < end {
			stop := w.closeOf(k)
			if a.set != (stop > k+1) {
				break
			}
			a.open = k
			k = stop + 1
			if w.is(k, ":") && k < end {
				a.typ = k + 1
				k = w.skipType(k+1, end)
			}
			switch {
			case w.is(k, "{") && k < end:
				a.i, a.to = k+1, w.closeOf(k)+1
			case w.is(k, "=") && k < end:
				a.i, a.to = k+1, max(k+1, w.exprEnd(k+1, end))
			default:
				return out, i
			}
		} else if !modified && (w.ctx.place == inFile || k < end && !w.tok(k).nl) {
			break
		}
		out = append(out, a)
		i = a.to
	}
	return out, i
}

func (w *walker) accessor(a accessor) {
	w.body(a.start, a.to, func() {
		for k := a.start; k < a.to && w.is(k, "@"); k = max(k+1, w.skipAnnotation(k, a.to)) {
			w.annotation(k, a.to)
		}
		if a.open >= 0 {
			w.bindParameters(w.parameters(a.open, w.closeOf(a.open)))
		}
		if a.typ >= 0 {
			w.typeExpr(a.typ, a.to, facts.RefType)
		}
		if a.i >= 0 {
			stop := a.to
			if w.is(a.i-1, "{") {
				stop--
			}
			w.items(a.i, stop)
		}
	})
}
