package csharp

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
		if c := w.b.Tree.At(i); c.Kind() == "identifier" && c.FieldName() == "function" {
			w.b.Reference(facts.RefCall, nameText(c), "", c.Start())
		} else if c.Kind() == "identifier" && c.FieldName() == "name" && c.Parent().FieldName() == "function" {
			w.b.Reference(facts.RefCall, nameText(c), lang.Unknown, c.Start())
		}
	}
}

func (w *walker) node(n syntax.Node) {
	switch n.Kind() {
	case "comment", "break_statement", "continue_statement", "goto_statement", "discard", "string_literal", "verbatim_string_literal",
		"raw_string_literal", "integer_literal", "real_literal", "character_literal", "null_literal", "boolean_literal", "modifier",
		"type_parameter_list", "attribute_target_specifier", "preproc_region", "preproc_endregion", "preproc_pragma", "implicit_type", "predefined_type":
	case "class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration", "delegate_declaration",
		"method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration",
		"property_declaration", "indexer_declaration", "event_declaration", "field_declaration", "event_field_declaration",
		"using_directive", "namespace_declaration", "file_scoped_namespace_declaration", "local_function_statement":
		w.doc = nil
		w.placed(n)
	case "block", "for_statement", "switch_section", "switch_expression_arm", "catch_clause", "using_statement", "fixed_statement", "query_expression":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "local_declaration_statement":
		w.attributes(n)
		w.children(n)
	case "variable_declaration":
		w.local(n)
	case "foreach_statement":
		w.forEach(n)
	case "catch_declaration":
		typ, name := n.Child("type"), n.Child("name")
		w.typeRefs(typ, facts.RefType)
		w.b.Bind(nameText(name), name.Start(), w.typeText(typ), "")
	case "if_statement":
		w.ifChain(n)
	case "preproc_if", "preproc_elif":
		for c := range n.NamedChildren {
			if c.FieldName() != "condition" {
				w.walk(c)
			}
		}
	case "labeled_statement":
		w.afterFirst(n)
	case "lambda_expression", "anonymous_method_expression":
		w.lambda(n)
	case "invocation_expression", "member_access_expression", "element_access_expression", "conditional_access_expression",
		"member_binding_expression":
		w.chain(n)
	case "element_binding_expression":
		w.children(n)
	case "object_creation_expression":
		w.creation(n)
	case "implicit_object_creation_expression":
		w.unnamedCreation(n)
		for c := range n.NamedChildren {
			if c.Kind() == "initializer_expression" {
				w.objectInitializer(c, w.made(c))
			} else {
				w.walk(c)
			}
		}
	case "with_initializer":
		w.memberOf(n.FirstChild(), w.made(n))
		w.assignments(n)
	case "anonymous_object_creation_expression":
		// The names before = are members of what is made.
		w.assignments(n)
	case "identifier":
		w.name(n)
	case "generic_name":
		w.typeRefs(n, facts.RefType)
	case "cast_expression":
		w.typeRefs(n.Child("type"), facts.RefType)
		w.walk(n.Child("value"))
	case "as_expression", "is_expression":
		w.walk(n.Child("left"))
		w.typeRefs(n.Child("right"), facts.RefType)
	case "typeof_expression", "sizeof_expression", "default_expression", "array_creation_expression", "stackalloc_expression":
		w.typeRefs(n.Child("type"), facts.RefType)
		for c := range n.NamedChildren {
			if c.FieldName() != "type" {
				w.walk(c)
			}
		}
	case "declaration_expression", "declaration_pattern":
		typ, name := n.Child("type"), n.Child("name")
		w.typeRefs(typ, facts.RefType)
		init := ""
		if n.Kind() == "declaration_expression" && typ.Kind() == "implicit_type" {
			if init = lang.Unknown; n.Parent().Kind() == "argument" {
				if t := w.target(n); t != "" {
					init = "=>:" + t
				}
			}
		}
		w.b.Bind(nameText(name), name.Start(), w.declaredType(typ), init)
	case "recursive_pattern":
		typ, name := n.Child("type"), n.Child("name")
		w.typeRefs(typ, facts.RefType)
		for c := range n.NamedChildren {
			if c.FieldName() == "" {
				w.walk(c)
			}
		}
		init := ""
		if typ.IsZero() && !name.IsZero() {
			init = w.patternOf(n)
		}
		w.b.Bind(nameText(name), name.Start(), w.typeText(typ), init)
	case "var_pattern", "list_pattern", "tuple_pattern", "parenthesized_variable_designation":
		for c := range n.NamedChildren {
			if c.Kind() == "identifier" {
				init := lang.Unknown
				if s := w.patternOf(n); n.Kind() == "var_pattern" && s != "" {
					init = s
				}
				w.b.Bind(nameText(c), c.Start(), "", init)
			} else {
				w.walk(c)
			}
		}
	case "type_pattern":
		w.typeRefs(n.Child("type"), facts.RefType)
	case "constant_pattern":
		// "is Name" tests for a type unless a constant bears the name.
		if id := n.ChildOfKind("identifier"); !id.IsZero() && looksLikeType(id.Text()) && !w.b.Bound(id.Text()) && !w.members[id.Text()] {
			w.typeName(id, facts.RefType)
			return
		}
		w.children(n)
	case "subpattern":
		first := true
		for c := range n.NamedChildren {
			if first && c.Is("identifier", "member_access_expression") && n.HasToken(":") {
				first = false
				w.subject(c, w.patternOf(n))
				continue
			}
			first = false
			w.walk(c)
		}
	case "argument", "attribute_argument":
		for c := range n.NamedChildren {
			if c.FieldName() != "name" {
				w.walk(c)
			}
		}
	case "binary_expression":
		w.binary(n)
	case "from_clause", "let_clause", "join_clause", "join_into_clause":
		w.query(n)
	case "attribute":
		name := typeNameNode(n.Child("name"))
		w.b.Bind(bindAttribute, name.Start(), "", w.argumentShapes(n.ChildOfKind("attribute_argument_list")))
		w.typeRefs(n.Child("name"), facts.RefType)
		for a := range n.ChildOfKind("attribute_argument_list").NamedChildren {
			if v := a.ChildOfKind("assignment_expression"); a.Kind() == "attribute_argument" && v.Child("left").Kind() == "identifier" {
				w.memberOf(v.Child("left"), lang.Shape("new "+w.typeText(n.Child("name"))+"()"))
				w.walk(v.Child("right"))
				continue
			}
			w.walk(a)
		}
	case "qualified_name", "alias_qualified_name", "array_type", "nullable_type", "pointer_type", "tuple_type", "ref_type", "scoped_type",
		"function_pointer_type", "type_argument_list":
		w.typeRefs(n, facts.RefType)
	default:
		w.children(n)
	}
}

