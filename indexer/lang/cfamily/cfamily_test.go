package cfamily_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/c"
	"github.com/project-map/project-map/indexer/lang/cfamily"
	"github.com/project-map/project-map/indexer/lang/cpp"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func read(l *lang.Language, extension, source string) *facts.File {
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	return x.Extract([]byte(source), extract.Plan{Language: l, Extension: extension})
}

func names(f *facts.File) string {
	var out []string
	for i := range f.Symbols {
		out = append(out, f.Symbols[i].Name)
	}
	return strings.Join(out, " ")
}

func TestHeadersThatAreCPP(t *testing.T) {
	for source, want := range map[string]bool{
		"int f(void);\nstruct a { int class; };\n":                                        false,
		"#ifdef __cplusplus\nextern \"C\" {\nnamespace x {}\n#endif\nint f(void);\n":      false,
		"// class Foo {\n/* namespace a { */\nint f(void);\nchar *s = \"std::string\";\n": false,
		"#include <stdio.h>\n#include <string.h>\nint template;\n":                        false,
		"#ifndef __cplusplus\n#error\n#endif\nclass Foo {};\n":                            true,
		"#include <vector>\nint f();\n":                                                   true,
		"namespace a {\n}\n":                                                              true,
		"class Foo;\n":                                                                    true,
		"template <typename T> T f(T);\n":                                                 true,
		"struct S {\n private:\n  int x;\n};\n":                                           true,
		"inline void f(std::string s);\n":                                                 true,
	} {
		if got := cfamily.LooksLikeCPP([]byte(source)); got != want {
			t.Errorf("%q: %t, want %t", source, got, want)
		}
	}
}

