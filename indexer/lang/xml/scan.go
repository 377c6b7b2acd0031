package xml

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// node is an element.
type node struct {
	name              string // with its prefix
	start, end        int
	nameEnd, tagEnd   int
	attrs             []attribute
	parent            int // index, -1 for the root
	first, last, next int // children and sibling, -1
	depth             int
	text              string // first text, without white space at its ends
	textSpan          facts.Span
	comment           facts.Span // read last before it
}

type attribute struct {
	name  string
	value string
	span  facts.Span
}

func (n *node) local() string {
	return n.name[strings.LastIndexByte(n.name, ':')+1:]
}

func (n *node) prefix() string {
	k := strings.LastIndexByte(n.name, ':')
	if k < 0 {
		return ""
	}
	return n.name[:k]
}

// attribute finds an attribute by its name with or without prefix.
func (n *node) attribute(name string) *attribute {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return &n.attrs[i]
		}
	}
	for i := range n.attrs {
		if k := strings.LastIndexByte(n.attrs[i].name, ':'); k >= 0 && n.attrs[i].name[k+1:] == name && n.attrs[i].name[:k] != "xmlns" && n.attrs[i].name[:k] != "tools" {
			return &n.attrs[i]
		}
	}
	return nil
}

func (n *node) attr(name string) string {
	if a := n.attribute(name); a != nil {
		return a.value
	}
	return ""
}

// tag is the start tag without declarations of name spaces.
func (n *node) tag() string {
	var b strings.Builder
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		if strings.HasPrefix(a.name, "xmlns") || strings.HasPrefix(a.name, "xsi:") || b.Len() > facts.MaxSignature {
			continue
		}
		b.WriteString(" " + a.name + `="` + lang.Collapse(a.value) + `"`)
	}
	b.WriteString(">")
	return b.String()
}

type scanner struct {
	b       *lang.Builder
	src     []byte
	nodes   []node
	stack   []int           // open elements
	open    map[string]int  // how many of them have a name
	none    map[string]bool // marks that do not occur in the rest
	comment facts.Span
}

// scan reads the elements of a document in the order of their start tags.
func scan(b *lang.Builder) []node {
	s := &scanner{b: b, src: b.Source, open: map[string]int{}, none: map[string]bool{}}
	s.read()
	for len(s.stack) > 0 {
		s.pop(len(s.src))
	}
	if len(s.nodes) > 1 && s.nodes[len(s.nodes)-1].start >= s.nodes[0].end {
		s.nodes[0].end = len(s.src)
	}
	return s.nodes
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}

func isName(c byte) bool { return isNameStart(c) || c >= '0' && c <= '9' || c == '-' || c == '.' }

// find is the offset behind a mark, or -1.
func (s *scanner) find(at int, mark string) int {
	if s.none[mark] {
		return -1
	}
	k := bytes.Index(s.src[at:], []byte(mark))
	if k < 0 {
		s.none[mark] = true
		return -1
	}
	return at + k + len(mark)
}

func (s *scanner) read() {
	at := 0
	for at < len(s.src) {
		k := bytes.IndexByte(s.src[at:], '<')
		if k < 0 {
			s.text(at, len(s.src))
			return
		}
		s.text(at, at+k)
		at += k
		rest := s.src[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := s.find(at+4, "-->")
			if end < 0 {
				end = at + 4
			}
			s.comment = facts.Span{Start: uint32(at), End: uint32(end)}
			s.b.MarkDoc(s.comment)
			at = end
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			end := s.find(at+9, "]]>")
			if end < 0 {
				end = len(s.src)
			} else {
				s.text(at+9, end-3)
			}
			at = end
		case bytes.HasPrefix(rest, []byte("<?")):
			end := s.find(at+2, "?>")
			if end < 0 {
				end = at + 2
			}
			at = end
		case bytes.HasPrefix(rest, []byte("<!")):
			at = s.declaration(at)
		case bytes.HasPrefix(rest, []byte("</")):
			at = s.endTag(at)
		case len(rest) > 1 && isNameStart(rest[1]):
			at = s.startTag(at)
		default:
			at++
		}
	}
}

// declaration passes over a document type with its internal subset.
func (s *scanner) declaration(at int) int {
	depth := 0
	if s.none["<!"] {
		return at + 2
	}
	for i := at + 2; i < len(s.src); i++ {
		switch s.src[i] {
		case '[':
			depth++
		case ']':
			depth--
		case '"', '\'':
			if k := bytes.IndexAny(s.src[i+1:min(len(s.src), i+2000)], string(s.src[i])+"\n"); k >= 0 {
				i += k + 1
			}
		case '>':
			if depth <= 0 {
				return i + 1
			}
		case '<':
			if depth <= 0 {
				return i
			}
		}
	}
	s.none["<!"] = true // it is not closed, and neither is one behind it
	return min(at+2, len(s.src))
}

