package scip

import (
	"bytes"
	"unicode/utf8"
)

// Encoding is what columns count.
type Encoding uint8

const (
	// EncodingUnknown: the index does not say; a Document of a Reader has what
	// its tool is known to use instead.
	EncodingUnknown Encoding = iota
	UTF8
	UTF16
	UTF32

	encodingCount
)

// breaks is what ends a line besides a line feed.
type breaks uint8

const (
	lineFeeds breaks = iota
	// returns: a carriage return alone does, too. A byte order mark is not part
	// of the text.
	returns
	// separators: as returns, and so do U+2028 and U+2029.
	separators
)

// settle decides what the index does not say. Most tools without a word on
// columns run on systems whose strings are UTF-16, and so does the language
// server protocol.
func (d *Document) settle(tool string) {
	switch tool {
	case "scip-typescript":
		d.breaks = separators
	case "scip-python":
		d.breaks = returns
	}
	if d.Encoding == EncodingUnknown || d.Encoding >= encodingCount {
		d.Encoding = UTF16
	}
}

// Convert turns the places of the document into lines and UTF-8 columns of its
// text. Occurrences that do not lie in the text are dropped and counted: the
// text is another one than what the tool saw.
func (d *Document) Convert(text []byte) {
	t := newLineTable(text, d.breaks)
	kept := d.Occurrences[:0]
	for _, o := range d.Occurrences {
		r, ok := t.convert(o.Range, d.Encoding)
		if !ok {
			d.Dropped++
			continue
		}
		o.Range = r
		if o.Enclosing != (Range{}) {
			if o.Enclosing, ok = t.convert(o.Enclosing, d.Encoding); !ok {
				o.Enclosing = Range{}
			}
		}
		kept = append(kept, o)
	}
	d.Occurrences = kept
	d.Encoding = UTF8
	d.text = t
}

// Span is the range of bytes that a range of the document covers in the text that
// it was converted for, empty before Convert.
func (d *Document) Span(r Range) (start, end int) {
	if d.text == nil {
		return 0, 0
	}
	return d.text.offset(r.Start), d.text.offset(r.End)
}

// lineTable finds lines and columns in a text.
type lineTable struct {
	text []byte
	// starts and ends of the lines, in bytes, a line feed left out. The first line
	// starts behind a byte order mark where the tool does not count it.
	starts, ends []int
}

func newLineTable(text []byte, b breaks) *lineTable {
	t := &lineTable{text: text}
	at := 0
	if b >= returns && bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	t.starts = append(t.starts, at)
	for i := at; i < len(text); i++ {
		width := 0
		switch c := text[i]; {
		case c == '\n', c == '\r' && b >= returns && (i+1 == len(text) || text[i+1] != '\n'):
			width = 1
		case c == 0xe2 && b == separators && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xa8:
			width = 3
		default:
			continue
		}
		t.ends = append(t.ends, i)
		t.starts = append(t.starts, i+width)
		i += width - 1
	}
	t.ends = append(t.ends, len(text))
	return t
}

// offset is the byte at a line and UTF-8 column, at most the end of the text.
func (t *lineTable) offset(p Position) int {
	if p.Line < 0 || int(p.Line) >= len(t.starts) {
		return len(t.text)
	}
	return min(t.starts[p.Line]+max(0, int(p.Column)), len(t.text))
}

func (t *lineTable) convert(r Range, e Encoding) (Range, bool) {
	start, ok := t.column(r.Start, e)
	if !ok {
		return Range{}, false
	}
	end, ok := t.column(r.End, e)
	return Range{Position{r.Start.Line, start}, Position{r.End.Line, end}}, ok
}

// column is the UTF-8 column of a place. It is not ok outside the text or within
// a character.
func (t *lineTable) column(p Position, e Encoding) (int32, bool) {
	if p.Line < 0 || int(p.Line) >= len(t.starts) {
		// The end of the last line may be written as the start of the next.
		return 0, false
	}
	line := t.text[t.starts[p.Line]:t.ends[p.Line]]
	if e == UTF8 {
		in := p.Column >= 0 && int(p.Column) <= len(line)
		return p.Column, in && (int(p.Column) == len(line) || utf8.RuneStart(line[p.Column]))
	}
	units, at := int32(0), 0
	for at < len(line) && units < p.Column {
		r, size := utf8.DecodeRune(line[at:])
		units++
		if e == UTF16 && r > 0xffff {
			units++
		}
		at += size
	}
	return int32(at), units == p.Column
}
