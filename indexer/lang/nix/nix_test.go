package nix

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestOutput(t *testing.T) {
	for path, want := range map[string]string{
		"packages x86_64-linux default": "packages.default", "packages": "", "packages x86_64-linux": "", "checks a": "checks.a",
		"formatter x86_64-linux": "formatter", "lib f": "", "apps ${system} a b": "apps.a.b",
	} {
		target, got := output(strings.Fields(path))
		if got != want || target != (want != "") {
			t.Errorf("output(%q) = %t %q, want %q", path, target, got, want)
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"attributes":       "{" + strings.Repeat("a = 1;\n", 100_000) + "}",
		"one line":         "{" + strings.Repeat("a = 1; ", 100_000) + "}",
		"nesting":          strings.Repeat("{ a = ", 100_000),
		"closed":           strings.Repeat("{ a = ", 100_000) + strings.Repeat("; }", 100_000),
		"brackets":         strings.Repeat("[", 500_000) + strings.Repeat(")", 500_000),
		"parentheses":      strings.Repeat("(a: ", 200_000),
		"lets":             strings.Repeat("let a = ", 100_000),
		"functions":        strings.Repeat("a: ", 300_000),
		"withs":            strings.Repeat("with a; ", 100_000),
		"open withs":       strings.Repeat("with ", 200_000),
		"values with":      "{" + strings.Repeat("a = with ", 100_000),
		"patterns":         strings.Repeat("{ a, ", 100_000),
		"open strings":     strings.Repeat("a = \"x\n", 100_000),
		"flipping strings": strings.Repeat("\"\na\"b\n", 100_000),
		"templates":        strings.Repeat("\"${", 200_000),
		"indented":         strings.Repeat("''${", 200_000),
		"open indented":    strings.Repeat("''\n'", 200_000),
		"open comments":    strings.Repeat("/* ", 200_000),
		"dots":             strings.Repeat("a.", 300_000) + "= 1;",
		"equals":           strings.Repeat("a =", 300_000),
		"paths":            strings.Repeat("./${", 200_000),
		"angles":           strings.Repeat("<a", 300_000),
		"flakes":           strings.Repeat("{ outputs = ", 50_000),
		"options":          "{ options = {" + strings.Repeat("a = mkOption { type = ", 50_000),
		"interpolated":     "{ " + strings.Repeat("${a", 200_000),
	} {
		b := lang.NewBuilder([]byte(src), ".nix")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Imports) > maxImports {
			t.Errorf("%s: %d symbols, %d imports", name, len(f.Symbols), len(f.Imports))
		}
	}
}