// subject records the members that a pattern looks at: Name or Name.Name.
func (w *walker) subject(n syntax.Node, qualifier string) {
	if qualifier == "" {
		return
	}
	if n.Kind() == "member_access_expression" && w.depth < maxDepth {
		w.depth++
		w.subject(n.Child("expression"), qualifier)
		w.depth--
		w.memberOf(n.Child("name"), lang.Shape(qualifier+"."+w.shape(n.Child("expression"))))
		return
	}
	w.memberOf(n, qualifier)
}

func (w *walker) afterFirst(n syntax.Node) {
	first := true
	for c := range n.NamedChildren {
		if !first || c.Kind() != "identifier" {
			w.walk(c)
		}
		first = false
	}
}

func (w *walker) local(n syntax.Node) {
	typ := n.Child("type")
	w.typeRefs(typ, facts.RefType)
	text := w.declaredType(typ)
	for d := range n.NamedChildren {
		if d.Kind() != "variable_declarator" {
			if d.IsError() {
				w.walk(d)
			}
			continue
		}
		value := valueOf(d)
		w.walk(value)
		if name := d.Child("name"); !name.IsZero() {
			w.b.Bind(nameText(name), name.Start(), text, w.linked(value))
			continue
		}
		w.deconstruct(d.ChildOfKind("tuple_pattern"), w.linked(value))
	}
}

// deconstruct binds the names of (a, b) = value.
func (w *walker) deconstruct(pattern syntax.Node, value string) {
	at := 0
	for c := range pattern.NamedChildren {
		switch c.Kind() {
		case "identifier":
			init := lang.Unknown
			if value != "" && value != lang.Unknown {
				init = lang.Shape(value + "#" + string(rune('0'+min(at, 9))))
			}
			w.b.Bind(nameText(c), c.Start(), "", init)
		case "tuple_pattern":
			w.walk(c)
		case "comment":
			continue
		}
		at++
	}
}

