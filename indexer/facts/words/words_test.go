package words

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOf(t *testing.T) {
	for text, want := range map[string][]string{
		"parseHTTPHeader":       {"pars", "http", "header", "=parsehttpheader"},
		"snake_case_names":      {"snak", "case", "name", "=snake_case_names"},
		"_private":              {"privat", "=_private"},
		"queries matched boxes": {"query", "match", "box"},
		"x 42 v2beta":           {"v2beta"},
		"HTTP2Server":           {"http2", "server", "=http2server"},
		"Größe größe":           {"größe", "größe"},
		"队列管理器":                 {"队列", "列管", "管理", "理器", "=队列管理器"},
		"get名前":                 {"get", "名前", "=get名前"},
		"":                      nil,
	} {
		if got := Of(text); !reflect.DeepEqual(got, want) {
			t.Errorf("Of(%q) = %q, want %q", text, got, want)
		}
	}
}

// A word of a question must meet the word of a source whatever its case and
// ending.
func TestQueryMeetsSource(t *testing.T) {
	for _, pair := range [][2]string{
		{"caching", "caches"}, {"validated", "validate"}, {"queries", "Query"},
		{"indexes", "index"}, {"parsed", "parsing"}, {"files", "FILE"},
	} {
		if a, b := Of(pair[0]), Of(pair[1]); !reflect.DeepEqual(a, b) {
			t.Errorf("%s gives %q, %s gives %q", pair[0], a, pair[1], b)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("parseHTTPHeader 队列 \xff\xfe é́ _x")
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		Scan(s, func(start int, run string) bool {
			if start < end || s[start:start+len(run)] != run || run == "" {
				t.Fatalf("run %q at %d after %d", run, start, end)
			}
			end = start + len(run)
			parts, whole := Split(run)
			if whole != "" && !strings.HasPrefix(whole, WholePrefix) {
				t.Fatalf("compound %q", whole)
			}
			for _, p := range parts {
				if p == "" || utf8.ValidString(run) && !utf8.ValidString(p) {
					t.Fatalf("part %q of %q", p, run)
				}
			}
			return true
		})
	})
}
