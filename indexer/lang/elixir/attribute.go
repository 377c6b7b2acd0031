package elixir

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func isAttribute(n syntax.Node) bool {
	return n.Kind() == "unary_operator" && n.Child("operator").Kind() == "@"
}

// attributeOf takes @name value apart; value is the zero node where the
// attribute is only read, or has no single value.
func attributeOf(n syntax.Node) (name string, call, value syntax.Node) {
	if !isAttribute(n) {
		return "", call, value
	}
	call = n.Child("operand")
	if name = callee(call); name == "" {
		return "", call, value
	}
	if args := arguments(call); len(args) > 0 {
		value = args[0]
	}
	return name, call, value
}

// attributeIn is the value of an attribute among the statements of a block.
func attributeIn(block syntax.Node, attribute string) syntax.Node {
	for c := block.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if name, _, value := attributeOf(c); name == attribute {
			return value
		}
	}
	return syntax.Node{}
}

// docText is the text of a documentation attribute, whether it says false, and
// where the text stands.
func docText(n syntax.Node) (text string, hidden bool, at facts.Span) {
	for depth := 0; n.Kind() == "binary_operator" && depth < maxDepth; depth++ { // "…" <> …, """…""" |> f()
		n = n.Child("left")
	}
	switch n.Kind() {
	case "boolean":
		return "", n.Text() == "false", at
	case "string", "sigil":
		start, end := n.Child("quoted_start"), n.Child("quoted_end")
		if start.IsZero() || end.IsZero() || end.Start() < start.End() {
			return "", false, at
		}
		at = facts.Span{Start: start.End(), End: end.Start()}
		return withoutHeadings(string(n.Bytes()[at.Start-n.Start() : at.End-n.Start()])), false, at
	}
	return "", false, at
}

// withoutHeadings drops Markdown headings and admonitions before the prose.
func withoutHeadings(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		line, rest, more := strings.Cut(text, "\n")
		if !more || !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "> ####") {
			return text
		}
		text = rest
	}
}

// survey looks through the statements of a module for what says something about
// the whole of it, before they are walked.
func (w *walker) survey(f *frame, body syntax.Node) {
	for c := body.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if callee(c) == "use" {
			switch used := firstText(arguments(c)); {
			case used == "Mix.Task":
				f.mixTask = true
			case used == "Application":
				f.starts = true
			case used == "Mix.Project":
				f.project = true
			case strings.HasSuffix(used, "Case"):
				w.b.AddTrait(facts.TestCode)
			}
			continue
		}
		name, _, value := attributeOf(c)
		if name == "spec" {
			sp := specOf(value)
			if sp.name != "" {
				id := sp.name + "/" + itoa(len(sp.params))
				if f.specs[id] == nil {
					f.specs[id] = &spec{node: value, text: boundedText(value), params: sp.params, result: sp.result}
				}
			}
		}
		if name == "type" || name == "opaque" || name == "typep" {
			structTypes(value, f.fieldTypes)
		}
	}
}

func firstText(args []syntax.Node) string {
	if len(args) == 0 || args[0].Kind() != "alias" {
		return ""
	}
	return strings.Join(strings.Fields(args[0].Text()), "")
}

func boundedText(n syntax.Node) string {
	t := n.Text()
	return lang.Collapse(t[:min(len(t), 4*facts.MaxSignature)])
}

type specParts struct {
	name           string
	at             syntax.Node
	params         []string
	result         string
	head, resultAt syntax.Node
}

// specOf takes name(type, …) :: result when … apart.
func specOf(n syntax.Node) specParts {
	if n.Kind() == "binary_operator" && n.Child("operator").Kind() == "when" {
		n = n.Child("left")
	}
	var p specParts
	if n.Kind() == "binary_operator" && n.Child("operator").Kind() == "::" {
		p.resultAt = n.Child("right")
		p.result = boundedText(p.resultAt)
		n = n.Child("left")
	}
	p.head = n
	name, params, _ := headOf(n)
	p.name, p.at = name.Text(), name
	for _, a := range params {
		if a.Kind() == "binary_operator" && a.Child("operator").Kind() == "::" {
			a = a.Child("right")
		}
		p.params = append(p.params, boundedText(a))
	}
	return p
}

