package ecmascript

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) interfaceDeclaration(n syntax.Node, flags facts.SymbolFlags) {
	name := n.Child("name")
	if name.IsZero() {
		w.children(n)
		return
	}
	i := w.definition(facts.Symbol{
		Name: name.Text(), Kind: facts.KindInterface, Flags: flags &^ facts.Declaration, Bases: bases(n),
		Signature: w.head(n, n.Start(), bodyStart(n)), Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
	}, w.topVisibility())
	w.noteDeclared(i)
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n.Child("type_parameters"), func() {
				for c := range n.ChildOfKind("extends_type_clause").NamedChildren {
					w.inherit(c)
				}
				w.each(n.Child("body"), func(m syntax.Node) { w.signature(m, i) })
			})
		})
	})
}

// signature declares a member of an interface or of an object type.
func (w *walker) signature(m syntax.Node, owner int32) {
	switch m.Kind() {
	case "property_signature", "method_signature":
	case "index_signature", "call_signature":
		w.nameless(m, owner)
		w.walk(m)
		return
	default:
		w.walk(m)
		return
	}
	key := m.Child("name")
	if key.Is("computed_property_name") {
		w.walk(key)
	}
	at := int32(-1)
	if name, span, ok := nameOf(key); ok && owner >= 0 {
		s := facts.Symbol{
			Name: name, Kind: facts.KindField, Flags: memberFlags(m), Type: typeText(m.Child("type")),
			Signature: w.head(m, m.Start(), m.End()), Span: lang.SpanOf(m), NameSpan: span,
		}
		if text := m.Bytes(); m.HasError() && bytes.IndexByte(text, '\n') >= 0 && m.Is("property_signature") {
			first, _, _ := bytes.Cut(text, []byte("\n"))
			s.Span.End = s.Span.Start + uint32(len(bytes.TrimRight(first, "\r")))
			s.Signature = w.head(m, s.Span.Start, s.Span.End)
			_, s.Type, _ = strings.Cut(s.Signature, ": ")
			w.swallowed(m)
		}
		if m.Is("method_signature") {
			s.Kind, s.Params, s.Type = facts.KindMethod, params(m), typeText(m.Child("return_type"))
			if s.Flags&(facts.Getter|facts.Setter) != 0 {
				s.Kind = facts.KindProperty
			}
		} else if fn := firstNamed(m.Child("type")); fn.Is("function_type") {
			s.Params = params(fn)
		}
		whole(&s, s.Type)
		at = w.definition(s, facts.Public)
	}
	w.b.Within(at, func() {
		w.owning(at, func() {
			w.callable(m)
			w.walk(m.Child("type"))
		})
	})
}

// nameless declares an index signature as the member [] and a call signature as
// the member (), which are no part of the outline.
func (w *walker) nameless(m syntax.Node, owner int32) {
	if owner < 0 || !m.ChildOfKind("mapped_type_clause").IsZero() {
		return
	}
	doc := w.doc
	w.doc = ""
	s := facts.Symbol{
		Name: "[]", Kind: facts.KindField, Flags: facts.InBody, Type: typeText(m.Child("type")),
		Span: lang.SpanOf(m), NameSpan: facts.Span{Start: m.Start(), End: m.Start()},
	}
	if m.Is("call_signature") {
		s.Name, s.Kind, s.Params, s.Type = "()", facts.KindMethod, params(m), typeText(m.Child("return_type"))
		if tps := m.Child("type_parameters"); !tps.IsZero() {
			s.Signature = s.Name + lang.Collapse(clipText(tps))
		}
	}
	w.definition(s, facts.Private)
	w.doc = doc
}

// whole keeps a declared type that is too long for its field as a parameter
// called "=".
func whole(s *facts.Symbol, typ string) {
	if s.Type = typ; len(typ) > facts.MaxSignature && s.Params == nil {
		s.Params = []facts.Param{{Name: "=", Type: typ}}
	}
}

