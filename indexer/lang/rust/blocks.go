package rust

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) typeItem(n syntax.Node, l *lead) {
	name, body := n.Child("name"), n.Child("body")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindStruct, Visibility: visibility(n), NameSpan: lang.SpanOf(name),
		Signature: head(w.b, n, body),
	}
	switch {
	case n.Kind() == "enum_item":
		s.Kind = facts.KindEnum
	case body.Kind() == "ordered_field_declaration_list":
		s.Signature = head(w.b, n, syntax.Node{})
	}
	i, _ := w.symbol(s, n, l)
	if i >= 0 {
		w.types[w.path+s.Name] = i
	}
	w.b.Within(i, func() {
		w.derives(l)
		w.b.Scope(lang.SpanOf(n), func() {
			w.generics(n)
			w.self(&owner{name: s.Name}, func() {
				if n.Kind() == "enum_item" {
					w.variants(body, s.Visibility)
				} else {
					w.fields(body, s.Visibility, false)
				}
			})
		})
	})
}

// fields walks the fields of a struct, or of a variant, which are as visible as
// the enum. Fields without names are types only.
func (w *walker) fields(list syntax.Node, v facts.Visibility, ofVariant bool) {
	if list.Kind() == "ordered_field_declaration_list" {
		list.NamedChildren(func(c syntax.Node) bool {
			if c.FieldName() == "type" {
				w.typeRefs(c, facts.RefType)
			}
			return true
		})
		return
	}
	var l lead
	list.NamedChildren(func(f syntax.Node) bool {
		if l.add(f) {
			return true
		}
		if f.Kind() == "field_declaration" {
			name := f.Child("name")
			own := v
			if !ofVariant {
				own = visibility(f)
			}
			i := w.member(facts.Symbol{
				Name: identifier(name), Kind: facts.KindField, Visibility: own, NameSpan: lang.SpanOf(name),
				Signature: f.Text(), Type: typeText(f.Child("type")),
			}, f, &l)
			w.b.Within(i, func() { w.typeRefs(f.Child("type"), facts.RefType) })
		} else {
			w.walk(f)
		}
		l = lead{}
		return true
	})
}

func (w *walker) member(s facts.Symbol, n syntax.Node, l *lead) int32 {
	if l.marks().deprecated {
		s.Flags |= facts.Obsolete
	}
	s.Doc, s.Span = l.doc, lang.SpanOf(n)
	return w.b.Symbol(s)
}

func (w *walker) variants(list syntax.Node, v facts.Visibility) {
	var l lead
	list.NamedChildren(func(c syntax.Node) bool {
		if l.add(c) {
			return true
		}
		if c.Kind() == "enum_variant" {
			name, body := c.Child("name"), c.Child("body")
			cut := syntax.Node{}
			if body.Kind() == "field_declaration_list" {
				cut = body
			}
			i := w.member(facts.Symbol{
				Name: identifier(name), Kind: facts.KindEnumMember, Visibility: v, NameSpan: lang.SpanOf(name),
				Signature: head(w.b, c, cut),
			}, c, &l)
			w.b.Within(i, func() {
				w.fields(body, v, true)
				w.walk(c.Child("value"))
			})
		} else {
			w.walk(c)
		}
		l = lead{}
		return true
	})
}

func (w *walker) trait(n syntax.Node, l *lead) {
	name, bounds, body := n.Child("name"), n.Child("bounds"), n.Child("body")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindInterface, Visibility: visibility(n), NameSpan: lang.SpanOf(name),
		Signature: head(w.b, n, body),
	}
	bounds.NamedChildren(func(c syntax.Node) bool {
		if !c.Is("lifetime", "line_comment", "block_comment", "removed_trait_bound") {
			s.Bases = append(s.Bases, typeText(c))
		}
		return true
	})
	i, _ := w.symbol(s, n, l)
	if i >= 0 {
		w.types[w.path+s.Name] = i
	}
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.generics(n)
			w.typeRefs(bounds, facts.RefInherit)
			w.owned(&owner{name: s.Name, trait: true, visibility: s.Visibility}, func() { w.items(body) })
		})
	})
}

// owned runs walk inside the block of an owner.
func (w *walker) owned(o *owner, walk func()) {
	outer := w.owner
	w.owner = o
	w.self(o, walk)
	w.owner = outer
}

func (w *walker) impl(n syntax.Node) {
	trait, typ := n.Child("trait"), n.Child("type")
	name := typeName(typ)
	w.b.Scope(lang.SpanOf(n), func() {
		w.generics(n)
		w.typeRefs(typ, facts.RefType)
		if !trait.IsZero() {
			base := typeText(trait)
			if n.HasToken("!") {
				base = "" // says that the trait is not implemented
			}
			w.impls = append(w.impls, pendingImpl{key: w.path + name, name: name, outer: w.b.Enclosing(), trait: trait, base: base})
		}
		if w.atTop() {
			w.tests.others++
			w.tests.public++
		}
		w.owned(&owner{name: name, ofTrait: !trait.IsZero(), head: implHead(w.source, n)}, func() { w.items(n.Child("body")) })
	})
}

// maxHead caps the head of an impl block that its items keep, in bytes.
const maxHead = 240

