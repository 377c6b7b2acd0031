package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/project-map/project-map/bundle"
	"github.com/project-map/project-map/mapgen/archive"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/tokens"
	"github.com/project-map/project-map/ranker"
	"github.com/project-map/project-map/ranker/query"
	"github.com/project-map/project-map/registry"
)

// A question to several repositories is answered by each of them, and the answers
// are laid into one another: files by score, the pages and symbols behind those of
// the repository whose files lead, and every path begins with the name of where it
// is from.

// partBudget holds what the bundle of one repository says, whatever the budget: the
// budget holds for the whole.
const partBudget = 1 << 20

// crossBundle is the merged answer: a bundle whose paths are those of several
// repositories. Of what a bundle drops for the budget only whole lines are counted:
// a line leaves whole.
type crossBundle struct {
	bundle.Document
	Archives []crossSource `json:"archives"`

	head string // title and query in Markdown
}

// crossSource is one of the repositories.
type crossSource struct {
	Name       string `json:"name"` // what paths begin with
	From       string `json:"from"` // the directory or archive
	Revision   string `json:"revision"`
	Confidence string `json:"confidence"`
}

// part is the answer of one repository.
type part struct {
	crossSource
	doc *bundle.Document
	// covered is how much of the query the best file holds, from 0 to 1.
	covered float64
	best    float64 // score of the best file, made comparable
	packed  bool    // the pages are in an archive only
}

func contextAcross(c *cli.Context, con *console, mode string) error {
	if mode == staleRefresh || mode == staleError {
		return usagef("--stale %s needs the store of the work tree; leave --artifacts out", mode)
	}
	if c.Bool("excerpts") {
		return usagef("--excerpts needs the sources; leave --artifacts out")
	}
	text, err := queryText(c, &querySource{})
	if err != nil {
		return err
	}
	dirs := c.StringSlice("artifacts")
	names := sourceNames(dirs)
	parts := make([]*part, len(dirs))
	head := ""
	for i, dir := range dirs {
		if parts[i], head, err = askPart(c, con, dir, names[i], text); err != nil {
			return err
		}
	}
	b := mergeParts(parts, c.Int("limit"))
	b.head = head
	b.fit(c.Int("budget"))
	return output(c, func(w io.Writer) error {
		data := []byte(b.markdown())
		if c.String("format") == "json" {
			if data, err = bundle.Encode(b); err != nil {
				return err
			}
		}
		_, err := w.Write(data)
		return err
	})
}

// sourceNames names repositories by their files or directories, each differently.
func sourceNames(dirs []string) []string {
	out := make([]string, len(dirs))
	for i, dir := range dirs {
		base := sourceName(dir)
		name := base
		for n := 2; slices.Contains(out[:i], name); n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		out[i] = name
	}
	return out
}

