package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func isDunder(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

func (w *walker) visibility(name string) facts.Visibility {
	if strings.HasPrefix(name, "_") && !isDunder(name) && !(w.exported[name] && w.b.Enclosing() < 0) {
		return facts.Private
	}
	return facts.Public
}

// symbol starts a definition.
func (w *walker) symbol(name, whole syntax.Node, kind facts.Kind) facts.Symbol {
	s := facts.Symbol{
		Name: name.Text(), Kind: kind, Visibility: w.visibility(name.Text()),
		Span: lang.SpanOf(whole), NameSpan: lang.SpanOf(name),
	}
	if w.exported[s.Name] && w.b.Enclosing() < 0 {
		s.Flags |= facts.Exported
	}
	if w.b.Extension == ".pyi" {
		s.Flags |= facts.Declaration
	}
	return s
}

// decorators are the dotted names of what decorates a definition.
func decorators(n syntax.Node) []string {
	p := n.Parent()
	if p.Kind() != "decorated_definition" {
		return nil
	}
	var out []string
	p.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "decorator" {
			e := firstNamed(c)
			if e.Kind() == "call" {
				e = e.Child("function")
			}
			out = append(out, shape(e))
		}
		return true
	})
	return out
}

func (w *walker) function(n syntax.Node) int {
	name, params, result, body := n.Child("name"), n.Child("parameters"), n.Child("return_type"), n.Child("body")
	if name.IsZero() {
		return n.Index() + 1
	}
	s := w.symbol(name, n, facts.KindFunction)
	inClass := w.top().kind == classScope
	end := n.End()
	if !body.IsZero() {
		end = w.colon(n, body)
	}
	s.Signature = w.header(n, end)
	s.Type = oneLine(result)
	s.Params = w.declared(params)
	if n.FirstChild().Kind() == "async" {
		s.Flags |= facts.Async
	}
	first := ""
	if inClass {
		s.Kind = facts.KindMethod
		first = w.top().class.name + "()"
	}
	for _, d := range decorators(n) {
		switch last := strings.ToLower(lastPart(d)); {
		case last == "overload":
			s.Flags |= facts.Overload
		case last == "deprecated":
			s.Flags |= facts.Obsolete
		case strings.HasPrefix(d, "pytest."):
			w.b.AddTrait(facts.TestCode)
		case !inClass:
		case strings.HasSuffix(last, "property"):
			s.Kind = facts.KindProperty
			s.Flags |= facts.Getter
		case last == "getter" && last != d:
			s.Kind = facts.KindProperty
			s.Flags |= facts.Getter
		case last == "setter" && last != d:
			s.Kind = facts.KindProperty
			s.Flags |= facts.Setter
		case last == "deleter" && last != d:
			s.Kind = facts.KindProperty
		case strings.HasSuffix(last, "staticmethod"):
			s.Flags |= facts.Static
			first = ""
		case strings.HasSuffix(last, "classmethod"):
			s.Flags |= facts.Static
			first = w.top().class.name
		}
		if inClass && strings.HasPrefix(lastPart(d), "abstract") {
			s.Flags |= facts.Abstract
		}
	}
	if inClass {
		switch s.Name {
		case "__init__":
			s.Kind = facts.KindConstructor
		case "__new__", "__init_subclass__", "__class_getitem__":
			s.Flags |= facts.Static
			first = w.top().class.name
		}
	}
	s.Doc = w.doc(docstring(body))
	if s.Doc == "" {
		s.Doc = w.commentAbove(w.decorated(n).Start())
	}
	if w.testModule && strings.HasPrefix(s.Name, "test") {
		w.b.AddTrait(facts.TestCode)
	}
	symbol := w.b.Symbol(s)
	if w.depth >= maxDepth {
		return n.Index() + 1
	}
	w.depth++
	w.b.Within(symbol, func() {
		w.generic(n, n.Child("type_parameters"), func() {
			bound := w.parameters(params)
			if !result.IsZero() {
				w.typeExpression(result)
			}
			w.body(body, bound, first)
		})
	})
	w.depth--
	return n.SubtreeEnd()
}

// body walks the body of a function. first is the shape of what a method's
// first parameter receives.
func (w *walker) body(body syntax.Node, bound []parameter, first string) {
	if body.IsZero() {
		return
	}
	w.b.Body(lang.SpanOf(body), func() {
		w.push(scope{kind: functionScope, names: map[string]nameKind{}})
		w.bindParameters(bound, first, "")
		w.bindLocals(body)
		w.visit(body)
		w.pop()
	})
}

