package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRanking asks the queries of testdata/ranking in the repositories there,
// whose README says how they are written down. Two tests share each repository:
// "golden" makes every change of ranking a diff to read, "repeats" that answers
// depend on nothing but the commit.
func TestRanking(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not installed")
	}
	// The program runs in this process, so its environment has to be isolated.
	for _, v := range gitEnvironment(t.TempDir()) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	dir := filepath.Join("..", "..", "testdata", "ranking")
	names, err := filepath.Glob(filepath.Join(dir, "*.queries.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no queries in %s: %v", dir, err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(name, ".queries.txtar")
		t.Run(filepath.Base(base), func(t *testing.T) {
			queries := readRankingQueries(t, name)
			past := readRankingPast(t, base+".txtar")
			r := past.checkOut(t)
			past.commit(r, 0, len(past.commits)-1)
			r.run("index")
			past.commit(r, len(past.commits)-1, len(past.commits))
			if n, all := r.index(); n == 0 || n == all {
				t.Errorf("an incremental run read %d of %d files", n, all)
			}
			t.Run("golden", func(t *testing.T) { rankingGolden(t, r, queries, past, base+".golden") })
			t.Run("repeats", func(t *testing.T) { rankingRepeats(t, r, queries) })
		})
	}
}

// rankingQuery is a query and what a reasonable person expects of its answer.
type rankingQuery struct {
	name, text string
	wants      []rankingWant
}

// rankingWant is one expectation.
type rankingWant struct {
	// mark is "=>" for the first place, "~>" for the first three, and "?>" for a
	// first place that is known to be missed.
	mark  string
	paths []string // any of them will do; "nothing" stands for an empty answer
}

// readRankingQueries reads an archive with a query a file. The last lines of
// each are its expectations.
func readRankingQueries(t *testing.T, name string) []rankingQuery {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []rankingQuery
	seen := map[string]bool{}
	for _, f := range a.Files {
		q := rankingQuery{name: f.Name}
		lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		for len(lines) > 0 {
			mark, paths, ok := strings.Cut(lines[len(lines)-1], " ")
			if !ok || !slices.Contains([]string{"=>", "~>", "?>"}, mark) {
				break
			}
			q.wants = slices.Insert(q.wants, 0, rankingWant{mark, strings.Split(paths, " or ")})
			lines = lines[:len(lines)-1]
		}
		q.text = strings.TrimSpace(strings.Join(lines, "\n"))
		if q.text == "" || len(q.wants) == 0 || seen[q.name] {
			t.Fatalf("%s: %s needs a query, an expectation and a name of its own", name, q.name)
		}
		seen[q.name] = true
		out = append(out, q)
	}
	return out
}

// rankingPast is a repository and how it came to be.
type rankingPast struct {
	files   map[string][]string // the lines of each file at the end
	commits []rankingCommit
	// touches counts the commits that change a file.
	touches map[string]int
	done    map[string]int // of those, by path
}

type rankingCommit struct {
	message string
	paths   []string
}

// readRankingPast reads an archive of a repository. Its comment lists the
// commits, each with the files it changes, as paths or as directories with a
// slash at the end; what no commit names comes with the first.
func readRankingPast(t *testing.T, name string) *rankingPast {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := &rankingPast{files: map[string][]string{}, touches: map[string]int{}, done: map[string]int{}}
	for _, f := range a.Files {
		if p.files[f.Name] != nil {
			t.Fatalf("%s: there are two of %s", name, f.Name)
		}
		p.files[f.Name] = strings.SplitAfter(string(f.Data), "\n")
	}
	for line := range strings.Lines(string(a.Comment)) {
		if message, ok := strings.CutPrefix(line, "commit: "); ok {
			p.commits = append(p.commits, rankingCommit{message: strings.TrimSpace(message)})
			continue
		}
		if !strings.HasPrefix(line, "  ") || len(p.commits) == 0 {
			continue
		}
		c := &p.commits[len(p.commits)-1]
		for _, want := range strings.Fields(line) {
			before := len(c.paths)
			for _, f := range a.Files {
				if f.Name == want || strings.HasSuffix(want, "/") && strings.HasPrefix(f.Name, want) {
					c.paths = append(c.paths, f.Name)
				}
			}
			if len(c.paths) == before {
				t.Fatalf("%s: commit %q names %s, which is not there", name, c.message, want)
			}
		}
	}
	if len(p.commits) < 2 {
		t.Fatalf("%s: a past has two commits at the least", name)
	}
	for i := range p.commits {
		slices.Sort(p.commits[i].paths)
		p.commits[i].paths = slices.Compact(p.commits[i].paths)
		for _, f := range p.commits[i].paths {
			p.touches[f]++
		}
	}
	for _, f := range a.Files {
		if p.touches[f.Name] == 0 {
			p.touches[f.Name]++
			p.commits[0].paths = append(p.commits[0].paths, f.Name)
		}
	}
	return p
}

