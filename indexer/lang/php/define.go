package php

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// text is the source between two offsets.
func (w *walker) text(start, end uint32) string {
	if end < start {
		return ""
	}
	return string(w.b.Source[start:end])
}

// head is where a definition starts without its attributes.
func head(n syntax.Node) uint32 {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if !c.Is("attribute_list", "comment") {
			return c.Start()
		}
	}
	return n.Start()
}

// modifiers reads what stands before a member.
func modifiers(n syntax.Node) (v facts.Visibility, flags facts.SymbolFlags) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		switch c.Kind() {
		case "visibility_modifier":
			switch strings.ToLower(c.Text()) {
			case "private":
				v = facts.Private
			case "protected":
				v = facts.Protected
			}
		case "static_modifier":
			flags |= facts.Static
		case "abstract_modifier":
			flags |= facts.Abstract
		}
	}
	return v, flags
}

// class handles class, interface, trait and enum.
func (w *walker) class(n syntax.Node, kind facts.Kind) {
	name, body := n.Child("name"), n.Child("body")
	if name.IsZero() {
		name = n.ChildOfKind("name")
	}
	start, end := head(n), n.End()
	if !body.IsZero() {
		end = body.Start()
	}
	doc := w.above(n)
	_, flags := modifiers(n)
	s := facts.Symbol{
		Name: name.Text(), Kind: kind, Flags: flags, Span: facts.Span{Start: start, End: n.End()}, NameSpan: lang.SpanOf(name),
		Signature: w.text(start, end), Doc: doc.prose, Params: doc.templates,
	}
	if doc.obsolete {
		s.Flags |= facts.Obsolete
	}
	bases := basesOf(n)
	for _, b := range bases {
		s.Bases = append(s.Bases, b.Text())
	}
	if w.isTest(n) {
		w.b.AddTrait(facts.TestCode)
	}
	i := w.b.Symbol(s)
	w.attributes(n)
	w.b.Within(i, func() {
		w.magic(i, n)
		for _, b := range bases {
			w.reference(b, facts.RefInherit)
		}
		w.members(owner{symbol: i, name: s.Name, abstract: kind == facts.KindInterface && n.Kind() == "interface_declaration"}, body)
	})
}

// basesOf lists the names that a class extends and implements.
func basesOf(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Is("base_clause", "class_interface_clause") {
			c.NamedChildren(func(b syntax.Node) bool {
				if b.Is("name", "qualified_name") {
					out = append(out, b)
				}
				return true
			})
		}
	}
	return out
}

func (w *walker) isTest(n syntax.Node) bool {
	extends := firstNamed(n.ChildOfKind("base_clause")).Text()
	return strings.HasSuffix(extends, "TestCase") || strings.HasSuffix(extends, "Test")
}

// members walks the body of a class.
func (w *walker) members(o owner, body syntax.Node) {
	w.owners = append(w.owners, o)
	w.b.Scope(lang.SpanOf(body), func() { w.statements(body) })
	w.owners = w.owners[:len(w.owners)-1]
}

// attributes records the classes of #[...].
func (w *walker) attributes(n syntax.Node) {
	n.ChildOfKind("attribute_list").NamedChildren(func(g syntax.Node) bool {
		g.NamedChildren(func(a syntax.Node) bool {
			name := a.ChildOfKind("name", "qualified_name")
			if t := name.Text(); t == "Test" || strings.HasSuffix(t, "Attributes\\Test") {
				w.b.AddTrait(facts.TestCode)
			}
			w.reference(name, facts.RefType)
			w.walk(a.Child("parameters"))
			return true
		})
		return true
	})
}

// function handles functions and methods.
func (w *walker) function(n syntax.Node) {
	name, list, result, body := n.Child("name"), n.Child("parameters"), n.Child("return_type"), n.Child("body")
	start, end := head(n), n.End()
	if !body.IsZero() {
		end = body.Start()
	}
	doc := w.above(n)
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindFunction, Span: facts.Span{Start: start, End: n.End()}, NameSpan: lang.SpanOf(name),
		Signature: strings.TrimRight(lang.Collapse(w.text(start, end)), " ;"), Doc: doc.prose,
		Type: typeOr(lang.Collapse(result.Text()), doc.typ), Params: params(list, doc.params),
	}
	if doc.obsolete {
		s.Flags |= facts.Obsolete
	}
	s.Visibility, s.Flags = mark(n, s.Flags)
	var promoted []facts.Symbol
	// A method that the grammar put outside its class is told by its modifiers.
	if n.Kind() == "method_declaration" {
		s.Kind = facts.KindMethod
		if strings.EqualFold(s.Name, "__construct") {
			s.Kind = facts.KindConstructor
			promoted = w.promoted(list, doc.params)
		}
		if len(w.owners) > 0 {
			o := w.owners[len(w.owners)-1]
			s.Container = o.name
			if o.abstract {
				s.Flags |= facts.Abstract
			}
		}
		if strings.HasPrefix(s.Name, "test") && len(w.owners) > 0 && w.b.Enclosing() >= 0 && strings.HasSuffix(w.b.At(w.b.Enclosing()).Name, "Test") {
			w.b.AddTrait(facts.TestCode)
		}
	}
	i := w.b.Symbol(s)
	for _, p := range promoted {
		w.b.Symbol(p)
	}
	w.attributes(n)
	w.b.Within(i, func() {
		w.types(result)
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(list, doc.params, "")
			w.statements(body)
		})
	})
}

