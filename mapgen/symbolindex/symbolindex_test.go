package symbolindex

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func build(t testing.TB, names []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "symbols")
	if err := Build(dir, names); err != nil {
		t.Fatalf("Build: %v", err)
	}
	return dir
}

func open(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(dir)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return x
}

var sample = []string{
	"parseHTTPHeader", "ParseHTTPHeader", "parse_http_header", "HeaderParseHTTP", "parseHeader", "parse", "Parse", "PARSE",
	"ParseError", "parser", "Parser", "parserState", "HTTPServer", "httpServer", "http_server", "ServeHTTP", "Server",
	"sha256Sum", "SHA256", "md5sum", "utf8", "UTF8Decode", "x", "X", "id", "ID", "getID", "get_id", "getIDs", "_", "__init__",
	"operator+", "operator==", "~Widget", "Widget", "widget", "wigdet", "ExampleWidget",
	"解析配置", "解析配置文件", "配置", "محلل", "محلل_الملف", "Größe", "GRÖSSE", "größe", "straße", "Καλημέρα", "ΚΑΛΗΜΈΡΑ",
	"ParseHTTPHeader", "", "name with spaces", "tab\tname", "\xff\xfe", "bad\xffbyte", "😀", "\u202eevil",
}

// TestSearchGolden pins the order of all kinds of matches.
func TestSearchGolden(t *testing.T) {
	queries := []string{
		"parse", "Parse", "pars", "parse http", "parseHttpHeader", "header http parse", "prase", "parserstat", "Widget", "widgte",
		"server http", "HTTPServer", "sha256", "sha 256", "utf8", "x", "id", "getid", "get id", "ids", "__init__", "operator==", "operator",
		"解析配置", "解析", "解", "配置", "محلل", "محل", "größe", "GRÖßE", "καλημέρα", "straße", "strase", "\xff\xfe", "bad\xff", "\U0001f600",
		"nothing like it", "a", "", " ", "%", "parse*", "/parse/", "fold:parse", "+parse -http",
	}
	x := open(t, build(t, sample))
	var got strings.Builder
	for _, q := range queries {
		matches, err := x.Search(q, Options{Limit: 12})
		if err != nil {
			t.Fatalf("Search(%q): %v", q, err)
		}
		fmt.Fprintf(&got, "%+q\n", q)
		for _, m := range matches {
			fmt.Fprintf(&got, "\t%-18s %.3f %q\n", m.How, m.Score, m.Name)
		}
	}
	golden := filepath.Join("testdata", "search.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("results differ from %s (-update rewrites it):\n%s", golden, got.String())
	}
}

