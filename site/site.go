// Package site makes a static site of the maps of a revision: an overview with
// a treemap, a graph of what directories depend on, a page for each directory,
// and the data that the search in the browser reads.
//
// The site needs no server, no network and, but for treemap, graph and search,
// no script. It is a pure function of its input, which is an open store and the
// pages of the revision: the same input gives the same bytes. The front end
// stands in web, and what is built of it in assets.
package site

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
)

// Version changes with every change of what a site of the same input is.
const Version = 1

// Input is what a site is made of.
type Input struct {
	// Title names the site; "" takes the heading of the README.
	Title string
	// Tool is the version of the program.
	Tool     string
	Revision store.Revision
	Summary  store.Summary
	Catalog  *store.Catalog
	// References and Log may be nil: counts of uses and the commits of
	// directories are left out then.
	References *store.References
	Log        *store.Log
	// Indexes and Maps are the parsed pages, in any order. Where one is missing,
	// the page of the site says what the catalog knows.
	Indexes []*artifact.Index
	Maps    []*artifact.Map
	// Source links files to where they can be read; nil for nowhere.
	Source *SourceURL
}

// File is a file of the site. Path is slash-separated and safe on every file
// system.
type File struct {
	Path string
	Data []byte
}

// Names of the pages that everybody can link to.
const (
	IndexPage = "index.html"
	GraphPage = "graph.html"
	pageDir   = "dir"
	assetDir  = "assets"
	dataDir   = "data"
)

// Build makes all files of a site, sorted by path.
func Build(ctx context.Context, in *Input) ([]File, error) {
	if in.References != nil && in.References.NumDocs() != in.Catalog.NumDocs() {
		return nil, fmt.Errorf("build site: references of %d files, a catalog of %d: %w", in.References.NumDocs(), in.Catalog.NumDocs(), store.ErrCorrupt)
	}
	m := newModel(in)
	files, err := assetFiles()
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	data, err := m.dataFiles()
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	files = append(files, data...)
	tasks := []func() (File, error){
		func() (File, error) { return render(IndexPage, "overview", m.overview()) },
		func() (File, error) { return render(GraphPage, "graph", m.graphPage()) },
	}
	for i := range m.dirs {
		if m.dirs[i].page != "" {
			tasks = append(tasks, func() (File, error) {
				return render(pageDir+"/"+m.dirs[i].page, "directory", m.directory(i))
			})
		}
	}
	pages, err := inParallel(ctx, tasks)
	if err != nil {
		return nil, fmt.Errorf("build site: %w", err)
	}
	files = append(files, pages...)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// inParallel runs tasks on all processors and gives their results in order.
func inParallel(ctx context.Context, tasks []func() (File, error)) ([]File, error) {
	out, errs := make([]File, len(tasks)), make([]error, len(tasks))
	var group sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		group.Go(func() {
			for i := range next {
				if errs[i] = ctx.Err(); errs[i] == nil {
					out[i], errs[i] = tasks[i]()
				}
			}
		})
	}
	for i := range tasks {
		next <- i
	}
	close(next)
	group.Wait()
	return out, cmp.Or(errs...)
}

func render(name, tmpl string, view any) (File, error) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, tmpl, view); err != nil {
		return File{}, fmt.Errorf("make %s: %w", name, err)
	}
	return File{name, b.Bytes()}, nil
}

// frame is what every page has around its content.
type frame struct {
	Site  string // title of the site
	Title string // of the page
	// Root leads from the page to the folder of the site: "" or "../".
	Root  string
	Page  string // "overview", "graph" or "directory"
	Tool  string
	State string // what was mapped, in words
	// Scripts are those that the page needs beside the common one, in order.
	Scripts []string
}

func (m *model) frame(page, title, root string, scripts ...string) frame {
	return frame{
		Site: m.title, Title: title, Root: root, Page: page, Tool: m.in.Tool,
		State: m.state(), Scripts: scripts,
	}
}

// state names the revision.
func (m *model) state() string {
	r := m.in.Revision
	switch {
	case r.Kind == "staged":
		return "the staged index"
	case r.Kind == "worktree":
		return "the work tree"
	case r.Commit != "":
		return "commit " + prose(r.Commit[:min(12, len(r.Commit))], 12)
	}
	return "the maps alone"
}

// csp allows what the site brings along and nothing else. Scripts can be added
// to a page by the data loader only, which makes their addresses itself.
const csp = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types project-map"

// templates are parsed when the first page is made, not in every process.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"csp":    func() string { return csp },
		"number": number,
		"plural": plural,
	}).ParseFS(templateFS, "templates/*.html"))
})

// prose makes untrusted text one line of at most max runes.
func prose(s string, max int) string { return plaintext.Line(s, max) }

// Pages counts the pages of directories among the files of a site.
func Pages(files []File) int {
	n := 0
	for _, f := range files {
		if strings.HasPrefix(f.Path, pageDir+"/") {
			n++
		}
	}
	return n
}
