package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// object tells what the functions in an object literal are.
type object struct {
	symbol    int32  // members of this definition, or -1
	container string // of a definition known by name only
	exports   bool   // exports of the module
	depth     int
}

// maxObjectDepth is how deep functions in nested literals count as members.
const maxObjectDepth = 2

// optionGroups are properties of an options object whose functions belong to
// the component or store itself.
var optionGroups = map[string]bool{
	"methods": true, "computed": true, "actions": true, "getters": true, "mutations": true, "reducers": true, "watch": true,
}

// objectValue notes that the literal in a value holds the members of a
// definition: the value itself or an argument of the call that makes it.
func (w *walker) objectValue(value syntax.Node, symbol int32) {
	w.objectIn(value, object{symbol: symbol})
}

func (w *walker) objectIn(value syntax.Node, o object) {
	if w.b.InBody() || o.symbol < 0 && o.container == "" && !o.exports {
		return
	}
	value = inner(value)
	for range 8 {
		if !value.Is("assignment_expression") {
			break
		}
		value = inner(value.Child("right"))
	}
	switch value.Kind() {
	case "object":
		if _, taken := w.objects[value.Index()]; !taken {
			w.objects[value.Index()] = o
		}
	case "call_expression", "new_expression":
		for a := range value.Child("arguments").NamedChildren {
			if a := inner(a); a.Is("object") {
				w.objects[a.Index()] = o
			}
		}
	}
}

// objectLiteral walks a literal and declares its functions when they are
// members of a definition.
func (w *walker) objectLiteral(n syntax.Node) {
	w.keys(n)
	o, known := w.objects[n.Index()]
	if !known {
		for c := range n.NamedChildren {
			switch c.Kind() {
			case "pair":
				if k := c.Child("key"); k.Is("computed_property_name") {
					w.walk(k)
				}
				w.walk(c.Child("value"))
			case "method_definition":
				w.method(c, -1)
			default:
				w.walk(c)
			}
		}
		return
	}
	w.each(n, func(c syntax.Node) { w.property(c, o) })
}

func (w *walker) property(c syntax.Node, o object) {
	switch c.Kind() {
	case "method_definition":
		w.objectMethod(c, c, c.Child("name"), o)
	case "pair":
		key, value := c.Child("key"), c.Child("value")
		if key.Is("computed_property_name") {
			w.walk(key)
		}
		name, span, ok := nameOf(key)
		fn := definitionValue(value, 0)
		v := inner(value)
		switch {
		case ok && !fn.IsZero():
			w.objectMethod(c, fn, key, o)
			return
		case ok && o.exports:
			if !key.Is("computed_property_name") {
				w.exportedProperty(name, v)
			}
		case ok && v.Is("object") && o.depth+1 < maxObjectDepth && holdsFunctions(v, 0):
			nested := o
			nested.depth++
			if !optionGroups[name] {
				i := w.definition(facts.Symbol{
					Name: name, Kind: facts.KindField, Container: o.container, Signature: name, Init: "{}",
					Span: lang.SpanOf(c), NameSpan: span,
				}, memberVisibility(c, name))
				nested = object{symbol: i, depth: nested.depth}
			}
			w.objects[v.Index()] = nested
			w.b.Within(nested.symbol, func() { w.walk(value) })
			return
		}
		w.walk(value)
	case "shorthand_property_identifier":
		if o.exports {
			w.b.Export(facts.Export{Name: c.Text()})
			w.markExported(c.Text(), false)
		}
		w.walk(c)
	case "spread_element":
		if call, members, ok := requireOf(firstNamed(c)); ok && o.exports && len(members) == 0 {
			w.reexportRequired(call, "*")
			return
		}
		w.walk(c)
	default:
		w.walk(c)
	}
}

