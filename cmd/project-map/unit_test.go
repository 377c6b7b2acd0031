package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/quick"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/symbolindex"
)

func TestReorder(t *testing.T) {
	app := newApp(strings.NewReader(""), io.Discard, io.Discard)
	for _, c := range []struct{ args, want string }{
		{"", ""},
		{"context q --limit 3", "context --limit 3 q"},
		{"context --limit=3 q -q", "-q context --limit=3 q"},
		{"context q --format json --explain more", "--format json context --explain q more"},
		{"--repo d context q --repo e", "--repo d --repo e context q"},
		{"context -- --limit q", "context -- --limit q"},
		{"context a -- -b -- c", "context -- a -b -- c"},
		{"context a -- b", "context a b"},
		{"context -", "context -"},
		{"index -j 4 --staged", "index -j 4 --staged"},
		{"index -h", "index -h"},
		{"index --help", "index --help"},
		{"--help", "--help"},
		{"help index", "help index"},
		{"nonsense --limit", "nonsense --limit"},
		{"index -qj", "index -qj"},
	} {
		got, err := reorder(app, append([]string{"project-map"}, strings.Fields(c.args)...))
		if err != nil || strings.Join(got[1:], " ") != c.want {
			t.Errorf("%q: got %q, %v; want %q", c.args, got, err, c.want)
		}
	}
	for args, want := range map[string]string{
		"context --limt 3 q":   "project-map context has no option --limt (did you mean --limit?); see project-map context --help",
		"context --limt=3 q":   "project-map context has no option --limt (did you mean --limit?); see project-map context --help",
		"--frobnicate":         "project-map has no option --frobnicate; see project-map --help",
		"index -z":             "project-map index has no option -z; see project-map index --help",
		"index --staged --out": "--out needs a value; see project-map index --help",
		"--repo":               "--repo needs a value; see project-map --help",
	} {
		_, err := reorder(app, append([]string{"project-map"}, strings.Fields(args)...))
		if err == nil || err.Error() != want || exitCode(err) != exitUsage {
			t.Errorf("%q: got %v, want %q", args, err, want)
		}
	}
}

// FuzzReorder checks that no argument is lost, whatever the order.
func FuzzReorder(f *testing.F) {
	f.Add("context q --limit 3 -- -x")
	f.Add("--repo x index -j 3 --out d")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		app := newApp(strings.NewReader(""), io.Discard, io.Discard)
		got, err := reorder(app, append([]string{"p"}, args...))
		if err != nil {
			return
		}
		count := func(list []string) map[string]int {
			m := map[string]int{}
			for _, a := range list {
				if a != "--" {
					m[a]++
				}
			}
			return m
		}
		before, after := count(args), count(got[1:])
		for _, c := range app.Commands { // an alias may become its name
			delete(before, c.Name)
			delete(after, c.Name)
			for _, a := range c.Aliases {
				delete(before, a)
			}
		}
		if fmt.Sprint(before) != fmt.Sprint(after) {
			t.Errorf("%q became %q", args, got)
		}
	})
}

