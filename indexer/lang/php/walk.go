package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) children(n syntax.Node) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() {
			w.walk(c)
		}
	}
}

// walk visits statements and expressions: it reports definitions, records
// references, binds local names and opens scopes.
func (w *walker) walk(n syntax.Node) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "text", "php_tag", "string", "string_content", "string_value", "nowdoc", "integer", "float", "boolean", "null", "variable_name",
		"relative_scope", "text_interpolation", "primitive_type", "declare_statement", "named_label_statement", "goto_statement":
	case "comment":
		w.annotated(n)
	case "namespace_definition":
		w.b.SetPackage(n.Child("name").Text())
		w.statements(n.Child("body"))
	case "namespace_use_declaration":
		w.imports(n)
	case "class_declaration":
		w.class(n, facts.KindClass)
	case "interface_declaration", "trait_declaration":
		w.class(n, facts.KindInterface)
	case "enum_declaration":
		w.class(n, facts.KindEnum)
	case "function_definition", "method_declaration":
		w.function(n)
	case "property_declaration":
		w.property(n)
	case "const_declaration":
		w.constants(n)
	case "enum_case":
		w.enumCase(n)
	case "use_declaration":
		w.uses(n)
	case "compound_statement", "colon_block", "declaration_list", "enum_declaration_list":
		w.statements(n)
	case "arrow_function", "anonymous_function_creation_expression", "anonymous_function":
		taker := w.taker
		w.taker = ""
		w.types(n.Child("return_type"))
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(n.Child("parameters"), nil, taker)
			if body := n.Child("body"); body.Kind() == "compound_statement" {
				w.statements(body)
			} else {
				w.walk(body)
			}
		})
	case "object_creation_expression":
		w.creation(n)
	case "function_call_expression":
		w.call(n)
	case "member_call_expression", "nullsafe_member_call_expression":
		w.member(n, facts.RefCall)
		w.arguments(n)
		w.asserted(n)
	case "member_access_expression", "nullsafe_member_access_expression":
		w.member(n, facts.RefRead)
	case "scoped_call_expression":
		w.scoped(n.Child("scope"), n.Child("name"), facts.RefCall)
		w.arguments(n)
		w.asserted(n)
	case "scoped_property_access_expression":
		w.scoped(n.Child("scope"), n.Child("name"), facts.RefRead)
	case "class_constant_access_expression":
		scope := firstNamed(n)
		name := scope.NextSibling()
		for !name.IsZero() && !name.IsNamed() {
			name = name.NextSibling()
		}
		w.scoped(scope, name, facts.RefRead)
	case "name", "qualified_name":
		w.reference(n, facts.RefRead)
	case "named_type", "union_type", "optional_type", "intersection_type", "type_list", "disjunctive_normal_form_type":
		w.types(n)
	case "argument":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "name" || c.Kind() != "name" {
				w.walk(c)
			}
			return true
		})
	case "assignment_expression", "reference_assignment_expression":
		w.assignment(n)
	case "augmented_assignment_expression":
		w.walk(n.Child("left"))
		w.walk(n.Child("right"))
	case "foreach_statement":
		w.foreach(n)
	case "catch_clause":
		w.types(n.Child("type"))
		w.b.Scope(lang.SpanOf(n), func() {
			name := n.Child("name")
			var types []string
			n.Child("type").NamedChildren(func(t syntax.Node) bool { types = append(types, lang.Collapse(t.Text())); return true })
			// Like what a condition tells: nothing else that is bound here ends here.
			w.b.Bind(name.Text(), name.Start(), strings.Join(types, "|"), name.Text())
			w.walk(n.Child("body"))
		})
	case "static_variable_declaration":
		name := n.Child("name")
		w.walk(n.Child("value"))
		w.b.Bind(name.Text(), name.Start(), "", shape(n.Child("value")))
	case "global_declaration":
	case "binary_expression":
		left, right := n.Child("left"), n.Child("right")
		w.walk(left)
		switch op := strings.ToLower(n.Child("operator").Text()); {
		case op == "instanceof" && right.Is("name", "qualified_name"):
			w.reference(right, facts.RefType)
		case op == "&&" || op == "and":
			w.under(right, w.narrowings(left, true, 0))
		case op == "||" || op == "or":
			w.under(right, w.narrowings(left, false, 0))
		default:
			w.walk(right)
		}
	case "return_statement":
		w.children(n)
		w.returned(firstNamed(n))
	case "if_statement", "else_if_clause":
		w.conditional(n)
	case "conditional_expression":
		condition := n.Child("condition")
		w.walk(condition)
		w.under(n.Child("body"), w.narrowings(condition, true, 0))
		w.under(n.Child("alternative"), w.narrowings(condition, false, 0))
	case "require_expression", "require_once_expression", "include_expression", "include_once_expression":
		w.include(n)
	default:
		w.children(n)
	}
}

