package shapes

type fence struct{ open int }

var tables = []struct {
	in   int
	want map[string]struct{ deep int }
}{{in: 1}}

// Shapes keep what the types of expressions follow from.
func shapes[T any](p *T, list ...struct{ a int }) {
	var fence fence
	a, b := pair[int](p), pair(p, 1, fence.open)
	c := <-ch
	d := (<-ch).x
	e := append(list[:1], list...)
	f := (&T{}).Method().field
	g := (*p).x[i]
	h := m[i][j].x
	i := m[x.y](z)
	j := []fence(nil)
	k := x.(*T)
	l := struct{ in, out int }{in: 1}
	for _, c := range []struct{ name string }{{name: "a"}} {
		c.name.use()
	}
	n := func(a *T) (int, error) { return 0, nil }
	o := f(func(x int) T { return x }, "a", 3, pkg.Var)
	p := 2 * second
	q := map[fence][]fence{{open: 1}: {{open: 2}}}
	r := new(fence)
	s := make(chan struct{ sent int }, 1)
	f = f
	for x := range f {
		x := x.next()
		x.last()
	}
	loaded(anExtremelyLongName.withManyParts, anExtremelyLongName.withOtherParts, anExtremelyLongName.withFurtherParts, anExtremelyLong).use()
}
