package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// releaseNotes cuts the section of a version out of a changelog.
func releaseNotes(changelog, version string) (string, error) {
	var out []string
	inside := false
	for line := range strings.Lines(changelog) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case inside && strings.HasPrefix(line, "## "), inside && strings.HasPrefix(line, "[") && strings.Contains(line, "]: "):
			inside = false
		case strings.HasPrefix(line, "## ["+version+"]"):
			inside = true
		case inside:
			out = append(out, line)
		}
	}
	text := strings.TrimSpace(strings.Join(out, "\n"))
	if text == "" {
		return "", fmt.Errorf("CHANGELOG.md says nothing under \"## [%s]\"", version)
	}
	return text + "\n", nil
}

// versioned are places that name the version that is released. Each has to
// match at least once.
var versioned = []struct{ path, pattern string }{
	{"cmd/project-map/main.go", `(?m)^const version = "(.*)"$`},
	{".github/workflows/maps.yml", `uses: project-map/project-map@v(\S+)`},
	{"docs/ci.md", `project-map/project-map(?:/[\w./-]+)?@v(\d\S*)`},
	{"docs/install.md", `(?:/project-map:|VERSION=v?)(\d+\.\d+\.\d+[\w.-]*)`},
}

// checkVersion finds what a release would leave behind.
func checkVersion(root, version string) error {
	var errs []error
	for _, v := range versioned {
		text, err := os.ReadFile(filepath.Join(root, v.path))
		if err != nil {
			errs = append(errs, err)
			continue
		}
		found := regexp.MustCompile(v.pattern).FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 {
			errs = append(errs, fmt.Errorf("%s names no version", v.path))
		}
		for _, m := range found {
			if m[1] != version {
				errs = append(errs, fmt.Errorf("%s names version %s (%q)", v.path, m[1], m[0]))
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err == nil {
		_, err = releaseNotes(string(text), version)
	}
	return errors.Join(append(errs, err)...)
}
