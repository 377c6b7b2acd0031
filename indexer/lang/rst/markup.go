package rst

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
)

// objects are the directives that document something with a name, without
// their domain.
var objects = map[string]bool{
	"function": true, "class": true, "method": true, "attribute": true, "data": true, "exception": true, "decorator": true,
	"staticmethod": true, "classmethod": true, "property": true, "decoratormethod": true, "type": true, "struct": true,
	"union": true, "enum": true, "enumerator": true, "macro": true, "member": true, "var": true, "concept": true,
	"option": true, "envvar": true, "program": false, "confval": true, "setting": true, "directive": true, "role": true,
	"command": true, "cmdoption": true, "describe": true, "object": true, "variable": true, "constant": true,
}

// automatic are the directives that take over the documentation of code.
var automatic = map[string]facts.RefKind{
	"automodule": facts.RefImport, "autoclass": facts.RefType, "autofunction": facts.RefCall, "automethod": facts.RefCall,
	"autoexception": facts.RefType, "autodata": facts.RefRead, "autoattribute": facts.RefRead, "autodecorator": facts.RefCall,
	"autoproperty": facts.RefRead, "autosummary": facts.RefRead, "autopydantic_model": facts.RefType,
	"doxygenfunction": facts.RefCall, "doxygenclass": facts.RefType, "doxygenstruct": facts.RefType,
}

// markup reads explicit markup at line i: a directive, a target, a substitution
// or a comment. It returns the line behind it; the content of containers is
// read as text of the document.
func (d *document) markup(i int) int {
	text := d.text(i)
	margin := d.indent(i)
	at := d.lines[i].start + margin
	next := i + 1
	body := bytes.TrimLeft(text[2:], " ")
	offset := at + len(text) - len(body)
	if bytes.HasPrefix(body, []byte("|")) {
		// .. |name| image:: x
		if k := bytes.Index(body[1:], []byte("| ")); k >= 0 {
			offset += k + 3
			body = body[k+3:]
		}
	}
	switch {
	case bytes.HasPrefix(body, []byte("_")):
		d.label(body, offset)
		return next
	case bytes.HasPrefix(body, []byte("[")):
		return next // a footnote
	}
	k := bytes.Index(body, []byte("::"))
	if k <= 0 || bytes.IndexByte(body[:k], ' ') >= 0 {
		return d.behind(i, margin) // a comment
	}
	full := string(body[:k])
	argument := strings.ToValidUTF8(string(bytes.TrimSpace(body[k+2:])), "")
	argAt := offset + len(body) - len(bytes.TrimLeft(body[k+2:], " \t"))
	name := full[strings.LastIndexByte(full, ':')+1:]
	switch {
	case name == "toctree":
		end := d.behind(i, margin)
		for l := i + 1; l < end; l++ {
			if t := d.text(l); len(t) > 0 && t[0] != ':' && !bytes.HasPrefix(t, []byte("..")) {
				d.entry(string(t), d.lines[l].start)
			}
		}
		return end
	case name == "include" || name == "literalinclude" || name == "image" || name == "figure" || name == "graphviz" || name == "plantuml" || name == "plot" || name == "thumbnail" || name == "mdinclude" || name == "ipython-include":
		d.file(argument, at)
		if name == "figure" {
			return next
		}
		return d.behind(i, margin)
	case name == "csv-table" || name == "raw":
		end := d.behind(i, margin)
		for l := i + 1; l < end; l++ {
			if f, ok := bytes.CutPrefix(d.text(l), []byte(":file:")); ok {
				d.file(string(f), d.lines[l].start)
			}
		}
		return end
	case name == "module" || name == "currentmodule" || name == "py:module":
		d.module = argument
		dotted, qualifier := splitDotted(argument)
		d.reference(facts.RefImport, dotted, qualifier, argAt)
		return next
	case name == "code-block" || name == "code" || name == "sourcecode" || name == "highlight" || name == "math" || name == "doctest" || name == "testcode" || name == "ipython" || name == "prompt" || name == "parsed-literal" || name == "meta" || name == "click" || name == "list-table":
		if name == "list-table" {
			return next
		}
		return d.behind(i, margin)
	}
	if kind, ok := automatic[name]; ok {
		if name == "autosummary" {
			end := d.behind(i, margin)
			for l := i + 1; l < end; l++ {
				if t := d.text(l); len(t) > 0 && t[0] != ':' && bytes.IndexByte(t, ' ') < 0 {
					d.object(kind, string(bytes.TrimLeft(t, "~")), d.lines[l].start+d.lines[l].indent)
				}
			}
			return end
		}
		argument, _, _ = strings.Cut(argument, "(")
		d.object(kind, strings.ReplaceAll(strings.ReplaceAll(argument, "::", "."), ":", "."), argAt)
		return next
	}
	if objects[name] && argument != "" {
		return d.definition(i, name, argument, argAt)
	}
	if full == "contents" || name == "comment" || name == "only" && argument == "" {
		return d.behind(i, margin)
	}
	if isAdmonition(name) {
		// What it says is not what the section says first.
		end := d.behind(i, margin)
		for l := i; l < end; l++ {
			d.inline(l)
		}
		return end
	}
	return next
}

