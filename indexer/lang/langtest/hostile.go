package langtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// TimeLimit is how long work may take that takes d at the most without the race
// detector.
func TimeLimit(d time.Duration) time.Duration {
	if raceDetector {
		return 20 * d
	}
	return d
}

// Reader reads texts as files of a row.
func Reader(l *lang.Language, extension string, others ...*lang.Language) func(text string) *facts.File {
	x := extract.New(lang.NewTable(append([]*lang.Language{l}, others...)...), extract.DefaultLimits)
	return func(text string) *facts.File {
		return x.Extract([]byte(text), extract.Plan{Language: l, Extension: extension})
	}
}

// UsualDamage is what happens to a line of any language while it is edited.
func UsualDamage() map[string]func(line string) string {
	return map[string]func(string) string{
		"no line":    func(string) string { return "" },
		"open brace": func(line string) string { return strings.TrimSuffix(line, "\n") + " {\n" },
		"open quote": func(line string) string { return strings.TrimSuffix(line, "\n") + " \"\n" },
		"closing":    func(line string) string { return "}])" + line },
		"conflict":   func(line string) string { return "<<<<<<< HEAD\n" + line },
	}
}

// CheckPieces holds that the parts that a row finds in a text obey the rules of
// lang.Piece.
func CheckPieces(t *testing.T, l *lang.Language, text []byte, extension string) {
	t.Helper()
	for _, p := range l.Parts(text, extension) {
		end := uint32(0)
		for _, piece := range p.Pieces {
			if piece.Start < end || int(piece.Start)+len(piece.Text) > len(text) {
				t.Fatalf("%s: piece [%d,%d) after %d in %d bytes of %q", p.Language, piece.Start, int(piece.Start)+len(piece.Text), end, len(text), text)
			}
			end = piece.Start + uint32(len(piece.Text))
		}
	}
}

// Tokens puts tokens of a row with parts into texts in any order, which breaks no
// invariant, and repeats each many times, which takes linear time. pick gives
// numbers below n, the same ones in every run.
func Tokens(t *testing.T, l *lang.Language, tokens []string, pick func(n int) int, others ...*lang.Language) {
	t.Helper()
	extension := l.Extensions[0]
	read := Reader(l, extension, others...)
	for range 2000 {
		var b strings.Builder
		for range pick(40) {
			b.WriteString(tokens[pick(len(tokens))])
		}
		text := b.String()
		Check(t, read(text), []byte(text))
		CheckPieces(t, l, []byte(text), extension)
		if t.Failed() {
			t.Fatalf("%q", text)
		}
	}
	for _, token := range tokens {
		for _, text := range []string{strings.Repeat(token, 100_000/len(token)), "<b>" + strings.Repeat(token+" ", 100_000/len(token))} {
			start := time.Now()
			l.Parts([]byte(text), extension)
			if d := time.Since(start); d > TimeLimit(3*time.Second) {
				t.Errorf("%q: %v", token, d)
			}
		}
	}
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
