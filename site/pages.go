package site

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
)

// Lengths of text on a page, in runes, and of lists.
const (
	maxProse     = 400
	maxSignature = 300
	// maxFallback is how many symbols of a file are shown where its map has names
	// alone.
	maxFallback = 80
	// openSymbols is how many symbols a page may have to show all of them at once.
	openSymbols = 80
)

// overviewView is the first page.
type overviewView struct {
	frame
	Summary    string
	Tags       []string
	Facts      []fact
	RootPage   string
	Tree       *treeNode
	Hints      []hintView
	Workflows  []workflowView
	Languages  []share
	Skipped    []fact
	Directions []link // instructions for agents
	HasPast    bool
	Notes      []string
}

// fact is a number and what it counts.
type fact struct{ Value, Label string }

type share struct {
	Name    string
	Files   int
	Percent int
}

type treeNode struct {
	Name, Href string
	Summary    string
	Files      int
	Children   []*treeNode
}

type hintView struct {
	Topic   string
	Targets []targetView
}

// targetView is something to read. Kind says which page of a directory, "" for
// a file.
type targetView struct {
	link
	Kind string
}

type workflowView struct {
	Name, Source, Command, Description string
	Targets                            []targetView
}

func (m *model) overview() *overviewView {
	root := &m.dirs[0]
	v := &overviewView{
		frame:   m.frame("overview", m.title, "", "dirs", "files"),
		Summary: root.summary, Tags: cleaned(root.tags), RootPage: pageDir + "/" + root.page,
		Tree: m.tree(0), HasPast: m.in.Catalog.NumCommits() > 0,
	}
	v.Facts = []fact{
		{number(len(m.docs)), noun(len(m.docs), "file")}, {number(len(m.dirs)), noun(len(m.dirs), "directory")},
		{number(root.lines), noun(root.lines, "line")}, {number(root.symbols), noun(root.symbols, "symbol")},
	}
	if n := m.in.Catalog.NumCommits(); n > 0 {
		v.Facts = append(v.Facts, fact{number(n), noun(n, "commit")})
	}
	v.Hints = m.hints("", root)
	if root.index != nil {
		v.Workflows = m.workflows("", root.index.Workflows)
	} else {
		v.Workflows = m.workflows("", m.in.Catalog.Meta().Workflows)
	}
	for _, p := range m.in.Catalog.Meta().Instructions {
		v.Directions = append(v.Directions, m.linkPath("", p))
	}
	v.Languages = m.languages()
	for _, r := range m.in.Summary.Skipped {
		v.Skipped = append(v.Skipped, fact{number(r.Files), prose(r.Depth+": "+r.Reason, maxProse)})
	}
	if m.in.Catalog.Meta().FromArtifacts {
		v.Notes = append(v.Notes, "Made from the maps alone, without a store: sizes, commits and numbers of uses are not known.")
	}
	if m.in.Summary.HistoryCut {
		v.Notes = append(v.Notes, "The clone was shallow: older commits are not counted.")
	}
	return v
}

// languages counts files of code; small ones are summed up.
func (m *model) languages() []share {
	const most = 8
	counts := map[string]int{}
	total := 0
	for i := range m.docs {
		if f := &m.docs[i]; f.Language != "" && f.Depth == facts.Parsed {
			counts[f.Language]++
			total++
		}
	}
	var out []share
	for l, n := range counts {
		out = append(out, share{Name: shown(l), Files: n})
	}
	slices.SortFunc(out, func(a, b share) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name)) })
	if len(out) > most+1 {
		rest := share{Name: plural(len(out)-most, "other language")}
		for _, s := range out[most:] {
			rest.Files += s.Files
		}
		out = append(out[:most], rest)
	}
	for i := range out {
		out[i].Percent = (200*out[i].Files + total) / (2 * total)
	}
	return out
}

// tree is the directories that have pages, below one of them.
func (m *model) tree(i int) *treeNode {
	d := &m.dirs[i]
	n := &treeNode{Name: cmp.Or(d.name, m.title), Href: pageDir + "/" + d.page, Summary: d.summary, Files: d.files}
	for _, c := range m.dirs[i].children {
		if m.dirs[c].page != "" {
			n.Children = append(n.Children, m.tree(c))
		}
	}
	return n
}

func (m *model) hints(root string, d *dir) (out []hintView) {
	list := []artifact.Hint{}
	if d.index != nil {
		list = d.index.Hints
	} else {
		for _, h := range m.in.Catalog.Meta().Hints {
			if h.Dir >= 0 && h.Dir < len(m.dirs) && m.dirs[h.Dir].path == d.path {
				list = append(list, h.Hint)
			}
		}
	}
	for _, h := range list {
		out = append(out, hintView{prose(h.Topic, maxProse), m.targets(root, h.Targets)})
	}
	return out
}

func (m *model) targets(root string, list []artifact.Target) (out []targetView) {
	for _, t := range list {
		v := targetView{link: m.linkTarget(root, t)}
		if t.Kind != artifact.TargetFile {
			v.Kind = t.Kind.String()
		}
		out = append(out, v)
	}
	return out
}

