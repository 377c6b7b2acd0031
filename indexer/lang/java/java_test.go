package java_test

import (
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/java"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, java.Language()) }

// reader reads sources with limits high enough for generated input.
func reader() func(source string) *facts.File {
	l := java.Language()
	x := extract.New(lang.NewTable(l), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 1 << 20})
	return func(source string) *facts.File {
		return x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".java"})
	}
}

func find(f *facts.File, name string) *facts.Symbol {
	for i := range f.Symbols {
		if f.Symbols[i].Name == name {
			return &f.Symbols[i]
		}
	}
	return nil
}

// Generated input of great depth or length is read in bounded time and stack,
// and what follows it is found.
func TestDeepAndLong(t *testing.T) {
	// Lines stay short, or the text would pass for minified.
	rep := func(s string, n int) string { return strings.Repeat(strings.Repeat(s, 5)+"\n", n/5) }
	field := func(value string) string { return "class A {\n int x = " + value + ";\n}\n" }
	body := func(text string) string { return "class A {\n void m() {\n" + text + "\n}\n}\n" }
	read := reader()
	for name, source := range map[string]string{
		"parentheses":     field(rep("(", 20_000) + "1" + rep(")", 20_000)),
		"sum":             field("a" + rep("+b()", 50_000)),
		"call chain":      field("p" + rep(".then(v -> v.go())", 10_000)),
		"nested calls":    field("f(" + rep("g(", 5_000) + rep(")", 5_000) + ")"),
		"lambdas":         field(rep("() -> ", 5_000) + "1"),
		"else if":         body("if (a) {}" + rep(" else if (b) { c(); }", 10_000)),
		"blocks":          body(rep("{ int a = 1;", 5_000) + rep("}", 5_000)),
		"array":           field("{" + rep("\"value\",", 100_000) + "}"),
		"nested arrays":   field(rep("{", 10_000) + rep("}", 10_000)),
		"nested types":    rep("class A {", 2_000) + rep("}", 2_000),
		"type arguments":  "class A {\n" + rep("L<", 2_000) + "X" + rep(">", 2_000) + " x;\n}\n",
		"anonymous":       field(rep("new A() { int x = ", 1_000) + "1" + rep("; }", 1_000)),
		"members":         "class A {\n" + rep("void m(int a) { b(a); }\n", 20_000) + "}\n",
		"unclosed":        "class A {\n" + rep("  public void m(int a) {\n", 2_000) + "\n}\n",
		"unopened":        "class A {\n" + rep("}\n", 5_000),
		"unclosed types":  rep("class A {\n", 2_000),
		"unclosed nested": rep("class A {", 2_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := read(source + "\nclass After { void last() { use(); } }\n")
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
			if s := find(f, "After"); s == nil {
				t.Errorf("what follows is lost")
			}
		})
	}
}

func TestRoles(t *testing.T) {
	roles := java.Language().Roles
	for p, want := range map[string]facts.Role{
		"src/main/java/a/Queue.java":          0,
		"src/main/java/a/QueueTest.java":      facts.RoleTest,
		"a/QueueTests.java":                   facts.RoleTest,
		"a/TestQueue.java":                    facts.RoleTest,
		"a/QueueIT.java":                      facts.RoleTest,
		"src/test/java/a/Helper.java":         facts.RoleTest,
		"core/src/integrationTest/A.java":     facts.RoleTest,
		"core/src/testFixtures/java/A.java":   facts.RoleTest,
		"src/main/java/a/package-info.java":   facts.RolePackageInit,
		"src/test/java/a/package-info.java":   facts.RoleTest | facts.RolePackageInit,
		"src/main/java/a/AUDIT.java":          0,
		"src/main/java/a/Testament.java":      0,
		"src/main/java/a/Contest.java":        0,
		"src/main/java/testing/a/Runner.java": 0,
		"module-info.java":                    0,
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
	source.WriteString("package p;\n\npublic class Outer extends Base {\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve", "Thirteen", "Fourteen"} {
		source.WriteString("  private int field" + n + " = 1;\n\n  /** Does. */\n  @Override\n  public int method" + n +
			"(int a, String b) {\n    if (a > 1) {\n      return call(a);\n    }\n    return 2;\n  }\n\n")
	}
	source.WriteString("  static class Inner {\n    private int kept;\n\n    public void deep() {\n      run(() -> x);\n    }\n  }\n}\n\ninterface Last {\n  void end();\n}\n")
	// Every third line, for time: the period of the members is no multiple of it.
	last := strings.Count(source.String(), "\n") + 1 - 8
	langtest.DamageLines(t, source.String(), 3, last, 3, reader(), map[string]func(line string) string{
		"a brace lost":      func(l string) string { return strings.Replace(l, "}", "", 1) },
		"an opening lost":   func(l string) string { return strings.Replace(l, "{", "", 1) },
		"a brace too many":  func(l string) string { return strings.Replace(l, "return call(a);", "return call(a); }", 1) },
		"a bracket lost":    func(l string) string { return strings.Replace(l, ")", "", 1) },
		"a quote":           func(l string) string { return strings.Replace(l, ";\n", "\";\n", 1) },
		"a semicolon lost":  func(l string) string { return strings.Replace(l, ";", "", 1) },
		"unknown keyword":   func(l string) string { return strings.Replace(l, "public int", "public quick int", 1) },
		"half an operation": func(l string) string { return strings.Replace(l, "return 2", "return 2 +", 1) },
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, java.Language()) }
