package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/scip-code/scip/bindings/go/scip"
	"google.golang.org/protobuf/proto"

	"github.com/project-map/project-map/benchmarks/internal/lab"
)

// The indexers that the figures were made with.
const (
	scipGo         = "github.com/scip-code/scip-go/cmd/scip-go@v0.2.9"
	scipTypeScript = "@sourcegraph/scip-typescript@0.4.0"
	scipPython     = "@sourcegraph/scip-python@0.6.6"
)

// part is an index of a part of a checkout.
type part struct {
	file string
	// path gives the path in the checkout for one in the index, "" to leave a
	// document out.
	path func(string) string
}

// makeIndex runs the indexer of a family on a checkout and writes one index.
func makeIndex(f *family, repo *lab.Repo, cache, index string) (err error) {
	if cache, err = filepath.Abs(cache); err != nil {
		return err
	}
	if index, err = filepath.Abs(index); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "references-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var parts []part
	var same map[string]bool
	switch f.name {
	case "go":
		parts, same, err = indexGo(repo, cache, work)
	case "python":
		parts, err = indexPython(repo, cache, work)
	case "javascript":
		parts, err = indexScript(repo, cache, work)
	}
	if err != nil {
		return err
	}
	return mergeIndexes(parts, same, index)
}

func run(dir string, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
	}
	return nil
}

func tracked(repo *lab.Repo, pattern string) ([]string, error) {
	out, err := repo.Git("ls-files", pattern)
	if err != nil {
		return nil, err
	}
	return strings.Fields(out), nil
}

// indexGo indexes each module of the checkout. same holds the paths of the
// modules: their versions differ by who imports them.
func indexGo(repo *lab.Repo, cache, work string) ([]part, map[string]bool, error) {
	bin := filepath.Join(cache, "bin", "scip-go")
	if _, err := os.Stat(bin); err != nil {
		if err := run("", []string{"GOBIN=" + filepath.Dir(bin)}, "go", "install", scipGo); err != nil {
			return nil, nil, err
		}
	}
	files, err := tracked(repo, "*go.mod")
	if err != nil {
		return nil, nil, err
	}
	var parts []part
	same := map[string]bool{}
	for i, file := range files {
		if path.Base(file) != "go.mod" || strings.Contains(file, "testdata/") || strings.Contains(file, "vendor/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(repo.Dir, file))
		if err != nil {
			return nil, nil, err
		}
		dir, out := path.Dir(file), filepath.Join(work, fmt.Sprint(i))
		if err := run(filepath.Join(repo.Dir, dir), []string{"GOFLAGS=-mod=mod"}, bin, "index", "--quiet", "--module-version", "v0", "-o", out, "./..."); err != nil {
			// A module of tools or examples whose dependencies cannot be had.
			fmt.Fprintln(os.Stderr, "left out:", file, err)
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			if m, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
				same[strings.Trim(m, " \"")] = true
			}
		}
		parts = append(parts, part{out, func(p string) string { return path.Join(dir, p) }})
	}
	return parts, same, nil
}

// npm installs a package into the cache and gives its program.
func npm(cache, pkg, program string) (string, error) {
	dir := filepath.Join(cache, "npm")
	bin := filepath.Join(dir, "node_modules", ".bin", program)
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return bin, run(dir, nil, "npm", "install", "--prefix", dir, "--no-audit", "--no-fund", pkg)
}

