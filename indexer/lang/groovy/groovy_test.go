package groovy

import (
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func FuzzExtract(f *testing.F) { langtest.Fuzz(f, Language()) }

// FuzzGradle holds that the names of a build script lie inside of their spans.
func FuzzGradle(f *testing.F) {
	f.Add([]byte("plugins { id 'a' version \"1\" }\ndependencies { x 'a:b:c', libs.d; y project(':e') }\ntask f(type: G) { dependsOn 'h' }\next { i = 1 }\ninclude ':j:k'"))
	f.Fuzz(func(t *testing.T, src []byte) {
		b := lang.NewBuilder([]byte(strings.ToValidUTF8(string(src), "")), ".gradle")
		extract(b)
		for _, s := range b.Finish().Symbols {
			if s.NameSpan.Start > s.NameSpan.End || !s.Span.Contains(s.NameSpan) {
				t.Fatalf("%q: %v in %v", s.Name, s.NameSpan, s.Span)
			}
		}
	})
}

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"src/test/groovy/a/B.groovy": facts.RoleTest, "a/StoreSpec.groovy": facts.RoleTest, "src/main/groovy/a/Store.groovy": 0,
		"a/build.gradle": facts.RoleBuild, "Jenkinsfile": facts.RoleBuild, "src/integrationTest/groovy/X.groovy": facts.RoleTest,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func TestCapsAndLinearity(t *testing.T) {
	for name, src := range map[string]string{
		"classes":      strings.Repeat("class A {}\n", 20_000),
		"nested":       strings.Repeat("class A {\n", 20_000),
		"braces":       strings.Repeat("{", 100_000) + strings.Repeat("}", 100_000),
		"lines":        strings.Repeat("a {\n", 20_000) + strings.Repeat("}\n", 20_000),
		"parens":       "def x = " + strings.Repeat("f(", 60_000),
		"brackets":     "class A { def x = " + strings.Repeat("[", 100_000),
		"mixed":        strings.Repeat("({[", 20_000) + strings.Repeat("}", 20_000),
		"generics":     "class A { " + strings.Repeat("Map<", 20_000),
		"annotations":  strings.Repeat("@A(b)\n", 20_000),
		"strings":      strings.Repeat(`"a ${`, 20_000),
		"triples":      strings.Repeat(`"""a`+"\n", 50_001),
		"comments":     strings.Repeat("/* a\n", 20_000),
		"line comment": strings.Repeat("// a\n", 20_000),
		"slashes":      strings.Repeat("= /a", 20_000),
		"stages":       strings.Repeat("stage('a') {\n", 20_000),
		"tasks":        strings.Repeat("task a { dependsOn 'b' }\n", 20_000),
		"depends":      "task a { " + strings.Repeat("dependsOn ", 20_000) + "}",
		"extends":      "class A extends " + strings.Repeat("B, ", 20_000),
		"enum":         "enum A { " + strings.Repeat("B, ", 20_000),
		"one line":     strings.Repeat("a ", 100_000),
		"continued":    strings.Repeat("a.\n", 60_000),
		"chained":      "a\n" + strings.Repeat("\n// c\n.b", 20_000),
		"fields":       "class A { int " + strings.Repeat("a, ", 20_000),
		"blank":        "a\n" + strings.Repeat("// b\n\n", 20_000) + ".c",
		"parameters":   "def a(" + strings.Repeat("b = 1, ", 20_000) + ") {}",
		"dependencies": "dependencies { a " + strings.Repeat("'b:c:d', ", 20_000) + "}",
		"methods":      "class A {\n" + strings.Repeat("void a() { b() }\n", 20_000),
	} {
		for _, ext := range []string{".groovy", ".gradle"} {
			b := lang.NewBuilder([]byte(src), ext)
			extract(b)
			if f := b.Finish(); len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Imports) > maxLinks {
				t.Errorf("%s: %d symbols, %d references, %d imports", name, len(f.Symbols), len(f.Refs), len(f.Imports))
			}
		}
	}
}
