package query

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check fails when a parsed query breaks an invariant that callers rely on.
func check(t *testing.T, text string) *Query {
	t.Helper()
	q := Parse(text)
	if q.Raw != text {
		t.Fatal("Raw is not the text")
	}
	if strings.TrimSpace(strings.ToValidUTF8(text, "x")) == "" && q.Title != "" || strings.ContainsAny(q.Title, "\n\r") {
		t.Fatalf("title %q", q.Title)
	}
	if q.Short && strings.Contains(strings.TrimSpace(q.Title), "\n") {
		t.Fatal("a short query of several lines")
	}
	size := 0
	for _, s := range q.Segments {
		size += len(s)
		if !utf8.ValidString(s) || strings.ContainsRune(s, '\r') {
			t.Fatalf("segment is not clean: %.80q", s)
		}
	}
	if size > 3*maxTrace {
		t.Fatalf("segments hold %d bytes", size)
	}
	seen := map[pathKey]bool{}
	for _, m := range q.Paths {
		key := pathKey{m.Path, m.Line, m.Source, m.Block}
		switch {
		case m.Path == "" || m.Path != strings.TrimSpace(m.Path) || strings.ContainsAny(m.Path, "\n\r\\\x00"):
			t.Fatalf("unclean path %q", m.Path)
		case strings.HasPrefix(m.Path, "/") || strings.HasSuffix(m.Path, "/") || strings.HasPrefix(m.Path, "./") || strings.HasPrefix(m.Path, "../"):
			t.Fatalf("path %q is not trimmed", m.Path)
		case len(m.Path) > maxPath || m.Line < 0 || m.Count < 1 || m.Order < 0:
			t.Fatalf("mention out of bounds: %+v", m)
		case (m.Source == FromTrace) != (m.Block > 0):
			t.Fatalf("block and source disagree: %+v", m)
		case seen[key]:
			t.Fatalf("duplicate mention %+v", m)
		}
		seen[key] = true
	}
	names := map[string]bool{}
	for _, n := range q.Names {
		if len(n.Parts) < 2 || len(n.Parts) > maxParts || names[n.String()] || n.Counts[n.Segment] == 0 {
			t.Fatalf("bad name %+v", n)
		}
		names[n.String()] = true
	}
	ids := map[string]bool{}
	for _, id := range q.Identifiers {
		if id.Name == "" || len(id.Name) > maxIdent || ids[id.Name] || id.Counts == [NumSegments]int{} || strings.ContainsAny(id.Name, " .\n\t") {
			t.Fatalf("bad identifier %+v", id)
		}
		ids[id.Name] = true
	}
	for _, b := range q.Frames() {
		if len(b) == 0 {
			t.Fatal("empty block")
		}
	}
	return q
}

var fragments = []string{
	"a", "foo.bar", "src/foo.go", ":12", ":12:3", "\n", "\n\n", "    ", "\t", "`", "``", "```", "~~~", "<!--", "-->", "<pre>", "</pre>",
	"Traceback (most recent call last):", "  File \"a/b.py\", line 3, in f", "\tat a.b.C.d(C.java:3)", "    at f (/a/b.js:1:2)",
	"#0 0x1 in f (a=1) at a.c:3", "Caused by: x.Y: z", "goroutine 1 [running]:", "KeyError: k", "::", "->", "#", "\\", "<", ">", "(", ")",
	"{", "}", "https://github.com/o/r/blob/m/a/b.go#L3", "://", "![x](", "## Version", "**Expected**", "- [x] I have", "> ", ">>> ", "$ ",
	"from a.b import (", "use a::{", "import a.b.{C", "修改", "é", "\xff", "\x1b[31m", "\r", `\n`, `\n#0 `, "\"", "'", ",", ";", "|", "@", "$x",
	"_", "__init__", "panicked at ", "', ", "C:\\x\\y.cs", "[a]", "/(g)/", " in ", " at ", ": file ", ", line 3", "...", "=", "*",
}

func TestProperties(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 4000 {
		var b strings.Builder
		for range r.Intn(40) {
			b.WriteString(fragments[r.Intn(len(fragments))])
			if r.Intn(3) == 0 {
				b.WriteByte(' ')
			}
		}
		a := check(t, b.String())
		if !reflect.DeepEqual(a, Parse(b.String())) {
			t.Fatalf("not deterministic on %q", b.String())
		}
	}
}

// TestLinear feeds a megabyte of patterns that trip scanners with lookahead.
func TestLinear(t *testing.T) {
	patterns := append([]string{
		"`` ` ``` ", "a.", "a::", "a->", "a<", "a<b<c>::", "(*", "://", "![", "](", "<!-- ", "<a ", "<b", "&amp;", "\\", "\\n#0 ", "\x1b[",
		"from a import (", "{a,", "use a::{b::{\n", "a/", "/(", "/[a", "[", "(", "x(", "( in ", ") in ", " at ", "#0 ", "File \"", "at (",
		"at a.b(", "a@", "1: ", "E ", "a:1:", "\t", "> ", "**", "- [x] ", "\"", "','", "修改a", "ﬀ", "panicked at '", "x.go:1 ", "\nfoo:\n  - a: b\n",
		"\n```\n", "\n~~~\n`", "Traceback (most recent call last):\n", "a b\n", "Error: ", "| a ", "==1==ERROR: ", "$a$", "a.b.c.d ", "://a]",
		"goroutine 1 [running]:\na.b(\n\t/x.go:1\n", "Caused by: ", "\nfrom a.b import (\nc,",
	}, fragments...)
	for _, p := range patterns {
		text := strings.Repeat(p, 1<<20/len(p)+1)
		start := time.Now()
		q := Parse(text)
		if d := time.Since(start); d > time.Second {
			t.Errorf("1 MB of %q took %v", p, d)
		} else if testing.Verbose() && d > 60*time.Millisecond {
			t.Logf("1 MB of %q took %v", p, d)
		}
		if len(q.Paths) > 1<<18 {
			t.Errorf("1 MB of %q gave %d paths", p, len(q.Paths))
		}
	}
}

func TestCaps(t *testing.T) {
	filler := strings.Repeat("plain filler words here\n", maxProse/24+2)
	q := Parse("Lexer loops\n" + filler + "lateWord\n\tat a.b.C.d(C.java:3)\n" + strings.Repeat(filler, 4) + "\tat a.b.D.d(D.java:3)\n")
	if _, ok := identifier(q, "lateWord"); ok {
		t.Error("prose beyond its cap was analysed")
	}
	if got := showPaths(q); len(got) != 1 || got[0] != "trace a/b/C.java:3" {
		t.Errorf("paths %q, want the frame below the trace cap only", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range fragments {
		f.Add(s)
	}
	f.Add("Title\n\n```\nTraceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: x\n```\nsee `a/b.go:3`")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := json.Marshal(check(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := json.Marshal(Parse(text)); string(a) != string(b) {
			t.Fatal("not deterministic")
		}
	})
}

func BenchmarkParse20KB(b *testing.B) {
	issue := "Lexer loops on `src/lex.go`\n\n" + strings.Repeat("The call of lexer.next in src/lex/lexer.go:12 never ends, see `Table.read`.\n\n```\n\tat a.b.C.d(C.java:3)\nx = frob(y.z)\n```\n", 160)
	b.SetBytes(int64(len(issue)))
	for b.Loop() {
		Parse(issue)
	}
}
