package python

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/syntax"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func parse(t testing.TB, source string) *facts.File {
	t.Helper()
	l := Language()
	x := extract.New(lang.NewTable(l), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 400_000})
	return x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".py"})
}

// walkOnly parses and walks without the decisions that an extractor makes
// before, which would not parse such text at all. It gives nil where the
// parser's budget is exceeded.
func walkOnly(t testing.TB, source string) *facts.File {
	t.Helper()
	tree, err := syntax.Parse(Language().Grammar(), []byte(source))
	if errors.Is(err, syntax.ErrBudget) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	b := lang.NewBuilder(tree.Source, ".py")
	b.Tree = tree
	report(b)
	return b.Finish()
}

// outline is one word a definition, indented below its parent.
func outline(f *facts.File) string {
	var b strings.Builder
	for i := range f.Symbols {
		for p := f.Symbols[i].Parent; p >= 0; p = f.Symbols[p].Parent {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s %s\n", f.Symbols[i].Kind, f.Symbols[i].Name)
	}
	return b.String()
}

// Text that nests deep or chains long must neither exhaust the stack nor take
// time out of proportion, and what stands after it must be found.
func TestDeep(t *testing.T) {
	const n = 20_000
	nest := func(open, inner, shut string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(shut, n)
	}
	indented := func(line string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + fmt.Sprintf(line, i) + "\n")
		}
		b.WriteString(strings.Repeat(" ", n) + "pass\n")
		return b.String()
	}
	for name, code := range map[string]string{
		"parentheses":    "x = " + nest("(", "1", ")", n),
		"lists":          "x = " + nest("[", "1", "]", n),
		"calls":          "x = " + nest("f(", "1", ")", n),
		"dictionaries":   "x = " + nest("{1:", "1", "}", n),
		"lambdas":        "x = " + nest("lambda a: ", "1", "", n),
		"comprehensions": "x = " + nest("[", "y", " for y in z]", 5_000),
		"defaults":       "x = " + nest("lambda a=", "1", ": a", 5_000),
		"sum":            "x = " + strings.Repeat("a + ", 50_000) + "a",
		"conjunction":    "x = " + strings.Repeat("a or ", 50_000) + "a",
		"members":        "x = a" + strings.Repeat(".b", 50_000),
		"call chain":     "x = a" + strings.Repeat(".b()", 30_000),
		"assignments":    strings.Repeat("a = ", 20_000) + "b",
		"not":            "x = " + strings.Repeat("not ", n) + "a",
		"conditional":    "x = " + strings.Repeat("a if b else ", n) + "a",
		"subscripts":     "x = " + nest("a[", "1", "]", n),
		"targets":        nest("(", "a", ",)", 5_000) + " = b",
		"annotation":     "x: " + nest("List[", "int", "]", n),
		"functions":      indented("def f%d(a):", 700),
		"classes":        indented("class C%d:", 700),
		"branches":       indented("if isinstance(x, C%d):", 700),
		"unclosed":       "x = " + strings.Repeat("(", n),
		"elif":           "if a: pass\n" + strings.Repeat("elif isinstance(a, b): pass\n", 10_000),
		"decorators":     strings.Repeat("@a\n", 10_000) + "def f(): pass",
		"broken lines":   strings.Repeat("class A(\n  def f(\n", 2_000),
		"reassigned":     strings.Repeat("a = 1\n", 20_000),
		"branches of":    strings.Repeat("if a:\n  b = 1\n", 5_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := walkOnly(t, "class Before: pass\n"+code+"\n\ndef after(): pass\n")
			took := time.Since(start)
			t.Logf("%v", took)
			// Well under a second on an idle machine; the race detector and a busy
			// one cost a factor of ten, what is quadratic a factor of hundreds.
			if limit := langtest.TimeLimit(20 * time.Second); took > limit {
				t.Errorf("took %v, more than %v", took, limit)
			}
			if f == nil {
				return // the parser's budget refused it
			}
			var before, after bool
			for i := range f.Symbols {
				before = before || f.Symbols[i].Name == "Before"
				after = after || f.Symbols[i].Name == "after"
			}
			if !before || !after {
				t.Errorf("found Before: %t, after: %t", before, after)
			}
		})
	}
}