// structTypes notes the types of the fields of t :: %__MODULE__{field: type}.
func structTypes(n syntax.Node, into map[string]string) {
	if n.Kind() != "binary_operator" || n.Child("operator").Kind() != "::" {
		return
	}
	m := n.Child("right")
	if structName(m) != "__MODULE__" {
		return
	}
	for _, p := range named(m.ChildOfKind("map_content").ChildOfKind("keywords")) {
		if p.Kind() == "pair" {
			into[keyOf(p)] = boundedText(p.Child("value"))
		}
	}
}

// unusedSpecs records the types of specs that stand over no definition.
func (w *walker) unusedSpecs(f *frame, body syntax.Node) {
	for c := body.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if name, _, value := attributeOf(c); name == "spec" {
			if s := f.specs[specID(value)]; s != nil && s.node == value && !s.used {
				w.types(value)
			}
		}
	}
}

func specID(value syntax.Node) string {
	p := specOf(value)
	return p.name + "/" + itoa(len(p.params))
}

// attribute handles @name value and the reading of @name.
func (w *walker) attribute(n syntax.Node) {
	f := w.top()
	name, call, value := attributeOf(n)
	if name == "" || value.IsZero() {
		if call.Kind() == "identifier" {
			w.b.Reference(facts.RefRead, "@"+call.Text(), "", n.Start())
		} else {
			w.walk(call)
		}
		return
	}
	switch name {
	case "moduledoc", "shortdoc":
		_, _, at := docText(value)
		w.b.MarkDoc(at)
	case "doc", "typedoc":
		doc, hidden, at := docText(value)
		w.b.MarkDoc(at)
		if value.Kind() == "keywords" {
			f.obsolete = f.obsolete || !option([]syntax.Node{value}, "deprecated").IsZero()
			return
		}
		if name == "typedoc" {
			f.typeDoc, f.hiddenType = doc, hidden
		} else {
			f.doc, f.hidden = doc, hidden
		}
	case "deprecated":
		f.obsolete = true
	case "spec":
		if s := f.specs[specID(value)]; s == nil || s.node != value {
			w.types(value)
		}
	case "type", "typep", "opaque":
		w.typeDefinition(n, name, value)
	case "callback", "macrocallback":
		w.callback(n, name, value)
	case "behaviour":
		if value.Kind() == "alias" {
			w.base(lang.Collapse(value.Text()))
		}
		w.alias(value, facts.RefInherit)
	case "optional_callbacks", "impl", "dialyzer", "compile", "since", "vsn", "on_load", "nifs", "tag", "moduletag", "describetag":
		w.walk(value)
	case "derive", "enforce_keys", "after_compile", "before_compile", "after_verify", "on_definition", "external_resource", "file",
		"fallback_to_any", "undefined_impl_description", "recursive", "requirements", "preferred_cli_env":
		w.walk(value)
	default:
		if w.b.InBody() || f.symbol < 0 {
			w.walk(value)
			return
		}
		s := facts.Symbol{
			Name: "@" + name, Kind: facts.KindConstant, Visibility: facts.Private, Container: f.module, Doc: w.comment, Span: lang.SpanOf(n),
			NameSpan: facts.Span{Start: n.Start(), End: call.Child("target").End()}, Init: shape(value),
		}
		if s.Init == "?" {
			s.Init = ""
		}
		line, _, more := strings.Cut(n.Text()[:min(len(n.Text()), 120)], "\n")
		s.Signature = line
		if more || len(line) == 120 {
			s.Signature = "@" + name
		}
		w.b.Within(w.symbol(s), func() { w.walk(value) })
	}
}

func (w *walker) typeDefinition(n syntax.Node, keyword string, value syntax.Node) {
	f := w.top()
	p := specOf(value)
	if p.name == "" || p.at.Kind() != "identifier" {
		w.types(value)
		return
	}
	s := facts.Symbol{
		Name: p.name, Kind: facts.KindType, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(p.at), Type: p.result, Doc: f.typeDoc,
		Signature: "@" + keyword + " " + boundedText(value),
	}
	if !w.b.InBody() {
		s.Container = f.module
	}
	if s.Doc == "" {
		s.Doc = w.comment
	}
	switch {
	case keyword == "typep":
		s.Visibility = facts.Private
	case f.hiddenType:
		s.Visibility = facts.Protected
	}
	f.typeDoc, f.hiddenType = "", false
	w.b.Within(w.symbol(s), func() { w.signatureTypes(p, value, true) })
}

