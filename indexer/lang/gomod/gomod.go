// Package gomod reads go.mod and go.work files, which tell where import paths
// lead.
package gomod

import (
	"golang.org/x/mod/modfile"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
)

// Language is the row of go.mod and go.work.
func Language() *lang.Language {
	return &lang.Language{
		Name:      "gomod",
		Aliases:   []string{"go module", "go.mod"},
		Version:   1,
		Filenames: []string{"go.mod", "go.work"},
		Extract:   extract,
		Outline:   true,
	}
}

// extract reports the module path as the package, requirements as keys, and
// replacements by a directory and used modules as imports of that directory.
func extract(b *lang.Builder) {
	f, err := modfile.Parse("go.mod", b.Source, nil)
	if err != nil {
		// A newer file may hold directives that this reader does not know; the
		// lax reader skips them, and replacements with them.
		f, err = modfile.ParseLax("go.mod", b.Source, nil)
	}
	if err == nil && f.Module != nil {
		b.SetPackage(f.Module.Mod.Path)
		key(b, f.Module.Syntax, f.Module.Mod.Path, "module")
		for _, r := range f.Require {
			if !r.Indirect {
				key(b, r.Syntax, r.Mod.Path, "require")
			}
		}
		for _, r := range f.Replace {
			if modfile.IsDirectoryPath(r.New.Path) {
				b.Import(facts.Import{Module: r.New.Path, Alias: r.Old.Path}, uint32(r.Syntax.Start.Byte))
			}
		}
		return
	}
	if w, err := modfile.ParseWork("go.work", b.Source, nil); err == nil {
		for _, u := range w.Use {
			b.Import(facts.Import{Module: u.Path, Alias: u.ModulePath}, uint32(u.Syntax.Start.Byte))
		}
	}
}

func key(b *lang.Builder, line *modfile.Line, name, word string) {
	span := facts.Span{Start: uint32(line.Start.Byte), End: uint32(line.End.Byte)}
	if int(span.End) > len(b.Source) || span.Start > span.End {
		return
	}
	b.Symbol(facts.Symbol{Name: name, Kind: facts.KindKey, Signature: word + " " + name, Span: span, NameSpan: span})
}
