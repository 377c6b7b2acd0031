// Package rst outlines reStructuredText: sections with what they say first,
// objects that a page documents, labels, and links to files.
//
// Levels of sections follow from the order in which a document uses adornments,
// which no grammar can tell; a scanner of lines follows the rules of docutils
// for what is a title.
package rst

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Caps of one document.
const (
	maxSymbols = 2000
	maxLinks   = 500
	maxRefs    = 5000
	maxText    = 2000 // of a text that is cleaned, in bytes
)

// Language is the row of reStructuredText.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "rst",
		Version:    1,
		Extensions: []string{".rst", ".rest", ".rst.txt", ".rst.in", ".rst.inc"},
		Extract:    extract,
		Prose:      true,
		Outline:    true,
	}
}

func extract(b *lang.Builder) {
	d := &document{b: b, src: b.Source, links: map[string]bool{}, left: maxSymbols, refs: maxRefs}
	d.split()
	d.read()
	d.emit()
}

// textLine is a line without its end and without white space behind it.
type textLine struct {
	start, end int
	indent     int // in bytes
}

// node is a section (level > 0) or something that stands in one.
type node struct {
	symbol facts.Symbol
	level  int
	refs   []facts.Reference
}

type document struct {
	b     *lang.Builder
	src   []byte
	lines []textLine
	nodes []node
	left  int
	refs  int
	links map[string]bool

	levels  []string // adornments in the order of their first use
	section int      // index in nodes of the section that is open, -1
	summary string
	module  string // of the directives that document objects
	class   string
}

func (d *document) split() {
	for at := 0; at < len(d.src); {
		end, next := len(d.src), len(d.src)
		if k := bytes.IndexByte(d.src[at:], '\n'); k >= 0 {
			end, next = at+k, at+k+1
		}
		l := textLine{start: at, end: at + len(bytes.TrimRight(d.src[at:end], " \t\r\f"))}
		for at < l.end && (d.src[at] == ' ' || d.src[at] == '\t') {
			at++
		}
		l.indent = at - l.start
		if l.start == 0 && bytes.HasPrefix(d.src, []byte("\ufeff")) {
			l.start = 3
		}
		d.lines = append(d.lines, l)
		at = next
	}
	d.section = -1
}

func (d *document) text(i int) []byte {
	if i < 0 || i >= len(d.lines) {
		return nil
	}
	l := d.lines[i]
	return d.src[min(l.start+l.indent, l.end):l.end]
}

func (d *document) blank(i int) bool { return len(d.text(i)) == 0 }

func (d *document) indent(i int) int {
	if i < 0 || i >= len(d.lines) {
		return 0
	}
	return d.lines[i].indent
}

// adornment is the length of a line that is one punctuation mark again and
// again, or 0.
func adornment(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	c := text[0]
	if c <= ' ' || c >= 0x7f || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		return 0
	}
	for _, x := range text {
		if x != c {
			return 0
		}
	}
	return len(text)
}

// width of a title: wide characters count two columns, so a line is long
// enough if it has as many marks as the title has runes.
func width(text []byte) int { return utf8.RuneCount(text) }

func (d *document) read() {
	afterBlank := true // or after a block that ends by itself
	for i := 0; i < len(d.lines); {
		text := d.text(i)
		if len(text) == 0 {
			afterBlank = true
			i++
			continue
		}
		if d.indent(i) == 0 {
			if n := d.title(i, afterBlank); n > 0 {
				i += n
				afterBlank = true
				continue
			}
			if adornment(text) >= 4 {
				afterBlank = true
				i++
				continue
			}
		}
		if bytes.HasPrefix(text, []byte("..")) && (len(text) == 2 || text[2] == ' ' || text[2] == '_') {
			i = d.markup(i)
			afterBlank = true
			continue
		}
		i = d.paragraph(i, afterBlank)
		afterBlank = false
	}
}

// title reads a title at line i, which starts at the margin, and returns how
// many lines it takes.
func (d *document) title(i int, afterBlank bool) int {
	text := d.text(i)
	if n := adornment(text); n > 0 {
		name, under := d.text(i+1), d.text(i+2)
		if len(name) > 0 && adornment(under) > 0 && under[0] == text[0] && d.indent(i+2) == 0 && adornment(name) == 0 &&
			(n >= 4 || n >= width(name)) && (len(under) == n || n >= width(name) && len(under) >= width(name)) {
			d.heading(string(text[:1])+"^", i, i+1)
			return 3
		}
		return 0
	}
	under := d.text(i + 1)
	n := adornment(under)
	if n == 0 || d.indent(i+1) != 0 || !afterBlank || n < width(text) && n < 4 {
		return 0
	}
	if n < width(text)/2 || bytes.Equal(under, []byte("..")) || bytes.Equal(under, []byte("::")) {
		return 0
	}
	d.heading(string(under[:1]), i, i)
	return 2
}

func (d *document) heading(style string, first, at int) {
	name := plain(string(d.text(at)))
	if name == "" || d.left == 0 {
		return
	}
	level := 0
	for k, s := range d.levels {
		if s == style {
			level = k + 1
		}
	}
	if level == 0 {
		d.levels = append(d.levels, style)
		level = len(d.levels)
	}
	d.left--
	l := d.lines[at]
	d.class = ""
	d.nodes = append(d.nodes, node{level: level, symbol: facts.Symbol{
		Name: name, Kind: facts.KindHeading, Span: facts.Span{Start: uint32(d.lines[first].start)},
		NameSpan: facts.Span{Start: uint32(l.start + l.indent), End: uint32(l.end)},
	}})
	d.section = len(d.nodes) - 1
}

