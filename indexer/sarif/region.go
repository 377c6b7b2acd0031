package sarif

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
)

// ColumnUnit is what columns and offsets of characters count.
type ColumnUnit uint8

const (
	CodePoints ColumnUnit = iota // what the format takes where nothing is said
	UTF16
)

// RegionUnit is what the numbers of a Region are.
type RegionUnit uint8

const (
	// WholeFile: no part of the file is named.
	WholeFile RegionUnit = iota
	// Lines: lines and columns, both from 1.
	Lines
	// Characters: offsets of characters from 0, where no lines are given.
	Characters
	// Bytes: offsets of bytes from 0, where neither is given.
	Bytes
)

// Region is a part of a file as the tool wrote it, completed where the meaning
// does not depend on the text; Text.Span does the rest.
type Region struct {
	Unit RegionUnit
	// StartLine to EndColumn are set for Lines: the region ends in front of
	// EndColumn, which is 0 for the end of the line. No end line is the start line;
	// no column is the first and the end of the line; an end in front of the start
	// is the start.
	StartLine, StartColumn, EndLine, EndColumn int32
	// Start and End are half open, for the other units.
	Start, End int32
}

func readRegion(l *lexer) (Region, error) {
	const (
		startLine = iota
		startColumn
		endLine
		endColumn
		charOffset
		charLength
		byteOffset
		byteLength
		count
	)
	names := [count]string{"startLine", "startColumn", "endLine", "endColumn", "charOffset", "charLength", "byteOffset", "byteLength"}
	var n [count]int
	for i := range n {
		n[i] = noNumber
	}
	err := l.object(func(key string) (err error) {
		for i, name := range names {
			if key == name {
				n[i], err = l.number()
				return err
			}
		}
		return l.skip()
	})
	offsets := func(unit RegionUnit, start, length int) Region {
		end := min(start+max(0, length), math.MaxInt32)
		return Region{Unit: unit, Start: int32(start), End: int32(end)}
	}
	switch {
	case n[startLine] > 0:
		out := Region{Unit: Lines, StartLine: int32(n[startLine]), StartColumn: int32(max(1, n[startColumn])), EndColumn: int32(max(0, n[endColumn]))}
		out.EndLine = out.StartLine
		if n[endLine] > 0 {
			out.EndLine = int32(n[endLine])
		}
		if out.EndLine < out.StartLine || out.EndLine == out.StartLine && out.EndColumn > 0 && out.EndColumn < out.StartColumn {
			out.EndLine, out.EndColumn = out.StartLine, out.StartColumn
		}
		return out, err
	case n[charOffset] >= 0:
		return offsets(Characters, n[charOffset], n[charLength]), err
	case n[byteOffset] >= 0:
		return offsets(Bytes, n[byteOffset], n[byteLength]), err
	}
	return Region{}, err
}

// Text finds regions in the text of a file. It is used by one goroutine.
type Text struct {
	text []byte
	// starts of the lines in bytes; an empty one behind the last line feed counts.
	starts []int
	// ascii: columns are bytes.
	ascii bool
	// last is where the search for a column ended: results of one line come one
	// after the other, and lines can be as long as files.
	last struct {
		from, at int
		units    int32
		unit     ColumnUnit
	}
}

// NewText looks at a text, which must not change. It finds no region in one
// longer than 4 GiB.
func NewText(text []byte) *Text {
	t := &Text{text: text, starts: []int{0}, ascii: true}
	if bytes.HasPrefix(text, bom) {
		t.starts[0] = len(bom)
	}
	for i, c := range text {
		if c == '\n' {
			t.starts = append(t.starts, i+1)
		}
		t.ascii = t.ascii && c < utf8.RuneSelf
	}
	return t
}

// A byte order mark is no character of a text.
var bom = []byte("\xef\xbb\xbf")

// Span is the part of the text that a region covers. It is not ok where the
// region begins behind the text: the tool looked at another one. Columns behind
// the end of a line are its end, because some tools count a tab as several
// columns or bytes as characters; a region that is too long ends with the text.
func (t *Text) Span(g Region, unit ColumnUnit) (span facts.Span, ok bool) {
	if uint64(len(t.text)) > math.MaxUint32 {
		return facts.Span{}, false
	}
	start, end := 0, len(t.text)
	switch g.Unit {
	case Lines:
		if g.StartLine < 1 || int(g.StartLine) > len(t.starts) {
			return facts.Span{}, false
		}
		start, _ = t.column(t.starts[g.StartLine-1], t.lineEnd(g.StartLine), g.StartColumn-1, unit)
		if int(g.EndLine) <= len(t.starts) && g.EndLine >= g.StartLine {
			if end = t.lineEnd(g.EndLine); g.EndColumn > 0 {
				end, _ = t.column(t.starts[g.EndLine-1], end, g.EndColumn-1, unit)
			}
		}
	case Characters:
		if start, ok = t.column(t.starts[0], len(t.text), g.Start, unit); !ok {
			return facts.Span{}, false
		}
		end, _ = t.column(t.starts[0], len(t.text), g.End, unit)
	case Bytes:
		if g.Start < 0 || int(g.Start) > len(t.text) {
			return facts.Span{}, false
		}
		start, end = t.border(int(g.Start)), t.border(min(int(g.End), len(t.text)))
	}
	return facts.Span{Start: uint32(start), End: uint32(max(start, end))}, true
}

// border is the last border between characters that is not behind at.
func (t *Text) border(at int) int {
	for at > 0 && at < len(t.text) && !utf8.RuneStart(t.text[at]) {
		at--
	}
	return at
}

// lineEnd is where a line ends, without what ends it.
func (t *Text) lineEnd(line int32) int {
	if int(line) == len(t.starts) {
		return len(t.text)
	}
	end := t.starts[line] - 1
	if end > t.starts[line-1] && t.text[end-1] == '\r' {
		end--
	}
	return end
}

// column is the byte behind n units from a place; it is not ok where there are
// fewer of them up to the end.
func (t *Text) column(from, end int, n int32, unit ColumnUnit) (int, bool) {
	if t.ascii {
		return min(from+max(0, int(n)), end), int(n) <= end-from
	}
	at, units := from, int32(0)
	if l := &t.last; l.from == from && l.unit == unit && l.units <= n && l.at <= end {
		at, units = l.at, l.units
	}
	for units < n && at < end {
		r, size := utf8.DecodeRune(t.text[at:end])
		if unit == UTF16 && r > 0xffff {
			if units+2 > n {
				return at, true // within a character
			}
			units++
		}
		units++
		at += size
	}
	t.last.from, t.last.at, t.last.units, t.last.unit = from, at, units, unit
	return at, units >= n
}
