package artifact

import (
	"slices"
	"sort"
	"strings"

	"github.com/project-map/project-map/mapgen/plaintext"
)

// Default sizes in tokens. An index is read for orientation in every task, a
// map only where the task is.
const (
	DefaultIndexAim = 400
	DefaultIndexCap = 800
	DefaultMapCap   = 4000
)

// Limits bounds the size of rendered pages, in tokens. The zero value means the
// defaults.
type Limits struct {
	// Estimate counts the tokens of a text. Nil means a third of the bytes,
	// which errs on the high side for source text.
	Estimate func(string) int
	// IndexAim is what an index is shortened to as long as only notes and less
	// important files have to go. IndexCap and MapCap are not exceeded.
	IndexAim int
	IndexCap int
	MapCap   int
}

func (l Limits) withDefaults() Limits {
	if l.Estimate == nil {
		l.Estimate = func(s string) int { return (len(s) + 2) / 3 }
	}
	if l.IndexCap <= 0 {
		l.IndexCap = DefaultIndexCap
	}
	if l.IndexAim <= 0 {
		l.IndexAim = DefaultIndexAim
	}
	l.IndexAim = min(l.IndexAim, l.IndexCap)
	if l.MapCap <= 0 {
		l.MapCap = DefaultMapCap
	}
	return l
}

// RenderIndex renders x within the limits. The bytes depend on x and the limits
// alone.
func RenderIndex(x *Index, l Limits) []byte {
	l = l.withDefaults()
	norm := x.Normalized()
	steps, soft := indexSteps()
	draw := func(x *Index, level int) string { return encodeIndex(cutIndex(x, apply(steps, level))) }
	nominal := nominalIndex(norm)
	size := func(level int) int { return l.Estimate(draw(nominal, level)) }
	aim := steady(l.IndexAim, size(0))
	level := lowest(0, soft, aim, size)
	if level == soft && size(soft) > aim {
		level = lowest(soft, len(steps), steady(l.IndexCap, size(soft)), size)
	}
	return fit(level, len(steps), l.IndexCap, l.Estimate, func(level int) string { return draw(norm, level) })
}

// RenderMap renders m within the limits. The bytes depend on m and the limits
// alone.
func RenderMap(m *Map, l Limits) []byte {
	l = l.withDefaults()
	norm := m.Normalized()
	steps := mapSteps()
	draw := func(m *Map, level int) string { return encodeMap(cutMap(m, apply(steps, level))) }
	return fit(0, len(steps), l.MapCap, l.Estimate, func(level int) string { return draw(norm, level) })
}

// A step takes one more thing away. Steps are whole rules ("documentation of
// members"), not single entries, and know nothing of the page's former state.
//
// How many steps an index needs is decided on its nominal form, in which what
// comes from other directories (the texts) has a fixed length. With real lengths, two branches that document two directories could
// both move their parent's index to another level, rewrite it, and conflict.
// Only a page that is much longer than its nominal form goes further, to stay
// under its cap.
// See [steady] and [mapSteps] for what keeps a page at its level.
type step[C any] func(*C)

func apply[C any](steps []step[C], level int) C {
	var c C
	for _, s := range steps[:level] {
		s(&c)
	}
	return c
}

// steady returns the size that an index of nominal size full may be shortened to,
// at most limit. It is the part of limit that leaves the page room to grow at its
// level until full reaches the next of the sizes limit, 1.25 limit, 1.25² limit
// and so on. While full grows between two of them, the size allowed grows with
// it, so an entry more moves the page to another level where it crosses one of
// them and seldom elsewhere.
func steady(limit, full int) int {
	edge := float64(limit)
	for edge < float64(full) {
		edge *= 1.25
	}
	if full <= limit {
		return limit
	}
	return int(float64(limit) * float64(full) / edge)
}

// lowest returns the lowest level from low on whose size is within limit, or
// high if none is.
func lowest(low, high, limit int, size func(level int) int) int {
	if size(low) <= limit {
		return low
	}
	return low + sort.Search(high-low, func(i int) bool { return size(low+i) <= limit })
}

// fit returns the page of the lowest level from low on that is within limit.
func fit(low, high, limit int, estimate func(string) int, draw func(level int) string) []byte {
	pages := make(map[int]string)
	level := lowest(low, high, limit, func(level int) int {
		pages[level] = draw(level)
		return estimate(pages[level])
	})
	if _, drawn := pages[level]; !drawn {
		pages[level] = draw(level)
	}
	return []byte(pages[level])
}

// nominalText stands for a text of at most limit runes. Three quarters of the
// limit is more than most texts have.
func nominalText(limit int) string { return strings.Repeat("word ", limit*3/20) + "w" }

// nominalIndex replaces every text of a normalized index, present or not.
func nominalIndex(x *Index) *Index {
	n := *x
	n.Summary = nominalText(summaryRunes)
	n.Children = slices.Clone(x.Children)
	for i := range n.Children {
		n.Children[i].Summary = nominalText(childRunes)
	}
	n.Files = slices.Clone(x.Files)
	for i := range n.Files {
		n.Files[i].Note = nominalText(noteRunes)
	}
	n.Workflows = slices.Clone(x.Workflows)
	for i := range n.Workflows {
		n.Workflows[i].Description = nominalText(childRunes)
	}
	return &n
}

// atMost is a limit on a length; the zero value is none.
type atMost struct {
	set bool
	n   int
}

func upTo(n int) atMost { return atMost{true, n} }

func (a atMost) cuts(length int) bool { return a.set && length > a.n }

func (a atMost) text(s string) string {
	switch {
	case !a.set:
		return s
	case a.n == 0:
		return ""
	}
	return plaintext.Line(s, a.n)
}

