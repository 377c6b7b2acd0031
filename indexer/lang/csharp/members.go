package csharp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// method declares whatever has parameters and a body, local functions too.
func (w *walker) method(n syntax.Node) {
	name, body, params := n.Child("name"), n.Child("body"), n.Child("parameters")
	m := w.modifiersOf(n)
	result := n.Child("returns")
	if result.IsZero() {
		result = n.Child("type")
	}
	end := body.Start()
	if init := n.ChildOfKind("constructor_initializer"); !init.IsZero() {
		end = init.Start()
	}
	s := facts.Symbol{
		Name: nameText(name), Kind: facts.KindMethod, Params: w.params(params), Type: w.typeText(result),
		Signature: strings.TrimSpace(strings.TrimSuffix(w.head(n, end), ":")),
		Span:      facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	explicit := n.ChildOfKind("explicit_interface_specifier")
	switch n.Kind() {
	case "constructor_declaration":
		s.Kind = facts.KindConstructor
		if c := w.context(); c == nil || c.name != s.Name {
			if c != nil || !w.partial {
				w.doc = nil
				w.unnamed(n)
				return
			}
		}
	case "destructor_declaration":
		s.Name = "~" + s.Name
		for c := range n.Children {
			if c.Kind() == "~" {
				s.NameSpan.Start = c.Start()
			}
		}
	case "operator_declaration", "conversion_operator_declaration":
		s.Name, s.NameSpan = w.operator(n, params)
		if n.Kind() == "conversion_operator_declaration" {
			s.Name = "operator " + s.Type
		}
	}
	if !w.inType() && s.Kind == facts.KindMethod && (w.b.InBody() || !w.partial || w.b.Enclosing() < 0) {
		s.Kind = facts.KindFunction
	}
	w.qualify(&s, &m, explicit)
	if c := w.context(); c != nil && c.contract && body.IsZero() && !w.b.InBody() {
		m.flags |= facts.Abstract
	}
	if body.IsZero() && (m.extern || m.partial && m.flags&facts.Abstract == 0) {
		s.Flags |= facts.Declaration
	}
	if s.Name == "Main" && m.flags&facts.Static != 0 && !w.b.InBody() && w.isMain(&s) {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	w.attributes(n)
	i := w.define(s, m)
	w.doc = nil
	w.b.Within(i, func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.withTypeParams(n, func() {
				w.typeRefs(result, facts.RefType)
				w.typeRefs(explicit, facts.RefType)
				w.bindParams(params)
				w.initializer(n.ChildOfKind("constructor_initializer"))
				w.children(body)
				for e := range n.NamedChildren {
					if e.IsError() {
						w.children(e)
					}
				}
			})
		})
	})
}

// unnamed walks what only looks like a constructor: a block of extension
// members, or a call before a block in damaged text.
func (w *walker) unnamed(n syntax.Node) {
	if n.Child("name").Text() == "extension" {
		w.extension(n)
		return
	}
	w.list(n.Child("body"))
}

// qualify handles what implements an interface by its name: it is seen through
// the interface only.
func (w *walker) qualify(s *facts.Symbol, m *modifiers, explicit syntax.Node) {
	if !explicit.IsZero() && !m.stated {
		m.visibility, m.stated = facts.Public, true
	}
}

// isMain tells whether a method is one that starts a program.
func (w *walker) isMain(s *facts.Symbol) bool {
	switch s.Type {
	case "void", "int", "Task", "Task<int>":
	default:
		return strings.HasSuffix(s.Type, ".Task") || strings.HasSuffix(s.Type, ".Task<int>")
	}
	switch len(s.Params) {
	case 0:
		return true
	case 1:
		t := strings.ReplaceAll(s.Params[0].Type, " ", "")
		return t == "string[]" || t == "String[]" || t == "paramsstring[]" || t == "string[]?"
	}
	return false
}

// operator names an operator by its sign: "operator +".
func (w *walker) operator(n, params syntax.Node) (string, facts.Span) {
	for c := range n.Children {
		if c.Kind() != "operator" {
			continue
		}
		span := lang.SpanOf(c)
		end := params.Start()
		if t := n.Child("type"); n.Kind() == "conversion_operator_declaration" {
			end = t.End()
		}
		if end < span.End {
			return "", span
		}
		text := strings.TrimRight(string(w.b.Source[span.Start:end]), " \t\r\n")
		span.End = span.Start + uint32(len(text))
		return lang.Collapse(strings.Replace(text, " checked ", " ", 1)), span
	}
	return "", facts.Span{}
}

