package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

type scopeKind uint8

const (
	moduleScope scopeKind = iota
	classScope
	functionScope // function, lambda or comprehension
)

// scope is what the walk knows of a region in which names are bound.
type scope struct {
	kind scopeKind
	// names tells for every name bound here whether it is a plain local, which
	// hides definitions, or a definition or import itself.
	names map[string]nameKind
	class *class
}

type nameKind uint8

const (
	localName nameKind = iota + 1
	definedName
)

// class is what the walk knows of the class around.
type class struct {
	name string // dotted, with the classes around it
	enum bool
}

// local tells whether a name is a parameter or local variable here, so that
// its use refers to no definition.
func (w *walker) local(name []byte) bool {
	for i := len(w.scopes) - 1; i >= 0; i-- {
		s := &w.scopes[i]
		if s.kind == classScope && i != len(w.scopes)-1 {
			continue
		}
		if k := s.names[string(name)]; k != 0 {
			return k == localName
		}
	}
	return false
}

// bound tells whether the file binds the name anywhere around.
func (w *walker) bound(name []byte) bool {
	for i := range w.scopes {
		if w.scopes[i].names[string(name)] != 0 {
			return true
		}
	}
	return false
}

func (w *walker) top() *scope { return &w.scopes[len(w.scopes)-1] }

func (w *walker) push(s scope) { w.scopes = append(w.scopes, s) }
func (w *walker) pop()         { w.scopes = w.scopes[:len(w.scopes)-1] }

// binding is one place that binds a name.
type binding struct {
	name      syntax.Node
	text      string
	typ, init string
	kind      nameKind
	// firm marks def and class: the name refers to them also where the suite
	// assigns to it too (often what a decorator makes of them).
	firm bool
	// narrowing says that the place tells a type of a name bound elsewhere.
	narrowing bool
}

// bindings lists what a suite binds by the rules of Python: the whole suite
// with its nested blocks, without the bodies of functions, classes, lambdas
// and comprehensions (whose assignment expressions still bind here). Names
// declared global or nonlocal are left out.
func (w *walker) bindings(suite syntax.Node) []binding {
	if suite.IsZero() {
		return nil
	}
	var out []binding
	var elsewhere map[string]bool
	add := func(b binding) {
		if b.text == "" {
			b.text = b.name.Text()
		}
		out = append(out, b)
	}
	target := func(name syntax.Node, typ, init string) {
		if name.Kind() == "identifier" {
			add(binding{name: name, typ: typ, init: init, kind: localName})
		}
	}
	for i, end := suite.Index(), suite.SubtreeEnd(); i < end; {
		n := w.t.At(i)
		i++
		switch n.Kind() {
		case "function_definition", "class_definition":
			if name := n.Child("name"); !name.IsZero() {
				add(binding{name: name, kind: definedName, firm: true})
			}
			i = n.SubtreeEnd()
		case "lambda":
			i = n.SubtreeEnd()
		case "type_alias_statement":
			if name, _, _ := typeAlias(n); !name.IsZero() {
				add(binding{name: name, kind: definedName})
			}
			i = n.SubtreeEnd()
		case "import_statement", "import_from_statement":
			eachImported(n, func(local syntax.Node, text string) {
				add(binding{name: local, text: text, kind: definedName})
			})
			i = n.SubtreeEnd()
		case "assignment":
			left := n.Child("left")
			if left.Kind() == "identifier" && n.Child("right").Kind() == "lambda" {
				add(binding{name: left, kind: definedName})
			} else {
				w.assigned(n, target)
			}
			if !left.IsZero() {
				i = left.SubtreeEnd()
			}
		case "augmented_assignment":
			target(n.Child("left"), "", lang.Unknown)
		case "for_statement":
			w.eachTarget(n.Child("left"), iteration(n.Child("right")), "", target)
		case "named_expression":
			target(n.Child("name"), "", shape(n.Child("value")))
		case "as_pattern_target":
			typ, init := asPattern(n)
			w.eachTarget(firstNamed(n), value{shape: init}, typ, target)
		case "except_clause":
			if name, typ := oldExcept(n); !name.IsZero() {
				target(name, typ, "")
			}
		case "case_pattern", "keyword_pattern", "splat_pattern", "as_pattern":
			if name := capture(n); !name.IsZero() {
				target(name, captureType(n), "")
			}
		case "assert_statement":
			for _, x := range narrows(firstNamed(n)) {
				add(binding{name: x.name, text: x.text, typ: x.typ, kind: localName, narrowing: true})
			}
		case "if_statement":
			for _, x := range excluded(n) {
				add(binding{name: x.name, text: x.text, typ: x.typ, kind: localName, narrowing: true})
			}
		case "global_statement", "nonlocal_statement":
			n.NamedChildren(func(c syntax.Node) bool {
				if elsewhere == nil {
					elsewhere = map[string]bool{}
				}
				elsewhere[c.Text()] = true
				return true
			})
		}
	}
	if elsewhere != nil {
		kept := out[:0]
		for _, b := range out {
			if !elsewhere[b.text] {
				kept = append(kept, b)
			}
		}
		out = kept
	}
	return out
}

