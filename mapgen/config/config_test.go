package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/artifact"
)

func TestParse(t *testing.T) {
	c, err := Parse([]byte(`
version: "0.1"
artifacts: none
exclude: ["testdata/"]
test: make test
summaries: {./src/core/: The heart}
hints:
  - for: stale signatures
    in: src
    files: [src/validate.ts]
    index: [src]
    map: [src/.pi-map.md]
workflows:
  - name: release
    command: make release
    files: [Makefile]
`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Version != "0.1" || c.Artifacts != "none" || c.Test != "make test" || c.Written.Summaries["src/core"] != "The heart" {
		t.Errorf("%+v", c)
	}
	want := []artifact.Target{
		{Kind: artifact.TargetFile, Path: "src/validate.ts"},
		{Kind: artifact.TargetIndex, Path: "src/.pi-map.index.md"},
		{Kind: artifact.TargetMap, Path: "src/.pi-map.md"},
	}
	if h := c.Written.Hints["src"]; len(h) != 1 || h[0].Topic != "stale signatures" || !reflect.DeepEqual(h[0].Targets, want) {
		t.Errorf("hints: %+v", c.Written.Hints)
	}
	if w := c.Written.Workflows; len(w) != 1 || w[0].Source != Name || w[0].Command != "make release" {
		t.Errorf("workflows: %+v", w)
	}
	if d, err := Parse(nil); err != nil || d.Artifacts != "beside" {
		t.Errorf("default: %+v, %v", d, err)
	}
}

func TestErrorsNameTheField(t *testing.T) {
	for text, want := range map[string]string{
		"nonsense: 1":                                   "nonsense",
		"version: latest":                               "version",
		"artifacts: elsewhere":                          "beside",
		"hints: [{files: [a]}]":                         "hints[0]",
		"hints: [{for: x}]":                             "nothing to read",
		"hints: [{for: x, files: [../../etc]}]":         "outside",
		"hints: [{for: x, files: [/etc/passwd]}]":       "outside",
		`hints: [{for: x, files: ["..\\secret"]}]`:      "outside",
		"summaries: {../x: y}":                          "outside",
		"workflows: [{command: x}]":                     "workflows[0]",
		"exclude: {":                                    "line",
		"version: '" + strings.Repeat("x", 1<<20) + "'": "bytes",
	} {
		_, err := Parse([]byte(text))
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("hints: [{for: x, files: [a]}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Parse(text)
		if (c == nil) != (err != nil) {
			t.Fatalf("%v, %v", c, err)
		}
	})
}
