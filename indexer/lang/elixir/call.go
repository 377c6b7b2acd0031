package elixir

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// call handles calls: those that define and import by their name, the rest as
// references.
func (w *walker) call(n syntax.Node) {
	target := n.Child("target")
	switch target.Kind() {
	case "identifier":
		if w.defines(n, target.Text()) {
			return
		}
		w.local(n, target)
	case "dot":
		w.remote(n, target)
	default:
		w.walk(target)
		w.operands(n)
	}
}

// defines handles the calls that define or import and tells whether it was one.
func (w *walker) defines(n syntax.Node, name string) bool {
	f := w.top()
	switch name {
	case "defmodule", "defprotocol":
		w.module(n, name)
	case "defimpl":
		w.implementation(n)
	case "defstruct", "defexception":
		w.structure(n, name)
	case "defrecord", "defrecordp":
		w.record(n, name)
	case "alias", "import", "require", "use":
		w.imports(n, name)
	case "quote":
		w.b.Body(lang.SpanOf(n), func() {
			w.inside(&frame{symbol: -1}, func() { w.operands(n) })
		})
	case "test":
		return !w.b.InBody() && len(w.frames) > 1 && w.test(n)
	case "schema", "embedded_schema", "typedstruct", "typed_schema", "typed_embedded_schema":
		if w.b.InBody() || f.symbol < 0 || n.ChildOfKind("do_block").IsZero() {
			return false
		}
		w.schema(n)
	case "config":
		if !w.config || w.b.InBody() {
			return false
		}
		w.configuration(n)
	default:
		if definer(name) == none || n.ChildOfKind("arguments").IsZero() {
			return false
		}
		w.function(n, name)
	}
	return true
}

// local handles a call of a bare name.
func (w *walker) local(n, target syntax.Node) {
	if name := target.Text(); !special(name) {
		w.b.Reference(facts.RefCall, name, "", target.Start())
	}
	w.route(n, target.Text())
	w.operands(n)
}

// operands walks the arguments of a call and its block, which sees what the
// arguments bind.
func (w *walker) operands(n syntax.Node) {
	args, block := n.ChildOfKind("arguments"), n.ChildOfKind("do_block")
	if block.IsZero() && !binds(n) {
		w.walk(args)
		return
	}
	w.b.Scope(lang.SpanOf(n), func() {
		w.walk(args)
		w.walk(block)
	})
}

// binds tells whether the names that the arguments of a call bind end with it.
func binds(n syntax.Node) bool {
	switch callee(n) {
	case "for", "with":
		return true
	}
	return false
}

// remote handles Mod.fun(…), value.field and fun.(…).
func (w *walker) remote(n, target syntax.Node) {
	left, right := target.Child("left"), target.Child("right")
	switch right.Kind() {
	case "", "tuple":
		w.walk(left)
		w.walk(right)
	case "alias":
		w.walk(target)
	default:
		name := right.Text()
		if left.Text() == "Record" && strings.HasPrefix(name, "defrecord") {
			w.record(n, name)
			return
		}
		w.receiver(left)
		kind := facts.RefCall
		if n.ChildOfKind("arguments").IsZero() && !left.Is("alias", "atom") && left.Text() != "__MODULE__" {
			kind = facts.RefRead
		}
		if right.Kind() == "identifier" || right.Kind() == "operator_identifier" {
			w.b.Reference(kind, name, w.qualifier(left), right.Start())
		}
	}
	w.operands(n)
}

// route records the action that a route of Phoenix calls: get "/", Page, :index.
func (w *walker) route(n syntax.Node, name string) {
	switch name {
	case "get", "post", "put", "patch", "delete", "live", "options", "head":
	default:
		return
	}
	args := arguments(n)
	if len(args) < 3 || args[0].Kind() != "string" || args[1].Kind() != "alias" || args[2].Kind() != "atom" {
		return
	}
	w.b.Reference(facts.RefCall, strings.TrimPrefix(args[2].Text(), ":"), shape(args[1]), args[2].Start()+1)
}

