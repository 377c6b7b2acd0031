package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// brackets removes the blanks that parameters leave that stand one a line.
var brackets = strings.NewReplacer("( ", "(", ", )", ")", " )", ")")

// maxHead caps how much source is looked at for one signature, in bytes.
const maxHead = 2048

// head is the source from one offset to another inside a node, without
// comments and with the bodies of functions left out, so that a change in one
// never changes a signature.
func (w *walker) head(n syntax.Node, from, to uint32) string {
	to = min(to, from+maxHead, n.End())
	if from >= to {
		return ""
	}
	var b strings.Builder
	at := from
	put := func(end uint32) {
		if end > at {
			b.Write(w.src[at:min(end, to)])
		}
	}
	t := w.b.Tree
	for i := n.Index() + 1; i < n.SubtreeEnd(); {
		c := t.At(i)
		if c.Start() >= to {
			break
		}
		if c.End() <= from || !c.Is("comment", "html_comment", "statement_block", "class_body") {
			if c.End() <= from {
				i = c.SubtreeEnd()
			} else {
				i++
			}
			continue
		}
		put(c.Start())
		if c.Is("statement_block", "class_body") {
			b.WriteString("{…}")
		} else {
			b.WriteByte(' ')
		}
		at = max(at, c.End())
		i = c.SubtreeEnd()
	}
	put(to)
	s := strings.ToValidUTF8(b.String(), "")
	s = lang.Collapse(s)
	return strings.TrimRight(brackets.Replace(s), " ;,")
}

// typeText is a type annotation or type as it is written, on one line.
func typeText(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	if n.Is("type_annotation", "asserts_annotation", "type_predicate_annotation", "omitting_type_annotation", "adding_type_annotation", "opting_type_annotation") {
		s := strings.TrimLeft(clipText(n), "-+?")
		return lang.Collapse(strings.TrimPrefix(s, ":"))
	}
	return lang.Collapse(clipText(n))
}

func clipText(n syntax.Node) string {
	b := n.Bytes()
	if len(b) > maxHead {
		return strings.ToValidUTF8(string(b[:maxHead]), "")
	}
	return string(b)
}

// inner looks through parentheses, assertions and other wrappings that do not
// change what an expression is.
func inner(n syntax.Node) syntax.Node {
	for range 50 {
		switch n.Kind() {
		case "parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression", "instantiation_expression":
			n = firstNamed(n)
		case "type_assertion":
			n = lastNamed(n)
		default:
			return n
		}
	}
	return n
}

func firstNamed(n syntax.Node) syntax.Node {
	for c := range n.NamedChildren {
		if !c.Is("comment") {
			return c
		}
	}
	return syntax.Node{}
}

func lastNamed(n syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range n.NamedChildren {
		if !c.Is("comment") {
			last = c
		}
	}
	return last
}

// shape gives the shape of an expression, see the package lang. It is built
// from the end, so that a long chain is given up as soon as it is too long.
func shape(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	tail := ""
	for {
		if len(tail) > lang.MaxShape {
			return lang.Unknown
		}
		switch n.Kind() {
		case "identifier", "this", "super", "undefined", "shorthand_property_identifier":
			if n.Is("undefined") || n.Is("identifier") && n.Text() == "undefined" {
				return join("nil", tail)
			}
			return lang.Shape(n.Text() + tail)
		case "member_expression", "nested_identifier":
			p := n.Child("property")
			if p.IsZero() {
				return lang.Unknown
			}
			tail = "." + p.Text() + tail
			n = n.Child("object")
		case "subscript_expression":
			if i := n.Child("index"); i.Is("string") {
				tail = "." + stringText(i) + tail
			} else {
				tail = "[]" + tail
			}
			n = n.Child("object")
		case "call_expression":
			if n.Child("function").Is("import") {
				return lang.Unknown
			}
			tail = applied(n) + "()" + tail
			n = n.Child("function")
		case "parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression":
			n = firstNamed(n)
		case "as_expression", "type_assertion":
			typ, value := lastNamed(n), firstNamed(n)
			if n.Is("type_assertion") {
				typ, value = firstNamed(value), typ
			}
			if n.Is("as_expression") && n.HasToken("const") || value == typ {
				n = value
				continue
			}
			if s := typed(typeText(typ)); s != lang.Unknown {
				return lang.Shape(s + tail)
			}
			return lang.Unknown
		case "new_expression":
			c := n.Child("constructor")
			if !c.Is("identifier", "member_expression") || len(c.Bytes()) > lang.MaxShape {
				return lang.Unknown
			}
			args := ""
			if a := n.Child("type_arguments"); !a.IsZero() && a.End()-a.Start() < 60 {
				if args = lang.Collapse(a.Text()); strings.ContainsAny(args, "()[]{}#") {
					args = ""
				}
			}
			return lang.Shape("new " + lang.Collapse(c.Text()) + args + "()" + tail)
		case "await_expression":
			// The grammars read await f<T>() as (await f)<T>().
			s := shape(inner(firstNamed(n)))
			switch {
			case s == "" || s == lang.Unknown || strings.HasPrefix(s, "await "):
				return lang.Unknown
			case tail == "" || n.Parent().Is("call_expression"):
				return lang.Shape("await " + s + tail)
			}
			return lang.Shape(s + ".(@await)" + tail)
		case "string", "template_string":
			return join(`""`, tail)
		case "number":
			return join("0", tail)
		case "true", "false":
			return join("true", tail)
		case "null":
			return join("nil", tail)
		case "object":
			if s := spreadShape(n, tail); s != "" {
				return s
			}
			return join("{}", tail)
		case "array":
			return join("[]", tail)
		case "arrow_function", "function_expression", "generator_function":
			return join("func", tail)
		case "regex":
			return "new RegExp()" + tail
		case "assignment_expression":
			n = n.Child("right")
		case "ternary_expression":
			return choice(n.Child("consequence"), n.Child("alternative"), tail)
		case "binary_expression":
			return binaryShape(n, tail)
		case "unary_expression":
			switch n.Child("operator").Text() {
			case "!", "delete":
				return join("true", tail)
			case "typeof":
				return join(`""`, tail)
			case "void":
				return join("nil", tail)
			}
			return join("0", tail)
		default:
			return lang.Unknown
		}
	}
}

