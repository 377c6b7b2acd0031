package rust

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	case "line_comment", "block_comment", "string_literal", "raw_string_literal", "char_literal", "integer_literal",
		"float_literal", "boolean_literal", "lifetime", "label", "attribute_item", "inner_attribute_item", "unit_expression",
		"self", "crate", "super", "metavariable", "visibility_modifier", "extern_modifier", "function_modifiers":
	case "block", "unsafe_block", "async_block", "const_block", "try_block":
		if n.Kind() == "block" {
			w.b.Scope(lang.SpanOf(n), func() { w.items(n) })
		} else {
			w.children(n)
		}
	case "let_declaration":
		w.let(n)
	case "let_condition":
		w.walk(n.Child("value"))
		w.matched(n.Child("pattern"), "", n.Child("value"))
	case "if_expression", "while_expression", "match_block":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "match_expression":
		value := n.Child("value")
		w.walk(value)
		w.arms(n.Child("body"), value)
	case "for_expression":
		value := n.Child("value")
		w.walk(value)
		w.b.Scope(lang.SpanOf(n), func() {
			w.pattern(n.Child("pattern"), "", lang.Shape("range "+w.shape(value)))
			w.walk(n.Child("body"))
		})
	case "closure_expression":
		w.closure(n, "")
	case "call_expression":
		w.callee(n.Child("function"))
		n.Child("arguments").NamedChildren(func(c syntax.Node) bool {
			if c.Kind() == "closure_expression" {
				w.closure(c, w.shape(n.Child("function")))
			} else {
				w.walk(c)
			}
			return true
		})
	case "field_expression":
		w.field(n, facts.RefRead)
	case "generic_function":
		w.walk(n.Child("function"))
		w.typeRefs(n.Child("type_arguments"), facts.RefType)
	case "identifier":
		w.name(n, facts.RefRead)
	case "scoped_identifier":
		w.scoped(n, facts.RefRead)
	case "struct_expression":
		w.structExpression(n)
	case "type_cast_expression":
		w.walk(n.Child("value"))
		w.typeRefs(n.Child("type"), facts.RefType)
	case "macro_invocation":
		w.macro(n)
	case "token_tree":
		w.tokens(n)
	case "type_identifier", "scoped_type_identifier", "generic_type", "reference_type", "pointer_type", "tuple_type", "array_type",
		"function_type", "abstract_type", "dynamic_type", "type_arguments", "bounded_type", "qualified_type", "bracketed_type",
		"generic_type_with_turbofish", "trait_bounds", "where_clause", "type_parameters", "parameters":
		w.typeRefs(n, facts.RefType)
	default:
		if !w.item(n, &lead{}) {
			w.children(n)
		}
	}
}

// closure walks a closure. to is the shape of the function that it is passed to,
// if any.
func (w *walker) closure(n syntax.Node, to string) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	w.typeRefs(n.Child("return_type"), facts.RefType)
	w.b.Body(lang.SpanOf(n), func() {
		k := 0
		n.Child("parameters").NamedChildren(func(p syntax.Node) bool {
			init := ""
			if to != "" && to != lang.Unknown {
				init = lang.Shape(to + ".fn#" + strconv.Itoa(k))
			}
			k++
			if p.Kind() == "parameter" {
				w.typeRefs(p.Child("type"), facts.RefType)
				w.pattern(p.Child("pattern"), typeText(p.Child("type")), init)
			} else {
				w.pattern(p, "", init)
			}
			return true
		})
		w.walk(n.Child("body"))
	})
}

func (w *walker) let(n syntax.Node) {
	typ, value := n.Child("type"), n.Child("value")
	w.typeRefs(typ, facts.RefType)
	w.walk(value)
	w.walk(n.Child("alternative"))
	w.matched(n.Child("pattern"), typeText(typ), value)
	n.NamedChildren(func(c syntax.Node) bool {
		if c.IsError() {
			w.walk(c)
		}
		return true
	})
}

