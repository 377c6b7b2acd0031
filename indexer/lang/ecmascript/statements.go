package ecmascript

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// each visits the named children of a list of statements or members with the
// comment above each in w.doc. Decorators in the list do not part a comment
// from what they decorate.
func (w *walker) each(n syntax.Node, visit func(syntax.Node)) {
	w.eachUntil(n, 0, func(c syntax.Node) bool { visit(c); return false })
}

// eachUntil is each for the children from an offset on, until visit says stop.
func (w *walker) eachUntil(n syntax.Node, from uint32, visit func(syntax.Node) bool) {
	docs := lang.CommentsOf(w.b)
	behind, lead := uint32(0), ""
	for c := range n.Children {
		if c.Start() < from {
			continue
		}
		if !c.IsNamed() {
			if c.End() > c.Start() {
				behind = w.b.Line(c.End() - 1)
			}
			continue
		}
		switch {
		case c.Is("comment", "html_comment"):
			docs.Add(c, behind)
			continue
		case c.Is("decorator"):
			if lead == "" {
				lead = docs.Above(c.Start())
			}
			w.walk(c)
			continue
		}
		if w.doc = docs.Above(c.Start()); w.doc == "" {
			w.doc = lead
		}
		lead = ""
		if visit(c) {
			break
		}
		behind = w.b.Line(max(c.Start(), c.End()-min(c.End(), 1)))
	}
	w.doc = ""
}

// statements walks the statements of a file, a block or a namespace.
func (w *walker) statements(n syntax.Node) { w.statementsFrom(n, 0, 0) }

func (w *walker) statementsFrom(n syntax.Node, from uint32, nested int) {
	w.eachUntil(n, from, func(c syntax.Node) bool {
		w.walk(c)
		if !w.b.InBody() || nested >= maxNarrowings {
			return false
		}
		known := leaves(c)
		if len(known) == 0 {
			return false
		}
		w.narrowedSpan(c.End(), n.End(), known, func() { w.statementsFrom(n, c.End(), nested+1) })
		return true
	})
}

// block walks a block in a scope of its own.
func (w *walker) block(n syntax.Node) {
	w.b.Scope(lang.SpanOf(n), func() {
		w.blocks++
		w.hoistBlock(n)
		w.statements(n)
		w.blocks--
	})
}

// local tells whether a declaration with let or const binds a name that is
// seen in a part of the file only.
func (w *walker) local() bool { return w.b.InBody() || w.blocks > 0 }

// hoistBlock binds what let and const declare directly in a block, so that
// uses above the declaration do not count as uses of outer names.
func (w *walker) hoistBlock(n syntax.Node) {
	if !w.local() {
		return
	}
	for c := range n.NamedChildren {
		if c.Is("lexical_declaration") {
			w.bindDeclarators(c)
		}
	}
}

// hoistVars binds what var declares anywhere in a function, but for nested
// functions and classes.
func (w *walker) hoistVars(body syntax.Node) {
	if body.IsZero() || !w.b.InBody() {
		return
	}
	t := w.b.Tree
	for i := body.Index() + 1; i < body.SubtreeEnd(); {
		c := t.At(i)
		switch c.Kind() {
		case "function_declaration", "function_expression", "arrow_function", "generator_function", "generator_function_declaration",
			"method_definition", "class_declaration", "class", "object", "jsx_element":
			i = c.SubtreeEnd()
			continue
		case "variable_declaration":
			w.bindDeclarators(c)
		case "for_in_statement":
			if k := c.Child("kind"); k.Is("var") {
				w.bindPattern(c.Child("left"), "", elementShape(c))
			}
		}
		i++
	}
}

// bindDeclarators binds the names of a declaration that are no definitions.
func (w *walker) bindDeclarators(decl syntax.Node) {
	for d := range decl.NamedChildren {
		if !d.Is("variable_declarator") {
			continue
		}
		name, value := d.Child("name"), d.Child("value")
		if name.Is("identifier") && !definitionValue(value, 0).IsZero() {
			continue
		}
		if _, _, ok := requireOf(value); ok {
			continue
		}
		w.bindPattern(name, typeText(d.Child("type")), shape(value))
	}
}

// bindPattern binds every name of a pattern.
func (w *walker) bindPattern(pattern syntax.Node, typ, init string) {
	w.eachName(pattern, typ, init, 0, func(name syntax.Node, typ, init string) {
		w.b.Bind(name.Text(), name.Start(), typ, init)
		w.remember(name.Text(), typ, init)
	})
}

