package sarif

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRegions(t *testing.T) {
	tests := []struct {
		in   string
		want Region
	}{
		{`{"startLine":3,"startColumn":2,"endLine":4,"endColumn":1}`, lines(3, 2, 4, 1)},
		{`{"startLine":3}`, lines(3, 1, 3, 0)},
		{`{"startLine":3,"endLine":5}`, lines(3, 1, 5, 0)},
		{`{"startLine":3,"startColumn":4}`, lines(3, 4, 3, 0)},
		{`{"startLine":3,"startColumn":4,"endColumn":4}`, lines(3, 4, 3, 4)},
		{`{"startLine":3,"startColumn":4,"endColumn":2}`, lines(3, 4, 3, 4)},
		{`{"startLine":3,"startColumn":4,"endLine":2,"endColumn":9}`, lines(3, 4, 3, 4)},
		{`{"startLine":3,"startColumn":0,"endLine":0,"endColumn":0}`, lines(3, 1, 3, 0)},
		{`{"startLine":3.0,"charOffset":7}`, lines(3, 1, 3, 0)},
		{`{"startLine":0,"charOffset":7,"charLength":2}`, Region{Unit: Characters, Start: 7, End: 9}},
		{`{"charOffset":-1,"byteOffset":7,"byteLength":2147483646}`, Region{Unit: Bytes, Start: 7, End: 1<<31 - 1}},
		{`{"startLine":-3}`, Region{}},
		{`{"startLine":1e99}`, Region{}},
		{`{"startLine":2.5}`, Region{}},
		{`{"startLine":null}`, Region{}},
		{`{}`, Region{}},
		{`null`, Region{}},
	}
	for _, test := range tests {
		limits := DefaultLimits
		got, err := readRegion(newLexer(strings.NewReader(test.in), 0, &limits))
		if got != test.want || err != nil {
			t.Errorf("%s: %+v %v", test.in, got, err)
		}
	}
}

func TestSpan(t *testing.T) {
	const (
		ascii = "one\r\ntwo two\n\nlast"
		wide  = "\xef\xbb\xbfä\U0001F600b\nc\U0001F600d\r\n"
	)
	tests := []struct {
		text string
		in   Region
		unit ColumnUnit
		want string // "-" where there is none
	}{
		{ascii, lines(1, 1, 1, 0), CodePoints, "one"},
		{ascii, lines(2, 5, 2, 8), CodePoints, "two"},
		{ascii, lines(2, 5, 2, 0), CodePoints, "two"},
		{ascii, lines(2, 5, 2, 99), CodePoints, "two"},
		{ascii, lines(2, 99, 2, 100), CodePoints, ""},
		{ascii, lines(1, 2, 2, 4), CodePoints, "ne\r\ntwo"},
		{ascii, lines(3, 1, 3, 0), CodePoints, ""},
		{ascii, lines(4, 1, 4, 0), CodePoints, "last"},
		{ascii, lines(4, 3, 9, 1), CodePoints, "st"},
		{ascii, lines(5, 1, 5, 0), CodePoints, "-"},
		{ascii, Region{}, CodePoints, ascii},
		{ascii, Region{Unit: Characters, Start: 5, End: 8}, CodePoints, "two"},
		{ascii, Region{Unit: Characters, Start: 18, End: 20}, CodePoints, ""},
		{ascii, Region{Unit: Characters, Start: 19, End: 20}, CodePoints, "-"},
		{ascii, Region{Unit: Bytes, Start: 5, End: 8}, CodePoints, "two"},
		{ascii, Region{Unit: Bytes, Start: 19, End: 20}, CodePoints, "-"},
		{wide, lines(1, 1, 1, 2), UTF16, "ä"},
		{wide, lines(1, 2, 1, 4), UTF16, "\U0001F600"},
		{wide, lines(1, 2, 1, 3), CodePoints, "\U0001F600"},
		{wide, lines(1, 3, 1, 5), UTF16, "\U0001F600b"}, // begins within a character
		{wide, lines(2, 2, 2, 4), UTF16, "\U0001F600"},
		{wide, lines(2, 1, 2, 0), CodePoints, "c\U0001F600d"},
		{wide, lines(3, 1, 3, 0), CodePoints, ""},
		{wide, Region{Unit: Characters, Start: 1, End: 3}, UTF16, "\U0001F600"},
		{wide, Region{Unit: Characters, Start: 90, End: 93}, UTF16, "-"},
		{wide, Region{Unit: Bytes, Start: 4, End: 6}, CodePoints, "ä"},
		{"", lines(1, 1, 1, 0), CodePoints, ""},
	}
	shared := map[string]*Text{ascii: NewText([]byte(ascii)), wide: NewText([]byte(wide))}
	for _, test := range tests {
		for _, text := range []*Text{NewText([]byte(test.text)), shared[test.text]} {
			if text == nil {
				continue
			}
			span, ok := text.Span(test.in, test.unit)
			if got := test.text[span.Start:span.End]; ok != (test.want != "-") || ok && got != test.want {
				t.Errorf("%+v of %q: %q %v", test.in, test.text, got, ok)
			}
		}
	}
}

// Whatever a report says, a span lies in the text, on borders of characters, and
// does not depend on what was asked before.
func FuzzSpan(f *testing.F) {
	f.Add("a\u00e4\U0001F600\r\nb\n", int32(1), int32(2), int32(2), int32(1), byte(1), true)
	f.Add("\xef\xbb\xbfx\xff\n", int32(0), int32(-2), int32(1<<31-1), int32(7), byte(2), false)
	f.Fuzz(func(t *testing.T, s string, a, b, c, d int32, unit byte, wide bool) {
		g := Region{RegionUnit(unit % 4), a, b, c, d, a, b}
		columns := CodePoints
		if wide {
			columns = UTF16
		}
		text := NewText([]byte(s))
		span, ok := text.Span(g, columns)
		if span.Start > span.End || int(span.End) > len(s) || !ok && span.End != 0 {
			t.Fatalf("%v %v", span, ok)
		}
		if again, _ := text.Span(g, columns); again != span {
			t.Errorf("%v, then %v", span, again)
		}
		if utf8.ValidString(s) && (!utf8.ValidString(s[span.Start:]) || !utf8.ValidString(s[:span.End])) {
			t.Errorf("%v is within a character", span)
		}
	})
}
