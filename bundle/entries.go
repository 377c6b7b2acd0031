package bundle

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/project-map/project-map/bundle/pack"
	"github.com/project-map/project-map/mapgen/plaintext"
	"github.com/project-map/project-map/mapgen/tokens"
)

// class is the kind of an entry. Its layer says what leaves first when the
// budget is short; within a layer entries of a later class leave before those of
// an earlier one, and within a class the last first.
type class uint8

const (
	classIndex class = iota
	classIndexSummary
	classMap
	classFile
	classFileNote
	classSymbol
	classReason
	classExcerpt

	numClasses
)

// classes says what packs call the entries of a class, and their layer: what
// routes a reader is L1, maps are L2, and what only supports these is L3.
var classes = [numClasses]struct {
	name  pack.SourceType
	layer pack.ContextLayer
}{
	classIndex:        {"index", pack.L1},
	classIndexSummary: {"indexSummary", pack.L1},
	classMap:          {"map", pack.L2},
	classFile:         {"file", pack.L1},
	classFileNote:     {"fileNote", pack.L1},
	classSymbol:       {"symbol", pack.L1},
	classReason:       {"reason", pack.L3},
	classExcerpt:      {"excerpt", pack.L3},
}

// entry is one piece of text that is kept or left out as a whole.
type entry struct {
	class class
	// item is the number of what it speaks of: of a file in the list of files,
	// and so on. Reasons of an index have the numbers after those of the files.
	item int
	text string
	cost int // tokens
	// fixed entries are never left out.
	fixed bool
}

const (
	summaryRunes   = 100
	noteRunes      = 80
	signatureRunes = 120
	detailRunes    = 60
	maxReasons     = 5
)

// entriesOf makes the entries of everything selected. Within a class they stand
// best first, which is not always the order in which they are shown.
func entriesOf(s *selection) []entry {
	var out []entry
	add := func(c class, item int, text string) *entry {
		if text == "" {
			return nil
		}
		// A line break is paid for by the entry that starts the line.
		cost := estimate(text)
		out = append(out, entry{class: c, item: item, text: text, cost: cost})
		return &out[len(out)-1]
	}
	line := func(c class, item int, text string) *entry {
		e := add(c, item, text)
		e.cost += estimate("\n")
		return e
	}
	for _, i := range byImportance(s.indexes) {
		p := &s.indexes[i]
		line(classIndex, i, "- "+name(p.path))
		if t := prose(p.summary, summaryRunes); t != "" {
			add(classIndexSummary, i, " — "+t)
		}
		if s.explain {
			if t := pageReason(p); t != "" {
				line(classReason, len(s.files)+i, t)
			}
		}
	}
	for i := range s.maps {
		line(classMap, i, "- "+name(s.maps[i].path)+usersOf(&s.maps[i]))
	}
	for i := range s.files {
		f := &s.files[i]
		e := line(classFile, i, "- "+at(f.path, f.line)+stateMark(f.state))
		e.fixed = i == 0
		if t := fileNote(f); t != "" {
			add(classFileNote, i, " — "+t)
		}
		if s.explain {
			if t := fileReasons(f); t != "" {
				line(classReason, i, t)
			}
		}
	}
	for i := range s.symbols {
		e := line(classSymbol, i, symbolLine(&s.symbols[i]))
		if i == 0 {
			e.cost += estimate(heading("relevant symbols"))
		}
	}
	for i := range s.excerpts {
		e := add(classExcerpt, i, s.excerpts[i].markdown())
		if i == 0 {
			e.cost += estimate(heading("excerpts"))
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return cmp.Compare(a.class, b.class) })
	return out
}

// byImportance numbers pages best first.
func byImportance(pages []page) []int {
	out := make([]int, len(pages))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(pages[a].rank, pages[b].rank) })
	return out
}

// plan says which entries are kept.
type plan struct {
	kept    [numClasses]map[int]string // text of each item
	dropped [numClasses]int
	// over is set when what is never left out alone exceeds the budget.
	over bool
	// note is set when it is said what was left out.
	note bool
}

func (p *plan) has(c class, item int) bool {
	_, ok := p.kept[c][item]
	return ok
}

func (p *plan) anyDropped() bool {
	for _, n := range p.dropped {
		if n > 0 {
			return true
		}
	}
	return false
}

// builder assembles bundles. All entries bring their cost, so it counts none.
var builder = pack.NewBuilder(tokens.Estimator{}, 0)

// plan decides what the page holds within a budget, by building a pack.
func (p *pageText) plan(entries []entry, budget int) *plan {
	x := buildPack(p.live(""), entries, budget)
	note := false
	if len(x.CompressionMetadata.Removed) > 0 {
		// Something is missing, and that has to be said.
		live := p.live(droppedLine(entries))
		if need := sumOf(live) + fixedCost(entries); need <= budget {
			note = true
			x = buildPack(live, entries, budget)
		} else if x.OverBudget == "" {
			x = buildPack(p.live(""), entries, sumOf(p.live(""))+fixedCost(entries))
		}
	}
	out := &plan{over: x.OverBudget != "", note: note}
	for i := range out.kept {
		out.kept[i] = map[int]string{}
	}
	keptIDs := map[pack.ContextEntryID]bool{}
	for _, layer := range x.Layers {
		for i := range layer {
			keptIDs[layer[i].ID] = true
		}
	}
	for i := range entries {
		e := &entries[i]
		if keptIDs[e.id()] {
			out.kept[e.class][e.item] = e.text
		} else {
			out.dropped[e.class]++
		}
	}
	return out
}

// buildPack packs what is never left out and the entries. These stand in the
// order of their importance; for a pack the last is the one that leaves last.
func buildPack(live []pack.ContextEntry, entries []entry, budget int) *pack.ContextPack {
	all := make([]pack.ContextEntry, 0, len(live)+len(entries))
	for i := len(entries) - 1; i >= 0; i-- {
		e := &entries[i]
		layer := classes[e.class].layer
		if e.fixed {
			layer = pack.L0
		}
		all = append(all, pack.ContextEntry{
			ID: e.id(), Layer: layer, Content: e.text, SourceType: classes[e.class].name, TokenEstimate: e.cost,
		})
	}
	p, _, err := builder.Build(pack.BuildRequest{SessionID: "context", StageID: "bundle", Budget: budget, Entries: append(all, live...)})
	if err != nil {
		// Only a programmer gets here: a budget below 0, or two entries with one id.
		panic(fmt.Sprintf("bundle: %v", err))
	}
	return p
}

func (e *entry) id() pack.ContextEntryID {
	return pack.ContextEntryID(string(classes[e.class].name) + " " + strconv.Itoa(e.item))
}

func fixedCost(entries []entry) int {
	n := 0
	for i := range entries {
		if entries[i].fixed {
			n += entries[i].cost
		}
	}
	return n
}

func sumOf(entries []pack.ContextEntry) int {
	n := 0
	for i := range entries {
		n += entries[i].TokenEstimate
	}
	return n
}

// droppedLine is the longest line that can be needed to say what was left out.
func droppedLine(entries []entry) string {
	var all plan
	for i := range entries {
		if !entries[i].fixed {
			all.dropped[entries[i].class]++
		}
	}
	return instruction("dropped", droppedWords(&all))
}

// droppedWords says what was left out, "3 files".
func droppedWords(p *plan) []string {
	var out []string
	for _, x := range []struct {
		class     class
		one, many string
	}{
		{classExcerpt, "excerpt", "excerpts"},
		{classReason, "explanation", "explanations"},
		{classSymbol, "symbol", "symbols"},
		{classFileNote, "file note", "file notes"},
		{classFile, "file", "files"},
		{classMap, "map", "maps"},
		{classIndexSummary, "index summary", "index summaries"},
		{classIndex, "index", "indexes"},
	} {
		if n := p.dropped[x.class]; n > 0 {
			out = append(out, counted(n, x.one, x.many))
		}
	}
	return out
}

func stateMark(s State) string {
	switch s {
	case Deleted:
		return " (deleted)"
	case Modified:
		return " (modified since indexed)"
	}
	return ""
}

// fileNote says in a few words what a file is, and which of its definitions fit
// the query: "go, test: Package p … (Run:12, run.retry:40)".
func fileNote(f *file) string {
	about := fileAbout(f)
	var names []string
	for i := range f.fitting {
		names = append(names, at(plaintext.Line(qualified(f.fitting[i].Name, f.fitting[i].Container), detailRunes), f.fitting[i].Line))
	}
	if len(names) > 0 {
		about = strings.TrimLeft(about+" ("+strings.Join(names, ", ")+")", " ")
	}
	return about
}

// fileAbout says what a file is: "go, test: Package p …".
func fileAbout(f *file) string {
	var words []string
	if f.about.Language != "" {
		words = append(words, plaintext.Word(f.about.Language))
	}
	words = append(words, f.about.Role.Names()...)
	if t := depthNote(&f.about); t != "" {
		words = append(words, prose(t, noteRunes))
	}
	head := strings.Join(words, ", ")
	summary := prose(f.about.Summary, noteRunes)
	switch {
	case summary == "":
		return head
	case head == "":
		return summary
	}
	return head + ": " + summary
}

func fileReasons(f *file) string {
	var parts []string
	for _, r := range f.reasons[:min(len(f.reasons), maxReasons)] {
		p := prose(r.Signal, detailRunes) + " " + percent(r.Share)
		if d := prose(r.Detail, detailRunes); d != "" {
			p += " (" + d + ")"
		}
		parts = append(parts, p)
	}
	if len(parts) == 0 {
		return ""
	}
	return "  - " + strings.Join(parts, ", ")
}

func pageReason(p *page) string {
	if p.score == 0 && len(p.from) == 0 {
		return ""
	}
	t := "  - directory " + percent(p.score) + " of the best"
	for i, f := range p.from[:min(len(p.from), 3)] {
		if i == 0 {
			t += ": "
		} else {
			t += ", "
		}
		t += name(f)
	}
	return t
}

// symbolLine shows a definition: name, kind, place, signature.
func symbolLine(s *symbol) string {
	t := "- " + name(qualified(s.Name, s.Container)) + " — " + s.Kind.String() + " at " + at(s.Path, lineOf(s)) + stateMark(s.state)
	if sig := plaintext.Line(s.Signature, signatureRunes); sig != "" && sig != s.Name {
		t += " — " + plaintext.Code(sig)
	}
	return t
}

// qualified is a name with that of what it stands in.
func qualified(name, container string) string {
	if container == "" || strings.HasPrefix(name, container+".") {
		return name
	}
	return container + "." + name
}

// lineOf is the line of a definition, 0 where it cannot be known any more.
func lineOf(s *symbol) uint32 {
	if s.state == Deleted {
		return 0
	}
	return s.Line
}

// usersOf names the directories that use the one a map describes, which its
// text leaves out.
func usersOf(p *page) string {
	const most = 4
	if len(p.usedBy) == 0 {
		return ""
	}
	names := make([]string, 0, most)
	for _, d := range p.usedBy[:min(len(p.usedBy), most)] {
		names = append(names, name(cmp.Or(d, ".")))
	}
	text := " — used by " + strings.Join(names, ", ")
	if len(p.usedBy) > most {
		text += ", …"
	}
	return text
}
