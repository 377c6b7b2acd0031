package scip

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	bindings "github.com/scip-code/scip/bindings/go/scip"

	"github.com/project-map/project-map/indexer/facts"
)

func TestParseSymbol(t *testing.T) {
	for text, want := range map[string]struct {
		symbol Symbol
		kind   facts.Kind
	}{
		"local 12": {Symbol{Local: "12"}, facts.KindUnknown},
		"scip-go gomod example.com/x v0 `example.com/x`/Store#Save().": {Symbol{Scheme: "scip-go", Manager: "gomod", Package: "example.com/x", Version: "v0",
			Descriptors: []Descriptor{{"example.com/x", "", SuffixNamespace}, {"Store", "", SuffixType}, {"Save", "", SuffixMethod}}}, facts.KindMethod},
		"s . . . a/f(+1).": {Symbol{Scheme: "s", Descriptors: []Descriptor{{"a", "", SuffixNamespace}, {"f", "+1", SuffixMethod}}}, facts.KindFunction},
		"a  b m p v x.":    {Symbol{Scheme: "a b", Manager: "m", Package: "p", Version: "v", Descriptors: []Descriptor{{"x", "", SuffixTerm}}}, facts.KindVariable},
		"s m p v C#`a``b`.": {Symbol{Scheme: "s", Manager: "m", Package: "p", Version: "v",
			Descriptors: []Descriptor{{"C", "", SuffixType}, {"a`b", "", SuffixTerm}}}, facts.KindField},
		"s m p v f().(x)": {Symbol{Scheme: "s", Manager: "m", Package: "p", Version: "v",
			Descriptors: []Descriptor{{"f", "", SuffixMethod}, {"x", "", SuffixParameter}}}, facts.KindUnknown},
		"s m p v C#[T]": {Symbol{Scheme: "s", Manager: "m", Package: "p", Version: "v",
			Descriptors: []Descriptor{{"C", "", SuffixType}, {"T", "", SuffixTypeParameter}}}, facts.KindUnknown},
		"s m p v m!":            {Symbol{Scheme: "s", Manager: "m", Package: "p", Version: "v", Descriptors: []Descriptor{{"m", "", SuffixMacro}}}, facts.KindMacro},
		"s m p v `x`/__init__:": {Symbol{Scheme: "s", Manager: "m", Package: "p", Version: "v", Descriptors: []Descriptor{{"x", "", SuffixNamespace}, {"__init__", "", SuffixMeta}}}, facts.KindModule},
	} {
		got, err := ParseSymbol(text)
		if err != nil || !reflect.DeepEqual(got, want.symbol) {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
		if got.Kind() != want.kind {
			t.Errorf("%q is a %s, want %s", text, got.Kind(), want.kind)
		}
	}
}

func TestNameOfASymbol(t *testing.T) {
	for text, want := range map[string]string{"local 1": "", "s m p v `x/y`/": "", "s m p v `x`/__init__:": "", "s m p v a/f().": "f", "s m p v C#x.": "x", "s m p v C#`<get>size`().": "size",
		"s m p v C#`<constructor>`().": "constructor", "s m p v a/key12:": "key", "s m p v f().(arg)": "arg"} {
		s, err := ParseSymbol(text)
		if got := s.Name(); err != nil || got != want {
			t.Errorf("%q is called %q, want %q (%v)", text, got, want, err)
		}
	}
}

func TestBadSymbols(t *testing.T) {
	for _, text := range []string{"", "local ", "local a b", "s", "s m p v", "s m p v ", "s m p v x", "s m p v #", "s m p v f(", "s m p v f()", "s m p v f(a",
		"s m p v (x", "s m p v [x", "s m p v `x", "s m p v x?", "s m p v \u00e4.", strings.Repeat("x", 1000)} {
		if got, err := ParseSymbol(text); !errors.Is(err, ErrFormat) || len(err.Error()) > 300 {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

// What both this parser and the official one take, they take the same way.
func FuzzParseSymbol(f *testing.F) {
	for _, s := range []string{"local 1", "s m p v a/b#c().", "s . . . `a``b`#[T]", "a  b m p v f(+1).(x)", "s m p v x!y:"} {
		f.Add(s)
	}
	suffixes := map[bindings.Descriptor_Suffix]Suffix{bindings.Descriptor_Namespace: SuffixNamespace, bindings.Descriptor_Type: SuffixType, bindings.Descriptor_Term: SuffixTerm,
		bindings.Descriptor_Method: SuffixMethod, bindings.Descriptor_TypeParameter: SuffixTypeParameter, bindings.Descriptor_Parameter: SuffixParameter,
		bindings.Descriptor_Meta: SuffixMeta, bindings.Descriptor_Macro: SuffixMacro}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ParseSymbol(s)
		if err != nil {
			return
		}
		if !utf8.ValidString(s) {
			return
		}
		want, err := bindings.ParseSymbol(s)
		if err != nil || got.Local != "" {
			return // the official parser refuses some escapes at the end
		}
		if got.Scheme != want.Scheme || got.Manager != want.Package.Manager || got.Package != want.Package.Name || got.Version != want.Package.Version || len(got.Descriptors) != len(want.Descriptors) {
			t.Fatalf("%q is %+v, want %v", s, got, want)
		}
		for i, d := range want.Descriptors {
			if g := got.Descriptors[i]; g.Name != d.Name || g.Disambiguator != d.Disambiguator || g.Suffix != suffixes[d.Suffix] {
				t.Fatalf("%q has %+v, want %v", s, g, d)
			}
		}
	})
}
