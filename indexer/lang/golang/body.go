package golang

import (
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
	case "comment", "interpreted_string_literal", "raw_string_literal", "rune_literal", "int_literal", "float_literal",
		"imaginary_literal", "nil", "true", "false", "iota", "label_name":
	case "function_declaration", "method_declaration", "type_declaration", "const_declaration", "var_declaration", "import_declaration":
		w.declaration(n, lang.CommentsOf(w.b))
	case "func_literal":
		w.types(n.Child("parameters"))
		w.types(n.Child("result"))
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(n.Child("parameters"))
			w.bindParams(n.Child("result"))
			w.children(n.Child("body"))
		})
	case "block", "if_statement", "for_statement", "expression_switch_statement", "select_statement",
		"expression_case", "default_case", "communication_case":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "type_switch_statement":
		w.typeSwitch(n)
	case "short_var_declaration":
		right := n.Child("right")
		w.children(right)
		w.bindAll(n.Child("left"), expressions(right), "")
	case "range_clause":
		right := n.Child("right")
		w.walk(right)
		left := n.Child("left")
		if n.HasToken(":=") {
			w.bindAll(left, nil, "range "+shape(right))
		} else {
			w.children(left)
		}
	case "receive_statement":
		w.walk(n.Child("right"))
		if n.HasToken(":=") {
			w.bindAll(n.Child("left"), []syntax.Node{n.Child("right")}, "")
		} else {
			w.children(n.Child("left"))
		}
	case "call_expression":
		w.call(n)
	case "selector_expression":
		w.selector(n, facts.RefRead)
	case "composite_literal":
		w.composite(n)
	case "type_conversion_expression", "type_assertion_expression":
		w.walk(n.Child("operand"))
		w.types(n.Child("type"))
	case "identifier":
		w.name(n, facts.RefRead)
	case "type_identifier", "qualified_type", "generic_type", "pointer_type", "slice_type", "array_type", "map_type",
		"channel_type", "function_type", "struct_type", "interface_type", "type_arguments", "parameter_list":
		w.types(n)
	case "labeled_statement":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "label" {
				w.walk(c)
			}
			return true
		})
	case "goto_statement", "break_statement", "continue_statement":
	default:
		w.children(n)
	}
}

// name records a use of a bare name that no local binding shadows.
func (w *walker) name(n syntax.Node, kind facts.RefKind) {
	if name := n.Text(); name != "_" && !w.b.Bound(name) && !(kind == facts.RefCall && builtin(name)) {
		w.b.Reference(kind, name, "", n.Start())
	}
}

func (w *walker) selector(n syntax.Node, kind facts.RefKind) {
	operand, field := n.Child("operand"), n.Child("field")
	if operand.Kind() != "identifier" || !w.packages[operand.Text()] {
		w.walk(operand)
	}
	w.b.Reference(kind, field.Text(), shape(operand), field.Start())
}

func (w *walker) call(n syntax.Node) {
	f := n.Child("function")
	for f.Is("parenthesized_expression") {
		inner := syntax.Node{}
		f.NamedChildren(func(c syntax.Node) bool { inner = c; return false })
		if inner.IsZero() {
			break
		}
		f = inner
	}
	switch f.Kind() {
	case "identifier":
		w.name(f, facts.RefCall)
	case "selector_expression":
		w.selector(f, facts.RefCall)
	case "index_expression", "type_instantiation_expression":
		// Tree-sitter reads a[i](x) as an instantiation as well.
		operand := f.Child("operand")
		if operand.IsZero() {
			operand = f.Child("type")
		}
		switch operand.Kind() {
		case "identifier":
			w.name(operand, facts.RefCall)
		case "selector_expression":
			w.selector(operand, facts.RefCall)
		default:
			w.walk(operand)
		}
		f.NamedChildren(func(c syntax.Node) bool {
			if c != operand {
				w.walk(c)
			}
			return true
		})
	default:
		w.walk(f)
	}
	w.types(n.Child("type_arguments"))
	w.children(n.Child("arguments"))
}