func sourceName(dir string) string {
	if r, err := registry.ParseReference(dir); err == nil {
		return r.Name()
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	return strings.TrimSuffix(filepath.Base(abs), archive.Extension)
}

// askPart asks one repository. head is title and query as a bundle shows them.
func askPart(c *cli.Context, con *console, dir, name, text string) (p *part, head string, err error) {
	src, err := openArtifacts(c, dir, c.Bool("artifacts-only"), con)
	if err != nil {
		return nil, "", err
	}
	defer src.close()
	q := query.Parse(text)
	searcher := &nameSearcher{store: src.store}
	defer searcher.close()
	limit := c.Int("limit")
	result := ranker.New(src.catalog, ranker.Options{Names: searcher, MaxFiles: max(200, limit)}).Rank(q)
	o := bundle.Options{
		Limit: limit, Budget: partBudget, Explain: c.Bool("explain"), TestCommand: src.catalog.Meta().Test,
		ArtifactsOnly: src.catalog.Meta().FromArtifacts, ArtifactExists: src.exists, Notes: src.notes,
	}
	if note := searcher.note(); note != "" {
		o.Notes = append(o.Notes, note)
	}
	p = &part{crossSource: crossSource{Name: name, From: src.from, Confidence: result.Confidence.String()}, covered: result.Shape.Covered, packed: src.origin != ""}
	if src.store != nil {
		p.Revision = revisionName(src.store.Manifest.Revision)
		o.Freshness.Revision = p.Revision
	}
	p.doc = bundle.Build(q, src.catalog, result, o).Document()
	o.Budget = c.Int("budget")
	short := bundle.Build(q, src.catalog, result, o).Markdown()
	before, _, _ := bytes.Cut(short, []byte("\n## relevant indexes"))
	return p, string(before), nil
}

// mergeParts lays the answers of repositories into one another.
func mergeParts(parts []*part, limit int) *crossBundle {
	b := &crossBundle{Archives: []crossSource{}, Document: bundle.Document{
		Version: parts[0].doc.Version, Query: parts[0].doc.Query, QueryTruncated: parts[0].doc.QueryTruncated, NothingMatched: true,
		Indexes: []bundle.DocumentPage{}, Maps: []bundle.DocumentPage{}, Files: []bundle.DocumentFile{}, Symbols: []bundle.DocumentSymbol{},
		Excerpts:  []bundle.DocumentExcerpt{}, // none: there are no sources
		Freshness: bundle.DocumentFreshness{State: string(bundle.Unverified), Stale: []bundle.StaleFile{}, Added: []string{}},
		Limits:    bundle.DocumentLimits{Limit: limit},
	}}
	// Scores of words are relative to the best file of a repository. One whose
	// best file holds less of the query than another's weighs less.
	most := 0.0
	for _, p := range parts {
		most = max(most, p.covered)
	}
	owner := map[string]*part{}
	for _, p := range parts {
		factor := 1.0
		if most > 0 {
			factor = .5 + .5*p.covered/most
		}
		b.NothingMatched = b.NothingMatched && p.doc.NothingMatched
		b.ArtifactsOnly = b.ArtifactsOnly || p.doc.ArtifactsOnly
		b.Archives = append(b.Archives, p.crossSource)
		for i, f := range p.doc.Files {
			f.Path = p.Name + "/" + f.Path
			if f.Score > 0 {
				f.Score = crossScore(f.Score * factor)
			}
			if i == 0 {
				p.best = f.Score
			}
			owner[f.Path] = p
			b.Files = append(b.Files, f)
		}
		for _, s := range p.doc.Symbols {
			s.Path = p.Name + "/" + s.Path
			s.Score = crossScore(s.Score * factor)
			b.Symbols = append(b.Symbols, s)
		}
	}
	slices.SortStableFunc(b.Files, func(x, y bundle.DocumentFile) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.Path, y.Path))
	})
	b.Files = b.Files[:min(len(b.Files), limit)]
	slices.SortStableFunc(b.Symbols, func(x, y bundle.DocumentSymbol) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.Path, y.Path), cmp.Compare(x.Line, y.Line))
	})
	const maxSymbols, maxPages = 10, 5
	b.Symbols = b.Symbols[:min(len(b.Symbols), maxSymbols)]
	// Pages only of repositories that a file is shown of, the leading one first.
	shown := map[*part]bool{}
	var leading []*part
	for i := range b.Files {
		if p := owner[b.Files[i].Path]; !shown[p] {
			shown[p] = true
			leading = append(leading, p)
		}
	}
	b.Indexes = append(b.Indexes, inTurn(leading, maxPages, func(p *part) []bundle.DocumentPage { return p.pages(p.doc.Indexes) })...)
	b.Maps = append(b.Maps, inTurn(leading, maxPages, func(p *part) []bundle.DocumentPage { return p.pages(p.doc.Maps) })...)
	b.Confidence = confidenceOf(leading)
	b.Instructions = instructionsOf(parts, b)
	return b
}

// inTurn takes the first pages of all parts, then the second ones, and so on.
func inTurn(parts []*part, most int, pages func(*part) []bundle.DocumentPage) (out []bundle.DocumentPage) {
	lists := make([][]bundle.DocumentPage, len(parts))
	for i, p := range parts {
		lists[i] = pages(p)
	}
	for some := true; some; {
		some = false
		for i := range lists {
			if len(lists[i]) > 0 && len(out) < most {
				out, lists[i], some = append(out, lists[i][0]), lists[i][1:], true
			}
		}
	}
	return out
}

