package rust

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// items walks what can hold items: a file, a module, an impl or trait block, a
// block of a function.
func (w *walker) items(n syntax.Node) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	var l lead
	n.NamedChildren(func(c syntax.Node) bool {
		switch {
		case l.add(c):
			return true
		case c.Kind() == "inner_attribute_item":
			if name, arguments := attribute(c); w.atTop() && isCfgTest(name, arguments) {
				w.tests.whole = true
			}
			return true
		case c.IsError():
			w.items(c)
		case !w.item(c, &l):
			w.walk(c)
		}
		l = lead{}
		return true
	})
}

// atTop tells whether the walk stands at the level of the file.
func (w *walker) atTop() bool { return w.modules == 0 && w.owner == nil && !w.b.InBody() }

// item reports an item and tells whether the node was one.
func (w *walker) item(n syntax.Node, l *lead) bool {
	if w.owner == nil && len(w.owners) > 0 && !w.b.InBody() {
		if o := w.owners[n.Child("name").Start()]; o != nil {
			// The header of its block is lost.
			found := false
			w.owned(o, func() { found = w.item(n, l) })
			return found
		}
	}
	switch n.Kind() {
	case "function_item", "function_signature_item":
		w.function(n, l)
	case "struct_item", "union_item", "enum_item":
		w.typeItem(n, l)
	case "trait_item":
		w.trait(n, l)
	case "impl_item":
		w.impl(n)
	case "mod_item":
		w.module(n, l)
	case "const_item", "static_item":
		w.value(n, l)
	case "type_item", "associated_type":
		w.alias(n, l)
	case "macro_definition":
		w.macroRules(n, l)
	case "foreign_mod_item":
		outer := w.extern
		w.extern = true
		w.items(n.Child("body"))
		w.extern = outer
	case "use_declaration":
		w.use(n)
	case "extern_crate_declaration":
		w.externCrate(n)
	case "macro_invocation":
		w.macro(n)
	default:
		return false
	}
	return true
}

// symbol adds a definition with what is the same for all items.
func (w *walker) symbol(s facts.Symbol, n syntax.Node, l *lead) (int32, marks) {
	m := l.marks()
	if m.deprecated {
		s.Flags |= facts.Obsolete
	}
	s.Doc = l.doc
	s.Span = lang.SpanOf(n)
	if s.Container == "" && w.owner != nil {
		s.Container = w.owner.name
		if !w.owner.trait {
			s.Init = w.owner.initOf()
		}
	}
	if w.extern {
		s.Flags |= facts.Declaration
	}
	if w.atTop() {
		switch {
		case m.test:
			w.tests.functions++
		case m.cfgTest:
			w.tests.modules++
		default:
			w.tests.others++
			if s.Visibility != facts.Private || s.Flags&facts.Main != 0 {
				w.tests.public++
			}
		}
	}
	return w.b.Symbol(s), m
}

// visible is the visibility of an item where it stands: the items of a trait
// are seen wherever the trait is.
func (w *walker) visible(n syntax.Node) facts.Visibility {
	v := visibility(n)
	if w.owner != nil && (w.owner.trait || w.owner.ofTrait) {
		v = w.owner.visibility
	}
	return v
}

func (w *walker) function(n syntax.Node, l *lead) {
	name, parameters := n.Child("name"), n.Child("parameters")
	s := facts.Symbol{
		Name: identifier(name), Kind: facts.KindFunction, Visibility: w.visible(n), NameSpan: lang.SpanOf(name),
		Signature: head(w.b, n, n.Child("body")), Params: params(parameters), Type: typeText(n.Child("return_type")),
	}
	if w.owner != nil {
		s.Kind = facts.KindMethod
		if !hasReceiver(parameters) && !parameters.HasError() {
			s.Flags |= facts.Static
		}
		if w.owner.trait && n.Child("body").IsZero() {
			s.Flags |= facts.Abstract
		}
	}
	if n.ChildOfKind("function_modifiers").HasToken("async") {
		s.Flags |= facts.Async
	}
	if s.Name == "main" && w.atTop() && !n.Child("body").IsZero() {
		s.Flags |= facts.Main
		w.b.AddTrait(facts.EntryPoint)
	}
	i, _ := w.symbol(s, n, l)
	w.b.Within(i, func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.generics(n)
			w.typeRefs(n.Child("return_type"), facts.RefType)
			w.parameters(parameters)
			o, extern := w.owner, w.extern
			w.owner, w.extern = nil, false
			w.self(o, func() { w.items(n.Child("body")) })
			w.owner, w.extern = o, extern
		})
	})
}

// self runs walk where Self stands for an owner.
func (w *walker) self(o *owner, walk func()) {
	outer := w.current
	if o != nil {
		w.current = o.name
	}
	walk()
	w.current = outer
}

