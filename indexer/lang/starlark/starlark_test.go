package starlark

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"a/BUILD": facts.RoleBuild, "MODULE.bazel": facts.RoleBuild, "a/Tiltfile": facts.RoleBuild,
		"lib/paths_test.bzl": facts.RoleTest, "tests/paths_tests.bzl": facts.RoleTest, "lib/paths.bzl": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"targets":      strings.Repeat("a(name = \"x\")\n", 100_000),
		"open":         strings.Repeat("a(\n", 200_000),
		"brackets":     strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000),
		"calls":        "x = " + strings.Repeat("f(", 200_000),
		"nested calls": "def f():\n  " + strings.Repeat("load(", 200_000),
		"named":        strings.Repeat("a(name = ", 100_000),
		"triples":      strings.Repeat(`"""a`+"\n", 200_001),
		"other triple": strings.Repeat(`'''`, 1) + strings.Repeat(`"""a`+"\n", 200_001),
		"quotes":       strings.Repeat(`"`, 1_000_001),
		"functions":    strings.Repeat("def f(a):\n  g(a)\n", 50_000),
		"deeper":       strings.Repeat("def f(a", 100_000),
		"one line":     "x = " + strings.Repeat("a.b ", 250_000),
		"comments":     strings.Repeat("# a\n", 250_000),
		"ifs":          strings.Repeat("if x", 250_000),
	} {
		b := lang.NewBuilder([]byte(src), ".bzl")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxLinks {
			t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
		}
	}
}
