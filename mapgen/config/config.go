// Package config reads .project-map.yaml, what people write by hand about their
// repository.
//
// The file belongs to the repository and so is hostile data: it can name paths
// inside the repository and text to show, and nothing else. It names no
// command that is run, no path outside, no network address and no model. The
// test command in it is shown to agents, never executed.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/dirfacts"
)

// Name is the base name of the file, at the root of the repository.
const Name = ".project-map.yaml"

// ErrInvalid marks every error about the content of the file.
var ErrInvalid = errors.New("invalid configuration")

// maxSize bounds the file, in bytes.
const maxSize = 1 << 20

// Config is the parsed file. The zero value is the default.
type Config struct {
	// Version pins the version of the program that writes artifacts: exact
	// ("1.2.3") or a prefix of it ("1.2"). Other versions refuse to write.
	Version string
	// Artifacts is "beside" (the default) or "none".
	Artifacts string
	// Exclude holds patterns of .gitignore syntax, besides .projectmapignore.
	Exclude []string
	// Test is the command that the instructions of a bundle name.
	Test string
	// SCIP and SARIF are patterns of indexes and reports below the root of the
	// work tree.
	SCIP, SARIF []string
	// Tokenizer names what counts the tokens of context packs.
	Tokenizer string
	// ContextLayer says how questions are answered, as far as it is set.
	ContextLayer ContextLayerSettings
	// Written is what the artifacts take over.
	Written dirfacts.Written
}

type file struct {
	Version      string               `yaml:"version"`
	Artifacts    string               `yaml:"artifacts"`
	Exclude      []string             `yaml:"exclude"`
	Test         string               `yaml:"test"`
	Summaries    map[string]string    `yaml:"summaries"`
	Hints        []hint               `yaml:"hints"`
	Workflows    []workflow           `yaml:"workflows"`
	ContextLayer ContextLayerSettings `yaml:"contextLayer"`
	Tokenizer    string               `yaml:"tokenizer"`
	SCIP         []string             `yaml:"scip"`
	SARIF        []string             `yaml:"sarif"`
}

type targets struct {
	Files []string `yaml:"files"`
	Index []string `yaml:"index"`
	Map   []string `yaml:"map"`
}

type hint struct {
	For     string `yaml:"for"`
	In      string `yaml:"in"`
	targets `yaml:",inline"`
}

type workflow struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Command     string `yaml:"command"`
	targets     `yaml:",inline"`
}

