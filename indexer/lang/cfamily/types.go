package cfamily

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// classNode reports a struct, class or union with its members. alias names one
// without a tag, from its typedef. It gives -1 where nothing is defined.
func (w *walker) classNode(n, outer syntax.Node, alias string, aliasNode syntax.Node, cls *class) int32 {
	body := n.Child("body")
	if body.IsZero() {
		return -1
	}
	name := n.Child("name")
	s := facts.Symbol{Kind: facts.KindStruct}
	in := &class{}
	if n.Kind() == "class_specifier" {
		s.Kind = facts.KindClass
		in.access = facts.Private
	}
	scope := ""
	switch name.Kind() {
	case "":
		s.Name, s.NameSpan = alias, lang.SpanOf(aliasNode)
	case "template_type":
		s.Name, s.NameSpan = name.Child("name").Text(), lang.SpanOf(name.Child("name"))
	case "qualified_identifier":
		var last syntax.Node
		scope, last = w.path(name)
		if last.Kind() == "template_type" {
			last = last.Child("name")
		}
		s.Name, s.NameSpan = last.Text(), lang.SpanOf(last)
		s.Container = scope[strings.LastIndexByte(scope, '.')+1:]
	default:
		s.Name, s.NameSpan = name.Text(), lang.SpanOf(name)
	}
	in.name = s.Name
	bases := n.ChildOfKind("base_class_clause")
	bases.NamedChildren(func(c syntax.Node) bool {
		if !c.Is("access_specifier", "virtual", "comment", "attribute_declaration", "ERROR") {
			s.Bases = append(s.Bases, w.nodeText(c))
		}
		return true
	})
	if s.Name == "" {
		// Members of an unnamed type belong to what holds it.
		if cls != nil {
			in = cls
		}
		access := in.access
		w.list(body, in)
		in.access = access
		return -1
	}
	i := w.symbol(s, outer, body.Start(), cls)
	w.b.Within(i, func() {
		bases.NamedChildren(func(c syntax.Node) bool {
			if !c.Is("access_specifier", "virtual", "comment") {
				w.types(c, facts.RefInherit)
			}
			return true
		})
		if name.Kind() == "template_type" {
			w.types(name.Child("arguments"), facts.RefType)
		}
		if w.replace != nil && w.replace.open == body.Start() {
			it := w.replace
			w.replace = nil
			w.statements(it.children, in)
			return
		}
		w.list(body, in)
	})
	return i
}

// enum reports an enumeration with its members.
func (w *walker) enum(n, outer syntax.Node, alias string, aliasNode syntax.Node, cls *class) int32 {
	body := n.Child("body")
	if body.IsZero() {
		w.types(n, facts.RefType)
		return -1
	}
	name := n.Child("name")
	i := int32(-1)
	s := facts.Symbol{Name: alias, Kind: facts.KindEnum, NameSpan: lang.SpanOf(aliasNode), Type: w.nodeTextOrEmpty(n.Child("base"))}
	if !name.IsZero() {
		s.Name, s.NameSpan = name.Text(), lang.SpanOf(name)
	}
	if s.Name != "" {
		i = w.symbol(s, outer, body.Start(), cls)
	}
	w.b.Within(i, func() { w.enumerators(body, cls) })
	return i
}

func (w *walker) enumerators(body syntax.Node, cls *class) {
	body.NamedChildren(func(c syntax.Node) bool {
		switch c.Kind() {
		case "enumerator":
			name, value := c.Child("name"), c.Child("value")
			i := w.symbol(facts.Symbol{Name: name.Text(), Kind: facts.KindEnumMember, NameSpan: lang.SpanOf(name)}, c, c.End(), cls)
			w.b.Within(i, func() { w.walk(value) })
		case "comment":
		default:
			w.enumerators(c, cls)
		}
		return true
	})
}

// typedef reports the names that a typedef gives.
func (w *walker) typedef(n, outer syntax.Node, cls *class) {
	typ := n.Child("type")
	var declarators []syntax.Node
	n.Children(func(c syntax.Node) bool {
		if c.FieldName() == "declarator" {
			declarators = append(declarators, c)
		}
		return true
	})
	alias, aliasNode := "", syntax.Node{}
	for _, c := range declarators {
		if d := w.declarator(c); d.stars == "" && functionOf(c).IsZero() {
			alias, aliasNode = d.name.Text(), d.name
			break
		}
	}
	defined := false
	tag := typ.Child("name").Text()
	if isBodied(typ) {
		defined = true
		if typ.Kind() == "enum_specifier" {
			w.enum(typ, outer, alias, aliasNode, cls)
		} else {
			w.classNode(typ, outer, alias, aliasNode, cls)
		}
	}
	_, _, text := w.specifiers(n)
	for _, c := range declarators {
		d := w.declarator(c)
		if d.name.IsZero() {
			continue
		}
		name := d.name.Text()
		if defined && (name == alias && tag == "" || name == tag) {
			continue
		}
		s := facts.Symbol{Name: name, Kind: facts.KindType, NameSpan: lang.SpanOf(d.name), Type: joinType(text, d.stars)}
		if f := functionOf(c); !f.IsZero() {
			s.Params = w.params(parameterList(f), n)
			s.Type = lang.Collapse(strings.TrimRight(strings.Replace(w.text(typ.Start(), n.End()), name, "", 1), " ;"))
		}
		if defined {
			s.Span = lang.SpanOf(c)
			s.Signature = "typedef " + text + " " + w.nodeText(c)
		}
		i := w.symbol(s, outer, outer.End(), cls)
		w.b.Within(i, func() {
			if !defined {
				w.types(typ, facts.RefType)
			}
			if f := functionOf(c); !f.IsZero() {
				w.b.Scope(lang.SpanOf(c), func() { w.bindParams(f) })
			}
		})
	}
}
