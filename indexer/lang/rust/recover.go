package rust

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

var header = lazyregexp.New(`^[ \t]*((?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:default|const|async|unsafe|safe|auto|extern(?:[ \t]+"[^"\n]*")?)[ \t]+)*` +
	`(fn|struct|enum|union|trait|impl|mod|static|const|type|macro|macro_rules!)(?:[ \t]+mut)?)\b?(?:[ \t]*<|[ \t]+)`)

var headerName = lazyregexp.New(`^(?:r#)?([\pL_][\pL\pN_]*)`)

// open is a block that the line scan of a damaged text is in.
type open struct {
	indent  int
	keyword string
	name    string
	ofTrait bool // an impl of a trait
}

// lost is an item of a damaged text, found by its line.
type lost struct {
	keyword  string
	name     string
	nameSpan facts.Span
	line     facts.Span // without white space at its end
	indent   int
	stack    open  // innermost block around it
	body     bool  // inside a function
	outer    int32 // definition around the part that was read, or -1
}

// scan finds the items of a damaged tree, or of the part of the text that a
// damaged tree stands over, by their lines: damage can make of an item a
// parameter, a type or an expression as well as an error. It looks at lines
// outside literals, comments and templates; the block that an item belongs to
// follows from the indentation.
func (w *walker) scan(t *syntax.Tree, part facts.Span) {
	literals := literals(t)
	if w.owners == nil {
		w.owners = map[uint32]*owner{}
	}
	var stack []open
	offset := part.Start
	for line := range bytes.Lines(w.source[part.Start:part.End]) {
		start := offset
		offset += uint32(len(line))
		text := bytes.TrimRight(line, " \t\r\n")
		body := bytes.TrimLeft(text, " \t")
		if len(body) == 0 || within(&literals, start) {
			continue
		}
		indent := len(text) - len(body)
		goesOn := body[0] == '{' || body[0] == ')' || bytes.HasPrefix(body, []byte("where"))
		for k := len(stack) - 1; k >= 0 && (stack[k].indent > indent || stack[k].indent == indent && !goesOn); k-- {
			stack = stack[:k]
		}
		m := header.FindSubmatchIndex(text)
		if m == nil {
			if l, ok := member(stack, text, start, indent); ok {
				w.lose(l)
			} else if b := bareBlock.FindSubmatch(text); b != nil {
				stack = append(stack, open{indent, "impl", string(b[1]), false})
			}
			continue
		}
		keyword, at := string(text[m[4]:m[5]]), m[1]
		if keyword == "impl" {
			name, ofTrait := implName(w.source[start+uint32(m[5]):])
			stack = append(stack, open{indent, keyword, name, ofTrait})
			continue
		}
		name := headerName.FindSubmatchIndex(text[at:])
		if name == nil {
			continue
		}
		l := lost{
			keyword: keyword, name: string(text[at+name[2] : at+name[3]]), indent: indent,
			nameSpan: facts.Span{Start: start + uint32(at), End: start + uint32(at+name[1])},
			line:     facts.Span{Start: start, End: start + uint32(len(text))},
		}
		for _, o := range stack {
			l.body = l.body || o.keyword == "fn"
		}
		if len(stack) > 0 {
			l.stack = stack[len(stack)-1]
		}
		if l.name != "_" {
			w.lose(l)
			if o := l.stack; !w.b.InBody() && (o.keyword == "impl" || o.keyword == "trait") && !l.body {
				w.owners[l.nameSpan.Start] = &owner{name: o.name, trait: o.keyword == "trait", ofTrait: o.ofTrait}
			}
		}
		stack = append(stack, open{indent, keyword, l.name, false})
	}
}

var (
	fieldLine   = lazyregexp.New(`^[ \t]+(?:pub(?:\([^)\n]*\))?[ \t]+)?((?:r#)?[\p{Ll}\p{Lo}_][\pL\pN_]*)[ \t]*:[^:]`)
	variantLine = lazyregexp.New(`^[ \t]+(\p{Lu}[\pL\pN_]*)[ \t]*(?:[,({=]|$)`)
	// bareBlock is what macros of their own syntax have for a type: mock! { File {
	bareBlock = lazyregexp.New(`^[ \t]*(?:pub[ \t]+)?(\p{Lu}[\pL\pN_]*)[ \t]*(?:<[^{}]*>)?[ \t]*\{$`)
)

