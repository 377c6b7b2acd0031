package syntax

import sitter "github.com/smacker/go-tree-sitter"

// Usage is what a parse took: bytes allocated and chunks read.
type Usage struct{ Allocated, Reads uint64 }

// ParseUnbounded parses without a budget.
func ParseUnbounded(g *Grammar, source []byte) (*Tree, Usage, error) {
	t, u, err := parseWithin(g, source, usage{1 << 62, 1 << 62})
	return t, Usage{u.allocated, u.reads}, err
}

// Budget is what a text of n bytes may take.
func Budget(n int) Usage { return Usage{budget(n).allocated, budget(n).reads} }

// Binding is the binding's own view of a grammar.
func Binding(g *Grammar) *sitter.Language { return sitter.NewLanguage(g.ptr) }

// ParseMeasured parses within the budget and says what it took.
func ParseMeasured(g *Grammar, source []byte) (*Tree, Usage, error) {
	t, u, err := parseWithin(g, source, budget(len(source)))
	return t, Usage{u.allocated, u.reads}, err
}
