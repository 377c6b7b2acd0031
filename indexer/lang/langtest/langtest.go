// Package langtest is the suite that every language's row must pass.
//
// A case is a folder under testdata/cases with one file that the row owns and
// expected.facts, the facts in a form that a reader who lacks the language can
// judge. The input may carry the further extension .case, which keeps formatters
// away from it. Run compares the two, reads every case with CRLF line ends, cuts
// it short at every 37th byte, and checks that all spans and indexes hold. With
// -update it writes the expected files anew.
package langtest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

var update = flag.Bool("update", false, "write the expected facts anew")

// cutEvery is the distance of the truncation points, in bytes. It is prime, so
// that cuts fall into every kind of token.
const cutEvery = 37

// Run tests a row with the cases in testdata/cases of the calling package. others
// are rows that it hands some of its files on to.
func Run(t *testing.T, l *lang.Language, others ...*lang.Language) {
	t.Helper()
	table := lang.NewTable(append([]*lang.Language{l}, others...)...)
	x := extract.New(table, extract.DefaultLimits)
	dirs, err := os.ReadDir("testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		ran++
		t.Run(d.Name(), func(t *testing.T) {
			dir := filepath.Join("testdata/cases", d.Name())
			input := inputOf(t, dir)
			source, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(input), ".case")
			extension := strings.ToLower(filepath.Ext(name))
			if got := table.ByPath(name); got != l {
				if got, _ = table.ByContent(source, extension); got != l {
					t.Fatalf("%s is not a file of %s", input, l.Name)
				}
			}
			plan := extract.Plan{Language: l, Extension: extension}
			f := x.Extract(source, plan)
			Check(t, f, source)
			golden(t, filepath.Join(dir, "expected.facts"), []byte(Dump(f)))
			lineEnds(t, x, plan, source, f)
			truncated(t, x, plan, source, f)
		})
	}
	if ran == 0 {
		t.Fatal("no cases under testdata/cases")
	}
}

func inputOf(t *testing.T, dir string) string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), "expected.") {
			return filepath.Join(dir, f.Name())
		}
	}
	t.Fatalf("%s holds no input", dir)
	return ""
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("facts changed (run with -update to accept):\n%s", diff.Diff("want", want, "got", got))
	}
}

// margin is how many definitions may stand between a definition and the cut
// that hides it: the damage costs the one it falls into, and the one before may
// reach up to it.
const margin = 2

// truncated cuts the source short. What ended at least two definitions of the
// file's own level before the cut must be found as in the whole.
func truncated(t *testing.T, x *extract.Extractor, plan extract.Plan, source []byte, whole *facts.File) {
	t.Helper()
	if len(source) == 0 || whole.Depth != facts.Parsed || whole.Traits&(facts.Decoded|facts.GeneratedHeader) != 0 {
		return
	}
	type identity struct {
		name string
		kind facts.Kind
		line uint32
	}
	for n := 0; n < len(source); n += cutEvery {
		cut := bytes.Clone(source[:n])
		f := x.Extract(cut, plan)
		Check(t, f, cut)
		found := map[identity]bool{}
		for i := range f.Symbols {
			s := &f.Symbols[i]
			found[identity{s.Name, s.Kind, s.Line}] = true
		}
		var ends []uint32 // of definitions at the level of the file before the cut
		for i := range whole.Symbols {
			if s := &whole.Symbols[i]; s.Parent < 0 && int(s.Span.End) < n && (len(ends) == 0 || s.Span.End > ends[len(ends)-1]) {
				ends = append(ends, s.Span.End)
			}
		}
		if len(ends) <= margin {
			continue
		}
		safe := ends[len(ends)-1-margin]
		for i := range whole.Symbols {
			s := &whole.Symbols[i]
			if s.Span.End <= safe && !found[identity{s.Name, s.Kind, s.Line}] {
				t.Errorf("%s %s of line %d is lost", s.Kind, s.Name, s.Line)
			}
		}
		if t.Failed() {
			t.Fatalf("cut at byte %d, line %d", n, 1+bytes.Count(cut, []byte("\n")))
		}
	}
}

// lineEnds reads the source with CRLF line ends, which must change no name and
// no line.
func lineEnds(t *testing.T, x *extract.Extractor, plan extract.Plan, source []byte, want *facts.File) {
	t.Helper()
	if bytes.Contains(source, []byte("\r")) || want.Depth != facts.Parsed {
		return
	}
	crlf := bytes.ReplaceAll(source, []byte("\n"), []byte("\r\n"))
	got := x.Extract(crlf, plan)
	Check(t, got, crlf)
	outline := func(f *facts.File) []byte {
		var b bytes.Buffer
		for i := range f.Symbols {
			s := &f.Symbols[i]
			fmt.Fprintf(&b, "%s %s in %q @%d-%d: %s\n", s.Kind, s.Name, s.Container, s.Line, s.EndLine, s.Signature)
		}
		for _, m := range f.Imports {
			fmt.Fprintf(&b, "import %s @%d\n", m.Module, m.Line)
		}
		return b.Bytes()
	}
	if w, g := outline(want), outline(got); !bytes.Equal(w, g) {
		t.Errorf("CRLF line ends change the outline:\n%s", diff.Diff("LF", w, "CRLF", g))
	}
}