// owning walks the types of a definition. The members of object types in them are
// declared as its members, which are no part of the outline of the file.
func (w *walker) owning(owner int32, walk func()) {
	was := w.literals
	w.literals = owner
	walk()
	w.literals = was
}

// objectType walks an object type that is written where a type is used.
func (w *walker) objectType(n syntax.Node) {
	owner := w.literals
	w.each(n, func(m syntax.Node) {
		if owner < 0 || owner != w.b.Enclosing() {
			w.walk(m)
			return
		}
		before := len(w.symbols)
		w.signature(m, owner)
		for _, i := range w.symbols[before:] {
			w.b.At(i).Flags |= facts.InBody
		}
	})
}

// callable walks the types of a signature without a body.
func (w *walker) callable(n syntax.Node) {
	types := func() {
		w.paramValues(n.Child("parameters"))
		w.walk(n.Child("return_type"))
	}
	tps := n.Child("type_parameters")
	if tps.IsZero() {
		types()
		return
	}
	w.b.Scope(lang.SpanOf(n), func() { w.withTypeParams(tps, types) })
}

func (w *walker) typeAlias(n syntax.Node, flags facts.SymbolFlags) {
	name, value := n.Child("name"), n.Child("value")
	if name.IsZero() {
		w.children(n)
		return
	}
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindType, Flags: flags &^ facts.Declaration, Type: typeText(value),
		Signature: w.head(n, n.Start(), n.End()), Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
	}
	if value.Is("object_type") {
		s.Type = "{}"
		s.Signature = w.head(n, n.Start(), value.Start())
		s.Signature = strings.TrimRight(s.Signature, " =")
	}
	whole(&s, s.Type)
	i := w.definition(s, w.topVisibility())
	w.noteDeclared(i)
	w.b.Within(i, func() {
		w.b.Scope(lang.SpanOf(n), func() {
			w.withTypeParams(n.Child("type_parameters"), func() {
				w.owning(i, func() { w.aliased(value, i, 0) })
			})
		})
	})
}

// aliased declares the members of the object types that a type alias consists
// of: the type itself and the parts of an intersection.
func (w *walker) aliased(value syntax.Node, owner int32, depth int) {
	switch {
	case value.Is("object_type") && depth < 8:
		w.each(value, func(m syntax.Node) { w.signature(m, owner) })
	case value.Is("intersection_type") && depth < 8:
		for c := range value.NamedChildren {
			w.aliased(c, owner, depth+1)
		}
	default:
		w.walk(value)
	}
}

func (w *walker) enum(n syntax.Node, flags facts.SymbolFlags) {
	name := n.Child("name")
	if name.IsZero() {
		w.children(n)
		return
	}
	i := w.definition(facts.Symbol{
		Name: name.Text(), Kind: facts.KindEnum, Flags: flags,
		Signature: w.head(n, n.Start(), bodyStart(n)), Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
	}, w.topVisibility())
	w.noteDeclared(i)
	w.b.Within(i, func() {
		w.each(n.Child("body"), func(m syntax.Node) {
			key := m
			if m.Is("enum_assignment") {
				key = m.Child("name")
			}
			if id, span, ok := nameOf(key); ok {
				w.definition(facts.Symbol{
					Name: id, Kind: facts.KindEnumMember, Signature: w.head(m, m.Start(), m.End()), Init: shape(m.Child("value")),
					Span: lang.SpanOf(m), NameSpan: span,
				}, facts.Public)
			}
			w.walk(m.Child("value"))
		})
	})
}

