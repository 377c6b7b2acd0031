// Package component reads what component files have in common whose markup
// holds code: Vue, Svelte and Astro.
//
// The code in the markup is laid out as the statements of a function, at the
// places where it stands, so that the rows of JavaScript and TypeScript read it:
// "{{ a }}" as "  a ; ", an element that binds a name as a block. An Overlay
// holds that text; Scopes keep its blocks in balance whatever the tags do. All
// readers are linear in the text: what is looked for in vain is paid from a
// budget, and when that is spent the rest counts as text.
package component

import (
	"bytes"
	"path"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/template"
)

// Version counts changes of what the rows share.
const Version = 1

// Readers are the rows that read the parts of a component.
func Readers() []string {
	return []string{"coffeescript", "css", "javascript", "less", "sass", "scss", "stylus", "tsx", "typescript"}
}

// ScriptLanguage is the language of a script element, "" where it holds data.
func ScriptLanguage(t *Tag, otherwise string) string {
	name := strings.ToLower(t.Value("lang"))
	if name == "" {
		name = strings.ToLower(t.Value("type"))
		name = strings.TrimPrefix(strings.TrimPrefix(name, "text/"), "application/")
		name = strings.TrimPrefix(name, "x-")
	}
	switch name {
	case "":
		return otherwise
	case "js", "jsx", "javascript", "ecmascript", "module", "babel":
		return "javascript"
	case "ts", "typescript":
		return "typescript"
	case "tsx":
		return "tsx"
	case "coffee", "coffeescript":
		return "coffeescript"
	}
	return ""
}

// StyleLanguage is the language of a style element.
func StyleLanguage(t *Tag) string {
	switch name := strings.ToLower(t.Value("lang")); name {
	case "", "postcss", "pcss":
		return "css"
	case "styl":
		return "stylus"
	default:
		return name
	}
}

// File is what a reader finds in a component.
type File struct {
	Source []byte
	// Scripts, Client and Styles are parts; Client holds scripts that run apart
	// from the component. Template is the language of the markup's code.
	Scripts, Client, Styles []lang.Part
	Markup                  *Overlay
	Template                string
	Uses                    []Use
	Imports                 []Include
	Snippets                []facts.Symbol
	Summary                 string
}

// Include is a file that a component names, with the offset of the name.
type Include struct {
	Module string
	At     int
}

// Use is a name that the markup uses outside code.
type Use struct {
	Kind            facts.RefKind
	Name, Qualifier string
	At              int
}

// AddPiece puts the content of an element into the part of its language.
func AddPiece(parts []lang.Part, language string, source []byte, start, end int) []lang.Part {
	if language == "" || start >= end {
		return parts
	}
	text := source[start:end]
	if end < len(source) && source[end] == '<' {
		// Two scripts on one line are two statements.
		text = append(bytes.Clone(text), '\n')
	}
	piece := lang.Piece{Start: uint32(start), Text: text}
	for i := range parts {
		if parts[i].Language == language {
			parts[i].Pieces = append(parts[i].Pieces, piece)
			return parts
		}
	}
	return append(parts, lang.Part{Language: language, Pieces: []lang.Piece{piece}})
}

// Include notes the file that a src attribute names.
func (f *File) Include(t *Tag) {
	a := t.Attribute("src")
	if a == nil || !a.Quoted() {
		return
	}
	p := string(f.Source[a.ValueStart:a.ValueEnd])
	if p == "" || strings.Contains(p, "://") || strings.HasPrefix(p, "//") || strings.ContainsAny(p, "{}<> \n") {
		return
	}
	if !strings.HasPrefix(p, "@") && !strings.HasPrefix(p, "~") && !strings.HasPrefix(p, "$") {
		p = template.Relative(path.Clean(p))
	}
	f.Imports = append(f.Imports, Include{p, a.ValueStart})
}

// Parts are the parts of the component in the order in which they are read.
func (f *File) Parts() []lang.Part {
	out := append([]lang.Part{}, f.Scripts...)
	if f.Markup != nil {
		if pieces := f.Markup.Pieces(); len(pieces) > 0 {
			out = append(out, lang.Part{Language: f.Template, Pieces: pieces, Body: true})
		}
	}
	out = append(out, f.Client...)
	return append(out, f.Styles...)
}

// ScriptsIn is the language that the markup's code is written in: that of the
// scripts.
func (f *File) ScriptsIn(otherwise string) string {
	language := otherwise
	for _, p := range f.Scripts {
		switch p.Language {
		case "typescript", "tsx":
			return p.Language
		case "javascript":
			language = p.Language
		}
	}
	return language
}

// Report tells the builder what stands outside code.
func (f *File) Report(b *lang.Builder) {
	b.SetSummary(f.Summary)
	for _, i := range f.Imports {
		b.Import(facts.Import{Module: i.Module}, uint32(i.At))
	}
	for _, s := range f.Snippets {
		b.Symbol(s)
	}
	for _, u := range f.Uses {
		b.Reference(u.Kind, u.Name, u.Qualifier, uint32(u.At))
	}
}

// Describe takes a comment as the summary of the file if it is one.
func (f *File) Describe(comment []byte) {
	const head = 2000
	text := lang.CleanComment(strings.ToValidUTF8(string(comment[:min(len(comment), head)]), ""))
	text = strings.TrimSpace(strings.TrimSuffix(text, "-->"))
	text = strings.TrimSpace(strings.TrimPrefix(text, "@component"))
	if f.Summary != "" || text == "" || lang.LooksLikeLicense(text) || strings.HasPrefix(text, "<") ||
		strings.HasPrefix(text, "prettier-ignore") || strings.HasPrefix(text, "svelte-ignore") {
		return
	}
	f.Summary = text
}

// Component notes the component that an element stands for: one in upper case
// or with a dot, and custom elements, in the form pascal gives them. Others
// belong to the platform.
func (f *File) Component(name string, at int, pascal bool) {
	if name == "" || strings.ContainsAny(name, ":[]{}\"'") {
		return
	}
	if strings.Contains(name, ".") {
		f.member(name, at)
		return
	}
	switch {
	case name[0] >= 'A' && name[0] <= 'Z' || name[0] >= 0x80:
	case strings.IndexByte(name, '-') > 0 && !reserved[name]:
		if pascal {
			name = Pascal(name)
		}
	default:
		return
	}
	f.Uses = append(f.Uses, Use{facts.RefCall, name, "", at})
}

// member notes a.b.C: a use of C as a component, and of what it is a member of.
func (f *File) member(name string, at int) {
	for from := 0; from < len(name); {
		to, kind := len(name), facts.RefCall
		if k := strings.IndexByte(name[from:], '.'); k >= 0 {
			to, kind = from+k, facts.RefRead
		}
		if to == from {
			return
		}
		qualifier := strings.TrimSuffix(name[:from], ".")
		f.Uses = append(f.Uses, Use{kind, name[from:to], lang.Shape(qualifier), at + from})
		from = to + 1
	}
}

// reserved names of elements hold a dash and are no custom elements.
var reserved = map[string]bool{
	"annotation-xml": true, "color-profile": true, "font-face": true, "font-face-src": true, "font-face-uri": true,
	"font-face-format": true, "font-face-name": true, "missing-glyph": true,
}

// Pascal turns my-button into MyButton.
func Pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}
