package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/revision"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/config"
	"github.com/project-map/project-map/mapgen/plaintext"
)

func hookCommand() *cli.Command {
	return &cli.Command{
		Name:  "hook",
		Usage: "bring the maps of a commit up to date, from a hook of git",
		Description: `Writes the maps of what is staged, in the index that git gives its hooks
(GIT_INDEX_FILE), and fails with exit code 1 and what to do when the maps that
are staged are others. It stages nothing itself and starts no other program.
When nothing is staged that maps are made of, it ends at once.

   project-map hook                 for pre-commit and other frameworks
   project-map hook --stage-list    for scripts: print what to stage, where that is safe
   project-map init hooks           write the scripts`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "stage-list", Usage: "print the maps to stage, each with a NUL behind it, and succeed; fails where the index is that of a commit of some paths only"},
		},
		Action: runHook,
	}
}

func runHook(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("hook takes no arguments (got %q)", c.Args().First())
	}
	con := newConsole(c)
	defer con.end()
	w, err := openWorkspace(c)
	if err != nil {
		return err
	}
	defer w.close()
	if w.out == "" {
		return w.errBare("hooks belong to work trees")
	}
	if err := w.checkGitDir(os.Getenv("GIT_DIR")); err != nil {
		return err
	}
	names, err := w.bringUpToDate(c, con)
	con.end()
	if err != nil || len(names) == 0 {
		return err
	}
	list := c.Bool("stage-list")
	switch ours := w.ownIndex(os.Getenv("GIT_INDEX_FILE")); {
	case !ours:
		w.explain(c, names, `This commit takes some paths only, so staging them would leave them out of the
index afterwards. They are written; commit them along with your paths:
  git add -A -- '*.pi-map.md' '*.pi-map.index.md'
  git commit ... -- YOUR-PATHS '*.pi-map.md' '*.pi-map.index.md'`)
		return errFindings
	case !list:
		w.explain(c, names, `They are written; stage them and commit again:
  git add -A -- '*.pi-map.md' '*.pi-map.index.md'`)
		return errFindings
	}
	con.say("project-map: %s of this commit brought up to date", plural(len(names), "map"))
	return output(c, func(out io.Writer) error {
		for _, n := range names {
			if _, err := fmt.Fprintf(out, "%s\x00", n); err != nil {
				return err
			}
		}
		return nil
	})
}

// explain says why the commit stops, with --quiet too.
func (w *workspace) explain(c *cli.Context, names []string, what string) {
	const most = 8
	e := c.App.ErrWriter
	fmt.Fprintf(e, "project-map: the maps of this commit are not those that are staged (%s):\n", plural(len(names), "file"))
	for _, n := range names[:min(len(names), most)] {
		fmt.Fprintf(e, "  %s\n", plaintext.Terminal(n))
	}
	if rest := len(names) - most; rest > 0 {
		fmt.Fprintf(e, "  and %d more\n", rest)
	}
	fmt.Fprintln(e, what)
}

// checkGitDir refuses to work for another repository than the one around the
// working directory, which GIT_DIR can name: its index is not ours.
func (w *workspace) checkGitDir(name string) error {
	if name == "" {
		return nil
	}
	real, err := realPath(name)
	if err == nil && real == w.repo.GitDir() {
		return nil
	}
	return withHint(fmt.Errorf("git runs this hook for %s, and the work tree here belongs to %s", name, w.repo.GitDir()),
		"project-map does not know work trees that GIT_DIR or --git-dir connects; commit with --no-verify")
}

// ownIndex tells whether what is staged in an index stays staged after the
// commit: it does in the repository's own and in its successor, which "commit
// -a" makes, but not in the index of a commit of some paths, which git throws
// away. name is what GIT_INDEX_FILE says.
func (w *workspace) ownIndex(name string) bool {
	if name == "" {
		return true
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(w.out, name)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return false
	}
	base := filepath.Base(name)
	return dir == w.repo.GitDir() && (base == "index" || base == "index.lock")
}

