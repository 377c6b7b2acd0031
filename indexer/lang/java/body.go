package java

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) children(n syntax.Node) {
	for c := range n.NamedChildren {
		w.walk(c)
	}
}

// walk visits statements and expressions: it records references, binds local
// names and opens scopes. Beyond the bound of the depth only calls are noted.
func (w *walker) walk(n syntax.Node) {
	if n.IsZero() {
		return
	}
	if w.depth >= maxDepth {
		w.scan(n)
		return
	}
	w.depth++
	w.node(n)
	w.depth--
}

// scan notes the calls of a subtree without its structure.
func (w *walker) scan(n syntax.Node) {
	for i := n.Index(); i < n.SubtreeEnd(); i++ {
		if c := w.b.Tree.At(i); c.Kind() == "identifier" && c.FieldName() == "name" && c.Parent().Kind() == "method_invocation" {
			qualifier := ""
			if !c.Parent().Child("object").IsZero() {
				qualifier = lang.Unknown
			}
			w.b.Reference(facts.RefCall, c.Text(), qualifier, c.Start())
		}
	}
}

func (w *walker) node(n syntax.Node) {
	switch n.Kind() {
	case "line_comment", "block_comment", "break_statement", "continue_statement", "underscore_pattern", "this", "super":
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration",
		"method_declaration", "constructor_declaration", "compact_constructor_declaration", "field_declaration", "constant_declaration",
		"annotation_type_element_declaration", "import_declaration", "package_declaration", "static_initializer":
		w.doc = syntax.Node{}
		w.placed(n, func() { w.member(n) })
	case "block", "for_statement", "switch_block", "switch_block_statement_group", "switch_rule", "try_with_resources_statement", "catch_clause":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "local_variable_declaration":
		w.local(n)
	case "enhanced_for_statement":
		w.forEach(n)
	case "resource":
		w.resource(n)
	case "catch_formal_parameter":
		typ := n.ChildOfKind("catch_type")
		w.typeRefs(typ, facts.RefType)
		w.b.Bind(n.Child("name").Text(), n.Child("name").Start(), w.typeText(typ), "")
	case "if_statement":
		w.ifChain(n)
	case "labeled_statement":
		first := true
		for c := range n.NamedChildren {
			if !first || c.Kind() != "identifier" {
				w.walk(c)
			}
			first = false
		}
	case "lambda_expression":
		w.lambda(n)
	case "method_invocation", "field_access", "array_access":
		w.chain(n)
	case "object_creation_expression":
		w.creation(n)
	case "explicit_constructor_invocation":
		w.walk(n.Child("object"))
		w.constructorCall(n.Child("constructor"), n.Child("arguments"))
		w.typeRefs(n.Child("type_arguments"), facts.RefType)
		w.children(n.Child("arguments"))
	case "method_reference":
		w.methodReference(n)
	case "identifier":
		w.name(n)
	case "cast_expression":
		for c := range n.NamedChildren {
			if c.FieldName() == "value" {
				w.walk(c)
			} else {
				w.typeRefs(c, facts.RefType)
			}
		}
	case "instanceof_expression":
		w.walk(n.Child("left"))
		w.typeRefs(n.Child("right"), facts.RefType)
		w.walk(n.Child("pattern"))
		if name := n.Child("name"); !name.IsZero() {
			w.b.Bind(name.Text(), name.Start(), w.typeText(n.Child("right")), "")
		}
	case "type_pattern", "record_pattern_component":
		w.pattern(n)
	case "record_pattern":
		for c := range n.NamedChildren {
			if c.Kind() == "identifier" {
				w.typeName(c, facts.RefType)
			} else if c.Kind() == "record_pattern_body" {
				w.children(c)
			} else {
				w.typeRefs(c, facts.RefType)
			}
		}
	case "switch_label":
		w.label(n)
	case "switch_expression", "switch_statement":
		w.b.Scope(lang.SpanOf(n), func() {
			if c := n.Child("condition"); !c.IsZero() {
				w.b.Bind(selector, c.Start(), "", w.shape(c))
			}
			w.children(n)
		})
	case "array_creation_expression":
		w.typeRefs(n.Child("type"), facts.RefType)
		for c := range n.NamedChildren {
			if c.FieldName() != "type" {
				w.walk(c)
			}
		}
	case "binary_expression":
		w.binary(n)
	case "annotation", "marker_annotation":
		w.qualifiedType(n.Child("name"))
		w.annotationValues(n)
	case "element_value_pair":
		w.walk(n.Child("value"))
	case "class_literal", "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "type_arguments", "type_list", "throws":
		w.typeRefs(n, facts.RefType)
	case "scoped_identifier":
		w.qualifiedType(n)
	case "class_body":
		w.anonymous(n, syntax.Node{})
	default:
		w.children(n)
	}
}

func (w *walker) local(n syntax.Node) {
	w.annotations(n)
	typ := n.Child("type")
	w.typeRefs(typ, facts.RefType)
	text := w.typeText(typ)
	for d := range n.NamedChildren {
		if d.Kind() != "variable_declarator" {
			if d.IsError() {
				w.walk(d)
			}
			continue
		}
		name, value := d.Child("name"), d.Child("value")
		w.walk(value)
		t := text + lang.Collapse(d.Child("dimensions").Text())
		if text == "var" {
			t = ""
		}
		w.b.Bind(name.Text(), name.Start(), t, w.shape(value))
	}
}

func (w *walker) forEach(n syntax.Node) {
	w.b.Scope(lang.SpanOf(n), func() {
		w.annotations(n)
		typ, name, value := n.Child("type"), n.Child("name"), n.Child("value")
		w.typeRefs(typ, facts.RefType)
		w.walk(value)
		text := w.typeText(typ)
		if text == "var" {
			text = ""
		}
		w.b.Bind(name.Text(), name.Start(), text, lang.Shape("range "+w.shape(value)))
		w.walk(n.Child("body"))
	})
}

func (w *walker) resource(n syntax.Node) {
	name := n.Child("name")
	if name.IsZero() {
		w.children(n)
		return
	}
	w.annotations(n)
	w.typeRefs(n.Child("type"), facts.RefType)
	w.walk(n.Child("value"))
	text := w.typeText(n.Child("type"))
	if text == "var" {
		text = ""
	}
	w.b.Bind(name.Text(), name.Start(), text, w.shape(n.Child("value")))
}

// ifChain walks an if with its else-ifs in a loop: programs write thousands.
// What a condition binds holds for what follows the statement too.
func (w *walker) ifChain(n syntax.Node) {
	for n.Kind() == "if_statement" {
		next := n.Child("alternative")
		for c := range n.NamedChildren {
			if c.FieldName() != "alternative" {
				w.walk(c)
			}
		}
		n = next
	}
	w.walk(n)
}

// binary walks the operands of a chain of operators from the left, without
// recursion along it.
func (w *walker) binary(n syntax.Node) {
	var later []syntax.Node
	for n.Kind() == "binary_expression" {
		later = append(later, n.Child("right"))
		n = n.Child("left")
	}
	w.walk(n)
	for i := len(later) - 1; i >= 0; i-- {
		w.walk(later[i])
	}
}

func (w *walker) lambda(n syntax.Node) {
	w.b.Body(lang.SpanOf(n), func() {
		p := n.Child("parameters")
		switch p.Kind() {
		case "identifier":
			w.b.Bind(p.Text(), p.Start(), "", lang.Unknown)
		case "inferred_parameters":
			for c := range p.NamedChildren {
				if c.Kind() == "identifier" {
					w.b.Bind(c.Text(), c.Start(), "", lang.Unknown)
				}
			}
		default:
			for c := range p.NamedChildren {
				if name, typ := w.param(c); !name.IsZero() {
					init := ""
					if typ == "var" {
						typ, init = "", lang.Unknown
					} else {
						w.typeRefs(paramType(c), facts.RefType)
					}
					w.b.Bind(name.Text(), name.Start(), typ, init)
				}
			}
		}
		w.walk(n.Child("body"))
	})
}

// chain walks calls, members and subscripts from the outside in, so that long
// chains need no stack, and then their arguments in the order of the text.
func (w *walker) chain(n syntax.Node) {
	var later []syntax.Node
spine:
	for {
		switch n.Kind() {
		case "method_invocation":
			object, name := n.Child("object"), n.Child("name")
			later = append(later, n.Child("arguments"))
			if args := n.Child("type_arguments"); !args.IsZero() {
				later = append(later, args)
			}
			switch {
			case object.IsZero() && (name.Text() == "super" || name.Text() == "this"):
				w.constructorCall(name, n.Child("arguments"))
				break spine
			case object.IsZero():
				// Methods and variables have names of their own: a local variable
				// hides no method.
				w.b.Reference(facts.RefCall, name.Text(), "", name.Start())
				w.passed(name, n.Child("arguments"))
				break spine
			}
			qualifier := w.shape(object)
			if super := n.ChildOfKind("super"); !super.IsZero() && super != object {
				qualifier = lang.Shape(qualifier + ".super")
			}
			w.b.Reference(facts.RefCall, name.Text(), qualifier, name.Start())
			w.passed(name, n.Child("arguments"))
			n = object
		case "field_access":
			object, field := n.Child("object"), n.Child("field")
			if w.isPackage(object, 0) {
				if looksLikeType(field.Text()) {
					w.b.Reference(facts.RefType, field.Text(), w.shape(object), field.Start())
				}
				break spine
			}
			if field.Kind() == "identifier" {
				w.b.Reference(facts.RefRead, field.Text(), w.shape(object), field.Start())
			}
			n = object
		case "array_access":
			later = append(later, n.Child("index"))
			n = n.Child("array")
		case "identifier":
			w.qualifier(n)
			break spine
		default:
			w.walk(n)
			break spine
		}
	}
	for i := len(later) - 1; i >= 0; i-- {
		if later[i].Kind() == "argument_list" {
			w.children(later[i])
		} else {
			w.walk(later[i])
		}
	}
}

