package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// node visits a node of any kind: statement, expression or type.
func (w *walker) node(n syntax.Node) {
	switch n.Kind() {
	case "comment", "html_comment", "hash_bang_line", "string", "number", "regex", "this", "super", "null", "undefined",
		"true", "false", "statement_identifier", "property_identifier", "predefined_type", "this_type", "meta_property",
		"jsx_text", "import", "empty_statement", "existential_type", "string_fragment", "optional_chain":
		w.leaf(n)

	case "import_statement":
		w.importStatement(n)
	case "export_statement":
		w.exportStatement(n)
	case "function_declaration", "generator_function_declaration", "function_signature", "class_declaration",
		"abstract_class_declaration", "interface_declaration", "type_alias_declaration", "enum_declaration", "module",
		"internal_module", "ambient_declaration", "import_alias", "lexical_declaration", "variable_declaration":
		w.declaration(n, 0)

	case "ERROR":
		w.salvage(n)
	case "statement_block":
		w.block(n)
	case "if_statement":
		w.conditionChain(n)
	case "for_statement":
		w.b.Scope(lang.SpanOf(n), func() {
			init := n.Child("initializer")
			if init.Is("lexical_declaration", "variable_declaration") {
				if !w.b.InBody() || init.Is("lexical_declaration") {
					w.bindDeclarators(init)
				}
				w.variables(init, 0, true)
			} else {
				w.walk(init)
			}
			for c := range n.NamedChildren {
				if c.FieldName() != "initializer" {
					w.walk(c)
				}
			}
		})
	case "for_in_statement":
		w.forIn(n)
	case "switch_body":
		w.b.Scope(lang.SpanOf(n), func() {
			w.blocks++
			for c := range n.NamedChildren {
				w.hoistBlock(c)
			}
			w.switchBody(n)
			w.blocks--
		})
	case "catch_clause":
		w.b.Scope(lang.SpanOf(n), func() {
			p := n.Child("parameter")
			w.bindPattern(p, typeText(n.Child("type")), "")
			w.patternValues(p)
			w.walk(n.Child("type"))
			w.walk(n.Child("body"))
		})
	case "expression_statement":
		doc := w.doc
		for c := range n.NamedChildren {
			w.doc = doc
			w.walk(c)
		}

	case "shorthand_property_identifier":
		w.shorthand(n)
	case "identifier", "shorthand_property_identifier_pattern":
		w.name(n, facts.RefRead)
	case "assignment_expression":
		w.assignment(n)
	case "binary_expression":
		w.binary(n)
	case "call_expression", "member_expression", "subscript_expression", "new_expression":
		w.chain(n)
	case "arrow_function", "function_expression", "generator_function", "class":
		w.functionValue(n)
	case "object":
		w.objectLiteral(n)
	case "pair_pattern":
		if k := n.Child("key"); k.Is("computed_property_name") {
			w.walk(k)
		}
		w.walk(n.Child("value"))
	case "nested_identifier":
		w.chain(n)
	case "decorator":
		if d := firstNamed(n); d.Is("identifier") {
			w.name(d, facts.RefCall)
		} else if d.Is("member_expression") {
			w.memberUse(d, facts.RefCall)
		} else {
			w.walk(d)
		}
	case "jsx_opening_element", "jsx_self_closing_element":
		w.jsx(n)
	case "jsx_closing_element":
		switch name := n.Child("name"); name.Kind() {
		case "identifier":
			if c := name.Text(); c != "" && (c[0] < 'a' || c[0] > 'z') {
				w.name(name, facts.RefRead)
			}
		case "member_expression", "nested_identifier":
			w.memberUse(name, facts.RefRead)
		}
	case "jsx_attribute":
		w.attribute(n, "")
	case "as_expression", "satisfies_expression":
		if t := lastNamed(n); t != firstNamed(n) {
			w.expect(firstNamed(n), typed(typeText(t)))
		}
		w.children(n)
	case "return_statement":
		// What the factory of a library returns is what the library gives.
		if v := inner(firstNamed(n)); w.wrapped > 0 && !w.b.InBody() && w.b.Enclosing() < 0 {
			w.returned(v)
		}
		if k := len(w.frames); k > 0 {
			f, v := w.frames[k-1], firstNamed(n)
			w.expect(v, f.expected)
			if !v.IsZero() && len(f.results) < maxResults {
				f.results = append(f.results, v)
			}
		}
		w.children(n)
	case "ternary_expression":
		cond := n.Child("condition")
		for c := range n.NamedChildren {
			switch c.FieldName() {
			case "consequence":
				w.narrowed(c, narrowings(cond, true, 0), func() { w.walk(c) })
			case "alternative":
				w.narrowed(c, narrowings(cond, false, 0), func() { w.walk(c) })
			default:
				w.walk(c)
			}
		}
	case "labeled_statement":
		w.walk(n.Child("body"))

	case "type_identifier", "nested_type_identifier", "generic_type":
		w.typeName(n, facts.RefType)
	case "function_type", "constructor_type", "call_signature", "construct_signature", "method_signature", "abstract_method_signature":
		w.callable(n)
		w.walk(n.Child("type"))
	case "property_signature":
		w.walk(n.Child("type"))
	case "required_parameter", "optional_parameter":
		w.walk(n.Child("type"))
		w.walk(n.Child("value"))
	case "index_signature":
		w.indexSignature(n)
	case "conditional_type":
		w.conditional(n)
	case "lookup_type":
		if of, key := firstNamed(n), firstNamed(lastNamed(n)); lastNamed(n).Is("literal_type") && key.Is("string") {
			if name, span, ok := nameOf(key); ok {
				if q := typed(typeText(of)); q != "" && q != lang.Unknown {
					w.b.Reference(facts.RefRead, name, q, span.Start)
				}
			}
		}
		w.children(n)
	case "infer_type":
		first := true
		for c := range n.NamedChildren {
			if !first {
				w.walk(c)
			}
			first = false
		}
	case "method_definition":
		w.method(n, -1)
	case "type_parameters":
		w.withTypeParams(n, func() {})
	case "object_type":
		w.objectType(n)
	case "interface_body":
		w.each(n, func(m syntax.Node) { w.walk(m) })
	default:
		w.children(n)
	}
}

