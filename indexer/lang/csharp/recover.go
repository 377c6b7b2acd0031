package csharp

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/syntax"
)

// ownerHead finds the type that a line starts to declare.
var ownerHead = lazyregexp.New(`^[ \t]*(?:\[[^\]]*\][ \t]*)*(?:(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|ref|unsafe|new|file)[ \t]+)*(class|struct|interface|enum|record(?:[ \t]+(?:class|struct))?)[ \t]+(@?[\pL_][\pL\pN_]*)`)

// namelessHead finds the head of a type whose name is damaged: what stands below
// belongs to no other.
var namelessHead = lazyregexp.New(`^[ \t]*(?:(?:public|protected|private|internal|abstract|sealed|static|partial|readonly|ref|unsafe|new|file)[ \t]+)*(?:class|struct|interface|enum)\b`)

// head is a type by the line that declares it, for what damage has torn from
// its type.
type head struct {
	start, name, nameEnd uint32
	indent               int
	keyword              string
	// end is where a closing brace stands at the indentation of the type, 0 where
	// there is none.
	end uint32
}

// outline lists the heads of types in a masked text.
func outline(mask []byte) []head {
	var out []head
	at := uint32(0)
	for line := range bytes.Lines(mask) {
		if code := bytes.TrimLeft(line, " \t"); len(code) > 0 && code[0] == '}' {
			indent := width(line)
			for i := len(out) - 1; i >= 0 && out[i].indent >= indent; i-- {
				if out[i].indent == indent && out[i].end == 0 {
					out[i].end = at
				}
			}
		}
		if !mayDeclare(line) {
			at += uint32(len(line))
			continue
		}
		m := ownerHead.FindSubmatchIndex(line)
		if m == nil && namelessHead.Match(line) {
			out = append(out, head{start: at, indent: width(line), name: at, nameEnd: at})
		}
		if m != nil {
			out = append(out, head{
				start: at, indent: width(line), name: at + uint32(m[4]), nameEnd: at + uint32(m[5]), keyword: string(bytes.Fields(line[m[2]:m[3]])[0]),
			})
		}
		at += uint32(len(line))
	}
	return out
}

// mayDeclare is a quick test for what ownerHead finds.
func mayDeclare(line []byte) bool {
	for _, word := range []string{"class ", "struct ", "interface ", "enum ", "record ", "class\t", "struct\t", "interface\t", "enum\t", "record\t"} {
		if bytes.Contains(line, []byte(word)) {
			return true
		}
	}
	return false
}