// value is the value that a target receives.
type value struct {
	node  syntax.Node // expression whose parts the parts of the target receive
	shape string      // of the whole
	parts func(count int) []string
}

func assignedValue(n syntax.Node) value {
	return value{node: n, shape: shape(n)}
}

func iteration(n syntax.Node) value {
	if n.IsZero() {
		return value{}
	}
	return value{shape: iterated(n), parts: func(count int) []string { return iteratedParts(n, count) }}
}

// maxChain bounds how many targets of `a = b = c = value` learn the value.
const maxChain = 20

// assigned calls yield for the targets of one assignment: identifiers, and
// attributes and subscripts as whole nodes.
func (w *walker) assigned(n syntax.Node, yield func(name syntax.Node, typ, init string)) {
	right := n.Child("right")
	for range maxChain {
		if right.Kind() != "assignment" {
			break
		}
		right = right.Child("right")
	}
	v := assignedValue(right)
	if right.IsZero() {
		v.shape = ""
	}
	typ := oneLine(n.Child("type"))
	if typ == "" {
		typ = castType(right)
	}
	if typ == "" {
		typ = w.typeComment(n)
	}
	w.eachTarget(n.Child("left"), v, typ, yield)
}

// eachTarget calls yield for every name that a target binds. Parts of nested
// targets are of unknown shape.
func (w *walker) eachTarget(left syntax.Node, v value, typ string, yield func(name syntax.Node, typ, init string)) {
	for left.Kind() == "parenthesized_expression" && !firstNamed(left).IsZero() {
		left = firstNamed(left)
	}
	switch left.Kind() {
	case "":
		return
	case "identifier", "attribute", "subscript":
		yield(left, typ, v.shape)
		return
	}
	var direct []syntax.Node
	splat := false
	left.NamedChildren(func(c syntax.Node) bool {
		if !c.IsExtra() {
			direct = append(direct, c)
			splat = splat || c.Is("list_splat_pattern", "list_splat")
		}
		return true
	})
	var inits []string
	switch {
	case splat:
	case v.parts != nil:
		inits = v.parts(len(direct))
	case v.node.Is("tuple", "expression_list", "list"):
		v.node.NamedChildren(func(c syntax.Node) bool {
			if !c.IsExtra() {
				inits = append(inits, shape(c))
			}
			return true
		})
	case v.node.Is("call", "identifier", "attribute", "await") && v.shape != "" && v.shape != lang.Unknown && len(direct) > 1:
		if !strings.HasPrefix(v.shape, "await ") {
			inits = partsOf(v.shape, len(direct))
		}
	}
	if len(inits) != len(direct) {
		inits = nil
	}
	next := 0
	for i := left.Index(); i < left.SubtreeEnd(); {
		c := w.t.At(i)
		for next < len(direct) && direct[next].Index() < i {
			next++
		}
		switch c.Kind() {
		case "identifier", "attribute", "subscript":
			init := lang.Unknown
			if inits != nil && next < len(direct) && direct[next].Index() == i {
				init = inits[next]
			}
			yield(c, "", init)
			i = c.SubtreeEnd()
		case "call", "lambda", "string":
			i = c.SubtreeEnd()
		default:
			i++
		}
	}
}

