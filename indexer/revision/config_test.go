package revision

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gitList renders entries as `git config --list -z` does.
func gitList(f *configFile) string {
	var b strings.Builder
	for _, e := range f.entries {
		b.WriteString(e.section + ".")
		if e.subsection != "" {
			b.WriteString(e.subsection + ".")
		}
		b.WriteString(e.key)
		if !e.bare {
			b.WriteString("\n" + e.value)
		}
		b.WriteByte(0)
	}
	return b.String()
}

func TestConfigAgreesWithGit(t *testing.T) {
	g := newRepo(t)
	cases := []string{
		"[alias]\n\tx = \"!f() { echo \\\"a\\\"; }; f\"\n", "[core]a = b\n", "\ufeff[core]\n a=b\n", "[core]\r\n\ta = b\r\n", "[a.B]\n c = d\n",
		"[core]\n a = b \\\n c\n", "[core]\n a =\n", "[core]\n a\n", "[core] # c\n a=b ; c\n", "[a \"b\\\"c\\\\d\"]\n x=y\n", "[core]\n a = \"x\" y # z", "",
	}
	atoms := []string{"[a]", "[a \"S\"]", "[A.b]", "\n", "\n", "k", "K2", " = ", "=", "v", " ", "  ", "\t", "\"", "\\n", "\\\\", "\\\n", "\\x", "#", ";", "\r\n", "[", "]", "é"}
	r := rand.New(rand.NewPCG(11, 13))
	for range 250 {
		var b strings.Builder
		b.WriteString("[s]\n")
		for range 2 + r.IntN(12) {
			b.WriteString(atoms[r.IntN(len(atoms))])
		}
		cases = append(cases, b.String())
	}
	file := filepath.Join(g.dir, "config-file")
	accepted := 0
	for _, c := range cases {
		if err := os.WriteFile(file, []byte(c), 0o644); err != nil {
			t.Fatal(err)
		}
		want, gitErr := g.try("", "config", "--file", file, "--list", "-z")
		f, err := parseConfig([]byte(c))
		if (err == nil) != (gitErr == nil) {
			t.Errorf("%q: error %v, git says %v %s", c, err, gitErr, want)
			continue
		}
		if err != nil {
			continue
		}
		accepted++
		if got := gitList(f); got != want {
			t.Errorf("%q: got %q, git says %q", c, got, want)
		}
	}
	if accepted < 30 {
		t.Errorf("only %d files were well-formed", accepted)
	}
}

func TestConfigPrecedence(t *testing.T) {
	g := newRepo(t)
	home := filepath.Dir(g.dir)
	g.env = append(g.env[:0:0], g.env...)
	for i, kv := range g.env {
		if strings.HasPrefix(kv, "GIT_CONFIG_GLOBAL=") {
			g.env[i] = "X=" // use the files of the home directory
		}
	}
	g.write("../included", "[core]\n\texcludesFile = ~/rules\n\tignoreCase = true\n")
	g.write("../.gitconfig", "[include]\n\tpath = included\n[core]\n\tignoreCase = false\n")
	g.write("../rules", "by-home\n")
	r := g.open()
	if v, _ := r.config.get("core", "excludesfile"); v != "~/rules" || r.foldCase() {
		t.Errorf("excludesFile %q, ignoreCase %v", v, r.foldCase())
	}
	g.write("by-home", "x")
	g.write("other", "x")
	if got := fmt.Sprint(paths(g.snapshot(Options{Kind: Worktree}))); got != "[other]" {
		t.Errorf("entries %s (home %s)", got, home)
	}
	g.write(".git/config", "[core\n")
	if _, err := OpenEnv(g.dir, g.getenv); err == nil || !strings.Contains(err.Error(), "near line") {
		t.Errorf("malformed configuration: %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("[a \"b\"]\n c = \"d\" # e\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseConfig(data)
		if err != nil {
			return
		}
		for _, e := range file.entries {
			if e.section == "" || e.key == "" {
				t.Errorf("entry %+v", e)
			}
		}
	})
}
