package swift_test

import (
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
	"github.com/project-map/project-map/indexer/lang/swift"
)

func TestCases(t *testing.T) { langtest.Run(t, swift.Language()) }

// reader reads sources with limits high enough for generated input.
func reader() func(source string) *facts.File {
	l := swift.Language()
	x := extract.New(lang.NewTable(l), extract.Limits{Read: 64 << 20, Parse: 64 << 20, Words: 1 << 20})
	return func(source string) *facts.File {
		return x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".swift"})
	}
}

// Generated input of great depth or length is read in bounded time and stack,
// and what follows it is found.
func TestDeepAndLong(t *testing.T) {
	// Lines stay short, or the text would pass for minified.
	rep := func(s string, n int) string { return strings.Repeat(strings.Repeat(s, 5)+"\n", n/5) }
	field := func(value string) string { return "class A {\n let x = " + value + "\n}\n" }
	body := func(text string) string { return "class A {\n func m() {\n" + text + "\n}\n}\n" }
	read := reader()
	for name, source := range map[string]string{
		"parentheses":     field(rep("(", 20_000) + "1" + rep(")", 20_000)),
		"tuple types":     "class A {\n let x: " + rep("(", 20_000) + "B" + rep(")", 20_000) + "\n}\n",
		"array types":     "class A {\n let x: " + rep("[", 20_000) + "B" + rep("]", 20_000) + "\n}\n",
		"function types":  "class A {\n let x: " + rep("() -> ", 20_000) + "B\n}\n",
		"sum":             field(rep("b()+ ", 50_000) + "1"),
		"call chain":      field("p" + rep(".then { v in v.go() }", 10_000)),
		"nested calls":    field("f(" + rep("g(", 5_000) + rep(")", 5_000) + ")"),
		"nested chains":   field("a" + rep(".f(a", 5_000) + rep(")", 5_000)),
		"closures":        field(rep("{ a in ", 5_000) + "1" + rep("}", 5_000)),
		"called closures": field(rep("{ ", 5_000) + "1" + rep("}()", 5_000)),
		"else if":         body("if a {}" + rep(" else if b { c() }", 10_000)),
		"ifs":             body(rep("if a { ", 5_000) + rep("}", 5_000)),
		"lets":            field(rep("(let x = ", 5_000) + rep(")", 5_000)),
		"case lets":       body("switch a {\n" + rep("case let x = ", 5_000) + "}"),
		"mismatched":      field(rep("[", 20_000) + rep(")", 20_000)),
		"crossed":         field(rep("([", 10_000) + rep(")]", 10_000)),
		"braces in angle": field(rep("a<{", 5_000) + rep("}>", 5_000)),
		"ifs without":     body(rep("if a == b\n", 10_000)),
		"guards":          body(rep("guard let a = b else { return }\n", 5_000)),
		"blocks":          body(rep("run { let a = 1\n", 5_000) + rep("}", 5_000)),
		"local values":    body(rep("let a = {", 5_000) + rep("}", 5_000)),
		"nested types":    rep("class A {", 2_000) + rep("}", 2_000),
		"type arguments":  "class A {\n let x: " + rep("L<", 2_000) + "X" + rep(">", 2_000) + "\n}\n",
		"comparisons":     field("a" + rep(" < b", 10_000)),
		"touching less":   field("a" + rep("<b", 10_000)),
		"ternaries":       field(rep("a ? b : ", 10_000) + "c"),
		"members":         "class A {\n" + strings.Repeat("func m(a: Int) { b(a) }\n", 20_000) + "}\n",
		"unclosed":        "class A {\n" + strings.Repeat("  func m(a: Int) {\n", 2_000) + "\n}\n",
		"unopened":        "class A {\n" + strings.Repeat("}\n", 5_000),
		"interpolations":  field(rep(`"\(`, 2_000) + "1" + rep(`)"`, 2_000)),
		"open literals":   field(strings.Repeat("\"\\(\n", 2_000)),
		"quotes":          field(strings.Repeat("\"\n", 5_000)),
		"raw quotes":      field(strings.Repeat("\"\"\"\n", 2_001)),
		"attributes":      rep("@A(", 2_000) + rep(")", 2_000) + "\nclass B {}\n",
		"modifiers":       rep("open ", 5_000) + "\nclass B {}\n",
		"comments":        rep("/* ", 5_000) + rep("*/ ", 5_000) + "\nclass B {}\n",
		"documentation":   strings.Repeat("/// x\n", 20_000) + "class B {}\n",
		"parameters":      "func f(\n" + strings.Repeat("a: Map<A, B> = c<D>(1) < 2,\n", 5_000) + ") {}\n",
		"slashes":         field(rep("/a ", 10_000)),
		"hashes":          field(rep("#", 20_000)),
		"hash quotes":     field(strings.Repeat("#\"\n", 3_000)),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			f := read(source + "\nclass After { func last() { use() } }\n")
			d := time.Since(start)
			if d > langtest.TimeLimit(10*time.Second) {
				t.Errorf("took %v", d)
			}
			t.Logf("%v", d)
			if f.Depth != facts.Parsed {
				t.Fatalf("not parsed: %s", f.Reason)
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
	roles := swift.Language().Roles
	for p, want := range map[string]facts.Role{
		"Sources/App/Queue.swift":           0,
		"Sources/App/Contest.swift":         0,
		"Sources/App/Attest.swift":          0,
		"Sources/AppTestUtils/Helper.swift": 0,
		"Sources/App/QueueTests.swift":      facts.RoleTest,
		"Sources/App/QueueTest.swift":       facts.RoleTest,
		"Sources/App/QueueTests+Ext.swift":  facts.RoleTest,
		"App/QueueSpec.swift":               facts.RoleTest,
		"Tests/AppTests/Helper.swift":       facts.RoleTest,
		"MyAppUITests/Helper.swift":         facts.RoleTest,
		"Tests/LinuxMain.swift":             facts.RoleTest,
		"Package.swift":                     facts.RoleBuild,
		"Package@swift-5.9.swift":           facts.RoleBuild,
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
	source.WriteString("import Core\n\nclass Outer: Base {\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five", "Six", "Seven"} {
		source.WriteString("  private let field" + n + " = 1\n\n  /// Does.\n  @objc\n  public func method" + n +
			"(a: Int, b: String) -> Int {\n    if a > 1 {\n      return call(a)\n    }\n    return 2\n  }\n\n")
	}
	source.WriteString("  struct Inner {\n    private var kept = 0\n\n    func deep() {\n      run { x }\n    }\n  }\n}\n\nprotocol Last {\n  func end()\n}\n")
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
		"unknown keyword":   func(l string) string { return strings.Replace(l, "func ", "quick func ", 1) },
		"half an operation": func(l string) string { return strings.Replace(l, "return 2", "return 2 +", 1) },
		"half a property":   func(l string) string { return strings.Replace(l, "= 1", "=", 1) },
	})
}

// The same for the other forms of declarations.
func TestDamageInOtherForms(t *testing.T) {
	var source strings.Builder
	source.WriteString("import Core\n\n")
	for _, n := range []string{"One", "Two", "Three", "Four", "Five"} {
		source.WriteString("/// Holds.\n@available(macOS 13, *)\npublic extension Type" + n + " where T: Item {\n" +
			"    var size" + n + ": Int { get { 1 } set { put(newValue) } }\n\n" +
			"    static let shared" + n + " = Pool(\n        size: 4,\n        name: \"x\\(n)\"\n    )\n\n" +
			"    @inlinable\n    convenience init" + "(a" + n + ": [Int]) {\n        items.map { item in\n            item.go()\n        }\n    }\n" +
			"    private func more" + n + "<A>(\n        _ a: A,\n        b: (Int) -> Void\n    ) async throws -> [A] where A: Item {\n        guard let a else { return [] }\n        return [a]\n    }\n}\n\n" +
			"enum Kind" + n + ": String {\n    case first" + n + " = \"f\"\n    case second" + n + "(Int, of: Kind)\n    indirect case third" + n + "\n}\n\n")
	}
	read := reader()
	whole := read(source.String())
	if len(whole.Damage) > 0 {
		t.Fatalf("the whole text is damaged: %v", whole.Damage)
	}
	langtest.DamageLines(t, source.String(), 2, strings.Count(source.String(), "\n"), 1, read, map[string]func(line string) string{
		"a brace lost":    func(l string) string { return strings.Replace(l, "}", "", 1) },
		"an opening lost": func(l string) string { return strings.Replace(l, "{", "", 1) },
		"a bracket lost":  func(l string) string { return strings.Replace(l, ")", "", 1) },
		"an opening gone": func(l string) string { return strings.Replace(l, "(", "", 1) },
		"a square lost":   func(l string) string { return strings.Replace(l, "]", "", 1) },
		"a quote":         func(l string) string { return strings.Replace(l, "\n", "\"\n", 1) },
		"a quote lost":    func(l string) string { return strings.Replace(l, "\"", "", 1) },
		"an arrow lost":   func(l string) string { return strings.Replace(l, "->", "", 1) },
		"the line gone": func(l string) string {
			if l[0] != ' ' {
				return l // the head of a type gives its members their container
			}
			return "\n"
		},
	})
}

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, swift.Language()) }
