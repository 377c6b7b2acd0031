package toml

import (
	"bytes"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"keys":          strings.Repeat("a = 1\n", 200_000),
		"tables":        strings.Repeat("[[package]]\nname = \"x\"\n", 50_000),
		"open strings":  strings.Repeat("a = \"x\n", 200_000),
		"open triples":  strings.Repeat("a = \"\"\"\n", 200_000),
		"open brackets": strings.Repeat("a = [\n", 200_000),
		"dots":          strings.Repeat("a.", 500_000),
		"quotes":        strings.Repeat(`"`, 1_000_000),
	} {
		b := lang.NewBuilder([]byte(src), ".toml")
		extract(b)
		if f := b.Finish(); len(f.Symbols) > maxSymbols {
			t.Errorf("%s: %d symbols", name, len(f.Symbols))
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte("# c\n\n[a.\"b c\".d] # x\nk = \"\"\"\nx\n\"\"\"\n'q' = [1, {a = \"]\"}]\n[[bin]]\nname = \"n\"\n"))
	f.Add([]byte("[dependencies]\nfoo = { package = \"bar\", path = '../bar', features = [\"package\"] }\n"))
	f.Add([]byte("[tool.poe.tasks]\nt = {cmd = \"x\"}\n[tasks.a]\nrun = 'y'"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder(bytes.ToValidUTF8(src, nil), ".toml")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if s.NameSpan.Start > s.NameSpan.End || !s.Span.Contains(s.NameSpan) || len(s.Init) > maxValue {
				t.Fatalf("%q: %v in %v, init %q", s.Name, s.NameSpan, s.Span, s.Init)
			}
		}
	})
}