func TestMacrosAndConditionalsKeepNames(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"macro before", "API int f(int a) { return 0; }\n", "f"},
		{"macro behind the type", "int API f(int a);\n", "f"},
		{"macro with arguments before", "EXPORT(2) static foo_t *f(void);\n", "f"},
		{"macro behind the parameters", "int f(int a) PURE(1) NONNULL;\nint g(void);\n", "f g"},
		{"type in capitals", "static DWORD f(HANDLE h);\n", "f"},
		{"line macro", "BEGIN_DECLS\nint f(void);\nEND_DECLS\n", "f"},
		{"attribute", "__attribute__((unused)) static int f(void) { return 0; }\n", "f"},
		{"declspec", "__declspec(dllexport) int f(void);\n", "f"},
		{"head in a conditional", "int f(int a)\n#ifdef X\n ATTR\n#endif\n{ return a; }\nint g(void);\n", "f g"},
		{"unbalanced branches", "int f(void) {\n#if A\n if (x) {\n#else\n while (x) {\n#endif\n }\n}\nint g(void);\n", "f g"},
		{"old style", "int f(a, b)\nint a;\nchar *b;\n{ return 0; }\nint g(void);\nAPI int h(void);\n", "f g h"},
		{"pointer macro", "char * API f(void);\nAPI int g(void);\n", "f g"},
		{"struct with a macro", "struct PACKED s { int a; };\n", "s a"},
		{"extern C", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nAPI int f(void);\n#ifdef __cplusplus\n}\n#endif\n", "f"},
	} {
		if got := names(read(cRow(), ".c", c.source)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMacrosAroundCPP(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"destructor", "API Foo::~Foo() EXCLUDES(mutex) { done(); }\nint g();\n", "~Foo g"},
		{"linkage", "extern \"C\" __declspec(dllimport) int __stdcall f(void*);\n", "f"},
		{"template parameter", "template <typename T, ENABLE_IF(is<T>() && x::y)>\nAPI auto f(T v) -> T { return v; }\n", "f"},
		{"constructor", "class A { API explicit A(int x) : x_(x) {} API operator bool() const; int x_; };\n", "A A operator bool x_"},
		{"type from a macro", "typedef REMOVE(T) plain;\nint g();\n", "plain g"},
		{"namespace macros", "BEGIN_NS\nclass A;\nstruct B {};\nEND_NS\nint g();\n", "B g"},
	} {
		if got := names(read(cpp.Language(), ".cc", c.source)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func cRow() *lang.Language { return c.Language() }

// Deep and long inputs neither overflow nor take long; the bound leaves room for
// a busy machine.
func TestHostileInputIsBounded(t *testing.T) {
	rep := strings.Repeat
	for name, source := range map[string]string{
		"parentheses":      "int f() { return " + rep("(\n", 20000) + "1" + rep(")\n", 20000) + "; }\n",
		"sum":              "int f() { return a" + rep(" + b\n", 50000) + "; }\n",
		"open parentheses": rep("f(\n", 50000),
		"open angles":      rep("a<\n", 50000),
		"angles and more":  rep("a<(\n", 50000),
		"open braces":      rep("f(){\n", 10000),
		"unmatched":        rep("f(){{\n}\n", 5000),
		"closing":          rep("}\n", 50000),
		"classes":          rep("class A {\n", 5000),
		"namespaces":       rep("namespace a {\n", 5000),
		"conditionals":     rep("#if A\n", 20000) + rep("#else\n", 20000) + rep("#endif\n", 20000),
		"macros":           rep("A\n", 50000),
		"templates":        rep("A template\n", 10000),
		"stars":            "int " + rep("*\n", 50000) + "p;\n",
		"calls":            "int f() { return a" + rep("()\n", 20000) + "; }\n",
		"strings":          rep("\"a\n", 20000),
		"raw string":       rep("R\"(\n", 20000),
	} {
		for _, l := range []*lang.Language{c.Language(), cpp.Language()} {
			start := time.Now()
			f := read(l, l.Extensions[0], source)
			langtest.Check(t, f, []byte(source))
			t.Logf("%s as %s: %v, %s", name, l.Name, time.Since(start).Round(time.Millisecond), f.Depth)
			if d := time.Since(start); d > langtest.TimeLimit(15*time.Second) {
				t.Errorf("%s as %s took %v", name, l.Name, d)
			}
		}
	}
}

// A large damaged text stays linear, and every function of it is found.
func TestLargeAmalgamation(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 900_000; i++ {
		fmt.Fprintf(&b, "/* Function %d. */\nLIB_API size_t LIB_CALL function_%d(const char *s ATTR, int n)\n{\n\tif (n > %d) {\n\t\treturn other_%d(s) + strlen(s);\n\t}\n\treturn 0;\n}\n\n", i, i, i, i)
		if i%500 == 0 {
			fmt.Fprintf(&b, "int broken_%d(@@ int x)\n{\n\treturn 1;\n}\n", i)
		}
	}
	start := time.Now()
	f := read(c.Language(), ".c", b.String())
	if d := time.Since(start); d > langtest.TimeLimit(20*time.Second) {
		t.Errorf("took %v", d)
	}
	if n, want := len(f.Symbols), strings.Count(b.String(), "\n{\n"); n != want {
		t.Errorf("%d definitions, want %d", n, want)
	}
}

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"a/cart_test.cc": facts.RoleTest, "test_cart.c": facts.RoleTest, "CartTest.cpp": facts.RoleTest, "x_unittest.cc": facts.RoleTest,
		"contest.c": 0, "latest.cc": 0, "cart.h": 0,
	} {
		if got := cfamily.Roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"API class Foo : public Bar {\n#if A\n int x;\n#endif\n};\n", "int f(a) int a; { return 0; }\n",
		"template <class T, ENABLE_IF(x)> auto f(T) -> int { return R\"(x)\"; }\n", "typedef struct { int a; } b;\n#define X(a) a(\n",
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	rows := []*lang.Language{c.Language(), cpp.Language()}
	f.Fuzz(func(t *testing.T, source string, plus bool) {
		l, extension := rows[0], ".h"
		if plus {
			l, extension = rows[1], ".cc"
		}
		got := read(l, extension, source)
		langtest.Check(t, got, []byte(source))
		if again := read(l, extension, source); !reflect.DeepEqual(got, again) {
			t.Fatal("the second reading differs")
		}
	})
}