func (w *walker) forEach(n syntax.Node) {
	w.b.Scope(lang.SpanOf(n), func() {
		typ, left, right := n.Child("type"), n.Child("left"), n.Child("right")
		w.typeRefs(typ, facts.RefType)
		w.walk(right)
		if left.Kind() == "identifier" {
			w.b.Bind(nameText(left), left.Start(), w.declaredType(typ), lang.Shape("range "+w.linked(right)))
		} else {
			w.walk(left)
		}
		w.walk(n.Child("body"))
	})
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
		w.typeRefs(n.Child("type"), facts.RefType)
		p := n.Child("parameters")
		if p.Is("implicit_parameter", "identifier") {
			w.b.Bind(nameText(p), p.Start(), "", lambdaParam(w.target(n), 0))
		} else {
			w.lambdaParams(n, p)
		}
		for c := range n.NamedChildren {
			if !c.Is("modifier") && c.FieldName() != "parameters" && c.FieldName() != "type" {
				w.walk(c)
			}
		}
	})
}

// nameOf is the identifier of a simple name, generic or not.
func nameOf(n syntax.Node) (id, arguments syntax.Node) {
	if n.Kind() == "generic_name" {
		return n.ChildOfKind("identifier"), n.ChildOfKind("type_argument_list")
	}
	return n, syntax.Node{}
}

// chain walks calls, members and subscripts from the outside in, so that long
// chains need no stack, and then their arguments in the order of the text.
func (w *walker) chain(n syntax.Node) {
	var later []syntax.Node
	member := func(n syntax.Node, kind facts.RefKind) {
		name := n.Child("name")
		id, args := nameOf(name)
		if !args.IsZero() {
			later = append(later, args)
		}
		if id.Kind() != "identifier" {
			return
		}
		before := n.Child("expression")
		if n.Kind() == "member_binding_expression" {
			before = boundTo(n)
		}
		w.b.Reference(kind, nameText(id), w.shape(before), id.Start())
		w.generic(id, args)
		if s := w.linked(before); strings.Contains(s, "@") {
			w.b.Bind(bindReceiver, id.Start(), "", s)
		}
	}
spine:
	for {
		switch n.Kind() {
		case "invocation_expression":
			f := n.Child("function")
			later = append(later, n.Child("arguments"))
			w.passed(bindArguments, calledName(n), n.Child("arguments"))
			switch f.Kind() {
			case "identifier", "generic_name":
				id, args := nameOf(f)
				later = append(later, args)
				w.generic(id, args)
				if name := nameText(id); name != "nameof" && !w.b.Bound(name) {
					w.b.Reference(facts.RefCall, name, "", id.Start())
				}
				break spine
			case "member_access_expression":
				member(f, facts.RefCall)
				n = f.Child("expression")
			case "conditional_access_expression":
				bound := binding(f)
				if bound.Kind() == "member_binding_expression" {
					member(bound, facts.RefCall)
				} else {
					later = append(later, bound)
				}
				n = f.Child("condition")
			case "member_binding_expression":
				member(f, facts.RefCall)
				break spine
			default:
				n = f
			}
		case "member_access_expression":
			member(n, facts.RefRead)
			n = n.Child("expression")
		case "member_binding_expression":
			member(n, facts.RefRead)
			break spine
		case "conditional_access_expression":
			later = append(later, binding(n))
			n = n.Child("condition")
		case "element_access_expression":
			later = append(later, n.Child("subscript"))
			n = n.Child("expression")
		case "identifier":
			w.qualifier(n)
			break spine
		default:
			if n.IsNamed() { // this and base are tokens
				w.walk(n)
			}
			break spine
		}
	}
	for i := len(later) - 1; i >= 0; i-- {
		w.walk(later[i])
	}
}

// binding is what follows the ?. of a conditional access.
func binding(n syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range n.NamedChildren {
		if c.FieldName() != "condition" && !c.IsExtra() {
			last = c
		}
	}
	return last
}

// boundTo is what stands before the ?. that a binding belongs to.
func boundTo(n syntax.Node) syntax.Node {
	for range maxShapeDepth {
		p := n.Parent()
		if p.Kind() == "conditional_access_expression" && n.FieldName() != "condition" {
			return p.Child("condition")
		}
		n = p
	}
	return syntax.Node{}
}

// name records the use of a bare name that no local binding hides.
func (w *walker) name(n syntax.Node) {
	switch name := nameText(n); name {
	case "_", "value", "field", "this", "base", "var", "nameof":
	default:
		if !w.b.Bound(name) && w.typeParams[name] == 0 {
			w.b.Reference(facts.RefRead, name, "", n.Start())
		}
	}
}

// qualifier records the name before a dot: a type where it is written like one
// and no member of the file bears it.
func (w *walker) qualifier(n syntax.Node) {
	name := nameText(n)
	switch {
	case w.b.Bound(name):
	case looksLikeType(name) && !w.members[name]:
		w.typeName(n, facts.RefType)
	default:
		w.name(n)
	}
}
