package html

import (
	"strings"
	"unicode"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

var void = map[string]bool{
	"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true, "input": true,
	"link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true,
}

// element takes a start tag that ends at an offset and returns where to read on.
func (d *document) element(t *tag, at int, c closers) int {
	switch t.name {
	case "script", "style":
		d.raw(t)
		end := d.rawEnd(t.name, at, c)
		if t.selfClosed(d.src) {
			return at
		}
		if end < 0 {
			return len(d.src)
		}
		if i := d.identify(t, d.owner()); i >= 0 {
			d.found[i].Span.End = uint32(end)
		}
		return end
	case "title", "textarea":
		if t.selfClosed(d.src) {
			return at
		}
		end := d.rawEnd(t.name, at, c)
		if end < 0 {
			return at
		}
		if t.name == "title" && d.title == "" && d.open["svg"] == 0 {
			d.title = d.plain(at, min(end, at+maxText))
		}
		if t.name == "textarea" {
			d.field(t)
			return end
		}
		return at
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return d.heading(t, at)
	case "link":
		d.link(t)
	case "meta":
		if n := strings.ToLower(t.value("name")); n == "description" && d.description == "" {
			d.description = stripMarks(t.value("content"))
		}
	case "a", "area":
		d.page(t.attr("href"))
	case "iframe", "frame", "embed":
		d.file(t.attr("src"))
	case "object":
		d.file(t.attr("data"))
	case "include":
		d.file(t.attr("src"))
	case "li", "p", "tr", "td", "th", "dt", "dd", "option":
		// What is open of the same kind ends here.
		if n := len(d.stack); n > 0 && d.stack[n-1].name == t.name {
			d.closeElements(n-1, t.start)
		}
	}
	d.uses(t)
	symbol := -1
	switch t.name {
	case "input", "select", "button":
		symbol = d.field(t)
	default:
		symbol = d.identify(t, d.owner())
	}
	if !void[t.name] && !t.selfClosed(d.src) {
		d.stack = append(d.stack, element{t.name, symbol})
		d.open[t.name]++
	}
	return at
}

func (t *tag) selfClosed(src []byte) bool {
	return t.end > t.start+2 && t.end <= len(src) && src[t.end-1] == '>' && src[t.end-2] == '/'
}

// identify takes the id of an element.
func (d *document) identify(t *tag, owner int) int {
	a := t.attr("id")
	kind := facts.KindKey
	switch {
	case a != nil:
	case t.name == "a" || t.name == "form" || t.name == "slot" || t.name == "map":
		a = t.attr("name")
	case t.name == "th:block" || t.attr("th:fragment") != nil:
		a = t.attr("th:fragment") // of Thymeleaf
		kind = facts.KindMacro
	}
	if a == nil || !isPlain(a.value) {
		return -1
	}
	if t.name == "template" || t.name == "script" || t.name == "dom-module" || t.name == "symbol" {
		kind = facts.KindMacro // markup that is put elsewhere
	}
	return d.add(facts.Symbol{
		Name: a.value, Kind: kind, Signature: d.signature(t), Doc: d.doc(t.start),
		Span: facts.Span{Start: uint32(t.start), End: uint32(t.end)}, NameSpan: a.span(),
	}, owner)
}

func (a *attribute) span() facts.Span { return facts.Span{Start: uint32(a.start), End: uint32(a.end)} }

// isPlain tells a value without marks of a template and white space.
func isPlain(s string) bool {
	return s != "" && len(s) <= 150 && !strings.ContainsAny(s, "{}<>$ \t\n\r")
}

// field takes the name of a field of a form.
func (d *document) field(t *tag) int {
	id := t.attr("id")
	a := t.attr("name")
	if a == nil || !isPlain(a.value) {
		return d.identify(t, d.owner())
	}
	owner := d.owner()
	for i := len(d.stack) - 1; i >= 0 && i > len(d.stack)-50; i-- {
		if d.stack[i].name == "form" {
			owner = d.stack[i].symbol
			break
		}
	}
	key := "field" + a.value
	if owner >= 0 {
		key += " " + d.found[owner].Name
	}
	if d.seen[key] && (id == nil || !isPlain(id.value)) {
		return -1 // the next of a group of radio buttons
	}
	if d.seen[key] {
		return d.identify(t, owner)
	}
	d.seen[key] = true
	if id != nil && id.value != a.value {
		defer d.identify(t, owner)
	}
	return d.add(facts.Symbol{
		Name: a.value, Kind: facts.KindField, Signature: d.signature(t), Doc: d.doc(t.start),
		Span: facts.Span{Start: uint32(t.start), End: uint32(t.end)}, NameSpan: a.span(),
	}, owner)
}

// signature is a start tag with the attributes that tell what it is for.
func (d *document) signature(t *tag) string {
	var b strings.Builder
	b.WriteString("<" + t.name)
	for _, a := range t.attrs {
		switch a.name {
		case "id", "name", "type", "class", "role", "action", "method", "href", "is", "aria-label", "part", "rel":
		default:
			if a.name != "data-controller" && a.name != "ng-controller" && a.name != "th:fragment" {
				continue
			}
		}
		if a.value != "" && b.Len() < facts.MaxSignature {
			b.WriteString(" " + a.name + `="` + lang.Collapse(a.value) + `"`)
		}
	}
	b.WriteString(">")
	return b.String()
}

// heading takes a heading and its text.
func (d *document) heading(t *tag, at int) int {
	if len(d.found) >= maxSymbols {
		return at
	}
	end := d.headingEnd(t.name, at)
	name := d.plain(at, end)
	d.uses(t)
	id := t.attr("id")
	span := trim(d.src, at, end)
	if name == "" || span.Len() == 0 {
		symbol := d.identify(t, d.owner())
		d.stack = append(d.stack, element{t.name, symbol})
		d.open[t.name]++
		return at
	}
	if d.firstHeading == "" {
		d.firstHeading = name
	}
	sym := facts.Symbol{Name: name, Kind: facts.KindHeading, Span: facts.Span{Start: uint32(t.start), End: uint32(end)}, NameSpan: span}
	if id != nil && isPlain(id.value) {
		sym.Signature = "<" + t.name + ` id="` + id.value + `">`
	}
	if i := d.add(sym, -1); i >= 0 {
		d.found[i].level = int(t.name[1] - '0')
		d.headings = append(d.headings, i)
	}
	d.stack = append(d.stack, element{t.name, -1})
	d.open[t.name]++
	return at
}

// headingEnd is where the text of a heading ends: before its end tag, or before
// the next block when it has none.
func (d *document) headingEnd(name string, at int) int {
	text := string(d.src[at:min(len(d.src), at+maxText)])
	end := len(text)
	for i := 0; i < len(text); i++ {
		if text[i] != '<' {
			continue
		}
		if rest := text[i+1 : min(len(text), i+6)]; len(rest) > 1 && endsHeading(strings.ToLower(rest), name) {
			end = i
			break
		}
	}
	if end == len(text) {
		// Without an end tag the line has to do.
		if k := strings.IndexByte(strings.TrimLeft(text, "\r\n\t "), '\n'); k >= 0 {
			end = k + len(text) - len(strings.TrimLeft(text, "\r\n\t "))
		}
		end = len(strings.ToValidUTF8(text[:end], ""))
	}
	return at + end
}

// endsHeading tells the tags that no heading of a name goes on behind.
func endsHeading(rest, name string) bool {
	if rest[0] == 'h' && rest[1] >= '1' && rest[1] <= '6' {
		return true
	}
	for _, stop := range []string{"/" + name, "p>", "p ", "div", "ul", "/div", "/body"} {
		if strings.HasPrefix(rest, stop) {
			return true
		}
	}
	return false
}

func trim(src []byte, start, end int) facts.Span {
	for start < end && isSpace(src[start]) {
		start++
	}
	for end > start && isSpace(src[end-1]) {
		end--
	}
	return facts.Span{Start: uint32(start), End: uint32(end)}
}

// plain is the text of a range without tags, marks and character references.
func (d *document) plain(start, end int) string {
	return stripMarks(strings.ToValidUTF8(string(d.src[start:end]), ""))
}

// stripMarks drops tags and template marks from a text.
func stripMarks(s string) string {
	s = s[:min(len(s), 4*maxText)]
	var b strings.Builder
	for i := 0; i < len(s); {
		stop := ""
		switch {
		case strings.HasPrefix(s[i:], "{{"):
			stop = "}}"
		case strings.HasPrefix(s[i:], "{%"):
			stop = "%}"
		case strings.HasPrefix(s[i:], "{#"):
			stop = "#}"
		case strings.HasPrefix(s[i:], "<%"):
			stop = "%>"
		case strings.HasPrefix(s[i:], "<!--"):
			stop = "-->"
		case s[i] == '<' && i+1 < len(s) && (isLetter(s[i+1]) || s[i+1] == '/'):
			stop = ">"
		}
		if stop != "" {
			if k := strings.Index(s[i:], stop); k >= 0 {
				i += k + len(stop)
				if stop != ">" {
					b.WriteByte(' ')
				}
				continue
			}
			if stop == ">" {
				break // a tag that is not finished
			}
		}
		b.WriteByte(s[i])
		i++
	}
	text := entities.Replace(b.String())
	text = lang.Collapse(strings.ToValidUTF8(text, ""))
	text = strings.TrimSpace(strings.TrimSuffix(text, "¶"))
	for strings.HasSuffix(text, "}}") {
		text = strings.TrimSpace(strings.TrimRight(text, "}"))
	}
	text = strings.TrimSpace(strings.Trim(text, "|–—·»«-: "))
	if strings.IndexFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 ||
		strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		return ""
	}
	return text
}

