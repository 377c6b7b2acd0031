package plaintext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"", 0, ""},
		{"  two   words\t\r\n ", 0, "two words"},
		{"a\u2028b\u2029c\u0085d\u00a0e\u3000f", 0, "a b c d e f"},
		{"\x1b[1;31mred\x1b[0m", 0, "red"},
		{"\u009b31mred", 0, "red"},
		{"\x1b]0;title\x07text", 0, "text"},
		{"\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", 0, "link"},
		{"\x1bP1$r\x1b\\dcs", 0, "dcs"},
		{"\x1b(Bcharset", 0, "charset"},
		{"\x1b", 0, ""},
		{"\x1b[", 0, ""},
		{"\x1b]unterminated", 0, "unterminated"},
		{"\x1b]two\nlines", 0, "two lines"},
		{"\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c", 0, "evil x"},
		{"zero\u200b\u200c\u200d\u2060\ufeffwidth", 0, "zerowidth"},
		{"tag\U000e0041\U000e0100s", 0, "tags"},
		{"fillers\u3164\u115f\uffa0", 0, "fillers"},
		{"bad\xff\xc3utf8", 0, "bad\ufffd\ufffdutf8"},
		{"nul\x00bell\x07del\x7f", 0, "nulbelldel"},
		{"日本語 ملف e\u0301 한국어", 0, "日本語 ملف e\u0301 한국어"},
		{"arabic number sign \u0600", 0, "arabic number sign \u0600"},
		{"abcdef", 6, "abcdef"},
		{"abcdefg", 6, "abcde…"},
		{"one two three", 9, "one two…"},
		{"one two, three", 10, "one two…"},
		{"日本語日本語", 4, "日本語…"},
		{"abcde\u0301fgh", 6, "abcd…"},
		{"ab   ", 2, "ab"},
	} {
		if got := Line(c.in, c.max); got != c.want {
			t.Errorf("Line(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain text, with (parens) and a_b * c - d.", "plain text, with (parens) and a_b * c - d."},
		{"# heading", `\# heading`},
		{"> quote", `\> quote`},
		{"- item", `\- item`},
		{"+ item", `\+ item`},
		{"* item", `\* item`},
		{"10. item", `10\. item`},
		{"1) item", `1\) item`},
		{"1.5 times", `1\.5 times`},
		{"~~~", `\~~~`},
		{"===", `\===`},
		{"```go", "\\`\\`\\`go"},
		{"use `x` here", "use \\`x\\` here"},
		{"<!-- c --> </b> <?php a < b <-", `\<!-- c --> \</b> \<?php a < b <-`},
		{"[a](b) [c][d] x[i] [e]: f", `\[a\](b) [c\][d] x[i] [e\]: f`},
		{"see http://x and www.y.z", `see http\://x and www\.y.z`},
		{"a@b @param x @ y", `a\@b @param x @ y`},
		{"&lt; &#35; a && b; &", `\&lt; \&#35; a && b; &`},
		{`a\b`, `a\\b`},
	} {
		if got := Markdown(c.in); got != c.want {
			t.Errorf("Markdown(%q) = %q, want %q", c.in, got, c.want)
		}
		if back := Unescape(Markdown(c.in)); back != c.in {
			t.Errorf("Unescape gives %q for %q", back, c.in)
		}
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"main.go", "`main.go`"},
		{"a b (c) #1?.go", "`a b (c) #1?.go`"},
		{"日本語.go", "`日本語.go`"},
		{`back\slash`, "`back\\slash`"},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{"``x", "``` ``x ```"},
		{"", "`\"\"`"},
		{" a", "`\" a\"`"},
		{"a\nb", "`\"a\\nb\"`"},
		{"\u202ea", "`\"\\u202ea\"`"},
		{"\u115f", "`\"\\u115f\"`"},
		{"\xff", "`\"\\xff\"`"},
		{"\ufffd", "`\ufffd`"},
		{`"q"`, "`\"\\\"q\\\"\"`"},
		{`"`, "`\"`"},
	} {
		if got := Code(c.in); got != c.want {
			t.Errorf("Code(%q) = %s, want %s", c.in, got, c.want)
		}
	}
	for _, in := range []string{"", "a", "`a", "``a`", "`\"\\q\"`", "`\"a\"b\"`"} {
		if name, _, ok := CutCode(in); ok {
			t.Errorf("CutCode(%q) = %q", in, name)
		}
	}
}

