package java

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

var testAnnotations = map[string]bool{
	"Test": true, "ParameterizedTest": true, "RepeatedTest": true, "TestFactory": true, "TestTemplate": true, "Property": true, "Theory": true,
}

func (w *walker) method(n syntax.Node) {
	name, body := n.Child("name"), n.Child("body")
	m := modifiersOf(n)
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindMethod, Signature: w.head(n, body.Start()), Params: w.params(n.Child("parameters")),
		Type: w.typeText(n.Child("type")) + lang.Collapse(n.Child("dimensions").Text()),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	if w.b.Enclosing() < 0 {
		s.Kind = facts.KindFunction
	}
	c := w.context()
	if c != nil && c.contract && body.IsZero() && !m.withDefault {
		m.flags |= facts.Abstract
	}
	if s.Name == "main" && s.Type == "void" && isMain(s.Params) && (m.flags&facts.Static != 0 || w.b.Enclosing() < 0) && !w.b.InBody() {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	for _, a := range m.annotations {
		if testAnnotations[a] {
			w.b.AddTrait(facts.TestCode)
		}
	}
	w.annotations(n)
	i := w.define(s, m)
	w.found(n, name, i)
	w.callable(i, n)
}

// isMain tells whether parameters are those of a program's start.
func isMain(params []facts.Param) bool {
	switch len(params) {
	case 0:
		return true
	case 1:
		return strings.ReplaceAll(params[0].Type, " ", "") == "String[]" || params[0].Type == "String..."
	}
	return false
}

func (w *walker) constructor(n syntax.Node) {
	name := n.Child("name")
	if c := w.context(); n.Kind() == "compact_constructor_declaration" && (c == nil || c.name != name.Text()) {
		// A word before a block in damaged text.
		w.children(n.Child("body"))
		return
	}
	m := modifiersOf(n)
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindConstructor, Signature: w.head(n, n.Child("body").Start()), Params: w.params(n.Child("parameters")),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	if at := w.b.Enclosing(); at >= 0 && w.b.At(at).Kind == facts.KindEnum {
		m.visibility = facts.Private
	}
	w.annotations(n)
	i := w.define(s, m)
	w.found(n, name, i)
	w.callable(i, n)
}

// callable walks the types and the body of a method or constructor.
func (w *walker) callable(symbol int32, n syntax.Node) {
	w.doc = syntax.Node{}
	w.b.Within(symbol, func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.withTypeParams(n.Child("type_parameters"), func() {
				w.typeRefs(n.Child("type"), facts.RefType)
				w.bindParams(n.Child("parameters"))
				w.typeRefs(n.ChildOfKind("throws"), facts.RefType)
				w.walk(n.Child("value"))
				if n.Kind() == "compact_constructor_declaration" {
					w.bindParams(n.Parent().Parent().Child("parameters"))
				}
				w.children(n.Child("body"))
				for e := range n.NamedChildren {
					if e.IsError() {
						w.children(e)
					}
				}
			})
		})
	})
}

// param is the name of a parameter and its type with dimensions and dots.
func (w *walker) param(p syntax.Node) (name syntax.Node, typ string) {
	switch p.Kind() {
	case "formal_parameter":
		return p.Child("name"), w.typeText(p.Child("type")) + lang.Collapse(p.Child("dimensions").Text())
	case "spread_parameter":
		return p.ChildOfKind("variable_declarator").Child("name"), w.typeText(paramType(p)) + "..."
	}
	return syntax.Node{}, ""
}

func paramType(p syntax.Node) syntax.Node {
	if t := p.Child("type"); !t.IsZero() || p.Kind() != "spread_parameter" {
		return t
	}
	for c := range p.NamedChildren {
		if !c.IsExtra() && !c.Is("modifiers", "variable_declarator", "annotation", "marker_annotation") {
			return c
		}
	}
	return syntax.Node{}
}

func (w *walker) params(list syntax.Node) []facts.Param {
	var out []facts.Param
	for p := range list.NamedChildren {
		if name, typ := w.param(p); !name.IsZero() {
			out = append(out, facts.Param{Name: name.Text(), Type: typ})
		}
	}
	return out
}

