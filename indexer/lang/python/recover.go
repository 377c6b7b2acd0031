package python

import (
	"bytes"
	"sort"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// lost is what the walk of a damaged text keeps to find the class or function
// that a statement belongs to by its indentation. In such a text the header of
// a class can be an error, or blanked out because it does not parse, and what
// stands below it then hangs in the tree at the wrong place or at none.
type lost struct {
	active  bool
	lines   []int32 // offset of each line
	headers []int32 // of each line: offset of the header above it, or -1
	all     []int32 // offsets of all headers
	extents map[int32]uint32
	errors  []facts.Span // outermost error nodes, sorted
	orphans []orphan
	// shortened is where a class really ends whose last statements in the tree
	// turned out to belong to another one; 0 when it ends as in the tree.
	shortened uint32
}

// orphan is a statement whose header, at an offset, is lost.
type orphan struct {
	node   syntax.Node
	header int32
}

var headerLine = lazyregexp.New(`^(?:async[ \t]+)?(def|class)[ \t]+([\pL_][\pL\pN_]*)[ \t]*(?:[\[(:#]|\r?$)`)

// recover prepares the walk of a damaged text.
func (w *walker) recover(root syntax.Node) {
	src := w.b.Source
	if !root.HasError() && (len(src) == 0 || len(w.t.Source) == 0 || &src[0] == &w.t.Source[0]) {
		return
	}
	w.lost.active = true
	w.lost.extents = map[int32]uint32{}
	var quoted []facts.Span
	for i := 0; i < w.t.Len(); i++ {
		switch n := w.t.At(i); {
		case n.IsError():
			if k := len(w.lost.errors); k == 0 || w.lost.errors[k-1].End <= n.Start() {
				w.lost.errors = append(w.lost.errors, lang.SpanOf(n))
			}
		case n.Kind() == "string":
			quoted = append(quoted, lang.SpanOf(n))
		}
	}
	type level struct {
		indent int
		header int32
	}
	var stack []level
	offset := int32(0)
	for line := range bytes.Lines(src) {
		w.lost.lines = append(w.lost.lines, offset)
		for len(quoted) > 0 && int32(quoted[0].End) <= offset {
			quoted = quoted[1:]
		}
		text := bytes.TrimRight(line, "\r\n \t")
		body := bytes.TrimLeft(text, " \t\f")
		inString := len(quoted) > 0 && int32(quoted[0].Start) < offset
		if len(body) == 0 || inString || body[0] == '#' || body[0] == ')' || body[0] == ']' || body[0] == '}' {
			w.lost.headers = append(w.lost.headers, -1)
			offset += int32(len(line))
			continue
		}
		indent := width(text[:len(text)-len(body)])
		for len(stack) > 0 && stack[len(stack)-1].indent >= indent {
			stack = stack[:len(stack)-1]
		}
		above := int32(-1)
		if len(stack) > 0 {
			above = stack[len(stack)-1].header
		}
		w.lost.headers = append(w.lost.headers, above)
		own := above
		if (body[0] == 'a' || body[0] == 'c' || body[0] == 'd') && headerLine.Match(body) {
			own = offset + int32(len(text)-len(body))
			w.lost.all = append(w.lost.all, own)
		}
		stack = append(stack, level{indent, own})
		offset += int32(len(line))
	}
}

// width is the column at which an indentation ends, with tabs to the next
// multiple of eight as Python counts them.
func width(indent []byte) int {
	n := 0
	for _, c := range indent {
		if c == '\t' {
			n += 8 - n%8
		} else {
			n++
		}
	}
	return n
}

// suite walks the statements of the file or of a class. Those that belong to
// another header are put aside.
func (w *walker) suite(n syntax.Node) {
	if !w.lost.active {
		w.visit(n)
		return
	}
	owner := int32(-1)
	if n.Kind() == "block" {
		owner = int32(n.Parent().Start())
	}
	end := uint32(0)
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		h := w.headerOf(c.Start())
		if h > owner && w.isLost(h) {
			w.lost.orphans = append(w.lost.orphans, orphan{c, h})
			if end == 0 && owner >= 0 {
				end = w.extent(owner)
			}
			continue
		}
		w.visit(c)
	}
	w.lost.shortened = end
}

// endBefore is the end of the text before an offset without white space, but
// not before min.
func (w *walker) endBefore(offset, min uint32) uint32 {
	for offset > min+1 && bytes.IndexByte([]byte(" \t\r\n"), w.b.Source[offset-1]) >= 0 {
		offset--
	}
	return offset
}

// headerOf is the offset of the header above the line of an offset, or -1. A
// statement that does not start its line has none of its own.
func (w *walker) headerOf(offset uint32) int32 {
	line := int(w.b.Line(offset)) - 1
	if line >= len(w.lost.headers) || len(bytes.TrimSpace(w.b.Source[w.lost.lines[line]:offset])) > 0 {
		return -1
	}
	return w.lost.headers[line]
}

// isLost tells whether the header at an offset is blank or an error in the
// tree's text.
func (w *walker) isLost(offset int32) bool {
	return w.t.Source[offset] != w.b.Source[offset] || w.inError(uint32(offset))
}

