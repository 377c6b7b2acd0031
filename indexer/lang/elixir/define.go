package elixir

import (
	"strings"
	"unicode"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// none is the keyword of what defines nothing.
const none = ""

// definer gives the keyword back where it defines a function or macro.
func definer(keyword string) string {
	switch keyword {
	case "def", "defp", "defmacro", "defmacrop", "defguard", "defguardp", "defdelegate", "defn", "defnp":
		return keyword
	}
	return none
}

// callee is the bare name that a call calls, or "".
func callee(n syntax.Node) string {
	if n.Kind() != "call" {
		return ""
	}
	if t := n.Child("target"); t.Kind() == "identifier" {
		return t.Text()
	}
	return ""
}

// arguments lists the arguments of a call; keywords are one argument.
func arguments(call syntax.Node) []syntax.Node {
	return named(call.ChildOfKind("arguments"))
}

func named(n syntax.Node) []syntax.Node {
	var out []syntax.Node
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && c.Kind() != "comment" {
			out = append(out, c)
		}
	}
	return out
}

// option is the value of a keyword among the arguments of a call.
func option(args []syntax.Node, key string) syntax.Node {
	for _, a := range args {
		if a.Kind() != "keywords" {
			continue
		}
		for c := a.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if c.Kind() == "pair" && keyOf(c) == key {
				return c.Child("value")
			}
		}
	}
	return syntax.Node{}
}

func keyOf(pair syntax.Node) string {
	k := strings.TrimSpace(pair.Child("key").Text())
	return strings.Trim(strings.TrimSuffix(k, ":"), `"'`)
}

// moduleName is the full name that an expression gives to a module inside the
// current one, and the text of its last part; "" where it is computed.
func (w *walker) moduleName(n syntax.Node) (full, leaf string) {
	outer := w.top().module
	text := ""
	switch n.Kind() {
	case "alias":
		text = strings.Join(strings.Fields(n.Text()), "")
		if rest, ok := strings.CutPrefix(text, "Elixir."); ok {
			text, outer = rest, ""
		}
	case "dot":
		left, right := n.Child("left"), n.Child("right")
		if left.Text() != "__MODULE__" || right.Kind() != "alias" {
			return "", ""
		}
		text = strings.Join(strings.Fields(right.Text()), "")
	case "atom":
		text, outer = strings.TrimPrefix(n.Text(), ":"), ""
	default:
		return "", ""
	}
	full = text
	if outer != "" {
		full = outer + "." + text
	}
	return full, text[strings.LastIndexByte(text, '.')+1:]
}

// module handles defmodule and defprotocol.
func (w *walker) module(n syntax.Node, keyword string) {
	args := arguments(n)
	block := n.ChildOfKind("do_block")
	body := block
	if body.IsZero() {
		body = option(args, "do")
	}
	full, leaf := "", ""
	if len(args) > 0 {
		full, leaf = w.moduleName(args[0])
	}
	if leaf == "" {
		w.children(n.ChildOfKind("arguments"))
		w.inside(&frame{symbol: w.top().symbol, module: w.top().module}, func() { w.statements(block) })
		return
	}
	s := facts.Symbol{
		Name: leaf, Kind: facts.KindModule, Span: lang.SpanOf(n), Container: strings.TrimSuffix(strings.TrimSuffix(full, leaf), "."),
		NameSpan:  facts.Span{Start: args[0].End() - uint32(len(leaf)), End: args[0].End()},
		Signature: keyword + " " + full,
	}
	if keyword == "defprotocol" {
		s.Kind = facts.KindInterface
	}
	if !w.b.InBody() && len(w.frames) == 1 {
		w.b.SetPackage(full)
	}
	w.open(s, full, body, nil)
}

