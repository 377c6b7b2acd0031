package xml

import (
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// schema reads an XML Schema.
func (d *document) schema(root int) {
	d.b.SetPackage(d.nodes[root].attr("targetNamespace"))
	if a := d.child(root, "annotation"); a >= 0 {
		d.b.SetSummary(d.childText(a, "documentation"))
	}
	d.schemaParts(root, -1, 0)
}

func (d *document) schemaParts(i int, in int32, level int) {
	if level > maxDepth {
		return
	}
	d.children(i, func(c int, name string) {
		n := &d.nodes[c]
		doc := ""
		if a := d.child(c, "annotation"); a >= 0 {
			doc = d.childText(a, "documentation")
		}
		def := definition{in: in, doc: doc, typ: n.attr("type")}
		s := in
		switch name {
		case "import", "include", "redefine", "override":
			d.load(c, n.attr("schemaLocation"))
		case "complexType", "group", "attributeGroup":
			def.kind = facts.KindStruct
			s = d.named(c, "name", def)
		case "simpleType":
			def.kind = facts.KindType
			if r := d.child(c, "restriction"); r >= 0 && d.has(r, "enumeration") {
				def.kind = facts.KindEnum
			}
			s = d.named(c, "name", def)
		case "element", "attribute":
			def.kind = facts.KindField
			s = d.named(c, "name", def)
			d.refer(facts.RefType, n.attribute("type"), or(s, in))
			d.refer(facts.RefRead, n.attribute("ref"), in)
		case "enumeration":
			def.kind = facts.KindEnumMember
			d.named(c, "value", def)
		case "extension", "restriction":
			d.refer(facts.RefInherit, n.attribute("base"), in)
		case "annotation":
			return
		}
		d.schemaParts(c, or(s, in), level+1)
	})
}

func or(a, b int32) int32 {
	if a >= 0 {
		return a
	}
	return b
}

// wsdl reads the description of a web service, with the schemas in it.
func (d *document) wsdl(root int) {
	d.b.SetPackage(d.nodes[root].attr("targetNamespace"))
	d.b.SetSummary(d.childText(root, "documentation"))
	d.children(root, func(i int, name string) {
		n := &d.nodes[i]
		def := definition{in: -1, doc: d.childText(i, "documentation")}
		switch name {
		case "types":
			d.children(i, func(c int, name string) {
				if name == "schema" {
					d.schemaParts(c, -1, 0)
				}
			})
			return
		case "import", "include":
			d.load(i, n.attr("location"))
			return
		case "message":
			def.kind = facts.KindStruct
		case "portType", "interface":
			def.kind = facts.KindInterface
		case "binding", "service":
			def.kind = facts.KindClass
		default:
			return
		}
		in := d.named(i, "name", def)
		d.children(i, func(c int, part string) {
			switch {
			case part == "operation" && (name == "portType" || name == "interface"):
				d.named(c, "name", definition{kind: facts.KindMethod, in: in, doc: d.childText(c, "documentation")})
			case part == "part":
				d.named(c, "name", definition{kind: facts.KindField, in: in, typ: d.nodes[c].attr("type")})
				d.refer(facts.RefType, d.nodes[c].attribute("element"), in)
			case part == "port":
				d.named(c, "name", definition{kind: facts.KindField, in: in})
			}
		})
	})
}

// xslt reads a style sheet of XSLT.
func (d *document) xslt(root int) {
	d.children(root, func(i int, name string) {
		n := &d.nodes[i]
		in := int32(-1)
		switch name {
		case "template":
			if n.attr("name") != "" {
				in = d.named(i, "name", definition{kind: facts.KindFunction, in: -1})
			} else {
				in = d.named(i, "match", definition{kind: facts.KindFunction, in: -1})
			}
		case "function", "key", "attribute-set", "character-map", "decimal-format":
			kind := facts.KindFunction
			if name != "function" {
				kind = facts.KindKey
			}
			in = d.named(i, "name", definition{kind: kind, in: -1})
		case "variable", "param":
			in = d.named(i, "name", definition{kind: facts.KindVariable, in: -1})
		case "include", "import":
			d.load(i, n.attr("href"))
		}
		d.each(i, func(c int, part string) bool {
			if part == "call-template" {
				d.refer(facts.RefCall, d.nodes[c].attribute("name"), in)
			}
			return true
		})
	})
}

// spring reads bean definitions.
func (d *document) spring(root int) {
	d.b.SetSummary(d.childText(root, "description"))
	d.each(root, func(i int, name string) bool {
		n := &d.nodes[i]
		switch name {
		case "import":
			d.load(i, strings.TrimPrefix(n.attr("resource"), "classpath:"))
		case "alias":
			d.named(i, "alias", definition{kind: facts.KindVariable, in: -1})
		default:
			key := "id"
			if n.attr("id") == "" && name == "bean" {
				key = "name"
			}
			in := d.named(i, key, definition{kind: facts.KindVariable, in: -1, typ: n.attr("class")})
			if name == "bean" {
				d.refer(facts.RefType, n.attribute("class"), in)
			}
		}
		d.refer(facts.RefRead, n.attribute("ref"), -1)
		return true
	})
}

// mapper reads statements of MyBatis.
func (d *document) mapper(root int) {
	d.b.SetPackage(d.nodes[root].attr("namespace"))
	d.refer(facts.RefType, d.nodes[root].attribute("namespace"), -1)
	d.children(root, func(i int, name string) {
		n := &d.nodes[i]
		kind := facts.KindMethod
		switch name {
		case "resultMap", "sql", "parameterMap", "cache":
			kind = facts.KindKey
		}
		in := d.named(i, "id", definition{kind: kind, in: -1})
		for _, k := range []string{"parameterType", "resultType", "type"} {
			d.refer(facts.RefType, n.attribute(k), in)
		}
		d.refer(facts.RefRead, n.attribute("resultMap"), in)
		d.each(i, func(c int, part string) bool {
			if part == "include" {
				d.refer(facts.RefCall, d.nodes[c].attribute("refid"), in)
			}
			return true
		})
	})
}

// webApp reads the deployment descriptor of a servlet container.
func (d *document) webApp(root int) {
	d.b.SetSummary(d.childText(root, "description"))
	d.b.SetSummary(d.childText(root, "display-name"))
	urls := map[string]string{}
	d.children(root, func(i int, name string) {
		if strings.HasSuffix(name, "-mapping") {
			of := d.childText(i, strings.TrimSuffix(name, "-mapping")+"-name")
			if urls[of] == "" {
				urls[of] = d.childText(i, "url-pattern")
			}
		}
	})
	d.children(root, func(i int, name string) {
		switch name {
		case "servlet", "filter", "listener":
			class := d.child(i, name+"-class")
			id := d.child(i, name+"-name")
			if id < 0 {
				id = class
			}
			if id < 0 {
				return
			}
			sign := name + " " + d.nodes[id].text
			if u := urls[d.nodes[id].text]; u != "" {
				sign += " at " + u
			}
			in := d.define(i, definition{kind: facts.KindKey, name: d.nodes[id].text, at: d.nodes[id].textSpan, in: -1, sign: sign})
			if class >= 0 {
				d.referAt(facts.RefType, d.nodes[class].text, d.nodes[class].textSpan, in)
			}
		case "context-param", "env-entry", "init-param":
			for _, k := range []string{"param-name", "env-entry-name"} {
				if c := d.child(i, k); c >= 0 {
					d.texted(c, definition{kind: facts.KindKey, in: -1, sign: " ", init: d.childText(i, "param-value")})
				}
			}
		}
	})
}

// liquibase reads changes of a database.
func (d *document) liquibase(root int) {
	d.children(root, func(i int, name string) {
		n := &d.nodes[i]
		switch name {
		case "include", "includeAll":
			d.load(i, n.attr("file")+n.attr("path"))
		case "changeSet":
			in := d.named(i, "id", definition{kind: facts.KindKey, in: -1})
			d.children(i, func(c int, change string) {
				if change == "createTable" {
					d.named(c, "tableName", definition{kind: facts.KindStruct, in: in})
				}
			})
		}
	})
}