// generics binds the type parameters of an item and walks their bounds.
func (w *walker) generics(n syntax.Node) {
	list := n.Child("type_parameters")
	list.NamedChildren(func(p syntax.Node) bool {
		w.typeParameter(p)
		return true
	})
	list.NamedChildren(func(p syntax.Node) bool {
		w.bounds(p)
		return true
	})
	if where := n.ChildOfKind("where_clause"); !where.IsZero() {
		where.NamedChildren(func(p syntax.Node) bool {
			w.bounds(p)
			return true
		})
	}
}

func (w *walker) typeParameter(p syntax.Node) {
	switch p.Kind() {
	case "type_identifier":
		w.b.Bind(p.Text(), p.Start(), "", "")
	case "constrained_type_parameter":
		left := p.Child("left")
		if left.Kind() == "type_identifier" {
			bound := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(p.Child("bounds").Text()), ":"))
			w.b.Bind(left.Text(), left.Start(), lang.Collapse(bound), "")
		}
	case "optional_type_parameter":
		w.typeParameter(p.Child("name"))
	case "const_parameter":
		name := p.Child("name")
		w.b.Bind(name.Text(), name.Start(), typeText(p.Child("type")), "")
	}
}

func (w *walker) bounds(p syntax.Node) {
	switch p.Kind() {
	case "type_identifier", "lifetime":
	case "constrained_type_parameter":
		w.typeRefs(p.Child("bounds"), facts.RefType)
	case "optional_type_parameter":
		w.bounds(p.Child("name"))
		w.typeRefs(p.Child("default_type"), facts.RefType)
	case "const_parameter":
		w.typeRefs(p.Child("type"), facts.RefType)
	default:
		w.typeRefs(p, facts.RefType)
	}
}

// parameters walks the types of parameters and binds their names.
func (w *walker) parameters(list syntax.Node) {
	list.NamedChildren(func(p syntax.Node) bool {
		switch p.Kind() {
		case "parameter":
			w.typeRefs(p.Child("type"), facts.RefType)
		case "self_parameter":
		default:
			w.typeRefs(p, facts.RefType)
		}
		return true
	})
	list.NamedChildren(func(p syntax.Node) bool {
		switch p.Kind() {
		case "self_parameter":
			if w.owner == nil {
				return true
			}
			typ := w.owner.name
			switch {
			case p.HasToken("&") && !p.ChildOfKind("mutable_specifier").IsZero():
				typ = "&mut " + typ
			case p.HasToken("&"):
				typ = "&" + typ
			}
			self := p.ChildOfKind("self")
			w.b.Bind("self", self.Start(), typ, "")
		case "parameter":
			w.pattern(p.Child("pattern"), typeText(p.Child("type")), "")
		}
		return true
	})
}

func hasReceiver(list syntax.Node) bool {
	return !list.ChildOfKind("self_parameter").IsZero() || list.ChildOfKind("parameter").Child("pattern").Kind() == "self"
}

func params(list syntax.Node) []facts.Param {
	var out []facts.Param
	list.NamedChildren(func(p syntax.Node) bool {
		switch p.Kind() {
		case "parameter":
			out = append(out, facts.Param{Name: lang.Collapse(p.Child("pattern").Text()), Type: typeText(p.Child("type"))})
		case "variadic_parameter":
			out = append(out, facts.Param{Type: "..."})
		}
		return true
	})
	return out
}

var openBrace = lazyregexp.New(`\{[ \t]*\r?\n`)

// head is the declaration up to its body on one line.
func head(b *lang.Builder, n, body syntax.Node) string {
	end := n.End()
	if !body.IsZero() {
		end = body.Start()
	}
	text := b.Source[n.Start():end]
	if n.HasError() {
		// Damage can make of the body, and of what follows, a part of the head.
		if m := openBrace.FindIndex(text); m != nil {
			text = text[:m[0]]
		}
	}
	if bytes.Contains(text, []byte("//")) || bytes.Contains(text, []byte("/*")) {
		text = withoutComments(n, n.Start(), bytes.Clone(text), 0)
	}
	return strings.TrimRight(string(text), " \t\r\n;,")
}

// withoutComments blanks out the comments of a node in a text that starts at an
// offset.
func withoutComments(n syntax.Node, start uint32, text []byte, depth int) []byte {
	if depth > 100 {
		return text
	}
	for c := n.FirstChild(); !c.IsZero() && int(c.Start()-start) < len(text); c = c.NextSibling() {
		if c.Is("line_comment", "block_comment") {
			for i := c.Start() - start; i < min(c.End()-start, uint32(len(text))); i++ {
				text[i] = ' '
			}
			continue
		}
		withoutComments(c, start, text, depth+1)
	}
	return text
}

func typeText(n syntax.Node) string { return lang.Collapse(n.Text()) }

// identifier is a name without the r# of a raw identifier.
func identifier(n syntax.Node) string { return strings.TrimPrefix(n.Text(), "r#") }