// implementation handles defimpl, which defines the module of the protocol's
// name followed by that of the type.
func (w *walker) implementation(n syntax.Node) {
	args := arguments(n)
	if len(args) == 0 || args[0].Kind() != "alias" {
		w.children(n)
		return
	}
	protocol := strings.Join(strings.Fields(args[0].Text()), "")
	target := option(args, "for")
	leaf := protocol[strings.LastIndexByte(protocol, '.')+1:]
	s := facts.Symbol{
		Name: leaf, Kind: facts.KindModule, Container: strings.TrimSuffix(strings.TrimSuffix(protocol, leaf), "."), Span: lang.SpanOf(n),
		NameSpan: facts.Span{Start: args[0].End() - uint32(len(leaf)), End: args[0].End()},
		Bases:    []string{protocol}, Type: lang.Collapse(target.Text()),
	}
	full := protocol
	switch {
	case target.IsZero() && w.top().module != "":
		full += "." + w.top().module
		s.Type = w.top().module
	case target.Text() == "__MODULE__" && w.top().module != "":
		s.Type = w.top().module
		full += "." + s.Type
	case target.Kind() == "alias":
		full += "." + s.Type
	}
	s.Signature = "defimpl " + protocol
	if s.Type != "" {
		s.Signature += ", for: " + s.Type
	}
	w.open(s, full, n.ChildOfKind("do_block"), func() {
		w.b.Reference(facts.RefInherit, leaf, strings.TrimSuffix(strings.TrimSuffix(protocol, leaf), "."), s.NameSpan.Start)
		w.types(target)
	})
}

// open reports a module and walks its body.
func (w *walker) open(s facts.Symbol, full string, body syntax.Node, before func()) {
	f := &frame{module: full, kind: s.Kind, specs: map[string]*spec{}, fieldTypes: map[string]string{}}
	doc, hidden, at := docText(attributeIn(body, "moduledoc"))
	s.Doc = doc
	if doc != "" {
		w.b.MarkDoc(at)
	} else if !hidden && !lang.LooksLikeLicense(w.comment) {
		s.Doc = w.comment
	}
	if hidden {
		s.Visibility = facts.Protected
	}
	f.symbol = w.symbol(s)
	w.survey(f, body)
	w.b.Within(f.symbol, func() {
		if before != nil {
			before()
		}
		w.inside(f, func() {
			if f.mixTask {
				w.mixTaskTarget(s, full, body)
			}
			w.b.Scope(s.Span, func() { w.statements(body) })
			w.unusedSpecs(f, body)
		})
	})
}

// symbol adds a definition and remembers where its name stands.
func (w *walker) symbol(s facts.Symbol) int32 {
	i := w.b.Symbol(s)
	if i >= 0 {
		w.reported[s.NameSpan.Start] = i
	}
	return i
}

// mixTaskTarget reports the task that a module Mix.Tasks.A.B defines: "a.b".
func (w *walker) mixTaskTarget(module facts.Symbol, full string, body syntax.Node) {
	task, ok := strings.CutPrefix(full, "Mix.Tasks.")
	if !ok {
		return
	}
	s := module
	s.Kind, s.Name, s.Container, s.Bases = facts.KindTarget, underscore(task), "", nil
	s.Signature = "mix " + s.Name
	if doc, _, _ := docText(attributeIn(body, "shortdoc")); doc != "" {
		s.Doc = doc
	}
	w.b.Symbol(s)
}

// underscore is the name of a task: Phx.Gen.LiveView is phx.gen.live_view.
func underscore(name string) string {
	var out strings.Builder
	var prev rune
	for _, r := range name {
		if unicode.IsUpper(r) && prev != 0 && prev != '.' && !unicode.IsUpper(prev) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
		prev = r
	}
	return out.String()
}

// literalName is the name that def unquote(:name)(…) gives, the zero node where it
// is computed.
func literalName(unquoted []syntax.Node) syntax.Node {
	if len(unquoted) == 1 && unquoted[0].Is("atom", "quoted_atom") && unquoted[0].ChildOfKind("interpolation").IsZero() {
		return unquoted[0]
	}
	return syntax.Node{}
}

