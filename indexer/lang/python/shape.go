package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxShapeSteps bounds the descent into one expression. A shape of MaxShape
// bytes has at most half as many steps.
const maxShapeSteps = lang.MaxShape / 2

// shape is the shape of an expression. What Python adds to the grammar of
// shapes: iterating over x is x[], entering a context manager is
// x.__enter__(), and of `a or b` and `a if c else b` the alternative remains
// whose other side is None.
func shape(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	return lang.Shape(shapeAt(n, maxShapeSteps))
}

func shapeAt(n syntax.Node, steps int) string {
	if steps <= 0 {
		return lang.Unknown
	}
	suffix := func(inner syntax.Node, s string) string {
		base := shapeAt(inner, steps-1)
		if base == lang.Unknown || len(base)+len(s) > lang.MaxShape {
			return lang.Unknown
		}
		return base + s
	}
	switch n.Kind() {
	case "identifier":
		return n.Text()
	case "dotted_name":
		return lang.Collapse(n.Text())
	case "attribute":
		return suffix(n.Child("object"), "."+n.Child("attribute").Text())
	case "call":
		return suffix(n.Child("function"), "()")
	case "subscript":
		return suffix(n.Child("value"), "[]")
	case "await":
		return "await " + shapeAt(firstNamed(n), steps-1)
	case "parenthesized_expression":
		return shapeAt(firstNamed(n), steps-1)
	case "named_expression":
		return shapeAt(n.Child("value"), steps-1)
	case "string", "concatenated_string":
		return `""`
	case "integer", "float":
		return "0"
	case "true", "false", "comparison_operator", "not_operator":
		return "true"
	case "none":
		return "nil"
	case "list", "set", "tuple", "expression_list", "list_comprehension", "set_comprehension", "generator_expression":
		return "[]"
	case "dictionary", "dictionary_comprehension":
		return "{}"
	case "lambda":
		return "func"
	case "unary_operator":
		return shapeAt(n.Child("argument"), steps-1)
	case "binary_operator":
		// Literals keep their type under operators; "%" formats a string.
		switch s := shapeAt(n.Child("left"), steps-1); s {
		case `""`, "0", "[]":
			return s
		}
	case "boolean_operator":
		left, right := shapeAt(n.Child("left"), steps-8), shapeAt(n.Child("right"), steps-8)
		if n.HasToken("and") {
			return right
		}
		if strings.HasSuffix(right, "()") && isClassName(right[:len(right)-2]) {
			return right
		}
		return either(left, right)
	case "conditional_expression":
		var parts []syntax.Node
		n.NamedChildren(func(c syntax.Node) bool {
			if !c.IsExtra() {
				parts = append(parts, c)
			}
			return len(parts) < 4
		})
		if len(parts) == 3 {
			return either(shapeAt(parts[0], steps-8), shapeAt(parts[2], steps-8))
		}
	}
	return lang.Unknown
}

// either is the shape of one of two values: None does not count.
func either(a, b string) string {
	switch {
	case a == b, b == "nil":
		return a
	case a == "nil":
		return b
	}
	return lang.Unknown
}

// iterated is the shape of an element that iterating over an expression gives.
func iterated(n syntax.Node) string {
	if n.Kind() == "call" {
		f, args := n.Child("function"), arguments(n)
		switch f.Kind() {
		case "identifier":
			switch f.Text() {
			case "sorted", "list", "set", "tuple", "frozenset", "reversed", "iter":
				if len(args) > 0 {
					return iterated(args[0])
				}
			case "range":
				return "0"
			case "enumerate", "zip", "map", "filter":
				return lang.Unknown
			}
		case "attribute":
			switch f.Child("attribute").Text() {
			case "values":
				return element(shape(f.Child("object")))
			case "keys", "items":
				return lang.Unknown
			}
		}
	}
	return element(shape(n))
}

// iteratedParts gives the shapes of the n parts of an element, for the calls
// whose elements are tuples, or nil.
func iteratedParts(n syntax.Node, count int) []string {
	if n.Kind() != "call" {
		return nil
	}
	f, args := n.Child("function"), arguments(n)
	switch f.Kind() {
	case "identifier":
		switch f.Text() {
		case "enumerate":
			if count == 2 && len(args) > 0 {
				return []string{"0", iterated(args[0])}
			}
		case "zip":
			if len(args) == count {
				var out []string
				for _, a := range args {
					out = append(out, iterated(a))
				}
				return out
			}
		}
	case "attribute":
		if count == 2 && f.Child("attribute").Text() == "items" {
			return []string{lang.Unknown, element(shape(f.Child("object")))}
		}
	}
	return nil
}

func element(s string) string {
	switch s {
	case lang.Unknown, "[]", "{}", "0", "nil", "true", "func":
		return lang.Unknown
	case `""`:
		return `""`
	}
	return lang.Shape(s + "[]")
}

// entered is the shape of what a with statement binds.
func entered(n syntax.Node, async bool) string {
	s := shape(n)
	switch {
	case s == lang.Unknown:
		return s
	case async:
		return lang.Shape("await " + s + ".__aenter__()")
	}
	return lang.Shape(s + ".__enter__()")
}

// arguments are the positional arguments of a call, as far as a splat; at most
// eight.
func arguments(call syntax.Node) []syntax.Node {
	var out []syntax.Node
	list := call.Child("arguments")
	if list.Kind() != "argument_list" {
		return nil
	}
	list.NamedChildren(func(c syntax.Node) bool {
		if c.Is("keyword_argument", "list_splat", "dictionary_splat") {
			return false
		}
		if !c.IsExtra() {
			out = append(out, c)
		}
		return len(out) < 8
	})
	return out
}

// isClassName tells whether the last part of a dotted name starts with a
// capital, which is how classes are named.
func isClassName(dotted string) bool {
	last := strings.TrimLeft(lastPart(dotted), "_")
	return last != "" && last[0] >= 'A' && last[0] <= 'Z'
}

func lastPart(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

func firstNamed(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && !c.IsExtra() {
			return c
		}
	}
	return syntax.Node{}
}
