package asciidoc

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
		"a `b` *c* _d_ a_b":                 "a b c d a_b",
		"https://x.org[The site^] and more": "The site and more",
		"see <<id,the part>> or <<other>>":  "see the part or other",
		"xref:a.adoc#b[B] image:x.png[] c":  "B c",
		"C++ and 2 * 3":                     "C++ and 2 * 3",
		"api:a.b.C[] and cmd:x[the y]":      "C and the y",
		"open [text":                        "open [text",
		"[[id]]Named":                       "Named",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestArmouredKeysAreNoDocuments(t *testing.T) {
	b := lang.NewBuilder([]byte("-----BEGIN PGP SIGNATURE-----\n\n== x\n"), ".asc")
	extract(b)
	if f := b.Finish(); len(f.Symbols) != 0 || f.Summary != "" {
		t.Errorf("found %d symbols and summary %q", len(f.Symbols), f.Summary)
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"titles":     strings.Repeat("== a\n\n", 100_000),
		"underlined": strings.Repeat("abc\n---\n\n", 100_000),
		"anchors":    strings.Repeat("[[a]]\n", 100_000),
		"one line":   strings.Repeat("[[a ", 250_000),
		"references": strings.Repeat("<<a>> xref:b[] ", 1000) + strings.Repeat("<<a>>\n", 50_000),
		"open marks": strings.Repeat(strings.Repeat("<<", 5000)+":\n", 20),
		"blocks":     strings.Repeat("----\n====\n", 100_000),
		"deeper":     strings.Repeat("****\n*****\n******\n", 100_000),
		"includes":   strings.Repeat("include::a.adoc[]\ninclude::b.adoc[]\n", 50_000),
		"attributes": strings.Repeat(":a: {a}{a}\n", 100_000) + "include::{a}[]\n",
		"macros":     strings.Repeat("link:", 200_000),
		"words":      strings.Repeat("a ", 500_000),
	} {
		b := lang.NewBuilder([]byte(src), ".adoc")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Imports) > maxLinks || len(f.Refs) > maxRefs {
			t.Errorf("%s: %d symbols, %d imports, %d references", name, len(f.Symbols), len(f.Imports), len(f.Refs))
		}
	}
}