// nameIn is the name that a node of headOf stands for, and its place.
func nameIn(n syntax.Node) (string, facts.Span) {
	at := lang.SpanOf(n)
	text := n.Text()
	if n.Is("atom", "quoted_atom") && len(text) > 1 {
		text, at.Start = text[1:], at.Start+1
		if n.Kind() == "quoted_atom" && len(text) > 2 {
			text = text[1 : len(text)-1]
			at.Start++
			at.End--
		}
	}
	return text, at
}

// headOf takes the head of a definition apart: its name, the parameters and the
// guard. The name is the zero node where it is computed.
func headOf(n syntax.Node) (name syntax.Node, params []syntax.Node, guard syntax.Node) {
	if n.Kind() == "binary_operator" && n.Child("operator").Kind() == "when" {
		guard = n.Child("right")
		n = n.Child("left")
	}
	switch n.Kind() {
	case "identifier":
		name = n
	case "call":
		params = arguments(n)
		switch t := n.Child("target"); {
		case t.Kind() == "identifier" && t.Text() == "unquote": // def unquote(:name), without parentheses behind
			name, params = literalName(params), nil
		case t.Kind() == "identifier":
			name = t
		case callee(t) == "unquote":
			name = literalName(arguments(t))
		}
	case "binary_operator":
		name = n.Child("operator")
		params = []syntax.Node{n.Child("left"), n.Child("right")}
	case "unary_operator":
		name = n.Child("operator")
		params = []syntax.Node{n.Child("operand")}
	}
	return name, params, guard
}

// function handles def and its kin.
func (w *walker) function(n syntax.Node, keyword string) {
	args := arguments(n)
	if len(args) == 0 {
		return
	}
	f := w.top()
	name, params, guard := headOf(args[0])
	block := n.ChildOfKind("do_block")
	symbol, first := int32(-1), true
	var sp *spec
	if !name.IsZero() {
		text, at := nameIn(name)
		id := text + "/" + itoa(len(params))
		key := keyword + " " + id
		if w.last.symbol >= 0 && w.last.key == key {
			symbol, first = w.last.symbol, false
			s := w.b.At(symbol)
			s.Span.End = n.End()
			s.EndLine = w.b.Line(max(n.Start(), n.End()-1))
			w.reported[at.Start] = symbol
			f.doc, f.hidden = "", false
		} else {
			sp = f.specs[id]
			symbol = w.symbol(w.functionSymbol(n, keyword, args[0], name, params, sp))
			w.last = clause{key, symbol}
		}
	}
	last := w.last
	w.b.Within(symbol, func() {
		if first && sp != nil && !sp.used {
			sp.used = true
			w.types(sp.node)
		}
		w.b.Body(lang.SpanOf(n), func() {
			for _, p := range params {
				w.bind(p, "")
			}
			w.walk(guard)
			for _, a := range args[1:] {
				w.walk(a)
			}
			w.statements(block)
			if keyword == "defdelegate" {
				w.delegate(args, name)
			}
		})
	})
	w.last = last
	if f.project && len(params) == 0 {
		switch name.Text() {
		case "aliases":
			w.mixAliases(block)
		case "deps":
			w.mixDependencies(block)
		}
	}
}

func (w *walker) functionSymbol(n syntax.Node, keyword string, head, name syntax.Node, params []syntax.Node, sp *spec) facts.Symbol {
	f := w.top()
	text, at := nameIn(name)
	s := facts.Symbol{
		Name: text, Kind: facts.KindFunction, Span: lang.SpanOf(n), NameSpan: at,
		Signature: keyword + " " + w.headText(head),
	}
	if !w.b.InBody() {
		s.Container = f.module
	}
	switch keyword {
	case "defp", "defmacrop", "defguardp", "defnp":
		s.Visibility = facts.Private
	}
	switch keyword {
	case "defmacro", "defmacrop", "defguard", "defguardp":
		s.Kind = facts.KindMacro
	}
	if f.kind == facts.KindInterface {
		s.Kind = facts.KindMethod
		if n.ChildOfKind("do_block").IsZero() {
			s.Flags |= facts.Abstract
		}
	}
	for _, p := range params {
		param := parameter(p)
		param.Type = w.expand(param.Type)
		s.Params = append(s.Params, param)
	}
	if sp != nil {
		s.Signature, s.Type = keyword+" "+sp.text, sp.result
		if len(sp.params) == len(s.Params) {
			for i := range s.Params {
				s.Params[i].Type = sp.params[i]
			}
		}
	}
	if keyword == "defdelegate" && sp == nil {
		s.Signature = boundedText(n)
	}
	w.describe(&s)
	if !w.b.InBody() && (s.Name == "main" && len(params) == 1 || f.starts && s.Name == "start" && len(params) == 2 || f.mixTask && s.Name == "run" && len(params) == 1) &&
		s.Visibility == facts.Public && keyword == "def" {
		s.Flags |= facts.Main
		if !f.mixTask {
			w.b.AddTrait(facts.EntryPoint)
		}
	}
	return s
}

// headText is the head of a definition on one line. Of a definition that was
// damaged the tree holds the name only, so the rest of the line is taken.
func (w *walker) headText(head syntax.Node) string {
	source := w.b.Tree.Source
	if end := int(head.End()); head.Kind() == "identifier" && end < len(source) && source[end] == '(' {
		line, _, _ := strings.Cut(string(source[head.Start():min(len(source), end+300)]), "\n")
		return strings.TrimSuffix(strings.TrimSpace(line), " do")
	}
	if head.End()-head.Start() > 4*facts.MaxSignature {
		return head.Text()[:4*facts.MaxSignature]
	}
	return head.Text()
}

// describe gives a definition the documentation that waits for it.
func (w *walker) describe(s *facts.Symbol) {
	f := w.top()
	s.Doc = f.doc
	if s.Doc == "" {
		s.Doc = w.comment
	}
	if f.hidden && s.Visibility == facts.Public {
		s.Visibility = facts.Protected
	}
	if f.obsolete {
		s.Flags |= facts.Obsolete
	}
	f.doc, f.hidden, f.obsolete = "", false, false
}

// parameter names a parameter by the variable it binds, else by its pattern.
func parameter(n syntax.Node) facts.Param {
	const maxPattern = 40
	switch n.Kind() {
	case "identifier":
		return facts.Param{Name: n.Text()}
	case "binary_operator":
		left, right := n.Child("left"), n.Child("right")
		switch n.Child("operator").Kind() {
		case `\\`:
			return parameter(left)
		case "=":
			if right.Kind() != "identifier" {
				left, right = right, left
			}
			if right.Kind() == "identifier" {
				return facts.Param{Name: right.Text(), Type: structName(left)}
			}
		}
	case "map":
		if name := structName(n); name != "" {
			return facts.Param{Name: "%" + name + "{}", Type: name}
		}
	}
	text := lang.Collapse(n.Text()[:min(len(n.Text()), 4*maxPattern)])
	if len(text) > maxPattern {
		return facts.Param{Name: "_"}
	}
	return facts.Param{Name: text}
}

// structName is the struct of a map pattern or literal: Foo of %Foo{a: 1}.
func structName(n syntax.Node) string {
	if n.Kind() != "map" {
		return ""
	}
	if s := firstNamed(n.ChildOfKind("struct")); s.Is("alias", "dot") || s.Text() == "__MODULE__" {
		return lang.Collapse(s.Text())
	}
	return ""
}

func firstNamed(n syntax.Node) syntax.Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && c.Kind() != "comment" {
			return c
		}
	}
	return syntax.Node{}
}

// delegate records the call of the function that a definition hands on to.
func (w *walker) delegate(args []syntax.Node, name syntax.Node) {
	to, as := option(args, "to"), option(args, "as")
	if name.IsZero() || !to.Is("alias", "atom", "dot") {
		return
	}
	called, span := nameIn(name)
	at := span.Start
	if as.Kind() == "atom" {
		called, at = strings.TrimPrefix(as.Text(), ":"), as.Start()+1
	}
	w.b.Reference(facts.RefCall, called, lang.Shape(lang.Collapse(to.Text())), at)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}
