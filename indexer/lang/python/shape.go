package python

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxShapeSteps bounds the descent into one expression. A shape of MaxShape
// bytes has at most half as many steps.
const maxShapeSteps = lang.MaxShape / 2

// shape is the shape of an expression. What Python adds to the grammar of
// shapes: entering a context manager is x.__enter__(), a display or
// comprehension whose elements are all made by one class is list[Class]{},
// set[Class]{} or dict[Any, Class]{}, and of `a or b` and `a if c else b` the
// alternative remains whose other side is None or a plain literal, else the first
// one that has a shape. What holds the elements of another value in some order
// (list(x), sorted(x), [y for y in x if c]) has the shape of that.
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
		if isCopy(n.Child("object")) {
			return `""` + "." + n.Child("attribute").Text()
		}
		return suffix(n.Child("object"), "."+n.Child("attribute").Text())
	case "call":
		if s := wellKnownCall(n, steps); s != "" {
			return s
		}
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
	case "list", "set", "list_comprehension", "set_comprehension", "generator_expression":
		if of := madeElements(n, steps); of != "" {
			if n.Is("set", "set_comprehension") {
				return "set[" + of + "]{}"
			}
			return "list[" + of + "]{}"
		}
		if s := filtered(n, steps); s != "" {
			return s
		}
		return "[]"
	case "tuple", "expression_list":
		return "[]"
	case "dictionary", "dictionary_comprehension":
		if of := madeElements(n, steps); of != "" {
			return "dict[Any, " + of + "]{}"
		}
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

// wellKnownCall is the shape of a call whose result follows from its arguments:
// cast(T, x) is ?.(T), type(x) is x.__class__, next(x) is x.__next__(); "" for
// others.
func wellKnownCall(n syntax.Node, steps int) string {
	f := n.Child("function")
	name := f
	if f.Kind() == "attribute" {
		name = f.Child("attribute")
	}
	if isCopy(n) {
		if args := arguments(n); len(args) > 0 {
			if s := shapeAt(args[0], steps-1); isChain(s) {
				return s
			}
		}
		return ""
	}
	switch string(name.Bytes()) {
	case "cast":
		if args := arguments(n); len(args) == 2 {
			if t := oneLine(args[0]); len(t) < lang.MaxShape/2 && isTypeText(t) {
				return "?.(" + t + ")"
			}
		}
	case "type", "next":
		if f.Kind() != "identifier" {
			break
		}
		args := arguments(n)
		if len(args) == 0 || name.Text() == "type" && len(args) != 1 {
			break
		}
		if s := shapeAt(args[0], steps-1); isChain(s) {
			if name.Text() == "type" {
				return s + ".__class__"
			}
			return s + ".__next__()"
		}
	}
	return ""
}

// isCopy tells a call that gives the elements of a value in a builtin container,
// whose members are not those of the value.
func isCopy(n syntax.Node) bool {
	f := n.Child("function")
	if n.Kind() != "call" || f.Kind() != "identifier" {
		return false
	}
	switch string(f.Bytes()) {
	case "list", "sorted", "tuple", "set", "frozenset", "reversed", "iter":
		return true
	}
	return false
}

// isTypeText tells an expression that is written like a type.
func isTypeText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isWord(c) && !strings.ContainsRune(".[], |\"'", rune(c)) {
			return false
		}
	}
	return s != ""
}

// isChain tells a shape that more can be put behind.
func isChain(s string) bool {
	return s != lang.Unknown && !isLiteral(s) && s != "nil" && s != "func" && !strings.Contains(s, " ")
}

// either is the shape of one of two values: None does not count, nor does a
// literal, which has no members of a program.
func either(a, b string) string {
	switch {
	case a == b, b == "nil":
		return a
	case a == "nil":
		return b
	case a == lang.Unknown, isLiteral(a):
		return b
	}
	return a
}

func isLiteral(s string) bool {
	switch s {
	case `""`, "0", "true", "[]", "{}":
		return true
	}
	return false
}

// filtered is the shape of a comprehension that gives some elements of a value as
// they are: that of the value, or a list of the class that a condition tells.
func filtered(n syntax.Node, steps int) string {
	body := n.Child("body")
	if body.Kind() != "identifier" {
		return ""
	}
	var clause syntax.Node
	told := ""
	count := 0
	n.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "for_in_clause":
			clause = c
			count++
		case "if_clause":
			for _, x := range narrows(firstNamed(c)) {
				if x.text == body.Text() && isDotted(x.typ) {
					told = x.typ
				}
			}
		}
		return count < 2
	})
	if count != 1 || clause.Child("left").Kind() != "identifier" || clause.Child("left").Text() != body.Text() {
		return ""
	}
	if told != "" {
		return "list[" + told + "]{}"
	}
	if s := shapeAt(clause.Child("right"), steps-8); isChain(s) {
		return s
	}
	return ""
}

// maxElements bounds how many elements of a display are looked at.
const maxElements = 40

// madeElements is the class that makes all elements of a display or
// comprehension (of a dictionary: all values), or "".
func madeElements(n syntax.Node, steps int) string {
	of, count, mixed := "", 0, false
	note := func(c syntax.Node) {
		if c.Kind() == "pair" {
			c = c.Child("value")
		}
		class := ""
		if c.Kind() == "call" && count < maxElements {
			class = shapeAt(c.Child("function"), steps-8)
		}
		if count++; class == "" || !isDotted(class) || !isClassName(class) || of != "" && of != class {
			mixed = true
			return
		}
		of = class
	}
	if body := n.Child("body"); !body.IsZero() {
		note(body)
	} else {
		n.NamedChildren(func(c syntax.Node) bool {
			if !c.IsExtra() {
				note(c)
			}
			return !mixed
		})
	}
	if mixed {
		return ""
	}
	return of
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
		}
	}
	switch s := shape(n); s {
	case lang.Unknown, "[]", "{}", "0", "nil", "true", "func":
		return lang.Unknown
	case `""`:
		return `""`
	default:
		return lang.Shape("range " + s)
	}
}

// iteratedParts gives the shapes of the parts of an element that is taken apart,
// or nil.
func iteratedParts(n syntax.Node, count int) []string {
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
	}
	if s := shape(n); s != lang.Unknown && !isLiteral(s) && s != "nil" && s != "func" {
		return partsOf(s+"[]", count)
	}
	return nil
}

// maxParts bounds how many parts of a value get a shape.
const maxParts = 8

// partsOf are the shapes of the parts into which a value is taken apart.
func partsOf(s string, count int) []string {
	out := make([]string, count)
	for i := range out {
		out[i] = lang.Unknown
		if i < maxParts {
			out[i] = lang.Shape(s + "#" + strconv.Itoa(i))
		}
	}
	return out
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
