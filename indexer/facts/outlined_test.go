package facts

import "testing"

func TestOutlined(t *testing.T) {
	symbols := []Symbol{{Name: "A", Parent: -1}}
	for _, c := range []struct {
		name            string
		file            File
		outlined, aside bool
	}{
		{"parsed", File{Depth: Parsed, Symbols: symbols}, true, false},
		{"parsed, with nothing in it", File{Depth: Parsed}, true, false},
		{"generated", File{Depth: Words, Reason: ReasonGenerated, Symbols: symbols}, true, true},
		{"generated, names of others only", File{Depth: Words, Reason: ReasonGenerated, Exports: []Export{{Name: "*", Module: "./a"}}}, true, true},
		{"generated, words only", File{Depth: Words, Reason: ReasonGenerated}, false, false},
		{"vendored", File{Depth: Words, Reason: ReasonVendored}, false, false},
		{"named by a page", File{Depth: Words, Symbols: symbols}, false, false},
		{"listed", File{Depth: Listed, Reason: ReasonOversized}, false, false},
	} {
		if c.file.Outlined() != c.outlined || c.file.Aside() != c.aside {
			t.Errorf("%s: outlined %t, aside %t", c.name, c.file.Outlined(), c.file.Aside())
		}
	}
}

func TestWithoutAsides(t *testing.T) {
	generated := &File{
		Depth: Words, Reason: ReasonGenerated, Package: "p", Symbols: []Symbol{{Name: "A", Parent: -1}},
		Imports: []Import{{Module: "m"}}, Exports: []Export{{Name: "A"}}, Lines: 7,
	}
	plain := &File{Depth: Parsed, Package: "p"}
	files := []Entry{{Path: "a", File: plain}, {Path: "b"}, {Path: "c", File: generated}}
	out := WithoutAsides(files)
	if out[0].File != plain || out[1].File != nil || files[2].File != generated || len(generated.Symbols) != 1 {
		t.Error("what is no generated file was changed")
	}
	if f := out[2].File; f.Outlined() || f.Package != "" || f.Symbols != nil || f.Imports != nil || f.Exports != nil || f.Lines != 7 || f.Reason != ReasonGenerated {
		t.Errorf("a generated file is described as %+v", f)
	}
	if again := WithoutAsides(out); &again[0] != &out[0] {
		t.Error("files without outlines to hide were copied")
	}
	if len(WithoutAsides(nil)) != 0 {
		t.Error("no files give some")
	}
}