// implHead is an impl block up to its body on one line, "" where that is too
// long.
func implHead(source []byte, n syntax.Node) string {
	end := n.End()
	if body := n.Child("body"); !body.IsZero() {
		end = body.Start()
	}
	if int(end) > len(source) || n.Start() > end {
		return ""
	}
	text := source[n.Start():end]
	if bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*")) {
		text = withoutComments(n, n.Start(), bytes.Clone(text), 0)
	}
	head := strings.TrimPrefix(lang.Collapse(string(text)), "unsafe ")
	if len(head) > maxHead || !strings.HasPrefix(head, "impl") {
		return ""
	}
	return head
}

// initOf is what an item of an impl block has for its initialiser: the head of
// the block.
func (o *owner) initOf() string {
	if o.head != "" {
		return o.head
	}
	return "impl " + o.name
}

// finishImpls credits implemented traits to the types, which may stand below
// the impl block.
func (w *walker) finishImpls() {
	for _, p := range w.impls {
		i, known := w.types[p.key]
		if !known {
			i = w.b.FindSymbol(p.name)
			w.types[p.key] = i
		}
		if i >= 0 && p.base != "" {
			s := w.b.At(i)
			found := false
			for _, b := range s.Bases {
				found = found || b == p.base
			}
			if !found {
				s.Bases = append(s.Bases, p.base)
			}
		}
		if i < 0 {
			i = p.outer
		}
		kind := facts.RefInherit
		if p.base == "" {
			kind = facts.RefType
		}
		w.b.Within(i, func() { w.typeRefs(p.trait, kind) })
	}
	w.impls = nil
}

// typeName is the name of the type that an impl block belongs to, without
// references, path and parameters.
func typeName(n syntax.Node) string {
	for range 16 {
		switch n.Kind() {
		case "generic_type", "reference_type", "pointer_type":
			n = n.Child("type")
		case "scoped_type_identifier":
			n = n.Child("name")
		case "array_type":
			n = n.Child("element")
		case "dynamic_type", "abstract_type":
			n = n.Child("trait")
		case "type_identifier", "primitive_type", "identifier":
			return identifier(n)
		case "bounded_type":
			n = firstNamed(n)
		default:
			return lang.Collapse(n.Text())
		}
	}
	return ""
}

func firstNamed(n syntax.Node) (first syntax.Node) {
	n.NamedChildren(func(c syntax.Node) bool {
		if c.Is("line_comment", "block_comment", "mutable_specifier", "lifetime") {
			return true
		}
		first = c
		return false
	})
	return first
}

func (w *walker) module(n syntax.Node, l *lead) {
	name, body := n.Child("name"), n.Child("body")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindModule, Visibility: visibility(n), NameSpan: lang.SpanOf(name),
		Signature: head(w.b, n, body),
	}
	if body.IsZero() {
		s.Flags |= facts.Declaration
		m := l.marks()
		i := facts.Import{Module: "self::" + s.Name}
		if m.path != "" {
			i = facts.Import{Module: "./" + strings.TrimPrefix(m.path, "./"), Alias: s.Name}
		}
		if s.Visibility != facts.Private {
			i.Flags |= facts.ImportReexport
		}
		w.b.Import(i, n.Start())
	} else if l.doc == "" {
		body.NamedChildren(func(c syntax.Node) bool {
			if isInnerDoc(c) && len(l.doc) < maxDoc {
				l.doc += docText(c) + "\n"
			}
			return c.Is("line_comment", "block_comment", "inner_attribute_item")
		})
	}
	i, _ := w.symbol(s, n, l)
	outer := w.path
	w.path += s.Name + "::"
	w.modules++
	w.b.Within(i, func() { w.items(body) })
	w.modules--
	w.path = outer
}

func (w *walker) value(n syntax.Node, l *lead) {
	name, typ, value := n.Child("name"), n.Child("type"), n.Child("value")
	end := n.End()
	if !value.IsZero() {
		end = value.Start()
	}
	i := w.b.Enclosing()
	if name.Text() != "_" {
		s := facts.Symbol{
			Name: identifier(name), Kind: facts.KindConstant, Visibility: w.visible(n), NameSpan: lang.SpanOf(name),
			Signature: strings.TrimRight(string(w.b.Source[n.Start():end]), " =;\t\r\n"), Type: typeText(typ), Init: w.initShape(value),
		}
		if n.Kind() == "static_item" {
			s.Kind = facts.KindVariable
		}
		if w.owner != nil && w.owner.trait && value.IsZero() {
			s.Flags |= facts.Abstract
		}
		i, _ = w.symbol(s, n, l)
	}
	w.b.Within(i, func() {
		w.typeRefs(typ, facts.RefType)
		w.b.Scope(lang.SpanOf(n), func() { w.walk(value) })
	})
}

func (w *walker) alias(n syntax.Node, l *lead) {
	name, typ := n.Child("name"), n.Child("type")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindType, Visibility: w.visible(n), NameSpan: lang.SpanOf(name),
		Signature: head(w.b, n, syntax.Node{}), Type: typeText(typ),
	}
	if w.owner != nil && w.owner.trait {
		s.Flags |= facts.Abstract
	}
	i, _ := w.symbol(s, n, l)
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.generics(n)
			w.typeRefs(n.Child("bounds"), facts.RefType)
			w.typeRefs(typ, facts.RefType)
		})
	})
}

// macroRules reports a macro. Its rules are templates and hold no definitions.
func (w *walker) macroRules(n syntax.Node, l *lead) {
	name := n.Child("name")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindMacro, Visibility: facts.Protected, NameSpan: lang.SpanOf(name),
		Signature: "macro_rules! " + name.Text(),
	}
	if l.marks().exported {
		s.Visibility = facts.Public
		s.Flags |= facts.Exported
	}
	w.symbol(s, n, l)
}