// pages gives pages their place among several repositories.
func (p *part) pages(list []bundle.DocumentPage) []bundle.DocumentPage {
	out := make([]bundle.DocumentPage, len(list))
	for i, x := range list {
		x.Path = p.Name + "/" + x.Path
		x.Dir = strings.TrimSuffix(p.Name+"/"+x.Dir, "/")
		x.UsedBy = slices.Clone(x.UsedBy)
		for k := range x.UsedBy {
			x.UsedBy[k] = strings.TrimSuffix(p.Name+"/"+x.UsedBy[k], "/")
		}
		x.From = slices.Clone(x.From)
		for k := range x.From {
			x.From[k] = p.Name + "/" + x.From[k]
		}
		out[i] = x
	}
	return out
}

func crossScore(x float64) float64 { return float64(int64(x*1e4+.5)) / 1e4 }

// confidenceOf is that of the repository that leads, and not high where another
// one is close behind: confidence is judged within a repository.
func confidenceOf(leading []*part) string {
	const close = .8
	switch {
	case len(leading) == 0:
		return ranker.Low.String()
	case len(leading) > 1 && leading[1].best >= close*leading[0].best && leading[0].Confidence == ranker.High.String():
		return ranker.Medium.String()
	}
	return leading[0].Confidence
}

// instructionsOf gives what all repositories say once, and the rest with the name
// of who says it.
func instructionsOf(parts []*part, b *crossBundle) []string {
	const confidence = "Confidence:"
	var out []string
	for _, line := range parts[0].doc.Instructions {
		if strings.HasPrefix(line, confidence) {
			continue
		}
		if !slices.ContainsFunc(parts, func(p *part) bool { return !slices.Contains(p.doc.Instructions, line) }) {
			out = append(out, line)
		}
	}
	said := "Confidence: " + b.Confidence + "."
	for _, p := range parts {
		for _, line := range p.doc.Instructions {
			if strings.HasPrefix(line, confidence+" "+b.Confidence) {
				said = line
			}
		}
	}
	out = append(out, said)
	var names []string
	for _, p := range parts {
		names = append(names, shownName(p.Name)+" ("+shownName(plaintext.Line(p.From, 500))+")")
	}
	out = append(out, "Paths begin with the name of the repository's maps: "+strings.Join(names, ", ")+".")
	if slices.ContainsFunc(parts, func(p *part) bool { return p.packed }) {
		out = append(out, "`project-map pull` unpacks the archives among them.")
	}
	for _, p := range parts {
		for _, line := range p.doc.Instructions {
			if !strings.HasPrefix(line, confidence) && !slices.Contains(out, line) {
				out = append(out, "In "+shownName(p.Name)+": "+line)
			}
		}
	}
	return out
}

// shownName shows a path as it is, or in a code span where it would act as
// Markdown.
func shownName(s string) string {
	if s != "" && plaintext.Line(s, 0) == s && plaintext.Markdown(s) == s && !strings.ContainsAny(s, " *_,(—") {
		return s
	}
	return plaintext.Code(s)
}

func crossProse(s string) string {
	const most = 100
	if s = plaintext.Line(s, most); s == "" {
		return ""
	}
	return " — " + plaintext.Markdown(s)
}

func crossPlace(p string, line uint32) string {
	if line == 0 {
		return shownName(p)
	}
	return fmt.Sprintf("%s:%d", shownName(p), line)
}

func pageLine(x *bundle.DocumentPage) string {
	return "- " + shownName(x.Path) + crossProse(x.Summary) + "\n"
}

func fileLine(f *bundle.DocumentFile) string {
	what := strings.Join(append(slices.DeleteFunc([]string{f.Language}, func(s string) bool { return s == "" }), f.Roles...), ", ")
	if what != "" && f.Summary != "" {
		what += ": "
	}
	line := "- " + crossPlace(f.Path, f.Line) + crossProse(what+f.Summary)
	var fitting []string
	for _, d := range f.Fitting {
		fitting = append(fitting, crossPlace(crossName(d.Name, d.Container), d.Line))
	}
	if len(fitting) > 0 {
		line += " (" + strings.Join(fitting, ", ") + ")"
	}
	line += "\n"
	const mostReasons = 5
	for i, r := range f.Reasons[:min(len(f.Reasons), mostReasons)] {
		line += []string{"  - ", ", "}[min(i, 1)] + fmt.Sprintf("%s %.0f%%", plaintext.Markdown(r.Signal), 100*r.Share)
	}
	if len(f.Reasons) > 0 {
		line += "\n"
	}
	return line
}

