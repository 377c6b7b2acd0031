package extract

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// part is the code of one language inside a text, laid out as a text of the
// same length that is blank everywhere else, so that offsets stay.
type part struct {
	language *lang.Language // nil where no row reads it
	body     bool
	pieces   []lang.Piece
	text     []byte
	tree     *syntax.Tree // nil for a language without a grammar, or refused
}

// maxParts bounds the copies of a text that its parts cost.
const maxParts = 64

// parts asks a row for the code of other languages in a text. What does not
// obey the rules of lang.Piece is dropped. The spans are those of all pieces,
// sorted.
func (x *Extractor) parts(text []byte, l *lang.Language, ext string) (parts []part, spans []facts.Span) {
	if l.Parts == nil {
		return nil, nil
	}
	for _, found := range l.Parts(text, ext) {
		p := part{language: x.table.ByName(found.Language), body: found.Body}
		end := uint32(0)
		for _, piece := range found.Pieces {
			if piece.Start < end || int(piece.Start)+len(piece.Text) > len(text) {
				continue
			}
			end = piece.Start + uint32(len(piece.Text))
			p.pieces = append(p.pieces, piece)
			spans = append(spans, facts.Span{Start: piece.Start, End: end})
		}
		if found.Language != "" && len(p.pieces) > 0 && len(parts) < maxParts {
			parts = append(parts, p)
		}
	}
	sortSpans(spans)
	return parts, spans
}

// readable is how many bytes of a text are read as code: not what a row knows to
// be nobody's, such as the pictures in a notebook.
func (x *Extractor) readable(text []byte, l *lang.Language, ext string) int64 {
	n := int64(len(text))
	if l.Parts == nil {
		return n
	}
	for _, p := range l.Parts(text, ext) {
		if p.Language != "" {
			continue
		}
		for _, piece := range p.Pieces {
			n -= int64(len(piece.Text))
		}
	}
	return n
}

// extractParts lets the rows of the parts tell the builder what they find. The
// builder keeps the line numbers of the whole text.
func (x *Extractor) extractParts(b *lang.Builder, parts []part) {
	whole, tree := b.Source, b.Tree
	for i := range parts {
		p := &parts[i]
		if p.language == nil {
			continue
		}
		p.text = make([]byte, len(whole))
		copy(p.text, whole)
		blank(p.text)
		for _, piece := range p.pieces {
			copy(p.text[piece.Start:], piece.Text)
		}
		b.Source, b.Tree = p.text, nil
		if p.body {
			b.Body(facts.Span{Start: 0, End: uint32(len(whole))}, func() { x.extractPart(b, p) })
		} else {
			x.extractPart(b, p)
		}
	}
	b.Source, b.Tree = whole, tree
}

func (x *Extractor) extractPart(b *lang.Builder, p *part) {
	g := x.table.GrammarOf(p.language)
	if g == nil {
		p.language.Extract(b)
		return
	}
	var err error
	if p.tree, err = walk(b, g, p.language, x.leaves(p.language)); err != nil {
		for _, piece := range p.pieces {
			b.Damage(facts.Span{Start: piece.Start, End: piece.Start + uint32(len(piece.Text))})
		}
	}
}

// countParts counts the words of the parts. Words of a document are
// documentation.
func (x *Extractor) countParts(f *facts.File, docs []facts.Span, parts []part) {
	for i := range parts {
		p := &parts[i]
		x.words.rewind(f, docs)
		if p.tree != nil {
			x.words.tree(p.tree, x.leaves(p.language))
			continue
		}
		for _, piece := range p.pieces {
			x.words.text(piece.Start, piece.Text, fieldOf(p.language))
		}
	}
}

// fieldOf is the field of the words of a text that is read without a tree.
func fieldOf(l *lang.Language) facts.Field {
	if l != nil && l.Prose {
		return facts.FieldDoc
	}
	return facts.FieldBody
}