// Parse reads the file's text; nil or empty text gives the default. Errors wrap
// ErrInvalid and name the line or the field.
func Parse(text []byte) (*Config, error) {
	c := &Config{Artifacts: "beside", Written: dirfacts.Written{
		Summaries: map[string]string{}, Hints: map[string][]artifact.Hint{},
	}}
	if len(text) > maxSize {
		return nil, fmt.Errorf("%s: %d bytes are more than a configuration needs (%d): %w", Name, len(text), maxSize, ErrInvalid)
	}
	var f file
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %s: %w", Name, readable(err), ErrInvalid)
	}
	c.Version, c.Exclude, c.Test, c.Tokenizer = f.Version, f.Exclude, f.Test, f.Tokenizer
	if f.Version != "" && !regexp.MustCompile(`^v?\d+(\.\d+){0,2}([-+][0-9A-Za-z.+-]+)?$`).MatchString(f.Version) {
		return nil, fmt.Errorf("%s: version: %q is no version such as 1.2 or 1.2.3: %w", Name, f.Version, ErrInvalid)
	}
	switch f.Artifacts {
	case "":
	case "beside", "none":
		c.Artifacts = f.Artifacts
	default:
		return nil, fmt.Errorf("%s: artifacts: %q is neither beside nor none: %w", Name, f.Artifacts, ErrInvalid)
	}
	c.ContextLayer = f.ContextLayer
	layer := DefaultContextLayer()
	if err := layer.Apply(c.ContextLayer); err != nil {
		return nil, fmt.Errorf("%s: %w", Name, err)
	}
	for _, list := range []struct {
		where    string
		patterns []string
		to       *[]string
	}{{"scip", f.SCIP, &c.SCIP}, {"sarif", f.SARIF, &c.SARIF}} {
		for i, p := range list.patterns {
			clean, err := inside(fmt.Sprintf("%s[%d]", list.where, i), p)
			if err != nil {
				return nil, err
			}
			if clean == "" {
				return nil, fmt.Errorf("%s: %s[%d]: names no file: %w", Name, list.where, i, ErrInvalid)
			}
			*list.to = append(*list.to, clean)
		}
	}
	for dir, s := range f.Summaries {
		p, err := inside("summaries", dir)
		if err != nil {
			return nil, err
		}
		c.Written.Summaries[p] = s
	}
	for i, h := range f.Hints {
		where := fmt.Sprintf("hints[%d]", i)
		if strings.TrimSpace(h.For) == "" {
			return nil, fmt.Errorf("%s: %s: for: says what the hint is about, and is missing: %w", Name, where, ErrInvalid)
		}
		t, err := h.resolve(where)
		if err != nil {
			return nil, err
		}
		if len(t) == 0 {
			return nil, fmt.Errorf("%s: %s: names nothing to read; give files, index or map: %w", Name, where, ErrInvalid)
		}
		in, err := inside(where+".in", h.In)
		if err != nil {
			return nil, err
		}
		c.Written.Hints[in] = append(c.Written.Hints[in], artifact.Hint{Topic: h.For, Targets: t})
	}
	for i, w := range f.Workflows {
		where := fmt.Sprintf("workflows[%d]", i)
		if strings.TrimSpace(w.Name) == "" {
			return nil, fmt.Errorf("%s: %s: name: is missing: %w", Name, where, ErrInvalid)
		}
		t, err := w.resolve(where)
		if err != nil {
			return nil, err
		}
		c.Written.Workflows = append(c.Written.Workflows, artifact.Workflow{
			Name: w.Name, Source: Name, Command: w.Command, Description: w.Description, Targets: t,
		})
	}
	return c, nil
}

// resolve turns the lists into targets. A directory under index: or map: means
// its artifact.
func (t targets) resolve(where string) ([]artifact.Target, error) {
	var out []artifact.Target
	for _, list := range []struct {
		name  string
		kind  artifact.TargetKind
		paths []string
		page  string
	}{
		{"files", artifact.TargetFile, t.Files, ""},
		{"index", artifact.TargetIndex, t.Index, artifact.IndexName},
		{"map", artifact.TargetMap, t.Map, artifact.MapName},
	} {
		for _, p := range list.paths {
			clean, err := inside(where+"."+list.name, p)
			if err != nil {
				return nil, err
			}
			if list.page != "" && path.Base(clean) != list.page {
				clean = path.Join(clean, list.page)
			}
			out = append(out, artifact.Target{Kind: list.kind, Path: clean})
		}
	}
	return out, nil
}

// inside cleans a path of the repository; "" and "." are its root.
func inside(where, p string) (string, error) {
	p = strings.ReplaceAll(p, "\\", "/")
	clean := path.Clean("./" + p)
	if strings.HasPrefix(p, "/") || clean == ".." || strings.HasPrefix(clean, "../") || strings.Contains(p, "\x00") {
		return "", fmt.Errorf("%s: %s: %q lies outside the repository; give a path relative to its root: %w", Name, where, p, ErrInvalid)
	}
	if clean == "." {
		return "", nil
	}
	return clean, nil
}

// readable takes the library's name out of its messages.
func readable(err error) string {
	s := strings.ReplaceAll(err.Error(), "yaml: ", "")
	s = strings.ReplaceAll(s, "unmarshal errors:\n  ", "")
	s = strings.ReplaceAll(s, "\n  ", "; ")
	return strings.ReplaceAll(s, " in type config.file", "; see the example in the README")
}
