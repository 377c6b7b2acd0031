package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// classDeclaration declares a class under the name that stands at a node; the
// name of an anonymous one that is exported by default stands at a keyword.
func (w *walker) classDeclaration(n, name syntax.Node, id string, flags facts.SymbolFlags) {
	if name.IsZero() {
		w.class(n, -1)
		return
	}
	start := declared(n)
	s := facts.Symbol{
		Name: id, Kind: facts.KindClass, Flags: flags, Bases: bases(n),
		Signature: w.head(n, start, bodyStart(n)),
		Span:      facts.Span{Start: start, End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	if n.Is("abstract_class_declaration") {
		s.Flags |= facts.Abstract
	}
	i := w.definition(s, w.topVisibility())
	w.noteDeclared(i)
	w.class(n, i)
}

// bases are the superclass and the interfaces of a class or interface.
func bases(n syntax.Node) []string {
	var out []string
	heritage := n.ChildOfKind("class_heritage")
	if heritage.IsZero() {
		heritage = n.ChildOfKind("extends_type_clause")
		for c := range heritage.NamedChildren {
			if !c.Is("comment") {
				out = append(out, typeText(c))
			}
		}
		return out
	}
	clauses := 0
	for c := range heritage.NamedChildren {
		switch c.Kind() {
		case "extends_clause":
			clauses++
			for v := range c.NamedChildren {
				switch v.FieldName() {
				case "value":
					out = append(out, typeText(v))
				case "type_arguments":
					if len(out) > 0 {
						out[len(out)-1] += typeText(v)
					}
				}
			}
		case "implements_clause":
			clauses++
			for v := range c.NamedChildren {
				if !v.Is("comment") {
					out = append(out, typeText(v))
				}
			}
		}
	}
	if v := firstNamed(heritage); clauses == 0 && !v.IsZero() {
		out = append(out, typeText(v))
	}
	for i, b := range out {
		if len(b) > facts.MaxName {
			out[i] = lang.Unknown
		}
	}
	return out
}

// class walks the inside of a class that is declared already; -1 for one
// without a name.
func (w *walker) class(n syntax.Node, symbol int32) {
	for c := range n.NamedChildren {
		if c.Is("decorator") {
			w.walk(c)
		}
	}
	w.b.Within(symbol, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n.Child("type_parameters"), func() {
				w.heritage(n.ChildOfKind("class_heritage"))
				body := n.Child("body")
				c := &class{symbol: symbol, fields: map[string]bool{}}
				for m := range body.NamedChildren {
					if m.Is("public_field_definition", "field_definition", "method_definition", "method_signature", "abstract_method_signature") {
						if name, _, ok := nameOf(memberName(m)); ok {
							c.fields[name] = true
						}
					}
				}
				w.classes = append(w.classes, c)
				blocks := w.blocks
				w.blocks = 0
				w.each(body, func(m syntax.Node) { w.member(m, symbol) })
				w.blocks = blocks
				w.classes = w.classes[:len(w.classes)-1]
			})
		})
	})
}

func memberName(m syntax.Node) syntax.Node {
	if name := m.Child("name"); !name.IsZero() {
		return name
	}
	return m.Child("property")
}

// heritage records what a class extends and implements.
func (w *walker) heritage(n syntax.Node) {
	for c := range n.NamedChildren {
		switch c.Kind() {
		case "extends_clause", "implements_clause":
			for v := range c.NamedChildren {
				if v.FieldName() == "type_arguments" {
					w.walk(v)
				} else {
					w.inherit(v)
				}
			}
		default:
			w.inherit(c)
		}
	}
}

// inherit records a base; anything but a name is an expression.
func (w *walker) inherit(n syntax.Node) {
	switch n.Kind() {
	case "identifier":
		w.name(n, facts.RefInherit)
	case "member_expression":
		if p := n.Child("property"); !p.IsZero() {
			w.b.Reference(facts.RefInherit, p.Text(), shape(n.Child("object")), p.Start())
		}
		w.walk(n.Child("object"))
	case "type_identifier", "nested_type_identifier", "generic_type":
		w.typeName(n, facts.RefInherit)
	default:
		w.walk(n)
	}
}

// member declares a member of a class and walks it.
func (w *walker) member(m syntax.Node, owner int32) {
	switch m.Kind() {
	case "method_definition", "method_signature", "abstract_method_signature":
		w.method(m, owner)
	case "public_field_definition", "field_definition":
		w.field(m, owner)
	case "class_static_block":
		w.b.Body(lang.SpanOf(m), func() {
			body := m.Child("body")
			w.hoistVars(body)
			w.hoistBlock(body)
			w.statements(body)
		})
	default:
		w.walk(m)
	}
}

