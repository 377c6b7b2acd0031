package swift

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// typeLike walks a struct, class, actor, enum or protocol.
func (w *walker) typeLike(h head, end int) int {
	word := w.tok(h.keyword).text
	name := h.keyword + 1
	if !w.isWord(name) || name >= end || w.tok(name).nl {
		return name
	}
	i := name + 1
	params := [2]int{}
	if w.is(i, "<") && i < end {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	bases, i := w.inherited(i, end)
	where := i
	i = w.whereEnd(i, end)
	headEnd := i
	from, stop, i := w.members(h, i, end)
	s := facts.Symbol{
		Name: w.name(name), Kind: facts.KindStruct, Span: w.span(h.first, i), NameSpan: w.span(name, name+1),
		Signature: w.sign(h.first, headEnd),
	}
	c := context{place: inType, name: s.Name, visibility: facts.Protected}
	switch word {
	case "class", "actor":
		s.Kind = facts.KindClass
	case "enum":
		s.Kind, c.place = facts.KindEnum, inEnum
	case "protocol":
		s.Kind, c.place = facts.KindInterface, inProtocol
	}
	for _, x := range bases {
		s.Bases = append(s.Bases, w.sign(x[0], x[1]))
		if b := s.Bases[len(s.Bases)-1]; strings.HasSuffix(b, "TestCase") || b == "QuickSpec" {
			w.b.AddTrait(facts.TestCode)
		}
	}
	if h.noted("main", "UIApplicationMain", "NSApplicationMain") {
		h.flags |= facts.Main
		c.main = true
	}
	if w.b.Enclosing() < 0 && w.ctx.place == inFile && !w.described {
		w.described = true
		w.b.SetSummary(w.docText(h.doc))
	}
	symbol := w.add(h, s)
	if c.place == inProtocol && symbol >= 0 {
		c.visibility = w.b.At(symbol).Visibility
	}
	w.b.Within(symbol, func() {
		w.b.Scope(w.span(h.first, i), func() {
			w.inside(c, func() {
				if params[1] > 0 {
					w.typeParameters(params[0], params[1])
				}
				for _, x := range bases {
					w.typeExpr(x[0], x[1], facts.RefInherit)
				}
				if where < headEnd {
					w.where(where, headEnd)
				}
				w.items(from, stop)
			})
		})
	})
	return i
}

// members finds the braces at an index: the tokens between them, and the index
// after.
func (w *walker) members(h head, i, end int) (from, stop, next int) {
	if w.is(i, "{") && i < end {
		stop = w.closeOf(i)
		return i + 1, stop, stop + 1
	}
	// A type that lost its brace has the members that are indented deeper.
	from = i
	if t, first := w.tok(i), w.tok(h.first); w.damaged && i < end && first.nl && t.nl && (w.x.startsDeclarationOf(w.toks, i) || t.text == "case") {
		for i < end && !(w.tok(i).nl && w.tok(i).indent <= first.indent) {
			i = w.closeOf(i) + 1
		}
		i = min(i, end)
	}
	return from, i, i
}

// inherited reads ": A, B" at an index: the ends of the types, and the index
// after them.
func (w *walker) inherited(i, end int) (bases [][2]int, next int) {
	if !w.is(i, ":") || i >= end {
		return nil, i
	}
	i++
	for i < end {
		for w.is(i, "(") {
			i++ // of a primary list that never was
		}
		k := w.skipType(i, end)
		if k <= i {
			break
		}
		if !w.is(i, "~") {
			bases = append(bases, [2]int{i, k})
		}
		i = k
		if !w.is(i, ",") || i >= end {
			break
		}
		i++
	}
	return bases, i
}

// extension walks the members that a type gets; it is no definition itself.
func (w *walker) extension(h head, end int) int {
	typ := h.keyword + 1
	i := w.skipType(typ, end)
	typEnd := max(i, typ+1)
	bases, i := w.inherited(max(i, typ+1), end)
	where := i
	i = w.whereEnd(i, end)
	headEnd := i
	from, stop, i := w.members(h, i, end)
	c := context{place: inType, name: w.lastName(typ, typEnd), visibility: facts.Protected}
	if h.stated {
		c.visibility = h.visibility
	}
	c.container = c.name
	for _, x := range bases {
		if b := w.sign(x[0], x[1]); strings.HasSuffix(b, "TestCase") {
			w.b.AddTrait(facts.TestCode)
		}
	}
	if h.noted("main") {
		c.main = true
	}
	w.b.Scope(w.span(h.first, i), func() {
		w.inside(c, func() {
			w.typeExpr(typ, typEnd, facts.RefType)
			w.conform(c.name, bases)
			if where < headEnd {
				w.where(where, headEnd)
			}
			w.items(from, stop)
		})
	})
	return max(i, h.keyword+1)
}

// conform adds the bases that an extension gives to a type, which counts them
// as its own where the file holds it.
func (w *walker) conform(name string, bases [][2]int) {
	at := w.b.FindSymbol(name)
	if at >= 0 {
		switch s := w.b.At(at); s.Kind {
		case facts.KindClass, facts.KindStruct, facts.KindEnum, facts.KindInterface:
			for _, x := range bases {
				s.Bases = append(s.Bases, w.sign(x[0], x[1]))
			}
		default:
			at = -1
		}
	}
	w.b.Within(at, func() {
		for _, x := range bases {
			w.typeExpr(x[0], x[1], facts.RefInherit)
		}
	})
}

// lastName is the simple name of a type: B of A.B<C>, Array of [T], Optional of
// T?.
func (w *walker) lastName(i, end int) string {
	if w.is(i, "[") {
		for k := i + 1; k < w.closeOf(i); k++ {
			if w.is(k, ":") {
				return "Dictionary"
			}
			k = w.closeOf(k)
		}
		return "Array"
	}
	name := ""
	for k := i; k < end; k++ {
		switch {
		case w.is(k, "<"):
			if next := w.skipAngles(k, end); next > 0 {
				k = next - 1
			}
		case w.is(k, "?"):
			return "Optional"
		case w.is(k, "&"):
			return name
		case w.isWord(k):
			name = w.name(k)
		}
	}
	return name
}

// cases walks a case clause of an enum.
func (w *walker) cases(h head, end int) int {
	i := h.keyword + 1
	for n := 0; i < end && w.isWord(i); n++ {
		name := i
		i++
		var list []parameter
		if w.is(i, "(") && i < end {
			list = w.parameters(i, w.closeOf(i))
			i = w.closeOf(i) + 1
		}
		value := i
		if w.is(i, "=") && i < end {
			value = i + 1
			i = max(w.exprEnd(value, end), value)
		}
		s := facts.Symbol{
			Name: w.name(name), Kind: facts.KindEnumMember, Span: w.span(name, i), NameSpan: w.span(name, name+1),
			Signature: "case " + w.sign(name, i), Params: w.params(list),
		}
		if n == 0 {
			s.Span = w.span(h.first, i)
		}
		if value < i {
			s.Init = w.shape(value, i)
		}
		hh := h
		if d := w.tok(name).doc; d >= 0 {
			hh.doc = d
		}
		hh.visibility = facts.Public // as the enum
		w.b.Within(w.add(hh, s), func() {
			for _, p := range list {
				from, to := p.start, p.end
				if p.typ > 0 {
					from, to = p.typ, p.typEnd
				}
				w.typeExpr(from, to, facts.RefType)
				if p.value > 0 {
					w.expression(p.value, p.end)
				}
			}
			w.expression(value, i)
		})
		if !w.is(i, ",") || i >= end {
			break
		}
		i++
	}
	return i
}

func (w *walker) alias(h head, end int) int {
	name := h.keyword + 1
	if w.tok(name).nl {
		return name
	}
	i := name + 1
	params := [2]int{}
	if w.is(i, "<") && i < end {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	bases, i := w.inherited(i, end)
	from, to := i, i
	if w.is(i, "=") && i < end {
		from = i + 1
		i = max(w.skipType(from, end), from)
		to = i
	}
	where := i
	i = w.whereEnd(i, end)
	s := facts.Symbol{
		Name: w.name(name), Kind: facts.KindType, Span: w.span(h.first, i), NameSpan: w.span(name, name+1),
		Signature: w.sign(h.first, i), Type: w.sign(from, to),
	}
	if w.is(h.keyword, "associatedtype") {
		h.flags |= facts.Abstract
	}
	for _, x := range bases {
		s.Bases = append(s.Bases, w.sign(x[0], x[1]))
	}
	w.b.Within(w.add(h, s), func() {
		w.b.Scope(w.span(h.first, i), func() {
			if params[1] > 0 {
				w.typeParameters(params[0], params[1])
			}
			for _, x := range bases {
				w.typeExpr(x[0], x[1], facts.RefInherit)
			}
			w.typeExpr(from, to, facts.RefType)
			if where < i {
				w.where(where, i)
			}
		})
	})
	return i
}

// operatorClause walks the declaration of an operator or precedence group.
func (w *walker) operatorClause(h head, end int) int {
	name := h.keyword + 1
	i := name + 1
	kind := facts.KindType
	to := i
	if w.is(h.keyword, "operator") {
		kind = facts.KindFunction
		h.flags |= facts.Declaration
		for to < end && w.touches(to) && w.tok(to).kind == tOp && !w.is(to, ":") {
			to++
		}
		i = to
		if w.is(i, ":") && i < end {
			for i++; i < end && w.isWord(i) && !w.tok(i).nl; i++ {
				if w.is(i+1, ",") {
					i++
				}
			}
		}
	}
	headEnd := i
	if w.is(i, "{") && i < end {
		i = w.closeOf(i) + 1
	}
	w.add(h, facts.Symbol{
		Name: w.x.all[w.tok(name).start:w.tok(to-1).end], Kind: kind, Span: w.span(h.first, i), NameSpan: w.span(name, to),
		Signature: w.sign(h.first, headEnd),
	})
	return i
}
