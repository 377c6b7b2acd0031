package extract

import (
	"bytes"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxBroken caps how many damaged pieces of one file are read on their own.
const maxBroken = 24

// walk parses the builder's source and lets the language walk it. It returns
// the tree of the whole text, which the words are counted from.
//
// An error node can swallow any number of definitions after it. So where the
// tree is damaged, the text is cut into pieces at the lines where the language
// says that a definition can start; pieces that do not parse on their own are
// blanked out of the text, so that the rest parses as if they were not there,
// and each is then read alone for what it still holds. Blanking keeps every
// offset. A damaged piece is at most one definition long.
func walk(b *lang.Builder, g *syntax.Grammar, l *lang.Language) (*syntax.Tree, error) {
	whole, err := syntax.Parse(g, b.Source)
	if err != nil {
		return nil, err
	}
	b.Tree = whole
	if !whole.Root().HasError() {
		l.Extract(b)
		return whole, nil
	}
	damaged := damage(whole)
	for _, s := range damaged {
		b.Damage(s)
	}
	broken := brokenPieces(g, l, b.Source, whole)
	if len(broken) == 0 || len(broken) > maxBroken {
		l.Extract(b)
		return whole, nil
	}
	clean := bytes.Clone(b.Source)
	for _, s := range broken {
		blank(clean[s.Start:s.End])
	}
	rest, err := syntax.Parse(g, clean)
	if err != nil {
		l.Extract(b)
		return whole, nil
	}
	b.Tree = rest
	l.Extract(b)
	for _, s := range broken {
		alone := bytes.Clone(b.Source)
		blank(alone[:s.Start])
		blank(alone[s.End:])
		if t, err := syntax.Parse(g, alone); err == nil {
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

// brokenPieces cuts the text where definitions can start and returns the
// pieces that lie in a damaged part of the tree and do not parse on their own.
func brokenPieces(g *syntax.Grammar, l *lang.Language, source []byte, whole *syntax.Tree) []facts.Span {
	if l.Resync == nil {
		return nil
	}
	var regions []facts.Span
	whole.Root().Children(func(n syntax.Node) bool {
		if n.HasError() || n.IsError() || n.IsMissing() {
			regions = append(regions, lang.SpanOf(n))
		}
		return true
	})
	if whole.Root().IsError() {
		regions = []facts.Span{{Start: 0, End: uint32(len(source))}}
	}
	var broken []facts.Span
	for _, piece := range pieces(l, source) {
		inside := false
		for _, r := range regions {
			if r.Start < piece.End && piece.Start <= r.End {
				inside = true
				break
			}
		}
		if !inside {
			continue
		}
		t, err := syntax.Parse(g, source[piece.Start:piece.End])
		if err != nil || t.Root().HasError() {
			broken = append(broken, piece)
		}
		if len(broken) > maxBroken {
			break
		}
	}
	return broken
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

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}