func TestDidYouMean(t *testing.T) {
	names := []string{"index", "validate", "context", "doctor"}
	for word, want := range map[string]string{
		"indx": " (did you mean index?)", "contxet": " (did you mean context?)", "validat": " (did you mean validate?)",
		"frobnicate": "", "x": "", "": "",
	} {
		if got := didYouMean(word, names); got != want {
			t.Errorf("%q: got %q", word, got)
		}
	}
	if err := quick.Check(func(a, b string) bool {
		d := editDistance(a, b)
		return d == editDistance(b, a) && (d == 0) == (a == b) && d <= max(len(a), len(b))
	}, nil); err != nil {
		t.Error(err)
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"4096": 4096, "4096B": 4096, "3K": 3 << 10, "3KiB": 3 << 10, "512MiB": 512 << 20, "512M": 512 << 20, "2G": 2 << 30, "2GiB": 2 << 30,
	} {
		if got, err := parseSize(s); err != nil || got != want {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "MiB", "-1M", "0", "1.5G", "9999999999G", "1 M", "M1", "1MB1"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("%q is taken for %d", s, got)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{{0, "file", "0 files"}, {1, "file", "1 file"}, {2, "directory", "2 directories"}, {1, "directory", "1 directory"}, {3, "key", "3 keys"}} {
		if got := plural(c.n, c.noun); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestExitCodesAndHints(t *testing.T) {
	wrap := func(err error) error { return fmt.Errorf("while working: %w", err) }
	for _, c := range []struct {
		err  error
		code int
		hint string
	}{
		{nil, exitOK, ""},
		{errFindings, exitFindings, ""},
		{usagef("wrong"), exitUsage, ""},
		{wrap(revision.ErrUnknownRevision), exitUsage, ""},
		{wrap(revision.ErrUnsupportedRevision), exitUsage, ""},
		{wrap(config.ErrInvalid), exitUsage, "--config"},
		{wrap(revision.ErrNotRepository), exitCannot, ""},
		{wrap(revision.ErrUnbornHead), exitCannot, "--staged or --worktree"},
		{wrap(store.ErrCorrupt), exitCannot, "project-map index"},
		{wrap(store.ErrVersion), exitCannot, "project-map index"},
		{wrap(store.ErrNone), exitCannot, "project-map index"},
		{wrap(symbolindex.ErrCorrupt), exitCannot, "project-map index"},
		{wrap(syscall.ENOSPC), exitCannot, "free some space"},
		{wrap(syscall.EDQUOT), exitCannot, "free some space"},
		{wrap(syscall.EROFS), exitCannot, "--out DIR"},
		{wrap(os.ErrPermission), exitCannot, "--out DIR"},
		{fmt.Errorf("write x: %w; free some space and run again", syscall.ENOSPC), exitCannot, ""},
		{context.Canceled, exitCannot, "run the command again"},
		{withHint(errors.New("x"), "do %d", 7), exitCannot, "do 7"},
		{errors.New("x"), exitCannot, ""},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.code)
		}
		if c.err == nil {
			continue
		}
		if got := hintOf(c.err); (got == "") != (c.hint == "") || !strings.Contains(got, c.hint) {
			t.Errorf("%v: hint %q, want %q", c.err, got, c.hint)
		}
	}
	var b bytes.Buffer
	report(&b, errFindings)
	report(&b, nil)
	if b.Len() > 0 {
		t.Errorf("findings are no error: %q", b.String())
	}
	report(&b, withHint(errors.New("bad \x1b[31mname"), "mend\x07 it"))
	if got := b.String(); strings.ContainsAny(got, "\x1b\x07") || !strings.HasPrefix(got, "project-map: bad ") || !strings.Contains(got, "\n  mend") {
		t.Errorf("got %q", got)
	}
}

func TestPagePaths(t *testing.T) {
	for _, p := range []string{"a/.pi-map.md", "d\xff/.pi-map.md", `"quoted"/.pi-map.md`, "目录/.pi-map.md", "\x00"} {
		s := pageState(mapgen.Page{Path: p, Data: []byte("x")})
		if got := pagePath(s); got != p {
			t.Errorf("%q came back as %q (by %q)", p, got, s.Path)
		}
	}
	if err := quick.Check(func(p []byte) bool { return pagePath(pageState(mapgen.Page{Path: string(p)})) == string(p) }, nil); err != nil {
		t.Error(err)
	}
}

// TestTempNames: what a killed run leaves is own output by name.
func TestTempNames(t *testing.T) {
	if safefs.TempPrefix != revision.TempPrefix {
		t.Errorf("safefs writes %s*, revision leaves out %s*", safefs.TempPrefix, revision.TempPrefix)
	}
}

func TestProgressIsForTerminals(t *testing.T) {
	for _, c := range []struct {
		tty, quiet bool
		shows      bool
	}{{true, false, true}, {true, true, false}, {false, false, false}} {
		var b bytes.Buffer
		p := &console{w: &b, tty: c.tty, quiet: c.quiet}
		for i := range 10 {
			p.progress(i+1, 10)
		}
		p.end()
		if shown := b.Len() > 0; shown != c.shows {
			t.Errorf("%+v: printed %q", c, b.String())
		}
	}
	var b bytes.Buffer
	p := &console{w: &b}
	p.say("a %s name", "odd\x1b[31m")
	if got := b.String(); strings.Contains(got, "\x1b") || !strings.HasPrefix(got, "a odd") {
		t.Errorf("got %q", got)
	}
	b.Reset()
	p.quiet = true
	if p.say("x"); b.Len() > 0 {
		t.Errorf("got %q", b.String())
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestResultsThatCannotBeWritten(t *testing.T) {
	var stderr bytes.Buffer
	code := run([]string{"project-map", "version"}, strings.NewReader(""), failingWriter{}, &stderr)
	if code != exitCannot || !strings.Contains(stderr.String(), "print results: no space left on device") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}

func TestSummary(t *testing.T) {
	r := &indexReport{
		Revision: store.Revision{Kind: "commit", Commit: strings.Repeat("ab", 20)},
		Written:  []string{"a", "b"}, Removed: []string{"c"}, Unchanged: 4, Skipped: []string{"gone"},
		Extracted: 2, Millis: 1234,
		Summary: store.Summary{
			Files: 30, Parsed: 12, WordsOnly: 15, Listed: 3, Symbols: 1, Bytes: 2_345_678, Directories: 4, Damaged: 1,
			Languages: []store.LanguageCount{{Language: "go", Files: 10}, {Language: "python", Files: 2}},
			Skipped:   []store.ReasonCount{{Depth: "listed", Reason: "binary", Files: 3}, {Depth: "words only", Reason: "vendored", Files: 15}},
		},
	}
	for i := range 7 {
		r.Summary.Notes = append(r.Summary.Notes, store.Note{Path: fmt.Sprintf("n%d\x1b", i), Reason: "vanished"})
	}
	var b bytes.Buffer
	printSummary(&b, r, false)
	want := `Indexed commit abababababab in 1.2 s: 30 files, 1 symbol, 4 directories.
  parsed            12  go 10, python 2
  words only        15  vendored 15
  listed only        3  binary 3
  partly parsed      1  syntax errors; the rest of each file is in the maps
  maps               2  written, 4 unchanged, 1 removed; none for 1 directory not on disk
  read now           2  files; the other 28 needed no reading
`
	if got := b.String(); !strings.HasPrefix(got, want) || strings.Count(got, "  note: ") != 6 ||
		!strings.HasSuffix(got, "  note: 2 more; see them with --stats\n") || strings.Contains(got, "\x1b") {
		t.Errorf("got\n%s", got)
	}
	b.Reset()
	printSummary(&b, r, true)
	if got := b.String(); strings.Count(got, "  note: ") != 7 || !strings.Contains(got, "2.3  MB of sources") {
		t.Errorf("got\n%s", got)
	}
	b.Reset()
	r.UpToDate = true
	printSummary(&b, r, false)
	if got := b.String(); !strings.HasPrefix(got, "Up to date with commit abababababab: 30 files, 1 symbol, 4 directories; nothing was written.\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestWarnOfGaps(t *testing.T) {
	for _, c := range []struct {
		summary store.Summary
		want    string
	}{
		{store.Summary{Files: 0}, "there are no files"},
		{store.Summary{Files: 100, Parsed: 10, Listed: 90}, "most files were not analysed (90 of 100)"},
		{store.Summary{Files: 100, Parsed: 1, WordsOnly: 99}, "only 1 of 100 files were parsed"},
		{store.Summary{Files: 100, Parsed: 60, WordsOnly: 40}, ""},
	} {
		var b bytes.Buffer
		warnOfGaps(&console{w: &b}, &indexReport{Summary: c.summary})
		if got := b.String(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q", c.summary, got)
		}
	}
}

func TestRealPath(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(base, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(base, "link")); err != nil {
		t.Skip("symbolic links are not available")
	}
	got, err := realPath(filepath.Join(base, "link", "new", "dir"))
	if want := filepath.Join(base, "real", "new", "dir"); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

// TestHelpOfEveryCommand: each has examples and says nothing about defaults that
// are none.
func TestHelpOfEveryCommand(t *testing.T) {
	app := newApp(strings.NewReader(""), io.Discard, io.Discard)
	for _, c := range app.Commands {
		if c.Usage == "" || !strings.Contains(c.Description, "project-map "+c.Name) {
			t.Errorf("%s: no usage or no example", c.Name)
		}
		var names []string
		for _, f := range c.Flags {
			names = append(names, f.Names()...)
			if d, ok := f.(cli.DocGenerationFlag); ok && d.GetUsage() == "" {
				t.Errorf("%s --%s: no help", c.Name, f.Names()[0])
			}
		}
		slices.Sort(names)
		if len(slices.Compact(slices.Clone(names))) != len(names) {
			t.Errorf("%s: an option occurs twice: %v", c.Name, names)
		}
	}
}
