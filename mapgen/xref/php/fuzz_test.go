package php

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
	f.Add("<?php class A extends B { use C; /** @var A<B> */ public $a; function f() { return $this->a->a[0]->b(); } }", "<?php /** @method A<A> x() */ class B extends A {} trait C { use C; }")
	f.Add("<?php namespace p; use function p\\{f, g as h}; $x = f()->$x; foreach ($x as $x) { $x->y(); }", "<?php namespace p; function f(): static|B {} const X = X;")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "p/A.php", Data: []byte(a)}, txtar.File{Name: "p/B.php", Data: []byte(b)}, txtar.File{Name: "q/C.php", Data: []byte(b + "\n" + a)})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"?A", "A|B|null", "(A&B)|null", "array<int, list<A>>", "A[][]", "array{a: A, b?: B}", "callable(A): B", "($x is A ? B : C)", "class-string<A>", "'a'|'b'", "A::B_*", "...A", "int<0, max>", "<<", "(((", "::", ":::A"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := typeParser{s: s}
		if p.joined(0); p.at > len(s) {
			t.Errorf("%q is read up to %d", s, p.at)
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
		"bases of each other":  "class A extends B {} class B extends C {} class C extends A { function f() { $this->b(); parent::g(); } }",
		"traits of each other": "trait A { use B; function f() { $this->x(); } } trait B { use A; function g() { self::y(); } }",
		"bounds of each other": "/** @template T of U\n * @template U of T */ class A { /** @return T */ function f() { $this->f()->x(); } }",
		"results that grow": repeat(60, func(i int) string {
			return fmt.Sprintf("/** @template T */ class A%d { /** @return A%d<A%d<T>, T> */ function next() {} }", i, i+1, i+1)
		}) + "function f(A0 $a) { $a->next()->next()->next()->next()->next()->next()->x(); }",
		"one name many times":   "class A {" + repeat(1000, func(i int) string { return fmt.Sprintf("function f(A%d $b) { $this->f(1, $b); }", i) }) + "}",
		"a long chain of bases": repeat(2000, func(i int) string { return fmt.Sprintf("class A%d extends A%d {}", i+1, i) }) + "class Z extends A2000 { function f() { $this->x(); parent::y(); } }",
		"a long chain of calls": "class A { function f(): static { return $this" + strings.Repeat("->f(f(f($a)))", 500) + "; } }",
		"many users of a trait": "trait T { function f() { $this->x(); $this->y(); } }" + repeat(1000, func(i int) string { return fmt.Sprintf("class A%d { use T; function x() {} }", i) }),
		"traits in traits": repeat(300, func(i int) string {
			return fmt.Sprintf("trait A%d { use A%d, A%d; function f%d() { $this->x(); } }", i, (i+1)%300, (i+7)%300, i)
		}),
		"anonymous in anonymous": "class A { function f() { " + strings.Repeat("new class extends A { function g() { $this->f(); ", 60) + strings.Repeat("} };", 60) + "} }",
		"many members by name":   repeat(700, func(i int) string { return fmt.Sprintf("class A%d { function member() {} }", i) }) + "function z($q) { " + repeat(700, func(int) string { return "$q->u->member();" }) + "}",
		"conditions":             "function f($a) { " + strings.Repeat("if ($a instanceof A && $a->b instanceof B) { $a->c(); ", 200) + strings.Repeat("}", 200) + "}",
		"closures":               "function f($a) { " + strings.Repeat("$b = function () use ($a) { $a->x(); ", 150) + strings.Repeat("};", 150) + "}",
		"values of each other":   "function f() {" + repeat(1500, func(i int) string { return fmt.Sprintf("$v%d = $v%d->a($v%d);", i, (i+1)%1500, (i+7)%1500) }) + "$v0->x(); }",
		"one variable":           "function f() {" + repeat(1000, func(i int) string { return "$v = $v->a(); $v->b();" }) + "}",
		"documented members":     "/**\n" + repeat(5000, func(i int) string { return fmt.Sprintf(" * @method static m%d()", i) }) + "*/ class A { function f() { $this->m1()->m2(); } }",
	} {
		code = "<?php " + code
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "p/A.php", Data: []byte(code)}, txtar.File{Name: "p/B.php", Data: []byte(code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
