package elixir

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// fields reports the fields that defstruct, defexception or defrecord lists.
func (w *walker) fields(list syntax.Node, keyword string) {
	if list.Is("list", "keywords") {
		for _, c := range named(list) {
			switch c.Kind() {
			case "keywords":
				w.fields(c, keyword)
			case "pair":
				w.field(c, c.Child("key"), keyOf(c), keyword, shape(c.Child("value")))
				w.walk(c.Child("value"))
			case "atom":
				w.field(c, c, strings.TrimPrefix(c.Text(), ":"), keyword, "")
			case "tuple":
				if parts := named(c); len(parts) == 2 && parts[0].Kind() == "atom" {
					w.field(c, parts[0], strings.TrimPrefix(parts[0].Text(), ":"), keyword, shape(parts[1]))
				}
			default:
				w.walk(c)
			}
		}
		return
	}
	w.walk(list)
}

func (w *walker) field(whole, key syntax.Node, name, keyword, init string) {
	f := w.top()
	if f.symbol < 0 && !w.b.InBody() || name == "" {
		return
	}
	start, text := key.Start(), key.Text()
	if i := strings.Index(text, name); i >= 0 {
		start += uint32(i)
	} else {
		return
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindField, Span: lang.SpanOf(whole), NameSpan: facts.Span{Start: start, End: start + uint32(len(name))},
		Signature: keyword + " " + name, Type: f.fieldTypes[name], Init: init,
	}
	if !w.b.InBody() {
		s.Container = f.module
	}
	if s.Type != "" {
		s.Signature = name + " :: " + s.Type
	}
	w.symbol(s)
}

// structure handles defstruct and defexception.
func (w *walker) structure(n syntax.Node, keyword string) {
	f := w.top()
	if keyword == "defexception" && f.symbol >= 0 {
		w.base("Exception")
	}
	for _, a := range arguments(n) {
		w.fields(a, keyword)
	}
}

// base adds a base to the module being walked.
func (w *walker) base(name string) {
	f := w.top()
	if f.symbol < 0 || name == "" {
		return
	}
	s := w.b.At(f.symbol)
	for _, b := range s.Bases {
		if b == name {
			return
		}
	}
	s.Bases = append(s.Bases, name)
}

// record handles defrecord of the module Record.
func (w *walker) record(n syntax.Node, keyword string) {
	args := arguments(n)
	if len(args) == 0 || args[0].Kind() != "atom" || len(args[0].Text()) < 2 {
		w.children(n.ChildOfKind("arguments"))
		return
	}
	name := args[0].Text()[1:]
	s := facts.Symbol{
		Name: name, Kind: facts.KindStruct, Span: lang.SpanOf(n), NameSpan: facts.Span{Start: args[0].Start() + 1, End: args[0].End()},
		Signature: keyword + " " + args[0].Text(),
	}
	if keyword == "defrecordp" {
		s.Visibility = facts.Private
	}
	if !w.b.InBody() {
		s.Container = w.top().module
	}
	w.describe(&s)
	w.b.Within(w.symbol(s), func() {
		for _, a := range args[1:] {
			w.walk(a)
		}
	})
}

// test handles test "name", a function that only the test runner calls.
func (w *walker) test(n syntax.Node) bool {
	args := arguments(n)
	if len(args) == 0 || args[0].Kind() != "string" {
		return false
	}
	block := n.ChildOfKind("do_block")
	text := args[0].Text()
	if len(text) < 3 || strings.HasPrefix(text, `"""`) {
		return false
	}
	name := lang.Collapse(strings.ReplaceAll(text[1:len(text)-1], `\"`, `"`))
	s := facts.Symbol{
		Name: name, Kind: facts.KindFunction, Visibility: facts.Private, Container: w.top().module, Span: lang.SpanOf(n),
		NameSpan:  facts.Span{Start: args[0].Start() + 1, End: args[0].End() - 1},
		Signature: "test " + text, Doc: w.comment,
	}
	w.b.Within(w.symbol(s), func() {
		w.b.Body(lang.SpanOf(n), func() {
			w.walk(args[0])
			for _, a := range args[1:] {
				if a.Kind() == "keywords" {
					w.walk(a)
				} else {
					w.bind(a, "")
				}
			}
			w.statements(block)
		})
	})
	return true
}

