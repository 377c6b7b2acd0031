package scala

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// supertype is a base of a type, by indexes of tokens.
type supertype struct{ typ, typEnd, end int }

// typeDefinition walks a class, trait, object, package object or enum.
func (w *walker) typeDefinition(h head, name, end int) int {
	keyword := w.tok(name - 1).text
	k := name + 1
	var types []int
	if w.is(k, "[") && k < end {
		types = append(types, k)
		k = w.closeOf(k) + 1
	}
	var marks []int
	var params []parameter
	if keyword == "class" || keyword == "trait" || keyword == "enum" {
		k, marks = w.beforeConstructor(k, end)
		for k < end && w.is(k, "(") && (!w.tok(k).nl || w.tok(k).indent > h.base) {
			ps := w.parameters(k, w.closeOf(k))
			w.usingTypes(k, ps)
			if len(params) > 0 {
				// Only the first list of a case class makes fields.
				for i := range ps {
					ps[i].implicit = true
				}
			}
			params = append(params, ps...)
			k = w.closeOf(k) + 1
		}
	}
	bases, early, k := w.supertypes(k, end, h.base)
	headEnd := k
	open, bodyEnd, stop := -1, 0, k
	switch {
	case w.is(k, "{") && k < end && (!w.tok(k).nl || w.goesOn(k)):
		open, bodyEnd = k+1, w.closeOf(k)
		stop = bodyEnd + 1
		if w.tok(bodyEnd).start == w.tok(bodyEnd).end && bodyEnd > k {
			stop = bodyEnd
		}
	case w.is(k, ":") && k < end && (w.tok(k+1).nl || k+1 >= end || w.tok(k+1).indent == noIndent):
		open = k + 1
		stop = k + 1
		if k+1 < end && w.tok(k+1).indent > h.base {
			stop = w.statementEnd(k+1, end, h.base)
		}
		bodyEnd = stop
	case k < end && w.tok(k).nl && w.tok(k).indent > h.base && (w.tok(k).kind == tWord && startsDeclaration(w.tok(k).text) || w.is(k, "@")):
		// The brace or the colon is lost.
		open, stop = k, w.statementEnd(k, end, h.base)
		bodyEnd = stop
	}
	last := stop
	if open >= 0 {
		last = w.endMarker(stop, end, h.base)
	}
	s := facts.Symbol{
		Name: w.name(name), Kind: facts.KindClass, Span: w.span(h.first, last), NameSpan: w.span(name, name+1),
		Signature: w.sign(h.first, headEnd), Params: w.allParams(params),
	}
	c := context{place: inType, name: s.Name}
	switch keyword {
	case "trait":
		s.Kind = facts.KindInterface
	case "enum":
		s.Kind, c.place = facts.KindEnum, inEnum
	case "object":
		c.place = inObject
		if h.keyword == name-2 && w.is(h.keyword, "package") {
			s.Kind, c.place = facts.KindModule, inFile
		}
	}
	for _, x := range bases {
		s.Bases = append(s.Bases, w.sign(x.typ, x.typEnd))
		w.convention(&s, keyword, w.baseName(x.typ, x.typEnd))
	}
	at := w.add(h, s)
	w.b.Within(at, func() {
		w.b.Scope(w.span(name, last), func() {
			for _, m := range marks {
				w.annotation(m, end)
			}
			w.bindTypes(types)
			w.inside(c, func() { w.constructorFields(h, params) })
			w.inside(context{place: inBody}, func() { w.bindParameters(params) })
			for _, x := range bases {
				w.types(x.typ, x.typEnd, facts.RefInherit)
				w.arguments(x.typEnd, x.end)
			}
			w.inside(c, func() {
				if early > 0 {
					w.items(early+1, w.closeOf(early))
				}
				if open >= 0 {
					w.template(open, bodyEnd)
				}
			})
		})
	})
	return max(last, name+1)
}

// convention notes what a base says about a type: a test, or a program.
func (w *walker) convention(s *facts.Symbol, keyword, base string) {
	if keyword == "object" {
		switch base {
		case "App", "IOApp", "Simple", "WithContext", "ZIOApp", "ZIOAppDefault", "ResourceApp", "TaskApp", "CommandApp", "CommandIOApp", "SimpleSwingApplication", "JFXApp", "JFXApp3", "MainRoutes":
			s.Flags |= facts.Main
			w.b.AddTrait(facts.EntryPoint)
		}
	}
	for _, suffix := range []string{"FunSuite", "FlatSpec", "WordSpec", "FreeSpec", "FunSpec", "FeatureSpec", "PropSpec", "RefSpec", "Specification", "ZIOSpecDefault", "TestSuite", "IOSuite", "CatsEffectSuite", "ScalaCheckSuite", "DisciplineSuite", "Properties", "PlaySpec"} {
		if strings.HasSuffix(base, suffix) {
			w.b.AddTrait(facts.TestCode)
		}
	}
}