// exportedProperty handles a: b in module.exports = {…}.
func (w *walker) exportedProperty(name string, value syntax.Node) {
	if value.Is("identifier") {
		e := facts.Export{Name: name}
		if local := value.Text(); local != name {
			e.Local = local
		}
		w.b.Export(e)
		w.markExported(value.Text(), false)
		return
	}
	e := facts.Export{Name: name}
	if call, members, ok := requireOf(value); ok {
		e.Module, _ = literalText(firstNamed(call.Child("arguments")))
		if len(members) == 0 {
			e.Local = "*"
		} else if local := members[len(members)-1].Text(); local != name {
			e.Local = local
		}
	}
	w.b.Export(e)
}

// objectMethod declares a function that stands in an object literal.
func (w *walker) objectMethod(c, fn, key syntax.Node, o object) {
	name, span, ok := nameOf(key)
	if !ok {
		w.walk(key)
		w.walkMember(c, fn, -1)
		return
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindMethod, Container: o.container, Span: lang.SpanOf(c), NameSpan: span,
		Signature: w.head(c, c.Start(), bodyStart(fn)),
	}
	vis := memberVisibility(c, name)
	if o.exports {
		s.Kind, s.Flags, vis = facts.KindFunction, facts.Exported, facts.Public
	}
	if c.Is("method_definition") {
		s.Params, s.Type, s.Flags = params(c), typeText(c.Child("return_type")), s.Flags|memberFlags(c)
		if s.Flags&(facts.Getter|facts.Setter) != 0 {
			s.Kind = facts.KindProperty
		}
	} else {
		w.describeValue(&s, fn)
	}
	w.walkMember(c, fn, w.definition(s, vis))
}

func (w *walker) walkMember(c, fn syntax.Node, symbol int32) {
	if c == fn {
		w.function(c, symbol, false)
		return
	}
	w.adopt(fn, symbol)
	w.b.Within(symbol, func() { w.walk(c.Child("value")) })
}

// holdsFunctions tells whether an object literal has functions, in itself or
// in literals up to a number of levels below.
func holdsFunctions(n syntax.Node, levels int) bool {
	for c := range n.NamedChildren {
		if c.Is("method_definition") {
			return true
		}
		if !c.Is("pair") {
			continue
		}
		value := c.Child("value")
		if !definitionValue(value, 0).IsZero() {
			return true
		}
		if v := inner(value); levels > 0 && v.Is("object") && holdsFunctions(v, levels-1) {
			return true
		}
	}
	return false
}

// globals are objects whose properties are seen by every script.
var globals = map[string]bool{"window": true, "globalThis": true, "global": true, "self": true, "root": true}

// assignment declares what an assignment defines (exports, methods of a
// prototype, static methods, fields set in a constructor) and walks it. The
// chain a = b = c is unrolled.
func (w *walker) assignment(n syntax.Node) {
	doc := w.doc
	for range maxDepth {
		left, right := n.Child("left"), n.Child("right")
		w.doc = doc
		symbol := w.assigned(n, left, right)
		w.doc = ""
		_, exports := exportTarget(left)
		switch {
		case exports:
		case symbol >= 0:
			// The name is the definition itself.
			w.walk(left.Child("object"))
		default:
			w.walk(left)
		}
		next := inner(right)
		if v := unwrapped(right); left.Is("identifier", "member_expression") && v.Is("object", "array", "arrow_function", "function_expression", "ternary_expression", "binary_expression") && symbol < 0 {
			w.expect(v, shape(left))
		}
		if !next.Is("assignment_expression") {
			if w.b.InBody() && definitionValue(right, 0).IsZero() {
				symbol = -1
			}
			w.b.Within(symbol, func() { w.walk(right) })
			return
		}
		n = next
	}
}