// reference records a use of a name, which may stand behind a namespace.
func (w *walker) reference(n syntax.Node, kind facts.RefKind) {
	qualifier := ""
	if n.Kind() == "qualified_name" {
		leaf := n.ChildOfKind("name")
		// As written, with the backslash at its end, which tells it from a class,
		// and the one at its start, which makes the name a whole one.
		qualifier = w.text(n.Start(), leaf.Start())
		n = leaf
	}
	name := n.Text()
	if kind == facts.RefRead || kind == facts.RefType {
		switch strings.ToLower(name) {
		case "true", "false", "null", "self", "static", "parent", "__dir__", "__file__", "__line__", "__class__", "__function__",
			"__method__", "__namespace__", "__trait__", "php_eol", "e_all":
			return
		}
	}
	w.b.Reference(kind, name, qualifier, n.Start())
}

func (w *walker) types(n syntax.Node) {
	for c := n; c.Is("name", "qualified_name"); {
		w.reference(c, facts.RefType)
		return
	}
	n.NamedChildren(func(c syntax.Node) bool {
		if w.depth < maxDepth {
			w.depth++
			w.types(c)
			w.depth--
		}
		return true
	})
}

func (w *walker) member(n syntax.Node, kind facts.RefKind) {
	object, name := n.Child("object"), n.Child("name")
	w.walk(object)
	if name.Kind() == "name" {
		w.b.Reference(kind, name.Text(), shape(object), name.Start())
	} else {
		w.walk(name)
	}
}

// scoped records Class::member.
func (w *walker) scoped(scope, name syntax.Node, kind facts.RefKind) {
	if scope.Is("name", "qualified_name") {
		w.reference(scope, facts.RefType)
	} else {
		w.walk(scope)
	}
	leaf := bare(name)
	if leaf.Kind() == "name" {
		if text := leaf.Text(); text != "class" {
			w.b.Reference(kind, text, shape(scope), leaf.Start())
		}
		return
	}
	w.walk(name)
}

// bindAnonymous is the name under which the body of an anonymous class binds
// each of its bases, as a type.
const bindAnonymous = "this"

func (w *walker) creation(n syntax.Node) {
	list := n.ChildOfKind("declaration_list")
	n.NamedChildren(func(c syntax.Node) bool {
		switch {
		case c.Is("name", "qualified_name"):
			if t := c.Text(); t != "self" && t != "static" && t != "parent" {
				w.reference(c, facts.RefCall)
			} else if k := len(w.owners); k > 0 && t != "parent" && w.owners[k-1].name != "" {
				w.b.Reference(facts.RefCall, w.owners[k-1].name, "", c.Start())
			}
		case c.Is("base_clause", "class_interface_clause", "declaration_list", "attribute_list"):
		default:
			w.walk(c)
		}
		return true
	})
	w.attributes(n)
	if list.IsZero() {
		return
	}
	for _, b := range basesOf(n) {
		w.reference(b, facts.RefInherit)
	}
	w.b.Body(lang.SpanOf(list), func() {
		bases := basesOf(n)
		for _, b := range bases {
			w.b.Bind(bindAnonymous, b.Start(), b.Text(), "")
		}
		if len(bases) == 0 {
			w.b.Bind(bindAnonymous, list.Start(), "object", "")
		}
		w.owners = append(w.owners, owner{symbol: -1})
		w.statements(list)
		w.owners = w.owners[:len(w.owners)-1]
	})
}

func (w *walker) call(n syntax.Node) {
	f, args := n.Child("function"), n.Child("arguments")
	if f.Is("name", "qualified_name") {
		switch name := strings.ToLower(strings.TrimPrefix(f.Text(), "\\")); name {
		case "define":
			if w.define(n, args) {
				return
			}
		case "assert":
			w.reference(f, facts.RefCall)
			w.walk(args)
			for _, t := range w.narrowings(firstNamed(firstNamed(args)), true, 0) {
				w.b.Bind(t.value, n.End(), t.typ, "")
			}
			return
		case "clone": // with properties, which rewrite makes a call
			w.walk(args)
			return
		case "it", "test", "describe":
			// Pest: it('does', function () { ... });
			if !w.b.InBody() && len(w.owners) == 0 && firstNamed(firstNamed(args)).Is("string", "encapsed_string") {
				w.b.AddTrait(facts.TestCode)
			}
		}
		w.reference(f, facts.RefCall)
	} else {
		w.walk(f)
	}
	w.arguments(n)
}

