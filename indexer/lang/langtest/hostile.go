package langtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Fuzz holds that no text breaks an invariant of the facts, and that rewriting
// keeps the length and the lines of a text. The cases of the calling package are
// the seeds. others are rows that l hands some of its files on to.
func Fuzz(f *testing.F, l *lang.Language, others ...*lang.Language) {
	inputs, err := filepath.Glob("testdata/cases/*/*")
	if err != nil || len(inputs) == 0 {
		f.Fatal("no seeds", err)
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
	x := extract.New(lang.NewTable(append([]*lang.Language{l}, others...)...), extract.DefaultLimits)
	f.Fuzz(func(t *testing.T, text []byte) {
		if l.Rewrite != nil {
			out := l.Rewrite(text)
			if out != nil && (len(out) != len(text) || bytes.Count(out, []byte("\n")) != bytes.Count(text, []byte("\n"))) {
				t.Errorf("rewriting changed %d bytes to %d", len(text), len(out))
			}
		}
		Check(t, x.Extract(text, extract.Plan{Language: l, Extension: l.Extensions[0]}), text)
	})
}

// DamageLines damages lines first, first+step, … before last of a text, one at a
// time, in each of the ways given, and holds that this costs the definition that
// the line stands in at most: every other one is found once, with its kind and
// container, and at most one is made up.
func DamageLines(t *testing.T, source string, first, last, step int, read func(string) *facts.File, ways map[string]func(line string) string) {
	t.Helper()
	type identity struct {
		name, container string
		kind            facts.Kind
	}
	whole := read(source)
	lines := strings.SplitAfter(source, "\n")
	for name, damage := range ways {
		for i := first; i < last; i += step {
			broken := damage(lines[i])
			if broken == lines[i] {
				continue
			}
			text := strings.Join(lines[:i], "") + broken + strings.Join(lines[i+1:], "")
			f := read(text)
			Check(t, f, []byte(text))
			got := map[identity]int{}
			for k := range f.Symbols {
				s := &f.Symbols[k]
				got[identity{s.Name, s.Container, s.Kind}]++
			}
			lost := 0
			for k := range whole.Symbols {
				s := &whole.Symbols[k]
				if id := (identity{s.Name, s.Container, s.Kind}); got[id] != 1 {
					lost++
					if lost > 1 {
						t.Errorf("%s in line %d: %s %s in %q found %d times", name, i+1, s.Kind, s.Name, s.Container, got[id])
					}
				}
			}
			if len(f.Symbols) > len(whole.Symbols)+1 {
				t.Errorf("%s in line %d: %d definitions of %d", name, i+1, len(f.Symbols), len(whole.Symbols))
			}
		}
	}
}
