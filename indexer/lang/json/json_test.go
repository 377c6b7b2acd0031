package jsonlang

import (
	"bytes"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

// Size and depth cost time in proportion and no stack.
func TestLargeDocuments(t *testing.T) {
	for name, src := range map[string]string{
		"deep objects":  strings.Repeat(`{"a":`, 500_000),
		"deep arrays":   strings.Repeat(`[`, 2_000_000),
		"deep exports":  `{"exports":` + strings.Repeat(`{"import":`, 500_000),
		"many exports":  `{"exports":{` + strings.Repeat(`"./a":{"import":{"types":"./a.d.ts","default":"./a.js"}},`, 100_000) + `}}`,
		"many keys":     `{"a":{` + strings.Repeat(`"key":"value",`, 300_000) + `}}`,
		"many objects":  `{"a":[` + strings.Repeat(`{"key":"value"},`, 300_000) + `]}`,
		"unclosed":      `{` + strings.Repeat(`"`, 1_000_000),
		"comments":      strings.Repeat(`/*`, 1_000_000),
		"colons":        `{` + strings.Repeat(`"a":`, 500_000),
		"keys in lines": "{" + strings.Repeat("\"a\"\n\n", 500_000),
	} {
		b := lang.NewBuilder([]byte(src), ".json")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols+maxConditions {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

// A long table of exports takes no room from the keys behind it.
func TestLongExportsHideNothing(t *testing.T) {
	long := `{"name":"x","exports":{".":{` + strings.Repeat(`"import":{"a":{"types":"./a.d.ts","default":"./a.js"}},`, 20_000) + `}},"scripts":{"build":"tsc"}}`
	b := lang.NewBuilder([]byte(long), ".json")
	extract(b)
	symbols := b.Finish().Symbols
	deep := 0
	for _, s := range symbols {
		if s.Flags&facts.InBody != 0 {
			deep++
		}
	}
	if last := symbols[len(symbols)-1]; last.Name != "build" || last.Kind != facts.KindTarget || deep != maxConditions {
		t.Errorf("last is %s %q after %d conditions", last.Kind, last.Name, deep)
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(`{"name":"x","scripts":{"a":"b"},"compilerOptions":{"paths":{"@/*":["./src/*"]}}} // c`))
	f.Add([]byte(`{"name":"x","exports":{".":{"import":{"types":"./a.d.ts","default":["./a.js"]}}},"imports":{"#a":{"node":"b"}}}`))
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