func mark(n syntax.Node, flags facts.SymbolFlags) (facts.Visibility, facts.SymbolFlags) {
	v, more := modifiers(n)
	return v, flags | more
}

// params lists the parameters with the marks they are written with; a type that
// only the documentation says counts too.
func params(list syntax.Node, documented map[string]string) []facts.Param {
	var out []facts.Param
	list.NamedChildren(func(p syntax.Node) bool {
		if !p.Is("simple_parameter", "variadic_parameter", "property_promotion_parameter") {
			return true
		}
		name := p.Child("name").Text()
		typ := typeOr(lang.Collapse(p.Child("type").Text()), documented[name])
		if p.Kind() == "variadic_parameter" {
			name = "..." + name
		}
		if !p.Child("reference_modifier").IsZero() {
			name = "&" + name
		}
		out = append(out, facts.Param{Name: name, Type: typ})
		return true
	})
	return out
}

// bindParams binds parameters, with the types that are documented for them. Of
// those of a closure without a type, what takes the closure tells it.
func (w *walker) bindParams(list syntax.Node, documented map[string]string, taker string) {
	n := -1
	for p := list.FirstChild(); !p.IsZero(); p = p.NextSibling() {
		if !p.Is("simple_parameter", "variadic_parameter", "property_promotion_parameter") {
			continue
		}
		n++
		w.attributes(p)
		w.types(p.Child("type"))
		value, init := p.Child("default_value"), ""
		if !value.IsZero() {
			w.walk(value)
			init = shape(value)
		}
		typ := typeOr(lang.Collapse(p.Child("type").Text()), documented[p.Child("name").Text()])
		if p.Kind() == "variadic_parameter" {
			typ, init = "..."+typ, "[]"
		}
		if typ == "" && init == "" && taker != "" {
			init = lang.Shape(taker + "." + strconv.Itoa(n))
		}
		name := p.Child("name")
		w.b.Bind(name.Text(), name.Start(), typ, init)
	}
}

// promoted lists the properties that parameters of a constructor declare.
func (w *walker) promoted(list syntax.Node, documented map[string]string) []facts.Symbol {
	var out []facts.Symbol
	list.NamedChildren(func(p syntax.Node) bool {
		if p.Kind() != "property_promotion_parameter" {
			return true
		}
		name := bare(p.Child("name"))
		v, _ := modifiers(p)
		s := facts.Symbol{
			Name: name.Text(), Kind: facts.KindField, Visibility: v, Span: facts.Span{Start: head(p), End: p.End()}, NameSpan: lang.SpanOf(name),
			Signature: w.text(head(p), p.Child("name").End()),
			Type:      typeOr(lang.Collapse(p.Child("type").Text()), documented[p.Child("name").Text()]),
		}
		if len(w.owners) > 0 {
			s.Container = w.owners[len(w.owners)-1].name
		}
		out = append(out, s)
		return true
	})
	return out
}

// property handles the fields of a class.
func (w *walker) property(n syntax.Node) {
	doc := w.above(n)
	v, flags := modifiers(n)
	if doc.obsolete {
		flags |= facts.Obsolete
	}
	declared := n.Child("type")
	typ := typeOr(lang.Collapse(declared.Text()), doc.typ)
	w.attributes(n)
	w.types(declared)
	first := true
	lead := uint32(0) // end of what stands before the first name
	n.NamedChildren(func(e syntax.Node) bool {
		if e.Kind() != "property_element" {
			if e.Kind() == "ERROR" {
				w.children(e)
			}
			return true
		}
		if lead == 0 {
			lead = e.Start()
		}
		variable := e.ChildOfKind("variable_name")
		name := bare(variable)
		value := firstNamed(e.ChildOfKind("property_initializer"))
		s := facts.Symbol{
			Name: name.Text(), Kind: facts.KindField, Visibility: v, Flags: flags, Span: lang.SpanOf(e), NameSpan: lang.SpanOf(name), Doc: doc.prose,
			Signature: w.text(head(n), lead) + variable.Text(), Type: typ,
		}
		if first {
			s.Span.Start = head(n)
			first = false
		}
		if len(w.owners) > 0 {
			s.Container = w.owners[len(w.owners)-1].name
		}
		if !value.IsZero() {
			s.Init = shape(value)
		}
		w.b.Within(w.b.Symbol(s), func() { w.walk(value) })
		return true
	})
}

