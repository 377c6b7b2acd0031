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

// Document is the JSON of a bundle, and the types below its parts;
// templates/context.schema.json describes it. No slice of it is null.
type (
	Document struct {
		Version        int               `json:"version"`
		Query          string            `json:"query"`
		QueryTruncated bool              `json:"queryTruncated"`
		Confidence     string            `json:"confidence"`
		NothingMatched bool              `json:"nothingMatched"`
		ArtifactsOnly  bool              `json:"artifactsOnly"`
		Freshness      DocumentFreshness `json:"freshness"`
		Indexes        []DocumentPage    `json:"indexes"`
		Maps           []DocumentPage    `json:"maps"`
		Files          []DocumentFile    `json:"files"`
		Symbols        []DocumentSymbol  `json:"symbols"`
		Excerpts       []DocumentExcerpt `json:"excerpts"`
		Instructions   []string          `json:"instructions"`
		Tokens         int               `json:"tokens"`
		Limits         DocumentLimits    `json:"limits"`
	}
	DocumentFreshness struct {
		State    string      `json:"state"`
		Revision string      `json:"revision"`
		Changed  int         `json:"changed"`
		Stale    []StaleFile `json:"stale"`
		Added    []string    `json:"added"`
	}
	DocumentPage struct {
		Path    string   `json:"path"`
		Dir     string   `json:"dir"`
		Summary string   `json:"summary"`
		Score   float64  `json:"score"`
		From    []string `json:"from,omitempty"`
		UsedBy  []string `json:"usedBy,omitempty"`
	}
	DocumentFile struct {
		Path     string           `json:"path"`
		Line     uint32           `json:"line,omitempty"`
		Score    float64          `json:"score"`
		Language string           `json:"language"`
		Roles    []string         `json:"roles"`
		Summary  string           `json:"summary"`
		Depth    string           `json:"depth"`
		Reason   string           `json:"depthReason,omitempty"`
		State    State            `json:"state,omitempty"`
		Reasons  []DocumentReason `json:"reasons,omitempty"`
		// Fitting are the definitions that the words of the query fit best.
		Fitting []DocumentFitting `json:"fitting,omitempty"`
	}
	DocumentFitting struct {
		Name      string `json:"name"`
		Container string `json:"container"`
		Line      uint32 `json:"line,omitempty"`
		EndLine   uint32 `json:"endLine,omitempty"`
	}
	DocumentReason struct {
		Signal string  `json:"signal"`
		Value  float64 `json:"value"`
		Weight float64 `json:"weight"`
		Share  float64 `json:"share"`
		Detail string  `json:"detail"`
	}
	DocumentSymbol struct {
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
	DocumentExcerpt struct {
		Path      string `json:"path"`
		StartLine int    `json:"startLine"`
		EndLine   int    `json:"endLine"`
		Language  string `json:"language"`
		Text      string `json:"text"`
	}
	DocumentLimits struct {
		Limit      int             `json:"limit"`
		Budget     int             `json:"budget"`
		OverBudget bool            `json:"overBudget"`
		Dropped    DocumentDropped `json:"dropped"`
	}
	DocumentDropped struct {
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
	data, err := Encode(b.Document())
	if err != nil {
		return nil, fmt.Errorf("encode bundle: %w", err)
	}
	return data, nil
}

// Encode writes a document, or what is made of documents, as JSON in which what
// cannot be seen stands as escapes.
func Encode(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return safejson.EscapeInvisible(out.Bytes()), nil
}

// Document gives what the JSON of the bundle holds.
func (b *Bundle) Document() *Document {
	s, p := b.selection, b.plan
	raw := strings.ToValidUTF8(s.query.Raw, "\uFFFD")
	text := headOf(raw, maxQueryBytes)
	d := &Document{
		Version: schemaVersion, Query: text, QueryTruncated: len(text) < len(raw), Confidence: s.confidence.String(),
		NothingMatched: s.nothing, ArtifactsOnly: s.fromPages,
		Freshness: DocumentFreshness{
			State: string(s.freshness.State), Revision: plaintext.Line(s.freshness.Revision, 200), Changed: s.changed,
			Stale: append([]StaleFile{}, s.staleCited...), Added: append([]string{}, s.added[:min(len(s.added), 100)]...),
		},
		Indexes: []DocumentPage{}, Maps: []DocumentPage{}, Files: []DocumentFile{}, Symbols: []DocumentSymbol{}, Excerpts: []DocumentExcerpt{},
		Instructions: append([]string{}, b.instructions...), Tokens: b.tokens,
		Limits: DocumentLimits{
			Limit: b.limit, Budget: b.budget, OverBudget: p.over,
			Dropped: DocumentDropped{
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
			d.Files = append(d.Files, b.fileOf(i))
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
			d.Excerpts = append(d.Excerpts, DocumentExcerpt{e.path, e.start, e.end(), e.language, e.text()})
		}
	}
	return d
}

func pageOf(p *page) DocumentPage {
	return DocumentPage{Path: p.path, Dir: p.dir, Summary: plaintext.Line(p.summary, summaryRunes), Score: rounded(p.score), From: p.from, UsedBy: p.usedBy}
}

func (b *Bundle) fileOf(i int) DocumentFile {
	f := &b.selection.files[i]
	x := DocumentFile{
		Path: f.path, Line: f.line, Score: rounded(f.score), Language: f.about.Language,
		Roles: append([]string{}, f.about.Role.Names()...), Depth: f.about.Depth.String(), Reason: string(f.about.Reason), State: f.state,
	}
	if b.plan.has(classFileNote, i) {
		x.Summary = plaintext.Line(f.about.Summary, noteRunes)
		for _, y := range f.fitting {
			x.Fitting = append(x.Fitting, DocumentFitting{plaintext.Line(y.Name, detailRunes), plaintext.Line(y.Container, detailRunes), y.Line, y.EndLine})
		}
	}
	if b.plan.has(classReason, i) {
		for _, r := range f.reasons {
			x.Reasons = append(x.Reasons, DocumentReason{
				Signal: r.Signal, Value: rounded(r.Value), Weight: rounded(r.Weight), Share: rounded(r.Share),
				Detail: plaintext.Line(r.Detail, 2*detailRunes),
			})
		}
	}
	return x
}

func symbolOf(s *symbol, explain bool) DocumentSymbol {
	x := DocumentSymbol{
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