// initializer walks this(...) and base(...) as a call of the constructor.
func (w *walker) initializer(n syntax.Node) {
	if n.IsZero() {
		return
	}
	if c := w.context(); c != nil {
		name := c.name
		for t := range n.Children {
			if t.Kind() == "base" {
				name = c.base
			}
			if t.Is("base", "this") {
				w.b.Reference(facts.RefCall, name, "", t.Start())
				w.b.Bind(t.Kind()+bindArguments, t.Start(), "", w.argumentShapes(n.ChildOfKind("argument_list")))
			}
		}
	}
	w.children(n.ChildOfKind("argument_list"))
}

// parameter is one of a list. The grammar keeps an array of rest parameters
// (params T[] x) among the children of the list itself.
type parameter struct {
	node       syntax.Node // zero for params
	typ, name  syntax.Node
	start, end uint32
	words      string // ref, out, in, params, this
}

func parameters(list syntax.Node) []parameter {
	var out []parameter
	var rest parameter
	for c := range list.Children {
		switch {
		case c.Kind() == "parameter":
			p := parameter{node: c, typ: c.Child("type"), name: c.Child("name"), start: declared(c), end: c.End()}
			var words []string
			for m := range c.NamedChildren {
				if m.Kind() == "modifier" {
					words = append(words, m.Text())
				}
			}
			p.words = strings.Join(words, " ")
			out = append(out, p)
		case c.Kind() == "params":
			rest = parameter{start: c.Start(), words: "params"}
		case c.FieldName() == "type":
			rest.typ = c
		case c.FieldName() == "name":
			if rest.words == "" {
				rest.words, rest.start = "params", rest.typ.Start()
			}
			rest.name, rest.end = c, c.End()
			out = append(out, rest)
			rest = parameter{}
		}
	}
	return out
}

func (w *walker) params(list syntax.Node) []facts.Param {
	var out []facts.Param
	for _, p := range parameters(list) {
		out = append(out, facts.Param{Name: nameText(p.name), Type: strings.TrimSpace(p.words + " " + w.typeText(p.typ))})
	}
	return out
}

func (w *walker) bindParams(list syntax.Node) { w.bindWith(list, "") }

// lambdaParam is the initialiser of a parameter of a lambda, see bindArguments.
func lambdaParam(target string, n int) string {
	if target == "" {
		return lang.Unknown
	}
	return "=>" + strconv.Itoa(n) + ":" + target
}

func (w *walker) lambdaParams(lambda, list syntax.Node) { w.bindWith(list, w.target(lambda)) }

func (w *walker) bindWith(list syntax.Node, target string) {
	for i, p := range parameters(list) {
		w.attributes(p.node)
		w.typeRefs(p.typ, facts.RefType)
		init := ""
		if p.typ.IsZero() {
			init = lambdaParam(target, i)
		}
		w.b.Bind(nameText(p.name), p.name.Start(), w.declaredType(p.typ), init)
		for c := range p.node.NamedChildren { // a default value
			if c.FieldName() == "" && !c.Is("modifier", "attribute_list") {
				w.walk(c)
			}
		}
	}
}

// declaredType is the type as written, "" for var.
func (w *walker) declaredType(n syntax.Node) string {
	for n.Is("ref_type", "scoped_type") {
		n = n.Child("type")
	}
	if n.Kind() == "implicit_type" {
		return ""
	}
	return w.typeText(n)
}

