package java

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// isPackage tells whether an expression is the package of a type that is
// written with its full name. Only the usual first parts are taken for one.
func (w *walker) isPackage(n syntax.Node, depth int) bool {
	switch n.Kind() {
	case "identifier":
		switch name := n.Text(); name {
		case "java", "javax", "jakarta", "org", "com", "net", "io", "edu", "kotlin", "android", "androidx":
			return !w.b.Bound(name)
		}
	case "field_access":
		return depth < 12 && !looksLikeType(n.Child("field").Text()) && w.isPackage(n.Child("object"), depth+1)
	}
	return false
}

// looksLikeType tells Name from name and NAME.
func looksLikeType(name string) bool {
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(r) {
		return false
	}
	return utf8.RuneCountInString(name) == 1 || strings.ToUpper(name) != name
}

// typeName records a type by its name, but for type parameters.
func (w *walker) typeName(n syntax.Node, kind facts.RefKind) {
	if name := n.Text(); w.typeParams[name] == 0 && !predeclared(name) {
		w.b.Reference(kind, name, "", n.Start())
	}
}

// predeclared lists names that need no import and that programs do not define:
// as references they would only drown others.
func predeclared(name string) bool {
	switch name {
	case "var", "_", "String", "Object", "Integer", "Long", "Short", "Byte", "Character", "Boolean", "Double", "Float", "Void",
		"Override", "Deprecated", "SuppressWarnings", "SafeVarargs", "FunctionalInterface":
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
	case "type_identifier", "identifier":
		w.typeName(n, kind)
	case "scoped_type_identifier":
		var last syntax.Node
		for c := range n.NamedChildren {
			if c.Kind() == "type_identifier" {
				last = c
			}
		}
		for c := range n.NamedChildren {
			switch {
			case c == last:
			case c.Kind() == "type_identifier" && !looksLikeType(c.Text()):
			case c.Kind() == "scoped_type_identifier" && !looksLikeType(lastName(c)):
			default:
				w.typeRefs(c, facts.RefType)
			}
		}
		if !last.IsZero() {
			qualifier := strings.TrimRight(lang.Collapse(string(w.b.Tree.Source[n.Start():last.Start()])), " .")
			w.b.Reference(kind, last.Text(), lang.Shape(qualifier), last.Start())
		}
	case "type_arguments":
		for c := range n.NamedChildren {
			w.typeRefs(c, facts.RefType)
		}
	case "annotation", "marker_annotation", "modifiers", "dimensions":
		w.walk(n)
	case "class_body", "block", "argument_list":
	default:
		for c := range n.NamedChildren {
			w.typeRefs(c, kind)
		}
	}
}

// lastName is the simple name of a type expression.
func lastName(n syntax.Node) string {
	for range 40 {
		switch n.Kind() {
		case "generic_type", "annotated_type", "array_type", "scoped_type_identifier":
			var next syntax.Node
			for c := range n.NamedChildren {
				if c.Is("type_identifier", "scoped_type_identifier", "generic_type") {
					next = c
				}
			}
			n = next
		default:
			return n.Text()
		}
	}
	return ""
}
