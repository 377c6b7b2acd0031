package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/project-map/project-map/indexer/facts"
)

// alone gives the definitions without a reason that ctags does find in a file of
// nothing but the definition, or the type that holds it, or a type of that one
// member, their reason: ctags has lost its place above them.
func (c *comparison) alone(l *language) error {
	dir, err := os.MkdirTemp("", "ctags-")
	if err != nil {
		return fmt.Errorf("make a place for single definitions: %w", err)
	}
	defer os.RemoveAll(dir)
	var paths []string
	type place struct{ extra, line int } // where ctags should find it
	of := map[string]place{}
	write := func(i int, part, text string, line int) error {
		name := fmt.Sprintf("%d%s%s", i, part, filepath.Ext(c.extra[i].file.path))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			return fmt.Errorf("write a single definition: %w", err)
		}
		paths, of[name] = append(paths, name), place{i, line}
		return nil
	}
	for i, x := range c.extra {
		if x.verdict.outcome != unexplained {
			continue
		}
		outer := x.symbol
		for outer.Parent >= 0 {
			outer = &x.file.facts.Symbols[outer.Parent]
		}
		if err := write(i, "", x.file.part(outer), x.line-int(outer.Line)+1); err != nil {
			return err
		}
		if l.class != "" && outer != x.symbol {
			if err := write(i, "-member", l.class+"\n"+x.file.part(x.symbol)+"\n}", x.line-int(x.symbol.Line)+2); err != nil {
				return err
			}
		}
	}
	if len(paths) == 0 {
		return nil
	}
	tags, err := runCtags(dir, l, paths)
	if err != nil {
		return err
	}
	for _, t := range tags {
		p := of[t.file]
		if x := &c.extra[p.extra]; bareName(t.name) == bareName(x.symbol.Name) && t.line == p.line {
			x.verdict = verdict{left, "found by ctags where it, or the type that holds it, stands alone: it loses its place above"}
		}
	}
	return nil
}

// part is the text of a definition from the start of its line.
func (f *file) part(s *facts.Symbol) string {
	end := min(int(s.Span.End), len(f.text))
	start := min(int(s.Span.Start), end)
	return string(f.text[1+bytes.LastIndexByte(f.text[:start], '\n') : end])
}
