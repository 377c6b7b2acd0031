// Package golang reads Go.
package golang

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	grammar "github.com/smacker/go-tree-sitter/golang"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Language is the row of Go.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "go",
		Aliases:    []string{"golang"},
		Version:    3,
		Extensions: []string{".go"},
		Grammar:    func() *syntax.Grammar { return syntax.NewGrammar(grammar.GetLanguage()) },
		Leaves: lang.Leaves{
			Comments: []string{"comment"},
			Strings:  []string{"interpreted_string_literal", "raw_string_literal", "rune_literal"},
			Imports:  []string{"import_declaration", "package_clause"},
		},
		Extract: extract,
		Resync:  resync,
		Rewrite: rewrite,
		Roles:   roles,
	}
}

func roles(p string) facts.Role {
	var r facts.Role
	if strings.HasSuffix(p, "_test.go") {
		r |= facts.RoleTest
	}
	if p == "doc.go" || strings.HasSuffix(p, "/doc.go") {
		r |= facts.RolePackageInit
	}
	return r
}

var genericAlias = lazyregexp.New(`(?m)^type[ \t]+[\pL_][\pL\pN_]*\[[^\n=]*\][ \t]*(=)[ \t]*[^=\s]`)

// rewrite knows generic aliases (Go 1.24), which read like definitions without
// their equals sign, and new of a value (Go 1.26), a call like any other under
// another name.
func rewrite(source []byte) []byte {
	var out []byte
	set := func(at int, c byte) {
		if out == nil {
			out = bytes.Clone(source)
		}
		out[at] = c
	}
	for _, m := range genericAlias.FindAllSubmatchIndex(source, -1) {
		set(m[2], ' ')
	}
	for at := 0; ; {
		k := bytes.Index(source[at:], []byte("new("))
		if k < 0 {
			return out
		}
		at += k + len("new(")
		if start := at - len("new("); (start == 0 || !isWordByte(source[start-1])) && isValue(source[at:]) {
			set(start, 'N')
		}
	}
}