func TestLink(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a/b-c_d.~e", "a/b-c_d.~e"},
		{"a b", "a%20b"},
		{"a(b)#c?d%e`f\"g<h>&[i]\\", "a%28b%29%23c%3Fd%25e%60f%22g%3Ch%3E%26%5Bi%5D%5C"},
		{"javascript:x", "javascript%3Ax"},
		{"日本語/e\u0301", "日本語/e\u0301"},
		{"\xff\n\u202e\u3000", "%FF%0A%E2%80%AE%E3%80%80"},
		{".hidden", ".hidden"},
	} {
		if got := Link(c.in); got != c.want {
			t.Errorf("Link(%q) = %q, want %q", c.in, got, c.want)
		}
	}
	for _, in := range []string{"%", "%4", "%zz", "%+1"} {
		if got, ok := Unlink(in); ok {
			t.Errorf("Unlink(%q) = %q", in, got)
		}
	}
}

func TestWord(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"go", "go"}, {"C++", "C++"}, {"c#", "c#"}, {"two words", "two-words"}, {"# x", "x"}, {"_x_", "x_"}, {"", ""}, {"`", ""},
		{"node.js", "node.js"}, {"www.x", "www-x"}, {"日本", "日本"}, {"a, b; c", "a-b-c"}, {strings.Repeat("x", 99), strings.Repeat("x", 40)},
		{"\u0301x", "x"},
	} {
		if got := Word(c.in); got != c.want {
			t.Errorf("Word(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTerminal(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\n\ttext 日本 e\u0301", "plain\n\ttext 日本 e\u0301"},
		{"\x1b[31mred\r\x00", `\x1b[31mred\r\x00`},
		{"\u202ex\u200b\ufeff", `\u202ex\u200b\ufeff`},
		{"\u009b0m", `\u009b0m`},
		{"\xffz", `\xffz`},
		{"\ufffd", "\ufffd"},
	} {
		if got := Terminal(c.in); got != c.want {
			t.Errorf("Terminal(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

// FuzzText holds every function to its contract on the same input.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a b", "`a``b`", "\x1b]0;x\x07y\u009b1", "\"q\"", "1. x", "# h &amp; <b>", "\xff\u202e%41", "www.a@b://", "a\u0301\u200d"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit %= 300
		line := Line(s, limit)
		if again := Line(line, limit); again != line {
			t.Errorf("Line is not idempotent: %q, %q", line, again)
		}
		if limit > 0 && utf8.RuneCountInString(line) > limit {
			t.Errorf("Line(%q, %d) is too long: %q", s, limit, line)
		}
		if strings.IndexFunc(line, Invisible) >= 0 || !utf8.ValidString(line) || strings.TrimSpace(line) != line {
			t.Errorf("Line(%q) = %q is not clean", s, line)
		}
		md := Markdown(line)
		if back := Unescape(md); back != line {
			t.Errorf("Unescape(%q) = %q, want %q", md, back, line)
		}
		if text, rest := CutText(md + "`"); text != md || rest != "`" {
			t.Errorf("CutText(%q) = %q, %q", md, text, rest)
		}
		code := Code(s)
		if name, rest, ok := CutCode(code + " tail"); !ok || name != s || rest != " tail" {
			t.Errorf("CutCode(%q) = %q, %q, %v", code, name, rest, ok)
		}
		if strings.IndexFunc(code, Invisible) >= 0 || !utf8.ValidString(code) {
			t.Errorf("Code(%q) = %q shows what it should not", s, code)
		}
		link := Link(s)
		if path, ok := Unlink(link); !ok || path != s {
			t.Errorf("Unlink(%q) = %q, want %q", link, path, s)
		}
		if strings.ContainsAny(link, " ()<>[]`\"#?:&\\\n") {
			t.Errorf("Link(%q) = %q", s, link)
		}
		if word := Word(s); Word(word) != word || strings.ContainsAny(word, " `,;:<[]()\\") {
			t.Errorf("Word(%q) = %q", s, word)
		}
		for _, r := range Terminal(s) {
			if r != '\n' && r != '\t' && Invisible(r) {
				t.Errorf("Terminal(%q) holds %U", s, r)
			}
		}
	})
}
