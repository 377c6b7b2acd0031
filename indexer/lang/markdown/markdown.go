// Package markdown outlines Markdown documents: headings, what a section says
// first, and links to other files of the repository.
package markdown

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Caps of one document.
const (
	maxHeadings = 2000
	maxLinks    = 500
)

// Language is the row of Markdown.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "markdown",
		Aliases:    []string{"md", "gfm"},
		Version:    1,
		Extensions: []string{".md", ".markdown", ".mdown", ".mkd", ".mdx"},
		Extract:    extract,
		Prose:      true,
		Outline:    true,
	}
}

type heading struct {
	level      int
	name       string
	start, end uint32     // of the section
	nameSpan   facts.Span // of the text as written
	doc        string
}

type document struct {
	b        *lang.Builder
	headings []heading
	links    map[string]bool
	title    string // of the front matter
	summary  string

	// para is the paragraph that is being read: lines of text at the level of
	// the document. A line of = or - below makes it a heading.
	para []facts.Span
}

func extract(b *lang.Builder) {
	d := &document{b: b, links: map[string]bool{}}
	d.read(d.frontMatter())
	d.emit()
}

// line gives the line at an offset without its end, and the offset of the next.
func line(src []byte, at int) (text []byte, next int) {
	k := bytes.IndexByte(src[at:], '\n')
	if k < 0 {
		return src[at:], len(src)
	}
	return bytes.TrimSuffix(src[at:at+k], []byte("\r")), at + k + 1
}

// frontMatter reads a block of metadata at the very beginning and returns the
// offset behind it.
func (d *document) frontMatter() int {
	src := d.b.Source
	first, next := line(src, 0)
	mark := string(bytes.TrimRight(first, " \t"))
	if mark != "---" && mark != "+++" {
		return 0
	}
	description := ""
	for n := 0; next < len(src) && n < 300; n++ {
		var text []byte
		text, next = line(src, next)
		t := string(bytes.TrimRight(text, " \t"))
		if t == mark || mark == "---" && t == "..." {
			d.summary = description
			return next
		}
		key, value, ok := strings.Cut(t, map[string]string{"---": ":", "+++": "="}[mark])
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			value = value[1 : len(value)-1]
		}
		switch strings.TrimSpace(key) {
		case "title":
			d.title = value
		case "description", "summary":
			if !strings.HasPrefix(value, ">") && !strings.HasPrefix(value, "|") {
				description = value
			}
		}
	}
	d.title = ""
	return 0 // never closed: a rule, not metadata
}

// read walks the lines from an offset.
func (d *document) read(at int) {
	src := d.b.Source
	var fence fence
	htmlEnd := "" // closes the open HTML block
	list := false // inside a list, where indentation is no code
	blank := true // the line before was blank
	for at < len(src) {
		start := at
		text, next := line(src, at)
		at = next
		if fence.length > 0 {
			if fence.closes(text) {
				fence.length = 0
			} else if !fence.leaves(text) {
				continue
			}
			if fence.length == 0 {
				blank = false
				continue
			}
			fence.length = 0
		}
		if htmlEnd != "" {
			if bytes.Contains(bytes.ToLower(text), []byte(htmlEnd)) {
				htmlEnd = ""
			}
			continue
		}
		indent, body := indentation(text)
		if len(body) == 0 {
			d.endParagraph()
			blank = true
			continue
		}
		if f := opens(text); f.length > 0 && (indent < 4 || list || f.quote > 0) {
			d.endParagraph()
			fence = f
			blank = false
			continue
		}
		if indent >= 4 && blank && !list {
			continue // indented code
		}
		wasBlank := blank
		blank = false
		if indent < 4 {
			if end, rest := htmlBlock(body); end != "" {
				d.endParagraph()
				if !bytes.Contains(bytes.ToLower(rest), []byte(end)) {
					htmlEnd = end
				}
				continue
			}
		}
		offset := start + len(text) - len(bytes.TrimLeft(text, " \t"))
		if indent < 4 && !(list && indent > 1) {
			if level, name, ok := atx(body); ok {
				d.endParagraph()
				list = false
				d.heading(level, uint32(start), facts.Span{Start: uint32(offset + name.from), End: uint32(offset + name.to)})
				continue
			}
			if level, name, ok := htmlHeading(body); ok {
				d.endParagraph()
				d.heading(level, uint32(start), facts.Span{Start: uint32(offset + name.from), End: uint32(offset + name.to)})
				continue
			}
			if level := underline(body); level > 0 && len(d.para) > 0 {
				first, last := d.para[0], d.para[len(d.para)-1]
				d.para = nil
				d.heading(level, first.Start, facts.Span{Start: first.Start, End: last.End})
				continue
			}
		}
		if d.b.Extension == ".mdx" && indent == 0 && (bytes.HasPrefix(body, []byte("import ")) || bytes.HasPrefix(body, []byte("export "))) {
			d.endParagraph()
			d.module(body, start)
			continue
		}
		d.linksOf(start, text)
		switch {
		case indent < 4 && isRule(body):
			d.endParagraph()
			list = false
		case isItem(body):
			d.endParagraph()
			list = true
		case body[0] == '>' || body[0] == '|' || definition(body):
			d.endParagraph()
		case list && (indent > 0 || !wasBlank):
			// A paragraph of an item, or its lazy continuation.
		default:
			list = false
			end := start + len(bytes.TrimRight(text, " \t"))
			d.para = append(d.para, facts.Span{Start: uint32(offset), End: uint32(end)})
		}
	}
	d.endParagraph()
}

