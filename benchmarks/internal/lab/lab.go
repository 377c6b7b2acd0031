// Package lab is what the measuring programs share: running git and
// project-map on real repositories, comparing trees of artifacts, and printing
// tables.
package lab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Repo is a repository that measurements read. Nothing is written to it but
// project-map's fact cache, so give a clone.
type Repo struct {
	Dir string // work tree or bare repository
	Bin string // the project-map program
	Env []string
}

// Open gives the repository and the program that a command line names.
func Open(dir, bin string) (*Repo, error) {
	if dir == "" {
		return nil, fmt.Errorf("give the directory of a repository")
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune(bin, filepath.Separator) {
		if bin, err = filepath.Abs(bin); err != nil {
			return nil, err
		}
	}
	return &Repo{Dir: full, Bin: bin}, nil
}

// Name is what a table calls the repository.
func (r *Repo) Name() string {
	return filepath.Base(strings.TrimSuffix(r.Dir, string(filepath.Separator)+"repo"))
}

// Git runs git and returns its output without surrounding white space.
func (r *Repo) Git(args ...string) (string, error) {
	out, err := r.git(nil, args...)
	return strings.TrimSpace(out), err
}

// GitEnv is Git with more environment variables.
func (r *Repo) GitEnv(env []string, args ...string) (string, error) {
	out, err := r.git(env, args...)
	return strings.TrimSpace(out), err
}

func (r *Repo) git(env []string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", r.Dir, "-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"}, args...)...)
	cmd.Env = append(append(os.Environ(), r.Env...), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// Map runs project-map on the repository.
func (r *Repo) Map(args ...string) (string, error) { return r.MapEnv(nil, args...) }

// MapEnv is Map with more environment variables.
func (r *Repo) MapEnv(env []string, args ...string) (string, error) {
	cmd := exec.Command(r.Bin, append([]string{"--repo", r.Dir, "--quiet"}, args...)...)
	cmd.Env = append(append(os.Environ(), r.Env...), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("project-map %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(stderr.String()))
	}
	return string(out), nil
}

// Clone makes a clone without a checkout, with its own fact cache.
func (r *Repo) Clone(dir string) (*Repo, error) {
	if _, err := r.Git("clone", "-q", "--shared", "--no-checkout", r.Dir, dir); err != nil {
		return nil, err
	}
	return &Repo{Dir: dir, Bin: r.Bin, Env: r.Env}, nil
}

// IsPage tells whether a path names an artifact.
func IsPage(p string) bool {
	base := p[strings.LastIndexByte(p, '/')+1:]
	return base == ".pi-map.md" || base == ".pi-map.index.md"
}

// Pages reads the artifacts below a directory.
func Pages(dir string) (map[string]string, error) {
	return readTree(dir, IsPage)
}

// Store reads what has to follow from the revision in the current generation of
// a store: the catalog, and the manifest without the name under which the
// revision was asked for and the place of the artifacts.
func Store(dir string) (map[string]string, error) {
	store := filepath.Join(dir, ".project-map")
	name, err := os.ReadFile(filepath.Join(store, "current"))
	if err != nil {
		return nil, err
	}
	gen := filepath.Join(store, strings.TrimSpace(string(name)))
	catalog, err := os.ReadFile(filepath.Join(gen, "catalog"))
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(gen, "manifest.json"))
	if err != nil {
		return nil, err
	}
	var manifest map[string]any
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	if r, ok := manifest["revision"].(map[string]any); ok {
		delete(r, "name")
	}
	delete(manifest, "placement")
	rest, err := json.Marshal(manifest)
	return map[string]string{"catalog": string(catalog), "manifest": string(rest)}, err
}

func readTree(dir string, keep func(string) bool) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil || !d.Type().IsRegular() || !keep(filepath.ToSlash(rel)) {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(rel)] = string(data)
		return nil
	})
	return out, err
}

// Differences lists the keys whose values differ.
func Differences(a, b map[string]string) []string {
	var out []string
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			out = append(out, k)
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}

// Fail prints an error and ends the program.
func Fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
