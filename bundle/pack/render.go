package pack

import (
	"fmt"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// Framing is how the entries of a pack are written for their reader. What it
// adds costs tokens, which count.
type Framing string

// The framings.
const (
	// Bare entries: JSON, or a program that writes them its own way.
	Bare Framing = ""
	// Markdown for a prompt: a section a layer, a heading and a fence an entry.
	Markdown Framing = "markdown"
)

func (f Framing) valid() bool { return f == Bare || f == Markdown }

// layerTitles are the headings of sections.
var layerTitles = [NumLayers]string{
	L0: "L0: now", L1: "L1: this stage", L2: "L2: the session so far", L3: "L3: the project", L4: "L4: from the archive",
}

const packTitle = "# Context pack\n"

func sectionHead(l ContextLayer) string { return "\n## " + layerTitles[l] + "\n" }

// entryHead is the line above an entry. Source types and ids are free text that
// must not forge structure.
func entryHead(e *ContextEntry) string {
	t := plaintext.Word(string(e.SourceType))
	if t == "" {
		t = "entry"
	}
	if e.SourceID != "" {
		t += " " + plaintext.Code(plaintext.Line(e.SourceID, 120))
	}
	return "\n### " + t + "\n"
}

// fenceOf is longer than any run of backticks in a text, so that nothing in it
// ends the block.
func fenceOf(s string) string {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(3, longest+1))
}

func frameOf(e *ContextEntry) (before, after string) {
	fence := fenceOf(e.Content)
	before, after = entryHead(e)+fence+"\n", fence+"\n"
	if !strings.HasSuffix(e.Content, "\n") {
		after = "\n" + after
	}
	return before, after
}

// foot is the last line: what changes with every pack stands behind everything
// else.
func (p *ContextPack) foot() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n---\n%s: %d of %d tokens (%s)", p.ID, p.BudgetUsed, p.BudgetLimit, plaintext.Line(p.Tokenizer, 40))
	if n := p.CompressionMetadata.EntriesDropped; n > 0 {
		fmt.Fprintf(&b, ", %d entries left out", n)
	}
	if p.OverBudget != "" {
		b.WriteString(", over budget: " + p.OverBudget)
	}
	b.WriteString("\n")
	return b.String()
}

// Markdown writes the pack for a prompt: the stable layers first, entries in
// the order of the request, the pack's own data last.
func (p *ContextPack) Markdown() []byte {
	var b strings.Builder
	b.WriteString(packTitle)
	for _, l := range stableFirst {
		if len(p.Layers[l]) == 0 {
			continue
		}
		b.WriteString(sectionHead(l))
		for i := range p.Layers[l] {
			e := &p.Layers[l][i]
			before, after := frameOf(e)
			b.WriteString(before)
			b.WriteString(e.Content)
			b.WriteString(after)
		}
	}
	b.WriteString(p.foot())
	return []byte(b.String())
}

// framer knows what a framing costs. Parts are counted one by one; together
// they are never more, or next to nothing more, than their sum.
type framer struct {
	framing Framing
	counter TokenCounter
	// heads caches, since most entries share few sources.
	heads map[string]int
}

func newFramer(f Framing, c TokenCounter) *framer {
	return &framer{f, c, map[string]int{}}
}

// fixed is what the framing costs whatever is kept.
func (f *framer) fixed(entries []ContextEntry, id ContextPackID) int {
	if f.framing == Bare {
		return 0
	}
	n := f.counter.Count(packTitle)
	var have [NumLayers]bool
	for i := range entries {
		have[entries[i].Layer] = true
	}
	for l, some := range have {
		if some {
			n += f.counter.Count(sectionHead(ContextLayer(l)))
		}
	}
	// The longest last line there can be.
	longest := ContextPack{ID: id, BudgetUsed: MaxTokens, BudgetLimit: MaxTokens, Tokenizer: f.counter.Name()}
	longest.CompressionMetadata.EntriesDropped = MaxTokens
	longest.OverBudget = fmt.Sprintf("what is never dropped needs %d tokens of the %d allowed", MaxTokens, MaxTokens)
	return n + f.counter.Count(longest.foot())
}

// cost is what the framing of an entry costs.
func (f *framer) cost(e *ContextEntry) int {
	if f.framing == Bare {
		return 0
	}
	before, after := frameOf(e)
	n, ok := f.heads[before+after]
	if !ok {
		n = f.counter.Count(before) + f.counter.Count(after)
		f.heads[before+after] = n
	}
	return n
}
