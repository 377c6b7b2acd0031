package sarif

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var values = []string{
	`null`, `true`, `false`, `0`, `-0.5e+10`, `01`, `1.`, `-`, `.5`, `1e`, `nul`, `nullx`, `""`, `"a\u00e4\ud83d\ude00\ud83d\"\\\/\b\f\n\r\t"`,
	"\"\x87\x87\x8700\"", `"\x"`, `"\u12g4"`, "\"\n\"", `"`, `[]`, `[ ]`, `[1,]`, `[,]`, `[1 2]`, `{}`, `{"a":1}`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":[{"b":[]},{}],"c":{"d":null}}`,
	`[}`, `{]`, `[[[]]`, `]`, ``, ` `, "\xff", "\"\xff\"", `1 `, ` [ 1 , 2 ] `, `"\ud800x"`, `"\udc00"`, "\"\\ud800\u00e4\"",
}

// The lexer takes what encoding/json takes, and reads strings as it does.
func FuzzLexer(f *testing.F) {
	for _, v := range values {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, in string) {
		limits := Limits{Size: 1 << 20, Depth: 200}
		start := func() *lexer { return newLexer(strings.NewReader(in), 0, &limits) }
		l := start()
		err := l.skip()
		if err == nil {
			err = l.end()
		}
		if errors.Is(err, ErrLimit) {
			return
		}
		if valid := json.Valid([]byte(in)); valid != (err == nil) && len(in) < maxNumber {
			t.Fatalf("%q: %v, valid %v", in, err, valid)
		}
		var want string
		if json.Unmarshal([]byte(in), &want) != nil {
			return
		}
		got, err := start().str(1 << 20)
		if got != want || err != nil {
			t.Errorf("%q: %q %v, want %q", in, got, err, want)
		}
		for _, most := range []int{0, 1, 5} {
			got, err := start().str(most)
			short := strings.TrimSuffix(got, "…")
			if err != nil || got != want && (len(short) < min(most, len(want)) || len(short) > 3*(most+utf8.UTFMax)) || !utf8.ValidString(got) {
				t.Errorf("%q cut to %d: %q %v", in, most, got, err)
			}
		}
	})
}

// Strings and numbers across the borders of what is read at once.
func TestLexerAcrossWindows(t *testing.T) {
	limits := DefaultLimits
	for pad := 64<<10 - 24; pad < 64<<10+4; pad++ {
		in := strings.Repeat(" ", pad) + `["a\u00e4\ud83d\ude00 ä😀",-12.5e1,true,"x"]`
		l := newLexer(strings.NewReader(in), 0, &limits)
		n := 0
		err := l.array(func() (err error) {
			switch n++; n {
			case 1:
				var s string
				if s, err = l.str(100); s != "aä😀 ä😀" {
					t.Errorf("pad %d: %q", pad, s)
				}
			case 4:
				var s string
				if s, err = l.str(1); s != "x" {
					t.Errorf("pad %d: %q", pad, s)
				}
			default:
				err = l.skip()
			}
			return err
		})
		if err == nil {
			err = l.end()
		}
		if err != nil || n != 4 || l.at() != int64(len(in)) {
			t.Errorf("pad %d: %d values, at %d of %d, %v", pad, n, l.at(), len(in), err)
		}
	}
}

func TestSizeLimitIsExact(t *testing.T) {
	in := report(`{"results":[]}`)
	limits := DefaultLimits
	limits.Size = int64(len(in))
	if _, err := NewReader("x", strings.NewReader(in), nil, limits); err != nil {
		t.Error(err)
	}
	limits.Size--
	if _, err := NewReader("x", strings.NewReader(in), nil, limits); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(report(`{"tool":{"driver":{"name":"T","rules":[{"id":"r","messageStrings":{"m":{"text":"{0} {1} [a](1)"}}}]}},"artifacts":[{"location":{"uri":"x"}}],
		"results":[{"ruleIndex":0,"message":{"id":"m","arguments":["a"]},"locations":[{"physicalLocation":{"artifactLocation":{"index":0},"region":{"startLine":1}}}]}]}`)))
	for _, v := range values {
		f.Add([]byte(report(`{"results":[{"message":{"text":` + v + `},"locations":[` + at("x", 1) + `]}],"x":` + v + `}`)))
	}
	limits := Limits{Size: 1 << 20, Depth: 50, Runs: 10, Results: 100, Declared: 10_000, Message: 100, Details: 5}
	f.Fuzz(func(t *testing.T, in []byte) {
		results, r, err := readAll(string(in), limits, "/r")
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrLimit) || !strings.HasPrefix(err.Error(), "read SARIF report test.sarif: ") {
				t.Fatal(err)
			}
			return
		}
		refused := 0
		for _, f := range r.Refused() {
			refused += f.Count
		}
		if len(results)+refused > limits.Results {
			t.Errorf("%d results, %d refused", len(results), refused)
		}
		for _, one := range results {
			if one.Location.Path == "" || len(one.Message) > limits.Message+8 && one.Message != one.Rule.Short && len(one.Message) > maxShort || len(one.Related) > limits.Details {
				t.Errorf("%+v", one)
			}
			if !json.Valid(in) && in[0] != 0xef {
				t.Error("a result of what is no JSON")
			}
		}
	})
}
