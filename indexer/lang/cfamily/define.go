package cfamily

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// function reports a function with its body.
func (w *walker) function(n, outer syntax.Node, cls *class) {
	body := n.Child("body")
	d := w.declarator(n.Child("declarator"))
	if isClassKind(n.Child("type").Kind()) && !n.Child("type").Child("body").IsZero() {
		w.declare(n.Child("type"), n.Child("type"), cls)
	}
	if cls != nil && d.fn.IsZero() && !d.name.IsZero() && !n.ChildOfKind("pure_virtual_clause").IsZero() {
		w.variables(n, outer, cls) // int field = 0; reads like a pure function
		return
	}
	if d.name.IsZero() || d.fn.IsZero() {
		// No function: a macro with braces behind it, or damage.
		if !body.IsZero() && bytes.HasSuffix(bytes.TrimRight(w.c.bare[n.Start():body.Start()], " \t\r\n"), []byte(")")) {
			w.b.Body(lang.SpanOf(n), func() { w.children(n) })
			return
		}
		w.children(n)
		return
	}
	if cls == nil && w.statement(n, d) {
		w.b.Body(lang.SpanOf(n), func() { w.children(n) })
		return
	}
	headEnd := outer.End()
	for _, k := range []string{"field_initializer_list", "compound_statement", "try_statement", "default_method_clause", "delete_method_clause", "pure_virtual_clause", "constructor_try_statement"} {
		if c := n.ChildOfKind(k); !c.IsZero() && c.Start() < headEnd {
			headEnd = c.Start()
		}
	}
	if c := n.ChildOfKind("declaration"); !c.IsZero() && c.Start() < headEnd {
		headEnd = c.Start() // parameters of the old style
	}
	s := w.callable(n, d, cls)
	s.Flags &^= facts.Declaration
	if !n.ChildOfKind("pure_virtual_clause").IsZero() {
		s.Flags |= facts.Abstract
	}
	if s.Name == "main" && cls == nil && d.scope == "" {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	if (s.Name == "wWinMain" || s.Name == "WinMain" || s.Name == "LLVMFuzzerTestOneInput") && cls == nil {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	macro := s.Name
	w.testName(&s, d)
	if s.Name != macro {
		w.reference(facts.RefCall, macro, "", d.name.Start())
	}
	i := w.symbol(s, outer, headEnd, cls)
	override := w.body
	w.body = syntax.Node{}
	w.b.Within(i, func() {
		w.b.Body(lang.SpanOf(outer), func() {
			w.types(n.Child("type"), facts.RefType)
			w.scopeRef(n.Child("declarator"))
			w.bindParams(d.fn)
			if d.fn.ChildOfKind("parameter_list").ChildOfKind("identifier") != (syntax.Node{}) {
				n.NamedChildren(func(c syntax.Node) bool {
					if c.Kind() == "declaration" {
						w.walk(c)
					}
					return true
				})
			}
			n.NamedChildren(func(c syntax.Node) bool {
				if c.Is("field_initializer_list") {
					w.walk(c)
				}
				return true
			})
			if !override.IsZero() {
				w.children(override)
				return
			}
			if body.IsZero() {
				body = n.ChildOfKind("try_statement", "constructor_try_statement")
			}
			w.children(body)
		})
	})
}

// conversionOf finds C::operator bool( out of class C, which reads like a function
// bool of the type C::operator. It gives C and where the word operator starts.
func (w *walker) conversionOf(typ syntax.Node) (owner string, start uint32) {
	if typ.Kind() != "qualified_identifier" {
		return "", 0
	}
	last, scope := typ, typ
	for last.Kind() == "qualified_identifier" {
		last, scope = last.Child("name"), last.Child("scope")
	}
	if last.Text() != "operator" {
		return "", 0
	}
	return w.scopeText(scope), last.Start()
}

// callable fills in what a definition and a declaration of a function share.
func (w *walker) callable(n syntax.Node, d declared, cls *class) facts.Symbol {
	flags, _, typ := w.specifiers(n)
	name, span := w.nameOf(d)
	if owner, start := w.conversionOf(n.Child("type")); owner != "" {
		name = "operator " + strings.ReplaceAll(w.text(start+uint32(len("operator")), span.End), " :: ", "::")
		span.Start, d.last, typ, d.stars = start, owner, "", ""
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindFunction, Flags: flags &^ facts.Declaration, NameSpan: span,
		Params: w.params(parameterList(d.fn), n), Type: w.resultOf(typ, d),
	}
	owner := ""
	switch {
	case d.last != "":
		owner = d.last
		s.Container = d.last
		if !w.namespaces[d.last] || strings.TrimPrefix(name, "~") == d.last {
			s.Kind = facts.KindMethod
		}
		s.Visibility = w.members[[2]string{owner, name}]
	case cls != nil:
		owner = cls.name
		s.Kind = facts.KindMethod
		if _, seen := w.members[[2]string{owner, name}]; !seen {
			w.members[[2]string{owner, name}] = cls.access
		}
	case flags&facts.Static != 0:
		s.Visibility = facts.Private
	}
	if s.Kind == facts.KindMethod && name == owner && owner != "" {
		s.Kind = facts.KindConstructor
		s.Type = ""
	}
	if d.name.Kind() == "operator_cast" {
		s.Type = w.nodeText(d.name.Child("type"))
	}
	if strings.Contains(string(w.c.src[n.Start():span.Start]), "DEPRECATED") {
		s.Flags |= facts.Obsolete
	}
	return s
}

func parameterList(fn syntax.Node) syntax.Node {
	if p := fn.Child("parameters"); !p.IsZero() {
		return p
	}
	return fn.ChildOfKind("parameter_list")
}

// scopeRef reports the class of a method that is defined outside of it, and what
// that stands in.
func (w *walker) scopeRef(n syntax.Node) {
	before := ""
	for range 50 {
		switch n.Kind() {
		case "":
			return
		case "qualified_identifier":
			scope, name := n.Child("scope"), n.Child("name")
			switch at := scope; {
			case scope.Kind() == "template_type":
				at = scope.Child("name")
				w.types(scope.Child("arguments"), facts.RefType)
				fallthrough
			case !scope.IsZero():
				w.reference(facts.RefType, at.Text(), lang.Shape(before), at.Start())
				if before != "" {
					before += "."
				}
				before += at.Text()
			}
			n = name
		default:
			n = inner(n)
		}
	}
}

// bindParams binds the parameters of a function and reports their types.
func (w *walker) bindParams(fn syntax.Node) {
	parameterList(fn).NamedChildren(func(p syntax.Node) bool {
		if p.Kind() == "identifier" {
			return true // the old style: bound by its declaration
		}
		w.param(p)
		return true
	})
	w.types(fn.ChildOfKind("trailing_return_type"), facts.RefType)
}

func (w *walker) param(p syntax.Node) {
	if !p.Is("parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration") {
		return
	}
	w.types(p.Child("type"), facts.RefType)
	declaratorNode := p.Child("declarator")
	d := w.declarator(declaratorNode)
	w.walk(p.Child("default_value"))
	if f := functionOf(declaratorNode); !f.IsZero() {
		parameterList(f).NamedChildren(func(q syntax.Node) bool {
			w.types(q.Child("type"), facts.RefType)
			return true
		})
	}
	if !d.name.IsZero() {
		_, _, typ := w.specifiers(p)
		w.b.Bind(d.name.Text(), d.name.Start(), joinType(typ, d.stars), "")
	}
}

// variables reports a declaration without a body: variables, fields, prototypes
// and the type that may be defined in front of them.
func (w *walker) variables(n, outer syntax.Node, cls *class) {
	typ := n.Child("type")
	if t := typ.Text(); typ.Kind() == "type_identifier" && (t == "import" || t == "module") && cls == nil && w.cpp && !w.b.InBody() {
		module := w.text(typ.End(), n.End())
		if t == "import" {
			w.b.Import(facts.Import{Module: strings.Trim(module, " ;")}, n.Start())
		} else {
			w.b.SetPackage(strings.Trim(module, " ;"))
		}
		return
	}
	flags, constant, text := w.specifiers(n)
	var declarators []syntax.Node
	n.Children(func(c syntax.Node) bool {
		if c.FieldName() == "declarator" {
			declarators = append(declarators, c)
		}
		return true
	})
	w.typeOf(typ, outer, declarators, cls)
	if len(declarators) == 0 && cls != nil && typ.IsZero() {
		w.children(n)
		return
	}
	members := cls != nil
	for k, c := range declarators {
		d := w.declarator(c)
		if d.name.IsZero() {
			w.walk(c)
			continue
		}
		value := c.Child("value")
		if members {
			for x := c.NextSibling(); !x.IsZero() && x.Kind() != ","; x = x.NextSibling() {
				if x.FieldName() == "default_value" {
					value = x
				}
			}
		}
		if w.b.InBody() && !members {
			w.local(c, d, value, joinType(text, d.stars))
			continue
		}
		if !members && w.macroUse(typ, d) {
			w.walk(c)
			continue
		}
		if !d.fn.IsZero() {
			w.prototype(n, outer, d, cls)
			continue
		}
		name, span := w.nameOf(d)
		s := facts.Symbol{Name: name, Kind: facts.KindVariable, NameSpan: span, Type: joinType(text, d.stars), Flags: flags}
		if f := functionOf(c); !f.IsZero() {
			s.Type = strings.TrimRight(strings.Replace(w.text(max(typ.Start(), n.Start()), endOf(c)), name, "", 1), " =;")
			s.Params = w.params(parameterList(f), n)
		}
		if members {
			s.Kind = facts.KindField
		} else if flags&facts.Static != 0 {
			s.Visibility = facts.Private
		}
		if constant && !strings.HasSuffix(d.stars, "*") && (!members || flags&facts.Static != 0) {
			s.Kind = facts.KindConstant
		}
		if d.last != "" {
			s.Container = d.last
			if !w.namespaces[d.last] && s.Kind == facts.KindVariable {
				s.Kind = facts.KindField
			}
		}
		end := outer.End()
		if !value.IsZero() {
			end = value.Start()
			s.Init = w.shape(value)
			if value.Is("argument_list") {
				s.Init = ""
			}
		}
		if len(declarators) > 1 {
			s.Signature = strings.TrimSpace(text + " " + w.declaratorText(c))
		} else if isBodied(typ) {
			s.Signature = strings.TrimSpace(text + " " + w.declaratorText(c))
		}
		if k > 0 || isBodied(typ) {
			s.Span = facts.Span{Start: c.Start(), End: c.End()}
			if k == 0 {
				s.Span = facts.Span{Start: d.name.Start(), End: outer.End()}
			}
		}
		i := w.symbol(s, outer, end, cls)
		w.b.Within(i, func() {
			if f := functionOf(c); !f.IsZero() {
				w.b.Scope(lang.SpanOf(c), func() { w.bindParams(f) })
			}
			if k == 0 && !isBodied(typ) {
				w.types(typ, facts.RefType)
			}
			if !value.IsZero() {
				w.initialise(value, s.Type)
			}
			w.sizes(c)
		})
	}
}

func isBodied(typ syntax.Node) bool { return !typ.Child("body").IsZero() }

func endOf(c syntax.Node) uint32 {
	if v := c.Child("value"); !v.IsZero() {
		return v.Start()
	}
	return c.End()
}

// declaratorText is the declarator without its initialiser.
func (w *walker) declaratorText(c syntax.Node) string {
	if c.Kind() == "init_declarator" {
		c = c.Child("declarator")
	}
	return w.nodeText(c)
}

// sizes reports the names in array bounds.
func (w *walker) sizes(c syntax.Node) {
	for range 50 {
		if c.IsZero() || c.IsLeaf() {
			return
		}
		w.walk(c.Child("size"))
		c = inner(c)
	}
}

// prototype reports a function that is declared only.
func (w *walker) prototype(n, outer syntax.Node, d declared, cls *class) {
	s := w.callable(n, d, cls)
	s.Flags |= facts.Declaration
	if cls != nil && s.Kind == facts.KindMethod {
		if v := n.Child("default_value"); v.Kind() == "number_literal" && v.Text() == "0" {
			s.Flags = s.Flags&^facts.Declaration | facts.Abstract
		}
	}
	i := w.symbol(s, outer, outer.End(), cls)
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(outer), func() {
			w.types(n.Child("type"), facts.RefType)
			w.bindParams(d.fn)
		})
	})
}