// property declares a property, an indexer or an event with accessors.
func (w *walker) property(n syntax.Node) {
	name, typ, value, accessors := n.Child("name"), n.Child("type"), n.Child("value"), n.Child("accessors")
	m := w.modifiersOf(n)
	end := uint32(0)
	for _, c := range []syntax.Node{accessors, value} {
		if !c.IsZero() && (end == 0 || c.Start() < end) {
			end = c.Start()
		}
	}
	s := facts.Symbol{
		Name: nameText(name), Kind: facts.KindProperty, Type: w.typeText(typ), Signature: w.head(n, end),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	params := n.Child("parameters")
	if n.Kind() == "indexer_declaration" {
		for c := range n.Children {
			if c.Kind() == "this" {
				s.Name, s.NameSpan = "this", lang.SpanOf(c)
			}
		}
		s.Params = w.params(params)
	}
	arrow := value.Kind() == "arrow_expression_clause"
	if !arrow {
		s.Init = w.shape(value)
		s.Signature = strings.TrimSpace(strings.TrimSuffix(s.Signature, "="))
	}
	explicit := n.ChildOfKind("explicit_interface_specifier")
	w.qualify(&s, &m, explicit)
	bodies := arrow
	for a := range accessors.NamedChildren {
		if a.Kind() == "accessor_declaration" && !a.Child("body").IsZero() {
			bodies = true
		}
	}
	if c := w.context(); c != nil && c.contract && !bodies && !w.b.InBody() {
		m.flags |= facts.Abstract
	} else if m.partial && !bodies || m.extern {
		s.Flags |= facts.Declaration
	}
	w.attributes(n)
	i := w.define(s, m)
	w.doc = nil
	w.b.Within(i, func() {
		w.typeRefs(typ, facts.RefType)
		w.typeRefs(explicit, facts.RefType)
		if !arrow {
			w.b.Scope(lang.SpanOf(n), func() { w.walk(value) })
		}
		if !bodies {
			return
		}
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(params)
			if arrow {
				w.children(value)
			}
			for a := range accessors.NamedChildren {
				if a.Kind() != "accessor_declaration" {
					continue
				}
				w.attributes(a)
				body := a.Child("body")
				w.b.Scope(lang.SpanOf(a), func() {
					if a.HasToken("set") || a.HasToken("init") || a.HasToken("add") || a.HasToken("remove") {
						w.b.Bind("value", a.Start(), w.declaredType(typ), "")
					}
					w.children(body)
				})
			}
		})
	})
}

// field declares the fields or events of one declaration. The first stands for
// the whole of it, a further one for itself.
func (w *walker) field(n syntax.Node) {
	m := w.modifiersOf(n)
	list := n.ChildOfKind("variable_declaration")
	typ := list.Child("type")
	text := w.typeText(typ)
	doc := w.doc
	span := facts.Span{Start: declared(n), End: n.End()}
	prefix := ""
	if typ.Start() > span.Start {
		prefix = w.head(n, typ.Start()) + " "
	}
	w.attributes(n)
	first := int32(-1)
	for d := range list.NamedChildren {
		if d.Kind() != "variable_declarator" {
			continue
		}
		name, value := d.Child("name"), valueOf(d)
		if rest := bytes.TrimLeft(w.b.Tree.Source[name.End():], " \t\r\n"); w.partial && (bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("=>"))) {
			continue // a property that damage has split
		}
		s := facts.Symbol{
			Name: nameText(name), Kind: facts.KindField, Type: text, Init: w.shape(value), Span: span, NameSpan: lang.SpanOf(name),
		}
		switch {
		case n.Kind() == "event_field_declaration":
			s.Kind = facts.KindProperty
		case m.isConst, m.readonly && m.flags&facts.Static != 0:
			s.Kind = facts.KindConstant
		}
		if size := d.ChildOfKind("bracketed_argument_list"); !size.IsZero() { // fixed int x[3]
			s.Type += "[]"
		}
		s.Signature = prefix + text + " " + s.Name
		if first >= 0 {
			s.Span = lang.SpanOf(d)
		}
		w.doc = doc
		i := w.define(s, m)
		if first < 0 {
			first = i
			w.b.Within(i, func() { w.typeRefs(typ, facts.RefType) })
		}
		w.doc = nil
		w.b.Within(i, func() { w.b.Scope(lang.SpanOf(d), func() { w.walk(value) }) })
	}
	w.errors(n)
	w.errors(list)
}

// valueOf is the initialiser of a declarator, which has no field.
func valueOf(d syntax.Node) syntax.Node {
	behind := false
	for c := range d.Children {
		switch {
		case c.Kind() == "=":
			behind = true
		case behind && c.IsNamed() && !c.IsExtra():
			return c
		}
	}
	return syntax.Node{}
}

func (w *walker) enumMember(n syntax.Node) {
	name, value := n.Child("name"), n.Child("value")
	w.attributes(n)
	m := w.modifiersOf(n)
	m.visibility, m.stated = facts.Public, true
	i := w.define(facts.Symbol{
		Name: nameText(name), Kind: facts.KindEnumMember, Init: w.shape(value), Signature: w.head(n, n.End()),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}, m)
	w.doc = nil
	w.b.Within(i, func() { w.walk(value) })
}

func (w *walker) delegate(n syntax.Node) {
	name, params := n.Child("name"), n.Child("parameters")
	w.attributes(n)
	i := w.define(facts.Symbol{
		Name: nameText(name), Kind: facts.KindType, Type: w.typeText(n.Child("type")), Params: w.params(params), Signature: w.head(n, n.End()),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}, w.modifiersOf(n))
	w.doc = nil
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n, func() {
				w.typeRefs(n.Child("type"), facts.RefType)
				w.bindParams(params)
			})
		})
	})
}