// decorated is the definition with its decorators.
func (w *walker) decorated(n syntax.Node) syntax.Node {
	if p := n.Parent(); p.Kind() == "decorated_definition" {
		return p
	}
	return n
}

// colon is where the header before a suite ends.
func (w *walker) colon(n, body syntax.Node) uint32 {
	end := body.Start()
	for c := n.FirstChild(); !c.IsZero() && c.Index() < body.Index(); c = c.NextSibling() {
		if c.Kind() == ":" {
			end = c.Start()
		}
	}
	return end
}

// parameter is one parameter as the walk binds it.
type parameter struct {
	name      syntax.Node
	typ, init string
}

// declared lists the parameters as they were written.
func (w *walker) declared(params syntax.Node) []facts.Param {
	var out []facts.Param
	params.NamedChildren(func(p syntax.Node) bool {
		name := p
		switch p.Kind() {
		case "typed_parameter":
			name = firstNamed(p)
		case "typed_default_parameter", "default_parameter":
			name = p.Child("name")
		case "identifier", "list_splat_pattern", "dictionary_splat_pattern", "tuple_pattern":
		default:
			return true
		}
		out = append(out, facts.Param{Name: oneLine(name), Type: oneLine(p.Child("type"))})
		return true
	})
	return out
}

// parameters reports the types and defaults of parameters, which are evaluated
// outside the function, and lists what is to be bound inside.
func (w *walker) parameters(params syntax.Node) []parameter {
	var out []parameter
	if params.IsZero() {
		return nil
	}
	params.NamedChildren(func(p syntax.Node) bool {
		typ, def := p.Child("type"), p.Child("value")
		if !typ.IsZero() {
			w.typeExpression(typ)
		}
		if !def.IsZero() && w.depth < maxDepth {
			w.depth++
			w.visit(def)
			w.depth--
		}
		name, t := p, oneLine(typ)
		switch p.Kind() {
		case "typed_parameter":
			name = firstNamed(p)
		case "typed_default_parameter", "default_parameter":
			name = p.Child("name")
		}
		switch name.Kind() {
		case "identifier":
			out = append(out, parameter{name, t, shape(def)})
		case "list_splat_pattern":
			if t != "" {
				t = "tuple[" + t + ", ...]"
			}
			out = append(out, parameter{firstNamed(name), t, "[]"})
		case "dictionary_splat_pattern":
			if t != "" {
				t = "dict[str, " + t + "]"
			}
			out = append(out, parameter{firstNamed(name), t, "{}"})
		case "tuple_pattern":
			w.eachTarget(name, value{}, "", func(x syntax.Node, _, _ string) {
				if x.Kind() == "identifier" {
					out = append(out, parameter{name: x})
				}
			})
		}
		return true
	})
	return out
}

func (w *walker) bindParameters(params []parameter, first, firstType string) {
	for i, p := range params {
		if i == 0 && first != "" && p.typ == "" {
			p.typ, p.init = firstType, first
		}
		if p.name.IsZero() {
			continue
		}
		w.top().names[p.name.Text()] = localName
		w.b.Bind(p.name.Text(), p.name.Start(), p.typ, p.init)
	}
}

// bindLocals binds what a body assigns: every name where it is first bound, and
// again where it gets a value of another known shape.
func (w *walker) bindLocals(body syntax.Node) {
	names := w.top().names
	last := map[string]string{}
	all := w.bindings(body)
	for _, x := range all {
		if x.kind == definedName {
			if names[x.text] == 0 {
				names[x.text] = definedName
			}
			continue
		}
		if x.narrowing && names[x.name.Text()] == 0 {
			continue
		}
		what := x.typ + "=" + x.init
		known := x.typ != "" || x.init != "" && x.init != lang.Unknown
		before, seen := last[x.text]
		if seen && (!known || before == what) || !seen && names[x.text] == localName && !known {
			continue
		}
		last[x.text] = what
		names[x.text] = localName
		w.b.Bind(x.text, x.name.Start(), x.typ, x.init)
	}
	for _, x := range all {
		if x.firm {
			names[x.text] = definedName
		}
	}
}

