package ecmascript

import (
	"bytes"
	"strings"
	"sync"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// WithDialect gives an extraction that reads a damaged text with a second
// grammar and keeps what has less damage. JavaScript with type annotations
// (Flow) is read by the grammar of TypeScript that way.
func WithDialect(grammar func() *syntax.Grammar) func(*lang.Builder) {
	compiled := sync.OnceValue(grammar)
	return func(b *lang.Builder) {
		if own := b.Tree; own != nil && own.Root().HasError() {
			if other, err := syntax.Parse(compiled(), withoutInexact(own.Source)); err == nil && damage(other) < damage(own) {
				other.Source = own.Source
				b.Tree = other
				defer func() { b.Tree = own }()
			}
		}
		Extract(b)
	}
}

var inexact = lazyregexp.New(`\.\.\.(?:\s|//[^\n]*\n)*,?\s*\|?\}`)

// withoutInexact blanks the mark that an object type of Flow has more members,
// dots before a closing brace, which no other grammar allows.
func withoutInexact(source []byte) []byte {
	found := inexact.FindAllIndex(source, -1)
	if len(found) == 0 {
		return source
	}
	out := bytes.Clone(source)
	for _, at := range found {
		copy(out[at[0]:at[0]+3], "   ")
	}
	return out
}

// damage is the number of bytes in the outermost error nodes of a tree, with
// every error and missing token counting for one more.
func damage(t *syntax.Tree) int {
	sum := 0
	for i := 0; i < t.Len(); {
		n := t.At(i)
		switch {
		case n.IsError() || n.IsMissing():
			sum += int(n.End()-n.Start()) + 1
			i = n.SubtreeEnd()
		case !n.HasError():
			i = n.SubtreeEnd()
		default:
			i++
		}
	}
	return sum
}

var (
	clauseLine  = lazyregexp.New(`(?m)^(?:export\s*(?:type\s*)?|module\.exports\s*=\s*)\{([^{}]*)\}`)
	defaultLine = lazyregexp.New(`(?m)^(?:export\s+default|module\.exports\s*=)\s+([\w$]+)\s*;?\s*$`)
	localName   = lazyregexp.New(`^\s*(?:type\s+)?([\w$]+)`)
)

// exportedElsewhere reads the export clauses of a text of which the tree holds
// a part only: the clause may stand in another part than what it names.
func (w *walker) exportedElsewhere() {
	if !w.part {
		return
	}
	for _, m := range clauseLine.FindAllSubmatch(w.b.Source, -1) {
		for part := range bytes.SplitSeq(m[1], []byte(",")) {
			if id := localName.FindSubmatch(part); id != nil {
				w.markExported(string(id[1]), false)
			}
		}
	}
	for _, m := range defaultLine.FindAllSubmatch(w.b.Source, -1) {
		w.markExported(string(m[1]), true)
	}
}

// salvage walks an error node: a keyword in it with a name behind still tells
// a definition, and members that follow belong to it.
func (w *walker) salvage(n syntax.Node) {
	owner, body := int32(-1), false
	var pending facts.Kind
	var keyword syntax.Node
	visit := func(c syntax.Node) {
		if owner >= 0 && body && c.Is("method_definition", "method_signature", "public_field_definition", "field_definition", "class_static_block") {
			w.b.Within(owner, func() { w.member(c, owner) })
			return
		}
		w.walk(c)
	}
	docs := lang.CommentsOf(w.b)
	for c := range n.Children {
		if !c.IsNamed() {
			switch c.Kind() {
			case "class":
				pending, keyword = facts.KindClass, c
			case "interface":
				pending, keyword = facts.KindInterface, c
			case "enum":
				pending, keyword = facts.KindEnum, c
			case "type":
				pending, keyword = facts.KindType, c
			case "namespace", "module":
				pending, keyword = facts.KindModule, c
			case "function":
				pending, keyword = facts.KindFunction, c
			case "{":
				body = true
			case "*":
			default:
				pending = facts.KindUnknown
			}
			continue
		}
		if c.Is("comment") {
			docs.Add(c, 0)
			continue
		}
		if pending != facts.KindUnknown && c.Is("identifier", "type_identifier") && !c.IsMissing() {
			w.doc = docs.Above(keyword.Start())
			owner = w.definition(facts.Symbol{
				Name: c.Text(), Kind: pending, Signature: w.line(keyword.Start()),
				Span: facts.Span{Start: keyword.Start(), End: n.End()}, NameSpan: lang.SpanOf(c),
			}, w.topVisibility())
			body = false
			if w.b.Line(n.Start()) == w.b.Line(keyword.Start()) && bytes.HasPrefix(n.Bytes(), []byte("export")) && owner >= 0 {
				w.b.At(owner).Flags |= facts.Exported
				w.noteDeclared(owner)
			}
			if pending == facts.KindFunction {
				owner = -1
			}
			pending = facts.KindUnknown
			continue
		}
		pending = facts.KindUnknown
		w.doc = docs.Above(c.Start())
		visit(c)
	}
	w.doc = ""
}

// line is the rest of a line up to an opening brace.
func (w *walker) line(from uint32) string {
	rest := w.src[from:]
	if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
		rest = rest[:end]
	}
	s := strings.ToValidUTF8(string(rest[:min(len(rest), maxHead)]), "")
	if k := strings.IndexByte(s, '{'); k > 0 {
		s = s[:k]
	}
	return strings.TrimSpace(s)
}

var memberLine = lazyregexp.New(`(?m)^[ \t]+(?:readonly[ \t]+)?([A-Za-z_$][\w$]*)\??:[ \t]*(.*?)[;,]?[ \t]*\r?$`)

// swallowed declares the members of an interface that the damage in the member
// before them holds, one a line.
func (w *walker) swallowed(m syntax.Node) {
	text := m.Bytes()
	nl := bytes.IndexByte(text, '\n')
	if nl < 0 || len(text) > maxHead {
		return
	}
	for _, at := range memberLine.FindAllSubmatchIndex(text[nl+1:], -1) {
		base := m.Start() + uint32(nl) + 1
		name := facts.Span{Start: base + uint32(at[2]), End: base + uint32(at[3])}
		w.definition(facts.Symbol{
			Name: string(w.src[name.Start:name.End]), Kind: facts.KindField,
			Signature: strings.TrimSpace(string(w.src[name.Start : base+uint32(at[5])])), Type: string(w.src[base+uint32(at[4]) : base+uint32(at[5])]),
			Span: facts.Span{Start: name.Start, End: base + uint32(at[5])}, NameSpan: name,
		}, facts.Public)
	}
}