// beforeConstructor skips the annotations and the access modifier in front of the
// parameters of a class.
func (w *walker) beforeConstructor(k, end int) (next int, marks []int) {
	from := k
	for k < end && !w.tok(k).nl {
		switch {
		case w.is(k, "@"):
			n := w.skipAnnotation(k, end)
			if n <= k {
				return from, nil
			}
			marks = append(marks, k)
			k = n
			continue
		case w.is(k, "private") || w.is(k, "protected"):
			k++
			if w.is(k, "[") && k < end {
				k = w.closeOf(k) + 1
			}
			continue
		}
		break
	}
	if k < end && w.is(k, "(") {
		return k, marks
	}
	return from, nil
}

// supertypes reads the extends and derives clauses at an index: the bases, the
// brace of early definitions or 0, and the index behind.
func (w *walker) supertypes(k, end int, base int32) (out []supertype, early, next int) {
	for k < end {
		t := w.tok(k)
		switch {
		case w.is(k, "extends") || w.is(k, "with") || w.is(k, "derives"):
			k++
		case t.text == "," && t.kind == tOp && len(out) > 0:
			k++
		case w.is(k, "<:") && len(out) == 0: // an old form
			k++
		default:
			return out, early, k
		}
		if w.is(k, "{") && k < end && w.is(w.closeOf(k)+1, "with") {
			early = k
			k = w.closeOf(k) + 1
			continue
		}
		if k >= end || w.tok(k).kind == tWord && startsDeclaration(w.tok(k).text) {
			return out, early, k
		}
		x := supertype{typ: k}
		k = w.skipBase(k, end)
		x.typEnd = k
		for k < end && w.is(k, "(") && (!w.tok(k).nl || w.tok(k).indent > base) {
			k = w.closeOf(k) + 1
		}
		x.end = k
		if x.typEnd == x.typ {
			return out, early, k
		}
		out = append(out, x)
	}
	return out, early, k
}

// skipBase is the index after one base, without its arguments.
func (w *walker) skipBase(i, end int) int {
	for w.is(i, "@") && w.skipAnnotation(i, end) > i {
		i = w.skipAnnotation(i, end)
	}
	if w.is(i, "(") {
		return w.closeOf(i) + 1
	}
	for i < end {
		switch {
		case w.isName(i):
			i = w.dotted(i, end)
		case w.is(i, "[") && i < end:
			i = w.closeOf(i) + 1
		case w.is(i, "#") && w.isName(i+1):
			i++
			continue
		default:
			return i
		}
		if w.is(i, "[") || w.is(i, "#") || w.is(i, "@") && w.skipAnnotation(i, end) > i {
			if w.is(i, "@") {
				i = w.skipAnnotation(i, end)
			}
			continue
		}
		// A function type, or an infix one: A => B, A -> B.
		if i+1 < end && w.isArrow(i) || i+1 < end && w.tok(i).kind == tSymbol && w.isName(i) && w.isWord(i+1) {
			i++
			continue
		}
		return i
	}
	return i
}

// arguments walks the lists of arguments of a region.
func (w *walker) arguments(i, end int) {
	if i < end {
		w.body(i, end, func() { w.items(i, end) })
	}
}

// constructorFields adds the fields that the parameters of a class make.
func (w *walker) constructorFields(h head, ps []parameter) {
	for i := range ps {
		p := &ps[i]
		if p.name < 0 || !p.property && (!h.words["case"] || p.implicit) {
			continue
		}
		p.property = true
		typ := w.param(*p).Type
		prefix := ""
		if p.first == p.name {
			prefix = "val "
		}
		end := p.typEnd
		if end == 0 {
			end = p.name + 1
		}
		w.add(head{doc: p.doc, visibility: p.visibility}, facts.Symbol{
			Name: w.name(p.name), Kind: facts.KindField, Span: w.span(p.first, p.end), NameSpan: w.span(p.name, p.name+1),
			Type: typ, Signature: prefix + w.sign(p.first, end),
		})
	}
}

// template walks the members of a type, after the self type where there is one.
func (w *walker) template(i, end int) {
	if k := w.selfType(i, end); k > i {
		if name := w.name(i); name != "this" && name != "_" {
			typ := ""
			if w.is(i+1, ":") {
				typ = w.sign(i+2, k-1)
			}
			w.b.Bind(name, w.tok(i).start, typ, "this")
		}
		if w.is(i+1, ":") {
			w.types(i+2, k-1, facts.RefType)
		}
		i = k
	}
	w.items(i, end)
}