func symbolLine(s *bundle.DocumentSymbol) string {
	line := "- " + shownName(crossName(s.Name, s.Container)) + " — " + s.Kind + " at " + crossPlace(s.Path, s.Line)
	if s.Signature != "" && s.Signature != s.Name {
		line += " — " + plaintext.Code(plaintext.Line(s.Signature, 120))
	}
	return line + "\n"
}

// crossName is a name with that of what it stands in.
func crossName(name, container string) string {
	if container == "" || strings.HasPrefix(name, container+".") {
		return name
	}
	return container + "." + name
}

// fit leaves out what the budget does not hold. Everything leaves in one order, so
// that a larger budget holds all that a smaller one does: files, indexes, symbols
// and maps take turns by their rank, and from the first that does not fit on all is
// left out. The first file, title, query and instructions stay.
func (b *crossBundle) fit(budget int) {
	files, indexes, symbols, maps := b.Files, b.Indexes, b.Symbols, b.Maps
	b.Files, b.Indexes, b.Symbols, b.Maps = files[:min(len(files), 1)], indexes[:0:0], symbols[:0:0], maps[:0:0]
	const noteCost = 14 // of the line below
	used := tokens.Estimate(b.markdown()) + noteCost
	b.Limits.Budget, b.Limits.OverBudget = budget, used > budget
	full := false
	b.Limits.Dropped = bundle.DocumentDropped{}
	dropped := &b.Limits.Dropped
	take := func(line string, left *int) bool {
		cost := tokens.Estimate(line) + 1
		if full = full || used+cost > budget; full {
			*left++
			return false
		}
		used += cost
		return true
	}
	for i := range max(len(files), len(indexes), len(symbols), len(maps)) {
		if i > 0 && i < len(files) && take(fileLine(&files[i]), &dropped.Files) {
			b.Files = append(b.Files[:len(b.Files):len(b.Files)], files[i])
		}
		if i < len(indexes) && take(pageLine(&indexes[i]), &dropped.Indexes) {
			b.Indexes = append(b.Indexes, indexes[i])
		}
		if i < len(symbols) && take(symbolLine(&symbols[i]), &dropped.Symbols) {
			b.Symbols = append(b.Symbols, symbols[i])
		}
		if i < len(maps) && take(pageLine(&maps[i]), &dropped.Maps) {
			b.Maps = append(b.Maps, maps[i])
		}
	}
	if n := dropped.Files + dropped.Indexes + dropped.Symbols + dropped.Maps; n > 0 {
		b.Instructions = append(b.Instructions, fmt.Sprintf("Left out for the budget: %d more.", n))
	}
	b.Tokens = tokens.Estimate(b.markdown())
}

// markdown lays the answer out as bundles are.
func (b *crossBundle) markdown() string {
	var w strings.Builder
	w.WriteString(b.head)
	section := func(title string, n int, line func(i int) string) {
		w.WriteString("\n## " + title + "\n")
		for i := range n {
			w.WriteString(line(i))
		}
		if n == 0 {
			w.WriteString("none\n")
		}
	}
	section("relevant indexes", len(b.Indexes), func(i int) string { return pageLine(&b.Indexes[i]) })
	section("relevant maps", len(b.Maps), func(i int) string { return pageLine(&b.Maps[i]) })
	section("likely files", len(b.Files), func(i int) string { return fileLine(&b.Files[i]) })
	if len(b.Symbols) > 0 {
		section("relevant symbols", len(b.Symbols), func(i int) string { return symbolLine(&b.Symbols[i]) })
	}
	section("instructions", len(b.Instructions), func(i int) string { return "- " + b.Instructions[i] + "\n" })
	return w.String()
}
