package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	program = "project-map"
	module  = "github.com/project-map/project-map"
	command = "./cmd/project-map"
)

// build makes the files of one platform.
type build struct {
	root, version, goos, goarch, out string
	strict                           bool
	stdout                           io.Writer

	commit string
	time   time.Time // of the commit; everything in the archive has it
}

func (b *build) run() error {
	if b.goos == "" {
		b.goos = runtime.GOOS
	}
	if b.goarch == "" {
		b.goarch = runtime.GOARCH
	}
	if err := b.readCommit(); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "project-map-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, program)
	if err := b.compile(binary, b.goos, b.goarch); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return fmt.Errorf("read what %s was built of: %w", program, err)
	}
	// The manual and the completions are printed by the program; where this
	// machine cannot run it, by one of the same source that it can run.
	native := binary
	if b.goos != runtime.GOOS || b.goarch != runtime.GOARCH {
		native = filepath.Join(temp, "native")
		if err := b.compile(native, runtime.GOOS, runtime.GOARCH); err != nil {
			return err
		}
	}
	said, err := output(temp, nil, native, "--format", "json", "version")
	if err != nil {
		return err
	}
	if want := fmt.Sprintf("\"version\": %q", b.version); !strings.Contains(said, want) {
		return fmt.Errorf("the program is of another version than v%s: change the constant in cmd/project-map/main.go\n%s", b.version, said)
	}
	m, err := b.materials(info)
	if err != nil {
		return err
	}
	bom, err := m.cycloneDX()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s_%s_%s_%s", program, b.version, b.goos, b.goarch)
	files := []file{{path: "sbom.cdx.json", data: bom}, {path: "THIRD_PARTY_LICENSES.txt", data: m.notices()}}
	add := func(path string, data []byte, err error) error {
		files = append(files, file{path: path, data: data})
		return err
	}
	read := func(path, from string) error {
		data, err := os.ReadFile(from)
		return add(path, data, err)
	}
	printed := func(path string, args ...string) error {
		text, err := output(temp, nil, native, args...)
		return add(path, []byte(text+"\n"), err)
	}
	err = errors.Join(
		read(program, binary),
		read("LICENSE", filepath.Join(b.root, "LICENSE")),
		read("README.md", filepath.Join(b.root, "README.md")),
		read("CHANGELOG.md", filepath.Join(b.root, "CHANGELOG.md")),
		printed("man/project-map.1", "man", "--date", b.time.Format(time.DateOnly)),
		printed("completions/bash/project-map", "completion", "bash"),
		printed("completions/zsh/_project-map", "completion", "zsh"),
		printed("completions/fish/project-map.fish", "completion", "fish"),
		printed("completions/powershell/project-map.ps1", "completion", "powershell"),
	)
	if err != nil {
		return err
	}
	for i := range files {
		files[i].executable = files[i].path == program
		files[i].path = name + "/" + files[i].path
	}
	var packed bytes.Buffer
	if err := writeArchive(&packed, files, b.time); err != nil {
		return err
	}
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return err
	}
	for _, f := range []file{{path: name + ".tar.gz", data: packed.Bytes()}, {path: name + ".sbom.cdx.json", data: bom}} {
		to := filepath.Join(b.out, f.path)
		if err := os.WriteFile(to, f.data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(b.stdout, "%x  %s  %.1f MB\n", sha256.Sum256(f.data), to, float64(len(f.data))/1e6)
	}
	fmt.Fprintf(b.stdout, "%d files in %s.tar.gz; %d components in the bill of materials; built as %s of commit %s\n",
		len(files), name, len(m.components), info.Main.Version, b.commit)
	return nil
}

// readCommit finds the commit and its time, or takes the time from
// SOURCE_DATE_EPOCH where the source is no clone.
func (b *build) readCommit() error {
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		n, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
		}
		b.time = time.Unix(n, 0).UTC()
	}
	out, err := output(b.root, nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		if b.time.IsZero() || b.strict {
			return fmt.Errorf("the source is no clone (set SOURCE_DATE_EPOCH to build it all the same): %w", err)
		}
		b.commit = "unknown"
		return nil
	}
	commit, seconds, _ := strings.Cut(out, " ")
	b.commit = commit
	if b.time.IsZero() {
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			return fmt.Errorf("the time of commit %s: %w", commit, err)
		}
		b.time = time.Unix(n, 0).UTC()
	}
	changes, err := output(b.root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	tags, err := output(b.root, nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	tagged := strings.Contains("\n"+tags+"\n", "\nv"+b.version+"\n")
	switch {
	case b.strict && changes != "":
		return fmt.Errorf("the tree differs from commit %s:\n%s", commit, changes)
	case b.strict && !tagged:
		return fmt.Errorf("commit %s has no tag v%s", commit, b.version)
	case changes != "":
		fmt.Fprintln(b.stdout, "The tree differs from the commit; the program will say so.")
	case !tagged:
		fmt.Fprintf(b.stdout, "The commit has no tag v%s; the program will say so.\n", b.version)
	}
	return nil
}

// environment is what decides the output of the compiler, set to the same
// everywhere.
func (b *build) environment(goos, goarch string) []string {
	env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=1", "GOFLAGS=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "LC_ALL=C", "TZ=UTC"}
	if goos == runtime.GOOS && goarch == runtime.GOARCH && (b.goos != goos || b.goarch != goarch) {
		env = append(env, "CC=cc", "CXX=c++") // the others are set for the target
	}
	return env
}

// tags keep the program from asking the C library for names of hosts and users,
// which a static one cannot answer.
const tags = "netgo,osusergo"

func (b *build) compile(to, goos, goarch string) error {
	link := "-s -w"
	if goos == "linux" {
		// Static, so that it runs with any C library, and with none.
		link += " -linkmode external -extldflags -static"
	}
	vcs := "-buildvcs=true"
	if b.commit == "unknown" {
		vcs = "-buildvcs=false"
	}
	_, err := output(b.root, b.environment(goos, goarch), "go", "build", "-trimpath", vcs, "-tags", tags, "-ldflags", link, "-o", to, command)
	return err
}
