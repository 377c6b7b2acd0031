package cfamily

import (
	"cmp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) children(n syntax.Node) {
	n.NamedChildren(func(c syntax.Node) bool {
		w.walk(c)
		return true
	})
}

// walk visits statements and expressions: it records references, binds local
// names and opens scopes.
func (w *walker) walk(n syntax.Node) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "comment", "string_literal", "raw_string_literal", "char_literal", "number_literal", "true", "false", "null", "this",
		"statement_identifier", "preproc_include", "preproc_def", "preproc_function_def", "preproc_call", "preproc_directive", "preproc_arg",
		"system_lib_string", "field_designator", "attribute_declaration", "attribute_specifier", "auto":
	case "preproc_ifdef", "preproc_else", "preproc_elifdef":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "name" {
				w.walk(c)
			}
			return true
		})
	case "preproc_if", "preproc_elif":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "condition" {
				w.walk(c)
			}
			return true
		})
	case "function_definition", "declaration", "type_definition", "class_specifier", "struct_specifier", "union_specifier",
		"enum_specifier", "alias_declaration", "template_declaration", "namespace_definition", "linkage_specification", "using_declaration":
		w.declare(n, n, nil)
	case "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement", "requires_expression":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "for_range_loop":
		w.b.Scope(lang.SpanOf(n), func() {
			right := n.Child("right")
			w.walk(right)
			w.types(n.Child("type"), facts.RefType)
			d := w.declarator(n.Child("declarator"))
			_, _, typ := w.specifiers(n)
			init := lang.Shape("range " + w.shape(right))
			if strings.HasSuffix(typ, "auto") {
				typ = ""
			} else {
				init = ""
			}
			if d.name.Kind() == "structured_binding_declarator" {
				// What iteration yields, for range x#0 would be that of x#0.
				w.parts(d.name, w.shape(right)+".begin()[]")
			} else {
				w.b.Bind(d.name.Text(), d.name.Start(), joinType(typ, d.stars), init)
			}
			w.walk(n.Child("initializer"))
			w.walk(n.Child("body"))
		})
	case "condition_declaration":
		_, _, text := w.specifiers(n)
		d := w.declarator(n.Child("declarator"))
		w.types(n.Child("type"), facts.RefType)
		w.local(n.Child("declarator"), d, n.Child("value"), joinType(text, d.stars))
	case "catch_clause":
		w.b.Scope(lang.SpanOf(n), func() {
			n.Child("parameters").NamedChildren(func(p syntax.Node) bool { w.param(p); return true })
			w.walk(n.Child("body"))
		})
	case "lambda_expression":
		w.walk(n.Child("captures"))
		w.b.Body(lang.SpanOf(n), func() {
			d := n.Child("declarator")
			w.bindParams(d)
			w.walk(n.Child("body"))
		})
	case "lambda_default_capture":
	case "binary_expression":
		w.binary(n)
	case "call_expression":
		w.call(n)
	case "field_expression":
		w.field(n, facts.RefRead)
	case "qualified_identifier":
		w.qualified(n, facts.RefRead)
	case "template_function":
		w.walk(n.Child("name"))
		w.types(n.Child("arguments"), facts.RefType)
	case "new_expression":
		w.types(n.Child("placement"), facts.RefType)
		typ := n.Child("type")
		switch typ.Kind() {
		case "type_identifier":
			w.name(typ, facts.RefCall)
		case "qualified_identifier":
			w.qualified(typ, facts.RefCall)
		default:
			w.types(typ, facts.RefType)
		}
		w.walk(n.Child("declarator"))
		w.arguments(typ, n.Child("arguments"))
		w.walk(n.Child("arguments"))
	case "compound_literal_expression":
		w.types(n.Child("type"), facts.RefType)
		w.initialise(n.Child("value"), w.nodeTextOrEmpty(n.Child("type")))
	case "cast_expression":
		w.types(n.Child("type"), facts.RefType)
		w.walk(n.Child("value"))
	case "field_initializer":
		name := n.ChildOfKind("field_identifier", "template_method", "qualified_identifier")
		if name.Kind() == "field_identifier" {
			w.reference(facts.RefRead, name.Text(), "this", name.Start())
		}
		n.NamedChildren(func(c syntax.Node) bool {
			if c != name {
				w.walk(c)
			}
			return true
		})
	case "initializer_list":
		w.initialisers(n)
	case "initializer_pair":
		w.designated(n, lang.Unknown)
	case "identifier":
		w.name(n, facts.RefRead)
	case "type_identifier", "type_descriptor", "template_type", "template_argument_list", "dependent_type", "placeholder_type_specifier",
		"primitive_type", "sized_type_specifier", "macro_type_specifier", "decltype", "parameter_list":
		w.types(n, facts.RefType)
	case "goto_statement":
	default:
		w.children(n)
	}
}