// namespace declares namespace A.B, module 'x' and module A; each part of a
// dotted name is a definition.
func (w *walker) namespace(n syntax.Node, flags facts.SymbolFlags) {
	name, body := n.Child("name"), n.Child("body")
	var parts []syntax.Node
	for range 20 {
		if !name.Is("nested_identifier") {
			break
		}
		if p := name.Child("property"); !p.IsZero() {
			parts = append(parts, p)
		}
		name = name.Child("object")
	}
	parts = append(parts, name)
	signature := w.head(n, n.Start(), bodyStart(n))
	var enter func(k int)
	enter = func(k int) {
		if k < 0 {
			w.ambientBlock(body, w.ambient || flags&facts.Declaration != 0)
			return
		}
		id, span, ok := nameOf(parts[k])
		if !ok {
			enter(-1)
			return
		}
		i := w.definition(facts.Symbol{
			Name: id, Kind: facts.KindModule, Flags: flags, Signature: signature,
			Span: lang.SpanOf(n), NameSpan: span,
		}, w.topVisibility())
		if i >= 0 && (parts[k].Is("string") || k < len(parts)-1) {
			w.own[i] = facts.Public
		}
		w.noteDeclared(i)
		w.b.Within(i, func() { enter(k - 1) })
	}
	enter(len(parts) - 1)
}

// ambientBlock walks the block of a namespace.
func (w *walker) ambientBlock(body syntax.Node, ambient bool) {
	if body.IsZero() {
		return
	}
	was := w.ambient
	w.ambient = ambient
	w.statements(body)
	w.ambient = was
}

// ambientDeclaration walks declare …: what it declares stands elsewhere.
func (w *walker) ambientDeclaration(n syntax.Node, flags facts.SymbolFlags) {
	was := w.ambient
	w.ambient = true
	flags |= facts.Declaration
	for c := range n.Children {
		if c.Is("global") {
			i := w.definition(facts.Symbol{
				Name: "global", Kind: facts.KindModule, Flags: flags, Signature: "declare global",
				Span: lang.SpanOf(n), NameSpan: lang.SpanOf(c),
			}, facts.Public)
			w.b.Within(i, func() { w.statements(n.ChildOfKind("statement_block")) })
			w.ambient = was
			return
		}
	}
	for c := range n.NamedChildren {
		if !c.Is("comment") {
			w.declaration(c, flags)
		}
	}
	w.ambient = was
}

// typeName records the use of a type by its name.
func (w *walker) typeName(n syntax.Node, kind facts.RefKind) {
	switch n.Kind() {
	case "type_identifier":
		if name := n.Text(); w.typeParams[name] == 0 && !n.IsMissing() {
			w.b.Reference(kind, name, "", n.Start())
		}
	case "nested_type_identifier":
		module, name := n.Child("module"), n.Child("name")
		if name.IsZero() {
			return
		}
		w.b.Reference(kind, name.Text(), shape(module), name.Start())
		w.walk(module)
	case "generic_type":
		w.typeName(n.Child("name"), kind)
		w.walk(n.Child("type_arguments"))
	default:
		w.walk(n)
	}
}

// conditional walks T extends … ? … : …, in which infer names types.
func (w *walker) conditional(n syntax.Node) {
	var names []string
	right := n.Child("right")
	for i := right.Index(); !right.IsZero() && i < right.SubtreeEnd(); i++ {
		if c := w.b.Tree.At(i); c.Is("infer_type") {
			names = append(names, firstNamed(c).Text())
		}
	}
	w.walk(n.Child("left"))
	for _, name := range names {
		w.typeParams[name]++
	}
	w.walk(right)
	w.walk(n.Child("consequence"))
	for _, name := range names {
		w.typeParams[name]--
	}
	w.walk(n.Child("alternative"))
}

// importType records import('module').Name in a type.
func (w *walker) importType(call, member syntax.Node) {
	module, ok := literalText(firstNamed(call.Child("arguments")))
	if !ok {
		return
	}
	imp := facts.Import{Module: module, Flags: facts.ImportTypeOnly | facts.ImportDynamic}
	if p := member.Child("property"); !p.IsZero() {
		imp.Names = []facts.ImportedName{{Name: p.Text()}}
		w.b.Reference(facts.RefType, p.Text(), lang.Unknown, p.Start())
	}
	w.b.Import(imp, call.Start())
}
