package ruby

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// symbol adds a definition; kind, name and span are set by the caller.
func (w *walker) symbol(s facts.Symbol) int32 {
	f := w.top()
	if s.Container == "" {
		s.Container = f.name
	}
	i := w.b.Symbol(s)
	if i >= 0 {
		f.members[s.Name] = append(f.members[s.Name], i)
	}
	return i
}

// text is the source between two offsets.
func (w *walker) text(start, end uint32) string {
	if end < start {
		return ""
	}
	return string(w.b.Source[start:end])
}

// namespace handles class and module.
func (w *walker) namespace(n syntax.Node) {
	name, super, body := n.Child("name"), n.Child("superclass"), n.Child("body")
	kind := facts.KindClass
	if n.Kind() == "module" {
		kind = facts.KindModule
	}
	end := name.End()
	if !super.IsZero() {
		end = super.End()
	}
	w.open(kind, name, lang.SpanOf(n), w.text(n.Start(), end), firstNamed(super), func() {
		if block := firstNamed(super).Child("block"); !block.IsZero() { // class A < Struct.new(:x) do
			w.statements(block, block.Child("body"))
		}
		w.statements(n, body)
	})
}

// open adds a class or module and walks its statements. name is a constant or
// a path of constants.
func (w *walker) open(kind facts.Kind, name syntax.Node, span facts.Span, signature string, base syntax.Node, walk func()) {
	doc, obsolete := w.above(span.Start)
	leaf, container := name, ""
	if name.Kind() == "scope_resolution" {
		leaf = name.Child("name")
		container = lang.Collapse(name.Child("scope").Text())
	}
	s := facts.Symbol{
		Name: leaf.Text(), Kind: kind, Container: container, Span: span, NameSpan: lang.SpanOf(leaf),
		Signature: signature, Doc: doc,
	}
	if obsolete {
		s.Flags |= facts.Obsolete
	}
	members := syntax.Node{} // of a Struct
	if made, args := maker(base); made != "" {
		switch made {
		case "class":
			base = args
		case "struct":
			members = base
			base = syntax.Node{}
			s.Kind = facts.KindStruct
		default:
			base = syntax.Node{}
		}
	}
	if base.Is("constant", "scope_resolution") {
		s.Bases = []string{lang.Collapse(base.Text())}
		if isTestCase(s.Bases[0]) {
			w.b.AddTrait(facts.TestCode)
		}
	}
	i := w.symbol(s)
	w.b.Within(i, func() {
		w.inherit(base, i, false)
		w.inside(&frame{symbol: i, name: s.Name, kind: kind}, func() {
			w.structMembers(members)
			w.b.Scope(span, walk)
		})
	})
}

func isTestCase(base string) bool {
	return strings.HasSuffix(base, "Test") || strings.HasSuffix(base, "TestCase") || strings.HasPrefix(base, "Minitest::")
}

// inherit records a superclass or an included module.
func (w *walker) inherit(base syntax.Node, owner int32, add bool) {
	switch base.Kind() {
	case "constant":
		w.b.Reference(facts.RefInherit, base.Text(), "", base.Start())
	case "scope_resolution":
		w.walk(base.Child("scope"))
		leaf := base.Child("name")
		w.b.Reference(facts.RefInherit, leaf.Text(), lang.Shape(lang.Collapse(base.Child("scope").Text())), leaf.Start())
	default:
		w.walk(base)
		return
	}
	if add && owner >= 0 {
		s := w.b.At(owner)
		s.Bases = append(s.Bases, lang.Collapse(base.Text()))
	}
}

// maker tells what a call like Struct.new makes: "struct", "class" (with its
// superclass), "module", or "".
func maker(call syntax.Node) (what string, super syntax.Node) {
	if call.Kind() != "call" {
		return "", syntax.Node{}
	}
	switch strings.TrimPrefix(call.Child("receiver").Text(), "::") + "." + call.Child("method").Text() {
	case "Struct.new", "Data.define":
		return "struct", syntax.Node{}
	case "Class.new":
		return "class", firstNamed(call.Child("arguments"))
	case "Module.new":
		return "module", syntax.Node{}
	}
	return "", syntax.Node{}
}

// structMembers adds the members that Struct.new or Data.define is given.
func (w *walker) structMembers(call syntax.Node) {
	eachName(call.Child("arguments"), func(name string, at facts.Span, n syntax.Node) {
		if n.Kind() != "simple_symbol" {
			return
		}
		w.symbol(facts.Symbol{
			Name: name, Kind: facts.KindField, Span: lang.SpanOf(n), NameSpan: at, Signature: n.Text(),
			Flags: facts.Getter,
		})
	})
}

