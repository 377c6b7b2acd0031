package xml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// android tells a document of the Android platform by its name space.
func (d *document) android(root int) bool {
	for _, a := range d.nodes[root].attrs {
		if strings.HasPrefix(a.name, "xmlns:") && strings.Contains(a.value, "schemas.android.com/apk/res") {
			return true
		}
	}
	return false
}

// androidManifest reads what an app consists of.
func (d *document) androidManifest(root int) {
	d.b.SetPackage(d.nodes[root].attr("package"))
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		a := n.attribute("android:name")
		if a == nil {
			return true
		}
		switch name {
		case "activity", "service", "receiver", "provider", "application", "activity-alias", "instrumentation":
			class := a.value[strings.LastIndexByte(a.value, '.')+1:]
			in := d.define(i, definition{kind: facts.KindKey, name: class, at: a.span, in: -1, sign: name + " " + a.value})
			d.referAt(facts.RefType, a.value, a.span, in)
		case "uses-permission", "permission", "uses-feature", "meta-data":
			d.define(i, definition{kind: facts.KindKey, name: a.value, at: a.span, in: -1, sign: name + " " + a.value, once: true})
		}
		return true
	})
}

// androidResources reads values: strings, colours, styles and the like.
func (d *document) androidResources(root int) {
	d.children(root, func(i int, name string) {
		n := &d.nodes[i]
		if name == "eat-comment" || name == "public" {
			return
		}
		kind := facts.KindKey
		if name == "style" || name == "declare-styleable" {
			kind = facts.KindClass
		}
		text := n.text
		if n.first >= 0 && kind == facts.KindKey && name != "string" {
			text = ""
		}
		in := d.named(i, "name", definition{kind: kind, in: -1, init: text, sign: "<" + name + ">"})
		if name == "style" {
			d.refer(facts.RefInherit, n.attribute("parent"), in)
		}
		if name == "declare-styleable" {
			d.children(i, func(c int, _ string) {
				d.named(c, "name", definition{kind: facts.KindField, in: in})
			})
		}
	})
}

// androidLayout reads ids of views, and of any other resource that has some.
func (d *document) androidLayout(root int) {
	visit := func(i int, name string) bool {
		n := &d.nodes[i]
		in := int32(-1)
		if a := n.attribute("android:id"); a != nil {
			id := a.value[strings.LastIndexByte(a.value, '/')+1:]
			in = d.define(i, definition{kind: facts.KindKey, name: id, at: a.span, in: -1, sign: "<" + n.name + ` android:id="` + a.value + `">`, once: true})
		}
		if strings.Contains(n.name, ".") { // a view of the app
			d.referAt(facts.RefType, n.name, nameSpan(n), in)
		}
		for _, k := range []string{"tools:context", "android:name", "class"} {
			if a := n.attribute(k); a != nil && (k != "class" || n.name == "view" || n.name == "fragment") && strings.Contains(a.value, ".") {
				d.referAt(facts.RefType, a.value, a.span, in)
			}
		}
		if name == "include" || name == "navigation" {
			d.load(i, n.attr("layout"))
		}
		return true
	}
	visit(root, d.nodes[root].local())
	d.each(root, visit)
}

// plist reads the keys of a property list to the second level.
func (d *document) plist(root int) {
	owners := map[int]int32{}
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		if name != "key" || n.depth > 5 {
			return n.depth <= 5
		}
		in, nested := owners[n.parent]
		if !nested {
			in = -1
		}
		value, init := n.next, ""
		if value >= 0 {
			switch v := &d.nodes[value]; v.local() {
			case "string", "integer", "real", "date":
				init = v.text
			case "true", "false":
				init = v.local()
			}
		}
		s := d.texted(i, definition{kind: facts.KindKey, in: in, init: init, sign: " "})
		if value >= 0 && s >= 0 {
			owners[value] = s
			d.b.At(s).Span.End = uint32(d.nodes[value].end)
			d.b.At(s).EndLine = d.b.Line(uint32(d.nodes[value].end - 1))
		}
		return false
	})
}

// interfaceBuilder reads a storyboard or nib: what code names.
func (d *document) interfaceBuilder(root int) {
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		in := int32(-1)
		for _, k := range []string{"storyboardIdentifier", "reuseIdentifier", "restorationIdentifier"} {
			if n.attr(k) != "" {
				in = d.named(i, k, definition{kind: facts.KindKey, in: -1, sign: "<" + n.name + " " + k + ">", once: true})
				break
			}
		}
		switch name {
		case "segue":
			d.named(i, "identifier", definition{kind: facts.KindKey, in: -1, sign: "<segue>", once: true})
		case "outlet", "outletCollection":
			d.named(i, "property", definition{kind: facts.KindField, in: -1, sign: "<" + name + ">", once: true})
		case "action":
			d.refer(facts.RefCall, n.attribute("selector"), -1)
		}
		if a := n.attribute("customClass"); a != nil {
			d.refer(facts.RefType, a, in)
		}
		return true
	})
}

// qtForm reads a form of Qt.
func (d *document) qtForm(root int) {
	d.b.SetPackage(d.childText(root, "class"))
	d.b.SetSummary(d.childText(root, "comment"))
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		switch name {
		case "widget", "action", "actiongroup", "buttongroup":
			in := d.named(i, "name", definition{kind: facts.KindField, in: -1, typ: n.attr("class")})
			d.refer(facts.RefType, n.attribute("class"), in)
		case "include":
			d.load(i, n.attr("location"))
		case "customwidget":
			d.load(i, d.childText(i, "header"))
		case "slot", "signal":
			if n.parent >= 0 && (d.nodes[n.parent].local() == "connection") {
				text, _, _ := strings.Cut(n.text, "(")
				d.referAt(facts.RefCall, text, facts.Span{Start: n.textSpan.Start, End: n.textSpan.Start + uint32(min(len(text), n.textSpan.Len()))}, -1)
			}
		}
		return true
	})
}

// qtResources reads a list of resources of Qt.
func (d *document) qtResources(root int) {
	d.each(root, func(i int, name string) bool {
		if name == "file" {
			d.load(i, d.nodes[i].text)
			d.named(i, "alias", definition{kind: facts.KindKey, in: -1})
		}
		return true
	})
}

// svg takes the parts of an image that others refer to.
func (d *document) svg(root int) {
	d.b.SetSummary(d.childText(root, "title"))
	d.b.SetSummary(d.childText(root, "desc"))
	d.each(root, func(i int, name string) bool {
		if name == "symbol" {
			d.named(i, "id", definition{kind: facts.KindKey, in: -1})
		}
		return true
	})
}
