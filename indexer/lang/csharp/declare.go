package csharp

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// declared is where a declaration starts behind its attributes, so that its
// line is the one a reader looks for.
func declared(n syntax.Node) uint32 {
	for c := range n.Children {
		if !c.Is("attribute_list") && !c.IsExtra() && !c.IsError() && !strings.HasPrefix(c.Kind(), "preproc_") {
			return c.Start()
		}
	}
	return n.Start()
}

// head is the text of a declaration up to an offset, 0 for all of it, without
// attributes and comments.
func (w *walker) head(n syntax.Node, end uint32) string {
	at := declared(n)
	if end <= at {
		end = n.End()
	}
	end = min(end, at+4096)
	text := w.text(n, at, end)
	return strings.TrimSpace(strings.TrimRight(text, "; "))
}

// text is a range of a node on one line, without attributes and comments.
func (w *walker) text(n syntax.Node, at, end uint32) string {
	var out strings.Builder
	src := w.b.Tree.Source
	for i := n.Index() + 1; i < n.SubtreeEnd(); {
		c := w.b.Tree.At(i)
		if c.Start() >= end {
			break
		}
		if c.Start() >= at && (c.Is("attribute_list", "comment") || strings.HasPrefix(c.Kind(), "preproc_") && c.IsExtra()) {
			out.Write(src[at:c.Start()])
			out.WriteByte(' ')
			at = min(c.End(), end)
			i = c.SubtreeEnd()
			continue
		}
		i++
	}
	out.Write(src[at:end])
	return strings.ReplaceAll(lang.Collapse(strings.ToValidUTF8(out.String(), "")), "( ", "(")
}

// typeText is a type expression on one line.
func (w *walker) typeText(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	return w.text(n, n.Start(), n.End())
}

// modifiers are what the words before a declaration say, and its attributes.
type modifiers struct {
	flags      facts.SymbolFlags
	visibility facts.Visibility
	stated     bool // a visibility is written
	isConst    bool
	readonly   bool
	partial    bool
	extern     bool
}

// testAttributes are those of xUnit, NUnit and MSTest.
var testAttributes = map[string]bool{
	"Fact": true, "Theory": true, "Test": true, "TestCase": true, "TestCaseSource": true, "TestFixture": true, "TestMethod": true,
	"TestClass": true, "DataTestMethod": true, "Property": true, "SetUpFixture": true,
}

func (w *walker) modifiersOf(n syntax.Node) modifiers {
	m := modifiers{visibility: facts.Private}
	for c := range n.Children {
		switch c.Kind() {
		case "attribute_list":
			for a := range c.NamedChildren {
				if a.Kind() != "attribute" {
					continue
				}
				name := dotted(a.Child("name"))
				name = strings.TrimSuffix(name[strings.LastIndexAny(name, ".:")+1:], "Attribute")
				if name == "Obsolete" {
					m.flags |= facts.Obsolete
				}
				if testAttributes[name] && (name != "Property" || n.Kind() == "method_declaration") {
					w.b.AddTrait(facts.TestCode)
				}
			}
		case "modifier":
			m.read(c.Text())
		case "ERROR":
			for word := range strings.FieldsSeq(c.Text()) {
				m.read(word)
			}
		default:
			if !c.IsNamed() {
				m.read(c.Kind())
			}
		}
	}
	return m
}

// read takes a keyword. Both protected internal and private protected are seen
// by subclasses and no further than the assembly lets them.
func (m *modifiers) read(word string) {
	switch word {
	case "public":
		m.visibility, m.stated = facts.Public, true
	case "protected", "internal":
		m.visibility, m.stated = facts.Protected, true
	case "private", "file":
		if !m.stated {
			m.visibility, m.stated = facts.Private, true
		}
	case "static":
		m.flags |= facts.Static
	case "abstract":
		m.flags |= facts.Abstract
	case "async":
		m.flags |= facts.Async
	case "const":
		m.isConst = true
		m.flags |= facts.Static
	case "readonly":
		m.readonly = true
	case "partial":
		m.partial = true
	case "extern":
		m.extern = true
	}
}

func (w *walker) context() *typeContext {
	if len(w.types) == 0 {
		return nil
	}
	return &w.types[len(w.types)-1]
}

// inType tells whether the walk stands directly in a type.
func (w *walker) inType() bool {
	c := w.context()
	return c != nil && !w.b.InBody()
}

