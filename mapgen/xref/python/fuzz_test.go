package python

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
	f.Add("class A(B): pass\nclass B(A): pass\nA().x", "from a import *\nfrom b import *")
	f.Add("x = x.y\ny = x()\ndef f() -> f: f().f", "import a.b as c\nc.d.e()")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "p/a.py", Data: []byte(a)}, txtar.File{Name: "p/__init__.py", Data: []byte(b)}, txtar.File{Name: "p/b.py", Data: []byte(b + "\n" + a)})
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
		"bases of each other":        "class A(B): ...\nclass B(C): ...\nclass C(A): ...\nA().x.y()\n",
		"iterators of each other":    "class A:\n    def __iter__(self) -> 'B | A': ...\nclass B:\n    def __iter__(self) -> 'A | B': ...\nfor x in A():\n    for y in x: y.z()\n",
		"results of each other":      "def f() -> 'type[g]': ...\ndef g() -> 'f': ...\nf()()().x\ng().y\n",
		"callable that gives itself": "class A:\n    def __call__(self) -> 'A': ...\nA()()()()()().x\n",
		"aliases that double":        repeat(60, func(i int) string { return fmt.Sprintf("A%d = dict[A%d, A%d]", i, i+1, i+1) }) + "def f(x: A0): x.y\n",
		"values of each other":       repeat(2000, func(i int) string { return fmt.Sprintf("v%d = v%d.a or v%d.b", i, (i+1)%2000, (i+7)%2000) }) + "v0.x\n",
		"one name many times":        repeat(5000, func(i int) string { return "def f(): f()" }),
		"many bases":                 "class Z: ...\n" + repeat(500, func(i int) string { return fmt.Sprintf("class A%d(Z): ...", i) }) + "class B(" + strings.TrimSuffix(strings.ReplaceAll(repeat(400, func(i int) string { return fmt.Sprint("A", i) }), "\n", ", "), ", ") + "): ...\nB().x\n",
		"a long chain of bases":      repeat(3000, func(i int) string { return fmt.Sprintf("class A%d(A%d): ...", i+1, i) }) + "A3000().x\n",
		"many imports in a body":     "def f():\n" + repeat(5000, func(i int) string { return fmt.Sprintf("    from m%d import n%d", i, i) }) + "    n1()\n",
		"deep functions":             repeat(200, func(i int) string { return strings.Repeat(" ", i) + fmt.Sprintf("def f%d():", i) }) + strings.Repeat(" ", 200) + "f0()\n",
		"many members by name":       repeat(3000, func(i int) string { return fmt.Sprintf("class A%d:\n    def member(self): ...", i) }) + repeat(3000, func(int) string { return "unknown.member()" }),
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "a.py", Data: []byte(code)}, txtar.File{Name: "b.py", Data: []byte("from a import *\n" + code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