// isValue tells whether the argument that a text starts with can be no type: a
// literal, or something with a call in it.
func isValue(text []byte) bool {
	if len(text) == 0 || bytes.IndexByte([]byte("\"'`&-+!^0123456789"), text[0]) >= 0 {
		return true
	}
	for _, w := range []string{"true)", "false)", "nil)"} {
		if bytes.HasPrefix(text, []byte(w)) {
			return true
		}
	}
	for _, w := range []string{"func", "interface", "struct", "chan", "map", "[", "*", "("} {
		if bytes.HasPrefix(text, []byte(w)) {
			return false
		}
	}
	end := bytes.IndexAny(text, "()\n")
	return end > 0 && text[end] == '('
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func resync(line []byte) bool {
	for _, k := range []string{"func ", "func(", "type ", "var ", "const ", "import ", "package ", "var(", "const(", "type(", "import("} {
		if bytes.HasPrefix(line, []byte(k)) {
			return true
		}
	}
	return false
}

// maxDepth bounds the recursion into expressions; deeper ones are data that a
// program wrote.
const maxDepth = 3000

type walker struct {
	b        *lang.Builder
	depth    int
	packages map[string]bool // local names of imported packages
}

func extract(b *lang.Builder) {
	w := &walker{b: b, packages: map[string]bool{}}
	w.file(b.Tree.Root())
}

func (w *walker) file(root syntax.Node) {
	docs := lang.CommentsOf(w.b)
	behind := uint32(0)
	root.NamedChildren(func(n syntax.Node) bool {
		switch n.Kind() {
		case "comment":
			docs.Add(n, behind)
			return true
		case "package_clause":
			if doc := withoutDirectives(docs.Above(n.Start())); !lang.LooksLikeLicense(doc) {
				w.b.SetSummary(doc)
			}
			w.b.SetPackage(n.ChildOfKind("package_identifier", "identifier").Text())
		case "ERROR":
			w.salvage(n)
			w.file(n)
		default:
			w.declaration(n, docs)
		}
		behind = w.b.Line(max(n.Start(), n.End()-min(n.End(), 1)))
		return true
	})
}

// declaration handles what can stand at the level of the file or, but for
// functions, inside a block.
func (w *walker) declaration(n syntax.Node, docs *lang.Comments) {
	switch n.Kind() {
	case "import_declaration":
		w.imports(n)
	case "function_declaration":
		w.function(n, withoutDirectives(docs.Above(n.Start())))
	case "method_declaration":
		w.method(n, withoutDirectives(docs.Above(n.Start())))
	case "type_declaration", "const_declaration", "var_declaration":
		w.group(n, docs.Above(n.Start()))
	default:
		w.walk(n)
	}
}

// group walks the specs of a declaration. The comment above the declaration
// belongs to a lone spec; in a group every spec has its own.
func (w *walker) group(n syntax.Node, doc string) {
	keyword := strings.TrimSuffix(n.Kind(), "_declaration")
	if list := n.ChildOfKind("var_spec_list"); !list.IsZero() {
		n = list
	}
	single := !n.HasToken("(")
	docs := lang.CommentsOf(w.b)
	behind := w.b.Line(n.Start())
	var last repeated
	n.NamedChildren(func(spec syntax.Node) bool {
		if spec.Kind() == "comment" {
			docs.Add(spec, behind)
			return true
		}
		own := docs.Above(spec.Start())
		if own == "" && single {
			own = doc
		}
		own = withoutDirectives(own)
		outer := spec
		if single {
			outer = n
		}
		switch spec.Kind() {
		case "type_spec", "type_alias":
			w.typeSpec(spec, outer, own)
		case "const_spec", "var_spec":
			last = w.valueSpec(spec, outer, keyword, own, last)
		}
		behind = w.b.Line(max(spec.Start(), spec.End()-1))
		return true
	})
}

func (w *walker) imports(n syntax.Node) {
	var walk func(syntax.Node)
	walk = func(n syntax.Node) {
		n.NamedChildren(func(c syntax.Node) bool {
			switch c.Kind() {
			case "import_spec_list":
				walk(c)
			case "import_spec":
				module, alias := strings.Trim(c.Child("path").Text(), "`\""), c.Child("name").Text()
				w.b.Import(facts.Import{Module: module, Alias: alias}, c.Start())
				if alias == "" {
					alias = path.Base(module)
				}
				w.packages[alias] = true
			}
			return true
		})
	}
	walk(n)
}

func (w *walker) function(n syntax.Node, doc string) {
	name := n.Child("name")
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindFunction, Visibility: visibility(name.Text()),
		Signature: w.head(n), Doc: doc, Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
		Params: params(n.Child("parameters")), Type: lang.Collapse(n.Child("result").Text()),
	}
	if s.Name == "main" {
		s.Flags |= facts.Main
	}
	if s.Name == "_" || s.Name == "init" {
		s.Visibility = facts.Private
	}
	w.callable(w.b.Symbol(s), n)
}

func (w *walker) method(n syntax.Node, doc string) {
	name := n.Child("name")
	s := facts.Symbol{
		Name: name.Text(), Kind: facts.KindMethod, Visibility: visibility(name.Text()),
		Container: receiver(n.Child("receiver")), Signature: w.head(n), Doc: doc,
		Span: lang.SpanOf(n), NameSpan: lang.SpanOf(name),
		Params: params(n.Child("parameters")), Type: lang.Collapse(n.Child("result").Text()),
	}
	if s.Container != "" && visibility(s.Container) == facts.Private {
		s.Visibility = facts.Private
	}
	w.callable(w.b.Symbol(s), n)
}

// callable walks the types and the body of a function.
func (w *walker) callable(symbol int32, n syntax.Node) {
	w.b.Within(symbol, func() {
		w.b.Body(lang.SpanOf(n), func() {
			// Type parameters are seen by the types of parameters, which are
			// not seen by one another: func f(config config) names a type.
			w.bindTypeParams(n.Child("type_parameters"))
			w.bindReceiverTypes(n.Child("receiver"))
			for _, f := range []string{"receiver", "type_parameters", "parameters", "result"} {
				w.types(n.Child(f))
			}
			body, from := n.Child("body"), n.End()
			if !body.IsZero() {
				from = body.Start()
			}
			for _, f := range []string{"receiver", "parameters", "result"} {
				w.bindParams(n.Child(f), from)
			}
			w.children(body)
		})
	})
}

// head is the declaration up to its body.
func (w *walker) head(n syntax.Node) string {
	end := n.End()
	if body := n.Child("body"); !body.IsZero() {
		end = body.Start()
	}
	return string(w.b.Source[n.Start():end])
}

