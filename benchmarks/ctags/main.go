// Command ctags compares the definitions that the extractor finds in a work tree
// with those of universal-ctags, by file, name and line, and lists every name
// that only ctags finds.
//
//	go run ./benchmarks/ctags -language Go REPOSITORY
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/benchmarks/internal/lab"
	"github.com/project-map/project-map/indexer/extract"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang/all"
)

// extensions of the languages as ctags names them.
var extensions = map[string][]string{
	"Go": {".go"}, "Python": {".py", ".pyi"}, "TypeScript": {".ts", ".mts", ".cts"}, "JavaScript": {".js", ".mjs", ".cjs"},
}

type tag struct {
	file, name, kind string
	line             int
}

func main() {
	language := flag.String("language", "Go", "Go, Python, TypeScript or JavaScript")
	all := flag.Bool("v", false, "list every name, not the first ten of a kind")
	skip := flag.String("skip", "vendor/", "leave out paths that hold this")
	flag.Parse()
	repo, err := lab.Open(flag.Arg(0), "")
	lab.Fail(err)
	list, err := repo.Git("ls-files")
	lab.Fail(err)
	var files []string
	for _, f := range strings.Split(list, "\n") {
		if slices.Contains(extensions[*language], filepath.Ext(f)) && (*skip == "" || !strings.Contains(f, *skip)) {
			files = append(files, f)
		}
	}
	theirs, err := ctags(repo.Dir, *language, files)
	lab.Fail(err)
	ours := definitions(repo.Dir, files)
	total := 0
	for _, f := range ours {
		total += len(f.facts.Symbols)
	}

	found, exact, of := map[string]int{}, map[string]int{}, map[string]int{}
	reasons, missing := map[string]map[string]int{}, map[string][]tag{}
	for _, t := range theirs {
		kind := *language + " " + t.kind
		of[kind]++
		where := ours[t.file].named(t.name)
		switch reason := ours[t.file].why(t); {
		case slices.ContainsFunc(where, func(s span) bool { return s.name == t.line }):
			found[kind]++
			exact[kind]++
		case slices.ContainsFunc(where, func(s span) bool { return s.from <= t.line && t.line <= s.to }):
			found[kind]++
		case reason != "":
			if reasons[kind] == nil {
				reasons[kind] = map[string]int{}
			}
			reasons[kind][reason]++
		default:
			missing[kind] = append(missing[kind], t)
		}
	}
	fmt.Printf("%s, %s: %d files, %d definitions here, %d tags\n\n", repo.Name(), *language, len(files), total, len(theirs))
	fmt.Println("| kind of ctags | tags | found | at the very line | only ctags, with a reason | unexplained |\n|---|---|---|---|---|---|")
	kinds := make([]string, 0, len(of))
	for k := range of {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(of[b]-of[a], strings.Compare(a, b)) })
	for _, k := range kinds {
		var notes []string
		for _, r := range slices.Sorted(maps.Keys(reasons[k])) {
			notes = append(notes, fmt.Sprintf("%d %s", reasons[k][r], r))
		}
		fmt.Printf("| %s | %d | %d (%.2f %%) | %d | %s | %d |\n", k, of[k], found[k], 100*float64(found[k])/float64(of[k]), exact[k], strings.Join(notes, "; "), len(missing[k]))
	}
	for _, k := range kinds {
		if len(missing[k]) == 0 {
			continue
		}
		fmt.Printf("\nUnexplained, %s:\n\n", k)
		for i, t := range missing[k] {
			if i == 10 && !*all {
				fmt.Printf("- and %d more\n", len(missing[k])-i)
				break
			}
			fmt.Printf("- `%s` %s:%d: `%s`\n", t.name, t.file, t.line, source(repo.Dir, t))
		}
	}
}

// ctags runs universal-ctags over files.
func ctags(dir, language string, files []string) ([]tag, error) {
	cmd := exec.Command("ctags", "-f", "-", "--languages="+language, "--language-force="+language, "--fields=+nK", "--excmd=number", "--sort=no", "-L", "-")
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w", err)
	}
	var tags []tag
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < 4 || strings.HasPrefix(f[0], "!_TAG") || strings.HasPrefix(f[0], "__anon") || strings.HasPrefix(f[0], "anon") {
			continue
		}
		t := tag{name: f[0], file: f[1], kind: f[3]}
		for _, x := range f[4:] {
			if n, ok := strings.CutPrefix(x, "line:"); ok {
				t.line, _ = strconv.Atoi(n)
			}
		}
		tags = append(tags, t)
	}
	return tags, lines.Err()
}

