//go:build e2e

package e2e_test

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// These tests build releases of the work tree, in clones of their own. The first
// build compiles the parsers anew and takes minutes; the go tool keeps what it
// made. With E2E_BUILD=1 the second build shares nothing with the first.

// sourceTree copies the work tree into a repository with one commit, tagged as
// the version that the program is. The commit is the same wherever it is made.
func sourceTree(t *testing.T, dir string) (version string) {
	t.Helper()
	list, err := exec.Command("git", "-C", "..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		from, to := filepath.Join("..", name), filepath.Join(dir, name)
		info, err := os.Lstat(from)
		if os.IsNotExist(err) {
			continue // removed, and not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if !info.Mode().IsRegular() {
			continue
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	// Installed packages of the front end are not committed; their licences are read.
	if modules, err := filepath.Abs("../site/web/node_modules"); err == nil {
		if _, err := os.Stat(modules); err == nil {
			if err := os.Symlink(modules, filepath.Join(dir, "site/web/node_modules")); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(program, "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	version = strings.Fields(string(out))[1]
	exclude := "node_modules\n"
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, nil, {"add", "-A"}, {"commit", "-q", "-m", "release"}, {"tag", "v" + version}} {
		if args == nil {
			if err := os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(exclude), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, releaseEnv()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return version
}

func releaseEnv(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "GOFLAGS=") || strings.HasPrefix(kv, "TZ=")
	})
	date := "2024-02-29T12:00:00Z"
	return append(env, append([]string{"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=" + date}, more...)...)
}

func releaseTool(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"run", "./release"}, args...)...)
	// The tool itself is for this machine; it sets what its builds need.
	cmd.Dir, cmd.Env = dir, releaseEnv(append(env, "CGO_ENABLED=0")...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("release %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// built is the release for this platform, made once.
type built struct {
	source, dist, version, name string
}

var (
	hostBuilt      built
	hostBuiltMutex sync.Mutex
)

func hostRelease(t *testing.T) *built {
	t.Helper()
	hostBuiltMutex.Lock()
	defer hostBuiltMutex.Unlock()
	b := &hostBuilt
	if b.dist != "" {
		return b
	}
	base, err := os.MkdirTemp(filepath.Dir(program), "release-") // removed with the program
	if err != nil {
		t.Fatal(err)
	}
	b.source = filepath.Join(base, "source")
	b.version = sourceTree(t, b.source)
	b.name = fmt.Sprintf("project-map_%s_%s_%s", b.version, runtime.GOOS, runtime.GOARCH)
	dist := filepath.Join(base, "dist")
	releaseTool(t, b.source, []string{"TZ=UTC"}, "build", "--strict", "--version", "v"+b.version, "--out", dist)
	b.dist = dist
	return b
}

// unpack gives the directory of an unpacked archive.
func (b *built) unpack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-xzf", filepath.Join(b.dist, b.name+".tar.gz"), "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return filepath.Join(dir, b.name)
}

func TestReleaseIsReproducible(t *testing.T) {
	b := hostRelease(t)
	other := filepath.Join(t.TempDir(), "another, longer path")
	old := syscall.Umask(0o077)
	t.Cleanup(func() { syscall.Umask(old) })
	sourceTree(t, other)
	env := []string{"TZ=Asia/Tokyo", "LC_ALL=tr_TR.UTF-8", "HOME=" + os.Getenv("HOME")}
	if os.Getenv("E2E_BUILD") == "1" {
		env = append(env, "GOCACHE="+filepath.Join(t.TempDir(), "cache"))
	}
	dist := filepath.Join(t.TempDir(), "dist")
	releaseTool(t, other, env, "build", "--strict", "--version", "v"+b.version, "--out", dist)
	for _, ext := range []string{".tar.gz", ".sbom.cdx.json"} {
		one, err := os.ReadFile(filepath.Join(b.dist, b.name+ext))
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(filepath.Join(dist, b.name+ext))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Errorf("%s%s differs from path to path", b.name, ext)
		}
	}
}

// TestReleaseRuns uses the program of an unpacked archive with an empty PATH.
func TestReleaseRuns(t *testing.T) {
	b := hostRelease(t)
	dir := b.unpack(t)
	r := newRepo(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(dir, "project-map"), args...)
		cmd.Dir, cmd.Env = r.dir, []string{"PATH=", "HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("project-map %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	contains(t, run("version"), "project-map "+b.version+" (")
	if out := run("version"); strings.Contains(out, "build ") {
		t.Errorf("the program of a tag names another build: %s", out)
	}
	run("index")
	contains(t, run("context", "add a message to the queue"), "queue/queue.go")
	for _, f := range []string{"LICENSE", "README.md", "CHANGELOG.md", "THIRD_PARTY_LICENSES.txt", "sbom.cdx.json", "man/project-map.1"} {
		if info, err := os.Stat(filepath.Join(dir, f)); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o644 && info.Mode().Perm() != 0o644&^0o022 {
			t.Errorf("%s: %v %v", f, info, err)
		}
	}
	if runtime.GOOS == "linux" {
		out, err := exec.Command("ldd", filepath.Join(dir, "project-map")).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "not a dynamic executable") {
			t.Errorf("the program is not static: %s", out)
		}
	}
}

func TestReleaseChecksums(t *testing.T) {
	b := hostRelease(t)
	releaseTool(t, b.source, nil, "sums", "--out", b.dist)
	cmd := exec.Command("sha256sum", "--check", "--strict", "SHA256SUMS")
	cmd.Dir = b.dist
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sha256sum: %v\n%s", err, out)
	}
	contains(t, string(out), b.name+".tar.gz: OK", b.name+".sbom.cdx.json: OK")
}

