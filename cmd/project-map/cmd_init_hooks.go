package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/project-map/project-map/mapgen/safefs"
	"github.com/project-map/project-map/templates"
)

// hookNames are the hooks that run before a commit is made: git calls the
// second one for merges that need no help.
var hookNames = []string{"pre-commit", "pre-merge-commit"}

// lefthookFiles are the names of lefthook's configuration, in its own order.
var lefthookFiles = []string{"lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"}

const (
	preCommitConfig = ".pre-commit-config.yaml"
	// preCommitHead and hookShebang begin files that init made.
	preCommitHead = "repos:\n"
	hookShebang   = "#!/bin/sh\n"
)

// hooks writes a hook of a kind, "" for what the repository uses.
func (in *installer) hooks(kind string) error {
	if kind == "" {
		kind = in.hookKind()
	}
	switch kind {
	case "plain":
		return in.plainHooks()
	case "husky":
		return in.huskyHooks()
	case "lefthook":
		return in.lefthook()
	case "pre-commit":
		return in.preCommit()
	}
	return usagef("--kind %s: give plain, lefthook, husky or pre-commit", kind)
}

// hookKind recognises what manages the hooks of a repository.
func (in *installer) hookKind() string {
	there := func(name string, dir bool) bool {
		info, err := os.Lstat(filepath.Join(in.work.out, name))
		return err == nil && info.IsDir() == dir
	}
	for _, f := range lefthookFiles {
		if there(f, false) {
			return "lefthook"
		}
	}
	switch {
	case there(".husky", true):
		return "husky"
	case there(preCommitConfig, false):
		return "pre-commit"
	}
	return "plain"
}

// hooksPath matches the setting that moves hooks elsewhere.
var hooksPath = regexp.MustCompile(`(?mi)^[ \t]*hookspath[ \t]*=[ \t]*(.*?)[ \t]*$`)

// plainHooks writes into the directory of hooks that the work trees share.
func (in *installer) plainHooks() error {
	files := []string{filepath.Join(in.work.repo.CommonDir(), "config"), filepath.Join(in.work.repo.GitDir(), "config.worktree")}
	if name := os.Getenv("GIT_CONFIG_GLOBAL"); name != "" {
		files = append(files, name)
	} else if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		if m := hooksPath.FindSubmatch(data); m != nil {
			return withHint(fmt.Errorf("core.hooksPath is %s (in %s), so git does not read hooks from %s", m[1], f, filepath.Join(in.work.repo.CommonDir(), "hooks")),
				"give --kind husky, lefthook or pre-commit, or call \"project-map hook\" from the hooks there")
		}
	}
	for _, h := range hookNames {
		if err := in.script(in.git, "hooks/"+h, hookShebang); err != nil {
			return err
		}
		if err := executable(in.work.repo.CommonDir(), "hooks/"+h); err != nil {
			return err
		}
	}
	return nil
}

func (in *installer) huskyHooks() error {
	for _, h := range hookNames {
		if err := in.script(in.tree, ".husky/"+h, ""); err != nil {
			return err
		}
	}
	in.next = append(in.next, "husky calls them once \"husky\" has run in this clone (npm run prepare).")
	return nil
}

// shells are the programs whose scripts can be extended.
var shells = regexp.MustCompile(`^#!\s*(?:/usr)?/bin/(?:env\s+)?(?:sh|bash|dash|ksh|zsh)(?:\s|$)`)

// script adds the marked block to a shell script, which begins with head when
// it is new.
func (in *installer) script(root *safefs.Root, rel, head string) error {
	text, err := readOptional(root, rel)
	if err != nil {
		return err
	}
	body := templates.Text(templates.HookStage)
	switch {
	case text == nil:
		text, err = hashComment.setBlock([]byte(head), true, body, "", -1)
	case bytes.HasPrefix(text, []byte("#!")) && !shells.Match(text):
		first, _, _ := strings.Cut(string(text), "\n")
		return withHint(fmt.Errorf("%s is no shell script (%s)", in.shown(root, rel), strings.TrimSpace(first)), "call \"project-map hook\" from it, which fails when maps have to be staged")
	default:
		text, err = hashComment.setBlock(text, false, body, "", -1)
	}
	if err != nil {
		return damaged(in.shown(root, rel), err)
	}
	return in.write(root, rel, text)
}