// matched binds the names of a pattern that a value is matched against, those of
// tuples part by part.
func (w *walker) matched(p syntax.Node, typ string, value syntax.Node) {
	if p.Kind() == "match_pattern" {
		p = firstNamed(p)
	}
	if p.Kind() != "tuple_pattern" || value.Kind() != "tuple_expression" || typ != "" {
		w.pattern(p, typ, w.initShape(value))
		return
	}
	var parts []syntax.Node
	value.NamedChildren(func(c syntax.Node) bool {
		if !c.Is("line_comment", "block_comment") {
			parts = append(parts, c)
		}
		return true
	})
	p.NamedChildren(func(c syntax.Node) bool {
		var part syntax.Node
		if c.Kind() == "remaining_field_pattern" {
			parts = nil
		}
		if len(parts) > 0 {
			part, parts = parts[0], parts[1:]
		}
		w.matched(c, "", part)
		return true
	})
}

func (w *walker) arms(body, value syntax.Node) {
	body.NamedChildren(func(arm syntax.Node) bool {
		if arm.Kind() != "match_arm" {
			w.walk(arm)
			return true
		}
		w.b.Scope(lang.SpanOf(arm), func() {
			arm.NamedChildren(func(c syntax.Node) bool {
				if c.Kind() != "match_pattern" {
					w.walk(c)
					return true
				}
				c.Children(func(p syntax.Node) bool {
					if p.FieldName() == "condition" {
						w.walk(p)
					} else {
						w.matched(p, "", value)
					}
					return true
				})
				return true
			})
		})
		return true
	})
}

// callee records what a call goes to.
func (w *walker) callee(f syntax.Node) {
	for f.Kind() == "generic_function" {
		w.typeRefs(f.Child("type_arguments"), facts.RefType)
		f = f.Child("function")
	}
	switch f.Kind() {
	case "identifier":
		w.name(f, facts.RefCall)
	case "field_expression":
		w.field(f, facts.RefCall)
	case "scoped_identifier":
		w.scoped(f, facts.RefCall)
	default:
		w.walk(f)
	}
}

func (w *walker) field(n syntax.Node, kind facts.RefKind) {
	value, field := n.Child("value"), n.Child("field")
	w.walk(value)
	if field.Kind() == "field_identifier" {
		w.b.Reference(kind, identifier(field), w.shape(value), field.Start())
	}
}

// name records a use of a bare name that no local binding shadows.
func (w *walker) name(n syntax.Node, kind facts.RefKind) {
	name := identifier(n)
	if name == "_" || w.b.Bound(name) || prelude(name) {
		return
	}
	if name == "Self" {
		name = w.current
	}
	w.b.Reference(kind, name, "", n.Start())
}

// prelude lists the variants and functions that every file has; those of the
// same name that a file defines are qualified in practice.
func prelude(name string) bool {
	switch name {
	case "Some", "None", "Ok", "Err", "drop", "self":
		return true
	}
	return false
}

// scoped records a name behind a path, and the type that the path ends with.
func (w *walker) scoped(n syntax.Node, kind facts.RefKind) {
	path, name := n.Child("path"), n.Child("name")
	w.owning(path)
	w.b.Reference(kind, identifier(name), w.pathShape(path, 0), name.Start())
}

// owning records the type at the end of a path: Queue in Queue::new.
func (w *walker) owning(path syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch path.Kind() {
	case "identifier", "type_identifier":
		if isTypeName(path.Text()) {
			w.typeName(path, facts.RefType)
		}
	case "scoped_identifier", "scoped_type_identifier":
		name := path.Child("name")
		if isTypeName(name.Text()) {
			w.owning(path.Child("path"))
			w.b.Reference(facts.RefType, identifier(name), w.pathShape(path.Child("path"), 0), name.Start())
		}
	case "generic_type", "generic_type_with_turbofish", "bracketed_type":
		w.typeRefs(path, facts.RefType)
	}
}

func isTypeName(name string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(name, "r#"))
	return unicode.IsUpper(r)
}

// pathShape is a path as a shape: names with dots between, Self replaced by the
// type it stands for, generic arguments left out.
func (w *walker) pathShape(n syntax.Node, depth int) string {
	if depth > 40 {
		return lang.Unknown
	}
	switch n.Kind() {
	case "":
		return ""
	case "identifier", "type_identifier":
		if n.Text() == "Self" && w.current != "" {
			return w.current
		}
		return identifier(n)
	case "crate", "self", "super", "primitive_type", "metavariable":
		return n.Text()
	case "scoped_identifier", "scoped_type_identifier":
		path := w.pathShape(n.Child("path"), depth+1)
		return lang.Shape(path + dot(path) + identifier(n.Child("name")))
	case "generic_type", "generic_type_with_turbofish":
		return w.pathShape(n.Child("type"), depth+1)
	case "bracketed_type":
		return w.pathShape(firstNamed(n), depth+1)
	case "qualified_type":
		return w.pathShape(n.Child("type"), depth+1)
	case "reference_type":
		return w.pathShape(n.Child("type"), depth+1)
	}
	return lang.Unknown
}

