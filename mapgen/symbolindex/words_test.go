package symbolindex

import (
	"slices"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"
)

func TestSplitWords(t *testing.T) {
	for s, want := range map[string]string{
		"parseHTTPHeader":  "header http parse",
		"HTTPServer":       "http server",
		"parse_http":       "http parse",
		"SCREAMING_CASE":   "case screaming",
		"kebab-case.name":  "case kebab name",
		"sha256Sum":        "256 sha sum",
		"getGet_GET":       "get",
		"x":                "x",
		"":                 "",
		"__":               "",
		"解析配置_file":        "file 解析配置",
		"ÄpfelÖl":          "äpfel öl",
		"ПростоТекст":      "просто текст",
		"محلل_الملف":       "الملف محلل",
		"e\u0301te\u0301X": "e\u0301te\u0301 x",
		"getIDs":           "get ids",
		"URLsFor":          "for urls",
		"HTTPset":          "htt pset",
	} {
		got := splitWords(s)
		w := strings.Fields(want)
		slices.Sort(w)
		if !slices.Equal(got, w) {
			t.Errorf("splitWords(%q) = %q, want %q", s, got, w)
		}
	}
	if n := len(splitWords(strings.Repeat("aB", 1000))); n > maxWords {
		t.Errorf("%d words", n)
	}
}

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{{"ÉCOLE", "école"}, {"Kelvin \u212a", "kelvin k"}, {"Σίσυφος", "ΣΊΣΥΦΟς"}, {"ſ", "S"}, {"Ǆ", "ǆ"}} {
		if fold(pair[0]) != fold(pair[1]) {
			t.Errorf("fold(%q) = %q, fold(%q) = %q", pair[0], fold(pair[0]), pair[1], fold(pair[1]))
		}
	}
	keepsLengthAndIsIdempotent := func(s string) bool {
		f := fold(s)
		return utf8.RuneCountInString(f) == utf8.RuneCountInString(s) && fold(f) == f && (strings.EqualFold(f, s) || !utf8.ValidString(s))
	}
	if err := quick.Check(keepsLengthAndIsIdempotent, nil); err != nil {
		t.Error(err)
	}
}

func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abcd", "badc", 2},
		{"kitten", "sitting", 3}, {"größe", "grosse", 3}, {"ca", "abc", 3}, {"解析", "解", 1},
	} {
		if got := editDistance(tt.a, tt.b); got != tt.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := editDistance(tt.b, tt.a); got != tt.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
