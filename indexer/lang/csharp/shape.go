package csharp

import (
	"strings"

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
		return w.typeText(n)
	case "alias_qualified_name":
		return lastName(n)
	case "member_access_expression":
		return sub(n.Child("expression")) + "." + w.simpleName(n.Child("name"))
	case "member_binding_expression":
		return sub(boundTo(n)) + "." + w.simpleName(n.Child("name"))
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
		if name := calledName(n); w.linking > 0 && !name.IsZero() && !(name.Parent().Index() == n.Index() && w.b.Bound(nameText(name))) {
			return "@" + place(name.Start())
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
	case "implicit_object_creation_expression":
		if t := w.targetType(n); t != "" {
			return "new " + t + "()"
		}
		if t := w.target(n); w.linking > 0 && t != "" && !strings.HasPrefix(t, "(") {
			return t
		}
		return lang.Unknown
	case "array_creation_expression":
		if t := w.typeText(n.Child("type").Child("type")); t != "" && !strings.ContainsAny(t, "()") {
			return "new " + t + strings.Repeat("[]", strings.Count(n.Child("type").Child("rank").Text(), "[")) + "()"
		}
		return "[]"
	case "default_expression":
		if t := n.Child("type"); !t.IsZero() {
			return "(" + w.typeText(t) + ")"
		}
	case "switch_expression":
		for arm := range n.NamedChildren {
			if arm.Kind() != "switch_expression_arm" {
				continue
			}
			var value syntax.Node
			for c := range arm.NamedChildren {
				if !c.IsExtra() {
					value = c
				}
			}
			if s := sub(value); s != "nil" && s != lang.Unknown {
				return s
			}
		}
	case "implicit_array_creation_expression":
		for c := range n.ChildOfKind("initializer_expression").NamedChildren {
			if s := sub(c); strings.HasPrefix(s, "new ") && strings.HasSuffix(s, "()") && !c.IsExtra() {
				return strings.TrimSuffix(s, "()") + "[]()"
			}
			break
		}
		return "[]"
	case "stackalloc_expression", "implicit_stackalloc_expression", "initializer_expression":
		return "[]"
	case "anonymous_object_creation_expression":
		return "{}"
	case "lambda_expression", "anonymous_method_expression":
		return "func"
	}
	return lang.Unknown
}

// simpleName is a name with its type arguments.
func (w *walker) simpleName(n syntax.Node) string {
	if n.Kind() == "generic_name" {
		return w.typeText(n)
	}
	return nameText(n)
}

// targetType is the type that new() makes, where it is written nearby, or "".
func (w *walker) targetType(n syntax.Node) string {
	t := w.target(n)
	if strings.HasPrefix(t, "(") && strings.Count(t, "(") == 1 {
		return strings.TrimSuffix(strings.Trim(t, "()"), "?")
	}
	return ""
}