// endParagraph offers the paragraph read so far as what the document and the
// section say first.
func (d *document) endParagraph() {
	if len(d.para) == 0 {
		return
	}
	src := d.b.Source
	from, to := d.para[0].Start, d.para[len(d.para)-1].End
	d.para = nil
	section := len(d.headings) - 1
	needSection := section >= 0 && d.headings[section].doc == ""
	if d.summary != "" && !needSection {
		return
	}
	raw := string(src[from:to])
	if !saysSomething(raw) {
		return
	}
	text := plain(raw)
	if strings.HasSuffix(text, ":") || isCode(raw) {
		return // announces a list or is an example
	}
	if needSection {
		d.headings[section].doc = text
	}
	if d.summary == "" && (section < 0 || !isAside(d.headings[section].name)) {
		d.summary = text
	}
}

// isCode tells a paragraph that is nothing but one span of code.
func isCode(raw string) bool {
	raw = strings.Trim(strings.TrimSpace(raw), "*")
	return len(raw) > 2 && raw[0] == '`' && strings.IndexByte(raw[1:], '`') == len(raw)-2
}

// isAside tells sections of a README that speak of something else than what
// the document is about.
func isAside(heading string) bool {
	h := strings.ToLower(heading)
	for _, w := range []string{"announc", "news", "sponsor", "contents", "backers", "what's new", "notice", "warning", "license", "contributors"} {
		if strings.Contains(h, w) {
			return true
		}
	}
	return false
}

func (d *document) heading(level int, start uint32, name facts.Span) {
	text := plain(string(d.b.Source[name.Start:name.End]))
	if text == "" || len(d.headings) >= maxHeadings {
		return
	}
	d.headings = append(d.headings, heading{level: level, name: text, start: start, nameSpan: name})
}

func (d *document) emit() {
	end := uint32(len(d.b.Source))
	open := []int{}
	for i := range d.headings {
		for len(open) > 0 && d.headings[open[len(open)-1]].level >= d.headings[i].level {
			d.headings[open[len(open)-1]].end = d.headings[i].start
			open = open[:len(open)-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		d.headings[i].end = end
	}
	switch {
	case d.summary != "":
		d.b.SetSummary(d.summary)
	case d.title != "":
		d.b.SetSummary(d.title)
	case len(d.headings) > 0:
		d.b.SetSummary(d.headings[0].name)
	}
	if d.title != "" && (len(d.headings) == 0 || d.headings[0].level > 1) {
		at := bytes.Index(d.b.Source, []byte(d.title))
		if at >= 0 {
			top := d.b.Symbol(facts.Symbol{
				Name: d.title, Kind: facts.KindHeading, Span: facts.Span{Start: 0, End: end},
				NameSpan: facts.Span{Start: uint32(at), End: uint32(at + len(d.title))},
			})
			d.b.Within(top, func() { d.sections(0, 0) })
			return
		}
	}
	d.sections(0, 0)
}

// sections emits headings from index i on as long as they are deeper than a
// level and returns the index of the first that is not. Levels bound the
// recursion.
func (d *document) sections(i, level int) int {
	for i < len(d.headings) && d.headings[i].level > level {
		h := &d.headings[i]
		s := d.b.Symbol(facts.Symbol{
			Name: h.name, Kind: facts.KindHeading, Doc: h.doc,
			Span: facts.Span{Start: h.start, End: h.end}, NameSpan: h.nameSpan,
		})
		d.b.Within(s, func() { i = d.sections(i+1, h.level) })
	}
	return i
}
