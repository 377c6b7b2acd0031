package sarif

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFormat(t *testing.T) {
	tests := []struct {
		in, want string
		most     int
	}{
		{"{0} and {1}, {0}", "A and B{}, A", 99},
		{"{2} {9999} {-1} {} {x} {0", "{2} {9999} {-1} {} {x} {0", 99},
		{"{{0}} {{{0}}} }} {{", "{0} {A} } {", 99},
		{"{99999999999999999999}", "{99999999999999999999}", 99},
		{strings.Repeat("{1}", 1000), "B{}B…", 4},
		{"ääää", "ää…", 5},
	}
	for _, test := range tests {
		if got := format(test.in, []string{"A", "B{}"}, test.most); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
	}
}

func TestUnlink(t *testing.T) {
	for in, want := range map[string]string{
		"[a](1) and [b c](23).":    "a and b c.",
		"[a](https://x) [b](2)":    "[a](https://x) b",
		"a](1) [b]() [c](1":        "a](1) [b]() [c](1",
		`\[a](1)`:                  `\[a](1)`,
		"x[0](1) [[nested](2)](3)": "x0 [nested](3)",
		"":                         "",
	} {
		if got := unlink(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("{0} {{ }} [a](1) \\[b](2)", "ä", 9)
	f.Fuzz(func(t *testing.T, in, argument string, most int) {
		most = min(max(most, 0), 1000)
		got := unlink(format(in, []string{argument}, most))
		if len(got) > most+len("…") || utf8.ValidString(in) && utf8.ValidString(argument) && !utf8.ValidString(got) {
			t.Errorf("%q", got)
		}
	})
}
