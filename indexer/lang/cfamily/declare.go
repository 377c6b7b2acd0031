package cfamily

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// list walks the declarations below a node; cls is set for members.
func (w *walker) list(n syntax.Node, cls *class) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	n.NamedChildren(func(c syntax.Node) bool {
		w.declare(c, c, cls)
		return true
	})
}

// declare walks one declaration; outer is the node that holds it with its
// template head.
func (w *walker) declare(n, outer syntax.Node, cls *class) {
	switch n.Kind() {
	case "comment", "preproc_include", "preproc_def", "preproc_function_def", "preproc_call", "preproc_directive", "preproc_arg":
	case "preproc_if", "preproc_elif":
		if c := n.Child("condition"); c.Kind() == "number_literal" && c.Text() == "0" {
			if alt := n.Child("alternative"); !alt.IsZero() {
				w.list(alt, cls)
			}
			return
		}
		w.list(n, cls)
	case "preproc_ifdef", "preproc_else", "preproc_elifdef", "ERROR", "declaration_list":
		w.list(n, cls)
	case "field_declaration_list":
		if cls == nil {
			cls = &class{}
		}
		w.list(n, cls)
	case "access_specifier":
		if cls != nil {
			cls.access = accessOf(n.Text())
		}
	case "namespace_definition":
		w.namespaceNode(n)
	case "linkage_specification":
		if body := n.Child("body"); body.Kind() == "declaration_list" {
			w.list(body, cls)
		} else if !body.IsZero() {
			w.declare(body, n, cls)
		}
	case "template_declaration":
		w.template(n, outer, cls)
	case "function_definition":
		w.function(n, outer, cls)
	case "declaration", "field_declaration":
		w.variables(n, outer, cls)
	case "type_definition":
		w.typedef(n, outer, cls)
	case "class_specifier", "struct_specifier", "union_specifier":
		if w.classNode(n, outer, "", syntax.Node{}, cls) < 0 {
			w.types(n, facts.RefType)
		}
	case "enum_specifier":
		w.enum(n, outer, "", syntax.Node{}, cls)
	case "alias_declaration":
		name, typ := n.Child("name"), n.Child("type")
		i := w.symbol(facts.Symbol{Name: name.Text(), Kind: facts.KindType, NameSpan: lang.SpanOf(name), Type: w.nodeText(typ)}, outer, outer.End(), cls)
		w.b.Within(i, func() { w.types(typ, facts.RefType) })
	case "namespace_alias_definition":
		name := n.Child("name")
		i := w.symbol(facts.Symbol{Name: name.Text(), Kind: facts.KindModule, NameSpan: lang.SpanOf(name)}, outer, outer.End(), cls)
		w.b.Within(i, func() { w.walk(n) })
	case "compound_statement": // the body behind a macro, as in TEST(name) { }
		w.b.Body(lang.SpanOf(n), func() { w.children(n) })
	case "concept_definition":
		name := n.Child("name")
		i := w.symbol(facts.Symbol{Name: name.Text(), Kind: facts.KindInterface, NameSpan: lang.SpanOf(name)}, outer, outer.End(), cls)
		w.b.Within(i, func() { w.b.Scope(lang.SpanOf(n), func() { w.children(n) }) })
	case "using_declaration":
		w.using(n)
	case "friend_declaration":
		n.NamedChildren(func(c syntax.Node) bool {
			if c.Is("function_definition", "declaration") {
				w.declare(c, n, nil)
			} else {
				w.types(c, facts.RefType)
			}
			return true
		})
	case "expression_statement":
		if !w.functionPointer(n, outer, cls) {
			w.walk(n)
		}
	default:
		w.walk(n)
	}
}

// pointerHead is the head of a pointer to a function whose type is no built-in
// one.
var pointerHead = lazyregexp.New(`^[\pL_][\pL\pN_:]*\s*\(\s*\*\s*([\pL_][\pL\pN_]*)\s*\)\s*\(`)

