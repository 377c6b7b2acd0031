// Package edges is the vocabulary of resolved references: edges from the uses of
// names to the definitions they mean, how sure each is, and what the resolvers
// of the languages share.
//
// A resolver works from facts alone. It sees the outlines of all files of the
// revision (symbols with their types, parameters, bases and initialisers;
// imports; exports), and for the one file that it resolves the detail too
// (references, scopes, bindings).
package edges

import (
	"slices"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/xref"
)

// Mark is how sure an edge is. It is a property of the rule that made it, not of
// the file or the name.
type Mark uint8

const (
	// ByName: the name is all that is known, and it is not bound otherwise.
	ByName Mark = iota
	// Likely: the rule can be wrong where types are decided at run time or by
	// inference that the facts do not hold (members of unions, contextual keys,
	// a class with an external base).
	Likely
	// Exact: the language's own rules lead there.
	Exact
	// Precise: an index that a compiler or type checker made says so. No rule of
	// a resolver gives it.
	Precise

	markCount
)

func (m Mark) String() string {
	return [...]string{"by name", "likely", "exact", "precise", "unknown"}[min(m, markCount)]
}

// MarkOf is the mark of an edge by a rule of the language, some step of which may
// be wrong.
func MarkOf(weak bool) Mark {
	if weak {
		return Likely
	}
	return Exact
}

// Edge leads from a reference of a document to a definition.
type Edge struct {
	// Ref is the index in File.Refs of the document that was resolved.
	Ref int32
	// Doc is the number of the document of the definition, Symbol the index in
	// its File.Symbols.
	Doc, Symbol int32
	Mark        Mark
	// Rule names what made the edge, for measuring: a short constant of the
	// resolver, such as "import", "field of receiver".
	Rule string
}

// Program is the outlines of a revision, which resolvers read.
type Program struct {
	// Files are sorted by path; a document is an index. Details (references,
	// scopes, bindings, terms) may be missing.
	Files []facts.Entry
	// Targets says where the import clauses of each document lead, parallel to
	// Files.
	Targets [][]xref.Target
	// ByPath finds a document.
	ByPath map[string]int
}

// NewProgram prepares outlines. files are sorted by path.
func NewProgram(files []facts.Entry) *Program { return WithTargets(files, xref.Imports(files)) }

// WithTargets is NewProgram where xref.Imports has been asked already.
func WithTargets(files []facts.Entry, targets [][]xref.Target) *Program {
	p := &Program{Files: files, Targets: targets, ByPath: make(map[string]int, len(files))}
	for i := range files {
		p.ByPath[files[i].Path] = i
	}
	return p
}

// ImportedDocs are the documents that an import clause of a document leads to.
func (p *Program) ImportedDocs(doc, clause int) []int {
	var out []int
	for _, t := range p.Targets[doc] {
		if t.Import == clause && t.Doc >= 0 {
			out = append(out, t.Doc)
		}
	}
	return out
}

// Resolver resolves the references of files of one ecosystem. It is made for one
// Program and used by one goroutine; several may be made for the same Program.
// What it answers must not depend on which files it resolved before.
type Resolver interface {
	// Resolve appends the edges of a document, ordered by Ref, then Doc and
	// Symbol. f is the document's facts with all details. A reference may have
	// no edge (it leads outside the revision, or nobody knows) or several (a
	// union). What was read of other documents is added to uses.
	Resolve(doc int, f *facts.File, uses *Uses, out []Edge) []Edge
}

// Sort puts the edges of one document in their order and drops doubles; of
// several marks for one pair the surest stays.
func Sort(edges []Edge) []Edge {
	slices.SortFunc(edges, func(a, b Edge) int {
		switch {
		case a.Ref != b.Ref:
			return int(a.Ref - b.Ref)
		case a.Doc != b.Doc:
			return int(a.Doc - b.Doc)
		case a.Symbol != b.Symbol:
			return int(a.Symbol - b.Symbol)
		case a.Mark != b.Mark:
			return int(b.Mark) - int(a.Mark)
		}
		switch {
		case a.Rule < b.Rule:
			return -1
		case a.Rule > b.Rule:
			return 1
		}
		return 0
	})
	return slices.CompactFunc(edges, func(a, b Edge) bool { return a.Ref == b.Ref && a.Doc == b.Doc && a.Symbol == b.Symbol })
}

// Uses is what the edges of a document depend on besides the document itself:
// the outlines that were read, and the names of groups of files that were
// searched (a package, "all modules called x"), whether or not anything was
// found there. While all of these stay the same, so do the edges.
type Uses struct {
	docs map[int32]bool
	keys map[string]bool
}

// Doc notes that the outline of a document was read.
func (u *Uses) Doc(doc int) {
	if u == nil || u.docs[int32(doc)] {
		return
	}
	if u.docs == nil {
		u.docs = map[int32]bool{}
	}
	u.docs[int32(doc)] = true
}

// Key notes that a group of files was searched. A resolver must be able to give
// the members of the group by its key, see Grouper.
func (u *Uses) Key(key string) {
	if u == nil || u.keys[key] {
		return
	}
	if u.keys == nil {
		u.keys = map[string]bool{}
	}
	u.keys[key] = true
}

// Add adds what another answer depends on.
func (u *Uses) Add(o *Uses) {
	if u == nil || o == nil {
		return
	}
	for d := range o.docs {
		u.Doc(int(d))
	}
	for k := range o.keys {
		u.Key(k)
	}
}

// Docs lists the documents, sorted.
func (u *Uses) Docs() []int {
	out := make([]int, 0, len(u.docs))
	for d := range u.docs {
		out = append(out, int(d))
	}
	slices.Sort(out)
	return out
}

// Keys lists the groups, sorted.
func (u *Uses) Keys() []string {
	out := make([]string, 0, len(u.keys))
	for k := range u.keys {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Grouper is a Resolver that searches groups of files.
type Grouper interface {
	// Group lists the documents of a group by its key, sorted; none for a group
	// that does not exist (yet).
	Group(key string) []int
}
