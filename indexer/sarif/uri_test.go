package sarif

import (
	"path"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	b := bases{
		defined: map[string]reference{
			"%SRCROOT%": {uri: "file:///ci/work/shop/"},
			"WEB":       {uri: "web/app/", base: "%SRCROOT%"},
			"ALONE":     {uri: "web/"},
			"HOME":      {uri: "file:///home/me/shop/tools/"},
			"ELSEWHERE": {uri: "file:///usr/include/"},
			"EMPTY":     {},
			"LOOP":      {uri: "a/", base: "POOL"}, "POOL": {uri: "b/", base: "LOOP"},
			"HTTP":   {uri: "https://x.y/"},
			"MAPPED": {uri: "file:///other/"},
			"NAMED":  {base: "WEB"},
		},
		mapped: map[string]bool{"MAPPED": true},
	}
	b.settle([]string{"/home/me/shop", "C:/src/shop"}, []string{"%SRCROOT%", "ALONE", "ELSEWHERE", "MAPPED"})
	tests := []struct {
		uri, base, want string
		why             Reason
	}{
		{"a.go", "", "a.go", 0},
		{"./a/../b//c.go", "", "b/c.go", 0},
		{`src\win\a.go`, "", "src/win/a.go", 0},
		{"with%20space/%C3%A4.go", "", "with space/ä.go", 0},
		{"100%.txt", "", "100%.txt", 0},
		{"c#/a?.cs", "", "c#/a?.cs", 0},
		{"a.go", "%SRCROOT%", "a.go", 0},
		{"a.go", "%srcroot%", "a.go", 0}, // nowhere defined, but known by convention
		{"a.go", "PROJECTROOT", "a.go", 0},
		{"a.ts", "WEB", "web/app/a.ts", 0},
		{"../a.ts", "WEB", "web/a.ts", 0},
		{"../../../a.ts", "WEB", "", OutsideRepository},
		{"a.ts", "ALONE", "web/a.ts", 0},
		{"a.ts", "NAMED", "web/app/a.ts", 0},
		{"a.sh", "HOME", "tools/a.sh", 0},
		{"../a.sh", "HOME", "a.sh", 0},
		{"stdio.h", "ELSEWHERE", "", OutsideRepository},
		{"x", "MAPPED", "x", 0},
		{"x", "EMPTY", "", UnknownBase},
		{"x", "NOBODY", "", UnknownBase},
		{"x", "LOOP", "", UnknownBase},
		{"x", "HTTP", "", UnknownBase},
		{"file:///home/me/shop/a.go", "", "a.go", 0},
		{"file:///home/me/shop/a.go", "ELSEWHERE", "a.go", 0},
		{"file://localhost/home/me/shop/a.go", "", "a.go", 0},
		{"file:/home/me/shop/a.go", "", "a.go", 0},
		{"FILE:///home/me/shop/%61.go", "", "a.go", 0},
		{"file://server/home/me/shop/a.go", "", "", OutsideRepository},
		{"file:///home/me/shopping/a.go", "", "", OutsideRepository},
		{"file:///home/me/shop/../../../etc/passwd", "", "", OutsideRepository},
		{"file:///home/me/shop/%2e%2e/x", "", "", OutsideRepository},
		{"file:///home/me/shop", "", "", BadURI},
		{"file:///ci/work/shop/a.go", "", "a.go", 0}, // below a base that means the root
		{"file:///other/a.go", "", "a.go", 0},
		{"/home/me/shop/a.go", "", "a.go", 0},
		{"/etc/passwd", "%SRCROOT%", "", OutsideRepository},
		{`C:\src\shop\a.go`, "", "a.go", 0},
		{"file:///c:/src/shop/a.go", "", "a.go", 0},
		{"file:///c%3A/src/shop/a.go", "", "a.go", 0},
		{"file://C:/src/shop/a.go", "", "a.go", 0},
		{`D:\src\shop\a.go`, "", "", OutsideRepository},
		{`..\..\a.go`, "", "", OutsideRepository},
		{"%2e%2e/a.go", "", "", OutsideRepository},
		{"..%5ca.go", "", "", OutsideRepository},
		{"a/../../b", "%SRCROOT%", "", OutsideRepository},
		{".git/config", "", "", OutsideRepository},
		{"a/../.git/config", "", "", OutsideRepository},
		{"./C:/x", "", "C:/x", 0}, // a directory that is called C: below the root
		{".", "", "", BadURI},
		{"", "", "", BadURI},
		{"a%00b", "", "", BadURI},
		{"a%ffb", "", "", BadURI},
		{"https://x.y/a.go", "", "", NotAFile},
		{"git:a.go", "", "", NotAFile},
	}
	for _, test := range tests {
		got, why, ok := b.resolve(reference{uri: test.uri, base: test.base})
		if got != test.want || why != test.why || ok != (test.want != "") {
			t.Errorf("%s in %q: %q %v %v", test.uri, test.base, got, why, ok)
		}
	}
}

func TestRootsOfTheCaller(t *testing.T) {
	for _, root := range []string{"/tmp/a%20b", "file:///tmp/a%2520b", "/tmp/./a%20b/"} {
		results, r := must(t, report(`{"results":[{"message":{},"locations":[`+at("file:///tmp/a%2520b/x.go", 1)+`]}]}`), "/nowhere", root)
		if len(results) != 1 || results[0].Location.Path != "x.go" {
			t.Errorf("%s: refused %v", root, r.Refused())
		}
	}
	if results, _ := must(t, report(`{"results":[{"message":{},"locations":[`+at("file:///a/x.go", 1)+`]}]}`), "/"); len(results) != 1 {
		t.Error("the root of the machine is no root")
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"a/b.go", "file:///r/a", `C:\r\a`, "%2e%2e/%", "../x", "file://C:", "/C:/x", "//", "%5c%5c"} {
		f.Add(s, "%SRCROOT%", "sub/")
		f.Add("x", "B", s)
	}
	f.Fuzz(func(t *testing.T, uri, base, baseURI string) {
		b := bases{defined: map[string]reference{"B": {uri: baseURI}, "%SRCROOT%": {uri: baseURI}}}
		b.settle([]string{"/r"}, []string{"%SRCROOT%", "B"})
		p, _, ok := b.resolve(reference{uri: uri, base: base})
		if !ok {
			return
		}
		if p == "" || p != path.Clean(p) || p[0] == '/' || p == "." || p == ".." || strings.HasPrefix(p, "../") || strings.ContainsAny(p, "\\\x00\n") || strings.HasPrefix(p+"/", ".git/") {
			t.Errorf("%q in %q=%q gives %q", uri, base, baseURI, p)
		}
	})
}
