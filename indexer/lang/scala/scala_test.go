package scala_test

import (
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/scala"
)

func TestCases(t *testing.T) { langtest.Run(t, scala.Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, scala.Language()) }

// reader reads sources with limits high enough for generated input.
func reader() func(source string) *facts.File {
	l := scala.Language()
	x := extract.New(lang.NewTable(l), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 1 << 20})
	return func(source string) *facts.File {
		return x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".scala"})
	}
}

// Generated input of great depth or length is read in bounded time and stack,
// and what follows it is found.
func TestDeepAndLong(t *testing.T) {
	// Lines stay short, or the text would pass for minified.
	rep := func(s string, n int) string { return strings.Repeat(strings.Repeat(s, 5)+"\n", n/5) }
	field := func(value string) string { return "class A {\n val x = " + value + "\n}\n" }
	body := func(text string) string { return "class A {\n def m() = {\n" + text + "\n}\n}\n" }
	stairs := func(line string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat(" ", i) + line + "\n")
		}
		return b.String()
	}
	read := reader()
	for name, source := range map[string]string{
		"parentheses":     field(rep("(", 20_000) + "1" + rep(")", 20_000)),
		"sum":             field(rep(" b() +", 50_000) + "1"),
		"call chain":      field("p" + rep(".andThen { v => v.go() }", 4_000)),
		"infix chain":     field("p" + rep(" and q", 10_000)),
		"nested calls":    field("f(" + rep("g(", 5_000) + rep(")", 5_000) + ")"),
		"lambdas":         field(rep("{ a => ", 5_000) + "1" + rep("}", 5_000)),
		"bare lambdas":    field(rep("a => ", 10_000) + "1"),
		"else if":         body("if (a) {}" + rep(" else if (b) { c() }", 4_000)),
		"blocks":          body(rep("run { val a = 1\n", 5_000) + rep("}", 5_000)),
		"cases":           body("x match {\n" + rep("case A(b) if b => c(b)\n", 4_000) + "}"),
		"open cases":      body(rep("x match { case a => \n", 2_000) + rep("}", 2_000)),
		"nested types":    rep("class A {", 2_000) + rep("}", 2_000),
		"type arguments":  "class A {\n val x: " + rep("L[", 2_000) + "X" + rep("]", 2_000) + "\n}\n",
		"infix types":     "class A {\n type X = A" + rep(" :: B", 10_000) + "\n}\n",
		"function types":  "class A {\n type X = A" + rep(" => B", 10_000) + "\n}\n",
		"news":            field(rep("new A { val x = ", 1_000) + "1" + rep(" }", 1_000)),
		"members":         "class A {\n" + strings.Repeat("def m(a: Int) = b(a)\n", 5_000) + "}\n",
		"unclosed":        "class A {\n" + strings.Repeat("  def m(a: Int) = {\n", 2_000) + "\n}\n",
		"unopened":        "class A {\n" + strings.Repeat("}\n", 5_000),
		"templates":       field(rep("s\"${", 2_000) + "1" + rep("}\"", 2_000)),
		"open templates":  field(strings.Repeat("s\"${\n", 2_000)),
		"quotes":          field(strings.Repeat("\"\n", 5_000)),
		"raw quotes":      field(strings.Repeat("\"\"\"\n", 2_001)),
		"markup":          field(strings.Repeat("<a>\n", 5_000)),
		"annotations":     rep("@A(", 2_000) + rep(")", 2_000) + "\nclass B\n",
		"modifiers":       rep("final ", 5_000) + "\nclass B\n",
		"comments":        rep("/* ", 5_000) + rep("*/ ", 5_000) + "\nclass B\n",
		"generators":      body("for {\n" + strings.Repeat("a <- b(a)\n", 5_000) + "} yield a"),
		"nested fors":     body(rep("for (a <- b) ", 2_000) + "c"),
		"parameters":      "def f(\n" + strings.Repeat("a: Map[A, B] = c[D](1),\n", 5_000) + ") = 1\n",
		"parameter lists": "def f" + rep("(a: B)", 5_000) + " = 1\n",
		"indented defs":   stairs("def f =", 300),
		"indented types":  stairs("class A:", 300),
		"indented cases":  "def f =\n" + stairs(" x match case a =>", 300),
		"imports":         "import a.{" + rep("b => c, ", 5_000) + "_}\n",
		"packages":        rep("package a; ", 3_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := read(source + "\nclass After { def last() { use() } }\n")
			if d := time.Since(start); d > langtest.TimeLimit(10*time.Second) {
				t.Errorf("took %v", d)
			} else {
				t.Logf("%v", d)
			}
			if f.Depth != facts.Parsed {
				if f.Reason != facts.ReasonParserLimit {
					t.Errorf("not parsed: %s", f.Reason)
				}
				t.Logf("%s", f.Reason)
				return
			}
			found := false
			for i := range f.Symbols {
				found = found || f.Symbols[i].Name == "After"
			}
			if !found {
				t.Errorf("what follows is lost")
			}
		})
	}
}