// width is the indentation of a line in columns.
func width(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// indentOf is the indentation of the line of an offset.
func (w *walker) indentOf(at uint32) int {
	return width(w.b.Source[bytes.LastIndexByte(w.b.Source[:at], '\n')+1:])
}

// ownerOf is the type that a member belongs to by its indentation: the last one
// declared above it that is indented less. -1 for none, or one without a name.
func (w *walker) ownerOf(at uint32) int {
	indent := w.indentOf(at)
	limit := indent
	for i := len(w.heads) - 1; i >= 0; i-- {
		h := &w.heads[i]
		if h.start >= at || h.name > at && h.start <= at {
			continue
		}
		if h.indent < limit && (h.end == 0 || at < h.end) {
			if h.name == h.nameEnd {
				return -1
			}
			return i
		}
		if h.indent == 0 && indent == 0 {
			return -1
		}
	}
	return -1
}

// isMember tells what stands in types only, or looks so to a damaged tree.
func isMember(n syntax.Node) bool {
	return n.Is("method_declaration", "constructor_declaration", "destructor_declaration", "operator_declaration", "conversion_operator_declaration",
		"property_declaration", "indexer_declaration", "event_declaration", "field_declaration", "event_field_declaration", "enum_member_declaration")
}

var memberModifier = lazyregexp.New(`^(?:public|protected|private|internal|static|override|virtual|abstract|partial)\b`)

// placed walks a declaration where it stands. In a damaged tree a member is
// walked inside the type that its indentation tells, where the tree has lost
// it.
func (w *walker) placed(n syntax.Node) {
	if !w.partial {
		w.member(n)
		return
	}
	m := n
	if m.Kind() == "global_statement" {
		m = m.FirstChild()
	}
	start := declared(m)
	isType := m.Is("class_declaration", "struct_declaration", "interface_declaration", "enum_declaration", "record_declaration", "delegate_declaration")
	stray := isMember(m) || isType || m.Kind() == "local_function_statement" && !w.b.InBody() ||
		m.Is("local_function_statement", "local_declaration_statement") && memberModifier.Match(w.b.Tree.Source[start:])
	if !stray || w.behindCode(start) {
		w.member(n)
		return
	}
	owner := w.ownerOf(start)
	c := w.context()
	if isType && (w.b.InBody() || owner < 0 && c != nil && w.indentOf(start) <= w.indentOf(w.b.At(max(c.symbol, 0)).Span.Start)) {
		// There are no local types, and one that is indented like the type around
		// has that one's brace missing before it.
		w.strays = append(w.strays, m)
		return
	}
	if owner < 0 || c != nil && !w.b.InBody() && c.name == w.headName(owner) {
		w.member(n)
		return
	}
	if m.HasError() && w.b.InBody() && c != nil && c.name != w.headName(owner) && m.Is("local_declaration_statement") {
		w.member(n)
		return
	}
	if w.b.InBody() || w.b.Enclosing() >= 0 {
		// It is walked when the walk of the rest is over.
		w.strays = append(w.strays, m)
		return
	}
	w.adopt(m, owner)
}

// behindCode tells whether something but attributes stands before an offset on
// its line: members of a type on one line have no indentation of their own.
func (w *walker) behindCode(at uint32) bool {
	line := bytes.LastIndexByte(w.b.Source[:at], '\n') + 1
	before := bytes.TrimSpace(w.b.Source[line:at])
	return len(before) > 0 && before[0] != '['
}

func (w *walker) headName(i int) string {
	return string(bytes.TrimPrefix(w.b.Source[w.heads[i].name:w.heads[i].nameEnd], []byte("@")))
}

// inOwner runs walk inside a type of the outline.
func (w *walker) inOwner(owner int, walk func()) {
	h := &w.heads[owner]
	symbol := w.typeAt(owner)
	stack := w.types
	w.types = []typeContext{{name: w.headName(owner), contract: h.keyword == "interface" || h.keyword == "enum", symbol: symbol}}
	w.doc = nil
	w.b.Within(symbol, walk)
	w.types = stack
}

// adopt walks a stray member inside its type.
func (w *walker) adopt(m syntax.Node, owner int) {
	if w.names[m.Child("name").Start()] && !m.Child("name").IsZero() {
		return
	}
	w.inOwner(owner, func() {
		w.doc = docAbove(m)
		if m.Kind() == "local_declaration_statement" {
			w.field(m)
		} else {
			w.member(m)
		}
	})
}

// docAbove is the documentation right above a node.
func docAbove(n syntax.Node) []syntax.Node {
	if n.Parent().Kind() == "global_statement" {
		n = n.Parent()
	}
	var out []syntax.Node
	for c := n.Parent().FirstChild(); !c.IsZero() && c.Index() < n.Index(); c = c.NextSibling() {
		if c.Kind() == "comment" && bytes.HasPrefix(c.Bytes(), []byte("///")) {
			out = append(out, c)
		} else {
			out = nil
		}
	}
	return out
}

// typeAt is the symbol of a type, which is declared here if the tree lost it.
func (w *walker) typeAt(at int) int32 {
	h := &w.heads[at]
	if i, ok := w.found[h.name]; ok {
		return i
	}
	parent := int32(-1)
	if o := w.ownerOf(h.start + uint32(h.indentBytes(w.b.Source))); o >= 0 && o != at {
		parent = w.typeAt(o)
	}
	start := h.start + uint32(h.indentBytes(w.b.Source))
	end := h.start + uint32(lineLength(w.b.Source[h.start:]))
	m := modifiers{visibility: facts.Private}
	for _, word := range bytes.Fields(w.b.Source[start:h.name]) {
		m.read(string(word))
	}
	kind := facts.KindClass
	switch h.keyword {
	case "struct":
		kind = facts.KindStruct
	case "interface":
		kind = facts.KindInterface
	case "enum":
		kind = facts.KindEnum
	}
	symbol := int32(-1)
	w.doc = nil
	stack := w.types
	if parent < 0 {
		w.types = nil
	}
	w.b.Within(parent, func() {
		text := bytes.TrimRight(w.b.Source[start:end], " \t\r{")
		if i := bytes.IndexByte(text, '{'); i >= 0 {
			text = bytes.TrimRight(text[:i], " \t")
		}
		symbol = w.define(facts.Symbol{
			Name: w.headName(at), Kind: kind, Signature: string(bytes.ToValidUTF8(text, nil)),
			Span:     facts.Span{Start: start, End: max(start+uint32(len(text)), h.nameEnd)},
			NameSpan: facts.Span{Start: h.name, End: h.nameEnd},
		}, m)
	})
	w.types = stack
	w.found[h.name] = symbol
	return symbol
}

func (h *head) indentBytes(src []byte) int {
	n := 0
	for int(h.start)+n < len(src) && (src[int(h.start)+n] == ' ' || src[int(h.start)+n] == '\t') {
		n++
	}
	return n
}

// missing adds what damage has torn off: stray members, and types that the
// tree does not have.
func (w *walker) missing() {
	if !w.partial {
		return
	}
	strays := w.strays
	w.strays = nil
	for _, m := range strays {
		if owner := w.ownerOf(declared(m)); owner >= 0 {
			w.adopt(m, owner)
		} else if w.b.Enclosing() < 0 {
			w.doc = docAbove(m)
			w.member(m)
		}
	}
	for i := range w.heads {
		// A blank there belongs to another part of the text.
		if h := &w.heads[i]; h.name < h.nameEnd && w.b.Tree.Source[h.name] != ' ' {
			w.typeAt(i)
		}
	}
	w.torn()
}
