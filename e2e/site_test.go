//go:build e2e

package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// browse runs a check of e2e/site/browser.mjs over a site and gives what it prints.
func browse(t *testing.T, check, site string) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome"}
	if check == "firefox" {
		names = []string{"firefox-esr", "firefox"}
	}
	browser := ""
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			browser = p
			break
		}
	}
	if browser == "" {
		t.Skipf("%s is not installed", names[0])
	}
	if _, err := os.Stat(filepath.Join(tools, "site", "node_modules", "puppeteer-core")); err != nil {
		t.Skip("puppeteer-core is not installed")
	}
	script, err := filepath.Abs(filepath.Join("site", "browser.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", script, filepath.Join(tools, "site"), check, site, browser)
	// Profiles of browsers go where the test's other files do.
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", check, err, out)
	}
	return string(out)
}

// siteOf makes the site of a repository's only commit.
func siteOf(t *testing.T, files map[string]string, subjects ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repo")
	r := &repo{t: t, dir: dir, limit: 5 * time.Minute, env: append(os.Environ(),
		"PATH="+filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com")}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.run("git", "init", "-q", "-b", "main")
	for name, text := range files {
		r.write(name, text)
	}
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "one")
	for i, s := range subjects {
		r.write(fmt.Sprintf("core/note%d.txt", i), s)
		r.run("git", "add", "-A")
		r.run("git", "commit", "-q", "-m", s)
	}
	out := filepath.Join(t.TempDir(), "site")
	start := time.Now()
	var report struct {
		Files int
		Bytes int64
	}
	if err := json.Unmarshal([]byte(r.run("project-map", "--format", "json", "site", "--out", out)), &report); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %.1f MB, %.1f s", report.Files, float64(report.Bytes)/1e6, time.Since(start).Seconds())
	return out
}

// widgets is a repository in which directories depend on each other.
func widgets() map[string]string {
	files := map[string]string{
		"go.mod":             "module example.com/widgets\n",
		"README.md":          "# Widgets\n\nMakes widgets.\n",
		"Makefile":           "test:\n\tgo test ./...\n",
		"core/maker.go":      "// Package core makes widgets.\npackage core\n\nimport \"example.com/widgets/core/parts\"\n\n// WidgetMaker makes widgets.\ntype WidgetMaker struct{ P parts.Part }\n\n// Make makes one.\nfunc (w *WidgetMaker) Make() string { return w.P.Name() }\n",
		"core/parts/p.go":    "// Package parts holds parts.\npackage parts\n\nimport \"example.com/widgets/log\"\n\n// Part is one.\ntype Part struct{}\n\n// Name names it.\nfunc (Part) Name() string { log.Say(); return \"\" }\n",
		"web/server.go":      "// Package web serves.\npackage web\n\nimport (\n\t\"example.com/widgets/core\"\n\t\"example.com/widgets/log\"\n)\n\n// Serve serves.\nfunc Serve(m *core.WidgetMaker) { log.Say(); m.Make() }\n",
		"log/log.go":         "// Package log logs.\npackage log\n\n// Say says.\nfunc Say() {}\n",
		"web/script.py":      "\"\"\"Helps.\"\"\"\n\ndef help_me():\n    pass\n",
		"docs/guide.md":      "# Guide\n\nRead this.\n",
		"core/maker_test.go": "package core\n\nimport \"testing\"\n\nfunc TestMake(t *testing.T) {}\n",
	}
	for i := range 8 {
		files[fmt.Sprintf("web/page%d.go", i)] = fmt.Sprintf("package web\n\n// Page%d is a page.\nfunc Page%d() {}\n", i, i) + strings.Repeat("// more\n", 10*i)
	}
	return files
}

func TestSite(t *testing.T) {
	site := siteOf(t, widgets(), "Say more", "Say less")
	for _, check := range []string{"clicks", "looks", "firefox"} {
		t.Run(check, func(t *testing.T) { browse(t, check, site) })
	}
}

// TestSiteOfHostileNames has markup in names, documentation, symbols and subjects.
func TestSiteOfHostileNames(t *testing.T) {
	nasty := []string{
		`<script>window.hacked=1<\script>`, `"><img src=x onerror=window.hacked=1>`, `'-window.hacked=1-'`, `<svg onload=window.hacked=1>`,
		"a\u202eb\u200dc", `javascript:window.hacked=1`, `__proto__`, `{{.Site}}`, `<!--`, `]]>`,
	}
	files := widgets()
	files["README.md"] = "# <script>window.hacked=1</script>\n\n<img src=x onerror=window.hacked=1>\n"
	files["Makefile"] = "# <script>window.hacked=1</script>\nall: ## \"><img src=x onerror=window.hacked=1>\n\techo '<script>window.hacked=1</script>'\n"
	for i, n := range nasty {
		files["core/"+n+"/"+n+".go"] = fmt.Sprintf("// Package p says </title></script>%s.\npackage p\n\nimport \"example.com/widgets/log\"\n\n// F%d is %s.\nfunc F%d(x string) { log.Say() } // %s\n", n, i, n, i, n)
		files["web/"+n+".py"] = fmt.Sprintf("\"\"\"</script>%s\"\"\"\n\ndef __proto__(): pass\n\nclass constructor: pass\n", strings.ReplaceAll(n, `"`, ""))
		files["docs/"+n+".md"] = "# " + n + "\n\n## <img src=x onerror=window.hacked=1>\n"
	}
	browse(t, "hostile", siteOf(t, files, nasty...))
}

// TestSiteOfManyFiles measures the first view of a repository of 5,000 files.
func TestSiteOfManyFiles(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/many\n", "README.md": "# Many\n"}
	for i := range 5000 {
		d := i / 10
		dir := fmt.Sprintf("area%d/group%d/pack%d", d%9, d%60, d)
		text := fmt.Sprintf("// Package pack%d is one of many.\npackage pack%d\n", d, d)
		if next := d/2 - 1; i%10 == 0 && next >= 0 {
			text += fmt.Sprintf("\nimport \"example.com/many/area%d/group%d/pack%d\"\n\nvar _ = pack%d.File%d\n", next%9, next%60, next, next, next*10)
		}
		text += fmt.Sprintf("\n// File%d does one thing.\nfunc File%d() {}\n\ntype type%d struct{ Field%d int }\n", i, i, i, i) + strings.Repeat("// A line.\n", i%97)
		files[fmt.Sprintf("%s/file%d.go", dir, i)] = text
	}
	t.Log(browse(t, "large", siteOf(t, files)))
}
