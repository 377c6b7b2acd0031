package elixir

import (
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
	case "comment", "quoted_content", "escape_sequence", "integer", "float", "char", "boolean", "nil", "atom", "keyword", "operator_identifier":
	case "call":
		w.call(n)
	case "identifier":
		w.name(n)
	case "alias":
		w.alias(n, facts.RefRead)
	case "dot":
		if right := n.Child("right"); right.Kind() == "alias" { // __MODULE__.Sub
			w.walk(n.Child("left"))
			w.qualified(right, w.qualifier(n.Child("left")), facts.RefRead)
		} else {
			w.children(n)
		}
	case "unary_operator":
		switch n.Child("operator").Kind() {
		case "@":
			w.attribute(n)
		case "&":
			w.capture(n)
		default:
			w.children(n)
		}
	case "binary_operator":
		w.binary(n)
	case "map":
		w.mapLiteral(n)
	case "anonymous_function":
		w.b.Scope(lang.SpanOf(n), func() { w.children(n) })
	case "stab_clause":
		w.b.Scope(lang.SpanOf(n), func() {
			w.bind(n.Child("left"), "")
			w.walk(n.Child("right"))
		})
	case "do_block":
		w.statements(n)
	case "else_block", "rescue_block", "catch_block", "after_block":
		w.b.Scope(lang.SpanOf(n), func() { w.statements(n) })
	case "ERROR", "block", "body":
		w.statements(n)
	default:
		w.children(n)
	}
}

// name records a use of a bare name that no local variable shadows.
func (w *walker) name(n syntax.Node) {
	name := n.Text()
	if strings.HasPrefix(name, "_") || w.b.Bound(name) || special(name) || name == "..." {
		return
	}
	w.b.Reference(facts.RefRead, name, "", n.Start())
}

// alias records a use of a module.
func (w *walker) alias(n syntax.Node, kind facts.RefKind) {
	if n.Kind() != "alias" {
		w.walk(n)
		return
	}
	w.qualified(n, "", kind)
}

// qualified records a module with the parts of its name before the last as
// qualifier.
func (w *walker) qualified(n syntax.Node, outer string, kind facts.RefKind) {
	text := n.Text()
	cut := strings.LastIndexByte(text, '.')
	prefix := ""
	if cut >= 0 {
		prefix = strings.Join(strings.Fields(text[:cut]), "")
	}
	leaf := strings.TrimLeft(text[cut+1:], " \t\r\n")
	if outer != "" && prefix != "" {
		outer += "."
	}
	w.b.Reference(kind, leaf, lang.Shape(outer+prefix), n.End()-uint32(len(leaf)))
}

// qualifier is the shape of what stands before a dot; __MODULE__ is the current
// module.
func (w *walker) qualifier(n syntax.Node) string {
	return lang.Shape(w.expand(shape(n)))
}

// expand puts the name of the current module for __MODULE__ at the start of a
// module name or shape.
func (w *walker) expand(s string) string {
	if rest, ok := strings.CutPrefix(s, "__MODULE__"); ok && w.top().module != "" {
		return w.top().module + rest
	}
	return s
}

func (w *walker) binary(n syntax.Node) {
	left, right := n.Child("left"), n.Child("right")
	switch n.Child("operator").Kind() {
	case "=":
		w.walk(right)
		w.match(left, right)
	case "<-":
		w.walk(right)
		w.bind(left, "")
	case "::":
		w.walk(left)
		w.modifiers(right)
	default:
		w.walk(left)
		w.walk(right)
	}
}

// modifiers walks what stands behind the colons in <<x::binary-size(n)>>.
func (w *walker) modifiers(n syntax.Node) {
	switch n.Kind() {
	case "identifier", "integer":
	case "binary_operator":
		if w.depth < maxDepth {
			w.depth++
			w.modifiers(n.Child("left"))
			w.modifiers(n.Child("right"))
			w.depth--
		}
	case "call":
		w.walk(n.ChildOfKind("arguments"))
	default:
		w.walk(n)
	}
}

// match binds the names of a pattern with what they receive.
func (w *walker) match(left, right syntax.Node) {
	if left.Kind() == "tuple" {
		whole := w.qualifier(right)
		for k, c := range named(left) {
			init := ""
			if whole != lang.Unknown && k < 10 {
				init = lang.Shape(whole + "#" + itoa(k))
			}
			w.bind(c, init)
		}
		return
	}
	w.bind(left, w.qualifier(right))
}

// bind binds the names of a pattern; init is the shape of the whole value.
func (w *walker) bind(n syntax.Node, init string) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "identifier":
		if name := n.Text(); !special(name) {
			w.b.Bind(name, n.Start(), "", init)
		}
	case "binary_operator":
		left, right := n.Child("left"), n.Child("right")
		switch n.Child("operator").Kind() {
		case "=":
			if right.Kind() == "identifier" {
				left, right = right, left
			}
			if typ := structName(right); typ != "" && left.Kind() == "identifier" {
				w.b.Bind(left.Text(), left.Start(), w.expand(typ), "")
			} else {
				w.bind(left, init)
			}
			w.bind(right, "")
		case `\\`:
			w.walk(right)
			w.bind(left, shape(right))
		case "::":
			w.bind(left, init)
			w.modifiers(right)
		case "when":
			w.bind(left, init)
			w.walk(right)
		case "in":
			if left.Kind() == "identifier" {
				w.b.Bind(left.Text(), left.Start(), strings.Trim(lang.Collapse(right.Text()), "[]"), "")
			}
			w.types(right)
		default:
			w.bind(left, "")
			w.bind(right, "")
		}
	case "unary_operator":
		w.children(n)
	case "map":
		if s := n.ChildOfKind("struct"); !s.IsZero() {
			if v := firstNamed(s); v.Kind() == "identifier" {
				w.bind(v, "")
			} else {
				w.types(v)
			}
		}
		w.bindIn(n.ChildOfKind("map_content"))
	case "pair":
		if k := n.Child("key"); !k.IsZero() && k.Kind() != "keyword" {
			w.walk(k)
		}
		w.bind(n.Child("value"), "")
	case "call":
		if t := n.Child("target"); t.Kind() == "identifier" { // a macro in a pattern
			if !special(t.Text()) {
				w.b.Reference(facts.RefCall, t.Text(), "", t.Start())
			}
			w.bindIn(n.ChildOfKind("arguments"))
		} else {
			w.walk(n)
		}
	case "alias":
		w.alias(n, facts.RefRead)
	case "string", "charlist", "sigil", "atom", "integer", "float", "boolean", "nil", "char", "comment", "keyword":
	default:
		w.bindIn(n)
	}
}

