//go:build e2e

package e2e_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The user of the protected registry, as htpasswd has it; the password is pass-word.
const registryUser = "somebody:$2a$04$v7f.SuoUmlma5.Pis4K85.XcwEMI.PaV3o5H56b4iiNfyPb7H7zT2\n"

// startRegistry runs Debian's registry on loopback, with htpasswd if protected, and
// gives its host.
func startRegistry(t *testing.T, protected bool) string {
	t.Helper()
	installed(t, "docker-registry", "docker-registry")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	_ = l.Close()
	dir := t.TempDir()
	config := fmt.Sprintf("version: 0.1\nlog:\n  accesslog:\n    disabled: true\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: %s\nhttp:\n  addr: %s\n", filepath.Join(dir, "data"), host)
	if protected {
		config += "auth:\n  htpasswd:\n    realm: test\n    path: " + filepath.Join(dir, "htpasswd") + "\n"
		if err := os.WriteFile(filepath.Join(dir, "htpasswd"), []byte(registryUser), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, "config.yml")
	if err := os.WriteFile(name, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("docker-registry", "serve", name)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = log.Close()
	})
	for range 200 {
		if resp, err := http.Get("http://" + host + "/v2/"); err == nil {
			_ = resp.Body.Close()
			return host
		}
		time.Sleep(50 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	t.Fatalf("docker-registry does not answer:\n%s", text)
	return ""
}

// get asks the registry as any client would.
func get(t *testing.T, host, path string) []byte {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, "http://"+host+"/v2/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/vnd.oci.image.manifest.v1+json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v\n%s", path, resp.Status, err, data)
	}
	return data
}

var pushedDigest = regexp.MustCompile(`sha256:[0-9a-f]{64}  oci:`)

// TestRegistry pushes to and pulls from the registry that Debian ships.
func TestRegistry(t *testing.T) {
	host := startRegistry(t, false)
	r := newRepo(t)
	maps := "oci://" + host + "/owner/maps"

	// Two pushes, the second from a clone elsewhere with another umask: one digest.
	first := r.run("project-map", "publish", "--push", maps, "--tag", "main", "--out", "../maps.tar.zst")
	digest, _, _ := strings.Cut(pushedDigest.FindString(first), " ")
	r.run("git", "clone", "-q", ".", "../elsewhere/deep")
	second := r.run("sh", "-c", "cd ../elsewhere/deep && umask 077 && exec project-map publish --push "+maps)
	contains(t, second, digest+"  "+maps+":")
	again := r.run("sh", "-c", "cd ../elsewhere/deep && exec project-map publish --push "+maps)
	contains(t, again, digest, "nothing was sent")

	// Any client finds the archive in it, and its digest is that of the file.
	var m struct {
		ArtifactType string
		Layers       []struct{ MediaType, Digest string }
	}
	manifest := get(t, host, "owner/maps/manifests/main")
	if err := json.Unmarshal(manifest, &m); err != nil || len(m.Layers) != 1 || m.ArtifactType != "application/vnd.project-map.archive.v1" {
		t.Fatalf("%v: %s", err, manifest)
	}
	if got := fmt.Sprintf("sha256:%x", sha256.Sum256(manifest)); got != digest {
		t.Errorf("the manifest has the digest %s, publish says %s", got, digest)
	}
	file, err := os.ReadFile(filepath.Join(r.dir, "../maps.tar.zst"))
	if err != nil {
		t.Fatal(err)
	}
	if blob := get(t, host, "owner/maps/blobs/"+m.Layers[0].Digest); string(blob) != string(file) {
		t.Error("the layer is not the file")
	}

	// Back, by tag and by digest.
	r.run("project-map", "pull", maps+":main", "--to", "../tag")
	r.run("project-map", "pull", maps+"@"+digest, "--to", "../digest")
	r.run("diff", "-r", "-x", ".project-map", "../tag", "../digest")
	contains(t, r.fails("project-map", "pull", maps+":none", "--to", "../none"), "there is no such artifact in the registry")
	contains(t, r.fails("project-map", "pull", "oci://"+host+"/other/maps:main", "--to", "../none"), "there is no such artifact in the registry")

	// Questions to two references at once, and to one by digest.
	r.write("queue/extra.go", "package queue\n\n// Drain takes all messages.\nfunc Drain() {}\n")
	r.run("git", "add", "-A")
	r.run("git", "commit", "-q", "-m", "drain")
	contains(t, r.run("project-map", "publish", "--push", "oci://"+host+"/owner/other:main"), "/owner/other:main")
	out := r.run("project-map", "context", "--artifacts", maps+":main", "--artifacts", "oci://"+host+"/owner/other:main", "put and drain messages of the queue")
	contains(t, out, "- maps/queue/queue.go", "- other/queue/extra.go", "/owner/maps:main@"+digest)
	contains(t, r.run("project-map", "oracle", "symbol", "Put", "--artifacts", maps+"@"+digest), "queue/queue.go")
}