// bringUpToDate writes the maps of what is staged, where that matters, and
// lists those that are staged otherwise.
func (w *workspace) bringUpToDate(c *cli.Context, con *console) ([]string, error) {
	opt := stateOf(revision.Staged)
	in, err := w.readInput(c, opt)
	if err != nil {
		return nil, err
	}
	if in.placement == placeNone {
		return nil, nil
	}
	changed, err := in.snapshot.ChangedFromHead(c.Context)
	if err != nil {
		return nil, err
	}
	if !in.matters(changed) {
		return nil, nil
	}
	if err := checkPin(in.config); err != nil {
		return nil, err
	}
	unlock, waited, err := w.lock(c.Context, con.say)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if waited {
		if in, err = w.readInput(c, opt); err != nil {
			return nil, err
		}
	}
	plan, err := w.planEvidence(c, in)
	if err != nil {
		return nil, err
	}
	if _, err := w.index(c.Context, in, indexOptions{con: con, evidence: plan}); err != nil {
		return nil, err
	}
	return w.stagedOtherwise(in, opt)
}

// matters tells whether maps are made of some of the paths.
func (in *buildInput) matters(paths []string) bool {
	for _, p := range paths {
		switch path.Base(p) {
		case config.Name, ".projectmapignore", ".gitattributes":
			return true
		}
		if in.exclude == nil || !in.exclude(p) {
			return true
		}
	}
	return false
}

// stagedOtherwise lists the artifacts of the store that are not staged as they
// are on disk, and those that are staged where none should be and that the disk
// has lost. Those that git ignores and does not know are left out.
func (w *workspace) stagedOtherwise(in *buildInput, opt revision.Options) ([]string, error) {
	s, err := w.openStore()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	tree, err := openPageTree(w.out, w.mirrored)
	if err != nil {
		return nil, err
	}
	defer tree.close()
	entries, err := w.repo.StagedArtifacts(opt)
	if err != nil {
		return nil, err
	}
	staged := make(map[string]revision.ID, len(entries))
	for _, e := range entries {
		staged[e.Path] = e.Blob
	}
	ignored := w.ignoresArtifact()
	want := make(map[string]bool, len(s.Manifest.Artifacts))
	var names []string
	for _, a := range s.Manifest.Artifacts {
		p := pagePath(a)
		want[p] = true
		if !tree.placed(p) {
			continue
		}
		data, err := tree.read(p)
		if err != nil {
			return nil, err
		}
		blob, tracked := staged[p]
		if data != nil && (tracked && blob != revision.BlobID(data) || !tracked && !ignored(p)) {
			names = append(names, p)
		}
	}
	reader, err := in.snapshot.Reader()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	for _, e := range entries {
		if want[e.Path] || tree.place(facts.DirOf(e.Path)) == linked {
			continue
		}
		if have, err := tree.read(e.Path); err != nil || have != nil {
			continue
		}
		data, err := reader.Read(e)
		if err != nil {
			if errors.Is(err, revision.ErrMissing) {
				continue
			}
			return nil, fmt.Errorf("read staged %s: %w", e.Path, err)
		}
		if artifact.Inspect(data) != artifact.Foreign && belongs(e.Path, data) {
			names = append(names, e.Path)
		}
	}
	return names, nil
}

// ignoresArtifact reads the rules that say "do not commit maps": those at the
// root of the work tree, and those of this clone.
func (w *workspace) ignoresArtifact() func(string) bool {
	m := revision.NewIgnoreMatcher(false)
	add := func(name, file string) {
		info, err := os.Lstat(file)
		if err != nil || info.Mode()&fs.ModeSymlink != 0 || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return
		}
		if data, err := os.ReadFile(file); err == nil {
			m.Add(name, bytes.TrimPrefix(data, []byte("\ufeff")))
		}
	}
	add("info/exclude", filepath.Join(w.repo.CommonDir(), "info", "exclude"))
	add(".gitignore", filepath.Join(w.out, ".gitignore"))
	return func(p string) bool { return m.Ignored(p, false) }
}
