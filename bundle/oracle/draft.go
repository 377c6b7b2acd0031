package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/store"
	"github.com/project-map/project-map/mapgen/tokens"
)

// draft is an answer while it is made.
type draft struct {
	text       []string // sentences
	confidence Confidence
	evidence   []Evidence // most important first
	reads      []string
	coverage   Coverage
	cited      []int // documents, in the order of their first citation
}

func (a *draft) say(format string, args ...any) {
	a.text = append(a.text, fmt.Sprintf(format, args...))
}

// cite adds an item of evidence.
func (o *Oracle) cite(a *draft, t EvidenceType, doc int, from, to uint32, symbol, detail string) {
	e := Evidence{Type: t, Symbol: symbol, Detail: detail}
	if doc >= 0 {
		e.File = o.c.Path(doc)
		if !slices.Contains(a.cited, doc) {
			a.cited = append(a.cited, doc)
		}
	}
	if from > 0 {
		e.Range = &Range{int(from), int(max(from, to))}
	}
	for i := range a.evidence {
		// A place that is cited already says so once.
		if x := &a.evidence[i]; e.Range != nil && x.Range != nil && *x.Range == *e.Range && x.File == e.File && x.Symbol == e.Symbol {
			if x.Detail != detail && x.Type == t && !strings.Contains(x.Detail, detail) && len(x.Detail)+len(detail) < maxDetail/2 {
				x.Detail += "; " + detail
			}
			return
		}
	}
	a.evidence = append(a.evidence, e)
}

// read suggests a file to read next, with a line where there is one.
func (o *Oracle) suggest(a *draft, doc int, line uint32) {
	s := o.c.Path(doc)
	if line > 0 {
		s = fmt.Sprintf("%s:%d", s, line)
	}
	if !slices.Contains(a.reads, s) && len(a.reads) < maxReads {
		a.reads = append(a.reads, s)
	}
}

const maxReads = 5

// finish turns a draft into an answer within the budget: evidence leaves from its
// end, then suggestions, then the end of the text.
func (o *Oracle) finish(d *draft) *Answer {
	a := &Answer{
		Answer: strings.Join(d.text, " "), Confidence: d.confidence, Evidence: d.evidence,
		SuggestedNextReads: d.reads, DeterministicMode: true, ModelConfigured: o.o.Model, Coverage: &d.coverage,
		Freshness: &Freshness{State: string(bundle.Unverified), Revision: o.o.Revision},
	}
	if a.Evidence == nil {
		a.Evidence = []Evidence{}
	}
	if o.o.Changed != nil {
		a.Freshness.State = string(bundle.Fresh)
		for _, doc := range d.cited {
			if state, stale := o.o.Changed(doc); stale {
				a.Freshness.State = string(bundle.Stale)
				a.Freshness.Stale = append(a.Freshness.Stale, bundle.StaleFile{Path: o.c.Path(doc), State: state})
			}
		}
	}
	if a.Freshness.State == string(bundle.Stale) && a.Confidence == High {
		a.Confidence = Medium
	}
	if len(a.Evidence) == 0 && a.Confidence != High {
		a.Confidence = Low
	}
	if d.coverage.State == "" {
		d.coverage.State = Found
		if len(a.Evidence) == 0 {
			d.coverage.State = NotAnalysed
		}
	}
	if d.coverage.State == Absent && len(a.Evidence) == 0 {
		// What shows an absence is the search.
		a.Evidence = append(a.Evidence, Evidence{Type: FromSearch, Detail: fmt.Sprintf("%s searched, all of them analysed", plural(d.coverage.Searched, "file"))})
		if d.confidence == High {
			a.Confidence = High
		}
	}
	if d.coverage.State == NotAnalysed && !slices.ContainsFunc(a.Evidence, func(e Evidence) bool { return e.File != "" }) {
		// What shows a gap are the files that it consists of.
		for _, m := range d.coverage.Missing {
			a.Evidence = append(a.Evidence, Evidence{Type: FromSearch, File: m.File, Detail: "not analysed: " + m.Reason})
		}
	}
	clean(a)
	o.fit(a)
	return a
}