// leaf handles the leaves that tell something about the file.
func (w *walker) leaf(n syntax.Node) {
	switch n.Kind() {
	case "hash_bang_line":
		w.b.AddTrait(facts.EntryPoint)
	case "meta_property":
		if p := n.Parent(); p.Is("member_expression") && p.Child("property").Text() == "main" {
			w.b.AddTrait(facts.EntryPoint)
		}
	}
}

// declaration declares what a statement defines; flags come from export and
// declare around it.
func (w *walker) declaration(n syntax.Node, flags facts.SymbolFlags) {
	switch n.Kind() {
	case "function_declaration", "generator_function_declaration", "function_signature":
		w.functionDeclaration(n, flags)
	case "class_declaration", "abstract_class_declaration":
		name := n.Child("name")
		w.classDeclaration(n, name, name.Text(), flags)
	case "interface_declaration":
		w.interfaceDeclaration(n, flags)
	case "type_alias_declaration":
		w.typeAlias(n, flags)
	case "enum_declaration":
		w.enum(n, flags)
	case "module", "internal_module":
		w.namespace(n, flags)
	case "ambient_declaration":
		w.ambientDeclaration(n, flags)
	case "lexical_declaration", "variable_declaration":
		w.variables(n, flags, false)
	case "import_alias":
		name, target := firstNamed(n), lastNamed(n)
		if name.Is("identifier") && target != name {
			i := w.definition(facts.Symbol{
				Name: name.Text(), Kind: facts.KindType, Flags: flags, Signature: w.head(n, n.Start(), n.End()), Init: shape(target),
				Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
			}, w.topVisibility())
			w.noteDeclared(i)
			w.walk(target)
		}
	default:
		w.walk(n)
	}
}

// functionValue walks a function or class that stands as a value. One with a
// name of its own that is the value of nothing is a definition that is seen in
// itself only.
func (w *walker) functionValue(n syntax.Node) {
	symbol, owned := w.owned[n.Index()]
	if owned && symbol < 0 {
		return
	}
	walk := func() {
		if n.Is("class") {
			w.class(n, symbol)
		} else {
			w.function(n, symbol, false)
		}
	}
	name := n.Child("name")
	switch {
	case owned && name.IsZero():
		walk()
	case owned:
		w.b.Scope(lang.SpanOf(n), func() {
			if w.b.At(symbol).NameSpan != lang.SpanOf(name) {
				w.b.Bind(name.Text(), name.Start(), "", w.b.At(symbol).Name)
			}
			walk()
		})
	case name.IsZero():
		symbol = -1
		walk()
	default:
		s := facts.Symbol{
			Name: name.Text(), Kind: facts.KindFunction, Flags: facts.InBody,
			Signature: w.head(n, n.Start(), bodyStart(n)), Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
		}
		w.describeValue(&s, n)
		symbol = w.definition(s, facts.Private)
		w.b.Body(lang.SpanOf(n), walk)
	}
}

func (w *walker) returned(v syntax.Node) {
	switch v.Kind() {
	case "identifier":
		w.markExported(v.Text(), false)
	case "object":
		for c := range v.NamedChildren {
			switch {
			case c.Is("shorthand_property_identifier"):
				w.markExported(c.Text(), false)
			case c.Is("pair") && c.Child("value").Is("identifier"):
				w.markExported(c.Child("value").Text(), false)
			}
		}
	}
}

// name records a use of a bare name that no local binding shadows.
func (w *walker) name(n syntax.Node, kind facts.RefKind) {
	name := n.Text()
	if n.IsMissing() || name == "undefined" || name == "arguments" || w.b.Bound(name) {
		return
	}
	w.b.Reference(kind, name, "", n.Start())
}

// memberUse records the use of a member and walks what it is a member of.
func (w *walker) memberUse(n syntax.Node, kind facts.RefKind) {
	if p := n.Child("property"); !p.IsZero() && !p.IsMissing() {
		w.b.Reference(kind, p.Text(), shape(n.Child("object")), p.Start())
	}
	w.walk(n.Child("object"))
}

