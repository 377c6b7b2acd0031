package jsonlang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

// Size and depth cost time in proportion and no stack.
func TestLargeDocuments(t *testing.T) {
	for name, src := range map[string]string{
		"deep objects":  strings.Repeat(`{"a":`, 500_000),
		"deep arrays":   strings.Repeat(`[`, 2_000_000),
		"many keys":     `{"a":{` + strings.Repeat(`"key":"value",`, 300_000) + `}}`,
		"many objects":  `{"a":[` + strings.Repeat(`{"key":"value"},`, 300_000) + `]}`,
		"unclosed":      `{` + strings.Repeat(`"`, 1_000_000),
		"comments":      strings.Repeat(`/*`, 1_000_000),
		"colons":        `{` + strings.Repeat(`"a":`, 500_000),
		"keys in lines": "{" + strings.Repeat("\"a\"\n\n", 500_000),
	} {
		b := lang.NewBuilder([]byte(src), ".json")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(`{"name":"x","scripts":{"a":"b"},"compilerOptions":{"paths":{"@/*":["./src/*"]}}} // c`))
	f.Add([]byte(`{a:'b',"\u00e9\ud83d\ude00":[1,{"x":"y"},"z",],}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder(bytes.ToValidUTF8(src, nil), ".json")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if !s.Span.Contains(s.NameSpan) || len(s.Init) > maxValue {
				t.Fatalf("%q: %v in %v, init of %d bytes", s.Name, s.NameSpan, s.Span, len(s.Init))
			}
		}
	})
}
