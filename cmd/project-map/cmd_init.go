package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/templates"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name:      "init",
		Usage:     "connect a repository with agents and hooks",
		ArgsUsage: "agents|hooks|ci|pi|claude|codex|cursor|vscode|gemini",
		Description: `Writes what another program needs to use project-map here. Running it again
brings that up to date; uninit removes it. Files of others are extended within
marks, never replaced, and links are not followed.

   project-map init agents                  guidance for agents, in AGENTS.md
   project-map init hooks                   a hook of git that keeps maps fresh
   project-map init hooks --kind lefthook   or husky, pre-commit, plain
   project-map init ci                      a workflow for GitHub
   project-map init pi                      an extension for the Pi coding agent
   project-map init claude                  the MCP server, in a client's configuration`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "kind", Usage: "hooks: `plain|lefthook|husky|pre-commit` (default: what the repository uses)"},
		},
		Action: runInit,
	}
}

func runInit(c *cli.Context) error {
	names := append([]string{"agents", "hooks", "ci", "pi"}, clientKinds()...)
	if c.Args().Len() != 1 {
		return usagef("init: name one of %s", strings.Join(names, ", "))
	}
	what := c.Args().First()
	if c.IsSet("kind") && what != "hooks" {
		return usagef("--kind belongs to init hooks")
	}
	in, err := openInstaller(c)
	if err != nil {
		return err
	}
	defer in.close()
	switch what {
	case "agents":
		err = in.agents()
	case "hooks":
		err = in.hooks(c.String("kind"))
	case "ci":
		err = in.ci()
	case "pi":
		err = in.pi()
	case "claude", "codex", "cursor", "vscode", "gemini":
		err = in.client(what)
	default:
		return usagef("init: there is no %q%s; name one of %s", what, didYouMean(what, names), strings.Join(names, ", "))
	}
	if err != nil {
		return err
	}
	return in.print(c)
}

// installer writes integrations into a work tree and its git directory.
type installer struct {
	work *workspace
	tree *safefs.Root // the work tree
	git  *safefs.Root // the git directory that linked work trees share
	done []string     // what to tell
	next []string     // and what is left to do
}

// openInstaller opens the work tree that a command stands in.
func openInstaller(c *cli.Context) (*installer, error) {
	w, err := openWorkspace(c)
	if err != nil {
		return nil, err
	}
	in := &installer{work: w}
	if w.out == "" {
		err = w.errBare("run it in a work tree")
	} else if in.tree, err = safefs.OpenRoot(w.out); err == nil {
		in.git, err = safefs.OpenRoot(w.repo.CommonDir())
	}
	if err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *installer) close() {
	for _, root := range []*safefs.Root{in.tree, in.git} {
		if root != nil {
			_ = root.Close()
		}
	}
	in.work.close()
}

func (in *installer) print(c *cli.Context) error {
	return output(c, func(w io.Writer) error {
		if c.Bool("quiet") {
			return nil
		}
		for _, line := range append(in.done, in.next...) {
			fmt.Fprintln(w, plaintext.Terminal(line))
		}
		return nil
	})
}

// write makes data the content of a file and notes what happened.
func (in *installer) write(root *safefs.Root, rel string, data []byte) error {
	if dir := path.Dir(rel); dir != "." {
		if err := root.MkdirAll(dir); err != nil {
			return err
		}
	}
	changed, err := root.WriteFile(rel, data)
	if err != nil {
		return err
	}
	if name := in.shown(root, rel); changed {
		in.done = append(in.done, "wrote "+name)
	} else {
		in.done = append(in.done, name+" is up to date")
	}
	return nil
}

// shown is how a file is named to people.
func (in *installer) shown(root *safefs.Root, rel string) string {
	if root == in.git {
		return filepath.ToSlash(filepath.Join(root.Name(), rel))
	}
	return rel
}

// setBlock puts a marked block at the end of a file, which may be new.
func (in *installer) setBlock(root *safefs.Root, rel string, k comment, body string) error {
	text, err := readOptional(root, rel)
	if err != nil {
		return err
	}
	text, err = k.setBlock(text, text == nil, body, "", -1)
	if err != nil {
		return damaged(rel, err)
	}
	return in.write(root, rel, text)
}

// agentsFile is where agents look for guidance.
const agentsFile = "AGENTS.md"

func (in *installer) agents() error {
	return in.setBlock(in.tree, agentsFile, htmlComment, templates.Text(templates.Agents))
}

// Where extensions of Pi and of its fork oh-my-pi are found, and how the first
// line of ours begins.
const (
	piExtension  = ".pi/extensions/project-map.ts"
	ompExtension = ".omp/extensions/project-map.ts"
	piMark       = `// Written by "project-map init pi"`
)

// pi writes the extension for Pi, and for oh-my-pi where its directory is.
func (in *installer) pi() error {
	files := []string{piExtension}
	if info, err := os.Lstat(filepath.Join(in.work.out, ".omp")); err == nil && info.IsDir() {
		files = append(files, ompExtension)
	}
	for _, f := range files {
		have, err := readOptional(in.tree, f)
		if err != nil {
			return err
		}
		if have != nil && !strings.HasPrefix(string(have), piMark) {
			return withHint(fmt.Errorf("%s %w", f, errNotOurs), "move it away and run again")
		}
	}
	for _, f := range files {
		if err := in.write(in.tree, f, []byte(templates.Text(templates.PiExtension))); err != nil {
			return err
		}
	}
	in.next = append(in.next, "Pi loads it in this repository once the project is trusted (Pi 1.x in print mode: --approve); project-map has to be on PATH.")
	return nil
}
