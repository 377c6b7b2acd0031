package lang

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/syntax"
)

// Comments follows the comments among the children of a node, so that a
// definition finds the block that stands right above it.
type Comments struct {
	b     *Builder
	spans []facts.Span
	last  uint32 // line on which the block ends
}

// CommentsOf starts with no block.
func CommentsOf(b *Builder) *Comments { return &Comments{b: b} }

// Add takes the next comment. A comment that stands behind code on a line
// starts no block of what follows; behind is the line on which the code before
// it ends, 0 where there is none.
func (c *Comments) Add(n syntax.Node, behind uint32) {
	line := c.b.Line(n.Start())
	if line == behind {
		c.spans = nil
		return
	}
	if len(c.spans) > 0 && line > c.last+1 {
		c.spans = nil
	}
	c.spans = append(c.spans, SpanOf(n))
	c.last = c.b.Line(max(n.Start(), n.End()-1))
}

// Above returns the text of the block that ends on the line above the offset,
// without comment marks, and forgets it. A blank line between makes it "".
func (c *Comments) Above(offset uint32) string {
	spans := c.spans
	c.spans = nil
	if len(spans) == 0 || c.b.Line(offset) > c.last+1 {
		return ""
	}
	return c.text(spans)
}

// Pending returns the text of the block seen last, wherever it stands, and
// forgets it.
func (c *Comments) Pending() string {
	spans := c.spans
	c.spans = nil
	return c.text(spans)
}

func (c *Comments) text(spans []facts.Span) string {
	var parts []string
	for _, s := range spans {
		parts = append(parts, CleanComment(string(c.b.Source[s.Start:s.End])))
	}
	return strings.Join(parts, "\n")
}
