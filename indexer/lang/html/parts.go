package html

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/component"
)

// maxHandler caps the length of an event handler in an attribute.
const maxHandler = 2000

// parts finds the scripts and style sheets that stand in a page, and the event
// handlers in attributes, which are bodies of functions.
func parts(source []byte) []lang.Part {
	s := component.NewScanner(source, false)
	var out []lang.Part
	handlers := lang.Part{Language: "javascript", Body: true}
	for i := 0; i < len(source) && !s.Spent(); {
		next := bytes.IndexByte(source[i:], '<')
		if next < 0 {
			break
		}
		i += next
		switch {
		case s.IsComment(i):
			i = max(s.Comment(i), i+1)
		case s.OpensTag(i):
			t, ok := s.Tag(i)
			if !ok {
				i++
				continue
			}
			i = max(t.End, i+1)
			handlers.Pieces = append(handlers.Pieces, handlersOf(source, t)...)
			language := ""
			switch strings.ToLower(t.Name) {
			case "script":
				language = component.ScriptLanguage(t, "javascript")
			case "style":
				language = component.StyleLanguage(t)
			default:
				continue
			}
			end, _ := s.RawEnd(t.Name, t.End)
			if !t.SelfClosing {
				out = component.AddPiece(out, language, source, t.End, end)
			}
			i = max(end, i)
		default:
			i++
		}
	}
	if len(handlers.Pieces) > 0 {
		out = append(out, handlers)
	}
	for i := range out {
		for k := range out[i].Pieces {
			out[i].Pieces[k].Text = withoutMarks(out[i].Pieces[k].Text)
		}
	}
	return out
}

// handlersOf lays out the event handlers of a tag: line breaks for the quotes.
func handlersOf(source []byte, t *component.Tag) []lang.Piece {
	var out []lang.Piece
	for k := range t.Attributes {
		a := &t.Attributes[k]
		name := strings.ToLower(a.Name)
		if len(name) < 4 || !strings.HasPrefix(name, "on") || !a.Quoted() || a.ValueEnd-a.ValueStart > maxHandler || a.ValueEnd >= len(source) {
			continue
		}
		for _, c := range name {
			if c < 'a' || c > 'z' {
				name = ""
			}
		}
		if name == "" || a.Mark != '"' && a.Mark != '\'' {
			continue
		}
		text := bytes.Clone(source[a.ValueStart-1 : a.ValueEnd+1])
		text[0], text[len(text)-1] = '\n', '\n'
		out = append(out, lang.Piece{Start: uint32(a.ValueStart - 1), Text: text})
	}
	return out
}

// templateMarks are those of templates inside a script: values, which become a number,
// and statements, which become blanks.
var templateMarks = lazyregexp.New(`\{\{[^{}\n]*\}\}|\{%[^\n]*?%\}|\{#[^\n]*?#\}|<%[^\n]*?%>`)

// withoutMarks gives a text of the same length without the marks of templates.
func withoutMarks(text []byte) []byte {
	if !bytes.Contains(text, []byte("{{")) && !bytes.Contains(text, []byte("{%")) && !bytes.Contains(text, []byte("{#")) && !bytes.Contains(text, []byte("<%")) {
		return text
	}
	return templateMarks.ReplaceAllFunc(text, func(m []byte) []byte {
		out := bytes.Repeat([]byte{' '}, len(m))
		if m[0] == '{' && m[1] == '{' || bytes.HasPrefix(m, []byte("<%=")) {
			out[0] = '0'
		}
		return out
	})
}