// assignment handles constants, instance variables and local names.
func (w *walker) assignment(n syntax.Node) {
	left, right := n.Child("left"), n.Child("right")
	kind := left.Kind()
	if kind == "identifier" && !w.b.InBody() {
		// The grammar takes a constant for a name that starts in ASCII only.
		if r, _ := utf8.DecodeRune(left.Bytes()); unicode.IsUpper(r) {
			kind = "constant"
		}
	}
	switch kind {
	case "constant", "scope_resolution":
		w.constant(n, left, right)
		return
	case "left_assignment_list":
		k := 0
		doc, _ := w.above(n.Start())
		left.NamedChildren(func(c syntax.Node) bool {
			if c.Kind() == "constant" {
				w.symbol(facts.Symbol{
					Name: c.Text(), Kind: facts.KindConstant, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(c),
					Signature: lang.Collapse(left.Text()), Doc: doc,
				})
			}
			k++
			return true
		})
		w.walk(right)
		w.targets(left, right)
		return
	}
	w.walk(right)
	last := right
	for last.Is("assignment") { // a = b = value
		last = last.Child("right")
	}
	w.target(left, shape(last))
}

// constant handles NAME = value, where the value may be a class.
func (w *walker) constant(n, name, value syntax.Node) {
	what, super := maker(value)
	if what != "" {
		kind := map[string]facts.Kind{"struct": facts.KindStruct, "class": facts.KindClass, "module": facts.KindModule}[what]
		block := value.Child("block")
		end := value.End()
		if !block.IsZero() {
			end = block.Start()
		}
		base := value
		if what == "class" {
			base = super
		}
		w.open(kind, name, lang.SpanOf(n), w.text(n.Start(), end), base, func() {
			w.statements(block, block.Child("body"))
		})
		return
	}
	doc, obsolete := w.above(n.Start())
	leaf, container := name, ""
	if name.Kind() == "scope_resolution" {
		leaf, container = name.Child("name"), lang.Collapse(name.Child("scope").Text())
	}
	s := facts.Symbol{
		Name: leaf.Text(), Kind: facts.KindConstant, Container: container, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(leaf),
		Signature: firstLine(w.text(n.Start(), n.End())), Doc: doc, Init: shape(value),
	}
	if obsolete {
		s.Flags |= facts.Obsolete
	}
	w.b.Within(w.symbol(s), func() { w.walk(value) })
}

// firstLine is the first line of a text, with a mark where there is more.
func firstLine(s string) string {
	line, rest, more := strings.Cut(s, "\n")
	line = strings.TrimRight(line, " \t\r")
	if more && strings.TrimSpace(rest) != "" {
		line += " …"
	}
	return line
}

// targets binds the names on the left of a multiple assignment.
func (w *walker) targets(left, right syntax.Node) {
	var values []syntax.Node
	if right.Kind() == "right_assignment_list" {
		right.NamedChildren(func(c syntax.Node) bool { values = append(values, c); return true })
	}
	k := 0
	left.NamedChildren(func(c syntax.Node) bool {
		init := ""
		switch {
		case k < len(values):
			init = shape(values[k])
		case values == nil && k < 10:
			init = lang.Shape(shape(right) + "#" + string(rune('0'+k)))
		}
		k++
		switch c.Kind() {
		case "constant":
		case "destructured_left_assignment":
			if w.depth < maxDepth {
				w.depth++
				w.targets(c, syntax.Node{})
				w.depth--
			}
		case "rest_assignment":
			w.target(firstNamed(c), "[]")
		default:
			w.target(c, init)
		}
		return true
	})
}

// target binds one name that is assigned a value of a shape.
func (w *walker) target(n syntax.Node, init string) {
	switch n.Kind() {
	case "identifier":
		if name := n.Text(); !w.b.Bound(name) || init != "" && init != lang.Unknown && init != "nil" {
			w.b.Bind(name, n.Start(), "", init)
		}
	case "instance_variable", "class_variable":
		w.field(n, init)
	default:
		w.walk(n)
	}
}

// field adds an instance or class variable where the class first assigns it.
func (w *walker) field(n syntax.Node, init string) {
	f := w.class()
	name := n.Text()
	if f.symbol < 0 || f.fields[name] {
		w.b.Reference(facts.RefRead, name, "self", n.Start())
		return
	}
	f.fields[name] = true
	s := facts.Symbol{
		Name: name, Kind: facts.KindField, Visibility: facts.Private, Container: f.name,
		Span: lang.SpanOf(n), NameSpan: lang.SpanOf(n), Signature: name, Init: init,
	}
	if n.Kind() == "class_variable" {
		s.Flags |= facts.Static
	}
	w.b.Symbol(s)
}

