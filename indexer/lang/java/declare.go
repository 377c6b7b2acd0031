package java

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func isAnnotation(n syntax.Node) bool { return n.Is("annotation", "marker_annotation") }

// declared is where a declaration starts behind its annotations, so that its
// line is the one a reader looks for.
func declared(n syntax.Node) uint32 {
	for c := range n.Children {
		switch {
		case c.Kind() == "modifiers":
			for m := range c.Children {
				if !isAnnotation(m) && !m.IsExtra() {
					return m.Start()
				}
			}
		case isAnnotation(c), c.IsExtra(), c.IsError():
		default:
			return c.Start()
		}
	}
	return n.Start()
}

// head is the text of a declaration up to an offset without annotations and
// comments.
func (w *walker) head(n syntax.Node, end uint32) string {
	at := declared(n)
	if end <= at {
		end = n.End()
	}
	end = min(end, at+4096)
	var out strings.Builder
	src := w.b.Tree.Source
	for i := n.Index() + 1; i < n.SubtreeEnd(); {
		c := w.b.Tree.At(i)
		if c.Start() >= end {
			break
		}
		if c.Start() >= at && (isAnnotation(c) || c.Is("line_comment", "block_comment")) {
			out.Write(src[at:c.Start()])
			out.WriteByte(' ')
			at = min(c.End(), end)
			i = c.SubtreeEnd()
			continue
		}
		i++
	}
	out.Write(src[at:end])
	text := lang.Collapse(strings.ToValidUTF8(out.String(), ""))
	return strings.TrimSpace(strings.TrimSuffix(text, ";"))
}

// typeText is a type expression on one line, without annotations.
func (w *walker) typeText(n syntax.Node) string {
	if n.IsZero() {
		return ""
	}
	text := n.Text()
	if strings.ContainsAny(text, "@/") {
		var out strings.Builder
		at := n.Start()
		for i := n.Index() + 1; i < n.SubtreeEnd(); {
			c := w.b.Tree.At(i)
			if isAnnotation(c) || c.IsExtra() {
				out.Write(w.b.Tree.Source[at:c.Start()])
				out.WriteByte(' ')
				at = c.End()
				i = c.SubtreeEnd()
				continue
			}
			i++
		}
		out.Write(w.b.Tree.Source[at:n.End()])
		text = out.String()
	}
	return lang.Collapse(text)
}

// modifiers are the flags and the visibility that a declaration states, and the
// simple names of its annotations.
type modifiers struct {
	flags       facts.SymbolFlags
	visibility  facts.Visibility
	stated      bool // a visibility is written
	final       bool
	withDefault bool
	annotations []string
}

func modifiersOf(n syntax.Node) modifiers {
	m := modifiers{visibility: facts.Protected}
	for c := range n.ChildOfKind("modifiers").Children {
		switch c.Kind() {
		case "annotation", "marker_annotation":
			name := dotted(c.Child("name"))
			name = name[strings.LastIndexByte(name, '.')+1:]
			m.annotations = append(m.annotations, name)
			if name == "Deprecated" {
				m.flags |= facts.Obsolete
			}
		default:
			m.read(c.Kind())
		}
	}
	return m
}

// read takes a keyword.
func (m *modifiers) read(word string) {
	switch word {
	case "public":
		m.visibility, m.stated = facts.Public, true
	case "protected":
		m.visibility, m.stated = facts.Protected, true
	case "private":
		m.visibility, m.stated = facts.Private, true
	case "static":
		m.flags |= facts.Static
	case "abstract":
		m.flags |= facts.Abstract
	case "final":
		m.final = true
	case "default":
		m.withDefault = true
	}
}

func (w *walker) context() *typeContext {
	if len(w.types) == 0 {
		return nil
	}
	return &w.types[len(w.types)-1]
}

// define adds a symbol with the documentation above it. Damage can leave a
// keyword where a name should stand, which is none.
func (w *walker) define(s facts.Symbol, m modifiers) int32 {
	if w.lost.active && (isKeyword(s.Name) || isModifier(s.Name)) {
		return -1
	}
	doc, obsolete := w.documentation()
	s.Doc = doc
	if obsolete {
		s.Flags |= facts.Obsolete
	}
	return w.add(s, m)
}

// add adds a symbol with the visibility that its modifiers and the definition
// around give it.
func (w *walker) add(s facts.Symbol, m modifiers) int32 {
	s.Flags |= m.flags
	s.Visibility = m.visibility
	if c := w.context(); c != nil && c.contract && !m.stated && c.symbol == w.b.Enclosing() {
		s.Visibility = facts.Public
	}
	if at := w.b.Enclosing(); at >= 0 {
		s.Visibility = max(s.Visibility, w.b.At(at).Visibility)
	}
	if w.b.InBody() {
		s.Visibility = facts.Private
	}
	return w.b.Symbol(s)
}