func (w *walker) callback(n syntax.Node, keyword string, value syntax.Node) {
	p := specOf(value)
	if p.name == "" {
		w.types(value)
		return
	}
	s := facts.Symbol{
		Name: p.name, Kind: facts.KindMethod, Flags: facts.Abstract, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(p.at), Type: p.result,
		Signature: "@" + keyword + " " + boundedText(value),
	}
	if keyword == "macrocallback" {
		s.Kind = facts.KindMacro
	}
	if !w.b.InBody() {
		s.Container = w.top().module
	}
	for i, a := range arguments(p.head) {
		param := facts.Param{}
		if a.Kind() == "binary_operator" && a.Child("operator").Kind() == "::" && i < len(p.params) {
			param.Name = lang.Collapse(a.Child("left").Text())
		}
		if i < len(p.params) {
			param.Type = p.params[i]
		}
		s.Params = append(s.Params, param)
	}
	w.describe(&s)
	w.b.Within(w.symbol(s), func() { w.signatureTypes(p, value, false) })
}

// signatureTypes records the types of a type definition or callback but for its
// own name. The parameters of a type are variables.
func (w *walker) signatureTypes(p specParts, value syntax.Node, variables bool) {
	w.b.Scope(lang.SpanOf(value), func() {
		for _, a := range arguments(p.head) {
			if variables && a.Kind() == "identifier" {
				w.b.Bind(a.Text(), a.Start(), "", "")
			} else {
				w.types(a)
			}
		}
		w.bindConstraints(value)
		w.types(p.resultAt)
	})
}

// bindConstraints binds the type variables of when a: term.
func (w *walker) bindConstraints(value syntax.Node) {
	if value.Kind() != "binary_operator" || value.Child("operator").Kind() != "when" {
		return
	}
	for _, p := range named(value.Child("right")) {
		if p.Kind() == "pair" {
			w.b.Bind(keyOf(p), p.Start(), "", "")
			w.types(p.Child("value"))
		}
	}
}

// types records the references of a type expression. The head of a spec names
// the function itself, which is no reference.
func (w *walker) types(n syntax.Node) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "identifier":
		if name := n.Text(); !builtinType(name) && !w.b.Bound(name) {
			w.b.Reference(facts.RefType, name, "", n.Start())
		}
	case "alias":
		w.alias(n, facts.RefType)
	case "call":
		target := n.Child("target")
		if target.Kind() == "dot" {
			right := target.Child("right")
			w.alias(target.Child("left"), facts.RefRead)
			w.b.Reference(facts.RefType, right.Text(), lang.Shape(lang.Collapse(target.Child("left").Text())), right.Start())
		} else {
			w.types(target)
		}
		w.typesIn(n.ChildOfKind("arguments"))
	case "binary_operator":
		operator, left, right := n.Child("operator").Kind(), n.Child("left"), n.Child("right")
		switch {
		case operator == "when":
			w.b.Scope(lang.SpanOf(n), func() {
				w.bindConstraints(n)
				w.types(left)
			})
		case operator == "::" && left.Kind() == "call" && n.Parent().Is("arguments", "binary_operator") && !n.Parent().HasToken("("):
			// The head of a spec.
			w.typesIn(left.ChildOfKind("arguments"))
			w.types(right)
		case operator == "::":
			w.types(right)
		default:
			w.types(left)
			w.types(right)
		}
	case "map":
		w.typesIn(n.ChildOfKind("struct"))
		w.typesIn(n.ChildOfKind("map_content"))
	case "pair":
		w.types(n.Child("value"))
	case "unary_operator", "string", "sigil", "atom", "integer", "comment", "keyword":
	default:
		w.typesIn(n)
	}
}

func (w *walker) typesIn(n syntax.Node) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() {
			w.types(c)
		}
	}
}

// builtinType lists the types of the language itself.
func builtinType(name string) bool {
	switch name {
	case "any", "none", "term", "atom", "boolean", "map", "pid", "port", "reference", "tuple", "float", "integer", "neg_integer",
		"non_neg_integer", "pos_integer", "number", "list", "nonempty_list", "maybe_improper_list", "nonempty_improper_list",
		"nonempty_maybe_improper_list", "binary", "nonempty_binary", "bitstring", "nonempty_bitstring", "arity", "as_boolean", "byte",
		"char", "charlist", "nonempty_charlist", "fun", "function", "identifier", "iodata", "iolist", "keyword", "mfa", "module",
		"no_return", "node", "timeout", "optional", "required", "struct", "var", "dynamic", "_", "__MODULE__", "...":
		return true
	}
	return false
}
