package ranker

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker/query"
)

// kindWeight tells how much the definition of a named thing says. Methods are
// often named alike in many classes; fields and constants more so; headings and
// keys are words, not names.
func kindWeight(k facts.Kind) float64 {
	switch k {
	case facts.KindClass, facts.KindStruct, facts.KindInterface, facts.KindEnum, facts.KindType, facts.KindFunction, facts.KindMacro:
		return 1
	case facts.KindMethod, facts.KindConstructor, facts.KindModule, facts.KindTarget:
		return .6
	case facts.KindHeading, facts.KindKey:
		return .15
	}
	return .4
}

const (
	// foldedMatch weakens a name that differs in case.
	foldedMatch = .7
	// plainWord weakens a word that does not look like a symbol, in a short
	// query that is more than a name.
	plainWord = .5
	// moduleMatch weakens a qualified name whose first part is the module, not
	// the container, of the second.
	moduleMatch = .7
	// maxIdentifiers bounds how many names of a query are looked up.
	maxIdentifiers = 400
	// crowded is the number of files over which a name says nothing.
	crowded = 300
)

// symbolEvidence is what the names of the query lead to, by document.
type symbolEvidence struct {
	title, trace, rare, qualified, bare, similar []weighted
	hits                                         []symbolHit
}

// symbolHit is a definition that the query names.
type symbolHit struct {
	store.Symbol
	match     string
	weight    float64
	spread    int // files that define the name
	qualified bool
}

// lookUpSymbols finds the definitions of the query's names.
func (x *run) lookUpSymbols() *symbolEvidence {
	e := &symbolEvidence{}
	bare := bareness(x.q)
	inNames := map[string]bool{}
	found := map[string]bool{} // names with a qualified definition
	for i := range x.q.Names {
		n := &x.q.Names[i]
		for _, p := range n.Parts {
			inNames[p] = true
		}
		for k := 0; k+1 < len(n.Parts) && k < 8; k++ {
			if x.lookUpQualified(e, n, k, bare) {
				found[n.Parts[k+1]] = true
				found[n.Parts[k]] = true
			}
		}
	}
	looked := 0
	for i := range x.q.Identifiers {
		id := &x.q.Identifiers[i]
		c := &id.Counts
		title, text, trace := c[query.Title], c[query.Prose]+c[query.Inline], c[query.Trace]
		if !(id.CodeLike || x.q.Short) || title+text+trace == 0 || len(id.Name) < 2 {
			continue
		}
		if bare == 0 && (!id.CodeLike && x.isCommon(id.Name) || x.isCrowded(id.Name)) {
			continue
		}
		if looked++; looked > maxIdentifiers {
			break
		}
		b := bare
		if found[id.Name] {
			b = 0 // its qualified form has been found
		}
		x.lookUpName(e, id, b)
	}
	if bare > 0 && looked == 0 {
		// A name that the query's rules do not take for one, such as "go".
		if name := strings.TrimSpace(x.q.Raw); len(name) <= words.MaxLength && !inNames[name] {
			id := query.Identifier{Name: name, CodeLike: true}
			id.Counts[query.Title] = 1
			x.lookUpName(e, &id, bare)
		}
	}
	return e
}

// isCommon tells whether a plain word stands in so many files that definitions
// of that name say nothing.
func (x *run) isCommon(name string) bool {
	const part = 20
	for _, w := range words.Of(name) {
		if x.cat.DocFreq(w) <= max(x.n/part, part) {
			return false
		}
	}
	return true
}

// isCrowded tells whether a name of one word is part of so many definitions
// that looking them all up would cost much and say nothing.
func (x *run) isCrowded(name string) bool {
	w := words.Of(name)
	if len(w) != 1 || x.cat.DocFreq(w[0]) <= 3*crowded {
		return false
	}
	n := 0
	x.cat.Postings(w[0], func(p store.Posting) {
		if p.Counts[store.FieldDefs] > 0 {
			n++
		}
	})
	return n > 3*crowded
}

// defined is a file that defines a name.
type defined struct {
	doc  int
	best float64 // kind and spelling of its best definition
}

// definers groups definitions by file, in the order of the files.
func definers(symbols []store.Symbol, weight func(*store.Symbol) float64) []defined {
	var out []defined
	for i := range symbols {
		w := weight(&symbols[i])
		if w == 0 {
			continue
		}
		out = append(out, defined{symbols[i].Doc, w})
	}
	slices.SortStableFunc(out, func(a, b defined) int { return a.doc - b.doc })
	kept := out[:0]
	for _, d := range out {
		if n := len(kept); n > 0 && kept[n-1].doc == d.doc {
			kept[n-1].best = max(kept[n-1].best, d.best)
		} else {
			kept = append(kept, d)
		}
	}
	return kept
}

