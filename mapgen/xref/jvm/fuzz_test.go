package jvm

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

func FuzzResolve(f *testing.F) {
	edgetest.Seed(f)
	f.Add("class A extends B<A> { A a = b().c; }", "class B<T extends B<T>> extends A { T b() {} }")
	f.Add("import p.B.*; class A { var x = x.y(); { for (var x : x) x.y(); } }", "package p; class B { B<A> .C d; }")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "p/A.java", Data: []byte(a)}, txtar.File{Name: "p/B.java", Data: []byte(b)}, txtar.File{Name: "p/C.kt", Data: []byte(b + "\n" + a)})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"Map<String, ? extends List<A>>[]", "a.B<C>.D", "(A) -> B", "vararg X", "A .B", "@N A...", "T & U", "<<", "? ? super"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := parseType(s, 0); len(got.path) > len(s) {
			t.Errorf("%q has %d parts", s, len(got.path))
		}
	})
}

// Programs that go round in circles or grow out of proportion end all the same,
// and soon.
func TestHostile(t *testing.T) {
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
			b.WriteByte('\n')
		}
		return b.String()
	}
	for name, code := range map[string]string{
		"bases of each other":    "class A extends B {} class B extends C {} class C extends A { void f() { a.b(); g(); this.h(); } A a; }",
		"bounds of each other":   "class A<T extends U, U extends T> { void f(T t) { t.x().y(); } }",
		"results that grow":      repeat(60, func(i int) string { return fmt.Sprintf("class A%d<T> { A%d<A%d<T>> next() {} }", i, i+1, i+1) }) + "class Z { void f(A0<Z> a) { a.next().next().next().next().next().next().x(); } }",
		"one name many times":    "class A {" + repeat(3000, func(i int) string { return fmt.Sprintf("void f(int a, A%d b) { f(1, b); }", i) }) + "}",
		"a long chain of bases":  repeat(2000, func(i int) string { return fmt.Sprintf("class A%d extends A%d {}", i+1, i) }) + "class Z extends A2000 { void f() { x(); super.y(); } }",
		"a long chain of calls":  "class A { A f(A a) { return f(a)" + strings.Repeat(".f(f(f(a)))", 500) + "; } }",
		"calls in calls":         "class A { <T> T f(T a) { return " + strings.Repeat("f(", 300) + "a" + strings.Repeat(").f(a)", 300) + "; } }",
		"deep classes":           repeat(150, func(i int) string { return fmt.Sprintf("class A%d { void f%d() { f0(); }", i, i) }) + strings.Repeat("}", 150),
		"anonymous in anonymous": "class A { void f() { " + strings.Repeat("new A() { void g() { f(); ", 60) + strings.Repeat("} };", 60) + "} }",
		"many members by name":   repeat(2000, func(i int) string { return fmt.Sprintf("class A%d { void member() {} }", i) }) + "class Z { void f(Q q) { " + repeat(2000, func(int) string { return "q.u.member();" }) + "} }",
		"switches in switches":   "class A { void f(A a) { " + strings.Repeat("switch (a) { case X: ", 200) + strings.Repeat("}", 200) + "} }",
		"values of each other":   "class A { void f() {" + repeat(1500, func(i int) string { return fmt.Sprintf("var v%d = v%d.a(v%d);", i, (i+1)%1500, (i+7)%1500) }) + "v0.x(); } }",
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "p/A.java", Data: []byte(code)}, txtar.File{Name: "p/B.kt", Data: []byte(code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
