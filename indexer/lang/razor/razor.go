// Package razor is the row of Razor's components, pages and views.
//
// What @code and @functions hold is read by the row of C# as the members of a
// class called code, for the file's own class has the name of the file. Blocks of
// statements and expressions in the markup are read as the body of a function,
// each at its place: "@x.Name" as "_=x.Name;". Directives give imports, the bases
// and the injected properties; components that the markup uses are references.
package razor

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
	"github.com/project-map/project-map/indexer/lang/csharp"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "razor",
		Family:     "csharp",
		Aliases:    []string{"cshtml", "blazor", "aspnetcorerazor"},
		Version:    2 + component.Version,
		Extensions: []string{".razor", ".cshtml"},
		Extract:    outline,
		Parts:      parts,
		Readers:    []string{"csharp"},
		Roles:      csharp.Language().Roles,
	}
}

// reader is one file being read.
type reader struct {
	*component.File
	source []byte
	// out takes what is laid out: body or members.
	out, body, members *component.Overlay
	directives         []directive
	depth              int
	budget             int // bytes that may still be read in vain
}

// directive is a line such as "@using System.Linq".
type directive struct {
	name       string
	at         int // of its mark
	start, end int // of its argument
}

func read(source []byte) *reader {
	r := &reader{File: &component.File{Source: source}, source: source, budget: 4*len(source) + 1<<12}
	r.body, r.members = component.NewOverlay(source), component.NewOverlay(source)
	r.out = r.body
	r.text(0, len(source), false)
	return r
}

func parts(source []byte, _ string) []lang.Part {
	r := read(source)
	var out []lang.Part
	if p := r.members.Pieces(); len(p) > 0 {
		out = append(out, lang.Part{Language: "csharp", Pieces: p})
	}
	if p := r.body.Pieces(); len(p) > 0 {
		out = append(out, lang.Part{Language: "csharp", Pieces: p, Body: true})
	}
	return out
}

func outline(b *lang.Builder) {
	r := read(b.Source)
	r.Report(b)
	for _, d := range r.directives {
		r.report(b, d)
	}
}

// report tells what a directive says.
func (r *reader) report(b *lang.Builder, d directive) {
	argument := string(r.source[d.start:d.end])
	switch d.name {
	case "namespace":
		b.SetPackage(argument)
	case "using":
		imp := facts.Import{Module: strings.TrimPrefix(strings.TrimSuffix(argument, ";"), "global::")}
		if rest, static := strings.CutPrefix(imp.Module, "static "); static {
			imp.Module, imp.Names = strings.TrimSpace(rest), []facts.ImportedName{{Name: "*"}}
		} else if alias, target, ok := strings.Cut(imp.Module, "="); ok {
			imp.Module, imp.Alias = strings.TrimSpace(target), strings.TrimSpace(alias)
		}
		b.Import(imp, uint32(d.at))
	case "inherits", "implements":
		r.types(b, facts.RefInherit, d.start, d.end)
	case "layout", "attribute":
		r.types(b, facts.RefType, d.start, d.end)
	case "model":
		r.types(b, facts.RefType, d.start, d.end)
		r.property(b, d, "Model", d.at+1, d.at+1+len(d.name), d.end)
	case "inject":
		cut := bytes.LastIndexAny(r.source[d.start:d.end], " \t>")
		if cut < 0 {
			return
		}
		name := d.start + cut + 1
		r.types(b, facts.RefType, d.start, name)
		r.property(b, d, string(r.source[name:d.end]), name, d.end, name)
	}
}

// property declares what a directive gives the class, whose type ends at an
// offset.
func (r *reader) property(b *lang.Builder, d directive, name string, start, end, typeEnd int) {
	if name == "" || strings.IndexFunc(name, func(c rune) bool { return c < 0x80 && !component.IsWord(byte(c)) }) >= 0 {
		return
	}
	b.Symbol(facts.Symbol{
		Name: name, Kind: facts.KindProperty, Visibility: facts.Private, Signature: string(r.source[d.at:d.end]),
		Type: lang.Collapse(string(r.source[d.start:typeEnd])),
		Span: facts.Span{Start: uint32(d.at), End: uint32(d.end)}, NameSpan: facts.Span{Start: uint32(start), End: uint32(end)},
	})
}

var predefined = map[string]bool{
	"bool": true, "byte": true, "char": true, "decimal": true, "double": true, "dynamic": true, "float": true, "int": true,
	"long": true, "object": true, "short": true, "string": true, "uint": true, "ulong": true, "void": true, "typeof": true, "nameof": true, "new": true,
}

// types records the names in a type expression.
func (r *reader) types(b *lang.Builder, kind facts.RefKind, start, end int) {
	for i := start; i < end; {
		c := r.source[i]
		if c == '"' { // a string in an attribute
			k := bytes.IndexByte(r.source[i+1:end], '"')
			if k < 0 {
				return
			}
			i += k + 2
			continue
		}
		if !component.IsWord(c) {
			i++
			continue
		}
		from := i
		for i < end && (component.IsWord(r.source[i]) || r.source[i] == '.') {
			i++
		}
		if rest := bytes.TrimLeft(r.source[i:end], " "); len(rest) > 1 && rest[0] == '=' {
			continue // the name of an argument
		}
		word := strings.TrimRight(string(r.source[from:i]), ".")
		dot := strings.LastIndexByte(word, '.')
		name, qualifier := word[dot+1:], ""
		if dot > 0 {
			qualifier = word[:dot]
		}
		if name == "" || predefined[word] || name[0] >= '0' && name[0] <= '9' {
			continue
		}
		b.Reference(kind, name, lang.Shape(qualifier), uint32(from+dot+1))
		kind = facts.RefType // arguments of a base are types
	}
}
