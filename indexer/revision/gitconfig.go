package revision

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxConfigSize bounds one configuration file; real ones are a few kilobytes.
const maxConfigSize = 8 << 20

// maxIncludeDepth bounds nested include.path, as git does.
const maxIncludeDepth = 10

// gitConfig holds configuration files from the weakest to the strongest.
type gitConfig struct {
	files []*configFile
}

// load appends a file if it exists. The files it includes unconditionally rank
// below it; conditional includes are not evaluated.
func (c *gitConfig) load(file, home string, depth int) error {
	data, err := readLimited(file, maxConfigSize)
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read git configuration: %w", err)
	}
	cfg, err := parseConfig(data)
	if err != nil {
		return fmt.Errorf("read git configuration %s: %w", file, err)
	}
	if depth < maxIncludeDepth {
		for _, e := range cfg.entries {
			if e.section != "include" || e.subsection != "" || e.key != "path" || e.value == "" {
				continue
			}
			inc := expandHome(e.value, home)
			if !filepath.IsAbs(inc) {
				inc = filepath.Join(filepath.Dir(file), inc)
			}
			if err := c.load(inc, home, depth+1); err != nil {
				return err
			}
		}
	}
	c.files = append(c.files, cfg)
	return nil
}

// find returns the strongest entry of section.key.
func (c *gitConfig) find(section, key string) (configEntry, bool) {
	for _, f := range slices.Backward(c.files) {
		for _, e := range slices.Backward(f.entries) {
			if e.section == strings.ToLower(section) && e.subsection == "" && e.key == strings.ToLower(key) {
				return e, true
			}
		}
	}
	return configEntry{}, false
}

// get returns the strongest value of section.key.
func (c *gitConfig) get(section, key string) (string, bool) {
	e, ok := c.find(section, key)
	return e.value, ok
}

// bool returns the value of a boolean key, def if unset or not a boolean.
func (c *gitConfig) bool(section, key string, def bool) bool {
	e, ok := c.find(section, key)
	if !ok || e.bare {
		return ok || def
	}
	switch strings.ToLower(e.value) {
	case "true", "yes", "on", "1":
		return true
	case "", "false", "no", "off", "0":
		return false
	}
	return def
}

// section returns the entries of a section in the order of their files.
func (c *gitConfig) section(name string) []configEntry {
	var all []configEntry
	for _, f := range c.files {
		for _, e := range f.entries {
			if e.section == name && e.subsection == "" {
				all = append(all, e)
			}
		}
	}
	return all
}

// userConfigFiles returns the system and user files git would read, and the
// user's home and git configuration directories ("" if unknown).
func userConfigFiles(env func(string) string) (files []string, home, xdg string) {
	home = env("HOME")
	if home == "" {
		home = env("USERPROFILE")
	}
	xdg = env("XDG_CONFIG_HOME")
	if xdg == "" && home != "" {
		xdg = filepath.Join(home, ".config")
	}
	switch strings.ToLower(env("GIT_CONFIG_NOSYSTEM")) {
	case "", "0", "false", "no", "off":
		if system := env("GIT_CONFIG_SYSTEM"); system != "" {
			files = append(files, system)
		} else {
			files = append(files, "/etc/gitconfig")
		}
	}
	if global := env("GIT_CONFIG_GLOBAL"); global != "" {
		files = append(files, global)
	} else {
		if xdg != "" {
			files = append(files, filepath.Join(xdg, "git", "config"))
		}
		if home != "" {
			files = append(files, filepath.Join(home, ".gitconfig"))
		}
	}
	return files, home, xdg
}

// expandHome replaces a leading "~/"; other users' homes are left alone.
func expandHome(p, home string) string {
	if rest, ok := strings.CutPrefix(p, "~/"); ok && home != "" {
		return filepath.Join(home, filepath.FromSlash(rest))
	}
	return p
}

// readLimited reads a regular file of at most limit bytes.
func readLimited(file string, limit int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	// A device such as /dev/null is how users say "no file".
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("is a directory")}
	}
	return readAllLimited(f, limit)
}
