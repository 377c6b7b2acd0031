package lazyregexp

import (
	"reflect"
	"regexp"
	"sync"
	"testing"
)

var word = New(`(\w)(\w+)`)

// Every method gives what the one of the same name of regexp gives.
func TestMethods(t *testing.T) {
	want := regexp.MustCompile(`(\w)(\w+)`)
	double := func(s string) string { return s + s }
	for name, args := range map[string][]any{
		"Match": {[]byte("a bc de")}, "MatchString": {"a b"},
		"FindIndex": {[]byte("a bc de")}, "FindSubmatch": {[]byte("a bc de")}, "FindSubmatchIndex": {[]byte("a bc de")},
		"FindAllIndex": {[]byte("a bc de"), 1}, "FindAllSubmatch": {[]byte("a bc de"), -1}, "FindAllSubmatchIndex": {[]byte("a bc de"), -1},
		"FindStringSubmatch": {"a bc de"}, "FindStringSubmatchIndex": {"a bc de"},
		"FindAllStringSubmatch": {"a bc de", -1}, "FindAllStringSubmatchIndex": {"a bc de", -1},
		"ReplaceAll": {[]byte("a bc de"), []byte("$2$1")}, "ReplaceAllString": {"a bc de", "$2$1"},
		"ReplaceAllFunc":       {[]byte("a bc de"), func(b []byte) []byte { return []byte(double(string(b))) }},
		"ReplaceAllStringFunc": {"a bc de", double},
	} {
		var in []reflect.Value
		for _, a := range args {
			in = append(in, reflect.ValueOf(a))
		}
		got := reflect.ValueOf(word).MethodByName(name).Call(in)[0].Interface()
		if w := reflect.ValueOf(want).MethodByName(name).Call(in)[0].Interface(); !reflect.DeepEqual(got, w) {
			t.Errorf("%s gives %v, want %v", name, got, w)
		}
	}
	if n := reflect.TypeOf(word).NumMethod(); n != 16 {
		t.Errorf("%d methods: the test knows 16", n)
	}
}

func TestCompiledOnceWhenUsed(t *testing.T) {
	r := New(`a+`)
	if r.re != nil {
		t.Fatal("New compiles")
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if !r.MatchString("baa") || r.MatchString("b") {
				t.Error("a wrong answer")
			}
		})
	}
	wait.Wait()
	first := r.re
	if r.Match([]byte("a")); r.re != first {
		t.Error("compiled again")
	}
}

func TestWrongExpressionPanicsWhenUsed(t *testing.T) {
	r := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	r.MatchString("")
}
