package ini

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

// FuzzDialects holds that the names of every dialect lie inside of their pairs.
func FuzzDialects(f *testing.F) {
	for i := range dialects {
		f.Add([]byte("# c\n[a \"b\"]\nexport k = \"v\n  w\" \\\n x\n{\nk\\:l m\n}\n"), i)
	}
	f.Fuzz(func(t *testing.T, src []byte, i int) {
		b := lang.NewBuilder([]byte(strings.ToValidUTF8(string(src), "")), dialects[uint(i)%uint(len(dialects))])
		extract(b)
		for _, s := range b.Finish().Symbols {
			if s.NameSpan.Start > s.NameSpan.End || !s.Span.Contains(s.NameSpan) || len(s.Init) > maxValue {
				t.Fatalf("%q: %v in %v, init %q", s.Name, s.NameSpan, s.Span, s.Init)
			}
		}
	})
}

var dialects = []string{".ini", ".properties", ".env", ".conf", ".service", ".editorconfig", ""}

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"pytest.ini": facts.RoleTest | facts.RoleConfig, "a/tox.ini": facts.RoleBuild, ".env.local": facts.RoleConfig, "a/b.ini": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"keys":          strings.Repeat("a = 1\n", 200_000),
		"sections":      strings.Repeat("[a]\nb = 1\n", 100_000),
		"open quotes":   strings.Repeat("A=\"x y\n", 100_000),
		"open quote":    "A=\"x\n" + strings.Repeat("x y\n", 200_000),
		"continuations": "a = b \\\n" + strings.Repeat("c \\\n", 250_000),
		"indented":      "[options]\ninstall_requires =\n" + strings.Repeat("  a\n", 250_000),
		"list":          "[tox]\nenvlist = " + strings.Repeat("a,", 500_000),
		"brackets":      strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000),
		"closed":        "[" + strings.Repeat("] x", 300_000),
		"one line":      strings.Repeat("a ", 500_000),
		"braces":        strings.Repeat("a {\n", 200_000),
		"comments":      strings.Repeat("# a\n", 250_000),
		"marks":         "a = " + strings.Repeat(" #", 500_000),
	} {
		for _, ext := range dialects {
			b := lang.NewBuilder([]byte(src), ext)
			extract(b)
			if f := b.Finish(); len(f.Symbols) > maxSymbols {
				t.Errorf("%s: %d symbols", name, len(f.Symbols))
			}
		}
	}
}