// Check holds the facts of a source against the invariants of the vocabulary.
func Check(t *testing.T, f *facts.File, source []byte) {
	t.Helper()
	if f.Depth != facts.Parsed {
		return
	}
	if !utf8.Valid(source) || f.Traits&facts.Decoded != 0 {
		return
	}
	border := func(at uint32) bool {
		return int(at) == len(source) || int(at) < len(source) && utf8.RuneStart(source[at])
	}
	span := func(what string, s facts.Span) {
		t.Helper()
		if s.Start > s.End || !border(s.Start) || !border(s.End) {
			t.Errorf("%s: span [%d,%d) of %d bytes is not inside the file on character borders", what, s.Start, s.End, len(source))
		}
	}
	for i, s := range f.Symbols {
		span(s.Name, s.Span)
		span(s.Name, s.NameSpan)
		switch {
		case s.Kind == facts.KindUnknown:
			t.Errorf("%s: no kind", s.Name)
		case s.Parent >= int32(i):
			t.Errorf("%s: stands before its parent", s.Name)
		case s.Line < 1 || s.EndLine < s.Line || s.EndLine > max(f.Lines, 1):
			t.Errorf("%s: lines %d-%d of %d", s.Name, s.Line, s.EndLine, f.Lines)
		case strings.ContainsAny(s.Signature, "\n\r") || strings.ContainsAny(s.Doc, "\n\r"):
			t.Errorf("%s: signature or documentation of several lines", s.Name)
		case len(s.Signature) > facts.MaxSignature || len(s.Doc) > facts.MaxDoc:
			t.Errorf("%s: signature or documentation over its cap", s.Name)
		}
		if got := uint32(1 + bytes.Count(source[:min(int(s.Span.Start), len(source))], []byte("\n"))); got != s.Line {
			t.Errorf("%s: line %d, the file says %d", s.Name, s.Line, got)
		}
	}
	for _, r := range f.Refs {
		if !border(r.Start) {
			t.Errorf("reference %s: offset %d", r.Name, r.Start)
		}
	}
	for _, d := range f.Damage {
		span("damage", d)
	}
	decoded, err := facts.Decode(facts.Append(nil, f))
	if err != nil {
		t.Errorf("encode and decode: %v", err)
	} else if Dump(decoded) != Dump(f) {
		t.Errorf("encoding changed the facts")
	}
}

// Dump is the readable form of facts. Words are left out: they have tests of
// their own and would drown the rest.
func Dump(f *facts.File) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	opt := func(key, value string) string {
		if value == "" {
			return ""
		}
		return fmt.Sprintf(" %s=%s", key, quote(value))
	}
	line("language %s, %s%s%s", f.Language, f.Depth, opt("package", f.Package), opt("reason", string(f.Reason)))
	if t := traitNames(f.Traits); t != "" {
		line("traits %s", t)
	}
	if f.Summary != "" {
		line("summary %s", f.Summary)
	}
	for _, m := range f.Imports {
		names := ""
		for _, n := range m.Names {
			names += " " + n.Name
			if n.Alias != "" {
				names += " as " + n.Alias
			}
		}
		if names != "" {
			names = ":" + names
		}
		line("import %s%s%s%s @%d", quote(m.Module), opt("alias", m.Alias), names, importFlags(m.Flags), m.Line)
	}
	for _, e := range f.Exports {
		line("export %s%s%s", e.Name, opt("local", e.Local), opt("from", e.Module))
	}
	for i := range f.Symbols {
		s := &f.Symbols[i]
		indent := ""
		for p := s.Parent; p >= 0; p = f.Symbols[p].Parent {
			indent += "  "
		}
		line("%s%s %s %s%s%s @%d-%d", indent, s.Visibility, s.Kind, s.Name, opt("in", s.Container), symbolFlags(s.Flags), s.Line, s.EndLine)
		detail := func(key, value string) {
			if value != "" {
				line("%s    %s %s", indent, key, value)
			}
		}
		detail("signature", s.Signature)
		detail("doc", s.Doc)
		detail("type", s.Type)
		if len(s.Params) > 0 {
			var ps []string
			for _, p := range s.Params {
				ps = append(ps, strings.TrimSpace(p.Name+" "+p.Type))
			}
			detail("params", strings.Join(ps, "; "))
		}
		detail("bases", strings.Join(s.Bases, "; "))
		detail("init", s.Init)
	}
	for i := range f.Refs {
		r := &f.Refs[i]
		in := ""
		if r.Enclosing >= 0 {
			in = f.Symbols[r.Enclosing].Name
		}
		line("ref %s %s%s%s @%d", r.Kind, r.Name, opt("of", r.Qualifier), opt("in", in), r.Line)
	}
	for i := range f.Bindings {
		x := &f.Bindings[i]
		line("bind %s scope=%d%s%s", x.Name, x.Scope, opt("type", x.Type), opt("init", x.Init))
	}
	for _, d := range f.Damage {
		line("damage %d-%d", d.Start, d.End)
	}
	return b.String()
}

func quote(s string) string {
	if strings.ContainsAny(s, " \"\n") {
		return fmt.Sprintf("%q", s)
	}
	return s
}

func symbolFlags(f facts.SymbolFlags) string {
	names := []string{"body", "exported", "default", "static", "abstract", "async", "overload", "deprecated", "declaration", "getter", "setter", "main"}
	var out []string
	for i, n := range names {
		if f&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " [" + strings.Join(out, " ") + "]"
}

func importFlags(f facts.ImportFlags) string {
	var out []string
	for i, n := range []string{"body", "type", "reexport", "dynamic"} {
		if f&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " [" + strings.Join(out, " ") + "]"
}

func traitNames(t facts.Traits) string {
	var out []string
	for i, n := range []string{"generated", "entry point", "decoded", "masked", "test", "truncated"} {
		if t&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}