// define adds a symbol with the documentation above it and the visibility that
// its modifiers and the definition around give it.
func (w *walker) define(s facts.Symbol, m modifiers) int32 {
	if isKeyword(s.Name) && w.b.Source[s.NameSpan.Start] != '@' {
		return -1
	}
	if w.partial {
		w.names[s.NameSpan.Start] = true
	}
	s.Doc = w.documentation()
	s.Flags |= m.flags
	s.Visibility = m.visibility
	c := w.context()
	switch {
	case m.stated:
	case w.b.InBody():
		s.Visibility = facts.Private
	case c == nil:
		if !w.partial || isTypeKind(s.Kind) {
			s.Visibility = facts.Protected // internal
		}
	case c.contract && s.Kind != facts.KindConstructor:
		s.Visibility = facts.Public
	}
	if at := w.b.Enclosing(); at >= 0 {
		s.Visibility = max(s.Visibility, w.b.At(at).Visibility)
	}
	if w.b.InBody() {
		s.Visibility = facts.Private
	}
	if c != nil && c.extends && !w.b.InBody() {
		s.Flags |= facts.Static
	}
	return w.b.Symbol(s)
}

func isTypeKind(k facts.Kind) bool {
	switch k {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindType:
		return true
	}
	return false
}

// isKeyword lists reserved words that damage can put where a name should be.
func isKeyword(s string) bool {
	switch s {
	case "if", "for", "foreach", "while", "switch", "catch", "return", "new", "throw", "lock", "else", "do", "try", "finally", "base", "case",
		"class", "interface", "enum", "struct", "default", "break", "continue", "public", "private", "protected", "internal", "static", "void",
		"int", "string", "bool", "using", "namespace", "const", "readonly", "override", "virtual", "abstract", "sealed", "typeof", "is", "as":
		return true
	}
	return false
}

// nameText is an identifier without the @ that lets a keyword be one.
func nameText(n syntax.Node) string { return strings.TrimPrefix(n.Text(), "@") }

var blockOfExtension = lazyregexp.New(`^extension\s*[<(]`)

func (w *walker) typeDeclaration(n syntax.Node) {
	name, body := n.Child("name"), n.Child("body")
	if n.Kind() == "class_declaration" && blockOfExtension.Match(w.b.Source[n.Start():min(n.End(), n.Start()+40)]) {
		w.extension(n)
		return
	}
	m := w.modifiersOf(n)
	start, keyword := declared(n), w.keyword(n)
	if start+1 == keyword.Start && n.Kind() == "record_declaration" {
		start = keyword.Start
	}
	if word := wordBefore(w.b.Tree.Source, keyword.Start); n.Kind() == "record_declaration" && lastModifier.Match(word) {
		// rewrite may have taken it.
		m.read(string(word))
		start = min(start, uint32(bytes.LastIndex(w.b.Tree.Source[:keyword.Start], word)))
	}
	s := facts.Symbol{
		Name: nameText(name), Kind: facts.KindClass,
		Span: facts.Span{Start: start, End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	end := body.Start()
	if body.IsZero() {
		end = n.End()
	} else if w.b.Tree.Source[body.Start()] != '{' {
		s.Span.End = body.Start() + 1 // rewritten from a semicolon
	}
	s.Signature = strings.TrimSpace(strings.TrimRight(w.text(n, start, min(end, start+4096)), "; "))
	c := typeContext{name: s.Name}
	record := false
	switch string(w.b.Tree.Source[keyword.Start:keyword.End]) {
	case "struct":
		s.Kind = facts.KindStruct
	case "interface":
		s.Kind, c.contract = facts.KindInterface, true
	case "enum":
		s.Kind, c.contract = facts.KindEnum, true
	case "record":
		record = true
		if n.HasToken("struct") {
			s.Kind = facts.KindStruct
		}
	}
	bases := n.ChildOfKind("base_list")
	params := n.ChildOfKind("parameter_list")
	s.Params = w.params(params)
	if s.Kind == facts.KindEnum {
		for t := range bases.NamedChildren {
			s.Type = w.typeText(t)
		}
	} else {
		for t := range bases.NamedChildren {
			if t.Kind() == "primary_constructor_base_type" {
				t = t.Child("type")
			}
			if t.IsExtra() || t.IsError() || t.Kind() == "argument_list" {
				continue
			}
			if len(s.Bases) == 0 {
				c.base = lastName(t)
			}
			s.Bases = append(s.Bases, w.typeText(t))
		}
	}
	w.attributes(n)
	top := w.context() == nil && !w.b.InBody()
	i := w.define(s, m)
	if w.partial && i >= 0 {
		w.found[name.Start()] = i
	}
	if i >= 0 && top && !w.described {
		// The first type stands for the file.
		w.described = true
		if doc := w.b.At(i).Doc; !lang.LooksLikeLicense(doc) {
			w.b.SetSummary(doc)
		}
	}
	c.symbol = i
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n, func() {
				if s.Kind != facts.KindEnum {
					w.bases(bases)
				}
				w.types = append(w.types, c)
				passed := func() {
					w.bindParams(params)
					for t := range bases.NamedChildren {
						name := bases.ChildOfKind("identifier", "generic_name", "qualified_name")
						if t.Kind() == "primary_constructor_base_type" {
							name, t = t.Child("type"), t.ChildOfKind("argument_list")
						}
						if t.Kind() == "argument_list" {
							w.passed(bindNew, typeNameNode(name), t)
							w.children(t)
						}
					}
				}
				if record {
					// What its body calls by these names are the properties.
					w.components(params)
					w.b.Scope(lang.SpanOf(params), passed)
				} else {
					passed()
				}
				w.list(body)
				w.errors(n)
				w.types = w.types[:len(w.types)-1]
			})
		})
	})
}