// syntheticNames makes n names that resemble identifiers.
func syntheticNames(n int, seed int64) []string {
	parts := strings.Fields("get set parse read write new make open close http json file path node tree index list map key value server client " +
		"request response error handler config option state buffer stream token symbol scope type name field method class module import export " +
		"test mock store cache batch worker queue lock event listener render update delete create find search match query result")
	rng := rand.New(rand.NewSource(seed))
	seen := map[string]bool{}
	var names []string
	for len(names) < n {
		var b strings.Builder
		snake := rng.Intn(3) == 0
		for i := range 1 + rng.Intn(4) {
			p := parts[rng.Intn(len(parts))]
			switch {
			case snake && i > 0:
				b.WriteString("_" + p)
			case !snake && (i > 0 || rng.Intn(2) == 0):
				b.WriteString(strings.ToUpper(p[:1]) + p[1:])
			default:
				b.WriteString(p)
			}
		}
		if rng.Intn(4) == 0 {
			fmt.Fprintf(&b, "%d", rng.Intn(100))
		}
		if s := b.String(); !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	return names
}

// reference is the specification of Search, written without an index.
func reference(names []string, query string, limit int) []Match {
	type hit struct {
		Match
		c candidate
	}
	var hits []hit
	qf, qw := fold(query), splitWords(query)
	n := utf8.RuneCountInString(query)
	edits := 0
	if n >= minFuzzy1 && n <= maxFuzzy {
		edits = 1
	}
	if n >= minFuzzy2 && n <= maxFuzzy {
		edits = 2
	}
	for _, name := range unique(names) {
		f := fold(name)
		diff := utf8.RuneCountInString(name) - n
		c := candidate{text: name, diff: max(diff, -diff)}
		words := splitWords(name)
		hasAll := len(qw) > 0 && !slices.ContainsFunc(qw, func(w string) bool { return !slices.Contains(words, w) })
		switch d := editDistance(qf, f); {
		case name == query:
			hits = append(hits, hit{Match{name, Exact, 0}, c})
		case f == qf:
			hits = append(hits, hit{Match{name, ExactFold, 0}, c})
		case len(qf) >= minPrefix && strings.HasPrefix(f, qf):
			hits = append(hits, hit{Match{name, Prefix, 0}, c})
		case hasAll:
			hits = append(hits, hit{Match{name, Words, 0}, c})
		case d <= edits:
			c.edits = d
			hits = append(hits, hit{Match{name, Fuzzy, 0}, c})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		if a.How != b.How {
			return int(a.How - b.How)
		}
		if c := a.c.compare(b.c); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	var out []Match
	for _, h := range hits[:min(limit, len(hits))] {
		h.Score = score(h.How, h.c)
		out = append(out, h.Match)
	}
	return out
}

// TestSearchEqualsReference compares the index with a scan of all names, and
// builds in several orders and segment layouts with each other.
func TestSearchEqualsReference(t *testing.T) {
	names := append(syntheticNames(1500, 1), sample...)
	rng := rand.New(rand.NewSource(2))
	shuffled := slices.Clone(names)
	rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	indexes := []*Index{open(t, build(t, names)), open(t, build(t, shuffled))}
	if indexes[0].Digest() != indexes[1].Digest() || indexes[0].Digest() != Digest(shuffled) {
		t.Error("digests of the same names differ")
	}
	for i := range 150 {
		query := names[rng.Intn(len(names))]
		switch i % 5 {
		case 1: // a prefix
			query = string([]rune(query)[:min(utf8.RuneCountInString(query), 1+rng.Intn(6))])
		case 2: // words in another order
			words := splitWords(query)
			slices.Reverse(words)
			query = strings.Join(words, " ")
		case 3, 4: // one or two edits
			for range i%5 - 2 {
				query = edit(rng, query)
			}
		}
		all := reference(names, query, 50)
		if query == "" {
			all = nil
		}
		for _, limit := range []int{3, 50} {
			want := all[:min(limit, len(all))]
			for n, x := range indexes {
				got, err := x.Search(query, Options{Limit: limit})
				if err != nil {
					t.Fatalf("Search(%q): %v", query, err)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("index %d, Search(%q, %d):\n got %v\nwant %v", n, query, limit, got, want)
				}
			}
		}
	}
}

func edit(rng *rand.Rand, s string) string {
	r := []rune(s)
	if len(r) < 2 {
		return s
	}
	at := rng.Intn(len(r) - 1)
	switch rng.Intn(4) {
	case 0:
		return string(slices.Delete(r, at, at+1))
	case 1:
		return string(slices.Insert(r, at, 'q'))
	case 2:
		r[at] = 'z'
	default:
		r[at], r[at+1] = r[at+1], r[at]
	}
	return string(r)
}

func TestScoresNeverRise(t *testing.T) {
	x := open(t, build(t, syntheticNames(2000, 3)))
	for _, q := range []string{"parse", "parseFile", "getSetKey", "nodeTree", "servr"} {
		matches, err := x.Search(q, Options{Limit: 500})
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range matches {
			if m.Score <= 0 || m.Score > 1 || i > 0 && m.Score > matches[i-1].Score {
				t.Errorf("%q: match %d %+v after %+v", q, i, m, matches[max(0, i-1)])
			}
		}
	}
}

func TestEmptyIndex(t *testing.T) {
	for _, names := range [][]string{nil, {}, {"", ""}} {
		x := open(t, build(t, names))
		if err := x.Verify(); err != nil {
			t.Errorf("Verify: %v", err)
		}
		for _, q := range []string{"a", "empty", placeholder, "\x00em", "parse"} {
			if got, err := x.Search(q, Options{}); err != nil || len(got) > 0 {
				t.Errorf("Search(%q) = %v, %v", q, got, err)
			}
		}
		if names, err := x.Names(); err != nil || len(names) > 0 || x.Len() != 0 {
			t.Errorf("Names = %v, %v", names, err)
		}
	}
}

func TestNamesAndVerify(t *testing.T) {
	x := open(t, build(t, sample))
	got, err := x.Names()
	if err != nil || !slices.Equal(got, unique(sample)) {
		t.Errorf("Names = %q, %v; want %q", got, err, unique(sample))
	}
	if err := x.Verify(); err != nil {
		t.Errorf("Verify: %v", err)
	}
	if x.Len() != len(unique(sample)) {
		t.Errorf("Len = %d", x.Len())
	}
}

func TestDigest(t *testing.T) {
	base := Digest([]string{"a", "bc"})
	for _, same := range [][]string{{"bc", "a"}, {"a", "a", "bc", ""}} {
		if Digest(same) != base {
			t.Errorf("Digest(%q) differs", same)
		}
	}
	for _, other := range [][]string{{"ab", "c"}, {"a"}, {"a", "bc", "d"}, nil} {
		if Digest(other) == base {
			t.Errorf("Digest(%q) is the same", other)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	dir := build(t, []string{"a"})
	if err := Build(dir, []string{"b"}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("Build over an index: %v", err)
	}
	open(t, dir)
	if err := Build(filepath.Join(t.TempDir(), "x"), []string{placeholder}); err == nil {
		t.Error("the placeholder was taken as a name")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(file, nil); err == nil {
		t.Error("Build into a file succeeded")
	}
}

// TestManyProcesses opens one index in this process and in others at once.
func TestManyProcesses(t *testing.T) {
	if dir := os.Getenv("SYMBOLINDEX_TEST_DIR"); dir != "" {
		x := open(t, dir)
		for range 20 {
			if got, err := x.Search("parse", Options{}); err != nil || len(got) == 0 {
				t.Fatalf("Search = %v, %v", got, err)
			}
		}
		return
	}
	dir := build(t, sample)
	x := open(t, dir)
	y := open(t, dir) // twice in one process too
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestManyProcesses$")
			cmd.Env = append(os.Environ(), "SYMBOLINDEX_TEST_DIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
		wg.Go(func() {
			for _, x := range []*Index{x, y} {
				if got, err := x.Search("Parse", Options{}); err != nil || len(got) == 0 {
					t.Errorf("Search = %v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestCloseAndSearchRace(t *testing.T) {
	x, err := Open(build(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if _, err := x.Search("parse", Options{}); errors.Is(err, ErrClosed) {
					return
				} else if err != nil {
					t.Errorf("Search: %v", err)
					return
				}
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	for range 2 {
		if err := x.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
	wg.Wait()
	if err := x.Verify(); !errors.Is(err, ErrClosed) {
		t.Errorf("Verify after Close: %v", err)
	}
}

func TestDamage(t *testing.T) {
	good := build(t, sample)
	files, err := indexFiles(good)
	if err != nil {
		t.Fatal(err)
	}
	copyIndex := func() string {
		dir := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	open(t, copyIndex()) // a copy is as good as the original
	refused := func(what string, want error, damage func(dir string) error) {
		t.Helper()
		dir := copyIndex()
		if err := damage(dir); err != nil {
			t.Fatal(err)
		}
		x, err := Open(dir)
		if err == nil {
			_ = x.Close()
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: Open = %v, want %v", what, err, want)
		}
	}
	for _, f := range append(files, manifestName) {
		path := func(dir string) string { return filepath.Join(dir, filepath.FromSlash(f)) }
		refused(f+" removed", ErrCorrupt, func(dir string) error { return os.Remove(path(dir)) })
		refused(f+" emptied", ErrCorrupt, func(dir string) error { return os.Truncate(path(dir), 0) })
		refused(f+" cut", ErrCorrupt, func(dir string) error {
			info, err := os.Stat(path(dir))
			return errors.Join(err, os.Truncate(path(dir), info.Size()/2))
		})
		if f != manifestName {
			refused(f+" changed", ErrCorrupt, func(dir string) error {
				data, err := os.ReadFile(path(dir))
				data[len(data)/2] ^= 1
				return errors.Join(err, os.WriteFile(path(dir), data, 0o600))
			})
		}
	}
	refused("another file", ErrCorrupt, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "zzz"), nil, 0o644)
	})
	refused("another version", ErrVersion, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"formatVersion": 99}`), 0o644)
	})
	refused("missing", fs.ErrNotExist, func(dir string) error { return os.RemoveAll(dir) })
	refused("empty directory", ErrCorrupt, func(dir string) error {
		return errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755))
	})
}

// TestLibraryDamage rewrites the manifest to match damaged files, so that the
// library itself meets them: whatever happens, it is an error and no panic.
func TestLibraryDamage(t *testing.T) {
	log.SetOutput(io.Discard) // the library reports there what it skips
	defer log.SetOutput(os.Stderr)
	good := build(t, sample)
	files, err := indexFiles(good)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(4))
	for round := range 40 {
		dir := filepath.Join(t.TempDir(), "copy")
		if err := os.CopyFS(dir, os.DirFS(good)); err != nil {
			t.Fatal(err)
		}
		f := filepath.Join(dir, filepath.FromSlash(files[round%len(files)]))
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if round%2 == 0 {
			data = data[:rng.Intn(len(data))]
		} else if !strings.HasSuffix(f, ".zap") {
			// Random changes inside a segment are what the checksums are for: the
			// library may allocate without bound on them.
			for range 8 {
				data[rng.Intn(len(data))] ^= byte(1 + rng.Intn(255))
			}
		}
		if err := os.WriteFile(f, data, 0o600); err != nil {
			t.Fatal(err)
		}
		remanifest(t, dir, unique(sample))
		x, err := Open(dir)
		if err != nil {
			continue
		}
		for _, q := range []string{"parse", "parse http", "widgte", "解析"} {
			_, _ = x.Search(q, Options{})
		}
		_ = x.Verify()
		_ = x.Close()
	}
}

func remanifest(t *testing.T, dir string, names []string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, manifestName)); err != nil {
		t.Fatal(err)
	}
	if err := writeManifest(dir, names); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyNoticesOtherNames(t *testing.T) {
	dir := build(t, sample)
	other := unique(sample)
	other[0] += "x"
	remanifest(t, dir, other)
	if err := open(t, dir).Verify(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("Verify = %v, want ErrCorrupt", err)
	}
}

func TestManifestIsDeterministic(t *testing.T) {
	a, err := readManifest(build(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	if a.FormatVersion != FormatVersion || a.Digest != Digest(sample) || len(a.Files) < 3 {
		data, _ := json.Marshal(a)
		t.Errorf("manifest: %s", data)
	}
}

func TestHugeQueries(t *testing.T) {
	x := open(t, build(t, append(sample, strings.Repeat("long", 5000))))
	for _, q := range []string{strings.Repeat("a", 1<<20), strings.Repeat("parse ", 600), strings.Repeat("é", 64), strings.Repeat("aB", 32)} {
		if _, err := x.Search(q, Options{}); err != nil {
			t.Errorf("Search of %d bytes: %v", len(q), err)
		}
	}
	if err := x.Verify(); err != nil {
		t.Error(err)
	}
}

func FuzzSearch(f *testing.F) {
	x := open(f, build(f, sample))
	for _, q := range sample {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, q string) {
		got, err := x.Search(q, Options{Limit: 50})
		if err != nil {
			t.Fatalf("Search(%q): %v", q, err)
		}
		if q == "" || len(q) > maxQuery {
			return
		}
		if want := reference(sample, q, 50); !slices.Equal(got, want) {
			t.Errorf("Search(%q):\n got %v\nwant %v", q, got, want)
		}
	})
}

func BenchmarkBuild40000(b *testing.B) {
	names := syntheticNames(40_000, 5)
	b.ResetTimer()
	for i := range b.N {
		if err := Build(filepath.Join(b.TempDir(), fmt.Sprint(i)), names); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen40000(b *testing.B) {
	dir := build(b, syntheticNames(40_000, 5))
	b.ResetTimer()
	for range b.N {
		x, err := Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		_ = x.Close()
	}
}

func BenchmarkSearch40000(b *testing.B) {
	x := open(b, build(b, syntheticNames(40_000, 5)))
	for _, q := range []string{"parseFile", "get", "parseHttp", "file path", "path", "serverConfgi", "zzzz"} {
		b.Run(strings.ReplaceAll(q, " ", "+"), func(b *testing.B) {
			for range b.N {
				if _, err := x.Search(q, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
