package cfamily

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
	f.Add("#include \"b.h\"\nclass A : B<A> { A *a = b().c; };", "template <typename T> class B : A { T *b(); };")
	f.Add("#include \"a.h\"\nstruct A { struct { int x; } u; } a; int f(void) { return a.u.x; }", "typedef A B; typedef B A;")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "p/a.h", Data: []byte(a)}, txtar.File{Name: "p/b.h", Data: []byte(b)}, txtar.File{Name: "p/c.c", Data: []byte(b + "\n" + a)}, txtar.File{Name: "p/d.cc", Data: []byte(a + "\n" + b)})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"const std::map<K, V *> &", "a::B<C>::D[3]", "int (*)(void)", "struct x **", "T...", "<<", "A<(", "decltype(x) y", "unsigned long"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := typeParser{s: s}
		if got := p.expression(0); len(got.path) > len(s) || got.stars > len(s) {
			t.Errorf("%q has %d parts and %d stars", s, len(got.path), got.stars)
		}
		if got := templateParams("template" + s); len(got) > len(s) {
			t.Errorf("%q has %d parameters", s, len(got))
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
		"bases of each other":    "class B; class A : B {}; class B : C {}; class C : A { void f() { a.b(); g(); this->h(); } A a; };",
		"typedefs of each other": "typedef struct A B; typedef B C; typedef C A; void f(C *c) { c->x->y(); }",
		"results that grow": repeat(60, func(i int) string {
			return fmt.Sprintf("template <typename T> struct A%d { A%d<A%d<T>> next(); };", i, i+1, i+1)
		}) + "void f(A0<int> a) { a.next().next().next().next().next().next().x(); }",
		"arguments that grow": repeat(60, func(i int) string {
			return fmt.Sprintf("template <typename T> using A%d = A%d<A%d<T>, A%d<T>>;", i, i+1, i+1, i+1)
		}) + "void f(A0<int> a) { a.x(); }",
		"one name many times":   repeat(1500, func(i int) string { return fmt.Sprintf("void f(int a, A%d b) { f(1, b); }", i) }),
		"one macro many times":  repeat(3000, func(i int) string { return fmt.Sprintf("#define M %d\nint x%d = M;", i, i) }),
		"a long chain of bases": repeat(800, func(i int) string { return fmt.Sprintf("class A%d : A%d {};", i+1, i) }) + "class Z : A800 { void f() { x(); this->y(); } };",
		"a long chain of calls": "struct A { A f(A a) { return f(a)" + strings.Repeat(".f(f(f(a)))", 500) + "; } };",
		"calls in calls":        "template <typename T> T f(T a) { return " + strings.Repeat("f(", 300) + "a" + strings.Repeat(")", 300) + "; }",
		"deep namespaces":       repeat(150, func(i int) string { return fmt.Sprintf("namespace a%d { void f%d() { f0(); }", i, i) }) + strings.Repeat("}", 150),
		"many members by name":  repeat(2000, func(i int) string { return fmt.Sprintf("struct A%d { int member; };", i) }) + "void f(Q *q) { " + repeat(2000, func(int) string { return "q->u->member();" }) + "}",
		"values of each other":  "void f() {" + repeat(700, func(i int) string { return fmt.Sprintf("auto v%d = v%d.a(v%d);", i, (i+1)%700, (i+7)%700) }) + "v0.x(); }",
		"arrows of each other":  "struct A { B operator->(); }; struct B { A operator->(); }; void f(A a) { a->x->y; }",
		"globals of each other": repeat(500, func(i int) string { return fmt.Sprintf("auto v%d = v%d.a;", i, (i+1)%500) }) + "void f() { v0.x(); }",
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "p/a.cc", Data: []byte("#include \"b.h\"\n" + code)}, txtar.File{Name: "p/b.h", Data: []byte("#include \"a.cc\"\n" + code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
