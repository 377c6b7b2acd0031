package rust

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

func TestCases(t *testing.T) { langtest.Run(t, Language()) }

func read(source string) *facts.File {
	l := Language()
	return extract.New(lang.NewTable(l), extract.DefaultLimits).Extract([]byte(source), extract.Plan{Language: l, Extension: ".rs"})
}

// A file of code that holds its own unit tests is no test; one that holds
// nothing else is.
func TestWhichFilesAreTests(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   bool
	}{
		"code and tests":        {"pub fn a() {}\n#[cfg(test)]\nmod tests { #[test] fn t() {} }", false},
		"private code":          {"fn a() {}\n#[cfg(test)]\nmod tests { #[test] fn t() {} }", false},
		"tests with helpers":    {"fn helper() {}\n#[test]\nfn t() {}", true},
		"async tests":           {"#[tokio::test]\nasync fn t() {}", true},
		"the whole file":        {"#![cfg(test)]\npub fn helper() {}", true},
		"only a test module":    {"#[cfg(test)]\nmod tests { fn t() {} }", true},
		"all of test and unix":  {"#[cfg(all(test, unix))]\nmod tests { fn t() {} }", true},
		"not in tests":          {"#[cfg(not(test))]\nmod real { fn t() {} }", false},
		"a feature called test": {"#[cfg(feature = \"test\")]\nmod real { fn t() {} }", false},
		"program with a test":   {"fn main() {}\n#[test]\nfn t() {}", false},
		"public beside a test":  {"pub struct S;\n#[test]\nfn t() {}", false},
		"nothing":               {"", false},
	} {
		if got := read(c.source).Traits&facts.TestCode != 0; got != c.want {
			t.Errorf("%s: a test %t, want %t", name, got, c.want)
		}
	}
}

