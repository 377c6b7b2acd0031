package csharp

import (
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// shape gives the shape of an expression, see the package lang; "" for none.
func (w *walker) shape(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	return lang.Shape(w.shapeOf(n, 0))
}

// maxShapeDepth bounds the recursion into an expression: a longer chain would
// exceed the cap of a shape anyway.
const maxShapeDepth = 40

func (w *walker) shapeOf(n syntax.Node, depth int) string {
	if depth > maxShapeDepth {
		return lang.Unknown
	}
	sub := func(c syntax.Node) string { return w.shapeOf(c, depth+1) }
	inner := func() string {
		for c := range n.NamedChildren {
			if !c.IsExtra() {
				return sub(c)
			}
		}
		return lang.Unknown
	}
	switch n.Kind() {
	case "identifier", "this", "base":
		return nameText(n)
	case "predefined_type", "qualified_name":
		return w.typeText(n)
	case "generic_name":
		return nameText(n.ChildOfKind("identifier"))
	case "alias_qualified_name":
		return lastName(n)
	case "member_access_expression":
		id, _ := nameOf(n.Child("name"))
		return sub(n.Child("expression")) + "." + nameText(id)
	case "member_binding_expression":
		id, _ := nameOf(n.Child("name"))
		return sub(boundTo(n)) + "." + nameText(id)
	case "element_binding_expression":
		if n.Parent().Kind() == "conditional_access_expression" {
			return sub(boundTo(n)) + "[]"
		}
		return "[]" // a collection expression
	case "conditional_access_expression":
		return sub(binding(n))
	case "invocation_expression":
		if f := n.Child("function"); f.Kind() == "identifier" && f.Text() == "nameof" {
			return `""`
		}
		return sub(n.Child("function")) + "()"
	case "element_access_expression":
		return sub(n.Child("expression")) + "[]"
	case "object_creation_expression":
		return "new " + w.typeText(n.Child("type")) + "()"
	case "cast_expression":
		return "(" + w.typeText(n.Child("type")) + ")"
	case "as_expression":
		return "(" + w.typeText(n.Child("right")) + ")"
	case "await_expression":
		return "await " + inner()
	case "parenthesized_expression", "ref_expression", "prefix_unary_expression", "postfix_unary_expression", "checked_expression":
		if n.Kind() == "prefix_unary_expression" && n.HasToken("!") {
			return "true"
		}
		return inner()
	case "with_expression":
		return inner()
	case "assignment_expression":
		return sub(n.Child("right"))
	case "conditional_expression":
		s := sub(n.Child("consequence"))
		if s == "nil" || s == lang.Unknown {
			return sub(n.Child("alternative"))
		}
		return s
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "true"
		case "+":
			if n.Child("right").Is("string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression") {
				return `""`
			}
		}
		return sub(n.Child("left"))
	case "is_expression", "is_pattern_expression", "boolean_literal":
		return "true"
	case "string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression":
		return `""`
	case "integer_literal", "real_literal", "character_literal", "sizeof_expression":
		return "0"
	case "null_literal":
		return "nil"
	case "array_creation_expression", "implicit_array_creation_expression", "stackalloc_expression", "implicit_stackalloc_expression", "initializer_expression":
		return "[]"
	case "anonymous_object_creation_expression":
		return "{}"
	case "lambda_expression", "anonymous_method_expression":
		return "func"
	}
	return lang.Unknown
}