// indexPython indexes a copy of the checkout. scip-python names modules by their
// paths, so what stands below src is moved to the top, where the other files
// import it from.
func indexPython(repo *lab.Repo, cache, work string) ([]part, error) {
	bin, err := npm(cache, scipPython, "scip-python")
	if err != nil {
		return nil, err
	}
	files, err := tracked(repo, ".")
	if err != nil {
		return nil, err
	}
	flat := true
	for _, f := range files {
		if strings.HasPrefix(f, "src/") && strings.HasSuffix(f, ".py") {
			flat = false
		}
	}
	stage := filepath.Join(work, "stage")
	original := map[string]string{}
	for _, f := range files {
		to := f
		if rest, ok := strings.CutPrefix(f, "src/"); ok && !flat {
			to = rest
		}
		if _, taken := original[to]; taken {
			continue
		}
		info, err := os.Lstat(filepath.Join(repo.Dir, f))
		if err != nil || !info.Mode().IsRegular() || info.Size() > 4<<20 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(repo.Dir, f))
		if err != nil {
			return nil, err
		}
		full := filepath.Join(stage, to)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(full, text, 0o644); err != nil {
			return nil, err
		}
		original[to] = f
	}
	out := filepath.Join(work, "index")
	if err := run(stage, nil, bin, "index", "--cwd", stage, "--project-name", nameOf(repo.Dir), "--project-version", "v0", "--quiet", "--output", out); err != nil {
		return nil, err
	}
	return []part{{out, func(p string) string { return original[p] }}}, nil
}

// notProject are directories whose configurations belong to no source.
var notProject = regexp.MustCompile(`(^|/)(fixtures?|templates?|testdata|examples?|node_modules)/`)

// indexScript indexes the projects of a checkout, in which the dependencies have
// to be installed already.
func indexScript(repo *lab.Repo, cache, work string) ([]part, error) {
	bin, err := npm(cache, scipTypeScript, "scip-typescript")
	if err != nil {
		return nil, err
	}
	out := filepath.Join(work, "index")
	args := []string{"index", "--no-progress-bar", "--output", out}
	configs, err := tracked(repo, "*tsconfig.json")
	if err != nil {
		return nil, err
	}
	configs = slices.DeleteFunc(configs, func(c string) bool { return path.Base(c) != "tsconfig.json" || notProject.MatchString(c) })
	if len(configs) == 0 {
		return nil, errors.New("no tsconfig.json in the checkout")
	}
	// A file belongs to the nearest project, whose paths hold for it.
	slices.SortStableFunc(configs, func(a, b string) int { return strings.Count(b, "/") - strings.Count(a, "/") })
	for _, c := range configs {
		args = append(args, path.Dir(c))
	}
	if err := run(repo.Dir, []string{"NODE_OPTIONS=--max-old-space-size=6000"}, bin, args...); err != nil {
		return nil, err
	}
	return []part{{out, func(p string) string { return p }}}, nil
}

// mergeIndexes writes the documents of all parts into one index. Symbols of the
// modules in same get one version.
func mergeIndexes(parts []part, same map[string]bool, index string) error {
	tmp := index + ".part"
	out, err := os.Create(tmp)
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	defer out.Close()
	write := func(i *scip.Index) error {
		b, err := proto.Marshal(i)
		if err == nil {
			_, err = out.Write(b)
		}
		return err
	}
	symbol := func(s string) string {
		words := strings.SplitN(s, " ", 5)
		if len(words) == 5 && same[words[2]] {
			words[3] = "v0"
			return strings.Join(words, " ")
		}
		return s
	}
	seen := map[string]bool{}
	for i, p := range parts {
		in, err := os.Open(p.file)
		if err != nil {
			return err
		}
		v := scip.IndexVisitor{
			VisitMetadata: func(_ context.Context, m *scip.Metadata) error {
				if i > 0 {
					return nil
				}
				m.ProjectRoot = "file:///project"
				return write(&scip.Index{Metadata: m})
			},
			VisitDocument: func(_ context.Context, d *scip.Document) error {
				d.RelativePath = p.path(d.RelativePath)
				if d.RelativePath == "" || seen[d.RelativePath] {
					return nil
				}
				seen[d.RelativePath] = true
				for _, o := range d.Occurrences {
					o.Symbol = symbol(o.Symbol)
				}
				for _, s := range d.Symbols {
					s.Symbol = symbol(s.Symbol)
				}
				return write(&scip.Index{Documents: []*scip.Document{d}})
			},
		}
		err = v.ParseStreaming(context.Background(), io.Reader(in))
		in.Close()
		if err != nil {
			return fmt.Errorf("read the index of a part: %w", err)
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, index)
}
