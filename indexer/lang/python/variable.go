package python

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// suiteOf is the block or module around a statement.
func suiteOf(n syntax.Node) syntax.Node {
	for hops := 0; hops < maxAncestors; hops++ {
		p := n.Parent()
		if p.IsZero() || n.Is("block", "module") {
			return n
		}
		n = p
	}
	return n
}

// variable reports an assignment at the level of the file or of a class. A
// name is defined where it is first assigned, and again in another branch
// (else, except) than before; any other assignment is a use.
//
// whole is the statement, or the name itself where a loop or with statement
// binds it.
func (w *walker) variable(name, whole, right syntax.Node, typ, init string) {
	text := name.Text()
	if text == "_" {
		return
	}
	key := place{w.b.Enclosing(), text}
	for _, d := range w.defined[key] {
		if d.suite.Index() <= name.Index() && name.Index() < d.suite.SubtreeEnd() {
			w.improve(d.symbol, typ, init)
			w.name(name, facts.RefRead)
			return
		}
	}
	statement := whole.Kind() == "assignment"
	s := w.symbol(name, whole, facts.KindVariable)
	s.Type, s.Init = typ, init
	top := w.top()
	switch {
	case top.kind == classScope:
		s.Kind = facts.KindField
		if top.class.enum && statement && whole.Child("type").IsZero() && !right.IsZero() && !strings.HasPrefix(text, "_") {
			s.Kind = facts.KindEnumMember
		}
	case isConstant(text) || strings.HasPrefix(typ, "Final") || strings.Contains(typ, ".Final"):
		s.Kind = facts.KindConstant
	}
	if !statement {
		// What a loop or with statement leaves behind is no interface.
		if top.kind == moduleScope {
			s.Visibility = facts.Private
		}
		s.Span = lang.SpanOf(name)
		s.Signature = text
		w.add(key, name, s)
		return
	}
	s.Doc = w.attributeDoc(whole)
	s.Signature = text
	if t := whole.Child("type"); !t.IsZero() {
		s.Signature += ": " + oneLine(t)
	}
	if v := w.shortValue(right); v != "" && !whole.HasError() {
		s.Signature += " = " + v
	}
	if lastPart(typ) == "TypeAlias" {
		s.Kind, s.Type = facts.KindType, oneLine(right)
	}
	switch right.Kind() {
	case "lambda":
		w.lambdaFunction(name, whole, right, s, key)
		return
	case "call":
		w.made(name, whole, right, s, key)
		return
	case "subscript":
		if top.kind == moduleScope && typ == "" && isTypeForm(right) {
			s.Kind, s.Type = facts.KindType, oneLine(right)
		}
	}
	w.add(key, name, s)
}

func (w *walker) add(key place, name syntax.Node, s facts.Symbol) int32 {
	i := w.b.Symbol(s)
	w.defined[key] = append(w.defined[key], block{suiteOf(name), i})
	return i
}

// improve completes a definition that was first given None or nothing, as
// `x = None` before a real value.
func (w *walker) improve(symbol int32, typ, init string) {
	if symbol < 0 {
		return
	}
	s := w.b.At(symbol)
	if s.Type == "" && typ != "" {
		s.Type = typ
	}
	if (s.Init == "" || s.Init == "nil" || s.Init == lang.Unknown) && init != "" && init != "nil" && init != lang.Unknown {
		s.Init = init
	}
}

func isConstant(name string) bool {
	letter := false
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			letter = true
		case r == '_', r >= '0' && r <= '9':
		default:
			return false
		}
	}
	return letter
}

// isTypeForm tells whether a subscript is a type: Union[int, str], list[int].
func isTypeForm(n syntax.Node) bool {
	switch lastPart(shape(n.Child("value"))) {
	case "Union", "Optional", "Callable", "Literal", "Annotated", "Type", "List", "Dict", "Tuple", "Set", "FrozenSet",
		"Mapping", "MutableMapping", "Sequence", "Iterable", "Iterator", "Generator", "Awaitable", "Coroutine", "Concatenate",
		"list", "dict", "tuple", "set", "frozenset", "type":
		return true
	}
	return false
}

// lambdaFunction reports a name that a lambda is assigned to as a function.
func (w *walker) lambdaFunction(name, whole, right syntax.Node, s facts.Symbol, key place) {
	s.Kind = facts.KindFunction
	first := ""
	if t := w.top(); t.kind == classScope {
		s.Kind = facts.KindMethod
		first = t.class.name + "()"
	}
	body, params := right.Child("body"), right.Child("parameters")
	s.Params = w.declared(params)
	s.Signature = strings.TrimSpace(name.Text() + " = lambda " + oneLine(params))
	s.Init = ""
	i := w.add(key, name, s)
	if w.depth >= maxDepth {
		return
	}
	w.depth++
	w.b.Within(i, func() { w.body(body, w.parameters(params), first) })
	w.depth--
}

