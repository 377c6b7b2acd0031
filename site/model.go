package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/xref/edges"
)

// model is the input with all that pages and data share. It is built once and
// only read after that.
type model struct {
	in    *Input
	title string
	docs  []doc
	dirs  []dir
	// byPath finds directories.
	byPath map[string]int
	// uses counts the files that refer to a definition, its own left out.
	uses map[store.Definition]int
	// newest is the time of the newest commit of the past.
	newest int64
}

// doc is a file of the revision.
type doc struct {
	store.Doc
	name string // shown
	// commits of the past that touched it; recency is how long ago the last one
	// was, 0 for never seen.
	commits, recency int
}

// dir is a directory of the revision. Numbers are of all below it, unless they
// say otherwise.
type dir struct {
	path, name, shown string // name is the last element, shown the whole path
	parent            int    // -1 for the root
	page              string // "" where there is none
	summary           string
	tags              []string
	index             *artifact.Index
	maps              *artifact.Map
	children, docs    []int // directly below
	files, lines      int
	bytes             int64
	symbols           int
	commits           int
	recent            []int // numbers of the newest commits
	uses, usedBy      []edge
}

// edge leads to another directory.
type edge struct {
	dir int
	// count is how many references of files directly in the one lead to
	// definitions directly in the other, 0 where that is not known.
	count int
}

// maxRecent is how many commits a page lists.
const maxRecent = 8

func newModel(in *Input) *model {
	m := &model{in: in, byPath: map[string]int{}, uses: map[store.Definition]int{}}
	c := in.Catalog
	for i, d := range c.Dirs() {
		m.byPath[d.Path] = i
		name := path.Base(d.Path)
		if d.Path == "" {
			name = ""
		}
		m.dirs = append(m.dirs, dir{
			path: d.Path, name: shown(name), shown: shown(d.Path), parent: d.Parent, summary: prose(d.Summary, maxProse), tags: d.Tags,
		})
		if d.Parent >= 0 {
			m.dirs[d.Parent].children = append(m.dirs[d.Parent].children, i)
		}
	}
	if len(m.dirs) == 0 {
		m.dirs, m.byPath[""] = []dir{{parent: -1}}, 0
	}
	m.namePages()
	for i := range c.NumDocs() {
		d := c.Doc(i)
		d.Dir = max(d.Dir, 0)
		m.docs = append(m.docs, doc{Doc: d, name: shown(path.Base(d.Path))})
		m.dirs[d.Dir].docs = append(m.dirs[d.Dir].docs, i)
		symbols := len(c.SymbolsOf(i))
		for k := d.Dir; k >= 0; k = m.dirs[k].parent {
			m.dirs[k].files++
			m.dirs[k].lines += int(d.Lines)
			m.dirs[k].bytes += int64(d.Size)
			m.dirs[k].symbols += symbols
		}
	}
	for _, x := range in.Indexes {
		if i, ok := m.byPath[x.Dir]; ok {
			m.dirs[i].index = x
		}
	}
	for _, x := range in.Maps {
		if i, ok := m.byPath[x.Dir]; ok {
			m.dirs[i].maps = x
		}
	}
	m.addPast()
	m.addEdges()
	m.title = cmp.Or(prose(in.Title, 80), m.readmeTitle(), "Repository map")
	return m
}

// namePages gives pages to the directories that have maps, and to the root.
func (m *model) namePages() {
	var paths []string
	var at []int
	for i, d := range m.in.Catalog.Dirs() {
		if d.HasMap || i == 0 {
			paths, at = append(paths, d.Path), append(at, i)
		}
	}
	if len(paths) == 0 {
		paths, at = []string{""}, []int{0}
	}
	for k, name := range pageNames(paths) {
		m.dirs[at[k]].page = name
	}
}