// keyword is where the word that says what a type is stands in the source. What
// the tree has as a record may be another type without a body, see rewrite.
func (w *walker) keyword(n syntax.Node) facts.Span {
	for c := range n.Children {
		if !c.IsNamed() && c.Is("class", "struct", "interface", "enum", "record") {
			at := c.Start()
			if w.b.Tree.Source[at] == ' ' || w.b.Tree.Source[at] == '\t' {
				at++
			}
			return facts.Span{Start: at, End: at + uint32(len(wordAt(w.b.Tree.Source[at:])))}
		}
	}
	return facts.Span{Start: n.Start(), End: n.Start()}
}

// wordBefore is the word that ends before a place, with blanks between.
func wordBefore(src []byte, at uint32) []byte {
	text := bytes.TrimRight(src[max(int(at), 40)-40:at], " \t")
	i := len(text)
	for i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
		i--
	}
	return text[i:]
}

func (w *walker) bases(list syntax.Node) {
	for t := range list.NamedChildren {
		if t.Kind() == "primary_constructor_base_type" {
			t = t.Child("type")
		}
		if t.Kind() != "argument_list" {
			w.typeRefs(t, facts.RefInherit)
		}
	}
}

// extension walks a block of extension members, which belong to the static
// class around. The tree has it as a class, see rewrite.
func (w *walker) extension(n syntax.Node) {
	c := typeContext{extends: true, symbol: w.b.Enclosing()}
	if o := w.context(); o != nil {
		c.name = o.name
	}
	w.doc = nil
	w.b.Scope(lang.SpanOf(n), func() {
		w.withTypeParams(n, func() {
			w.bindParams(n.ChildOfKind("parameter_list"))
			w.types = append(w.types, c)
			w.list(n.Child("body"))
			w.types = w.types[:len(w.types)-1]
		})
	})
}

// withTypeParams runs walk with type parameters in scope, which are no
// references to definitions.
func (w *walker) withTypeParams(n syntax.Node, walk func()) {
	var names []string
	constraint := map[string]string{}
	for c := range n.NamedChildren {
		if c.Kind() != "type_parameter_constraints_clause" {
			continue
		}
		var of string
		for t := range c.NamedChildren {
			switch {
			case t.Kind() == "identifier" && of == "":
				of = t.Text()
			case t.Kind() == "type_parameter_constraint" && constraint[of] == "":
				constraint[of] = w.typeText(t.Child("type"))
			}
		}
	}
	for p := range n.ChildOfKind("type_parameter_list").NamedChildren {
		if p.Kind() != "type_parameter" {
			continue
		}
		if id := p.Child("name"); !id.IsZero() {
			names = append(names, id.Text())
			w.typeParams[id.Text()]++
			w.b.Bind(id.Text(), id.Start(), constraint[id.Text()], "")
		}
		w.attributes(p)
	}
	for c := range n.NamedChildren {
		if c.Kind() == "type_parameter_constraints_clause" {
			for t := range c.NamedChildren {
				if t.Kind() == "type_parameter_constraint" {
					w.typeRefs(t.Child("type"), facts.RefType)
				}
			}
		}
	}
	walk()
	for _, name := range names {
		w.typeParams[name]--
	}
}

// components declares the properties that the parameters of a record are.
func (w *walker) components(list syntax.Node) {
	for _, p := range parameters(list) {
		if p.name.IsZero() {
			continue
		}
		w.doc = nil
		w.define(facts.Symbol{
			Name: nameText(p.name), Kind: facts.KindProperty, Type: w.typeText(p.typ),
			Signature: strings.TrimSpace(w.typeText(p.typ) + " " + nameText(p.name)),
			Span:      facts.Span{Start: p.start, End: p.end}, NameSpan: lang.SpanOf(p.name),
		}, modifiers{visibility: facts.Public, stated: true})
	}
}

// attributes records what a declaration is marked with as types.
func (w *walker) attributes(n syntax.Node) {
	for c := range n.NamedChildren {
		if c.Kind() == "attribute_list" {
			w.b.Scope(lang.SpanOf(c), func() { w.walk(c) })
		}
	}
}