// spreadShape is the shape of { ...a, ...b }, which has no keys of its own: that of
// what is spread last. "" for other literals.
func spreadShape(object syntax.Node, tail string) string {
	found, n := "", 0
	for c := range object.NamedChildren {
		switch {
		case c.Is("comment"):
			continue
		case !c.Is("spread_element"):
			return ""
		}
		n++
		switch s := shape(inner(firstNamed(c))); {
		case s == "" || s == lang.Unknown || s == "nil" || s == "{}" || s == "[]" || s == `""` || s == "0" || s == "true" || s == "func",
			strings.HasPrefix(s, "await "):
		default:
			found = s
		}
	}
	switch {
	case found == "":
		return ""
	case n > 1:
		found += ".(@likely)"
	}
	return lang.Shape(found + tail)
}

// binaryShape keeps one side of a choice when the other one only stands in for
// a missing value.
func binaryShape(n syntax.Node, tail string) string {
	left, right := inner(n.Child("left")), inner(n.Child("right"))
	switch n.Child("operator").Text() {
	case "||", "??":
		switch {
		case right.Is("object", "array", "string", "number", "null", "undefined", "true", "false") && !left.Is("binary_expression"):
			s := shape(left)
			if s != lang.Unknown && s != "" && !strings.HasPrefix(s, "await ") {
				return lang.Shape(s + tail)
			}
		case right.Is("new_expression"):
			return lang.Shape(shape(right) + tail)
		}
		return choice(n.Child("left"), n.Child("right"), tail)
	case "&&":
		return lang.Shape(shape(right) + tail)
	case "==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof":
		return join("true", tail)
	case "-", "*", "/", "%", "**", "|", "&", "^", "<<", ">>", ">>>":
		return join("0", tail)
	}
	return lang.Unknown
}

// choice is the shape of one of two values: the first that is known.
func choice(a, b syntax.Node, tail string) string {
	for _, n := range []syntax.Node{a, b} {
		s := shape(inner(n))
		switch {
		case s == "" || s == lang.Unknown || s == "nil" || strings.HasPrefix(s, "await "):
			continue
		case s == "{}" || s == "[]" || s == `""` || s == "0" || s == "true" || s == "func":
			if tail != "" {
				continue
			}
			return s
		}
		return lang.Shape(s + ".(@likely)" + tail)
	}
	return lang.Unknown
}

// join drops the members of literals: they are the language's own.
func join(literal, tail string) string {
	if tail != "" {
		return lang.Unknown
	}
	return literal
}

// stringText is the text of a string literal between its quotes.
func stringText(n syntax.Node) string {
	b := n.Bytes()
	if len(b) < 2 {
		return ""
	}
	return string(b[1 : len(b)-1])
}

// literalText is the text of a plain string, or of a template without parts.
func literalText(n syntax.Node) (string, bool) {
	switch n.Kind() {
	case "string":
		return stringText(n), true
	case "template_string":
		if n.ChildOfKind("template_substitution").IsZero() {
			return stringText(n), true
		}
	}
	return "", false
}

// nameOf is the name that a property key, a declaration or an enum member
// gives, with its span; ok is false where it is computed at run time.
func nameOf(n syntax.Node) (name string, span facts.Span, ok bool) {
	if n.IsZero() {
		return "", span, false
	}
	span = lang.SpanOf(n)
	switch n.Kind() {
	case "identifier", "type_identifier", "property_identifier", "private_property_identifier", "shorthand_property_identifier",
		"shorthand_property_identifier_pattern", "number":
		return n.Text(), span, !n.IsMissing()
	case "string":
		name = stringText(n)
		if name == "" || strings.ContainsAny(name, "\r\n") || span.Len() < 3 {
			return "", span, false
		}
		return name, facts.Span{Start: span.Start + 1, End: span.End - 1}, true
	case "computed_property_name":
		if c := firstNamed(n); c.Is("member_expression", "identifier") && c.End()-c.Start() < 60 {
			return lang.Collapse(n.Text()), span, true
		} else if c.Is("string") {
			return nameOf(c)
		}
	}
	return "", span, false
}

// declared is the start of a definition without its decorators.
func declared(n syntax.Node) uint32 {
	for c := range n.Children {
		if !c.Is("decorator", "comment") {
			return c.Start()
		}
	}
	return n.Start()
}

// isConstantName tells whether a name is in capitals, as constants are written.
func isConstantName(s string) bool {
	if len(s) < 2 || s[0] < 'A' || s[0] > 'Z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '$' {
			return false
		}
	}
	return true
}