func (w *walker) assigned(n, left, right syntax.Node) int32 {
	if left.Is("identifier") && n.HasToken("using") {
		return w.using(n, left, right)
	}
	fn := definitionValue(right, 0)
	if left.Is("identifier") && !fn.IsZero() && !w.local() && !w.b.Bound(left.Text()) {
		return w.assignedLater(n, left, right, fn)
	}
	if !left.Is("member_expression") {
		return -1
	}
	owned := func(s facts.Symbol, vis facts.Visibility) int32 {
		w.describeValue(&s, fn)
		s.Span = lang.SpanOf(n)
		s.Signature = w.valueHead(n, right, fn)
		i := w.definition(s, vis)
		w.adopt(fn, i)
		return i
	}
	object, property := left.Child("object"), left.Child("property")
	name, span, ok := nameOf(property)
	if !ok {
		return -1
	}
	s := facts.Symbol{Name: name, NameSpan: span, Kind: facts.KindVariable, Init: shape(right)}
	if _, exports := exportTarget(left); exports && !w.b.InBody() {
		return w.commonExport(left, right, fn, s, owned)
	}
	if object.Is("this") {
		return w.thisMember(right, fn, s, owned)
	}
	if w.b.InBody() && fn.IsZero() {
		return -1
	}
	// Foo.prototype.bar = function, Foo.prototype = {…}
	if object.Is("member_expression") && object.Child("property").Text() == "prototype" {
		if fn.IsZero() {
			return -1
		}
		s.Kind, s.Container = facts.KindMethod, containerName(object.Child("object"))
		return owned(s, memberVisibility(n, name))
	}
	if name == "prototype" {
		if c := containerName(object); c != "" {
			w.objectIn(right, objectOf(c))
		}
		return -1
	}
	if object.Is("identifier") && globals[object.Text()] {
		if v := inner(right); v.Is("identifier") {
			w.markExported(v.Text(), false)
			return -1
		}
		if fn.IsZero() {
			return -1
		}
		s.Flags |= facts.Exported
		return owned(s, facts.Public)
	}
	container := containerName(object)
	if container == "" {
		return -1
	}
	if fn.IsZero() {
		// Namespaces of old libraries: Lib.util = { each: function () {} }
		if v := inner(right); v.Is("object") && holdsFunctions(v, 1) {
			s.Kind, s.Container = facts.KindField, container
			i := owned(s, memberVisibility(n, name))
			w.objectValue(right, i)
			return i
		}
		return -1
	}
	s.Kind, s.Container = facts.KindMethod, container
	if last := container[strings.LastIndexByte(container, '.')+1:]; last != "" && last[0] >= 'A' && last[0] <= 'Z' {
		s.Flags |= facts.Static
	}
	return owned(s, memberVisibility(n, name))
}

// assignedLater handles x = function () {} at the level of the file: it makes
// a function of the variable declared before, or declares a global.
func (w *walker) assignedLater(n, left, right, fn syntax.Node) int32 {
	if known := w.top[left.Text()]; len(known) > 0 {
		i := known[len(known)-1]
		s := w.b.At(i)
		if s.Kind != facts.KindVariable || s.Init != "" && s.Init != "nil" {
			return -1
		}
		w.describeValue(s, fn)
		s.Signature = w.valueHead(n, right, fn)
		if len(s.Signature) > facts.MaxSignature {
			s.Signature = s.Name
		}
		w.adopt(fn, i)
		return i
	}
	s := facts.Symbol{Name: left.Text(), Kind: facts.KindVariable, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(left), Signature: w.valueHead(n, right, fn)}
	w.describeValue(&s, fn)
	i := w.definition(s, w.topVisibility())
	w.adopt(fn, i)
	return i
}

// using handles using x = …, which the grammars take for an assignment.
func (w *walker) using(n, left, right syntax.Node) int32 {
	if w.local() {
		w.b.Bind(left.Text(), left.Start(), "", shape(right))
		return -1
	}
	return w.definition(facts.Symbol{
		Name: left.Text(), Kind: facts.KindVariable, Init: shape(right), Signature: "using " + left.Text(),
		Span: lang.SpanOf(n), NameSpan: lang.SpanOf(left),
	}, w.topVisibility())
}

