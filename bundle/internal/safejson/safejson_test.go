package safejson

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/plaintext"
)

func TestEscapeInvisible(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"{\n  \"a\": 1\n}\n":          "{\n  \"a\": 1\n}\n",
		"\"é漢🙂\"":                     "\"é漢🙂\"",
		"\"a\u202eb\"":                `"a\u202eb"`,
		"\"\u200b\ufeff\x7f\"":        `"\u200b\ufeff\u007f"`,
		"\"\U000e0041\" \"\u2028\"\n": "\"\\udb40\\udc41\" \"\\u2028\"\n",
	} {
		if got := string(EscapeInvisible([]byte(in))); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}

func FuzzEscapeInvisible(f *testing.F) {
	f.Add("a\u202eb\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeInvisible(data)
		var a, b string
		if json.Unmarshal(data, &a) != nil || json.Unmarshal(escaped, &b) != nil || a != b {
			t.Errorf("%q means %q, %q means %q", data, a, escaped, b)
		}
		if i := strings.IndexFunc(string(escaped), plaintext.Invisible); i >= 0 {
			t.Errorf("%q still holds something invisible", escaped)
		}
	})
}