// executable lets git call a hook that was just written.
func executable(dir, rel string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("make %s executable: %w", rel, err)
	}
	defer root.Close()
	info, err := root.Lstat(rel)
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o100 == 0 {
		// Whoever may read it may run it.
		err = root.Chmod(rel, info.Mode().Perm()|info.Mode().Perm()&0o444>>2)
	}
	if err != nil {
		return fmt.Errorf("make %s executable: %w", rel, err)
	}
	return nil
}

// lefthook adds sections to the configuration of lefthook, where it has none of
// these names.
func (in *installer) lefthook() error {
	name := lefthookFiles[0]
	var text []byte
	for _, f := range lefthookFiles {
		have, err := readOptional(in.tree, f)
		if err != nil {
			return err
		}
		if have != nil {
			name, text = f, have
			break
		}
	}
	body := templates.Text(templates.HookLefthook)
	out, err := hashComment.setBlock(text, text == nil, body, "", -1)
	if err != nil {
		return damaged(name, err)
	}
	rest, _, _, err := hashComment.dropBlock(out)
	if err != nil {
		return damaged(name, err)
	}
	var before, after map[string]any
	if yaml.Unmarshal(rest, &before) != nil || yaml.Unmarshal(out, &after) != nil || len(after) != len(before)+len(hookNames) {
		return byHand(name, body)
	}
	if err := in.write(in.tree, name, out); err != nil {
		return err
	}
	in.next = append(in.next, "lefthook calls it once \"lefthook install\" has run in this clone.")
	return nil
}

// byHand is the way out where a file cannot be extended safely.
func byHand(name, body string) error {
	return withHint(fmt.Errorf("%s cannot be extended without touching what is there", name), "add this to it by hand:\n\n%s", body)
}

// preCommit adds an item to the list of repositories of pre-commit.
func (in *installer) preCommit() error {
	text, err := readOptional(in.tree, preCommitConfig)
	if err != nil {
		return err
	}
	body := templates.Text(templates.HookPreCommit)
	created := text == nil
	at, indent := 0, "  "
	if created {
		text, at = []byte(preCommitHead), len(preCommitHead)
	} else {
		at, indent = endOfRepos(text)
	}
	if at < 0 {
		return byHand(preCommitConfig, body)
	}
	out, err := hashComment.setBlock(text, created, body, indent, at)
	if err != nil {
		return damaged(preCommitConfig, err)
	}
	if !oneMoreRepo(out) {
		return byHand(preCommitConfig, body)
	}
	if err := in.write(in.tree, preCommitConfig, out); err != nil {
		return err
	}
	in.next = append(in.next, "pre-commit calls it once this has run in this clone: pre-commit install --hook-type pre-commit --hook-type pre-merge-commit")
	return nil
}

// endOfRepos finds the byte behind the last item of the list and what its items
// are indented by; -1 where the list is not written as a block.
func endOfRepos(text []byte) (at int, indent string) {
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) != nil || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return -1, ""
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	top := doc.Content[0].Content
	for i := 0; i+1 < len(top); i += 2 {
		list := top[i+1]
		if top[i].Value != "repos" {
			continue
		}
		if list.Kind != yaml.SequenceNode || list.Style&yaml.FlowStyle != 0 || len(list.Content) == 0 {
			return -1, ""
		}
		first := lines[list.Content[0].Line-1]
		item := bytes.TrimLeft(first, " ")
		if !bytes.HasPrefix(item, []byte("-")) {
			return -1, ""
		}
		end := len(lines)
		if i+2 < len(top) {
			end = top[i+2].Line - 1
		}
		// Comments and empty lines before the next key belong to that.
		for i+2 < len(top) && end > 0 && (len(bytes.TrimSpace(lines[end-1])) == 0 || lines[end-1][0] == '#') {
			end--
		}
		return len(bytes.Join(lines[:end], nil)), string(first[:len(first)-len(item)])
	}
	return -1, ""
}

// oneMoreRepo checks that the block adds one item to the list and changes
// nothing else.
func oneMoreRepo(out []byte) bool {
	rest, found, _, err := hashComment.dropBlock(out)
	if err != nil || !found {
		return false
	}
	var before, after map[string]any
	if yaml.Unmarshal(rest, &before) != nil || yaml.Unmarshal(out, &after) != nil {
		return false
	}
	was, _ := before["repos"].([]any)
	is, _ := after["repos"].([]any)
	if len(is) != len(was)+1 {
		return false
	}
	delete(before, "repos")
	delete(after, "repos")
	if !reflect.DeepEqual(before, after) {
		return false
	}
	for i := range was {
		if !reflect.DeepEqual(was[i], is[i]) && !reflect.DeepEqual(was[i], is[i+1]) {
			return false
		}
	}
	return true
}
