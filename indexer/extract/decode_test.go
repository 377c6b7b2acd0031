package extract

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func wide(s string, big, mark bool) []byte {
	var out []byte
	units := utf16.Encode([]rune(s))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	for _, u := range units {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

func TestDecode(t *testing.T) {
	const text = "package größe // 名前 and plain words enough to tell\n"
	ascii := strings.Repeat("func main() {}\n", 4)
	for _, c := range []struct {
		name      string
		blob      []byte
		want      string
		converted bool
		ok        bool
	}{
		{"empty", nil, "", false, true},
		{"UTF-8", []byte(text), text, false, true},
		{"UTF-8 with a mark", []byte("\xef\xbb\xbf" + text), text, true, true},
		{"UTF-16 little endian with a mark", wide(text, false, true), text, true, true},
		{"UTF-16 big endian with a mark", wide(text, true, true), text, true, true},
		{"UTF-16 little endian", wide(ascii, false, false), ascii, true, true},
		{"UTF-16 big endian", wide(ascii, true, false), ascii, true, true},
		{"UTF-16 that breaks off", wide(ascii, false, true)[:21], ascii[:9] + "\ufffd", true, true},
		{"Latin-1", []byte("// gr\xf6\xdfe und \xfcber\nvar x\n"), "// größe und über\nvar x\n", true, true},
		{"Windows-1252", []byte("// it\x92s \x80 5\n"), "// it’s € 5\n", true, true},
		{"UTF-8 with a broken byte", []byte("// größe 名前 \xff end\n"), "// größe 名前 \ufffd end\n", true, true},
		{"binary", []byte("\x7fELF\x00\x00\x01\x02"), "", false, false},
		{"a NUL late in the head", []byte(strings.Repeat("a", 7999) + "\x00"), "", false, false},
		{"a NUL after the head", []byte(strings.Repeat("a", 8000) + "\x00"), strings.Repeat("a", 8000) + "\x00", false, true},
		{"UTF-32", []byte("\xff\xfe\x00\x00a\x00\x00\x00b\x00\x00\x00"), "", false, false},
		{"a character across the border of the head", []byte(strings.Repeat("a", 7999) + "名"), strings.Repeat("a", 7999) + "名", false, true},
	} {
		got, converted, ok := decode(c.blob)
		if string(got) != c.want || converted != c.converted || ok != c.ok {
			t.Errorf("%s: got %.60q, converted %t, ok %t", c.name, got, converted, ok)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xff\xfea\x00"))
	f.Add([]byte("gr\xf6\xdfe"))
	f.Fuzz(func(t *testing.T, blob []byte) {
		text, converted, ok := decode(blob)
		if ok && !utf8.Valid(text) {
			t.Fatalf("invalid UTF-8: %q", text)
		}
		if ok && !converted && string(text) != string(blob) {
			t.Fatal("changed and not marked as converted")
		}
	})
}
