package rust

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// bindMacro is the name of a binding that says that what is called at a place is
// a macro; macros and functions have names of their own.
const bindMacro = "!"

// macro reads an invocation: items among its tokens as items, anything else for
// calls and names.
func (w *walker) macro(n syntax.Node) {
	name := n.Child("macro")
	switch name.Kind() {
	case "identifier":
		if !standardMacro(name.Text()) {
			w.b.Reference(facts.RefCall, name.Text(), "", name.Start())
			w.b.Bind(bindMacro, name.Start(), "", "")
		}
	case "scoped_identifier":
		id := name.Child("name")
		w.b.Reference(facts.RefCall, identifier(id), w.pathShape(name.Child("path"), 0), id.Start())
		w.b.Bind(bindMacro, id.Start(), "", "")
		name = id
	}
	tree := n.ChildOfKind("token_tree")
	if tree.IsZero() {
		return
	}
	if template(name.Text()) {
		return
	}
	if hasItems(tree) && w.macros < maxMacros {
		w.macros++
		done := w.reparse(tree)
		w.macros--
		if done {
			return
		}
		w.scanItems(tree, 0)
	}
	w.tokens(tree)
}

// standardMacro lists the macros of the standard library.
func standardMacro(name string) bool {
	switch name {
	case "assert", "assert_eq", "assert_ne", "cfg", "concat", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne",
		"env", "eprint", "eprintln", "file", "format", "format_args", "include", "include_bytes", "include_str", "line",
		"matches", "option_env", "panic", "print", "println", "stringify", "thread_local", "todo", "unimplemented",
		"unreachable", "vec", "write", "writeln", "compile_error", "module_path", "column":
		return true
	}
	return false
}

// template tells of macros whose tokens are code that a program emits.
func template(name string) bool {
	return strings.HasPrefix(name, "quote") || strings.HasPrefix(name, "parse_quote")
}

// hasItems tells whether a keyword of an item stands among the tokens with a
// name behind it, or functions in a block among them.
func hasItems(tree syntax.Node) bool {
	for c := tree.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Kind() == "token_tree" && c.HasToken("{") {
			for f := c.FirstChild(); !f.IsZero(); f = f.NextSibling() {
				if itemKeyword(f) == "fn" && f.NextSibling().Kind() == "identifier" {
					return true
				}
			}
		}
		switch itemKeyword(c) {
		case "":
		case "impl", "use":
			return true
		case "fn", "struct", "enum", "union", "trait", "mod", "static", "type", "const":
			next := c.NextSibling()
			for next.Is("mutable_specifier", "ref", "mut") {
				next = next.NextSibling()
			}
			if next.Is("identifier", "type_identifier", "primitive_type") && next.NextSibling().Kind() != "=>" {
				return true
			}
		case "macro":
			return true
		}
	}
	return false
}

// itemKeyword is the keyword that starts an item, or "". A token of that text
// may be an identifier to the grammar.
func itemKeyword(n syntax.Node) string {
	if !n.IsLeaf() || n.Is("line_comment", "string_literal") {
		return ""
	}
	switch t := n.Text(); t {
	case "fn", "struct", "enum", "union", "trait", "mod", "static", "type", "const", "impl", "use":
		return t
	case "macro_rules!", "macro_rules":
		return "macro"
	}
	return ""
}

// reparse reads the tokens of an invocation as items. It gives false where they
// are none, or damaged ones, which are then found by their lines.
func (w *walker) reparse(tree syntax.Node) bool {
	if tree.End()-tree.Start() < 2 {
		return false
	}
	start, end := tree.Start()+1, tree.End()-1
	t, err := syntax.ParsePart(w.grammar, w.source, start, end)
	if err != nil {
		return false
	}
	damaged := func(t *syntax.Tree) bool {
		w.scan(t, facts.Span{Start: start, End: end})
		return false
	}
	if t.Root().HasError() {
		if w.rewritten == nil {
			if w.rewritten = rewrite(w.source); w.rewritten == nil {
				w.rewritten = w.source
			}
		}
		if bytes.Equal(w.rewritten[start:end], w.source[start:end]) {
			return damaged(t)
		}
		t, err = syntax.ParsePart(w.grammar, w.rewritten, start, end)
		if err != nil {
			return false
		}
		if t.Root().HasError() {
			return damaged(t)
		}
		t.Source = w.source
	}
	w.items(t.Root())
	return true
}

