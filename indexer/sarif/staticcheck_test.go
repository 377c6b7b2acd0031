package sarif

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The linter of this repository writes SARIF: what it says of a file with known
// faults is read as it was meant.
func TestStaticcheck(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a linter")
	}
	tool, err := exec.Command("go", "tool", "-n", "staticcheck").Output()
	if err != nil {
		t.Skip("go tool staticcheck is not available:", err)
	}
	dir := t.TempDir()
	source := "package shop\n\nimport \"regexp\"\n\nvar Broken = regexp.MustCompile(\"[\")\n\nfunc unused() {}\n"
	for name, text := range map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n", "sub/my shop.go": source} {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(string(tool[:len(tool)-1]), "-f", "sarif", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, _ := cmd.Output() // it fails where it finds something
	if len(out) == 0 {
		t.Skip("staticcheck does not run here")
	}
	results, r := must(t, string(out), dir)
	if len(r.Refused()) > 0 {
		t.Errorf("refused %v", r.Refused())
	}
	want := map[string]struct {
		span  string
		level Level
	}{"SA1000": {`"["`, LevelError}, "U1000": {"unused() {}", LevelWarning}} // without an end: up to that of the line
	text := NewText([]byte(source))
	for _, one := range results {
		w, ok := want[one.Rule.ID]
		if !ok {
			t.Errorf("unexpected %+v", one)
			continue
		}
		delete(want, one.Rule.ID)
		span, ok := text.Span(one.Location.Region, one.Columns)
		if got := source[span.Start:span.End]; !ok || got != w.span || one.Level != w.level || one.Location.Path != "sub/my shop.go" ||
			one.Tool.Name != "Staticcheck" || one.Rule.Short == "" || one.Rule.HelpURI == "" || one.Message == "" {
			t.Errorf("%q of %+v", got, one)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v in %s", want, out[:min(len(out), 500)])
	}
}
