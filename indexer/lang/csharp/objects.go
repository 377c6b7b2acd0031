package csharp

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) creation(n syntax.Node) {
	for c := range n.NamedChildren {
		switch {
		case c.FieldName() == "type":
			w.typeRefs(c, facts.RefCall)
		case c.Kind() == "initializer_expression":
			w.objectInitializer(c)
		default:
			w.walk(c)
		}
	}
}

// objectInitializer walks { Name = value }, whose names are members.
func (w *walker) objectInitializer(n syntax.Node) {
	for c := range n.NamedChildren {
		if c.Kind() == "assignment_expression" && c.Child("left").Kind() == "identifier" {
			if right := c.Child("right"); right.Kind() == "initializer_expression" {
				w.objectInitializer(right)
			} else {
				w.walk(right)
			}
			continue
		}
		w.walk(c)
	}
}

// assignments walks a list of names, equal signs and values.
func (w *walker) assignments(n syntax.Node) {
	var name syntax.Node
	for c := range n.Children {
		switch {
		case c.Kind() == "=":
			name = syntax.Node{}
		case c.IsNamed():
			if !name.IsZero() {
				w.walk(name)
			}
			name = c
			if c.Kind() != "identifier" {
				w.walk(c)
				name = syntax.Node{}
			}
		}
	}
	if !name.IsZero() {
		w.walk(name)
	}
}

// query walks a clause that binds a name.
func (w *walker) query(n syntax.Node) {
	typ, name := n.Child("type"), n.Child("name")
	w.typeRefs(typ, facts.RefType)
	var rest []syntax.Node
	for c := range n.NamedChildren {
		switch {
		case c.IsExtra() || c.FieldName() == "type":
		case c.FieldName() == "name":
		case name.IsZero() && c.Kind() == "identifier":
			name = c
		default:
			rest = append(rest, c)
		}
	}
	bind := func(init string) { w.b.Bind(nameText(name), name.Start(), w.typeText(typ), init) }
	switch n.Kind() {
	case "from_clause", "let_clause":
		for _, c := range rest {
			w.walk(c)
		}
		if len(rest) > 0 {
			init := w.shape(rest[len(rest)-1])
			if n.Kind() == "from_clause" {
				init = lang.Shape("range " + init)
			}
			bind(init)
		}
	default:
		if len(rest) > 0 {
			w.walk(rest[0])
			bind(lang.Shape("range " + w.shape(rest[0])))
			for _, c := range rest[1:] {
				w.walk(c)
			}
		} else {
			bind(lang.Unknown)
		}
	}
}