// member reads a line right inside a struct or an enum.
func member(stack []open, text []byte, start uint32, indent int) (lost, bool) {
	if len(stack) == 0 {
		return lost{}, false
	}
	top := stack[len(stack)-1]
	l := lost{indent: indent, line: facts.Span{Start: start, End: start + uint32(len(text))}, stack: top}
	var m []int
	switch top.keyword {
	case "struct", "union":
		l.keyword = "field"
		m = fieldLine.FindSubmatchIndex(text)
	case "enum":
		l.keyword = "variant"
		m = variantLine.FindSubmatchIndex(text)
	}
	if m == nil || bytes.HasPrefix(bytes.TrimSpace(text), []byte("where")) {
		return lost{}, false
	}
	for _, o := range stack {
		l.body = l.body || o.keyword == "fn"
	}
	l.nameSpan = facts.Span{Start: start + uint32(m[2]), End: start + uint32(m[3])}
	l.name = strings.TrimPrefix(string(text[m[2]:m[3]]), "r#")
	return l, true
}

func (w *walker) lose(l lost) {
	l.outer = w.b.Enclosing()
	l.body = l.body || w.b.InBody()
	w.lost = append(w.lost, l)
}

// literals lists what holds no items though it may look so, by place.
func literals(t *syntax.Tree) []facts.Span {
	var out []facts.Span
	for i := 0; i < t.Len(); {
		n := t.At(i)
		if n.Is("string_literal", "raw_string_literal", "block_comment", "line_comment", "macro_definition") ||
			n.Kind() == "macro_invocation" && template(n.Child("macro").Text()) {
			out = append(out, lang.SpanOf(n))
			i = n.SubtreeEnd()
			continue
		}
		i++
	}
	return out
}

// within tells whether an offset lies inside one of the spans but not at its
// start. Offsets are asked for in rising order; spans that ended are dropped.
func within(spans *[]facts.Span, at uint32) bool {
	for len(*spans) > 0 && (*spans)[0].End <= at {
		*spans = (*spans)[1:]
	}
	return len(*spans) > 0 && (*spans)[0].Start < at
}

// implName is the type of an impl block whose header starts a text.
func implName(text []byte) (name string, ofTrait bool) {
	end := bytes.IndexAny(text, "{;")
	if end < 0 || end > 400 {
		end = min(len(text), 400)
	}
	head := lang.Collapse(string(text[:end]))
	if strings.HasPrefix(head, "<") {
		depth := 0
		for i := range len(head) {
			switch head[i] {
			case '<':
				depth++
			case '>':
				if i == 0 || head[i-1] != '-' {
					depth--
				}
			}
			if depth == 0 {
				head = head[i+1:]
				break
			}
		}
	}
	if _, typ, ok := strings.Cut(head, " for "); ok {
		head, ofTrait = typ, true
	}
	head, _, _ = strings.Cut(head, " where ")
	head, _, _ = strings.Cut(head, "<")
	head = strings.TrimSpace(head)
	head = head[strings.LastIndexAny(head, " &*:")+1:]
	return strings.TrimPrefix(head, "r#"), ofTrait
}

// salvage reports the items found by their lines. One that was found in the tree
// as well starts there before its name, so that it comes first and stays.
func (w *walker) salvage() {
	for i := range w.lost {
		l := &w.lost[i]
		text := w.source[l.line.Start:l.line.End]
		signature, _, _ := strings.Cut(strings.TrimSpace(string(text)), "{")
		s := facts.Symbol{
			Name: l.name, Container: l.stack.name, NameSpan: l.nameSpan, Visibility: facts.Private,
			Kind:      kindOf(strings.TrimSuffix(l.keyword, "_rules!"), l.stack.keyword == "impl" || l.stack.keyword == "trait"),
			Signature: strings.TrimRight(signature, " ;,"),
			Span:      facts.Span{Start: l.nameSpan.Start, End: w.blockEnd(l.line.Start, l.indent, text)},
		}
		switch {
		case strings.HasPrefix(signature, "pub "):
			s.Visibility = facts.Public
		case strings.HasPrefix(signature, "pub("):
			s.Visibility = facts.Protected
		}
		if l.body {
			s.Flags |= facts.InBody
		}
		w.b.Within(l.outer, func() { w.b.Symbol(s) })
	}
}

// maxBlock bounds how far the end of a block is looked for, in bytes.
const maxBlock = 1 << 16

// blockEnd is the end of the block whose header is a line: the line that closes
// it at the same indentation, or the header's own end.
func (w *walker) blockEnd(start uint32, indent int, text []byte) uint32 {
	own := start + uint32(len(text))
	if !bytes.HasSuffix(text, []byte("{")) && !bytes.HasSuffix(text, []byte("(")) {
		return own
	}
	rest := w.source[own:min(len(w.source), int(own)+maxBlock)]
	offset := own
	for line := range bytes.Lines(rest) {
		trimmed := bytes.TrimRight(line, " \t\r\n")
		body := bytes.TrimLeft(trimmed, " \t")
		if offset > own && len(body) > 0 && len(trimmed)-len(body) <= indent {
			if body[0] == '}' {
				return offset + uint32(len(trimmed))
			}
			if body[0] != ')' && !bytes.HasPrefix(body, []byte("where")) {
				return own
			}
		}
		offset += uint32(len(line))
	}
	return own
}
