// Package html outlines HTML documents and templates that produce them.
//
// Definitions are headings, elements with an id, named fields of forms, and what
// a template language defines: macros, blocks, partials. Imports are scripts,
// style sheets, linked pages, and the templates that one extends or includes;
// references are classes, custom elements and partials that are used. The reader
// is an own scanner: a parser of HTML would repair the tree in ways that move
// text about, knows no template language, and needs the whole document.
//
// Contents of script and style elements and event handlers are parts, which the
// rows of their languages read.
package html

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
)

const (
	maxSymbols    = 2000
	maxReferences = 2000
	maxImports    = 500
	// maxText caps the text of a heading that is looked at, in bytes.
	maxText = 1000
)

// Language is the row of HTML and of template languages in which a file is HTML
// with marks: Jinja, Django, Twig, Liquid, Nunjucks, Handlebars, Mustache, Go
// templates, EJS and ERB.
func Language() *lang.Language {
	return &lang.Language{
		Name:    "html",
		Version: 1,
		Extensions: []string{
			".html", ".htm", ".xhtml", ".shtml", ".hta", ".html.in", ".html.tmpl", ".html.twig", ".html.j2", ".html.hbs",
			".hbs", ".handlebars", ".mustache", ".j2", ".jinja", ".jinja2", ".njk", ".nunjucks", ".twig", ".liquid",
			".gohtml", ".tmpl", ".gotmpl", ".tpl",
		},
		Extract: extract,
		Parts:   func(source []byte, _ string) []lang.Part { return parts(source) },
		Readers: component.Readers(),
		Outline: true,
	}
}

func extract(b *lang.Builder) {
	d := &document{b: b, src: b.Source, open: map[string]int{}, seen: map[string]bool{}}
	d.markup = d.isMarkup()
	d.read()
	d.emit()
}

// document is one file being read.
type document struct {
	b   *lang.Builder
	src []byte

	markup   bool // it is HTML, not another text with template marks
	ahead    [len(marks)]ahead
	found    []symbol
	headings []int // of found
	stack    []element
	open     map[string]int // elements of the stack by name
	blocks   []block
	refs     []reference
	seen     map[string]bool // imports, references by name
	imports  int
	lookups  int // searches for the end of a block that may be none

	title, description, firstHeading string
	comment                          facts.Span // read last
}

// isMarkup tells HTML from other texts that template languages produce.
func (d *document) isMarkup() bool {
	switch d.b.Extension {
	case ".tmpl", ".gotmpl", ".tpl", ".j2", ".jinja", ".jinja2", ".ejs", ".njk", ".liquid", ".twig", ".mustache":
	default:
		return true
	}
	head := strings.ToLower(strings.ToValidUTF8(string(d.src[:min(len(d.src), 20_000)]), ""))
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<body", "<div", "<p>", "<p ", "<span", "<h1", "<h2", "<h3", "<a ", "<ul", "<li", "<table", "<form", "<script", "<section", "<img", "<input", "<tr", "<td", "<svg", "<link", "<meta", "<main", "<nav", "<button", "</"} {
		if strings.Contains(head, tag) {
			return true
		}
	}
	return false
}

// symbol is a definition; owner is the one it stands in, -1.
type symbol struct {
	facts.Symbol
	owner int
	level int // of a heading
}

// element is an open element; symbol is what it defines, -1.
type element struct {
	name   string
	symbol int
}

// block is an open block of a template language.
type block struct {
	name   string // word that ends it, without its mark
	symbol int
}

type reference struct {
	kind  facts.RefKind
	name  string
	start int
	owner int
}

func (d *document) add(s facts.Symbol, owner int) int {
	if len(d.found) >= maxSymbols || s.Name == "" {
		return -1
	}
	d.found = append(d.found, symbol{Symbol: s, owner: owner})
	return len(d.found) - 1
}

// owner is the innermost definition that is open.
func (d *document) owner() int {
	for i := len(d.stack) - 1; i >= 0 && i > len(d.stack)-50; i-- {
		if d.stack[i].symbol >= 0 {
			return d.stack[i].symbol
		}
	}
	return d.blockOwner()
}

func (d *document) blockOwner() int {
	for i := len(d.blocks) - 1; i >= 0 && i > len(d.blocks)-50; i-- {
		if d.blocks[i].symbol >= 0 {
			return d.blocks[i].symbol
		}
	}
	return -1
}

// refer notes the first use of a name.
func (d *document) refer(kind facts.RefKind, name string, start int) {
	key := kind.String() + name
	if len(d.refs) >= maxReferences || name == "" || d.seen[key] {
		return
	}
	d.seen[key] = true
	d.refs = append(d.refs, reference{kind, name, start, d.owner()})
}

func (d *document) addImport(i facts.Import, start int) {
	key := "import" + i.Module + " " + i.Alias
	if d.imports >= maxImports || i.Module == "" || d.seen[key] {
		return
	}
	d.seen[key] = true
	d.imports++
	d.b.Import(i, uint32(start))
}

// doc is the comment that ends on the line above an offset.
func (d *document) doc(at int) string {
	if d.comment.Len() == 0 || d.b.Line(uint32(at)) > d.b.Line(d.comment.End-1)+1 {
		return ""
	}
	text := d.commentText()
	d.comment = facts.Span{}
	return text
}

func (d *document) commentText() string {
	raw := string(d.src[d.comment.Start:min(d.comment.End, d.comment.Start+1500)])
	raw = strings.ToValidUTF8(raw, "")
	for _, mark := range [][2]string{{"{{!--", "--}}"}, {"{{!", "}}"}, {"{{/*", "*/}}"}, {"{{- /*", "*/ -}}"}, {"{#-", "-#}"}, {"{#", "#}"}, {"<%#", "%>"}, {"<%--", "--%>"}, {"<!--", "-->"}} {
		if rest, ok := strings.CutPrefix(raw, mark[0]); ok {
			raw = strings.TrimSuffix(rest, mark[1])
			break
		}
	}
	text := strings.TrimSpace(strings.Trim(lang.Collapse(raw), "-=#*~ "))
	if lang.LooksLikeLicense(text) || strings.ContainsAny(text, "<>{}") || len(text) < 3 {
		return ""
	}
	return text
}

func (d *document) emit() {
	// A section ends where the next heading of its level or above begins.
	end := uint32(len(d.src))
	var sections []int
	for _, i := range d.headings {
		h := &d.found[i]
		for n := len(sections); n > 0 && d.found[sections[n-1]].level >= h.level; n = len(sections) {
			d.found[sections[n-1]].Span.End = h.Span.Start
			sections = sections[:n-1]
		}
		h.owner = -1
		if n := len(sections); n > 0 {
			h.owner = sections[n-1]
		}
		sections = append(sections, i)
	}
	for _, i := range sections {
		d.found[i].Span.End = end
	}
	at := make([]int32, len(d.found))
	for i := range d.found {
		s := &d.found[i]
		parent := int32(-1)
		if s.owner >= 0 {
			parent = at[s.owner]
		}
		d.b.Within(parent, func() { at[i] = d.b.Symbol(s.Symbol) })
	}
	for _, r := range d.refs {
		in := int32(-1)
		if r.owner >= 0 {
			in = at[r.owner]
		}
		d.b.Within(in, func() { d.b.Reference(r.kind, r.name, "", uint32(r.start)) })
	}
	for _, s := range []string{d.description, d.title, d.firstHeading} {
		d.b.SetSummary(s)
	}
}