func (w *walker) class(n syntax.Node) int {
	name, bases, body := n.Child("name"), n.Child("superclasses"), n.Child("body")
	if name.IsZero() {
		return n.Index() + 1
	}
	s := w.symbol(name, n, facts.KindClass)
	end := n.End()
	if !body.IsZero() {
		end = w.colon(n, body)
	}
	s.Signature = w.header(n, end)
	var meta string
	s.Bases, meta = basesOf(bases)
	if w.lost.active {
		// Members that do not parse are missing from the tree.
		s.Span.End = max(s.Span.End, w.extent(int32(n.Start())))
	}
	c := &class{name: s.Name}
	if t := w.top(); t.kind == classScope {
		c.name = t.class.name + "." + s.Name
	}
	w.classify(&s, c, meta)
	for _, d := range decorators(n) {
		if lastPart(d) == "deprecated" {
			s.Flags |= facts.Obsolete
		}
	}
	s.Doc = w.doc(docstring(body))
	if s.Doc == "" {
		s.Doc = w.commentAbove(w.decorated(n).Start())
	}
	symbol := w.b.Symbol(s)
	if w.depth >= maxDepth {
		return n.Index() + 1
	}
	w.depth++
	w.b.Within(symbol, func() {
		w.generic(n, n.Child("type_parameters"), func() {
			w.superclasses(bases)
			if body.IsZero() {
				return
			}
			names := map[string]nameKind{}
			for _, x := range w.bindings(body) {
				names[x.text] = definedName
			}
			w.push(scope{kind: classScope, names: names, class: c})
			fields := w.selfFields(body, names)
			if w.suite(body); w.lost.shortened > 0 {
				w.b.At(symbol).Span.End = w.lost.shortened
				w.b.At(symbol).EndLine = w.b.Line(w.lost.shortened - 1)
				w.lost.shortened = 0
			}
			w.addFields(fields, symbol, names)
			w.pop()
		})
	})
	w.depth--
	return n.SubtreeEnd()
}

// classify tells from the bases what kind of class it is.
func (w *walker) classify(s *facts.Symbol, c *class, meta string) {
	if lastPart(meta) == "ABCMeta" {
		s.Flags |= facts.Abstract
	}
	c.enum = strings.HasPrefix(lastPart(meta), "Enum")
	for _, base := range s.Bases {
		head, _, _ := strings.Cut(base, "[")
		switch last := lastPart(head); {
		case last == "Protocol":
			s.Kind = facts.KindInterface
		case last == "ABC":
			s.Flags |= facts.Abstract
		case w.enums[head], isEnum(last):
			c.enum = true
		case strings.HasSuffix(last, "TestCase"):
			w.b.AddTrait(facts.TestCode)
		}
	}
	if c.enum {
		s.Kind = facts.KindEnum
		w.enums[s.Name] = true
	}
}

func isEnum(base string) bool {
	switch base {
	case "Flag", "IntFlag", "TextChoices", "IntegerChoices", "Choices":
		return true
	}
	return strings.HasSuffix(base, "Enum")
}

// basesOf lists the superclasses as written, and the metaclass.
func basesOf(list syntax.Node) (bases []string, meta string) {
	list.NamedChildren(func(c syntax.Node) bool {
		switch {
		case c.IsExtra(), c.Is("list_splat", "dictionary_splat"):
		case c.Kind() == "keyword_argument":
			if string(c.Child("name").Bytes()) == "metaclass" {
				meta = shape(c.Child("value"))
			}
		default:
			bases = append(bases, oneLine(c))
		}
		return true
	})
	return bases, meta
}

// superclasses reports the uses in the list of superclasses.
func (w *walker) superclasses(list syntax.Node) {
	list.NamedChildren(func(c syntax.Node) bool {
		head := c
		if c.Kind() == "subscript" {
			head = c.Child("value")
		}
		switch head.Kind() {
		case "identifier":
			w.name(head, facts.RefInherit)
		case "attribute":
			w.visit(head.Child("object"))
			if a := head.Child("attribute"); !a.IsZero() {
				w.b.Reference(facts.RefInherit, a.Text(), shape(head.Child("object")), a.Start())
			}
		default:
			w.visit(c)
			return true
		}
		if c.Kind() == "subscript" {
			for x := head.NextSibling(); !x.IsZero(); x = x.NextSibling() {
				w.typeExpression(x)
			}
		}
		return true
	})
}