// clean takes what could act on a terminal or a page out of all texts.
func clean(a *Answer) {
	a.Answer = plaintext.Line(a.Answer, maxAnswer)
	for i := range a.Evidence {
		a.Evidence[i].Detail = plaintext.Line(a.Evidence[i].Detail, maxDetail)
		a.Evidence[i].Symbol = plaintext.Line(a.Evidence[i].Symbol, maxDetail)
	}
}

const (
	maxAnswer = 1200
	maxDetail = 300
)

// builder packs answers. Estimates of parts never add up to less than that of the
// whole, so what fits by its parts fits.
var builder = pack.NewBuilder(tokens.Estimator{}, 0)

// What an answer is packed as: its text and its first item are L0, the other
// items L1, stale and unanalysed files L2, suggestions L3.
const (
	entryCore       = "answer"
	entryEvidence   = "evidence"
	entryStale      = "stale"
	entryMissing    = "missing"
	entrySuggestion = "suggestion"
)

// fit keeps the answer within its tokens, by building a pack of it.
func (o *Oracle) fit(a *Answer) {
	whole := *a
	var entries []pack.ContextEntry
	add := func(layer pack.ContextLayer, kind string, i int, v any) {
		data, _ := json.Marshal(v) // strings and numbers always encode
		entries = append(entries, pack.ContextEntry{
			ID: pack.ContextEntryID(fmt.Sprintf("%s %d", kind, i)), Layer: layer, Content: string(data), SourceType: pack.SourceType(kind),
			TokenEstimate: tokens.Estimate(string(data)) + 1,
		})
	}
	for i := len(whole.SuggestedNextReads) - 1; i >= 0; i-- {
		add(pack.L3, entrySuggestion, i, whole.SuggestedNextReads[i])
	}
	for i := len(whole.Coverage.Missing) - 1; i >= 0; i-- {
		add(pack.L2, entryMissing, i, whole.Coverage.Missing[i])
	}
	for i := len(whole.Freshness.Stale) - 1; i >= 0; i-- {
		add(pack.L2, entryStale, i, whole.Freshness.Stale[i])
	}
	for i := len(whole.Evidence) - 1; i >= 1; i-- {
		add(pack.L1, entryEvidence, i, whole.Evidence[i])
	}
	core := coreOf(&whole)
	for tokens.Estimate(string(encode(core))) > o.o.MaxOutputTokens && shorten(core) {
	}
	add(pack.L0, entryCore, 0, core)
	p, _, err := builder.Build(pack.BuildRequest{SessionID: "oracle", StageID: "answer", Budget: o.o.MaxOutputTokens, Entries: entries})
	if err != nil {
		// Only a programmer gets here: two entries with one id.
		panic(fmt.Sprintf("oracle: %v", err))
	}
	kept := map[pack.ContextEntryID]bool{}
	for _, layer := range p.Layers {
		for i := range layer {
			kept[layer[i].ID] = true
		}
	}
	has := func(kind string, i int) bool { return kept[pack.ContextEntryID(fmt.Sprintf("%s %d", kind, i))] }
	*a = *core
	for i := 1; i < len(whole.Evidence); i++ {
		if has(entryEvidence, i) {
			a.Evidence = append(a.Evidence, whole.Evidence[i])
		}
	}
	a.Omitted = len(whole.Evidence) - len(a.Evidence)
	for i, r := range whole.SuggestedNextReads {
		if has(entrySuggestion, i) {
			a.SuggestedNextReads = append(a.SuggestedNextReads, r)
		}
	}
	for i, m := range whole.Coverage.Missing {
		if has(entryMissing, i) && a.Coverage != nil {
			a.Coverage.Missing = append(a.Coverage.Missing, m)
		}
	}
	for i, s := range whole.Freshness.Stale {
		if has(entryStale, i) && a.Freshness != nil {
			a.Freshness.Stale = append(a.Freshness.Stale, s)
		}
	}
	a.TokenEstimate = tokens.Estimate(string(encode(a)))
}

// coreOf is what an answer holds at the least, with room for numbers that are
// filled in later.
func coreOf(a *Answer) *Answer {
	core := *a
	core.Evidence = core.Evidence[:min(1, len(core.Evidence)):min(1, len(core.Evidence))]
	core.SuggestedNextReads = nil
	coverage, freshness := *a.Coverage, *a.Freshness
	coverage.Missing, freshness.Stale = nil, nil
	core.Coverage, core.Freshness = &coverage, &freshness
	core.TokenEstimate, core.Omitted = 99999, 999
	return &core
}