// valueSpec handles constants and variables. In a group of constants a spec
// without a value repeats the type and the value of the one before.
func (w *walker) valueSpec(n, outer syntax.Node, keyword, doc string, last repeated) repeated {
	kind := facts.KindVariable
	if keyword == "const" {
		kind = facts.KindConstant
	}
	typ := lang.Collapse(n.Child("type").Text())
	values := expressions(n.Child("value"))
	if typ == "" && keyword == "const" && len(values) == 0 {
		typ, values = last.typ, last.values
	}
	local := w.b.InBody()
	localType := typ
	if local {
		if t := n.Child("type"); !t.IsZero() {
			localType = typeText(t)
		}
		// What a name is made of does not see it: var fence fence.
		w.types(n.Child("type"))
		w.children(n.Child("value"))
	}
	first := int32(-1)
	k := 0
	n.Children(func(c syntax.Node) bool {
		if c.FieldName() != "name" {
			return true
		}
		init := initShape(values, k)
		k++
		if c.Text() == "_" || c.Text() == "," {
			if c.Text() == "," {
				k--
			}
			return true
		}
		if local {
			w.b.Bind(c.Text(), n.End(), localType, init)
			return true
		}
		span := lang.SpanOf(outer)
		i := w.b.Symbol(facts.Symbol{
			Name: c.Text(), Kind: kind, Visibility: visibility(c.Text()), Doc: doc,
			Signature: strings.TrimSpace(keyword + " " + c.Text() + " " + typ), Type: typ, Init: withoutOffsets(init),
			Span: span, NameSpan: lang.SpanOf(c),
		})
		if first < 0 {
			first = i
		}
		return true
	})
	if !local {
		w.b.Within(first, func() {
			w.types(n.Child("type"))
			w.children(n.Child("value"))
		})
	}
	if keyword == "const" {
		return repeated{typ, values}
	}
	return repeated{}
}

func visibility(name string) facts.Visibility {
	if r, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(r) {
		return facts.Public
	}
	return facts.Private
}

// withoutDirectives drops lines that talk to the compiler or to tools.
func withoutDirectives(doc string) string {
	if !strings.Contains(doc, "go:") && !strings.Contains(doc, "+build") && !strings.Contains(doc, "nolint") {
		return doc
	}
	var out []string
	for line := range strings.Lines(doc) {
		l := strings.TrimSpace(line)
		if strings.HasPrefix(l, "go:") || strings.HasPrefix(l, "+build") || strings.HasPrefix(l, "nolint") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "")
}

// salvage finds the name of a declaration that the grammar could not read.
func (w *walker) salvage(n syntax.Node) {
	text := n.Bytes()
	line, _, _ := bytes.Cut(text, []byte("\n"))
	add := func(kind facts.Kind, container string, rest []byte) {
		rest = bytes.TrimLeft(rest, " \t")
		end := 0
		for end < len(rest) {
			r, size := utf8.DecodeRune(rest[end:])
			if !unicode.IsLetter(r) && r != '_' && (end == 0 || !unicode.IsDigit(r)) {
				break
			}
			end += size
		}
		if end == 0 {
			return
		}
		name := string(rest[:end])
		at := n.Start() + uint32(len(line)-len(rest))
		w.b.Symbol(facts.Symbol{
			Name: name, Kind: kind, Visibility: visibility(name), Container: container,
			Signature: strings.TrimRight(string(line), " {"), Span: lang.SpanOf(n),
			NameSpan: facts.Span{Start: at, End: at + uint32(end)},
		})
	}
	switch {
	case bytes.HasPrefix(line, []byte("type ")):
		add(facts.KindType, "", line[len("type "):])
	case bytes.HasPrefix(line, []byte("func (")):
		recv, rest, ok := bytes.Cut(line[len("func ("):], []byte(")"))
		if ok {
			fields := bytes.Fields(recv)
			container := ""
			if len(fields) > 0 {
				container, _, _ = strings.Cut(strings.TrimLeft(string(fields[len(fields)-1]), "*"), "[")
			}
			add(facts.KindMethod, container, rest)
		}
	case bytes.HasPrefix(line, []byte("func ")):
		add(facts.KindFunction, "", line[len("func "):])
	}
}
