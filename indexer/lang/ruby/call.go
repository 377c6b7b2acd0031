package ruby

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// call visits a call. Those without a receiver may define, import or say how
// others can be seen.
func (w *walker) call(n syntax.Node) {
	receiver, method, args, block := n.Child("receiver"), n.Child("method"), n.Child("arguments"), n.Child("block")
	name := method.Text()
	if receiver.IsZero() && method.Is("identifier", "constant") && w.declares(n, name, args, block) {
		return
	}
	switch {
	case receiver.IsZero() && method.Kind() == "super":
		w.super(method)
	case receiver.IsZero():
		if !kernel(name) {
			w.b.Reference(facts.RefCall, name, "", method.Start())
		}
	case receiver.Is("constant", "scope_resolution") && name == "new":
		if what, super := maker(n); what != "" && !block.IsZero() { // an anonymous class
			w.arguments(args)
			w.block(block, true, func() {
				if super.Is("constant", "scope_resolution") {
					w.b.Bind("self", block.Start(), "", shape(super))
				}
			})
			return
		}
		leaf, qualifier := receiver, ""
		if receiver.Kind() == "scope_resolution" {
			leaf = receiver.Child("name")
			qualifier = scopeOf(receiver)
			w.walk(receiver.Child("scope"))
		}
		w.b.Reference(facts.RefCall, leaf.Text(), qualifier, leaf.Start())
	default:
		w.walk(receiver)
		w.b.Reference(facts.RefCall, name, shape(receiver), method.Start())
	}
	if receiver.Text() == "RSpec" && len(name) > 3 {
		w.b.AddTrait(facts.TestCode)
	}
	w.sent(name, receiver, args)
	outer := w.element
	if w.element = ""; iterates(name) && !receiver.IsZero() {
		w.element = lang.Shape("range " + shape(receiver))
	}
	w.arguments(args)
	w.element = outer
	if block.IsZero() {
		return
	}
	// Class.class_eval do: the class is opened again.
	if (name == "class_eval" || name == "class_exec" || name == "module_eval") && receiver.Is("constant", "scope_resolution") && !w.b.InBody() {
		w.inside(&frame{symbol: w.top().symbol, name: lang.Collapse(receiver.Text()), kind: facts.KindClass}, func() {
			w.b.Scope(lang.SpanOf(block), func() { w.statements(block, block.Child("body")) })
		})
		return
	}
	w.block(block, false, func() {
		w.describes(name, receiver, args)
		if p := block.Child("parameters"); firstNamed(p).Kind() == "identifier" && iterates(name) {
			first := firstNamed(p)
			w.b.Bind(first.Text(), first.Start(), "", lang.Shape("range "+shape(receiver)))
		}
	})
	w.lazy(name, receiver, args, block)
}

// iterates tells whether a method gives its block the elements of the receiver.
func iterates(name string) bool {
	switch name {
	case "each", "map", "select", "filter", "reject", "find", "detect", "flat_map", "collect", "any?", "all?", "none?", "each_with_index",
		"sort_by", "group_by", "partition", "filter_map", "sum", "min_by", "max_by", "find_each", "count", "each_with_object", "reverse_each":
		return true
	}
	return false
}

func (w *walker) arguments(args syntax.Node) { w.children(args) }

// declares handles the calls that the package knows. It tells whether nothing
// is left to visit.
func (w *walker) declares(n syntax.Node, name string, args, block syntax.Node) bool {
	f := w.top()
	switch name {
	case "require", "require_relative", "load", "autoload":
		return w.require(n, name, args)
	case "private", "protected", "public", "module_function", "private_class_method", "public_class_method", "private_constant":
		if args.IsZero() {
			return w.section(name)
		}
		w.visibility(name, args)
		return true
	case "describe", "context", "it", "specify", "shared_examples", "shared_context", "feature", "scenario":
		if !block.IsZero() && f.symbol < 0 && name != "context" {
			w.b.AddTrait(facts.TestCode)
		}
	case "sig":
		if w.docs != nil {
			w.carried, w.carriedLine = w.docs.Above(n.Start()), w.b.Line(n.End())
		}
	case "desc":
		if text, _ := literal(firstNamed(args)); text != "" && w.tasks {
			w.described = text
		}
	case "task", "multitask", "namespace":
		if w.tasks {
			return w.rake(n, name, args, block)
		}
	}
	if name == "include" && len(w.frames) == 1 && !w.b.InBody() { // everybody sees what the module has
		args.NamedChildren(func(c syntax.Node) bool {
			if c.Is("constant", "scope_resolution") {
				w.b.Export(facts.Export{Name: "*", Module: lang.Collapse(c.Text())})
			}
			w.inherit(c, -1, "")
			return true
		})
		return true
	}
	if f.name == "" && !f.anonymous && !strings.HasPrefix(name, "attr_") {
		return false
	}
	switch name {
	case "attr_accessor", "attr_reader", "attr_writer", "attr", "class_attribute", "mattr_accessor", "cattr_accessor", "mattr_reader",
		"cattr_reader", "mattr_writer", "cattr_writer", "thread_mattr_accessor":
		w.accessors(n, name, args)
		return true
	case "include", "extend", "prepend":
		args.NamedChildren(func(c syntax.Node) bool {
			w.inherit(c, w.opened(f), mixed(name, f.static))
			return true
		})
		return true
	case "alias_method":
		var names []syntax.Node
		args.NamedChildren(func(c syntax.Node) bool { names = append(names, c); return true })
		if len(names) == 2 {
			w.alias(n, names[0], names[1])
			return true
		}
	case "define_method", "define_singleton_method":
		if text, at := literal(firstNamed(args)); text != "" {
			w.defined(n, text, at, name == "define_singleton_method", args, block)
			return true
		}
	case "def_delegators", "def_delegator", "delegate", "def_instance_delegators", "def_instance_delegator":
		w.delegators(n, name, args)
		return true
	case "scope":
		if text, at := literal(firstNamed(args)); text != "" && f.kind == facts.KindClass {
			w.defined(n, text, at, true, args, block)
			return true
		}
	case "has_many", "has_one", "belongs_to", "has_and_belongs_to_many":
		if text, at := literal(firstNamed(args)); text != "" {
			doc, _ := w.above(n.Start())
			w.symbol(facts.Symbol{Name: text, Kind: facts.KindProperty, Span: lang.SpanOf(n), NameSpan: at, Signature: firstLine(n.Text()), Doc: doc})
		}
	case "included", "class_methods", "prepended":
		// ActiveSupport::Concern: the block belongs to the class.
		if f.kind == facts.KindModule && !block.IsZero() && args.IsZero() {
			inner := &frame{symbol: f.symbol, name: f.name, kind: f.kind, static: name == "class_methods"}
			w.inside(inner, func() {
				w.b.Scope(lang.SpanOf(block), func() { w.statements(block, block.Child("body")) })
			})
			return true
		}
	case "test":
		if isTest, _ := literal(firstNamed(args)); isTest != "" && !block.IsZero() && f.kind == facts.KindClass {
			w.b.AddTrait(facts.TestCode)
		}
	}
	if strings.HasPrefix(name, "def_") { // def_node_matcher :name of a linter, and the like
		if text, at := literal(firstNamed(args)); text != "" && firstNamed(args).Kind() == "simple_symbol" {
			w.defined(n, text, at, false, args, block)
			return true
		}
	}
	own := ""
	if strings.HasPrefix(name, "has_") || name == "belongs_to" {
		own, _ = literal(firstNamed(args))
	}
	// before_action :authenticate names a method of the class.
	args.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "simple_symbol" {
			text, at := literal(c)
			if text == own {
				return true
			}
			w.b.Reference(facts.RefRead, text, "self", at.Start)
		}
		return true
	})
	return false
}

// require records an import. A path relative to the file gets a leading "./".
func (w *walker) require(n syntax.Node, name string, args syntax.Node) bool {
	arg := firstNamed(args)
	var names []facts.ImportedName
	if name == "autoload" {
		constant, _ := literal(arg)
		names = []facts.ImportedName{{Name: constant}}
		for arg = arg.NextSibling(); !arg.IsZero() && !arg.IsNamed(); {
			arg = arg.NextSibling()
		}
	}
	module, _ := literal(arg)
	if module != "" && name == "require_relative" && !strings.HasPrefix(module, ".") && !strings.HasPrefix(module, "/") {
		module = "./" + module
	}
	if module == "" {
		module = beside(arg)
	}
	if module == "" {
		w.arguments(args)
		return true
	}
	switch {
	case strings.HasSuffix(module, "spec_helper"), strings.HasSuffix(module, "rails_helper"), strings.HasSuffix(module, "test_helper"),
		module == "minitest/autorun", module == "test/unit", module == "rspec":
		w.b.AddTrait(facts.TestCode)
	}
	w.b.Import(facts.Import{Module: module, Names: names}, n.Start())
	return true
}

// beside reads File.expand_path("../x", __FILE__), File.join(__dir__, "x") and
// the like.
func beside(n syntax.Node) string {
	if n.Kind() != "call" || n.Child("receiver").Text() != "File" {
		return ""
	}
	var parts []string
	anchor := ""
	n.Child("arguments").NamedChildren(func(c syntax.Node) bool {
		switch text := c.Text(); text {
		case "__FILE__", "__dir__":
			anchor = text
		default:
			p, _ := literal(c)
			parts = append(parts, strings.Trim(p, "/"))
		}
		return true
	})
	p := strings.Join(parts, "/")
	if anchor == "" || p == "" || strings.Contains(p, "//") {
		return ""
	}
	if anchor == "__FILE__" {
		rest, ok := strings.CutPrefix(p, "../")
		if !ok {
			return ""
		}
		p = rest
	}
	if !strings.HasPrefix(p, ".") {
		p = "./" + p
	}
	return p
}

// visibility handles private and its like with arguments: names of methods,
// definitions, or a call that gives either.
func (w *walker) visibility(name string, args syntax.Node) {
	f := w.top()
	v := facts.Private
	switch name {
	case "protected":
		v = facts.Protected
	case "public", "module_function", "public_class_method":
		v = facts.Public
	}
	singleton := strings.HasSuffix(name, "class_method")
	mark := func(i int32) {
		s := w.b.At(i)
		if name == "module_function" {
			s.Flags |= facts.Static
		}
		s.Visibility = v
	}
	eachName(args, func(text string, _ facts.Span, _ syntax.Node) {
		for _, i := range f.members[text] {
			s := w.b.At(i)
			if constant := s.Kind == facts.KindConstant || s.Kind == facts.KindClass || s.Kind == facts.KindModule || s.Kind == facts.KindStruct; constant == (name == "private_constant") &&
				(constant || name == "module_function" || singleton == (s.Flags&facts.Static != 0) || f.static) {
				mark(i)
			}
		}
	})
	before := map[string]int{}
	for k, list := range f.members {
		before[k] = len(list)
	}
	w.arguments(args)
	for k, list := range f.members {
		for _, i := range list[min(before[k], len(list)):] {
			if singleton || w.b.At(i).Flags&facts.Static == 0 || f.static {
				mark(i)
			}
		}
	}
}

// accessors handles attr_reader and its like.
func (w *walker) accessors(n syntax.Node, name string, args syntax.Node) {
	f := w.top()
	doc, obsolete := w.above(n.Start())
	var flags facts.SymbolFlags
	switch {
	case strings.HasSuffix(name, "reader"), name == "attr":
		flags = facts.Getter
	case strings.HasSuffix(name, "writer"):
		flags = facts.Setter
	default:
		flags = facts.Getter | facts.Setter
	}
	if f.static || !strings.HasPrefix(name, "attr") {
		flags |= facts.Static
	}
	if obsolete {
		flags |= facts.Obsolete
	}
	eachName(args, func(text string, at facts.Span, c syntax.Node) {
		w.symbol(facts.Symbol{
			Name: text, Kind: facts.KindProperty, Visibility: f.visibility, Flags: flags, Span: lang.SpanOf(c), NameSpan: at,
			Signature: name + " :" + text, Doc: doc,
		})
	})
}

// defined handles define_method(:name) { |params| ... }.
func (w *walker) defined(n syntax.Node, name string, at facts.Span, static bool, args, block syntax.Node) {
	f := w.top()
	doc, _ := w.above(n.Start())
	end := args.End()
	list := block.Child("parameters")
	if !list.IsZero() {
		end = list.End()
	}
	s := facts.Symbol{
		Name: name, Kind: facts.KindMethod, Visibility: f.visibility, Span: lang.SpanOf(n), NameSpan: at,
		Signature: w.text(n.Start(), end), Doc: doc, Params: params(list),
	}
	if static || f.static {
		s.Flags |= facts.Static
	}
	w.b.Within(w.symbol(s), func() {
		w.arguments(args)
		if !block.IsZero() {
			w.block(block, false, func() {})
		}
	})
}

// delegators handles def_delegators :@target, :a, :b of Forwardable and
// delegate :a, :b, to: :target of Rails.
func (w *walker) delegators(n syntax.Node, name string, args syntax.Node) {
	f := w.top()
	k := 0
	first := !strings.HasPrefix(name, "delegate")
	target := delegateTarget(args, first)
	eachName(args, func(text string, at facts.Span, c syntax.Node) {
		k++
		if first && k == 1 || strings.HasSuffix(name, "delegator") && k != countNames(args) || strings.HasPrefix(text, "@") {
			return
		}
		s := facts.Symbol{
			Name: text, Kind: facts.KindMethod, Visibility: f.visibility, Span: lang.SpanOf(c), NameSpan: at,
			Signature: name + " :" + text,
		}
		if target != "" && !strings.HasSuffix(name, "delegator") {
			s.Init = lang.Shape(target + "." + text)
		}
		if f.static {
			s.Flags |= facts.Static
		}
		w.symbol(s)
	})
	args.NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "pair" {
			w.walk(c)
		}
		return true
	})
}

// countNames is the number of names of a list.
func countNames(args syntax.Node) int {
	n := 0
	eachName(args, func(string, facts.Span, syntax.Node) { n++ })
	return n
}

// rake handles task and namespace.
func (w *walker) rake(n syntax.Node, what string, args, block syntax.Node) bool {
	first := firstNamed(args)
	name, at := literal(first)
	if first.Kind() == "pair" { // task name: [:needed]
		key := first.Child("key")
		if name, at = literal(key); name == "" && key.Kind() == "hash_key_symbol" {
			name, at = key.Text(), lang.SpanOf(key)
		}
	}
	if name == "" {
		return false
	}
	if what == "namespace" {
		if block.IsZero() {
			return false
		}
		w.namespaces = append(w.namespaces, name)
		w.b.Scope(lang.SpanOf(block), func() { w.statements(block, block.Child("body")) })
		w.namespaces = w.namespaces[:len(w.namespaces)-1]
		return true
	}
	doc, _ := w.above(n.Start())
	if w.described != "" {
		doc, w.described = w.described, ""
	}
	end := args.End()
	i := w.symbol(facts.Symbol{
		Name: strings.Join(append(append([]string(nil), w.namespaces...), name), ":"), Kind: facts.KindTarget,
		Span: lang.SpanOf(n), NameSpan: at, Signature: w.text(n.Start(), end), Doc: doc,
	})
	w.b.Within(i, func() {
		w.arguments(args)
		if !block.IsZero() {
			w.block(block, false, func() {})
		}
	})
	return true
}