// functionPointer reports T (*name)(void) = f; which reads like a call.
func (w *walker) functionPointer(n, outer syntax.Node, cls *class) bool {
	text := w.c.bare[n.Start():n.End()]
	m := pointerHead.FindSubmatchIndex(text)
	if m == nil {
		return false
	}
	end := n.End()
	if i := bytes.IndexByte(text, '='); i >= 0 {
		end = n.Start() + uint32(i)
	}
	typ, _, _ := strings.Cut(string(text), "(")
	i := w.symbol(facts.Symbol{
		Name: string(text[m[2]:m[3]]), Kind: facts.KindVariable, Type: strings.TrimSpace(typ) + " (*)()",
		NameSpan: facts.Span{Start: n.Start() + uint32(m[2]), End: n.Start() + uint32(m[3])},
	}, outer, end, cls)
	w.b.Within(i, func() { w.walk(n) })
	return true
}

// using reports using std::string as a reference and a name of its own.
func (w *walker) using(n syntax.Node) {
	target := n.ChildOfKind("qualified_identifier", "identifier", "nested_namespace_specifier")
	if n.HasToken("namespace") {
		return
	}
	if target.Kind() == "qualified_identifier" {
		scope, name := w.path(target)
		w.reference(facts.RefImport, name.Text(), scope, name.Start())
	}
}

func (w *walker) namespaceNode(n syntax.Node) {
	name := n.Child("name")
	text := lang.Collapse(strings.ReplaceAll(w.nodeTextOrEmpty(name), "inline ", ""))
	w.namespace(strings.ReplaceAll(text, " ", ""), lang.SpanOf(name), lang.SpanOf(n), func() {
		w.list(n.Child("body"), nil)
	})
}

func (w *walker) nodeTextOrEmpty(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	return w.nodeText(n)
}

// template walks what stands behind a template head, with its parameters bound.
func (w *walker) template(n, outer syntax.Node, cls *class) {
	params := n.Child("parameters")
	w.b.Scope(lang.SpanOf(n), func() {
		params.NamedChildren(func(p syntax.Node) bool {
			switch p.Kind() {
			case "type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration":
				name := p.Child("name")
				if name.IsZero() {
					name = p.ChildOfKind("type_identifier")
				}
				w.b.Bind(name.Text(), name.Start(), "", "")
				w.types(p.Child("default_type"), facts.RefType)
			case "template_template_parameter_declaration":
				inner := p.ChildOfKind("type_parameter_declaration").ChildOfKind("type_identifier")
				w.b.Bind(inner.Text(), inner.Start(), "", "")
			default:
				w.param(p)
			}
			return true
		})
		n.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() != "parameters" {
				w.declare(c, outer, cls)
			}
			return true
		})
	})
}

// symbol adds a definition; headEnd is where its signature ends.
func (w *walker) symbol(s facts.Symbol, outer syntax.Node, headEnd uint32, cls *class) int32 {
	start := outer.Start()
	if s.Span.End == 0 {
		s.Span = facts.Span{Start: w.origin(start), End: outer.End()}
	}
	if s.Signature == "" {
		s.Signature = strings.TrimSuffix(strings.TrimRight(w.text(start, headEnd), " ;"), " =")
	}
	if s.Doc == "" {
		s.Doc = w.doc(s.Span.Start)
		if s.Doc == "" && (s.Kind == facts.KindField || s.Kind == facts.KindEnumMember || s.Kind == facts.KindMethod) {
			s.Doc = w.docBehind(s.Span.End)
		}
	}
	switch {
	case cls != nil:
		s.Visibility = max(s.Visibility, cls.access)
	case w.hidden > 0:
		s.Visibility = facts.Private
	}
	return w.b.Symbol(s)
}

// declared is what a declarator says.
type declared struct {
	name  syntax.Node // identifier, operator or destructor
	scope string      // a.b of a::b::name
	last  string      // b of it
	fn    syntax.Node // function_declarator, for a function
	// stars are the marks of pointers, references and arrays around the name.
	stars string
}