// schema handles the blocks of Ecto and of typedstruct, which list fields.
func (w *walker) schema(n syntax.Node) {
	for _, a := range arguments(n) {
		w.walk(a)
	}
	for _, c := range named(n.ChildOfKind("do_block")) {
		args := arguments(c)
		keyword := callee(c)
		switch keyword {
		case "field", "belongs_to", "has_many", "has_one", "many_to_many", "embeds_one", "embeds_many":
			if len(args) > 0 && args[0].Kind() == "atom" && len(args[0].Text()) > 1 {
				name := args[0].Text()[1:]
				s := facts.Symbol{
					Name: name, Kind: facts.KindField, Container: w.top().module, Span: lang.SpanOf(c),
					NameSpan:  facts.Span{Start: args[0].Start() + 1, End: args[0].End()},
					Signature: keyword + " " + name,
				}
				if len(args) > 1 && args[1].Kind() != "keywords" && args[1].End()-args[1].Start() < facts.MaxSignature {
					s.Type = lang.Collapse(args[1].Text())
					s.Signature += " " + s.Type
				}
				w.symbol(s)
				for _, a := range args[1:] {
					w.walk(a)
				}
				continue
			}
		}
		w.walk(c)
	}
}

// configuration handles config :app, Key, … of Config.
func (w *walker) configuration(n syntax.Node) {
	args := arguments(n)
	if len(args) < 2 || args[0].Kind() != "atom" {
		w.children(n.ChildOfKind("arguments"))
		return
	}
	app := strings.TrimPrefix(args[0].Text(), ":")
	key := func(whole, at syntax.Node, name string) {
		start := at.Start()
		if i := strings.Index(at.Text(), name); i > 0 {
			start += uint32(i)
		}
		w.symbol(facts.Symbol{
			Name: name, Kind: facts.KindKey, Container: app, Span: lang.SpanOf(whole), Signature: "config :" + app + ", " + name,
			NameSpan: facts.Span{Start: start, End: start + uint32(len(name))},
		})
	}
	switch second := args[1]; second.Kind() {
	case "alias", "atom":
		key(n, second, strings.TrimPrefix(second.Text(), ":"))
	case "keywords":
		for _, p := range named(second) {
			if p.Kind() == "pair" && p.Child("key").Kind() == "keyword" {
				key(p, p.Child("key"), keyOf(p))
			}
		}
	}
	for _, a := range args[1:] {
		w.walk(a)
	}
}

// mixDependencies reports the packages of the list that deps of a Mix project
// gives.
func (w *walker) mixDependencies(block syntax.Node) {
	for _, list := range named(block) {
		if list.Kind() != "list" {
			continue
		}
		for _, d := range named(list) {
			name := firstNamed(d)
			if d.Kind() != "tuple" || name.Kind() != "atom" || len(name.Text()) < 2 {
				continue
			}
			w.symbol(facts.Symbol{
				Name: name.Text()[1:], Kind: facts.KindKey, Container: "deps", Span: lang.SpanOf(d), Signature: boundedText(d),
				NameSpan: facts.Span{Start: name.Start() + 1, End: name.End()},
			})
		}
	}
}

// mixAliases reports the keys of the list that aliases of a Mix project gives:
// tasks that mix runs by these names.
func (w *walker) mixAliases(block syntax.Node) {
	list := syntax.Node{}
	for _, c := range named(block) {
		list = c
	}
	if list.Kind() != "list" {
		return
	}
	for _, p := range named(list.ChildOfKind("keywords")) {
		key := p.Child("key")
		if name := keyOf(p); p.Kind() == "pair" && name != "" {
			start := key.Start() + uint32(strings.Index(key.Text(), name))
			w.symbol(facts.Symbol{
				Name: name, Kind: facts.KindTarget, Span: lang.SpanOf(p), Signature: "mix " + name,
				NameSpan: facts.Span{Start: start, End: start + uint32(len(name))},
			})
		}
	}
}
