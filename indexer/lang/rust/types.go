package rust

import (
	"strconv"
	"strings"

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
				inner := w.shapeOf(firstNamed(n.Child("arguments")), depth+1)
				if name == "Ok" {
					return inner + ".(Result)"
				}
				return inner + ".(Option)"
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
		return w.shapeOf(firstNamed(n), depth+1) + ".await"
	case "try_expression":
		return w.shapeOf(firstNamed(n), depth+1) + ".try"
	case "parenthesized_expression", "unsafe_block", "const_block":
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
	case "match_expression":
		return w.armShape(n, depth)
	case "if_expression":
		if s := w.blockShape(n.Child("consequence"), depth); s != lang.Unknown {
			return s
		}
		return w.blockShape(firstNamed(n.Child("alternative")), depth)
	case "block":
		return w.blockShape(n, depth)
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

// armShape is the shape of what a match gives: of what one of its patterns takes
// out of the value (Some(x) => x), or of an arm that says so itself.
func (w *walker) armShape(n syntax.Node, depth int) string {
	found, matched := lang.Unknown, w.shapeOf(n.Child("value"), depth+1)
	n.Child("body").NamedChildren(func(arm syntax.Node) bool {
		if arm.Kind() != "match_arm" {
			return true
		}
		value, p := arm.Child("value"), firstNamed(arm.Child("pattern"))
		if value.Kind() != "identifier" {
			found = w.freeShape(value, depth)
			return found == lang.Unknown
		}
		if p.Kind() != "tuple_struct_pattern" {
			return true
		}
		k := 0
		p.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() == "type" {
				return true
			}
			if c.Kind() == "identifier" && c.Text() == value.Text() {
				found = w.partShape(p.Child("type"), matched, k)
			}
			k++
			return true
		})
		return found == lang.Unknown
	})
	return found
}

// partShape is the shape of the k-th part of what a pattern T(…) matches.
func (w *walker) partShape(t syntax.Node, matched string, k int) string {
	switch wrapper := t.Text(); wrapper {
	case "Some", "Ok", "Err":
		if matched == "" || matched == lang.Unknown {
			return lang.Unknown
		}
		return matched + "." + wrapper
	}
	return w.pathShape(t, 0) + "{}#" + strconv.Itoa(k)
}

// blockShape is the shape of the value of a block.
func (w *walker) blockShape(n syntax.Node, depth int) string {
	if n.Kind() == "if_expression" {
		return w.shapeOf(n, depth+1)
	}
	if n.Kind() != "block" {
		return lang.Unknown
	}
	var last syntax.Node
	n.NamedChildren(func(c syntax.Node) bool {
		if !c.Is("line_comment", "block_comment") {
			last = c
		}
		return true
	})
	return w.freeShape(last, depth)
}

// freeShape is the shape of an expression that stands deeper than what it is the
// value of, as far as it needs no local variable.
func (w *walker) freeShape(n syntax.Node, depth int) string {
	if n.IsZero() || !n.Is("call_expression", "struct_expression", "scoped_identifier", "match_expression", "if_expression", "block", "field_expression", "try_expression", "reference_expression") {
		return lang.Unknown
	}
	s := w.shapeOf(n, depth+1)
	start := strings.TrimLeft(s, "&*")
	if name, _, more := strings.Cut(start, "."); isTypeName(start) || more && (name == "self" || name == "crate" || name == "super") {
		return s
	}
	return lang.Unknown
}
