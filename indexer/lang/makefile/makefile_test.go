package makefile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestSeparator(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		op   string
	}{
		{"a: b", 1, ":"}, {"a:: b", 1, "::"}, {"a b &: c", 4, "&:"}, {"A=b", 1, "="}, {"A := b:c", 2, ":="},
		{"A ::= b", 2, "::="}, {"A ?= b", 2, "?="}, {"A += b", 2, "+="}, {"A != b", 2, "!="},
		{"$(A:x=y): b", 8, ":"}, {"${A}=b", 4, "="}, {"a", -1, ""}, {"# a: b", -1, ""}, {`a\:b: c`, 4, ":"}, {"", -1, ""},
		{"C:/x: y", 4, ":"},
	} {
		if at, op := separator(c.text); at != c.at || op != c.op {
			t.Errorf("separator(%q) = %d %q", c.text, at, op)
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	var many strings.Builder
	for i := range 100_000 {
		many.WriteString("t")
		many.WriteString(strings.Repeat("x", i%50))
		many.WriteString(string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676%26)) + ": dep\n\tcmd\n")
	}
	for name, src := range map[string]string{
		"many targets":   many.String(),
		"continuations":  strings.Repeat("a \\\n", 200_000),
		"one line":       strings.Repeat("a ", 500_000) + ": b",
		"open reference": strings.Repeat("$(", 500_000),
		"recipes":        "a b c d:\n" + strings.Repeat("\tcmd\n", 200_000),
		"define":         "define x\n" + strings.Repeat("a: b\n", 100_000),
	} {
		b := lang.NewBuilder([]byte(src), ".mk")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("# c\na b: c ## help\n\tcmd\nV := $(x:y=z) \\\n more\ninclude x.mk\ndefine d\ny: z\nendef\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder(bytes.ToValidUTF8(src, nil), ".mk")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if !s.Span.Contains(s.NameSpan) || s.EndLine < s.Line {
				t.Fatalf("%q: %v in %v", s.Name, s.NameSpan, s.Span)
			}
		}
	})
}