// shorten takes something away from the core of an answer; it tells whether there
// was anything left to take. What is cited goes last but for what was searched: an
// answer is short before it is bare.
func shorten(a *Answer) bool {
	switch {
	case len(a.Answer) > 80:
		a.Answer = plaintext.Line(a.Answer, len(a.Answer)*3/4)
	case len(a.Evidence) > 0 && len(a.Evidence[0].Detail) > 0:
		a.Evidence[0].Detail = ""
	case a.Freshness != nil:
		a.Freshness = nil
	case len(a.Answer) > 32:
		a.Answer = plaintext.Line(a.Answer, len(a.Answer)*3/4)
	case len(a.Evidence) > 0 && a.Evidence[0].Symbol != "":
		a.Evidence[0].Symbol = ""
	case a.ModelConfigured != "":
		a.ModelConfigured = ""
	case len(a.Evidence) > 0:
		a.Evidence = []Evidence{}
	case a.Coverage != nil:
		a.Coverage = nil
	case len(a.Answer) > 8:
		a.Answer = plaintext.Line(a.Answer, len(a.Answer)/2)
	default:
		return false
	}
	return true
}

// encode gives the JSON of an answer, as it is printed.
func encode(a *Answer) []byte {
	data, err := json.Marshal(a)
	if err != nil {
		return nil // strings and numbers always encode
	}
	return data
}

// place is path:line.
func (o *Oracle) place(doc int, line uint32) string {
	if line == 0 {
		return o.c.Path(doc)
	}
	return fmt.Sprintf("%s:%d", o.c.Path(doc), line)
}

// definitionInfo is what is known of a definition.
type definitionInfo struct {
	Definition store.Definition
	store.Symbol
	note store.SymbolNote
	// precise: a precise index knows it.
	precise bool
}

// info looks a definition up; one that only a precise index knows, too.
func (o *Oracle) info(d store.Definition) (definitionInfo, bool) {
	out := definitionInfo{Definition: d}
	s, ok := o.c.SymbolOf(d)
	if !ok {
		if o.refs == nil {
			return out, false
		}
		extras := o.refs.Extras(d.Doc)
		k := d.Symbol - len(o.symbols(d.Doc))
		if k < 0 || k >= len(extras) {
			return out, false
		}
		x := extras[k]
		s = store.Symbol{Name: x.Name, Container: x.Container, Kind: x.Kind, Doc: d.Doc, Line: x.Line, EndLine: x.Line}
	}
	out.Symbol = s
	if o.refs != nil {
		out.precise = o.refs.Resolution(d.Doc) == store.ByIndex
		if n, ok := o.refs.Note(d); ok {
			out.note = n
		}
	}
	return out, true
}

// qualified is the name with its container.
func (d *definitionInfo) qualified() string {
	if d.Container == "" {
		return d.Name
	}
	return d.Container + "." + d.Name
}

// signature is the best one known.
func (d *definitionInfo) signature() string {
	if d.Signature != "" {
		return d.Signature
	}
	return d.note.Signature
}

// documentation is its first sentence.
func (d *definitionInfo) documentation() string {
	if d.Summary != "" {
		return d.Summary
	}
	line, _, _ := strings.Cut(d.note.Doc, "\n")
	return line
}

// source is the type of evidence that a definition is.
func (d *definitionInfo) source() EvidenceType {
	if d.precise {
		return FromLSP
	}
	return FromFile
}

// describe says what a definition is.
func (d *definitionInfo) describe() string {
	var b strings.Builder
	kind := d.Kind.String()
	if d.Kind == facts.KindUnknown {
		kind = "definition"
	}
	b.WriteString(kind)
	if d.Container != "" {
		b.WriteString(" of " + d.Container)
	}
	if s := d.signature(); s != "" {
		b.WriteString(": " + s)
	}
	if s := d.documentation(); s != "" {
		b.WriteString(" — " + s)
	}
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if base, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, base)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// verb is the form of a regular verb for a number of things.
func verb(n int, stem string) string {
	if n == 1 {
		return stem + "s"
	}
	return stem
}

// article puts the right one before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// listOf joins names in words, with the number of those left out.
func listOf(names []string, most int) string {
	more := ""
	if len(names) > most {
		more = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return strings.Join(names, ", ") + more
}
