// Package eex is the row of EEx and HEEx, the Elixir templates of Phoenix.
package eex

import (
	"bytes"
	"strings"

	"github.com/project-map/project-map/indexer/facts"
	"github.com/project-map/project-map/indexer/facts/lazyregexp"
	"github.com/project-map/project-map/indexer/lang"
	"github.com/project-map/project-map/indexer/lang/html"
	"github.com/project-map/project-map/indexer/lang/template"
)

// Language is the row.
func Language() *lang.Language {
	page := html.Language().Extract
	return &lang.Language{
		Name:       "eex",
		Family:     "elixir",
		Aliases:    []string{"html+eex", "heex"},
		Version:    1,
		Extensions: []string{".eex", ".heex", ".leex"},
		Extract: func(b *lang.Builder) {
			page(b)
			components(b)
		},
		Parts:   parts,
		Readers: []string{"elixir"},
	}
}

func parts(source []byte, extension string) []lang.Part {
	pieces := template.Tagged(source, "elixir")
	if isPage(extension) {
		pieces = braced(source, pieces)
	}
	return []lang.Part{{Language: "elixir", Pieces: pieces}}
}

// isPage tells whether expressions in braces and components are known to a page.
func isPage(extension string) bool { return extension == ".heex" || extension == ".leex" }

// braced adds the code of HEEx that stands in braces, in attributes and in text.
// Braces inside <script> and <style> belong to those.
func braced(source []byte, tags []lang.Piece) []lang.Piece {
	var out []lang.Piece
	raw := "" // end mark of the element whose text is no markup
	for at := 0; at < len(source); {
		if len(tags) > 0 && at == int(tags[0].Start) {
			out = append(out, tags[0])
			at += len(tags[0].Text)
			tags = tags[1:]
			continue
		}
		switch c := source[at]; {
		case raw != "":
			if c == '<' && hasFold(source[at:], raw) {
				raw = ""
			}
			at++
		case c == '<' && hasFold(source[at:], "<script"):
			raw = "</script"
			at++
		case c == '<' && hasFold(source[at:], "<style"):
			raw = "</style"
			at++
		case bytes.HasPrefix(source[at:], []byte("<!--")):
			end := bytes.Index(source[at:], []byte("-->"))
			if end < 0 {
				end = len(source) - at
			}
			// Tags inside a comment still run, so they are not skipped.
			if len(tags) > 0 && int(tags[0].Start) < at+end {
				end = int(tags[0].Start) - at
			}
			at += max(end, 1)
		case c == '{':
			end := closing(source, at)
			if end < 0 || len(tags) > 0 && int(tags[0].Start) < end {
				at++
				continue
			}
			text := bytes.Clone(source[at : end+1])
			text[0], text[len(text)-1] = '\n', '\n'
			out = append(out, lang.Piece{Start: uint32(at), Text: text})
			at = end + 1
		default:
			at++
		}
	}
	return out
}

// maxBraced caps the length of an expression in braces, so that braces which are
// never closed cost little.
const maxBraced = 4096

// closing is the offset of the brace that closes the one at open, or -1.
func closing(source []byte, open int) int {
	depth := 0
	var quote byte
	for i := open; i < min(len(source), open+maxBraced); i++ {
		switch c := source[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func hasFold(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(string(s[:len(prefix)]), prefix)
}

var component = lazyregexp.New(`<(?:([A-Z][\w.]*)\.|\.)([a-z_]\w*[?!]?)`)

// components reports the function components that a HEEx page uses: <.button>
// and <Shop.Components.card>.
func components(b *lang.Builder) {
	if !isPage(b.Extension) {
		return
	}
	for _, m := range component.FindAllSubmatchIndex(b.Source, -1) {
		qualifier := ""
		if m[2] >= 0 {
			qualifier = string(b.Source[m[2]:m[3]])
		}
		b.Reference(facts.RefCall, string(b.Source[m[4]:m[5]]), qualifier, uint32(m[4]))
	}
}