// constants handles const, in a class and outside, and in an enum, where the
// grammar does not know it and reads a case.
func (w *walker) constants(n syntax.Node) {
	doc := w.above(n)
	v, flags := modifiers(n)
	if doc.obsolete {
		flags |= facts.Obsolete
	}
	typ := n.Child("type")
	w.attributes(n)
	w.types(typ)
	n.NamedChildren(func(e syntax.Node) bool {
		if e.Kind() != "const_element" {
			return true
		}
		name := e.ChildOfKind("name")
		value := name.NextSibling()
		for !value.IsZero() && (!value.IsNamed() || value.Kind() == "comment") {
			value = value.NextSibling()
		}
		w.constant(e, name, value, facts.Symbol{Doc: doc.prose, Visibility: v, Flags: flags, Type: lang.Collapse(typ.Text())})
		return true
	})
}

func (w *walker) constant(e, name, value syntax.Node, s facts.Symbol) {
	s.Name, s.Kind, s.NameSpan, s.Span = name.Text(), facts.KindConstant, lang.SpanOf(name), lang.SpanOf(e)
	if s.Signature == "" {
		s.Signature = firstLine("const " + strings.TrimLeft(s.Type+" ", " ") + w.text(name.Start(), e.End()))
	}
	s.Init = shape(value)
	if text := value.Text(); value.Kind() == "integer" && (text == "" || text[0] < '0' || text[0] > '9') {
		s.Init = lang.Unknown // a stand-in of rewrite
	}
	if len(w.owners) > 0 {
		s.Container = w.owners[len(w.owners)-1].name
	}
	w.b.Within(w.b.Symbol(s), func() { w.walk(value) })
}

// firstLine is the first line of a text, with a mark where there is more.
func firstLine(s string) string {
	line, rest, more := strings.Cut(s, "\n")
	line = strings.TrimRight(line, " \t\r;")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

func (w *walker) enumCase(n syntax.Node) {
	name, value := n.Child("name"), n.Child("value")
	doc := w.above(n).prose
	if first := w.text(n.Start(), min(n.Start()+5, n.End())); strings.EqualFold(first, "const") {
		s := facts.Symbol{Doc: doc}
		// What stood before it is blank in the text that was parsed.
		for _, word := range strings.Fields(w.before(n.Start())) {
			switch word {
			case "private":
				s.Visibility = facts.Private
			case "protected":
				s.Visibility = facts.Protected
			}
		}
		s.Type = strings.TrimSpace(w.text(n.Start()+5, name.Start()))
		// The value is blank too where it is no literal.
		rest := w.text(name.Start(), uint32(len(w.b.Source)))
		if k := strings.IndexAny(rest, ";}\n"); k >= 0 {
			rest = rest[:k]
		}
		s.Signature = lang.Collapse("const " + s.Type + " " + rest)
		w.constant(n, name, value, s)
		return
	}
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindEnumMember, Span: facts.Span{Start: head(n), End: n.End()}, NameSpan: lang.SpanOf(name), Doc: doc,
		Signature: strings.TrimRight(w.text(head(n), n.End()), " ;"),
	}
	if !value.IsZero() {
		s.Init = shape(value)
	}
	if len(w.owners) > 0 {
		s.Container = w.owners[len(w.owners)-1].name
	}
	w.attributes(n)
	w.b.Within(w.b.Symbol(s), func() { w.walk(value) })
}

// before is the line before an offset.
func (w *walker) before(offset uint32) string {
	start := offset
	for start > 0 && w.b.Source[start-1] != '\n' {
		start--
	}
	return string(w.b.Source[start:offset])
}

// uses handles the traits that a class uses.
func (w *walker) uses(n syntax.Node) {
	n.NamedChildren(func(c syntax.Node) bool {
		if !c.Is("name", "qualified_name") {
			return true
		}
		w.reference(c, facts.RefInherit)
		switch k := len(w.owners); {
		case k > 0 && w.owners[k-1].symbol >= 0:
			s := w.b.At(w.owners[k-1].symbol)
			s.Bases = append(s.Bases, c.Text())
		case k > 0:
			w.b.Bind(bindAnonymous, c.Start(), c.Text(), "")
		}
		return true
	})
	// use T { f as g; } makes g a method of the class.
	n.ChildOfKind("use_list").NamedChildren(func(c syntax.Node) bool {
		if c.Kind() != "use_as_clause" {
			return true
		}
		var last syntax.Node
		c.NamedChildren(func(p syntax.Node) bool { last = p; return true })
		if last.Kind() == "name" && firstNamed(c).End() < last.Start() {
			w.b.Symbol(facts.Symbol{
				Name: last.Text(), Kind: facts.KindMethod, Flags: facts.InBody | facts.Declaration, Span: lang.SpanOf(c), NameSpan: lang.SpanOf(last),
				Signature: c.Text(),
			})
		}
		return true
	})
}
