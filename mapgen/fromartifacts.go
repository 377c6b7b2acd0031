package mapgen

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
)

// FromArtifacts compiles a catalog from artifacts alone, as a fresh clone has
// them: it knows the files, symbols and words that the pages name and nothing
// of the bodies. describe writes a language, by its name on a page or else by the
// path of the file, into facts. Pages that do not parse are left out and returned
// as broken.
func FromArtifacts(pages []Page, describe func(f *facts.File, language, path string)) (c *store.Catalog, broken []string, err error) {
	type file struct {
		note artifact.FileNote
		full *artifact.MapFile
	}
	files := map[string]*file{}
	get := func(p string) *file {
		if files[p] == nil {
			files[p] = &file{}
		}
		return files[p]
	}
	var good []Page
	for _, p := range pages {
		dir := facts.DirOf(p.Path)
		switch path.Base(p.Path) {
		case artifact.IndexName:
			x, err := artifact.ParseIndex(p.Data)
			if err != nil {
				broken = append(broken, p.Path)
				continue
			}
			good = append(good, p)
			for _, f := range x.Files {
				get(path.Join(dir, f.Name)).note = f
			}
		case artifact.MapName:
			m, err := artifact.ParseMap(p.Data)
			if err != nil {
				broken = append(broken, p.Path)
				continue
			}
			good = append(good, p)
			for i := range m.Files {
				get(path.Join(dir, m.Files[i].Name)).full = &m.Files[i]
			}
			for _, list := range [][]artifact.FileNote{m.Others, m.Unanalysed} {
				for _, f := range list {
					if !strings.HasSuffix(f.Name, "/") {
						if e := get(path.Join(dir, f.Name)); e.note.Name == "" {
							e.note = f
						}
					}
				}
			}
		}
	}
	paths := make([]string, 0, len(files))
	for p := range files {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	b := store.NewBuilder(paths)
	shard := b.NewShard()
	number := make(map[string]int, len(paths))
	for i, p := range paths {
		number[p] = i
		if isInstruction(p) {
			b.Meta().Instructions = append(b.Meta().Instructions, p)
		}
	}
	for i, p := range paths {
		f := files[p]
		entry := fileOfPage(f.note, f.full)
		describe(entry.File, entry.File.Language, p)
		terms := countWords(entry.File, f.note, f.full)
		for _, t := range terms {
			shard.AddTerm(i, t.Text, t.Counts)
		}
		b.Set(i, entry)
		if f.full != nil {
			var targets []int
			for _, m := range f.full.Imports {
				if d, ok := number[m.Target]; ok {
					targets = append(targets, d)
				}
			}
			slices.Sort(targets)
			b.SetImports(i, targets)
		}
	}
	if err := describeDirs(b, good); err != nil {
		return nil, broken, err
	}
	b.Meta().FromArtifacts = true
	data, err := b.Bytes()
	if err != nil {
		return nil, broken, err
	}
	c, err = store.OpenCatalog(data)
	if err != nil {
		return nil, broken, fmt.Errorf("read artifacts: %w", err)
	}
	return c, broken, nil
}

// fileOfPage is what the pages say of a file, in the words of facts.
func fileOfPage(note artifact.FileNote, full *artifact.MapFile) *facts.Entry {
	f := &facts.File{Summary: note.Note, Depth: facts.Words}
	if full == nil {
		return &facts.Entry{File: f}
	}
	f.Language, f.Depth = full.Language, facts.Parsed
	f.Summary = cmp.Or(full.Summary, note.Note)
	for _, s := range full.Symbols {
		v := facts.Public
		if s.Private {
			v = facts.Private
		}
		container := s.Container[strings.LastIndexByte(s.Container, '.')+1:]
		f.Symbols = append(f.Symbols, facts.Symbol{
			Name: s.Name, Kind: facts.ParseKind(s.Kind), Container: container, Signature: s.Signature, Doc: s.Doc,
			Visibility: v, Parent: -1,
		})
	}
	for _, n := range full.Names {
		f.Symbols = append(f.Symbols, facts.Symbol{Name: n, Parent: -1})
	}
	return &facts.Entry{File: f, Role: facts.ParseRoles(full.Roles)}
}

func countWords(f *facts.File, note artifact.FileNote, full *artifact.MapFile) []facts.Term {
	counts := map[string]*[facts.NumFields]uint16{}
	var order []string
	add := func(text string, field facts.Field) {
		for _, w := range words.Of(text) {
			c := counts[w]
			if c == nil {
				c = new([facts.NumFields]uint16)
				counts[w] = c
				order = append(order, w)
			}
			c[field]++
			if !strings.HasPrefix(w, words.WholePrefix) {
				f.FieldLengths[field]++
			}
		}
	}
	add(note.Note, facts.FieldDoc)
	if full != nil {
		add(full.Summary, facts.FieldDoc)
		for _, s := range full.Symbols {
			add(s.Name, facts.FieldDefs)
			add(s.Signature, facts.FieldBody)
			add(s.Doc, facts.FieldDoc)
		}
		for _, n := range full.Names {
			add(n, facts.FieldDefs)
		}
		for _, m := range full.Imports {
			add(m.Target, facts.FieldImports)
			for _, s := range m.Symbols {
				add(s, facts.FieldImports)
			}
		}
	}
	out := make([]facts.Term, len(order))
	for i, w := range order {
		out[i] = facts.Term{Text: w, Counts: *counts[w]}
	}
	return out
}
