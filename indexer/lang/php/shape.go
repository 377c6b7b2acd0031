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
		switch t := n.Text(); strings.ToLower(strings.TrimPrefix(t, "\\")) {
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
		return called(n, sub("object")+"."+n.Child("name").Text())
	case "scoped_call_expression":
		return called(n, sub("scope")+"."+n.Child("name").Text())
	case "scoped_property_access_expression":
		return sub("scope") + "." + bare(n.Child("name")).Text()
	case "class_constant_access_expression":
		first := firstNamed(n)
		last := first
		n.NamedChildren(func(c syntax.Node) bool { last = c; return true })
		if last.Text() == "class" {
			return shapeOf(first, depth+1) + ".::class" // no property $class
		}
		return shapeOf(first, depth+1) + "." + last.Text()
	case "function_call_expression":
		return called(n, sub("function"))
	case "object_creation_expression":
		if c := firstNamed(n); c.Kind() == "variable_name" {
			return "new " + c.Text() + "()"
		}
		if name := n.ChildOfKind("name", "qualified_name"); !name.IsZero() {
			return "new " + name.Text() + "()"
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
		left := sub("left")
		if n.Child("operator").Text() == "??" && (left == lang.Unknown || left == "nil") {
			return sub("right")
		}
		return left
	case "conditional_expression":
		body, other := n.Child("body"), sub("alternative")
		if body.IsZero() {
			body = n.Child("condition")
		}
		switch one := shapeOf(body, depth+1); {
		case one == other || other == "nil":
			return one
		case one == "nil":
			return other
		}
	}
	return lang.Unknown
}

// called is the shape of a call. What is called with the name of a class, as in
// make(Store::class), mostly gives one of it: make()(Store). f(...) is no call
// but makes a closure.
func called(n syntax.Node, f string) string {
	args := n.Child("arguments")
	if !args.ChildOfKind("variadic_placeholder").IsZero() {
		return "func"
	}
	if class := classArgument(firstNamed(args)); class != "" {
		return f + "()(" + class + ")"
	}
	return f + "()"
}

// classArgument is the name of the class in an argument Name::class, or "".
func classArgument(argument syntax.Node) string {
	value := firstNamed(argument)
	if argument.Kind() != "argument" || value.Kind() != "class_constant_access_expression" {
		return ""
	}
	class := firstNamed(value)
	if !class.Is("name", "qualified_name") || !strings.HasSuffix(value.Text(), "class") {
		return ""
	}
	if name := strings.TrimSpace(strings.TrimPrefix(value.Text(), class.Text())); strings.TrimLeft(name, ": \t\r\n") != "class" {
		return ""
	}
	return class.Text()
}