func objectOf(container string) object { return object{symbol: -1, container: container} }

// containerName is the dotted name of what a method is put into, or "".
func containerName(n syntax.Node) string {
	if !n.Is("identifier", "member_expression") || len(n.Bytes()) > 80 {
		return ""
	}
	s := shape(n)
	if s == lang.Unknown || strings.ContainsAny(s, "()[] ") {
		return ""
	}
	return strings.TrimSuffix(s, ".prototype")
}

// commonExport handles module.exports = … and exports.x = ….
func (w *walker) commonExport(left, right, fn syntax.Node, s facts.Symbol, owned func(facts.Symbol, facts.Visibility) int32) int32 {
	name, _ := exportTarget(left)
	whole := name.IsZero()
	v := inner(right)
	if call, members, ok := requireOf(right); ok {
		if whole && len(members) == 0 {
			w.reexportRequired(call, "*")
			return -1
		}
		if !whole {
			w.exportedProperty(s.Name, v)
			return -1
		}
	}
	switch {
	case v.Is("identifier"):
		if v.Text() == "undefined" {
			return -1
		}
		e := facts.Export{Name: s.Name, Local: v.Text()}
		if whole {
			e.Name = "default"
		} else if e.Local == e.Name {
			e.Local = ""
		}
		w.b.Export(e)
		w.markExported(v.Text(), whole)
		return -1
	case whole && v.Is("object"):
		w.objectIn(right, object{symbol: -1, exports: true})
		return -1
	case v.Is("assignment_expression") && fn.IsZero():
		if l := v.Child("left"); l.Is("identifier") {
			w.markExported(l.Text(), whole)
		}
		return -1
	case v.Is("call_expression") && w.b.Bound(v.Child("function").Text()):
		// module.exports = factory(…) in the wrapper of a library.
		return -1
	case v.Is("unary_expression") && v.Child("operator").Text() == "void":
		return -1
	}
	if whole {
		s.Flags |= facts.DefaultExport
		s.Name = "default"
		if id := fn.Child("name"); !id.IsZero() {
			s.Name, s.NameSpan = id.Text(), lang.SpanOf(id)
		}
	}
	s.Flags |= facts.Exported
	if isConstantName(s.Name) {
		s.Kind = facts.KindConstant
	}
	i := owned(s, facts.Public)
	w.objectValue(right, i)
	return i
}

// reexportRequired handles module.exports = require('x').
func (w *walker) reexportRequired(call syntax.Node, name string) {
	module, ok := literalText(firstNamed(call.Child("arguments")))
	if !ok || module == "" {
		return
	}
	w.b.Export(facts.Export{Name: name, Module: module})
	w.b.Import(facts.Import{Module: module, Names: []facts.ImportedName{{Name: name}}, Flags: facts.ImportReexport}, call.Start())
}

// thisMember handles this.x = … : functions are methods, and in the constructor
// of a class everything that is not declared in its body is a field.
func (w *walker) thisMember(right, fn syntax.Node, s facts.Symbol, owned func(facts.Symbol, facts.Visibility) int32) int32 {
	vis := memberVisibility(syntax.Node{}, s.Name)
	if k := len(w.classes); k > 0 && w.classes[k-1].symbol >= 0 {
		c := w.classes[k-1]
		if c.fields[s.Name] || !c.constructing {
			return -1
		}
		c.fields[s.Name] = true
		s.Kind = facts.KindField
		if !fn.IsZero() {
			s.Kind = facts.KindMethod
		}
		at := int32(-1)
		w.b.Within(c.symbol, func() { at = owned(s, vis) })
		return at
	}
	if fn.IsZero() {
		return -1
	}
	s.Kind = facts.KindMethod
	if w.b.Enclosing() < 0 {
		s.Kind = facts.KindFunction
	}
	return owned(s, vis)
}
