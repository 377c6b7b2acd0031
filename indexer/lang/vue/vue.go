// Package vue is the row of Vue's single-file components.
//
// The scripts of a component are read together, as one module, by the row of
// their language; styles by theirs. The code in the template (interpolations,
// directives, bindings) is read in the language of the scripts as the body of a
// function: an element with v-for or slot properties is a block there that binds
// their names. Components that the template uses are references.
package vue

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "vue",
		Family:     "javascript",
		Aliases:    []string{"vuejs"},
		Version:    2 + component.Version,
		Extensions: []string{".vue"},
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
	source    []byte
	templates []content // contents of templates
}

type content struct{ start, end int }

func read(source []byte) *component.File {
	r := &reader{Scanner: component.NewScanner(source, false), File: &component.File{Source: source}, source: source}
	r.blocks()
	r.File.Template = r.ScriptsIn("javascript")
	r.Markup = component.NewOverlay(source)
	for _, t := range r.templates {
		r.template(t.start, t.end)
	}
	return r.File
}

// blocks reads the elements at the level of the file.
func (r *reader) blocks() {
	first := true
	for i := 0; i < len(r.source) && !r.Spent(); {
		k := bytes.IndexByte(r.source[i:], '<')
		if k < 0 {
			return
		}
		i += k
		if r.IsComment(i) {
			end := r.Comment(i)
			if first {
				r.Describe(r.source[i:end])
			}
			i = end
			continue
		}
		if !r.OpensTag(i) {
			i++
			continue
		}
		t, ok := r.Tag(i)
		if !ok {
			i++
			continue
		}
		first = false
		r.Include(t)
		if i = t.End; t.SelfClosing {
			continue
		}
		name := strings.ToLower(t.Name)
		if name == "template" {
			end := r.templateEnd(t.End)
			if l := t.Value("lang"); l == "" || l == "html" {
				r.templates = append(r.templates, content{t.End, end})
			}
			i = end
			continue
		}
		end, closed := r.RawEnd(name, t.End)
		switch {
		case name == "script":
			r.Scripts = component.AddPiece(r.Scripts, component.ScriptLanguage(t, "javascript"), r.source, t.End, end)
		case name == "style":
			r.Styles = component.AddPiece(r.Styles, component.StyleLanguage(t), r.source, t.End, end)
		case !closed:
			r.Pay(len(r.source) - t.End)
			continue
		}
		i = end
	}
}

var blockLine = lazyregexp.New(`(?m)^(?:</template\s*>|<(?:script|style)\b)`)

// templateEnd is where the content of a template ends. If the elements in it do
// not tell, the first line that looks like it does.
func (r *reader) templateEnd(at int) int {
	depth := 1
	for i := at; i < len(r.source) && !r.Spent(); {
		k := bytes.IndexByte(r.source[i:], '<')
		if k < 0 {
			break
		}
		i += k
		switch {
		case r.IsComment(i):
			i = r.Comment(i)
		case bytes.HasPrefix(r.source[i:], []byte("</")):
			name, end := r.EndTag(i)
			if strings.EqualFold(name, "template") {
				if depth--; depth == 0 {
					return i
				}
			}
			i = max(end, i+2)
		case r.OpensTag(i):
			t, ok := r.Tag(i)
			if !ok {
				i++
				continue
			}
			if strings.EqualFold(t.Name, "template") && !t.SelfClosing {
				depth++
			}
			i = t.End
		default:
			i++
		}
	}
	if m := blockLine.FindIndex(r.source[at:]); m != nil {
		return at + m[0]
	}
	return len(r.source)
}
