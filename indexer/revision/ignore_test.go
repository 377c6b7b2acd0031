package revision

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// atoms make patterns and paths that meet often enough to be interesting.
var (
	patternAtoms = []string{
		"a", "b", "ab", "c", "a", "b", "/", "/", "/", "*", "**", "***", "?", "[ab]", "[!a]", "[^a-b]", "[a-c]", "[]]", "[[:alpha:]]",
		"[[:digit:]x]", "[[:bogus:]]", "[", "]", "\\", "\\*", "\\a", "\\ ", " ", "-", ".", "#", "!", "[a-", "[\\]]", "[--0]", "[a\\-c]", "\t", "1",
	}
	pathAtoms = []string{"a", "b", "ab", "c", "a", "b", "abc", "ba", "*", " ", "]", "-", ".a", "1", "x", "\\", "[", "#a", "!a", "a ", "é"}
)

func randomPattern(r *rand.Rand) string {
	var b strings.Builder
	if r.IntN(6) == 0 {
		b.WriteString("!")
	}
	for range 1 + r.IntN(6) {
		b.WriteString(patternAtoms[r.IntN(len(patternAtoms))])
	}
	if r.IntN(12) == 0 {
		b.WriteString("\r")
	}
	return b.String()
}

func randomPath(r *rand.Rand) string {
	var parts []string
	for range 1 + r.IntN(4) {
		p := pathAtoms[r.IntN(len(pathAtoms))]
		if r.IntN(3) == 0 {
			p += pathAtoms[r.IntN(len(pathAtoms))]
		}
		if p == "." || p == ".." {
			p = "a"
		}
		parts = append(parts, p)
	}
	return strings.Join(parts, "/")
}

// TestIgnoreAgreesWithGit compares generated rules and paths with
// `git check-ignore`. Paths are not on disk, so git takes them for files whose
// parents are directories; directories get a trailing slash.
func TestIgnoreAgreesWithGit(t *testing.T) {
	for _, fold := range []bool{false, true} {
		t.Run(fmt.Sprintf("ignoreCase=%v", fold), func(t *testing.T) {
			g := newRepo(t)
			g.git("config", "core.ignoreCase", fmt.Sprint(fold))
			rounds := 60
			if testing.Short() {
				rounds = 10
			}
			r := rand.New(rand.NewPCG(1, uint64(rounds)))
			start := time.Now()
			compared := 0
			for round := 0; round < rounds && time.Since(start) < 4*time.Second; round++ {
				m := NewIgnoreMatcher(fold)
				files := map[string]string{}
				for _, dir := range []string{"", "a/", "a/b/"} {
					var lines []string
					for range r.IntN(5) {
						p := randomPattern(r)
						if fold && r.IntN(2) == 0 {
							p = strings.ToUpper(p)
							p = strings.NewReplacer("[:ALPHA:]", "[:alpha:]", "[:DIGIT:]", "[:digit:]").Replace(p)
						}
						lines = append(lines, p)
					}
					files[dir] = strings.Join(lines, "\n")
					g.write(dir+".gitignore", files[dir])
					m.addDir(dir, dir+".gitignore", []byte(files[dir]))
				}
				exclude := randomPattern(r) + "\n" + randomPattern(r) + "\n"
				g.write(".git/info/exclude", exclude)
				m.addGlobal("info/exclude", []byte(exclude))

				var input strings.Builder
				want := make(map[string]bool)
				var queries []string
				for range 150 {
					q := randomPath(r)
					if strings.Contains(q, ".git") || q == "a" || q == "a/b" {
						continue
					}
					queries = append(queries, q)
					input.WriteString(q + "\x00")
				}
				out, err := g.try(input.String(), "check-ignore", "--no-index", "-z", "--stdin")
				if err != nil && out != "" {
					t.Fatalf("git check-ignore: %v: %s", err, out)
				}
				for p := range strings.SplitSeq(out, "\x00") {
					want[p] = true
				}
				for _, q := range queries {
					compared++
					why, got := m.Match(q, false)
					if got != want[q] {
						t.Errorf("path %q: ignored = %v (%s), git says %v\nfiles %q\nexclude %q", q, got, why, want[q], files, exclude)
						if t.Failed() && compared > 2000 {
							t.FailNow()
						}
					}
				}
			}
			if compared < 1000 {
				t.Errorf("only %d comparisons", compared)
			}
			t.Logf("%d comparisons", compared)
		})
	}
}

func TestIgnoreRules(t *testing.T) {
	// Each case is a file, then paths: "+" ignored, "-" not; a final slash
	// means a directory.
	for _, c := range []struct{ rules, paths string }{
		{"*.o\n", "+x.o +d/x.o -x.ob"},
		{"/x\n", "+x -d/x +x/y"},
		{"x/\n", "-x +x/ +x/y +d/x/"},
		{"d/x\n", "+d/x -e/d/x"},
		{"**/x\n", "+x +d/x +d/e/x"},
		{"d/**\n", "+d/x +d/e/x -d"},
		{"d/**/x\n", "+d/x +d/e/x +d/e/f/x -dx"},
		{"d/*\n!d/keep\n", "+d/x -d/keep"},
		{"d\n!d/keep\n", "+d/keep"},
		{"\\#x\n#y\n", "+#x -y"},
		{"\\!x\n", "+!x"},
		{"x \ny\\ \n", "+x -x_ -y"},
		{"\ufeffx\r\n", "+x"},
		{"[z\nw\\\n", "-[z -z -w"},
		{"a\x00b\n", "+a -ab"},
	} {
		m := NewIgnoreMatcher(false)
		m.addDir("", ".gitignore", []byte(c.rules))
		for _, p := range strings.Fields(c.paths) {
			want := p[0] == '+'
			path, isDir := strings.CutSuffix(p[1:], "/")
			if got := m.Ignored(path, isDir); got != want {
				t.Errorf("rules %q: %q ignored = %v", c.rules, p[1:], got)
			}
		}
	}
	m := NewIgnoreMatcher(false)
	m.addDir("d/", "d/.gitignore", []byte("\n# comment\nx\n"))
	if why, ok := m.Match("d/e/x/y", false); !ok || why != "d/.gitignore:3" {
		t.Errorf("Match = %q, %v; want the rule d/.gitignore:3", why, ok)
	}
}

// TestGlobIsLinear runs a pattern that makes backtracking matchers hang.
func TestGlobIsLinear(t *testing.T) {
	pattern := strings.Repeat("a*", 200) + "b"
	text := strings.Repeat("a", 3000)
	start := time.Now()
	if compileGlob(pattern, true, false).match(text) {
		t.Error("matched")
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

func FuzzIgnore(f *testing.F) {
	f.Add("*.o\n!x\n[a-z]/**/b\n", "a/b/c.o")
	f.Add("[[:alpha:]\\", "x")
	f.Fuzz(func(t *testing.T, rules, path string) {
		m := NewIgnoreMatcher(true)
		m.addDir("", "x", []byte(rules))
		m.Match(path, false)
		m.Match(path, true)
		// A rule that ignores a directory ignores what is below it.
		if m.Ignored(path, true) && !m.Ignored(path+"/below", false) && path != "" {
			t.Errorf("%q is ignored as a directory, but not what is below it", path)
		}
	})
}