// composite records the type of a literal and, for keys that are names, a read
// of the field with the literal as its qualifier.
func (w *walker) composite(n syntax.Node) {
	typ := n.Child("type")
	w.types(typ)
	w.literal(n.Child("body"), lang.Shape(lang.Collapse(typ.Text())+"{}"), !typ.Is("map_type"))
}

func (w *walker) literal(body syntax.Node, owner string, keysAreFields bool) {
	element := func(e syntax.Node) {
		if e.Kind() == "literal_element" {
			inner := syntax.Node{}
			e.NamedChildren(func(c syntax.Node) bool { inner = c; return false })
			e = inner
		}
		if e.Kind() == "literal_value" {
			w.literal(e, lang.Shape(owner+"[]{}"), true)
			return
		}
		w.walk(e)
	}
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	body.NamedChildren(func(e syntax.Node) bool {
		if e.Kind() != "keyed_element" {
			element(e)
			return true
		}
		first := true
		e.NamedChildren(func(c syntax.Node) bool {
			if first {
				first = false
				key := c
				if key.Kind() == "literal_element" {
					key.NamedChildren(func(k syntax.Node) bool { key = k; return false })
				}
				if keysAreFields && key.Is("identifier", "field_identifier") {
					w.b.Reference(facts.RefRead, key.Text(), owner, key.Start())
					return true
				}
			}
			element(c)
			return true
		})
		return true
	})
}

func (w *walker) typeSwitch(n syntax.Node) {
	alias := syntax.Node{}
	n.Child("alias").NamedChildren(func(c syntax.Node) bool { alias = c; return false })
	w.b.Scope(lang.SpanOf(n), func() {
		w.walk(n.Child("initializer"))
		w.walk(n.Child("value"))
		n.NamedChildren(func(c syntax.Node) bool {
			if !c.Is("type_case", "default_case") {
				return true
			}
			w.b.Scope(lang.SpanOf(c), func() {
				var types []string
				c.Children(func(t syntax.Node) bool {
					if t.FieldName() == "type" && t.IsNamed() {
						types = append(types, lang.Collapse(t.Text()))
						w.types(t)
					}
					return true
				})
				if !alias.IsZero() {
					typ, init := "", shape(n.Child("value"))
					if len(types) == 1 {
						typ, init = types[0], ""
					}
					w.b.Bind(alias.Text(), alias.Start(), typ, init)
				}
				c.NamedChildren(func(s syntax.Node) bool {
					if s.FieldName() != "type" {
						w.walk(s)
					}
					return true
				})
			})
			return true
		})
	})
}

// bindAll binds the names on the left of :=. A name that is already bound in
// the same statement list is bound again: the later one has the same type.
func (w *walker) bindAll(left syntax.Node, right []syntax.Node, whole string) {
	k := 0
	bind := func(c syntax.Node) {
		if c.Kind() == "identifier" {
			init := initShape(right, k)
			if whole != "" {
				init = lang.Shape(whole + "#" + string(rune('0'+min(k, 9))))
			}
			w.b.Bind(c.Text(), c.Start(), "", init)
		}
		k++
	}
	if left.Kind() == "expression_list" {
		left.NamedChildren(func(c syntax.Node) bool { bind(c); return true })
	} else if !left.IsZero() {
		bind(left)
	}
}

// types records the references of a type expression.
func (w *walker) types(n syntax.Node) { w.typeRefs(n, facts.RefType) }

func (w *walker) typeRefs(n syntax.Node, kind facts.RefKind) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "type_identifier":
		if name := n.Text(); !predeclared(name) {
			w.name(n, kind)
		}
	case "qualified_type":
		name := n.Child("name")
		w.b.Reference(kind, name.Text(), n.Child("package").Text(), name.Start())
	case "struct_type":
		w.fields(-1, n.ChildOfKind("field_declaration_list"))
	case "interface_type":
		w.members(-1, n)
	case "array_type":
		w.walk(n.Child("length"))
		w.typeRefs(n.Child("element"), facts.RefType)
	case "generic_type":
		w.typeRefs(n.Child("type"), kind)
		w.typeRefs(n.Child("type_arguments"), facts.RefType)
	case "parameter_declaration", "variadic_parameter_declaration", "type_parameter_declaration":
		w.typeRefs(n.Child("type"), facts.RefType)
	case "identifier", "field_identifier", "comment":
	default:
		n.NamedChildren(func(c syntax.Node) bool {
			w.typeRefs(c, kind)
			return true
		})
	}
}

