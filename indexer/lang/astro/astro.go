// Package astro is the row of Astro's components.
//
// The front matter is read as TypeScript, the scripts that run in the browser as
// a part of their own, styles by their row. Expressions in the markup are read as
// the body of a function; elements inside an expression are laid out as lists of
// the expressions that they hold: "xs.map(x => <li>{x.name}</li>)" as
// "xs.map(x => [   ,x.name,   ])". Components that the markup uses are references.
package astro

import (
	"bytes"

	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "astro",
		Family:     "javascript",
		Version:    2 + component.Version,
		Extensions: []string{".astro"},
		Extract:    func(b *lang.Builder) { read(b.Source).Report(b) },
		Parts:      func(source []byte, _ string) []lang.Part { return read(source).Parts() },
		Readers:    component.Readers(),
		Roles:      ecmascript.Roles,
	}
}

// reader is one component being read.
type reader struct {
	*component.Scanner
	*component.File
	source []byte
	found  []found // in the expression in hand
	nested int
}

// found is an element inside an expression, or an expression inside of one.
// Elements are known before the expression is known to end, so they are laid out
// afterwards.
type found struct {
	element    bool
	start, end int // of an element's list; of an expression between its marks
	tag        *component.Tag
	rawEnd     int // of the content of a script or style
}

func read(source []byte) *component.File {
	r := &reader{Scanner: component.NewScanner(source, true), File: &component.File{Source: source, Template: "typescript"}, source: source}
	r.Markup = component.NewOverlay(source)
	r.Nested = r.elements
	r.markup(r.frontMatter())
	return r.File
}

// frontMatter takes the code between the first two lines of dashes and returns
// where it ends.
func (r *reader) frontMatter() int {
	src := r.source
	i := 0
	for i < len(src) && !bytes.HasPrefix(src[i:], []byte("---")) {
		switch {
		case component.IsSpace(src[i]), bytes.HasPrefix(src[i:], []byte("\ufeff")):
			i++
			for i < len(src) && src[i]&0xC0 == 0x80 {
				i++
			}
		case r.IsComment(i):
			end := r.Comment(i)
			r.Describe(src[i:end])
			i = end
		default:
			return 0
		}
	}
	if i >= len(src) {
		return 0
	}
	start := i + 3
	end, next := len(src), len(src)
	for at := start; at < len(src); {
		k := bytes.Index(src[at:], []byte("\n"))
		if k < 0 {
			break
		}
		at += k + 1
		line := bytes.TrimLeft(src[at:], " \t")
		if bytes.HasPrefix(line, []byte("---")) {
			end = len(src) - len(line)
			next = end + 3
			break
		}
	}
	r.Scripts = component.AddPiece(r.Scripts, "typescript", src, start, end)
	return next
}

func (r *reader) markup(i int) {
	src := r.source
	for i < len(src) && !r.Spent() {
		switch {
		case src[i] == '{':
			end, ok := r.expression(i)
			if !ok {
				i++
				continue
			}
			i = end
		case src[i] != '<':
			i++
		case r.IsComment(i):
			end := r.Comment(i)
			if len(r.Scripts) == 0 && len(r.Uses) == 0 {
				r.Describe(src[i:end])
			}
			i = end
		case bytes.HasPrefix(src[i:], []byte("</")):
			_, next := r.EndTag(i)
			i = max(next, i+2)
		case r.OpensTag(i):
			r.found = r.found[:0]
			t, ok := r.Tag(i)
			if !ok {
				i++
				continue
			}
			inner := append([]found{}, r.found...)
			i = t.End
			if isRaw(t) {
				i, _ = r.RawEnd(t.Name, t.End)
			}
			r.tag(t, i, false)
			r.layOut(inner)
		default:
			i++
		}
	}
}

func isRaw(t *component.Tag) bool {
	return (t.Name == "script" || t.Name == "style") && !t.SelfClosing
}

// expression lays out what stands in braces in the markup, as a statement.
func (r *reader) expression(open int) (int, bool) {
	r.found = r.found[:0]
	end, ok := r.Closing(open)
	if !ok {
		return 0, false
	}
	r.Markup.Statement(open+1, end)
	r.layOut(r.found)
	return end + 1, true
}

// tag takes a start tag whose content, if it is raw, ends at an offset. In an
// expression its values become items of a list, else statements.
func (r *reader) tag(t *component.Tag, rawEnd int, item bool) {
	if isRaw(t) || t.Name == "script" || t.Name == "style" {
		if !item {
			r.Include(t)
		}
		switch {
		case !isRaw(t):
		case t.Name == "style":
			r.Styles = component.AddPiece(r.Styles, component.StyleLanguage(t), r.source, t.End, rawEnd)
		default:
			otherwise := "typescript"
			if t.Attribute("is:inline") != nil || t.Attribute("define:vars") != nil {
				otherwise = "javascript"
			}
			r.Client = component.AddPiece(r.Client, component.ScriptLanguage(t, otherwise), r.source, t.End, rawEnd)
		}
	} else {
		r.Component(t.Name, t.NameAt, false)
	}
	for k := range t.Attributes {
		a := &t.Attributes[k]
		switch {
		case a.Mark == '{' && item:
			r.item(a.ValueStart-1, a.ValueEnd)
		case a.Mark == '{':
			start, _ := r.Markup.Trim(a.ValueStart, a.ValueEnd)
			if bytes.HasPrefix(r.source[start:], []byte("...")) {
				r.Markup.Statement(start+3, a.ValueEnd)
			} else {
				r.Markup.Statement(start, a.ValueEnd)
			}
		case a.Mark == '`' && r.Markup.Free(a.ValueEnd+1):
			r.Markup.Copy(a.ValueStart-1, a.ValueEnd+1)
			mark := ";"
			if item {
				mark = ","
				r.Markup.Put(a.ValueStart-2, mark)
			}
			r.Markup.Put(a.ValueEnd+1, mark)
		}
	}
}

// item lays out an expression between braces as an item of a list.
func (r *reader) item(open, end int) {
	r.Markup.Put(open, ",")
	r.Markup.Copy(open+1, end)
	r.Markup.Put(end, ",")
}