// file is what the extractor says of a file.
type file struct {
	facts *facts.File
	text  []byte
	lines []string
}

// span is where a definition stands: its lines, and that of its name.
type span struct{ from, to, name int }

func definitions(dir string, files []string) map[string]*file {
	table := all.Table()
	x := extract.New(table, extract.DefaultLimits)
	out := map[string]*file{}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		lab.Fail(err)
		f := x.Extract(text, extract.Plan{Language: table.ByPath(name), Extension: strings.ToLower(filepath.Ext(name))})
		out[name] = &file{f, text, strings.Split(string(text), "\n")}
	}
	return out
}

func (f *file) named(name string) []span {
	var out []span
	for i := range f.facts.Symbols {
		if s := &f.facts.Symbols[i]; s.Name == name {
			out = append(out, span{int(s.Line), int(s.EndLine), lineOf(f.text, f.facts, s)})
		}
	}
	return out
}

// why explains a name that only ctags finds, "" where it cannot.
func (f *file) why(t tag) string {
	line := ""
	if t.line > 0 && t.line <= len(f.lines) {
		line = f.lines[t.line-1]
	}
	switch {
	case f.facts.Depth != facts.Parsed:
		return "in files read for words only (" + string(f.facts.Reason) + ")"
	case t.name == "_":
		return "blank names"
	case t.name == "new" && t.kind == "method":
		return "construct signatures, which have no name"
	case t.kind == "variable" && len(f.named(t.name)) > 0 && strings.HasSuffix(t.file, ".py"):
		return "later assignments to a name, which is listed once"
	case t.kind == "package":
		return "package clauses, which facts hold for the file"
	case slices.ContainsFunc(f.facts.Bindings, func(b facts.Binding) bool {
		return b.Name == t.name && (bytes.Count(f.text[:min(int(b.Start), len(f.text))], []byte("\n"))+1 == t.line)
	}):
		return "local variables, which facts hold as bindings"
	case t.kind == "alias" && (t.name == "as" || t.name == "from"):
		return "words of the language"
	case slices.ContainsFunc(f.facts.Imports, func(m facts.Import) bool {
		last := m.Module[strings.LastIndexByte(m.Module, '.')+1:]
		return m.Alias == t.name || m.Module == t.name || last == t.name || slices.ContainsFunc(m.Names, func(n facts.ImportedName) bool { return n.Name == t.name || n.Alias == t.name })
	}):
		return "imported names, which facts hold in the import clause"
	case !declares(line, t.name, t.kind):
		return "names that their line does not declare"
	}
	return ""
}

// declares tells, roughly, whether a line of source declares a name: after a
// word that declares, or, for members, before what follows such a name. This
// ctags takes many expressions of TypeScript for constants.
func declares(line, name, kind string) bool {
	q := regexp.QuoteMeta(name)
	if regexp.MustCompile(`[{,]\s*`+q+`\s*:`).MatchString(line) || regexp.MustCompile(`\s(of|in)\s.*`+q).MatchString(line) {
		return false // the key of a pattern, what a loop runs over
	}
	if regexp.MustCompile(`(^|[^\w.$])(const|let|var|function\*?|class|interface|type|enum|namespace|module|def|func)\s[^=;:()]*(^|[^\w$.])` + q + `($|[^\w$])`).MatchString(" " + line) {
		return true
	}
	switch kind {
	case "constant", "variable":
		return regexp.MustCompile(`^` + q + `\s*(:[^=]*)?=[^=]`).MatchString(line)
	}
	return regexp.MustCompile(`^\s*((export|default|public|private|protected|static|readonly|abstract|async|declare|get|set|override)\s+)*['"\x60]?` + q + `['"\x60]?[?!]?\s*([:(=<]|,?$)`).MatchString(line)
}

// lineOf counts the line of a definition's name.
func lineOf(text []byte, f *facts.File, s *facts.Symbol) int {
	if f.Traits&facts.Decoded != 0 || int(s.NameSpan.Start) > len(text) {
		return int(s.Line)
	}
	return 1 + bytes.Count(text[:s.NameSpan.Start], []byte("\n"))
}

func source(dir string, t tag) string {
	text, err := os.ReadFile(filepath.Join(dir, t.file))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if t.line < 1 || t.line > len(lines) {
		return ""
	}
	line := strings.TrimSpace(lines[t.line-1])
	return line[:min(len(line), 100)]
}