// The main function of the file starts a program, one of a module or type does
// not.
func TestEntryPoint(t *testing.T) {
	for source, want := range map[string]bool{
		"fn main() {}":                       true,
		"#[tokio::main]\nasync fn main() {}": true,
		"mod a { fn main() {} }":             false,
		"impl A { fn main() {} }":            false,
		"fn start() { fn main() {} }":        false,
	} {
		if got := read(source).Traits&facts.EntryPoint != 0; got != want {
			t.Errorf("%q: entry point %t, want %t", source, got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	for p, want := range map[string]facts.Role{
		"build.rs": facts.RoleBuild, "a/build.rs": facts.RoleBuild, "src/lib.rs": facts.RolePackageInit, "src/a/mod.rs": facts.RolePackageInit,
		"src/a/tests.rs": facts.RoleTest, "src/main.rs": 0, "src/rebuild.rs": 0,
	} {
		if got := roles(p); got != want {
			t.Errorf("%s: %v, want %v", p, got.Names(), want.Names())
		}
	}
}

// Deep, long and repetitive text takes bounded time and stack.
func TestHostile(t *testing.T) {
	// With line ends, for a text of a few long lines passes for minified.
	repeat := func(s string, n int) string { return strings.Repeat(strings.Repeat(s, 8)+"\n", n/8) }
	for name, source := range map[string]string{
		"parentheses":       "fn a() { let x = " + repeat("(", 20000) + "1" + repeat(")", 20000) + "; }\nfn last() {}",
		"open parentheses":  "fn first() {}\nfn a() { let x = " + repeat("(", 20000),
		"sum":               "fn a() { let x = 1" + repeat(" + b", 50000) + "; }\nfn last() {}",
		"chain":             "fn a() { x" + repeat(".b(1)[0]", 20000) + "; }\nfn last() {}",
		"path":              "fn a() { A" + repeat("::A", 40000) + "(); }\nfn last() {}",
		"type":              "type T = " + repeat("Vec<", 5000) + "u8" + repeat(">", 5000) + ";\nfn last() {}",
		"blocks":            "fn a() {" + repeat("{", 10000) + repeat("}", 10000) + "}\nfn last() {}",
		"modules":           repeat("mod m {", 1600) + repeat("}", 1600) + "\nfn last() {}",
		"macros in macros":  repeat("m! { struct S; ", 3000) + repeat("}", 3000) + "\nfn last() {}",
		"keywords in macro": "m! {" + repeat("fn struct ", 8000) + "fn x}\nfn last() {}",
		"consts in macro":   "m! {" + repeat("const A ", 8000) + "}\nfn last() {}",
		"broken macros":     repeat("m! { static ref A: = 1; }\n", 1000) + "fn last() {}",
		"use groups":        "use " + repeat("a::{", 5000) + "b" + repeat("}", 5000) + ";\nfn last() {}",
		"comments":          repeat("/// words and words\n", 40000) + "fn last() {}",
		"inner comments":    repeat("//! words and words\n", 40000) + "fn last() {}",
		"impls":             repeat("impl T for A {}\n", 20000) + "fn last() {}",
		"impls of one type": "struct A;\n" + repeat("impl T for A {}\n", 20000) + "fn last() {}",
		"broken headers":    repeat("fn a( {\n", 20000),
		"attributes":        repeat("#[derive(A)]\n", 30000) + "struct S;\nfn last() {}",
		"match arms":        "fn a() { match x {" + repeat("A | B if c => d,\n", 20000) + "} }\nfn last() {}",
		"patterns":          "fn a() { let " + repeat("A(", 10000) + "x" + repeat(")", 10000) + " = y; }\nfn last() {}",
		"closures":          "fn a() { " + repeat("|x| ", 10000) + "x; }\nfn last() {}",
	} {
		start := time.Now()
		f := read(source)
		took := time.Since(start)
		t.Logf("%s: %v, %s %s, %d symbols", name, took.Round(time.Millisecond), f.Depth, f.Reason, len(f.Symbols))
		langtest.Check(t, f, []byte(source))
		if took > langtest.TimeLimit(20*time.Second) {
			t.Errorf("%s: took %v", name, took)
		}
		if f.Depth == facts.Parsed && strings.HasSuffix(source, "fn last() {}") {
			found := false
			for i := range f.Symbols {
				found = found || f.Symbols[i].Name == "last"
			}
			if !found {
				t.Errorf("%s: the function below is lost", name)
			}
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, s := range []string{
		"impl<T> A for B<T> { fn a(&self) -> Self { m! { struct S; } } }",
		"use a::{b::{self, c as d}, *};", "m! { pub struct S { a: u8 } impl S { fn f() {} } }",
		"fn a( { let x = async |y| &raw const y; }\n    fn b() {}\n", "trait T { type A<'a>; const B: u8; fn c(", "enum E { A(u8), B { c: d } = 1 }",
	} {
		f.Add(s)
	}
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, source string) {
		langtest.Check(t, x.Extract([]byte(source), extract.Plan{Language: l, Extension: ".rs"}), []byte(source))
	})
}

// A token that is missing in one function costs no definition outside it.
func TestDamageCostsOneDefinition(t *testing.T) {
	for _, dir := range []string{"containers", "calls", "visibility", "body", "same_name", "tests_inside"} {
		source, err := os.ReadFile("testdata/cases/" + dir + "/input.rs")
		if err != nil {
			t.Fatal(err)
		}
		text := string(source)
		whole := read(text)
		for i := range whole.Symbols {
			victim := &whole.Symbols[i]
			if victim.Kind != facts.KindFunction && victim.Kind != facts.KindMethod || victim.Flags&facts.InBody != 0 {
				continue
			}
			for _, token := range []string{"{", "}", "(", ")", ";", ",", ">", "&", "fn"} {
				at := strings.Index(text[victim.Span.Start:victim.Span.End], token)
				if at < 0 {
					continue
				}
				at += int(victim.Span.Start)
				if line := text[:at]; strings.Count(line[strings.LastIndexByte(line, '\n')+1:], "mod ") > 0 {
					continue // a module on one line is one definition
				}
				got := read(text[:at] + text[at+len(token):])
				found := map[string]bool{}
				for k := range got.Symbols {
					s := &got.Symbols[k]
					start := int(s.NameSpan.Start)
					if start >= at {
						start += len(token)
					}
					found[fmt.Sprint(s.Name, start)] = true
				}
				for k := range whole.Symbols {
					s := &whole.Symbols[k]
					apart := s.Span.End <= victim.Span.Start || s.Span.Start >= victim.Span.End
					if apart && !found[fmt.Sprint(s.Name, s.NameSpan.Start)] {
						t.Errorf("%s: without the %q of line %d, in %s, %s %s of line %d is lost", dir, token, 1+strings.Count(text[:at], "\n"), victim.Name, s.Kind, s.Name, s.Line)
					}
				}
			}
		}
	}
}
