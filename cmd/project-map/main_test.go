package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/rogpeppe/go-internal/txtar"
)

// asProgram makes the test binary behave as the program.
const asProgram = "PROJECT_MAP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	testscript.Main(m, map[string]func(){"project-map": main})
}

func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("the git program is not installed")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: false,
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, ".home")
			e.Vars = append(e.Vars, gitEnvironment(home)...)
			addRegistries(e)
			return os.Mkdir(home, 0o755)
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":      codeCmd,
			"sample":    sampleCmd,
			"commit":    commitCmd,
			"remember":  rememberCmd,
			"unchanged": unchangedCmd,
			"json":      jsonCmd,
			"absent":    absentCmd,
			"sections":  sectionsCmd,
			"write":     writeCmd,
			"replace":   replaceCmd,
			"scip":      scipCmd,
			"edges":     edgesCmd,
			"spoil":     spoilCmd,
			"registry":  registryCmd,
		},
	})
}

// gitEnvironment isolates git, and project-map's reading of its settings, from
// the machine.
func gitEnvironment(home string) []string {
	return []string{
		"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "xdg"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z",
		"GIT_TERMINAL_PROMPT=0",
	}
}

// code N project-map ARG... runs the program and checks its exit code. A failing
// run has to say something on standard error, and nothing may look like a crash.
func codeCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program arg...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	stderr := ts.ReadFile("stderr")
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if got >= exitUsage && !strings.HasPrefix(lastError(stderr), "project-map: ") {
		ts.Fatalf("the error does not begin with the program's name: %q", stderr)
	}
	for _, bad := range []string{"goroutine ", "panic", "Incorrect Usage", "%!", "<nil>"} {
		if strings.Contains(stderr, bad) {
			ts.Fatalf("standard error holds %q", bad)
		}
	}
}

// lastError is the message on standard error without the remarks before it.
func lastError(stderr string) string {
	if i := strings.Index(stderr, "project-map: "); i >= 0 {
		return stderr[i:]
	}
	return stderr
}

// sample DIR makes a repository with one commit.
func sampleCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sample dir")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	data, err := os.ReadFile(filepath.Join(sourceDirectory, "testdata", "sample.txtar"))
	ts.Check(err)
	ts.Check(txtar.Write(txtar.Parse(data), dir))
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main", dir))
	commitCmd(ts, false, []string{args[0], "one"})
}

// sourceDirectory is where this package's files are: scripts run elsewhere.
var sourceDirectory = func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return dir
}()

// commit DIR MESSAGE commits everything that git does not ignore.
func commitCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: commit dir message")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(ts.Exec("git", "-C", dir, "add", "-A"))
	ts.Check(ts.Exec("git", "-C", dir, "commit", "-q", "--allow-empty", "-m", args[1]))
}

// remember NAME DIR [SKIP...] notes content, mode and time of all files but
// those whose path begins with one of SKIP.
func rememberCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: remember name dir [skip...]")
	}
	list, err := describeTree(ts.MkAbs(args[1]), args[2:])
	ts.Check(err)
	ts.Check(os.WriteFile(rememberedFile(ts, args[0]), []byte(list), 0o644))
}

// unchanged NAME DIR [SKIP...] compares with what was remembered.
func unchangedCmd(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: unchanged name dir [skip...]")
	}
	want, err := os.ReadFile(rememberedFile(ts, args[0]))
	ts.Check(err)
	got, err := describeTree(ts.MkAbs(args[1]), args[2:])
	ts.Check(err)
	if same := got == string(want); same == neg {
		ts.Fatalf("before:\n%s\nafter:\n%s", want, got)
	}
}

func rememberedFile(ts *testscript.TestScript, name string) string {
	return filepath.Join(ts.Getenv("HOME"), "remembered-"+name)
}

func describeTree(root string, skip []string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		rel = filepath.ToSlash(rel)
		if slices.ContainsFunc(skip, func(s string) bool { return strings.HasPrefix(rel, s) }) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			fmt.Fprintf(&b, "%s/ %s\n", rel, info.Mode())
		case info.Mode().IsRegular():
			data, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s %s %d %x\n", rel, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(data))
		default:
			fmt.Fprintf(&b, "%s %s\n", rel, info.Mode())
		}
		return nil
	})
	return b.String(), err
}

// json FILE KEY... checks that a file (or stdout) is one JSON object with just
// these keys, so that names of fields stay as they are.
func jsonCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: json file key...")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var v map[string]any
	ts.Check(d.Decode(&v))
	if d.More() {
		ts.Fatalf("there is more than one value")
	}
	var keys []string
	for k := range v {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	want := slices.Sorted(slices.Values(args[1:]))
	if !slices.Equal(keys, want) {
		ts.Fatalf("keys are %q, want %q", keys, want)
	}
}

// absent TEXT DIR checks that no file below DIR holds TEXT.
func absentCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[0] == "" {
		ts.Fatalf("usage: absent text dir...")
	}
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(p)
			if err == nil && bytes.Contains(data, []byte(args[0])) {
				ts.Fatalf("%s holds %q", p, args[0])
			}
			return err
		}))
	}
}

// sections FILE NAME... checks that these and no other second-level headings
// stand in a bundle, in this order.
func sectionsCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: sections file name...")
	}
	var got []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			got = append(got, name)
		}
	}
	if !slices.Equal(got, args[1:]) {
		ts.Fatalf("sections are %q", got)
	}
}

// write PATH CONTENT writes a file; both may hold Go escapes such as \xff.
func writeCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: write path content")
	}
	var s [2]string
	for i, a := range args {
		v, err := strconv.Unquote(`"` + a + `"`)
		ts.Check(err)
		s[i] = v
	}
	name := ts.MkAbs(s[0])
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o755))
	ts.Check(os.WriteFile(name, []byte(s[1]), 0o644))
}

// replace FILE OLD NEW replaces the first OLD, which has to be there.
func replaceCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace file old new")
	}
	name := ts.MkAbs(args[0])
	data, err := os.ReadFile(name)
	ts.Check(err)
	if !bytes.Contains(data, []byte(args[1])) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(name, bytes.Replace(data, []byte(args[1]), []byte(args[2]), 1), 0o644))
}
