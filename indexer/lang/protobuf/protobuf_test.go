package protobuf

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
	b := lang.NewBuilder([]byte(src), ".proto")
	extract(b)
	f := b.Finish()
	f.Depth = facts.Parsed
	return f
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"messages":      strings.Repeat("message A { string a = 1; }\n", 40_000),
		"open messages": strings.Repeat("message A {", 100_000),
		"flush":         strings.Repeat("message A {\n", 100_000),
		"braces":        strings.Repeat("{", 500_000),
		"open brackets": "message A {" + strings.Repeat(" string a = 1 [", 60_000),
		"options":       "message A {" + strings.Repeat(" option a = {", 60_000),
		"comments":      strings.Repeat("/* ", 300_000),
		"line comments": strings.Repeat("// c\n", 200_000) + "message A {}",
		"strings":       strings.Repeat("\"", 1_000_000),
		"one line":      strings.Repeat("a.", 500_000),
		"rpc":           "service A {" + strings.Repeat("rpc a(", 100_000),
		"maps":          "message A {" + strings.Repeat("map<", 200_000),
	} {
		f := read(src)
		if len(f.Symbols) > idl.MaxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func TestDefinitionsBeforeMembers(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, "message M%d {\n  string a = 1;\n  string b = 2;\n}\n", i)
	}
	messages := 0
	for _, s := range read(b.String()).Symbols {
		if s.Kind == facts.KindStruct {
			messages++
		}
	}
	if messages != 1500 {
		t.Errorf("%d messages of 1500", messages)
	}
}

func TestDamagedLines(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "// Doc.\nmessage M%d {\n  string a%d = 1;\n  M0 b%d = 2 [deprecated = true];\n  enum E%d {\n    Z%d = 0;\n  }\n}\n\n", i, i, i, i, i)
	}
	langtest.DamageLines(t, b.String(), 9, 90, 1, read, map[string]func(string) string{
		"open string": func(l string) string {
			if !strings.HasSuffix(l, ";\n") {
				return l
			}
			return strings.TrimSuffix(l, ";\n") + " \"\n"
		},
		"open comment": func(l string) string { return strings.TrimSuffix(l, "\n") + " /*\n" },
		"no semicolon": func(l string) string { return strings.Replace(l, ";", "", 1) },
		"no bracket":   func(l string) string { return strings.Replace(l, "]", "", 1) },
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }
