package bundle

import (
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/artifact"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

const (
	maxDirs    = 3
	maxSymbols = 10
	maxFitting = 3 // definitions by file
	// Directories whose score is less than this share of the best one's are too
	// weak for their map to be read first. The less sure the ranking, the fewer
	// maps: a wrong map costs its reader up to 4,000 tokens.
	mapShareHigh   = .25
	mapShareMedium = .5
	// At low confidence a map is only shown when its directory leads clearly,
	// with no other above this share.
	mapLeadLow = .5
)

// selection is what a bundle could show if the budget were endless, in the
// order in which it shows it.
type selection struct {
	query      *query.Query
	confidence ranker.Level
	nothing    bool
	explain    bool
	fromPages  bool // made from artifacts alone

	indexes  []page
	maps     []page
	files    []file
	symbols  []symbol
	excerpts []excerpt

	freshness  Freshness
	staleCited []StaleFile
	added      []string // sorted
	changed    int      // number of stale files
}

// page is an index or a map.
type page struct {
	path    string
	dir     string
	summary string
	// rank orders pages by importance, which is not how they are shown: the
	// root's index comes first, and unless the root leads it is there for
	// orientation only, behind the best directory's.
	rank int
	// score is that of the directory, relative to the best; 0 for the root's
	// index unless the root is among the directories.
	score float64
	from  []string // leading files of the directory
	// usedBy are the directories that use the one a map describes.
	usedBy []string
}

type file struct {
	doc     int
	path    string
	line    uint32 // of the best definition in it, 0 if none is known
	endLine uint32
	score   float64
	about   store.Doc
	reasons []ranker.Reason
	state   State
	// fitting are the definitions in it that the words of the query fit best, but
	// for those among the relevant symbols.
	fitting []store.Symbol
}

type symbol struct {
	ranker.SymbolCandidate
	state State
}

func selectFrom(q *query.Query, c *store.Catalog, r *ranker.Result, o *Options) *selection {
	s := &selection{
		query: q, confidence: r.Confidence, nothing: r.NothingMatched || len(r.Files) == 0,
		explain: o.Explain, fromPages: o.ArtifactsOnly || c.Meta().FromArtifacts,
		freshness: o.Freshness, changed: len(o.Stale),
	}
	states := make(map[string]State, len(o.Stale))
	for _, f := range o.Stale {
		switch f.State {
		case Added:
			s.added = append(s.added, f.Path)
		case Deleted:
			states[f.Path] = Deleted
		default:
			states[f.Path] = Modified
		}
	}
	slices.Sort(s.added)
	s.added = slices.Compact(s.added)
	switch {
	case len(o.Stale) > 0:
		s.freshness.State = Stale
	case s.freshness.State == "":
		s.freshness.State = Unverified
	}
	if s.nothing {
		s.confidence = ranker.Low
		return s
	}
	s.selectPages(c, r, o)
	s.selectFiles(c, r, o, states)
	s.selectSymbols(r, states)
	s.noteStale()
	if o.Excerpts && o.Source != nil {
		s.excerpts = findExcerpts(q, c, s, o.Source)
	}
	return s
}

// selectPages takes the indexes and maps of the leading directories.
func (s *selection) selectPages(c *store.Catalog, r *ranker.Result, o *Options) {
	dirs := c.Dirs()
	exists := func(dir int, p string) bool {
		if o.ArtifactExists != nil {
			return o.ArtifactExists(p)
		}
		return dirs[dir].HasMap
	}
	// pageOf is the nearest directory at or above dir that has the page.
	pageOf := func(dir int, at func(string) string) (int, bool) {
		for d := dir; d >= 0 && d < len(dirs); d = dirs[d].Parent {
			if exists(d, at(dirs[d].Path)) {
				return d, true
			}
		}
		return 0, false
	}
	docs := c.NumDocs()
	var indexes []page
	seenIndex, seenMap := map[int]bool{}, map[int]bool{}
	leading := r.Dirs[:min(len(r.Dirs), maxDirs)]
	for i, d := range leading {
		if d.Dir < 0 || d.Dir >= len(dirs) {
			continue
		}
		var from []string
		for _, doc := range d.Files {
			if doc >= 0 && doc < docs {
				from = append(from, c.Path(doc))
			}
		}
		p := page{rank: 2 * i, score: finite(d.Score), from: from}
		if k, ok := pageOf(d.Dir, artifact.IndexPath); ok && !seenIndex[k] {
			seenIndex[k] = true
			p.path, p.dir, p.summary = artifact.IndexPath(dirs[k].Path), dirs[k].Path, dirs[k].Summary
			indexes = append(indexes, p)
		}
		if !s.strong(leading, i) {
			continue
		}
		// The map of the root stands for no directory but the root itself.
		if k, ok := pageOf(d.Dir, artifact.MapPath); ok && !seenMap[k] && (dirs[k].Path != "" || d.Path == "") {
			seenMap[k] = true
			p.path, p.dir, p.summary = artifact.MapPath(dirs[k].Path), dirs[k].Path, dirs[k].Summary
			p.usedBy = dirs[k].UsedBy
			s.maps = append(s.maps, p)
		}
	}
	if len(dirs) > 0 && !seenIndex[0] && exists(0, artifact.IndexName) {
		indexes = append(indexes, page{path: artifact.IndexName, summary: dirs[0].Summary, rank: 1})
	}
	s.indexes = indexes
	if i := slices.IndexFunc(indexes, func(p page) bool { return p.dir == "" }); i > 0 {
		root := indexes[i]
		s.indexes = append([]page{root}, slices.Delete(indexes, i, i+1)...)
	}
}

// strong tells whether the map of the directory at place i is worth reading.
func (s *selection) strong(dirs []ranker.DirCandidate, i int) bool {
	top := finite(dirs[0].Score)
	switch s.confidence {
	case ranker.High:
		return i == 0 || finite(dirs[i].Score) >= mapShareHigh*top
	case ranker.Medium:
		return i == 0 || finite(dirs[i].Score) >= mapShareMedium*top
	}
	return i == 0 && (len(dirs) == 1 || finite(dirs[1].Score) < mapLeadLow*top)
}

func (s *selection) selectFiles(c *store.Catalog, r *ranker.Result, o *Options, states map[string]State) {
	telling := ranker.Telling(c, s.query, nil)
	for _, x := range r.Files {
		if len(s.files) == o.Limit {
			break
		}
		if x.Doc < 0 || x.Doc >= c.NumDocs() {
			continue
		}
		f := file{doc: x.Doc, path: x.Path, score: x.Score, about: c.Doc(x.Doc), reasons: x.Reasons, state: states[x.Path]}
		if f.state != Deleted {
			for i := range r.Symbols {
				if y := &r.Symbols[i]; y.Doc == x.Doc && y.Line > 0 {
					f.line, f.endLine = y.Line, y.EndLine
					break
				}
			}
			f.fitting = fittingIn(c, &f, r, telling)
		}
		s.files = append(s.files, f)
	}
}

// fittingIn picks the definitions of a file that its line should name.
func fittingIn(c *store.Catalog, f *file, r *ranker.Result, telling map[string]float64) []store.Symbol {
	if f.about.Aside() || f.about.Nature == facts.Data {
		return nil
	}
	symbols := c.SymbolsOf(f.doc)
	shown := r.Symbols[:min(len(r.Symbols), maxSymbols)]
	var out []store.Symbol
	for _, k := range ranker.Fitting(telling, symbols, maxFitting) {
		s := symbols[k]
		if !slices.ContainsFunc(shown, func(y ranker.SymbolCandidate) bool { return y.Doc == f.doc && y.Name == s.Name && y.Line == s.Line }) {
			out = append(out, s)
		}
	}
	return out
}

func (s *selection) selectSymbols(r *ranker.Result, states map[string]State) {
	for _, x := range r.Symbols[:min(len(r.Symbols), maxSymbols)] {
		s.symbols = append(s.symbols, symbol{x, states[x.Path]})
	}
}

// noteStale collects the stale files among those cited.
func (s *selection) noteStale() {
	seen := map[string]bool{}
	add := func(p string, state State) {
		if state != "" && !seen[p] {
			seen[p] = true
			s.staleCited = append(s.staleCited, StaleFile{p, state})
		}
	}
	for i := range s.files {
		add(s.files[i].path, s.files[i].state)
	}
	for i := range s.symbols {
		add(s.symbols[i].Path, s.symbols[i].state)
	}
}

// instructionFiles lists the files with instructions for agents that stand in
// or above the directories of the likely files, outermost first.
func (s *selection) instructionFiles(c *store.Catalog) []string {
	var out []string
	for _, p := range c.Meta().Instructions {
		dir := path.Dir(p)
		if path.Base(dir) == ".github" { // speaks for what holds it
			dir = path.Dir(dir)
		}
		if slices.ContainsFunc(s.files, func(f file) bool { return dir == "." || strings.HasPrefix(f.path, dir+"/") }) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		if n := strings.Count(a, "/") - strings.Count(b, "/"); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

// depthNote says why little is known of a file, "" if it was parsed.
func depthNote(d *store.Doc) string {
	switch {
	case d.Depth == facts.Listed && d.Reason != "":
		return "not read: " + string(d.Reason)
	case d.Depth == facts.Words && d.Reason == facts.ReasonNoExtractor:
		return "words only"
	}
	return ""
}