// define handles define('NAME', value).
func (w *walker) define(n, args syntax.Node) bool {
	var list []syntax.Node
	args.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "argument" {
			list = append(list, firstNamed(c))
		}
		return true
	})
	if len(list) < 2 {
		return false
	}
	name, span := literal(list[0])
	if name == "" {
		return false
	}
	doc := ""
	if w.docs != nil {
		doc = documentation(w.docs.Above(n.Start())).prose
	}
	i := w.b.Symbol(facts.Symbol{
		Name: name, Kind: facts.KindConstant, Span: lang.SpanOf(n), NameSpan: span, Doc: doc,
		Signature: firstLine(n.Text()), Init: shape(list[1]),
	})
	w.b.Within(i, func() { w.walk(list[1]) })
	return true
}

// literal is the text of a string without interpolation.
func literal(n syntax.Node) (string, facts.Span) {
	if !n.Is("string", "encapsed_string") || n.End()-n.Start() < 2 {
		return "", facts.Span{}
	}
	plain := true
	n.NamedChildren(func(c syntax.Node) bool { plain = plain && c.Is("string_content", "string_value"); return plain })
	if !plain {
		return "", facts.Span{}
	}
	t := n.Text()
	return t[1 : len(t)-1], facts.Span{Start: n.Start() + 1, End: n.End() - 1}
}

// imports handles use at the level of the file.
func (w *walker) imports(n syntax.Node) {
	prefix := ""
	group := n.ChildOfKind("namespace_use_group")
	if !group.IsZero() {
		prefix = strings.Trim(n.ChildOfKind("namespace_name", "qualified_name", "name").Text(), "\\") + "\\"
	}
	clause := func(c syntax.Node) {
		name := c.ChildOfKind("qualified_name", "namespace_name", "name")
		module := prefix + strings.TrimPrefix(name.Text(), "\\")
		if name.IsZero() || module == "" {
			return
		}
		alias := c.ChildOfKind("namespace_aliasing_clause").ChildOfKind("name").Text()
		w.b.Import(facts.Import{Module: module, Alias: alias}, c.Start())
		leaf, qualifier := module, ""
		if k := strings.LastIndexByte(module, '\\'); k >= 0 {
			leaf, qualifier = module[k+1:], module[:k]
		}
		if leaf != "" && uint32(len(leaf)) <= name.End() {
			w.b.Reference(facts.RefImport, leaf, qualifier, name.End()-uint32(len(leaf)))
		}
	}
	for _, list := range []syntax.Node{n, group} {
		list.NamedChildren(func(c syntax.Node) bool {
			if c.Is("namespace_use_clause", "namespace_use_group_clause") {
				clause(c)
			}
			return true
		})
	}
}

// include handles require and include of a literal path. One that is relative
// to the file gets a leading "./".
func (w *walker) include(n syntax.Node) {
	p, ok := literalPath(firstNamed(n), 0)
	if !ok {
		w.children(n)
		return
	}
	w.b.Import(facts.Import{Module: p}, n.Start())
}

// literalPath reads a path made of literals and the directory of the file.
func literalPath(n syntax.Node, depth int) (string, bool) {
	if depth > 10 {
		return "", false
	}
	switch n.Kind() {
	case "parenthesized_expression":
		return literalPath(firstNamed(n), depth+1)
	case "string", "encapsed_string":
		p, _ := literal(n)
		return p, p != ""
	case "name":
		if n.Text() == "__DIR__" {
			return ".", true
		}
	case "function_call_expression":
		if n.Child("function").Text() == "dirname" {
			switch arg := strings.TrimSpace(strings.Trim(n.Child("arguments").Text(), "()")); arg {
			case "__FILE__":
				return ".", true
			case "__DIR__", "dirname(__FILE__":
				return "..", true
			}
		}
	case "binary_expression":
		if n.Child("operator").Text() == "." {
			left, ok := literalPath(n.Child("left"), depth+1)
			right, ok2 := literalPath(n.Child("right"), depth+1)
			if ok && ok2 {
				if rest, up := strings.CutPrefix(left+right, "./../"); up {
					return "../" + rest, true
				}
				return left + right, true
			}
		}
	}
	return "", false
}
