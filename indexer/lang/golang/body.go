package golang

import (
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
			body := n.Child("body")
			w.bindParams(n.Child("parameters"), body.Start())
			w.bindParams(n.Child("result"), body.Start())
			w.children(body)
		})
	case "block", "if_statement", "for_statement", "expression_switch_statement", "select_statement",
		"expression_case", "default_case", "communication_case":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "type_switch_statement":
		w.typeSwitch(n)
	case "short_var_declaration":
		right := n.Child("right")
		w.children(right)
		w.bindAll(n.Child("left"), expressions(right), "", n.End())
	case "range_clause":
		right := n.Child("right")
		w.walk(right)
		left := n.Child("left")
		if n.HasToken(":=") {
			w.bindAll(left, nil, "range "+shape(right), n.End())
		} else {
			w.children(left)
		}
	case "receive_statement":
		w.walk(n.Child("right"))
		if n.HasToken(":=") {
			w.bindAll(n.Child("left"), []syntax.Node{n.Child("right")}, "", n.End())
		} else {
			w.children(n.Child("left"))
		}
	case "call_expression":
		w.call(n)
	case "selector_expression":
		w.selector(n, facts.RefRead)
	case "composite_literal":
		w.composite(n)
	case "type_conversion_expression":
		w.walk(n.Child("operand"))
		if t := n.Child("type"); t.Kind() == "generic_type" {
			w.instantiation(t, facts.RefCall)
		} else {
			w.types(t)
		}
	case "type_instantiation_expression":
		n.NamedChildren(func(c syntax.Node) bool {
			switch c.Kind() {
			case "generic_type":
				w.instantiation(c, facts.RefRead)
			case "qualified_type":
				w.qualified(c, facts.RefRead)
			default:
				w.walk(c)
			}
			return true
		})
	case "type_assertion_expression":
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

// instantiation walks what tree-sitter reads as a type with arguments where an
// expression stands: f[T](x), a[i](x) and the a[i] of a[i][j].
func (w *walker) instantiation(n syntax.Node, kind facts.RefKind) {
	if t := n.Child("type"); t.Kind() == "qualified_type" {
		w.qualified(t, kind)
	} else {
		w.name(t, kind)
	}
	n.Child("type_arguments").NamedChildren(func(c syntax.Node) bool {
		if q := c.FirstChild(); q.Kind() == "qualified_type" && q.NextSibling().IsZero() {
			w.qualified(q, facts.RefType)
		} else {
			w.types(c)
		}
		return true
	})
}

// qualified walks x.y that may be a field of a variable as well as a type of a
// package.
func (w *walker) qualified(n syntax.Node, kind facts.RefKind) {
	x, name := n.Child("package"), n.Child("name")
	if !w.packages[x.Text()] {
		w.name(x, facts.RefRead)
	}
	w.b.Reference(kind, name.Text(), x.Text(), name.Start())
}

// composite records the type of a literal and, for keys that are names, a read
// of the field with the literal as its qualifier.
func (w *walker) composite(n syntax.Node) {
	typ := n.Child("type")
	w.types(typ)
	w.literal(n.Child("body"), lang.Shape(typeText(typ)+"{}"), !typ.Is("map_type"))
}

func (w *walker) literal(body syntax.Node, owner string, keysAreFields bool) {
	element := func(e syntax.Node, step string) {
		if e.Kind() == "literal_element" {
			inner := syntax.Node{}
			e.NamedChildren(func(c syntax.Node) bool { inner = c; return false })
			e = inner
		}
		if e.Kind() == "literal_value" {
			w.literal(e, lang.Shape(owner+step+"{}"), true)
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
			element(e, "[]")
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
				element(c, "[#]")
				return true
			}
			element(c, "[]")
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
						types = append(types, typeText(t))
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

// bindAll binds the names on the left of :=, which are seen from the offset on. A
// name that is already bound in the same statement list is bound again: the later
// one has the same type.
func (w *walker) bindAll(left syntax.Node, right []syntax.Node, whole string, from uint32) {
	k := 0
	bind := func(c syntax.Node) {
		if c.Kind() == "identifier" {
			init := initShape(right, k)
			if whole != "" {
				init = lang.Shape(whole + "#" + string(rune('0'+min(k, 9))))
			}
			w.b.Bind(c.Text(), from, "", init)
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
	case "parameter_declaration":
		if _, types := paramNames(n); len(types) > 0 {
			w.misread(n)
			return
		}
		w.typeRefs(n.Child("type"), facts.RefType)
	case "variadic_parameter_declaration", "type_parameter_declaration":
		w.typeRefs(n.Child("type"), facts.RefType)
	case "identifier", "field_identifier", "comment":
	default:
		n.NamedChildren(func(c syntax.Node) bool {
			w.typeRefs(c, kind)
			return true
		})
	}
}

// misread records the references of a parameter declaration whose names are
// types, see paramNames.
func (w *walker) misread(n syntax.Node) {
	use := func(c syntax.Node) {
		if !predeclared(c.Text()) {
			w.name(c, facts.RefType)
		}
	}
	n.Children(func(c syntax.Node) bool {
		if text := c.Text(); c.FieldName() == "name" && c.IsNamed() && text != "map" && text != "chan" {
			use(c)
		}
		return true
	})
	typ := n.Child("type")
	if key := typ.Child("length"); key.Kind() == "identifier" {
		use(key)
		typ = typ.Child("element")
	}
	w.types(typ)
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
