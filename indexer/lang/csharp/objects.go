package csharp

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

func (w *walker) creation(n syntax.Node) {
	for c := range n.NamedChildren {
		switch {
		case c.FieldName() == "type":
			w.typeRefs(c, facts.RefCall)
			w.passed(bindNew, typeNameNode(c), n.ChildOfKind("argument_list"))
		case c.Kind() == "initializer_expression":
			w.objectInitializer(c, w.made(c))
		default:
			w.walk(c)
		}
	}
}

// unnamedCreation records new() as a call of the constructor of the type that is
// written where its value goes.
func (w *walker) unnamedCreation(n syntax.Node) {
	t := w.targetType(n)
	if t == "" || strings.HasSuffix(t, "]") {
		return
	}
	name, _, _ := strings.Cut(t, "<")
	name = name[strings.LastIndexAny(name, ".:")+1:]
	if at := n.FirstChild(); at.Kind() == "new" && name != "" && w.typeParams[name] == 0 && !predeclared(name) {
		w.b.Reference(facts.RefCall, name, "", at.Start())
		w.b.Bind(bindNew, at.Start(), t, w.argumentShapes(n.ChildOfKind("argument_list")))
	}
}

// objectInitializer walks { Name = value }, whose names are members.
func (w *walker) objectInitializer(n syntax.Node, made string) {
	for c := range n.NamedChildren {
		if c.Kind() == "assignment_expression" && c.Child("left").Kind() == "identifier" {
			w.memberOf(c.Child("left"), made)
			if right := c.Child("right"); right.Kind() == "initializer_expression" {
				inner := ""
				if made != "" {
					inner = lang.Shape(made + "." + nameText(c.Child("left")))
				}
				w.objectInitializer(right, inner)
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
			init := w.linked(rest[len(rest)-1])
			if n.Kind() == "from_clause" {
				init = lang.Shape("range " + init)
			}
			bind(init)
		}
	default:
		if len(rest) > 0 {
			w.walk(rest[0])
			bind(lang.Shape("range " + w.linked(rest[0])))
			for _, c := range rest[1:] {
				w.walk(c)
			}
		} else {
			bind(lang.Unknown)
		}
	}
}
