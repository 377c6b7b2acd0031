package graphql

import (
	"fmt"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func read(src string) *facts.File {
	b := lang.NewBuilder([]byte(src), ".graphql")
	extract(b)
	f := b.Finish()
	f.Depth = facts.Parsed
	return f
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"types":       strings.Repeat("type A { x: Int }\n", 60_000),
		"open types":  strings.Repeat("type A {\n", 100_000),
		"braces":      strings.Repeat("{", 500_000),
		"selections":  "query A " + strings.Repeat("{ a ", 200_000),
		"parens":      "type A { " + strings.Repeat("a(", 200_000),
		"arguments":   strings.Repeat("type A { a(b: Int = [", 50_000),
		"brackets":    "type A { a: " + strings.Repeat("[", 200_000),
		"strings":     strings.Repeat("\"", 1_000_001),
		"blocks":      strings.Repeat("\"\"\" \\\"\"\"", 100_000),
		"directives":  strings.Repeat("@a(", 200_000),
		"union":       strings.Repeat("union A = ", 100_000),
		"comments":    strings.Repeat("# c\n", 200_000) + "type A",
		"implements":  strings.Repeat("type A implements ", 60_000),
		"open fields": "type A {" + strings.Repeat("a(b: Int ", 100_000),
	} {
		if f := read(src); len(f.Symbols) > idl.MaxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func TestDamagedLines(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "\"Doc.\"\ntype T%d {\n  a%d: String!\n  b%d(x: Int, y: [T0]): [T0!]! @d(a: \"x\")\n}\n\n", i, i, i)
	}
	langtest.DamageLines(t, b.String(), 6, 60, 1, read, map[string]func(string) string{
		"open string": func(l string) string {
			if !strings.HasSuffix(l, "!\n") {
				return l
			}
			return strings.TrimSuffix(l, "\n") + " \"\n"
		},
		"no parenthesis": func(l string) string { return strings.Replace(l, ")", "", 1) },
		"no bracket":     func(l string) string { return strings.Replace(l, "]", "", 1) },
		"no brace": func(l string) string {
			if l == "}\n" {
				return "\n"
			}
			return l
		},
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }
