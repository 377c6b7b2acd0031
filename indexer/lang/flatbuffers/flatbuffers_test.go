package flatbuffers

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/idl"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"definitions":   strings.Repeat("table A { 1: i32 a; b:int; }\n", 40_000),
		"open":          strings.Repeat("table A {\n", 100_000),
		"braces":        strings.Repeat("{", 500_000),
		"parentheses":   "table A { " + strings.Repeat("1: a b (", 60_000),
		"fields":        "table A { " + strings.Repeat("a:[ b:(", 60_000),
		"types":         "table A { " + strings.Repeat("1: map<", 100_000),
		"methods":       "service A { " + strings.Repeat("a b(1: ", 60_000),
		"rpc":           "rpc_service A { " + strings.Repeat("a(b):c (", 60_000),
		"enum":          "enum A : int { " + strings.Repeat("a = (", 60_000),
		"values":        "enum A : int { " + strings.Repeat("a = b ", 100_000),
		"open comments": strings.Repeat("/* ", 300_000),
		"quotes":        strings.Repeat("\"", 1_000_000),
		"constants":     strings.Repeat("const a b = {", 60_000),
	} {
		b := lang.NewBuilder([]byte(src), ".fbs")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > idl.MaxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }
