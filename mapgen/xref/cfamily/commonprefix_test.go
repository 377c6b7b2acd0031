package cfamily

import "testing"

func TestCommonPrefix(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "a", 1}, {"a/b", "a", 1}, {"a/b", "a/c", 1}, {"ab", "a", 0}, {"a/bc", "a/b", 1}, {"a/b", "a/b/c", 2}, {"", "a", 0}} {
		if got := commonPrefix(c.a, c.b); got != c.want {
			t.Errorf("%q and %q share %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