// binary unrolls the left side of a chain, which can be as long as the file.
func (w *walker) binary(n syntax.Node) {
	var chain []syntax.Node
	for n.Kind() == "binary_expression" {
		chain = append(chain, n.Child("right"))
		n = n.Child("left")
	}
	w.walk(n)
	for i := len(chain) - 1; i >= 0; i-- {
		w.walk(chain[i])
	}
}

// name records a use of a bare name that no local binding shadows.
func (w *walker) name(n syntax.Node, kind facts.RefKind) {
	if name := n.Text(); name != "" && !w.b.Bound(name) && keywords[name] == 0 {
		w.reference(kind, name, "", n.Start())
	}
}

// path splits a::b::c into the shape a.b and the node c.
func (w *walker) path(n syntax.Node) (string, syntax.Node) {
	var parts []string
	for range 100 {
		if n.Kind() != "qualified_identifier" {
			break
		}
		if s := w.scopeText(n.Child("scope")); s != "" {
			parts = append(parts, s)
		}
		n = n.Child("name")
	}
	return lang.Shape(strings.Join(parts, ".")), n
}

func (w *walker) qualified(n syntax.Node, kind facts.RefKind) {
	scope, name := w.path(n)
	if name.Is("template_function", "template_type", "template_method") {
		w.types(name.Child("arguments"), facts.RefType)
		name = name.Child("name")
	}
	if name.Kind() == "dependent_name" {
		name = name.ChildOfKind("identifier")
	}
	w.scopeNames(n)
	w.reference(kind, name.Text(), scope, name.Start())
}

// scopeNames reports the classes among the scopes of a qualified name: those with
// template arguments, and the last one, which may be a class.
func (w *walker) scopeNames(n syntax.Node) {
	before := ""
	for range 100 {
		scope, name := n.Child("scope"), n.Child("name")
		switch {
		case scope.Kind() == "template_type":
			if t := scope.Child("name"); before != "" || !w.b.Bound(t.Text()) {
				w.reference(facts.RefType, t.Text(), lang.Shape(before), t.Start())
			}
			w.types(scope.Child("arguments"), facts.RefType)
		case name.Kind() != "qualified_identifier" && scope.Kind() == "namespace_identifier":
			if text := scope.Text(); text != "std" && !w.b.Bound(text) {
				w.reference(facts.RefType, text, lang.Shape(before), scope.Start())
			}
		}
		if name.Kind() != "qualified_identifier" {
			return
		}
		if before != "" {
			before += "."
		}
		before += w.scopeText(scope)
		n = name
	}
}

func (w *walker) field(n syntax.Node, kind facts.RefKind) {
	field := n.Child("field")
	argument := n.Child("argument")
	w.walk(argument)
	if field.Is("template_method", "template_function") {
		w.types(field.Child("arguments"), facts.RefType)
		field = field.Child("name")
	}
	if field.Kind() == "dependent_name" {
		field = field.ChildOfKind("template_method", "field_identifier")
		if field.Kind() == "template_method" {
			field = field.Child("name")
		}
	}
	w.reference(kind, field.Text(), w.shape(argument), field.Start())
}

