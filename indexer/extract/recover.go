package extract

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// Bounds of the work on one damaged file. Beyond them the tree of the whole
// text has to do, as damaged as it is.
const (
	// maxBroken caps the broken pieces that are cut out and read alone.
	maxBroken = 200
	// maxJoined caps the pieces that are tried as one definition.
	maxJoined = 12
	// maxReparsed caps the text that is parsed to find the broken pieces, as a
	// multiple of the file.
	maxReparsed = 8
)

// walk parses the builder's source and lets the language walk it. It returns
// the tree of the whole text, which the words are counted from.
//
// An error node can swallow any number of definitions after it. So where the
// tree is damaged, the text is cut into pieces at the lines where the language
// says that a definition can start; pieces that do not parse on their own are
// blanked out of the text, so that the rest parses as if they were not there,
// and each is then read alone for what it still holds. Blanking keeps every
// offset. A damaged piece is at most one definition long.
func walk(b *lang.Builder, g *syntax.Grammar, l *lang.Language, leaves *leafSets) (*syntax.Tree, error) {
	whole, err := syntax.Parse(g, b.Source)
	if err != nil {
		return nil, err
	}
	b.Tree = whole
	if !whole.Root().HasError() {
		l.Extract(b)
		return whole, nil
	}
	readable := b.Source
	if l.Rewrite != nil {
		if text := l.Rewrite(b.Source); len(text) == len(b.Source) {
			if t, err := syntax.Parse(g, text); err == nil && len(damage(t)) < len(damage(whole)) {
				t.Source = b.Source
				readable, whole, b.Tree = text, t, t
			}
		}
		if !whole.Root().HasError() {
			l.Extract(b)
			return whole, nil
		}
	}
	for _, s := range damage(whole) {
		b.Damage(s)
	}
	r := &recovery{grammar: g, language: l, source: readable, left: maxReparsed*len(b.Source) + 1<<16}
	broken := r.broken(whole, leaves)
	if len(broken) == 0 {
		l.Extract(b)
		return whole, nil
	}
	cut := make([]facts.Span, len(broken))
	for i := range broken {
		cut[i] = broken[i].cut
	}
	rest, err := syntax.Parse(g, without(readable, cut))
	if err != nil {
		l.Extract(b)
		return whole, nil
	}
	rest.Source = without(b.Source, cut)
	b.Tree = rest
	l.Extract(b)
	for i := range broken {
		s := broken[i].piece
		if t, err := syntax.ParsePart(g, readable, s.Start, s.End); err == nil {
			alone := bytes.Clone(b.Source)
			blank(alone[:s.Start])
			blank(alone[s.End:])
			t.Source = alone
			b.Tree = t
			l.Extract(b)
		}
	}
	return whole, nil
}

// damage lists the outermost error nodes and missing tokens of a tree.
func damage(t *syntax.Tree) []facts.Span {
	var out []facts.Span
	for i := 0; i < t.Len(); {
		n := t.At(i)
		if n.IsError() || n.IsMissing() {
			out = append(out, lang.SpanOf(n))
			i = n.SubtreeEnd()
			continue
		}
		if !n.HasError() {
			i = n.SubtreeEnd()
			continue
		}
		i++
	}
	return out
}

// wound is a broken piece and what of it has to go so that the rest parses: the
// whole of it, or a member or statement.
type wound struct{ piece, cut facts.Span }

// recovery finds the broken pieces of one text.
type recovery struct {
	grammar  *syntax.Grammar
	language *lang.Language
	source   []byte
	left     int // bytes that may still be parsed
}

// parses tells whether a text has no damage. Over the bound nothing has.
func (r *recovery) parses(text []byte) bool {
	r.left -= len(text)
	if r.left < 0 {
		return false
	}
	t, err := syntax.Parse(r.grammar, text)
	return err == nil && !t.Root().HasError()
}

// broken cuts the text where definitions can start and returns the pieces that
// lie in a damaged part of the tree and parse neither on their own nor together
// with what follows.
func (r *recovery) broken(whole *syntax.Tree, leaves *leafSets) []wound {
	if r.language.Resync == nil {
		return nil
	}
	all := r.outsideLiterals(whole, leaves, pieces(r.language, r.source))
	// A definition can be longer than a piece: a class whose first method
	// starts the next one, a string that holds what looks like a definition.
	ok := make([]bool, len(all))
	damaged := r.inDamage(whole, all)
	for i := 0; i < len(all); {
		if !damaged[i] {
			ok[i] = true
			i++
			continue
		}
		n := 1
		for n <= maxJoined && i+n <= len(all) && !r.parses(r.source[all[i].Start:all[i+n-1].End]) {
			n++
		}
		if n > maxJoined || i+n > len(all) {
			i++
			continue
		}
		for ; n > 0; n-- {
			ok[i] = true
			i++
		}
	}
	// What seems broken only because the piece below it is: parse it with the
	// next whole one, as if the broken ones between were not there.
	for i := len(all) - 1; i >= 0; i-- {
		if ok[i] {
			continue
		}
		next := i + 1
		for next < len(all) && !ok[next] {
			next++
		}
		if next == i+1 || next == len(all) || next-i > maxJoined {
			continue
		}
		ok[i] = r.parses(without(r.source[all[i].Start:all[next].End],
			[]facts.Span{{Start: all[i].End - all[i].Start, End: all[next].Start - all[i].Start}}))
	}
	var broken []wound
	for i, piece := range all {
		if !ok[i] && len(broken) < maxBroken {
			broken = append(broken, wound{piece, r.narrowed(piece)})
		}
	}
	return broken
}