// constructorCall records this(...) and super(...) as calls of the constructor
// by its name.
func (w *walker) constructorCall(n, arguments syntax.Node) {
	c := w.context()
	if c == nil {
		return
	}
	name := c.name
	if n.Text() == "super" {
		name = c.superclass
	}
	w.b.Reference(facts.RefCall, name, "", n.Start())
	w.b.Bind(n.Text()+"()", n.Start(), "", w.argumentShapes(arguments))
}

// name records the use of a bare name that no local binding hides.
func (w *walker) name(n syntax.Node) {
	if name := n.Text(); name != "_" && name != "default" && !w.b.Bound(name) {
		w.b.Reference(facts.RefRead, name, "", n.Start())
	}
}

// qualifier records the name before a dot: by convention a type where it is
// written like one.
func (w *walker) qualifier(n syntax.Node) {
	name := n.Text()
	switch {
	case w.b.Bound(name):
	case looksLikeType(name):
		w.typeName(n, facts.RefType)
	default:
		w.name(n)
	}
}

func (w *walker) creation(n syntax.Node) {
	typ := n.Child("type")
	w.passed(nameNode(typ), n.Child("arguments"))
	for c := range n.NamedChildren {
		switch {
		case c.FieldName() == "type":
			w.typeRefs(c, facts.RefCall)
		case c.FieldName() == "arguments":
			w.children(c)
		case c.Kind() == "class_body":
			w.typeRefs(typ, facts.RefInherit)
			w.anonymous(c, typ)
		case c.FieldName() == "type_arguments":
			w.typeRefs(c, facts.RefType)
		default:
			w.walk(c)
		}
	}
}

// anonymous walks the body of a class without a name; its members belong to
// the definition around.
func (w *walker) anonymous(body, typ syntax.Node) {
	superclass := ""
	if !typ.IsZero() {
		superclass = lastName(typ)
	}
	w.types = append(w.types, typeContext{symbol: w.b.Enclosing(), superclass: superclass})
	doc := w.doc
	w.b.Scope(lang.SpanOf(body), func() {
		w.b.Bind("this", body.Start(), w.typeText(typ), "")
		w.members(body)
	})
	w.doc = doc
	w.types = w.types[:len(w.types)-1]
}

func (w *walker) methodReference(n syntax.Node) {
	var first, last syntax.Node
	for c := range n.NamedChildren {
		switch {
		case c.IsExtra():
		case first.IsZero():
			first = c
		case c.Kind() == "type_arguments":
			w.typeRefs(c, facts.RefType)
		default:
			last = c
		}
	}
	if last.IsZero() { // Type::new
		if first.Kind() == "identifier" {
			w.typeName(first, facts.RefCall)
		} else if first.Kind() == "field_access" {
			w.walk(first.Child("object"))
			if f := first.Child("field"); f.Kind() == "identifier" {
				w.b.Reference(facts.RefCall, f.Text(), w.shape(first.Child("object")), f.Start())
			}
		} else {
			w.typeRefs(first, facts.RefCall)
		}
		return
	}
	if first.Kind() == "identifier" {
		w.qualifier(first)
	} else {
		w.walk(first)
	}
	w.b.Reference(facts.RefRead, last.Text(), w.shape(first), last.Start())
}

// pattern binds the variable of a type pattern.
func (w *walker) pattern(n syntax.Node) {
	var typ, name syntax.Node
	for c := range n.NamedChildren {
		switch {
		case c.IsExtra() || c.Kind() == "modifiers" || isAnnotation(c):
		case c.Is("record_pattern", "pattern"):
			w.walk(c)
		case typ.IsZero():
			typ = c
		default:
			name = c
		}
	}
	w.typeRefs(typ, facts.RefType)
	text := w.typeText(typ)
	if text == "var" {
		text = ""
	}
	if name.Kind() == "identifier" {
		w.b.Bind(name.Text(), name.Start(), text, "")
	}
}

// label walks what stands behind case. A lone name is an enum constant or,
// where rewrite took the unnamed variable from behind it, a type.
func (w *walker) label(n syntax.Node) {
	for c := range n.NamedChildren {
		if c.Kind() == "identifier" {
			rest := strings.TrimLeft(string(w.b.Tree.Source[c.End():min(int(c.End())+40, len(w.b.Tree.Source))]), " \t\r\n")
			if strings.HasPrefix(rest, "_") {
				w.typeName(c, facts.RefType)
				continue
			}
		}
		w.walk(c)
	}
}