func (m *model) workflows(root string, list []artifact.Workflow) (out []workflowView) {
	for _, w := range list {
		out = append(out, workflowView{shown(w.Name), shown(w.Source), shown(w.Command), prose(w.Description, maxProse), m.targets(root, w.Targets)})
	}
	return out
}

// graphView is the page of the graph.
type graphView struct {
	frame
	Edges int
}

func (m *model) graphPage() *graphView {
	v := &graphView{frame: m.frame("graph", "Dependencies", "", "dirs", "edges")}
	for i := range m.dirs {
		v.Edges += len(m.dirs[i].uses)
	}
	return v
}

// directoryView is the page of a directory.
type directoryView struct {
	frame
	Name    string
	Path    string // shown
	Above   []link
	Summary string
	Tags    []string
	Facts   []fact
	Hints   []hintView
	// Children have pages, Bare are directories without.
	Children  []childView
	Bare      []string
	Files     []fileView
	Others    []fileView
	Uses      []edgeView
	UsedBy    []edgeView
	Recent    []commitView
	Omitted   []string
	Workflows []workflowView
	// Slug names the directory to the graph.
	Slug  string
	Graph bool
	// Counted is set where edges have numbers.
	Counted bool
}

type childView struct {
	link
	Summary string
	Files   int
}

type edgeView struct {
	link
	Count int
}

type commitView struct {
	ID, Subject, Date, Machine string
}

type fileView struct {
	ID, Name, Language string
	Roles              []string
	Summary            string
	Source             string // address, "" for none
	Lines, Commits     int
	Symbols            []symbolView
	More               int // symbols that are left out
	Imports            []importView
	Tests              []link
	Note               string // why it was not analysed
	// Open shows its symbols without a click.
	Open bool
}

type importView struct {
	link
	Names string
}

type symbolView struct {
	ID, Kind, Name, Signature, Doc string
	Member                         bool
	Private                        bool
	Uses                           int
	Source                         string
	Line                           int
}

func (m *model) directory(i int) *directoryView {
	const root = "../"
	d := &m.dirs[i]
	v := &directoryView{
		frame:   m.frame("directory", cmp.Or(d.shown, m.title), root),
		Name:    cmp.Or(d.name, m.title),
		Path:    d.shown,
		Summary: d.summary, Tags: cleaned(d.tags), Hints: m.hints(root, d), Slug: strings.TrimSuffix(d.page, ".html"),
		Graph: len(d.uses)+len(d.usedBy) > 0 || len(d.children) > 0,
	}
	for k := d.parent; k >= 0; k = m.dirs[k].parent {
		l := m.linkDir(root, k)
		l.Text = cmp.Or(m.dirs[k].name, "root")
		v.Above = append(v.Above, l)
	}
	slices.Reverse(v.Above)
	v.Facts = []fact{{number(d.files), noun(d.files, "file")}}
	if d.lines > 0 {
		v.Facts = append(v.Facts, fact{number(d.lines), noun(d.lines, "line")})
	}
	if d.symbols > 0 {
		v.Facts = append(v.Facts, fact{number(d.symbols), noun(d.symbols, "symbol")})
	}
	if d.commits > 0 {
		v.Facts = append(v.Facts, fact{number(d.commits), noun(d.commits, "commit")})
	}
	for _, c := range d.children {
		k := &m.dirs[c]
		if k.page == "" {
			v.Bare = append(v.Bare, k.name)
			continue
		}
		v.Children = append(v.Children, childView{link{k.name, root + pageDir + "/" + k.page}, k.summary, k.files})
	}
	m.addFiles(v, root, d)
	v.Uses, v.UsedBy = m.edges(root, d.uses), m.edges(root, d.usedBy)
	for _, e := range slices.Concat(d.uses, d.usedBy) {
		v.Counted = v.Counted || e.count > 0
	}
	v.Recent = m.recent(d)
	if d.maps != nil {
		for _, o := range d.maps.Omitted {
			v.Omitted = append(v.Omitted, prose(string(o), maxProse))
		}
	}
	if i == 0 && d.index != nil {
		v.Workflows = m.workflows(root, d.index.Workflows)
	}
	return v
}

func (m *model) edges(root string, list []edge) (out []edgeView) {
	for _, e := range list {
		out = append(out, edgeView{m.linkDir(root, e.dir), e.count})
	}
	return out
}

func (m *model) recent(d *dir) (out []commitView) {
	if m.in.Log == nil {
		return nil
	}
	for _, i := range d.recent {
		if i >= m.in.Log.Len() {
			continue
		}
		id, subject := m.in.Log.Entry(i)
		at := time.Unix(m.in.Catalog.Commit(i).Time, 0).UTC()
		out = append(out, commitView{hex.EncodeToString(id[:])[:12], prose(subject, maxProse), at.Format("2 Jan 2006"), at.Format(time.DateOnly)})
	}
	return out
}

