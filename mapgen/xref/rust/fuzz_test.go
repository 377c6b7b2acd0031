package rust

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref/edges/edgetest"
)

const manifest = "[package]\nname = \"a\"\n"

func FuzzResolve(f *testing.F) {
	edgetest.Seed(f)
	f.Add("use super::*; pub use self::b::*; mod b; impl A { fn f(&self) -> A { self.f().f() } }", "use crate::*; pub struct A; trait T: T { type X: T; fn g(&self) -> Self::X; }")
	f.Add("type A = B; type B = A; fn f(a: A) { a.x().y; }", "impl<T: T> T for T { fn t(&self) -> <T as T>::T { self.t().t() } }")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "Cargo.toml", Data: []byte(manifest)}, txtar.File{Name: "src/lib.rs", Data: []byte(a)}, txtar.File{Name: "src/b.rs", Data: []byte(b)}, txtar.File{Name: "src/b/mod.rs", Data: []byte(b + "\n" + a)})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"&'a mut Vec<Option<A>>", "Box<dyn Fn(&A, B) -> C + Send + 'static>", "impl Iterator<Item = (A, B)>", "<T as a::Tr<U>>::X", "[u8; N]", "for<'a> fn(x: &'a A)", "*const T", "a::b<", "((", "dyn", "+", "X<{ 1 + 2 }, A = B>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := parseType(s); len(got.path) > len(s)+2 {
			t.Errorf("%q has %d parts", s, len(got.path))
		}
		parseHeader("impl" + s)
		readParams(&facts.Symbol{Name: "f", Kind: facts.KindFunction, Signature: "fn f<" + s})
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
		"traits of each other":  "trait A: B {} trait B: C {} trait C: A { fn f(&self); } fn f<T: A>(t: T) { t.f(); t.g(); }",
		"aliases of each other": "type A = B; type B = C; type C = Vec<A>; fn f(a: A) { a.b().c(); let C { x } = a; }",
		"bounds of each other":  "fn f<T: U<V>, U: V<T>, V: T<U>>(t: T, u: U) { t.x().y(); u.z(); }",
		"globs of each other":   "mod a { pub use super::b::*; } mod b { pub use super::c::*; } mod c { pub use super::a::*; } use a::*; fn f() { x(); y::z(); }",
		"many globs": repeat(80, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::*; pub use super::m%d::*; }", i, (i+1)%80)
		}) + "pub use m0::*; fn f() { " + repeat(300, func(i int) string { return fmt.Sprintf("x%d();", i) }) + "}",
		"deref to each other": "struct A; struct B; impl Deref for A { type Target = B; } impl Deref for B { type Target = A; } fn f(a: A) { a.x().y(); }",
		"types that grow": repeat(60, func(i int) string {
			return fmt.Sprintf("struct A%d<T>(T); impl<T> A%d<T> { fn next(&self) -> A%d<A%d<T>> {} }", i, i, i+1, i+1)
		}) + "fn f(a: A0<u8>) { a.next().next().next().next().next().next().x(); }",
		"one name many times": repeat(3000, func(i int) string {
			return fmt.Sprintf("impl From<A%d> for B { fn from(a: A%d) -> B { B::from(a).from() } }", i, i)
		}) + "struct B;",
		"a long chain of traits":  repeat(2000, func(i int) string { return fmt.Sprintf("trait A%d: A%d {}", i+1, i) }) + "fn f<T: A2000>(t: T) { t.x(); T::y(); }",
		"a long chain of calls":   "struct A; impl A { fn f(&self) -> A { self" + strings.Repeat(".f()", 3000) + " } }",
		"deep modules":            strings.Repeat("mod m { use super::*; fn f() { super::f(); } ", 150) + strings.Repeat("}", 150),
		"values of each other":    "fn f() {" + repeat(1500, func(i int) string { return fmt.Sprintf("let v%d = v%d.a();", i, (i+1)%1500) }) + "v0.x(); }",
		"many members by name":    repeat(2000, func(i int) string { return fmt.Sprintf("impl A%d { fn member(&self) {} }", i) }) + "fn f(q: Q) { " + repeat(2000, func(int) string { return "q.u.member();" }) + "}",
		"ifs in ifs":              "fn f() { let x = " + strings.Repeat("if a { A::b() } else { ", 200) + "A::b()" + strings.Repeat(" }", 200) + "; x.y(); }",
		"matches in matches":      "fn f() { let x = " + strings.Repeat("match a { Some(b) => ", 100) + "b" + strings.Repeat(", None => c }", 100) + "; x.y(); }",
		"closures in closures":    "fn f(a: Vec<A>) { " + strings.Repeat("a.iter().map(|x| x.y(", 100) + strings.Repeat("))", 100) + "; }",
		"types in types":          "fn f(a: " + strings.Repeat("Vec<(", 300) + "A" + strings.Repeat(",)>", 300) + ") { a[0].x(); }",
		"arguments that multiply": "struct A<T, U>(T, U); type B0 = A<u8, u8>; " + repeat(60, func(i int) string { return fmt.Sprintf("type B%d = A<B%d, B%d>;", i+1, i, i) }) + "fn f(b: B60) { b.x(); }",
		"imports in circles":      repeat(500, func(i int) string { return fmt.Sprintf("use self::a%d as a%d;", (i+1)%500, i) }) + "fn f() { a0(); }",
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "Cargo.toml", Data: []byte(manifest)}, txtar.File{Name: "src/lib.rs", Data: []byte(code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
