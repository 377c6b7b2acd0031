package bundle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/ranker/query"
)

const (
	none        = "none\n"
	noneForCost = "none within the budget\n"
)

// heading starts a section.
func heading(s string) string { return "\n## " + s + "\n" }

// pageText is the part of a bundle that does not depend on what is kept.
type pageText struct {
	sel          *selection
	title, query string
	instructions []string // each one line
	budget       int
	// cost bounds the tokens of title, query, the headings of the sections that
	// are always there and what an empty one says.
	cost int
}

func newPage(q *query.Query, s *selection, instructions []string, budget int) *pageText {
	quote := quoteQuery(q.Raw, queryAllowance(budget))
	p := &pageText{sel: s, title: title(q.Raw), query: quote.text, instructions: instructions, budget: budget}
	// A query that is cut counts as its whole allowance, not as what is shown:
	// that grows in jumps of a line, and a larger budget would then hold less
	// of the rest.
	p.cost = estimate(p.title) + quote.cost
	for _, h := range []string{"query", "relevant indexes", "relevant maps", "likely files", "instructions"} {
		p.cost += estimate(heading(h))
	}
	for _, n := range []int{len(s.indexes), len(s.maps)} {
		if n == 0 {
			p.cost += estimate(none)
		} else {
			p.cost += estimate(noneForCost)
		}
	}
	if len(s.files) == 0 {
		p.cost += estimate(none)
	}
	return p
}

// live are the entries of L0: what a bundle holds whatever the budget. note is a
// further instruction, "" for none.
func (p *pageText) live(note string) []pack.ContextEntry {
	out := []pack.ContextEntry{{ID: "page", Content: p.title + p.query, SourceType: "query", TokenEstimate: p.cost}}
	lines := p.instructions
	if note != "" {
		lines = append(slices.Clone(lines), note)
	}
	for i, t := range lines {
		line := "- " + t + "\n"
		out = append(out, pack.ContextEntry{
			ID: pack.ContextEntryID("instruction " + strconv.Itoa(i)), Content: line, SourceType: "instruction", TokenEstimate: estimate(line),
		})
	}
	return out
}

// allInstructions are the lines of the last section.
func (p *pageText) allInstructions(x *plan) []string {
	out := append([]string(nil), p.instructions...)
	switch {
	case x.over:
		out = append(out, instruction("over", p.budget))
	case x.note:
		out = append(out, instruction("dropped", droppedWords(x)))
	}
	return out
}

// render lays out the page.
func (p *pageText) render(x *plan) []byte {
	var b strings.Builder
	b.WriteString(p.title)
	b.WriteString(heading("query"))
	b.WriteString(p.query)

	s := p.sel
	// list writes the lines of one section: the text of each kept item, what
	// stands behind it, and its explanation.
	list := func(title string, n int, base, behind class, reasons int) {
		b.WriteString(heading(title))
		some := false
		for i := range n {
			if !x.has(base, i) {
				continue
			}
			some = true
			b.WriteString(x.kept[base][i])
			if behind != base {
				b.WriteString(x.kept[behind][i])
			}
			b.WriteByte('\n')
			if t := x.kept[classReason][reasons+i]; t != "" {
				b.WriteString(t)
				b.WriteByte('\n')
			}
		}
		switch {
		case some:
		case n > 0:
			b.WriteString(noneForCost)
		default:
			b.WriteString(none)
		}
	}
	const noReasons = -1 << 30 // no entry has such a number
	list("relevant indexes", len(s.indexes), classIndex, classIndexSummary, len(s.files))
	list("relevant maps", len(s.maps), classMap, classMap, noReasons)
	list("likely files", len(s.files), classFile, classFileNote, 0)
	if len(x.kept[classSymbol]) > 0 {
		list("relevant symbols", len(s.symbols), classSymbol, classSymbol, noReasons)
	}
	if len(x.kept[classExcerpt]) > 0 {
		b.WriteString(heading("excerpts"))
		for i := range s.excerpts {
			b.WriteString(x.kept[classExcerpt][i])
		}
	}
	b.WriteString(heading("instructions"))
	for _, t := range p.allInstructions(x) {
		b.WriteString("- ")
		b.WriteString(t)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}