// imports handles alias, import, require and use.
func (w *walker) imports(n syntax.Node, keyword string) {
	args := arguments(n)
	if len(args) == 0 {
		return
	}
	type module struct {
		name string
		node syntax.Node
	}
	var modules []module
	switch first := args[0]; first.Kind() {
	case "alias":
		modules = append(modules, module{strings.Join(strings.Fields(first.Text()), ""), first})
	case "atom":
		modules = append(modules, module{first.Text(), first})
	case "identifier":
		if first.Text() == "__MODULE__" && w.top().module != "" {
			modules = append(modules, module{w.top().module, first})
		}
	case "dot":
		prefix := strings.Join(strings.Fields(first.Child("left").Text()), "")
		if rest, ok := strings.CutPrefix(prefix, "__MODULE__"); ok {
			prefix = w.top().module + rest
		}
		right := first.Child("right")
		if right.Kind() == "alias" {
			modules = append(modules, module{prefix + "." + strings.Join(strings.Fields(right.Text()), ""), right})
		}
		for _, c := range named(right) {
			if c.Kind() == "alias" {
				modules = append(modules, module{prefix + "." + strings.Join(strings.Fields(c.Text()), ""), c})
			}
		}
	default:
		w.walk(first)
	}
	alias := ""
	if as := option(args, "as"); as.Kind() == "alias" {
		alias = as.Text()
	}
	for _, m := range modules {
		i := facts.Import{Module: m.name, Alias: alias}
		if keyword == "import" {
			i.Names = importedNames(option(args, "only"))
		}
		w.b.Import(i, m.node.Start())
		if keyword == "use" {
			if m.name == "Config" || m.name == "Mix.Config" {
				w.config = true
			}
			if !w.b.InBody() {
				w.base(m.name)
				w.alias(m.node, facts.RefInherit)
			}
		} else if m.name == "Config" && keyword == "import" {
			w.config = true
		}
	}
	if keyword == "use" || keyword == "import" {
		for _, a := range args[1:] {
			w.walk(a)
		}
	}
}

// importedNames lists the functions of only: [name: arity]; without it all are
// imported.
func importedNames(only syntax.Node) []facts.ImportedName {
	var out []facts.ImportedName
	for _, p := range named(only.ChildOfKind("keywords")) {
		if name := keyOf(p); p.Kind() == "pair" && name != "" {
			out = append(out, facts.ImportedName{Name: name})
		}
	}
	if only.IsZero() {
		out = append(out, facts.ImportedName{Name: "*"})
	}
	return out
}

// special lists forms of the language and the macros and guards of Kernel that
// programs do not redefine.
func special(name string) bool {
	switch name {
	case "__MODULE__", "__ENV__", "__CALLER__", "__DIR__", "__STACKTRACE__", "__block__", "__aliases__", "case", "cond", "fn", "for", "if",
		"unless", "quote", "unquote", "unquote_splicing", "receive", "try", "with", "super", "raise", "reraise", "throw", "send", "self", "spawn",
		"spawn_link", "is_atom", "is_binary", "is_bitstring", "is_boolean", "is_exception", "is_float", "is_function", "is_integer",
		"is_list", "is_map", "is_map_key", "is_nil", "is_number", "is_pid", "is_port", "is_reference", "is_struct", "is_tuple", "elem",
		"hd", "tl", "length", "map_size", "tuple_size", "byte_size", "bit_size", "inspect", "to_string", "to_charlist", "apply",
		"binding", "div", "rem", "abs", "max", "min", "round", "trunc", "not", "and", "or", "in", "when", "var!", "alias!", "defoverridable", "end",
		"put_in", "get_in", "update_in", "pop_in", "match?", "destructure", "dbg", "tap", "then", "exit", "make_ref", "node", "put_elem",
		"struct", "struct!", "binary_part", "sigil_r", "assert", "refute", "describe", "setup", "setup_all":
		return true
	}
	return false
}