// eachName calls yield for every name that a pattern binds, with its declared
// type and the shape of what it receives. The properties that a pattern takes
// out of what has a shape are recorded as uses of its members.
func (w *walker) eachName(p syntax.Node, typ, init string, depth int, yield func(name syntax.Node, typ, init string)) {
	if p.IsZero() || depth > 64 {
		return
	}
	// What a part of a pattern receives is a part of what the whole receives.
	whole := init
	if typ != "" {
		whole = typed(typ)
	}
	switch {
	case strings.HasPrefix(whole, "await "):
		whole = then(whole, "")
	case whole == lang.Unknown, strings.HasPrefix(whole, "{}"), strings.HasPrefix(whole, "[]"),
		whole == `""`, whole == "0", whole == "true", whole == "nil", whole == "func":
		whole = ""
	}
	part := func(suffix string) string {
		if whole == "" {
			return ""
		}
		return lang.Shape(whole + suffix)
	}
	switch p.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		yield(p, typ, init)
	case "required_parameter", "optional_parameter":
		if v := p.Child("value"); !v.IsZero() && init == "" {
			init = shape(v)
		}
		w.eachName(p.Child("pattern"), typeText(p.Child("type")), init, depth+1, yield)
	case "assignment_pattern":
		if init == "" {
			init = shape(p.Child("right"))
		}
		w.eachName(p.Child("left"), typ, init, depth+1, yield)
	case "rest_pattern":
		w.eachName(firstNamed(p), typ, "", depth+1, yield)
	case "object_pattern":
		for c := range p.NamedChildren {
			w.taken(c, whole)
			switch c.Kind() {
			case "shorthand_property_identifier_pattern":
				yield(c, "", part("."+c.Text()))
			case "object_assignment_pattern":
				left := c.Child("left")
				w.eachName(left, "", part("."+left.Text()), depth+1, yield)
			case "pair_pattern":
				sub := ""
				if name, _, ok := nameOf(c.Child("key")); ok && c.Child("key").Is("property_identifier") {
					sub = part("." + name)
				}
				w.eachName(c.Child("value"), "", sub, depth+1, yield)
			case "rest_pattern":
				w.eachName(c, "", "", depth+1, yield)
			}
		}
	case "array_pattern":
		for c := range p.NamedChildren {
			if !c.Is("comment") {
				w.eachName(c, "", part("[]"), depth+1, yield)
			}
		}
	}
}

// taken records that a part of an object pattern uses a member of a value.
func (w *walker) taken(c syntax.Node, whole string) {
	if whole == "" {
		return
	}
	switch c.Kind() {
	case "pair_pattern":
		c = c.Child("key")
	case "object_assignment_pattern":
		c = c.Child("left")
	}
	if c.Is("shorthand_property_identifier_pattern", "property_identifier") {
		w.b.Reference(facts.RefRead, c.Text(), lang.Shape(whole), c.Start())
	}
}

// patternValues walks what stands as a value in a pattern: defaults and
// computed keys.
func (w *walker) patternValues(p syntax.Node) {
	if p.IsZero() || w.depth >= maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	for c := range p.NamedChildren {
		switch {
		case c.Is("computed_property_name"), c.FieldName() == "right":
			w.walk(c)
		case c.Is("object_pattern", "array_pattern", "pair_pattern", "object_assignment_pattern", "assignment_pattern", "rest_pattern"):
			w.patternValues(c)
		}
	}
	if p.Is("assignment_pattern", "object_assignment_pattern") && p.Child("right").FieldName() == "" {
		w.walk(p.Child("right"))
	}
}

// elementShape is the shape of what the variable of a for-of loop receives.
func elementShape(loop syntax.Node) string {
	if !loop.Child("operator").Is("of") {
		return `""`
	}
	if s := shape(loop.Child("right")); s != lang.Unknown && s != "" && !strings.HasPrefix(s, "await ") {
		return lang.Shape(s + "[]")
	}
	return lang.Unknown
}

// variables walks var, let and const: definitions at the level of the file, and
// those that hold a function or a class anywhere; others are bound already.
func (w *walker) variables(n syntax.Node, flags facts.SymbolFlags, inLoop bool) {
	keyword := "var"
	if k := n.Child("kind"); !k.IsZero() {
		keyword = k.Text()
	}
	doc := w.doc
	bound := w.b.InBody() || inLoop || w.blocks > 0 && keyword != "var"
	first := true
	w.each(n, func(d syntax.Node) {
		if first && w.doc == "" {
			w.doc = doc
		}
		first = false
		if !d.Is("variable_declarator") {
			w.walk(d)
			return
		}
		w.variable(d, keyword, flags, bound)
	})
}