// addPast counts commits. One that touches many files of a directory is one
// commit of the directory.
func (m *model) addPast() {
	c := m.in.Catalog
	for i := range c.NumCommits() {
		m.newest = max(m.newest, c.Commit(i).Time)
	}
	seen := make([]int, len(m.dirs))
	for i := range c.NumCommits() {
		at := c.Commit(i)
		for _, d := range at.Docs {
			f := &m.docs[d]
			f.commits++
			if f.recency == 0 {
				f.recency = recency(m.newest - at.Time)
			}
			for k := f.Dir; k >= 0 && seen[k] != i+1; k = m.dirs[k].parent {
				seen[k] = i + 1
				m.dirs[k].commits++
				if len(m.dirs[k].recent) < maxRecent {
					m.dirs[k].recent = append(m.dirs[k].recent, i)
				}
			}
		}
	}
}

// recency sorts an age in seconds into classes; the front end names them.
func recency(age int64) int {
	const day = 24 * 60 * 60
	for i, days := range []int64{7, 30, 91, 365, 3 * 365} {
		if age <= days*day {
			return i + 1
		}
	}
	return 6
}

// addEdges joins what the maps depend on with the number of references that
// rules of the languages found.
func (m *model) addEdges() {
	type pair struct{ from, to int }
	counts := map[pair]int{}
	if r := m.in.References; r != nil {
		for from := range m.docs {
			seen := map[store.Definition]bool{}
			for _, s := range r.Sites(from) {
				if s.Mark == edges.ByName {
					continue
				}
				to := store.Definition{Doc: int(s.Doc), Symbol: int(s.Symbol)}
				if a, b := m.docs[from].Dir, m.docs[to.Doc].Dir; a != b {
					counts[pair{a, b}]++
				}
				if to.Doc != from && !seen[to] {
					seen[to] = true
					m.uses[to]++
				}
			}
		}
	}
	for to, d := range m.in.Catalog.Dirs() {
		for _, user := range d.UsedBy {
			if user == "." {
				user = ""
			}
			from, ok := m.byPath[user]
			if !ok || from == to {
				continue
			}
			n := counts[pair{from, to}]
			m.dirs[from].uses = append(m.dirs[from].uses, edge{to, n})
			m.dirs[to].usedBy = append(m.dirs[to].usedBy, edge{from, n})
		}
	}
	for i := range m.dirs {
		for _, list := range [][]edge{m.dirs[i].uses, m.dirs[i].usedBy} {
			slices.SortFunc(list, func(a, b edge) int { return cmp.Compare(a.dir, b.dir) })
		}
	}
}

// headingLines is how far down the heading of a README may stand, under badges,
// to be its title.
const headingLines = 15

// readmeTitle is the heading at the top of the README in the root.
func (m *model) readmeTitle() string {
	for _, i := range m.dirs[0].docs {
		name, _, _ := strings.Cut(strings.ToLower(path.Base(m.docs[i].Path)), ".")
		if name != "readme" {
			continue
		}
		for _, s := range m.in.Catalog.SymbolsOf(i) {
			if s.Kind == facts.KindHeading && s.Line <= headingLines {
				return prose(s.Name, 60)
			}
		}
	}
	return ""
}

// link is a text that may lead to a page.
type link struct {
	Text string
	Href string // "" for text alone
}

// linkDir leads to a directory from a page in root.
func (m *model) linkDir(root string, i int) link {
	l := link{Text: cmp.Or(m.dirs[i].shown, "the root")}
	if m.dirs[i].page != "" {
		l.Href = root + pageDir + "/" + m.dirs[i].page
	}
	return l
}

// linkPath leads to a file or a directory of the repository.
func (m *model) linkPath(root, p string) link {
	p = strings.Trim(p, "/")
	if p == "." {
		p = ""
	}
	if i, ok := m.byPath[p]; ok {
		return m.linkDir(root, i)
	}
	l := link{Text: shown(p)}
	if i, ok := m.in.Catalog.DocByPath(p); ok {
		if d := &m.dirs[m.docs[i].Dir]; d.page != "" {
			l.Href = root + pageDir + "/" + d.page + "#" + anchor(m.docs[i].name)
		}
	}
	return l
}

// linkTarget leads to what a hint or a workflow names.
func (m *model) linkTarget(root string, t artifact.Target) link {
	if t.Kind != artifact.TargetFile {
		return m.linkPath(root, facts.DirOf(t.Path))
	}
	return m.linkPath(root, t.Path)
}
