package csharp

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// looksLikeType tells Name from name and _name.
func looksLikeType(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// typeName records a type by its name, but for type parameters.
func (w *walker) typeName(n syntax.Node, kind facts.RefKind) {
	if name := nameText(n); w.typeParams[name] == 0 && !predeclared(name) {
		w.b.Reference(kind, name, "", n.Start())
	}
}

// predeclared lists names that programs do not define: as references they would
// only drown others.
func predeclared(name string) bool {
	switch name {
	case "var", "_", "dynamic", "nint", "nuint", "notnull", "unmanaged", "String", "Object", "Int32", "Int64", "Boolean", "Obsolete", "Flags", "Serializable":
		return true
	}
	return false
}

// typeRefs records the references of a type expression; its arguments and
// qualifiers are always uses as types.
func (w *walker) typeRefs(n syntax.Node, kind facts.RefKind) {
	if n.IsZero() || w.depth > maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch n.Kind() {
	case "identifier":
		w.typeName(n, kind)
	case "generic_name":
		w.typeName(n.ChildOfKind("identifier"), kind)
		w.generic(n.ChildOfKind("identifier"), n.ChildOfKind("type_argument_list"))
		w.typeRefs(n.ChildOfKind("type_argument_list"), kind)
	case "type_argument_list", "tuple_type", "function_pointer_type":
		for c := range n.NamedChildren {
			w.typeRefs(c, facts.RefType)
		}
	case "qualified_name", "alias_qualified_name", "member_access_expression":
		q := n.Child("qualifier")
		if q.IsZero() {
			q = n.Child("expression")
		}
		id, args := nameOf(n.Child("name"))
		w.typeArguments(q)
		w.typeRefs(args, facts.RefType)
		w.generic(id, args)
		qualifier := strings.TrimRight(strings.Join(strings.Fields(string(w.b.Tree.Source[n.Start():max(id.Start(), n.Start())])), ""), ".:")
		w.b.Reference(kind, nameText(id), lang.Shape(strings.TrimPrefix(strings.TrimPrefix(qualifier, "global::"), "global")), id.Start())
	case "tuple_element", "parameter", "function_pointer_parameter":
		w.typeRefs(n.Child("type"), facts.RefType)
	case "array_rank_specifier":
		w.children(n)
	case "explicit_interface_specifier", "array_type", "nullable_type", "pointer_type", "ref_type", "scoped_type", "type_parameter_constraint",
		"base_list", "type", "ERROR":
		for c := range n.NamedChildren {
			w.typeRefs(c, kind)
		}
	}
}

// typeArguments records what a qualifier names beside namespaces.
func (w *walker) typeArguments(n syntax.Node) {
	for i := n.Index(); !n.IsZero() && i < n.SubtreeEnd(); i++ {
		if c := w.b.Tree.At(i); c.Kind() == "type_argument_list" {
			w.typeRefs(c, facts.RefType)
			return
		}
	}
}

// lastName is the simple name of a type expression.
func lastName(n syntax.Node) string {
	for range 40 {
		switch n.Kind() {
		case "generic_name":
			n = n.ChildOfKind("identifier")
		case "qualified_name", "alias_qualified_name":
			n = n.Child("name")
		default:
			return nameText(n)
		}
	}
	return ""
}
