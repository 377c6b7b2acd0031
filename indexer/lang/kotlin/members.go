package kotlin

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
)

// classLike walks a class, interface or object.
func (w *walker) classLike(h head, end int) int {
	word := w.tok(h.keyword).text
	i := h.keyword + 1
	name := -1
	if w.isName(i) && i < end && !(w.tok(i).nl && word == "object") {
		name = i
		i++
	}
	if name < 0 && !h.words["companion"] {
		return h.keyword + 1
	}
	params := [2]int{}
	if w.is(i, "<") {
		if next := w.skipAngles(i, end); next > 0 {
			params = [2]int{i, next}
			i = next
		}
	}
	// The primary constructor, with modifiers and annotations before it.
	ctor := -1
	var notes []int
	if word == "class" {
		k := i
		for k < end {
			if w.is(k, "@") {
				next := w.skipAnnotation(k, end)
				if next <= k {
					break
				}
				notes = append(notes, k)
				k = next
			} else if w.tok(k).kind == tWord && modifierWords[w.tok(k).text] {
				k++
			} else {
				break
			}
		}
		switch {
		case w.is(k, "constructor") && w.is(k+1, "(") && k+1 < end:
			ctor = k + 1
		case w.is(i, "(") && i < end:
			ctor = i
			notes = nil
		default:
			notes = nil
		}
		if ctor >= 0 {
			i = w.closeOf(ctor) + 1
		}
	}
	colon := -1
	bases := w.supertypes(i, end)
	if len(bases) > 0 {
		colon = i
		i = bases[len(bases)-1].end
	}
	if w.is(i, "where") {
		for i < end && !w.is(i, "{") && (!w.tok(i).nl || !startsDeclaration(w.tok(i).text)) {
			i++
		}
	}
	headEnd := i
	open := -1
	if w.is(i, "{") && i < end {
		open = i
		i = w.closeOf(i) + 1
	}
	from, stop := open+1, i-1
	if open < 0 {
		from = i
		i = w.orphans(i, end, w.tok(h.first))
		stop = i
	}
	s := facts.Symbol{Kind: facts.KindClass, Span: w.span(h.first, i), Signature: w.sign(h.first, headEnd)}
	c := context{place: inClass}
	switch {
	case word == "interface":
		s.Kind, c.place = facts.KindInterface, inInterface
	case word == "object":
		c.place = inObject
	case h.words["enum"]:
		s.Kind = facts.KindEnum
	}
	for _, x := range bases {
		s.Bases = append(s.Bases, w.sign(x.typ, x.typEnd))
	}
	var list []parameter
	if ctor >= 0 {
		list = w.parameters(ctor, w.closeOf(ctor))
		for _, p := range list {
			s.Params = append(s.Params, w.param(p))
		}
	}
	symbol := int32(-1)
	if name >= 0 {
		s.Name, s.NameSpan = w.name(name), w.span(name, name+1)
		if h.words["companion"] {
			h.flags |= facts.Static
		}
		if w.b.Enclosing() < 0 && !w.described {
			w.described = true
			if h.doc >= 0 {
				d := w.x.docs[h.doc]
				w.b.SetSummary(describe(cleanDoc(string(w.b.Source[d.Start:d.End]))))
			}
		}
		symbol = w.add(h, s)
		c.name = s.Name
	}
	if h.words["companion"] {
		c.container = w.ctx.name
		if c.container == "" && w.b.Enclosing() >= 0 {
			c.container = w.b.At(w.b.Enclosing()).Name
		}
	}
	if len(bases) > 0 {
		c.superclass = w.baseName(bases[0])
		if testSpecs[c.superclass] {
			w.b.AddTrait(facts.TestCode)
		}
	}
	w.b.Within(symbol, func() {
		w.b.Scope(w.span(h.first, i), func() {
			w.inside(c, func() {
				for _, n := range notes {
					w.annotation(n, end)
				}
				w.typeParameters(params[0], params[1])
				w.bindParameters(list)
				w.propertiesOf(list, h.doc)
				if colon >= 0 {
					for _, x := range bases {
						w.typeExpr(x.typ, x.typEnd, facts.RefInherit)
						from := x.typEnd
						if w.is(from, "by") {
							from++
						}
						w.expression(from, x.end)
					}
					for k := bases[len(bases)-1].end; k < headEnd; k++ {
						if w.is(k, ":") {
							k = max(w.typeExpr(k+1, headEnd, facts.RefType)-1, k)
						}
					}
				}
				if from < stop {
					if s.Kind == facts.KindEnum {
						from = w.entries(from, stop)
					}
					w.items(from, stop)
				}
			})
		})
	})
	return i
}

// orphans is the index after the members of a type that lost its brace: what
// is indented deeper than the type.
func (w *walker) orphans(i, end int, typ *token) int {
	t := w.tok(i)
	if !w.damaged || i >= end || !typ.nl || !t.nl || t.kind != tWord || !startsDeclaration(t.text) {
		return i
	}
	for i < end && !(w.tok(i).nl && w.tok(i).indent <= typ.indent) {
		i = w.closeOf(i) + 1
	}
	return min(i, end)
}

// testSpecs are the styles of Kotest.
var testSpecs = map[string]bool{
	"StringSpec": true, "FunSpec": true, "DescribeSpec": true, "BehaviorSpec": true, "ShouldSpec": true, "WordSpec": true,
	"FreeSpec": true, "FeatureSpec": true, "ExpectSpec": true, "AnnotationSpec": true, "TestCase": true, "Spek": true,
}

