package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestPiExtension calls the tools of the extension in Node, with a stand-in for
// Pi's API; the real Pi is for "make e2e".
func TestPiExtension(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: the tools of the Pi extension were not called")
	}
	r := newRepository(t, 1, 1)
	sample, err := os.ReadFile(filepath.Join(sourceDirectory, "testdata", "sample.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if err := txtar.Write(txtar.Parse(sample), r.dir); err != nil {
		t.Fatal(err)
	}
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "sample")
	r.must(0, "init", "pi")
	text, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(piExtension)))
	if err != nil {
		t.Fatal(err)
	}
	// The extension is JavaScript as well, which every Node loads.
	scratch := t.TempDir()
	module := filepath.Join(scratch, "project-map.mjs")
	if err := os.WriteFile(module, text, 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, filepath.Join(sourceDirectory, "testdata", "pi-stub.mjs"), module, r.dir, scratch)
	cmd.Dir, cmd.Env = scratch, append(r.env, asProgram+"=1", "PROJECT_MAP_BIN="+self)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "shell")); err == nil {
		t.Error("a shell saw the query")
	}
}
