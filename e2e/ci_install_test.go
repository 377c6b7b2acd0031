//go:build e2e

package e2e_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// tarball is a release archive whose program is a script that says its name.
func tarball(t *testing.T, member, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: member, Mode: 0o755, Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCIDownload gets releases from a server on loopback.
func TestCIDownload(t *testing.T) {
	installed(t, "curl", "curl")
	name := fmt.Sprintf("project-map_0.1.0_%s_%s", runtime.GOOS, runtime.GOARCH)
	good := tarball(t, name+"/project-map", "#!/bin/sh\necho released\n")
	sum := fmt.Sprintf("%x", sha256.Sum256(good))
	files := map[string]string{}
	status := map[string]int{}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if s := status[r.URL.Path]; s != 0 {
			w.WriteHeader(s)
			return
		}
		if text, ok := files[r.URL.Path]; ok {
			_, _ = w.Write([]byte(text))
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	sums, archive := "/v0.1.0/SHA256SUMS", "/v0.1.0/"+name+".tar.gz"

	// A clone of the action whose tag v0.1.0 is its commit.
	r := newRepo(t)
	r.write("cmd/project-map/main.go", "package main\n\nconst version = \"0.1.0\"\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "release")
	r.run("git", "tag", "-a", "-m", "v0.1.0", "v0.1.0")

	for _, c := range []struct {
		name  string
		env   []string
		files map[string]string
		code  map[string]int
		// built, released or an error.
		want string
	}{
		{"the ref is a release", []string{"PM_REF=v0.1.0"}, map[string]string{sums: sum + "  " + name + ".tar.gz\n", archive: string(good)}, nil, "released"},
		{"in binary mode", []string{"PM_REF=v0.1.0"}, map[string]string{sums: sum + " *" + name + ".tar.gz\n", archive: string(good)}, nil, "released"},
		{"the ref is the commit of a release", []string{"PM_REF=" + r.head()}, map[string]string{sums: sum + "  " + name + ".tar.gz\n", archive: string(good)}, nil, "released"},
		{"the ref is another commit", []string{"PM_REF=" + strings.Repeat("ab", 20)}, nil, nil, "built"},
		{"the ref is a branch", []string{"PM_REF=main"}, nil, nil, "built"},
		{"no ref", nil, nil, nil, "built"},
		{"source", []string{"PM_VERSION=source", "PM_REF=v0.1.0"}, nil, nil, "built"},
		{"the ref's release is not there yet", []string{"PM_REF=v0.1.0"}, nil, nil, "built"},
		{"not for this platform", []string{"PM_REF=v0.1.0"}, map[string]string{sums: sum + "  other.tar.gz\n"}, nil, "built"},
		{"asked for", []string{"PM_VERSION=0.1.0"}, map[string]string{sums: sum + "  " + name + ".tar.gz\n", archive: string(good)}, nil, "released"},
		{"asked for and not there", []string{"PM_VERSION=v0.1.0"}, nil, nil, "has no SHA256SUMS; give another version"},
		{"no version", []string{"PM_VERSION=../../x"}, nil, nil, "is neither a release"},
		{"checksum given", []string{"PM_VERSION=v0.1.0", "PM_CHECKSUM=" + sum}, map[string]string{sums: "", archive: string(good)}, nil, "released"},
		{"wrong checksum given", []string{"PM_VERSION=v0.1.0", "PM_CHECKSUM=" + strings.Repeat("0", 64)}, map[string]string{sums: sum + "  " + name + ".tar.gz\n", archive: string(good)}, nil, "nothing of it was run"},
		{"damaged archive", []string{"PM_REF=v0.1.0"}, map[string]string{sums: sum + "  " + name + ".tar.gz\n", archive: string(good) + "x"}, nil, "nothing of it was run"},
		{"not named", []string{"PM_REF=v0.1.0"}, map[string]string{sums: sum + "  x" + name + ".tar.gz\n", archive: string(good)}, nil, "does not name"},
		{"named twice", []string{"PM_REF=v0.1.0"}, map[string]string{sums: strings.Repeat(sum+"  "+name+".tar.gz\n", 2), archive: string(good)}, nil, "does not name"},
		{"another program", []string{"PM_REF=v0.1.0"}, map[string]string{sums: fmt.Sprintf("%x  %s.tar.gz\n", sha256.Sum256(tarball(t, "../x", "")), name), archive: string(tarball(t, "../x", ""))}, nil, "there is no " + name + "/project-map in it"},
		{"server error", []string{"PM_REF=v0.1.0"}, nil, map[string]int{sums: 403}, "HTTP 403"},
		{"program given", []string{"PM_PROGRAM=" + program, "PM_REF=v0.1.0"}, nil, nil, "project-map 0"},
		{"program that is none", []string{"PM_PROGRAM=/nowhere/x"}, nil, nil, "is not a program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			files, status = c.files, c.code
			cmd := exec.Command("/bin/sh", "../.github/actions/project-map/download.sh")
			cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "PM_SOURCE=" + r.dir,
				"PM_REPOSITORY=" + r.dir, "PM_RELEASES=" + server.URL, "PM_RETRY_DELAY=0"}, c.env...)
			out, err := cmd.CombinedOutput()
			text, _ := os.ReadFile(filepath.Join(temp, "output"))
			got := string(out)
			if err == nil {
				_, bin, _ := strings.Cut(string(text), "bin=")
				bin, _, _ = strings.Cut(bin, "\n")
				if strings.Contains(string(text), "build=true\n") {
					got = "built"
					if bin != filepath.Join(temp, "project-map/bin/project-map") {
						t.Errorf("outputs:\n%s", text)
					}
				} else if out, err := exec.Command(bin, "version").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				} else {
					got = string(out)
				}
			} else if !strings.Contains(got, "::error title=project-map::") {
				t.Errorf("an error without a message:\n%s", got)
			}
			contains(t, got, c.want)
			if _, err := os.Stat(filepath.Join(temp, "x")); err == nil {
				t.Error("a member was unpacked outside")
			}
		})
	}
	if asked == 0 {
		t.Error("the server was not asked")
	}
}
