package csharp

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
	f.Add("class A : B<A> { A a = b().c; }", "class B<T> : A where T : B<T> { T b() {} }")
	f.Add("using static p.B; class A { void M() { var x = x.y(); foreach (var x in x) x.y(z => z.w); } }", "namespace p; class B { B<A>.C d; }")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "p/A.cs", Data: []byte(a)}, txtar.File{Name: "p/B.cs", Data: []byte(b)}, txtar.File{Name: "q/C.cs", Data: []byte(b + "\n" + a)})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"Map<String, List<A>>[]", "a.B<C>.D?", "(A x, B<C, D> y)", "params X[,]", "global::A.B", "ref readonly T", "<<", "? ?", "A<,>", "(", ")", "]["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := parseType(s, 0); len(got.path) > len(s) || len(got.tuple) > len(s)+1 {
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
		"bases of each other":   "class A : B {} class B : C {} class C : A { void F() { a.B(); G(); this.H(); base.I(); } A a; }",
		"bounds of each other":  "class A<T, U> where T : U where U : T { void F(T t) { t.X().Y(); } }",
		"results that grow":     repeat(60, func(i int) string { return fmt.Sprintf("class A%d<T> { A%d<A%d<T>> Next() {} }", i, i+1, i+1) }) + "class Z { void F(A0<Z> a) { a.Next().Next().Next().Next().Next().Next().X(); } }",
		"one name many times":   "class A {" + repeat(2000, func(i int) string { return fmt.Sprintf("void F(int a, A%d b) { F(1, b); }", i) }) + "}",
		"a long chain of bases": repeat(2000, func(i int) string { return fmt.Sprintf("class A%d : A%d {}", i+1, i) }) + "class Z : A2000 { void F() { X(); base.Y(); } }",
		"a long chain of calls": "class A { A F(A a) {\n return F(a)" + repeat(500, func(int) string { return ".F(F(F(a)))" }) + "; } }",
		"calls in calls":        "class A { T F<T>(T a) { return " + repeat(300, func(int) string { return "F(" }) + "a" + repeat(300, func(int) string { return ").F(a)" }) + "; } }",
		"lambdas in lambdas":    "class A { T F<T>(System.Func<A, T> f) { return F(x0 => " + repeat(200, func(i int) string { return fmt.Sprintf("x%d.F(x%d => ", i, i+1) }) + "x0" + repeat(201, func(int) string { return ")" }) + "; } }",
		"deep classes":          repeat(150, func(i int) string { return fmt.Sprintf("class A%d { void F%d() { F0(); }", i, i) }) + repeat(150, func(int) string { return "}" }),
		"many members by name":  repeat(2000, func(i int) string { return fmt.Sprintf("class A%d { void Member() {} }", i) }) + "class Z { void F(Q q) { " + repeat(2000, func(int) string { return "q.u.Member();" }) + "} }",
		"values of each other":  "class A { void F() {" + repeat(1500, func(i int) string { return fmt.Sprintf("var v%d = v%d.A(v%d);", i, (i+1)%1500, (i+7)%1500) }) + "v0.X(); } }",
		"new in new":            "class A { A P; A F(A a) { A b = new() { P = " + repeat(200, func(int) string { return "new() { P = " }) + "a" + repeat(201, func(int) string { return "}" }) + "; } }",
		"many parts": repeat(1000, func(i int) string {
			return fmt.Sprintf("partial class A { void F%d() { F%d(); new A(); } }", i, (i+1)%1000)
		}),
		"patterns in patterns":  "class A { A P; bool F(A a) => a is " + repeat(200, func(int) string { return "{ P: " }) + "null" + repeat(200, func(int) string { return "}" }) + "; }",
		"aliases of each other": "using X = Y; using Y = X; using Z = Z.Z; class A { X x; Y y; Z z; void F() { x.G(); y.H(); z.I(); } }",
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "p/A.cs", Data: []byte(code)}, txtar.File{Name: "p/B.cs", Data: []byte(code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
