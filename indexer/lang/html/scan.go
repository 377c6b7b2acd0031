package html

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// attribute is one attribute of a tag; the value may hold template marks.
type attribute struct {
	name       string // lower case
	value      string
	start, end int // of the value in the source
}

// tag is a start tag.
type tag struct {
	name       string // lower case
	start, end int
	attrs      []attribute
}

func (t *tag) attr(name string) *attribute {
	for i := range t.attrs {
		if t.attrs[i].name == name {
			return &t.attrs[i]
		}
	}
	return nil
}

func (t *tag) value(name string) string {
	if a := t.attr(name); a != nil {
		return a.value
	}
	return ""
}

// closers remembers that a mark does not occur in the rest of a text, so that a
// text full of opening marks is not searched again and again.
type closers map[string]bool

func (c closers) index(src []byte, at int, mark string) int {
	if c[mark] {
		return -1
	}
	k := bytes.Index(src[at:], []byte(mark))
	if k < 0 {
		c[mark] = true
		return -1
	}
	return at + k
}

// marks are the pairs that enclose template code; the first that fits wins.
var marks = [...][2]string{{"{{!--", "--}}"}, {"{{{{", "}}}}"}, {"{{{", "}}}"}, {"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}, {"<%--", "--%>"}, {"<%", "%>"}, {"<?", "?>"}}

// template is the end of the template mark at an offset, or -1 where none
// stands there. One that is not closed within a few thousand bytes is text.
func (d *document) template(at int) int {
	if at+1 >= len(d.src) || d.src[at] != '{' && d.src[at] != '<' {
		return -1
	}
	switch d.src[at+1] {
	case '{', '%', '#', '?':
	default:
		return -1
	}
	text := d.src[at:min(len(d.src), at+maxMark)]
	for n, m := range marks {
		if !bytes.HasPrefix(text, []byte(m[0])) {
			continue
		}
		if m[0] == "{#" && len(text) > 2 && !isSpace(text[2]) && text[2] != '-' && text[2] != '#' {
			// {#if} and the like are blocks of other languages.
			if k := bytes.IndexByte(text[:min(len(text), 300)], '}'); k >= 0 && bytes.IndexByte(text[:k], '#') == 1 && !bytes.HasPrefix(text[k-1:], []byte("#}")) {
				return at + k + 1
			}
		}
		k := d.closer(n, at+len(m[0])) - at - len(m[0])
		// A mark never goes on into the next one of its kind.
		if k >= 0 && m[0] != "{{" && m[0] != "<%" && bytes.Contains(d.src[at+len(m[0]):at+len(m[0])+k], []byte(m[0])) {
			k = -1
		}
		if k >= 0 {
			return at + len(m[0]) + k + len(m[1])
		}
		if m[0] != "{{{{" && m[0] != "{{{" {
			break
		}
	}
	return -1
}

// maxMark is how long template code in a mark may be, in bytes.
const maxMark = 8000

// ahead remembers where a closing mark was looked for, so that a text full of
// opening marks costs no more than its length: from until to there is none, and
// one stands at to where found.
type ahead struct {
	from, to int
	found    bool
}

// closer is the offset of the mark that closes pair n behind an offset, or a
// negative number where none is near.
func (d *document) closer(n, from int) int {
	a := &d.ahead[n]
	if from < a.from || from > a.to {
		*a = ahead{from: from, to: from}
	}
	if a.found {
		if a.to-from > maxMark {
			return -1 << 40
		}
		return a.to
	}
	stop := min(len(d.src), from+maxMark)
	if a.to < stop {
		k := bytes.Index(d.src[a.to:stop], []byte(marks[n][1]))
		if k >= 0 {
			a.to, a.found = a.to+k, true
			return a.to
		}
		// The mark may begin with the last bytes searched.
		a.to = max(a.to, stop-len(marks[n][1])+1)
	}
	return -1 << 40
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isName(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '-' || c == ':' || c == '.' || c >= 0x80
}

// read goes over the document once.
func (d *document) read() {
	c := closers{}
	at := d.frontMatter()
	text := at // start of the text before
	flush := func(end int) {
		if d.markup && end > text && len(bytes.TrimSpace(d.src[text:end])) > 0 {
			d.b.MarkDoc(facts.Span{Start: uint32(text), End: uint32(end)})
		}
	}
	for at < len(d.src) {
		k := bytes.IndexAny(d.src[at:], "<{")
		if k < 0 {
			break
		}
		at += k
		if end := d.template(at); end > 0 {
			flush(at)
			at = d.mark(at, end)
			text = at
			continue
		}
		if d.src[at] == '{' || at+1 >= len(d.src) || !d.markup {
			if d.src[at] == '{' {
				d.smarty(at)
			}
			at++
			continue
		}
		switch next := d.src[at+1]; {
		case bytes.HasPrefix(d.src[at:], []byte("<!--")):
			flush(at)
			end := c.index(d.src, at+4, "-->")
			if end < 0 {
				// Not closed: the line at least is one.
				end = at + 4
			} else {
				end += 3
			}
			d.comment = facts.Span{Start: uint32(at), End: uint32(end)}
			d.b.MarkDoc(d.comment)
			d.benchpress(at, end)
			at, text = end, end
		case next == '!':
			end := c.index(d.src, at, ">")
			if end < 0 {
				end = at + 1
			}
			at, text = end+1, end+1
		case next == '/':
			flush(at)
			at = d.endTag(at)
			text = at
		case isLetter(next):
			flush(at)
			t := d.startTag(at)
			at = t.end
			at = d.element(&t, at, c)
			text = at
		default:
			at++
		}
	}
	flush(len(d.src))
	d.closeElements(0, len(d.src))
	for len(d.blocks) > 0 {
		d.closeBlock(len(d.src))
	}
}

// startTag reads the tag at an offset. It ends with ">", or before the "<" of
// another tag when it is not finished.
func (d *document) startTag(at int) tag {
	t := tag{start: at}
	i := at + 1
	for i < len(d.src) && isName(d.src[i]) {
		i++
	}
	t.name = lower(d.src[at+1 : i])
	for i < len(d.src) {
		switch ch := d.src[i]; {
		case ch == '>':
			t.end = i + 1
			return t
		case isSpace(ch) || ch == '/':
			i++
		case ch == '{' || ch == '<':
			if end := d.template(i); end > 0 {
				d.mark(i, end)
				i = end
				continue
			}
			if ch == '<' {
				t.end = i
				return t
			}
			i++
		case ch == '"' || ch == '\'' || ch == '=':
			i++
		default:
			from := i
			for i < len(d.src) && !isSpace(d.src[i]) && strings.IndexByte("=>/<\"'{", d.src[i]) < 0 {
				i++
			}
			if i == from {
				i++
				continue
			}
			a := attribute{name: lower(d.src[from:i])}
			k := i
			for k < len(d.src) && isSpace(d.src[k]) {
				k++
			}
			if k < len(d.src) && d.src[k] == '=' {
				k++
				for k < len(d.src) && isSpace(d.src[k]) {
					k++
				}
				a.start, a.end, i = d.attributeValue(k)
				a.value = strings.ToValidUTF8(string(d.src[a.start:min(a.end, a.start+4000)]), "")
			}
			if len(t.attrs) < 100 {
				t.attrs = append(t.attrs, a)
			}
		}
	}
	t.end = len(d.src)
	return t
}

func lower(b []byte) string { return strings.ToLower(string(b[:min(len(b), 200)])) }

// attributeValue is where the value at an offset starts and ends, and where to
// read on. A quoted value that is never closed ends with its line.
func (d *document) attributeValue(at int) (start, end, next int) {
	if at >= len(d.src) {
		return at, at, at
	}
	q := d.src[at]
	if q != '"' && q != '\'' {
		i := at
		for i < len(d.src) && !isSpace(d.src[i]) && d.src[i] != '>' {
			if stop := d.template(i); stop > 0 {
				i = stop
				continue
			}
			i++
		}
		return at, i, i
	}
	const most = 100_000
	line := 0
	for i := at + 1; i < min(len(d.src), at+most); i++ {
		switch d.src[i] {
		case q:
			return at + 1, i, i + 1
		case '\n':
			if line == 0 {
				line = i
			}
		case '<':
			// A new line with a tag: the quote was forgotten.
			if line > 0 && i+1 < len(d.src) && (isLetter(d.src[i+1]) || d.src[i+1] == '/') && len(bytes.TrimSpace(d.src[line:i])) == 0 {
				return at + 1, line, line
			}
			fallthrough
		case '{':
			if stop := d.template(i); stop > 0 {
				i = stop - 1
			}
		}
	}
	if line == 0 {
		line = min(len(d.src), at+most)
	}
	return at + 1, line, line
}

// endTag reads "</name>".
func (d *document) endTag(at int) int {
	i := at + 2
	for i < len(d.src) && isName(d.src[i]) {
		i++
	}
	name := lower(d.src[at+2 : i])
	end := i
	for end < len(d.src) && isSpace(d.src[end]) {
		end++
	}
	if end < len(d.src) && d.src[end] == '>' {
		end++
	}
	d.closeElement(name, end)
	return max(end, at+2)
}

// closeElement closes the innermost element of a name with all inside of it.
func (d *document) closeElement(name string, end int) {
	if d.open[name] == 0 {
		return
	}
	for i := len(d.stack) - 1; i >= 0; i-- {
		if d.stack[i].name == name {
			d.closeElements(i, end)
			return
		}
	}
}

func (d *document) closeElements(from, end int) {
	for i := len(d.stack) - 1; i >= from; i-- {
		e := d.stack[i]
		d.open[e.name]--
		if e.symbol >= 0 && d.found[e.symbol].level == 0 {
			s := &d.found[e.symbol].Span
			s.End = max(s.End, uint32(end))
		}
	}
	d.stack = d.stack[:from]
}

// rawEnd is where the contents of an element that holds no markup end: before
// its end tag.
func (d *document) rawEnd(name string, at int, c closers) int {
	for from := at; ; {
		k := c.index(d.src, from, "</")
		if k < 0 || c["</"+name] {
			c["</"+name] = true
			return -1
		}
		rest := d.src[k+2:]
		if len(rest) >= len(name) && strings.EqualFold(string(rest[:len(name)]), name) && (len(rest) == len(name) || !isName(rest[len(name)])) {
			return k
		}
		from = k + 2
	}
}
