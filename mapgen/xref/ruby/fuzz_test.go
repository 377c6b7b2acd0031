package ruby

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
	f.Add("class A < B; def a; @a = b.c; @a.d; end; end", "class B < A; def b = a; extend self; include A; end")
	f.Add("A = B; B = A; A.new.x; class A::B::C < A; end", "module A; class A::B < A::B; end; end; B::A.c")
	f.Fuzz(func(t *testing.T, a, b string) {
		suite.Texts(t, txtar.File{Name: "lib/a.rb", Data: []byte(a)}, txtar.File{Name: "lib/b.rb", Data: []byte(b)}, txtar.File{Name: "test/c_test.rb", Data: []byte(b + "\n" + a)})
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
		"bases of each other":     "class A < B; end; class B < C; end; class C < A; def f; a.b; g; self.h; super; end; attr_reader :a; end",
		"modules in each other":   "module A; include B; extend B; end; module B; include A; extend A; extend self; def f; g; B.h; end; end",
		"constants of each other": repeat(200, func(i int) string { return fmt.Sprintf("A%d = A%d", i, (i+1)%200) }) + "A0.new.x; A0::B.y",
		"one name many times":     "class A; " + repeat(3000, func(i int) string { return fmt.Sprintf("def f; f(%d); @f = f; end", i) }) + "end",
		"one class in many openings": repeat(1500, func(i int) string {
			return fmt.Sprintf("module M; class A; include B%d; def f%d; f%d; g; end; end; end", i, i, i+1)
		}),
		"a long chain of bases":    repeat(2000, func(i int) string { return fmt.Sprintf("class A%d < A%d; end", i+1, i) }) + "class Z < A2000; def f; x; super; end; end",
		"a long chain of calls":    "class A; def f(a); return f(a)" + strings.Repeat(".f(f(f(a)))", 500) + "; end; end",
		"deep modules":             repeat(150, func(i int) string { return fmt.Sprintf("module A%d; def f%d; f0; B; end", i, i) }) + strings.Repeat("end\n", 150),
		"many members by name":     repeat(2000, func(i int) string { return fmt.Sprintf("class A%d; def member; end; end", i) }) + "def f(q)\n" + repeat(2000, func(int) string { return "q.u.member" }) + "end",
		"values of each other":     "class A; " + repeat(400, func(i int) string { return fmt.Sprintf("def v%d; @v%d ||= v%d.a; end", i, i, (i+1)%400) }) + "end; A.new.v0.x",
		"a module in many classes": "module M; def f; " + repeat(500, func(i int) string { return fmt.Sprintf("g%d", i) }) + "end; end\n" + repeat(2000, func(i int) string { return fmt.Sprintf("class A%d; include M; def g%d; end; end", i, i) }),
	} {
		start := time.Now()
		suite.Texts(t, txtar.File{Name: "lib/a.rb", Data: []byte(code)}, txtar.File{Name: "lib/b.rb", Data: []byte(code)})
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s took %s", name, took)
		}
	}
}