func (s *scanner) startTag(at int) int {
	n := node{start: at, first: -1, last: -1, next: -1, parent: -1}
	i := at + 1
	for i < len(s.src) && isName(s.src[i]) {
		i++
	}
	n.name, n.nameEnd = strings.ToValidUTF8(string(s.src[at+1:min(i, at+200)]), ""), i
	closed := false
loop:
	for i < len(s.src) {
		switch c := s.src[i]; {
		case c == '>':
			i++
			break loop
		case c == '<':
			break loop // the tag is not finished
		case c == '/':
			closed = i+1 < len(s.src) && s.src[i+1] == '>'
			i++
		case isNameStart(c):
			from := i
			for i < len(s.src) && isName(s.src[i]) {
				i++
			}
			name := s.src[from:i]
			k := i
			for k < len(s.src) && isSpace(s.src[k]) {
				k++
			}
			if k >= len(s.src) || s.src[k] != '=' {
				continue
			}
			k++
			for k < len(s.src) && isSpace(s.src[k]) {
				k++
			}
			if k >= len(s.src) || s.src[k] != '"' && s.src[k] != '\'' {
				i = k
				continue
			}
			// No value holds "<", so a quote that was forgotten ends there.
			end := bytes.IndexAny(s.src[k+1:], string(s.src[k])+"<")
			if end < 0 {
				end = len(s.src) - k - 1
			}
			if len(n.attrs) < 100 {
				n.attrs = append(n.attrs, s.attribute(name, k+1, k+1+end))
			}
			i = k + 1 + end
			if i < len(s.src) && s.src[i] != '<' {
				i++
			}
		default:
			i++
		}
	}
	n.tagEnd, n.end = i, i
	if s.comment.Len() > 0 {
		n.comment, s.comment = s.comment, facts.Span{}
	}
	if len(s.nodes) >= maxElements || n.name == "" {
		return i
	}
	if p := len(s.stack); p > 0 {
		n.parent = s.stack[p-1]
		n.depth = s.nodes[n.parent].depth + 1
	} else if len(s.nodes) > 0 {
		// The root was closed too early, or was lost: it goes on here.
		n.parent, n.depth = 0, 1
	}
	at = len(s.nodes)
	s.nodes = append(s.nodes, n)
	if n.parent >= 0 {
		p := &s.nodes[n.parent]
		if p.first < 0 {
			p.first = at
		} else {
			s.nodes[p.last].next = at
		}
		p.last = at
	}
	if !closed {
		s.stack = append(s.stack, at)
		s.open[n.name]++
	}
	return i
}

func (s *scanner) attribute(name []byte, from, to int) attribute {
	const most = 2000
	return attribute{
		name:  string(name[:min(len(name), 100)]),
		value: unescape(strings.ToValidUTF8(string(s.src[from:min(to, from+most)]), "")),
		span:  facts.Span{Start: uint32(from), End: uint32(to)},
	}
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&", "&#xA;", " ", "&#10;", " ", "&#xD;", " ")

// unescape replaces the references that every document knows, and no others.
func unescape(text string) string {
	if strings.IndexByte(text, '&') < 0 {
		return text
	}
	return entities.Replace(text)
}

func (s *scanner) endTag(at int) int {
	i := at + 2
	for i < len(s.src) && isName(s.src[i]) {
		i++
	}
	name := strings.ToValidUTF8(string(s.src[at+2:min(i, at+201)]), "")
	for i < len(s.src) && isSpace(s.src[i]) {
		i++
	}
	if i < len(s.src) && s.src[i] == '>' {
		i++
	}
	s.comment = facts.Span{}
	if s.open[name] > 0 {
		for s.nodes[s.stack[len(s.stack)-1]].name != name {
			s.pop(at)
		}
		s.pop(i)
	}
	return i
}

func (s *scanner) pop(end int) {
	n := &s.nodes[s.stack[len(s.stack)-1]]
	s.stack = s.stack[:len(s.stack)-1]
	s.open[n.name]--
	n.end = max(n.end, end)
}

// text gives the innermost open element its text.
func (s *scanner) text(from, to int) {
	const most = 1000
	if len(s.stack) == 0 {
		return
	}
	n := &s.nodes[s.stack[len(s.stack)-1]]
	if n.textSpan.Len() > 0 {
		return
	}
	for from < to && isSpace(s.src[from]) {
		from++
	}
	for to > from && isSpace(s.src[to-1]) {
		to--
	}
	if from < to {
		n.text = unescape(strings.ToValidUTF8(string(s.src[from:min(to, from+most)]), ""))
		n.textSpan = facts.Span{Start: uint32(from), End: uint32(to)}
	}
}

// root is the first element, or -1.
func (d *document) root() int {
	if len(d.nodes) == 0 {
		return -1
	}
	return 0
}

// child is the first child of a local name, or -1.
func (d *document) child(i int, name string) int {
	for c := d.nodes[i].first; c >= 0; c = d.nodes[c].next {
		if d.nodes[c].local() == name {
			return c
		}
	}
	return -1
}

func (d *document) has(i int, names ...string) bool {
	for c := d.nodes[i].first; c >= 0; c = d.nodes[c].next {
		for _, n := range names {
			if d.nodes[c].local() == n {
				return true
			}
		}
	}
	return false
}

// childText is the text of the first child of a name.
func (d *document) childText(i int, name string) string {
	if c := d.child(i, name); c >= 0 {
		return d.nodes[c].text
	}
	return ""
}

// children calls visit for every child with its local name.
func (d *document) children(i int, visit func(c int, name string)) {
	for c := d.nodes[i].first; c >= 0; c = d.nodes[c].next {
		visit(c, d.nodes[c].local())
	}
}

// maxDepth is how deep elements are looked at.
const maxDepth = 60

// each calls visit for every element below i, outer ones first; where it answers
// false those inside are passed over.
func (d *document) each(i int, visit func(c int, name string) bool) {
	end := d.after(i)
	for c := i + 1; c < end; {
		if d.nodes[c].depth > maxDepth || !visit(c, d.nodes[c].local()) {
			c = d.after(c)
			continue
		}
		c++
	}
}

// after is the index behind the last element inside of i.
func (d *document) after(i int) int {
	lo, hi := i+1, len(d.nodes)
	for lo < hi {
		if m := (lo + hi) / 2; d.nodes[m].start < d.nodes[i].end {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}
