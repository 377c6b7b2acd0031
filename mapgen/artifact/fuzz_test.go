package artifact

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func addSeeds(f *testing.F) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		f.Fatal("no goldens to start from", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 6000 { // mutations of long pages find nothing new
			f.Add(data)
		}
	}
	f.Add([]byte("<!-- project-map map format=1 feature=2 -->\n# `x`\n\n## Files\n\n### `a` go; test\n- Symbols: `A`, about 20 more\n- func `func`:\n## New\nwhat\n"))
	f.Add([]byte("<!-- project-map index format=1 feature=1 -->\r\n# `x`\r\n"))
}

// checkError asserts that an error of parsing is one that callers know.
func checkError(t *testing.T, err error) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.Is(err, ErrForeign) && !errors.Is(err, ErrNewer) && !errors.Is(err, ErrConflicted) && !errors.As(err, &syntax) {
		t.Fatalf("unknown error %v", err)
	}
}

func FuzzParseIndex(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ParseIndex(data)
		state := Inspect(data)
		if err != nil {
			checkError(t, err)
			return
		}
		norm := x.Normalized()
		page := encodeIndex(norm)
		if state == Canonical && page != string(unixLines(data)) {
			t.Fatalf("canonical, but renders as\n%s", page)
		}
		// Whatever was read, writing it gives a canonical page of the same
		// content.
		again, err := ParseIndex([]byte(page))
		if err != nil {
			t.Fatalf("%v\n%s", err, page)
		}
		if !reflect.DeepEqual(again, norm) {
			t.Fatalf("changed\n%#v\n%#v", norm, again)
		}
		if Inspect([]byte(page)) != Canonical || bytes.Count([]byte(page), []byte("\n"+headerPrefix)) > 0 {
			t.Fatalf("not canonical\n%s", page)
		}
	})
}

func FuzzParseMap(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseMap(data)
		state := Inspect(data)
		if err != nil {
			checkError(t, err)
			return
		}
		norm := m.Normalized()
		page := encodeMap(norm)
		if state == Canonical && page != string(unixLines(data)) {
			t.Fatalf("canonical, but renders as\n%s", page)
		}
		again, err := ParseMap([]byte(page))
		if err != nil {
			t.Fatalf("%v\n%s", err, page)
		}
		if !reflect.DeepEqual(again, norm) {
			t.Fatalf("changed\n%#v\n%#v", norm, again)
		}
		if Inspect([]byte(page)) != Canonical {
			t.Fatalf("not canonical\n%s", page)
		}
	})
}
