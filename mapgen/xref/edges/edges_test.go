package edges

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/project-map/project-map/indexer/facts"
)

func TestParseShape(t *testing.T) {
	for shape, want := range map[string][]Step{
		"x":                  {{Op: Root, Name: "x"}},
		"c.store.Save()":     {{Op: Root, Name: "c"}, {Op: Member, Name: "store"}, {Op: Member, Name: "Save"}, {Op: Call}},
		"f()()#1":            {{Op: Root, Name: "f"}, {Op: Call}, {Op: Call}, {Op: Result, N: 1}},
		"&pkg.Config{}":      {{Op: Literal, Name: "pkg.Config"}, {Op: Address}},
		"[]*T{}":             {{Op: Literal, Name: "[]*T"}},
		"Props{}.title":      {{Op: Literal, Name: "Props"}, {Op: Member, Name: "title"}},
		"range a.b[]#0":      {{Op: Root, Name: "a"}, {Op: Member, Name: "b"}, {Op: Index}, {Op: Result, N: 0}, {Op: Range}},
		"await this.go()":    {{Op: Root, Name: "this"}, {Op: Member, Name: "go"}, {Op: Call}, {Op: Await}},
		"new a.Store()":      {{Op: New, Name: "a.Store"}},
		"x.(map[string]T).y": {{Op: Root, Name: "x"}, {Op: Convert, Name: "map[string]T"}, {Op: Member, Name: "y"}},
		"\"\"":               {{Op: Basic, Name: "\"\""}},
		"\"\".join()":        {{Op: Basic, Name: "\"\""}, {Op: Member, Name: "join"}, {Op: Call}},
		"[]":                 {{Op: Basic, Name: "[]"}},
		"{}":                 {{Op: Basic, Name: "{}"}},
		"0":                  {{Op: Basic, Name: "0"}},
		"?":                  {{Op: Unknown}},
		"?.then()":           {{Op: Unknown}, {Op: Member, Name: "then"}, {Op: Call}},
		"nil":                {{Op: Basic, Name: "nil"}},
		"nilable":            {{Op: Root, Name: "nilable"}},
		"":                   {{Op: Unknown}},
		"a..b":               {{Op: Unknown}},
		"a(":                 {{Op: Unknown}},
		"x[:]":               {{Op: Root, Name: "x"}, {Op: SliceOf}},
		"a.F<B.C, D[]>().x":  {{Op: Root, Name: "a"}, {Op: Member, Name: "F<B.C, D[]>"}, {Op: Call}, {Op: Member, Name: "x"}},
		"L<(A b, C)>.E":      {{Op: Root, Name: "L<(A b, C)>"}, {Op: Member, Name: "E"}},
		"a<b.c":              {{Op: Root, Name: "a<b"}, {Op: Member, Name: "c"}},
		"größe.länge":        {{Op: Root, Name: "größe"}, {Op: Member, Name: "länge"}},
	} {
		if got := ParseShape(shape); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %v, want %v", shape, got, want)
		}
	}
}

func FuzzParseShape(f *testing.F) {
	f.Add("range a.b()[]#0.(T)")
	f.Fuzz(func(t *testing.T, s string) {
		if steps := ParseShape(s); len(steps) == 0 {
			t.Errorf("%q has no step", s)
		}
	})
}

func TestScopesAt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var scopes []facts.Scope
		var fill func(from, to uint32, parent int32)
		fill = func(from, to uint32, parent int32) {
			for from < to && len(scopes) < 40 {
				from += r.Uint32N(4)
				end := from + r.Uint32N(20)
				if end > to {
					return
				}
				me := int32(len(scopes))
				scopes = append(scopes, facts.Scope{Span: facts.Span{Start: from, End: end}, Parent: parent})
				if r.IntN(2) == 0 {
					fill(from, end, me)
				}
				from = end
			}
		}
		fill(0, 200, -1)
		s := NewScopes(&facts.File{Scopes: scopes})
		for at := range uint32(220) {
			want := int32(-1)
			for i, sc := range scopes {
				if sc.Span.Start <= at && at < sc.Span.End {
					want = int32(i) // children stand behind their parents
				}
			}
			if got := s.At(at); got != want {
				t.Fatalf("scope at %d of %v is %d, want %d", at, scopes, got, want)
			}
		}
	}
}

func TestLookup(t *testing.T) {
	f := &facts.File{
		Scopes:   []facts.Scope{{Span: facts.Span{Start: 0, End: 100}, Parent: -1}, {Span: facts.Span{Start: 20, End: 60}, Parent: 0}},
		Bindings: []facts.Binding{{Name: "x", Scope: 0, Start: 5}, {Name: "x", Scope: 1, Start: 40}, {Name: "late", Scope: 0, Start: 90}},
	}
	s := NewScopes(f)
	for _, c := range []struct {
		name    string
		at      uint32
		hoisted bool
		want    int32
	}{{"x", 30, false, 0}, {"x", 50, false, 1}, {"x", 30, true, 1}, {"x", 70, false, 0}, {"late", 70, false, -1}, {"late", 70, true, 2}, {"y", 50, true, -1}} {
		if got := s.Lookup(s.At(c.at), c.name, c.at, c.hoisted); got != c.want {
			t.Errorf("%s at %d is %d, want %d", c.name, c.at, got, c.want)
		}
	}
}

// Whatever was asked before, an answer is the same: a graph of questions with
// circles, where an answer is the sorted set of what it reaches.
func TestMemoForgetsNothingAndInventsNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 300 {
		n := 2 + r.IntN(8)
		next := make([][]int, n)
		for i := range next {
			for range r.IntN(3) {
				next[i] = append(next[i], r.IntN(n))
			}
		}
		newAsk := func() func(int) string {
			m := &Memo[int, string]{Stack: &Stack{}}
			var ask func(i int, u *Uses) string
			ask = func(i int, u *Uses) string {
				return m.Get(i, u, func(u *Uses) string {
					u.Doc(i)
					s := fmt.Sprint(i)
					for _, k := range next[i] {
						s += "(" + ask(k, u) + ")"
					}
					return s
				})
			}
			return func(i int) string {
				u := &Uses{}
				return ask(i, u) + fmt.Sprint(u.Docs())
			}
		}
		if round%3 == 0 {
			// A chain longer than answers may be deep.
			n = maxDepth + 10
			next = make([][]int, n)
			for i := range n - 1 {
				next[i] = []int{i + 1}
			}
		}
		warm := newAsk()
		for range 3 * n {
			i := r.IntN(n)
			if got, want := warm(i), newAsk()(i); got != want {
				t.Fatalf("round %d: %v: %d is %s, fresh %s", round, next, i, got, want)
			}
		}
	}
}
