package revision

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestAttributesAgreeWithGit(t *testing.T) {
	g := newRepo(t)
	names := []string{"text", "diff", "binary", "eol", "merge", "linguist-vendored", "linguist-language", "m1", "m2", "foo"}
	words := []string{"text", "-text", "!text", "text=auto", "binary", "-binary", "!binary", "diff", "-diff", "diff=go", "eol=lf", "eol=",
		"linguist-vendored", "-linguist-vendored", "linguist-vendored=true", "linguist-language=Go", "m1", "-m1", "m2", "foo=bar", "foo", "-foo=x", "b@d", "-", "=x"}
	r := rand.New(rand.NewPCG(2, 3))
	lines := func(macros bool) string {
		var b strings.Builder
		for range r.IntN(7) {
			switch {
			case macros && r.IntN(4) == 0:
				b.WriteString("[attr]" + []string{"m1", "m2", "binary", "-x"}[r.IntN(4)])
			case r.IntN(6) == 0:
				b.WriteString(`"` + []string{`a\tb`, `a`, `\141`, `b*`, `bad\q`}[r.IntN(5)] + `"`)
			default:
				b.WriteString(strings.ReplaceAll(strings.Trim(randomPattern(r), "\r"), " ", "*"))
			}
			for range r.IntN(4) {
				b.WriteString(" " + words[r.IntN(len(words))])
			}
			if r.IntN(10) == 0 {
				b.WriteString("\r")
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	compared := 0
	start := time.Now()
	for round := 0; round < 60 && time.Since(start) < 4*time.Second; round++ {
		a := newAttributes(false)
		files := map[string]string{}
		for _, dir := range []string{"", "a/", "a/b/"} {
			files[dir] = lines(true)
			g.write(dir+".gitattributes", files[dir])
			a.addDir(dir, []byte(files[dir]))
		}
		info := lines(true)
		g.write(".git/info/attributes", info)
		a.info = parseAttributes("", []byte(info), true, false)
		var input strings.Builder
		for range 80 {
			input.WriteString(randomPath(r) + "\x00")
		}
		out := g.gitIn(input.String(), append([]string{"check-attr", "-z", "--stdin"}, names...)...)
		fields := strings.Split(out, "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			path, name, want := fields[i], fields[i+1], fields[i+2]
			v := a.Value(path, name)
			got := map[AttrState]string{Unspecified: "unspecified", Set: "set", Unset: "unset", HasValue: v.Text}[v.State]
			compared++
			if got != want {
				t.Fatalf("path %q attribute %s: got %q, git says %q\nfiles %q\ninfo %q", path, name, got, want, files, info)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d comparisons", compared)
	}
	t.Logf("%d comparisons", compared)
}

func TestFileAttributes(t *testing.T) {
	a := newAttributes(false)
	a.addDir("", []byte("*.bin binary\n*.txt text\n*.noDiff -diff\n*.dd diff=go\nvendor/** linguist-vendored\nvendor/own/** -linguist-vendored\n"+
		"gen.go linguist-generated=true\nhand.go linguist-generated=false\ndocs/* linguist-documentation\n*.h linguist-language=C++ linguist-detectable=false\n"))
	for path, want := range map[string]FileAttributes{
		"x.bin":        {Binary: Set},
		"x.txt":        {Binary: Unset},
		"x.noDiff":     {},
		"x.dd":         {Binary: Unset},
		"vendor/a/b":   {Vendored: Set},
		"vendor/own/b": {Vendored: Unset},
		"gen.go":       {Generated: Set},
		"d/hand.go":    {Generated: Unset},
		"docs/x":       {Documentation: Set},
		"x.h":          {Language: "C++", Detectable: Unset},
		"none":         {},
	} {
		if got := a.Of(path); got != want {
			t.Errorf("%s: got %+v, want %+v", path, got, want)
		}
	}
}

func FuzzAttributes(f *testing.F) {
	f.Add("[attr]m a b=c\n*.x m -text\n\"q\\141\" !m\n", "d/a.x")
	f.Fuzz(func(t *testing.T, rules, path string) {
		a := newAttributes(false)
		a.addDir("", []byte(rules))
		first := a.Of(path)
		if again := a.Of(path); again != first {
			t.Errorf("two answers: %v, %v", first, again)
		}
	})
}
