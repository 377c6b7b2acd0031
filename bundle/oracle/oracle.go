// Package oracle answers narrow questions about a repository with cited
// evidence: where something is, what uses it, what a file holds, what tools
// found, and what an edit reaches.
//
// Every statement of an answer is backed by an item of its evidence. An answer
// is one of three: found; absent, where the set that was searched was analysed
// whole; or not analysed. What was searched and what of it was not analysed
// stands in the coverage of the answer.
package oracle

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/ranker"
)

// Action is the kind of a question.
type Action string

// The actions.
const (
	Ask         Action = "ask"
	Symbol      Action = "symbol"
	File        Action = "file"
	Diagnostics Action = "diagnostics"
	EditImpact  Action = "editImpact"
)

// Actions lists them in the order in which they are explained.
func Actions() []Action { return []Action{Ask, Symbol, File, Diagnostics, EditImpact} }

// Request is a question.
type Request struct {
	Action Action `json:"action"`
	// Query is the question of ask.
	Query string `json:"query,omitempty"`
	// Symbol names a definition: "Save", "Store.Save", "pkg/store.Store.Save".
	Symbol string `json:"symbol,omitempty"`
	// File is a path in the repository, Line counts from 1.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Scope is a pattern of paths for diagnostics: "src/**/*.ts".
	Scope string `json:"scope,omitempty"`
	// Change lists what a change touches, for editImpact of a whole change.
	Change []Touched `json:"change,omitempty"`
}

// Touched is a part of a file that a change touches: lines of the new text, from
// 1; 0 to 0 for the file as a whole.
type Touched struct {
	File      string `json:"file"`
	StartLine int    `json:"startLine,omitempty"`
	EndLine   int    `json:"endLine,omitempty"`
}

// ErrRequest says that a question cannot be asked so.
var ErrRequest = errors.New("bad request")

func badRequest(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRequest, fmt.Sprintf(format, args...))
}

// Limits of a request, in bytes.
const (
	maxQuery = 64 << 10
	maxField = 4 << 10
)

// check refuses what is no question.
func (r *Request) check() error {
	for _, f := range []struct{ name, value string }{{"symbol", r.Symbol}, {"file", r.File}, {"scope", r.Scope}} {
		if len(f.value) > maxField {
			return badRequest("%s has %d bytes; at most %d are read", f.name, len(f.value), maxField)
		}
	}
	if len(r.Query) > maxQuery {
		return badRequest("query has %d bytes; at most %d are read", len(r.Query), maxQuery)
	}
	if r.Line < 0 {
		return badRequest("line %d: lines count from 1", r.Line)
	}
	if r.File != "" {
		clean, err := cleanPath(r.File)
		if err != nil {
			return err
		}
		r.File = clean
	}
	need := func(name, value string) error {
		if strings.TrimSpace(value) == "" {
			return badRequest("%s needs a field %q", r.Action, name)
		}
		return nil
	}
	switch r.Action {
	case Ask:
		return need("query", r.Query)
	case Symbol:
		if r.File != "" && r.Line > 0 {
			return nil
		}
		return need("symbol", r.Symbol)
	case File:
		return need("file", r.File)
	case Diagnostics:
		return nil
	case EditImpact:
		if len(r.Change) > 0 || r.File != "" {
			return nil
		}
		return need("symbol", r.Symbol)
	case "":
		return badRequest("it names no action; give one of %s", actionList())
	}
	return badRequest("there is no action %q; give one of %s", string(r.Action), actionList())
}

func actionList() string {
	var names []string
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}

// cleanPath is a path of the repository, as the catalog has it.
func cleanPath(p string) (string, error) {
	p = strings.ReplaceAll(p, "\\", "/")
	clean := path.Clean(p)
	if strings.HasPrefix(p, "/") || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsRune(p, 0) {
		return "", badRequest("file %q lies outside the repository; give a path relative to its root", p)
	}
	if clean == "." {
		clean = ""
	}
	return clean, nil
}

// Confidence is how far an answer can be trusted.
type Confidence string

// The levels: high rests on precise or unambiguous evidence that is fresh; low
// means that nothing could be cited, or only what a few words lead to.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// EvidenceType is where an item comes from.
type EvidenceType string

// The types of evidence.
const (
	// FromLSP is precise: an index that a compiler or type checker made.
	FromLSP EvidenceType = "lsp"
	// FromFile is a declaration or a reference found by parsing.
	FromFile       EvidenceType = "file"
	FromDiagnostic EvidenceType = "diagnostic"
	FromSummary    EvidenceType = "summary"
	FromSearch     EvidenceType = "search"
	FromCache      EvidenceType = "cache"
)

// Range is a part of a file in lines from 1, both ends included.
type Range struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// Evidence is one thing that an answer rests on.
type Evidence struct {
	Type   EvidenceType `json:"type"`
	File   string       `json:"file,omitempty"`
	Range  *Range       `json:"range,omitempty"`
	Symbol string       `json:"symbol,omitempty"`
	Detail string       `json:"detail"`
}

// State tells the three kinds of answers apart.
type State string

