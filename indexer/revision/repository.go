package revision

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Repository is an open git repository. It is safe for concurrent use; the
// snapshots and readers it returns say for themselves.
type Repository struct {
	gitDir    string // of this work tree
	commonDir string // shared by linked work trees
	worktree  string // absolute; "" if bare
	config    *gitConfig
	home      string // the user's home directory, "" if unknown
	xdg       string // the user's configuration directory, "" if unknown
	objects   *objectDB
}

// Open finds the repository that encloses dir: any directory inside a work
// tree, a .git directory, or a bare repository. GIT_DIR and its relatives are
// not read. The errors are ErrNotRepository and ErrUnsupportedRepository.
func Open(dir string) (*Repository, error) { return OpenEnv(dir, os.Getenv) }

// OpenEnv is Open with an explicit environment. Of it only HOME, USERPROFILE,
// XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM and GIT_CONFIG_NOSYSTEM
// are read, to find the user's ignore rules and line-ending settings, which
// matter in Worktree snapshots only.
func OpenEnv(dir string, env func(string) string) (*Repository, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	r, found, err := discover(abs)
	if err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if r == nil {
		return nil, fmt.Errorf("%w: %s (nor any directory above it); name one with --repo, or run `git init`", ErrNotRepository, dir)
	}
	if err := r.configure(env, found); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	if r.objects, err = openObjects(filepath.Join(r.commonDir, "objects")); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", dir, err)
	}
	return r, nil
}

// WorktreeRoot returns the absolute root of the work tree, "" if there is none.
func (r *Repository) WorktreeRoot() string { return r.worktree }

// GitDir returns the absolute git directory of this work tree.
func (r *Repository) GitDir() string { return r.gitDir }

// CommonDir returns the absolute git directory that linked work trees share.
func (r *Repository) CommonDir() string { return r.commonDir }

// discover walks up from dir. found is the directory whose .git entry led to
// the repository, "" if a git directory itself was met.
func discover(dir string) (r *Repository, found string, err error) {
	for {
		dotGit := filepath.Join(dir, ".git")
		info, err := os.Stat(dotGit)
		switch {
		case err == nil && info.IsDir():
			if real, err := filepath.EvalSymlinks(dotGit); err == nil {
				if common, ok := isGitDir(real); ok {
					return &Repository{gitDir: real, commonDir: common}, dir, nil
				}
			}
		case err == nil && info.Mode().IsRegular():
			target, err := readGitFile(dotGit)
			if err != nil {
				return nil, "", err
			}
			common, ok := isGitDir(target)
			if !ok {
				return nil, "", fmt.Errorf("%w: %s points to %s, which is no git directory; repair it with `git worktree repair` or `git submodule update --init`", ErrNotRepository, dotGit, target)
			}
			return &Repository{gitDir: target, commonDir: common}, dir, nil
		case err != nil && errors.Is(err, fs.ErrPermission):
			return nil, "", err
		}
		if common, ok := isGitDir(dir); ok {
			return &Repository{gitDir: dir, commonDir: common}, "", nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, "", nil
		}
		dir = parent
	}
}

// isGitDir applies git's own test: HEAD here, objects and refs in the common
// directory, which it returns.
func isGitDir(dir string) (common string, ok bool) {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return "", false
	}
	common = dir
	if data, err := readLimited(filepath.Join(dir, "commondir"), maxRefFile); err == nil {
		common = strings.TrimRight(string(data), "\r\n")
		if !filepath.IsAbs(common) {
			common = filepath.Join(dir, common)
		}
		if real, err := filepath.EvalSymlinks(common); err == nil {
			common = real
		}
	}
	for _, sub := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, sub)); err != nil || !info.IsDir() {
			return "", false
		}
	}
	return common, true
}

// readGitFile returns the directory that a .git file names.
func readGitFile(file string) (string, error) {
	data, err := readLimited(file, 1<<16)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(data), "gitdir: ")
	target = strings.TrimRight(target, "\r\n")
	if !ok || target == "" {
		return "", fmt.Errorf("%w: %s is not of the form \"gitdir: PATH\"", ErrNotRepository, file)
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(file), target)
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	return target, nil
}