// Damage costs the definition it stands in, not those around it.
func TestDamage(t *testing.T) {
	const code = `class A(Base):
    limit = 1

    def one(self):
        return 1

    @property
    def two(self):
        return 2

    class Inner:
        def three(self):
            return 3


@decorate(
    "four",
)
def four():
    return 4


class B(A):
    def five(self):
        return 5
`
	want := []string{"class A", "method one", "property two", "class Inner", "method three", "function four", "class B", "method five"}
	for _, broken := range []string{"return 1 +", "return (1", "x = [1, 2", "return 1)", "if :", "for x in", "$ ? !", "{", "lambda", "print 1 2 3"} {
		f := parse(t, strings.Replace(code, "return 1", broken, 1))
		got := outline(f)
		for _, w := range want {
			if !strings.Contains(got, w+"\n") {
				t.Errorf("with %q in it, %q is missing or of another kind:\n%s", broken, w, got)
			}
		}
	}
}

func TestResync(t *testing.T) {
	for line, want := range map[string]bool{
		"def f(x):\n":            true,
		"    async def f(x):":    true,
		"\tclass A:\n":           true,
		"class A(B):":            true,
		"class A\n":              true,
		"class A\r\n":            true,
		"@decorator\n":           false, // belongs to the line below
		"def f[T](x):":           true,
		"class of things that\n": false,
		"define = 1":             false,
		"x = def f":              false,
		"a @ b":                  false,
		"classes(x)":             false,
		"":                       false,
	} {
		if got := resync([]byte(line)); got != want {
			t.Errorf("%q: %t", line, got)
		}
	}
}

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"pkg/test_x.py":      facts.RoleTest,
		"pkg/x_test.py":      facts.RoleTest,
		"conftest.py":        facts.RoleTest,
		"app/tests.py":       facts.RoleTest,
		"pkg/contest.py":     0,
		"pkg/__init__.py":    facts.RolePackageInit,
		"pkg/__init__.pyi":   facts.RolePackageInit | facts.RoleDeclaration,
		"pkg/x.pyi":          facts.RoleDeclaration,
		"setup.py":           facts.RoleBuild,
		"site_scons/wscript": facts.RoleBuild,
		"a/x_pb2.py":         facts.RoleGenerated,
		"pkg/latest.py":      0,
		"test_x.txt":         0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func TestShapes(t *testing.T) {
	for code, want := range map[string]string{
		`x = a.b.c`:                              "a.b.c",
		`x = a.b(1, 2).c[0]`:                     "a.b().c[]",
		`x = await a.b()`:                        "await a.b()",
		`x = (a)`:                                "a",
		`x = "s" "t"`:                            `""`,
		`x = "s" % y`:                            `""`,
		`x = f"{y}"`:                             `""`,
		`x = -1.5`:                               "0",
		`x = 1 + y`:                              "0",
		`x = y + 1`:                              "?",
		`x = True`:                               "true",
		`x = a == b`:                             "true",
		`x = not a`:                              "true",
		`x = None`:                               "nil",
		`x = [1]`:                                "[]",
		`x = 1, 2`:                               "[]",
		`x = {a for a in b}`:                     "b",
		`x = {1: 2}`:                             "{}",
		`x = {a: b for a in c}`:                  "{}",
		`x = a or Default()`:                     "Default()",
		`x = a or b`:                             "a",
		`x = None or b`:                          "b",
		`x = a and b.c`:                          "b.c",
		`x = a() if b else None`:                 "a()",
		`x = a if b else c`:                      "a",
		`x = (y := Thing())`:                     "Thing()",
		`x = super().make()`:                     "super().make()",
		`x = (a + b).c`:                          "?",
		`x = y = Thing()`:                        "Thing()",
		`x, y = A(), B()`:                        "A()",
		`x, *y = A(), B()`:                       "?",
		`for x in a.b: pass`:                     "range a.b",
		`for x in sorted(a): pass`:               "range a",
		`for x in a.values(): pass`:              "range a.values()",
		`for y, x in a.items(): pass`:            "a.items()[]#1",
		`for y, x in enumerate(a): pass`:         "range a",
		`for x, y in zip(a, b): pass`:            "range a",
		`for x in range(3): pass`:                "0",
		`for y, x in pairs(): pass`:              "pairs()[]#1",
		`y, x = pair()`:                          "pair()#1",
		`x = a or []`:                            "a",
		`x = a if b else ""`:                     "a",
		`x = [A(), A(1)]`:                        "list[A]{}",
		`x = [A(), B()]`:                         "[]",
		`x = t.cast("A | None", y).z`:            `?.("A | None").z`,
		`x = list(a).index`:                      `"".index`,
		`x = sorted(a.b)[0]`:                     "a.b[]",
		`x = [y for y in a.b if y]`:              "a.b",
		`x = [y.c for y in a.b]`:                 "[]",
		`x = [y for y in a if isinstance(y, B)]`: "list[B]{}",
		`x = (a + b) or c()`:                     "c()",
		`x = type(self).make()`:                  "self.__class__.make()",
		`x = next(a.rows())`:                     "a.rows().__next__()",
		`x = {m.A(y) for y in b}`:                "set[m.A]{}",
		`x = {y: A() for y in b}`:                "dict[Any, A]{}",
		`x = [a() for y in b]`:                   "[]",
		`with a.b() as x: pass`:                  "a.b().__enter__()",
		`async def f():
    async with a as x: pass`: "await a.__aenter__()",
		"x = a" + strings.Repeat(".b", 100): "?",
	} {
		f := parse(t, code+"\n")
		got := ""
		for _, s := range f.Symbols {
			if s.Name == "x" {
				got = s.Init
			}
		}
		for _, b := range f.Bindings {
			if b.Name == "x" {
				got = b.Init
			}
		}
		if got != want {
			t.Errorf("%s: shape %q, want %q", code, got, want)
		}
	}
}