// base is a supertype with its arguments or delegate.
type base struct{ typ, typEnd, end int }

func (w *walker) baseName(x base) string {
	name, _ := w.receiverName(x.typ, x.typEnd)
	return name
}

// supertypes reads ": A(x), B by c" at an index.
func (w *walker) supertypes(i, end int) []base {
	if !w.is(i, ":") || i >= end {
		return nil
	}
	i++
	var out []base
	for i < end {
		x := base{typ: i}
		k := w.skipType(i, end)
		if k == i {
			break
		}
		x.typEnd = k
		if w.is(k, "(") && k < end {
			k = w.closeOf(k) + 1
		}
		if w.is(k, "by") && k < end {
			for k++; k < end && !w.is(k, ",") && !w.is(k, "{") && !w.is(k, "where") && !(w.tok(k).nl && startsDeclaration(w.tok(k).text)); k++ {
				k = w.closeOf(k)
			}
		}
		x.end = min(k, end)
		out = append(out, x)
		i = x.end
		if !w.is(i, ",") || i >= end {
			break
		}
		i++
	}
	return out
}

// skipType is the index after the type expression at an index, without a
// record of it.
func (w *walker) skipType(i, end int) int {
	for n := 0; i < end && n < 200; n++ {
		for w.is(i, "@") || w.is(i, "suspend") && (w.isName(i+1) || w.is(i+1, "(")) {
			next := i + 1
			if w.is(i, "@") {
				if next = w.skipAnnotation(i, end); next <= i {
					return i
				}
			}
			i = next
		}
		switch {
		case w.is(i, "("):
			i = w.closeOf(i) + 1
		case w.isName(i):
			i = w.dotted(i, end)
			if w.is(i, "<") {
				if next := w.skipAngles(i, end); next > 0 {
					i = next
				}
			}
		default:
			return min(i, end)
		}
		for w.is(i, "?") && !w.tok(i).nl {
			i++
		}
		if i+1 < end && (w.is(i, ".") && (w.is(i+1, "(") || w.isName(i+1)) || w.is(i, "->") && w.is(i-1, ")") || w.is(i, "&") && !w.tok(i).nl) {
			i++
			continue
		}
		break
	}
	return min(i, end)
}

var documented = lazyregexp.New(`(?m)^@(?:property|param)\s+\[?([\pL_][\pL\pN_]*)\]?\s+(\S.*)$`)

// propertiesOf adds the properties that a primary constructor declares; the
// comment of the class may describe them.
func (w *walker) propertiesOf(list []parameter, doc int32) {
	told := map[string]string{}
	if doc >= 0 {
		d := w.x.docs[doc]
		for _, m := range documented.FindAllStringSubmatch(cleanDoc(string(w.b.Source[d.Start:d.End])), -1) {
			told[m[1]] = describe(m[2])
		}
	}
	for _, p := range list {
		if !p.property {
			continue
		}
		s := facts.Symbol{
			Name: w.name(p.name), Kind: facts.KindProperty, Span: w.span(p.head.first, p.end), NameSpan: w.span(p.name, p.name+1),
			Type: w.param(p).Type,
		}
		stop := p.end
		if p.value > 0 {
			stop = p.value - 1
			s.Init = w.shape(p.value, p.end)
		}
		s.Signature = w.sign(p.head.first, stop)
		if p.head.doc < 0 {
			s.Doc = told[s.Name]
		}
		w.add(p.head, s)
	}
}

// entries walks the entries of an enum and gives the index after them.
func (w *walker) entries(i, end int) int {
	for i < end {
		doc := w.tok(i).doc
		start := i
		for w.is(i, "@") {
			next := w.skipAnnotation(i, end)
			if next <= i {
				break
			}
			i = next
		}
		if w.tok(i).doc >= 0 {
			doc = w.tok(i).doc
		}
		if w.is(i, ";") && i < end {
			return i + 1
		}
		if i >= end || !w.isName(i) || startsDeclaration(w.tok(i).text) && !w.is(i+1, ",") && !w.is(i+1, "(") && i+1 < end && w.tok(i+1).kind <= tQuoted {
			return start
		}
		obsolete := facts.SymbolFlags(0)
		for k := start; k < i; k = max(w.skipAnnotation(k, i), k+1) {
			if w.is(k, "@") && w.annotation(k, i) == "Deprecated" {
				obsolete = facts.Obsolete
			}
		}
		name := i
		i++
		args, open := -1, -1
		if w.is(i, "(") && i < end {
			args = i
			i = w.closeOf(i) + 1
		}
		if w.is(i, "{") && i < end {
			open = i
			i = w.closeOf(i) + 1
		}
		h := head{doc: doc, flags: obsolete}
		sigEnd := i
		if open >= 0 {
			sigEnd = open
		}
		symbol := w.add(h, facts.Symbol{
			Name: w.name(name), Kind: facts.KindEnumMember, Span: w.span(name, i), NameSpan: w.span(name, name+1), Signature: w.sign(name, sigEnd),
		})
		w.b.Within(symbol, func() {
			if args >= 0 {
				w.expression(args+1, w.closeOf(args))
			}
			if open >= 0 {
				w.inside(context{place: inClass, name: w.name(name), superclass: w.ctx.name}, func() {
					w.b.Scope(w.span(open, i), func() { w.items(open+1, w.closeOf(open)) })
				})
			}
		})
		if w.is(i, ",") && i < end {
			i++
		} else if !w.is(i, ";") {
			return i
		}
	}
	return i
}
