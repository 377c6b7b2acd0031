package ruby

import (
	"slices"
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
	if of := memberClass(base); !of.IsZero() {
		members, base = base, of
	} else if made, args := maker(base); made != "" {
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
		w.inherit(base, -1, "")
		w.inside(&frame{symbol: i, name: s.Name, kind: kind}, func() {
			w.structMembers(members)
			w.b.Scope(span, walk)
		})
	})
}

func isTestCase(base string) bool {
	return strings.HasSuffix(base, "Test") || strings.HasSuffix(base, "TestCase") || strings.HasPrefix(base, "Minitest::")
}

// inherit records a superclass or a module that is mixed in; how stands before
// its name among the bases of the owner.
func (w *walker) inherit(base syntax.Node, owner int32, how string) {
	switch base.Kind() {
	case "constant":
		w.b.Reference(facts.RefInherit, base.Text(), "", base.Start())
	case "scope_resolution":
		w.walk(base.Child("scope"))
		leaf := base.Child("name")
		w.b.Reference(facts.RefInherit, leaf.Text(), scopeOf(base), leaf.Start())
	case "self": // extend self
	default:
		w.walk(base)
		return
	}
	if owner >= 0 {
		s := w.b.At(owner)
		s.Bases = append(s.Bases, how+lang.Collapse(base.Text()))
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

// memberClass is the class of the program's own that makes classes with the
// members it is given, like Struct: Options in Options.new(:a, :b).
func memberClass(call syntax.Node) syntax.Node {
	receiver := call.Child("receiver")
	if call.Kind() != "call" || !receiver.Is("constant", "scope_resolution") || call.Child("method").Text() != "new" {
		return syntax.Node{}
	}
	if what, _ := maker(call); what != "" {
		return syntax.Node{}
	}
	symbols := 0
	call.Child("arguments").NamedChildren(func(c syntax.Node) bool {
		if c.Kind() != "simple_symbol" {
			symbols = -1
			return false
		}
		symbols++
		return true
	})
	if symbols <= 0 {
		return syntax.Node{}
	}
	return receiver
}

// hasMethods tells whether a block holds definitions of methods.
func hasMethods(block syntax.Node) bool {
	found := false
	visit := func(c syntax.Node) bool {
		found = found || c.Is("method", "singleton_method")
		return !found
	}
	block.NamedChildren(visit)
	block.Child("body").NamedChildren(visit)
	return found
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
	if block := value.Child("block"); what == "" && !block.IsZero() && hasMethods(block) && !memberClass(value).IsZero() {
		w.open(facts.KindClass, name, lang.SpanOf(n), w.text(n.Start(), block.Start()), value, func() {
			w.statements(block, block.Child("body"))
		})
		return
	}
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
			w.keep(name, init)
		}
	case "instance_variable", "class_variable":
		w.field(n, w.plain(init))
	case "call":
		// a.name = value calls name=.
		receiver, method := n.Child("receiver"), n.Child("method")
		if receiver.IsZero() || !n.Child("arguments").IsZero() || !method.Is("identifier", "constant") {
			w.walk(n)
			return
		}
		w.walk(receiver)
		w.b.Reference(facts.RefCall, method.Text()+"=", shape(receiver), method.Start())
	default:
		w.walk(n)
	}
}

// field adds an instance or class variable where the class first assigns it.
func (w *walker) field(n syntax.Node, init string) {
	f := w.class()
	name := n.Text()
	first, again := f.fields[name]
	if f.symbol < 0 || again {
		w.b.Reference(facts.RefRead, name, "self", n.Start())
		if again {
			w.assignedAgain(first, init)
		}
		return
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindField, Visibility: facts.Private, Container: f.name,
		Span: lang.SpanOf(n), NameSpan: lang.SpanOf(n), Signature: name, Init: init,
	}
	if n.Kind() == "class_variable" {
		s.Flags |= facts.Static
	}
	f.fields[name] = w.b.Symbol(s)
}

// assignedAgain adds what a later assignment says that an instance variable
// holds: shapes with " | " between them, up to three.
func (w *walker) assignedAgain(field int32, init string) {
	if field < 0 || tellsNothing(init) {
		return
	}
	switch s := w.b.At(field); {
	case tellsNothing(s.Init):
		s.Init = init
	case slices.Contains(strings.Split(s.Init, alternative), init):
	case strings.Count(s.Init, alternative) < 2:
		s.Init = lang.Shape(s.Init + alternative + init)
	}
}

// alternative stands between the shapes of which a value has one.
const alternative = " | "

func tellsNothing(init string) bool { return init == "" || init == "nil" || init == lang.Unknown }

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
	tags := tagsOf(w.written)
	s.Type = tags.result
	for i := range s.Params {
		s.Params[i].Type = tags.of(s.Params[i].Name)
	}
	if s.Kind != facts.KindConstructor && s.Flags&facts.Setter == 0 {
		s.Init = w.result(body, list)
	}
	i := w.symbol(s)
	w.b.Within(i, func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.tags, w.inits = tags, nil
			w.bindParams(list)
			w.tags = docTags{}
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
