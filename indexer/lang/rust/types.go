package rust

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// typeRefs records the references of a type expression. kind counts for the
// outermost name, arguments are uses as types.
func (w *walker) typeRefs(n syntax.Node, kind facts.RefKind) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "type_identifier", "identifier":
		w.typeName(n, kind)
	case "primitive_type", "lifetime", "line_comment", "block_comment", "self", "crate", "super", "metavariable",
		"integer_literal", "string_literal", "self_parameter", "attribute_item", "mutable_specifier", "for_lifetimes":
	case "scoped_type_identifier", "scoped_identifier":
		path, name := n.Child("path"), n.Child("name")
		w.owning(path)
		w.b.Reference(kind, identifier(name), w.pathShape(path, 0), name.Start())
	case "generic_type", "generic_type_with_turbofish":
		w.typeRefs(n.Child("type"), kind)
		w.typeRefs(n.Child("type_arguments"), facts.RefType)
	case "type_binding":
		w.typeRefs(n.Child("type_arguments"), facts.RefType)
		w.typeRefs(n.Child("type"), facts.RefType)
	case "array_type":
		w.typeRefs(n.Child("element"), facts.RefType)
		w.walk(n.Child("length"))
	case "parameter":
		w.typeRefs(n.Child("type"), facts.RefType)
	case "function_type":
		// fn(A) -> B and Fn(A) -> B
		w.typeRefs(n.Child("trait"), kind)
		w.typeRefs(n.Child("parameters"), facts.RefType)
		w.typeRefs(n.Child("return_type"), facts.RefType)
	case "type_parameters":
		n.NamedChildren(func(p syntax.Node) bool { w.bounds(p); return true })
	case "block":
		w.walk(n)
	case "macro_invocation":
		w.macro(n)
	default:
		n.NamedChildren(func(c syntax.Node) bool {
			w.typeRefs(c, kind)
			return true
		})
	}
}

func (w *walker) typeName(n syntax.Node, kind facts.RefKind) {
	name := identifier(n)
	if name == "_" || w.b.Bound(name) {
		return
	}
	if name == "Self" {
		if name = w.current; kind != facts.RefInherit && name != "" {
			return // the definition's own name, at every turn
		}
	}
	w.b.Reference(kind, name, "", n.Start())
}

// initShape is the shape of an initialiser, "" without one.
func (w *walker) initShape(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	return w.shape(n)
}

// shape gives the shape of an expression, see the package lang. Paths have dots
// between their names.
func (w *walker) shape(n syntax.Node) string { return lang.Shape(w.shapeOf(n, 0)) }

func (w *walker) shapeOf(n syntax.Node, depth int) string {
	if depth > 40 {
		return lang.Unknown
	}
	sub := func(field string) string { return w.shapeOf(n.Child(field), depth+1) }
	switch n.Kind() {
	case "identifier", "scoped_identifier", "type_identifier", "self", "crate", "super":
		return w.pathShape(n, depth)
	case "field_expression":
		return sub("value") + "." + identifier(n.Child("field"))
	case "call_expression":
		f := n.Child("function")
		for f.Kind() == "generic_function" {
			f = f.Child("function")
		}
		if f.Kind() == "identifier" {
			switch name := f.Text(); {
			case name == "Some" || name == "Ok":
				return w.shapeOf(firstNamed(n.Child("arguments")), depth+1)
			case isTypeName(name):
				return w.pathShape(f, depth) + "{}" // a tuple struct
			}
		}
		return w.shapeOf(f, depth+1) + "()"
	case "generic_function":
		return sub("function")
	case "index_expression":
		inner := firstNamed(n)
		if !n.ChildOfKind("range_expression").IsZero() {
			return w.shapeOf(inner, depth+1) + "[:]"
		}
		return w.shapeOf(inner, depth+1) + "[]"
	case "struct_expression":
		return w.pathShape(n.Child("name"), depth) + "{}"
	case "type_cast_expression":
		return "(" + typeText(n.Child("type")) + ")"
	case "reference_expression":
		return "&" + sub("value")
	case "unary_expression":
		inner := w.shapeOf(firstNamed(n), depth+1)
		if n.HasToken("*") {
			return "*" + inner
		}
		return inner
	case "await_expression":
		return "await " + w.shapeOf(firstNamed(n), depth+1)
	case "try_expression", "parenthesized_expression", "unsafe_block", "const_block":
		return w.shapeOf(firstNamed(n), depth+1)
	case "string_literal", "raw_string_literal":
		return `""`
	case "integer_literal", "float_literal", "char_literal":
		return "0"
	case "boolean_literal":
		return "true"
	case "array_expression":
		return "[]"
	case "closure_expression":
		return "func"
	case "macro_invocation":
		switch n.Child("macro").Text() {
		case "vec":
			return "[]"
		case "format", "concat", "stringify":
			return `""`
		}
		return n.Child("macro").Text() + "!()"
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "true"
		}
		return sub("left")
	}
	return lang.Unknown
}