// made reports a name to which the result of a call is assigned: calls of some
// functions make classes, types and properties.
func (w *walker) made(name, whole, right syntax.Node, s facts.Symbol, key place) {
	args := arguments(right)
	literal := ""
	if len(args) > 0 {
		literal, _, _ = stringText(args[0])
	}
	names := literal == s.Name
	switch callee := lastPart(shape(right.Child("function"))); {
	case callee == "property" && w.top().kind == classScope:
		s.Kind, s.Init = facts.KindProperty, ""
		s.Flags |= facts.Getter
		if len(args) > 1 {
			s.Flags |= facts.Setter
		}
	case (callee == "TypeVar" || callee == "ParamSpec" || callee == "TypeVarTuple") && literal != "":
		s.Kind = facts.KindType
	case callee == "NewType" && len(args) == 2:
		s.Kind, s.Type = facts.KindType, oneLine(args[1])
	case names && (callee == "namedtuple" || callee == "NamedTuple"):
		s.Kind, s.Init, s.Bases = facts.KindClass, "", []string{oneLine(right.Child("function"))}
		i := w.add(key, name, s)
		if len(args) > 1 {
			w.b.Within(i, func() { w.tupleFields(args[1]) })
		}
		return
	case names && callee == "TypedDict":
		s.Kind, s.Init, s.Bases = facts.KindClass, "", []string{oneLine(right.Child("function"))}
	case names && isEnum(callee):
		s.Kind, s.Init, s.Bases = facts.KindEnum, "", []string{oneLine(right.Child("function"))}
	case names && callee == "type" && len(args) == 3:
		s.Kind, s.Init = facts.KindClass, ""
		if args[1].Kind() == "tuple" {
			args[1].NamedChildren(func(c syntax.Node) bool {
				s.Bases = append(s.Bases, oneLine(c))
				return true
			})
		}
	}
	w.add(key, name, s)
}

// tupleFields reports the fields of a named tuple, given as a string of names,
// a list of strings or a list of pairs.
func (w *walker) tupleFields(n syntax.Node) {
	field := func(name string, at uint32, typ syntax.Node) {
		span := facts.Span{Start: at, End: at + uint32(len(name))}
		s := facts.Symbol{Name: name, Kind: facts.KindField, Span: span, NameSpan: span, Visibility: w.visibility(name), Signature: name}
		if !typ.IsZero() {
			s.Type = oneLine(typ)
			s.Signature += ": " + s.Type
		}
		w.b.Symbol(s)
	}
	if text, at, ok := stringText(n); ok {
		for i := 0; i < len(text); {
			end := i
			for end < len(text) && isWord(text[end]) {
				end++
			}
			if end > i {
				field(text[i:end], at+uint32(i), syntax.Node{})
			}
			i = end + 1
		}
		return
	}
	n.NamedChildren(func(c syntax.Node) bool {
		item, typ := c, syntax.Node{}
		if c.Kind() == "tuple" {
			item = firstNamed(c)
			if typ = lastNamed(c); typ == item {
				typ = syntax.Node{}
			}
		}
		if text, at, ok := stringText(item); ok && isDotted(text) {
			field(text, at, typ)
		}
		return true
	})
}

// field is an attribute that a method sets on its first parameter.
type field struct {
	name, whole syntax.Node
	typ, init   string
}

// selfFields finds the attributes that the methods of a class set on
// themselves, in the order of their first assignment. names are those that the
// class itself binds.
func (w *walker) selfFields(body syntax.Node, names map[string]nameKind) []field {
	var out []field
	index := map[string]int{}
	for i, end := body.Index(), body.SubtreeEnd(); i < end; {
		n := w.t.At(i)
		i++
		switch n.Kind() {
		case "class_definition":
			i = n.SubtreeEnd()
		case "function_definition":
			for _, f := range w.fieldsOf(n) {
				text := f.name.Text()
				if k, seen := index[text]; seen {
					old := &out[k]
					if old.typ == "" {
						old.typ = f.typ
					}
					if (old.init == "" || old.init == "nil" || old.init == lang.Unknown) && f.init != "" && f.init != lang.Unknown {
						old.init = f.init
					}
					continue
				}
				index[text] = len(out)
				out = append(out, f)
				if names[text] == 0 {
					w.fieldAt[f.name.Start()] = true
				}
			}
			i = n.SubtreeEnd()
		}
	}
	return out
}