// The states.
const (
	// Found: there is evidence.
	Found State = "found"
	// Absent: all that was to be searched was analysed, and it is not there.
	Absent State = "absent"
	// NotAnalysed: nothing was found, but not all was analysed.
	NotAnalysed State = "notAnalysed"
)

// Coverage says what an answer rests on.
type Coverage struct {
	State State `json:"state"`
	// Searched is how many files were to be searched, Analysed how many of them
	// were.
	Searched int `json:"searched"`
	Analysed int `json:"analysed"`
	// Missing are some of the files that were not, with reasons.
	Missing []Missing `json:"missing,omitempty"`
	// Bounded is set where a search was cut off before its end.
	Bounded bool `json:"bounded,omitempty"`
}

// Missing is a file that was not analysed.
type Missing struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// Freshness is what is known of the state of the store.
type Freshness struct {
	State    string `json:"state"` // fresh, stale, unverified
	Revision string `json:"revision,omitempty"`
	// Stale are the cited files that changed since.
	Stale []bundle.StaleFile `json:"stale,omitempty"`
}

// Answer is what the oracle returns; its first fields are those that agents know.
type Answer struct {
	Answer             string     `json:"answer"`
	Confidence         Confidence `json:"confidence"`
	Evidence           []Evidence `json:"evidence"`
	SuggestedNextReads []string   `json:"suggestedNextReads,omitempty"`
	TokenEstimate      int        `json:"tokenEstimate,omitempty"`
	DeterministicMode  bool       `json:"deterministicMode"`
	ModelConfigured    string     `json:"modelConfigured,omitempty"`
	Freshness          *Freshness `json:"freshness,omitempty"`
	Coverage           *Coverage  `json:"coverage,omitempty"`
	// Omitted counts the items of evidence that the budget left out.
	Omitted int `json:"omitted,omitempty"`
}

// Options say how questions are answered.
type Options struct {
	// MaxOutputTokens bounds the JSON of an answer, by estimate; 0 for
	// DefaultMaxOutputTokens.
	MaxOutputTokens int
	// MaxInputTokens bounds the source text that is read for an answer; 0 for
	// DefaultMaxInputTokens.
	MaxInputTokens int
	// Names finds names that resemble one; nil for none.
	Names ranker.NameSearcher
	// Source reads files for excerpts and for the search of texts; nil for none.
	Source bundle.SourceReader
	// Changed tells whether a file differs from what the store was made from; nil
	// where nobody knows.
	Changed func(doc int) (bundle.State, bool)
	// Pages lists artifacts that are stale or damaged; nil where nobody knows.
	Pages func() []PageProblem
	// Revision names what the store was made from.
	Revision string
	// Model is what the user configured; it is only reported.
	Model string
}

// PageProblem is what is wrong with an artifact.
type PageProblem struct{ Path, Problem string }

// Defaults of Options.
const (
	DefaultMaxOutputTokens = 1200
	DefaultMaxInputTokens  = 12000
)

// Oracle answers questions from one generation of a store. It is used by one
// goroutine.
type Oracle struct {
	c    *store.Catalog
	refs *store.References // nil where the store has none
	log  *store.Log        // nil where the store has none
	o    Options

	read  int // tokens of source text read for the present question
	lines map[string][]string
	docs  []store.Doc // decoded when first asked for; Path is "" before
	// members are the definitions of documents, decoded when first asked for.
	members map[int][]store.Symbol
}

// New prepares to answer from a store; one made of maps alone has a catalog and
// nothing else.
func New(c *store.Catalog, refs *store.References, log *store.Log, o Options) *Oracle {
	if o.MaxOutputTokens <= 0 {
		o.MaxOutputTokens = DefaultMaxOutputTokens
	}
	if o.MaxInputTokens <= 0 {
		o.MaxInputTokens = DefaultMaxInputTokens
	}
	return &Oracle{c: c, refs: refs, log: log, o: o, lines: map[string][]string{}}
}

// doc is a file of the catalog. Most questions look at all of them, several times.
func (o *Oracle) doc(i int) store.Doc {
	if o.docs == nil {
		o.docs = make([]store.Doc, o.c.NumDocs())
	}
	if o.docs[i].Path == "" {
		o.docs[i] = o.c.Doc(i)
	}
	return o.docs[i]
}

// symbols lists the definitions of a document, which must not be changed. Every
// reference that is followed asks for those around it.
func (o *Oracle) symbols(doc int) []store.Symbol {
	list, ok := o.members[doc]
	if !ok {
		list = o.c.SymbolsOf(doc)
		if o.members == nil {
			o.members = map[int][]store.Symbol{}
		}
		o.members[doc] = list
	}
	return list
}

// Answer answers a question. Errors wrap ErrRequest: they are mistakes in it.
func (o *Oracle) Answer(r Request) (*Answer, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	o.read = 0
	var a *draft
	var err error
	switch r.Action {
	case Ask:
		a, err = o.ask(&r)
	case Symbol:
		a, err = o.symbol(&r)
	case File:
		a, err = o.file(&r)
	case Diagnostics:
		a, err = o.diagnostics(&r)
	case EditImpact:
		a, err = o.editImpact(&r)
	}
	if err != nil {
		return nil, err
	}
	return o.finish(a), nil
}
