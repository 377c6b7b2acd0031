package java

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
	switch n.Kind() {
	case "identifier", "this", "super", "type_identifier":
		return n.Text()
	case "scoped_type_identifier", "generic_type":
		return w.typeText(n)
	case "field_access":
		return sub(n.Child("object")) + "." + n.Child("field").Text()
	case "method_invocation":
		name := n.Child("name").Text() + "()"
		if object := n.Child("object"); !object.IsZero() {
			return sub(object) + "." + name
		}
		return name
	case "array_access":
		return sub(n.Child("array")) + "[]"
	case "object_creation_expression":
		return "new " + w.typeText(n.Child("type")) + "()"
	case "cast_expression":
		return "(" + w.typeText(n.Child("type")) + ")"
	case "parenthesized_expression":
		for c := range n.NamedChildren {
			if !c.IsExtra() {
				return sub(c)
			}
		}
	case "assignment_expression":
		return sub(n.Child("right"))
	case "ternary_expression":
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
			if n.Child("right").Kind() == "string_literal" {
				return `""`
			}
		}
		return sub(n.Child("left"))
	case "unary_expression":
		if n.Child("operator").Text() == "!" {
			return "true"
		}
		return sub(n.Child("operand"))
	case "instanceof_expression", "true", "false":
		return "true"
	case "string_literal", "template_expression":
		return `""`
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
		"decimal_floating_point_literal", "hex_floating_point_literal", "character_literal", "update_expression":
		return "0"
	case "null_literal":
		return "nil"
	case "array_creation_expression", "array_initializer":
		return "[]"
	case "lambda_expression", "method_reference":
		return "func"
	}
	return lang.Unknown
}