var entities = strings.NewReplacer("&nbsp;", " ", "&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#39;", "'", "&apos;", "'",
	"&mdash;", "—", "&ndash;", "–", "&para;", "", "&#182;", "", "&rsquo;", "’", "&copy;", "©", "&hellip;", "…", "&#8217;", "’", "\u00a0", " ")

// uses notes the classes and custom elements of a tag.
func (d *document) uses(t *tag) {
	if k := strings.IndexByte(t.name, '-'); k > 0 && strings.IndexByte(t.name, ':') < 0 && t.name[len(t.name)-1] != '-' {
		d.refer(facts.RefCall, t.name, t.start+1)
	}
	a := t.attr("class")
	if a == nil {
		return
	}
	for from := 0; from < len(a.value); {
		for from < len(a.value) && isSpace(a.value[from]) {
			from++
		}
		end := from
		for end < len(a.value) && !isSpace(a.value[end]) && (end == from || a.value[end] != '{' && a.value[end] != '<') {
			end++
		}
		if rest := a.value[from:]; strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "{%") || strings.HasPrefix(rest, "<%") {
			stop := "}}"
			switch a.value[from+1] {
			case '%':
				stop = "%}"
				if a.value[from] == '<' {
					stop = "%>"
				}
			}
			if k := strings.Index(a.value[from:], stop); k >= 0 {
				from += k + 2
				continue
			}
			return
		}
		if class := a.value[from:end]; isPlain(class) && !strings.ContainsAny(class, "'\"()%?=&|+,") {
			d.refer(facts.RefRead, "."+class, a.start+from)
		}
		from = end
	}
}
