// Package mapgen turns the facts of a revision into artifacts and a catalog.
package mapgen

import (
	"context"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/dirfacts"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/mapgen/xref"
)

// Version counts changes of what this package and those below it make of the
// same facts. Raising it makes every store be compiled anew.
const Version = 5

// Page is a rendered artifact.
type Page struct {
	Path string // in the repository, slash separated
	Data []byte
}

// Generated is what a revision gives.
type Generated struct {
	// Pages are the artifacts, sorted by path.
	Pages []Page
	// Imports is parallel to the files: where their import clauses lead.
	Imports [][]xref.Target
	// described is the same as the pages know it, without the outlines of
	// generated files.
	described [][]xref.Target
}

// Limits are the sizes of rendered pages.
func Limits() artifact.Limits { return artifact.Limits{Estimate: tokens.Estimate} }

// Pages folds and renders the artifacts of all directories.
func Pages(ctx context.Context, files []facts.Entry, written dirfacts.Written) (*Generated, error) {
	g := &Generated{Imports: xref.Imports(files)}
	// What programs wrote is no news to a reader, and to the ranking it is noise.
	shown := facts.WithoutAsides(files)
	if g.described = g.Imports; len(shown) > 0 && &shown[0] != &files[0] {
		g.described = xref.Imports(shown)
	}
	dirs := dirfacts.Fold(dirfacts.Input{Files: shown, Imports: g.described, Written: written})
	g.Pages = make([]Page, 2*len(dirs))
	limits := Limits()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range dirs {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			g.Pages[2*i] = Page{path.Join(d.Path, artifact.IndexName), artifact.RenderIndex(d.Index, limits)}
			g.Pages[2*i+1] = Page{path.Join(d.Path, artifact.MapName), artifact.RenderMap(d.Map, limits)}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(g.Pages, func(x, y Page) int { return strings.Compare(x.Path, y.Path) })
	return g, nil
}

// Describe fills a catalog in: the documents from their facts, the directories
// from the artifacts, which are parsed for it, so that what a page says is what
// a query ranks by.
func Describe(b *store.Builder, files []facts.Entry, g *Generated) error {
	docs := make(map[string][]int)
	for i := range files {
		docs[facts.DirOf(files[i].Path)] = append(docs[facts.DirOf(files[i].Path)], i)
	}
	for i := range files {
		b.Set(i, &files[i])
		b.SetImports(i, importedDocs(files, docs, i, g.described[i]))
		if isInstruction(files[i].Path) {
			b.Meta().Instructions = append(b.Meta().Instructions, files[i].Path)
		}
	}
	return describeDirs(b, g.Pages)
}

func describeDirs(b *store.Builder, pages []Page) error {
	index := make(map[string]*artifact.Index, len(pages)/2)
	maps := make([]*artifact.Map, 0, len(pages)/2)
	for _, p := range pages {
		var err error
		if path.Base(p.Path) == artifact.IndexName {
			index[facts.DirOf(p.Path)], err = artifact.ParseIndex(p.Data)
		} else {
			var m *artifact.Map
			m, err = artifact.ParseMap(p.Data)
			maps = append(maps, m)
		}
		if err != nil {
			return fmt.Errorf("read %s back: %w", p.Path, err)
		}
	}
	users := artifact.Users(maps)
	for i, d := range b.Dirs() {
		x := index[d.Path]
		if x == nil {
			continue
		}
		b.SetDir(i, x.Summary, x.Tags, true)
		b.SetUsers(i, users[d.Path])
		for _, h := range x.Hints {
			b.Meta().Hints = append(b.Meta().Hints, store.DirHint{Dir: i, Hint: h})
		}
		if d.Path == "" {
			b.Meta().Workflows = x.Workflows
		}
	}
	return nil
}

// maxPackageDocs is how many files of a package an import of it links to.
const maxPackageDocs = 12

// importedDocs lists the documents that import clauses lead to; a clause that
// names a directory leads to its sources when they are few.
func importedDocs(files []facts.Entry, docs map[string][]int, from int, targets []xref.Target) []int {
	var out []int
	for _, t := range targets {
		if t.Doc >= 0 {
			out = append(out, t.Doc)
			continue
		}
		var sources []int
		for _, d := range docs[t.Dir] {
			if files[d].File.Family == files[from].File.Family && !files[d].Role.Has(facts.RoleTest) {
				sources = append(sources, d)
			}
		}
		if len(sources) <= maxPackageDocs {
			out = append(out, sources...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isInstruction tells whether a file holds instructions for agents.
func isInstruction(p string) bool {
	switch path.Base(p) {
	case "AGENTS.md", "CLAUDE.md", "GEMINI.md":
		return true
	}
	return p == ".github/copilot-instructions.md"
}