func (p *rankingPast) checkOut(t *testing.T) *repository {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{t: t, dir: filepath.Join(base, "repo"), env: append(gitEnvironment(base), "PATH="+os.Getenv("PATH"))}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

// commit makes the commits from to to, ten days apart. A file that is touched n
// times grows in n steps, so that each leaves something to commit.
func (p *rankingPast) commit(r *repository, from, to int) {
	r.t.Helper()
	env := r.env
	defer func() { r.env = env }()
	for i := from; i < to; i++ {
		c := p.commits[i]
		for _, f := range c.paths {
			p.done[f]++
			lines := p.files[f]
			lines = lines[:max(1, len(lines)*p.done[f]/p.touches[f])]
			full := filepath.Join(r.dir, filepath.FromSlash(f))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(strings.Join(lines, "")), 0o644); err != nil {
				r.t.Fatal(err)
			}
		}
		date := time.Date(2023, 1, 1+10*i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
		r.env = append(slices.Clip(env), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		r.git(append([]string{"add", "-f", "--"}, c.paths...)...)
		r.git("commit", "-q", "-m", c.message)
	}
}

// run runs the program in this process and gives what it prints.
func (r *repository) run(args ...string) []byte {
	r.t.Helper()
	var stdout, stderr bytes.Buffer
	args = append([]string{"project-map", "--repo", r.dir}, args...)
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != exitOK {
		r.t.Fatalf("%s: exit code %d\n%s", strings.Join(args, " "), code, stderr.Bytes())
	}
	return stdout.Bytes()
}

// index indexes and tells how many files had to be read, of how many.
func (r *repository) index() (extracted, files int) {
	r.t.Helper()
	var report indexReport
	if err := json.Unmarshal(r.run("--format", "json", "index"), &report); err != nil {
		r.t.Fatal(err)
	}
	return report.Extracted, report.Summary.Files
}

// rankingGolden compares the answers with the golden file and with what is
// expected of them.
func rankingGolden(t *testing.T, r *repository, queries []rankingQuery, past *rankingPast, golden string) {
	s, err := store.Open(filepath.Join(r.dir, store.DirName))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	names := &nameSearcher{store: s}
	defer names.close()
	rank := ranker.New(s.Catalog, ranker.Options{Names: names})
	var got bytes.Buffer
	for i := range queries {
		q := &queries[i]
		answer := rank.Rank(query.Parse(q.text))
		describeAnswer(&got, q, answer)
		q.check(t, answer, past.files)
	}
	if names.err != nil {
		t.Error(names.err)
	}
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if d := diff.Diff(golden, want, "got", got.Bytes()); d != nil {
		t.Errorf("the ranking changed; read the difference, and accept it with -update:\n%s", d)
	}
}

// check holds an answer against the expectations of its query.
func (q *rankingQuery) check(t *testing.T, r *ranker.Result, files map[string][]string) {
	t.Helper()
	for _, w := range q.wants {
		for _, p := range w.paths {
			if p != "nothing" && files[p] == nil {
				t.Errorf("%s: %s is expected and not in the repository", q.name, p)
			}
		}
		within := 1
		if w.mark == "~>" {
			within = 3
		}
		var first []string
		for _, f := range r.Files[:min(within, len(r.Files))] {
			first = append(first, f.Path)
		}
		if len(first) == 0 {
			first = []string{"nothing"}
		}
		holds := slices.ContainsFunc(w.paths, func(p string) bool { return slices.Contains(first, p) })
		switch {
		case w.mark == "?>" && holds:
			t.Errorf("%s: a known gap is closed: %s is first; change ?> to =>", q.name, first[0])
		case w.mark != "?>" && !holds:
			t.Errorf("%s: %s %s, got %s", q.name, w.mark, strings.Join(w.paths, " or "), strings.Join(first, ", "))
		}
	}
}

// place says where the first of the wanted files stands.
func (w *rankingWant) place(r *ranker.Result) string {
	if r.NothingMatched {
		return "nothing matched"
	}
	i := slices.IndexFunc(r.Files, func(f ranker.Candidate) bool { return slices.Contains(w.paths, f.Path) })
	if i < 0 {
		return "absent"
	}
	return fmt.Sprintf("place %d", i+1)
}

// describeAnswer writes an answer so that a difference can be read.
func describeAnswer(b *bytes.Buffer, q *rankingQuery, r *ranker.Result) {
	title, _, _ := strings.Cut(q.text, "\n")
	fmt.Fprintf(b, "-- %s --\n%s\nconfidence: %s\n", q.name, title, r.Confidence)
	for _, w := range q.wants {
		fmt.Fprintf(b, "%s %s: %s\n", w.mark, strings.Join(w.paths, " or "), w.place(r))
	}
	for i, f := range r.Files[:min(5, len(r.Files))] {
		fmt.Fprintf(b, "%d. %s %s\n", i+1, f.Path, rounded(f.Score, 2))
		reasons := slices.Clone(f.Reasons)
		slices.SortStableFunc(reasons, func(x, y ranker.Reason) int {
			return int(math.Round(100*math.Abs(y.Share))) - int(math.Round(100*math.Abs(x.Share)))
		})
		for j, x := range reasons[:min(3, len(reasons))] {
			sep := ", "
			if j == 0 {
				sep = "   "
			}
			fmt.Fprintf(b, "%s%s %s%%", sep, x.Signal, rounded(100*x.Share, 0))
		}
		b.WriteString("\n")
	}
	if len(r.Dirs) > 0 {
		b.WriteString("directories:")
		for _, d := range r.Dirs {
			p := d.Path
			if p == "" {
				p = "."
			}
			fmt.Fprintf(b, " %s %s", p, rounded(d.Score, 2))
		}
		b.WriteString("\n")
	}
	for _, s := range r.Symbols[:min(3, len(r.Symbols))] {
		fmt.Fprintf(b, "symbol: %s %s\n", s.Name, s.Path)
	}
	b.WriteString("\n")
}

// rounded rounds a number, to fewer decimals where it lies so close between two
// that the last bits, which differ among processors, would decide.
func rounded(v float64, decimals int) string {
	const noise = 1e-6
	for d := decimals; d > 0; d-- {
		scaled := math.Abs(v) * math.Pow10(d)
		if math.Abs(scaled-math.Floor(scaled)-.5) > noise {
			return fmt.Sprintf("%.*f", d, v)
		}
	}
	// A half is lifted or lowered to the even number whatever the noise.
	if whole := math.Round(v*2) / 2; math.Abs(v-whole) < noise {
		v = whole
	}
	return fmt.Sprintf("%.0f", math.RoundToEven(v)+0)
}

// rankingRepeats asks every query ten times from the store that grew by a
// commit and ten times from one made from nothing: all bytes are equal.
func rankingRepeats(t *testing.T, r *repository, queries []rankingQuery) {
	times := 10
	if testing.Short() || raceDetector {
		times = 2
	}
	formats := []string{"markdown", "json"}
	want := map[string][]byte{}
	ask := func(made string) {
		t.Helper()
		for _, q := range queries {
			for _, format := range formats {
				for range times {
					got := r.run("--format", format, "context", "--explain", "--", q.text)
					if k := format + " " + q.name; want[k] == nil {
						want[k] = got
					} else if !bytes.Equal(got, want[k]) {
						t.Fatalf("%s as %s from the %s store differs:\n%s", q.name, format, made, diff.Diff("first", want[k], "now", got))
					}
				}
			}
		}
	}
	ask("incremental")
	for _, dir := range []string{filepath.Join(r.dir, store.DirName), filepath.Join(r.dir, ".git", "project-map")} {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	if n, all := r.index(); n != all {
		t.Errorf("a full run read %d of %d files", n, all)
	}
	ask("full")
	if len(want) != len(formats)*len(queries) {
		t.Errorf("%d answers, want %d", len(want), len(formats)*len(queries))
	}
}