// narrowed looks for the one group of lines that breaks a piece: a line at the
// first indentation inside it with those below that are indented deeper or
// close it. Without such a group it gives the piece.
func (r *recovery) narrowed(piece facts.Span) facts.Span {
	text := r.source[piece.Start:piece.End]
	outer, inner := -1, -1
	var groups []facts.Span
	offset := uint32(0)
	for line := range bytes.Lines(text) {
		start := offset
		offset += uint32(len(line))
		body := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(body)) == 0 || isLead(body) {
			continue
		}
		indent := len(line) - len(body)
		closes := bytes.IndexByte([]byte("})]"), body[0]) >= 0
		switch {
		case outer < 0:
			outer = indent
		case indent <= outer:
		case inner < 0 || indent == inner && !closes:
			inner = indent
			groups = append(groups, facts.Span{Start: start, End: offset})
		default:
			groups[len(groups)-1].End = offset
		}
	}
	if len(groups) < 2 {
		return piece
	}
	for _, g := range groups {
		if r.left < len(text) {
			break
		}
		if r.parses(without(text, []facts.Span{g})) {
			return facts.Span{Start: piece.Start + g.Start, End: piece.Start + g.End}
		}
	}
	return piece
}

// inDamage tells which pieces touch a child of the root that holds damage.
func (r *recovery) inDamage(whole *syntax.Tree, all []facts.Span) []bool {
	var regions []facts.Span
	root := whole.Root()
	root.Children(func(n syntax.Node) bool {
		if n.HasError() || n.IsError() || n.IsMissing() {
			regions = append(regions, lang.SpanOf(n))
		}
		return true
	})
	if root.IsError() {
		regions = []facts.Span{{Start: 0, End: uint32(len(r.source))}}
	}
	out := make([]bool, len(all))
	for i, piece := range all {
		for len(regions) > 0 && regions[0].End < piece.Start {
			regions = regions[1:]
		}
		out[i] = len(regions) > 0 && regions[0].Start < piece.End
	}
	return out
}

// outsideLiterals joins pieces that were cut inside a string or a comment of
// several lines. The tree of a damaged text can have them inside out, after a
// quote that is missing. A cut is believed where the text from the last cut
// inside to the first one outside parses: it would hold the closing quote
// without the opening one if the literal were one.
func (r *recovery) outsideLiterals(whole *syntax.Tree, leaves *leafSets, all []facts.Span) []facts.Span {
	out := all[:0:0]
	i := 0
	for k := 0; k < whole.Len(); {
		n := whole.At(k)
		if !leaves.strings.Has(n) && !leaves.comments.Has(n) {
			k++
			continue
		}
		k = n.SubtreeEnd()
		for i < len(all) && all[i].Start <= n.Start() {
			out = append(out, all[i])
			i++
		}
		last := i
		for last < len(all) && all[last].Start < n.End() {
			last++
		}
		if last == i || len(out) == 0 {
			continue
		}
		if end := all[last-1].End; r.parses(r.source[all[last-1].Start:end]) {
			continue
		}
		out[len(out)-1].End = all[last-1].End
		i = last
	}
	return append(out, all[i:]...)
}

// pieces cuts a text before every line at which a definition can start, with
// the comment and decorator lines right above it. What stands before the first
// is a piece too.
func pieces(l *lang.Language, source []byte) []facts.Span {
	var out []facts.Span
	start, lead := uint32(0), int64(-1)
	offset := uint32(0)
	for line := range bytes.Lines(source) {
		trimmed := bytes.TrimSpace(line)
		switch {
		case l.Resync(line):
			at := offset
			if lead >= 0 {
				at = uint32(lead)
			}
			if at > start {
				out = append(out, facts.Span{Start: start, End: at})
				start = at
			}
			lead = -1
		case isLead(trimmed):
			if lead < 0 {
				lead = int64(offset)
			}
		default:
			lead = -1
		}
		offset += uint32(len(line))
	}
	return append(out, facts.Span{Start: start, End: uint32(len(source))})
}

func isLead(line []byte) bool {
	for _, p := range []string{"//", "#", "/*", "*", "@", "--"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

// without is a copy of a text with some spans blanked out.
func without(text []byte, spans []facts.Span) []byte {
	out := bytes.Clone(text)
	for _, s := range spans {
		blank(out[s.Start:s.End])
	}
	return out
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