func (w *walker) bindParams(list syntax.Node) {
	for p := range list.NamedChildren {
		if name, typ := w.param(p); !name.IsZero() {
			w.annotations(p)
			w.typeRefs(paramType(p), facts.RefType)
			w.b.Bind(name.Text(), name.Start(), typ, "")
		}
	}
}

// field declares the fields of one declaration. The first stands for the whole
// of it, a further one for itself.
func (w *walker) field(n syntax.Node) {
	m := modifiersOf(n)
	c := w.context()
	if n.Kind() == "constant_declaration" || c != nil && c.contract && c.symbol == w.b.Enclosing() {
		m.flags |= facts.Static
		m.final = true
	}
	typ := n.Child("type")
	text := w.typeText(typ)
	doc := w.doc
	span := facts.Span{Start: declared(n), End: n.End()}
	prefix := ""
	if typ.Start() > span.Start {
		prefix = w.head(n, typ.Start()) + " "
	}
	w.annotations(n)
	first := int32(-1)
	for d := range n.NamedChildren {
		if d.Kind() != "variable_declarator" {
			continue
		}
		name, value := d.Child("name"), d.Child("value")
		s := facts.Symbol{
			Name: name.Text(), Kind: facts.KindField, Type: text + lang.Collapse(d.Child("dimensions").Text()),
			Init: w.shape(value), Span: span, NameSpan: lang.SpanOf(name),
		}
		if m.final && m.flags&facts.Static != 0 {
			s.Kind = facts.KindConstant
		}
		if w.b.Enclosing() < 0 {
			s.Kind = facts.KindVariable
		}
		s.Signature = prefix + s.Type + " " + s.Name
		if first >= 0 {
			s.Span = lang.SpanOf(d)
		}
		w.doc = doc
		i := w.define(s, m)
		w.found(n, name, i)
		if first < 0 {
			first = i
			w.b.Within(i, func() { w.typeRefs(typ, facts.RefType) })
		}
		w.doc = syntax.Node{}
		w.b.Within(i, func() { w.b.Scope(lang.SpanOf(d), func() { w.walk(value) }) })
	}
	for e := range n.NamedChildren {
		if e.IsError() {
			w.members(e)
		}
	}
}

func (w *walker) enumConstant(n syntax.Node) {
	name, args, body := n.Child("name"), n.Child("arguments"), n.Child("body")
	m := modifiersOf(n)
	m.visibility = facts.Public
	w.annotations(n)
	end := n.End()
	if !body.IsZero() {
		end = body.Start()
	}
	i := w.define(facts.Symbol{
		Name: name.Text(), Kind: facts.KindEnumMember, Signature: w.head(n, end),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}, m)
	w.found(n, name, i)
	w.doc = syntax.Node{}
	w.b.Within(i, func() {
		w.children(args)
		w.members(body)
	})
}

// annotations records what a declaration is annotated with as types.
func (w *walker) annotations(n syntax.Node) {
	visit := func(a syntax.Node) {
		if !isAnnotation(a) {
			return
		}
		w.qualifiedType(a.Child("name"))
		w.annotationValues(a)
	}
	for c := range n.NamedChildren {
		if c.Kind() == "modifiers" {
			for a := range c.NamedChildren {
				visit(a)
			}
			continue
		}
		visit(c)
	}
}

// annotationValues walks what an annotation gives its elements. An element has
// the qualifier "Name{}", as what fills a field by its name.
func (w *walker) annotationValues(annotation syntax.Node) {
	for a := range annotation.Child("arguments").NamedChildren {
		if a.Kind() == "element_value_pair" {
			if key := a.Child("key"); !key.IsZero() {
				w.b.Reference(facts.RefRead, key.Text(), lang.Shape(dotted(annotation.Child("name"))+"{}"), key.Start())
			}
			w.walk(a.Child("value"))
			continue
		}
		w.walk(a)
	}
}
