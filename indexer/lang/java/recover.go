package java

import (
	"cmp"
	"slices"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// lost is what the walk of a damaged tree keeps to find out which type a member
// belongs to, and which definitions the tree holds at the wrong place or not at
// all. It is told by an outline of the text that is read without the grammar,
// by braces and indentation.
type lost struct {
	active  bool
	items   []item
	symbols map[uint32]int32 // start of a name: the symbol found there
	known   map[uint32]bool  // starts of names of the types in the tree
	// deferred are members that stand at the wrong place in the tree. They are
	// walked when the walk of the rest is over.
	deferred []syntax.Node
}

// found notes that the tree gave a symbol for a name. A method without its
// closing brace reaches far in the tree, and a field may start with the head of
// a type that lacks its opening one; the outline knows better.
func (w *walker) found(n, name syntax.Node, symbol int32) {
	if !w.lost.active || symbol < 0 {
		return
	}
	w.lost.symbols[name.Start()] = symbol
	if at, ok := w.lost.itemAt(name.Start()); ok && n.HasError() {
		s, it := w.b.At(symbol), &w.lost.items[at]
		if it.end < s.Span.End && it.end >= s.NameSpan.End {
			s.Span.End, s.EndLine = it.end, w.b.Line(it.end-1)
		}
		if it.head > s.Span.Start && it.head <= s.NameSpan.Start {
			s.Span.Start, s.Line = it.head, w.b.Line(it.head)
			m := modifiers{visibility: facts.Protected}
			text := string(w.b.Tree.Source[it.head:it.headEnd])
			for word := range strings.FieldsSeq(text[:s.NameSpan.Start-it.head]) {
				m.read(word)
			}
			s.Signature = lang.Collapse(text[:min(len(text), facts.MaxSignature/2)])
			s.Signature = strings.TrimRight(strings.ToValidUTF8(s.Signature, ""), " ({;=")
			s.Visibility = max(m.visibility, s.Visibility)
			s.Flags = s.Flags&^(facts.Static|facts.Abstract) | m.flags
		}
	}
}

// recover prepares the walk of a tree with errors.
func (w *walker) recover(root syntax.Node) {
	if !root.HasError() && !root.IsError() {
		return
	}
	w.lost = lost{active: true, items: outline(w.b.Tree.Source), symbols: map[uint32]int32{}, known: map[uint32]bool{}}
	for i := range w.b.Tree.Len() {
		if n := w.b.Tree.At(i); isType(n) {
			w.lost.known[n.Child("name").Start()] = true
		}
	}
}

func isType(n syntax.Node) bool {
	return n.Is("class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration")
}

// placed walks a member of a type. In a damaged tree that is done inside the
// type that the outline tells, where the tree has lost it, and not inside a
// method whose end is missing.
func (w *walker) placed(n syntax.Node, walk func()) {
	if !w.lost.active {
		walk()
		return
	}
	name := nameOf(n)
	at, ok := w.lost.itemAt(name.Start())
	if name.IsZero() || !ok {
		walk() // a local class, a member of an anonymous one
		return
	}
	it := &w.lost.items[at]
	if isTypeKind(it.kind) != isType(n) {
		return // missing declares it as what it is
	}
	symbol := int32(-1)
	if it.owner >= 0 && !w.b.InBody() {
		symbol = w.lostType(it.owner)
	}
	switch {
	case symbol == w.b.Enclosing() && !w.b.InBody():
		walk()
	case w.b.InBody(), symbol < 0, w.b.Enclosing() >= 0 && !w.encloses(symbol):
		w.lost.deferred = append(w.lost.deferred, n)
	default:
		w.inside(it.owner, symbol, walk)
	}
}

// nameOf is the name of a member, of the first field of several.
func nameOf(n syntax.Node) syntax.Node {
	if name := n.Child("name"); !name.IsZero() {
		return name
	}
	return n.ChildOfKind("variable_declarator").Child("name")
}

// commentAbove is the documentation comment right before a node.
func commentAbove(n syntax.Node) syntax.Node {
	if c := n.PrevSibling(); c.Kind() == "block_comment" && strings.HasPrefix(c.Text(), "/**") {
		return c
	}
	return syntax.Node{}
}

func isTypeKind(k facts.Kind) bool {
	return k == facts.KindClass || k == facts.KindInterface || k == facts.KindEnum
}

// encloses tells whether what the walk stands in encloses a symbol.
func (w *walker) encloses(symbol int32) bool {
	for i := w.b.At(symbol).Parent; i >= 0; i = w.b.At(i).Parent {
		if i == w.b.Enclosing() {
			return true
		}
	}
	return false
}

func (w *walker) inside(owner int, symbol int32, walk func()) {
	it := &w.lost.items[owner]
	w.types = append(w.types, typeContext{symbol: symbol, name: it.name, contract: it.kind == facts.KindInterface})
	w.b.Within(symbol, walk)
	w.types = w.types[:len(w.types)-1]
}

// itemAt is the index of the item whose name starts at an offset.
func (l *lost) itemAt(name uint32) (int, bool) {
	return slices.BinarySearchFunc(l.items, name, func(it item, name uint32) int { return cmp.Compare(it.nameSpan.Start, name) })
}

// lostType is the symbol of a type of the outline. One that the tree does not
// have is declared; one that the walk has yet to come to is -1.
func (w *walker) lostType(at int) int32 {
	it := &w.lost.items[at]
	if i, ok := w.lost.symbols[it.nameSpan.Start]; ok {
		return i
	}
	if w.lost.known[it.nameSpan.Start] {
		return -1
	}
	if w.b.InBody() {
		return -1
	}
	return w.declare(at)
}

// declare adds a definition that only the outline has.
func (w *walker) declare(at int) int32 {
	it := &w.lost.items[at]
	if i, ok := w.lost.symbols[it.nameSpan.Start]; ok {
		return i
	}
	if w.b.Enclosing() >= 0 {
		// A parent is entered from the level of the file.
		if it.owner >= 0 {
			if symbol := w.lostType(it.owner); symbol < 0 || symbol != w.b.Enclosing() && !w.encloses(symbol) {
				return -1
			}
		} else {
			return -1
		}
	}
	symbol := int32(-1)
	add := func() {
		text := w.b.Tree.Source
		m := modifiers{visibility: facts.Protected}
		for word := range strings.FieldsSeq(string(text[it.head:it.nameSpan.Start])) {
			m.read(word)
		}
		s := facts.Symbol{
			Name: it.name, Kind: it.kind, Signature: strings.TrimRight(string(text[it.head:it.headEnd]), " \t\r\n({;="), Bases: it.bases,
			Span: facts.Span{Start: it.head, End: max(it.end, it.nameSpan.End)}, NameSpan: it.nameSpan,
			Type: lang.Collapse(string(text[it.typ.Start:it.typ.End])), Params: it.params,
		}
		c := w.context()
		switch {
		case it.kind == facts.KindEnumMember:
			m.visibility = facts.Public
		case it.kind == facts.KindField && (c != nil && c.contract || m.final && m.flags&facts.Static != 0):
			s.Kind = facts.KindConstant
			m.flags |= facts.Static
		}
		doc, obsolete := describe(lang.CleanComment(string(text[it.doc.Start:it.doc.End])))
		s.Doc = doc
		if obsolete {
			s.Flags |= facts.Obsolete
		}
		if symbol = w.add(s, m); symbol >= 0 {
			w.lost.symbols[it.nameSpan.Start] = symbol
		}
	}
	if it.owner < 0 {
		add()
		return symbol
	}
	owner := w.lostType(it.owner)
	if owner < 0 && w.b.Enclosing() < 0 {
		owner = w.declare(it.owner)
	}
	if owner < 0 || owner == w.b.Enclosing() {
		add()
	} else {
		w.inside(it.owner, owner, add)
	}
	return symbol
}

// missing declares what the outline has and the walk did not come to.
func (w *walker) missing() {
	if !w.lost.active {
		return
	}
	deferred := w.lost.deferred
	for _, n := range deferred {
		name := nameOf(n)
		at, _ := w.lost.itemAt(name.Start())
		it := &w.lost.items[at]
		if _, done := w.lost.symbols[name.Start()]; done {
			continue
		}
		w.doc = commentAbove(n)
		if it.owner < 0 {
			w.member(n)
			continue
		}
		if symbol := w.declare(it.owner); symbol >= 0 {
			w.inside(it.owner, symbol, func() { w.member(n) })
		}
	}
	for i := range w.lost.items {
		w.declare(i)
	}
}
