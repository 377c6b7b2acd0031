package extract

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/words"
	"github.com/project-map/project-map/indexer/syntax"
)

// counter counts the words of one file after the other. It remembers how an
// identifier splits, since the same ones come up in file after file.
type counter struct {
	split   map[string]splitRun
	ids     map[string]uint32
	names   []string
	counts  [][facts.NumFields]uint16
	touched []uint32

	lengths [facts.NumFields]uint32
	defs    []facts.Span // spans of definition names, sorted, not yet passed
	docs    []facts.Span // spans of documentation, sorted, not yet passed
}

type splitRun struct {
	ids   []uint32
	whole bool // the last id is the compound form
}

// maxRemembered bounds the memory of a counter, in distinct identifiers.
const maxRemembered = 100_000

func newCounter() *counter {
	return &counter{split: map[string]splitRun{}, ids: map[string]uint32{}}
}

func (c *counter) begin(f *facts.File, docs []facts.Span) {
	if len(c.split) > maxRemembered {
		*c = *newCounter()
	}
	c.lengths = [facts.NumFields]uint32{}
	c.rewind(f, docs)
}

// rewind starts over at the beginning of the same file.
func (c *counter) rewind(f *facts.File, docs []facts.Span) {
	c.docs = docs
	c.defs = make([]facts.Span, 0, len(f.Symbols))
	for i := range f.Symbols {
		c.defs = append(c.defs, f.Symbols[i].NameSpan)
	}
	// Names of nested definitions can precede those of the enclosing one.
	sortSpans(c.defs)
}

func (c *counter) finish(f *facts.File) {
	f.FieldLengths = c.lengths
	f.Terms = make([]facts.Term, len(c.touched))
	for i, id := range c.touched {
		f.Terms[i] = facts.Term{Text: c.names[id], Counts: c.counts[id]}
		c.counts[id] = [facts.NumFields]uint16{}
	}
	c.touched = c.touched[:0]
}

func (c *counter) tree(t *syntax.Tree, sets *leafSets) {
	prevEnd, importsEnd := uint32(0), 0
	for i := 0; i < t.Len(); {
		n := t.At(i)
		field := facts.FieldBody
		if i < importsEnd {
			field = facts.FieldImports
		}
		take := true
		switch {
		case sets.comments.Has(n):
			field = facts.FieldDoc
		case sets.strings.Has(n):
			if field != facts.FieldImports {
				field = facts.FieldStrings
			}
		case sets.imports.Has(n) && !n.IsLeaf():
			// Its keywords say nothing, so its leaves are taken one by one.
			importsEnd = max(importsEnd, n.SubtreeEnd())
			take = false
		default:
			take = n.IsLeaf() && (n.IsNamed() || n.IsError())
		}
		if !take {
			// An error node holds skipped text between its children.
			if n.IsError() {
				c.gaps(t, n)
			}
			i++
			continue
		}
		if n.Start() >= prevEnd {
			c.text(n.Start(), n.Bytes(), field)
			prevEnd = n.End()
		}
		i = n.SubtreeEnd()
	}
}

func (c *counter) gaps(t *syntax.Tree, n syntax.Node) {
	at := n.Start()
	n.Children(func(child syntax.Node) bool {
		if child.Start() > at {
			c.text(at, t.Source[at:child.Start()], facts.FieldBody)
		}
		at = max(at, child.End())
		return true
	})
	if at < n.End() {
		c.text(at, t.Source[at:n.End()], facts.FieldBody)
	}
}

// text counts the words of a piece of the file that starts at an offset.
func (c *counter) text(offset uint32, text []byte, field facts.Field) {
	s := unsafe.String(unsafe.SliceData(text), len(text))
	words.Scan(s, func(start int, run string) bool {
		at := offset + uint32(start)
		for len(c.defs) > 0 && c.defs[0].End <= at {
			c.defs = c.defs[1:]
		}
		for len(c.docs) > 0 && c.docs[0].End <= at {
			c.docs = c.docs[1:]
		}
		f := field
		switch {
		case len(c.defs) > 0 && c.defs[0].Start <= at:
			f = facts.FieldDefs
		case len(c.docs) > 0 && c.docs[0].Start <= at:
			f = facts.FieldDoc
		}
		c.add(run, f)
		return true
	})
}

func (c *counter) add(run string, field facts.Field) {
	if len(run) > words.MaxLength {
		return
	}
	s, known := c.split[run]
	if !known {
		parts, whole := words.Split(run)
		for _, p := range parts {
			s.ids = append(s.ids, c.id(p))
		}
		if whole != "" {
			s.ids = append(s.ids, c.id(whole))
			s.whole = true
		}
		// The run shares the memory of the source; the map must not.
		c.split[string([]byte(run))] = s
	}
	for _, id := range s.ids {
		n := &c.counts[id]
		if *n == ([facts.NumFields]uint16{}) {
			c.touched = append(c.touched, id)
		}
		if n[field] < 1<<16-1 {
			n[field]++
		}
	}
	words := len(s.ids)
	if s.whole {
		words--
	}
	c.lengths[field] += uint32(words)
}

func (c *counter) id(term string) uint32 {
	id, ok := c.ids[term]
	if !ok {
		id = uint32(len(c.names))
		term = string([]byte(term))
		c.ids[term] = id
		c.names = append(c.names, term)
		c.counts = append(c.counts, [facts.NumFields]uint16{})
	}
	return id
}

func sortSpans(s []facts.Span) {
	slices.SortFunc(s, func(x, y facts.Span) int {
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
}
