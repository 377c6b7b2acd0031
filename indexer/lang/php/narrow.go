package php

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// narrowed is a value that a condition tells the class of.
type narrowed struct{ value, typ string }

// maxNarrowed bounds the values that one condition tells of.
const maxNarrowed = 8

// narrowings are the classes that values have where a condition holds, or, with
// holds unset, where it does not.
func (w *walker) narrowings(n syntax.Node, holds bool, depth int) []narrowed {
	if n.IsZero() || depth > 30 {
		return nil
	}
	switch n.Kind() {
	case "parenthesized_expression":
		return w.narrowings(firstNamed(n), holds, depth+1)
	case "unary_op_expression":
		if strings.HasPrefix(n.Text(), "!") {
			return w.narrowings(firstNamed(n), !holds, depth+1)
		}
	case "binary_expression":
		left, right := n.Child("left"), n.Child("right")
		switch op := strings.ToLower(n.Child("operator").Text()); {
		case op == "instanceof":
			value := shape(left)
			if holds && right.Is("name", "qualified_name", "relative_scope") && narrowable(value) {
				return []narrowed{{value, right.Text()}}
			}
		case (op == "&&" || op == "and") == holds && (op == "&&" || op == "and" || op == "||" || op == "or"):
			// Where a || b does not hold, neither side does.
			out := append(w.narrowings(left, holds, depth+1), w.narrowings(right, holds, depth+1)...)
			return out[:min(len(out), maxNarrowed)]
		case (op == "||" || op == "or") && holds:
			// One of both holds: a value that both tell of is of either class.
			a, b := w.narrowings(left, true, depth+1), w.narrowings(right, true, depth+1)
			if len(a) == 1 && len(b) == 1 && a[0].value == b[0].value {
				return []narrowed{{a[0].value, a[0].typ + "|" + b[0].typ}}
			}
		}
	}
	return nil
}

// narrowable tells whether a value stays the same for a while: a variable or a
// property of one.
func narrowable(shape string) bool {
	return (strings.HasPrefix(shape, "$") || strings.HasPrefix(shape, "this.")) && !strings.ContainsAny(shape, "()[]#{} ") && strings.Count(shape, ".") <= 2
}

// asserted binds what assertInstanceOf(X::class, $y) tells.
func (w *walker) asserted(call syntax.Node) {
	if call.Child("name").Text() != "assertInstanceOf" {
		return
	}
	first := firstNamed(call.Child("arguments"))
	second := first.NextSibling()
	for !second.IsZero() && second.Kind() != "argument" {
		second = second.NextSibling()
	}
	class := classArgument(first)
	if value := shape(firstNamed(second)); class != "" && !second.IsZero() && narrowable(value) {
		w.b.Bind(value, call.End(), class, "")
	}
}

// under walks what runs where a condition holds: there the values have the
// classes that it tells. A binding whose initialiser is its own name, marks
// them.
func (w *walker) under(n syntax.Node, told []narrowed) {
	if len(told) == 0 || n.IsZero() {
		w.walk(n)
		return
	}
	w.b.Scope(lang.SpanOf(n), func() {
		for _, t := range told {
			w.b.Bind(t.value, n.Start(), t.typ, t.value)
		}
		w.walk(n)
	})
}

// conditional handles if and elseif.
func (w *walker) conditional(n syntax.Node) {
	condition, body := n.Child("condition"), n.Child("body")
	w.walk(condition)
	w.under(body, w.narrowings(condition, true, 0))
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		switch {
		case c.Kind() == "else_clause":
			w.under(c, w.narrowings(condition, false, 0))
		case c.FieldName() == "condition" || c.FieldName() == "body" || !c.IsNamed():
		default:
			w.walk(c)
		}
	}
	// if (!$x instanceof Foo) return; leaves a Foo behind it.
	if n.Kind() == "if_statement" && n.Child("alternative").IsZero() && leaves(body) {
		for _, t := range w.narrowings(condition, false, 0) {
			w.b.Bind(t.value, n.End(), t.typ, "")
		}
	}
}

// leaves tells whether a statement or the last one of a block leaves what is
// around it.
func leaves(n syntax.Node) bool {
	if n.Is("compound_statement", "colon_block") {
		last := syntax.Node{}
		n.NamedChildren(func(c syntax.Node) bool {
			if c.Kind() != "comment" {
				last = c
			}
			return true
		})
		n = last
	}
	if n.IsZero() {
		return false
	}
	if n.Kind() == "expression_statement" {
		n = firstNamed(n)
	}
	return n.Is("return_statement", "throw_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement")
}