func (x *run) lookUpName(e *symbolEvidence, id *query.Identifier, bare float64) {
	symbols := x.ranked(x.cat.SymbolsFolded(id.Name))
	weight := func(s *store.Symbol) float64 {
		w := kindWeight(s.Kind)
		if s.Name != id.Name {
			w *= foldedMatch
		}
		if !id.CodeLike && bare == 0 {
			w *= plainWord
		}
		return w
	}
	files := definers(symbols, weight)
	n := len(files)
	if n == 0 {
		if x.options.Names != nil && (bare > 0 || id.CodeLike && id.Counts[query.Title] > 0) {
			x.lookUpSimilar(e, id.Name)
		}
		return
	}
	if n > crowded {
		return
	}
	c := &id.Counts
	for _, f := range files {
		v := f.best / math.Sqrt(float64(n))
		if c[query.Title] > 0 {
			e.title = append(e.title, weighted{f.doc, v, id.Name})
		}
		if c[query.Trace] > 0 {
			e.trace = append(e.trace, weighted{f.doc, v, id.Name})
		}
		if c[query.Title]+c[query.Prose]+c[query.Inline] > 0 {
			e.rare = append(e.rare, weighted{f.doc, f.best / float64(n), id.Name})
		}
		if bare > 0 {
			e.bare = append(e.bare, weighted{f.doc, bare * v, id.Name})
		}
		x.touch(f.doc)
	}
	best := 0.0
	for s, k := range c {
		if k > 0 {
			best = max(best, segmentOfName[s])
		}
	}
	for i := range symbols {
		e.hits = append(e.hits, symbolHit{symbols[i], id.Name, best * weight(&symbols[i]) / math.Sqrt(float64(n)), n, false})
	}
}

// lookUpQualified finds the definitions of a pair of components of a name: a
// member of a container, or a definition of a module. It reports whether there
// are any.
func (x *run) lookUpQualified(e *symbolEvidence, name *query.QualifiedName, k int, bare float64) bool {
	outer, inner := name.Parts[k], name.Parts[k+1]
	symbols := x.ranked(x.cat.SymbolsFolded(inner))
	if len(symbols) == 0 || len(symbols) > 50*crowded {
		return false
	}
	weight := func(s *store.Symbol) float64 {
		w := 0.0
		switch {
		case strings.EqualFold(lastComponent(s.Container), outer):
			w = 1
		case s.Container == "" && x.isModule(s.Doc, strings.ToLower(outer)):
			w = moduleMatch
		default:
			return 0
		}
		if s.Name != inner {
			w *= foldedMatch
		}
		if s.Kind == facts.KindHeading || s.Kind == facts.KindKey {
			w *= kindWeight(s.Kind)
		}
		return w
	}
	files := definers(symbols, weight)
	n := len(files)
	if n == 0 {
		return false
	}
	text := outer + "." + inner
	segment := segmentOfName[name.Segment]
	for _, f := range files {
		e.qualified = append(e.qualified, weighted{f.doc, segment * f.best / float64(n), text})
		if bare > 0 {
			e.bare = append(e.bare, weighted{f.doc, bare * f.best / math.Sqrt(float64(n)), text})
		}
		x.touch(f.doc)
	}
	for i := range symbols {
		if w := weight(&symbols[i]); w > 0 {
			e.hits = append(e.hits, symbolHit{symbols[i], text, 1.5 * segment * w / math.Sqrt(float64(n)), n, true})
		}
	}
	return true
}

// isModule tells whether a file is the module, or in the package, of a name in
// lower case.
func (x *run) isModule(doc int, name string) bool {
	p := strings.ToLower(x.paths[doc])
	dir, base := path.Split(p)
	return strings.TrimSuffix(base, path.Ext(base)) == name || path.Base(dir) == name || lastComponent(x.packages[doc]) == name
}

func (x *run) lookUpSimilar(e *symbolEvidence, name string) {
	for _, m := range x.options.Names.Search(name, 8) {
		files := definers(x.ranked(x.cat.SymbolsNamed(m.Name)), func(s *store.Symbol) float64 { return kindWeight(s.Kind) })
		if len(files) > crowded {
			continue
		}
		score := min(max(m.Score, 0), 1)
		for _, f := range files {
			if v := score * f.best / math.Sqrt(float64(len(files))); v > 0 {
				e.similar = append(e.similar, weighted{f.doc, v, m.Name})
				x.touch(f.doc)
			}
		}
	}
}

