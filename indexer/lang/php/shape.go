package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// shape gives the shape of an expression, see the package lang.
func shape(n syntax.Node) string { return lang.Shape(shapeOf(n, 0)) }

func shapeOf(n syntax.Node, depth int) string {
	if depth > 30 {
		return lang.Unknown
	}
	sub := func(field string) string { return shapeOf(n.Child(field), depth+1) }
	switch n.Kind() {
	case "variable_name":
		if t := n.Text(); t != "$this" {
			return t
		}
		return "this"
	case "name", "qualified_name":
		switch t := strings.TrimPrefix(n.Text(), "\\"); strings.ToLower(t) {
		case "true", "false":
			return "true"
		case "null":
			return "nil"
		default:
			return t
		}
	case "relative_scope":
		switch n.Text() {
		case "parent":
			return "super"
		}
		return "self"
	case "member_access_expression", "nullsafe_member_access_expression":
		if n.Child("name").Kind() != "name" {
			return lang.Unknown
		}
		return sub("object") + "." + n.Child("name").Text()
	case "member_call_expression", "nullsafe_member_call_expression":
		if n.Child("name").Kind() != "name" {
			return lang.Unknown
		}
		return sub("object") + "." + n.Child("name").Text() + "()"
	case "scoped_call_expression":
		return sub("scope") + "." + n.Child("name").Text() + "()"
	case "scoped_property_access_expression":
		return sub("scope") + "." + bare(n.Child("name")).Text()
	case "class_constant_access_expression":
		first := firstNamed(n)
		last := first
		n.NamedChildren(func(c syntax.Node) bool { last = c; return true })
		if last.Text() == "class" {
			return `""`
		}
		return shapeOf(first, depth+1) + "." + last.Text()
	case "function_call_expression":
		return sub("function") + "()"
	case "object_creation_expression":
		if name := n.ChildOfKind("name", "qualified_name"); !name.IsZero() {
			return "new " + strings.TrimPrefix(name.Text(), "\\") + "()"
		}
	case "clone_expression", "parenthesized_expression", "assignment_expression", "print_intrinsic":
		if n.Kind() == "assignment_expression" {
			return sub("right")
		}
		return shapeOf(firstNamed(n), depth+1)
	case "subscript_expression":
		return shapeOf(firstNamed(n), depth+1) + "[]"
	case "string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression":
		return `""`
	case "integer", "float":
		return "0"
	case "boolean":
		return "true"
	case "null":
		return "nil"
	case "array_creation_expression":
		return "[]"
	case "arrow_function", "anonymous_function_creation_expression", "anonymous_function":
		return "func"
	case "cast_expression":
		if t := n.Child("type").Text(); t == "array" || t == "string" || t == "int" {
			return map[string]string{"array": "[]", "string": `""`, "int": "0"}[t]
		}
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "===", "!==", "<", "<=", ">", ">=", "&&", "||", "and", "or", "xor", "instanceof":
			return "true"
		case ".":
			return `""`
		}
		return sub("left")
	}
	return lang.Unknown
}
