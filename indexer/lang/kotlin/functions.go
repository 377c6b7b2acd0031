package kotlin

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// function walks a named or anonymous function.
func (w *walker) function(h head, end int) int {
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
	open := i
	switch {
	case name >= 0:
		open = name + 1
		if w.is(open, "<") { // type parameters behind the name, of old
			if next := w.skipAngles(open, end); next > 0 {
				params, open = [2]int{open, next}, next
			}
		}
	case dot >= 0:
		open = dot + 1
	case !w.is(i, "("):
		if k := w.skipType(i, end); w.is(k, ".") && w.is(k+1, "(") {
			open, dot = k+1, k
		}
	}
	var list []parameter
	if i = open; w.is(i, "(") && i < end {
		list = w.parameters(i, w.closeOf(i))
		i = w.closeOf(i) + 1
	}
	typ := [2]int{}
	if w.is(i, ":") && i < end {
		typ = [2]int{i + 1, w.skipType(i+1, end)}
		i = typ[1]
	}
	bounds := i
	if w.is(i, "where") && i < end {
		for i < end && !w.is(i, "{") && !w.is(i, "=") && !(w.tok(i).nl && isDeclarator(w.tok(i).text)) {
			i++
		}
	}
	headEnd := i
	from := -1
	stop := i
	switch {
	case w.is(i, "{") && i < end:
		from, stop = i+1, w.closeOf(i)
		i = stop + 1
	case w.is(i, "=") && i < end:
		from = i + 1
		stop = w.exprEnd(from, end)
		i = stop
	}
	i = max(i, h.keyword+1)
	symbol := int32(-1)
	if name >= 0 {
		s := facts.Symbol{
			Name: w.name(name), Kind: facts.KindFunction, Span: w.span(h.first, i), NameSpan: w.span(name, name+1),
			Signature: w.sign(h.first, headEnd), Type: w.sign(typ[0], typ[1]),
		}
		for _, p := range list {
			s.Params = append(s.Params, w.param(p))
		}
		w.belongs(&s, recv, dot, params)
		if w.ctx.place != inBody && w.ctx.place != inFile || s.Container != "" {
			s.Kind = facts.KindMethod
		}
		if w.ctx.place == inInterface && from < 0 {
			h.flags |= facts.Abstract
		}
		top := w.ctx.place == inFile || w.ctx.place == inObject && h.flags&facts.Static != 0
		if s.Name == "main" && top && dot < 0 && isMain(s.Params) && !w.b.InBody() {
			h.flags |= facts.Main
			w.b.AddTrait(facts.EntryPoint)
		}
		symbol = w.add(h, s)
	}
	w.b.Within(symbol, func() {
		w.body(h.first, i, func() {
			w.typeParameters(params[0], params[1])
			if dot >= 0 {
				w.typeExpr(recv, dot, facts.RefType)
			}
			w.bindParameters(list)
			w.typeExpr(typ[0], typ[1], facts.RefType)
			for k := bounds; k < headEnd; k++ {
				if w.is(k, ":") {
					k = max(w.typeExpr(k+1, headEnd, facts.RefType)-1, k)
				}
			}
			if from >= 0 {
				w.items(from, stop)
			}
		})
	})
	return i
}

// belongs gives an extension its receiver for a container.
func (w *walker) belongs(s *facts.Symbol, recv, dot int, params [2]int) {
	if dot < 0 {
		return
	}
	name, companion := w.receiverName(recv, dot)
	for k := params[0]; k < params[1]; k++ {
		if w.is(k, name) {
			return // of everything
		}
	}
	s.Container = name
	if companion {
		s.Flags |= facts.Static
	}
}

// isMain tells whether parameters are those of a program's start.
func isMain(params []facts.Param) bool {
	switch len(params) {
	case 0:
		return true
	case 1:
		t := strings.ReplaceAll(params[0].Type, " ", "")
		return t == "Array<String>" || t == "Array<outString>" || t == "varargString"
	}
	return false
}

func (w *walker) constructor(h head, end int) int {
	k := h.keyword
	list := w.parameters(k+1, w.closeOf(k+1))
	i := w.closeOf(k+1) + 1
	headEnd := i
	call := -1
	if w.is(i, ":") && (w.is(i+1, "this") || w.is(i+1, "super")) && i+1 < end {
		call = i + 1
		i += 2
		if w.is(i, "(") {
			i = w.closeOf(i) + 1
		}
	}
	open := -1
	callEnd := i
	if w.is(i, "{") && i < end {
		open = i
		i = w.closeOf(i) + 1
	}
	s := facts.Symbol{
		Name: w.ctx.name, Kind: facts.KindConstructor, Span: w.span(h.first, i), NameSpan: w.span(k, k+1), Signature: w.sign(h.first, headEnd),
	}
	for _, p := range list {
		s.Params = append(s.Params, w.param(p))
	}
	super := w.ctx.superclass
	w.b.Within(w.add(h, s), func() {
		w.body(h.first, i, func() {
			w.bindParameters(list)
			if call >= 0 {
				target := w.ctx.name
				if w.is(call, "super") {
					target = super
				}
				w.b.Reference(facts.RefCall, target, "", w.tok(call).start)
				w.expression(call+1, callEnd)
			}
			if open >= 0 {
				w.items(open+1, w.closeOf(open))
			}
		})
	})
	return i
}

func (w *walker) alias(h head, end int) int {
	name := h.keyword + 1
	if !w.isName(name) || name >= end {
		return name
	}
	i := name + 1
	params := [2]int{}
	if w.is(i, "<") {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	from := i
	if w.is(i, "=") && i < end {
		from = i + 1
		i = w.skipType(from, end)
	}
	symbol := w.add(h, facts.Symbol{
		Name: w.name(name), Kind: facts.KindType, Span: w.span(h.first, i), NameSpan: w.span(name, name+1),
		Signature: w.sign(h.first, i), Type: w.sign(from, i),
	})
	w.b.Within(symbol, func() {
		w.b.Scope(w.span(h.first, i), func() {
			w.typeParameters(params[0], params[1])
			w.typeExpr(from, i, facts.RefType)
		})
	})
	return i
}
