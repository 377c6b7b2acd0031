package rust

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/syntax"
)

// maxDoc bounds the documentation that is gathered of one item, in bytes; its
// first sentence is kept.
const maxDoc = 4096

// lead is what stands before an item: its documentation and attributes.
type lead struct {
	doc        string
	attributes []syntax.Node
}

// add takes a comment or an attribute and tells whether it was one. Plain
// comments and blank lines between documentation and item are allowed.
func (l *lead) add(n syntax.Node) bool {
	switch n.Kind() {
	case "line_comment", "block_comment":
		if isOuterDoc(n) && len(l.doc) < maxDoc {
			l.doc += docText(n) + "\n"
		}
	case "attribute_item":
		l.attributes = append(l.attributes, n)
		if m := docAttribute.FindStringSubmatch(n.Text()); m != nil {
			l.doc += strings.ReplaceAll(m[1], `\"`, `"`) + "\n"
		}
	default:
		return false
	}
	return true
}

var docAttribute = lazyregexp.New(`^#\[\s*doc\s*=\s*"((?:[^"\\]|\\.)*)"\s*\]$`)

func isOuterDoc(n syntax.Node) bool {
	t := n.Bytes()
	return len(t) > 3 && (string(t[:3]) == "///" && t[3] != '/' || string(t[:3]) == "/**" && t[3] != '*' && t[3] != '/')
}

func isInnerDoc(n syntax.Node) bool {
	t := n.Bytes()
	return len(t) >= 3 && (string(t[:3]) == "//!" || string(t[:3]) == "/*!")
}

func docText(n syntax.Node) string { return lang.CleanComment(n.Text()) }

// attribute is the path of an attribute and its arguments with their brackets.
func attribute(n syntax.Node) (name, arguments string) {
	a := n.ChildOfKind("attribute")
	if a.IsZero() {
		a = n.ChildOfKind("meta_item")
	}
	name = lang.Collapse(a.FirstChild().Text())
	return name, lang.Collapse(a.Child("arguments").Text())
}

var cfgTest = lazyregexp.New(`^\((?:test|all\(test\b.*|.*[(, ]test\))\)?$`)

func isCfgTest(name, arguments string) bool {
	return name == "cfg" && cfgTest.MatchString(arguments) && !strings.Contains(arguments, "not(test") && !strings.HasPrefix(arguments, "(any(")
}

// marks are what the attributes of an item say.
type marks struct {
	test, cfgTest, deprecated, exported bool
	path                                string // #[path = "…"]
}

func (l *lead) marks() marks {
	var m marks
	for _, n := range l.attributes {
		name, arguments := attribute(n)
		last := name[strings.LastIndexByte(name, ':')+1:]
		switch {
		case last == "test" || last == "rstest" || last == "test_case" || last == "quickcheck" || last == "wasm_bindgen_test" || last == "bench":
			m.test = true
		case isCfgTest(name, arguments):
			m.cfgTest = true
		case name == "deprecated":
			m.deprecated = true
		case name == "macro_export":
			m.exported = true
		case name == "path":
			if _, value, ok := strings.Cut(n.Text(), `"`); ok {
				m.path, _, _ = strings.Cut(value, `"`)
			}
		}
	}
	return m
}

// derives records the traits that an attribute implements for a type.
func (w *walker) derives(l *lead) {
	for _, n := range l.attributes {
		if name, _ := attribute(n); name != "derive" {
			continue
		}
		tokens := n.ChildOfKind("attribute").Child("arguments")
		qualifier := ""
		for c := tokens.FirstChild(); !c.IsZero(); c = c.NextSibling() {
			if !c.Is("identifier", "crate", "self", "super") {
				continue
			}
			if c.NextSibling().Kind() == "::" {
				qualifier += dot(qualifier) + c.Text()
				continue
			}
			w.b.Reference(facts.RefInherit, c.Text(), qualifier, c.Start())
			qualifier = ""
		}
	}
}

func dot(before string) string {
	if before == "" {
		return ""
	}
	return "."
}

// visibility is what the modifier of an item says; without one the item is
// private to its module.
func visibility(n syntax.Node) facts.Visibility {
	v := n.ChildOfKind("visibility_modifier")
	if v.IsZero() {
		return facts.Private
	}
	switch text := strings.ReplaceAll(lang.Collapse(v.Text()), " ", ""); text {
	case "pub":
		return facts.Public
	case "pub(self)", "pub(inself)":
		return facts.Private
	}
	return facts.Protected
}
