package markdown

import (
	"bytes"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":                                "",
		"`a_b` and *c* and __d__":         "a_b and c and d",
		"snake_case 2 * 3 a*b":            "snake_case 2 * 3 ab",
		"[text](a.md) [x][y] [z]":         "text x [z]",
		"![badge](x.svg) name":            "name",
		"[![badge](x.svg)](y) name":       "name",
		`\# not \*marks\*`:                "# not *marks*",
		"a <b>c</b> <!-- d --> e < f":     "a c e < f",
		"<https://example.org>":           "<https://example.org>",
		"``a ` b`` `unclosed":             "a ` b unclosed",
		"Map[K, V] and a[i]":              "Map[K, V] and a[i]",
		"[unclosed](x":                    "[unclosed](x",
		"标题 **粗体**":                       "标题 粗体",
		"~~gone~~ <a name=\"x\"></a>Here": "gone Here",
	} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHeadingsAreCapped(t *testing.T) {
	b := lang.NewBuilder(bytes.Repeat([]byte("# a\n[x](b.md)\n"), 3*maxHeadings), ".md")
	extract(b)
	if f := b.Finish(); len(f.Symbols) != maxHeadings || len(f.Imports) != 1 {
		t.Errorf("%d headings, %d links", len(f.Symbols), len(f.Imports))
	}
}

// Malformed text must cost no more than its length.
func TestExtractIsLinear(t *testing.T) {
	for _, piece := range []string{"`", "[", "[](", "<!--", "<a ", "*", "# `", "> ", "- ", "```\n", "a\n===\n", "[a](b", "\\", "` `` ``` "} {
		b := lang.NewBuilder(bytes.Repeat([]byte(piece), 1<<20/len(piece)), ".md")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxHeadings {
			t.Errorf("%q: %d headings", piece, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# A\n\ntext [b](c.md)\n\nB\n---\n```\n# no\n"))
	f.Add([]byte("> ```\n> # a\n# b\n- ```\n<h1>x</h1>\n<!--\n# c\n-->"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder(src, ".mdx")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if int(s.Span.End) > len(src) || !s.Span.Contains(s.NameSpan) {
				t.Fatalf("%q: %v in %v", s.Name, s.NameSpan, s.Span)
			}
		}
	})
}