// textOr is text, and adds what to omitted if that drops s.
func (a atMost) textOr(s string, what Omission, omitted *[]Omission) string {
	if a.set && a.n == 0 && s != "" {
		*omitted = append(*omitted, what)
	}
	return a.text(s)
}

// keep returns the entries of list that stay, in their order: those of greater
// weight, then the earlier. It adds to omitted what went, without a number: that
// would change with every entry.
func keep[T any](a atMost, list []T, what string, weight func(T) int, omitted *[]Omission) []T {
	if !a.cuts(len(list)) {
		return slices.Clone(list)
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return weight(list[j]) - weight(list[i]) })
	order = order[:a.n]
	slices.Sort(order)
	out := make([]T, 0, a.n)
	for _, i := range order {
		out = append(out, list[i])
	}
	*omitted = append(*omitted, Omission("more "+what))
	return out
}

func unweighted[T any](T) int { return 0 }

// indexCuts is what a level takes from an index.
type indexCuts struct {
	note, child, summary, description atMost // runes
	files, children, hints, workflows atMost // entries
	targets, tags, omitted            atMost // entries
}

// indexSteps returns the steps in order; the first soft of them serve the aim,
// the others the cap alone.
func indexSteps() (steps []step[indexCuts], soft int) {
	softSteps := []step[indexCuts]{
		func(c *indexCuts) { c.note = upTo(48) },
		func(c *indexCuts) { c.files, c.workflows = upTo(40), upTo(16) },
		func(c *indexCuts) { c.child, c.description = upTo(80), upTo(60) },
		func(c *indexCuts) { c.files, c.targets = upTo(24), upTo(4) },
		func(c *indexCuts) { c.note, c.workflows = upTo(32), upTo(10) },
		func(c *indexCuts) { c.child, c.hints = upTo(60), upTo(10) },
		func(c *indexCuts) { c.files, c.description = upTo(16), upTo(40) },
	}
	// A child's line is what routes, so it goes after the notes of files.
	hardSteps := []step[indexCuts]{
		func(c *indexCuts) { c.files, c.note = upTo(12), upTo(24) },
		func(c *indexCuts) { c.workflows, c.targets = upTo(8), upTo(3) },
		func(c *indexCuts) { c.children, c.description = upTo(64), upTo(0) },
		func(c *indexCuts) { c.child, c.hints = upTo(48), upTo(8) },
		func(c *indexCuts) { c.files, c.workflows = upTo(8), upTo(6) },
		func(c *indexCuts) { c.note, c.targets = upTo(0), upTo(2) },
		func(c *indexCuts) { c.child, c.hints = upTo(40), upTo(6) },
		func(c *indexCuts) { c.children, c.workflows = upTo(40), upTo(4) },
		func(c *indexCuts) { c.child, c.tags = upTo(32), upTo(8) },
		func(c *indexCuts) { c.children, c.files = upTo(32), upTo(4) },
		func(c *indexCuts) { c.child = upTo(24) },
		func(c *indexCuts) { c.child = upTo(0) },
		func(c *indexCuts) { c.children = upTo(24) },
		func(c *indexCuts) { c.children, c.summary = upTo(16), upTo(80) },
		func(c *indexCuts) { c.hints, c.workflows, c.targets = upTo(3), upTo(3), upTo(1) },
		func(c *indexCuts) { c.children, c.files, c.omitted = upTo(8), upTo(0), upTo(6) },
		func(c *indexCuts) { c.children, c.hints, c.workflows = upTo(0), upTo(0), upTo(0) },
		func(c *indexCuts) { c.tags, c.summary, c.omitted = upTo(0), upTo(0), upTo(4) },
		func(c *indexCuts) { c.omitted = upTo(0) },
	}
	return append(softSteps, hardSteps...), len(softSteps)
}

// cutIndex returns what c leaves of a normalized index, normalized.
func cutIndex(x *Index, c indexCuts) *Index {
	var gone []Omission
	n := *x
	n.Summary = c.summary.text(x.Summary)
	n.Tags = keep(c.tags, x.Tags, "tags", unweighted, &gone)
	n.Children = keep(c.children, x.Children, "directories", func(d Child) int { return d.Weight }, &gone)
	for i := range n.Children {
		n.Children[i].Summary = c.child.textOr(n.Children[i].Summary, "summaries of directories", &gone)
	}
	n.Files = keep(c.files, x.Files, "files, see the map", func(f FileNote) int { return f.Weight }, &gone)
	for i := range n.Files {
		n.Files[i].Note = c.note.textOr(n.Files[i].Note, "notes of files", &gone)
	}
	n.Hints = keep(c.hints, x.Hints, "hints", func(h Hint) int { return h.Weight }, &gone)
	for i := range n.Hints {
		n.Hints[i].Targets = keep(c.targets, n.Hints[i].Targets, "targets", unweighted, &gone)
	}
	n.Workflows = keep(c.workflows, x.Workflows, "workflows", func(w Workflow) int { return w.Weight }, &gone)
	for i := range n.Workflows {
		w := &n.Workflows[i]
		w.Targets = keep(c.targets, w.Targets, "targets", unweighted, &gone)
		w.Description = c.description.textOr(w.Description, "descriptions of workflows", &gone)
	}
	n.Omitted = omissions(append(gone, x.Omitted...))
	if c.omitted.cuts(len(n.Omitted)) {
		n.Omitted = n.Omitted[:c.omitted.n]
	}
	// Entries that differed only in what is gone are one now.
	n.Hints = sorted(n.Hints, compareHints, func(a, b Hint) bool { return compareHints(a, b) == 0 })
	n.Workflows = sorted(n.Workflows, compareWorkflows, func(a, b Workflow) bool { return compareWorkflows(a, b) == 0 })
	return &n
}