func predeclared(name string) bool {
	switch name {
	case "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8",
		"int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr":
		return true
	}
	return false
}

// builtin lists the functions of the language that programs do not redefine;
// min and max are left out, for many define their own.
func builtin(name string) bool {
	switch name {
	case "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "new", "panic", "print",
		"println", "real", "recover":
		return true
	}
	return predeclared(name)
}

func expressions(list syntax.Node) []syntax.Node {
	if list.IsZero() {
		return nil
	}
	if list.Kind() != "expression_list" {
		return []syntax.Node{list}
	}
	var out []syntax.Node
	list.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() != "comment" {
			out = append(out, c)
		}
		return true
	})
	return out
}

// initShape is the shape of what the k-th name on the left receives.
func initShape(values []syntax.Node, k int) string {
	switch {
	case k < len(values) && len(values) > 1, k == 0 && len(values) == 1:
		return shape(values[k])
	case len(values) == 1 && k < 10:
		return lang.Shape(shape(values[0]) + "#" + string(rune('0'+k)))
	}
	return ""
}

// shape gives the shape of an expression, see the package lang.
func shape(n syntax.Node) string {
	return lang.Shape(shapeOf(n, 0))
}

func shapeOf(n syntax.Node, depth int) string {
	if depth > 40 {
		return lang.Unknown
	}
	sub := func(field string) string { return shapeOf(n.Child(field), depth+1) }
	switch n.Kind() {
	case "identifier", "type_identifier", "package_identifier", "field_identifier":
		return n.Text()
	case "selector_expression":
		return sub("operand") + "." + n.Child("field").Text()
	case "qualified_type":
		return lang.Collapse(n.Text())
	case "call_expression":
		f := n.Child("function")
		if f.Kind() == "identifier" && (f.Text() == "new" || f.Text() == "make") {
			arg := syntax.Node{}
			n.Child("arguments").NamedChildren(func(c syntax.Node) bool { arg = c; return false })
			typ := lang.Collapse(arg.Text())
			if f.Text() == "new" && isValue([]byte(typ)) {
				return "&" + shapeOf(arg, depth+1)
			}
			if f.Text() == "new" {
				return "&" + typ + "{}"
			}
			return typ + "{}"
		}
		return shapeOf(f, depth+1) + "()"
	case "index_expression", "slice_expression", "type_instantiation_expression":
		operand := n.Child("operand")
		if operand.IsZero() {
			operand = n.Child("type")
		}
		s := shapeOf(operand, depth+1)
		if n.Kind() == "type_instantiation_expression" {
			return s
		}
		if n.Kind() == "slice_expression" {
			return s + "[:]"
		}
		return s + "[]"
	case "composite_literal":
		return lang.Collapse(n.Child("type").Text()) + "{}"
	case "type_conversion_expression":
		return "(" + lang.Collapse(n.Child("type").Text()) + ")"
	case "type_assertion_expression":
		return "(" + lang.Collapse(n.Child("type").Text()) + ")"
	case "unary_expression":
		op := n.Child("operator").Text()
		switch op {
		case "&", "*":
			return op + sub("operand")
		case "<-":
			return "range " + sub("operand")
		}
		return sub("operand")
	case "parenthesized_expression":
		inner := syntax.Node{}
		n.NamedChildren(func(c syntax.Node) bool { inner = c; return false })
		return shapeOf(inner, depth+1)
	case "interpreted_string_literal", "raw_string_literal":
		return `""`
	case "int_literal", "float_literal", "imaginary_literal", "rune_literal", "iota":
		return "0"
	case "true", "false":
		return "true"
	case "nil":
		return "nil"
	case "func_literal":
		return "func" + lang.Collapse(n.Child("parameters").Text()) + strings.TrimRight(" "+lang.Collapse(n.Child("result").Text()), " ")
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "true"
		}
		return sub("left")
	}
	return lang.Unknown
}
