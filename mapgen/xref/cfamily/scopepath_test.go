package cfamily

import (
	"slices"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func TestScopePath(t *testing.T) {
	for _, c := range []struct {
		signature, container, name string
		want                       []string
	}{
		{"void A::f()", "A", "f", []string{"A"}},
		{"A::B A::B::next(A::B b)", "B", "next", []string{"A", "B"}},
		{"template <typename T> auto a::Box<T, X<int>>::get() -> T", "Box", "get", []string{"a", "Box"}},
		{"::a::A::A(int n)", "A", "A", []string{"a", "A"}},
		{"bool operator==(A a)", "A", "operator==", []string{"A"}},
		{">::f()", "A", "f", []string{"A"}},
		{"", "A", "f", []string{"A"}},
	} {
		got := scopePath(&facts.Symbol{Name: c.name, Container: c.container, Signature: c.signature})
		if !slices.Equal(got, c.want) {
			t.Errorf("%q has the scopes %q, want %q", c.signature, got, c.want)
		}
	}
}