// configure reads the configuration, checks the format and finds the work tree.
func (r *Repository) configure(env func(string) string, found string) error {
	local := &gitConfig{}
	if err := local.load(filepath.Join(r.commonDir, "config"), env("HOME"), 0); err != nil {
		return err
	}
	if err := checkFormat(local); err != nil {
		return err
	}
	linked := r.gitDir != r.commonDir
	perTree := &gitConfig{}
	if local.bool("extensions", "worktreeConfig", false) {
		if err := perTree.load(filepath.Join(r.gitDir, "config.worktree"), env("HOME"), 0); err != nil {
			return err
		}
	}
	r.config = &gitConfig{}
	files, home, xdg := userConfigFiles(env)
	r.home, r.xdg = home, xdg
	for _, f := range files {
		if err := r.config.load(f, home, 0); err != nil {
			return err
		}
	}
	r.config.files = append(append(r.config.files, local.files...), perTree.files...)

	// A linked work tree takes core.bare and core.worktree from its own file
	// only: the common values describe the main work tree.
	own := &gitConfig{files: perTree.files}
	if !linked {
		own.files = append(append([]*configFile(nil), local.files...), perTree.files...)
	}
	r.worktree = r.findWorktree(own, found, linked)
	return nil
}

func (r *Repository) findWorktree(own *gitConfig, found string, linked bool) string {
	if wt, ok := own.get("core", "worktree"); ok && wt != "" {
		if !filepath.IsAbs(wt) {
			wt = filepath.Join(r.gitDir, wt)
		}
		if real, err := filepath.EvalSymlinks(wt); err == nil {
			return real
		}
	}
	_, bareSet := own.get("core", "bare")
	if bareSet && own.bool("core", "bare", false) {
		return ""
	}
	if found != "" {
		return found
	}
	if linked {
		if data, err := readLimited(filepath.Join(r.gitDir, "gitdir"), 1<<16); err == nil {
			back := strings.TrimRight(string(data), "\r\n")
			if !filepath.IsAbs(back) {
				back = filepath.Join(r.gitDir, back)
			}
			if root, err := filepath.EvalSymlinks(filepath.Dir(back)); err == nil {
				return root
			}
		}
		return ""
	}
	if filepath.Base(r.gitDir) == ".git" {
		return filepath.Dir(r.gitDir)
	}
	return ""
}

// checkFormat refuses what cannot be read, before anything is misread.
func checkFormat(c *gitConfig) error {
	version := 0
	if v, ok := c.get("core", "repositoryformatversion"); ok {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 {
			return fmt.Errorf("%w: core.repositoryformatversion is %q", ErrUnsupportedRepository, v)
		}
		version = n
	}
	if version > 1 {
		return fmt.Errorf("%w: core.repositoryformatversion %d is newer than 1; use a newer project-map, or a plain clone", ErrUnsupportedRepository, version)
	}
	for _, o := range c.section("extensions") {
		value := strings.ToLower(o.value)
		switch o.key {
		case "noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees", "compatobjectformat":
			// They do not change how objects, refs or the index are read.
		case "objectformat":
			if value != "sha1" {
				return fmt.Errorf("%w: objects are hashed with %s (extensions.objectformat); only SHA-1 repositories can be read: convert it with `git fast-export --all` into a repository made by `git init --object-format=sha1`", ErrUnsupportedRepository, value)
			}
		case "refstorage":
			if value != "files" {
				return fmt.Errorf("%w: references are stored as %s (extensions.refstorage); convert them with `git refs migrate --ref-format=files`, or index a clone made with `git clone --ref-format=files`", ErrUnsupportedRepository, value)
			}
		default:
			// Version 0 predates extensions: git ignores unknown ones there.
			if version >= 1 {
				return fmt.Errorf("%w: unknown extension extensions.%s; use a newer project-map, or a plain clone", ErrUnsupportedRepository, o.key)
			}
		}
	}
	return nil
}
