package projectmap_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/project-map/project-map/mapgen/config"
)

// documents are the pages that people read.
func documents(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			if !strings.HasPrefix(filepath.Base(p), ".") {
				out = append(out, p)
			}
		}
	}
	if len(out) < 8 {
		t.Fatalf("found only %v", out)
	}
	return out
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// fence matches blocks of code, whose links are examples.
var fence = regexp.MustCompile("(?ms)^````*.*?^````*$|`[^`\n]+`")

func TestLinksOfDocuments(t *testing.T) {
	links := 0
	for _, p := range documents(t) {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(p), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s links to %s, which is not there", p, m[1])
			}
		}
	}
	if links == 0 {
		t.Error("no document has a link")
	}
}

// TestTestsOfInvariants looks for the tests that the table of invariants names.
func TestTestsOfInvariants(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "## Invariants")
	if !ok {
		t.Fatal("docs/ARCHITECTURE.md has no invariants")
	}
	have := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err = filepath.WalkDir(".", func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		source, err := os.ReadFile(p)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			have[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(table, -1)
	if len(named) < 10 {
		t.Errorf("the table of invariants names only %d tests", len(named))
	}
	for _, m := range named {
		if !have[m[1]] {
			t.Errorf("docs/ARCHITECTURE.md names %s, which is not there", m[1])
		}
	}
}

// TestConfigurationInReadme parses the example, and this repository's own file.
func TestConfigurationInReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllSubmatch(readme, -1)
	if len(blocks) != 1 {
		t.Fatalf("README.md has %d yaml blocks, want the example of %s", len(blocks), config.Name)
	}
	c, err := config.Parse(blocks[0][1])
	if err != nil {
		t.Fatalf("the example in README.md: %v", err)
	}
	if c.Version == "" || c.Artifacts == "" || len(c.Exclude) == 0 || c.Test == "" ||
		len(c.Written.Summaries) == 0 || len(c.Written.Hints) == 0 || len(c.Written.Workflows) == 0 {
		t.Errorf("the example in README.md leaves fields out: %+v", c)
	}
	own, err := os.ReadFile(config.Name)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = config.Parse(own); err != nil {
		t.Fatal(err)
	}
	for dir, hints := range c.Written.Hints {
		for _, h := range hints {
			for _, target := range h.Targets {
				// Pages are committed with the sources; their directories have to be there.
				p := target.Path
				if strings.HasPrefix(filepath.Base(p), ".pi-map") {
					p = filepath.Dir(p)
				}
				if _, err := os.Stat(p); err != nil {
					t.Errorf("%s: the hint %q in %q names %s, which is not there", config.Name, h.Topic, dir, target.Path)
				}
			}
		}
	}
}