// addFiles describes the files of a directory: from its map where that names
// them, from the catalog where the map was too long or is missing.
func (m *model) addFiles(v *directoryView, root string, d *dir) {
	full := map[string]*artifact.MapFile{}
	notes := map[string]string{}
	if d.maps != nil {
		for k := range d.maps.Files {
			full[d.maps.Files[k].Name] = &d.maps.Files[k]
		}
		for _, n := range d.maps.Unanalysed {
			notes[n.Name] = n.Note
		}
	}
	symbols := 0
	ids := map[string]bool{}
	for _, k := range d.docs {
		f := &m.docs[k]
		base := f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		x := fileView{
			ID: anchor(f.name), Name: f.name, Language: shown(f.Language), Roles: f.Role.Names(), Summary: prose(f.Summary, maxProse),
			Source: m.in.Source.Of(f.Path, 0), Lines: int(f.Lines), Commits: f.commits,
			Note: prose(notes[base], maxProse),
		}
		// A name that looks like the escapes of another one.
		for ids[x.ID] {
			x.ID += "~"
		}
		ids[x.ID] = true
		mf := full[base]
		if mf != nil {
			x.Summary = cmp.Or(prose(mf.Summary, maxProse), x.Summary)
			for _, n := range mf.Imports {
				names := make([]string, len(n.Symbols))
				for i := range n.Symbols {
					names[i] = shown(n.Symbols[i])
				}
				x.Imports = append(x.Imports, importView{m.linkPath(root, n.Target), strings.Join(names, ", ")})
			}
			for _, t := range mf.Tests {
				x.Tests = append(x.Tests, m.linkPath(root, t))
			}
		}
		x.Symbols, x.More = m.symbols(k, x.ID, mf)
		symbols += len(x.Symbols)
		if f.Depth != facts.Parsed && len(x.Symbols) == 0 {
			x.Note = cmp.Or(x.Note, prose(depthNote(&f.Doc), maxProse))
			v.Others = append(v.Others, x)
			continue
		}
		v.Files = append(v.Files, x)
	}
	for i := range v.Files {
		v.Files[i].Open = symbols <= openSymbols
	}
}

func depthNote(d *store.Doc) string {
	if d.Reason == "" {
		return ""
	}
	if d.Depth == facts.Words {
		return "words only: " + string(d.Reason)
	}
	return "listed: " + string(d.Reason)
}

// symbols lists the definitions of a file as its map does, with the places that
// the catalog knows; where the map was cut to names, as the catalog does. file is
// the id of the file on its page.
func (m *model) symbols(doc int, file string, mf *artifact.MapFile) (out []symbolView, more int) {
	known := m.in.Catalog.SymbolsOf(doc)
	ids := map[uint32]bool{}
	add := func(v symbolView, at int) {
		if at >= 0 {
			s := &known[at]
			v.Uses = m.uses[store.Definition{Doc: doc, Symbol: at}]
			v.Line = int(s.Line)
			v.Source = m.in.Source.Of(m.docs[doc].Path, s.Line)
			if !ids[s.Line] && s.Line > 0 {
				ids[s.Line] = true
				v.ID = symbolAnchor(file, s.Line)
			}
		}
		if strings.TrimSpace(v.Signature) == v.Name {
			v.Signature = ""
		}
		out = append(out, v)
	}
	if mf != nil && len(mf.Names) == 0 {
		used := make([]bool, len(known))
		for _, s := range mf.Symbols {
			v := symbolView{
				Kind: shown(s.Kind), Name: shown(s.Name), Signature: prose(s.Signature, maxSignature), Doc: prose(s.Doc, maxProse),
				Member: s.Container != "", Private: s.Private,
			}
			if s.Container != "" {
				v.Name = shown(s.Container) + "." + v.Name
			}
			add(v, find(known, used, &s))
		}
		return out, mf.More
	}
	if m.docs[doc].Aside() {
		return nil, 0
	}
	for at := range known {
		s := &known[at]
		if s.Visibility == facts.Private || s.Flags&facts.InBody != 0 || s.Kind == facts.KindKey || s.Name == "" {
			continue
		}
		if len(out) == maxFallback {
			more++
			continue
		}
		v := symbolView{
			Kind: s.Kind.String(), Name: shown(s.Name), Signature: prose(s.Signature, maxSignature), Doc: prose(s.Summary, maxProse), Member: s.Container != "",
		}
		if s.Container != "" {
			v.Name = shown(s.Container) + "." + v.Name
		}
		add(v, at)
	}
	return out, more
}

// find finds the definition that a map lists among those of the catalog, each
// once; -1 for none.
func find(known []store.Symbol, used []bool, s *artifact.MapSymbol) int {
	for i := range known {
		k := &known[i]
		if !used[i] && k.Name == s.Name && k.Container == s.Container && k.Kind.String() == s.Kind {
			used[i] = true
			return i
		}
	}
	return -1
}

// cleaned makes tags safe to show.
func cleaned(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t = prose(t, 40); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// noun is the word for n things.
func noun(n int, word string) string {
	_, w, _ := strings.Cut(plural(n, word), " ")
	return w
}