// declarator looks through a declarator for its name.
func (w *walker) declarator(n syntax.Node) declared {
	var d declared
	suffix := ""
	for range 200 {
		switch n.Kind() {
		case "pointer_declarator", "abstract_pointer_declarator":
			d.fn = syntax.Node{}
			d.stars += "*"
			n = inner(n)
		case "reference_declarator", "abstract_reference_declarator":
			d.fn = syntax.Node{}
			if n.HasToken("&&") {
				d.stars += "&&"
			} else {
				d.stars += "&"
			}
			n = inner(n)
		case "variadic_declarator":
			d.stars += "..."
			n = inner(n)
		case "array_declarator", "abstract_array_declarator":
			d.fn = syntax.Node{}
			suffix += "[]"
			n = inner(n)
		case "function_declarator", "abstract_function_declarator":
			d.fn = n
			n = inner(n)
		case "init_declarator", "parenthesized_declarator", "abstract_parenthesized_declarator", "attributed_declarator", "bitfield_clause":
			n = inner(n)
		case "qualified_identifier":
			if name := n.Child("name"); name.Is("function_declarator", "pointer_declarator", "reference_declarator", "operator_cast", "qualified_identifier", "template_function", "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "dependent_name", "template_type", "template_method") {
				scope := w.scopeText(n.Child("scope"))
				if d.scope != "" && scope != "" {
					d.scope += "."
				}
				d.scope += scope
				if scope != "" {
					d.last = scope[strings.LastIndexByte(scope, '.')+1:]
				}
				n = name
				continue
			}
			return d
		case "template_function", "template_method", "template_type", "dependent_name":
			name := n.Child("name")
			if name.IsZero() {
				name = n.ChildOfKind("identifier", "template_method", "template_function")
			}
			n = name
		case "operator_cast":
			d.name = n
			d.fn = n.Child("declarator")
			for range 8 {
				if d.fn.IsZero() || d.fn.Is("abstract_function_declarator") {
					break
				}
				d.fn = inner(d.fn)
			}
			return d
		case "identifier", "field_identifier", "type_identifier", "operator_name", "destructor_name", "namespace_identifier", "primitive_type":
			d.name = n
			d.stars += suffix
			return d
		case "structured_binding_declarator":
			d.name = n
			return d
		default:
			d.stars += suffix
			return d
		}
	}
	return d
}

// inner is the declarator inside another one.
func inner(n syntax.Node) syntax.Node {
	if d := n.Child("declarator"); !d.IsZero() {
		return d
	}
	var out syntax.Node
	n.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "comment", "type_qualifier", "ms_call_modifier", "ms_pointer_modifier", "parameter_list", "attribute_specifier", "attribute_declaration", "ERROR":
			return true
		}
		out = c
		return false
	})
	return out
}

// functionOf finds the function declarator under others, or the zero node.
func functionOf(n syntax.Node) syntax.Node {
	for range 100 {
		switch n.Kind() {
		case "":
			return n
		case "function_declarator", "operator_cast":
			return n
		case "qualified_identifier":
			n = n.Child("name")
		default:
			n = inner(n)
		}
	}
	return syntax.Node{}
}

// scopeText is a::b<c> as a.b.
func (w *walker) scopeText(n syntax.Node) string {
	switch n.Kind() {
	case "template_type", "template_function":
		return n.Child("name").Text()
	case "":
		return ""
	case "qualified_identifier", "nested_namespace_specifier":
		var parts []string
		n.NamedChildren(func(c syntax.Node) bool {
			parts = append(parts, w.scopeText(c))
			return true
		})
		return strings.Join(parts, ".")
	}
	return n.Text()
}

// nameOf is the name as it stands in facts.
func (w *walker) nameOf(d declared) (string, facts.Span) {
	span := lang.SpanOf(d.name)
	switch d.name.Kind() {
	case "operator_name":
		return operatorName(w.nodeText(d.name)), span
	case "operator_cast":
		end := d.fn.Start()
		if end < span.Start {
			end = span.End
		}
		span.End = end
		return w.text(span.Start, end), span
	case "destructor_name":
		return strings.ReplaceAll(w.nodeText(d.name), " ", ""), span
	}
	return d.name.Text(), span
}

// operatorName is the name of an operator function as it stands in facts.
func operatorName(text string) string {
	rest := strings.TrimSpace(strings.TrimPrefix(text, "operator"))
	if rest != "" && isWordStart(rest[0]) {
		return "operator " + rest
	}
	return "operator" + strings.ReplaceAll(rest, " ", "")
}

// specifiers reads what stands before the declarators: flags and the type.
func (w *walker) specifiers(n syntax.Node) (flags facts.SymbolFlags, constant bool, typ string) {
	var quals []string
	n.NamedChildren(func(c syntax.Node) bool {
		if c.FieldName() == "declarator" {
			return false
		}
		switch c.Kind() {
		case "storage_class_specifier":
			if c.Text() == "static" {
				flags |= facts.Static
			}
			if c.Text() == "extern" {
				flags |= facts.Declaration
			}
		case "type_qualifier":
			switch q := c.Text(); q {
			case "const":
				constant = true
				quals = append(quals, q)
			case "constexpr", "constinit":
				constant = true
			case "volatile":
				quals = append(quals, q)
			}
		case "virtual", "virtual_function_specifier":
		case "attribute_declaration":
			if strings.Contains(c.Text(), "deprecated") {
				flags |= facts.Obsolete
			}
		}
		return true
	})
	t := n.Child("type")
	text := ""
	switch {
	case t.Is("struct_specifier", "union_specifier", "class_specifier", "enum_specifier"):
		text, _, _ = strings.Cut(w.nodeText(t), "{")
		text, _, _ = strings.Cut(text, " : ")
		text = strings.TrimSpace(text)
	case !t.IsZero():
		text = w.nodeText(t)
	}
	return flags, constant, strings.TrimSpace(strings.Join(append(quals, text), " "))
}

func joinType(typ, stars string) string {
	if stars == "" || typ == "" {
		return typ
	}
	return typ + " " + stars
}

// resultOf is the declared result; -> type wins over auto.
func (w *walker) resultOf(typ string, d declared) string {
	if t := d.fn.ChildOfKind("trailing_return_type"); !t.IsZero() {
		return strings.TrimSpace(strings.TrimPrefix(w.nodeText(t), "->"))
	}
	return joinType(typ, d.stars)
}

// params lists the parameters of a function; the types of old-style ones stand
// in declarations behind them.
func (w *walker) params(list, definition syntax.Node) []facts.Param {
	var out []facts.Param
	old := map[string]int{}
	list.NamedChildren(func(p syntax.Node) bool {
		switch p.Kind() {
		case "identifier":
			old[p.Text()] = len(out)
			out = append(out, facts.Param{Name: p.Text()})
		case "variadic_parameter":
			out = append(out, facts.Param{Type: "..."})
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			_, _, typ := w.specifiers(p)
			d := w.declarator(p.Child("declarator"))
			name := ""
			if !d.name.IsZero() {
				name = d.name.Text()
			}
			if typ == "void" && name == "" && d.stars == "" && d.fn.IsZero() {
				return true
			}
			t := joinType(typ, d.stars)
			if f := functionOf(p.Child("declarator")); !f.IsZero() {
				t = w.text(p.Start(), p.End())
				if name != "" {
					t = strings.Replace(t, name, "", 1)
				}
			}
			out = append(out, facts.Param{Name: name, Type: t})
		}
		return true
	})
	if len(old) > 0 {
		definition.NamedChildren(func(c syntax.Node) bool {
			if c.Kind() != "declaration" {
				return true
			}
			_, _, typ := w.specifiers(c)
			c.Children(func(x syntax.Node) bool {
				if x.FieldName() == "declarator" {
					d := w.declarator(x)
					if i, ok := old[d.name.Text()]; ok {
						out[i].Type = joinType(typ, d.stars)
					}
				}
				return true
			})
			return true
		})
	}
	return out
}