func (w *walker) inError(offset uint32) bool {
	i := sort.Search(len(w.lost.errors), func(i int) bool { return w.lost.errors[i].End > offset })
	return i < len(w.lost.errors) && w.lost.errors[i].Start <= offset
}

// adopt walks what suite put aside, inside the class or function to which it
// belongs by its indentation, and reports the definitions of which an error
// has left nothing but the header.
func (w *walker) adopt() {
	for len(w.lost.orphans) > 0 {
		list := w.lost.orphans
		w.lost.orphans = nil
		for len(list) > 0 {
			h, n := list[0].header, 1
			for n < len(list) && list[n].header == h {
				n++
			}
			w.inside(h, 0, func() {
				for _, o := range list[:n] {
					w.visit(o.node)
				}
			})
			list = list[n:]
		}
	}
	for _, h := range w.lost.all {
		if w.inError(uint32(h)) && w.t.Source[h] == w.b.Source[h] {
			w.inside(h, 0, func() {})
		}
	}
}

// inside runs walk inside the definition whose header stands at an offset.
func (w *walker) inside(h int32, depth int, walk func()) {
	rest := w.b.Source[h:]
	m := headerLine.FindSubmatch(rest[:lineEnd(rest)])
	if m == nil || depth > 8 {
		walk()
		return
	}
	outer := func(walk func()) { walk() }
	if above := w.headerOf(uint32(h)); above >= 0 && above < h {
		outer = func(walk func()) { w.inside(above, depth+1, walk) }
	}
	outer(func() {
		c := &class{name: string(m[2])}
		if t := w.top(); t.kind == classScope {
			c.name = t.class.name + "." + c.name
		}
		symbol := w.headed(h, c)
		if string(m[1]) == "class" {
			w.b.Within(symbol, func() {
				w.push(scope{kind: classScope, names: map[string]nameKind{}, class: c})
				walk()
				w.pop()
			})
			return
		}
		w.b.Within(symbol, func() {
			w.b.Body(facts.Span{Start: uint32(h), End: w.extent(h)}, func() {
				w.push(scope{kind: functionScope, names: map[string]nameKind{}})
				walk()
				w.pop()
			})
		})
	})
}

func lineEnd(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i
	}
	return len(text)
}

// extent is the end of what stands indented below a header.
func (w *walker) extent(h int32) uint32 {
	if end, known := w.lost.extents[h]; known {
		return end
	}
	line := int(w.b.Line(uint32(h))) - 1
	own := width(w.b.Source[w.lost.lines[line]:h])
	end := line
	for i := line + 1; i < len(w.lost.lines); i++ {
		rest := w.b.Source[w.lost.lines[i]:]
		text := bytes.TrimRight(rest[:lineEnd(rest)], "\r \t")
		body := bytes.TrimLeft(text, " \t\f")
		if len(body) == 0 {
			continue
		}
		if width(text[:len(text)-len(body)]) <= own {
			break
		}
		end = i
	}
	rest := w.b.Source[w.lost.lines[end]:]
	w.lost.extents[h] = w.endBefore(uint32(w.lost.lines[end])+uint32(lineEnd(rest)), uint32(h))
	return w.lost.extents[h]
}

// headed reports the definition whose header stands at an offset, as far as its
// first line tells. What is found of it otherwise has the same name at the same
// place and becomes one with it.
func (w *walker) headed(h int32, c *class) int32 {
	rest := w.b.Source[h:]
	text := string(rest[:lineEnd(rest)])
	m := headerLine.FindStringSubmatchIndex(text)
	if m == nil {
		return -1
	}
	name := text[m[4]:m[5]]
	s := facts.Symbol{
		Name: name, Kind: facts.KindClass, Visibility: w.visibility(name),
		Span:     facts.Span{Start: uint32(h), End: w.extent(h)},
		NameSpan: facts.Span{Start: uint32(h) + uint32(m[4]), End: uint32(h) + uint32(m[5])},
	}
	if w.exported[name] && w.b.Enclosing() < 0 {
		s.Flags |= facts.Exported
	}
	s.Signature, _, _ = strings.Cut(text, "#")
	s.Signature = strings.TrimRight(s.Signature, " \t\r:")
	if text[m[2]:m[3]] == "def" {
		s.Kind = facts.KindFunction
		if w.top().kind == classScope {
			s.Kind = facts.KindMethod
			if name == "__init__" {
				s.Kind = facts.KindConstructor
			}
		}
		if strings.HasPrefix(text, "async") {
			s.Flags |= facts.Async
		}
		return w.b.Symbol(s)
	}
	text = s.Signature
	meta := ""
	if _, list, ok := strings.Cut(text[min(m[5], len(text)):], "("); ok {
		list, _, _ = strings.Cut(list, ")")
		for _, b := range strings.Split(list, ",") {
			b = strings.TrimSpace(b)
			if k, v, ok := strings.Cut(b, "="); ok {
				if strings.TrimSpace(k) == "metaclass" {
					meta = strings.TrimSpace(v)
				}
			} else if b != "" && !strings.ContainsAny(b, "[]()*") {
				s.Bases = append(s.Bases, b)
			}
		}
	}
	w.classify(&s, c, meta)
	return w.b.Symbol(s)
}
