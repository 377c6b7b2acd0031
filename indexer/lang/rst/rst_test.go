package rst

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"a ``b`` *c* **d**":            "a b c d",
		"see :func:`~a.b.c` now":       "see c now",
		":py:class:`X <a.X>` is it":    "X is it",
		"`Docs <https://x.org>`_ here": "Docs here",
		"|badge| and word_ or a_b":     "and word or a_b",
		`esc\*aped 2 * 3`:              "esc*aped 2 * 3",
		"open `tick":                   "open tick",
		"a: b":                         "a: b",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"titles":     strings.Repeat("a\n==\n\n", 100_000),
		"labels":     strings.Repeat(".. _a:\n", 100_000),
		"objects":    strings.Repeat(".. function:: a()\n", 100_000),
		"nested":     strings.Repeat(".. class:: a\n   .. method:: b\n", 50_000),
		"comments":   strings.Repeat(".. a\n\n  b\n", 100_000),
		"toctree":    ".. toctree::\n" + strings.Repeat("   a\n", 100_000),
		"roles":      strings.Repeat(":func:`a` ", 100_000),
		"role lines": strings.Repeat(":func:`a` :doc:`b`\n", 50_000),
		"ticks":      strings.Repeat("`", 1_000_001),
		"tick lines": strings.Repeat("`a ``b\n", 100_000),
		"one line":   strings.Repeat("a ", 500_000),
		"adornments": strings.Repeat("====\n", 200_000),
		"deeper":     strings.Repeat(".. note::\n\n   .. note::\n\n", 50_000),
		"colons":     strings.Repeat(":a", 500_000),
		"blank":      ".. x::\n" + strings.Repeat("\n", 1_000_000),
		"blanks":     strings.Repeat(".. function:: x\n\n\n\n", 100_000),
	} {
		b := lang.NewBuilder([]byte(src), ".rst")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Imports) > maxLinks || len(f.Refs) > maxRefs {
			t.Errorf("%s: %d symbols, %d imports, %d references", name, len(f.Symbols), len(f.Imports), len(f.Refs))
		}
	}
	stairs := strings.Builder{}
	for i := range 1500 {
		stairs.WriteString(strings.Repeat(" ", i) + ".. note::\n")
	}
	extract(lang.NewBuilder([]byte(stairs.String()), ".rst"))
}
