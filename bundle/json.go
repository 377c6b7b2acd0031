package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/project-map/project-map/bundle/internal/safejson"
	"github.com/project-map/project-map/mapgen/plaintext"
)

// schemaVersion changes when a reader of the old JSON would misread the new.
const schemaVersion = 1

// maxQueryBytes is how much of a query the JSON repeats.
const maxQueryBytes = 4 << 10

// The JSON of a bundle; templates/context.schema.json describes it.
type (
	document struct {
		Version        int           `json:"version"`
		Query          string        `json:"query"`
		QueryTruncated bool          `json:"queryTruncated"`
		Confidence     string        `json:"confidence"`
		NothingMatched bool          `json:"nothingMatched"`
		ArtifactsOnly  bool          `json:"artifactsOnly"`
		Freshness      freshnessJSON `json:"freshness"`
		Indexes        []pageJSON    `json:"indexes"`
		Maps           []pageJSON    `json:"maps"`
		Files          []fileJSON    `json:"files"`
		Symbols        []symbolJSON  `json:"symbols"`
		Excerpts       []excerptJSON `json:"excerpts"`
		Instructions   []string      `json:"instructions"`
		Tokens         int           `json:"tokens"`
		Limits         limitsJSON    `json:"limits"`
	}
	freshnessJSON struct {
		State    string      `json:"state"`
		Revision string      `json:"revision"`
		Changed  int         `json:"changed"`
		Stale    []StaleFile `json:"stale"`
		Added    []string    `json:"added"`
	}
	pageJSON struct {
		Path    string   `json:"path"`
		Dir     string   `json:"dir"`
		Summary string   `json:"summary"`
		Score   float64  `json:"score"`
		From    []string `json:"from,omitempty"`
		UsedBy  []string `json:"usedBy,omitempty"`
	}
	fileJSON struct {
		Path     string       `json:"path"`
		Line     uint32       `json:"line,omitempty"`
		Score    float64      `json:"score"`
		Language string       `json:"language"`
		Roles    []string     `json:"roles"`
		Summary  string       `json:"summary"`
		Depth    string       `json:"depth"`
		Reason   string       `json:"depthReason,omitempty"`
		State    State        `json:"state,omitempty"`
		Reasons  []reasonJSON `json:"reasons,omitempty"`
	}
	reasonJSON struct {
		Signal string  `json:"signal"`
		Value  float64 `json:"value"`
		Weight float64 `json:"weight"`
		Share  float64 `json:"share"`
		Detail string  `json:"detail"`
	}
	symbolJSON struct {
		Name      string  `json:"name"`
		Container string  `json:"container"`
		Kind      string  `json:"kind"`
		Path      string  `json:"path"`
		Line      uint32  `json:"line,omitempty"`
		EndLine   uint32  `json:"endLine,omitempty"`
		Signature string  `json:"signature"`
		Summary   string  `json:"summary"`
		Score     float64 `json:"score"`
		State     State   `json:"state,omitempty"`
		Match     string  `json:"match,omitempty"`
	}
	excerptJSON struct {
		Path      string `json:"path"`
		StartLine int    `json:"startLine"`
		EndLine   int    `json:"endLine"`
		Language  string `json:"language"`
		Text      string `json:"text"`
	}
	limitsJSON struct {
		Limit      int         `json:"limit"`
		Budget     int         `json:"budget"`
		OverBudget bool        `json:"overBudget"`
		Dropped    droppedJSON `json:"dropped"`
	}
	droppedJSON struct {
		Indexes        int `json:"indexes"`
		IndexSummaries int `json:"indexSummaries"`
		Maps           int `json:"maps"`
		Files          int `json:"files"`
		FileNotes      int `json:"fileNotes"`
		Symbols        int `json:"symbols"`
		Explanations   int `json:"explanations"`
		Excerpts       int `json:"excerpts"`
	}
)

// JSON returns the bundle as JSON: what the Markdown holds, with exact paths and
// all numbers. Text of the repository is plain, not escaped for Markdown;
// characters that cannot be seen are written as JSON escapes.
func (b *Bundle) JSON() ([]byte, error) {
	d := b.document()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return nil, fmt.Errorf("encode bundle: %w", err)
	}
	return safejson.EscapeInvisible(out.Bytes()), nil
}

