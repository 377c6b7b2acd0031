// Package svelte is the row of Svelte's components.
//
// The instance and the module script are read together, by the row of their
// language; styles by theirs. The code in the markup (expressions in braces,
// logic blocks, directives) is read in the language of the scripts as the body of
// a function, in which {#each}, {#await} and elements with let: are blocks that
// bind their names. Snippets are functions. Components that the markup uses and
// actions and transitions of directives are references. $store is a use of store,
// and what a reactive statement assigns first is a variable.
package svelte

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
	"github.com/project-map/project-map/indexer/lang/ecmascript"
)

// Language is the row.
func Language() *lang.Language {
	return &lang.Language{
		Name:       "svelte",
		Family:     "javascript",
		Version:    2 + component.Version,
		Extensions: []string{".svelte"},
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
	scopes *component.Scopes
	depth  int // of open elements
}

func read(source []byte) *component.File {
	r := &reader{Scanner: component.NewScanner(source, true), File: &component.File{Source: source}, source: source}
	r.Markup = component.NewOverlay(source)
	r.scopes = component.NewScopes(r.Markup)
	r.markup()
	r.scopes.Finish()
	r.File.Template = r.ScriptsIn("javascript")
	for i := range r.Scripts {
		for k := range r.Scripts[i].Pieces {
			p := &r.Scripts[i].Pieces[k]
			p.Text = reactive(stores(p.Text), r.source)
		}
	}
	return r.File
}

func (r *reader) markup() {
	src := r.source
	first := true
	for i := 0; i < len(src) && !r.Spent(); {
		switch {
		case src[i] == '{':
			end, ok := r.Closing(i)
			if !ok {
				i++
				continue
			}
			r.braces(i, end)
			i = end + 1
		case src[i] != '<':
			i++
		case r.IsComment(i):
			end := r.Comment(i)
			if first || bytes.Contains(src[i:end], []byte("@component")) {
				r.Describe(src[i:end])
			}
			i = end
		case bytes.HasPrefix(src[i:], []byte("</")):
			name, next := r.EndTag(i)
			r.scopes.Close(name, i, len(name)+2)
			r.depth = max(0, r.depth-1)
			i = max(next, i+2)
		case r.OpensTag(i):
			t, ok := r.Tag(i)
			if !ok {
				i++
				continue
			}
			first = false
			i = r.element(t)
		default:
			i++
		}
	}
}

// element takes a start tag and returns where to read on.
func (r *reader) element(t *component.Tag) int {
	single := t.SelfClosing || component.Void(t.Name)
	if t.Name == "script" || t.Name == "style" {
		r.Include(t)
		if single {
			return t.End
		}
		end, _ := r.RawEnd(t.Name, t.End)
		switch language := component.ScriptLanguage(t, "javascript"); {
		case t.Name == "style":
			r.Styles = component.AddPiece(r.Styles, component.StyleLanguage(t), r.source, t.End, end)
		case r.depth == 0:
			r.Scripts = component.AddPiece(r.Scripts, language, r.source, t.End, end)
		default:
			r.Client = component.AddPiece(r.Client, language, r.source, t.End, end)
		}
		return end
	}
	r.Component(t.Name, t.NameAt, false)
	binds := false
	for i := range t.Attributes {
		binds = binds || strings.HasPrefix(t.Attributes[i].Name, "let:")
	}
	switch {
	case binds:
		binds = r.scopes.Block(t.Name, t.Start, "{", t.Start+1, -1)
	case !single:
		r.scopes.Open(t.Name)
	}
	for i := range t.Attributes {
		r.attribute(&t.Attributes[i], binds)
	}
	if !single {
		r.depth++
	} else if binds {
		r.scopes.Close(t.Name, t.End-1, 1)
	}
	return t.End
}

func (r *reader) attribute(a *component.Attribute, inBlock bool) {
	o := r.Markup
	directive, name, _ := strings.Cut(a.Name, ":")
	at := a.Start + len(directive) + 1
	name, _, _ = strings.Cut(name, "|")
	switch directive {
	case "use", "transition", "in", "out", "animate":
		if isIdentifier(name) {
			r.Uses = append(r.Uses, component.Use{Kind: facts.RefCall, Name: strings.TrimPrefix(name, "$"), At: at})
		}
	case "bind", "class", "style":
		if a.ValueStart == 0 && isIdentifier(name) && o.Free(a.End) {
			o.Copy(at, at+len(name))
			o.Put(a.End, ";")
		}
	case "let":
		if inBlock {
			r.let(a, name, at)
		}
		return
	}
	switch {
	case a.Mark == '{':
		r.expression(a.ValueStart, a.ValueEnd)
	case a.ValueStart > 0:
		for i := a.ValueStart; i < a.ValueEnd; i++ {
			if r.source[i] == '{' {
				end, ok := r.Closing(i)
				if !ok || end > a.ValueEnd {
					return
				}
				r.expression(i+1, end)
				i = end
			}
		}
	}
}

// let binds the property that a component gives to what stands in it.
func (r *reader) let(a *component.Attribute, name string, at int) {
	o := r.Markup
	switch {
	case a.ValueStart == 0 && isIdentifier(name) && o.Free(a.End):
		o.Put(a.Start, "let ")
		o.Copy(at, at+len(name))
		o.Put(a.End, ";")
	case a.Mark == '{':
		start, end := o.Trim(a.ValueStart, a.ValueEnd)
		if start >= end || !isPattern(r.source[start:end]) {
			return
		}
		o.Put(a.ValueStart-5, "let ")
		o.Copy(start, end)
		o.Put(a.ValueEnd, ";")
	}
}

// isPattern tells a name or what can be a destructuring pattern.
func isPattern(code []byte) bool {
	return code[0] == '{' || code[0] == '[' || isIdentifier(string(code))
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if !component.IsWord(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

// runes are names that only the compiler knows.
var runes = map[string]bool{
	"state": true, "derived": true, "effect": true, "props": true, "bindable": true, "inspect": true, "host": true,
}

// stores blanks the mark of store subscriptions, so that $page is a use of page.
func stores(code []byte) []byte {
	if bytes.IndexByte(code, '$') < 0 {
		return code
	}
	out := bytes.Clone(code)
	for i := 0; i+1 < len(code); i++ {
		c := code[i+1]
		if code[i] != '$' || !component.IsWord(c) || c >= '0' && c <= '9' || c == '$' {
			continue
		}
		if i > 0 && (component.IsWord(code[i-1]) || bytes.IndexByte([]byte(".'\"`/@"), code[i-1]) >= 0) {
			continue
		}
		end := i + 1
		for end < len(code) && component.IsWord(code[end]) {
			end++
		}
		if !runes[string(code[i+1:end])] && !bytes.Equal(code[i+1:end], []byte("$")) {
			out[i] = ' '
		}
		i = end - 1
	}
	return out
}

var reactiveLine = lazyregexp.New(`(?m)^(?:[ \t]+|\r?\n)\$:[ \t]*([A-Za-z_]\w*)[ \t]*=[^=>]`)

// reactive turns "$: doubled = …" into a declaration, where nothing else declares
// the name.
func reactive(code, whole []byte) []byte {
	declared := map[string]bool{}
	for _, m := range reactiveLine.FindAllSubmatchIndex(code, maxReactive) {
		name := string(code[m[2]:m[3]])
		if declared[name] || isDeclared(whole, name) {
			continue
		}
		declared[name] = true
		text := []byte("let ")
		at := m[0] + bytes.Index(code[m[0]:m[1]], []byte("$:"))
		if m[2]-at < len(text) {
			at--
		}
		if m[2]-at < len(text) {
			continue
		}
		copy(code[at:], "let ")
		for i := at + 4; i < m[2]; i++ {
			code[i] = ' '
		}
	}
	return code
}

const maxReactive = 100

func isDeclared(whole []byte, name string) bool {
	return regexp.MustCompile(`\b(?:let|var|const)\s(?:[^;=\n]*,\s*)?` + regexp.QuoteMeta(name) + `\b`).Match(whole)
}
