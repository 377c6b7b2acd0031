package golang

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) typeSpec(n, outer syntax.Node, doc string) {
	name, typ := n.Child("name"), n.Child("type")
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindType, Visibility: visibility(name.Text()), Doc: doc,
		Span: lang.SpanOf(outer), NameSpan: lang.SpanOf(name), Type: "",
	}
	head := "type " + string(w.b.Source[n.Start():n.End()])
	switch typ.Kind() {
	case "struct_type":
		s.Kind = facts.KindStruct
		head = "type " + string(w.b.Source[n.Start():typ.Start()]) + "struct"
	case "interface_type":
		s.Kind = facts.KindInterface
		head = "type " + string(w.b.Source[n.Start():typ.Start()]) + "interface"
	default:
		s.Type = lang.Collapse(typ.Text())
	}
	s.Signature = head
	i := w.b.Symbol(s)
	w.b.Within(i, func() {
		params := n.Child("type_parameters")
		w.b.Scope(lang.SpanOf(n), func() {
			w.bindTypeParams(params)
			w.types(params)
			w.typeBody(i, typ)
		})
	})
}

// typeBody walks a type whose members belong to the definition entered.
func (w *walker) typeBody(owner int32, typ syntax.Node) {
	switch typ.Kind() {
	case "struct_type":
		w.fields(owner, typ.ChildOfKind("field_declaration_list"))
	case "interface_type":
		w.members(owner, typ)
	default:
		w.types(typ)
	}
}

func (w *walker) fields(owner int32, list syntax.Node) {
	docs := lang.CommentsOf(w.b)
	behind := uint32(0)
	list.NamedChildren(func(f syntax.Node) bool {
		switch f.Kind() {
		case "comment":
			docs.Add(f, behind)
			return true
		case "field_declaration":
			w.field(owner, f, docs.Above(f.Start()))
		case "ERROR":
			w.walk(f)
		}
		behind = w.b.Line(max(f.Start(), f.End()-1))
		return true
	})
}

func (w *walker) field(owner int32, f syntax.Node, doc string) {
	typ := f.Child("type")
	text := lang.Collapse(typ.Text())
	if n := f.Child("name"); n.IsZero() { // embedded
		star := ""
		if f.HasToken("*") {
			star = "*"
		}
		base := typ
		if base.Kind() == "generic_type" {
			base = base.Child("type")
		}
		if base.Kind() == "qualified_type" {
			base = base.Child("name")
		}
		if owner >= 0 {
			s := w.b.At(owner)
			s.Bases = append(s.Bases, star+text)
		}
		w.b.Symbol(facts.Symbol{
			Name: base.Text(), Kind: facts.KindField, Visibility: visibility(base.Text()), Doc: doc,
			Signature: star + text, Type: star + text, Span: lang.SpanOf(f), NameSpan: lang.SpanOf(base),
		})
		w.typeRefs(typ, facts.RefInherit)
		return
	}
	short := text
	inner := innermost(typ)
	if inner.Is("struct_type", "interface_type") {
		short = strings.TrimSpace(lang.Collapse(string(w.b.Source[typ.Start():inner.Start()])) + strings.TrimSuffix(inner.Kind(), "_type"))
	}
	nested := inner.Is("struct_type", "interface_type")
	f.Children(func(c syntax.Node) bool {
		if c.FieldName() != "name" {
			return true
		}
		i := w.b.Symbol(facts.Symbol{
			Name: c.Text(), Kind: facts.KindField, Visibility: visibility(c.Text()), Doc: doc,
			Signature: c.Text() + " " + short, Type: short, Span: lang.SpanOf(f), NameSpan: lang.SpanOf(c),
		})
		if nested {
			// Several names share one type, whose members stand once.
			w.b.Within(i, func() { w.typeBody(i, inner) })
			nested = false
		}
		return true
	})
	w.outerTypes(typ, inner)
}

// outerTypes records the references of a type but for the literal inside it, whose
// members are walked on their own: map[K]struct{}.
func (w *walker) outerTypes(typ, inner syntax.Node) {
	if !inner.Is("struct_type", "interface_type") {
		w.types(typ)
		return
	}
	for range 8 {
		switch typ.Kind() {
		case "pointer_type", "slice_type", "array_type", "channel_type":
			w.walk(typ.Child("length"))
			last := syntax.Node{}
			typ.NamedChildren(func(c syntax.Node) bool { last = c; return true })
			typ = last
		case "map_type":
			w.types(typ.Child("key"))
			typ = typ.Child("value")
		default:
			return
		}
	}
}

// innermost looks through pointers, slices and the like for a type literal.
func innermost(typ syntax.Node) syntax.Node {
	for range 8 {
		switch typ.Kind() {
		case "pointer_type", "slice_type", "array_type", "channel_type":
			last := syntax.Node{}
			typ.NamedChildren(func(c syntax.Node) bool { last = c; return true })
			typ = last
		case "map_type":
			typ = typ.Child("value")
		default:
			return typ
		}
	}
	return typ
}

func (w *walker) members(owner int32, typ syntax.Node) {
	docs := lang.CommentsOf(w.b)
	behind := uint32(0)
	typ.NamedChildren(func(m syntax.Node) bool {
		switch m.Kind() {
		case "comment":
			docs.Add(m, behind)
			return true
		case "method_elem", "method_spec":
			name := m.Child("name")
			i := w.b.Symbol(facts.Symbol{
				Name: name.Text(), Kind: facts.KindMethod, Visibility: visibility(name.Text()), Flags: facts.Abstract,
				Doc: docs.Above(m.Start()), Signature: m.Text(), Span: lang.SpanOf(m), NameSpan: lang.SpanOf(name),
				Params: params(m.Child("parameters")), Type: lang.Collapse(m.Child("result").Text()),
			})
			w.b.Within(i, func() {
				w.types(m.Child("parameters"))
				w.types(m.Child("result"))
			})
		default:
			if owner >= 0 && !strings.ContainsAny(m.Text(), "|~") {
				s := w.b.At(owner)
				s.Bases = append(s.Bases, lang.Collapse(m.Text()))
				w.typeRefs(m, facts.RefInherit)
			} else {
				w.types(m)
			}
		}
		behind = w.b.Line(max(m.Start(), m.End()-1))
		return true
	})
}