// fieldsOf lists the assignments of one method to attributes of its first
// parameter.
func (w *walker) fieldsOf(method syntax.Node) []field {
	for _, d := range decorators(method) {
		if strings.HasSuffix(lastPart(d), "staticmethod") {
			return nil
		}
	}
	body := method.Child("body")
	declared := map[string]string{}
	self := ""
	method.Child("parameters").NamedChildren(func(p syntax.Node) bool {
		name := p
		switch p.Kind() {
		case "typed_parameter":
			name = firstNamed(p)
		case "typed_default_parameter", "default_parameter":
			name = p.Child("name")
		}
		if name.Kind() != "identifier" {
			return self != ""
		}
		if self == "" {
			self = name.Text()
		}
		if t := p.Child("type"); !t.IsZero() {
			declared[name.Text()] = oneLine(t)
		}
		return true
	})
	if self == "" || body.IsZero() {
		return nil
	}
	var out []field
	// A local variable means nothing outside of the method: the attribute gets
	// what the variable was given.
	var local map[string]field
	known := func(typ, init string) (string, string) {
		if typ != "" || init == "" || init == lang.Unknown {
			return typ, init
		}
		if local == nil {
			local = w.valuesOf(body)
		}
		root, rest := rootOf(init)
		f, ok := local[root]
		if !ok {
			return typ, init
		}
		if deeper, _ := rootOf(f.init); f.typ == "" && local[deeper].name.IsZero() {
			prefixed := strings.HasPrefix(f.init, "range ") || strings.HasPrefix(f.init, "await ")
			switch {
			case root == init:
				return "", f.init
			case f.init != lang.Unknown && !prefixed:
				return "", lang.Shape(strings.Replace(init, root, f.init, 1))
			}
		}
		if rest == "" && root == init {
			return f.typ, lang.Unknown
		}
		return typ, lang.Unknown
	}
	target := func(whole syntax.Node) func(name syntax.Node, typ, init string) {
		return func(name syntax.Node, typ, init string) {
			if name.Kind() != "attribute" {
				return
			}
			o := name.Child("object")
			if o.Kind() != "identifier" || string(o.Bytes()) != self {
				return
			}
			a := name.Child("attribute")
			if a.IsZero() {
				return
			}
			if typ == "" {
				// A parameter passes its declared type on.
				typ = declared[init]
			}
			typ, init = known(typ, init)
			if whole.IsZero() {
				whole = name
			}
			out = append(out, field{a, whole, typ, init})
		}
	}
	for i, end := body.Index(), body.SubtreeEnd(); i < end; {
		n := w.t.At(i)
		i++
		switch n.Kind() {
		case "class_definition", "lambda":
			i = n.SubtreeEnd()
		case "assignment":
			w.assigned(n, target(n))
		case "for_statement":
			w.eachTarget(n.Child("left"), iteration(n.Child("right")), "", target(syntax.Node{}))
		case "as_pattern_target":
			typ, init := asPattern(n)
			w.eachTarget(firstNamed(n), value{shape: init}, typ, target(syntax.Node{}))
		}
	}
	return out
}

// valuesOf is what the local variables of a body hold, by their names: a type or
// the shape of a value where all assignments agree, else the shape "?".
func (w *walker) valuesOf(body syntax.Node) map[string]field {
	out := map[string]field{}
	for _, x := range w.bindings(body) {
		if x.kind != localName || x.narrowing {
			continue
		}
		f := field{name: x.name, typ: x.typ, init: x.init}
		if old, seen := out[x.text]; seen && (old.typ != f.typ || old.init != f.init) {
			f = field{name: x.name, init: lang.Unknown}
		}
		if f.typ == "" && f.init == "" {
			f.init = lang.Unknown
		}
		out[x.text] = f
	}
	return out
}

// rootOf splits a shape into the identifier that it starts from and what follows.
func rootOf(s string) (root, rest string) {
	for _, p := range []string{"range ", "await "} {
		s = strings.TrimPrefix(s, p)
	}
	end := 0
	for end < len(s) && isWord(s[end]) {
		end++
	}
	return s[:end], s[end:]
}

// undecided tells whether a class declares an attribute as None and a method
// tells what it really holds. That must not complete the declaration, which
// would then change with the body, so it becomes a second definition.
func (w *walker) undecided(key place, f field) bool {
	for _, d := range w.defined[key] {
		if d.symbol < 0 {
			continue
		}
		s := w.b.At(d.symbol)
		return s.Kind == facts.KindField && s.Type == "" && s.Init == "nil" &&
			(f.typ != "" || f.init != "" && f.init != "nil" && f.init != lang.Unknown)
	}
	return false
}

// addFields reports the attributes that methods set, as members of the class.
func (w *walker) addFields(fields []field, symbol int32, names map[string]nameKind) {
	for _, f := range fields {
		text := f.name.Text()
		if names[text] != 0 && !w.undecided(place{symbol, text}, f) {
			continue
		}
		s := w.symbol(f.name, f.whole, facts.KindField)
		s.Flags |= facts.InBody
		s.Type, s.Init = f.typ, f.init
		s.Signature = lang.Collapse(f.name.Parent().Text())
		if f.typ != "" {
			s.Signature += ": " + f.typ
		}
		if f.whole.Kind() == "assignment" {
			s.Doc = w.attributeDoc(f.whole)
		}
		w.b.Symbol(s)
	}
}