func (w *walker) typeDeclaration(n syntax.Node) {
	name := n.Child("name")
	m := modifiersOf(n)
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindClass, Signature: w.head(n, n.Child("body").Start()), Bases: w.bases(n),
		Span: facts.Span{Start: declared(n), End: n.End()}, NameSpan: lang.SpanOf(name),
	}
	c := typeContext{name: s.Name}
	switch n.Kind() {
	case "interface_declaration":
		s.Kind, c.contract = facts.KindInterface, true
		m.flags &^= facts.Abstract
	case "annotation_type_declaration":
		s.Kind, c.contract = facts.KindInterface, true
	case "enum_declaration":
		s.Kind = facts.KindEnum
	case "record_declaration":
		s.Params = w.params(n.Child("parameters"))
	}
	if super := n.Child("superclass"); !super.IsZero() {
		c.superclass = simpleName(super)
		if c.superclass == "TestCase" {
			w.b.AddTrait(facts.TestCode)
		}
	}
	w.annotations(n)
	top := w.b.Enclosing() < 0 && !w.b.InBody()
	i := w.define(s, m)
	if top && i >= 0 && !w.described {
		// The first type stands for the file.
		w.described = true
		if doc := w.b.At(i).Doc; !lang.LooksLikeLicense(doc) {
			w.b.SetSummary(doc)
		}
	}
	c.symbol = i
	w.found(n, name, i)
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n.Child("type_parameters"), func() {
				w.inherit(n.Child("superclass"))
				w.inherit(n.Child("interfaces"))
				w.inherit(n.ChildOfKind("extends_interfaces"))
				w.typeRefs(n.Child("permits"), facts.RefType)
				w.types = append(w.types, c)
				if n.Kind() == "record_declaration" {
					w.components(n.Child("parameters"))
				}
				w.members(n.Child("body"))
				// Damage can stand between the name and the body.
				for e := range n.NamedChildren {
					if e.IsError() {
						w.members(e)
					}
				}
				w.types = w.types[:len(w.types)-1]
			})
		})
	})
}

// simpleName is the last part of the first type name below a node.
func simpleName(n syntax.Node) string {
	for c := range n.NamedChildren {
		switch c.Kind() {
		case "type_identifier":
			return c.Text()
		case "generic_type", "annotated_type":
			return simpleName(c)
		case "scoped_type_identifier":
			last := ""
			for p := range c.NamedChildren {
				if p.Kind() == "type_identifier" {
					last = p.Text()
				}
			}
			return last
		}
	}
	return ""
}

func (w *walker) bases(n syntax.Node) []string {
	var out []string
	add := func(t syntax.Node) {
		if !t.IsExtra() && !isAnnotation(t) {
			out = append(out, w.typeText(t))
		}
	}
	for c := range n.Child("superclass").NamedChildren {
		add(c)
	}
	for _, list := range []syntax.Node{n.Child("interfaces"), n.ChildOfKind("extends_interfaces")} {
		for c := range list.ChildOfKind("type_list").NamedChildren {
			add(c)
		}
	}
	return out
}

func (w *walker) inherit(n syntax.Node) { w.typeRefs(n, facts.RefInherit) }

// withTypeParams runs walk with type parameters in scope, which are no
// references to definitions.
func (w *walker) withTypeParams(list syntax.Node, walk func()) {
	var names []string
	for p := range list.NamedChildren {
		if p.Kind() != "type_parameter" {
			continue
		}
		if id := p.ChildOfKind("type_identifier", "identifier"); !id.IsZero() {
			names = append(names, id.Text())
			w.typeParams[id.Text()]++
			bound := ""
			for b := range p.ChildOfKind("type_bound").NamedChildren {
				if bound == "" && !b.IsExtra() {
					bound = w.typeText(b)
				}
			}
			w.b.Bind(id.Text(), id.Start(), bound, "")
		}
	}
	for p := range list.NamedChildren {
		w.annotations(p)
		w.typeRefs(p.ChildOfKind("type_bound"), facts.RefType)
	}
	walk()
	for _, name := range names {
		w.typeParams[name]--
	}
}

// components declares the components of a record: a field and an accessor in
// one.
func (w *walker) components(list syntax.Node) {
	for p := range list.NamedChildren {
		name, typ := w.param(p)
		if name.IsZero() {
			continue
		}
		w.annotations(p)
		w.typeRefs(paramType(p), facts.RefType)
		w.doc = syntax.Node{}
		w.define(facts.Symbol{
			Name: name.Text(), Kind: facts.KindField, Type: typ, Signature: strings.TrimSpace(typ + " " + name.Text()),
			Span: facts.Span{Start: declared(p), End: p.End()}, NameSpan: lang.SpanOf(name),
		}, modifiers{visibility: facts.Public})
	}
}
