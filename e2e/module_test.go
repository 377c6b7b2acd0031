//go:build e2e

package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// TestGoInstall installs the program as "go install …@latest" does: from the zip
// of the module alone, served by a proxy that is a directory.
func TestGoInstall(t *testing.T) {
	base := t.TempDir()
	source := filepath.Join(base, "source")
	version := "v" + sourceTree(t, source)
	const path = "github.com/project-map/project-map"
	proxy := filepath.Join(base, "proxy")
	at := filepath.Join(proxy, path, "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := zip.CreateFromVCS(&packed, module.Version{Path: path, Version: version}, source, version, ""); err != nil {
		t.Fatalf("the repository cannot be a module: %v", err)
	}
	gomod, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".mod": gomod, version + ".zip": packed.Bytes(),
		version + ".info": fmt.Appendf(nil, `{"Version": %q, "Time": "2024-02-29T12:00:00Z"}`, version),
	} {
		if err := os.WriteFile(filepath.Join(at, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	// The modules it needs come from what is on this machine, then from where the
	// machine has them from.
	cache := goEnv("GOMODCACHE")
	bin, modules := filepath.Join(base, "bin"), filepath.Join(base, "modules")
	cmd := exec.Command("go", "install", path+"/cmd/project-map@latest")
	cmd.Dir = base
	cmd.Env = releaseEnv("GOBIN="+bin, "GOMODCACHE="+modules, "GOPROXY=file://"+proxy+",file://"+filepath.Join(cache, "cache/download")+","+goEnv("GOPROXY"),
		"GONOSUMDB="+path, "CGO_ENABLED=1",
		// Shares the C objects of the releases; modules that can be removed again.
		"GOFLAGS=-trimpath -modcacherw -tags=netgo,osusergo")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	r := newRepo(t)
	out := r.run(filepath.Join(bin, "project-map"), "version")
	contains(t, out, "project-map "+strings.TrimPrefix(version, "v")+" (")
	if strings.Contains(out, "build ") {
		t.Errorf("the program names another build: %s", out)
	}
	listed, err := exec.Command("go", "version", "-m", filepath.Join(bin, "project-map")).Output()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(listed), "\tmod\t"+path+"\t"+version+"\t")
	// Whatever is embedded was in the zip.
	for _, args := range [][]string{{"index"}, {"init", "agents"}, {"init", "ci"}, {"init", "pi"}, {"uninit"}} {
		r.run(filepath.Join(bin, "project-map"), args...)
	}
	contains(t, r.run(filepath.Join(bin, "project-map"), "context", "add a message to the queue"), "queue/queue.go", "## instructions")
}
