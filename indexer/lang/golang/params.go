package golang

import (
	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// typeParameter is what a binding of a type parameter is initialised with; its
// type is the constraint.
const typeParameter = "type"

func (w *walker) bindTypeParams(list syntax.Node) {
	list.NamedChildren(func(p syntax.Node) bool {
		typ := typeText(p.Child("type"))
		p.Children(func(c syntax.Node) bool {
			if c.FieldName() == "name" {
				w.b.Bind(c.Text(), c.Start(), typ, typeParameter)
			}
			return true
		})
		return true
	})
}

// bindParams binds parameters, which are seen from an offset on: the body.
func (w *walker) bindParams(list syntax.Node, from uint32) {
	if list.Kind() != "parameter_list" {
		return
	}
	list.NamedChildren(func(p syntax.Node) bool {
		typ := typeText(p.Child("type"))
		if p.Kind() == "variadic_parameter_declaration" {
			typ = "..." + typ
		}
		names, types := paramNames(p)
		if len(types) > 0 {
			return true
		}
		for _, c := range names {
			w.b.Bind(c.Text(), from, typ, "")
		}
		return true
	})
}

// bindReceiverTypes binds the T of func (s *Set[T]) M().
func (w *walker) bindReceiverTypes(list syntax.Node) {
	typ := list.ChildOfKind("parameter_declaration").Child("type")
	if typ.Kind() == "pointer_type" {
		typ = typ.ChildOfKind("generic_type")
	}
	typ.Child("type_arguments").NamedChildren(func(c syntax.Node) bool {
		if c.Kind() == "type_elem" {
			c = c.FirstChild()
		}
		if c.Kind() == "type_identifier" {
			w.b.Bind(c.Text(), c.Start(), "", typeParameter)
		}
		return true
	})
}

func params(list syntax.Node) []facts.Param {
	if list.Kind() != "parameter_list" {
		return nil
	}
	var out []facts.Param
	list.NamedChildren(func(p syntax.Node) bool {
		if !p.Is("parameter_declaration", "variadic_parameter_declaration") {
			return true
		}
		typ := lang.Collapse(p.Child("type").Text())
		if p.Kind() == "variadic_parameter_declaration" {
			typ = "..." + typ
		}
		names, types := paramNames(p)
		for _, c := range names {
			out = append(out, facts.Param{Name: c.Text(), Type: typ})
		}
		for _, t := range types {
			out = append(out, facts.Param{Type: lang.Collapse(t)})
		}
		if len(names)+len(types) == 0 {
			out = append(out, facts.Param{Type: typ})
		}
		return true
	})
	return out
}

// paramNames are the names that a parameter declaration declares. Tree-sitter
// reads (T, map[K]V) and (T, chan V) as if a T and a map were names of one type;
// then the types are given instead.
func paramNames(p syntax.Node) (names []syntax.Node, types []string) {
	p.Children(func(c syntax.Node) bool {
		if c.FieldName() == "name" && c.IsNamed() {
			names = append(names, c)
		}
		return true
	})
	if len(names) < 2 {
		return names, nil
	}
	last := names[len(names)-1]
	if text := last.Text(); text != "map" && text != "chan" {
		return names, nil
	}
	for _, n := range names[:len(names)-1] {
		types = append(types, n.Text())
	}
	text := p.Bytes()
	return nil, append(types, string(text[last.Start()-p.Start():]))
}

// receiver is the name of the type a method belongs to, without pointer and
// type parameters.
func receiver(list syntax.Node) string {
	typ := list.ChildOfKind("parameter_declaration").Child("type")
	for {
		switch typ.Kind() {
		case "pointer_type", "parenthesized_type":
			next := syntax.Node{}
			typ.NamedChildren(func(c syntax.Node) bool { next = c; return false })
			typ = next
		case "generic_type":
			typ = typ.Child("type")
		default:
			return typ.Text()
		}
	}
}

// repeated is what a spec without a value repeats in a group of constants.
type repeated struct {
	typ    string
	values []syntax.Node
}