// asPattern tells type or initial shape of what an as clause binds: in a with
// statement the entered value, in an except clause the exception.
func asPattern(target syntax.Node) (typ, init string) {
	as := target.Parent()
	holder := as.Parent()
	v := firstNamed(as)
	for holder.Is("tuple", "parenthesized_expression") {
		holder = holder.Parent()
	}
	switch {
	case v.Index() == target.Index():
		return "", lang.Unknown
	case holder.Is("except_clause", "except_group_clause"):
		return union(v), ""
	}
	async := false
	for p, hops := holder, 0; hops < 3 && !p.IsZero(); p, hops = p.Parent(), hops+1 {
		if p.Kind() == "with_statement" {
			async = p.FirstChild().Kind() == "async"
			break
		}
	}
	return "", entered(v, async)
}

// union is the type expression for "one of these classes", given as a class, a
// tuple of classes or a union.
func union(n syntax.Node) string {
	for n.Is("parenthesized_expression", "list_splat") {
		n = firstNamed(n)
	}
	if n.Kind() != "tuple" {
		return oneLine(n)
	}
	var parts []string
	n.NamedChildren(func(c syntax.Node) bool {
		if !c.IsExtra() {
			parts = append(parts, oneLine(c))
		}
		return len(parts) < 8
	})
	return strings.Join(parts, " | ")
}

// oldExcept finds the name that `except X, e:` of Python 2 binds.
func oldExcept(n syntax.Node) (name syntax.Node, typ string) {
	if !n.HasToken(",") {
		return syntax.Node{}, ""
	}
	var parts []syntax.Node
	n.NamedChildren(func(c syntax.Node) bool {
		if !c.IsExtra() && c.Kind() != "block" {
			parts = append(parts, c)
		}
		return len(parts) < 3
	})
	if len(parts) == 2 && parts[1].Kind() == "identifier" {
		return parts[1], union(parts[0])
	}
	return syntax.Node{}, ""
}

// capture is the name that a pattern of a match statement binds, if this very
// node binds one.
func capture(n syntax.Node) syntax.Node {
	last := func(kind string) (c syntax.Node) {
		n.NamedChildren(func(x syntax.Node) bool {
			if x.Kind() == kind {
				c = x
			}
			return true
		})
		return c
	}
	switch n.Kind() {
	case "case_pattern":
		if d := firstNamed(n); d.Kind() == "dotted_name" && firstNamed(d).End() == d.End() {
			return firstNamed(d)
		}
	case "keyword_pattern":
		if d := last("dotted_name"); !d.IsZero() && firstNamed(d).End() == d.End() {
			return firstNamed(d)
		}
	case "splat_pattern":
		return last("identifier")
	case "as_pattern":
		if n.Parent().Kind() == "case_pattern" {
			return last("identifier")
		}
	}
	return syntax.Node{}
}

// captureType is the class that `case Class() as name` gives a name.
func captureType(n syntax.Node) string {
	if n.Kind() != "as_pattern" {
		return ""
	}
	p := firstNamed(firstNamed(n))
	if p.Kind() != "class_pattern" {
		return ""
	}
	return oneLine(firstNamed(p))
}

// castType is the type that typing.cast gives a value, or "".
func castType(n syntax.Node) string {
	if n.Kind() != "call" || lastPart(shape(n.Child("function"))) != "cast" {
		return ""
	}
	if args := arguments(n); len(args) == 2 {
		return oneLine(args[0])
	}
	return ""
}

// typeComment is the type of an assignment that an old style comment gives:
// `x = []  # type: list[int]`.
func (w *walker) typeComment(n syntax.Node) string {
	rest := w.b.Source[n.End():]
	rest = rest[:min(len(rest), 200)]
	text, ok := strings.CutPrefix(strings.TrimLeft(string(rest), " \t"), "#")
	if !ok {
		return ""
	}
	text, ok = strings.CutPrefix(strings.TrimLeft(text, " "), "type:")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "#")
	text = lang.Collapse(text)
	if strings.HasPrefix(text, "ignore") {
		return ""
	}
	return text
}