func TestRoles(t *testing.T) {
	roles := scala.Language().Roles
	for p, want := range map[string]facts.Role{
		"src/main/scala/a/Queue.scala":        0,
		"src/main/scala/a/QueueTest.scala":    facts.RoleTest,
		"a/QueueSpec.scala":                   facts.RoleTest,
		"a/QueueSuite.scala":                  facts.RoleTest,
		"a/Contest.scala":                     0,
		"a/AUDIT.scala":                       0,
		"a/queue.test.scala":                  facts.RoleTest,
		"src/test/scala/a/Helper.scala":       facts.RoleTest,
		"core/src/test-jvm/Helper.scala":      facts.RoleTest,
		"core/src/it/scala/Helper.scala":      facts.RoleTest,
		"core/src/main/scala/a/package.scala": facts.RolePackageInit,
		"build.sbt":                           facts.RoleBuild,
		"build.mill":                          facts.RoleBuild,
		"build.sc":                            facts.RoleBuild,
		"project/Dependencies.scala":          facts.RoleBuild,
		"src/project/Model.scala":             0,
		"scripts/run.sc":                      0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

// Damage that a hand makes while editing costs the definition it stands in at
// most: every other one is found with its kind and container.
func TestDamageCostsOneDefinition(t *testing.T) {
	var source strings.Builder
	source.WriteString("package p\n\nclass Outer extends Base {\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five", "Six", "Seven"} {
		source.WriteString("  private val field" + n + " = 1\n\n  /** Does. */\n  @inline\n  def method" + n +
			"(a: Int, b: String): Int = {\n    if (a > 1) {\n      return call(a)\n    }\n    return 2\n  }\n\n")
	}
	source.WriteString("  class Inner {\n    private val kept = 0\n\n    def deep() = {\n      run { x }\n    }\n  }\n}\n\ntrait Last {\n  def end(): Unit\n}\n")
	damaged(t, source.String(), 2, map[string]func(line string) string{
		"a brace lost":      func(l string) string { return strings.Replace(l, "}", "", 1) },
		"an opening lost":   func(l string) string { return strings.Replace(l, "{", "", 1) },
		"a brace too many":  func(l string) string { return strings.Replace(l, "return call(a)", "return call(a) }", 1) },
		"a bracket lost":    func(l string) string { return strings.Replace(l, ")", "", 1) },
		"an opening gone":   func(l string) string { return strings.Replace(l, "(", "", 1) },
		"a quote":           func(l string) string { return strings.Replace(l, "\n", "\"\n", 1) },
		"unknown keyword":   func(l string) string { return strings.Replace(l, "def ", "quick def ", 1) },
		"half an operation": func(l string) string { return strings.Replace(l, "return 2", "return 2 +", 1) },
		"half a value":      func(l string) string { return strings.Replace(l, "= 1", "=", 1) },
	})
}

// The same of the syntax without braces.
func TestDamageOfIndentation(t *testing.T) {
	var source strings.Builder
	source.WriteString("package p\n\nclass Outer extends Base:\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five"} {
		source.WriteString("  private val field" + n + " = 1\n\n  /** Does. */\n  @inline\n  def method" + n +
			"(a: Int, b: String): Int =\n    if a > 1 then\n      call(a)\n    else 2\n  end method" + n + "\n\n")
	}
	source.WriteString("  class Inner:\n    private val kept = 0\n\n    def deep() =\n      run(x)\n\ntrait Last:\n  def end(): Unit\n")
	damaged(t, source.String(), 3, map[string]func(line string) string{
		"a bracket lost":    func(l string) string { return strings.Replace(l, ")", "", 1) },
		"an opening gone":   func(l string) string { return strings.Replace(l, "(", "", 1) },
		"a quote":           func(l string) string { return strings.Replace(l, "\n", "\"\n", 1) },
		"a brace":           func(l string) string { return strings.Replace(l, "call", "{ call", 1) },
		"half an operation": func(l string) string { return strings.Replace(l, "else 2", "else 2 +", 1) },
		"half a value":      func(l string) string { return strings.Replace(l, "= 1", "=", 1) },
		"no body":           func(l string) string { return strings.Replace(l, "= 1", "", 1) },
		"no end":            func(l string) string { return strings.Replace(l, "end method", "emd method", 1) },
	})
}

func damaged(t *testing.T, source string, first int, ways map[string]func(line string) string) {
	t.Helper()
	read := reader()
	whole := read(source)
	if len(whole.Damage) > 0 {
		t.Fatalf("the whole text is damaged: %v", whole.Damage)
	}
	langtest.DamageLines(t, source, first, strings.Count(source, "\n"), 1, read, ways)
}