// paragraph reads the lines of a block of text, of a list or a table, and
// returns the line behind it.
func (d *document) paragraph(i int, afterBlank bool) int {
	from := i
	margin := d.indent(i)
	for i < len(d.lines) && !d.blank(i) {
		if i > from && d.indent(i) == 0 && bytes.HasPrefix(d.text(i), []byte(".. ")) {
			break
		}
		d.inline(i)
		i++
	}
	if margin > 0 || !afterBlank && from > 0 && !d.blank(from-1) {
		return i
	}
	first := d.text(from)
	if isItem(first) || first[0] == '+' || first[0] == '|' || first[0] == '>' || bytes.HasPrefix(first, []byte("==")) {
		return i
	}
	if i-from > 1 && d.indent(from+1) > 0 {
		return i // a term with its definition
	}
	end := min(i, from+30)
	raw := strings.ToValidUTF8(string(d.src[d.lines[from].start:d.lines[end-1].end]), "")
	d.says(raw)
	return i
}

// says offers a paragraph as what the document and the section say first.
func (d *document) says(raw string) {
	needSection := d.section >= 0 && d.nodes[d.section].symbol.Doc == ""
	if d.summary != "" && !needSection {
		return
	}
	if !saysSomething(raw) {
		return
	}
	text := plain(raw)
	announces := strings.HasSuffix(text, ":")
	text = strings.TrimSpace(strings.TrimRight(text, ":"))
	first := lang.FirstSentence(text)
	if announces && first == text {
		return // nothing but the announcement of what follows
	}
	if needSection {
		d.nodes[d.section].symbol.Doc = first
	}
	if d.summary == "" {
		d.summary = first
	}
}

// isItem tells a line that starts an item of a list, a field or an option.
func isItem(text []byte) bool {
	switch c := text[0]; {
	case (c == '*' || c == '-' || c == '+') && (len(text) == 1 || text[1] == ' '):
		return true
	case c == ':':
		k := bytes.IndexByte(text[1:], ':')
		// :role:`x` starts a sentence.
		return k > 0 && (k+2 == len(text) || text[k+2] == ' ')
	case c == '#' || c >= '0' && c <= '9' || c == '(':
		k := bytes.IndexAny(text, ".)")
		return k > 0 && k < 4 && k+1 < len(text) && text[k+1] == ' '
	}
	return false
}

func (d *document) emit() {
	end := uint32(len(d.src))
	var open []int
	for i := range d.nodes {
		if d.nodes[i].level == 0 {
			continue
		}
		for len(open) > 0 && d.nodes[open[len(open)-1]].level >= d.nodes[i].level {
			d.nodes[open[len(open)-1]].symbol.Span.End = d.nodes[i].symbol.Span.Start
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		d.nodes[i].symbol.Span.End = end
	}
	if d.summary == "" {
		for i := range d.nodes {
			if d.nodes[i].level > 0 {
				d.summary = d.nodes[i].symbol.Name
				break
			}
		}
	}
	d.b.SetSummary(d.summary)
	d.sections(0, 0)
}

// sections emits nodes from index i on as long as they stand deeper than a
// level and returns the index of the first that does not. Levels bound the
// recursion: a document has few styles of adornment.
func (d *document) sections(i, level int) int {
	for i < len(d.nodes) && (d.nodes[i].level > level || d.nodes[i].level == 0) {
		n := &d.nodes[i]
		at := d.b.Symbol(n.symbol)
		d.b.Within(at, func() {
			for _, r := range n.refs {
				d.b.Reference(r.Kind, r.Name, r.Qualifier, r.Start)
			}
			i++
			if n.level > 0 {
				i = d.sections(i, n.level)
			}
		})
	}
	return i
}

// reference adds a use of a dotted name inside the section that is open.
func (d *document) reference(kind facts.RefKind, name, qualifier string, start int) {
	d.referenceIn(d.section, kind, name, qualifier, start)
}

func (d *document) referenceIn(in int, kind facts.RefKind, name, qualifier string, start int) {
	if d.refs == 0 || name == "" || len(name) > facts.MaxName {
		return
	}
	d.refs--
	if in < 0 {
		d.b.Reference(kind, name, qualifier, uint32(start))
		return
	}
	n := &d.nodes[in]
	n.refs = append(n.refs, facts.Reference{Kind: kind, Name: name, Qualifier: qualifier, Start: uint32(start)})
}

func splitDotted(s string) (name, qualifier string) {
	s = strings.TrimSuffix(strings.TrimSpace(s), "()")
	if k := strings.LastIndexByte(s, '.'); k >= 0 {
		return s[k+1:], strings.Trim(s[:k], ".")
	}
	return s, ""
}

// file reports a link to a file or page of the repository.
func (d *document) file(target string, at int) {
	target = strings.TrimSpace(target)
	if k := strings.IndexAny(target, "#?"); k >= 0 {
		target = target[:k]
	}
	if target == "" || len(target) > facts.MaxName || len(d.links) >= maxLinks || strings.HasPrefix(target, "//") || strings.ContainsAny(target, "{}$`\"<>|\\*\n") {
		return
	}
	if k := strings.IndexByte(target, ':'); k >= 0 && !strings.Contains(target[:k], "/") {
		return // has a scheme
	}
	if !strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "./") && !strings.HasPrefix(target, "../") {
		target = "./" + target
	}
	if d.links[target] {
		return
	}
	d.links[target] = true
	d.b.Import(facts.Import{Module: target}, uint32(at))
}
