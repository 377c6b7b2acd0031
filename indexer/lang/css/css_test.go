package css

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func rows() []*lang.Language {
	return []*lang.Language{Language(), SCSS(), Sass(), Less(), Stylus()}
}

// The cases of every dialect but CSS stand in a folder of its own.
func TestCases(t *testing.T) {
	for _, l := range rows() {
		t.Run(l.Name, func(t *testing.T) {
			if l.Name != "css" {
				t.Chdir(filepath.Join("testdata", l.Name))
			}
			langtest.Run(t, l)
		})
	}
}

func read(l *lang.Language, src string) *facts.File {
	b := lang.NewBuilder([]byte(src), l.Extensions[0])
	l.Extract(b)
	return b.Finish()
}

func TestSelectors(t *testing.T) {
	for text, want := range map[string]string{
		".a":                      ".a/0",
		"a.b":                     "a/1 .b/2",
		".a .b:hover":             ".a/2 .b/1",
		".a, #b > c":              ".a/0 #b/2 c/1",
		"&-x":                     ".base-x/0",
		"&.is-on":                 ".is-on/1",
		"&:hover":                 "",
		`.md\:flex`:               ".md:flex/0",
		":is(.a, .b)":             ".a/0 .b/0",
		":root":                   ":root/0",
		"[data-x=\".y\"]":         "[data-x=\".y\"]/0",
		".btn-#{$c}":              ".btn-#{$c}/0",
		"%p":                      "%p/0",
		".":                       "",
		"":                        "",
		".a:not(.b)":              ".a/1",
		"my-card::part(head) > p": "my-card/2 p/1",
	} {
		names, _ := selectors(text, ".base")
		var got []string
		for _, n := range names {
			got = append(got, n.name+"/"+string('0'+byte(n.rank)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("selectors(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestReferences(t *testing.T) {
	f := read(SCSS(), "@use 'm';\n.a { @include m.x($p); @extend %e; color: m.$c; width: f(var(--w)); }\n")
	var got []string
	for _, r := range f.Refs {
		got = append(got, r.Kind.String()+" "+r.Qualifier+" "+r.Name)
		if f.Symbols[r.Enclosing].Name != ".a" {
			t.Errorf("%s stands in %s", r.Name, f.Symbols[r.Enclosing].Name)
		}
	}
	want := []string{"call m x", "read  $p", "inherit  %e", "read m $c", "call  f", "read  --w"}
	if !slices.Equal(got, want) {
		t.Errorf("references %q, want %q", got, want)
	}
}

// Malformed and huge sheets must cost no more than their length.
func TestCapsAndLinearity(t *testing.T) {
	for _, l := range rows() {
		start := time.Now()
		for _, piece := range []string{
			"{", "}", "(", ")", "[", "\"", "'", "/*", "//", "#{", "@{", "url(", ".a{", ".a,", "&-a{", "a:b;", "@", "@media x{", "$a:b;\n",
			".a:not(", ":is(", "\\", "@import \"a\",", "\n .a", "\n/*", "\n//", "(\n", "@include a(", "--x:var(--y);\n", "@mixin a{", "\"#{$", ".a\n  ", "@layer a,",
		} {
			f := read(l, strings.Repeat(piece, 1<<19/len(piece)))
			if len(f.Symbols) > maxSymbols || len(f.Refs) > maxReferences {
				t.Errorf("%s %q: %d symbols, %d references", l.Name, piece, len(f.Symbols), len(f.Refs))
			}
		}
		if took := time.Since(start); took > langtest.TimeLimit(60*time.Second) {
			t.Errorf("%s: hostile sheets took %v", l.Name, took)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("/* s */\n\n@import url(a.css), 'b';\n.a, #b > c { &-d { --x: 1; } }\n@media print { .e { f: g } }"))
	f.Add([]byte("@use 'x' as y;\n$a: (b: 1);\n@mixin m($p: 1) { @content; }\n%p { @extend .q; }\n=m\n  +n\n"))
	f.Add([]byte("@a: 1;\n.m(@x; @y: 2) when (@x) { .n(); }\n#ns { .o() {} }\n@d: { e: f };\nadd(a, b)\n  a + b\nx = 1\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		src = bytes.ToValidUTF8(src, nil)
		for _, l := range rows() {
			for _, s := range read(l, string(src)).Symbols {
				if int(s.Span.End) > len(src) || !s.Span.Contains(s.NameSpan) || s.EndLine < s.Line {
					t.Fatalf("%s: %q: %v in %v", l.Name, s.Name, s.NameSpan, s.Span)
				}
			}
		}
	})
}