// maxHeader bounds the tokens that are read as one item of a macro's own syntax.
const maxHeader = 100

// scanItems finds items among tokens that do not parse as items, such as
// bitflags! { struct Flags: u32 { const A = 1; } }.
func (w *walker) scanItems(tree syntax.Node, depth int) {
	if depth > maxMacros {
		return
	}
	start := syntax.Node{}
	for c := tree.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		keyword := itemKeyword(c)
		if keyword == "static" && c.Start() > 0 && w.source[c.Start()-1] == '\'' {
			keyword = "" // the lifetime
		}
		if c.Text() == "pub" {
			start = c
		}
		if keyword == "" {
			if c.Is("token_tree", ";", ",", "}") && !(c.Is("token_tree") && !start.IsZero() && c.Start() < start.End()+2) {
				start = syntax.Node{}
			}
			continue
		}
		first := c
		if !start.IsZero() {
			first = start
		}
		public := !start.IsZero()
		start = syntax.Node{}
		if keyword == "use" || keyword == "macro" {
			continue
		}
		var names []syntax.Node
		body, last := syntax.Node{}, c
		left := maxHeader
		for x := c.NextSibling(); !x.IsZero() && left > 0; x = x.NextSibling() {
			left--
			if x.Kind() == ";" || x.Kind() == "," && keyword != "fn" && keyword != "impl" {
				break
			}
			last = x
			if x.Kind() == "token_tree" && w.source[x.Start()] == '{' {
				body = x
				break
			}
			if x.Is("identifier", "type_identifier", "primitive_type") {
				names = append(names, x)
			} else if x.Text() == "for" && keyword == "impl" {
				names = nil
			}
		}
		if len(names) > 0 && names[0].Text() == "ref" {
			names = names[1:]
		}
		if len(names) == 0 || isItemWord(names[0].Text()) {
			continue
		}
		if keyword == "impl" {
			w.owned(&owner{name: identifier(names[0])}, func() { w.scanItems(body, depth+1) })
		} else {
			w.scanned(keyword, names[0], body, facts.Span{Start: first.Start(), End: last.End()}, public, depth)
		}
		c = last
	}
}

func isItemWord(s string) bool {
	switch s {
	case "fn", "struct", "enum", "union", "trait", "mod", "static", "type", "const", "impl", "use":
		return true
	}
	return false
}

// scanned reports an item found among tokens.
func (w *walker) scanned(keyword string, name, body syntax.Node, span facts.Span, public bool, depth int) {
	s := facts.Symbol{Name: identifier(name), Kind: kindOf(keyword, w.owner != nil), NameSpan: lang.SpanOf(name), Span: span, Visibility: facts.Private}
	end := span.End
	if !body.IsZero() {
		end = body.Start()
	}
	s.Signature = strings.TrimRight(string(w.b.Source[span.Start:end]), " \t\r\n;")
	if at := strings.Index(s.Signature, " = "); at > 0 && keyword != "type" {
		s.Signature = s.Signature[:at]
	}
	if public {
		s.Visibility = facts.Public
		if strings.HasPrefix(s.Signature, "pub(") {
			s.Visibility = facts.Protected
		}
	}
	if w.owner != nil {
		s.Container = w.owner.name
		if !w.owner.trait {
			s.Init = w.owner.initOf()
		}
	}
	i := w.b.Symbol(s)
	if i >= 0 && (keyword == "struct" || keyword == "enum" || keyword == "trait") {
		w.types[w.path+s.Name] = i
	}
	if body.IsZero() {
		return
	}
	switch keyword {
	case "trait":
		w.b.Within(i, func() {
			w.owned(&owner{name: s.Name, trait: true, visibility: s.Visibility}, func() { w.scanItems(body, depth+1) })
		})
	case "mod", "struct":
		w.b.Within(i, func() { w.scanItems(body, depth+1) })
	}
}

