// Package syntax parses source text into a flat syntax tree.
//
// It is the only package that calls tree-sitter. One call into C parses a text
// and copies the tree, in preorder, into an array of fixed-size nodes; the
// extractors then walk plain Go memory. Measured on Go sources that costs a
// tenth over parsing alone, where a walk node by node over the language border
// costs half as much again to twice as much. A newer binding can replace the
// one used here without a change elsewhere.
//
// Parsing is bounded by a budget of allocated bytes and of text read, not of
// time, so that the same text gives the same tree, or the same refusal, on
// every machine.
package syntax

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrBudget says that the parser gave a text up: it took more work than its size
// allows, or broke an assertion of the grammar.
var ErrBudget = errors.New("parser budget exceeded")

// Flags of a Node.
const (
	flagNamed   = 1 << 0
	flagError   = 1 << 1
	flagMissing = 1 << 2
	flagExtra   = 1 << 3
	flagHasErr  = 1 << 4
)

// node mirrors pm_node of parse.c, 20 bytes.
type node struct {
	start, end uint32 // bytes
	next       uint32 // index just past the subtree
	parent     uint32 // index of the parent; the root is its own
	kind       uint16
	field      uint8
	flags      uint8
}

// Tree is a parsed text. Node 0 is the root.
type Tree struct {
	Source  []byte
	nodes   []node
	grammar *Grammar
}

// Node is a position in a Tree. The zero Node is no node; use IsZero.
type Node struct {
	t *Tree
	i uint32
}

// Root is the node of the whole text.
func (t *Tree) Root() Node {
	if len(t.nodes) == 0 {
		return Node{}
	}
	return Node{t, 0}
}

// Len is the number of nodes. At gives the node at an index in preorder, from 0
// to Len()-1.
func (t *Tree) Len() int      { return len(t.nodes) }
func (t *Tree) At(i int) Node { return Node{t, uint32(i)} }

// IsZero tells whether it is no node. All methods of the zero Node answer as an
// empty leaf without a kind would, so a chain of Child calls needs no checks
// between.
func (n Node) IsZero() bool { return n.t == nil }

// absent stands in for the zero Node.
var absent = node{next: 1, kind: noKind}

// noKind is the kind of no node; no grammar has that many.
const noKind = math.MaxUint16 - 1

func (n Node) raw() *node {
	if n.t == nil {
		return &absent
	}
	return &n.t.nodes[n.i]
}

// Start and End are byte offsets into the source, 0 for no node. Index is the
// position in preorder; SubtreeEnd is the index just past the last descendant.
func (n Node) Start() uint32   { return n.raw().start }
func (n Node) End() uint32     { return n.raw().end }
func (n Node) Index() int      { return int(n.i) }
func (n Node) SubtreeEnd() int { return int(n.raw().next) }

// IsNamed is false for tokens that stand in the grammar as themselves. IsError
// marks text that the grammar could not read, IsMissing a token that it
// supplied, IsExtra what may stand anywhere (comments), HasError a node with
// any damage inside.
func (n Node) IsNamed() bool   { return n.raw().flags&flagNamed != 0 }
func (n Node) IsError() bool   { return n.raw().flags&flagError != 0 }
func (n Node) IsMissing() bool { return n.raw().flags&flagMissing != 0 }
func (n Node) IsExtra() bool   { return n.raw().flags&flagExtra != 0 }
func (n Node) HasError() bool  { return n.raw().flags&flagHasErr != 0 }

// IsLeaf tells whether the node has no children; it is true of no node.
func (n Node) IsLeaf() bool { return n.raw().next == n.i+1 }

// KindID is the number of the kind in the grammar.
func (n Node) KindID() uint16 { return n.raw().kind }

// Kind is the grammar's name of the node; "ERROR" for damage, "" for no node.
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	return n.t.grammar.kindName(n.t.nodes[n.i].kind)
}

// Is tells whether the node is of one of the kinds.
func (n Node) Is(kinds ...string) bool {
	k := n.Kind()
	for _, x := range kinds {
		if k == x {
			return true
		}
	}
	return false
}

// FieldName is the field under which the parent holds the node, or "".
func (n Node) FieldName() string {
	if n.t == nil {
		return ""
	}
	return n.t.grammar.fieldName(n.t.nodes[n.i].field)
}

// Bytes is the source text of the node; it shares the tree's memory.
func (n Node) Bytes() []byte {
	if n.t == nil {
		return nil
	}
	return n.t.Source[n.Start():n.End()]
}

// Text is the source text of the node.
func (n Node) Text() string { return string(n.Bytes()) }

// Parent is the zero node for the root.
func (n Node) Parent() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	return Node{n.t, n.t.nodes[n.i].parent}
}

// FirstChild and NextSibling walk all children, tokens included.
func (n Node) FirstChild() Node {
	if n.t == nil || n.IsLeaf() {
		return Node{}
	}
	return Node{n.t, n.i + 1}
}

func (n Node) NextSibling() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	next := n.t.nodes[n.i].next
	if next < n.t.nodes[n.t.nodes[n.i].parent].next {
		return Node{n.t, next}
	}
	return Node{}
}

// PrevSibling is linear in the number of earlier siblings.
func (n Node) PrevSibling() Node {
	var prev Node
	for c := n.Parent().FirstChild(); !c.IsZero() && c.i < n.i; c = c.NextSibling() {
		prev = c
	}
	return prev
}

// Child is the first child under a field, or the zero node.
func (n Node) Child(field string) Node {
	if n.t == nil {
		return Node{}
	}
	id, ok := n.t.grammar.fieldID(field)
	if !ok {
		return Node{}
	}
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if n.t.nodes[c.i].field == id {
			return c
		}
	}
	return Node{}
}

// ChildOfKind is the first child of one of the kinds, or the zero node.
func (n Node) ChildOfKind(kinds ...string) Node {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.Is(kinds...) {
			return c
		}
	}
	return Node{}
}

// Children calls yield for every child, tokens included.
func (n Node) Children(yield func(Node) bool) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if !yield(c) {
			return
		}
	}
}

// NamedChildren calls yield for every named child, comments included.
func (n Node) NamedChildren(yield func(Node) bool) {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if c.IsNamed() && !yield(c) {
			return
		}
	}
}

// HasToken tells whether an anonymous child is the given token.
func (n Node) HasToken(token string) bool {
	for c := n.FirstChild(); !c.IsZero(); c = c.NextSibling() {
		if !c.IsNamed() && c.Kind() == token {
			return true
		}
	}
	return false
}

// String is the S-expression of the named nodes, for tests and messages.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	if n.IsZero() {
		b.WriteString("()")
		return
	}
	if f := n.FieldName(); f != "" {
		fmt.Fprintf(b, "%s: ", f)
	}
	b.WriteString("(" + n.Kind())
	n.NamedChildren(func(c Node) bool {
		b.WriteByte(' ')
		c.write(b)
		return true
	})
	b.WriteByte(')')
}