func (w *walker) call(n syntax.Node) {
	f := n.Child("function")
	// A chain a()()() is unrolled.
	var arguments []syntax.Node
	arguments = append(arguments, n.Child("arguments"))
	for f.Is("call_expression", "parenthesized_expression") && len(arguments) < 1<<20 {
		if f.Kind() == "call_expression" {
			arguments = append(arguments, f.Child("arguments"))
			f = f.Child("function")
			continue
		}
		next := inner(f)
		if next.IsZero() {
			break
		}
		f = next
	}
	switch f.Kind() {
	case "identifier":
		w.name(f, facts.RefCall)
	case "field_expression":
		w.field(f, facts.RefCall)
	case "qualified_identifier":
		w.qualified(f, facts.RefCall)
	case "template_function":
		if name := f.Child("name"); !isCast(name.Text()) {
			w.name(name, facts.RefCall)
		}
		w.types(f.Child("arguments"), facts.RefType)
	default:
		w.walk(f)
	}
	if w.cpp && len(arguments) == 1 {
		w.arguments(f, arguments[0])
	}
	for i := len(arguments) - 1; i >= 0; i-- {
		w.children(arguments[i])
	}
}

// Arguments is the name of a binding that tells the shapes of the arguments of a
// call in C++, joined by semicolons. It stands where the name of what is called
// does; a call in a body without such a binding has no arguments.
const Arguments = "()"

// Expanded stands for arguments whose number is not known, args....
const Expanded = "..."

func (w *walker) arguments(f, list syntax.Node) {
	var shapes []string
	list.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "comment":
		case "parameter_pack_expansion":
			shapes = []string{Expanded}
			return false
		default:
			shapes = append(shapes, strings.ReplaceAll(w.shape(c), ";", "?"))
		}
		return true
	})
	if len(shapes) == 0 {
		return
	}
	for range 100 {
		switch f.Kind() {
		case "field_expression":
			f = f.Child("field")
		case "qualified_identifier", "template_function", "template_method", "template_type":
			f = f.Child("name")
		case "dependent_name":
			f = f.ChildOfKind("identifier", "template_method", "template_function", "field_identifier")
		case "identifier", "field_identifier", "type_identifier":
			w.b.Bind(Arguments, f.Start(), "", strings.Join(shapes, ";"))
			return
		default:
			return
		}
	}
}

// initialise walks the value of a variable of a type, whose text is given.
func (w *walker) initialise(value syntax.Node, typ string) {
	if value.Kind() == "initializer_list" && typ != "" {
		w.initialised = lang.Shape(typ + "{}")
	}
	w.walk(value)
	w.initialised = ""
}

// initialisers walks what stands in braces: designated fields of the type that is
// initialised, elements of it where it is an array.
func (w *walker) initialisers(n syntax.Node) {
	of := w.initialised
	w.initialised = ""
	element := ""
	if strings.HasSuffix(of, "[]{}") || strings.HasSuffix(of, "[]") {
		element = lang.Shape(of + "[]")
	}
	n.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "initializer_list":
			w.initialised = element
			w.walk(c)
			w.initialised = ""
		case "initializer_pair":
			w.designated(c, cmp.Or(of, lang.Unknown))
		default:
			w.walk(c)
		}
		return true
	})
}

// designated walks .field.inner = value, [n] = value.
func (w *walker) designated(n syntax.Node, of string) {
	n.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "field_designator":
			if f := c.ChildOfKind("field_identifier"); !f.IsZero() {
				w.reference(facts.RefRead, f.Text(), of, f.Start())
				of = lang.Shape(of + "." + f.Text())
			}
		case "subscript_designator":
			w.children(c)
			of = lang.Shape(of + "[]")
		case "initializer_list":
			w.initialised = of
			w.walk(c)
			w.initialised = ""
		default:
			w.walk(c)
		}
		return true
	})
}

func isCast(name string) bool {
	switch name {
	case "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast":
		return true
	}
	return false
}