func kindOf(keyword string, owned bool) facts.Kind {
	switch keyword {
	case "fn":
		if owned {
			return facts.KindMethod
		}
		return facts.KindFunction
	case "struct", "union":
		return facts.KindStruct
	case "enum":
		return facts.KindEnum
	case "trait":
		return facts.KindInterface
	case "mod":
		return facts.KindModule
	case "type":
		return facts.KindType
	case "static":
		return facts.KindVariable
	case "macro":
		return facts.KindMacro
	case "field":
		return facts.KindField
	case "variant":
		return facts.KindEnumMember
	}
	return facts.KindConstant
}

// tokens reads the tokens of an invocation for calls and names. The chain of
// names, dots, colons and calls before a name is its qualifier.
func (w *walker) tokens(tree syntax.Node) { w.tokensOf(tree, "") }

// tokensOf reads the tokens of a bracket; literal is the shape of the struct or
// variant whose fields may stand in it, or "".
func (w *walker) tokensOf(tree syntax.Node, literal string) {
	if w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	chain := ""   // shape of what stands before the next name
	link := false // a dot or path separator stands before the next name
	item := false // the chain is the name that an item defines
	var before syntax.Node
	for c := tree.FirstChild(); !c.IsZero(); before, c = c, c.NextSibling() {
		switch c.Kind() {
		case "identifier", "self", "super", "crate", "type_identifier":
			if !link {
				chain, item = "", itemKeyword(before) != ""
			}
			name := identifier(c)
			next := c.NextSibling()
			if literal != "" && c.Kind() == "identifier" && before.Is("{", ",") && next.Is(":", ",", "}") {
				w.b.Reference(facts.RefRead, name, literal, c.Start())
				if next.Kind() == ":" {
					chain, link = "", false
					continue
				}
			}
			isMacro := next.Kind() == "!" && next.NextSibling().Kind() == "token_tree"
			call := isMacro || next.Kind() == "token_tree" && w.source[next.Start()] == '('
			w.token(c, name, chain, call, isMacro, next)
			if name == "Self" && w.current != "" {
				name = w.current
			}
			chain = lang.Shape(chain + dot(chain) + name)
			link = false
		case ".", "::":
			link = true
			if chain == "" && c.Kind() == "." {
				chain = lang.Unknown
			}
		case "token_tree":
			inner := ""
			if chain != "" && !item && w.source[c.Start()] == '{' && isTypeName(chain[strings.LastIndexByte(chain, '.')+1:]) {
				inner = lang.Shape(chain + "{}")
			}
			w.tokensOf(c, inner)
			switch {
			case chain == "":
				chain = lang.Unknown
			case w.source[c.Start()] == '(':
				chain = lang.Shape(chain + "()")
			case w.source[c.Start()] == '[':
				chain = lang.Shape(chain + "[]")
			default:
				chain = lang.Unknown
			}
			link = false
		case "?":
			if chain != "" {
				chain = lang.Shape(chain + ".try")
			}
		case "line_comment", "block_comment":
		default:
			chain, link = "", false
		}
	}
}

func (w *walker) token(c syntax.Node, name, chain string, call, isMacro bool, next syntax.Node) {
	if c.Is("self", "super", "crate") || name == "await" || name == "_" || name == "Self" {
		return
	}
	if chain == "" && (prelude(name) || !isMacro && w.b.Bound(name) || isMacro && standardMacro(name)) {
		return
	}
	kind := facts.RefRead
	switch {
	case call:
		kind = facts.RefCall
	case isTypeName(name) && (next.Kind() == "::" || next.Kind() == "token_tree" && w.source[next.Start()] == '{'):
		kind = facts.RefType
	case next.Kind() == "::" || next.Kind() == "=>" && chain == "":
		return // a module, or a name that a macro's own syntax binds
	case chain == "" && next.Kind() == "=":
		return // a named argument
	}
	w.b.Reference(kind, name, chain, c.Start())
	if isMacro {
		w.b.Bind(bindMacro, c.Start(), "", "")
	}
}