func (w *walker) bindIn(n syntax.Node) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() {
			w.bind(c, "")
		}
	}
}

// capture handles &fun/1, &Mod.fun/1 and &(…).
func (w *walker) capture(n syntax.Node) {
	operand := n.Child("operand")
	if operand.Kind() == "binary_operator" && operand.Child("operator").Kind() == "/" && operand.Child("right").Kind() == "integer" {
		f := operand.Child("left")
		switch {
		case f.Kind() == "identifier":
			w.b.Reference(facts.RefRead, f.Text(), "", f.Start())
			return
		case f.Kind() == "call" && f.Child("target").Kind() == "dot":
			target := f.Child("target")
			left, right := target.Child("left"), target.Child("right")
			w.receiver(left)
			w.b.Reference(facts.RefRead, right.Text(), w.qualifier(left), right.Start())
			return
		}
	}
	w.children(n)
}

// receiver walks what stands before the dot of a call.
func (w *walker) receiver(n syntax.Node) {
	if n.Kind() != "atom" && n.Text() != "__MODULE__" {
		w.walk(n)
	}
}

// mapLiteral records the struct of a literal and, for its keys, a read of the
// field with the struct as qualifier.
func (w *walker) mapLiteral(n syntax.Node) {
	name := structName(n)
	if s := n.ChildOfKind("struct"); !s.IsZero() {
		if v := firstNamed(s); v.Kind() == "alias" {
			w.alias(v, facts.RefType)
		} else {
			w.children(s)
		}
	}
	content := n.ChildOfKind("map_content")
	if name == "" {
		w.walk(content)
		return
	}
	owner := lang.Shape(w.expand(name) + "{}")
	for _, c := range named(content) {
		if c.Kind() == "binary_operator" && c.Child("operator").Kind() == "|" {
			w.walk(c.Child("left"))
			c = c.Child("right")
		}
		if c.Kind() != "keywords" {
			w.walk(c)
			continue
		}
		for _, p := range named(c) {
			if p.Kind() == "pair" && p.Child("key").Kind() == "keyword" {
				w.b.Reference(facts.RefRead, keyOf(p), owner, p.Start())
			}
			w.walk(p)
		}
	}
}

// shape gives the shape of an expression, see the package lang.
func shape(n syntax.Node) string { return lang.Shape(shapeOf(n, 0)) }

func shapeOf(n syntax.Node, depth int) string {
	if depth > 30 {
		return lang.Unknown
	}
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "alias":
		if n.End()-n.Start() > lang.MaxShape {
			return lang.Unknown
		}
		return strings.Join(strings.Fields(n.Text()), "")
	case "atom", "quoted_atom":
		if n.End()-n.Start() > lang.MaxShape || n.Kind() == "quoted_atom" {
			return `""`
		}
		return n.Text()
	case "dot":
		return shapeOf(n.Child("left"), depth+1) + "." + n.Child("right").Text()
	case "call":
		target := n.Child("target")
		args := n.ChildOfKind("arguments")
		switch {
		case target.Kind() == "identifier":
			switch target.Text() {
			case "if", "unless", "case", "cond", "with", "for", "try", "receive", "quote":
				return lang.Unknown
			case "struct", "struct!":
				if first := firstNamed(args); first.Kind() == "alias" {
					return shapeOf(first, depth+1) + "{}"
				}
			}
			return target.Text() + "()"
		case target.Kind() == "dot" && target.Child("right").Kind() == "identifier":
			s := shapeOf(target.Child("left"), depth+1) + "." + target.Child("right").Text()
			if args.IsZero() && target.Child("left").Kind() != "alias" {
				return s
			}
			return s + "()"
		}
	case "access_call":
		return shapeOf(n.Child("target"), depth+1) + "[]"
	case "map":
		if name := structName(n); name != "" {
			return name + "{}"
		}
		return "{}"
	case "string", "charlist", "sigil":
		return `""`
	case "integer", "float", "char":
		return "0"
	case "boolean":
		return "true"
	case "nil":
		return "nil"
	case "list":
		return "[]"
	case "anonymous_function":
		return "func"
	case "unary_operator":
		switch n.Child("operator").Kind() {
		case "&":
			return "func"
		case "@":
			return "@" + n.Child("operand").Text()
		case "!", "not":
			return "true"
		case "-", "+":
			return "0"
		}
	case "binary_operator":
		switch n.Child("operator").Kind() {
		case "==", "!=", "===", "!==", "<", "<=", ">", ">=", "in", "and", "=~", "not in":
			return "true"
		case "|>":
			return shapeOf(n.Child("right"), depth+1)
		case "<>":
			return `""`
		case "++", "--":
			return "[]"
		case "=":
			return shapeOf(n.Child("right"), depth+1)
		}
	}
	return lang.Unknown
}
