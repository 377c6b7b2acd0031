// Package bundle turns ranked candidates into the context bundle: the Markdown
// (or JSON) answer that tells an agent which indexes, maps, files and symbols to
// read for a task, and how.
//
// A bundle is made in three steps. Selection takes from the ranking what a
// bundle shows and looks up what the catalog knows of it. Entries are the pieces
// of text this makes, each with its class; package pack keeps as many of them as
// the budget allows, in layers: query, instructions and the first file are L0,
// indexes, files and symbols L1, maps L2, explanations and excerpts L3. Rendering
// lays out what is left: title, query, relevant indexes, relevant maps, likely
// files, relevant symbols, excerpts, instructions.
//
// All text of the repository is untrusted. Prose is neutralised, names that
// would act as Markdown stand in code spans, source stands in fences with a
// number before each line: no line of a bundle starts with # or a fence unless
// this package put it there.
package bundle

import (
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
)

// Defaults of Options.
const (
	DefaultLimit = 10
	// DefaultBudget holds ten files, the symbols and some excerpts, and is
	// small beside what reading a single source file costs.
	DefaultBudget = 1500
)

// SourceReader gives the text of a file as the reader of the bundle will find
// it.
type SourceReader interface {
	// ReadSource reads a file by its path in the repository.
	ReadSource(path string) ([]byte, error)
}

// State says how a file differs from what the maps were made from.
type State string

// The states of a stale file.
const (
	Modified State = "modified"
	Deleted  State = "deleted"
	Added    State = "added"
)

// StaleFile is a file that changed since the maps were made.
type StaleFile struct {
	Path  string `json:"path"`
	State State  `json:"state"`
}

// FreshnessState says how far the maps can be trusted to describe the sources.
type FreshnessState string

// The states of freshness. The empty state counts as Unverified.
const (
	Fresh      FreshnessState = "fresh"
	Stale      FreshnessState = "stale"
	Unverified FreshnessState = "unverified"
)

// Freshness is what the caller found out about the maps.
type Freshness struct {
	State FreshnessState
	// Revision names what the maps were made from in words, "commit 1a2b3c4";
	// may be empty.
	Revision string
}

// Options say what goes into a bundle. The zero value is fit for use.
type Options struct {
	// Limit is the number of likely files shown, 0 for DefaultLimit. It cuts
	// the list and changes neither order nor confidence.
	Limit int
	// Budget is the number of tokens the Markdown may have by estimate, 0 for
	// DefaultBudget. Only title, query, headings, instructions and the first
	// file may exceed it, which is then reported.
	Budget int
	// Explain adds the signals that put each candidate where it is.
	Explain bool
	// Excerpts adds source lines, read from Source.
	Excerpts bool
	Source   SourceReader // nil: no excerpts
	// Stale are the files that differ from what the maps were made from.
	Stale     []StaleFile
	Freshness Freshness
	// TestCommand is the user's own; empty: a workflow named "test", if any.
	TestCommand string
	// ArtifactsOnly says that the catalog was made from artifacts alone.
	ArtifactsOnly bool
	// ArtifactExists tells whether an artifact can be read at its path; nil
	// stands for what the catalog says.
	ArtifactExists func(path string) bool
	// Origin names the archive or artifact of a registry that the pages are in; ""
	// where they are at hand.
	Origin string
	// References name what is beside the first likely files; nil for nothing.
	References *store.References
	// Notes are further instructions, a line each.
	Notes []string
}

// Bundle is a finished context bundle. It is immutable.
type Bundle struct {
	selection    *selection
	plan         *plan
	instructions []string
	markdown     []byte
	tokens       int
	budget       int
	limit        int
}

// Build makes the bundle for a query. It accepts anything a ranker returns for
// the catalog c and never fails; a source that cannot be read costs its
// excerpt.
func Build(q *query.Query, c *store.Catalog, r *ranker.Result, o Options) *Bundle {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	if o.Budget <= 0 {
		o.Budget = DefaultBudget
	}
	if q == nil {
		q = &query.Query{}
	}
	if r == nil {
		r = &ranker.Result{NothingMatched: true}
	}
	s := selectFrom(q, c, r, &o)
	text := newPage(q, s, instructionLines(c, s, &o), o.Budget)
	b := &Bundle{selection: s, budget: o.Budget, limit: o.Limit}
	b.plan = text.plan(entriesOf(s), o.Budget)
	b.instructions = text.allInstructions(b.plan)
	b.markdown = text.render(b.plan)
	b.tokens = estimate(string(b.markdown))
	return b
}

// Markdown returns the bundle as Markdown.
func (b *Bundle) Markdown() []byte { return append([]byte(nil), b.markdown...) }

// Tokens is the estimated number of tokens of the Markdown.
func (b *Bundle) Tokens() int { return b.tokens }

// OverBudget tells whether the parts that are never left out alone exceed the
// budget.
func (b *Bundle) OverBudget() bool { return b.plan.over }

// StaleCited lists the stale files among those the bundle was made to cite, in
// the order in which they are cited.
func (b *Bundle) StaleCited() []StaleFile { return append([]StaleFile(nil), b.selection.staleCited...) }