func (b *Bundle) document() *document {
	s, p := b.selection, b.plan
	raw := strings.ToValidUTF8(s.query.Raw, "\uFFFD")
	text := headOf(raw, maxQueryBytes)
	d := &document{
		Version: schemaVersion, Query: text, QueryTruncated: len(text) < len(raw), Confidence: s.confidence.String(),
		NothingMatched: s.nothing, ArtifactsOnly: s.fromPages,
		Freshness: freshnessJSON{
			State: string(s.freshness.State), Revision: plaintext.Line(s.freshness.Revision, 200), Changed: s.changed,
			Stale: append([]StaleFile{}, s.staleCited...), Added: append([]string{}, s.added[:min(len(s.added), 100)]...),
		},
		Indexes: []pageJSON{}, Maps: []pageJSON{}, Files: []fileJSON{}, Symbols: []symbolJSON{}, Excerpts: []excerptJSON{},
		Instructions: append([]string{}, b.instructions...), Tokens: b.tokens,
		Limits: limitsJSON{
			Limit: b.limit, Budget: b.budget, OverBudget: p.over,
			Dropped: droppedJSON{
				Indexes: p.dropped[classIndex], IndexSummaries: p.dropped[classIndexSummary], Maps: p.dropped[classMap],
				Files: p.dropped[classFile], FileNotes: p.dropped[classFileNote], Symbols: p.dropped[classSymbol],
				Explanations: p.dropped[classReason], Excerpts: p.dropped[classExcerpt],
			},
		},
	}
	for i := range s.indexes {
		if !p.has(classIndex, i) {
			continue
		}
		x := pageOf(&s.indexes[i])
		if !p.has(classIndexSummary, i) {
			x.Summary = ""
		}
		if !p.has(classReason, len(s.files)+i) {
			x.From = nil
		}
		d.Indexes = append(d.Indexes, x)
	}
	for i := range s.maps {
		if p.has(classMap, i) {
			x := pageOf(&s.maps[i])
			x.From = nil
			d.Maps = append(d.Maps, x)
		}
	}
	for i := range s.files {
		if p.has(classFile, i) {
			d.Files = append(d.Files, b.fileJSON(i))
		}
	}
	for i := range s.symbols {
		if p.has(classSymbol, i) {
			d.Symbols = append(d.Symbols, symbolOf(&s.symbols[i], s.explain))
		}
	}
	for i := range s.excerpts {
		if p.has(classExcerpt, i) {
			e := &s.excerpts[i]
			d.Excerpts = append(d.Excerpts, excerptJSON{e.path, e.start, e.end(), e.language, e.text()})
		}
	}
	return d
}

func pageOf(p *page) pageJSON {
	return pageJSON{Path: p.path, Dir: p.dir, Summary: plaintext.Line(p.summary, summaryRunes), Score: rounded(p.score), From: p.from, UsedBy: p.usedBy}
}

func (b *Bundle) fileJSON(i int) fileJSON {
	f := &b.selection.files[i]
	x := fileJSON{
		Path: f.path, Line: f.line, Score: rounded(f.score), Language: f.about.Language,
		Roles: append([]string{}, f.about.Role.Names()...), Depth: f.about.Depth.String(), Reason: string(f.about.Reason), State: f.state,
	}
	if b.plan.has(classFileNote, i) {
		x.Summary = plaintext.Line(f.about.Summary, noteRunes)
	}
	if b.plan.has(classReason, i) {
		for _, r := range f.reasons {
			x.Reasons = append(x.Reasons, reasonJSON{
				Signal: r.Signal, Value: rounded(r.Value), Weight: rounded(r.Weight), Share: rounded(r.Share),
				Detail: plaintext.Line(r.Detail, 2*detailRunes),
			})
		}
	}
	return x
}

func symbolOf(s *symbol, explain bool) symbolJSON {
	x := symbolJSON{
		Name: s.Name, Container: s.Container, Kind: s.Kind.String(), Path: s.Path, Line: lineOf(s),
		Signature: plaintext.Line(s.Signature, 2*signatureRunes), Summary: plaintext.Line(s.Summary, summaryRunes),
		Score: rounded(s.Score), State: s.state,
	}
	if x.Line > 0 && s.EndLine >= x.Line {
		x.EndLine = s.EndLine
	}
	if explain {
		x.Match = s.Match
	}
	return x
}
