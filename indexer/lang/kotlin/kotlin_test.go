package kotlin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/kotlin"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, kotlin.Language(), kotlin.Plain()) }

// reader reads sources with limits high enough for generated input.
func reader() func(source string) *facts.File {
	l := kotlin.Language()
	x := extract.New(lang.NewTable(l, kotlin.Plain()), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 1 << 20})
	return func(source string) *facts.File {
		return x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".kt"})
	}
}

// Generated input of great depth or length is read in bounded time and stack,
// and what follows it is found.
func TestDeepAndLong(t *testing.T) {
	// Lines stay short, or the text would pass for minified.
	rep := func(s string, n int) string { return strings.Repeat(strings.Repeat(s, 5)+"\n", n/5) }
	field := func(value string) string { return "class A {\n val x = " + value + "\n}\n" }
	body := func(text string) string { return "class A {\n fun m() {\n" + text + "\n}\n}\n" }
	read := reader()
	for name, source := range map[string]string{
		"parentheses":    field(rep("(", 20_000) + "1" + rep(")", 20_000)),
		"sum":            field(rep("b()+", 50_000) + "1"),
		"call chain":     field("p" + rep(".then { v -> v.go() }", 10_000)),
		"nested calls":   field("f(" + rep("g(", 5_000) + rep(")", 5_000) + ")"),
		"lambdas":        field(rep("{ a -> ", 5_000) + "1" + rep("}", 5_000)),
		"else if":        body("if (a) {}" + rep(" else if (b) { c() }", 10_000)),
		"blocks":         body(rep("run { val a = 1\n", 5_000) + rep("}", 5_000)),
		"nested types":   rep("class A {", 2_000) + rep("}", 2_000),
		"type arguments": "class A {\n val x: " + rep("L<", 2_000) + "X" + rep(">", 2_000) + "\n}\n",
		"comparisons":    field("a" + rep(" < b", 10_000)),
		"objects":        field(rep("object : A() { val x = ", 1_000) + "1" + rep(" }", 1_000)),
		"members":        "class A {\n" + strings.Repeat("fun m(a: Int) { b(a) }\n", 20_000) + "}\n",
		"unclosed":       "class A {\n" + strings.Repeat("  fun m(a: Int) {\n", 2_000) + "\n}\n",
		"unopened":       "class A {\n" + strings.Repeat("}\n", 5_000),
		"templates":      field(rep("\"${", 2_000) + "1" + rep("}\"", 2_000)),
		"open templates": field(strings.Repeat("\"${\n", 2_000)),
		"quotes":         field(strings.Repeat("\"\n", 5_000)),
		"raw quotes":     field(strings.Repeat("\"\"\"\n", 2_001)),
		"annotations":    rep("@A(", 2_000) + rep(")", 2_000) + "\nclass B\n",
		"modifiers":      rep("open ", 5_000) + "\nclass B\n",
		"comments":       rep("/* ", 5_000) + rep("*/ ", 5_000) + "\nclass B\n",
		"anonymous":      field(rep("fun() = ", 2_000) + "1"),
		"parameters":     "fun f(\n" + strings.Repeat("a: Map<A, B> = c<D>(1) < 2,\n", 5_000) + ") {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := read(source + "\nclass After { fun last() { use() } }\n")
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
	roles := kotlin.Language().Roles
	for p, want := range map[string]facts.Role{
		"src/main/kotlin/a/Queue.kt":         0,
		"src/main/kotlin/a/QueueTest.kt":     facts.RoleTest,
		"a/QueueSpec.kt":                     facts.RoleTest,
		"a/QueueIT.kt":                       facts.RoleTest,
		"a/AUDIT.kt":                         0,
		"a/Contest.kt":                       0,
		"src/test/kotlin/a/Helper.kt":        facts.RoleTest,
		"app/src/androidTest/java/Helper.kt": facts.RoleTest,
		"app/src/commonTest/kotlin/H.kt":     facts.RoleTest,
		"app/src/commonMain/kotlin/H.kt":     0,
		"core/src/testFixtures/kotlin/H.kt":  facts.RoleTest,
		"build.gradle.kts":                   facts.RoleBuild,
		"app/settings.gradle.kts":            facts.RoleBuild,
		"buildSrc/src/main/kotlin/Deps.kt":   facts.RoleBuild,
		"scripts/run.main.kts":               0,
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
	source.WriteString("package p\n\nclass Outer : Base() {\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five", "Six", "Seven"} {
		source.WriteString("  private val field" + n + " = 1\n\n  /** Does. */\n  @Override\n  fun method" + n +
			"(a: Int, b: String): Int {\n    if (a > 1) {\n      return call(a)\n    }\n    return 2\n  }\n\n")
	}
	source.WriteString("  class Inner {\n    private val kept = 0\n\n    fun deep() {\n      run { x }\n    }\n  }\n}\n\ninterface Last {\n  fun end()\n}\n")
	read := reader()
	whole := read(source.String())
	if len(whole.Damage) > 0 {
		t.Fatalf("the whole text is damaged: %v", whole.Damage)
	}
	langtest.DamageLines(t, source.String(), 2, strings.Count(source.String(), "\n"), 1, read, map[string]func(line string) string{
		"a brace lost":      func(l string) string { return strings.Replace(l, "}", "", 1) },
		"an opening lost":   func(l string) string { return strings.Replace(l, "{", "", 1) },
		"a brace too many":  func(l string) string { return strings.Replace(l, "return call(a)", "return call(a) }", 1) },
		"a bracket lost":    func(l string) string { return strings.Replace(l, ")", "", 1) },
		"an opening gone":   func(l string) string { return strings.Replace(l, "(", "", 1) },
		"a quote":           func(l string) string { return strings.Replace(l, "\n", "\"\n", 1) },
		"unknown keyword":   func(l string) string { return strings.Replace(l, "fun ", "quick fun ", 1) },
		"half an operation": func(l string) string { return strings.Replace(l, "return 2", "return 2 +", 1) },
		"half a property":   func(l string) string { return strings.Replace(l, "= 1", "=", 1) },
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, kotlin.Language(), kotlin.Plain()) }