func (w *walker) variable(d syntax.Node, keyword string, flags facts.SymbolFlags, bound bool) {
	name, value, typ := d.Child("name"), d.Child("value"), d.Child("type")
	if call, members, ok := requireOf(value); ok {
		w.requireDeclaration(d, call, members)
		return
	}
	if ctx := typed(typeText(typ)); ctx == lang.Unknown && name.Is("identifier") {
		w.expect(value, name.Text())
	} else {
		w.expect(value, ctx)
	}
	fn := definitionValue(value, 0)
	if !name.Is("identifier") || bound && fn.IsZero() {
		w.walk(typ)
		w.patternValues(name)
		if bound {
			w.walk(value)
			return
		}
		at := int32(-1)
		w.eachName(name, typeText(typ), shape(value), 0, func(id syntax.Node, typ, init string) {
			i := w.definition(facts.Symbol{
				Name: id.Text(), Kind: variableKind(keyword, id.Text()), Flags: flags, Type: typ, Init: init,
				Signature: keyword + " " + id.Text(), Span: lang.SpanOf(d), NameSpan: lang.SpanOf(id),
			}, w.topVisibility())
			w.noteDeclared(i)
			if at < 0 {
				at = i
			}
		})
		w.walk(value)
		return
	}
	s := facts.Symbol{
		Name: name.Text(), Kind: variableKind(keyword, name.Text()), Flags: flags, Type: typeText(typ), Init: shape(value),
		Span: lang.SpanOf(d), NameSpan: lang.SpanOf(name),
	}
	s.Signature = keyword + " " + w.valueHead(d, value, fn)
	if fn.IsZero() {
		whole(&s, s.Type)
	}
	w.describeValue(&s, fn)
	i := w.definition(s, w.topVisibility())
	w.noteDeclared(i)
	if !bound {
		w.objectValue(value, i)
		w.exportedVariable(name.Text(), value)
	}
	w.b.Within(i, func() {
		w.owning(i, func() { w.walk(typ) })
		w.adopt(fn, i)
		w.walk(value)
	})
}

// exportedVariable recognises var app = exports = module.exports = {}.
func (w *walker) exportedVariable(name string, value syntax.Node) {
	v := inner(value)
	for range 8 {
		if !v.Is("assignment_expression") {
			return
		}
		if target, ok := exportTarget(v.Child("left")); ok {
			e := facts.Export{Name: "default", Local: name}
			if !target.IsZero() {
				e.Name = target.Text()
			}
			w.export(e)
			w.markExported(name, target.IsZero())
		}
		v = inner(v.Child("right"))
	}
}

// adopt notes the definition that a function or class is the value of.
func (w *walker) adopt(fn syntax.Node, symbol int32) {
	if !fn.IsZero() && symbol >= 0 {
		w.owned[fn.Index()] = symbol
	}
}

// describeValue completes a symbol that a function or class is the value of.
func (w *walker) describeValue(s *facts.Symbol, fn syntax.Node) {
	switch {
	case fn.IsZero():
	case fn.Is("class"):
		s.Kind = facts.KindClass
		s.Bases, s.Init = bases(fn), ""
	default:
		if s.Kind != facts.KindMethod {
			s.Kind = facts.KindFunction
		}
		s.Params = params(fn)
		s.Init = ""
		if s.Type == "" {
			s.Type = typeText(fn.Child("return_type"))
		}
		if fn.HasToken("async") {
			s.Flags |= facts.Async
		}
	}
}

// valueHead is a declarator, pair or assignment up to the body of the function
// or class it holds, or with its value where that is short and plain.
func (w *walker) valueHead(d, value, fn syntax.Node) string {
	switch {
	case value.IsZero():
		return w.head(d, declared(d), d.End())
	case !fn.IsZero():
		return w.head(d, declared(d), bodyStart(fn))
	case value.Is("string", "number", "true", "false", "null", "undefined") && value.End()-value.Start() <= 80,
		value.Is("unary_expression") && firstNamed(value).Is("number"):
		return w.head(d, declared(d), d.End())
	}
	return strings.TrimRight(w.head(d, declared(d), value.Start()), " =:")
}

// bodyStart is where the head of a function or class ends.
func bodyStart(fn syntax.Node) uint32 {
	if fn.Is("arrow_function") {
		if arrow := fn.ChildOfKind("=>"); !arrow.IsZero() {
			return arrow.End()
		}
	}
	if body := fn.Child("body"); !body.IsZero() {
		return body.Start()
	}
	return fn.End()
}

func variableKind(keyword, name string) facts.Kind {
	if keyword == "const" && isConstantName(name) {
		return facts.KindConstant
	}
	return facts.KindVariable
}

// wrapping functions return a function that stands for one that they are given.
var wrapping = map[string]bool{
	"memo": true, "forwardRef": true, "observer": true, "useCallback": true, "debounce": true, "throttle": true,
	"asyncHandler": true, "catchAsync": true, "memoize": true, "once": true, "action": true, "withRouter": true,
	"useMemoizedFn": true, "useEvent": true,
}

// definitionValue is the function or class that makes a variable, field or
// property a definition of its own: the value itself, or what is handed to a
// wrapper such as memo.
func definitionValue(value syntax.Node, depth int) syntax.Node {
	value = inner(value)
	switch value.Kind() {
	case "arrow_function", "function_expression", "generator_function", "class":
		return value
	case "assignment_expression":
		if depth < 8 {
			return definitionValue(value.Child("right"), depth+1)
		}
	case "call_expression":
		f := inner(value.Child("function"))
		if f.Is("member_expression") {
			f = f.Child("property")
		}
		if depth >= 3 || !wrapping[f.Text()] {
			break
		}
		// debounce is called as (f, delay) here and (delay, f) there.
		k := 0
		for a := range value.Child("arguments").NamedChildren {
			if fn := definitionValue(a, depth+1); !fn.IsZero() {
				return fn
			}
			if k++; k == 2 {
				break
			}
		}
	}
	return syntax.Node{}
}
