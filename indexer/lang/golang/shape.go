package golang

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Shapes of Go go further than the grammar in the package lang where its types
// need it:
//
//	f[T]()            an instantiation, or an index: only types tell which
//	f(x, ?, y.z)      a call with the shapes of its arguments, which the type
//	                  arguments of a generic function follow from; those that end
//	                  the list and say nothing are left out
//	x[<-]             what is received from a channel
//	T{}[#]{}          a composite literal that is the key of another one
//	struct@8:95       a type literal, by the bytes that it spans; its members are
//	                  the symbols there. interface@8:95 likewise. Of a symbol's own
//	                  initialiser it is struct@0:0, and its members the children
//	func(a A) R       the type of a function literal
//
// append has the shape of its first argument, new(x) is &x{}, make(T) is T{}.

// shape gives the shape of an expression, without the arguments of calls where
// it is too long with them.
func shape(n syntax.Node) string {
	s := shaper{arguments: true}.of(n, 0)
	if len(s) > lang.MaxShape {
		s = shaper{}.of(n, 0)
	}
	return lang.Shape(s)
}

type shaper struct{ arguments bool }

func (h shaper) of(n syntax.Node, depth int) string {
	if depth > 40 {
		return lang.Unknown
	}
	sub := func(field string) string { return h.of(n.Child(field), depth+1) }
	// (&x).y and (*x).y are x.y; a prefix would hold for all that follows.
	operand := func() string {
		s := sub("operand")
		if n.Child("operand").Kind() == "parenthesized_expression" && s != "" && (s[0] == '&' || s[0] == '*') {
			return s[1:]
		}
		return s
	}
	switch n.Kind() {
	case "identifier", "type_identifier", "package_identifier", "field_identifier":
		return n.Text()
	case "selector_expression":
		return operand() + "." + n.Child("field").Text()
	case "qualified_type":
		return lang.Collapse(n.Text())
	case "call_expression":
		return h.call(n, depth)
	case "index_expression":
		if i := n.Child("index"); i.Is("identifier", "selector_expression") {
			return operand() + "[" + lang.Collapse(i.Text()) + "]"
		}
		return operand() + "[]"
	case "slice_expression":
		return operand() + "[:]"
	case "type_instantiation_expression":
		// Tree-sitter reads a[i][j] as one; what is indexed stands first.
		return h.of(firstNamed(n), depth+1) + "[]"
	case "generic_type":
		return sub("type") + typeArguments(n)
	case "composite_literal":
		return typeText(n.Child("type")) + "{}"
	case "type_conversion_expression":
		if t := n.Child("type"); t.Kind() == "generic_type" {
			return h.of(t, depth+1) + "()"
		}
		return "(" + typeText(n.Child("type")) + ")"
	case "type_assertion_expression":
		return "(" + typeText(n.Child("type")) + ")"
	case "unary_expression":
		switch op := n.Child("operator").Text(); op {
		case "&", "*":
			return op + sub("operand")
		case "<-":
			return sub("operand") + "[<-]"
		}
		return sub("operand")
	case "parenthesized_expression":
		return h.of(firstNamed(n), depth+1)
	case "interpreted_string_literal", "raw_string_literal":
		return `""`
	case "int_literal", "float_literal", "imaginary_literal", "rune_literal", "iota":
		return "0"
	case "true", "false":
		return "true"
	case "nil":
		return "nil"
	case "func_literal":
		return "func" + typeText(n.Child("parameters")) + strings.TrimRight(" "+typeText(n.Child("result")), " ")
	case "binary_expression":
		switch n.Child("operator").Text() {
		case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
			return "true"
		}
		left := sub("left")
		if left == "0" || left == `""` { // a literal takes the type of the other side
			return sub("right")
		}
		return left
	}
	return lang.Unknown
}

func (h shaper) call(n syntax.Node, depth int) string {
	f, list := n.Child("function"), n.Child("arguments")
	if f.Kind() == "identifier" {
		arg := firstNamed(list)
		switch name := f.Text(); name {
		case "new", "make":
			typ := typeText(arg)
			switch {
			case name == "make":
				return typ + "{}"
			case isValue([]byte(typ)):
				return "&" + h.of(arg, depth+1)
			}
			return "&" + typ + "{}"
		case "append":
			if !arg.IsZero() {
				return h.of(arg, depth+1)
			}
		}
	}
	s := h.of(f, depth+1)
	if types := typeArguments(n); types != "" {
		return s + types + "()"
	}
	return s + "(" + h.list(list, depth) + ")"
}

// maxArguments and maxArgument bound what of the arguments of a call is kept: how
// many, and the bytes of one.
const (
	maxArguments = 4
	maxArgument  = 60
)

func (h shaper) list(list syntax.Node, depth int) string {
	if !h.arguments {
		return ""
	}
	var out []string
	said := 0
	list.NamedChildren(func(a syntax.Node) bool {
		if a.Kind() == "comment" {
			return true
		}
		if a.Kind() == "variadic_argument" {
			a = firstNamed(a)
		}
		s := h.of(a, depth+1)
		if len(s) > maxArgument || s == "0" || s == `""` || s == "true" || s == "nil" {
			s = lang.Unknown
		}
		out = append(out, s)
		if s != lang.Unknown {
			said = len(out)
		}
		return len(out) < maxArguments
	})
	return strings.Join(out[:said], ", ")
}

// typeArguments is "[K, V]" of an instantiation, or "".
func typeArguments(n syntax.Node) string {
	list := n.Child("type_arguments")
	if list.IsZero() {
		return ""
	}
	return typeText(list)
}

// typeText is a type as written, with type literals by where they stand.
func typeText(n syntax.Node) string {
	text := n.Bytes()
	if !bytes.Contains(text, []byte("struct")) && !bytes.Contains(text, []byte("interface")) {
		return lang.Collapse(string(text))
	}
	var out strings.Builder
	at := n.Start()
	var literals func(syntax.Node)
	literals = func(c syntax.Node) {
		if c.Is("struct_type", "interface_type") && hasMembers(c) {
			out.Write(text[at-n.Start() : c.Start()-n.Start()])
			fmt.Fprintf(&out, "%s@%d:%d", strings.TrimSuffix(c.Kind(), "_type"), c.Start(), c.End())
			at = c.End()
			return
		}
		c.NamedChildren(func(c syntax.Node) bool { literals(c); return true })
	}
	literals(n)
	out.Write(text[at-n.Start():])
	return lang.Collapse(out.String())
}

func hasMembers(n syntax.Node) bool {
	if n.Kind() == "struct_type" {
		n = n.ChildOfKind("field_declaration_list")
	}
	return !firstNamed(n).IsZero()
}

var offsets = lazyregexp.New(`\b(struct|interface)@\d+:\d+`)

// withoutOffsets is for symbols, whose own children the members of the literal
// are: what a symbol says must not change when the text moves.
func withoutOffsets(shape string) string {
	if !strings.Contains(shape, "@") {
		return shape
	}
	return offsets.ReplaceAllString(shape, "$1@0:0")
}

func firstNamed(n syntax.Node) syntax.Node {
	first := syntax.Node{}
	n.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "comment" {
			return true
		}
		first = c
		return false
	})
	return first
}