// structExpression records the type of a literal and reads of its fields with
// the literal as their qualifier.
func (w *walker) structExpression(n syntax.Node) {
	name := n.Child("name")
	w.typeRefs(name, facts.RefType)
	literal := lang.Shape(w.pathShape(name, 0) + "{}")
	n.Child("body").NamedChildren(func(f syntax.Node) bool {
		switch f.Kind() {
		case "shorthand_field_initializer":
			id := f.ChildOfKind("identifier")
			w.b.Reference(facts.RefRead, identifier(id), literal, id.Start())
		case "field_initializer":
			key := f.Child("field")
			if key.IsZero() {
				key = f.Child("name")
			}
			if key.Is("field_identifier", "identifier") {
				w.b.Reference(facts.RefRead, identifier(key), literal, key.Start())
			}
			w.walk(f.Child("value"))
		default:
			w.walk(f)
		}
		return true
	})
}

// pattern binds the names of a pattern. init is the shape of what is matched.
func (w *walker) pattern(n syntax.Node, typ, init string) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "identifier":
		if isTypeName(n.Text()) {
			w.name(n, facts.RefRead)
			return
		}
		w.b.Bind(identifier(n), n.Start(), typ, init)
	case "self":
		if w.owner != nil {
			w.b.Bind("self", n.Start(), strings.ReplaceAll(typ, "Self", w.owner.name), "")
		}
	case "mut_pattern", "ref_pattern", "reference_pattern":
		w.pattern(firstNamed(n), strings.TrimPrefix(typ, "&"), init)
	case "captured_pattern":
		first := true
		n.NamedChildren(func(c syntax.Node) bool {
			part := "" // name @ inner pattern
			if first {
				part, first = init, false
			}
			w.pattern(c, "", part)
			return true
		})
	case "tuple_pattern":
		k := 0
		n.NamedChildren(func(c syntax.Node) bool {
			part := ""
			if init != "" && init != lang.Unknown && k < 10 {
				part = lang.Shape(init + "#" + strconv.Itoa(k))
			}
			w.pattern(c, "", part)
			k++
			return true
		})
	case "tuple_struct_pattern":
		t := n.Child("type")
		switch t.Kind() {
		case "identifier":
			w.name(t, facts.RefRead)
		case "scoped_identifier":
			w.scoped(t, facts.RefRead)
		default:
			w.typeRefs(t, facts.RefType)
		}
		k := 0
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "type" {
				w.pattern(c, "", lang.Shape(w.partShape(t, init, k)))
				k++
			}
			return true
		})
	case "struct_pattern":
		t := n.Child("type")
		w.typeRefs(t, facts.RefType)
		literal := lang.Shape(w.pathShape(t, 0) + "{}")
		n.NamedChildren(func(c syntax.Node) bool {
			if c.Kind() != "field_pattern" {
				return true
			}
			name := c.Child("name")
			w.b.Reference(facts.RefRead, identifier(name), literal, name.Start())
			if p := c.Child("pattern"); !p.IsZero() {
				w.pattern(p, "", lang.Shape(literal+"."+identifier(name)))
			} else {
				w.b.Bind(identifier(name), name.Start(), "", lang.Shape(literal+"."+identifier(name)))
			}
			return true
		})
	case "scoped_identifier":
		w.scoped(n, facts.RefRead)
	case "macro_invocation":
		w.macro(n)
	case "or_pattern":
		n.NamedChildren(func(c syntax.Node) bool {
			w.pattern(c, typ, init)
			return true
		})
	case "slice_pattern", "match_pattern", "ERROR":
		n.NamedChildren(func(c syntax.Node) bool {
			w.pattern(c, "", "")
			return true
		})
	case "const_block", "range_pattern":
		w.children(n)
	}
}