// binary walks operators from the leftmost operand on, so that long sums need
// no stack.
func (w *walker) binary(n syntax.Node) {
	var rights []syntax.Node
	for n.Is("binary_expression") {
		rights = append(rights, n)
		n = n.Child("left")
	}
	w.walk(n)
	var known []narrowing
	last := ""
	for i := len(rights) - 1; i >= 0; i-- {
		n, right := rights[i], rights[i].Child("right")
		op := n.Child("operator").Text()
		if op != "&&" && op != "||" {
			w.walk(right)
			known, last = nil, ""
			continue
		}
		if op != last {
			known, last = nil, op
		}
		// The left operand of a chain is the whole chain before; what the parts
		// before the last one tell is known already.
		left := n.Child("left")
		if left.Is("binary_expression") && left.Child("operator").Text() == op && known != nil {
			left = left.Child("right")
		}
		if len(known) < maxNarrowings {
			known = append(known, narrowings(left, op == "&&", 0)...)
		}
		w.narrowed(right, known, func() { w.walk(right) })
	}
}

// conditionChain walks if, else if, else if, … without recursion.
func (w *walker) conditionChain(n syntax.Node) {
	var known []narrowing
	for {
		next := syntax.Node{}
		cond := n.Child("condition")
		for c := range n.NamedChildren {
			if !c.Is("else_clause") {
				if c.FieldName() == "consequence" {
					w.narrowed(c, append(known[:len(known):len(known)], narrowings(cond, true, 0)...), func() { w.walk(c) })
				} else {
					w.walk(c)
				}
				continue
			}
			if len(known) < maxNarrowings {
				known = append(known, narrowings(cond, false, 0)...)
			}
			if e := firstNamed(c); e.Is("if_statement") {
				next = e
			} else {
				w.narrowed(e, known, func() { w.walk(e) })
			}
		}
		if next.IsZero() {
			return
		}
		n = next
	}
}

func (w *walker) forIn(n syntax.Node) {
	w.b.Scope(lang.SpanOf(n), func() {
		left, kind := n.Child("left"), n.Child("kind")
		w.walk(n.Child("right"))
		if kind.IsZero() {
			w.walk(left)
		} else {
			if !kind.Is("var") || !w.b.InBody() {
				w.bindPattern(left, "", elementShape(n))
			}
			w.patternValues(left)
		}
		w.walk(n.Child("body"))
	})
}

// inType tells whether an expression stands in a type.
func (w *walker) inType(n syntax.Node) bool {
	for range 8 {
		n = n.Parent()
		if n.IsZero() {
			return false
		}
		if n.Is("type_alias_declaration", "type_annotation", "intersection_type", "union_type", "generic_type", "type_arguments", "type_query", "lookup_type", "array_type") {
			return true
		}
		if strings.HasSuffix(n.Kind(), "_expression") && !n.Is("as_expression", "satisfies_expression") || strings.HasSuffix(n.Kind(), "_statement") {
			return false
		}
	}
	return false
}

// jsx records the component of an element; elements in lower case belong to the
// platform.
func (w *walker) jsx(n syntax.Node) {
	name := n.Child("name")
	props := ""
	switch name.Kind() {
	case "identifier":
		if c := name.Text(); c != "" && (c[0] < 'a' || c[0] > 'z') {
			w.name(name, facts.RefCall)
			props = then(c, ".(@props)")
		}
	case "member_expression", "nested_identifier":
		w.memberUse(name, facts.RefCall)
		props = then(shape(name), ".(@props)")
	}
	for c := range n.NamedChildren {
		switch {
		case c == name:
		case c.Is("jsx_attribute"):
			w.attribute(c, props)
		default:
			w.walk(c)
		}
	}
}

func (w *walker) indexSignature(n syntax.Node) {
	mapped := n.ChildOfKind("mapped_type_clause")
	if mapped.IsZero() {
		w.walk(n.Child("index_type"))
		w.walk(n.Child("type"))
		return
	}
	name := mapped.Child("name").Text()
	w.typeParams[name]++
	w.walk(mapped.Child("type"))
	w.walk(mapped.Child("alias"))
	w.walk(n.Child("type"))
	w.typeParams[name]--
}

// scan records the names in a subtree that is nested too deep to be walked.
func (w *walker) scan(n syntax.Node) {
	t := w.b.Tree
	for i := n.Index(); i < n.SubtreeEnd(); i++ {
		c := t.At(i)
		switch c.Kind() {
		case "identifier", "shorthand_property_identifier":
			kind := facts.RefRead
			if c.FieldName() == "function" || c.FieldName() == "constructor" {
				kind = facts.RefCall
			}
			w.name(c, kind)
		case "type_identifier":
			w.typeName(c, facts.RefType)
		case "property_identifier":
			if p := c.Parent(); p.Is("member_expression") {
				w.b.Reference(facts.RefRead, c.Text(), lang.Unknown, c.Start())
			}
		}
	}
}