func isAdmonition(name string) bool {
	switch name {
	case "note", "warning", "tip", "hint", "important", "caution", "danger", "attention", "error", "admonition", "seealso",
		"versionadded", "versionchanged", "deprecated", "versionremoved", "todo", "rubric", "index", "topic", "sidebar":
		return true
	}
	return false
}

// behind is the line behind the indented block below line i.
func (d *document) behind(i, margin int) int {
	end := i + 1
	for l := i + 1; l < len(d.lines); l++ {
		if d.blank(l) {
			continue
		}
		if d.indent(l) <= margin {
			break
		}
		end = l + 1
	}
	return end
}

// object is a reference to code by a dotted name, below the current module
// where it has no other.
func (d *document) object(kind facts.RefKind, dotted string, at int) {
	name, qualifier := splitDotted(dotted)
	if qualifier == "" {
		qualifier = d.module
	}
	d.reference(kind, name, qualifier, at)
}

// label reads "_name:" and "_name: target".
func (d *document) label(body []byte, at int) {
	text := body[1:]
	quoted := len(text) > 1 && text[0] == '`'
	k := bytes.IndexByte(text, ':')
	if quoted {
		if q := bytes.IndexByte(text[1:], '`'); q >= 0 && q+2 < len(text) && text[q+2] == ':' {
			k = q + 2
		} else {
			return
		}
	}
	if k <= 0 {
		return
	}
	if target := strings.TrimSpace(string(text[k+1:])); target != "" {
		// Another name for an address; "name_" is one for a name.
		if !strings.HasSuffix(target, "_") && strings.Contains(target, ".") {
			d.file(strings.ToValidUTF8(target, ""), at)
		}
		return
	}
	name := bytes.Trim(text[:k], "`")
	if len(name) == 0 || d.left == 0 || bytes.IndexByte(name, '_') == 0 {
		return
	}
	d.left--
	from := at + 1 + bytes.Index(text, name)
	d.nodes = append(d.nodes, node{symbol: facts.Symbol{
		Name: string(name), Kind: facts.KindKey, Signature: ".. _" + string(text[:k]) + ":",
		Span:     facts.Span{Start: uint32(at), End: uint32(at + 1 + k + 1)},
		NameSpan: facts.Span{Start: uint32(from), End: uint32(from + len(name))},
	}})
}

// entry reads a line of a table of contents.
func (d *document) entry(s string, at int) {
	if k := strings.LastIndex(s, "<"); k >= 0 && strings.HasSuffix(s, ">") {
		s = s[k+1 : len(s)-1]
	}
	if s == "self" {
		return
	}
	d.file(s, at)
}

// definition reads a directive that documents an object. Its code is elsewhere,
// so it is a heading of the document and a reference. The line behind the
// options is returned, so that what it contains is read.
func (d *document) definition(i int, directive, argument string, at int) int {
	margin := d.indent(i)
	next := i + 1
	end := d.behind(i, margin)
	// Further signatures stand aligned below the first.
	for next < end && !d.blank(next) && d.text(next)[0] != ':' {
		next++
	}
	for next < end && !d.blank(next) {
		next++
	}
	name := argument
	if directive != "directive" && directive != "role" {
		name, _, _ = strings.Cut(name, "(")
	}
	if directive == "option" || directive == "cmdoption" {
		name, _, _ = strings.Cut(name, ",")
	}
	if k := strings.IndexAny(name, " \t="); k > 0 && strings.Contains(argument, "(") {
		name = name[strings.LastIndexAny(strings.TrimSpace(name), " \t*&")+1:] // a type stands before it
	} else if k > 0 {
		name = name[:k]
	}
	name = strings.TrimSpace(name)
	if name == "" || d.left == 0 {
		return next
	}
	k := bytes.Index(d.src[at:d.lines[i].end], []byte(name))
	if k < 0 {
		return next
	}
	doc := ""
	for l := next; l < end; l++ {
		t := d.text(l)
		if len(t) == 0 {
			continue
		}
		if bytes.HasPrefix(t, []byte("..")) || isItem(t) || t[0] == '+' || t[0] == '=' {
			break
		}
		to := l
		for to < end && !d.blank(to) && to < l+20 {
			to++
		}
		doc = plain(strings.ToValidUTF8(string(d.src[d.lines[l].start:d.lines[to-1].end]), ""))
		break
	}
	last, qualifier := splitDotted(strings.ReplaceAll(name, "::", "."))
	shown := name
	if margin > 0 && d.class != "" && qualifier == "" {
		shown, qualifier = d.class+"."+name, d.class
	} else if margin == 0 {
		d.class = ""
		if directive == "class" || directive == "exception" || directive == "struct" {
			d.class = name
		}
	}
	d.left--
	d.nodes = append(d.nodes, node{symbol: facts.Symbol{
		Name: shown, Kind: facts.KindHeading, Signature: directive + " " + argument, Doc: doc,
		Span:     facts.Span{Start: uint32(d.lines[i].start + margin), End: uint32(d.lines[max(end, next)-1].end)},
		NameSpan: facts.Span{Start: uint32(at + k), End: uint32(at + k + len(name))},
	}})
	switch directive {
	case "option", "cmdoption", "envvar", "confval", "setting", "directive", "role", "describe", "command":
		return next
	}
	if qualifier == "" {
		qualifier = d.module
	}
	d.referenceIn(len(d.nodes)-1, facts.RefRead, last, qualifier, at+k)
	return next
}
