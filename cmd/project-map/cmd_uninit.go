package main

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/mapgen/safefs"
)

func uninitCommand() *cli.Command {
	return &cli.Command{
		Name:  "uninit",
		Usage: "remove what init wrote",
		Description: `Removes the marked parts, the files and the hooks that init wrote, and leaves
everything else byte for byte. The maps and the store stay.

   project-map uninit`,
		Action: runUninit,
	}
}

func runUninit(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("uninit takes no arguments (got %q)", c.Args().First())
	}
	in, err := openInstaller(c)
	if err != nil {
		return err
	}
	defer in.close()
	// One file that cannot be mended does not keep the others.
	err = in.removeAll()
	if len(in.done) == 0 && err == nil {
		in.done = append(in.done, "nothing here was written by init")
	}
	return errors.Join(err, in.print(c))
}

func (in *installer) removeAll() error {
	var errs []error
	for _, b := range in.blocks() {
		errs = append(errs, in.dropBlock(b))
	}
	for _, f := range []string{piExtension, ompExtension} {
		errs = append(errs, in.dropFile(f, piMark))
	}
	errs = append(errs, in.dropClients())
	return errors.Join(errs...)
}

// placedBlock is a file that can hold a marked block.
type placedBlock struct {
	root *safefs.Root
	rel  string
	kind comment
}

func (in *installer) blocks() []placedBlock {
	out := []placedBlock{{in.tree, agentsFile, htmlComment}}
	for _, h := range hookNames {
		out = append(out, placedBlock{in.git, "hooks/" + h, hashComment}, placedBlock{in.tree, ".husky/" + h, hashComment})
	}
	out = append(out, placedBlock{in.tree, preCommitConfig, hashComment}, placedBlock{in.tree, ciWorkflow, hashComment})
	for _, f := range lefthookFiles {
		out = append(out, placedBlock{in.tree, f, hashComment})
	}
	return out
}

// elsewhere tells whether a path is not there or cannot be ours: init never
// writes through links.
func elsewhere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefs.ErrSymlink) || errors.Is(err, safefs.ErrNotRegular)
}

func (in *installer) dropBlock(b placedBlock) error {
	text, err := readOptional(b.root, b.rel)
	if elsewhere(err) || err == nil && text == nil {
		return nil
	}
	if err != nil {
		return err
	}
	rest, found, empty, err := b.kind.dropBlock(text)
	switch {
	case err != nil:
		return damaged(in.shown(b.root, b.rel), err)
	case !found:
		return nil
	case empty:
		return in.drop(b.root, b.rel)
	}
	if _, err := b.root.WriteFile(b.rel, rest); err != nil {
		return err
	}
	in.done = append(in.done, "cleaned "+in.shown(b.root, b.rel))
	return nil
}

func (in *installer) dropFile(rel, mark string) error {
	text, err := readOptional(in.tree, rel)
	if elsewhere(err) || err == nil && !strings.HasPrefix(string(text), mark) {
		return nil
	}
	if err != nil {
		return err
	}
	return in.drop(in.tree, rel)
}

// drop removes a file, and the directories that nothing else is left in.
func (in *installer) drop(root *safefs.Root, rel string) error {
	if err := root.Remove(rel); err != nil {
		return err
	}
	in.done = append(in.done, "removed "+in.shown(root, rel))
	if root == in.git {
		return nil
	}
	for d := path.Dir(rel); d != "."; d = path.Dir(d) {
		if removed, err := root.RemoveDir(d); err != nil || !removed {
			break
		}
	}
	return nil
}