// A change inside bodies must change nothing that may reach an artifact.
func TestBodiesDoNotShow(t *testing.T) {
	const code = "class A:\n    x = None\n    def f(self, a):\n        %s\n\ndef g(b):\n    %s\n\nX = 1\n"
	visible := func(f *facts.File) string {
		var b strings.Builder
		for _, s := range f.Symbols {
			if s.Flags&facts.InBody == 0 {
				s.Span, s.NameSpan, s.Line, s.EndLine, s.Parent = facts.Span{}, facts.Span{}, 0, 0, 0
				fmt.Fprintf(&b, "%+v\n", s)
			}
		}
		for _, i := range f.Imports {
			if i.Flags&facts.ImportInBody == 0 {
				i.Line = 0
				fmt.Fprintf(&b, "%+v\n", i)
			}
		}
		return b.String()
	}
	want := visible(parse(t, fmt.Sprintf(code, "pass", "pass")))
	for _, body := range []string{
		"self.x = Store()", "self.y: int = 1", "import os", "global Y; Y = 2", "def inner(): pass",
		"return [lambda: (z := 1) for q in b]", "global X; X = Store()", "X = 2",
	} {
		if got := visible(parse(t, fmt.Sprintf(code, body, body))); got != want {
			t.Errorf("with %q:\n%s\nwithout:\n%s", body, got, want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"class A(B):\n  x: int = 1\n  def f(self, a=1): self.y = a\n",
		"def f(x\nclass A\n  def g(self)\n",
		"match x:\n case A(b=c) | [d, *e]: pass\n",
		"for (a, b.c), *d in enumerate(x): pass\n",
		"with a as (b, c), d: pass\ntry: pass\nexcept X, e: pass\n",
		"type X[T: int] = list[T]\n__all__ = ['X']\n__all__ += m.__all__\n",
		"if isinstance(x, (A, B)) and y: pass\n",
		"@\nclass\ndef\nimport\nfrom . import\nlambda:\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 4096 {
			return
		}
		file := parse(t, source)
		for i, s := range file.Symbols {
			if s.Parent >= int32(i) || s.Span.End < s.Span.Start || s.EndLine < s.Line {
				t.Errorf("symbol %+v", s)
			}
		}
		for _, x := range file.Bindings {
			if int(x.Scope) >= len(file.Scopes) {
				t.Errorf("binding %+v of %d scopes", x, len(file.Scopes))
			}
		}
	})
}
