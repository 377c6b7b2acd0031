package ruby

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/langtest"
)

// FuzzExtract holds that no text breaks an invariant of the facts, and that
// rewriting keeps the length and the lines of a text.
func FuzzExtract(f *testing.F) {
	inputs, err := filepath.Glob("testdata/cases/*/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range inputs {
		if filepath.Base(p) == "expected.facts" {
			continue
		}
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	l := Language()
	x := extract.New(lang.NewTable(l), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, text []byte) {
		if out := l.Rewrite(text); out != nil && (len(out) != len(text) || bytes.Count(out, []byte("\n")) != bytes.Count(text, []byte("\n"))) {
			t.Errorf("rewriting changed %d bytes to %d", len(text), len(out))
		}
		langtest.Check(t, x.Extract(text, extract.Plan{Language: l, Extension: l.Extensions[0]}), text)
	})
}