// TestRegistrySigned verifies with the real minisign what travels beside an archive.
func TestRegistrySigned(t *testing.T) {
	installed(t, "minisign", "minisign")
	host := startRegistry(t, false)
	r := newRepo(t)
	maps := "oci://" + host + "/maps:main"
	r.run("minisign", "-G", "-W", "-p", "../key.pub", "-s", "../key.sec")
	r.run("project-map", "publish", "--push", maps, "--key", "../key.sec")
	contains(t, r.run("project-map", "pull", maps, "--to", "../maps", "--key", "../key.pub"), "Unpacked")
	r.run("minisign", "-G", "-W", "-f", "-p", "../other.pub", "-s", "../other.sec")
	contains(t, r.fails("project-map", "pull", maps, "--to", "../none", "--key", "../other.pub"), "the signature is not that of this archive and key")

	var m struct{ Layers []struct{ Digest string } }
	if err := json.Unmarshal(get(t, host, "maps/manifests/main"), &m); err != nil || len(m.Layers) != 2 {
		t.Fatalf("%v: %+v", err, m)
	}
	r.write("../m.tar.zst", string(get(t, host, "maps/blobs/"+m.Layers[0].Digest)))
	r.write("../m.tar.zst.minisig", string(get(t, host, "maps/blobs/"+m.Layers[1].Digest)))
	contains(t, r.run("minisign", "-V", "-p", "../key.pub", "-m", "../m.tar.zst"), "Signature and comment signature verified")
}

// TestRegistryProtected logs in with a password.
func TestRegistryProtected(t *testing.T) {
	host := startRegistry(t, true)
	r := newRepo(t)
	maps := "oci://" + host + "/owner/maps:main"
	contains(t, r.fails("project-map", "publish", "--push", maps), "there are no credentials for "+host)
	plain := r.env
	login := func(password string) {
		r.env = append(append([]string{}, plain...), "PROJECT_MAP_REGISTRY="+host, "PROJECT_MAP_REGISTRY_USER=somebody", "PROJECT_MAP_REGISTRY_PASSWORD="+password)
	}
	login("wrong-word")
	out := r.fails("project-map", "publish", "--push", maps)
	contains(t, out, "to the credentials of the environment: the registry refuses access")
	if strings.Contains(out, "wrong-word") {
		t.Errorf("the password shows:\n%s", out)
	}
	login("pass-word")
	contains(t, r.run("project-map", "publish", "--push", maps), maps)

	// Another machine, whose user has logged in with docker.
	r.env = plain
	contains(t, r.fails("project-map", "context", "--artifacts", maps, "put a message"), "there are no credentials for "+host)
	r.write("../docker/config.json", fmt.Sprintf(`{"auths":{%q:{"auth":%q}}}`, host, base64.StdEncoding.EncodeToString([]byte("somebody:pass-word"))))
	r.env = append(append([]string{}, plain...), "DOCKER_CONFIG="+filepath.Join(r.dir, "../docker"))
	contains(t, r.run("project-map", "context", "--artifacts", maps, "put a message"), "queue/queue.go")
	contains(t, r.run("project-map", "pull", maps, "--to", "../maps"), "Unpacked")
}