// types records the references of a type expression.
func (w *walker) types(n syntax.Node, kind facts.RefKind) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "type_identifier":
		w.name(n, kind)
	case "qualified_identifier":
		w.qualified(n, kind)
	case "template_type":
		w.types(n.Child("name"), kind)
		w.types(n.Child("arguments"), facts.RefType)
	case "struct_specifier", "union_specifier", "class_specifier", "enum_specifier":
		if isBodied(n) {
			w.declare(n, n, nil)
			return
		}
		// A tag of C is told from a typedef of its name by the word before it.
		if name := n.Child("name"); !w.cpp && name.Kind() == "type_identifier" {
			w.reference(kind, name.Text(), strings.TrimSuffix(n.Kind(), "_specifier"), name.Start())
			return
		}
		w.types(n.Child("name"), kind)
	case "parameter_declaration", "optional_parameter_declaration":
		w.types(n.Child("type"), facts.RefType)
	case "identifier", "decltype", "call_expression", "field_expression", "binary_expression", "sizeof_expression":
		w.walk(n)
	case "primitive_type", "sized_type_specifier", "comment", "namespace_identifier", "field_identifier", "type_qualifier", "auto":
	default:
		n.NamedChildren(func(c syntax.Node) bool {
			w.types(c, kind)
			return true
		})
	}
}

// shape gives the shape of an expression, see the package lang. Scopes are
// written with dots.
func (w *walker) shape(n syntax.Node) string { return lang.Shape(w.shapeOf(n, 0)) }

func (w *walker) shapeOf(n syntax.Node, depth int) string {
	if depth > 40 {
		return lang.Unknown
	}
	sub := func(field string) string { return w.shapeOf(n.Child(field), depth+1) }
	switch n.Kind() {
	case "identifier", "type_identifier", "field_identifier", "namespace_identifier", "primitive_type":
		return n.Text()
	case "this":
		return "this"
	case "field_expression":
		field := n.Child("field")
		if field.Is("template_method", "template_function") {
			field = field.Child("name")
		}
		return sub("argument") + "." + field.Text()
	case "qualified_identifier":
		scope, name := w.path(n)
		if name.Is("template_function", "template_type") {
			name = name.Child("name")
		}
		if scope == "" {
			return name.Text()
		}
		return scope + "." + name.Text()
	case "template_function", "template_type":
		return n.Child("name").Text()
	case "call_expression":
		f := n.Child("function")
		t := f
		if t.Kind() == "qualified_identifier" {
			_, t = w.path(t)
		}
		if t.Kind() == "template_function" {
			arg := ""
			t.Child("arguments").NamedChildren(func(c syntax.Node) bool { arg = w.nodeText(c); return false })
			switch name := t.Child("name").Text(); {
			case isCast(name), name == "static_pointer_cast", name == "dynamic_pointer_cast":
				return "(" + arg + ")"
			case name == "make_unique" || name == "make_shared":
				return "new " + arg + "()"
			}
		}
		return w.shapeOf(f, depth+1) + "()"
	case "new_expression":
		return "new " + w.nodeTextOrEmpty(n.Child("type")) + "()"
	case "subscript_expression":
		return sub("argument") + "[]"
	case "pointer_expression":
		if n.HasToken("&") {
			return "&" + sub("argument")
		}
		return "*" + sub("argument")
	case "cast_expression":
		return "(" + w.nodeText(n.Child("type")) + ")"
	case "compound_literal_expression":
		return w.nodeText(n.Child("type")) + "{}"
	case "parenthesized_expression":
		return w.shapeOf(inner(n), depth+1)
	case "co_await_expression":
		return "await " + w.shapeOf(inner(n), depth+1)
	case "string_literal", "raw_string_literal", "concatenated_string":
		return `""`
	case "number_literal", "char_literal", "sizeof_expression":
		return "0"
	case "true", "false":
		return "true"
	case "null":
		return "nil"
	case "initializer_list":
		return "{}"
	case "lambda_expression":
		return "func"
	case "assignment_expression":
		return sub("right")
	case "conditional_expression":
		return sub("consequence")
	case "update_expression", "unary_expression":
		return sub("argument")
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "true"
		}
		return sub("left")
	}
	return lang.Unknown
}
