package cmake

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestRelative(t *testing.T) {
	for p, want := range map[string]string{
		"src": "./src", "../x": "../x", "${CMAKE_CURRENT_SOURCE_DIR}/a.c": "./a.c",
		"${CMAKE_CURRENT_LIST_DIR}/../b": "./../b", "${PROJECT_SOURCE_DIR}/c": "${PROJECT_SOURCE_DIR}/c", "/abs": "/abs", "": "",
	} {
		if got := relative(p); got != want {
			t.Errorf("relative(%q) = %q, want %q", p, got, want)
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"targets":        strings.Repeat("add_library(a b.c)\n", 50_000),
		"one line":       strings.Repeat("add_library(a b.c) ", 50_000),
		"one command":    "add_library(a " + strings.Repeat("b.c ", 250_000) + ")",
		"open commands":  strings.Repeat("set(\n", 200_000),
		"nesting":        "if(" + strings.Repeat("(", 1_000_000),
		"open strings":   strings.Repeat("set(a \"x)\n", 100_000) + "\"",
		"open quotes":    strings.Repeat("set(a \"\\\"\n", 100_000),
		"odd quotes":     strings.Repeat("set(a \"\nb\"c\n", 100_000),
		"open brackets":  strings.Repeat("#[[\nset(a [=[\n", 100_000),
		"brackets":       strings.Repeat("set(a [", 100_000) + strings.Repeat("[=", 100_000),
		"comments above": strings.Repeat("# c\n", 200_000) + "set(a b)\n",
		"functions":      strings.Repeat("function(a)\n", 100_000),
	} {
		b := lang.NewBuilder([]byte(src), ".cmake")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
		}
	}
}
