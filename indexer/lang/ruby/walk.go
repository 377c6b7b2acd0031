package ruby

import (
	"cmp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) children(n syntax.Node) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() {
			w.walk(c)
		}
	}
}

// walk visits statements and expressions: it reports definitions, records
// references, binds local names and opens scopes.
func (w *walker) walk(n syntax.Node) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "comment", "string_content", "heredoc_content", "integer", "float", "true", "false", "nil", "self", "simple_symbol",
		"hash_key_symbol", "character", "uninterpreted", "heredoc_beginning", "escape_sequence":
	case "class", "module":
		w.namespace(n)
	case "singleton_class":
		w.singletonClass(n)
	case "method", "singleton_method":
		w.method(n)
	case "alias":
		w.alias(n, n.Child("name"), n.Child("alias"))
	case "undef":
	case "assignment":
		w.assignment(n)
	case "operator_assignment":
		w.walk(n.Child("right"))
		if left := n.Child("left"); left.Kind() == "constant" {
			w.constant(n, left, n.Child("right"))
		} else {
			if left.Kind() == "call" { // a.b += 1 reads first
				w.walk(left)
			} else {
				w.target(left, shape(n.Child("right")))
			}
		}
	case "call":
		w.call(n)
	case "identifier":
		w.identifier(n)
	case "constant":
		w.b.Reference(facts.RefRead, n.Text(), "", n.Start())
	case "scope_resolution":
		w.resolution(n, facts.RefRead)
	case "instance_variable", "class_variable":
		w.b.Reference(facts.RefRead, n.Text(), "self", n.Start())
	case "super":
		w.super(n)
	case "if", "unless", "elsif":
		w.conditional(n)
	case "body_statement", "then", "else", "begin", "ensure", "do":
		w.statements(n)
	case "block", "do_block":
		w.block(n, false, func() {})
	case "lambda":
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(n.Child("parameters"))
			w.inside(&frame{symbol: -1, block: true}, func() { w.statements(n.Child("body")) })
		})
	case "rescue":
		w.rescue(n)
	case "for":
		value := n.Child("value")
		w.walk(value)
		init := lang.Shape("range " + shape(firstNamed(value)))
		if p := n.Child("pattern"); p.Kind() == "left_assignment_list" {
			w.targets(p, syntax.Node{})
		} else {
			w.target(p, init)
		}
		w.walk(n.Child("body"))
	case "pair":
		key, value := n.Child("key"), n.Child("value")
		w.walk(key)
		if value.IsZero() && key.Kind() == "hash_key_symbol" { // {name:}
			w.identifier(key)
		}
		w.walk(value)
	case "as_pattern":
		w.walk(n.Child("value"))
		typ := ""
		if v := n.Child("value"); v.Is("constant", "scope_resolution") {
			typ = lang.Collapse(v.Text())
		}
		w.b.Bind(n.Child("name").Text(), n.Child("name").Start(), typ, "")
	case "keyword_pattern":
		if v := n.Child("value"); !v.IsZero() {
			w.pattern(v)
		} else {
			w.b.Bind(n.Child("key").Text(), n.Child("key").Start(), "", "")
		}
	case "array_pattern", "find_pattern", "alternative_pattern", "parenthesized_pattern":
		for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			w.pattern(c)
		}
	case "splat_parameter", "hash_splat_parameter": // of a pattern
		w.b.Bind(n.Child("name").Text(), n.Child("name").Start(), "", "")
	case "in_clause", "match_pattern":
		w.walk(n.Child("value"))
		w.pattern(n.Child("pattern"))
		w.walk(n.Child("guard"))
		w.walk(n.Child("body"))
	case "block_argument":
		if s := firstNamed(n); s.Kind() == "simple_symbol" { // &:name
			name, at := literal(s)
			w.b.Reference(facts.RefCall, name, cmp.Or(w.element, lang.Unknown), at.Start)
			return
		}
		w.children(n)
	case "ERROR":
		w.damaged(n)
	default:
		w.children(n)
	}
}

// pattern visits what may stand in a pattern, where a bare name binds.
func (w *walker) pattern(n syntax.Node) {
	if n.Kind() == "identifier" {
		w.b.Bind(n.Text(), n.Start(), "", "")
		return
	}
	if n.IsNamed() {
		w.walk(n)
	}
}

// conditional knows the guard of a program: if __FILE__ == $0.
func (w *walker) conditional(n syntax.Node) {
	if c := n.Child("condition"); c.Kind() == "binary" && n.Kind() == "if" {
		l, r := c.Child("left").Text(), c.Child("right").Text()
		if r == "__FILE__" {
			l, r = r, l
		}
		if l == "__FILE__" && (r == "$0" || r == "$PROGRAM_NAME") {
			w.b.AddTrait(facts.EntryPoint)
		}
	}
	w.children(n)
}

func (w *walker) rescue(n syntax.Node) {
	var types []string
	n.Child("exceptions").NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "constant":
			w.b.Reference(facts.RefType, c.Text(), "", c.Start())
		case "scope_resolution":
			w.resolution(c, facts.RefType)
		default:
			w.walk(c)
		}
		types = append(types, lang.Collapse(c.Text()))
		return true
	})
	w.b.Scope(lang.SpanOf(n), func() {
		if v := firstNamed(n.Child("variable")); v.Kind() == "identifier" {
			w.b.Bind(v.Text(), v.Start(), strings.Join(types, " | "), "")
		} else {
			w.walk(v)
		}
		w.walk(n.Child("body"))
	})
}

func (w *walker) resolution(n syntax.Node, kind facts.RefKind) {
	scope, name := n.Child("scope"), n.Child("name")
	w.walk(scope)
	w.b.Reference(kind, name.Text(), scopeOf(n), name.Start())
}

// scopeOf is the shape of what stands before a constant, "::" for the top level.
func scopeOf(n syntax.Node) string {
	scope := n.Child("scope")
	if scope.IsZero() {
		return "::"
	}
	return lang.Shape(lang.Collapse(scope.Text()))
}

// identifier is a local name or a call without arguments.
func (w *walker) identifier(n syntax.Node) {
	name := n.Text()
	if w.b.Bound(name) {
		return
	}
	if w.section(name) {
		return
	}
	if !kernel(name) && !strings.HasPrefix(name, "__") {
		w.b.Reference(facts.RefCall, name, "", n.Start())
	}
}

// section handles a bare private, protected, public or module_function, which
// says how what follows can be seen.
func (w *walker) section(name string) bool {
	f := w.top()
	switch name {
	case "private":
		f.visibility, f.functions = facts.Private, false
	case "protected":
		f.visibility, f.functions = facts.Protected, false
	case "public":
		f.visibility, f.functions = facts.Public, false
	case "module_function":
		f.functions = true
	default:
		return false
	}
	return true
}

func (w *walker) singletonClass(n syntax.Node) {
	f := w.top()
	value := n.Child("value")
	inner := &frame{symbol: f.symbol, name: f.name, kind: f.kind, static: true, block: f.block}
	if value.Is("constant", "scope_resolution") {
		w.walk(value)
		inner.name = lang.Collapse(value.Text())
		if i := w.b.FindSymbol(inner.name); i >= 0 && inner.symbol < 0 {
			inner.symbol = i
		}
	}
	w.inside(inner, func() {
		w.b.Scope(lang.SpanOf(n), func() { w.statements(n, n.Child("body")) })
	})
}

// alias handles alias and alias_method.
func (w *walker) alias(n, name, old syntax.Node) {
	text, at := name.Text(), lang.SpanOf(name)
	if l, span := literal(name); l != "" {
		text, at = l, span
	}
	oldText := old.Text()
	oldAt := old.Start()
	if l, span := literal(old); l != "" {
		oldText, oldAt = l, span.Start
	}
	if text == "" || oldText == "" || strings.ContainsAny(text, " #\n") {
		return
	}
	f := w.top()
	s := facts.Symbol{
		Name: text, Kind: facts.KindMethod, Visibility: f.visibility, Span: lang.SpanOf(n), NameSpan: at,
		Signature: firstLine(n.Text()),
	}
	if strings.HasPrefix(text, "$") {
		s.Kind = facts.KindVariable
	}
	if f.static {
		s.Flags |= facts.Static
	}
	s.Doc, _ = w.above(n.Start())
	i := w.symbol(s)
	w.b.Within(i, func() { w.b.Reference(facts.RefRead, oldText, "self", oldAt) })
}

// super calls the method of the same name of the superclass.
func (w *walker) super(n syntax.Node) {
	if e := w.b.Enclosing(); e >= 0 {
		if s := w.b.At(e); s.Kind == facts.KindMethod || s.Kind == facts.KindConstructor {
			w.b.Reference(facts.RefCall, s.Name, "super", n.Start())
		}
	}
}

// block visits a block as a body with its own names, of which bind may tell
// more; anonymous is that of a class without a name.
func (w *walker) block(n syntax.Node, anonymous bool, bind func()) {
	w.b.Body(lang.SpanOf(n), func() {
		p := n.Child("parameters")
		w.bindParams(p)
		bind()
		p.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() == "locals" {
				w.b.Bind(c.Text(), c.Start(), "", "nil")
			}
			return true
		})
		w.inside(&frame{symbol: -1, block: true, anonymous: anonymous}, func() { w.statements(n, n.Child("body")) })
	})
}

// kernel lists methods of every object that programs seldom define themselves.
func kernel(name string) bool {
	switch name {
	case "puts", "print", "p", "pp", "raise", "fail", "loop", "proc", "lambda", "format", "sprintf", "printf", "catch", "throw",
		"require", "require_relative", "load", "autoload", "freeze", "block_given?", "binding", "caller", "sleep", "rand", "exit",
		"abort", "at_exit", "attr_reader", "attr_accessor", "attr_writer", "attr", "include", "extend", "prepend", "private",
		"protected", "public", "module_function", "private_constant", "private_class_method", "public_class_method", "alias_method",
		"define_method", "_1", "_2", "_3", "it", "Integer", "Float", "String", "Array", "Hash", "Rational", "Complex":
		return true
	}
	return false
}

// shape gives the shape of an expression, see the package lang.
func shape(n syntax.Node) string { return lang.Shape(shapeOf(n, 0)) }

func shapeOf(n syntax.Node, depth int) string {
	if depth > 30 {
		return lang.Unknown
	}
	switch n.Kind() {
	case "identifier", "constant", "instance_variable", "class_variable", "global_variable", "self", "super":
		return n.Text()
	case "scope_resolution":
		if n.End()-n.Start() > lang.MaxShape {
			return lang.Unknown
		}
		return lang.Collapse(n.Text())
	case "call":
		receiver, method := n.Child("receiver"), n.Child("method")
		tail := method.Text()
		if what, super := maker(n); what == "class" && super.Is("constant", "scope_resolution") {
			return shapeOf(super, depth+1) // a class like its superclass
		}
		if receiver.Is("constant", "scope_resolution") && tail == "new" {
			return "new " + shapeOf(receiver, depth+1) + "()"
		}
		if block := n.Child("block"); !block.IsZero() && givesResult(tail) {
			r := resultReader{budget: 200}
			if s := r.last(block.Child("body"), depth+1); s != "" {
				return s
			}
			return lang.Unknown
		}
		if !n.Child("arguments").IsZero() || !n.Child("block").IsZero() {
			tail += "()"
		}
		if receiver.IsZero() {
			return tail
		}
		switch tail {
		case "freeze", "dup", "clone", "tap()", "then()":
			return shapeOf(receiver, depth+1)
		}
		return shapeOf(receiver, depth+1) + "." + tail
	case "element_reference":
		return shapeOf(n.Child("object"), depth+1) + "[]"
	case "string", "heredoc_beginning", "chained_string", "simple_symbol", "delimited_symbol", "character", "subshell":
		return `""`
	case "integer", "float", "rational", "complex":
		return "0"
	case "true", "false":
		return "true"
	case "nil":
		return "nil"
	case "array", "string_array", "symbol_array", "right_assignment_list":
		return "[]"
	case "hash":
		return "{}"
	case "lambda":
		return "func"
	case "parenthesized_statements":
		return shapeOf(firstNamed(n), depth+1)
	case "binary":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "=~", "!~", "===":
			return "true"
		case "&&", "and":
			return shapeOf(n.Child("right"), depth+1)
		}
		return shapeOf(n.Child("left"), depth+1)
	case "assignment", "operator_assignment":
		return shapeOf(n.Child("right"), depth+1)
	}
	return lang.Unknown
}
