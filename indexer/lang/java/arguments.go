package java

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// A resolver needs more than names to tell overloads and enum constants. It
// finds it in bindings whose names no variable can have, at the place of the
// reference that they speak of:
//
//	()          the shapes of the arguments of a call, parted by ";"; without
//	            it there are none
//	this() super()  the same for a call of a constructor by one of these words
//	switch      the shape of what a switch looks at, in the scope of the switch
//	this        the type that an anonymous class extends, in the scope of it
const (
	arguments = "()"
	selector  = "switch"
)

// passed notes the arguments of a call by the place of its name.
func (w *walker) passed(name, list syntax.Node) {
	if shapes := w.argumentShapes(list); shapes != "" && !name.IsZero() {
		w.b.Bind(arguments, name.Start(), "", shapes)
	}
}

// maxArguments bounds how many arguments are told.
const maxArguments = 40

func (w *walker) argumentShapes(list syntax.Node) string {
	var out strings.Builder
	n := 0
	for c := range list.NamedChildren {
		if c.IsExtra() || n == maxArguments {
			continue
		}
		if n > 0 {
			out.WriteByte(';')
		}
		n++
		s := lang.Unknown
		if out.Len() < lang.MaxShape {
			s = w.shape(c)
			if t := literalType(c); t != "" {
				s = "(" + t + ")"
			}
			if t := c.ChildOfKind("type_identifier"); c.Kind() == "class_literal" && !t.IsZero() {
				s = t.Text() + ".class"
			}
		}
		if s == "" || strings.Contains(s, ";") {
			s = lang.Unknown
		}
		out.WriteString(s)
	}
	return out.String()
}

// literalType is the type of a literal that stands for a number or character, or
// "": a shape says no more than that it is one.
func literalType(n syntax.Node) string {
	for range 4 {
		if n.Kind() != "unary_expression" {
			break
		}
		n = n.Child("operand")
	}
	last := ""
	if text := n.Text(); text != "" {
		last = strings.ToLower(text[len(text)-1:])
	}
	switch n.Kind() {
	case "character_literal":
		return "char"
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if last == "l" {
			return "long"
		}
		return "int"
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if last == "f" {
			return "float"
		}
		return "double"
	}
	return ""
}

// nameNode is the simple name of a type expression.
func nameNode(n syntax.Node) syntax.Node {
	for range 40 {
		switch n.Kind() {
		case "generic_type", "annotated_type", "scoped_type_identifier":
			var next syntax.Node
			for c := range n.NamedChildren {
				if c.Is("type_identifier", "scoped_type_identifier", "generic_type") {
					next = c
				}
			}
			n = next
		default:
			return n
		}
	}
	return syntax.Node{}
}
