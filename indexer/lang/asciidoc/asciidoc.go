// Package asciidoc outlines AsciiDoc: sections with what they say first,
// anchors, and links to files.
//
// No grammar ships; a scanner of lines knows the blocks whose content is no
// text of the document.
package asciidoc

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

// Language is the row of AsciiDoc.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "asciidoc",
		Version:    1,
		Extensions: []string{".adoc", ".asciidoc", ".asc", ".adoc.in", ".adoc.txt"},
		Extract:    extract,
		Prose:      true,
		Outline:    true,
	}
}

func extract(b *lang.Builder) {
	if bytes.HasPrefix(b.Source, []byte("-----BEGIN PGP")) {
		return // an armoured key or signature
	}
	d := &document{
		b: b, src: b.Source, links: map[string]bool{}, attributes: map[string]string{},
		left: maxSymbols, refs: maxRefs, section: -1,
	}
	d.read()
	d.emit()
}

// node is a section (level > 0) or an anchor that stands in one.
type node struct {
	symbol facts.Symbol
	level  int
	refs   []facts.Reference
}

type document struct {
	b       *lang.Builder
	src     []byte
	nodes   []node
	left    int
	refs    int
	section int // index in nodes of the section that is open, -1
	links   map[string]bool
	summary string
	// attributes that the document sets, for paths.
	attributes map[string]string

	para      facts.Span // lines of the paragraph that is being read
	paraLines int
	skipped   bool // the paragraph is none that says something
}

// line gives the line at an offset without its end and white space before it,
// and the offset of the next.
func line(src []byte, at int) (text []byte, next int) {
	end, next := len(src), len(src)
	if k := bytes.IndexByte(src[at:], '\n'); k >= 0 {
		end, next = at+k, at+k+1
	}
	return bytes.TrimRight(src[at:end], " \t\r"), next
}

// delimiter tells a line that opens or closes a block.
func delimiter(text []byte) string {
	if len(text) == 2 && string(text) == "--" {
		return "--"
	}
	if len(text) < 3 {
		return ""
	}
	if bytes.HasPrefix(text, []byte("```")) {
		return "```"
	}
	if len(text) == 4 && text[1] == '=' && bytes.HasSuffix(text, []byte("===")) && strings.IndexByte("|,:!", text[0]) >= 0 {
		return string(text)
	}
	if len(text) < 4 || strings.IndexByte("-.=*+_/", text[0]) < 0 {
		return ""
	}
	for _, c := range text {
		if c != text[0] {
			return ""
		}
	}
	return string(text)
}

// verbatim tells blocks whose content is no text of the document.
func verbatim(mark string) bool {
	return mark[0] == '.' || mark[0] == '+' || mark[0] == '/' || mark[0] == '`' || mark[0] == '-' && len(mark) > 2
}

func (d *document) read() {
	var blocks []string // open blocks, by their delimiters
	header := true      // no section or text was read yet
	inHeader := false   // directly below the title
	last := d.lastDelimiters()
	at := 0
	if bytes.HasPrefix(d.src, []byte("\ufeff")) {
		at = 3
	}
	for at < len(d.src) {
		start := at
		text, next := line(d.src, at)
		at = next
		inside := ""
		if len(blocks) > 0 {
			inside = blocks[len(blocks)-1]
		}
		if inside != "" && verbatim(inside) {
			switch {
			case string(text) == inside || inside == "```" && string(text) == "```":
				blocks = blocks[:len(blocks)-1]
			case inside[0] != '/':
				d.include(text, start)
			}
			continue
		}
		if len(text) == 0 {
			d.endParagraph()
			inHeader = false
			continue
		}
		if name, value, ok := attribute(text); ok {
			d.attributes[name] = value
			if name == "description" && value != "" && d.summary == "" {
				d.summary = value
			}
			continue
		}
		if bytes.HasPrefix(text, []byte("//")) && !bytes.HasPrefix(text, []byte("///")) {
			continue // a comment
		}
		// A line of text and one of marks of the same length is a title.
		if len(blocks) == 0 && d.paraLines == 0 {
			if level, after := d.underlined(text, next); level > 0 {
				d.heading(level, start, start, start+len(text))
				at = after
				inHeader = header && level == 1
				header = false
				continue
			}
		}
		if mark := delimiter(text); mark != "" {
			d.endParagraph()
			header = false
			if k := lastIndex(blocks, mark); k >= 0 {
				blocks = blocks[:k]
			} else if len(blocks) < 50 && last[mark] > start {
				blocks = append(blocks, mark)
			}
			continue
		}
		d.anchors(text, start)
		if d.include(text, start) {
			continue
		}
		if level, from := title(text); level > 0 && len(blocks) == 0 {
			d.endParagraph()
			d.heading(level, start, start+from, start+len(bytes.TrimRight(bytes.TrimRight(text, "="), " ")))
			inHeader = header && level == 1
			header = false
			continue
		}
		header = false
		if inHeader {
			continue // author and revision
		}
		d.inline(text, start)
		switch {
		case macro(text), text[0] == '[' && text[len(text)-1] == ']', text[0] == '|', string(text) == "+", string(text) == "'''", string(text) == "<<<":
			d.endParagraph()
			d.skipped = string(text) == "+"
		case text[0] == '.' && len(text) > 1 && text[1] != ' ' && text[1] != '.':
			d.endParagraph() // the title of a block
		case len(blocks) > 0 || text[0] == ' ' || text[0] == '\t' || isItem(text):
			if d.paraLines == 0 {
				d.skipped = true
			}
			d.text(start, len(text))
		default:
			d.text(start, len(text))
		}
	}
	d.endParagraph()
}

