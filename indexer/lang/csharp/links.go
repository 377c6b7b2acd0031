package csharp

import (
	"strconv"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// A resolver needs more than names and shapes. It finds it in bindings whose
// names no variable can have, at the place of the reference that they speak of:
//
//	()      the arguments of a call, parted by ";"; without it there are none
//	new()   the same for a construction, so that it is none of a method; with the
//	        type where the construction does not name it
//	this() base()  the same for a call of a constructor by one of these words
//	<>      the type arguments of a generic name, as written
//	[]      the name is that of an attribute
//	.       what stands before a member, where its shape has a call
//
// In these and in the initialisers of local names, a call is written as @ with
// the place of its name, for a shape does not hold its arguments. An argument is
// such a shape, behind "name: " where it is named, or
//
//	=>n:at:shape   a lambda with n parameters (a before n: async, b: a block) whose result has
//	               the shape, which stands at a place
//	out            a variable that is declared there
//
// @call:argument, both numbers, is what takes an argument.
//
// A parameter of a lambda has the initialiser =>n:target, n being its number; a
// variable of an out argument =>:target. A target is @call:argument or the shape of
// what the lambda is assigned to.
const (
	bindArguments = "()"
	bindNew       = "new()"
	bindTypes     = "<>"
	bindAttribute = "[]"
	bindReceiver  = "."
)

// maxArguments bounds how many arguments are told, maxReturns how many nodes of
// a lambda are searched for what it returns.
const (
	maxArguments = 24
	maxReturns   = 2000
)

func place(at uint32) string { return strconv.FormatUint(uint64(at), 10) }

// linked is a shape in which calls are told by their places.
func (w *walker) linked(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	w.linking++
	s := lang.Shape(w.shapeOf(n, 0))
	w.linking--
	return s
}

// passed notes the arguments of a call by the place of its name.
func (w *walker) passed(bind string, name, list syntax.Node) {
	s := w.argumentShapes(list)
	if !name.IsZero() && (s != "" || bind == bindNew) {
		w.b.Bind(bind, name.Start(), "", s)
	}
}

// generic notes the type arguments of a name.
func (w *walker) generic(name, arguments syntax.Node) {
	if !arguments.IsZero() {
		w.b.Bind(bindTypes, name.Start(), w.typeText(arguments), "")
	}
}

func (w *walker) argumentShapes(list syntax.Node) string {
	var out []string
	for c := range list.NamedChildren {
		if c.Is("argument", "attribute_argument") && len(out) < maxArguments {
			out = append(out, w.argumentShape(c))
		}
	}
	return strings.Join(out, ";")
}

func (w *walker) argumentShape(c syntax.Node) string {
	var value syntax.Node
	for v := range c.NamedChildren {
		if v.FieldName() != "name" && !v.IsExtra() {
			value = v
		}
	}
	s := lang.Unknown
	switch {
	case value.IsZero():
	case value.Kind() == "assignment_expression" && c.Kind() == "attribute_argument":
		return "="
	case value.Is("lambda_expression", "anonymous_method_expression"):
		s = w.lambdaShape(value)
	case value.Kind() == "implicit_object_creation_expression": // depends on the parameter
	case value.Kind() == "declaration_expression":
		if s = "out"; !value.Child("type").Is("implicit_type") {
			s = "(" + w.typeText(value.Child("type")) + ")"
		}
	default:
		s = w.linked(value)
		if t := literalType(value); t != "" {
			s = "(" + t + ")"
		}
	}
	if strings.Contains(s, ";") {
		s = lang.Unknown
	}
	if name := c.Child("name"); !name.IsZero() {
		s = nameText(name) + ": " + s
	}
	return s
}

// literalType is the type of a literal that a shape does not tell, or "".
func literalType(n syntax.Node) string {
	for range 4 {
		if n.Kind() != "prefix_unary_expression" || !n.HasToken("-") {
			break
		}
		n = n.FirstChild().NextSibling()
	}
	switch n.Kind() {
	case "character_literal":
		return "char"
	case "integer_literal":
		if strings.ContainsAny(n.Text(), "lL") {
			return "long"
		}
		return "int"
	case "real_literal":
		switch text := n.Text(); text[len(text)-1] {
		case 'f', 'F':
			return "float"
		case 'm', 'M':
			return "decimal"
		}
		return "double"
	}
	return ""
}

// lambdaShape tells of a lambda as an argument.
func (w *walker) lambdaShape(n syntax.Node) string {
	var s strings.Builder
	s.WriteString("=>")
	for c := range n.Children {
		if c.Text() == "async" {
			s.WriteByte('a')
		}
	}
	params := n.Child("parameters")
	count := 1
	if params.Kind() == "parameter_list" {
		count = len(parameters(params))
	} else if params.IsZero() {
		count = 0
	}
	value := n.Child("body")
	if value.Kind() == "block" {
		s.WriteByte('b')
	}
	s.WriteString(strconv.Itoa(count))
	s.WriteByte(':')
	if value.Kind() == "block" {
		value = w.returned(value)
	}
	s.WriteString(place(value.Start()))
	s.WriteByte(':')
	if !value.IsZero() {
		s.WriteString(w.linked(value))
	}
	return s.String()
}

// returned is what the first return of a block gives, nested functions aside.
func (w *walker) returned(block syntax.Node) syntax.Node {
	for i := block.Index(); i < min(block.SubtreeEnd(), block.Index()+maxReturns); {
		c := w.b.Tree.At(i)
		switch {
		case c.Is("lambda_expression", "anonymous_method_expression", "local_function_statement"):
			i = c.SubtreeEnd()
			continue
		case c.Kind() == "return_statement":
			for v := range c.NamedChildren {
				if !v.IsExtra() {
					return v
				}
			}
		}
		i++
	}
	return syntax.Node{}
}

// target tells what decides the type of a lambda, of an out variable or of
// new(): the argument of a call that it is, or the shape of what it is assigned
// to; "" where neither is known.
func (w *walker) target(n syntax.Node) string {
	t, ok := w.targets[n.Index()]
	if !ok && w.linking < maxShapeDepth {
		t = w.targetOf(n)
		w.targets[n.Index()] = t
	}
	return t
}

func (w *walker) targetOf(n syntax.Node) string {
	p := n.Parent()
	for p.Kind() == "parenthesized_expression" || p.Kind() == "conditional_expression" && n.FieldName() != "condition" {
		n, p = p, p.Parent()
	}
	switch p.Kind() {
	case "argument":
		number := 0
		for c := range p.Parent().NamedChildren {
			if c.Index() == p.Index() {
				break
			}
			if c.Kind() == "argument" {
				number++
			}
		}
		call := p.Parent().Parent()
		if name := calledName(call); !name.IsZero() && p.Parent().Kind() == "argument_list" {
			return "@" + place(name.Start()) + ":" + strconv.Itoa(number)
		}
	case "variable_declarator":
		if list := p.Parent(); !list.Child("type").IsZero() && !list.Child("type").Is("implicit_type") {
			return "(" + w.typeText(list.Child("type")) + ")"
		}
	case "property_declaration":
		return "(" + w.typeText(p.Child("type")) + ")"
	case "arrow_expression_clause", "return_statement":
		for range 60 {
			switch p.Kind() {
			case "property_declaration":
				return "(" + w.typeText(p.Child("type")) + ")"
			case "method_declaration", "local_function_statement", "operator_declaration":
				t := p.Child("returns")
				if t.IsZero() {
					t = p.Child("type")
				}
				return "(" + w.typeText(t) + ")"
			case "lambda_expression", "anonymous_method_expression", "":
				return ""
			}
			p = p.Parent()
		}
	case "assignment_expression":
		if n.FieldName() == "left" {
			return ""
		}
		left := p.Child("left")
		if made := p.Parent(); made.Kind() == "initializer_expression" && left.Kind() == "identifier" {
			if s := w.made(made); s != "" {
				return lang.Shape(s + "." + nameText(left))
			}
			return ""
		}
		return w.linked(left)
	case "with_initializer":
		if id := p.FirstChild(); id.Kind() == "identifier" {
			return lang.Shape(w.made(p) + "." + nameText(id))
		}
	}
	return ""
}

// made is the shape of what an initialiser in braces fills.
func (w *walker) made(n syntax.Node) string { return w.madeAt(n, 0) }

func (w *walker) madeAt(n syntax.Node, depth int) string {
	if depth > maxShapeDepth {
		return ""
	}
	switch p := n.Parent(); p.Kind() {
	case "object_creation_expression", "implicit_object_creation_expression":
		return w.linked(p)
	case "with_expression":
		return w.linked(p.FirstChild())
	case "assignment_expression":
		if o := p.Parent(); o.Kind() == "initializer_expression" {
			if s := w.madeAt(o, depth+1); s != "" {
				return lang.Shape(s + "." + nameText(p.Child("left")))
			}
		}
	}
	return ""
}

// calledName is the name that a call calls or a construction constructs.
func calledName(call syntax.Node) syntax.Node {
	switch call.Kind() {
	case "invocation_expression":
		f := call.Child("function")
		if f.Kind() == "conditional_access_expression" {
			f = binding(f)
		}
		if f.Is("member_access_expression", "member_binding_expression") {
			f = f.Child("name")
		}
		if id, _ := nameOf(f); id.Kind() == "identifier" {
			return id
		}
	case "object_creation_expression":
		return typeNameNode(call.Child("type"))
	case "implicit_object_creation_expression":
		return call.FirstChild()
	case "constructor_initializer":
		for t := range call.Children {
			if t.Is("base", "this") {
				return t
			}
		}
	}
	return syntax.Node{}
}

// typeNameNode is the simple name of a type expression.
func typeNameNode(n syntax.Node) syntax.Node {
	for range 40 {
		switch n.Kind() {
		case "generic_name":
			n = n.ChildOfKind("identifier")
		case "qualified_name", "alias_qualified_name":
			n = n.Child("name")
		case "identifier":
			return n
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// memberOf notes the use of a member by its bare name behind something of a
// shape: in an initialiser or a pattern.
func (w *walker) memberOf(id syntax.Node, qualifier string) {
	if id.Kind() == "identifier" && qualifier != "" {
		w.b.Reference(facts.RefRead, nameText(id), qualifier, id.Start())
	}
}

// patternOf is the shape of what a pattern in braces looks into.
func (w *walker) patternOf(n syntax.Node) string { return w.patternIn(n, 0) }

func (w *walker) patternIn(n syntax.Node, depth int) string {
	if depth > maxShapeDepth/2 {
		return ""
	}
	for range maxShapeDepth {
		p := n.Parent()
		switch p.Kind() {
		case "recursive_pattern", "declaration_pattern":
			if t := p.Child("type"); !t.IsZero() {
				return "(" + w.typeText(t) + ")"
			}
		case "is_pattern_expression":
			return w.linked(p.Child("expression"))
		case "switch_expression", "switch_statement":
			for c := range p.NamedChildren {
				if !c.IsExtra() {
					return w.linked(c)
				}
			}
		case "subpattern":
			s := w.patternIn(p, depth+1)
			if id := p.FirstChild(); s != "" && id.Kind() == "identifier" {
				return lang.Shape(s + "." + nameText(id))
			}
			return ""
		case "block", "":
			return ""
		}
		n = p
	}
	return ""
}