func (w *walker) method(m syntax.Node, owner int32) {
	for c := range m.NamedChildren {
		if c.Is("decorator") {
			w.walk(c)
		}
	}
	key := m.Child("name")
	if key.Is("computed_property_name") {
		w.walk(key)
	}
	name, span, ok := nameOf(key)
	at := int32(-1)
	if ok && owner >= 0 {
		s := facts.Symbol{
			Name: name, Kind: facts.KindMethod, Flags: memberFlags(m), Params: params(m), Type: typeText(m.Child("return_type")),
			Signature: w.head(m, declared(m), bodyStart(m)),
			Span:      facts.Span{Start: declared(m), End: m.End()}, NameSpan: span,
		}
		switch {
		case name == "constructor" && key.Is("property_identifier") && w.b.At(owner).Kind == facts.KindClass:
			s.Kind = facts.KindConstructor
		case s.Flags&(facts.Getter|facts.Setter) != 0:
			s.Kind = facts.KindProperty
		}
		if m.Is("method_signature") && w.b.At(owner).Kind == facts.KindClass && !w.ambient {
			s.Flags |= facts.Overload
		}
		at = w.definition(s, memberVisibility(m, name))
		if s.Kind == facts.KindConstructor {
			w.parameterProperties(m)
		}
	}
	if len(w.classes) > 0 {
		c := w.classes[len(w.classes)-1]
		before := c.constructing
		c.constructing = name == "constructor"
		w.function(m, at, false)
		c.constructing = before
		return
	}
	w.function(m, at, false)
}

// parameterProperties declares the fields that a constructor's parameters with
// a modifier are.
func (w *walker) parameterProperties(m syntax.Node) {
	for p := range m.Child("parameters").NamedChildren {
		if !p.Is("required_parameter", "optional_parameter") {
			continue
		}
		mod := p.ChildOfKind("accessibility_modifier")
		if mod.IsZero() && !p.HasToken("readonly") && p.ChildOfKind("override_modifier").IsZero() {
			continue
		}
		name := p.Child("pattern")
		if !name.Is("identifier") {
			continue
		}
		w.definition(facts.Symbol{
			Name: name.Text(), Kind: facts.KindField, Type: typeText(p.Child("type")), Init: shape(p.Child("value")),
			Signature: w.head(p, declared(p), p.End()), Span: facts.Span{Start: declared(p), End: p.End()}, NameSpan: lang.SpanOf(name),
		}, memberVisibility(p, name.Text()))
	}
}

func (w *walker) field(m syntax.Node, owner int32) {
	for c := range m.NamedChildren {
		if c.Is("decorator") {
			w.walk(c)
		}
	}
	key, value := memberName(m), m.Child("value")
	if key.Is("computed_property_name") {
		w.walk(key)
	}
	fn := definitionValue(value, 0)
	at := int32(-1)
	if name, span, ok := nameOf(key); ok && owner >= 0 {
		s := facts.Symbol{
			Name: name, Kind: facts.KindField, Flags: memberFlags(m), Type: typeText(m.Child("type")), Init: shape(value),
			Signature: w.valueHead(m, value, fn),
			Span:      facts.Span{Start: declared(m), End: m.End()}, NameSpan: span,
		}
		if !fn.IsZero() && !fn.Is("class") {
			s.Kind = facts.KindMethod
		}
		if fn.IsZero() {
			whole(&s, s.Type)
		}
		w.describeValue(&s, fn)
		at = w.definition(s, memberVisibility(m, name))
	}
	w.b.Within(at, func() { w.owning(at, func() { w.walk(m.Child("type")) }) })
	w.expect(value, typed(typeText(m.Child("type"))))
	w.adopt(fn, at)
	if fn.IsZero() {
		w.b.Within(at, func() { w.b.Body(lang.SpanOf(m), func() { w.walk(value) }) })
		return
	}
	w.b.Within(at, func() { w.walk(value) })
}

// memberFlags reads the modifiers of a member.
func memberFlags(m syntax.Node) facts.SymbolFlags {
	var f facts.SymbolFlags
	for c := range m.Children {
		if c.FieldName() == "name" || c.FieldName() == "property" {
			break
		}
		switch c.Kind() {
		case "static":
			f |= facts.Static
		case "static get":
			f |= facts.Static | facts.Getter
		case "async":
			f |= facts.Async
		case "abstract":
			f |= facts.Abstract
		case "get":
			f |= facts.Getter
		case "set":
			f |= facts.Setter
		case "declare":
			f |= facts.Declaration
		}
	}
	return f
}

// memberVisibility is the visibility that a member has by its modifier or, by
// convention, its name.
func memberVisibility(m syntax.Node, name string) facts.Visibility {
	switch m.ChildOfKind("accessibility_modifier").Text() {
	case "private":
		return facts.Private
	case "protected":
		return facts.Protected
	case "public":
		return facts.Public
	}
	if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "_") {
		return facts.Private
	}
	return facts.Public
}