// selfType is the index after "self: T =>" at an index, or the index.
func (w *walker) selfType(i, end int) int {
	if !w.isName(i) && !w.is(i, "this") || i+1 >= end {
		return i
	}
	if w.isArrow(i + 1) {
		return i + 2
	}
	if !w.is(i+1, ":") {
		return i
	}
	for k := i + 2; k < end && k < i+100; k++ {
		t := w.tok(k)
		switch {
		case w.isArrow(k):
			return k + 1
		case t.kind == tOpen:
			k = w.closeOf(k)
		case t.kind == tWord && isKeyword(t.text) && t.text != "with" && t.text != "type" && t.text != "this", t.kind > tSymbol && t.text != "." && t.text != "," || w.is(k, "="):
			return i
		}
	}
	return i
}

// enumCase walks the case of an enum: several names, or one with parameters.
func (w *walker) enumCase(i, end int) int {
	base := w.lineIndent(i)
	stop := w.statementEnd(i, end, base)
	h := head{start: i, first: i, doc: w.tok(i).doc, base: base}
	for k := i + 1; k < stop; {
		if !w.isName(k) {
			break
		}
		name := k
		k++
		var types []int
		var params []parameter
		types, params, k = w.lists(k, stop)
		bases, _, next := w.supertypes(k, stop, base)
		if w.is(k, ",") {
			bases, next = nil, k
		}
		k = next
		s := facts.Symbol{
			Name: w.name(name), Kind: facts.KindEnumMember, Span: w.span(name, max(k, name+1)), NameSpan: w.span(name, name+1),
			Signature: "case " + w.sign(name, k), Params: w.allParams(params),
		}
		for _, x := range bases {
			s.Bases = append(s.Bases, w.sign(x.typ, x.typEnd))
		}
		w.b.Within(w.add(h, s), func() {
			w.b.Scope(w.span(name, max(k, name+1)), func() {
				w.bindTypes(types)
				w.inside(context{place: inBody}, func() { w.bindParameters(params) })
				for _, x := range bases {
					w.types(x.typ, x.typEnd, facts.RefInherit)
					w.arguments(x.typEnd, x.end)
				}
			})
		})
		if !w.is(k, ",") {
			break
		}
		k++
	}
	return max(stop, i+1)
}

// skipType is the index after the type at an index.
func (w *walker) skipType(i, end int) int { return w.skipTypes(i, end, true) }

// skipTypes is skipType; without refinements a brace ends the type.
func (w *walker) skipTypes(i, end int, refinements bool) int {
	for i < end {
		t := w.tok(i)
		switch {
		case w.is(i, "=>"):
			i++
			continue
		case w.is(i, "("), w.is(i, "["):
			i = w.closeOf(i) + 1
		case w.is(i, "{") && refinements:
			i = w.closeOf(i) + 1
		case w.is(i, "@") && w.skipAnnotation(i, end) > i:
			i = w.skipAnnotation(i, end)
			continue
		case w.isName(i), w.is(i, "this"), w.is(i, "super"), t.kind == tNumber, t.kind == tString, t.kind == tChar, w.is(i, "true"), w.is(i, "false"), w.is(i, "null"):
			i++
			for i+1 < end && w.is(i, ".") && (w.tok(i+1).kind <= tSymbol) {
				i += 2
			}
		default:
			return i
		}
		// What can go on with it.
		for i < end && (w.is(i, "[") || w.is(i, "@") && w.skipAnnotation(i, end) > i) {
			if w.is(i, "@") {
				i = w.skipAnnotation(i, end)
			} else {
				i = w.closeOf(i) + 1
			}
		}
		switch {
		case i >= end || w.tok(i).nl && !w.isArrow(i) && !w.is(i, "&") && !w.is(i, "|"):
			return i
		case w.is(i, "*") && (i+1 >= end || !w.isName(i+1) && w.tok(i+1).kind != tOpen):
			return i + 1
		case w.isArrow(i), w.is(i, "=>>"), w.is(i, "#"), w.is(i, "<:"), w.is(i, ">:"):
			i++
		case w.is(i, "with") && !w.is(i+1, "{") && !w.tok(i+1).nl:
			i++
		case refinements && w.is(i, "{") && !w.tok(i).nl && (w.is(i+1, "type") || w.is(i+1, "def") || w.is(i+1, "val")):
		case w.tok(i).kind == tSymbol && w.isName(i) && i+1 < end, w.isWord(i) && i+1 < end && w.isWord(i+1) && !w.tok(i+1).nl:
			i++
		default:
			return i
		}
	}
	return i
}
