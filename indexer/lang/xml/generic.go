package xml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// sections tells documents of text, such as DocBook and DITA.
func (d *document) sections(root int) bool {
	switch d.nodes[root].local() {
	case "book", "article", "chapter", "section", "part", "appendix", "refentry", "topic", "concept", "task", "reference", "set":
		return d.has(root, "title", "info", "bookinfo", "articleinfo", "refnamediv", "chapter", "section", "sect1")
	}
	return false
}

// book reads the titles of sections.
func (d *document) book(root int) {
	d.bookPart(root, -1, 0)
}

func (d *document) bookPart(i int, in int32, level int) {
	if level > 12 {
		return
	}
	title := d.child(i, "title")
	if title < 0 {
		for _, k := range []string{"info", "bookinfo", "articleinfo", "sectioninfo", "refnamediv"} {
			if c := d.child(i, k); c >= 0 && title < 0 {
				if title = d.child(c, "title"); title < 0 {
					title = d.child(c, "refname")
				}
			}
		}
	}
	if title >= 0 {
		t := &d.nodes[title]
		in = or(d.define(i, definition{kind: facts.KindHeading, name: t.text, at: t.textSpan, in: in, sign: " "}), in)
		if level == 0 {
			d.b.SetSummary(t.text)
		}
	}
	d.children(i, func(c int, name string) {
		switch name {
		case "include":
			d.load(c, d.nodes[c].attr("href"))
		case "book", "article", "chapter", "section", "part", "appendix", "refentry", "topic", "concept", "task", "reference", "preface", "sect1", "sect2", "sect3", "sect4", "sect5", "refsect1", "refsection", "conbody", "body", "taskbody", "glossary":
			d.bookPart(c, in, level+1)
		case "topicref":
			d.load(c, d.nodes[c].attr("href"))
		}
	})
}

// keys are the attributes that name an element, the most telling first.
var keys = []string{"id", "name", "key", "x:Name", "Id", "Name", "x:Key", "Key", "ID"}

// generic reads a document of an unknown kind: its sections, the elements with
// an id or a name, and the plain values near the top.
func (d *document) generic(root int) {
	const depth = 8
	for _, k := range []string{"description", "title", "name"} {
		if c := d.child(root, k); c >= 0 && d.nodes[c].first < 0 {
			d.b.SetSummary(d.nodes[c].text)
		}
	}
	if a := d.nodes[root].attribute("x:Class"); a != nil {
		d.b.SetPackage(a.value)
		d.refer(facts.RefType, a, -1)
	}
	top := &d.nodes[root]
	if a := top.attribute("name"); a != nil {
		d.b.SetPackage(a.value)
	}
	owner := map[int]int32{}
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		if n.depth > depth {
			return false
		}
		in, ok := owner[n.parent]
		if !ok {
			in = -1
		}
		s := int32(-1)
		named := false
		for _, k := range keys {
			if a := n.attribute(k); a != nil && a.value != "" && len(a.value) <= 150 {
				s = d.named(i, k, definition{kind: facts.KindKey, in: in, init: n.attr("value"), once: true})
				named = true
				break
			}
		}
		if !named && n.depth <= 2 && !strings.HasPrefix(n.name, "xs:") {
			def := definition{kind: facts.KindKey, name: n.name, at: nameSpan(n), in: in, once: true, sign: " "}
			if n.first < 0 {
				def.init = n.text
			}
			if len(n.attrs) > 0 {
				def.sign = n.tag()
			}
			s = d.define(i, def)
		}
		if s < 0 {
			s = in
		}
		owner[i] = s
		switch name {
		case "include", "import":
			for _, k := range []string{"href", "file", "resource", "src", "location"} {
				if v := n.attr(k); v != "" {
					d.load(i, v)
					break
				}
			}
		}
		return true
	})
}