// TestReleaseMaterials compares the bill of materials and the licences with what
// the go tool says is in the program.
func TestReleaseMaterials(t *testing.T) {
	b := hostRelease(t)
	dir := b.unpack(t)
	text, err := os.ReadFile(filepath.Join(dir, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat, SpecVersion, SerialNumber string
		Metadata                             struct {
			Timestamp string
			Component struct{ Name, Version string }
		}
		Components []struct {
			Name, Version, PURL string
			Hashes              []struct{ Alg, Content string }
			Licenses            []struct{ License struct{ ID string } }
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BOMFormat != "CycloneDX" || bom.Metadata.Timestamp != "2024-02-29T12:00:00Z" || bom.Metadata.Component.Version != "v"+b.version {
		t.Errorf("metadata: %+v", bom.Metadata)
	}
	info, err := buildinfo.ReadFile(filepath.Join(dir, "project-map"))
	if err != nil {
		t.Fatal(err)
	}
	notices, err := os.ReadFile(filepath.Join(dir, "THIRD_PARTY_LICENSES.txt"))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, c := range bom.Components {
		have[c.Name+"@"+c.Version] = true
		if len(c.Licenses) == 0 {
			t.Errorf("%s has no licence", c.Name)
		}
		if !strings.Contains(string(notices), "\n"+c.Name+" "+c.Version+" (") {
			t.Errorf("THIRD_PARTY_LICENSES.txt does not name %s %s", c.Name, c.Version)
		}
	}
	if len(info.Deps) < 30 {
		t.Errorf("the program has %d modules only", len(info.Deps))
	}
	for _, d := range info.Deps {
		if !have[d.Path+"@"+d.Version] {
			t.Errorf("%s %s is not in the bill of materials", d.Path, d.Version)
		}
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if text, err := os.ReadFile("../site/web/package-lock.json"); err == nil {
		if err := json.Unmarshal(text, &lock); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range lock.Packages {
		if name, ok := strings.CutPrefix(name, "node_modules/"); ok && !p.Dev && !have[name+"@"+p.Version] {
			t.Errorf("the npm package %s %s is not in the bill of materials", name, p.Version)
		}
	}
	refs := map[string]bool{}
	for _, d := range bom.Dependencies {
		refs[d.Ref] = true
	}
	for _, d := range bom.Dependencies {
		for _, on := range d.DependsOn {
			if !refs[on] {
				t.Errorf("%s depends on %s, which is not listed", d.Ref, on)
			}
		}
	}
	contains(t, string(notices), "Copyright (c) 2018-2023 Max Brunsfeld", "The Go Authors")
	validator := filepath.Join(tools, "cyclonedx")
	if _, err := os.Stat(filepath.Join(validator, "node_modules")); err != nil {
		t.Log("the schema of CycloneDX is not installed; make e2e says why")
		return
	}
	script := `const {Validation, Spec} = require("@cyclonedx/cyclonedx-library")
		const text = require("fs").readFileSync(process.argv[1], "utf8")
		new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text).then(e => console.log(e === null ? "valid" : JSON.stringify(e)))`
	cmd := exec.Command("node", "-e", script, filepath.Join(dir, "sbom.cdx.json"))
	cmd.Dir = validator
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "valid\n" {
		t.Errorf("the bill of materials does not fit the schema: %v\n%s", err, out)
	}
}

func TestReleaseManual(t *testing.T) {
	installed(t, "mandoc", "mandoc")
	page := filepath.Join(hostRelease(t).unpack(t), "man/project-map.1")
	if out, err := exec.Command("mandoc", "-T", "lint", "-W", "warning", page).CombinedOutput(); err != nil {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
	out, err := exec.Command("mandoc", "-T", "html", page).Output()
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(out), `id="NAME"`, `id="EXIT_STATUS"`, `id="validate"`, "2024-02-29")
}

// TestReleaseCompletions loads the scripts into the shells and completes words.
func TestReleaseCompletions(t *testing.T) {
	dir := hostRelease(t).unpack(t)
	for _, c := range []struct{ shell, script, want string }{
		{"bash", `source "$D/completions/bash/project-map"
			COMP_WORDS=(project-map val); COMP_CWORD=1; _project_map; echo "${COMPREPLY[@]}"
			COMP_WORDS=(project-map index --st); COMP_CWORD=2; _project_map; echo "${COMPREPLY[@]}"`, "validate\n--staged --stats\n"},
		{"zsh", `fpath=("$D/completions/zsh" $fpath); autoload -Uz compinit; compinit -u -D
			[[ ${_comps[project-map]} == _project-map ]] || exit 1
			source "$D/completions/zsh/_project-map"
			_describe() { print -l -- "${opts[@]}" }
			words=(project-map ''); _project_map | grep -x validate
			words=(project-map index --st); _project_map`, "validate\n--staged\n--stats\n"},
		{"fish", `source $D/completions/fish/project-map.fish
			complete -C 'project-map val' | string replace -r '\t.*' ''
			complete -C 'project-map index --sta' | string replace -r '\t.*' ''`, "validate\n--staged\n--stats\n"},
	} {
		t.Run(c.shell, func(t *testing.T) {
			installed(t, c.shell, c.shell)
			cmd := exec.Command(c.shell, "-c", c.script)
			cmd.Env = []string{"D=" + dir, "PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C.UTF-8"}
			out, err := cmd.CombinedOutput()
			if err != nil || string(out) != c.want {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestReleaseContainer builds the image and runs it as another user.
func TestReleaseContainer(t *testing.T) {
	installed(t, "buildah", "buildah")
	if os.Geteuid() != 0 {
		t.Skip("only root can build with chroot isolation")
	}
	b := hostRelease(t)
	base := t.TempDir()
	releaseTool(t, b.source, nil, "rootfs", "--archive", filepath.Join(b.dist, b.name+".tar.gz"), "--out", filepath.Join(base, runtime.GOARCH))
	buildah := func(args ...string) string {
		t.Helper()
		global := []string{"--root", filepath.Join(base, "storage"), "--runroot", filepath.Join(base, "run"), "--storage-driver", "vfs"}
		cmd := exec.Command("buildah", append(global, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("buildah %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	build := func(tag string) string {
		buildah("build", "--isolation", "chroot", "--timestamp", "1700000000", "--build-arg", "TARGETARCH="+runtime.GOARCH, "--build-arg", "VERSION="+b.version,
			"--build-arg", "REVISION=abc", "-t", tag, "-f", filepath.Join(b.source, "release/Containerfile"), base+"/context")
		return buildah("inspect", "--type", "image", "--format", "{{.FromImageDigest}}", tag)
	}
	if err := os.Mkdir(filepath.Join(base, "context"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(base, runtime.GOARCH), filepath.Join(base, "context", runtime.GOARCH)); err != nil {
		t.Fatal(err)
	}
	if one, two := build("one"), build("two"); one != two || one == "" {
		t.Errorf("two images of the same files: %q and %q", one, two)
	}
	contains(t, buildah("inspect", "--type", "image", "one"), `"org.opencontainers.image.version": "`+b.version+`"`, `"org.opencontainers.image.source"`, `"User": "65532:65532"`, "/usr/bin/project-map")
	c := buildah("from", "one")
	root := buildah("mount", c)
	t.Cleanup(func() { buildah("rm", c) })
	for _, name := range []string{"etc/ssl/certs/ca-certificates.crt", "etc/passwd", "usr/share/doc/project-map/LICENSE", "usr/share/doc/project-map/THIRD_PARTY_LICENSES.txt"} {
		if info, err := os.Stat(filepath.Join(root, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "tmp")); err != nil || info.Mode()&os.ModeSticky == 0 || info.Mode().Perm() != 0o777 {
		t.Errorf("tmp: %v %v", info, err)
	}
	// The repository of a user, mounted as -v does, seen by that user.
	r := newRepo(t)
	mounted := filepath.Join(root, "repo")
	if out, err := exec.Command("cp", "-a", r.dir+"/.", mounted).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v\n%s", err, out)
	}
	if out, err := exec.Command("chown", "-R", "65532:65532", mounted).CombinedOutput(); err != nil {
		t.Fatalf("chown: %v\n%s", err, out)
	}
	inside := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("/usr/bin/project-map", args...)
		cmd.Dir, cmd.Env = "/repo", []string{"PATH=/usr/bin"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("project-map %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	contains(t, inside("version"), b.version)
	contains(t, inside("index"), "Indexed commit")
	inside("publish", "--out", "/tmp/maps.tar.zst")
	contains(t, inside("context", "--artifacts", "/tmp/maps.tar.zst", "queue"), "queue/queue.go")
}

// TestReleaseOtherArchitecture cross-compiles, and runs the program in an emulator.
func TestReleaseOtherArchitecture(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("cross-compiles from linux/amd64 only")
	}
	installed(t, "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu")
	b := hostRelease(t)
	dist := filepath.Join(t.TempDir(), "dist")
	releaseTool(t, b.source, []string{"CC=aarch64-linux-gnu-gcc", "CXX=aarch64-linux-gnu-g++"}, "build", "--strict", "--version", "v"+b.version, "--arch", "arm64", "--out", dist)
	other := &built{dist: dist, name: strings.TrimSuffix(b.name, "amd64") + "arm64"}
	dir := other.unpack(t)
	installed(t, "qemu-aarch64-static", "qemu-user-static")
	r := newRepo(t)
	for _, args := range [][]string{{"version"}, {"index"}} {
		cmd := exec.Command("qemu-aarch64-static", append([]string{filepath.Join(dir, "project-map")}, args...)...)
		cmd.Dir = r.dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		if args[0] == "version" {
			contains(t, string(out), b.version, "linux/arm64")
		}
	}
}

func TestReleaseRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "source")
	version := sourceTree(t, dir)
	refused := func(want string, args ...string) {
		t.Helper()
		cmd := exec.Command("go", append([]string{"run", "./release"}, args...)...)
		cmd.Dir, cmd.Env = dir, releaseEnv()
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("release %v: %v\n%s", args, err, out)
		}
	}
	refused("has no tag v99.0.0", "build", "--strict", "--version", "v99.0.0")
	refused("give a version like v1.2.3", "build", "--version", version)
	refused("names version "+version, "check", "--version", "v99.0.0")
	refused("says nothing under", "notes", "--version", "v99.0.0")
	if err := os.WriteFile(filepath.Join(dir, "new.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused("the tree differs from commit", "build", "--strict", "--version", "v"+version)
}