// method handles def.
func (w *walker) method(n syntax.Node) {
	name, list, body := n.Child("name"), n.Child("parameters"), n.Child("body")
	if name.IsZero() {
		w.children(n)
		return
	}
	end := name.End()
	if !list.IsZero() {
		end = list.End()
	}
	f := w.top()
	doc, obsolete := w.above(n.Start())
	s := facts.Symbol{
		Name: strings.ReplaceAll(name.Text(), " ", ""), Kind: facts.KindFunction, Visibility: f.visibility, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
		Signature: w.text(n.Start(), end), Doc: doc, Params: params(list),
	}
	if obsolete {
		s.Flags |= facts.Obsolete
	}
	if f.name != "" || f.anonymous || f.block && w.class().symbol >= 0 {
		s.Kind = facts.KindMethod
	}
	if f.static {
		s.Flags |= facts.Static
	}
	if f.functions {
		s.Flags |= facts.Static
		s.Visibility = facts.Public
	}
	if object := n.Child("object"); n.Kind() == "singleton_method" {
		s.Flags |= facts.Static
		s.Visibility = facts.Public
		if object.Is("constant", "scope_resolution") {
			s.Kind = facts.KindMethod
			if o := lang.Collapse(object.Text()); o != f.name {
				s.Container = o
			}
		}
	}
	switch {
	case s.Name == "initialize" && s.Kind == facts.KindMethod && s.Flags&facts.Static == 0:
		s.Kind, s.Visibility = facts.KindConstructor, facts.Public
	case name.Kind() == "setter":
		s.Flags |= facts.Setter
	}
	if f.kind == facts.KindClass && strings.HasPrefix(s.Name, "test_") && len(s.Params) == 0 && f.symbol >= 0 && len(w.b.At(f.symbol).Bases) > 0 &&
		isTestCase(w.b.At(f.symbol).Bases[0]) {
		w.b.AddTrait(facts.TestCode)
	}
	i := w.symbol(s)
	w.b.Within(i, func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.bindParams(list)
			w.inside(&frame{symbol: -1, block: true}, func() {
				if body.Kind() == "body_statement" {
					w.statements(body)
				} else {
					w.walk(body) // def f = expression
				}
			})
		})
	})
}

// params lists the parameters with the marks they are written with.
func params(list syntax.Node) []facts.Param {
	var out []facts.Param
	list.NamedChildren(func(p syntax.Node) bool {
		name := ""
		switch p.Kind() {
		case "identifier", "destructured_parameter", "forward_parameter", "hash_splat_nil":
			name = lang.Collapse(p.Text())
		case "optional_parameter":
			name = p.Child("name").Text()
		case "keyword_parameter":
			name = p.Child("name").Text() + ":"
		case "splat_parameter":
			name = "*" + p.Child("name").Text()
		case "hash_splat_parameter":
			name = "**" + p.Child("name").Text()
		case "block_parameter":
			name = "&" + p.Child("name").Text()
		default:
			return true
		}
		out = append(out, facts.Param{Name: name})
		return true
	})
	return out
}

func (w *walker) bindParams(list syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for p := list.FirstChild(); !p.IsZero(); p = p.NextSibling() {
		name, init := p.Child("name"), ""
		switch p.Kind() {
		case "identifier":
			name = p
		case "destructured_parameter":
			w.bindParams(p)
			continue
		case "optional_parameter", "keyword_parameter":
			w.walk(p.Child("value"))
			if v := p.Child("value"); !v.IsZero() {
				init = shape(v)
			}
		case "splat_parameter":
			init = "[]"
		case "hash_splat_parameter":
			init = "{}"
		case "block_parameter":
			init = "func"
		default:
			continue
		}
		if !name.IsZero() {
			w.b.Bind(name.Text(), name.Start(), "", init)
		}
	}
}

// eachName calls yield for every symbol or plain string of a list, with the
// span of the bare name.
func eachName(list syntax.Node, yield func(name string, at facts.Span, n syntax.Node)) {
	list.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "array", "symbol_array", "string_array":
			eachName(c, yield)
			return true
		}
		if name, at := literal(c); name != "" {
			yield(name, at, c)
		}
		return true
	})
}

// literal is the text of a symbol or plain string.
func literal(n syntax.Node) (string, facts.Span) {
	switch n.Kind() {
	case "simple_symbol":
		return strings.TrimPrefix(n.Text(), ":"), facts.Span{Start: n.Start() + min(1, n.End()-n.Start()), End: n.End()}
	case "string", "delimited_symbol", "bare_string", "bare_symbol":
		content := syntax.Node{}
		count := 0
		n.NamedChildren(func(c syntax.Node) bool { content = c; count++; return count < 2 })
		if count == 1 && content.Kind() == "string_content" {
			return content.Text(), lang.SpanOf(content)
		}
	}
	return "", facts.Span{}
}

func firstNamed(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && c.Kind() != "comment" {
			return c
		}
	}
	return syntax.Node{}
}