// local binds a variable of a body.
func (w *walker) local(c syntax.Node, d declared, value syntax.Node, typ string) {
	if !value.IsZero() {
		w.initialise(value, typ)
	}
	w.sizes(c)
	init := ""
	if !value.IsZero() && !value.Is("argument_list") {
		init = w.shape(value)
		if value.Is("initializer_list") && typ != "" && typ != "auto" {
			init = ""
		}
	}
	if f := functionOf(c); !f.IsZero() && !d.fn.IsZero() && value.IsZero() {
		// Foo f(x); or a prototype in a body.
		w.bindlessParams(f)
	}
	if typ == "auto" || strings.HasPrefix(typ, "auto ") || strings.HasPrefix(typ, "const auto") {
		typ = ""
	}
	if d.name.Kind() == "structured_binding_declarator" {
		w.parts(d.name, init)
		return
	}
	w.b.Bind(d.name.Text(), d.name.Start(), typ, init)
}

// parts binds the names in auto [a, b], the parts of a value of a shape.
func (w *walker) parts(names syntax.Node, shape string) {
	k := 0
	names.NamedChildren(func(x syntax.Node) bool {
		if x.Kind() == "identifier" {
			w.b.Bind(x.Text(), x.Start(), "", lang.Shape(shape+"#"+string(rune('0'+min(k, 9)))))
			k++
		}
		return true
	})
}

// bindlessParams reports what looks like parameters and may be arguments.
func (w *walker) bindlessParams(f syntax.Node) {
	parameterList(f).NamedChildren(func(p syntax.Node) bool {
		if typ := p.Child("type"); typ.Kind() == "type_identifier" && w.b.Bound(typ.Text()) {
			return true
		}
		w.types(p.Child("type"), facts.RefType)
		return true
	})
}

// typeOf reports the type in front of declarators: a definition where it has a
// body, else a reference, which the first declarator holds.
func (w *walker) typeOf(typ, outer syntax.Node, declarators []syntax.Node, cls *class) {
	switch typ.Kind() {
	case "struct_specifier", "union_specifier", "class_specifier":
		if isBodied(typ) {
			w.classNode(typ, typ, "", syntax.Node{}, cls)
			return
		}
	case "enum_specifier":
		if isBodied(typ) {
			w.enum(typ, typ, "", syntax.Node{}, cls)
			return
		}
	}
	if len(declarators) == 0 || w.b.InBody() && cls == nil {
		w.types(typ, facts.RefType)
	}
}