// bareness tells whether the query is nothing but a name: 1 for one that looks
// like a symbol, 1/2 for one plain word, 0 otherwise.
func bareness(q *query.Query) float64 {
	fields := strings.Fields(q.Raw)
	if len(fields) == 0 || len(fields) > 3 || !q.Short || len(q.Paths) > 0 {
		return 0
	}
	if len(fields) == 1 && len(q.Names) == 0 {
		if w := strings.TrimSuffix(fields[0], "()"); w == fields[0] && strings.ToLower(w) == w && !strings.Contains(w, "_") {
			return .5
		}
		return 1
	}
	for _, f := range fields {
		f = strings.Trim(f, "`'\"")
		symbol := strings.ContainsAny(f, "_.#(") || strings.Contains(f, "::") || strings.Contains(f, "->")
		for i := 1; i < len(f) && !symbol; i++ {
			symbol = f[i] >= 'A' && f[i] <= 'Z' && f[i-1] >= 'a' && f[i-1] <= 'z'
		}
		if !symbol {
			return 0
		}
	}
	return 1
}

func lastComponent(s string) string {
	return s[strings.LastIndexAny(s, ".:#/\\")+1:]
}

// namesOf lists, by document, the names of the query that led to it, at most
// four each.
func (e *symbolEvidence) namesOf() map[int][]string {
	const most = 4
	out := map[int][]string{}
	for _, list := range [][]weighted{e.qualified, e.bare, e.title, e.rare, e.trace} {
		for _, w := range list {
			if names := out[w.doc]; len(names) < most && !slices.Contains(names, w.text) {
				out[w.doc] = append(names, w.text)
			}
		}
	}
	return out
}

func symbolDetail(x *run, doc int) string { return strings.Join(x.symbolNames()[doc], ", ") }

const (
	// leading is how many files count as the answer when symbols are chosen.
	leading = 10
	// unmistakable is the number of files up to which a name is listed wherever
	// it is defined.
	unmistakable = 3
	// telling is the smallest weight of a symbol worth listing.
	telling = .15
)

// symbolCandidates lists the definitions that the query names: with a
// qualified name or one that at most three files define anywhere, with others
// only in the leading ten files. In addition it lists definitions of the three
// leading files whose name consists of at least two words of the query, for
// questions in plain words. Tests, vendored and generated files are left out
// unless such a file comes first. The list is empty when nothing of that weighs enough: a
// list of fields named "name" would be noise.
func (x *run) symbolCandidates(order []int32, limit int) []SymbolCandidate {
	place := make(map[int]int, leading)
	for i, d := range order[:min(len(order), leading)] {
		place[int(d)] = i
	}
	var out []SymbolCandidate
	type definition struct {
		doc             int
		container, name string
	}
	seen := map[definition]int{} // number in out
	add := func(s store.Symbol, weight float64, match string) {
		if weight < telling || s.Kind == facts.KindHeading || s.Kind == facts.KindKey {
			return
		}
		key := definition{s.Doc, s.Container, s.Name}
		if i, dup := seen[key]; dup { // an overload, or found by another name
			out[i].Score = max(out[i].Score, weight)
			return
		}
		seen[key] = len(out)
		out = append(out, SymbolCandidate{Symbol: s, Path: x.paths[s.Doc], Score: weight, Match: match})
	}
	for i := range x.symbols.hits {
		h := &x.symbols.hits[i]
		rank, leads := place[h.Doc]
		aside := x.aside(h.Doc)
		switch {
		case leads && (!aside || rank == 0):
			add(h.Symbol, h.weight*(1+1/float64(1+rank)), h.match)
		case aside:
		case h.qualified || h.spread <= unmistakable:
			add(h.Symbol, h.weight/2, h.match)
		}
	}
	function := functionWords()
	topic := map[string]bool{}
	for i := range x.terms {
		if x.terms[i].content && x.terms[i].damp > .4 {
			topic[x.terms[i].text] = true
		}
	}
	for rank, d := range order[:min(len(order), 3)] {
		if rank > 0 && x.aside(int(d)) {
			continue
		}
		for _, s := range x.ranked(x.cat.SymbolsOf(int(d))) {
			parts, _ := words.Split(s.Name)
			if s.Flags&facts.InBody != 0 {
				continue
			}
			common, all := 0, true
			for _, p := range parts {
				switch {
				case topic[p]:
					common++
				case !function[p]:
					all = false
				}
			}
			if all && common >= 2 {
				add(s, .5*kindWeight(s.Kind)/float64(1+rank), s.Name)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b SymbolCandidate) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		case a.Doc != b.Doc:
			return a.Doc - b.Doc
		}
		return int(a.Line) - int(b.Line)
	})
	return out[:min(len(out), limit)]
}

// aside tells whether a file stands beside the product: vendored, generated or
// a test.
func (x *run) aside(doc int) bool { return x.noise[doc] || x.roles[doc]&facts.RoleTest != 0 }