// lastDelimiters are the offsets of the last line of each delimiter. A block
// that is never closed is none.
func (d *document) lastDelimiters() map[string]int {
	last := map[string]int{}
	for at := 0; at < len(d.src); {
		text, next := line(d.src, at)
		if len(text) > 1 && len(text) < 200 {
			if mark := delimiter(text); mark != "" && len(last) < 1000 {
				last[mark] = at
			}
		}
		at = next
	}
	return last
}

func lastIndex(blocks []string, mark string) int {
	for k := len(blocks) - 1; k >= 0; k-- {
		if blocks[k] == mark {
			return k
		}
	}
	return -1
}

func (d *document) text(start, length int) {
	if d.paraLines == 0 {
		d.para.Start = uint32(start)
	}
	d.paraLines++
	d.para.End = uint32(start + length)
}

// title reads "== Name"; from is where the name starts.
func title(text []byte) (level, from int) {
	mark := text[0]
	if mark != '=' && mark != '#' {
		return 0, 0
	}
	for level < len(text) && text[level] == mark {
		level++
	}
	if level > 6 || level >= len(text)-1 || text[level] != ' ' {
		return 0, 0
	}
	from = level
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	return level, from
}

// underlined tells whether the line at next makes the one before it a title.
func (d *document) underlined(text []byte, next int) (level, after int) {
	if next >= len(d.src) || len(text) < 3 || strings.IndexByte("[|.:*-=/+_<", text[0]) >= 0 {
		return 0, 0
	}
	under, after := line(d.src, next)
	if len(under) < 3 {
		return 0, 0
	}
	level = 1 + strings.IndexByte("=-~^+", under[0])
	if level == 0 {
		return 0, 0
	}
	for _, c := range under {
		if c != under[0] {
			return 0, 0
		}
	}
	if n := utf8.RuneCount(text) - len(under); n < -1 || n > 1 {
		return 0, 0
	}
	return level, after
}

// attribute reads ":name: value".
func attribute(text []byte) (name, value string, ok bool) {
	if text[0] != ':' || len(text) > 1000 {
		return "", "", false
	}
	k := bytes.IndexByte(text[1:], ':')
	if k <= 0 || bytes.ContainsAny(text[1:k+1], " \t`[]") || k+2 < len(text) && text[k+2] != ' ' {
		return "", "", false
	}
	return string(text[1 : k+1]), strings.TrimSpace(strings.ToValidUTF8(string(text[k+2:]), "")), true
}

// macro tells a block macro, which stands for something else than text.
func macro(text []byte) bool {
	k := bytes.Index(text, []byte("::"))
	return k > 0 && text[len(text)-1] == ']' && !bytes.ContainsAny(text[:k], " \t")
}

// isItem tells a line that starts an item of a list, or a term.
func isItem(text []byte) bool {
	n := 0
	for n < len(text) && (text[n] == '*' || text[n] == '.' || text[n] == '-') {
		n++
	}
	if n > 0 && n < len(text) && text[n] == ' ' {
		return true
	}
	n = 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	if n > 0 && n+1 < len(text) && text[n] == '.' && text[n+1] == ' ' {
		return true
	}
	return bytes.HasSuffix(text, []byte("::")) || bytes.Contains(text, []byte(":: ")) || text[0] == '<' && len(text) > 2 && text[2] == '>'
}

// endParagraph offers the paragraph read so far as what the document and the
// section say first.
func (d *document) endParagraph() {
	lines, skipped := d.paraLines, d.skipped
	d.paraLines, d.skipped = 0, false
	if lines == 0 || skipped {
		return
	}
	needSection := d.section >= 0 && d.nodes[d.section].symbol.Doc == ""
	if d.summary != "" && !needSection {
		return
	}
	raw := strings.ToValidUTF8(string(d.src[d.para.Start:min(d.para.End, d.para.Start+maxText)]), "")
	for _, p := range []string{"NOTE: ", "TIP: ", "WARNING: ", "IMPORTANT: ", "CAUTION: "} {
		if strings.HasPrefix(raw, p) {
			return
		}
	}
	text := plain(raw)
	announces := strings.HasSuffix(text, ":")
	first := lang.FirstSentence(text)
	letters := 0
	for _, c := range first {
		if c > 0x7f || c|0x20 >= 'a' && c|0x20 <= 'z' {
			letters++
		}
	}
	if letters < 4 || announces && first == text {
		return
	}
	if needSection {
		d.nodes[d.section].symbol.Doc = first
	}
	if d.summary == "" {
		d.summary = first
	}
}

func (d *document) heading(level, start, from, to int) {
	if to <= from || d.left == 0 {
		return
	}
	name := plain(strings.ToValidUTF8(string(d.src[from:to]), ""))
	if name == "" {
		return
	}
	d.left--
	d.nodes = append(d.nodes, node{level: level, symbol: facts.Symbol{
		Name: name, Kind: facts.KindHeading, Span: facts.Span{Start: uint32(start)},
		NameSpan: facts.Span{Start: uint32(from), End: uint32(to)},
	}})
	d.section = len(d.nodes) - 1
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
// level and returns the index of the first that does not.
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
