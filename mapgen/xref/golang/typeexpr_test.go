package golang

import (
	"fmt"
	"strings"
	"testing"
)

// text writes an expression back, so that a test can tell what was read.
func (e *expr) text() string {
	if e == nil {
		return "bad"
	}
	list := func(of []param) string {
		var out []string
		for _, p := range of {
			s := p.typ.text()
			if p.variadic {
				s = "..." + s
			}
			out = append(out, strings.TrimSpace(p.name+" "+s))
		}
		return "(" + strings.Join(out, "; ") + ")"
	}
	switch e.form {
	case formName:
		s := e.name
		if e.pkg != "" {
			s = e.pkg + "." + s
		}
		for _, a := range e.args {
			s += "<" + a.text() + ">"
		}
		return s
	case formPointer:
		return "*" + e.elem.text()
	case formSlice:
		return "[]" + e.elem.text()
	case formMap:
		return "map " + e.key.text() + " " + e.elem.text()
	case formChan:
		return "chan " + e.elem.text()
	case formFunc:
		return "func" + list(e.params) + list(e.results)
	case formStruct, formInterface:
		return fmt.Sprintf("%d@%d:%d", e.form, e.start, e.end)
	}
	return "union"
}

func TestParseType(t *testing.T) {
	for in, want := range map[string]string{
		"T":                             "T",
		"*pkg.T":                        "*pkg.T",
		"[]map[string][4]*T":            "[]map string []*T",
		"[...]T":                        "[]T",
		"<-chan T":                      "chan T",
		"chan<- chan T":                 "chan chan T",
		"Set[K, *V]":                    "Set<K><*V>",
		"pkg.Set[[]K]":                  "pkg.Set<[]K>",
		"func()":                        "func()()",
		"func(a, b int, c ...T) error":  "func(a int; b int; c ...T)(error)",
		"func(int, T) (x T, err error)": "func(int; T)(x T; err error)",
		"func(chan int, func(x T))":     "func(chan int; func(x T)())()",
		"struct":                        "7@0:0",
		"struct{ a struct{ b int } }":   "7@0:0",
		"[]struct@8:95":                 "[]7@8:95",
		"interface{ M(x T) }":           "8@0:0",
		"map[string]interface{}":        "map string 8@0:0",
		"(T)":                           "T",
		"größe":                         "größe",
		"struct{ cut int; off stru…":    "7@0:0",
		"":                              "bad",
		"*":                             "bad",
		"T U":                           "bad",
		"map[T":                         "bad",
		"T[":                            "bad",
		"…":                             "…",
		strings.Repeat("*", 300) + "T":  "bad",
	} {
		if got := parseType(in).text(); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
}

func TestParseTypeParams(t *testing.T) {
	for in, want := range map[string]string{
		"func F[T any](x T)":                             "T any",
		"func F[K comparable, V, W ~[]K | map[K]V](x T)": "K comparable; V union; W union",
		"func F(x T)":                                    "",
		"type F [n]byte":                                 "",
		"type F[T interface{ ~int; M() }, U pkg.X[T]] struct": "T 8@0:0; U pkg.X<T>",
		"type F[T any,] struct":                               "T any",
		"func (x *F[T]) F()":                                  "",
		"func F[T":                                            "",
	} {
		var out []string
		for _, p := range parseTypeParams(in, "F") {
			out = append(out, p.name+" "+p.constraint.text())
		}
		if got := strings.Join(out, "; "); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"func (s *Set[K, V]) Put()": "K,V", "func (Set[_]) Put()": "_", "func (s Set) Put(x [3]int)": "", "func Put[T any]()": "", "func(s Set[T]) M()": "T",
	} {
		if got := strings.Join(receiverParams(in), ","); got != want {
			t.Errorf("%q has %q, want %q", in, got, want)
		}
	}
}

// Whatever the text, reading ends, and inside the text.
func FuzzParseType(f *testing.F) {
	for _, s := range []string{"func(a, b map[string]struct@1:2) (x T)", "[]chan<- interface{ M() }", "(a, b int, err error)", "F[T any, U ~[]T | X](", "func (s *Set[K])"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parseType(s).text()
		for _, p := range parseResults(s) {
			p.typ.text()
		}
		for _, p := range parseTypeParams(s, "F") {
			p.constraint.text()
		}
		parseConstraint(s)
		receiverParams(s)
		splitList(s)
	})
}
